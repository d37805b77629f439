//! What the source itself says of a call: types that it declares, assertions about what it returns.
//!
//! A claim answers a question only where nothing else could be to blame. Whoever got something wrong may return something wrong and
//! be right, so a verdict needs inputs that are beyond doubt: primitive values of their declared types, or what an assertion
//! writes down itself; no receiver, and no variables of others. Every other claim is told to the person, and decides nothing.

use trace_model::{Asserts, Call, DeclaredTypes, EventId, ExprId, Node as ExprNode, Primitive, SiteId, SiteKind};
use trace_store::Target;

use super::{CallEffects, CallEnd, Node, Seen, Tree, Verdict};
use crate::{Code, Datum, FrameOutcome, Trace};

/// What is said, and whether the call keeps to it.
#[derive(Clone, Debug)]
pub struct Claim {
    pub source: ClaimSource,
    pub text: String,
    pub is_kept: bool,
    /// What follows for certain.
    pub verdict: Option<Verdict>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClaimSource {
    Type,
    Assertion,
}

/// All claims about a call that are broken, and those that are kept and say something.
pub fn claims(trace: &Trace, call: &CallEffects, seen: &Seen) -> Vec<Claim> {
    let mut claims = Vec::new();
    if let Some(declared) = declared(trace, call.frame.unit, call.frame.function, seen) {
        types(call, &declared, &mut claims);
    }
    claims.extend(asserted(trace, call));
    claims
}

/// Calls that returned something else than they declare, of so many that are looked at.
pub fn broken_returns(trace: &Trace, tree: &Tree, seen: &Seen, n_calls: usize) -> Vec<Node> {
    let returns: Vec<Option<Primitive>> = tree
        .functions()
        .iter()
        .map(|called| declared(trace, called.unit, called.function, seen).and_then(|declared| declared.returns))
        .collect();
    if returns.iter().all(Option::is_none) {
        return Vec::new();
    }
    let declaring = tree.nodes().filter_map(|node| Some((node, returns[tree.function(node).0 as usize]?)));
    let breaks = |(node, returns): (Node, Primitive)| {
        let frame = trace.frame(tree.frame(node)?)?;
        matches!(trace.outcome(&frame), FrameOutcome::Returned(value) if breaks(&value, returns)).then_some(node)
    };
    declaring.take(n_calls).filter_map(breaks).collect()
}

fn declared(trace: &Trace, unit: SiteId, function: trace_model::FunctionIndex, seen: &Seen) -> Option<DeclaredTypes> {
    let code = trace.thread.code().unit(unit)?.code().ok()?;
    let span = code.sites.functions.get(function.0 as usize)?.span;
    let of_unit = seen.declared(trace, unit);
    of_unit.iter().find(|declared| declared.function == span).cloned()
}

fn types(call: &CallEffects, declared: &DeclaredTypes, claims: &mut Vec<Claim>) {
    let mut is_beyond_doubt = is_alone(call) && declared.parameters.len() == call.arguments.len();
    for (number, argument) in call.arguments.iter().enumerate() {
        let primitive = declared.parameters.get(number).and_then(|(_, declared)| *declared);
        is_beyond_doubt &= primitive.is_some_and(|primitive| kind_of(&argument.entry) == Some(primitive));
        if let Some(primitive) = primitive.filter(|primitive| breaks(&argument.entry, *primitive)) {
            claims.push(Claim {
                source: ClaimSource::Type,
                text: format!(
                    "{} is declared {}, and it was given {}",
                    argument.name,
                    primitive.name(),
                    argument.entry.text()
                ),
                is_kept: false,
                verdict: None,
            });
        }
    }
    if let (Some(returns), CallEnd::Returned(value)) = (declared.returns, &call.end)
        && breaks(value, returns)
    {
        claims.push(Claim {
            source: ClaimSource::Type,
            text: format!("it is declared to return {}, and it returned {}", returns.name(), value.text()),
            is_kept: false,
            verdict: is_beyond_doubt.then_some(Verdict::Invalid),
        });
    }
}

/// Whether nothing but its arguments reaches a call.
fn is_alone(call: &CallEffects) -> bool {
    !call.uses_this && call.variables.iter().all(|variable| variable.is_local)
}

/// Whether a call brought about nothing but what it returned.
fn only_returned(call: &CallEffects) -> bool {
    call.changes.is_empty() && call.output.is_empty() && call.unknown.is_empty() && call.outlived_by == 0
}

/// What is absent is let pass: many a project declares `number` and means that it may be missing.
fn breaks(value: &Datum, declared: Primitive) -> bool {
    match value {
        Datum::Undefined | Datum::Null | Datum::NotCaptured | Datum::Accessor | Datum::Redacted => false,
        value => kind_of(value) != Some(declared),
    }
}

fn kind_of(value: &Datum) -> Option<Primitive> {
    Some(match value {
        Datum::Number(_) => Primitive::Number,
        Datum::String(_) | Datum::LongString { .. } => Primitive::String,
        Datum::Bool(_) => Primitive::Boolean,
        Datum::BigInt(_) => Primitive::BigInt,
        _ => return None,
    })
}

/// What a call must return for an assertion to hold.
enum Demand {
    Truth(bool),
    Same(Datum),
    /// The same after conversion.
    Equal(Datum),
}

/// The assertion that a call is the subject of: `assert.equal(f(2), 4)`.
fn asserted(trace: &Trace, call: &CallEffects) -> Option<Claim> {
    let CallEnd::Returned(returned) = &call.end else { return None };
    let caller = trace.caller(&call.frame)?;
    let (code, subject) = (&caller.code, caller.call);
    let source = code.source()?;
    let (assertion, demand) = code.facts.expressions.iter().find_map(|expression| {
        let ExprNode::Call(assertion) = &expression.node else { return None };
        let asserts = trace.language().asserts(code.text(assertion.callee), source)?;
        Some((expression, demand(code, assertion, asserts, subject)?))
    })?;
    let is_met = demand.is_met_by(returned)?;
    let ExprNode::Call(made) = &code.expression(subject).node else { return None };
    let is_written_down = made.arguments.iter().all(|argument| is_literal(code, *argument));
    let line = code.unit.place(assertion.span.start).map_or(String::new(), |place| {
        let file = place.path.rsplit('/').next().unwrap_or(place.path);
        format!(" at {file}:{}", place.position.line)
    });
    let verdict = match is_met {
        false if is_meant_to_fail(trace, code, assertion) || trace.is_caught_after(&call.frame) => None,
        _ if !is_written_down || !is_alone(call) => None,
        true => only_returned(call).then_some(Verdict::Valid),
        false => Some(Verdict::Invalid),
    };
    let text = match &demand {
        Demand::Truth(truth) => format!("an assertion{line} wants it to be {}", if *truth { "true" } else { "false" }),
        Demand::Same(value) | Demand::Equal(value) => format!("an assertion{line} wants {}", value.text()),
    };
    let text = format!("{text}, and it returned {}", returned.text());
    Some(Claim { source: ClaimSource::Assertion, text, is_kept: is_met, verdict })
}

/// Whether an assertion stands inside one that wants a failure: `assert.throws(() => assert(f()))`.
fn is_meant_to_fail(trace: &Trace, code: &Code, assertion: &trace_model::Expression) -> bool {
    code.facts.expressions.iter().any(|expression| {
        let ExprNode::Call(call) = &expression.node else { return false };
        let (outer, inner) = (expression.span, assertion.span);
        let is_around = outer.start < inner.start && inner.end <= outer.end;
        is_around && trace.language().wants_failure(code.text(call.callee))
    })
}

impl Trace<'_> {
    /// Whether the function that made a call caught something before it did anything else: it was prepared for what came of it.
    fn is_caught_after(&self, frame: &trace_store::FrameInfo) -> bool {
        let (Some(caller), Some(left)) = (self.caller_of(frame), frame.left) else { return false };
        let mut from = EventId(left.0 + 1);
        while let Some(step) = self.next(&Target::InFrame(caller), from) {
            match self.kind(&step) {
                Some(SiteKind::Catch) => return true,
                None | Some(SiteKind::Result) => from = EventId(step.id.0 + 1),
                Some(_) => return false,
            }
        }
        false
    }
}

