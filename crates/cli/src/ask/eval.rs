use std::process::ExitCode;

use debugger::Question;
use serde::Serialize;

use super::asking::{AnswerFormat, Asking, Told, answer, print, print_json};
use super::json::{self, Envelope, ValueJson};
use super::page::{Ink, Page};
use crate::ANSWERED;
use crate::failure::{Failure, current_folder};

#[derive(clap::Args)]
pub struct EvalArgs {
    /// The expression: a.length + n, typeof x, `${a}-${b}`; the one at the point's column if left out. With a
    /// command also calls, evaluated by the program itself when it comes to the point, as long as they change nothing
    #[arg(allow_hyphen_values = true)]
    pub expression: Option<String>,
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

pub fn eval(args: EvalArgs) -> Result<ExitCode, Failure> {
    let question = QuestionJson { kind: "eval", expression: args.expression.clone(), at: args.asking.at_text() };
    if let Some(expression) = args.expression.as_deref()
        && args.asking.runs_program()
        && debugger::needs_program(expression)
    {
        return live(&args, question, expression);
    }
    answer(&args.asking, args.format, question, Question::Eval { expression: args.expression.clone() }, &|session| {
        let standpoint = args.asking.stand(session)?;
        let value = standpoint.eval(args.expression.as_deref())?;
        let mut page = Page::default();
        page.line(&value.text);
        let json = EvalJson { kind: "value", value: json::value(&value) };
        Ok((Told::new(page, json, true), standpoint.notes()))
    })
}

/// The program itself evaluates what a recording cannot: calls, and whatever else changes nothing.
fn live(args: &EvalArgs, question: QuestionJson, expression: &str) -> Result<ExitCode, Failure> {
    let rerun = args.asking.rerun_of(Question::Eval { expression: None });
    let live = rerun.evaluate(&current_folder()?, expression).map_err(crate::pause::failure)?;
    let mut page = Page::default();
    page.line(&live.value.text);
    let notes = live.ended.recorded.notes;
    match args.format {
        AnswerFormat::Text => print(&page.text(Ink::of_stdout(), crate::width::of_stdout()))?,
        AnswerFormat::Markdown => print(&page.markdown(&notes))?,
        AnswerFormat::Json => {
            let answer = EvalJson { kind: "value", value: json::value(&live.value) };
            print_json(&Envelope { question, answer, notes: &notes, runs: None })?;
        }
    }
    Ok(ANSWERED)
}

#[derive(Serialize)]
struct QuestionJson {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    expression: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
}

#[derive(Serialize)]
struct EvalJson {
    kind: &'static str,
    value: ValueJson,
}
