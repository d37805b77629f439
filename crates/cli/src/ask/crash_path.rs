use std::process::ExitCode;

use answer_json::Document;
use debugger::{Control, Point, QuestionKind};
use debugger::{
    CrashPathAnswer, CrashPathRequest, GrowthEnd, GrowthStep, LinesOfFile, MOST_LABELS, PathCallee, PathLabel, PathStep,
};

use super::asking::{AnswerFormat, Asking, answer, no_answer, print_answer};
use super::page::Page;
use crate::failure::{Failure, current_folder};
use crate::text::grouped;
use crate::{ANSWERED, tell};

#[derive(clap::Args)]
pub struct CrashPathArgs {
    /// The object, as for last-change; what the failure is about if left out
    pub place: Option<String>,
    /// Of this failure of the run, as `wherefore failures` numbers them; of the first if left out
    #[arg(long, value_name = "N", conflicts_with = "grow")]
    pub failure: Option<usize>,
    /// Only so many of the newest labels, and the birth
    #[arg(long, value_name = "N", default_value_t = MOST_LABELS)]
    pub labels: usize,
    /// Run the command again and again, and record only the functions that earlier crashes showed to matter
    #[arg(long, requires = "command", conflicts_with_all = ["run", "rerun", "runs"])]
    pub grow: bool,
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

pub fn crash_path(args: CrashPathArgs) -> Result<ExitCode, Failure> {
    let request = CrashPathRequest { place: args.place, failure: args.failure, n_labels: args.labels };
    match args.grow {
        true => grow(&args.asking, args.format, request),
        false => answer(&args.asking, args.format, QuestionKind::CrashPath(request)),
    }
}

fn grow(asking: &Asking, format: AnswerFormat, request: CrashPathRequest) -> Result<ExitCode, Failure> {
    let question = asking.question(QuestionKind::CrashPath(request.clone()));
    let rerun = asking.rerun_of(question.clone());
    let mut told = |step: &GrowthStep| tell::note(format_args!("{}", run_text(step)));
    let grown = match rerun.grow(&request, &current_folder()?, &Control::default(), &mut told) {
        Ok(grown) => grown,
        Err(error) => return no_answer(error, format, &question),
    };
    let mut reply = grown.reply.clone();
    reply.notes.push(end_text(grown.end).to_owned());
    let document = Document { growth: Some((&grown).into()), ..answer_json::document(&question, &reply) };
    print_answer(&super::shown(&reply.answer).page, &document, format)?;
    Ok(ANSWERED)
}

/// `run 3: 7 functions recorded (loki.js 5, app.js 2); the birth is known; 34 labels`
fn run_text(step: &GrowthStep) -> String {
    let n_functions: usize = step.recorded.iter().map(|(_, n)| n).sum();
    let files: Vec<String> = step.recorded.iter().map(|(file, n)| format!("{file} {n}")).collect();
    let what = match n_functions {
        0 => "the stack".to_owned(),
        1 => format!("1 function recorded ({})", files.join(", ")),
        n => format!("{} functions recorded ({})", grouped(n as u64), files.join(", ")),
    };
    match step.not_counted {
        Some(why) => format!("run {}: {what}; {why}, so it does not count", step.run),
        None if n_functions == 0 => format!("run {}: {what}", step.run),
        None => {
            let birth = if step.has_birth { "the birth is known" } else { "the birth is not known yet" };
            format!("run {}: {what}; {birth}; {} labels", step.run, grouped(step.n_labels as u64))
        }
    }
}

fn end_text(end: GrowthEnd) -> &'static str {
    match end {
        GrowthEnd::Complete => "the path is complete",
        GrowthEnd::Exhausted => "the path has holes that recording further functions would not fill",
        GrowthEnd::NotAgain => "the program did not crash in the same way again, so the path is as far as it was found",
        GrowthEnd::Enough => "the program crashed often enough; the path is as far as it was found",
    }
}

