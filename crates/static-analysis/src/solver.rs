//! The solver: inclusion constraints over sets of tokens. It knows no program and no language.
//!
//! A *node* stands for whatever can hold values: a variable, a property of an object, the result of an expression. A *token* is an
//! abstract value. An *edge* `a → b` says that everything in `a` is in `b` as well. A *listener* on a node is told every token of
//! it, once it is there, and may then add tokens, edges, listeners and nodes: loads, stores and calls are listeners, and so the
//! call graph grows while the sets do.
//!
//! # Why it is right
//!
//! The answer is the least solution: the smallest sets for which every edge holds and for which every listener was told every
//! token. It exists and is unique because all that a listener can do is to add, and because it does the same whenever and however
//! often it is told a token (`fire` must be idempotent: whoever implements [`Rules`] sees to that). So the order of work is free,
//! and these liberties are taken with it:
//!
//! - **Difference propagation.** A node keeps apart what arrived since it was last looked at (`fresh`). Only that goes along its
//!   edges and to its listeners: what went before has been there. Invariant: `set \ fresh` has reached every successor and every
//!   listener, but for edges and listeners that are noted in `pending`.
//! - **Cycles are one node.** Nodes on a cycle of edges have the same set in every solution, so they are united (`find`). Each keeps
//!   what only the other had seen as fresh, which re-establishes the invariant for the successors and listeners of both. Cycles
//!   are looked for when the graph has grown by a part of itself, by Tarjan's algorithm, without recursion.
//! - **Order.** The same pass numbers the nodes topologically, and the node with the smallest number is taken next: what goes into a
//!   node is there, mostly, before it is handed on.
//! - **Sharing.** A node whose set is that of its source holds the same memory ([`TokenSet`]).
//!
//! A generated test compares it with a fixpoint that knows none of this (`tests/solver.rs`).
//!
//! # Why it ends
//!
//! Sets only grow, and nodes and tokens are finite in number as long as the rules make finitely many. What the rules here make is
//! bounded by the program's text, but the bound is cubic, so there are budgets: [`solve`] stops when the rules say so, and the
//! analysis then goes on with coarser rules or reports what is missing (`budget.rs`).
//!
//! # What is unsound, by intent
//!
//! The solver is exact for its constraints; what the constraints leave out of JavaScript is told where they are made (`rules.rs`).

mod cycles;
mod set;

pub use set::TokenSet;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;
use trace_model::cancel;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Token(pub u32);

/// What listeners do. `fire` must do the same however often it is told a token.
pub trait Rules {
    type Listener: Clone;

    fn graph(&mut self) -> &mut Graph<Self::Listener>;

    fn fire(&mut self, listener: &Self::Listener, tokens: &[Token]);

    /// Asked now and then; `false` stops.
    fn may_go_on(&mut self) -> bool;
}

/// How solving ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    Solved,
    Stopped,
}

pub struct Graph<L> {
    nodes: Vec<NodeData<L>>,
    edges: FxHashSet<(u32, u32)>,
    /// Edges that were added since cycles were last looked for.
    n_new_edges: usize,
    /// Cycles are looked for after so many, at least.
    few_edges: usize,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    /// Listeners that were not told yet what was there before them.
    pending: Vec<(L, TokenSet)>,
    /// Tokens that went along an edge or to a listener.
    pub n_steps: u64,
    pub n_united: u32,
}

struct NodeData<L> {
    /// Itself, or the node that it was united with.
    parent: u32,
    order: u32,
    is_queued: bool,
    set: TokenSet,
    fresh: TokenSet,
    successors: Vec<u32>,
    listeners: Vec<L>,
}

