//! Questions of the judge as JSON: what a call received, and all that it brought about.

use std::collections::BTreeMap;

use debugger::{
    CallRef, CallStep, ConflictShown, EndShown, Judge, Next, ObjectShown, QuestionShown, Value, VerdictShown,
};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::parts::{PointJson, ValueJson, each};

/// How far a dialogue is: the next question, or its end.
#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct JudgeStateJson {
    /// ask, found, unsure, nothing
    pub kind: &'static str,
    /// The call that is asked about, or the wrong one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<JudgeQuestionJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<CallRefJson>,
    pub steps: Vec<StepJson>,
    /// One of these is wrong, and nobody knows which.
    pub candidates: Vec<CallRefJson>,
    pub asked: usize,
    pub suspicious: usize,
    pub calls: usize,
    pub verdicts: Vec<VerdictJson>,
    pub conflicts: Vec<ConflictJson>,
    pub notes: Vec<String>,
}

/// The state of a dialogue that asks about one call at a time.
pub fn judge_state(judge: &Judge, next: &Next) -> JudgeStateJson {
    let (suspicious, calls) = judge.n_suspicious();
    let found = match next {
        Next::Found(found) => Some(found),
        _ => None,
    };
    let question = match next {
        Next::Ask(question) => Some(&**question),
        Next::AskTable(table) => table.rows.first(),
        Next::Found(found) => found.question.as_ref(),
        Next::Unsure(_) | Next::Nothing => None,
    };
    JudgeStateJson {
        kind: match next {
            Next::Ask(_) | Next::AskTable(_) => "ask",
            Next::Found(_) => "found",
            Next::Unsure(_) => "unsure",
            Next::Nothing => "nothing",
        },
        question: question.map(JudgeQuestionJson::from),
        found: found.map(|found| (&found.call).into()),
        steps: found.map_or_else(Vec::new, |found| each(&found.steps)),
        candidates: match next {
            Next::Unsure(calls) => each(calls),
            _ => Vec::new(),
        },
        asked: judge.n_asked(),
        suspicious,
        calls,
        verdicts: each(&judge.verdicts()),
        conflicts: each(&judge.conflicts()),
        notes: judge.notes(),
    }
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct JudgeQuestionJson {
    pub number: usize,
    pub call: JudgedCallJson,
    pub this: Option<ValueJson>,
    pub arguments: Vec<JudgedArgumentJson>,
    pub variables: Vec<JudgedVariableJson>,
    pub outcome: OutcomeJson,
    pub changes: Vec<CallChangeJson>,
    pub objects: BTreeMap<String, ObjectJson>,
    pub output: Vec<String>,
    pub awaited: Vec<AwaitedJson>,
    #[serde(skip_serializing_if = "is_zero")]
    #[ts(as = "Option<_>", optional)]
    pub outlived_by: usize,
    pub unknown: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub claims: Vec<String>,
    pub suspicious: usize,
    pub children: usize,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct JudgedCallJson {
    pub function: Option<String>,
    pub file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    pub point: PointJson,
    pub end: Option<PointJson>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct JudgedArgumentJson {
    pub name: String,
    pub entry: ValueJson,
    pub exit: ValueJson,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct JudgedVariableJson {
    pub name: String,
    pub scope: &'static str,
    pub changed: bool,
    pub entry: Option<ValueJson>,
    pub exit: Option<ValueJson>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct OutcomeJson {
    #[schemars(extend("enum" = ["returned", "threw", "unfinished"]))]
    #[ts(type = "\"returned\" | \"threw\" | \"unfinished\"")]
    pub kind: &'static str,
    pub value: Option<ValueJson>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct CallChangeJson {
    pub place: String,
    pub object: u32,
    pub key: String,
    pub old: Option<ValueJson>,
    pub new: Option<ValueJson>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<_>", optional)]
    pub by_others: bool,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ObjectJson {
    pub class: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    pub entry: Option<BTreeMap<String, ValueJson>>,
    pub exit: Option<BTreeMap<String, ValueJson>>,
    pub complete: bool,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct AwaitedJson {
    pub value: ValueJson,
    pub result: Option<ValueJson>,
}

#[derive(Clone, Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct CallRefJson {
    pub function: Option<String>,
    pub file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[ts(type = "number")]
    pub event: u64,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct VerdictJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<CallRefJson>,
    pub verdict: String,
    pub why: String,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ConflictJson {
    pub older: String,
    pub newer: String,
}

/// An event of the wrong call.
#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct StepJson {
    #[ts(type = "number")]
    pub event: u64,
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
}

impl From<&CallStep> for StepJson {
    fn from(step: &CallStep) -> StepJson {
        StepJson { event: step.event, kind: step.kind, line: step.line, text: step.text.clone(), old: step.old.clone() }
    }
}

impl From<&CallRef> for CallRefJson {
    fn from(call: &CallRef) -> CallRefJson {
        CallRefJson { function: call.function.clone(), file: call.file.clone(), line: call.line, event: call.event }
    }
}

impl From<&VerdictShown> for VerdictJson {
    fn from(verdict: &VerdictShown) -> VerdictJson {
        VerdictJson {
            call: verdict.call.as_ref().map(CallRefJson::from),
            verdict: verdict.what.clone(),
            why: verdict.why.clone(),
        }
    }
}

impl From<&ConflictShown> for ConflictJson {
    fn from(conflict: &ConflictShown) -> ConflictJson {
        ConflictJson { older: conflict.older.clone(), newer: conflict.newer.clone() }
    }
}

impl From<&QuestionShown> for JudgeQuestionJson {
    fn from(shown: &QuestionShown) -> JudgeQuestionJson {
        let option = |shown: &Option<Value>| shown.as_ref().map(ValueJson::from);
        JudgeQuestionJson {
            number: shown.number,
            call: JudgedCallJson {
                function: shown.call.function.clone(),
                file: shown.call.file.clone(),
                line: shown.call.line,
                point: (&shown.point).into(),
                end: shown.end_point.as_ref().map(PointJson::from),
            },
            this: option(&shown.this),
            arguments: shown
                .arguments
                .iter()
                .map(|argument| JudgedArgumentJson {
                    name: argument.name.clone(),
                    entry: (&argument.entry).into(),
                    exit: (&argument.exit).into(),
                })
                .collect(),
            variables: shown
                .variables
                .iter()
                .map(|variable| JudgedVariableJson {
                    name: variable.name.clone(),
                    scope: if variable.is_local { "local" } else { "outer" },
                    changed: variable.is_changed,
                    entry: option(&variable.entry),
                    exit: option(&variable.exit),
                })
                .collect(),
            outcome: match &shown.end {
                EndShown::Returned(returned) => OutcomeJson { kind: "returned", value: Some(returned.into()) },
                EndShown::Threw(thrown) => OutcomeJson { kind: "threw", value: option(thrown) },
                EndShown::Unfinished => OutcomeJson { kind: "unfinished", value: None },
            },
            changes: shown
                .changes
                .iter()
                .map(|change| CallChangeJson {
                    place: change.place.clone(),
                    object: change.object,
                    key: change.key.clone(),
                    old: option(&change.old),
                    new: option(&change.new),
                    by_others: change.by_others,
                })
                .collect(),
            objects: shown.objects.iter().map(|object| (object.object.to_string(), object_json(object))).collect(),
            output: shown.output.clone(),
            awaited: shown
                .awaited
                .iter()
                .map(|(awaited, result)| AwaitedJson { value: awaited.into(), result: option(result) })
                .collect(),
            outlived_by: shown.outlived_by,
            unknown: shown.unknown.clone(),
            claims: shown.claims.clone(),
            suspicious: shown.n_suspicious,
            children: shown.n_children,
        }
    }
}

fn object_json(object: &ObjectShown) -> ObjectJson {
    let fields = |fields: &Option<Vec<(String, Value)>>| {
        fields.as_ref().map(|fields| fields.iter().map(|(key, held)| (key.clone(), held.into())).collect())
    };
    ObjectJson {
        class: object.class.clone(),
        place: object.place.clone(),
        entry: fields(&object.entry),
        exit: fields(&object.exit),
        complete: object.is_complete,
    }
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}
