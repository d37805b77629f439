//! Which of the writes that the source has could have been those of one object: a class of the program may have a property of the
//! same name.

use trace_model::{EventId, Node, ObjectId, Prototype, SiteId, SiteKind};
use trace_store::{PropertyKey, Target};

use crate::Trace;

impl Trace<'_> {
    /// Whether a write of a property may be one of an object. One that was executed, and each time wrote objects of another kind, is
    /// not, and neither is one of the receiver in another class.
    pub fn may_write(&self, site: SiteId, object: ObjectId, before: EventId) -> bool {
        let mut is_executed = false;
        for step in self.each_before(&Target::Sites(&[site]), self.thread.end()).take(MOST_EXECUTIONS) {
            is_executed = true;
            match self.changed_object(&step) {
                Some(written) if written != object && !self.are_alike(written, object, before) => {}
                _ => return true,
            }
        }
        !is_executed && !self.is_of_other_class(site, object, before)
    }

    /// Whether two objects were made at the same place, or are of one class.
    fn are_alike(&self, one: ObjectId, other: ObjectId, before: EventId) -> bool {
        let place = |object: ObjectId| self.birth(object).and_then(|birth| birth.site());
        let class = |object: ObjectId| match self.prototype(object, before) {
            Prototype::Object(prototype) => Some(prototype),
            _ => None,
        };
        place(one).is_some() && place(one) == place(other) || class(one).is_some() && class(one) == class(other)
    }

    /// Whether a write of the receiver stands in a class that the constructor of an object is not in.
    fn is_of_other_class(&self, site: SiteId, object: ObjectId, before: EventId) -> bool {
        let Some(code) = self.code(site) else { return false };
        let target = code.site_facts(site).target.map(|target| &code.expression(target).node);
        let Some(Node::Member { object: receiver, .. }) = target else { return false };
        if code.expression(*receiver).node != Node::This {
            return false;
        }
        let Some(site) = self.site(site) else { return false };
        let Ok(file) = code.unit.code() else { return false };
        let holds = |class: &&trace_model::Site| {
            class.kind == SiteKind::Class
                && class.span.start <= site.site.span.start
                && site.site.span.end <= class.span.end
        };
        let around = file.sites.sites.iter().filter(holds).min_by_key(|class| class.span.end - class.span.start);
        let Some(class) = around else { return false };
        let Some(constructor) = self.language().constructor_key() else { return false };
        let constructor = PropertyKey::Name(constructor.into());
        // A class that extends it has its properties, too.
        let mut holder = object;
        for _ in 0..MOST_CLASSES {
            holder = match self.prototype(holder, before) {
                Prototype::Object(prototype) => prototype,
                Prototype::Unknown => return false,
                Prototype::None | Prototype::BuiltIn => return true,
            };
            let made_by = self.own_property(holder, &constructor, before).value().object();
            let born = made_by.and_then(|made_by| self.site(self.birth(made_by)?.site()?));
            let Some(born) = born else { return false };
            let is_of_file = born.unit.record.base == code.base();
            if is_of_file && class.span.start <= born.site.span.start && born.site.span.end <= class.span.end {
                return false;
            }
        }
        true
    }
}

const MOST_EXECUTIONS: usize = 64;
const MOST_CLASSES: usize = 32;
