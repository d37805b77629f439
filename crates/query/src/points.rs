//! From a line of the source to the moments at which it was executed.

use std::collections::BTreeMap;

use trace_model::{
    EventId, FunctionIndex, LocalSite, SiteId, SiteKind, VariableIndex, VariableKind, ends_with_path, meant,
};
use trace_store::{Step, Target};

use crate::Trace;

/// Why there is no such point, and what is there instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PointError {
    NoSuchFile { file: String, loaded: Loaded },
    Compiled { file: String, from: Vec<String> },
    AmbiguousFile { file: String, candidates: Vec<String> },
    NoCode { file: String, line: u32, nearest: Option<u32> },
    NeverExecuted { file: String, line: u32 },
    NoSuchHit { file: String, line: u32, wanted: u64, n_hits: u64 },
    NoSuchEvent { wanted: u64, first: u64, last: u64 },
}

/// Files that are there instead of one that is not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Loaded {
    /// Of about this name.
    Near(Vec<String>),
    /// The first ones of the program itself.
    Others(Vec<String>),
}

/// A line that was found, and the event of the wanted time it was executed.
#[derive(Clone, Debug)]
pub struct LineHit {
    pub step: Step,
    pub hit: u64,
    pub n_hits: u64,
}

impl Trace<'_> {
    /// The moment before a line is executed, for the `hit`th (from 1) or last time. A file is named by the end of its path.
    pub fn line(&self, file: &str, line: u32, hit: Option<u64>) -> Result<LineHit, PointError> {
        let anchors = self.anchors(file, line)?;
        let target = Target::Sites(&anchors);
        let n_hits = self.count(&target, self.thread.first_event()..self.thread.end());
        if n_hits == 0 {
            return Err(PointError::NeverExecuted { file: file.into(), line });
        }
        let wanted = hit.unwrap_or(n_hits);
        let step = wanted.checked_sub(1).and_then(|before| self.nth(&target, before));
        match step {
            Some(step) => Ok(LineHit { step, hit: wanted, n_hits }),
            None => Err(PointError::NoSuchHit { file: file.into(), line, wanted, n_hits }),
        }
    }

    pub fn event(&self, number: u64) -> Result<Step, PointError> {
        let (first, end) = (self.thread.first_event().0, self.thread.end().0);
        self.thread.step(EventId(number)).filter(|_| number < end).ok_or(PointError::NoSuchEvent {
            wanted: number,
            first,
            last: end.saturating_sub(1),
        })
    }

    /// Which time the line of an event was executed, and how often in all.
    pub fn hit_of(&self, step: &Step) -> Option<(u64, u64)> {
        let site = step.site()?;
        let target = [site];
        let target = Target::Sites(&target);
        let n_before = self.count(&target, self.thread.first_event()..step.id);
        let n_all = self.count(&target, self.thread.first_event()..self.thread.end());
        Some((n_before + 1, n_all))
    }

    /// The sites that are executed first on a line: one for each piece of code that has the line.
    pub fn anchors(&self, file: &str, line: u32) -> Result<Vec<SiteId>, PointError> {
        let mut paths: Vec<String> = Vec::new();
        let mut anchors = Vec::new();
        let mut lines: Vec<u32> = Vec::new();
        for unit in self.thread.code().units() {
            let Ok(code) = unit.code() else { continue };
            let mut by_line: BTreeMap<u32, Vec<LocalSite>> = BTreeMap::new();
            let mut is_named = false;
            if !ends_with_path(&unit.record.path, file) && !code.has_origins() {
                continue;
            }
            for (number, site) in code.sites.sites.iter().enumerate() {
                if matches!(site.kind, SiteKind::Function | SiteKind::Class) {
                    continue;
                }
                let local = LocalSite(number as u32);
                let Some(place) = self.site(unit.site(local)).and_then(|site| site.place()) else { continue };
                if !ends_with_path(place.path, file) {
                    continue;
                }
                if !is_named {
                    is_named = true;
                    if !paths.iter().any(|path| path == place.path) {
                        paths.push(place.path.to_owned());
                    }
                }
                by_line.entry(place.position.line).or_default().push(local);
            }
            lines.extend(by_line.keys());
            if let Some(sites) = by_line.get(&line) {
                anchors.extend(self.first_sites(unit.record.base, sites).into_iter().map(|site| unit.site(site)));
            }
        }
        if paths.is_empty() {
            let from = self.compiled_from(file);
            return Err(match from.is_empty() {
                true => PointError::NoSuchFile { file: file.into(), loaded: self.similar_files(file) },
                false => PointError::Compiled { file: file.into(), from },
            });
        }
        let exact: Vec<&String> = paths.iter().filter(|path| **path == file).collect();
        if paths.len() > 1 && exact.is_empty() {
            paths.sort();
            return Err(PointError::AmbiguousFile { file: file.into(), candidates: paths });
        }
        if anchors.is_empty() {
            let nearest = lines.into_iter().min_by_key(|known| known.abs_diff(line));
            return Err(PointError::NoCode { file: file.into(), line, nearest });
        }
        anchors.sort_unstable();
        Ok(anchors)
    }

    /// The sites of a line that are evaluated first: one of each function that has code on it. A callback that is written on the
    /// line of its registration is executed at another time, and that is a time of the line as well.
    fn first_sites(&self, unit: SiteId, sites: &[LocalSite]) -> Vec<LocalSite> {
        let Some(code) = self.code(unit) else { return Vec::new() };
        let Ok(file) = code.unit.code() else { return Vec::new() };
        let table = &file.sites;
        let rank = |site: &LocalSite| {
            let kind = table.site(*site).kind;
            let facts = code.facts.site(*site);
            // A declared function is made when its block is entered, not when control comes to its line.
            let declares = |variable: VariableIndex| table.variable(variable).kind == VariableKind::Function;
            let is_hoisted = kind == SiteKind::Var && table.site(*site).variable.is_some_and(declares);
            let is_edge = is_hoisted
                || matches!(
                    kind,
                    SiteKind::Enter
                        | SiteKind::Exit
                        | SiteKind::This
                        | SiteKind::Param
                        | SiteKind::Arguments
                        | SiteKind::Scope
                );
            let is_implicit_return = kind == SiteKind::Return && facts.value.is_none();
            (is_edge, is_implicit_return, facts.statement.unwrap_or(u32::MAX), facts.order)
        };
        let mut first: BTreeMap<FunctionIndex, LocalSite> = BTreeMap::new();
        for site in sites {
            let known = first.entry(table.site(*site).function).or_insert(*site);
            if rank(site) < rank(known) {
                *known = *site;
            }
        }
        let does_something = |site: &&LocalSite| matches!(rank(site), (false, false, ..));
        let executed: Vec<LocalSite> = first.values().filter(does_something).copied().collect();
        if !executed.is_empty() {
            return executed;
        }
        // A line that only opens a function is reached when the function is entered.
        let first = sites.iter().min_by_key(|site| rank(site)).copied();
        let opens = |site: &&LocalSite| table.site(**site).kind == SiteKind::Enter;
        let is_edge = first.is_some_and(|first| rank(&first).0);
        let entered = sites.iter().find(opens).filter(|_| is_edge).copied();
        Vec::from_iter(entered.or(first))
    }

    /// What the source map of a file that was loaded says that it comes from.
    fn compiled_from(&self, file: &str) -> Vec<String> {
        let mut from: Vec<String> = Vec::new();
        let units = self.thread.code().units();
        for unit in units.iter().filter(|unit| ends_with_path(&unit.record.path, file)) {
            let Ok(code) = unit.code() else { continue };
            for place in code.sites.sites.iter().filter_map(|site| unit.place(site.span.start)) {
                if from.len() < MOST_FILES && !from.iter().any(|known| known == place.path) {
                    from.push(place.path.to_owned());
                }
            }
        }
        from
    }

    /// Files of about this name, or else the first ones of the program itself.
    fn similar_files(&self, file: &str) -> Loaded {
        let name = file.rsplit('/').next().unwrap_or(file);
        let is_similar = |path: &str| {
            let known = path.rsplit('/').next().unwrap_or(path);
            known.contains(name) || !meant(name, [known]).is_empty()
        };
        let chosen = |wanted: &dyn Fn(&str) -> bool| {
            let mut files: Vec<String> = Vec::new();
            for unit in self.thread.code().units() {
                let path = &unit.record.path;
                if wanted(path) && !files.contains(path) {
                    files.push(path.clone());
                }
            }
            files.truncate(MOST_FILES);
            files
        };
        let similar = if name.is_empty() { Vec::new() } else { chosen(&is_similar) };
        match similar.is_empty() {
            true => Loaded::Others(chosen(&|path| self.is_own_path(path))),
            false => Loaded::Near(similar),
        }
    }
}

const MOST_FILES: usize = 5;
