//! Answers as JSON; docs/json.md describes it.

use debugger::{Point, SourceLine, Value};
use serde::Serialize;

use super::tally::Tally;

#[derive(Serialize)]
pub struct Envelope<'a, Q, A> {
    pub question: Q,
    pub answer: A,
    pub notes: &'a [String],
    /// How often each answer came, where several runs were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<Vec<Tally>>,
}

#[derive(Serialize)]
pub struct NoneJson<'a> {
    pub kind: &'static str,
    pub text: &'a str,
}

#[derive(Serialize)]
pub struct PointJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<String>,
    pub event: u64,
    pub thread: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hits: Option<u64>,
    /// The line of the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

#[derive(Serialize)]
pub struct ValueJson {
    pub r#type: &'static str,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<u32>,
}

#[derive(Serialize)]
pub struct SourceLineJson {
    pub file: String,
    pub line: u32,
    pub text: String,
}

pub fn point(point: &Point) -> PointJson {
    PointJson {
        point: point.number.map(|number| format!("P{number}")),
        event: point.event,
        thread: point.thread,
        file: point.file.clone(),
        line: point.line,
        column: point.column,
        function: point.function.clone(),
        hit: point.hit,
        hits: point.n_hits,
        text: point.excerpt.as_ref().map(|excerpt| excerpt.text.clone()),
    }
}

pub fn value(value: &Value) -> ValueJson {
    ValueJson { r#type: value.kind.name(), text: value.text.clone(), object: value.object }
}

pub fn source_lines(lines: &[SourceLine]) -> Vec<SourceLineJson> {
    let line = |line: &SourceLine| SourceLineJson { file: line.file.clone(), line: line.line, text: line.text.clone() };
    lines.iter().map(line).collect()
}
