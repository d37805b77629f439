//! What is not the same in two runs, as far as it can be seen from outside.

use std::collections::HashMap;
use std::sync::LazyLock;

use record::Tried;
use regex::Regex;

/// A line that only one of two runs printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineDifference {
    pub is_error: bool,
    /// Else it was printed only before.
    pub is_new: bool,
    pub text: String,
}

/// What became of the failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FailureAfter {
    /// There was none to begin with.
    None,
    Gone,
    Same,
    Another(String),
}

/// The lines that only one of them printed: first those that are gone.
pub fn line_differences(before: &Tried, after: &Tried, shown: &dyn Fn(&str) -> String) -> Vec<LineDifference> {
    let mut found = Vec::new();
    for (is_error, before, after) in [(false, &before.stdout, &after.stdout), (true, &before.stderr, &after.stderr)] {
        let (before, after) = (shown(before), shown(after));
        for (is_new, lines, others) in [(false, &before, &after), (true, &after, &before)] {
            let only = only_in(lines, others);
            found.extend(only.into_iter().map(|text| LineDifference { is_error, is_new, text: text.to_owned() }));
        }
    }
    found
}

/// Lines that the other text does not have as often, in their order.
fn only_in<'t>(lines: &'t str, others: &str) -> Vec<&'t str> {
    let mut known: HashMap<String, usize> = HashMap::new();
    for line in others.lines() {
        *known.entry(steady(line)).or_default() += 1;
    }
    let is_missing = |line: &&str| match known.get_mut(&steady(line)) {
        Some(left @ 1..) => {
            *left -= 1;
            false
        }
        _ => !line.trim().is_empty(),
    };
    lines.lines().filter(is_missing).collect()
}

/// A line without what is another one each time: how long something took, and the number of the process.
fn steady(line: &str) -> String {
    static FICKLE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\b\d+(\.\d+)?\s?(ms|s)\b|\(node:\d+\)|(duration_ms|Time:)\s*[\d.]+").ok());
    FICKLE.as_ref().map_or_else(|| line.to_owned(), |fickle| fickle.replace_all(line, "_").into_owned())
}

#[cfg(test)]
mod tests {
    use super::only_in;

    #[test]
    fn times_are_no_difference() {
        assert_eq!(only_in("a\nok (3ms)\nb\nb", "b\nok (12ms)"), ["a", "b"]);
        assert!(only_in("# duration_ms 3.5", "# duration_ms 17").is_empty());
    }
}
