//! What is told of a command that failed: `why.md`, `why.sarif`, a JSON document for each failure, and the run itself as one file.

use std::path::Path;

use debugger::{
    Answer, Chain, Control, NumberedFailure, PageRequest, Question, QuestionKind, RedactRequest, Reply, ReportFolder,
    RunChoice, RunOutcome, Session, WhyRequest,
};

use super::Recordings;
use crate::ask::{escaped, sarif, why_page};
use crate::failure::Failure;
use crate::tell;

pub struct Report<'a> {
    pub command: &'a [String],
    /// Of the run that was not recorded.
    pub outcome: RunOutcome,
    pub recordings: &'a Recordings,
    pub folder: &'a ReportFolder,
}

/// Whether a file of a report has this name.
pub fn is_ours(name: &str) -> bool {
    let is_numbered = |start: &str, end: &str| {
        let number = name.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    ["why.md", "why.sarif", "failed.wherefore", "passed.wherefore"].contains(&name)
        || is_numbered("why-", ".json")
        || is_numbered("output-", ".txt")
}

/// A failure, and why.
struct Explained {
    number: usize,
    question: Question,
    reply: Reply,
}

/// What failed: as much as is read is explained, and the rest is listed.
#[derive(Default)]
struct Failed {
    explained: Vec<Explained>,
    all: Vec<NumberedFailure>,
}

impl Report<'_> {
    pub fn write(&self, summary: Option<&Path>) -> Result<(), Failure> {
        let failed = self.recordings.failed.as_ref().map_or_else(Failed::default, explain_each);
        let markdown = self.markdown(&failed);
        let explained = &failed.explained;
        self.folder.write("why.md", &markdown)?;
        let chains: Vec<&Chain> = explained.iter().filter_map(Explained::chain).collect();
        self.folder.write("why.sarif", &answer_json::line(&sarif(&chains, &self.recordings.notes)))?;
        for explained in explained {
            let document = answer_json::document(&explained.question, &explained.reply);
            self.folder.write(&format!("why-{}.json", explained.number), &answer_json::line(&document))?;
        }
        self.export();
        if let Some(summary) = summary {
            debugger::append_text(summary, &markdown)
                .map_err(|error| Failure::could_not_run(format!("the summary cannot be written to {error}")))?;
        }
        tell::note(format_args!("the report is in {}", self.folder.path().display()));
        Ok(())
    }

    /// The runs without passwords and their like, for `wherefore import` on another machine.
    fn export(&self) {
        let named = [("failed", &self.recordings.failed), ("passed", &self.recordings.passed)];
        for (name, session) in named {
            let Some(session) = session else { continue };
            let file = self.folder.path().join(format!("{name}.wherefore"));
            let exported = debugger::export(session, &file, &RedactRequest::default(), &mut |_, _| {});
            // The explanation stands without it.
            if let Err(error) = exported {
                tell::note(format_args!("{name}.wherefore was not written: {error}"));
            }
        }
    }

    fn markdown(&self, Failed { explained, all }: &Failed) -> String {
        let mut out = format!("## Why `{}` failed\n\n", self.command.join(" ").replace('`', "'"));
        match (&self.recordings.failed, &self.recordings.passed) {
            (None, _) => {
                let times = if self.recordings.n_runs == 1 { "once more" } else { "again and again" };
                out.push_str(&format!(
                    "It {} when it ran as it is, and passed when it ran {times}, recorded: whether it fails depends on something \
                     that is not the same in every run. `--runs N` records it up to N times.\n\n",
                    ended(self.outcome)
                ));
            }
            (Some(_), _) if all.is_empty() => {
                out.push_str(&format!(
                    "It {}, and no failure of JavaScript code was recorded.\n\n",
                    ended(self.outcome)
                ));
            }
            (Some(_), None) => {}
            (Some(failed), Some(passed)) => out.push_str(&beside(failed, passed)),
        }
        let title = |number: usize| {
            let failure = all.iter().find(|failure| failure.number == number);
            failure.and_then(|failure| failure.failure.test.as_ref()).map(|test| escaped(&test.title()))
        };
        if all.len() > explained.len() {
            let told = match explained.len() {
                0 => "none of them could be explained".to_owned(),
                1 => "one of them is explained here".to_owned(),
                n => format!("{n} of them are explained here"),
            };
            out.push_str(&format!("{} failures; {told}, the others are listed at the end.\n\n", all.len()));
        }
        for failure in explained {
            match title(failure.number) {
                Some(title) => out.push_str(&format!("### {}. {title}\n\n", failure.number)),
                None if all.len() > 1 => out.push_str(&format!("### Failure {}\n\n", failure.number)),
                None => {}
            }
            if let Some(chain) = failure.chain() {
                out.push_str(&why_page(chain).markdown(&failure.reply.notes));
                out.push('\n');
            }
        }
        let is_told = |number: usize| explained.iter().any(|explained| explained.number == number);
        let untold: Vec<&NumberedFailure> = all.iter().filter(|failure| !is_told(failure.number)).collect();
        if !untold.is_empty() {
            out.push_str("### Not explained here\n\n");
            for NumberedFailure { number, failure } in untold {
                let words = failure.words();
                out.push_str(&format!("- {number}. {}\n", escaped(words.lines().next().unwrap_or_default())));
            }
            out.push('\n');
        }
        for note in &self.recordings.notes {
            out.push_str(&format!("> {}\n\n", escaped(note)));
        }
        debugger::with_redactions_shown(&out).into_owned()
    }
}

