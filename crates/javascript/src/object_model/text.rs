//! Values in the words of the source.

use trace_model::{REDACTED, with_redactions_shown};

/// Of a longer text so much is shown, in characters.
pub(super) const MAX_LENGTH: usize = 200;

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
pub(crate) fn number_text(number: f64) -> String {
    if number == 0.0 && number.is_sign_negative() {
        return "-0".into();
    }
    ryu_js::Buffer::new().format(number).to_owned()
}

/// As `toISOString` of a Date writes it, from milliseconds since 1970. `None`: it is no date.
pub(crate) fn date_text(time: f64) -> Option<String> {
    if !time.is_finite() || time.abs() > LATEST {
        return None;
    }
    let (days, of_day) = ((time as i64).div_euclid(DAY), (time as i64).rem_euclid(DAY));
    // Years that begin in March have their leap day at the end; eras of 400 of them have the same length.
    let from_era_zero = days + 719_468;
    let (era, day_of_era) = (from_era_zero.div_euclid(146_097), from_era_zero.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    let year = match year {
        0..=9999 => format!("{year:04}"),
        year => format!("{}{:06}", if year < 0 { '-' } else { '+' }, year.abs()),
    };
    let (seconds, millis) = (of_day / 1000, of_day % 1000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    Some(format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z"))
}

const DAY: i64 = 86_400_000;
/// In milliseconds, to both sides of 1970.
const LATEST: f64 = 8.64e15;

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
    fn dates_as_javascript_prints_them() {
        let text = |time: f64| date_text(time).unwrap_or_default();
        assert_eq!(text(2_531_966_400_000.0), "2050-03-27T04:00:00.000Z");
        assert_eq!(text(-1.0), "1969-12-31T23:59:59.999Z");
        assert_eq!(text(951_782_400_001.0), "2000-02-29T00:00:00.001Z");
        assert_eq!([text(8.64e15), text(-8.64e15)], ["+275760-09-13T00:00:00.000Z", "-271821-04-20T00:00:00.000Z"]);
        assert_eq!([date_text(f64::NAN), date_text(8.65e15)], [None, None]);
    }

    #[test]
    fn strings_as_the_source_writes_them() {
        assert_eq!(quoted("a\"b\\\n\u{0}é"), r#""a\"b\\\n\u0000é""#);
        assert_eq!(quoted("\u{10F800}"), r#""\ud800""#);
        assert_eq!(quoted(&"x".repeat(300)).chars().count(), MAX_LENGTH + 3);
    }
}
