//! The tests that passed, in the same recording: what they did as well as the failing one says little of the failure.
//!
//! No runner is known by name. What the failing code was called by from outside of the project is taken for a test, and so is every
//! other function of the same file that was called from outside of the project.

use std::collections::{HashMap, HashSet};

use trace_model::{EventId, FrameId, FunctionIndex, SiteId, SiteKind};
use trace_store::{FrameInfo, Step, Target};

use super::Failure;
use crate::{Datum, Trace};

/// How many of the other tests did something, for each thing that one of them did.
#[derive(Default)]
pub(super) struct Siblings {
    n_tests: u32,
    done: HashMap<Deed, u32>,
}

/// A site, and which way a branch went there.
type Deed = (SiteId, Option<bool>);

impl Siblings {
    pub fn of(trace: &Trace, failure: &Failure) -> Siblings {
        let mut siblings = Siblings::default();
        let Some(failing) = trace.called_from_outside(failure.thrown.frame) else { return siblings };
        let mut tests = trace.tests_beside(&failing);
        // Those next to it are most like it.
        tests.sort_by_key(|test| test.entered.0.abs_diff(failing.entered.0));
        let mut budget = MOST_EVENTS;
        for test in tests {
            let Some(done) = trace.deeds(&test, &mut budget) else { break };
            siblings.n_tests += 1;
            for deed in done {
                *siblings.done.entry(deed).or_default() += 1;
            }
        }
        siblings
    }

    pub fn is_empty(&self) -> bool {
        self.n_tests == 0
    }

    /// Which part of the other tests did what an event did; `None` if there are no others.
    pub fn share(&self, trace: &Trace, step: &Step) -> Option<f64> {
        let deed = trace.deed(step)?;
        let n_same = self.done.get(&deed).copied().unwrap_or(0);
        (self.n_tests > 0).then(|| f64::from(n_same) / f64::from(self.n_tests))
    }
}

impl Trace<'_> {
    /// The outermost frame of the project that a frame was called by, or is.
    fn called_from_outside(&self, frame: FrameId) -> Option<FrameInfo> {
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

    /// When the test that failed was entered.
    pub(super) fn beginning_of_test(&self, failure: &Failure) -> Option<EventId> {
        self.called_from_outside(failure.thrown.frame).map(|test| test.entered)
    }

    /// Other calls of functions of the same file from outside of the project.
    fn tests_beside(&self, failing: &FrameInfo) -> Vec<FrameInfo> {
        let Some(code) = self.thread.code().unit(failing.unit).and_then(|unit| unit.code().ok()) else {
            return Vec::new();
        };
        // The code of the file itself, which is no test, is its first function.
        let functions: Vec<(SiteId, FunctionIndex)> =
            (1..code.sites.functions.len()).map(|number| (failing.unit, FunctionIndex(number as u32))).collect();
        let mut tests = Vec::new();
        let mut from = self.thread.first_event();
        while let Some(enter) = self.next(&Target::Enter(Some(&functions)), from) {
            let Some(info) = enter.frame.and_then(|frame| self.frame(frame)) else { break };
            let is_other = info.id != failing.id;
            let caller = self.caller_of(&info).and_then(|caller| self.frame(caller));
            let is_test = caller.is_none_or(|caller| !self.is_own(caller.unit));
            from = match info.left {
                Some(left) if is_test && is_other => left,
                _ => EventId(enter.id.0 + 1),
            };
            if is_test && is_other {
                tests.push(info);
            }
            if tests.len() >= MOST_TESTS {
                break;
            }
        }
        tests
    }

    /// What was done while a frame was there; `None` if that is more than can be looked at.
    fn deeds(&self, test: &FrameInfo, budget: &mut u64) -> Option<HashSet<Deed>> {
        let end = test.left?;
        *budget = budget.checked_sub(end.0 - test.entered.0)?;
        let steps = self.thread.steps_from(test.entered).take_while(|step| step.id < end);
        Some(steps.filter_map(|step| self.deed(&step)).collect())
    }

    fn deed(&self, step: &Step) -> Option<Deed> {
        let way = match self.kind(step) {
            Some(SiteKind::Branch) => self.step_value(step).as_ref().and_then(Datum::truth),
            _ => None,
        };
        Some((step.site()?, way))
    }
}

const MOST_FRAMES: usize = 1000;
const MOST_TESTS: usize = 200;
/// Of all other tests together, so that nobody waits for it.
const MOST_EVENTS: u64 = 300_000;
