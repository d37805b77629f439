use std::process::ExitCode;

use debugger::{AsyncParent, FrameShown, NameScope, Named, QuestionKind, StateAnswer, StateRequest};

use super::asking::{AnswerFormat, Asking, answer};
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
    let kind = match args.place {
        Some(place) => QuestionKind::Inspect { place, request },
        None => QuestionKind::State(request),
    };
    answer(&args.asking, args.format, kind)
}

pub fn page(answer: &StateAnswer) -> Page {
    let mut page = Page::default();
    page.point(&answer.point, "");
    for frame in &answer.frames {
        frame_page(frame, &mut page);
    }
    page
}

pub fn page_of_place(named: &Named) -> Page {
    let mut page = Page::default();
    page.rows(rows(std::slice::from_ref(named), 0));
    page
}

fn frame_page(frame: &FrameShown, page: &mut Page) {
    let function = frame.function.as_deref().unwrap_or("top level");
    let at = frame.point.as_ref().map(|point| format!("  {}", location(point))).unwrap_or_default();
    let how = frame.parent.map_or("", how_it_led);
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

pub fn how_it_led(parent: AsyncParent) -> &'static str {
    match parent {
        AsyncParent::Called => "  (waits for the one above)",
        AsyncParent::HandedOut => "  (registered the one above)",
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
        if let Some(not_recorded) = &named.not_recorded {
            all.push((format!("{indent}  …"), not_recorded.clone()));
        }
    }
    all
}
