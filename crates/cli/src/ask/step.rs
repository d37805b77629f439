use std::process::ExitCode;

use clap::ValueEnum;
use debugger::{
    Cursor, FindRequest, HitShown, MoveAnswer, OverviewAnswer, OverviewRequest, PageRequest, QuestionKind, SeekRequest,
    SourceShown, SourceText, StepRequest, StepStride, StopAnswer, ThreadShown,
};

use super::asking::{AnswerFormat, Asking, answer};
use super::page::Page;
use crate::failure::Failure;
use crate::text::grouped;

#[derive(clap::Args)]
pub struct StepArgs {
    /// How far; over the calls of a statement if left out
    #[arg(value_enum, default_value_t = Stride::Over)]
    pub stride: Stride,
    /// Back instead of forward
    #[arg(long)]
    pub back: bool,
    /// To the next time that this line is executed: 22, or app.js:22
    #[arg(long, value_name = "LINE", group = "seek", value_parser = super::find::parse_line)]
    pub to_line: Option<(Option<String>, u32)>,
    /// To the next call of a function of this name
    #[arg(long, value_name = "NAME", group = "seek")]
    pub to_call: Option<String>,
    /// To the next write of this place
    #[arg(long, value_name = "PLACE", group = "seek")]
    pub to_write: Option<String>,
    /// To the next exception
    #[arg(long, group = "seek")]
    pub to_throw: bool,
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Stride {
    /// To the next statement, also inside of what is called
    Into,
    /// To the next statement of the same function, or of its caller
    Over,
    /// To the caller
    Out,
}

#[derive(clap::Args)]
pub struct OverviewArgs {
    /// In about so many parts
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub parts: usize,
    /// Only the events from this one on
    #[arg(long, value_name = "@N", value_parser = crate::args::parse_event, requires = "to")]
    pub from: Option<u64>,
    /// Only the events before this one
    #[arg(long, value_name = "@N", value_parser = crate::args::parse_event, requires = "from")]
    pub to: Option<u64>,
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

#[derive(clap::Args)]
pub struct SourcesArgs {
    /// Only this file, line by line
    pub file: Option<String>,
    /// At most so many files
    #[arg(long, value_name = "N", conflicts_with = "file")]
    pub limit: Option<usize>,
    /// Go on from here, as the page before says at its end
    #[arg(long, value_name = "CURSOR", conflicts_with = "file")]
    pub from: Option<Cursor>,
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

pub fn step(args: StepArgs) -> Result<ExitCode, Failure> {
    let is_back = args.back;
    let what = FindRequest::default();
    let seek = |what| QuestionKind::Seek(SeekRequest { what, is_back });
    let kind = match (args.to_line, args.to_call, args.to_write, args.to_throw) {
        (Some((file, line)), ..) => seek(FindRequest { file, line: Some(line), ..what }),
        (_, Some(name), ..) => seek(FindRequest { kind: Some("call".into()), function: Some(name), ..what }),
        (_, _, Some(place), _) => seek(FindRequest { place: Some(place), ..what }),
        (.., true) => seek(FindRequest { kind: Some("throw".into()), ..what }),
        _ => {
            let stride = match args.stride {
                Stride::Into => StepStride::Into,
                Stride::Over => StepStride::Over,
                Stride::Out => StepStride::Out,
            };
            QuestionKind::Step(StepRequest { stride, is_back })
        }
    };
    answer(&args.asking, args.format, kind)
}

pub fn overview(args: OverviewArgs) -> Result<ExitCode, Failure> {
    let request = OverviewRequest { events: args.from.zip(args.to), n_parts: args.parts, own: false };
    answer(&args.asking, args.format, QuestionKind::Overview(request))
}

pub fn sources(args: SourcesArgs) -> Result<ExitCode, Failure> {
    let kind = match args.file {
        Some(file) => QuestionKind::Source { file, counts: true },
        None => QuestionKind::Sources(PageRequest { from: args.from, limit: args.limit }),
    };
    answer(&args.asking, args.format, kind)
}

pub fn page(answer: &MoveAnswer) -> Page {
    let mut page = Page::default();
    match &answer.point {
        Some(point) => page.point(point, ""),
        None => page.line("there is nothing further in that direction"),
    };
    page
}

pub fn page_of_stop(answer: &StopAnswer) -> Page {
    page(&MoveAnswer { point: answer.point.clone() })
}

pub fn page_of_hits(hits: &debugger::Page<HitShown>) -> Page {
    let mut page = Page::default();
    for hit in &hits.items {
        let values = hit.values.iter().map(|value| value.as_ref().map_or_else(String::as_str, |value| &value.text));
        page.short(&hit.point, values.collect::<Vec<_>>().join(", "));
    }
    page
}

pub fn page_of_threads(threads: &debugger::Page<ThreadShown>) -> Page {
    let mut page = Page::default();
    for thread in &threads.items {
        let n_events = grouped(thread.events.1 - thread.events.0);
        page.line(format!("{}  {}  {n_events} events", thread.number, thread.name));
    }
    page
}

pub fn page_of_sources(sources: &debugger::Page<SourceShown>) -> Page {
    let mut page = Page::default();
    for source in &sources.items {
        page.line(format!("{}  {} of {} lines executed", source.file, source.n_executed, source.n_lines));
    }
    if let Some(next) = &sources.next {
        page.line(format!("… there are more: --from {next}"));
    }
    page
}

pub fn page_of_source(source: &SourceText) -> Page {
    let mut page = Page::default();
    page.title(&source.file);
    for (number, text) in (1..).zip(source.text.lines()) {
        let hits = source.hits.iter().find(|(line, _)| *line == number);
        let hits = hits.map_or(String::new(), |(_, n_hits)| grouped(*n_hits));
        page.line(format!("{number:>5} {hits:>9} │ {text}").trim_end());
    }
    page
}

pub fn page_of_overview(overview: &OverviewAnswer) -> Page {
    let mut page = Page::default();
    for part in &overview.parts {
        let (first, end) = part.events;
        let mut text = format!(
            "@{first} to before @{end}  {} {}",
            grouped(part.n_calls),
            if part.n_calls == 1 { "call" } else { "calls" }
        );
        if part.n_throws > 0 {
            text.push_str(&format!(", {} thrown", grouped(part.n_throws)));
        }
        for (is_so, word) in [(part.prints, ", output"), (part.fails, ", an exception left the program")] {
            text.push_str(if is_so { word } else { "" });
        }
        if let Some(busiest) = &part.busiest {
            text.push_str(&format!(", mostly in {busiest}"));
        }
        page.line(text);
    }
    page
}
