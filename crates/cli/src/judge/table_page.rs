//! A table of calls for people: what all were given above it, then a line for each call.

use debugger::{EndShown, InputPlacement, Judgement, QuestionShown, TableShown, Value};

use super::oracle::word_of;
use super::page::{location, name_of, tell_rows};
use super::values::{Moment, Values};
use crate::ask::Ink;
use crate::text::grouped;

/// Characters of a cell, and of what stands above the table.
const ROOM: usize = 60;
const ROOM_ABOVE: usize = 400;
const BETWEEN: &str = "  ";

/// `isOpen  door.js:3  12 of its calls; 41 of 130 calls are suspicious`
pub fn table(table: &TableShown, ink: Ink, is_whole: bool) -> String {
    let Some(first) = table.rows.first() else { return String::new() };
    let progress = format!(
        "{} of its calls; {} of {} calls are suspicious",
        table.rows.len(),
        grouped(table.n_suspicious as u64),
        grouped(table.n_calls as u64)
    );
    let mut out = format!("\n{}  {}  {}\n", ink.bold(name_of(&first.call)), location(&first.call), ink.dim(&progress));
    let above = |placement: InputPlacement| -> Vec<(String, String)> {
        let inputs = table.inputs.iter().filter(|input| input.placement == placement);
        inputs
            .filter_map(|input| Some((input.name.clone(), given(first, &input.name, is_whole, ROOM_ABOVE)?)))
            .collect()
    };
    tell_rows("given to all", &above(InputPlacement::Once), ink, &mut out);
    tell_rows("before the first, and each left it for the next", &above(InputPlacement::AtFirst), ink, &mut out);
    for line in aligned(&cells(table, is_whole)) {
        out.push_str(&format!("    {line}\n"));
    }
    for (number, row) in (1..).zip(&table.rows) {
        for claim in &row.claims {
            out.push_str(&format!("    {}  {claim}\n", ink.cyan(&format!("the source says of {number}:"))));
        }
    }
    out
}

/// A table that nobody read, and what was said of it.
pub fn asked(table: &TableShown, answers: &[Option<Judgement>]) -> String {
    let Some(first) = table.rows.first() else { return String::new() };
    let told = |word: &str, wanted: Option<Judgement>| {
        let rows: Vec<String> = (1..)
            .zip(answers)
            .filter(|(_, answer)| **answer == wanted)
            .map(|(row, _): (usize, _)| row.to_string())
            .collect();
        match rows.len() {
            0 => None,
            n if n == answers.len() => Some(format!("all {word}")),
            1 => Some(format!("{} {word}", rows[0])),
            n => Some(format!("{n} {word}")),
        }
    };
    let mut kinds: Vec<Judgement> = Vec::new();
    for answer in answers.iter().flatten() {
        if !kinds.contains(answer) {
            kinds.push(*answer);
        }
    }
    let said: Vec<String> = kinds.into_iter().filter_map(|answer| told(word_of(answer), Some(answer))).collect();
    let wrong = (1..).zip(answers).find(|(_, answer)| **answer == Some(Judgement::Invalid));
    let which = wrong.map(|(row, _): (usize, _)| format!(": {}", line_of(table, row))).unwrap_or_default();
    format!(
        "{:3}  {}  {}, {} calls  {}{which}\n",
        table.number,
        location(&first.call),
        name_of(&first.call),
        table.rows.len(),
        said.join(", ")
    )
}

/// A row by itself.
fn line_of(table: &TableShown, row: usize) -> String {
    let cells = cells(table, false);
    let named = cells[0].iter().zip(&cells[row]).skip(1).filter(|(_, cell)| !cell.is_empty());
    named.map(|(name, cell)| format!("{name} {cell}")).collect::<Vec<String>>().join(", ")
}

/// The head and the rows; columns in which nothing stands are left out.
fn cells(table: &TableShown, is_whole: bool) -> Vec<Vec<String>> {
    let in_rows: Vec<&str> = in_order(table);
    let mut head: Vec<String> = vec![String::new()];
    head.extend(in_rows.iter().map(|name| (*name).to_owned()));
    head.extend(["returned", "changed", "wrote", "waited for", "times"].map(str::to_owned));
    let room = if is_whole { usize::MAX } else { ROOM };
    let mut lines = vec![head];
    for (number, (row, n_alike)) in (1..).zip(table.rows.iter().zip(&table.n_alike)) {
        let mut cells = vec![format!("{number}")];
        cells.extend(in_rows.iter().map(|name| given(row, name, is_whole, room).unwrap_or_default()));
        cells.push(ended(row, is_whole, room));
        cells.push(changed(row, is_whole, room));
        cells.push(row.output.iter().map(|text| text.trim_end_matches('\n')).collect::<Vec<_>>().join(" ⏎ "));
        cells.push(row.awaited.iter().map(|(awaited, _)| awaited.text.clone()).collect::<Vec<_>>().join(", "));
        cells.push(if *n_alike > 0 { format!("{}", n_alike + 1) } else { String::new() });
        lines.push(cells);
    }
    let is_used: Vec<bool> =
        (0..lines[0].len()).map(|column| lines[1..].iter().any(|cells| !cells[column].is_empty())).collect();
    for cells in &mut lines {
        let mut is_used = is_used.iter();
        cells.retain(|_| is_used.next() == Some(&true));
    }
    lines
}

