//! What a call received and what it brought about: receiver, arguments and variables around it with all objects that they lead to,
//! when the call began and when it was over, and what it gave, wrote and waited for.

mod graph;
mod record;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use trace_model::{DeclaredTypes, Event, Record, SiteKind, VariableIndex, VariableRef};
use trace_model::{
    EventId, FrameId, FunctionIndex, FunctionKind, Node as ExprNode, ObjectId, Owner, SiteId, VariableKind,
};
use trace_store::{FrameInfo, PropertyKey, VariablePlace};

use super::{Node, Tree};
use crate::{Contents, Datum, Outcome, Scene, Trace, VariableState};
use graph::Graph;
use record::{Happenings, happenings};

/// A question, as far as the recording has it.
#[derive(Clone, Debug)]
pub struct CallEffects {
    pub node: Node,
    pub frame: FrameInfo,
    /// The state that the call found is that before this event, and the one that it left that before this.
    pub begun: EventId,
    pub over: EventId,
    pub this: Option<Datum>,
    /// Whether the function can tell its receiver.
    pub uses_this: bool,
    pub arguments: Vec<Argument>,
    /// Variables of functions and files around it that it or what it called could read, then those that it changed.
    pub variables: Vec<VariableChange>,
    pub end: CallEnd,
    pub changes: Vec<FieldChange>,
    pub objects: BTreeMap<ObjectId, ObjectStates>,
    pub output: Vec<String>,
    /// What it waited for, and what came of it.
    pub awaited: Vec<(Datum, Option<Datum>)>,
    /// Calls that it started and that went on when it was over itself.
    pub outlived_by: usize,
    /// Which parts are not known.
    pub unknown: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Argument {
    pub name: String,
    pub entry: Datum,
    /// The parameter may have been written.
    pub exit: Datum,
}

#[derive(Clone, Debug)]
pub struct VariableChange {
    pub name: String,
    pub is_local: bool,
    /// `None`: it had no value yet.
    pub entry: Option<Datum>,
    pub exit: Option<Datum>,
    pub is_changed: bool,
}

#[derive(Clone, Debug)]
pub enum CallEnd {
    Returned(Datum),
    /// The exception, where it is known.
    Threw(Option<Datum>),
    Unfinished,
}

#[derive(Clone, Debug)]
pub struct FieldChange {
    /// As the source of the function would write it, or `#17.key`.
    pub place: String,
    pub object: ObjectId,
    pub key: String,
    pub old: Option<Datum>,
    pub new: Option<Datum>,
    /// Something else did it meanwhile.
    pub by_others: bool,
}

/// An object when the call began and when it was over; `None`: it was not there, or is not known.
#[derive(Clone, Debug)]
pub struct ObjectStates {
    /// As the source of the function would write it.
    pub place: Option<String>,
    pub entry: Option<Arc<Contents>>,
    pub exit: Option<Arc<Contents>>,
}

impl ObjectStates {
    pub fn any(&self) -> Option<&Contents> {
        self.exit.as_deref().or(self.entry.as_deref())
    }
}

/// What is asked again and again about the code.
#[derive(Default)]
pub struct Seen {
    /// Variables of others that the functions of a piece of code use.
    used: Mutex<HashMap<SiteId, Arc<UsedByFunction>>>,
    /// What the functions of a piece of code declare.
    declared: Mutex<HashMap<SiteId, Arc<[DeclaredTypes]>>>,
}

type UsedByFunction = HashMap<FunctionIndex, Vec<VariableIndex>>;

/// What a call did. `None` for the root that is no call.
pub fn effects(trace: &Trace, tree: &Tree, node: Node, seen: &Seen) -> Option<CallEffects> {
    let frame = trace.frame(tree.frame(node)?)?;
    let begun = trace.begun(&frame);
    let over = trace.over(tree.end(node), &frame);
    let mut unknown = Vec::new();
    let happened = happenings(trace, tree, node, frame.entered..over);
    if happened.is_cut {
        unknown.push(format!(
            "the call took more than {} events: what it changed is told as far as what it was given leads there",
            record::MOST_EVENTS
        ));
    }
    let code = trace.thread.code().unit(frame.unit)?.code().ok()?;
    let function = code.sites.function(frame.function);
    let used = trace.this(frame.id).map(|(this, _)| this);
    let uses_this = used.is_some();
    let this = match function.kind {
        FunctionKind::Module => None,
        _ => used.or_else(|| trace.receiver(&frame)).filter(|this| *this != Datum::Undefined),
    };
    let arguments = arguments(trace, &frame, begun, over);
    let mut variables = variables(trace, tree, node, &frame, (begun, over), seen, &happened);
    // A function may look at more than it has names for.
    variables.extend(trace.arguments(frame.id).map(|(given, _)| VariableChange {
        name: "arguments".into(),
        is_local: false,
        entry: Some(given.clone()),
        exit: Some(given),
        is_changed: false,
    }));
    let end = match trace.outcome(&frame) {
        Outcome::Returned(value) => CallEnd::Returned(value),
        Outcome::Threw => CallEnd::Threw(trace.exception_of(&frame)),
        Outcome::Open => CallEnd::Unfinished,
    };
    let mut graph = Graph::new(trace, (begun, over), &happened);
    for (name, entry, exit) in roots(&this, &arguments, &variables, &end) {
        graph.root(name, entry, exit);
    }
    graph.follow();
    let changes = graph.changes(tree, node);
    let is_lost = |value: &Datum| *value == Datum::NotCaptured;
    for argument in arguments.iter().filter(|argument| is_lost(&argument.entry)) {
        unknown.push(format!("the argument {} was not captured", argument.name));
    }
    if matches!(&end, CallEnd::Returned(value) if is_lost(value)) {
        unknown.push("what it returned was not captured".into());
    }
    if matches!(end, CallEnd::Threw(None)) {
        unknown.push("the exception that it ended with was not captured".into());
    }
    unknown.extend(graph.unknown());
    let range = tree.subtree(node);
    let outlived_by = (range.start + 1..range.end)
        .map(Node)
        .filter(|inner| tree.left(*inner).is_none_or(|left| Some(left) > frame.left));
    let outlived_by = if frame.left.is_some() && tree.is_outlived(node) { outlived_by.count() } else { 0 };
    Some(CallEffects {
        node,
        begun,
        over,
        this,
        uses_this,
        arguments,
        variables,
        end,
        changes,
        objects: graph.into_objects(),
        output: happened.output,
        awaited: happened.awaited,
        outlived_by,
        unknown,
        frame,
    })
}

type Root<'e> = (&'e str, Option<&'e Datum>, Option<&'e Datum>);

