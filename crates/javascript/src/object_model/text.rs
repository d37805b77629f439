//! Values in the words of the source.

use trace_model::{REDACTED, with_redactions_shown};

const MAX_LENGTH: usize = 200;

/// Whether a key can stand without quotes.
pub(super) fn is_name(key: &str) -> bool {
    !key.is_empty()
        && !key.starts_with(|c: char| c.is_ascii_digit())
        && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
}

/// A string literal. What was taken out of it is said to be.
pub(super) fn quoted(text: &str) -> String {
    let text = with_redactions_shown(text);
    if text == REDACTED {
        return text.into_owned();
    }
    let mut quoted = String::from("\"");
    for (i, c) in text.chars().enumerate() {
        if i == MAX_LENGTH {
            quoted.push('…');
            break;
        }
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            // The trace writes a surrogate that stands alone as one of these.
            '\u{10F800}'.. => quoted.push_str(&format!("\\u{:04x}", c as u32 - 0x10_F800 + 0xD800)),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                quoted.push_str(&format!("\\u{:04x}", c as u32));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// As JavaScript prints it, but for −0, which it would print as 0.
pub(super) fn number_text(number: f64) -> String {
    if number == 0.0 && number.is_sign_negative() {
        return "-0".into();
    }
    ryu_js::Buffer::new().format(number).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_javascript_prints_them() {
        let text = |number: f64| number_text(number);
        assert_eq!([text(0.0), text(-0.0), text(5.0), text(-17.25)], ["0", "-0", "5", "-17.25"]);
        assert_eq!([text(1e20), text(1e21), text(123e20)], ["100000000000000000000", "1e+21", "1.23e+22"]);
        assert_eq!([text(1e-6), text(1.5e-7), text(0.1 + 0.2)], ["0.000001", "1.5e-7", "0.30000000000000004"]);
        assert_eq!([text(f64::NAN), text(f64::NEG_INFINITY), text(1e300)], ["NaN", "-Infinity", "1e+300"]);
    }

    #[test]
    fn strings_as_the_source_writes_them() {
        assert_eq!(quoted("a\"b\\\n\u{0}é"), r#""a\"b\\\n\u0000é""#);
        assert_eq!(quoted("\u{10F800}"), r#""\ud800""#);
        assert_eq!(quoted(&"x".repeat(300)).chars().count(), MAX_LENGTH + 3);
    }
}
