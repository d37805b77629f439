use std::collections::HashSet;

use trace_store::{CodeUnit, Run};

use crate::Session;
use crate::event_line::relative;

/// Something that ran and was not recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotCaptured {
    /// Relative to where the program was started; nothing if it was more than a file, a whole process for example.
    pub file: Option<String>,
    /// Nothing if it is the whole file.
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub reason: String,
    /// The package of the file, where it is known that it is not the project's own.
    pub package: Option<String>,
}

/// What was not recorded and why: first the problems, then constructs of recorded files, file by file. The second list says
/// which files cannot be asked.
pub fn not_captured(session: &Session) -> (Vec<NotCaptured>, Vec<String>) {
    not_captured_with(session.run(), &session.run().problems())
}

/// The same where the problems are known already: on a full disk they are not in the run.
pub(crate) fn not_captured_with(run: &Run, problems: &[String]) -> (Vec<NotCaptured>, Vec<String>) {
    let folder = &run.file().folder;
    let mut all: Vec<_> = problems.iter().map(|line| of_problem(line, folder)).collect();
    let mut notes = run.notes().to_vec();
    for unit in units(run) {
        match unit.code() {
            Ok(code) => {
                let gaps = code.sites.not_captured.iter();
                all.extend(gaps.map(|(span, why)| of_construct(unit, span.start, code.sites.name(*why), folder)));
            }
            Err(why) => notes.push(format!("{why}: what is not captured of {} is not known", unit.record.path)),
        }
    }
    (all, notes)
}

/// The files of which nothing was recorded, in a sentence.
pub(crate) fn files_not_captured(run: &Run) -> Option<String> {
    let folder = &run.file().folder;
    let problems: Vec<NotCaptured> = run.problems().iter().map(|line| of_problem(line, folder)).collect();
    let mut files: Vec<(&str, &str)> =
        problems.iter().filter_map(|problem| Some((problem.file.as_deref()?, problem.reason.as_str()))).collect();
    files.dedup();
    match files[..] {
        [] => None,
        [(file, reason)] => Some(format!("{file} was not recorded ({reason}): what its code could do is not known")),
        [(file, _), ..] => Some(format!(
            "{file} and {} more were not recorded: what their code could do is not known",
            files.len() - 1
        )),
    }
}

/// Each piece of code once, however many processes loaded it.
pub(crate) fn units(run: &Run) -> Vec<&CodeUnit> {
    let mut seen = HashSet::new();
    let all = run.threads().iter().flat_map(|thread| thread.code().units());
    all.filter(|unit| seen.insert((unit.record.hash, &unit.record.path))).collect()
}

/// The addon writes `<file> is not captured: <why>`, and sentences of other kinds.
fn of_problem(line: &str, folder: &str) -> NotCaptured {
    let (file, reason) = match line.split_once(" is not captured: ") {
        Some((file, reason)) => (Some(relative(file, folder).into()), reason),
        None => (None, line),
    };
    NotCaptured { file, line: None, column: None, reason: reason.into(), package: None }
}

fn of_construct(unit: &CodeUnit, offset: u32, reason: &str, folder: &str) -> NotCaptured {
    let place = unit.place(offset);
    NotCaptured {
        file: Some(relative(place.map_or(&unit.record.path, |place| place.path), folder).into()),
        line: place.map(|place| place.position.line),
        column: place.map(|place| place.position.column),
        reason: reason.into(),
        package: unit.record.origin.package().map(str::to_owned),
    }
}
