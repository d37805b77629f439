//! Files and folders that only the user can read: a recording holds what the program held, passwords too.
//!
//! Everything of a run is made here, whichever process makes it. The system takes the mode that is asked for when it makes the
//! file, so there is no moment at which others could open it. A umask can only take more away; what it took from the
//! user is given back, as we have to read the file again.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// A file with nothing in it, for reading and writing.
pub fn create(path: &Path) -> io::Result<File> {
    open(OpenOptions::new().read(true).write(true).create(true).truncate(true), path)
}

/// As [`create`]; an error if there is one of that name.
pub fn create_new(path: &Path) -> io::Result<File> {
    open(OpenOptions::new().read(true).write(true).create_new(true), path)
}

/// For writing behind what is there, and for reading; made if there is none.
pub fn append(path: &Path) -> io::Result<File> {
    open(OpenOptions::new().read(true).append(true).create(true), path)
}

/// As `std::fs::write`.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    create(path)?.write_all(contents.as_ref())
}

/// Copies what a file holds.
pub fn copy(from: &Path, to: &Path) -> io::Result<u64> {
    io::copy(&mut File::open(from)?, &mut create(to)?)
}

/// As `std::fs::create_dir`.
pub fn create_dir(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(FOLDER).create(path)?;
    restrict_folder(path)
}

/// As `std::fs::create_dir_all`; the folders that are there stay as they are.
pub fn create_dir_all(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        create_dir_all(parent)?;
    }
    match create_dir(path) {
        // Somebody else was quicker.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        made => made,
    }
}

/// Where programs of the user keep what can be made again.
pub fn user_caches() -> Option<PathBuf> {
    let named = std::env::var_os("XDG_CACHE_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
    named.or_else(|| Some(std::env::home_dir()?.join(".cache")))
}

/// Makes a folder that is there the user's own.
pub fn restrict_folder(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.permissions().mode() & ALL != FOLDER {
        fs::set_permissions(path, Permissions::from_mode(FOLDER))?;
    }
    Ok(())
}

const FOLDER: u32 = 0o700;
const FILE: u32 = 0o600;
const ALL: u32 = 0o7777;

fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = options.mode(FILE).open(path)?;
    if file.metadata()?.permissions().mode() & ALL != FILE {
        // The file may be somebody else's, who lets us write.
        let _ = file.set_permissions(Permissions::from_mode(FILE));
    }
    Ok(file)
}
