//! From the JavaScript that was made of TypeScript back to the source.

use crate::edits::utf16_len;
use crate::{Insertion, Instrumented};

/// Moves all positions from the stripped text to the source; `lowered` is what stripping inserted.
pub fn back_to_source(instrumented: &mut Instrumented, lowered: &[(u32, String)]) {
    let map = Map::new(lowered);
    let sites = instrumented.sites.sites.iter_mut().map(|site| &mut site.span);
    let functions = instrumented.sites.functions.iter_mut().map(|function| &mut function.span);
    for span in sites.chain(functions) {
        span.start = map.to_source(span.start);
        span.end = map.to_source(span.end);
    }
    for insertion in &mut instrumented.insertions {
        insertion.at = map.to_source(insertion.at);
    }
    instrumented.insertions.extend(lowered.iter().map(|(at, text)| Insertion {
        at: *at,
        bytes: text.len() as u32,
        units: utf16_len(text),
    }));
    instrumented.insertions.sort_by_key(|insertion| insertion.at);
}

/// Where insertions ended up in the stripped text.
struct Map {
    /// Start in the stripped text, length, place in the source; in rising order.
    inserted: Vec<(u32, u32, u32)>,
}

impl Map {
    fn new(lowered: &[(u32, String)]) -> Map {
        let mut shift = 0;
        let inserted = lowered
            .iter()
            .map(|(at, text)| {
                let entry = (at + shift, text.len() as u32, *at);
                shift += text.len() as u32;
                entry
            })
            .collect();
        Map { inserted }
    }

    fn to_source(&self, at: u32) -> u32 {
        let n = self.inserted.partition_point(|&(start, _, _)| start <= at);
        match n.checked_sub(1).map(|last| self.inserted[last]) {
            None => at,
            Some((start, length, source)) if at < start + length => source,
            Some((start, length, source)) => source + (at - start - length),
        }
    }
}
