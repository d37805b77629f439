//! What would have happened: one run with one thing different.

use std::process::ExitCode;

use debugger::{ExperimentChange, FailureAfter, PointText, RunChoice, RunOutcome, Session, TryAnswer, TryRequest};

use super::asking::{AnswerFormat, print, print_json};
use super::experiments::announce;
use super::page::{Ink, Page};
use crate::failure::{Failure, current_folder};
use crate::{ANSWERED, NONE, tell, width};

#[derive(clap::Args)]
pub struct TryArgs {
    /// Where: P3, app.js:22#3, crash, out:3
    pub point: PointText,
    /// The decision there goes the other way
    #[arg(long, group = "change")]
    pub turn: bool,
    /// The statement there is left out
    #[arg(long, group = "change")]
    pub skip: bool,
    /// The value there is this one: 'null', '[]', 'items.length'
    #[arg(long, group = "change", value_name = "EXPR", allow_hyphen_values = true)]
    pub value: Option<String>,
    /// Of a line, the newest of its times at which this expression was true
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub when: Option<String>,
    /// The run that the point is of: its number or folder; the latest if left out
    #[arg(long, value_name = "RUN")]
    pub run: Option<String>,
    /// In this thread: 2, or 4711-0
    #[arg(long)]
    pub thread: Option<String>,
    /// Also run a program that writes outside of its folder, starts other programs or uses the network
    #[arg(long)]
    pub allow_effects: bool,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

pub fn try_out(args: TryArgs) -> Result<ExitCode, Failure> {
    let change = match (args.turn, args.skip, args.value) {
        (true, ..) => ExperimentChange::Turn,
        (_, true, _) => ExperimentChange::Skip,
        (.., Some(text)) => ExperimentChange::Value(text),
        _ => return Err(Failure::wrong_usage("say what is to be different: --turn, --skip or --value 'null'")),
    };
    let session = Session::open(&RunChoice(args.run), &current_folder()?)?;
    let request = TryRequest {
        at: Some(args.point),
        condition: args.when,
        thread: args.thread,
        change,
        allows_effects: args.allow_effects,
        signals: debugger::SignalsOf::TheProgram,
        cancel: debugger::Cancel::default(),
    };
    let answer = match session.try_out(&request, &announce) {
        Ok(answer) => answer,
        Err(error) if error.is_answer() && args.format == AnswerFormat::Json => {
            print_json(&answer_json::try_document(&request, Err(error.to_string())))?;
            return Ok(ExitCode::from(NONE));
        }
        Err(error) => return Err(error.into()),
    };
    match args.format {
        AnswerFormat::Text => {
            print(&page(&answer).text(Ink::of_stdout(), width::of_stdout()))?;
            tell::notes(&answer.notes);
        }
        AnswerFormat::Markdown => print(&page(&answer).markdown(&answer.notes))?,
        AnswerFormat::Json => {
            print_json(&answer_json::try_document(&request, Ok(&answer)))?;
        }
    }
    Ok(if answer.is_applied { ANSWERED } else { ExitCode::from(NONE) })
}

fn page(answer: &TryAnswer) -> Page {
    let mut page = Page::default();
    page.title(&answer.had);
    page.point(&answer.point, "");
    if !answer.is_applied {
        page.line("the program did not reach this point this time, so nothing was changed");
        return page;
    }
    match (answer.stopped, answer.after) {
        (Some(why), _) => page.line(why),
        (None, Some(after)) if after == answer.before => page.line(format!("it ends {}, as before", how(after))),
        (None, after) => {
            let after = after.map(how).unwrap_or_default();
            page.line(format!("it ends {after}; before it ended {}", how(answer.before)))
        }
    };
    match &answer.failure {
        FailureAfter::None => {}
        FailureAfter::Gone => {
            page.line("the failure is gone");
        }
        FailureAfter::Same => {
            page.line("it fails as before");
        }
        FailureAfter::Another(message) => {
            page.line(format!("the failure is gone, and there is another one: {message}"));
        }
    }
    match &answer.reached {
        Some(reached) => {
            let place = format!("{}:{}", reached.file.as_deref().unwrap_or("?"), reached.line.unwrap_or(0));
            page.line(format!("it got past the failure and reached {place}, which the earlier run never did"));
        }
        None if matches!(answer.failure, FailureAfter::Gone | FailureAfter::Another(_)) => {
            page.line("it did not get past what failed, so this proves nothing");
        }
        None => {}
    }
    for line in answer.lines.iter().take(MOST_LINES) {
        let stream = if line.is_error { "err" } else { "out" };
        page.line(format!("  {} {stream}: {}", if line.is_new { '+' } else { '-' }, line.text));
    }
    if answer.lines.len() > MOST_LINES {
        page.line(format!("  and {} more lines that differ; --format json has all", answer.lines.len() - MOST_LINES));
    }
    page
}

fn how(outcome: RunOutcome) -> String {
    match outcome {
        RunOutcome::Exited(code) => format!("with exit code {code}"),
        RunOutcome::Killed { signal } => format!("by signal {signal}"),
        RunOutcome::Running | RunOutcome::Unfinished => "unfinished".into(),
    }
}

const MOST_LINES: usize = 20;
