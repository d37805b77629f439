//! Calls of built-ins: arrays, functions, iterators, timers.

use crate::analysis::Analysis;
use crate::model::{Call, CallId, Key, TokenKind};
use crate::rules::Listener;
use crate::solver::{Node, Token};

/// So many arguments that come in an array are told apart.
const POSITIONS: usize = 6;

impl Analysis {
    pub fn call_native(&mut self, id: CallId, name: &'static str) {
        let call = self.calls[id.0 as usize].clone();
        let call = &call;
        match name.rsplit_once('.') {
            Some(("Array.prototype", method)) => self.array_method(call, method),
            Some(("Function.prototype", method)) => self.function_method(call, method),
            Some(("Iterator.prototype", method)) => self.iterator_method(call, method),
            Some(("Promise" | "Promise.prototype", method)) if method != "prototype" => {
                self.promise_method(call, method);
            }
            Some(("Map.prototype" | "WeakRef.prototype", method)) => self.map_method(call, method, Key::MAP_VALUE),
            Some(("Set.prototype", method)) => self.map_method(call, method, Key::MAP_KEY),
            Some(("Object" | "Reflect" | "Object.prototype", method)) if method != "prototype" => {
                self.object_method(call, method);
            }
            Some(("events#EventEmitter.prototype", method)) => self.emitter_method(call, method, false),
            Some(("Foreign", method)) => self.emitter_method(call, method, true),
            _ => self.other_native(call, name),
        }
    }

    fn other_native(&mut self, call: &Call, name: &'static str) {
        match name {
            "Array" | "Array.of" => {
                let array = self.new_object(call, TokenKind::Array);
                for from in call.all_arguments() {
                    self.add_content(array, from);
                }
            }
            "Array.from" => {
                let Some(source) = call.argument(0) else { return };
                let element = self.elements(source);
                let array = self.new_object(call, TokenKind::Array);
                let mapped = match call.argument(1) {
                    Some(callback) => self.callback(call, callback, call.argument(2), vec![Some(element), None], false),
                    None => element,
                };
                self.add_content(array, mapped);
            }
            "Promise" => self.new_promise(call),
            "Map" | "Set" | "WeakMap" | "WeakSet" | "WeakRef" => self.new_map(call, name),
            "Symbol" | "Symbol.for" => drop(self.new_object(call, TokenKind::Symbol)),
            "Object" => match call.argument(0) {
                Some(object) => self.graph.add_edge(object, call.result),
                None => drop(self.new_object(call, TokenKind::Object)),
            },
            "Proxy" => {
                if let Some(target) = call.argument(0) {
                    self.graph.add_edge(target, call.result);
                }
            }
            "JSON.parse" => {
                let object = self.new_object(call, TokenKind::Object);
                let object = self.node_of(object);
                if let Some(reviver) = call.argument(1) {
                    self.callback(call, reviver, Some(object), vec![None, Some(object)], false);
                }
            }
            "JSON.stringify" => {
                if let Some(replacer) = call.argument(1) {
                    self.callback(call, replacer, call.argument(0), vec![None, call.argument(0)], false);
                }
                self.convert(call, &["toJSON"]);
            }
            "String" => self.convert(call, &["toString", "@@toPrimitive"]),
            "Number" => self.convert(call, &["valueOf", "@@toPrimitive"]),
            "setTimeout" | "setInterval" | "setImmediate" | "queueMicrotask" | "process#nextTick" => {
                let Some(callback) = call.argument(0) else { return };
                let skipped = if matches!(name, "setTimeout" | "setInterval") { 2 } else { 1 };
                let arguments = call.arguments.iter().skip(skipped).copied().collect();
                self.callback(call, callback, None, arguments, true);
                self.new_object(call, TokenKind::Object);
            }
            "util#inherits" => self.inherits(call),
            "util#deprecate" => {
                if let Some(function) = call.argument(0) {
                    self.graph.add_edge(function, call.result);
                }
            }
            "util#promisify" => {
                if let Some(function) = call.argument(0) {
                    self.bind(call, function, None, Vec::new());
                }
            }
            "events#EventEmitter" => self.construct_native(call),
            _ if call.is_new || name.ends_with("Error") => self.construct_native(call),
            _ => {}
        }
    }

    /// `new` of a built-in, or a subclass that calls its constructor.
    fn construct_native(&mut self, call: &Call) {
        if !call.is_super {
            let object = self.new_object(call, TokenKind::Object);
            let prototype = self.keys.of("prototype");
            let key = Key::PROTO;
            let inherits = self.slot(object, key);
            self.graph.listen(call.callee, Listener::Inherit { key: prototype, to: inherits });
        } else if let Some(this) = call.this {
            self.graph.add_edge(this, call.result);
        }
    }

