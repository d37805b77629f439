//! What is said of the tools that ran in the same processes as the program and were not recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use trace_format::{LoadedFile, RunSettings};
use trace_model::{Origin, ends_with_path};
use trace_store::Run;

use crate::RecordedCode;

impl RecordedCode {
    /// As a run was recorded.
    pub(crate) fn of(run: &Run) -> RecordedCode {
        let text = fs::read_to_string(run.folder().join(RunSettings::NAME)).unwrap_or_default();
        RunSettings::parse(&text).map_or_else(RecordedCode::default, |settings| RecordedCode {
            include: settings.include,
            exclude: settings.exclude,
            packages: settings.packages,
            tools: settings.has_tools,
        })
    }
}

/// The files that the processes of a run loaded, each once.
pub(crate) fn loaded_files(run: &Run) -> Vec<LoadedFile> {
    let entries = fs::read_dir(run.folder()).into_iter().flatten().flatten();
    let mut files: BTreeMap<(String, Origin), LoadedFile> = BTreeMap::new();
    for entry in entries.filter(|it| it.path().extension().is_some_and(|ending| ending == LoadedFile::ENDING)) {
        for file in LoadedFile::read(&fs::read_to_string(entry.path()).unwrap_or_default()) {
            files.entry((file.path.clone(), file.origin.clone())).or_insert(file);
        }
    }
    files.into_values().collect()
}

/// The tool that a file belongs to which the run loaded and did not record.
pub(crate) fn tool_of(run: &Run, file: &str) -> Option<String> {
    let found =
        loaded_files(run).into_iter().find(|loaded| loaded.origin.is_tool() && ends_with_path(&loaded.path, file));
    found.and_then(|loaded| loaded.origin.package().map(str::to_owned))
}

/// What was recorded and what was not, where tools ran.
pub(crate) fn told_of_tools(run: &Run) -> Option<String> {
    let code = RecordedCode::of(run);
    if code.tools || !code.include.is_empty() {
        return None;
    }
    let files = loaded_files(run);
    let packages = |wanted: fn(&Origin) -> bool| -> BTreeSet<&str> {
        let origins = files.iter().map(|file| &file.origin).filter(|origin| wanted(origin));
        origins.filter_map(Origin::package).collect()
    };
    let is_library = |origin: &Origin| matches!(origin, Origin::Library(_));
    let (libraries, mut tools) = (packages(is_library), packages(Origin::is_tool));
    tools.retain(|name| !libraries.contains(name) && !code.packages.iter().any(|package| package == name));
    if tools.is_empty() {
        return None;
    }
    let n_own = files.iter().filter(|file| file.origin.is_own()).count();
    let left_out = format!("{} of tools ({})", counted(tools.len(), "package"), some(&started_first(run, &tools)));
    Some(match (n_own, libraries.len()) {
        (0, 0) => format!(
            "nothing of the program was recorded: only {left_out} ran; --include-tools records them, --include-package NAME one of them"
        ),
        (_, 0) => {
            format!("recorded {} of the program, not {left_out}; --include-tools records them", counted(n_own, "file"))
        }
        (_, n_libraries) => {
            let names: Vec<&str> = libraries.into_iter().collect();
            format!(
                "recorded {} of the program and {} ({}), not {left_out}; --include-tools records them",
                counted(n_own, "file"),
                if n_libraries == 1 { "1 library".to_owned() } else { format!("{n_libraries} libraries") },
                some(&names)
            )
        }
    })
}

/// What the person started is what they know.
fn started_first<'t>(run: &Run, tools: &BTreeSet<&'t str>) -> Vec<&'t str> {
    let text = fs::read_to_string(run.folder().join("starts.txt")).unwrap_or_default();
    let started: BTreeSet<&str> = text.lines().map(module_name).collect();
    let (first, others): (Vec<&str>, Vec<&str>) = tools.iter().partition(|name| started.contains(*name));
    first.into_iter().chain(others).collect()
}

fn module_name(folder: &str) -> &str {
    folder.rsplit_once("/node_modules/").map_or(folder, |(_, name)| name)
}

fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// The first few of many.
fn some(names: &[&str]) -> String {
    let shown = names.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(", ");
    if names.len() > MOST_NAMED { format!("{shown}, …") } else { shown }
}

const MOST_NAMED: usize = 3;
