//! Finding cycles of edges, and an order in which what flows into a node comes before it.

use super::{Graph, Node};

/// A pass over the whole graph is due when so many edges were added, and a part of all.
pub const FEW_EDGES: usize = 2_000;
const PART: usize = 5;

impl<L: Clone> Graph<L> {
    pub(super) fn unite_cycles_if_due(&mut self) {
        let is_small = self.few_edges == 0;
        let enough = if is_small { 0 } else { self.few_edges.max(self.edges.len() / PART) };
        if self.n_new_edges > enough {
            self.n_new_edges = 0;
            self.unite_cycles();
        }
    }

    /// Tarjan's algorithm with a stack of its own. Components come out with those first that nothing of the rest flows into later
    /// on; so the order counts down.
    fn unite_cycles(&mut self) {
        let n = self.nodes.len();
        let mut index = vec![0u32; n];
        let mut low = vec![0u32; n];
        let mut is_open = vec![false; n];
        let mut open: Vec<u32> = Vec::new();
        let mut counter = 0;
        let mut components: Vec<Vec<u32>> = Vec::new();
        let mut order = u32::MAX - 1;
        for root in 0..n as u32 {
            if index[root as usize] != 0 || self.nodes[root as usize].parent != root {
                continue;
            }
            let mut path: Vec<(u32, usize)> = vec![(root, 0)];
            while let Some(&mut (node, ref mut next)) = path.last_mut() {
                let at = node as usize;
                if *next == 0 {
                    counter += 1;
                    index[at] = counter;
                    low[at] = counter;
                    is_open[at] = true;
                    open.push(node);
                }
                let successor = self.nodes[at].successors.get(*next).copied();
                *next += 1;
                if let Some(successor) = successor {
                    let to = self.find(Node(successor)).0;
                    if index[to as usize] == 0 {
                        path.push((to, 0));
                    } else if is_open[to as usize] {
                        low[at] = low[at].min(index[to as usize]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(below, _)) = path.last() {
                    low[below as usize] = low[below as usize].min(low[at]);
                }
                if low[at] == index[at] {
                    let from = open.iter().rposition(|&member| member == node).unwrap_or(0);
                    let members = open.split_off(from);
                    for &member in &members {
                        is_open[member as usize] = false;
                        self.nodes[member as usize].order = order;
                    }
                    order = order.saturating_sub(1);
                    if members.len() > 1 {
                        components.push(members);
                    }
                }
            }
        }
        for members in components {
            for &member in &members[1..] {
                self.unite(Node(members[0]), Node(member));
            }
        }
        self.reorder_queue();
    }

    fn reorder_queue(&mut self) {
        let queued: Vec<u32> = self.queue.drain().map(|std::cmp::Reverse((_, number))| number).collect();
        for number in queued {
            self.nodes[number as usize].is_queued = false;
            let node = self.find(Node(number));
            if !self.nodes[node.0 as usize].fresh.is_empty() {
                self.enqueue(node);
            }
        }
    }
}
