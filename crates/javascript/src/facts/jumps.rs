//! Where `break`, `continue`, `return` and `throw` lead: outwards, through every `finally` on the way.

use super::builder::Builder;
use super::flow::{BlockId, Mark};

/// What is around the statement being walked, outermost first.
#[derive(Default)]
pub(crate) struct Jumps {
    around: Vec<Around>,
}

enum Around {
    Breakable {
        labels: Vec<String>,
        break_to: BlockId,
        continue_to: Option<BlockId>,
    },
    Catch(BlockId),
    /// Jumps that must run the `finally` first: from where.
    Finally(Vec<(BlockId, Jump)>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Jump {
    Return,
    Throw,
    /// To a block of what is around at this depth.
    Out {
        depth: usize,
        to: BlockId,
    },
}

impl Jumps {
    pub fn push_breakable(&mut self, labels: Vec<String>, break_to: BlockId, continue_to: Option<BlockId>) {
        self.around.push(Around::Breakable { labels, break_to, continue_to });
    }

    pub fn push_catch(&mut self, catch: BlockId) {
        self.around.push(Around::Catch(catch));
    }

    pub fn push_finally(&mut self) {
        self.around.push(Around::Finally(Vec::new()));
    }

    pub fn pop(&mut self) {
        self.around.pop();
    }

    pub fn pop_finally(&mut self) -> Vec<(BlockId, Jump)> {
        match self.around.pop() {
            Some(Around::Finally(jumps)) => jumps,
            _ => Vec::new(),
        }
    }

    /// A plain `break` leads out of a loop or switch, which have the label "" too.
    pub fn break_of(&self, label: &str) -> Option<Jump> {
        self.find(label, |break_to, _| Some(break_to))
    }

    pub fn continue_of(&self, label: &str) -> Option<Jump> {
        self.find(label, |_, continue_to| continue_to)
    }

    fn find(&self, label: &str, block: impl Fn(BlockId, Option<BlockId>) -> Option<BlockId>) -> Option<Jump> {
        self.around.iter().enumerate().rev().find_map(|(depth, around)| match around {
            Around::Breakable { labels, break_to, continue_to } if labels.iter().any(|own| own == label) => {
                block(*break_to, *continue_to).map(|to| Jump::Out { depth, to })
            }
            _ => None,
        })
    }
}

impl Builder<'_> {
    /// Control leaves the current block by a jump; what follows in the text is reached some other way, if at all.
    pub fn jump(&mut self, jump: Jump) {
        let from = self.frame().current;
        self.jump_from(from, jump);
        let unreached = self.block();
        self.continue_in(unreached);
    }

    fn jump_from(&mut self, from: BlockId, jump: Jump) {
        let mut to = BlockId::EXIT;
        let lowest = match jump {
            Jump::Out { depth, to: target } => {
                to = target;
                depth
            }
            Jump::Return | Jump::Throw => 0,
        };
        for around in self.frame_mut().jumps.around[lowest..].iter_mut().rev() {
            match around {
                Around::Finally(jumps) => return jumps.push((from, jump)),
                Around::Catch(catch) if jump == Jump::Throw => {
                    to = *catch;
                    break;
                }
                _ => {}
            }
        }
        self.edge(from, to, None);
    }

    /// Jumps that came by a `finally` run a copy of it, made of what was built between the marks, and go on from its end.
    pub fn jump_through(&mut self, jumps: Vec<(BlockId, Jump)>, entry: BlockId, end: BlockId, from: Mark, to: Mark) {
        let mut open = jumps;
        while let Some(&(_, jump)) = open.first() {
            let (alike, others): (Vec<_>, Vec<_>) = open.into_iter().partition(|(_, other)| *other == jump);
            open = others;
            let shift = self.frame_mut().flow.copy(from, to);
            for (block, _) in alike {
                self.edge(block, BlockId(entry.0 + shift), None);
            }
            self.jump_from(BlockId(end.0 + shift), jump);
        }
    }
}
