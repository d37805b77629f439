//! What a program in production hands over when it crashes: to a process that lives on, over memory of the kernel. That process reads
//! it, finds the path to the crash and makes the report. So the program itself does nothing here but copy, and contains nothing that
//! could fail in a larger way.
//!
//! Both sides are of the same package. Yet the reader believes no length: what is cut or damaged is no dump.

mod bytes;

use trace_format::{CodeRecord, Counts, RingInfo, RingLayout, read_code_records, read_site_table, write_site_table};
use trace_model::{CodeKind, SiteTable};

use crate::bytes::{Reader, Writer};

#[derive(Clone, PartialEq, Debug)]
pub struct CrashDump {
    /// Names and values, as `register.cjs` tells them.
    pub settings: Vec<(String, String)>,
    /// The beginning of the text of the error's class, and of those that this extends, each ended by a zero.
    pub classes: String,
    pub stack: String,
    /// Whether the stack is what `error.stack` holds; else it is file, line and column in turn, each ended by a zero.
    pub is_formatted: bool,
    /// Only if the operator wants it to be sent.
    pub message: Option<String>,
    /// If something was recorded.
    pub recording: Option<Recording>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Recording {
    /// The one that the server handed out.
    pub policy_id: String,
    /// As settings of a run have it.
    pub policy: String,
    /// So many labels are sent at most.
    pub n_labels: u32,
    /// How long the program ran under the policy.
    pub seconds: f64,
    /// Of the thread that crashed, if it recorded anything.
    pub events: Option<Events>,
    /// All code that is recorded.
    pub units: Vec<Unit>,
    /// Code that runs as it is, in the order in which it was loaded.
    pub unrecorded: Vec<Unrecorded>,
}

/// The newest events of a thread.
#[derive(Clone, PartialEq, Debug)]
pub struct Events {
    pub ring: RingInfo,
    pub before: Counts,
    /// Oldest first.
    pub chunks: Vec<Vec<u32>>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    pub record: CodeRecord,
    pub sites: SiteTable,
    pub source: String,
}

/// Its text is not kept; it can be read again if it is still the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unrecorded {
    pub path: String,
    pub kind: CodeKind,
    /// Of its text, in bytes.
    pub length: u64,
}

impl CrashDump {
    pub fn setting(&self, name: &str) -> Option<&str> {
        self.settings.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut to = Writer::default();
        to.raw(MAGIC);
        to.number(self.settings.len() as u64);
        for (name, value) in &self.settings {
            to.text(name);
            to.text(value);
        }
        to.text(&self.classes);
        to.text(&self.stack);
        to.flag(self.is_formatted);
        to.option(self.message.as_ref(), |to, message| to.text(message));
        to.option(self.recording.as_ref(), Recording::write);
        to.into_bytes()
    }

    /// `None` if this is no dump, or not a whole one.
    pub fn parse(bytes: &[u8]) -> Option<CrashDump> {
        let mut from = Reader::new(bytes.strip_prefix(MAGIC)?);
        let dump = CrashDump {
            settings: from.list(|from| Some((from.text()?, from.text()?)))?,
            classes: from.text()?,
            stack: from.text()?,
            is_formatted: from.flag()?,
            message: from.option(Reader::text)?,
            recording: from.option(Recording::read)?,
        };
        from.is_at_end().then_some(dump)
    }
}

impl Recording {
    fn write(to: &mut Writer, recording: &Recording) {
        to.text(&recording.policy_id);
        to.text(&recording.policy);
        to.number(u64::from(recording.n_labels));
        to.number(recording.seconds.to_bits());
        to.option(recording.events.as_ref(), Events::write);
        to.number(recording.units.len() as u64);
        for Unit { record, sites, source } in &recording.units {
            to.bytes(&record.to_bytes());
            to.bytes(&write_site_table(sites));
            to.text(source);
        }
        to.number(recording.unrecorded.len() as u64);
        for Unrecorded { path, kind, length } in &recording.unrecorded {
            to.text(path);
            to.number(*kind as u64);
            to.number(*length);
        }
    }