fn demand(code: &Code, assertion: &Call, asserts: Asserts, subject: ExprId) -> Option<Demand> {
    let first = *assertion.arguments.first()?;
    match asserts {
        Asserts::Truth => truth(code, first, subject),
        Asserts::Same | Asserts::Equal => {
            let second = *assertion.arguments.get(1)?;
            let other = match (first == subject, second == subject) {
                (true, _) => second,
                (_, true) => first,
                _ => return None,
            };
            let wanted = literal(code, other)?;
            Some(if asserts == Asserts::Same { Demand::Same(wanted) } else { Demand::Equal(wanted) })
        }
    }
}

/// `f(2)`, `!f(2)`, `f(2) === 4`
fn truth(code: &Code, condition: ExprId, subject: ExprId) -> Option<Demand> {
    if condition == subject {
        return Some(Demand::Truth(true));
    }
    match &code.expression(condition).node {
        ExprNode::Unary { operator: "!", operand } if *operand == subject => Some(Demand::Truth(false)),
        ExprNode::Binary { operator, left, right } => {
            let other = match (*left == subject, *right == subject) {
                (true, _) => *right,
                (_, true) => *left,
                _ => return None,
            };
            match *operator {
                "===" => Some(Demand::Same(literal(code, other)?)),
                "==" => Some(Demand::Equal(literal(code, other)?)),
                _ => None,
            }
        }
        _ => None,
    }
}

impl Demand {
    /// `None` where that is not certain.
    fn is_met_by(&self, value: &Datum) -> Option<bool> {
        let (wanted, converts) = match self {
            Demand::Truth(truth) => return value.truth().map(|value| value == *truth),
            Demand::Same(wanted) => (wanted, false),
            Demand::Equal(wanted) => (wanted, true),
        };
        if !value.is_known() || !wanted.is_known() {
            return None;
        }
        if std::mem::discriminant(wanted) != std::mem::discriminant(value) {
            return (!converts).then_some(false);
        }
        match (wanted, value) {
            // The ways to compare differ in what they make of NaN.
            (Datum::Number(wanted), Datum::Number(value)) => {
                (!wanted.is_nan() && !value.is_nan()).then_some(wanted == value)
            }
            (wanted, value) => Some(wanted == value),
        }
    }
}

/// A primitive value that the source writes down.
fn literal(code: &Code, id: ExprId) -> Option<Datum> {
    match &code.expression(id).node {
        ExprNode::Literal(literal) => Some(Datum::literal(literal)),
        ExprNode::Unary { operator: "-", operand } => match literal(code, *operand)? {
            Datum::Number(number) => Some(Datum::Number(-number)),
            _ => None,
        },
        _ => None,
    }
}

/// A value that the source writes down, with all that is inside it.
fn is_literal(code: &Code, id: ExprId) -> bool {
    match &code.expression(id).node {
        ExprNode::Array { elements, has_spread: false } => {
            elements.iter().flatten().all(|element| is_literal(code, *element))
        }
        ExprNode::Object { entries, spreads } => {
            spreads.is_empty()
                && entries
                    .iter()
                    .all(|(key, value)| matches!(key, trace_model::Key::Name(_)) && is_literal(code, *value))
        }
        _ => literal(code, id).is_some(),
    }
}
