//! What kept an execution from coming to a place.

use std::collections::HashSet;

use trace_model::{EventId, LocalSite, ProgramFunction, Span, Way};

use super::{Ending, Execution, History, Reason};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kept {
    pub reason: Reason,
    pub at: EventId,
    pub branch: Option<LocalSite>,
}

/// The decisions that kept an execution from a place that it did not come to: the nearest ones that were taken at all.
pub(super) fn kept_from(
    history: &dyn History,
    execution: &Execution,
    function: ProgramFunction,
    span: Span,
) -> Vec<Kept> {
    let mut found: Vec<Kept> = Vec::new();
    let mut known: HashSet<(LocalSite, Way)> = HashSet::new();
    let mut open = history.dependences(function, span);
    let mut is_open_way = open.is_empty();
    while let Some(dependence) = open.pop() {
        if !known.insert((dependence.branch, dependence.way)) {
            continue;
        }
        match history.decisions(execution, function, dependence.branch) {
            Some(decisions) if decisions.goes(dependence.way) => is_open_way = true,
            Some(decisions) => {
                // It may have been chosen, and left before the place.
                is_open_way |= decisions.is_choice;
                found.push(Kept { reason: Reason::Branch, at: decisions.newest, branch: Some(dependence.branch) });
            }
            None => {
                let further = history.dependences_of(function, dependence.branch);
                is_open_way |= further.is_empty();
                open.extend(further);
            }
        }
    }
    // Nothing decided against it on some way, and yet control did not come: it was stopped.
    if is_open_way {
        let stopped = match history.ending(execution) {
            Ending::Threw(at) => Some((Reason::Exception, at)),
            Ending::Waits(at) => Some((Reason::NeverResumed, at)),
            Ending::Completed | Ending::Unknown => None,
        };
        found.extend(stopped.map(|(reason, at)| Kept { reason, at, branch: None }));
    }
    found
}

/// The loop that led to a place, and led there no more.
pub(super) fn ended_loop(
    history: &dyn History,
    execution: &Execution,
    function: ProgramFunction,
    span: Span,
) -> Option<Kept> {
    let mut known: HashSet<LocalSite> = HashSet::new();
    let mut open = history.dependences(function, span);
    while let Some(dependence) = open.pop() {
        if !known.insert(dependence.branch) {
            continue;
        }
        let decisions = history.decisions(execution, function, dependence.branch);
        if let Some(decisions) = decisions.filter(|decisions| decisions.is_loop && decisions.newest_false.is_some()) {
            return Some(Kept { reason: Reason::LoopEnded, at: decisions.newest, branch: Some(dependence.branch) });
        }
        open.extend(history.dependences_of(function, dependence.branch));
    }
    None
}

/// The decisions that led an execution to a place at one time and away from it at another: the newest time away.
pub(super) fn declined(
    history: &dyn History,
    execution: &Execution,
    function: ProgramFunction,
    span: Span,
) -> Vec<Kept> {
    let mut found: Vec<Kept> = Vec::new();
    let mut known: HashSet<(LocalSite, Way)> = HashSet::new();
    let mut open = history.dependences(function, span);
    while let Some(dependence) = open.pop() {
        if !known.insert((dependence.branch, dependence.way)) {
            continue;
        }
        open.extend(history.dependences_of(function, dependence.branch));
        let decisions = history.decisions(execution, function, dependence.branch);
        let against = decisions
            .filter(|decisions| !decisions.is_loop && decisions.goes(dependence.way))
            .and_then(|decisions| decisions.newest_against(dependence.way));
        found.extend(against.map(|at| Kept { reason: Reason::Branch, at, branch: Some(dependence.branch) }));
    }
    found
}
