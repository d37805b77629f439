//! Follows a block alone, without the blocks before it: what `outline.rs` finds out, as far as the block tells it, and what it does to
//! whatever stack there was. Whoever packs blocks does so on several threads, and counts them by the way; putting one behind the other
//! (`call_stack/composing.rs`) is then a matter of blocks and not of events.
//!
//! The frames that are entered in the block are known, and are followed as `call_stack.rs` does it. Of those below them nothing is known,
//! so what an event needs of them is assumed: an event of another function shows that there is a frame of that function below,
//! and that all above it may be gone; a frame that comes back was waiting; a frame that an event names by its number is the topmost of
//! the event's function. Each such frame is *assumed*, with what it must be like. Who puts the blocks together sees whether it was so,
//! and follows the events of the block where it was not. So a wrong guess costs time, and nothing else.

use std::hint::black_box;

use event_encoding::{
    Counts, DecodeError, EventStart, EventView, RecordView, ShortEvent, StoredEvent, TailView, event_start,
};
use trace_format::{
    AssumedFrame, ConcernedObjects, FrameOrigin, OpenCalls, RelativeFrame, RelativeOutline, RelativeScope, ScopeAround,
    WayToFrame,
};
use trace_model::{FrameId, LocalSite, SiteId, SiteKind, SiteTable};

use crate::brief::{SiteBrief, briefs_of};
use crate::call_stack::shows_silent_frames;
use crate::indexer::SiteCounts;
use crate::key::name_hash;
use crate::outline::{highest_in_tail, highest_of, number};

/// What following a block alone needs to know of the sites of a process, by their numbers.
#[derive(Clone, Default)]
pub struct OutlineSites {
    sites: Vec<OutlineSite>,
    /// With the first site of its code.
    briefs: Vec<Option<(SiteId, SiteBrief)>>,
    n_functions: u32,
}

/// What nearly every event needs, in one word: the number of its function, one for each function of the process from 1 on, and flags above it.
#[derive(Clone, Copy)]
struct OutlineSite(u64);

/// There is a number behind the value;
const HAS_TAIL: u64 = 1 << 32;
/// it is an object.
const TAIL_IS_OBJECT: u64 = 1 << 33;
/// The object that is its value is born there.
const IS_BIRTH: u64 = 1 << 38;
/// Its events do more to the stack than to be in the frame on top:
const MOVES_STACK: u64 = 1 << 34;
/// they are calls, which are counted,
const IS_CALL: u64 = 1 << 35;
/// or results.
const IS_RESULT: u64 = 1 << 36;
/// It is not known, or only its shape tells the length of its events.
const NOT_SIMPLE: u64 = 1 << 37;

impl OutlineSite {
    const UNKNOWN: OutlineSite = OutlineSite(NOT_SIMPLE);

    fn new(function: u32, brief: &SiteBrief) -> OutlineSite {
        let flag = |is_set: bool, flag: u64| if is_set { flag } else { 0 };
        OutlineSite(
            u64::from(function)
                | flag(brief.shape.has_number(), HAS_TAIL)
                | flag(brief.writes_property(), TAIL_IS_OBJECT)
                | flag(brief.is_birth(), IS_BIRTH)
                | flag(brief.moves_stack(), MOVES_STACK)
                | flag(brief.kind() == SiteKind::Call, IS_CALL)
                | flag(brief.kind() == SiteKind::Result, IS_RESULT)
                | flag(brief.shape.has_values(), NOT_SIMPLE),
        )
    }

    fn function(self) -> u32 {
        self.0 as u32
    }

    fn is(self, flag: u64) -> bool {
        self.0 & flag != 0
    }
}

impl OutlineSites {
    /// One behind the highest site that is known.
    pub fn len(&self) -> usize {
        self.sites.len()
    }

    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// Takes in the sites of a code, from the first number of it.
    pub fn add(&mut self, base: SiteId, table: &SiteTable) {
        let start = base.0 as usize;
        let end = start + table.sites.len();
        if self.sites.len() < end {
            self.sites.resize(end, OutlineSite::UNKNOWN);
            self.briefs.resize(end, None);
        }
        for (at, brief) in (start..).zip(briefs_of(table)) {
            self.sites[at] = OutlineSite::new(self.n_functions + 1 + brief.function.0, &brief);
            self.briefs[at] = Some((base, brief));
        }
        self.n_functions += table.functions.len() as u32;
    }
}

