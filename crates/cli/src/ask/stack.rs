use std::process::ExitCode;

use debugger::{Cursor, PageRequest, QuestionKind, StackAnswer};

use super::asking::{AnswerFormat, Asking, answer};
use super::page::{Page, location};
use super::state::how_it_led;
use crate::failure::Failure;

#[derive(clap::Args)]
pub struct StackArgs {
    /// At most so many frames
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

pub fn stack(args: StackArgs) -> Result<ExitCode, Failure> {
    let page = PageRequest { from: args.from, limit: Some(args.limit) };
    answer(&args.asking, args.format, QuestionKind::Stack(page))
}

pub fn page(answer: &StackAnswer) -> Page {
    let mut page = Page::default();
    for frame in &answer.frames.items {
        let function = frame.function.as_deref().unwrap_or("top level");
        let at = frame.point.as_ref().map(|point| format!("  {}", location(point))).unwrap_or_default();
        let how = frame.parent.map_or("", how_it_led);
        page.line(format!("{}  {function}{at}{how}", frame.number));
    }
    if let Some(next) = &answer.frames.next {
        page.line(format!("… there are more: --from {next}"));
    }
    page
}
