//! Which answer would tell the most.
//!
//! The model: the defect is somewhere in the source, behind one entity (an edge of the flow of control: the code that runs where a
//! branch goes this way), and the more code that is, the likelier. A call that covered it did wrong with a probability that is
//! high if what it did there led to the wrong value, low if not, and lower if it came later or led to something right. A call
//! is judged invalid if something in its subtree did wrong. From this follow how likely a call is to be judged invalid, and how a
//! valid call exonerates what it covered. The call is asked about that leaves the least to be asked: what is uncertain then, in bits,
//! and the answers that must be had in any case.
//!
//! The model is never right, and need not be: it chooses questions, and answers none.

use std::cell::Cell;
use std::collections::HashMap;

use super::strategy::{Scratch, divide};
use super::suspects::valid_ranges;
use super::weights::set_weights;
use super::{Given, Node, Relevance, SetNumber, Suspects, Tree};

/// How likely a call is to do wrong at the defect, if that led to the wrong value, if it did not, and if it came later.
const FAULT_INSIDE: f64 = 0.8;
const FAULT_OUTSIDE: f64 = 0.4;
const FAULT_LATER: f64 = 0.1;
/// How likely the defect is at an entity of which nothing led to the wrong value, beside one that did.
const PRIOR_OUTSIDE: f64 = 0.1;
/// The same for the top level of the program, which mostly puts things together.
const PRIOR_OF_ROOT: f64 = 0.01;

/// More work than this (calls times what all of them covered) is not done between two questions.
const MOST_WORK: usize = 20_000_000;

