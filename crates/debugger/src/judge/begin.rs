//! From a run to its first question.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

use query::judge::{
    Criterion, FunctionNumber, Relevance, Scan, Scratch, Seen, Tables, passing_tests, scan, sizes, slice,
};
use trace_model::{Event, EventId, Record};
use trace_store::{Step, Target};

use super::passing::{self, Reference};
use super::verdicts::{Store, Trust};
use super::{Judge, JudgeRequest, Strategy};
use crate::ask::{failures_of, started};
use crate::{Error, Moment, PointText, Session};

const STDOUT: u32 = 1;
/// So many lines before the first wrong one are looked at.
const MOST_LINES: usize = 16;
/// How many questions the way back from a wrong value may take: it is followed as far as it tells something.
const MOST_STEPS: usize = 4_000;
/// In a run with so many calls each takes longer, and tells less.
const MANY_CALLS: usize = 100_000;
const MOST_STEPS_OF_MANY: usize = 100;
/// Between two questions there is less time.
const FEW_CALLS: usize = 1_000;
const FEWEST_STEPS: usize = 40;

impl<'s> Judge<'s> {
    /// Goes over all events once. `progress` is told how many of how many are done.
    pub fn begin(
        session: &'s Session,
        request: &JudgeRequest,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Judge<'s>, Error> {
        let mut store = Store::open(session.run().folder(), request.is_fresh)?;
        let request = &remembered(request, &mut store)?;
        let moment = session.moment_at(request.at.as_ref(), request.thread.as_deref())?;
        if moment.trace.is_sparse() {
            moment.trace.rests_on_everything(
                "judging needs every call and what it did: record everything, as `wherefore record` does",
            );
            session.complete(Ok(()))?;
        }
        let root = started(session.run(), &moment.trace).and_then(|entered| entered.frame);
        let what = if request.strategy == Strategy::DefUse { Scan::Chains } else { Scan::Edges };
        let is_weighed = |path: &str| request.distrust || moment.trace.is_own_path(path);
        let events = of_failed_test(&moment, request).unwrap_or_else(|| moment.trace.all_events());
        let tree = scan(&moment.trace, root, what, &is_weighed, events, progress);
        if tree.is_empty() {
            return Err(Error::NothingRecorded);
        }
        for text in &request.trust {
            store.add_trust(Trust::parse(text))?;
        }
        let folder = session.project();
        let references = request.against.iter().map(|run| Reference::open(run, &folder)).collect::<Result<_, _>>()?;
        let mut judge = Judge {
            session,
            tree,
            trusted: Vec::new(),
            relevance: Relevance::default(),
            unpointed: Relevance::default(),
            strategy: request.strategy,
            without: request.without.clone(),
            distrust: request.distrust,
            store,
            inferred: Vec::new(),
            references,
            n_asked: 0,
            n_judged: 0,
            answered: Vec::new(),
            notes: Vec::new(),
            tables: if request.singly { Tables::off() } else { Tables::default() },
            seen: Seen::default(),
            scratch: Scratch::default(),
            prints: RefCell::new(HashMap::new()),
            newest: RefCell::default(),
            moment,
        };
        judge.trusted = judge.find_trusted();
        judge.notes = notes(&judge, request);
        if request.strategy == Strategy::Slice {
            let criterion = criterion(&judge.moment, request)?;
            let right = before_the_first_wrong(&judge.moment, &criterion, request);
            let trace = &judge.moment.trace;
            let beside = match &criterion {
                Criterion::Failure(failure) => {
                    passing_tests(trace, &judge.tree, failure, &failures_of(&judge.moment.trace))
                }
                _ => Vec::new(),
            };
            judge.relevance.moment = criterion.moment();
            judge.relevance.sizes = sizes(trace, &judge.tree);
            judge.relevance.add_wrong(&slice(trace, &judge.tree, criterion, judge.n_steps()));
            let n_steps = judge.n_steps() / right.len().max(1);
            for output in right {
                let shares = slice(trace, &judge.tree, Criterion::Output(output), n_steps);
                judge.relevance.add_right(&judge.tree, &shares);
            }
            judge.relevance.passing = passing::exonerated(&judge.moment, &judge.tree, &request.passing, &folder)?;
            judge.relevance.add_passing(&beside);
            judge.unpointed = judge.relevance.clone();
            judge.point_again();
        }
        judge.infer_broken_types();
        for given in judge.store.given(&judge.tree, judge.moment.number) {
            judge.infer_identical(&[given]);
        }
        Ok(judge)
    }

    /// How far the way back from a place is followed that a person points at, who waits for the next question.
    pub(super) fn n_steps_meanwhile(&self) -> usize {
        (MOST_STEPS * FEW_CALLS / self.tree.len().max(1)).clamp(FEWEST_STEPS, MOST_STEPS)
    }

