//! Moving about, and the run from far away.

use debugger::{MoveAnswer, OverviewAnswer, Page, PartShown, SourceShown, SourceText, ThreadShown};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::parts::{PointJson, each, next, some};

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct MoveJson {
    #[schemars(extend("enum" = ["step", "seek"]))]
    #[ts(type = "\"step\" | \"seek\"")]
    pub kind: &'static str,
    /// Nothing: the thread begins or ends there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<PointJson>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ThreadsJson {
    #[schemars(extend("const" = "threads"))]
    #[ts(type = "\"threads\"")]
    pub kind: &'static str,
    pub threads: Vec<ThreadJson>,
    /// Where the list goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ThreadJson {
    pub thread: usize,
    pub name: String,
    /// Microseconds since 1970.
    #[ts(type = "number")]
    pub start: u64,
    /// The first event that is kept, and one behind the last.
    #[ts(type = "[number, number]")]
    pub events: (u64, u64),
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct SourcesJson {
    #[schemars(extend("const" = "sources"))]
    #[ts(type = "\"sources\"")]
    pub kind: &'static str,
    pub sources: Vec<SourceJson>,
    /// Where the list goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct SourceJson {
    pub file: String,
    pub lines: usize,
    pub executed: usize,
    /// All that was recorded of it
    pub events: u64,
    /// The package that it is of, if it is not the project's own
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// Whether the package is a tool that only runs beside the program: it was recorded because that was asked for
    pub tool: bool,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct SourceTextJson {
    #[schemars(extend("const" = "source"))]
    #[ts(type = "\"source\"")]
    pub kind: &'static str,
    pub file: String,
    pub text: String,
    /// Lines that have code, with how often each was executed.
    #[ts(type = "[number, number][]")]
    pub hits: Vec<(u32, u64)>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct OverviewJson {
    #[schemars(extend("const" = "overview"))]
    #[ts(type = "\"overview\"")]
    pub kind: &'static str,
    pub thread: usize,
    pub parts: Vec<PartOfRunJson>,
    /// Some events of the range, evenly, each with about how many milliseconds after the start of the run it happened; left out where that is not known.
    #[ts(as = "Option<Vec<(u32, f64)>>", optional)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<(u64, f64)>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct PartOfRunJson {
    #[ts(type = "[number, number]")]
    pub events: (u64, u64),
    #[ts(type = "number")]
    pub calls: u64,
    #[ts(type = "number")]
    pub throws: u64,
    pub prints: bool,
    pub fails: bool,
    /// Frames that were open at its start, outermost first.
    pub stack: Vec<(u32, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busiest: Option<String>,
}

impl MoveJson {
    pub fn new(kind: &'static str, answer: &MoveAnswer) -> MoveJson {
        MoveJson { kind, point: some(&answer.point) }
    }
}

impl From<&Page<ThreadShown>> for ThreadsJson {
    fn from(page: &Page<ThreadShown>) -> ThreadsJson {
        ThreadsJson { kind: "threads", threads: each(&page.items), next: next(page) }
    }
}

impl From<&ThreadShown> for ThreadJson {
    fn from(thread: &ThreadShown) -> ThreadJson {
        ThreadJson { thread: thread.number, name: thread.name.clone(), start: thread.start, events: thread.events }
    }
}

impl From<&Page<SourceShown>> for SourcesJson {
    fn from(page: &Page<SourceShown>) -> SourcesJson {
        SourcesJson { kind: "sources", sources: each(&page.items), next: next(page) }
    }
}

impl From<&SourceShown> for SourceJson {
    fn from(source: &SourceShown) -> SourceJson {
        SourceJson {
            file: source.file.clone(),
            lines: source.n_lines,
            executed: source.n_executed,
            events: source.n_events,
            package: source.package.clone(),
            tool: source.is_tool,
        }
    }
}

impl From<&SourceText> for SourceTextJson {
    fn from(source: &SourceText) -> SourceTextJson {
        SourceTextJson {
            kind: "source",
            file: source.file.clone(),
            text: source.text.clone(),
            hits: source.hits.clone(),
        }
    }
}

impl From<&OverviewAnswer> for OverviewJson {
    fn from(answer: &OverviewAnswer) -> OverviewJson {
        let times = answer.times.iter().map(|(event, micros)| (*event, *micros as f64 / 1000.0)).collect();
        OverviewJson { kind: "overview", thread: answer.thread, parts: each(&answer.parts), times }
    }
}

impl From<&PartShown> for PartOfRunJson {
    fn from(part: &PartShown) -> PartOfRunJson {
        PartOfRunJson {
            events: part.events,
            calls: part.n_calls,
            throws: part.n_throws,
            prints: part.prints,
            fails: part.fails,
            stack: part.stack.clone(),
            busiest: part.busiest.clone(),
        }
    }
}
