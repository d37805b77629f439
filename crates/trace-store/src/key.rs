//! Keys of properties. A whole number and its digits are one key.

use trace_model::{Datum, LanguageRef, PropertyKey, StringId, SymbolId, Value};

use crate::Thread;

/// A key, as the index knows it. Two keys may share one, which costs a look at a block too many and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct KeyHash(pub(crate) u32);

pub(crate) fn key_hash(key: &PropertyKey) -> KeyHash {
    match key {
        PropertyKey::Name(name) => name_hash(name),
        PropertyKey::Symbol(symbol) => symbol_hash(*symbol),
    }
}

/// Whether it is that of an element of a list, or of its length: what moving elements about changes.
pub(crate) fn is_of_elements(language: LanguageRef, key: &PropertyKey) -> bool {
    key.name().is_some_and(|name| language.length_key() == Some(name) || language.element_at(name).is_some())
}

/// Whether a recorded key is this one, or may be.
pub(crate) fn is_key(thread: &Thread, value: Value, key: &PropertyKey) -> bool {
    let is_named = |text: &str| key.is_name(text);
    let plain = match value {
        Value::String(id) | Value::BigInt(id) => return thread.string(id).is_some_and(|text| is_named(&text)),
        Value::Symbol(symbol) => return *key == PropertyKey::Symbol(symbol),
        Value::Number(number) => match (whole(number), key) {
            (Some(index), PropertyKey::Name(name)) => return index_of(name) == Some(index),
            _ => Datum::Number(number),
        },
        Value::Undefined => Datum::Undefined,
        Value::Null => Datum::Null,
        Value::Bool(truth) => Datum::Bool(truth),
        _ => return true,
    };
    thread.language().key_of(&plain).as_ref() == Some(key)
}

/// Whether a recorded key can be named, by its language at least.
pub(crate) fn is_known(key: Value) -> bool {
    !matches!(key, Value::NotCaptured) && key.object().is_none()
}

/// Whether a recorded key is a whole number, or the digits of one.
pub(crate) fn numeral(key: Value, is_text_numeral: impl FnOnce(StringId) -> bool) -> bool {
    match key {
        Value::String(id) | Value::BigInt(id) => is_text_numeral(id),
        Value::Number(number) => whole(number).is_some(),
        _ => false,
    }
}

pub(crate) fn is_numeral(name: &str) -> bool {
    index_of(name).is_some()
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
    /// What a key that is neither a text nor a whole number is called is known to its language: for the index, it may be any.
    pub fn of(value: Value) -> RecordedKey {
        match value {
            Value::String(id) | Value::BigInt(id) => RecordedKey::Text(id),
            Value::Symbol(symbol) => RecordedKey::Hash(symbol_hash(symbol)),
            Value::Number(number) => {
                whole(number).map_or(RecordedKey::Unknown, |index| RecordedKey::Hash(index_hash(index)))
            }
            _ => RecordedKey::Unknown,
        }
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

/// A number that is a key by its digits.
fn whole(number: f64) -> Option<u32> {
    let index = number as u32;
    (f64::from(index) == number && index != u32::MAX).then_some(index)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_and_their_digits_are_one_key() {
        for (number, text) in [(0.0, "0"), (-0.0, "0"), (12.0, "12"), (4294967294.0, "4294967294")] {
            assert_eq!(RecordedKey::of(Value::Number(number)), RecordedKey::Hash(name_hash(text)), "{text}");
        }
        assert_ne!(name_hash("012"), name_hash("12"));
        assert_ne!(name_hash("+1"), name_hash("1"));
    }

    #[test]
    fn what_only_a_language_can_name_may_be_any_key() {
        for value in [Value::Number(1.5), Value::Number(-1.0), Value::Number(4294967295.0), Value::Null] {
            assert_eq!(RecordedKey::of(value), RecordedKey::Unknown, "{value:?}");
        }
    }
}
