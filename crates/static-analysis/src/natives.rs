//! What the engine and Node bring: as objects with properties, and as functions that call back, keep and give.

mod calls;
mod events;
mod objects;
mod promises;

use crate::analysis::Analysis;
use crate::model::{Foreign, Key, TokenKind};
use crate::solver::Token;

/// Everything that has a meaning here, by the path from the global object.
const NATIVES: &[&str] = &[
    "Array",
    "Array.from",
    "Array.of",
    "Array.prototype",
    "Array.prototype.at",
    "Array.prototype.concat",
    "Array.prototype.entries",
    "Array.prototype.every",
    "Array.prototype.fill",
    "Array.prototype.filter",
    "Array.prototype.find",
    "Array.prototype.findIndex",
    "Array.prototype.findLast",
    "Array.prototype.findLastIndex",
    "Array.prototype.flat",
    "Array.prototype.flatMap",
    "Array.prototype.forEach",
    "Array.prototype.join",
    "Array.prototype.keys",
    "Array.prototype.map",
    "Array.prototype.pop",
    "Array.prototype.push",
    "Array.prototype.reduce",
    "Array.prototype.reduceRight",
    "Array.prototype.reverse",
    "Array.prototype.shift",
    "Array.prototype.slice",
    "Array.prototype.some",
    "Array.prototype.sort",
    "Array.prototype.splice",
    "Array.prototype.toReversed",
    "Array.prototype.toSorted",
    "Array.prototype.toSpliced",
    "Array.prototype.unshift",
    "Array.prototype.values",
    "Array.prototype.indexOf",
    "Array.prototype.includes",
    "Array.prototype.with",
    "Array.isArray",
    "Function",
    "Function.prototype",
    "Function.prototype.apply",
    "Function.prototype.bind",
    "Function.prototype.call",
    "Function.prototype.toString",
    "Object",
    "Object.assign",
    "Object.create",
    "Object.defineProperties",
    "Object.defineProperty",
    "Object.entries",
    "Object.freeze",
    "Object.fromEntries",
    "Object.getOwnPropertyDescriptor",
    "Object.getOwnPropertyNames",
    "Object.getPrototypeOf",
    "Object.keys",
    "Object.preventExtensions",
    "Object.prototype",
    "Object.prototype.hasOwnProperty",
    "Object.prototype.toString",
    "Object.prototype.isPrototypeOf",
    "Object.prototype.propertyIsEnumerable",
    "Object.prototype.valueOf",
    "Object.prototype.__defineGetter__",
    "Object.prototype.__defineSetter__",
    "Object.seal",
    "Object.setPrototypeOf",
    "Object.values",
    "Object.is",
    "Object.groupBy",
    "Promise",
    "Promise.all",
    "Promise.allSettled",
    "Promise.any",
    "Promise.prototype",
    "Promise.prototype.catch",
    "Promise.prototype.finally",
    "Promise.prototype.then",
    "Promise.race",
    "Promise.reject",
    "Promise.resolve",
    "Promise.withResolvers",
    "Map",
    "Map.prototype",
    "Map.prototype.delete",
    "Map.prototype.entries",
    "Map.prototype.forEach",
    "Map.prototype.get",
    "Map.prototype.has",
    "Map.prototype.keys",
    "Map.prototype.set",
    "Map.prototype.values",
    "Map.prototype.clear",
    "Set",
    "Set.prototype",
    "Set.prototype.add",
    "Set.prototype.delete",
    "Set.prototype.entries",
    "Set.prototype.forEach",
    "Set.prototype.has",
    "Set.prototype.keys",
    "Set.prototype.values",
    "Set.prototype.clear",
    "WeakMap",
    "WeakMap.prototype",
    "WeakSet",
    "WeakSet.prototype",
    "WeakRef",
    "WeakRef.prototype",
    "WeakRef.prototype.deref",
    "Iterator",
    "Iterator.prototype",
    "Iterator.prototype.next",
    "Iterator.prototype.return",
    "Iterator.prototype.throw",
    "Iterator.prototype.map",
    "Iterator.prototype.filter",
    "Iterator.prototype.forEach",
    "Iterator.prototype.toArray",
    "Symbol",
    "Symbol.asyncIterator",
    "Symbol.for",
    "Symbol.hasInstance",
    "Symbol.iterator",
    "Symbol.species",
    "Symbol.toPrimitive",
    "Symbol.toStringTag",
    "Reflect",
    "Reflect.apply",
    "Reflect.construct",
    "Reflect.defineProperty",
    "Reflect.get",
    "Reflect.getPrototypeOf",
    "Reflect.set",
    "Reflect.setPrototypeOf",
    "Reflect.ownKeys",
    "Reflect.has",
    "JSON",
    "JSON.parse",
    "JSON.stringify",
    "Proxy",
    "String",
    "Number",
    "Boolean",
    "Math",
    "Date",
    "RegExp",
    "Date.prototype",
    "RegExp.prototype",
    "String.prototype",
    "Number.prototype",
    "Boolean.prototype",
    "Error.prototype",
    "Error",
    "TypeError",
    "RangeError",
    "SyntaxError",
    "ReferenceError",
    "EvalError",
    "URIError",
    "AggregateError",
    "Error.captureStackTrace",
    "setTimeout",
    "setInterval",
    "setImmediate",
    "queueMicrotask",
    "clearTimeout",
    "clearInterval",
    "clearImmediate",
    "parseInt",
    "parseFloat",
    "isNaN",
    "isFinite",
    "encodeURIComponent",
    "decodeURIComponent",
    "eval",
];

