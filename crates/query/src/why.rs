//! Why did it fail: the most telling way back from a failure, found by a best-first search over questions.
//!
//! A state of the search is a [`Question`]: why an expression had its value, why a place held it, why an event happened. Answering
//! one gives further questions, each at a price ([`cost`]); the cheapest is answered next. Nothing but the questions that the
//! search opens is ever asked of the recording, so the length of the run does not matter.
//!
//! What a question finds becomes a [`Hop`]: an event with its place in the source. Hops that only pass a value along are folded, and
//! a piece of code that can be seen at a glance is told once ([`glance`]). The result is a small tree under the failure.

mod absent;
mod against;
mod arguments;
mod arrived;
mod asserted;
mod begin;
mod blame;
mod calls;
mod changed;
mod compared;
mod cost;
mod deciding;
mod decisions;
mod defaults;
mod discrepancy;
mod elements;
mod ended;
mod evidence;
mod failed_tests;
mod failing;
mod failure;
mod features;
mod foreign;
mod glance;
mod happened;
mod held;
mod hop;
mod libraries;
mod links;
mod minor;
mod order;
mod passed_through;
mod pending;
mod ranking;
mod reached;
mod receivers;
mod reported;
mod rounds;
mod siblings;
mod stand_out;
mod system;
mod tests;
mod texts;
mod times;
mod trees;
mod value;
mod weights;

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::sync::Arc;

use trace_model::{EventId, ExprId, FrameId, Node, ObjectId, SiteId, cancel};
use trace_store::{PropertyKey, Step};

use crate::omissions::About;
use crate::{Evaluation, Place, Thrown, Trace};
use against::Keys;
use features::Known;
use passed_through::WritesByName;
use siblings::Siblings;
use texts::WrongTexts;
use times::Times;

pub use against::{Difference, Keys as SiteKeys, Profile};
pub use arrived::why_sent;
pub(crate) use calls::CallsOfCode;
pub use changed::ChangedLines;
pub use discrepancy::Discrepancy;
pub(crate) use failing::{Failing, What};
pub use failure::{Evidence, Failure, FailureKind, Standing, failures};
pub use features::FEATURES;
pub use hop::{Because, End, Hop, HopKind, Lacks, Reason, SourceAt, Terminator};
pub(crate) use links::How;
pub use ranking::Candidate;
pub use rounds::Rounds;
pub use stand_out::StandsOut;
pub use times::OtherTime;

pub struct Explanation {
    pub failure: Failure,
    /// As found, cheapest first; `parent` leads to the failure.
    pub hops: Vec<Hop>,
}

/// How far to search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Hops that are told, without those that are told inside others.
    pub hops: usize,
    /// Hops that are found before those are chosen.
    pub found: usize,
    pub questions: usize,
    /// Also what else an accumulator was put together from than the time round that stands out.
    pub all_rounds: bool,
    /// As if no other tests had been recorded.
    pub alone: bool,
    /// Whether what is told of a failing test is chosen by the fitted weights.
    pub ranks_tests: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { hops: 10, found: 10, questions: 2000, all_rounds: false, alone: false, ranks_tests: true }
    }
}

impl Limits {
    /// To find many more places than are told, of which the fitted weights choose.
    pub fn ranked() -> Limits {
        Limits { found: FOUND_OF_TESTS, ..Limits::default() }
    }
}

pub fn why(trace: &Trace, failure: Failure, limits: Limits) -> Explanation {
    why_since(trace, failure, limits, None)
}

/// As [`why`], knowing which lines were changed lately.
pub fn why_since(trace: &Trace, failure: Failure, limits: Limits, changed: Option<&ChangedLines>) -> Explanation {
    let mut search = Search::new(trace, limits);
    search.changed = changed;
    let known = search.run_for(&failure);
    let hops = search.into_hops(&known);
    Explanation { failure, hops }
}

/// All that could be told of a failure, for fitting the weights of the ranking.
pub fn candidates(trace: &Trace, failure: &Failure, limits: Limits) -> Vec<Candidate> {
    let mut search = Search::new(trace, limits);
    let known = search.run_for(failure);
    search.put_in_order();
    search.candidates(&known)
}

/// As [`why`], beside a passing run of the same or nearly the same program: what never happened in it comes first.
pub fn why_against(trace: &Trace, failure: Failure, limits: Limits, passing: &Profile) -> Explanation {
    let mut search = Search::new(trace, limits);
    search.passing = Some(Passing { profile: passing, keys: Keys::default() });
    search.begin(&failure);
    if let Some(step) = passing.first_divergence(trace, search.failed) {
        let question = Question::Happened { event: step.id, kind: HopKind::Evidence, focus: None };
        search.ask(cost::EVIDENCE, question, Some(0));
    }
    search.run();
    let hops = search.into_hops(&Known::default());
    Explanation { failure, hops }
}

