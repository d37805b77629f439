//! A process that we start may outlive the command that started it: it makes an index, or talks to a server. A test that removes the
//! folder of such a process must expect new files in it, as `removeFolder` does. A submission was lost to one that did not.

use std::fs;
use std::path::Path;

/// Where nothing was recorded: packages that are installed anew, and a folder of modules.
const NOTHING_RECORDED: &[&str] = &["ecosystem/install.mjs", "parity/worker.mjs"];

#[test]
fn folders_of_recordings_are_removed_with_patience() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut impatient = Vec::new();
    visit(&tests, &mut |path, text| {
        if path.ends_with("shared/recorded.mjs") || NOTHING_RECORDED.iter().any(|file| path.ends_with(file)) {
            return;
        }
        let lines = text.lines().filter(|line| line.contains("rmSync(") && line.contains("recursive"));
        impatient.extend(lines.map(|line| format!("{}: {}", path.display(), line.trim())));
    });
    assert!(impatient.is_empty(), "use removeFolder of tests/shared/recorded.mjs for\n{}", impatient.join("\n"));
}

/// The programs under test, in folders named `cases`, are not ours to change.
fn visit(folder: &Path, each: &mut dyn FnMut(&Path, &str)) {
    for entry in fs::read_dir(folder).expect("a folder of tests").flatten() {
        let path = entry.path();
        let is_left_out = ["node_modules", "programs", "cases"].iter().any(|name| path.ends_with(name));
        if path.is_dir() && (!is_left_out || path.ends_with("page/cases")) {
            visit(&path, each);
        } else if path.extension().is_some_and(|extension| extension == "mjs") {
            each(&path, &fs::read_to_string(&path).expect("a source"));
        }
    }
}
