//! Weights of calls by what they covered (section 2.4 of the paper): an entity counts g(v) = pᵛ, where v is how many valid calls
//! covered it.

use super::suspects::valid_ranges;
use super::{EntitySets, Given, Node, Suspects, Tree};

/// v: how many nodes that are valid covered each entity. What a valid call brought about is valid with it.
pub fn valid_counts(tree: &Tree, given: &[Given]) -> Vec<u32> {
    let mut counts = vec![0; tree.entities.n_entities()];
    let mut n_calls = vec![0u32; tree.entities.len()];
    for node in valid_ranges(tree, given).into_iter().flatten() {
        n_calls[tree.set(Node(node)).0 as usize] += 1;
    }
    for (set, n) in n_calls.iter().enumerate().filter(|(_, n)| **n > 0) {
        for entity in tree.entities.get(super::SetNumber(set as u32)) {
            counts[*entity as usize] += n;
        }
    }
    counts
}

/// The weight of each set of entities.
pub(super) fn set_weights(sets: &EntitySets, weight: impl Fn(u32) -> f64) -> Vec<f64> {
    (0..sets.len() as u32)
        .map(|set| sets.get(super::SetNumber(set)).iter().map(|entity| weight(*entity)).sum())
        .collect()
}

/// Sums over the suspicious nodes in preorder: the weight of a subtree is a difference of two.
pub(super) struct Sums<'s> {
    start: u32,
    sums: &'s [f64],
}

impl<'s> Sums<'s> {
    /// The weights are asked for in preorder.
    pub fn new(tree: &Tree, suspects: &Suspects, sums: &'s mut Vec<f64>, weight: impl Fn(usize) -> f64) -> Sums<'s> {
        let whole = tree.subtree(suspects.innermost());
        let (functions, trusted) = (tree.functions_by_node(), suspects.trusted());
        let mut total = 0.0;
        sums.clear();
        sums.reserve(whole.len() + 1);
        sums.push(0.0);
        for range in suspects.ranges() {
            sums.resize((range.start - whole.start) as usize + 1, total);
            for node in range.start as usize..range.end as usize {
                if !trusted[functions[node] as usize] {
                    total += weight(node);
                }
                sums.push(total);
            }
        }
        sums.resize(whole.len() + 1, total);
        Sums { start: whole.start, sums }
    }

    pub fn total(&self) -> f64 {
        self.sums.last().copied().unwrap_or(0.0)
    }

    /// The weight of a subtree.
    pub fn of(&self, tree: &Tree, node: Node) -> f64 {
        let end = tree.ends_by_node()[node.0 as usize];
        self.sums[(end - self.start) as usize] - self.sums[(node.0 - self.start) as usize]
    }
}
