//! How much each feature of a hop counts. Made by `cargo xtask train why`: never change a number by hand.

use super::features::N_FEATURES;

pub(super) const WEIGHTS: [f64; N_FEATURES] = [
    -0.0074, // price of the way
    -0.6183, // order of being found
    0.1751,  // length of the way
    -0.7175, // write
    -0.5695, // object made
    -0.8728, // argument
    -0.1804, // return
    0.3363,  // condition
    0.1115,  // call
    -2.8207, // registration or resumption
    0.0000,  // removed or never written
    -0.9890, // code that is not recorded
    0.4138,  // something that happened elsewhere
    0.6108,  // decided by a branch that is told with it
    -4.3144, // library that tests or asserts
    -2.1251, // other library
    2.2231,  // other library, without other tests
    -0.7505, // file of the failure
    -0.1644, // function of the failure
    0.6548,  // only a literal
    -0.6987, // only a copy
    -0.0979, // size of the expression
    1.2524,  // no value (undefined, null, NaN)
    -5.1707, // age
    -0.0288, // hops that explain it
    -1.6426, // part of the passing tests that did it too
    -0.1925, // done by no passing test
    0.4229,  // a value as no passing test had there
    -0.2945, // how often the failing test came by
    -0.5355, // condition, where something is missing or too much
    0.1935,  // object made, where something is missing or too much
    0.0045,  // condition, where an exception came
    0.7812,  // decision that no data leads to
    0.6696,  // other times round
];
