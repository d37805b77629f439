//! Built-ins of JavaScript that only read, over recorded values: `JSON.stringify(x)`, `list.map((line) => line.price)`.
//!
//! A person types them to look at a state, so what they give must be what the program would have got at that moment, or it is not given.
//! Therefore: nothing of the program is called (no getter, no `toJSON`, no `toString` of its own); what is not recorded makes the answer
//! unknown; what depends on the machine, the time or the version of V8 (`toLocaleString`, `Math.sin`, `Date.now`) is not among them,
//! and neither is what changes an object. `tests/built-ins` compares them with Node.

mod convert;
mod json;
mod lists;
mod math;
mod numbers;
mod objects;
mod texts;

use std::sync::Arc;

use trace_model::{BuiltIns, Callee, Datum, Made, MethodOf, ObjectClass, Reading, Unknown, is_redacted};

use crate::JavaScript;

impl BuiltIns for JavaScript {
    fn is_namespace(&self, name: &str) -> bool {
        matches!(name, "Array" | "JSON" | "Math" | "Number" | "Object" | "String")
    }

    fn only_reads(&self, namespace: Option<&str>, name: &str) -> bool {
        match namespace {
            None => convert::FUNCTIONS.contains(&name),
            Some("Array") => matches!(name, "from" | "isArray" | "of"),
            Some("JSON") => name == "stringify",
            Some("Math") => math::FUNCTIONS.contains(&name),
            Some("Number") => numbers::FUNCTIONS.contains(&name),
            Some("Object") => objects::FUNCTIONS.contains(&name),
            Some("String") => matches!(name, "fromCharCode" | "fromCodePoint"),
            Some(_) => false,
        }
    }

    fn constant_of(&self, namespace: &str, name: &str) -> Option<Datum> {
        match namespace {
            "Math" => math::constant(name),
            "Number" => numbers::constant(name),
            _ => None,
        }
    }

    fn call(&self, callee: Callee, given: &[Datum], reading: &dyn Reading) -> Result<Datum, Unknown> {
        let first = given.first().unwrap_or(&Datum::Undefined);
        match callee {
            Callee::Function { namespace: Some("Array"), name } => lists::function(name, given, reading),
            _ if reading.has_function() && !matches!(callee, Callee::Method { .. }) => {
                Err("the function that it is given would be called by it, which is not interpreted".into())
            }
            Callee::Function { namespace: None, name } => convert::function(name, given, reading),
            Callee::Function { namespace: Some("JSON"), .. } => json::stringify(first, given, reading),
            Callee::Function { namespace: Some("Math"), name } => math::function(name, given),
            Callee::Function { namespace: Some("Number"), name } => numbers::function(name, given),
            Callee::Function { namespace: Some("Object"), name } => objects::function(name, given, reading),
            Callee::Function { namespace: Some("String"), name } => texts::from_codes(name, given),
            Callee::Function { .. } => Err(NOT_INTERPRETED.into()),
            Callee::Method { receiver, name } => method(receiver, name, given, reading),
        }
    }
}

/// Whether a method of this name is one of them, of one class or another.
pub fn is_method(name: &str) -> bool {
    [lists::METHODS, texts::METHODS, numbers::METHODS, objects::METHODS, COPIES]
        .iter()
        .any(|names| names.contains(&name))
}

/// Whether a method of this name changes what it is called on.
pub fn changes_receiver(name: &str) -> bool {
    CHANGES.contains(&name)
}

/// What is typed may be changed: it is a copy.
const COPIES: &[&str] = &["reverse", "sort"];

#[rustfmt::skip]
const CHANGES: &[&str] = &[
    "add", "clear", "copyWithin", "delete", "fill", "pop", "push", "set", "shift", "splice", "unshift",
];

