//! A run made by hand: a site table with one site of each kind asked for, and events of it.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use trace_format::*;
use trace_model::*;

pub struct MadeRun {
    pub folder: TempDir,
    pub table: SiteTable,
}

pub const PID: u32 = 4711;
pub const HASH: CodeHash = CodeHash(0xABC);
pub const SOURCE: &str = "first();\nsecond();\n";

impl MadeRun {
    /// `sites`: kind and function of each; `exact`: for each function, whether every way out emits `Exit`.
    pub fn new(sites: &[(SiteKind, u32)], exact: &[bool]) -> MadeRun {
        let folder = tempfile::tempdir().unwrap();
        let function = |exact_exit: &bool| Function {
            kind: FunctionKind::Plain,
            name: NameIndex(0),
            span: Span::default(),
            parent: None,
            is_async: false,
            is_generator: false,
            exact_exit: *exact_exit,
            recorded: true,
        };
        let site = |(kind, function): &(SiteKind, u32)| Site {
            kind: *kind,
            span: Span { start: 9, end: 15 },
            function: FunctionIndex(*function),
            names: vec![],
            extra: 0,
            variable: None,
        };
        let table = SiteTable {
            functions: exact.iter().map(function).collect(),
            sites: sites.iter().map(site).collect(),
            names: vec!["f".into()],
            variables: vec![],
            not_captured: vec![],
            made: None,
        };
        MadeRun::with_table(folder, table)
    }

    pub fn with_table(folder: TempDir, table: SiteTable) -> MadeRun {
        let made = MadeRun { folder, table };
        made.write_code();
        made
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write_code(&self) {
        let code = self.path().join("code");
        fs::create_dir(&code).unwrap();
        let compressed = |bytes: &[u8]| zstd::encode_all(bytes, 1).unwrap();
        fs::write(code.join(format!("{HASH}.sites")), compressed(&write_site_table(&self.table))).unwrap();
        fs::write(code.join(format!("{HASH}.src")), compressed(SOURCE.as_bytes())).unwrap();
        let record = CodeRecord {
            base: SiteId(1),
            n_sites: self.table.sites.len() as u32,
            kind: CodeKind::CommonJs,
            hash: HASH,
            path: "/p/app.js".into(),
            origin: Origin::Own,
        };
        fs::write(self.path().join(format!("{PID}.code")), record.to_bytes()).unwrap();
        let run = RunFile {
            id: None,
            language: "plain".into(),
            command: vec!["node".into(), "app.js".into()],
            drive: None,
            folder: "/p".into(),
            start: 1,
            policy: Policy::full(),
            outcome: None,
            n_events: None,
            others: vec![],
        };
        fs::write(self.path().join(RunFile::NAME), run.to_text()).unwrap();
    }

    pub fn write_origins(&self, origins: &Origins) {
        let bytes = zstd::encode_all(&write_origins(origins)[..], 1).unwrap();
        fs::write(self.path().join(format!("code/{HASH}.origins")), bytes).unwrap();
    }

    pub fn shapes(&self) -> impl FnMut(SiteId) -> Option<SiteShape> {
        |site| self.table.sites.get(site.0 as usize - 1).map(SiteShape::of)
    }

    pub fn trace_path(&self) -> std::path::PathBuf {
        self.path().join(format!("{PID}-0.trace"))
    }

    pub fn write_trace(&self, segments: &[Vec<Event>]) -> TraceWriter {
        let info = TraceInfo { pid: PID, thread: 0, start: 5 };
        let mut writer = TraceWriter::create(&self.trace_path(), info).unwrap();
        for (sequence, events) in segments.iter().enumerate() {
            writer.append(sequence as u32, &words(events), &mut self.shapes()).unwrap();
        }
        writer
    }

    /// Chunks by sequence number; the last one is still being written.
    pub fn write_ring(&self, chunks: &[(u64, Vec<Event>)]) {
        let layout = RingLayout { chunk_words: 64, n_chunks: 4 };
        let mut bytes = vec![0; layout.file_bytes()];
        let info = RingInfo { pid: PID, thread: 0, layout, start: 5 };
        info.write(&mut bytes[..RingLayout::HEADER_BYTES], 1);
        for (i, (sequence, events)) in chunks.iter().enumerate() {
            // From the last chunk down, so that the order in the file is not that of the sequence.
            let chunk = 3 - i as u32;
            let words = words(events);
            let entry = layout.chunk_entry(chunk);
            let is_last = i + 1 == chunks.len();
            bytes[entry] = if is_last { 1 } else { 2 };
            bytes[entry + 4..entry + 8].copy_from_slice(&(words.len() as u32 * u32::from(!is_last)).to_le_bytes());
            bytes[entry + 8..entry + 16].copy_from_slice(&sequence.to_le_bytes());
            for (at, word) in words.iter().enumerate() {
                let at = layout.chunk_start(chunk) + at * 4;
                bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
            }
        }
        fs::write(self.path().join(format!("{PID}-0.ring")), bytes).unwrap();
    }
}

pub fn words(events: &[Event]) -> Vec<u32> {
    let mut words = Vec::new();
    events.iter().for_each(|event| encode(event, &mut words));
    words
}

/// An event of a site without tail, with a number as its value.
pub fn at(site: u32, value: f64) -> Event {
    Event::Site { site: SiteId(site), value: Some(Value::Number(value)), tail: TailValues::None }
}

pub fn mark(site: u32, tail: TailValues) -> Event {
    Event::Site { site: SiteId(site), value: None, tail }
}
