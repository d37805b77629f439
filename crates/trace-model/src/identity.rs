//! Names of functions and sites that depend on the source alone: not on the policy, nor on the version of the instrumenter, nor on what
//! stands around them in the file. A function that a new release did not touch has the name that it had before.
//!
//! A function is known by its file, the names of the functions around it, and its own text: that of the functions inside it is
//! theirs. Where a file has several that are alike, they are counted. A site is known by its function, by what it is, and by which
//! of its kind it is there, in the order of the source; so kinds that come later to the instrumenter rename nothing.

use std::collections::HashMap;
use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use xxhash_rust::xxh3::Xxh3;

use crate::{FunctionIndex, LocalSite, SiteKind, SiteTable, Span};

/// A function, in any release of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FunctionKey(pub u64);

/// A site, in any release of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SiteKey {
    pub function: FunctionKey,
    pub kind: SiteKind,
    /// Which of the sites of this kind in this function, from 0.
    pub nth: u32,
}

/// The keys of everything in one piece of code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identities {
    functions: Vec<FunctionKey>,
    sites: Vec<SiteKey>,
}

impl Identities {
    /// `file` is a name that the file has wherever the program is installed.
    pub fn of(table: &SiteTable, file: &str, source: &str) -> Identities {
        let functions = function_keys(table, file, source);
        let sites = site_keys(table, &functions);
        Identities { functions, sites }
    }

    pub fn function(&self, function: FunctionIndex) -> FunctionKey {
        self.functions[function.0 as usize]
    }

    pub fn site(&self, site: LocalSite) -> SiteKey {
        self.sites[site.0 as usize]
    }

    pub fn find_function(&self, key: FunctionKey) -> Option<FunctionIndex> {
        self.functions.iter().position(|known| *known == key).map(|found| FunctionIndex(found as u32))
    }

    pub fn find_site(&self, key: SiteKey) -> Option<LocalSite> {
        self.sites.iter().position(|known| *known == key).map(|found| LocalSite(found as u32))
    }

    pub fn functions(&self) -> &[FunctionKey] {
        &self.functions
    }
}

impl FromStr for FunctionKey {
    type Err = ParseIntError;

    /// As it is printed: 16 digits.
    fn from_str(text: &str) -> Result<FunctionKey, ParseIntError> {
        u64::from_str_radix(text, 16).map(FunctionKey)
    }
}

impl fmt::Display for FunctionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

fn function_keys(table: &SiteTable, file: &str, source: &str) -> Vec<FunctionKey> {
    let inside = functions_inside(table);
    let mut n_alike: HashMap<u64, u64> = HashMap::new();
    let indices = (0..table.functions.len() as u32).map(FunctionIndex);
    indices
        .map(|function| {
            let mut hash = Xxh3::new();
            feed(&mut hash, file);
            for around in names_around(table, function) {
                feed(&mut hash, around);
            }
            for part in own_text(table.function(function).span, &inside[function.0 as usize]) {
                feed(&mut hash, source.get(part.start as usize..part.end as usize).unwrap_or_default());
            }
            let text = hash.digest();
            let nth = n_alike.entry(text).or_default();
            hash.update(&nth.to_le_bytes());
            *nth += 1;
            FunctionKey(hash.digest())
        })
        .collect()
}

/// A text and its length, so that where one ends and the next begins makes a difference.
pub(crate) fn feed(hash: &mut Xxh3, text: &str) {
    hash.update(&(text.len() as u64).to_le_bytes());
    hash.update(text.as_bytes());
}

/// Its own name first, then those of the functions around it.
fn names_around(table: &SiteTable, function: FunctionIndex) -> impl Iterator<Item = &str> {
    let outwards = std::iter::successors(Some(function), |&inner| table.function(inner).parent);
    outwards.map(|function| table.name(table.function(function).name))
}

/// By function, the places of those directly inside it, in the order of the source.
fn functions_inside(table: &SiteTable) -> Vec<Vec<Span>> {
    let mut inside = vec![Vec::new(); table.functions.len()];
    for function in &table.functions {
        if let Some(parent) = function.parent {
            inside[parent.0 as usize].push(function.span);
        }
    }
    for spans in &mut inside {
        spans.sort_unstable_by_key(|span| (span.start, span.end));
    }
    inside
}

/// What is left of a text without the places inside it.
fn own_text(whole: Span, inside: &[Span]) -> Vec<Span> {
    let mut parts = Vec::new();
    let mut start = whole.start;
    for span in inside {
        if start < span.start.min(whole.end) {
            parts.push(Span { start, end: span.start.min(whole.end) });
        }
        start = start.max(span.end);
    }
    if start < whole.end {
        parts.push(Span { start, end: whole.end });
    }
    parts
}

fn site_keys(table: &SiteTable, functions: &[FunctionKey]) -> Vec<SiteKey> {
    let mut in_order: Vec<usize> = (0..table.sites.len()).collect();
    in_order.sort_by_key(|&site| (table.sites[site].span.start, table.sites[site].span.end));
    let mut n_of_kind: HashMap<(FunctionIndex, SiteKind), u32> = HashMap::new();
    let mut keys = vec![None; table.sites.len()];
    for number in in_order {
        let site = &table.sites[number];
        let nth = n_of_kind.entry((site.function, site.kind)).or_default();
        keys[number] = Some(SiteKey { function: functions[site.function.0 as usize], kind: site.kind, nth: *nth });
        *nth += 1;
    }
    keys.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_comes_back() {
        let key = FunctionKey(0x0123_4567_89ab_cdef);
        assert_eq!(key.to_string().parse(), Ok(key));
    }
}
