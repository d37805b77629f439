//! Names of functions and sites that depend on the source alone: not on the policy, nor on the version of the instrumenter, nor on what
//! stands around them in the file. A function that a new release did not touch has the name that it had before.
//!
//! A function is known by its file, the names of the functions around it, and its own text: that of the functions inside it is
//! theirs. Where a file has several that are alike, they are counted. A site is known by its function, by what it is, and by which
//! of its kind it is there, in the order of the source; so kinds that come later to the instrumenter rename nothing.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;

use xxhash_rust::xxh3::Xxh3;

use crate::{FunctionIndex, LocalSite, Site, SiteKind, SiteTable, Span, VariableIndex};

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

/// What of one table is the same in another table of the same source, which another version of the instrumenter made.
pub struct Counterparts {
    functions: Vec<Option<FunctionIndex>>,
    sites: Vec<Option<LocalSite>>,
    variables: Vec<Option<VariableIndex>>,
}

impl Counterparts {
    /// A site has the function, the kind and the place of its counterpart. Where several are alike in this, there are as many in both
    /// tables. What is not certain to be the same has no counterpart.
    pub fn of(table: &SiteTable, other: &SiteTable, source: &str) -> Counterparts {
        let (own, others) = (Identities::of(table, "", source), Identities::of(other, "", source));
        let span = |table: &SiteTable, function: usize| {
            (table.functions[function].span.start, table.functions[function].span.end)
        };
        let functions = matched(
            (0..own.functions.len()).map(|function| (own.functions[function], span(table, function))),
            (0..others.functions.len()).map(|function| (others.functions[function], span(other, function))),
        );
        let of_site = |key: &SiteKey, site: &Site| (key.function, key.kind, site.span.start, site.span.end);
        let sites = matched(
            own.sites.iter().zip(&table.sites).map(|(key, site)| of_site(key, site)),
            others.sites.iter().zip(&other.sites).map(|(key, site)| of_site(key, site)),
        );
        fn of_variable(table: &SiteTable) -> impl Iterator<Item = (u32, u32, &str)> {
            table.variables.iter().map(|variable| (variable.span.start, variable.span.end, table.name(variable.name)))
        }
        let variables = matched(of_variable(table), of_variable(other));
        Counterparts {
            functions: functions.into_iter().map(|number| number.map(FunctionIndex)).collect(),
            sites: sites.into_iter().map(|number| number.map(LocalSite)).collect(),
            variables: variables.into_iter().map(|number| number.map(VariableIndex)).collect(),
        }
    }

    pub fn function(&self, function: FunctionIndex) -> Option<FunctionIndex> {
        self.functions.get(function.0 as usize).copied().flatten()
    }

    pub fn site(&self, site: LocalSite) -> Option<LocalSite> {
        self.sites.get(site.0 as usize).copied().flatten()
    }

    pub fn variable(&self, variable: VariableIndex) -> Option<VariableIndex> {
        self.variables.get(variable.0 as usize).copied().flatten()
    }
}

/// For each key the number that it has among the others: those that are alike one by one, if there are as many of them.
fn matched<K: Eq + Hash>(keys: impl Iterator<Item = K>, others: impl Iterator<Item = K>) -> Vec<Option<u32>> {
    let mut alike: HashMap<K, (Vec<u32>, Vec<u32>)> = HashMap::new();
    let mut n_keys = 0;
    for key in keys {
        alike.entry(key).or_default().0.push(n_keys);
        n_keys += 1;
    }
    for (number, key) in (0..).zip(others) {
        if let Some((_, others)) = alike.get_mut(&key) {
            others.push(number);
        }
    }
    let mut matched = vec![None; n_keys as usize];
    for (own, others) in alike.into_values().filter(|(own, others)| own.len() == others.len()) {
        for (own, other) in own.into_iter().zip(others) {
            matched[own as usize] = Some(other);
        }
    }
    matched
}

/// What two runs of a program that was changed in between have in common: less than a [`SiteKey`], which a function loses with every
/// change of its text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SiteLikeness(u64);

/// For each site: its file, the name of its function, what it is, its text, and which it is of those that are alike in all this.
pub fn likenesses(table: &SiteTable, file: &str, source: &str) -> Vec<SiteLikeness> {
    let mut n_alike: HashMap<u64, u64> = HashMap::new();
    let likeness = |site: &Site| {
        let mut hash = Xxh3::new();
        feed(&mut hash, file);
        feed(&mut hash, table.name(table.function(site.function).name));
        hash.update(&[site.kind as u8]);
        feed(&mut hash, source.get(site.span.start as usize..site.span.end as usize).unwrap_or_default());
        let nth = n_alike.entry(hash.digest()).or_default();
        hash.update(&nth.to_le_bytes());
        *nth += 1;
        SiteLikeness(hash.digest())
    };
    table.sites.iter().map(likeness).collect()
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
fn feed(hash: &mut Xxh3, text: &str) {
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
