//! What led to a wrong value: the calls that its dynamic slice passes through, and what of them.
//!
//! The way back is the one of `why`: data and control, best first, and what else it follows (writes that were passed over, what
//! an absent property would have needed). The cheaper it comes to an event, the more that event has to do with the value.

use std::collections::{BTreeMap, HashMap};

use trace_model::{EventId, Node as ExprNode, ObjectId, SiteId, Way};
use trace_store::{FrameInfo, Step};

use super::{Node, Tree};
use crate::why::{Limits, Start, Visit, visits};
use crate::{Datum, Failure, Place, Trace};

/// What is wrong.
pub enum Criterion {
    Failure(Failure),
    /// A place that holds something wrong before an event, and all that it leads to.
    Place {
        place: Place,
        value: Option<Datum>,
        before: EventId,
    },
    /// What a call returned, and all that it leads to.
    Returned {
        frame: FrameInfo,
        value: Option<Datum>,
        before: EventId,
    },
    /// What was written by this event.
    Output(Step),
    /// Nothing is known.
    None,
}

/// How far each call had to do with what is wrong.
#[derive(Clone, Debug, Default)]
pub struct Relevance {
    /// By entity that the call covered: from 1, all of it, to 0, nothing.
    pub nodes: HashMap<Node, BTreeMap<u32, f64>>,
    /// By entity: how far passing runs leave it suspected, from 1 to 0; nothing where there is no such run.
    pub passing: Vec<f64>,
}

/// The slice, as far as so many questions lead.
pub fn slice(trace: &Trace, tree: &Tree, criterion: Criterion, n_questions: usize) -> Relevance {
    let limits = Limits { lines: usize::MAX, questions: n_questions };
    let mut starts = Vec::new();
    match &criterion {
        Criterion::Failure(failure) => starts.push(Start::Failure(failure)),
        Criterion::Place { place, value, before } => {
            starts.push(Start::Held { place: place.clone(), before: *before });
            inside(trace, value.as_ref(), *before, &mut starts);
        }
        Criterion::Returned { frame, value, before } => {
            starts.extend(trace.return_of(frame).map(|step| Start::Given { event: step.id }));
            inside(trace, value.as_ref(), *before, &mut starts);
        }
        Criterion::Output(step) => printed(trace, step, &mut starts),
        Criterion::None => {}
    }
    let visits = visits(trace, starts, limits);
    let mut relevance = Relevance::default();
    for visit in visits {
        note(trace, tree, &visit, &mut relevance);
    }
    relevance
}

/// What was printed: the arguments of the call that printed, and what is inside them.
fn printed(trace: &Trace, output: &Step, starts: &mut Vec<Start>) {
    let Some((code, step, call)) = trace.effect_call(output) else { return };
    let ExprNode::Call(call) = &code.expression(call).node else { return };
    let Some(scene) = trace.scene(&step) else { return };
    let scene = crate::Scene { before: output.id, ..scene };
    let evaluation = trace.evaluation(&step);
    for argument in &call.arguments {
        starts.push(Start::Printed { call: step.id, argument: *argument, output: output.id });
        let value = trace.value_in(&code, scene, &evaluation, *argument).ok();
        inside(trace, value.as_ref(), output.id, starts);
    }
}

/// All places that can be reached from a value.
fn inside(trace: &Trace, value: Option<&Datum>, before: EventId, starts: &mut Vec<Start>) {
    let mut known: Vec<ObjectId> = value.and_then(Datum::object).into_iter().collect();
    let mut next = 0;
    while let Some(object) = known.get(next).copied()
        && known.len() < MOST_OBJECTS
    {
        next += 1;
        if trace.is_function(object) == Some(true) {
            continue;
        }
        let Some(contents) = trace.contents(object, before) else { continue };
        let properties = contents
            .properties
            .into_iter()
            .map(|(key, slot)| (Place::Property { object, key }, slot.value))
            .chain(contents.entries.into_iter().map(|(key, slot)| (Place::Entry { object, key }, slot.value)));
        for (place, value) in properties {
            starts.push(Start::Held { place, before });
            if let Some(inner) = value.object().filter(|inner| !known.contains(inner)) {
                known.push(inner);
            }
        }
    }
}

const MOST_OBJECTS: usize = 300;

/// At this price an event has half as much to do with the value.
const HALF_PRICE: f64 = 8.0;

fn note(trace: &Trace, tree: &Tree, visit: &Visit, relevance: &mut Relevance) -> Option<()> {
    let step = trace.thread.step(visit.event)?;
    let step = trace.anchor(&step)?;
    let node = tree.node_of(step.frame?)?;
    let site = step.site()?;
    let code = trace.code(site)?;
    let share = HALF_PRICE / (HALF_PRICE + visit.cost.max(0.0));
    let covered = tree.entities.get(tree.set(node));
    let entities = relevance.nodes.entry(node).or_default();
    let mut add = |site: SiteId, way: u32| {
        if let Some(entity) = tree.entities.number(site.0, way).filter(|entity| covered.binary_search(entity).is_ok()) {
            let known = entities.entry(entity).or_insert(0.0);
            *known = known.max(share);
        }
    };
    // A branch that was taken is an edge itself.
    let truth = trace.step_value(&step).and_then(|value| value.truth());
    add(site, u32::from(truth != Some(false)));
    let dependences = &code.site_facts(site).depends_on;
    for dependence in dependences {
        let branch = code.global(dependence.branch);
        match dependence.way {
            Way::True | Way::Any => add(branch, 1),
            Way::False => add(branch, 0),
        }
    }
    if dependences.is_empty() {
        let function = trace.site(site)?.site.function;
        for enter in trace.sites_of_function(code.base(), function, |kind| kind == trace_model::SiteKind::Enter) {
            add(enter, 1);
        }
    }
    Some(())
}
