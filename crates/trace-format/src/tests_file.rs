//! `tests.txt`: the tests of a run, as the runner of the tests told of them. It knows no runner and no language.
//!
//! A line for each, in the order in which they ended, appended by the process in which the test ran. A later line of the same number in the
//! same thread, or of the same key, takes the place of an earlier one: the test was tried again. One of another process, that knows nothing of the
//! beginning of the test, says when the test was reported, and how it ended only if nobody else did. Fields are separated by tabs; a field that is not known is
//! empty. Of a test that ran out of the time that its runner allows, the outcome is `failed:`, followed by the microseconds of that limit if they are
//! known. A reader passes over what it cannot read.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use crate::lines::{escaped_field, unescaped};

/// A test, and how it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestRecord {
    /// Where it ran.
    pub pid: u32,
    pub thread: u32,
    /// From 1, of the tests of its thread.
    pub number: u32,
    pub outcome: TestOutcome,
    /// Those of the suites around it, and its own. None for a file that failed as a whole.
    pub titles: Vec<String>,
    pub file: Option<String>,
    /// Where it stands in the file, if the runner said so.
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// How many frames and block scopes had been entered in its thread when it began, and when it ended.
    pub first: Option<u64>,
    pub last: Option<u64>,
    /// Microseconds since 1970.
    pub started: Option<u64>,
    /// Microseconds.
    pub duration: Option<u64>,
    pub error: Option<TestError>,
    /// By which the runner knows it in all processes, where it may run in more than one.
    pub key: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestOutcome {
    Passed,
    Failed,
    Skipped,
    /// It is yet to be written, or known to fail.
    Todo,
}

/// What a test failed with, in the words of the runner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestError {
    pub message: String,
    /// The innermost lines of the stack, as the runner has them.
    pub stack: String,
    /// The number of the error in its thread, if it was recorded.
    pub object: Option<u32>,
    /// The runner ended it, and not the code under test.
    pub out_of_time: Option<TimeLimit>,
}

/// How long the runner lets a test take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeLimit {
    pub microseconds: Option<u64>,
}

impl TestRecord {
    pub const FILE: &'static str = "tests.txt";

    /// With the line end.
    pub fn to_line(&self) -> String {
        let optional = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
        let error = self.error.as_ref();
        let mut fields = vec![
            self.pid.to_string(),
            self.thread.to_string(),
            self.number.to_string(),
            outcome_field(self.outcome, error.and_then(|error| error.out_of_time)),
            self.file.clone().unwrap_or_default(),
            optional(self.line.map(u64::from)),
            optional(self.column.map(u64::from)),
            optional(self.first),
            optional(self.last),
            optional(self.started),
            optional(self.duration),
            optional(error.and_then(|error| error.object).map(u64::from)),
            error.map_or(String::new(), |error| error.message.clone()),
            error.map_or(String::new(), |error| error.stack.clone()),
            self.key.clone().unwrap_or_default(),
        ];
        fields.extend(self.titles.iter().cloned());
        let fields: Vec<String> = fields.iter().map(|field| escaped_field(field)).collect();
        format!("{}\n", fields.join("\t"))
    }

    /// Whether this field of a line is a number, and no words of the program or its runner.
    pub fn is_number(field: usize) -> bool {
        matches!(field, 0..=2 | 5..=11)
    }

    fn parse(line: &str) -> Option<TestRecord> {
        TestRecord::of_fields(&line.split('\t').map(unescaped).collect::<Vec<String>>())
    }

