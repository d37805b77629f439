//! Many experiments: which of them make the failure go away.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use query::{Experiment, Failure, WayPast, experiments};
use record::{Stage, TrialEnding, Tried};

use super::lab::{Lab, Plain, Texts, bare, recording_timeout_of, texts_of, timeout_of};
use super::words::{had, would};
use super::{Announcement, ExperimentRequest, Point};
use crate::{Error, RunOutcome, Session};

/// What came of the experiments with a run.
#[derive(Clone, Debug, Default)]
pub struct Experiments {
    /// In the order in which they were tried; a line is there once.
    pub proven: Vec<Proven>,
    /// Runs with something different, and those that were made a second time.
    pub n_runs: usize,
    pub n_checked: usize,
    pub elapsed: Duration,
    /// The program as it is, and in the middle of all experiments that ended as it does.
    pub plain: Duration,
    pub median: Option<Duration>,
    pub notes: Vec<String>,
}

/// A place at which something else would have kept the failure from happening.
#[derive(Clone, Debug)]
pub struct Proven {
    pub point: Point,
    /// `had isMember been true here, the test would pass`
    pub text: String,
    /// Code behind the failure that the failing run never came to.
    pub reached: Point,
}

impl Experiments {
    /// Where many things hide a failure, none of them says much about it.
    pub fn is_specific(&self) -> bool {
        self.proven.len() <= MOST_SPECIFIC
    }
}

/// A time that no clock reaches is as good as a year.
fn deadline(since: Instant, time: Duration) -> Instant {
    since.checked_add(time).unwrap_or_else(|| since + A_YEAR)
}

const A_YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// What is common to all runs of a search.
struct Search<'a> {
    lab: &'a Lab,
    plain: &'a Plain,
    texts: &'a Texts,
    planned: &'a [Experiment],
    message: &'a str,
    n_failures: usize,
    deadline: Instant,
    /// The next experiment, from 0.
    next: AtomicUsize,
    enough: AtomicBool,
    times: Mutex<Vec<Duration>>,
}

impl Session {
    /// Runs the program again and again, each time with one thing different. `progress` is told after each run how many there were.
    pub fn experiment(
        &self,
        request: &ExperimentRequest,
        announce: &dyn Fn(&Announcement),
        progress: &dyn Fn(usize),
    ) -> Result<Experiments, Error> {
        let all = self.all_failures(request.thread.as_deref())?;
        let number = request.failure.unwrap_or(1);
        let n_failures = all.len();
        let (thread, failure) =
            all.get(number.wrapping_sub(1)).ok_or(Error::NoSuchFailure { wanted: number, n_failures })?;
        let lab = Lab::of(self.run(), request.allows_effects, request.signals, &request.cancel)?;
        let mut stage = lab.stage("0")?;
        let at_once = std::thread::available_parallelism().map_or(1, Into::into);
        announce(&Announcement {
            command: lab.command.clone(),
            budget: request.budget,
            at_once,
            is_closed: lab.is_closed(&stage),
        });
        let since = Instant::now();
        let plain = lab.reproduce(&mut stage, self.run(), Some(&failure.message))?;
        let moment = self.moment_of_failure(*thread, failure).ok_or(Error::NothingRecorded)?;
        let planned = experiments(&moment.trace, failure, request.budget.runs);
        let texts = texts_of(moment.trace.thread, planned.iter());
        let search = Search {
            lab: &lab,
            plain: &plain,
            texts: &texts,
            planned: &planned,
            message: &failure.message,
            n_failures,
            deadline: deadline(since, request.budget.time),
            next: AtomicUsize::new(0),
            enough: AtomicBool::new(false),
            times: Mutex::default(),
        };
        let mut found = Experiments { plain: plain.elapsed, ..Experiments::default() };
        let mut check = Check {
            failure,
            way: WayPast::of(&moment.trace, failure),
            known: all.iter().map(|(_, failure)| failure.message.clone()).collect(),
            lines: HashSet::new(),
            stage,
        };
        search.run(at_once, &mut |at, is_gone| {
            found.n_runs += 1;
            progress(found.n_runs);
            let experiment = &planned[at];
            let point = || moment.point(&experiment.step);
            let line = moment.line_of(&experiment.step);
            let is_in_time = Instant::now() < search.deadline;
            if is_gone && is_in_time && !check.lines.contains(&line) {
                found.n_checked += 1;
                if let Some(reached) = check.holds(&lab, &plain, experiment)? {
                    let text = format!("{}, {}", had(moment.trace.language(), experiment), would(failure.kind));
                    check.lines.insert(line);
                    found.proven.push(Proven { point: point(), text, reached });
                }
            }
            // More would not make it any more specific.
            Ok(found.proven.len() <= MOST_PROVEN)
        })?;
        found.elapsed = since.elapsed();
        let mut times = search.times.into_inner().unwrap_or_default();
        times.sort_unstable();
        found.median = times.get(times.len() / 2).copied();
        if n_failures > 1 {
            found.notes.push(format!("this run has {n_failures} failures; the experiments are about failure {number}"));
        }
        if lab.is_interrupted() {
            found.notes.push("the experiments were interrupted".into());
        }
        Ok(found)
    }
}

