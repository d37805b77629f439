//! A session: requests in, answers out. What each request does is in the file of its subject; here it is only found.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};

use debugger::{Control, JudgeRoom, Question, QuestionKind, Reply, Where};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use subtle::ConstantTimeEq;

use crate::Options;
use crate::breakpoints::Breakpoints;
use crate::capabilities::capabilities;
use crate::goto::Targets;
use crate::moving::Motion;
use crate::outlet::Outlet;
use crate::position::OpenRun;
use crate::progress::Progress;
use crate::protocol::{InitializeArguments, Request};
use crate::reading::{Pending, Told};
use crate::recording::Running;
use crate::refusal::Refusal;
use crate::sources::Sources;
use crate::starting::Start;
use crate::variables::References;

pub struct Adapter {
    pub options: Arc<Options>,
    pub out: Arc<Outlet>,
    pub client: InitializeArguments,
    pub open: Option<OpenRun>,
    /// How the run came to be, to have it again.
    pub start: Option<Start>,
    pub breakpoints: Breakpoints,
    pub references: References,
    pub sources: Sources,
    pub targets: Targets,
    pub judge: Option<JudgeRoom>,
    pub running: Option<Running>,
    pub n_recordings: usize,
    /// To this session.
    pub hand: mpsc::Sender<Told>,
    /// Of the request that is being answered.
    pub control: Control,
    pub request: i64,
    /// What is done once it is answered.
    pub then: Then,
}

/// What follows an answer: a client wants to have it before the events that it leads to.
#[derive(Default)]
pub enum Then {
    #[default]
    Nothing,
    Initialized,
    /// A request that waited for a run is answered.
    Opened,
    /// Control stands where it stood.
    Show(&'static str),
    Move(Motion),
    End,
}

/// The body of an answer.
pub type Body = Result<Value, Refusal>;

impl Adapter {
    pub fn new(options: Arc<Options>, out: Arc<Outlet>, hand: mpsc::Sender<Told>) -> Adapter {
        Adapter {
            options,
            out,
            client: InitializeArguments {
                lines_start_at_1: true,
                columns_start_at_1: true,
                supports_progress_reporting: false,
            },
            open: None,
            start: None,
            breakpoints: Breakpoints::default(),
            references: References::default(),
            sources: Sources::default(),
            targets: Targets::default(),
            judge: None,
            running: None,
            n_recordings: 0,
            hand,
            control: Control::default(),
            request: 0,
            then: Then::Nothing,
        }
    }

    /// Until the client disconnects or hangs up.
    pub fn run(mut self, told: &mpsc::Receiver<Told>, pending: &Pending) {
        for told in told {
            match told {
                Told::Asked(request, cancel) => {
                    if self.take(&request, cancel, pending) {
                        break;
                    }
                }
                Told::Recorded(number, recorded) => {
                    if catch_unwind(AssertUnwindSafe(|| self.recorded(number, *recorded, pending))).is_err() {
                        self.out.say("opening the run failed inside Wherefore");
                    }
                }
                Told::HungUp => {
                    self.stop_program();
                    break;
                }
            }
        }
        self.wait_for_program();
    }

    /// Whether the session is over.
    fn take(&mut self, request: &Request, cancel: debugger::Cancel, pending: &Pending) -> bool {
        self.request = request.seq;
        self.control = self.control_of(request, cancel);
        self.then = Then::Nothing;
        let answer = catch_unwind(AssertUnwindSafe(|| self.answer(request)));
        let failed = || format!("{} failed inside Wherefore", request.command);
        let answer = answer.unwrap_or_else(|_| Some(Err(Refusal::new(failed()))));
        let is_answered = answer.is_some();
        if let Some(answer) = answer {
            self.out.answer(request, answer);
        }
        let is_over = matches!(self.then, Then::End);
        if catch_unwind(AssertUnwindSafe(|| self.follow_up())).is_err() {
            self.out.say(failed());
        }
        self.control = Control::default();
        if is_answered {
            pending.is_done(request.seq);
        }
        is_over
    }

    /// The run is gone over where its index is missing; that can take long.
    pub fn control_of(&self, request: &Request, cancel: debugger::Cancel) -> Control {
        let is_wanted = self.client.supports_progress_reporting;
        let progress = Progress::new(self.out.clone(), request.seq, "Indexing the run", is_wanted);
        let told = move |so_far| {
            if let debugger::Progress::Indexing { done, all } = so_far {
                progress.tell(&format!("{done} of {all} blocks"), Some(done as u64 * 100 / (all as u64).max(1)));
            }
        };
        Control { cancel, progress: Some(Arc::new(told)) }
    }

