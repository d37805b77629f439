//! What is said to a table of calls.

use debugger::{Judgement, QuestionShown, TableShown};

use super::conduct::Reply;
use crate::failure::Failure;

pub enum TableReply {
    Said(Said),
    /// Its calls are to be asked about one by one.
    Singly,
    /// Show all of a row.
    Row(usize),
    Undo,
    /// Show all of it.
    More,
    /// Show what was said so far.
    Verdicts,
    Quit,
}

/// What was said of each row, and the place that is wrong of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Said {
    pub rows: Vec<Option<Judgement>>,
    pub wrong: Option<(usize, String)>,
}

/// Somebody answers for each row, up to the first that is wrong; of some there may be nothing to say.
pub fn by_rows(
    table: &TableShown,
    reply: &mut dyn FnMut(&QuestionShown) -> Result<Option<Reply>, Failure>,
) -> Result<TableReply, Failure> {
    let mut said = Said { rows: vec![None; table.rows.len()], wrong: None };
    for (number, row) in table.rows.iter().enumerate() {
        let Some(reply) = reply(row)? else { continue };
        let answer = match reply {
            Reply::Answer(answer) => answer,
            Reply::Wrong(place) => {
                said.wrong = Some((number, place));
                Judgement::Invalid
            }
            Reply::Undo => return Ok(TableReply::Undo),
            Reply::More => return Ok(TableReply::More),
            Reply::Verdicts => return Ok(TableReply::Verdicts),
            Reply::Quit => return Ok(TableReply::Quit),
        };
        said.rows[number] = Some(answer);
        // Trust is of all rows.
        if !matches!(answer, Judgement::Valid | Judgement::Unknown) {
            break;
        }
    }
    Ok(TableReply::Said(said))
}

/// `a`, `3`, `3 return.total`, `d`, `d 2 5`, `r 3`: what a line means for a table of so many rows; `None` if nothing.
pub fn reply_of_line(line: &str, n_rows: usize) -> Option<TableReply> {
    let mut words = line.split_whitespace();
    let first = words.next()?;
    let row = |word: &str| word.parse::<usize>().ok().filter(|row| (1..=n_rows).contains(row)).map(|row| row - 1);
    let all = |answer| TableReply::Said(Said { rows: vec![Some(answer); n_rows], wrong: None });
    if let Some(wrong) = row(first) {
        let verdict = |row: usize| match row.cmp(&wrong) {
            std::cmp::Ordering::Less => Some(Judgement::Valid),
            std::cmp::Ordering::Equal => Some(Judgement::Invalid),
            std::cmp::Ordering::Greater => None,
        };
        let place = words.next().map(|place| (wrong, place.to_owned()));
        return Some(TableReply::Said(Said { rows: (0..n_rows).map(verdict).collect(), wrong: place }));
    }
    Some(match first {
        "a" | "v" => all(Judgement::Valid),
        "d" => {
            let rows: Vec<usize> = words.map(row).collect::<Option<_>>()?;
            if rows.is_empty() {
                return Some(all(Judgement::Unknown));
            }
            let verdict = |row: usize| rows.contains(&row).then_some(Judgement::Unknown);
            TableReply::Said(Said { rows: (0..n_rows).map(verdict).collect(), wrong: None })
        }
        "t" => {
            let mut rows = vec![None; n_rows];
            rows[0] = Some(Judgement::TrustFunction);
            TableReply::Said(Said { rows, wrong: None })
        }
        "r" => TableReply::Row(row(words.next()?)?),
        "o" => TableReply::Singly,
        "u" => TableReply::Undo,
        "m" => TableReply::More,
        "s" => TableReply::Verdicts,
        "q" => TableReply::Quit,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> Option<String> {
        let TableReply::Said(said) = reply_of_line(line, 4)? else { return None };
        let letter = |answer: &Option<Judgement>| match answer {
            Some(Judgement::Valid) => 'v',
            Some(Judgement::Invalid) => 'i',
            Some(Judgement::Unknown) => 'd',
            Some(_) => 't',
            None => '-',
        };
        let place = said.wrong.map(|(row, place)| format!(" {row} {place}")).unwrap_or_default();
        Some(said.rows.iter().map(letter).collect::<String>() + &place)
    }

    #[test]
    fn lines_and_what_they_say_of_the_rows() {
        assert_eq!(said("a").as_deref(), Some("vvvv"));
        assert_eq!(said("3").as_deref(), Some("vvi-"));
        assert_eq!(said("1 return.total").as_deref(), Some("i--- 0 return.total"));
        assert_eq!(said("d").as_deref(), Some("dddd"));
        assert_eq!(said("d 2 4").as_deref(), Some("-d-d"));
        assert_eq!(said("t").as_deref(), Some("t---"));
        for nothing in ["", "5", "0", "d 9", "x", "r 7", "-1"] {
            assert!(reply_of_line(nothing, 4).is_none(), "{nothing}");
        }
        assert!(matches!(reply_of_line("r 2", 4), Some(TableReply::Row(1))));
    }
}
