//! The program is run again and stopped while it runs, at the event of an earlier run: to halt there for the person's own
//! debugger ([`pause`]), or to evaluate an expression that the recording cannot answer ([`evaluate_live`]).
//!
//! An event is found again as a hit of its site: the n-th event that the site emits in one thread, under the same policy. Where
//! other code runs between the moment before the event and the event itself (`x = f()`), which of these moments it is turns out
//! too late, and the program is run once more.

mod attempt;
mod error;

use std::path::Path;

use record::{LiveReport, StopAction, StopWish};
use trace_model::{LocalSite, Need};

use crate::{RecordRequest, Recorded, Value, ValueType};
use attempt::Attempt;
pub use error::LiveError;

/// An event, as it is found again in another run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StopAt {
    /// The path of the code, as the run has it.
    pub path: String,
    /// Which site of that code.
    pub site: u32,
    /// Which event of the site in its thread, from 1.
    pub hit: u32,
}

/// A program that stands still until the person's debugger comes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Halted {
    /// Where the V8 inspector listens: `ws://127.0.0.1:PORT/ID`.
    pub address: String,
    pub file: String,
    pub line: u32,
    /// Empty for a function without a name, and at the top level.
    pub function: String,
}

/// A run that is over.
#[derive(Clone, Debug)]
pub struct Ended {
    pub recorded: Recorded,
    /// How often the program was run for it.
    pub n_runs: u32,
}

#[derive(Clone, Debug)]
pub struct LiveValue {
    pub value: Value,
    pub ended: Ended,
}

impl StopAt {
    /// The least that must be recorded for the event to be found again.
    pub(crate) fn need(&self) -> Need {
        Need { sites: [(self.path.clone(), [LocalSite(self.site)].into())].into(), ..Need::default() }
    }
}

impl Halted {
    /// For the address bar of Chrome.
    pub fn devtools_url(&self) -> String {
        let address = self.address.trim_start_matches("ws://");
        format!("devtools://devtools/bundled/js_app.html?experiments=true&v8only=true&ws={address}")
    }

    /// `127.0.0.1:PORT`, to which editors attach.
    pub fn host_and_port(&self) -> &str {
        let address = self.address.trim_start_matches("ws://");
        address.split('/').next().unwrap_or(address)
    }
}

/// Runs the program until it ends. Right before what leads to the event is evaluated, it halts, with the function of the program
/// on top of the stack; `on_halted` is told, and it goes on as the debugger says that attaches, or when that goes away.
/// The policy of the request must record the site.
pub fn pause(
    request: &RecordRequest,
    folder: &Path,
    at: &StopAt,
    on_halted: impl FnOnce(&Halted) + Send,
) -> Result<Ended, LiveError> {
    let mut on_halted = Some(on_halted);
    let mut start = None;
    for n_runs in 1..=MOST_RUNS {
        let wish = wish(at, start, StopAction::Halt);
        let attempt = attempt::run_watched(request, folder, wish, |report| {
            if let LiveReport::Halted { url, line, function } = report
                && let Some(on_halted) = on_halted.take()
            {
                on_halted(&Halted {
                    address: url.clone(),
                    file: at.path.clone(),
                    line: *line,
                    function: function.clone(),
                });
            }
        })?;
        match attempt.decisive() {
            Some(LiveReport::Halted { .. }) => return Ok(Ended { recorded: attempt.recorded, n_runs }),
            Some(LiveReport::Elsewhere { start: found }) => start = Some(attempt.discard(*found)),
            Some(LiveReport::Failed { why }) => return Err(LiveError::Failed { why: why.clone() }),
            _ => return Err(not_reached(attempt, at)),
        }
    }
    Err(LiveError::Moved { n_runs: MOST_RUNS })
}

/// Runs the program to its end and evaluates an expression in it, in the state right before the event: before a write, and before
/// what is written is evaluated. What would change anything is refused. The policy of the request must record the site.
pub fn evaluate_live(
    request: &RecordRequest,
    folder: &Path,
    at: &StopAt,
    expression: &str,
) -> Result<LiveValue, LiveError> {
    let mut start = None;
    for n_runs in 1..=MOST_RUNS {
        let wish = wish(at, start, StopAction::Evaluate(as_expression(expression)));
        let attempt = attempt::run_watched(request, folder, wish, |_| ())?;
        match attempt.decisive() {
            Some(LiveReport::Value { kind, text }) => {
                let value = Value { kind: value_type(kind), text: text.clone(), object: None, elements: None };
                return Ok(LiveValue { value, ended: Ended { recorded: attempt.recorded, n_runs } });
            }
            Some(LiveReport::Refused) => return Err(LiveError::SideEffect { expression: expression.into() }),
            Some(LiveReport::Threw { message }) => {
                return Err(LiveError::Threw { expression: expression.into(), message: message.clone() });
            }
            Some(LiveReport::Elsewhere { start: found }) => start = Some(attempt.discard(*found)),
            Some(LiveReport::Failed { why }) => return Err(LiveError::Failed { why: why.clone() }),
            Some(LiveReport::Halted { .. }) | None => return Err(not_reached(attempt, at)),
        }
    }
    Err(LiveError::Moved { n_runs: MOST_RUNS })
}

/// The first finds out where; the others are for programs that are not the same each time.
const MOST_RUNS: u32 = 4;

fn wish(at: &StopAt, start: Option<u32>, action: StopAction) -> StopWish {
    StopWish { path: at.path.clone(), site: LocalSite(at.site), hit: at.hit, start, action }
}

/// An object literal would be a block.
fn as_expression(text: &str) -> String {
    if text.trim_start().starts_with('{') { format!("({text})") } else { text.to_owned() }
}

fn not_reached(attempt: Attempt, at: &StopAt) -> LiveError {
    LiveError::NotReached { hit: at.hit, n_hits: attempt.n_hits(at), recorded: Box::new(attempt.recorded) }
}

/// By the name that `typeof` gives, or `null`.
fn value_type(name: &str) -> ValueType {
    const ALL: [ValueType; 9] = [
        ValueType::Undefined,
        ValueType::Null,
        ValueType::Boolean,
        ValueType::Number,
        ValueType::String,
        ValueType::Symbol,
        ValueType::BigInt,
        ValueType::Object,
        ValueType::Function,
    ];
    ALL.into_iter().find(|kind| kind.name() == name).unwrap_or(ValueType::NotCaptured)
}
