//! Values that the trace does not hold, because the source does: `x = 5` writes 5 each time.
//!
//! The site names the literal in the words of the source. A string gets a number that says whose literal it is
//! ([`literal_string`]), so that it looks to users like any other recorded string.

use trace_model::{SiteId, StringId, Value};

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Literal {
    /// Any value but a string.
    Plain(Value),
    Text(Box<str>),
}

impl Literal {
    pub fn new(literal: trace_model::Literal) -> Literal {
        Literal::Plain(match literal {
            trace_model::Literal::Undefined => Value::Undefined,
            trace_model::Literal::Null => Value::Null,
            trace_model::Literal::Bool(truth) => Value::Bool(truth),
            trace_model::Literal::Number(number) => Value::Number(number),
            trace_model::Literal::String(text) => return Literal::Text(text.into()),
            // Its digits are not among the recorded strings.
            trace_model::Literal::BigInt(_) => Value::NotCaptured,
        })
    }

    /// As the value of an event of the site.
    #[inline]
    pub fn value(&self, site: SiteId) -> Value {
        match self {
            Literal::Plain(value) => *value,
            Literal::Text(_) => Value::String(StringId(LITERAL | site.0)),
        }
    }
}

/// The site whose literal a string is.
pub(crate) fn literal_string(id: StringId) -> Option<SiteId> {
    (id.0 & LITERAL != 0).then_some(SiteId(id.0 & !LITERAL))
}

/// Recorded strings count up from 1 and do not get this far; sites have 28 bits.
const LITERAL: u32 = 1 << 31;
