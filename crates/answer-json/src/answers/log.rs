use debugger::{CallerShown, LogAnswer, LoggedHit};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use super::breakpoints::HitValueJson;
use crate::parts::{PointJson, each, next, some};

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct LogJson {
    #[schemars(extend("const" = "log"))]
    #[ts(type = "\"log\"")]
    pub kind: &'static str,
    pub file: String,
    pub line: u32,
    /// As they were asked for.
    pub expressions: Vec<String>,
    /// The oldest first; one thread after another.
    pub hits: Vec<LoggedJson>,
    /// Where the list goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// How often the line was executed, where no condition chooses among these times.
    #[ts(as = "Option<u32>", optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all: Option<u64>,
}

/// A time that the line was executed.
#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct LoggedJson {
    /// Which of the times of its thread, from 1: `app.js:22#3`.
    #[ts(type = "number")]
    pub hit: u64,
    pub point: PointJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<CallerJson>,
    /// About how many milliseconds after the start of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// What the expressions were then, in their order.
    pub values: Vec<HitValueJson>,
}

/// Where the function of the line was called.
#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct CallerJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    pub file: String,
    pub line: u32,
}

impl From<&LogAnswer> for LogJson {
    fn from(answer: &LogAnswer) -> LogJson {
        LogJson {
            kind: "log",
            file: answer.file.clone(),
            line: answer.line,
            expressions: answer.expressions.clone(),
            hits: each(&answer.hits.items),
            next: next(&answer.hits),
            all: answer.hits.n_all,
        }
    }
}

impl From<&LoggedHit> for LoggedJson {
    fn from(hit: &LoggedHit) -> LoggedJson {
        LoggedJson {
            hit: hit.number,
            point: (&hit.point).into(),
            caller: some(&hit.caller),
            ms: hit.micros.map(|micros| micros as f64 / 1000.0),
            values: each(&hit.values),
        }
    }
}

impl From<&CallerShown> for CallerJson {
    fn from(caller: &CallerShown) -> CallerJson {
        CallerJson { function: caller.function.clone(), file: caller.file.clone(), line: caller.line }
    }
}
