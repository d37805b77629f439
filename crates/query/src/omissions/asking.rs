//! Questions about what did not happen, asked of a recording.

use trace_model::{EventId, FunctionIndex, OperationKind, SiteId, Span};
use trace_store::PropertyKey;

use super::{About, Expected, FoundOmissions, Program, Recorded, Wanted, WantedKind, find, use_sites};
use crate::{Property, Trace};

/// What is looked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asking {
    /// The longest way of calls to an operation.
    pub most_calls: usize,
    /// Also operations that cannot change the object.
    pub reads: bool,
    /// Operations of these names are left out: `push`, `x`.
    pub hidden: Vec<String>,
}

impl Trace<'_> {
    /// What could have been done to a thing before a moment, and was not, best first: each with the decision, or whatever else it was,
    /// that kept it from being done.
    pub fn omitted(&self, program: &Program, about: About, before: EventId, asking: &Asking) -> FoundOmissions {
        let (wanted, expected) = match &about {
            About::Code => return FoundOmissions::default(),
            About::Object(_) | About::Property(..) => self.wanted_of_object(program, &about, before, asking),
            About::Variable(place) => self.wanted_of_variable(program, place.unit, place.variable, asking),
        };
        let recorded = Recorded::new(self, &program.facts, &program.units, about, before);
        find(&program.facts, &recorded, &wanted, &expected)
    }

    /// What kept control from coming to places of the code before a moment.
    pub fn not_reached(
        &self,
        program: &Program,
        places: &[(SiteId, FunctionIndex, Span)],
        before: EventId,
        asking: &Asking,
    ) -> FoundOmissions {
        let wanted = places.iter().filter_map(|(unit, function, span)| {
            let function = program.function(*unit, *function)?;
            Some(Wanted { function, span: *span, object: *span, kind: WantedKind::Reached, n_objects: 1 })
        });
        let wanted: Vec<Wanted> = wanted.collect();
        let recorded = Recorded::new(self, &program.facts, &program.units, About::Code, before);
        find(&program.facts, &recorded, &wanted, &Expected::nothing(asking.most_calls))
    }

    fn wanted_of_object(
        &self,
        program: &Program,
        about: &About,
        before: EventId,
        asking: &Asking,
    ) -> (Vec<Wanted>, Expected) {
        let Some(object) = about.object() else { return (Vec::new(), Expected::nothing(asking.most_calls)) };
        let (key, is_absent) = match about {
            About::Property(_, key) => {
                let is_absent = matches!(self.own_property(object, key, before), Property::Absent { .. });
                (named(key), is_absent)
            }
            _ => (None, false),
        };
        let is_element = key.as_deref().is_some_and(|key| key == "length" || key.parse::<u32>().is_ok());
        let expected = Expected {
            is_contents: is_element || key.is_none() && self.holds_elements(object, before),
            key: key.filter(|_| !is_element),
            is_about_state: true,
            is_absent,
            most_calls: asking.most_calls,
        };
        let births = program.births_of(self, object);
        let mut wanted = use_sites(&program.facts, &births, expected.key.as_deref(), asking.reads);
        wanted.retain(|wanted| match &wanted.kind {
            WantedKind::Operation(kind) => {
                kind.name().is_none_or(|name| !asking.hidden.iter().any(|hidden| hidden == name))
            }
            WantedKind::Reached | WantedKind::More => true,
        });
        (wanted, expected)
    }

    fn wanted_of_variable(
        &self,
        program: &Program,
        unit: SiteId,
        variable: trace_model::VariableIndex,
        asking: &Asking,
    ) -> (Vec<Wanted>, Expected) {
        let Some(code) = self.code(unit) else { return (Vec::new(), Expected::nothing(asking.most_calls)) };
        let name = code.variable_name(variable).to_owned();
        let sites = code.unit.code().map(|code| &code.sites.sites[..]).unwrap_or_default();
        let writes = sites.iter().filter(|site| site.variable == Some(variable));
        let wanted = writes.filter_map(|site| {
            let function = program.function(unit, site.function)?;
            let kind = WantedKind::Operation(OperationKind::Write(Some(name.clone())));
            Some(Wanted { function, span: site.span, object: site.span, kind, n_objects: 1 })
        });
        let wanted = wanted.collect();
        let expected = Expected { key: Some(name), is_about_state: true, ..Expected::nothing(asking.most_calls) };
        (wanted, expected)
    }
}

fn named(key: &PropertyKey) -> Option<String> {
    match key {
        PropertyKey::Name(name) => Some(name.clone()),
        PropertyKey::Symbol(_) => None,
    }
}
