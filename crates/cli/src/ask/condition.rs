use std::process::ExitCode;

use debugger::{ConditionAnswer, ConditionKind, QuestionKind};

use super::asking::{AnswerFormat, Asking, Shown, answer};
use super::page::Page;
use crate::failure::Failure;

#[derive(clap::Args)]
pub struct LastConditionArgs {
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

pub fn last_condition(args: LastConditionArgs) -> Result<ExitCode, Failure> {
    answer(&args.asking, args.format, QuestionKind::LastCondition)
}

pub fn shown(answer: &ConditionAnswer) -> Shown {
    Shown { page: page(answer), key: answer.in_short() }
}

fn page(answer: &ConditionAnswer) -> Page {
    let mut page = Page::default();
    let value = answer.value.as_ref().map_or("not captured", |value| value.text.as_str());
    let title = match answer.kind {
        ConditionKind::Condition => {
            format!("control came here because {}", answer.text.as_deref().unwrap_or("of this"))
        }
        ConditionKind::CallSite => "control came here because the function was called".into(),
        ConditionKind::Throw => format!("control came here because {value} was thrown"),
        ConditionKind::Resumed => format!("control came here because the function resumed with {value}"),
        ConditionKind::Start => {
            "nothing recorded decided it: the event loop or code that is not recorded started it".into()
        }
    };
    page.title(title);
    if let Some(point) = &answer.point {
        page.point(point, "");
    }
    if let Some(other) = &answer.other {
        page.point(
            other,
            match answer.kind {
                ConditionKind::Throw => "it was caught here",
                ConditionKind::Resumed => "it waited here",
                _ => "its callback was registered here",
            },
        );
    }
    page
}
