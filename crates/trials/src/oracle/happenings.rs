//! What the oracle knows of an event: what it wrote, which calls it made, when it was over.

use std::collections::HashMap;

use query::Datum;
use trace_model::{EventId, FrameId, ObjectId, SiteId, SiteKind, VariableIndex};
use trace_store::{PropertyKey, SiteRef};

use super::model::{At, Model};
use super::objects::{Entry, How};

/// A place as the oracle keeps it.
#[derive(Clone, PartialEq, Debug)]
pub enum Spot {
    Variable(SiteId, VariableIndex, Option<FrameId>),
    Property(ObjectId, PropertyKey),
    Entry(ObjectId, Datum),
}

/// Something that an event did to a place.
pub struct Written<'m> {
    pub spot: Spot,
    pub entry: &'m Entry,
    /// All that ever happened to the place.
    pub entries: &'m [Entry],
}

/// A frame that was entered, by whom and when.
pub struct Entered {
    pub event: EventId,
    pub frame: FrameId,
    pub caller: Option<FrameId>,
}

pub struct Happenings<'m> {
    pub model: &'m Model<'m>,
    written: HashMap<EventId, Vec<Written<'m>>>,
    born: HashMap<EventId, Vec<ObjectId>>,
    /// Oldest first.
    entered: Vec<Entered>,
}

impl<'m> Happenings<'m> {
    pub fn of(model: &'m Model<'m>) -> Happenings<'m> {
        let mut written: HashMap<EventId, Vec<Written<'m>>> = HashMap::new();
        let mut note = |spot: Spot, entries: &'m [Entry]| {
            for entry in entries {
                written.entry(entry.event).or_default().push(Written { spot: spot.clone(), entry, entries });
            }
        };
        for ((unit, variable, owner), entries) in &model.variables {
            note(Spot::Variable(*unit, *variable, *owner), entries);
        }
        let mut born: HashMap<EventId, Vec<ObjectId>> = HashMap::new();
        for (id, object) in &model.objects {
            for (key, entries) in &object.properties {
                note(Spot::Property(*id, key.clone()), entries);
            }
            for (key, entries) in &object.entries {
                note(Spot::Entry(*id, key.clone()), entries);
            }
            if let Some(event) = object.born {
                born.entry(event).or_default().push(*id);
            }
        }
        let mut happenings = Happenings { model, written, born, entered: Vec::new() };
        happenings.entered = happenings.all_entered();
        happenings
    }

    fn all_entered(&self) -> Vec<Entered> {
        let mut entered = Vec::new();
        for (number, at) in self.model.moments.iter().enumerate() {
            let event = EventId(number as u64);
            let (Some(SiteKind::Enter), Some((frame, below))) = (self.kind(event), at.stack.split_last()) else {
                continue;
            };
            entered.push(Entered { event, frame: *frame, caller: below.last().copied() });
        }
        entered
    }

    pub fn at(&self, event: EventId) -> Option<&'m At> {
        self.model.moments.get(event.0 as usize)
    }

    pub fn site(&self, event: EventId) -> Option<SiteRef<'m>> {
        self.model.thread.site(self.at(event)?.site?)
    }

    pub fn kind(&self, event: EventId) -> Option<SiteKind> {
        Some(self.site(event)?.site.kind)
    }

    pub fn written(&self, event: EventId) -> &[Written<'m>] {
        self.written.get(&event).map_or(&[], Vec::as_slice)
    }

    pub fn born(&self, event: EventId) -> &[ObjectId] {
        self.born.get(&event).map_or(&[], Vec::as_slice)
    }

    /// How many objects an event made, or properties that they were made with.
    pub fn n_births(&self, event: EventId) -> usize {
        self.born(event).len() + self.written(event).iter().filter(|written| written.entry.how == How::Birth).count()
    }

    /// Frames that a frame entered between two events.
    pub fn entered_by(&self, caller: FrameId, after: EventId, before: EventId) -> impl Iterator<Item = &Entered> {
        let first = self.entered.partition_point(|entered| entered.event <= after);
        let later = self.entered[first..].iter().take_while(move |entered| entered.event < before);
        later.filter(move |entered| entered.caller == Some(caller))
    }

    /// When something that an event tells was over. A call is told before its arguments are read, and is over with the next event of
    /// its frame that is not inside of it; all else is told when it is done.
    pub fn over(&self, event: EventId) -> EventId {
        let behind = EventId(event.0 + 1);
        let (Some(site), Some(at)) = (self.site(event), self.at(event)) else { return behind };
        if site.site.kind != SiteKind::Call {
            return behind;
        }
        let call = site.site.span;
        for (number, later) in self.model.moments.iter().enumerate().skip(behind.0 as usize) {
            if later.frame != at.frame || later.frame.is_none() {
                continue;
            }
            let Some(later) = self.site(EventId(number as u64)) else { continue };
            let is_inside = call.start <= later.site.span.start && later.site.span.end <= call.end;
            if !is_inside || later.site.kind == SiteKind::Result && later.site.span == call {
                return EventId(number as u64);
            }
        }
        EventId(self.model.moments.len() as u64)
    }

    /// Whether an event was on the way to another one that tells a larger expression, in the same time it was evaluated.
    pub fn is_part_of(&self, part: EventId, whole: EventId) -> bool {
        let (Some(inner), Some(outer)) = (self.site(part), self.site(whole)) else { return false };
        let frame = |event: EventId| self.at(event).and_then(|at| at.frame);
        let (span, around) = (inner.site.span, outer.site.span);
        let is_inside = inner.unit.record.base == outer.unit.record.base
            && around.start <= span.start
            && span.end <= around.end
            && frame(part) == frame(whole);
        let is_earlier_time =
            (part.0 + 1..whole.0).any(|number| self.at(EventId(number)).is_some_and(|at| at.site == Some(outer.id)));
        is_inside && !is_earlier_time
    }

    /// The event of the same frame before an event.
    pub fn previous(&self, event: EventId) -> Option<EventId> {
        let frame = self.at(event)?.frame?;
        let is_it =
            |number: &u64| self.at(EventId(*number)).is_some_and(|at| at.site.is_some() && at.frame == Some(frame));
        (0..event.0).rev().find(is_it).map(EventId)
    }

    pub fn are_of_one_line(&self, one: EventId, other: EventId) -> bool {
        let line = |event| self.site(event).and_then(|site| Some((site.unit.record.base, site.position()?.line)));
        line(one).is_some() && line(one) == line(other)
    }

    /// The first event behind one that is on another line.
    pub fn end_of_statement(&self, event: EventId) -> EventId {
        let is_behind = |number: &u64| {
            let is_of_program = self.kind(EventId(*number)).is_some();
            is_of_program && !self.are_of_one_line(event, EventId(*number))
        };
        let n_events = self.model.moments.len() as u64;
        EventId((event.0 + 1..n_events).find(is_behind).unwrap_or(n_events))
    }

    /// Whether some place was given a value between two events, or a function was given or gave it.
    pub fn carried(&self, value: &Datum, after: EventId, before: EventId) -> bool {
        (after.0 + 1..before.0).any(|number| {
            let event = EventId(number);
            let is_it = |known: &Datum| super::values::same(known, value);
            self.at(event).is_some_and(|at| at.value.as_ref().is_some_and(is_it))
                || self.written(event).iter().any(|written| written.entry.new.as_ref().is_some_and(is_it))
        })
    }
}
