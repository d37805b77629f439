//! From what a recording tells to places of the source.

use trace_model::{EventId, FunctionIndex, ObjectId, SiteId, SiteKind, Span};
use trace_store::Step;

use crate::{PointError, Trace};

impl Trace<'_> {
    /// Where in the source an object was made: its literal, its function or class, the `new` or the call that gave it.
    pub fn birth_places(&self, object: ObjectId) -> Vec<(SiteId, Span)> {
        let mut places = Vec::new();
        if let Some(birth) = self.birth(object) {
            places.extend(self.birth_place(&birth));
        }
        if places.is_empty()
            && let Some((unit, function)) = self.function_of(object)
        {
            let code = self.thread.code().unit(unit).and_then(|unit| unit.code().ok());
            places.extend(code.map(|code| (unit, code.sites.function(function).span)));
        }
        places
    }

    fn birth_place(&self, birth: &Step) -> Option<(SiteId, Span)> {
        if self.kind(birth) == Some(SiteKind::This) {
            return self.constructed_at(birth);
        }
        let site = self.site(self.belongs_to(birth)?.site()?)?;
        let base = site.unit.record.base;
        match site.site.literal_function() {
            Some(function) => Some((base, site.code.sites.function(function).span)),
            None => Some((base, site.site.span)),
        }
    }

    /// The `new` that made what a constructor met: constructors call those that they inherit from first.
    fn constructed_at(&self, birth: &Step) -> Option<(SiteId, Span)> {
        let mut frame = self.frame(birth.frame?)?;
        for _ in 0..MOST_CONSTRUCTORS {
            let caller = self.caller(&frame)?;
            let text = caller.code.text(caller.call);
            if !self.language().is_of_parent_class(text) {
                return Some((caller.code.base(), caller.code.expression(caller.call).span));
            }
            frame = self.frame(caller.step.frame?)?;
        }
        None
    }

    /// The code that begins on a line: the statements of each function that have their first place there.
    pub fn code_on_line(&self, file: &str, line: u32) -> Result<Vec<(SiteId, FunctionIndex, Span)>, PointError> {
        let mut found = Vec::new();
        for site in self.anchors(file, line)? {
            let Some(known) = self.site(site) else { continue };
            let statement = self.code(site).and_then(|code| {
                let statement = code.site_facts(site).statement?;
                Some(code.facts.statements[statement as usize].clone())
            });
            let span = statement.map_or(known.site.span, |statement| statement.span);
            let place = (known.unit.record.base, known.site.function, span);
            if !found.contains(&place) {
                found.push(place);
            }
        }
        Ok(found)
    }

    /// Whether what an object holds are elements or entries, not properties by name.
    pub fn holds_elements(&self, object: ObjectId, before: EventId) -> bool {
        let class = self.contents(object, before).and_then(|contents| contents.class);
        class.is_some_and(|class| class.has_entries() || self.is_list(class))
    }
}

const MOST_CONSTRUCTORS: usize = 64;
