//! A stretch of a thread's events, unpacked: where each event lies, which frame it is in.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use event_encoding::{Counts, EventView, RecordView, StoredEvent};
use trace_model::{Event, EventId, FrameId, ObjectId, Record, SiteId, StringId, SymbolId};

use crate::call_stack::CallStack;
use crate::code::BriefLookup;
use crate::replay::{Holder, Past, Replay};
use crate::target::concerned;

pub(crate) struct Block {
    pub before: Counts,
    pub after: Counts,
    words: Vec<u32>,
    events: Vec<Placed>,
    /// By number, from the first frame or scope that was entered here.
    entered: Vec<Entered>,
    /// Frames that ended, with the event (its index here).
    left: Vec<(FrameId, u32)>,
    /// By number, from the first here: indexes of events.
    strings: Vec<u32>,
    symbols: Vec<u32>,
    /// The stack at the start.
    stack: CallStack,
    /// The events that changed or showed something of an object: its number and the event (its index), ascending. Made when it is
    /// first asked for.
    of_objects: OnceLock<Vec<(u32, u32)>>,
    /// The same by frame. Made when several frames were asked for: one is found sooner by looking.
    of_frames: OnceLock<Vec<(u32, u32)>>,
    n_frames_asked: AtomicU32,
}

/// Where an event lies, and what it belongs to; 0 for nothing.
struct Placed {
    at: u32,
    frame: u32,
    holder: u32,
}

/// A frame or scope that was entered in a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entered {
    /// Index of the event.
    pub event: u32,
    pub site: SiteId,
    /// The frame below; for a block scope the frame it is in.
    pub caller: Option<FrameId>,
    pub scope: Option<FrameId>,
    pub depth: u32,
}

const GLOBAL: u32 = u32::MAX;

impl Block {
    /// Unpacks the words of a block, behind so many events and with this stack.
    pub fn new(
        mut words: Vec<u32>,
        before: Counts,
        stack: CallStack,
        briefs: &mut BriefLookup,
        past: &mut impl Past,
    ) -> Block {
        let mut replay = Replay::new(stack.clone(), before);
        let mut block = Block {
            before,
            after: before,
            words: Vec::new(),
            events: Vec::with_capacity(words.len() / 2),
            entered: Vec::new(),
            left: Vec::new(),
            strings: Vec::new(),
            symbols: Vec::new(),
            stack,
            of_objects: OnceLock::new(),
            of_frames: OnceLock::new(),
            n_frames_asked: AtomicU32::new(0),
        };
        let mut at = 0;
        while let Ok(Some(passed)) = replay.pass(&words[at..], usize::MAX, briefs, past) {
            let event = block.events.len() as u32;
            let number = |frame: Option<FrameId>| frame.map_or(0, |frame| frame.0);
            let holder = match passed.holder {
                Holder::Nothing => 0,
                Holder::Global => GLOBAL,
                Holder::Instance(FrameId(id)) => id,
            };
            block.events.push(Placed { at: at as u32, frame: number(passed.frame), holder });
            block.left.extend(replay.stack.left().iter().map(|frame| (*frame, event)));
            match passed.site {
                Some(site) if passed.is_entry => block.entered.push(entered(event, site, &replay, passed.frame)),
                Some(_) => {}
                None => match passed.stored.record() {
                    Some(RecordView::String(_)) => block.strings.push(event),
                    Some(RecordView::Symbol) => block.symbols.push(event),
                    _ => {}
                },
            }
            at += passed.stored.n_words();
        }
        words.truncate(at);
        block.after = replay.counts;
        block.words = words;
        block
    }

    pub fn len(&self) -> usize {
        self.events.len()
    }

    pub fn id(&self, index: usize) -> EventId {
        EventId(self.before.events + index as u64)
    }

    /// Where an event lies; behind the last one if there are fewer.
    pub fn word_of(&self, index: usize) -> u32 {
        self.events.get(index).map_or(self.words.len() as u32, |event| event.at)
    }

