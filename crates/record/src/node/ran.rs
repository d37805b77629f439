//! Which Nodes ran, as each said by itself, and why nothing of a command was recorded.

use std::fs;
use std::path::Path;

use trace_format::{NODE_VERSIONS, ProgramExit, TestRecord};
use trace_model::signal_text;

use super::{SUPPORTED, scripts};
use crate::RunSpec;
use crate::spec::memory_of_thread;

/// A line for each Node process: its number and its version. `packages/runtime/preload.cjs` writes it.
const NODES_FILE: &str = "nodes.txt";

/// The versions of all of them.
fn versions(run: &Path) -> Vec<String> {
    let text = fs::read_to_string(run.join(NODES_FILE)).unwrap_or_default();
    text.lines().filter_map(|line| Some(line.split(' ').nth(1)?.to_owned())).collect()
}

/// Why nothing failed that could be explained, as far as the end of the run tells: in one sentence, which is kept with the run. `problems` are all
/// that are known of it.
pub(crate) fn situation(run: &Path, spec: &RunSpec, outcome: ProgramExit, problems: &[String]) -> Option<String> {
    let has_code = fs::read_dir(run.join("code")).is_ok_and(|mut code| code.next().is_some());
    if !has_code {
        let is_of_process = |line: &&String| !line.contains(" is not captured: ");
        // Which Nodes are recorded says nothing of its own.
        let told = problems.iter().rfind(|line| is_of_process(line) && !line.starts_with(RECORDS));
        if let Some(told) = told {
            return Some(told.clone());
        }
        if !spec.include.is_empty() || !spec.exclude.is_empty() {
            return Some("no code was recorded: --include and --exclude leave none of what the program loaded".into());
        }
        if let Some(missing) = scripts::missing(spec).filter(|_| outcome != ProgramExit::Exited(0)) {
            return Some(missing);
        }
    }
    let ended = match outcome {
        ProgramExit::Killed { signal } => return Some(format!("the command was ended by {}", signal_text(signal))),
        // As shells tell of a signal.
        ProgramExit::Exited(code @ 129..=159) => {
            return Some(format!(
                "the command ended with exit code {code}, as shells do when {} ended a process",
                signal_text(code - 128)
            ));
        }
        ProgramExit::Exited(code) => format!("ended with exit code {code}"),
    };
    match runner(run) {
        Some(runner) if has_no_tests(run) => Some(format!("{runner} ran no tests; the command {ended}")),
        _ if !has_code => Some(format!("no code of the program was recorded; the command {ended}")),
        _ => None,
    }
}

/// The test runner that was started, if one was.
fn runner(run: &Path) -> Option<String> {
    let nodes = fs::read_to_string(run.join(NODES_FILE)).unwrap_or_default();
    if nodes.lines().any(|line| line.ends_with(" --test")) {
        return Some("node --test".into());
    }
    let started = fs::read_to_string(run.join("starts.txt")).unwrap_or_default();
    let package = |folder: &str| {
        let (_, name) = folder.rsplit_once("/node_modules/")?;
        RUNNERS.iter().find(|(package, _)| *package == name).map(|(_, runner)| (*runner).to_owned())
    };
    started.lines().find_map(package)
}

/// By the package that is started.
const RUNNERS: [(&str, &str); 9] = [
    ("mocha", "mocha"),
    ("jest", "Jest"),
    ("jest-cli", "Jest"),
    ("vitest", "vitest"),
    ("ava", "ava"),
    ("tap", "tap"),
    ("jasmine", "jasmine"),
    ("@playwright/test", "Playwright"),
    ("playwright", "Playwright"),
];

fn has_no_tests(run: &Path) -> bool {
    fs::metadata(run.join(TestRecord::FILE)).map_or(true, |file| file.len() == 0)
}

const NOT_RECORDED: &str = " is not recorded: its Node.js, ";
const RECORDS: &str = "Wherefore records Node";

/// What is to be said beside `known`, which the recorder and the processes said already. The sentence that explains most comes last.
pub(crate) fn problems(run: &Path, spec: &RunSpec, known: &[String]) -> Vec<String> {
    let nodes = versions(run);
    let mut problems = Vec::new();
    let major = |version: &str| version.split('.').next().and_then(|it| it.parse().ok());
    let is_other = |version: &&String| major(version).is_some_and(|it: u32| !NODE_VERSIONS.contains(&it));
    let mut others: Vec<&String> = nodes.iter().filter(is_other).collect();
    others.sort_unstable();
    others.dedup();
    for version in others {
        problems.push(format!(
            "Node {version} is not supported, and what it ran is not recorded; Wherefore records Node {SUPPORTED}"
        ));
    }
    if known.iter().any(|line| line.contains(NOT_RECORDED)) {
        problems.push(format!("{RECORDS} {SUPPORTED}"));
    }
    if known.iter().any(|line| line.contains(DISK_FULL)) {
        problems.push(disk_full(run, spec));
    }
    if problems.is_empty() && known.is_empty() && nodes.is_empty() && !has_events(run) {
        problems.push(no_node(&spec.command));
    }
    problems
}

/// As the system says it.
const DISK_FULL: &str = "(os error 28)";

