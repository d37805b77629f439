//! Verdicts are kept in the folder of the run, in `judge.txt`: a line for each, in the order in which they were given.
//!
//! ```text
//! wrong out:3                            what the person pointed at first
//! 1 @230 invalid merge merge.js:5        thread, event of the call's entry, verdict, function, where it is
//! 1 @230 wrong c[2]                      the place of that call that is wrong
//! trusted function push lib/heap.js
//! trusted file lib/heap.js
//! trusted package lodash
//! ```

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use query::judge::{Given, Tree, Verdict};
use trace_format::private;
use trace_model::EventId;

use super::question::CallRef;
use crate::Error;

/// A verdict as it stands.
#[derive(Clone, Debug)]
pub struct VerdictShown {
    /// Nothing: it is about more than a call.
    pub call: Option<CallRef>,
    pub what: String,
    pub why: String,
}

/// Two verdicts that cannot both be right; the newer one stands.
#[derive(Clone, Debug)]
pub struct ConflictShown {
    pub older: String,
    pub newer: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Trust {
    Function { name: Option<String>, file: String },
    File(String),
    Package(String),
}

pub(super) struct Store {
    path: PathBuf,
    lines: Vec<Line>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Line {
    Verdict {
        thread: usize,
        event: u64,
        verdict: Verdict,
        about: String,
    },
    /// A place that is wrong when a call was over.
    Place {
        thread: usize,
        event: u64,
        place: String,
    },
    /// What was pointed at first: a place, or a point.
    Wrong {
        place: Option<String>,
        at: Option<String>,
    },
    Trust(Trust),
}

impl Store {
    pub fn open(run: &Path, is_fresh: bool) -> Result<Store, Error> {
        let path = run.join("judge.txt");
        let text = fs::read_to_string(&path).unwrap_or_default();
        let mut store = Store { path, lines: text.lines().filter_map(Line::parse).collect() };
        if is_fresh && !store.lines.is_empty() {
            store.change(Vec::clear)?;
        }
        Ok(store)
    }

    /// Of each call the event of its entry and what was said.
    pub fn add_verdicts(&mut self, thread: usize, given: &[(u64, Verdict, CallRef)]) -> Result<(), Error> {
        let line = |(event, verdict, call): &(u64, Verdict, CallRef)| Line::Verdict {
            thread,
            event: *event,
            verdict: *verdict,
            about: call.text(),
        };
        let given: Vec<Line> = given.iter().map(line).collect();
        self.change(|lines| lines.extend(given))
    }

    pub fn add_trust(&mut self, trust: Trust) -> Result<(), Error> {
        self.change(|lines| lines.push(Line::Trust(trust)))
    }

    pub fn add_place(&mut self, thread: usize, event: u64, place: &str) -> Result<(), Error> {
        self.change(|lines| lines.push(Line::Place { thread, event, place: place.into() }))
    }

    /// Places of calls that are wrong, by the events of their entries.
    pub fn places(&self, thread: usize) -> Vec<(u64, String)> {
        let places = self.lines.iter().filter_map(|line| match line {
            Line::Place { thread: own, event, place } if *own == thread => Some((*event, place.clone())),
            _ => None,
        });
        places.collect()
    }

    /// What is wrong, as a place and a point. Nothing: what was said before stands.
    pub fn pointed(
        &mut self,
        place: Option<&str>,
        at: Option<String>,
    ) -> Result<(Option<String>, Option<String>), Error> {
        if place.is_some() || at.is_some() {
            self.change(|lines| {
                lines.retain(|line| !matches!(line, Line::Wrong { .. }));
                lines.insert(0, Line::Wrong { place: place.map(str::to_owned), at });
            })?;
        }
        Ok(match self.lines.first() {
            Some(Line::Wrong { place, at }) => (place.clone(), at.clone()),
            _ => (None, None),
        })
    }

