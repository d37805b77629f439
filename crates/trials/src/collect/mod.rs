//! What tries `wherefore collect`: load, kills, instances beside each other, and attacks.

pub mod attack;
pub mod load;
pub mod server;
