//! What was changed lately, as git tells it: since a revision that the person names, else since the last commit. Git is only asked; what
//! a repository has set up for reading files (`filter.*.clean`) it runs as for any `git diff`. Where there is none, nothing is known.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

use query::ChangedLines;
use trace_store::Run;

use crate::Error;

/// Lines that were changed, and since when.
#[derive(Debug)]
pub(super) struct Changes {
    pub lines: ChangedLines,
    /// `main`, `the last commit`.
    pub since: String,
}

impl Changes {
    /// Of the code of a run. `None`: nothing was changed, or nothing is known of it.
    pub fn of(run: &Run, since: Option<&str>) -> Result<Option<Changes>, Error> {
        // The folder that such a run names was never that of a program of this machine: git would run what is set up there.
        if crate::sharing::is_imported(run.file()) {
            return match since {
                Some(revision) => Err(Error::Usage(format!(
                    "--since {revision}: this run was imported, so it is not known which files here are its sources"
                ))),
                None => Ok(None),
            };
        }
        let folder = Path::new(&run.file().folder);
        let Some(top) = git(folder, &["rev-parse", "--show-toplevel"]).map(|top| PathBuf::from(top.trim_end())) else {
            return match since {
                Some(revision) => Err(Error::Usage(format!(
                    "--since {revision}: {} is in no git repository, or git is not installed",
                    folder.display()
                ))),
                None => Ok(None),
            };
        };
        let commit = format!("{}^{{commit}}", since.unwrap_or("HEAD"));
        let known = git(folder, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]);
        let commit = match (known, since) {
            (Some(commit), _) => commit.trim_end().to_owned(),
            (None, Some(revision)) => {
                return Err(Error::Usage(format!(
                    "--since {revision}: git knows no such revision in {}",
                    top.display()
                )));
            }
            // Nothing was committed yet.
            (None, None) => return Ok(None),
        };
        let lines = changed_since(&top, &commit).map(|changed| as_recorded(run, &top, changed)).unwrap_or_default();
        let since = since.unwrap_or("the last commit").to_owned();
        Ok((!lines.is_empty()).then_some(Changes { lines, since }))
    }
}

/// Files by their paths below the top, with lines as they are now. What git does not know is new.
fn changed_since(top: &Path, commit: &str) -> Option<Vec<(String, RangeInclusive<u32>)>> {
    let options =
        ["-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/"];
    let diff = git(top, &[&["diff"], &options[..], &[commit, "--"]].concat())?;
    let new = git(top, &["ls-files", "--others", "--exclude-standard", "-z"]).unwrap_or_default();
    let whole = new.split('\0').filter(|path| !path.is_empty()).map(|path| (path.to_owned(), 1..=u32::MAX));
    Some(hunks(&diff).into_iter().chain(whole).collect())
}

/// Only of files that are still what was run: in others, lines may be elsewhere now.
fn as_recorded(run: &Run, top: &Path, changed: Vec<(String, RangeInclusive<u32>)>) -> ChangedLines {
    let paths: HashSet<&str> = changed.iter().map(|(path, _)| path.as_str()).collect();
    let mut same: HashSet<String> = HashSet::new();
    for path in paths {
        let absolute = top.join(path);
        let Some(name) = absolute.to_str() else { continue };
        let sources = run.threads().iter().flat_map(|thread| thread.code().units());
        let mut recorded = sources.filter_map(|unit| unit.place(0)).filter(|place| place.path == name);
        let now = || std::fs::read_to_string(&absolute).ok();
        if recorded.next().is_some_and(|place| place.source.map(str::to_owned) == now()) {
            same.insert(path.to_owned());
        }
    }
    let mut lines = ChangedLines::default();
    for (path, hunk) in changed.into_iter().filter(|(path, _)| same.contains(path)) {
        if let Some(name) = top.join(&path).to_str() {
            lines.add(name.to_owned(), hunk);
        }
    }
    lines
}

/// The lines that a diff without context puts there; where it only takes some away, those around.
fn hunks(diff: &str) -> Vec<(String, RangeInclusive<u32>)> {
    let mut found = Vec::new();
    let mut file = None;
    for line in diff.lines() {
        if let Some(path) = line.strip_prefix("+++ ") {
            file = path.strip_prefix("b/").map(|path| path.trim_end_matches('\t').to_owned());
        } else if let (Some(range), Some(file)) = (line.strip_prefix("@@ ").and_then(new_lines), &file) {
            found.push((file.clone(), range));
        }
    }
    found
}

/// `-3,2 +3 @@ …`
fn new_lines(hunk: &str) -> Option<RangeInclusive<u32>> {
    let range = hunk.split(' ').find_map(|part| part.strip_prefix('+'))?;
    let (start, n) = range.split_once(',').unwrap_or((range, "1"));
    let (start, n): (u32, u32) = (start.parse().ok()?, n.parse().ok()?);
    Some(match n {
        0 => start.max(1)..=start + 1,
        n => start..=start + n - 1,
    })
}

fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let mut git = Command::new("git");
    git.args(["-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "-C"]).arg(folder).args(arguments);
    let output = git.env("GIT_OPTIONAL_LOCKS", "0").output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_of_a_diff() {
        let diff = "diff --git a/x.js b/x.js\n--- a/x.js\n+++ b/x.js\n@@ -3,2 +3 @@ f()\n-a\n-b\n+c\n@@ -9,0 +9,3 @@\n+1\n+2\n+3\n@@ -20 +22,0 @@\n-z\n";
        let of = |lines| ("x.js".to_owned(), lines);
        assert_eq!(hunks(diff), [of(3..=3), of(9..=11), of(22..=23)]);
    }

    #[test]
    fn a_file_that_was_removed_has_no_lines() {
        assert_eq!(hunks("--- a/x.js\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n"), []);
    }
}
