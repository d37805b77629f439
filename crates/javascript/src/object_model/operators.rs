//! Operators over primitive values, as the language has them. `None` where an object would have to be converted.

use std::cmp::Ordering;

use trace_model::{Datum, Made, is_redacted, string_from_utf16, utf16_from_string};

use super::text::number_text;
use super::values::truth;

pub(super) fn unary(operator: &str, operand: &Datum) -> Option<Datum> {
    Some(match operator {
        "!" => Datum::Bool(!truth(operand)?),
        "void" => Datum::Undefined,
        "-" => match operand {
            Datum::BigInt(digits) => Datum::BigInt(match digits.strip_prefix('-') {
                Some(digits) => digits.into(),
                None if &**digits == "0" => "0".into(),
                None => format!("-{digits}").into(),
            }),
            operand => Datum::Number(-number_of(operand)?),
        },
        "+" => match operand {
            Datum::BigInt(_) => return None,
            operand => Datum::Number(number_of(operand)?),
        },
        "~" => match operand {
            Datum::BigInt(digits) => Datum::BigInt((!digits.parse::<i128>().ok()?).to_string().into()),
            operand => Datum::Number(f64::from(!int32(number_of(operand)?))),
        },
        _ => return None,
    })
}

pub(super) fn binary(operator: &str, left: &Datum, right: &Datum) -> Option<Datum> {
    if let (Datum::BigInt(a), Datum::BigInt(b)) = (left, right) {
        return big(operator, a, b);
    }
    Some(match operator {
        "===" => Datum::Bool(strictly_equal(left, right)?),
        "!==" => Datum::Bool(!strictly_equal(left, right)?),
        "==" => Datum::Bool(loosely_equal(left, right)?),
        "!=" => Datum::Bool(!loosely_equal(left, right)?),
        "<" => Datum::Bool(compare(left, right)? == Some(Ordering::Less)),
        ">" => Datum::Bool(compare(left, right)? == Some(Ordering::Greater)),
        "<=" => Datum::Bool(matches!(compare(left, right)?, Some(Ordering::Less | Ordering::Equal))),
        ">=" => Datum::Bool(matches!(compare(left, right)?, Some(Ordering::Greater | Ordering::Equal))),
        "+" if is_text(left) || is_text(right) => Datum::String(joined(&[string_of(left)?, string_of(right)?]).into()),
        _ => {
            let (a, b) = (number_of(left)?, number_of(right)?);
            Datum::Number(match operator {
                "+" => a + b,
                "-" => a - b,
                "*" => a * b,
                "/" => a / b,
                "%" => a % b,
                "**" => power(a, b)?,
                "&" => f64::from(int32(a) & int32(b)),
                "|" => f64::from(int32(a) | int32(b)),
                "^" => f64::from(int32(a) ^ int32(b)),
                "<<" => f64::from(int32(a).wrapping_shl(int32(b) as u32 & 31)),
                ">>" => f64::from(int32(a) >> (int32(b) & 31)),
                ">>>" => f64::from(int32(a) as u32 >> (int32(b) & 31)),
                _ => return None,
            })
        }
    })
}

/// Why this operator gives nothing that can be told.
pub(super) fn unknown_of(operator: &str, left: &Datum, right: &Datum) -> &'static str {
    match (number_of(left), number_of(right)) {
        (Some(_), Some(_)) if operator == "**" => POWER_OF_ENGINE,
        _ => unknown(left, right),
    }
}

/// Why an operator gives nothing that can be told.
pub(crate) fn unknown(left: &Datum, right: &Datum) -> &'static str {
    let of = |is: fn(&Datum) -> bool| is(left) || is(right);
    if of(|value| matches!(value, Datum::Redacted) || matches!(value, Datum::String(text) if is_redacted(text))) {
        TAKEN_OUT
    } else if of(|value| matches!(value, Datum::LongString { .. })) {
        "the text of an operand was too long to be recorded"
    } else if of(|value| matches!(value, Datum::Symbol(..))) {
        "an operand is a symbol"
    } else if of(|value| matches!(value, Datum::BigInt(_))) {
        "bigints are not computed with other values, nor beyond 127 bits"
    } else {
        "an operand is not a primitive value"
    }
}

/// Of what was shared without its secrets.
pub(super) const TAKEN_OUT: &str = "an operand was removed when the run was shared";

