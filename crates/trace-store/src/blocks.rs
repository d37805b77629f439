//! The blocks of a thread: what is known of each without unpacking it, and the unpacked ones, of which the latest are kept.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use trace_format::{Counts, DetailsView, OpenFrame, ScopeRecord};
use trace_model::{EventId, FrameId, LocalSite, Site, SiteId, SiteKind, StringId, SymbolId, cancel, waiting};

use crate::Thread;
use crate::block::Block;
use crate::call_stack::CallStack;
use crate::fact::Fact;
use crate::indexer::Indexer;
use crate::key::{KeyHash, is_numeral, name_hash};
use crate::replay::Past;
use crate::target::{BirthPlace, Query};

/// In the order of their events.
#[derive(Debug, Default)]
pub(crate) struct BlockTable {
    pub entries: Vec<BlockEntry>,
    /// The chunk that holds strings and symbols of what was dropped.
    pub preamble: Option<usize>,
    /// The strings of the blocks that were outlined, as keys.
    pub keys: Keys,
    /// How many blocks were asked for their facts that had none yet, and the last of them.
    n_missed: AtomicUsize,
    last_missed: AtomicUsize,
    unpacked: Mutex<Cache>,
}

#[derive(Debug)]
pub(crate) struct BlockEntry {
    /// Where its words are: the chunk, and which part of it.
    pub chunk: usize,
    pub words: std::ops::Range<usize>,
    pub before: Counts,
    pub after: Counts,
    /// The highest object number before it and behind it.
    pub objects: (u32, u32),
    pub details: Details,
}

/// The words of [`trace_format::BlockDetails`].
#[derive(Debug)]
pub(crate) enum Details {
    /// In the index, at this entry. They are checked when they are first asked for; damaged ones are made anew.
    Stored { index: usize, anew: OnceLock<Option<Vec<u32>>> },
    /// Facts are found when they are first asked for; the rest is known.
    Outlined { outline: Outline, facts: OnceLock<Vec<u32>> },
}

impl Details {
    /// Whether the outline has the facts of all older objects that the block concerns.
    fn knows_objects(&self) -> bool {
        matches!(self, Details::Outlined { outline: Outline::Made { has_objects: true, .. }, .. })
    }
}

/// The details of a block without its facts, but for those that can be told of the block alone.
#[derive(Debug)]
pub(crate) enum Outline {
    /// In the index, at this entry, and whole.
    Stored { index: usize },
    /// Perhaps with the fact of each older object that the block concerns.
    Made { words: Vec<u32>, has_objects: bool },
}

/// The blocks of a thread, with the thread.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'a> {
    pub thread: &'a Thread,
    pub table: &'a BlockTable,
}

impl<'a> Blocks<'a> {
    pub fn len(&self) -> usize {
        self.table.entries.len()
    }

    /// The first event of a block, and one behind its last.
    pub fn events(&self, number: usize) -> (u64, u64) {
        let entry = &self.table.entries[number];
        (entry.before.events, entry.after.events)
    }

    pub fn of_event_or_later(&self, id: EventId) -> Option<usize> {
        self.first(|entry| entry.after.events > id.0)
    }

    pub fn of_event_or_earlier(&self, id: EventId) -> Option<usize> {
        self.table.entries.partition_point(|entry| entry.before.events <= id.0).checked_sub(1)
    }

    /// The block in which a frame or scope was entered.
    pub fn of_frame(&self, id: FrameId) -> Option<usize> {
        self.first(|entry| entry.after.frames >= id.0).filter(|at| self.table.entries[*at].before.frames < id.0)
    }

    /// The first block that can have to do with what was born so.
    pub fn birth(&self, birth: BirthPlace) -> Option<usize> {
        match birth {
            BirthPlace::Anywhere => Some(0),
            BirthPlace::Object(object) => self.first(|entry| entry.objects.1 >= object.0),
            BirthPlace::Frame(frame) => self.first(|entry| entry.after.frames >= frame.0),
        }
    }

