use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::reader::{checksum, index_segments, is_intact, read_segment, read_trace_info};
use super::{FILE_HEADER, MAGIC, NOT_COUNTED, PREAMBLE, SEGMENT_HEADER, SEGMENT_MAGIC, SegmentEntry, TraceInfo};
use crate::FormatError;
use crate::words::{Counts, Shapes, is_name_record, skip, skip_all};

/// Appends segments to a trace file. After every call the file is whole, also if the disk was full.
pub struct TraceWriter {
    path: PathBuf,
    file: File,
    info: TraceInfo,
    length: u64,
    /// What came before the next segment; `None` once something could not be counted.
    counts: Option<Counts>,
    last_sequence: Option<u32>,
    compressor: zstd::bulk::Compressor<'static>,
    /// The last segment; kept because giving memory of this size back and asking for it anew costs more than compressing.
    segment: Vec<u8>,
}

impl TraceWriter {
    pub fn create(path: &Path, info: TraceInfo) -> Result<TraceWriter, FormatError> {
        let io = |error| FormatError::io(&name_of(path), error);
        let mut file = File::create(path).map_err(io)?;
        file.write_all(&file_header(info)).map_err(io)?;
        Ok(TraceWriter {
            path: path.into(),
            file,
            info,
            length: FILE_HEADER as u64,
            counts: Some(Counts::default()),
            last_sequence: None,
            compressor: compressor().map_err(io)?,
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
        let length = segments.last().map_or(FILE_HEADER, SegmentEntry::end) as u64;
        let counts = match segments.last() {
            Some(last) => counts_behind(&bytes, last, &name, shapes),
            None => Some(Counts::default()),
        };
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(io)?;
        file.set_len(length).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        let last_sequence = segments.last().map(|last| last.sequence);
        Ok(TraceWriter {
            path: path.into(),
            file,
            info,
            length,
            counts,
            last_sequence,
            compressor: compressor().map_err(io)?,
            segment: Vec::new(),
        })
    }

    /// Appends a chunk of the ring. What follows its last event, which is zeros, is left out. `shapes` serves to count.
    pub fn append(&mut self, sequence: u32, words: &[u32], shapes: &mut impl Shapes) -> Result<(), FormatError> {
        let before = self.counts;
        let mut counts = before.unwrap_or_default();
        let walked = skip_all(words, &mut counts, shapes);
        // Words that cannot be counted are kept: a reader may know more than we do.
        let words = walked.map_or(words, |length| &words[..length]);
        let io = |path: &Path, error| FormatError::io(&name_of(path), error);
        segment_bytes(&mut self.compressor, sequence, words, before, &mut self.segment)
            .map_err(|error| io(&self.path, error))?;
        if let Err(error) = self.file.write_all(&self.segment) {
            // A full disk: half a segment is of no use, and in the way of the next.
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            return Err(io(&self.path, error));
        }
        self.length += self.segment.len() as u64;
        self.last_sequence = Some(sequence);
        self.counts = before.filter(|_| walked.is_ok()).map(|_| counts);
        Ok(())
    }

    /// Makes room by dropping the oldest segments, until the file has at most `bytes` or one segment. Their strings and
    /// symbols stay, as what follows refers to them.
    pub fn drop_oldest(&mut self, bytes: u64, shapes: &mut impl Shapes) -> Result<(), FormatError> {
        let name = name_of(&self.path);
        let io = |error| FormatError::io(&name, error);
        let old = fs::read(&self.path).map_err(io)?;
        let (segments, _) = index_segments(&old, &name);
        let is_kept = |segment: &&SegmentEntry| {
            segment.sequence != PREAMBLE && (old.len() - segment.offset) as u64 + FILE_HEADER as u64 <= bytes
        };
        let Some(first_kept) = segments.iter().find(is_kept).or(segments.last()) else { return Ok(()) };
        let mut names = Vec::new();
        for segment in segments.iter().take_while(|segment| segment.offset < first_kept.offset) {
            if let Ok(words) = read_segment(&old, segment, &name) {
                copy_name_records(&words, shapes, &mut names);
            }
        }
        let mut new = file_header(self.info);
        let mut preamble = Vec::new();
        segment_bytes(&mut self.compressor, PREAMBLE, &names, Some(Counts::default()), &mut preamble).map_err(io)?;
        new.extend_from_slice(&preamble);
        new.extend_from_slice(&old[first_kept.offset..]);
        let temporary = self.path.with_extension("trace.new");
        fs::write(&temporary, &new).and_then(|()| fs::rename(&temporary, &self.path)).map_err(io)?;
        self.file = OpenOptions::new().read(true).write(true).open(&self.path).map_err(io)?;
        self.file.seek(SeekFrom::End(0)).map_err(io)?;
        self.length = new.len() as u64;
        Ok(())
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

fn compressor() -> io::Result<zstd::bulk::Compressor<'static>> {
    // The fastest level: compressing must keep up with the program on a second core.
    zstd::bulk::Compressor::new(1)
}

fn file_header(info: TraceInfo) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    for word in [crate::VERSION, info.pid, info.thread, 0] {
        header.extend_from_slice(&word.to_le_bytes());
    }
    header.extend_from_slice(&info.start.to_le_bytes());
    header
}

/// Writes the segment into `segment`, whatever that held.
fn segment_bytes(
    compressor: &mut zstd::bulk::Compressor,
    sequence: u32,
    words: &[u32],
    before: Option<Counts>,
    segment: &mut Vec<u8>,
) -> io::Result<()> {
    let plain: &[u8] = bytemuck::cast_slice(words);
    segment.resize(SEGMENT_HEADER + zstd::zstd_safe::compress_bound(plain.len()), 0);
    let n_compressed = compressor.compress_to_buffer(plain, &mut segment[SEGMENT_HEADER..])?;
    segment.truncate(SEGMENT_HEADER + n_compressed);
    let before = before.unwrap_or(Counts { events: NOT_COUNTED, ..Counts::default() });
    let mut header = Vec::with_capacity(SEGMENT_HEADER);
    header.extend_from_slice(SEGMENT_MAGIC);
    header.extend_from_slice(&[0; 4]);
    for word in [sequence, words.len() as u32, n_compressed as u32, before.frames, before.strings, before.symbols] {
        header.extend_from_slice(&word.to_le_bytes());
    }
    header.extend_from_slice(&before.events.to_le_bytes());
    segment[..SEGMENT_HEADER].copy_from_slice(&header);
    let crc = checksum(segment);
    segment[4..8].copy_from_slice(&crc.to_le_bytes());
    Ok(())
}

// The file is little-endian, and so is memory on every machine that Node runs on.
const _: () = assert!(cfg!(target_endian = "little"));

fn counts_behind(bytes: &[u8], segment: &SegmentEntry, file: &str, shapes: &mut impl Shapes) -> Option<Counts> {
    let mut counts = segment.before?;
    let words = read_segment(bytes, segment, file).ok()?;
    skip_all(&words, &mut counts, shapes).ok()?;
    Some(counts)
}

fn copy_name_records(words: &[u32], shapes: &mut impl Shapes, names: &mut Vec<u32>) {
    let mut at = 0;
    while let Ok(Some(length)) = skip(&words[at..], &mut Counts::default(), shapes) {
        if is_name_record(words[at]) {
            names.extend_from_slice(&words[at..at + length]);
        }
        at += length;
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
