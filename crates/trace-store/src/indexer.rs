//! Makes the index of a thread, block by block: while it is recorded, or when a run is opened whose index is not whole.

use std::collections::hash_map::Entry;

use event_encoding::{
    Counts, DecodeError, EventView, RecordView, StoredEvent, StoredObject, TailView, ValueView, ValuesView, event_start,
};
use rustc_hash::FxHashMap;
use trace_format::{BlockDetails, OpenFrame, RecordKinds, RelativeOutline, RelativeScope, ScopeAround, ScopeRecord};
use trace_model::{BuiltinOp, FrameId, LocalSite, ObjectId, SiteId, StringId, Value};

use crate::brief::{Briefs, SiteBrief};
use crate::call_stack::CallStack;
use crate::fact::{Fact, FactSet};
use crate::key::{KeyHash, RecordedKey, is_numeral, name_hash, numeral};
use crate::outline::number;
use crate::replay::{Holder, Passed, Past, Replay};
use crate::target::VariablePlace;

pub struct Indexer {
    pub(crate) replay: Replay,
    /// Whether facts are left for later.
    is_outline: bool,
    /// The highest number of an object that any event so far names.
    highest_object: u32,
    before: Before,
    facts: FactSet,
    pub(crate) sites: SiteCounts,
    /// The strings of the block, as keys.
    pub(crate) keys: Vec<KeyHash>,
    /// Of those whose facts are noted: whether they are the digits of a whole number.
    numerals: Vec<bool>,
    /// The same of older strings that were keys in the block.
    older_numerals: FxHashMap<StringId, bool>,
    /// The stack at the start of the block before.
    last_stack: Vec<OpenFrame>,
}

/// The state at the start of the block that is followed.
#[derive(Clone, Copy, Default)]
struct Before {
    counts: Counts,
    highest_object: u32,
    last_frame: u32,
}

/// A block that was followed to its end.
#[derive(Clone, Debug)]
pub struct Indexed {
    pub before: Counts,
    pub after: Counts,
    /// The highest object number before it and behind it.
    pub objects: (u32, u32),
    pub details: BlockDetails,
    pub n_words: usize,
}

impl Indexer {
    pub fn new() -> Indexer {
        Indexer::starting_at(Counts::default(), 0, Vec::new(), Vec::new())
    }

    /// Goes on where this is the stack; `last_stack` is that of the block before, which this one may share frames with.
    pub(crate) fn starting_at(
        counts: Counts,
        highest_object: u32,
        stack: Vec<OpenFrame>,
        last_stack: Vec<OpenFrame>,
    ) -> Indexer {
        Indexer {
            replay: Replay::new(CallStack::at_block(counts.frames, stack, Vec::new()), counts),
            is_outline: false,
            highest_object,
            before: Before::default(),
            facts: FactSet::default(),
            sites: SiteCounts::default(),
            keys: Vec::new(),
            numerals: Vec::new(),
            older_numerals: FxHashMap::default(),
            last_stack,
        }
    }

    /// Finds out no more than what the next block needs to know, and the sites (`outline.rs`). The facts of each block can then be
    /// found without those before it.
    pub(crate) fn outlining(mut self) -> Indexer {
        self.is_outline = true;
        self
    }

    /// With frames that are suspended.
    pub(crate) fn with_suspended(mut self, frames: Vec<OpenFrame>) -> Indexer {
        frames.into_iter().for_each(|frame| self.replay.stack.add_suspended(frame));
        self
    }

    pub fn counts(&self) -> Counts {
        self.replay.counts
    }

    /// Events are missing: the next one has these numbers before it, and no frame is known to be open.
    pub(crate) fn skip_to(&mut self, counts: Counts) {
        self.replay = Replay::new(CallStack::starting_at(counts.frames), counts);
    }

    /// Follows the events at the start of `words`, as many as `limit` words hold, one at least. `None`: there is none.
    pub fn index(
        &mut self,
        words: &[u32],
        limit: usize,
        briefs: &mut impl Briefs,
        past: &mut impl Past,
    ) -> Result<Option<Indexed>, DecodeError> {
        if event_start(words).is_none() {
            return Ok(None);
        }
        self.begin_block();
        let stack = self.replay.stack.frames().to_vec();
        let at = match self.is_outline {
            true => self.follow(words, limit, briefs, past)?,
            false => self.note_all(words, limit, briefs, past)?,
        };
        Ok(Some(Indexed {
            before: self.before.counts,
            after: self.replay.counts,
            objects: (self.before.highest_object, self.highest_object),
            details: self.details(stack),
            n_words: at,
        }))
    }

