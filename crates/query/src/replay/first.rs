//! The first properties of an object that has very many. They are what a person sees who opens it, and going over all its events
//! would take as long as there are properties.
//!
//! Properties are in the order in which they came. So the first are among those that came in the first blocks of events, unless all of
//! these went again; these blocks are replayed as a whole. What happened to one of them later is in the index under its key, and
//! whatever concerns the object as a whole is there under every key. So replaying the later events of the first keys, too, gives these
//! keys as replaying all events would: what is left out is about keys behind them.

use trace_model::{BuiltinOp, Event, EventId, ObjectClass, ObjectId, Record};
use trace_store::{PropertyKey, Step, Target};

use super::{Replay, is_born};
use crate::Trace;
use crate::objects::Contents;

impl<'a> Trace<'a> {
    /// The first so many properties of an object that has more, as its events tell, without going over all of them: those that came
    /// first are replayed, and the index tells what happened to their keys later. `None` for what has few, for arrays, Maps and Sets,
    /// and where only the whole tells which are the first.
    pub(crate) fn first_properties(&self, object: ObjectId, before: EventId, n_wanted: usize) -> Option<Contents> {
        let (mut replay, read_to) = self.replay_blocks(object, before, n_wanted + N_SPARE)?;
        if replay.elements.is_some() || replay.class.is_some_and(ObjectClass::has_entries) {
            return None;
        }
        let first = replay.named.came_before(replay.named.n_came());
        if !self.are_ordered_by_coming(object, first.iter().map(|(key, ..)| *key), read_to..before) {
            return None;
        }
        let first: Vec<(PropertyKey, u64)> =
            first.into_iter().take(n_wanted + N_SPARE).map(|(key, came, _)| (key.clone(), came)).collect();
        let n_came = first.last()?.1 + 1;
        let mut later: Vec<Step> = Vec::new();
        for (key, _) in &first {
            later.extend(self.each_within(&Target::Property(object, key), read_to..before).take(MOST_LATER));
            if later.len() >= MOST_LATER {
                return None;
            }
        }
        later.sort_unstable_by_key(|step| step.id);
        later.dedup_by_key(|step| step.id);
        if later.iter().any(|step| !is_of_one_key(step, object)) {
            return None;
        }
        later.iter().for_each(|step| replay.apply(step));
        // One that went and came again is behind others that were not looked at. One more than is wanted tells that there are more.
        let first = replay.named.came_before(n_came);
        if first.len() <= n_wanted {
            return None;
        }
        let first = first.into_iter().take(n_wanted).map(|(key, _, slot)| (key.clone(), slot.clone())).collect();
        replay.named.clear();
        Some(Contents { properties: first, total: None, ..replay.into_contents() })
    }

    /// The object as the events of its first blocks made it, as many as it takes to have so many keys, and where these blocks end.
    /// `None` if there are no others.
    fn replay_blocks(&self, object: ObjectId, before: EventId, n_wanted: usize) -> Option<(Replay<'_, 'a>, EventId)> {
        let mut replay: Option<Replay> = None;
        let mut block_end = EventId(0);
        let mut n_blocks = 0;
        for step in self.thread.each_within(&Target::Object(object), EventId(0)..before) {
            if step.id >= block_end {
                if replay.as_ref().is_some_and(|replay| replay.named.len() >= n_wanted) {
                    return Some((replay?, block_end));
                }
                block_end = self.thread.end_of_block(step.id);
                n_blocks += 1;
                if n_blocks > MOST_BLOCKS {
                    return None;
                }
            }
            self.replay_step(object, &mut replay, &step);
        }
        None
    }
}

/// Whether it wrote, defined or removed one key, or one that is not known, and did nothing to the object as a whole.
fn is_of_one_key(step: &Step, object: ObjectId) -> bool {
    match &step.event {
        Event::Record(Record::Effect { op, .. }) => {
            matches!(op, BuiltinOp::DefineProperty | BuiltinOp::SetProperty | BuiltinOp::DeleteProperty)
        }
        Event::Record(_) => false,
        Event::Site { .. } => !is_born(step, object),
    }
}

/// The first keys are looked for in so many blocks of events.
const MOST_BLOCKS: usize = 8;
/// Of the first keys, so many more are looked at than are wanted: some may be gone, and one tells that there are more.
const N_SPARE: usize = 24;
/// Keys that are written more often than that are left to the replay of all.
const MOST_LATER: usize = 20_000;
