//! What must be known of a block before the next one can be followed, and which sites have events in it: counts, stack, scopes, the
//! highest object number, strings as keys. Everything else can be found out of a block alone, when it is asked for.
//!
//! All events of a run pass through here while it is recorded or before its first question, and nothing is waited for as much. So
//! this goes through the words itself, and keeps what changes with each event out of memory: a number that was stored by one event
//! and is read in another way by the next costs more than all the rest of it.

use trace_format::{
    DecodeError, RawEvent, RawRecord, RawTail, RawValue, RawValues, RecordKinds, header_site, n_without_tail,
    raw_record, raw_site, site_length, value_object,
};
use trace_model::{FrameId, SiteId, SiteKind};

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
            let Some(&header) = words.get(at).filter(|header| **header != 0) else { break Ok(()) };
            let room = if at == 0 { usize::MAX } else { limit.saturating_sub(at) };
            let passed = match header_site(header) {
                Some(site) => match briefs.brief(site) {
                    Some((unit, brief)) => {
                        self.follow_site(&words[at..], room, (unit, site, brief), &mut highest, past)
                    }
                    None => Err(DecodeError::UnknownSite(site)),
                },
                None => self.follow_record(&words[at..], room),
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
        let n_words = match brief.n_tail() {
            Some(n_tail) => n_without_tail(words[0]) + n_tail,
            None => site_length(words, brief.shape)?,
        };
        if n_words > room {
            return Ok(None);
        }
        let words = words.get(..n_words).ok_or(DecodeError::Torn)?;
        let tail = words[n_words - 1];
        self.sites.add(site);
        if let Some((object, is_new)) = value_object(words) {
            // Behind a new one is its prototype.
            *highest = (*highest).max(if is_new { object.max(words[2]) } else { object });
        }
        if brief.writes_property() {
            *highest = (*highest).max(tail);
        } else if brief.n_tail().is_none() {
            *highest = (*highest).max(highest_in_tail(words, brief));
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
        Ok(Some(n_words))
    }

    #[inline(never)]
    fn follow_record(&mut self, words: &[u32], room: usize) -> Result<Option<usize>, DecodeError> {
        let (record, n_words) = raw_record(words)?;
        if n_words > room {
            return Ok(None);
        }
        self.replay.stack.pass_record();
        match record {
            RawRecord::String(text) => {
                self.replay.counts.strings += 1;
                self.keys.push(name_hash(&text.text()));
            }
            RawRecord::Symbol => self.replay.counts.symbols += 1,
            RawRecord::Look { object, prototype, is_error, entries } => {
                self.note_records(RecordKinds { error: is_error, ..RecordKinds::default() });
                self.see(object.max(prototype).max(highest_of(entries)));
            }
            RawRecord::Effect { object, values, .. } => self.see(object.max(highest_of(values))),
            RawRecord::Uncaught(value) => {
                self.note_records(RecordKinds { uncaught: true, ..RecordKinds::default() });
                self.see(value.object().unwrap_or(0));
            }
            RawRecord::Message { value, .. } => {
                self.note_records(RecordKinds { message: true, ..RecordKinds::default() });
                self.see(value.object().unwrap_or(0));
            }
            RawRecord::Output => self.note_records(RecordKinds { output: true, ..RecordKinds::default() }),
            RawRecord::Other => {}
        }
        Ok(Some(n_words))
    }
}

#[inline(never)]
pub(crate) fn highest_in_tail(words: &[u32], brief: &SiteBrief) -> u32 {
    match raw_site(words, brief.shape) {
        Ok((RawEvent::Site { tail: RawTail::ObjectAndKey(object, _), .. }, _)) => object,
        Ok((RawEvent::Site { tail: RawTail::Values(values), .. }, _)) => highest_of(values),
        _ => 0,
    }
}

pub(crate) fn highest_of(values: RawValues) -> u32 {
    values.filter_map(RawValue::object).max().unwrap_or(0)
}
