//! Follows a block alone, without the blocks before it: what `outline.rs` finds out, as far as the block tells it, and what it does to
//! whatever stack there was. Whoever packs blocks does so on several threads, and counts them by the way; putting one behind the other
//! (`call_stack/composing.rs`) is then a matter of blocks and not of events.
//!
//! The frames that are entered in the block are known, and are followed as `call_stack.rs` does it. Of those below them nothing is known,
//! so what an event needs of them is taken for granted: an event of another function shows that there is a frame of that function below,
//! and that all above it may be gone; a frame that comes back was waiting; a frame that an event names by its number is the topmost of
//! the event's function. Each such frame is *taken*, with what it must be like. Who puts the blocks together sees whether it was so,
//! and follows the events of the block where it was not. So a wrong guess costs time, and nothing else.

use trace_format::{
    Counts, DecodeError, FrameOrigin, OpenCalls, RawRecord, RelativeFrame, RelativeOutline, RelativeScope, ScopeAround,
    TakenFrame, WayToFrame, header_site, n_without_tail, raw_record, site_length, value_object,
};
use trace_model::{FrameId, LocalSite, SiteId, SiteKind, SiteTable};

use crate::brief::{SiteBrief, briefs_of};
use crate::indexer::SiteCounts;
use crate::key::name_hash;
use crate::outline::{highest_in_tail, highest_of};

/// What following a block alone needs to know of the sites of a process, by their numbers.
#[derive(Clone, Default)]
pub struct OutlineSites {
    sites: Vec<OutlineSite>,
    briefs: Vec<Option<SiteBrief>>,
    n_functions: u32,
}

/// What nearly every event needs.
#[derive(Clone, Copy, Default)]
struct OutlineSite {
    /// One number for each function of the process, from 1 on; 0: the site is not known.
    function: u32,
    /// The first site of its code.
    unit: u32,
    flags: u8,
    moves: Moves,
}

/// There is a word behind the value;
const HAS_TAIL: u8 = 1;
/// it is an object;
const TAIL_IS_OBJECT: u8 = 2;
/// only its shape tells its length.
const BY_SHAPE: u8 = 4;

/// What the events of a site do to the stack, if they are in the frame on top.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Moves {
    #[default]
    Nothing,
    Call,
    Result,
    Frames,
}

