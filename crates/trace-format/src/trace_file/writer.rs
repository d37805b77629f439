use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::pack::{PackedChunk, Packer, PartOfChunk, PartReader, segment_bytes};
use super::reader::{index_segments, is_intact, read_generation, read_segment, read_trace_info};
use super::{FILE_HEADER, MAGIC, PREAMBLE, SEGMENT_WORDS, SegmentEntry, TraceInfo};
use crate::FormatError;
use crate::private;
use event_encoding::{Counts, DecodeError, Shapes, is_name_record, skip, skip_all, skip_part};

/// Appends segments to a trace file. After every call the file is whole, also if the disk was full.
pub struct TraceWriter {
    path: PathBuf,
    file: File,
    info: TraceInfo,
    generation: u32,
    length: u64,
    /// What came before the next segment; `None` once something could not be counted.
    counts: Option<Counts>,
    last_sequence: Option<u32>,
    packer: Packer,
    /// The last segments; kept because giving memory of this size back and asking for it anew costs more than compressing.
    segment: Vec<u8>,
}

impl TraceWriter {
    pub fn create(path: &Path, info: TraceInfo) -> Result<TraceWriter, FormatError> {
        let io = |error| FormatError::io(&name_of(path), error);
        let mut file = private::create(path).map_err(io)?;
        file.write_all(&file_header(info, 0)).map_err(io)?;
        Ok(TraceWriter {
            path: path.into(),
            file,
            info,
            generation: 0,
            length: FILE_HEADER as u64,
            counts: Some(Counts::default()),
            last_sequence: None,
            packer: Packer::new().map_err(io)?,
            segment: Vec::new(),
        })
    }

    /// Opens a file to which another process was writing when it died; what is not a whole segment is cut off.
    pub fn reopen(path: &Path, shapes: &mut impl Shapes) -> Result<TraceWriter, FormatError> {
        let name = name_of(path);
        let io = |error| FormatError::io(&name, error);
        let bytes = fs::read(path).map_err(io)?;
        let info = read_trace_info(&bytes, &name)?;
        let (mut segments, _) = index_segments(&bytes, &name);
        while segments.pop_if(|last| !is_intact(&bytes, last)).is_some() {}
        // A chunk is freed when it is written to its end: this one is still in the ring.
        while segments.pop_if(|last| !last.is_last && last.sequence != PREAMBLE).is_some() {}
        let length = segments.last().map_or(FILE_HEADER, SegmentEntry::end) as u64;
        let counts = match segments.last() {
            Some(last) => counts_behind(&bytes, last, &name, shapes),
            None => Some(Counts::default()),
        };
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(io)?;
        file.set_len(length).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        let last_sequence = segments.last().map(|last| last.sequence).filter(|sequence| *sequence != PREAMBLE);
        Ok(TraceWriter {
            path: path.into(),
            file,
            info,
            generation: read_generation(&bytes),
            length,
            counts,
            last_sequence,
            packer: Packer::new().map_err(io)?,
            segment: Vec::new(),
        })
    }

    /// Appends a chunk of the ring, in parts. What follows its last event, which is zeros, is left out. `shapes` serves to
    /// count. A chunk that is already there is passed over.
    pub fn append(&mut self, sequence: u32, words: &[u32], shapes: &mut impl Shapes) -> Result<(), FormatError> {
        if self.last_sequence.is_some_and(|last| sequence <= last) {
            return Ok(());
        }
        let mut reader = CountingReader { shapes };
        let io = |error| FormatError::io(&name_of(&self.path), error);
        let packed = self.packer.pack(sequence, words, SEGMENT_WORDS, &mut reader).map_err(io)?;
        self.append_packed(&packed)
    }

    /// As [`TraceWriter::append`], of a chunk that was packed elsewhere. It is there as a whole, or not at all.
    pub fn append_packed(&mut self, chunk: &PackedChunk) -> Result<(), FormatError> {
        if self.last_sequence.is_some_and(|last| chunk.sequence <= last) {
            return Ok(());
        }
        self.segment.clear();
        let after = chunk.segments_behind(self.counts, &mut self.segment);
        self.write_segments(chunk.sequence)?;
        self.counts = after;
        Ok(())
    }

    /// Appends a part of a chunk, of which is known what came before it and what there is with it.
    pub fn append_part(
        &mut self,
        part: PartOfChunk,
        words: &[u32],
        before: Option<Counts>,
        after: Option<Counts>,
    ) -> Result<SegmentEntry, FormatError> {
        let io = |path: &Path, error| FormatError::io(&name_of(path), error);
        let mut entry = segment_bytes(&mut self.packer.compressor, part, words, before, &mut self.segment)
            .map_err(|error| io(&self.path, error))?;
        entry.offset = self.length as usize;
        self.write_segments(part.sequence)?;
        self.counts = after;
        Ok(entry)
    }

