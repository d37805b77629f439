//! A question as a program sends it. `question.rs` is the other way: what was asked, as a document repeats it.

use debugger::{
    CallsRequest, CrashPathRequest, EventFilter, FindRequest, Handle, LogRequest, MOST_LABELS, OmissionsRequest,
    OverviewRequest, PageRequest, PointText, Question, QuestionKind, RunChoice, SearchKind, SearchRequest, SeekRequest,
    StateRequest, StepRequest, StepStride, Where, WhyRequest,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What is asked, and from where.
#[derive(Clone, Deserialize, TS)]
#[ts(optional_fields)]
pub struct AskedJson {
    #[serde(flatten)]
    pub question: AskedKindJson,
    /// A point: `app.js:22`, `crash`, `@12345`, `P2`. Nothing: the failure, or else the end.
    pub at: Option<String>,
    /// Of a line, the newest of its times at which this expression is true.
    pub when: Option<String>,
    /// Nothing: the thread that has the point.
    pub thread: Option<String>,
    /// Names are seen from this frame of a stack, at its moment; then the rest means nothing.
    pub frame: Option<String>,
}

/// The kinds are those of the command line.
#[derive(Clone, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[ts(optional_fields)]
pub enum AskedKindJson {
    Why {
        place: Option<String>,
        all: Option<bool>,
        /// The number of a passing run.
        against: Option<String>,
        failure: Option<usize>,
    },
    Failures {
        limit: Option<usize>,
        next: Option<String>,
    },
    LastChange {
        place: Option<String>,
    },
    Birth {
        place: Option<String>,
    },
    LastCondition,
    CrashPath {
        /// Nothing: what the failure is about.
        place: Option<String>,
        /// The number of a failure. Nothing: the first.
        failure: Option<usize>,
        /// Only so many of the newest labels.
        limit: Option<usize>,
    },
    History {
        place: Option<String>,
        limit: Option<usize>,
        /// Where a list goes on, as the page before it said.
        next: Option<String>,
    },
    Eval {
        expression: Option<String>,
    },
    State {
        frame: Option<usize>,
        depth: Option<usize>,
        limit: Option<usize>,
        skip: Option<usize>,
    },
    Inspect {
        place: String,
        depth: Option<usize>,
        limit: Option<usize>,
        skip: Option<usize>,
    },
    Omissions {
        place: Option<String>,
        limit: Option<usize>,
    },
    WhyNot {
        file: String,
        line: u32,
        limit: Option<usize>,
    },
    Find(FindJson),
    Search {
        text: String,
        /// `function`, `line`, `output`, `write` or `value`; nothing: everywhere.
        within: Option<SearchKindJson>,
        /// Of each kind.
        limit: Option<usize>,
    },
    Calls {
        function: Option<String>,
        file: Option<String>,
        /// Those that the frame of the point made, rather than those that nobody made.
        of_point: Option<bool>,
        /// Only calls of the project's own functions, through whatever libraries; then one level is told.
        own: Option<bool>,
        depth: Option<usize>,
        limit: Option<usize>,
        next: Option<String>,
    },
    Events {
        limit: Option<usize>,
        next: Option<String>,
    },
    /// At every time of the line that `at` names.
    Log {
        /// With commas between several.
        expression: String,
        limit: Option<usize>,
        next: Option<String>,
    },
    Here,
    Step {
        stride: StrideJson,
        back: Option<bool>,
    },
    Seek {
        #[serde(flatten)]
        what: FindJson,
        back: Option<bool>,
    },
    Threads {
        limit: Option<usize>,
        next: Option<String>,
    },
    Sources {
        limit: Option<usize>,
        next: Option<String>,
    },
    Source {
        file: String,
        /// False: its text alone, at once, without how often each line was executed.
        counts: Option<bool>,
    },
    Overview {
        #[ts(as = "Option<(u32, u32)>", optional)]
        events: Option<(u64, u64)>,
        parts: usize,
        /// Of the functions that were open, only the project's own.
        own: Option<bool>,
    },
    Stack {
        limit: Option<usize>,
        next: Option<String>,
    },
    Scopes {
        /// The handle of a frame; nothing: that of the point.
        frame: Option<String>,
    },
    Children {
        /// The handle of a scope or an object.
        of: String,
        limit: Option<usize>,
        next: Option<String>,
    },
    Tasks {
        limit: Option<usize>,
        next: Option<String>,
    },
}

/// Which events.
#[derive(Clone, Default, Deserialize, TS)]
#[serde(default)]
#[ts(optional_fields)]
pub struct FindJson {
    /// `write`, `call`, `throw`, …
    pub event: Option<String>,
    pub place: Option<String>,
    pub name: Option<String>,
    pub function: Option<String>,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub value: Option<String>,
    pub before: Option<String>,
    pub after: Option<String>,
    pub same_as: Option<String>,
    pub in_caller: Option<String>,
    pub output: Option<String>,
    #[ts(as = "Option<i32>", optional)]
    pub index: Option<i64>,
    pub limit: Option<usize>,
    pub next: Option<String>,
}

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "kebab-case")]
pub enum SearchKindJson {
    Function,
    Line,
    Output,
    Write,
    Value,
}

