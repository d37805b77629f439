//! `<pid>.code`: which code a process compiled, at which site numbers.

use std::fmt;

use trace_model::{CodeKind, Origin, SiteId};

/// The hash of a source, which names its files: 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CodeHash(pub u128);

impl fmt::Display for CodeHash {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeRecord {
    pub base: SiteId,
    pub n_sites: u32,
    pub kind: CodeKind,
    pub hash: CodeHash,
    pub path: String,
    pub origin: Origin,
}

impl CodeRecord {
    /// Appended with a single write, a record is there whole or, after a crash, cut at the end of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Most code is the program's: that takes no room.
        let origin = if self.origin.is_own() { String::new() } else { self.origin.to_text() };
        let mut bytes = Vec::with_capacity(FIXED + self.path.len() + origin.len());
        for word in [self.base.0, self.n_sites, self.kind as u32 | (origin.len() as u32) << KIND_BITS] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(self.hash.to_string().as_bytes());
        bytes.extend_from_slice(&(self.path.len() as u32).to_le_bytes());
        bytes.extend_from_slice(self.path.as_bytes());
        bytes.extend_from_slice(origin.as_bytes());
        bytes
    }

    /// Whether it can be one of a process of whose code so many sites are known so far. A process numbers its code without gaps; what lies
    /// far behind all that is known was not written by one, and nobody keeps room for what is between.
    pub fn is_near(&self, n_known: usize) -> bool {
        self.base.0 as usize <= n_known * 2 + FEW_SITES
    }

    pub fn holds(&self, site: SiteId) -> bool {
        (self.base.0..self.base.0.saturating_add(self.n_sites)).contains(&site.0)
    }
}

/// The records of a code file, in order, and the number of bytes they take: the rest is a record that was cut, or damage.
pub fn read_code_records(bytes: &[u8]) -> (Vec<CodeRecord>, usize) {
    let mut records = Vec::new();
    let mut at = 0;
    while let Some((record, length)) = record_at(&bytes[at..]) {
        records.push(record);
        at += length;
    }
    (records, at)
}

/// Where the first whole record at or behind `from` starts: with the 32 digits of its hash it cannot be mistaken.
pub fn next_code_record(bytes: &[u8], from: usize) -> Option<usize> {
    (from..bytes.len()).find(|at| record_at(&bytes[*at..]).is_some())
}

/// Some pieces of code may be missing.
const FEW_SITES: usize = 1 << 22;

/// Three words, the hash, a word.
const FIXED: usize = 12 + 32 + 4;
/// The third word has the kind, and above it the length of the origin.
const KIND_BITS: u32 = 8;

fn record_at(bytes: &[u8]) -> Option<(CodeRecord, usize)> {
    let fixed = bytes.get(..FIXED)?;
    let word = |at: usize| u32::from_le_bytes([fixed[at], fixed[at + 1], fixed[at + 2], fixed[at + 3]]);
    let end_of_path = FIXED.checked_add(word(FIXED - 4) as usize)?;
    let end = end_of_path.checked_add((word(8) >> KIND_BITS) as usize)?;
    let text = |from: usize, to: usize| String::from_utf8(bytes.get(from..to)?.to_vec()).ok();
    let hash = std::str::from_utf8(&fixed[12..44]).ok()?;
    let record = CodeRecord {
        base: SiteId(word(0)),
        n_sites: word(4),
        kind: *CodeKind::ALL.get((word(8) & ((1 << KIND_BITS) - 1)) as usize)?,
        hash: CodeHash(u128::from_str_radix(hash, 16).ok()?),
        path: text(FIXED, end_of_path)?,
        origin: if end == end_of_path { Origin::Own } else { Origin::parse(&text(end_of_path, end)?)? },
    };
    Some((record, end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn record() -> impl Strategy<Value = CodeRecord> {
        let origin = prop_oneof![
            Just(Origin::Own),
            Just(Origin::Host),
            ".*".prop_map(Origin::Library),
            ".*".prop_map(Origin::Tool)
        ];
        (any::<u32>(), any::<u32>(), 0..5usize, any::<u128>(), ".*", origin).prop_map(
            |(base, n_sites, kind, hash, path, origin)| {
                let (base, kind, hash) = (SiteId(base), CodeKind::ALL[kind], CodeHash(hash));
                CodeRecord { base, n_sites, kind, hash, path, origin }
            },
        )
    }

    #[test]
    fn what_lies_far_behind_was_written_by_no_process() {
        let at = |base| CodeRecord {
            base: SiteId(base),
            n_sites: 1,
            kind: CodeKind::Module,
            hash: CodeHash(1),
            path: String::new(),
            origin: Origin::Own,
        };
        assert!(at(1).is_near(0) && at(20_000_000).is_near(10_000_000));
        assert!(!at(u32::MAX).is_near(0) && !at(200_000_000).is_near(10_000_000));
    }

    proptest! {
        #[test]
        fn records_come_back_up_to_a_cut(records in prop::collection::vec(record(), 0..6), cut in 0..60usize) {
            let bytes: Vec<u8> = records.iter().flat_map(CodeRecord::to_bytes).collect();
            prop_assert_eq!(read_code_records(&bytes), (records.clone(), bytes.len()));
            let (read, used) = read_code_records(&bytes[..bytes.len().saturating_sub(cut)]);
            prop_assert_eq!(&read[..], &records[..read.len()]);
            prop_assert!(used <= bytes.len().saturating_sub(cut));
        }

        #[test]
        fn records_behind_damage_are_found(records in prop::collection::vec(record(), 2..6), byte in 0..44usize) {
            let mut bytes: Vec<u8> = records.iter().flat_map(CodeRecord::to_bytes).collect();
            let second = records[0].to_bytes().len();
            // In the hash of the first record, or the kind.
            bytes[byte.max(11)] = b'-';
            prop_assert_eq!(next_code_record(&bytes, 0), Some(second));
            prop_assert_eq!(&read_code_records(&bytes[second..]).0[..], &records[1..]);
        }
    }
}
