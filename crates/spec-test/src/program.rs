//! A program of a specification, run plainly and recorded in the same folder.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::Spec;

/// What came out of a recorded run.
pub struct Program {
    /// Holds the program and the run; removed at the end.
    _folder: tempfile::TempDir,
    pub run: PathBuf,
}

/// The first argument of a test binary that is to record the command behind it, into the folder that follows.
pub const RECORD: &str = "--record-into";

/// Runs the program both ways. An error is a difference that the program or its user could have seen.
pub fn run(spec: &Spec) -> Result<Program, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let run = folder.path().join("run");
    let project = folder.path().join("project");
    let own = env::current_exe().map_err(|error| error.to_string())?;

    let mut plain = command(&spec.command[0]);
    plain.args(&spec.command[1..]);
    let plain = output(plain, spec, &project)?;
    let mut recorded = Command::new(own);
    recorded.arg(RECORD).arg(&run).arg(command(&spec.command[0]).get_program()).args(&spec.command[1..]);
    let recorded = output(recorded, spec, &project)?;

    if shown(&plain) != shown(&recorded) && !cannot_run_typescript(spec, &plain) {
        return Err(format!("--- plain\n{}\n--- recorded\n{}", shown(&plain), shown(&recorded)));
    }
    Ok(Program { _folder: folder, run })
}

/// `node` is the one that `WHEREFORE_NODE` names.
fn command(program: &str) -> Command {
    match (program, env::var_os("WHEREFORE_NODE")) {
        ("node", Some(node)) => Command::new(node),
        (program, _) => Command::new(program),
    }
}

fn output(mut command: Command, spec: &Spec, project: &Path) -> Result<Output, String> {
    write_files(spec, project).map_err(|error| format!("cannot write the program: {error}"))?;
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packages/runtime");
    command.current_dir(project).stdin(Stdio::null()).env("WHEREFORE_RUNTIME", runtime);
    command.output().map_err(|error| format!("cannot start {:?}: {error}", command.get_program()))
}

/// Each run finds the folder as if it was the first.
pub fn write_files(spec: &Spec, project: &Path) -> io::Result<()> {
    if project.exists() {
        fs::remove_dir_all(project)?;
    }
    for (name, text) in &spec.files {
        let path = project.join(name);
        fs::create_dir_all(path.parent().unwrap_or(project))?;
        fs::write(path, text)?;
    }
    Ok(())
}

fn shown(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}{}({})", text(&output.stdout), text(&output.stderr), output.status)
}

/// TypeScript runs under the recorder also where Node has no way to run it.
fn cannot_run_typescript(spec: &Spec, plain: &Output) -> bool {
    let stderr = String::from_utf8_lossy(&plain.stderr);
    spec.files.iter().any(|(name, _)| name.ends_with("ts"))
        && (stderr.contains("SyntaxError") || stderr.contains("ERR_UNKNOWN_FILE_EXTENSION"))
}
