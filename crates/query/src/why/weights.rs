//! How much each feature of a hop counts. Made by `cargo xtask train why`: never change a number by hand.

use super::features::N_FEATURES;

pub(super) const WEIGHTS: [f64; N_FEATURES] = [
    -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    0.0,
];