    /// Takes the next block as it was found to be alone, without its events, and says whether all older objects that it concerns are
    /// known. `None` if it cannot have been so: then it must be followed.
    pub(crate) fn pass_block(
        &mut self,
        block: &RelativeOutline,
        n_words: usize,
        past: &mut impl Past,
    ) -> Option<(Indexed, bool)> {
        self.begin_block();
        let before = self.before;
        let stack = self.replay.stack.frames().to_vec();
        let found = self.replay.stack.pass_block(block, past)?;
        let numbered = |number: u32| FrameId(before.counts.frames + number);
        let latest = |frame: &OpenFrame, block: Option<LocalSite>| {
            let instance = frame.blocks.iter().find(|(site, _)| Some(*site) == block);
            instance.map_or(frame.id, |(_, instance)| *instance)
        };
        let scope = |scope: &RelativeScope| ScopeRecord {
            id: numbered(scope.number),
            site: scope.site,
            up: match scope.up {
                ScopeAround::Nothing => None,
                ScopeAround::Numbered(id) => Some(id),
                ScopeAround::Entered(number) => Some(numbered(number)),
                ScopeAround::Assumed(assumed, block) => Some(latest(&found[assumed as usize], block)),
            },
        };
        self.replay.born.extend(block.scopes.iter().map(scope));
        self.replay.counts = self.replay.counts.and(block.n);
        self.see(block.highest_object);
        self.note_records(block.records);
        // A number that was there before may be that of any object.
        let older = block.objects.older.as_ref().filter(|_| block.objects.born_from > before.highest_object);
        for object in older.into_iter().flatten().filter(|object| **object <= before.highest_object) {
            self.facts.add(Fact::Object(ObjectId(*object)));
        }
        let has_objects = older.is_some();
        self.keys.extend(block.keys.iter().copied().map(KeyHash));
        let details = BlockDetails { sites: block.sites.clone(), ..self.details(stack) };
        let objects = (before.highest_object, self.highest_object);
        Some((Indexed { before: before.counts, after: self.replay.counts, objects, details, n_words }, has_objects))
    }

    /// Follows events with all that is to be known of them; see [`Indexer::follow`].
    fn note_all(
        &mut self,
        words: &[u32],
        limit: usize,
        briefs: &mut impl Briefs,
        past: &mut impl Past,
    ) -> Result<usize, DecodeError> {
        let mut at = 0;
        loop {
            let room = if at == 0 { usize::MAX } else { limit.saturating_sub(at) };
            match self.replay.pass(&words[at..], room, briefs, past) {
                Ok(Some(passed)) => {
                    at += passed.stored.n_words();
                    self.note(&passed, briefs, past);
                }
                // What is in front of the damage is a block; the next one begins with it.
                Err(error) if at == 0 => return Err(error),
                Ok(None) | Err(_) => return Ok(at),
            }
        }
    }

    /// The strings of the block that was followed last, as keys; for what comes later.
    pub fn keys(&self) -> &[KeyHash] {
        &self.keys
    }

    fn begin_block(&mut self) {
        self.replay.begin_block();
        self.keys.clear();
        self.numerals.clear();
        self.older_numerals.clear();
        self.before = Before { counts: self.replay.counts, highest_object: self.highest_object, last_frame: 0 };
    }

    fn details(&mut self, stack: Vec<OpenFrame>) -> BlockDetails {
        let n_shared = stack.iter().zip(&self.last_stack).take_while(|(now, before)| now == before).count();
        let frames = stack[n_shared..].to_vec();
        self.last_stack = stack;
        BlockDetails {
            tokens: self.facts.take(),
            sites: self.sites.take(),
            scopes: self.replay.born.clone(),
            n_shared: n_shared as u32,
            frames,
            resumed: self.replay.stack.resumed().to_vec(),
            keys: if self.is_outline { self.keys.iter().map(|key| key.0).collect() } else { Vec::new() },
        }
    }

    #[inline]
    fn note(&mut self, passed: &Passed, briefs: &mut impl Briefs, past: &mut impl Past) {
        self.note_frame(passed);
        let Some(site) = passed.site else {
            if let Some(record) = passed.stored.record() {
                self.note_record(&record, past);
            }
            return;
        };
        self.sites.add(site);
        let Some((unit, brief)) = briefs.brief(site) else { return };
        if passed.holder != Holder::Nothing {
            self.note_variable(unit, brief, passed.holder);
        }
        if let Some(object) = passed.stored.object() {
            self.note_object(object.number);
            if object.is_new() || brief.is_birth() {
                self.note_birth(object);
            }
        }
        if brief.writes_property() {
            self.note_write(brief, passed.stored.number());
        } else if brief.shape.has_values() {
            self.note_long_tail(brief, passed.stored, past);
        }
    }

