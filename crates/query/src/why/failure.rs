//! What failed in a run.

use std::cmp::Reverse;

use trace_model::{Event, EventId, FrameId, ObjectId, Record, SiteKind};
use trace_store::{FrameInfo, ProgramExit, PropertyKey, Step};

use crate::change::{KeyChange, Seen};
use crate::{Datum, Place, SourceAt, Thrown, Trace};

#[derive(Clone, Debug)]
pub struct Failure {
    pub kind: FailureKind,
    pub thrown: Thrown,
    pub error: Option<Datum>,
    /// `TypeError: …`, as far as the recording has it.
    pub message: String,
    pub standing: Standing,
    /// Where in its statement it was reported to be, if that was printed.
    pub named: Option<SourceAt>,
    /// Of the tests of the run, the one that failed, if the runner said so.
    pub test: Option<usize>,
}

/// How sure it is that this is what failed, and when it was said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    pub evidence: Evidence,
    /// In what order failures were reported: by thread and event.
    pub order: (usize, EventId),
}

/// What tells that something failed, from what tells the least.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Evidence {
    /// How the program ended.
    End,
    /// It left the project's code, and nobody said a word about it.
    Silent,
    /// An exception ended a thread, and nobody said a word about it.
    SilentEnd,
    /// Its message was printed, but no code of the project is known to have had to do with it: a copy that a runner made.
    Foreign,
    /// The project printed a line that says that something failed.
    Line,
    /// The project dealt with it itself, and its message was printed.
    Handled,
    /// A line that says that something failed names the source.
    Place,
    /// As `Handled`, and what was printed beside it says that it is a failure.
    HandledMarked,
    /// It left the project's code, and its message was printed.
    Reported,
    /// As `Reported`, and what was printed beside it says that it is a failure.
    Marked,
    /// An exception ended a thread or another process, and its message was printed.
    ReportedEnd,
    /// The person asked, or an exception ended the program.
    Certain,
}

impl Standing {
    const CERTAIN: Standing = Standing { evidence: Evidence::Certain, order: (0, EventId(0)) };

    /// For sorting: what is surest first, and of that what was said first.
    pub fn key(&self) -> impl Ord + use<> {
        (Reverse(self.evidence), self.order)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    Uncaught,
    Rejection,
    /// An exception that left the program's own code and that somebody else caught: a test runner.
    Caught,
    /// What was printed says so, and no error does.
    Reported,
    /// The program ended itself, or was ended.
    Ended,
    /// The person asked about a place.
    Asked,
}

impl Failure {
    pub(crate) fn asked(trace: &Trace, step: Step, place: Place) -> Failure {
        let frame = step.frame.unwrap_or(FrameId(0));
        let before = step.id;
        let thrown = Thrown { step, frame, is_explicit: false, before };
        Failure { message: place.text(trace.language().0), ..Failure::about(thrown) }
    }

    /// The person asks why control came somewhere.
    pub fn about(thrown: Thrown) -> Failure {
        let (kind, message, standing) = (FailureKind::Asked, String::new(), Standing::CERTAIN);
        Failure { kind, thrown, error: None, message, standing, named: None, test: None }
    }
}

/// What failed in a thread, the most telling first. `is_own` says whether a path is the person's own code.
pub fn failures(trace: &Trace, is_own: &dyn Fn(&str) -> bool) -> Vec<Failure> {
    let mut found = trace.uncaught_failures();
    if trace.is_sparse() {
        if found.is_empty() {
            trace.rests_on_everything("which failure was reported is told by errors and by what was printed");
        }
        return found;
    }
    if trace.has_failed_tests() {
        return trace.failed_tests_and(found, is_own);
    }
    // What passing tests provoked and printed is no failure.
    if !trace.tests().is_empty() && !trace.ended_badly() {
        return found;
    }
    found.extend(trace.reported(is_own));
    if trace.ended_badly() {
        found.extend(trace.caught_by_others(is_own));
        found.extend(trace.ended());
    }
    trace.place_silent_errors(&mut found);
    found.sort_by_key(|failure| failure.standing.key());
    let mut known: Vec<Failure> = Vec::new();
    for failure in found {
        if !known.iter().any(|other| other.is_same(&failure)) {
            known.push(failure);
        }
    }
    known
}

impl Failure {
    /// Whether it is told already: the same error, or one of the same text from the same place. Who has an error for an answer needs no
    /// line that says the same.
    fn is_same(&self, other: &Failure) -> bool {
        let is_here = self.thrown.step.id == other.thrown.step.id;
        match (&self.error, &other.error) {
            (Some(own), Some(error)) => own == error || is_here || self.message == other.message,
            (None, None) => is_here,
            _ => is_here || other.standing.evidence <= Evidence::Place,
        }
    }
}

impl Trace<'_> {
    /// What the runner said, and behind it what ended a process without being a test.
    fn failed_tests_and(&self, uncaught: Vec<Failure>, is_own: &dyn Fn(&str) -> bool) -> Vec<Failure> {
        let mut failed = self.failed_tests_here(is_own);
        for mut failure in uncaught {
            if !failed.iter().any(|test| test.error.is_some() && test.error == failure.error) {
                failure.standing.order.0 = usize::MAX;
                failed.push(failure);
            }
        }
        failed
    }

