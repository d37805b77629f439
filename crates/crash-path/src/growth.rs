//! What is recorded next.

use std::collections::{BTreeMap, BTreeSet};

use crate::{FunctionRef, Label, Path, is_complete};

/// The functions that are recorded to find one path, and those that were.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Grown {
    functions: BTreeMap<FunctionRef, State>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Recorded,
    /// It was recorded, and had no part in the path.
    Dropped,
    /// It stays until the path is complete: it showed where the object came from, or it had no part once and was missed later.
    RecordedForGood,
}

/// What came of a crash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Nothing is missing.
    Complete,
    /// Another crash can show more.
    Growing,
    /// Something is missing that no further function would show.
    Exhausted,
}

/// What is recorded from now on, after a crash with this path.
pub fn grow(grown: &Grown, path: &Path) -> Grown {
    let mut next = grown.clone();
    if path.begins_with_birth() {
        // What may lie on the path: if it was recorded before and had no part in it, then it does not.
        let possible = registrars(path).chain(&path.wanted).filter(|function| !grown.was_tried(function));
        let missing: Vec<&FunctionRef> = path.holes().chain(possible).filter(|function| !grown.has(function)).collect();
        let is_over = missing.is_empty() && is_complete(path);
        next.drop_all_but(&functions_on(path), is_over);
        next.extend(missing, State::Recorded);
        return next;
    }
    let crash = path.crash().into_iter();
    let on_stack = crash.chain(&path.stack).map(|site| &site.function);
    let directed: Vec<&FunctionRef> = on_stack.chain(&path.wanted).filter(|function| !grown.has(function)).collect();
    if directed.is_empty() {
        // Figure 8 and section 3.4.
        next.extend(path.holes().chain(registrars(path)), State::RecordedForGood);
    } else {
        next.extend(directed, State::RecordedForGood);
    }
    next
}

/// How far the search is, if this is the path that was recorded under `grown`.
pub fn outcome(grown: &Grown, path: &Path) -> Outcome {
    let adds_something = grow(grown, path).functions().any(|function| !grown.has(function));
    match (adds_something, is_complete(path)) {
        (true, _) => Outcome::Growing,
        (false, true) => Outcome::Complete,
        (false, false) => Outcome::Exhausted,
    }
}

impl Grown {
    /// The functions to record.
    pub fn functions(&self) -> impl Iterator<Item = &FunctionRef> {
        self.states().filter(|(_, is_recorded, _)| *is_recorded).map(|(function, ..)| function)
    }

    pub fn has(&self, function: &FunctionRef) -> bool {
        self.functions.get(function).is_some_and(|state| *state != State::Dropped)
    }

    /// Everything that is known of the search, to be kept: the function, whether it is recorded, and whether it is for good.
    pub fn states(&self) -> impl Iterator<Item = (&FunctionRef, bool, bool)> {
        self.functions
            .iter()
            .map(|(function, state)| (function, *state != State::Dropped, *state == State::RecordedForGood))
    }

    /// What [`Grown::states`] gave.
    pub fn from_states(states: impl IntoIterator<Item = (FunctionRef, bool, bool)>) -> Grown {
        let state = |is_recorded, is_for_good| match (is_recorded, is_for_good) {
            (_, true) => State::RecordedForGood,
            (true, false) => State::Recorded,
            (false, false) => State::Dropped,
        };
        let functions =
            states.into_iter().map(|(function, recorded, for_good)| (function, state(recorded, for_good))).collect();
        Grown { functions }
    }

    fn was_tried(&self, function: &FunctionRef) -> bool {
        self.functions.contains_key(function)
    }

    fn extend<'f>(&mut self, functions: impl IntoIterator<Item = &'f FunctionRef>, as_what: State) {
        for function in functions {
            let state = self.functions.entry(function.clone()).or_insert(as_what);
            if *state == State::Dropped {
                *state = State::RecordedForGood;
            }
        }
    }

    /// Once the search is over, also what showed where the object came from.
    fn drop_all_but(&mut self, kept: &BTreeSet<&FunctionRef>, is_over: bool) {
        for (function, state) in &mut self.functions {
            if (*state == State::Recorded || is_over) && !kept.contains(function) {
                *state = State::Dropped;
            }
        }
    }
}

fn functions_on(path: &Path) -> BTreeSet<&FunctionRef> {
    path.labels.iter().filter_map(Label::function).collect()
}

/// The functions that registered the listeners. One that was recorded and has no label did so before the birth.
fn registrars(path: &Path) -> impl Iterator<Item = &FunctionRef> {
    path.labels.iter().filter_map(|label| match label {
        Label::Task { registered_at } => registered_at.as_ref().map(|site| &site.function),
        _ => None,
    })
}
