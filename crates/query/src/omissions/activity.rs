//! What the executions did that a question is about, found in one pass over the events.
//!
//! A question asks the same executions for hundreds of places. Asked one by one, each would scan what the execution did, and all that it
//! called; so everything is taken down at once, of the newest executions of each function and of those that had the object at hand.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use trace_model::{EventId, FrameId, ProgramFunction, SiteId, SiteKind, Value};
use trace_store::{RawEvent, WalkedEvent};

use super::{Execution, MOST_TIMES};
use crate::Trace;

/// The executions of some functions.
pub(super) struct Activity {
    frames: FxHashMap<u32, Seen>,
    /// The newest executions of each function, oldest first.
    newest: FxHashMap<ProgramFunction, VecDeque<FrameId>>,
    /// How often there were events of sites.
    counts: FxHashMap<SiteId, u64>,
}

/// An execution.
pub(super) struct Seen {
    pub left: Option<EventId>,
    times: FxHashMap<u32, Times>,
    /// The calls that it waits for, innermost last.
    open: Vec<(SiteId, EventId)>,
    /// Which calls led to which functions, newest last.
    calls: VecDeque<(SiteId, EventId, (SiteId, u32))>,
}

/// The newest events of a site in an execution.
#[derive(Default)]
struct Times {
    newest: VecDeque<(EventId, Truth)>,
    /// Whether there were more before these.
    is_cut: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Truth {
    True,
    False,
    /// The event must be asked.
    Unclear,
}

/// What is taken down.
pub(super) struct Interest<'a> {
    /// The functions, by the first site of their code and their number there.
    pub functions: &'a FxHashMap<(SiteId, u32), ProgramFunction>,
    /// Executions that are kept however old they are.
    pub kept: &'a FxHashSet<FrameId>,
    /// By site: whether it is of one of the functions, and whether its events are counted wherever they happen.
    pub sites: &'a [SiteInterest],
}

#[derive(Clone, Copy, Default)]
pub(super) struct SiteInterest {
    pub is_followed: bool,
    pub is_counted: bool,
}

impl Activity {
    pub fn new(trace: &Trace, interest: &Interest, before: EventId) -> Activity {
        let pass = std::cell::RefCell::new(Pass {
            interest,
            found: Activity {
                frames: FxHashMap::default(),
                newest: FxHashMap::default(),
                counts: FxHashMap::default(),
            },
        });
        trace.thread.walk(
            trace.thread.first_event()..before,
            |frame, at| {
                if let Some(seen) = pass.borrow_mut().found.frames.get_mut(&frame.0) {
                    seen.left = Some(at);
                }
            },
            |event| {
                pass.borrow_mut().event(&event);
                true
            },
        );
        pass.into_inner().found
    }

    /// The newest executions of a function, newest first.
    pub fn executions(&self, function: ProgramFunction) -> impl Iterator<Item = (FrameId, &Seen)> {
        let frames = self.newest.get(&function).into_iter().flatten().rev();
        frames.filter_map(|frame| Some((*frame, self.frames.get(&frame.0)?)))
    }

    pub fn was_entered(&self, function: ProgramFunction) -> Option<bool> {
        self.newest.get(&function).map(|frames| !frames.is_empty())
    }

    pub fn count(&self, site: SiteId) -> u64 {
        self.counts.get(&site).copied().unwrap_or(0)
    }

    /// The events of sites in an execution, newest first; `None` if older ones than are known would matter.
    pub fn events(&self, execution: &Execution, sites: &[SiteId]) -> Option<Vec<(EventId, Truth)>> {
        let seen = self.frames.get(&execution.frame.0)?;
        let is_within = |id: EventId| id < execution.before && execution.after.is_none_or(|after| id > after);
        let mut found: Vec<(EventId, Truth)> = Vec::new();
        for times in sites.iter().filter_map(|site| seen.times.get(&site.0)) {
            let n_before = found.len();
            found.extend(times.newest.iter().filter(|(id, _)| is_within(*id)));
            let oldest = times.newest.front().map(|(id, _)| *id);
            let may_lack =
                times.is_cut && execution.after.is_none_or(|after| oldest.is_none_or(|oldest| after < oldest));
            if may_lack && found.len() == n_before {
                return None;
            }
        }
        found.sort_unstable_by_key(|(id, _)| std::cmp::Reverse(*id));
        Some(found)
    }

