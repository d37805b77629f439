//! One question, one answer: what every front end asks of a run, and what it is given. Plain data; how an answer is shown is the
//! affair of the front end.

use crate::{
    BirthAnswer, Breakpoint, CallShown, CallsRequest, Chain, ChangeAnswer, Child, ConditionAnswer, CrashPathAnswer,
    CrashPathRequest, EventFilter, EventLine, FindRequest, FoundEvent, Handle, HistoryAnswer, HitShown, LogAnswer,
    LogRequest, MoveAnswer, Named, NumberedFailure, OmissionsAnswer, OmissionsRequest, OverviewAnswer, OverviewRequest,
    Page, PageRequest, Point, PointText, ScopeShown, SearchAnswer, SearchRequest, SeekRequest, SourceShown, SourceText,
    StackAnswer, StateAnswer, StateRequest, StepRequest, StopAnswer, StopRequest, TaskShown, ThreadShown, Value,
    WhyRequest,
};

/// What is asked, and from where.
#[derive(Clone, PartialEq, Debug)]
pub struct Question {
    pub kind: QuestionKind,
    pub from: Where,
}

/// A moment of a run, as a person names it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Where {
    /// Nothing: the failure, or else the end.
    pub at: Option<PointText>,
    /// Of a line, the newest of its times at which this expression is true.
    pub when: Option<String>,
    /// `2`, or `4711-0`; nothing: the thread that has the point.
    pub thread: Option<String>,
    /// Names are seen from this frame, at its moment; then the rest means nothing.
    pub frame: Option<Handle>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum QuestionKind {
    /// Explain the failure, or why a place held its value.
    Why(WhyRequest),
    /// What failed, the first first.
    Failures(PageRequest),
    /// Where a value came from. Without a place: of the expression at the point's column.
    LastChange { place: Option<String> },
    /// Where the object of a value came to be. Without a place: of the expression at the point's column.
    Birth { place: Option<String> },
    /// Why control came here.
    LastCondition,
    /// Every change of a place, the newest on the first page.
    History { place: Option<String>, page: PageRequest },
    /// The value of an expression over the recorded state. Nothing is run.
    Eval { expression: Option<String> },
    /// What control did from the birth of an object to the crash.
    CrashPath(CrashPathRequest),
    /// The stack, with the variables of each frame.
    State(StateRequest),
    /// A place, with what is inside.
    Inspect { place: String, request: StateRequest },
    /// What could have been done to an object or a place, and was not.
    Omissions { place: Option<String>, request: OmissionsRequest },
    /// Why a line was not reached.
    WhyNot { file: String, line: u32, request: OmissionsRequest },
    /// Events that meet conditions.
    Find(FindRequest),
    /// Functions, lines, output and values that a text is found in.
    Search(SearchRequest),
    /// The call tree, a page of it.
    Calls(CallsRequest),
    /// The events of the call that the point is in, without what it called.
    EventsOfCall { filter: EventFilter, page: PageRequest },
    /// Where the point is.
    Here,
    /// A statement further, or back.
    Step(StepRequest),
    /// The next time, or the last, that something happens.
    Seek(SeekRequest),
    /// Where control comes to a breakpoint next, or came to one last.
    Stop(StopRequest),
    /// Every time that control came to a breakpoint, with what expressions were then.
    Hits { of: Breakpoint, values: Vec<String>, page: PageRequest },
    /// What expressions were at every time of the line that the point names.
    Log(LogRequest),
    /// The threads of the run.
    Threads(PageRequest),
    /// The files that were loaded.
    Sources(PageRequest),
    /// A file, with how often each line was executed.
    Source {
        file: String,
        /// Without them its text alone, at once.
        counts: bool,
    },
    /// What happened in each part of a thread.
    Overview(OverviewRequest),
    /// The call stack, with what led to it across turns of the event loop.
    Stack(PageRequest),
    /// The scopes of a frame; of that of the point if none is named.
    Scopes { frame: Option<Handle> },
    /// What a scope or an object holds.
    Children { of: Handle, page: PageRequest },
    /// The turns of the event loop.
    Tasks(PageRequest),
}

