use crate::contract::numbered;
use crate::{ObjectId, StringId, SymbolId};

/// A value as the trace holds it. Text is kept apart ([`StringId`]), so that a value is small and can be copied.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    Undefined,
    Null,
    Bool(bool),
    Number(f64),
    String(StringId),
    /// A string that was too costly to copy; only its length in UTF-16 units is known.
    LongString {
        length: u32,
    },
    Symbol(SymbolId),
    /// The decimal digits are a recorded string.
    BigInt(StringId),
    Object(ObjectId),
    /// An object first seen while it is constructed. `prototype` is `None` for null, or where asking would run user code.
    NewObject {
        id: ObjectId,
        prototype: Option<ObjectId>,
    },
    /// A property with a getter or setter. The recorder never calls it.
    Accessor,
    NotCaptured,
}

impl Value {
    pub fn object(self) -> Option<ObjectId> {
        match self {
            Value::Object(id) | Value::NewObject { id, .. } => Some(id),
            _ => None,
        }
    }
}

numbered! {
    /// What an object is, as far as it can be told without running user code.
    pub enum ObjectClass {
        Plain: "plain object",
        Array: "array",
        Function: "function",
        Instance: "class instance or other object",
        Map: "Map",
        Set: "Set",
        Date: "Date",
        RegExp: "RegExp",
        Error: "Error",
        Promise: "Promise",
        Proxy: "Proxy",
        Binary: "typed array or ArrayBuffer",
        Boxed: "boxed primitive",
        Arguments: "arguments",
        Weak: "WeakMap/WeakSet/WeakRef",
        Namespace: "module namespace",
    }
}

impl ObjectClass {
    /// Whether it holds entries beside its properties: keys and values, or elements.
    pub fn has_entries(self) -> bool {
        matches!(self, ObjectClass::Map | ObjectClass::Set | ObjectClass::Weak)
    }
}
