//! The solver against a fixpoint that goes over everything until nothing changes.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use static_analysis::solver::{Ended, Graph, Node, Rules, Token, solve};

/// Nodes are numbered; a token is an object with fields, each of which is a node of its own.
#[derive(Clone, Debug)]
enum Constraint {
    Holds(u32, u32),
    Flows(u32, u32),
    /// `to = base.field`
    Load(u32, u8, u32),
    /// `base.field = from`
    Store(u32, u8, u32),
}

const N_NODES: u32 = 24;
const N_TOKENS: u32 = 150;

fn constraint() -> impl Strategy<Value = Constraint> {
    let (node, field) = (0..N_NODES, 0..3u8);
    prop_oneof![
        (node.clone(), 0..N_TOKENS).prop_map(|(a, t)| Constraint::Holds(a, t)),
        (node.clone(), node.clone()).prop_map(|(a, b)| Constraint::Flows(a, b)),
        (node.clone(), field.clone(), node.clone()).prop_map(|(a, f, b)| Constraint::Load(a, f, b)),
        (node.clone(), field, node).prop_map(|(a, f, b)| Constraint::Store(a, f, b)),
    ]
}

#[derive(Clone)]
enum Listener {
    Load(u8, Node),
    Store(u8, Node),
}

struct Small {
    graph: Graph<Listener>,
    fields: BTreeMap<(u32, u8), Node>,
}

impl Small {
    fn field(&mut self, token: Token, field: u8) -> Node {
        let graph = &mut self.graph;
        *self.fields.entry((token.0, field)).or_insert_with(|| graph.add_node())
    }
}

impl Rules for Small {
    type Listener = Listener;

    fn graph(&mut self) -> &mut Graph<Listener> {
        &mut self.graph
    }

    fn fire(&mut self, listener: &Listener, tokens: &[Token]) {
        for &token in tokens {
            match *listener {
                Listener::Load(field, to) => {
                    let from = self.field(token, field);
                    self.graph.add_edge(from, to);
                }
                Listener::Store(field, from) => {
                    let to = self.field(token, field);
                    self.graph.add_edge(from, to);
                }
            }
        }
    }

    fn may_go_on(&mut self) -> bool {
        true
    }
}

fn solved(constraints: &[Constraint], cycles_always: bool) -> Vec<BTreeSet<u32>> {
    let mut small = Small { graph: Graph::default(), fields: BTreeMap::new() };
    let nodes: Vec<Node> = (0..N_NODES).map(|_| small.graph.add_node()).collect();
    if cycles_always {
        small.graph.look_for_cycles_after(0);
    }
    for constraint in constraints {
        match *constraint {
            Constraint::Holds(a, t) => small.graph.add_token(nodes[a as usize], Token(t)),
            Constraint::Flows(a, b) => small.graph.add_edge(nodes[a as usize], nodes[b as usize]),
            Constraint::Load(a, f, b) => small.graph.listen(nodes[a as usize], Listener::Load(f, nodes[b as usize])),
            Constraint::Store(a, f, b) => small.graph.listen(nodes[a as usize], Listener::Store(f, nodes[b as usize])),
        }
    }
    assert_eq!(solve(&mut small), Ended::Solved);
    nodes.iter().map(|&node| small.graph.tokens(node).iter().map(|token| token.0).collect()).collect()
}

fn naive(constraints: &[Constraint]) -> Vec<BTreeSet<u32>> {
    let mut nodes: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); N_NODES as usize];
    let mut fields: BTreeMap<(u32, u8), BTreeSet<u32>> = BTreeMap::new();
    loop {
        let before = (nodes.clone(), fields.clone());
        for constraint in constraints {
            match *constraint {
                Constraint::Holds(a, t) => drop(nodes[a as usize].insert(t)),
                Constraint::Flows(a, b) => {
                    let from = nodes[a as usize].clone();
                    nodes[b as usize].extend(from);
                }
                Constraint::Load(a, f, b) => {
                    for token in nodes[a as usize].clone() {
                        let from = fields.get(&(token, f)).cloned().unwrap_or_default();
                        nodes[b as usize].extend(from);
                    }
                }
                Constraint::Store(a, f, b) => {
                    let from = nodes[b as usize].clone();
                    for token in nodes[a as usize].clone() {
                        fields.entry((token, f)).or_default().extend(from.clone());
                    }
                }
            }
        }
        if before == (nodes.clone(), fields.clone()) {
            return nodes;
        }
    }
}

proptest! {
    #[test]
    fn gives_what_a_naive_fixpoint_gives(constraints in prop::collection::vec(constraint(), 0..80)) {
        let expected = naive(&constraints);
        prop_assert_eq!(&solved(&constraints, false), &expected);
        prop_assert_eq!(&solved(&constraints, true), &expected);
    }
}
