//! What is known of a hop that tells how likely the mistake is there. [`weights`](super::weights) says how much each of it counts.

use std::collections::{HashMap, HashSet};

use trace_model::{EventId, ExprId, FunctionIndex, Node, SiteId};
use trace_store::FrameInfo;

use super::siblings::Siblings;
use super::{Discrepancy, Failure, Hop, HopKind, Search};
use crate::{Code, Datum};

pub const N_FEATURES: usize = FEATURES.len();

/// In the order of the values of [`Search::features`].
pub const FEATURES: [&str; 51] = [
    "price of the way",
    "order of being found",
    "length of the way",
    "write",
    "object made",
    "argument",
    "return",
    "condition",
    "call",
    "registration or resumption",
    "removed or never written",
    "code that is not recorded",
    "something that happened elsewhere",
    "decided by a branch that is told with it",
    "library that tests or asserts",
    "other library",
    "other library, without other tests",
    "file of the failure",
    "function of the failure",
    "only a literal",
    "only a copy",
    "size of the expression",
    "no value (undefined, null, NaN)",
    "age",
    "hops that explain it",
    "part of the passing tests that did it too",
    "done by no passing test",
    "a value as no passing test had there",
    "how often the failing test came by",
    "condition, where something is missing or too much",
    "object made, where something is missing or too much",
    "condition, where an exception came",
    "decision that no data leads to",
    "other times round",
    "throw",
    "suspicion by the tests",
    "suspicion of the place",
    "suspicion of the function",
    "more suspicious hops",
    "hops as suspicious",
    "more suspicious functions",
    "newer hops",
    "part of the passing tests that came by and went the other way",
    "file of the test",
    "deeper than the test",
    "deeper than the failure",
    "hops in the same function",
    "the value that was found",
    "the value that was wanted",
    "changed lately",
    "what was changed lately is known",
];

impl Search<'_, '_> {
    /// The features of each hop, by its number; what explains another time of a line counts as explaining the line.
    pub(super) fn features(&self, known: &Known) -> Vec<[f64; N_FEATURES]> {
        let told: Vec<usize> = (0..self.hops.len()).filter(|number| !self.is_other_time(*number)).collect();
        let mut n_explaining = vec![0_u32; self.hops.len()];
        let mut depths = vec![0_u32; self.hops.len()];
        for number in &told {
            if let Some(parent) = self.explained(*number) {
                n_explaining[parent] += 1;
                depths[*number] = depths[parent] + 1;
            }
        }
        let tested = self.tested(&told, known);
        let mut features = vec![[0.0; N_FEATURES]; self.hops.len()];
        for (order, number) in told.into_iter().enumerate() {
            let place = InTree { number, order, depth: depths[number], n_explaining: n_explaining[number] };
            features[number] = self.features_of(&place, known, &tested);
        }
        features
    }

    /// What the tests say of hops.
    fn tested(&self, hops: &[usize], known: &Known) -> Vec<Tested> {
        let mut functions: HashMap<(SiteId, FunctionIndex), f64> = HashMap::new();
        let of = |number: &usize| {
            let hop = &self.hops[*number];
            let frame = hop.step.frame.and_then(|frame| self.trace.frame(frame));
            let function = frame.as_ref().map(|frame| (frame.unit, frame.function));
            let of_function = function.map_or(0.0, |(unit, function)| {
                let suspicion = || known.siblings.suspicion_of_function(self.trace, unit, function);
                *functions.entry((unit, function)).or_insert_with(suspicion)
            });
            Tested {
                suspicion: known.siblings.suspicion(self.trace, &hop.step),
                function,
                of_function,
                depth: frame.map_or(0, |frame| frame.depth),
                event: hop.step.id,
            }
        };
        hops.iter().map(of).collect()
    }

