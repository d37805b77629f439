//! What must be known of a block before the next one can be followed, and which sites have events in it: counts, stack, scopes, the
//! highest object number, strings as keys. Everything else can be found out of a block alone, when it is asked for.
//!
//! All events of a run pass through here while it is recorded or before its first question, and nothing is waited for as much. So
//! this keeps what changes with each event out of memory: a number that was stored by one event
//! and is read in another way by the next costs more than all the rest of it.

use event_encoding::{
    DecodeError, EventStart, EventView, RecordView, StoredEvent, TailView, ValueView, ValuesView, event_start,
};
use trace_format::RecordKinds;
use trace_model::{FrameId, ObjectId, SiteId, SiteKind};

use crate::brief::{Briefs, SiteBrief};
use crate::call_stack::Moved;
use crate::indexer::Indexer;
use crate::key::name_hash;
use crate::replay::Past;

impl Indexer {
    /// Follows the events at the start of `words`, as many as `limit` words hold, one at least. Gives how many words they take; an error
    /// if the first event cannot be read.
    pub(crate) fn follow(
        &mut self,
        words: &[u32],
        limit: usize,
        briefs: &mut impl Briefs,
        past: &mut impl Past,
    ) -> Result<usize, DecodeError> {
        let mut at = 0;
        let mut n_events = 0;
        let mut highest = 0;
        let stopped = loop {
            let Some(start) = event_start(&words[at..]) else { break Ok(()) };
            let room = if at == 0 { usize::MAX } else { limit.saturating_sub(at) };
            let passed = match start {
                EventStart::Site(site) => match briefs.brief(site) {
                    Some((unit, brief)) => {
                        self.follow_site(&words[at..], room, (unit, site, brief), &mut highest, past)
                    }
                    None => Err(DecodeError::UnknownSite(site)),
                },
                EventStart::Record => self.follow_record(&words[at..], room),
            };
            match passed {
                Ok(Some(n_words)) => at += n_words,
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
            n_events += 1;
        };
        self.replay.counts.events += n_events;
        self.see(highest);
        // What is in front of the damage is a block; the next one begins with it.
        if at == 0 { stopped.map(|()| 0) } else { Ok(at) }
    }

    #[inline(always)]
    fn follow_site(
        &mut self,
        words: &[u32],
        room: usize,
        (unit, site, brief): (SiteId, SiteId, &SiteBrief),
        highest: &mut u32,
        past: &mut impl Past,
    ) -> Result<Option<usize>, DecodeError> {
        let Some(stored) = StoredEvent::of_site(words, room, brief.shape)? else { return Ok(None) };
        let tail = stored.number();
        self.sites.add(site);
        if let Some(object) = stored.object() {
            *highest = (*highest).max(object.highest());
        }
        if brief.writes_property() {
            *highest = (*highest).max(tail);
        } else if brief.shape.has_values() {
            *highest = (*highest).max(highest_in_tail(stored, brief));
        }
        let kind = brief.kind();
        if matches!(kind, SiteKind::Resume | SiteKind::LateResume | SiteKind::Catch | SiteKind::Finally) {
            self.replay.find_suspended(FrameId(tail), past);
        }
        self.replay.stack.pass_site(Moved { unit, site, brief, tail });
        if matches!(kind, SiteKind::Enter | SiteKind::Scope) {
            self.replay.counts.frames += 1;
            self.replay.note_scope(unit, site, brief);
        }
        Ok(Some(stored.n_words()))
    }

    #[inline(never)]
    fn follow_record(&mut self, words: &[u32], room: usize) -> Result<Option<usize>, DecodeError> {
        let (stored, record) = StoredEvent::of_record(words)?;
        if stored.n_words() > room {
            return Ok(None);
        }
        self.replay.stack.pass_record();
        match record {
            RecordView::String(text) => {
                self.replay.counts.strings += 1;
                self.keys.push(name_hash(&text.text()));
            }
            RecordView::Symbol => self.replay.counts.symbols += 1,
            RecordView::Look { object, prototype, is_error, entries } => {
                self.note_records(RecordKinds { error: is_error, ..RecordKinds::default() });
                self.see(object.0.max(number(prototype)).max(highest_of(entries)));
            }
            RecordView::Effect { object, values, .. } => self.see(object.0.max(highest_of(values))),
            RecordView::Uncaught(value) => {
                self.note_records(RecordKinds { uncaught: true, ..RecordKinds::default() });
                self.see(number(value.object()));
            }
            RecordView::Message { value, .. } => {
                self.note_records(RecordKinds { message: true, ..RecordKinds::default() });
                self.see(number(value.object()));
            }
            RecordView::Output => self.note_records(RecordKinds { output: true, ..RecordKinds::default() }),
            RecordView::Other => {}
        }
        Ok(Some(stored.n_words()))
    }
}

#[inline(never)]
pub(crate) fn highest_in_tail(stored: StoredEvent, brief: &SiteBrief) -> u32 {
    match stored.view(brief.shape) {
        Some(EventView::Site { tail: TailView::ObjectAndKey(object, _), .. }) => number(object),
        Some(EventView::Site { tail: TailView::Values(values), .. }) => highest_of(values),
        _ => 0,
    }
}

pub(crate) fn highest_of(values: ValuesView) -> u32 {
    number(values.filter_map(ValueView::object).max())
}

/// The number of an object; 0 for none.
#[inline]
pub(crate) fn number(object: Option<ObjectId>) -> u32 {
    object.map_or(0, |ObjectId(number)| number)
}