fn disk_full(run: &Path, spec: &RunSpec) -> String {
    let needed = memory_of_thread(&spec.layout);
    let free = rustix::fs::statvfs(run).map(|disk| disk.f_bavail * disk.f_frsize / (1 << 20));
    let free = free.map_or(String::new(), |free| format!(", and {free} MB are free"));
    format!("the disk of {} is full: each thread needs {needed} MB there while it is recorded{free}", run.display())
}

fn no_node(command: &[String]) -> String {
    let program = command.first().map(|program| program.rsplit('/').next().unwrap_or(program)).unwrap_or_default();
    let is_it = |name: &str| {
        program.strip_prefix(name).is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'))
    };
    match ["bun", "bunx", "deno", "python", "ruby", "java", "php"].into_iter().find(|name| is_it(name)) {
        Some(_) => format!("{program} is not Node.js, so nothing was recorded; Wherefore records Node {SUPPORTED}"),
        None => format!("no program ran in Node.js, so nothing was recorded; Wherefore records Node {SUPPORTED}"),
    }
}

fn has_events(run: &Path) -> bool {
    let files = fs::read_dir(run).into_iter().flatten().flatten();
    files.filter_map(|file| file.path().extension().map(ToOwned::to_owned)).any(|it| it == "trace" || it == "ring")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runner_without_tests_and_a_signal() {
        let run = tempfile::tempdir().expect("a folder");
        let spec = RunSpec::new(vec!["npx".into()], ".".into(), ".".into());
        let said = |outcome| situation(run.path(), &spec, outcome, &[]);
        fs::write(run.path().join("starts.txt"), "/usr/lib/node_modules/npm\n/p/node_modules/mocha\n").expect("a file");
        let expected = "mocha ran no tests; the command ended with exit code 0";
        assert_eq!(said(ProgramExit::Exited(0)).as_deref(), Some(expected));
        fs::create_dir(run.path().join("code")).expect("a folder");
        fs::write(run.path().join("code/1.src"), "").expect("a file");
        assert_eq!(said(ProgramExit::Exited(0)).as_deref(), Some(expected));
        fs::write(run.path().join(TestRecord::FILE), "a test\n").expect("a file");
        assert_eq!(said(ProgramExit::Exited(0)), None);
        let killed = "the command ended with exit code 137, as shells do when SIGKILL ended a process";
        assert_eq!(said(ProgramExit::Exited(137)).as_deref(), Some(killed));
        let killed = "the command was ended by SIGTERM";
        assert_eq!(said(ProgramExit::Killed { signal: 15 }).as_deref(), Some(killed));
    }

    fn told(nodes: &str, command: &str, known: &[&str]) -> Vec<String> {
        let run = tempfile::tempdir().expect("a folder");
        fs::write(run.path().join(NODES_FILE), nodes).expect("a file");
        let command = command.split(' ').map(str::to_owned).collect();
        let spec = RunSpec::new(command, ".".into(), ".".into());
        let known: Vec<String> = known.iter().map(|line| (*line).to_owned()).collect();
        let mut all = problems(run.path(), &spec, &known);
        if let Some(situation) =
            situation(run.path(), &spec, ProgramExit::Exited(1), &[known.clone(), all.clone()].concat())
            && !all.contains(&situation)
            && !known.contains(&situation)
        {
            all.push(situation);
        }
        all
    }

    #[test]
    fn one_sentence_for_each_situation() {
        let records = "Wherefore records Node 20, 22, 24 and 26";
        let none = format!("no program ran in Node.js, so nothing was recorded; {records}");
        assert_eq!(told("", "make test", &[]), [none]);
        for program in ["bun", "deno", "python3", "/usr/bin/python3.12"] {
            let name = program.rsplit('/').next().unwrap_or_default();
            let sentence = format!("{name} is not Node.js, so nothing was recorded; {records}");
            assert_eq!(told("", &format!("{program} test"), &[]), [sentence]);
        }
        let old = format!("Node 18.20.4 is not supported, and what it ran is not recorded; {records}");
        assert_eq!(told("12 18.20.4\n13 18.20.4\n14 24.1.0\n", "npm test", &[]), [old]);
        assert_eq!(
            told("12 24.1.0\n", "npm test", &["process 12 is not recorded: its Node.js, 24.1.0, differs"]),
            [records]
        );
        let newer = format!("Node 25.9.0 is not supported, and what it ran is not recorded; {records}");
        assert_eq!(told("12 25.9.0\n", "npm test", &[]), [newer]);
        let numbers: Vec<u32> = SUPPORTED.split([',', ' ']).filter_map(|word| word.parse().ok()).collect();
        assert_eq!(numbers, NODE_VERSIONS);
        let empty = "no code of the program was recorded; the command ended with exit code 1";
        assert_eq!(told("12 24.1.0\n", "npx jest", &[]), [empty]);
        let without_tests = "node --test ran no tests; the command ended with exit code 1";
        assert_eq!(told("12 24.1.0\n13 24.1.0 --test\n", "npx some", &[]), [without_tests]);
        let full =
            &told("12 24.1.0\n", "npm test", &["process 12 is not recorded: No space left on device (os error 28)"])[0];
        assert!(full.contains(" is full: each thread needs 16 MB there while it is recorded, and "), "{full}");
    }
}
