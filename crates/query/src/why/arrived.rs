//! What came from another thread or process: told where it arrived, and explained where it was sent.

use trace_model::{EventId, Node};
use trace_store::{PropertyKey, Step};

use super::{End, Explanation, Failure, Hop, HopKind, Limits, Question, Search, Terminator, cost};
use crate::{Arrival, Datum, Thrown, Trace};

/// Why something was sent: the call that sent it, and what lay at this place in it.
pub fn why_sent(trace: &Trace, sent: &Step, path: Option<&[PropertyKey]>, limits: Limits) -> Option<Explanation> {
    let (code, call_step, call) = trace.effect_call(sent)?;
    let mut search = Search::new(trace, limits);
    search.failed = sent.id;
    let (at, subject) = (trace.source_at(&call_step, Some(call))?, trace.subject(&call_step, Some(call)));
    let value = trace.step_value(sent);
    let root = search.tell(Hop { value, ..Hop::new(call_step.clone(), HopKind::Sent, at, subject) });
    match path.and_then(|path| trace.place_in_message(sent, path)) {
        Some(place) => search.ask(0.0, Question::Held { place, before: sent.id }, root),
        None => {
            let Node::Call(parts) = &code.expression(call).node else { return None };
            let n = parts.arguments.len();
            for (number, argument) in parts.arguments.iter().enumerate() {
                let beside = if number == 0 { 0.0 } else { cost::BESIDE_WRONG };
                let question = Question::Value { at: call_step.id, expression: *argument, behind: Some(sent.id) };
                search.ask(cost::operand(None, n, false) + beside, question, root);
            }
        }
    }
    search.ask(cost::CONTROL, Question::Reached { event: call_step.id }, root);
    search.run();
    let thrown = Thrown { before: sent.id, frame: sent.frame?, step: call_step, is_explicit: true };
    let failure = Failure::about(thrown);
    let hops = search.into_hops(&super::features::Known::default());
    Some(Explanation { failure, hops })
}

impl Search<'_, '_> {
    /// A value that came from another thread or process is told where it arrived.
    pub(super) fn arrived(&mut self, arrival: Arrival, at: &Step, value: Option<Datum>) -> Option<()> {
        let (source, subject) = (self.trace.source_at(at, None)?, self.trace.subject(at, None));
        let hop = Hop {
            value,
            parent: self.parent,
            cost: self.base,
            end: Some(End { terminator: Terminator::OutsideInput, about: None }),
            ..Hop::new(at.clone(), HopKind::Received, source, subject)
        };
        self.parent = self.tell(hop);
        if let Some(number) = self.parent {
            self.hops[number].arrival.get_or_insert(arrival);
        }
        Some(())
    }

    /// What a call, or what was waited for, brought: the very object, or the text while it lasted.
    pub(super) fn arrived_meanwhile(&mut self, value: &Datum, began: Option<EventId>, at: &Step) -> Option<()> {
        let arrival = self.trace.arrival_of(value, at.id)?;
        let is_meanwhile = began.is_some_and(|began| arrival.step.id > began);
        (is_meanwhile || value.object().is_some()).then_some(())?;
        self.arrived(arrival, at, Some(value.clone()))
    }
}