/// Where objects are reached from, when the call began and when it was over.
fn roots<'e>(
    this: &'e Option<Datum>,
    arguments: &'e [Argument],
    variables: &'e [VariableChange],
    end: &'e CallEnd,
) -> Vec<Root<'e>> {
    let mut roots: Vec<Root> = Vec::new();
    roots.extend(this.iter().map(|this| ("this", Some(this), Some(this))));
    // What the caller passed; the parameter itself is gone with the call.
    roots.extend(
        arguments.iter().map(|argument| (argument.name.as_str(), Some(&argument.entry), Some(&argument.entry))),
    );
    let outer = variables.iter().filter(|variable| !variable.is_local);
    roots.extend(outer.map(|variable| (variable.name.as_str(), variable.entry.as_ref(), variable.exit.as_ref())));
    match end {
        CallEnd::Returned(value) => roots.push(("result", None, Some(value))),
        CallEnd::Threw(Some(value)) => roots.push(("exception", None, Some(value))),
        CallEnd::Threw(None) | CallEnd::Unfinished => {}
    }
    roots
}

fn arguments(trace: &Trace, frame: &FrameInfo, begun: EventId, over: EventId) -> Vec<Argument> {
    let scene = Scene { before: begun, frame: Some(frame.id), unit: frame.unit };
    let exit = |name: &str, entry: &Datum| {
        let variable = trace.parameter(frame, name)?;
        let place = trace.variable_place(scene, variable)?;
        match trace.variable(&place, frame.left.unwrap_or(over)) {
            VariableState::Written { value, .. } => Some(value),
            _ => Some(entry.clone()),
        }
    };
    let parameters = trace.parameters(frame).into_iter();
    parameters
        .map(|(name, entry)| Argument { exit: exit(&name, &entry).unwrap_or(entry.clone()), name, entry })
        .collect()
}