/// Follows one block after the other, each alone; keeps what that takes.
#[derive(Default)]
pub struct BlockOutliner {
    sites: SiteCounts,
    frames: Vec<Local>,
    suspended: Vec<Local>,
    objects: OlderObjects,
    outline: RelativeOutline,
    /// Whether something happened that cannot be told.
    is_lost: bool,
}

/// A frame that the block came to.
struct Local {
    function: u32,
    exact_exit: bool,
    frame: RelativeFrame,
}

/// What following most events needs of the frame on top.
#[derive(Clone, Copy, Default)]
struct Top {
    function: u32,
    exact_exit: bool,
    calls: OpenCalls,
}

/// An event that may move the stack.
#[derive(Clone, Copy)]
struct Moving<'a> {
    /// The first site of its code.
    unit: SiteId,
    site: SiteId,
    /// The number of its function.
    function: u32,
    brief: &'a SiteBrief,
    tail: u32,
}

impl BlockOutliner {
    /// Passes the events from `at` on, as many as end within `room` words, but one at least if `at` is 0; counts what they number. After an error
    /// `at` is where the event lies that cannot be passed; it may be tried again.
    pub fn pass(
        &mut self,
        sites: &OutlineSites,
        words: &[u32],
        room: usize,
        at: &mut usize,
        counts: &mut Counts,
    ) -> Result<(), DecodeError> {
        let mut here = *at;
        let n_frames = self.outline.n.frames;
        let end = room.min(words.len());
        let passed = loop {
            here = self.pass_simple(sites, &words[..end], here);
            let Some(start) = words.get(here..).and_then(event_start) else { break Ok(()) };
            let room = if here == 0 { words.len() } else { end - here.min(end) };
            let length = match start {
                EventStart::Site(site) => self.pass_site(sites, site, &words[here..], room),
                EventStart::Record => self.pass_record(&words[here..], room, counts),
            };
            match length {
                Ok(0) => break Ok(()),
                Ok(length) => here += length,
                Err(error) => break Err(error),
            }
        };
        *at = here;
        counts.frames += self.outline.n.frames - n_frames;
        passed
    }

    /// Passes events that take a few words and do little, which nearly all are. Every event of a run comes by here, so nothing is checked
    /// twice, and what changes with each is not in memory.
    #[inline(never)]
    fn pass_simple(&mut self, sites: &OutlineSites, words: &[u32], mut at: usize) -> usize {
        let mut highest = 0;
        let mut top = self.top();
        while let Some(event) = ShortEvent::at(words, at) {
            let site = event.site();
            let Some(&info) = sites.sites.get(site.0 as usize) else { break };
            if info.is(NOT_SIMPLE) || !event.is_of_site() {
                break;
            }
            let length = event.n_words(info.is(HAS_TAIL));
            at += guessed(length);
            self.sites.add(site);
            if let Some(object) = event.object() {
                highest = highest.max(object.highest());
                if object.is_new() || info.is(IS_BIRTH) {
                    self.objects.born(object.number);
                }
            }
            if info.is(TAIL_IS_OBJECT) {
                let object = event.number(length);
                highest = highest.max(object);
                self.objects.concern(object);
            }
            // Most events are in the frame on top, and do no more.
            if info.function() == top.function {
                if !info.is(MOVES_STACK) {
                    continue;
                }
                if info.is(IS_CALL) {
                    top.calls.call();
                    continue;
                }
                if info.is(IS_RESULT) && (top.exact_exit || top.calls.floor > 0) {
                    top.calls.result();
                    continue;
                }
            }
            self.set_top(top);
            if let Some((unit, brief)) = &sites.briefs[site.0 as usize] {
                let tail = event.number(length);
                self.move_by(Moving { unit: *unit, site, function: info.function(), brief, tail });
            }
            top = self.top();
        }
        self.set_top(top);
        self.see(highest);
        at
    }

