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

impl Report<'_> {
    pub fn write(&self, summary: Option<&Path>) -> Result<(), Failure> {
        let explained = self.recordings.failed.as_ref().map_or_else(Vec::new, explain_each);
        let markdown = self.markdown(&explained);
        self.folder.write("why.md", &markdown)?;
        let chains: Vec<&Chain> = explained.iter().filter_map(Explained::chain).collect();
        self.folder.write("why.sarif", &answer_json::line(&sarif(&chains, &self.recordings.notes)))?;
        for explained in &explained {
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

    fn markdown(&self, explained: &[Explained]) -> String {
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
            (Some(_), _) if explained.is_empty() => {
                out.push_str(&format!(
                    "It {}, and no failure of JavaScript code was recorded.\n\n",
                    ended(self.outcome)
                ));
            }
            (Some(_), None) => {}
            (Some(failed), Some(passed)) => out.push_str(&beside(failed, passed)),
        }
        for failure in explained {
            if explained.len() > 1 {
                out.push_str(&format!("### Failure {}\n\n", failure.number));
            }
            if let Some(chain) = failure.chain() {
                out.push_str(&why_page(chain).markdown(&failure.reply.notes));
                out.push('\n');
            }
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

fn explain_each(session: &Session) -> Vec<Explained> {
    let failures = Question::of(QuestionKind::Failures(PageRequest::first(MOST_FAILURES)));
    let failures: Vec<NumberedFailure> = match session.ask(&failures, &Control::default()).map(|reply| reply.answer) {
        Ok(Answer::Failures(failures)) => failures.items,
        _ => Vec::new(),
    };
    let explain = |number| {
        let request = WhyRequest { failure: Some(number), ..WhyRequest::default() };
        let question = Question::of(QuestionKind::Why(request));
        let reply = session.ask(&question, &Control::default()).ok()?;
        Some(Explained { number, question, reply })
    };
    failures.iter().filter_map(|failure| explain(failure.number)).collect()
}

/// More are not read in a summary.
const MOST_FAILURES: usize = 20;

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
