//! Recording a command of the workspace.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use debugger::{
    Answer, Ending, Input, NumberedFailure, OnProgress, Output, PageRequest, Question, QuestionKind, RecordRequest,
    RecordedCode, Session, Stream,
};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Shared;
use crate::answer::{Answered, Draft, Refusal};
use crate::budget::{self, Budget};
use crate::server::Work;
use crate::tools::{Effect, Spec, arguments};
use crate::{ask, next, runs, schema};

pub const RECORD: Spec = Spec {
    name: "record",
    title: "Run and record a command",
    description: "RUNS A PROGRAM: runs a command of the workspace, such as a failing test, and records what it does, for questions",
    effect: Effect::RunsProgram,
    input: || schema::input(&[schema::of::<Arguments>()]),
    output: || schema::output(&schema::of::<RecordedJson>()),
    call,
};

#[derive(Deserialize, JsonSchema)]
struct Arguments {
    /// Its words, without a shell: ["npm", "test"], ["npx", "vitest", "run"]
    command: Vec<String>,
    /// Where it starts, in the workspace
    folder: Option<String>,
    /// Seconds; 600 if left out
    timeout: Option<u64>,
    /// Record only these files: ["src/**"]
    #[serde(default)]
    include: Vec<String>,
    /// Do not record these files
    #[serde(default)]
    exclude: Vec<String>,
    /// Tools to record too: ["jest-circus"]
    #[serde(default)]
    include_packages: Vec<String>,
    /// Record all tools: test runners, transpilers
    #[serde(default)]
    include_tools: bool,
    /// In tokens
    budget: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
struct RecordedJson {
    kind: &'static str,
    run: u32,
    /// exited with 1, killed by signal 9
    outcome: String,
    events: u64,
    /// What failed, the first first
    failures: Vec<FailedJson>,
    /// How many more failed than are listed
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<usize>,
    /// The end of what it printed
    output: String,
}

#[derive(Serialize, JsonSchema)]
struct FailedJson {
    failure: usize,
    /// The full title of the test that failed
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<String>,
    message: String,
}

fn call(shared: &Shared, given: JsonObject, work: &Work) -> Result<Answered, Refusal> {
    let asked: Arguments = arguments(RECORD.name, &given)?;
    let budget = Budget::new(asked.budget).map_err(Refusal)?;
    let allowed = shared.workspace.allow(&asked.command, asked.folder.as_deref()).map_err(Refusal)?;
    let printed = Arc::new(Mutex::new(String::new()));
    let (sink, news) = (printed.clone(), work.news.clone());
    let request = RecordRequest {
        folder: Some(allowed.folder),
        input: Input::Nothing,
        output: Output::Sink(Arc::new(move |stream, bytes| {
            if stream != Stream::Driver {
                print(&mut sink.lock().unwrap_or_else(|poisoned| poisoned.into_inner()), bytes);
            }
        })),
        timeout: Some(Duration::from_secs(asked.timeout.unwrap_or(USUAL_SECONDS))),
        code: RecordedCode {
            include: asked.include,
            exclude: asked.exclude,
            packages: asked.include_packages,
            tools: asked.include_tools,
        },
        cancel: work.control.cancel.clone(),
        progress: Some(OnProgress(Arc::new(move |so_far| {
            news.tell(format!("{} events are recorded", so_far.n_events));
        }))),
        ..RecordRequest::of(allowed.command)
    };
    let recorded = debugger::record(&request, shared.workspace.folder())?;
    let number = recorded.folder.file_name().and_then(|name| name.to_str()?.parse().ok()).unwrap_or_default();
    if recorded.ending == Ending::Cancelled {
        return Err(Refusal(format!("this was cancelled; run {number} holds what was recorded until then")));
    }
    let (mut failures, more) = failures(&ask::session(shared, Some(number))?, work);
    // Together they leave room for what was printed.
    let letters = 2 * budget.most_letters() / failures.len().max(1);
    failures.iter_mut().for_each(|failed| budget::shorten(&mut failed.message, letters));
    let next = next::after_run(number, failures.len() + more);
    let printed = printed.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
    let answer = RecordedJson {
        kind: "recorded",
        run: number,
        outcome: runs::outcome(recorded.outcome),
        events: recorded.n_events,
        failures,
        more: (more > 0).then_some(more),
        output: String::new(),
    };
    let notes = recorded.notes;
    let answer = serde_json::to_value(answer).expect("plain data can be written");
    let draft = Draft { tool: RECORD.name, given, run: Some(number), answer, notes, cursor: None, next, is_cut: false };
    Ok(with_output(draft, &printed, budget).within(budget))
}

/// As much of the end of what was printed as fits beside the rest: there stands what a test runner reports.
fn with_output(mut draft: Draft, printed: &str, budget: Budget) -> Draft {
    let from = |start: usize| match start {
        0 if printed.len() < MOST_PRINTED => printed.to_owned(),
        start if start == 0 || printed[..start].ends_with('\n') => format!("…\n{}", &printed[start..]),
        start => format!("…{}", &printed[start..]),
    };
    let mut first_fitting = |starts: &[usize]| {
        let at = starts.partition_point(|start| {
            draft.answer["output"] = json!(from(*start));
            !draft.fits(budget)
        });
        starts.get(at).copied().unwrap_or(printed.len())
    };
    let starts: Vec<usize> = [0].into_iter().chain(printed.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let mut start = first_fitting(&starts);
    let last_line = printed.trim_end().rfind('\n').map_or(0, |at| at + 1);
    if start > last_line {
        // Of a line that is too long there is its end.
        let inside: Vec<usize> = printed[last_line..].char_indices().map(|(at, _)| last_line + at).collect();
        start = first_fitting(&inside);
    }
    draft.answer["output"] = json!(from(start));
    draft
}

const USUAL_SECONDS: u64 = 600;

/// The first of what failed, and how many more there are.
fn failures(session: &Session, work: &Work) -> (Vec<FailedJson>, usize) {
    let question = Question::of(QuestionKind::Failures(PageRequest::first(MOST_FAILURES)));
    match session.ask(&question, &work.control).map(|reply| reply.answer) {
        Ok(Answer::Failures(failures)) => {
            let shown = |message: &str| debugger::with_redactions_shown(message).into_owned();
            let failed = |failed: &NumberedFailure| FailedJson {
                failure: failed.number,
                test: failed.failure.test.as_ref().map(|test| shown(&test.title())),
                message: shown(&failed.failure.message),
            };
            let listed: Vec<FailedJson> = failures.items.iter().map(failed).collect();
            let more = failures.n_all.map_or(0, |n_all| (n_all as usize).saturating_sub(listed.len()));
            (listed, more)
        }
        // There is none.
        _ => (Vec::new(), 0),
    }
}

const MOST_FAILURES: usize = 10;

/// The newest part is kept: a program may print without end.
fn print(output: &mut String, bytes: &[u8]) {
    output.push_str(&String::from_utf8_lossy(bytes));
    if output.len() > MOST_PRINTED {
        let cut = (output.len() - MOST_PRINTED..output.len()).find(|at| output.is_char_boundary(*at));
        output.drain(..cut.unwrap_or_default());
    }
}

const MOST_PRINTED: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_was_printed_the_end_is_kept() {
        let lines: String = (1..=500).map(|n| format!("line {n}\n")).collect();
        let printed = format!("npm warn Unknown user config\n{lines}# fail 1\n");
        let output = shown(&printed);
        assert!(output.starts_with("…\nline ") && output.ends_with("line 500\n# fail 1\n"), "{output}");
        assert!(output.lines().count() > 50, "{output}");
    }

    #[test]
    fn of_a_long_last_line_the_end_is_kept() {
        for end in ["", "\n"] {
            let output = shown(&format!("first\n{} äöü fail 1{end}", "äöü ".repeat(5000)));
            assert!(output.starts_with('…') && output.ends_with(&format!("äöü fail 1{end}")), "{output}");
            assert!(output.len() > 500, "{output}");
        }
    }

    fn shown(printed: &str) -> String {
        let draft = Draft {
            tool: RECORD.name,
            given: JsonObject::new(),
            run: Some(1),
            answer: json!({ "kind": "recorded", "output": "" }),
            notes: Vec::new(),
            cursor: None,
            next: Vec::new(),
            is_cut: false,
        };
        let budget = Budget::new(Some(400)).unwrap();
        let answered = with_output(draft, printed, budget).within(budget);
        answered.structured["answer"]["output"].as_str().unwrap().to_owned()
    }
}