    fn write_segments(&mut self, sequence: u32) -> Result<(), FormatError> {
        if let Err(error) = self.file.write_all(&self.segment) {
            // A full disk: half a segment is of no use, and in the way of the next.
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            return Err(FormatError::io(&name_of(&self.path), error));
        }
        self.length += self.segment.len() as u64;
        self.last_sequence = Some(sequence);
        Ok(())
    }

    /// Makes room by dropping the oldest segments, until the file has at most `bytes` or one segment. Their strings and
    /// symbols stay, as what follows refers to them.
    pub fn drop_oldest(&mut self, bytes: u64, shapes: &mut impl Shapes) -> Result<Option<Dropped>, FormatError> {
        let name = name_of(&self.path);
        let io = |error| FormatError::io(&name, error);
        let old = fs::read(&self.path).map_err(io)?;
        let (segments, _) = index_segments(&old, &name);
        let is_kept = |segment: &&SegmentEntry| {
            segment.sequence != PREAMBLE && (old.len() - segment.offset) as u64 + FILE_HEADER as u64 <= bytes
        };
        let Some(first_kept) = segments.iter().find(is_kept).or(segments.last()) else { return Ok(None) };
        let mut names = Vec::new();
        for segment in segments.iter().take_while(|segment| segment.offset < first_kept.offset) {
            if let Ok(words) = read_segment(&old, segment, &name) {
                copy_name_records(&words, shapes, &mut names);
            }
        }
        self.generation += 1;
        let mut new = file_header(self.info, self.generation);
        let mut preamble_bytes = Vec::new();
        let part = PartOfChunk { sequence: PREAMBLE, part: 0, is_last: true };
        let counts = Some(Counts::default());
        let mut preamble =
            segment_bytes(&mut self.packer.compressor, part, &names, counts, &mut preamble_bytes).map_err(io)?;
        preamble.offset = new.len();
        new.extend_from_slice(&preamble_bytes);
        let dropped = Dropped { preamble, first_kept: first_kept.offset, generation: self.generation };
        new.extend_from_slice(&old[first_kept.offset..]);
        let temporary = self.path.with_extension("trace.new");
        private::write(&temporary, &new).and_then(|()| fs::rename(&temporary, &self.path)).map_err(io)?;
        self.file = OpenOptions::new().read(true).write(true).open(&self.path).map_err(io)?;
        self.file.seek(SeekFrom::End(0)).map_err(io)?;
        self.length = new.len() as u64;
        Ok(Some(dropped))
    }

    /// Length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// What the file holds so far, with what was dropped; `None` if it could not be counted.
    pub fn counts(&self) -> Option<Counts> {
        self.counts
    }

    /// The sequence number of the last segment: older chunks of the ring are already here.
    pub fn last_sequence(&self) -> Option<u32> {
        self.last_sequence
    }
}

/// Counts, and finds out nothing else.
struct CountingReader<'a, S> {
    shapes: &'a mut S,
}

impl<S: Shapes> PartReader for CountingReader<'_, S> {
    fn pass(
        &mut self,
        words: &[u32],
        room: usize,
        counts: &mut Counts,
        _: &mut Vec<u32>,
    ) -> Result<usize, DecodeError> {
        skip_part(words, room, counts, self.shapes)
    }
}

/// What dropping did to the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dropped {
    /// The new first segment, with the strings and symbols.
    pub preamble: SegmentEntry,
    /// Where the first segment that stays was; it now lies behind the preamble.
    pub first_kept: usize,
    pub generation: u32,
}

fn file_header(info: TraceInfo, generation: u32) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    for word in [crate::VERSION, info.pid, info.thread, generation] {
        header.extend_from_slice(&word.to_le_bytes());
    }
    header.extend_from_slice(&info.start.to_le_bytes());
    header
}

fn counts_behind(bytes: &[u8], segment: &SegmentEntry, file: &str, shapes: &mut impl Shapes) -> Option<Counts> {
    let mut counts = segment.before?;
    let words = read_segment(bytes, segment, file).ok()?;
    skip_all(&words, &mut counts, shapes).ok()?;
    Some(counts)
}

fn copy_name_records(words: &[u32], shapes: &mut impl Shapes, names: &mut Vec<u32>) {
    let mut at = 0;
    while let Ok(Some(length)) = skip(&words[at..], &mut Counts::default(), shapes) {
        if is_name_record(&words[at..]) {
            names.extend_from_slice(&words[at..at + length]);
        }
        at += length;
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
