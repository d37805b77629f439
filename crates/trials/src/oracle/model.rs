//! The one pass over all events.

use std::collections::HashMap;

use query::Datum;
use trace_model::{
    BuiltinOp, Event, EventId, FrameId, ObjectClass, ObjectId, Owner, Record, Site, SiteId, SiteKind, TailValues,
    Value, VariableIndex, VariableKind,
};
use trace_store::{PropertyKey, SiteRef, Thread, VariablePlace};

use super::frames::Frames;
use super::objects::{Entry, How, Moment, Object, Proto, last, length_key};
use super::values::{Texts, after_step, property_key};

pub struct Model<'a> {
    pub thread: &'a Thread,
    pub frames: Frames,
    pub variables: HashMap<(SiteId, VariableIndex, Option<FrameId>), Vec<Entry>>,
    pub objects: HashMap<ObjectId, Object>,
    /// For each event its frame and the stack it was on.
    pub moments: Vec<At>,
    texts: Texts,
    /// The literal or built-in whose look is to follow.
    awaiting: Option<(ObjectId, EventId, How)>,
    /// The object that the newest event of a site gave: a class, if the look at its prototype follows.
    given: Option<(ObjectId, EventId)>,
    last_look: Option<(ObjectId, EventId)>,
    /// The looks since the newest event of a site.
    looks: Vec<(ObjectId, EventId)>,
    /// Writes of objects that the recorder could not name, with their keys where these are known.
    homeless: Vec<(EventId, Option<PropertyKey>)>,
}

#[derive(Clone)]
pub struct At {
    pub site: Option<SiteId>,
    pub frame: Option<FrameId>,
    pub stack: Vec<FrameId>,
    pub value: Option<Datum>,
}

