//! Which answer would tell the most.
//!
//! The model: the defect is at one entity of the source (an edge of the flow of control: the code that runs where a branch goes
//! this way). A call that covered it did wrong with a probability that is high if what it did there had to do with the wrong value,
//! and low if not. A call is judged invalid if something in its subtree did wrong. From this follow how likely a call is to be
//! judged invalid, what remains uncertain behind either answer, and how a valid call exonerates what it covered (which is the
//! paper's g(x) = pˣ). The call is asked about that leaves the least uncertainty.
//!
//! The model is never right, and need not be: it chooses questions, and answers none.

use std::collections::HashMap;

use super::strategy::divide;
use super::suspects::valid_ranges;
use super::weights::set_weights;
use super::{EntitySets, Given, Node, Relevance, SetNumber, Suspects, Tree};

/// How likely a call is to do wrong at the defect, if it had nothing to do with the wrong value, and if it had everything.
const FAULT_OUTSIDE: f64 = 0.4;
const FAULT_INSIDE: f64 = 0.8;
/// How likely the defect is at an entity of which nothing led to the wrong value, beside one that did.
const PRIOR_OUTSIDE: f64 = 0.1;
/// The same for the top level of the program, which mostly puts things together.
const PRIOR_OF_ROOT: f64 = 0.01;

/// What no number of valid calls exonerates.
const LEAST: f64 = 1e-3;

/// More are not looked at one by one.
const MOST_PAIRS: usize = 4_000_000;

pub(super) fn best_by_inference(
    tree: &Tree,
    suspects: &Suspects,
    given: &[Given],
    relevance: &Relevance,
) -> Option<Node> {
    let mut weights = prior(tree, relevance);
    exonerate(tree, given, relevance, &mut weights);
    // A million valid calls leave something to be suspected all the same.
    weights.iter_mut().for_each(|weight| *weight = weight.max(LEAST));
    let n_suspects = suspects.iter().take(MOST_PAIRS).count();
    if n_suspects.saturating_mul(n_suspects) > MOST_PAIRS {
        return by_mass(tree, suspects, relevance, &weights);
    }
    let belief = Belief::new(tree, suspects, relevance, weights);
    let mut best: Option<(f64, u32, Node)> = None;
    for node in suspects.open() {
        let remaining = belief.remaining(tree, node);
        let size = tree.subtree(node).len() as u32;
        // Of equals the one that is smaller to read.
        let is_better = best.is_none_or(|(least, smallest, _)| {
            remaining < least - EQUAL || remaining < least + EQUAL && size < smallest
        });
        if is_better {
            best = Some((remaining, size, node));
        }
    }
    best.map(|(_, _, node)| node)
}

const EQUAL: f64 = 1e-6;

fn prior(tree: &Tree, relevance: &Relevance) -> Vec<f64> {
    let mut weights = vec![PRIOR_OUTSIDE; tree.entities.n_entities()];
    for entities in relevance.nodes.values() {
        for (entity, relevant) in entities {
            let weight = &mut weights[*entity as usize];
            *weight = weight.max(PRIOR_OUTSIDE + (1.0 - PRIOR_OUTSIDE) * relevant);
        }
    }
    for entity in tree.entities.get(tree.set(Tree::ROOT)) {
        weights[*entity as usize] *= PRIOR_OF_ROOT;
    }
    for (entity, share) in relevance.passing.iter().enumerate() {
        if let Some(weight) = weights.get_mut(entity) {
            *weight *= share * share;
        }
    }
    weights
}

/// What valid calls covered is less likely to be the defect.
fn exonerate(tree: &Tree, given: &[Given], relevance: &Relevance, weights: &mut [f64]) {
    let mut outside = vec![0u32; tree.entities.len()];
    for node in valid_ranges(tree, given).into_iter().flatten().map(Node) {
        match relevance.nodes.get(&node) {
            None => outside[tree.set(node).0 as usize] += 1,
            Some(_) => {
                for (entity, fault) in faults(tree, relevance, node) {
                    weights[entity as usize] *= 1.0 - fault;
                }
            }
        }
    }
    for (set, n) in (0..).zip(&outside).filter(|(_, n)| **n > 0) {
        for entity in tree.entities.get(SetNumber(set)) {
            weights[*entity as usize] *= (1.0 - FAULT_OUTSIDE).powi(*n as i32);
        }
    }
}

/// What a call covered, and how likely it did wrong there if the defect is there.
fn faults<'t>(tree: &'t Tree, relevance: &'t Relevance, node: Node) -> impl Iterator<Item = (u32, f64)> + 't {
    let relevant = relevance.nodes.get(&node);
    tree.entities.get(tree.set(node)).iter().map(move |entity| {
        let share = relevant.and_then(|entities| entities.get(entity)).copied().unwrap_or(0.0);
        (*entity, FAULT_OUTSIDE + (FAULT_INSIDE - FAULT_OUTSIDE) * share)
    })
}

