//! Programs that were run, and answers about them as text.

use std::path::Path;

use debugger::{Answer, ChainHop, Error, Named, Point, RunChoice, Session, Value};
use ledger_language::{Ledger, Recorded, record};
use tempfile::TempDir;

pub struct Run {
    pub session: Session,
    pub recorded: Recorded,
    _folder: TempDir,
}

impl Run {
    pub fn of(source: &str) -> Run {
        debugger::add_language(&Ledger);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        let recorded = record("/shop/shop.ledger", source, &path).unwrap();
        Run { session: open(&path).unwrap(), recorded, _folder: folder }
    }
}

pub fn open(run: &Path) -> Result<Session, Error> {
    Session::open(&RunChoice(Some(run.display().to_string())), run)
}

pub fn told(answer: &Answer) -> String {
    match answer {
        Answer::LastChange(change) => {
            let reason = change.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
            format!(
                "{} {}{}: {} → {}{reason}\n",
                change.place,
                change.kind.name(),
                at(change.point.as_ref()),
                value(change.old.as_ref()),
                value(change.new.as_ref()),
            )
        }
        Answer::LastCondition(condition) => {
            let reads: Vec<String> =
                condition.reads.iter().map(|read| format!("{} = {}", read.text, read.value.text)).collect();
            format!(
                "{}{}: {} was {} ({})\n",
                condition.kind.name(),
                at(condition.point.as_ref()),
                condition.condition.as_deref().unwrap_or("-"),
                value(condition.value.as_ref()),
                reads.join(", "),
            )
        }
        Answer::History(history) => {
            let change = |change: &debugger::HistoryChange| {
                let (old, new) = (value(change.old.as_ref()), value(change.new.as_ref()));
                format!("{old} → {new}{}\n", at(Some(&change.point)))
            };
            history.changes.items.iter().map(change).collect()
        }
        Answer::Eval(value) => format!("{}\n", value.text),
        Answer::Why(chain) => {
            let summary = chain.summary.as_ref().map(|summary| format!("{summary}\n")).unwrap_or_default();
            format!("{summary}{}", hops_told(&chain.hops, None, 0))
        }
        Answer::State(state) => {
            let mut text = String::new();
            for frame in &state.frames {
                let function = frame.function.as_deref().unwrap_or("top level");
                text.push_str(&format!("{function}{}\n", at(frame.point.as_ref())));
                frame.variables.iter().for_each(|named| named_told(named, 1, &mut text));
            }
            text
        }
        Answer::Step(moved) => format!("{}\n", at(moved.point.as_ref()).trim_start()),
        Answer::Find(found) => {
            found.items.iter().map(|found| format!("{}{}\n", found.text, at(Some(&found.point)))).collect()
        }
        other => format!("{other:?}\n"),
    }
}

/// What explains a hop stands below it.
fn hops_told(hops: &[ChainHop], parent: Option<usize>, depth: usize) -> String {
    let children = hops.iter().enumerate().filter(|(_, hop)| hop.parent == parent);
    let told = children.map(|(number, hop)| {
        let end = hop.end.as_ref().map(|end| format!("; {}", end.text)).unwrap_or_default();
        let own = format!("{}{}{}{end}\n", "  ".repeat(depth), hop.words(), at(Some(&hop.point)));
        own + &hops_told(hops, Some(number), depth + 1)
    });
    told.collect()
}

fn named_told(named: &Named, depth: usize, text: &mut String) {
    text.push_str(&format!("{}{} = {}\n", "  ".repeat(depth), named.name, named.value.text));
    named.entries.iter().for_each(|entry| named_told(entry, depth + 1, text));
}

/// ` at line 7 (2 of 3)`
fn at(point: Option<&Point>) -> String {
    let Some(Point { line: Some(line), hit, n_hits, .. }) = point else { return String::new() };
    match (hit, n_hits) {
        (Some(hit), Some(n_hits)) if *n_hits > 1 => format!(" at line {line} ({hit} of {n_hits})"),
        _ => format!(" at line {line}"),
    }
}

fn value(value: Option<&Value>) -> &str {
    value.map_or("-", |value| value.text.as_str())
}
