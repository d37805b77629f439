use std::process::ExitCode;

use debugger::{Cursor, PageRequest, QuestionKind, TaskShown, TaskStart};

use super::asking::{AnswerFormat, Asking, answer};
use super::page::{Page, location};
use crate::failure::Failure;

#[derive(clap::Args)]
pub struct TasksArgs {
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub limit: usize,
    /// Go on from here, as the page before says at its end
    #[arg(long, value_name = "CURSOR")]
    pub from: Option<Cursor>,
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

pub fn tasks(args: TasksArgs) -> Result<ExitCode, Failure> {
    let page = PageRequest { from: args.from, limit: Some(args.limit) };
    answer(&args.asking, args.format, QuestionKind::Tasks(page))
}

pub fn page(tasks: &debugger::Page<TaskShown>) -> Page {
    let mut page = Page::default();
    for task in &tasks.items {
        page.short(&task.point, task_text(task));
    }
    if let Some(next) = &tasks.next {
        page.line(format!("… there are more: --from {next}"));
    }
    page
}

/// `tick was called, registered at app.js:7:1`
fn task_text(task: &TaskShown) -> String {
    let function = task.function.as_deref().unwrap_or("top level");
    match &task.start {
        TaskStart::File => "the file was loaded".into(),
        TaskStart::Callback { registered: Some(at) } => {
            format!("{function} was called, registered at {}", location(at))
        }
        TaskStart::Callback { registered: None } => format!("{function} was called"),
        TaskStart::Resumed { waited: Some(at) } => format!("{function} went on, which had waited at {}", location(at)),
        TaskStart::Resumed { waited: None } => format!("{function} went on"),
    }
}
