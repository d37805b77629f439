//! What the executions did that a question is about, found in one pass over the events.
//!
//! A question asks the same executions for hundreds of places. Asked one by one, each would scan what the execution did, and all that it
//! called; so everything is taken down at once, of the newest executions of each function and of those that had the object at hand.
//! Stretches in which the functions did nothing but what they did often enough later are left out. Where what lies there could matter
//! all the same, an execution is asked for it: what was not read is unknown here, never absent.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use trace_model::{EventId, FrameId, ProgramFunction, SiteId, SiteKind, Value};
use trace_store::{EventView, NewestBlocks, Walked, WalkedEvent};

use super::{Execution, MOST_TIMES};
use crate::Trace;

/// The executions of some functions.
pub(super) struct Activity {
    frames: FxHashMap<u32, Seen>,
    /// The newest executions of each function, oldest first.
    newest: FxHashMap<ProgramFunction, VecDeque<FrameId>>,
    /// Functions that were executed before those as well.
    older: FxHashSet<ProgramFunction>,
    /// How often there were events of sites, in what was read.
    counts: FxHashMap<SiteId, u64>,
    read: NewestBlocks,
}

/// An execution.
pub(super) struct Seen {
    entered: EventId,
    pub left: Option<EventId>,
    /// Whether it was open when something was left out: it may have ended there.
    may_have_left: bool,
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
        let range = trace.thread.first_event()..before;
        let is_followed = |site: SiteId| interest.sites.get(site.0 as usize).is_some_and(|site| site.is_followed);
        let kept = interest.kept.iter().copied();
        let read = trace.thread.newest_blocks(range, MOST_TAKEN_DOWN as u64, is_followed, kept);
        let found = Collected::default();
        let pass = std::cell::RefCell::new(Pass { interest, found });
        trace.thread.walk_newest(
            &read,
            |frame, at| {
                if let Some(seen) = pass.borrow_mut().found.frames.get_mut(&frame.0) {
                    seen.left = Some(at);
                }
            },
            |walked| match walked {
                Walked::Event(event) => pass.borrow_mut().event(&event),
                Walked::LeftOut => pass.borrow_mut().leave_out(),
            },
        );
        let Collected { mut frames, newest, older, counts } = pass.into_inner().found;
        for (frame, seen) in frames.iter_mut().filter(|(_, seen)| seen.may_have_left && seen.left.is_none()) {
            let left = trace.thread.frame(FrameId(*frame)).and_then(|frame| frame.left);
            seen.left = left.filter(|left| *left < before);
        }
        Activity { frames, newest, older, counts, read }
    }

    /// The newest executions of a function, newest first.
    pub fn executions(&self, function: ProgramFunction) -> impl Iterator<Item = (FrameId, &Seen)> {
        let frames = self.newest.get(&function).into_iter().flatten().rev();
        frames.filter_map(|frame| Some((*frame, self.frames.get(&frame.0)?)))
    }

    pub fn has_older(&self, function: ProgramFunction) -> bool {
        self.older.contains(&function)
    }

    pub fn was_entered(&self, function: ProgramFunction) -> Option<bool> {
        self.newest.get(&function).map(|frames| !frames.is_empty())
    }

    pub fn count(&self, site: SiteId) -> u64 {
        self.counts.get(&site).copied().unwrap_or(0) + self.read.n_left_out(site)
    }

    /// The events of sites in an execution, newest first; `None` if older ones than are known would matter.
    pub fn events(&self, execution: &Execution, sites: &[SiteId]) -> Option<Vec<(EventId, Truth)>> {
        let seen = self.frames.get(&execution.frame.0)?;
        let is_within = |id: EventId| id < execution.before && execution.after.is_none_or(|after| id > after);
        let mut found: Vec<(EventId, Truth)> = Vec::new();
        for site in sites {
            let n_before = found.len();
            let since = self.read.since(*site).filter(|since| seen.entered < *since);
            let times = seen.times.get(&site.0);
            let is_known = |id: EventId| is_within(id) && since.is_none_or(|since| id >= since);
            found.extend(times.into_iter().flat_map(|times| &times.newest).filter(|(id, _)| is_known(*id)));
            let cut = times.filter(|times| times.is_cut).and_then(|times| times.newest.front()).map(|(id, _)| *id);
            let known_from = since.max(cut);
            let may_lack = known_from.is_some_and(|from| execution.after.is_none_or(|after| after < from));
            if may_lack && found.len() == n_before {
                return None;
            }
        }
        found.sort_unstable_by_key(|(id, _)| std::cmp::Reverse(*id));
        Some(found)
    }

    /// The functions that the calls at a site led to in an execution: the first site of their code and their number there; `None` if
    /// older calls than are known would matter.
    pub fn callees(&self, execution: &Execution, site: SiteId) -> Option<Vec<(SiteId, u32)>> {
        let seen = self.frames.get(&execution.frame.0)?;
        let is_within = |id: EventId| id < execution.before && execution.after.is_none_or(|after| id > after);
        let calls = seen.calls.iter().rev().filter(|(at, id, _)| *at == site && is_within(*id));
        let mut callees: Vec<(SiteId, u32)> = Vec::new();
        for (_, _, callee) in calls {
            if !callees.contains(callee) {
                callees.push(*callee);
            }
        }
        let since = self.read.since(site).filter(|since| seen.entered < *since);
        let may_lack = since.is_some_and(|since| execution.after.is_none_or(|after| after < since));
        (!callees.is_empty() || !may_lack).then_some(callees)
    }

    /// The newest call at a site that led to another function.
    pub fn led_elsewhere(&self, execution: &Execution, site: SiteId, than: (SiteId, u32)) -> Option<EventId> {
        let seen = self.frames.get(&execution.frame.0)?;
        let is_within = |id: EventId| id < execution.before && execution.after.is_none_or(|after| id > after);
        let mut calls = seen.calls.iter().rev().filter(|(at, id, _)| *at == site && is_within(*id));
        calls.find(|(_, _, callee)| *callee != than).map(|(_, id, _)| *id)
    }
}

struct Pass<'i> {
    interest: &'i Interest<'i>,
    found: Collected,
}

/// As [`Activity`], of what was read so far.
#[derive(Default)]
struct Collected {
    frames: FxHashMap<u32, Seen>,
    newest: FxHashMap<ProgramFunction, VecDeque<FrameId>>,
    older: FxHashSet<ProgramFunction>,
    counts: FxHashMap<SiteId, u64>,
}

impl Pass<'_> {
    /// Which calls the open executions wait for behind something that was not read is not known.
    fn leave_out(&mut self) {
        for seen in self.found.frames.values_mut().filter(|seen| seen.left.is_none()) {
            seen.may_have_left = true;
            seen.open.clear();
        }
    }

    fn event(&mut self, event: &WalkedEvent) {
        let (EventView::Site { site, value, .. }, Some((unit, brief))) = (event.event, event.site) else { return };
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
        {
            self.found.older.insert(function);
            if !self.interest.kept.contains(&old) {
                self.found.frames.remove(&old.0);
            }
        }
        self.found.frames.insert(
            frame.0,
            Seen {
                entered: event.id,
                left: None,
                may_have_left: false,
                times: FxHashMap::default(),
                open: Vec::new(),
                calls: VecDeque::new(),
            },
        );
    }
}

const MOST_TAKEN_DOWN: usize = 256;
/// Calls whose end no event tells are forgotten beyond so many.
const MOST_OPEN: usize = 256;
