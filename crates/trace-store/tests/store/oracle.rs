//! Answers by going through all events, one by one.

use std::collections::HashMap;

use crate::program::{BASE, N_FUNCTIONS, ROLES, Role, owners, site};
use trace_model::*;
use trace_store::{CallStack, PropertyKey, Step, Target, Thread, VariablePlace};

pub struct Oracle {
    pub steps: Vec<Step>,
    pub stacks: Vec<Vec<FrameId>>,
    pub instances: HashMap<FrameId, Instance>,
    pub strings: HashMap<StringId, String>,
    /// What holds the variable that each event writes; `Some(None)`: it is global.
    holders: Vec<Option<Option<FrameId>>>,
    callers: Vec<Option<FrameId>>,
}

#[derive(Clone, Copy, Debug)]
pub struct Instance {
    pub site: SiteId,
    /// The frame it is or is in.
    pub frame: Option<FrameId>,
    pub scope: Option<FrameId>,
    pub caller: Option<FrameId>,
    pub depth: usize,
    pub entered: EventId,
    pub left: Option<EventId>,
}

pub fn role_of(site: SiteId) -> (u32, Role) {
    let local = (site.0 - BASE.0) as usize;
    ((local / ROLES.len()) as u32, ROLES[local % ROLES.len()])
}

impl Oracle {
    pub fn new(events: &[Event], thread: &Thread) -> Oracle {
        let mut oracle = Oracle {
            steps: vec![],
            stacks: vec![],
            instances: HashMap::new(),
            strings: HashMap::new(),
            holders: vec![],
            callers: vec![],
        };
        let mut stack = CallStack::default();
        let mut ended: Option<FrameId> = None;
        for (id, event) in events.iter().enumerate() {
            let id = EventId(id as u64);
            let before: Vec<FrameId> =
                stack.frames().iter().map(|frame| frame.id).filter(|frame| Some(*frame) != ended).collect();
            stack.feed(event, thread.code());
            oracle.add(id, event, &stack);
            let now = &oracle.stacks[id.0 as usize];
            for gone in before.iter().filter(|frame| !now.contains(frame)) {
                oracle.instances.get_mut(gone).unwrap().left.get_or_insert(id);
            }
            ended = oracle.ending(event, now.last().copied(), id);
        }
        oracle
    }

    fn add(&mut self, id: EventId, event: &Event, stack: &CallStack) {
        let frames: Vec<FrameId> = stack.frames().iter().map(|frame| frame.id).collect();
        let top = stack.top();
        let (mut frame, mut holder, mut caller) = (top.map(|top| top.id), None, None);
        if let Event::Record(Record::String(id, text)) = event {
            self.strings.insert(*id, text.clone());
        }
        if let Event::Site { site, tail, .. } = event {
            let (function, role) = role_of(*site);
            frame = top.filter(|top| top.function == FunctionIndex(function)).map(|top| top.id);
            if matches!(role, Role::Enter | Role::Outer | Role::Inner) {
                let is_enter = role == Role::Enter;
                caller = if is_enter { frames.iter().rev().nth(1).copied() } else { None };
                let scope = match tail {
                    TailValues::ParentScope(scope) => *scope,
                    _ => {
                        let outer = frame.and_then(|frame| self.last_block(frame, site_of(function, Role::Outer), id));
                        if role == Role::Inner { outer.or(frame) } else { frame }
                    }
                };
                let frame = if is_enter { Some(stack.last_number()) } else { frame };
                let depth = frames.len().saturating_sub(1);
                let instance = Instance { site: *site, frame, scope, caller, depth, entered: id, left: None };
                self.instances.insert(stack.last_number(), instance);
            }
            if let Some(variable) = variable_of(function, role) {
                let owner = owners()[variable as usize];
                holder = match (owner, frame) {
                    (Owner::Global, _) => Some(None),
                    (owner, Some(frame)) => self.owner(frame, id, owner).map(Some),
                    (_, None) => None,
                };
            }
        }
        self.steps.push(Step { id, event: event.clone(), frame });
        self.stacks.push(frames);
        self.holders.push(holder);
        self.callers.push(caller);
    }

    /// The frame that an event ends, or suspends.
    fn ending(&mut self, event: &Event, top: Option<FrameId>, id: EventId) -> Option<FrameId> {
        let Event::Site { site, .. } = event else { return None };
        let (function, role) = role_of(*site);
        let frame = top.filter(|_| self.steps[id.0 as usize].frame == top)?;
        let is_exact = function != 2 && function != 4;
        match role {
            Role::Suspend => return Some(frame),
            Role::Exit => {}
            Role::Return if !is_exact => {}
            _ => return None,
        }
        self.instances.get_mut(&frame).unwrap().left.get_or_insert(id);
        Some(frame)
    }

