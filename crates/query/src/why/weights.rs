//! How much each feature of a hop counts. Made by `cargo xtask train why`: never change a number by hand.

use super::features::N_FEATURES;

pub(super) const WEIGHTS: [f64; N_FEATURES] = [
    -0.8396, // price of the way
    0.2659,  // order of being found
    -0.0112, // length of the way
    -0.4880, // write
    -0.3836, // object made
    -0.6167, // argument
    0.4260,  // return
    0.6441,  // condition
    0.1162,  // call
    -0.0309, // registration or resumption
    0.0000,  // removed or never written
    -0.0224, // code that is not recorded
    0.2271,  // something that happened elsewhere
    0.7296,  // decided by a branch that is told with it
    0.0000,  // library that tests or asserts
    0.0000,  // other library
    0.0000,  // other library, without other tests
    -0.5783, // file of the failure
    0.0565,  // function of the failure
    0.4421,  // only a literal
    -0.5630, // only a copy
    -0.2672, // size of the expression
    0.9332,  // no value (undefined, null, NaN)
    -2.6781, // age
    -0.0232, // hops that explain it
    -1.6091, // part of the passing tests that did it too
    0.0000,  // done by no passing test
    0.0000,  // a value as no passing test had there
    0.0000,  // how often the failing test came by
    0.0000,  // condition, where something is missing or too much
    0.0000,  // object made, where something is missing or too much
    0.0000,  // condition, where an exception came
    0.0000,  // decision that no data leads to
    0.0000,  // other times round
];
