//! Follows the events of a block: which frame each is in, and which instance holds the variable it writes.

use event_encoding::{Counts, DecodeError, EventStart, RecordView, StoredEvent, event_start};
use trace_format::{OpenFrame, ScopeRecord};
use trace_model::{FrameId, FunctionIndex, LocalSite, Owner, SiteId, SiteKind, StringId};

use crate::brief::{Briefs, SiteBrief};
use crate::call_stack::{CallStack, Moved};
use crate::key::KeyHash;

/// What was before the block that is followed.
pub trait Past {
    fn scope(&mut self, id: FrameId) -> Option<ScopeRecord>;
    /// The string as a key.
    fn key(&mut self, id: StringId) -> Option<KeyHash>;
    /// Whether the string is the digits of a whole number, or may be.
    fn may_be_numeral(&mut self, id: StringId) -> bool;
    /// A frame that was suspended before the block, and that nobody said would come back in it.
    fn suspended(&mut self, id: FrameId) -> Option<OpenFrame>;
}

/// What holds a variable that an event wrote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Holder {
    /// The event writes none; or it cannot be told.
    Nothing,
    Global,
    Instance(FrameId),
}

pub(crate) struct Replay {
    pub stack: CallStack,
    pub counts: Counts,
    /// The scopes that were entered since the start of the block.
    pub born: Vec<ScopeRecord>,
    resolved: ResolvedCache,
}

/// An event that was passed.
pub(crate) struct Passed<'w> {
    pub stored: StoredEvent<'w>,
    pub site: Option<SiteId>,
    /// Whether it took the number of a frame or scope.
    pub is_entry: bool,
    pub frame: Option<FrameId>,
    pub holder: Holder,
}

impl Replay {
    pub fn new(stack: CallStack, counts: Counts) -> Replay {
        Replay { stack, counts, born: Vec::new(), resolved: ResolvedCache::default() }
    }

    /// The next block begins.
    pub fn begin_block(&mut self) {
        self.stack.begin_block();
        self.born.clear();
    }

    /// Passes the event at the start of `words`; `None` at their end, and where it would take more than `room`.
    #[inline(always)]
    pub fn pass<'w>(
        &mut self,
        words: &'w [u32],
        room: usize,
        briefs: &mut impl Briefs,
        past: &mut impl Past,
    ) -> Result<Option<Passed<'w>>, DecodeError> {
        let site = match event_start(words) {
            None => return Ok(None),
            Some(EventStart::Site(site)) => site,
            Some(EventStart::Record) => {
                let (stored, record) = StoredEvent::of_record(words)?;
                return Ok((stored.n_words() <= room).then(|| self.pass_record(record, stored)));
            }
        };
        let (unit, brief) = briefs.brief(site).ok_or(DecodeError::UnknownSite(site))?;
        let Some(stored) = StoredEvent::of_site(words, room, brief.shape)? else { return Ok(None) };
        let kind = brief.kind();
        if matches!(kind, SiteKind::Resume | SiteKind::LateResume | SiteKind::Catch | SiteKind::Finally) {
            self.find_suspended(FrameId(stored.number()), past);
        }
        self.stack.pass_site(Moved { unit, site, brief, tail: stored.number() });
        self.counts.events += 1;
        let is_entry = matches!(kind, SiteKind::Enter | SiteKind::Scope);
        if is_entry {
            self.counts.frames += 1;
            self.note_scope(unit, site, brief);
        }
        let frame = self.stack.frame_of(unit, brief.function).map(|frame| frame.id);
        let function = brief.function;
        let holder = match brief.variable() {
            None => Holder::Nothing,
            Some((_, Owner::Function(owner))) if owner == function => frame.map_or(Holder::Nothing, Holder::Instance),
            Some((_, owner)) => self.holder(unit, function, owner, briefs, past),
        };
        Ok(Some(Passed { stored, site: Some(site), is_entry, frame, holder }))
    }

    pub fn find_suspended(&mut self, id: FrameId, past: &mut impl Past) {
        self.stack.pass_record();
        if !self.stack.is_known(id)
            && let Some(frame) = past.suspended(id)
        {
            self.stack.add_suspended(frame);
        }
    }

    fn pass_record<'w>(&mut self, record: RecordView, stored: StoredEvent<'w>) -> Passed<'w> {
        self.stack.pass_record();
        self.counts.events += 1;
        match record {
            RecordView::String(_) => self.counts.strings += 1,
            RecordView::Symbol => self.counts.symbols += 1,
            _ => {}
        }
        let frame = self.stack.top().map(|frame| frame.id);
        Passed { stored, site: None, is_entry: false, frame, holder: Holder::Nothing }
    }

    pub fn note_scope(&mut self, unit: SiteId, site: SiteId, brief: &SiteBrief) {
        if !brief.keeps_scope() {
            return;
        }
        let frame = self.stack.frame_of(unit, brief.function);
        let up = match brief.kind() {
            SiteKind::Enter => frame.and_then(|frame| frame.scope),
            _ => frame.map(|frame| brief.enclosing().and_then(|outer| latest(frame, outer)).unwrap_or(frame.id)),
        };
        self.born.push(ScopeRecord { id: self.stack.last_number(), site, up });
    }

    fn holder(
        &mut self,
        unit: SiteId,
        function: FunctionIndex,
        owner: Owner,
        briefs: &mut impl Briefs,
        past: &mut impl Past,
    ) -> Holder {
        if owner == Owner::Global {
            return Holder::Global;
        }
        let Some(frame) = self.stack.frame_of(unit, function) else { return Holder::Nothing };
        let own = match owner {
            Owner::Function(function) if function == frame.function => Some(frame.id),
            Owner::Block(block) => latest(frame, block),
            _ => None,
        };
        if let Some(own) = own {
            return Holder::Instance(own);
        }
        let Some(scope) = frame.scope else { return Holder::Nothing };
        if let Some(known) = self.resolved.get(scope, unit, owner) {
            return known;
        }
        let found = find_instance(scope, unit, owner, &mut |id| self.scope(id, past), briefs);
        let holder = found.map_or(Holder::Nothing, Holder::Instance);
        self.resolved.set(scope, unit, owner, holder);
        holder
    }

    fn scope(&self, id: FrameId, past: &mut impl Past) -> Option<ScopeRecord> {
        match self.born.first() {
            Some(first) if first.id <= id => {
                self.born.binary_search_by_key(&id, |scope| scope.id).ok().map(|at| self.born[at])
            }
            _ => past.scope(id),
        }
    }
}

