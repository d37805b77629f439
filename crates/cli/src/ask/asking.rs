//! What all questions have in common.

use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use debugger::{PointText, RecordRequest, RunChoice, Session, Standpoint};
use serde::Serialize;

use super::json::{Envelope, NoneJson};
use super::page::{Ink, Page};
use crate::failure::{Failure, current_folder, unless_closed};
use crate::{ANSWERED, NONE, not_captured};

#[derive(clap::Args)]
pub struct Asking {
    /// The run: its number or folder; the latest if left out
    #[arg(long, value_name = "RUN", conflicts_with = "command")]
    pub run: Option<String>,
    /// Where: app.js:22, app.js:22#3, app.js:22:7, crash, end, @12345, P2, out:3; the crash or else the end if left out
    #[arg(long, value_name = "POINT")]
    pub at: Option<PointText>,
    /// In this thread: 2, or 4711-0
    #[arg(long)]
    pub thread: Option<String>,
    /// Record this command first, and ask about it
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AnswerFormat {
    Text,
    Json,
    Markdown,
}

/// An answer, ready to be printed in any format.
pub struct Told<J> {
    pub page: Page,
    pub json: J,
    /// False: the answer is that there is none.
    pub is_something: bool,
}

impl Asking {
    /// Opens the run, or makes it first.
    pub fn session(&self) -> Result<Session, Failure> {
        let folder = current_folder()?;
        if self.command.is_empty() {
            return Ok(Session::open(&RunChoice(self.run.clone()), &folder)?);
        }
        let request = RecordRequest {
            command: self.command.clone(),
            run_folder: None,
            policy: debugger::policy(&[])?,
            include: Vec::new(),
            exclude: Vec::new(),
            keep_last: None,
            output_to_stderr: true,
        };
        let recorded = debugger::record(&request, &folder)?;
        for note in &recorded.notes {
            eprintln!("wherefore: {note}");
        }
        if let Some(summary) = not_captured::summary(&recorded.not_captured, None) {
            eprintln!("wherefore: {summary}");
        }
        let run = recorded.folder.to_string_lossy().into_owned();
        Ok(Session::open(&RunChoice(Some(run)), &folder)?)
    }

    /// As it was asked, for the JSON.
    pub fn at_text(&self) -> Option<String> {
        self.at.as_ref().map(ToString::to_string)
    }

    pub fn stand<'s>(&self, session: &'s Session) -> Result<Standpoint<'s>, debugger::Error> {
        session.stand_at(self.at.as_ref(), self.thread.as_deref())
    }
}

/// Asks, and prints what comes of it.
pub fn answer<Q: Serialize, J: Serialize>(
    asking: &Asking,
    format: AnswerFormat,
    question: Q,
    ask: impl FnOnce(&Session) -> Result<(Told<J>, Vec<String>), debugger::Error>,
) -> Result<ExitCode, Failure> {
    let session = asking.session()?;
    prepare(&session);
    let (told, notes) = match ask(&session) {
        Ok(answered) => answered,
        Err(error) => return no_answer(error, format, question),
    };
    match format {
        AnswerFormat::Text => print(&told.page.text(Ink::of_stdout()))?,
        AnswerFormat::Markdown => print(&told.page.markdown(&notes))?,
        AnswerFormat::Json => print_json(&Envelope { question, answer: told.json, notes: &notes })?,
    }
    if format == AnswerFormat::Text {
        io::stdout().flush().ok();
        notes.iter().for_each(|note| eprintln!("wherefore: {note}"));
    }
    Ok(if told.is_something { ANSWERED } else { ExitCode::from(NONE) })
}

/// Long work shows progress, on a terminal.
pub fn prepare(session: &Session) {
    if !io::stderr().is_terminal() {
        return;
    }
    let started = Instant::now();
    let shown = Cell::new(false);
    session.prepare(&|done, all| {
        if started.elapsed() > SHORT && all > 0 {
            shown.set(true);
            eprint!("\rwherefore: indexing the run, {} %", done * 100 / all);
        }
    });
    if shown.get() {
        eprint!("\r\x1b[K");
    }
}

const SHORT: Duration = Duration::from_millis(300);

/// There is none: also an answer, where the question could have had one.
pub fn no_answer<Q: Serialize>(error: debugger::Error, format: AnswerFormat, question: Q) -> Result<ExitCode, Failure> {
    if error.is_answer() && format == AnswerFormat::Json {
        let text = error.to_string();
        print_json(&Envelope { question, answer: NoneJson { kind: "none", text: &text }, notes: &[] })?;
        return Ok(ExitCode::from(NONE));
    }
    Err(error.into())
}

pub fn print(text: &str) -> Result<(), Failure> {
    unless_closed(io::stdout().lock().write_all(text.as_bytes()))
}

pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string(value).expect("plain data can be written");
    print(&format!("{json}\n"))
}

impl Ink {
    /// Colour is for people: not on a pipe, and not where they asked for none.
    pub fn of_stdout() -> Ink {
        let wants_none = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if io::stdout().is_terminal() && !wants_none { Ink::Colour } else { Ink::Plain }
    }
}
