//! How often each line was executed, by file. It is counted once for each thread and kept with the run (`<thread>.lines`): a large run
//! has many files, and everybody who looks at it asks for this first.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use query::Trace;
use trace_format::{FileLines, LineCounts, private, read_line_counts, write_line_counts};
use trace_model::{LocalSite, SiteKind};
use trace_store::{Run, Target};

use super::moving::original;

/// Of the threads of a run, once somebody asks.
pub(crate) struct KeptLineCounts(Vec<OnceLock<Arc<LineCounts>>>);

impl KeptLineCounts {
    pub fn of(run: &Run) -> KeptLineCounts {
        KeptLineCounts(run.threads().iter().map(|_| OnceLock::new()).collect())
    }

    /// Of a thread, whose number counts from 1. A run that recorded only some sites says for each whether it was left out.
    pub fn get(&self, run: &Run, number: usize, trace: &Trace) -> Arc<LineCounts> {
        let Some(known) = self.0.get(number - 1).filter(|_| !trace.is_sparse()) else {
            return Arc::new(counted(trace));
        };
        if let Some(known) = known.get() {
            return known.clone();
        }
        let counts = Arc::new(read(run, trace).unwrap_or_else(|| {
            let counts = counted(trace);
            keep(run, trace, &counts);
            counts
        }));
        known.get_or_init(|| counts).clone()
    }
}

fn file_of(run: &Run, trace: &Trace) -> PathBuf {
    run.folder().join(format!("{}.lines", trace.thread.name()))
}

fn n_events(trace: &Trace) -> u64 {
    trace.thread.end().0 - trace.thread.first_event().0
}

fn read(run: &Run, trace: &Trace) -> Option<LineCounts> {
    let path = file_of(run, trace);
    let counts = read_line_counts(&fs::read(&path).ok()?, &path.display().to_string()).ok()?;
    (counts.n_events == n_events(trace)).then_some(counts)
}

/// Not of a run that grows. Where it cannot be written, the next one counts again.
fn keep(run: &Run, trace: &Trace, counts: &LineCounts) {
    if run.is_being_recorded() {
        return;
    }
    let path = file_of(run, trace);
    let aside = path.with_extension(format!("lines.{}.tmp", std::process::id()));
    let write = |aside: &Path| private::write(aside, write_line_counts(counts)).and_then(|()| fs::rename(aside, &path));
    if write(&aside).is_err() {
        let _ = fs::remove_file(&aside);
    }
}

/// Of each file its events, and the lines that have code, with how often what is executed most often on the line was executed.
fn counted(trace: &Trace) -> LineCounts {
    let mut by_file: BTreeMap<&str, (u64, BTreeMap<u32, u64>)> = BTreeMap::new();
    let thread = trace.thread;
    let counts = (!trace.is_sparse()).then(|| thread.site_counts());
    for unit in thread.code().units() {
        let Ok(code) = unit.code() else { continue };
        for (number, site) in (0..).zip(&code.sites.sites) {
            let Some(place) = original(unit, site.span.start) else { continue };
            let is_statement =
                !matches!(site.kind, SiteKind::Function | SiteKind::Class | SiteKind::Exit | SiteKind::Scope);
            let site = unit.site(LocalSite(number));
            let n_hits = match &counts {
                Some(counts) => counts.of(site),
                None => trace.count(&Target::Sites(&[site]), thread.first_event()..thread.end()),
            };
            let (n_events, lines) = by_file.entry(place.path).or_default();
            *n_events += n_hits;
            if is_statement {
                let known = lines.entry(place.position.line).or_default();
                *known = (*known).max(n_hits);
            }
        }
    }
    // What failed on a line may be the first that would have emitted an event.
    let failed = super::resolve::line_that_failed_first(trace);
    if let Some((path, line)) = &failed {
        *by_file.entry(path).or_default().1.entry(*line).or_default() += 1;
    }
    let file = |(path, (n_events, lines)): (&str, (u64, BTreeMap<u32, u64>))| FileLines {
        path: path.into(),
        n_events,
        lines: lines.into_iter().collect(),
    };
    LineCounts { n_events: n_events(trace), files: by_file.into_iter().map(file).collect() }
}
