//! Why it failed: the way back from a failure, told hop by hop.

use std::cmp::Reverse;
use std::collections::HashSet;

use query::omissions::About;
use query::{
    Because, BuiltInCall, Change, Datum, Difference, Discrepancy, End, Evidence, Explanation, Failure, FailureKind,
    Hop, HopKind, LastChange, Limits, OtherTime, Place, Profile, Reason, Terminator, Thrown, last_change, why,
    why_against, why_held, why_printed, why_since, why_written,
};
use trace_format::RunFile;
use trace_model::{Event, EventId, Record};
use trace_store::{Step, Target, Thread};

use super::changes::Changes;
use super::resolve::{failures_of, of_failure};
use super::shown::shortened;
use super::tests::Failed;
use super::{ChainRounds, Moment, Point, PointText, Session, SourceLine, TestShown};
use crate::page::{Cursor, Page, PageRequest};
use crate::{Error, EventLine, RunChoice, Value, Where};

/// What is to be explained.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WhyRequest {
    /// Nothing: what is at the point, or the failure of the run.
    pub place: Option<String>,
    /// The whole graph, not only what is most telling.
    pub all: bool,
    /// A passing run of the same or nearly the same program.
    pub against: Option<RunChoice>,
    /// Which of several failures, from 1; nothing: the first.
    pub failure: Option<usize>,
    /// What was changed since this revision is more likely to be wrong; nothing: since the last commit.
    pub since: Option<String>,
}

/// An explanation: a small tree under what failed.
#[derive(Clone, Debug)]
pub struct Chain {
    pub failure: FailureShown,
    /// Newest first; the first is the failure itself.
    pub hops: Vec<ChainHop>,
    /// The whole in one sentence, as far as each clause is sure to have given the one before what it is about.
    pub summary: Option<String>,
    /// The other tests that failed.
    pub more: Option<MoreFailures>,
}

/// Tests that failed beside the one that is explained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoreFailures {
    pub n: usize,
    /// The number of one of them.
    pub next: usize,
}

#[derive(Clone, Debug)]
pub struct FailureShown {
    pub kind: &'static str,
    /// `TypeError: …`, or what was asked about.
    pub message: String,
    pub point: Point,
    pub value: Option<Value>,
    /// How what was found differs from what was wanted, where an assertion failed.
    pub discrepancy: Option<&'static str>,
    /// The test that failed, if a runner said so.
    pub test: Option<TestShown>,
}

impl FailureShown {
    /// `cart › adds up: TypeError: …`, where there is room for one line.
    pub fn words(&self) -> String {
        match &self.test {
            Some(test) if self.message.is_empty() => test.title(),
            Some(test) => format!("{}: {}", test.title(), self.message),
            None => self.message.clone(),
        }
    }
}

/// One of several failures.
#[derive(Clone, Debug)]
pub struct NumberedFailure {
    /// From 1; the one by which it is explained.
    pub number: usize,
    pub failure: FailureShown,
}

#[derive(Clone, Debug)]
pub struct ChainHop {
    pub kind: &'static str,
    pub point: Point,
    /// What happened, in words.
    pub text: String,
    pub value: Option<Value>,
    /// The place that it wrote, in the words of the source, and what that held before.
    pub place: Option<String>,
    pub old: Option<Value>,
    /// The hop that this one explains: an index into the hops.
    pub parent: Option<usize>,
    /// The times round that it is one of, where what came of all of them is to be explained.
    pub rounds: Option<ChainRounds>,
    /// The branch that decided it, where both are told as one.
    pub because: Option<ChainReason>,
    /// How it differs from the passing run, if there is one beside: `not-reached`, `other-way`, `other-value`.
    pub difference: Option<&'static str>,
    pub end: Option<ChainEnd>,
    /// Hops that explain it and cannot be wrong by themselves.
    pub with: Vec<ChainPart>,
    /// What it is about, in the words of the source.
    pub(crate) subject: String,
    pub(crate) is_minor: bool,
    /// No data leads to it from what failed.
    pub is_beside: bool,
    /// Since when its line was changed, where that is known: `main`, `the last commit`.
    pub changed_since: Option<String>,
    /// A built-in did it, not a write of the source.
    pub(crate) is_built_in: bool,
    /// How likely the mistake is there, beside the others, where that was weighed.
    pub(crate) suspicion: Option<f64>,
    /// Which other time it is of a line that is told elsewhere: shown where what explains that time is told. Its text says it too.
    pub other_time: Option<&'static str>,
    /// The dearest to come to are told last; `None` where another thread or process did it.
    pub(crate) rank: Option<usize>,
}

/// What is told inside a hop that it explains: `total became 0`.
#[derive(Clone, Debug)]
pub struct ChainPart {
    pub point: Point,
    pub text: String,
    pub value: Option<Value>,
}

