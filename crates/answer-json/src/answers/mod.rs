//! The documents of answers, one file for each kind. A new kind of question is made known to this crate here and nowhere else: a
//! variant of [`AnswerJson`], what leads to it, and what of the question is repeated beside it.

mod birth;
mod breakpoints;
mod calls;
mod change;
mod condition;
mod crash_path;
mod events;
mod find;
mod history;
mod log;
mod moving;
mod omissions;
mod scopes;
mod search;
mod stack;
mod state;
mod tasks;
mod why;

use debugger::{Answer, QuestionKind, StepStride};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::document::NoneJson;
use crate::parts::{PointJson, ValueJson};
use crate::question::QuestionJson;
use crate::schema::generator;
use birth::BirthJson;
use breakpoints::{HitsJson, StopJson};
use calls::CallsJson;
use change::ChangeJson;
use condition::ConditionJson;
use crash_path::CrashPathJson;
pub use crash_path::GrowthJson;
pub use events::EventJson;
use events::EventsJson;
use find::FoundJson;
use history::HistoryJson;
use log::LogJson;
use moving::{MoveJson, OverviewJson, SourceTextJson, SourcesJson, ThreadsJson};
use omissions::OmissionsJson;
use scopes::{ChildrenJson, ScopesJson};
use search::SearchJson;
use stack::StackJson;
use state::{PlaceJson, StateJson};
use tasks::TasksJson;
use why::FailuresJson;
pub use why::WhyJson;

