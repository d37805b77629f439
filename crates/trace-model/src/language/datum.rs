//! A value that a question works with: one of the trace, with its text at hand, or one that was computed from such.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::{Literal, ObjectId, SymbolId, is_redacted, utf16_from_string};

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
    /// A number that was taken out of the recording. Of a text that was taken out, a mark is left in the text.
    Redacted,
    /// What a person typed: it is no object of the program.
    Made(Arc<Made>),
    NotCaptured,
}

/// What kind of value something is, known or not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DatumKind {
    Undefined,
    Null,
    Bool,
    Number,
    String,
    BigInt,
    Symbol,
    Object,
    /// Not even that is known.
    Unknown,
}

/// A list or record of an expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Made {
    Array(Vec<Datum>),
    Object(Vec<(String, Datum)>),
}

/// Two are equal if they are the same value: every NaN is, −0 and 0 are not. What is not known equals itself.
impl PartialEq for Datum {
    fn eq(&self, other: &Datum) -> bool {
        match (self, other) {
            (Datum::Number(a), Datum::Number(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Datum::LongString { length: a }, Datum::LongString { length: b }) => a == b,
            (Datum::String(a), Datum::String(b)) | (Datum::BigInt(a), Datum::BigInt(b)) => a == b,
            (Datum::Symbol(a, _), Datum::Symbol(b, _)) => a == b,
            (Datum::Object(a), Datum::Object(b)) => a == b,
            (Datum::Bool(a), Datum::Bool(b)) => a == b,
            (Datum::Made(a), Datum::Made(b)) => Arc::ptr_eq(a, b),
            _ => std::mem::discriminant(self) == std::mem::discriminant(other) && self.is_alone_in_its_kind(),
        }
    }
}

impl Eq for Datum {}

impl Hash for Datum {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Datum::Number(number) if number.is_nan() => {}
            Datum::Number(number) => number.to_bits().hash(state),
            Datum::LongString { length } => length.hash(state),
            Datum::String(text) | Datum::BigInt(text) => text.hash(state),
            Datum::Symbol(symbol, _) => symbol.hash(state),
            Datum::Object(object) => object.hash(state),
            Datum::Bool(is_true) => is_true.hash(state),
            Datum::Made(made) => Arc::as_ptr(made).hash(state),
            Datum::Undefined | Datum::Null | Datum::Accessor | Datum::Redacted | Datum::NotCaptured => {}
        }
    }
}

impl Datum {
    fn is_alone_in_its_kind(&self) -> bool {
        matches!(self, Datum::Undefined | Datum::Null | Datum::Accessor | Datum::Redacted | Datum::NotCaptured)
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

    pub fn kind(&self) -> DatumKind {
        match self {
            Datum::Undefined => DatumKind::Undefined,
            Datum::Null => DatumKind::Null,
            Datum::Bool(_) => DatumKind::Bool,
            Datum::Number(_) | Datum::Redacted => DatumKind::Number,
            Datum::String(_) | Datum::LongString { .. } => DatumKind::String,
            Datum::BigInt(_) => DatumKind::BigInt,
            Datum::Symbol(..) => DatumKind::Symbol,
            Datum::Object(_) | Datum::Made(_) => DatumKind::Object,
            Datum::Accessor | Datum::NotCaptured => DatumKind::Unknown,
        }
    }

    /// As a key among entries: −0 is none of its own.
    pub fn into_entry_key(self) -> Datum {
        match self {
            // −0 + 0 is 0; every other number stays.
            Datum::Number(number) => Datum::Number(number + 0.0),
            key => key,
        }
    }

    /// Whether it stands for nothing.
    pub fn is_nullish(&self) -> bool {
        matches!(self, Datum::Undefined | Datum::Null)
    }

    /// Whether it is known which value it is, and not only what kind of one.
    pub fn is_known(&self) -> bool {
        match self {
            Datum::NotCaptured | Datum::Accessor | Datum::Redacted | Datum::LongString { .. } => false,
            Datum::String(text) | Datum::BigInt(text) => !is_redacted(text),
            _ => true,
        }
    }

    /// Nothing, or not a number: what a person would not have wanted.
    pub fn is_bad(&self) -> bool {
        match self {
            Datum::Undefined | Datum::Null => true,
            Datum::Number(number) => number.is_nan(),
            _ => false,
        }
    }
}

/// Whether two are the same value. `None` where it cannot be told.
pub fn same(a: &Datum, b: &Datum) -> Option<bool> {
    Some(match (a, b) {
        (Datum::NotCaptured | Datum::Accessor | Datum::Redacted, _)
        | (_, Datum::NotCaptured | Datum::Accessor | Datum::Redacted) => return None,
        // Which text it was is not known; that it was one is.
        (Datum::String(a), Datum::String(b)) if is_redacted(a) || is_redacted(b) => return None,
        (Datum::LongString { .. }, Datum::String(text)) | (Datum::String(text), Datum::LongString { .. })
            if is_redacted(text) =>
        {
            return None;
        }
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
