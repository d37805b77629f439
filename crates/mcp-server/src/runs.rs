//! The runs of the workspace, as a tool: many clients show a model no resources.

use debugger::{PageRequest, RunOutcome, RunSummary};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Shared;
use crate::answer::{Answered, Draft, Refusal};
use crate::budget::Budget;
use crate::next::{self, Suggestion};
use crate::schema;
use crate::server::Work;
use crate::tools::{Effect, Spec, arguments};

pub const RUNS: Spec = Spec {
    name: "runs",
    title: "Recorded runs",
    description: "Recorded runs of the workspace, newest first",
    effect: Effect::None,
    input: || schema::input(&[schema::of::<Arguments>()]),
    output: || schema::output(&schema::of::<RunsJson>()),
    call,
};

#[derive(Deserialize, JsonSchema)]
struct Arguments {
    /// In tokens
    budget: Option<usize>,
    cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
pub struct RunsJson {
    kind: &'static str,
    runs: Vec<RunJson>,
}

#[derive(Serialize, JsonSchema)]
pub struct RunJson {
    pub run: u32,
    pub command: String,
    /// exited with 1, killed by signal 9, is being recorded, unfinished
    pub outcome: String,
    pub events: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// Newest first.
pub fn list(shared: &Shared) -> Vec<RunJson> {
    let runs = debugger::runs(shared.runs.folder(), &PageRequest::default());
    runs.map_or_else(|_| Vec::new(), |runs| runs.items.into_iter().rev().map(RunJson::from).collect())
}

impl From<RunSummary> for RunJson {
    fn from(run: RunSummary) -> RunJson {
        RunJson {
            run: run.number,
            command: debugger::with_redactions_shown(&run.command.join(" ")).into_owned(),
            outcome: outcome(run.outcome),
            events: run.n_events,
            problem: run.problem,
        }
    }
}

pub fn outcome(outcome: RunOutcome) -> String {
    match outcome {
        RunOutcome::Exited(code) => format!("exited with {code}"),
        RunOutcome::Killed { signal } => format!("killed by signal {signal}"),
        RunOutcome::Running => "is being recorded".into(),
        RunOutcome::Unfinished => "unfinished".into(),
    }
}

fn call(shared: &Shared, given: JsonObject, _: &Work) -> Result<Answered, Refusal> {
    let asked: Arguments = arguments(RUNS.name, &given)?;
    let budget = Budget::new(asked.budget).map_err(Refusal)?;
    let before = match &asked.cursor {
        None => u32::MAX,
        Some(cursor) => {
            let number = cursor.strip_prefix(BEFORE).and_then(|number| number.parse().ok());
            number.ok_or_else(|| Refusal(format!("{cursor} is no cursor of the runs")))?
        }
    };
    let mut runs = list(shared);
    runs.retain(|run| run.run < before);
    let mut n_shown = runs.len();
    loop {
        let cursor = runs.get(n_shown).map(|_| format!("{BEFORE}{}", runs[n_shown - 1].run));
        let answer = json!({ "kind": "runs", "runs": &runs[..n_shown] });
        let next = after(&runs, &given, cursor.as_deref());
        let given = given.clone();
        let draft = Draft { tool: RUNS.name, given, run: None, answer, notes: Vec::new(), cursor, next, is_cut: false };
        if n_shown <= 1 || draft.fits(budget) {
            return Ok(draft.within(budget));
        }
        n_shown = n_shown.div_ceil(2);
    }
}

const BEFORE: &str = "before-";

fn after(runs: &[RunJson], given: &JsonObject, cursor: Option<&str>) -> Vec<Suggestion> {
    let mut found: Vec<Suggestion> =
        cursor.map(|cursor| next::continued(RUNS.name, given, None, cursor)).into_iter().collect();
    let is_failed = |run: &&RunJson| run.outcome != "exited with 0" && run.problem.is_none();
    found.extend(runs.iter().find(is_failed).map(|run| next::why_of(run.run)));
    found
}
