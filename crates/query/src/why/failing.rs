//! The expression at which the engine threw, found by what it says and by what could not be evaluated.

use trace_model::{EventId, ExprId, Key, Node, ObjectClass, VariableKind, VariableRef};
use trace_store::PropertyKey;

use super::hint::Hint;
use crate::last_condition::leaves;
use crate::{Code, Evaluation, Fault, Property, Scene, Thrown, Trace};

/// The expression at which the engine threw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failing {
    pub unit: trace_model::SiteId,
    pub expression: ExprId,
    pub what: What,
    /// An event whose evaluation the expression belongs to.
    pub at: EventId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// A property of undefined or null.
    NoObject,
    NotCallable,
    /// What a call gave.
    Given,
    Other,
}

impl<'a> Trace<'a> {
    /// Where the engine threw: the first part of what comes behind the newest event that cannot be evaluated, and that the
    /// message fits.
    pub(crate) fn failing_expression(&self, thrown: &Thrown, message: &str) -> Option<Failing> {
        let code = self.code(thrown.step.site()?)?;
        let site = thrown.step.site()?;
        let scene = Scene { before: thrown.before, frame: Some(thrown.frame), unit: code.base(), within: None };
        let evaluation = self.evaluation(&thrown.step);
        let statement = code.site_facts(site).statement;
        let function = self.site(site)?.site.function;
        let from = statement.map_or(0, |statement| code.facts.statements[statement as usize].span.start);
        let statements = code.facts.statements.iter().filter(|known| known.function == function);
        let mut candidates: Vec<(u32, ExprId)> = Vec::new();
        for known in statements.filter(|known| known.span.start >= from).take(MOST_STATEMENTS) {
            for (number, expression) in code.facts.expressions.iter().enumerate() {
                let inside = known.span.start <= expression.span.start
                    && expression.span.end <= known.head_end.max(known.span.start);
                if inside && expression.function == function {
                    candidates.push((expression.span.end, ExprId(number as u32)));
                }
            }
        }
        // A loop's test and update stand before its body.
        if candidates.is_empty() {
            let all = code.facts.expressions.iter().enumerate();
            candidates.extend(
                all.filter(|(_, expression)| expression.function == function)
                    .map(|(number, expression)| (expression.span.end, ExprId(number as u32))),
            );
        }
        candidates.sort_unstable();
        candidates.dedup();
        let unit = code.base();
        let at = thrown.step.id;
        let hint = Hint::of(message);
        // A base that the recording does not tell, where no other is undefined.
        let mut unknown = None;
        for (_, id) in &candidates {
            let what = match &code.expression(*id).node {
                _ if matches!(&hint, Hint::Text(text) if code.text(*id) == text) => What::Other,
                Node::Member { object, .. } if matches!(hint, Hint::Revoked) => {
                    match self.value_in(&code, scene, &evaluation, *object).ok().and_then(|base| base.object()) {
                        Some(base) if self.class_at_birth(base) == Some(ObjectClass::Proxy) => What::NoObject,
                        _ => continue,
                    }
                }
                Node::Member { object, key, .. } => {
                    let fits = match (&hint, key) {
                        (Hint::Property(wanted), Key::Name(name)) => wanted == name,
                        (Hint::Property(_), Key::Computed(_)) => true,
                        _ => false,
                    };
                    let base = fits.then(|| self.value_in(&code, scene, &evaluation, *object));
                    match base {
                        Some(Ok(base)) if base.is_nullish() => What::NoObject,
                        Some(Err(_)) if self.gave_nothing(&code, scene, &evaluation, *object) => What::NoObject,
                        Some(Err(_)) => {
                            unknown.get_or_insert(*id);
                            continue;
                        }
                        _ => continue,
                    }
                }
                Node::Call(call) if matches!(&hint, Hint::Given(callee) if code.text(call.callee) == callee) => {
                    What::Given
                }
                Node::Call(call) => {
                    let Hint::NotCallable(wanted) = &hint else { continue };
                    let text: String = code.text(call.callee).split_whitespace().collect();
                    let wanted: String = wanted.split_whitespace().collect();
                    if text != wanted
                        && !(wanted.contains("(intermediatevalue)") && self.is_absent_callee(&code, scene, call))
                    {
                        continue;
                    }
                    What::NotCallable
                }
                Node::Variable(_) => match &hint {
                    Hint::NotDefined(wanted) if code.text(*id) == wanted => What::Other,
                    _ => continue,
                },
                Node::Binary { operator, .. } => match &hint {
                    Hint::Operator(wanted) if operator == wanted => What::Other,
                    _ => continue,
                },
                Node::Assign { target, .. } => match &hint {
                    Hint::Constant if self.is_constant(&code, *target) => What::Other,
                    _ => continue,
                },
                _ => continue,
            };
            return Some(Failing { unit, expression: *id, what, at });
        }
        if let Some(expression) = unknown {
            return Some(Failing { unit, expression, what: What::NoObject, at });
        }
        // A call that did not come back: what it called is not recorded, and threw.
        if let Some(call) = self.open_call(&code, &thrown.step, thrown.before) {
            return Some(Failing { unit, expression: call, what: What::Other, at });
        }
        let value = code.site_facts(site).value?;
        let call =
            leaves(&code, value).into_iter().find(|leaf| matches!(code.expression(*leaf).node, Node::Call(_)))?;
        Some(Failing { unit, expression: call, what: What::Other, at })
    }