    /// The last instance of a block in a frame, before an event.
    fn last_block(&self, frame: FrameId, block: SiteId, before: EventId) -> Option<FrameId> {
        let of_block = |(_, instance): &(&FrameId, &Instance)| {
            instance.site == block && instance.frame == Some(frame) && instance.entered < before
        };
        self.instances.iter().filter(of_block).map(|(id, _)| *id).max()
    }

    pub fn owner(&self, frame: FrameId, at: EventId, owner: Owner) -> Option<FrameId> {
        let own = role_of(self.instances.get(&frame)?.site).0;
        match owner {
            Owner::Function(function) if function.0 == own => return Some(frame),
            Owner::Block(block) if role_of(SiteId(BASE.0 + block.0)).0 == own => {
                return self.last_block(frame, SiteId(BASE.0 + block.0), at);
            }
            Owner::Global => return None,
            _ => {}
        }
        let mut next = self.instances[&frame].scope;
        while let Some(id) = next {
            let instance = self.instances.get(&id)?;
            let (function, role) = role_of(instance.site);
            match owner {
                Owner::Function(wanted) if wanted.0 == function => return instance.frame,
                Owner::Block(block) if role_of(SiteId(BASE.0 + block.0)).0 == function => {
                    let wanted = SiteId(BASE.0 + block.0);
                    if instance.site == wanted {
                        return Some(id);
                    }
                    if role == Role::Inner && wanted == site_of(function, Role::Outer) {
                        return self.last_block(instance.frame?, wanted, instance.entered);
                    }
                }
                _ => {}
            }
            next = self.instances.get(&instance.frame?)?.scope;
        }
        None
    }

    pub fn matches(&self, target: &Target, at: usize) -> bool {
        let step = &self.steps[at];
        let is_of = |sites: &[SiteId]| step.site().is_some_and(|site| sites.contains(&site));
        match target {
            Target::Sites(sites) => is_of(sites),
            Target::SitesInFrame(frame, sites) => step.frame == Some(*frame) && is_of(sites),
            Target::InFrame(frame) => step.frame == Some(*frame),
            Target::CalledBy(frame) => self.callers[at] == Some(*frame),
            Target::Variable(VariablePlace { variable, owner, .. }) => {
                let written = step.site().map(role_of).and_then(|(function, role)| variable_of(function, role));
                written == Some(variable.0) && self.holders[at] == Some(*owner)
            }
            Target::Property(object, key) => self.concerns_key(&step.event, *object, key),
            Target::Removals(object) => {
                self.is_birth(&step.event, *object)
                    || self.concerns(&step.event, *object)
                        && (removes(&step.event)
                            || used_key(&step.event) == Some(Value::NotCaptured)
                            || ["", "a"].iter().all(|name| {
                                self.concerns_key(&step.event, *object, &PropertyKey::Name((*name).into()))
                            }))
            }
            Target::Numerals(object) => {
                self.concerns(&step.event, *object)
                    && !removes(&step.event)
                    && used_key(&step.event).is_some_and(|key| match key {
                        Value::Number(number) => number >= 0.0 && number.fract() == 0.0,
                        Value::String(id) => self.strings[&id].parse::<u32>().is_ok(),
                        _ => false,
                    })
            }
            Target::Object(object) => self.concerns(&step.event, *object),
            Target::Objects(objects) => objects.iter().any(|object| self.concerns(&step.event, *object)),
            Target::Mentions(object) => mentioned(&step.event).contains(&Some(*object)),
            Target::Output => matches!(step.event, Event::Record(Record::Output { .. })),
            Target::Uncaught => matches!(step.event, Event::Record(Record::Uncaught { .. })),
            Target::Message => matches!(step.event, Event::Record(Record::Message { .. })),
            Target::Errors => {
                matches!(step.event, Event::Record(Record::Look { class: ObjectClass::Error, .. }))
            }
            Target::Enter(None) => step.site().is_some_and(|site| role_of(site).1 == Role::Enter),
            Target::Enter(Some(functions)) => step.site().is_some_and(|site| {
                let (function, role) = role_of(site);
                role == Role::Enter && functions.contains(&(BASE, FunctionIndex(function)))
            }),
        }
    }

