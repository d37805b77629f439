//! Things that change together, and were changed alone once.
//!
//! A table and its index, a list and its length, the fields of one entry: code that changes the one changes the other as well. Where the
//! source lacks the second change, no operation tells; but the execution that changed the companion alone stands out beside those
//! that changed both.

use std::collections::HashMap;

use trace_model::{FrameId, ProgramFunction, Span};

use super::{Moment, Omission, Reason, lacking};

/// Something was changed, in a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChangeInFrame {
    pub moment: Moment,
    pub frame: FrameId,
    /// The frame that called it.
    pub caller: Option<FrameId>,
    /// Which of the companions it was; of the thing itself: any.
    pub of: u32,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Changes {
    /// Of the thing in question.
    pub own: Vec<ChangeInFrame>,
    /// Of what belongs with it.
    pub companions: Vec<ChangeInFrame>,
}

/// The changes of companions that the thing had no part in; one for each place.
pub(super) fn left_behind(changes: &Changes) -> Vec<Omission> {
    let Some(first) = changes.own.iter().map(|change| change.moment.at).min() else { return Vec::new() };
    let mut n_together: HashMap<u32, usize> = HashMap::new();
    let mut alone: HashMap<(ProgramFunction, Span), Omission> = HashMap::new();
    for companion in &changes.companions {
        if changes.own.iter().any(|own| is_together(own, companion)) {
            *n_together.entry(companion.of).or_default() += 1;
        }
    }
    for companion in &changes.companions {
        // Before the thing was there it could not be left behind.
        let is_alone = companion.moment.at > first && !changes.own.iter().any(|own| is_together(own, companion));
        let n_together = n_together.get(&companion.of).copied().unwrap_or(0);
        if !is_alone || n_together < HABIT {
            continue;
        }
        let mut found = lacking(companion.moment, Reason::LeftBehind);
        found.n_together = n_together;
        let place = (companion.moment.function, companion.moment.span);
        let known = alone.entry(place).or_insert_with(|| found.clone());
        if known.at < found.at {
            found.n_more = known.n_more + 1;
            *known = found;
        } else if known.at > found.at {
            known.n_more += 1;
        }
    }
    let mut found: Vec<Omission> = alone.into_values().collect();
    found.sort_by_key(|omission| omission.at);
    found
}

/// Whether two changes belong to one step of the program: the same execution, or one that called the other.
fn is_together(a: &ChangeInFrame, b: &ChangeInFrame) -> bool {
    let is_called = |callee: &ChangeInFrame, caller: &ChangeInFrame| callee.caller == Some(caller.frame);
    a.frame == b.frame || is_called(a, b) || is_called(b, a)
}

/// Once may be chance: two things that are made in one constructor need not belong together.
const HABIT: usize = 2;
