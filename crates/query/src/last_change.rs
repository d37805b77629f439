//! Where did this value come from: the newest change of a place before a moment, and all of its changes.

use trace_model::{Event, EventId, Node, ObjectId, Record, SiteKind, Value, VariableRef};
use trace_store::{PropertyKey, Step, Target, VariablePlace};

use crate::change::KeyChange;
use crate::replay::ElementChange;
use crate::scene::BEFORE_RECORDING;
use crate::{Datum, Place, Property, Trace, VariableState};

#[derive(Clone, Debug)]
pub enum LastChange {
    /// This event put the value there, or took it away.
    Written(Change),
    /// The object was born with it.
    CreatedWith(Change),
    /// Nothing ever put a value there, since the object was born or the frame was entered.
    NeverWritten {
        since: Option<Step>,
    },
    /// Code that is not recorded changed it, between two events.
    ByForeignCode {
        change: Change,
        after: Option<EventId>,
    },
    /// It was there when the recording (or what is kept of it) began.
    BeforeRecording,
    NotCaptured {
        why: String,
    },
}

#[derive(Clone, Debug)]
pub struct Change {
    pub step: Step,
    /// `None`: there was no such property, or the variable was not written before.
    pub old: Option<Datum>,
    /// `None`: it was removed.
    pub new: Option<Datum>,
    /// The object that holds it, where that is not the one asked about: the value is inherited.
    pub inherited_from: Option<ObjectId>,
}

impl LastChange {
    pub fn change(&self) -> Option<&Change> {
        match self {
            LastChange::Written(change)
            | LastChange::CreatedWith(change)
            | LastChange::ByForeignCode { change, .. } => Some(change),
            _ => None,
        }
    }
}

pub fn last_change(trace: &Trace, place: &Place, before: EventId) -> LastChange {
    let answer = match place {
        Place::Variable { place, .. } => variable_change(trace, place, before),
        Place::Global { name } => global_change(trace, name, before),
        Place::Property { object, key } => property_change(trace, *object, key, before),
        Place::Entry { object, key } => entry_change(trace, *object, key, before),
    };
    // What nothing was seen to write, code may have written that was not asked to tell.
    let is_certain = match &answer {
        LastChange::Written(_) | LastChange::CreatedWith(_) => true,
        LastChange::NeverWritten { since } => since.as_ref().is_some_and(|since| !is_look(since)),
        _ => false,
    };
    if !is_certain {
        trace.rests_on_everything("what wrote the place is not recorded");
    }
    answer
}

fn variable_change(trace: &Trace, place: &VariablePlace, before: EventId) -> LastChange {
    // Carried from one time round a loop to the next: the change is that of an earlier instance.
    if let VariableState::Written { since, .. } = trace.variable(place, before)
        && trace.kind(&since) == Some(SiteKind::Carry)
        && let Some(earlier) = trace.instance_before(place)
    {
        let since_id = since.id;
        return match variable_change(trace, &earlier, since_id) {
            LastChange::Written(change) => LastChange::Written(Change { old: None, ..change }),
            other => other,
        };
    }
    let of = |before| trace.variable(place, before);
    let born = place.owner.and_then(|owner| trace.frame(owner)).map(|frame| frame.entered);
    match from_states(trace, before, of, born) {
        LastChange::Written(change) if trace.is_declaration(place, &change.step) => {
            LastChange::Written(Change { old: None, ..change })
        }
        answer => answer,
    }
}

fn global_change(trace: &Trace, name: &str, before: EventId) -> LastChange {
    from_states(trace, before, |before| trace.global(name, before), None)
}

fn from_states(
    trace: &Trace,
    before: EventId,
    state: impl Fn(EventId) -> VariableState,
    born: Option<EventId>,
) -> LastChange {
    match state(before) {
        VariableState::Written { value, since } => {
            let old = match state(since.id) {
                VariableState::Written { value, .. } => Some(value),
                _ => None,
            };
            LastChange::Written(Change { step: since, old, new: Some(value), inherited_from: None })
        }
        VariableState::NotCaptured(BEFORE_RECORDING) => LastChange::BeforeRecording,
        VariableState::NeverWritten => {
            LastChange::NeverWritten { since: born.and_then(|born| trace.thread.step(born)) }
        }
        VariableState::NotCaptured(why) => LastChange::NotCaptured { why: why.into() },
    }
}