    /// Takes back the newest answer, which is so many lines, with the place that was pointed at.
    pub fn undo(&mut self, n_lines: usize) -> Result<Option<String>, Error> {
        let mut taken: Vec<String> = Vec::new();
        self.change(|lines| {
            while let Some(Line::Place { .. }) = lines.last() {
                lines.pop();
            }
            let is_answer = |line: &&Line| !matches!(line, Line::Wrong { .. });
            let n_taken = lines.iter().rev().take(n_lines).take_while(is_answer).count();
            taken.extend(lines.drain(lines.len() - n_taken..).map(|line| line.text()));
        })?;
        Ok((!taken.is_empty()).then(|| taken.join(", ")))
    }

    /// The verdicts on calls of a thread.
    pub fn given(&self, tree: &Tree, thread: usize) -> Vec<Given> {
        let given = self.lines.iter().filter_map(|line| match line {
            Line::Verdict { thread: own, event, verdict, .. } if *own == thread => {
                Some(Given { node: tree.entered_at(EventId(*event))?, verdict: *verdict })
            }
            _ => None,
        });
        given.collect()
    }

    pub fn trusts(&self) -> impl Iterator<Item = &Trust> {
        self.lines.iter().filter_map(|line| match line {
            Line::Trust(trust) => Some(trust),
            _ => None,
        })
    }

    pub fn text(&self) -> String {
        self.lines.iter().map(|line| line.text() + "\n").collect()
    }

    /// Changes what is kept, with what others have said meanwhile: two dialogues about one run keep each other's verdicts.
    fn change(&mut self, change: impl FnOnce(&mut Vec<Line>)) -> Result<(), Error> {
        let io = || Error::io(&self.path);
        let mut file = private::append(&self.path).map_err(io())?;
        file.lock().map_err(io())?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io())?;
        let mut lines = text.lines().filter_map(Line::parse).collect();
        change(&mut lines);
        let text: String = lines.iter().map(|line: &Line| line.text() + "\n").collect();
        // It is open for appending, so what is written lies at its start.
        file.set_len(0).and_then(|()| file.write_all(text.as_bytes())).map_err(io())?;
        self.lines = lines;
        Ok(())
    }
}

/// Whether a text is what such a file may hold.
pub(crate) fn are_sound(text: &str) -> bool {
    text.lines().all(|line| line.is_empty() || Line::parse(line).is_some())
}

impl Line {
    fn text(&self) -> String {
        match self {
            Line::Verdict { thread, event, verdict, about } => format!("{thread} @{event} {} {about}", word(*verdict)),
            Line::Place { thread, event, place } => format!("{thread} @{event} wrong {place}"),
            Line::Wrong { place: Some(place), at: Some(at) } => format!("wrong {place} at {at}"),
            Line::Wrong { place: Some(place), at: None } => format!("wrong {place} at end"),
            Line::Wrong { place: None, at } => format!("wrong {}", at.as_deref().unwrap_or("end")),
            Line::Trust(trust) => trust.text(),
        }
    }

    fn parse(line: &str) -> Option<Line> {
        if let Some(trust) = line.strip_prefix("trusted ") {
            let (kind, rest) = trust.split_once(' ')?;
            return Some(Line::Trust(match kind {
                "function" => {
                    let (name, file) = rest.split_once(' ')?;
                    Trust::Function { name: (name != TOP_LEVEL).then(|| name.to_owned()), file: file.to_owned() }
                }
                "file" => Trust::File(rest.to_owned()),
                "package" => Trust::Package(rest.to_owned()),
                _ => return None,
            }));
        }
        if let Some(wrong) = line.strip_prefix("wrong ") {
            let (place, at) = match wrong.rsplit_once(" at ") {
                Some((place, at)) => (Some(place.to_owned()), at),
                None => (None, wrong),
            };
            return Some(Line::Wrong { place, at: Some(at.to_owned()) });
        }
        let mut parts = line.splitn(4, ' ');
        let thread = parts.next()?.parse().ok().filter(|thread| *thread > 0)?;
        let event = parts.next()?.strip_prefix('@')?.parse().ok()?;
        let word = parts.next()?;
        let about = parts.next().unwrap_or_default().to_owned();
        if word == "wrong" {
            return Some(Line::Place { thread, event, place: about });
        }
        Some(Line::Verdict { thread, event, verdict: verdict_of(word)?, about })
    }
}

const TOP_LEVEL: &str = "<top>";

impl Trust {
    /// `merge`, `lib/heap.js`, `lib/heap.js:merge` or a package.
    pub fn parse(text: &str) -> Trust {
        let is_file = |text: &str| text.contains('/') || text.contains('.') && !text.starts_with('@');
        match text.rsplit_once(':') {
            Some((file, name)) if !name.is_empty() => Trust::Function { name: Some(name.into()), file: file.into() },
            _ if text.starts_with('@') => Trust::Package(text.into()),
            _ if is_file(text) => Trust::File(text.into()),
            _ => Trust::Function { name: Some(text.into()), file: String::new() },
        }
    }

