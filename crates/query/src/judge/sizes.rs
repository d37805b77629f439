//! How much code an edge of the flow of control decides about: a defect is as likely at one place of the source as at another.

use std::collections::HashMap;

use trace_model::{LocalSite, SiteId, SiteKind, Way};

use super::Tree;
use crate::{Code, Trace};

/// By entity: how many sites of the source happen if it does, and the edge itself.
pub fn sizes(trace: &Trace, tree: &Tree) -> Vec<f64> {
    let mut sizes = vec![1.0; tree.entities.n_entities()];
    let mut by_unit: HashMap<SiteId, HashMap<Edge, usize>> = HashMap::new();
    for ((site, way), entity) in tree.entities.named() {
        let Some(code) = trace.code(SiteId(site)) else { continue };
        let counts = by_unit.entry(code.base()).or_insert_with(|| counts(&code));
        let n_sites = counts.get(&(code.local(SiteId(site)), way)).copied().unwrap_or(0);
        if let Some(size) = sizes.get_mut(entity as usize) {
            *size += n_sites as f64;
        }
    }
    sizes
}

/// A branch and its way, or the entry of a function and 1.
type Edge = (LocalSite, u32);

fn counts(code: &Code) -> HashMap<Edge, usize> {
    let mut counts = HashMap::new();
    let Ok(file) = code.unit.code() else { return counts };
    let sites = || (0..).map(LocalSite).zip(&file.sites.sites);
    let enters = sites().filter(|(_, site)| site.kind == SiteKind::Enter);
    let enters: HashMap<_, _> = enters.map(|(local, site)| (site.function, local)).collect();
    for (local, site) in sites() {
        if matches!(site.kind, SiteKind::Enter | SiteKind::Exit | SiteKind::Param) {
            continue;
        }
        let depends_on = &code.facts.site(local).depends_on;
        for dependence in depends_on {
            *counts.entry((dependence.branch, u32::from(dependence.way != Way::False))).or_insert(0) += 1;
        }
        if let (true, Some(enter)) = (depends_on.is_empty(), enters.get(&site.function)) {
            *counts.entry((*enter, 1)).or_insert(0) += 1;
        }
    }
    counts
}
