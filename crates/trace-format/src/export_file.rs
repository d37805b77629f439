//! One file that holds a run, to be shared.
//!
//! ```text
//! "WFSHARE\0"  u32 version
//! entry:  u16 length of the name  name  u64 length  bytes
//! end:    u16 0  u32 crc32 of all before
//! ```
//!
//! Entries are the files of the run as they lie there, which are compressed already: what is unpacked is as large as what is packed.
//! A name is one of those that a run has ([`is_name_of_run`]), and nothing else.

use std::io::{self, Read, Write};

use crate::FormatError;

/// - 1: the first.
const VERSION: u32 = 1;
const MAGIC: &[u8; 8] = b"WFSHARE\0";
const LONGEST_NAME: usize = 64;

pub struct ExportWriter<W: Write> {
    out: W,
    crc: crc32fast::Hasher,
}

impl<W: Write> ExportWriter<W> {
    pub fn new(out: W) -> io::Result<ExportWriter<W>> {
        let mut writer = ExportWriter { out, crc: crc32fast::Hasher::new() };
        writer.put(MAGIC)?;
        writer.put(&VERSION.to_le_bytes())?;
        Ok(writer)
    }

    pub fn add(&mut self, name: &str, length: u64, from: &mut impl Read) -> io::Result<()> {
        self.put(&(name.len() as u16).to_le_bytes())?;
        self.put(name.as_bytes())?;
        self.put(&length.to_le_bytes())?;
        let mut left = length;
        let mut buffer = vec![0; BUFFER];
        while left > 0 {
            let n_wanted = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            from.read_exact(&mut buffer[..n_wanted])?;
            self.put(&buffer[..n_wanted])?;
            left -= n_wanted as u64;
        }
        Ok(())
    }

    pub fn finish(mut self) -> io::Result<W> {
        self.put(&[0; 2])?;
        let crc = self.crc.clone().finalize();
        self.out.write_all(&crc.to_le_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.crc.update(bytes);
        self.out.write_all(bytes)
    }
}

/// Reads what [`ExportWriter`] wrote, entry by entry. Nothing of it is to be trusted before [`ExportReader::next`] gave `None`.
pub struct ExportReader<R: Read> {
    from: R,
    file: String,
    crc: crc32fast::Hasher,
}

impl<R: Read> ExportReader<R> {
    /// `file` is what messages call it.
    pub fn new(from: R, file: &str) -> Result<ExportReader<R>, FormatError> {
        let mut reader = ExportReader { from, file: file.into(), crc: crc32fast::Hasher::new() };
        let not_ours = || FormatError::NotOurs { file: file.into(), expected: "shared run" };
        let mut magic = [0; MAGIC.len()];
        reader.take(&mut magic).map_err(|_| not_ours())?;
        if &magic != MAGIC {
            return Err(not_ours());
        }
        let version = u32::from_le_bytes(reader.word()?);
        if version != VERSION {
            return Err(FormatError::Version { file: file.into(), found: version, supported: VERSION });
        }
        Ok(reader)
    }

    /// The next entry: its name, once its bytes were given to what `open` gives for it. `None` at the end, if all is as it was written.
    pub fn next<W: Write>(
        &mut self,
        open: impl FnOnce(&str, u64) -> io::Result<W>,
    ) -> Result<Option<String>, FormatError> {
        let n_name = usize::from(u16::from_le_bytes(self.word()?));
        if n_name == 0 {
            return self.end().map(|()| None);
        }
        let mut name = vec![0; n_name.min(LONGEST_NAME)];
        self.take(&mut name).map_err(|error| self.cut(error))?;
        let name = String::from_utf8(name).ok().filter(|name| name.len() == n_name && is_name_of_run(name));
        let name = name.ok_or_else(|| self.damaged("it contains a file that is not part of a run"))?;
        let mut left = u64::from_le_bytes(self.word()?);
        let file = self.file.clone();
        let io = |error| FormatError::io(&file, error);
        let mut out = open(&name, left).map_err(io)?;
        let mut buffer = vec![0; BUFFER];
        while left > 0 {
            let n_wanted = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            self.take(&mut buffer[..n_wanted]).map_err(|error| self.cut(error))?;
            out.write_all(&buffer[..n_wanted]).map_err(io)?;
            left -= n_wanted as u64;
        }
        out.flush().map_err(io)?;
        Ok(Some(name))
    }

