use debugger::{FindAnswer, Found};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::parts::{PointJson, ValueJson, each, some};

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct FoundJson {
    pub kind: &'static str,
    pub results: Vec<FoundEventJson>,
    /// Whether there are more.
    pub more: bool,
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

impl From<&FindAnswer> for FoundJson {
    fn from(answer: &FindAnswer) -> FoundJson {
        FoundJson { kind: "found", results: each(&answer.results), more: answer.is_cut }
    }
}

impl From<&Found> for FoundEventJson {
    fn from(found: &Found) -> FoundEventJson {
        FoundEventJson {
            kind: found.kind,
            point: (&found.point).into(),
            text: found.text.clone(),
            value: some(&found.value),
        }
    }
}
