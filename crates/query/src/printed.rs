//! What a run printed, all its threads and processes together, made so that the message of an error is found in it however a runner
//! broke, indented, coloured or quoted it.

use trace_model::{Event, EventId, Record};
use trace_store::{Run, Target, Thread};

/// The output of a run, line by line.
#[derive(Debug, Default)]
pub struct Printed {
    streams: Vec<Stream>,
}

/// What one thread wrote to stdout or stderr.
#[derive(Debug)]
struct Stream {
    /// Of the thread in its run, from 0.
    thread: usize,
    lines: Vec<Line>,
    /// The lines without what does not count, one behind the other.
    bare: String,
}

#[derive(Debug)]
struct Line {
    text: String,
    /// Where it begins in what is searched.
    start: usize,
    event: EventId,
}

/// Where something was printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PrintedAt {
    stream: usize,
    line: usize,
    /// In what order things were printed, as far as it is known: that of the thread that was started first counts.
    pub order: (usize, EventId),
}

impl PrintedAt {
    /// Whether it is on one of so many lines that begin with another one's.
    pub(crate) fn is_on_lines_of(&self, first: PrintedAt, n_lines: usize) -> bool {
        self.stream == first.stream && (first.line..first.line + n_lines).contains(&self.line)
    }
}

/// A place in the source that was printed: `test/a.js:12:5`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PrintedPlace {
    pub path: String,
    pub line: u32,
    pub column: Option<u32>,
}

impl Printed {
    pub fn of_run(run: &Run) -> Printed {
        let mut printed = Printed::default();
        for (number, thread) in run.threads().iter().enumerate() {
            for fd in [1, 2] {
                printed.streams.extend(Stream::of_thread(number, thread, fd));
            }
        }
        printed
    }

