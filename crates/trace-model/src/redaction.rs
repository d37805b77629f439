//! What was taken out of a recording before it was shared.
//!
//! In a text a *mark* stands for what was there: U+001A ("substitute"), then one or more of U+001C to U+001F, which say by their
//! digits which of the values it was. A mark is as long as what it stands for, in bytes, since sources are known by their offsets;
//! equal values have equal marks. A whole value that is not a text of its own is a [`crate::Value::LongString`] of an impossible length.

use std::borrow::Cow;

/// What people see.
pub const REDACTED: &str = "‹redacted›";

/// The length of a long string that is not there any more.
pub const REDACTED_TEXT: u32 = u32::MAX;

/// The same for a number.
pub const REDACTED_NUMBER: u32 = u32::MAX - 1;

const START: char = '\u{1A}';
const DIGITS: [char; 4] = ['\u{1C}', '\u{1D}', '\u{1E}', '\u{1F}'];
/// One that is shorter could not be told from an ordinary character.
const SHORTEST: usize = 2;

/// The mark of the value of this number, of so many bytes.
pub fn redaction_mark(number: u32, n_bytes: usize) -> String {
    let mut left = number;
    let digits = (1..n_bytes.max(SHORTEST)).map(|_| {
        let digit = DIGITS[left as usize % DIGITS.len()];
        left /= DIGITS.len() as u32;
        digit
    });
    std::iter::once(START).chain(digits).collect()
}

/// Whether something was taken out of a text: what it says is not known.
pub fn is_redacted(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find(START) {
        rest = &rest[at + 1..];
        if rest.starts_with(DIGITS) {
            return true;
        }
    }
    false
}

/// A text for people.
pub fn with_redactions_shown(text: &str) -> Cow<'_, str> {
    if !is_redacted(text) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(START) {
        shown.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        rest = behind.trim_start_matches(DIGITS);
        if rest.len() == behind.len() {
            shown.push(START);
        } else {
            shown.push_str(REDACTED);
        }
    }
    shown.push_str(rest);
    shown.into()
}

/// A line of a source for people: as long as it was.
pub fn with_redactions_dotted(line: &str) -> Cow<'_, str> {
    if !is_redacted(line) {
        return line.into();
    }
    line.chars().map(|c| if c == START || DIGITS.contains(&c) { '•' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_as_long_as_what_they_stand_for() {
        assert_eq!(redaction_mark(0, 8).len(), 8);
        assert_ne!(redaction_mark(1, 8), redaction_mark(2, 8));
        assert_eq!(redaction_mark(7, 1).len(), SHORTEST);
    }

    #[test]
    fn marks_are_shown() {
        let text = format!("a{}b{}", redaction_mark(5, 9), redaction_mark(6, 2));
        assert!(is_redacted(&text));
        assert_eq!(with_redactions_shown(&text), "a‹redacted›b‹redacted›");
        assert_eq!(with_redactions_dotted(&text), "a•••••••••b••");
        assert!(!is_redacted("a\u{1A}b"));
        assert_eq!(with_redactions_shown("a\u{1A}b"), "a\u{1A}b");
    }
}
