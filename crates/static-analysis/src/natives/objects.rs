//! `Object`, `Reflect`, and what makes one object inherit from another.

use crate::analysis::Analysis;
use crate::model::{Call, Key, KeyKind, Site, TokenKind};
use crate::rules::Listener;
use crate::solver::{Node, Token};

impl Analysis {
    pub fn object_method(&mut self, call: &Call, method: &str) {
        let first = call.argument(0);
        match method {
            "create" => {
                let object = self.new_object(call, TokenKind::Object);
                if let Some(prototype) = first {
                    self.add_to_slot(object, Key::PROTO, prototype);
                }
                if let Some(properties) = call.argument(1) {
                    let object = self.node_of(object);
                    self.define_all(call, object, properties);
                }
            }
            "assign" => {
                let Some(target) = first else { return };
                self.graph.add_edge(target, call.result);
                let spread = call.spread.map(|(_, node)| node);
                for source in call.arguments.iter().skip(1).copied().flatten().chain(spread) {
                    self.copy_all(source, target);
                    self.graph.listen(source, Listener::ReadAll { site: call.site });
                    self.graph.listen(source, Listener::AssignAll { target, site: call.site });
                }
            }
            "setPrototypeOf" => {
                let (Some(object), Some(prototype)) = (first, call.argument(1)) else { return };
                self.store(object, Key::PROTO, prototype, call.site);
                self.graph.add_edge(object, call.result);
            }
            "getPrototypeOf" => {
                let Some(object) = first else { return };
                self.graph.listen(object, Listener::Own { key: Key::PROTO, to: call.result });
            }
            "defineProperty" => {
                let (Some(object), Some(descriptor)) = (first, call.argument(2)) else { return };
                self.graph.add_edge(object, call.result);
                match call.texts[1] {
                    Some(key) => self.define(object, key, descriptor, call.site),
                    None => self.define_unknown(call, object, descriptor),
                }
                if let Some(key) = call.argument(1) {
                    let value = self.keys.of("value");
                    let from = self.node();
                    self.load(descriptor, value, from, call.site);
                    self.graph.listen(key, Listener::StoreSymbol { base: object, from, site: call.site });
                }
            }
            "defineProperties" => {
                let (Some(object), Some(properties)) = (first, call.argument(1)) else { return };
                self.graph.add_edge(object, call.result);
                self.define_all(call, object, properties);
            }
            "__defineGetter__" | "__defineSetter__" => {
                let (Some(this), Some(accessor), Some(key)) = (call.this, call.argument(1), call.texts[0]) else {
                    return;
                };
                self.define_accessor(this, method, key, accessor, call.site);
            }
            "freeze" | "seal" | "preventExtensions" => {
                if let Some(object) = first {
                    self.graph.add_edge(object, call.result);
                }
            }
            "values" | "entries" => {
                let Some(object) = first else { return };
                let content = self.node();
                self.graph.listen(object, Listener::Own { key: Key::ALL, to: content });
                self.graph.listen(object, Listener::ReadAll { site: call.site });
                match method {
                    "values" => drop(self.array_of(call, content)),
                    _ => {
                        let iterator = self.made(TokenKind::Iterator, call.site);
                        self.give_entries(iterator, None, Some(content));
                        let pairs = self.slot(iterator, Key::YIELDED);
                        self.array_of(call, pairs);
                    }
                }
            }
            "keys" | "getOwnPropertyNames" | "ownKeys" => drop(self.new_object(call, TokenKind::Array)),
            "fromEntries" => {
                let Some(pairs) = first else { return };
                let object = self.new_object(call, TokenKind::Object);
                let pair = self.elements(pairs);
                let value = self.node();
                let index = self.keys.of("1");
                self.load(pair, index, value, call.site);
                self.add_content(object, value);
            }
            "getOwnPropertyDescriptor" => {
                let Some(object) = first else { return };
                let descriptor = self.new_object(call, TokenKind::Object);
                let Some(name) = call.texts[1] else { return };
                let (getter, setter) = (self.keys.getter(name), self.keys.setter(name));
                for (part, key) in [("value", name), ("get", getter), ("set", setter)] {
                    let part = self.keys.of(part);
                    let slot = self.slot(descriptor, part);
                    self.graph.listen(object, Listener::Own { key, to: slot });
                }
            }
            "groupBy" => {
                let (Some(items), Some(callback)) = (first, call.argument(1)) else { return };
                let element = self.elements(items);
                self.callback(call, callback, None, vec![Some(element), None], false);
                let object = self.new_object(call, TokenKind::Object);
                let array = self.made(TokenKind::Array, call.site);
                self.add_content(array, element);
                let array = self.node_of(array);
                self.add_content(object, array);
            }
            "apply" => {
                let Some(callee) = first else { return };
                let (arguments, spread) = self.arguments_in_array(call, call.argument(2));
                let this = call.argument(1);
                self.add_call(Call {
                    callee,
                    this,
                    gives_this: true,
                    arguments,
                    spread,
                    texts: [None; 2],
                    depth: call.depth + 1,
                    ..call.clone()
                });
            }
            "construct" => {
                let Some(callee) = first else { return };
                let (arguments, spread) = self.arguments_in_array(call, call.argument(1));
                self.add_call(Call {
                    callee,
                    this: None,
                    arguments,
                    spread,
                    texts: [None; 2],
                    is_new: true,
                    depth: call.depth + 1,
                    ..call.clone()
                });
            }
            "get" => {
                let (Some(object), Some(key)) = (first, call.texts[1]) else { return };
                self.load(object, key, call.result, call.site);
            }
            "set" => {
                let (Some(object), Some(key), Some(value)) = (first, call.texts[1], call.argument(2)) else { return };
                self.store(object, key, value, call.site);
            }
            _ => {}
        }
    }