    pub fn event(&self, index: usize) -> BlockEvent<'_> {
        let Placed { at, frame, holder } = self.events[index];
        let end = self.events.get(index + 1).map_or(self.words.len(), |next| next.at as usize);
        let frame = (frame != 0).then_some(FrameId(frame));
        let holder = match holder {
            0 => Holder::Nothing,
            GLOBAL => Holder::Global,
            id => Holder::Instance(FrameId(id)),
        };
        BlockEvent { block: self, index, stored: StoredEvent::known(&self.words[at as usize..end]), frame, holder }
    }

    /// The events (their indexes, ascending) that changed or showed something of an object.
    pub fn of_object(&self, object: ObjectId, briefs: &mut BriefLookup) -> &[(u32, u32)] {
        let all = self.of_objects.get_or_init(|| {
            let mut all = Vec::new();
            for index in 0..self.len() {
                let objects = concerned(&self.event(index), briefs).into_iter().flatten();
                all.extend(objects.map(|object| (object.0, index as u32)));
            }
            all.sort_unstable();
            all
        });
        of_number(all, object.0)
    }

    /// The events (their indexes, ascending) of a frame, once it is worth while to know them of all frames.
    pub fn of_frame(&self, frame: FrameId) -> Option<&[(u32, u32)]> {
        if self.of_frames.get().is_none() && self.n_frames_asked.fetch_add(1, Ordering::Relaxed) < MOST_LOOKED_FOR {
            return None;
        }
        let all = self.of_frames.get_or_init(|| {
            let numbered = self.events.iter().zip(0..).filter(|(event, _)| event.frame != 0);
            let mut all: Vec<(u32, u32)> = numbered.map(|(event, index)| (event.frame, index)).collect();
            all.sort_unstable();
            all
        });
        Some(of_number(all, frame.0))
    }

    /// A frame or scope that was entered here.
    pub fn entered(&self, id: FrameId) -> Option<Entered> {
        self.entered.get(id.0.checked_sub(self.before.frames + 1)? as usize).copied()
    }

    /// The number that an `Enter` or `Scope` event took.
    pub fn entered_at(&self, id: EventId) -> Option<FrameId> {
        let index = id.0.checked_sub(self.before.events)? as u32;
        let at = self.entered.binary_search_by_key(&index, |entered| entered.event).ok()?;
        Some(FrameId(self.before.frames + 1 + at as u32))
    }

    /// The event at which a frame ended, from an event (its index) on.
    pub fn left(&self, id: FrameId, from: u32) -> Option<EventId> {
        let found = self.left.iter().find(|(frame, event)| *frame == id && *event >= from);
        found.map(|(_, event)| self.id(*event as usize))
    }

    /// The frames that ended here, each with the event (its index), in their order.
    pub fn all_left(&self) -> &[(FrameId, u32)] {
        &self.left
    }

    pub fn string(&self, id: StringId) -> Option<String> {
        let index = *self.strings.get(id.0.checked_sub(self.before.strings + 1)? as usize)?;
        self.string_at(index)
    }

    pub fn strings(&self) -> impl Iterator<Item = String> {
        self.strings.iter().filter_map(|index| self.string_at(*index))
    }

    fn string_at(&self, index: u32) -> Option<String> {
        match self.event(index as usize).record()? {
            RecordView::String(text) => Some(text.text().into_owned()),
            _ => None,
        }
    }

    pub fn symbol(&self, id: SymbolId) -> Option<StringId> {
        let index = *self.symbols.get(id.0.checked_sub(self.before.symbols + 1)? as usize)?;
        match self.event(index as usize).stored.decode(&mut Counts::default(), &mut |_: SiteId| None) {
            Some(Event::Record(Record::Symbol(_, description))) => description,
            _ => None,
        }
    }

    /// The stack at an event, found by following the events before it.
    pub fn stack_at(&self, index: usize, briefs: &mut BriefLookup, past: &mut impl Past) -> CallStack {
        let mut replay = Replay::new(self.stack.clone(), self.before);
        let mut at = 0;
        for _ in 0..=index {
            match replay.pass(&self.words[at..], usize::MAX, briefs, past) {
                Ok(Some(passed)) => at += passed.stored.n_words(),
                _ => break,
            }
        }
        replay.stack
    }

    /// The stacks at some events (ascending), found by following the events once.
    pub fn stacks_at(&self, indexes: &[usize], briefs: &mut BriefLookup, past: &mut impl Past) -> Vec<CallStack> {
        let mut replay = Replay::new(self.stack.clone(), self.before);
        let mut stacks = Vec::new();
        let (mut at, mut next) = (0, 0);
        for wanted in indexes {
            while next <= *wanted {
                next += 1;
                match replay.pass(&self.words[at..], usize::MAX, briefs, past) {
                    Ok(Some(passed)) => at += passed.stored.n_words(),
                    _ => break,
                }
            }
            stacks.push(replay.stack.clone());
        }
        stacks
    }
}

