use std::fs;

use proptest::prelude::*;
use trace_model::{SiteId, SiteKind};

use super::*;
use event_encoding::SiteShape;

const INFO: TraceInfo = TraceInfo { pid: 4711, thread: 0, start: 12 };

/// Every site is a `Call`: one word an event.
fn calls(_: SiteId) -> Option<SiteShape> {
    Some(SiteShape::new(SiteKind::Call, 0))
}

fn call_words(n: u32) -> Vec<u32> {
    (1..=n).map(|site| site << 4).collect()
}

/// A string record of one word, `x`.
const STRING_X: [u32; 2] = [1 << 12 | 1 << 4 | 15, b'x' as u32];

fn read_all(bytes: &[u8]) -> (Vec<Vec<u32>>, Vec<String>) {
    let (segments, mut notes) = index_segments(bytes, "t.trace");
    let mut read = Vec::new();
    for segment in &segments {
        match read_segment(bytes, segment, "t.trace") {
            Ok(words) => read.push(words),
            Err(error) => notes.push(error.to_string()),
        }
    }
    (read, notes)
}

fn written(lengths: &[u32]) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("4711-0.trace");
    let mut writer = TraceWriter::create(&path, INFO).unwrap();
    for (sequence, length) in lengths.iter().enumerate() {
        let mut words = call_words(*length);
        words.extend([0; 5]);
        writer.append(sequence as u32, &words, &mut calls).unwrap();
    }
    assert_eq!(writer.length(), fs::metadata(&path).unwrap().len());
    assert_eq!(writer.counts().unwrap().events, lengths.iter().map(|length| u64::from(*length)).sum::<u64>());
    (folder, path)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn segments_come_back(lengths in prop::collection::vec(0..200u32, 0..6)) {
        let (_folder, path) = written(&lengths);
        let bytes = fs::read(path).unwrap();
        prop_assert_eq!(read_trace_info(&bytes, "t.trace").unwrap(), INFO);
        let expected: Vec<_> = lengths.iter().map(|length| call_words(*length)).collect();
        prop_assert_eq!(read_all(&bytes), (expected, vec![]));
    }

    #[test]
    fn a_cut_file_gives_its_whole_segments(lengths in prop::collection::vec(1..50u32, 1..5), cut in 1..200usize) {
        let (_folder, path) = written(&lengths);
        let bytes = fs::read(&path).unwrap();
        let left = bytes.len().saturating_sub(cut).max(FILE_HEADER);
        let (read, _) = read_all(&bytes[..left]);
        let expected: Vec<_> = lengths.iter().map(|length| call_words(*length)).collect();
        prop_assert_eq!(&read[..], &expected[..read.len()]);

        fs::write(&path, &bytes[..left]).unwrap();
        let mut writer = TraceWriter::reopen(&path, &mut calls).unwrap();
        prop_assert_eq!(writer.last_sequence(), (read.len() as u32).checked_sub(1));
        writer.append(9, &call_words(3), &mut calls).unwrap();
        let (again, notes) = read_all(&fs::read(&path).unwrap());
        prop_assert_eq!(&again[..read.len()], &read[..]);
        prop_assert_eq!(again.last(), Some(&call_words(3)));
        prop_assert!(notes.is_empty());
    }

    #[test]
    fn one_damaged_byte_costs_one_segment(lengths in prop::collection::vec(1..50u32, 2..6), at: prop::sample::Index, xor in 1..=255u8) {
        let (_folder, path) = written(&lengths);
        let mut bytes = fs::read(&path).unwrap();
        let at = FILE_HEADER + at.index(bytes.len() - FILE_HEADER);
        bytes[at] ^= xor;
        let (read, notes) = read_all(&bytes);
        prop_assert_eq!(read.len(), lengths.len() - 1);
        prop_assert!(!notes.is_empty());
    }
}

