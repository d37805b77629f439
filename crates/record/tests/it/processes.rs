//! Every Node process of a command is recorded, however it was started, and no process of the command can tell. Needs the addon (`cargo xtask build`).

#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::common::{recorder, runtime};
use trace_format::read_code_records;

/// Prints all that a process can see of its environment.
const SHOWS: &str = "
    const { env, execArgv, execPath, argv0, title } = process;
    console.log(process.argv[2], Object.entries(env).filter(([name]) => name !== '_'), execArgv, execPath, argv0, title);
";

#[test]
fn scripts_that_set_or_clear_the_options() {
    for command in [
        "NODE_OPTIONS= node app.js one",
        "NODE_OPTIONS=--no-warnings node app.js one",
        "NODE_OPTIONS=\"$NODE_OPTIONS --no-warnings\" node app.js one",
        "unset NODE_OPTIONS; node app.js one",
        "env -u NODE_OPTIONS node app.js one",
        "env -i $(command -v node) app.js one",
        "env -i PATH=\"$PATH\" node app.js one",
        "echo $NODE_OPTIONS:$LD_PRELOAD:$WHEREFORE_RUN; env | sort; node app.js one",
        "node -e \"require('child_process').spawnSync('env', ['-i', process.execPath, 'app.js'], { stdio: 'inherit', env: {} })\"",
    ] {
        Place::new("plain").check(&["sh", "-c", command], 1);
    }
}

#[test]
fn python_with_an_environment_of_its_own() {
    for command in [
        "subprocess.run([node, 'app.js'], env={})",
        "subprocess.run('node app.js', shell=True, env={'PATH': os.environ['PATH']})",
        "sys.exit(os.waitstatus_to_exitcode(os.system('node app.js; exit 3')))",
        "print(os.popen('env -i ' + node + ' app.js').read())",
        "os.posix_spawn(node, [node, 'app.js'], {}); os.wait()",
        "os.execve(node, [node, 'app.js'], {'A': '1'})",
        "os.execlp('node', 'node', 'app.js')",
        "subprocess.run([node, 'app.js'], env={'N%d' % i: 'x' * 100 for i in range(2000)})",
    ] {
        let program = format!(
            "import os, shutil, subprocess, sys; print(sorted(k for k in os.environ if k != '_'), flush=True); node = shutil.which('node'); {command}"
        );
        Place::new("plain").check(&["python3", "-c", &program], 1);
    }
}

#[test]
fn make_and_npm_within_npm() {
    let place = Place::new("plain");
    place.write("Makefile", "all:\n\t@env -i $$(command -v node) app.js one\n\t@NODE_OPTIONS= node app.js two\n");
    place.check(&["make", "-s"], 2);

    let place = Place::new("plain");
    let scripts =
        r#"{ "outer": "NODE_OPTIONS= npm run -s inner", "inner": "NODE_OPTIONS=--no-warnings node quiet.js" }"#;
    place.write("package.json", &format!("{{ \"name\": \"p\", \"scripts\": {scripts} }}"));
    place
        .write("quiet.js", "console.log(process.env.NODE_OPTIONS, process.env.LD_PRELOAD, process.env.WHEREFORE_RUN);");
    let recorded = place.recorded(&["npm", "run", "-s", "outer"]);
    assert_eq!(recorded.stdout, b"--no-warnings undefined undefined\n");
    assert_eq!(place.processes_with("quiet.js"), 1);
}

/// Neither the library nor the variable that says where the run is reach its children, but `NODE_OPTIONS` does.
#[test]
fn a_task_runner_that_passes_on_only_the_options() {
    let place = Place::new("plain");
    place.build_strict();
    place.check(&["./strict", "node", "app.js"], 1);
    // Its Node is without the library, but what that starts is not.
    let program = "require('child_process').execSync('env -i $(command -v node) app.js', { stdio: 'inherit' })";
    place.check(&["./strict", "node", "-e", program], 1);
}

