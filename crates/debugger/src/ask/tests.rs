//! The tests of a run: what the runner said of each, and what of it was recorded.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use query::{Failure, Trace};
use trace_model::FunctionIndex;
use trace_store::{CodeUnit, ProgramExit, TestOutcome, TestRecord};

use super::{Moment, Point, Session};
use crate::event_line::relative;
use crate::{Error, FailureShown};

/// A test, as the runner told of it.
#[derive(Clone, PartialEq, Debug)]
pub struct TestShown {
    /// Those of the suites around it, and its own. None for a file that failed as a whole.
    pub titles: Vec<String>,
    /// `passed`, `failed`, `skipped`, `todo`.
    pub outcome: &'static str,
    /// Relative to where the program was started.
    pub file: Option<String>,
    pub line: Option<u32>,
    /// From 1, as in a [`Point`]; nothing: its process was not recorded.
    pub thread: Option<usize>,
    /// Its first event, and the one behind its last; nothing: none of its code was recorded.
    pub events: Option<(u64, u64)>,
    pub duration: Option<Duration>,
    /// What it failed with.
    pub error: Option<String>,
    /// The runner ended it as it took too long: for how long it may.
    pub out_of_time: Option<Option<Duration>>,
}

impl TestShown {
    /// `cart › adds up the lines`, or the file that failed as a whole.
    pub fn title(&self) -> String {
        match self.titles.is_empty() {
            true => self.place().unwrap_or_else(|| "a file of tests".into()),
            false => self.titles.join(" › "),
        }
    }

    /// That it may have failed only because it was recorded, if its runner ended it.
    pub fn slowed(&self) -> Option<String> {
        let limit = self.out_of_time?.map(|limit| format!("limit {} ms, ", limit.as_millis()));
        let took = self.duration.map(|took| format!("took {} ms; ", took.as_millis()));
        let (limit, took) = (limit.unwrap_or_default(), took.unwrap_or_default());
        Some(format!("it may have failed only because recording is slower: {limit}{took}try again with a longer limit"))
    }

    /// `test/cart.test.js:12`
    pub fn place(&self) -> Option<String> {
        let file = self.file.as_ref()?;
        Some(self.line.map_or_else(|| file.clone(), |line| format!("{file}:{line}")))
    }
}

/// Something that failed: a test, or what ended a process.
pub(crate) struct Failed {
    /// Of the tests of the run.
    pub test: Option<usize>,
    /// Where it can be explained: the number of the thread, and what failed there. Nothing: none of its code was recorded.
    pub found: Option<(usize, Failure)>,
}

impl Session {
    /// The tests of the run, in the order of the runner.
    pub fn tests(&self) -> Vec<TestShown> {
        let mut lines = TitleLines::default();
        self.run().tests().iter().map(|test| self.shown_test(test, &mut lines)).collect()
    }

    pub(crate) fn test(&self, number: usize) -> Option<TestShown> {
        Some(self.shown_test(self.run().tests().get(number)?, &mut TitleLines::default()))
    }

    /// How many tests failed, as the runner says.
    pub(crate) fn n_failed_tests(&self) -> usize {
        self.run().tests().iter().filter(|test| test.outcome == TestOutcome::Failed).count()
    }

    fn shown_test(&self, test: &TestRecord, lines: &mut TitleLines) -> TestShown {
        let threads = self.run().threads();
        let thread = threads.iter().position(|it| (it.pid(), it.number()) == (test.pid, test.thread));
        let trace = thread.map(|thread| (thread + 1, self.trace(&threads[thread])));
        shown(&self.run().file().folder, test, trace.as_ref().map(|(number, trace)| (*number, trace)), lines)
    }

