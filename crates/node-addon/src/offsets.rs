//! Offsets in instrumented text, and where they are in the original.

/// From offsets in instrumented text to those in the original, both in UTF-16 units.
pub struct OriginalOffsets {
    source: Vec<u16>,
    /// Where each insertion begins in the new text, and in the original; ascending.
    insertions: Vec<(usize, usize)>,
    /// Behind the last one.
    end: usize,
}

impl OriginalOffsets {
    /// Of each insertion, at what byte of the source it is, and its length in units.
    pub fn new(source: &str, given: impl IntoIterator<Item = (usize, usize)>) -> OriginalOffsets {
        let (mut bytes, mut units, mut inserted) = (0, 0, 0);
        let mut insertions = Vec::new();
        for (at, length) in given {
            units += source[bytes..at].encode_utf16().count();
            bytes = at;
            insertions.push((units + inserted, units));
            inserted += length;
        }
        OriginalOffsets { source: source.encode_utf16().collect(), insertions, end: units + inserted }
    }

    /// What lies in an insertion was where that is.
    pub fn of(&self, offset: usize) -> usize {
        let after = self.insertions.partition_point(|(start, _)| *start <= offset);
        let Some((start, original)) = after.checked_sub(1).map(|last| self.insertions[last]) else { return offset };
        let next = self.insertions.get(after).copied();
        // Behind the insertion the text goes on until the next one.
        let end = next.map_or(self.end, |(next, next_original)| next - (next_original - original));
        original + offset.saturating_sub(end.max(start))
    }

    /// Whether an insertion begins at this offset of the new text.
    pub fn begins_insertion(&self, offset: usize) -> bool {
        self.insertions.binary_search_by_key(&offset, |(start, _)| *start).is_ok()
    }

    /// Whether the original has this character at an offset of its own.
    pub fn is_at(&self, original: usize, character: u8) -> bool {
        self.source.get(original) == Some(&u16::from(character))
    }

    pub fn is_blank(&self, start: usize, end: usize) -> bool {
        let text = String::from_utf16_lossy(self.source.get(start..end).unwrap_or_default());
        text.trim().is_empty()
    }

    /// As Node counts them: a carriage return belongs to its line.
    pub fn line_lengths(&self) -> Vec<usize> {
        let is_end = |unit: &u16| matches!(*unit, 0x0a | 0x2028 | 0x2029);
        self.source.split(is_end).map(<[u16]>::len).collect()
    }
}
