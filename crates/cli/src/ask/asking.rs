//! What all questions have in common.

use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::ValueEnum;
use debugger::{Asked, Plan, PointText, Question, Rerun, RunChoice, Session, Standpoint};
use serde::Serialize;

use super::json::{Envelope, NoneJson};
use super::page::{Ink, Page};
use super::tally::{tally, tell};
use crate::failure::{Failure, current_folder, unless_closed};
use crate::progress::{Busy, Progress};
use crate::text::{grouped, parse_duration};
use crate::{ANSWERED, NONE, indexing, not_captured, tell, width};

#[derive(clap::Args)]
pub struct Asking {
    /// The run: its number or folder; the latest if left out
    #[arg(long, value_name = "RUN", conflicts_with = "command")]
    pub run: Option<String>,
    /// Where: app.js:22, app.js:22#3, app.js:22:7, crash, end, @12345, P2, out:3, err:3; the crash or else the end if left out
    #[arg(long, value_name = "POINT")]
    pub at: Option<PointText>,
    /// Of a line, the newest of its times at which this expression was true: 'foo === null'
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub when: Option<String>,
    /// In this thread: 2, or 4711-0
    #[arg(long)]
    pub thread: Option<String>,
    #[command(flatten)]
    pub again: Again,
    /// Run this command, with the hooks that the question needs, and ask about it
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

/// How a program is run for a question.
#[derive(clap::Args)]
pub struct Again {
    /// Run the command of the run again, with the hooks that the question needs
    #[arg(long, conflicts_with = "command")]
    pub rerun: bool,
    /// Ask of so many runs, and tell how often each answer came
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub runs: u32,
    /// Stop the program after this time: 30s, 2m, 500ms
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Start this command when the program listens on a port (its $PORT), and stop the program when it ends
    #[arg(long, value_name = "COMMAND")]
    pub drive: Option<String>,
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
    /// What is the same in two runs that gave the same answer.
    pub key: String,
}

impl<J> Told<J> {
    pub fn new(page: Page, json: J, is_something: bool) -> Told<J> {
        let key = page.text(Ink::Plain, None).lines().next().unwrap_or_default().to_owned();
        Told { page, json, is_something, key }
    }
}

impl Asking {
    pub fn runs_program(&self) -> bool {
        self.again.rerun || !self.command.is_empty()
    }

    pub fn rerun_of(&self, question: Question) -> Rerun {
        Rerun {
            command: self.command.clone(),
            question,
            at: self.at.clone(),
            condition: self.when.clone(),
            origin: RunChoice(self.run.clone()),
            timeout: self.again.timeout,
            drive: self.again.drive.clone(),
            signals: debugger::SignalsOf::TheProgram,
            cancel: debugger::Cancel::default(),
        }
    }

    /// Has the question answered: by the run, or by running the program.
    pub fn ask<T>(
        &self,
        question: Question,
        ask: &dyn Fn(&Session) -> Result<T, debugger::Error>,
    ) -> Result<Answered<T>, Failure> {
        let folder = current_folder()?;
        if !self.runs_program() {
            if self.again.runs > 1 {
                return Err(Failure::wrong_usage("--runs asks of several runs: give the command, or say --rerun"));
            }
            let session = Session::open(&RunChoice(self.run.clone()), &folder)?;
            prepare(&session);
            if session.needs_index() {
                indexing::start(session.run().folder());
            }
            let answer = session.complete(ask(&session));
            return Ok(Answered { answer, notes: Vec::new(), others: Vec::new(), _session: Some(session) });
        }
        let rerun = self.rerun_of(question);
        let asked = match rerun.ask(&folder, &show_run, ask) {
            Ok(asked) => asked,
            Err(error) => {
                return Ok(Answered { answer: Err(error), notes: Vec::new(), others: Vec::new(), _session: None });
            }
        };
        let mut notes = asked.notes.clone();
        notes.extend(not_captured::summary(&asked.not_captured, None));
        if asked.plan.is_sparse || asked.n_runs > 1 {
            notes.push(what_it_took(&asked));
        }
        let n_more = self.again.runs as usize - 1;
        let others = if n_more > 0 { rerun.ask_again(&asked, n_more, &folder, ask)? } else { Vec::new() };
        let Asked { answer, session, .. } = asked;
        Ok(Answered { answer: Ok(answer), notes, others, _session: Some(session) })
    }

    /// As it was asked, for the JSON.
    pub fn at_text(&self) -> Option<String> {
        self.at.as_ref().map(ToString::to_string)
    }

    pub fn stand<'s>(&self, session: &'s Session) -> Result<Standpoint<'s>, debugger::Error> {
        session.stand_when(self.at.as_ref(), self.when.as_deref(), self.thread.as_deref())
    }
}

/// A question, as it is put to a run.
type Ask<'a, T> = dyn Fn(&Session) -> Result<T, debugger::Error> + 'a;

/// An answer, or why there is none, with what it took.
pub struct Answered<T> {
    pub answer: Result<T, debugger::Error>,
    /// How the runs of the program went.
    pub notes: Vec<String>,
    /// What further runs answered.
    pub others: Vec<Result<T, debugger::Error>>,
    /// It is kept open: the points of the answer are its.
    _session: Option<Session>,
}

