use debugger::{EventLine, Page};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::parts::{ValueJson, each, next, some};

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct EventsJson {
    #[schemars(extend("const" = "events"))]
    #[ts(type = "\"events\"")]
    pub kind: &'static str,
    pub events: Vec<EventJson>,
    /// Where the list goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A recorded event, as it is.
#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct EventJson {
    pub thread: usize,
    #[ts(type = "number")]
    pub event: u64,
    pub depth: usize,
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub names: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<ValueJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<ValueJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub values: Vec<ValueJson>,
    pub text: String,
}

impl From<&Page<EventLine>> for EventsJson {
    fn from(page: &Page<EventLine>) -> EventsJson {
        EventsJson { kind: "events", events: each(&page.items), next: next(page) }
    }
}

impl From<&EventLine> for EventJson {
    fn from(line: &EventLine) -> EventJson {
        EventJson {
            thread: line.thread,
            event: line.event,
            depth: line.depth,
            kind: line.kind,
            file: line.file.clone(),
            line: line.line,
            column: line.column,
            function: line.function.clone(),
            names: line.names.clone(),
            value: some(&line.value),
            object: line.object,
            key: some(&line.key),
            frame: line.frame,
            scope: line.scope,
            values: each(&line.values),
            text: line.text.clone(),
        }
    }
}