impl From<SearchKind> for SearchKindJson {
    fn from(kind: SearchKind) -> SearchKindJson {
        match kind {
            SearchKind::Function => SearchKindJson::Function,
            SearchKind::Line => SearchKindJson::Line,
            SearchKind::Output => SearchKindJson::Output,
            SearchKind::Write => SearchKindJson::Write,
            SearchKind::Value => SearchKindJson::Value,
        }
    }
}

impl From<SearchKindJson> for SearchKind {
    fn from(kind: SearchKindJson) -> SearchKind {
        match kind {
            SearchKindJson::Function => SearchKind::Function,
            SearchKindJson::Line => SearchKind::Line,
            SearchKindJson::Output => SearchKind::Output,
            SearchKindJson::Write => SearchKind::Write,
            SearchKindJson::Value => SearchKind::Value,
        }
    }
}

#[derive(Clone, Copy, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum StrideJson {
    Into,
    Over,
    Out,
}

impl TryFrom<AskedJson> for Question {
    type Error = String;

    fn try_from(asked: AskedJson) -> Result<Question, String> {
        let from =
            Where { at: point(asked.at)?, when: asked.when, thread: asked.thread, frame: asked.frame.map(handle) };
        Ok(Question { kind: asked.question.try_into()?, from })
    }
}

/// Of a run of the project: who asks over a protocol names no folders.
fn number_of_run(run: String) -> Result<RunChoice, String> {
    match run.parse::<u32>() {
        Ok(number) => Ok(RunChoice(Some(number.to_string()))),
        Err(_) => Err(format!("{run} is no run: runs are named by their numbers")),
    }
}

impl TryFrom<AskedKindJson> for QuestionKind {
    type Error = String;

    fn try_from(asked: AskedKindJson) -> Result<QuestionKind, String> {
        Ok(match asked {
            AskedKindJson::Why { place, all, against, failure } => QuestionKind::Why(WhyRequest {
                place,
                all: all.unwrap_or_default(),
                against: against.map(number_of_run).transpose()?,
                failure,
                since: None,
            }),
            AskedKindJson::Failures { limit, next } => QuestionKind::Failures(page(limit, next)),
            AskedKindJson::LastChange { place } => QuestionKind::LastChange { place },
            AskedKindJson::Birth { place } => QuestionKind::Birth { place },
            AskedKindJson::CrashPath { place, failure, limit } => QuestionKind::CrashPath(CrashPathRequest {
                place,
                failure,
                n_labels: limit.unwrap_or(MOST_LABELS).min(MOST_LABELS),
            }),
            AskedKindJson::LastCondition => QuestionKind::LastCondition,
            AskedKindJson::History { place, limit, next } => QuestionKind::History { place, page: page(limit, next) },
            AskedKindJson::Eval { expression } => QuestionKind::Eval { expression },
            AskedKindJson::State { frame, depth, limit, skip } => QuestionKind::State(state(frame, depth, limit, skip)),
            AskedKindJson::Inspect { place, depth, limit, skip } => {
                QuestionKind::Inspect { place, request: state(None, depth, limit, skip) }
            }
            AskedKindJson::Omissions { place, limit } => QuestionKind::Omissions { place, request: omissions(limit) },
            AskedKindJson::WhyNot { file, line, limit } => {
                QuestionKind::WhyNot { file, line, request: omissions(limit) }
            }
            AskedKindJson::Search { text, within, limit } => QuestionKind::Search(SearchRequest {
                text,
                within: within.map(SearchKind::from),
                limit: limit.unwrap_or(PAGE).min(LARGEST_PAGE),
            }),
            AskedKindJson::Find(what) => QuestionKind::Find(what.try_into()?),
            AskedKindJson::Calls { function, file, of_point, own, depth, limit, next } => {
                QuestionKind::Calls(CallsRequest {
                    function,
                    file,
                    of_point: of_point.unwrap_or_default(),
                    own: own.unwrap_or_default(),
                    depth: depth.unwrap_or(1),
                    page: page(limit, next),
                })
            }
            AskedKindJson::Events { limit, next } => {
                QuestionKind::EventsOfCall { filter: EventFilter::default(), page: page(limit, next) }
            }
            AskedKindJson::Log { expression, limit, next } => {
                QuestionKind::Log(LogRequest::of(&expression, page(limit, next)))
            }
            AskedKindJson::Here => QuestionKind::Here,
            AskedKindJson::Step { stride, back } => QuestionKind::Step(StepRequest {
                stride: match stride {
                    StrideJson::Into => StepStride::Into,
                    StrideJson::Over => StepStride::Over,
                    StrideJson::Out => StepStride::Out,
                },
                is_back: back.unwrap_or_default(),
            }),
            AskedKindJson::Seek { what, back } => {
                QuestionKind::Seek(SeekRequest { what: what.try_into()?, is_back: back.unwrap_or_default() })
            }
            AskedKindJson::Threads { limit, next } => QuestionKind::Threads(page(limit, next)),
            AskedKindJson::Sources { limit, next } => QuestionKind::Sources(page(limit, next)),
            AskedKindJson::Source { file, counts } => QuestionKind::Source { file, counts: counts.unwrap_or(true) },
            AskedKindJson::Overview { events, parts, own } => {
                let own = own.unwrap_or_default();
                QuestionKind::Overview(OverviewRequest { events, n_parts: parts.clamp(1, LARGEST_PAGE), own })
            }
            AskedKindJson::Stack { limit, next } => QuestionKind::Stack(page(limit, next)),
            AskedKindJson::Scopes { frame } => QuestionKind::Scopes { frame: frame.map(handle) },
            AskedKindJson::Children { of, limit, next } => {
                QuestionKind::Children { of: handle(of), page: page(limit, next) }
            }
            AskedKindJson::Tasks { limit, next } => QuestionKind::Tasks(page(limit, next)),
        })
    }
}