    /// From the fields of a line.
    pub fn of_fields(fields: &[String]) -> Option<TestRecord> {
        let [pid, thread, number, outcome, file, places @ ..] = fields else { return None };
        let [line, column, first, last, started, duration, object, message, stack, key, titles @ ..] = places else {
            return None;
        };
        let optional = |text: &String| match text.as_str() {
            "" => Some(None),
            text => text.parse::<u64>().ok().map(Some),
        };
        let small = |text: &String| Some(optional(text)?.and_then(|number| u32::try_from(number).ok()));
        let (outcome, limit) =
            outcome.split_once(':').map_or((outcome.as_str(), None), |(name, limit)| (name, Some(limit)));
        let outcome = TestOutcome::named(outcome)?;
        let out_of_time = match limit {
            Some(limit) => Some(TimeLimit { microseconds: optional(&limit.to_owned())? }),
            None => None,
        };
        let error = TestError { message: message.clone(), stack: stack.clone(), object: small(object)?, out_of_time };
        Some(TestRecord {
            pid: pid.parse().ok()?,
            thread: thread.parse().ok()?,
            number: number.parse().ok()?,
            outcome,
            titles: titles.to_vec(),
            file: Some(file.clone()).filter(|file| !file.is_empty()),
            line: small(line)?,
            column: small(column)?,
            first: optional(first)?,
            last: optional(last)?,
            started: optional(started)?,
            duration: optional(duration)?,
            error: (outcome == TestOutcome::Failed).then_some(error),
            key: Some(key.clone()).filter(|key| !key.is_empty()),
        })
    }

    /// By what a test is known to be another try of the same.
    fn identity(&self) -> (Option<&str>, u32, u32, u32) {
        match &self.key {
            Some(key) if !key.starts_with(REPORTED) => (Some(key), 0, 0, 0),
            _ => (None, self.pid, self.thread, self.number),
        }
    }
}

impl TestOutcome {
    pub fn name(self) -> &'static str {
        match self {
            TestOutcome::Passed => "passed",
            TestOutcome::Failed => "failed",
            TestOutcome::Skipped => "skipped",
            TestOutcome::Todo => "todo",
        }
    }

    pub fn named(name: &str) -> Option<TestOutcome> {
        use TestOutcome::{Failed, Passed, Skipped, Todo};
        [Passed, Failed, Skipped, Todo].into_iter().find(|outcome| outcome.name() == name)
    }
}

fn outcome_field(outcome: TestOutcome, out_of_time: Option<TimeLimit>) -> String {
    let limit =
        |TimeLimit { microseconds }| format!(":{}", microseconds.map_or(String::new(), |limit| limit.to_string()));
    format!("{}{}", outcome.name(), out_of_time.map_or(String::new(), limit))
}

/// The tests of a file, each once, in the order of the runner: that in which they ended, and where processes ran them side by side, file by file.
pub fn read_tests(text: &str) -> Vec<TestRecord> {
    let mut tests: Vec<Option<TestRecord>> = Vec::new();
    let mut places: HashMap<(Option<String>, u32, u32, u32), usize> = HashMap::new();
    let mut unreported: HashMap<String, VecDeque<usize>> = HashMap::new();
    let mut unconfirmed: HashMap<String, TestRecord> = HashMap::new();
    // The last line may be torn.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    for test in whole.split('\n').filter_map(TestRecord::parse) {
        if tests.len() + unconfirmed.len() >= MOST_TESTS {
            break;
        }
        let has_run = test.first.is_some();
        if let Some(key) = test.key.as_deref().and_then(|key| key.strip_prefix(WITHDRAWN)) {
            if let Some(place) = places.remove(&(Some(key.to_owned()), 0, 0, 0)) {
                tests[place] = None;
            }
            continue;
        }
        match test.key.as_deref().map(|key| (key.starts_with(CONFIRMED), key.starts_with(REPORTED), key.to_owned())) {
            Some((true, _, key)) if has_run => drop(unconfirmed.insert(key, test)),
            Some((true, _, key)) => {
                let told = unconfirmed.remove(&key);
                match places.entry((Some(key), 0, 0, 0)) {
                    Entry::Vacant(place) => {
                        place.insert(tests.len());
                        tests.push(Some(told.unwrap_or(test)));
                    }
                    Entry::Occupied(place) => tests[*place.get()] = told.or(tests[*place.get()].take()),
                }
            }
            Some((_, true, key)) if !has_run => {
                let told = unreported.get_mut(&key).and_then(VecDeque::pop_front).and_then(|place| tests[place].take());
                tests.push(Some(told.unwrap_or(test)));
            }
            of_runner => {
                let (key, pid, thread, number) = test.identity();
                let identity = (key.map(str::to_owned), pid, thread, number);
                let known = places.get(&identity).copied();
                match known.and_then(|place| tests[place].as_ref().map(|known| (place, known.pid))) {
                    // Who only reports it says when, and not how.
                    Some((place, pid)) if pid != test.pid && !has_run => {
                        let known = tests[place].take();
                        places.insert(identity, tests.len());
                        tests.push(known);
                        continue;
                    }
                    Some((place, _)) => {
                        tests[place] = Some(test);
                        continue;
                    }
                    None => {}
                }
                if let Some((_, true, key)) = of_runner {
                    unreported.entry(key).or_default().push_back(tests.len());
                }
                places.insert(identity, tests.len());
                tests.push(Some(test));
            }
        }
    }
    let mut tests: Vec<TestRecord> = tests.into_iter().flatten().collect();
    // Processes that ran at the same time told of files of their own, each of which is reported when it is done.
    let teller = |test: &TestRecord| (test.pid, test.thread);
    if tests.iter().any(|test| teller(test) != teller(&tests[0])) {
        let group = |test: &TestRecord| (teller(test), test.file.clone());
        let ends: HashMap<_, usize> = tests.iter().enumerate().map(|(place, test)| (group(test), place)).collect();
        tests.sort_by_key(|test| ends.get(&group(test)).copied());
    }
    tests
}

