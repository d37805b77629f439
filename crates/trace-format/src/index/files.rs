//! The two files of an index: a table with one entry of fixed size for each block, and the details of each behind one another.
//!
//! Both only grow. An entry is written after its details, and the trace file before both: what the table has is there.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::details::{BlockDetails, DetailsView};
use crate::private;
use crate::trace_file::{Dropped, PREAMBLE, SegmentEntry};
use event_encoding::Counts;

/// A block: its segment, and where its details lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndexEntry {
    pub segment: SegmentEntry,
    pub before: Counts,
    pub after: Counts,
    /// The highest object number before it and behind it.
    pub objects: (u32, u32),
    /// Where its details are, in words.
    pub details: usize,
    pub n_details: usize,
    pub details_crc: u32,
    /// Whether its details are an outline: the tokens are not there yet.
    pub is_outline: bool,
}

impl IndexEntry {
    /// The words of its details, if they are there and whole.
    pub fn find_details<'a>(&self, all: &'a [u32]) -> Option<&'a [u32]> {
        let words = all.get(self.details..self.details.checked_add(self.n_details)?)?;
        (crc32fast::hash(bytemuck::cast_slice(words)) == self.details_crc && DetailsView::new(words).is_some())
            .then_some(words)
    }
}

/// The path of the table beside a trace file, and that of the details.
pub fn index_paths(trace: &Path) -> (PathBuf, PathBuf) {
    (trace.with_extension("index"), trace.with_extension("details"))
}

/// The entries of a table, up to the first that is not whole. Nothing if it does not belong to this trace file.
pub fn read_index(bytes: &[u8], trace_start: u64, generation: u32) -> Vec<IndexEntry> {
    match bytes.strip_prefix(&header(TABLE_MAGIC, crate::VERSION, trace_start, generation)[..]) {
        Some(entries) => entries.chunks_exact(ENTRY).map_while(read_entry).collect(),
        None => Vec::new(),
    }
}

/// Appends to both files.
pub struct IndexWriter {
    table_path: PathBuf,
    details_path: PathBuf,
    start: u64,
    table: File,
    details: File,
    n_details: usize,
    words: Vec<u32>,
    /// For dropping the oldest.
    entries: Vec<IndexEntry>,
    /// Whether the files have other names, until they are whole.
    is_aside: bool,
    /// Whether what is appended are outlines.
    is_outline: bool,
}

impl IndexWriter {
    /// For outlines of a new trace file, that grow with it.
    pub fn create(trace: &Path, start: u64) -> io::Result<IndexWriter> {
        let (table_path, details_path) = index_paths(trace);
        let (table, details) = (private::create(&table_path)?, private::create(&details_path)?);
        let mut writer = IndexWriter {
            table_path,
            details_path,
            start,
            table,
            details,
            n_details: HEADER / 4,
            words: Vec::new(),
            entries: Vec::new(),
            is_aside: false,
            is_outline: true,
        };
        writer.write_headers(0)?;
        Ok(writer)
    }

    /// For a trace file that is whole: nobody sees it until it is put in place. Nothing is left of one that is not.
    pub fn create_aside(trace: &Path, start: u64, generation: u32) -> io::Result<IndexWriter> {
        let (table_path, details_path) = index_paths(trace);
        let table = private::create(&aside(&table_path))?;
        let mut writer = IndexWriter {
            details: private::create(&aside(&details_path))?,
            table_path,
            details_path,
            start,
            table,
            n_details: HEADER / 4,
            words: Vec::new(),
            entries: Vec::new(),
            is_aside: true,
            is_outline: false,
        };
        writer.write_headers(generation)?;
        Ok(writer)
    }

    /// See [`IndexWriter::create_aside`].
    pub fn put_in_place(mut self) -> io::Result<()> {
        self.is_aside = false;
        // The table comes last: what it has is there.
        fs::rename(aside(&self.details_path), &self.details_path)?;
        fs::rename(aside(&self.table_path), &self.table_path)
    }

    fn write_headers(&mut self, generation: u32) -> io::Result<()> {
        self.details.write_all(&header(DETAILS_MAGIC, crate::VERSION, self.start, generation))?;
        self.table.write_all(&header(TABLE_MAGIC, crate::VERSION, self.start, generation))
    }

    /// Length of both files.
    pub fn length(&self) -> u64 {
        (HEADER + self.n_details * 4 + self.entries.len() * ENTRY) as u64
    }

