use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

use memmap2::Mmap;
use trace_format::{Counts, FormatError, PREAMBLE, Ring, SegmentEntry, index_segments, read_segment, read_trace_info};

/// The words of a thread in the order in which they were written: the segments of its trace file, then what is left in its ring.
#[derive(Debug)]
pub(crate) struct Chunks {
    file_name: String,
    trace: Option<Mmap>,
    chunks: Vec<Chunk>,
    pub start: u64,
    /// Stretches of the files that hold nothing readable.
    pub notes: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct Chunk {
    pub sequence: u64,
    /// What came before it, if it is known without reading.
    pub before: Option<Counts>,
    words: Words,
}

impl Chunk {
    /// Strings and symbols of what was dropped: not events of their own.
    pub fn is_preamble(&self) -> bool {
        self.sequence == u64::from(PREAMBLE)
    }
}

#[derive(Debug)]
enum Words {
    Segment(SegmentEntry),
    Copied(Vec<u32>),
}

impl Chunks {
    /// Opens `<name>.trace` and `<name>.ring`; either may be missing.
    pub fn open(run: &Path, name: &str) -> Result<Chunks, FormatError> {
        // The ring comes first: a chunk that the parent drains meanwhile is then seen twice, and not missed.
        let ring = map(&run.join(format!("{name}.ring")))?;
        let ring_name = format!("{name}.ring");
        let file_name = format!("{name}.trace");
        let mut chunks = Chunks { file_name, trace: None, chunks: Vec::new(), start: 0, notes: Vec::new() };
        let mut left_over = Vec::new();
        if let Some(ring) = &ring {
            // A ring that cannot be read must not hide the trace file.
            match copy_ring(ring, &ring_name) {
                Ok((start, copied)) => (chunks.start, left_over) = (start, copied),
                Err(error) => chunks.notes.push(error.to_string()),
            }
        }
        chunks.trace = map(&run.join(&chunks.file_name))?;
        if let Some(trace) = &chunks.trace {
            chunks.start = read_trace_info(trace, &chunks.file_name)?.start;
            let (segments, notes) = index_segments(trace, &chunks.file_name);
            chunks.notes.extend(notes);
            chunks.chunks = segments.into_iter().map(from_segment).collect();
        }
        let is_drained = |chunk: &Chunk| {
            chunks
                .chunks
                .iter()
                .rev()
                .find(|last| !last.is_preamble())
                .is_some_and(|last| chunk.sequence <= last.sequence)
        };
        left_over.retain(|chunk| !is_drained(chunk));
        chunks.chunks.extend(left_over);
        Ok(chunks)
    }

    pub fn all(&self) -> &[Chunk] {
        &self.chunks
    }

    pub fn words(&self, chunk: &Chunk) -> Result<Vec<u32>, FormatError> {
        match (&chunk.words, &self.trace) {
            (Words::Copied(words), _) => Ok(words.clone()),
            (Words::Segment(segment), Some(trace)) => read_segment(trace, segment, &self.file_name),
            (Words::Segment(_), None) => unreachable!("segments come from the mapped file"),
        }
    }
}

fn from_segment(segment: SegmentEntry) -> Chunk {
    Chunk { sequence: segment.sequence.into(), before: segment.before, words: Words::Segment(segment) }
}

/// The start of the thread and the chunks of its ring, oldest first.
fn copy_ring(ring: &Mmap, name: &str) -> Result<(u64, Vec<Chunk>), FormatError> {
    // SAFETY: a mapping is aligned to pages and lives as long as `ring`; the program that may still write to the file
    // does so through its own mapping.
    let ring = unsafe { Ring::from_raw(ring.as_ptr(), ring.len(), name)? };
    let copy =
        |chunk| Chunk { sequence: ring.sequence(chunk), before: None, words: Words::Copied(ring.copy_chunk(chunk)) };
    Ok((ring.info().start, ring.chunks_in_order().into_iter().map(copy).collect()))
}

fn map(path: &Path) -> Result<Option<Mmap>, FormatError> {
    let io = |error| FormatError::Io { file: path.file_name().unwrap_or_default().to_string_lossy().into(), error };
    match File::open(path) {
        // An empty file cannot be mapped, and holds nothing.
        Ok(file) if file.metadata().map_err(io)?.len() == 0 => Ok(None),
        // SAFETY: the files of a run only grow, or are replaced by rename; see the README of trace-format.
        Ok(file) => unsafe { Mmap::map(&file) }.map(Some).map_err(io),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io(error)),
    }
}