impl Search<'_> {
    /// Tells `each` the number of every experiment that was run, and whether the failure was gone, until it wants no more. In the
    /// order of the plan, whichever of them ended first, so that the answer does not depend on that.
    fn run(&self, at_once: usize, each: &mut dyn FnMut(usize, bool) -> Result<bool, Error>) -> Result<(), Error> {
        let (sender, results) = mpsc::channel();
        std::thread::scope(|scope| {
            for number in 1..=at_once {
                let sender = sender.clone();
                scope.spawn(move || {
                    let mut stage = match self.lab.stage(&number.to_string()) {
                        Ok(stage) => stage,
                        Err(error) => {
                            let _ = sender.send((None, Err(error)));
                            return;
                        }
                    };
                    while let Some(at) = self.take() {
                        let result = self.one(&mut stage, at);
                        if sender.send((Some(at), result)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut waiting: BTreeMap<usize, Option<bool>> = BTreeMap::new();
            let mut next = 0;
            for (at, result) in results {
                let told = result.and_then(|is_gone| {
                    waiting.extend(at.map(|at| (at, is_gone)));
                    while let Some(is_gone) = waiting.remove(&next) {
                        next += 1;
                        if let Some(is_gone) = is_gone
                            && !each(next - 1, is_gone)?
                        {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                });
                if !matches!(told, Ok(true)) {
                    self.enough.store(true, Ordering::Release);
                    return told.map(|_| ());
                }
            }
            Ok(())
        })
    }

    fn take(&self) -> Option<usize> {
        let is_over =
            self.enough.load(Ordering::Acquire) || self.lab.is_interrupted() || Instant::now() > self.deadline;
        let at = self.next.fetch_add(1, Ordering::AcqRel);
        (!is_over && at < self.planned.len()).then_some(at)
    }

    /// `None`: it was not run to its end, or could not be changed so.
    fn one(&self, stage: &mut Stage, at: usize) -> Result<Option<bool>, Error> {
        let intervention = &self.planned[at].intervention;
        let tried = self.lab.try_one(stage, self.texts, intervention, timeout_of(self.plain), &self.enough);
        let (tried, notes) = match tried {
            Ok(tried) => tried,
            Err(Error::NotInstrumented { .. } | Error::NothingRecorded) => return Ok(None),
            Err(error) => return Err(error),
        };
        if tried.ending == TrialEnding::Interrupted {
            return Ok(None);
        }
        if tried.ending == TrialEnding::Ended
            && let Ok(mut times) = self.times.lock()
        {
            times.push(tried.elapsed);
        }
        Ok(Some(notes.is_applied && self.is_gone(&tried)))
    }

    /// As far as it can be seen from outside.
    fn is_gone(&self, tried: &Tried) -> bool {
        let ended = RunOutcome::from(tried.outcome);
        let first = bare(self.message.lines().next().unwrap_or_default());
        let says = [&tried.stdout, &tried.stderr].iter().any(|text| bare(text).contains(&first));
        let is_as_before = ended == RunOutcome::from(self.plain.tried.outcome);
        let others_fail = self.n_failures > 1 && is_as_before && !first.is_empty() && !says;
        // What exits well although it failed tells it by what it prints.
        let is_well = ended == RunOutcome::Exited(0) && (!is_as_before || !says);
        tried.ending == TrialEnding::Ended && (is_well || others_fail)
    }
}

/// The second run of what looks like a success: recorded.
struct Check<'s> {
    failure: &'s Failure,
    way: WayPast,
    /// The messages of all failures of the failing run.
    known: HashSet<String>,
    lines: HashSet<(String, u32)>,
    stage: Stage,
}

impl Check<'_> {
    /// Where the program came past the failure, if it did, and nothing else failed.
    fn holds(&mut self, lab: &Lab, plain: &Plain, experiment: &Experiment) -> Result<Option<Point>, Error> {
        let run = match lab.record_one(&mut self.stage, &experiment.intervention, recording_timeout_of(plain)) {
            Ok(run) => run,
            Err(error) if error.is_of_run_files() => return Ok(None),
            Err(error) => return Err(error),
        };
        let session = Session::of(run);
        let path_of = |path: &str| self.stage.path_of(Path::new(path)).to_string_lossy().into_owned();
        let reached = session.reached(&self.way, &path_of);
        let is_well = crate::run_list::outcome_of(session.run()) == RunOutcome::Exited(0);
        let left = session.all_failures(None).unwrap_or_default();
        let is_other =
            |failure: &Failure| failure.message != self.failure.message && self.known.contains(&failure.message);
        let none_is_new = is_well && self.known.len() == 1 || left.iter().all(|(_, failure)| is_other(failure));
        drop(session);
        lab.reset(&mut self.stage)?;
        Ok(reached.filter(|_| none_is_new))
    }
}

const MOST_SPECIFIC: usize = 3;
const MOST_PROVEN: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_time_has_a_deadline() {
        let now = Instant::now();
        assert_eq!(deadline(now, Duration::from_secs(30)), now + Duration::from_secs(30));
        assert!(deadline(now, Duration::MAX) > now);
    }
}