/// Texts behind each other; halves of a surrogate pair that meet become one character.
pub(crate) fn joined(texts: &[String]) -> String {
    let units: Vec<u16> = texts.iter().flat_map(|text| utf16_from_string(text)).collect();
    string_from_utf16(&units)
}

/// As `String(value)`; `None` for objects, symbols and what is not known.
pub(crate) fn string_of(value: &Datum) -> Option<String> {
    Some(match value {
        Datum::String(text) => text.to_string(),
        Datum::Number(number) if *number == 0.0 => "0".into(),
        Datum::Number(number) => number_text(*number),
        Datum::BigInt(digits) => digits.to_string(),
        Datum::Undefined => "undefined".into(),
        Datum::Null => "null".into(),
        Datum::Bool(truth) => truth.to_string(),
        Datum::Made(made) => match &**made {
            Made::Array(elements) => {
                let text =
                    |element: &Datum| if element.is_nullish() { Some(String::new()) } else { string_of(element) };
                elements.iter().map(text).collect::<Option<Vec<_>>>()?.join(",")
            }
            Made::Object(_) => return None,
        },
        _ => return None,
    })
}

/// What `+` joins as texts.
fn is_text(value: &Datum) -> bool {
    matches!(value, Datum::String(_) | Datum::Made(_))
}

pub(crate) fn number_of(value: &Datum) -> Option<f64> {
    Some(match value {
        Datum::String(text) if is_redacted(text) => return None,
        Datum::Number(number) => *number,
        Datum::Undefined => f64::NAN,
        Datum::Null => 0.0,
        Datum::Bool(truth) => f64::from(u8::from(*truth)),
        Datum::String(text) => number_of_text(text),
        _ => return None,
    })
}

fn number_of_text(text: &str) -> f64 {
    let text = text.trim_matches(is_white);
    let radix = |digits: &str, radix: u32| {
        let digits: Option<Vec<u32>> = digits.chars().map(|c| c.to_digit(radix)).collect();
        digits.filter(|digits| !digits.is_empty()).map_or(f64::NAN, |digits| rounded_once(&digits, radix))
    };
    match text.get(..2) {
        _ if text.is_empty() => 0.0,
        Some("0x" | "0X") => radix(&text[2..], 16),
        Some("0o" | "0O") => radix(&text[2..], 8),
        Some("0b" | "0B") => radix(&text[2..], 2),
        _ => match text {
            "Infinity" | "+Infinity" => f64::INFINITY,
            "-Infinity" => f64::NEG_INFINITY,
            _ if text.bytes().all(|c| c.is_ascii_digit() || matches!(c, b'.' | b'e' | b'E' | b'+' | b'-')) => {
                text.parse().unwrap_or(f64::NAN)
            }
            _ => f64::NAN,
        },
    }
}

/// The number that is nearest to the digits, whose radix is a power of 2.
fn rounded_once(digits: &[u32], radix: u32) -> f64 {
    let (mut leading, mut factor) = (0u128, 1.0);
    for digit in digits {
        match leading >> 100 {
            0 => leading = leading * u128::from(radix) + u128::from(*digit),
            // Of what comes behind so many bits it only matters whether it is 0.
            _ => {
                leading |= u128::from(*digit != 0);
                factor *= f64::from(radix);
            }
        }
    }
    leading as f64 * factor
}

/// What the language leaves out around a number.
pub(crate) fn is_white(c: char) -> bool {
    c == '\u{FEFF}' || c != '\u{85}' && c.is_whitespace()
}

pub(crate) fn int32(number: f64) -> i32 {
    if !number.is_finite() {
        return 0;
    }
    number.trunc().rem_euclid(4_294_967_296.0) as u64 as u32 as i32
}

/// `None` where the language leaves it to the engine.
pub(crate) fn power(base: f64, exponent: f64) -> Option<f64> {
    let is_whole = |number: f64| number.is_finite() && number.trunc() == number;
    if exponent.is_nan() || base.abs() == 1.0 && exponent.is_infinite() {
        return Some(f64::NAN);
    }
    let is_fixed = base == 0.0 || !base.is_finite() || !exponent.is_finite() || base < 0.0 && !is_whole(exponent);
    if is_fixed || exponent == 0.0 {
        return Some(base.powf(exponent));
    }
    if exponent == 1.0 {
        return Some(base);
    }
    if !is_whole(base) || !is_whole(exponent) || exponent < 0.0 {
        return None;
    }
    if base.abs() == 1.0 {
        return Some(if exponent % 2.0 == 0.0 { 1.0 } else { base });
    }
    // Of more factors none is so small.
    let factors = (exponent <= 53.0).then_some(exponent as usize)?;
    std::iter::repeat_n(base, factors).try_fold(1.0, |power: f64, base| {
        let power = power * base;
        (power.abs() < 9_007_199_254_740_992.0).then_some(power)
    })
}

