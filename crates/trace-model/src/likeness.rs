//! What sites have in common in runs of a program that was changed in between.

use std::collections::HashMap;

use xxhash_rust::xxh3::Xxh3;

use crate::identity::feed;
use crate::{Site, SiteTable};

/// Less than a [`crate::SiteKey`]: all sites of a function lose that with the smallest change of its text, and it is next to that change that
/// two runs are compared.
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