/// Why a place held what it held at a point.
pub fn why_held(trace: &Trace, at: &Step, place: Place, limits: Limits) -> Explanation {
    why_held_before(trace, at, place, at.id, limits)
}

/// Why an event wrote to a place what it did.
pub fn why_written(trace: &Trace, write: &Step, place: Place, limits: Limits) -> Explanation {
    why_held_before(trace, write, place, EventId(write.id.0 + 1), limits)
}

fn why_held_before(trace: &Trace, at: &Step, place: Place, before: EventId, limits: Limits) -> Explanation {
    let mut failure = Failure::asked(trace, at.clone(), place.clone());
    failure.thrown.before = before;
    let mut search = Search::new(trace, limits);
    let root = search.root(&failure);
    search.ask(0.0, Question::Held { place, before }, root);
    search.run();
    let hops = search.into_hops(&Known::default());
    Explanation { failure, hops }
}

/// Why something was printed: what the call was given that did it. `None`: no call did that is known.
pub fn why_printed(trace: &Trace, output: &Step, limits: Limits) -> Option<Explanation> {
    let (code, step, call) = trace.effect_call(output)?;
    let Node::Call(parts) = &code.expression(call).node else { return None };
    let call_event = parts.call_site.and_then(|site| trace.evaluation(&step).event(site));
    let told = call_event.and_then(|event| trace.thread.step(event)).unwrap_or_else(|| step.clone());
    let thrown = Thrown { before: output.id, frame: step.frame?, step: told.clone(), is_explicit: true };
    let failure = Failure::about(thrown);
    let mut search = Search::new(trace, limits);
    let root = search.root(&failure);
    for argument in &parts.arguments {
        let question = Question::Value { at: step.id, expression: *argument, behind: Some(output.id) };
        search.ask(cost::operand(None, parts.arguments.len(), false), question, root);
    }
    search.ask(cost::CONTROL, Question::Reached { event: told.id }, root);
    search.run();
    let hops = search.into_hops(&Known::default());
    Some(Explanation { failure, hops })
}

/// An event that a search came to, and at what price.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Visit {
    pub event: EventId,
    pub cost: f64,
}

/// Where a search for all that led to something begins.
pub(crate) enum Start<'f> {
    Failure(&'f Failure),
    /// A place that held something before an event.
    Held {
        place: Place,
        before: EventId,
    },
    /// What a call gave: its `return`.
    Given {
        event: EventId,
    },
    /// An argument of the call that an output came from.
    Printed {
        call: EventId,
        argument: ExprId,
        output: EventId,
    },
}

/// All that a search from a failure comes to, as suspicious as `why` takes it to be.
pub(crate) fn visits_of_failure(trace: &Trace, failure: &Failure, limits: Limits) -> Vec<Visit> {
    let mut search = Search::new(trace, limits);
    let known = search.run_for(failure);
    search.into_priced(&known)
}

/// All that a search comes to.
pub(crate) fn visits(trace: &Trace, starts: Vec<Start>, limits: Limits) -> Vec<Visit> {
    let mut search = Search::new(trace, limits);
    for start in starts {
        match start {
            Start::Failure(failure) => search.begin(failure),
            Start::Held { place, before } => search.ask(0.0, Question::Held { place, before }, None),
            Start::Given { event } => {
                search.ask(0.0, Question::Happened { event, kind: HopKind::Return, focus: None }, None);
            }
            Start::Printed { call, argument, output } => {
                search.ask(0.0, Question::Value { at: call, expression: argument, behind: Some(output) }, None);
            }
        }
    }
    search.run();
    search.visits
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Question {
    /// Why an expression had its value, in the evaluation that the event belongs to. `behind`: it was read after the event, before
    /// this moment.
    Value { at: EventId, expression: ExprId, behind: Option<EventId> },
    /// Why a place held what it held before an event.
    Held { place: Place, before: EventId },
    /// Why an event happened as it did. `focus`: the part of its statement that matters.
    Happened { event: EventId, kind: HopKind, focus: Option<ExprId> },
    /// Why control reached an event.
    Reached { event: EventId },
    /// Why an object has no such property.
    Absent { object: ObjectId, key: PropertyKey, before: EventId },
    /// Why an object holds what it does as a whole, which was last changed by an event.
    Filled { object: ObjectId, newest: EventId },
    /// Where an object was made.
    Born { object: ObjectId, before: EventId },
    /// Nothing: a hop of a library is shown when nothing of the project is as near.
    Unhide { hop: usize },
}

/// A question in the queue.
struct Open {
    cost: f64,
    /// Of two that cost the same, the one asked first.
    number: usize,
    question: Question,
    /// The hop that it explains.
    parent: Option<usize>,
    /// The parent was told for something else in its piece of code: what the path ends in is not what that one ends in.
    is_guest: bool,
    kind: Option<HopKind>,
    /// What it is about, in the words of the source.
    about: Option<Arc<str>>,
}

/// The passing run, and where its sites are in the failing one.
struct Passing<'t> {
    profile: &'t Profile,
    keys: Keys,
}

