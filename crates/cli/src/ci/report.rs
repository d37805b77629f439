//! What is told of a command that failed: `why.md`, `why.sarif`, a JSON document for each failure, and the run itself as one file.

use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use debugger::{
    Answer, Chain, Control, FailureShown, NumberedFailure, PageRequest, Question, QuestionKind, RedactRequest,
    Redactor, Reply, ReportFolder, RunChoice, RunOutcome, Session, WhyRequest,
};

use serde_json::Value;

use super::{CiArgs, Recordings, formats};
use crate::ask::{escaped, sarif, why_page};
use crate::failure::Failure;
use crate::tell;

pub struct Report<'a> {
    pub args: &'a CiArgs,
    /// Of the run that was not recorded.
    pub outcome: RunOutcome,
    pub recordings: &'a Recordings,
    /// Where the command ran.
    pub here: &'a Path,
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

impl Failed {
    fn untold(&self) -> impl Iterator<Item = &NumberedFailure> {
        let is_told = |number: usize| self.explained.iter().any(|explained| explained.number == number);
        self.all.iter().filter(move |failure| !is_told(failure.number))
    }
}

impl Report<'_> {
    pub fn write(&self, summary: Option<&Path>) -> Result<(), Failure> {
        let Recordings { failed, passed, printed, notes, .. } = self.recordings;
        let sessions: Vec<&Session> = failed.iter().chain(passed).collect();
        let texts: Vec<&str> = printed.iter().chain(&self.args.command).map(String::as_str).collect();
        // What cannot be searched is not shown to anybody.
        let secrets = Redactor::of(&sessions, &texts, &escaped)?;
        let failed = failed.as_ref().map_or_else(Failed::default, explain_each);
        let markdown = secrets.text(&self.markdown(&failed));
        let explained = &failed.explained;
        self.folder.write("why.md", &markdown)?;
        for (number, printed) in (1..).zip(printed) {
            self.folder.write(&format!("output-{number}.txt"), &secrets.text(printed))?;
        }
        let chains: Vec<&Chain> = explained.iter().filter_map(Explained::chain).collect();
        let others: Vec<&FailureShown> = failed.untold().map(|failure| &failure.failure).collect();
        let sarif = without(sarif(&chains, &others, notes), &secrets, false);
        self.folder.write("why.sarif", &answer_json::line(&sarif))?;
        for explained in explained {
            let document = answer_json::document(&explained.question, &explained.reply);
            let document =
                serde_json::to_value(&document).map_err(|error| Failure::could_not_run(error.to_string()))?;
            let document = without(document, &secrets, false);
            self.folder.write(&format!("why-{}.json", explained.number), &answer_json::line(&document))?;
        }
        self.export();
        self.tests(&secrets)?;
        self.annotate(&failed, &secrets);
        if let Some(summary) = summary {
            debugger::append_text(summary, &markdown)
                .map_err(|error| Failure::could_not_run(format!("the summary cannot be written to {error}")))?;
        }
        tell::note(format_args!("the report is in {}", self.folder.path().display()));
        Ok(())
    }

    /// All tests of a recorded run: of the one that failed, if there is one.
    fn tests(&self, secrets: &Redactor) -> Result<(), Failure> {
        let Some(session) = self.recordings.failed.as_ref().or(self.recordings.passed.as_ref()) else { return Ok(()) };
        if self.args.junit.is_none() && self.args.ctrf.is_none() {
            return Ok(());
        }
        let mut tests = session.tests();
        for test in &mut tests {
            test.error = test.error.as_ref().map(|error| secrets.text(error));
            test.titles.iter_mut().for_each(|title| *title = secrets.text(title));
        }
        let write = |file: &PathBuf, text: String| {
            debugger::write_text(&self.here.join(file), &text)
                .map_err(|error| Failure::could_not_run(error.to_string()))
        };
        if let Some(file) = &self.args.junit {
            write(file, formats::junit(&tests))?;
        }
        if let Some(file) = &self.args.ctrf {
            let start = session.about().start / 1000;
            let took: u64 = tests.iter().filter_map(|test| test.duration).map(|took| took.as_millis() as u64).sum();
            write(file, answer_json::line(&formats::ctrf(&tests, &self.args.command, start, start + took)))?;
        }
        Ok(())
    }

    /// GitHub shows such lines beside the source, wherever a step prints them.
    fn annotate(&self, failed: &Failed, secrets: &Redactor) {
        if env::var("GITHUB_ACTIONS").as_deref() != Ok("true") {
            return;
        }
        // Files are named from the checkout.
        let top = env::var_os("GITHUB_WORKSPACE").map(PathBuf::from).unwrap_or_default();
        let prefix = self.here.strip_prefix(&top).unwrap_or(Path::new(""));
        for failure in failed.all.iter().take(MOST_ANNOTATED) {
            let explained = failed.explained.iter().find(|explained| explained.number == failure.number);
            let chain = explained.and_then(Explained::chain);
            let line = formats::annotation(failure, chain, prefix, &|text| secrets.text(text));
            // Whoever closed stderr reads none.
            let _ = io::stderr().write_all(line.as_bytes());
        }
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

    fn markdown(&self, failed: &Failed) -> String {
        let Failed { explained, all } = failed;
        let mut out = format!("## Why `{}` failed\n\n", self.args.command.join(" ").replace('`', "'"));
        match (&self.recordings.failed, &self.recordings.passed) {
            (None, _) => {
                let times = if self.recordings.n_runs == 1 { "once more" } else { "again and again" };
                out.push_str(&format!(
                    "It {} when it ran as it is, and passed when it ran {times}, recorded: whether it fails depends on something \
                     that is not the same in every run. `--runs N` records it up to N times.\n\n",
                    ended(self.outcome)
                ));
            }
            (Some(session), _) if all.is_empty() => {
                out.push_str(&format!("It {}. {}\n\n", ended(self.outcome), escaped(&why_nothing(session))));
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
        let untold: Vec<&NumberedFailure> = failed.untold().collect();
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

/// Why there is nothing to explain.
fn why_nothing(failed: &Session) -> String {
    let asked = failed.ask(&Question::of(QuestionKind::Why(WhyRequest::default())), &Control::default());
    asked.map_or_else(|error| format!("Nothing is explained: {error}"), |_| String::new())
}

/// More are not read in a summary; they are listed.
const MOST_EXPLAINED: usize = 20;

/// GitHub shows no more of one step.
const MOST_ANNOTATED: usize = 10;

/// A document without what is secret: in each of its texts, and in all that stands under the name of a secret.
fn without(document: Value, secrets: &Redactor, is_secret: bool) -> Value {
    match document {
        Value::String(_) | Value::Number(_) if is_secret => Value::from("‹redacted›"),
        Value::String(text) => Value::from(secrets.text(&text)),
        Value::Array(items) => items.into_iter().map(|item| without(item, secrets, is_secret)).collect(),
        Value::Object(entries) => {
            // A variable or a property: its name beside its value.
            let named = ["name", "place", "key"].iter().find_map(|key| entries.get(*key)?.as_str());
            let last = named.map(|name| name.rsplit(['.', '[']).next().unwrap_or_default().trim_end_matches(']'));
            let is_named = last.is_some_and(|name| secrets.is_secret_name(name.trim_matches(['"', '\''])));
            let entry = |(key, value): (String, Value)| {
                let holds = is_secret || is_named && ["value", "old", "new"].contains(&key.as_str());
                // What kind of value it is says nothing of it.
                let is_kind = ["type", "kind", "class"].contains(&key.as_str());
                let value = without(value, secrets, holds && !is_kind);
                (key, value)
            };
            Value::Object(entries.into_iter().map(entry).collect())
        }
        other => other,
    }
}

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
