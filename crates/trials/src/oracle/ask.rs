//! Random questions of a recording, answered by the query engine and by the oracle.

use std::path::Path;

use query::{Datum, Place, Scene, Trace, VariableState, history, last_change};
use trace_model::{EventId, ObjectClass, ObjectId, SiteId, SiteKind};
use trace_store::{PropertyKey, Run, Step, VariablePlace};

use super::answers::{Answer, changed, of_query};
use super::model::Model;
use super::objects::length_key;
use super::values::{array_index, same_if_any};
use super::{Tally, clauses, contents, dump, probes};
use crate::random::Random;

/// Asks about a folder that tests/oracle/run.mjs made: the recording `run`, and `dump.txt`. `n_explanations`: of each program.
pub fn check(folder: &Path, n_explanations: usize, tally: &mut Tally) -> Result<(), String> {
    let run = Run::open(&folder.join("run")).map_err(|error| error.to_string())?;
    let thread = run.threads().first().ok_or("nothing was recorded")?;
    let trace = Trace::new(thread, &javascript::JavaScript, &query::Coverage::of(&trace_model::Policy::full()).into());
    let model = Model::of(thread);
    let mut asking = Asking { trace: &trace, model: &model, tally, random: Random::new(1), unit: unit(&trace)? };
    let programs = asking.programs();
    for program in &programs {
        asking.ask_of_program(program);
    }
    clauses::check(&trace, &model, &programs, n_explanations, tally);
    let said = dump::read(&folder.join("dump.txt")).map_err(|error| error.to_string())?;
    probes::check(&trace, &model, &said, tally)
}

const MOMENTS: usize = 12;
const PLACES: usize = 4;
const OBJECTS: usize = 4;

struct Asking<'a> {
    trace: &'a Trace<'a>,
    model: &'a Model<'a>,
    tally: &'a mut Tally,
    random: Random,
    /// The code of the programs.
    unit: SiteId,
}

