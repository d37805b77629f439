//! Lines that were changed lately, as far as whoever asks knows: a mistake is more often there than elsewhere.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::{Hop, Search};

/// By file, as its path is in the recording. Lines are counted from 1.
#[derive(Clone, Debug, Default)]
pub struct ChangedLines {
    files: HashMap<String, Vec<RangeInclusive<u32>>>,
}

impl ChangedLines {
    pub fn add(&mut self, path: String, lines: RangeInclusive<u32>) {
        self.files.entry(path).or_default().push(lines);
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    fn contains(&self, path: &str, line: u32) -> bool {
        self.files.get(path).is_some_and(|hunks| hunks.iter().any(|lines| lines.contains(&line)))
    }
}

impl Search<'_, '_> {
    /// Whether a hop is in what was changed lately.
    pub(super) fn was_changed(&self, hop: &Hop) -> bool {
        let place = self.trace.thread.code().unit(hop.at.unit).and_then(|unit| unit.place(hop.at.offset));
        place.zip(self.changed).is_some_and(|(place, changed)| changed.contains(place.path, place.position.line))
    }

    /// Marks the hops that are in what was changed lately.
    pub(super) fn mark_changed(&mut self) {
        for number in 0..self.hops.len() {
            self.hops[number].was_changed = self.was_changed(&self.hops[number]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_file() {
        let mut changed = ChangedLines::default();
        assert!(changed.is_empty());
        changed.add("/p/a.js".into(), 3..=4);
        changed.add("/p/a.js".into(), 9..=9);
        let is_changed = |line| changed.contains("/p/a.js", line);
        assert!(!is_changed(2) && is_changed(3) && is_changed(4) && !is_changed(5) && is_changed(9));
        assert!(!changed.contains("/p/b.js", 3));
    }
}
