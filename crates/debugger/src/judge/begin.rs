//! From a run to its first question.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;

use query::judge::{Criterion, FunctionNumber, Relevance, Scan, Seen, scan, slice};
use trace_model::{Event, Record};
use trace_store::Target;

use super::passing::{self, Reference};
use super::verdicts::{Store, Trust};
use super::{Judge, JudgeRequest, Strategy, package_of};
use crate::ask::{failures_of, started};
use crate::{Error, Session, Standpoint};

/// How many questions the way back from a wrong value may take: it is followed as far as it tells something.
const MOST_STEPS: usize = 4_000;
/// In a run with so many calls each takes longer, and tells less.
const MANY_CALLS: usize = 100_000;
const MOST_STEPS_OF_MANY: usize = 100;

impl<'s> Judge<'s> {
    /// Goes over all events once. `progress` is told how many of how many are done.
    pub fn begin(
        session: &'s Session,
        request: &JudgeRequest,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Judge<'s>, Error> {
        let stand = session.stand_at(request.at.as_ref(), request.thread.as_deref())?;
        if stand.trace.is_sparse() {
            stand.trace.rests_on_everything(
                "judging needs every call and what it did: record everything, as `wherefore record` does",
            );
            session.complete(Ok(()))?;
        }
        let root = started(session.run(), &stand.trace).and_then(|entered| entered.frame);
        let what = if request.strategy == Strategy::DefUse { Scan::Chains } else { Scan::Edges };
        let is_weighed = |path: &str| request.distrust || package_of(path).is_none();
        let tree = scan(&stand.trace, root, what, &is_weighed, progress);
        if tree.is_empty() {
            return Err(Error::NothingRecorded);
        }
        let mut store = Store::open(session.run().folder(), request.is_fresh)?;
        for text in &request.trust {
            store.add_trust(Trust::parse(text))?;
        }
        let folder = Path::new(&session.run().file().folder);
        let references = request.against.iter().map(|run| Reference::open(run, folder)).collect::<Result<_, _>>()?;
        let mut judge = Judge {
            session,
            tree,
            trusted: Vec::new(),
            relevance: Relevance::default(),
            strategy: request.strategy,
            without: request.without.clone(),
            distrust: request.distrust,
            store,
            inferred: Vec::new(),
            references,
            n_asked: 0,
            seen: Seen::default(),
            prints: RefCell::new(HashMap::new()),
            stand,
        };
        judge.trusted = judge.find_trusted();
        if request.strategy == Strategy::Slice {
            let criterion = criterion(&judge.stand, request)?;
            judge.relevance = slice(&judge.stand.trace, &judge.tree, criterion, judge.n_steps());
            judge.relevance.passing = passing::exonerated(&judge.stand, &judge.tree, &request.passing, folder)?;
        }
        for given in judge.store.given(&judge.tree, judge.stand.number) {
            judge.infer_identical(given.node, given.verdict);
        }
        Ok(judge)
    }

    /// How far the way back from a wrong value is followed.
    pub(super) fn n_steps(&self) -> usize {
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
        if !self.distrust && package_of(&path).is_some() {
            return true;
        }
        let called = self.tree.functions()[function.0 as usize];
        let unit = self.stand.trace.thread.code().unit(called.unit);
        let name = unit.and_then(|unit| self.stand.function_name(unit, called.function));
        let file = self.stand.relative(&path);
        self.store.trusts().any(|trust| trust.holds_for(name.as_deref(), &file))
    }
}

/// What is wrong: what the person points at, or else the failure, or else the last thing that was printed.
fn criterion(stand: &Standpoint, request: &JudgeRequest) -> Result<Criterion, Error> {
    let before = stand.at.scene.before;
    if let Some(text) = &request.wrong {
        let (place, _) = stand.place(Some(text))?;
        return Ok(Criterion::Place { place, value: stand.datum(Some(text)).ok(), before });
    }
    if let Event::Record(Record::Output { .. }) = &stand.at.step.event
        && request.at.is_some()
    {
        return Ok(Criterion::Output(stand.at.step.clone()));
    }
    if let Some(failure) = failures_of(&stand.trace).into_iter().next() {
        return Ok(Criterion::Failure(failure));
    }
    let output = stand.trace.last(&Target::Output, stand.trace.thread.end());
    Ok(output.map_or(Criterion::None, Criterion::Output))
}