    /// What failed, the first first: the tests in the order of the runner, and what ended a process.
    pub(crate) fn failed(&self, thread: Option<&str>) -> Result<Vec<Failed>, Error> {
        let mut found = self.all_failures(thread);
        if !self.tells_of_failed_tests() {
            return Ok(found?.into_iter().map(|failure| Failed { test: None, found: Some(failure) }).collect());
        }
        let mut explained: HashMap<usize, (usize, Failure)> = HashMap::new();
        let mut others = Vec::new();
        for (number, failure) in found.as_mut().map(std::mem::take).unwrap_or_default() {
            match failure.test {
                Some(test) => _ = explained.insert(test, (number, failure)),
                None => others.push(Failed { test: None, found: Some((number, failure)) }),
            }
        }
        let is_meant = |test: &TestRecord| match thread {
            None => Ok(true),
            Some(wanted) => {
                let is_of = |thread: &trace_store::Thread| (thread.pid(), thread.number()) == (test.pid, test.thread);
                self.threads(Some(wanted)).map(|threads| threads.iter().any(|(_, thread)| is_of(thread)))
            }
        };
        let mut failed = Vec::new();
        for (number, test) in self.run().tests().iter().enumerate() {
            if test.outcome == TestOutcome::Failed && is_meant(test)? {
                failed.push(Failed { test: Some(number), found: explained.remove(&number) });
            }
        }
        failed.extend(others);
        Ok(failed)
    }

    /// Whether a runner named what failed, and enough was recorded to explain it.
    pub(crate) fn tells_of_failed_tests(&self) -> bool {
        let is_sparse = self.run().threads().first().is_some_and(|thread| self.trace(thread).is_sparse());
        !is_sparse && self.n_failed_tests() > 0
    }

    /// What is shown of a test of whose failure nothing was recorded.
    pub(crate) fn unrecorded(&self, test: TestShown) -> FailureShown {
        let point = Point {
            number: None,
            thread: test.thread.unwrap_or(1),
            event: test.events.map_or(0, |(first, _)| first),
            file: test.file.clone(),
            line: test.line,
            column: None,
            function: None,
            hit: None,
            n_hits: None,
            excerpt: None,
        };
        FailureShown {
            kind: "unrecorded",
            message: test.error.clone().unwrap_or_default(),
            point,
            value: None,
            discrepancy: None,
            test: Some(test),
        }
    }

    /// That no test failed, if a runner says so. `uncaught`: the message of what ended a process.
    pub(crate) fn all_tests_passed(&self, uncaught: Option<String>) -> Option<Error> {
        let tests = self.run().tests();
        let count = |outcome| tests.iter().filter(|test| test.outcome == outcome).count();
        if tests.is_empty() || count(TestOutcome::Failed) > 0 {
            return None;
        }
        let n_passed = count(TestOutcome::Passed);
        let n_others = tests.len() - n_passed;
        match self.run().file().outcome {
            Some(ProgramExit::Exited(0)) => Some(Error::TestsPassed { n_passed, n_others }),
            Some(outcome) => {
                let ended = ended_badly(self.run().folder(), outcome, uncaught);
                Some(Error::PassedAndFailed { n_passed, n_others, ended })
            }
            // It is being recorded.
            None => None,
        }
    }
}

/// `the command ended with exit code 1; node lint.js (process 77) was the first recorded process to end with it`
fn ended_badly(run: &Path, outcome: ProgramExit, uncaught: Option<String>) -> String {
    let how = match outcome {
        ProgramExit::Exited(code) => format!("the command ended with exit code {code}"),
        ProgramExit::Killed { signal } => format!("the command was ended by signal {signal}"),
    };
    let text = std::fs::read_to_string(run.join(EXITS_FILE)).unwrap_or_default();
    let first = text.lines().find_map(|line| {
        let (pid, rest) = line.split_once(' ')?;
        let (code, command) = rest.split_once(' ')?;
        (ProgramExit::Exited(code.parse().ok()?) == outcome).then(|| (pid.to_owned(), command.to_owned()))
    });
    let first = first.map_or(String::new(), |(pid, command)| {
        format!("; {command} (process {pid}) was the first recorded process to end with it")
    });
    let uncaught = uncaught.map_or(String::new(), |message| format!("; nobody caught {message}"));
    format!("{how}{first}{uncaught}")
}

