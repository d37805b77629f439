//! The crash path of the calling thread, read from its event memory by the ordinary engine.

use std::fs;
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use crash_path::Path;
use instrument::Text;
use javascript::JavaScript;
use query::{Coverage, CrashPathRequest, Trace};
use trace_format::{CodeHash, CodeRecord};
use trace_model::{LanguageRef, SiteId, SiteTable};
use trace_store::Thread;

use super::policy;
use crate::code::{self, Unrecorded};
use crate::origins;
use crate::ring::{self, Kept};
use crate::settings;

/// What recording showed, and what it cost.
#[derive(Clone, Debug)]
pub struct Recorded {
    pub path: Option<Path>,
    /// About: of those that were dropped nobody knows.
    pub n_events: u64,
}

/// What this thread recorded; nothing if it does not record. The path is missing if it cannot be told in time.
pub fn of_this_thread(root: &str, deadline: Instant) -> Option<Recorded> {
    let (in_force, settings) = (policy::in_force()?, settings::get()?);
    let Kept { info, before, chunks } = ring::kept()?;
    let (units, unrecorded) = code::in_memory();
    let found = Arc::new(Mutex::new(Recorded { path: None, n_events: before.events }));
    let (done, is_done) = mpsc::channel();
    let (root, into, n_labels) = (root.to_owned(), found.clone(), in_force.n_labels);
    // Whatever happens to the engine there happens to that thread alone.
    let asking = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
        let now = Instant::now();
        let units = with_unrecorded(units, &unrecorded, now + deadline.saturating_duration_since(now) / 3);
        let thread = Thread::in_memory(LanguageRef(&JavaScript), info, before, chunks, units);
        let trace = Trace::new(&thread, &Arc::new(Coverage::of(&settings.policy)));
        let put = |change: &dyn Fn(&mut Recorded)| change(&mut into.lock().unwrap_or_else(PoisonError::into_inner));
        put(&|recorded| recorded.n_events = thread.end().0);
        let failure = query::failures(&trace, &|_| true).pop();
        let request = CrashPathRequest { root: &root, n_labels, about: None };
        let path = failure.map(|failure| query::crash_path(&trace, &failure, &request).path);
        put(&|recorded| recorded.path.clone_from(&path));
        let _ = done.send(());
    });
    asking.ok()?;
    let _ = is_done.recv_timeout(deadline.saturating_duration_since(Instant::now()));
    let recorded = found.lock().unwrap_or_else(PoisonError::into_inner);
    Some(recorded.clone())
}

const STACK_BYTES: usize = 32 << 20;

type Unit = (CodeRecord, SiteTable, String);

/// Also the code that runs as it is, as far as it can be read again in time: what is recorded leads there.
fn with_unrecorded(mut units: Vec<Unit>, unrecorded: &[Unrecorded], end: Instant) -> Vec<Unit> {
    let mut base = units.iter().map(|(record, ..)| record.base.0 + record.n_sites).max().unwrap_or(1);
    for (number, code) in unrecorded.iter().enumerate() {
        if Instant::now() > end {
            break;
        }
        let Some(source) = fs::read_to_string(&code.path).ok().filter(|text| text.len() == code.length) else {
            continue;
        };
        let Ok(made) = instrument::instrument_fully(Text::new(&source, code.kind)) else { continue };
        let mut sites = made.sites;
        for function in &mut sites.functions {
            function.exact_exit = false;
            function.recorded = false;
        }
        let n_sites = sites.sites.len() as u32;
        // Nobody looks for these by what is in them.
        let hash = CodeHash(number as u128);
        let (kind, path) = (code::code_kind(code.kind), code.path.clone());
        let origin = origins::by_path(&path);
        units.push((CodeRecord { base: SiteId(base), n_sites, kind, hash, path, origin }, sites, source));
        base += n_sites;
    }
    units
}
