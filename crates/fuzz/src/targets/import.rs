//! A file that somebody shared: imported, and asked if it is a run.

use std::fs;

use debugger::RunChoice;
use debugger::Session;

use super::questions::ask_all;

/// The bytes of the file. Its checksums are made right first: they tell of accidents, and who means harm gets them right.
pub fn import(input: &[u8]) {
    import_and_ask(&with_checksums(input));
}

pub fn import_and_ask(exported: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("run.wherefore");
    fs::write(&file, exported).expect("the folder can be written");
    if debugger::import(&file, folder.path()).is_ok() {
        let session = Session::open(&RunChoice(None), folder.path()).expect("what was imported can be opened");
        ask_all(&session);
    }
}

const HEADER: usize = 12;
const TRACE_HEADER: usize = 32;
const SEGMENT_HEADER: usize = 48;

fn with_checksums(input: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    let mut at = HEADER;
    while let Some(n_name) = bytes.get(at..at + 2).map(|n| usize::from(u16::from_le_bytes([n[0], n[1]]))) {
        if n_name == 0 {
            let crc = crc32fast::hash(&bytes[..at + 2]);
            bytes.truncate(at + 2);
            bytes.extend_from_slice(&crc.to_le_bytes());
            break;
        }
        let Some(length) = bytes.get(at + 2 + n_name..at + 10 + n_name) else { break };
        let length = u64::from_le_bytes(length.try_into().expect("eight bytes"));
        let start = at + 10 + n_name;
        let Some(end) = usize::try_from(length).ok().and_then(|length| start.checked_add(length)) else { break };
        let is_trace = bytes[at + 2..start - 8].ends_with(b".trace");
        let Some(file) = bytes.get_mut(start..end) else { break };
        if is_trace {
            repair_segments(file);
        }
        at = end;
    }
    bytes
}

/// Puts the right checksum into each segment of a trace file, as far as these follow each other.
pub fn repair_segments(file: &mut [u8]) {
    let mut at = TRACE_HEADER;
    while let Some(header) = file.get(at..at + SEGMENT_HEADER) {
        let word =
            |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]) as usize;
        let end = at + SEGMENT_HEADER + word(20) + word(24);
        let Some(checked) = file.get(at + 8..end) else { return };
        let crc = crc32fast::hash(checked);
        file[at + 4..at + 8].copy_from_slice(&crc.to_le_bytes());
        at = end;
    }
}
