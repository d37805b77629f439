//! The elements of a list. How long it is the program says, with one number: `new Array(4294967295)`. So what is kept here, and the work
//! for it, follows from the elements that were seen and never from the length, nor from the place of an element.
//!
//! Elements that stand close together from the first on lie in a vector, as those of most lists do. The others are in a map.

use std::collections::{BTreeMap, HashMap};

use trace_model::EventId;

use crate::Datum;
use crate::objects::Slot;

#[derive(Clone, Debug, Default)]
pub(crate) struct Elements {
    length: usize,
    /// Holes are `None`. No longer than `length`, and not much longer than there are elements.
    near: Vec<Option<Slot>>,
    /// Those behind all of `near`.
    far: BTreeMap<usize, Slot>,
    /// How many elements there are at least: of those taken out of `near` the count is not exact, only never too large.
    n_elements: usize,
}

impl Elements {
    pub fn of_length(length: usize) -> Elements {
        Elements { length: length.min(LONGEST), ..Elements::default() }
    }

    /// One behind the other, without holes.
    pub fn of(slots: impl Iterator<Item = Slot>) -> Elements {
        let near: Vec<Option<Slot>> = slots.map(Some).collect();
        Elements { length: near.len(), n_elements: near.len(), near, far: BTreeMap::new() }
    }

    pub fn len(&self) -> usize {
        self.length
    }

    pub fn get(&self, place: usize) -> Option<&Slot> {
        match self.near.get(place) {
            Some(slot) => slot.as_ref(),
            None => self.far.get(&place),
        }
    }

    /// Those that are there, the first one first.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &Slot)> {
        self.from(0)
    }

    pub fn slots_mut(&mut self) -> impl Iterator<Item = &mut Slot> {
        self.near.iter_mut().flatten().chain(self.far.values_mut())
    }

    pub fn into_iter(self) -> impl Iterator<Item = (usize, Slot)> {
        let near = self.near.into_iter().enumerate().filter_map(|(place, slot)| Some((place, slot?)));
        near.chain(self.far)
    }

    /// The list is at least as long then.
    pub fn set(&mut self, place: usize, slot: Slot) {
        self.length = self.length.max(place + 1);
        let n_elements = self.n_elements;
        match self.near.get_mut(place) {
            Some(known) => {
                if known.replace(slot).is_none() {
                    self.n_elements += 1;
                    self.draw_near();
                }
            }
            None if place <= most_near(n_elements) => {
                self.near.resize_with(place, || None);
                self.near.push(Some(slot));
                self.n_elements += 1;
                self.draw_near();
            }
            None => {
                self.n_elements += usize::from(self.far.insert(place, slot).is_none());
                self.draw_near();
            }
        }
    }

    /// Leaves a hole.
    pub fn remove(&mut self, place: usize) -> Option<Slot> {
        let removed = match self.near.get_mut(place) {
            Some(slot) => slot.take(),
            None => self.far.remove(&place),
        };
        self.n_elements -= usize::from(removed.is_some());
        removed
    }

    /// Elements behind the new end are gone; gives their places.
    pub fn set_length(&mut self, length: usize) -> Vec<usize> {
        let gone: Vec<usize> = self.from(length).map(|(place, _)| place).collect();
        self.near.truncate(length);
        drop(self.far.split_off(&length));
        self.n_elements -= gone.len();
        self.length = length.min(LONGEST);
        gone
    }

    /// Takes elements away from `start` on, puts others in their place, and moves the rest. `removed` has the elements that are not there
    /// any more, and what took them away. A place that holds the same as before was not changed by the move. A queue does this once for
    /// each of its elements, and each time all others move: so nothing is copied but the moments since which they are where they are.
    pub fn splice(
        &mut self,
        start: usize,
        n_deleted: usize,
        inserted: Vec<Datum>,
        removed: &mut HashMap<usize, EventId>,
        since: EventId,
    ) {
        let start = start.min(self.length);
        let n_deleted = n_deleted.min(self.length - start);
        let (n_inserted, end) = (inserted.len(), start + n_deleted);
        let inserted: Vec<Slot> = inserted.into_iter().map(|value| Slot { value, since }).collect();
        let coming =
            (start..).zip(&inserted).chain(self.from(end).map(|(place, slot)| (place - n_deleted + n_inserted, slot)));
        let since_when = moments(self.from(start), coming, removed, since);
        let n_gone = self.from(start).take_while(|(place, _)| *place < end).count();
        self.n_elements = self.n_elements - n_gone + n_inserted;
        self.length = self.length - n_deleted + n_inserted;
        let moved = self.far.split_off(&end);
        drop(self.far.split_off(&start));
        if start <= self.near.len() {
            let near_end = end.min(self.near.len());
            self.near.splice(start..near_end, inserted.into_iter().map(Some));
        } else {
            self.far.extend((start..).zip(inserted));
        }
        self.far.extend(moved.into_iter().map(|(place, slot)| (place - n_deleted + n_inserted, slot)));
        self.draw_near();
        let near = self.near.iter_mut().skip(start).flatten();
        let slots = near.chain(self.far.range_mut(start..).map(|(_, slot)| slot));
        slots.zip(since_when).for_each(|(slot, since)| slot.since = since);
    }

    fn from(&self, start: usize) -> impl Iterator<Item = (usize, &Slot)> {
        let near = self.near.get(start..).unwrap_or(&[]).iter();
        let near = (start..).zip(near).filter_map(|(place, slot)| Some((place, slot.as_ref()?)));
        near.chain(self.far.range(start..).map(|(place, slot)| (*place, slot)))
    }

    /// Elements that are no longer far behind the others go to these.
    fn draw_near(&mut self) {
        while let Some(first) = self.far.first_entry() {
            if *first.key() > most_near(self.n_elements) {
                return;
            }
            let (place, slot) = first.remove_entry();
            self.near.resize_with(place, || None);
            self.near.push(Some(slot));
        }
    }
}

