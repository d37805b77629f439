//! What is written through a proxy reaches its target unseen: the event names the proxy. So of an object that the program gave to a
//! proxy, a key is not known from the moment on at which a proxy was written under it, unless a recorded trap wrote the target then.

use std::collections::HashMap;

use trace_model::{Event, EventId, Node, ObjectId, Record, SiteId};
use trace_store::{PropertyKey, Step, Target};

use crate::evaluate::Evaluation;
use crate::last_change::is_look;
use crate::{Code, Contents, Datum, Property, Trace};

/// The proxies that the recorded code made.
#[derive(Default)]
pub(crate) struct Proxies {
    proxies: Vec<ObjectId>,
    /// Since when an object is the target of a proxy.
    targets: HashMap<ObjectId, EventId>,
    /// There are more than are kept.
    is_cut: bool,
}

impl Trace<'_> {
    /// Whether a property may have been changed through a proxy, since the event that tells of it.
    pub(crate) fn is_written_through_proxy(
        &self,
        object: ObjectId,
        key: &PropertyKey,
        known: &Property,
        before: EventId,
    ) -> bool {
        let Some(made) = self.remembered_proxies(|| self.find_proxies()) else { return false };
        let Some(since) = made.targets.get(&object).filter(|since| **since < before) else { return false };
        let told = known.since().map_or(*since, |step| step.id);
        let is_newer = |proxy: &ObjectId| {
            let write = self.last(&Target::Property(*proxy, key), before).filter(|write| write.id > told);
            write.is_some_and(|write| !is_look(&write) && !self.is_done_by(&write, told))
        };
        // Methods of arrays write what they are called on, a proxy too, and no event tells.
        let may_have_moved = || self.is_array(object) && self.calls_between(told.max(*since), before);
        made.is_cut || made.proxies.iter().any(is_newer) || may_have_moved() || self.is_built_in_lost(told, before)
    }

    /// Whether a built-in that writes what it is given was called between two events and no event tells what it wrote: it was a proxy.
    fn is_built_in_lost(&self, after: EventId, before: EventId) -> bool {
        let mut called = false;
        let steps = self.thread.steps_from(EventId(after.0 + 1)).take_while(|step| step.id < before);
        for (n, step) in steps.enumerate() {
            match &step.event {
                Event::Record(Record::Effect { .. }) => called = false,
                Event::Record(_) => {}
                // What it is given is made in between.
                Event::Site { .. } if called && !self.makes_value(&step) => return true,
                Event::Site { .. } => called |= self.calls_writer(&step),
            }
            if n >= MOST_STEPS_BETWEEN {
                return true;
            }
        }
        called
    }

    fn makes_value(&self, step: &Step) -> bool {
        use trace_model::SiteKind::*;
        matches!(self.kind(step), Some(ObjectLiteral | ArrayLiteral | Literal | FunctionBirth | Argument | Call))
    }

    fn calls_writer(&self, step: &Step) -> bool {
        let site = step.site().and_then(|site| self.site(site));
        let text = site.filter(|site| site.site.kind == trace_model::SiteKind::Call).and_then(|site| site.text());
        text.is_some_and(|text| self.language().writes_argument(text))
    }

    /// Whether a proxy was made of the object at any time, as far as is known yet.
    pub(crate) fn may_be_behind_proxy(&self, object: ObjectId) -> bool {
        let made = self.remembered_proxies(|| self.find_proxies());
        made.is_none_or(|made| made.is_cut || made.targets.contains_key(&object))
    }

    /// What may have been written through a proxy is not known; and there may be more.
    pub(crate) fn leave_out_proxied(&self, contents: &mut Contents, before: EventId) {
        let Some(made) = self.remembered_proxies(|| self.find_proxies()) else { return };
        if made.targets.get(&contents.object).is_none_or(|since| *since >= before) {
            return;
        }
        contents.is_complete = false;
        for (key, slot) in &mut contents.properties {
            let Some(since) = self.thread.step(slot.since) else { continue };
            let known = Property::Own { value: slot.value.clone(), since };
            if self.is_written_through_proxy(contents.object, key, &known, before) {
                slot.value = Datum::NotCaptured;
            }
        }
    }

    /// Whether an event happened while a write was being done: a trap did it.
    fn is_done_by(&self, write: &Step, event: EventId) -> bool {
        let earlier = write.frame.and_then(|frame| self.previous_in_frame(frame, write.id));
        earlier.is_some_and(|earlier| earlier.id < event)
    }

    fn find_proxies(&self) -> Proxies {
        let mut made = Proxies::default();
        let sites = self.sites_that_make_proxies();
        if sites.is_empty() {
            return made;
        }
        let mut from = self.thread.first_event();
        while let Some(step) = self.next(&Target::Sites(&sites), from) {
            from = EventId(step.id.0 + 1);
            self.rests_on_everything("what is written through a proxy reaches any object");
            if made.proxies.len() >= MOST_PROXIES {
                made.is_cut = true;
                break;
            }
            made.proxies.extend(self.proxy_made_by(&step));
            if let Some(Datum::Object(target)) = self.proxied_by(&step) {
                made.targets.entry(target).or_insert(step.id);
            }
        }
        made
    }

    /// The first proxy that was met behind the call.
    fn proxy_made_by(&self, call: &Step) -> Option<ObjectId> {
        let looks = self.thread.steps_from(call.id).take(MOST_STEPS).map(|step| step.event);
        looks.into_iter().find_map(|event| match event {
            Event::Record(Record::Look { object, class, .. }) => self.class_traits(class).passes_on.then_some(object),
            _ => None,
        })
    }

    fn proxied_by(&self, call: &Step) -> Option<Datum> {
        let code = self.code(call.site()?)?;
        let Node::Call(made) = &code.expression(code.site_facts(call.site()?).value?).node else { return None };
        let target = *made.arguments.first()?;
        self.value_in(&code, self.scene(call)?, &Evaluation::default(), target).ok()
    }

    fn sites_that_make_proxies(&self) -> Vec<SiteId> {
        let mut sites = Vec::new();
        for unit in self.thread.code().units() {
            let source = unit.code().ok().and_then(|code| code.source().ok());
            if !source.is_some_and(|source| self.language().may_make_proxies(source)) {
                continue;
            }
            let Some(code) = self.code(unit.record.base) else { continue };
            sites.extend(self.calls_that_make_proxies(&code));
        }
        sites.sort_unstable();
        sites
    }

    fn calls_that_make_proxies(&self, code: &Code) -> Vec<SiteId> {
        let calls = code.facts.expressions.iter().filter_map(|expression| match &expression.node {
            Node::Call(call) if self.language().makes_proxy(code.text(call.callee)) => call.call_site,
            _ => None,
        });
        calls.map(|site| code.global(site)).collect()
    }
}

const MOST_PROXIES: usize = 1000;
/// Further apart, nothing is known.
const MOST_STEPS_BETWEEN: usize = 100_000;
const MOST_STEPS: usize = 1000;
