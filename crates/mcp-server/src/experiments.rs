//! The program once more with one thing different, in a throw-away copy of its folder: as a search for what would have kept it from
//! failing, and by hand.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use answer_json::{ExperimentsJson, TryAnswerJson, experiments, try_document};
use debugger::{
    Announcement, Budget as Spending, ExperimentChange, ExperimentRequest, PointText, Session, SignalsOf, TryRequest,
};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Shared;
use crate::answer::{Answered, Draft, Refusal};
use crate::ask::session;
use crate::budget::Budget;
use crate::server::Work;
use crate::tools::{Effect, Spec, arguments};
use crate::{next, schema};

pub const EXPERIMENT: Spec = Spec {
    name: "experiment",
    title: "What would have prevented the failure",
    description: "RUNS A PROGRAM: the command of a failed run, many times in a throw-away copy of its folder, each time with one decision or value different: which of them keep it from failing",
    effect: Effect::RunsProgram,
    input: || schema::input(&[schema::of::<Search>()]),
    output: || schema::output(&schema::of::<SearchedJson>()),
    call: search,
};

pub const TRY: Spec = Spec {
    name: "try",
    title: "What would have happened",
    description: "RUNS A PROGRAM: the command of a run in a throw-away copy of its folder, with one thing different at a point: what is not as before. Give turn, skip or value",
    effect: Effect::RunsProgram,
    input: || schema::input(&[schema::of::<Try>()]),
    output: || schema::output(&schema::of::<TryAnswerJson>()),
    call: try_out,
};

#[derive(Deserialize, JsonSchema)]
struct Search {
    /// The latest if left out
    run: Option<u32>,
    /// Which failure, from 1
    failure: Option<usize>,
    thread: Option<String>,
    /// Most runs of the program; 100 if left out
    #[schemars(range(max = 10000))]
    runs: Option<usize>,
    /// Most time; 30 if left out
    #[schemars(range(max = 86400))]
    seconds: Option<u64>,
    /// Also if it writes elsewhere, starts programs or uses the network
    #[serde(default)]
    allow_effects: bool,
    /// In tokens
    budget: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
struct Try {
    /// Point: P2, app.js:22#3, crash
    at: String,
    /// Condition that picks the hit
    when: Option<String>,
    thread: Option<String>,
    /// The decision goes the other way
    #[serde(default)]
    turn: bool,
    /// The statement is left out
    #[serde(default)]
    skip: bool,
    /// The value is this: null, items.length
    value: Option<String>,
    /// The latest if left out
    run: Option<u32>,
    /// Also if it writes elsewhere, starts programs or uses the network
    #[serde(default)]
    allow_effects: bool,
    /// In tokens
    budget: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
struct SearchedJson {
    kind: &'static str,
    #[serde(flatten)]
    found: ExperimentsJson,
}

/// As the schema says.
const MOST_RUNS: usize = 10_000;
const MOST_SECONDS: u64 = 86_400;

fn search(shared: &Shared, given: JsonObject, work: &Work) -> Result<Answered, Refusal> {
    let asked: Search = arguments(EXPERIMENT.name, &given)?;
    if asked.runs.is_some_and(|runs| runs > MOST_RUNS) || asked.seconds.is_some_and(|seconds| seconds > MOST_SECONDS) {
        return Err(Refusal(format!("runs is at most {MOST_RUNS}, and seconds at most {MOST_SECONDS}")));
    }
    let budget = Budget::new(asked.budget).map_err(Refusal)?;
    let session = runnable(shared, asked.run)?;
    let usual = Spending::default();
    let spending = Spending {
        runs: asked.runs.unwrap_or(usual.runs),
        time: asked.seconds.map_or(usual.time, Duration::from_secs),
    };
    let request = ExperimentRequest {
        thread: asked.thread,
        failure: asked.failure,
        budget: spending,
        allows_effects: asked.allow_effects,
        signals: SignalsOf::ThisProcess,
        cancel: work.control.cancel.clone(),
    };
    let n_most = AtomicUsize::new(spending.runs);
    let announce = |planned: &Announcement| n_most.store(planned.budget.runs, Ordering::Relaxed);
    let progress = |n_runs: usize| {
        work.news.tell(format!("{n_runs} of at most {} experiments are done", n_most.load(Ordering::Relaxed)));
    };
    let found = session.experiment(&request, &announce, &progress)?;
    let answer = written(SearchedJson { kind: "experiments", found: experiments(&found) });
    let run = session.about().number;
    let next = next::after_experiments(run, &answer);
    let notes = found.notes;
    let draft =
        Draft { tool: EXPERIMENT.name, given, run: Some(run), answer, notes, cursor: None, next, is_cut: false };
    Ok(draft.within(budget))
}

fn try_out(shared: &Shared, given: JsonObject, work: &Work) -> Result<Answered, Refusal> {
    let asked: Try = arguments(TRY.name, &given)?;
    let budget = Budget::new(asked.budget).map_err(Refusal)?;
    let change = asked.change()?;
    let at: PointText = asked.at.parse().map_err(Refusal)?;
    let session = runnable(shared, asked.run)?;
    let request = TryRequest {
        at: Some(at),
        condition: asked.when,
        thread: asked.thread,
        change,
        allows_effects: asked.allow_effects,
        signals: SignalsOf::ThisProcess,
        cancel: work.control.cancel.clone(),
    };
    let document = match session.try_out(&request, &|_| work.news.tell("running the program".into())) {
        Ok(answer) => try_document(&request, Ok(&answer)),
        Err(error) if error.is_answer() => try_document(&request, Err(error.to_string())),
        Err(error) => return Err(error.into()),
    };
    let answer = written(document.answer);
    let run = session.about().number;
    let next = next::after_try(run, &answer);
    let notes = document.notes;
    let draft = Draft { tool: TRY.name, given, run: Some(run), answer, notes, cursor: None, next, is_cut: false };
    Ok(draft.within(budget))
}

impl Try {
    fn change(&self) -> Result<ExperimentChange, Refusal> {
        match (self.turn, self.skip, &self.value) {
            (true, false, None) => Ok(ExperimentChange::Turn),
            (false, true, None) => Ok(ExperimentChange::Skip),
            (false, false, Some(text)) => Ok(ExperimentChange::Value(text.clone())),
            _ => Err(Refusal("try makes one thing different: turn, skip or value".into())),
        }
    }
}

/// A run whose command an agent may run: a person may have recorded any.
fn runnable(shared: &Shared, run: Option<u32>) -> Result<Session, Refusal> {
    let session = session(shared, run)?;
    shared.workspace.allow(&session.about().command, Some(session.command_folder())).map_err(Refusal)?;
    Ok(session)
}

fn written(answer: impl Serialize) -> Value {
    serde_json::from_str(&answer_json::line(&answer)).expect("plain data is JSON")
}
