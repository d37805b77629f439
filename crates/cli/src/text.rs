//! Numbers, sizes and times for people.

use std::time::Duration;

/// `1,234,567`
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `1 variable`, `2,000 variables`.
pub fn counted(n: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// `5.6 MB`
pub fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["B", "kB", "MB", "GB"] {
        if value < 999.5 {
            return if unit == "B" || value >= 99.95 {
                format!("{value:.0} {unit}")
            } else {
                format!("{value:.1} {unit}")
            };
        }
        value /= 1000.0;
    }
    format!("{value:.1} TB")
}

/// `3 minutes ago`
pub fn ago(micros: u64) -> String {
    let seconds = micros / 1_000_000;
    let (number, unit) = match seconds {
        0..60 => return "just now".into(),
        60..3600 => (seconds / 60, "minute"),
        3600..86_400 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{number} {unit}{} ago", if number == 1 { "" } else { "s" })
}

/// `30s`, `2m`, `500ms`, `1h`
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a time; times are written 500ms, 30s, 2m, 1h");
    let at = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(wrong)?;
    let number: f64 = text[..at].parse().map_err(|_| wrong())?;
    let unit = match &text[at..] {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    Duration::try_from_secs_f64(number * unit).ok().filter(|time| !time.is_zero()).ok_or_else(wrong)
}

/// `2026-01-31T12:00:00.123456Z`, from microseconds since 1970.
pub fn iso_time(micros: u64) -> String {
    let (seconds, micros) = (micros / 1_000_000, micros % 1_000_000);
    let (days, of_day) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March have their leap day at the end; eras of 400 of them have the same length.
    let from_era_zero = days + 719_468;
    let era = from_era_zero / 146_097;
    let day_of_era = from_era_zero % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}Z")
}

/// `500MB`, `2 GB`, `64k`, `4096`
pub fn parse_size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let factor = match text[end..].trim().to_ascii_lowercase().trim_end_matches('b') {
        "" => 1e0,
        "k" => 1e3,
        "m" => 1e6,
        "g" => 1e9,
        "t" => 1e12,
        _ => return Err("a size is written 500MB or 2GB".into()),
    };
    match text[..end].parse::<f64>() {
        Ok(number) if number > 0.0 => Ok((number * factor) as u64),
        Ok(_) => Err("a size must be more than 0".into()),
        Err(_) => Err("a size is written 500MB or 2GB".into()),
    }
}

/// A command as a shell would take it.
pub fn shell_words(words: &[String]) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./=:@%+,".contains(c);
    let word = |word: &String| match word.chars().all(is_plain) && !word.is_empty() {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_sizes() {
        assert_eq!([grouped(7), grouped(1234), grouped(1234567)], ["7", "1,234", "1,234,567"]);
        assert_eq!([size(17), size(5_600_000), size(999_999), size(123_456)], ["17 B", "5.6 MB", "1.0 MB", "123 kB"]);
        assert_eq!(parse_size("1.5 GB"), Ok(1_500_000_000));
        assert_eq!([parse_size("64k"), parse_size("4096")], [Ok(64_000), Ok(4096)]);
        assert!(parse_size("big").is_err() && parse_size("5 parsecs").is_err() && parse_size("0").is_err());
    }

    #[test]
    fn times() {
        assert_eq!(iso_time(951_782_400_000_001), "2000-02-29T00:00:00.000001Z");
        assert_eq!(iso_time(0), "1970-01-01T00:00:00.000000Z");
        assert_eq!([ago(5_000_000), ago(60_000_000), ago(7_200_000_000)], ["just now", "1 minute ago", "2 hours ago"]);
    }

    #[test]
    fn commands() {
        assert_eq!(shell_words(&["node".into(), "a b".into(), "it's".into()]), r"node 'a b' 'it'\''s'");
    }
}
