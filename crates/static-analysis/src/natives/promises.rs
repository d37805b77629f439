//! Promises, maps and sets.

use crate::analysis::Analysis;
use crate::model::{Call, Key, TokenKind};
use crate::rules::Listener;
use crate::solver::{Node, Token};

impl Analysis {
    pub fn new_promise(&mut self, call: &Call) {
        let promise = self.new_object(call, TokenKind::Promise);
        let Some(executor) = call.argument(0) else { return };
        let resolve = self.resolver(promise);
        let reject = self.rejecter(promise);
        self.callback(call, executor, None, vec![Some(resolve), Some(reject)], false);
    }

    fn resolver(&mut self, promise: Token) -> Node {
        let token = self.token(TokenKind::Resolver(promise), None);
        self.node_of(token)
    }

    fn rejecter(&mut self, promise: Token) -> Node {
        let token = self.token(TokenKind::Rejecter(promise), None);
        self.node_of(token)
    }

    pub fn promise_method(&mut self, call: &Call, method: &str) {
        let first = call.argument(0);
        match (method, call.this) {
            ("then" | "catch" | "finally", Some(this)) => {
                let promise = self.new_object(call, TokenKind::Promise);
                let (fulfilled, rejected) = (self.node(), self.node());
                self.graph.listen(this, Listener::Await { to: fulfilled });
                self.graph.listen(this, Listener::Rejection { to: rejected });
                let (on_fulfilled, on_rejected) = match method {
                    "then" => (first, call.argument(1)),
                    "catch" => (None, first),
                    _ => (None, None),
                };
                if method == "finally"
                    && let Some(callback) = first
                {
                    self.callback(call, callback, None, Vec::new(), true);
                }
                match on_fulfilled {
                    Some(callback) => self.react(call, promise, callback, fulfilled),
                    None => self.add_to_slot(promise, Key::FULFILLED, fulfilled),
                }
                if let Some(callback) = on_rejected {
                    self.react(call, promise, callback, rejected);
                } else {
                    self.add_to_slot(promise, Key::REJECTED, rejected);
                }
            }
            ("resolve", _) => {
                let promise = self.new_object(call, TokenKind::Promise);
                if let Some(value) = first {
                    self.fulfil(promise, value);
                }
            }
            ("reject", _) => {
                let promise = self.new_object(call, TokenKind::Promise);
                if let Some(value) = first {
                    self.add_to_slot(promise, Key::REJECTED, value);
                }
            }
            ("all" | "allSettled" | "any" | "race", _) => {
                let Some(promises) = first else { return };
                let promise = self.new_object(call, TokenKind::Promise);
                let element = self.elements(promises);
                let (value, rejected) = (self.node(), self.node());
                self.graph.listen(element, Listener::Await { to: value });
                self.graph.listen(element, Listener::Rejection { to: rejected });
                self.add_to_slot(promise, Key::REJECTED, rejected);
                match method {
                    "any" | "race" => self.add_to_slot(promise, Key::FULFILLED, value),
                    _ => {
                        let array = self.made(TokenKind::Array, call.site);
                        let content = match method {
                            "allSettled" => {
                                let outcome = self.made(TokenKind::Object, call.site);
                                for (name, from) in [("value", value), ("reason", rejected)] {
                                    let key = self.keys.of(name);
                                    self.add_to_slot(outcome, key, from);
                                }
                                self.node_of(outcome)
                            }
                            _ => value,
                        };
                        self.add_content(array, content);
                        let array = self.node_of(array);
                        self.add_to_slot(promise, Key::FULFILLED, array);
                    }
                }
            }
            ("withResolvers", _) => {
                let promise = self.made(TokenKind::Promise, call.site);
                let object = self.new_object(call, TokenKind::Object);
                let parts = [
                    ("promise", self.node_of(promise)),
                    ("resolve", self.resolver(promise)),
                    ("reject", self.rejecter(promise)),
                ];
                for (name, from) in parts {
                    let key = self.keys.of(name);
                    self.add_to_slot(object, key, from);
                }
            }
            _ => {}
        }
    }

