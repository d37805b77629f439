//! Requests that are not of the protocol, for a client that knows what is behind it.

use answer_json::{AskedJson, document, none};
use debugger::{PointText, Question};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::adapter::{Adapter, Body, body};
use crate::moving::Motion;
use crate::protocol::{OfThread, Request};
use crate::refusal::Refusal;

/// How their names begin.
pub const CUSTOM: &str = "wherefore.";

#[derive(Deserialize)]
struct GoArguments {
    at: String,
    thread: Option<usize>,
}

impl Adapter {
    pub fn custom(&mut self, request: &Request) -> Body {
        match request.command.strip_prefix(CUSTOM) {
            Some("ask") => self.custom_ask(&request.arguments),
            Some("go") => self.custom_go(&request.arguments),
            Some("run") => self.custom_run(),
            Some(step @ ("stepBackIn" | "stepBackOut")) => {
                let motion = Motion::of(step).ok_or_else(Refusal::nothing_open)?;
                let of: OfThread = serde_json::from_value(request.arguments.clone())
                    .map_err(|error| Refusal::wrong(&request.command, error))?;
                self.start_moving(motion, of)
            }
            _ => Err(Refusal::new(format!("{} is not supported", request.command))),
        }
    }

    /// Any question, with its answer as `--format json` gives it: from a frame (`frameId`), of the failure (`ofFailure`), from a point
    /// that it names, or where control stands.
    fn custom_ask(&mut self, arguments: &Value) -> Body {
        let of_failure = arguments.get("ofFailure").and_then(Value::as_bool).unwrap_or(false);
        let asked: AskedJson =
            serde_json::from_value(arguments.clone()).map_err(|error| Refusal::wrong("wherefore.ask", error))?;
        let mut question = Question::try_from(asked).map_err(Refusal::new)?;
        if let Some(frame) = arguments.get("frameId").and_then(Value::as_i64) {
            question.from.frame = self.frame_or_innermost(Some(frame))?;
        }
        let open = self.opened()?;
        open.still_there()?;
        if question.from.at.is_none() && question.from.frame.is_none() && !of_failure {
            question.from = open.place(open.thread);
        }
        let reply = open.session.ask(&question, &self.control);
        match reply {
            Ok(reply) => {
                self.keep_chain(&reply.answer);
                body(Ok(document(&question, &reply)))
            }
            Err(error) if error.is_answer() => body(Ok(none(&question, error.to_string()))),
            Err(error) => Err(error.into()),
        }
    }

    /// To a point, by its name.
    fn custom_go(&mut self, arguments: &Value) -> Body {
        let go: GoArguments =
            serde_json::from_value(arguments.clone()).map_err(|error| Refusal::wrong("wherefore.go", error))?;
        let to: PointText = go.at.parse().map_err(Refusal::new)?;
        self.go_to(&to, go.thread)?;
        Ok(json!({}))
    }

    /// Which run this is, for a client that opens it elsewhere, too.
    fn custom_run(&self) -> Body {
        let open = self.opened()?;
        let about = open.session.about();
        Ok(json!({"run": about.number, "folder": about.folder, "command": about.command}))
    }
}
