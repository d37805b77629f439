//! Questions and ends as JSON; docs/json.md describes it.

use debugger::{Judge, Judgement, Next, QuestionShown, TableShown};
use serde::Serialize;

use super::oracle::word_of;
use answer_json::{CallRefJson, ConflictJson, JudgeQuestionJson, StepJson, VerdictJson};

#[derive(Serialize)]
pub struct Asked {
    question: JudgeQuestionJson,
    progress: ProgressJson,
}

#[derive(Serialize)]
struct ProgressJson {
    asked: usize,
    suspicious: usize,
    calls: usize,
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
    question: Option<JudgeQuestionJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<StepJson>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<CallRefJson>,
    transcript: &'a [Transcript],
    verdicts: Vec<VerdictJson>,
    conflicts: Vec<ConflictJson>,
    notes: Vec<String>,
}

pub fn question(shown: &QuestionShown) -> Asked {
    let progress = ProgressJson { asked: shown.number - 1, suspicious: shown.n_suspicious, calls: shown.n_calls };
    Asked { question: shown.into(), progress }
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
    JudgedJson { call: (&shown.call).into(), hit: shown.point.hit, verdict: answer.map(word_of) }
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
        found: found.map(|found| (&found.call).into()),
        question: found.and_then(|found| found.question.as_ref()).map(JudgeQuestionJson::from),
        steps: found.map(|found| found.steps.iter().map(StepJson::from).collect()),
        candidates: match end {
            Next::Unsure(calls) => calls.iter().map(CallRefJson::from).collect(),
            _ => Vec::new(),
        },
        transcript,
        verdicts: judge.verdicts().iter().map(VerdictJson::from).collect(),
        conflicts: judge.conflicts().iter().map(ConflictJson::from).collect(),
        notes: judge.notes(),
    }
}
