use std::fmt;

use debugger::{PointText, QuestionKind, Where};
use spec_test::Written;

/// A question, as it is asked of any run of a program: points of earlier answers have other numbers in each.
#[derive(Clone, PartialEq, Debug)]
pub struct Question {
    pub asks: Asks,
    pub at: At,
    /// Of a line, the newest of its times at which this is true.
    pub when: Option<String>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Asks {
    Of(Box<QuestionKind>),
    /// One of a specification.
    Written {
        question: spec_test::Question,
        main: String,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum At {
    /// The failure, or else the end.
    Usual,
    Text(PointText),
    /// A point in an earlier answer: which question's, and which of its points, from 0.
    Answer {
        question: usize,
        point: usize,
        of: AnswerOf,
    },
}

/// In which run an answer is asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnswerOf {
    /// The sparse one that it is of.
    Rerun,
    /// The full recording.
    Full,
}

impl Question {
    /// The newest earlier question whose answer this one names.
    pub fn hangs_on(&self) -> Option<usize> {
        match (&self.asks, &self.at) {
            (Asks::Written { question, .. }, _) => {
                let words = question.subject.iter().flat_map(|subject| subject.split_whitespace());
                let named = words.chain(question.point.as_deref()).filter_map(spec_test::answer_point);
                named.map(|(answer, _)| answer - 1).max()
            }
            (_, At::Answer { question, .. }) => Some(*question),
            _ => None,
        }
    }

    pub fn name(&self) -> &str {
        match &self.asks {
            Asks::Of(kind) => kind.name(),
            Asks::Written { question, .. } => &question.kind,
        }
    }

    /// As it is put to a run in which the points of earlier answers have these numbers.
    pub fn asked(&self, told: &[Vec<Option<u32>>]) -> Result<debugger::Question, String> {
        let kind = match &self.asks {
            Asks::Written { question, main } => return Written { main, told }.question(question),
            Asks::Of(kind) => (**kind).clone(),
        };
        Ok(debugger::Question {
            kind,
            from: Where { at: self.point(told)?, when: self.when.clone(), ..Where::default() },
        })
    }

    fn point(&self, told: &[Vec<Option<u32>>]) -> Result<Option<PointText>, String> {
        match &self.at {
            At::Usual => Ok(None),
            At::Text(text) => Ok(Some(text.clone())),
            At::Answer { question, point, .. } => {
                let number = told.get(*question).and_then(|points| points.get(*point)).copied().flatten();
                let number = number.ok_or_else(|| format!("answer {} has no point {}", question + 1, point + 1))?;
                Ok(Some(PointText::Answer(number)))
            }
        }
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())?;
        let subject = match &self.asks {
            Asks::Of(kind) => match &**kind {
                QuestionKind::LastChange { place } | QuestionKind::History { place, .. } => place,
                QuestionKind::Eval { expression } => expression,
                _ => &None,
            },
            Asks::Written { question, .. } => &question.subject,
        };
        if let Some(subject) = subject {
            write!(f, " {subject}")?;
        }
        match (&self.asks, &self.at) {
            (Asks::Written { question, .. }, _) => {
                question.point.iter().try_for_each(|point| write!(f, " at {point}"))?
            }
            (_, At::Usual) => {}
            (_, At::Text(text)) => write!(f, " at {text}")?,
            (_, At::Answer { question, point, of }) => {
                let of = if *of == AnswerOf::Full { " of the full recording" } else { "" };
                write!(f, " at point {} of answer {}{of}", point + 1, question + 1)?;
            }
        }
        self.when.iter().try_for_each(|when| write!(f, " when {when}"))
    }
}
