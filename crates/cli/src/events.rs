use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use debugger::{EventFilter, EventLine, PointText, RunChoice, Session, Value};
use serde::Serialize;

use crate::args::EventsArgs;
use crate::ask::AnswerFormat;
use crate::failure::{Failure, current_folder, unless_closed};
use crate::{ANSWERED, NONE, not_captured, tell};

pub fn run(args: EventsArgs) -> Result<ExitCode, Failure> {
    let run = RunChoice(args.run).open(&current_folder()?)?;
    if args.not_captured {
        return not_captured::print(&run, args.format);
    }
    let filter = EventFilter {
        thread: args.thread,
        kinds: args.kind,
        file: args.file,
        line: args.line,
        function: args.function,
        from: args.from,
        to: args.to,
        limit: args.limit,
    };
    if let Some(point) = &args.call {
        return of_call(Session::of(run), point, &filter, args.format);
    }
    let shows_threads = run.threads().len() > 1;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut written = fence(&mut out, args.format, "```text");
    let mut last_thread = None;
    let notes = debugger::events(&run, &filter, |line| {
        let is_first = last_thread.replace(line.thread) != Some(line.thread);
        written = match args.format {
            AnswerFormat::Json => print_json(&mut out, &line),
            _ => print_text(&mut out, &line, shows_threads && is_first),
        };
        written.is_ok()
    })?;
    unless_closed(written.and_then(|()| fence(&mut out, args.format, "```")).and_then(|()| out.flush()))?;
    tell::notes(notes);
    Ok(if last_thread.is_some() { ANSWERED } else { ExitCode::from(NONE) })
}

/// The events of one call.
fn of_call(
    session: Session,
    point: &PointText,
    filter: &EventFilter,
    format: AnswerFormat,
) -> Result<ExitCode, Failure> {
    let standpoint = session.stand_at(Some(point), filter.thread.as_deref())?;
    let lines = standpoint.events_of_call(filter)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let begun = fence(&mut out, format, "```text");
    let written = lines.iter().try_for_each(|line| match format {
        AnswerFormat::Json => print_json(&mut out, line),
        _ => print_text(&mut out, line, false),
    });
    let written = begun.and(written).and_then(|()| fence(&mut out, format, "```"));
    unless_closed(written.and_then(|()| out.flush()))?;
    tell::notes(standpoint.notes());
    Ok(if lines.is_empty() { ExitCode::from(NONE) } else { ANSWERED })
}

/// In Markdown the lines stand between fences: how far they are moved in says who called whom.
pub fn fence(out: &mut impl Write, format: AnswerFormat, text: &str) -> io::Result<()> {
    if format == AnswerFormat::Markdown { writeln!(out, "{text}") } else { Ok(()) }
}

/// Deeper frames are not indented further: their lines would be out of sight.
const MAX_INDENT: usize = 40;

fn print_text(out: &mut impl Write, line: &EventLine, names_thread: bool) -> io::Result<()> {
    if names_thread {
        writeln!(out, "thread {}", line.thread)?;
    }
    let event = format!("@{}", line.event);
    let indent = line.depth.saturating_sub(1).min(MAX_INDENT) * 2;
    write!(out, "{event:7} {:indent$}", "")?;
    if let Some(file) = &line.file {
        write!(out, "{file}")?;
        if let Some(number) = line.line {
            write!(out, ":{number}")?;
        }
        write!(out, "  ")?;
    }
    let separator = if line.text.is_empty() { "" } else { " " };
    writeln!(out, "{}{separator}{}", line.kind, line.text)
}

fn print_json(out: &mut impl Write, line: &EventLine) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &event_json(line))?;
    writeln!(out)
}

#[derive(Serialize)]
struct EventJson<'a> {
    thread: usize,
    event: u64,
    depth: usize,
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    names: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<ValueJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<ValueJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    frame: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<ValueJson<'a>>,
    text: &'a str,
}

#[derive(Serialize)]
struct ValueJson<'a> {
    r#type: &'a str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<u32>,
}

fn event_json(line: &EventLine) -> EventJson<'_> {
    EventJson {
        thread: line.thread,
        event: line.event,
        depth: line.depth,
        kind: line.kind,
        file: line.file.as_deref(),
        line: line.line,
        column: line.column,
        function: line.function.as_deref(),
        names: &line.names,
        value: line.value.as_ref().map(value_json),
        object: line.object,
        key: line.key.as_ref().map(value_json),
        frame: line.frame,
        scope: line.scope,
        values: line.values.iter().map(value_json).collect(),
        text: &line.text,
    }
}

fn value_json(value: &Value) -> ValueJson<'_> {
    ValueJson { r#type: value.kind.name(), text: &value.text, object: value.object }
}