fn property_change(trace: &Trace, object: ObjectId, key: &PropertyKey, before: EventId) -> LastChange {
    if let Some(changes) = trace.size_changes(object, key, before) {
        return size_change(trace, object, changes);
    }
    change_of(trace, object, key, trace.property(object, key, before))
}

fn size_change(trace: &Trace, object: ObjectId, mut changes: Vec<ElementChange>) -> LastChange {
    let Some(ElementChange { step, old, new }) = changes.pop() else {
        return LastChange::NeverWritten { since: trace.origin(object) };
    };
    let change = Change { step, old, new, inherited_from: None };
    if is_look(&change.step) { seen_change(trace, object, change) } else { LastChange::Written(change) }
}

fn change_of(trace: &Trace, object: ObjectId, key: &PropertyKey, property: Property) -> LastChange {
    let (value, since, holder) = match &property {
        Property::Own { value, since } => (Some(value.clone()), since.clone(), object),
        Property::Inherited { value, from, since } => (Some(value.clone()), since.clone(), *from),
        Property::Absent { since: Some(since) } => (None, since.clone(), object),
        Property::Absent { since: None } => return LastChange::NeverWritten { since: trace.origin(object) },
        Property::NotCaptured(why) => {
            return if trace.thread.first_event().0 > 0 && trace.birth(object).is_none() {
                LastChange::BeforeRecording
            } else {
                LastChange::NotCaptured { why: (*why).into() }
            };
        }
    };
    let earlier = trace.own_property(holder, key, since.id);
    if let (KeyChange::Removed, Property::NotCaptured(why)) = (trace.key_change(&since, holder, key), &earlier) {
        // Whether there was anything to remove is not known.
        return LastChange::NotCaptured { why: (*why).into() };
    }
    let old = match earlier {
        // An object that is first seen at a write shows what was written.
        Property::Own { since: look, .. } if is_look(&look) && is_first_sight(trace, &look, &since, holder) => None,
        Property::Own { value, .. } => Some(value),
        _ => None,
    };
    let inherited_from = (holder != object).then_some(holder);
    let change = Change { old, new: value, inherited_from, step: since };
    if change.new.is_none() && change.old.is_none() {
        return LastChange::NeverWritten { since: Some(change.step) };
    }
    match trace.key_change(&change.step, holder, key) {
        KeyChange::Born(_) => LastChange::CreatedWith(change),
        KeyChange::Seen(_) => match trace.given_to_built_in(&change, key) {
            Some(step) => LastChange::Written(Change { step, ..change }),
            None => seen_change(trace, holder, change),
        },
        _ => LastChange::Written(change),
    }
}

/// The look that belongs to a literal shows what it was created with, and that of a built-in what this did.
fn seen_change(trace: &Trace, holder: ObjectId, change: Change) -> LastChange {
    let after = trace.last(&Target::Object(holder), change.step.id).map(|step| step.id);
    match look_of(trace, &change.step, holder) {
        LookOf::Birth(step) => LastChange::CreatedWith(Change { step, ..change }),
        LookOf::BuiltIn(step) => LastChange::Written(Change { step, ..change }),
        LookOf::Foreign => LastChange::ByForeignCode { change, after },
    }
}

pub(crate) fn is_look(step: &Step) -> bool {
    matches!(step.event, Event::Record(Record::Look { .. }))
}

/// Whether an object was met only by the write that follows the look.
pub(crate) fn is_first_sight(trace: &Trace, look: &Step, write: &Step, object: ObjectId) -> bool {
    if trace.looks_before_writes() {
        return false;
    }
    let between = trace.thread.steps_from(EventId(look.id.0 + 1)).take_while(|step| step.id < write.id);
    trace.last(&Target::Object(object), look.id).is_none()
        && write.site().is_some()
        && between.take(MOST_LOOKED_AT).all(|step| step.site().is_none())
}

const MOST_LOOKED_AT: usize = 1000;

pub(crate) enum LookOf {
    /// The literal whose contents the look tells.
    Birth(Step),
    /// The built-in that reordered or refilled the object.
    BuiltIn(Step),
    Foreign,
}