    fn array_method(&mut self, call: &Call, method: &str) {
        let Some(this) = call.this else { return };
        let first = call.argument(0);
        match method {
            "forEach" | "map" | "filter" | "some" | "every" | "find" | "findIndex" | "findLast" | "findLastIndex"
            | "flatMap" => {
                let Some(callback) = first else { return };
                let element = self.elements(this);
                let arguments = vec![Some(element), None, Some(this)];
                let given = self.callback(call, callback, call.argument(1), arguments, false);
                match method {
                    "map" => drop(self.array_of(call, given)),
                    "filter" => drop(self.array_of(call, element)),
                    "flatMap" => {
                        let array = self.array_of(call, given);
                        let inner = self.elements(given);
                        self.add_content(array, inner);
                    }
                    "find" | "findLast" => self.graph.add_edge(element, call.result),
                    _ => {}
                }
            }
            "reduce" | "reduceRight" => {
                let Some(callback) = first else { return };
                let element = self.elements(this);
                let accumulated = self.node();
                let start = call.argument(1).unwrap_or(element);
                self.graph.add_edge(start, accumulated);
                let arguments = vec![Some(accumulated), Some(element), None, Some(this)];
                let given = self.callback(call, callback, None, arguments, false);
                self.graph.add_edge(given, accumulated);
                self.graph.add_edge(accumulated, call.result);
            }
            "sort" | "toSorted" => {
                let element = self.elements(this);
                if let Some(callback) = first {
                    self.callback(call, callback, None, vec![Some(element), Some(element)], false);
                }
                match method {
                    "sort" => self.graph.add_edge(this, call.result),
                    _ => drop(self.array_of(call, element)),
                }
            }
            "push" | "unshift" => {
                for from in call.all_arguments() {
                    self.graph.listen(this, Listener::StoreUnknown { from });
                }
            }
            "pop" | "shift" | "at" => {
                let element = self.elements(this);
                self.graph.add_edge(element, call.result);
            }
            "slice" | "flat" | "toReversed" | "with" | "concat" | "splice" | "toSpliced" => {
                let element = self.elements(this);
                let array = self.array_of(call, element);
                match method {
                    "concat" => {
                        for argument in call.all_arguments() {
                            let inner = self.elements(argument);
                            self.add_content(array, inner);
                            let slot = self.slot(array, Key::UNKNOWN);
                            self.graph.listen(argument, Listener::NoArrays { to: slot });
                        }
                    }
                    "flat" => {
                        let inner = self.elements(element);
                        self.add_content(array, inner);
                    }
                    "splice" => {
                        for from in call.all_arguments() {
                            self.graph.listen(this, Listener::StoreUnknown { from });
                        }
                    }
                    _ => {}
                }
            }
            "fill" => {
                if let Some(from) = first {
                    self.graph.listen(this, Listener::StoreUnknown { from });
                }
                self.graph.add_edge(this, call.result);
            }
            "reverse" => self.graph.add_edge(this, call.result),
            "values" | "keys" | "entries" => {
                let element = self.elements(this);
                let iterator = self.new_object(call, TokenKind::Iterator);
                match method {
                    "values" => self.add_to_slot(iterator, Key::YIELDED, element),
                    "entries" => self.give_entries(iterator, None, Some(element)),
                    _ => {}
                }
            }
            "join" => {
                let element = self.elements(this);
                self.convert_node(call, element, &["toString"]);
            }
            _ => {}
        }
    }

    fn function_method(&mut self, call: &Call, method: &str) {
        let Some(function) = call.this else { return };
        let later = call.arguments.get(1..).unwrap_or_default().to_vec();
        match method {
            "call" => {
                let spread = call.spread.map(|(from, node)| (from.saturating_sub(1), node));
                self.add_call(Call {
                    callee: function,
                    this: call.argument(0),
                    gives_this: true,
                    arguments: later,
                    spread,
                    texts: [call.texts[1], None],
                    is_new: false,
                    depth: call.depth + 1,
                    ..call.clone()
                });
            }
            "apply" => {
                let (arguments, spread) = self.arguments_in_array(call, call.argument(1));
                self.add_call(Call {
                    callee: function,
                    this: call.argument(0),
                    gives_this: true,
                    arguments,
                    spread,
                    texts: [None; 2],
                    is_new: false,
                    depth: call.depth + 1,
                    ..call.clone()
                });
            }
            "bind" => self.bind(call, function, call.argument(0), later),
            _ => {}
        }
    }

    /// Arguments that come in an array.
    pub fn arguments_in_array(
        &mut self,
        call: &Call,
        array: Option<Node>,
    ) -> (Vec<Option<Node>>, Option<(usize, Node)>) {
        let Some(array) = array else { return (Vec::new(), None) };
        let arguments = (0..POSITIONS).map(|i| {
            let node = self.node();
            let key = self.keys.of(&i.to_string());
            self.load(array, key, node, call.site);
            Some(node)
        });
        let arguments = arguments.collect();
        let rest = self.elements(array);
        (arguments, Some((POSITIONS, rest)))
    }

