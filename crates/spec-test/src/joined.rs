//! Where the lines of a program are broken does not matter to why it failed: each program is also run with all of it on one line, and
//! must have the same explanation, but for the places.

use crate::{Spec, answers, program};

/// Whether the program of a specification can be put on one line, and nothing but why it failed is asked.
pub fn can_be_joined(spec: &Spec) -> bool {
    let questions = || spec.exchanges.iter().flat_map(|exchange| &exchange.questions);
    let asks_why = questions().all(|it| it.kind == "why" && it.subject.is_none() && it.point.is_none());
    asks_why && spec.files.iter().all(|(name, text)| is_script(name) && joined(text).is_some())
}

/// Compares the explanation of a program with that of the same on one line.
pub fn check_joined(spec: &Spec) -> Result<(), String> {
    let explained = |spec: &Spec| -> Result<Vec<String>, String> {
        let program = program::run(spec)?;
        Ok(answers::answers(&program.run, spec)?.iter().flat_map(|answer| told(answer)).collect())
    };
    let mut on_one_line = spec.clone();
    for (_, text) in &mut on_one_line.files {
        *text = joined(text).ok_or("the program cannot be put on one line")?;
    }
    let (own, other) = (explained(spec)?, explained(&on_one_line)?);
    if own == other {
        return Ok(());
    }
    Err(format!("--- as it is written\n{}\n--- on one line\n{}", own.join("\n"), other.join("\n")))
}

fn is_script(name: &str) -> bool {
    [".js", ".mjs", ".cjs"].iter().any(|end| name.ends_with(end))
}

/// A program on one line. `None`: a line break may mean something in it.
fn joined(text: &str) -> Option<String> {
    if text.contains("//") || text.contains("/*") || text.contains('`') {
        return None;
    }
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    for pair in lines.windows(2) {
        let is_open = pair[0].ends_with(|c: char| ";{}(),[&|+-?:=>".contains(c));
        let goes_on = pair[1].starts_with(|c: char| ")]}.?:&|=".contains(c));
        if !is_open && !goes_on {
            return None;
        }
    }
    Some(lines.join(" ") + "\n")
}

/// What each line of an answer says, with its depth and without its place and source.
fn told(answer: &str) -> Vec<String> {
    let says = |line: &str| {
        let text = line.trim_start();
        let depth = line.len() - text.len();
        let words = text.split_once("    ").map_or(text, |(_, words)| words);
        format!("{}{}", " ".repeat(depth), without_lines(words))
    };
    // Which lines write something tells the places.
    answer.lines().filter(|line| !line.trim_start().starts_with("written in ")).map(says).collect()
}

/// `list.push(x) (main.js:5) was not executed` without the line.
fn without_lines(words: &str) -> String {
    let mut parts = words.split("js:");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "js:" + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_without_lines() {
        assert_eq!(without_lines("f(x) (a.js:12) was not executed"), "f(x) (a.js:) was not executed");
        assert_eq!(without_lines("x became 5"), "x became 5");
    }

    #[test]
    fn programs_on_one_line() {
        assert_eq!(joined("f(\n  1,\n);\n\ng();\n").as_deref(), Some("f( 1, ); g();\n"));
        assert_eq!(joined("a\n  .b();\n").as_deref(), Some("a .b();\n"));
        assert_eq!(joined("a = 1\nb = 2\n"), None);
        assert_eq!(joined("f(); // g\n"), None);
    }

    #[test]
    fn what_is_told_without_places() {
        assert_eq!(
            told("uncaught: x\n  2: a = 1    a became 1    (literal)\n"),
            ["uncaught: x", "  a became 1    (literal)"]
        );
    }
}