pub(crate) const POWER_OF_ENGINE: &str = "the language leaves the last digits of such a power to the engine";

pub(crate) fn strictly_equal(left: &Datum, right: &Datum) -> Option<bool> {
    match (left, right) {
        (Datum::Number(a), Datum::Number(b)) => Some(a == b),
        _ => trace_model::same(left, right),
    }
}

fn loosely_equal(left: &Datum, right: &Datum) -> Option<bool> {
    use Datum::*;
    match (left, right) {
        (Undefined | Null, Undefined | Null) => Some(true),
        (NotCaptured | Accessor | Redacted, _) | (_, NotCaptured | Accessor | Redacted) => None,
        (Undefined | Null, _) | (_, Undefined | Null) => Some(false),
        (Number(_) | Bool(_) | String(_), Number(_) | Bool(_) | String(_)) if left.kind() != right.kind() => {
            Some(number_of(left)? == number_of(right)?)
        }
        (BigInt(_), Number(_) | Bool(_) | String(_)) | (Number(_) | Bool(_) | String(_), BigInt(_)) => {
            Some(compare(left, right)? == Some(Ordering::Equal))
        }
        _ if left.kind() == right.kind() => strictly_equal(left, right),
        _ => None,
    }
}

/// The inner `None`: one is NaN.
fn compare(left: &Datum, right: &Datum) -> Option<Option<Ordering>> {
    match (left, right) {
        (Datum::String(a), Datum::String(b)) if is_redacted(a) || is_redacted(b) => None,
        (Datum::String(a), Datum::String(b)) => Some(Some(utf16_from_string(a).cmp(&utf16_from_string(b)))),
        (Datum::BigInt(a), b) => compare_big(a, b),
        (a, Datum::BigInt(b)) => Some(compare_big(b, a)?.map(Ordering::reverse)),
        _ => Some(number_of(left)?.partial_cmp(&number_of(right)?)),
    }
}

/// A bigint and a value that is none.
fn compare_big(big: &str, other: &Datum) -> Option<Option<Ordering>> {
    let big: i128 = big.parse().ok()?;
    if let Datum::String(text) = other {
        // A text is read as a bigint; what is none compares with nothing.
        let text = text.trim_matches(is_white);
        let is_decimal = text.bytes().all(|c| c.is_ascii_digit() || c == b'-');
        return match text.parse::<i128>() {
            _ if text.is_empty() => Some(Some(big.cmp(&0))),
            Ok(other) if is_decimal => Some(Some(big.cmp(&other))),
            _ => None,
        };
    }
    let number = number_of(other)?;
    if number.is_nan() {
        return Some(None);
    }
    // Every double of this size or more is beyond what `big` can be.
    if number.abs() >= 2f64.powi(127) {
        return Some(0.0f64.partial_cmp(&number));
    }
    let whole = number.floor();
    let order = big.cmp(&(whole as i128));
    Some(Some(if order == Ordering::Equal && whole < number { Ordering::Less } else { order }))
}

