//! Binary data: several objects may show the same memory, and built-ins that are not recorded write it.

use trace_model::{ObjectClass, ObjectId};

use crate::change::is_index;
use crate::{Contents, Datum, Trace};

impl Trace<'_> {
    /// Whether the elements of an object are memory that others may write unseen.
    pub(crate) fn shares_memory(&self, object: ObjectId) -> bool {
        self.class_at_birth(object) == Some(ObjectClass::Binary) && self.writes_memory()
    }

    pub(crate) fn leave_out_shared(&self, contents: &mut Contents) {
        if !self.shares_memory(contents.object) {
            return;
        }
        contents.is_complete = false;
        let elements = contents.properties.iter_mut().filter(|(key, _)| is_index(key));
        elements.for_each(|(_, slot)| slot.value = Datum::NotCaptured);
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
