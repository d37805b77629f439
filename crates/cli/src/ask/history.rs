use std::process::ExitCode;

use debugger::{HistoryAnswer, HistoryChange, Question};
use serde::Serialize;

use super::asking::{AnswerFormat, Asking, Told, answer};
use super::json::{self, PointJson, ValueJson};
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
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

pub fn history(args: HistoryArgs) -> Result<ExitCode, Failure> {
    let question = QuestionJson { kind: "history", place: args.place.clone(), at: args.asking.at_text() };
    // Nobody reads more than this on a screen.
    let limit = args.limit.or((args.format != AnswerFormat::Json).then_some(MOST_PRINTED));
    answer(&args.asking, args.format, question, Question::History { place: args.place.clone() }, &|session| {
        let standpoint = args.asking.stand(session)?;
        let answer = standpoint.history(args.place.as_deref(), limit)?;
        Ok((told(&answer), standpoint.notes()))
    })
}

const MOST_PRINTED: usize = 50;

#[derive(Serialize)]
struct QuestionJson {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
}

#[derive(Serialize)]
struct HistoryJson {
    kind: &'static str,
    place: String,
    changes: Vec<ChangeJson>,
    has_more: bool,
}

#[derive(Serialize)]
struct ChangeJson {
    point: PointJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<ValueJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<ValueJson>,
}

fn told(answer: &HistoryAnswer) -> Told<impl Serialize + use<>> {
    let change = |change: &HistoryChange| ChangeJson {
        point: json::point(&change.point),
        old: change.old.as_ref().map(json::value),
        new: change.new.as_ref().map(json::value),
    };
    let json = HistoryJson {
        kind: "history",
        place: answer.place.clone(),
        changes: answer.changes.iter().map(change).collect(),
        has_more: answer.has_more,
    };
    Told::new(page(answer), json, !answer.changes.is_empty())
}

fn page(answer: &HistoryAnswer) -> Page {
    let mut page = Page::default();
    match answer.changes.len() {
        n if answer.has_more => page.title(format!("{}: the newest {} changes", answer.place, grouped(n as u64))),
        0 => page.title(format!("{} was never changed", answer.place)),
        1 => page.title(format!("{}: 1 change", answer.place)),
        n => page.title(format!("{}: {} changes", answer.place, grouped(n as u64))),
    };
    if answer.has_more {
        page.line("… older ones");
    }
    for HistoryChange { point, old, new } in &answer.changes {
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