    fn end(&mut self) -> Result<(), FormatError> {
        let expected = self.crc.clone().finalize();
        if u32::from_le_bytes(self.word()?) != expected {
            return Err(self.damaged("its checksum is wrong"));
        }
        match self.from.read(&mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => Err(self.damaged("something follows its end")),
            Err(error) => Err(FormatError::io(&self.file, error)),
        }
    }

    fn word<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let mut bytes = [0; N];
        self.take(&mut bytes).map_err(|error| self.cut(error))?;
        Ok(bytes)
    }

    fn take(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.from.read_exact(bytes)?;
        self.crc.update(bytes);
        Ok(())
    }

    fn cut(&self, error: io::Error) -> FormatError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => self.damaged("it ends too early"),
            _ => FormatError::io(&self.file, error),
        }
    }

    fn damaged(&self, why: &str) -> FormatError {
        FormatError::damaged(&self.file, why.to_owned())
    }
}

const BUFFER: usize = 1 << 16;

/// Whether a file of a run may have this name: `run.txt`, `4711-0.trace`, `code/<hash>.src`.
pub fn is_name_of_run(name: &str) -> bool {
    // Written as it is written: another spelling of a number would be another file of the same thread.
    let is_number = |text: &str| text.parse::<u32>().is_ok_and(|number| number.to_string() == text);
    let is_hash =
        |text: &str| text.len() == 32 && text.bytes().all(|c| c.is_ascii_digit() || (b'a'..=b'f').contains(&c));
    if let Some(code) = name.strip_prefix("code/") {
        return code
            .split_once('.')
            .is_some_and(|(hash, kind)| is_hash(hash) && ["src", "sites", "origins"].contains(&kind));
    }
    match name.split_once('.') {
        Some((stem, "trace" | "times")) => {
            stem.split_once('-').is_some_and(|(pid, thread)| is_number(pid) && is_number(thread))
        }
        Some((pid, "code")) => is_number(pid),
        Some((stem, "txt")) => ["run", "settings", "problems", "points", "questions", "judge", "tests"].contains(&stem),
        _ => name == "stdin",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exported(names: &[&str]) -> Vec<u8> {
        let mut writer = ExportWriter::new(Vec::new()).unwrap();
        for name in names {
            writer.add(name, 3, &mut &b"abc"[..]).unwrap();
        }
        writer.finish().unwrap()
    }

    fn read(bytes: &[u8]) -> Result<Vec<String>, FormatError> {
        let mut reader = ExportReader::new(bytes, "x.wherefore")?;
        let mut names = Vec::new();
        while let Some(name) = reader.next(|_, _| Ok(io::sink()))? {
            names.push(name);
        }
        Ok(names)
    }

    #[test]
    fn what_was_written_is_read() {
        let names = ["run.txt", "4711-0.trace", "code/0123456789abcdef0123456789abcdef.src"];
        assert_eq!(read(&exported(&names)).unwrap(), names);
    }

    #[test]
    fn every_cut_and_every_change_is_noticed() {
        let whole = exported(&["run.txt"]);
        for length in 0..whole.len() {
            assert!(read(&whole[..length]).is_err(), "{length}");
        }
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            assert!(read(&changed).is_err(), "{at}");
        }
        assert!(read(&[&whole[..], b"x"].concat()).is_err());
    }

    #[test]
    fn only_files_of_a_run_come_out() {
        for name in [
            "../run.txt",
            "/etc/passwd",
            "code/../run.txt",
            "run.txt/x",
            "code/x.src",
            "a/b",
            "4711.sh",
            ".",
            "",
            "04711-0.trace",
            "+7-0.trace",
            "7-4294967296.trace",
            "7-0-0.times",
        ] {
            assert!(!is_name_of_run(name), "{name}");
        }
        assert_eq!(
            read(&exported(&["../run.txt"])).unwrap_err().to_string(),
            "x.wherefore is damaged: it contains a file that is not part of a run"
        );
    }
}
