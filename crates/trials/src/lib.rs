//! What tries the query engine: an oracle that answers by scanning all events, and a program that asks many random questions and
//! takes the time. `cargo xtask bench oracle` and `cargo xtask bench query` run them.

pub mod oracle;
pub mod random;
pub mod timing;
