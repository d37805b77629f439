//! `run.txt`: what was run, and how it ended.
//!
//! One `key<TAB>value` line for each fact; tab, line feed, carriage return and backslash are escaped in both. A key may come
//! more than once (`arg`). A reader keeps what it does not know, so that rewriting the file loses nothing.

use std::str::FromStr;

use trace_model::Policy;

use crate::FormatError;
use crate::error::check_version;
use crate::policy::{parse_policy, policy_text};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunFile {
    /// The same wherever the run is copied to, and that of no other run. Runs of older builds have none.
    pub id: Option<String>,
    /// What the program is written in: the name that its front end has.
    pub language: String,
    /// The command and its arguments.
    pub command: Vec<String>,
    /// The command that drove it, for a server.
    pub drive: Option<String>,
    /// Where it was started.
    pub folder: String,
    /// Microseconds since 1970.
    pub start: u64,
    pub policy: Policy,
    /// `None`: still running, or the recorder died with it.
    pub outcome: Option<ProgramExit>,
    /// Number of events of all threads, once known.
    pub n_events: Option<u64>,
    /// Facts that this build does not know.
    pub others: Vec<(String, String)>,
}

/// How the command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgramExit {
    Exited(i32),
    Killed { signal: i32 },
}

impl RunFile {
    pub const NAME: &'static str = "run.txt";
    /// Among the other facts: why the run has nothing to explain, in a sentence for the person.
    pub const SITUATION: &'static str = "situation";

    /// That of runs which do not name theirs: they are from before there was a second.
    pub const FIRST_LANGUAGE: &'static str = "javascript";

    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut put = |key: &str, value: &str| {
            text.push_str(&format!("{}\t{}\n", escaped(key), escaped(value)));
        };
        put("format", &crate::VERSION.to_string());
        if let Some(id) = &self.id {
            put("id", id);
        }
        put("language", &self.language);
        for arg in &self.command {
            put("arg", arg);
        }
        if let Some(drive) = &self.drive {
            put("drive", drive);
        }
        put("folder", &self.folder);
        put("start", &self.start.to_string());
        put("policy", &policy_text(&self.policy));
        match self.outcome {
            Some(ProgramExit::Exited(code)) => put("exited", &code.to_string()),
            Some(ProgramExit::Killed { signal }) => put("killed", &signal.to_string()),
            None => {}
        }
        if let Some(n_events) = self.n_events {
            put("events", &n_events.to_string());
        }
        for (key, value) in &self.others {
            put(key, value);
        }
        text
    }

    pub fn parse(text: &str) -> Result<RunFile, FormatError> {
        let mut run = RunFile {
            id: None,
            language: RunFile::FIRST_LANGUAGE.to_owned(),
            command: Vec::new(),
            drive: None,
            folder: String::new(),
            start: 0,
            policy: Policy::full(),
            outcome: None,
            n_events: None,
            others: Vec::new(),
        };
        for line in text.split_terminator('\n') {
            let Some((key, value)) = line.split_once('\t') else {
                return Err(FormatError::damaged(RunFile::NAME, format!("the line `{line}` has no tab")));
            };
            let (key, value) = (unescaped(key), unescaped(value));
            match key.as_str() {
                "format" => check_version(RunFile::NAME, number(&key, &value)?)?,
                "id" => run.id = Some(value),
                "language" => run.language = value,
                "arg" => run.command.push(value),
                "drive" => run.drive = Some(value),
                "folder" => run.folder = value,
                "start" => run.start = number(&key, &value)?,
                "policy" => {
                    run.policy =
                        parse_policy(&value).map_err(|e| FormatError::damaged(RunFile::NAME, e.to_string()))?;
                }
                "exited" => run.outcome = Some(ProgramExit::Exited(number(&key, &value)?)),
                "killed" => run.outcome = Some(ProgramExit::Killed { signal: number(&key, &value)? }),
                "events" => run.n_events = Some(number(&key, &value)?),
                _ => run.others.push((key, value)),
            }
        }
        Ok(run)
    }
}

fn number<T: FromStr>(key: &str, value: &str) -> Result<T, FormatError> {
    value.parse().map_err(|_| FormatError::damaged(RunFile::NAME, format!("{key} `{value}` is not a number")))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('t') => plain.push('\t'),
                Some('n') => plain.push('\n'),
                Some('r') => plain.push('\r'),
                Some(other) => plain.push(other),
                None => plain.push('\\'),
            },
            _ => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn outcome() -> impl Strategy<Value = Option<ProgramExit>> {
        prop_oneof![
            Just(None),
            any::<i32>().prop_map(|code| Some(ProgramExit::Exited(code))),
            any::<i32>().prop_map(|signal| Some(ProgramExit::Killed { signal })),
        ]
    }

    fn any_text() -> impl Strategy<Value = String> {
        prop::collection::vec(any::<char>(), 0..12).prop_map(String::from_iter)
    }

    proptest! {
        #[test]
        fn a_run_file_comes_back(
            id in prop::option::of(any_text()), language in any_text(),
            command in prop::collection::vec(any_text(), 0..4), drive in prop::option::of(any_text()),
            folder in any_text(), start: u64, outcome in outcome(), n_events: Option<u64>,
            others in prop::collection::vec((any_text().prop_map(|key| format!("x-{key}")), any_text()), 0..3),
        ) {
            let run = RunFile { id, language, command, drive, folder, start, policy: Policy::full(), outcome, n_events, others };
            prop_assert_eq!(RunFile::parse(&run.to_text()).unwrap(), run);
        }
    }

    #[test]
    fn a_newer_run_is_refused() {
        let error = RunFile::parse("format\t7\n").unwrap_err();
        assert_eq!(error.to_string(), "run.txt has format 7; this build reads format 5");
    }
}
