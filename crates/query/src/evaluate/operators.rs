//! Operators over primitive values, as the language has them. `None` where an object would have to be converted.

use std::cmp::Ordering;

use crate::Datum;
use crate::text::number_text;

pub fn unary(operator: &str, operand: &Datum) -> Option<Datum> {
    Some(match operator {
        "!" => Datum::Bool(!operand.truth()?),
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
        "~" => Datum::Number(f64::from(!int32(number_of(operand)?))),
        _ => return None,
    })
}

pub fn binary(operator: &str, left: &Datum, right: &Datum) -> Option<Datum> {
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
        "+" if is_text(left) || is_text(right) => {
            Datum::String(format!("{}{}", string_of(left)?, string_of(right)?).into())
        }
        _ => {
            let (a, b) = (number_of(left)?, number_of(right)?);
            Datum::Number(match operator {
                "+" => a + b,
                "-" => a - b,
                "*" => a * b,
                "/" => a / b,
                "%" => a % b,
                "**" => power(a, b),
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

/// As `String(value)`; `None` for objects, symbols and what is not known.
pub fn string_of(value: &Datum) -> Option<String> {
    Some(match value {
        Datum::String(text) => text.to_string(),
        Datum::Number(number) if *number == 0.0 => "0".into(),
        Datum::Number(number) => number_text(*number),
        Datum::BigInt(digits) => digits.to_string(),
        Datum::Undefined | Datum::Null | Datum::Bool(_) => value.text(),
        _ => return None,
    })
}

fn is_text(value: &Datum) -> bool {
    matches!(value, Datum::String(_))
}

fn number_of(value: &Datum) -> Option<f64> {
    Some(match value {
        Datum::Number(number) => *number,
        Datum::Undefined => f64::NAN,
        Datum::Null => 0.0,
        Datum::Bool(truth) => f64::from(u8::from(*truth)),
        Datum::String(text) => number_of_text(text),
        _ => return None,
    })
}

fn number_of_text(text: &str) -> f64 {
    let text = text.trim();
    let radix = |digits: &str, radix| u64::from_str_radix(digits, radix).map_or(f64::NAN, |number| number as f64);
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

fn int32(number: f64) -> i32 {
    if !number.is_finite() {
        return 0;
    }
    number.trunc().rem_euclid(4_294_967_296.0) as u64 as u32 as i32
}

fn power(base: f64, exponent: f64) -> f64 {
    if exponent.is_nan() || base.abs() == 1.0 && exponent.is_infinite() { f64::NAN } else { base.powf(exponent) }
}

fn strictly_equal(left: &Datum, right: &Datum) -> Option<bool> {
    match (left, right) {
        (Datum::Number(a), Datum::Number(b)) => Some(a == b),
        _ => crate::datum::same(left, right),
    }
}

fn loosely_equal(left: &Datum, right: &Datum) -> Option<bool> {
    use Datum::*;
    match (left, right) {
        (Undefined | Null, Undefined | Null) => Some(true),
        (NotCaptured | Accessor, _) | (_, NotCaptured | Accessor) => None,
        (Undefined | Null, _) | (_, Undefined | Null) => Some(false),
        (Number(_) | Bool(_) | String(_), Number(_) | Bool(_) | String(_)) if left.kind() != right.kind() => {
            Some(number_of(left)? == number_of(right)?)
        }
        _ if left.kind() == right.kind() => strictly_equal(left, right),
        _ => None,
    }
}

/// The inner `None`: one is NaN.
fn compare(left: &Datum, right: &Datum) -> Option<Option<Ordering>> {
    if let (Datum::String(a), Datum::String(b)) = (left, right) {
        return Some(Some(a.encode_utf16().cmp(b.encode_utf16())));
    }
    Some(number_of(left)?.partial_cmp(&number_of(right)?))
}

fn big(operator: &str, a: &str, b: &str) -> Option<Datum> {
    let (a, b): (i128, i128) = (a.parse().ok()?, b.parse().ok()?);
    let order = |wanted: &[Ordering]| Some(Datum::Bool(wanted.contains(&a.cmp(&b))));
    let number = match operator {
        "===" | "==" => return order(&[Ordering::Equal]),
        "!==" | "!=" => return order(&[Ordering::Less, Ordering::Greater]),
        "<" => return order(&[Ordering::Less]),
        ">" => return order(&[Ordering::Greater]),
        "<=" => return order(&[Ordering::Less, Ordering::Equal]),
        ">=" => return order(&[Ordering::Greater, Ordering::Equal]),
        "+" => a.checked_add(b)?,
        "-" => a.checked_sub(b)?,
        "*" => a.checked_mul(b)?,
        "/" => a.checked_div(b)?,
        "%" => a.checked_rem(b)?,
        _ => return None,
    };
    Some(Datum::BigInt(number.to_string().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(operator: &str, left: Datum, right: Datum) -> String {
        binary(operator, &left, &right).map_or("unknown".into(), |value| value.text())
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
        assert_eq!(text("-", Datum::Object(trace_model::ObjectId(1)), number(1.0)), "unknown");
    }
}