fn variables(
    trace: &Trace,
    tree: &Tree,
    node: Node,
    frame: &FrameInfo,
    (begun, over): (EventId, EventId),
    seen: &Seen,
    happened: &Happenings,
) -> Vec<VariableChange> {
    let is_older = |place: &VariablePlace| place.owner.is_none_or(|owner| owner < frame.id);
    let mut places: Vec<VariablePlace> = Vec::new();
    for (function, frame) in functions_below(tree, node) {
        let scene = Scene { before: begun, frame: Some(frame), unit: function.0 };
        for variable in seen.used(trace, function.0, function.1) {
            let place = trace.variable_place(scene, variable).filter(&is_older);
            places.extend(place.filter(|place| !places.contains(place)));
        }
    }
    for place in &happened.variables {
        if !places.contains(place) {
            places.push(*place);
        }
    }
    let mut found = Vec::new();
    for place in places {
        let Some(code) = trace.thread.code().unit(place.unit).and_then(|unit| unit.code().ok()) else { continue };
        let declared = code.sites.variable(place.variable);
        if matches!(declared.kind, VariableKind::Import | VariableKind::Function | VariableKind::Class) {
            continue;
        }
        let is_local = !is_older(&place);
        let is_changed = happened.is_cut || happened.variables.contains(&place);
        let value = |before| match trace.variable(&place, before) {
            VariableState::Written { value, .. } => Some(value),
            VariableState::NeverWritten => None,
            VariableState::NotCaptured(_) => Some(Datum::NotCaptured),
        };
        let entry = if is_local { None } else { value(frame.entered) };
        let exit = if is_changed { value(over) } else { entry.clone() };
        // A constant that holds code is no state.
        let is_code = |value: &Option<Datum>| matches!(value, Some(Datum::Object(object)) if trace.is_function(*object) == Some(true));
        if !is_changed && is_code(&entry) {
            continue;
        }
        let name = code.sites.name(declared.name).to_owned();
        let is_changed = is_changed && entry != exit;
        found.push(VariableChange { name, is_local, entry, exit, is_changed });
    }
    found
}

/// The functions that were called, each with the first of its frames.
fn functions_below(tree: &Tree, node: Node) -> Vec<((SiteId, FunctionIndex), FrameId)> {
    let mut known = std::collections::HashSet::new();
    let mut found = Vec::new();
    for below in tree.subtree(node).take(MOST_NODES).map(Node) {
        let number = tree.function(below);
        if let (true, Some(frame)) = (known.insert(number), tree.frame(below)) {
            let function = tree.functions()[number.0 as usize];
            found.push(((function.unit, function.function), frame));
        }
    }
    found
}

const MOST_NODES: usize = 20_000;

impl Seen {
    pub(super) fn declared(&self, trace: &Trace, unit: SiteId) -> Arc<[DeclaredTypes]> {
        let mut known = self.declared.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let of_unit = known.entry(unit).or_insert_with(|| {
            let unit = trace.thread.code().unit(unit);
            let code = unit.and_then(|unit| Some((unit, unit.code().ok()?)));
            let source = code.and_then(|(unit, code)| Some((&unit.record.path, code.source().ok()?)));
            source.map_or(Arc::default(), |(path, source)| trace.language().declared_types(source, path).into())
        });
        of_unit.clone()
    }

    /// Variables that a function uses and that are not its own.
    fn used(&self, trace: &Trace, unit: SiteId, function: FunctionIndex) -> Vec<VariableIndex> {
        let mut known = self.used.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let of_unit = known.entry(unit).or_insert_with(|| Arc::new(used_in(trace, unit)));
        of_unit.get(&function).cloned().unwrap_or_default()
    }
}

fn used_in(trace: &Trace, unit: SiteId) -> HashMap<FunctionIndex, Vec<VariableIndex>> {
    let mut used: HashMap<FunctionIndex, Vec<VariableIndex>> = HashMap::new();
    let Some(code) = trace.code(unit) else { return used };
    let Ok(file) = code.unit.code() else { return used };
    for expression in &code.facts.expressions {
        let ExprNode::Variable(VariableRef::Known(variable)) = expression.node else { continue };
        let is_own = match file.sites.variable(variable).owner {
            Owner::Function(owner) => owner == expression.function,
            Owner::Block(block) => file.sites.site(block).function == expression.function,
            Owner::Global => false,
        };
        let of_function = used.entry(expression.function).or_default();
        if !is_own && !of_function.contains(&variable) {
            of_function.push(variable);
        }
    }
    used
}