    /// How long the trace file may be so that, with what is here of it, it has at most so many bytes.
    pub fn part_of_trace(&self, bytes: u64) -> u64 {
        let mut left = bytes;
        let mut part = 0;
        for entry in self.entries.iter().rev() {
            let segment = (entry.segment.end() - entry.segment.offset) as u64;
            match left.checked_sub(segment + (entry.n_details * 4 + ENTRY) as u64) {
                Some(rest) => (left, part) = (rest, part + segment),
                None => break,
            }
        }
        part
    }

    /// After an error the index is not to be used any more; what it has stays valid.
    pub fn append(
        &mut self,
        segment: SegmentEntry,
        (before, after): (Counts, Counts),
        objects: (u32, u32),
        details: &BlockDetails,
    ) -> io::Result<()> {
        let mut words = std::mem::take(&mut self.words);
        details.to_words(&mut words);
        let written = self.append_words(segment, (before, after), objects, &words);
        self.words = words;
        written
    }

    /// As [`IndexWriter::append`], of details that are words already.
    pub fn append_words(
        &mut self,
        segment: SegmentEntry,
        (before, after): (Counts, Counts),
        objects: (u32, u32),
        words: &[u32],
    ) -> io::Result<()> {
        let bytes: &[u8] = bytemuck::cast_slice(words);
        let entry = IndexEntry {
            segment,
            before,
            after,
            objects,
            details: self.n_details,
            n_details: words.len(),
            details_crc: crc32fast::hash(bytes),
            is_outline: self.is_outline,
        };
        self.details.write_all(bytes)?;
        self.table.write_all(&write_entry(&entry))?;
        self.n_details += words.len();
        self.entries.push(entry);
        Ok(())
    }

    /// Follows [`crate::TraceWriter::drop_oldest`]. The scopes of what was dropped stay, as what follows may lie in them.
    pub fn drop_oldest(&mut self, dropped: &Dropped) -> io::Result<()> {
        let bytes = fs::read(&self.details_path)?;
        let old: Vec<u32> =
            bytes.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect();
        let find = |entry: &IndexEntry| {
            let damaged = || io::Error::other("the details of the index are damaged");
            entry.find_details(&old).and_then(DetailsView::new).ok_or_else(damaged)
        };
        let n_dropped = self
            .entries
            .partition_point(|entry| entry.segment.sequence == PREAMBLE || entry.segment.offset < dropped.first_kept);
        let mut preamble = BlockDetails::default();
        // The frames that the first block that stays shares with those before it.
        let mut stack = Vec::new();
        for entry in &self.entries[..n_dropped] {
            let details = find(entry)?;
            preamble.scopes.extend(details.scopes());
            preamble.keys.extend(details.keys());
            stack.truncate(details.n_shared());
            stack.extend(details.frames().unwrap_or_default());
        }
        let (table_path, details_path) = (self.table_path.clone(), self.details_path.clone());
        let unfinished = |path: &Path| path.with_extension("new-index");
        let mut new = IndexWriter {
            table: private::create(&unfinished(&table_path))?,
            details: private::create(&details_path.with_extension("new-details"))?,
            n_details: HEADER / 4,
            entries: Vec::new(),
            words: Vec::new(),
            start: self.start,
            table_path: table_path.clone(),
            details_path: details_path.clone(),
            is_aside: false,
            is_outline: self.is_outline,
        };
        new.details.write_all(&header(DETAILS_MAGIC, crate::VERSION, self.start, dropped.generation))?;
        new.table.write_all(&header(TABLE_MAGIC, crate::VERSION, self.start, dropped.generation))?;
        new.append(dropped.preamble, Default::default(), (0, 0), &preamble)?;
        for (at, entry) in self.entries[n_dropped..].iter().enumerate() {
            let mut details = find(entry)?.to_details().ok_or_else(|| io::Error::other("damaged frames"))?;
            if at == 0 {
                stack.truncate(details.n_shared as usize);
                stack.append(&mut details.frames);
                (details.n_shared, details.frames) = (0, std::mem::take(&mut stack));
            }
            let mut segment = entry.segment;
            segment.offset = segment.offset - dropped.first_kept + dropped.preamble.end();
            new.append(segment, (entry.before, entry.after), entry.objects, &details)?;
        }
        fs::rename(details_path.with_extension("new-details"), &details_path)?;
        fs::rename(unfinished(&table_path), &table_path)?;
        *self = new;
        Ok(())
    }
}

impl Drop for IndexWriter {
    fn drop(&mut self) {
        if self.is_aside {
            let _ = fs::remove_file(aside(&self.details_path));
            let _ = fs::remove_file(aside(&self.table_path));
        }
    }
}