#[test]
fn a_node_that_ran_unrecorded_is_named() {
    let place = Place::new("plain");
    place.build_strict();
    let wait = "setTimeout(() => {}, 500)";
    let report = place.report(&["./strict", "--clear", "node", "-e", wait]);
    let expected = format!(
        " (node -e {wait}) ran unrecorded: strict started it with an environment of its own, and is a program into which no library can be loaded"
    );
    assert!(report.starts_with("Ended NotAsked\nprocess ") && report.contains(&expected), "{report}");
    // Those that are recorded are not.
    let report = place.report(&["sh", "-c", &format!("NODE_OPTIONS= node -e '{wait}'")]);
    assert_eq!(report, "Ended NotAsked");
}

#[test]
fn an_empty_run_says_why() {
    let place = Place::new("plain");
    let none = "Wherefore records Node 20, 22, 24 and 26";
    for (command, expected) in [
        ("true", format!("no program ran in Node.js, so nothing was recorded; {none}")),
        ("python3", format!("python3 is not Node.js, so nothing was recorded; {none}")),
    ] {
        assert_eq!(place.report(&[command]), format!("Ended NotAsked\n{expected}"));
    }
}

#[test]
fn folders_with_blanks_and_quotes() {
    for name in ["my project", "a \"quoted\" one", "back\\slash", "col:on", "it's"] {
        Place::new(name).check(&["sh", "-c", "node app.js one; env -i $(command -v node) app.js two"], 2);
    }
}

#[test]
fn a_command_that_removes_its_run_goes_on() {
    let place = Place::new("plain");
    let command = "rm -r .wherefore; node app.js one; env -i $(command -v node) app.js two";
    let recorded = place.recorded(&["sh", "-c", command]);
    let plain = place.plain(&["sh", "-c", command]);
    assert_eq!(String::from_utf8_lossy(&recorded.stdout), String::from_utf8_lossy(&plain.stdout));
    assert_eq!(recorded.status, plain.status);
}

/// A project to run in.
struct Place {
    _folder: tempfile::TempDir,
    project: PathBuf,
}

impl Place {
    fn new(name: &str) -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        let project = folder.path().join(name);
        fs::create_dir(&project).expect("a folder");
        let place = Place { _folder: folder, project };
        place.write("app.js", SHOWS);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.project.join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    fn plain(&self, command: &[&str]) -> Output {
        self.run(Command::new(command[0]).args(&command[1..]))
    }

    fn recorded(&self, command: &[&str]) -> Output {
        let _ = fs::remove_dir_all(self.path(".wherefore"));
        self.run(Command::new(recorder()).arg(runtime()).arg("--").args(command))
    }

    /// What the recorder says at the end.
    fn report(&self, command: &[&str]) -> String {
        self.run(Command::new(recorder()).arg(runtime()).args(["--report", "report", "--"]).args(command));
        fs::read_to_string(self.path("report")).expect("the report")
    }

    fn build_strict(&self) {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/processes/strict.rs");
        let mut rustc = Command::new("rustc");
        rustc.args(["-C", "target-feature=+crt-static", "-o"]).arg(self.path("strict")).arg(source);
        assert!(rustc.status().expect("rustc").success());
    }

    fn run(&self, command: &mut Command) -> Output {
        command.current_dir(&self.project).stdin(Stdio::null()).env_remove("NODE_OPTIONS").output().expect("it starts")
    }

    /// Recorded it does what it does without us, and so many Node processes of it are in the run.
    fn check(&self, command: &[&str], n_processes: usize) {
        let (plain, recorded) = (self.plain(command), self.recorded(command));
        let text = |output: &Output| {
            format!(
                "{}{}{}",
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr),
                output.status
            )
        };
        assert_eq!(text(&recorded), text(&plain), "{command:?}");
        assert_eq!(self.processes_with("app.js"), n_processes, "{command:?}");
    }

    fn processes_with(&self, name: &str) -> usize {
        let files = fs::read_dir(self.path(".wherefore/runs/1")).expect("the run").flatten();
        let codes = files.filter(|file| file.path().extension().is_some_and(|it| it == "code"));
        let has = |bytes: Vec<u8>| read_code_records(&bytes).0.iter().any(|record| record.path.ends_with(name));
        codes.filter(|file| has(fs::read(file.path()).expect("code"))).count()
    }
}
