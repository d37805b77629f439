//! How long the events of a process are, from the code files it writes while it runs; for all who pack its chunks.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use trace_format::{CodeHash, Counts, DecodeError, SiteLengths, SiteShape, read_code_records, read_site_table};
use trace_model::SiteTable;

pub struct ProcessLengths {
    run: PathBuf,
    pid: u32,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    n_bytes_read: usize,
    lengths: Arc<SiteLengths>,
}

/// What is known now; learns more when it meets a site that is not.
pub struct LengthsReader<'a> {
    all: &'a ProcessLengths,
    lengths: Arc<SiteLengths>,
}

impl ProcessLengths {
    pub fn new(run: PathBuf, pid: u32) -> Arc<ProcessLengths> {
        Arc::new(ProcessLengths { run, pid, known: Mutex::default() })
    }

    pub fn reader(&self) -> LengthsReader<'_> {
        LengthsReader { all: self, lengths: self.known().lengths.clone() }
    }

    /// The process writes the record of a piece of code before the code runs, so what is not there now never will be.
    fn learn(&self) -> Arc<SiteLengths> {
        let mut known = self.known();
        let Ok(bytes) = fs::read(self.run.join(format!("{}.code", self.pid))) else { return known.lengths.clone() };
        let (records, n_bytes) = read_code_records(bytes.get(known.n_bytes_read..).unwrap_or(&[]));
        known.n_bytes_read += n_bytes;
        if !records.is_empty() {
            let mut lengths = SiteLengths::clone(&known.lengths);
            for record in records {
                if let Some(table) = read_table(&self.run, record.hash) {
                    lengths.add(record.base, table.sites.iter().map(SiteShape::of));
                }
            }
            known.lengths = Arc::new(lengths);
        }
        known.lengths.clone()
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl LengthsReader<'_> {
    /// Passes and counts the events at the start of the words, as many as fit into `room` but one at least. Gives how many words they
    /// take.
    pub fn pass_part(&mut self, words: &[u32], room: usize, counts: &mut Counts) -> Result<usize, DecodeError> {
        let mut at = 0;
        let mut learned_at = None;
        loop {
            match self.lengths.pass_all(words, room, &mut at, counts) {
                Ok(()) => return Ok(at),
                Err(DecodeError::UnknownSite(_)) if learned_at != Some(at) => {
                    self.lengths = self.all.learn();
                    learned_at = Some(at);
                }
                Err(error) => return Err(error),
            }
        }
    }
}

pub fn read_table(run: &std::path::Path, hash: CodeHash) -> Option<SiteTable> {
    let name = format!("{hash}.sites");
    let bytes = fs::read(run.join("code").join(&name)).ok()?;
    let bytes = zstd::stream::decode_all(&bytes[..]).ok()?;
    read_site_table(&bytes, &name).ok()
}