    /// `Name: message` of an error object.
    pub fn error_message(&self, error: &Datum, before: EventId) -> String {
        let Datum::Object(object) = error else { return self.text(error) };
        // The look at the error follows the event that shows it.
        let after = EventId(before.0 + 1);
        let text = |key: &str| {
            let key = PropertyKey::Name(key.into());
            let value = match self.is_sparse() {
                true => self.seen_value(*object, &key, after)?,
                // Code that is not recorded may have changed it, for all that is known; how it was seen last is what it says.
                false => match self.property(*object, &key, after).value() {
                    Datum::NotCaptured => self.seen_value(*object, &key, after)?,
                    value => value,
                },
            };
            match value {
                Datum::String(text) => Some(text.to_string()),
                _ => None,
            }
        };
        let keys = self.language().error_keys();
        let name = keys.name.and_then(text).or_else(|| self.constructor_name(*object, after));
        let name = name.map(|name| self.language().plain_error_name(&name, keys.code.and_then(text).as_deref()));
        match (name, text(keys.message)) {
            (Some(name), Some(message)) => format!("{name}: {message}"),
            (None, Some(message)) => message,
            (Some(name), None) => name,
            (None, None) => self.text(error),
        }
    }

    /// What the newest look at an object showed of a key. Errors are looked at as they are thrown, and seldom change.
    pub(super) fn seen_value(&self, object: ObjectId, key: &PropertyKey, before: EventId) -> Option<Datum> {
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

    /// The exceptions that nobody caught.
    fn uncaught_failures(&self) -> Vec<Failure> {
        let mut found = Vec::new();
        let printed = self.printed_by_run();
        let is_main = printed.is_none_or(|(thread, _)| thread == 0) && self.thread.number() == 0;
        for (step, value, is_rejection) in self.uncaught() {
            let kind = if is_rejection { FailureKind::Rejection } else { FailureKind::Uncaught };
            let thrown = self
                .origin_of(&value, step.id)
                .or_else(|| self.thrown_before(&self.outside_of_frames(&step)))
                .or_else(|| self.made_at(&value, step.id))
                .or_else(|| self.asked_of_system(&value, step.id))
                // Node itself made the error, of a rejection that was none.
                .or_else(|| self.last_of_project(step.id).filter(|_| is_rejection));
            let Some(thrown) = thrown else { continue };
            let message = self.error_message(&value, step.id);
            // Mostly the message is printed without the name.
            let bare = message.split_once(": ").map_or(message.as_str(), |(_, bare)| bare);
            let said = printed.and_then(|(thread, printed)| printed.find(None, bare, (thread, step.id)));
            let evidence = match said {
                _ if is_main || self.is_sparse() => Evidence::Certain,
                Some(_) => Evidence::ReportedEnd,
                None => Evidence::SilentEnd,
            };
            let order = (printed.map_or(0, |(thread, _)| thread), step.id);
            let standing = Standing { evidence, order };
            found.push(Failure { kind, thrown, error: Some(value), message, standing, named: None, test: None });
        }
        found
    }

    /// A line that says that something failed, and an error that nobody printed, at one place: the error says more.
    fn place_silent_errors(&self, found: &mut [Failure]) {
        let place_of = |failure: &Failure| {
            let place = failure.thrown.step.site().and_then(|site| self.site(site)?.place())?;
            Some((failure.thrown.frame, place.position.line))
        };
        let placed: Vec<_> = found
            .iter()
            .filter(|failure| failure.standing.evidence == Evidence::Place)
            .map(|failure| (place_of(failure), failure.standing))
            .collect();
        for failure in found.iter_mut().filter(|failure| failure.standing.evidence == Evidence::Silent) {
            let place = place_of(failure);
            if let Some((_, standing)) = placed.iter().find(|(known, _)| known.is_some() && *known == place) {
                failure.standing = Standing { evidence: Evidence::HandledMarked, ..*standing };
            }
        }
    }

    /// Whether the run did not end as one that went well; one that is driven is ended by who drives it.
    pub(super) fn ended_badly(&self) -> bool {
        self.run().is_none_or(|run| run.drive.is_some() || run.outcome != Some(ProgramExit::Exited(0)))
    }

    /// Where an error was first thrown or caught, and where last.
    pub(super) fn throws_and_catches(&self, error: ObjectId, before: EventId) -> (Option<Step>, Option<Step>) {
        let (mut first, mut last) = (None, None);
        let mut at = before;
        let target = trace_store::Target::Mentions(error);
        // Of the mentions only those matter that throw and catch.
        self.rests_on_frames();
        for _ in 0..MOST_MENTIONS {
            let Some(step) = self.thread.last(&target, at) else { break };
            at = step.id;
            if matches!(self.kind(&step), Some(SiteKind::Throw | SiteKind::Catch)) {
                last.get_or_insert(step.clone());
                first = Some(step);
            }
        }
        (first, last)
    }

    /// Where an error object was first thrown: a rethrow leads to the original.
    pub(crate) fn origin_of(&self, error: &Datum, before: EventId) -> Option<Thrown> {
        let first = self.throws_and_catches(error.object()?, before).0?;
        match self.kind(&first) {
            Some(SiteKind::Throw) => {
                let frame = first.frame?;
                Some(Thrown { before: first.id, frame, is_explicit: true, step: first })
            }
            _ => self.thrown_before(&first),
        }
    }

    /// Recorded code may report what nobody caught (a loader that listens): the exception came before all of it. A frame whose end
    /// nothing tells (of a script: `node -e`) may be the one that the exception left.
    fn outside_of_frames(&self, step: &Step) -> Step {
        let tells_end = |frame: &FrameInfo| {
            let unit = self.thread.code().unit(frame.unit).and_then(|unit| unit.code().ok());
            unit.and_then(|code| Some(code.sites.functions.get(frame.function.0 as usize)?.exact_exit)).unwrap_or(true)
        };
        let frames = self.frames_at(step.id).into_iter().filter_map(|frame| self.frame(frame));
        let outermost = frames.into_iter().find(tells_end);
        outermost.and_then(|frame| self.thread.step(frame.entered)).unwrap_or_else(|| step.clone())
    }

    /// An error that was never thrown, but handed to `Promise.reject` or the like: where it is first seen.
    pub(super) fn made_at(&self, error: &Datum, before: EventId) -> Option<Thrown> {
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
                let standing = self.silent(step.id);
                let (kind, error) = (FailureKind::Caught, Some(value));
                found.push(Failure { kind, thrown, error, message, standing, named: None, test: None });
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

    /// Newest first.
    fn silent(&self, at: EventId) -> Standing {
        let thread = self.printed_by_run().map_or(0, |(thread, _)| thread);
        Standing { evidence: Evidence::Silent, order: (thread, EventId(u64::MAX - at.0)) }
    }

    /// Where an exception left the person's own code on its way to the frame that caught it: where it was thrown, or the call of
    /// what threw it (a library of assertions).
    pub(super) fn left_own_code(
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
            if is_outermost && self.outcome(&frame) == crate::FrameOutcome::Threw {
                let after = self.thread.step(EventId(exit.id.0 + 1))?;
                let thrown = self.thrown_before(&after)?;
                let thrown = self.left_own_code(thrown.clone(), None, is_own).unwrap_or(thrown);
                let standing = self.silent(exit.id);
                let error = self.looked_at_between(thrown.step.id, exit.id);
                let message = error.as_ref().map_or(String::new(), |error| self.error_message(error, exit.id));
                let kind = FailureKind::Caught;
                return Some(Failure { kind, thrown, error, message, standing, named: None, test: None });
            }
        }
        None
    }

    /// The newest error that was seen between two events.
    fn looked_at_between(&self, from: EventId, before: EventId) -> Option<Datum> {
        let mut at = before;
        loop {
            let look = self.last(&trace_store::Target::Errors, at).filter(|look| look.id > from)?;
            at = look.id;
            if let Event::Record(Record::Look { object, entries, .. }) = &look.event
                && !entries.iter().any(|(key, _)| self.is_constructor_key(*key))
            {
                return Some(Datum::Object(*object));
            }
        }
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
