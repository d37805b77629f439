//! Dependences of generated flows against the definition, computed in the most direct way.

use trace_model::{Dependence, LocalSite, Way};

use super::{BlockId, Flow};

/// Whether the exit is reached from a block without coming by another.
fn reaches_exit(flow: &Flow, from: BlockId, without: BlockId) -> bool {
    let mut open = vec![from];
    let mut seen = vec![false; flow.n_blocks as usize];
    while let Some(block) = open.pop() {
        if block == without || std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        if block == BlockId::EXIT {
            return true;
        }
        open.extend(flow.edges.iter().filter(|edge| edge.from == block).map(|edge| edge.to));
    }
    false
}

fn by_definition(flow: &Flow, block: BlockId) -> Vec<Dependence> {
    let is_certain = |from: BlockId| from == block || !reaches_exit(flow, from, block);
    let mut found: Vec<Dependence> = flow
        .edges
        .iter()
        .filter(|edge| is_certain(edge.to) && (edge.from == block || !is_certain(edge.from)))
        .filter(|edge| flow.edges.iter().filter(|other| other.from == edge.from).count() > 1)
        .filter_map(|edge| edge.told_by)
        .collect();
    found.sort_unstable_by_key(|dependence| (dependence.branch, dependence.way == Way::False));
    found.dedup();
    found
}

#[test]
fn dependences_are_those_of_the_definition() {
    let mut state = 1u64;
    let mut random = |below: u32| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u32 % below
    };
    for _ in 0..2000 {
        let mut flow = Flow::new();
        let n_blocks = 3 + random(12);
        while flow.n_blocks < n_blocks {
            flow.block();
        }
        for block in (0..n_blocks).filter(|&block| BlockId(block) != BlockId::EXIT).map(BlockId) {
            let told = |way| Some(Dependence { branch: LocalSite(block.0), way });
            // Forwards mostly, as programs go.
            let target = |random: &mut dyn FnMut(u32) -> u32| match random(4) {
                0 => BlockId(random(n_blocks)),
                1 => BlockId::EXIT,
                _ => BlockId((block.0 + 1 + random(3)).min(n_blocks - 1)),
            };
            let first = target(&mut random);
            if random(2) == 0 {
                let second = target(&mut random);
                flow.edge(block, first, told(Way::True));
                flow.edge(block, second, told(Way::False));
            } else {
                flow.edge(block, first, None);
            }
        }
        flow.let_loops_end();
        let blocks = (0..n_blocks).map(BlockId).filter(|&block| block != BlockId::EXIT);
        let expected: Vec<_> = blocks.map(|block| (block, by_definition(&flow, block))).collect();
        let n_unseen = flow.edges.iter().filter(|edge| edge.told_by.is_none()).count();
        let is_all_told = n_unseen == flow.edges.iter().filter(|edge| is_alone(&flow, edge.from)).count();
        let dependences = flow.dependences();
        for (block, expected) in expected {
            let mut found = dependences.of(block).to_vec();
            found.sort_unstable_by_key(|dependence| (dependence.branch, dependence.way == Way::False));
            // A branch that nothing tells of passes on what it depends on itself.
            let is_right = if is_all_told { found == expected } else { expected.iter().all(|d| found.contains(d)) };
            assert!(is_right, "{block:?}: {found:?}, by definition {expected:?}");
        }
    }
}

fn is_alone(flow: &Flow, block: BlockId) -> bool {
    flow.edges.iter().filter(|edge| edge.from == block).count() == 1
}
