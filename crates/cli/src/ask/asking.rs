//! What all questions have in common.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

use anstream::{AutoStream, ColorChoice};
use answer_json::Document;
use clap::ValueEnum;
use debugger::{
    Asked, Control, OnTestsOver, Plan, PointText, Question, QuestionKind, Reply, Rerun, RunChoice, Session, Unanswered,
    Where,
};
use serde::Serialize;

use super::early::Early;
use super::page::{Ink, Page};
use super::shown;
use super::tally::{tally, tell};
use crate::args::CodeArgs;
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
    #[command(flatten)]
    pub code: CodeArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AnswerFormat {
    Text,
    Json,
    Markdown,
}

/// An answer, ready to be read.
pub struct Shown {
    pub page: Page,
    /// What is the same in two runs that gave the same answer.
    pub key: String,
}

impl Shown {
    pub fn new(page: Page) -> Shown {
        let key = page.text(Ink::Plain, None).lines().next().unwrap_or_default().to_owned();
        Shown { page, key }
    }

    /// Two are the same only if all their lines are.
    pub fn by_all_lines(self) -> Shown {
        let key = self.page.text(Ink::Plain, None).lines().collect::<Vec<_>>().join("; ");
        Shown { key, ..self }
    }
}

impl Asking {
    pub fn runs_program(&self) -> bool {
        self.again.rerun || !self.command.is_empty()
    }

    pub fn question(&self, kind: QuestionKind) -> Question {
        let from = Where { at: self.at.clone(), when: self.when.clone(), thread: self.thread.clone(), frame: None };
        Question { kind, from }
    }

    pub fn rerun_of(&self, question: Question) -> Rerun {
        Rerun {
            command: self.command.clone(),
            question,
            origin: RunChoice(self.run.clone()),
            timeout: self.again.timeout,
            drive: self.again.drive.clone(),
            signals: debugger::SignalsOf::TheProgram,
            surroundings: debugger::Surroundings::of_command_line(),
            code: self.again.code.given(),
        }
    }

    /// Has a question answered: by the run, or by running the program.
    pub fn ask(&self, question: &Question) -> Result<Answered, Failure> {
        self.ask_meanwhile(question, None)
    }

    /// As [`Asking::ask`], with what is to be done if the tests of the program are over and the program is not.
    fn ask_meanwhile(&self, question: &Question, tests_over: Option<OnTestsOver>) -> Result<Answered, Failure> {
        let folder = current_folder()?;
        let control = told_control();
        self.again.code.check(self.runs_program())?;
        if !self.runs_program() {
            if self.again.runs > 1 {
                return Err(Failure::wrong_usage("--runs asks of several runs: give the command, or say --rerun"));
            }
            let session = self.open(&folder)?;
            let busy = Busy::new("looking for the answer");
            let reply = session.ask(question, &control);
            drop(busy);
            return Ok(Answered { reply, notes: Vec::new(), others: Vec::new(), session: Some(session) });
        }
        let mut rerun = self.rerun_of(question.clone());
        rerun.surroundings.tests_over = tests_over;
        let asked = match rerun.ask(&folder, &control) {
            Ok(asked) => asked,
            Err(Unanswered { error, notes }) => {
                return Ok(Answered { reply: Err(error), notes, others: Vec::new(), session: None });
            }
        };
        let notes = notes_of(&asked);
        let n_more = self.again.runs as usize - 1;
        let others = if n_more > 0 { rerun.ask_again(&asked, n_more, &folder, &control)? } else { Vec::new() };
        let Asked { reply, session, .. } = asked;
        Ok(Answered { reply: Ok(reply), notes, others, session: Some(session) })
    }

    /// The run that a dialogue is about, with what is to be said of how it came to be.
    pub fn session(&self) -> Result<(Session, Vec<String>), Failure> {
        let folder = current_folder()?;
        self.again.code.check(self.runs_program())?;
        if !self.runs_program() {
            return Ok((self.open(&folder)?, Vec::new()));
        }
        let (session, recorded) = self
            .rerun_of(self.question(QuestionKind::Failures(Default::default())))
            .record(&folder, &told_control())?;
        let mut notes = recorded.notes;
        notes.extend(not_captured::summary(&recorded.not_captured, None));
        Ok((session, notes))
    }

