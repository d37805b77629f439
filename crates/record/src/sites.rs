//! What is known of a process's sites, from the code files it writes while it runs.

use std::fs;
use std::path::PathBuf;

use trace_format::{Shapes, SiteShape, read_code_records};
use trace_model::SiteId;
use trace_store::{Briefs, SiteBrief, briefs_of};

use crate::packed_sites::read_table;

pub struct ProcessSites {
    run: PathBuf,
    pid: u32,
    n_bytes_read: usize,
    /// By site number, with the first site of its code. Every event asks, so this is a table and nothing cleverer.
    sites: Vec<Option<(SiteId, SiteBrief)>>,
}

impl ProcessSites {
    pub fn new(run: PathBuf, pid: u32) -> ProcessSites {
        ProcessSites { run, pid, n_bytes_read: 0, sites: Vec::new() }
    }

    #[inline]
    fn known(&self, site: SiteId) -> Option<(SiteId, &SiteBrief)> {
        let (unit, brief) = self.sites.get(site.0 as usize)?.as_ref()?;
        Some((*unit, brief))
    }

    /// The process writes the record of a piece of code before the code runs, so what is not there now never will be.
    #[cold]
    fn read_more(&mut self) {
        let Ok(bytes) = fs::read(self.run.join(format!("{}.code", self.pid))) else { return };
        let (records, n_bytes) = read_code_records(bytes.get(self.n_bytes_read..).unwrap_or(&[]));
        self.n_bytes_read += n_bytes;
        for record in records {
            let Some(table) = read_table(&self.run, record.hash).map(|table| briefs_of(&table)) else { continue };
            let base = record.base.0 as usize;
            let end = base + table.len();
            if !record.is_near(self.sites.len()) {
                continue;
            }
            if self.sites.len() < end {
                self.sites.resize(end, None);
            }
            for (known, brief) in self.sites[base..end].iter_mut().zip(table) {
                *known = Some((record.base, brief));
            }
        }
    }
}

impl Briefs for ProcessSites {
    #[inline]
    fn brief(&mut self, site: SiteId) -> Option<(SiteId, &SiteBrief)> {
        if self.known(site).is_none() {
            self.read_more();
        }
        self.known(site)
    }
}

impl Shapes for ProcessSites {
    fn shape(&mut self, site: SiteId) -> Option<SiteShape> {
        self.brief(site).map(|(_, brief)| brief.shape)
    }
}
