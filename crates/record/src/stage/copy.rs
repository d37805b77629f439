//! The folder as a copy, for systems without namespaces.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// What lay in a copy when it was made: by path, when it was changed and how large it was.
pub type Snapshot = HashMap<PathBuf, (i64, i64, u64)>;

pub fn copy_tree(from: &Path, to: &Path) -> io::Result<Snapshot> {
    let mut n_bytes = 0;
    copy_into(from, to, &mut n_bytes)?;
    snapshot(to)
}

/// If a program changed something, all of it is copied anew.
pub fn restore(from: &Path, to: &Path, known: &mut Snapshot) -> io::Result<()> {
    if snapshot(to)? == *known {
        return Ok(());
    }
    remove_tree(to)?;
    *known = copy_tree(from, to)?;
    Ok(())
}

/// Also what nobody may write: an overlay leaves such folders.
pub fn remove_tree(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let _ = fs::set_permissions(entry.path(), fs::Permissions::from_mode(0o700));
            remove_tree(&entry.path())?;
        }
    }
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

fn copy_into(from: &Path, to: &Path, n_bytes: &mut u64) -> io::Result<()> {
    trace_format::private::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_symlink() {
            symlink(fs::read_link(&source)?, &target)?;
        } else if kind.is_dir() {
            // Recordings are ours, and large.
            if entry.file_name() != ".wherefore" {
                copy_into(&source, &target, n_bytes)?;
            }
        } else if kind.is_file() {
            *n_bytes += trace_format::private::copy(&source, &target)?;
            // Nobody else gets into the folder around it, and the program is to find its files as they are.
            fs::set_permissions(&target, entry.metadata()?.permissions())?;
            if *n_bytes > MOST_BYTES {
                return Err(io::Error::other(format!("{} is too large to be copied", from.display())));
            }
        }
    }
    Ok(())
}

fn snapshot(folder: &Path) -> io::Result<Snapshot> {
    let mut found = Snapshot::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let known: Metadata = entry.metadata()?;
            if known.is_dir() {
                open.push(entry.path());
            }
            let size = if known.is_dir() { 0 } else { known.len() };
            found.insert(entry.path(), (known.mtime(), known.mtime_nsec(), size));
        }
    }
    Ok(found)
}

const MOST_BYTES: u64 = 2 << 30;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_did_to_a_copy_is_undone() {
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir_all(from.join("a")).expect("made");
        fs::create_dir_all(from.join(".wherefore")).expect("made");
        fs::write(from.join("a/b"), "1").expect("written");
        symlink("a/b", from.join("c")).expect("linked");
        let mut known = copy_tree(&from, &to).expect("copied");
        assert_eq!(fs::read_to_string(to.join("c")).expect("read"), "1");
        assert!(!to.join(".wherefore").exists());
        fs::write(to.join("a/b"), "22").expect("written");
        fs::write(to.join("d"), "3").expect("written");
        restore(&from, &to, &mut known).expect("restored");
        assert_eq!(fs::read_to_string(to.join("a/b")).expect("read"), "1");
        assert!(!to.join("d").exists());
        assert_eq!(fs::read_to_string(from.join("a/b")).expect("read"), "1");
    }
}
