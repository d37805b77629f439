use debugger::{HistoryAnswer, HistoryChange};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::parts::{PointJson, ValueJson, each, next, some};

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct HistoryJson {
    #[schemars(extend("const" = "history"))]
    #[ts(type = "\"history\"")]
    pub kind: &'static str,
    pub place: String,
    /// Oldest first.
    pub changes: Vec<HistoryChangeJson>,
    /// Older ones were left out.
    pub has_more: bool,
    /// Where the list goes on: with older ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct HistoryChangeJson {
    pub point: PointJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<ValueJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<ValueJson>,
}

impl From<&HistoryChange> for HistoryChangeJson {
    fn from(change: &HistoryChange) -> HistoryChangeJson {
        HistoryChangeJson { point: (&change.point).into(), old: some(&change.old), new: some(&change.new) }
    }
}

impl From<&HistoryAnswer> for HistoryJson {
    fn from(answer: &HistoryAnswer) -> HistoryJson {
        HistoryJson {
            kind: "history",
            place: answer.place.clone(),
            changes: each(&answer.changes.items),
            has_more: answer.changes.next.is_some(),
            next: next(&answer.changes),
        }
    }
}