/// What a look belongs to: it follows a literal or an effect, with nothing but its own strings between.
pub(crate) fn look_of(trace: &Trace, look: &Step, object: ObjectId) -> LookOf {
    for step in trace.thread.steps_before(look.id) {
        match &step.event {
            Event::Record(Record::String(..) | Record::Symbol(..) | Record::Look { .. }) => {}
            Event::Record(Record::Effect { object: changed, .. }) if *changed == object => {
                return LookOf::BuiltIn(step);
            }
            // The prototype of a class is told behind the class.
            Event::Site { value: Some(value), .. } if is_constructor(trace, look, value.object()) => {
                return LookOf::Birth(step);
            }
            Event::Site { value: Some(value), .. } if value.object() == Some(object) => {
                return match trace.kind(&step) {
                    Some(SiteKind::Literal | SiteKind::Arguments) => LookOf::Birth(step),
                    _ => LookOf::Foreign,
                };
            }
            _ => break,
        }
    }
    let made = made_by_pattern(trace, look, object).or_else(|| made_by_constructor(trace, look, object));
    made.map_or(LookOf::Foreign, LookOf::Birth)
}

/// The write of what a pattern or a list of parameters leaves over, which is made for it.
fn made_by_pattern(trace: &Trace, look: &Step, object: ObjectId) -> Option<Step> {
    let write = trace.use_of_seen(look, object)?;
    let code = trace.code(write.site()?)?;
    let given = code.site_facts(write.site()?).value.map(|given| &code.expression(given).node)?;
    let is_rest = matches!(
        given,
        Node::Remainder { .. } | Node::Element { is_rest: true, .. } | Node::Parameter { is_rest: true, .. }
    );
    is_rest.then_some(write)
}

/// Memory that `new` of a constructor of the runtime made, with all that it holds: it is looked at before it is used.
fn made_by_constructor(trace: &Trace, look: &Step, object: ObjectId) -> Option<Step> {
    let is_memory = match look.event {
        Event::Record(Record::Look { class, .. }) => trace.class_traits(class).is_memory,
        _ => false,
    };
    if !is_memory || trace.last(&Target::Object(object), look.id).is_some() {
        return None;
    }
    let used = trace.use_of_seen(look, object)?;
    let code = trace.code(used.site()?)?;
    let Node::Call(call) = &code.expression(code.site_facts(used.site()?).value?).node else { return None };
    let is_global = matches!(code.expression(call.callee).node, Node::Variable(VariableRef::Global(_)));
    (call.is_new && is_global).then_some(used)
}

/// Whether the object that was looked at has this one as its constructor.
fn is_constructor(trace: &Trace, look: &Step, constructor: Option<ObjectId>) -> bool {
    let Event::Record(Record::Look { entries, .. }) = &look.event else { return false };
    let Some(name) = trace.language().constructor_key().map(|key| PropertyKey::Name(key.into())) else { return false };
    let is_it =
        |(key, value): &(Value, Value)| value.object() == constructor && trace.key(*key).as_ref() == Some(&name);
    constructor.is_some() && entries.iter().any(is_it)
}

fn entry_change(trace: &Trace, object: ObjectId, key: &Datum, before: EventId) -> LastChange {
    let value_at = |before| {
        let contents = trace.contents_for_entries(object, before)?;
        let is_complete = contents.is_complete;
        Some((contents.entries.into_iter().find(|(held, _)| held == key).map(|(_, slot)| slot), is_complete))
    };
    let Some((now, is_complete)) = value_at(before) else {
        return LastChange::NotCaptured { why: "the contents of the object were not recorded".into() };
    };
    let is_sure = now.is_some() || is_complete;
    let unsure = || LastChange::NotCaptured { why: "not all that the object holds was recorded".into() };
    let mut at = before;
    while let Some(step) = trace.last(&Target::Object(object), at) {
        at = step.id;
        let earlier = value_at(at).and_then(|(slot, _)| slot);
        if earlier == now {
            continue;
        }
        let is_look = matches!(step.event, Event::Record(Record::Look { .. }));
        // Such a look does not tell that it is gone.
        if is_look && !is_sure {
            return unsure();
        }
        let after = trace.last(&Target::Object(object), step.id).map(|step| step.id);
        let change =
            Change { old: earlier.map(|slot| slot.value), new: now.map(|slot| slot.value), inherited_from: None, step };
        return if is_look { LastChange::ByForeignCode { change, after } } else { LastChange::Written(change) };
    }
    if !is_sure {
        return unsure();
    }
    LastChange::NeverWritten { since: trace.origin(object) }
}
