use debugger::ChangeAnswer;
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::parts::{PointJson, SourceLineJson, ValueJson, each, some};

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ChangeJson {
    pub kind: &'static str,
    pub place: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<PointJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<ValueJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<ValueJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inherited_from: Option<ValueJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender: Option<PointJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub writers: Vec<SourceLineJson>,
}

impl From<&ChangeAnswer> for ChangeJson {
    fn from(answer: &ChangeAnswer) -> ChangeJson {
        ChangeJson {
            kind: answer.kind.name(),
            place: answer.place.clone(),
            point: some(&answer.point),
            old: some(&answer.old),
            new: some(&answer.new),
            inherited_from: some(&answer.inherited_from),
            sender: some(&answer.sender),
            reason: answer.reason.clone(),
            writers: each(&answer.writers),
        }
    }
}
