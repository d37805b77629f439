//! From places in a text that was made by insertions back to the places in its source.

/// Where insertions ended up in the new text.
#[derive(Default)]
pub struct Positions {
    /// Start in the new text, length, place in the source; in rising order.
    inserted: Vec<(u32, u32, u32)>,
}

impl Positions {
    /// From places in the source, in rising order, and how many bytes were inserted there.
    pub fn new(insertions: impl Iterator<Item = (u32, u32)>) -> Positions {
        let mut shift = 0;
        let inserted = insertions.map(|(at, length)| {
            let entry = (at + shift, length, at);
            shift += length;
            entry
        });
        Positions { inserted: inserted.collect() }
    }

    /// What was inserted is at the place where it was inserted.
    pub fn to_source(&self, at: u32) -> u32 {
        let n = self.inserted.partition_point(|&(start, _, _)| start <= at);
        match n.checked_sub(1).map(|last| self.inserted[last]) {
            None => at,
            Some((start, length, source)) if at < start + length => source,
            Some((start, length, source)) => source + (at - start - length),
        }
    }
}
