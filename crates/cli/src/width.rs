//! Answers on a narrow terminal: lines are broken between words, and what stands before them stays.

use std::io::{self, IsTerminal};

/// The columns of the terminal that answers go to, or those that `COLUMNS` says. Nothing on a pipe: who reads there breaks lines
/// as it wants.
pub fn of_stdout() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let seen = || match io::stdout().is_terminal() {
        true => crossterm::terminal::size().ok().map(|(columns, _)| columns.into()),
        false => None,
    };
    said.or_else(seen).filter(|columns| *columns > 0).map(|columns: usize| columns.max(NARROWEST))
}

/// Below this nothing can be read anyway.
const NARROWEST: usize = 16;

/// Each line broken where it is too long, with its own indent before what follows. Colours take no room.
pub fn fitted(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else { return text.to_owned() };
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
        let indent = body.len() - body.trim_start_matches(' ').len();
        // What is far in begins further out from its second line on.
        let hanging = " ".repeat((indent + 2).min(width / 3));
        out.push_str(&broken(body, width, width - hanging.len()).join(&format!("\n{hanging}")));
        out.push_str(end);
    }
    out
}

/// The text in lines of at most `first` columns, then of `rest`. Where no space is, a word is broken.
pub fn broken(text: &str, first: usize, rest: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in words(text) {
        let room = if lines.len() == 1 { first } else { rest }.max(1);
        let shown = columns(word.trim_end());
        // What does not fit into a line of its own begins in this one if much of it does.
        let is_too_long = shown > rest && room.saturating_sub(used) * 3 > room;
        if used > 0 && used + shown > room && !is_too_long {
            begin(&mut lines);
            used = 0;
        }
        let mut escape = false;
        for c in word.chars() {
            escape |= c == '\x1b';
            let room = if lines.len() == 1 { first } else { rest }.max(1);
            if !escape && used + width_of(c) > room && c != ' ' {
                begin(&mut lines);
                used = 0;
            }
            let line = lines.last_mut().expect("there is a first line");
            line.push(c);
            used += if escape { 0 } else { width_of(c) };
            escape &= c != 'm';
        }
    }
    begin(&mut lines);
    lines.pop();
    lines
}

/// How many columns a text takes on a terminal.
pub fn columns(text: &str) -> usize {
    let mut escape = false;
    let mut n = 0;
    for c in text.chars() {
        escape |= c == '\x1b';
        n += if escape { 0 } else { width_of(c) };
        escape &= c != 'm';
    }
    n
}

pub fn width_of(c: char) -> usize {
    unicode_width::UnicodeWidthChar::width(c).unwrap_or(0)
}

fn begin(lines: &mut Vec<String>) {
    if let Some(last) = lines.last_mut() {
        last.truncate(last.trim_end_matches(' ').len());
    }
    lines.push(String::new());
}

/// Words, each with the spaces behind it; the first with those before it.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut from = 0;
    let mut was_space = true;
    for (at, c) in text.char_indices() {
        let is_space = c == ' ';
        if was_space && !is_space && text[..at].contains(|c| c != ' ') {
            words.push(&text[from..at]);
            from = at;
        }
        was_space = is_space;
    }
    words.push(&text[from..]);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(broken("one two three", 7, 5), ["one two", "three"]);
        assert_eq!(broken("one", 7, 5), ["one"]);
        assert_eq!(broken("", 7, 5), [""]);
        assert_eq!(fitted("  a list of words\nand more", Some(18)), "  a list of words\nand more");
        assert_eq!(fitted("  a list of many words\n", Some(18)), "  a list of many\n    words\n");
        assert_eq!(fitted("a list of many words\n", None), "a list of many words\n");
    }

    #[test]
    fn a_word_that_is_too_long_is_broken() {
        assert_eq!(broken("/a/long/path/to.js", 8, 8), ["/a/long/", "path/to.", "js"]);
        assert_eq!(broken("at /a/long/path/to.js", 8, 8), ["at /a/lo", "ng/path/", "to.js"]);
    }

    #[test]
    fn colours_take_no_room_and_wide_letters_take_two() {
        assert_eq!(columns("\x1b[31mred\x1b[0m"), 3);
        assert_eq!(columns("漢字"), 4);
        assert_eq!(broken("\x1b[31mred\x1b[0m cat", 7, 7), ["\x1b[31mred\x1b[0m cat"]);
        assert_eq!(broken("漢字漢字", 4, 4), ["漢字", "漢字"]);
    }
}
