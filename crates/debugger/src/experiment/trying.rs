//! One experiment by hand: what would have happened.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use query::{Experiment, LastCondition, WayPast, experiment_at, last_condition};
use record::TrialEnding;
use trace_model::InterventionChange;
use trace_store::Step;

use super::differences::{FailureAfter, LineDifference, line_differences};
use super::lab::{Lab, Texts, bare, recording_timeout_of, texts_of, timeout_of};
use super::words::had;
use super::{Announcement, Budget, ExperimentChange, Point, TryRequest};
use crate::ask::Moment;
use crate::{Error, RunOutcome, Session};

/// What would have happened, told as what is not the same as before.
#[derive(Clone, Debug)]
pub struct TryAnswer {
    /// Where something was different.
    pub point: Point,
    /// `had a > b been true here`
    pub had: String,
    /// Whether control came there at all.
    pub is_applied: bool,
    pub before: RunOutcome,
    /// `None`: it was stopped, as it took too long or too much memory.
    pub after: Option<RunOutcome>,
    pub stopped: Option<&'static str>,
    pub failure: FailureAfter,
    pub lines: Vec<LineDifference>,
    /// Code behind the failure that the run before never came to.
    pub reached: Option<Point>,
    pub notes: Vec<String>,
}

impl Session {
    /// Runs the program again with one thing different.
    pub fn try_out(&self, request: &TryRequest, announce: &dyn Fn(&Announcement)) -> Result<TryAnswer, Error> {
        let moment = self.moment_when(request.at.as_ref(), request.condition.as_deref(), request.thread.as_deref())?;
        let experiment = experiment_of(&moment, &request.change)?;
        let failures = self.all_failures(None).unwrap_or_default();
        let failure = failures.first();
        let message = failure.map(|(_, failure)| failure.message.clone());
        let lab = Lab::of(self.run(), request.allows_effects, request.signals, &request.cancel)?;
        let mut stage = lab.stage("0")?;
        announce(&Announcement {
            command: lab.command.clone(),
            budget: Budget { runs: N_RUNS, ..Budget::default() },
            at_once: 1,
            is_closed: lab.is_closed(&stage),
        });
        let texts: Texts = texts_of(moment.trace.thread, [&experiment].into_iter());
        let plain = lab.reproduce(&mut stage, self.run(), message.as_deref())?;
        let enough = AtomicBool::new(false);
        let (tried, notes) = lab.try_one(&mut stage, &texts, &experiment.intervention, timeout_of(&plain), &enough)?;
        let stopped = match tried.ending {
            TrialEnding::Ended => None,
            TrialEnding::TimedOut => Some("it still ran after five times as long, and was stopped"),
            TrialEnding::TookTooMuchMemory => Some("it took too much memory, and was stopped"),
            TrialEnding::Interrupted => return Err(Error::Experiment("interrupted".into())),
        };
        let mut answer = TryAnswer {
            point: moment.point(&experiment.step),
            had: had(moment.trace.language(), &experiment),
            is_applied: notes.is_applied,
            before: RunOutcome::from(plain.tried.outcome),
            after: stopped.is_none().then(|| RunOutcome::from(tried.outcome)),
            stopped,
            failure: FailureAfter::None,
            lines: line_differences(&plain.tried, &tried, &|text| lab.without_stage(text)),
            reached: None,
            notes: Vec::new(),
        };
        if notes.has_other_text {
            answer.notes.push(format!("{} has changed since it was recorded", experiment.intervention.path));
        }
        let says = |message: &str| {
            let first = bare(message.lines().next().unwrap_or_default());
            [&tried.stdout, &tried.stderr].iter().any(|text| bare(text).contains(&first))
        };
        if let Some(message) = message.filter(|_| stopped.is_none()) {
            answer.failure = if answer.after == Some(RunOutcome::Exited(0)) || !says(&message) {
                FailureAfter::Gone
            } else {
                FailureAfter::Same
            };
        }
        if let Some((number, failure)) = failure.filter(|_| stopped.is_none() && answer.is_applied) {
            let way = self.run().threads().get(number - 1).map(|thread| WayPast::of(&self.trace(thread), failure));
            let run = lab.record_one(&mut stage, &experiment.intervention, recording_timeout_of(&plain))?;
            let session = Session::of(run);
            let path_of = |path: &str| stage.path_of(Path::new(path)).to_string_lossy().into_owned();
            answer.reached = way.and_then(|way| session.reached(&way, &path_of));
            if answer.failure == FailureAfter::Gone && answer.after != Some(RunOutcome::Exited(0)) {
                let other = session.all_failures(None).ok().and_then(|all| Some(all.first()?.1.message.clone()));
                answer.failure = other.map_or(FailureAfter::Gone, FailureAfter::Another);
            }
        }
        Ok(answer)
    }

    /// What a run came to behind a failure of another.
    pub(super) fn reached(&self, way: &WayPast, path_of: &dyn Fn(&str) -> String) -> Option<Point> {
        for (number, thread) in (1..).zip(self.run().threads()) {
            let trace = self.trace(thread);
            if let Some(past) = way.came_past(&trace, path_of) {
                let moment = self.moment_of_step(number, trace, past.step.clone())?;
                return Some(moment.point(&past.step));
            }
        }
        None
    }
}

/// The event that a change can be made to: that of the point, another one of its statement, or the decision that led there.
fn experiment_of(moment: &Moment, change: &ExperimentChange) -> Result<Experiment, Error> {
    let wanted = InterventionChange::from(change);
    let step = moment.anchor(&moment.at.step).ok_or(Error::NothingRecorded)?;
    let mut candidates: Vec<Step> = vec![step.clone()];
    candidates.extend(moment.statement_from(&step));
    if *change == ExperimentChange::Turn
        && let LastCondition::Condition { step, .. } = last_condition(&moment.trace, &step)
    {
        candidates.push(step);
    }
    let found = candidates.iter().find_map(|step| experiment_at(&moment.trace, step, &wanted));
    found.ok_or_else(|| {
        Error::Usage(match change {
            ExperimentChange::Turn => "no decision was made there that could be turned".into(),
            ExperimentChange::Skip => "there is no statement there that could be left out".into(),
            ExperimentChange::Value(_) => "no value was computed there that could be replaced".into(),
        })
    })
}

/// As it is twice, and with the difference twice.
const N_RUNS: usize = 4;
