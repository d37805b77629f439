//! Which call to ask about next. The order is all that a strategy decides.

use super::groups::{Group, Tables, siblings};
use super::inference::best_by_inference;
use super::weights::{Sums, set_weights};
use super::{Given, Node, Relevance, Suspects, Tree, valid_counts};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// The calls of the innermost wrong call, one after the other.
    TopDown,
    /// The call whose subtree is nearest to half of what is suspicious.
    Divide,
    /// The same, weighed by the edges that calls covered.
    Edges,
    /// The same, weighed by chains of definition and use.
    DefUse,
    /// What a wrong value came from first, by what the answer is expected to tell.
    Slice,
}

impl Strategy {
    pub const ALL: [Strategy; 5] =
        [Strategy::TopDown, Strategy::Divide, Strategy::Edges, Strategy::DefUse, Strategy::Slice];

    pub fn name(self) -> &'static str {
        match self {
            Strategy::TopDown => "top-down",
            Strategy::Divide => "divide",
            Strategy::Edges => "edges",
            Strategy::DefUse => "def-use",
            Strategy::Slice => "slice",
        }
    }
}

/// The paper's p for edges and for chains.
const EDGE_DECAY: f64 = 0.5;
const CHAIN_DECAY: f64 = 0.6;

/// Memory that is used again for each question: for ten million calls it is dear to get.
#[derive(Default)]
pub struct Scratch {
    pub(super) sums: Vec<f64>,
}

/// What to ask about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ask {
    Call(Node),
    /// As many of these calls as a table can show, the first before the others.
    Table(Group),
}

/// What to ask about, if there is a call left that can be. `relevance` is used by [`Strategy::Slice`] alone; the others choose a
/// call, and ask about it with those that its caller made of the same function.
pub fn next_question(
    tree: &Tree,
    suspects: &Suspects,
    given: &[Given],
    strategy: Strategy,
    relevance: &Relevance,
    tables: &Tables,
    scratch: &mut Scratch,
) -> Option<Ask> {
    let node = match strategy {
        Strategy::TopDown => top_down(tree, suspects),
        Strategy::Divide => divide(tree, suspects, scratch, |_| 1.0),
        Strategy::Edges => by_coverage(tree, suspects, given, EDGE_DECAY, scratch),
        Strategy::DefUse => by_coverage(tree, suspects, given, CHAIN_DECAY, scratch),
        Strategy::Slice => return best_by_inference(tree, suspects, given, relevance, tables, scratch),
    };
    Some(siblings(tree, suspects, tables, node?))
}

/// The first call of the innermost wrong one; what trusted calls called counts as its own. Calls that nobody could judge are
/// looked into at the end.
fn top_down(tree: &Tree, suspects: &Suspects) -> Option<Node> {
    let mut unknown = suspects.unknown().peekable();
    let mut behind = 0;
    for node in suspects.open() {
        while let Some(skipped) = unknown.next_if(|skipped| *skipped < node) {
            behind = behind.max(tree.subtree(skipped).end);
        }
        if node.0 >= behind {
            return Some(node);
        }
    }
    suspects.open().next()
}

fn by_coverage(tree: &Tree, suspects: &Suspects, given: &[Given], decay: f64, scratch: &mut Scratch) -> Option<Node> {
    let counts = valid_counts(tree, given);
    let weights = set_weights(&tree.entities, |entity| decay.powi(counts[entity as usize] as i32));
    let sets = tree.sets_by_node();
    divide(tree, suspects, scratch, |node| weights[sets[node] as usize])
}

/// The call whose weight is nearest to half of the whole; of equals the first. What is below a call of less than half weighs even
/// less and is not looked at.
pub(super) fn divide(
    tree: &Tree,
    suspects: &Suspects,
    scratch: &mut Scratch,
    weight: impl Fn(usize) -> f64,
) -> Option<Node> {
    let mut sums = Sums::new(tree, suspects, &mut scratch.sums, weight);
    if sums.total() <= f64::EPSILON {
        // Nothing weighs anything any more: all count alike.
        sums = Sums::new(tree, suspects, &mut scratch.sums, |_| 1.0);
    }
    let half = sums.total() / 2.0;
    let mut best: Option<(f64, Node)> = None;
    let whole = tree.subtree(suspects.innermost());
    let mut next = whole.start;
    while next < whole.end {
        let node = Node(next);
        let (own, subtree) = (sums.of(tree, node), tree.subtree(node));
        let is_open = suspects.is_open(node);
        next = if own <= half && (is_open || own <= 0.0 && best.is_some()) { subtree.end } else { next + 1 };
        let distance = (own - half).abs();
        if is_open && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, node));
        }
    }
    best.map(|(_, node)| node)
}