/// Told apart by `kind`.
#[derive(Serialize, JsonSchema, TS)]
#[serde(untagged)]
pub enum AnswerJson {
    Why(Box<WhyJson>),
    Failures(FailuresJson),
    Change(Box<ChangeJson>),
    Birth(Box<BirthJson>),
    Condition(Box<ConditionJson>),
    History(HistoryJson),
    Value(EvalJson),
    CrashPath(Box<CrashPathJson>),
    State(StateJson),
    Place(PlaceJson),
    Omissions(OmissionsJson),
    Found(FoundJson),
    Search(SearchJson),
    Calls(CallsJson),
    Events(EventsJson),
    Here(HereJson),
    Move(MoveJson),
    Stop(StopJson),
    Hits(HitsJson),
    Log(LogJson),
    Threads(ThreadsJson),
    Sources(SourcesJson),
    Source(SourceTextJson),
    Overview(OverviewJson),
    Stack(StackJson),
    Scopes(ScopesJson),
    Children(ChildrenJson),
    Tasks(TasksJson),
    None(NoneJson),
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct EvalJson {
    #[schemars(extend("const" = "value"))]
    #[ts(type = "\"value\"")]
    pub kind: &'static str,
    pub value: ValueJson,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct HereJson {
    #[schemars(extend("const" = "here"))]
    #[ts(type = "\"here\"")]
    pub kind: &'static str,
    pub point: PointJson,
}

impl From<&Answer> for AnswerJson {
    fn from(answer: &Answer) -> AnswerJson {
        match answer {
            Answer::Why(chain) => AnswerJson::Why(Box::new(chain.into())),
            Answer::Failures(failures) => AnswerJson::Failures(failures.into()),
            Answer::LastChange(answer) => AnswerJson::Change(Box::new(answer.into())),
            Answer::Birth(answer) => AnswerJson::Birth(Box::new(answer.into())),
            Answer::LastCondition(answer) => AnswerJson::Condition(Box::new(answer.into())),
            Answer::History(answer) => AnswerJson::History(answer.into()),
            Answer::Eval(value) => AnswerJson::Value(EvalJson { kind: "value", value: value.into() }),
            Answer::CrashPath(answer) => AnswerJson::CrashPath(Box::new(answer.into())),
            Answer::State(answer) => AnswerJson::State(answer.into()),
            Answer::Inspect(named) => AnswerJson::Place(named.into()),
            Answer::Omissions(answer) | Answer::WhyNot(answer) => AnswerJson::Omissions(answer.into()),
            Answer::Find(found) => AnswerJson::Found(found.into()),
            Answer::Search(answer) => AnswerJson::Search(answer.into()),
            Answer::Calls(calls) => AnswerJson::Calls(calls.into()),
            Answer::EventsOfCall(events) => AnswerJson::Events(events.into()),
            Answer::Step(answer) => AnswerJson::Move(MoveJson::new("step", answer)),
            Answer::Seek(answer) => AnswerJson::Move(MoveJson::new("seek", answer)),
            Answer::Stop(answer) => AnswerJson::Stop(answer.into()),
            Answer::Hits(hits) => AnswerJson::Hits(hits.into()),
            Answer::Log(answer) => AnswerJson::Log(answer.into()),
            Answer::Threads(threads) => AnswerJson::Threads(threads.into()),
            Answer::Sources(sources) => AnswerJson::Sources(sources.into()),
            Answer::Source(source) => AnswerJson::Source(source.into()),
            Answer::Overview(answer) => AnswerJson::Overview(answer.into()),
            Answer::Stack(answer) => AnswerJson::Stack(answer.into()),
            Answer::Scopes(scopes) => AnswerJson::Scopes(scopes[..].into()),
            Answer::Children(children) => AnswerJson::Children(children.into()),
            Answer::Tasks(tasks) => AnswerJson::Tasks(tasks.into()),
            Answer::Here(point) => AnswerJson::Here(HereJson { kind: "here", point: point.into() }),
        }
    }
}

/// What one kind of question is answered with.
pub(crate) fn schema_of(kind: &str) -> Option<schemars::Schema> {
    let generator = generator();
    Some(match kind {
        "why" => generator.into_root_schema_for::<WhyJson>(),
        "failures" => generator.into_root_schema_for::<FailuresJson>(),
        "last-change" => generator.into_root_schema_for::<ChangeJson>(),
        "birth" => generator.into_root_schema_for::<BirthJson>(),
        "search" => generator.into_root_schema_for::<SearchJson>(),
        "last-condition" => generator.into_root_schema_for::<ConditionJson>(),
        "history" => generator.into_root_schema_for::<HistoryJson>(),
        "eval" => generator.into_root_schema_for::<EvalJson>(),
        "crash-path" => generator.into_root_schema_for::<CrashPathJson>(),
        "state" => generator.into_root_schema_for::<StateJson>(),
        "inspect" => generator.into_root_schema_for::<PlaceJson>(),
        "omissions" | "why-not" => generator.into_root_schema_for::<OmissionsJson>(),
        "find" => generator.into_root_schema_for::<FoundJson>(),
        "log" => generator.into_root_schema_for::<LogJson>(),
        "calls" => generator.into_root_schema_for::<CallsJson>(),
        "step" | "seek" => generator.into_root_schema_for::<MoveJson>(),
        _ => return None,
    })
}

/// What of a question is repeated with its answer.
pub(crate) fn add_request(kind: &QuestionKind, json: &mut QuestionJson) {
    match kind {
        QuestionKind::Why(request) => json.place.clone_from(&request.place),
        QuestionKind::CrashPath(request) => json.place.clone_from(&request.place),
        QuestionKind::LastChange { place }
        | QuestionKind::Birth { place }
        | QuestionKind::History { place, .. }
        | QuestionKind::Omissions { place, .. } => json.place.clone_from(place),
        QuestionKind::Inspect { place, .. } => json.place = Some(place.clone()),
        QuestionKind::Eval { expression } => json.expression.clone_from(expression),
        QuestionKind::WhyNot { file, line, .. } => json.line = Some(format!("{file}:{line}")),
        QuestionKind::Search(request) => json.text = Some(request.text.clone()),
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
        QuestionKind::Log(request) => json.expression = Some(request.expressions.join(", ")),
        QuestionKind::Stop(request) => json.back = request.is_back,
        QuestionKind::Source { file, .. } => json.file = Some(file.clone()),
        QuestionKind::Scopes { frame } => json.handle = frame.as_ref().map(ToString::to_string),
        QuestionKind::Children { of, .. } => json.handle = Some(of.to_string()),
        QuestionKind::Overview(request) => json.events = request.events,
        QuestionKind::Failures(_)
        | QuestionKind::LastCondition
        | QuestionKind::State(_)
        | QuestionKind::EventsOfCall { .. }
        | QuestionKind::Here
        | QuestionKind::Hits { .. }
        | QuestionKind::Threads(_)
        | QuestionKind::Sources(_)
        | QuestionKind::Stack(_)
        | QuestionKind::Tasks(_) => {}
    }
}
