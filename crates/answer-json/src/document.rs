//! A question and its answer, as one document.

use debugger::{Answer, Question, Reply};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::answers::{AnswerJson, GrowthJson, WhyJson};
use crate::question::QuestionJson;

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct Document {
    pub question: QuestionJson,
    pub answer: AnswerJson,
    /// Of `why`: the chain once more, for who wants nothing else.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    #[ts(skip)]
    pub chain: Option<WhyJson>,
    pub notes: Vec<String>,
    /// How often each answer came, where several runs were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<Vec<RunsJson>>,
    /// Of `crash-path --grow`: how the path was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub growth: Option<GrowthJson>,
}

/// The answer is that there is none.
#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct NoneJson {
    #[schemars(extend("const" = "none"))]
    #[ts(type = "\"none\"")]
    pub kind: &'static str,
    pub text: String,
}

/// An answer in a few words, and how often it came.
#[derive(Clone, Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct RunsJson {
    pub count: usize,
    pub text: String,
}

/// The document of an answer.
pub fn document(question: &Question, reply: &Reply) -> Document {
    let answer = AnswerJson::from(&reply.answer);
    let chain = match &reply.answer {
        Answer::Why(chain) => Some(WhyJson::from(chain)),
        _ => None,
    };
    Document { question: question.into(), answer, chain, notes: reply.notes.clone(), runs: None, growth: None }
}

/// The document of a question whose answer is that there is none.
pub fn none(question: &Question, text: String) -> Document {
    let answer = AnswerJson::None(NoneJson { kind: "none", text });
    Document { question: question.into(), answer, chain: None, notes: Vec::new(), runs: None, growth: None }
}
