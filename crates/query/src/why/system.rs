//! Errors that the system gave while no code of the program was running: of a stream, a socket, a child. They name what was asked for.

use trace_model::{EventId, Node, ObjectId, SiteKind};
use trace_store::PropertyKey;

use crate::{Datum, Scene, Thrown, Trace};

impl Trace<'_> {
    /// The newest call of the project that was given what the error of a system call names.
    pub(super) fn asked_of_system(&self, error: &Datum, before: EventId) -> Option<Thrown> {
        let error = error.object()?;
        let named: Vec<Datum> =
            self.language().system_error_keys().iter().filter_map(|name| self.named_by(error, name, before)).collect();
        if named.is_empty() {
            return None;
        }
        let own = self.thread.steps_before(before).take(MOST_STEPS).filter(|step| {
            let is_call = matches!(self.kind(step), Some(SiteKind::Call | SiteKind::Argument));
            is_call && step.site().is_some_and(|site| self.is_own(site))
        });
        for step in own.take(MOST_CALLS) {
            let frame = step.frame.and_then(|frame| self.frame(frame));
            let (Some(frame), Some(site)) = (frame, step.site()) else { continue };
            let Some(code) = self.code(site) else { continue };
            let Some(statement) = code.site_facts(site).statement else { continue };
            let span = code.facts.statements[statement as usize].span;
            // The values of arguments are known when they have been evaluated.
            let after = EventId(self.end_of_statement(&step).0.min(before.0));
            let scene = Scene { before: after, frame: Some(frame.frame), unit: code.base(), within: None };
            let evaluation = self.evaluation(&step);
            let is_given = code.facts.expressions.iter().any(|expression| match &expression.node {
                Node::Call(call) if span.start <= expression.span.start && expression.span.end <= span.end => call
                    .arguments
                    .iter()
                    .filter_map(|argument| self.value_in(&code, scene, &evaluation, *argument).ok())
                    .any(|value| named.contains(&value)),
                _ => false,
            });
            if is_given {
                return Some(Thrown { before: after, frame: frame.frame, is_explicit: false, step });
            }
        }
        None
    }

    fn named_by(&self, error: ObjectId, name: &str, before: EventId) -> Option<Datum> {
        let after = EventId(before.0 + 1);
        let value = self.seen_value(error, &PropertyKey::Name(name.into()), after)?;
        matches!(value, Datum::String(_) | Datum::Number(_)).then_some(value)
    }
}

const MOST_STEPS: usize = 200_000;
const MOST_CALLS: usize = 2_000;
