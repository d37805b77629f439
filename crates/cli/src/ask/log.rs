use std::process::ExitCode;

use debugger::{CallerShown, Cursor, LogAnswer, LogRequest, LoggedHit, PageRequest, QuestionKind};

use super::asking::{AnswerFormat, Asking, Shown, answer};
use super::page::{Page, Table};
use crate::failure::Failure;
use crate::text::{counted, grouped};

#[derive(clap::Args)]
pub struct LogArgs {
    /// What to print at each hit of the line that --at names: 'line.price, percent'
    #[arg(allow_hyphen_values = true)]
    pub expressions: String,
    /// At most so many hits
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

pub fn log(args: LogArgs) -> Result<ExitCode, Failure> {
    let page = PageRequest { from: args.from, limit: Some(args.limit) };
    answer(&args.asking, args.format, QuestionKind::Log(LogRequest::of(&args.expressions, page)))
}

/// Two runs that printed the same at the same hits gave the same answer, whenever that was.
pub fn shown(answer: &LogAnswer) -> Shown {
    let values = |hit: &LoggedHit| cells(hit).join(", ");
    let key = answer.hits.items.iter().map(values).collect::<Vec<_>>().join("; ");
    Shown { page: page(answer), key }
}

fn page(answer: &LogAnswer) -> Page {
    let mut page = Page::default();
    let LogAnswer { file, line, expressions, hits } = answer;
    let all = hits.n_all.map(|n_all| counted(n_all, "hit"));
    let shown = hits.items.len() as u64;
    let title = match all {
        Some(all) if hits.n_all == Some(shown) => all,
        Some(all) => format!("{} of {all}", grouped(shown)),
        None if hits.next.is_some() => format!("the first {}", counted(shown, "hit")),
        None => counted(shown, "hit"),
    };
    page.title(format!("{file}:{line}  {title}"));
    let has_several_threads = hits.items.iter().any(|hit| hit.point.thread != hits.items[0].point.thread);
    let has_times = hits.items.iter().any(|hit| hit.micros.is_some());
    let has_callers = hits.items.iter().any(|hit| hit.caller.is_some());
    let mut header = vec!["hit".to_owned()];
    header.extend(has_several_threads.then(|| "thread".to_owned()));
    header.extend(has_times.then(|| "time (about)".to_owned()));
    header.extend(has_callers.then(|| "called from".to_owned()));
    header.extend(expressions.iter().cloned());
    let row = |hit: &LoggedHit| {
        let mut row = vec![format!("#{}", hit.number)];
        row.extend(has_several_threads.then(|| hit.point.thread.to_string()));
        row.extend(has_times.then(|| hit.micros.map_or_else(String::new, milliseconds)));
        row.extend(has_callers.then(|| hit.caller.as_ref().map_or_else(String::new, caller)));
        row.extend(cells(hit));
        row
    };
    page.table(Table { header, rows: hits.items.iter().map(row).collect() });
    if let Some(next) = &hits.next {
        page.line(format!("… there are more: --from {next}; see also --limit and --when"));
    }
    page
}

fn cells(hit: &LoggedHit) -> Vec<String> {
    hit.values
        .iter()
        .map(|value| match value {
            Ok(value) => value.text.clone(),
            Err(why) => format!("({why})"),
        })
        .collect()
}

/// `total (cart.js:9)`
fn caller(CallerShown { function, file, line }: &CallerShown) -> String {
    match function {
        Some(function) => format!("{function} ({file}:{line})"),
        None => format!("{file}:{line}"),
    }
}

/// `41.3 ms`
fn milliseconds(micros: u64) -> String {
    format!("{}.{} ms", grouped(micros / 1000), micros / 100 % 10)
}