    /// Passes any event of a site. How many words it takes; 0 if there is no room for it.
    #[inline(never)]
    fn pass_site(
        &mut self,
        sites: &OutlineSites,
        site: SiteId,
        words: &[u32],
        room: usize,
    ) -> Result<usize, DecodeError> {
        let info = sites.sites.get(site.0 as usize).copied().unwrap_or(OutlineSite::UNKNOWN);
        let known = sites.briefs.get(site.0 as usize).and_then(Option::as_ref);
        let (unit, brief) = known.ok_or(DecodeError::UnknownSite(site))?;
        let Some(stored) = StoredEvent::of_site(words, room, brief.shape)? else { return Ok(0) };
        self.sites.add(site);
        if let Some(object) = stored.object() {
            self.see(object.highest());
            if object.is_new() || brief.is_birth() {
                self.objects.born(object.number);
            }
        }
        let tail = stored.number();
        if brief.writes_property() {
            self.see(tail);
            self.objects.concern(tail);
        } else if brief.shape.has_values() {
            self.see(highest_in_tail(stored, brief));
            if let Some(EventView::Site { tail: TailView::ObjectAndKey(object, _), .. }) = stored.view(brief.shape) {
                self.objects.concern(number(object));
            }
        }
        if info.function() != self.top().function || info.is(MOVES_STACK) {
            self.move_by(Moving { unit: *unit, site, function: info.function(), brief, tail });
        }
        Ok(stored.n_words())
    }

    /// The block ends here; the next one begins. `counts` is what was counted of it, but for the events of sites, which are added now.
    /// `words` gets what can be told of it.
    pub fn finish(&mut self, counts: &mut Counts, words: &mut Vec<u32>) {
        self.outline.sites = self.sites.take();
        counts.events += self.outline.sites.iter().map(|(_, n)| u64::from(*n)).sum::<u64>();
        self.outline.stack.extend(self.frames.drain(..).map(|local| local.frame));
        self.outline.suspended.extend(self.suspended.drain(..).map(|local| local.frame));
        let mut outline = std::mem::take(&mut self.outline);
        outline.n = *counts;
        outline.objects = self.objects.take();
        if !std::mem::take(&mut self.is_lost) {
            outline.to_words(words);
        }
    }

    fn top(&self) -> Top {
        self.frames.last().map_or(Top::default(), |top| Top {
            function: top.function,
            exact_exit: top.exact_exit,
            calls: top.frame.calls,
        })
    }

    fn set_top(&mut self, top: Top) {
        if let Some(frame) = self.frames.last_mut() {
            frame.frame.calls = top.calls;
        }
    }

    #[inline]
    fn see(&mut self, object: u32) {
        self.outline.highest_object = self.outline.highest_object.max(object);
    }

    /// How many words it takes; 0 if there is no room for it.
    #[inline(never)]
    fn pass_record(&mut self, words: &[u32], room: usize, counts: &mut Counts) -> Result<usize, DecodeError> {
        let (stored, record) = StoredEvent::of_record(words)?;
        if stored.n_words() > room {
            return Ok(0);
        }
        counts.events += 1;
        let highest = match record {
            RecordView::String(text) => {
                counts.strings += 1;
                self.outline.keys.push(name_hash(&text.text()).0);
                0
            }
            RecordView::Symbol => {
                counts.symbols += 1;
                0
            }
            RecordView::Look { object, prototype, is_error, entries } => {
                self.outline.records.error |= is_error;
                self.objects.concern(object.0);
                object.0.max(number(prototype)).max(highest_of(entries))
            }
            RecordView::Effect { object, values, .. } => {
                self.objects.concern(object.0);
                object.0.max(highest_of(values))
            }
            RecordView::Uncaught(value) => {
                self.outline.records.uncaught = true;
                number(value.object())
            }
            RecordView::Message { value, .. } => {
                self.outline.records.message = true;
                number(value.object())
            }
            RecordView::Output => {
                self.outline.records.output = true;
                0
            }
            RecordView::Other => 0,
        };
        self.see(highest);
        Ok(stored.n_words())
    }

    #[inline(never)]
    fn move_by(&mut self, event: Moving) {
        match event.brief.kind() {
            SiteKind::Enter => self.enter(event),
            SiteKind::Catch | SiteKind::Finally | SiteKind::Resume | SiteKind::LateResume => self.return_to(event),
            kind => {
                self.drop_left_frames(event);
                if kind == SiteKind::Scope {
                    self.enter_scope(event);
                }
            }
        }
        let Some(top) = self.frames.last_mut().filter(|top| top.function == event.function) else { return };
        let is_over = match event.brief.kind() {
            SiteKind::Exit => true,
            SiteKind::Return => !top.exact_exit,
            SiteKind::Suspend => {
                self.suspended.extend(self.frames.pop());
                return;
            }
            SiteKind::Call => return top.frame.calls.call(),
            SiteKind::Result => return top.frame.calls.result(),
            SiteKind::Catch | SiteKind::Finally => return top.frame.calls = OpenCalls::NONE,
            _ => false,
        };
        if is_over {
            self.frames.pop();
        }
    }