    /// Of an outline: the facts that can be told of a block alone.
    pub(crate) fn note_records(&mut self, records: RecordKinds) {
        let all = [
            (records.output, Fact::Output),
            (records.uncaught, Fact::Uncaught),
            (records.message, Fact::Message),
            (records.error, Fact::Error),
        ];
        all.into_iter().filter(|(has, _)| *has).for_each(|(_, fact)| self.facts.add(fact));
    }

    #[inline]
    pub(crate) fn see(&mut self, object: u32) {
        self.highest_object = self.highest_object.max(object);
    }

    #[inline]
    fn note_frame(&mut self, passed: &Passed) {
        let n_old = self.before.counts.frames;
        if let Some(frame) = passed.frame
            && frame.0 <= n_old
            && frame.0 != self.before.last_frame
        {
            self.before.last_frame = frame.0;
            self.facts.add(Fact::InFrame(frame));
        }
        for frame in self.replay.stack.left() {
            if frame.0 <= n_old {
                self.facts.add(Fact::Left(*frame));
            }
        }
        // An `Enter` is the first event of the frame on top; a scope is in an older one.
        if passed.is_entry
            && let [.., caller, top] = self.replay.stack.frames()
            && caller.id.0 <= n_old
            && top.id == self.replay.stack.last_number()
        {
            self.facts.add(Fact::Called(caller.id));
        }
    }

    fn note_variable(&mut self, unit: SiteId, brief: &SiteBrief, holder: Holder) {
        let Some((variable, _)) = brief.variable() else { return };
        let owner = match holder {
            Holder::Nothing => return,
            Holder::Instance(FrameId(id)) if id > self.before.counts.frames => return,
            Holder::Instance(id) => Some(id),
            Holder::Global => None,
        };
        self.facts.add(Fact::Variable(VariablePlace { unit, variable, owner }));
    }

    #[inline]
    fn note_object(&mut self, object: u32) {
        if self.is_old(object) {
            self.facts.add(Fact::Mention(ObjectId(object)));
        }
    }

    fn note_values(&mut self, values: ValuesView) {
        values.filter_map(ValueView::object).for_each(|object| self.note_object(object.0));
    }

    fn note_birth(&mut self, object: StoredObject) {
        if let Some(prototype) = object.prototype {
            self.is_old(prototype);
        }
        self.note_every_key(object.number);
    }

    #[inline]
    fn note_write(&mut self, brief: &SiteBrief, object: u32) {
        if let Some(object) = self.old(object) {
            self.facts.add(Fact::Object(object));
            self.facts.add(brief.key().map_or(Fact::EveryKey(object), |key| Fact::Property(object, key)));
            if brief.kind().deletes() {
                self.facts.add(Fact::Removal(object));
            } else if brief.has_numeral() {
                self.facts.add(Fact::Numeral(object));
            }
        }
    }

    fn note_long_tail(&mut self, brief: &SiteBrief, stored: StoredEvent, past: &mut impl Past) {
        match stored.view(brief.shape) {
            Some(EventView::Site { tail: TailView::ObjectAndKey(object, key), .. }) => {
                if let Some(object) = self.old(number(object)) {
                    self.facts.add(Fact::Object(object));
                    self.note_key(object, key, brief.kind().deletes(), past);
                }
            }
            Some(EventView::Site { tail: TailView::Values(values), .. }) => self.note_values(values),
            _ => {}
        }
    }

    fn note_record(&mut self, record: &RecordView, past: &mut impl Past) {
        match record {
            RecordView::String(text) => {
                let text = text.text();
                self.keys.push(name_hash(&text));
                self.numerals.push(is_numeral(&text));
            }
            RecordView::Look { object, prototype, is_error, entries } => {
                if *is_error {
                    self.facts.add(Fact::Error);
                }
                self.is_old(number(*prototype));
                self.note_every_key(object.0);
                self.note_values(*entries);
            }
            RecordView::Effect { object, op, values } => self.note_effect(object.0, *op, *values, past),
            RecordView::Output => self.facts.add(Fact::Output),
            RecordView::Uncaught(value) => {
                self.facts.add(Fact::Uncaught);
                value.object().into_iter().for_each(|object| self.note_object(object.0));
            }
            RecordView::Message { value, .. } => {
                self.facts.add(Fact::Message);
                value.object().into_iter().for_each(|object| self.note_object(object.0));
            }
            RecordView::Symbol | RecordView::Other => {}
        }
    }

