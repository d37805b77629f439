//! Questions that are typed into the console, and their answers as the command line prints them.

use debugger::{CrashPathRequest, OmissionsRequest, PageRequest, PointText, Question, QuestionKind, Where, WhyRequest};

use crate::adapter::Adapter;
use crate::protocol::Evaluated;
use crate::refusal::Refusal;

/// What was typed, if it begins with a word that is no expression here.
pub enum Command {
    Ask(Box<QuestionKind>),
    Goto(PointText),
    Judge(Vec<String>),
    Help,
}

/// The words, and what they do.
pub const WORDS: &[(&str, &str)] = &[
    ("why", "why [PLACE]: explains the failure, why a place holds its value, or why control came here"),
    ("last-change", "last-change PLACE: where its value came from"),
    ("last-condition", "last-condition: the branch that decided that control came here"),
    ("history", "history PLACE: every change of it"),
    ("omissions", "omissions PLACE: what should have happened to it and did not"),
    ("why-not", "why-not FILE:LINE: why a line was not reached"),
    ("crash-path", "crash-path [PLACE]: what happened from the birth of an object to the crash"),
    ("judge", "judge: finds the wrong call by asking of a few; judge valid, invalid, unknown, trusted or undo replies"),
    ("goto", "goto POINT: shows another moment: P2, app.js:22#3, crash, end"),
    ("help", "help: this list; anything else is an expression"),
];

impl Command {
    /// Nothing for an expression.
    pub fn parse(text: &str) -> Option<Result<Command, Refusal>> {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        if !WORDS.iter().any(|(known, _)| *known == word) || is_expression(rest) {
            return None;
        }
        let place = Some(rest.to_owned()).filter(|rest| !rest.is_empty());
        let named = || place.clone().ok_or_else(|| Refusal::new(format!("{word} needs a place: {word} cart.total")));
        Some(match word {
            "why" => Ok(asked(QuestionKind::Why(WhyRequest { place, ..WhyRequest::default() }))),
            "last-change" => named().map(|place| asked(QuestionKind::LastChange { place: Some(place) })),
            "last-condition" => Ok(asked(QuestionKind::LastCondition)),
            "history" => named().map(|place| {
                asked(QuestionKind::History { place: Some(place), page: PageRequest::first(MOST_CHANGES) })
            }),
            "omissions" => named().map(|place| {
                asked(QuestionKind::Omissions { place: Some(place), request: OmissionsRequest::default() })
            }),
            "why-not" => why_not(rest).map(asked),
            "crash-path" => Ok(asked(QuestionKind::CrashPath(CrashPathRequest { place, ..Default::default() }))),
            "judge" => Ok(Command::Judge(rest.split_whitespace().map(str::to_owned).collect())),
            "goto" => rest.parse().map(Command::Goto).map_err(Refusal::new),
            _ => Ok(Command::Help),
        })
    }
}

fn asked(kind: QuestionKind) -> Command {
    Command::Ask(Box::new(kind))
}

/// Whether a word of ours is a variable of the program here: `why = 3`, `history.length`.
fn is_expression(rest: &str) -> bool {
    rest.starts_with(['=', '.', '[', '(', '+', '*', '/', '<', '>', '?', '&', '|', '!'])
}

fn why_not(rest: &str) -> Result<QuestionKind, Refusal> {
    match rest.parse() {
        Ok(PointText::Line { file, line, .. }) => {
            Ok(QuestionKind::WhyNot { file, line, request: OmissionsRequest::default() })
        }
        _ => Err(Refusal::new("why-not needs a line: why-not app.js:22")),
    }
}

const MOST_CHANGES: usize = 50;

impl Adapter {
    pub fn command(&mut self, command: &Command, frame_id: Option<i64>) -> Result<Evaluated, Refusal> {
        let result = match command {
            Command::Ask(kind) => self.answer_of(kind, frame_id)?,
            Command::Judge(words) => self.judged(words)?,
            Command::Goto(to) => self.gone_to(to)?,
            Command::Help => WORDS.iter().map(|(_, says)| *says).collect::<Vec<_>>().join("\n"),
        };
        Ok(Evaluated { result, ..Evaluated::default() })
    }

    fn answer_of(&mut self, kind: &QuestionKind, frame_id: Option<i64>) -> Result<String, Refusal> {
        let from = self.seen_from(frame_id)?;
        let question = Question { kind: kind.clone(), from };
        let reply = self.opened()?.ask_numbered(&question, &self.control)?;
        self.keep_chain(&reply.answer);
        let mut text = self.options.pages.answer(&reply.answer);
        for note in reply.notes {
            text.push_str(&format!("({note})\n"));
        }
        Ok(text.trim_end().to_owned())
    }

    /// Where control stands: a point that any run can find again. From another frame of the stack, that frame.
    fn seen_from(&self, frame_id: Option<i64>) -> Result<Where, Refusal> {
        let open = self.opened()?;
        let innermost = self.frame_or_innermost(None)?;
        let frame = self.frame_or_innermost(frame_id)?;
        Ok(match frame.filter(|frame| Some(frame) != innermost.as_ref()) {
            Some(frame) => Where { frame: Some(frame), ..Where::default() },
            None => open.place(open.thread),
        })
    }

    fn gone_to(&mut self, to: &PointText) -> Result<String, Refusal> {
        let point = self.go_to(to, None)?;
        Ok(match (&point.file, point.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            _ => to.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_ours_may_be_a_variable_of_the_program() {
        let is_command = |text: &str| Command::parse(text).is_some();
        assert!(is_command("why") && is_command(" why cart.total ") && is_command("judge valid"));
        assert!(
            !is_command("why.x") && !is_command("history.length") && !is_command("why + 1") && !is_command("total")
        );
    }

    #[test]
    fn what_is_left_out_is_said() {
        let refused = |text: &str| Command::parse(text).unwrap().err().map(|refusal| refusal.sentence);
        assert_eq!(refused("last-change").unwrap(), "last-change needs a place: last-change cart.total");
        assert_eq!(refused("why-not there").unwrap(), "why-not needs a line: why-not app.js:22");
        assert!(refused("goto nowhere").unwrap().contains("is not a point"));
        assert!(refused("why").is_none());
    }
}
