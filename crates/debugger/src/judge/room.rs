//! A dialogue of the judge for a server: it belongs to a thread of its own, which lives as long as the room, so that what was found
//! out about the calls of a run is kept between two answers.

use std::sync::mpsc;
use std::thread;

use trace_model::cancel;

use super::{Judge, JudgeRequest, Judgement, Next};
use crate::{Control, Error, Session};

/// Where a dialogue about a run is held. Any number of threads may act in it; it takes one act after the other.
pub struct JudgeRoom(mpsc::Sender<Act>);

/// What is done in a dialogue.
#[derive(Clone, Debug)]
pub enum JudgeAct {
    /// A new dialogue; with `is_new` unset, the one that was begun before is continued if there is one.
    Begin { request: Box<JudgeRequest>, is_new: bool },
    /// What is said of the call that is asked about, or of the one that was entered by this event.
    Say { verdict: Judgement, event: Option<u64> },
    /// The newest verdict is taken back.
    Undo,
    /// Nothing: somebody looks.
    Look,
}

type Act = Box<dyn for<'s> FnOnce(&'s Session, &mut Option<Dialogue<'s>>) + Send>;

struct Dialogue<'s> {
    judge: Judge<'s>,
    next: Next,
}

impl JudgeRoom {
    pub fn open(session: &Session) -> JudgeRoom {
        let session = session.clone();
        let (send, acts) = mpsc::channel::<Act>();
        thread::spawn(move || {
            let mut dialogue = None;
            acts.into_iter().for_each(|act| act(&session, &mut dialogue));
        });
        JudgeRoom(send)
    }

    /// Acts, and waits for what `shown` then makes of the dialogue.
    pub fn act<T: Send + 'static>(
        &self,
        act: JudgeAct,
        control: &Control,
        shown: impl FnOnce(&Judge, &Next) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let (tell, told) = mpsc::channel();
        let cancel = control.cancel.clone();
        let hand: Act = Box::new(move |session, dialogue| {
            let done = cancel::under(&cancel.0, || take(session, dialogue, act));
            let shown = match done.unwrap_or(Err(Error::Cancelled)) {
                Ok(()) => dialogue.as_ref().map(|dialogue| shown(&dialogue.judge, &dialogue.next)),
                Err(error) => return drop(tell.send(Err(error))),
            };
            // Whoever asked may have gone.
            let _ = tell.send(shown.ok_or(Error::NothingRecorded));
        });
        // The thread of the room ends before the room does only if it panicked.
        self.0.send(hand).map_err(|_| Error::Cancelled)?;
        told.recv().unwrap_or(Err(Error::Cancelled))
    }
}

fn take<'s>(session: &'s Session, dialogue: &mut Option<Dialogue<'s>>, act: JudgeAct) -> Result<(), Error> {
    // Taken out meanwhile: what is cancelled in the middle is begun anew, with the verdicts that were kept.
    let mut held = match (&act, dialogue.take()) {
        (JudgeAct::Begin { request, is_new: true }, _) | (JudgeAct::Begin { request, .. }, None) => {
            begun(session, request)?
        }
        (_, Some(held)) => held,
        (_, None) => begun(session, &JudgeRequest { singly: true, ..JudgeRequest::default() })?,
    };
    let done = held.take(&act);
    *dialogue = Some(held);
    done
}

fn begun<'s>(session: &'s Session, request: &JudgeRequest) -> Result<Dialogue<'s>, Error> {
    let mut judge = Judge::begin(session, request, &mut |_, _| {})?;
    let next = judge.next_question()?;
    Ok(Dialogue { judge, next })
}

impl Dialogue<'_> {
    fn take(&mut self, act: &JudgeAct) -> Result<(), Error> {
        match act {
            JudgeAct::Begin { .. } | JudgeAct::Look => return Ok(()),
            JudgeAct::Undo => drop(self.judge.undo()?),
            JudgeAct::Say { verdict, event } => {
                let call = match (event, &self.next) {
                    (Some(event), _) => self.judge.about(*event),
                    (None, Next::Ask(question)) => Some((**question).clone()),
                    (None, Next::AskTable(table)) => table.rows.first().cloned(),
                    (None, _) => None,
                };
                let call = call.ok_or_else(|| Error::Usage("no call is asked about".into()))?;
                self.judge.answer(&call, *verdict)?;
            }
        }
        self.next = self.judge.next_question()?;
        Ok(())
    }
}
