//! Which answer would tell the most.
//!
//! The model: the defect is somewhere in the source, behind one entity (an edge of the flow of control: the code that runs where a
//! branch goes this way), and the more code that is, the likelier. A call that covered it did wrong with a probability that is
//! high if what it did there led to the wrong value, low if not, and lower if it came later or led to something right. A call
//! is judged invalid if something in its subtree did wrong. From this follow how likely a call is to be judged invalid, and how a
//! valid call exonerates what it covered. The call is asked about that leaves the least to be asked: what is uncertain then, in bits,
//! and the answers that must be had in any case. A table of calls is one question with an answer for each row, the first that is
//! wrong, and one for none; it is weighed by the same measure.
//!
//! The model is never right, and need not be: it chooses questions, and answers none.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::groups::{MOST_ROWS, Tables, groups, n_questions, siblings};
use super::strategy::{Ask, Scratch, divide};
use super::suspects::valid_ranges;
use super::weights::set_weights;
use super::{FunctionNumber, Given, Node, Relevance, SetNumber, Suspects, Tree};

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
    tables: &Tables,
    scratch: &mut Scratch,
) -> Option<Ask> {
    let prior = prior(tree, relevance);
    let evidence = evidence(tree, given, relevance);
    if work(tree, suspects) > MOST_WORK {
        let weights: Vec<f64> = prior.iter().zip(&evidence).map(|(prior, odds)| prior * unseen(*odds)).collect();
        let node = by_mass(tree, suspects, relevance, &weights, scratch)?;
        return Some(siblings(tree, suspects, tables, node));
    }
    let belief = Belief::new(tree, suspects, relevance, tables, &prior, &evidence);
    let mut best = Best::default();
    for node in suspects.open() {
        best.weigh(tree, &belief, &[node], || Ask::Call(node));
    }
    for mut group in groups(tree, suspects, tables) {
        let doubts: HashMap<Node, f64> = group.calls.iter().map(|node| (*node, belief.doubt(tree, *node))).collect();
        group.calls.sort_by(|one, other| doubts[other].total_cmp(&doubts[one]));
        let mut rows: Vec<Node> = group.calls.iter().copied().take(MOST_ROWS).collect();
        rows.sort_unstable();
        best.weigh(tree, &belief, &rows, || Ask::Table(group));
    }
    best.ask
}

/// The question that leaves the least; of equals the one that is smaller to read.
#[derive(Default)]
struct Best {
    remaining: f64,
    size: usize,
    ask: Option<Ask>,
}

impl Best {
    fn weigh(&mut self, tree: &Tree, belief: &Belief, calls: &[Node], ask: impl FnOnce() -> Ask) {
        let remaining = belief.remaining(tree, calls);
        let size = calls.iter().map(|node| tree.subtree(*node).len()).sum();
        let is_less = remaining < self.remaining - EQUAL;
        let is_equal = remaining < self.remaining + EQUAL;
        if self.ask.is_none() || is_less || is_equal && size < self.size {
            *self = Best { remaining, size, ask: Some(ask()) };
        }
    }
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
    /// How many suspicious calls of a function one of them made, where a table can show them; nothing where none can.
    alike: HashMap<(usize, FunctionNumber), usize>,
}

struct Entity {
    prior: f64,
    /// What speaks for it.
    evidence: f64,
    /// The odds of all suspicious calls.
    total: f64,
}

