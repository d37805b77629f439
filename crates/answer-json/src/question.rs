use debugger::Question;
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::answers;

/// What was asked.
#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct QuestionJson {
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    /// Of a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Of a step: into, over or out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stride: Option<&'static str>,
    /// Of a step or a search: against the direction of time.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<_>", optional)]
    pub back: bool,
    /// Of what is opened: a frame, a scope or an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
    /// Of an overview: from this event to before that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(type = "[number, number]")]
    pub events: Option<(u64, u64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

impl From<&Question> for QuestionJson {
    fn from(question: &Question) -> QuestionJson {
        let mut json = QuestionJson {
            kind: question.kind.name(),
            place: None,
            expression: None,
            text: None,
            event: None,
            function: None,
            line: None,
            file: None,
            stride: None,
            back: false,
            handle: None,
            events: None,
            at: question.from.at.as_ref().map(ToString::to_string),
        };
        answers::add_request(&question.kind, &mut json);
        json
    }
}
