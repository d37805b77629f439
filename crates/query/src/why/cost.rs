//! What a step of the search costs: the further a question leads from what failed, the dearer it is.

use crate::Datum;

/// From a value to where it was put: a copy, a write, a return, an argument.
pub const COPY: f64 = 0.2;
/// The same for a value that nobody wants: undefined, null, NaN.
pub const BAD_COPY: f64 = 0.1;
/// An argument that its function was given itself.
pub const HANDED_ON: f64 = 0.05;
/// From what took something away to who had it taken.
pub const REMOVER: f64 = 0.25;
/// Beside a passing run: what never happened in it, by this factor, and what did, on top.
pub const DIFFERENT: f64 = 0.4;
pub const NOT_DIFFERENT: f64 = 0.3;
/// From an object to what it was made of.
pub const PART: f64 = 0.3;
/// From a value that came from outside to the like of it that the program made.
pub const BRIDGE: f64 = 0.2;
/// What a branch read.
pub const CONDITION: f64 = 0.15;
/// From an event to the branch that decided it.
pub const CONTROL: f64 = 1.3;
/// The same where the event itself computes nothing: a literal, an implicit return.
pub const CONTROL_OF_CONSTANT: f64 = 0.4;
/// A guard whose early exit was not taken decides little.
pub const GUARD_NOT_TAKEN: f64 = 1.2;
/// That a loop went on says little of one time round.
pub const LOOP: f64 = 0.6;
/// The object of a member, its key.
pub const BASE: f64 = 1.5;
pub const KEY: f64 = 1.5;
/// The object of a write.
pub const WRITTEN_OBJECT: f64 = 2.5;
/// From a frame to the call that entered it.
pub const CALLER: f64 = 1.2;
/// From a callback to where it was handed out.
pub const REGISTRATION: f64 = 2.0;
/// The words of an error are told last.
pub const MESSAGE: f64 = 1.5;
/// What is absent: where the reference came from, its birth.
pub const REFERENCE: f64 = 0.6;
pub const BIRTH: f64 = 0.8;
/// Evidence that no slice has: what happened elsewhere to the like.
pub const EVIDENCE: f64 = 1.0;

/// Until a hop in a library is told that values and control only passed through; and each one behind it in the same library.
pub const LIBRARY: f64 = 0.3;
pub const DEEPER_IN_LIBRARY: f64 = 0.1;
/// From one difference between what was found and what was expected to the next.
pub const NEXT_DIFFERENCE: f64 = 1.0;
/// From a text to what it was before something was put behind what is wrong in it.
pub const APPENDED: f64 = 0.02;
/// From code that was made by the program to the text that it was made of.
pub const GENERATED: f64 = 0.4;
/// What was expected is mostly right.
pub const EXPECTED: f64 = 4.0;
/// Beside the operand that is known to be wrong.
pub const BESIDE_WRONG: f64 = 0.8;

pub fn copy_of(value: Option<&Datum>) -> f64 {
    if value.is_some_and(Datum::is_bad) { BAD_COPY } else { COPY }
}

/// One of several operands; the one that is bad is cheap, its siblings are dearer.
pub fn operand(value: Option<&Datum>, n_operands: usize, has_bad: bool) -> f64 {
    let spread = 0.5 * (n_operands.max(1) as f64).log2();
    match value {
        Some(value) if value.is_bad() => BAD_COPY,
        _ if has_bad => COPY + spread + BESIDE_WRONG,
        _ => COPY + spread,
    }
}
