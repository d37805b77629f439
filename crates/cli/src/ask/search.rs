use std::process::ExitCode;

use debugger::{QuestionKind, SearchAnswer, SearchHit, SearchKind, SearchRequest};

use super::asking::{AnswerFormat, Asking, answer};
use super::page::Page;
use crate::failure::Failure;

#[derive(clap::Args)]
pub struct SearchArgs {
    /// Part of the name of a function, of a line of the source, of what was printed or of a value
    pub text: String,
    /// Look there only
    #[arg(long, value_enum)]
    pub within: Option<Within>,
    /// At most so many of each kind
    #[arg(long, default_value_t = 20)]
    pub limit: usize,
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Within {
    Function,
    Line,
    Output,
    Write,
    Value,
}

pub fn search(args: SearchArgs) -> Result<ExitCode, Failure> {
    let within = args.within.map(|within| match within {
        Within::Function => SearchKind::Function,
        Within::Line => SearchKind::Line,
        Within::Output => SearchKind::Output,
        Within::Write => SearchKind::Write,
        Within::Value => SearchKind::Value,
    });
    let request = SearchRequest { text: args.text, within, limit: args.limit };
    answer(&args.asking, args.format, QuestionKind::Search(request))
}

pub fn page(answer: &SearchAnswer) -> Page {
    let mut page = Page::default();
    if answer.hits.is_empty() {
        page.title("nothing was found");
    }
    for hit in &answer.hits {
        page.line(format!("{:8}  {}  {}", hit.kind.name(), place(hit), hit.text));
    }
    if answer.is_cut {
        page.line("there are more; --limit N shows them");
    }
    page
}

fn place(hit: &SearchHit) -> String {
    let number = hit.point.as_ref().and_then(|point| point.number).map(|number| format!("  P{number}"));
    match (&hit.file, hit.line) {
        (Some(file), Some(line)) => format!("{file}:{line}{}", number.unwrap_or_default()),
        _ => number.unwrap_or_default(),
    }
}
