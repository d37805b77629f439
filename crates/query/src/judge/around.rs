//! What a call could have asked for: variables of the functions and the file around it, and those that functions which it could
//! reach keep. The right call might have read any of them, so two calls are the same only if all of it is.

use std::collections::{BTreeMap, HashMap, HashSet};

use trace_model::{EventId, FunctionIndex, ObjectId, Owner, SiteId, VariableIndex, VariableKind};
use trace_store::VariablePlace;

use super::effects::{Happenings, Seen, reachable};
use super::{CallEffects, ObjectStates};
use crate::{Datum, Scene, Trace, VariableState};

pub struct Around {
    pub variables: Vec<(String, Datum)>,
    pub objects: BTreeMap<ObjectId, ObjectStates>,
    /// Functions, by where they stand in the source.
    pub functions: HashMap<ObjectId, String>,
    /// Whether there was more than could be followed.
    pub is_cut: bool,
}

/// So many functions are asked for the variables that they keep.
const MOST_FUNCTIONS: usize = 1_000;

pub fn around(trace: &Trace, call: &CallEffects, seen: &Seen) -> Around {
    let begun = call.begun;
    let happened = Happenings::default();
    let mut graph = reachable(trace, begun, &happened);
    for states in call.objects.values().filter_map(|states| states.entry.as_ref()) {
        graph.root("", Some(&Datum::Object(states.object)), None);
    }
    let values = call.arguments.iter().map(|argument| &argument.entry);
    let values = values.chain(call.variables.iter().filter_map(|variable| variable.entry.as_ref()));
    values.for_each(|value| graph.root("", Some(value), None));
    let mut known: HashSet<VariablePlace> = HashSet::new();
    let mut variables = Vec::new();
    let mut functions = HashMap::new();
    let scene = Scene { before: begun, frame: Some(call.frame.id), unit: call.frame.unit, within: None };
    let outer = outwards(trace, call.frame.unit, call.frame.function);
    let mut open = visible(trace, scene, outer.get(1..).unwrap_or_default());
    let mut n_functions = 0;
    let mut is_cut = false;
    loop {
        for place in open.drain(..).filter(|place| known.insert(*place)) {
            let Some((name, value)) = held(trace, &place, begun) else { continue };
            graph.root(&name, Some(&value), None);
            variables.push((name, value));
        }
        graph.follow_open();
        let reached = graph.take_functions();
        if reached.is_empty() {
            break;
        }
        n_functions += reached.len();
        is_cut = n_functions > MOST_FUNCTIONS;
        if is_cut {
            break;
        }
        for function in reached {
            functions.extend(trace.function_of(function).map(|of| (function, source_of(trace, of.0, of.1))));
            open.extend(kept_by(trace, function, seen));
        }
    }
    is_cut |= graph.is_cut();
    Around { variables, objects: graph.into_objects(), functions, is_cut }
}

/// Variables of some of the functions around a frame, or of its own.
fn visible(trace: &Trace, scene: Scene, owners: &[FunctionIndex]) -> Vec<VariablePlace> {
    let code = trace.thread.code().unit(scene.unit).and_then(|unit| unit.code().ok());
    let Some(code) = code else { return Vec::new() };
    let is_visible = |owner: Owner| match owner {
        Owner::Function(function) => owners.contains(&function),
        Owner::Block(block) => owners.contains(&code.sites.site(block).function),
        Owner::Global => true,
    };
    let numbered = code.sites.variables.iter().zip(0..).filter(|(variable, _)| is_visible(variable.owner));
    let places = numbered.filter_map(|(_, number)| trace.variable_place(scene, VariableIndex(number)));
    places.map(|place| trace.behind_import(place, scene.before)).collect()
}

/// Functions of the source from one outwards.
fn outwards(trace: &Trace, unit: SiteId, function: FunctionIndex) -> Vec<FunctionIndex> {
    let code = trace.thread.code().unit(unit).and_then(|unit| unit.code().ok());
    code.map_or(Vec::new(), |code| code.sites.ancestors(function).collect())
}

/// The variables that a function object can use, in the scope in which it was made.
fn kept_by(trace: &Trace, object: ObjectId, seen: &Seen) -> Vec<VariablePlace> {
    let Some(birth) = trace.first_seen(object) else { return Vec::new() };
    if let Some((unit, function)) = trace.function_of(object) {
        let scene = Scene { before: birth.id, frame: birth.frame, unit, within: None };
        let used = seen.used_within(trace, unit, function).into_iter();
        let places = used.filter_map(|variable| trace.variable_place(scene, variable));
        return places.map(|place| trace.behind_import(place, birth.id)).collect();
    }
    // Methods are born together with what they are methods of: which of them it is, is not known.
    let Some(frame) = birth.frame.and_then(|frame| trace.frame(frame)) else { return Vec::new() };
    let scene = Scene { before: EventId(birth.id.0 + 1), frame: Some(frame.id), unit: frame.unit, within: None };
    visible(trace, scene, &outwards(trace, frame.unit, frame.function))
}

/// The name of a variable and what it holds; nothing of what has no value yet or is not known.
fn held(trace: &Trace, place: &VariablePlace, before: EventId) -> Option<(String, Datum)> {
    let code = trace.thread.code().unit(place.unit)?.code().ok()?;
    let declared = code.sites.variable(place.variable);
    let VariableState::Written { value, .. } = trace.variable(place, before) else { return None };
    (declared.kind != VariableKind::Import).then(|| (code.sites.name(declared.name).to_owned(), value))
}

fn source_of(trace: &Trace, unit: SiteId, function: FunctionIndex) -> String {
    let path = trace.thread.code().unit(unit).map_or("", |unit| unit.record.path.as_str());
    // Another run may have been made in another folder.
    let file = path.rsplit('/').next().unwrap_or(path);
    format!("{file} {}", function.0)
}
