//! Literals as the source has them: `x = 5` writes 5 each time, so the trace need not hold it.

use trace_model::{Literal, string_from_utf16};

/// `None` for what is not a literal.
pub(super) fn literal(source: &str) -> Option<Literal> {
    Some(match source {
        "undefined" => Literal::Undefined,
        "null" => Literal::Null,
        "true" => Literal::Bool(true),
        "false" => Literal::Bool(false),
        _ => {
            let quote = source.chars().next().filter(|c| matches!(c, '"' | '\''));
            match quote {
                Some(quote) => Literal::String(unquoted(source.strip_prefix(quote)?.strip_suffix(quote)?)?),
                None => Literal::Number(number(source)?),
            }
        }
    })
}

fn number(source: &str) -> Option<f64> {
    let digits = source.replace('_', "").to_ascii_lowercase();
    let with_radix = |digits: &str, radix: u32| -> Option<f64> {
        digits.chars().try_fold(0.0, |number, c| Some(number * f64::from(radix) + f64::from(c.to_digit(radix)?)))
    };
    match digits.get(..2) {
        Some("0x") => with_radix(&digits[2..], 16),
        Some("0o") => with_radix(&digits[2..], 8),
        Some("0b") => with_radix(&digits[2..], 2),
        // Octal as it was once written: 017, but not 018.
        Some(start) if start.starts_with('0') && digits.bytes().all(|digit| matches!(digit, b'0'..=b'7')) => {
            with_radix(&digits, 8)
        }
        _ => digits.parse().ok().filter(|_| !digits.contains(['n', 'i'])),
    }
}

/// The text between quotes, with its escapes resolved.
fn unquoted(source: &str) -> Option<String> {
    if !source.contains('\\') {
        return Some(source.into());
    }
    let mut units: Vec<u16> = Vec::new();
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
            continue;
        }
        let code = match chars.next()? {
            'n' => '\n' as u32,
            't' => '\t' as u32,
            'r' => '\r' as u32,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'x' => hex(&mut chars, 2)?,
            'u' if chars.next_if_eq(&'{').is_some() => {
                let digits: String = chars.by_ref().take_while(|c| *c != '}').collect();
                u32::from_str_radix(&digits, 16).ok()?
            }
            'u' => hex(&mut chars, 4)?,
            '\r' => {
                chars.next_if_eq(&'\n');
                continue;
            }
            '\n' | '\u{2028}' | '\u{2029}' => continue,
            digit @ '0'..='7' => {
                let mut code = digit.to_digit(8)?;
                let most = if code < 4 { 2 } else { 1 };
                for _ in 0..most {
                    let Some(next) = chars.next_if(|c| c.is_digit(8)) else { break };
                    code = code * 8 + next.to_digit(8)?;
                }
                code
            }
            other => other as u32,
        };
        match char::from_u32(code) {
            Some(c) => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
            None => units.push(u16::try_from(code).ok()?),
        }
    }
    Some(string_from_utf16(&units))
}

fn hex(chars: &mut impl Iterator<Item = char>, n_digits: usize) -> Option<u32> {
    let digits: String = chars.take(n_digits).collect();
    u32::from_str_radix(&digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> Literal {
        literal(source).unwrap()
    }

    #[test]
    fn literals_have_their_values() {
        let number = |source: &str| literal(source).unwrap();
        for (source, value) in [
            ("0", 0.0),
            ("5.", 5.0),
            (".5e1", 5.0),
            ("1_000", 1000.0),
            ("0xFF", 255.0),
            ("0b11", 3.0),
            ("017", 15.0),
            ("018", 18.0),
            ("1e400", f64::INFINITY),
        ] {
            assert_eq!(number(source), Literal::Number(value), "{source}");
        }
        assert_eq!(literal("null"), Some(Literal::Null));
        assert_eq!(literal("nan"), None);
        assert_eq!(
            text(
                r#"'it\'s \x41\u{1F600}\
!'"#
            ),
            Literal::String("it's A😀!".into())
        );
        assert_eq!(text(r#""\uD83D\uDE00\0""#), Literal::String("😀\0".into()));
        assert_eq!(text(r"'\ud800'"), Literal::String("\u{10F800}".into()));
    }
}
