//! What a call received and what it brought about: receiver, arguments and variables around it with all objects that they lead to,
//! when the call began and when it was over, and what it gave, wrote and waited for.

mod graph;
mod record;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex};

use trace_model::{DeclaredTypes, Event, Record, SiteKind, VariableIndex, VariableRef};
use trace_model::{
    EventId, ExprId, FrameId, FunctionIndex, FunctionKind, Node as ExprNode, ObjectId, Owner, SiteId, VariableKind,
};
use trace_store::{FrameInfo, PropertyKey, VariablePlace};

use super::{FunctionNumber, Node, Tree};
use crate::{Code, Contents, Datum, FrameOutcome, Scene, Trace, VariableState};
use graph::Graph;
pub use record::Exchanged;
pub(super) use record::Happenings;
use record::happenings;

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
    pub exchanged: Exchanged,
    /// Whether it or what it called asks for what is another thing each time, as the clock does.
    pub is_fickle: bool,
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

type UsedByFunction = HashMap<FunctionIndex, Used>;

/// What a function uses that is not its own.
#[derive(Clone, Default)]
struct Used {
    variables: Vec<VariableIndex>,
    /// Members of imports of everything: `ns.count`.
    members: Vec<ExprId>,
    is_fickle: bool,
}

/// What a call did. `None` for the root that is no call.
pub fn effects(trace: &Trace, tree: &Tree, node: Node, seen: &Seen) -> Option<CallEffects> {
    let frame = trace.frame(tree.frame(node)?)?;
    let begun = trace.begun(&frame);
    let over = trace.over(tree.end(node), &frame);
    let mut unknown = Vec::new();
    let happened = happenings(trace, tree, node, frame.entered..over);
    if happened.is_cut {
        unknown.push(format!(
            "the call took more than {} events: only changes that can be reached from its arguments are shown",
            record::MOST_EVENTS
        ));
    }
    if tree.subtree(node).len() > MOST_NODES {
        unknown.push(format!("it made more than {MOST_NODES} calls: what only later ones could read is left out"));
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
    let closures = closures_below(trace, tree, node, seen);
    let is_fickle = closures.iter().any(|((unit, function), _)| seen.used(trace, *unit, *function).is_fickle);
    let mut variables = variables(trace, &closures, &frame, (begun, over), seen, &happened);
    // A function may look at more than it has names for.
    variables.extend(trace.arguments(frame.id).map(|(given, _)| VariableChange {
        name: "arguments".into(),
        is_local: false,
        entry: Some(given.clone()),
        exit: Some(given),
        is_changed: false,
    }));
    let end = match trace.outcome(&frame) {
        FrameOutcome::Returned(value) => CallEnd::Returned(value),
        FrameOutcome::Threw => CallEnd::Threw(trace.exception_of(&frame)),
        FrameOutcome::Open => CallEnd::Unfinished,
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
        exchanged: happened.exchanged,
        is_fickle,
        outlived_by,
        unknown,
        frame,
    })
}

/// For following what can be reached when something begins.
pub(super) fn reachable<'g, 'a>(trace: &'g Trace<'a>, begun: EventId, happened: &'g Happenings) -> Graph<'g, 'a> {
    Graph::new(trace, (begun, begun), happened)
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
    let scene = Scene { before: begun, frame: Some(frame.id), unit: frame.unit, within: None };
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
    closures: &[Closure],
    frame: &FrameInfo,
    (begun, over): (EventId, EventId),
    seen: &Seen,
    happened: &Happenings,
) -> Vec<VariableChange> {
    let is_older = |place: &VariablePlace| place.owner.is_none_or(|owner| owner < frame.id);
    let mut places: Vec<VariablePlace> = Vec::new();
    let mut add = |place: VariablePlace| {
        if !places.contains(&place) {
            places.push(place);
        }
    };
    for (function, frame) in closures {
        let scene = Scene { before: begun, frame: Some(*frame), unit: function.0, within: None };
        let used = seen.used(trace, function.0, function.1);
        for variable in &used.variables {
            let place = trace.variable_place(scene, *variable);
            place.map(|place| trace.behind_import(place, begun)).filter(&is_older).into_iter().for_each(&mut add);
        }
        used.members.iter().filter_map(|member| trace.member_of_module(scene, *member)).for_each(&mut add);
    }
    happened.variables.iter().copied().for_each(&mut add);
    let mut found = Vec::new();
    for place in places {
        let Some(code) = trace.thread.code().unit(place.unit).and_then(|unit| unit.code().ok()) else { continue };
        let declared = code.sites.variable(place.variable);
        // What an import stands for is not known if it is of Node or of a module that was not recorded.
        if declared.kind == VariableKind::Import {
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
        let is_definition = matches!(declared.kind, VariableKind::Function | VariableKind::Class);
        // A constant that holds code is no state, unless the function keeps some in its properties.
        let is_code = match entry {
            Some(Datum::Object(object)) if trace.is_function(object) == Some(true) => {
                !graph::holds_state(trace, object, begun) && !happened.objects.contains(&object)
            }
            _ => is_definition,
        };
        if is_code && (is_definition || !is_changed) {
            continue;
        }
        let name = code.sites.name(declared.name).to_owned();
        let is_changed = is_changed && entry != exit;
        found.push(VariableChange { name, is_local, entry, exit, is_changed });
    }
    found
}

/// A function, and a frame of it.
type Closure = ((SiteId, FunctionIndex), FrameId);

/// The functions that were called, each with a frame for every scope that it was made in: there it finds its variables.
fn closures_below(trace: &Trace, tree: &Tree, node: Node, seen: &Seen) -> Vec<Closure> {
    let mut known = HashSet::new();
    let mut keeps_variables: HashMap<FunctionNumber, bool> = HashMap::new();
    let mut found = Vec::new();
    for below in tree.subtree(node).take(MOST_NODES).map(Node) {
        let Some(frame) = tree.frame(below) else { continue };
        let number = tree.function(below);
        let called = tree.functions()[number.0 as usize];
        let function = (called.unit, called.function);
        let is_closure = *keeps_variables.entry(number).or_insert_with(|| seen.is_closure(trace, function));
        let scope = if is_closure { trace.frame(frame).and_then(|frame| frame.scope) } else { None };
        if known.insert((number, scope)) {
            found.push((function, frame));
        }
    }
    found
}

/// So many calls are looked at for the variables that they could read.
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

    /// Whether a function uses variables of which there is more than one: all but those of the file.
    fn is_closure(&self, trace: &Trace, (unit, function): (SiteId, FunctionIndex)) -> bool {
        let Some(code) = trace.thread.code().unit(unit).and_then(|unit| unit.code().ok()) else { return true };
        let is_of_file = |variable: &VariableIndex| match code.sites.variable(*variable).owner {
            Owner::Function(owner) => code.sites.function(owner).kind == FunctionKind::Module,
            Owner::Block(_) => false,
            Owner::Global => true,
        };
        !self.used(trace, unit, function).variables.iter().all(is_of_file)
    }

    /// Variables of others that a function and those inside it use.
    pub(super) fn used_within(&self, trace: &Trace, unit: SiteId, function: FunctionIndex) -> Vec<VariableIndex> {
        let code = trace.thread.code().unit(unit).and_then(|unit| unit.code().ok());
        let Some(code) = code else { return Vec::new() };
        let all = (0..code.sites.functions.len() as u32).map(FunctionIndex);
        let within = all.filter(|inner| code.sites.ancestors(*inner).any(|around| around == function));
        within.flat_map(|inner| self.used(trace, unit, inner).variables).collect()
    }

    fn used(&self, trace: &Trace, unit: SiteId, function: FunctionIndex) -> Used {
        let mut known = self.used.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let of_unit = known.entry(unit).or_insert_with(|| Arc::new(used_in(trace, unit)));
        of_unit.get(&function).cloned().unwrap_or_default()
    }
}