pub fn page(answer: &CrashPathAnswer) -> Page {
    let mut page = Page::default();
    let object = match (&answer.object, &answer.value) {
        (Some(object), Some(value)) => format!("{object} = {}", value.text),
        (Some(object), None) => object.clone(),
        (None, _) => "an object that is not known".into(),
    };
    let made_into = answer.made_into.as_ref().map(|made| format!(", from which {made} was made")).unwrap_or_default();
    page.title(format!("{}: the path of {object}{made_into}", answer.message));
    let functions =
        if answer.n_functions == 1 { "one function".into() } else { format!("{} functions", answer.n_functions) };
    let state = match (answer.is_complete, answer.is_cut) {
        (_, true) => ", the older of which are left out",
        (true, false) => "",
        (false, false) => ", with holes",
    };
    page.line(format!("{} labels in {functions}{state}", grouped(answer.n_labels as u64)));
    let mut lines = Vec::new();
    lines_of(&answer.steps, 0, &mut lines);
    let n_left_out = lines.len().saturating_sub(FIRST + LAST);
    for (number, line) in lines.iter().enumerate() {
        if n_left_out > 0 && number == FIRST {
            page.line(format!("… {} steps, which --format json has", grouped(n_left_out as u64)));
        }
        if n_left_out == 0 || number < FIRST || number >= FIRST + n_left_out {
            match line {
                Line::Label { depth, point, says } => page.indented((*depth).min(DEEPEST), point, says.clone()),
                Line::Says(text) => page.line(text.clone()),
            };
        }
    }
    for lines in &answer.lines {
        page.line(lines_text(lines));
    }
    for lack in &answer.lacks {
        page.line(format!("the recording does not tell {lack}"));
    }
    page
}

/// `it ran lines 12-14, 20 of lib/cart.js`
fn lines_text(LinesOfFile { file, stretches }: &LinesOfFile) -> String {
    let one = |(first, last): &(u32, u32)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    let shown: Vec<String> = stretches.iter().take(MOST_STRETCHES).map(one).collect();
    let more = match stretches.len().saturating_sub(MOST_STRETCHES) {
        0 => String::new(),
        n => format!(" and {n} more stretches, which --format json has"),
    };
    let is_one = matches!(stretches[..], [(first, last)] if first == last);
    format!("it ran {} {}{more} of {file}", if is_one { "line" } else { "lines" }, shown.join(", "))
}

const MOST_STRETCHES: usize = 20;

/// So many steps are shown from the birth on, and so many up to the crash.
const FIRST: usize = 60;
const LAST: usize = 200;
const DEEPEST: usize = 20;

enum Line<'a> {
    Label { depth: usize, point: &'a Point, says: String },
    Says(String),
}

/// An entry behind its call, and an exit before its return, go without saying.
fn lines_of<'a>(steps: &'a [PathStep], inside: usize, lines: &mut Vec<Line<'a>>) {
    for (number, step) in steps.iter().enumerate() {
        match step {
            PathStep::Label(label) => {
                let before = number.checked_sub(1).and_then(|before| label_of(steps.get(before)));
                let behind = label_of(steps.get(number + 1));
                let is_implied = match label.kind {
                    "enter" => before.is_some_and(|before| before.callee == Some(PathCallee::Recorded)),
                    "exit" => behind.is_some_and(|behind| behind.kind == "return"),
                    _ => false,
                };
                if !is_implied {
                    let depth = label.depth + inside;
                    lines.push(Line::Label { depth, point: &label.point, says: says(label) });
                }
            }
            PathStep::Repeated { times, body } => {
                lines.push(Line::Says(format!("{times} times:")));
                lines_of(body, inside + 1, lines);
                lines.push(Line::Says("and then:".into()));
            }
        }
    }
}

fn label_of(step: Option<&PathStep>) -> Option<&PathLabel> {
    match step {
        Some(PathStep::Label(label)) => Some(label),
        _ => None,
    }
}

fn says(label: &PathLabel) -> String {
    let source = label.point.excerpt.as_ref().map_or("", |excerpt| excerpt.text.as_str());
    let more = match (label.taken, &label.callee, &label.registered) {
        (Some(taken), ..) => format!(" — {taken}"),
        (_, Some(PathCallee::NotRecorded(place)), _) => format!(" — {place} is not recorded"),
        (_, Some(PathCallee::Unknown), _) => " — which function that was is not recorded".into(),
        (.., Some(Point { file: Some(file), line: Some(line), .. })) => format!(" — registered at {file}:{line}"),
        _ => String::new(),
    };
    format!("{:<6} {source}{more}", label.kind)
}
