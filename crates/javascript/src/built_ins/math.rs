//! `Math`, as far as the language says exactly what it gives.

use std::f64::consts;

use trace_model::{Datum, Unknown};

use super::{NOT_INTERPRETED, convert};
use crate::object_model::operators::{POWER_OF_ENGINE, int32, power};

#[rustfmt::skip]
pub const FUNCTIONS: &[&str] = &[
    "abs", "ceil", "clz32", "floor", "fround", "imul", "max", "min", "pow", "round", "sign", "sqrt", "trunc",
];

pub fn constant(name: &str) -> Option<Datum> {
    Some(Datum::Number(match name {
        "E" => consts::E,
        "LN10" => consts::LN_10,
        "LN2" => consts::LN_2,
        "LOG10E" => consts::LOG10_E,
        "LOG2E" => consts::LOG2_E,
        "PI" => consts::PI,
        "SQRT1_2" => consts::FRAC_1_SQRT_2,
        "SQRT2" => consts::SQRT_2,
        _ => return None,
    }))
}

pub fn function(name: &str, given: &[Datum]) -> Result<Datum, Unknown> {
    let numbers = given.iter().map(convert::number).collect::<Result<Vec<_>, _>>()?;
    let [x, y] = [0, 1].map(|place| numbers.get(place).copied().unwrap_or(f64::NAN));
    Ok(Datum::Number(match name {
        "abs" => x.abs(),
        "ceil" => x.ceil(),
        "clz32" => f64::from((int32(x) as u32).leading_zeros()),
        "floor" => x.floor(),
        "fround" => f64::from(x as f32),
        "imul" => f64::from(int32(x).wrapping_mul(int32(y))),
        "max" => numbers.iter().fold(f64::NEG_INFINITY, |most, x| if is_before(most, *x) { *x } else { most }),
        "min" => -numbers.iter().fold(f64::NEG_INFINITY, |most, x| if is_before(most, -*x) { -*x } else { most }),
        "pow" => power(x, y).ok_or(POWER_OF_ENGINE)?,
        "round" => round(x),
        "sign" if x == 0.0 || x.is_nan() => x,
        "sign" => x.signum(),
        "sqrt" => x.sqrt(),
        "trunc" => x.trunc(),
        _ => return Err(NOT_INTERPRETED.into()),
    }))
}

/// Whether the second takes the place of the first as the larger one: what is not a number does in any case, and −0 is less than 0.
fn is_before(x: f64, y: f64) -> bool {
    match (x.is_nan(), y.is_nan()) {
        (true, _) => false,
        (_, true) => true,
        _ => x < y || x == y && x.is_sign_negative() && !y.is_sign_negative(),
    }
}

/// A half is rounded up.
fn round(x: f64) -> f64 {
    let floor = x.floor();
    let rounded = if x - floor >= 0.5 { floor + 1.0 } else { floor };
    if rounded == 0.0 { rounded.copysign(x) } else { rounded }
}
