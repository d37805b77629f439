//! What was unpacked, before anybody uses it: every file is read as the engine will read it, and refused if it is not what this build
//! would have written. So a file that somebody made by hand can be strange, but asks for no memory that it does not fill, and names nothing of
//! this machine that is then opened or run.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use trace_format::{
    FileFilter, RunFile, RunSettings, index_segments, parse_policy, read_code_records, read_origins, read_site_table,
    read_times, read_trace_info, tests_are_sound,
};
use trace_model::{SiteTable, is_redacted};
use trace_store::{PROBLEMS_FILE, Run, TestRecord};

use super::import::{damaged, is_imported};
use crate::Error;
use crate::ask::checked_points;
use crate::languages::open_run;
use crate::rerun::{Definitions, STDIN};

/// Whether a folder holds a run, and nothing in it that could do harm. `name` is the file it came out of.
pub(super) fn check(run: &Path, name: &str) -> Result<(), Error> {
    // Before anything is opened that may be of any size.
    let mut left = MOST_CODE;
    let files = files(run).map_err(Error::io(run))?;
    for path in &files {
        let shown = path.strip_prefix(run).unwrap_or(path).display().to_string();
        if !is_of_size(path, &mut left).map_err(Error::io(path))? {
            return Err(damaged(name, &format!("{shown} cannot be read")));
        }
    }
    let opened = open_run(run).map_err(|error| damaged(name, &error.to_string()))?;
    if !is_imported(opened.file()) {
        return Err(damaged(name, "it does not say that it was shared"));
    }
    if let Some(note) = opened.notes().first() {
        return Err(damaged(name, note));
    }
    let checked = Checked::of(&opened);
    for path in &files {
        let shown = path.strip_prefix(run).unwrap_or(path).display().to_string();
        if !checked.is_sound(path, &shown).map_err(Error::io(path))? {
            return Err(damaged(name, &format!("{shown} cannot be read")));
        }
    }
    for thread in opened.threads() {
        thread.verify().map_err(|why| damaged(name, &why))?;
    }
    Ok(())
}

/// Of one segment: 256 MB. One event that is larger was never recorded.
const MOST_WORDS: u32 = 1 << 26;
/// Of all sources and their tables together: 1 GB.
const MOST_CODE: u64 = 1 << 30;
/// Of a file of lines.
const LONGEST_TEXT: u64 = 1 << 28;
/// Microseconds since 1970: nothing was recorded behind the year 9999.
const LAST_TIME: u64 = 253_402_300_800_000_000;
/// Sites that a process compiled and whose code is not in the run.
const MOST_UNKNOWN_SITES: u64 = 1 << 24;

/// What is unpacked must be as large as it says, and not larger than anything that is recorded.
fn is_of_size(path: &Path, left: &mut u64) -> io::Result<bool> {
    let length = fs::metadata(path)?.len();
    Ok(match path.extension().and_then(|extension| extension.to_str()) {
        Some("trace") => {
            let bytes = fs::read(path)?;
            let (segments, notes) = index_segments(&bytes, "");
            let is_small = |segment: &trace_format::SegmentEntry| {
                segment.n_words <= MOST_WORDS
                    && unpacks_into(&bytes[segment.data()..segment.end()], u64::from(segment.n_words) * 4)
            };
            notes.is_empty() && segments.iter().all(is_small)
        }
        Some("src" | "sites" | "origins") => match unpacked_length(&fs::read(path)?, *left + 1) {
            Some(length) if length <= *left => {
                *left -= length;
                true
            }
            _ => false,
        },
        Some("txt") => length <= LONGEST_TEXT,
        _ => true,
    })
}

/// What the files of a run must agree on.
struct Checked<'r> {
    run: &'r Run,
    n_points: usize,
}