fn used_in(trace: &Trace, unit: SiteId) -> UsedByFunction {
    let mut used = UsedByFunction::new();
    let Some(code) = trace.code(unit) else { return used };
    let Ok(file) = code.unit.code() else { return used };
    let is_import = |variable: VariableIndex| file.sites.variable(variable).kind == VariableKind::Import;
    for (expression, number) in code.facts.expressions.iter().zip(0..) {
        if let ExprNode::Member { object, .. } = expression.node
            && matches!(code.expression(object).node, ExprNode::Variable(VariableRef::Known(variable)) if is_import(variable))
        {
            used.entry(expression.function).or_default().members.push(ExprId(number));
        }
        if let ExprNode::Call(call) = &expression.node
            && trace.language().is_fickle(code.text(call.callee), call.arguments.len())
        {
            used.entry(expression.function).or_default().is_fickle = true;
        }
        let ExprNode::Variable(VariableRef::Known(variable)) = expression.node else { continue };
        if is_import(variable) && is_fickle_import(trace, &code, variable) {
            used.entry(expression.function).or_default().is_fickle = true;
        }
        let is_own = match file.sites.variable(variable).owner {
            Owner::Function(owner) => owner == expression.function,
            Owner::Block(block) => file.sites.site(block).function == expression.function,
            Owner::Global => false,
        };
        let of_function = &mut used.entry(expression.function).or_default().variables;
        if !is_own && !of_function.contains(&variable) {
            of_function.push(variable);
        }
    }
    used
}

fn is_fickle_import(trace: &Trace, code: &Code, variable: VariableIndex) -> bool {
    let import = code.facts.imports.iter().find(|import| import.variable == variable);
    import.is_some_and(|import| trace.language().is_fickle_module(&import.specifier))
}

impl Trace<'_> {
    /// The variable of another module that an import stands for, where it is recorded.
    pub(super) fn behind_import(&self, place: VariablePlace, before: EventId) -> VariablePlace {
        self.imported(place.unit, place.variable, before).unwrap_or(place)
    }

    fn member_of_module(&self, scene: Scene, member: ExprId) -> Option<VariablePlace> {
        let code = self.code(scene.unit)?;
        let ExprNode::Member { object, key, .. } = &code.expression(member).node else { return None };
        self.imported_member(scene, &code.expression(*object).node, key)
    }

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

/// An exception is caught soon, or nobody knows which of those that are caught it is.
const MOST_STEPS_TO_CATCH: usize = 200;

/// What the runtime says beside an event.
fn is_remark(record: &Record) -> bool {
    matches!(
        record,
        Record::Look { .. } | Record::String(..) | Record::Symbol(..) | Record::Time { .. } | Record::Message { .. }
    )
}

/// The keys of an object and what they hold: properties, then entries of a Map or Set.
pub fn fields(contents: &Contents) -> impl Iterator<Item = (String, &Datum, EventId)> {
    let name = |key: &PropertyKey| match key {
        PropertyKey::Name(name) => name.clone(),
        PropertyKey::Symbol(symbol) => format!("@@{}", symbol.0),
    };
    let properties = contents.properties.iter().map(move |(key, slot)| (name(key), &slot.value, slot.since));
    let entries = contents.entries.iter().map(|(key, slot)| (format!("<{}>", key.text()), &slot.value, slot.since));
    let value = contents.stands_for.iter().map(|value| ("<value>".to_owned(), value, EventId(0)));
    properties.chain(entries).chain(value)
}
