//! Which file a person means by its name.

use std::path::{Component, Path, PathBuf};

use query::Trace;
use trace_model::Origin;
use trace_store::Thread;

use super::{Moment, Session};

impl Session {
    /// Whether a file, as points show it, is the project's own: as it was decided when the file was loaded.
    pub fn is_own_file(&self, file: &str) -> bool {
        let mut threads = self.run().threads().iter().map(|thread| self.trace(thread));
        let known = threads.find_map(|trace| {
            let path = recorded_path(&trace, &self.run().file().folder, file)?;
            Some(trace.is_own_path(&path))
        });
        known.unwrap_or(true)
    }
}

impl Moment<'_> {
    /// Whether a file, as points show it, is the project's own.
    pub(crate) fn is_own_file(&self, file: &str) -> bool {
        self.trace.is_own_path(&self.path_of_file(file))
    }

    /// The package that a file is of, as points show it, if it is not the project's own.
    pub(crate) fn package_of_file(&self, file: &str) -> Option<String> {
        self.package_at(&self.path_of_file(file))
    }

    /// The same by the path of the file.
    pub(crate) fn package_at(&self, path: &str) -> Option<String> {
        self.trace.package_at(path).map(str::to_owned)
    }

    /// Whether code of a tool lies there, recorded as that was asked for.
    pub(crate) fn is_of_tool(&self, path: &str) -> bool {
        self.trace.thread.code().origin_of(path).is_some_and(Origin::is_tool)
    }

    fn path_of_file(&self, file: &str) -> String {
        let folder = &self.run.file().folder;
        recorded_path(&self.trace, folder, file).unwrap_or_else(|| format!("{folder}/{file}"))
    }
}

/// The path of a file that was recorded, as it is shown.
fn recorded_path(trace: &Trace, folder: &str, file: &str) -> Option<String> {
    let path = Path::new(folder).join(file).to_str()?.to_owned();
    let code = trace.thread.code();
    [format!("file://{path}"), path].into_iter().find(|path| code.origin_of(path).is_some())
}

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
