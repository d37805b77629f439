//! The judge, as a dialogue in the console. It belongs to one thread, which lives as long as the run is open: what it found out about
//! the calls is kept between two replies.

use std::sync::mpsc;
use std::thread;

use debugger::{Error, Judge, JudgeRequest, Judgement, Next, Session};

use crate::adapter::Adapter;
use crate::refusal::Refusal;

/// Where the dialogue is held.
pub struct Room(mpsc::Sender<(Act, mpsc::Sender<Result<Next, Error>>)>);

/// What the person says.
#[derive(Clone, Copy)]
enum Act {
    Begin,
    Say(Judgement),
    Undo,
}

impl Adapter {
    pub fn judged(&mut self, words: &[String]) -> Result<String, Refusal> {
        let act = match words {
            [] => Act::Begin,
            [word] if word == "undo" => Act::Undo,
            [word] => Act::Say(judgement(word).ok_or_else(|| Refusal::new(USAGE))?),
            _ => return Err(Refusal::new(USAGE)),
        };
        let open = self.opened()?;
        open.still_there()?;
        let session = open.session.clone();
        let room = self.judge.get_or_insert_with(|| Room::open(session));
        let next = room.take(act)?;
        Ok(match next {
            Next::Ask(question) => format!("{}\n{USAGE}", self.options.pages.question_of_judge(&question).trim()),
            Next::AskTable(table) => match table.rows.first() {
                Some(question) => format!("{}\n{USAGE}", self.options.pages.question_of_judge(question).trim()),
                None => NOTHING_LEFT.into(),
            },
            Next::Found(found) => self.options.pages.found_by_judge(&found).trim().to_owned(),
            Next::Unsure(calls) => {
                let calls: Vec<String> = calls.iter().map(|call| call.text()).collect();
                format!("one of these is wrong, and nobody knows which: {}", calls.join(", "))
            }
            Next::Nothing => NOTHING_LEFT.into(),
        })
    }
}

const USAGE: &str = "judge valid, judge invalid, judge unknown, judge trusted; judge undo takes the last reply back";
const NOTHING_LEFT: &str = "no call is left to ask about";

fn judgement(word: &str) -> Option<Judgement> {
    Some(match word {
        "valid" | "right" | "yes" => Judgement::Valid,
        "invalid" | "wrong" | "no" => Judgement::Invalid,
        "unknown" => Judgement::Unknown,
        "trusted" => Judgement::TrustFunction,
        _ => return None,
    })
}

impl Room {
    fn open(session: Session) -> Room {
        let (send, receive) = mpsc::channel::<(Act, mpsc::Sender<Result<Next, Error>>)>();
        thread::spawn(move || {
            let mut dialogue: Option<(Judge, Next)> = None;
            for (act, tell) in receive {
                let next = replied(&session, &mut dialogue, act);
                // Whoever asked may have gone.
                let _ = tell.send(next);
            }
        });
        Room(send)
    }

    fn take(&self, act: Act) -> Result<Next, Refusal> {
        let (tell, told) = mpsc::channel();
        let ended = || Refusal::new("the dialogue has ended");
        self.0.send((act, tell)).map_err(|_| ended())?;
        Ok(told.recv().map_err(|_| ended())??)
    }
}

fn replied<'s>(session: &'s Session, dialogue: &mut Option<(Judge<'s>, Next)>, act: Act) -> Result<Next, Error> {
    let Some((judge, next)) = dialogue else {
        let request = JudgeRequest { singly: true, ..JudgeRequest::default() };
        let mut judge = Judge::begin(session, &request, &mut |_, _| {})?;
        let next = judge.next_question()?;
        *dialogue = Some((judge, next.clone()));
        return Ok(next);
    };
    match act {
        Act::Begin => return Ok(next.clone()),
        Act::Undo => drop(judge.undo()?),
        Act::Say(verdict) => {
            let question = match &*next {
                Next::Ask(question) => Some((**question).clone()),
                Next::AskTable(table) => table.rows.first().cloned(),
                _ => None,
            };
            let question = question.ok_or_else(|| Error::Usage(NOTHING_LEFT.into()))?;
            judge.answer(&question, verdict)?;
        }
    }
    *next = judge.next_question()?;
    Ok(next.clone())
}
