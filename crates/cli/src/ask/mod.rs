//! Questions: reads them, has them answered, prints the answers.

mod asking;
mod calls;
mod change;
mod condition;
mod eval;
mod excerpt;
mod experiments;
mod find;
mod history;
mod omissions;
mod page;
mod sarif;
mod state;
mod step;
mod svg;
mod tally;
mod trying;
mod why;

pub use asking::{AnswerFormat, Asking, print, print_json};
pub use calls::{CallsArgs, calls};
pub use change::{LastChangeArgs, last_change};
pub use condition::{LastConditionArgs, last_condition};
pub use eval::{EvalArgs, eval};
pub use find::{FindArgs, find};
pub use history::{HistoryArgs, history};
pub use omissions::{OmissionsArgs, WhyNotArgs, omissions, why_not};
pub use page::{Ink, Page, escaped};
pub use state::{StateArgs, state};
pub use step::{OverviewArgs, SourcesArgs, StepArgs, overview, sources, step};
pub use trying::{TryArgs, try_out};
pub use why::{WhyArgs, why};

use asking::Shown;
use debugger::{Answer, Question, QuestionKind};

/// An answer, as people read it.
fn shown(question: &Question, answer: &Answer) -> Shown {
    Shown::new(match answer {
        Answer::LastChange(answer) => return change::shown(answer),
        Answer::LastCondition(answer) => return condition::shown(answer),
        Answer::Why(chain) => why::page(chain),
        Answer::Failures(failures) => why::page_of_failures(failures),
        Answer::History(answer) => history::page(answer),
        Answer::Eval(value) => eval::page(value),
        Answer::State(answer) => state::page(answer),
        Answer::Inspect(named) => state::page_of_place(named),
        Answer::Omissions(answer) => omissions::page(answer),
        Answer::WhyNot(answer) => omissions::page_of_line(answer),
        Answer::Find(answer) => find::page(answer),
        Answer::Calls(answer) => {
            let n_skipped = match &question.kind {
                QuestionKind::Calls(request) => request.skip,
                _ => 0,
            };
            calls::page(answer, n_skipped)
        }
        Answer::Step(answer) | Answer::Seek(answer) => step::page(answer),
        Answer::Threads(threads) => step::page_of_threads(threads),
        Answer::Sources(sources) => step::page_of_sources(sources),
        Answer::Source(source) => step::page_of_source(source),
        Answer::Overview(answer) => step::page_of_overview(answer),
        Answer::EventsOfCall(_) => Page::default(),
        Answer::Here(point) => {
            let mut page = Page::default();
            page.point(point, "");
            page
        }
    })
}
