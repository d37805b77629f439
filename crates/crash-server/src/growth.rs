//! What one crash teaches about a bug: Figure 8 of the paper, a step with each report.
//!
//! A step only ever depends on the bug and the report, and whoever makes it has locked the project. So any number of instances make
//! the steps of one bug, one after the other, and none is lost.

use std::collections::BTreeSet;

use crash_path::{FunctionRef, Label, Outcome, Path, grow, is_complete, outcome};

use crate::bugs::Bug;
use crate::wire::{Release, Report, State};

/// What came of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// It was counted, and taught nothing.
    Counted,
    /// Something else is recorded from now on.
    Grown,
    /// The path is complete.
    Found,
    /// Further functions would show nothing.
    Exhausted,
}

/// How the server grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// So often a bug must be met before something is recorded for it.
    pub sightings: u64,
}

/// One user's run can lack what another has, so it takes several crashes to believe that nothing more can be had.
const EXHAUSTED_CRASHES: u32 = 3;

/// How much the newest measurement counts beside all earlier ones.
const WEIGHT_OF_NEWEST: f64 = 0.5;

/// So many names of releases are kept with a bug.
const MAX_RELEASES: usize = 50;

pub fn learn(bug: &mut Bug, report: &Report, path: Path, seen_at: i64, patience: Patience) -> Step {
    count(bug, report, seen_at);
    if !matches!(bug.state, State::Off | State::Found) {
        bug.is_reopening_told = false;
    }
    match bug.state {
        State::Off | State::Found => Step::Counted,
        State::Watching if bug.count < patience.sightings => Step::Counted,
        State::Watching => {
            bug.state = State::Growing;
            adopt(bug, path, &report.release);
            step(bug, bug.path.clone())
        }
        // Who recorded nothing knows nothing new.
        State::Growing if path.labels.len() <= 1 && bug.grown.functions().next().is_some() => Step::Counted,
        State::Growing => {
            measure(bug, report, &path);
            if is_newer(bug, &report.release) {
                forget_vanished(bug, &path);
                adopt(bug, path.clone(), &report.release);
            } else if rank(&path) >= rank(&bug.path) {
                adopt(bug, path.clone(), &report.release);
            }
            step(bug, path)
        }
    }
}

/// Counts a report of a crash that is not recognised and for which there is no room.
pub fn count(bug: &mut Bug, report: &Report, seen_at: i64) {
    bug.count += 1;
    bug.first_seen = bug.first_seen.min(seen_at);
    bug.last_seen = bug.last_seen.max(seen_at);
    if report.message.is_some() {
        bug.message = report.message.clone();
    }
    if !bug.releases.contains(&report.release) {
        bug.releases.push(report.release.clone());
        if bug.releases.len() > MAX_RELEASES {
            bug.releases.remove(0);
        }
    }
    if report.policy.is_some() {
        bug.cost.seconds += report.spent.seconds;
        bug.cost.recorder_seconds += report.spent.recorder_seconds;
    }
}

fn step(bug: &mut Bug, path: Path) -> Step {
    let outcome = outcome(&bug.grown, &path);
    if outcome == Outcome::Complete {
        bug.state = State::Found;
        bug.path = path;
        return Step::Found;
    }
    let next = grow(&bug.grown, &path);
    if next != bug.grown {
        bug.grown = next;
        bug.iteration += 1;
        bug.n_exhausted = 0;
        return Step::Grown;
    }
    if outcome != Outcome::Exhausted || !is_of_this_policy(bug, &path) {
        return Step::Counted;
    }
    bug.n_exhausted += 1;
    if bug.n_exhausted < EXHAUSTED_CRASHES {
        return Step::Counted;
    }
    bug.state = State::Off;
    Step::Exhausted
}

fn adopt(bug: &mut Bug, path: Path, release: &Release) {
    bug.path = path;
    bug.path_release = release.clone();
}

/// How much a path tells.
fn rank(path: &Path) -> (bool, bool, usize, usize) {
    (is_complete(path), path.begins_with_birth(), entered(path).len(), path.labels.len())
}

/// Whether all of what is recorded now was recorded then: no function is missing that should have said that it was there.
fn is_of_this_policy(bug: &Bug, path: &Path) -> bool {
    path.holes().all(|function| !bug.grown.has(function))
}

fn is_newer(bug: &Bug, release: &Release) -> bool {
    let age = |wanted: &Release| bug.releases.iter().position(|known| known == wanted);
    *release != bug.path_release && age(release) > age(&bug.path_release)
}

/// Functions are known by their source, so one that a release did not touch has its name still. One that the path led through
/// before, and that this release has no label of, was changed or removed: its new self is found as any other.
fn forget_vanished(bug: &mut Bug, path: &Path) {
    if path.is_cut {
        return;
    }
    let there = mentioned(path);
    let vanished: BTreeSet<FunctionRef> =
        mentioned(&bug.path).difference(&there).map(|function| (*function).clone()).collect();
    let kept = bug.grown.states().filter(|(function, ..)| !vanished.contains(*function));
    bug.grown =
        crash_path::Grown::from_states(kept.map(|(function, recorded, good)| (function.clone(), recorded, good)));
}

fn measure(bug: &mut Bug, report: &Report, path: &Path) {
    let n_functions = entered(path).len().max(1);
    if report.policy.is_none() || report.spent.seconds <= 0.0 {
        return;
    }
    let share = (report.spent.recorder_seconds / report.spent.seconds).min(1.0);
    let newest = share / n_functions as f64;
    bug.cost.per_function = Some(match bug.cost.per_function {
        Some(before) => before * (1.0 - WEIGHT_OF_NEWEST) + newest * WEIGHT_OF_NEWEST,
        None => newest,
    });
}

/// Functions that were recorded, as the path shows.
fn entered(path: &Path) -> BTreeSet<&FunctionRef> {
    path.labels.iter().filter_map(Label::function).collect()
}

/// Functions that were there, recorded or not.
fn mentioned(path: &Path) -> BTreeSet<&FunctionRef> {
    let on_stack = path.stack.iter().map(|site| &site.function);
    let called = path.labels.iter().flat_map(|label| match label {
        Label::Call { callee: crash_path::Callee::Program(callee), .. } => Some(callee),
        Label::Enter { caller, .. } => caller.as_ref(),
        _ => None,
    });
    entered(path).into_iter().chain(on_stack).chain(called).collect()
}
