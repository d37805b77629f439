//! What became of a wish to stop, from the program to the parent: `live.txt` in the run folder. A report is one line, so that
//! whoever looks while the program runs finds whole reports.

use crate::lines::{escaped_field, unescaped};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LiveReport {
    /// The program waits for a debugger at this address.
    Halted { url: String, line: u32, function: String },
    /// What the expression gave: its type as `typeof` names it (or `null`), and the value as the source would write it.
    Value { kind: String, text: String },
    /// The expression would have changed something.
    Refused,
    /// The expression threw this.
    Threw { message: String },
    /// The event that was asked for has come, and what led to it had begun at another beginning; see [`crate::StopWish`].
    Elsewhere { start: u32 },
    /// The point was reached, and nothing could be done there.
    Failed { why: String },
}

impl LiveReport {
    pub const FILE: &'static str = "live.txt";

    /// The whole reports in a text.
    pub fn parse_all(text: &str) -> Vec<LiveReport> {
        text.split_inclusive('\n').filter_map(|line| LiveReport::parse(line.strip_suffix('\n')?)).collect()
    }

    /// `fields` are the name of a report and what it holds, as [`LiveReport::parse_all`] reads them.
    pub fn line(fields: &[String]) -> String {
        let fields: Vec<String> = fields.iter().map(|field| escaped_field(field)).collect();
        fields.join("\t") + "\n"
    }

    fn parse(line: &str) -> Option<LiveReport> {
        let fields: Vec<String> = line.split('\t').map(unescaped).collect();
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        Some(match fields[..] {
            ["halted", url, line, function] => {
                LiveReport::Halted { url: url.into(), line: line.parse().ok()?, function: function.into() }
            }
            ["value", kind, text] => LiveReport::Value { kind: kind.into(), text: text.into() },
            ["refused"] => LiveReport::Refused,
            ["threw", message] => LiveReport::Threw { message: message.into() },
            ["elsewhere", start] => LiveReport::Elsewhere { start: start.parse().ok()? },
            ["failed", why] => LiveReport::Failed { why: why.into() },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_come_back_whole_or_not_at_all() {
        let line =
            |fields: &[&str]| LiveReport::line(&fields.iter().map(|field| field.to_string()).collect::<Vec<_>>());
        let text = line(&["value", "string", "\"a\tb\\n\n\""]) + &line(&["elsewhere", "4"]);
        let value = LiveReport::Value { kind: "string".into(), text: "\"a\tb\\n\n\"".into() };
        assert_eq!(LiveReport::parse_all(&text), [value.clone(), LiveReport::Elsewhere { start: 4 }]);
        assert_eq!(LiveReport::parse_all(&text[..text.len() - 1]), [value]);
    }
}
