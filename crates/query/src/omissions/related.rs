//! What a recording tells of the changes of a thing, and of those of its companions: the other properties of its object, and what is
//! held by the same owner.

use std::collections::{HashMap, HashSet};

use trace_model::{Event, ObjectId, Record, TailValues};
use trace_store::{PropertyKey, Step, Target, VariablePlace};

use super::{ChangeInFrame, Changes, Moment, Recorded};
use crate::Datum;
use crate::change::KeyChange;

/// What is asked about.
#[derive(Clone, PartialEq, Debug)]
pub enum About {
    /// A place of the code.
    Code,
    /// An object as a whole.
    Object(ObjectId),
    Property(ObjectId, PropertyKey),
    Variable(VariablePlace),
}

impl About {
    pub fn object(&self) -> Option<ObjectId> {
        match self {
            About::Object(object) | About::Property(object, _) => Some(*object),
            About::Code | About::Variable(_) => None,
        }
    }
}

/// The companions that were met, by who holds them and under which name.
#[derive(Default)]
struct Companions {
    numbers: HashMap<(ObjectId, String), u32>,
}

impl Companions {
    fn number(&mut self, holder: ObjectId, name: String) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry((holder, name)).or_insert(next)
    }
}

impl Recorded<'_> {
    pub(super) fn changes_of(&self, about: &About) -> Changes {
        let mut companions = Companions::default();
        match about {
            About::Code | About::Variable(_) => Changes::default(),
            About::Property(object, key) => {
                let (own, others): (Vec<Step>, Vec<Step>) =
                    self.steps(*object).into_iter().partition(|step| self.changes_key(step, *object, key));
                let held = self.held(*object, &others, &HashSet::from([*object]));
                let mut changes = Changes { own: self.changes_in(&own, |_| 0), companions: Vec::new() };
                changes.companions = self.changes_in(&others, |step| companions.number(*object, self.name_of(step)));
                self.add_held(held, &mut companions, &mut changes.companions);
                changes
            }
            About::Object(object) => {
                let mut changes = Changes { own: self.changes_in(&self.steps(*object), |_| 0), companions: Vec::new() };
                let mut path = HashSet::from([*object]);
                for owner in self.owners(*object, &mut path) {
                    let steps = self.steps(owner);
                    let held = self.held(owner, &steps, &path);
                    let others: Vec<Step> = steps.into_iter().filter(|step| !self.holds_any(step, &path)).collect();
                    changes
                        .companions
                        .extend(self.changes_in(&others, |step| companions.number(owner, self.name_of(step))));
                    self.add_held(held, &mut companions, &mut changes.companions);
                }
                changes
            }
        }
    }

    pub(super) fn made_at(&self, about: &About) -> Option<Moment> {
        let birth = self.trace.birth(about.object()?)?;
        self.moment(&birth)
    }

    pub(super) fn nothing_since(&self, about: &About) -> Option<Moment> {
        let About::Variable(place) = about else { return None };
        let step = self.trace.last(&Target::Variable(*place), self.before)?;
        let is_nothing = matches!(self.trace.step_value(&step), Some(Datum::Undefined | Datum::Null));
        self.moment(&step).filter(|_| is_nothing)
    }

    /// What changed an object or made it, newest first.
    fn steps(&self, object: ObjectId) -> Vec<Step> {
        let steps = self.trace.each_before(&Target::Object(object), self.before).take(MOST_CHANGES);
        steps.filter(|step| !matches!(step.event, Event::Record(Record::Look { .. }))).collect()
    }

    fn changes_key(&self, step: &Step, object: ObjectId, key: &PropertyKey) -> bool {
        match self.trace.key_change(step, object, key) {
            KeyChange::Set(_) | KeyChange::Stepped { .. } | KeyChange::Removed | KeyChange::Moved => true,
            KeyChange::Born(_) => true,
            KeyChange::Seen(_) | KeyChange::Perhaps | KeyChange::Nothing => false,
        }
    }

    fn changes_in(&self, steps: &[Step], mut of: impl FnMut(&Step) -> u32) -> Vec<ChangeInFrame> {
        let change = |step: &Step| {
            let moment = self.moment(step)?;
            let frame = self.trace.frame(step.frame?)?;
            Some(ChangeInFrame { moment, frame: frame.frame, caller: frame.caller, of: of(step) })
        };
        steps.iter().filter_map(change).collect()
    }

    /// Objects that an object holds, by their names there; those on the way to what is asked about are no companions.
    fn held(&self, holder: ObjectId, steps: &[Step], path: &HashSet<ObjectId>) -> Vec<(ObjectId, String, ObjectId)> {
        let mut held: Vec<(ObjectId, String, ObjectId)> = Vec::new();
        for step in steps {
            let Some(Datum::Object(object)) = self.trace.step_value(step) else { continue };
            let is_held = self.trace.changed_object(step) == Some(holder) && object != holder;
            if is_held && !path.contains(&object) && !held.iter().any(|(_, _, known)| *known == object) {
                held.push((holder, self.name_of(step), object));
            }
            if held.len() >= MOST_HELD {
                break;
            }
        }
        held
    }

    fn add_held(
        &self,
        held: Vec<(ObjectId, String, ObjectId)>,
        companions: &mut Companions,
        to: &mut Vec<ChangeInFrame>,
    ) {
        for (holder, name, object) in held {
            let number = companions.number(holder, name);
            let birth = self.trace.birth(object).map(|birth| birth.id);
            let steps: Vec<Step> =
                self.steps(object).into_iter().filter(|step| Some(step.id) != birth && step.id >= self.from).collect();
            to.extend(self.changes_in(&steps, |_| number));
        }
    }

    fn holds_any(&self, step: &Step, objects: &HashSet<ObjectId>) -> bool {
        self.trace.step_value(step).and_then(|value| value.object()).is_some_and(|object| objects.contains(&object))
    }

    /// Who holds an object, and who holds these; all are added to the path.
    fn owners(&self, object: ObjectId, path: &mut HashSet<ObjectId>) -> Vec<ObjectId> {
        let mut owners = Vec::new();
        let mut level = vec![object];
        for _ in 0..OWNERS_UP {
            let mut next = Vec::new();
            for object in level {
                for step in self.trace.each_before(&Target::Mentions(object), self.before).take(MOST_MENTIONS) {
                    let is_value = self.trace.step_value(&step).and_then(|value| value.object()) == Some(object);
                    let owner = self.trace.changed_object(&step).filter(|_| is_value);
                    if let Some(owner) = owner.filter(|owner| next.len() < MOST_OWNERS && path.insert(*owner)) {
                        next.push(owner);
                    }
                }
            }
            owners.extend(&next);
            level = next;
        }
        owners
    }

    /// The name of the property that an event is about.
    fn name_of(&self, step: &Step) -> String {
        match &step.event {
            Event::Site { tail: TailValues::ObjectAndKey(_, key), .. } => {
                format!("{:?}", self.trace.key(*key))
            }
            Event::Site { site, .. } => {
                let site = self.trace.site(*site);
                let name = site.and_then(|site| Some(site.name(*site.site.names.first()?).to_owned()));
                name.map(|name| format!("{:?}", Some(PropertyKey::Name(name)))).unwrap_or_default()
            }
            Event::Record(Record::Effect { op, .. }) => format!("{op:?}"),
            Event::Record(_) => String::new(),
        }
    }

    fn moment(&self, step: &Step) -> Option<Moment> {
        let site = self.trace.site(self.site_of(step)?)?;
        let function = self.functions.get(&(site.unit.record.base, site.site.function.0)).copied()?;
        Some(Moment { at: step.id, function, span: site.site.span })
    }
}

const MOST_CHANGES: usize = 200;
const MOST_HELD: usize = 12;
const MOST_OWNERS: usize = 4;
const MOST_MENTIONS: usize = 48;
/// An entry of a table of an object: two steps up from it.
const OWNERS_UP: usize = 2;
