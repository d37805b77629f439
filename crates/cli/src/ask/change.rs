use std::process::ExitCode;

use debugger::{ChangeAnswer, ChangeKind, QuestionKind};

use super::asking::{AnswerFormat, Asking, Shown, answer};
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
    answer(&args.asking, args.format, QuestionKind::LastChange { place: args.place })
}

pub fn shown(answer: &ChangeAnswer) -> Shown {
    Shown { page: page(answer), key: answer.in_short() }
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
        ChangeKind::BeforeRecording => page
            .title(format!("{place} was not changed in the part of the run that was kept; its last change is older")),
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
