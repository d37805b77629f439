use debugger::{FoundEvent, Page};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::parts::{PointJson, ValueJson, each, next, some};

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct FoundJson {
    #[schemars(extend("const" = "found"))]
    #[ts(type = "\"found\"")]
    pub kind: &'static str,
    pub results: Vec<FoundEventJson>,
    /// Whether there are more.
    pub more: bool,
    /// Where the list goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct FoundEventJson {
    pub kind: &'static str,
    pub point: PointJson,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<ValueJson>,
}

impl From<&Page<FoundEvent>> for FoundJson {
    fn from(page: &Page<FoundEvent>) -> FoundJson {
        FoundJson { kind: "found", results: each(&page.items), more: page.next.is_some(), next: next(page) }
    }
}

impl From<&FoundEvent> for FoundEventJson {
    fn from(found: &FoundEvent) -> FoundEventJson {
        FoundEventJson {
            kind: found.kind,
            point: (&found.point).into(),
            text: found.text.clone(),
            value: some(&found.value),
        }
    }
}
