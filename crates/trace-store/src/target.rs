//! Which events are asked for.

use std::ops::Range;

use event_encoding::{EventView, RecordView, TailView, ValueView, ValuesView};
use trace_model::{
    BuiltinOp, FrameId, FunctionIndex, LocalSite, ObjectId, PropertyKey, SiteId, SiteKind, Value, VariableIndex,
};

use crate::Thread;
use crate::block::{Block, BlockEvent};
use crate::code::BriefLookup;
use crate::fact::Fact;
use crate::indexer::EffectReach;
use crate::key::{KeyHash, is_key, is_known, is_numeral, is_of_elements, key_hash, numeral};
use crate::replay::Holder;

/// Which events: the index leaves out blocks that cannot hold one, and the rest is decided event by event.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Target<'a> {
    /// Events of any of these sites (ascending).
    Sites(&'a [SiteId]),
    /// Events of any of these sites (ascending) in this frame.
    SitesInFrame(FrameId, &'a [SiteId]),
    /// Every event of this frame itself, not of what it called.
    InFrame(FrameId),
    /// `Enter` of what this frame called itself.
    CalledBy(FrameId),
    /// Writes of this variable of this instance.
    Variable(VariablePlace),
    /// Whatever wrote, deleted or showed this key of this object, or one that is not known: writes, births, looks, and what
    /// built-ins did. Moving elements about concerns all of them and their number; a look or a birth concerns every key.
    Property(ObjectId, &'a PropertyKey),
    /// Whatever took a key from this object, or showed it as a whole, or concerned a key that is not known.
    Removals(ObjectId),
    /// Writes of this object under a key that is a whole number.
    Numerals(ObjectId),
    /// Whatever changed or showed anything of this object.
    Object(ObjectId),
    /// The same of any of these objects (ascending).
    Objects(&'a [ObjectId]),
    /// Events whose value, element or key is this object: where a reference came from.
    Mentions(ObjectId),
    Output,
    Uncaught,
    /// What was sent or received.
    Message,
    /// Looks at errors.
    Errors,
    /// `Enter` of these functions (with the first site of their code), or of all.
    Enter(Option<&'a [(SiteId, FunctionIndex)]>),
}

/// A variable of one frame or scope instance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct VariablePlace {
    /// The first site of the code that declares it.
    pub unit: SiteId,
    pub variable: VariableIndex,
    /// `None`: it is global.
    pub owner: Option<FrameId>,
}

/// A target, made ready for asking block after block.
pub(crate) struct Query<'a> {
    target: Target<'a>,
    /// Of targets that are about sites.
    sites: Option<Vec<SiteId>>,
    /// A block holds nothing of the target unless it has one of these, or the thing itself was born there.
    facts: Vec<Fact>,
    tokens: Vec<u32>,
    key: Option<KeyHash>,
    pub birth: BirthPlace,
}

/// Before which no event can be of the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BirthPlace {
    Object(ObjectId),
    Frame(FrameId),
    Anywhere,
}

/// Indexes of events, ascending.
pub(crate) enum Within<'b> {
    All(Range<usize>),
    These(std::slice::Iter<'b, (u32, u32)>),
}

impl<'b> Within<'b> {
    fn these(all: &'b [(u32, u32)], range: Range<usize>) -> Within<'b> {
        let [start, end] =
            [range.start, range.end].map(|end| all.partition_point(|(_, index)| (*index as usize) < end));
        Within::These(all.get(start..end).unwrap_or_default().iter())
    }
}

impl Iterator for Within<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        match self {
            Within::All(range) => range.next(),
            Within::These(these) => these.next().map(|(_, index)| *index as usize),
        }
    }
}

impl DoubleEndedIterator for Within<'_> {
    fn next_back(&mut self) -> Option<usize> {
        match self {
            Within::All(range) => range.next_back(),
            Within::These(these) => these.next_back().map(|(_, index)| *index as usize),
        }
    }
}