    fn enter(&mut self, Moving { unit, site, function, brief, tail }: Moving) {
        self.outline.n.frames += 1;
        let number = self.outline.n.frames;
        let scope = (tail != 0).then_some(FrameId(tail));
        let exact_exit = brief.exact_exit();
        let origin = FrameOrigin::Entered { number, unit, function: brief.function, exact_exit, scope };
        let frame = RelativeFrame { origin, calls: OpenCalls::NONE, blocks: Vec::new() };
        self.frames.push(Local { function, exact_exit, frame });
        if brief.keeps_scope() {
            let up = scope.map_or(ScopeAround::Nothing, ScopeAround::Numbered);
            self.outline.scopes.push(RelativeScope { number, site, up });
        }
    }

    fn enter_scope(&mut self, Moving { unit, site, function, brief, .. }: Moving) {
        self.outline.n.frames += 1;
        let number = self.outline.n.frames;
        let mut up = ScopeAround::Nothing;
        if let Some(top) = self.frames.last_mut().filter(|top| top.function == function) {
            let frame = &mut top.frame;
            let own = LocalSite(site.0 - unit.0);
            match frame.blocks.iter_mut().find(|(known, _)| *known == own) {
                Some((_, latest)) => *latest = number,
                None => frame.blocks.push((own, number)),
            }
            let latest = |outer: LocalSite| frame.blocks.iter().find(|(site, _)| *site == outer);
            up = match (brief.enclosing().and_then(latest), frame.origin) {
                (Some((_, latest)), _) => ScopeAround::Entered(*latest),
                (None, FrameOrigin::Entered { number, .. }) => ScopeAround::Entered(number),
                (None, FrameOrigin::Assumed(assumed)) => ScopeAround::Assumed(assumed, brief.enclosing()),
            };
        }
        if brief.keeps_scope() {
            self.outline.scopes.push(RelativeScope { number, site, up });
        }
    }

    /// See [`crate::CallStack`]; what is below all frames here is assumed to have the one that is looked for.
    fn drop_left_frames(&mut self, event: Moving) {
        let is_result = event.brief.kind() == SiteKind::Result;
        for at in (0..self.frames.len()).rev() {
            if self.frames[at].function == event.function && (!is_result || self.can_get_result(at)) {
                return self.frames.truncate(at + 1);
            }
            if self.frames[at].exact_exit {
                self.is_lost |= shows_silent_frames(event.brief.kind());
                return;
            }
        }
        self.frames.clear();
        self.take(event, if is_result { WayToFrame::Result } else { WayToFrame::Event }, None);
    }

    fn can_get_result(&mut self, at: usize) -> bool {
        let Local { exact_exit, frame, .. } = &self.frames[at];
        let OpenCalls { is_known, more, floor } = frame.calls;
        if *exact_exit || floor > 0 {
            return true;
        }
        let FrameOrigin::Assumed(assumed) = frame.origin else { return false };
        if !is_known {
            // As many calls must have been open before that one still is.
            let least = &mut self.outline.assumed[assumed as usize].least_calls;
            *least = (*least).max(1u32.saturating_add_signed(-more));
        }
        !is_known
    }

    /// Control is in the frame that the event names.
    fn return_to(&mut self, event: Moving) {
        let id = event.tail;
        let is_resume = matches!(event.brief.kind(), SiteKind::Resume | SiteKind::LateResume);
        if let Some(at) = self.suspended.iter().position(|local| self.is_frame(local, id)) {
            let local = self.suspended.remove(at);
            return self.frames.push(local);
        }
        if let Some(at) = self.frames.iter().rposition(|local| self.is_frame(local, id)) {
            return self.frames.truncate(at + 1);
        }
        let may_be = |local: &Local| local.function == event.function && self.may_be_frame(local, id);
        let on_stack = self.frames.iter().rposition(may_be).filter(|_| !is_resume);
        if let Some(at) = on_stack {
            self.frames.truncate(at + 1);
            return self.conclude(self.frames[at].frame.origin, id);
        }
        if let Some(at) = self.suspended.iter().position(may_be) {
            let local = self.suspended.remove(at);
            self.conclude(local.frame.origin, id);
            return self.frames.push(local);
        }
        // A frame that was entered here, and was thought to be gone.
        self.is_lost |= self.outline.n_frames_before.is_some_and(|n| id > n) || id == 0;
        if !is_resume {
            self.frames.clear();
        }
        let way = if is_resume { WayToFrame::Resumed } else { WayToFrame::Returned };
        self.take(event, way, Some(FrameId(id)));
    }

