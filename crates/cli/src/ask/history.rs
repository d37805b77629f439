use std::process::ExitCode;

use debugger::{Cursor, HistoryAnswer, HistoryChange, PageRequest, QuestionKind};

use super::asking::{AnswerFormat, Asking, answer};
use super::page::Page;
use crate::failure::Failure;
use crate::text::grouped;

#[derive(clap::Args)]
pub struct HistoryArgs {
    /// The place, as for last-change
    pub place: Option<String>,
    /// Only the newest so many changes
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Go on from here, as the page before says at its end
    #[arg(long, value_name = "CURSOR")]
    pub from: Option<Cursor>,
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

pub fn history(args: HistoryArgs) -> Result<ExitCode, Failure> {
    // Nobody reads more than this on a screen.
    let limit = args.limit.or((args.format != AnswerFormat::Json).then_some(MOST_PRINTED));
    answer(
        &args.asking,
        args.format,
        QuestionKind::History { place: args.place, page: PageRequest { from: args.from, limit } },
    )
}

const MOST_PRINTED: usize = 50;

pub fn page(answer: &HistoryAnswer) -> Page {
    let mut page = Page::default();
    let changes = &answer.changes.items;
    match changes.len() {
        n if answer.changes.next.is_some() => {
            page.title(format!("{}: the newest {} changes", answer.place, grouped(n as u64)))
        }
        0 => page.title(format!("{} was never changed", answer.place)),
        1 => page.title(format!("{}: 1 change", answer.place)),
        n => page.title(format!("{}: {} changes", answer.place, grouped(n as u64))),
    };
    if let Some(next) = &answer.changes.next {
        page.line(format!("… older ones: --from {next}"));
    }
    for HistoryChange { point, old, new } in changes {
        let says = match (old, new) {
            (Some(old), Some(new)) => format!("{} → {}", old.text, new.text),
            (None, Some(new)) => new.text.clone(),
            (Some(old), None) => format!("{} → nothing", old.text),
            (None, None) => String::new(),
        };
        page.short(point, says);
    }
    page
}
