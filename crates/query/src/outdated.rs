//! What code that is not recorded may have changed unseen. Such code tells nothing of its writes: what is known of objects that
//! it keeps (an emitter, a socket, and what these hold) is how they looked when the recorded code met them.

use trace_model::{Event, EventId, ObjectClass, ObjectId, Record, SiteKind};
use trace_store::{PropertyKey, Step, Target};

use crate::last_change::{LookOf, is_look, look_of};
use crate::{Contents, Datum, Property, Prototype, Trace};

impl Trace<'_> {
    /// Whether what a look showed of an object may no longer be so: code that is not recorded keeps the object, and the program
    /// has called something since.
    pub fn may_be_outdated(&self, object: ObjectId, look: &Step, before: EventId) -> bool {
        is_look(look)
            && matches!(look_of(self, look, object), LookOf::Foreign)
            && self.is_kept_by_foreign_code(look, MOST_HOLDERS)
            && self.calls_between(look.id, before)
    }

    /// What a look showed and may no longer be so is not known. (A sparse run shows little of an object anyhow.)
    pub(crate) fn leave_out_outdated(&self, contents: &mut Contents, before: EventId) {
        if self.is_sparse() {
            return;
        }
        let mut known: Option<(EventId, bool)> = None;
        for (_, slot) in &mut contents.properties {
            let is_outdated = match known {
                Some((since, is_outdated)) if since == slot.since => is_outdated,
                _ => self
                    .thread
                    .step(slot.since)
                    .is_some_and(|look| self.may_be_outdated(contents.object, &look, before)),
            };
            known = Some((slot.since, is_outdated));
            if is_outdated {
                slot.value = Datum::NotCaptured;
                contents.is_complete = false;
            }
        }
    }

    /// An instance of a class that is not recorded, or what one held when it was looked at.
    fn is_kept_by_foreign_code(&self, look: &Step, depth: usize) -> bool {
        let Event::Record(Record::Look { object, class, .. }) = &look.event else { return false };
        match class {
            ObjectClass::Instance => self.is_of_foreign_class(*object, look.id),
            ObjectClass::Plain | ObjectClass::Array if depth > 0 => {
                let holder = self.last(&Target::Mentions(*object), look.id);
                holder.is_some_and(|holder| self.is_kept_by_foreign_code(&holder, depth - 1))
            }
            _ => false,
        }
    }

    fn is_of_foreign_class(&self, object: ObjectId, look: EventId) -> bool {
        // Whose class it is, is known from where the class was made, whatever its name.
        self.rests_on_everything("whether code that is not recorded keeps the object is not known");
        let before = EventId(look.0 + 1);
        let Some(constructor) = self.language().constructor_key() else { return false };
        let constructor = PropertyKey::Name(constructor.into());
        let mut at = object;
        for _ in 0..MOST_PROTOTYPES {
            let Prototype::Object(prototype) = self.prototype(at, before) else { return false };
            at = prototype;
            // A prototype is looked at behind the first of its instances. `Object.prototype`, which every object has, comes last.
            if self.prototype(at, EventId(u64::MAX)) == Prototype::None {
                return false;
            }
            let is_recorded = match self.own_property(at, &constructor, EventId(u64::MAX)) {
                Property::Own { value: Datum::Object(constructor), .. } => {
                    self.first_seen(constructor).is_some_and(|seen| seen.site().is_some())
                }
                Property::Absent { .. } => true,
                // Of arrays and functions a look does not tell it; what was never looked at is not the program's.
                _ => self.birth(at).is_some(),
            };
            if !is_recorded {
                return true;
            }
        }
        false
    }

    pub(crate) fn calls_between(&self, after: EventId, before: EventId) -> bool {
        self.rests_on_everything("what was called meanwhile is not recorded");
        let mut steps = self.thread.steps_from(EventId(after.0 + 1)).take_while(|step| step.id < before);
        steps.any(|step| self.kind(&step) == Some(SiteKind::Call) || step.frame.is_none())
    }
}

const MOST_PROTOTYPES: usize = 100;
const MOST_HOLDERS: usize = 4;
