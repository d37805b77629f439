//! Values that the trace does not hold, because the source does: `x = 5` writes 5 each time.
//!
//! The site names the literal in the words of the source. A string gets a number that says whose literal it is
//! ([`literal_string`]), so that it looks to users like any other recorded string.

use trace_format::string_from_utf16;
use trace_model::{SiteId, StringId, Value};

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Literal {
    /// Any value but a string.
    Plain(Value),
    Text(Box<str>),
}

impl Literal {
    /// `None` for what is not a literal.
    pub fn parse(source: &str) -> Option<Literal> {
        let plain = match source {
            "undefined" => Value::Undefined,
            "null" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => {
                let quote = source.chars().next().filter(|c| matches!(c, '"' | '\''));
                return match quote {
                    Some(quote) => Some(Literal::Text(unquoted(source.strip_prefix(quote)?.strip_suffix(quote)?)?)),
                    None => number(source).map(|number| Literal::Plain(Value::Number(number))),
                };
            }
        };
        Some(Literal::Plain(plain))
    }

    /// As the value of an event of the site.
    #[inline]
    pub fn value(&self, site: SiteId) -> Value {
        match self {
            Literal::Plain(value) => *value,
            Literal::Text(_) => Value::String(StringId(LITERAL | site.0)),
        }
    }
}

/// The text that a string literal stands for.
pub fn unquoted_literal(source: &str) -> Option<String> {
    match Literal::parse(source)? {
        Literal::Text(text) => Some(text.into()),
        Literal::Plain(_) => None,
    }
}

/// The site whose literal a string is.
pub(crate) fn literal_string(id: StringId) -> Option<SiteId> {
    (id.0 & LITERAL != 0).then_some(SiteId(id.0 & !LITERAL))
}

/// Recorded strings count up from 1 and do not get this far; sites have 28 bits.
const LITERAL: u32 = 1 << 31;

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
fn unquoted(source: &str) -> Option<Box<str>> {
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
    Some(string_from_utf16(&units).into())
}

fn hex(chars: &mut impl Iterator<Item = char>, n_digits: usize) -> Option<u32> {
    let digits: String = chars.take(n_digits).collect();
    u32::from_str_radix(&digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> Literal {
        let Some(Literal::Text(text)) = Literal::parse(source) else { panic!("{source}") };
        Literal::Text(text)
    }

    #[test]
    fn literals_have_their_values() {
        let number = |source: &str| Literal::parse(source).unwrap();
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
            assert_eq!(number(source), Literal::Plain(Value::Number(value)), "{source}");
        }
        assert_eq!(Literal::parse("null"), Some(Literal::Plain(Value::Null)));
        assert_eq!(Literal::parse("nan"), None);
        assert_eq!(
            text(
                r#"'it\'s \x41\u{1F600}\
!'"#
            ),
            Literal::Text("it's A😀!".into())
        );
        assert_eq!(text(r#""\uD83D\uDE00\0""#), Literal::Text("😀\0".into()));
        assert_eq!(text(r"'\ud800'"), Literal::Text("\u{10F800}".into()));
    }
}
