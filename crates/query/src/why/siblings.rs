//! The other tests of the same recording: what those that passed did as well as the failing one says little of the failure, and what those
//! did that failed too says more.

use std::collections::HashMap;

use trace_model::{FunctionIndex, SiteId, SiteKind};
use trace_store::{CodeUnit, Step, Thread};

use super::Failure;
use super::failure::failures;
use crate::{Datum, Trace};

/// How many of the other tests did something, for each thing that one of them did.
#[derive(Default)]
pub(super) struct Siblings {
    n_passed: u32,
    /// The one that is explained is one of them.
    n_failed: u32,
    sites: HashMap<SiteId, AtSite>,
}

/// What the tests did at a site: for each way that a branch went, and on the whole.
#[derive(Clone, Copy, Default)]
struct AtSite {
    whole: Tally,
    went_true: Tally,
    went_false: Tally,
    /// What values looked like in those that passed: a bit for each look.
    looks: u16,
    /// How often the failing test came by.
    n_times: u32,
}

/// How many tests did something.
#[derive(Clone, Copy, Default)]
struct Tally {
    n_passed: u32,
    n_failed: u32,
    /// The number of the newest test that did, so that each counts once.
    newest: u32,
}

/// What can be told of a value at a glance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

/// A test that is gone through.
#[derive(Clone, Copy)]
struct Test {
    /// From 1.
    number: u32,
    has_failed: bool,
}

impl Siblings {
    pub fn of(trace: &Trace, failure: &Failure) -> Siblings {
        let mut siblings = Siblings::of_failing(trace, failure);
        let Some(failing) = trace.called_from_outside(failure.thrown.frame) else { return siblings };
        let mut budget = MOST_EVENTS;
        for (number, test) in trace.other_tests(&failing).into_iter().enumerate() {
            let left = budget.checked_sub(test.before.0 - test.from.0);
            let Some(left) = left else { continue };
            budget = left;
            let known = Test { number: number as u32 + 2, has_failed: test.has_failed };
            *(if known.has_failed { &mut siblings.n_failed } else { &mut siblings.n_passed }) += 1;
            trace.thread.steps_from(test.from).take_while(|step| step.id < test.before).for_each(|step| {
                siblings.note(trace, &step, known);
            });
        }
        siblings.note_other_threads(trace, &mut budget);
        siblings
    }

    /// Other threads and processes of the run: each in which nothing failed counts as one test that passed, so that what the tests of other
    /// files did is known where each file has a process of its own.
    fn note_other_threads(&mut self, trace: &Trace, budget: &mut u64) {
        for (number, thread) in trace.other_threads().into_iter().enumerate() {
            let other = trace.beside(thread);
            let Some(left) = budget.checked_sub(thread.end().0 - thread.first_event().0) else { continue };
            if !failures(&other, &|path| other.is_own_path(path)).is_empty() {
                continue;
            }
            *budget = left;
            self.n_passed += 1;
            let test = Test { number: FIRST_THREAD + number as u32, has_failed: false };
            let mut same = SameCode { here: trace.thread, there: thread, units: HashMap::new() };
            for step in thread.steps_from(thread.first_event()) {
                if let Some(site) = step.site().and_then(|site| same.site(site)) {
                    self.note_at(&other, site, &step, test);
                }
            }
        }
    }

    /// As if there were no others.
    pub fn of_failing(trace: &Trace, failure: &Failure) -> Siblings {
        let mut siblings = Siblings { n_failed: 1, ..Siblings::default() };
        let Some(failing) = trace.called_from_outside(failure.thrown.frame) else { return siblings };
        let end = failure.thrown.before;
        if end.0.saturating_sub(failing.entered.0) <= MOST_EVENTS {
            let own = Test { number: 1, has_failed: true };
            trace.thread.steps_from(failing.entered).take_while(|step| step.id < end).for_each(|step| {
                if let Some(at) = siblings.note(trace, &step, own) {
                    at.n_times += 1;
                }
            });
        }
        siblings
    }

    fn note(&mut self, trace: &Trace, step: &Step, test: Test) -> Option<&mut AtSite> {
        Some(self.note_at(trace, step.site()?, step, test))
    }

    /// `site`: as it is numbered in the thread that failed.
    fn note_at(&mut self, trace: &Trace, site: SiteId, step: &Step, test: Test) -> &mut AtSite {
        let at = self.sites.entry(site).or_default();
        at.whole.count(test);
        let value = trace.step_value(step);
        if is_branch(trace.kind(step)) {
            match value.as_ref().and_then(|value| trace.truth_of(value)) {
                Some(true) => at.went_true.count(test),
                Some(false) => at.went_false.count(test),
                None => {}
            }
        }
        if let Some(look) = value.as_ref().and_then(Look::of).filter(|_| !test.has_failed) {
            at.looks |= 1 << look as u16;
        }
        at
    }

