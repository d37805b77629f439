//! Nobody reads stdout, or stderr, any more (`| head -1`): every subcommand ends as it does otherwise. Needs the addon
//! (`cargo xtask build`).

use std::io;
use std::process::{Command, Stdio};

use crate::support::{project, with_args};

/// The end of a pipe that nobody reads.
fn closed() -> Stdio {
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    writer.into()
}

fn two_programs() -> tempfile::TempDir {
    // The program itself prints nothing: what it does where nobody reads is its own affair.
    project(&[
        ("app.js", "let x = 1;\nfunction f(n) { x += n; return x }\nf(2);\nwith ({}) f(3);\n"),
        ("bad.js", "let o;\nif (o !== 3) throw new Error('no');\n"),
    ])
}

#[test]
fn every_subcommand_ends_alike_where_nobody_reads() {
    let project = two_programs();
    let folder = project.path();
    for program in ["app.js", "bad.js"] {
        with_args(folder, &["record", "--", "node", program]).output().unwrap();
    }
    let questions: &[&[&str]] = &[
        &["why"],
        &["why", "--format", "json"],
        &["why", "--format", "markdown"],
        &["why", "--format", "svg"],
        &["why", "--format", "sarif"],
        &["last-change", "x", "--run", "1"],
        &["last-change", "x", "--run", "1", "--format", "json"],
        &["last-condition"],
        &["state"],
        &["state", "--format", "json"],
        &["eval", "x + 1", "--run", "1"],
        &["eval", "nothing", "--run", "1"],
        &["history", "x", "--run", "1"],
        &["history", "x", "--run", "1", "--format", "json"],
        &["find", "throw"],
        &["calls", "--run", "1"],
        &["judge", "--run", "1", "--wrong", "x", "--at", "end"],
        &["judge", "--run", "1", "--export"],
        &["plan", "last-change", "x", "--run", "1", "--at", "app.js:4"],
        &["runs"],
        &["runs", "--format", "json"],
        &["runs", "prune", "--keep", "9"],
        &["events", "1"],
        &["events", "1", "--format", "json"],
        &["events", "1", "--not-captured"],
        &["instrument", "app.js"],
        &["instrument", "app.js", "--sites"],
        &["instrument", "--prelude"],
        &["last-change", "x", "--at", "app.js:4", "--", "node", "app.js"],
        &["eval", "f.length.toFixed()", "--at", "app.js:4", "--", "node", "app.js"],
        &["record", "--", "node", "app.js"],
        &["record", "--", "node", "bad.js"],
        &["--help"],
        &["why", "--no-such-option"],
    ];
    for args in questions {
        let expected = with_args(folder, args).output().unwrap();
        let no_stdout = with_args(folder, args).stdout(closed()).output().unwrap();
        let text = String::from_utf8_lossy(&no_stdout.stderr);
        assert!(!text.contains("panicked") && !text.contains("Broken pipe"), "{args:?} without stdout: {text}");
        assert_eq!(no_stdout.status, expected.status, "{args:?} without stdout: {text}");
        let no_stderr = with_args(folder, args).stderr(closed()).output().unwrap();
        assert_eq!(no_stderr.status, expected.status, "{args:?} without stderr");
        let neither = with_args(folder, args).stdout(closed()).stderr(closed()).output().unwrap();
        assert_eq!(neither.status, expected.status, "{args:?} with neither");
    }
}

/// What a pipe of a shell gives: one pipe for both, of which nobody reads the rest.
#[test]
fn a_recording_into_head_ends_as_the_command_does() {
    let project = two_programs();
    let print = "for (let i = 0; i < 3; i++) console.log(i)";
    for command in [&["sh", "-c", "node app.js; exit 7"][..], &["sh", "-c", "echo one"], &["node", "-e", print]] {
        let plain = ended(Command::new(command[0]).args(&command[1..]).current_dir(project.path()));
        assert_eq!(ended(&mut with_args(project.path(), &[&["record", "--"], command].concat())), plain, "{command:?}");
    }
}

fn ended(command: &mut Command) -> std::process::ExitStatus {
    command.stdout(closed()).stderr(closed()).status().unwrap()
}
