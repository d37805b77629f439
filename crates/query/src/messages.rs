//! What went from one thread or process to another. Both ends of a channel number what passes, and a channel has the same name at
//! both: so what was received is found where it was sent. Which channels there are is the recorder's business.

use trace_model::{Event, EventId, ExprId, Key, MessageStep, Node, ObjectId, Record, SiteKind, Value};
use trace_store::{FrameInfo, PropertyKey, Step, Target};

use crate::{Code, Datum, LastChange, Place, Property, Trace};

/// What brought a value into a thread.
#[derive(Clone, Debug)]
pub struct Arrival {
    pub step: Step,
    /// Where in the message the value lay; `None`: somewhere.
    pub path: Option<Vec<PropertyKey>>,
}

/// What one end of a channel says of a message, or of some bytes.
#[derive(Clone, Debug)]
pub struct Passed {
    /// The name of the channel.
    pub name: String,
    pub from: u64,
    pub length: u64,
    pub value: Datum,
}

impl Trace<'_> {
    /// The message that a value was part of, or that a text was made of.
    pub fn arrival_of(&self, value: &Datum, before: EventId) -> Option<Arrival> {
        match value {
            Datum::Object(object) => self.arrival_of_object(*object, before),
            Datum::String(text) if !text.is_empty() => {
                let is_it = |step: &Step| match self.step_value(step) {
                    Some(Datum::String(received)) => {
                        *received == **text || received.len() >= LEAST_PART && text.contains(&*received)
                    }
                    _ => false,
                };
                let step = self.received(before).take(MOST_MESSAGES).find(is_it)?;
                Some(Arrival { step, path: Some(Vec::new()) })
            }
            _ => None,
        }
    }

    /// The message that a frame was entered with, which nothing of the program called: what a parameter became is it, or a part of it
    /// that a pattern took.
    pub fn arrival_at(&self, frame: &FrameInfo, entry: &Step) -> Option<Arrival> {
        let value = self.step_value(entry)?;
        self.arrival_of_part(frame, entry, &value)
            .or_else(|| self.arrival_of(&value, frame.entered))
            .or_else(|| self.arrival_just_before(frame.entered, &value))
    }

    /// A message of this value, since which nothing ran that is recorded.
    fn arrival_just_before(&self, entered: EventId, value: &Datum) -> Option<Arrival> {
        let is_it = |step: &Step| self.step_value(step).as_ref() == Some(value);
        let step = self.received_just_before(entered).find(is_it)?;
        Some(Arrival { step, path: Some(Vec::new()) })
    }

    /// Where the program got a message whose contents were looked at as it came: the function that was entered with it.
    pub(crate) fn handed_to(&self, look: &Step) -> Option<Step> {
        if !matches!(look.event, Event::Record(Record::Look { .. })) {
            return None;
        }
        self.received_just_before(look.id).next()?;
        let entered = self.thread.steps_from(look.id).take(MOST_RECORDS).find(|step| step.site().is_some())?;
        (self.kind(&entered) == Some(SiteKind::Enter)).then_some(entered)
    }

    /// The message that an object of the runtime was made for: the function that it was handed to was entered when one had come, and
    /// nothing ran that is recorded in between.
    pub(crate) fn message_for(&self, object: ObjectId) -> Option<Datum> {
        let met = self.first_seen(object)?;
        let entered = self.thread.steps_before(met.id).take(MOST_RECORDS).find(|step| step.site().is_some())?;
        if self.kind(&entered) != Some(SiteKind::Enter) {
            return None;
        }
        let message = self.received_just_before(entered.id).next()?;
        self.step_value(&message)
    }

    fn received_just_before(&self, entered: EventId) -> impl Iterator<Item = Step> {
        let is_record = |step: &Step| step.site().is_none();
        self.thread.steps_before(entered).take_while(is_record).take(MOST_RECORDS).filter(is_received)
    }

    /// The message of which a pattern in the parameters took a part: `({ sum }) => …`. What hands the message over may hold it in an
    /// object of its own: `({ data: { sum } }) => …`. The value of the part tells which of the two it is.
    fn arrival_of_part(&self, frame: &FrameInfo, entry: &Step, value: &Datum) -> Option<Arrival> {
        let code = self.code(entry.site()?)?;
        let path = self.path_in_parameter(&code, code.site_facts(entry.site()?).value?)?;
        let message = self.received_just_before(frame.entered).next()?;
        let object = self.step_value(&message)?.object()?;
        let is_it = |path: &&[PropertyKey]| self.part(object, path, frame.entered).as_ref() == Some(value);
        let mut found = [&path[..], path.get(1..)?].into_iter().filter(|path| !path.is_empty()).filter(is_it);
        let path = found.next()?.to_vec();
        found.next().is_none().then_some(Arrival { step: message, path: Some(path) })
    }

    /// The keys that lead from a parameter to what a pattern takes of it; `None` if it takes the parameter itself.
    fn path_in_parameter(&self, code: &Code, taken: ExprId) -> Option<Vec<PropertyKey>> {
        let (mut path, mut at) = (Vec::new(), taken);
        loop {
            at = match &code.expression(at).node {
                Node::Parameter { is_rest: false, .. } => break,
                Node::Member { object, key: Key::Name(name), .. } => {
                    path.push(PropertyKey::Name(name.clone()));
                    *object
                }
                Node::Element { of, index: Some(index), is_rest: false, .. } => {
                    path.push(self.element_key(*index));
                    *of
                }
                Node::Default { value, .. } => *value,
                _ => return None,
            };
        }
        path.reverse();
        (!path.is_empty()).then_some(path)
    }

    /// What lies at a place inside an object; nothing where it is missing.
    fn part(&self, object: ObjectId, path: &[PropertyKey], before: EventId) -> Option<Datum> {
        let mut part = Datum::Object(object);
        for key in path {
            part = match self.property(part.object()?, key, before) {
                Property::NotCaptured(_) => return None,
                property => property.value(),
            };
        }
        Some(part)
    }

    /// The message that brought what the newest change of a place put there, or the object that the place is missing in.
    pub fn arrival_of_change(&self, place: &Place, change: &LastChange, before: EventId) -> Option<Arrival> {
        // Most programs get none, and who called whom need not be recorded then.
        self.last(&Target::Message, before)?;
        match (place, change) {
            (Place::Property { object, key }, LastChange::ByForeignCode { change, .. })
                if self.last(&Target::Object(*object), change.step.id).is_none() =>
            {
                self.arrival_of_property(*object, key, before)
            }
            (Place::Property { object, key }, LastChange::NeverWritten { .. }) => {
                self.arrival_of_property(*object, key, before)
            }
            (Place::Variable { .. }, LastChange::Written(change))
                if self.kind(&change.step) == Some(SiteKind::Param) =>
            {
                let frame = self.frame(change.step.frame?)?;
                if self.caller(&frame).is_some() {
                    return None;
                }
                self.arrival_at(&frame, &change.step)
            }
            _ => None,
        }
    }

    fn arrival_of_property(&self, object: ObjectId, key: &PropertyKey, before: EventId) -> Option<Arrival> {
        // `event.data`
        if let Some(held) = self.held_behind(object, key, before) {
            let met = self.first_seen(object)?;
            return self.arrival_of(&held, before).or_else(|| self.arrival_just_before(met.id, &held));
        }
        let mut arrival = self.arrival_of_object(object, before)?;
        if let Some(path) = &mut arrival.path {
            path.push(key.clone());
        }
        Some(arrival)
    }

    /// The message whose contents a look at an object tells, or whose object lacks a property.
    fn arrival_of_object(&self, object: ObjectId, before: EventId) -> Option<Arrival> {
        self.last(&Target::Message, before)?;
        let (mut object, mut path) = (object, Some(Vec::new()));
        for _ in 0..MOST_DEPTH {
            let first = self.next(&Target::Mentions(object), self.thread.first_event())?;
            match &first.event {
                Event::Record(Record::Message { step: MessageStep::Received, .. }) if first.id < before => {
                    if let Some(path) = &mut path {
                        path.reverse();
                    }
                    return Some(Arrival { step: first, path });
                }
                Event::Record(Record::Look { object: holder, entries, .. }) => {
                    let is_it = |(_, value): &&(Value, Value)| value.object() == Some(object);
                    let key = entries.iter().find(is_it).and_then(|(key, _)| self.key(*key));
                    path = path.zip(key).map(|(mut path, key)| {
                        path.push(key);
                        path
                    });
                    object = *holder;
                }
                _ => return None,
            }
        }
        None
    }

    /// What a message says of its channel.
    pub fn passed(&self, step: &Step) -> Option<Passed> {
        let Event::Record(Record::Message { channel, from, length, value, .. }) = &step.event else { return None };
        let mut named = self.messages_from(self.thread.first_event());
        let is_name = |step: &Step| matches!(&step.event, Event::Record(Record::Message { step: MessageStep::Named, channel: own, .. }) if own == channel);
        let Some(Datum::String(name)) = self.step_value(&named.find(is_name)?) else { return None };
        Some(Passed { name: name.to_string(), from: *from, length: u64::from(*length), value: self.datum(*value) })
    }

    /// Where this thread sent what another received: the newest part of it. Of two channels of one name nobody knows which it was.
    pub fn sender_of(&self, received: &Passed) -> Option<Step> {
        let mut named = Vec::new();
        let mut found: Option<(u32, Step)> = None;
        for step in self.messages_from(self.thread.first_event()) {
            let Event::Record(Record::Message { step: kind, channel, value, .. }) = &step.event else { continue };
            if *kind == MessageStep::Named
                && matches!(self.datum(*value), Datum::String(name) if *name == *received.name)
            {
                named.push(*channel);
            }
        }
        for step in self.messages_from(self.thread.first_event()) {
            let Event::Record(Record::Message { step: MessageStep::Sent, channel, from, length, value }) = &step.event
            else {
                continue;
            };
            let is_part = *from < received.from + received.length && received.from < from + u64::from(*length);
            if !is_part || !named.contains(channel) {
                continue;
            }
            let is_other = found.as_ref().is_some_and(|(known, _)| known != channel);
            if is_other || !self.agrees(&self.datum(*value), *from, received) {
                return None;
            }
            found = Some((*channel, step));
        }
        Some(found?.1)
    }

    /// Where this thread printed what another read from its output.
    pub fn printed(&self, fd: u32, received: &Passed) -> Option<Step> {
        let (mut offset, mut from, mut found) = (0, self.thread.first_event(), None);
        while let Some(step) = self.next(&Target::Output, from) {
            from = EventId(step.id.0 + 1);
            let Event::Record(Record::Output { fd: own, bytes, text }) = &step.event else { continue };
            if *own != fd {
                continue;
            }
            let (start, end) = (offset, offset + u64::from(*bytes));
            offset = end;
            if start >= received.from + received.length {
                break;
            }
            if received.from < end {
                let text = text.and_then(|text| self.thread.string(text));
                if !text.is_none_or(|text| self.agrees(&Datum::String(text), start, received)) {
                    return None;
                }
                found = Some(step);
            }
        }
        found
    }

    /// Whether what was sent can be what was received, as far as both are texts: something else may have written to the same pipe.
    fn agrees(&self, sent: &Datum, from: u64, received: &Passed) -> bool {
        let (Datum::String(sent), Datum::String(got)) = (sent, &received.value) else { return true };
        // What is no text has no offsets in it.
        if [sent, got].iter().any(|text| text.contains(char::REPLACEMENT_CHARACTER)) {
            return true;
        }
        let overlap = |text: &str, start: u64| {
            let skipped = from.max(received.from) - start;
            text.as_bytes().get(skipped as usize..).map(<[u8]>::to_vec).unwrap_or_default()
        };
        let (sent, got) = (overlap(sent, from), overlap(got, received.from));
        let n = sent.len().min(got.len());
        sent[..n] == got[..n]
    }

    /// The place in what was sent that became one of what was received.
    pub(crate) fn place_in_message(&self, sent: &Step, path: &[PropertyKey]) -> Option<Place> {
        let (last, around) = path.split_last()?;
        let mut object = self.step_value(sent)?.object()?;
        for key in around {
            object = match self.property(object, key, sent.id) {
                Property::Own { value, .. } | Property::Inherited { value, .. } => value.object()?,
                _ => return None,
            };
        }
        Some(Place::Property { object, key: last.clone() })
    }

    /// What was received before a moment, newest first.
    fn received(&self, before: EventId) -> impl Iterator<Item = Step> {
        let mut at = before;
        std::iter::from_fn(move || {
            let step = self.last(&Target::Message, at)?;
            at = step.id;
            Some(step)
        })
        .filter(is_received)
    }

    fn messages_from(&self, from: EventId) -> impl Iterator<Item = Step> {
        let mut at = from;
        std::iter::from_fn(move || {
            let step = self.next(&Target::Message, at)?;
            at = EventId(step.id.0 + 1);
            Some(step)
        })
    }
}

fn is_received(step: &Step) -> bool {
    matches!(step.event, Event::Record(Record::Message { step: MessageStep::Received, .. }))
}

/// A part of a text that is shorter is part of many texts.
const LEAST_PART: usize = 4;
/// A text is made of what came last.
const MOST_MESSAGES: usize = 256;
const MOST_RECORDS: usize = 1000;
const MOST_DEPTH: usize = 32;
