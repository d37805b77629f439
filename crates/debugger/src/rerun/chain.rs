//! What the points of answers are: the questions that gave them. `questions.txt` in the folder of a run has a line for each point
//! that a question gave: its number, the point it was asked at, the question, the place, and what the answer was then.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use trace_format::private;

use crate::ask::PointText;
use crate::page::PageRequest;
use crate::{Question, QuestionKind, Where};

/// What a point is.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Definition {
    pub number: u32,
    /// `last-change`, `last-condition` or `history`: others give no point that could be found again by asking.
    pub question: Question,
    /// Of a history, how many newer changes there are.
    pub n_newer: usize,
    pub found: EarlierAnswer,
}

/// What an answer was in one run, to be compared with what it is in another.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct EarlierAnswer {
    /// `app.js:22:7`
    pub place: String,
    pub value: String,
}

impl EarlierAnswer {
    /// `written at app.js:22:7: 42`
    pub fn in_short(&self, kind: &str) -> String {
        match self.place.as_str() {
            "" => kind.to_owned(),
            place => format!("{kind} at {place}: {}", self.value),
        }
    }
}

/// The definitions of one run.
pub(crate) struct Definitions {
    path: PathBuf,
}

impl Definitions {
    pub fn of_run(folder: &Path) -> Definitions {
        Definitions { path: folder.join("questions.txt") }
    }

    pub fn all(&self) -> Vec<Definition> {
        let text = fs::read_to_string(&self.path).unwrap_or_default();
        text.lines().filter_map(Definition::of_line).collect()
    }

    /// Whether a text is what such a file may hold, in a run with so many points.
    pub fn are_sound(text: &str, n_points: usize) -> bool {
        let is_sound = |line: &str| {
            Definition::of_line(line).is_some_and(|definition| {
                let earlier = match definition.question.from.at {
                    Some(PointText::Answer(earlier)) => earlier as usize,
                    _ => 1,
                };
                [earlier, definition.number as usize].iter().all(|number| (1..=n_points).contains(number))
            })
        };
        text.lines().all(|line| line.is_empty() || is_sound(line))
    }

    pub fn of(&self, number: u32) -> Option<Definition> {
        self.all().into_iter().rfind(|definition| definition.number == number)
    }

    /// Where the run cannot be written to, its points cannot be asked about in another run, and that is all.
    pub fn add(&self, definition: &Definition) {
        // The first question that gave a point says what it is: later ones may hang on it.
        if self.of(definition.number).is_some() {
            return;
        }
        let file = private::append(&self.path);
        let _ = file.and_then(|mut file| file.write_all(definition.line().as_bytes()));
    }

    /// A point and those that it hangs on, the oldest question first.
    pub fn chain(&self, number: u32) -> Vec<Definition> {
        let mut chain = Vec::new();
        let mut next = Some(number);
        while let Some(definition) = next.and_then(|number| self.of(number)) {
            next = match definition.question.from.at {
                Some(PointText::Answer(earlier)) if earlier < definition.number => Some(earlier),
                _ => None,
            };
            chain.push(definition);
        }
        chain.reverse();
        chain
    }
}

impl Definition {
    fn line(&self) -> String {
        let Question { kind, from } = &self.question;
        let (kind, place) = match kind {
            QuestionKind::LastChange { place } => (kind.name().to_owned(), place.as_deref()),
            QuestionKind::History { place, .. } => (format!("{} {}", kind.name(), self.n_newer), place.as_deref()),
            kind => (kind.name().to_owned(), None),
        };
        let at = from.at.as_ref().map(ToString::to_string);
        let fields = [
            self.number.to_string(),
            at.unwrap_or_default(),
            from.when.clone().unwrap_or_default(),
            kind,
            place.unwrap_or_default().to_owned(),
            self.found.place.clone(),
            self.found.value.clone(),
        ];
        let plain = |field: &String| field.replace(['\t', '\n', '\r'], " ");
        fields.iter().map(plain).collect::<Vec<_>>().join("\t") + "\n"
    }

    fn of_line(line: &str) -> Option<Definition> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [number, at, condition, kind, place, found, value] = fields[..] else { return None };
        let some = |field: &str| (!field.is_empty()).then(|| field.to_owned());
        let at = some(at).map(|at| at.parse().ok());
        let mut n_newer = 0;
        let kind = match kind {
            "last-change" => QuestionKind::LastChange { place: some(place) },
            "last-condition" => QuestionKind::LastCondition,
            kind => {
                n_newer = kind.strip_prefix("history ")?.parse::<u32>().ok()? as usize;
                QuestionKind::History { place: some(place), page: PageRequest::first(n_newer.checked_add(1)?) }
            }
        };
        let from = Where { at: at.map_or(Some(None), |at| at.map(Some))?, when: some(condition), ..Where::default() };
        Some(Definition {
            number: number.parse().ok()?,
            question: Question { kind, from },
            n_newer,
            found: EarlierAnswer { place: found.to_owned(), value: value.to_owned() },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(number: u32, at: &str, place: &str) -> Definition {
        Definition {
            number,
            question: Question::at(QuestionKind::LastChange { place: Some(place.into()) }, at.parse().ok()),
            n_newer: 0,
            found: EarlierAnswer { place: "app.js:3:1".into(), value: "\"a b\"".into() },
        }
    }

    #[test]
    fn a_chain_is_read_from_its_first_question_on() {
        let run = tempfile::tempdir().unwrap();
        let definitions = Definitions::of_run(run.path());
        let first = definition(1, "app.js:22", "cart.total");
        let question = Question::at(QuestionKind::LastCondition, "P1".parse().ok());
        let second = Definition { question, ..definition(2, "", "") };
        let kind = QuestionKind::History { place: Some("x".into()), page: PageRequest::first(5) };
        let question = Question::at(kind, "crash".parse().ok());
        let third = Definition { question, n_newer: 4, ..definition(3, "", "") };
        for definition in [&first, &second, &first, &third] {
            definitions.add(definition);
        }
        assert_eq!(definitions.chain(2), [first, second]);
        assert_eq!(definitions.chain(3), [third]);
        assert_eq!(definitions.all().len(), 3);
        assert_eq!(definitions.chain(7), []);
    }
}
