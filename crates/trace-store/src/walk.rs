//! All events of a stretch in order, each with the frame it is in, as they lie in their words: nothing is allocated for an event.

use std::ops::Range;

use trace_format::RawEvent;
use trace_model::{EventId, FrameId, SiteId};

use crate::Thread;
use crate::brief::SiteBrief;
use crate::replay::Holder;

/// An event with its frame.
#[derive(Clone, Copy)]
pub struct WalkedEvent<'a> {
    pub id: EventId,
    pub frame: Option<FrameId>,
    /// The first site of its code, and what is known of the site; `None` for a record.
    pub site: Option<(SiteId, &'a SiteBrief)>,
    pub raw: RawEvent<'a>,
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
        mut left: impl FnMut(FrameId, EventId),
        mut each: impl FnMut(WalkedEvent) -> bool,
    ) {
        let blocks = self.blocks();
        let mut briefs = self.code().briefs();
        let Some(first) = blocks.of_event_or_later(range.start) else { return };
        for number in first..blocks.len() {
            if blocks.events(number).0 >= range.end.0 {
                return;
            }
            let block = blocks.load(number);
            let mut ended = block.all_left().iter().peekable();
            for index in 0..block.len() {
                let event = block.event(index);
                let id = event.id();
                if id >= range.end {
                    return;
                }
                let is_wanted = id >= range.start;
                let is_gone = |(_, at): &&(FrameId, u32)| *at as usize <= index;
                if !is_wanted {
                    while ended.next_if(is_gone).is_some() {}
                    continue;
                }
                let Some(raw) = event.raw(&mut briefs) else { continue };
                let site = event.site().and_then(|site| briefs.find(site));
                let holder = match event.holder {
                    Holder::Instance(frame) => Some(frame),
                    Holder::Nothing | Holder::Global => None,
                };
                let walked = WalkedEvent { id, frame: event.frame, site, raw, caller: event.caller(), holder };
                if !each(walked) {
                    return;
                }
                while let Some((frame, _)) = ended.next_if(is_gone) {
                    left(*frame, id);
                }
            }
        }
    }
}
