//! Tokens, and how an answer is cut to them.
//!
//! Every model counts differently. What is counted here is at least what the tokenizers in use make of source code, JSON and plain
//! English; `tests/mcp` compares it with one of them.

use serde_json::Value;

/// So many tokens may an answer have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget(usize);

pub const USUAL: usize = 1_500;
/// Below that there is no room for what every answer has.
pub const LEAST: usize = 200;
pub const MOST: usize = 100_000;

impl Budget {
    pub fn new(tokens: Option<usize>) -> Result<Budget, String> {
        match tokens.unwrap_or(USUAL) {
            tokens @ LEAST..=MOST => Ok(Budget(tokens)),
            other => Err(format!("a budget is between {LEAST} and {MOST} tokens, and not {other}")),
        }
    }

    pub fn tokens(self) -> usize {
        self.0
    }

    /// One in which what does not fit in this one probably fits.
    pub fn larger(self) -> usize {
        (self.0 * 4).clamp(USUAL, MOST)
    }

    pub fn holds(self, text: &str) -> bool {
        tokens(text) <= self.0
    }

    /// As many letters as one text may take, however long it is: beside it there must be room for what explains it.
    pub fn most_letters(self) -> usize {
        self.0 / LEAST_TEXTS * LETTERS_OF_TOKEN
    }

    /// As many things of a list as can fit at all.
    pub fn most_items(self) -> usize {
        (self.0 / SMALLEST_ITEM).max(1)
    }
}

/// So many texts fit at least.
const LEAST_TEXTS: usize = 6;
const LETTERS_OF_TOKEN: usize = 3;

/// A point and a value take more.
const SMALLEST_ITEM: usize = 20;

/// So many tokens, or fewer.
pub fn tokens(text: &str) -> usize {
    let parts: usize = text
        .bytes()
        .map(|letter| match letter {
            b'a'..=b'z' | b'A'..=b'Z' | b' ' => 7,
            b'0'..=b'9' => 11,
            _ => 12,
        })
        .sum();
    parts.div_ceil(PARTS_OF_TOKEN)
}

/// Three to four letters are one, two digits or two signs, and two bytes of other letters.
const PARTS_OF_TOKEN: usize = 24;

/// How much is left of each text, and of each list.
#[derive(Clone, Copy)]
pub struct Cut {
    pub letters: usize,
    pub items: usize,
}

/// One after the other, until it fits.
pub const CUTS: [Cut; 6] = [
    Cut { letters: 300, items: 50 },
    Cut { letters: 160, items: 20 },
    Cut { letters: 100, items: 10 },
    Cut { letters: 60, items: 5 },
    Cut { letters: 40, items: 2 },
    Cut { letters: 24, items: 1 },
];

pub fn cut(value: &mut Value, to: Cut) {
    match value {
        Value::String(text) => shorten(text, to.letters),
        Value::Array(items) => {
            items.truncate(to.items);
            items.iter_mut().for_each(|item| cut(item, to));
        }
        Value::Object(fields) => fields.values_mut().for_each(|field| cut(field, to)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Leaves the beginning and the end, and says between them that something is missing: of a long message, the beginning says what
/// failed, and the end what was expected.
pub fn shorten(text: &mut String, letters: usize) {
    let n_letters = text.chars().count();
    if n_letters <= letters {
        return;
    }
    let n_kept = letters.saturating_sub(1);
    let n_last = n_kept / 3;
    let end_of = |n: usize| text.char_indices().nth(n).map_or(text.len(), |(at, _)| at);
    let (head, tail) = (end_of(n_kept - n_last), end_of(n_letters - n_last));
    *text = format!("{}…{}", &text[..head], &text[tail..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_has_bounds() {
        assert_eq!(Budget::new(None).unwrap().tokens(), USUAL);
        assert!(Budget::new(Some(LEAST - 1)).unwrap_err().contains("199"));
        assert!(Budget::new(Some(MOST + 1)).is_err());
    }

    #[test]
    fn a_text_is_cut_in_its_middle_and_letters_stay_whole() {
        let shortened = |text: &str, letters| {
            let mut text = text.to_owned();
            shorten(&mut text, letters);
            text
        };
        assert_eq!(shortened("expected äöü to be ß", 10), "expect…e ß");
        assert_eq!(shortened("expect…e ß", 10), "expect…e ß");
        assert_eq!(shortened("äöü", 1), "…");
    }

    #[test]
    fn what_is_counted_is_more_than_words() {
        assert!(tokens("const total = cart.total();") >= 7);
        assert!(tokens(r#"{"point":"P2","event":162}"#) >= 9);
        assert_eq!(tokens(""), 0);
    }
}
