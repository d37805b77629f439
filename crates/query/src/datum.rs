//! A value that a question works with: one of the trace, with its text at hand, or one that was computed from such.

use std::sync::Arc;

use trace_model::{
    Literal, ObjectId, REDACTED, REDACTED_NUMBER, REDACTED_TEXT, SymbolId, Value, is_redacted, redaction_mark,
    utf16_from_string,
};
use trace_store::Thread;

use crate::text::{is_name, number_text, quoted};

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

/// An array or object of an expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Made {
    Array(Vec<Datum>),
    Object(Vec<(String, Datum)>),
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
            (Datum::Made(a), Datum::Made(b)) => Arc::ptr_eq(a, b),
            _ => std::mem::discriminant(self) == std::mem::discriminant(other) && self.is_alone_in_its_kind(),
        }
    }
}

impl Datum {
    fn is_alone_in_its_kind(&self) -> bool {
        matches!(self, Datum::Undefined | Datum::Null | Datum::Accessor | Datum::Redacted | Datum::NotCaptured)
    }

    pub fn new(value: Value, thread: &Thread) -> Datum {
        let string = |id| thread.string(id).map(|text| Arc::from(&*text));
        match value {
            Value::Undefined => Datum::Undefined,
            Value::Null => Datum::Null,
            Value::Bool(truth) => Datum::Bool(truth),
            Value::Number(number) => Datum::Number(number),
            Value::String(id) => string(id).map_or(Datum::NotCaptured, Datum::String),
            Value::LongString { length: REDACTED_TEXT } => Datum::String(redaction_mark(0, 0).into()),
            Value::LongString { length: REDACTED_NUMBER } => Datum::Redacted,
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

    /// What kind of value it is, in a word.
    pub fn type_name(&self) -> &'static str {
        match self {
            Datum::Undefined => "undefined",
            Datum::Null => "null",
            Datum::Bool(_) => "boolean",
            Datum::Number(_) | Datum::Redacted => "number",
            Datum::String(_) | Datum::LongString { .. } => "string",
            Datum::BigInt(_) => "bigint",
            Datum::Symbol(..) => "symbol",
            Datum::Object(_) | Datum::Made(_) => "object",
            Datum::Accessor | Datum::NotCaptured => "unknown",
        }
    }

    pub fn is_nullish(&self) -> bool {
        matches!(self, Datum::Undefined | Datum::Null)
    }

    /// Whether it is known which value it is, and not only what kind of one.
    pub(crate) fn is_known(&self) -> bool {
        match self {
            Datum::NotCaptured | Datum::Accessor | Datum::Redacted | Datum::LongString { .. } => false,
            Datum::String(text) | Datum::BigInt(text) => !is_redacted(text),
            _ => true,
        }
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
            Datum::Symbol(..) | Datum::Object(_) | Datum::Made(_) => true,
            Datum::Accessor | Datum::Redacted | Datum::NotCaptured => return None,
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
            Datum::Redacted => REDACTED.into(),
            Datum::Made(made) => made.text(&Datum::text),
            Datum::NotCaptured => "<not captured>".into(),
        }
    }

    /// As `typeof` calls it; objects that are functions are told apart by who knows them.
    pub fn kind(&self) -> &'static str {
        match self {
            Datum::Undefined => "undefined",
            Datum::Null => "null",
            Datum::Bool(_) => "boolean",
            Datum::Number(_) | Datum::Redacted => "number",
            Datum::String(_) | Datum::LongString { .. } => "string",
            Datum::BigInt(_) => "bigint",
            Datum::Symbol(..) => "symbol",
            Datum::Object(_) | Datum::Made(_) => "object",
            Datum::Accessor => "accessor",
            Datum::NotCaptured => "not-captured",
        }
    }
}

impl Made {
    /// With the texts that its parts have.
    pub fn text(&self, of: &dyn Fn(&Datum) -> String) -> String {
        match self {
            Made::Array(elements) => format!("[{}]", elements.iter().map(of).collect::<Vec<_>>().join(", ")),
            Made::Object(entries) => {
                let key = |key: &String| if is_name(key) { key.clone() } else { quoted(key) };
                let entry = |(name, value): &(String, Datum)| format!("{}: {}", key(name), of(value));
                format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// Whether two are the same value, as far as `Object.is` goes. `None` where it cannot be told.
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
