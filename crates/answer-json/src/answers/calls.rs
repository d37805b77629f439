use debugger::{CallOutcome, CallShown, Page};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::parts::{PointJson, ValueJson, each, next};

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct CallsJson {
    #[schemars(extend("const" = "calls"))]
    #[ts(type = "\"calls\"")]
    pub kind: &'static str,
    pub calls: Vec<CallJson>,
    pub more: bool,
    /// Where the list goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct CallJson {
    pub depth: usize,
    pub point: PointJson,
    pub arguments: Vec<ArgumentJson>,
    pub outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<ValueJson>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ArgumentJson {
    pub name: String,
    pub value: ValueJson,
}

impl From<&Page<CallShown>> for CallsJson {
    fn from(page: &Page<CallShown>) -> CallsJson {
        CallsJson { kind: "calls", calls: each(&page.items), more: page.next.is_some(), next: next(page) }
    }
}

impl From<&CallShown> for CallJson {
    fn from(call: &CallShown) -> CallJson {
        let (outcome, value) = match &call.outcome {
            CallOutcome::Returned(value) => ("returned", Some(value.into())),
            CallOutcome::Threw => ("threw", None),
            CallOutcome::Open => ("open", None),
        };
        CallJson { depth: call.depth, point: (&call.point).into(), arguments: each(&call.arguments), outcome, value }
    }
}

impl From<&(String, debugger::Value)> for ArgumentJson {
    fn from((name, value): &(String, debugger::Value)) -> ArgumentJson {
        ArgumentJson { name: name.clone(), value: value.into() }
    }
}