impl TryFrom<FindJson> for FindRequest {
    type Error = String;

    fn try_from(what: FindJson) -> Result<FindRequest, String> {
        Ok(FindRequest {
            kind: what.event,
            place: what.place,
            name: what.name,
            function: what.function,
            file: what.file,
            line: what.line,
            value: what.value,
            before: point(what.before)?,
            after: point(what.after)?,
            same_as: what.same_as,
            in_caller: what.in_caller,
            output: what.output,
            index: what.index,
            page: page(what.limit, what.next),
        })
    }
}

/// As much as is sent where nobody says how much, and as much as is sent at most: whoever wants more asks for the next page.
const PAGE: usize = 200;
const LARGEST_PAGE: usize = 10_000;

fn page(limit: Option<usize>, next: Option<String>) -> PageRequest {
    let from = next.map(|next| next.parse().unwrap_or_else(|never| match never {}));
    PageRequest { from, limit: Some(limit.unwrap_or(PAGE).min(LARGEST_PAGE)) }
}

/// Any text may be one; whether it is of the run is known when it is asked for.
fn handle(text: String) -> Handle {
    text.parse().unwrap_or_else(|never| match never {})
}

fn point(text: Option<String>) -> Result<Option<PointText>, String> {
    text.map(|text| text.parse()).transpose()
}

fn state(frame: Option<usize>, depth: Option<usize>, limit: Option<usize>, skip: Option<usize>) -> StateRequest {
    let usual = StateRequest::default();
    StateRequest {
        frame: frame.unwrap_or(usual.frame),
        depth: depth.unwrap_or(usual.depth),
        limit: limit.unwrap_or(usual.limit).min(LARGEST_PAGE),
        skip: skip.unwrap_or(usual.skip),
    }
}

fn omissions(limit: Option<usize>) -> OmissionsRequest {
    let usual = OmissionsRequest::default();
    OmissionsRequest { limit: limit.unwrap_or(usual.limit).min(LARGEST_PAGE), ..usual }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(json: &str) -> Result<Question, String> {
        let asked: AskedJson = serde_json::from_str(json).map_err(|error| error.to_string())?;
        asked.try_into()
    }

    #[test]
    fn a_question_is_read_with_its_point() {
        let asked = question(r#"{"kind": "last-change", "place": "cart.total", "at": "app.js:22#3"}"#).unwrap();
        assert_eq!(asked.kind, QuestionKind::LastChange { place: Some("cart.total".into()) });
        assert_eq!(asked.from.at.unwrap().to_string(), "app.js:22#3");
    }

    #[test]
    fn a_search_names_its_conditions_beside_its_direction() {
        let asked = question(r#"{"kind": "seek", "file": "app.js", "line": 22, "back": true, "at": "@17"}"#).unwrap();
        let QuestionKind::Seek(request) = asked.kind else { panic!() };
        assert_eq!((request.is_back, request.what.line), (true, Some(22)));
    }

    #[test]
    fn what_is_no_question_is_refused_with_a_reason() {
        assert!(question(r#"{"kind": "explode"}"#).unwrap_err().contains("explode"));
        for folder in ["../b/.wherefore/runs/1", "/tmp/b", "1/../2", ""] {
            let asked = format!(r#"{{"kind": "why", "against": "{folder}"}}"#);
            assert!(question(&asked).unwrap_err().contains("is no run: runs are named by their numbers"));
        }
        assert!(question(r#"{"kind": "why", "against": "2"}"#).is_ok());
        assert!(question(r#"{"kind": "here", "at": "nowhere"}"#).unwrap_err().contains("nowhere"));
    }
}
