use std::fs;
use std::path::Path;

use debugger::{QuestionShown, TableShown};

use super::conduct::{Person, Reply};
use super::oracle::reply_of;
use super::tables::{TableReply, by_rows};
use crate::failure::Failure;

/// Answers from a file: a line for each, of a call and a verdict. The first line that fits a question answers it.
pub struct Answers {
    name: String,
    /// The call, and what is said of it.
    lines: Vec<(String, String)>,
}

impl Answers {
    pub fn read(file: &Path) -> Result<Answers, Failure> {
        let name = file.display().to_string();
        let text = fs::read_to_string(file).map_err(|error| Failure::wrong_usage(format!("{name}: {error}")))?;
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with("//") {
                continue;
            }
            let parts = line.split_once(char::is_whitespace);
            let answer = parts.and_then(|(call, said)| reply_of(said).map(|_| (call.to_owned(), said.to_owned())));
            lines.push(answer.ok_or_else(|| {
                Failure::wrong_usage(format!(
                    "{name}:{number}: {line:?} is no answer; write a function or a point, and valid, invalid, trusted or unknown"
                ))
            })?);
        }
        Ok(Answers { name, lines })
    }
}

impl Answers {
    fn answer(&self, question: &QuestionShown) -> Result<Reply, Failure> {
        let fitting = self.lines.iter().find(|(call, _)| fits(call, question));
        fitting.and_then(|(_, said)| reply_of(said)).ok_or_else(|| {
            let call = &question.call;
            Failure {
                message: format!("{} has no answer for {} (@{})", self.name, call.text(), call.event),
                code: crate::NONE,
            }
        })
    }
}

impl Person for Answers {
    fn reply(&mut self, question: &QuestionShown) -> Result<Reply, Failure> {
        self.answer(question)
    }

    /// A file that says something of one row need not know the others.
    fn reply_to_table(&mut self, table: &TableShown) -> Result<TableReply, Failure> {
        let is_known = |row: &QuestionShown| self.lines.iter().any(|(call, _)| fits(call, row));
        let knows_any = table.rows.iter().any(is_known);
        by_rows(table, &mut |row| match knows_any && !is_known(row) {
            true => Ok(None),
            false => self.answer(row).map(Some),
        })
    }

    fn reads(&self) -> bool {
        false
    }
}

/// `merge`, `merge#3`, `merge.js:5`, `merge.js:5#3`, `@230`, `*`
fn fits(wanted: &str, question: &QuestionShown) -> bool {
    let call = &question.call;
    if wanted == "*" || wanted == format!("@{}", call.event) {
        return true;
    }
    let (what, hit) = match wanted.rsplit_once('#') {
        Some((what, hit)) => (what, hit.parse::<u64>().ok()),
        None => (wanted, None),
    };
    let is_hit = hit.is_none() || hit == question.point.hit;
    let is_line = what.rsplit_once(':').is_some_and(|(file, line)| {
        (call.file == file || call.file.ends_with(&format!("/{file}"))) && line.parse().ok() == call.line
    });
    is_hit && (is_line || call.function.as_deref() == Some(what))
}