/// The instance that an owner names, from a scope outwards.
pub(crate) fn find_instance(
    from: FrameId,
    unit: SiteId,
    owner: Owner,
    scope: &mut impl FnMut(FrameId) -> Option<ScopeRecord>,
    briefs: &mut impl Briefs,
) -> Option<FrameId> {
    let mut next = Some(from);
    while let Some(id) = next {
        let record = scope(id)?;
        let (its_unit, brief) = briefs.brief(record.site)?;
        let is_it = match owner {
            Owner::Function(function) => {
                brief.kind() == SiteKind::Enter && its_unit == unit && brief.function == function
            }
            Owner::Block(block) => record.site == SiteId(unit.0 + block.0),
            Owner::Global => false,
        };
        if is_it {
            return Some(id);
        }
        // What is around was there before; anything else is damage, and might go round in circles.
        next = record.up.filter(|up| *up < id);
    }
    None
}

fn latest(frame: &OpenFrame, block: LocalSite) -> Option<FrameId> {
    frame.blocks.iter().find(|(site, _)| *site == block).map(|(_, instance)| *instance)
}

/// What closures found last time: they write the same variables again and again.
#[derive(Default)]
struct ResolvedCache {
    slots: Vec<Option<(FrameId, SiteId, Owner, Holder)>>,
}

impl ResolvedCache {
    const N_SLOTS: usize = 1024;

    fn get(&self, scope: FrameId, unit: SiteId, owner: Owner) -> Option<Holder> {
        let (known_scope, known_unit, known_owner, holder) = (*self.slots.get(slot(scope, owner))?)?;
        (known_scope == scope && known_unit == unit && known_owner == owner).then_some(holder)
    }

    fn set(&mut self, scope: FrameId, unit: SiteId, owner: Owner, holder: Holder) {
        if self.slots.is_empty() {
            self.slots.resize(Self::N_SLOTS, None);
        }
        self.slots[slot(scope, owner)] = Some((scope, unit, owner, holder));
    }
}

fn slot(scope: FrameId, owner: Owner) -> usize {
    let owner = match owner {
        Owner::Function(FunctionIndex(function)) => function,
        Owner::Block(LocalSite(site)) => site ^ 0x155,
        Owner::Global => 0,
    };
    (scope.0.wrapping_mul(0x9E37_79B1) ^ owner.wrapping_mul(0x85EB_CA6B)) as usize >> 11 & (ResolvedCache::N_SLOTS - 1)
}