impl<'a> Query<'a> {
    pub fn new(thread: &Thread, target: Target<'a>) -> Query<'a> {
        let mut query = Query {
            target,
            sites: None,
            facts: Vec::new(),
            tokens: Vec::new(),
            key: None,
            birth: BirthPlace::Anywhere,
        };
        match target {
            Target::Sites(sites) => query.sites = Some(sites.to_vec()),
            Target::SitesInFrame(frame, sites) => {
                query.sites = Some(sites.to_vec());
                query.of_frame(frame, Fact::InFrame(frame));
            }
            Target::InFrame(frame) => query.of_frame(frame, Fact::InFrame(frame)),
            Target::CalledBy(frame) => query.of_frame(frame, Fact::Called(frame)),
            Target::Variable(place) => {
                query.sites = writing_sites(thread, place);
                query.facts = vec![Fact::Variable(place)];
                query.birth = place.owner.map_or(BirthPlace::Anywhere, BirthPlace::Frame);
            }
            Target::Property(object, key) => {
                query.key = Some(key_hash(key));
                query.of_object(object, &[Fact::Property(object, key_hash(key)), Fact::EveryKey(object)]);
                if is_of_elements(thread.language(), key) {
                    query.facts.push(Fact::Elements(object));
                }
            }
            Target::Removals(object) => query.of_object(object, &[Fact::Removal(object), Fact::EveryKey(object)]),
            Target::Numerals(object) => query.of_object(object, &[Fact::Numeral(object)]),
            Target::Object(object) => query.of_object(object, &[Fact::Object(object)]),
            Target::Objects(objects) => {
                query.facts = objects.iter().map(|object| Fact::Object(*object)).collect();
                query.birth = objects.first().map_or(BirthPlace::Anywhere, |first| BirthPlace::Object(*first));
            }
            Target::Mentions(object) => query.of_object(object, &[Fact::Mention(object)]),
            Target::Output => query.facts = vec![Fact::Output],
            Target::Uncaught => query.facts = vec![Fact::Uncaught],
            Target::Message => query.facts = vec![Fact::Message],
            Target::Errors => query.facts = vec![Fact::Error],
            Target::Enter(None) => {}
            Target::Enter(Some(functions)) => query.sites = Some(enter_sites(thread, functions)),
        }
        query.tokens = query.facts.iter().map(|fact| fact.token()).collect();
        query
    }

    fn of_frame(&mut self, frame: FrameId, fact: Fact) {
        self.facts = vec![fact];
        self.birth = BirthPlace::Frame(frame);
    }

    fn of_object(&mut self, object: ObjectId, facts: &[Fact]) {
        self.facts = facts.to_vec();
        self.birth = BirthPlace::Object(object);
    }

    /// The sites, if the target is nothing but events of sites.
    pub fn only_sites(&self) -> Option<&[SiteId]> {
        matches!(self.target, Target::Sites(_) | Target::Enter(Some(_))).then(|| self.sites.as_deref())?
    }

    /// The sites of which one must be in the block.
    pub fn sites(&self) -> Option<&[SiteId]> {
        self.sites.as_deref()
    }

    /// Whether the outline of a block tells whether it has one of the tokens.
    pub fn is_told_by_outlines(&self) -> bool {
        !self.facts.is_empty() && self.facts.iter().all(|fact| fact.is_in_outline())
    }

    /// Of several objects: whether one of them was numbered behind the first number and up to the last.
    pub fn is_one_numbered(&self, (first, last): (u32, u32)) -> Option<bool> {
        let Target::Objects(objects) = self.target else { return None };
        let next = objects.partition_point(|object| object.0 <= first);
        Some(objects.get(next).is_some_and(|object| object.0 <= last))
    }

    /// Whether it asks where an object is a value, which is no change of it.
    pub fn is_about_mentions(&self) -> bool {
        matches!(self.target, Target::Mentions(_))
    }

    /// The facts of which the block must have one, unless what they are about was born there. None: any block will do.
    pub fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    pub fn needs_enter(&self) -> bool {
        matches!(self.target, Target::Enter(None) | Target::CalledBy(_))
    }

    /// The events of a block within a range of indexes that can be of the target.
    pub fn within<'b>(&self, block: &'b Block, range: Range<usize>, briefs: &mut BriefLookup) -> Within<'b> {
        match self.target {
            Target::Property(object, _)
            | Target::Object(object)
            | Target::Removals(object)
            | Target::Numerals(object) => Within::these(block.of_object(object, briefs), range),
            Target::InFrame(frame) | Target::SitesInFrame(frame, _) => match block.of_frame(frame) {
                Some(all) => Within::these(all, range),
                None => Within::All(range),
            },
            _ => Within::All(range),
        }
    }

    pub fn matches(&self, thread: &Thread, at: &BlockEvent, briefs: &mut BriefLookup) -> bool {
        match self.target {
            Target::Sites(_) | Target::Enter(Some(_)) => self.is_of_sites(at),
            Target::SitesInFrame(frame, _) => at.frame == Some(frame) && self.is_of_sites(at),
            Target::InFrame(frame) => at.frame == Some(frame),
            Target::CalledBy(frame) => at.caller() == Some(frame),
            Target::Variable(place) => is_write_of(place, at, briefs),
            Target::Property(object, key) => self.concerns_key(thread, at, object, key, briefs),
            Target::Removals(object) => match concerns(at, object, briefs) {
                Concern::Nothing | Concern::NoKey | Concern::Elements => false,
                Concern::EveryKey => true,
                Concern::KeyOfSite(_) => removes(at, briefs),
                Concern::Key(key) => removes(at, briefs) || !is_known(key),
            },
            Target::Numerals(object) => match concerns(at, object, briefs) {
                Concern::Nothing | Concern::NoKey | Concern::Elements | Concern::EveryKey => false,
                Concern::KeyOfSite(_) => {
                    !removes(at, briefs)
                        && at.site().and_then(|site| briefs.find(site)).is_some_and(|(_, brief)| brief.has_numeral())
                }
                Concern::Key(key) => {
                    !removes(at, briefs) && numeral(key, |id| thread.string(id).is_some_and(|text| is_numeral(&text)))
                }
            },
            Target::Object(object) => concerns(at, object, briefs) != Concern::Nothing,
            Target::Objects(objects) => {
                let is_one = |object: ObjectId| objects.binary_search(&object).is_ok();
                concern_with(at, is_one, briefs) != Concern::Nothing
            }
            Target::Mentions(object) => mentions(at, object, briefs),
            Target::Output => matches!(at.record(), Some(RecordView::Output)),
            Target::Uncaught => matches!(at.record(), Some(RecordView::Uncaught(_))),
            Target::Message => matches!(at.record(), Some(RecordView::Message { .. })),
            Target::Errors => matches!(at.record(), Some(RecordView::Look { is_error: true, .. })),
            Target::Enter(None) => {
                at.site().and_then(|site| briefs.find(site)).is_some_and(|(_, brief)| brief.kind() == SiteKind::Enter)
            }
        }
    }

    fn is_of_sites(&self, at: &BlockEvent) -> bool {
        let sites = self.sites.as_deref().unwrap_or_default();
        at.site().is_some_and(|site| match sites {
            [only] => *only == site,
            sites => sites.binary_search(&site).is_ok(),
        })
    }

    fn concerns_key(
        &self,
        thread: &Thread,
        at: &BlockEvent,
        object: ObjectId,
        key: &PropertyKey,
        briefs: &mut BriefLookup,
    ) -> bool {
        match concerns(at, object, briefs) {
            Concern::Nothing | Concern::NoKey => false,
            Concern::EveryKey => true,
            Concern::Elements => is_of_elements(thread.language(), key),
            Concern::KeyOfSite(hash) => {
                Some(hash) == self.key && at.site().is_some_and(|site| site_key(thread, site).as_ref() == Some(key))
            }
            Concern::Key(value) => is_key(thread, value, key),
        }
    }
}

