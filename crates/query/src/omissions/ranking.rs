//! Which omission is told first.
//!
//! Close to what is expected comes before far, short ways before long ones, what was at hand before what may have been, the
//! project before its libraries. What is the same decision about the same thing is told once.

use std::collections::HashMap;

use trace_model::{CallHow, Certainty, LocalSite, MayCall, OperationKind, ProgramFunction, Span};

use super::{Expected, History, Omission, Reason, WantedKind};

/// How many executions of a function are looked at.
pub const MOST_TIMES: usize = 24;

/// The function, the branch, the reason and what was wanted.
type Same = (ProgramFunction, Option<LocalSite>, Reason, ProgramFunction, Span);

pub(super) fn ranked(history: &dyn History, found: Vec<Omission>, expected: &Expected) -> Vec<Omission> {
    let mut bundled: Vec<Omission> = Vec::new();
    let mut known: HashMap<Same, usize> = HashMap::new();
    for mut omission in found {
        omission.cost = cost(history, &omission, expected);
        let same =
            (omission.function, omission.branch, omission.reason, omission.wanted.function, omission.wanted.span);
        match known.get(&same) {
            None => {
                known.insert(same, bundled.len());
                bundled.push(omission);
            }
            Some(&at) => {
                let other = &mut bundled[at];
                let n_more = other.n_more + usize::from(other.at != omission.at);
                // The one that had the object at hand speaks for all, or else the newest.
                let is_better =
                    (omission.cost, std::cmp::Reverse(omission.at)) < (other.cost, std::cmp::Reverse(other.at));
                if is_better {
                    *other = omission;
                }
                other.n_more = n_more;
            }
        }
    }
    bundled.sort_by(|a, b| {
        a.cost.total_cmp(&b.cost).then(b.at.cmp(&a.at)).then(a.wanted.span.start.cmp(&b.wanted.span.start))
    });
    one_balloon_each(bundled)
}

/// What one decision kept from being done is told with it, and what one function changed alone is told once.
fn one_balloon_each(sorted: Vec<Omission>) -> Vec<Omission> {
    let mut told: Vec<Omission> = Vec::new();
    for omission in sorted {
        let is_same = |other: &&mut Omission| match omission.reason {
            Reason::LeftBehind => other.reason == Reason::LeftBehind && other.function == omission.function,
            _ => other.reason == omission.reason && other.at == omission.at,
        };
        match told.iter_mut().find(is_same) {
            Some(other) => {
                other.also.push(omission.wanted);
                if other.also.len() <= MOST_SUPPORT {
                    other.cost -= SUPPORT;
                }
            }
            None => told.push(omission),
        }
    }
    told.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    told
}

/// A decision that kept several operations from being performed is the likelier one.
const SUPPORT: f64 = 0.2;
const MOST_SUPPORT: usize = 4;

fn cost(history: &dyn History, omission: &Omission, expected: &Expected) -> f64 {
    let kind = match &omission.wanted.kind {
        WantedKind::Operation(kind) => distance(kind, expected),
        WantedKind::Reached | WantedKind::More => 0.0,
    };
    let calls: f64 = omission.calls.iter().map(call_cost).sum();
    let reason = match omission.reason {
        Reason::Branch | Reason::NeverResumed | Reason::Exception => 0.0,
        Reason::NeverCalled => 0.3,
        Reason::OtherFunction => 0.6,
        Reason::LoopEnded => 1.5,
        Reason::BecameNothing => 0.9,
        Reason::MadeWithout => 1.0,
        Reason::LeftBehind => 0.9,
    };
    let partial = if omission.is_partial { 0.8 } else { 0.0 };
    let at_hand = if omission.has_object { 0.0 } else { 0.8 };
    let vague = (omission.wanted.n_objects.max(1) as f64).log2() * 0.25;
    let performed = omission.performed;
    let habit = if performed.on_siblings > 0 && performed.on_this == 0 {
        // What its siblings got and it did not is what it lacks.
        -0.7
    } else if performed.is_fewer_than_siblings() {
        0.2
    } else if performed.on_this > 0 {
        1.0
    } else {
        0.0
    };
    let place = match (history.is_project(omission.function), history.is_project(omission.wanted.function)) {
        (true, true) => 0.0,
        (false, false) => 1.0,
        _ => 0.6,
    };
    kind + calls + reason + partial + at_hand + vague + habit + place
}

fn call_cost(call: &MayCall) -> f64 {
    match (call.how, call.certainty) {
        (CallHow::ByName, _) => 1.0,
        (_, Certainty::Observed) => 0.5,
        (_, Certainty::May) => 0.8,
    }
}

/// How far an operation is from the change that is expected.
fn distance(kind: &OperationKind, expected: &Expected) -> f64 {
    use OperationKind::*;
    match (kind, &expected.key) {
        (Write(Some(written)) | Remove(Some(written)), Some(key)) => {
            if written == key {
                0.0
            } else {
                3.0
            }
        }
        (Write(None), Some(_)) => 0.8,
        (Remove(None), Some(_)) => 1.5,
        (Change(_), _) if expected.is_contents => 0.0,
        (Write(None), None) if expected.is_contents => 0.2,
        (Write(_), None) => {
            if expected.is_contents {
                1.5
            } else {
                0.3
            }
        }
        (Change(_), None) => 0.3,
        (Change(_), Some(_)) => 1.8,
        (Remove(_), None) => 0.6,
        (UnknownMethod(_), _) => 1.6,
        (HandedOut, _) => 2.0,
        (Read(_), _) => 4.0,
    }
}
