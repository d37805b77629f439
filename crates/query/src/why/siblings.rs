//! The tests that passed, in the same recording: what they did as well as the failing one says little of the failure.
//!
//! No runner is known by name. What the failing code was called by from outside of the project is taken for a test, and so is every
//! other function of the same file that was called from outside of the project.

use std::collections::{HashMap, HashSet};

use trace_model::{EventId, FrameId, FunctionIndex, SiteId, SiteKind};
use trace_store::{FrameInfo, Step, Target};

use super::{Failure, FailureKind};
use crate::{Datum, Outcome, Trace};

/// How many of the other tests did something, for each thing that one of them did.
#[derive(Default)]
pub(super) struct Siblings {
    n_tests: u32,
    done: HashMap<Deed, u32>,
    /// What values looked like at each site, in any of the other tests.
    seen: HashSet<(SiteId, Look)>,
    /// How often each site was passed in the test that failed; empty where that is more than can be looked at.
    passed: HashMap<SiteId, u32>,
}

/// A site, and which way a branch went there.
type Deed = (SiteId, Option<bool>);

/// What can be told of a value at a glance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Look {
    Undefined,
    Null,
    True,
    False,
    NotANumber,
    Negative,
    Zero,
    One,
    Count,
    Fraction,
    Large,
    EmptyText,
    Text,
    Object,
    Other,
}

/// What one test did.
#[derive(Default)]
struct Deeds {
    done: HashSet<Deed>,
    seen: HashSet<(SiteId, Look)>,
}

impl Siblings {
    pub fn of(trace: &Trace, failure: &Failure) -> Siblings {
        let mut siblings = Siblings::default();
        let Some(failing) = trace.called_from_outside(failure.thrown.frame) else { return siblings };
        let mut tests = trace.tests_beside(&failing);
        // Those next to it are most like it.
        tests.sort_by_key(|test| test.entered.0.abs_diff(failing.entered.0));
        let mut budget = MOST_EVENTS;
        for test in tests {
            let Some(deeds) = trace.deeds(&test, &mut budget) else { break };
            siblings.n_tests += 1;
            siblings.seen.extend(deeds.seen);
            for deed in deeds.done {
                *siblings.done.entry(deed).or_default() += 1;
            }
        }
        let end = failure.thrown.before;
        if end.0.saturating_sub(failing.entered.0) <= MOST_EVENTS {
            let steps = trace.thread.steps_from(failing.entered).take_while(|step| step.id < end);
            steps.filter_map(|step| step.site()).for_each(|site| *siblings.passed.entry(site).or_default() += 1);
        }
        siblings
    }

    /// Whether other tests came by here, but never with such a value.
    pub fn is_new_there(&self, step: &Step, value: Option<&Datum>) -> bool {
        let (Some(site), Some(look)) = (step.site(), value.and_then(Look::of)) else { return false };
        self.done.contains_key(&(site, None)) && !self.seen.contains(&(site, look))
    }

    /// How often the failing test came by.
    pub fn n_passed(&self, step: &Step) -> Option<u32> {
        self.passed.get(&step.site()?).copied()
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
    /// The tests beside one that failed in which no failure is known. None where it was no test that failed.
    pub(crate) fn passing_tests(&self, failure: &Failure, all: &[Failure]) -> Vec<FrameInfo> {
        let failing = self.called_from_outside(failure.thrown.frame).filter(|_| self.is_of_test(failure));
        let Some(failing) = failing else { return Vec::new() };
        let test_of = |failure: &Failure| self.called_from_outside(failure.thrown.frame).map(|test| test.id);
        let failed: HashSet<FrameId> = all.iter().filter_map(test_of).collect();
        let is_passing =
            |test: &FrameInfo| !failed.contains(&test.id) && matches!(self.outcome(test), Outcome::Returned(_));
        self.tests_beside(&failing).into_iter().filter(is_passing).collect()
    }

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
    fn deeds(&self, test: &FrameInfo, budget: &mut u64) -> Option<Deeds> {
        let end = test.left?;
        *budget = budget.checked_sub(end.0 - test.entered.0)?;
        let mut deeds = Deeds::default();
        for step in self.thread.steps_from(test.entered).take_while(|step| step.id < end) {
            let Some(site) = step.site() else { continue };
            deeds.done.extend(self.deed(&step));
            deeds.seen.extend(self.step_value(&step).as_ref().and_then(Look::of).map(|look| (site, look)));
        }
        Some(deeds)
    }

    fn deed(&self, step: &Step) -> Option<Deed> {
        let way = match self.kind(step) {
            Some(SiteKind::Branch) => self.step_value(step).as_ref().and_then(Datum::truth),
            _ => None,
        };
        Some((step.site()?, way))
    }
}

impl Look {
    /// `None`: nothing is known of the value.
    fn of(value: &Datum) -> Option<Look> {
        Some(match value {
            Datum::Undefined => Look::Undefined,
            Datum::Null => Look::Null,
            Datum::Bool(true) => Look::True,
            Datum::Bool(false) => Look::False,
            Datum::Number(number) if number.is_nan() => Look::NotANumber,
            Datum::Number(number) if *number < 0.0 => Look::Negative,
            Datum::Number(number) if *number == 0.0 => Look::Zero,
            Datum::Number(number) if *number == 1.0 => Look::One,
            Datum::Number(number) if number.fract() != 0.0 => Look::Fraction,
            Datum::Number(number) if *number < LARGE => Look::Count,
            Datum::Number(_) => Look::Large,
            Datum::String(text) if text.is_empty() => Look::EmptyText,
            Datum::String(_) | Datum::LongString { .. } => Look::Text,
            Datum::Object(_) | Datum::Made(_) => Look::Object,
            Datum::BigInt(_) | Datum::Symbol(..) => Look::Other,
            Datum::Accessor | Datum::Redacted | Datum::NotCaptured => return None,
        })
    }
}

/// A number from here on counts nothing.
const LARGE: f64 = 1e6;
const MOST_FRAMES: usize = 1000;
const MOST_TESTS: usize = 200;
/// Of all other tests together, so that nobody waits for it.
const MOST_EVENTS: u64 = 300_000;