    fn features_of(&self, place: &InTree, known: &Known, all: &[Tested]) -> [f64; N_FEATURES] {
        let InTree { number, order, depth, n_explaining } = *place;
        let own = &all[order];
        let count =
            |is_it: &dyn Fn(&Tested) -> bool| (1.0 + all.iter().filter(|other| is_it(other)).count() as f64).ln();
        let deeper = |than: u32| f64::from(own.depth) - f64::from(than);
        let is_value = |value: Option<&Datum>| truth(value.is_some() && hop_value(&self.hops[number]) == value);
        let (hop, root, siblings) = (&self.hops[number], &self.hops[0], &known.siblings);
        let whose = self.whose(hop, known);
        let is_about_amount =
            matches!(known.discrepancy, Some(Discrepancy::Missing | Discrepancy::Extra | Discrepancy::Length));
        let is_kind = |kinds: &[HopKind]| truth(kinds.contains(&hop.kind));
        let computed = self.computed(hop);
        let age = (self.failed.0.saturating_sub(hop.step.id.0)) as f64;
        [
            hop.cost,
            (1.0 + order as f64).ln(),
            f64::from(1 + depth).ln(),
            is_kind(&[HopKind::Write]),
            is_kind(&[HopKind::Birth]),
            is_kind(&[HopKind::Argument]),
            is_kind(&[HopKind::Return]),
            is_kind(&[HopKind::Condition]),
            is_kind(&[HopKind::Call, HopKind::NoReceiver]),
            is_kind(&[HopKind::Registration, HopKind::Resume]),
            is_kind(&[HopKind::Removed, HopKind::NeverWritten]),
            is_kind(&[HopKind::Foreign, HopKind::Received, HopKind::Sent]),
            is_kind(&[HopKind::Evidence, HopKind::Pending]),
            truth(hop.because.is_some()),
            truth(whose == Whose::Harness),
            truth(whose == Whose::Library),
            truth(whose == Whose::Library && siblings.is_empty()),
            truth(hop.at.unit == root.at.unit),
            truth(hop.step.frame.is_some() && hop.step.frame == root.step.frame),
            truth(computed == Computed::Literal),
            truth(computed == Computed::Copy),
            match computed {
                Computed::Parts(n_parts) => f64::from(1 + n_parts).ln(),
                _ => 0.0,
            },
            truth(hop.value.as_ref().is_some_and(Datum::is_bad)),
            (1.0 + age).ln() / (2.0 + self.failed.0 as f64).ln(),
            f64::from(1 + n_explaining).ln(),
            siblings.share(self.trace, &hop.step).unwrap_or(0.5),
            truth(siblings.share(self.trace, &hop.step) == Some(0.0)),
            truth(siblings.is_new_there(&hop.step, hop.value.as_ref())),
            f64::from(1 + siblings.n_times(&hop.step)).ln(),
            is_kind(&[HopKind::Condition]) * truth(is_about_amount),
            is_kind(&[HopKind::Birth]) * truth(is_about_amount),
            is_kind(&[HopKind::Condition]) * truth(known.discrepancy == Some(Discrepancy::Thrown)),
            truth(self.first_decision.is_some_and(|first| number >= first)),
            truth(hop.rounds.is_some()),
            is_kind(&[HopKind::Throw]),
            own.suspicion,
            siblings.suspicion_of_site(&hop.step),
            own.of_function,
            count(&|other| other.suspicion > own.suspicion),
            count(&|other| other.suspicion == own.suspicion),
            count(&|other| other.of_function > own.of_function),
            count(&|other| other.event > own.event),
            siblings.went_elsewhere(self.trace, &hop.step),
            truth(known.test.as_ref().is_some_and(|test| test.unit == hop.at.unit)),
            known.test.as_ref().map_or(0.0, |test| deeper(test.depth)),
            deeper(all[0].depth),
            count(&|other| own.function.is_some() && other.function == own.function),
            is_value(known.compared.as_ref().map(|(found, _)| found)),
            is_value(known.compared.as_ref().map(|(_, wanted)| wanted)),
            truth(self.was_changed(hop)),
            truth(self.changed.is_some()),
        ]
    }

