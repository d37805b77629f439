use debugger::{ChangeAnswer, ChangeKind};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::parts::{PointJson, SourceLineJson, ValueJson, each, some};

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ChangeJson {
    pub kind: ChangeKindJson,
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

#[derive(Serialize, JsonSchema, TS)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeKindJson {
    Written,
    CreatedWith,
    NeverWritten,
    ByForeignCode,
    BeforeRecording,
    NotCaptured,
}

impl From<&ChangeAnswer> for ChangeJson {
    fn from(answer: &ChangeAnswer) -> ChangeJson {
        ChangeJson {
            kind: answer.kind.into(),
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

impl From<ChangeKind> for ChangeKindJson {
    fn from(kind: ChangeKind) -> ChangeKindJson {
        match kind {
            ChangeKind::Written => ChangeKindJson::Written,
            ChangeKind::CreatedWith => ChangeKindJson::CreatedWith,
            ChangeKind::NeverWritten => ChangeKindJson::NeverWritten,
            ChangeKind::ByForeignCode => ChangeKindJson::ByForeignCode,
            ChangeKind::BeforeRecording => ChangeKindJson::BeforeRecording,
            ChangeKind::NotCaptured => ChangeKindJson::NotCaptured,
        }
    }
}
