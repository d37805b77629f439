use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use debugger::{Page, PageRequest, RunOutcome, RunSummary};
use serde::Serialize;

use crate::args::{RunsArgs, RunsCommand};
use crate::ask::{AnswerFormat, escaped};
use crate::failure::{Failure, current_folder, unless_closed};
use crate::text::{ago, grouped, iso_time, shell_words, size};
use crate::width::{fitted, of_stdout};
use crate::{ANSWERED, NONE, tell};

pub fn run(args: RunsArgs) -> Result<ExitCode, Failure> {
    let folder = current_folder()?;
    match args.command {
        None => {
            let page = debugger::runs(&folder, &PageRequest { from: args.from, limit: args.limit })?;
            list(&page, args.format)
        }
        Some(RunsCommand::Rm { numbers }) => {
            debugger::remove_runs(&folder, &numbers)?;
            Ok(ANSWERED)
        }
        Some(RunsCommand::Prune { keep }) => {
            let removed = debugger::prune_runs(&folder, keep)?;
            let n_removed = if removed.len() == 1 { "1 run".into() } else { format!("{} runs", removed.len()) };
            unless_closed(writeln!(io::stdout(), "removed {n_removed}"))?;
            Ok(ANSWERED)
        }
    }
}

fn list(page: &Page<RunSummary>, format: AnswerFormat) -> Result<ExitCode, Failure> {
    let runs = &page.items;
    if format == AnswerFormat::Json {
        let lines: Vec<_> = runs.iter().map(run_json).collect();
        let json = serde_json::to_string(&lines).expect("plain data can be written");
        unless_closed(writeln!(io::stdout(), "{json}"))?;
    } else if runs.is_empty() {
        tell::note("there are no runs yet; `wherefore record -- <command>` makes one");
    } else {
        unless_closed(print_table(runs, format))?;
    }
    if let Some(next) = &page.next {
        tell::note(format_args!("there are more: --from {next}"));
    }
    Ok(if runs.is_empty() { ExitCode::from(NONE) } else { ANSWERED })
}

fn print_table(runs: &[RunSummary], format: AnswerFormat) -> io::Result<()> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros() as u64);
    let row = |run: &RunSummary| {
        let command = run.problem.clone().unwrap_or_else(|| shell_words(&run.command));
        let (events, size) = (grouped(run.n_events), size(run.size));
        [run.number.to_string(), ago(now.saturating_sub(run.start)), outcome_text(run), events, size, command]
    };
    let head = ["run", "started", "outcome", "events", "size", "command"].map(String::from);
    let rows: Vec<_> = std::iter::once(head).chain(runs.iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let columns = of_stdout();
    let mut out = io::stdout().lock();
    if format == AnswerFormat::Markdown {
        for (number, row) in rows.iter().enumerate() {
            writeln!(out, "| {} |", row.each_ref().map(|cell| escaped(cell)).join(" | "))?;
            if number == 0 {
                writeln!(out, "|---:|---|---|---:|---:|---|")?;
            }
        }
        return Ok(());
    }
    for row in &rows {
        let [number, started, outcome, events, size, command] = row;
        let (w0, w1, w2, w3, w4) = (width(0), width(1), width(2), width(3), width(4));
        let line = format!("{number:>w0$}  {started:w1$}  {outcome:w2$}  {events:>w3$}  {size:>w4$}  {command}");
        writeln!(out, "{}", fitted(&line, columns))?;
    }
    Ok(())
}

fn outcome_text(run: &RunSummary) -> String {
    match (&run.problem, run.outcome) {
        (Some(_), _) => "unreadable".into(),
        (None, RunOutcome::Exited(code)) => format!("exit code {code}"),
        (None, RunOutcome::Killed { signal }) => format!("signal {signal}"),
        (None, RunOutcome::Running) => "running".into(),
        (None, RunOutcome::Unfinished) => "unfinished".into(),
    }
}

#[derive(Serialize)]
struct RunJson<'a> {
    run: u32,
    folder: String,
    command: &'a [String],
    start: String,
    outcome: OutcomeJson,
    events: u64,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum OutcomeJson {
    Exited { code: i32 },
    Killed { signal: i32 },
    Running,
    Unfinished,
}

fn run_json(run: &RunSummary) -> RunJson<'_> {
    RunJson {
        run: run.number,
        folder: run.folder.display().to_string(),
        command: &run.command,
        start: iso_time(run.start),
        outcome: match run.outcome {
            RunOutcome::Exited(code) => OutcomeJson::Exited { code },
            RunOutcome::Killed { signal } => OutcomeJson::Killed { signal },
            RunOutcome::Running => OutcomeJson::Running,
            RunOutcome::Unfinished => OutcomeJson::Unfinished,
        },
        events: run.n_events,
        bytes: run.size,
        problem: run.problem.as_deref(),
    }
}
