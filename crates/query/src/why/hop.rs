//! What is told of an explanation.

use std::sync::Arc;

use trace_model::{EventId, ExprId, SiteId};
use trace_store::Step;

use super::OtherTime;
use crate::omissions::About;
use crate::{Arrival, Datum, Trace};

/// One line of an explanation.
#[derive(Clone, Debug)]
pub struct Hop {
    pub step: Step,
    pub kind: HopKind,
    pub at: SourceAt,
    /// What it is about: a place, an expression, a function.
    pub subject: String,
    pub value: Option<Datum>,
    /// The expression that gave the value, where that is not the subject.
    pub source: Option<String>,
    /// The hop that this one explains.
    pub parent: Option<usize>,
    pub cost: f64,
    /// How it differs from all that the passing run did there, if there is one beside.
    pub difference: Option<super::Difference>,
    /// The branch that decided it, where both are told as one.
    pub because: Option<Because>,
    /// The times round that it is one of, where what came of all of them is to be explained.
    pub rounds: Option<super::Rounds>,
    /// It cannot be wrong by itself, and is told inside the hop that it explains.
    pub is_minor: bool,
    /// No data leads to it from what it hangs on: it is told because the passing tests seldom did it, or because it was decided last.
    pub is_beside: bool,
    /// It is in what was changed lately, where that is known.
    pub was_changed: bool,
    /// How likely the mistake is there, beside the others, where that was weighed.
    pub suspicion: Option<f64>,
    /// What nothing ever wrote, where the way back ends in that.
    pub lacks: Option<Lacks>,
    /// Where the way back ends here, what it ends in.
    pub end: Option<End>,
    /// What brought the value, if it came from another thread or process.
    pub arrival: Option<Arrival>,
    /// When it happened, where its piece of code is told for another time.
    pub other_time: Option<OtherTime>,
}

/// What should have been written, changed or filled, and was not.
#[derive(Clone, Debug)]
pub struct Lacks {
    pub about: About,
    pub before: EventId,
}

/// Where a way back ends.
#[derive(Clone, Debug)]
pub struct End {
    pub terminator: Terminator,
    /// What ends there, in the words of the source, where that is not the hop as a whole.
    pub about: Option<Arc<str>>,
}

/// What decided something that is told with it.
#[derive(Clone, Debug)]
pub struct Because {
    pub reason: Reason,
    pub step: Step,
    pub at: SourceAt,
    pub subject: String,
    pub value: Option<Datum>,
}

/// How something decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A condition was this.
    Condition,
    /// What the default stands for was undefined.
    Default,
    /// No argument was passed for the parameter, so its default was used.
    NotPassed,
    /// The argument was undefined, so the default was used.
    PassedNothing,
}

/// A position in a piece of code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceAt {
    pub unit: SiteId,
    pub offset: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HopKind {
    /// What the question began with.
    Failure,
    Throw,
    Write,
    /// The object was made, with this in it.
    Birth,
    Argument,
    Return,
    Condition,
    Call,
    /// A call of a function that reads `this`, without an object to call it on.
    NoReceiver,
    /// A callback was handed out here.
    Registration,
    Resume,
    Removed,
    NeverWritten,
    /// Code that is not recorded did it.
    Foreign,
    /// Another thread or process sent it.
    Received,
    /// It was sent to another thread or process.
    Sent,
    /// Something that happened elsewhere and not here.
    Evidence,
    /// Something that would have happened later.
    Pending,
}

impl HopKind {
    pub fn name(self) -> &'static str {
        match self {
            HopKind::Failure => "failure",
            HopKind::Throw => "throw",
            HopKind::Write => "write",
            HopKind::Birth => "birth",
            HopKind::Argument => "argument",
            HopKind::Return => "return",
            HopKind::Condition => "condition",
            HopKind::Call | HopKind::NoReceiver => "call",
            HopKind::Registration => "registration",
            HopKind::Resume => "resume",
            HopKind::Removed => "removed",
            HopKind::NeverWritten => "never-written",
            HopKind::Foreign => "foreign",
            HopKind::Received => "received",
            HopKind::Sent => "sent",
            HopKind::Evidence | HopKind::Pending => "evidence",
        }
    }
}

/// What a way back ends in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terminator {
    Literal,
    /// Of literals alone: `3 * 7`.
    Computed,
    Birth,
    OutsideInput,
    NeverWritten,
    ForeignCode,
    /// A function of the language made it.
    BuiltIn,
    StartOfRecording,
    NotCaptured,
}

impl Terminator {
    pub fn name(self) -> &'static str {
        match self {
            Terminator::Literal => "literal",
            Terminator::Computed => "computed",
            Terminator::Birth => "birth",
            Terminator::OutsideInput => "outside-input",
            Terminator::NeverWritten => "never-written",
            Terminator::ForeignCode => "foreign-code",
            Terminator::BuiltIn => "built-in",
            Terminator::StartOfRecording => "start-of-recording",
            Terminator::NotCaptured => "not-captured",
        }
    }
}

impl Trace<'_> {
    /// Where the text of an event begins, or of the part of it that matters.
    pub(crate) fn source_at(&self, step: &Step, focus: Option<ExprId>) -> Option<SourceAt> {
        let site = self.site(self.belongs_to(step)?.site()?)?;
        let unit = site.unit.record.base;
        let focused = focus.and_then(|focus| Some(self.code(unit)?.expression(focus).span.start));
        Some(SourceAt { unit, offset: focused.unwrap_or(site.site.span.start) })
    }

    /// Line and column of a position in what the person wrote.
    pub(crate) fn position_of(&self, at: SourceAt) -> (u32, u32) {
        let place = self.thread.code().unit(at.unit).and_then(|unit| unit.place(at.offset));
        place.map_or((0, at.offset), |place| (place.position.line, place.position.column))
    }

    /// The event before which a hop of the program itself is placed.
    pub(crate) fn anchor(&self, step: &Step) -> Option<Step> {
        match step.site() {
            Some(_) => Some(step.clone()),
            None => self.previous_in_frame(step.frame?, step.id),
        }
    }
}

impl Hop {
    pub(super) fn new(step: Step, kind: HopKind, at: SourceAt, subject: String) -> Hop {
        Hop {
            step,
            kind,
            at,
            subject,
            value: None,
            source: None,
            parent: None,
            cost: 0.0,
            difference: None,
            because: None,
            rounds: None,
            is_minor: false,
            is_beside: false,
            was_changed: false,
            suspicion: None,
            lacks: None,
            end: None,
            arrival: None,
            other_time: None,
        }
    }

    pub fn event(&self) -> EventId {
        self.step.id
    }

    /// What a branch decided is told in its place.
    pub(super) fn now_tells(&mut self, decided: Hop) {
        let Hop { step, kind, at, subject, value, source, rounds, difference, .. } = decided;
        let because = Because {
            reason: Reason::Condition,
            step: std::mem::replace(&mut self.step, step),
            at: std::mem::replace(&mut self.at, at),
            subject: std::mem::replace(&mut self.subject, subject),
            value: std::mem::replace(&mut self.value, value),
        };
        (self.kind, self.source, self.rounds, self.because) = (kind, source, rounds, Some(because));
        self.difference = self.difference.or(difference);
    }
}