    /// All of it.
    pub fn text(&self) -> String {
        let lines = self.streams.iter().flat_map(|stream| &stream.lines);
        lines.map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Where a message was printed after an event of a thread: the place where most of its lines are.
    pub(crate) fn find(&self, name: Option<&str>, message: &str, born: (usize, EventId)) -> Option<PrintedAt> {
        let message = without_colours(message);
        let mut lines = message.lines().filter(|line| !bare(line).is_empty());
        let first = lines.next()?.trim();
        let rest: Vec<String> = lines.take(MOST_LINES_OF_MESSAGE).map(bare).collect();
        let needle = bare(first);
        if needle.len() >= SHORT {
            return self.best(&needle, &rest, born);
        }
        // What is short is found anywhere.
        let named = name.and_then(|name| self.best(&bare(&format!("{name}:{needle}")), &rest, born));
        named.or_else(|| self.whole_line(first, born))
    }

    fn best(&self, needle: &str, rest: &[String], born: (usize, EventId)) -> Option<PrintedAt> {
        let mut best: Option<(usize, PrintedAt)> = None;
        for (number, stream) in self.streams.iter().enumerate() {
            for (at, _) in stream.bare.match_indices(needle).take(MOST_PLACES) {
                let line = stream.line_at(at);
                let is_older = stream.thread == born.0 && stream.lines[line].event < born.1;
                if is_older || says_passed(&stream.lines[line].text) {
                    continue;
                }
                let behind = stream.bare.get(at + needle.len()..).unwrap_or_default();
                // Behind the next such line it is about another error.
                let near = cut(behind.split(needle).next().unwrap_or_default(), REST_WITHIN);
                let n_found = rest.iter().filter(|line| near.contains(line.as_str())).count();
                let place = PrintedAt { stream: number, line, order: (stream.thread, stream.lines[line].event) };
                let is_better = |(known, other): (usize, PrintedAt)| {
                    n_found > known || n_found == known && place.order.0 < other.order.0
                };
                if best.is_none_or(is_better) {
                    best = Some((n_found, place));
                }
            }
        }
        best.map(|(_, place)| place)
    }

    /// A line that is this text, or ends in it behind a colon or a space; in quotes, too, as TAP has it.
    fn whole_line(&self, text: &str, born: (usize, EventId)) -> Option<PrintedAt> {
        for (number, stream) in self.streams.iter().enumerate() {
            for (at, line) in stream.lines.iter().enumerate() {
                let shown = line.text.trim().trim_end_matches(QUOTES);
                let before = shown.strip_suffix(text).map(|before| before.trim_end_matches(QUOTES));
                let is_it = before.is_some_and(|before| before.is_empty() || before.ends_with([' ', ':']));
                let is_older = stream.thread == born.0 && line.event < born.1;
                if is_it && !is_older && !says_passed(&line.text) {
                    return Some(PrintedAt { stream: number, line: at, order: (stream.thread, line.event) });
                }
            }
        }
        None
    }

    /// Whether what was printed right before a place, or there, says that something failed.
    pub(crate) fn has_mark(&self, at: PrintedAt) -> bool {
        let lines = &self.streams[at.stream].lines;
        lines[at.line.saturating_sub(LINES_BEFORE)..=at.line].iter().any(|line| is_mark(&line.text))
    }

    /// Places in the source that were printed with a message: behind it before the next message, or else right before it. What the
    /// message itself names is what it is about, and not where it came from.
    pub(crate) fn places_near(&self, at: PrintedAt, message: &str) -> Vec<PrintedPlace> {
        let lines = &self.streams[at.stream].lines;
        let end = lines.len().min(at.line + LINES_BEHIND);
        let mut found = places_in(&lines[at.line..end]);
        found.extend(places_in(&lines[at.line.saturating_sub(LINES_BEFORE)..at.line]));
        found.retain(|place| !message.contains(&format!("{}:{}", place.path, place.line)));
        found
    }

    /// As [`Self::places_near`], but none of what is printed of the next failure.
    pub(crate) fn places_of_message(&self, at: PrintedAt, message: &str) -> Vec<PrintedPlace> {
        let lines = &self.streams[at.stream].lines;
        let behind = lines.iter().enumerate().skip(at.line + 1).take(LINES_BEHIND);
        let next = behind.clone().find(|(_, line)| says_failed(&line.text) || is_numbered(&line.text));
        let end = next.map_or(lines.len().min(at.line + LINES_BEHIND), |(number, _)| number);
        let mut found = places_in(&lines[at.line..end]);
        found.retain(|place| !message.contains(&format!("{}:{}", place.path, place.line)));
        found
    }

    /// Lines that say at their beginning that something failed.
    pub(crate) fn failed_lines(&self) -> Vec<(PrintedAt, String)> {
        let mut found = Vec::new();
        for (number, stream) in self.streams.iter().enumerate() {
            for (line, known) in stream.lines.iter().enumerate().filter(|(_, line)| says_failed(&line.text)) {
                let at = PrintedAt { stream: number, line, order: (stream.thread, known.event) };
                found.push((at, known.text.trim().to_owned()));
            }
        }
        found.sort_by_key(|(at, _)| at.order);
        found.truncate(MOST_PLACES);
        found
    }

    /// The thread and the event that wrote a line.
    pub(crate) fn written_by(&self, at: PrintedAt) -> (usize, EventId) {
        let stream = &self.streams[at.stream];
        (stream.thread, stream.lines[at.line].event)
    }
}

impl Stream {
    fn of_thread(number: usize, thread: &Thread, wanted: u32) -> Option<Stream> {
        let mut pieces: Vec<(EventId, std::sync::Arc<str>)> = Vec::new();
        let mut n_bytes = 0;
        let mut before = thread.end();
        // The newest is kept where there is too much.
        while n_bytes < MOST_BYTES
            && let Some(step) = thread.last(&Target::Output, before)
        {
            before = step.id;
            let Event::Record(Record::Output { fd, text: Some(text), .. }) = step.event else { continue };
            if fd == wanted
                && let Some(text) = thread.string(text)
            {
                n_bytes += text.len();
                pieces.push((step.id, text));
            }
        }
        let mut lines: Vec<Line> = Vec::new();
        let mut is_open = false;
        for (event, text) in pieces.into_iter().rev() {
            for piece in text.split_inclusive('\n') {
                match lines.last_mut().filter(|_| is_open) {
                    Some(line) => line.text.push_str(piece),
                    None => lines.push(Line { text: piece.to_owned(), start: 0, event }),
                }
                is_open = !piece.ends_with('\n');
            }
        }
        let mut all = String::new();
        for line in &mut lines {
            line.text = without_colours(&line.text).trim_end().to_owned();
            line.start = all.len();
            all.push_str(&bare(&line.text));
        }
        (!lines.is_empty()).then_some(Stream { thread: number, lines, bare: all })
    }

