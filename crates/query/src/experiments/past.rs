//! Whether a run came past a failure: to what failed, and on from there.
//!
//! What failed is a call of the project (an assertion, a library), a `throw` behind a condition, or an operation of the engine, with
//! the calls around it. Each is a spot: an event that can be found again in another run by its site and its hit. A run came past a spot if
//! it was there and its frame went on to something that it did not come to in the failing run.

use std::collections::HashSet;

use trace_model::{EventId, FrameId, LocalSite, SiteId, SiteKind};
use trace_store::{Step, Target};

use crate::last_condition::{LastCondition, last_condition};
use crate::{Datum, Failure, FrameOutcome, Trace};

/// Where a run must come past.
#[derive(Clone, Debug, Default)]
pub struct WayPast {
    /// The innermost first; one of them is enough.
    pub spots: Vec<Spot>,
    /// What is from here on up to the failure only checked: it is the inside of an assertion.
    checks_from: Option<EventId>,
    before: Option<EventId>,
    /// The condition of the check itself.
    check: Option<SiteId>,
}

/// An event of the failing run, as it is found again.
#[derive(Clone, Debug)]
pub struct Spot {
    /// The path of its code.
    pub path: String,
    pub site: LocalSite,
    pub hit: u64,
    /// What its frame did from there on: the way to the failure, and what a handler did that caught it.
    after: HashSet<LocalSite>,
    returned: bool,
}

/// That a run came past a failure.
#[derive(Clone, Debug)]
pub struct Past {
    /// What the frame did next, which it did not come to in the failing run.
    pub step: Step,
}

impl WayPast {
    pub fn of(trace: &Trace, failure: &Failure) -> WayPast {
        let thrown = &failure.thrown;
        let levels = levels(trace, failure);
        let own = levels.iter().position(|(frame, _)| is_own_frame(trace, *frame));
        let is_assertion = is_assertion(trace, failure, own.and_then(|own| levels.get(own)).map(|(_, step)| step));
        let mut way = WayPast { before: Some(thrown.before), ..WayPast::default() };
        let Some(own) = own else {
            way.spots = levels.iter().filter_map(|(frame, step)| spot(trace, *frame, step)).collect();
            return way;
        };
        let (own_frame, own_step) = &levels[own];
        if is_assertion {
            // To come to another call than the one that checks is no way past it.
            // What was computed for it comes behind the mark of its call, and is no part of it.
            let callee = own.checked_sub(1).and_then(|inner| trace.frame(levels[inner].0));
            way.checks_from = Some(callee.map_or(thrown.before, |callee| callee.entered));
            way.spots.extend(spot(trace, *own_frame, own_step));
            return way;
        }
        let condition = match last_condition(trace, own_step) {
            LastCondition::Condition { step, .. } if thrown.is_explicit && own == 0 => Some(step),
            _ => None,
        };
        if let Some(condition) = condition {
            way.spots.extend(spot(trace, *own_frame, &condition));
            // Where the outermost code of the project throws by itself, it checks: a test, or a script that tries something.
            let outermost = levels.iter().rev().find(|(frame, _)| is_own_frame(trace, *frame));
            let path = |frame: FrameId| Some(&trace.thread.code().unit(trace.frame(frame)?.unit)?.record.path);
            if outermost.is_some_and(|(frame, _)| path(*frame) == path(*own_frame)) {
                way.check = condition.site();
                return way;
            }
        }
        let n_told = if way.spots.is_empty() { 0 } else { own + 1 };
        let rest = levels.iter().skip(n_told);
        way.spots.extend(rest.filter_map(|(frame, step)| spot(trace, *frame, step)));
        way
    }

    /// Whether an event is part of what found out about the failure.
    pub(super) fn is_check(&self, step: &Step) -> bool {
        let is_inside = self.checks_from.is_some_and(|from| from <= step.id);
        let is_late = self.before.is_some_and(|before| before < step.id);
        is_inside || is_late || step.site().is_some() && step.site() == self.check
    }

    /// Whether a thread of another run came past one of the spots. `path_of` says under which path code is found there.
    pub fn came_past(&self, trace: &Trace, path_of: &dyn Fn(&str) -> String) -> Option<Past> {
        self.spots.iter().find_map(|spot| spot.came_past(trace, &path_of(&spot.path)))
    }
}

