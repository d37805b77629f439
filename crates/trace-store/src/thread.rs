use std::path::Path;
use std::sync::{Arc, OnceLock};

use trace_format::{CodeRecord, Counts, FormatError, RingInfo};
use trace_model::{EventId, LanguageRef, SiteId, SiteTable, StringId, SymbolId};

use crate::blocks::{BlockTable, Blocks};
use crate::chunks::Chunks;
use crate::literal::literal_string;
use crate::times::Times;
use crate::{Events, ProcessCode, SiteRef};

/// The events of one thread.
#[derive(Debug)]
pub struct Thread {
    pid: u32,
    number: u32,
    code: Arc<ProcessCode>,
    pub(crate) chunks: Chunks,
    blocks: OnceLock<BlockTable>,
    pub(crate) times: Times,
}

impl Thread {
    pub(crate) fn open(run: &Path, pid: u32, number: u32, code: Arc<ProcessCode>) -> Result<Thread, FormatError> {
        let chunks = Chunks::open(run, &format!("{pid}-{number}"))?;
        Ok(Thread { pid, number, code, chunks, blocks: OnceLock::new(), times: Times::default() })
    }

    /// A thread of this very process, whose events were never written to a file: what is left of them, oldest first, what came before, and
    /// its code.
    pub fn in_memory(
        language: LanguageRef,
        ring: RingInfo,
        before: Counts,
        chunks: Vec<Vec<u32>>,
        code: Vec<(CodeRecord, SiteTable, String)>,
    ) -> Thread {
        let RingInfo { pid, thread: number, start, .. } = ring;
        let chunks = Chunks::in_memory(&format!("{pid}-{number}"), start, before, chunks);
        Thread {
            pid,
            number,
            code: Arc::new(ProcessCode::in_memory(language, code)),
            chunks,
            blocks: OnceLock::new(),
            times: Times::default(),
        }
    }

    /// `4711-0`: its process and its number there.
    pub fn name(&self) -> String {
        format!("{}-{}", self.pid, self.number)
    }

    pub fn pid(&self) -> u32 {
        self.pid
    }

    pub fn number(&self) -> u32 {
        self.number
    }

    /// Microseconds since 1970.
    pub fn start(&self) -> u64 {
        self.chunks.start
    }

    pub fn code(&self) -> &ProcessCode {
        &self.code
    }

    pub fn language(&self) -> LanguageRef {
        self.code.language()
    }

    pub fn site(&self, site: SiteId) -> Option<SiteRef<'_>> {
        self.code.site(site)
    }

    /// All events, oldest first.
    pub fn events(&self) -> Events<'_> {
        Events::new(self, 0)
    }

    /// The events from a number on. What lies before it in the same chunk is decoded, and nothing else.
    pub fn events_from(&self, first: EventId) -> Events<'_> {
        let starts_later = |before: Option<Counts>| before.is_some_and(|before| before.events > first.0);
        let is_start = |before: Option<Counts>| before.is_some_and(|before| before.events <= first.0);
        let chunks = self.chunks.all();
        let end = chunks.iter().position(|chunk| starts_later(chunk.before)).unwrap_or(chunks.len());
        let chunk = chunks[..end].iter().rposition(|chunk| is_start(chunk.before)).unwrap_or(0);
        let mut events = Events::new(self, chunk);
        events.skip_to(first);
        events
    }

    /// The first event that is kept; those before it were dropped by `--keep-last`.
    pub fn first_event(&self) -> EventId {
        let first = self.chunks.all().iter().find(|chunk| !chunk.is_preamble());
        EventId(first.and_then(|chunk| chunk.before).map_or(0, |before| before.events))
    }

    /// What there is behind the last event: the number of events, and so on. Reads little: the file counts along.
    pub fn counts(&self) -> Counts {
        let chunks = self.chunks.all();
        let chunk = chunks.iter().rposition(|chunk| chunk.before.is_some()).unwrap_or(0);
        let mut events = Events::new(self, chunk);
        events.skip_to(EventId(u64::MAX));
        events.counts()
    }

    /// One behind the last event.
    pub fn end(&self) -> EventId {
        EventId(self.blocks().table.entries.last().map_or(self.first_event().0, |last| last.after.events))
    }

    pub fn string(&self, id: StringId) -> Option<Arc<str>> {
        match literal_string(id) {
            Some(site) => self.code.literal_text(site).map(Arc::from),
            None => self.blocks().string(id).map(Arc::from),
        }
    }

    /// The description of a symbol; `None` for one without, or unknown.
    pub fn symbol_description(&self, id: SymbolId) -> Option<Arc<str>> {
        self.string(self.blocks().symbol(id)?)
    }

    /// Completes the index, which takes a while if the recorder was killed; every question does so if it was not done.
    /// `progress` is told how much of how much is done.
    pub fn prepare(&self, progress: &dyn Fn(usize, usize)) {
        self.blocks.get_or_init(|| BlockTable::build(self, progress));
    }

    pub(crate) fn blocks(&self) -> Blocks<'_> {
        let table = self.blocks.get_or_init(|| BlockTable::build(self, &|_, _| {}));
        Blocks { thread: self, table }
    }
}
