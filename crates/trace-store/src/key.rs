//! Keys of properties. `1` and `"1"` are one key.

use trace_model::{StringId, SymbolId, Value};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PropertyKey {
    Name(String),
    Symbol(SymbolId),
}

/// A key, as the index knows it. Two keys may share one, which costs a look at a block too many and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct KeyHash(pub(crate) u32);

impl PropertyKey {
    pub(crate) fn hash(&self) -> KeyHash {
        match self {
            PropertyKey::Name(name) => name_hash(name),
            PropertyKey::Symbol(symbol) => symbol_hash(*symbol),
        }
    }

    /// Whether it is an index of an array, or the length of one: what moving elements about changes.
    pub fn is_of_elements(&self) -> bool {
        matches!(self, PropertyKey::Name(name) if name == "length" || index_of(name).is_some())
    }
}

/// What a key in the trace is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum RecordedKey {
    Text(StringId),
    Hash(KeyHash),
    /// It was not captured: it may be any.
    Unknown,
}

impl RecordedKey {
    pub fn of(value: Value) -> RecordedKey {
        RecordedKey::Hash(match value {
            Value::String(id) | Value::BigInt(id) => return RecordedKey::Text(id),
            Value::Symbol(symbol) => symbol_hash(symbol),
            Value::Number(number) => number_hash(number),
            Value::Undefined => name_hash("undefined"),
            Value::Null => name_hash("null"),
            Value::Bool(true) => name_hash("true"),
            Value::Bool(false) => name_hash("false"),
            _ => return RecordedKey::Unknown,
        })
    }
}

pub(crate) fn name_hash(name: &str) -> KeyHash {
    match index_of(name) {
        Some(index) => index_hash(index),
        None => bytes_hash(name.as_bytes()),
    }
}

pub(crate) fn index_hash(index: u32) -> KeyHash {
    KeyHash(mix(u64::from(index) | 1 << 32) as u32)
}

fn number_hash(number: f64) -> KeyHash {
    let index = number as u32;
    if f64::from(index) == number && index != u32::MAX { index_hash(index) } else { name_hash(&number_text(number)) }
}

fn symbol_hash(symbol: SymbolId) -> KeyHash {
    KeyHash(mix(u64::from(symbol.0) | 1 << 33) as u32)
}

fn bytes_hash(bytes: &[u8]) -> KeyHash {
    let mut hash = bytes.len() as u64 ^ 0x9E37_79B9_7F4A_7C15;
    for eight in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..eight.len()].copy_from_slice(eight);
        hash = mix(hash ^ u64::from_le_bytes(word));
    }
    KeyHash(hash as u32)
}

/// Spreads every bit over all others (the finalizer of splitmix64).
pub(crate) fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}

/// An index as it is written: `12`, not `012`.
fn index_of(name: &str) -> Option<u32> {
    let is_canonical = name.len() <= 10 && (name == "0" || !name.starts_with('0')) && !name.starts_with('+');
    name.parse().ok().filter(|index| is_canonical && *index != u32::MAX)
}

/// A number as JavaScript writes it.
pub(crate) fn number_text(number: f64) -> String {
    if number.is_nan() {
        return "NaN".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "Infinity" } else { "-Infinity" }.into();
    }
    let size = number.abs();
    if size == 0.0 {
        return "0".into();
    }
    if (1e-6..1e21).contains(&size) {
        return format!("{number}");
    }
    let text = format!("{number:e}");
    match text.split_once('e') {
        Some((digits, exponent)) if !exponent.starts_with('-') => format!("{digits}e+{exponent}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_their_texts_are_one_key() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (12.0, "12"),
            (-1.0, "-1"),
            (1.5, "1.5"),
            (4294967295.0, "4294967295"),
            (1e21, "1e+21"),
            (1.5e-7, "1.5e-7"),
            (123456789012345680000.0, "123456789012345680000"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(number_hash(number), name_hash(text), "{text}");
        }
        assert_ne!(name_hash("012"), name_hash("12"));
        assert_ne!(name_hash("+1"), name_hash("1"));
    }
}
