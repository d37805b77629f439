//! Questions for people: compact, what changed first.

use debugger::{
    CallRef, ChangeShown, EndShown, FoundCall, Judgement, QuestionShown, ValueType, VariableShown, VerdictShown,
};

use super::oracle::word_of;
use super::values::{Moment, Values};
use crate::ask::Ink;
use crate::text::grouped;

/// Characters of a value, and lines of changes, before the rest is folded.
const ROOM: usize = 160;
const MOST_CHANGES: usize = 12;
const MOST_OUTPUT: usize = 5;
/// Variables around the call that it did not change, and objects that it inherits from.
const MOST_OUTER: usize = 3;
const MOST_AUTOMATIC: usize = 4;
const MOST_STEPS: usize = 40;
/// Characters of an argument in the title.
const MOST_OF_ARGUMENT: usize = 24;

/// `3  merge(…)  merge.js:5  @230, 41 of 130 calls are suspicious`
pub fn question(question: &QuestionShown, ink: Ink, is_whole: bool) -> String {
    let mut out = String::from("\n");
    let progress = format!(
        "{} of {} calls are suspicious",
        grouped(question.n_suspicious as u64),
        grouped(question.n_calls as u64)
    );
    out.push_str(&format!(
        "{}  {}  {}\n",
        ink.bold(&call_text(question)),
        location(&question.call),
        ink.dim(&progress)
    ));
    body(question, ink, is_whole, &mut out);
    out
}

/// A question that nobody read, and its answer.
pub fn asked(question: &QuestionShown, answer: Judgement) -> String {
    format!("{:3}  {}  {}  {}\n", question.number, location(&question.call), call_text(question), word_of(answer))
}

pub fn verdicts(verdicts: &[VerdictShown]) -> String {
    let line = |verdict: &VerdictShown| match &verdict.call {
        Some(call) => format!("    {}  @{}  {}  ({})\n", call.text(), call.event, verdict.what, verdict.why),
        None => format!("    {}  ({})\n", verdict.what, verdict.why),
    };
    match verdicts {
        [] => "no verdicts yet\n".to_owned(),
        verdicts => verdicts.iter().map(line).collect(),
    }
}

/// Verdicts that nobody had to give, and why.
pub fn automatic(verdicts: &[VerdictShown]) -> String {
    let mut out = String::new();
    for verdict in verdicts.iter().take(MOST_AUTOMATIC) {
        if let Some(call) = &verdict.call {
            out.push_str(&format!("  =  {}  {}  {}: {}\n", location(call), name_of(call), verdict.what, verdict.why));
        }
    }
    if verdicts.len() > MOST_AUTOMATIC {
        out.push_str(&format!("  =  and {} more calls\n", verdicts.len() - MOST_AUTOMATIC));
    }
    out
}

pub fn name_of(call: &CallRef) -> &str {
    call.function.as_deref().unwrap_or("the top level")
}

/// The end: the wrong call, and what happened in it.
pub fn found(found: &FoundCall, ink: Ink) -> String {
    let name = match &found.call.function {
        Some(function) => format!("`{function}`"),
        None => "the top level".to_owned(),
    };
    let place = location(&found.call);
    let Some(question) = &found.question else {
        return format!("\n{} is wrong: all that it called was right\n", ink.bold(&name));
    };
    let values = Values::of(question, false);
    let did = match &question.end {
        EndShown::Returned(value) => format!("returned {}", values.text(value, Moment::Exit, ROOM)),
        EndShown::Threw(Some(value)) => format!("threw {}", value.text),
        EndShown::Threw(None) => "threw".to_owned(),
        EndShown::Unfinished => "did not end".to_owned(),
    };
    let mut out =
        format!("\n{} is wrong: its inputs were right and it {did}\n", ink.bold(&format!("{name} ({place})")),);
    out.push_str(&format!(
        "found with {} of {} calls; the verdicts are kept with the run\n\n",
        n_questions(found.n_questions),
        grouped(found.n_calls as u64)
    ));
    out.push_str(&format!("{}\n", ink.bold(&call_text(question))));
    body(question, ink, false, &mut out);
    out.push_str("\nwhat happened in it:\n");
    let width = found.steps.iter().map(|step| step.event.to_string().len() + 1).max().unwrap_or(0);
    for step in found.steps.iter().take(MOST_STEPS) {
        let event = format!("@{}", step.event);
        let line = step.line.map(|line| line.to_string()).unwrap_or_default();
        let old = step.old.as_ref().map(|old| format!("   (was {old})")).unwrap_or_default();
        out.push_str(&format!(
            "    {}  {line:>4}  {} {}{old}\n",
            ink.dim(&format!("{event:width$}")),
            step.kind,
            step.text
        ));
    }
    let event = found.call.event;
    if found.steps.len() > MOST_STEPS || found.is_cut {
        out.push_str(&format!("    … `wherefore events --call @{event}` shows all\n"));
    }
    out.push_str(&format!(
        "\nforwards and backwards: wherefore events --call @{event} · wherefore state --at @N · wherefore history PLACE --at @N\n"
    ));
    out
}

