//! What stays in a run that is shared although it may be secret, for a person to look through: no rule knows every secret.

use std::collections::BTreeMap;

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
pub(super) struct KeptValues(BTreeMap<String, (Option<String>, u64)>);

impl KeptValues {
    /// A value that stood under the name of a secret, and is taken out there at most.
    pub fn add_named(&mut self, value: &str, name: &str) {
        if value.len() <= LONGEST && (self.0.len() < MOST || self.0.contains_key(value)) {
            self.0.entry(value.to_owned()).or_default().0.get_or_insert_with(|| name.to_owned());
        }
    }

    /// Counts what of a text looks as if nobody had typed it.
    pub fn see(&mut self, text: &str) {
        let is_inner = |c: char| c.is_ascii_alphanumeric() || "_-+/=.~%".contains(c);
        for word in text.split(|c| !is_inner(c)) {
            if let Some((_, n_places)) = self.0.get_mut(word) {
                *n_places += 1;
            } else if self.0.len() < MOST && is_suspect(word) {
                self.0.insert(word.to_owned(), (None, 1));
            }
        }
    }

    /// Those under a name first, and then what is in most places.
    pub fn list(&self) -> Vec<Kept> {
        let mut all: Vec<Kept> = self
            .0
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

/// Neither a path nor a number with a unit: letters and digits take turns in it.
fn is_suspect(word: &str) -> bool {
    let classes = word.chars().map(|c| (c.is_ascii_digit(), c.is_ascii_uppercase()));
    let n_turns = classes.clone().zip(classes.skip(1)).filter(|(before, now)| before != now).count();
    (SHORTEST..=LONGEST).contains(&word.len())
        && looks_secret(word)
        && n_turns * 6 >= word.len()
        && word.matches(['/', '.']).count() * 12 <= word.len()
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
}
