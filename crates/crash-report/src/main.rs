//! `wherefore-report`: makes the report of a crash from what the program in production handed over.
//!
//! This is a process of its own, which `exchange.cjs` starts when the program has nothing to do with it any more. Whatever happens to the
//! engine here, and whatever it asks for, the program is not touched by it. What is known so far is printed as soon as it is known, a
//! line of JSON each: the last whole line is the report, whichever way this process ends.
//!
//! Nothing leaves the host but what [`report`] names: keys of functions, kinds of sites, positions, names of files inside the program
//! and of classes in its source. Values, texts and paths never come into it.

mod path;
mod report;
mod stack;

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crash_dump::CrashDump;
use rustix::process::{Resource, Rlimit, setrlimit};

use crate::report::{Lost, Report};

fn main() -> ExitCode {
    let most = Some(MOST_MEMORY);
    // Where this is not possible there is still the time.
    let _ = setrlimit(Resource::As, Rlimit { current: most, maximum: most });
    let mut bytes = Vec::new();
    if io::stdin().take(LARGEST_DUMP).read_to_end(&mut bytes).is_err() {
        return ExitCode::FAILURE;
    }
    let Some(dump) = CrashDump::parse(&bytes) else { return ExitCode::FAILURE };
    drop(bytes);
    let deadline = Instant::now() + time_of(&dump);
    let root = root_of(&dump);
    let stack = stack::resolve(&dump, &root, deadline);
    if stack.is_empty() {
        return ExitCode::SUCCESS;
    }
    let report = Report::new(&dump, &stack);
    print(&report.without_path(dump.recording.as_ref().map(|_| Lost::Failed)));
    if let Some(recording) = dump.recording.clone() {
        let recorded = path::of(recording, &root, deadline);
        print(&match recorded {
            Ok(recorded) => report.with(&recorded),
            Err(lost) => report.without_path(Some(lost)),
        });
    }
    // Whoever is still at work in another thread is late.
    std::process::exit(0)
}

/// Far more than a path takes. A host that has less to spare keeps it from the program.
const MOST_MEMORY: u64 = 2 << 30;
const LARGEST_DUMP: u64 = 256 << 20;

const TIME: Duration = Duration::from_millis(2000);
const LONGEST_TIME: Duration = Duration::from_millis(5000);

fn print(report: &str) {
    let mut out = io::stdout();
    let _ = writeln!(out, "{report}").and_then(|()| out.flush());
}

fn time_of(dump: &CrashDump) -> Duration {
    let given = dump.setting("time").and_then(|time| time.parse().ok()).map(Duration::from_millis);
    given.unwrap_or(TIME).min(LONGEST_TIME)
}

/// The folder of the program: as the operator says, or the nearest with a `package.json` above the file that was started.
fn root_of(dump: &CrashDump) -> String {
    let above_entry = || folder_with_package(dump.setting("entry").unwrap_or_default());
    let root = dump.setting("root").map_or_else(above_entry, PathBuf::from);
    fs::canonicalize(&root).unwrap_or(root).to_string_lossy().into_owned()
}

fn folder_with_package(entry: &str) -> PathBuf {
    let entry = fs::canonicalize(entry).unwrap_or_else(|_| PathBuf::from(entry));
    let start = entry.parent().unwrap_or(Path::new("/"));
    start.ancestors().find(|folder| folder.join("package.json").exists()).unwrap_or(start).to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dump(settings: &[(&str, &str)]) -> CrashDump {
        CrashDump {
            settings: settings.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
            classes: String::new(),
            stack: String::new(),
            is_formatted: false,
            message: None,
            recording: None,
        }
    }

    #[test]
    fn times_are_bounded() {
        assert_eq!(time_of(&dump(&[("time", "900000")])), LONGEST_TIME);
        assert_eq!(time_of(&dump(&[("time", "x")])), TIME);
        assert_eq!(time_of(&dump(&[("time", "300")])), Duration::from_millis(300));
    }

    #[test]
    fn the_root_has_a_package_file() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir_all(root.join("src/a")).unwrap();
        fs::write(root.join("package.json"), "{}").unwrap();
        fs::write(root.join("src/a/main.js"), "").unwrap();
        let entry = format!("{}/src/a/main.js", root.display());
        assert_eq!(root_of(&dump(&[("entry", &entry)])), root.to_string_lossy());
    }
}