    /// Whether a block can hold an event that is asked for. The facts of the block are asked only where its outline does not tell.
    pub fn may_hold(&self, number: usize, query: &Query) -> bool {
        let entry = &self.table.entries[number];
        let Some(outline) = self.outline(number) else { return true };
        if query.sites().is_some_and(|sites| !sites.iter().any(|site| outline.has_site(*site))) {
            return false;
        }
        if query.needs_enter() && entry.before.frames == entry.after.frames {
            return false;
        }
        let is_born_here = match query.birth {
            BirthPlace::Anywhere => query.tokens().is_empty(),
            BirthPlace::Object(object) => object.0 > entry.objects.0 && object.0 <= entry.objects.1,
            BirthPlace::Frame(frame) => frame.0 > entry.before.frames && frame.0 <= entry.after.frames,
        };
        let has_one = |details: DetailsView| query.tokens().iter().any(|token| details.has_token(*token));
        if let Some(is_one_born_here) = query.is_one_numbered(entry.objects) {
            return is_one_born_here || !entry.details.knows_objects() || has_one(outline);
        }
        if let BirthPlace::Object(object) = query.birth
            && !is_born_here
            && entry.details.knows_objects()
            && !query.is_about_mentions()
            && !outline.has_token(Fact::Object(object).token())
        {
            return false;
        }
        if query.is_told_by_outlines() {
            return is_born_here || has_one(outline);
        }
        is_born_here || self.details(number).is_none_or(has_one)
    }

    /// How many events a block has of what is asked for, if the index tells.
    pub fn count(&self, number: usize, query: &Query) -> Option<u64> {
        let sites = query.only_sites()?;
        let outline = self.outline(number)?;
        Some(sites.iter().map(|site| u64::from(outline.n_events(*site))).sum())
    }

