//! Text without the numbers of objects, which another run may give to others.

/// `#17 {n: 1}` becomes `{n: 1}`, and an object of which only the number is told `{…}`.
pub fn without_numbers(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c == '"' {
            let end = string_end(rest);
            plain.push_str(&rest[..end]);
            rest = &rest[end..];
        } else if let Some(behind) = behind_number(rest) {
            match behind.strip_prefix(' ').filter(|preview| is_preview(preview)) {
                Some(preview) => rest = preview,
                None => {
                    plain.push_str("{…}");
                    rest = behind;
                }
            }
        } else {
            plain.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    plain
}

fn behind_number(text: &str) -> Option<&str> {
    let digits = text.strip_prefix('#')?;
    let behind = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    (behind.len() < digits.len()).then_some(behind)
}

fn is_preview(text: &str) -> bool {
    let behind_name = text.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'));
    text.starts_with(|c: char| matches!(c, '{' | '[') || c.is_uppercase())
        || text.starts_with("function")
        || text.starts_with("class")
        || behind_name.starts_with(" {")
        || behind_name.starts_with(" [")
}

/// Behind the quote that closes the string at the start of the text.
fn string_end(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let closes = *c == '"' && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        closes
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_objects_are_left_out() {
        assert_eq!(without_numbers("#17 {n: #3, s: \"#4 \\\" #5\"}"), "{n: {…}, s: \"#4 \\\" #5\"}");
        assert_eq!(without_numbers("threw #2 RangeError: x"), "threw RangeError: x");
        assert_eq!(without_numbers("f became #9 function f, this.#n was #1"), "f became function f, this.#n was {…}");
        assert_eq!(without_numbers("#3 point {x: 1}"), "point {x: 1}");
        assert_eq!(without_numbers("1 → 2"), "1 → 2");
    }
}
