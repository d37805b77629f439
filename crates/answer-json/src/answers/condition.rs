use debugger::{ConditionAnswer, ConditionKind, ReadValue};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::parts::{PointJson, ValueJson, each, some};

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ConditionJson {
    pub kind: ConditionKindJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<PointJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<ValueJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub reads: Vec<ReadJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub catch: Option<PointJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suspended: Option<PointJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registered: Option<PointJson>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ReadJson {
    pub text: String,
    pub value: ValueJson,
}

#[derive(Serialize, JsonSchema, TS)]
#[serde(rename_all = "kebab-case")]
pub enum ConditionKindJson {
    Condition,
    CallSite,
    Throw,
    Resumed,
    Start,
}

impl From<&ReadValue> for ReadJson {
    fn from(read: &ReadValue) -> ReadJson {
        ReadJson { text: read.text.clone(), value: (&read.value).into() }
    }
}

impl From<&ConditionAnswer> for ConditionJson {
    fn from(answer: &ConditionAnswer) -> ConditionJson {
        let other = |kind| answer.other.as_ref().filter(|_| answer.kind == kind).map(PointJson::from);
        ConditionJson {
            kind: answer.kind.into(),
            point: some(&answer.point),
            condition: answer.condition.clone(),
            text: answer.text.clone(),
            value: some(&answer.value),
            reads: each(&answer.reads),
            catch: other(ConditionKind::Throw),
            suspended: other(ConditionKind::Resumed),
            registered: other(ConditionKind::Start),
        }
    }
}

impl From<ConditionKind> for ConditionKindJson {
    fn from(kind: ConditionKind) -> ConditionKindJson {
        match kind {
            ConditionKind::Condition => ConditionKindJson::Condition,
            ConditionKind::CallSite => ConditionKindJson::CallSite,
            ConditionKind::Throw => ConditionKindJson::Throw,
            ConditionKind::Resumed => ConditionKindJson::Resumed,
            ConditionKind::Start => ConditionKindJson::Start,
        }
    }
}
