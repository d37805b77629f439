//! The judge: one dialogue for each run, as long as the server lives.

use std::sync::Arc;

use answer_json::{JudgeQuestionJson, JudgeStateJson, judge_state};
use axum::Json;
use axum::extract::{Path, State};
use debugger::{Control, Error, Judge, JudgeAct, JudgeRequest, Judgement, Next, PointText, Strategy};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::runs::named;
use crate::sessions::Sessions;

/// What the person does.
#[derive(Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub enum ActJson {
    /// A new dialogue, or the one that was begun before.
    Begin {
        strategy: Option<StrategyJson>,
        /// A place that holds something wrong at the point.
        wrong: Option<String>,
        at: Option<String>,
        thread: Option<String>,
        /// Earlier verdicts are forgotten.
        #[serde(default)]
        fresh: bool,
    },
    /// What is said of the call that is asked about, or of the one that was entered by this event.
    Say {
        verdict: VerdictWord,
        event: Option<u64>,
    },
    /// What a call received and brought about.
    About {
        event: u64,
    },
    Undo,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StrategyJson {
    TopDown,
    Divide,
    Edges,
    DefUse,
    Slice,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictWord {
    Valid,
    Invalid,
    Unknown,
    Trusted,
    TrustedFile,
}

#[derive(Serialize)]
pub struct JudgedJson {
    #[serde(flatten)]
    state: JudgeStateJson,
    /// The call that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<JudgeQuestionJson>,
}

pub async fn judge(
    State(sessions): State<Arc<Sessions>>,
    Path(run): Path<String>,
    Json(act): Json<ActJson>,
) -> Result<Json<JudgedJson>, Failure> {
    let judged = move || {
        let room = sessions.runs.judge_room(&sessions.of(named(&run))?);
        let about = match act {
            ActJson::About { event } => Some(event),
            _ => None,
        };
        let shown = move |judge: &Judge, next: &Next| JudgedJson {
            state: judge_state(judge, next),
            about: about.and_then(|event| judge.about(event)).map(|call| (&call).into()),
        };
        Ok(Json(room.act(act.try_into()?, &Control::default(), shown)?))
    };
    tokio::task::spawn_blocking(judged).await.unwrap_or_else(|_| Err(Failure::broken()))
}

impl TryFrom<ActJson> for JudgeAct {
    type Error = Error;

    fn try_from(act: ActJson) -> Result<JudgeAct, Error> {
        Ok(match act {
            ActJson::Begin { strategy, wrong, at, thread, fresh } => {
                let is_new = fresh || wrong.is_some() || strategy.is_some();
                let request = Box::new(JudgeRequest {
                    strategy: strategy.map_or(Strategy::default(), Strategy::from),
                    wrong,
                    at: at.map(|at| at.parse::<PointText>()).transpose().map_err(Error::Usage)?,
                    thread,
                    is_fresh: fresh,
                    singly: true,
                    ..JudgeRequest::default()
                });
                JudgeAct::Begin { request, is_new }
            }
            ActJson::Say { verdict, event } => JudgeAct::Say { verdict: verdict.into(), event },
            ActJson::About { .. } => JudgeAct::Look,
            ActJson::Undo => JudgeAct::Undo,
        })
    }
}

impl From<StrategyJson> for Strategy {
    fn from(strategy: StrategyJson) -> Strategy {
        match strategy {
            StrategyJson::TopDown => Strategy::TopDown,
            StrategyJson::Divide => Strategy::Divide,
            StrategyJson::Edges => Strategy::Edges,
            StrategyJson::DefUse => Strategy::DefUse,
            StrategyJson::Slice => Strategy::Slice,
        }
    }
}

impl From<VerdictWord> for Judgement {
    fn from(verdict: VerdictWord) -> Judgement {
        match verdict {
            VerdictWord::Valid => Judgement::Valid,
            VerdictWord::Invalid => Judgement::Invalid,
            VerdictWord::Unknown => Judgement::Unknown,
            VerdictWord::Trusted => Judgement::TrustFunction,
            VerdictWord::TrustedFile => Judgement::TrustFile,
        }
    }
}
