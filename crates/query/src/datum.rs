//! A value that a question works with: one of the trace, with its text at hand, or one that was computed from such.

use std::sync::Arc;

use trace_model::{Literal, ObjectId, SymbolId, Value, utf16_from_string};
use trace_store::Thread;

use crate::text::{number_text, quoted};

#[derive(Clone, Debug)]
pub enum Datum {
    Undefined,
    Null,
    Bool(bool),
    Number(f64),
    String(Arc<str>),
    /// Only the length is known, in UTF-16 units.
    LongString {
        length: u32,
    },
    /// Decimal digits.
    BigInt(Arc<str>),
    Symbol(SymbolId, Option<Arc<str>>),
    Object(ObjectId),
    /// A property with a getter or setter, which is never called.
    Accessor,
    NotCaptured,
}

/// Two are equal if they are the same value, as `Object.is` has it; what is not known equals itself.
impl PartialEq for Datum {
    fn eq(&self, other: &Datum) -> bool {
        match (self, other) {
            (Datum::Number(a), Datum::Number(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Datum::LongString { length: a }, Datum::LongString { length: b }) => a == b,
            (Datum::String(a), Datum::String(b)) | (Datum::BigInt(a), Datum::BigInt(b)) => a == b,
            (Datum::Symbol(a, _), Datum::Symbol(b, _)) => a == b,
            (Datum::Object(a), Datum::Object(b)) => a == b,
            (Datum::Bool(a), Datum::Bool(b)) => a == b,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other) && self.is_alone_in_its_kind(),
        }
    }
}

impl Datum {
    fn is_alone_in_its_kind(&self) -> bool {
        matches!(self, Datum::Undefined | Datum::Null | Datum::Accessor | Datum::NotCaptured)
    }

    pub fn new(value: Value, thread: &Thread) -> Datum {
        let string = |id| thread.string(id).map(|text| Arc::from(&*text));
        match value {
            Value::Undefined => Datum::Undefined,
            Value::Null => Datum::Null,
            Value::Bool(truth) => Datum::Bool(truth),
            Value::Number(number) => Datum::Number(number),
            Value::String(id) => string(id).map_or(Datum::NotCaptured, Datum::String),
            Value::LongString { length } => Datum::LongString { length },
            Value::Symbol(id) => Datum::Symbol(id, thread.symbol_description(id).map(|text| Arc::from(&*text))),
            Value::BigInt(id) => string(id).map_or(Datum::NotCaptured, Datum::BigInt),
            Value::Object(id) | Value::NewObject { id, .. } => Datum::Object(id),
            Value::Accessor => Datum::Accessor,
            Value::NotCaptured => Datum::NotCaptured,
        }
    }

    pub fn literal(literal: &Literal) -> Datum {
        match literal {
            Literal::Undefined => Datum::Undefined,
            Literal::Null => Datum::Null,
            Literal::Bool(truth) => Datum::Bool(*truth),
            Literal::Number(number) => Datum::Number(*number),
            Literal::String(text) => Datum::String(text.as_str().into()),
            Literal::BigInt(digits) => Datum::BigInt(digits.as_str().into()),
        }
    }

    pub fn object(&self) -> Option<ObjectId> {
        match self {
            Datum::Object(id) => Some(*id),
            _ => None,
        }
    }

    /// As a key of a Map or an element of a Set: −0 is none of its own.
    pub(crate) fn into_entry_key(self) -> Datum {
        match self {
            // −0 + 0 is 0; every other number stays.
            Datum::Number(number) => Datum::Number(number + 0.0),
            key => key,
        }
    }

    pub fn is_nullish(&self) -> bool {
        matches!(self, Datum::Undefined | Datum::Null)
    }

    /// Undefined, null or NaN: what a person would not have wanted.
    pub fn is_bad(&self) -> bool {
        match self {
            Datum::Undefined | Datum::Null => true,
            Datum::Number(number) => number.is_nan(),
            _ => false,
        }
    }

    /// `None` where it cannot be told.
    pub fn truth(&self) -> Option<bool> {
        Some(match self {
            Datum::Undefined | Datum::Null => false,
            Datum::Bool(truth) => *truth,
            Datum::Number(number) => !(*number == 0.0 || number.is_nan()),
            Datum::String(text) => !text.is_empty(),
            Datum::LongString { length } => *length > 0,
            Datum::BigInt(digits) => &**digits != "0",
            Datum::Symbol(..) | Datum::Object(_) => true,
            Datum::Accessor | Datum::NotCaptured => return None,
        })
    }

    /// As the source would write it.
    pub fn text(&self) -> String {
        match self {
            Datum::Undefined => "undefined".into(),
            Datum::Null => "null".into(),
            Datum::Bool(truth) => truth.to_string(),
            Datum::Number(number) => number_text(*number),
            Datum::String(text) => quoted(text),
            Datum::LongString { length } => format!("\"…\" ({length} characters)"),
            Datum::BigInt(digits) => format!("{digits}n"),
            Datum::Symbol(_, description) => format!("Symbol({})", description.as_deref().unwrap_or_default()),
            Datum::Object(id) => format!("#{}", id.0),
            Datum::Accessor => "<accessor>".into(),
            Datum::NotCaptured => "<not captured>".into(),
        }
    }

    /// As `typeof` calls it; objects that are functions are told apart by who knows them.
    pub fn kind(&self) -> &'static str {
        match self {
            Datum::Undefined => "undefined",
            Datum::Null => "null",
            Datum::Bool(_) => "boolean",
            Datum::Number(_) => "number",
            Datum::String(_) | Datum::LongString { .. } => "string",
            Datum::BigInt(_) => "bigint",
            Datum::Symbol(..) => "symbol",
            Datum::Object(_) => "object",
            Datum::Accessor => "accessor",
            Datum::NotCaptured => "not-captured",
        }
    }
}

/// Whether two are the same value, as far as `Object.is` goes. `None` where it cannot be told.
pub fn same(a: &Datum, b: &Datum) -> Option<bool> {
    Some(match (a, b) {
        (Datum::NotCaptured | Datum::Accessor, _) | (_, Datum::NotCaptured | Datum::Accessor) => return None,
        (Datum::LongString { length: a }, Datum::LongString { length: b }) => {
            if a != b {
                return Some(false);
            }
            return None;
        }
        (Datum::LongString { length }, Datum::String(text)) | (Datum::String(text), Datum::LongString { length }) => {
            if utf16_from_string(text).len() != *length as usize {
                return Some(false);
            }
            return None;
        }
        (a, b) => a == b,
    })
}
