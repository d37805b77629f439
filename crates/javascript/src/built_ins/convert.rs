//! Conversions: `String(x)`, `Number(x)`, and those that other built-ins do.

use trace_model::{Datum, Made, MethodOf, ObjectClass, Reading, Unknown};

use super::{DEEPEST, LONGEST, TOO_DEEP, TOO_LONG, known, numbers, text};
use crate::object_model::{operators, values};

pub const FUNCTIONS: &[&str] = &["Boolean", "Number", "String", "isFinite", "isNaN", "parseFloat", "parseInt"];

pub fn function(name: &str, given: &[Datum], reading: &dyn Reading) -> Result<Datum, Unknown> {
    let first = given.first().unwrap_or(&Datum::Undefined);
    Ok(match name {
        "Boolean" => Datum::Bool(truth(first)?),
        "Number" if given.is_empty() => Datum::Number(0.0),
        "Number" => match first {
            Datum::BigInt(digits) => Datum::Number(digits.parse().map_err(|_| Unknown::from("it is no number"))?),
            value => Datum::Number(number(value)?),
        },
        "String" if given.is_empty() => text(""),
        "String" => match first {
            Datum::Symbol(_, description) => text(format!("Symbol({})", description.as_deref().unwrap_or_default())),
            value => text(string(value, reading)?),
        },
        "isFinite" => Datum::Bool(number(first)?.is_finite()),
        "isNaN" => Datum::Bool(number(first)?.is_nan()),
        name => numbers::parsed(name, &string(first, reading)?, given.get(1))?,
    })
}

pub fn truth(value: &Datum) -> Result<bool, Unknown> {
    values::truth(value).ok_or_else(|| "a value was not recorded".into())
}

pub fn number(value: &Datum) -> Result<f64, Unknown> {
    operators::number_of(known(value)?).ok_or_else(|| operators::unknown(value, value).into())
}

/// As `String(value)`; of an object only where that calls nothing of the program.
pub fn string(value: &Datum, reading: &dyn Reading) -> Result<String, Unknown> {
    string_within(value, reading, 0)
}

pub fn string_within(value: &Datum, reading: &dyn Reading, depth: usize) -> Result<String, Unknown> {
    let elements = match known(value)? {
        Datum::Made(made) => match &**made {
            Made::Array(elements) => elements.clone(),
            Made::Object(_) => return Err("how the object is written is not interpreted".into()),
        },
        Datum::Object(object) => {
            let is_list = reading.class(*object) == Some(ObjectClass::Array)
                && reading.method(*object, "toString")? == MethodOf::Language
                && reading.method(*object, "join")? == MethodOf::Language;
            if !is_list {
                return Err("how the object is written is not interpreted".into());
            }
            reading.elements(value)?
        }
        value => return operators::string_of(value).ok_or_else(|| operators::unknown(value, value).into()),
    };
    joined(&elements, ",", reading, depth)
}

/// Elements with something between; nothing is written for what is nothing.
pub fn joined(elements: &[Datum], between: &str, reading: &dyn Reading, depth: usize) -> Result<String, Unknown> {
    if depth > DEEPEST {
        return Err(TOO_DEEP.into());
    }
    let (mut texts, mut length) = (Vec::<String>::new(), 0);
    for (place, element) in elements.iter().enumerate() {
        length += texts.last().map_or(0, String::len) + between.len();
        if length > LONGEST {
            return Err(TOO_LONG.into());
        }
        if place > 0 {
            texts.push(between.to_owned());
        }
        if !element.is_nullish() {
            texts.push(string_within(element, reading, depth + 1)?);
        }
    }
    Ok(operators::joined(&texts))
}
