//! What a program did → the files of a run.

use std::fs;
use std::io;
use std::path::Path;

use trace_format::{
    CodeHash, CodeRecord, ProgramExit, RunFile, SiteShape, TraceInfo, TraceWriter, encode, private, write_site_table,
};
use trace_model::{CodeKind, Language, Origin, Policy, SiteId, SiteTable};

use crate::Ledger;
use crate::interpreter::{Execution, FIRST_SITE};

/// Process and thread; there is one of each.
const PID: u32 = 1;
const THREAD: u32 = 0;
const HASH: CodeHash = CodeHash(1);

pub fn write(run: &Path, path: &str, source: &str, table: &SiteTable, execution: &Execution) -> io::Result<()> {
    let code = run.join("code");
    private::create_dir_all(&code)?;
    private::write(&code.join(format!("{HASH}.sites")), zstd::encode_all(&write_site_table(table)[..], 1)?)?;
    private::write(&code.join(format!("{HASH}.src")), zstd::encode_all(source.as_bytes(), 1)?)?;
    let record = CodeRecord {
        base: SiteId(FIRST_SITE),
        n_sites: table.sites.len() as u32,
        kind: CodeKind::Script,
        hash: HASH,
        path: path.to_owned(),
        origin: Origin::Own,
    };
    private::write(&run.join(format!("{PID}.code")), record.to_bytes())?;
    let mut words = Vec::new();
    execution.events.iter().for_each(|event| encode(event, &mut words));
    let info = TraceInfo { pid: PID, thread: THREAD, start: 1 };
    let mut shapes = |site: SiteId| table.sites.get((site.0 - FIRST_SITE) as usize).map(SiteShape::of);
    let trace = TraceWriter::create(&run.join(format!("{PID}-{THREAD}.trace")), info);
    trace.and_then(|mut trace| trace.append(0, &words, &mut shapes)).map_err(io::Error::other)?;
    let file = RunFile {
        id: None,
        language: Ledger.name().to_owned(),
        command: vec!["ledger".into(), path.to_owned()],
        drive: None,
        folder: Path::new(path).parent().unwrap_or(Path::new("/")).display().to_string(),
        start: 1,
        policy: Policy::full(),
        outcome: Some(ProgramExit::Exited(i32::from(execution.failure.is_some()))),
        n_events: Some(execution.events.len() as u64),
        others: Vec::new(),
    };
    fs::write(run.join(RunFile::NAME), file.to_text())
}
