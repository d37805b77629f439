//! Why it failed: the way back from a failure, told hop by hop.

use std::path::Path;

use query::{
    Datum, Difference, Explanation, Failure, FailureKind, Hop, HopKind, Limits, Profile, Terminator, Thrown, why,
    why_against, why_held,
};
use trace_store::{Step, Target, Thread};

use super::resolve::failures_of;
use super::{Point, PointText, Session, SourceLine, Standpoint};
use crate::{Error, EventLine, RunChoice, Value};

/// What is to be explained.
#[derive(Clone, Debug, Default)]
pub struct WhyRequest {
    /// Nothing: the failure of the run.
    pub at: Option<PointText>,
    pub place: Option<String>,
    pub thread: Option<String>,
    /// The whole graph, not only what is most telling.
    pub all: bool,
    /// A passing run of the same or nearly the same program.
    pub against: Option<RunChoice>,
}

/// An explanation: a small tree under what failed.
#[derive(Clone, Debug)]
pub struct Chain {
    pub failure: FailureShown,
    /// Newest first; the first is the failure itself.
    pub hops: Vec<ChainHop>,
}

#[derive(Clone, Debug)]
pub struct FailureShown {
    pub kind: &'static str,
    /// `TypeError: …`, or what was asked about.
    pub message: String,
    pub point: Point,
    pub value: Option<Value>,
}

#[derive(Clone, Debug)]
pub struct ChainHop {
    pub kind: &'static str,
    pub point: Point,
    /// What happened, in words.
    pub text: String,
    pub value: Option<Value>,
    /// The hop that this one explains: an index into the hops.
    pub parent: Option<usize>,
    /// How it differs from the passing run, if there is one beside: `not-reached`, `other-way`, `other-value`.
    pub difference: Option<&'static str>,
    pub end: Option<ChainEnd>,
}

/// What a way back ends in.
#[derive(Clone, Debug)]
pub struct ChainEnd {
    pub kind: &'static str,
    pub text: &'static str,
    /// Of what was never written: the writes that the code has.
    pub writers: Vec<SourceLine>,
}

impl Chain {
    /// What the chain as a whole ends in: the end of its oldest hop that has one.
    pub fn end(&self) -> Option<&ChainEnd> {
        self.hops.iter().rev().find_map(|hop| hop.end.as_ref())
    }

    /// The question itself stands first.
    fn asks(&mut self, message: String, value: Option<Value>) {
        if let Some(root) = self.hops.first_mut() {
            root.text = message.clone();
            root.value = value.clone();
        }
        self.failure = FailureShown { message, value, ..self.failure.clone() };
    }

    /// The hops that explain one, newest first.
    pub fn children(&self, hop: usize) -> impl Iterator<Item = usize> {
        (0..self.hops.len()).filter(move |child| self.hops[*child].parent == Some(hop))
    }
}

impl Session {
    /// Where a failure of the run can be explained from; the thread that has it.
    pub fn failing_thread(&self, thread: Option<&str>) -> Result<Standpoint<'_>, Error> {
        self.stand_at(Some(&PointText::Crash), thread)
    }

    pub fn why(&self, request: &WhyRequest) -> Result<(Standpoint<'_>, Chain), Error> {
        let standpoint = match &request.at {
            None if request.place.is_none() => self.failing_thread(request.thread.as_deref())?,
            at => self.stand_at(at.as_ref(), request.thread.as_deref())?,
        };
        let passing = match &request.against {
            Some(run) => Some(Session::open(run, Path::new(&self.run().file().folder))?),
            None => None,
        };
        let chain = standpoint.why(request, passing.as_ref())?;
        Ok((standpoint, chain))
    }
}

impl Session {
    /// What the sites of the main thread did.
    fn profile(&self) -> Option<Profile> {
        let thread = self.run().threads().first()?;
        Some(Profile::of(&self.trace(thread)))
    }
}

