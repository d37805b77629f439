//! Which file a person means by its name.

use std::path::{Component, Path, PathBuf};

use trace_store::Thread;

/// A file is named by the end of its path; the one that a relative name leads to from here comes before all others.
pub(crate) fn meant(folders: &[PathBuf], thread: &Thread, file: &str) -> String {
    let from = |folder: &PathBuf| plain(&folder.join(file)).to_str().map(str::to_owned);
    let mut named = folders.iter().filter_map(from);
    named.find(|path| is_loaded(thread, path)).unwrap_or_else(|| file.to_owned())
}

fn is_loaded(thread: &Thread, wanted: &str) -> bool {
    let is_wanted = |path: &str| path.strip_prefix("file://").unwrap_or(path) == wanted;
    thread
        .code()
        .units()
        .iter()
        .any(|unit| is_wanted(&unit.record.path) || unit.code().is_ok_and(|code| code.original_paths().any(is_wanted)))
}

/// Without `.` and `..`. Links are not followed: a path that was recorded is compared, and no file.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_plain() {
        let text = |path: &str| plain(Path::new(path)).display().to_string();
        assert_eq!(text("/a/./b/../c.js"), "/a/c.js");
        assert_eq!(text("/a/../../c.js"), "/c.js");
    }
}