fn method(receiver: &Datum, name: &str, given: &[Datum], reading: &dyn Reading) -> Result<Datum, Unknown> {
    match receiver {
        Datum::String(text) if is_redacted(text) => Err(TAKEN_OUT.into()),
        Datum::String(text) => no_function(reading).and_then(|()| texts::method(text, name, given, reading)),
        Datum::Number(number) => no_function(reading).and_then(|()| numbers::method(*number, name, given)),
        Datum::Bool(truth) if name == "toString" => Ok(text(truth.to_string())),
        Datum::Made(made) => match &**made {
            Made::Array(elements) => lists::method(receiver, elements, name, given, reading),
            Made::Object(_) => objects::method(receiver, name, given, reading),
        },
        Datum::Object(object) => {
            match reading.method(*object, name)? {
                MethodOf::Language => {}
                MethodOf::Program => {
                    return Err(format!("{name} is a function of the program, and nothing is run").into());
                }
                MethodOf::Nobody => return Err(throws(&format!("it has no {name}"))),
            }
            match reading.class(*object) {
                Some(ObjectClass::Array) if matches!(name, "sort" | "reverse") => {
                    Err(format!("{name} would change the list; [...list].{name}() works on a copy").into())
                }
                Some(ObjectClass::Array) if lists::METHODS.contains(&name) => {
                    lists::method(receiver, &reading.elements(receiver)?, name, given, reading)
                }
                Some(_) => objects::method(receiver, name, given, reading),
                None => Err("the contents of the object were not recorded".into()),
            }
        }
        Datum::Undefined | Datum::Null => Err(format!("it has no {name}").into()),
        value => Err(why_unknown(value).unwrap_or(NOT_INTERPRETED).into()),
    }
}

/// Where a function is given to what takes none, it would be converted to something.
fn no_function(reading: &dyn Reading) -> Result<(), Unknown> {
    match reading.has_function() {
        true => Err("a function is given to what takes none".into()),
        false => Ok(()),
    }
}

/// Why it is not known which value it is.
fn why_unknown(value: &Datum) -> Option<&'static str> {
    Some(match value {
        Datum::LongString { .. } => "a text was too long to be recorded",
        Datum::Accessor => "it has a getter, which is not called",
        Datum::NotCaptured => "a value was not recorded",
        Datum::Redacted => TAKEN_OUT,
        Datum::String(text) | Datum::BigInt(text) if is_redacted(text) => TAKEN_OUT,
        _ => return None,
    })
}

fn known(value: &Datum) -> Result<&Datum, Unknown> {
    match why_unknown(value) {
        Some(why) => Err(why.into()),
        None => Ok(value),
    }
}

fn text(text: impl Into<String>) -> Datum {
    Datum::String(text.into().into())
}

fn list(elements: Vec<Datum>) -> Datum {
    Datum::Made(Arc::new(Made::Array(elements)))
}

fn throws(why: &str) -> Unknown {
    format!("the call would throw: {why}").into()
}

/// A number as a place: whole, and what is not a number is 0.
fn whole(value: Option<&Datum>, otherwise: f64) -> Result<f64, Unknown> {
    match value {
        None | Some(Datum::Undefined) => Ok(otherwise),
        Some(value) => {
            let number = convert::number(value)?;
            Ok(if number.is_nan() { 0.0 } else { number.trunc() })
        }
    }
}

/// A place that may be counted from the end, within a length.
fn relative(value: Option<&Datum>, length: usize, otherwise: f64) -> Result<usize, Unknown> {
    let place = whole(value, otherwise)?;
    let length = length as f64;
    Ok(if place < 0.0 { (length + place).max(0.0) } else { place.min(length) } as usize)
}

const NOT_INTERPRETED: &str = "this is not among the built-ins that are interpreted";
const TAKEN_OUT: &str = "a part of it was taken out when the run was shared";
/// A text or list that is longer is not made, in UTF-16 units or elements.
const LONGEST: usize = 1 << 22;
const TOO_LONG: &str = "it would be too long";
/// What is deeper is not gone into.
const DEEPEST: usize = 200;
const TOO_DEEP: &str = "it is nested too deeply";