pub(super) fn best_by_inference(
    tree: &Tree,
    suspects: &Suspects,
    given: &[Given],
    relevance: &Relevance,
    scratch: &mut Scratch,
) -> Option<Node> {
    let prior = prior(tree, relevance);
    let evidence = evidence(tree, given, relevance);
    if work(tree, suspects) > MOST_WORK {
        let weights: Vec<f64> = prior.iter().zip(&evidence).map(|(prior, odds)| prior * unseen(*odds)).collect();
        return by_mass(tree, suspects, relevance, &weights, scratch);
    }
    let belief = Belief::new(tree, suspects, relevance, &prior, &evidence);
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

fn work(tree: &Tree, suspects: &Suspects) -> usize {
    let mut n_calls = 0;
    let mut n_covered = 0;
    for node in suspects.iter() {
        n_calls += 1;
        n_covered += tree.entities.get(tree.set(node)).len();
        if n_calls * n_covered > MOST_WORK {
            break;
        }
    }
    n_calls * n_covered.max(n_calls)
}

/// How likely the defect is at each entity, before anything is known of it.
fn prior(tree: &Tree, relevance: &Relevance) -> Vec<f64> {
    let mut weights = vec![PRIOR_OUTSIDE; tree.entities.n_entities()];
    for entities in relevance.wrong.values() {
        for (entity, relevant) in entities {
            let weight = &mut weights[*entity as usize];
            *weight = weight.max(PRIOR_OUTSIDE + (1.0 - PRIOR_OUTSIDE) * relevant);
        }
    }
    for (weight, size) in weights.iter_mut().zip(&relevance.sizes) {
        *weight *= size;
    }
    for entity in tree.entities.get(tree.set(Tree::ROOT)) {
        weights[*entity as usize] *= PRIOR_OF_ROOT;
    }
    weights
}

/// The probability that a defect never showed, after evidence of so many odds.
///
/// How often a defect shows is not known: some do always, some only for rare values. If every frequency is as likely as any other, a
/// defect stays hidden in n calls with a probability of 1 / (1 + n): each further valid call says less.
fn unseen(odds: f64) -> f64 {
    1.0 / (1.0 + odds)
}

pub(super) fn odds(probability: f64) -> f64 {
    probability / (1.0 - probability)
}

/// What speaks for each entity: valid calls that covered it, right values that it led to, passing runs.
fn evidence(tree: &Tree, given: &[Given], relevance: &Relevance) -> Vec<f64> {
    let mut evidence = vec![0.0; tree.entities.n_entities()];
    for (known, more) in evidence.iter_mut().zip(&relevance.exonerated) {
        *known += more;
    }
    for (known, n_passing) in evidence.iter_mut().zip(&relevance.passing) {
        *known += f64::from(*n_passing);
    }
    // Most calls of a long run are like any other of their kind: those are counted, and the others looked at.
    let mut outside = vec![0u32; tree.entities.len()];
    let valid = valid_ranges(tree, given);
    for range in &valid {
        for set in &tree.sets_by_node()[range.start as usize..range.end as usize] {
            outside[*set as usize] += 1;
        }
    }
    let is_valid = |node: &&Node| valid.iter().any(|range| range.contains(&node.0));
    for node in relevance.nodes().filter(is_valid) {
        outside[tree.set(*node).0 as usize] -= 1;
        for (entity, fault) in faults(tree, relevance, *node) {
            evidence[entity as usize] += odds(fault);
        }
    }
    for (set, n) in (0..).zip(&outside).filter(|(_, n)| **n > 0) {
        for entity in tree.entities.get(SetNumber(set)) {
            evidence[*entity as usize] += odds(FAULT_OUTSIDE) * f64::from(*n);
        }
    }
    evidence
}

/// What a call covered, and how likely it did wrong there if the defect is there.
fn faults<'t>(tree: &'t Tree, relevance: &'t Relevance, node: Node) -> impl Iterator<Item = (u32, f64)> + 't {
    let relevant = relevance.wrong.get(&node);
    let is_later = relevance.moment.is_some_and(|moment| tree.entered(node) > moment);
    let outside = if is_later { FAULT_LATER } else { FAULT_OUTSIDE };
    tree.entities.get(tree.set(node)).iter().map(move |entity| {
        let share = relevant.and_then(|entities| entities.get(entity)).copied().unwrap_or(0.0);
        let fault = outside + (FAULT_INSIDE - outside) * share;
        (*entity, fault * (1.0 - relevance.cleared(node, *entity)))
    })
}

/// What is believed of the suspicious calls.
struct Belief {
    /// The suspicious calls in preorder, and where their pairs begin.
    nodes: Vec<(u32, u32)>,
    /// Entities (numbered anew, as few are left) and odds.
    pairs: Vec<(u32, f64)>,
    entities: Vec<Entity>,
    /// By suspicious call: how many answers it takes to find it, if everybody knew that it is the one: its own, and one for each
    /// call that it made.
    needs: Vec<f64>,
    /// By suspicious call: the one that made it, past trusted ones.
    callers: Vec<Option<usize>>,
}

struct Entity {
    prior: f64,
    /// What speaks for it.
    evidence: f64,
    /// The odds of all suspicious calls.
    total: f64,
}

impl Belief {
    fn new(tree: &Tree, suspects: &Suspects, relevance: &Relevance, prior: &[f64], evidence: &[f64]) -> Belief {
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let mut belief = Belief {
            nodes: Vec::new(),
            pairs: Vec::new(),
            entities: Vec::new(),
            needs: Vec::new(),
            callers: Vec::new(),
        };
        for node in suspects.iter() {
            belief.nodes.push((node.0, belief.pairs.len() as u32));
            for (entity, fault) in faults(tree, relevance, node) {
                let number = *numbers.entry(entity).or_insert_with(|| {
                    let (prior, evidence) = (prior[entity as usize], evidence[entity as usize]);
                    belief.entities.push(Entity { prior, evidence, total: 0.0 });
                    belief.entities.len() as u32 - 1
                });
                belief.pairs.push((number, odds(fault)));
                belief.entities[number as usize].total += odds(fault);
            }
        }
        belief.need(tree, suspects);
        belief.nodes.push((u32::MAX, belief.pairs.len() as u32));
        belief
    }

    fn need(&mut self, tree: &Tree, suspects: &Suspects) {
        let innermost = suspects.innermost();
        let caller = |node: Node| {
            let above = std::iter::successors(Some(tree.parent(node)), |above| Some(tree.parent(*above)));
            let mut above = above.take_while(|above| *above >= innermost);
            let caller = above.find(|above| *above == innermost || !suspects.is_trusted(tree.function(*above)))?;
            self.nodes.binary_search_by_key(&caller.0, |(node, _)| *node).ok()
        };
        let is_innermost = |node: Node| node == innermost;
        let nodes = || self.nodes.iter().map(|(node, _)| Node(*node));
        self.callers = nodes().map(|node| if is_innermost(node) { None } else { caller(node) }).collect();
        self.needs = nodes().map(|node| if is_innermost(node) { 0.0 } else { 1.0 }).collect();
        for caller in self.callers.iter().flatten() {
            self.needs[*caller] += 1.0;
        }
    }

    /// How much is expected to be left once a call was judged: bits, and answers.
    fn remaining(&self, tree: &Tree, node: Node) -> f64 {
        let subtree = tree.subtree(node);
        let first = self.nodes.partition_point(|(node, _)| *node < subtree.start);
        let behind = self.nodes.partition_point(|(node, _)| *node < subtree.end);
        let mut inside = vec![0.0f64; self.entities.len()];
        for (entity, odds) in &self.pairs[self.nodes[first].1 as usize..self.nodes[behind].1 as usize] {
            inside[*entity as usize] += odds;
        }
        // The mass of each entity for each unit of its odds, if the call is invalid and if it is valid.
        let shares: Vec<(f64, f64)> = self
            .entities
            .iter()
            .zip(inside)
            .map(|(entity, inside)| {
                let outside = entity.total - inside;
                let share = |mass: f64, odds: f64| if odds > 1e-9 { entity.prior * mass / odds } else { 0.0 };
                let before = unseen(entity.evidence);
                let none_inside = unseen(entity.evidence + inside);
                let none_at_all = unseen(entity.evidence + entity.total);
                (share(before - none_inside, inside), share(none_inside - none_at_all, outside))
            })
            .collect();
        let mass = |index: usize, share: &dyn Fn(&(f64, f64)) -> f64| -> f64 {
            let pairs = &self.pairs[self.nodes[index].1 as usize..self.nodes[index + 1].1 as usize];
            pairs.iter().map(|(entity, odds)| odds * share(&shares[*entity as usize])).sum()
        };
        let n_nodes = self.nodes.len() - 1;
        let invalid: Vec<f64> = (first..behind).map(|index| mass(index, &|share| share.0)).collect();
        let outside = || (0..first).chain(behind..n_nodes);
        let valid: Vec<f64> = outside().map(|index| mass(index, &|share| share.1)).collect();
        let needed = |index: usize, mass: &f64| mass * self.needs[index];
        let mut needs: f64 = (first..behind).zip(&invalid).map(|(index, mass)| needed(index, mass)).sum();
        needs += outside().zip(&valid).map(|(index, mass)| needed(index, mass)).sum::<f64>();
        // This answer is one of those: its own if it is invalid, one of its caller's if not.
        needs -= invalid.first().unwrap_or(&0.0);
        needs -= self.callers[first].and_then(|caller| valid.get(caller)).unwrap_or(&0.0);
        let (invalid, valid) = (Entropy::of(&invalid), Entropy::of(&valid));
        let whole = invalid.mass + valid.mass;
        if whole <= 0.0 {
            return 0.0;
        }
        (invalid.mass * invalid.bits() + valid.mass * valid.bits() + needs) / whole
    }
}

/// Of masses that need not sum to 1.
struct Entropy {
    mass: f64,
    sum: f64,
}

impl Entropy {
    fn of(masses: &[f64]) -> Entropy {
        let mut entropy = Entropy { mass: 0.0, sum: 0.0 };
        for mass in masses.iter().filter(|mass| **mass > 0.0) {
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
fn by_mass(
    tree: &Tree,
    suspects: &Suspects,
    relevance: &Relevance,
    weights: &[f64],
    scratch: &mut Scratch,
) -> Option<Node> {
    let outside = set_weights(&tree.entities, |entity| odds(FAULT_OUTSIDE) * weights[entity as usize]);
    let own = |node: &Node| -> (u32, f64) {
        let masses = faults(tree, relevance, *node).map(|(entity, fault)| odds(fault) * weights[entity as usize]);
        (node.0, masses.sum())
    };
    let mut known: Vec<(u32, f64)> = relevance.nodes().map(own).collect();
    known.sort_unstable_by_key(|(node, _)| *node);
    let by_node = tree.sets_by_node();
    // Weights are asked for in preorder.
    let next = Cell::new(0);
    divide(tree, suspects, scratch, |node| {
        while known.get(next.get()).is_some_and(|(known, _)| *known < node as u32) {
            next.set(next.get() + 1);
        }
        match known.get(next.get()) {
            Some((known, mass)) if *known == node as u32 => *mass,
            _ => outside[by_node[node] as usize],
        }
    })
}
