//! Elements of an array that go, come and move. A queue does this once for each of its elements, and each time all others move: so
//! nothing is copied for it but the moments since which they are where they are.

use std::collections::HashMap;

use trace_model::EventId;

use crate::Datum;
use crate::objects::Slot;

/// Takes elements away from `start` on, puts others in their place, and moves the rest. `removed` has the elements that are not there any
/// more, and what took them away. A place that holds the same as before was not changed by the move.
pub(crate) fn splice(
    elements: &mut Vec<Option<Slot>>,
    removed: &mut HashMap<usize, EventId>,
    start: usize,
    n_deleted: usize,
    inserted: Vec<Datum>,
    since: EventId,
) {
    let start = start.min(elements.len());
    let n_deleted = n_deleted.min(elements.len() - start);
    let inserted: Vec<Option<Slot>> = inserted.into_iter().map(|value| Some(Slot { value, since })).collect();
    let rest = elements[start + n_deleted..].iter();
    let coming = inserted.iter().chain(rest);
    let n_coming = inserted.len() + elements.len() - start - n_deleted;
    let mut since_when = Vec::with_capacity(n_coming);
    let before = elements[start..].iter().map(Option::as_ref).chain(std::iter::repeat(None));
    for (place, (now, before)) in (start..).zip(coming.zip(before)) {
        since_when.push(match (now, before) {
            (Some(now), Some(before)) if now.value == before.value => before.since,
            _ => since,
        });
        match (now, before) {
            (Some(_), None) => {
                removed.remove(&place);
            }
            (None, Some(_)) => {
                removed.insert(place, since);
            }
            _ => {}
        }
    }
    for (place, before) in elements.iter().enumerate().skip(start + n_coming) {
        if before.is_some() {
            removed.insert(place, since);
        }
    }
    elements.splice(start..start + n_deleted, inserted);
    for (slot, since) in elements[start..].iter_mut().zip(since_when) {
        if let Some(slot) = slot {
            slot.since = since;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same with a copy of all that was there.
    fn copied(
        elements: &mut Vec<Option<Slot>>,
        removed: &mut HashMap<usize, EventId>,
        (start, n_deleted): (usize, usize),
        inserted: Vec<Datum>,
        since: EventId,
    ) {
        let old = elements.clone();
        let start = start.min(old.len());
        let n_deleted = n_deleted.min(old.len() - start);
        elements.splice(start..start + n_deleted, inserted.into_iter().map(|value| Some(Slot { value, since })));
        for place in start..old.len().max(elements.len()) {
            let before = old.get(place).cloned().flatten();
            match elements.get_mut(place).and_then(Option::as_mut) {
                Some(now) => {
                    now.since = before.filter(|before| before.value == now.value).map_or(since, |before| before.since);
                    removed.remove(&place);
                }
                None if before.is_some() => drop(removed.insert(place, since)),
                None => {}
            }
        }
    }

    #[derive(Clone, Debug)]
    enum Op {
        Splice {
            start: usize,
            n_deleted: usize,
            inserted: Vec<u8>,
        },
        /// `delete list[1]`
        Hole(usize),
    }

    fn op() -> impl Strategy<Value = Op> {
        prop_oneof![
            4 => (0..8usize, 0..4usize, proptest::collection::vec(0..3u8, 0..4))
                .prop_map(|(start, n_deleted, inserted)| Op::Splice { start, n_deleted, inserted }),
            1 => Just(Op::Splice { start: 0, n_deleted: 1, inserted: vec![] }),
            1 => (0..8usize).prop_map(Op::Hole),
        ]
    }

    proptest! {
        #[test]
        fn is_what_copying_gives(ops in proptest::collection::vec(op(), 0..40)) {
            let (mut ours, mut our_removed) = (Vec::new(), HashMap::new());
            let (mut copy, mut copy_removed) = (Vec::new(), HashMap::new());
            for (op, since) in ops.into_iter().zip((0..).map(EventId)) {
                match op {
                    Op::Splice { start, n_deleted, inserted } => {
                        let data: Vec<Datum> = inserted.into_iter().map(|n| Datum::Number(f64::from(n))).collect();
                        splice(&mut ours, &mut our_removed, start, n_deleted, data.clone(), since);
                        copied(&mut copy, &mut copy_removed, (start, n_deleted), data, since);
                    }
                    Op::Hole(place) => {
                        for (elements, removed) in [(&mut ours, &mut our_removed), (&mut copy, &mut copy_removed)] {
                            if elements.get_mut(place).and_then(Option::take).is_some() {
                                removed.insert(place, since);
                            }
                        }
                    }
                }
                prop_assert_eq!(&ours, &copy);
                prop_assert_eq!(&our_removed, &copy_removed);
            }
        }
    }
}
