//! What stays in a run that is shared although it may be secret, for a person to look through: no rule knows every secret.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};
use trace_model::is_redacted;

use super::rules::looks_secret;

/// A value that was kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    pub value: String,
    /// The name that it stood under, where that is why it may be one.
    pub name: Option<String>,
    /// In how many texts of the run it is.
    pub n_places: u64,
}

#[derive(Default)]
pub(super) struct KeptValues {
    values: BTreeMap<String, (Option<String>, u64)>,
    /// Finds those that stood under a name, and which these are: made for the first text that is seen after they were added.
    named: Option<(AhoCorasick, Vec<String>)>,
}

impl KeptValues {
    /// A value that stood under the name of a secret, and is taken out there at most.
    pub fn add_named(&mut self, value: &str, name: &str) {
        let values = &mut self.values;
        if !value.is_empty() && value.len() <= LONGEST && (values.len() < MOST || values.contains_key(value)) {
            values.entry(value.to_owned()).or_default().0.get_or_insert_with(|| name.to_owned());
            self.named = None;
        }
    }

    /// Counts what of a text looks as if nobody had typed it, and what stood under a name.
    pub fn see(&mut self, text: &str) {
        for value in self.named_in(text) {
            self.count(&value);
        }
        for run in text.split(|c: char| !is_inner(c) && !is_sign(c)) {
            let words: Vec<&str> = run.split(|c| !is_inner(c)).filter(|word| self.is_listed(word)).collect();
            // With signs in it, only where no part of it says as much.
            let seen = if words.is_empty() && self.is_listed(run) { vec![run] } else { words };
            seen.into_iter().for_each(|word| self.count(word));
        }
    }

    /// Each once.
    fn named_in(&mut self, text: &str) -> BTreeSet<String> {
        let (finder, values) = self.named.get_or_insert_with(|| {
            let named = self.values.iter().filter(|(_, (name, _))| name.is_some());
            let values: Vec<String> = named.map(|(value, _)| value.clone()).collect();
            // A thousand short values always fit.
            let finder = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&values);
            (finder.expect("there are few values"), values)
        });
        let goes_on = |c: char| c.is_alphanumeric() || c == '_';
        let is_part = |part: &Range<usize>| {
            let (value, before, behind) = (&text[part.clone()], &text[..part.start], &text[part.end..]);
            value.starts_with(goes_on) && before.ends_with(goes_on)
                || value.ends_with(goes_on) && behind.starts_with(goes_on)
        };
        let found = finder.find_iter(text).filter(|found| !is_part(&found.range()));
        found.map(|found| values[found.pattern().as_usize()].clone()).collect()
    }

    fn is_listed(&self, word: &str) -> bool {
        match self.values.get(word) {
            // It was counted already.
            Some((Some(_), _)) => false,
            Some((None, _)) => true,
            None => self.values.len() < MOST && is_suspect(word),
        }
    }

    fn count(&mut self, value: &str) {
        self.values.entry(value.to_owned()).or_default().1 += 1;
    }

    /// Those under a name first, and then what is in most places.
    pub fn list(&self) -> Vec<Kept> {
        let mut all: Vec<Kept> = self
            .values
            .iter()
            .filter(|(_, (_, n_places))| *n_places > 0)
            .map(|(value, (name, n_places))| Kept { value: value.clone(), name: name.clone(), n_places: *n_places })
            .collect();
        all.sort_by(|a, b| (a.name.is_none(), b.n_places).cmp(&(b.name.is_none(), a.n_places)));
        all
    }
}

/// More are not read.
const MOST: usize = 1_000;
const LONGEST: usize = 400;

fn is_inner(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-+/=.~%".contains(c)
}

/// What stands in passwords, and also between words.
fn is_sign(c: char) -> bool {
    "!@$:#^&*?".contains(c)
}

/// Neither a path nor a number with a unit: letters and digits take turns in it.
fn is_suspect(word: &str) -> bool {
    let classes = word.chars().map(|c| (c.is_ascii_digit(), c.is_ascii_uppercase()));
    let n_turns = classes.clone().zip(classes.skip(1)).filter(|(before, now)| before != now).count();
    (SHORTEST..=LONGEST).contains(&word.len())
        && looks_secret(word)
        && n_turns * 6 >= word.len()
        && word.matches(['/', '.', ':']).count() * 12 <= word.len()
        && !is_redacted(word)
}

const SHORTEST: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_would_type_is_listed_and_what_stands_under_a_name() {
        let mut kept = KeptValues::default();
        kept.add_named("admin", "password");
        kept.add_named("gone", "token");
        kept.see("admin went to https://example.com/a/b2/c with 3f9aB27Qx81LmZ04 and src/app.test.js:12:7, 2026-11-19");
        kept.see("again 3f9aB27Qx81LmZ04");
        let listed: Vec<_> = kept.list().into_iter().map(|kept| (kept.value, kept.name, kept.n_places)).collect();
        assert_eq!(listed, [("admin".into(), Some("password".into()), 1), ("3f9aB27Qx81LmZ04".into(), None, 2)]);
    }

    #[test]
    fn blanks_and_signs_hide_nothing() {
        let mut kept = KeptValues::default();
        kept.add_named("open sesame", "token");
        kept.add_named("a!b", "pass");
        kept.see("it said open sesame twice: open sesame; not reopen sesame, but a!b");
        kept.see("with x9!Qw$7z@Lp2:Kd4 and at 12:30:05 key:3f9aB27Qx81LmZ04 and {a:1,b:2,c:3,d:4,e:5}");
        let listed: Vec<_> = kept.list().into_iter().map(|kept| (kept.value, kept.n_places)).collect();
        let expected = [("a!b", 1), ("open sesame", 1), ("3f9aB27Qx81LmZ04", 1), ("x9!Qw$7z@Lp2:Kd4", 1)];
        assert_eq!(listed, expected.map(|(value, n_places)| (value.to_owned(), n_places)));
    }
}