/// What an event has to do with an object.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Concern {
    Nothing,
    NoKey,
    Key(Value),
    KeyOfSite(KeyHash),
    Elements,
    EveryKey,
}

fn concerns(at: &BlockEvent, object: ObjectId, briefs: &mut BriefLookup) -> Concern {
    concern_with(at, |own| own == object, briefs)
}

fn concern_with(at: &BlockEvent, is_it: impl Fn(ObjectId) -> bool, briefs: &mut BriefLookup) -> Concern {
    match at.view(briefs) {
        Some(EventView::Site { site, value, tail }) => {
            let Some((_, brief)) = briefs.find(site) else { return Concern::Nothing };
            match tail {
                TailView::Object(Some(base)) if is_it(base) => {
                    return brief.key().map_or(Concern::Key(Value::NotCaptured), Concern::KeyOfSite);
                }
                TailView::ObjectAndKey(Some(base), key) if is_it(base) => {
                    return Concern::Key(key.value().unwrap_or(Value::NotCaptured));
                }
                _ => {}
            }
            let is_born = value.new_object().is_some_and(|(id, _)| is_it(id))
                || brief.is_birth() && value.object().is_some_and(&is_it);
            if is_born { Concern::EveryKey } else { Concern::Nothing }
        }
        Some(EventView::Record(RecordView::Look { object, .. })) if is_it(object) => Concern::EveryKey,
        Some(EventView::Record(RecordView::Effect { object, op, mut values })) if is_it(object) => {
            match EffectReach::of(op) {
                EffectReach::Elements => Concern::Elements,
                EffectReach::EveryKey => Concern::EveryKey,
                EffectReach::NoKey => Concern::NoKey,
                EffectReach::FirstValue => {
                    Concern::Key(values.next().and_then(ValueView::value).unwrap_or(Value::NotCaptured))
                }
            }
        }
        _ => Concern::Nothing,
    }
}

