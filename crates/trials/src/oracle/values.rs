//! Values as the oracle compares them. Strings come from the string records that it has passed.

use std::collections::HashMap;

use query::Datum;
use trace_model::{StringId, SymbolId, Value, Values};
use trace_store::{PropertyKey, Thread};

#[derive(Default)]
pub struct Texts {
    strings: HashMap<StringId, String>,
    symbols: HashMap<SymbolId, Option<StringId>>,
}

impl Texts {
    pub fn add_string(&mut self, id: StringId, text: &str) {
        self.strings.insert(id, text.to_owned());
    }

    pub fn add_symbol(&mut self, id: SymbolId, description: Option<StringId>) {
        self.symbols.insert(id, description);
    }

    pub fn datum(&self, value: Value, thread: &Thread) -> Datum {
        // A literal of the source has no record; its text is in the site table.
        let text =
            |id: StringId| self.strings.get(&id).cloned().or_else(|| thread.string(id).map(|text| text.to_string()));
        match value {
            Value::Undefined => Datum::Undefined,
            Value::Null => Datum::Null,
            Value::Bool(truth) => Datum::Bool(truth),
            Value::Number(number) => Datum::Number(number),
            Value::String(id) => text(id).map_or(Datum::NotCaptured, |text| Datum::String(text.into())),
            Value::LongString { length } => Datum::LongString { length },
            Value::BigInt(id) => text(id).map_or(Datum::NotCaptured, |text| Datum::BigInt(text.into())),
            Value::Symbol(id) => {
                let description = self.symbols.get(&id).copied().flatten().and_then(text);
                Datum::Symbol(id, description.map(Into::into))
            }
            Value::Object(id) | Value::NewObject { id, .. } => Datum::Object(id),
            Value::Accessor => Datum::Accessor,
            Value::NotCaptured => Datum::NotCaptured,
        }
    }
}

/// The same value, as `Object.is` has it; what was not captured is the same as itself.
pub fn same(a: &Datum, b: &Datum) -> bool {
    match (a, b) {
        (Datum::Number(a), Datum::Number(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
        (Datum::Symbol(a, _), Datum::Symbol(b, _)) => a == b,
        (a, b) => a == b,
    }
}

pub fn same_if_any(a: &Option<Datum>, b: &Option<Datum>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => same(a, b),
        (None, None) => true,
        _ => false,
    }
}

/// A value as the key of a property; `None` for what cannot be told.
pub fn property_key(datum: &Datum) -> Option<PropertyKey> {
    Some(PropertyKey::Name(match datum {
        Datum::String(text) => text.to_string(),
        Datum::Symbol(id, _) => return Some(PropertyKey::Symbol(*id)),
        Datum::Number(number) if *number == 0.0 => "0".into(),
        Datum::BigInt(digits) => digits.to_string(),
        Datum::Number(_) | Datum::Undefined | Datum::Null | Datum::Bool(_) => javascript::JavaScript.text(datum),
        _ => return None,
    }))
}

/// As the key of a Map or an element of a Set, for which −0 is 0.
pub fn entry_key(datum: Datum) -> Datum {
    match datum {
        Datum::Number(number) => Datum::Number(number + 0.0),
        datum => datum,
    }
}

/// An array index as JavaScript defines it.
pub fn array_index(key: &PropertyKey) -> Option<u32> {
    let PropertyKey::Name(name) = key else { return None };
    let index = name.parse::<u32>().ok().filter(|index| *index < u32::MAX)?;
    (index.to_string() == *name).then_some(index)
}

/// What `++` and `--` make of the old value.
pub fn after_step(old: &Datum, by: i8) -> Datum {
    match old {
        Datum::Number(number) => Datum::Number(number + f64::from(by)),
        Datum::BigInt(digits) => match digits.parse::<i128>() {
            Ok(number) => Datum::BigInt((number + i128::from(by)).to_string().into()),
            Err(_) => Datum::NotCaptured,
        },
        _ => Datum::NotCaptured,
    }
}