#[test]
fn a_newer_file_is_refused() {
    let (_folder, path) = written(&[]);
    let mut bytes = fs::read(path).unwrap();
    bytes[8] = 6;
    let error = read_trace_info(&bytes, "4711-0.trace").unwrap_err();
    assert_eq!(error.to_string(), "4711-0.trace has format 6; this build reads format 5");
    let error = read_trace_info(b"hello", "4711-0.trace").unwrap_err();
    assert_eq!(error.to_string(), "4711-0.trace is not a trace file");
}

#[test]
fn dropped_segments_leave_their_strings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("4711-0.trace");
    let mut writer = TraceWriter::create(&path, INFO).unwrap();
    for sequence in 0..10 {
        let words = [call_words(100), STRING_X.to_vec()].concat();
        writer.append(sequence, &words, &mut calls).unwrap();
        writer.drop_oldest(600, &mut calls).unwrap();
    }
    writer.append(10, &call_words(1), &mut calls).unwrap();
    let bytes = fs::read(&path).unwrap();
    let (segments, notes) = index_segments(&bytes, "t");
    assert!(notes.is_empty() && segments.len() < 10);
    assert_eq!(segments[0].sequence, PREAMBLE);
    let first_kept = segments[1].before.unwrap();
    let preamble = read_segment(&bytes, &segments[0], "t").unwrap();
    assert_eq!(preamble, STRING_X.repeat(first_kept.strings as usize));
    assert_eq!(first_kept.events, u64::from(first_kept.strings) * 101);
    assert_eq!(segments.last().unwrap().before.unwrap().events, 1010);
}

#[test]
fn what_cannot_be_counted_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("4711-0.trace");
    let mut writer = TraceWriter::create(&path, INFO).unwrap();
    let mut unknown = |_: SiteId| None;
    writer.append(0, &call_words(3), &mut unknown).unwrap();
    writer.append(1, &call_words(3), &mut calls).unwrap();
    let bytes = fs::read(&path).unwrap();
    assert_eq!(read_all(&bytes).0, [call_words(3), call_words(3)]);
    assert_eq!(index_segments(&bytes, "t").0[1].before, None);
}

#[test]
fn memory_is_not_taken_for_what_a_segment_claims() {
    let (_folder, path) = written(&[5, 7]);
    let mut bytes = fs::read(path).unwrap();
    let (segments, _) = index_segments(&bytes, "t.trace");
    let header = segments[0].offset;
    bytes[header + 16..header + 20].copy_from_slice(&u32::MAX.to_le_bytes());
    // Whoever writes such a file makes its checksum as well.
    let crc = reader::checksum(&bytes[header..segments[0].end()]);
    bytes[header + 4..header + 8].copy_from_slice(&crc.to_le_bytes());
    let (read, notes) = read_all(&bytes);
    assert_eq!((read, notes.len()), (vec![call_words(7)], 1));
}

#[test]
fn no_memory_is_taken_for_words_that_a_segment_cannot_have() {
    let (_folder, path) = written(&[3]);
    let mut bytes = fs::read(path).unwrap();
    let n_words = FILE_HEADER + 16;
    bytes[n_words..n_words + 4].copy_from_slice(&(1u32 << 26).to_le_bytes());
    let crc = reader::checksum(&bytes[FILE_HEADER..]);
    bytes[FILE_HEADER + 4..FILE_HEADER + 8].copy_from_slice(&crc.to_le_bytes());
    assert!(index_segments(&bytes, "t.trace").0.is_empty());
}

#[test]
fn words_that_are_all_alike_are_read_however_small_they_were_packed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("4711-0.trace");
    let words = vec![1 << 4; SEGMENT_WORDS * 8];
    TraceWriter::create(&path, INFO).unwrap().append(0, &words, &mut calls).unwrap();
    let (read, notes) = read_all(&fs::read(path).unwrap());
    assert_eq!((read.concat(), notes), (words, vec![]));
}
