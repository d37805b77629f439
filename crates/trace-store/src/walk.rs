//! All events of a stretch in order, each with the frame it is in, as a view: nothing is allocated for an event.

use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use event_encoding::EventView;
use trace_model::{EventId, FrameId, SiteId, cancel};

use crate::Thread;
use crate::block::Block;
use crate::brief::SiteBrief;
use crate::code::BriefLookup;
use crate::newest::NewestBlocks;
use crate::replay::Holder;

/// An event with its frame.
#[derive(Clone, Copy)]
pub struct WalkedEvent<'a> {
    pub id: EventId,
    pub frame: Option<FrameId>,
    /// The first site of its code, and what is known of the site; `None` for a record.
    pub site: Option<(SiteId, &'a SiteBrief)>,
    pub event: EventView<'a>,
    /// Of an `Enter`: the frame from which the function was called.
    pub caller: Option<FrameId>,
    /// The frame or scope instance that holds the variable it wrote, if that is no global one.
    pub holder: Option<FrameId>,
}

impl Thread {
    /// Hands out the events of a range, oldest first. `left` is told each frame that an event ended, or showed to be gone, behind
    /// the event. `each` says whether to go on.
    pub fn walk(
        &self,
        range: Range<EventId>,
        left: impl FnMut(FrameId, EventId),
        mut each: impl FnMut(WalkedEvent) -> bool,
    ) {
        let blocks = self.blocks();
        let Some(first) = blocks.of_event_or_later(range.start) else { return };
        let numbers = (first..blocks.len()).take_while(|number| blocks.events(*number).0 < range.end.0).collect();
        self.walk_blocks(numbers, range, left, |walked| match walked {
            Walked::Event(event) => each(event),
            Walked::LeftOut => true,
        });
    }

    /// As [`Thread::walk`], of some blocks only; where others lie between them is told too.
    pub fn walk_newest(&self, newest: &NewestBlocks, left: impl FnMut(FrameId, EventId), mut each: impl FnMut(Walked)) {
        self.walk_blocks(newest.numbers.clone(), newest.range.clone(), left, |walked| {
            each(walked);
            true
        });
    }

    fn walk_blocks(
        &self,
        numbers: Vec<usize>,
        range: Range<EventId>,
        mut left: impl FnMut(FrameId, EventId),
        mut each: impl FnMut(Walked) -> bool,
    ) {
        let mut briefs = self.code().briefs();
        let mut last: Option<usize> = None;
        self.unpacked_ahead(numbers, |number, block| {
            let is_behind_others = last.is_some_and(|last| last + 1 < number);
            last = Some(number);
            (!is_behind_others || each(Walked::LeftOut))
                && walk_block(block, &range, &mut briefs, &mut left, |event| each(Walked::Event(event)))
        });
    }

    /// Hands out blocks in turn as long as it is wanted; those that come next are unpacked meanwhile.
    fn unpacked_ahead(&self, numbers: Vec<usize>, mut each: impl FnMut(usize, &Block) -> bool) {
        let blocks = self.blocks();
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
        if numbers.len() < FEW_BLOCKS || n_threads == 1 {
            let _ = numbers.into_iter().all(|number| each(number, &blocks.load(number)));
            return;
        }
        std::thread::scope(|scope| {
            let (sender, unpacked) = sync_channel::<(usize, Arc<Block>)>(N_AHEAD);
            scope.spawn(move || numbers.into_iter().all(|number| sender.send((number, blocks.load(number))).is_ok()));
            // Where it unwinds, nobody receives any more, and the one that sends stops.
            let _ = unpacked.into_iter().all(|(number, block)| {
                cancel::check();
                each(number, &block)
            });
        });
    }
}

/// What comes next on a walk.
pub enum Walked<'a> {
    Event(WalkedEvent<'a>),
    /// Events lie here that are not handed out.
    LeftOut,
}

fn walk_block(
    block: &Block,
    range: &Range<EventId>,
    briefs: &mut BriefLookup,
    left: &mut impl FnMut(FrameId, EventId),
    mut each: impl FnMut(WalkedEvent) -> bool,
) -> bool {
    let mut ended = block.all_left().iter().peekable();
    for index in 0..block.len() {
        let event = block.event(index);
        let id = event.id();
        if id >= range.end {
            return false;
        }
        let is_gone = |(_, at): &&(FrameId, u32)| *at as usize <= index;
        if id < range.start {
            while ended.next_if(is_gone).is_some() {}
            continue;
        }
        let Some(view) = event.view(briefs) else { continue };
        let site = event.site().and_then(|site| briefs.find(site));
        let holder = match event.holder {
            Holder::Instance(frame) => Some(frame),
            Holder::Nothing | Holder::Global => None,
        };
        let walked = WalkedEvent { id, frame: event.frame, site, event: view, caller: event.caller(), holder };
        if !each(walked) {
            return false;
        }
        while let Some((frame, _)) = ended.next_if(is_gone) {
            left(*frame, id);
        }
    }
    true
}

/// So many blocks are walked before another thread is worth its start.
const FEW_BLOCKS: usize = 4;
const N_AHEAD: usize = 4;
