use std::process::ExitCode;

use debugger::{BirthAnswer, BirthKind, QuestionKind};

use super::asking::{AnswerFormat, Asking, answer};
use super::page::Page;
use crate::failure::Failure;

#[derive(clap::Args)]
pub struct BirthArgs {
    /// The place or expression that holds the object: cart.lines[1], this, #17; the expression at the point's column if left out
    pub place: Option<String>,
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

pub fn birth(args: BirthArgs) -> Result<ExitCode, Failure> {
    answer(&args.asking, args.format, QuestionKind::Birth { place: args.place })
}

pub fn page(answer: &BirthAnswer) -> Page {
    let mut page = Page::default();
    let (place, value) = (&answer.place, &answer.value.text);
    match answer.kind {
        BirthKind::Made => page.title(format!("{place} is {value}; it was made here")),
        BirthKind::FirstSeen => page.title(format!("{place} is {value}; it was first seen here")),
        BirthKind::NoObject => page.title(format!("{place} is {value}, which is no object: ask for its last change")),
        BirthKind::NotCaptured => page.title(format!("where {place} was born is not captured")),
    };
    if let Some(point) = &answer.point {
        page.point(point, String::new());
    }
    page
}
