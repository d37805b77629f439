//! Variables that no source declares. They are properties of the global object too, and can be written both ways.

use trace_model::{EventId, LocalSite, Node, ObjectId, Owner, SiteId, SiteKind, VariableRef};
use trace_store::{PropertyKey, Step, Target};

use crate::change::{KeyChange, Seen};
use crate::last_change::{LookOf, look_of};
use crate::objects::stepped;
use crate::unrecorded::UNRECORDED;
use crate::{Datum, Trace, VariableState};

impl Trace<'_> {
    pub fn global(&self, name: &str, before: EventId) -> VariableState {
        let sites = self.global_writes(name);
        if self.may_be_evaluated(&PropertyKey::Name(name.into()), before) {
            return VariableState::NotCaptured(UNRECORDED);
        }
        if self.is_global_of_contexts(&sites) {
            return VariableState::NotCaptured(OF_CONTEXTS);
        }
        let assigned = self.last(&Target::Sites(&sites), before);
        let through_object = self.write_through_object(name, before);
        match (assigned, through_object) {
            (Some(step), through) if through.as_ref().is_none_or(|(other, _)| other.id < step.id) => {
                written(self.written_value(&step), step)
            }
            (_, Some((step, ThroughObject::Written(value)))) => written(Some(value), step),
            (_, Some((_, ThroughObject::Deleted))) => VariableState::NotCaptured("it was deleted"),
            (_, Some((_, ThroughObject::Unknown))) => {
                VariableState::NotCaptured("a built-in changed the global object, which is not captured as a whole")
            }
            (_, None) => VariableState::NotCaptured("it is a global that the recorded code did not write"),
        }
    }

    /// Whether there may be a global of this name: the recorded code writes one, or every program has it.
    pub(crate) fn has_global(&self, name: &str) -> bool {
        self.language().is_global(name)
            || !self.global_writes(name).is_empty()
            || self.write_through_object(name, EventId(u64::MAX)).is_some()
            || self.is_named_by_evaluated(name)
    }

    /// The global object, if the recorded code ever wrote to it by its name.
    pub(crate) fn global_object(&self) -> Option<ObjectId> {
        self.remembered_global_object(|| {
            let sites = self.writes_of_global_object();
            let step = self.next(&Target::Sites(&sites), self.thread.first_event())?;
            self.changed_object(&step)
        })
    }

    /// The newest change of a global that was made through the global object.
    fn write_through_object(&self, name: &str, before: EventId) -> Option<(Step, ThroughObject)> {
        let object = self.global_object()?;
        let key = PropertyKey::Name(name.into());
        for step in self.each_before(&Target::Property(object, &key), before) {
            let change = match self.key_change(&step, object, &key) {
                KeyChange::Set(value) => ThroughObject::Written(value),
                KeyChange::Stepped { old, by } => ThroughObject::Written(stepped(&old, by)),
                KeyChange::Removed => ThroughObject::Deleted,
                KeyChange::Seen(Seen::Cut) if matches!(look_of(self, &step, object), LookOf::BuiltIn(_)) => {
                    ThroughObject::Unknown
                }
                _ => continue,
            };
            return Some((step, change));
        }
        None
    }

    /// All sites that write to the global object, ascending.
    fn writes_of_global_object(&self) -> Vec<SiteId> {
        let names = self.language().names_of_global_object();
        let mut sites = Vec::new();
        for unit in self.thread.code().units() {
            let source = unit.code().ok().and_then(|code| code.source().ok());
            if !source.is_some_and(|source| names.iter().any(|name| source.contains(name))) {
                continue;
            }
            let Some(code) = self.code(unit.record.base) else { continue };
            let is_named = |node: &Node| match node {
                Node::Variable(VariableRef::Global(name)) => names.contains(&name.as_str()),
                _ => false,
            };
            for (number, facts) in (0..).zip(&code.facts.sites) {
                let target = facts.target.map(|target| &code.expression(target).node);
                if let Some(Node::Member { object, .. }) = target
                    && is_named(&code.expression(*object).node)
                {
                    sites.push(unit.site(LocalSite(number)));
                }
            }
        }
        sites.sort_unstable();
        sites
    }

    /// All sites that write a global of this name.
    pub fn global_writes(&self, name: &str) -> Vec<SiteId> {
        let mut sites = Vec::new();
        for unit in self.thread.code().units() {
            let Ok(code) = unit.code() else { continue };
            let Some(wanted) = code.sites.names.iter().position(|known| known == name) else { continue };
            for (number, site) in code.sites.sites.iter().enumerate() {
                let is_global = match site.variable {
                    Some(variable) => code.sites.variable(variable).owner == Owner::Global,
                    None => matches!(site.kind, SiteKind::Var | SiteKind::VarIncrement | SiteKind::VarDecrement),
                };
                if is_global && site.names.first().is_some_and(|name| name.0 as usize == wanted) {
                    sites.push(unit.site(LocalSite(number as u32)));
                }
            }
        }
        sites.sort_unstable();
        sites
    }
}

const OF_CONTEXTS: &str =
    "code in several contexts has globals of its own, and which of them were written is not recorded";

enum ThroughObject {
    Written(Datum),
    Deleted,
    /// What a built-in made of it was not recorded.
    Unknown,
}

fn written(value: Option<Datum>, since: Step) -> VariableState {
    match value {
        Some(value) => VariableState::Written { value, since },
        None => VariableState::NotCaptured("the value was not recorded"),
    }
}