/// A line for each process that ended with another exit code than 0, in that order: its number, the code, its command.
/// `packages/runtime/load/exit.cjs` writes it.
const EXITS_FILE: &str = "exits.txt";

impl Moment<'_> {
    /// The test that failed with a failure.
    pub(super) fn test_of(&self, failure: &Failure) -> Option<TestShown> {
        let test = self.run.tests().get(failure.test?)?;
        Some(shown(&self.run.file().folder, test, Some((self.number, &self.trace)), &mut TitleLines::default()))
    }
}

/// A test, seen from the folder of the program; with the thread that it ran in, if that was recorded.
fn shown(folder: &str, test: &TestRecord, thread: Option<(usize, &Trace)>, lines: &mut TitleLines) -> TestShown {
    let trace = thread.map(|(_, trace)| trace);
    let events = trace.and_then(|trace| trace.events_of_test(test));
    let line = test.line.or_else(|| lines.of_title(trace?, test).or_else(|| line_of_function(trace?, test)));
    TestShown {
        titles: test.titles.clone(),
        outcome: test.outcome.name(),
        file: test.file.as_ref().map(|file| relative(file, folder).to_owned()),
        line,
        thread: thread.map(|(number, _)| number),
        events: events.map(|events| (events.start.0, events.end.0)),
        duration: test.duration.map(Duration::from_micros),
        error: test.error.as_ref().map(|error| error.message.clone()),
        out_of_time: test
            .error
            .as_ref()
            .and_then(|error| error.out_of_time)
            .map(|limit| limit.microseconds.map(Duration::from_micros)),
    }
}

/// The lines of string literals in files of tests: a title mostly stands there once.
#[derive(Default)]
struct TitleLines {
    files: HashMap<String, HashMap<String, Option<u32>>>,
}

impl TitleLines {
    fn of_title(&mut self, trace: &Trace, test: &TestRecord) -> Option<u32> {
        let (file, title) = (test.file.as_deref()?, test.titles.last()?);
        let lines = self.files.entry(file.to_owned()).or_default();
        *lines.entry(title.clone()).or_insert_with(|| {
            let units = trace.thread.code().units().iter();
            let units: Vec<_> = units.filter(|unit| is_of_file(unit, file)).collect();
            let only = |lines: fn(&CodeUnit, &str) -> Vec<u32>| {
                let mut found = units.iter().flat_map(|unit| lines(unit, title));
                let first = found.next()?;
                found.all(|line| line == first).then_some(first)
            };
            only(lines_of_literal).or_else(|| only(lines_of_template))
        })
    }
}

fn is_of_file(unit: &CodeUnit, file: &str) -> bool {
    unit.record.path.strip_prefix("file://").unwrap_or(&unit.record.path) == file
}

/// Where a text stands in quotes.
fn lines_of_literal(unit: &CodeUnit, text: &str) -> Vec<u32> {
    let Some(source) = unit.code().ok().and_then(|code| code.source().ok()) else { return Vec::new() };
    let quoted = ['\'', '"', '`'].map(|quote| format!("{quote}{text}{quote}"));
    let offsets = quoted.iter().flat_map(|quoted| source.match_indices(quoted.as_str()).map(|(at, _)| at));
    offsets.filter_map(|at| unit.place(at as u32)).map(|place| place.position.line).collect()
}

/// Where a template stands that may have given a text: `costs ${pieces}` gives `costs 3`.
fn lines_of_template(unit: &CodeUnit, text: &str) -> Vec<u32> {
    let Some(source) = unit.code().ok().and_then(|code| code.source().ok()) else { return Vec::new() };
    let quotes: Vec<usize> = source.match_indices('`').map(|(at, _)| at).collect();
    let found = quotes
        .windows(2)
        .filter(|pair| is_title(&source[..pair[0]]) && is_made_by(&source[pair[0] + 1..pair[1]], text));
    found.filter_map(|pair| unit.place(pair[0] as u32)).map(|place| place.position.line).collect()
}