    /// A reaction gives the promise what it returns, and rejects it with what it throws.
    fn react(&mut self, call: &Call, promise: Token, callback: Node, value: Node) {
        let given = self.node();
        let rejected = self.slot(promise, Key::REJECTED);
        self.add_call(Call {
            callee: callback,
            this: None,
            gives_this: false,
            arguments: vec![Some(value)],
            spread: None,
            texts: [None; 2],
            result: given,
            thrown: rejected,
            is_new: false,
            is_super: false,
            is_later: true,
            depth: call.depth + 1,
            ..call.clone()
        });
        self.fulfil(promise, given);
    }

    pub fn new_map(&mut self, call: &Call, name: &'static str) {
        let prototype = match name {
            "Map" | "WeakMap" => "Map.prototype",
            "WeakRef" => "WeakRef.prototype",
            _ => "Set.prototype",
        };
        let targets = match call.this.filter(|_| call.is_super) {
            Some(this) => this,
            None => {
                let map = self.new_object(call, TokenKind::MapOrSet);
                self.set_native_prototype(map, prototype);
                self.node_of(map)
            }
        };
        if matches!(name, "Map" | "WeakMap") {
            self.graph.listen(targets, Listener::MapEntries);
        } else {
            self.graph.listen(targets, Listener::SetEntries);
        }
        let Some(source) = call.argument(0) else { return };
        match name {
            "WeakRef" => self.store(targets, Key::MAP_VALUE, source, call.site),
            "Map" | "WeakMap" => {
                let pair = self.elements(source);
                for (index, key) in [("0", Key::MAP_KEY), ("1", Key::MAP_VALUE)] {
                    let part = self.node();
                    let index = self.keys.of(index);
                    self.load(pair, index, part, call.site);
                    self.store(targets, key, part, call.site);
                }
            }
            _ => {
                let element = self.elements(source);
                self.store(targets, Key::MAP_KEY, element, call.site);
            }
        }
    }

    /// The values of a set are its keys.
    pub fn map_method(&mut self, call: &Call, method: &str, values: Key) {
        let Some(this) = call.this else { return };
        match method {
            "get" | "deref" => self.graph.listen(this, Listener::Own { key: values, to: call.result }),
            "set" | "add" => {
                self.graph.add_edge(this, call.result);
                if let Some(key) = call.argument(0) {
                    self.store(this, Key::MAP_KEY, key, call.site);
                }
                if let Some(value) = call.argument(1) {
                    self.store(this, Key::MAP_VALUE, value, call.site);
                }
            }
            "forEach" => {
                let Some(callback) = call.argument(0) else { return };
                let (key, value) = (self.node(), self.node());
                self.graph.listen(this, Listener::Own { key: Key::MAP_KEY, to: key });
                self.graph.listen(this, Listener::Own { key: values, to: value });
                let arguments = vec![Some(value), Some(key), Some(this)];
                self.callback(call, callback, call.argument(1), arguments, false);
            }
            "keys" | "values" | "entries" => {
                let iterator = self.new_object(call, TokenKind::Iterator);
                let yielded = self.slot(iterator, Key::YIELDED);
                match method {
                    "keys" => self.graph.listen(this, Listener::Own { key: Key::MAP_KEY, to: yielded }),
                    "values" => {
                        self.graph.listen(this, Listener::Own { key: values, to: yielded });
                    }
                    _ => {
                        let (key, value) = (self.node(), self.node());
                        self.graph.listen(this, Listener::Own { key: Key::MAP_KEY, to: key });
                        self.graph.listen(this, Listener::Own { key: values, to: value });
                        self.give_entries(iterator, Some(key), Some(value));
                    }
                }
            }
            _ => {}
        }
    }

    /// The iterator gives pairs.
    pub fn give_entries(&mut self, iterator: Token, key: Option<Node>, value: Option<Node>) {
        let entry = self.token(TokenKind::Entry(iterator), None);
        for (index, from) in [("0", key), ("1", value)] {
            if let Some(from) = from {
                let index = self.keys.of(index);
                self.add_to_slot(entry, index, from);
            }
        }
        let yielded = self.slot(iterator, Key::YIELDED);
        self.graph.add_token(yielded, entry);
    }
}
