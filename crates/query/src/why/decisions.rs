//! Decisions that no data leads to: what the failing test decided otherwise than the tests that passed, and what was decided just
//! before the failure. A value that is wrong because something did not happen has no way back to the branch that prevented it.

use std::collections::HashSet;

use trace_model::{EventId, SiteKind};
use trace_store::Step;

use super::siblings::Siblings;
use super::{Failure, FailureKind, HopKind, Question, Search};

impl Search<'_, '_> {
    /// Asks about the decisions of the project's own code that the other tests took least often, the newest first.
    pub(super) fn ask_about_decisions(&mut self, failure: &Failure, siblings: &Siblings) {
        if failure.kind == FailureKind::Asked || self.limits.found <= self.limits.hops {
            return;
        }
        // Without other tests nothing tells which of them matter: these only compete where there is too much to tell anyhow.
        if siblings.is_empty() && self.n_told() <= self.limits.hops {
            return;
        }
        let newest = self.newest_decisions(failure).into_iter();
        let shares = newest.map(|step| (siblings.share(self.trace, &step).unwrap_or(0.0), step));
        let mut decisions: Vec<(f64, Step)> = shares.filter(|(share, _)| *share < COMMON).collect();
        // The sort keeps the newest first among those that as many took.
        decisions.sort_by(|one, other| one.0.total_cmp(&other.0));
        decisions.truncate(MOST_DECISIONS);
        self.open.clear();
        self.limits.found = self.limits.found.saturating_add(MOST_DECISIONS);
        for (_, step) in decisions {
            self.is_guest = false;
            let question = Question::Happened { event: step.id, kind: HopKind::Condition, focus: None };
            self.ask(0.0, question, Some(0));
        }
    }

    /// The last time of each branch, and each way it went, before the failure: newest first.
    fn newest_decisions(&self, failure: &Failure) -> Vec<Step> {
        let first = self.trace.beginning_of_test(failure).unwrap_or(EventId(0));
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for step in self.trace.thread.steps_before(self.failed).take(MOST_EVENTS) {
            if step.id < first || found.len() >= MOST_BRANCHES {
                break;
            }
            let Some(site) = step.site().filter(|_| self.trace.kind(&step) == Some(SiteKind::Branch)) else { continue };
            let is_own = self.trace.site(site).is_some_and(|site| self.trace.is_own(site.unit.record.base));
            let way = self.trace.step_value(&step).and_then(|value| value.truth());
            if is_own && seen.insert((site, way)) {
                found.push(step);
            }
        }
        found
    }
}

const MOST_EVENTS: usize = 200_000;
const MOST_BRANCHES: usize = 200;
const MOST_DECISIONS: usize = 20;
/// What so large a part of the passing tests decided says nothing of the failing one.
const COMMON: f64 = 0.5;