/// Whether what follows is the first argument of a call by which runners take tests: `it(`, `test.only(`, `it.each([…])(`.
fn is_title(before: &str) -> bool {
    let Some(callee) = before.trim_end().strip_suffix('(').map(str::trim_end) else { return false };
    let name = callee.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    callee.ends_with(')') || TAKE_TESTS.contains(&name)
}

const TAKE_TESTS: [&str; 12] =
    ["test", "it", "specify", "only", "skip", "todo", "failing", "serial", "concurrent", "fit", "xit", "describe"];

/// Whether a text is what a template gives for some values. One that says nothing itself gives any text.
fn is_made_by(template: &str, text: &str) -> bool {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some((part, behind)) = rest.split_once("${") {
        let Some((_, next)) = behind.split_once('}') else { return false };
        parts.push(part);
        rest = next;
    }
    let Some((first, middle)) = parts.split_first() else { return false };
    let n_letters: usize =
        parts.iter().chain([&rest]).map(|part| part.chars().filter(|c| c.is_alphabetic()).count()).sum();
    let inner = text.strip_prefix(*first).and_then(|text| text.strip_suffix(rest));
    let found = inner.and_then(|inner| middle.iter().try_fold(inner, |left, part| Some(left.split_once(*part)?.1)));
    n_letters >= FEWEST_LETTERS && found.is_some()
}

const FEWEST_LETTERS: usize = 3;

/// The line of the only function of the file that was entered from outside of the project in the test.
fn line_of_function(trace: &Trace, test: &TestRecord) -> Option<u32> {
    let events = trace.events_of_test(test)?;
    let file = test.file.as_deref()?;
    let mut found = None;
    let mut from = events.start;
    for _ in 0..MOST_CALLS {
        let Some(enter) = trace.next(&trace_store::Target::Enter(None), from).filter(|enter| enter.id < events.end)
        else {
            break;
        };
        let frame = trace.frame(enter.frame?)?;
        let unit = trace.thread.code().unit(frame.unit)?;
        if is_of_file(unit, file) && frame.function != FunctionIndex(0) {
            let line = trace.site(enter.site()?)?.place()?.position.line;
            if found.is_some_and(|known| known != line) {
                return None;
            }
            found = Some(line);
        }
        // What it called is part of it.
        from = trace_model::EventId(frame.left?.0.max(enter.id.0) + 1);
    }
    found
}

const MOST_CALLS: usize = 100;

#[cfg(test)]
mod checked {
    use super::*;

    #[test]
    fn titles_that_a_template_gives() {
        assert!(is_made_by("costs nothing at ${pieces}", "costs nothing at 1"));
        assert!(is_made_by("${a} and ${b} make ${a + b}", "1 and 2 make 3"));
        assert!(!is_made_by("${a} and ${b} make ${a + b}", "1 and 2 give 3"));
        assert!(!is_made_by("costs nothing", "costs nothing"));
        assert!(!is_made_by("${name}", "anything"));
        assert!(!is_made_by("aa ${name} aa", "aa aa"));
    }

    #[test]
    fn a_test_that_its_runner_ended_may_only_be_slow() {
        let test = |out_of_time, duration| TestShown {
            titles: vec!["waits".into()],
            outcome: "failed",
            file: None,
            line: None,
            thread: None,
            events: None,
            duration,
            error: Some("AssertionError: expected 'timeout' to be 'timed out'".into()),
            out_of_time,
        };
        let ms = Duration::from_millis;
        assert_eq!(test(None, Some(ms(5003))).slowed(), None);
        let may = "it may have failed only because recording is slower";
        let known = test(Some(Some(ms(5000))), Some(ms(5003))).slowed();
        assert_eq!(known, Some(format!("{may}: limit 5000 ms, took 5003 ms; try again with a longer limit")));
        assert_eq!(test(Some(None), None).slowed(), Some(format!("{may}: try again with a longer limit")));
    }
}
