use query::text::{number_text, quoted};
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
        let string = |id| thread.string(id);
        let (kind, text) = match value {
            model::Value::Undefined => (ValueType::Undefined, "undefined".into()),
            model::Value::Null => (ValueType::Null, "null".into()),
            model::Value::Bool(truth) => (ValueType::Boolean, truth.to_string()),
            model::Value::Number(number) => (ValueType::Number, number_text(number)),
            model::Value::String(id) => {
                (ValueType::String, string(id).map_or(LOST_STRING.into(), |text| quoted(&text)))
            }
            model::Value::LongString { length: model::REDACTED_TEXT } => (ValueType::String, model::REDACTED.into()),
            model::Value::LongString { length: model::REDACTED_NUMBER } => (ValueType::Number, model::REDACTED.into()),
            model::Value::LongString { length } => (ValueType::String, format!("\"…\" ({length} characters)")),
            model::Value::Symbol(id) => {
                (ValueType::Symbol, format!("Symbol({})", thread.symbol_description(id).unwrap_or_default()))
            }
            model::Value::BigInt(id) => (ValueType::BigInt, format!("{}n", string(id).as_deref().unwrap_or("?"))),
            model::Value::Object(id) | model::Value::NewObject { id, .. } => (ValueType::Object, format!("#{}", id.0)),
            model::Value::Accessor => (ValueType::Accessor, "<accessor>".into()),
            model::Value::NotCaptured => (ValueType::NotCaptured, "<not captured>".into()),
        };
        Value { kind, text, object: value.object().map(|id| id.0) }
    }
}

/// The text of a string lay in a damaged part of the trace.
const LOST_STRING: &str = "<lost string>";