    pub fn is_birth(&self, event: &Event, object: ObjectId) -> bool {
        match event {
            Event::Record(Record::Look { object: seen, .. }) => *seen == object,
            Event::Site { value: Some(Value::NewObject { id, .. }), .. } => *id == object,
            Event::Site { site, value: Some(Value::Object(id)), .. } => {
                let births = [Role::ObjectLiteral, Role::ArrayLiteral, Role::Literal, Role::FunctionBirth];
                *id == object && births.contains(&role_of(*site).1)
            }
            _ => false,
        }
    }

    fn concerns(&self, event: &Event, object: ObjectId) -> bool {
        let is_written = match event {
            Event::Site { tail: TailValues::Object(base) | TailValues::ObjectAndKey(base, _), .. } => {
                *base == Some(object)
            }
            Event::Record(Record::Effect { object: changed, .. }) => *changed == object,
            _ => false,
        };
        is_written || self.is_birth(event, object)
    }

    fn concerns_key(&self, event: &Event, object: ObjectId, key: &PropertyKey) -> bool {
        if self.is_birth(event, object) {
            return true;
        }
        if !self.concerns(event, object) {
            return false;
        }
        let named = |name: &str| *key == PropertyKey::Name(name.into());
        let is_of_elements = ["1", "2", "length"].iter().any(|name| named(name));
        match event {
            Event::Site { tail: TailValues::ObjectAndKey(_, used), .. } => self.is_key(*used, key),
            Event::Site { site, .. } => named(if role_of(*site).1 == Role::FieldB { "b" } else { "a" }),
            Event::Record(Record::Effect { op, values, .. }) => match op {
                BuiltinOp::Push | BuiltinOp::Pop | BuiltinOp::Shift | BuiltinOp::Unshift | BuiltinOp::Splice => {
                    is_of_elements
                }
                BuiltinOp::Refill
                | BuiltinOp::SetPrototype
                | BuiltinOp::Freeze
                | BuiltinOp::Seal
                | BuiltinOp::PreventExtensions => true,
                BuiltinOp::DefineProperty | BuiltinOp::DeleteProperty | BuiltinOp::SetProperty => {
                    self.is_key(values[0], key)
                }
                _ => false,
            },
            Event::Record(_) => false,
        }
    }

    fn is_key(&self, value: Value, key: &PropertyKey) -> bool {
        let text = match value {
            Value::Symbol(symbol) => return *key == PropertyKey::Symbol(symbol),
            Value::String(id) => self.strings[&id].clone(),
            Value::Number(number) => number.to_string(),
            _ => return true,
        };
        *key == PropertyKey::Name(text)
    }
}

/// Whether an event takes a key from its object.
fn removes(event: &Event) -> bool {
    match event {
        Event::Site { site, .. } => matches!(role_of(*site).1, Role::DeleteA | Role::DeleteComputed),
        Event::Record(Record::Effect { op, .. }) => *op == BuiltinOp::DeleteProperty,
        Event::Record(_) => false,
    }
}

/// The key that an event computed.
fn used_key(event: &Event) -> Option<Value> {
    match event {
        Event::Site { tail: TailValues::ObjectAndKey(_, key), .. } => Some(*key),
        Event::Record(Record::Effect { op, values, .. }) => {
            matches!(op, BuiltinOp::DefineProperty | BuiltinOp::DeleteProperty | BuiltinOp::SetProperty)
                .then(|| values[0])
        }
        _ => None,
    }
}

fn site_of(function: u32, role: Role) -> SiteId {
    site(function, role)
}

pub fn variable_of(function: u32, role: Role) -> Option<u32> {
    let parent = [0, 0, 1, 0, 3][function as usize];
    Some(match role {
        Role::OwnVariable => function * 3,
        Role::OuterVariable => function * 3 + 1,
        Role::InnerVariable => function * 3 + 2,
        Role::ParentVariable => parent * 3,
        Role::ParentOuterVariable => parent * 3 + 1,
        Role::ParentInnerVariable => parent * 3 + 2,
        Role::GlobalVariable => N_FUNCTIONS * 3,
        _ => return None,
    })
}

fn mentioned(event: &Event) -> Vec<Option<ObjectId>> {
    let objects = |values: &[Value]| values.iter().map(|value| value.object()).collect::<Vec<_>>();
    match event {
        Event::Site { value, tail, .. } => {
            let mut all = vec![value.and_then(Value::object)];
            if let TailValues::Values(values) = tail {
                all.extend(objects(values));
            }
            all
        }
        Event::Record(Record::Look { entries, .. }) => {
            entries.iter().flat_map(|(key, value)| [key.object(), value.object()]).collect()
        }
        Event::Record(Record::Effect { values, .. }) => objects(values),
        Event::Record(Record::Uncaught { value, .. } | Record::Message { value, .. }) => vec![value.object()],
        Event::Record(_) => vec![],
    }
}