impl Checked<'_> {
    fn of(run: &Run) -> Checked<'_> {
        let points = fs::read_to_string(run.folder().join("points.txt")).unwrap_or_default();
        Checked { run, n_points: checked_points(&legible(&points)).unwrap_or_default() }
    }

    fn is_sound(&self, path: &Path, shown: &str) -> io::Result<bool> {
        // What the program read is bytes of any kind.
        if shown == STDIN {
            return Ok(true);
        }
        let bytes = fs::read(path)?;
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        Ok(match path.extension().and_then(|extension| extension.to_str()) {
            Some("txt") => std::str::from_utf8(&bytes).is_ok_and(|text| self.is_sound_text(shown, text)),
            Some("trace") => read_trace_info(&bytes, shown)
                .is_ok_and(|info| format!("{}-{}", info.pid, info.thread) == stem && info.start < LAST_TIME),
            Some("times") => {
                let is_soon = |(start, marks): (u64, Vec<trace_format::TimeMark>)| {
                    start.max(marks.last().map_or(0, |mark| mark.micros)) < LAST_TIME
                };
                read_times(&bytes, shown).is_ok_and(is_soon)
            }
            Some("code") => self.is_sound_code(&bytes),
            Some("sites") => {
                let source = unpacked(&path.with_extension("src"))?;
                unpacked(path)?
                    .and_then(|table| read_site_table(&table, shown).ok())
                    .is_some_and(|table| source.is_none_or(|source| has_spans_of(&table, source.len())))
            }
            Some("origins") => unpacked(path)?.is_some_and(|origins| read_origins(&origins, shown).is_ok()),
            Some("src") => unpacked(path)?.is_some_and(|source| String::from_utf8(source).is_ok()),
            _ => false,
        })
    }

    fn is_sound_text(&self, name: &str, text: &str) -> bool {
        match name {
            // What is not known to this build is kept, and means nothing.
            RunFile::NAME => RunFile::parse(text).is_ok_and(|run| run.start < LAST_TIME),
            RunSettings::NAME => RunSettings::parse(text).is_some_and(|settings| {
                let policy = settings.policy.as_deref().map(parse_policy);
                let is_harmless = settings.stop.is_none() && settings.intervention.is_none() && settings.parent == 0;
                is_harmless
                    && policy.is_none_or(|policy| policy.is_ok())
                    && FileFilter::new(&settings.include, &settings.exclude).is_ok()
            }),
            PROBLEMS_FILE => true,
            "points.txt" => checked_points(&legible(text)).is_some(),
            "questions.txt" => Definitions::are_sound(&legible(text), self.n_points),
            "judge.txt" => crate::judge::are_sound(&legible(text)),
            TestRecord::FILE => tests_are_sound(&legible(text)),
            _ => false,
        }
    }

    /// Records that are whole, with the numbers that one process gives: one behind the other, as many as the code has.
    fn is_sound_code(&self, bytes: &[u8]) -> bool {
        let (records, length) = read_code_records(bytes);
        let n_sites: u64 = records.iter().map(|record| u64::from(record.n_sites)).sum();
        let mut ends = BTreeMap::new();
        for record in &records {
            ends.insert(record.base.0, u64::from(record.base.0) + u64::from(record.n_sites));
        }
        let is_apart = ends.values().zip(ends.keys().skip(1)).all(|(end, next)| *end <= u64::from(*next));
        let last = ends.values().max().copied().unwrap_or_default();
        length == bytes.len()
            && is_apart
            && last <= (n_sites + MOST_UNKNOWN_SITES).min(u64::from(u32::MAX))
            && self.has_as_many(&records)
    }

    /// The table of each code that is there has the sites that were numbered.
    fn has_as_many(&self, records: &[trace_format::CodeRecord]) -> bool {
        let units = self.run.threads().iter().flat_map(|thread| thread.code().units());
        let of_code: BTreeMap<_, _> =
            units.filter_map(|unit| Some((unit.record.hash, unit.code().ok()?.sites.sites.len()))).collect();
        records.iter().all(|record| of_code.get(&record.hash).is_none_or(|n_sites| *n_sites == record.n_sites as usize))
    }
}

/// The lines of a file that can be told: without one that was being written, and those in which something was taken out, which mean nothing
/// to whoever reads them unless they are still whole.
fn legible(text: &str) -> String {
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    whole.map(|line| if is_redacted(line) { "\n" } else { line }).collect()
}

fn has_spans_of(table: &SiteTable, length: usize) -> bool {
    let spans = table.sites.iter().map(|site| site.span);
    let spans = spans.chain(table.functions.iter().map(|function| function.span));
    let spans = spans.chain(table.variables.iter().map(|variable| variable.span));
    let mut spans = spans.chain(table.not_captured.iter().map(|(span, _)| *span));
    spans.all(|span| span.start <= span.end && span.end as usize <= length)
}

/// `None`: it is not there, or cannot be unpacked. How large it is was checked.
fn unpacked(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(zstd::decode_all(&bytes[..]).ok()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn unpacks_into(compressed: &[u8], length: u64) -> bool {
    unpacked_length(compressed, length + 1) == Some(length)
}

/// Counted, and not kept; at most so far.
fn unpacked_length(compressed: &[u8], most: u64) -> Option<u64> {
    let decoder = zstd::stream::Decoder::new(compressed).ok()?;
    io::copy(&mut decoder.take(most), &mut io::sink()).ok()
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            all.extend(files(&path)?);
        } else {
            all.push(path);
        }
    }
    Ok(all)
}
