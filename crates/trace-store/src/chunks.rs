use std::fs::File;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use trace_format::{
    Counts, FormatError, IndexEntry, PREAMBLE, RelativeOutline, Ring, SegmentEntry, TRACE_FILE_HEADER, index_paths,
    index_segments_from, read_generation, read_index, read_outline, read_segment_into, read_trace_info,
};

/// The words of a thread in the order in which they were written: the segments of its trace file, then what is left in its ring.
#[derive(Debug)]
pub(crate) struct Chunks {
    file_name: String,
    /// Where the times of its words are; nothing if it lies in no file.
    times_file: Option<PathBuf>,
    trace: Option<Mmap>,
    chunks: Vec<Chunk>,
    /// What the index knows of the first chunks.
    index: Vec<IndexEntry>,
    details: Option<Mmap>,
    pub start: u64,
    /// Stretches of the files that hold nothing readable.
    pub notes: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct Chunk {
    pub sequence: u64,
    /// Whether it is the end of the chunk of the ring that it was.
    is_last_part: bool,
    /// What came before it, if it is known without reading.
    pub before: Option<Counts>,
    words: Words,
}

impl Chunk {
    /// Strings and symbols of what was dropped: not events of their own.
    pub fn is_preamble(&self) -> bool {
        self.sequence == u64::from(PREAMBLE)
    }

    pub fn segment(&self) -> Option<SegmentEntry> {
        match self.words {
            Words::Segment(segment) => Some(segment),
            Words::Copied(_) => None,
        }
    }
}

#[derive(Debug)]
enum Words {
    Segment(SegmentEntry),
    Copied(Vec<u32>),
}

impl Chunks {
    /// Opens `<name>.trace`, its index, and `<name>.ring`; any may be missing.
    pub fn open(run: &Path, name: &str) -> Result<Chunks, FormatError> {
        // The ring comes first: a chunk that the parent drains meanwhile is then seen twice, and not missed.
        let ring = map(&run.join(format!("{name}.ring")))?;
        let ring_name = format!("{name}.ring");
        let file_name = format!("{name}.trace");
        let mut chunks = Chunks {
            trace: None,
            chunks: Vec::new(),
            index: Vec::new(),
            details: None,
            start: 0,
            notes: Vec::new(),
            file_name,
            times_file: Some(run.join(format!("{name}.times"))),
        };
        let mut left_over = Vec::new();
        if let Some(ring) = &ring {
            // A ring that cannot be read must not hide the trace file.
            match copy_ring(ring, &ring_name) {
                Ok((start, copied)) => (chunks.start, left_over) = (start, copied),
                Err(error) => chunks.notes.push(error.to_string()),
            }
        }
        chunks.open_trace(&run.join(&chunks.file_name))?;
        chunks.add_left_over(left_over);
        Ok(chunks)
    }

    /// Words that lie in no file, oldest first; `before` is what came before the first of them.
    pub fn in_memory(name: &str, start: u64, before: Counts, chunks: Vec<Vec<u32>>) -> Chunks {
        let chunk = |(number, words)| Chunk {
            sequence: number as u64,
            is_last_part: true,
            before: (number == 0).then_some(before),
            words: Words::Copied(words),
        };
        Chunks {
            file_name: name.to_owned(),
            times_file: None,
            trace: None,
            chunks: chunks.into_iter().enumerate().map(chunk).collect(),
            index: Vec::new(),
            details: None,
            start,
            notes: Vec::new(),
        }
    }

    fn open_trace(&mut self, path: &Path) -> Result<(), FormatError> {
        // The index comes first: it then knows of no more than the trace file has.
        let (table_path, details_path) = index_paths(path);
        let table = map(&table_path).unwrap_or_default();
        self.details = map(&details_path).unwrap_or_default();
        self.trace = map(path)?;
        let Some(trace) = &self.trace else { return Ok(()) };
        self.start = read_trace_info(trace, &self.file_name)?.start;
        if let (Some(table), Some(_)) = (table, &self.details) {
            self.index = read_index(&table, self.start, read_generation(trace));
        }
        let mut end = TRACE_FILE_HEADER;
        let is_next = |entry: &IndexEntry| {
            let is_next = entry.segment.offset == end && entry.segment.end() <= trace.len();
            end = entry.segment.end();
            // A damaged outline ends what is known: it cannot be made anew without what lies before it.
            is_next && (!entry.is_outline || entry.find_details(self.details()).is_some())
        };
        let n_known = self.index.iter().copied().take_while(is_next).count();
        self.index.truncate(n_known);
        let end = self.index.last().map_or(TRACE_FILE_HEADER, |last| last.segment.end());
        let (segments, notes) = index_segments_from(trace, end, &self.file_name);
        self.notes.extend(notes);
        let known = self.index.iter().map(|entry| entry.segment);
        self.chunks = known.chain(segments).map(from_segment).collect();
        Ok(())
    }