/// Of pairs (ascending), those that begin with a number.
fn of_number(pairs: &[(u32, u32)], wanted: u32) -> &[(u32, u32)] {
    let start = pairs.partition_point(|(number, _)| *number < wanted);
    let n_pairs = pairs[start..].partition_point(|(number, _)| *number == wanted);
    &pairs[start..start + n_pairs]
}

/// Sorting the events of a block by frame costs as much as looking through it so often.
const MOST_LOOKED_FOR: u32 = 16;

fn entered(event: u32, site: SiteId, replay: &Replay, frame: Option<FrameId>) -> Entered {
    let frames = replay.stack.frames();
    let is_enter = frame == Some(replay.stack.last_number());
    let (caller, depth) = match frames {
        [.., caller, _] if is_enter => (Some(caller.id), frames.len() - 1),
        _ if is_enter => (None, 0),
        frames => (frame, frames.len().saturating_sub(1)),
    };
    let scope = match (is_enter, replay.born.last()) {
        (true, _) => frames.last().and_then(|frame| frame.scope),
        (false, born) => born.and_then(|scope| scope.up),
    };
    Entered { event, site, caller, scope, depth: depth as u32 }
}

/// An event of a block.
#[derive(Clone, Copy)]
pub(crate) struct BlockEvent<'a> {
    block: &'a Block,
    index: usize,
    stored: StoredEvent<'a>,
    pub frame: Option<FrameId>,
    pub holder: Holder,
}

impl<'a> BlockEvent<'a> {
    pub fn id(&self) -> EventId {
        self.block.id(self.index)
    }

    /// Whether it is the frame's own, and not a record that was made while it was on top.
    pub fn is_of_frame(&self, id: FrameId) -> bool {
        self.frame == Some(id) && self.site().is_some()
    }

    pub fn site(&self) -> Option<SiteId> {
        self.stored.site()
    }

    pub fn record(&self) -> Option<RecordView<'a>> {
        self.stored.record()
    }

    #[inline]
    pub fn view(&self, briefs: &mut BriefLookup) -> Option<EventView<'a>> {
        briefs.view(self.stored)
    }

    /// Of an `Enter`: the frame from which the function was called.
    pub fn caller(&self) -> Option<FrameId> {
        let frame = self.frame?;
        let entered = self.block.entered(frame)?;
        (entered.event as usize == self.index).then_some(entered.caller)?
    }

    pub fn decode(&self, briefs: &mut BriefLookup) -> Option<Event> {
        let numbered = |numbers: &[u32]| numbers.partition_point(|event| (*event as usize) < self.index) as u32;
        let mut counts = match self.site() {
            Some(_) => Counts::default(),
            None => Counts {
                strings: self.block.before.strings + numbered(&self.block.strings),
                symbols: self.block.before.symbols + numbered(&self.block.symbols),
                ..Counts::default()
            },
        };
        let mut event = self.stored.decode(&mut counts, briefs)?;
        briefs.fill_in(&mut event);
        Some(event)
    }
}
