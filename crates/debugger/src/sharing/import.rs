//! A run out of a file that somebody shared. Nothing in it is trusted.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use trace_format::{ExportReader, FormatError, RunFile, index_segments, private};
use trace_store::{Run, Runs};

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
    loop {
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
}

/// Whether what was unpacked is a run, and no part of it unpacks into more than it should.
fn check(run: &Path, name: &str) -> Result<(), Error> {
    let opened = Run::open(run).map_err(|error| damaged(name, &error.to_string()))?;
    if !is_imported(opened.file()) {
        return Err(damaged(name, "it does not say that it was shared"));
    }
    if let Some(note) = opened.notes().first() {
        return Err(damaged(name, note));
    }
    for path in files(run).map_err(Error::io(run))? {
        let shown = path.strip_prefix(run).unwrap_or(&path).display().to_string();
        let bytes = fs::read(&path).map_err(Error::io(&path))?;
        let is_right = match path.extension().and_then(|extension| extension.to_str()) {
            Some("trace") => {
                let (segments, notes) = index_segments(&bytes, &shown);
                let is_small = |segment: &trace_format::SegmentEntry| {
                    unpacks_into(&bytes[segment.data()..segment.end()], u64::from(segment.n_words) * 4)
                        && segment.n_words <= MOST_WORDS
                };
                notes.is_empty() && segments.iter().all(is_small)
            }
            Some("src" | "sites" | "origins") => unpacks_within(&bytes, LARGEST_TEXT),
            _ => true,
        };
        if !is_right {
            return Err(damaged(name, &format!("{shown} cannot be read")));
        }
    }
    Ok(())
}

/// Of one segment: 256 MB. One event that is larger was never recorded.
const MOST_WORDS: u32 = 1 << 26;
/// Of a source or its tables.
const LARGEST_TEXT: u64 = 1 << 30;

fn unpacks_into(compressed: &[u8], length: u64) -> bool {
    unpacked_length(compressed, length + 1) == Some(length)
}

fn unpacks_within(compressed: &[u8], most: u64) -> bool {
    unpacked_length(compressed, most + 1).is_some_and(|length| length <= most)
}

/// Counted, and not kept; at most so far.
fn unpacked_length(compressed: &[u8], most: u64) -> Option<u64> {
    let decoder = zstd::stream::Decoder::new(compressed).ok()?;
    io::copy(&mut decoder.take(most), &mut io::sink()).ok()
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            all.extend(files(&path)?);
        } else {
            all.push(path);
        }
    }
    Ok(all)
}

fn damaged(file: &str, what: &str) -> Error {
    FormatError::Damaged { file: file.into(), what: what.into() }.into()
}