    pub fn details(&self, number: usize) -> Option<DetailsView<'a>> {
        let words = match &self.table.entries[number].details {
            Details::Outlined { facts, .. } => match facts.get() {
                Some(facts) => facts,
                None => self.find_facts(number, facts),
            },
            Details::Stored { index, anew } => {
                let chunks = &self.thread.chunks;
                let entry = &chunks.index()[*index];
                let check = || match entry.find_details(chunks.details()) {
                    Some(_) => None,
                    None => Some(self.details_anew(number)),
                };
                match anew.get_or_init(check) {
                    Some(anew) => anew,
                    None => &chunks.details()[entry.details..entry.details + entry.n_details],
                }
            }
        };
        DetailsView::new(words)
    }

    /// The details of a block, perhaps without its facts.
    pub fn outline(&self, number: usize) -> Option<DetailsView<'a>> {
        match &self.table.entries[number].details {
            Details::Outlined { outline: Outline::Made { words, .. }, .. } => DetailsView::new(words),
            Details::Outlined { outline: Outline::Stored { index }, .. } => {
                let chunks = &self.thread.chunks;
                let entry = &chunks.index()[*index];
                DetailsView::new(&chunks.details()[entry.details..entry.details + entry.n_details])
            }
            Details::Stored { .. } => self.details(number),
        }
    }

    /// Who asks again and again looks for something far away: the next blocks on the way are then done at once, on all cores.
    #[cold]
    fn find_facts(&self, number: usize, facts: &'a OnceLock<Vec<u32>>) -> &'a Vec<u32> {
        let n_missed = self.table.n_missed.fetch_add(1, Ordering::Relaxed);
        let last = self.table.last_missed.swap(number, Ordering::Relaxed);
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
        if n_missed >= FEW_MISSED && n_threads > 1 {
            let ahead = if number < last {
                (number + 1).saturating_sub(N_AHEAD)..number + 1
            } else {
                number..(number + N_AHEAD).min(self.len())
            };
            let next = AtomicUsize::new(ahead.start);
            let asker = cancel::current();
            let is_wanted = || !asker.as_ref().is_some_and(cancel::Cancel::is_cancelled);
            let work = || {
                while let Some(number) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).filter(|at| *at < ahead.end && is_wanted())
                {
                    if let Details::Outlined { facts, .. } = &self.table.entries[number].details {
                        facts.get_or_init(|| self.facts(number));
                    }
                }
            };
            std::thread::scope(|scope| {
                (1..n_threads).for_each(|_| drop(scope.spawn(work)));
                work();
            });
        }
        facts.get_or_init(|| self.facts(number))
    }

    /// The details of an outlined block, with its facts.
    pub fn facts(&self, number: usize) -> Vec<u32> {
        cancel::check();
        let entry = &self.table.entries[number];
        let outline = self.outline(number);
        let resumed = outline.and_then(|outline| outline.resumed()).unwrap_or_default();
        let before = match number.checked_sub(1) {
            Some(before) => self.stack(before),
            None => Vec::new(),
        };
        let mut indexer =
            Indexer::starting_at(entry.before, entry.objects.0, self.stack(number), before).with_suspended(resumed);
        let words = self.thread.chunks.part(entry.chunk, entry.words.clone());
        let indexed = indexer.index(&words, usize::MAX, &mut self.thread.code().briefs(), &mut self.past(number));
        let mut words = Vec::new();
        indexed.ok().flatten().map(|indexed| indexed.details).unwrap_or_default().to_words(&mut words);
        words
    }

    /// The details of a block, made from its events and those of the block before.
    pub fn details_anew(&self, number: usize) -> Vec<u32> {
        // If those before it are damaged as well, the first of them comes first: each needs the one before.
        let first = (0..number).rev().find(|before| self.is_at_hand(*before)).map_or(0, |before| before + 1);
        for damaged in first..number {
            let _ = self.details(damaged);
        }
        let entry = &self.table.entries[number];
        let mut indexer = Indexer::starting_at(entry.before, entry.objects.0, self.stack_behind(number), Vec::new());
        let words = self.thread.chunks.part(entry.chunk, entry.words.clone());
        let mut briefs = self.thread.code().briefs();
        let mut past = self.past(number);
        let indexed = indexer.index(&words, usize::MAX, &mut briefs, &mut past).ok().flatten();
        let mut words = Vec::new();
        indexed.map(|indexed| indexed.details).unwrap_or_default().to_words(&mut words);
        words
    }

    /// Whether the details need not be made anew.
    fn is_at_hand(&self, number: usize) -> bool {
        let chunks = &self.thread.chunks;
        match &self.table.entries[number].details {
            Details::Outlined { .. } => true,
            Details::Stored { index, anew } => {
                anew.get().is_some() || chunks.index()[*index].find_details(chunks.details()).is_some()
            }
        }
    }

    /// The sites of such kinds in the function of this one (an `Enter`); `None` if its code is not there.
    pub fn sites_in_function_of(&self, site: SiteId, is_kind: impl Fn(SiteKind) -> bool) -> Option<Vec<SiteId>> {
        let unit = self.thread.code().unit(site)?;
        let sites = &unit.code().ok()?.sites.sites;
        let function = sites.get(unit.local(site).0 as usize)?.function;
        let is_one = |own: &Site| own.function == function && is_kind(own.kind);
        Some((0..).zip(sites).filter(|(_, own)| is_one(own)).map(|(at, _)| unit.site(LocalSite(at))).collect())
    }

    /// Whether a block has events of any of these sites, as far as is known.
    pub fn has_any(&self, number: usize, sites: &[SiteId]) -> bool {
        self.outline(number).is_none_or(|outline| sites.iter().any(|site| outline.has_site(*site)))
    }

    /// The stack behind the blocks before this one.
    pub fn stack_behind(&self, number: usize) -> Vec<OpenFrame> {
        let Some(before) = number.checked_sub(1) else { return Vec::new() };
        let (entry, next) = (&self.table.entries[before], self.table.entries.get(number));
        // Behind a gap, no frame is known to be open.
        if next.is_some_and(|next| next.before != entry.after) {
            return Vec::new();
        }
        let block = self.load(before);
        let Some(last) = block.len().checked_sub(1) else { return Vec::new() };
        let mut stack = block.stack_at(last, &mut self.thread.code().briefs(), &mut self.past(before));
        stack.finish_last_step();
        stack.frames().to_vec()
    }

    /// The unpacked block. One that cannot be read is empty.
    pub fn load(&self, number: usize) -> Arc<Block> {
        self.cached(number, || {
            let entry = &self.table.entries[number];
            let words = self.thread.chunks.part(entry.chunk, entry.words.clone());
            let resumed = self.outline(number).and_then(|outline| outline.resumed()).unwrap_or_default();
            let stack = CallStack::at_block(entry.before.frames, self.stack(number), resumed);
            Block::new(words, entry.before, stack, &mut self.thread.code().briefs(), &mut self.past(number))
        })
    }

    /// The stack at the start of a block.
    pub fn stack(&self, number: usize) -> Vec<OpenFrame> {
        // Inner frames first; each part is what a block has beyond those it shares with the one before.
        let mut parts: Vec<Vec<OpenFrame>> = Vec::new();
        let mut n_wanted = usize::MAX;
        for number in (0..=number).rev() {
            let Some(details) = self.outline(number) else { break };
            let n_shared = details.n_shared();
            if n_shared < n_wanted {
                let mut own = details.frames().unwrap_or_default();
                own.truncate(n_wanted - n_shared);
                parts.push(own);
                n_wanted = n_shared;
            }
            if n_wanted == 0 {
                break;
            }
        }
        parts.into_iter().rev().flatten().collect()
    }

    /// Where a frame that is so deep in the stack at the start of a block is at its end; `None` if it is not there, or there is no next
    /// block to tell.
    pub fn depth_after(&self, number: usize, id: FrameId, depth: usize) -> Option<usize> {
        let next = self.table.entries.get(number + 1)?;
        // Behind a gap, no frame is known to be open.
        if next.before != self.table.entries[number].after {
            return None;
        }
        match self.outline(number + 1)?.n_shared() {
            n_shared if depth < n_shared => Some(depth),
            _ => self.depth_beyond_shared(number + 1, id),
        }
    }

    /// Where a frame is in the stack at the start of a block, if it is none of those that the block shares with the one before.
    pub fn depth_beyond_shared(&self, number: usize, id: FrameId) -> Option<usize> {
        let outline = self.outline(number)?;
        let at = outline.frames()?.iter().position(|frame| frame.id == id)?;
        Some(outline.n_shared() + at)
    }

    pub fn scope(&self, id: FrameId) -> Option<ScopeRecord> {
        match (self.of_frame(id), self.table.preamble) {
            (Some(number), _) => self.outline(number)?.scope(id),
            // What was dropped left its scopes with the preamble.
            (None, Some(chunk)) => {
                let details = self.thread.chunks.index().get(chunk)?.find_details(self.thread.chunks.details())?;
                DetailsView::new(details)?.scope(id)
            }
            (None, None) => None,
        }
    }

    pub fn string(&self, id: StringId) -> Option<String> {
        match self.first(|entry| entry.after.strings >= id.0) {
            Some(number) if self.table.entries[number].before.strings < id.0 => self.load(number).string(id),
            _ => self.preamble()?.string(id),
        }
    }

    /// The string that describes a symbol.
    pub fn symbol(&self, id: SymbolId) -> Option<StringId> {
        match self.first(|entry| entry.after.symbols >= id.0) {
            Some(number) if self.table.entries[number].before.symbols < id.0 => self.load(number).symbol(id),
            _ => self.preamble()?.symbol(id),
        }
    }

    /// Whether what was dropped had a string of this text.
    pub fn preamble_had(&self, text: &str) -> bool {
        self.preamble().is_some_and(|block| block.strings().any(|own| own == text))
    }

    fn preamble(&self) -> Option<Arc<Block>> {
        let chunk = self.table.preamble?;
        Some(self.cached(usize::MAX, || {
            let words = self.thread.chunks.part(chunk, 0..usize::MAX);
            let briefs = &mut self.thread.code().briefs();
            Block::new(words, Counts::default(), CallStack::default(), briefs, &mut self.past(0))
        }))
    }

    pub fn past(&self, number: usize) -> TablePast<'a> {
        TablePast { blocks: *self, n_before: number }
    }

    fn first(&self, is_behind: impl Fn(&BlockEntry) -> bool) -> Option<usize> {
        let at = self.table.entries.partition_point(|entry| !is_behind(entry));
        (at < self.len()).then_some(at)
    }

    fn cached(&self, number: usize, unpack: impl FnOnce() -> Block) -> Arc<Block> {
        let cache = || waiting::lock(&self.table.unpacked);
        if let Some(block) = cache().get(number) {
            return block;
        }
        cancel::check();
        // Not under the lock: others may unpack other blocks meanwhile.
        let block = Arc::new(unpack());
        cache().insert(number, block.clone());
        block
    }
}

