//! The project's code comes first. A search passes through libraries at no extra price, but what it met there is told later than
//! what is as near in the project, and what only hands values on is told once.

use trace_model::SiteKind;
use trace_store::Step;

use super::{Hop, HopKind, Question, Search, cost};

impl Search<'_, '_> {
    /// A hop in a library waits until nothing of the project is as near.
    pub(super) fn hide_library(&mut self, number: usize, hop: &Hop) -> Option<()> {
        let library = self.trace.library(hop.at.unit)?;
        self.is_about_project().then_some(())?;
        let mut n_passed = 0;
        let mut above = hop.parent.and_then(|parent| self.hops.get(parent));
        while let Some(hop) = above.filter(|hop| self.trace.library(hop.at.unit) == Some(library)) {
            n_passed += 1;
            above = hop.parent.and_then(|parent| self.hops.get(parent));
        }
        self.hidden.insert(number);
        let price = cost::LIBRARY + f64::from(n_passed) * cost::DEEPER_IN_LIBRARY;
        self.ask(price, Question::Unhide { hop: number }, None);
        Some(())
    }

    /// Whether code of the project did something.
    pub(super) fn is_own_event(&self, step: &Step) -> bool {
        let unit = step.site().and_then(|site| self.trace.site(site)).map(|site| site.unit.record.base);
        let frame = || step.frame.and_then(|frame| self.trace.frame(frame)).map(|frame| frame.unit);
        unit.or_else(frame).is_some_and(|unit| self.trace.is_own(unit))
    }

    /// Whether what failed is code of the project.
    pub(super) fn is_about_project(&self) -> bool {
        self.hops.first().is_some_and(|root| self.trace.is_own(root.at.unit))
    }

    /// Of the hops through a library that lead out of it again, the first is told, and the first that changed something.
    pub(super) fn hide_passages(&mut self) {
        let leads_out = self.leading_out();
        // Of the hops from the project to each one, in the same library: whether one changed something.
        let mut has_changed = vec![false; self.hops.len()];
        for number in 0..self.hops.len() {
            let hop = &self.hops[number];
            let Some(library) = self.trace.library(hop.at.unit) else { continue };
            let parent = self.explained(number);
            let parent = parent.filter(|parent| self.trace.library(self.hops[*parent].at.unit) == Some(library));
            let had_changed = parent.is_some_and(|parent| has_changed[parent]);
            let changes = self.changes_something(hop);
            has_changed[number] = had_changed || changes;
            if leads_out[number] && parent.is_some() && (had_changed || !changes) {
                self.hidden.insert(number);
            }
        }
    }

    /// Whether hops of the project explain each hop, directly or not.
    fn leading_out(&self) -> Vec<bool> {
        let mut leads_out = vec![false; self.hops.len()];
        for (number, hop) in self.hops.iter().enumerate().rev() {
            let is_told =
                self.trace.is_own(hop.at.unit) && !self.hidden.contains(&number) && !self.is_other_time(number);
            if let Some(parent) = self.explained(number).filter(|_| is_told || leads_out[number]) {
                leads_out[parent] = true;
            }
        }
        leads_out
    }

    /// A write of a variable only hands on, like an argument and a return.
    fn changes_something(&self, hop: &Hop) -> bool {
        let is_change = matches!(hop.kind, HopKind::Write | HopKind::Removed);
        is_change && !matches!(self.trace.kind(&hop.step), Some(SiteKind::Var | SiteKind::Param))
    }

    /// What a hidden hop explains is explained by what explains it.
    pub(super) fn without_hidden(self) -> Vec<Hop> {
        let mut places: Vec<Option<usize>> = Vec::new();
        let mut shown: Vec<Hop> = Vec::new();
        for (number, mut hop) in self.hops.into_iter().enumerate() {
            // A hop comes behind the one that it explains.
            let parent = hop.parent.and_then(|parent| places[parent]);
            if self.hidden.contains(&number) {
                places.push(parent);
                continue;
            }
            places.push(Some(shown.len()));
            hop.parent = parent;
            hop.is_minor = self.minor.contains(&number);
            shown.push(hop);
        }
        shown
    }
}
