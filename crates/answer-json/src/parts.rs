//! What answers have in common.

use debugger::{Page, Point, SourceLine, Value};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

/// A point in the execution.
#[derive(Clone, Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct PointJson {
    /// The name under which it can be asked about again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<String>,
    #[ts(type = "number")]
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
    #[ts(as = "Option<u32>", optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit: Option<u64>,
    #[ts(as = "Option<u32>", optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hits: Option<u64>,
    /// The line of the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

#[derive(Clone, Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ValueJson {
    pub r#type: &'static str,
    /// As the source would write it, cut when long.
    pub text: String,
    /// The number of an object or function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<u32>,
}

#[derive(Clone, Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct SourceLineJson {
    pub file: String,
    pub line: u32,
    pub text: String,
}

impl From<&Point> for PointJson {
    fn from(point: &Point) -> PointJson {
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
}

impl From<&Value> for ValueJson {
    fn from(value: &Value) -> ValueJson {
        ValueJson { r#type: value.kind.name(), text: value.text.clone(), object: value.object }
    }
}

impl From<&SourceLine> for SourceLineJson {
    fn from(line: &SourceLine) -> SourceLineJson {
        SourceLineJson { file: line.file.clone(), line: line.line, text: line.text.clone() }
    }
}

/// The cursor behind a page.
pub(crate) fn next<T>(page: &Page<T>) -> Option<String> {
    page.next.as_ref().map(ToString::to_string)
}

/// Each as JSON.
pub(crate) fn each<'a, T: 'a, J: From<&'a T>>(of: impl IntoIterator<Item = &'a T>) -> Vec<J> {
    of.into_iter().map(J::from).collect()
}

pub(crate) fn some<'a, T, J: From<&'a T>>(of: &'a Option<T>) -> Option<J> {
    of.as_ref().map(J::from)
}
