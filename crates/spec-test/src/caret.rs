//! `//   ^ last-change`: a question about what stands above the caret.

/// A question below a line of code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caret {
    /// The position that the caret points to, from 1.
    pub line: u32,
    pub column: u32,
    /// What stands behind the caret.
    pub question: String,
}

/// The questions in a source. A caret below another caret asks about the same line of code.
pub fn carets(source: &str) -> Vec<Caret> {
    let mut line_of_code = 0;
    let mut found = Vec::new();
    for (number, line) in (1..).zip(source.lines()) {
        match caret_of(line) {
            Some((column, question)) => {
                found.push(Caret { line: line_of_code, column, question: question.to_owned() });
            }
            None => line_of_code = number,
        }
    }
    found
}

fn caret_of(line: &str) -> Option<(u32, &str)> {
    let comment = line.trim_start().strip_prefix("//")?;
    let question = comment.trim_start().strip_prefix('^')?.strip_prefix(' ')?;
    let column = line.chars().position(|c| c == '^')? as u32 + 1;
    Some((column, question.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caret_below_a_caret_asks_about_the_same_line() {
        let found =
            carets("f();\nx + y;\n//  ^ last-change\n// ^ state at hit 2\ng(); // ^ no question\n//^no question");
        let caret = |column, question: &str| Caret { line: 2, column, question: question.into() };
        assert_eq!(found, [caret(5, "last-change"), caret(4, "state at hit 2")]);
    }
}
