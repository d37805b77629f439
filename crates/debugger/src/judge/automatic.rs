//! Verdicts that cost the person nothing. Each says why.

use std::time::{Duration, Instant};

use query::judge::{Claim, ClaimSource, Given, Node, Suspects, Verdict, broken_returns, claims};

use super::{Automatic, Judge};

/// So long may it take to find other calls that put a question which was just answered.
const PATIENCE: Duration = Duration::from_millis(80);

/// So many calls of functions that declare what they return are looked at, and so many of those that break it.
const MOST_TYPED: usize = 10_000;
const MOST_BROKEN: usize = 20;

/// In larger trees only the call that is to be asked about is compared.
const MOST_CALLS: usize = 1_000_000;

impl Judge<'_> {
    /// The verdict on a call that is to be asked about, if nobody has to give it.
    pub(super) fn automatic(&self, node: Node) -> Option<(Verdict, String)> {
        self.judged_alike(node).or_else(|| self.by_reference(node)).or_else(|| self.by_source(node))
    }

    /// What the source says of a call, where nothing else could be to blame.
    fn by_source(&self, node: Node) -> Option<(Verdict, String)> {
        let is_wanted = |claim: &Claim| {
            !self.without.contains(match claim.source {
                ClaimSource::Type => &Automatic::Types,
                ClaimSource::Assertion => &Automatic::Assertions,
            })
        };
        if self.without.contains(&Automatic::Types) && self.without.contains(&Automatic::Assertions) {
            return None;
        }
        let claims = claims(&self.moment.trace, self.effects(node)?.as_ref(), &self.seen);
        claims.into_iter().filter(is_wanted).find_map(|claim| Some((claim.verdict?, claim.text)))
    }

    /// Calls that break what they declare are wrong before anybody is asked.
    pub(super) fn infer_broken_types(&mut self) {
        if self.without.contains(&Automatic::Types) {
            return;
        }
        let broken = broken_returns(&self.moment.trace, &self.tree, &self.seen, MOST_TYPED);
        let is_trusted = |node: &Node| self.trusted[self.tree.function(*node).0 as usize];
        for node in broken.into_iter().filter(|node| !is_trusted(node)).take(MOST_BROKEN) {
            if let Some((verdict, why)) = self.by_source(node) {
                self.inferred.push((Given { node, verdict }, why));
                return;
            }
        }
    }

    /// The same question was answered before. That a call was part of a valid one is no answer: what it did wrong may not have
    /// mattered there.
    fn judged_alike(&self, node: Node) -> Option<(Verdict, String)> {
        if self.without.contains(&Automatic::Identical) {
            return None;
        }
        let function = self.tree.function(node);
        let given = self.store.given(&self.tree, self.moment.number);
        let alike = given.iter().filter(|given| {
            given.verdict != Verdict::Unknown && given.node != node && self.tree.function(given.node) == function
        });
        let print = alike.clone().next().and_then(|_| self.print(node)).filter(|print| print.is_complete)?;
        let same = alike.rev().find(|given| self.print(given.node) == Some(print))?;
        Some((same.verdict, format!("the same call was judged before, at @{}", self.tree.entered(same.node).0)))
    }

    /// Calls that put the same question as one that was answered now.
    pub(super) fn infer_identical(&mut self, answered: &[Given]) {
        if self.tree.len() > MOST_CALLS || self.without.contains(&Automatic::Identical) {
            return;
        }
        let started = Instant::now();
        for Given { node, verdict } in answered.iter().filter(|given| given.verdict != Verdict::Unknown) {
            let Some(print) = self.print(*node).filter(|print| print.is_complete) else { continue };
            let alike: Vec<Node> = {
                let given = self.given();
                let suspects = Suspects::new(&self.tree, &self.trusted, &given);
                // Calls that do the same take the same way.
                let way = |node: Node| (self.tree.function(node), self.tree.subtree(node).len(), self.tree.set(node));
                let own = way(*node);
                let same_way = suspects.open().filter(|other| other != node && way(*other) == own);
                same_way
                    .take_while(|_| started.elapsed() < PATIENCE)
                    .filter(|other| self.print(*other) == Some(print))
                    .collect()
            };
            let why = format!("the same call was judged before, at @{}", self.tree.entered(*node).0);
            self.inferred.extend(alike.into_iter().map(|node| (Given { node, verdict: *verdict }, why.clone())));
        }
    }

    /// A run that was right made the same call.
    fn by_reference(&self, node: Node) -> Option<(Verdict, String)> {
        if self.references.is_empty() || self.without.contains(&Automatic::Against) {
            return None;
        }
        // What is not known may be what makes the difference.
        let print = self.print(node).filter(|print| print.is_complete && !print.has_functions)?;
        let called = self.tree.functions()[self.tree.function(node).0 as usize];
        self.references.iter().find_map(|reference| {
            let effects = reference.effects_of(&self.moment, called, print.inputs)?;
            let name = reference.name();
            Some(match effects.contains(&print.effects) {
                true => (Verdict::Valid, format!("run {name} made the same call, with the same effects")),
                false => (Verdict::Invalid, format!("run {name} made the same call, with other effects")),
            })
        })
    }
}