pub(crate) struct Search<'t, 'a> {
    trace: &'t Trace<'a>,
    limits: Limits,
    passing: Option<Passing<'t>>,
    changed: Option<&'t ChangedLines>,
    open: BinaryHeap<Open>,
    asked: HashSet<String>,
    n_asked: usize,
    visits: Vec<Visit>,
    hops: Vec<Hop>,
    /// Hops of libraries that are passed through, and told later if at all.
    hidden: HashSet<usize>,
    /// Hops that cannot be wrong by themselves: told inside others.
    minor: HashSet<usize>,
    times: Times,
    evaluations: HashMap<EventId, Evaluation>,
    own_writes: Option<WritesByName>,
    /// How many events of the project may still be looked through for values that libraries gave.
    left_to_look_at: usize,
    /// When a call entered its function: its arguments were read before, and calls in them came behind the mark of the call.
    entered: HashMap<EventId, EventId>,
    texts: WrongTexts,
    /// Code made by the program whose text was asked for.
    sources: HashSet<SiteId>,
    /// From here on, hops that no data led to.
    first_decision: Option<usize>,
    /// The moment of the failure, and the frame that failed.
    failed: EventId,
    failing_frame: Option<FrameId>,
    /// What the question being answered cost, and which hop it explains.
    base: f64,
    parent: Option<usize>,
    is_guest: bool,
    /// Of the value question being answered: its parts are read before the same moment.
    behind: Option<EventId>,
    about: Option<Arc<str>>,
}

impl<'t, 'a> Search<'t, 'a> {
    fn new(trace: &'t Trace<'a>, limits: Limits) -> Search<'t, 'a> {
        Search {
            trace,
            limits,
            passing: None,
            changed: None,
            open: BinaryHeap::new(),
            asked: HashSet::new(),
            n_asked: 0,
            visits: Vec::new(),
            hops: Vec::new(),
            hidden: HashSet::new(),
            minor: HashSet::new(),
            times: Times::default(),
            evaluations: HashMap::new(),
            own_writes: None,
            left_to_look_at: passed_through::MOST_EVENTS_OF_ALL,
            entered: HashMap::new(),
            texts: WrongTexts::default(),
            sources: HashSet::new(),
            first_decision: None,
            failed: trace.thread.end(),
            failing_frame: None,
            base: 0.0,
            parent: None,
            is_guest: false,
            behind: None,
            about: None,
        }
    }

    fn failed_before(&self) -> EventId {
        self.failed
    }

    /// Searches from a failure, and then from what no way back leads to. Gives what that is ranked by.
    fn run_for(&mut self, failure: &Failure) -> Known {
        // Where no test failed, prices choose better (docs/why.md).
        let is_ranked = self.limits.found > self.limits.hops
            || self.limits.ranks_tests
                && self.limits.questions > 0
                && (self.changed.is_some() || self.trace.is_of_test(failure));
        if is_ranked {
            self.limits.found = self.limits.found.max(FOUND_OF_TESTS);
        }
        self.begin(failure);
        self.run();
        if !is_ranked {
            return Known::default();
        }
        let siblings = match self.limits.alone {
            true => Siblings::of_failing(self.trace, failure),
            false => Siblings::of(self.trace, failure),
        };
        self.ask_about_deeds(failure, &siblings);
        Known {
            siblings,
            harness: self.harness(failure),
            discrepancy: self.trace.discrepancy(failure),
            test: self.trace.called_from_outside(failure.thrown.frame),
            compared: self.trace.compared(failure),
        }
    }

    fn run(&mut self) {
        while let Some(open) = self.open.pop() {
            cancel::check();
            if self.n_told() >= self.limits.found.max(self.limits.hops) || self.n_asked >= self.limits.questions {
                break;
            }
            if self.is_too_late(&open.question) || !self.asked.insert(format!("{:?}", open.question)) {
                continue;
            }
            self.n_asked += 1;
            self.base = open.cost;
            self.parent = open.parent;
            self.is_guest = open.is_guest;
            self.about = open.about;
            if let Question::Value { at: event, .. } | Question::Happened { event, .. } | Question::Reached { event } =
                open.question
            {
                self.visits.push(Visit { event, cost: open.cost });
            }
            self.answer(open.question, open.kind);
        }
    }