    fn line_at(&self, offset: usize) -> usize {
        self.lines.partition_point(|line| line.start <= offset).saturating_sub(1)
    }
}

/// A text without what runners change: white space, colours, quotes and what escapes them.
fn bare(text: &str) -> String {
    let plain = without_colours(text);
    plain.chars().filter(|c| !c.is_whitespace() && !matches!(c, '\\' | '"' | '\'' | '`')).collect()
}

pub(crate) fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\u{1b}' {
            plain.push(c);
        } else if rest.next() == Some('[') {
            rest.by_ref().find(char::is_ascii_alphabetic);
        }
    }
    plain
}

fn cut(text: &str, length: usize) -> &str {
    let mut end = text.len().min(length);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

const SIGNS: [char; 6] = ['✖', '✗', '✘', '✕', '×', '●'];

/// `not ok 2 - adds`, `✖ adds`, `FAIL test/a.js`, `Assertion failed`.
fn says_failed(line: &str) -> bool {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '#' | '-' | '*' | '[' | '(' | '>'));
    let is_word = |word: &str| {
        line.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    line.starts_with(SIGNS)
        || ["not ok", "FAIL", "FAILED", "FAILURE", "Failed", "fail:", "failed:", "Assertion failed"]
            .iter()
            .any(|word| is_word(word))
}

/// `✔ adds`, `ok 2 - adds`: whatever such a line names, it did not fail.
fn says_passed(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(['✔', '✓', '√']) || line.starts_with("ok ")
}

/// Whether a line speaks of a failure.
fn is_mark(line: &str) -> bool {
    let lower = line.to_lowercase();
    line.contains(SIGNS)
        || ["fail", "not ok", "uncaught", "assert"].iter().any(|word| lower.contains(word))
        || is_numbered(line)
}

/// `2) adds`
fn is_numbered(line: &str) -> bool {
    let rest = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.trim_start().len() && rest.starts_with(") ")
}

fn places_in(lines: &[Line]) -> Vec<PrintedPlace> {
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        found.extend(places_of_line(&line.text));
        // `file: a.js` and `line: 3`, below one another.
        if let Some(path) = field(&line.text, &["fileName", "file", "filename"]) {
            let near = lines[number + 1..].iter().take(FIELDS_WITHIN);
            let line =
                near.filter_map(|line| field(&line.text, &["lineNumber", "line"])).find_map(|it| it.parse().ok());
            found.extend(line.map(|line| PrintedPlace { path: path.into(), line, column: None }));
        }
    }
    found
}

/// The value of `name: value`, alone on a line.
fn field<'l>(line: &'l str, names: &[&str]) -> Option<&'l str> {
    let (name, value) = line.split_once(':')?;
    let quotes = ['"', '\'', ' ', ','];
    names.contains(&name.trim().trim_matches(quotes)).then(|| value.trim_matches(quotes)).filter(|it| !it.is_empty())
}

/// Every `path:line` in a text, with or without a column behind it.
fn places_of_line(text: &str) -> Vec<PrintedPlace> {
    let mut found = Vec::new();
    let ends_path =
        |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | '\'' | '`' | '<' | '>' | '[' | ']' | ',');
    for word in text.split(ends_path) {
        let word = word.strip_prefix("file://").unwrap_or(word);
        let mut parts = word.split(':');
        let Some(path) = parts.next().filter(|path| path.contains('.') && !path.is_empty()) else { continue };
        if let Some(line) = parts.next().and_then(|line| line.parse().ok()) {
            let column = parts.next().and_then(|column| column.parse().ok());
            found.push(PrintedPlace { path: path.into(), line, column });
        }
    }
    found
}