impl ChainHop {
    /// What happened, of which times round, and what decided it.
    pub fn words(&self) -> String {
        let rounds = self.rounds.iter().map(|rounds| rounds.text.as_str());
        let changed = self.changed_words();
        let clauses = rounds.chain(self.because.iter().map(|because| because.text.as_str()));
        let clauses = clauses.chain(changed.as_deref());
        std::iter::once(self.text.as_str()).chain(clauses).collect::<Vec<_>>().join("; ")
    }

    /// That its line was changed lately, in words.
    pub fn changed_words(&self) -> Option<String> {
        self.changed_since.as_ref().map(|since| format!("changed since {since}"))
    }

    /// The same, and what is told inside of it, where there is no room for more than one sentence.
    pub fn words_with_parts(&self) -> String {
        let parts = self.with.iter().map(|part| part.text.as_str());
        std::iter::once(self.words().as_str()).chain(parts).collect::<Vec<_>>().join("; ")
    }

    /// Told inside another hop.
    fn into_part(self) -> ChainPart {
        let end = self.end.as_ref().filter(|end| !end.text.is_empty());
        let end = end.map_or(String::new(), |end| format!("; {}", end.text));
        ChainPart { text: format!("{}{end}", self.words()), point: self.point, value: self.value }
    }
}

/// What decided something that is told with it.
#[derive(Clone, Debug)]
pub struct ChainReason {
    /// `n > 3 was true (n = 4)`
    pub text: String,
    pub point: Point,
}

/// What a way back ends in.
#[derive(Clone, Debug)]
pub struct ChainEnd {
    pub kind: &'static str,
    /// What ends there, in the words of the source, where that is not the hop as a whole.
    pub about: Option<String>,
    /// Empty where the hop itself says it.
    pub text: String,
    /// Of what was never written: the writes that the code has.
    pub writers: Vec<SourceLine>,
}

impl Chain {
    /// What the chain as a whole ends in: the end of its oldest hop that has one.
    pub fn end(&self) -> Option<&ChainEnd> {
        self.hops.iter().rev().find_map(|hop| hop.end.as_ref())
    }

    /// What other threads and processes did, and what was left out, takes the place of what is least suspicious or dearest to come to.
    fn keep(&mut self, n_hops: usize) {
        let mut leads_on = vec![false; self.hops.len()];
        for number in 0..self.hops.len() {
            let mut above = Some(number).filter(|number| self.hops[*number].rank.is_none());
            while let Some(hop) = above.filter(|hop| !leads_on[*hop]) {
                leads_on[hop] = true;
                above = self.hops[hop].parent;
            }
        }
        let is_counted = |hop: &ChainHop| !hop.is_minor && hop.other_time.is_none();
        let n_told = self.hops.iter().filter(|hop| is_counted(hop)).count();
        let mut others: Vec<usize> =
            (1..self.hops.len()).filter(|hop| !leads_on[*hop] && is_counted(&self.hops[*hop])).collect();
        others.sort_by(|one, other| {
            let (one, other) = (&self.hops[*one], &self.hops[*other]);
            let suspicion = |hop: &ChainHop| hop.suspicion.unwrap_or(f64::NEG_INFINITY);
            suspicion(one).total_cmp(&suspicion(other)).then(other.rank.cmp(&one.rank))
        });
        others.truncate(n_told.saturating_sub(n_hops));
        self.without(&|number, _| others.contains(&number));
        // Another time of a line says nothing by itself.
        let parents = self.hops.iter().filter(|hop| is_counted(hop)).filter_map(|hop| hop.parent);
        let explained: HashSet<usize> = parents.collect();
        self.without(&|number, hop| hop.other_time.is_some() && !explained.contains(&number));
    }

    /// Puts hops that cannot be wrong by themselves into those that they explain.
    fn fold(&mut self) {
        for (above, hop) in self.without(&|_, hop| hop.is_minor) {
            self.hops[above].with.push(hop.into_part());
        }
    }

    /// Takes hops out; what they were explained by explains what they explained. Gives them, each with the hop that is left above it.
    fn without(&mut self, is_out: &dyn Fn(usize, &ChainHop) -> bool) -> Vec<(usize, ChainHop)> {
        let is_left: Vec<bool> =
            self.hops.iter().enumerate().map(|(number, hop)| number == 0 || !is_out(number, hop)).collect();
        let place = |number: usize| is_left[..number].iter().filter(|is_left| **is_left).count();
        let parents: Vec<Option<usize>> = self.hops.iter().map(|hop| hop.parent).collect();
        let above = |hop: &ChainHop| {
            std::iter::successors(hop.parent, |parent| parents[*parent]).find(|parent| is_left[*parent]).map(place)
        };
        let mut out = Vec::new();
        let mut left = Vec::new();
        for (number, mut hop) in std::mem::take(&mut self.hops).into_iter().enumerate() {
            hop.parent = above(&hop);
            match (is_left[number], hop.parent) {
                (true, _) => left.push(hop),
                (false, parent) => out.push((parent.unwrap_or(0), hop)),
            }
        }
        self.hops = left;
        out
    }

