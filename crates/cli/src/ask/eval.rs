use std::process::ExitCode;

use debugger::{Answer, Control, QuestionKind, Reply, Value};

use super::asking::{AnswerFormat, Asking, answer, print_answer};
use super::page::Page;
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
    if let Some(expression) = args.expression.as_deref()
        && args.asking.runs_program()
        && debugger::needs_program(expression)
    {
        return live(&args, expression);
    }
    answer(&args.asking, args.format, QuestionKind::Eval { expression: args.expression })
}

pub fn page(value: &Value) -> Page {
    let mut page = Page::default();
    page.line(&value.text);
    page
}

/// The program itself evaluates what a recording cannot: calls, and whatever else changes nothing.
fn live(args: &EvalArgs, expression: &str) -> Result<ExitCode, Failure> {
    let rerun = args.asking.rerun_of(args.asking.question(QuestionKind::Eval { expression: None }));
    let live = rerun.evaluate(&current_folder()?, expression, &Control::default()).map_err(crate::pause::failure)?;
    let page = page(&live.value);
    let reply = Reply { answer: Answer::Eval(live.value), notes: live.ended.recorded.notes };
    let question = args.asking.question(QuestionKind::Eval { expression: args.expression.clone() });
    print_answer(&page, &answer_json::document(&question, &reply), args.format)?;
    Ok(ANSWERED)
}