/// Runs until nothing changes, or the rules say that it is enough.
pub fn solve<R: Rules>(rules: &mut R) -> Ended {
    let mut tokens = Vec::new();
    let mut n_rounds = 0u32;
    loop {
        while let Some((listener, set)) = rules.graph().pending.pop() {
            cancel::check();
            n_rounds += 1;
            if n_rounds.is_multiple_of(256) && !rules.may_go_on() {
                return Ended::Stopped;
            }
            tokens.clear();
            tokens.extend(set.iter());
            rules.graph().n_steps += tokens.len() as u64 + 1;
            rules.fire(&listener, &tokens);
        }
        n_rounds += 1;
        if n_rounds.is_multiple_of(256) && !rules.may_go_on() {
            return Ended::Stopped;
        }
        rules.graph().unite_cycles_if_due();
        let Some((node, fresh)) = rules.graph().take_next() else { return Ended::Solved };
        rules.graph().hand_on(node, &fresh);
        tokens.clear();
        tokens.extend(fresh.iter());
        // Listeners that are added from here on are told of what was there by `pending`.
        let n_listeners = rules.graph().nodes[node.0 as usize].listeners.len();
        for at in 0..n_listeners {
            let listener = rules.graph().nodes[node.0 as usize].listeners[at].clone();
            rules.graph().n_steps += tokens.len() as u64;
            rules.fire(&listener, &tokens);
        }
    }
}

impl<L> Default for Graph<L> {
    fn default() -> Graph<L> {
        Graph {
            nodes: Vec::new(),
            edges: FxHashSet::default(),
            n_new_edges: 0,
            few_edges: cycles::FEW_EDGES,
            queue: BinaryHeap::new(),
            pending: Vec::new(),
            n_steps: 0,
            n_united: 0,
        }
    }
}

impl<L: Clone> Graph<L> {
    pub fn add_node(&mut self) -> Node {
        let number = self.nodes.len() as u32;
        self.nodes.push(NodeData {
            parent: number,
            order: u32::MAX,
            is_queued: false,
            set: TokenSet::default(),
            fresh: TokenSet::default(),
            successors: Vec::new(),
            listeners: Vec::new(),
        });
        Node(number)
    }

    /// Cycles are looked for after so many new edges: for tests, whose graphs are small.
    pub fn look_for_cycles_after(&mut self, n_edges: usize) {
        self.few_edges = n_edges;
    }

    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    pub fn n_edges(&self) -> usize {
        self.edges.len()
    }

    /// A measure of the memory in use, in bytes.
    pub fn n_bytes(&self) -> usize {
        let sets: usize = self.nodes.iter().map(|node| node.set.n_own_bytes() + node.fresh.n_own_bytes()).sum();
        sets + self.nodes.len() * size_of::<NodeData<L>>() + self.edges.len() * 16
    }

    /// The node that stands for this one.
    pub fn find(&mut self, node: Node) -> Node {
        let mut at = node.0;
        while self.nodes[at as usize].parent != at {
            let parent = self.nodes[at as usize].parent;
            self.nodes[at as usize].parent = self.nodes[parent as usize].parent;
            at = parent;
        }
        Node(at)
    }

    pub fn tokens(&mut self, node: Node) -> &TokenSet {
        let node = self.find(node);
        &self.nodes[node.0 as usize].set
    }

    pub fn add_token(&mut self, node: Node, token: Token) {
        let node = self.find(node);
        let data = &mut self.nodes[node.0 as usize];
        if data.set.insert(token) {
            data.fresh.insert(token);
            self.enqueue(node);
        }
    }

    pub fn add_edge(&mut self, from: Node, to: Node) {
        let (from, to) = (self.find(from), self.find(to));
        if from == to || !self.edges.insert((from.0, to.0)) {
            return;
        }
        self.n_new_edges += 1;
        self.n_steps += 1;
        self.nodes[from.0 as usize].successors.push(to.0);
        if !self.nodes[from.0 as usize].set.is_empty() {
            let set = self.nodes[from.0 as usize].set.clone();
            self.add_tokens(to, &set);
        }
    }

