//! How much each feature of a hop counts. Made by `cargo xtask train why`: never change a number by hand.

use super::features::N_FEATURES;

pub(super) const WEIGHTS: [f64; N_FEATURES] = [
    -0.0352, // price of the way
    -0.4043, // order of being found
    0.1008,  // length of the way
    -0.8813, // write
    -0.8128, // object made
    -1.0025, // argument
    -0.0872, // return
    0.7548,  // condition
    0.3297,  // call
    -2.6876, // registration or resumption
    0.0000,  // removed or never written
    -2.0498, // code that is not recorded
    0.1434,  // something that happened elsewhere
    0.8836,  // decided by a branch that is told with it
    -4.3365, // library that tests or asserts
    -2.4239, // other library
    2.5257,  // other library, without other tests
    -0.8016, // file of the failure
    0.2704,  // function of the failure
    1.0178,  // only a literal
    -0.6560, // only a copy
    -0.1265, // size of the expression
    1.0413,  // no value (undefined, null, NaN)
    -4.8437, // age
    -0.0514, // hops that explain it
    -1.2039, // part of the passing tests that did it too
    0.0343,  // done by no passing test
    0.7049,  // a value as no passing test had there
    -0.3491, // how often the failing test came by
    -0.6729, // condition, where something is missing or too much
    0.6552,  // object made, where something is missing or too much
    -0.1033, // condition, where an exception came
    0.5248,  // decision that no data leads to
    0.6553,  // other times round
];