impl Standpoint<'_> {
    fn why(&self, request: &WhyRequest, passing: Option<&Session>) -> Result<Chain, Error> {
        let limits = match request.all {
            true => Limits { lines: MOST_LINES, ..Limits::default() },
            false => Limits::default(),
        };
        let is_at_crash = matches!(request.at, None | Some(PointText::Crash)) || self.at.shown.is_some();
        match (&request.place, &self.at.focus) {
            (None, None) if is_at_crash => {
                let failure = failures_of(&self.trace).into_iter().next();
                let failure = failure.ok_or(Error::Point(query::PointError::NoCrash))?;
                Ok(self.chain(match passing.and_then(Session::profile) {
                    Some(profile) => why_against(&self.trace, failure, limits, &profile),
                    None => why(&self.trace, failure, limits),
                }))
            }
            (None, None) => self.why_reached(limits),
            _ => self.why_value(request.place.as_deref(), limits),
        }
    }

    /// Why a place held what it held.
    fn why_value(&self, place: Option<&str>, limits: Limits) -> Result<Chain, Error> {
        let (held, text) = self.place(place)?;
        let mut chain = self.chain(why_held(&self.trace, &self.at.step, held, limits));
        let value = self.datum(place).ok().map(|value| self.value(&value, self.at.scene.before));
        let message = match &value {
            Some(value) => format!("{text} was {}", value.text),
            None => text,
        };
        chain.asks(message, value);
        Ok(chain)
    }

    /// Why control came to the point, and what was computed there.
    fn why_reached(&self, limits: Limits) -> Result<Chain, Error> {
        let step = self.anchor(&self.at.step).ok_or(Error::NothingRecorded)?;
        let frame = step.frame.ok_or(Error::NothingRecorded)?;
        // As if the program had thrown there.
        let thrown = Thrown { before: step.id, step, frame, is_explicit: true };
        let failure = Failure { kind: FailureKind::Asked, thrown, error: None, message: String::new() };
        let mut chain = self.chain(why(&self.trace, failure, limits));
        chain.asks("control came here".into(), None);
        Ok(chain)
    }

    fn chain(&self, explanation: Explanation) -> Chain {
        let Explanation { failure, hops } = explanation;
        let mut order: Vec<usize> = (0..hops.len()).collect();
        // The failure stays first, whatever its newest event is.
        order.sort_by_key(|number| (hops[*number].parent.is_some(), std::cmp::Reverse(hops[*number].event())));
        let place_of = |number: usize| order.iter().position(|known| *known == number);
        let shown = order.iter().map(|number| {
            let hop = &hops[*number];
            ChainHop {
                kind: hop.kind.name(),
                point: match hop.parent {
                    None if failure.kind != FailureKind::Asked => self.crash_point(&hop.step, hop.at),
                    _ => self.point_at_source(&hop.step, hop.at, &hop.subject),
                },
                text: self.hop_text(hop),
                value: self.option_value(&hop.value, self.settled(&hop.step)),
                parent: hop.parent.and_then(place_of),
                difference: hop.difference.map(Difference::name),
                end: hop.end.map(|end| self.chain_end(hop, end)),
            }
        });
        let hops: Vec<ChainHop> = shown.collect();
        let failure = self.failure_shown(&failure, hops.first());
        Chain { failure, hops }
    }

    fn failure_shown(&self, failure: &Failure, root: Option<&ChainHop>) -> FailureShown {
        let step = &failure.thrown.step;
        FailureShown {
            kind: match failure.kind {
                FailureKind::Uncaught => "uncaught",
                FailureKind::Rejection => "rejection",
                FailureKind::Caught => "caught",
                FailureKind::Asked => "asked",
            },
            message: failure.message.clone(),
            point: root.map_or_else(|| self.point(step), |root| root.point.clone()),
            value: self.option_value(&failure.error, failure.thrown.before),
        }
    }

    fn hop_text(&self, hop: &Hop) -> String {
        let subject = &hop.subject;
        let value = hop.value.as_ref().map(|value| self.value(value, self.settled(&hop.step)).text);
        let with = |words: &str| match &value {
            Some(value) => format!("{subject} {words} {value}"),
            None => format!("{subject} {words} a value that is not captured"),
        };
        match hop.kind {
            HopKind::Failure if subject.is_empty() => "an exception left the program".into(),
            HopKind::Failure => subject.clone(),
            HopKind::Throw => format!("threw {}", value.as_deref().unwrap_or(subject)),
            HopKind::Write if hop.step.site().is_none() => self.built_in_words(&hop.step),
            HopKind::Write => with("became"),
            HopKind::Birth => match (&value, &hop.value) {
                (Some(value), _) if is_same_text(value, subject) => format!("the object was created with {value}"),
                (Some(value), Some(Datum::Object(_))) => format!("{subject} made {value}"),
                (Some(value), _) => format!("the object was created with {subject} = {value}"),
                (None, _) => format!("{subject} was made here"),
            },
            HopKind::Argument if value.as_ref().is_none_or(|value| is_same_text(value, subject)) => {
                format!("{subject} was passed")
            }
            HopKind::Argument => with("was passed, which was"),
            HopKind::Return if subject.is_empty() => format!("returned {}", value.as_deref().unwrap_or("undefined")),
            HopKind::Return if value.as_ref().is_none_or(|value| is_same_text(value, subject)) => {
                format!("returned {subject}")
            }
            HopKind::Return => format!("returned {subject}, which was {}", value.unwrap_or_default()),
            HopKind::Condition => self.condition_words(&hop.step, subject, value.as_deref()),
            HopKind::Call => format!("called by {}", without_bodies(subject)),
            HopKind::Registration => format!("the callback was handed out by {}", without_bodies(subject)),
            HopKind::Resume => format!("went on behind {subject}"),
            HopKind::Removed => format!("{subject} was removed"),
            HopKind::NeverWritten => format!("{subject} was never written"),
            HopKind::Foreign => match &value {
                Some(value) => format!("{subject}, code that is not recorded, gave {value}"),
                None => format!("{subject} is code that is not recorded"),
            },
            HopKind::Evidence => match &value {
                Some(value) => format!("here {subject} became {value}"),
                None => format!("compare {subject}"),
            },
        }
    }

    /// What a built-in did: `#18 push #20`.
    fn built_in_words(&self, step: &Step) -> String {
        let line = EventLine::of_step(self.trace.thread, self.number, step, 0, &self.run.file().folder);
        match line.text.split_once(' ') {
            Some((object, what)) => format!("a built-in changed {object}: {what}"),
            None => "a built-in changed the object".into(),
        }
    }

    fn chain_end(&self, hop: &Hop, end: Terminator) -> ChainEnd {
        let text = match end {
            Terminator::Literal => "the source itself gives it",
            Terminator::Birth => "the object was made here",
            Terminator::OutsideInput => "it came from outside the program",
            Terminator::NeverWritten => "nothing ever wrote it",
            Terminator::ForeignCode => "code that is not recorded did it",
            Terminator::StartOfRecording => "here the recording starts",
            Terminator::NotCaptured => "what was before it is not captured",
        };
        let writers = match end {
            Terminator::NeverWritten => self.writers_of_subject(&hop.subject),
            _ => Vec::new(),
        };
        ChainEnd { kind: end.name(), text, writers }
    }

    /// The writes of what a hop is about, by the last name in it.
    fn writers_of_subject(&self, subject: &str) -> Vec<SourceLine> {
        let name =
            subject.rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).next().unwrap_or_default();
        if name.is_empty() {
            return Vec::new();
        }
        let mut sites = self.property_writers(name);
        sites.extend(self.trace.global_writes(name));
        self.source_lines(&sites)
    }
}

/// Whether a value is written as it is in the source, but for the quotes.
fn is_same_text(value: &str, source: &str) -> bool {
    value.replace('"', "'") == source.replace('"', "'")
}

/// A call without the bodies of functions that it is given.
fn without_bodies(call: &str) -> String {
    let body = call.find("=> {").map(|at| at + 4).or_else(|| {
        let function = call.find("function")?;
        call[function..].find('{').map(|at| function + at + 1)
    });
    match body {
        Some(body) => format!("{}…}})", &call[..body]),
        None => call.to_owned(),
    }
}

/// Of the whole graph; a search that leads through a whole program tells nobody anything.
const MOST_LINES: usize = 500;

/// Whether an exception ended the thread.
pub(crate) fn has_uncaught(thread: &Thread) -> bool {
    thread.last(&Target::Uncaught, thread.end()).is_some()
}
