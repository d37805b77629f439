use trace_model as model;
use trace_store::Thread;

/// A value as the source would write it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    pub kind: ValueType,
    /// Cut when long.
    pub text: String,
    /// The number of an object.
    pub object: Option<u32>,
    /// What is in order in an object, where it is known how much that is.
    pub elements: Option<Elements>,
}

/// What is in order in an object, and how much it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Elements {
    /// The elements of a list, by their places. They stand before what else it holds.
    List(u64),
    /// The entries of a Map or Set. They stand behind what else it holds.
    Entries(u64),
}

impl Elements {
    pub fn is_empty(self) -> bool {
        matches!(self, Elements::List(0) | Elements::Entries(0))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueType {
    Undefined,
    Null,
    Boolean,
    Number,
    String,
    Symbol,
    BigInt,
    Object,
    Function,
    /// A property with a getter or setter, which the recorder never calls.
    Accessor,
    NotCaptured,
}

impl ValueType {
    pub fn name(self) -> &'static str {
        match self {
            ValueType::Undefined => "undefined",
            ValueType::Null => "null",
            ValueType::Boolean => "boolean",
            ValueType::Number => "number",
            ValueType::String => "string",
            ValueType::Symbol => "symbol",
            ValueType::BigInt => "bigint",
            ValueType::Object => "object",
            ValueType::Function => "function",
            ValueType::Accessor => "accessor",
            ValueType::NotCaptured => "not-captured",
        }
    }
}

impl Value {
    pub(crate) fn new(value: model::Value, thread: &Thread) -> Value {
        let datum = match value {
            // The digits lay in a damaged part of the trace.
            model::Value::BigInt(id) => model::Datum::BigInt(thread.string(id).as_deref().unwrap_or("?").into()),
            value => query::datum(value, thread),
        };
        let is_lost = matches!(value, model::Value::String(_)) && datum == model::Datum::NotCaptured;
        if is_lost {
            return Value { kind: ValueType::String, text: LOST_STRING.into(), object: None, elements: None };
        }
        Value::plain(thread.language(), &datum)
    }

    /// A value as such; of an object its number.
    pub(crate) fn plain(language: model::LanguageRef, datum: &model::Datum) -> Value {
        use model::Datum;
        let kind = match datum {
            Datum::Undefined => ValueType::Undefined,
            Datum::Null => ValueType::Null,
            Datum::Bool(_) => ValueType::Boolean,
            Datum::Number(_) | Datum::Redacted => ValueType::Number,
            Datum::String(_) | Datum::LongString { .. } => ValueType::String,
            Datum::BigInt(_) => ValueType::BigInt,
            Datum::Symbol(..) => ValueType::Symbol,
            Datum::Object(_) | Datum::Made(_) => ValueType::Object,
            Datum::Accessor => ValueType::Accessor,
            Datum::NotCaptured => ValueType::NotCaptured,
        };
        Value { kind, text: language.text(datum), object: datum.object().map(|object| object.0), elements: None }
    }
}

/// The text of a string lay in a damaged part of the trace.
const LOST_STRING: &str = "<lost string>";
