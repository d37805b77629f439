//! What no data leads to: what the failing test did or decided otherwise than the tests that passed, and what was decided just before the
//! failure. A value that is wrong because something did not happen has no way back to the branch that prevented it.

use std::collections::HashSet;

use trace_model::{EventId, SiteKind};
use trace_store::Step;

use super::siblings::Siblings;
use super::{Failure, FailureKind, HopKind, Question, Search};

impl Search<'_, '_> {
    /// Asks about the decisions of the project's own code that the other tests took least often, the newest first.
    pub(super) fn ask_about_decisions(&mut self, failure: &Failure, siblings: &Siblings) {
        if failure.kind == FailureKind::Asked {
            return;
        }
        // Without other tests nothing tells which of them matter: these only compete where there is too much to tell anyhow.
        if siblings.is_empty() && self.n_told() <= self.limits.hops {
            return;
        }
        let (decisions, deeds) = self.newest_deeds(failure, siblings);
        let shares = decisions.into_iter().map(|step| (siblings.share(self.trace, &step).unwrap_or(0.0), step));
        let mut decisions: Vec<(f64, Step)> = shares.filter(|(share, _)| *share < COMMON).collect();
        // The sort keeps the newest first among those that as many took.
        decisions.sort_by(|one, other| one.0.total_cmp(&other.0));
        decisions.truncate(MOST_DECISIONS);
        self.open.clear();
        self.first_decision = Some(self.hops.len());
        self.limits.found = self.limits.found.saturating_add(MOST_DECISIONS + MOST_DEEDS);
        let decisions = decisions.into_iter().map(|(_, step)| (step, HopKind::Condition));
        for (step, kind) in decisions.chain(deeds) {
            self.is_guest = false;
            self.ask(0.0, Question::Happened { event: step.id, kind, focus: None }, Some(0));
        }
    }

    /// The last time of each branch, and each way it went, before the failure, and what the other tests never did or had there: newest
    /// first.
    fn newest_deeds(&self, failure: &Failure, siblings: &Siblings) -> (Vec<Step>, Vec<(Step, HopKind)>) {
        let first = self.trace.beginning_of_test(failure).unwrap_or(EventId(0));
        let mut seen = HashSet::new();
        let (mut decisions, mut deeds) = (Vec::new(), Vec::new());
        for step in self.trace.thread.steps_before(self.failed).take(MOST_EVENTS) {
            if step.id < first || decisions.len() >= MOST_BRANCHES {
                break;
            }
            let Some(site) = step.site() else { continue };
            let Some(kind) = self.trace.kind(&step).and_then(told_as) else { continue };
            let is_own = || self.trace.site(site).is_some_and(|site| self.trace.is_own(site.unit.record.base));
            if kind == HopKind::Condition {
                let way = self.trace.step_value(&step).and_then(|value| value.truth());
                if seen.insert((site, way)) && is_own() {
                    decisions.push(step);
                }
            } else if deeds.len() < MOST_DEEDS && !siblings.is_empty() && seen.insert((site, None)) && is_own() {
                let is_of_one = siblings.share(self.trace, &step) == Some(0.0);
                if is_of_one || siblings.is_new_there(&step, self.trace.step_value(&step).as_ref()) {
                    deeds.push((step, kind));
                }
            }
        }
        (decisions, deeds)
    }
}

fn told_as(kind: SiteKind) -> Option<HopKind> {
    match kind {
        SiteKind::Branch => Some(HopKind::Condition),
        SiteKind::Return => Some(HopKind::Return),
        SiteKind::Var | SiteKind::Put | SiteKind::PutComputed => Some(HopKind::Write),
        _ => None,
    }
}

const MOST_EVENTS: usize = 200_000;
const MOST_BRANCHES: usize = 200;
const MOST_DECISIONS: usize = 20;
const MOST_DEEDS: usize = 20;
/// What so large a part of the passing tests decided says nothing of the failing one.
const COMMON: f64 = 0.5;