    pub fn text(&self) -> String {
        match self {
            Trust::Function { name, file } => {
                format!("trusted function {} {file}", name.as_deref().unwrap_or(TOP_LEVEL)).trim_end().to_owned()
            }
            Trust::File(file) => format!("trusted file {file}"),
            Trust::Package(package) => format!("trusted package {package}"),
        }
    }

    /// Of a function of a file; `package` is what the file is of, if it is not the project's own.
    pub fn holds_for(&self, name: Option<&str>, file: &str, package: Option<&str>) -> bool {
        let is_file = |wanted: &str| wanted.is_empty() || query::ends_with_path(file, wanted);
        match self {
            Trust::Function { name: wanted, file } => name == wanted.as_deref() && is_file(file),
            Trust::File(wanted) => is_file(wanted),
            Trust::Package(wanted) => package == Some(wanted),
        }
    }
}

pub(super) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Valid => "valid",
        Verdict::Invalid => "invalid",
        Verdict::Unknown => "unknown",
    }
}

fn verdict_of(word: &str) -> Option<Verdict> {
    [Verdict::Valid, Verdict::Invalid, Verdict::Unknown].into_iter().find(|verdict| self::word(*verdict) == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_dialogues_keep_each_others_verdicts() {
        let run = tempfile::tempdir().unwrap();
        let mut one = Store::open(run.path(), false).unwrap();
        let mut other = Store::open(run.path(), false).unwrap();
        one.add_trust(Trust::File("a.js".into())).unwrap();
        other.add_trust(Trust::File("b.js".into())).unwrap();
        one.add_place(1, 30, "c[2]").unwrap();
        let expected = "trusted file a.js\ntrusted file b.js\n1 @30 wrong c[2]\n";
        assert_eq!(one.text(), expected);
        assert_eq!(Store::open(run.path(), false).unwrap().text(), expected);
        assert_eq!(Store::open(run.path(), true).unwrap().text(), "");
    }

    #[test]
    fn lines_come_back() {
        let lines = [
            "wrong out:3",
            "wrong cart.total at app.js:22",
            "1 @230 invalid merge merge.js:5",
            "1 @230 wrong c[2].price",
            "trusted function push lib/heap.js",
            "trusted file lib/heap.js",
            "trusted package @scope/lib",
        ];
        for line in lines {
            assert_eq!(Line::parse(line).map(|line| line.text()).as_deref(), Some(line));
        }
        assert_eq!(Line::parse("something else"), None);
    }

    #[test]
    fn what_a_person_trusts() {
        let holds = |trust: &str, name: &str, file: &str| Trust::parse(trust).holds_for(Some(name), file, None);
        assert!(holds("push", "push", "a/heap.js"));
        assert!(!holds("push", "pop", "a/heap.js"));
        assert!(holds("heap.js", "pop", "a/heap.js"));
        assert!(holds("a/heap.js:pop", "pop", "a/heap.js"));
        let of_package = |package| Trust::parse("@x/y").holds_for(Some("pop"), "node_modules/@x/y/lib/z.js", package);
        assert!(of_package(Some("@x/y")) && !of_package(Some("x")) && !of_package(None));
    }
}
