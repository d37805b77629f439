use std::fmt;

use debugger::PointText;

/// A question, as it is asked of any run of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    pub kind: Kind,
    pub at: At,
    /// Of a line, the newest of its times at which this is true.
    pub when: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    LastChange {
        place: Option<String>,
    },
    LastCondition,
    History {
        place: Option<String>,
    },
    Eval {
        expression: Option<String>,
    },
    /// One of a specification that is about the run as a whole.
    Whole {
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
        match (&self.kind, &self.at) {
            (Kind::Whole { question, .. }, _) => {
                let words = question.subject.iter().flat_map(|subject| subject.split_whitespace());
                let named = words.chain(question.point.as_deref()).filter_map(spec_test::answer_point);
                named.map(|(answer, _)| answer - 1).max()
            }
            (_, At::Answer { question, .. }) => Some(*question),
            _ => None,
        }
    }

    /// Its point, where the points of earlier answers have these numbers.
    pub fn point(&self, told: &[Vec<Option<u32>>]) -> Result<Option<PointText>, String> {
        match (&self.kind, &self.at) {
            (Kind::Whole { question, .. }, _) => {
                question.point.as_deref().map(|point| spec_test::point_of(point, told)).transpose()
            }
            (_, At::Usual) => Ok(None),
            (_, At::Text(text)) => Ok(Some(text.clone())),
            (_, At::Answer { question, point, .. }) => {
                let number = told.get(*question).and_then(|points| points.get(*point)).copied().flatten();
                let number = number.ok_or_else(|| format!("answer {} has no point {}", question + 1, point + 1))?;
                Ok(Some(PointText::Answer(number)))
            }
        }
    }
}

impl Kind {
    pub fn name(&self) -> &str {
        match self {
            Kind::LastChange { .. } => "last-change",
            Kind::LastCondition => "last-condition",
            Kind::History { .. } => "history",
            Kind::Eval { .. } => "eval",
            Kind::Whole { question, .. } => &question.kind,
        }
    }

    /// As far as it matters for what is recorded.
    pub fn planned(&self) -> debugger::Question {
        match self.clone() {
            Kind::LastChange { place } => debugger::Question::LastChange { place },
            Kind::LastCondition => debugger::Question::LastCondition,
            Kind::History { place } => debugger::Question::History { place },
            Kind::Eval { expression } => debugger::Question::Eval { expression },
            Kind::Whole { .. } => debugger::Question::Whole,
        }
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.kind.name())?;
        let subject = match &self.kind {
            Kind::LastChange { place } | Kind::History { place } => place,
            Kind::Eval { expression } => expression,
            Kind::LastCondition => &None,
            Kind::Whole { question, .. } => &question.subject,
        };
        if let Some(subject) = subject {
            write!(f, " {subject}")?;
        }
        match (&self.kind, &self.at) {
            (Kind::Whole { question, .. }, _) => {
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