    /// The node, and those that what is in it goes on to, nearest first; at most so many.
    pub fn reached(&mut self, node: Node, most: usize) -> Vec<Node> {
        let mut reached = vec![self.find(node)];
        let mut at = 0;
        while let Some(&node) = reached.get(at) {
            at += 1;
            for to in self.nodes[node.0 as usize].successors.clone() {
                let to = self.find(Node(to));
                if reached.len() < most && !reached.contains(&to) {
                    reached.push(to);
                }
            }
        }
        reached
    }

    /// Tells a listener every token of a node, those to come as well.
    pub fn listen(&mut self, node: Node, listener: L) {
        let node = self.find(node);
        let data = &mut self.nodes[node.0 as usize];
        if !data.set.is_empty() {
            self.pending.push((listener.clone(), data.set.clone()));
        }
        data.listeners.push(listener);
    }

    /// Tells some listeners once more what is there: what they make of it has changed.
    pub fn tell_again(&mut self, is_meant: impl Fn(&L) -> bool) {
        let told = self.nodes.iter().filter(|node| !node.set.is_empty());
        let meant = told.flat_map(|node| node.listeners.iter().map(move |listener| (listener, &node.set)));
        let meant = meant.filter(|(listener, _)| is_meant(listener));
        self.pending.extend(meant.map(|(listener, set)| (listener.clone(), set.clone())));
    }

    fn add_tokens(&mut self, node: Node, tokens: &TokenSet) {
        self.n_steps += 1 + tokens.n_words() as u64;
        let data = &mut self.nodes[node.0 as usize];
        if data.set.unite(tokens, &mut data.fresh) {
            self.enqueue(node);
        }
    }

    fn enqueue(&mut self, node: Node) {
        let data = &mut self.nodes[node.0 as usize];
        if !data.is_queued {
            data.is_queued = true;
            self.queue.push(Reverse((data.order, node.0)));
        }
    }

    fn take_next(&mut self) -> Option<(Node, TokenSet)> {
        while let Some(Reverse((_, number))) = self.queue.pop() {
            cancel::check();
            let data = &mut self.nodes[number as usize];
            data.is_queued = false;
            if data.parent == number && !data.fresh.is_empty() {
                return Some((Node(number), std::mem::take(&mut data.fresh)));
            }
        }
        None
    }

    fn hand_on(&mut self, node: Node, fresh: &TokenSet) {
        let successors = std::mem::take(&mut self.nodes[node.0 as usize].successors);
        for &to in &successors {
            let to = self.find(Node(to));
            if to != node {
                self.add_tokens(to, fresh);
            }
        }
        // Handing on adds no edges.
        self.nodes[node.0 as usize].successors = successors;
    }

    /// Makes one node of two that have the same set in every solution, or shall have from now on.
    pub fn unite(&mut self, a: Node, b: Node) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        self.n_united += 1;
        let gone = &mut self.nodes[b.0 as usize];
        gone.parent = a.0;
        let set = std::mem::take(&mut gone.set);
        let fresh = std::mem::take(&mut gone.fresh);
        let successors = std::mem::take(&mut gone.successors);
        let listeners = std::mem::take(&mut gone.listeners);
        let data = &mut self.nodes[a.0 as usize];
        // What one of them has not seen is fresh for both: in its set only, or fresh already.
        let mut unseen = data.set.without(&set);
        data.set.unite(&set, &mut unseen);
        let mut ignored = TokenSet::default();
        unseen.unite(&fresh, &mut ignored);
        data.fresh.unite(&unseen, &mut ignored);
        data.listeners.extend(listeners);
        let is_fresh = !data.fresh.is_empty();
        let mut kept = std::mem::take(&mut data.successors);
        for to in successors {
            let to = self.find(Node(to));
            if to != a && self.edges.insert((a.0, to.0)) {
                kept.push(to.0);
            }
        }
        self.nodes[a.0 as usize].successors = kept;
        if is_fresh {
            self.enqueue(a);
        }
    }
}