impl Asking<'_> {
    /// For each program the events of its code.
    fn programs(&self) -> Vec<Vec<EventId>> {
        let mut programs: Vec<Vec<EventId>> = Vec::new();
        for (number, at) in self.model.moments.iter().enumerate() {
            let Some(site) = at.site.and_then(|site| self.trace.site(site)) else { continue };
            if site.unit.record.base != self.unit {
                continue;
            }
            let is_program = site.site.kind == SiteKind::Enter && at.stack.len() <= 3 && {
                let name = site.name(site.function().name);
                name.strip_prefix('p').is_some_and(|seed| seed.parse::<u64>().is_ok())
            };
            if is_program {
                programs.push(Vec::new());
            }
            if let (Some(program), Some(_)) = (programs.last_mut(), at.frame) {
                program.push(EventId(number as u64));
            }
        }
        programs
    }

    fn ask_of_program(&mut self, events: &[EventId]) {
        for _ in 0..MOMENTS {
            let Some(id) = self.random.pick(events).copied() else { return };
            let Some(step) = self.trace.thread.step(id) else {
                self.tally.add("event", Some(("not found".into(), format!("@{}", id.0))));
                continue;
            };
            let objects = self.ask_of_moment(&step);
            let has_entries =
                |object: &&ObjectId| self.model.objects.get(object).is_some_and(|known| !known.entries.is_empty());
            let collections: Vec<ObjectId> = objects.iter().filter(has_entries).copied().collect();
            for number in 0..OBJECTS {
                let from = if number == 0 && !collections.is_empty() { &collections } else { &objects };
                let Some(object) = self.random.pick(from).copied() else { break };
                self.ask_of_object(object, id);
            }
        }
    }

    /// Stack and variables. Gives the objects that are in reach.
    fn ask_of_moment(&mut self, step: &Step) -> Vec<ObjectId> {
        let id = step.id;
        let at = &self.model.moments[id.0 as usize];
        let wrong =
            (step.frame != at.frame).then(|| format!("@{}: query {:?}, oracle {:?}", id.0, step.frame, at.frame));
        self.tally.add("state: frame of an event", wrong.map(|details| ("another frame".into(), details)));
        let stack = self.trace.thread.stack(id);
        let wrong = (stack != at.stack).then(|| format!("@{}: query {stack:?}, oracle {:?}", id.0, at.stack));
        self.tally.add("state: stack", wrong.map(|details| ("another stack".into(), details)));
        let Some(scene) = self.trace.scene(step) else { return Vec::new() };
        let mut places = Vec::new();
        for variable in self.trace.names_in_scope(scene) {
            places.extend(self.ask_of_variable(scene, variable));
        }
        let mut objects: Vec<ObjectId> = Vec::new();
        for place in &places {
            let Some(entry) = self.model.variable(place, id) else { continue };
            objects.extend(entry.new.as_ref().and_then(Datum::object));
        }
        for object in objects.clone() {
            let Some(known) = self.model.objects.get(&object) else { continue };
            objects.extend(known.held(id).values().filter_map(Datum::object));
        }
        for _ in 0..PLACES {
            let Some(place) = self.random.pick(&places).copied() else { break };
            let name =
                self.trace.code(place.unit).map_or(String::new(), |code| code.variable_name(place.variable).into());
            self.ask_of_place(Kind::Variable, &Place::Variable { place, name }, id);
        }
        objects
    }

    fn ask_of_variable(&mut self, scene: Scene, variable: trace_model::VariableIndex) -> Option<VariablePlace> {
        let id = scene.before;
        let code = self.trace.thread.code().unit(scene.unit)?.code().ok()?;
        let declared = code.sites.variable(variable);
        let place = self.trace.variable_place(scene, variable);
        let owner = match declared.owner {
            trace_model::Owner::Global => None,
            owner => self.model.frames.owner(self.trace.thread, scene.frame?, id, scene.unit, owner),
        };
        let name = code.sites.name(declared.name);
        let found = place.and_then(|place| place.owner);
        let wrong = (found != owner).then(|| {
            let what = if found.is_none() { "no instance" } else { "another instance" };
            (what.into(), format!("@{} {name}: query {found:?}, oracle {owner:?}, {:?}", id.0, declared.owner))
        });
        let is_wrong = wrong.is_some();
        self.tally.add("state: scope instance of a variable", wrong);
        let place = place.filter(|_| !is_wrong)?;
        let state = self.trace.variable(&place, id);
        let known = self.model.variable(&place, id);
        let is_same = match (&state, known) {
            (VariableState::Written { value, since }, Some(entry)) => {
                since.id == entry.event && same_if_any(&Some(value.clone()), &entry.new)
            }
            (VariableState::Written { .. }, None) => false,
            (VariableState::NotCaptured(_), Some(entry)) => entry.new == Some(Datum::NotCaptured),
            (_, Some(_)) => false,
            (_, None) => true,
        };
        let wrong = (!is_same)
            .then(|| ("another value".into(), format!("@{} {name}: query {state:?}, oracle {known:?}", id.0)));
        self.tally.add("state: variable", wrong);
        Some(place)
    }

    fn ask_of_object(&mut self, object: ObjectId, before: EventId) {
        let Some(known) = self.model.objects.get(&object) else { return };
        let contents = self.trace.contents(object, before);
        let wrong = contents::difference(contents.as_ref(), known, self.model, before);
        let class = known.class.map_or("?".into(), |class| format!("{class:?}"));
        let wrong = wrong
            .map(|(kind, details)| (format!("{kind} of {class}"), format!("@{} #{}: {details}", before.0, object.0)));
        self.tally.add("state: contents of an object", wrong);
        let mut keys: Vec<PropertyKey> = known.properties.keys().cloned().collect();
        keys.sort();
        // Most objects never had the first, and some have the others from a prototype.
        keys.extend(["zz", "a", "0"].map(|name| PropertyKey::Name(name.into())));
        for _ in 0..PLACES {
            let Some(key) = self.random.pick(&keys).cloned() else { break };
            let kind = match known.class {
                Some(ObjectClass::Array) if key == length_key() => Kind::Length,
                Some(ObjectClass::Array) if array_index(&key).is_some() => Kind::Element,
                _ => Kind::Property,
            };
            self.ask_of_place(kind, &Place::Property { object, key }, before);
        }
        if let Some((key, _)) = self.random.pick(&known.entries) {
            self.ask_of_place(Kind::Entry, &Place::Entry { object, key: key.clone() }, before);
        }
    }

    fn ask_of_place(&mut self, kind: Kind, place: &Place, before: EventId) {
        let answer = of_query(&last_change(self.trace, place, before));
        let known = self.model.last_change(place, before);
        let wrong = answer.difference(&known).map(|what| {
            let kind = if what.contains("event") { format!("{what}{}", self.event_words(&known)) } else { what };
            (kind, format!("@{} {}: query {answer:?}, oracle {known:?}", before.0, place.text()))
        });
        let is_wrong = wrong.is_some();
        self.tally.add(kind.last_change(), wrong);
        if is_wrong {
            return;
        }
        let changes: Vec<_> = history(self.trace, place, before).iter().map(changed).collect();
        let known = self.model.history(place, before);
        let differing = changes.iter().zip(&known).find_map(|(a, b)| a.difference(b));
        let wrong = match differing {
            _ if changes.len() != known.len() => {
                Some(format!("{} changes", if changes.len() < known.len() { "fewer" } else { "more" }))
            }
            Some(what) => Some(format!("another {what}")),
            None => None,
        };
        let details = || format!("@{} {}: query {changes:?}, oracle {known:?}", before.0, place.text());
        self.tally.add(kind.history(), wrong.map(|what| (what, details())));
    }

    /// What the oracle's event is.
    fn event_words(&self, answer: &Answer) -> String {
        let Some(step) = answer.change.as_ref().and_then(|change| self.trace.thread.step(change.event)) else {
            return String::new();
        };
        match (&step.event, self.trace.kind(&step)) {
            (_, Some(kind)) => format!(" ({})", kind.name()),
            (trace_model::Event::Record(trace_model::Record::Effect { op, .. }), _) => format!(" ({op:?})"),
            _ => String::new(),
        }
    }
}

/// Kinds of place, as they are counted.
#[derive(Clone, Copy)]
enum Kind {
    Variable,
    Property,
    Element,
    Length,
    Entry,
}

impl Kind {
    fn last_change(self) -> &'static str {
        match self {
            Kind::Variable => "last-change of a variable",
            Kind::Property => "last-change of a property",
            Kind::Element => "last-change of an element",
            Kind::Length => "last-change of the length of an array",
            Kind::Entry => "last-change of a Map or Set entry",
        }
    }

    fn history(self) -> &'static str {
        match self {
            Kind::Variable => "history of a variable",
            Kind::Property => "history of a property",
            Kind::Element => "history of an element",
            Kind::Length => "history of the length of an array",
            Kind::Entry => "history of a Map or Set entry",
        }
    }
}

fn unit(trace: &Trace) -> Result<SiteId, String> {
    let units = trace.thread.code().units();
    let unit = units.iter().find(|unit| unit.record.path.ends_with("programs.cjs"));
    unit.map(|unit| unit.record.base).ok_or_else(|| "programs.cjs was not recorded".into())
}
