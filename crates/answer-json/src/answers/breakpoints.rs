//! Breakpoints over a recording.

use debugger::{HitShown, Page, StopAnswer};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::parts::{PointJson, ValueJson, each, next};

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct StopJson {
    #[schemars(extend("const" = "stop"))]
    #[ts(type = "\"stop\"")]
    pub kind: &'static str,
    /// Nothing: control comes to no breakpoint in that direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<PointJson>,
    /// Which of those that were named, from 0.
    pub breakpoints: Vec<usize>,
    /// It is where the thread failed, behind the event of the point.
    pub failure: bool,
    /// What changes there, where a change is stopped at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<ChangedJson>,
}

/// What a place held before a change, and what it holds then.
#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ChangedJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<ValueJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<ValueJson>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct HitsJson {
    #[schemars(extend("const" = "hits"))]
    #[ts(type = "\"hits\"")]
    pub kind: &'static str,
    /// The oldest first.
    pub hits: Vec<HitJson>,
    /// Where the list goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct HitJson {
    pub point: PointJson,
    /// What the expressions were then, in their order.
    pub values: Vec<HitValueJson>,
}

/// A value, or why it cannot be told.
#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct HitValueJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<ValueJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

impl From<&StopAnswer> for StopJson {
    fn from(answer: &StopAnswer) -> StopJson {
        StopJson {
            kind: "stop",
            point: answer.point.as_ref().map(PointJson::from),
            breakpoints: answer.breakpoints.clone(),
            failure: answer.is_failure,
            change: answer.change.as_ref().map(|change| ChangedJson {
                old: change.old.as_ref().map(ValueJson::from),
                new: change.new.as_ref().map(ValueJson::from),
            }),
        }
    }
}

impl From<&Page<HitShown>> for HitsJson {
    fn from(page: &Page<HitShown>) -> HitsJson {
        HitsJson { kind: "hits", hits: each(&page.items), next: next(page) }
    }
}

impl From<&HitShown> for HitJson {
    fn from(hit: &HitShown) -> HitJson {
        HitJson { point: (&hit.point).into(), values: each(&hit.values) }
    }
}

impl From<&Result<debugger::Value, String>> for HitValueJson {
    fn from(value: &Result<debugger::Value, String>) -> HitValueJson {
        HitValueJson { value: value.as_ref().ok().map(ValueJson::from), unknown: value.as_ref().err().cloned() }
    }
}