/// The last place that is near, in a list of so many elements.
fn most_near(n_elements: usize) -> usize {
    FEW_HOLES + 2 * n_elements
}

const FEW_HOLES: usize = 64;

/// Far longer than lists are, and short enough to be added to.
const LONGEST: usize = 1 << 53;

/// Since when each element that comes is where it will be, and in `removed` which places became holes, or are none any more.
fn moments<'a>(
    before: impl Iterator<Item = (usize, &'a Slot)>,
    coming: impl Iterator<Item = (usize, &'a Slot)>,
    removed: &mut HashMap<usize, EventId>,
    since: EventId,
) -> Vec<EventId> {
    let mut before = before.peekable();
    let mut since_when = Vec::with_capacity(coming.size_hint().0);
    for (place, now) in coming {
        while let Some((gone, _)) = before.next_if(|(before, _)| *before < place) {
            removed.insert(gone, since);
        }
        match before.next_if(|(before, _)| *before == place) {
            Some((_, before)) if before.value == now.value => since_when.push(before.since),
            Some(_) => since_when.push(since),
            None => {
                removed.remove(&place);
                since_when.push(since);
            }
        }
    }
    removed.extend(before.map(|(gone, _)| (gone, since)));
    since_when
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same with a slot for every place, and a copy of all that was there.
    #[derive(Default)]
    struct Plain {
        slots: Vec<Option<Slot>>,
        removed: HashMap<usize, EventId>,
    }

    impl Plain {
        fn change(&mut self, since: EventId, change: impl FnOnce(&mut Vec<Option<Slot>>)) {
            let old = self.slots.clone();
            change(&mut self.slots);
            for place in 0..old.len().max(self.slots.len()) {
                let before = old.get(place).cloned().flatten();
                match self.slots.get(place).and_then(Option::as_ref) {
                    Some(_) => drop(self.removed.remove(&place)),
                    None if before.is_some() => drop(self.removed.insert(place, since)),
                    None => {}
                }
            }
        }

        fn splice(&mut self, start: usize, n_deleted: usize, inserted: Vec<Datum>, since: EventId) {
            let old = self.slots.clone();
            let start = start.min(old.len());
            let end = start + n_deleted.min(old.len() - start);
            self.change(since, |slots| {
                slots.splice(start..end, inserted.into_iter().map(|value| Some(Slot { value, since })));
                for (place, slot) in slots.iter_mut().enumerate().skip(start) {
                    let before = old.get(place).and_then(Option::as_ref);
                    if let Some(now) = slot {
                        now.since =
                            before.filter(|before| before.value == now.value).map_or(since, |before| before.since);
                    }
                }
            });
        }
    }

    #[derive(Clone, Debug)]
    enum Op {
        Splice {
            start: usize,
            n_deleted: usize,
            inserted: Vec<u8>,
        },
        Set(usize, u8),
        /// One behind the other, from a place on.
        Fill(usize, usize),
        /// `delete list[1]`
        Hole(usize),
        Length(usize),
    }

    fn op() -> impl Strategy<Value = Op> {
        // Near to the start, and far behind.
        let place = || prop_oneof![4 => 0..8usize, 1 => 0..400usize];
        prop_oneof![
            4 => (place(), prop_oneof![4 => 0..4usize, 1 => 0..400usize], proptest::collection::vec(0..3u8, 0..4))
                .prop_map(|(start, n_deleted, inserted)| Op::Splice { start, n_deleted, inserted }),
            1 => Just(Op::Splice { start: 0, n_deleted: 1, inserted: vec![] }),
            3 => (place(), 0..3u8).prop_map(|(place, value)| Op::Set(place, value)),
            1 => (0..400usize, 0..200usize).prop_map(|(start, n)| Op::Fill(start, n)),
            1 => place().prop_map(Op::Hole),
            1 => place().prop_map(Op::Length),
        ]
    }

    fn datum(n: u8) -> Datum {
        Datum::Number(f64::from(n))
    }

    proptest! {
        #[test]
        fn are_what_a_slot_for_each_place_gives(ops in proptest::collection::vec(op(), 0..60)) {
            let (mut ours, mut removed) = (Elements::default(), HashMap::new());
            let mut plain = Plain::default();
            for (op, since) in ops.into_iter().zip((0..).map(EventId)) {
                match op {
                    Op::Splice { start, n_deleted, inserted } => {
                        let data: Vec<Datum> = inserted.into_iter().map(datum).collect();
                        ours.splice(start, n_deleted, data.clone(), &mut removed, since);
                        plain.splice(start, n_deleted, data, since);
                    }
                    Op::Set(place, value) => {
                        let slot = Slot { value: datum(value), since };
                        ours.set(place, slot.clone());
                        removed.remove(&place);
                        plain.change(since, |slots| {
                            slots.resize(slots.len().max(place + 1), None);
                            slots[place] = Some(slot);
                        });
                    }
                    Op::Fill(start, n) => {
                        for place in start..start + n {
                            let slot = Slot { value: datum(1), since };
                            ours.set(place, slot.clone());
                            removed.remove(&place);
                            plain.change(since, |slots| {
                                slots.resize(slots.len().max(place + 1), None);
                                slots[place] = Some(slot);
                            });
                        }
                    }
                    Op::Hole(place) => {
                        if ours.remove(place).is_some() {
                            removed.insert(place, since);
                        }
                        plain.change(since, |slots| drop(slots.get_mut(place).and_then(Option::take)));
                    }
                    Op::Length(length) => {
                        removed.extend(ours.set_length(length).into_iter().map(|place| (place, since)));
                        plain.change(since, |slots| slots.resize(length, None));
                    }
                }
                prop_assert_eq!(ours.len(), plain.slots.len());
                let all: Vec<Option<Slot>> = (0..ours.len()).map(|place| ours.get(place).cloned()).collect();
                prop_assert_eq!(&all, &plain.slots);
                let places = |elements: &Elements| elements.iter().map(|(place, _)| place).collect::<Vec<_>>();
                let known: Vec<usize> = (0..all.len()).filter(|place| all[*place].is_some()).collect();
                prop_assert_eq!(places(&ours), known.clone());
                prop_assert_eq!(ours.n_elements, known.len());
                prop_assert!(ours.near.len() <= ours.length);
                prop_assert_eq!(&removed, &plain.removed);
            }
        }
    }

    #[test]
    fn memory_follows_from_the_elements() {
        let mut elements = Elements::of_length(usize::MAX);
        let mut removed = HashMap::new();
        let slot = || Slot { value: datum(1), since: EventId(1) };
        for place in 0..1000 {
            elements.set(place * 4_000_000, slot());
        }
        elements.splice(2_000_000_000, 1, vec![datum(2)], &mut removed, EventId(2));
        elements.splice(0, 1, vec![], &mut removed, EventId(3));
        assert_eq!((elements.iter().count(), elements.len()), (999, LONGEST - 1));
        assert_eq!(elements.get(1_999_999_999).map(|slot| slot.value.clone()), Some(datum(2)));
        assert!(elements.near.capacity() < 10_000);
        assert_eq!(elements.set_length(5), (1..1000).map(|n| n * 4_000_000 - 1).collect::<Vec<_>>());
        // Written from the end on, it is as any other once half of it is there.
        (0..100_000).rev().for_each(|place| elements.set(place, slot()));
        assert!(elements.far.is_empty());
    }
}
