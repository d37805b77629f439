//! What is known of the sites of a process, from the code files it writes while it runs; for all who pack its chunks.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use trace_format::{CodeHash, Counts, DecodeError, PartReader, read_code_records, read_site_table};
use trace_model::SiteTable;
use trace_store::{BlockOutliner, OutlineSites};

pub struct PackedSites {
    run: PathBuf,
    pid: u32,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    n_bytes_read: usize,
    sites: Arc<OutlineSites>,
}

/// Reads blocks with what is known now; learns more when it meets a site that is not.
pub struct BlockReader<'a> {
    all: &'a PackedSites,
    sites: Arc<OutlineSites>,
    outliner: &'a mut BlockOutliner,
}

impl PackedSites {
    pub fn new(run: PathBuf, pid: u32) -> Arc<PackedSites> {
        Arc::new(PackedSites { run, pid, known: Mutex::default() })
    }

    pub fn reader<'a>(&'a self, outliner: &'a mut BlockOutliner) -> BlockReader<'a> {
        BlockReader { all: self, sites: self.known().sites.clone(), outliner }
    }

    /// The process writes the record of a piece of code before the code runs, so what is not there now never will be.
    fn learn(&self) -> Arc<OutlineSites> {
        let mut known = self.known();
        let Ok(bytes) = fs::read(self.run.join(format!("{}.code", self.pid))) else { return known.sites.clone() };
        let (records, n_bytes) = read_code_records(bytes.get(known.n_bytes_read..).unwrap_or(&[]));
        known.n_bytes_read += n_bytes;
        if !records.is_empty() {
            let mut sites = OutlineSites::clone(&known.sites);
            for record in records {
                if record.is_near(sites.len())
                    && let Some(table) = read_table(&self.run, record.hash)
                {
                    sites.add(record.base, &table);
                }
            }
            known.sites = Arc::new(sites);
        }
        known.sites.clone()
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl PartReader for BlockReader<'_> {
    fn pass(
        &mut self,
        words: &[u32],
        room: usize,
        counts: &mut Counts,
        outline: &mut Vec<u32>,
    ) -> Result<usize, DecodeError> {
        let mut own = Counts::default();
        let passed = self.pass_block(words, room, &mut own);
        self.outliner.finish(&mut own, outline);
        if passed.is_err() {
            outline.clear();
        }
        *counts = counts.and(own);
        passed
    }
}

impl BlockReader<'_> {
    fn pass_block(&mut self, words: &[u32], room: usize, counts: &mut Counts) -> Result<usize, DecodeError> {
        let mut at = 0;
        let mut learned_at = None;
        loop {
            match self.outliner.pass(&self.sites, words, room, &mut at, counts) {
                Ok(()) => return Ok(at),
                Err(DecodeError::UnknownSite(_)) if learned_at != Some(at) => {
                    self.sites = self.all.learn();
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