fn body(question: &QuestionShown, ink: Ink, is_whole: bool, out: &mut String) {
    let values = Values::of(question, is_whole);
    let room = if is_whole { usize::MAX } else { ROOM };
    let mut rows: Vec<(String, String)> = Vec::new();
    if let Some(this) = &question.this {
        rows.push(("this".into(), values.text(this, Moment::Entry, room)));
    }
    for argument in &question.arguments {
        rows.push((argument.name.clone(), values.text(&argument.entry, Moment::Entry, room)));
    }
    let inherited = question.objects.iter().filter_map(|object| {
        let place = object.place.as_ref().filter(|place| place.ends_with(".__proto__"))?;
        Some((place.clone(), values.state(object, Moment::Entry, room / 2)?))
    });
    rows.extend(inherited.take(if is_whole { usize::MAX } else { MOST_OUTER }));
    // Variables of others that nobody changed are folded.
    let outer = question.variables.iter().filter(|variable| !variable.is_local && (is_whole || !variable.is_changed));
    let is_state = |variable: &&VariableShown| {
        is_whole || !variable.entry.as_ref().is_some_and(|entry| values.is_code(entry, Moment::Entry))
    };
    let outer: Vec<_> = outer.filter(is_state).collect();
    let most_outer = if is_whole { usize::MAX } else { MOST_OUTER };
    for variable in outer.iter().take(most_outer) {
        if let Some(entry) = &variable.entry {
            rows.push((variable.name.clone(), values.text(entry, Moment::Entry, room / 2)));
        }
    }
    tell_rows("given", &rows, ink, out);

    let mut did: Vec<(String, String)> = Vec::new();
    match &question.end {
        EndShown::Returned(value) => did.push(("returned".into(), values.text(value, Moment::Exit, room))),
        EndShown::Threw(Some(value)) => did.push(("threw".into(), value.text.clone())),
        EndShown::Threw(None) => did.push(("threw".into(), "an exception that was not captured".into())),
        EndShown::Unfinished => did.push(("did not end".into(), String::new())),
    }
    for variable in question.variables.iter().filter(|variable| !variable.is_local && variable.is_changed) {
        let side = |value: &Option<debugger::Value>, moment| {
            value.as_ref().map_or("nothing".to_owned(), |value| values.text(value, moment, room / 2))
        };
        let text = format!("{} → {}", side(&variable.entry, Moment::Entry), side(&variable.exit, Moment::Exit));
        did.push((variable.name.clone(), ink.red(&text)));
    }
    let most = if is_whole { usize::MAX } else { MOST_CHANGES };
    // Elements that came or went say it.
    let is_said = |change: &&ChangeShown| {
        let is_element = |other: &ChangeShown| other.object == change.object && other.key.parse::<u32>().is_ok();
        !is_whole && change.key == "length" && question.changes.iter().any(is_element)
    };
    for change in question.changes.iter().filter(|change| !is_said(change)).take(most) {
        let side = |value: &Option<debugger::Value>, moment| {
            value.as_ref().map_or("nothing".to_owned(), |value| values.text(value, moment, room / 2))
        };
        let others = if change.by_others { "  (by something else, meanwhile)" } else { "" };
        let text = format!("{} → {}", side(&change.old, Moment::Entry), side(&change.new, Moment::Exit));
        did.push((change.place.clone(), format!("{}{others}", ink.red(&text))));
    }
    tell_rows("did", &did, ink, out);
    if question.changes.len() > most {
        out.push_str(&format!("    … and {} more changes; m shows all\n", question.changes.len() - most));
    }
    let n_output = if is_whole { usize::MAX } else { MOST_OUTPUT };
    for text in question.output.iter().take(n_output) {
        out.push_str(&format!("    {}  {}\n", ink.cyan("wrote"), text.trim_end_matches('\n')));
    }
    if question.output.len() > n_output {
        out.push_str(&format!("    … and {} more lines of output\n", question.output.len() - n_output));
    }
    for (awaited, result) in question.awaited.iter().take(most) {
        let result = result.as_ref().map_or("nothing yet".to_owned(), |result| result.text.clone());
        out.push_str(&format!("    {}  {} and got {result}\n", ink.cyan("waited for"), awaited.text));
    }
    if question.outlived_by > 0 {
        out.push_str(&format!(
            "    {} that it started went on after it; what they did is counted in\n",
            n_calls(question.outlived_by)
        ));
    }
    for claim in &question.claims {
        out.push_str(&format!("    {}  {claim}\n", ink.cyan("the source says:")));
    }
    for unknown in &question.unknown {
        out.push_str(&format!("    {}  {unknown}\n", ink.dim("not known:")));
    }
}

pub fn tell_rows(title: &str, rows: &[(String, String)], ink: Ink, out: &mut String) {
    if rows.is_empty() {
        return;
    }
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    out.push_str(&format!("  {title}\n"));
    for (name, text) in rows {
        out.push_str(&format!("    {}  {text}\n", ink.cyan(&format!("{name:width$}"))).replace("  \n", "\n"));
    }
}

/// `merge(a, b)`
fn call_text(question: &QuestionShown) -> String {
    let Some(function) = &question.call.function else { return "the top level".into() };
    let values = Values::of(question, false);
    let short = |value: &debugger::Value| {
        let text = match value.kind {
            ValueType::Function => values.text(value, Moment::Entry, 0),
            _ => value.text.clone(),
        };
        if text.chars().count() <= MOST_OF_ARGUMENT {
            return text;
        }
        // What was opened is closed.
        match text.find(['{', '[']).filter(|_| value.object.is_some()) {
            Some(at) if text[at..].starts_with('{') => format!("{}{{…}}", &text[..at]),
            Some(at) => format!("{}[…]", &text[..at]),
            None => format!("{}…", text.chars().take(MOST_OF_ARGUMENT).collect::<String>()),
        }
    };
    let arguments: Vec<String> = question.arguments.iter().map(|argument| short(&argument.entry)).collect();
    format!("{function}({})", arguments.join(", "))
}

pub fn location(call: &CallRef) -> String {
    match call.line {
        Some(line) => format!("{}:{line}", call.file),
        None => call.file.clone(),
    }
}

fn n_questions(n: usize) -> String {
    if n == 1 { "one question".into() } else { format!("{n} questions") }
}

fn n_calls(n: usize) -> String {
    if n == 1 { "a call".into() } else { format!("{n} calls") }
}