    /// The libraries that called the failing test, or that failed in it.
    pub(super) fn harness(&self, failure: &Failure) -> HashSet<String> {
        let mut harness = HashSet::new();
        let test = self.trace.called_from_outside(failure.thrown.frame);
        let mut frames = vec![test.and_then(|test| self.trace.caller_of(&test))];
        frames.push(failure.thrown.step.frame);
        for first in frames {
            let mut frame = first.and_then(|frame| self.trace.frame(frame));
            for _ in 0..MOST_FRAMES {
                let Some(info) = frame.take_if(|info| !self.trace.is_own(info.unit)) else { break };
                harness.extend(self.trace.library(info.unit).map(str::to_owned));
                frame = self.trace.caller_of(&info).and_then(|caller| self.trace.frame(caller));
            }
        }
        harness
    }

    /// Whether a hop is in what runs the tests, or compares.
    pub(super) fn is_of_harness(&self, hop: &Hop, known: &Known) -> bool {
        self.whose(hop, known) == Whose::Harness
    }

    fn whose(&self, hop: &Hop, known: &Known) -> Whose {
        match self.trace.library(hop.at.unit) {
            Some(library) if self.is_about_project() => {
                if known.harness.contains(library) {
                    Whose::Harness
                } else {
                    Whose::Library
                }
            }
            _ => Whose::Project,
        }
    }

    fn computed(&self, hop: &Hop) -> Computed {
        let Some(site) = hop.step.site() else { return Computed::Nothing };
        let Some(code) = self.trace.code(site) else { return Computed::Nothing };
        match code.site_facts(site).value {
            Some(value) => match &code.expression(value).node {
                Node::Literal(_) => Computed::Literal,
                Node::Variable(_) | Node::Parameter { .. } | Node::Element { .. } | Node::This => Computed::Copy,
                _ => Computed::Parts(n_parts(&code, value)),
            },
            None => Computed::Nothing,
        }
    }
}

/// What is known of a failure as a whole.
#[derive(Default)]
pub(super) struct Known {
    pub siblings: Siblings,
    pub harness: HashSet<String>,
    pub discrepancy: Option<Discrepancy>,
    /// The test that failed.
    pub test: Option<FrameInfo>,
    /// What an assertion found, and what it wanted.
    pub compared: Option<(Datum, Datum)>,
}

/// Where a hop is in the tree of what is told.
struct InTree {
    number: usize,
    /// How many were found before it.
    order: usize,
    depth: u32,
    n_explaining: u32,
}

/// What the tests of a recording say of a hop.
struct Tested {
    suspicion: f64,
    function: Option<(SiteId, FunctionIndex)>,
    of_function: f64,
    /// How many frames were below.
    depth: u32,
    event: EventId,
}

/// Whose code a hop is in.
#[derive(Clone, Copy, PartialEq)]
enum Whose {
    Project,
    /// Of what runs the tests, or compares.
    Harness,
    Library,
}

/// What the value of a hop was computed from.
#[derive(PartialEq)]
enum Computed {
    Nothing,
    Literal,
    Copy,
    /// So many operators, calls and members.
    Parts(u32),
}

fn n_parts(code: &Code, whole: ExprId) -> u32 {
    let span = code.expression(whole).span;
    let inside =
        code.facts.expressions.iter().filter(|part| span.start <= part.span.start && part.span.end <= span.end);
    inside.filter(|part| !matches!(part.node, Node::Literal(_) | Node::Variable(_))).take(MOST_PARTS).count() as u32
}

/// A text, a number or an object; that something is true, false or nothing is so everywhere.
fn hop_value(hop: &Hop) -> Option<&Datum> {
    hop.value.as_ref().filter(|value| !value.is_nullish() && !matches!(value, Datum::Bool(_)))
}

fn truth(is_so: bool) -> f64 {
    if is_so { 1.0 } else { 0.0 }
}

const MOST_PARTS: usize = 50;
const MOST_FRAMES: usize = 1000;
