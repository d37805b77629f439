//! A passing run beside the failing one: what never happened in it is more telling.
//!
//! Sites of two runs are the same if they have the same text in the same function of the same file, so that a program that was
//! changed a little still aligns.

use std::collections::HashMap;

use trace_model::{EventId, SiteId, SiteKind, SiteLikeness, likenesses};
use trace_store::{CodeUnit, Step, Thread};

use crate::{Datum, Trace};

/// What each site of a run did.
#[derive(Debug, Default)]
pub struct Profile {
    sites: HashMap<SiteLikeness, Seen>,
    /// The decisions and entries of the run, in order, up to a bound.
    course: Vec<(SiteLikeness, Option<bool>)>,
}

/// How an event differs from all that a passing run did at its site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Difference {
    /// The site was never reached.
    NotReached,
    /// The branch never went this way.
    OtherWay,
    /// No value of this kind was ever there.
    OtherValue,
}

impl Difference {
    pub fn name(self) -> &'static str {
        match self {
            Difference::NotReached => "not-reached",
            Difference::OtherWay => "other-way",
            Difference::OtherValue => "other-value",
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    went_true: bool,
    went_false: bool,
    /// One bit for each kind of value.
    kinds: u16,
}

impl Profile {
    pub fn of(trace: &Trace) -> Profile {
        let mut keys = Keys::default();
        let mut profile = Profile::default();
        for step in trace.thread.steps_from(trace.thread.first_event()) {
            let Some(site) = step.site() else { continue };
            let Some(key) = keys.key(trace.thread, site) else { continue };
            let value = trace.step_value(&step);
            let seen = profile.sites.entry(key).or_default();
            match value.as_ref().and_then(|value| trace.truth_of(value)) {
                Some(true) => seen.went_true = true,
                Some(false) => seen.went_false = true,
                None => {}
            }
            seen.kinds |= value.as_ref().map_or(0, kind_bit);
            if profile.course.len() < LONGEST_COURSE && decides(trace.kind(&step)) {
                profile.course.push((key, value.and_then(|value| trace.truth_of(&value))));
            }
        }
        profile
    }

    /// What another thread of the run did, too. The course stays that of the first.
    pub fn add(&mut self, other: Profile) {
        for (key, theirs) in other.sites {
            let seen = self.sites.entry(key).or_default();
            seen.went_true |= theirs.went_true;
            seen.went_false |= theirs.went_false;
            seen.kinds |= theirs.kinds;
        }
    }

    /// How an event of the failing run differs from the passing one.
    pub(super) fn difference(&self, keys: &mut Keys, trace: &Trace, step: &Step) -> Option<Difference> {
        let Some(site) = step.site() else {
            // What a built-in did has no site of its own: its call has one.
            let key = keys.key(trace.thread, trace.belongs_to(step)?.site()?)?;
            return (!self.sites.contains_key(&key)).then_some(Difference::NotReached);
        };
        let key = keys.key(trace.thread, site)?;
        let Some(seen) = self.sites.get(&key) else { return Some(Difference::NotReached) };
        let value = trace.step_value(step)?;
        if decides(trace.kind(step)) {
            return match trace.truth_of(&value)? {
                true if !seen.went_true => Some(Difference::OtherWay),
                false if !seen.went_false => Some(Difference::OtherWay),
                _ => None,
            };
        }
        (seen.kinds & kind_bit(&value) == 0).then_some(Difference::OtherValue)
    }

    /// The first decision at which the failing run left the course of the passing one.
    pub fn first_divergence(&self, trace: &Trace, before: EventId) -> Option<Step> {
        let mut keys = Keys::default();
        let mut course = self.course.iter();
        let mut last_common: Option<Step> = None;
        for step in trace.thread.steps_from(trace.thread.first_event()) {
            if step.id >= before {
                return None;
            }
            if !decides(trace.kind(&step)) {
                continue;
            }
            let (key, way) = course.next()?;
            let own = step.site().and_then(|site| keys.key(trace.thread, site));
            if own != Some(*key) {
                return last_common;
            }
            let own_way = trace.truth(&step);
            if own_way != *way {
                return Some(step);
            }
            last_common = Some(step);
        }
        None
    }
}

/// Longer courses differ for other reasons than the failure.
const LONGEST_COURSE: usize = 2_000_000;

/// The keys of all sites of the code that was asked about, by its first site.
#[derive(Default)]
pub struct Keys {
    units: HashMap<SiteId, Vec<SiteLikeness>>,
}

impl Keys {
    /// A key that the same site has in other runs.
    pub fn key(&mut self, thread: &Thread, site: SiteId) -> Option<SiteLikeness> {
        let unit = thread.code().unit(site)?;
        let keys = self.units.entry(unit.record.base).or_insert_with(|| keys_of(unit).unwrap_or_default());
        keys.get(unit.local(site).0 as usize).copied()
    }
}

fn keys_of(unit: &CodeUnit) -> Option<Vec<SiteLikeness>> {
    let code = unit.code().ok()?;
    let file = unit.record.path.rsplit('/').next().unwrap_or_default();
    Some(likenesses(&code.sites, file, code.source().ok()?))
}

fn decides(kind: Option<SiteKind>) -> bool {
    use SiteKind::*;
    matches!(kind, Some(Branch | Loop | Nullish | Case | Catch | Enter))
}

fn kind_bit(value: &Datum) -> u16 {
    1 << match value {
        Datum::Undefined => 0,
        Datum::Null => 1,
        Datum::Bool(false) => 2,
        Datum::Bool(true) => 3,
        Datum::Number(number) if number.is_nan() => 4,
        Datum::Number(number) if *number == 0.0 => 5,
        Datum::Number(number) if *number < 0.0 => 6,
        Datum::Number(_) => 7,
        Datum::String(text) if text.is_empty() => 8,
        Datum::String(_) | Datum::LongString { .. } => 9,
        Datum::BigInt(_) => 10,
        Datum::Symbol(..) => 11,
        Datum::Object(_) | Datum::Made(_) => 12,
        Datum::Accessor | Datum::Redacted | Datum::NotCaptured => 13,
    }
}
