//! Conditions on values, as people write them: `> 3`, `undefined`, `!== "abc"`, `~ abc`.

use query::{Datum, binary, same};
use trace_model::{Language, Node};

/// What a value must be.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ValueCondition {
    /// The very value.
    Is(Datum),
    Compared {
        operator: &'static str,
        with: Datum,
    },
    /// A string with this in it.
    Contains(String),
}

const OPERATORS: [&str; 8] = ["===", "!==", "==", "!=", "<=", ">=", "<", ">"];

impl ValueCondition {
    pub fn parse(text: &str, language: &dyn Language) -> Result<ValueCondition, String> {
        let text = text.trim();
        if let Some(part) = text.strip_prefix('~') {
            return Ok(ValueCondition::Contains(part.trim().into()));
        }
        let operator = OPERATORS.into_iter().find(|operator| text.starts_with(operator));
        let operand = text[operator.map_or(0, str::len)..].trim();
        let value = literal(operand, language).ok_or_else(|| {
            format!("`{operand}` is not a value to compare with; conditions are written '> 3', undefined, '!== \"abc\"' or '~ abc'")
        })?;
        Ok(match operator {
            Some(operator) => ValueCondition::Compared { operator, with: value },
            None => ValueCondition::Is(value),
        })
    }

    /// What cannot be told does not hold.
    pub fn holds(&self, value: &Datum) -> bool {
        match self {
            ValueCondition::Is(wanted) => same(value, wanted) == Some(true),
            ValueCondition::Compared { operator, with } => binary(operator, value, with) == Some(Datum::Bool(true)),
            ValueCondition::Contains(part) => matches!(value, Datum::String(text) if text.contains(part.as_str())),
        }
    }
}

/// The value that a literal stands for.
fn literal(text: &str, language: &dyn Language) -> Option<Datum> {
    if let Some(number) = text.strip_prefix('#') {
        return Some(Datum::Object(trace_model::ObjectId(number.parse().ok()?)));
    }
    let (expressions, root) = language.parse_expression(text).ok()?;
    match &expressions[root.0 as usize].node {
        Node::Literal(literal) => Some(Datum::literal(literal)),
        Node::Unary { operator, operand } => match &expressions[operand.0 as usize].node {
            Node::Literal(literal) => query::unary(operator, &Datum::literal(literal)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(condition: &str, value: Datum) -> bool {
        ValueCondition::parse(condition, &javascript::JavaScript).unwrap().holds(&value)
    }

    #[test]
    fn conditions() {
        let string = |text: &str| Datum::String(text.into());
        assert!(holds("> 3", Datum::Number(4.0)) && !holds("> 3", Datum::Number(3.0)));
        assert!(holds(">= 3", Datum::Number(3.0)) && holds("< -1", Datum::Number(-2.0)));
        assert!(holds("undefined", Datum::Undefined) && !holds("undefined", Datum::Null));
        assert!(holds("NaN", Datum::Number(f64::NAN)));
        assert!(holds("\"abc\"", string("abc")) && holds("!== 'abc'", string("abd")));
        assert!(holds("~ b", string("abc")) && !holds("~ b", Datum::Number(1.0)));
        assert!(holds("#17", Datum::Object(trace_model::ObjectId(17))));
        assert!(!holds("> 3", Datum::NotCaptured));
    }

    #[test]
    fn what_is_no_condition() {
        assert!(ValueCondition::parse("> x", &javascript::JavaScript).is_err());
        assert!(ValueCondition::parse(">", &javascript::JavaScript).is_err());
    }
}
