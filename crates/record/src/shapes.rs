//! The shapes of a process's sites, from the code files it writes while it runs.

use std::fs;
use std::path::PathBuf;

use trace_format::{CodeHash, Shapes, SiteShape, read_code_records, read_site_table};
use trace_model::SiteId;

pub struct ProcessShapes {
    run: PathBuf,
    pid: u32,
    n_bytes_read: usize,
    /// By site number. Every event asks, so this is a table and nothing cleverer.
    shapes: Vec<Option<SiteShape>>,
}

impl ProcessShapes {
    pub fn new(run: PathBuf, pid: u32) -> ProcessShapes {
        ProcessShapes { run, pid, n_bytes_read: 0, shapes: Vec::new() }
    }

    fn known(&self, site: SiteId) -> Option<SiteShape> {
        self.shapes.get(site.0 as usize).copied().flatten()
    }

    /// The process writes the record of a piece of code before the code runs, so what is not there now never will be.
    fn read_more(&mut self) {
        let Ok(bytes) = fs::read(self.run.join(format!("{}.code", self.pid))) else { return };
        let (records, n_bytes) = read_code_records(bytes.get(self.n_bytes_read..).unwrap_or(&[]));
        self.n_bytes_read += n_bytes;
        for record in records {
            let Some(table) = self.read_table(record.hash) else { continue };
            let base = record.base.0 as usize;
            let end = base + table.len();
            if self.shapes.len() < end {
                self.shapes.resize(end, None);
            }
            for (known, shape) in self.shapes[base..end].iter_mut().zip(table) {
                *known = Some(shape);
            }
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