    /// Whether a call whose result was not recorded returned undefined or null.
    fn gave_nothing(&self, code: &Code, scene: Scene, evaluation: &Evaluation, call: ExprId) -> bool {
        let callee = scene.frame.and_then(|frame| self.callee_frame(code, frame, evaluation, call, scene.before));
        let given = callee.map(|callee| self.outcome(&callee));
        matches!(given, Some(crate::FrameOutcome::Returned(value)) if value.is_nullish())
    }

    /// Where an exception was thrown in the source: the `throw`, or the expression at which the engine did it.
    pub fn thrown_at(&self, thrown: &Thrown, message: &str) -> Option<super::SourceAt> {
        let failing = match thrown.is_explicit {
            true => None,
            false => self.failing_expression(thrown, message).map(|failing| failing.expression),
        };
        self.source_at(&thrown.step, failing)
    }

    /// The innermost statement at which the engine threw.
    pub(crate) fn failing_statement(&self, thrown: &Thrown, message: &str) -> Option<(Code<'a>, u32)> {
        let failing = self.failing_expression(thrown, message)?;
        let code = self.code(failing.unit)?;
        let expression = code.expression(failing.expression);
        let holds = |statement: &trace_model::Statement| {
            statement.function == expression.function
                && statement.span.start <= expression.span.start
                && expression.span.end <= statement.span.end
        };
        let around = (0..).zip(&code.facts.statements).filter(|(_, statement)| holds(statement));
        let innermost = around.min_by_key(|(_, statement)| statement.span.end - statement.span.start)?.0;
        Some((code, innermost))
    }

    fn is_constant(&self, code: &Code, target: ExprId) -> bool {
        let Node::Variable(VariableRef::Known(variable)) = code.expression(target).node else { return false };
        let variables = code.unit.code().map(|file| &file.sites.variables);
        let declared = variables.ok().and_then(|variables| variables.get(variable.0 as usize));
        declared.is_some_and(|declared| declared.kind == VariableKind::Const)
    }

    fn is_absent_callee(&self, code: &Code, scene: Scene, call: &trace_model::Call) -> bool {
        let evaluation = crate::Evaluation::default();
        match self.value_in(code, scene, &evaluation, call.callee) {
            Ok(value) => value.is_nullish(),
            Err(Fault::NotCaptured { .. }) => false,
            Err(_) => false,
        }
    }

    /// Whether an object has a property at all.
    pub(crate) fn lacks(&self, object: trace_model::ObjectId, key: &PropertyKey, before: EventId) -> bool {
        matches!(self.property(object, key, before), Property::Absent { .. })
    }
}

/// Statements behind the newest event that may hold the failing expression: those in between emitted nothing.
const MOST_STATEMENTS: usize = 8;