    /// Adds what is in the ring and was not drained to its end.
    fn add_left_over(&mut self, mut left_over: Vec<Chunk>) {
        while let Some(last) = self.chunks.last()
            && !last.is_last_part
            && left_over.iter().any(|chunk| chunk.sequence == last.sequence)
        {
            self.chunks.pop();
        }
        self.index.truncate(self.chunks.len());
        let drained = self.chunks.iter().rev().find(|chunk| !chunk.is_preamble()).map(|last| last.sequence);
        left_over.retain(|chunk| drained.is_none_or(|drained| chunk.sequence > drained));
        self.chunks.extend(left_over);
    }

    pub fn times_file(&self) -> Option<&Path> {
        self.times_file.as_deref()
    }

    /// What the index knows of the first chunks.
    pub fn index(&self) -> &[IndexEntry] {
        &self.index
    }

    /// The details of all blocks that the index knows.
    pub fn details(&self) -> &[u32] {
        let bytes = self.details.as_deref().unwrap_or_default();
        bytemuck::cast_slice(&bytes[..bytes.len() / 4 * 4])
    }

    /// How many bytes of the trace file the index does not know, or not yet with all its facts.
    pub fn not_indexed(&self) -> u64 {
        let n_whole = self.index.iter().take_while(|entry| !entry.is_outline).count();
        let behind = &self.chunks[n_whole..];
        let segments = behind.iter().filter_map(Chunk::segment).filter(|segment| segment.n_words > 0);
        segments.map(|segment| segment.end() as u64 - segment.offset as u64).sum()
    }

    /// Where a chunk is in the trace file; nothing if it is not there.
    pub fn segment(&self, chunk: usize) -> Option<SegmentEntry> {
        self.chunks[chunk].segment()
    }

    pub fn generation(&self) -> u32 {
        self.trace.as_deref().map_or(0, read_generation)
    }

    pub fn all(&self) -> &[Chunk] {
        &self.chunks
    }

    /// Some of the words of a chunk; nothing if they cannot be read.
    pub fn part(&self, chunk: usize, part: Range<usize>) -> Vec<u32> {
        let words = self.words(&self.chunks[chunk]).unwrap_or_default();
        if part.start == 0 && part.end >= words.len() {
            return words;
        }
        words.get(part).unwrap_or_default().to_vec()
    }

    pub fn words(&self, chunk: &Chunk) -> Result<Vec<u32>, FormatError> {
        let mut words = Vec::new();
        self.read(chunk, &mut words)?;
        Ok(words)
    }

    /// What was found out of a chunk alone when it was packed.
    pub fn outline(&self, chunk: usize) -> Option<RelativeOutline> {
        read_outline(self.trace.as_deref()?, &self.chunks[chunk].segment()?)
    }

    /// As [`Chunks::words`], into memory that is used again.
    pub fn words_into(&self, chunk: usize, words: &mut Vec<u32>) -> Result<(), FormatError> {
        self.read(&self.chunks[chunk], words)
    }

    fn read(&self, chunk: &Chunk, words: &mut Vec<u32>) -> Result<(), FormatError> {
        match (&chunk.words, &self.trace) {
            (Words::Copied(copied), _) => {
                words.clone_from(copied);
                Ok(())
            }
            (Words::Segment(segment), Some(trace)) => read_segment_into(trace, segment, &self.file_name, words),
            (Words::Segment(_), None) => unreachable!("segments come from the mapped file"),
        }
    }
}

fn from_segment(segment: SegmentEntry) -> Chunk {
    Chunk {
        sequence: segment.sequence.into(),
        is_last_part: segment.is_last,
        before: segment.before,
        words: Words::Segment(segment),
    }
}

/// The start of the thread and the chunks of its ring, oldest first.
fn copy_ring(ring: &Mmap, name: &str) -> Result<(u64, Vec<Chunk>), FormatError> {
    // SAFETY: a mapping is aligned to pages and lives as long as `ring`; the program that may still write to the file
    // does so through its own mapping.
    let ring = unsafe { Ring::from_raw(ring.as_ptr(), ring.len(), name)? };
    let copy = |chunk| Chunk {
        sequence: ring.sequence(chunk),
        is_last_part: true,
        before: None,
        words: Words::Copied(ring.copy_chunk(chunk)),
    };
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
