//! A question and its answer, as one document.

use debugger::{Answer, Question, Reply};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::calls::CallsJson;
use crate::change::ChangeJson;
use crate::condition::ConditionJson;
use crate::events::EventsJson;
use crate::find::FoundJson;
use crate::history::HistoryJson;
use crate::moving::{MoveJson, OverviewJson, SourceTextJson, SourcesJson, ThreadsJson};
use crate::omissions::OmissionsJson;
use crate::parts::{PointJson, ValueJson};
use crate::question::QuestionJson;
use crate::state::{PlaceJson, StateJson};
use crate::why::{FailuresJson, WhyJson};

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
}

/// Told apart by `kind`.
#[derive(Serialize, JsonSchema, TS)]
#[serde(untagged)]
pub enum AnswerJson {
    Why(Box<WhyJson>),
    Failures(FailuresJson),
    Change(Box<ChangeJson>),
    Condition(Box<ConditionJson>),
    History(HistoryJson),
    Value(EvalJson),
    State(StateJson),
    Place(PlaceJson),
    Omissions(OmissionsJson),
    Found(FoundJson),
    Calls(CallsJson),
    Events(EventsJson),
    Here(HereJson),
    Move(MoveJson),
    Threads(ThreadsJson),
    Sources(SourcesJson),
    Source(SourceTextJson),
    Overview(OverviewJson),
    None(NoneJson),
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct EvalJson {
    pub kind: &'static str,
    pub value: ValueJson,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct HereJson {
    pub kind: &'static str,
    pub point: PointJson,
}

/// The answer is that there is none.
#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct NoneJson {
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
    Document { question: question.into(), answer, chain, notes: reply.notes.clone(), runs: None }
}

/// The document of a question whose answer is that there is none.
pub fn none(question: &Question, text: String) -> Document {
    let answer = AnswerJson::None(NoneJson { kind: "none", text });
    Document { question: question.into(), answer, chain: None, notes: Vec::new(), runs: None }
}

impl From<&Answer> for AnswerJson {
    fn from(answer: &Answer) -> AnswerJson {
        match answer {
            Answer::Why(chain) => AnswerJson::Why(Box::new(chain.into())),
            Answer::Failures(failures) => AnswerJson::Failures(failures[..].into()),
            Answer::LastChange(answer) => AnswerJson::Change(Box::new(answer.into())),
            Answer::LastCondition(answer) => AnswerJson::Condition(Box::new(answer.into())),
            Answer::History(answer) => AnswerJson::History(answer.into()),
            Answer::Eval(value) => AnswerJson::Value(EvalJson { kind: "value", value: value.into() }),
            Answer::State(answer) => AnswerJson::State(answer.into()),
            Answer::Inspect(named) => AnswerJson::Place(named.into()),
            Answer::Omissions(answer) | Answer::WhyNot(answer) => AnswerJson::Omissions(answer.into()),
            Answer::Find(answer) => AnswerJson::Found(answer.into()),
            Answer::Calls(answer) => AnswerJson::Calls(answer.into()),
            Answer::EventsOfCall(events) => AnswerJson::Events(events[..].into()),
            Answer::Step(answer) => AnswerJson::Move(MoveJson::new("step", answer)),
            Answer::Seek(answer) => AnswerJson::Move(MoveJson::new("seek", answer)),
            Answer::Threads(threads) => AnswerJson::Threads(threads[..].into()),
            Answer::Sources(sources) => AnswerJson::Sources(sources[..].into()),
            Answer::Source(source) => AnswerJson::Source(source.into()),
            Answer::Overview(answer) => AnswerJson::Overview(answer.into()),
            Answer::Here(point) => AnswerJson::Here(HereJson { kind: "here", point: point.into() }),
        }
    }
}
