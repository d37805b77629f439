//! What is told of an explanation.

use trace_model::{EventId, ExprId, SiteId};
use trace_store::Step;

use crate::{Datum, Trace};

/// One line of an explanation.
#[derive(Clone, Debug)]
pub struct Hop {
    pub step: Step,
    pub kind: HopKind,
    pub at: SourceAt,
    /// What it is about: a place, an expression, a function.
    pub subject: String,
    pub value: Option<Datum>,
    /// The hop that this one explains.
    pub parent: Option<usize>,
    pub cost: f64,
    /// How it differs from all that the passing run did there, if there is one beside.
    pub difference: Option<super::Difference>,
    /// Where the way back ends here, what it ends in.
    pub end: Option<Terminator>,
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
    /// A callback was handed out here.
    Registration,
    Resume,
    Removed,
    NeverWritten,
    /// Code that is not recorded did it.
    Foreign,
    /// Something that happened elsewhere and not here.
    Evidence,
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
            HopKind::Call => "call",
            HopKind::Registration => "registration",
            HopKind::Resume => "resume",
            HopKind::Removed => "removed",
            HopKind::NeverWritten => "never-written",
            HopKind::Foreign => "foreign",
            HopKind::Evidence => "evidence",
        }
    }
}

/// What a way back ends in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terminator {
    Literal,
    Birth,
    OutsideInput,
    NeverWritten,
    ForeignCode,
    StartOfRecording,
    NotCaptured,
}

impl Terminator {
    pub fn name(self) -> &'static str {
        match self {
            Terminator::Literal => "literal",
            Terminator::Birth => "birth",
            Terminator::OutsideInput => "outside-input",
            Terminator::NeverWritten => "never-written",
            Terminator::ForeignCode => "foreign-code",
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

    pub(crate) fn line_of(&self, at: SourceAt) -> u32 {
        let code = self.thread.code().unit(at.unit).and_then(|unit| unit.code().ok());
        code.and_then(|code| code.position(at.offset)).map_or(0, |position| position.line)
    }

    /// Which part of its line a position is in: a line that is too long to be seen at once is told place by place.
    pub(crate) fn part_of_line(&self, at: SourceAt) -> u32 {
        let code = self.thread.code().unit(at.unit).and_then(|unit| unit.code().ok());
        let Some(source) = code.and_then(|code| code.source().ok()) else { return 0 };
        let Some((before, behind)) = source.split_at_checked(at.offset as usize) else { return 0 };
        let length =
            before.len() - before.rfind('\n').map_or(0, |end| end + 1) + behind.find('\n').unwrap_or(behind.len());
        if length > LONGEST_LINE { at.offset } else { 0 }
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
    pub fn event(&self) -> EventId {
        self.step.id
    }
}

/// In bytes; source that people write has no longer lines.
const LONGEST_LINE: usize = 240;
