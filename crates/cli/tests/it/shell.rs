//! Completions and manual pages name every command.

use std::process::{Command, Output};

fn wherefore(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wherefore")).args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn completions() {
    for shell in ["bash", "zsh", "fish"] {
        let output = wherefore(&["completions", shell]);
        assert!(output.status.success());
        for word in ["last-change", "against", "judge"] {
            assert!(text(&output).contains(word), "{shell} does not know {word}");
        }
    }
    assert_eq!(wherefore(&["completions", "csh"]).status.code(), Some(2));
}

#[test]
fn manual_pages() {
    let page = text(&wherefore(&["man"]));
    assert!(page.contains(".TH wherefore 1") && page.contains("last\\-change"), "{page}");
    assert!(text(&wherefore(&["man", "why"])).contains("\\-\\-against"));
    let folder = tempfile::tempdir().unwrap();
    assert!(wherefore(&["man", "--to", folder.path().to_str().unwrap()]).status.success());
    for page in ["wherefore.1", "wherefore-why.1", "wherefore-last-change.1"] {
        assert!(folder.path().join(page).is_file(), "{page} is missing");
    }
}
