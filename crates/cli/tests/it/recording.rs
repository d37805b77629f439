//! Runs made here: what the end of a recording says, and what can be asked of a run that is not whole.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{project, run, wherefore};

#[test]
fn a_run_that_is_being_recorded_is_not_removed() {
    let project = project(&[]);
    let mut recorder = wherefore(project.path())
        .args(["record", "--", "node", "-e", "setInterval(() => {}, 1000); console.log('up')"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for_output(&mut recorder);

    let (_, list, _) = run(project.path(), &["runs"]);
    assert!(list.contains("running"), "{list}");
    let (_, json, _) = run(project.path(), &["runs", "--format", "json"]);
    assert!(json.contains(r#""outcome":{"kind":"running"}"#), "{json}");
    let refused = run(project.path(), &["runs", "rm", "1"]);
    assert_eq!(refused, (Some(3), String::new(), "wherefore: run 1 is still being recorded\n".into()));
    assert_eq!(run(project.path(), &["runs", "prune", "--keep", "0"]).1, "removed 0 runs\n");
    assert!(project.path().join(".wherefore/runs/1/run.txt").exists());

    recorder.kill().unwrap();
    recorder.wait().unwrap();
    let (_, list, _) = run(project.path(), &["runs"]);
    assert!(list.contains("unfinished"), "{list}");
    end_left_behind(&project.path().join(".wherefore/runs/1"));
    assert_eq!(run(project.path(), &["runs", "rm", "1"]).0, Some(0));
}

#[test]
fn names_of_a_policy_that_nothing_has() {
    let project = project(&[(
        "app.js",
        "function sum(a) { let total = 0; for (const n of a) total += n; return total; }\nconst o = {};\no['dy' + 'n'] = sum([1, 2]);\no.st = 1;\n",
    )]);
    let notes = |policy: &str| {
        let (code, _, stderr) = run(project.path(), &["record", "--policy", policy, "--", "node", "app.js"]);
        assert_eq!(code, Some(0));
        let lines: Vec<_> = stderr.lines().map(|line| line.trim_start_matches("wherefore: ").to_owned()).collect();
        lines[..lines.len() - 1].to_vec()
    };
    assert!(notes("variables=total functions=sum").is_empty());
    assert!(notes("properties=dyn,st").is_empty());
    assert!(notes("functions=app.js:1").is_empty());
    assert_eq!(notes("variables=totl"), ["nothing is called `totl` in the code that ran"]);
    assert_eq!(notes("functions=summ"), ["nothing is called `summ` in the code that ran"]);
    assert_eq!(notes("properties=total"), ["nothing was recorded for the property `total` of the policy"]);
    assert_eq!(notes("functions=app.js:99"), ["there is no `app.js:99` in the code that ran"]);
}

#[test]
fn what_is_not_captured_is_said() {
    let project = project(&[
        ("app.js", "require('./ours.js');\nvar o = { a: 1 };\nwith (o) { a = 2; }\nconsole.log(o.a);\n"),
        ("ours.js", "var $w_x = 1;\n"),
        ("fine.js", "console.log(1);\n"),
    ]);
    let (_, stdout, stderr) = run(project.path(), &["record", "--", "node", "app.js"]);
    assert_eq!(stdout, "2\n");
    assert!(
        stderr.starts_with("wherefore: some of 2 files is not captured: `wherefore events --not-captured`\n"),
        "{stderr}"
    );
    let (code, text, _) = run(project.path(), &["events", "--not-captured"]);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(code, Some(0));
    assert_eq!(
        lines,
        [
            "ours.js  it uses names that begin with $w_, as the recorder does",
            "app.js:3  a name inside `with` may be a property of its object",
        ]
    );
    let (_, json, _) = run(project.path(), &["events", "--not-captured", "--format", "json"]);
    let second: serde_json::Value = serde_json::from_str(json.lines().nth(1).unwrap()).unwrap();
    assert_eq!((&second["file"], &second["line"], &second["column"]), (&"app.js".into(), &3.into(), &1.into()));

    let (_, _, stderr) = run(project.path(), &["record", "-o", "kept", "--", "node", "app.js"]);
    assert!(stderr.contains("`wherefore events kept --not-captured`"), "{stderr}");

    let (_, _, stderr) = run(project.path(), &["record", "--", "node", "fine.js"]);
    assert!(!stderr.contains("captured"), "{stderr}");
    assert_eq!(run(project.path(), &["events", "--not-captured"]), (Some(1), String::new(), String::new()));
}

/// Node compiles it by itself then, past all hooks of CommonJS.
#[test]
fn commonjs_that_is_imported_under_module_hooks_is_recorded() {
    let project = project(&[
        (
            "app.mjs",
            "import { register } from 'node:module';\nregister('./hooks.mjs', import.meta.url);\nconst { default: old } = await import('./old.cjs');\nold.count();\n",
        ),
        ("hooks.mjs", "export async function load(url, context, next) { return next(url, context); }\n"),
        ("old.cjs", "let n = 0;\nexports.count = () => {\n  n += 1;\n};\n"),
    ]);
    let (code, _, stderr) = run(project.path(), &["record", "--", "node", "app.mjs"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(!stderr.contains("captured"), "{stderr}");
    let (_, text, _) = run(project.path(), &["last-change", "n", "--at", "old.cjs:4"]);
    assert!(text.contains("n: 0 → 1"), "{text}");
}

#[test]
fn damaged_code_leaves_the_rest() {
    let project = project(&[
        ("app.js", "let before = 1;\nrequire('./other.js');\nlet behind = 2;\n"),
        ("other.js", "let inside = 3;\n"),
    ]);
    let record = || {
        assert_eq!(run(project.path(), &["record", "-o", "run", "--", "node", "app.js"]).0, Some(0));
        project.path().join("run")
    };
    let events = |damage: &dyn Fn(&Path)| {
        let folder = record();
        damage(&folder);
        let (_, stdout, stderr) = run(project.path(), &["events", "run", "--kind", "var"]);
        fs::remove_dir_all(folder).unwrap();
        (stdout, stderr)
    };
    let file_of = |folder: &Path, text: &str, kind: &str| {
        let sources = fs::read_dir(folder.join("code")).unwrap().map(|entry| entry.unwrap().path());
        let mut sources = sources.filter(|path| path.extension().is_some_and(|extension| extension == "src"));
        let holds = |path: &PathBuf| {
            let bytes = fs::read(path).unwrap();
            bytes.windows(text.len()).any(|window| window == text.as_bytes())
        };
        sources.find(holds).unwrap().with_extension(kind)
    };

    let (stdout, stderr) = events(&|folder| fs::write(file_of(folder, "inside", "sites"), "nonsense").unwrap());
    assert!(stdout.contains("app.js:1  Var before = 1") && !stdout.contains("inside"), "{stdout}");
    assert!(
        stderr.contains("cannot be read from event ") && stderr.contains("other.js, whose sites are lost"),
        "{stderr}"
    );

    let (stdout, stderr) = events(&|folder| fs::write(file_of(folder, "inside", "src"), "nonsense").unwrap());
    assert!(stdout.contains("other.js  Var inside = 3") && stdout.contains("app.js:3  Var behind = 2"), "{stdout}");
    assert!(stderr.contains("is damaged: the lines of other.js are not known"), "{stderr}");

    // The record of app.js is lost, that of other.js is found behind it.
    let (stdout, stderr) = events(&|folder| {
        let mut files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let file = files.find(|path| path.extension().is_some_and(|extension| extension == "code")).unwrap();
        let mut bytes = fs::read(&file).unwrap();
        bytes[20] = b'-';
        fs::write(&file, bytes).unwrap();
    });
    assert_eq!(stdout, "");
    assert!(
        stderr.contains(".code is damaged from byte 0 to ") && stderr.contains("cannot be read from event"),
        "{stderr}"
    );
}

fn wait_for_output(recorder: &mut Child) {
    use std::io::Read;
    let mut up = [0; 3];
    recorder.stdout.as_mut().unwrap().read_exact(&mut up).unwrap();
}

/// The program goes on when its recorder is killed.
fn end_left_behind(run: &Path) {
    let deadline = Instant::now() + Duration::from_secs(5);
    while Instant::now() < deadline {
        let entries = fs::read_dir(run).unwrap().map(|entry| entry.unwrap().path());
        let pid = entries.filter_map(|path| path.file_name()?.to_str()?.split_once("-0.ring")?.0.parse::<u32>().ok());
        if let Some(pid) = pid.into_iter().next() {
            assert!(Command::new("kill").arg(pid.to_string()).status().unwrap().success());
            return;
        }
    }
    panic!("no ring in {}", run.display());
}

/// Chunks end at entries and at the heads of loops; here none comes for far longer than what a chunk keeps free.
#[test]
fn a_long_list_of_statements_loses_nothing() {
    let statements = "last = value;\n".repeat(100_000);
    let program =
        format!("let value = {{}}, last;\nfunction f() {{\n{statements}}}\nfor (let i = 0; i < 12; i++) f();\n");
    let project = project(&[("app.js", &program)]);
    let (_, _, stderr) = run(project.path(), &["record", "--", "node", "app.js"]);
    let n_events: String = stderr.trim_start_matches("wherefore: ").chars().take_while(|c| *c != ' ').collect();
    let n_events: u64 = n_events.replace(',', "").parse().unwrap_or_else(|_| panic!("{stderr}"));
    assert!((1_200_000..1_200_200).contains(&n_events), "{stderr}");
}
