//! What running the program again with one thing different showed.

use std::time::Duration;

use debugger::{
    ExperimentChange, Experiments, FailureAfter, LineDifference, Proven, RunOutcome, TryAnswer, TryRequest,
};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::parts::{PointJson, each};

#[derive(Clone, Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ExperimentsJson {
    pub runs: usize,
    pub checks: usize,
    pub seconds: f64,
    /// The program as it is, and an experiment, in milliseconds.
    pub plain: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub median: Option<f64>,
    pub specific: bool,
    pub proven: Vec<ProvenJson>,
}

#[derive(Clone, Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ProvenJson {
    pub point: PointJson,
    pub text: String,
    /// What the program came to behind the failure.
    pub reached: PointJson,
}

/// One try, and what came of it.
#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct TryJson {
    pub question: TryQuestionJson,
    pub answer: TryAnswerJson,
    pub notes: Vec<String>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct TryQuestionJson {
    #[schemars(extend("const" = "try"))]
    #[ts(type = "\"try\"")]
    pub kind: &'static str,
    pub at: String,
    pub change: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

#[derive(Serialize, JsonSchema, TS)]
#[serde(untagged)]
pub enum TryAnswerJson {
    Tried(Box<TriedJson>),
    None { kind: &'static str, text: String },
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct TriedJson {
    #[schemars(extend("const" = "try"))]
    #[ts(type = "\"try\"")]
    pub kind: &'static str,
    pub point: PointJson,
    pub text: String,
    pub applied: bool,
    pub before: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<&'static str>,
    /// none, gone, same, another
    pub failure: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reached: Option<PointJson>,
    pub lines: Vec<LineJson>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct LineJson {
    pub stream: &'static str,
    /// before, after
    pub only: &'static str,
    pub text: String,
}

pub fn experiments(found: &Experiments) -> ExperimentsJson {
    found.into()
}

/// `Err`: a sentence that says why there is no answer.
pub fn try_document(request: &TryRequest, answer: Result<&TryAnswer, String>) -> TryJson {
    let question = TryQuestionJson {
        kind: "try",
        at: request.at.as_ref().map(ToString::to_string).unwrap_or_default(),
        change: match &request.change {
            ExperimentChange::Turn => "turn",
            ExperimentChange::Skip => "skip",
            ExperimentChange::Value(_) => "value",
        },
        value: match &request.change {
            ExperimentChange::Value(text) => Some(text.clone()),
            _ => None,
        },
    };
    let notes = answer.as_ref().map_or(Vec::new(), |answer| answer.notes.clone());
    let answer = match answer {
        Ok(answer) => TryAnswerJson::Tried(Box::new(answer.into())),
        Err(text) => TryAnswerJson::None { kind: "none", text },
    };
    TryJson { question, answer, notes }
}

impl From<&Experiments> for ExperimentsJson {
    fn from(found: &Experiments) -> ExperimentsJson {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
        ExperimentsJson {
            runs: found.n_runs,
            checks: found.n_checked,
            seconds: found.elapsed.as_secs_f64(),
            plain: milliseconds(found.plain),
            median: found.median.map(milliseconds),
            specific: found.is_specific(),
            proven: each(&found.proven),
        }
    }
}

impl From<&Proven> for ProvenJson {
    fn from(proven: &Proven) -> ProvenJson {
        ProvenJson {
            point: (&proven.point).into(),
            text: proven.text.clone(),
            // It is of a run that is gone.
            reached: PointJson { point: None, ..(&proven.reached).into() },
        }
    }
}

impl From<&TryAnswer> for TriedJson {
    fn from(answer: &TryAnswer) -> TriedJson {
        let (failure, message) = match &answer.failure {
            FailureAfter::None => ("none", None),
            FailureAfter::Gone => ("gone", None),
            FailureAfter::Same => ("same", None),
            FailureAfter::Another(message) => ("another", Some(message.clone())),
        };
        TriedJson {
            kind: "try",
            point: (&answer.point).into(),
            text: answer.had.clone(),
            applied: answer.is_applied,
            before: how(answer.before),
            after: answer.after.map(how),
            stopped: answer.stopped,
            failure,
            message,
            // It is of a run that is gone.
            reached: answer.reached.as_ref().map(|reached| PointJson { point: None, ..reached.into() }),
            lines: each(&answer.lines),
        }
    }
}

impl From<&LineDifference> for LineJson {
    fn from(line: &LineDifference) -> LineJson {
        LineJson {
            stream: if line.is_error { "stderr" } else { "stdout" },
            only: if line.is_new { "after" } else { "before" },
            text: line.text.clone(),
        }
    }
}

fn how(outcome: RunOutcome) -> String {
    match outcome {
        RunOutcome::Exited(code) => format!("with exit code {code}"),
        RunOutcome::Killed { signal } => format!("by signal {signal}"),
        RunOutcome::Running | RunOutcome::Unfinished => "unfinished".into(),
    }
}