#[derive(Clone, Debug)]
pub enum Answer {
    Why(Chain),
    Failures(Page<NumberedFailure>),
    LastChange(ChangeAnswer),
    Birth(BirthAnswer),
    LastCondition(ConditionAnswer),
    History(HistoryAnswer),
    Eval(Value),
    CrashPath(CrashPathAnswer),
    State(StateAnswer),
    Inspect(Named),
    Omissions(OmissionsAnswer),
    WhyNot(OmissionsAnswer),
    Find(Page<FoundEvent>),
    Search(SearchAnswer),
    Calls(Page<CallShown>),
    EventsOfCall(Page<EventLine>),
    Here(Point),
    Step(MoveAnswer),
    Seek(MoveAnswer),
    Stop(StopAnswer),
    /// The oldest first.
    Hits(Page<HitShown>),
    Log(LogAnswer),
    Threads(Page<ThreadShown>),
    Sources(Page<SourceShown>),
    Source(SourceText),
    Overview(OverviewAnswer),
    Stack(StackAnswer),
    /// Innermost first.
    Scopes(Vec<ScopeShown>),
    Children(Page<Child>),
    Tasks(Page<TaskShown>),
}

/// An answer, and what the person should know beside it.
#[derive(Clone, Debug)]
pub struct Reply {
    pub answer: Answer,
    pub notes: Vec<String>,
}

impl Question {
    /// A question that is asked where the run failed, or else ended.
    pub fn of(kind: QuestionKind) -> Question {
        Question { kind, from: Where::default() }
    }

    pub fn at(kind: QuestionKind, point: Option<PointText>) -> Question {
        Question { kind, from: Where { at: point, ..Where::default() } }
    }
}

impl QuestionKind {
    /// As the command line calls it.
    pub fn name(&self) -> &'static str {
        match self {
            QuestionKind::Why(_) => "why",
            QuestionKind::Failures(_) => "failures",
            QuestionKind::LastChange { .. } => "last-change",
            QuestionKind::Birth { .. } => "birth",
            QuestionKind::LastCondition => "last-condition",
            QuestionKind::History { .. } => "history",
            QuestionKind::Eval { .. } => "eval",
            QuestionKind::CrashPath(_) => "crash-path",
            QuestionKind::State(_) | QuestionKind::Inspect { .. } => "state",
            QuestionKind::Omissions { .. } => "omissions",
            QuestionKind::WhyNot { .. } => "why-not",
            QuestionKind::Find(_) => "find",
            QuestionKind::Search(_) => "search",
            QuestionKind::Calls(_) => "calls",
            QuestionKind::EventsOfCall { .. } => "events",
            QuestionKind::Here => "here",
            QuestionKind::Step(_) => "step",
            QuestionKind::Seek(_) => "seek",
            QuestionKind::Stop(_) => "stop",
            QuestionKind::Hits { .. } => "hits",
            QuestionKind::Log(_) => "log",
            QuestionKind::Threads(_) => "threads",
            QuestionKind::Sources(_) => "sources",
            QuestionKind::Source { .. } => "source",
            QuestionKind::Overview(_) => "overview",
            QuestionKind::Stack(_) => "stack",
            QuestionKind::Scopes { .. } => "scopes",
            QuestionKind::Children { .. } => "children",
            QuestionKind::Tasks(_) => "tasks",
        }
    }
}

impl Answer {
    /// Whether there is something: an answer may be that there is nothing.
    pub fn is_something(&self) -> bool {
        match self {
            Answer::LastChange(answer) => answer.kind.is_change(),
            Answer::Birth(answer) => answer.kind.is_known(),
            Answer::Search(answer) => !answer.hits.is_empty(),
            Answer::History(answer) => !answer.changes.is_empty(),
            Answer::Omissions(answer) | Answer::WhyNot(answer) => !answer.results.is_empty(),
            Answer::Find(found) => !found.is_empty(),
            Answer::Calls(calls) => !calls.is_empty(),
            Answer::EventsOfCall(events) => !events.is_empty(),
            Answer::Step(answer) | Answer::Seek(answer) => answer.point.is_some(),
            Answer::Stop(answer) => answer.point.is_some(),
            Answer::Hits(hits) => !hits.is_empty(),
            Answer::Log(answer) => !answer.hits.is_empty(),
            Answer::Threads(threads) => !threads.is_empty(),
            Answer::Sources(sources) => !sources.is_empty(),
            Answer::Overview(answer) => !answer.parts.is_empty(),
            Answer::CrashPath(answer) => !answer.steps.is_empty(),
            Answer::Scopes(scopes) => !scopes.is_empty(),
            Answer::Children(children) => !children.is_empty(),
            Answer::Tasks(tasks) => !tasks.is_empty(),
            Answer::Why(_)
            | Answer::Failures(_)
            | Answer::LastCondition(_)
            | Answer::Eval(_)
            | Answer::State(_)
            | Answer::Stack(_)
            | Answer::Inspect(_)
            | Answer::Source(_)
            | Answer::Here(_) => true,
        }
    }
}
