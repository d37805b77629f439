//! Questions: reads them, has them answered, prints the answers. A new question is made known to the command line here and nowhere
//! else: its arguments as a variant of [`Ask`], and the page of its answer.

mod asking;
mod birth;
mod calls;
mod change;
mod condition;
mod crash_path;
mod early;
mod eval;
mod excerpt;
mod experiments;
mod failures;
mod find;
mod history;
mod log;
mod omissions;
mod page;
mod sarif;
mod scopes;
mod search;
mod stack;
mod state;
mod step;
mod svg;
mod tally;
mod tasks;
mod trying;
mod why;

pub use asking::{AnswerFormat, Asking, print, print_json};
pub use page::{Ink, Page, escaped};
pub use sarif::sarif;
pub use why::page as why_page;

use std::process::ExitCode;

use asking::Shown;
use clap::Subcommand;
use debugger::Answer;

use crate::failure::Failure;

/// The questions, as they are listed in the help.
#[derive(Subcommand)]
pub enum Ask {
    /// Explain the failure of a run, or why a place held its value
    Why(why::WhyArgs),
    /// What failed: each test that the runner said failed, or what ended the program
    Failures(failures::FailuresArgs),
    /// Where a value came from: the newest change of a place before a point
    LastChange(change::LastChangeArgs),
    /// Where the object of a value came to be
    Birth(birth::BirthArgs),
    /// Why control came to a point: the branch that decided it
    LastCondition(condition::LastConditionArgs),
    /// What happened between the birth of an object and the crash
    CrashPath(crash_path::CrashPathArgs),
    /// What should have happened to an object or a place and did not, and what prevented it
    Omissions(omissions::OmissionsArgs),
    /// Why a line was not reached
    WhyNot(omissions::WhyNotArgs),
    /// The stack at a point, and what variables and objects hold
    State(state::StateArgs),
    /// The value of an expression at a point; nothing is run
    Eval(eval::EvalArgs),
    /// Every change of a place
    History(history::HistoryArgs),
    /// What expressions were at every hit of a line, as if the program had printed them there
    Log(log::LogArgs),
    /// Events that meet conditions
    Find(Box<find::FindArgs>),
    /// A text, looked for in functions, lines, output, names and values
    Search(search::SearchArgs),
    /// The call tree
    Calls(calls::CallsArgs),
    /// A statement further or back, into calls, over them or out of them; or to the next time that something happens
    Step(Box<step::StepArgs>),
    /// The run from far away: what happened in each part of it
    Overview(step::OverviewArgs),
    /// The files that were loaded, or one of them with how often each line was executed
    Sources(step::SourcesArgs),
    /// The call stack at a point, with what led to it across turns of the event loop
    Stack(stack::StackArgs),
    /// The scopes that are seen from a frame
    Scopes(scopes::ScopesArgs),
    /// What a scope or an object holds
    Children(scopes::ChildrenArgs),
    /// The turns of the event loop: what started each, and where that was registered
    Tasks(tasks::TasksArgs),
    /// Run the program again with one thing different, and tell what would have happened
    Try(trying::TryArgs),
}

impl Ask {
    pub fn run(self) -> Result<ExitCode, Failure> {
        match self {
            Ask::Why(args) => why::why(args),
            Ask::Failures(args) => failures::failures(args),
            Ask::LastChange(args) => change::last_change(args),
            Ask::Birth(args) => birth::birth(args),
            Ask::LastCondition(args) => condition::last_condition(args),
            Ask::CrashPath(args) => crash_path::crash_path(args),
            Ask::Omissions(args) => omissions::omissions(args),
            Ask::WhyNot(args) => omissions::why_not(args),
            Ask::State(args) => state::state(args),
            Ask::Eval(args) => eval::eval(args),
            Ask::History(args) => history::history(args),
            Ask::Log(args) => log::log(args),
            Ask::Find(args) => find::find(*args),
            Ask::Search(args) => search::search(args),
            Ask::Calls(args) => calls::calls(args),
            Ask::Step(args) => step::step(*args),
            Ask::Overview(args) => step::overview(args),
            Ask::Sources(args) => step::sources(args),
            Ask::Stack(args) => stack::stack(args),
            Ask::Scopes(args) => scopes::scopes(args),
            Ask::Children(args) => scopes::children(args),
            Ask::Tasks(args) => tasks::tasks(args),
            Ask::Try(args) => trying::try_out(args),
        }
    }
}

/// An answer as plain text, where it is not printed.
pub fn text(answer: &Answer) -> String {
    shown(answer).page.text(Ink::Plain, None)
}

/// An answer, as people read it.
fn shown(answer: &Answer) -> Shown {
    let shown = Shown::new(match answer {
        Answer::LastChange(answer) => return change::shown(answer),
        Answer::LastCondition(answer) => return condition::shown(answer),
        Answer::Log(answer) => return log::shown(answer),
        Answer::Birth(answer) => birth::page(answer),
        Answer::Search(answer) => search::page(answer),
        Answer::Why(chain) => why::page(chain),
        Answer::Failures(failures) => failures::page(failures),
        Answer::CrashPath(answer) => crash_path::page(answer),
        Answer::History(answer) => history::page(answer),
        Answer::Eval(value) => eval::page(value),
        Answer::State(answer) => state::page(answer),
        Answer::Inspect(named) => state::page_of_place(named),
        Answer::Omissions(answer) => omissions::page(answer),
        Answer::WhyNot(answer) => omissions::page_of_line(answer),
        Answer::Find(answer) => find::page(answer),
        Answer::Calls(calls) => calls::page(calls),
        Answer::Step(answer) | Answer::Seek(answer) => step::page(answer),
        Answer::Stop(answer) => step::page_of_stop(answer),
        Answer::Hits(hits) => step::page_of_hits(hits),
        Answer::Threads(threads) => step::page_of_threads(threads),
        Answer::Sources(sources) => step::page_of_sources(sources),
        Answer::Source(source) => step::page_of_source(source),
        Answer::Overview(answer) => step::page_of_overview(answer),
        Answer::Stack(answer) => stack::page(answer),
        Answer::Scopes(scopes) => scopes::page(scopes),
        Answer::Children(children) => scopes::page_of_children(children),
        Answer::Tasks(tasks) => tasks::page(tasks),
        Answer::EventsOfCall(_) => Page::default(),
        Answer::Here(point) => {
            let mut page = Page::default();
            page.point(point, "");
            page
        }
    });
    match answer {
        // One line of a list says nothing of the others.
        Answer::Sources(_) | Answer::Source(_) | Answer::Overview(_) | Answer::Threads(_) | Answer::Tasks(_) => {
            shown.by_all_lines()
        }
        _ => shown,
    }
}