    fn open(&self, folder: &Path) -> Result<Session, Failure> {
        let session = Session::open(&RunChoice(self.run.clone()), folder)?;
        if session.needs_index() {
            indexing::start(session.folder());
        }
        Ok(session)
    }
}

/// An answer, or why there is none, with what it took.
pub struct Answered {
    pub reply: Result<Reply, debugger::Error>,
    /// How the runs of the program went.
    pub notes: Vec<String>,
    /// What further runs answered.
    pub others: Vec<Result<Reply, debugger::Error>>,
    /// The run that the answer is of.
    pub session: Option<Session>,
}

fn notes_of(asked: &Asked) -> Vec<String> {
    let mut notes = asked.notes.clone();
    notes.extend(not_captured::summary(&asked.not_captured, None));
    if asked.plan.is_sparse || asked.n_runs > 1 {
        notes.push(what_it_took(asked));
    }
    notes
}

/// Long work shows progress, on a terminal.
fn told_control() -> Control {
    let bar = Mutex::new(Progress::new("indexing the run"));
    Control::with_progress(move |progress| match progress {
        debugger::Progress::Indexing { done, all } => {
            bar.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).show(done as u64, all as u64);
        }
        debugger::Progress::Running { number, plan } => show_run(number, &plan),
    })
}

/// `answered in 2 runs; the last recorded 17 events, at 12 of 5,301 places`
fn what_it_took(asked: &Asked) -> String {
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
pub fn answer(asking: &Asking, format: AnswerFormat, kind: QuestionKind) -> Result<ExitCode, Failure> {
    let early = Early::default();
    let question = asking.question(kind);
    let meanwhile = matches!(question.kind, QuestionKind::Why(_) | QuestionKind::Failures(_)) && asking.again.runs == 1;
    let meanwhile = meanwhile.then(|| early.answering(&question, format));
    let Answered { reply, notes, others, .. } = asking.ask_meanwhile(&question, meanwhile)?;
    if early.was_given() {
        tell::notes(notes);
        return Ok(ANSWERED);
    }
    let mut reply = match reply {
        Ok(reply) => reply,
        Err(error) => {
            tell::notes(notes);
            return no_answer(error, format, &question);
        }
    };
    reply.notes.extend(notes);
    let mut document = answer_json::document(&question, &reply);
    let mut shown = shown(&reply.answer);
    if !others.is_empty() {
        let key = |other: Result<Reply, debugger::Error>| {
            other.map_or_else(|error| error.to_string(), |reply| super::shown(&reply.answer).key)
        };
        let counted = tally(std::iter::once(shown.key.clone()).chain(others.into_iter().map(key)));
        tell(&mut shown.page, &counted);
        document.runs = Some(counted);
    }
    print_answer(&shown.page, &document, format)?;
    Ok(if reply.answer.is_something() { ANSWERED } else { ExitCode::from(NONE) })
}

/// Notes go to stderr where the answer is read by a person.
pub fn print_answer(page: &Page, document: &Document, format: AnswerFormat) -> Result<(), Failure> {
    match format {
        AnswerFormat::Text => {
            print(&page.text(Ink::of_stdout(), width::of_stdout()))?;
            io::stdout().flush().ok();
            tell::notes(&document.notes);
            Ok(())
        }
        AnswerFormat::Markdown => print(&page.markdown(&document.notes)),
        AnswerFormat::Json => print_json(document),
    }
}

/// There is none: also an answer, where the question could have had one.
pub fn no_answer(error: debugger::Error, format: AnswerFormat, question: &Question) -> Result<ExitCode, Failure> {
    if error.is_answer() && format == AnswerFormat::Json {
        print_json(&answer_json::none(question, error.to_string()))?;
        return Ok(ExitCode::from(Failure::from(error).code));
    }
    Err(error.into())
}

pub fn print(text: &str) -> Result<(), Failure> {
    unless_closed(io::stdout().lock().write_all(debugger::with_redactions_shown(text).as_bytes()))
}

pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print(&format!("{}\n", answer_json::line(value)))
}

impl Ink {
    /// Colour is for people: not on a pipe, and not where they asked for none (`NO_COLOR`, `TERM=dumb`, `CLICOLOR=0`).
    pub fn of_stdout() -> Ink {
        match AutoStream::choice(&io::stdout()) {
            ColorChoice::Never => Ink::Plain,
            ColorChoice::Auto | ColorChoice::Always | ColorChoice::AlwaysAnsi => Ink::Colour,
        }
    }
}
