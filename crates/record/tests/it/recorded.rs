//! What a run holds after a program was recorded.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{recorder, runtime};
use crate::programs::{folder_of_programs, nodes};
use trace_format::{RunFile, read_code_records};

#[test]
fn every_way_of_code_is_captured() {
    // Program, code that its run must know, number of threads of all its processes.
    let expected: &[(&[&str], &[&str], usize)] = &[
        (&["to-string.js"], &["to-string.js", "new Function"], 1),
        (&["evals.js"], &["evals.js", "eval"], 1),
        (&["module.mjs"], &["module.mjs", "dependency.mjs", "environment.js"], 1),
        (&["dynamic-import.js"], &["dynamic-import.js", "dependency.mjs"], 1),
        (&["contexts.js"], &["contexts.js", "named.js", "fn.js", "ctx.js", "evalmachine.<anonymous>"], 1),
        (&["worker.js"], &["worker.js", "[worker eval]"], 8),
        (&["children.js"], &["children.js", "[eval]"], 8),
        (&["-e", "let x = 1"], &["[eval]"], 1),
    ];
    for node in nodes() {
        for (args, names, n_threads) in expected {
            let folder = folder_of_programs();
            record(&node, args, folder.path());
            let run = folder.path().join(".wherefore/runs/1");
            let what = format!("{} {}", node.to_string_lossy(), args.join(" "));
            let known = code_names(&run);
            for name in *names {
                assert!(known.contains(*name), "{what}: {name} is not among {known:?}");
            }
            assert_eq!(files(&run, "trace").len(), *n_threads, "{what}: threads");
            assert_eq!(files(&run, "ring"), Vec::<PathBuf>::new(), "{what}: rings that were not drained");
            assert_eq!(fs::read_to_string(run.join("problems.txt")).unwrap_or_default(), "", "{what}");
            assert!(run_file(&run).n_events.is_some_and(|n| n > 3), "{what}: events");
        }
    }
}

#[test]
fn a_program_outlives_its_recorder() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = "
        let n = 0;
        require('fs').writeFileSync('begun', '');
        const end = Date.now() + 3000;
        while (Date.now() < end) for (let i = 0; i < 10000; i++) n += i % 7;
        require('fs').writeFileSync('done', 'done');
    ";
    let mut child = Command::new(recorder())
        .arg(runtime())
        .args(["--", "node", "-e", program])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .spawn()
        .expect("the recorder starts");
    let is_there_in_time = |name: &str| {
        let since = Instant::now();
        while !folder.path().join(name).exists() && since.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(10));
        }
        folder.path().join(name).exists()
    };
    assert!(is_there_in_time("begun"), "the program does not begin");
    child.kill().expect("the recorder is killed");
    child.wait().expect("the recorder ends");
    assert!(is_there_in_time("done"), "the program hangs without its recorder");
    let run = folder.path().join(".wherefore/runs/1");
    assert_eq!((files(&run, "ring").len(), files(&run, "trace").len()), (1, 1));
}

fn record(node: &OsStr, args: &[&str], folder: &Path) {
    let mut command = Command::new(recorder());
    command.arg(runtime()).arg("--").arg(node).args(args).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().expect("the recorder runs");
}

fn files(run: &Path, extension: &str) -> Vec<PathBuf> {
    let paths = fs::read_dir(run).expect("the run").map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.extension().is_some_and(|it| it == extension)).collect()
}

/// The last parts of the paths of all code that the run knows.
fn code_names(run: &Path) -> BTreeSet<String> {
    let records = files(run, "code").into_iter().flat_map(|file| read_code_records(&fs::read(file).expect("code")).0);
    records.map(|record| record.path.rsplit('/').next().unwrap_or_default().to_owned()).collect()
}

fn run_file(run: &Path) -> RunFile {
    RunFile::parse(&fs::read_to_string(run.join(RunFile::NAME)).expect("run.txt")).expect("run.txt")
}
