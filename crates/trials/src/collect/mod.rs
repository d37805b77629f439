//! What tries `wherefore collect`: load, kills, and instances beside each other.

pub mod load;
pub mod server;