fn big(operator: &str, a: &str, b: &str) -> Option<Datum> {
    match operator {
        "===" | "==" => return Some(Datum::Bool(a == b)),
        "!==" | "!=" => return Some(Datum::Bool(a != b)),
        _ => {}
    }
    let (a, b): (i128, i128) = (a.parse().ok()?, b.parse().ok()?);
    let order = |wanted: &[Ordering]| Some(Datum::Bool(wanted.contains(&a.cmp(&b))));
    let number = match operator {
        "<" => return order(&[Ordering::Less]),
        ">" => return order(&[Ordering::Greater]),
        "<=" => return order(&[Ordering::Less, Ordering::Equal]),
        ">=" => return order(&[Ordering::Greater, Ordering::Equal]),
        "+" => a.checked_add(b)?,
        "-" => a.checked_sub(b)?,
        "*" => a.checked_mul(b)?,
        "/" => a.checked_div(b)?,
        "%" => a.checked_rem(b)?,
        "**" => a.checked_pow(b.try_into().ok()?)?,
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        _ => return None,
    };
    Some(Datum::BigInt(number.to_string().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(operator: &str, left: Datum, right: Datum) -> String {
        binary(operator, &left, &right)
            .map_or("unknown".into(), |value| trace_model::Values::text(&crate::JavaScript, &value))
    }

    #[test]
    fn operators_are_those_of_the_language() {
        let string = |text: &str| Datum::String(text.into());
        let number = Datum::Number;
        assert_eq!(text("+", string("a"), number(-0.0)), "\"a0\"");
        assert_eq!(text("+", number(1.0), Datum::Undefined), "NaN");
        assert_eq!(text("==", Datum::Null, Datum::Undefined), "true");
        assert_eq!(text("==", Datum::Null, number(0.0)), "false");
        assert_eq!(text("==", string("1"), Datum::Bool(true)), "true");
        assert_eq!(text("<", string("10"), string("9")), "true");
        assert_eq!(text("<", string("10"), number(9.0)), "false");
        assert_eq!(text(">>>", number(-1.0), number(28.0)), "15");
        assert_eq!(text("|", number(4294967297.0), number(0.0)), "1");
        assert_eq!(text("%", number(-5.0), number(3.0)), "-2");
        assert_eq!(text("===", number(f64::NAN), number(f64::NAN)), "false");
        assert_eq!(text("===", string("\u{10F83D}"), string("\u{10F83D}")), "true");
        assert_eq!(text("+", string("\u{10F83D}"), string("\u{10FE00}")), "\"😀\"");
        assert_eq!(text("<", string("\u{10F83D}"), string("\u{FFFF}")), "true");
        assert_eq!(text("*", string("0x10000000000000000"), number(1.0)), "18446744073709552000");
        assert_eq!(text("*", string("0x200000000000018"), number(1.0)), "144115188075855900");
        assert_eq!(text("*", string(&format!("0x1{}", "0".repeat(256))), number(1.0)), "Infinity");
        assert_eq!(text("*", string("0x+5"), number(1.0)), "NaN");
        assert_eq!(text("*", string("\u{FEFF}5"), number(1.0)), "5");
        assert_eq!(text("-", Datum::Object(trace_model::ObjectId(1)), number(1.0)), "unknown");
    }

    #[test]
    fn a_power_is_told_where_no_engine_may_round_it() {
        let of = |base, exponent| text("**", Datum::Number(base), Datum::Number(exponent));
        assert_eq!(of(10.0, 15.0), "1000000000000000");
        assert_eq!(of(-3.0, 3.0), "-27");
        assert_eq!(of(2.0, 53.0), "unknown");
        assert_eq!(of(10.0, -5.0), "unknown");
        assert_eq!(of(2.5, 2.0), "unknown");
        assert_eq!(of(2.5, 1.0), "2.5");
        assert_eq!(of(f64::NAN, 0.0), "1");
        assert_eq!(of(1.0, f64::INFINITY), "NaN");
        assert_eq!(of(-8.0, 0.5), "NaN");
        assert_eq!(of(0.0, -1.0), "Infinity");
        assert_eq!(of(-1.0, 9007199254740991.0), "-1");
    }

    #[test]
    fn bigints_are_compared_with_numbers() {
        let big = |digits: &str| Datum::BigInt(digits.into());
        let number = Datum::Number;
        assert_eq!(text(">", big("2"), number(1.0)), "true");
        assert_eq!(text("<", big("2"), number(2.5)), "true");
        assert_eq!(text("<", big("-2"), number(-2.5)), "false");
        assert_eq!(text(">", number(2.5), big("2")), "true");
        assert_eq!(text("==", big("2"), number(2.0)), "true");
        assert_eq!(text("===", big("2"), number(2.0)), "false");
        assert_eq!(text("!=", big("1"), Datum::Bool(true)), "false");
        assert_eq!(text("==", big("9007199254740993"), number(9007199254740992.0)), "false");
        assert_eq!(text("<", big("5"), number(f64::INFINITY)), "true");
        assert_eq!(text("<", big("5"), number(f64::NAN)), "false");
        assert_eq!(text("<", big("5"), Datum::String("10".into())), "true");
        assert_eq!(text("<", big("5"), Datum::String("ten".into())), "unknown");
        assert_eq!(text("+", big("5"), number(1.0)), "unknown");
        assert_eq!(text("===", big(&"9".repeat(60)), big(&"9".repeat(60))), "true");
        assert_eq!(text("**", big("2"), big("100")), "1267650600228229401496703205376n");
    }
}