/// Whether an event that concerns a key took it away, or tried to.
fn removes(at: &BlockEvent, briefs: &mut BriefLookup) -> bool {
    if let Some(RecordView::Effect { op, .. }) = at.record() {
        return op == BuiltinOp::DeleteProperty;
    }
    at.site().and_then(|site| briefs.find(site)).is_some_and(|(_, brief)| brief.kind().deletes())
}

/// The objects that an event may change or show something of: one that it writes to or is about, and one that is born.
pub(crate) fn concerned(at: &BlockEvent, briefs: &mut BriefLookup) -> [Option<ObjectId>; 2] {
    match at.view(briefs) {
        Some(EventView::Site { site, value, tail }) => {
            let written = match tail {
                TailView::Object(base) | TailView::ObjectAndKey(base, _) => base,
                _ => None,
            };
            let is_birth = |_: &ObjectId| briefs.find(site).is_some_and(|(_, brief)| brief.is_birth());
            let born = value.new_object().map(|(id, _)| id).or_else(|| value.object().filter(is_birth));
            [written, born.filter(|born| Some(*born) != written)]
        }
        Some(EventView::Record(RecordView::Look { object, .. } | RecordView::Effect { object, .. })) => {
            [Some(object), None]
        }
        _ => [None, None],
    }
}

/// Whether the event is what its object's number first appeared with, as far as the contents go.
pub(crate) fn is_birth(at: &BlockEvent, object: ObjectId, briefs: &mut BriefLookup) -> bool {
    let is_effect = matches!(at.record(), Some(RecordView::Effect { .. }));
    !is_effect && concerns(at, object, briefs) == Concern::EveryKey
}

fn mentions(at: &BlockEvent, object: ObjectId, briefs: &mut BriefLookup) -> bool {
    let is_it = |value: ValueView| value.object() == Some(object);
    let any = |mut values: ValuesView| values.any(is_it);
    match at.view(briefs) {
        Some(EventView::Site { value, tail, .. }) => {
            is_it(value) || matches!(tail, TailView::Values(values) if any(values))
        }
        Some(EventView::Record(RecordView::Look { entries, .. })) => any(entries),
        Some(EventView::Record(RecordView::Effect { values, .. })) => any(values),
        Some(EventView::Record(RecordView::Uncaught(value) | RecordView::Message { value, .. })) => is_it(value),
        _ => false,
    }
}

fn is_write_of(place: VariablePlace, at: &BlockEvent, briefs: &mut BriefLookup) -> bool {
    let holder = place.owner.map_or(Holder::Global, Holder::Instance);
    at.holder == holder
        && at.site().and_then(|site| briefs.find(site)).is_some_and(|(unit, brief)| {
            unit == place.unit && brief.variable().is_some_and(|(variable, _)| variable == place.variable)
        })
}

fn site_key(thread: &Thread, site: SiteId) -> Option<PropertyKey> {
    let site = thread.site(site)?;
    site.site.names.first().map(|name| PropertyKey::Name(site.name(*name).into()))
}

/// The sites that write a variable; `None` if its code is not there.
fn writing_sites(thread: &Thread, place: VariablePlace) -> Option<Vec<SiteId>> {
    let unit = thread.code().unit(place.unit)?;
    let sites = (0..).zip(&unit.code().ok()?.sites.sites);
    let writes = sites.filter(|(_, site)| site.variable == Some(place.variable));
    Some(writes.map(|(at, _)| unit.site(LocalSite(at))).collect())
}

fn enter_sites(thread: &Thread, functions: &[(SiteId, FunctionIndex)]) -> Vec<SiteId> {
    let mut sites = Vec::new();
    for (unit, function) in functions {
        let Some(code) = thread.code().unit(*unit).and_then(|unit| unit.code().ok()) else { continue };
        let of_function = (0..).zip(&code.sites.sites);
        let enters = of_function.filter(|(_, site)| site.kind == SiteKind::Enter && site.function == *function);
        sites.extend(enters.map(|(local, _)| SiteId(unit.0 + local)));
    }
    sites.sort_unstable();
    sites.dedup();
    sites
}