    fn read(from: &mut Reader) -> Option<Recording> {
        Some(Recording {
            policy_id: from.text()?,
            policy: from.text()?,
            n_labels: from.small()?,
            seconds: f64::from_bits(from.number()?),
            events: from.option(Events::read)?,
            units: from.list(Unit::read)?,
            unrecorded: from.list(|from| {
                let path = from.text()?;
                let kind = *CodeKind::ALL.get(from.small()? as usize)?;
                Some(Unrecorded { path, kind, length: from.number()? })
            })?,
        })
    }
}

impl Unit {
    fn read(from: &mut Reader) -> Option<Unit> {
        let record = read_code_records(from.bytes()?).0.into_iter().next()?;
        let sites = read_site_table(from.bytes()?, &record.path).ok()?;
        Some(Unit { record, sites, source: from.text()? })
    }
}

impl Events {
    fn write(to: &mut Writer, events: &Events) {
        let RingInfo { pid, thread, layout, start } = events.ring;
        let Counts { frames, strings, symbols, events: n_events } = events.before;
        for word in [pid, thread, layout.chunk_words, layout.n_chunks, frames, strings, symbols] {
            to.number(u64::from(word));
        }
        to.number(start);
        to.number(n_events);
        to.number(events.chunks.len() as u64);
        events.chunks.iter().for_each(|chunk| to.words(chunk));
    }

    fn read(from: &mut Reader) -> Option<Events> {
        let (pid, thread) = (from.small()?, from.small()?);
        let layout = RingLayout { chunk_words: from.small()?, n_chunks: from.small()? };
        let (frames, strings, symbols) = (from.small()?, from.small()?, from.small()?);
        let (start, events) = (from.number()?, from.number()?);
        Some(Events {
            ring: RingInfo { pid, thread, layout, start },
            before: Counts { frames, strings, symbols, events },
            chunks: from.list(Reader::words)?,
        })
    }
}

const MAGIC: &[u8] = b"WFDUMP1\0";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use trace_format::CodeHash;
    use trace_model::{Origin, SiteId};

    use super::*;

    fn dump() -> CrashDump {
        let path = String::from("/shop/cart.js");
        let record = CodeRecord {
            base: SiteId(7),
            n_sites: 3,
            kind: CodeKind::CommonJs,
            hash: CodeHash(5),
            path: path.clone(),
            origin: Origin::Library("a".into()),
        };
        let layout = RingLayout { chunk_words: 8, n_chunks: 4 };
        CrashDump {
            settings: vec![("url".into(), "http://x".into()), ("key".into(), "ä".into())],
            classes: "class Broken extends Error {\0".into(),
            stack: "/shop/cart.js\x001\x002\0".into(),
            is_formatted: false,
            message: Some("no".into()),
            recording: Some(Recording {
                policy_id: "0a-1b".into(),
                policy: "all".into(),
                n_labels: 9,
                seconds: 1.5,
                events: Some(Events {
                    ring: RingInfo { pid: 1, thread: 2, layout, start: 1 << 40 },
                    before: Counts { frames: 1, strings: 2, symbols: 3, events: 1 << 50 },
                    chunks: vec![vec![1, 2, u32::MAX], vec![]],
                }),
                units: vec![Unit { record, sites: SiteTable::default(), source: "f();".into() }],
                unrecorded: vec![Unrecorded { path, kind: CodeKind::Module, length: 1 << 33 }],
            }),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let idle = CrashDump { recording: None, message: None, ..dump() };
        for dump in [dump(), idle] {
            assert_eq!(CrashDump::parse(&dump.to_bytes()), Some(dump));
        }
        assert_eq!(dump().setting("url"), Some("http://x"));
    }

    #[test]
    fn what_is_cut_is_no_dump() {
        let bytes = dump().to_bytes();
        assert!((0..bytes.len()).all(|end| CrashDump::parse(&bytes[..end]).is_none()));
        assert!(CrashDump::parse(&[bytes, vec![0]].concat()).is_none());
    }

    proptest! {
        /// It neither fails nor asks for memory that the bytes do not justify.
        #[test]
        fn damage_is_survived(at in 0usize..400, with in any::<u8>(), more in proptest::collection::vec(any::<u8>(), 0..8)) {
            let mut bytes = dump().to_bytes();
            let at = at % bytes.len();
            bytes[at] = with;
            bytes.splice(at..(at + more.len()).min(bytes.len()), more);
            let _ = CrashDump::parse(&bytes);
        }
    }
}