    /// Names what hops were changed since.
    fn say_since(&mut self, changes: Option<&Changes>) {
        for hop in &mut self.hops {
            hop.changed_since = hop.changed_since.take().and(changes.map(|changes| changes.since.clone()));
        }
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

const LIST_OF_FAILURES: &str = "failures";

impl Session {
    /// Where a failure of the run can be explained from; the thread that has it.
    pub(crate) fn failing_thread(&self, thread: Option<&str>) -> Result<Moment<'_>, Error> {
        self.moment_at(Some(&PointText::Crash), thread).map_err(|error| match error {
            Error::NoCrash | Error::NothingRecorded | Error::NothingToExplain { .. } => self.without_start(),
            error => error,
        })
    }

    /// The number of the first failure that can be explained.
    fn first_explained(&self, failed: &[Failed]) -> Result<usize, Error> {
        let first = failed.iter().position(|failed| failed.found.is_some());
        first.map(|place| place + 1).ok_or_else(|| match failed.first().and_then(|failed| self.test(failed.test?)) {
            Some(test) if test.out_of_time.is_some() => Error::TestOutOfTime {
                title: test.title(),
                slowed: test.slowed().unwrap_or_default(),
                message: test.error.iter().flat_map(|message| message.lines()).next().unwrap_or_default().to_owned(),
            },
            Some(test) if test.titles.is_empty() => {
                Error::FileNotLoaded { file: test.title(), message: test.error.unwrap_or_default() }
            }
            Some(test) => Error::TestNotRecorded { title: test.title(), message: test.error.unwrap_or_default() },
            None => self.without_start(),
        })
    }

    /// A program that does not get as far as to run has no point: a syntax error, a file that is not there.
    fn without_start(&self) -> Error {
        // What was left out by hand is no news of the program.
        if self.run().leaves_files_out()
            && !self.has_code()
            && let Some(why) = self.nothing_to_explain()
        {
            return why;
        }
        let uncaught = self.run().threads().iter().find_map(|thread| {
            let trace = self.trace(thread);
            let (step, value, _) = trace.uncaught().into_iter().next()?;
            Some(trace.error_message(&value, step.id))
        });
        match uncaught {
            Some(message) => {
                self.all_tests_passed(Some(message.clone())).unwrap_or(Error::FailedUnrecorded { message })
            }
            None => self.all_tests_passed(None).or_else(|| self.nothing_to_explain()).unwrap_or(Error::NoCrash),
        }
    }

    /// That there is nothing to explain, and why, where the end of the run told that.
    pub(super) fn nothing_to_explain(&self) -> Option<Error> {
        // Of a shared run it is what somebody else wrote.
        if crate::sharing::is_imported(self.run().file()) {
            return None;
        }
        let told = self.run().file().others.iter().find(|(key, _)| key == RunFile::SITUATION);
        told.map(|(_, why)| Error::NothingToExplain { why: why.clone() })
    }

    pub(crate) fn why(&self, from: &Where, request: &WhyRequest) -> Result<(Moment<'_>, Chain), Error> {
        let is_of_failure = from.at.is_none() && from.frame.is_none() && request.place.is_none();
        if let Some(number) = request.failure.filter(|_| is_of_failure) {
            return self.why_failure(number, from, request);
        }
        if is_of_failure && self.tells_of_failed_tests() {
            return self.why_failed(&self.failed(from.thread.as_deref())?, None, request);
        }
        let moment = match is_of_failure {
            true => self.failing_thread(from.thread.as_deref())?,
            false => self.moment(from)?,
        };
        let passing = self.passing(request)?;
        let chain = moment.why(from, request, passing.as_ref())?;
        Ok((moment, chain))
    }

    /// What failed, the first first: each with where it starts.
    pub(crate) fn failures(&self, thread: Option<&str>, page: &PageRequest) -> Result<Page<NumberedFailure>, Error> {
        let all = self.failed(thread)?;
        let place = |(number, failed): &(usize, Failed)| {
            [*number as u64, failed.found.as_ref().map_or(0, |(_, failure)| failure.thrown.step.id.0)]
        };
        let all: Vec<(usize, Failed)> = (1..).zip(all).collect();
        let start = match page.numbers(LIST_OF_FAILURES)? {
            Some(wanted) => all.iter().position(|failed| place(failed) == wanted).ok_or_else(|| page.refused())?,
            None => 0,
        };
        let all = Page::cut(all, start, page, |next| Cursor::at(LIST_OF_FAILURES, place(next)));
        let shown = all.items.into_iter().filter_map(|(number, failed)| {
            let shown = failed.found.and_then(|(thread, failure)| {
                let moment = self.moment_of_failure(thread, &failure)?;
                let limits = Limits { hops: 1, found: 1, questions: 0, ..Limits::default() };
                Some(moment.chain_of_failure(why(&moment.trace, failure, limits), limits, 2).failure)
            });
            let failure = shown.or_else(|| Some(self.unrecorded(self.test(failed.test?)?)))?;
            Some(NumberedFailure { number, failure })
        });
        Ok(Page { items: shown.collect(), next: all.next, n_all: all.n_all })
    }

    fn why_failure(&self, number: usize, from: &Where, request: &WhyRequest) -> Result<(Moment<'_>, Chain), Error> {
        self.why_failed(&self.failed(from.thread.as_deref())?, Some(number), request)
    }

    /// One of the failures, or else the first that can be explained.
    fn why_failed(
        &self,
        all: &[Failed],
        wanted: Option<usize>,
        request: &WhyRequest,
    ) -> Result<(Moment<'_>, Chain), Error> {
        let (number, moment, failure) = self.numbered_failure(all, wanted)?;
        let n_failures = all.len();
        let limits = limits_of(request);
        let changes = Changes::of(self.run(), request.since.as_deref())?;
        let passing = self.passing(request)?;
        let explanation = moment.explained(failure, limits, passing.as_ref(), changes.as_ref());
        // The crash is that of the first failure.
        let is_crash = wanted.is_none();
        let mut chain = moment.chain_of_failure(explanation, limits, if is_crash { 1 } else { number });
        chain.say_since(changes.as_ref());
        self.was_explained(&chain.failure, &moment);
        if let Some(slowed) = chain.failure.test.as_ref().and_then(TestShown::slowed) {
            moment.note(&slowed);
        }
        if all[number - 1].test.is_some() && n_failures > 1 {
            let next = if number < n_failures { number + 1 } else { 1 };
            chain.more = Some(MoreFailures { n: n_failures - 1, next });
        }
        Ok((moment, chain))
    }

    /// One of the failures, or else the first that can be explained; with its number.
    pub(crate) fn numbered_failure(
        &self,
        all: &[Failed],
        wanted: Option<usize>,
    ) -> Result<(usize, Moment<'_>, Failure), Error> {
        let number = match wanted {
            Some(number) => number,
            None => self.first_explained(all)?,
        };
        let failed = number.checked_sub(1).and_then(|place| all.get(place));
        let failed = failed.ok_or(Error::NoSuchFailure { wanted: number, n_failures: all.len() })?;
        let Some((thread, failure)) = failed.found.clone() else {
            return Err(self.first_explained(std::slice::from_ref(failed)).err().unwrap_or(Error::NothingRecorded));
        };
        let moment = self.moment_of_failure(thread, &failure).ok_or(Error::NothingRecorded)?;
        Ok((number, moment, failure))
    }

    pub(crate) fn moment_of_failure(&self, number: usize, failure: &Failure) -> Option<Moment<'_>> {
        let trace = self.trace(self.run().threads().get(number - 1)?);
        let at = of_failure(&trace, failure)?;
        Some(self.new_moment(number, trace, at))
    }

