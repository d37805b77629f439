//! A recorded program behaves as the plain one does: same output, same exit code or signal. The programs are in `programs/`.
//!
//! `WHEREFORE_NODES` may name more Nodes, separated by colons; the one in the path is always used. Needs the addon
//! (`cargo xtask build`).

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use crate::common::{recorder, runtime};
use crate::programs::{folder_of_programs, nodes, programs};

#[test]
fn recorded_programs_behave_as_plain_ones() {
    let folder = folder_of_programs();
    let mut differences = Vec::new();
    for node in nodes() {
        for case in cases() {
            let plain = run(Command::new(&node), &case, folder.path());
            let mut recorder = Command::new(recorder());
            recorder.arg(runtime()).arg("--").arg(&node);
            let recorded = run(recorder, &case, folder.path());
            if plain != recorded && !(case.is_typescript() && plain.node_cannot_run_it()) {
                differences.push(format!(
                    "## {} {}\n--- plain\n{plain:#?}\n--- recorded\n{recorded:#?}",
                    node.to_string_lossy(),
                    case.args.join(" ")
                ));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

struct Case {
    args: Vec<String>,
    stdin: &'static str,
}

impl Case {
    fn is_typescript(&self) -> bool {
        self.args.iter().any(|arg| arg.ends_with("ts"))
    }
}

impl Ran {
    /// TypeScript runs under the recorder also where Node has no way to run it.
    fn node_cannot_run_it(&self) -> bool {
        self.stderr.contains("SyntaxError") || self.stderr.contains("ERR_UNKNOWN_FILE_EXTENSION")
    }
}

#[derive(PartialEq, Debug)]
struct Ran {
    stdout: String,
    stderr: String,
    status: ExitStatus,
}

fn cases() -> Vec<Case> {
    let case = |args: &[&str]| Case { args: args.iter().map(|arg| arg.to_string()).collect(), stdin: "some input" };
    let mut names: Vec<String> = fs::read_dir(programs())
        .expect("the programs")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| !name.starts_with("dependency"))
        .collect();
    names.sort();
    let mut cases: Vec<Case> = names.iter().map(|name| case(&[name])).collect();
    cases.extend([
        case(&["--no-warnings", "--frozen-intrinsics", "objects.js"]),
        case(&["--disable-proto=delete", "objects.js"]),
        case(&["--disable-proto=throw", "objects.js"]),
        case(&["--disallow-code-generation-from-strings", "objects.js"]),
        case(&["--expose-gc", "--stack-size=500", "overflow.js"]),
        case(&["-e", "const f = (x) => x + 1; console.log(f(1), f.toString(), __filename, module.children.length)"]),
        case(&["-e", "import('./dependency.mjs').then((m) => console.log(m.value))"]),
        case(&["-p", "let a = 1; [a, 2].map((x) => x * 2)"]),
        case(&["-p", "typeof crypto.createHash"]),
        case(&["-e", "console.log(typeof crypto.createHash)"]),
        case(&["--input-type=module", "-e", "const f = (x) => x; console.log(f.toString(), await 3)"]),
        case(&["--check", "order.js"]),
        case(&["no-such-file.js"]),
        Case { stdin: "console.log(1, __filename); console.log((() => 1).toString())", ..case(&["-"]) },
        Case { stdin: "console.log(2, __filename)", ..case(&[]) },
    ]);
    cases
}

fn run(mut command: Command, case: &Case, folder: &Path) -> Ran {
    command.args(&case.args).current_dir(folder).env_remove("NODE_OPTIONS");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // A program that does not read its input may be gone already.
    let _ = child.stdin.take().expect("a pipe").write_all(case.stdin.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { stdout: text(&output.stdout), stderr: text(&output.stderr), status: output.status }
}
