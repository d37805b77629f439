//! Which Nodes ran, as each said by itself, and why nothing of a command was recorded.

use std::fs;
use std::path::Path;

use trace_format::{NODE_VERSIONS, ProgramExit};

use super::SUPPORTED;
use crate::RunSpec;

/// A line for each Node process: its number and its version. `packages/runtime/preload.cjs` writes it.
const NODES_FILE: &str = "nodes.txt";

/// The versions of all of them.
fn versions(run: &Path) -> Vec<String> {
    let text = fs::read_to_string(run.join(NODES_FILE)).unwrap_or_default();
    text.lines().filter_map(|line| Some(line.split_once(' ')?.1.to_owned())).collect()
}

/// What is to be said beside `known`, which the recorder and the processes said already. The sentence that explains most comes last.
pub(crate) fn problems(run: &Path, spec: &RunSpec, outcome: ProgramExit, known: &[String]) -> Vec<String> {
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
    if known.iter().any(|line| line.contains(" is not recorded: its Node.js, ")) {
        problems.push(format!("Wherefore records Node {SUPPORTED}"));
    }
    if known.iter().any(|line| line.contains(DISK_FULL)) {
        problems.push(disk_full(run, spec));
    }
    let leaves_out = !spec.include.is_empty() || !spec.exclude.is_empty();
    if problems.is_empty() && known.is_empty() && !leaves_out && !has_events(run) {
        problems.push(if nodes.is_empty() { no_node(&spec.command) } else { no_code(outcome) });
    }
    problems
}

/// As the system says it.
const DISK_FULL: &str = "(os error 28)";

fn disk_full(run: &Path, spec: &RunSpec) -> String {
    let needed = (u64::from(spec.layout.chunk_words) * u64::from(spec.layout.n_chunks) * 4).div_ceil(1 << 20);
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

fn no_code(outcome: ProgramExit) -> String {
    let ended = match outcome {
        ProgramExit::Exited(code) => format!("ended with exit code {code}"),
        ProgramExit::Killed { signal } => format!("was ended by signal {signal}"),
    };
    format!("the command {ended}, and no code of the program was recorded")
}

fn has_events(run: &Path) -> bool {
    let files = fs::read_dir(run).into_iter().flatten().flatten();
    files.filter_map(|file| file.path().extension().map(ToOwned::to_owned)).any(|it| it == "trace" || it == "ring")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(nodes: &str, command: &str, known: &[&str]) -> Vec<String> {
        let run = tempfile::tempdir().expect("a folder");
        fs::write(run.path().join(NODES_FILE), nodes).expect("a file");
        let command = command.split(' ').map(str::to_owned).collect();
        let spec = RunSpec::new(command, ".".into(), ".".into());
        let known: Vec<String> = known.iter().map(|line| (*line).to_owned()).collect();
        problems(run.path(), &spec, ProgramExit::Exited(1), &known)
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
        let empty = "the command ended with exit code 1, and no code of the program was recorded";
        assert_eq!(told("12 24.1.0\n", "npm test", &[]), [empty]);
        let full =
            &told("12 24.1.0\n", "npm test", &["process 12 is not recorded: No space left on device (os error 28)"])[0];
        assert!(full.contains(" is full: each thread needs 16 MB there while it is recorded, and "), "{full}");
    }
}
