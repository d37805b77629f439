//! What an object has under keys, in the order in which the keys came: named properties, entries of a Map, elements of a Set.
//! Whatever is done costs the same, however much there is.

use std::collections::hash_map::Entry;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::Datum;
use crate::objects::Slot;

#[derive(Clone, Debug)]
pub(crate) struct InOrder<K> {
    held: FxHashMap<K, (u64, Slot)>,
    /// Entries of a key that is there already: keys of which only the length is known look alike, and are not the same.
    alike: Vec<(K, (u64, Slot))>,
    n_came: u64,
}

impl<K> Default for InOrder<K> {
    fn default() -> InOrder<K> {
        InOrder { held: FxHashMap::default(), alike: Vec::new(), n_came: 0 }
    }
}

impl<K: Eq + Hash> InOrder<K> {
    pub fn len(&self) -> usize {
        self.held.len() + self.alike.len()
    }

    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    pub fn get(&self, key: &K) -> Option<&Slot> {
        self.held.get(key).map(|(_, slot)| slot)
    }

    /// Since when a key holds a value, if it does.
    pub fn holding(&self, key: &K, value: &Datum) -> Option<&Slot> {
        let alike = self.alike.iter().filter(|(held, _)| held == key).map(|(_, (_, slot))| slot);
        self.get(key).into_iter().chain(alike).find(|slot| slot.value == *value)
    }

    /// A key that is there keeps its place.
    pub fn set(&mut self, key: K, slot: Slot) {
        match self.held.entry(key) {
            Entry::Occupied(mut held) => held.get_mut().1 = slot,
            Entry::Vacant(place) => {
                place.insert((self.n_came, slot));
                self.n_came += 1;
            }
        }
    }

    /// Also if a key that looks the same is there.
    pub fn push(&mut self, key: K, slot: Slot) {
        if self.held.contains_key(&key) {
            self.alike.push((key, (self.n_came, slot)));
            self.n_came += 1;
        } else {
            self.set(key, slot);
        }
    }

    pub fn remove(&mut self, key: &K) {
        self.held.remove(key);
        self.alike.retain(|(held, _)| held != key);
    }

    pub fn clear(&mut self) {
        self.held.clear();
        self.alike.clear();
    }

    pub fn slots_mut(&mut self) -> impl Iterator<Item = &mut Slot> {
        self.held.values_mut().chain(self.alike.iter_mut().map(|(_, held)| held)).map(|(_, slot)| slot)
    }

    /// How many came so far, also those that went again.
    pub fn n_came(&self) -> u64 {
        self.n_came
    }

    /// Those that came before so many others, in their order, without what came under a key that was there.
    pub fn came_before(&self, n_came: u64) -> Vec<(&K, u64, &Slot)> {
        let held = self.held.iter().map(|(key, (came, slot))| (key, *came, slot));
        let mut first: Vec<_> = held.filter(|(_, came, _)| *came < n_came).collect();
        first.sort_unstable_by_key(|(_, came, _)| *came);
        first
    }

    pub fn into_vec(self) -> Vec<(K, Slot)> {
        let mut all: Vec<(K, (u64, Slot))> = self.held.into_iter().chain(self.alike).collect();
        all.sort_unstable_by_key(|(_, (came, _))| *came);
        all.into_iter().map(|(key, (_, slot))| (key, slot)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use trace_model::EventId;

    use super::*;

    /// The same, looked for from the first to the last.
    #[derive(Default)]
    struct Scanned(Vec<(Datum, Slot)>);

    impl Scanned {
        fn set(&mut self, key: Datum, slot: Slot) {
            match self.0.iter_mut().find(|(held, _)| *held == key) {
                Some((_, held)) => *held = slot,
                None => self.0.push((key, slot)),
            }
        }
    }

    #[derive(Clone, Debug)]
    enum Op {
        Set(Datum, i32),
        Push(Datum, i32),
        Remove(Datum),
        Clear,
    }

    fn key() -> impl Strategy<Value = Datum> {
        prop_oneof![
            (0..6u32).prop_map(|n| Datum::Number(f64::from(n))),
            Just(Datum::Number(f64::NAN)),
            Just(Datum::Number(-f64::NAN)),
            Just(Datum::Number(-0.0)),
            "[ab]{1,2}".prop_map(|text| Datum::String(text.into())),
            (0..3u32).prop_map(|length| Datum::LongString { length }),
            Just(Datum::NotCaptured),
            Just(Datum::Undefined),
            any::<bool>().prop_map(Datum::Bool),
            (0..3u32).prop_map(|n| Datum::Object(trace_model::ObjectId(n))),
        ]
    }

    fn op() -> impl Strategy<Value = Op> {
        prop_oneof![
            6 => (key(), 0..3).prop_map(|(key, value)| Op::Set(key, value)),
            2 => (key(), 0..3).prop_map(|(key, value)| Op::Push(key, value)),
            3 => key().prop_map(Op::Remove),
            1 => Just(Op::Clear),
        ]
    }

    proptest! {
        #[test]
        fn holds_what_a_scanned_list_holds(ops in proptest::collection::vec(op(), 0..60), asked in key()) {
            let mut ours = InOrder::default();
            let mut scanned = Scanned::default();
            for (op, at) in ops.into_iter().zip(0..) {
                let slot = |value: i32| Slot { value: Datum::Number(f64::from(value)), since: EventId(at) };
                match op {
                    Op::Set(key, value) => {
                        ours.set(key.clone(), slot(value));
                        scanned.set(key, slot(value));
                    }
                    Op::Push(key, value) => {
                        ours.push(key.clone(), slot(value));
                        scanned.0.push((key, slot(value)));
                    }
                    Op::Remove(key) => {
                        ours.remove(&key);
                        scanned.0.retain(|(held, _)| *held != key);
                    }
                    Op::Clear => {
                        ours.clear();
                        scanned.0.clear();
                    }
                }
                prop_assert_eq!(ours.len(), scanned.0.len());
                prop_assert_eq!(ours.is_empty(), scanned.0.is_empty());
                let first = scanned.0.iter().find(|(held, _)| *held == asked).map(|(_, slot)| slot);
                prop_assert_eq!(ours.get(&asked), first);
                let one = Datum::Number(1.0);
                let holding = scanned.0.iter().find(|(held, slot)| *held == asked && slot.value == one);
                prop_assert_eq!(ours.holding(&asked, &one), holding.map(|(_, slot)| slot));
            }
            prop_assert_eq!(ours.into_vec(), scanned.0);
        }
    }
}