impl<'a> Model<'a> {
    pub fn of(thread: &'a Thread) -> Model<'a> {
        let mut model = Model {
            thread,
            frames: Frames::default(),
            variables: HashMap::new(),
            objects: HashMap::new(),
            moments: Vec::new(),
            texts: Texts::default(),
            awaiting: None,
            given: None,
            last_look: None,
            looks: Vec::new(),
            homeless: Vec::new(),
        };
        for (id, event) in thread.events() {
            model.pass(id, &event);
        }
        model
    }

    /// The newest change of a variable before an event.
    pub fn variable(&self, place: &VariablePlace, before: EventId) -> Option<&Entry> {
        last(self.variables.get(&(place.unit, place.variable, place.owner))?, before)
    }

    fn pass(&mut self, id: EventId, event: &Event) {
        let (frame, site, value) = match event {
            Event::Record(record) => {
                let frame = self.frames.pass_record();
                self.record(id, record);
                (frame, None, None)
            }
            Event::Site { site, value, tail } => {
                let Some(known) = self.thread.site(*site) else { return };
                let frame = match tail {
                    TailValues::ParentScope(frame) => *frame,
                    TailValues::Frame(frame) => Some(*frame),
                    _ => None,
                };
                let frame = self.frames.pass_site(id, &known, frame);
                self.awaiting = None;
                let value = value.map(|value| (value, self.texts.datum(value, self.thread)));
                self.given = value.as_ref().and_then(|(_, datum)| Some((datum.object()?, id)));
                self.rest_birth(&known);
                self.looks.clear();
                self.variable_event(id, &known, frame, value.as_ref().map(|(_, datum)| datum));
                self.object_event(id, &known, value.clone(), tail);
                (frame, Some(*site), value.map(|(_, datum)| datum))
            }
        };
        self.moments.push(At { site, frame, stack: self.frames.stack().to_vec(), value });
    }

    /// Whether some object was written under a key between two events.
    pub fn is_lost(&self, key: &PropertyKey, after: EventId, before: EventId) -> bool {
        let is_it = |(at, of): &(EventId, Option<PropertyKey>)| {
            after < *at && *at < before && of.as_ref().is_none_or(|written| written == key)
        };
        self.homeless.iter().any(is_it)
    }

    pub fn has_lost(&self, before: EventId) -> bool {
        self.homeless.iter().any(|(at, _)| *at < before)
    }

    fn variable_event(&mut self, id: EventId, site: &SiteRef, frame: Option<FrameId>, value: Option<&Datum>) {
        let Some(variable) = site.site.variable else { return };
        let unit = site.unit.record.base;
        let owner = match site.code.sites.variable(variable).owner {
            Owner::Global => None,
            owner => match frame.and_then(|frame| self.frames.owner(self.thread, frame, id, unit, owner)) {
                Some(instance) => Some(instance),
                None => return,
            },
        };
        let value = value.cloned().unwrap_or(Datum::NotCaptured);
        let new = Some(match site.site.kind {
            SiteKind::VarIncrement => after_step(&value, 1),
            SiteKind::VarDecrement => after_step(&value, -1),
            _ => value,
        });
        if site.site.kind == SiteKind::Carry
            && let Some(carried) = self.carried(id, site, frame, owner)
        {
            self.variables.entry((unit, variable, owner)).or_default().push(carried);
            return;
        }
        let declared = site.code.sites.variable(variable);
        let is_of_block = matches!(declared.kind, VariableKind::Let | VariableKind::Const);
        let (inner, outer) = (declared.span, site.site.span);
        let how = match is_of_block && outer.start <= inner.start && inner.end <= outer.end {
            true => How::Begin,
            false => How::Write,
        };
        let entry = Entry { event: id, shown: id, how, new };
        self.variables.entry((unit, variable, owner)).or_default().push(entry);
    }

    /// What a variable was in the instance before: carrying it into the next is no change.
    fn carried(&self, id: EventId, site: &SiteRef, frame: Option<FrameId>, now: Option<FrameId>) -> Option<Entry> {
        let (unit, variable) = (site.unit.record.base, site.site.variable?);
        let owner = site.code.sites.variable(variable).owner;
        let entered = self.frames.entered(now?)?;
        let before = self.frames.owner(self.thread, frame?, entered.min(id), unit, owner)?;
        last(self.variables.get(&(unit, variable, Some(before)))?, id).cloned()
    }

    fn object_event(&mut self, id: EventId, site: &SiteRef, value: Option<(Value, Datum)>, tail: &TailValues) {
        let birth = Moment { event: id, shown: id, how: How::Birth };
        if let Some((Value::NewObject { id: object, prototype }, _)) = value {
            let prototype = prototype.map_or(Proto::Unknown, Proto::Object);
            self.objects.entry(object).or_default().begin(birth, ObjectClass::Instance, prototype);
        }
        let key_of_site = || site.site.names.first().map(|name| PropertyKey::Name(site.name(*name).into()));
        let datum = value.as_ref().map_or(Datum::NotCaptured, |(_, datum)| datum.clone());
        let is_read_again = site.site.extra == Site::READ_AGAIN;
        match tail {
            TailValues::Object(None) if is_read_again => self.homeless.push((id, key_of_site())),
            TailValues::ObjectAndKey(None, key) if is_read_again => {
                let key = property_key(&self.texts.datum(*key, self.thread));
                self.homeless.push((id, key));
            }
            TailValues::Object(Some(object)) => self.written(id, site.site.kind, *object, key_of_site(), datum),
            TailValues::ObjectAndKey(Some(object), key) => {
                let key = property_key(&self.texts.datum(*key, self.thread));
                self.written(id, site.site.kind, *object, key, datum);
            }
            TailValues::Values(values) => {
                let Datum::Object(object) = datum else { return };
                let values: Vec<Datum> = values.iter().map(|value| self.texts.datum(*value, self.thread)).collect();
                let born = self.objects.entry(object).or_default();
                if site.site.kind == SiteKind::ObjectLiteral {
                    born.begin(birth, ObjectClass::Plain, Proto::BuiltIn);
                    for (name, value) in site.site.names.iter().zip(values) {
                        born.set(birth, PropertyKey::Name(site.name(*name).into()), value);
                    }
                } else {
                    born.begin(birth, ObjectClass::Array, Proto::BuiltIn);
                    born.set(birth, length_key(), Datum::Number(values.len() as f64));
                    for (index, value) in values.into_iter().enumerate() {
                        born.set(birth, PropertyKey::Name(index.to_string()), value);
                    }
                }
            }
            _ => match (site.site.kind, datum) {
                (SiteKind::Literal | SiteKind::Arguments, Datum::Object(object)) => {
                    self.awaiting = Some((object, id, How::Birth));
                }
                (SiteKind::FunctionBirth | SiteKind::ClassBirth, Datum::Object(object)) => {
                    let function = self.objects.entry(object).or_default();
                    function.born.get_or_insert(id);
                    function.class.get_or_insert(ObjectClass::Function);
                }
                _ => {}
            },
        }
    }

    fn written(&mut self, id: EventId, kind: SiteKind, object: ObjectId, key: Option<PropertyKey>, value: Datum) {
        let Some(key) = key else { return };
        let is_taken = self.is_taken_elsewhere(object, &key, id);
        let moment = Moment::write(id);
        let object = self.objects.entry(object).or_default();
        match kind {
            SiteKind::Field => object.set(moment, key, value),
            SiteKind::Delete | SiteKind::DeleteComputed if value == Datum::Bool(true) => object.remove(moment, &key),
            SiteKind::Delete | SiteKind::DeleteComputed => {}
            _ if is_taken => {}
            SiteKind::Put if key == PropertyKey::Name("__proto__".into()) => {}
            SiteKind::Put | SiteKind::PutComputed => object.put(moment, key, value),
            SiteKind::PutIncrement | SiteKind::PutComputedIncrement => object.put(moment, key, after_step(&value, 1)),
            SiteKind::PutDecrement | SiteKind::PutComputedDecrement => object.put(moment, key, after_step(&value, -1)),
            _ => {}
        }
    }

    /// Whether a setter takes what is written, or a frozen prototype that has the key forbids it.
    fn is_taken_elsewhere(&self, object: ObjectId, key: &PropertyKey, now: EventId) -> bool {
        let mut at = object;
        for _ in 0..50 {
            let Some(known) = self.objects.get(&at) else { return false };
            match known.now(key) {
                Some(Datum::Accessor) => return true,
                Some(_) => return at != object && known.is_frozen(),
                None => {}
            }
            let Proto::Object(prototype) = known.prototype(now) else { return false };
            at = prototype;
        }
        false
    }

    /// Right behind the event that gives a class come the look at its prototype and the definition of `prototype`: what the
    /// look shows was born with the class.
    fn class_birth(&mut self, class: ObjectId, op: BuiltinOp, key: Option<&PropertyKey>, value: Option<&Datum>) {
        let is_definition = op == BuiltinOp::DefineProperty && key == Some(&PropertyKey::Name("prototype".into()));
        let (Some((given, born)), Some((seen, look))) = (self.given, self.last_look) else { return };
        if is_definition && given == class && value == Some(&Datum::Object(seen)) && look > born {
            self.objects.entry(seen).or_default().was_born(look, born);
        }
    }

    /// What `...name` takes is made for it, and looked at right before.
    fn rest_birth(&mut self, site: &SiteRef) {
        let Some((given, born)) = self.given else { return };
        let source = site.code.source().ok();
        let text_before = source.and_then(|source| source.get(..site.site.span.start as usize)).unwrap_or_default();
        let is_write =
            matches!(site.site.kind, SiteKind::Var | SiteKind::Param | SiteKind::Put | SiteKind::PutComputed);
        let seen = self.looks.iter().find(|(seen, _)| *seen == given);
        if let (Some((_, look)), true) = (seen, is_write && text_before.trim_end().ends_with("...")) {
            self.objects.entry(given).or_default().was_born(*look, born);
        }
    }

    fn record(&mut self, id: EventId, record: &Record) {
        match record {
            Record::String(string, text) => self.texts.add_string(*string, text),
            Record::Symbol(symbol, description) => self.texts.add_symbol(*symbol, *description),
            Record::Look { object, class, prototype, name, size, entries, .. } => {
                let moment = match self.awaiting {
                    Some((awaited, event, how)) if awaited == *object => Moment { event, shown: id, how },
                    _ => Moment { event: id, shown: id, how: How::Foreign },
                };
                let is_built_in = *class == ObjectClass::Plain || *class == ObjectClass::Array && name.is_none();
                let prototype = match prototype {
                    None if *class == ObjectClass::Plain => Proto::Null,
                    None => Proto::Unknown,
                    Some(_) if is_built_in => Proto::BuiltIn,
                    Some(prototype) => Proto::Object(*prototype),
                };
                let datum = |value: &Value| self.texts.datum(*value, self.thread);
                let entries: Vec<(Datum, Datum)> =
                    entries.iter().map(|(key, value)| (datum(key), datum(value))).collect();
                self.last_look = Some((*object, id));
                self.looks.push((*object, id));
                let seen = self.objects.entry(*object).or_default();
                if class.has_entries() {
                    seen.look(moment, *class, prototype, Vec::new(), 0);
                    seen.look_entries(moment, entries);
                } else {
                    let keyed = entries.into_iter().filter(|(key, _)| *key != Datum::Undefined);
                    let keyed = keyed.filter_map(|(key, value)| Some((property_key(&key)?, value))).collect();
                    seen.look(moment, *class, prototype, keyed, *size);
                }
            }
            Record::Effect { object, op, values } => {
                if *op == BuiltinOp::Refill {
                    self.awaiting = Some((*object, id, How::Write));
                    return;
                }
                let values: Vec<Datum> = values.iter().map(|value| self.texts.datum(*value, self.thread)).collect();
                let key = values.first().and_then(property_key);
                self.class_birth(*object, *op, key.as_ref(), values.get(1));
                self.objects.entry(*object).or_default().effect(Moment::write(id), *op, &values, key);
                self.awaiting = None;
            }
            Record::Output { .. }
            | Record::Uncaught { .. }
            | Record::Message { .. }
            | Record::ThreadEnd { .. }
            | Record::Time { .. }
            | Record::Gap { .. } => {
                self.awaiting = None;
            }
        }
    }
}