    /// Nothing: it is answered once there is a run.
    fn answer(&mut self, request: &Request) -> Option<Body> {
        let begun = match request.command.as_str() {
            "launch" => self.check_token(request).and_then(|()| self.launch(&read(request)?, request)),
            "restart" => self.restart(request),
            _ => return Some(self.answer_now(request)),
        };
        begun.err().map(Err)
    }

    fn answer_now(&mut self, request: &Request) -> Body {
        match request.command.as_str() {
            "initialize" => self.initialize(read(request)?),
            "attach" => self.check_token(request).and_then(|()| self.attach(read(request)?)),
            "configurationDone" => self.configuration_done(),
            "terminate" => self.terminate(),
            "disconnect" => self.disconnect(&read(request)?),
            "setBreakpoints" => body(self.set_breakpoints(read(request)?)),
            "setFunctionBreakpoints" => body(self.set_function_breakpoints(read(request)?)),
            "setExceptionBreakpoints" => body(self.set_exception_breakpoints(&read(request)?)),
            "dataBreakpointInfo" => body(self.data_breakpoint_info(&read(request)?)),
            "setDataBreakpoints" => body(self.set_data_breakpoints(read(request)?)),
            "threads" => self.threads(),
            "stackTrace" => self.stack_trace(&read(request)?),
            "scopes" => self.scopes(&read(request)?),
            "variables" => self.variables(&read(request)?),
            "evaluate" => self.evaluate(&read(request)?),
            "locations" => self.locations(&read(request)?),
            "completions" => self.completions(&read(request)?),
            "exceptionInfo" => self.exception_info(&read(request)?),
            "loadedSources" => self.loaded_sources(),
            "source" => self.source(&read(request)?),
            "gotoTargets" => self.goto_targets(&read(request)?),
            "goto" => self.goto(&read(request)?),
            "pause" => self.pause(),
            command => match Motion::of(command) {
                Some(motion) => self.start_moving(motion, read(request)?),
                None => self.custom(request),
            },
        }
    }

    /// Everything else needs a run that is open, so whoever begins one is asked.
    fn check_token(&self, request: &Request) -> Result<(), Refusal> {
        let Some(token) = &self.options.token else { return Ok(()) };
        let given = request.arguments.get("token").and_then(Value::as_str).unwrap_or_default();
        match given.as_bytes().ct_eq(token.as_bytes()).into() {
            true => Ok(()),
            false => {
                Err(Refusal::new(format!("{} needs the `token` that this server was started with", request.command)))
            }
        }
    }

    fn initialize(&mut self, client: InitializeArguments) -> Body {
        self.client = client;
        Ok(capabilities())
    }

    pub fn follow_up(&mut self) {
        match std::mem::take(&mut self.then) {
            Then::Nothing | Then::End => {}
            Then::Opened => self.answer_awaited(),
            Then::Initialized => self.out.event("initialized", json!({})),
            Then::Show(reason) => self.show(reason),
            Then::Move(motion) => self.go_on(motion),
        }
    }

    pub fn opened(&self) -> Result<&OpenRun, Refusal> {
        self.open.as_ref().ok_or_else(Refusal::nothing_open)
    }

    /// Asks of a moment.
    pub fn ask(&self, kind: QuestionKind, from: Where) -> Result<Reply, Refusal> {
        self.opened()?.ask(&Question { kind, from }, &self.control)
    }

    /// A line as the client counts.
    pub fn line_out(&self, line: u32) -> u32 {
        if self.client.lines_start_at_1 { line } else { line.saturating_sub(1) }
    }

    pub fn line_in(&self, line: u32) -> u32 {
        if self.client.lines_start_at_1 { line } else { line.saturating_add(1) }
    }

    pub fn column_out(&self, column: u32) -> u32 {
        if self.client.columns_start_at_1 { column } else { column.saturating_sub(1) }
    }
}

fn read<T: DeserializeOwned>(request: &Request) -> Result<T, Refusal> {
    let arguments = if request.arguments.is_null() { json!({}) } else { request.arguments.clone() };
    serde_json::from_value(arguments).map_err(|error| Refusal::wrong(&request.command, error))
}

/// A value as the body of an answer.
pub fn body(answer: Result<impl Serialize, Refusal>) -> Body {
    answer.map(|answer| serde_json::to_value(answer).expect("plain data can be written"))
}
