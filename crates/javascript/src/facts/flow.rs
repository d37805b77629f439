//! Control flow inside one function, and what depends on which branch.
//!
//! A block *depends* on an edge out of a branch if it is reached for sure when control takes that edge, and not for sure before
//! (Ferrante, Ottenstein, Warren 1987). Reached for sure is postdominance: dominance in the graph turned around, from one exit
//! that every `return` and `throw` leads to. An exception that nobody wrote down can come from anywhere; only what catches it
//! knows of it.

use trace_model::{Dependence, Way};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BlockId(pub u32);

impl BlockId {
    pub const ENTRY: BlockId = BlockId(0);
    pub const EXIT: BlockId = BlockId(1);

    fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy)]
struct Edge {
    from: BlockId,
    to: BlockId,
    /// The event that tells that control went this way; none where nothing was recorded.
    told_by: Option<Dependence>,
}

pub(crate) struct Flow {
    n_blocks: u32,
    edges: Vec<Edge>,
    /// A block and its copy: both hold the same code.
    copies: Vec<(BlockId, BlockId)>,
    loop_heads: Vec<BlockId>,
}

/// How far a flow had got.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    n_blocks: u32,
    n_edges: usize,
}

impl Flow {
    pub fn new() -> Flow {
        Flow { n_blocks: 2, edges: Vec::new(), copies: Vec::new(), loop_heads: Vec::new() }
    }

    pub fn block(&mut self) -> BlockId {
        self.n_blocks += 1;
        BlockId(self.n_blocks - 1)
    }

    pub fn loop_head(&mut self) -> BlockId {
        let head = self.block();
        self.loop_heads.push(head);
        head
    }

    pub fn edge(&mut self, from: BlockId, to: BlockId, told_by: Option<Dependence>) {
        self.edges.push(Edge { from, to, told_by });
    }

    pub fn mark(&self) -> Mark {
        Mark { n_blocks: self.n_blocks, n_edges: self.edges.len() }
    }

    /// Copies the blocks made between two marks, with the edges made there; gives how far the copies are from the originals.
    pub fn copy(&mut self, from: Mark, to: Mark) -> u32 {
        let shift = self.n_blocks - from.n_blocks;
        let blocks = from.n_blocks..to.n_blocks;
        let copy_of = |block: BlockId| if blocks.contains(&block.0) { BlockId(block.0 + shift) } else { block };
        for i in from.n_edges..to.n_edges {
            let edge = self.edges[i];
            if blocks.contains(&edge.from.0) {
                self.edges.push(Edge { from: copy_of(edge.from), to: copy_of(edge.to), ..edge });
            }
        }
        self.copies.extend(blocks.clone().map(|block| (BlockId(block), BlockId(block + shift))));
        self.n_blocks += blocks.len() as u32;
        shift
    }

    /// For each block what it depends on.
    pub fn dependences(mut self) -> Dependences {
        if self.edges.iter().all(|edge| edge.told_by.is_none()) {
            return Dependences { by_block: Vec::new() };
        }
        self.let_loops_end();
        let n_blocks = self.n_blocks as usize;
        let successors = Neighbours::new(n_blocks, self.edges.iter().map(|edge| (edge.from, edge.to)));
        let postdominators = self.postdominators(&successors);

        let mut direct: Vec<Vec<Direct>> = vec![Vec::new(); n_blocks];
        for edge in &self.edges {
            if successors.of(edge.from).len() < 2 {
                continue;
            }
            let cause = edge.told_by.map_or(Direct::Unseen(edge.from), Direct::Told);
            let join = postdominators[edge.from.index()];
            let mut block = edge.to;
            while block != join && block != BlockId::EXIT {
                let causes = &mut direct[block.index()];
                if !causes.contains(&cause) {
                    causes.push(cause);
                }
                block = postdominators[block.index()];
            }
        }

        let mut seen = vec![u32::MAX; n_blocks];
        let mut by_block: Vec<Vec<Dependence>> =
            (0..n_blocks).map(|block| resolve(&direct, BlockId(block as u32), &mut seen)).collect();
        self.merge_copies(&mut by_block, &direct);
        Dependences { by_block }
    }

