//! `Number`, and what numbers have.

use trace_model::{Datum, Unknown};

use super::{NOT_INTERPRETED, text, throws, whole};
use crate::object_model::operators::{int32, is_white, string_of};

#[rustfmt::skip]
pub const FUNCTIONS: &[&str] = &["isFinite", "isInteger", "isNaN", "isSafeInteger", "parseFloat", "parseInt"];
pub const METHODS: &[&str] = &["toFixed", "toString", "valueOf"];

pub fn constant(name: &str) -> Option<Datum> {
    Some(Datum::Number(match name {
        "EPSILON" => f64::EPSILON,
        "MAX_SAFE_INTEGER" => MAX_SAFE,
        "MAX_VALUE" => f64::MAX,
        "MIN_SAFE_INTEGER" => -MAX_SAFE,
        "MIN_VALUE" => 5e-324,
        "NEGATIVE_INFINITY" => f64::NEG_INFINITY,
        "NaN" => f64::NAN,
        "POSITIVE_INFINITY" => f64::INFINITY,
        _ => return None,
    }))
}

pub fn function(name: &str, given: &[Datum]) -> Result<Datum, Unknown> {
    let first = super::known(given.first().unwrap_or(&Datum::Undefined))?;
    if matches!(name, "parseFloat" | "parseInt") {
        let of = string_of(first).ok_or("how the object is written is not interpreted")?;
        return parsed(name, &of, given.get(1));
    }
    let Datum::Number(number) = first else { return Ok(Datum::Bool(false)) };
    let is_whole = number.is_finite() && number.trunc() == *number;
    Ok(Datum::Bool(match name {
        "isFinite" => number.is_finite(),
        "isInteger" => is_whole,
        "isNaN" => number.is_nan(),
        "isSafeInteger" => is_whole && number.abs() <= MAX_SAFE,
        _ => return Err(NOT_INTERPRETED.into()),
    }))
}

pub fn method(number: f64, name: &str, given: &[Datum]) -> Result<Datum, Unknown> {
    match name {
        "valueOf" => Ok(Datum::Number(number)),
        "toFixed" => {
            let digits = whole(given.first(), 0.0)?;
            if !(0.0..=100.0).contains(&digits) {
                return Err(throws("toFixed takes 0 to 100 digits"));
            }
            Ok(text(fixed(number, digits as usize)))
        }
        "toString" => match whole(given.first(), 10.0)? {
            10.0 => Ok(text(string_of(&Datum::Number(number)).unwrap_or_default())),
            radix if !(2.0..=36.0).contains(&radix) => Err(throws("a radix is 2 to 36")),
            radix if number.trunc() == number && number.abs() <= MAX_SAFE => Ok(text(in_radix(number, radix as u64))),
            _ => Err("only whole numbers are written in another radix".into()),
        },
        _ => Err(format!("a number has no {name} that is interpreted").into()),
    }
}

/// `parseInt` and `parseFloat`: of a text, as much as is a number.
pub fn parsed(name: &str, of: &str, radix: Option<&Datum>) -> Result<Datum, Unknown> {
    let of = of.trim_start_matches(is_white);
    match name {
        "parseFloat" => Ok(Datum::Number(parse_float(of))),
        "parseInt" => parse_int(of, radix_of(radix)?).map(Datum::Number),
        _ => Err(NOT_INTERPRETED.into()),
    }
}

/// Infinity counts as 0, as every number is cut to 32 bits.
fn radix_of(radix: Option<&Datum>) -> Result<f64, Unknown> {
    Ok(f64::from(int32(whole(radix, 0.0)?)))
}

fn parse_float(of: &str) -> f64 {
    let unsigned = of.strip_prefix(['+', '-']).unwrap_or(of);
    let sign = if of.starts_with('-') { -1.0 } else { 1.0 };
    if unsigned.starts_with("Infinity") {
        return sign * f64::INFINITY;
    }
    let n_digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut end = n_digits(unsigned);
    let mut has_digits = end > 0;
    if unsigned[end..].starts_with('.') {
        let n_behind = n_digits(&unsigned[end + 1..]);
        has_digits |= n_behind > 0;
        end += 1 + n_behind;
    }
    if !has_digits {
        return f64::NAN;
    }
    if let Some(exponent) = unsigned[end..].strip_prefix(['e', 'E']) {
        let n_sign = usize::from(exponent.starts_with(['+', '-']));
        let n_exponent = n_digits(&exponent[n_sign..]);
        end += if n_exponent > 0 { 1 + n_sign + n_exponent } else { 0 };
    }
    sign * unsigned[..end].parse().unwrap_or(f64::NAN)
}

fn parse_int(of: &str, radix: f64) -> Result<f64, Unknown> {
    let unsigned = of.strip_prefix(['+', '-']).unwrap_or(of);
    let hexadecimal = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X"));
    let (radix, digits) = match (radix, hexadecimal) {
        (0.0 | 16.0, Some(digits)) => (16, digits),
        (0.0, None) => (10, unsigned),
        (radix, _) if (2.0..=36.0).contains(&radix) => (radix as u32, unsigned),
        _ => return Ok(f64::NAN),
    };
    let end = digits.find(|c: char| !c.is_ascii() || !c.is_digit(radix)).unwrap_or(digits.len());
    if end == 0 {
        return Ok(f64::NAN);
    }
    let number = digits[..end]
        .chars()
        .fold(0.0, |number: f64, c| number * f64::from(radix) + f64::from(c.to_digit(radix).unwrap_or_default()));
    // What is larger each engine may round in its own way.
    if number > MAX_SAFE {
        return Err("so large a number is not read digit by digit".into());
    }
    Ok(if of.starts_with('-') { -number } else { number })
}

/// So many digits behind the point, of the exact value; a half is rounded away from 0.
fn fixed(number: f64, n_digits: usize) -> String {
    if !number.is_finite() || number.abs() >= 1e21 {
        return string_of(&Datum::Number(number)).unwrap_or_default();
    }
    // No number has more digits.
    let exact = format!("{:.1100}", number.abs());
    let point = exact.find('.').unwrap_or(exact.len());
    let cut = point + 1 + n_digits;
    let mut digits: Vec<u8> = exact.bytes().take(cut).filter(|c| *c != b'.').collect();
    if exact.as_bytes()[cut] >= b'5' {
        let mut at = digits.len();
        loop {
            match at.checked_sub(1) {
                None => break digits.insert(0, b'1'),
                Some(before) if digits[before] == b'9' => digits[before] = b'0',
                Some(before) => break digits[before] += 1,
            }
            at -= 1;
        }
    }
    let digits = String::from_utf8(digits).unwrap_or_default();
    let (whole, behind) = digits.split_at(digits.len() - n_digits);
    // A negative number keeps its sign even where 0 is left of it; −0 has none.
    let sign = if number < 0.0 { "-" } else { "" };
    if n_digits == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{behind}") }
}

fn in_radix(number: f64, radix: u64) -> String {
    let mut rest = number.abs() as u64;
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit((rest % radix) as u32, radix as u32).unwrap_or('0'));
        rest /= radix;
        if rest == 0 {
            break;
        }
    }
    let sign = if number < 0.0 { "-" } else { "" };
    sign.chars().chain(digits.into_iter().rev()).collect()
}

const MAX_SAFE: f64 = 9_007_199_254_740_991.0;
