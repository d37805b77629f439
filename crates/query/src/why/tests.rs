//! Which stretches of a recording are tests. No runner is known by name: what the failing code was called by from outside of the project
//! is taken for a test, and so is every other function of the same file that was called from outside of the project, and every
//! function of the project that was called from where the failing test was called from: a test of another file.

use std::collections::{HashMap, HashSet};

use trace_model::{EventId, FrameId, FunctionIndex, SiteId};
use trace_store::{FrameInfo, Target};

use super::failure::failures;
use super::{Failure, FailureKind};
use crate::{FrameOutcome, Trace};

/// From where a test was entered to where the next one was.
pub(super) struct Stretch {
    pub from: EventId,
    pub before: EventId,
    pub has_failed: bool,
}

impl Trace<'_> {
    /// The outermost frame of the project that a frame was called by, or is.
    pub(super) fn called_from_outside(&self, frame: FrameId) -> Option<FrameInfo> {
        let mut outermost = None;
        let mut frame = self.frame(frame);
        for _ in 0..MOST_FRAMES {
            let Some(info) = frame else { break };
            frame = self.caller_of(&info).and_then(|caller| self.frame(caller));
            if self.is_own(info.unit) {
                outermost = Some(info);
            }
        }
        outermost
    }

    /// Whether a test failed, of whatever runner: somebody else called a function of the project, and told what was wrong with it.
    pub(super) fn is_of_test(&self, failure: &Failure) -> bool {
        let is_told = matches!(failure.kind, FailureKind::Caught | FailureKind::Reported);
        let is_function = |test: FrameInfo| test.function != FunctionIndex(0);
        is_told && !self.is_sparse() && self.called_from_outside(failure.thrown.frame).is_some_and(is_function)
    }

    /// The tests beside one that failed in which no failure is known. None where it was no test that failed.
    pub(crate) fn passing_tests(&self, failure: &Failure, all: &[Failure]) -> Vec<FrameInfo> {
        let failing = self.called_from_outside(failure.thrown.frame).filter(|_| self.is_of_test(failure));
        let Some(failing) = failing else { return Vec::new() };
        let test_of = |failure: &Failure| self.called_from_outside(failure.thrown.frame).map(|test| test.id);
        let failed: HashSet<FrameId> = all.iter().filter_map(test_of).chain([failing.id]).collect();
        let is_passing =
            |test: &FrameInfo| !failed.contains(&test.id) && matches!(self.outcome(test), FrameOutcome::Returned(_));
        self.tests_of_file(failing.unit).into_iter().filter(is_passing).collect()
    }

    /// The other tests, those next to the failing one first: they are most like it.
    pub(super) fn other_tests(&self, failing: &FrameInfo) -> Vec<Stretch> {
        let mut tests: HashMap<FrameId, FrameInfo> = HashMap::new();
        tests.extend(self.tests_of_file(failing.unit).into_iter().map(|test| (test.id, test)));
        tests.extend(self.called_alike(failing).into_iter().map(|test| (test.id, test)));
        tests.insert(failing.id, *failing);
        let failed = self.failed_tests();
        let mut entries: Vec<&FrameInfo> = tests.values().collect();
        entries.sort_by_key(|test| test.entered);
        let ends = entries.iter().skip(1).map(|next| next.entered).chain([self.thread.end()]);
        let stretches = entries.iter().zip(ends).filter(|(test, _)| test.id != failing.id);
        let mut others: Vec<Stretch> = stretches
            .map(|(test, before)| {
                let has_failed = failed.contains(&test.id) || self.outcome(test) == FrameOutcome::Threw;
                Stretch { from: test.entered, before, has_failed }
            })
            .collect();
        others.sort_by_key(|test| test.from.0.abs_diff(failing.entered.0));
        others
    }

    /// The frames of the tests that something is known to have failed in.
    fn failed_tests(&self) -> HashSet<FrameId> {
        let found = failures(self, &|path| self.is_own_path(path));
        found.iter().filter_map(|failure| self.called_from_outside(failure.thrown.frame)).map(|test| test.id).collect()
    }

    /// Calls of functions of a file from outside of the project.
    fn tests_of_file(&self, unit: SiteId) -> Vec<FrameInfo> {
        let Some(code) = self.thread.code().unit(unit).and_then(|unit| unit.code().ok()) else {
            return Vec::new();
        };
        // The code of the file itself, which is no test, is its first function.
        let functions: Vec<(SiteId, FunctionIndex)> =
            (1..code.sites.functions.len()).map(|number| (unit, FunctionIndex(number as u32))).collect();
        let mut tests = Vec::new();
        let mut from = self.thread.first_event();
        while let Some(enter) = self.next(&Target::Enter(Some(&functions)), from) {
            let Some(info) = enter.frame.and_then(|frame| self.frame(frame)) else { break };
            let caller = self.caller_of(&info).and_then(|caller| self.frame(caller));
            let is_test = caller.is_none_or(|caller| !self.is_own(caller.unit));
            from = match info.left {
                Some(left) if is_test => left.max(EventId(enter.id.0 + 1)),
                _ => EventId(enter.id.0 + 1),
            };
            if is_test {
                tests.push(info);
            }
            if tests.len() >= MOST_TESTS {
                break;
            }
        }
        tests
    }

    /// What was called by other calls of the function of a library that called the failing test.
    fn called_alike(&self, failing: &FrameInfo) -> Vec<FrameInfo> {
        let caller = self.caller_of(failing).and_then(|caller| self.frame(caller));
        let Some(caller) = caller.and_then(|caller| self.frame(caller.frame)) else { return Vec::new() };
        let function = [(caller.unit, caller.function)];
        let mut tests = Vec::new();
        let mut from = self.thread.first_event();
        for _ in 0..MOST_CALLS {
            let Some(enter) = self.next(&Target::Enter(Some(&function)), from) else { break };
            from = EventId(enter.id.0 + 1);
            let Some(info) = enter.frame.and_then(|frame| self.frame(frame)) else { continue };
            tests.extend(self.calls(Some(info.id)).take(MOST_CALLED_BY_ONE).filter(|called| self.is_own(called.unit)));
            if tests.len() >= MOST_TESTS {
                break;
            }
        }
        tests
    }
}

const MOST_FRAMES: usize = 1000;
const MOST_TESTS: usize = 200;
const MOST_CALLS: usize = 400;
const MOST_CALLED_BY_ONE: usize = 8;
