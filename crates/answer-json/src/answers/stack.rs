use debugger::{FrameAt, StackAnswer};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use super::state::async_name;
use crate::parts::{PointJson, each, next, some};

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct StackJson {
    #[schemars(extend("const" = "stack"))]
    #[ts(type = "\"stack\"")]
    pub kind: &'static str,
    pub point: PointJson,
    /// Innermost first; behind the outermost one those that led to it.
    pub frames: Vec<FrameAtJson>,
    /// Where the list goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct FrameAtJson {
    pub frame: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<PointJson>,
    /// Of a frame that is on the stack no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#async: Option<&'static str>,
    /// By which its scopes are asked for.
    pub handle: String,
}

impl From<&StackAnswer> for StackJson {
    fn from(answer: &StackAnswer) -> StackJson {
        StackJson {
            kind: "stack",
            point: (&answer.point).into(),
            frames: each(&answer.frames.items),
            next: next(&answer.frames),
        }
    }
}

impl From<&FrameAt> for FrameAtJson {
    fn from(frame: &FrameAt) -> FrameAtJson {
        FrameAtJson {
            frame: frame.number,
            function: frame.function.clone(),
            point: some(&frame.point),
            r#async: frame.parent.map(async_name),
            handle: frame.handle.to_string(),
        }
    }
}