    /// Whether tests that passed came by here, but never with such a value.
    pub fn is_new_there(&self, step: &Step, value: Option<&Datum>) -> bool {
        let (Some(site), Some(look)) = (step.site(), value.and_then(Look::of)) else { return false };
        self.sites.get(&site).is_some_and(|at| at.whole.n_passed > 0 && at.looks & 1 << look as u16 == 0)
    }

    /// How often the failing test came by.
    pub fn n_times(&self, step: &Step) -> u32 {
        step.site().and_then(|site| self.sites.get(&site)).map_or(0, |at| at.n_times)
    }

    /// Whether no test passed that could be compared with.
    pub fn is_empty(&self) -> bool {
        self.n_passed == 0
    }

    /// Which part of the tests that passed did what an event did; `None` if there are none.
    pub fn share(&self, trace: &Trace, step: &Step) -> Option<f64> {
        let n_same = self.tally(trace, step)?.n_passed;
        (self.n_passed > 0).then(|| f64::from(n_same) / f64::from(self.n_passed))
    }

    /// Ochiai's suspicion of what an event did: near 1 where all tests that failed did it, and none that passed.
    pub fn suspicion(&self, trace: &Trace, step: &Step) -> f64 {
        self.tally(trace, step).map_or(0.0, |tally| self.ochiai(tally))
    }

    /// The same of its place, whichever way a branch went there.
    pub fn suspicion_of_site(&self, step: &Step) -> f64 {
        let at = step.site().and_then(|site| self.sites.get(&site));
        at.map_or(0.0, |at| self.ochiai(at.whole))
    }

    /// The same of a function as a whole, that it was entered.
    pub fn suspicion_of_function(&self, trace: &Trace, unit: SiteId, function: FunctionIndex) -> f64 {
        let entries = trace.sites_of_function(unit, function, |kind| kind == SiteKind::Enter);
        let at = entries.first().and_then(|site| self.sites.get(site));
        at.map_or(0.0, |at| self.ochiai(at.whole))
    }

    /// Of the tests that passed and came by a branch, the part that never went the way it went here.
    pub fn went_elsewhere(&self, trace: &Trace, step: &Step) -> f64 {
        let at = step.site().filter(|_| is_branch(trace.kind(step))).and_then(|site| self.sites.get(&site));
        let (Some(at), Some(same)) = (at, self.tally(trace, step)) else { return 0.0 };
        match at.whole.n_passed {
            0 => 0.0,
            n_passed => 1.0 - f64::from(same.n_passed) / f64::from(n_passed),
        }
    }

    fn ochiai(&self, tally: Tally) -> f64 {
        let (failed, passed) = (f64::from(tally.n_failed), f64::from(tally.n_passed));
        let root = (f64::from(self.n_failed) * (failed + passed)).sqrt();
        if root == 0.0 { 0.0 } else { failed / root }
    }

    fn tally(&self, trace: &Trace, step: &Step) -> Option<Tally> {
        let site = step.site()?;
        let Some(at) = self.sites.get(&site) else { return Some(Tally::default()) };
        let way = match is_branch(trace.kind(step)) {
            true => trace.truth(step),
            false => None,
        };
        Some(match way {
            Some(true) => at.went_true,
            Some(false) => at.went_false,
            None => at.whole,
        })
    }
}

/// Sites of the same code in two threads: each process numbers them by itself.
struct SameCode<'t> {
    here: &'t Thread,
    there: &'t Thread,
    /// The first site here of each piece of code there, by its first site there.
    units: HashMap<SiteId, Option<SiteId>>,
}

impl SameCode<'_> {
    fn site(&mut self, there: SiteId) -> Option<SiteId> {
        let unit = self.there.code().unit(there)?;
        let here = *self.units.entry(unit.record.base).or_insert_with(|| {
            let is_same = |other: &&CodeUnit| {
                let texts = other.code().ok().zip(unit.code().ok());
                other.record.path == unit.record.path
                    && texts.is_some_and(|(one, two)| one.source().ok() == two.source().ok())
            };
            self.here.code().units().iter().find(is_same).map(|unit| unit.record.base)
        });
        Some(SiteId(here?.0 + unit.local(there).0))
    }
}

impl Tally {
    fn count(&mut self, test: Test) {
        if self.newest != test.number {
            self.newest = test.number;
            *(if test.has_failed { &mut self.n_failed } else { &mut self.n_passed }) += 1;
        }
    }
}

fn is_branch(kind: Option<SiteKind>) -> bool {
    matches!(kind, Some(SiteKind::Branch | SiteKind::Loop | SiteKind::Nullish))
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
/// Threads are numbered behind all tests.
const FIRST_THREAD: u32 = 1_000_000;
/// Of all other tests together, so that nobody waits for it.
const MOST_EVENTS: u64 = 600_000;
