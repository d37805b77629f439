//! The slow oracle: it goes once through all raw events, from the first to the last, and writes down for every variable of every
//! scope instance and every property of every object what happened to it and when. It knows nothing of indexes and asks the query
//! engine nothing; its rules are those of crates/trace-format/README.md, written a second time.
//!
//! Three have to agree: the oracle, the query engine, and the program itself, which wrote down at its probes what it held.
//! What `why` tells is checked clause by clause against the oracle ([`clauses`]).

mod answers;
mod ask;
mod clauses;
mod contents;
mod dump;
mod expressions;
mod frames;
mod happenings;
mod model;
mod objects;
mod probes;
mod tally;
mod values;

pub use ask::check;
pub use tally::Tally;
