//! Places that code may have written which could not be recorded although its file was (the body of a `with`): what is known of
//! them may be out of date, and nothing tells.

use trace_model::{CodeKind, Event, EventId, LocalSite, Site, SiteId, Span, TailValues, Writes};
use trace_store::{CodeUnit, PropertyKey, Step, Target};

use crate::{Contents, Datum, Trace};

pub(crate) const UNRECORDED: &str = "code that could not be recorded may have written it";

/// Writes of objects that could not be found again, with their keys where these are known.
#[derive(Default)]
pub(crate) struct HomelessWrites {
    writes: Vec<(EventId, Option<PropertyKey>)>,
    /// There are more than are kept.
    is_cut: bool,
}

const MOST_HOMELESS: usize = 1000;

impl Trace<'_> {
    pub(crate) fn may_be_written_unrecorded(&self, key: &PropertyKey) -> bool {
        self.unrecorded_writes().iter().any(|(_, writes)| match key {
            PropertyKey::Name(name) => writes.any_property || writes.names.contains(name),
            PropertyKey::Symbol(_) => writes.any_property,
        })
    }

    /// A variable is written by the code that it was declared in, and by what that evaluates: which of the variables in scope such
    /// code wrote is not recorded.
    pub(crate) fn may_variable_be_written_unrecorded(&self, unit: SiteId, name: &str) -> bool {
        let of_unit = self.thread.code().unit(unit).and_then(|unit| unit.code().ok());
        let is_passed_over = of_unit.is_some_and(|code| !code.sites.not_captured.is_empty());
        is_passed_over && self.unrecorded_writes().iter().any(|(of, writes)| *of == unit && writes.names.contains(name))
            || self.evaluated_writes().iter().any(|(of, writes)| *of != unit && writes.names.contains(name))
    }

    /// What each direct eval may write.
    fn evaluated_writes(&self) -> &[(SiteId, Writes)] {
        self.evaluated_writes.get_or_init(|| {
            let whole = || vec![Span { start: 0, end: u32::MAX }];
            self.writes(|unit| (unit.record.kind == CodeKind::Eval).then(whole))
        })
    }

    pub(crate) fn leave_out_unrecorded(&self, contents: &mut Contents, before: EventId) {
        let homeless = self.homeless_writes.get_or_init(|| self.find_homeless_writes());
        // It may have been a key that the object did not have.
        if homeless.is_cut || homeless.writes.first().is_some_and(|(at, _)| *at < before) {
            contents.is_complete = false;
        } else if self.unrecorded_writes().is_empty() && !self.has_evaluated(before) {
            return;
        }
        for (key, slot) in &mut contents.properties {
            let is_lost = self.is_some_object_written(key, Some(slot.since), before);
            if is_lost || self.may_be_written_unrecorded(key) || self.may_be_evaluated(key, before) {
                slot.value = Datum::NotCaptured;
                contents.is_complete = false;
            }
        }
    }

    /// Whether a write under this key, of which it is not known what object it wrote, lies between two events.
    pub(crate) fn is_some_object_written(&self, key: &PropertyKey, after: Option<EventId>, before: EventId) -> bool {
        if self.is_sparse() {
            // Only those that may be of this key matter, and have to be recorded.
            self.rests_on(&Target::Sites(&self.sites_read_again(Some(key))));
        }
        let writes = self.homeless_writes.get_or_init(|| self.find_homeless_writes());
        let is_between = |at: EventId| after.is_none_or(|after| after < at) && at < before;
        writes.is_cut
            || writes.writes.iter().any(|(at, of)| is_between(*at) && of.as_ref().is_none_or(|written| written == key))
    }

    /// Writes whose object was found by reading its text again, ascending: all, or those that may be under this key.
    fn sites_read_again(&self, key: Option<&PropertyKey>) -> Vec<SiteId> {
        let mut sites = Vec::new();
        for unit in self.thread.code().units() {
            let Ok(code) = unit.code() else { continue };
            let may_be = |site: &Site| match (key, site.names.first()) {
                (Some(PropertyKey::Name(wanted)), Some(name)) => code.sites.name(*name) == wanted,
                (Some(_), Some(_)) => false,
                (_, None) | (None, _) => true,
            };
            let numbered = code.sites.sites.iter().zip(0..);
            let again = numbered.filter(|(site, _)| site.extra == Site::READ_AGAIN && may_be(site));
            sites.extend(again.map(|(_, number)| unit.site(LocalSite(number))));
        }
        sites.sort_unstable();
        sites
    }

    fn find_homeless_writes(&self) -> HomelessWrites {
        let mut found = HomelessWrites::default();
        let sites = self.sites_read_again(None);
        if sites.is_empty() {
            return found;
        }
        let mut from = self.thread.first_event();
        while let Some(step) = self.thread.next(&Target::Sites(&sites), from) {
            from = EventId(step.id.0 + 1);
            let key = match &step.event {
                Event::Site { tail: TailValues::Object(None), .. } => self.key_of_site(&step),
                Event::Site { tail: TailValues::ObjectAndKey(None, key), .. } => self.key(*key),
                _ => continue,
            };
            if found.writes.len() >= MOST_HOMELESS {
                found.is_cut = true;
                break;
            }
            found.writes.push((step.id, key));
        }
        found
    }

    fn key_of_site(&self, step: &Step) -> Option<PropertyKey> {
        let site = self.site(step.site()?)?;
        Some(PropertyKey::Name(site.name(*site.site.names.first()?).to_owned()))
    }

    /// What each piece of code may write where it was passed over.
    fn unrecorded_writes(&self) -> &[(SiteId, Writes)] {
        self.unrecorded_writes.get_or_init(|| {
            self.writes(|unit| {
                let passed_over = &unit.code().ok()?.sites.not_captured;
                (!passed_over.is_empty()).then(|| passed_over.iter().map(|(span, _)| *span).collect())
            })
        })
    }

    /// What each piece of code may write in the places that are chosen.
    fn writes(&self, choose: impl Fn(&CodeUnit) -> Option<Vec<Span>>) -> Vec<(SiteId, Writes)> {
        let units = self.thread.code().units().iter();
        let writes = units.filter_map(|unit| {
            let spans = choose(unit)?;
            let source = unit.code().ok()?.source().ok()?;
            let writes = self.language().writes_in(source, unit.record.kind, &unit.record.path, &spans).ok()?;
            Some((unit.record.base, writes)).filter(|(_, writes)| !writes.is_empty())
        });
        writes.collect()
    }
}