    /// How far the way back from a wrong value is followed.
    fn n_steps(&self) -> usize {
        if self.tree.len() > MANY_CALLS { MOST_STEPS_OF_MANY } else { MOST_STEPS }
    }

    /// By function: what nobody is asked about.
    pub(super) fn find_trusted(&self) -> Vec<bool> {
        let n_functions = self.tree.functions().len() as u32;
        let mut trusted: Vec<bool> = (0..n_functions).map(|number| self.is_trusted(FunctionNumber(number))).collect();
        if !self.tree.has_root_frame()
            && let Some(program) = trusted.last_mut()
        {
            // It is no code of its own.
            *program = true;
        }
        trusted
    }

    fn is_trusted(&self, function: FunctionNumber) -> bool {
        let Some(path) = self.path_of(function) else { return true };
        if !self.distrust && !self.moment.trace.is_own_path(&path) {
            return true;
        }
        let called = self.tree.functions()[function.0 as usize];
        let unit = self.moment.trace.thread.code().unit(called.unit);
        let name = unit.and_then(|unit| self.moment.function_name(unit, called.function));
        let (file, package) = (self.moment.relative(&path), self.moment.package_at(&path));
        self.store.trusts().any(|trust| trust.holds_for(name.as_deref(), &file, package.as_deref()))
    }
}

/// The events of the test that failed, if nobody points at something else: what other tests called is nothing that a person should judge.
fn of_failed_test(moment: &Moment, request: &JudgeRequest) -> Option<Range<EventId>> {
    let is_pointed_at = request.wrong.is_some() || request.at.is_some();
    let failure = failures_of(&moment.trace).into_iter().next().filter(|_| !is_pointed_at)?;
    moment.trace.events_of_test(moment.trace.tests().get(failure.test?)?)
}

/// What was pointed at in an earlier session stands until something else is.
fn remembered(request: &JudgeRequest, store: &mut Store) -> Result<JudgeRequest, Error> {
    let at = request.at.as_ref().map(PointText::to_string);
    let (wrong, at) = store.pointed(request.wrong.as_deref(), at)?;
    Ok(JudgeRequest { wrong, at: at.and_then(|at| at.parse().ok()), ..request.clone() })
}

/// What a person should know who expects more.
fn notes(judge: &Judge, request: &JudgeRequest) -> Vec<String> {
    let is_pointed_at = request.wrong.is_some() || request.at.is_some();
    let mut notes = Vec::new();
    if judge.tree.len() == 1 {
        notes.push("no calls were recorded: if anything is wrong, it is at the top level".to_owned());
    } else if request.strategy == Strategy::Slice && !is_pointed_at && failures_of(&judge.moment.trace).is_empty() {
        notes.push(
            "nothing failed, and nobody said what is wrong: the order follows from the last output; --wrong says what is wrong"
                .to_owned(),
        );
    }
    notes
}

/// What is wrong: what the person points at, or else the failure, or else the last thing that was printed.
fn criterion(moment: &Moment, request: &JudgeRequest) -> Result<Criterion, Error> {
    let before = moment.at.scene.before;
    if let Some(text) = &request.wrong {
        let (place, _) = moment.place(Some(text))?;
        return Ok(Criterion::Place { place, value: moment.datum(Some(text)).ok(), before });
    }
    if let Event::Record(Record::Output { .. }) = &moment.at.step.event
        && request.at.is_some()
    {
        return Ok(Criterion::Output(moment.at.step.clone()));
    }
    if let Some(failure) = failures_of(&moment.trace).into_iter().next() {
        return Ok(Criterion::Failure(failure));
    }
    let output = moment.trace.last(&Target::Output, moment.trace.thread.end());
    Ok(output.map_or(Criterion::None, Criterion::Output))
}

/// Whoever points at a line of output, or at the crash, points at the first thing that is wrong: what was written before is right.
fn before_the_first_wrong(moment: &Moment, wrong: &Criterion, request: &JudgeRequest) -> Vec<Step> {
    let fd_of = |step: &Step| match &step.event {
        Event::Record(Record::Output { fd, .. }) => Some(*fd),
        _ => None,
    };
    let (fd, mut before) = match wrong {
        Criterion::Output(step) if request.at.is_some() => (fd_of(step), step.id),
        Criterion::Failure(failure) => (Some(STDOUT), failure.thrown.step.id),
        _ => return Vec::new(),
    };
    let mut right = Vec::new();
    while let Some(step) = moment.trace.last(&Target::Output, before)
        && right.len() < MOST_LINES
    {
        before = step.id;
        if fd_of(&step) == fd {
            right.push(step);
        }
    }
    right
}
