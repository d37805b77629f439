//! The README: its examples print what it shows, and its links lead somewhere. `...` stands for lines that it leaves out.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{copy_folder, repository};

#[test]
fn the_readme_prints_what_it_shows() {
    assert!(shown_is_printed("README.md", Some("failing-test")) >= 2);
}

#[test]
fn the_skill_prints_what_it_shows() {
    assert!(shown_is_printed("packages/npm/SKILL.md", None) >= 6);
    let printed = Command::new(env!("CARGO_BIN_EXE_wherefore")).arg("skill").output().unwrap();
    let skill = fs::read_to_string(repository().join("packages/npm/SKILL.md")).unwrap();
    assert_eq!(String::from_utf8_lossy(&printed.stdout), skill);
}

/// Runs the commands of a text, in the example that it names above them; gives how many there were.
fn shown_is_printed(file: &str, example: Option<&str>) -> usize {
    let text = fs::read_to_string(repository().join(file)).unwrap();
    let mut project = example.map(project);
    let mut n_run = 0;
    for part in text.split_inclusive('\n').collect::<Vec<_>>().split(|line| line.starts_with("## ")) {
        let part = part.concat();
        if let Some((_, rest)) = part.split_once("In `examples/") {
            project = rest.split('`').next().map(self::project);
        }
        let Some(project) = &project else { continue };
        for (command, shown) in transcripts(&part) {
            check(project.path(), &command, &shown);
            n_run += 1;
        }
    }
    n_run
}

fn project(example: &str) -> tempfile::TempDir {
    let project = tempfile::tempdir().unwrap();
    copy_folder(&repository().join("examples").join(example), project.path());
    // Somebody may have tried it there.
    let _ = fs::remove_dir_all(project.path().join(".wherefore"));
    project
}

fn check(project: &Path, command: &str, shown: &str) {
    let folder = Path::new(env!("CARGO_BIN_EXE_wherefore")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh").args(["-c", command]).env("PATH", path).current_dir(project).output().unwrap();
    let printed = without_numbers(&String::from_utf8_lossy(&output.stdout));
    let mut rest = printed.as_str();
    for piece in shown.split("...\n").filter(|piece| !piece.is_empty()) {
        let piece = without_numbers(piece);
        let at = rest.find(&piece).unwrap_or_else(|| panic!("{command} does not print\n{piece}\nbut\n{printed}"));
        rest = &rest[at + piece.len()..];
    }
}

#[test]
fn every_link_leads_somewhere() {
    for file in ["README.md", "examples/README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
        let path = repository().join(file);
        let text = fs::read_to_string(&path).unwrap();
        let targets = text.match_indices("](").filter_map(|(at, open)| text[at + open.len()..].split(')').next());
        for target in targets.filter(|target| !target.contains("://") && !target.starts_with('#')) {
            let found = path.parent().unwrap().join(target.split('#').next().unwrap());
            assert!(found.exists(), "{file}: {target}");
        }
    }
}

/// Commands behind `$ `, each with the lines below it, as far as they are indented.
fn transcripts(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        match (line.strip_prefix("    $ "), line.strip_prefix("    ")) {
            (Some(command), _) => found.push((command.to_owned(), String::new())),
            (None, Some(printed)) if is_inside => found.last_mut().unwrap().1.push_str(&format!("{printed}\n")),
            _ => {}
        }
        is_inside = line.starts_with("    $ ") || is_inside && line.starts_with("    ");
    }
    found
}

/// Node versions differ in what they load before the program, and so in the numbers of objects.
fn without_numbers(text: &str) -> String {
    let mut parts = text.split('#');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| format!("{text}#{}", part.trim_start_matches(|c: char| c.is_ascii_digit())))
}
