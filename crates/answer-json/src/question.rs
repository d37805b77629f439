use debugger::{Question, QuestionKind, StepStride};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

/// What was asked.
#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct QuestionJson {
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

impl From<&Question> for QuestionJson {
    fn from(question: &Question) -> QuestionJson {
        let mut json = QuestionJson {
            kind: match &question.kind {
                // They are one command.
                QuestionKind::Failures => "why",
                kind => kind.name(),
            },
            place: None,
            expression: None,
            event: None,
            function: None,
            line: None,
            file: None,
            stride: None,
            back: false,
            at: question.from.at.as_ref().map(ToString::to_string),
        };
        match &question.kind {
            QuestionKind::Why(request) => json.place.clone_from(&request.place),
            QuestionKind::LastChange { place }
            | QuestionKind::History { place, .. }
            | QuestionKind::Omissions { place, .. } => json.place.clone_from(place),
            QuestionKind::Inspect { place, .. } => json.place = Some(place.clone()),
            QuestionKind::Eval { expression } => json.expression.clone_from(expression),
            QuestionKind::WhyNot { file, line, .. } => json.line = Some(format!("{file}:{line}")),
            QuestionKind::Find(request) => json.event.clone_from(&request.kind),
            QuestionKind::Calls(request) => json.function.clone_from(&request.function),
            QuestionKind::Seek(request) => {
                json.place.clone_from(&request.what.place);
                json.event.clone_from(&request.what.kind);
                json.function.clone_from(&request.what.function);
                json.file.clone_from(&request.what.file);
                json.line = request.what.line.map(|line| line.to_string());
                json.back = request.is_back;
            }
            QuestionKind::Step(request) => {
                json.stride = Some(match request.stride {
                    StepStride::Into => "into",
                    StepStride::Over => "over",
                    StepStride::Out => "out",
                });
                json.back = request.is_back;
            }
            QuestionKind::Source { file } => json.file = Some(file.clone()),
            QuestionKind::Failures
            | QuestionKind::LastCondition
            | QuestionKind::State(_)
            | QuestionKind::EventsOfCall(_)
            | QuestionKind::Here
            | QuestionKind::Threads
            | QuestionKind::Sources
            | QuestionKind::Overview(_) => {}
        }
        json
    }
}