    /// All failures of as good evidence as the first, with the numbers of their threads.
    pub(crate) fn all_failures(&self, thread: Option<&str>) -> Result<Vec<(usize, Failure)>, Error> {
        let mut all: Vec<(usize, Failure)> = Vec::new();
        for (number, thread) in self.threads(thread)? {
            all.extend(failures_of(&self.trace(thread)).into_iter().map(|failure| (number, failure)));
        }
        all.sort_by_key(|(_, failure)| failure.standing.key());
        let Some((_, first)) = all.first() else { return Err(self.without_start()) };
        let best = first.standing.evidence;
        all.retain(|(_, failure)| failure.standing.evidence >= best.min(Evidence::Reported));
        Ok(all)
    }
}

impl Session {
    /// The run that did not fail, if one is named.
    fn passing(&self, request: &WhyRequest) -> Result<Option<Session>, Error> {
        let open = |run: &RunChoice| Session::open(run, &self.project());
        request.against.as_ref().map(open).transpose()
    }

    /// What the sites of all threads did: a test runner has each file in a process of its own. The course is that of the thread which
    /// loaded most of the files of the failing one.
    fn profile(&self, failing: &Thread) -> Option<Profile> {
        let paths = |thread: &Thread| -> HashSet<String> {
            thread.code().units().iter().map(|unit| unit.record.path.clone()).collect()
        };
        let own = paths(failing);
        let threads = self.run().threads();
        let likest = threads.iter().min_by_key(|thread| Reverse(paths(thread).intersection(&own).count()))?;
        let mut profile = Profile::of(&self.trace(likest));
        for other in threads.iter().filter(|thread| !std::ptr::eq(*thread, likest)) {
            profile.add(Profile::of(&self.trace(other)));
        }
        Some(profile)
    }
}