    pub fn bind(&mut self, call: &Call, function: Node, this: Option<Node>, arguments: Vec<Option<Node>>) {
        let at = self.place(call.site);
        // One for each place: what is bound of what was bound could go on for ever.
        if let Some(&number) = self.bound_at.get(&at) {
            let known = self.bound[number as usize].clone();
            self.graph.add_edge(function, known.callee);
            for (from, to) in this.into_iter().zip(known.this) {
                self.graph.add_edge(from, to);
            }
            for (from, to) in arguments.iter().zip(&known.arguments) {
                if let (Some(from), Some(to)) = (*from, *to) {
                    self.graph.add_edge(from, to);
                }
            }
            let token = self.token(TokenKind::Bound(number), Some((at, call.site.function)));
            return self.graph.add_token(call.result, token);
        }
        let number = self.bound.len() as u32;
        self.bound_at.insert(at, number);
        // Nodes of its own, as more may come to them.
        let [callee, receiver] = std::array::from_fn(|_| self.node());
        self.graph.add_edge(function, callee);
        if let Some(this) = this {
            self.graph.add_edge(this, receiver);
        }
        let arguments: Vec<Option<Node>> = arguments
            .into_iter()
            .map(|from| {
                let to = self.node();
                if let Some(from) = from {
                    self.graph.add_edge(from, to);
                }
                Some(to)
            })
            .collect();
        self.bound.push(Call { callee, this: Some(receiver), arguments, ..call.clone() });
        let place = self.place(call.site);
        let token = self.token(TokenKind::Bound(number), Some((place, call.site.function)));
        self.set_native_prototype(token, "Function.prototype");
        self.graph.add_token(call.result, token);
    }

    fn iterator_method(&mut self, call: &Call, method: &str) {
        let Some(this) = call.this else { return };
        match method {
            "next" | "return" | "throw" => {
                let object = self.new_object(call, TokenKind::Object);
                let value = self.keys.of("value");
                let slot = self.slot(object, value);
                for key in [Key::YIELDED, Key::RETURNED] {
                    self.graph.listen(this, Listener::Own { key, to: slot });
                }
                if let Some(sent) = call.argument(0) {
                    self.store(this, Key::SENT, sent, call.site);
                }
            }
            "map" | "filter" | "forEach" | "toArray" => {
                let element = self.elements(this);
                let given = match call.argument(0) {
                    Some(callback) => self.callback(call, callback, None, vec![Some(element), None], false),
                    None => element,
                };
                let given = if method == "map" { given } else { element };
                let kind = if method == "toArray" { TokenKind::Array } else { TokenKind::Iterator };
                let token = self.new_object(call, kind);
                match method {
                    "toArray" => self.add_content(token, given),
                    _ => self.add_to_slot(token, Key::YIELDED, given),
                }
            }
            _ => {}
        }
    }

    /// What iterating the objects of a node gives.
    pub fn elements(&mut self, of: Node) -> Node {
        let to = self.node();
        self.graph.listen(of, Listener::Iterate { to });
        to
    }

    /// A new object that the call gives.
    pub fn new_object(&mut self, call: &Call, kind: TokenKind) -> Token {
        let token = self.made(kind, call.site);
        self.graph.add_token(call.result, token);
        token
    }

    pub fn array_of(&mut self, call: &Call, element: Node) -> Token {
        let array = self.new_object(call, TokenKind::Array);
        self.add_content(array, element);
        array
    }

    pub fn add_content(&mut self, array: Token, from: Node) {
        self.add_to_slot(array, Key::UNKNOWN, from);
    }

    pub fn add_to_slot(&mut self, token: Token, key: Key, from: Node) {
        let slot = self.slot(token, key);
        self.graph.add_edge(from, slot);
    }

    /// A conversion calls one of these methods, if an object has it.
    fn convert(&mut self, call: &Call, methods: &[&str]) {
        if let Some(object) = call.argument(0) {
            self.convert_node(call, object, methods);
        }
    }

    fn convert_node(&mut self, call: &Call, object: Node, methods: &[&str]) {
        for method in methods {
            let key = self.keys.of(method);
            let callee = self.node();
            let result = self.node();
            let id = self.add_call(Call {
                callee,
                this: Some(object),
                gives_this: false,
                arguments: Vec::new(),
                spread: None,
                texts: [None; 2],
                result,
                is_new: false,
                is_super: false,
                depth: call.depth + 1,
                ..call.clone()
            });
            self.graph.listen(object, Listener::Method { key, call: id });
        }
    }
}
