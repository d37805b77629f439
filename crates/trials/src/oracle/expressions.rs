//! What an expression was, by the oracle: from the literals, variables and properties that it reads and a few operators. `None`: not to
//! be told from these.

use query::{Code, Datum, Place};
use trace_model::{EventId, ExprId, FrameId, Key, LogicalOperator, Node, Owner, Span, VariableRef};
use trace_store::{PropertyKey, VariablePlace};

use super::happenings::Happenings;
use super::values::{property_key, same};

/// An expression is read in a frame before an event.
pub struct Reader<'r, 'm> {
    pub happenings: &'r Happenings<'m>,
    pub code: &'r Code<'m>,
    pub frame: FrameId,
    pub before: EventId,
    /// What is evaluated as a whole: what was written inside of it may have been written before or behind a read.
    pub whole: Span,
}

impl Reader<'_, '_> {
    pub fn value(&self, id: ExprId) -> Option<Datum> {
        match &self.code.expression(id).node {
            Node::Literal(literal) => Some(Datum::literal(literal)),
            Node::Variable(VariableRef::Global(name)) if name == "undefined" => Some(Datum::Undefined),
            Node::Variable(VariableRef::Global(name)) if name == "NaN" => Some(Datum::Number(f64::NAN)),
            Node::Variable(VariableRef::Known(variable)) => {
                let declared = self.code.unit.code().ok()?.sites.variable(*variable);
                let (model, unit) = (self.happenings.model, self.code.base());
                let owner = match declared.owner {
                    Owner::Global => None,
                    owner => Some(model.frames.owner(model.thread, self.frame, self.before, unit, owner)?),
                };
                let place = VariablePlace { unit, variable: *variable, owner };
                let entry = model.variable(&place, self.before)?;
                if self.is_written_inside(entry.event) {
                    return None;
                }
                entry.new.clone().filter(|value| !matches!(value, Datum::NotCaptured))
            }
            Node::Member { object, key, .. } => self.member(*object, key),
            Node::Unary { operator, operand } => unary(operator, &self.value(*operand)?),
            Node::Binary { operator, left, right } => binary(operator, &self.value(*left)?, &self.value(*right)?),
            Node::Logical { operator, left, right, .. } => {
                let left = self.value(*left)?;
                let is_left = match *operator {
                    LogicalOperator::And => !truth(&left)?,
                    LogicalOperator::Or => truth(&left)?,
                    _ => !matches!(left, Datum::Undefined | Datum::Null),
                };
                if is_left { Some(left) } else { self.value(*right) }
            }
            Node::Conditional { test, then, otherwise, .. } => {
                self.value(if truth(&self.value(*test)?)? { *then } else { *otherwise })
            }
            _ => None,
        }
    }

    fn member(&self, object: ExprId, key: &Key) -> Option<Datum> {
        let Datum::Object(object) = self.value(object)? else { return None };
        let key = match key {
            Key::Name(name) => PropertyKey::Name(name.clone()),
            Key::Computed(key) => property_key(&self.value(*key)?)?,
        };
        let answer = self.happenings.model.last_change(&Place::Property { object, key }, self.before);
        match (answer.kind, answer.change) {
            // What a built-in prototype has is not known.
            ("never-written" | "not-captured", _) | (_, None) => None,
            (_, Some(change)) if self.is_written_inside(change.event) => None,
            (_, Some(change)) => change.new.filter(|value| !matches!(value, Datum::Accessor | Datum::NotCaptured)),
        }
    }

    fn is_written_inside(&self, event: EventId) -> bool {
        let site = self.happenings.site(event);
        site.is_some_and(|site| {
            let span = site.site.span;
            site.unit.record.base == self.code.base() && self.whole.start <= span.start && span.end <= self.whole.end
        })
    }
}

fn truth(value: &Datum) -> Option<bool> {
    Some(match value {
        Datum::Undefined | Datum::Null => false,
        Datum::Bool(truth) => *truth,
        Datum::Number(number) => *number != 0.0 && !number.is_nan(),
        Datum::String(text) => !text.is_empty(),
        Datum::BigInt(digits) => **digits != *"0",
        Datum::LongString { .. } | Datum::Symbol(..) | Datum::Object(_) => true,
        _ => return None,
    })
}

fn unary(operator: &str, operand: &Datum) -> Option<Datum> {
    match (operator, operand) {
        ("!", value) => Some(Datum::Bool(!truth(value)?)),
        ("-", Datum::Number(number)) => Some(Datum::Number(-number)),
        _ => None,
    }
}

fn binary(operator: &str, left: &Datum, right: &Datum) -> Option<Datum> {
    if let (Datum::Number(a), Datum::Number(b)) = (left, right) {
        return Some(match operator {
            "<" => Datum::Bool(a < b),
            ">" => Datum::Bool(a > b),
            "<=" => Datum::Bool(a <= b),
            ">=" => Datum::Bool(a >= b),
            "===" => Datum::Bool(a == b),
            "!==" => Datum::Bool(a != b),
            "+" => Datum::Number(a + b),
            "-" => Datum::Number(a - b),
            "*" => Datum::Number(a * b),
            "%" => Datum::Number(a % b),
            _ => return None,
        });
    }
    let is_number = matches!(left, Datum::Number(_)) || matches!(right, Datum::Number(_));
    match operator {
        "===" if !is_number => Some(Datum::Bool(same(left, right))),
        "!==" if !is_number => Some(Datum::Bool(!same(left, right))),
        "===" => Some(Datum::Bool(false)),
        "!==" => Some(Datum::Bool(true)),
        _ => None,
    }
}