impl Moment<'_> {
    /// Beside a passing run, or else beside what was changed in the source.
    fn explained(
        &self,
        failure: Failure,
        limits: Limits,
        passing: Option<&Session>,
        changes: Option<&Changes>,
    ) -> Explanation {
        match passing.and_then(|passing| passing.profile(self.trace.thread)) {
            Some(profile) => why_against(&self.trace, failure, limits, &profile),
            None => why_since(&self.trace, failure, limits, changes.map(|changes| &changes.lines)),
        }
    }

    fn why(&self, from: &Where, request: &WhyRequest, passing: Option<&Session>) -> Result<Chain, Error> {
        let limits = limits_of(request);
        let is_of_crash = from.frame.is_none() && matches!(from.at, None | Some(PointText::Crash));
        let is_at_crash = is_of_crash || self.at.shown.is_some();
        match (&request.place, &self.at.focus) {
            (None, None) if is_at_crash => {
                let failure = failures_of(&self.trace).into_iter().next();
                let failure = failure.ok_or(Error::NoCrash)?;
                let changes = Changes::of(self.run, request.since.as_deref())?;
                let explanation = self.explained(failure, limits, passing, changes.as_ref());
                let mut chain = self.chain(explanation, limits);
                chain.say_since(changes.as_ref());
                Ok(chain)
            }
            (None, None) if self.is_output() => self.why_printed(limits),
            (None, None) => self.why_reached(limits),
            _ => self.why_value(request.place.as_deref(), limits),
        }
    }

    /// Why a place held what it held.
    fn why_value(&self, place: Option<&str>, limits: Limits) -> Result<Chain, Error> {
        let (held, text) = self.place(place)?;
        if let Some(change) = self.written_here(&held) {
            return Ok(self.why_written(held, &text, &change, limits));
        }
        let mut chain = self.chain(why_held(&self.trace, &self.at.step, held, limits), limits);
        let value = self.datum(place).ok().map(|value| self.value(&value, self.at.scene.before));
        let message = match &value {
            Some(value) => format!("{text} was {}", value.text),
            None => text,
        };
        chain.asks(message, value);
        Ok(chain)
    }

    /// What the point itself did to a place: a point that is a write stands for the write. (A line stands for the moment before it.)
    fn written_here(&self, place: &Place) -> Option<Change> {
        let is_event = matches!(self.asked_at.0, Some(PointText::Answer(_) | PointText::Event(_)));
        if !is_event || self.is_of_frame {
            return None;
        }
        let step = &self.at.step;
        match last_change(&self.trace, place, EventId(step.id.0 + 1)) {
            LastChange::Written(change) | LastChange::CreatedWith(change) => Some(change),
            _ => None,
        }
        .filter(|change| change.step.id == step.id)
    }

    fn why_written(&self, place: Place, text: &str, change: &Change, limits: Limits) -> Chain {
        let mut chain = self.chain(why_written(&self.trace, &change.step, place, limits), limits);
        let new = self.option_value(&change.new, self.settled(&change.step));
        let old = self.option_value(&change.old, change.step.id);
        let message = match (&old, &new) {
            (Some(old), Some(new)) => format!("{text}: {} → {}", old.text, new.text),
            (None, Some(new)) => format!("{text} became {}", new.text),
            (_, None) => format!("{text} was removed"),
        };
        chain.asks(message, new);
        chain
    }

    fn is_output(&self) -> bool {
        matches!(self.at.step.event, Event::Record(Record::Output { .. }))
    }

    /// Why the program printed what it did.
    fn why_printed(&self, limits: Limits) -> Result<Chain, Error> {
        let Some(explanation) = why_printed(&self.trace, &self.at.step, limits) else {
            return self.why_reached(limits);
        };
        let mut chain = self.chain(explanation, limits);
        chain.asks("this was printed".into(), None);
        Ok(chain)
    }

    /// Why control came to the point, and what was computed there.
    fn why_reached(&self, limits: Limits) -> Result<Chain, Error> {
        let step = self.anchor(&self.at.step).ok_or(Error::NothingRecorded)?;
        let frame = step.frame.ok_or(Error::NothingRecorded)?;
        // As if the program had thrown there.
        let thrown = Thrown { before: step.id, step, frame, is_explicit: true };
        let mut chain = self.chain(why(&self.trace, Failure::about(thrown), limits), limits);
        chain.asks("control came here".into(), None);
        Ok(chain)
    }

    /// Of the first failure, or of another one: what is asked at its point is not asked at the crash.
    fn chain_of_failure(&self, explanation: Explanation, limits: Limits, number: usize) -> Chain {
        let root = explanation.hops.first().map(|root| (root.step.clone(), root.at));
        let mut chain = self.chain(explanation, limits);
        if let (Some((step, at)), Some(root)) = (root.filter(|_| number > 1), chain.hops.first_mut()) {
            root.point = Point { event: root.point.event, ..self.point_at_source(&step, at, "") };
            chain.failure.point = root.point.clone();
        }
        chain
    }

    fn chain(&self, explanation: Explanation, limits: Limits) -> Chain {
        self.chain_within(explanation, limits, MOST_SENDERS)
    }

    /// So many times on to who sent something.
    pub(crate) fn chain_within(&self, explanation: Explanation, limits: Limits, depth: usize) -> Chain {
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
                    None if failure.kind != FailureKind::Asked => {
                        // What its call did before it failed is before it.
                        let last = self.trace.thread.end().0.saturating_sub(1);
                        let event = failure.thrown.before.0.min(last).max(hop.step.id.0);
                        Point { event, ..self.crash_point(&hop.step, hop.at) }
                    }
                    _ => self.point_at_source(&hop.step, hop.at, &hop.subject),
                },
                text: match hop.other_time {
                    Some(time) => format!("{}: {}", words_of_time(time), self.hop_text(hop)),
                    None => self.hop_text(hop),
                },
                value: self.option_value(&hop.value, self.settled(&hop.step)),
                place: (hop.kind == HopKind::Write && hop.step.site().is_some()).then(|| hop.subject.clone()),
                old: self.old_value(hop),
                parent: hop.parent.and_then(place_of),
                rounds: hop.rounds.as_ref().map(|rounds| self.rounds(limits.all_rounds, hop, rounds)),
                because: hop.because.as_ref().map(|because| self.reason(because)),
                difference: hop.difference.map(Difference::name),
                end: hop.end.as_ref().map(|end| self.chain_end(hop, end)),
                with: Vec::new(),
                subject: hop.subject.clone(),
                is_minor: hop.is_minor,
                is_beside: hop.is_beside,
                // Since when, whoever asked git knows.
                changed_since: hop.was_changed.then(String::new),
                is_built_in: hop.kind == HopKind::Write && hop.step.site().is_none(),
                suspicion: hop.suspicion,
                other_time: hop.other_time.map(OtherTime::name),
                rank: Some(*number),
            }
        });
        let shown_hops: Vec<ChainHop> = shown.collect();
        let failure = self.failure_shown(&failure, shown_hops.first());
        let mut chain = Chain { failure, hops: shown_hops, summary: None, more: None };
        let arrival = |(place, number): (usize, &usize)| Some((place, hops[*number].arrival.clone()?));
        let arrivals = order.iter().enumerate().filter_map(arrival).collect();
        self.follow_senders(&mut chain, arrivals, limits, depth);
        if limits.questions > 0 {
            let mut lacking: Vec<usize> =
                (0..order.len()).filter(|place| hops[order[*place]].lacks.is_some()).collect();
            lacking.sort_by_key(|place| order[*place]);
            let lacking = lacking.into_iter().filter_map(|place| Some((place, hops[order[place]].lacks.clone()?)));
            self.tell_omissions(&mut chain, lacking.collect());
        }
        chain.keep(limits.hops);
        chain.fold();
        chain.summary = chain.summed_up();
        chain
    }

    /// What the place held that a hop wrote.
    fn old_value(&self, hop: &Hop) -> Option<Value> {
        if hop.kind != HopKind::Write {
            return None;
        }
        let code = self.trace.code(hop.step.site()?)?;
        let target = code.site_facts(hop.step.site()?).target?;
        let evaluation = self.trace.evaluation(&hop.step);
        let place = self.trace.place_in(&code, self.trace.scene(&hop.step)?, &evaluation, target).ok()?;
        match last_change(&self.trace, &place, EventId(hop.step.id.0 + 1)) {
            LastChange::Written(change) if change.step.id == hop.step.id => self.option_value(&change.old, hop.step.id),
            _ => None,
        }
    }

    fn reason(&self, because: &Because) -> ChainReason {
        let value = because.value.as_ref().map(|value| self.value(value, self.settled(&because.step)).text);
        let text = match because.reason {
            Reason::Condition => self.condition_words(&because.step, &because.subject, value.as_deref()),
            Reason::Default => format!("the default was used because {} was undefined", because.subject),
            Reason::NotPassed => "the default was used because no argument was passed".into(),
            Reason::PassedNothing => "the default was used because undefined was passed".into(),
        };
        ChainReason { text, point: self.passing_point(&because.step, because.at, &because.subject) }
    }

    fn failure_shown(&self, failure: &Failure, root: Option<&ChainHop>) -> FailureShown {
        let step = &failure.thrown.step;
        FailureShown {
            kind: match failure.kind {
                FailureKind::Uncaught => "uncaught",
                FailureKind::Rejection => "rejection",
                FailureKind::Caught => "caught",
                FailureKind::Reported => "reported",
                FailureKind::Ended => "ended",
                FailureKind::Asked => "asked",
            },
            message: failure.message.clone(),
            point: root.map_or_else(|| self.point(step), |root| root.point.clone()),
            value: self.option_value(&failure.error, failure.thrown.before),
            discrepancy: self.trace.discrepancy(failure).map(Discrepancy::name),
            test: self.test_of(failure),
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
                (Some(value), Some(Datum::Object(_))) if subject.starts_with("new ") => {
                    format!("{value} was made by {subject}")
                }
                (Some(value), Some(Datum::Object(_))) => format!("{subject} made {value}"),
                (Some(value), _) => format!("the object was created with {subject} = {value}"),
                (None, _) if subject.starts_with("new ") => format!("the object was made by {subject}"),
                (None, _) => format!("the object was created with {subject}, whose value is not captured"),
            },
            HopKind::Argument if value.as_ref().is_none_or(|value| is_same_text(value, subject)) => {
                format!("{subject} was passed")
            }
            HopKind::Argument => format!("{} was passed ({subject})", value.unwrap_or_default()),
            HopKind::Return if subject.is_empty() => format!("returned {}", value.as_deref().unwrap_or("undefined")),
            HopKind::Return if value.as_ref().is_none_or(|value| is_same_text(value, subject)) => {
                format!("returned {subject}")
            }
            HopKind::Return => {
                let reads = self.read_words(&hop.step, subject);
                format!("returned {} ({subject}{reads})", value.unwrap_or_default())
            }
            HopKind::Condition => self.condition_words(&hop.step, subject, value.as_deref()),
            HopKind::Call => format!("{} was called", self.call_words(hop)),
            HopKind::NoReceiver => format!("{} was called on no object, so this was undefined", self.call_words(hop)),
            HopKind::Registration => format!("{} was given the callback", self.call_words(hop)),
            HopKind::Resume => format!("resumed after {subject}"),
            HopKind::Removed => format!("{subject} was removed"),
            HopKind::NeverWritten => format!("{subject} was never written"),
            HopKind::Foreign => self.foreign_words(hop, value.as_deref()),
            HopKind::Received => {
                let subject = if subject.is_empty() { "it" } else { subject };
                match &value {
                    Some(value) => format!("{subject} was received: {value}"),
                    None => format!("{subject} was received"),
                }
            }
            HopKind::Sent => format!("sent by {}", without_bodies(subject)),
            HopKind::Pending => {
                let what = hop.source.as_deref().unwrap_or("it");
                format!(
                    "{} was given a function that writes {what} and was not called by then",
                    without_bodies(subject)
                )
            }
            HopKind::Evidence => match &value {
                Some(value) => format!("here {subject} became {value}"),
                None => format!("compare {subject}"),
            },
        }
    }

    /// The call that a hop tells of; what else led into a function has its own words.
    fn call_words(&self, hop: &Hop) -> String {
        match self.trace.called(&hop.step) {
            Some(call) => shortened(&without_bodies(&call), LONGEST_CALL),
            None if hop.subject.trim().is_empty() => "the function".into(),
            None => without_bodies(&hop.subject),
        }
    }

    /// What an expression read beside itself: `, n = 4`.
    fn read_words(&self, step: &Step, subject: &str) -> String {
        let reads = self.trace.readings(step);
        let reads = reads.iter().filter(|read| read.text != subject).take(MOST_READS);
        reads.map(|read| format!(", {} = {}", read.text, self.value(&read.value, step.id).text)).collect()
    }

    /// What code did that is not recorded: `Array.map (built in) made this from parts`.
    fn foreign_words(&self, hop: &Hop, value: Option<&str>) -> String {
        let is_known = match &hop.step.event {
            Event::Record(Record::Look { object, .. } | Record::Effect { object, .. }) => {
                self.trace.last(&Target::Object(*object), hop.step.id).is_some()
            }
            _ => false,
        };
        let deed = match value {
            Some(value) => format!("gave {value}"),
            None if is_known => "changed this".into(),
            None => "made this".into(),
        };
        if hop.subject.is_empty() {
            return format!("code that is not recorded {deed}");
        }
        match self.trace.built_in_called(&hop.step) {
            Some(BuiltInCall { name, given: Some(given) }) => {
                format!("{name} (built in) {deed} from {}", shortened(&without_bodies(&given), LONGEST_CALL))
            }
            Some(BuiltInCall { name, given: None }) => format!("{name} (built in) {deed}"),
            None => format!("{}, which is not recorded, {deed}", without_bodies(&hop.subject)),
        }
    }

    /// What a built-in did: `#18 push #20`.
    fn built_in_words(&self, step: &Step) -> String {
        let line = EventLine::of_step(self.trace.thread, self.number, step, 0, &self.run.file().folder);
        match line.text.split_once(' ') {
            // As `sort` and `reverse` do.
            Some((object, "refill")) => {
                format!("a built-in put what {object} holds in another order, or filled it anew")
            }
            Some((object, what)) => format!("a built-in changed {object}: {what}"),
            None => "a built-in changed the object".into(),
        }
    }

    fn chain_end(&self, hop: &Hop, end: &End) -> ChainEnd {
        let is_object = matches!(hop.value, Some(Datum::Object(_)));
        let text = match (end.terminator, end.about.as_deref()) {
            (Terminator::Literal, about) => format!("{} is a literal in the source", about.unwrap_or("it")),
            (Terminator::Computed, about) => format!("{} is computed from literals", about.unwrap_or("it")),
            (Terminator::Birth, Some(about)) => format!("{about} was made here"),
            (Terminator::Birth, None) if is_object => "the object was made here".into(),
            (Terminator::Birth, None) => "it was made here".into(),
            (Terminator::OutsideInput, about) => format!("{} came from outside the program", about.unwrap_or("it")),
            (Terminator::NeverWritten, about) => format!("nothing ever wrote {}", about.unwrap_or("it")),
            // The hop says so.
            (Terminator::ForeignCode, _) if hop.kind == HopKind::Foreign => String::new(),
            (Terminator::ForeignCode, Some(about)) => format!("code that is not recorded gave {about}"),
            (Terminator::ForeignCode, None) => "code that is not recorded did it".into(),
            (Terminator::BuiltIn, Some(about)) => format!("a built-in function gave {about}"),
            (Terminator::BuiltIn, None) => "a built-in function gave it".into(),
            (Terminator::StartOfRecording, _) => "the recording starts here".into(),
            (Terminator::NotCaptured, about) => format!("where {} came from was not recorded", about.unwrap_or("it")),
        };
        let writers = match end.terminator {
            Terminator::NeverWritten => self.writers_of_lacking(hop, end.about.as_deref()),
            _ => Vec::new(),
        };
        ChainEnd { kind: end.terminator.name(), about: end.about.as_deref().map(str::to_owned), text, writers }
    }

    /// The writes that the code has of what a hop lacks.
    fn writers_of_lacking(&self, hop: &Hop, about: Option<&str>) -> Vec<SourceLine> {
        let place = match hop.lacks.as_ref().map(|lacks| &lacks.about) {
            Some(About::Property(object, key)) => Place::Property { object: *object, key: key.clone() },
            Some(About::Variable(place)) => Place::Variable { place: *place, name: hop.subject.clone() },
            Some(About::Code | About::Object(_)) => return Vec::new(),
            None => Place::Global { name: about.unwrap_or(&hop.subject).to_owned() },
        };
        self.writers(&place)
    }
}

