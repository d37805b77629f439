//! Values that went through a library: what the project reads there it mostly put there itself, before, under the same name or in the same
//! words (an element of a page, the body of a reply, a store). The way through the library is long and tells little, so that the newest
//! place of the project that had the very same value is looked at, too. It is evidence, no proof: what is told of it is only what happened.

use std::collections::HashMap;

use trace_model::{Event, EventId, LocalSite, SiteId, SiteKind, TailValues};
use trace_store::{PropertyKey, Step, Target};

use super::{HopKind, Question, Search, cost};
use crate::{Datum, Trace};

/// The writes of the project, by the name of what they write. Those under the empty name are all there are.
pub(super) type WritesByName = HashMap<String, Vec<SiteId>>;

impl Search<'_, '_> {
    /// Asks about the newest place of the project that had a value which a library gave, under the same name if it has one.
    pub(super) fn had_before(&mut self, name: Option<&str>, value: &Datum, before: EventId) -> Option<()> {
        self.is_about_project().then_some(())?;
        let named = name
            .filter(|name| is_telling(value, true) && !is_index(name))
            .and_then(|name| self.newest_with(name, value, before));
        let is_found = named.is_some() || !is_telling(value, false);
        let (step, key) = if is_found { named? } else { self.newest_with("", value, before)? };
        let kind = match self.trace.kind(&step)? {
            SiteKind::Return => HopKind::Return,
            SiteKind::ObjectLiteral => HopKind::Birth,
            _ => HopKind::Write,
        };
        let focus = key.and_then(|key| {
            let object = self.trace.step_value(&step)?.object()?;
            self.entry_of(&step, &crate::Place::Property { object, key: PropertyKey::Name(key) })
        });
        self.follow(cost::BRIDGE, Question::Happened { event: step.id, kind, focus });
        Some(())
    }

    /// The newest event of the project's writes under a name that had this value; of a literal also the key that did.
    fn newest_with(&mut self, name: &str, value: &Datum, before: EventId) -> Option<(Step, Option<String>)> {
        let trace = self.trace;
        if self.own_writes.is_none() {
            self.own_writes = Some(trace.own_writes());
        }
        let sites = self.own_writes.as_ref()?.get(name)?;
        let mut n_looked_at = 0;
        let steps = trace.each_before(&Target::Sites(sites), before).take(MOST_EVENTS.min(self.left_to_look_at));
        let mut with_value =
            steps.inspect(|_| n_looked_at += 1).filter_map(|step| Some((trace.had_value(&step, name, value)?, step)));
        let found = with_value.find(|(_, step)| !self.is_written_out(step));
        self.left_to_look_at -= n_looked_at;
        found.map(|(key, step)| (step, key))
    }

    /// What the failing code has written out itself is what it expected.
    fn is_written_out(&self, step: &Step) -> bool {
        let is_here = step.site().zip(self.hops.first()).is_some_and(|(site, root)| {
            self.trace.site(site).is_some_and(|site| site.unit.record.base == root.at.unit)
        });
        is_here && self.writes_constant(step)
    }
}

/// All lists have elements with the same keys.
fn is_index(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a value is hardly the same by chance.
fn is_telling(value: &Datum, is_named: bool) -> bool {
    match value {
        Datum::String(text) => is_named || text.chars().count() >= SHORTEST_TEXT,
        Datum::Number(number) => is_named || number.fract() != 0.0 && number.is_finite() || number.abs() >= LARGE,
        _ => false,
    }
}

impl Trace<'_> {
    fn own_writes(&self) -> WritesByName {
        use SiteKind::{Field, ObjectLiteral, Put, PutComputed, Return, Var};
        let mut found = WritesByName::new();
        for unit in self.thread.code().units().iter().filter(|unit| self.is_own(unit.record.base)) {
            let Ok(code) = unit.code() else { continue };
            for (number, site) in (0..).zip(&code.sites.sites) {
                if !matches!(site.kind, Field | ObjectLiteral | Put | PutComputed | Return | Var) {
                    continue;
                }
                let id = unit.site(LocalSite(number));
                let names = site.names.iter().map(|name| code.sites.name(*name)).filter(|_| site.kind != Var);
                for name in names.chain([""]) {
                    found.entry(name.to_owned()).or_default().push(id);
                }
            }
        }
        for sites in found.values_mut() {
            sites.sort_unstable();
            sites.dedup();
        }
        found
    }

    /// Whether an event wrote this value, under this name if there is one. The key where it is an entry of a literal.
    fn had_value(&self, step: &Step, name: &str, value: &Datum) -> Option<Option<String>> {
        match &step.event {
            Event::Site { site, tail: TailValues::Values(values), .. } => {
                let site = self.site(*site)?;
                let names = site.site.names.iter().map(|own| site.name(*own));
                let is_it = |own: &str| name.is_empty() || own == name;
                let mut entries = names.zip(values).filter(|(own, _)| is_it(own));
                entries.find(|(_, own)| self.datum(**own) == *value).map(|(own, _)| Some(own.to_owned()))
            }
            _ => (self.step_value(step)? == *value).then_some(None),
        }
    }
}

/// Of the project's own events, for one value and for all of a search.
const MOST_EVENTS: usize = 20_000;
pub(super) const MOST_EVENTS_OF_ALL: usize = 200_000;
/// In characters: shorter texts are the same by chance.
const SHORTEST_TEXT: usize = 4;
const LARGE: f64 = 100.0;