    /// The functions that the calls at a site led to in an execution: the first site of their code and their number there.
    pub fn callees(&self, execution: &Execution, site: SiteId) -> Vec<(SiteId, u32)> {
        let Some(seen) = self.frames.get(&execution.frame.0) else { return Vec::new() };
        let is_within = |id: EventId| id < execution.before && execution.after.is_none_or(|after| id > after);
        let calls = seen.calls.iter().rev().filter(|(at, id, _)| *at == site && is_within(*id));
        let mut callees: Vec<(SiteId, u32)> = Vec::new();
        for (_, _, callee) in calls {
            if !callees.contains(callee) {
                callees.push(*callee);
            }
        }
        callees
    }

    /// The newest call at a site that led to another function.
    pub fn led_elsewhere(&self, execution: &Execution, site: SiteId, than: (SiteId, u32)) -> Option<EventId> {
        let seen = self.frames.get(&execution.frame.0)?;
        let is_within = |id: EventId| id < execution.before && execution.after.is_none_or(|after| id > after);
        let mut calls = seen.calls.iter().rev().filter(|(at, id, _)| *at == site && is_within(*id));
        calls.find(|(_, _, callee)| *callee != than).map(|(_, id, _)| *id)
    }

    pub fn knows(&self, frame: FrameId) -> bool {
        self.frames.contains_key(&frame.0)
    }
}

struct Pass<'i> {
    interest: &'i Interest<'i>,
    found: Activity,
}

impl Pass<'_> {
    fn event(&mut self, event: &WalkedEvent) {
        let (RawEvent::Site { site, value, .. }, Some((unit, brief))) = (event.raw, event.site) else { return };
        let kind = brief.kind();
        let interest = self.interest.sites.get(site.0 as usize).copied().unwrap_or_default();
        if interest.is_counted {
            *self.found.counts.entry(site).or_default() += 1;
        }
        if kind == SiteKind::Enter {
            self.enter(event, (unit, brief.function.0));
            return;
        }
        if !interest.is_followed {
            return;
        }
        let Some(seen) = event.frame.and_then(|frame| self.found.frames.get_mut(&frame.0)) else { return };
        match kind {
            SiteKind::Call => {
                if seen.open.len() >= MOST_OPEN {
                    seen.open.drain(..MOST_OPEN / 2);
                }
                seen.open.push((site, event.id));
            }
            SiteKind::Result => drop(seen.open.pop()),
            SiteKind::Catch | SiteKind::Finally => seen.open.clear(),
            SiteKind::This | SiteKind::Param | SiteKind::Scope | SiteKind::Exit | SiteKind::Carry => return,
            _ => {}
        }
        let truth = match value.value() {
            Some(Value::Bool(true) | Value::Object(_) | Value::NewObject { .. }) => Truth::True,
            Some(Value::Bool(false) | Value::Undefined | Value::Null) => Truth::False,
            _ => Truth::Unclear,
        };
        let times = seen.times.entry(site.0).or_default();
        if times.newest.len() >= MOST_TAKEN_DOWN {
            times.newest.pop_front();
            times.is_cut = true;
        }
        times.newest.push_back((event.id, truth));
    }

    fn enter(&mut self, event: &WalkedEvent, callee: (SiteId, u32)) {
        if let Some(caller) = event.caller.and_then(|caller| self.found.frames.get_mut(&caller.0))
            && let Some(&(site, at)) = caller.open.last()
        {
            if caller.calls.len() >= MOST_TAKEN_DOWN {
                caller.calls.pop_front();
            }
            caller.calls.push_back((site, at, callee));
        }
        let (Some(&function), Some(frame)) = (self.interest.functions.get(&callee), event.frame) else { return };
        let newest = self.found.newest.entry(function).or_default();
        newest.push_back(frame);
        if newest.len() > MOST_TIMES
            && let Some(old) = newest.pop_front()
            && !self.interest.kept.contains(&old)
        {
            self.found.frames.remove(&old.0);
        }
        self.found.frames.insert(
            frame.0,
            Seen { left: None, times: FxHashMap::default(), open: Vec::new(), calls: VecDeque::new() },
        );
    }
}

const MOST_TAKEN_DOWN: usize = 256;
/// Calls whose end no event tells are forgotten beyond so many.
const MOST_OPEN: usize = 256;