fn words_of_time(time: OtherTime) -> &'static str {
    match time {
        OtherTime::EarlierIteration => "in an earlier iteration",
        OtherTime::LaterIteration => "in a later iteration",
        OtherTime::EarlierCall => "in an earlier call",
        OtherTime::LaterCall => "in a later call",
        OtherTime::InnerCall => "in an inner call",
        OtherTime::OuterCall => "in an outer call",
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
    let Some(body) = body else { return call.to_owned() };
    let mut depth = 1;
    let end = call[body..].find(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    });
    // What is not shown to its end has none.
    let behind = end.map_or("})", |end| &call[body + end..]);
    format!("{}…{behind}", &call[..body])
}

fn limits_of(request: &WhyRequest) -> Limits {
    match request.all {
        true => Limits { hops: MOST_HOPS, all_rounds: true, ..Limits::default() },
        false => Limits::default(),
    }
}

const LONGEST_CALL: usize = 80;
const MOST_READS: usize = 3;

/// From an answer to a request, to what that asked for, and back.
const MOST_SENDERS: usize = 4;

/// Of the whole graph; a search that leads through a whole program tells nobody anything.
const MOST_HOPS: usize = 500;

/// Whether an exception ended the thread.
pub(crate) fn has_uncaught(thread: &Thread) -> bool {
    thread.last(&Target::Uncaught, thread.end()).is_some()
}
