//! The questions as tools: what each takes, and which question of the façade that is.

use answer_json::answer_schema;
use debugger::{
    CallsRequest, CrashPathRequest, FindRequest, LogRequest, OmissionsRequest, PageRequest, QuestionKind, RunChoice,
    SearchKind, SearchRequest, SeekRequest, StateRequest, StepRequest, StepStride, WhyRequest,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::ask::{Asks, Common, List, ask, point};
use crate::schema;
use crate::tools::{Effect, Spec};

macro_rules! question {
    ($arguments:ty, $title:literal, $answered:literal, $description:literal) => {
        Spec {
            name: <$arguments>::TOOL,
            title: $title,
            description: $description,
            effect: Effect::None,
            input: || schema::input(&[schema::of::<$arguments>(), schema::of::<Common>()]),
            output: || schema::output(&answer_schema($answered).expect("every question has a schema")),
            call: ask::<$arguments>,
        }
    };
}

pub const QUESTIONS: &[Spec] = &[
    question!(
        Why,
        "Why did it fail",
        "why",
        "Explain why a test or program failed, or why a place held its value: a chain from the failure back to its cause"
    ),
    question!(
        LastChange,
        "Where a value came from",
        "last-change",
        "What changed this variable, property or element last before a point: where its value came from"
    ),
    question!(Birth, "Where an object was made", "birth", "Where the object that a place holds was made"),
    question!(
        LastCondition,
        "Why control came here",
        "last-condition",
        "The branch, call or exception that decided that a point was reached, with the values it read"
    ),
    question!(History, "All changes of a place", "history", "All changes of a place up to a point, newest first"),
    question!(State, "Stack and variables", "state", "Call stack at a point, with the variables of each frame"),
    question!(
        Eval,
        "Value of an expression",
        "eval",
        "Value of an expression over the recorded state at a point; nothing is run"
    ),
    question!(
        Log,
        "Print statements after the fact",
        "log",
        "Values of expressions at every hit of the line `at`, with caller and time: what a print statement there would have shown"
    ),
    question!(Find, "Find events", "find", "Events that meet conditions: writes, calls, throws, output …"),
    question!(
        Search,
        "Search for a text",
        "search",
        "Find a text in function names, source lines, output, and written names and values"
    ),
    question!(Calls, "Call tree", "calls", "Calls that were made, with arguments and results"),
    question!(
        Step,
        "Step through time",
        "step",
        "From a point to the next statement or the one before; or to the next time that something happens"
    ),
    question!(
        Omissions,
        "What should have happened",
        "omissions",
        "What could have been done to a place and was not, with the branch that prevented it"
    ),
    question!(
        WhyNot,
        "Why a line was not reached",
        "why-not",
        "The branches that prevented a line from being executed"
    ),
    question!(
        CrashPath,
        "Birth to crash",
        "crash-path",
        "What control did between the birth of the failing object and the crash, newest part first"
    ),
];

#[derive(Deserialize, JsonSchema)]
struct Why {
    /// Explain its value instead of the failure
    place: Option<String>,
    /// Which failure, from 1
    failure: Option<usize>,
    /// A passing run to compare with
    against: Option<u32>,
    /// Not only what is most telling
    #[serde(default)]
    all: bool,
}

#[derive(Deserialize, JsonSchema)]
struct LastChange {
    /// cart.total, list[2], this.x, #17.price (object 17)
    place: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Birth {
    /// cart, this.list, lines[0]
    place: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Search {
    text: String,
    within: Option<Within>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Within {
    Function,
    Line,
    Output,
    Write,
    Value,
}

#[derive(Deserialize, JsonSchema)]
struct LastCondition {}

#[derive(Deserialize, JsonSchema)]
struct History {
    /// cart.total, list[2], #17.price
    place: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct State {
    /// Whose outer variables are shown too; 0: innermost
    frame: Option<usize>,
    /// Of objects
    depth: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
struct Eval {
    /// a.length + n
    expression: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Log {
    /// line.price, percent
    expressions: String,
}

#[derive(Default, Deserialize, JsonSchema)]
struct Find {
    /// write, call, throw, branch, output …
    event: Option<String>,
    place: Option<String>,
    /// Of a variable or property
    name: Option<String>,
    function: Option<String>,
    file: Option<String>,
    line: Option<u32>,
    /// Written, passed or returned
    value: Option<String>,
    /// A point
    before: Option<String>,
    /// A point
    after: Option<String>,
    /// Text that was printed
    output: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Calls {
    function: Option<String>,
    file: Option<String>,
    /// Only calls by the frame of the point
    #[serde(default)]
    of_point: bool,
    depth: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
struct Step {
    stride: Option<Stride>,
    /// Back in time
    #[serde(default)]
    back: bool,
    /// To its next execution
    line: Option<u32>,
    file: Option<String>,
    /// To its next call
    function: Option<String>,
    /// To its next write
    place: Option<String>,
    /// To the next throw, output …
    event: Option<String>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Stride {
    Into,
    Over,
    Out,
}

#[derive(Deserialize, JsonSchema)]
struct Omissions {
    /// cart.total, this.list
    place: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct WhyNot {
    file: String,
    line: u32,
}

#[derive(Deserialize, JsonSchema)]
struct CrashPath {
    /// Its object instead of the failing one
    place: Option<String>,
}

impl Asks for Why {
    const TOOL: &str = "why";
    const LIST: List = List::Ours("chain");

    fn kind(&self, _: PageRequest) -> Result<QuestionKind, String> {
        Ok(QuestionKind::Why(WhyRequest {
            place: self.place.clone(),
            all: self.all,
            against: self.against.map(|run| RunChoice(Some(run.to_string()))),
            failure: self.failure,
            since: None,
        }))
    }
}

impl Asks for LastChange {
    const TOOL: &str = "last_change";
    const LIST: List = List::None;

    fn kind(&self, _: PageRequest) -> Result<QuestionKind, String> {
        Ok(QuestionKind::LastChange { place: self.place.clone() })
    }
}

impl Asks for Birth {
    const TOOL: &str = "birth";
    const LIST: List = List::None;

    fn kind(&self, _: PageRequest) -> Result<QuestionKind, String> {
        Ok(QuestionKind::Birth { place: self.place.clone() })
    }
}

impl Asks for Search {
    const TOOL: &str = "search";
    const LIST: List = List::Ours("hits");

    fn kind(&self, _: PageRequest) -> Result<QuestionKind, String> {
        let within = self.within.map(SearchKind::from);
        Ok(QuestionKind::Search(SearchRequest { text: self.text.clone(), within, limit: MOST_OF_EACH_KIND }))
    }
}

/// So many hits of one kind tell an agent that it has to ask for less.
const MOST_OF_EACH_KIND: usize = 50;

impl From<Within> for SearchKind {
    fn from(within: Within) -> SearchKind {
        match within {
            Within::Function => SearchKind::Function,
            Within::Line => SearchKind::Line,
            Within::Output => SearchKind::Output,
            Within::Write => SearchKind::Write,
            Within::Value => SearchKind::Value,
        }
    }
}

impl Asks for LastCondition {
    const TOOL: &str = "last_condition";
    const LIST: List = List::None;

    fn kind(&self, _: PageRequest) -> Result<QuestionKind, String> {
        Ok(QuestionKind::LastCondition)
    }
}

impl Asks for History {
    const TOOL: &str = "history";
    const LIST: List = List::Pages("changes");

    fn kind(&self, page: PageRequest) -> Result<QuestionKind, String> {
        Ok(QuestionKind::History { place: self.place.clone(), page })
    }
}

impl Asks for State {
    const TOOL: &str = "state";
    const LIST: List = List::Ours("frames");

    fn kind(&self, _: PageRequest) -> Result<QuestionKind, String> {
        let usual = StateRequest::default();
        let (frame, depth) = (self.frame.unwrap_or(usual.frame), self.depth.unwrap_or(usual.depth).min(DEEPEST));
        Ok(QuestionKind::State(StateRequest { frame, depth, ..usual }))
    }
}

/// What is deeper fits no budget.
const DEEPEST: usize = 5;

impl Asks for Eval {
    const TOOL: &str = "eval";
    const LIST: List = List::None;

    fn kind(&self, _: PageRequest) -> Result<QuestionKind, String> {
        Ok(QuestionKind::Eval { expression: self.expression.clone() })
    }
}

impl Asks for Log {
    const TOOL: &str = "log";
    const LIST: List = List::Pages("hits");

    fn kind(&self, page: PageRequest) -> Result<QuestionKind, String> {
        Ok(QuestionKind::Log(LogRequest::of(&self.expressions, page)))
    }
}

impl Asks for Find {
    const TOOL: &str = "find";
    const LIST: List = List::Pages("results");

    fn kind(&self, page: PageRequest) -> Result<QuestionKind, String> {
        Ok(QuestionKind::Find(FindRequest {
            kind: self.event.clone(),
            place: self.place.clone(),
            name: self.name.clone(),
            function: self.function.clone(),
            file: self.file.clone(),
            line: self.line,
            value: self.value.clone(),
            before: point(&self.before)?,
            after: point(&self.after)?,
            output: self.output.clone(),
            page,
            ..FindRequest::default()
        }))
    }
}

impl Asks for Calls {
    const TOOL: &str = "calls";
    const LIST: List = List::Pages("calls");

    fn kind(&self, page: PageRequest) -> Result<QuestionKind, String> {
        Ok(QuestionKind::Calls(CallsRequest {
            function: self.function.clone(),
            file: self.file.clone(),
            of_point: self.of_point,
            own: false,
            depth: self.depth.unwrap_or(1),
            page,
        }))
    }
}

impl Asks for Step {
    const TOOL: &str = "step";
    const LIST: List = List::None;

    fn kind(&self, page: PageRequest) -> Result<QuestionKind, String> {
        let what = FindRequest {
            kind: self.event.clone(),
            place: self.place.clone(),
            function: self.function.clone(),
            file: self.file.clone(),
            line: self.line,
            page,
            ..FindRequest::default()
        };
        let seeks = self.event.is_some()
            || self.place.is_some()
            || self.function.is_some()
            || self.file.is_some()
            || self.line.is_some();
        Ok(match (seeks, self.stride) {
            (true, Some(_)) => {
                return Err("a stride goes to the next statement, and the others to something else: give one".into());
            }
            (true, None) => QuestionKind::Seek(SeekRequest { what, is_back: self.back }),
            (false, stride) => QuestionKind::Step(StepRequest {
                stride: stride.map_or(StepStride::Over, Into::into),
                is_back: self.back,
            }),
        })
    }
}

impl From<Stride> for StepStride {
    fn from(stride: Stride) -> StepStride {
        match stride {
            Stride::Into => StepStride::Into,
            Stride::Over => StepStride::Over,
            Stride::Out => StepStride::Out,
        }
    }
}

impl Asks for Omissions {
    const TOOL: &str = "omissions";
    const LIST: List = List::Ours("results");

    fn kind(&self, _: PageRequest) -> Result<QuestionKind, String> {
        Ok(QuestionKind::Omissions { place: self.place.clone(), request: most_omissions() })
    }
}

impl Asks for WhyNot {
    const TOOL: &str = "why_not";
    const LIST: List = List::Ours("results");

    fn kind(&self, _: PageRequest) -> Result<QuestionKind, String> {
        Ok(QuestionKind::WhyNot { file: self.file.clone(), line: self.line, request: most_omissions() })
    }
}

/// More than fits: the rest is behind a cursor.
fn most_omissions() -> OmissionsRequest {
    OmissionsRequest { limit: 200, ..OmissionsRequest::default() }
}

impl Asks for CrashPath {
    const TOOL: &str = "crash_path";
    const LIST: List = List::FromEnd("path");

    fn kind(&self, _: PageRequest) -> Result<QuestionKind, String> {
        Ok(QuestionKind::CrashPath(CrashPathRequest { place: self.place.clone(), ..CrashPathRequest::default() }))
    }
}