impl Explained {
    fn chain(&self) -> Option<&Chain> {
        match &self.reply.answer {
            Answer::Why(chain) => Some(chain),
            _ => None,
        }
    }
}

fn explain_each(session: &Session) -> Failed {
    let failures = Question::of(QuestionKind::Failures(PageRequest::default()));
    let all: Vec<NumberedFailure> = match session.ask(&failures, &Control::default()).map(|reply| reply.answer) {
        Ok(Answer::Failures(failures)) => failures.items,
        _ => Vec::new(),
    };
    let explain = |number| {
        let request = WhyRequest { failure: Some(number), ..WhyRequest::default() };
        let question = Question::of(QuestionKind::Why(request));
        let reply = session.ask(&question, &Control::default()).ok()?;
        Some(Explained { number, question, reply })
    };
    let explained = all.iter().take(MOST_EXPLAINED).filter_map(|failure| explain(failure.number)).collect();
    Failed { explained, all }
}

/// More are not read in a summary; they are listed.
const MOST_EXPLAINED: usize = 20;

/// Where the two runs part first, of all that matters to the failure.
fn beside(failed: &Session, passed: &Session) -> String {
    let against = RunChoice(Some(passed.folder().display().to_string()));
    let question = Question::of(QuestionKind::Why(WhyRequest { against: Some(against), ..WhyRequest::default() }));
    let reply = match failed.ask(&question, &Control::default()) {
        Ok(reply) => reply,
        Err(error) => return format!("It does not fail every time. {}\n\n", escaped(&error.to_string())),
    };
    let Answer::Why(chain) = &reply.answer else { return String::new() };
    let first = chain.hops.iter().filter(|hop| hop.difference.is_some()).min_by_key(|hop| hop.point.event);
    let told = match first {
        Some(hop) => {
            let place = match (&hop.point.file, hop.point.line) {
                (Some(file), Some(line)) => format!("`{file}:{line}`: "),
                _ => String::new(),
            };
            let differs = match hop.difference {
                Some("not-reached") => "the passing run never came here",
                Some("other-way") => "the passing run never went this way",
                _ => "the passing run never had such a value here",
            };
            format!("The first difference that matters: {place}{}; {differs}.", escaped(&hop.text))
        }
        None => "Nothing that led to the failure was different there, as far as it was recorded.".into(),
    };
    format!("It does not fail every time: a recorded run passed. {told}\n\n")
}

fn ended(outcome: RunOutcome) -> String {
    match outcome {
        RunOutcome::Exited(code) => format!("ended with exit code {code}"),
        RunOutcome::Killed { signal } => format!("was killed by signal {signal}"),
        RunOutcome::Running | RunOutcome::Unfinished => "did not end".into(),
    }
}