    fn answer(&mut self, question: Question, kind: Option<HopKind>) {
        match question {
            Question::Value { at, expression, behind } => self.value(at, expression, behind),
            Question::Held { place, before } => self.held(place, before),
            Question::Happened { event, kind: own, focus } => self.happened(event, kind.unwrap_or(own), focus),
            Question::Reached { event } => self.reached(event),
            Question::Absent { object, key, before } => self.absent(object, key, before),
            Question::Filled { object, newest } => self.filled(object, newest),
            Question::Born { object, before } => self.born(object, before),
            Question::Unhide { hop } => {
                self.hidden.remove(&hop);
                None
            }
        };
    }

    /// A hop that others explain ends no path; but that something was never written is said.
    fn into_hops(mut self, known: &Known) -> Vec<Hop> {
        let told = (0..self.hops.len()).filter(|number| !self.is_other_time(*number));
        let explained: HashSet<usize> = told.filter_map(|number| self.hops[number].parent).collect();
        for (number, hop) in self.hops.iter_mut().enumerate() {
            if explained.contains(&number)
                && hop.end.as_ref().map(|end| end.terminator) != Some(Terminator::NeverWritten)
            {
                hop.end = None;
            }
        }
        self.put_in_order();
        self.mark_changed();
        if self.n_told() > self.limits.hops {
            self.hide_unlikely(known);
        }
        self.put_in_times();
        self.without_hidden()
    }

    /// Causes hang on their effects, and libraries that only hand on are passed over.
    fn put_in_order(&mut self) {
        self.hang_causes_on_effects();
        if self.is_about_project() {
            self.hide_passages();
        }
    }

    fn n_told(&self) -> usize {
        (0..self.hops.len()).filter(|number| self.is_counted(*number)).count()
    }

    /// Whether a hop takes one of the places of an explanation.
    fn is_counted(&self, number: usize) -> bool {
        !self.hidden.contains(&number) && !self.minor.contains(&number) && !self.is_other_time(number)
    }

    /// Puts a question into the queue, at a price on top of the one being answered.
    fn ask(&mut self, cost: f64, question: Question, parent: Option<usize>) {
        self.ask_as(cost, question, parent, None);
    }

    fn ask_as(&mut self, cost: f64, question: Question, parent: Option<usize>, kind: Option<HopKind>) {
        let number = self.open.len() + self.n_asked * 64;
        let cost = match (&question, &self.passing) {
            (Question::Happened { event, .. }, Some(_)) => {
                let differs = self.trace.thread.step(*event).and_then(|step| self.difference(&step)).is_some();
                if differs { cost * cost::DIFFERENT } else { cost + cost::NOT_DIFFERENT }
            }
            _ => cost,
        };
        let is_guest = self.is_guest && parent == self.parent;
        // What happened is told in words of its own.
        let is_told = |kind: HopKind| kind != HopKind::Pending;
        let about = self.about.clone();
        let about = about.filter(|_| !matches!(question, Question::Happened { kind, .. } if is_told(kind)));
        self.open.push(Open { cost: self.base + cost, number, question, parent, is_guest, kind, about });
    }

    fn difference(&mut self, step: &Step) -> Option<Difference> {
        let passing = self.passing.as_mut()?;
        passing.profile.difference(&mut passing.keys, self.trace, step)
    }

    /// A question that follows from the one being answered.
    fn follow(&mut self, cost: f64, question: Question) {
        self.ask(cost, question, self.parent);
    }

    fn step(&self, event: EventId) -> Option<Step> {
        self.trace.thread.step(event)
    }

    fn evaluation(&mut self, step: &Step) -> Evaluation {
        if let Some(known) = self.evaluations.get(&step.id) {
            return known.clone();
        }
        let evaluation = self.trace.evaluation(step);
        self.evaluations.insert(step.id, evaluation.clone());
        evaluation
    }

    /// Notes what should have happened, at the hop that lacks it.
    fn lacks(&mut self, about: About, before: EventId) {
        let Some(hop) = self.parent.filter(|_| !self.is_guest).and_then(|parent| self.hops.get_mut(parent)) else {
            return;
        };
        hop.lacks.get_or_insert(Lacks { about, before });
    }

    /// Marks the end of a path.
    fn end(&mut self, terminator: Terminator) {
        let Some(hop) = self.parent.filter(|_| !self.is_guest).and_then(|parent| self.hops.get_mut(parent)) else {
            return;
        };
        if hop.end.is_none() {
            let is_whole = |about: &Arc<str>| **about == *hop.subject || Some(&**about) == hop.source.as_deref();
            hop.end = Some(End { terminator, about: self.about.clone().filter(|about| !is_whole(about)) });
        }
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Open) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Places that a search comes to, of which the weights choose what is told.
const FOUND_OF_TESTS: usize = 60;

/// The greatest is the cheapest.
impl Ord for Open {
    fn cmp(&self, other: &Open) -> Ordering {
        other.cost.total_cmp(&self.cost).then(other.number.cmp(&self.number))
    }
}
