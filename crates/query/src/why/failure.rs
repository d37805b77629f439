//! What failed in a run.

use trace_model::{Event, EventId, FrameId, ObjectId, Record, SiteKind};
use trace_store::{PropertyKey, Step};

use crate::change::{KeyChange, Seen};
use crate::{Datum, Place, Thrown, Trace};

#[derive(Clone, Debug)]
pub struct Failure {
    pub kind: FailureKind,
    pub thrown: Thrown,
    pub error: Option<Datum>,
    /// `TypeError: …`, as far as the recording has it.
    pub message: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    Uncaught,
    Rejection,
    /// An exception that left the program's own code and that somebody else caught: a test runner.
    Caught,
    /// The person asked about a place.
    Asked,
}

impl Failure {
    pub(crate) fn asked(step: Step, place: Place) -> Failure {
        let frame = step.frame.unwrap_or(FrameId(0));
        let before = step.id;
        Failure {
            kind: FailureKind::Asked,
            thrown: Thrown { step, frame, is_explicit: false, before },
            error: None,
            message: place.text(),
        }
    }
}

/// What failed in a thread, the most telling first. `is_own` says whether a path is the person's own code.
pub fn failures(trace: &Trace, is_own: &dyn Fn(&str) -> bool) -> Vec<Failure> {
    let mut found = Vec::new();
    for (step, value, is_rejection) in trace.uncaught() {
        let kind = if is_rejection { FailureKind::Rejection } else { FailureKind::Uncaught };
        let thrown = trace
            .origin_of(&value, step.id)
            .or_else(|| trace.thrown_before(&trace.outside_of_frames(&step)))
            .or_else(|| trace.made_at(&value, step.id));
        if let Some(thrown) = thrown {
            let message = trace.error_message(&value, step.id);
            found.push(Failure { kind, thrown, error: Some(value), message });
        }
    }
    // A run that an exception ended is explained by it.
    found.reverse();
    if found.is_empty() {
        found.extend(trace.caught_by_others(is_own));
    }
    found
}

