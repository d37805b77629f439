//! A run that another version of the instrumenter recorded: which of its sites are those of today.

use std::collections::HashMap;
use std::hash::Hash;

use crate::{FunctionIndex, FunctionKey, Identities, LocalSite, SiteKind, SiteTable, Span, VariableIndex};

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
        let functions = matched(functions_of(table, &own), functions_of(other, &others));
        let sites = matched(sites_of(table, &own), sites_of(other, &others));
        let variables = matched(variables_of(table), variables_of(other));
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

fn functions_of(table: &SiteTable, identities: &Identities) -> impl Iterator<Item = (FunctionKey, Span)> {
    identities.functions().iter().zip(&table.functions).map(|(key, function)| (*key, function.span))
}

fn sites_of(table: &SiteTable, identities: &Identities) -> impl Iterator<Item = (FunctionKey, SiteKind, Span)> {
    table.sites.iter().map(|site| (identities.function(site.function), site.kind, site.span))
}

fn variables_of(table: &SiteTable) -> impl Iterator<Item = (Span, &str)> {
    table.variables.iter().map(|variable| (variable.span, table.name(variable.name)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Function, FunctionKind, NameIndex, Site};

    const SOURCE: &str = "a(); b();";

    fn table(sites: &[(SiteKind, u32, u32)]) -> SiteTable {
        let function = FunctionIndex(0);
        let site = |&(kind, start, end): &(SiteKind, u32, u32)| {
            let span = Span { start, end };
            Site { kind, span, function, names: Vec::new(), extra: 0, variable: None }
        };
        let top = Function {
            kind: FunctionKind::Module,
            name: NameIndex(0),
            span: Span { start: 0, end: SOURCE.len() as u32 },
            parent: None,
            is_async: false,
            is_generator: false,
            exact_exit: false,
            recorded: true,
        };
        let names = vec![String::new()];
        SiteTable { functions: vec![top], names, sites: sites.iter().map(site).collect(), ..SiteTable::default() }
    }

    fn found(own: &[(SiteKind, u32, u32)], others: &[(SiteKind, u32, u32)]) -> Vec<Option<u32>> {
        let counterparts = Counterparts::of(&table(own), &table(others), SOURCE);
        (0..own.len() as u32).map(|site| counterparts.site(LocalSite(site)).map(|found| found.0)).collect()
    }

    #[test]
    fn a_site_more_moves_no_other() {
        let (first, second) = ((SiteKind::Call, 0, 3), (SiteKind::Call, 5, 8));
        assert_eq!(found(&[first, second], &[second]), [None, Some(0)]);
        assert_eq!(found(&[second], &[first, second]), [Some(1)]);
    }

    #[test]
    fn of_sites_that_are_alike_none_is_chosen_by_chance() {
        let call = (SiteKind::Call, 0, 3);
        assert_eq!(found(&[call, call], &[call, call]), [Some(0), Some(1)]);
        assert_eq!(found(&[call, call], &[call]), [None, None]);
    }

    #[test]
    fn another_kind_is_another_site() {
        assert_eq!(found(&[(SiteKind::Put, 0, 3)], &[(SiteKind::PutComputed, 0, 3)]), [None]);
    }
}
