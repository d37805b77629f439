use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use debugger::{
    Answer, Control, EventFilter, EventLine, PageRequest, PointText, Question, QuestionKind, Reply, RunChoice, Session,
    Where,
};

use crate::args::EventsArgs;
use crate::ask::AnswerFormat;
use crate::failure::{Failure, current_folder, unless_closed};
use crate::{ANSWERED, NONE, not_captured, tell};

pub fn run(args: EventsArgs) -> Result<ExitCode, Failure> {
    let session = Session::open(&RunChoice(args.run), &current_folder()?)?;
    if args.not_captured {
        return not_captured::print(&session, args.format);
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
        return of_call(session, point, &filter, args.format);
    }
    let shows_threads = session.n_threads() > 1;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut written = fence(&mut out, args.format, "```text");
    let mut last_thread = None;
    let notes = debugger::events(&session, &filter, |line| {
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
    let from = Where { at: Some(point.clone()), thread: filter.thread.clone(), ..Where::default() };
    let question =
        Question { kind: QuestionKind::EventsOfCall { filter: filter.clone(), page: PageRequest::default() }, from };
    let Reply { answer: Answer::EventsOfCall(page), notes } = session.ask(&question, &Control::default())? else {
        return Ok(ExitCode::from(NONE));
    };
    let lines = page.items;
    let mut out = BufWriter::new(io::stdout().lock());
    let begun = fence(&mut out, format, "```text");
    let written = lines.iter().try_for_each(|line| match format {
        AnswerFormat::Json => print_json(&mut out, line),
        _ => print_text(&mut out, line, false),
    });
    let written = begun.and(written).and_then(|()| fence(&mut out, format, "```"));
    unless_closed(written.and_then(|()| out.flush()))?;
    tell::notes(notes);
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
    serde_json::to_writer(&mut *out, &answer_json::EventJson::from(line))?;
    writeln!(out)
}