impl Belief {
    fn new(
        tree: &Tree,
        suspects: &Suspects,
        relevance: &Relevance,
        tables: &Tables,
        prior: &[f64],
        evidence: &[f64],
    ) -> Belief {
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let mut belief = Belief {
            nodes: Vec::new(),
            pairs: Vec::new(),
            entities: Vec::new(),
            needs: Vec::new(),
            callers: Vec::new(),
            alike: HashMap::new(),
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
        belief.need(tree, suspects, tables);
        belief.nodes.push((u32::MAX, belief.pairs.len() as u32));
        belief
    }

    fn need(&mut self, tree: &Tree, suspects: &Suspects, tables: &Tables) {
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
        for ((node, _), caller) in self.nodes.iter().zip(&self.callers) {
            let Some(caller) = *caller else { continue };
            match tables.may_hold(tree, Node(*node), Node(self.nodes[caller].0)) {
                true => *self.alike.entry((caller, tree.function(Node(*node)))).or_default() += 1,
                false => self.needs[caller] += 1.0,
            }
        }
        for ((caller, _), n_calls) in &self.alike {
            self.needs[*caller] += n_questions(*n_calls) as f64;
        }
    }

    /// The suspicious calls of a subtree, as indexes.
    fn inside(&self, tree: &Tree, node: Node) -> Range<usize> {
        let subtree = tree.subtree(node);
        let first = self.nodes.partition_point(|(node, _)| *node < subtree.start);
        let behind = self.nodes.partition_point(|(node, _)| *node < subtree.end);
        first..behind
    }

    fn pairs(&self, calls: &Range<usize>) -> &[(u32, f64)] {
        &self.pairs[self.nodes[calls.start].1 as usize..self.nodes[calls.end].1 as usize]
    }

    /// How likely a call is to be judged invalid; not as a probability.
    fn doubt(&self, tree: &Tree, node: Node) -> f64 {
        let mut inside: HashMap<u32, f64> = HashMap::new();
        for (entity, odds) in self.pairs(&self.inside(tree, node)) {
            *inside.entry(*entity).or_insert(0.0) += odds;
        }
        let doubt = |(entity, inside): (u32, f64)| {
            let entity = &self.entities[entity as usize];
            entity.prior * (unseen(entity.evidence) - unseen(entity.evidence + inside))
        };
        let mut inside: Vec<(u32, f64)> = inside.into_iter().collect();
        // Sums must not depend on an order that is another one each time.
        inside.sort_unstable_by_key(|(entity, _)| *entity);
        inside.into_iter().map(doubt).sum()
    }

    /// How much is expected to be left once somebody said which of these calls is the first that is wrong, or that none is: bits,
    /// and answers. No call is in another's subtree; of one alone it is whether it is wrong.
    fn remaining(&self, tree: &Tree, calls: &[Node]) -> f64 {
        let ranges: Vec<Range<usize>> = calls.iter().map(|node| self.inside(tree, *node)).collect();
        let mut left = Left::default();
        // Of the calls that were found right so far, by entity.
        let mut inside = vec![0.0f64; self.entities.len()];
        let mut shares = vec![0.0f64; self.entities.len()];
        for range in &ranges {
            let before: Vec<(u32, f64)> =
                self.pairs(range).iter().map(|(entity, _)| (*entity, inside[*entity as usize])).collect();
            for (entity, odds) in self.pairs(range) {
                inside[*entity as usize] += odds;
            }
            // The mass of each entity for each unit of its odds, if this is the first call that is wrong.
            for (number, before) in before {
                let (entity, now) = (&self.entities[number as usize], inside[number as usize]);
                let mass = unseen(entity.evidence + before) - unseen(entity.evidence + now);
                shares[number as usize] = if now - before > 1e-9 { entity.prior * mass / (now - before) } else { 0.0 };
            }
            let masses: Vec<f64> = range.clone().map(|index| self.mass(index, &shares)).collect();
            // This answer is one of those that it takes: its own.
            let own = masses.first().copied().unwrap_or(0.0);
            left.add(&masses, range.clone().map(|index| self.needs[index]), own);
        }
        for ((share, entity), inside) in shares.iter_mut().zip(&self.entities).zip(&inside) {
            let outside = entity.total - inside;
            let mass = unseen(entity.evidence + inside) - unseen(entity.evidence + entity.total);
            *share = if outside > 1e-9 { entity.prior * mass / outside } else { 0.0 };
        }
        let is_outside = |index: &usize| !ranges.iter().any(|range| range.contains(index));
        let outside = || (0..self.nodes.len() - 1).filter(is_outside);
        let masses: Vec<f64> = outside().map(|index| self.mass(index, &shares)).collect();
        let saved =
            self.saved(tree, calls, &ranges).into_iter().map(|(caller, n)| n * self.mass(caller, &shares)).sum();
        left.add(&masses, outside().map(|index| self.needs[index]), saved);
        left.expected()
    }

    fn mass(&self, index: usize, shares: &[f64]) -> f64 {
        self.pairs(&(index..index + 1)).iter().map(|(entity, odds)| odds * shares[*entity as usize]).sum()
    }

    /// How many answers fewer it takes to find the callers of these calls, if none of them is wrong.
    fn saved(&self, tree: &Tree, calls: &[Node], ranges: &[Range<usize>]) -> Vec<(usize, f64)> {
        let mut answered: BTreeMap<(usize, FunctionNumber), usize> = BTreeMap::new();
        for (node, range) in calls.iter().zip(ranges) {
            if let Some(caller) = self.callers[range.start] {
                *answered.entry((caller, tree.function(*node))).or_default() += 1;
            }
        }
        let saved = |((caller, function), n_answered): ((usize, FunctionNumber), usize)| {
            // Fewer than nothing, where what is left is too little for a table.
            let n = match self.alike.get(&(caller, function)) {
                Some(n_calls) => n_questions(*n_calls) as f64 - n_questions(n_calls.saturating_sub(n_answered)) as f64,
                None => n_answered as f64,
            };
            (caller, n)
        };
        answered.into_iter().map(saved).collect()
    }
}

/// What is left, over all answers that may come.
#[derive(Default)]
struct Left {
    mass: f64,
    /// Bits and answers, each times its mass.
    sum: f64,
}

impl Left {
    /// An answer: the masses that it leaves, how many further answers each needs, and those that it saves itself, times their mass.
    fn add(&mut self, masses: &[f64], needs: impl Iterator<Item = f64>, saved: f64) {
        let entropy = Entropy::of(masses);
        let needed: f64 = masses.iter().zip(needs).map(|(mass, needs)| mass * needs).sum();
        self.mass += entropy.mass;
        self.sum += entropy.mass * entropy.bits() + needed - saved;
    }

    fn expected(&self) -> f64 {
        if self.mass > 0.0 { self.sum / self.mass } else { 0.0 }
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
