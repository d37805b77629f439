use std::collections::BTreeSet;
use std::process::ExitCode;

use debugger::{Cursor, FindRequest, FoundEvent, PageRequest, PointText, QuestionKind};

use super::asking::{AnswerFormat, Asking, answer};
use super::page::Page;
use crate::failure::Failure;

#[derive(clap::Args)]
pub struct FindArgs {
    /// What: write, delete, call, argument, return, branch, birth, throw, catch, await, resume, built-in, output, uncaught
    pub kind: Option<String>,
    /// Writes of exactly this place, seen from --at
    #[arg(long, conflicts_with_all = ["kind", "name", "output"])]
    pub place: Option<String>,
    /// Of variables, properties or parameters of this name
    #[arg(long)]
    pub name: Option<String>,
    /// In functions of this name; of calls, the called function
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// In this file
    #[arg(long)]
    pub file: Option<String>,
    /// On this line: 22, or app.js:22
    #[arg(long, value_parser = parse_line)]
    pub line: Option<(Option<String>, u32)>,
    /// With such a value: '> 3', undefined, '!== "abc"', '~ part'
    #[arg(long, value_name = "CONDITION", allow_hyphen_values = true)]
    pub value: Option<String>,
    /// Before this point
    #[arg(long, value_name = "POINT")]
    pub before: Option<PointText>,
    /// After this point
    #[arg(long, value_name = "POINT")]
    pub after: Option<PointText>,
    /// About the object that this place holds at --at
    #[arg(long, value_name = "PLACE")]
    pub same_as: Option<String>,
    /// While a function of this name was below on the stack
    #[arg(long, value_name = "NAME")]
    pub in_caller: Option<String>,
    /// What wrote this text to the output
    #[arg(long, value_name = "TEXT")]
    pub output: Option<String>,
    /// Only this one: 0 is the first, -1 the last
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub index: Option<i64>,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    /// Go on from here, as the page before says at its end
    #[arg(long, value_name = "CURSOR")]
    pub from: Option<Cursor>,
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

pub fn find(args: FindArgs) -> Result<ExitCode, Failure> {
    let (line_file, line) = args.line.unzip();
    let kind = match args.kind.as_deref() {
        Some("output") if args.output.is_some() => None,
        Some(kind) if args.output.is_some() => {
            let message = format!("--output finds what wrote a text, and that is no {kind}; leave {kind} out");
            return Err(Failure::wrong_usage(message));
        }
        _ => args.kind,
    };
    let request = FindRequest {
        kind,
        place: args.place,
        name: args.name,
        function: args.function,
        file: args.file.or(line_file.flatten()),
        line,
        value: args.value,
        before: args.before,
        after: args.after,
        same_as: args.same_as,
        in_caller: args.in_caller,
        output: args.output,
        index: args.index,
        page: PageRequest { from: args.from, limit: Some(args.limit) },
    };
    answer(&args.asking, args.format, QuestionKind::Find(request))
}

pub fn parse_line(text: &str) -> Result<(Option<String>, u32), String> {
    let (file, line) = match text.rsplit_once(':') {
        Some((file, line)) => (Some(file.to_owned()), line),
        None => (None, text),
    };
    let line = line.parse().map_err(|_| "a line is written 22 or app.js:22".to_owned())?;
    Ok((file, line))
}

pub fn page(answer: &debugger::Page<FoundEvent>) -> Page {
    let mut page = Page::default();
    if answer.items.is_empty() {
        page.line("no matching events");
    }
    let threads: BTreeSet<usize> = answer.items.iter().map(|found| found.point.thread).collect();
    for found in &answer.items {
        let thread = if threads.len() > 1 { format!("  (thread {})", found.point.thread) } else { String::new() };
        page.short(&found.point, happened(found) + &thread);
    }
    if let Some(next) = &answer.next {
        page.line(format!("… there are more: --from {next}; see also --limit, --before, --after and --index"));
    }
    page
}

/// What an event was, in the words of who reads the program.
fn happened(found: &FoundEvent) -> String {
    let value = found.value.as_ref().map_or("", |value| value.text.as_str());
    // Which frame it was is a number of ours.
    let text = found.text.split(" (frame ").next().unwrap_or_default();
    match found.kind {
        "Enter" => format!("{text} was called"),
        "Exit" => "the call ended".into(),
        "Call" => "a call began".into(),
        "Result" => format!("the call returned {value}"),
        "Return" => format!("returned {value}"),
        "Branch" | "Loop" => format!("was {value}"),
        "Nullish" if value == "true" => "there was a value".into(),
        "Nullish" => "there was no value".into(),
        "Case" => "this case was reached".into(),
        "Discriminant" => format!("switch over {value}"),
        "Default" => "the default value was used".into(),
        "Delete" | "DeleteComputed" => format!("delete {text}"),
        "ObjectLiteral" | "ArrayLiteral" | "Literal" | "FunctionBirth" | "ClassBirth" => format!("made {value}"),
        "Throw" => format!("threw {value}"),
        "Catch" => format!("caught {value}"),
        "Suspend" => format!("waits for {value}"),
        "Resume" | "LateResume" => format!("resumed with {value}"),
        "Argument" => format!("{value} was passed"),
        "This" => format!("this = {value}"),
        "Output" => format!("wrote to {text}"),
        "Effect" => match text.split_once(' ') {
            Some((object, "refill")) => {
                format!("a built-in put what {object} holds in another order, or filled it anew")
            }
            Some((object, did)) => format!("a built-in changed {object}: {did}"),
            None => text.into(),
        },
        "Uncaught" => format!("{value} was not caught"),
        "Var"
        | "VarIncrement"
        | "VarDecrement"
        | "Param"
        | "Put"
        | "PutIncrement"
        | "PutDecrement"
        | "PutComputed"
        | "PutComputedIncrement"
        | "PutComputedDecrement"
        | "Field" => text.into(),
        kind => format!("{kind} {}", found.text).trim_end().into(),
    }
}
