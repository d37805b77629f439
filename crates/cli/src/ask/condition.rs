use std::process::ExitCode;

use debugger::{ConditionAnswer, ConditionKind, Question};
use serde::Serialize;

use super::asking::{AnswerFormat, Asking, Told, answer};
use super::json::{self, PointJson, ValueJson};
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
    let question = QuestionJson { kind: "last-condition", at: args.asking.at_text() };
    answer(&args.asking, args.format, question, Question::LastCondition, &|session| {
        let standpoint = args.asking.stand(session)?;
        let answer = standpoint.last_condition();
        Ok((told(&answer), standpoint.notes()))
    })
}

#[derive(Serialize)]
struct QuestionJson {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
}

#[derive(Serialize)]
struct ConditionJson {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    point: Option<PointJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<ValueJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reads: Vec<ReadJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    catch: Option<PointJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suspended: Option<PointJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    registered: Option<PointJson>,
}

#[derive(Serialize)]
struct ReadJson {
    text: String,
    value: ValueJson,
}

fn told(answer: &ConditionAnswer) -> Told<impl Serialize + use<>> {
    let other = |kind| answer.other.as_ref().filter(|_| answer.kind == kind).map(json::point);
    let read = |read: &debugger::ReadValue| ReadJson { text: read.text.clone(), value: json::value(&read.value) };
    let json = ConditionJson {
        kind: answer.kind.name(),
        point: answer.point.as_ref().map(json::point),
        condition: answer.condition.clone(),
        text: answer.text.clone(),
        value: answer.value.as_ref().map(json::value),
        reads: answer.reads.iter().map(read).collect(),
        catch: other(ConditionKind::Throw),
        suspended: other(ConditionKind::Resumed),
        registered: other(ConditionKind::Start),
    };
    Told { key: answer.in_short(), ..Told::new(page(answer), json, answer.point.is_some()) }
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
        ConditionKind::Resumed => format!("control came here because the function went on, with {value}"),
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
                _ => "its function was handed out here",
            },
        );
    }
    page
}
