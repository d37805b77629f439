//! What tries the query engine: an oracle that answers by scanning all events, a program that asks many random questions and
//! takes the time, and one that asks full recordings and re-executions the same. `cargo xtask bench oracle`, `query` and
//! `agreement` run them. Beside it, what loads and kills `wherefore collect` (`cargo xtask bench collect`).

pub mod agreement;
pub mod collect;
pub mod oracle;
pub mod random;
pub mod timing;
