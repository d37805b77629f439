//! The judge. A dialogue belongs to one thread, which lives as long as the server does: what it found out about the calls of a run is
//! kept between two answers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

use answer_json::{JudgeQuestionJson, JudgeStateJson, judge_state};
use axum::Json;
use axum::extract::{Path, State};
use debugger::{Error, Judge, JudgeRequest, Judgement, Next, PointText, Session, Strategy};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

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

/// By run.
#[derive(Default)]
pub struct Judges(Mutex<HashMap<String, mpsc::Sender<Asked>>>);

type Asked = (ActJson, oneshot::Sender<Result<JudgedJson, Error>>);

pub async fn judge(
    State(sessions): State<Arc<Sessions>>,
    Path(run): Path<String>,
    Json(act): Json<ActJson>,
) -> Result<Json<JudgedJson>, Failure> {
    let (tell, told) = oneshot::channel();
    let hand = move || sessions.judges.hand(&sessions, &run, (act, tell));
    tokio::task::spawn_blocking(hand).await.unwrap_or_else(|_| Err(Failure::broken()))?;
    let judged = told.await.map_err(|_| Failure::broken())?;
    Ok(Json(judged?))
}

impl Judges {
    fn hand(&self, sessions: &Sessions, run: &str, asked: Asked) -> Result<(), Failure> {
        let mut rooms = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let asked = match rooms.get(run) {
            Some(room) => match room.send(asked) {
                Ok(()) => return Ok(()),
                // It ended: its run may have been removed.
                Err(mpsc::SendError(asked)) => asked,
            },
            None => asked,
        };
        let session = sessions.of(named(run))?;
        let (send, receive) = mpsc::channel();
        thread::spawn(move || hold(&session, &receive));
        send.send(asked).map_err(|_| Failure::broken())?;
        rooms.insert(run.to_owned(), send);
        Ok(())
    }
}

/// Holds dialogues about a run, one after the other.
fn hold(session: &Session, asked: &mpsc::Receiver<Asked>) {
    let mut dialogue: Option<Dialogue> = None;
    for (act, tell) in asked {
        let done = take(session, &mut dialogue, act);
        // Whoever asked may have gone.
        let _ = tell.send(done);
    }
}

struct Dialogue<'s> {
    judge: Judge<'s>,
    next: Next,
}

fn take<'s>(session: &'s Session, dialogue: &mut Option<Dialogue<'s>>, act: ActJson) -> Result<JudgedJson, Error> {
    if let ActJson::Begin { strategy, wrong, at, thread, fresh } = act {
        let is_new = fresh || wrong.is_some() || strategy.is_some();
        if is_new || dialogue.is_none() {
            let request = JudgeRequest {
                strategy: strategy.map_or(Strategy::default(), Strategy::from),
                wrong,
                at: at.map(|at| at.parse::<PointText>()).transpose().map_err(Error::Usage)?,
                thread,
                is_fresh: fresh,
                singly: true,
                ..JudgeRequest::default()
            };
            *dialogue = Some(begun(session, &request)?);
        }
        return shown(dialogue, None);
    }
    if dialogue.is_none() {
        *dialogue = Some(begun(session, &JudgeRequest { singly: true, ..JudgeRequest::default() })?);
    }
    let Some(Dialogue { judge, next }) = dialogue else { return Err(Error::NothingRecorded) };
    match act {
        ActJson::Begin { .. } => {}
        ActJson::About { event } => {
            let about = judge.about(event).map(|call| (&call).into());
            return shown(dialogue, about);
        }
        ActJson::Undo => {
            judge.undo()?;
            *next = judge.next_question()?;
        }
        ActJson::Say { verdict, event } => {
            let call = match (event, &*next) {
                (Some(event), _) => judge.about(event),
                (None, Next::Ask(question)) => Some((**question).clone()),
                (None, Next::AskTable(table)) => table.rows.first().cloned(),
                (None, _) => None,
            };
            let call = call.ok_or_else(|| Error::Usage("no call is asked about: name one by its event".into()))?;
            judge.answer(&call, verdict.into())?;
            *next = judge.next_question()?;
        }
    }
    shown(dialogue, None)
}

fn begun<'s>(session: &'s Session, request: &JudgeRequest) -> Result<Dialogue<'s>, Error> {
    let mut judge = Judge::begin(session, request, &mut |_, _| {})?;
    let next = judge.next_question()?;
    Ok(Dialogue { judge, next })
}

fn shown(dialogue: &Option<Dialogue>, about: Option<JudgeQuestionJson>) -> Result<JudgedJson, Error> {
    let Some(Dialogue { judge, next }) = dialogue else { return Err(Error::NothingRecorded) };
    Ok(JudgedJson { state: judge_state(judge, next), about })
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
