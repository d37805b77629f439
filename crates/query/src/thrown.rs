//! Exceptions: where one was thrown that a handler caught, or that nobody did.

use trace_model::{Event, EventId, FrameId, Record, SiteKind};
use trace_store::{Step, Target};

use crate::{Datum, Trace};

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

fn explicit(step: Step, frame: FrameId) -> Thrown {
    Thrown { before: step.id, step, frame, is_explicit: true }
}
