//! Verdicts that cost the person nothing. Each says why.

use std::time::{Duration, Instant};

use query::judge::{Given, Node, Suspects, Verdict, valid_ranges};

use super::{Automatic, Judge};

/// So long may it take to find other calls that put a question which was just answered.
const PATIENCE: Duration = Duration::from_millis(80);

/// In larger trees only the call that is to be asked about is compared.
const MOST_CALLS: usize = 1_000_000;

impl Judge<'_> {
    /// The verdict on a call that is to be asked about, if nobody has to give it.
    pub(super) fn automatic(&self, node: Node) -> Option<(Verdict, String)> {
        self.judged_alike(node).or_else(|| self.valid_alike(node)).or_else(|| self.by_reference(node))
    }

    /// The same question was answered before.
    fn judged_alike(&self, node: Node) -> Option<(Verdict, String)> {
        if self.without.contains(&Automatic::Identical) {
            return None;
        }
        let function = self.tree.function(node);
        let given = self.store.given(&self.tree, self.stand.number);
        let alike = given.iter().filter(|given| {
            given.verdict != Verdict::Unknown && given.node != node && self.tree.function(given.node) == function
        });
        let print = alike.clone().next().and_then(|_| self.print(node))?;
        let same = alike.rev().find(|given| self.print(given.node) == Some(print))?;
        Some((same.verdict, format!("the same call was judged before, at @{}", self.tree.entered(same.node).0)))
    }

    /// The same call was part of one that is valid: what a valid call brought about is valid with it.
    fn valid_alike(&self, node: Node) -> Option<(Verdict, String)> {
        if self.without.contains(&Automatic::Identical) || self.tree.len() > MOST_CALLS {
            return None;
        }
        let started = Instant::now();
        let way = |node: Node| (self.tree.function(node), self.tree.subtree(node).len(), self.tree.set(node));
        let own = way(node);
        let valid = valid_ranges(&self.tree, &self.given());
        let mut same_way = valid.into_iter().flatten().map(Node).filter(|other| way(*other) == own).peekable();
        same_way.peek()?;
        let print = self.print(node)?;
        let same =
            same_way.take_while(|_| started.elapsed() < PATIENCE).find(|other| self.print(*other) == Some(print))?;
        let event = self.tree.entered(same).0;
        Some((Verdict::Valid, format!("the same call was part of a valid one, at @{event}")))
    }

    /// Calls that put the same question as one that was answered now.
    pub(super) fn infer_identical(&mut self, node: Node, verdict: Verdict) {
        let is_large = self.tree.len() > MOST_CALLS;
        if verdict == Verdict::Unknown || is_large || self.without.contains(&Automatic::Identical) {
            return;
        }
        let started = Instant::now();
        let Some(print) = self.print(node) else { return };
        let alike: Vec<Node> = {
            let given = self.given();
            let suspects = Suspects::new(&self.tree, &self.trusted, &given);
            // Calls that do the same take the same way.
            let way = |node: Node| (self.tree.function(node), self.tree.subtree(node).len(), self.tree.set(node));
            let own = way(node);
            let same_way = suspects.open().filter(|other| *other != node && way(*other) == own);
            same_way
                .take_while(|_| started.elapsed() < PATIENCE)
                .filter(|other| self.print(*other) == Some(print))
                .collect()
        };
        let why = format!("the same call was judged before, at @{}", self.tree.entered(node).0);
        self.inferred.extend(alike.into_iter().map(|node| (Given { node, verdict }, why.clone())));
    }

    /// A run that was right made the same call.
    fn by_reference(&self, node: Node) -> Option<(Verdict, String)> {
        if self.references.is_empty() || self.without.contains(&Automatic::Against) {
            return None;
        }
        let print = self.print(node)?;
        let call = self.call_ref(node);
        self.references.iter().find_map(|reference| {
            let effects = reference.effects_of(call.function.as_deref(), &call.file, print.inputs)?;
            let name = reference.name();
            match effects.contains(&print.effects) {
                true => Some((Verdict::Valid, format!("run {name} made the same call, with the same effects"))),
                // What is not known may be what makes the difference.
                false if print.is_complete => {
                    Some((Verdict::Invalid, format!("run {name} made the same call, with other effects")))
                }
                false => None,
            }
        })
    }
}