/// Whether every line of a file tells of a test, as it is where nobody was killed while they wrote it.
pub fn tests_are_sound(text: &str) -> bool {
    let is_sound = |line: &str| {
        TestRecord::parse(line).is_some_and(|test| {
            let in_order =
                |first: Option<u64>, last: Option<u64>| first.zip(last).is_none_or(|(first, last)| first <= last);
            in_order(test.first, test.last) && test.started.is_none_or(|started| started < 1 << 60)
        })
    };
    text.split_terminator('\n').all(|line| line.is_empty() || is_sound(line))
}

/// A test that ran is told of by its process, and once more by the one that reports it: when, and not how. Where two processes ran what has the same
/// key, these are two tests, and the reports are of them in this order.
const REPORTED: char = '~';
/// A file that failed as a whole: it counts if the process that reports says so, too. A program that a test starts inherits what files of
/// tests are known by.
const CONFIRMED: char = '?';

/// What was said of the key behind it does not count: the runner ignores it.
const WITHDRAWN: char = '-';

/// More are not kept in memory.
const MOST_TESTS: usize = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn test() -> TestRecord {
        TestRecord {
            pid: 7,
            thread: 0,
            number: 1,
            outcome: TestOutcome::Passed,
            titles: vec!["cart".into(), "adds".into()],
            file: Some("/p/cart.test.js".into()),
            line: Some(3),
            column: None,
            first: Some(10),
            last: Some(20),
            started: Some(1_700_000_000_000_000),
            duration: Some(1500),
            error: None,
            key: None,
        }
    }

    fn any_text() -> impl Strategy<Value = String> {
        prop::collection::vec(any::<char>(), 0..12).prop_map(String::from_iter)
    }

    proptest! {
        #[test]
        fn a_test_comes_back(
            titles in prop::collection::vec(any_text(), 0..4), file in prop::option::of("[^\0]{1,9}"), line: Option<u32>,
            first: Option<u64>, object: Option<u32>, message in any_text(), stack in any_text(), is_failed: bool, limit: Option<Option<u64>>,
        ) {
            let out_of_time = limit.map(|microseconds| TimeLimit { microseconds });
            let outcome = if is_failed { TestOutcome::Failed } else { TestOutcome::Todo };
            let error = is_failed.then_some(TestError { message, stack, object, out_of_time });
            let written = TestRecord { titles, file, line, first, outcome, error, ..test() };
            prop_assert_eq!(read_tests(&written.to_line()), vec![written]);
        }

        #[test]
        fn whatever_is_there_can_be_read(text in any_text(), lines in prop::collection::vec("[0-9a-z\\\\\t\n]{0,60}", 0..5)) {
            read_tests(&text);
            read_tests(&lines.join("\n"));
        }
    }

    #[test]
    fn a_later_line_of_a_test_takes_the_place_of_an_earlier_one() {
        let error = Some(TestError { message: "no".into(), stack: String::new(), object: None, out_of_time: None });
        let first = TestRecord { outcome: TestOutcome::Failed, error, ..test() };
        let other = TestRecord { number: 2, ..test() };
        let text = [first.to_line(), other.to_line(), test().to_line()].concat();
        assert_eq!(read_tests(&text), [test(), other]);
    }

    #[test]
    fn who_only_reports_a_test_says_when_and_not_how() {
        let key = |key: &str, pid, first, outcome| TestRecord { key: Some(key.into()), pid, first, outcome, ..test() };
        let (slow, quick) =
            (key("~slow", 7, Some(1), TestOutcome::Passed), key("quick", 8, Some(2), TestOutcome::Passed));
        let reported = |name| key(name, 6, None, TestOutcome::Skipped);
        let lines = [&quick, &slow, &reported("~slow"), &reported("quick"), &reported("~other")];
        let text: String = lines.iter().map(|test| test.to_line()).collect();
        assert_eq!(read_tests(&text), [slow, quick, reported("~other")]);
    }

    #[test]
    fn tests_of_one_place_that_two_processes_ran_are_two() {
        let key = |pid, first, outcome| TestRecord { key: Some("~shared.js:3".into()), pid, first, outcome, ..test() };
        let (fails, passes) = (key(7, Some(1), TestOutcome::Todo), key(8, Some(2), TestOutcome::Passed));
        let lines = [&fails, &passes, &key(6, None, TestOutcome::Skipped), &key(6, None, TestOutcome::Skipped)];
        let text: String = lines.iter().map(|test| test.to_line()).collect();
        assert_eq!(read_tests(&text), [fails, passes]);
    }

    #[test]
    fn a_file_that_failed_is_reported_by_its_runner_too() {
        let key = |file: &str, pid, first| TestRecord { key: Some(format!("?{file}")), pid, first, ..test() };
        let (file, helper) = (key("a.test.js", 7, Some(0)), key("cli.js", 8, Some(0)));
        let lines = [&file, &helper, &key("a.test.js", 6, None), &key("b.test.js", 6, None)];
        let text: String = lines.iter().map(|test| test.to_line()).collect();
        assert_eq!(read_tests(&text), [file, key("b.test.js", 6, None)]);
    }

    #[test]
    fn a_file_whose_failure_is_withdrawn_is_none() {
        let key = |key: &str, pid| TestRecord { key: Some(key.into()), pid, ..test() };
        let (ignored, counted) = (key("file a.test.js", 7), key("file b.test.js", 8));
        let lines = [&ignored, &counted, &key("-file a.test.js", 6), &key("-file c.test.js", 6)];
        let text: String = lines.iter().map(|test| test.to_line()).collect();
        assert_eq!(read_tests(&text), [counted]);
    }

    #[test]
    fn tests_that_ran_side_by_side_stand_file_by_file_and_a_torn_line_is_passed_over() {
        let of_file = |pid, number, file: &str| TestRecord { pid, number, file: Some(file.into()), ..test() };
        let numbers = |tests: &[TestRecord]| {
            let lines: String = tests.iter().map(TestRecord::to_line).collect();
            let read = read_tests(&format!("{lines}{}", &test().to_line()[..9]));
            read.iter().map(|test| test.number).collect::<Vec<_>>()
        };
        assert_eq!(numbers(&[of_file(7, 1, "a"), of_file(8, 2, "b"), of_file(7, 3, "a")]), [2, 1, 3]);
        assert_eq!(numbers(&[of_file(7, 1, "a"), of_file(7, 2, "b"), of_file(7, 3, "a")]), [1, 2, 3]);
    }
}
