//! Each reader of a file that a run has, by itself: the first byte says which. What is read is written and read again.

use crash_dump::CrashDump;
use trace_format::{
    BlockDetails, DetailsView, FileFilter, LiveReport, LoadedFile, RelativeOutline, RunFile, RunSettings,
    index_segments, next_code_record, parse_policy, policy_text, read_code_records, read_index, read_line_counts,
    read_origins, read_outline, read_segment, read_site_table, read_tests, read_times, read_trace_info,
    tests_are_sound, write_line_counts, write_origins, write_site_table,
};

use super::import::repair_segments;

type Reader = fn(&[u8]);

/// By the kind of file.
pub const READERS: &[(&str, Reader)] = &[
    ("trace", trace),
    ("times", |bytes| drop(read_times(bytes, FILE))),
    ("code", code),
    ("sites", sites),
    ("origins", origins),
    ("index", |bytes| drop(read_index(bytes, 0, 0))),
    ("details", details),
    ("outline", outline),
    ("lines", line_counts),
    ("dump", dump),
    ("settings", settings),
    ("run", |bytes| text(bytes, |text| drop(RunFile::parse(text).map(|run| RunFile::parse(&run.to_text()))))),
    ("policy", |bytes| text(bytes, policy)),
    ("tests", |bytes| text(bytes, |text| drop((tests_are_sound(text), read_tests(text))))),
    ("loaded", |bytes| text(bytes, |text| drop(LoadedFile::read(text)))),
    ("live", |bytes| text(bytes, |text| drop(LiveReport::parse_all(text)))),
];

const FILE: &str = "fuzzed";

pub fn readers(input: &[u8]) {
    let Some((which, bytes)) = input.split_first() else { return };
    let (_, read) = READERS[usize::from(*which) % READERS.len()];
    read(bytes);
}

fn trace(bytes: &[u8]) {
    let mut bytes = bytes.to_vec();
    repair_segments(&mut bytes);
    let _ = read_trace_info(&bytes, FILE);
    let (segments, _) = index_segments(&bytes, FILE);
    for segment in segments {
        let _ = read_segment(&bytes, &segment, FILE);
        let _ = read_outline(&bytes, &segment);
    }
}

fn code(bytes: &[u8]) {
    let (records, length) = read_code_records(bytes);
    let again: Vec<u8> = records.iter().flat_map(|record| record.to_bytes()).collect();
    assert_eq!(read_code_records(&again).0, records);
    let _ = next_code_record(bytes, length);
}

fn sites(bytes: &[u8]) {
    if let Ok(table) = read_site_table(bytes, FILE) {
        assert_eq!(read_site_table(&write_site_table(&table), FILE).as_ref().ok(), Some(&table));
    }
}

fn origins(bytes: &[u8]) {
    if let Ok(origins) = read_origins(bytes, FILE) {
        assert_eq!(read_origins(&write_origins(&origins), FILE).as_ref().ok(), Some(&origins));
    }
}

fn details(bytes: &[u8]) {
    let words = words(bytes);
    let Some(view) = DetailsView::new(&words) else { return };
    let _ = (view.frames(), view.resumed(), view.scopes().count(), view.sites().count());
    if let Some(details) = view.to_details() {
        let mut again = Vec::new();
        BlockDetails::to_words(&details, &mut again);
        assert!(DetailsView::new(&again).is_some());
    }
}

fn outline(bytes: &[u8]) {
    if let Some(outline) = RelativeOutline::read(&words(bytes)) {
        let mut again = Vec::new();
        outline.to_words(&mut again);
        assert!(RelativeOutline::read(&again).is_some());
    }
}

fn line_counts(bytes: &[u8]) {
    if let Ok(counts) = read_line_counts(bytes, FILE) {
        assert!(read_line_counts(&write_line_counts(&counts), FILE).is_ok());
    }
}

fn dump(bytes: &[u8]) {
    if let Some(dump) = CrashDump::parse(bytes) {
        assert!(CrashDump::parse(&dump.to_bytes()).is_some());
    }
}

fn settings(bytes: &[u8]) {
    text(bytes, |text| {
        if let Some(settings) = RunSettings::parse(text) {
            let _ = FileFilter::new(&settings.include, &settings.exclude).map(|filter| filter.wants("src/app.js"));
            settings.policy.as_deref().into_iter().for_each(policy);
        }
    });
}

fn policy(text: &str) {
    if let Ok(policy) = parse_policy(text) {
        assert_eq!(parse_policy(&policy_text(&policy)).ok().as_ref(), Some(&policy));
    }
}

fn text(bytes: &[u8], read: impl FnOnce(&str)) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        read(text);
    }
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}