/// So many blocks are done one by one.
const FEW_MISSED: usize = 4;
const N_AHEAD: usize = 32;

/// The past of a block, from the blocks before it.
pub(crate) struct TablePast<'a> {
    pub blocks: Blocks<'a>,
    pub n_before: usize,
}

impl TablePast<'_> {
    /// A string that was there before the block. Looking for a later one, which only who makes a run by hand can name, could lead here again.
    fn string(&self, id: StringId) -> Option<String> {
        let n_strings = self.blocks.table.entries.get(self.n_before)?.before.strings;
        if id.0 <= n_strings { self.blocks.string(id) } else { None }
    }
}

impl Past for TablePast<'_> {
    fn scope(&mut self, id: FrameId) -> Option<ScopeRecord> {
        self.blocks.scope(id)
    }

    fn key(&mut self, id: StringId) -> Option<KeyHash> {
        self.blocks.table.keys.get(id).or_else(|| self.string(id).map(|text| name_hash(&text)))
    }

    fn may_be_numeral(&mut self, id: StringId) -> bool {
        self.string(id).is_none_or(|text| is_numeral(&text))
    }

    /// As it was at its last event in a block before.
    fn suspended(&mut self, id: FrameId) -> Option<OpenFrame> {
        let blocks = self.blocks;
        // A frame that a later block enters cannot have been suspended before, and looking for it there could lead here again.
        let first = blocks.of_frame(id).filter(|first| *first < self.n_before)?;
        let token = Fact::InFrame(id).token();
        let enter = blocks.load(first).entered(id)?.site;
        let suspends = blocks.sites_in_function_of(enter, |kind| kind == SiteKind::Suspend)?;
        for number in (first..self.n_before).rev() {
            if !blocks.has_any(number, &suspends) {
                continue;
            }
            if number > first && !blocks.details(number)?.has_token(token) {
                continue;
            }
            let block = blocks.load(number);
            let Some(index) = (0..block.len()).rev().find(|index| block.event(*index).is_of_frame(id)) else {
                continue;
            };
            let mut briefs = blocks.thread.code().briefs();
            let (_, brief) = briefs.find(block.event(index).site()?)?;
            if brief.kind() != SiteKind::Suspend {
                return None;
            }
            let stack = block.stack_at(index, &mut briefs, &mut blocks.past(number));
            return stack.top().filter(|top| top.id == id).cloned();
        }
        None
    }
}

