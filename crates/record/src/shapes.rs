//! The shapes of a process's sites, from the code files it writes while it runs.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use trace_format::{CodeHash, CodeRecord, Shapes, SiteShape, read_code_records, read_site_table};
use trace_model::SiteId;

pub struct ProcessShapes {
    run: PathBuf,
    pid: u32,
    /// By base, ascending, as the process numbers its code.
    records: Vec<CodeRecord>,
    n_bytes_read: usize,
    tables: HashMap<CodeHash, Vec<SiteShape>>,
}

impl ProcessShapes {
    pub fn new(run: PathBuf, pid: u32) -> ProcessShapes {
        ProcessShapes { run, pid, records: Vec::new(), n_bytes_read: 0, tables: HashMap::new() }
    }

    fn known(&self, site: SiteId) -> Option<SiteShape> {
        let after = self.records.partition_point(|record| record.base.0 <= site.0);
        let record = self.records.get(after.checked_sub(1)?)?;
        self.tables.get(&record.hash)?.get((site.0 - record.base.0) as usize).copied()
    }

    /// The process writes the record of a piece of code before the code runs, so what is not there now never will be.
    fn read_more(&mut self) {
        let Ok(bytes) = fs::read(self.run.join(format!("{}.code", self.pid))) else { return };
        let (records, n_bytes) = read_code_records(bytes.get(self.n_bytes_read..).unwrap_or(&[]));
        self.n_bytes_read += n_bytes;
        for record in records {
            if let Some(table) = self.read_table(record.hash) {
                self.tables.insert(record.hash, table);
            }
            self.records.push(record);
        }
    }

    fn read_table(&self, hash: CodeHash) -> Option<Vec<SiteShape>> {
        let name = format!("{hash}.sites");
        let bytes = fs::read(self.run.join("code").join(&name)).ok()?;
        let bytes = zstd::stream::decode_all(&bytes[..]).ok()?;
        Some(read_site_table(&bytes, &name).ok()?.sites.iter().map(SiteShape::of).collect())
    }
}

impl Shapes for ProcessShapes {
    fn shape(&mut self, site: SiteId) -> Option<SiteShape> {
        self.known(site).or_else(|| {
            self.read_more();
            self.known(site)
        })
    }
}
