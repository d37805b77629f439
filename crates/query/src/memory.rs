//! Binary data: several objects may show the same memory, and built-ins that are not recorded write it.

use trace_model::{Event, ObjectId, Record};

use trace_store::PropertyKey;

use crate::{Contents, Datum, Trace};

impl Trace<'_> {
    /// Whether the elements of an object are memory that others may write unseen.
    pub(crate) fn shares_memory(&self, object: ObjectId) -> bool {
        self.is_memory(object) && self.writes_memory()
    }

    /// Whether a key is that of an element which binary data does not have: nothing can be written there.
    pub(crate) fn is_beyond_memory(&self, object: ObjectId, key: &PropertyKey) -> bool {
        let Some(index) = self.element_at(key).filter(|_| self.is_memory(object)) else { return false };
        match self.birth(object).map(|birth| birth.event) {
            Some(Event::Record(Record::Look { size, .. })) => index >= size as usize,
            _ => false,
        }
    }

    /// What is left of a value in an element of binary data.
    pub(crate) fn stored_in_memory(&self, object: ObjectId, value: &Datum) -> Datum {
        let class = match self.birth(object).map(|birth| birth.event) {
            Some(Event::Record(Record::Look { name: Some(name), .. })) => self.thread.string(name),
            _ => None,
        };
        self.language().stored_in_memory(class.as_deref(), value)
    }

    pub(crate) fn leave_out_shared(&self, contents: &mut Contents) {
        if !self.shares_memory(contents.object) {
            return;
        }
        contents.is_complete = false;
        let elements = contents.properties.iter_mut().filter(|(key, _)| self.is_element(key));
        elements.for_each(|(_, slot)| slot.value = Datum::NotCaptured);
    }

    fn is_memory(&self, object: ObjectId) -> bool {
        self.traits_at_birth(object).is_some_and(|traits| traits.is_memory)
    }

    /// Whether the code mentions anything that shows memory a second time, or that writes it without an event.
    fn writes_memory(&self) -> bool {
        *self.writes_memory.get_or_init(|| {
            let units = self.thread.code().units().iter();
            let mut sources = units.filter_map(|unit| unit.code().ok()?.source().ok());
            sources.any(|source| self.language().may_write_memory(source))
        })
    }
}