/// What is believed of the suspicious calls.
struct Belief {
    /// By entity: how likely it is the defect, as far as is known.
    weights: Vec<f64>,
    /// The suspicious calls in preorder, and where their pairs begin.
    nodes: Vec<(u32, u32)>,
    /// Entities (numbered anew, as few are left) and faults.
    pairs: Vec<(u32, f64)>,
    /// By entity: the logarithm of the probability that no suspicious call did wrong, and the sum of faults.
    total: Vec<(f64, f64)>,
}

impl Belief {
    fn new(tree: &Tree, suspects: &Suspects, relevance: &Relevance, weights: Vec<f64>) -> Belief {
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let mut belief = Belief { weights: Vec::new(), nodes: Vec::new(), pairs: Vec::new(), total: Vec::new() };
        for node in suspects.iter() {
            belief.nodes.push((node.0, belief.pairs.len() as u32));
            for (entity, fault) in faults(tree, relevance, node) {
                let number = *numbers.entry(entity).or_insert_with(|| {
                    belief.weights.push(weights[entity as usize]);
                    belief.total.push((0.0, 0.0));
                    belief.weights.len() as u32 - 1
                });
                belief.pairs.push((number, fault));
                let total = &mut belief.total[number as usize];
                *total = (total.0 + (1.0 - fault).ln(), total.1 + fault);
            }
        }
        belief.nodes.push((u32::MAX, belief.pairs.len() as u32));
        belief
    }

    /// How uncertain the place of the defect is expected to be once a call was judged, in bits.
    fn remaining(&self, tree: &Tree, node: Node) -> f64 {
        let subtree = tree.subtree(node);
        let first = self.nodes.partition_point(|(node, _)| *node < subtree.start);
        let behind = self.nodes.partition_point(|(node, _)| *node < subtree.end);
        let mut inside = vec![(0.0f64, 0.0f64); self.weights.len()];
        for (entity, fault) in &self.pairs[self.nodes[first].1 as usize..self.nodes[behind].1 as usize] {
            let sums = &mut inside[*entity as usize];
            *sums = (sums.0 + (1.0 - fault).ln(), sums.1 + fault);
        }
        // The mass of each entity for each unit of fault, if the call is invalid and if it is valid.
        let shares: Vec<(f64, f64)> = (0..self.weights.len())
            .map(|entity| {
                let (weight, (none_inside, faults)) = (self.weights[entity], inside[entity]);
                let (none_at_all, all_faults) = self.total[entity];
                let (none_outside, outside) = (none_at_all - none_inside, all_faults - faults);
                let share = |mass: f64, faults: f64| if faults > 1e-9 { mass / faults } else { 0.0 };
                let invalid = weight * (1.0 - none_inside.exp());
                let valid = weight * none_inside.exp() * (1.0 - none_outside.exp());
                (share(invalid, faults), share(valid, outside))
            })
            .collect();
        let mass = |index: usize, share: &dyn Fn(&(f64, f64)) -> f64| -> f64 {
            let pairs = &self.pairs[self.nodes[index].1 as usize..self.nodes[index + 1].1 as usize];
            pairs.iter().map(|(entity, fault)| fault * share(&shares[*entity as usize])).sum()
        };
        let n_nodes = self.nodes.len() - 1;
        let invalid = Entropy::of((first..behind).map(|index| mass(index, &|share| share.0)));
        let valid = Entropy::of((0..first).chain(behind..n_nodes).map(|index| mass(index, &|share| share.1)));
        let whole = invalid.mass + valid.mass;
        if whole <= 0.0 { 0.0 } else { (invalid.mass * invalid.bits() + valid.mass * valid.bits()) / whole }
    }
}

/// Of masses that need not sum to 1.
struct Entropy {
    mass: f64,
    sum: f64,
}

impl Entropy {
    fn of(masses: impl Iterator<Item = f64>) -> Entropy {
        let mut entropy = Entropy { mass: 0.0, sum: 0.0 };
        for mass in masses.filter(|mass| *mass > 0.0) {
            entropy.mass += mass;
            entropy.sum += mass * mass.log2();
        }
        entropy
    }

    fn bits(&self) -> f64 {
        if self.mass > 0.0 { self.mass.log2() - self.sum / self.mass } else { 0.0 }
    }
}

/// For trees with too many calls to weigh every answer: half of what is believed.
fn by_mass(tree: &Tree, suspects: &Suspects, relevance: &Relevance, weights: &[f64]) -> Option<Node> {
    let sets: &EntitySets = &tree.entities;
    let outside = set_weights(sets, |entity| FAULT_OUTSIDE * weights[entity as usize]);
    let mut own = vec![0f32; tree.len()];
    for node in relevance.nodes.keys() {
        let inside: f64 = faults(tree, relevance, *node).map(|(entity, fault)| fault * weights[entity as usize]).sum();
        own[node.0 as usize] = inside as f32;
    }
    let by_node = tree.sets_by_node();
    divide(tree, suspects, |node| match own[node] {
        0.0 => outside[by_node[node] as usize],
        inside => f64::from(inside),
    })
}
