use std::process::ExitCode;

use debugger::{CallOutcome, CallShown, CallsRequest, Cursor, PageRequest, QuestionKind};

use super::asking::{AnswerFormat, Asking, answer};
use super::page::Page;
use crate::failure::Failure;

#[derive(clap::Args)]
pub struct CallsArgs {
    /// Only calls of functions of this name, wherever they are
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// Only calls of functions in this file, wherever they are
    #[arg(long)]
    pub file: Option<String>,
    /// How deep the tree is shown
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub depth: usize,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub limit: usize,
    /// Go on from here, as the page before says at its end
    #[arg(long, value_name = "CURSOR")]
    pub from: Option<Cursor>,
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

pub fn calls(args: CallsArgs) -> Result<ExitCode, Failure> {
    let request = CallsRequest {
        function: args.function.clone(),
        file: args.file.clone(),
        of_point: args.asking.at.is_some(),
        own: false,
        depth: args.depth,
        page: PageRequest { from: args.from, limit: Some(args.limit) },
    };
    answer(&args.asking, args.format, QuestionKind::Calls(request))
}

pub fn page(answer: &debugger::Page<CallShown>) -> Page {
    let mut page = Page::default();
    if answer.items.is_empty() {
        page.line("no such call was made");
    }
    let (mut thread, last) = (None, answer.items.last().map(|call| call.point.thread));
    for call in &answer.items {
        let is_first = thread.replace(call.point.thread) != Some(call.point.thread);
        if is_first && answer.items[0].point.thread != last.unwrap_or_default() {
            page.title(format!("thread {}", call.point.thread));
        }
        page.indented(call.depth, &call.point, call_text(call));
    }
    if let Some(next) = &answer.next {
        page.line(format!("… there are more: --from {next}"));
    }
    page
}

/// `add(sku: "pen", count: 4) → undefined`
fn call_text(call: &CallShown) -> String {
    let name = match &call.function {
        Some(function) => {
            let arguments: Vec<_> =
                call.arguments.iter().map(|(name, value)| format!("{name}: {}", value.text)).collect();
            format!("{function}({})", arguments.join(", "))
        }
        None => "top level".into(),
    };
    match &call.outcome {
        CallOutcome::Returned(value) if call.function.is_some() => format!("{name} → {}", value.text),
        CallOutcome::Returned(_) => name,
        CallOutcome::Threw => format!("{name} threw"),
        CallOutcome::Open => format!("{name} did not end"),
    }
}