    /// `util.inherits(a, b)`.
    pub fn inherits(&mut self, call: &Call) {
        let (Some(class), Some(base)) = (call.argument(0), call.argument(1)) else { return };
        let super_ = self.keys.of("super_");
        self.store(class, super_, base, call.site);
        let key = self.keys.of("prototype");
        let (prototype, inherited) = (self.node(), self.node());
        self.load(class, key, prototype, call.site);
        self.load(base, key, inherited, call.site);
        self.store(prototype, Key::PROTO, inherited, call.site);
    }

    /// An object has a property that it did not have: who uses all of them is told.
    pub fn got_property(&mut self, token: Token, key: Key) {
        if self.keys.is_getter(key)
            && let Some(sites) = self.read_whole.get(&token)
        {
            sites.clone().into_iter().for_each(|site| self.call_getter(token, key, site));
        }
        for (target, site) in self.assigned_to.get(&token).cloned().unwrap_or_default() {
            self.assign_property(token, key, target, site);
        }
        if matches!(self.keys.kind(key), KeyKind::Name | KeyKind::Index)
            && let Some(described) = self.describes.get(&token)
        {
            for (object, site) in described.clone() {
                let descriptor = self.slot(token, key);
                self.define(object, key, descriptor, site);
            }
        }
    }

    /// `Object.assign` sets what it copies, which calls setters. Where there are none, it is copied as a whole.
    pub fn assign_property(&mut self, source: Token, key: Key, target: Node, site: Site) {
        let name = match self.keys.kind(key) {
            KeyKind::Name | KeyKind::Index => key,
            _ if self.keys.is_getter(key) => self.keys.read_by(key),
            _ => return,
        };
        if self.setters.contains(&name) {
            let (source, value) = (self.node_of(source), self.node());
            self.load(source, name, value, site);
            self.store(target, name, value, site);
        }
    }

    /// `object.__defineGetter__(key, accessor)`, or the same of a setter.
    pub fn define_accessor(&mut self, object: Node, method: &str, key: Key, accessor: Node, site: Site) {
        self.graph.listen(accessor, Listener::Accessor { key });
        let slot = match method {
            "__defineGetter__" => self.keys.getter(key),
            _ => self.keys.setter(key),
        };
        self.store(object, slot, accessor, site);
    }

    fn define(&mut self, object: Node, key: Key, descriptor: Node, site: Site) {
        let (getter, setter) = (self.keys.getter(key), self.keys.setter(key));
        for (part, slot) in [("value", key), ("get", getter), ("set", setter)] {
            let part = self.keys.of(part);
            let from = self.node();
            self.load(descriptor, part, from, site);
            self.graph.listen(object, Listener::Define { key: slot, from });
            if slot != key {
                self.graph.listen(from, Listener::Accessor { key });
            }
        }
    }

    fn define_unknown(&mut self, call: &Call, object: Node, descriptor: Node) {
        let from = self.node();
        let value = self.keys.of("value");
        self.load(descriptor, value, from, call.site);
        self.graph.listen(object, Listener::StoreUnknown { from });
    }

    fn define_all(&mut self, call: &Call, object: Node, properties: Node) {
        self.graph.listen(properties, Listener::DefineAll { object, site: call.site });
    }

    pub fn define_each(&mut self, properties: Token, object: Node, site: Site) {
        self.describes.entry(properties).or_default().push((object, site));
        for key in self.own_keys(properties) {
            let descriptor = self.slot(properties, key);
            self.define(object, key, descriptor, site);
        }
    }
}