    /// From where no way leads out, one is supposed.
    fn let_loops_end(&mut self) {
        let n_blocks = self.n_blocks as usize;
        let predecessors = Neighbours::new(n_blocks, self.edges.iter().map(|edge| (edge.to, edge.from)));
        let mut ends = vec![false; n_blocks];
        let mut stack = Vec::new();
        let mut spread = |from: BlockId, ends: &mut Vec<bool>| {
            ends[from.index()] = true;
            stack.push(from);
            while let Some(block) = stack.pop() {
                for &before in predecessors.of(block) {
                    if !std::mem::replace(&mut ends[before.index()], true) {
                        stack.push(before);
                    }
                }
            }
        };
        spread(BlockId::EXIT, &mut ends);
        let blocks = (0..self.n_blocks).map(BlockId);
        for block in self.loop_heads.clone().into_iter().chain(blocks) {
            if !ends[block.index()] {
                self.edges.push(Edge { from: block, to: BlockId::EXIT, told_by: None });
                spread(block, &mut ends);
            }
        }
    }

    /// For each block the first one that control comes by for sure on its way to the exit (Cooper, Harvey, Kennedy 2001).
    fn postdominators(&self, successors: &Neighbours) -> Vec<BlockId> {
        let n_blocks = self.n_blocks as usize;
        let predecessors = Neighbours::new(n_blocks, self.edges.iter().map(|edge| (edge.to, edge.from)));
        let order = postorder(&predecessors, n_blocks);
        let mut number = vec![0u32; n_blocks];
        for (i, block) in order.iter().enumerate() {
            number[block.index()] = i as u32;
        }
        const UNKNOWN: BlockId = BlockId(u32::MAX);
        let mut nearest = vec![UNKNOWN; n_blocks];
        nearest[BlockId::EXIT.index()] = BlockId::EXIT;
        let mut changed = true;
        while changed {
            changed = false;
            for &block in order.iter().rev().skip(1) {
                let mut common = UNKNOWN;
                for &next in successors.of(block) {
                    if nearest[next.index()] == UNKNOWN {
                        continue;
                    }
                    common = match common {
                        UNKNOWN => next,
                        common => meet(&nearest, &number, common, next),
                    };
                }
                if nearest[block.index()] != common {
                    nearest[block.index()] = common;
                    changed = true;
                }
            }
        }
        nearest
    }

    /// Code that was copied depends on what any of its copies depends on. What it depends on either way of is no condition of
    /// it, but what that branch depends on is.
    fn merge_copies(&self, by_block: &mut [Vec<Dependence>], direct: &[Vec<Direct>]) {
        if self.copies.is_empty() {
            return;
        }
        // The newest first: what was copied may have been copied again.
        for &(original, copy) in self.copies.iter().rev() {
            let more = by_block[copy.index()].clone();
            let all = &mut by_block[original.index()];
            for dependence in more {
                if !all.contains(&dependence) {
                    all.push(dependence);
                }
            }
        }
        let branch_block = |dependence: Dependence| {
            self.edges.iter().find(|edge| edge.told_by.is_some_and(|told| told.branch == dependence.branch))
        };
        for &(original, _) in &self.copies {
            let mut settled: Vec<Dependence> = Vec::new();
            let mut open = by_block[original.index()].clone();
            while let Some(dependence) = open.pop() {
                let opposite = Dependence { way: opposite(dependence.way), ..dependence };
                let is_either = dependence.way != Way::Any && (open.contains(&opposite) || settled.contains(&opposite));
                if is_either {
                    open.retain(|other| *other != opposite);
                    settled.retain(|other| *other != opposite);
                    if let Some(edge) = branch_block(dependence) {
                        let mut seen = vec![u32::MAX; direct.len()];
                        let around = resolve(direct, edge.from, &mut seen);
                        open.extend(around.into_iter().filter(|other| other.branch != dependence.branch));
                    }
                } else if !settled.contains(&dependence) {
                    settled.push(dependence);
                }
            }
            settled.sort_unstable_by_key(|dependence| dependence.branch);
            by_block[original.index()] = settled;
        }
    }
}

