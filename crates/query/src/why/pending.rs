//! What came too late: a write of a place in a function that was handed out before, and had not been called yet.

use trace_model::{EventId, LocalSite, SiteId, SiteKind};
use trace_store::{PropertyKey, Step, Target};

use super::{HopKind, Question, Search, cost};
use crate::{Place, Trace};

impl Search<'_, '_> {
    pub(super) fn not_yet_written(&mut self, place: &Place, before: EventId) {
        for call in self.trace.pending_writers(place, before) {
            self.follow(cost::EVIDENCE, Question::Happened { event: call.id, kind: HopKind::Pending, focus: None });
        }
    }
}

impl Trace<'_> {
    /// The calls that were given a function which writes such a place, and was not called by then.
    fn pending_writers(&self, place: &Place, before: EventId) -> Vec<Step> {
        let writers = match place {
            Place::Property { key: PropertyKey::Name(name), .. } => self.writers_of(name),
            Place::Variable { place, .. } => self.sites_of_variable(place.unit, place.variable),
            _ => Vec::new(),
        };
        let mut found: Vec<Step> = Vec::new();
        for writer in writers.into_iter().take(MOST_WRITERS) {
            if let Some(call) = self.pending_call(writer, before)
                && found.iter().all(|known| known.id != call.id)
            {
                found.push(call);
            }
        }
        found
    }

    fn sites_of_variable(&self, unit: SiteId, variable: trace_model::VariableIndex) -> Vec<SiteId> {
        let Some(code) = self.thread.code().unit(unit).and_then(|unit| unit.code().ok()) else { return Vec::new() };
        let sites = (0..).zip(&code.sites.sites).filter(|(_, site)| site.variable == Some(variable));
        sites.map(|(number, _)| SiteId(unit.0 + number)).collect()
    }

    /// The call that was given the function that a site is in, if that was never entered since.
    fn pending_call(&self, writer: SiteId, before: EventId) -> Option<Step> {
        let site = self.site(writer)?;
        let (unit, function) = (site.unit.record.base, site.site.function);
        let is_birth = |site: &trace_model::Site| {
            site.kind == SiteKind::FunctionBirth && site.literal_function() == Some(function)
        };
        let births = (0..).zip(&site.code.sites.sites).filter(|(_, site)| is_birth(site));
        let births: Vec<SiteId> = births.map(|(number, _)| site.unit.site(LocalSite(number))).collect();
        let born = self.last(&Target::Sites(&births), before)?;
        let entered = self.last(&Target::Enter(Some(&[(unit, function)])), before);
        if entered.is_some_and(|entered| entered.id > born.id) {
            return None;
        }
        self.call_around(&born).filter(|call| self.kind(call) == Some(SiteKind::Call))
    }
}

/// Of a name that is written everywhere nobody knows which write was meant.
const MOST_WRITERS: usize = 16;