/// The inputs that each row tells: the receiver, then arguments as they were passed, then what is around.
fn in_order(table: &TableShown) -> Vec<&str> {
    let is_told = |name: &str| {
        table.inputs.iter().any(|input| input.name == name && input.placement == InputPlacement::InEachRow)
    };
    let mut names = Vec::new();
    for row in &table.rows {
        let this = std::iter::once("this");
        let arguments = row.arguments.iter().map(|argument| argument.name.as_str());
        let variables = row.variables.iter().map(|variable| variable.name.as_str());
        for name in this.chain(arguments).chain(variables).filter(|name| is_told(name)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// What a call was given by this name.
fn given(row: &QuestionShown, name: &str, is_whole: bool, room: usize) -> Option<String> {
    let argument = row.arguments.iter().find(|argument| argument.name == name).map(|argument| &argument.entry);
    let variable = || {
        let variable = row.variables.iter().find(|variable| variable.name == name && !variable.is_local);
        variable.and_then(|variable| variable.entry.as_ref())
    };
    let value = match name {
        "this" => row.this.as_ref(),
        _ => argument.or_else(variable),
    };
    let values = Values::of(row, is_whole);
    // Code is no state; it is told where it was passed.
    let is_told = |value: &&Value| argument.is_some() || is_whole || !values.is_code(value, Moment::Entry);
    value.filter(is_told).map(|value| values.text(value, Moment::Entry, room))
}

fn ended(row: &QuestionShown, is_whole: bool, room: usize) -> String {
    match &row.end {
        EndShown::Returned(value) => known_or_new(row, value, is_whole, room),
        EndShown::Threw(Some(value)) => format!("threw {}", value.text),
        EndShown::Threw(None) => "threw".into(),
        EndShown::Unfinished => "did not end".into(),
    }
}

fn changed(row: &QuestionShown, is_whole: bool, room: usize) -> String {
    let side = |value: &Option<Value>, is_new: bool| match value {
        None => "nothing".to_owned(),
        Some(value) if is_new => known_or_new(row, value, is_whole, room),
        Some(value) => value.text.clone(),
    };
    let is_element =
        |object: u32| row.changes.iter().any(|other| other.object == object && other.key.parse::<u32>().is_ok());
    // Elements say it.
    let is_said = |object: u32, key: &str| !is_whole && key == "length" && is_element(object);
    let fields = row.changes.iter().filter(|change| !is_said(change.object, &change.key)).map(|change| {
        let others = if change.by_others { " (by something else)" } else { "" };
        format!("{}: {} → {}{others}", change.place, side(&change.old, false), side(&change.new, true))
    });
    let variables = row.variables.iter().filter(|variable| !variable.is_local && variable.is_changed);
    let variables = variables.map(|variable| {
        format!("{}: {} → {}", variable.name, side(&variable.entry, false), side(&variable.exit, true))
    });
    fields.chain(variables).collect::<Vec<_>>().join(", ")
}

/// An object that was there before, and that the function could name, is told by its place: what it holds was told with it.
fn known_or_new(row: &QuestionShown, value: &Value, is_whole: bool, room: usize) -> String {
    let object = value.object.and_then(|number| row.objects.iter().find(|object| object.object == number));
    let place = object.filter(|object| object.entry.is_some()).and_then(|object| object.place.clone());
    place.unwrap_or_else(|| Values::of(row, is_whole).text(value, Moment::Exit, room))
}

fn aligned(lines: &[Vec<String>]) -> Vec<String> {
    let n_columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| lines.iter().map(|cells| cells[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    let line = |cells: &Vec<String>| {
        let cells = cells.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
            0 => format!("{cell:>width$}"),
            _ => format!("{cell:width$}"),
        });
        cells.collect::<Vec<_>>().join(BETWEEN).trim_end().to_owned()
    };
    lines.iter().map(line).collect()
}
