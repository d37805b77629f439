use std::process::ExitCode;

use debugger::Question;
use serde::Serialize;

use super::asking::{AnswerFormat, Asking, Told, answer};
use super::json::{self, ValueJson};
use super::page::Page;
use crate::failure::Failure;

#[derive(clap::Args)]
pub struct EvalArgs {
    /// The expression: a.length + n, typeof x, `${a}-${b}`; the one at the point's column if left out. Nothing is run
    #[arg(allow_hyphen_values = true)]
    pub expression: Option<String>,
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

pub fn eval(args: EvalArgs) -> Result<ExitCode, Failure> {
    let question = QuestionJson { kind: "eval", expression: args.expression.clone(), at: args.asking.at_text() };
    answer(&args.asking, args.format, question, Question::Eval { expression: args.expression.clone() }, &|session| {
        let standpoint = args.asking.stand(session)?;
        let value = standpoint.eval(args.expression.as_deref())?;
        let mut page = Page::default();
        page.line(&value.text);
        let json = EvalJson { kind: "value", value: json::value(&value) };
        Ok((Told::new(page, json, true), standpoint.notes()))
    })
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