impl Trace<'_> {
    /// The moment at which the body of a call begins: what it was given was looked at.
    fn begun(&self, frame: &FrameInfo) -> EventId {
        let mut begun = EventId(frame.entered.0 + 1);
        for step in self.thread.steps_from(begun) {
            match &step.event {
                Event::Site { .. } => match self.kind(&step) {
                    Some(SiteKind::This | SiteKind::Param | SiteKind::Arguments) if step.frame == Some(frame.id) => {}
                    _ => break,
                },
                Event::Record(record) if is_remark(record) => {}
                Event::Record(_) => break,
            }
            begun = EventId(step.id.0 + 1);
        }
        begun
    }

    /// The moment at which a call and what it started was over, with what was looked at then.
    fn over(&self, end: Option<EventId>, frame: &FrameInfo) -> EventId {
        let Some(end) = end else { return self.thread.end() };
        let is_own = |step: &trace_store::Step| {
            step.frame == Some(frame.id) && matches!(self.kind(step), Some(SiteKind::Exit | SiteKind::Return))
        };
        if !self.thread.step(end).is_some_and(|step| is_own(&step)) {
            return end;
        }
        let mut over = EventId(end.0 + 1);
        for step in self.thread.steps_from(over) {
            match &step.event {
                Event::Record(record) if is_remark(record) => over = EventId(step.id.0 + 1),
                _ => break,
            }
        }
        over
    }

    /// What the variable or property that an event wrote held before it.
    pub fn value_before(&self, step: &trace_store::Step) -> Option<Datum> {
        let site = self.site(step.site()?)?;
        if let Some(object) = self.changed_object(step) {
            let key = match &step.event {
                Event::Site { tail: trace_model::TailValues::ObjectAndKey(_, key), .. } => self.key(*key)?,
                _ => PropertyKey::Name(site.name(*site.site.names.first()?).to_owned()),
            };
            return match self.own_property(object, &key, step.id) {
                crate::Property::Own { value, .. } => Some(value),
                _ => None,
            };
        }
        if matches!(site.site.kind, SiteKind::Param | SiteKind::Carry) {
            return None;
        }
        let place = self.variable_place(self.scene(step)?, site.site.variable?)?;
        match self.variable(&place, step.id) {
            VariableState::Written { value, .. } => Some(value),
            _ => None,
        }
    }

    fn parameter(&self, frame: &FrameInfo, name: &str) -> Option<VariableIndex> {
        let code = self.thread.code().unit(frame.unit)?.code().ok()?;
        let is_it = |variable: &trace_model::Variable| {
            variable.kind == VariableKind::Parameter
                && variable.owner == Owner::Function(frame.function)
                && code.sites.name(variable.name) == name
        };
        let at = code.sites.variables.iter().position(is_it)?;
        Some(VariableIndex(at as u32))
    }

    /// The object whose method was called, where the method has no use for it.
    fn receiver(&self, frame: &FrameInfo) -> Option<Datum> {
        let code = self.thread.code().unit(frame.unit)?.code().ok()?;
        if code.sites.function(frame.function).kind != FunctionKind::Method {
            return None;
        }
        let caller = self.caller(frame)?;
        let ExprNode::Call(call) = &caller.code.expression(caller.call).node else { return None };
        let ExprNode::Member { object, .. } = &caller.code.expression(call.callee).node else { return None };
        let scene = Scene { before: frame.entered, ..self.scene(&caller.step)? };
        self.value_in(&caller.code, scene, &caller.evaluation, *object).ok()
    }

    /// The exception that ended a call: what it threw itself, or what was caught next.
    fn exception_of(&self, frame: &FrameInfo) -> Option<Datum> {
        let left = frame.left?;
        if let Some(step) = self.previous_in_frame(frame.id, left)
            && self.kind(&step) == Some(SiteKind::Throw)
        {
            return self.step_value(&step);
        }
        for step in self.thread.steps_from(left).take(MOST_STEPS_TO_CATCH) {
            let is_it = match &step.event {
                Event::Record(Record::Uncaught { .. }) => true,
                Event::Site { .. } => self.kind(&step) == Some(SiteKind::Catch),
                Event::Record(_) => false,
            };
            if is_it {
                return self.step_value(&step);
            }
        }
        None
    }
}

const MOST_STEPS_TO_CATCH: usize = 200;

/// What the runtime says beside an event.
fn is_remark(record: &Record) -> bool {
    matches!(record, Record::Look { .. } | Record::String(..) | Record::Symbol(..) | Record::Time { .. })
}

/// The keys of an object and what they hold: properties, then entries of a Map or Set.
pub fn fields(contents: &Contents) -> impl Iterator<Item = (String, &Datum, EventId)> {
    let name = |key: &PropertyKey| match key {
        PropertyKey::Name(name) => name.clone(),
        PropertyKey::Symbol(symbol) => format!("@@{}", symbol.0),
    };
    let properties = contents.properties.iter().map(move |(key, slot)| (name(key), &slot.value, slot.since));
    let entries = contents.entries.iter().map(|(key, slot)| (format!("<{}>", key.text()), &slot.value, slot.since));
    let length = contents.stands_for.iter().map(|value| ("<value>".to_owned(), value, EventId(0)));
    properties.chain(entries).chain(length)
}