/// Of modules of Node, by their name.
const OF_MODULES: &[&str] = &[
    "events#EventEmitter",
    "events#EventEmitter.prototype",
    "events#EventEmitter.prototype.addListener",
    "events#EventEmitter.prototype.emit",
    "events#EventEmitter.prototype.listeners",
    "events#EventEmitter.prototype.off",
    "events#EventEmitter.prototype.on",
    "events#EventEmitter.prototype.once",
    "events#EventEmitter.prototype.prependListener",
    "events#EventEmitter.prototype.prependOnceListener",
    "events#EventEmitter.prototype.removeAllListeners",
    "events#EventEmitter.prototype.removeListener",
    "events#EventEmitter.prototype.setMaxListeners",
    "events#EventEmitter.prototype.listenerCount",
    "util#inherits",
    "util#deprecate",
    "util#promisify",
    "process#nextTick",
];

/// Methods that foreign objects have from being emitters.
const OF_EMITTERS: [&str; 4] = ["on", "once", "addListener", "prependListener"];

impl Analysis {
    pub fn add_natives(&mut self) {
        let function_prototype = self.token(TokenKind::Native("Function.prototype"), None);
        for path in NATIVES {
            let token = self.native(path);
            let (holder, name) = match path.rsplit_once('.') {
                Some((holder, name)) => (self.native_named(holder), name),
                None => (self.global, *path),
            };
            self.add_native_property(holder, name, token);
            if !path.ends_with("prototype") {
                let inherits = self.slot(token, Key::PROTO);
                self.graph.add_token(inherits, function_prototype);
            }
        }
        let global = self.global;
        for name in ["globalThis", "global", "window", "self"] {
            self.add_native_property(global, name, global);
        }
        for (from, to) in [("WeakMap.prototype", "Map.prototype"), ("WeakSet.prototype", "Set.prototype")] {
            let (from, to) = (self.native_named(from), self.native_named(to));
            let inherits = self.slot(from, Key::PROTO);
            self.graph.add_token(inherits, to);
        }
        for path in OF_MODULES {
            let Some((module, rest)) = path.split_once('#') else { continue };
            let token = self.native(path);
            let (holder, name) = match rest.rsplit_once('.') {
                Some((holder, name)) => (self.native_named(&format!("{module}#{holder}")), name),
                None if module == "process" => (self.global_object("process"), rest),
                None => (self.builtin_module(module), rest),
            };
            self.add_native_property(holder, name, token);
            let inherits = self.slot(token, Key::PROTO);
            if !path.ends_with("prototype") {
                self.graph.add_token(inherits, function_prototype);
            }
        }
        let emitter = self.native("events#EventEmitter");
        self.add_native_property(emitter, "EventEmitter", emitter);
    }

    fn add_native_property(&mut self, holder: Token, name: &str, token: Token) {
        let key = self.keys.of(name);
        let slot = self.slot(holder, key);
        self.graph.add_token(slot, token);
    }

    fn native_named(&mut self, name: &str) -> Token {
        let known = NATIVES.iter().chain(OF_MODULES).find(|known| **known == name);
        match known {
            Some(known) => self.native(known),
            None => self.foreign(Foreign::Global(name.into())),
        }
    }

    /// A global object of which only some properties are known.
    pub fn global_object(&mut self, name: &str) -> Token {
        let token = self.foreign(Foreign::Global(name.into()));
        let global = self.global;
        self.add_native_property(global, name, token);
        token
    }

    /// What `require` gives for a module of Node.
    pub fn builtin_module(&mut self, name: &str) -> Token {
        match name.strip_prefix("node:").unwrap_or(name) {
            "events" => self.native("events#EventEmitter"),
            "process" => self.foreign(Foreign::Global("process".into())),
            name => self.foreign(Foreign::Module(name.into())),
        }
    }

    /// What a property of a foreign object is, as far as nobody wrote it.
    pub fn foreign_property(&mut self, token: Token, key: Key) -> Option<Token> {
        if key.is_special() || self.keys.kind(key) == crate::model::KeyKind::Hidden {
            return None;
        }
        let name = self.keys.name(key);
        let known = match self.kind(token) {
            TokenKind::Foreign(Foreign::Module(module)) => format!("{module}#{name}"),
            TokenKind::Foreign(Foreign::Global(global)) if &**global == "process" => format!("process#{name}"),
            _ => String::new(),
        };
        if OF_MODULES.contains(&&*known) {
            return None;
        }
        if OF_EMITTERS.contains(&name) {
            return Some(self.native("Foreign.on"));
        }
        if name == "emit" {
            return Some(self.native("events#EventEmitter.prototype.emit"));
        }
        (name != "prototype" || matches!(self.kind(token), TokenKind::Foreign(_))).then_some(token)
    }
}
