//! A cause is before its effect: no hop is told that did not happen before the failure, and none hangs below one that was over before it
//! happened.

use trace_model::{EventId, SiteKind};
use trace_store::{Step, Target};

use super::{Hop, Question, Search};
use crate::Trace;

impl Search<'_, '_> {
    /// Whether something can be a cause of the failure. The failure itself is told first.
    pub(super) fn is_cause(&self, hop: &Hop) -> bool {
        self.hops.is_empty() || hop.event() < self.failed && !self.took_nothing(&hop.step)
    }

    /// Whether a question is about what came after the failure.
    pub(super) fn is_too_late(&self, question: &Question) -> bool {
        match question {
            Question::Value { at: event, .. }
            | Question::Happened { event, .. }
            | Question::Filled { newest: event, .. }
            | Question::Reached { event } => *event > self.failed,
            Question::Held { before, .. } | Question::Absent { before, .. } | Question::Born { before, .. } => {
                *before > self.failed
            }
            Question::Unhide { .. } => false,
        }
    }

    /// What was over before its cause happened was not caused by it: that hangs on what it was met through.
    pub(super) fn hang_causes_on_effects(&mut self) {
        // When what each hop tells was over.
        let mut ends: Vec<Option<EventId>> = vec![None; self.hops.len()];
        for number in 1..self.hops.len() {
            let event = self.hops[number].event();
            let mut parent = self.hops[number].parent;
            while let Some(above) = parent {
                if event <= self.hops[above].event() || self.hops[above].parent.is_none() {
                    break;
                }
                let end = *ends[above].get_or_insert_with(|| self.trace.told_until(&self.hops[above].step));
                if event < end {
                    break;
                }
                parent = self.hops[above].parent;
            }
            self.hops[number].parent = parent;
        }
    }
}

impl Trace<'_> {
    /// Before which event all was over that an event tells. A call is told before its arguments are read, all else when it is done.
    fn told_until(&self, step: &Step) -> EventId {
        match self.kind(step) {
            Some(SiteKind::Call) => self.end_of_call(step).unwrap_or(EventId(step.id.0 + 1)),
            _ => EventId(step.id.0 + 1),
        }
    }

    /// The next event of its frame that is not inside the text of a call, or the one that tells what it gave.
    fn end_of_call(&self, call: &Step) -> Option<EventId> {
        let (frame, span) = (call.frame?, self.site(call.site()?)?.site.span);
        let mut at = call.clone();
        for _ in 0..MOST_EVENTS {
            let Some(next) = self.next(&Target::InFrame(frame), EventId(at.id.0 + 1)) else {
                return Some(self.thread.end());
            };
            let is_inside = next.site().and_then(|site| self.site(site)).is_none_or(|site| {
                let (inner, is_result) = (site.site.span, site.site.kind == SiteKind::Result);
                span.start <= inner.start && inner.end <= span.end && !(is_result && inner == span)
            });
            if !is_inside {
                return Some(next.id);
            }
            at = next;
        }
        Some(at.id)
    }

    /// Before which event a time that a statement is executed was over: the next event of its frame that is of another one.
    pub(super) fn end_of_statement(&self, step: &Step) -> EventId {
        self.next_beside_statement(step).unwrap_or(EventId(step.id.0 + 1))
    }

    fn next_beside_statement(&self, step: &Step) -> Option<EventId> {
        let code = self.code(step.site()?)?;
        let statement = code.site_facts(step.site()?).statement?;
        let sites = &code.facts.statements[statement as usize].sites;
        let mut at = step.clone();
        for _ in 0..MOST_EVENTS {
            let next = self.next(&Target::InFrame(step.frame?), EventId(at.id.0 + 1));
            let Some(next) = next else { return Some(self.thread.end()) };
            let is_of_it = match next.site() {
                Some(site) => code.unit.record.holds(site) && sites.contains(&code.local(site)),
                // The runtime looked at something.
                None => true,
            };
            if !is_of_it {
                return Some(next.id);
            }
            at = next;
        }
        Some(at.id)
    }
}

const MOST_EVENTS: usize = 1000;