/// The strings of blocks one behind the other, as keys.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    n_before: u32,
    keys: Vec<KeyHash>,
}

impl Keys {
    /// The strings behind so many others.
    pub fn add(&mut self, n_before: u32, keys: &[KeyHash]) {
        if self.n_before + self.keys.len() as u32 != n_before {
            (self.n_before, self.keys) = (n_before, Vec::new());
        }
        self.keys.extend_from_slice(keys);
    }

    pub fn get(&self, id: StringId) -> Option<KeyHash> {
        self.keys.get(id.0.checked_sub(self.n_before + 1)? as usize).copied()
    }
}

/// Unpacked blocks, the latest used.
#[derive(Default)]
struct Cache {
    blocks: HashMap<usize, (Arc<Block>, u64)>,
    n_uses: u64,
}

impl Cache {
    const MOST_BLOCKS: usize = 64;

    fn get(&mut self, number: usize) -> Option<Arc<Block>> {
        self.n_uses += 1;
        let (block, last_use) = self.blocks.get_mut(&number)?;
        *last_use = self.n_uses;
        Some(block.clone())
    }

    fn insert(&mut self, number: usize, block: Arc<Block>) {
        if self.blocks.len() >= Self::MOST_BLOCKS
            && let Some(oldest) = self.blocks.iter().min_by_key(|(_, (_, last_use))| *last_use).map(|(at, _)| *at)
        {
            self.blocks.remove(&oldest);
        }
        self.blocks.insert(number, (block, self.n_uses));
    }
}

impl std::fmt::Debug for Cache {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} blocks", self.blocks.len())
    }
}
