//! What answering a question by running the program would record.

use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::Subcommand;
use debugger::{Plan, PointText, Question, QuestionKind, RunChoice, Session, Where};
use serde::Serialize;

use crate::ANSWERED;
use crate::ask::{AnswerFormat, print, print_json};
use crate::failure::{Failure, current_folder};
use crate::text::grouped;

#[derive(clap::Args)]
pub struct PlanArgs {
    #[command(subcommand)]
    question: PlanQuestion,
    /// Show the places in the code of this run; of the latest if left out
    #[arg(long, global = true, value_name = "RUN")]
    run: Option<String>,
    /// Where the question is asked: app.js:22, crash, end, out:3
    #[arg(long, global = true, value_name = "POINT")]
    at: Option<PointText>,
    /// Of a line, the newest of its times at which this expression was true
    #[arg(long, global = true, value_name = "EXPR")]
    when: Option<String>,
    /// Show every place, not only how many there are in each file
    #[arg(long, global = true)]
    all: bool,
    #[arg(long, global = true, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
}

#[derive(Subcommand)]
enum PlanQuestion {
    /// Where a value came from
    LastChange { place: Option<String> },
    /// Why control came to a point
    LastCondition,
    /// Every change of a place
    History { place: Option<String> },
    /// The value of an expression
    Eval { expression: Option<String> },
}

pub fn run(args: PlanArgs) -> Result<ExitCode, Failure> {
    let folder = current_folder()?;
    let kind = match args.question {
        PlanQuestion::LastChange { place } => QuestionKind::LastChange { place },
        PlanQuestion::LastCondition => QuestionKind::LastCondition,
        PlanQuestion::History { place } => QuestionKind::History { place, page: Default::default() },
        PlanQuestion::Eval { expression } => QuestionKind::Eval { expression },
    };
    let question = Question { kind, from: Where { at: args.at, when: args.when, ..Where::default() } };
    let plan = match Session::open(&RunChoice(args.run.clone()), &folder) {
        Ok(session) => session.plan(&question)?,
        Err(error) if args.run.is_some() => return Err(error.into()),
        Err(_) => Plan::before_any_run(&question, &folder)?,
    };
    match args.format {
        AnswerFormat::Text => print(&text(&plan, args.all))?,
        AnswerFormat::Markdown => print(&format!("```text\n{}```\n", text(&plan, args.all)))?,
        AnswerFormat::Json => print_json(&json(&plan))?,
    }
    Ok(ANSWERED)
}

fn text(plan: &Plan, all: bool) -> String {
    let mut out = String::from("to be recorded:\n");
    plan.needs.iter().for_each(|need| out.push_str(&format!("  {need}\n")));
    let Some(n_sites) = plan.n_sites else {
        out.push_str("where that is will be known when the program has run once\n");
        return out;
    };
    if !plan.is_sparse {
        return out;
    }
    out.push_str(&format!("that is at {} of {} places:\n", grouped(plan.hooks.len() as u64), grouped(n_sites as u64)));
    let mut by_file: BTreeMap<&str, usize> = BTreeMap::new();
    for hook in &plan.hooks {
        *by_file.entry(&hook.file).or_default() += 1;
    }
    if all || plan.hooks.len() <= MOST_SHOWN {
        for hook in &plan.hooks {
            out.push_str(&format!("  {}:{}:{}  {}  {}\n", hook.file, hook.line, hook.column, hook.kind, hook.text));
        }
    } else {
        by_file.iter().for_each(|(file, n)| out.push_str(&format!("  {file}  {n}\n")));
        out.push_str("--all shows each of them\n");
    }
    out
}

const MOST_SHOWN: usize = 30;

#[derive(Serialize)]
struct PlanJson<'a> {
    everything: bool,
    needs: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<usize>,
    hooks: Vec<HookJson<'a>>,
}

#[derive(Serialize)]
struct HookJson<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    kind: &'a str,
    text: &'a str,
}

fn json(plan: &Plan) -> PlanJson<'_> {
    let hooks = plan.hooks.iter().map(|hook| HookJson {
        file: &hook.file,
        line: hook.line,
        column: hook.column,
        kind: hook.kind,
        text: &hook.text,
    });
    PlanJson { everything: !plan.is_sparse, needs: &plan.needs, places: plan.n_sites, hooks: hooks.collect() }
}