const QUOTES: [char; 3] = ['\'', '"', '`'];
const SHORT: usize = 8;
const MOST_LINES_OF_MESSAGE: usize = 12;
const MOST_PLACES: usize = 200;
/// In bytes: how far behind the first line of a message the others are looked for.
const REST_WITHIN: usize = 2000;
const LINES_BEFORE: usize = 6;
const LINES_BEHIND: usize = 40;
const FIELDS_WITHIN: usize = 3;
const MOST_BYTES: usize = 8 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> Printed {
        let mut all = String::new();
        let lines = text.lines().enumerate().map(|(number, line)| {
            let text = without_colours(line);
            let start = all.len();
            all.push_str(&bare(&text));
            Line { text, start, event: EventId(10 + number as u64) }
        });
        let lines = lines.collect();
        Printed { streams: vec![Stream { thread: 0, lines, bare: all }] }
    }

    const MOCHA: &str = "  1 failing\n\n  1) sums\n       adds:\n     AssertionError: expected \u{1b}[31m3\u{1b}[0m to\n  equal 4\n      at Context.<anonymous> (test/sum.js:12:5)\n";

    #[test]
    fn a_message_is_found_however_it_was_broken_and_coloured() {
        let printed = printed(MOCHA);
        let at = printed.find(None, "expected 3 to equal 4", (0, EventId(1))).unwrap();
        assert_eq!(at.order, (0, EventId(14)));
        assert!(printed.has_mark(at));
        let place = PrintedPlace { path: "test/sum.js".into(), line: 12, column: Some(5) };
        assert_eq!(printed.places_near(at, "expected 3 to equal 4"), [place]);
    }

    #[test]
    fn places_of_the_next_failure_are_not_those_of_a_message() {
        let printed = printed(
            "1) sums\n  Error: no sum at all\n\n2) counts\n  Error: no count at all\n    at test/count.js:4:2\n",
        );
        let place = PrintedPlace { path: "test/count.js".into(), line: 4, column: Some(2) };
        let places = |message: &str| {
            let at = printed.find(None, message, (0, EventId(0))).unwrap();
            printed.places_of_message(at, message)
        };
        assert_eq!(places("no sum at all"), []);
        assert_eq!(places("no count at all"), [place]);
    }

    #[test]
    fn places_that_the_message_itself_names_are_what_it_is_about() {
        let message = "expected 200, got 500: at show (lib/show.js:3:4)";
        let printed = printed(&format!("1) shows\n{message}\n    at test/show.js:9:2\n"));
        let at = printed.find(None, message, (0, EventId(0))).unwrap();
        let place = PrintedPlace { path: "test/show.js".into(), line: 9, column: Some(2) };
        assert_eq!(printed.places_near(at, message), [place]);
    }

    #[test]
    fn a_line_that_says_that_something_passed_reports_no_error() {
        assert_eq!(printed("  ✔ refuses with Error: bad id").find(None, "Error: bad id", (0, EventId(0))), None);
        assert_eq!(printed("ok 3 - Error: no").find(Some("Error"), "no", (0, EventId(0))), None);
    }

    #[test]
    fn what_was_printed_before_an_error_was_there_is_not_about_it() {
        assert_eq!(printed(MOCHA).find(None, "expected 3 to equal 4", (0, EventId(90))), None);
    }

    #[test]
    fn of_errors_that_begin_alike_the_other_lines_decide() {
        let text = "Expected values to be equal:\n 5 !== 6\n\nExpected values to be equal:\n 7 !== 8\n";
        let at = printed(text).find(None, "Expected values to be equal:\n\n7 !== 8", (0, EventId(0))).unwrap();
        assert_eq!(at.order.1, EventId(13));
    }

    #[test]
    fn a_short_message_must_stand_alone_or_behind_its_name() {
        assert_eq!(printed("the index 5 is fine").find(Some("Error"), "5", (0, EventId(0))), None);
        assert!(printed("Error: 5").find(Some("Error"), "5", (0, EventId(0))).is_some());
        assert!(printed("failed: no").find(Some("Error"), "no", (0, EventId(0))).is_some());
        assert!(printed("  error: '3 == 4'").find(Some("AssertionError"), "3 == 4", (0, EventId(0))).is_some());
    }

    #[test]
    fn lines_that_say_that_something_failed() {
        for line in ["not ok 1 - adds", "  ✖ adds", "FAIL test/a.js", "Assertion failed: x", "# FAILED"] {
            assert!(says_failed(line), "{line}");
        }
        for line in ["ok 1 - adds", "FAILOVER is on", "0 failed", "# fail 0", "failing over"] {
            assert!(!says_failed(line), "{line}");
        }
    }

    #[test]
    fn places_in_fields_below_one_another() {
        let text = "not ok 1 - it\n  at:\n    fileName: test/a.js\n    lineNumber: 7\n";
        let printed = printed(text);
        let (at, line) = printed.failed_lines().remove(0);
        assert_eq!(line, "not ok 1 - it");
        let place = PrintedPlace { path: "test/a.js".into(), line: 7, column: None };
        assert_eq!(printed.places_near(at, ""), [place]);
    }
}
