//! What ran and was not recorded.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use debugger::{NotCaptured, Session};
use serde::Serialize;

use crate::ask::{AnswerFormat, escaped};
use crate::failure::{Failure, unless_closed};
use crate::{ANSWERED, NONE, tell};

pub fn print(session: &Session, format: AnswerFormat) -> Result<ExitCode, Failure> {
    let (all, notes) = debugger::not_captured(session);
    let mut out = BufWriter::new(io::stdout().lock());
    let write = |it: &NotCaptured| match format {
        AnswerFormat::Text => writeln!(out, "{}", text(it)),
        AnswerFormat::Markdown => writeln!(out, "- {}", escaped(&text(it))),
        AnswerFormat::Json => {
            serde_json::to_writer(&mut out, &json(it))?;
            writeln!(out)
        }
    };
    let written = all.iter().try_for_each(write);
    unless_closed(written.and_then(|()| out.flush()))?;
    tell::notes(notes);
    Ok(if all.is_empty() { ExitCode::from(NONE) } else { ANSWERED })
}

/// One line for the end of a recording; nothing if all was captured that matters to who wrote the program: single constructs inside
/// of libraries and tools are listed, and said where an answer rests on them. `run` is how the person calls the run, if it is not
/// the latest of the project.
pub fn summary(all: &[NotCaptured], run: Option<&str>) -> Option<String> {
    let all: Vec<&NotCaptured> = all.iter().filter(|it| !is_detail_of_library(it)).collect();
    let list = match run {
        Some(run) => format!("`wherefore events {run} --not-captured`"),
        None => "`wherefore events --not-captured`".into(),
    };
    let files: BTreeSet<_> = all.iter().filter_map(|it| it.file.as_deref()).collect();
    match (all.as_slice(), files.len()) {
        ([], _) => None,
        ([only], _) => Some(format!("not captured: {}", text(only))),
        (_, 1) => Some(format!("some of {} is not captured: {list}", files.first().unwrap_or(&""))),
        (_, n) => Some(format!("some of {n} files is not captured: {list}")),
    }
}

fn is_detail_of_library(it: &NotCaptured) -> bool {
    it.line.is_some() && it.package.is_some()
}

fn text(it: &NotCaptured) -> String {
    match (&it.file, it.line) {
        (Some(file), Some(line)) => format!("{file}:{line}  {}", it.reason),
        (Some(file), None) => format!("{file}  {}", it.reason),
        (None, _) => it.reason.clone(),
    }
}

#[derive(Serialize)]
struct NotCapturedJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    reason: &'a str,
}

fn json(it: &NotCaptured) -> NotCapturedJson<'_> {
    NotCapturedJson { file: it.file.as_deref(), line: it.line, column: it.column, reason: &it.reason }
}
