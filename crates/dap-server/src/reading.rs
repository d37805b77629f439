//! Reads what the client sends. Requests are handed to the session, which answers them in their order; what must not wait for its
//! turn is done here.

use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::sync::{Arc, Mutex, MutexGuard, mpsc};
use std::thread;

use debugger::{Cancel, Recorded};
use serde_json::{Value, json};

use crate::adapter::Adapter;
use crate::custom::CUSTOM;
use crate::moving::Motion;
use crate::outlet::Outlet;
use crate::progress;
use crate::protocol::{CancelArguments, Request};
use crate::refusal::Refusal;
use crate::{Options, wire};

/// What a session is told.
pub enum Told {
    /// A request, and what cancels it.
    Asked(Request, Cancel),
    /// A program that it had run is over: which one, and what came of it.
    Recorded(usize, Box<Result<Recorded, Refusal>>),
    /// The client is gone.
    HungUp,
}

/// Requests that have not been answered, by their numbers. One that moves is here until it has come to a stop, and one that runs a program until that
/// is over.
#[derive(Default)]
pub struct Pending(Mutex<HashMap<i64, (String, Cancel)>>);

pub fn serve(options: &Arc<Options>, mut input: impl BufRead, output: Box<dyn Write + Send>) {
    let out = Arc::new(Outlet::new(output));
    let pending = Arc::new(Pending::default());
    let (hand, told) = mpsc::channel::<Told>();
    let session = {
        let (options, out, pending, hand) = (options.clone(), out.clone(), pending.clone(), hand.clone());
        thread::spawn(move || Adapter::new(options, out, hand).run(&told, &pending))
    };
    loop {
        match wire::read(&mut input) {
            Ok(Some(message)) => {
                let Some(request) = request(message) else { continue };
                let is_last = request.command == "disconnect";
                take(request, &out, &pending, &hand);
                if is_last {
                    break;
                }
            }
            Ok(None) => break,
            Err(error) => {
                out.say(format!("the session ends: {error}"));
                break;
            }
        }
    }
    // Nobody waits for what is still under way. A session that has ended hears of nothing.
    pending.cancel_questions();
    let _ = hand.send(Told::HungUp);
    // A session that panicked has ended as well.
    let _ = session.join();
}

/// Of other messages, and of responses to what was never asked, nothing is made.
fn request(message: Value) -> Option<Request> {
    let is_request = message.get("type").and_then(Value::as_str) == Some("request");
    serde_json::from_value(message).ok().filter(|_| is_request)
}

fn take(request: Request, out: &Outlet, pending: &Pending, hand: &mpsc::Sender<Told>) {
    match request.command.as_str() {
        "cancel" => {
            if let Ok(arguments) = serde_json::from_value::<CancelArguments>(request.arguments.clone()) {
                pending.cancel(&arguments);
            }
            out.answer(&request, Ok(json!({})));
            return;
        }
        "pause" => pending.stop_moving(),
        "disconnect" | "terminate" => pending.cancel_questions(),
        _ => {}
    }
    let cancel = Cancel::default();
    pending.all().insert(request.seq, (request.command.clone(), cancel.clone()));
    // A session that has ended takes no more.
    let _ = hand.send(Told::Asked(request, cancel));
}

impl Pending {
    pub fn is_done(&self, seq: i64) {
        self.all().remove(&seq);
    }

    fn cancel(&self, arguments: &CancelArguments) {
        let of_progress = arguments.progress_id.as_deref().and_then(progress::request_of);
        let all = self.all();
        for seq in [arguments.request_id, of_progress].into_iter().flatten() {
            if let Some((_, cancel)) = all.get(&seq) {
                cancel.cancel();
            }
        }
    }

    fn stop_moving(&self) {
        let moves = |command: &str| Motion::of(command.strip_prefix(CUSTOM).unwrap_or(command)).is_some();
        self.all().values().filter(|(command, _)| moves(command)).for_each(|(_, cancel)| cancel.cancel());
    }

    /// What becomes of a program that runs is for the session to say.
    fn cancel_questions(&self) {
        let runs_program = |command: &str| matches!(command, "launch" | "restart");
        self.all().values().filter(|(command, _)| !runs_program(command)).for_each(|(_, cancel)| cancel.cancel());
    }

    fn all(&self) -> MutexGuard<'_, HashMap<i64, (String, Cancel)>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