/// `answered in 2 runs; the last recorded 17 events, at 12 of 5,301 places`
fn what_it_took<T>(asked: &Asked<T>) -> String {
    let runs = if asked.n_runs == 1 { "one run".into() } else { format!("{} runs", asked.n_runs) };
    let places = match asked.plan.n_sites {
        Some(n_sites) if asked.plan.is_sparse => {
            format!(", at {} of {} places", grouped(asked.plan.hooks.len() as u64), grouped(n_sites as u64))
        }
        _ => String::new(),
    };
    let last = if asked.n_runs == 1 { "it" } else { "the last" };
    format!("answered in {runs}; {last} recorded {} events{places}", grouped(asked.n_events))
}

fn show_run(number: usize, plan: &Plan) {
    if !io::stderr().is_terminal() {
        return;
    }
    let what = match (plan.is_sparse, plan.n_sites) {
        (false, _) => "recording everything".to_owned(),
        (true, Some(_)) => format!("with {} hooks", grouped(plan.hooks.len() as u64)),
        (true, None) => format!("for {}", plan.needs.join("; ")),
    };
    tell::note(format_args!("run {number}, {what}"));
}

/// Asks, and prints what comes of it.
pub fn answer<Q: Serialize, J: Serialize>(
    asking: &Asking,
    format: AnswerFormat,
    asked: Q,
    question: Question,
    ask: &Ask<'_, (Told<J>, Vec<String>)>,
) -> Result<ExitCode, Failure> {
    let answered = asking.ask(question, &|session| {
        let _busy = Busy::new("looking for the answer");
        ask(session)
    })?;
    let (mut told, mut notes) = match answered.answer {
        Ok(answered) => answered,
        Err(error) => return no_answer(error, format, asked),
    };
    notes.extend(answered.notes);
    let mut runs = None;
    if !answered.others.is_empty() {
        let others =
            answered.others.into_iter().map(|other| other.map_or_else(|error| error.to_string(), |(told, _)| told.key));
        let counted = tally(std::iter::once(told.key.clone()).chain(others));
        tell(&mut told.page, &counted);
        runs = Some(counted);
    }
    match format {
        AnswerFormat::Text => print(&told.page.text(Ink::of_stdout(), width::of_stdout()))?,
        AnswerFormat::Markdown => print(&told.page.markdown(&notes))?,
        AnswerFormat::Json => print_json(&Envelope { question: asked, answer: told.json, notes: &notes, runs })?,
    }
    if format == AnswerFormat::Text {
        io::stdout().flush().ok();
        tell::notes(&notes);
    }
    Ok(if told.is_something { ANSWERED } else { ExitCode::from(NONE) })
}

/// Long work shows progress, on a terminal.
fn prepare(session: &Session) {
    let progress = RefCell::new(Progress::new("indexing the run"));
    session.prepare(&|done, all| progress.borrow_mut().show(done as u64, all as u64));
}

/// There is none: also an answer, where the question could have had one.
pub fn no_answer<Q: Serialize>(error: debugger::Error, format: AnswerFormat, question: Q) -> Result<ExitCode, Failure> {
    if error.is_answer() && format == AnswerFormat::Json {
        let text = error.to_string();
        print_json(&Envelope { question, answer: NoneJson { kind: "none", text: &text }, notes: &[], runs: None })?;
        return Ok(ExitCode::from(NONE));
    }
    Err(error.into())
}

pub fn print(text: &str) -> Result<(), Failure> {
    unless_closed(io::stdout().lock().write_all(debugger::with_redactions_shown(text).as_bytes()))
}

pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string(value).expect("plain data can be written");
    print(&format!("{}\n", redactions_shown(&json)))
}

/// In JSON the marks of what was taken out of a text are escaped.
pub fn redactions_shown(json: &str) -> String {
    const START: &str = "\\u001a";
    const DIGITS: [&str; 4] = ["\\u001c", "\\u001d", "\\u001e", "\\u001f"];
    let mut shown = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find(START) {
        shown.push_str(&rest[..at]);
        let mut behind = &rest[at + START.len()..];
        let n_behind = behind.len();
        while let Some(next) = DIGITS.iter().find_map(|digit| behind.strip_prefix(digit)) {
            behind = next;
        }
        shown.push_str(if behind.len() == n_behind { START } else { "‹redacted›" });
        rest = behind;
    }
    shown.push_str(rest);
    shown
}

impl Ink {
    /// Colour is for people: not on a pipe, and not where they asked for none.
    pub fn of_stdout() -> Ink {
        let [no_color, term] = ["NO_COLOR", "TERM"].map(|name| std::env::var(name).unwrap_or_default());
        if io::stdout().is_terminal() { Ink::of_terminal(&no_color, &term) } else { Ink::Plain }
    }

    fn of_terminal(no_color: &str, term: &str) -> Ink {
        if no_color.is_empty() && term != "dumb" { Ink::Colour } else { Ink::Plain }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_where_the_terminal_has_it_and_nobody_refused() {
        assert!(Ink::of_terminal("", "xterm-256color") == Ink::Colour && Ink::of_terminal("", "") == Ink::Colour);
        assert!(Ink::of_terminal("1", "xterm") == Ink::Plain && Ink::of_terminal("", "dumb") == Ink::Plain);
    }
}
