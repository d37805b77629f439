//! `wherefore open`, as far as no browser is needed; commands that were given without `--`. Needs the addon (`cargo xtask build`).

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Stdio;

use crate::support::{project, run, wherefore};

/// What was printed until the address came, and what was said meanwhile. The server is ended.
fn opened(folder: &Path, args: &[&str]) -> (Vec<String>, String) {
    let mut child = wherefore(folder)
        .args([&["open", "--no-browser"], args].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut printed = Vec::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        printed.push(line.unwrap());
        if printed.last().is_some_and(|line| line.starts_with("http://")) {
            break;
        }
    }
    child.kill().unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    child.wait().unwrap();
    (printed, said)
}

#[test]
fn a_run_that_is_not_there_is_refused_at_once() {
    let project = project(&[("app.js", "let n = 1;\n")]);
    assert_eq!(run(project.path(), &["open"]).0, Some(3));
    assert_eq!(run(project.path(), &["record", "--", "node", "app.js"]).0, Some(0));
    for wanted in ["99", "banana"] {
        let of_why = run(project.path(), &["why", "--run", wanted]);
        assert_eq!(of_why.0, Some(3));
        assert_eq!(run(project.path(), &["open", wanted]), of_why);
    }
    assert_eq!(opened(project.path(), &["1"]).0.len(), 1);
}

#[test]
fn a_command_is_recorded_first() {
    let project = project(&[("app.js", "console.log('so far');\nconst o = {};\no.a.b;\n")]);
    let (printed, said) = opened(project.path(), &["--", "node", "app.js"]);
    assert_eq!(printed[0], "so far", "{said}");
    assert!(printed[1].starts_with("http://127.0.0.1:"), "{printed:?}");
    let (code, answer, _) = run(project.path(), &["why", "--run", "1"]);
    assert_eq!(code, Some(0));
    assert!(answer.starts_with("TypeError: Cannot read properties of undefined (reading 'b')"), "{answer}");
}

#[test]
fn a_command_in_which_nothing_ran_is_not_opened() {
    let project = project(&[]);
    let (code, stdout, stderr) = run(project.path(), &["open", "--", "sh", "-c", "exit 3"]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    let sentence = "no program ran in Node.js, so nothing was recorded; Wherefore records Node 20, 22, 24 and 26";
    assert_eq!(stderr, format!("wherefore: {sentence}\n"));
}

#[test]
fn a_command_goes_behind_two_dashes() {
    let project = project(&[("app.js", "let n = 1;\n")]);
    let bin = project.path().join("node_modules/.bin");
    fs::create_dir_all(&bin).unwrap();
    fs::write(bin.join("some-runner"), "").unwrap();
    let cases: [(&[&str], &str); 12] = [
        (&["npm", "test"], "why -- npm test"),
        (&["node", "app.js"], "why -- node app.js"),
        (&["app.js"], "why -- node app.js"),
        (&["some-runner", "--watch"], "why -- npx some-runner --watch"),
        (&["npm", "test", "--", "--grep", "a b"], "why -- npm test -- --grep 'a b'"),
        (&["why", "npm", "test"], "why -- npm test"),
        (&["why", "node", "--test"], "why -- node --test"),
        (&["why", "node", "--test-reporter=dot", "app.js"], "why -- node --test-reporter=dot app.js"),
        (&["record", "npm", "test"], "record -- npm test"),
        (&["record", "--policy", "calls", "node", "app.js"], "record --policy calls -- node app.js"),
        (&["open", "npm", "test"], "open -- npm test"),
        (&["last-change", "n", "node", "app.js"], "last-change n -- node app.js"),
    ];
    for (words, line) in cases {
        let sentence = format!("wherefore: a command goes behind `--`: write `wherefore {line}`\n");
        assert_eq!(run(project.path(), words), (Some(2), String::new(), sentence), "{words:?}");
    }
    let (code, _, stderr) = run(project.path(), &["why", "npm"]);
    assert_eq!(code, Some(3), "{stderr}");
    assert!(stderr.ends_with("; a command goes behind `--`: write `wherefore why -- npm`\n"), "{stderr}");
    // What is no command is refused as ever.
    let (code, _, stderr) = run(project.path(), &["why", "total", "nothing-of-this-name"]);
    assert_eq!(code, Some(2));
    assert!(stderr.starts_with("error: unexpected argument 'nothing-of-this-name'"), "{stderr}");
}
