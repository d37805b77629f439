//! The run that the inputs were made of, and that questions are asked of: a small program, recorded and exported
//! (`cargo xtask bench fuzz --renew-run`).

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use debugger::{RunChoice, Session};
use tempfile::TempDir;
use trace_format::ExportReader;

pub const EXPORTED: &[u8] = include_bytes!("../inputs/run.wherefore");

/// A folder with the run in it, imported. It lies where temporary files do, and nobody removes it: who starts the process says where that is.
static PROJECT: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("run.wherefore");
    fs::write(&file, EXPORTED).expect("the folder can be written");
    let number = debugger::import(&file, folder.path()).expect("the committed run is imported by this build");
    // A session that was opened without an index makes it for each question.
    let run = folder.path().join(format!(".wherefore/runs/{number}"));
    debugger::write_index(&run, &|_, _| ()).expect("the folder can be written");
    folder
});

pub fn project() -> &'static Path {
    PROJECT.path()
}

/// The run, for who asks and leaves no trace of it.
pub fn session() -> &'static Session {
    static SESSION: LazyLock<Session> =
        LazyLock::new(|| Session::open(&RunChoice(None), project()).expect("an imported run can be opened").looking());
    &SESSION
}

/// The files of an exported run.
pub fn unpacked(exported: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut reader = ExportReader::new(exported, "run.wherefore").expect("this was exported");
    let mut files = Vec::new();
    loop {
        let mut bytes = Vec::new();
        match reader.next(|_, _| Ok(&mut bytes)).expect("this was exported") {
            Some(name) => files.push((name, bytes)),
            None => return files,
        }
    }
}
