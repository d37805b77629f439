use debugger::{AsyncParent, FrameShown, Named, StateAnswer};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::parts::{PointJson, ValueJson, each, some};

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct StateJson {
    #[schemars(extend("const" = "state"))]
    #[ts(type = "\"state\"")]
    pub kind: &'static str,
    pub point: PointJson,
    /// Innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub frames: Vec<FrameJson>,
}

/// A place, with what is inside.
#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct PlaceJson {
    #[schemars(extend("const" = "state"))]
    #[ts(type = "\"state\"")]
    pub kind: &'static str,
    pub place: NamedJson,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct FrameJson {
    pub frame: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<PointJson>,
    /// Of a frame that is on the stack no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#async: Option<&'static str>,
    pub variables: Vec<NamedJson>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct NamedJson {
    pub name: String,
    pub scope: &'static str,
    pub value: ValueJson,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub entries: Vec<NamedJson>,
    /// Entries that were left out.
    #[serde(skip_serializing_if = "is_zero")]
    #[ts(as = "Option<_>", optional)]
    pub more: usize,
    /// What was left out of it when it was recorded, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_recorded: Option<String>,
}

pub(super) fn async_name(parent: AsyncParent) -> &'static str {
    match parent {
        AsyncParent::Called => "called",
        AsyncParent::HandedOut => "handed-out",
    }
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl From<&StateAnswer> for StateJson {
    fn from(answer: &StateAnswer) -> StateJson {
        StateJson { kind: "state", point: (&answer.point).into(), frames: each(&answer.frames) }
    }
}

impl From<&Named> for PlaceJson {
    fn from(named: &Named) -> PlaceJson {
        PlaceJson { kind: "state", place: named.into() }
    }
}

impl From<&FrameShown> for FrameJson {
    fn from(frame: &FrameShown) -> FrameJson {
        FrameJson {
            frame: frame.number,
            function: frame.function.clone(),
            point: some(&frame.point),
            r#async: frame.parent.map(async_name),
            variables: each(&frame.variables),
        }
    }
}

impl From<&Named> for NamedJson {
    fn from(named: &Named) -> NamedJson {
        NamedJson {
            name: named.name.clone(),
            scope: named.scope.name(),
            value: (&named.value).into(),
            entries: each(&named.entries),
            more: named.n_more,
            not_recorded: named.not_recorded.clone(),
        }
    }
}
