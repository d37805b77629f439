//! Parts of the sentences.

use trace_model::did_you_mean;

use super::LoadedFiles;

pub(super) fn offer(command: &[String]) -> String {
    if command.is_empty() {
        String::new()
    } else {
        format!("; ask again with --rerun, which runs `{}`", command.join(" "))
    }
}

pub(super) fn kinds_are(wanted: &str, known: &str) -> String {
    match did_you_mean(wanted, known.split(", ")).as_str() {
        "" => "; there are ".into(),
        near => format!("{near} There are "),
    }
}

pub(super) fn stream(is_error: bool) -> &'static str {
    if is_error { "the output to stderr" } else { "the output" }
}

/// Many tools write all that they say to stderr.
pub(super) fn other_stream(is_error: bool, n_lines: u64) -> &'static str {
    if n_lines == 0 && !is_error { "; lines of stderr are written err:1" } else { "" }
}

pub(super) fn points_there_are(n_points: usize) -> String {
    match n_points {
        0 => "no answer of this run was given a number yet".into(),
        1 => "there is P1".into(),
        n => format!("there are P1 to P{n}"),
    }
}

pub(super) fn names_there_are(wanted: &str, names: &[String]) -> String {
    const MOST_NAMES: usize = 12;
    let near = did_you_mean(wanted, names.iter().map(String::as_str));
    match names {
        [] => String::new(),
        _ if !near.is_empty() => near,
        names => {
            let more = if names.len() > MOST_NAMES { ", …" } else { "" };
            format!("; there are {}{more}", names[..names.len().min(MOST_NAMES)].join(", "))
        }
    }
}

pub(super) fn declared_later(line: Option<u32>) -> String {
    line.map(|line| format!(": its declaration in line {line} is not reached yet")).unwrap_or_default()
}

/// The typed text with a mark under what is wrong.
pub(super) fn with_caret(text: &str, at: usize, why: &str) -> String {
    let n_before = text.get(..at).unwrap_or(text).chars().count();
    format!("{why}\n    {text}\n    {}^", " ".repeat(n_before))
}

pub(super) fn tests_passed(n: usize) -> String {
    match n {
        1 => "the only test that ran passed".into(),
        n => format!("all {n} tests that ran passed"),
    }
}

pub(super) fn tests_not_run(n: usize) -> String {
    match n {
        0 => String::new(),
        1 => "; one was skipped".into(),
        n => format!("; {n} were skipped"),
    }
}

pub(super) fn times(n: u64) -> String {
    if n == 1 { "once".into() } else { format!("{n} times") }
}

pub(super) fn suggestion(loaded: &LoadedFiles) -> String {
    match loaded {
        LoadedFiles::Near(files) => format!("; did you mean {}?", files.join(" or ")),
        LoadedFiles::Others(files) if files.is_empty() => String::new(),
        LoadedFiles::Others(files) => {
            format!("; there {} {}", if files.len() == 1 { "is" } else { "are" }, files.join(", "))
        }
    }
}

pub(super) fn nearest_line(line: &Option<u32>) -> String {
    line.map(|line| format!("; the nearest line with code is {line}")).unwrap_or_default()
}
