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
use crate::tools::Spec;

macro_rules! question {
    ($arguments:ty, $title:literal, $answered:literal, $description:literal) => {
        Spec {
            name: <$arguments>::TOOL,
            title: $title,
            description: $description,
            runs: false,
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
        "Explain the failure of a run, or why a place held its value: a chain from the failure back to its cause, newest first"
    ),
    question!(
        LastChange,
        "Where a value came from",
        "last-change",
        "The newest change of a variable, property or element before a point, by object identity"
    ),
    question!(
        Birth,
        "Where an object was made",
        "birth",
        "Where the object that a place holds was made, or first seen if code that is not recorded made it"
    ),
    question!(
        LastCondition,
        "Why control came here",
        "last-condition",
        "The branch, call or exception that decided that a point was reached, with the values it read"
    ),
    question!(
        History,
        "All changes of a place",
        "history",
        "Every change of a place up to a point, the newest on the first page"
    ),
    question!(State, "Stack and variables", "state", "The call stack at a point with the variables of each frame"),
    question!(
        Eval,
        "Value of an expression",
        "eval",
        "The value of an expression over the recorded state at a point; nothing is run"
    ),
    question!(
        Log,
        "Print statements after the fact",
        "log",
        "The values of expressions at every time that a line was executed, with caller and time: what a print statement there would have shown. Name the line with at; when chooses among its times"
    ),
    question!(Find, "Find events", "find", "Events that meet conditions: writes, calls, throws, output …"),
    question!(
        Search,
        "Search for a text",
        "search",
        "A text, looked for in names of functions, in lines of source, in output, and in names and values that were written"
    ),
    question!(Calls, "Call tree", "calls", "The calls that were made, with arguments and results"),
    question!(
        Step,
        "Step through time",
        "step",
        "From a point to the next statement, or back to the one before; or to the next time that something happens"
    ),
    question!(
        Omissions,
        "What should have happened",
        "omissions",
        "What could have been done to an object or a place and was not, with the branch that prevented it"
    ),
    question!(
        WhyNot,
        "Why a line was not reached",
        "why-not",
        "Why a line of a file was not executed: the branches that prevented it"
    ),
    question!(
        CrashPath,
        "Birth to crash",
        "crash-path",
        "What control did between the birth of the object that the failure is about and the crash; newest part first"
    ),
];

#[derive(Deserialize, JsonSchema)]
struct Why {
    /// Why this place held its value, instead of why the run failed
    place: Option<String>,
    /// Which of several failures, from 1
    failure: Option<usize>,
    /// Number of a passing run of the same program: what differs comes first
    against: Option<u32>,
    /// The whole graph, not only what is most telling
    #[serde(default)]
    all: bool,
}

#[derive(Deserialize, JsonSchema)]
struct LastChange {
    /// cart.total, list[2], this.x, #17.price (object 17); of the expression at the point's column if left out
    place: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Birth {
    /// cart, this.list, lines[0]; the expression at the point's column if left out
    place: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Search {
    text: String,
    /// Only there; everywhere if left out
    within: Option<Within>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Within {
    Function,
    Line,
    Output,
    /// Of variables and properties of that name
    Write,
    /// Of such a value
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
    /// Frame whose outer variables are shown too, from 0, the innermost
    frame: Option<usize>,
    /// How deep objects are opened
    depth: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
struct Eval {
    /// a.length + n
    expression: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Log {
    /// With commas between several: line.price, percent
    expressions: String,
}

#[derive(Default, Deserialize, JsonSchema)]
struct Find {
    /// write, call, throw, branch, output …
    event: Option<String>,
    /// Only what concerns this place
    place: Option<String>,
    /// Only variables or properties of this name
    name: Option<String>,
    function: Option<String>,
    file: Option<String>,
    line: Option<u32>,
    /// Only where this value was written, passed or returned
    value: Option<String>,
    /// Only before this point
    before: Option<String>,
    /// Only after this point
    after: Option<String>,
    /// Only what was printed with this text
    output: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Calls {
    /// Only calls of functions of this name
    function: Option<String>,
    /// Only calls of functions in this file
    file: Option<String>,
    /// Only what the frame of the point called
    #[serde(default)]
    of_point: bool,
    /// How deep below; 1 if left out
    depth: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
struct Step {
    /// into calls, over them or out of them; over if left out
    stride: Option<Stride>,
    /// Back in time
    #[serde(default)]
    back: bool,
    /// Go to the next time that this line is executed
    line: Option<u32>,
    file: Option<String>,
    /// Go to the next call of this function
    function: Option<String>,
    /// Go to the next write of this place
    place: Option<String>,
    /// Go to the next event of this kind: throw, output …
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
    /// The object of this place, instead of what the failure is about
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