impl Spot {
    fn came_past(&self, trace: &Trace, path: &str) -> Option<Past> {
        let unit = trace.thread.code().units().iter().find(|unit| unit.record.path == path)?;
        let sites = [unit.site(self.site)];
        let own = unit.code().ok()?.sites.sites.get(self.site.0 as usize)?.span;
        let target = Target::Sites(&sites);
        let mut from = trace.thread.first_event();
        let mut n_hits = 0;
        loop {
            let step = trace.next(&target, from)?;
            from = EventId(step.id.0 + 1);
            n_hits += 1;
            if n_hits < self.hit {
                continue;
            }
            let Some(frame) = step.frame.and_then(|frame| trace.frame(frame)) else { continue };
            let mut at = from;
            for _ in 0..MOST_EVENTS {
                let Some(next) = trace.next(&Target::InFrame(frame.frame), at) else { break };
                at = EventId(next.id.0 + 1);
                let Some(site) = next.site().and_then(|site| trace.site(site)) else { continue };
                let local = unit.local(next.site()?);
                let is_behind = site.site.span.start >= own.end
                    && !matches!(
                        site.site.kind,
                        SiteKind::Exit | SiteKind::Return | SiteKind::Catch | SiteKind::Finally
                    );
                if is_behind && !self.after.contains(&local) {
                    return Some(Past { step: next });
                }
            }
            if !self.returned && matches!(trace.outcome(&frame), FrameOutcome::Returned(_)) {
                return Some(Past { step: trace.return_of(&frame)? });
            }
            if n_hits > self.hit + MOST_LATER_HITS {
                return None;
            }
        }
    }
}

/// The frames on the way out of the failure, the innermost first, each with the event at which it was left.
fn levels(trace: &Trace, failure: &Failure) -> Vec<(FrameId, Step)> {
    let thrown = &failure.thrown;
    let mut levels = vec![(thrown.frame, thrown.step.clone())];
    let mut info = trace.frame(thrown.frame);
    while let Some(frame) = info.filter(|_| levels.len() < MOST_FRAMES) {
        let Some(caller) = trace.caller_of(&frame).and_then(|caller| trace.frame(caller)) else { break };
        let Some(call) = trace.previous_in_frame(caller.frame, frame.entered) else { break };
        levels.push((caller.frame, call));
        info = Some(caller);
    }
    levels
}

fn is_own_frame(trace: &Trace, frame: FrameId) -> bool {
    trace.frame(frame).is_some_and(|frame| trace.is_own(frame.unit))
}

/// Whether it was found by an assertion: its error says what was expected, or the call says so.
fn is_assertion(trace: &Trace, failure: &Failure, call: Option<&Step>) -> bool {
    let error = failure.error.as_ref().and_then(Datum::object);
    let says_so = error.and_then(|error| trace.contents(error, trace.thread.end())).is_some_and(|contents| {
        let has = |name: &str| contents.properties.iter().any(|(key, _)| crate::key_text(key) == name);
        has("expected") || has("actual")
    });
    let asserts = || {
        let site = call?.site()?;
        let code = trace.code(site)?;
        let call = code.site_facts(site).value?;
        let trace_model::Node::Call(parts) = &code.expression(call).node else { return None };
        trace.language().asserts(code.text(parts.callee), code.source()?)
    };
    says_so || asserts().is_some()
}

fn spot(trace: &Trace, frame: FrameId, step: &Step) -> Option<Spot> {
    let site = step.site()?;
    let unit = trace.thread.code().unit(site)?;
    let (hit, _) = trace.hit_of(step)?;
    let info = trace.frame(frame)?;
    let mut after = HashSet::new();
    let mut at = EventId(step.id.0 + 1);
    for _ in 0..MOST_EVENTS {
        let Some(next) = trace.next(&Target::InFrame(info.frame), at) else { break };
        at = EventId(next.id.0 + 1);
        after.extend(next.site().map(|site| unit.local(site)));
    }
    let returned = matches!(trace.outcome(&info), FrameOutcome::Returned(_));
    Some(Spot { path: unit.record.path.clone(), site: unit.local(site), hit, after, returned })
}

const MOST_FRAMES: usize = 50;
const MOST_EVENTS: usize = 1_000;
const MOST_LATER_HITS: u64 = 20;
