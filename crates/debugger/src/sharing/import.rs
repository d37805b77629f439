//! A run out of a file that somebody shared. Nothing in it is trusted.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::Path;

use trace_format::{ExportReader, FormatError, RunFile, private};
use trace_store::Runs;

use super::imported::check;
use crate::Error;

/// Makes a run of an exported file, the next of the project around a folder. Gives its number. If anything is wrong with the file,
/// nothing is left of it.
pub fn import(from: &Path, folder: &Path) -> Result<u32, Error> {
    let name = from.file_name().unwrap_or(from.as_os_str()).to_string_lossy().into_owned();
    let file = File::open(from).map_err(Error::io(from))?;
    let packed = file.metadata().map_err(Error::io(from))?.len();
    let mut reader = ExportReader::new(BufReader::new(file), &name)?;
    let project = Runs::around(folder).project().to_path_buf();
    let run = record::create_run(&project).map_err(Error::io(&project))?;
    let unpacked = unpack(&mut reader, &run, packed, &name).and_then(|()| check(&run, &name));
    if let Err(error) = unpacked {
        let _ = fs::remove_dir_all(&run);
        return Err(error);
    }
    let number = run.file_name().and_then(|number| number.to_str()?.parse().ok());
    number.ok_or_else(|| Error::Usage("the run has no number".into()))
}

/// Whether a run came from elsewhere: its command is not one that was ever given here.
pub(crate) fn is_imported(run: &RunFile) -> bool {
    run.others.iter().any(|(key, _)| key == SHARED)
}

/// Says so in the run that is packed.
pub(super) fn note_export(run: &mut RunFile) {
    if !is_imported(run) {
        run.others.push((SHARED.into(), "1".into()));
    }
}

const SHARED: &str = "shared";

fn unpack(reader: &mut ExportReader<impl Read>, run: &Path, packed: u64, name: &str) -> Result<(), Error> {
    let mut n_left = packed;
    for _ in 0..MOST_FILES {
        let open = |name: &str, length: u64| -> io::Result<File> {
            // What is longer than the file that holds it is not in it.
            if length > n_left {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            n_left -= length;
            let path = run.join(name);
            if let Some(folder) = path.parent() {
                private::create_dir_all(folder)?;
            }
            // A name that comes twice is refused.
            private::create_new(&path)
        };
        match reader.next(open) {
            Ok(Some(_)) => {}
            Ok(None) => return Ok(()),
            Err(FormatError::Io { error, .. }) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(damaged(name, "it ends too early"));
            }
            Err(FormatError::Io { error, .. }) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(damaged(name, "it contains a file twice"));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(damaged(name, "it contains too many files"))
}

/// So many files no run has.
const MOST_FILES: usize = 100_000;

pub(super) fn damaged(file: &str, what: &str) -> Error {
    FormatError::Damaged { file: file.into(), what: what.into() }.into()
}
