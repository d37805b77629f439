//! Texts that are wrong from some character on. A text is put together from others, and which one brought the wrong character
//! follows from their lengths.

use std::collections::HashMap;
use std::sync::Arc;

use crate::Datum;

/// The texts that were found wrong, each with the place of its first wrong character, in bytes.
#[derive(Default)]
pub(super) struct WrongTexts {
    spots: HashMap<Arc<str>, usize>,
}

impl WrongTexts {
    /// Notes that two were expected to be the same.
    pub fn differ(&mut self, a: &Datum, b: &Datum) {
        let (Datum::String(a), Datum::String(b)) = (a, b) else { return };
        let common = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
        if a != b {
            self.note(a, common);
            self.note(b, common);
        }
    }

    /// Which of the parts that make up a text brought its wrong character. `None`: nothing is wrong with the text, or it is not made of
    /// the parts as they are; `text` writes the values that are no texts themselves.
    pub fn part_to_blame(
        &mut self,
        whole: &Datum,
        parts: &[Option<Datum>],
        text: &dyn Fn(&Datum) -> String,
    ) -> Option<usize> {
        let Datum::String(whole) = whole else { return None };
        let spot = *self.spots.get(whole)?;
        let mut from = 0;
        for (number, part) in parts.iter().enumerate() {
            let text = text_of(part.as_ref()?, text)?;
            if !whole.get(from..)?.starts_with(&*text) {
                return None;
            }
            let is_last = number + 1 == parts.len();
            if spot < from + text.len() || is_last {
                self.note(&text, (spot - from).min(text.len()));
                return Some(number);
            }
            from += text.len();
        }
        None
    }

    /// As [`Self::part_to_blame`], where something unknown may stand between the parts, and some may not be in it at all.
    pub fn piece_to_blame(&mut self, whole: &Datum, pieces: &[Option<Datum>]) -> Option<usize> {
        let Datum::String(whole) = whole else { return None };
        let spot = *self.spots.get(whole)?;
        let mut from = 0;
        for (number, piece) in pieces.iter().enumerate() {
            let Some(Datum::String(piece)) = piece else { continue };
            let Some(at) = whole.get(from..)?.find(&**piece).map(|at| from + at).filter(|_| piece.len() < whole.len())
            else {
                continue;
            };
            // What follows the last character of a piece may be the first that is missing in it.
            if spot >= at && spot <= at + piece.len() {
                self.note(piece, spot - at);
                return Some(number);
            }
            from = at + piece.len();
        }
        None
    }

    /// What a text was made of as a whole, by code that is not recorded: it is wrong where the two are still the same.
    pub fn made_of(&mut self, made: &Datum, of: &Datum) {
        let (Datum::String(made), Datum::String(of)) = (made, of) else { return };
        let Some(&spot) = self.spots.get(made) else { return };
        if let Some(at) = of.find(&**made) {
            self.note(of, at + spot);
        } else if of.get(..spot).is_some_and(|start| made.starts_with(start)) {
            self.note(of, spot);
        }
    }

    /// Notes where a text is wrong.
    pub fn wrong_at(&mut self, text: &Arc<str>, spot: usize) {
        self.note(text, spot.min(text.len()));
    }

    fn note(&mut self, text: &Arc<str>, spot: usize) {
        // Short ones are the same by chance.
        if text.len() >= SHORTEST {
            self.spots.entry(text.clone()).or_insert(spot);
        }
    }
}

const SHORTEST: usize = 3;

fn text_of(value: &Datum, text: &dyn Fn(&Datum) -> String) -> Option<Arc<str>> {
    match value {
        Datum::String(text) => Some(text.clone()),
        Datum::Undefined | Datum::Null | Datum::Bool(_) | Datum::Number(_) => Some(text(value).into()),
        _ => None,
    }
}