pub(crate) struct Dependences {
    by_block: Vec<Vec<Dependence>>,
}

impl Dependences {
    pub fn of(&self, block: BlockId) -> &[Dependence] {
        self.by_block.get(block.index()).map_or(&[], |dependences| dependences)
    }
}

/// Why a block is reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direct {
    Told(Dependence),
    /// A branch that no event tells of: whatever decided that control came to that block.
    Unseen(BlockId),
}

fn resolve(direct: &[Vec<Direct>], block: BlockId, seen: &mut [u32]) -> Vec<Dependence> {
    let mut found: Vec<Dependence> = Vec::new();
    let mut open = vec![block];
    seen[block.index()] = block.0;
    while let Some(next) = open.pop() {
        for cause in &direct[next.index()] {
            match *cause {
                Direct::Told(dependence) if !found.contains(&dependence) => found.push(dependence),
                Direct::Told(_) => {}
                Direct::Unseen(branch) => {
                    if std::mem::replace(&mut seen[branch.index()], block.0) != block.0 {
                        open.push(branch);
                    }
                }
            }
        }
    }
    found.sort_unstable_by_key(|dependence| dependence.branch);
    found
}

fn opposite(way: Way) -> Way {
    match way {
        Way::True => Way::False,
        Way::False => Way::True,
        Way::Any => Way::Any,
    }
}

fn meet(nearest: &[BlockId], number: &[u32], mut a: BlockId, mut b: BlockId) -> BlockId {
    while a != b {
        while number[a.index()] < number[b.index()] {
            a = nearest[a.index()];
        }
        while number[b.index()] < number[a.index()] {
            b = nearest[b.index()];
        }
    }
    a
}

/// Blocks from which the exit is reached, each behind those that lead to it.
fn postorder(predecessors: &Neighbours, n_blocks: usize) -> Vec<BlockId> {
    let mut order = Vec::with_capacity(n_blocks);
    let mut seen = vec![false; n_blocks];
    let mut stack = vec![(BlockId::EXIT, 0)];
    seen[BlockId::EXIT.index()] = true;
    while let Some((block, next)) = stack.pop() {
        match predecessors.of(block).get(next) {
            Some(&before) => {
                stack.push((block, next + 1));
                if !std::mem::replace(&mut seen[before.index()], true) {
                    stack.push((before, 0));
                }
            }
            None => order.push(block),
        }
    }
    order
}

/// For each block the blocks at the other end of its edges.
struct Neighbours {
    first: Vec<u32>,
    blocks: Vec<BlockId>,
}

impl Neighbours {
    fn new(n_blocks: usize, edges: impl Iterator<Item = (BlockId, BlockId)> + Clone) -> Neighbours {
        let mut first = vec![0u32; n_blocks + 1];
        for (from, _) in edges.clone() {
            first[from.index() + 1] += 1;
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        let mut next = first.clone();
        let mut blocks = vec![BlockId::ENTRY; *first.last().unwrap_or(&0) as usize];
        for (from, to) in edges {
            let place = &mut next[from.index()];
            blocks[*place as usize] = to;
            *place += 1;
        }
        Neighbours { first, blocks }
    }

    fn of(&self, block: BlockId) -> &[BlockId] {
        &self.blocks[self.first[block.index()] as usize..self.first[block.index() + 1] as usize]
    }
}

#[cfg(test)]
mod tests;