impl Trace<'_> {
    /// `Name: message` of an error object.
    pub fn error_message(&self, error: &Datum, before: EventId) -> String {
        let Datum::Object(object) = error else { return error.text() };
        // The look at the error follows the event that shows it.
        let after = EventId(before.0 + 1);
        let text = |key: &str| {
            let key = PropertyKey::Name(key.into());
            let value = match self.is_sparse() {
                true => self.seen_value(*object, &key, after)?,
                false => self.property(*object, &key, after).value(),
            };
            match value {
                Datum::String(text) => Some(text.to_string()),
                _ => None,
            }
        };
        let name = text("name").or_else(|| self.constructor_name(*object, after));
        match (name, text("message")) {
            (Some(name), Some(message)) => format!("{name}: {message}"),
            (None, Some(message)) => message,
            (Some(name), None) => name,
            (None, None) => error.text(),
        }
    }

    /// What the newest look at an object showed of a key. Errors are looked at as they are thrown, and seldom change.
    fn seen_value(&self, object: ObjectId, key: &PropertyKey, before: EventId) -> Option<Datum> {
        let target = trace_store::Target::Property(object, key);
        self.each_before(&target, before).find_map(|step| match self.key_change(&step, object, key) {
            KeyChange::Set(value) | KeyChange::Seen(Seen::Value(value)) | KeyChange::Born(Some(value)) => Some(value),
            _ => None,
        })
    }

    /// The name of the constructor of an object, where the recording has it.
    fn constructor_name(&self, object: ObjectId, before: EventId) -> Option<String> {
        if !self.is_sparse() {
            return self.contents(object, before)?.name;
        }
        match self.birth(object)?.event {
            Event::Record(Record::Look { name, .. }) => self.thread.string(name?).map(|name| name.to_string()),
            _ => None,
        }
    }

    /// Where an error object was first thrown: a rethrow leads to the original.
    pub(crate) fn origin_of(&self, error: &Datum, before: EventId) -> Option<Thrown> {
        let object = error.object()?;
        let mut first: Option<Step> = None;
        let mut at = before;
        let target = trace_store::Target::Mentions(object);
        // Of the mentions only those matter that throw and catch.
        self.rests_on_frames();
        for _ in 0..MOST_MENTIONS {
            let Some(step) = self.thread.last(&target, at) else { break };
            at = step.id;
            if matches!(self.kind(&step), Some(SiteKind::Throw | SiteKind::Catch)) {
                first = Some(step);
            }
        }
        let first = first?;
        match self.kind(&first) {
            Some(SiteKind::Throw) => {
                let frame = first.frame?;
                Some(Thrown { before: first.id, frame, is_explicit: true, step: first })
            }
            _ => self.thrown_before(&first),
        }
    }

    /// Recorded code may report what nobody caught (a loader that listens): the exception came before all of it.
    fn outside_of_frames(&self, step: &Step) -> Step {
        let outermost = self.frames_at(step.id).first().and_then(|frame| self.frame(*frame));
        outermost.and_then(|frame| self.thread.step(frame.entered)).unwrap_or_else(|| step.clone())
    }

    /// An error that was never thrown, but handed to `Promise.reject` or the like: where it is first seen.
    fn made_at(&self, error: &Datum, before: EventId) -> Option<Thrown> {
        let target = trace_store::Target::Mentions(error.object()?);
        let step = self.next(&target, self.thread.first_event()).filter(|step| step.id < before)?;
        let step = self.belongs_to(&step)?;
        Some(Thrown { frame: step.frame?, before: step.id, is_explicit: true, step })
    }

    /// Exceptions that the person's own code did not catch, but somebody else did, newest first.
    fn caught_by_others(&self, is_own: &dyn Fn(&str) -> bool) -> Vec<Failure> {
        let mut found = Vec::new();
        let catches = self.sites_of_kind(SiteKind::Catch, |path| !is_own(path));
        let mut at = self.thread.end();
        while let Some(step) = self.last(&trace_store::Target::Sites(&catches), at) {
            at = step.id;
            let Some(value) = self.step_value(&step) else { continue };
            let thrown = self.origin_of(&value, step.id).or_else(|| self.thrown_before(&step));
            let left = thrown.and_then(|thrown| self.left_own_code(thrown, step.frame, is_own));
            if let Some(thrown) = left {
                let message = self.error_message(&value, EventId(step.id.0 + 1));
                found.push(Failure { kind: FailureKind::Caught, thrown, error: Some(value), message });
            }
            if found.len() >= MOST_FAILURES {
                break;
            }
        }
        if found.is_empty() {
            found.extend(self.left_recorded_code(is_own));
        }
        found
    }

    /// Where an exception left the person's own code on its way to the frame that caught it: where it was thrown, or the call of
    /// what threw it (a library of assertions).
    fn left_own_code(
        &self,
        thrown: Thrown,
        catching: Option<FrameId>,
        is_own: &dyn Fn(&str) -> bool,
    ) -> Option<Thrown> {
        let mut frame = self.frame(thrown.frame)?;
        while !is_own(&self.thread.code().unit(frame.unit)?.record.path) {
            frame = self.frame(self.caller_of(&frame).filter(|caller| Some(*caller) != catching)?)?;
        }
        if frame.frame == thrown.frame {
            return Some(thrown);
        }
        let step = self.previous_in_frame(frame.frame, thrown.before)?;
        Some(Thrown { step, frame: frame.frame, is_explicit: false, before: thrown.before })
    }

    /// An exception that left all recorded code: what called it is not recorded and dealt with it.
    fn left_recorded_code(&self, is_own: &dyn Fn(&str) -> bool) -> Option<Failure> {
        let exits = self.sites_of_kind(SiteKind::Exit, is_own);
        let mut at = self.thread.end();
        for _ in 0..MOST_EXITS {
            let exit = self.last(&trace_store::Target::Sites(&exits), at)?;
            at = exit.id;
            let frame = self.frame(exit.frame?)?;
            let is_outermost = self.caller_of(&frame).is_none();
            if is_outermost && self.outcome(&frame) == crate::Outcome::Threw {
                let after = self.thread.step(EventId(exit.id.0 + 1))?;
                let thrown = self.thrown_before(&after)?;
                return Some(Failure { kind: FailureKind::Caught, thrown, error: None, message: String::new() });
            }
        }
        None
    }

    pub(super) fn sites_of_kind(&self, kind: SiteKind, wanted: impl Fn(&str) -> bool) -> Vec<trace_model::SiteId> {
        let mut sites = Vec::new();
        for unit in self.thread.code().units() {
            let Ok(code) = unit.code() else { continue };
            if !wanted(&unit.record.path) {
                continue;
            }
            let of_kind = code.sites.sites.iter().enumerate().filter(|(_, site)| site.kind == kind);
            sites.extend(of_kind.map(|(number, _)| unit.site(trace_model::LocalSite(number as u32))));
        }
        sites.sort_unstable();
        sites
    }
}

const MOST_MENTIONS: usize = 200;
const MOST_FAILURES: usize = 5;
const MOST_EXITS: usize = 10_000;