    /// Whether it is known to be the frame of this number.
    fn is_frame(&self, local: &Local, id: u32) -> bool {
        match local.frame.origin {
            FrameOrigin::Entered { number, .. } => self.outline.n_frames_before.is_some_and(|n| n + number == id),
            FrameOrigin::Assumed(assumed) => self.outline.assumed[assumed as usize].id == Some(FrameId(id)),
        }
    }

    fn may_be_frame(&self, local: &Local, id: u32) -> bool {
        let n_before = self.outline.n_frames_before;
        match local.frame.origin {
            FrameOrigin::Entered { number, .. } => n_before.is_none() && id >= number,
            FrameOrigin::Assumed(assumed) => {
                self.outline.assumed[assumed as usize].id.is_none() && n_before.is_none_or(|n| id <= n)
            }
        }
    }

    /// It is assumed to be the frame of this number.
    fn conclude(&mut self, origin: FrameOrigin, id: u32) {
        match origin {
            FrameOrigin::Entered { number, .. } => self.outline.n_frames_before = Some(id - number),
            FrameOrigin::Assumed(assumed) => self.outline.assumed[assumed as usize].id = Some(FrameId(id)),
        }
    }

    fn take(&mut self, event: Moving, way: WayToFrame, id: Option<FrameId>) {
        let (unit, function, exact_exit) = (event.unit, event.brief.function, event.brief.exact_exit());
        let origin = FrameOrigin::Assumed(self.outline.assumed.len() as u32);
        let frame = RelativeFrame { origin, calls: OpenCalls::default(), blocks: Vec::new() };
        self.outline.assumed.push(AssumedFrame { way, id, unit, function, exact_exit, least_calls: 0 });
        self.frames.push(Local { function: event.function, exact_exit, frame });
    }
}

/// Collects the objects that a block concerns and that may be older.
struct OlderObjects {
    born_from: u32,
    last: u32,
    /// Open addressing; 0 is a free slot.
    slots: Vec<u32>,
    objects: Vec<u32>,
}

impl Default for OlderObjects {
    fn default() -> OlderObjects {
        OlderObjects { born_from: u32::MAX, last: 0, slots: vec![0; OlderObjects::N_SLOTS], objects: Vec::new() }
    }
}

impl OlderObjects {
    /// More of them are not worth their room.
    const MOST: usize = 256;
    const N_SLOTS: usize = 1024;

    #[inline]
    fn born(&mut self, object: u32) {
        if self.born_from == u32::MAX {
            self.born_from = object;
        }
        self.concern(object);
    }

    #[inline]
    fn concern(&mut self, object: u32) {
        if object < self.born_from && object != self.last {
            self.last = object;
            self.add(object);
        }
    }

    #[inline(never)]
    fn add(&mut self, object: u32) {
        if object == 0 || self.objects.len() > OlderObjects::MOST {
            return;
        }
        let mut at = object.wrapping_mul(0x9E37_79B1) as usize >> 22 & (OlderObjects::N_SLOTS - 1);
        while self.slots[at] != 0 {
            if self.slots[at] == object {
                return;
            }
            at = (at + 1) & (OlderObjects::N_SLOTS - 1);
        }
        self.slots[at] = object;
        self.objects.push(object);
    }

    fn take(&mut self) -> ConcernedObjects {
        let born_from = std::mem::replace(&mut self.born_from, u32::MAX);
        let mut older = std::mem::take(&mut self.objects);
        self.last = 0;
        if !older.is_empty() {
            self.slots.fill(0);
        }
        older.sort_unstable();
        ConcernedObjects { born_from, older: (older.len() <= OlderObjects::MOST).then_some(older) }
    }
}

/// The same number, but as a constant where it is one of those that nearly all are: the processor then guesses it by what came before,
/// and goes on with the next event while this one is still looked up.
#[inline(always)]
fn guessed(length: usize) -> usize {
    match length {
        1 => black_box(1),
        2 => black_box(2),
        3 => black_box(3),
        _ => length,
    }
}
