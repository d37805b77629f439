use std::process::ExitCode;

use debugger::{ChangeAnswer, ChangeKind, Question};
use serde::Serialize;

use super::asking::{AnswerFormat, Asking, Told, answer};
use super::json::{self, PointJson, SourceLineJson, ValueJson};
use super::page::Page;
use crate::failure::Failure;

#[derive(clap::Args)]
pub struct LastChangeArgs {
    /// The place: cart.total, items[2], this.list, #17.price, m.get('key'); the expression at the point's column if left out
    pub place: Option<String>,
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

pub fn last_change(args: LastChangeArgs) -> Result<ExitCode, Failure> {
    let question = QuestionJson { kind: "last-change", place: args.place.clone(), at: args.asking.at_text() };
    answer(&args.asking, args.format, question, Question::LastChange { place: args.place.clone() }, &|session| {
        let standpoint = args.asking.stand(session)?;
        let answer = standpoint.last_change(args.place.as_deref())?;
        Ok((told(&answer), standpoint.notes()))
    })
}

#[derive(Serialize)]
struct QuestionJson {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
}

#[derive(Serialize)]
struct ChangeJson {
    kind: &'static str,
    place: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    point: Option<PointJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<ValueJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<ValueJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inherited_from: Option<ValueJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sender: Option<PointJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    writers: Vec<SourceLineJson>,
}

fn told(answer: &ChangeAnswer) -> Told<impl Serialize + use<>> {
    let json = ChangeJson {
        kind: answer.kind.name(),
        place: answer.place.clone(),
        point: answer.point.as_ref().map(json::point),
        old: answer.old.as_ref().map(json::value),
        new: answer.new.as_ref().map(json::value),
        inherited_from: answer.inherited_from.as_ref().map(json::value),
        sender: answer.sender.as_ref().map(json::point),
        reason: answer.reason.clone(),
        writers: json::source_lines(&answer.writers),
    };
    let is_something = matches!(answer.kind, ChangeKind::Written | ChangeKind::CreatedWith | ChangeKind::ByForeignCode);
    Told { key: answer.in_short(), ..Told::new(page(answer), json, is_something) }
}

fn page(answer: &ChangeAnswer) -> Page {
    let mut page = Page::default();
    let place = &answer.place;
    let reason = answer.reason.as_deref().unwrap_or_default();
    match answer.kind {
        ChangeKind::Written if answer.new.is_none() => page.title(format!("{place} was removed")),
        ChangeKind::Written => page.title(format!("{place} was written")),
        ChangeKind::CreatedWith => page.title(format!("{place} was there when the object was created")),
        ChangeKind::NeverWritten => page.title(format!("{place} was never written")),
        ChangeKind::ByForeignCode if answer.sender.is_some() => page.title(format!("{place} was received")),
        ChangeKind::ByForeignCode => page
            .title(format!("{place} was changed by code that is not recorded, {reason}").trim_end_matches([',', ' '])),
        ChangeKind::BeforeRecording => {
            page.title(format!("{place} was not changed in what is kept of the run; it is older"))
        }
        ChangeKind::NotCaptured => page.title(format!("{place} is not captured: {reason}")),
    };
    if let Some(point) = &answer.point {
        page.point(point, says(answer));
    }
    if let Some(sender) = &answer.sender {
        page.title("It was sent here:");
        page.point(sender, String::new());
    }
    if !answer.writers.is_empty() {
        page.line("  the code writes it here:");
        for line in &answer.writers {
            page.line(format!("    {}:{}  {}", line.file, line.line, line.text));
        }
    }
    page
}

fn says(answer: &ChangeAnswer) -> String {
    let place = &answer.place;
    let inherited = match &answer.inherited_from {
        Some(object) => format!(", inherited from {}", object.text),
        None => String::new(),
    };
    match (&answer.old, &answer.new) {
        (Some(old), Some(new)) => format!("{place}: {} → {}{inherited}", old.text, new.text),
        (None, Some(new)) => format!("{place}: {}{inherited}", new.text),
        (Some(old), None) => format!("{place}: {} → nothing", old.text),
        (None, None) if answer.kind == ChangeKind::NeverWritten => {
            "it was not there then, nor at any time since".into()
        }
        (None, None) => String::new(),
    }
}
