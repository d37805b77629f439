//! Questions and ends as JSON; docs/json.md describes it.

use std::collections::BTreeMap;

use debugger::{CallRef, EndShown, Judge, Judgement, Next, ObjectShown, QuestionShown, TableShown, Value};
use serde::Serialize;

use super::oracle::word_of;
use answer_json::{PointJson, ValueJson};

#[derive(Serialize)]
pub struct Asked {
    question: QuestionJson,
    progress: ProgressJson,
}

#[derive(Serialize)]
struct ProgressJson {
    asked: usize,
    suspicious: usize,
    calls: usize,
}

#[derive(Serialize)]
struct QuestionJson {
    number: usize,
    call: CallJson,
    this: Option<ValueJson>,
    arguments: Vec<ArgumentJson>,
    variables: Vec<VariableJson>,
    outcome: OutcomeJson,
    changes: Vec<ChangeJson>,
    objects: BTreeMap<String, ObjectJson>,
    output: Vec<String>,
    awaited: Vec<AwaitedJson>,
    #[serde(skip_serializing_if = "is_zero")]
    outlived_by: usize,
    unknown: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    claims: Vec<String>,
    suspicious: usize,
    children: usize,
}

#[derive(Serialize)]
struct CallJson {
    function: Option<String>,
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    point: PointJson,
    end: Option<PointJson>,
}

#[derive(Serialize)]
struct ArgumentJson {
    name: String,
    entry: ValueJson,
    exit: ValueJson,
}

#[derive(Serialize)]
struct VariableJson {
    name: String,
    scope: &'static str,
    changed: bool,
    entry: Option<ValueJson>,
    exit: Option<ValueJson>,
}

#[derive(Serialize)]
struct OutcomeJson {
    kind: &'static str,
    value: Option<ValueJson>,
}

#[derive(Serialize)]
struct ChangeJson {
    place: String,
    object: u32,
    key: String,
    old: Option<ValueJson>,
    new: Option<ValueJson>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    by_others: bool,
}

#[derive(Serialize)]
struct ObjectJson {
    class: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    entry: Option<BTreeMap<String, ValueJson>>,
    exit: Option<BTreeMap<String, ValueJson>>,
    complete: bool,
}

#[derive(Serialize)]
struct AwaitedJson {
    value: ValueJson,
    result: Option<ValueJson>,
}

/// A question that was answered: about a call, or about the calls of a table.
#[derive(Clone, Serialize)]
#[serde(untagged)]
pub enum Transcript {
    Call(JudgedJson),
    Table { function: Option<String>, file: String, rows: Vec<JudgedJson> },
}

#[derive(Clone, Serialize)]
pub struct JudgedJson {
    #[serde(flatten)]
    call: CallRefJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    hit: Option<u64>,
    /// Nothing: a row of which nothing was said.
    verdict: Option<&'static str>,
}

#[derive(Clone, Serialize)]
struct CallRefJson {
    function: Option<String>,
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    event: u64,
}

#[derive(Serialize)]
pub struct Ended<'a> {
    kind: &'static str,
    /// How many questions were answered; a table is one.
    asked: usize,
    /// How many calls were judged by that.
    judged: usize,
    calls: usize,
    trusted: usize,
    found: Option<CallRefJson>,
    /// The wrong call as it would be asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<QuestionJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<StepJson<'a>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<CallRefJson>,
    transcript: &'a [Transcript],
    verdicts: Vec<VerdictJson>,
    conflicts: Vec<ConflictJson>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct StepJson<'a> {
    event: u64,
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<&'a str>,
}

#[derive(Serialize)]
struct VerdictJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<CallRefJson>,
    verdict: String,
    why: String,
}

#[derive(Serialize)]
struct ConflictJson {
    older: String,
    newer: String,
}

pub fn question(shown: &QuestionShown) -> Asked {
    let progress = ProgressJson { asked: shown.number - 1, suspicious: shown.n_suspicious, calls: shown.n_calls };
    Asked { question: question_json(shown), progress }
}

pub fn transcript(shown: &QuestionShown, answer: Judgement) -> Transcript {
    Transcript::Call(judged(shown, Some(answer)))
}

pub fn transcript_of_table(table: &TableShown, answers: &[Option<Judgement>]) -> Transcript {
    let call = &table.rows[0].call;
    let rows = table.rows.iter().zip(answers).map(|(row, answer)| judged(row, *answer)).collect();
    Transcript::Table { function: call.function.clone(), file: call.file.clone(), rows }
}

fn judged(shown: &QuestionShown, answer: Option<Judgement>) -> JudgedJson {
    JudgedJson { call: call_ref(&shown.call), hit: shown.point.hit, verdict: answer.map(word_of) }
}

pub fn ended<'a>(judge: &Judge, end: &'a Next, transcript: &'a [Transcript]) -> Ended<'a> {
    let (_, n_calls) = judge.n_suspicious();
    let found = match end {
        Next::Found(found) => Some(found),
        _ => None,
    };
    Ended {
        kind: match end {
            Next::Found(_) => "found",
            Next::Unsure(_) => "unsure",
            Next::Nothing | Next::Ask(_) | Next::AskTable(_) => "nothing",
        },
        asked: judge.n_asked(),
        judged: judge.n_judged(),
        calls: n_calls,
        trusted: judge.n_trusted(),
        found: found.map(|found| call_ref(&found.call)),
        question: found.and_then(|found| found.question.as_ref()).map(question_json),
        steps: found.map(|found| found.steps.iter().map(step_json).collect()),
        candidates: match end {
            Next::Unsure(calls) => calls.iter().map(call_ref).collect(),
            _ => Vec::new(),
        },
        transcript,
        verdicts: judge
            .verdicts()
            .into_iter()
            .map(|verdict| VerdictJson {
                call: verdict.call.as_ref().map(call_ref),
                verdict: verdict.what,
                why: verdict.why,
            })
            .collect(),
        conflicts: judge
            .conflicts()
            .into_iter()
            .map(|conflict| ConflictJson { older: conflict.older, newer: conflict.newer })
            .collect(),
        notes: judge.notes(),
    }
}

fn step_json(step: &debugger::CallStep) -> StepJson<'_> {
    StepJson { event: step.event, kind: step.kind, line: step.line, text: &step.text, old: step.old.as_deref() }
}

fn call_ref(call: &CallRef) -> CallRefJson {
    CallRefJson { function: call.function.clone(), file: call.file.clone(), line: call.line, event: call.event }
}

fn question_json(shown: &QuestionShown) -> QuestionJson {
    let option = |shown: &Option<Value>| shown.as_ref().map(ValueJson::from);
    QuestionJson {
        number: shown.number,
        call: CallJson {
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
            .map(|argument| ArgumentJson {
                name: argument.name.clone(),
                entry: (&argument.entry).into(),
                exit: (&argument.exit).into(),
            })
            .collect(),
        variables: shown
            .variables
            .iter()
            .map(|variable| VariableJson {
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
            .map(|change| ChangeJson {
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
