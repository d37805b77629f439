//! The judge as a dialogue: the tool asks about a call, and the agent's next call of the tool says whether that call did what it should.

use answer_json::{judge_schema, judge_state};
use debugger::{Judge, JudgeAct, JudgeRequest, Judgement, Next, PointText};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::Shared;
use crate::answer::{Answered, Draft, Refusal};
use crate::ask::session;
use crate::budget::Budget;
use crate::server::Work;
use crate::tools::{Effect, Spec, arguments};
use crate::{next, schema};

pub const JUDGE: Spec = Spec {
    name: "judge",
    title: "Find the wrong call",
    description: "Find the wrong call in a dialogue: it shows a call with its arguments and effects, you say by `verdict` whether they are right, until it names the wrong call. Call it without arguments to begin. Verdicts are kept with the run",
    effect: Effect::KeepsVerdicts,
    input: || schema::input(&[schema::of::<Arguments>()]),
    output: || schema::output(&judge_schema()),
    call,
};

#[derive(Deserialize, JsonSchema)]
struct Arguments {
    /// On the call that was shown; trusted: its function is always right, trusted-file: all functions of its file are
    verdict: Option<Verdict>,
    /// On the call entered by this event instead
    event: Option<u64>,
    /// Begin anew: a place that holds something wrong
    wrong: Option<String>,
    /// When it does: a point
    at: Option<String>,
    /// Begin anew and forget all verdicts
    #[serde(default)]
    fresh: bool,
    /// Take the newest verdict back
    #[serde(default)]
    undo: bool,
    /// The latest if left out
    run: Option<u32>,
    /// In tokens
    budget: Option<usize>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Verdict {
    Valid,
    Invalid,
    Unknown,
    Trusted,
    TrustedFile,
}

fn call(shared: &Shared, given: JsonObject, work: &Work) -> Result<Answered, Refusal> {
    let asked: Arguments = arguments(JUDGE.name, &given)?;
    let budget = Budget::new(asked.budget).map_err(Refusal)?;
    let session = session(shared, asked.run)?;
    let shown = |judge: &Judge, next: &Next| answer_json::line(&judge_state(judge, next));
    let line = shared.runs.judge_room(&session).act(asked.act()?, &work.control, shown)?;
    let mut state: Value = serde_json::from_str(&line).expect("a document is JSON");
    // Verdicts are the agent's own words: the newest remind it enough.
    if let Some(verdicts) = state.get_mut("verdicts").and_then(Value::as_array_mut) {
        verdicts.drain(..verdicts.len().saturating_sub(NEWEST));
    }
    let run = session.about().number;
    let next = next::after_judge(run, &state);
    let draft = Draft {
        tool: JUDGE.name,
        given,
        run: Some(run),
        answer: state,
        notes: Vec::new(),
        cursor: None,
        next,
        is_cut: false,
    };
    Ok(draft.within(budget))
}

const NEWEST: usize = 5;

impl Arguments {
    fn act(&self) -> Result<JudgeAct, Refusal> {
        let begins = self.fresh || self.wrong.is_some();
        match (self.verdict, self.undo, begins) {
            (Some(verdict), false, false) => Ok(JudgeAct::Say { verdict: verdict.into(), event: self.event }),
            (None, true, false) => Ok(JudgeAct::Undo),
            (None, false, is_new) => {
                let at = self.at.as_ref().map(|at| at.parse::<PointText>()).transpose().map_err(Refusal)?;
                let request = JudgeRequest {
                    wrong: self.wrong.clone(),
                    at,
                    is_fresh: self.fresh,
                    singly: true,
                    ..JudgeRequest::default()
                };
                Ok(JudgeAct::Begin { request: Box::new(request), is_new })
            }
            _ => Err(Refusal("judge takes one of these at a time: a verdict, undo, or where to begin anew".into())),
        }
    }
}

impl From<Verdict> for Judgement {
    fn from(verdict: Verdict) -> Judgement {
        match verdict {
            Verdict::Valid => Judgement::Valid,
            Verdict::Invalid => Judgement::Invalid,
            Verdict::Unknown => Judgement::Unknown,
            Verdict::Trusted => Judgement::TrustFunction,
            Verdict::TrustedFile => Judgement::TrustFile,
        }
    }
}
