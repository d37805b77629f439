//! The abstract program: what tokens, property keys, functions and calls are.

use rustc_hash::FxHashMap;
use trace_model::{CodeIndex, FunctionIndex, Span};

use crate::solver::{Node, Token};

/// An index into [`Keys`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key(pub u32);

impl Key {
    /// What was written under a key that is not known, and what the contents of arrays are where no index is known.
    pub const UNKNOWN: Key = Key(0);
    /// Everything that was written under any key of the object itself.
    pub const ALL: Key = Key(1);
    pub const PROTO: Key = Key(2);
    /// What a promise is fulfilled with, and what it is rejected with.
    pub const FULFILLED: Key = Key(3);
    pub const REJECTED: Key = Key(4);
    /// Of maps and sets.
    pub const MAP_KEY: Key = Key(5);
    pub const MAP_VALUE: Key = Key(6);
    /// Of generators and iterators: what they give, what they are sent, what they return.
    pub const YIELDED: Key = Key(7);
    pub const SENT: Key = Key(8);
    pub const RETURNED: Key = Key(9);
    /// Listeners of events whose name is not known, and those of all events.
    pub const ANY_EVENT: Key = Key(10);
    pub const ALL_EVENTS: Key = Key(11);
    const N_SPECIAL: u32 = 12;

    pub fn is_special(self) -> bool {
        self.0 < Key::N_SPECIAL
    }
}

/// The names of properties.
pub struct Keys {
    names: Vec<Box<str>>,
    numbers: FxHashMap<Box<str>, Key>,
    kinds: Vec<KeyKind>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyKind {
    Special,
    Name,
    /// A small whole number.
    Index,
    /// An accessor or the listeners of an event, which are kept like properties.
    Hidden,
}

impl Default for Keys {
    fn default() -> Keys {
        let n = Key::N_SPECIAL as usize;
        Keys { names: vec!["".into(); n], numbers: FxHashMap::default(), kinds: vec![KeyKind::Special; n] }
    }
}

impl Keys {
    pub fn of(&mut self, name: &str) -> Key {
        if name == "__proto__" {
            return Key::PROTO;
        }
        let is_index = name.len() < 5 && !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        self.intern(name, if is_index { KeyKind::Index } else { KeyKind::Name })
    }

    pub fn getter(&mut self, key: Key) -> Key {
        self.hidden("get ", key)
    }

    pub fn setter(&mut self, key: Key) -> Key {
        self.hidden("set ", key)
    }

    pub fn is_getter(&self, key: Key) -> bool {
        self.kind(key) == KeyKind::Hidden && self.name(key).starts_with("\0get ")
    }

    /// The name under which the getter is read.
    pub fn read_by(&mut self, getter: Key) -> Key {
        let name = self.name(getter).trim_start_matches("\0get ").to_owned();
        self.of(&name)
    }

    pub fn event(&mut self, key: Key) -> Key {
        self.hidden("on ", key)
    }

    pub fn name(&self, key: Key) -> &str {
        &self.names[key.0 as usize]
    }

    pub fn kind(&self, key: Key) -> KeyKind {
        self.kinds[key.0 as usize]
    }

    fn hidden(&mut self, prefix: &str, key: Key) -> Key {
        let name = format!("\0{prefix}{}", self.names[key.0 as usize]);
        self.intern(&name, KeyKind::Hidden)
    }

    fn intern(&mut self, name: &str, kind: KeyKind) -> Key {
        if let Some(&key) = self.numbers.get(name) {
            return key;
        }
        let key = Key(self.names.len() as u32);
        self.names.push(name.into());
        self.kinds.push(kind);
        self.numbers.insert(name.into(), key);
        key
    }
}

/// An index into the list of functions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FunctionId(pub u32);

/// An index into the list of calls.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CallId(pub u32);

/// What a token stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TokenKind {
    Function(FunctionId),
    /// The object that a function has as its `prototype` from the start.
    Prototype(FunctionId),
    Object,
    Array,
    Arguments(FunctionId),
    /// Made by `new`, of this function.
    Instance(FunctionId),
    /// `module` and its first `exports` of a CommonJS module; the namespace of an ES module.
    Module(u32),
    Exports(u32),
    Namespace(u32),
    Require(u32),
    Promise,
    /// The function that fulfils, or rejects, a promise.
    Resolver(Token),
    Rejecter(Token),
    Generator,
    Iterator,
    MapOrSet,
    Symbol,
    /// Nothing of the program: where all properties of some objects go through to others.
    Hub(u32),
    /// What iterating a map gives: key and value.
    Entry(Token),
    /// A function that [`Function.prototype.bind`] made: an index into the list of bound calls.
    Bound(u32),
    /// What the engine brings, by its name: `Array.prototype.map`.
    Native(&'static str),
    /// Whatever code that is not analysed gives: its properties are foreign, and so is what it returns.
    Foreign(Foreign),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Foreign {
    Module(Box<str>),
    Global(Box<str>),
    /// What foreign code passes to a function that it was given at a call.
    Argument(SourceRange, u8),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SourceRange {
    pub code: CodeIndex,
    pub span: (u32, u32),
}

impl SourceRange {
    pub fn new(code: CodeIndex, span: Span) -> SourceRange {
        SourceRange { code, span: (span.start, span.end) }
    }

    pub fn span(self) -> Span {
        Span { start: self.span.0, end: self.span.1 }
    }
}

pub struct TokenData {
    pub kind: TokenKind,
    /// Where it is made, and by which function.
    pub birth: Option<(SourceRange, FunctionId)>,
}

pub struct FunctionData {
    pub code: CodeIndex,
    /// Of the constructor that a class has without writing it: none.
    pub index: Option<FunctionIndex>,
    pub span: Span,
    pub is_arrow: bool,
    /// The initialiser of a field, or a static block.
    pub is_class_init: bool,
    pub parameters: Vec<Node>,
    pub rest: Option<(usize, Node)>,
    /// The contents of its `arguments`, if it uses that.
    pub arguments: Option<Token>,
    pub this: Node,
    pub returned: Node,
    pub thrown: Node,
    pub new_target: Node,
    pub token: Token,
    /// What a call gives if it is not what is returned: a promise, a generator.
    pub given: Option<Token>,
}

/// The place of a call, in the function that makes it.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub function: FunctionId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Call {
    pub site: Site,
    pub callee: Node,
    /// What the callee is a property of, or what it is given as `this`.
    pub this: Option<Node>,
    /// Whether `this` is for every callee. Of a method call each receiver is for the methods that were found in it alone.
    pub gives_this: bool,
    pub arguments: Vec<Option<Node>>,
    /// Elements of these arrays are arguments from this position on.
    pub spread: Option<(usize, Node)>,
    /// What the source says about the first two arguments.
    pub texts: [Option<Key>; 2],
    pub result: Node,
    pub thrown: Node,
    pub is_new: bool,
    /// `super(…)`: the object is made already.
    pub is_super: bool,
    pub is_later: bool,
    /// How many built-ins passed it on: `f.call.apply(…)` could go on for ever.
    pub depth: u8,
}
