//! JavaScript strings as Rust strings, without loss.
//!
//! A JavaScript string is any sequence of UTF-16 units; a Rust string has no surrogates. The last 2,048 characters of
//! Unicode (U+10F800 to U+10FFFF, private use) stand for the 2,048 surrogates where one is alone. A string that really
//! holds such a character has it as two of them. So every string has exactly one Rust string, and what has no lone surrogate
//! and none of these characters, that is nearly everything, is simply itself.

const FIRST_ESCAPE: u32 = 0x10_F800;
const FIRST_SURROGATE: u32 = 0xD800;

pub fn string_from_utf16(units: &[u16]) -> String {
    let mut text = String::with_capacity(units.len());
    for decoded in char::decode_utf16(units.iter().copied()) {
        match decoded {
            Ok(c) if (c as u32) < FIRST_ESCAPE => text.push(c),
            Ok(c) => text.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| escape(*unit))),
            Err(lone) => text.push(escape(lone.unpaired_surrogate())),
        }
    }
    text
}

pub fn utf16_from_string(text: &str) -> Vec<u16> {
    let mut units = Vec::with_capacity(text.len());
    for c in text.chars() {
        match (c as u32).checked_sub(FIRST_ESCAPE) {
            Some(surrogate) => units.push((FIRST_SURROGATE + surrogate) as u16),
            None => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
        }
    }
    units
}

fn escape(surrogate: u16) -> char {
    char::from_u32(FIRST_ESCAPE + (u32::from(surrogate) - FIRST_SURROGATE)).expect("2,048 characters end at U+10FFFF")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_string_comes_back(units in prop::collection::vec(
            prop_oneof![any::<u16>(), 0xD7F0u16..0xE010, 0xDBF0u16..0xDC10], 0..40,
        )) {
            prop_assert_eq!(utf16_from_string(&string_from_utf16(&units)), units);
        }

        #[test]
        fn ordinary_text_is_itself(text in "[a-zäöü日本😀]{0,20}") {
            prop_assert_eq!(string_from_utf16(&text.encode_utf16().collect::<Vec<_>>()), text);
        }
    }
}