impl OutlineSites {
    /// Takes in the sites of a code, from the first number of it.
    pub fn add(&mut self, base: SiteId, table: &SiteTable) {
        let start = base.0 as usize;
        let end = start + table.sites.len();
        if self.sites.len() < end {
            self.sites.resize(end, OutlineSite::default());
            self.briefs.resize(end, None);
        }
        for (at, brief) in (start..).zip(briefs_of(table)) {
            let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
            self.sites[at] = OutlineSite {
                function: self.n_functions + 1 + brief.function.0,
                unit: base.0,
                flags: flag(brief.n_tail() == Some(1), HAS_TAIL)
                    | flag(brief.writes_property(), TAIL_IS_OBJECT)
                    | flag(brief.n_tail().is_none(), BY_SHAPE),
                moves: match brief.kind() {
                    SiteKind::Call => Moves::Call,
                    SiteKind::Result => Moves::Result,
                    _ if brief.moves_stack() => Moves::Frames,
                    _ => Moves::Nothing,
                },
            };
            self.briefs[at] = Some(brief);
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

/// An event that may move the stack.
#[derive(Clone, Copy)]
struct Moving<'a> {
    site: SiteId,
    info: OutlineSite,
    brief: &'a SiteBrief,
    tail: u32,
}

impl BlockOutliner {
    /// Passes the events from `at` on, as many as end within `room` words, but one at least if `at` is 0; counts them. After an error
    /// `at` is where the event lies that cannot be passed; it may be tried again.
    pub fn pass(
        &mut self,
        sites: &OutlineSites,
        words: &[u32],
        room: usize,
        at: &mut usize,
        counts: &mut Counts,
    ) -> Result<(), DecodeError> {
        let (mut here, mut n_events, mut highest) = (*at, 0, 0);
        let n_frames = self.outline.n.frames;
        let end = room.min(words.len());
        let mut top = self.top_function();
        let passed = loop {
            let Some(&header) = words.get(here).filter(|header| **header != 0) else { break Ok(()) };
            let room = if here == 0 { words.len() } else { end - here.min(end) };
            let Some(site) = header_site(header) else {
                match self.pass_record(&words[here..], room, counts) {
                    Ok(0) => break Ok(()),
                    Ok(length) => here += length,
                    Err(error) => break Err(error),
                }
                n_events += 1;
                continue;
            };
            let info = sites.sites.get(site.0 as usize).copied().unwrap_or_default();
            if info.function == 0 {
                break Err(DecodeError::UnknownSite(site));
            }
            let length = match info.flags & BY_SHAPE != 0 {
                false => n_without_tail(header) + usize::from(info.flags & HAS_TAIL),
                true => match other_length(sites, site, &words[here..]) {
                    Ok(length) => length,
                    Err(error) => break Err(error),
                },
            };
            let Some(own) = words.get(here..here + length) else { break Err(DecodeError::Torn) };
            if length > room {
                break Ok(());
            }
            here += length;
            n_events += 1;
            self.sites.add(site);
            if let Some((object, is_new)) = value_object(own) {
                // Behind a new one is its prototype.
                highest = highest.max(if is_new { object.max(own[2]) } else { object });
            }
            let tail = own[length - 1];
            if info.flags & (TAIL_IS_OBJECT | BY_SHAPE) != 0 {
                highest = highest.max(if info.flags & TAIL_IS_OBJECT != 0 { tail } else { sites.highest(site, own) });
            }
            // Most events are in the frame on top, and do no more.
            if info.function == top {
                match info.moves {
                    Moves::Nothing => continue,
                    Moves::Call => {
                        self.call_on_top();
                        continue;
                    }
                    Moves::Result if self.result_on_top() => continue,
                    Moves::Result | Moves::Frames => {}
                }
            }
            if let Some(brief) = &sites.briefs[site.0 as usize] {
                self.move_by(Moving { site, info, brief, tail });
                top = self.top_function();
            }
        };
        *at = here;
        counts.events += n_events;
        counts.frames += self.outline.n.frames - n_frames;
        self.outline.highest_object = self.outline.highest_object.max(highest);
        passed
    }

    /// The block ends here, and has so much; the next one begins. `words` gets what can be told of it.
    pub fn finish(&mut self, n: Counts, words: &mut Vec<u32>) {
        self.outline.sites = self.sites.take();
        self.outline.stack.extend(self.frames.drain(..).map(|local| local.frame));
        self.outline.suspended.extend(self.suspended.drain(..).map(|local| local.frame));
        let mut outline = std::mem::take(&mut self.outline);
        outline.n = n;
        if !std::mem::take(&mut self.is_lost) {
            outline.to_words(words);
        }
    }

    fn top_function(&self) -> u32 {
        self.frames.last().map_or(0, |top| top.function)
    }

    #[inline]
    fn call_on_top(&mut self) {
        if let Some(top) = self.frames.last_mut() {
            top.frame.calls.call();
        }
    }

    /// False if it must be looked at more closely.
    #[inline]
    fn result_on_top(&mut self) -> bool {
        match self.frames.last_mut() {
            Some(top) if top.exact_exit || top.frame.calls.floor > 0 => {
                top.frame.calls.result();
                true
            }
            _ => false,
        }
    }

    /// How many words it takes; 0 if there is no room for it.
    #[inline(never)]
    fn pass_record(&mut self, words: &[u32], room: usize, counts: &mut Counts) -> Result<usize, DecodeError> {
        let (record, length) = raw_record(words)?;
        if length > room {
            return Ok(0);
        }
        let highest = match record {
            RawRecord::String(text) => {
                counts.strings += 1;
                self.outline.keys.push(name_hash(&text.text()).0);
                0
            }
            RawRecord::Symbol => {
                counts.symbols += 1;
                0
            }
            RawRecord::Look { object, prototype, entries, .. } => object.max(prototype).max(highest_of(entries)),
            RawRecord::Effect { object, values, .. } => object.max(highest_of(values)),
            RawRecord::Uncaught(value) | RawRecord::Message { value, .. } => value.object().unwrap_or(0),
            RawRecord::Output | RawRecord::Other => 0,
        };
        self.outline.highest_object = self.outline.highest_object.max(highest);
        Ok(length)
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
        let Some(top) = self.frames.last_mut().filter(|top| top.function == event.info.function) else { return };
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

    fn enter(&mut self, Moving { site, info, brief, tail }: Moving) {
        self.outline.n.frames += 1;
        let number = self.outline.n.frames;
        let scope = (tail != 0).then_some(FrameId(tail));
        let (unit, function, exact_exit) = (SiteId(info.unit), brief.function, brief.exact_exit());
        let origin = FrameOrigin::Entered { number, unit, function, exact_exit, scope };
        let frame = RelativeFrame { origin, calls: OpenCalls::NONE, blocks: Vec::new() };
        self.frames.push(Local { function: info.function, exact_exit, frame });
        if brief.keeps_scope() {
            let up = scope.map_or(ScopeAround::Nothing, ScopeAround::Numbered);
            self.outline.scopes.push(RelativeScope { number, site, up });
        }
    }

    fn enter_scope(&mut self, Moving { site, info, brief, .. }: Moving) {
        self.outline.n.frames += 1;
        let number = self.outline.n.frames;
        let mut up = ScopeAround::Nothing;
        if let Some(top) = self.frames.last_mut().filter(|top| top.function == info.function) {
            let frame = &mut top.frame;
            let own = LocalSite(site.0 - info.unit);
            match frame.blocks.iter_mut().find(|(known, _)| *known == own) {
                Some((_, latest)) => *latest = number,
                None => frame.blocks.push((own, number)),
            }
            let latest = |outer: LocalSite| frame.blocks.iter().find(|(site, _)| *site == outer);
            up = match (brief.enclosing().and_then(latest), frame.origin) {
                (Some((_, latest)), _) => ScopeAround::Entered(*latest),
                (None, FrameOrigin::Entered { number, .. }) => ScopeAround::Entered(number),
                (None, FrameOrigin::Taken(taken)) => ScopeAround::Taken(taken, brief.enclosing()),
            };
        }
        if brief.keeps_scope() {
            self.outline.scopes.push(RelativeScope { number, site, up });
        }
    }

    /// See [`crate::CallStack`]; what is below all frames here is taken to have the one that is looked for.
    fn drop_left_frames(&mut self, event: Moving) {
        let is_result = event.brief.kind() == SiteKind::Result;
        for at in (0..self.frames.len()).rev() {
            if self.frames[at].function == event.info.function && (!is_result || self.can_get_result(at)) {
                return self.frames.truncate(at + 1);
            }
            if self.frames[at].exact_exit {
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
        let FrameOrigin::Taken(taken) = frame.origin else { return false };
        if !is_known {
            // As many calls must have been open before that one still is.
            let least = &mut self.outline.taken[taken as usize].least_calls;
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
        let may_be = |local: &Local| local.function == event.info.function && self.may_be_frame(local, id);
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
            FrameOrigin::Taken(taken) => self.outline.taken[taken as usize].id == Some(FrameId(id)),
        }
    }

    fn may_be_frame(&self, local: &Local, id: u32) -> bool {
        let n_before = self.outline.n_frames_before;
        match local.frame.origin {
            FrameOrigin::Entered { number, .. } => n_before.is_none() && id >= number,
            FrameOrigin::Taken(taken) => {
                self.outline.taken[taken as usize].id.is_none() && n_before.is_none_or(|n| id <= n)
            }
        }
    }

    /// It is taken to be the frame of this number.
    fn conclude(&mut self, origin: FrameOrigin, id: u32) {
        match origin {
            FrameOrigin::Entered { number, .. } => self.outline.n_frames_before = Some(id - number),
            FrameOrigin::Taken(taken) => self.outline.taken[taken as usize].id = Some(FrameId(id)),
        }
    }

    fn take(&mut self, event: Moving, way: WayToFrame, id: Option<FrameId>) {
        let (unit, function, exact_exit) = (SiteId(event.info.unit), event.brief.function, event.brief.exact_exit());
        let origin = FrameOrigin::Taken(self.outline.taken.len() as u32);
        let frame = RelativeFrame { origin, calls: OpenCalls::default(), blocks: Vec::new() };
        self.outline.taken.push(TakenFrame { way, id, unit, function, exact_exit, least_calls: 0 });
        self.frames.push(Local { function: event.info.function, exact_exit, frame });
    }
}

impl OutlineSites {
    #[inline(never)]
    fn highest(&self, site: SiteId, words: &[u32]) -> u32 {
        self.briefs[site.0 as usize].as_ref().map_or(0, |brief| highest_in_tail(words, brief))
    }
}

#[inline(never)]
fn other_length(sites: &OutlineSites, site: SiteId, words: &[u32]) -> Result<usize, DecodeError> {
    let brief = sites.briefs[site.0 as usize].as_ref().ok_or(DecodeError::UnknownSite(site))?;
    site_length(words, brief.shape)
}
