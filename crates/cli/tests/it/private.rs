//! What is recorded is the user's alone, from the first byte, whatever the umask of whoever makes a file. Needs the addon
//! (`cargo xtask build`).

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Writes events for a second or so, in its first thread, in a worker and in a child, which set umasks of their own.
const PROGRAM: &str = "
const { Worker, isMainThread } = require('node:worker_threads');
const { fork } = require('node:child_process');
if (isMainThread) process.umask(process.argv[2] ? 0o777 : 0);
const isFirst = isMainThread && !process.argv[2];
if (isFirst) { new Worker(__filename); fork(__filename, ['child']) }
let n = 0;
const box = { n: 0, secret: 'hunter2' };
const until = Date.now() + 1000;
const turn = () => {
  for (let i = 0; i < 100000; i++) { n += i; box.n = n }
  eval('box.more = ' + n);
  if (Date.now() < until) setTimeout(turn, 10);
  else if (isFirst) throw new Error('the end');
};
turn();
";

#[test]
fn a_run_is_private_while_it_is_recorded_and_afterwards() {
    let project = tempfile::tempdir().unwrap();
    let folder = project.path();
    fs::write(folder.join("app.js"), PROGRAM).unwrap();
    let mut recording =
        Command::new("sh").args(["-c", "umask 000; exec \"$@\" < app.js", "sh"]).args(record()).start(folder);
    let mut n_rings = 0;
    let started = Instant::now();
    while recording.try_wait().unwrap().is_none() {
        let seen = check(&folder.join(".wherefore"));
        n_rings = n_rings.max(seen.iter().filter(|path| path.extension().is_some_and(|it| it == "ring")).count());
        assert!(started.elapsed() < Duration::from_secs(60));
    }
    assert_eq!(n_rings, 3, "two threads and a child were seen while they ran");

    for question in [
        "why",
        "last-change n --at app.js:14",
        "judge --wrong crash --answer none",
        "export 1 -o shared.wherefore",
        "last-change box.n --at app.js:14 -- node app.js",
        "runs",
    ] {
        let args = question.split(' ').map(str::to_owned).collect();
        let mut asked = wherefore(args);
        asked.insert(0, "sh".into());
        let status = Command::new("sh").args(["-c", "umask 000; exec \"$@\""]).args(asked).start(folder).wait();
        assert!(status.is_ok());
    }
    check(&folder.join("shared.wherefore"));
    let seen = check(&folder.join(".wherefore"));
    for name in ["run.txt", "settings.txt", "points.txt"] {
        assert!(seen.iter().any(|path| path.ends_with(name)), "there is no {name}");
    }
    for kind in ["trace", "index", "details", "code", "src", "sites"] {
        assert!(seen.iter().any(|path| path.extension().is_some_and(|it| it == kind)), "nothing is of kind {kind}");
    }
}

#[test]
fn a_folder_of_an_earlier_version_is_closed() {
    let project = tempfile::tempdir().unwrap();
    fs::create_dir_all(project.path().join(".wherefore/runs")).unwrap();
    fs::set_permissions(project.path().join(".wherefore"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(project.path().join("app.js"), "let x = 1;").unwrap();
    assert!(Command::new("env").args(record()).start(project.path()).wait().unwrap().success());
    let mode = fs::metadata(project.path().join(".wherefore")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

/// Every folder and file below; panics at one that is not private. Files come and go meanwhile.
fn check(path: &Path) -> Vec<PathBuf> {
    let Ok(metadata) = fs::symlink_metadata(path) else { return Vec::new() };
    let expected = if metadata.is_dir() { 0o700 } else { 0o600 };
    let mode = metadata.permissions().mode() & 0o7777;
    // What a umask takes away is given back at once; until then it is less than that, and never more.
    assert_eq!(mode & !expected, 0, "{} has mode {mode:o}", path.display());
    let mut all = vec![path.to_owned()];
    if metadata.is_dir() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            all.extend(check(&entry.path()));
        }
    }
    all
}

fn record() -> Vec<String> {
    wherefore(["record", "--", "node", "app.js"].map(str::to_owned).to_vec())
}

fn wherefore(mut args: Vec<String>) -> Vec<String> {
    args.insert(0, env!("CARGO_BIN_EXE_wherefore").to_owned());
    args
}

trait Start {
    fn start(&mut self, folder: &Path) -> std::process::Child;
}

impl Start for Command {
    fn start(&mut self, folder: &Path) -> std::process::Child {
        let runtime = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../packages/runtime");
        let quiet = self.env("WHEREFORE_RUNTIME", runtime).current_dir(folder).stdin(Stdio::null());
        quiet.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }
}
