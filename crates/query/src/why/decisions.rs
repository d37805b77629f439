//! What no data leads to: what the failing test did or decided otherwise than the tests that passed, and what was decided just before the
//! failure. A value that is wrong because something did not happen has no way back to the branch that prevented it.

use std::collections::HashSet;

use trace_model::{EventId, SiteKind};
use trace_store::Step;

use super::siblings::Siblings;
use super::{Failure, FailureKind, HopKind, Question, Search};
use crate::Trace;

/// Something that the failing test did, as it would be told.
struct Deed {
    step: Step,
    kind: HopKind,
    is_decision: bool,
    suspicion: f64,
}

impl Search<'_, '_> {
    /// Asks about what the failing test did, and tests that passed seldom or never did.
    pub(super) fn ask_about_deeds(&mut self, failure: &Failure, siblings: &Siblings) {
        if failure.kind == FailureKind::Asked {
            return;
        }
        // Without other tests nothing tells which of them matter: these only compete where there is too much to tell anyhow.
        if siblings.is_empty() && self.n_told() <= self.limits.hops {
            return;
        }
        let mut deeds = self.deeds(failure, siblings);
        // The sort keeps the newest first among those that are as suspicious.
        deeds.sort_by(|one, other| other.suspicion.total_cmp(&one.suspicion));
        self.first_decision = Some(self.hops.len());
        self.follow_deeds(&deeds, siblings);
        self.tell_deeds(&deeds);
    }

    /// The decisions that the other tests took least often, and what they never did or had there: with what led to them.
    fn follow_deeds(&mut self, deeds: &[Deed], siblings: &Siblings) {
        let share = |deed: &Deed| siblings.share(self.trace, &deed.step).unwrap_or(0.0);
        let is_new = |deed: &Deed| siblings.is_new_there(&deed.step, self.trace.step_value(&deed.step).as_ref());
        let decisions = deeds.iter().filter(|deed| deed.is_decision && share(deed) < COMMON).take(MOST_FOLLOWED);
        let others = deeds.iter().filter(|deed| !deed.is_decision && !siblings.is_empty());
        let others = others.filter(|deed| share(deed) == 0.0 || is_new(deed)).take(MOST_FOLLOWED);
        let chosen: Vec<(EventId, HopKind)> = decisions.chain(others).map(|deed| (deed.step.id, deed.kind)).collect();
        self.open.clear();
        self.limits.found = self.limits.found.saturating_add(2 * MOST_FOLLOWED);
        for (event, kind) in chosen {
            self.is_guest = false;
            self.ask(0.0, Question::Happened { event, kind, focus: None }, Some(0));
        }
        self.run();
    }

    /// The most suspicious of the rest: each by itself, without what led to it.
    fn tell_deeds(&mut self, deeds: &[Deed]) {
        let most = self.n_told() + MOST_TOLD;
        for deed in deeds.iter().take(MOST_TRIED) {
            if self.n_told() >= most {
                break;
            }
            self.open.clear();
            (self.base, self.parent, self.is_guest, self.about) = (0.0, Some(0), false, None);
            let question = Question::Happened { event: deed.step.id, kind: deed.kind, focus: None };
            if !self.is_too_late(&question) && self.asked.insert(format!("{question:?}")) {
                self.answer(question, None);
            }
        }
        self.open.clear();
    }

    /// The last time of each thing that the failing test did in code of the project, newest first; of a branch, of each way it went. A test
    /// that does next to nothing outside of its own file looks at what was done before it: by a topic, a hook, the callback before.
    fn deeds(&self, failure: &Failure, siblings: &Siblings) -> Vec<Deed> {
        let test = self.trace.called_from_outside(failure.thrown.frame);
        let mut seen = HashSet::new();
        let mut deeds: Vec<Deed> = Vec::new();
        let mut n_elsewhere = 0;
        for step in self.trace.thread.steps_before(self.failed).take(MOST_EVENTS) {
            if n_elsewhere >= FEW && test.as_ref().is_some_and(|test| step.id < test.entered) {
                break;
            }
            let Some(site) = step.site() else { continue };
            let Some(kind) = self.trace.kind(&step).and_then(told_as) else { continue };
            if kind == HopKind::Return && self.trace.is_end_of_body(&step) {
                continue;
            }
            let is_decision = kind == HopKind::Condition;
            let way = is_decision.then(|| self.trace.truth(&step)).flatten();
            if !seen.insert((site, way)) {
                continue;
            }
            let unit = self.trace.site(site).map(|site| site.unit.record.base);
            if let Some(unit) = unit.filter(|unit| self.trace.is_own(*unit)) {
                n_elsewhere += usize::from(test.as_ref().is_none_or(|test| test.unit != unit));
                let suspicion = siblings.suspicion(self.trace, &step);
                deeds.push(Deed { step, kind, is_decision, suspicion });
            }
        }
        deeds
    }
}

impl Trace<'_> {
    /// Whether control came to the end of a function: there is nothing that could be wrong.
    pub(super) fn is_end_of_body(&self, returned: &Step) -> bool {
        let code = returned.site().and_then(|site| self.code(site));
        code.zip(returned.site()).is_some_and(|(code, site)| code.site_facts(site).value.is_none())
    }
}

fn told_as(kind: SiteKind) -> Option<HopKind> {
    match kind {
        SiteKind::Branch | SiteKind::Loop | SiteKind::Nullish => Some(HopKind::Condition),
        SiteKind::Return => Some(HopKind::Return),
        SiteKind::Throw => Some(HopKind::Throw),
        SiteKind::Call => Some(HopKind::Call),
        SiteKind::Var
        | SiteKind::VarIncrement
        | SiteKind::VarDecrement
        | SiteKind::Put
        | SiteKind::PutIncrement
        | SiteKind::PutDecrement
        | SiteKind::PutComputed
        | SiteKind::PutComputedIncrement
        | SiteKind::PutComputedDecrement
        | SiteKind::Delete
        | SiteKind::DeleteComputed => Some(HopKind::Write),
        _ => None,
    }
}

const MOST_EVENTS: usize = 200_000;
/// Of deeds outside of the file of the test.
const FEW: usize = 10;
/// Decisions, and other deeds, that are asked about with what led to them.
const MOST_FOLLOWED: usize = 20;
/// Others that are told by themselves.
const MOST_TOLD: usize = 60;
const MOST_TRIED: usize = 300;
/// What so large a part of the passing tests decided says nothing of the failing one.
const COMMON: f64 = 0.5;