    fn note_effect(&mut self, object: u32, op: BuiltinOp, values: ValuesView, past: &mut impl Past) {
        if let Some(object) = self.old(object) {
            self.facts.add(Fact::Object(object));
            match EffectReach::of(op) {
                EffectReach::Elements => self.facts.add(Fact::Elements(object)),
                EffectReach::EveryKey => self.facts.add(Fact::EveryKey(object)),
                EffectReach::FirstValue => {
                    if let Some(key) = values.clone().next() {
                        self.note_key(object, key, op == BuiltinOp::DeleteProperty, past);
                    }
                }
                EffectReach::NoKey => {}
            }
        }
        self.note_values(values);
    }

    fn note_key(&mut self, object: ObjectId, key: ValueView, is_removed: bool, past: &mut impl Past) {
        let key = key.value().unwrap_or(Value::NotCaptured);
        if is_removed {
            self.facts.add(Fact::Removal(object));
        } else if numeral(key, |string| self.may_be_numeral(string, past)) {
            self.facts.add(Fact::Numeral(object));
        }
        let hash = match RecordedKey::of(key) {
            RecordedKey::Hash(hash) => Some(hash),
            RecordedKey::Text(string) => self.key(string, past),
            RecordedKey::Unknown => None,
        };
        self.facts.add(hash.map_or(Fact::EveryKey(object), |key| Fact::Property(object, key)));
    }

    fn key(&self, string: StringId, past: &mut impl Past) -> Option<KeyHash> {
        match string.0.checked_sub(self.before.counts.strings + 1) {
            Some(at) => self.keys.get(at as usize).copied(),
            None => past.key(string),
        }
    }

    fn may_be_numeral(&mut self, string: StringId, past: &mut impl Past) -> bool {
        if let Some(at) = string.0.checked_sub(self.before.counts.strings + 1) {
            return self.numerals.get(at as usize).is_none_or(|is_numeral| *is_numeral);
        }
        let n_asked = self.older_numerals.len();
        match self.older_numerals.entry(string) {
            Entry::Occupied(known) => *known.get(),
            // Each may lie in another block.
            Entry::Vacant(_) if n_asked >= MOST_OLDER => true,
            Entry::Vacant(place) => *place.insert(past.may_be_numeral(string)),
        }
    }

    fn note_every_key(&mut self, object: u32) {
        if let Some(object) = self.old(object) {
            self.facts.add(Fact::Object(object));
            self.facts.add(Fact::EveryKey(object));
        }
    }

    fn old(&mut self, object: u32) -> Option<ObjectId> {
        (object != 0 && self.is_old(object)).then_some(ObjectId(object))
    }

    /// Also takes note of the number.
    #[inline]
    fn is_old(&mut self, object: u32) -> bool {
        self.highest_object = self.highest_object.max(object);
        object <= self.before.highest_object
    }
}

/// So many older strings are looked up for the facts of a block.
const MOST_OLDER: usize = 16;

impl Default for Indexer {
    fn default() -> Indexer {
        Indexer::new()
    }
}

/// Which keys of its object a built-in's effect concerns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EffectReach {
    /// All indexes, and the length.
    Elements,
    EveryKey,
    /// The key is its first value.
    FirstValue,
    NoKey,
}

impl EffectReach {
    pub fn of(op: BuiltinOp) -> EffectReach {
        use BuiltinOp::*;
        match op {
            Push | Pop | Shift | Unshift | Splice => EffectReach::Elements,
            // What an object inherits, and what it lets be written, concerns all its keys.
            Refill | SetPrototype | Freeze | Seal | PreventExtensions => EffectReach::EveryKey,
            DefineProperty | DeleteProperty | SetProperty => EffectReach::FirstValue,
            MapSet | Delete | Clear | SetAdd => EffectReach::NoKey,
        }
    }
}

/// How many events each site has in the block.
#[derive(Default)]
pub(crate) struct SiteCounts {
    counts: Vec<u32>,
    sites: Vec<SiteId>,
}

impl SiteCounts {
    #[inline]
    pub fn add(&mut self, site: SiteId) {
        match self.counts.get_mut(site.0 as usize) {
            Some(count) if *count > 0 => *count += 1,
            _ => self.add_first(site),
        }
    }

    #[inline(never)]
    fn add_first(&mut self, site: SiteId) {
        let at = site.0 as usize;
        if at >= self.counts.len() {
            self.counts.resize((at + 1).next_power_of_two(), 0);
        }
        self.sites.push(site);
        self.counts[at] = 1;
    }

    pub fn take(&mut self) -> Vec<(SiteId, u32)> {
        self.sites.sort_unstable();
        let counts = &mut self.counts;
        self.sites.drain(..).map(|site| (site, std::mem::take(&mut counts[site.0 as usize]))).collect()
    }
}
