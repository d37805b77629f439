//! What led to a wrong value: the calls that its dynamic slice passes through, and what of them.
//!
//! The way back is the one of `why`: data and control, best first, and what else it follows (writes that were passed over, what
//! an absent property would have needed). The cheaper it comes to an event, the more that event has to do with the value; where a test
//! failed beside others that passed, the fitted weights of `why` say which are the cheapest.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use trace_model::{EventId, Node as ExprNode, ObjectId, SiteId, Way};
use trace_store::{FrameInfo, Step};

use super::inference::odds;
use super::{Node, SetNumber, Tree};
use crate::why::{Limits, Start, Visit, visits, visits_of_failure};
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

impl Criterion {
    /// What happens later had nothing to do with it.
    pub fn moment(&self) -> Option<EventId> {
        match self {
            Criterion::Failure(failure) => Some(failure.thrown.before),
            Criterion::Place { before, .. } | Criterion::Returned { before, .. } => Some(*before),
            Criterion::Output(step) => Some(step.id),
            Criterion::None => None,
        }
    }
}

/// How far each call had to do with a value, by entity that the call covered: from 1, all of it, to 0, nothing.
pub type Shares = HashMap<Node, BTreeMap<u32, f64>>;

/// What is believed before anything is judged.
#[derive(Clone, Debug, Default)]
pub struct Relevance {
    /// What led to something wrong.
    pub wrong: Shares,
    /// What led to something right.
    pub right: Shares,
    /// By entity: the odds of what is right, each value counted once; nothing where nothing is known.
    pub exonerated: Vec<f64>,
    /// What is entered behind this had nothing to do with what is wrong.
    pub moment: Option<EventId>,
    /// By entity: how much code it decides about.
    pub sizes: Vec<f64>,
    /// By entity: how many passing runs and passing tests covered it; nothing where there are none.
    pub passing: Vec<u32>,
}

/// How likely something wrong shows in what it led to.
const SHOWS: f64 = 0.8;
/// What was believed before a person pointed at something else counts as much of what it did.
const FADED: f64 = 0.5;

impl Relevance {
    /// Something else is wrong as well. Whoever points at a place says where to look, and not where not to.
    pub fn add_wrong(&mut self, shares: &Shares) {
        for share in self.wrong.values_mut().flat_map(|entities| entities.values_mut()) {
            *share *= FADED;
        }
        merge(&mut self.wrong, shares);
    }

    /// Something came out right: a test that passed, of what led to it.
    pub fn add_right(&mut self, tree: &Tree, shares: &Shares) {
        let mut most = vec![0.0f64; tree.entities.n_entities()];
        for (entity, share) in shares.values().flatten() {
            let known = &mut most[*entity as usize];
            *known = known.max(*share);
        }
        self.exonerated.resize(most.len(), 0.0);
        for (known, share) in self.exonerated.iter_mut().zip(most) {
            *known += odds(SHOWS * share);
        }
        merge(&mut self.right, shares);
    }

    /// By entity: so many more runs or tests passed that covered it.
    pub fn add_passing(&mut self, n_covering: &[u32]) {
        self.passing.resize(self.passing.len().max(n_covering.len()), 0);
        for (known, more) in self.passing.iter_mut().zip(n_covering) {
            *known += more;
        }
    }

    /// The calls of which something is known, each once.
    pub(super) fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.wrong.keys().chain(self.right.keys().filter(|node| !self.wrong.contains_key(node)))
    }

    /// How likely a call did no wrong at an entity, by what is right.
    pub(super) fn cleared(&self, node: Node, entity: u32) -> f64 {
        let share = self.right.get(&node).and_then(|entities| entities.get(&entity));
        share.map_or(0.0, |share| SHOWS * share)
    }
}

fn merge(known: &mut Shares, more: &Shares) {
    for (node, entities) in more {
        let known = known.entry(*node).or_default();
        for (entity, share) in entities {
            let known = known.entry(*entity).or_insert(0.0);
            *known = known.max(*share);
        }
    }
}

/// The slice, as far as so many questions lead.
pub fn slice(trace: &Trace, tree: &Tree, criterion: Criterion, n_questions: usize) -> Shares {
    let limits =
        Limits { hops: usize::MAX, found: usize::MAX, questions: n_questions, all_rounds: true, ..Limits::default() };
    let mut starts = Vec::new();
    match &criterion {
        Criterion::Failure(failure) => return noted(trace, tree, visits_of_failure(trace, failure, limits)),
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
    noted(trace, tree, visits(trace, starts, limits))
}

/// By entity: how many tests covered it that passed beside the one that failed.
pub fn passing_tests(trace: &Trace, tree: &Tree, failure: &Failure, all: &[Failure]) -> Vec<u32> {
    let mut n_covering = vec![0u32; tree.entities.n_entities()];
    let tests = trace.passing_tests(failure, all);
    for test in tests.into_iter().filter_map(|test| tree.node_of(test.id)) {
        let sets: BTreeSet<SetNumber> = tree.subtree(test).map(|node| tree.set(Node(node))).collect();
        let covered: BTreeSet<u32> = sets.into_iter().flat_map(|set| tree.entities.get(set)).copied().collect();
        covered.into_iter().for_each(|entity| n_covering[entity as usize] += 1);
    }
    n_covering
}

fn noted(trace: &Trace, tree: &Tree, visits: Vec<Visit>) -> Shares {
    let mut shares = Shares::default();
    for visit in visits {
        note(trace, tree, &visit, &mut shares);
    }
    shares
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

fn note(trace: &Trace, tree: &Tree, visit: &Visit, shares: &mut Shares) -> Option<()> {
    let step = trace.thread.step(visit.event)?;
    let step = trace.anchor(&step)?;
    let node = tree.node_of(step.frame?)?;
    let site = step.site()?;
    let code = trace.code(site)?;
    let share = HALF_PRICE / (HALF_PRICE + visit.cost.max(0.0));
    let covered = tree.entities.get(tree.set(node));
    let entities = shares.entry(node).or_default();
    let mut add = |site: SiteId, way: u32| {
        if let Some(entity) = tree.entities.number(site.0, way).filter(|entity| covered.binary_search(entity).is_ok()) {
            let known = entities.entry(entity).or_insert(0.0);
            *known = known.max(share);
        }
    };
    // A branch that was taken is an edge itself.
    let truth = trace.step_value(&step).and_then(|value| trace.truth_of(&value));
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
