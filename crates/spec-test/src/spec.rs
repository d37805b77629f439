//! One test: the files below a heading, the questions in and behind them, the answers that are expected.

use std::ops::Range;

use crate::caret::carets;
use crate::markdown::{Block, Section};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    pub heading: String,
    /// Names and texts.
    pub files: Vec<(String, String)>,
    pub command: Vec<String>,
    pub exchanges: Vec<Exchange>,
}

/// Questions, and the block that answers them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exchange {
    pub questions: Vec<Question>,
    pub answer: Answer,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    Given {
        text: String,
        /// The lines of the file that it takes.
        lines: Range<usize>,
        /// It is known to be wrong, and why.
        wrong: Option<String>,
    },
    /// There is none yet; it belongs before this line of the file.
    Missing { at: usize },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// `P1` is the answer to the first question of a test.
    pub number: usize,
    /// `last-change`, `state`, …
    pub kind: String,
    /// A place, an expression, or what else the question is about; `None`: what stands at the point.
    pub subject: Option<String>,
    /// As the command line takes it, or `P2`, `P2.3`; `None`: where the run ended.
    pub point: Option<String>,
}

/// The test below a heading; `None` if there is only prose.
pub fn spec(section: &Section) -> Result<Option<Spec>, String> {
    if section.blocks.is_empty() {
        return Ok(None);
    }
    let mut spec =
        Spec { heading: section.heading.clone(), files: Vec::new(), command: Vec::new(), exchanges: Vec::new() };
    let mut open: Vec<Question> = Vec::new();
    let mut n_questions = 0;
    let mut last_line = 0;
    for block in &section.blocks {
        let (language, name) = block.info.split_once(' ').unwrap_or((&block.info, ""));
        let asked = match language {
            "answer" => {
                spec.exchanges.push(exchange(&mut open, block)?);
                continue;
            }
            "ask" => block.text.lines().map(|line| question(line, None, spec.main())).collect::<Result<Vec<_>, _>>()?,
            "command" => {
                spec.command = block.text.split_whitespace().map(str::to_owned).collect();
                continue;
            }
            language => {
                let name = if name.is_empty() { format!("main.{language}") } else { name.to_owned() };
                spec.files.push((name.clone(), block.text.clone()));
                carets(&block.text)
                    .into_iter()
                    .map(|caret| {
                        let here = format!("{name}:{}:{}", caret.line, caret.column);
                        question(&caret.question, Some(here), &name)
                    })
                    .collect::<Result<Vec<_>, _>>()?
            }
        };
        last_line = if asked.is_empty() { last_line } else { block.lines.end + 1 };
        for mut question in asked {
            n_questions += 1;
            question.number = n_questions;
            open.push(question);
        }
    }
    if !open.is_empty() {
        spec.exchanges.push(Exchange { questions: open, answer: Answer::Missing { at: last_line } });
    }
    if spec.exchanges.is_empty() {
        return Err(format!("{:?} asks nothing", spec.heading));
    }
    if spec.command.is_empty() {
        spec.command = vec!["node".into(), spec.main().into()];
    }
    Ok(Some(spec))
}

impl Spec {
    /// The program: what has no name, or else the first file.
    pub fn main(&self) -> &str {
        let named = |name: &&String| name.starts_with("main.");
        let names = || self.files.iter().map(|(name, _)| name);
        names().find(named).or(names().next()).map_or("main.js", String::as_str)
    }
}

fn exchange(open: &mut Vec<Question>, block: &Block) -> Result<Exchange, String> {
    if open.is_empty() {
        return Err(format!("the answer in line {} answers nothing", block.lines.start));
    }
    let wrong =
        block.comments.iter().find_map(|comment| comment.strip_prefix("wrong:")).map(|why| why.trim().to_owned());
    let answer = Answer::Given { text: block.text.clone(), lines: block.lines.clone(), wrong };
    Ok(Exchange { questions: std::mem::take(open), answer })
}

/// `KIND [SUBJECT] [at POINT]`. `here` is what a caret points to.
fn question(text: &str, here: Option<String>, file: &str) -> Result<Question, String> {
    let (kind, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    let (subject, point) = match rest.rfind("at ").filter(|at| *at == 0 || rest[..*at].ends_with(' ')) {
        Some(at) => (rest[..at].trim(), Some(rest[at + 3..].trim())),
        None => (rest.trim(), None),
    };
    let point = match point {
        None => here,
        Some(point) => match (point.strip_prefix("hit "), here) {
            (Some(hit), Some(here)) => Some(format!("{here}#{hit}")),
            (Some(_), None) => return Err(format!("{text:?}: only a caret knows its line")),
            (None, _) if point.starts_with(|c: char| c.is_ascii_digit()) => Some(format!("{file}:{point}")),
            (None, _) => Some(point.to_owned()),
        },
    };
    let subject = (!subject.is_empty()).then(|| subject.to_owned());
    Ok(Question { number: 0, kind: kind.to_owned(), subject, point })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::sections;

    fn questions(text: &str) -> Vec<String> {
        let sections = sections(text).expect("Markdown");
        let spec = spec(&sections[0]).expect("well-formed").expect("a test");
        let shown = |question: &Question| {
            let [subject, point] = [&question.subject, &question.point].map(|text| text.as_deref().unwrap_or("-"));
            format!("P{} {} [{subject}] {point}", question.number, question.kind)
        };
        spec.exchanges.iter().flat_map(|exchange| &exchange.questions).map(shown).collect()
    }

    #[test]
    fn carets_and_ask_blocks() {
        let text = "# A\n```js\nlog(a.b);\n//    ^ last-change\n//    ^ eval a.b + 1 at hit 2\n```\n```answer\n```\n\
                    ```ask\nlast-change a at P1\nstate at 1#3\nhistory c\n```\n```answer\n```\n";
        assert_eq!(
            questions(text),
            [
                "P1 last-change [-] main.js:1:7",
                "P2 eval [a.b + 1] main.js:1:7#2",
                "P3 last-change [a] P1",
                "P4 state [-] main.js:1#3",
                "P5 history [c] -",
            ]
        );
    }

    #[test]
    fn a_missing_answer_belongs_behind_its_question() {
        let sections = sections("# A\n```js\nf();\n// ^ state\n```\nprose\n").expect("Markdown");
        let spec = spec(&sections[0]).expect("well-formed").expect("a test");
        assert_eq!(spec.exchanges[0].answer, Answer::Missing { at: 5 });
        assert_eq!(spec.command, ["node", "main.js"]);
    }
}
