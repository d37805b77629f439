//! The files of a run as an input has them: without compression, lengths and checksums, so that a change of a byte is a change of what
//! the engine reads, and not of how that is packed.
//!
//! `=== NAME` on a line of its own, then the bytes of the file. Of a trace file there are the header, and the words of one segment; what was
//! found out about it when it was packed is a file of its own, `4711-0.outline`.

use trace_format::{ExportWriter, index_segments, read_segment};

const MARK: &[u8] = b"\n=== ";
const TRACE_HEADER: usize = 32;
const FORMAT: u32 = trace_format::VERSION;

pub struct PlainFile<'i> {
    pub name: &'i str,
    pub bytes: &'i [u8],
}

/// The files of an input. What stands before the first mark, and a name that is no text, is left out.
pub fn files(input: &[u8]) -> Vec<PlainFile<'_>> {
    let starts: Vec<usize> = (0..input.len()).filter(|at| input[*at..].starts_with(MARK)).collect();
    let ends = starts.iter().skip(1).copied().chain([input.len()]);
    let sections = starts.iter().zip(ends).map(|(start, end)| &input[start + MARK.len()..end]);
    sections
        .filter_map(|section| {
            let line = section.iter().position(|byte| *byte == b'\n')?;
            Some(PlainFile { name: std::str::from_utf8(&section[..line]).ok()?, bytes: &section[line + 1..] })
        })
        .collect()
}

/// An input of the files of a run.
pub fn plain(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut input = Vec::new();
    let mut add = |name: &str, bytes: &[u8]| {
        input.extend_from_slice(MARK);
        input.extend_from_slice(name.as_bytes());
        input.push(b'\n');
        input.extend_from_slice(bytes);
    };
    for (name, bytes) in files {
        match kind(name) {
            Kind::Trace => {
                let (segments, _) = index_segments(bytes, name);
                let Some(segment) = segments.first() else { continue };
                let words = read_segment(bytes, segment, name).expect("a run of ours can be read");
                let words = words.iter().flat_map(|word| word.to_le_bytes());
                add(name, &bytes[12..TRACE_HEADER].iter().copied().chain(words).collect::<Vec<_>>());
                let outline = &bytes[segment.end() - n_outline(bytes, segment.offset)..segment.end()];
                if !outline.is_empty() {
                    let outline = zstd::decode_all(outline).expect("a run of ours can be read");
                    add(&name.replace(".trace", ".outline"), &outline);
                }
            }
            Kind::Packed => add(name, &zstd::decode_all(&bytes[..]).expect("a run of ours can be read")),
            Kind::Other => add(name, bytes),
        }
    }
    input
}

fn n_outline(bytes: &[u8], segment: usize) -> usize {
    let at = segment + 24;
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize
}

/// The files, as they are exported.
pub fn exported(files: &[PlainFile]) -> Vec<u8> {
    let mut writer = ExportWriter::new(Vec::new()).expect("memory takes it");
    for file in files.iter().filter(|file| !file.name.ends_with(".outline") && u16::try_from(file.name.len()).is_ok()) {
        let packed = match kind(file.name) {
            Kind::Trace => {
                let outline = file.name.replace(".trace", ".outline");
                let outline = files.iter().find(|other| other.name == outline).map_or(&[][..], |other| other.bytes);
                trace(file.bytes, outline)
            }
            Kind::Packed => compressed(file.bytes),
            Kind::Other => file.bytes.to_vec(),
        };
        writer.add(file.name, packed.len() as u64, &mut &packed[..]).expect("memory takes it");
    }
    writer.finish().expect("memory takes it")
}

enum Kind {
    Trace,
    /// One zstd frame.
    Packed,
    Other,
}

fn kind(name: &str) -> Kind {
    match name.rsplit_once('.').map(|(_, kind)| kind) {
        Some("trace") => Kind::Trace,
        Some("src" | "sites" | "origins") => Kind::Packed,
        _ => Kind::Other,
    }
}

/// A trace file with one segment, as crates/trace-format/README.md draws it.
fn trace(plain: &[u8], outline: &[u8]) -> Vec<u8> {
    let (header, words) = plain.split_at(plain.len().min(TRACE_HEADER - 12));
    let words = &words[..words.len() / 4 * 4];
    let mut file = b"WFTRACE\0".to_vec();
    file.extend_from_slice(&FORMAT.to_le_bytes());
    file.extend_from_slice(header);
    file.resize(TRACE_HEADER, 0);
    let packed = compressed(words);
    let outline = if outline.is_empty() { Vec::new() } else { compressed(&outline[..outline.len() / 4 * 4]) };
    let last_part = 1 << 31;
    file.extend_from_slice(b"SEG3");
    for number in [0, 0, last_part, words.len() as u32 / 4, packed.len() as u32, outline.len() as u32, 0, 0, 0] {
        file.extend_from_slice(&u32::to_le_bytes(number));
    }
    file.extend_from_slice(&u64::to_le_bytes(0));
    file.extend_from_slice(&packed);
    file.extend_from_slice(&outline);
    super::import::repair_segments(&mut file);
    file
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, 1).expect("memory takes it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{EXPORTED, unpacked};

    #[test]
    fn a_run_is_the_same_behind_its_plain_form() {
        let input = plain(&unpacked(EXPORTED));
        let again = exported(&files(&input));
        assert_eq!(plain(&unpacked(&again)), input);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("again.wherefore");
        std::fs::write(&file, again).unwrap();
        assert_eq!(debugger::import(&file, folder.path()).map_err(|error| error.to_string()), Ok(1));
    }
}
