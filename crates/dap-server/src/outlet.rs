//! What is sent to the client. Any thread may send; a client that is gone is sent nothing.

use std::io::Write;
use std::sync::{Mutex, MutexGuard};

use serde::Serialize;
use serde_json::{Value, json};

use crate::protocol::Request;
use crate::refusal::Refusal;
use crate::wire;

pub struct Outlet(Mutex<Open>);

struct Open {
    output: Box<dyn Write + Send>,
    seq: i64,
}

impl Outlet {
    pub fn new(output: Box<dyn Write + Send>) -> Outlet {
        Outlet(Mutex::new(Open { output, seq: 0 }))
    }

    pub fn event(&self, name: &str, body: impl Serialize) {
        self.send(json!({"type": "event", "event": name, "body": body}));
    }

    pub fn answer(&self, to: &Request, answer: Result<Value, Refusal>) {
        let mut message = json!({"type": "response", "request_seq": to.seq, "command": to.command});
        match answer {
            Ok(body) => {
                message["success"] = true.into();
                message["body"] = body;
            }
            Err(refusal) => {
                message["success"] = false.into();
                // What an expression is not is shown where its value would be.
                let is_shown = to.command != "evaluate";
                message["message"] = refusal.message().into();
                message["body"] =
                    json!({"error": {"id": refusal.number, "format": refusal.escaped(), "showUser": is_shown}});
            }
        }
        self.send(message);
    }

    /// A line of the console.
    pub fn say(&self, text: impl AsRef<str>) {
        self.event("output", json!({"category": "console", "output": format!("{}\n", text.as_ref())}));
    }

    fn send(&self, mut message: Value) {
        let mut open = self.open();
        open.seq += 1;
        message["seq"] = open.seq.into();
        // One that is gone is noticed where messages are read.
        let _ = wire::write(&mut open.output, &message);
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
