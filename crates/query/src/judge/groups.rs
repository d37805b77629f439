//! Calls that are one question together: of one function, none of them part of another. Whether a table can show them to a person is
//! another matter ([`table`](super::table)); what was found not to fit is not proposed again.

use std::collections::{BTreeMap, HashSet};

use super::strategy::Ask;
use super::{FunctionNumber, Node, Suspects, Tree};

/// Of fewer calls each is a question of its own; more rows than this nobody reads.
pub const FEWEST_ROWS: usize = 3;
pub const MOST_ROWS: usize = 20;

/// So many calls are proposed, as not every one may be fit to be a row.
const MOST_PROPOSED: usize = 60;
/// Among so many calls of its caller the like of a call are looked for.
const MOST_SIBLINGS: usize = 4_000;

/// Calls of one function, the most doubtful first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    pub kind: GroupKind,
    pub calls: Vec<Node>,
}

/// How its calls belong together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum GroupKind {
    /// All that are not part of another suspicious call of the function.
    Outermost(FunctionNumber),
    /// All of which no other is a part.
    Innermost(FunctionNumber),
    /// Those that one call made; what a trusted call made counts as its caller's.
    Siblings(Node, FunctionNumber),
}

/// Which calls may be asked about in tables.
#[derive(Default)]
pub struct Tables {
    are_off: bool,
    /// Functions whose calls somebody wants to see one by one.
    singly: HashSet<FunctionNumber>,
    /// Groups that no table could show.
    refused: HashSet<GroupKind>,
    /// Calls that cannot be told in a row.
    unfit: HashSet<Node>,
}

impl Tables {
    /// Every call is a question of its own.
    pub fn off() -> Tables {
        Tables { are_off: true, ..Tables::default() }
    }

    pub fn ask_singly(&mut self, function: FunctionNumber) {
        self.singly.insert(function);
    }

    pub fn refuse(&mut self, group: GroupKind) {
        self.refused.insert(group);
    }

    pub fn refuse_call(&mut self, node: Node) {
        self.unfit.insert(node);
    }

    pub(super) fn can_hold(&self, tree: &Tree, node: Node) -> bool {
        !self.are_off && !self.unfit.contains(&node) && !self.singly.contains(&tree.function(node))
    }

    /// Whether no table is known to be impossible in which a call stands with others that its caller made.
    pub(super) fn may_hold(&self, tree: &Tree, node: Node, caller: Node) -> bool {
        let function = tree.function(node);
        let is_refused = self.refused.contains(&GroupKind::Outermost(function))
            && self.refused.contains(&GroupKind::Siblings(caller, function));
        self.can_hold(tree, node) && !is_refused
    }
}

/// How many questions it takes to ask about so many calls that one call made of one function.
pub(super) fn n_questions(n_calls: usize) -> usize {
    if n_calls < FEWEST_ROWS { n_calls } else { n_calls.div_ceil(MOST_ROWS) }
}

/// All groups of calls that can be asked about.
pub(super) fn groups(tree: &Tree, suspects: &Suspects, tables: &Tables) -> Vec<Group> {
    let mut outermost: BTreeMap<FunctionNumber, Vec<Node>> = BTreeMap::new();
    let mut innermost: BTreeMap<FunctionNumber, Vec<Node>> = BTreeMap::new();
    let mut made: BTreeMap<(Node, FunctionNumber), Vec<Node>> = BTreeMap::new();
    for node in suspects.open().filter(|node| tables.can_hold(tree, *node)) {
        let function = tree.function(node);
        let outer = outermost.entry(function).or_default();
        if outer.last().is_none_or(|last| !tree.holds(*last, node)) {
            outer.push(node);
        }
        let inner = innermost.entry(function).or_default();
        inner.pop_if(|last| tree.holds(*last, node));
        inner.push(node);
        made.entry((caller(tree, suspects, node), function)).or_default().push(node);
    }
    // What is not recursive has the same calls in both.
    innermost.retain(|function, calls| outermost[function] != *calls);
    made.retain(|(_, function), calls| outermost[function] != *calls);
    let outermost = outermost.into_iter().map(|(function, calls)| (GroupKind::Outermost(function), calls));
    let innermost = innermost.into_iter().map(|(function, calls)| (GroupKind::Innermost(function), calls));
    let made = made.into_iter().map(|((caller, function), calls)| (GroupKind::Siblings(caller, function), calls));
    let all = outermost.chain(innermost).chain(made);
    all.filter(|(kind, calls)| calls.len() >= FEWEST_ROWS && !tables.refused.contains(kind))
        .map(|(kind, calls)| Group { kind, calls })
        .collect()
}

/// A call with those that its caller made of the same function; alone where they are few.
pub(super) fn siblings(tree: &Tree, suspects: &Suspects, tables: &Tables, node: Node) -> Ask {
    let (function, caller) = (tree.function(node), tree.parent(node));
    let kind = GroupKind::Siblings(caller, function);
    if !tables.can_hold(tree, node) || tables.refused.contains(&kind) {
        return Ask::Call(node);
    }
    let is_alike = |other: &Node| {
        *other != node && tree.function(*other) == function && suspects.is_open(*other) && tables.can_hold(tree, *other)
    };
    let others = tree.children(caller).take(MOST_SIBLINGS).filter(is_alike);
    let calls: Vec<Node> = std::iter::once(node).chain(others).take(MOST_PROPOSED).collect();
    if calls.len() < FEWEST_ROWS { Ask::Call(node) } else { Ask::Table(Group { kind, calls }) }
}

impl Group {
    /// Those that are looked at, the most doubtful first.
    pub fn proposed(&self) -> &[Node] {
        &self.calls[..self.calls.len().min(MOST_PROPOSED)]
    }

    pub fn function(&self) -> FunctionNumber {
        match self.kind {
            GroupKind::Outermost(function) | GroupKind::Innermost(function) | GroupKind::Siblings(_, function) => {
                function
            }
        }
    }
}

/// Who made a call, past trusted calls.
fn caller(tree: &Tree, suspects: &Suspects, node: Node) -> Node {
    let mut above = tree.parent(node);
    while above != suspects.innermost() && above != Tree::ROOT && suspects.is_trusted(tree.function(above)) {
        above = tree.parent(above);
    }
    above
}
