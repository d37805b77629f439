//! Declarative debugging: the call tree of a run is searched by asking whether calls did what they should, until one call is wrong
//! while all that it received and called was right (JHyde).
//!
//! [`Tree`] is the computation tree: a node for each call, in preorder, so that what a call brought about is a range of nodes.
//! [`Suspects`] is the set of nodes that can still hold the defect, by the paper's rules from the verdicts ([`Given`]).
//! [`next_question`] chooses among them. It only chooses the order: whatever a [`Strategy`] believes, a call is found wrong by
//! verdicts alone. What it chooses is a call, or calls of one function that are one question together ([`Group`]): a [`table`] shows
//! those of them that can be told in a line each, and each row that is judged is a verdict on that call and on no other.
//!
//! A call that waits is one node with all of its continuations, and what they call hangs on it. What a call started and did not
//! wait for is part of it as well: its effects are those of all of its nodes, up to the last of their ends ([`Tree::end`]).

mod around;
mod chains;
mod claims;
mod effects;
mod fingerprint;
mod groups;
mod inference;
mod parts;
mod scan;
mod sizes;
mod slice;
mod strategy;
mod suspects;
mod table;
mod tree;
mod weights;

#[cfg(test)]
mod tests;

pub use around::{Around, around};
pub use claims::{Claim, ClaimSource, broken_returns, claims};
pub use effects::{
    Argument, CallEffects, CallEnd, Exchanged, FieldChange, ObjectStates, Seen, VariableChange, effects, fields,
};
pub use fingerprint::{Fingerprint, fingerprint};
pub use groups::{FEWEST_ROWS, Group, GroupKind, MOST_ROWS, Tables};
pub use scan::{Scan, scan};
pub use sizes::sizes;
pub use slice::{Criterion, Relevance, Shares, passing_tests, slice};
pub use strategy::{Ask, Scratch, Strategy, next_question};
pub use suspects::{Conflict, Given, Suspects, Verdict, overruled, valid_ranges};
pub use table::{Input, Placement, Table, is_fit, table};
pub use tree::{CalledFunction, EntitySets, FunctionNumber, Node, SetNumber, Tree, TreeBuilder};
pub use weights::valid_counts;
