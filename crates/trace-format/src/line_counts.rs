//! How often each line of each file was executed in a thread ↔ bytes: `<thread>.lines` of a run. It is made from the trace once and can
//! be deleted; one that is damaged, or of another state of the trace, is made anew.

use crate::FormatError;
use crate::error::check_version;
use crate::varint::{self, Reader};

/// Of one thread.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LineCounts {
    /// The number of events that were counted.
    pub n_events: u64,
    /// By path, ascending.
    pub files: Vec<FileLines>,
}

/// The lines of a file that have code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileLines {
    pub path: String,
    /// All that was recorded of its code.
    pub n_events: u64,
    /// Ascending, each with how often it was executed.
    pub lines: Vec<(u32, u64)>,
}

pub fn write_line_counts(counts: &LineCounts) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    varint::put(&mut bytes, crate::VERSION);
    put_long(&mut bytes, counts.n_events);
    varint::put(&mut bytes, counts.files.len() as u32);
    for file in &counts.files {
        varint::put_text(&mut bytes, &file.path);
        put_long(&mut bytes, file.n_events);
        varint::put(&mut bytes, file.lines.len() as u32);
        let mut before = 0;
        for (line, n_hits) in &file.lines {
            varint::put(&mut bytes, line.wrapping_sub(before));
            put_long(&mut bytes, *n_hits);
            before = *line;
        }
    }
    let crc = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&crc.to_le_bytes());
    bytes
}

/// Reads what [`write_line_counts`] wrote.
pub fn read_line_counts(bytes: &[u8], file: &str) -> Result<LineCounts, FormatError> {
    let damaged = |what: &str| FormatError::damaged(file, what);
    let (body, crc) = bytes.split_last_chunk::<4>().ok_or_else(|| damaged("it ends too early"))?;
    if crc32fast::hash(body) != u32::from_le_bytes(*crc) {
        return Err(damaged("its checksum is wrong"));
    }
    let body = body.strip_prefix(MAGIC).ok_or_else(|| damaged("it does not begin as such a file does"))?;
    let mut reader = Reader { file, bytes: body };
    check_version(file, reader.number()?)?;
    let n_events = long(&mut reader)?;
    let mut files = Vec::new();
    for _ in 0..reader.length()? {
        let path = reader.text()?;
        let n_events = long(&mut reader)?;
        let mut lines = Vec::new();
        let mut line = 0u32;
        for _ in 0..reader.length()? {
            line = line.wrapping_add(reader.number()?);
            lines.push((line, long(&mut reader)?));
        }
        files.push(FileLines { path, n_events, lines });
    }
    Ok(LineCounts { n_events, files })
}

const MAGIC: &[u8] = b"WFLINES\0";

/// Of more than 32 bits: the lower half and the upper one, which nearly always is one byte.
fn put_long(bytes: &mut Vec<u8>, number: u64) {
    varint::put(bytes, number as u32);
    varint::put(bytes, (number >> 32) as u32);
}

fn long(reader: &mut Reader) -> Result<u64, FormatError> {
    let low = reader.number()?;
    Ok(u64::from(reader.number()?) << 32 | u64::from(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> LineCounts {
        let file = |path: &str, lines: &[(u32, u64)]| FileLines {
            path: path.into(),
            n_events: 6_000_000_007,
            lines: lines.to_vec(),
        };
        LineCounts {
            n_events: 5_000_000_123,
            files: vec![file("/p/a.js", &[(1, 1), (2, 0), (900, 7_000_000_000)]), file("/p/ä.js", &[])],
        }
    }

    #[test]
    fn what_was_written_is_read() {
        let bytes = write_line_counts(&example());
        assert_eq!(read_line_counts(&bytes, "t.lines").unwrap(), example());
    }

    #[test]
    fn damage_is_told() {
        let bytes = write_line_counts(&example());
        for length in 0..bytes.len() {
            assert!(read_line_counts(&bytes[..length], "t.lines").is_err(), "{length} bytes");
        }
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 0x10;
            assert!(read_line_counts(&other, "t.lines").is_err(), "byte {at}");
        }
    }
}
