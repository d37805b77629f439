//! Exceptions: where one was thrown that a handler caught, or that nobody did.

use trace_model::{Event, EventId, FrameId, ObjectId, Record, SiteKind};
use trace_store::{Step, Target};

use crate::{Datum, SourceAt, Trace};

/// Where an exception came from.
#[derive(Clone, Debug)]
pub struct Thrown {
    /// The `throw`, or the newest event of the frame in which the engine or foreign code threw.
    pub step: Step,
    pub frame: FrameId,
    /// Whether a `throw` of the program did it.
    pub is_explicit: bool,
    /// The moment: everything before it happened before the exception.
    pub before: EventId,
}

impl Trace<'_> {
    /// The exception that a `Catch`, or an uncaught one that this event tells of, came from.
    pub fn thrown_before(&self, step: &Step) -> Option<Thrown> {
        let mut before = step.id;
        // What a `finally` did on the way of the exception lies between.
        loop {
            let last = self.newest_of_program(before)?;
            match self.kind(&last)? {
                SiteKind::Exit => {
                    // A frame that waited for what was rejected ends without going on: nothing of it ran.
                    let Some(frame) = last.frame else {
                        before = last.id;
                        continue;
                    };
                    let inner = self.previous_in_frame(frame, last.id)?;
                    match self.kind(&inner)? {
                        // The callee returned; its caller failed behind the call.
                        SiteKind::Return => return self.implicit(self.caller_of(&self.frame(frame)?)?, before),
                        SiteKind::Throw => return Some(explicit(inner, frame)),
                        SiteKind::FinallyEnd => before = self.finally_of(frame, &inner)?,
                        _ => before = last.id,
                    }
                    if before == last.id && self.newest_of_program(before)?.frame != Some(frame) {
                        // A callee of the frame ended before it did: by its own return, or by the same exception.
                        continue;
                    }
                }
                SiteKind::Throw => return Some(explicit(last.clone(), last.frame?)),
                SiteKind::FinallyEnd => before = self.finally_of(last.frame?, &last)?,
                _ => return self.implicit(last.frame?, before),
            }
        }
    }

    /// The newest event of the program itself: not what the runtime records on the way.
    fn newest_of_program(&self, before: EventId) -> Option<Step> {
        self.rests_on_frames();
        self.thread.steps_before(before).find(|step| step.site().is_some())
    }

    /// The `Finally` that a `FinallyEnd` belongs to.
    fn finally_of(&self, frame: FrameId, end: &Step) -> Option<EventId> {
        self.last_of_kinds(frame, &[SiteKind::Finally], end.id).map(|step| step.id)
    }

    fn implicit(&self, frame: FrameId, before: EventId) -> Option<Thrown> {
        let step = self.previous_in_frame(frame, before)?;
        let before = EventId(self.newest_of_program(before)?.id.0 + 1);
        Some(Thrown { step, frame, is_explicit: false, before })
    }

    /// Where an exception was raised that a handler caught and no `throw` of the program threw: by the engine or a built-in. `None` also
    /// where something was waited for that failed elsewhere.
    pub fn raised(&self, caught: &Step) -> Option<(Thrown, SourceAt)> {
        let thrown = self.thrown_before(caught).filter(|thrown| !thrown.is_explicit)?;
        let is_wait = matches!(self.kind(&thrown.step)?, SiteKind::Suspend | SiteKind::Resume | SiteKind::LateResume);
        let error = self.step_value(caught);
        let was_thrown = error.as_ref().and_then(Datum::object).is_some_and(|error| self.is_thrown(error, caught.id));
        if is_wait || was_thrown || !self.is_within(thrown.frame, caught.frame?) {
            return None;
        }
        // A handler that does not name the exception is all that tells of it.
        let Some(error) = error else { return Some((thrown, self.source_at(caught, None)?)) };
        let message = self.error_message(&error, EventId(caught.id.0 + 1));
        let at = match self.failing_expression(&thrown, &message) {
            Some(failing) => {
                let start = self.code(failing.unit)?.expression(failing.expression).span.start;
                SourceAt { unit: failing.unit, offset: start }
            }
            None => self.source_at(&thrown.step, None)?,
        };
        Some((thrown, at))
    }

    /// Whether a `throw` of the program threw this before.
    fn is_thrown(&self, error: ObjectId, before: EventId) -> bool {
        let mut at = before;
        for _ in 0..MOST_MENTIONS {
            let Some(step) = self.last(&Target::Mentions(error), at) else { return false };
            if self.kind(&step) == Some(SiteKind::Throw) {
                return true;
            }
            at = step.id;
        }
        true
    }

    /// Whether a frame is another, or was called from it.
    fn is_within(&self, frame: FrameId, around: FrameId) -> bool {
        let mut at = Some(frame);
        while let Some(own) = at.filter(|own| *own != around) {
            at = self.frame(own).and_then(|info| self.caller_of(&info));
        }
        at.is_some()
    }

    /// Every way in which an exception ended the program, newest first.
    pub fn uncaught(&self) -> Vec<(Step, Datum, bool)> {
        let mut found = Vec::new();
        let mut before = self.thread.end();
        while let Some(step) = self.last(&Target::Uncaught, before) {
            before = step.id;
            if let Event::Record(Record::Uncaught { rejection, value }) = &step.event {
                found.push((step.clone(), self.datum(*value), *rejection));
            }
        }
        found
    }
}

/// An error that is mentioned more often has been on its way for long.
const MOST_MENTIONS: usize = 1000;

fn explicit(step: Step, frame: FrameId) -> Thrown {
    Thrown { before: step.id, step, frame, is_explicit: true }
}
