//! The crash path of the thread that crashed, read from its event memory by the ordinary engine.

use std::fs;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use crash_dump::{Events, Recording, Unit, Unrecorded};
use crash_path::Path;
use instrument::{SourceKind, Text};
use javascript::JavaScript;
use module_origin::paths::package_name;
use query::{Coverage, CrashPathRequest, Trace};
use trace_format::{CodeHash, CodeRecord, parse_policy};
use trace_model::{CodeKind, LanguageRef, Origin, Policy, SiteId, SiteTable};
use trace_store::Thread;

use crate::report::Lost;

/// What recording showed, and what it cost.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    pub path: Option<Path>,
    /// About: of those that were dropped nobody knows.
    pub n_events: u64,
}

/// The path is missing if it cannot be told in time.
pub fn of(recording: Recording, root: &str, deadline: Instant) -> Result<Recorded, Lost> {
    let Recording { policy, n_labels, events, units, unrecorded, .. } = recording;
    let Some(Events { ring, before, chunks }) = events else { return Ok(Recorded::default()) };
    let found = Arc::new(Mutex::new(Recorded { path: None, n_events: before.events }));
    let (done, is_done) = mpsc::channel();
    let (root, into) = (root.to_owned(), found.clone());
    let asking = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
        let now = Instant::now();
        let units = with_unrecorded(units, &unrecorded, now + deadline.saturating_duration_since(now) / 3);
        let thread = Thread::in_memory(LanguageRef(&JavaScript), ring, before, chunks, units);
        let policy = parse_policy(&policy).unwrap_or_else(|_| Policy::full());
        let trace = Trace::new(&thread, &Arc::new(Coverage::of(&policy)));
        let put = |change: &dyn Fn(&mut Recorded)| change(&mut into.lock().unwrap_or_else(PoisonError::into_inner));
        put(&|recorded| recorded.n_events = thread.end().0);
        let failure = query::failures(&trace, &|_| true).pop();
        let request = CrashPathRequest { root: &root, n_labels: n_labels as usize, about: None };
        let path = failure.map(|failure| query::crash_path(&trace, &failure, &request).path);
        put(&|recorded| recorded.path.clone_from(&path));
        let _ = done.send(());
    });
    let ended = asking.is_ok().then(|| is_done.recv_timeout(deadline.saturating_duration_since(Instant::now())));
    let recorded = found.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match ended {
        // Whoever asked is gone without an answer.
        None | Some(Err(RecvTimeoutError::Disconnected)) => Err(Lost::Failed),
        Some(Err(RecvTimeoutError::Timeout)) if recorded.path.is_none() => Err(Lost::Late),
        Some(_) => Ok(recorded),
    }
}

const STACK_BYTES: usize = 32 << 20;

type Code = (CodeRecord, SiteTable, String);

/// Also the code that runs as it is, as far as it can be read again in time: what is recorded leads there.
fn with_unrecorded(units: Vec<Unit>, unrecorded: &[Unrecorded], end: Instant) -> Vec<Code> {
    let mut all: Vec<Code> = units.into_iter().map(|Unit { record, sites, source }| (record, sites, source)).collect();
    let mut base = all.iter().map(|(record, ..)| record.base.0 + record.n_sites).max().unwrap_or(1);
    for (number, code) in unrecorded.iter().enumerate() {
        if Instant::now() > end {
            break;
        }
        let Some(source) = fs::read_to_string(&code.path).ok().filter(|text| text.len() as u64 == code.length) else {
            continue;
        };
        let Ok(made) = instrument::instrument_fully(Text::new(&source, source_kind(code.kind))) else { continue };
        let mut sites = made.sites;
        for function in &mut sites.functions {
            function.exact_exit = false;
            function.recorded = false;
        }
        let n_sites = sites.sites.len() as u32;
        // Nobody looks for these by what is in them.
        let hash = CodeHash(number as u128);
        let (kind, path, origin) = (code.kind, code.path.clone(), origin_of(&code.path));
        all.push((CodeRecord { base: SiteId(base), n_sites, kind, hash, path, origin }, sites, source));
        base += n_sites;
    }
    all
}

fn origin_of(path: &str) -> Origin {
    match path.contains("/node_modules/") {
        true => Origin::Library(package_name(path).to_owned()),
        false => Origin::Own,
    }
}

fn source_kind(kind: CodeKind) -> SourceKind {
    match kind {
        CodeKind::Script => SourceKind::Script,
        CodeKind::Module => SourceKind::Module,
        CodeKind::CommonJs => SourceKind::CommonJs,
        CodeKind::Eval => SourceKind::Eval,
        CodeKind::FunctionBody => SourceKind::FunctionBody,
    }
}
