//! Parameters that are elements of the arguments object as well: whatever writes one writes the other, until the element is
//! deleted, defined anew or frozen.

use trace_model::{Event, EventId, ExprId, Node, ObjectId, Owner, Record, SiteKind, VariableKind};
use trace_store::{PropertyKey, Step, Target, VariablePlace};

use crate::change::KeyChange;
use crate::{Contents, Datum, Property, Trace};

impl Trace<'_> {
    /// An element of an arguments object, as the events of the object have it, unless the parameter was written since.
    pub(crate) fn with_parameter(
        &self,
        object: ObjectId,
        key: &PropertyKey,
        before: EventId,
        element: Property,
    ) -> Property {
        let Some(parameter) = self.parameter_of(object, key) else { return element };
        let parted = self.parted(object, key).unwrap_or(before).min(before);
        let Some(write) = self.last(&Target::Variable(parameter), parted) else { return element };
        match element.since() {
            Some(since) if since.id > write.id || self.is_same_text(since, &write) => element,
            _ => Property::Own { value: self.written_value(&write).unwrap_or(Datum::NotCaptured), since: write },
        }
    }

    pub(crate) fn show_parameters(&self, contents: &mut Contents, before: EventId) {
        if !contents.class.is_some_and(|class| self.class_traits(class).has_parameters) {
            return;
        }
        for (key, slot) in contents.properties.iter_mut().filter(|(key, _)| self.is_element(key)) {
            if let Property::Own { value, since } = self.own_property(contents.object, key, before) {
                (slot.value, slot.since) = (value, since.id);
            }
        }
    }

    /// What wrote a parameter as an element of the arguments object, after the newest write of its own.
    pub(crate) fn write_as_element(
        &self,
        place: &VariablePlace,
        own: Option<&Step>,
        before: EventId,
    ) -> Option<(Step, Datum)> {
        if self.is_sparse() {
            if self.hands_out_arguments(place).unwrap_or(false) {
                self.rests_on_everything("what others write through the arguments object is not recorded");
            }
            return None;
        }
        let (object, key) = self.element_of(place)?;
        let parted = self.parted(object, &key).unwrap_or(before).min(before);
        for step in self.each_before(&Target::Property(object, &key), parted) {
            if own.is_some_and(|own| own.id > step.id) {
                return None;
            }
            match self.key_change(&step, object, &key) {
                KeyChange::Set(_) if self.is_told_of_parameter(place, &step) => {}
                KeyChange::Set(value) => return Some((step, value)),
                _ => return None,
            }
        }
        None
    }

    /// Assigning to the element is told twice, where the text says so: of the element, then of the parameter.
    fn is_told_of_parameter(&self, place: &VariablePlace, element: &Step) -> bool {
        let next = self.thread.next(&Target::Variable(*place), element.id);
        next.is_some_and(|parameter| self.is_same_text(element, &parameter))
    }

    /// Whether a place is both a parameter and an element.
    pub(crate) fn is_mapped(&self, object: ObjectId, key: &PropertyKey) -> bool {
        self.parameter_of(object, key).is_some()
    }

    /// The element that a parameter is.
    pub(crate) fn element_of(&self, place: &VariablePlace) -> Option<(ObjectId, PropertyKey)> {
        let declared =
            self.thread.code().unit(place.unit)?.code().ok()?.sites.variables.get(place.variable.0 as usize)?;
        if declared.kind != VariableKind::Parameter {
            return None;
        }
        let frame = self.frame(place.owner?)?;
        let code = self.code(place.unit)?;
        let mapped = &code.facts.functions.get(frame.function.0 as usize)?.mapped_parameters;
        let index = mapped.iter().position(|parameter| *parameter == place.variable)?;
        let object = self.arguments(frame.id)?.0.object()?;
        let key = self.element_key(index as u32);
        self.parameter_of(object, &key).map(|_| (object, key))
    }

    /// Whether the function of a parameter does more with its arguments object than asking for members of it.
    fn hands_out_arguments(&self, place: &VariablePlace) -> Option<bool> {
        let code = self.code(place.unit)?;
        let table = &code.unit.code().ok()?.sites;
        let Owner::Function(function) = table.variables.get(place.variable.0 as usize)?.owner else { return None };
        if !code.facts.functions.get(function.0 as usize)?.mapped_parameters.contains(&place.variable) {
            return Some(false);
        }
        let around = table.function(function).span;
        let expressions = &code.facts.expressions;
        let is_arguments = |id: &ExprId| matches!(code.expression(*id).node, Node::Arguments);
        let inside = || expressions.iter().filter(|it| around.start <= it.span.start && it.span.end <= around.end);
        let n_uses = inside().filter(|it| matches!(it.node, Node::Arguments) && it.span != around).count();
        let is_member = |node: &Node| matches!(node, Node::Member { object, .. } if is_arguments(object));
        Some(n_uses > inside().filter(|it| is_member(&it.node)).count())
    }

    /// The parameter that an element of an arguments object is: there are as many as the caller passed.
    fn parameter_of(&self, object: ObjectId, key: &PropertyKey) -> Option<VariablePlace> {
        let index = self.element_at(key)?;
        let birth = self.birth(object).filter(|birth| self.kind(birth) == Some(SiteKind::Arguments))?;
        let frame = self.frame(birth.frame?)?;
        let code = self.code(frame.unit)?;
        let variable = *code.facts.functions.get(frame.function.0 as usize)?.mapped_parameters.get(index)?;
        let look = self.thread.next(&Target::Object(object), EventId(birth.id.0 + 1))?;
        let is_passed = matches!(look.event, Event::Record(Record::Look { size, .. }) if index < size as usize);
        is_passed.then_some(VariablePlace { unit: frame.unit, variable, owner: Some(frame.id) })
    }

    /// When an element of an arguments object ceased to be the parameter.
    fn parted(&self, object: ObjectId, key: &PropertyKey) -> Option<EventId> {
        let parts = |step: &Step| match &step.event {
            Event::Record(Record::Effect { op, .. }) => self.language().parts_parameter(*op),
            Event::Record(_) => false,
            Event::Site { .. } => self.key_change(step, object, key) == KeyChange::Removed,
        };
        let all = self.each_before(&Target::Property(object, key), self.thread.end());
        all.filter(parts).last().map(|step| step.id)
    }

    fn is_same_text(&self, one: &Step, other: &Step) -> bool {
        let span = |step: &Step| self.site(step.site()?).map(|site| (site.unit.record.base, site.site.span));
        span(one).is_some() && span(one) == span(other)
    }
}
