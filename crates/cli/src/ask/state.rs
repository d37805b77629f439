use std::process::ExitCode;

use debugger::{AsyncParent, FrameShown, NameScope, Named, Question, StateAnswer, StateRequest};
use serde::Serialize;

use super::asking::{AnswerFormat, Asking, Told, answer};
use super::json::{self, PointJson, ValueJson};
use super::page::{Page, location};
use crate::failure::Failure;

#[derive(clap::Args)]
pub struct StateArgs {
    /// Only this place, opened
    pub place: Option<String>,
    /// Show this frame with the variables around it; 0 is the innermost
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub frame: usize,
    /// How deep objects are opened
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub depth: usize,
    /// Of each object so many entries
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    /// Pass over so many entries of it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub skip: usize,
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

pub fn state(args: StateArgs) -> Result<ExitCode, Failure> {
    let request = StateRequest { frame: args.frame, depth: args.depth, limit: args.limit, skip: args.skip };
    let question = QuestionJson { kind: "state", place: args.place.clone(), at: args.asking.at_text() };
    answer(&args.asking, args.format, question, Question::Whole, &|session| {
        let standpoint = args.asking.stand(session)?;
        let told = match &args.place {
            Some(place) => told_of_place(&standpoint.inspect(place, &request)?),
            None => told(&standpoint.state(&request)?),
        };
        Ok((told, standpoint.notes()))
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
struct StateJson {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    point: Option<PointJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    frames: Vec<FrameJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<NamedJson>,
}

#[derive(Serialize)]
struct FrameJson {
    frame: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    point: Option<PointJson>,
    /// Of a frame that is on the stack no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    r#async: Option<&'static str>,
    variables: Vec<NamedJson>,
}

#[derive(Serialize)]
struct NamedJson {
    name: String,
    scope: &'static str,
    value: ValueJson,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    entries: Vec<NamedJson>,
    #[serde(skip_serializing_if = "is_zero")]
    more: usize,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn told(answer: &StateAnswer) -> Told<StateJson> {
    let mut page = Page::default();
    page.point(&answer.point, "");
    for frame in &answer.frames {
        frame_page(frame, &mut page);
    }
    let frame = |frame: &FrameShown| FrameJson {
        frame: frame.number,
        function: frame.function.clone(),
        point: frame.point.as_ref().map(json::point),
        r#async: frame.parent.map(|parent| match parent {
            AsyncParent::Called => "called",
            AsyncParent::HandedOut => "handed-out",
        }),
        variables: frame.variables.iter().map(named_json).collect(),
    };
    let json = StateJson {
        kind: "state",
        point: Some(json::point(&answer.point)),
        frames: answer.frames.iter().map(frame).collect(),
        place: None,
    };
    Told::new(page, json, true)
}

fn told_of_place(named: &Named) -> Told<StateJson> {
    let mut page = Page::default();
    page.rows(rows(std::slice::from_ref(named), 0));
    let json = StateJson { kind: "state", point: None, frames: Vec::new(), place: Some(named_json(named)) };
    Told::new(page, json, true)
}

fn frame_page(frame: &FrameShown, page: &mut Page) {
    let function = frame.function.as_deref().unwrap_or("top level");
    let at = frame.point.as_ref().map(|point| format!("  {}", location(point))).unwrap_or_default();
    let how = match frame.parent {
        None => "",
        Some(AsyncParent::Called) => "  (waits for the one above)",
        Some(AsyncParent::HandedOut) => "  (handed out the one above)",
    };
    page.title(format!("{}  {function}{at}{how}", frame.number));
    let (closures, locals): (Vec<&Named>, Vec<&Named>) =
        frame.variables.iter().partition(|variable| variable.scope == NameScope::Closure);
    let mut all: Vec<(String, String)> =
        locals.into_iter().flat_map(|variable| rows(std::slice::from_ref(variable), 0)).collect();
    if !closures.is_empty() {
        all.push(("around it".into(), String::new()));
        all.extend(closures.into_iter().flat_map(|variable| rows(std::slice::from_ref(variable), 1)));
    }
    if !all.is_empty() {
        page.rows(all);
    }
}

/// Names and values, what is inside below and further in.
fn rows(named: &[Named], depth: usize) -> Vec<(String, String)> {
    let indent = "  ".repeat(depth);
    let mut all = Vec::new();
    for named in named {
        all.push((format!("{indent}{}", named.name), named.value.text.clone()));
        all.extend(rows(&named.entries, depth + 1));
        if named.n_more > 0 {
            all.push((format!("{indent}  …"), format!("{} more", named.n_more)));
        }
    }
    all
}

fn named_json(named: &Named) -> NamedJson {
    NamedJson {
        name: named.name.clone(),
        scope: named.scope.name(),
        value: json::value(&named.value),
        entries: named.entries.iter().map(named_json).collect(),
        more: named.n_more,
    }
}
