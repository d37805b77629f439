use std::fmt;
use std::str::FromStr;

/// A point as people write it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PointText {
    /// `app.js:22`, `app.js:22:7` (the expression there), `app.js:22#3` (its third time).
    Line { file: String, line: u32, column: Option<u32>, hit: Option<u64> },
    /// `crash`
    Crash,
    /// `end`
    End,
    /// `@12345`
    Event(u64),
    /// `P2`: an earlier answer.
    Answer(u32),
    /// `out:3`, `err:3`: what wrote this line of the output.
    Output { is_error: bool, line: u64 },
}

impl FromStr for PointText {
    type Err = String;

    fn from_str(text: &str) -> Result<PointText, String> {
        let wrong = || format!("`{text}` is not a point; points are written {FORMS}");
        match text {
            "crash" => return Ok(PointText::Crash),
            "end" => return Ok(PointText::End),
            _ => {}
        }
        if let Some(number) = text.strip_prefix('@') {
            return number.parse().map(PointText::Event).map_err(|_| wrong());
        }
        if let Some(number) = text.strip_prefix(['P', 'p'])
            && let Ok(number) = number.parse()
        {
            return Ok(PointText::Answer(number));
        }
        for (prefix, is_error) in [("out:", false), ("err:", true)] {
            if let Some(line) = text.strip_prefix(prefix).and_then(positive) {
                return Ok(PointText::Output { is_error, line });
            }
        }
        of_line(text).ok_or_else(wrong)
    }
}

impl fmt::Display for PointText {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            PointText::Line { file, line, column, hit } => {
                write!(f, "{file}:{line}")?;
                column.map_or(Ok(()), |column| write!(f, ":{column}"))?;
                hit.map_or(Ok(()), |hit| write!(f, "#{hit}"))
            }
            PointText::Crash => f.write_str("crash"),
            PointText::End => f.write_str("end"),
            PointText::Event(number) => write!(f, "@{number}"),
            PointText::Answer(number) => write!(f, "P{number}"),
            PointText::Output { is_error, line } => write!(f, "{}:{line}", if *is_error { "err" } else { "out" }),
        }
    }
}

const FORMS: &str = "app.js:22, app.js:22:7, app.js:22#3, crash, end, @12345, P2, out:3 or err:3";

/// From the end: a file may be called almost anything.
fn of_line(text: &str) -> Option<PointText> {
    let (text, hit) = match text.rsplit_once('#') {
        Some((text, hit)) => (text, Some(positive(hit)?)),
        None => (text, None),
    };
    let (start, last) = text.rsplit_once(':')?;
    let last = positive(last)? as u32;
    let (file, line, column) = match start.rsplit_once(':').map(|(file, line)| (file, positive(line))) {
        Some((file, Some(line))) => (file, line as u32, Some(last)),
        _ => (start, last, None),
    };
    (!file.is_empty()).then(|| PointText::Line { file: file.into(), line, column, hit })
}

fn positive(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number| *number > 0 && *number <= u64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(file: &str, line: u32, column: Option<u32>, hit: Option<u64>) -> Result<PointText, String> {
        Ok(PointText::Line { file: file.into(), line, column, hit })
    }

    #[test]
    fn points_as_people_write_them() {
        let parse = |text: &str| text.parse::<PointText>();
        assert_eq!(parse("app.js:22"), line("app.js", 22, None, None));
        assert_eq!(parse("src/app.js:22:7"), line("src/app.js", 22, Some(7), None));
        assert_eq!(parse("app.js:22#3"), line("app.js", 22, None, Some(3)));
        assert_eq!(parse("app.js:22:7#3"), line("app.js", 22, Some(7), Some(3)));
        assert_eq!(parse("C:/a b/x.js:4"), line("C:/a b/x.js", 4, None, None));
        assert_eq!(parse("P1.js:4"), line("P1.js", 4, None, None));
        assert_eq!([parse("crash"), parse("end")], [Ok(PointText::Crash), Ok(PointText::End)]);
        assert_eq!([parse("@17"), parse("P2")], [Ok(PointText::Event(17)), Ok(PointText::Answer(2))]);
        assert_eq!(parse("out:3"), Ok(PointText::Output { is_error: false, line: 3 }));
        assert_eq!(parse("err:1"), Ok(PointText::Output { is_error: true, line: 1 }));
    }

    #[test]
    fn points_are_printed_as_they_are_written() {
        for text in
            ["app.js:22", "app.js:22:7", "app.js:22#3", "app.js:22:7#3", "crash", "end", "@17", "P2", "out:3", "err:1"]
        {
            assert_eq!(text.parse::<PointText>().map(|point| point.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn what_is_no_point() {
        for text in ["", "app.js", "app.js:", "app.js:0", ":3", "@x", "app.js:22#", "app.js:22#0", "app.js:x"] {
            assert!(text.parse::<PointText>().is_err(), "{text}");
        }
    }
}
