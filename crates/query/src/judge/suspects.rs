//! Which calls can hold the defect, by the rules of the paper (section 2.2): a call that is valid takes its subtree out, one that
//! is invalid leaves nothing but its subtree, and a trusted function takes out its calls but not what they called.

use std::ops::Range;

use super::{FunctionNumber, Node, Tree};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Valid,
    Invalid,
    /// The person does not know; it is asked again only when nothing else is left.
    Unknown,
}

/// A verdict on a call, in the order in which they were given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Given {
    pub node: Node,
    pub verdict: Verdict,
}

/// Two verdicts that cannot both be right: the older one does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// Indexes into the verdicts.
    pub older: usize,
    pub newer: usize,
}

/// The suspicious set. Some of it may not be asked about: what was found invalid, and what nobody knows.
pub struct Suspects<'t> {
    tree: &'t Tree,
    /// By function.
    trusted: &'t [bool],
    /// Disjoint, ascending; with the trusted ones.
    ranges: Vec<Range<u32>>,
    /// The invalid call in whose subtree the defect is; the root at the start.
    innermost: Node,
    /// Ascending.
    unknown: Vec<Node>,
}

/// Verdicts that newer ones contradict: a call that is valid has nothing invalid below it. One that does not count itself overrules
/// nothing.
pub fn overruled(tree: &Tree, given: &[Given]) -> Vec<Conflict> {
    let mut conflicts = Vec::new();
    let mut standing: Vec<usize> = Vec::new();
    for (older, old) in given.iter().enumerate().rev() {
        let contradicts = |new: &Given| match (old.verdict, new.verdict) {
            (Verdict::Valid, Verdict::Invalid) => tree.holds(old.node, new.node),
            (Verdict::Invalid, Verdict::Valid) => tree.holds(new.node, old.node),
            _ => old.node == new.node && old.verdict != new.verdict,
        };
        match standing.iter().rev().find(|newer| contradicts(&given[**newer])) {
            Some(newer) => conflicts.push(Conflict { older, newer: *newer }),
            None => standing.push(older),
        }
    }
    conflicts.reverse();
    conflicts
}

/// The subtrees of valid calls, ascending; none lies in another.
pub fn valid_ranges(tree: &Tree, given: &[Given]) -> Vec<Range<u32>> {
    let conflicts = overruled(tree, given);
    let stands = |index: usize| conflicts.iter().all(|conflict| conflict.older != index);
    let valid = given.iter().enumerate().filter(|(index, given)| given.verdict == Verdict::Valid && stands(*index));
    let mut ranges: Vec<Range<u32>> = valid.map(|(_, given)| tree.subtree(given.node)).collect();
    ranges.sort_unstable_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut end = 0;
    ranges.retain(|range| {
        let is_outer = range.start >= end;
        end = end.max(range.end);
        is_outer
    });
    ranges
}

impl<'t> Suspects<'t> {
    /// What is suspicious after these verdicts. The root is taken as invalid: somebody is debugging.
    ///
    /// The paper has `A = S_a` behind an invalid call; what was found valid or trusted inside it before stays out, as it could not
    /// be the defect.
    pub fn new(tree: &'t Tree, trusted: &'t [bool], given: &[Given]) -> Suspects<'t> {
        let conflicts = overruled(tree, given);
        let stands = |index: &usize| conflicts.iter().all(|conflict| conflict.older != *index);
        let standing: Vec<Given> = (0..given.len()).filter(stands).map(|index| given[index]).collect();
        let mut innermost = Tree::ROOT;
        for given in standing.iter().filter(|given| given.verdict == Verdict::Invalid) {
            // One that is elsewhere is another symptom: the newer is followed.
            if !tree.holds(given.node, innermost) {
                innermost = given.node;
            }
        }
        let whole = tree.subtree(innermost);
        let mut ranges = Vec::new();
        let mut from = whole.start;
        for range in valid_ranges(tree, given).into_iter().take_while(|range| range.start < whole.end) {
            if range.start > from {
                ranges.push(from..range.start);
            }
            from = from.max(range.end);
        }
        if from < whole.end {
            ranges.push(from..whole.end);
        }
        let mut unknown: Vec<Node> =
            standing.iter().filter(|given| given.verdict == Verdict::Unknown).map(|given| given.node).collect();
        unknown.sort_unstable();
        Suspects { tree, trusted, ranges, innermost, unknown }
    }

    pub fn innermost(&self) -> Node {
        self.innermost
    }

    pub fn is_trusted(&self, function: FunctionNumber) -> bool {
        self.trusted[function.0 as usize]
    }

    pub fn contains(&self, node: Node) -> bool {
        !self.is_trusted(self.tree.function(node)) && self.ranges.iter().any(|range| range.contains(&node.0))
    }

    /// In preorder.
    pub fn iter(&self) -> impl Iterator<Item = Node> + '_ {
        self.ranges.iter().cloned().flatten().map(Node).filter(|node| !self.is_trusted(self.tree.function(*node)))
    }

    pub fn len(&self) -> usize {
        if self.trusted.iter().all(|is_trusted| !is_trusted) {
            return self.ranges.iter().map(Range::len).sum();
        }
        let functions = self.tree.functions_by_node();
        let in_range = |range: &Range<u32>| {
            let functions = &functions[range.start as usize..range.end as usize];
            functions.iter().filter(|function| !self.trusted[**function as usize]).count()
        };
        self.ranges.iter().map(in_range).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Whether it makes sense to ask about it.
    pub fn is_open(&self, node: Node) -> bool {
        node != self.innermost && self.contains(node) && self.unknown.binary_search(&node).is_err()
    }

    /// Those that can be asked about, in preorder.
    pub fn open(&self) -> impl Iterator<Item = Node> + '_ {
        self.iter().filter(|node| *node != self.innermost && self.unknown.binary_search(node).is_err())
    }

    /// Suspicious calls that nobody could judge.
    pub fn unknown(&self) -> impl Iterator<Item = Node> + '_ {
        self.unknown.iter().copied().filter(|node| self.contains(*node))
    }

    /// The wrong call, once it is all that is left.
    pub fn found(&self) -> Option<Node> {
        let mut left = self.iter();
        match (left.next(), left.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }

    pub(super) fn ranges(&self) -> &[Range<u32>] {
        &self.ranges
    }

    pub(super) fn trusted(&self) -> &[bool] {
        self.trusted
    }
}