/// Its name until it is whole; each process has its own.
fn aside(path: &Path) -> PathBuf {
    path.with_added_extension(format!("{}.new", std::process::id()))
}

/// The last letter changes with what an index has of a block: one that has less is made again.
const TABLE_MAGIC: &[u8; 8] = b"WFINDEX5";
const DETAILS_MAGIC: &[u8; 8] = b"WFDETLS3";
const HEADER: usize = 24;
const ENTRY: usize = 104;

/// Both files: magic, version, generation and start of the trace file they belong to.
fn header(magic: &[u8; 8], version: u32, start: u64, generation: u32) -> Vec<u8> {
    let mut header = magic.to_vec();
    header.extend_from_slice(&version.to_le_bytes());
    header.extend_from_slice(&generation.to_le_bytes());
    header.extend_from_slice(&start.to_le_bytes());
    header
}

fn write_entry(entry: &IndexEntry) -> [u8; ENTRY] {
    let SegmentEntry { offset, sequence, part, is_last, n_words, n_compressed, n_outline, crc, before: _ } =
        entry.segment;
    let mut words = Vec::with_capacity(ENTRY / 4);
    let wide = |number: u64| [number as u32, (number >> 32) as u32];
    words.extend(wide(offset as u64));
    words.extend(wide(entry.details as u64));
    words.extend([sequence, part | u32::from(is_last) << 31, n_words, n_compressed, crc]);
    words.extend([entry.n_details as u32, entry.details_crc, entry.objects.0, entry.objects.1]);
    for counts in [entry.before, entry.after] {
        words.extend([counts.frames, counts.strings, counts.symbols]);
        words.extend(wide(counts.events));
    }
    words.extend([u32::from(entry.is_outline), n_outline]);
    let checked: &[u8] = bytemuck::cast_slice(&words);
    words.push(crc32fast::hash(checked));
    let mut bytes = [0; ENTRY];
    bytes.copy_from_slice(bytemuck::cast_slice(&words));
    bytes
}

fn read_entry(bytes: &[u8]) -> Option<IndexEntry> {
    let word = |at: usize| u32::from_le_bytes([bytes[at * 4], bytes[at * 4 + 1], bytes[at * 4 + 2], bytes[at * 4 + 3]]);
    let wide = |at: usize| u64::from(word(at + 1)) << 32 | u64::from(word(at));
    if crc32fast::hash(&bytes[..ENTRY - 4]) != word(ENTRY / 4 - 1) {
        return None;
    }
    let counts =
        |at: usize| Counts { frames: word(at), strings: word(at + 1), symbols: word(at + 2), events: wide(at + 3) };
    let segment = SegmentEntry {
        offset: wide(0) as usize,
        sequence: word(4),
        part: word(5) & !(1 << 31),
        is_last: word(5) >> 31 != 0,
        n_words: word(6),
        n_compressed: word(7),
        n_outline: word(24),
        crc: word(8),
        before: Some(counts(13)),
    };
    Some(IndexEntry {
        segment,
        before: counts(13),
        after: counts(18),
        objects: (word(11), word(12)),
        details: wide(2) as usize,
        n_details: word(9) as usize,
        details_crc: word(10),
        is_outline: word(23) != 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_table_of_this_trace_file_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let trace = folder.path().join("4711-0.trace");
        let counts = Counts { frames: 1, strings: 2, symbols: 3, events: 1 << 33 };
        let segment = SegmentEntry {
            offset: 32,
            sequence: 4,
            part: 1,
            is_last: true,
            n_words: 9,
            before: Some(counts),
            n_compressed: 20,
            n_outline: 5,
            crc: 7,
        };
        let mut writer = IndexWriter::create(&trace, 5).unwrap();
        let after = Counts { events: (1 << 33) + 3, ..counts };
        writer.append(segment, (counts, after), (1, 2), &BlockDetails::default()).unwrap();

        let table = fs::read(index_paths(&trace).0).unwrap();
        let [entry] = read_index(&table, 5, 0)[..] else { panic!("one entry") };
        assert_eq!((entry.segment, entry.before, entry.after, entry.objects), (segment, counts, after, (1, 2)));
        assert!(read_index(&table, 6, 0).is_empty() && read_index(&table, 5, 1).is_empty());
        let mut damaged = table;
        damaged[HEADER] ^= 1;
        assert!(read_index(&damaged, 5, 0).is_empty());
    }
}
