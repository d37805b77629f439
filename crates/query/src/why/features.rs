//! What is known of a hop that tells how likely the mistake is there. [`weights`](super::weights) says how much each of it counts.

use std::collections::HashSet;

use trace_model::{ExprId, Node};

use super::siblings::Siblings;
use super::{Discrepancy, Failure, Hop, HopKind, Search};
use crate::Code;

pub const N_FEATURES: usize = FEATURES.len();

/// In the order of the values of [`Search::features`].
pub const FEATURES: [&str; 34] = [
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
];

impl Search<'_, '_> {
    /// The features of each hop, by its number.
    pub(super) fn features(&self, known: &Known) -> Vec<[f64; N_FEATURES]> {
        let mut n_explaining = vec![0_u32; self.hops.len()];
        for parent in self.hops.iter().filter_map(|hop| hop.parent) {
            n_explaining[parent] += 1;
        }
        let mut depths: Vec<u32> = Vec::new();
        for hop in &self.hops {
            depths.push(hop.parent.and_then(|parent| depths.get(parent)).map_or(0, |depth| depth + 1));
        }
        let of = |number: usize| self.features_of(number, depths[number], n_explaining[number], known);
        (0..self.hops.len()).map(of).collect()
    }

    fn features_of(&self, number: usize, depth: u32, n_explaining: u32, known: &Known) -> [f64; N_FEATURES] {
        let (hop, root, siblings) = (&self.hops[number], &self.hops[0], &known.siblings);
        let whose = self.whose(hop, known);
        let is_about_amount =
            matches!(known.discrepancy, Some(Discrepancy::Missing | Discrepancy::Extra | Discrepancy::Length));
        let is_kind = |kinds: &[HopKind]| truth(kinds.contains(&hop.kind));
        let computed = self.computed(hop);
        let age = (self.failed.0.saturating_sub(hop.step.id.0)) as f64;
        [
            hop.cost,
            (1.0 + number as f64).ln(),
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
            truth(hop.value.as_ref().is_some_and(crate::Datum::is_bad)),
            (1.0 + age).ln() / (2.0 + self.failed.0 as f64).ln(),
            f64::from(1 + n_explaining).ln(),
            siblings.share(self.trace, &hop.step).unwrap_or(0.5),
            truth(siblings.share(self.trace, &hop.step) == Some(0.0)),
            truth(siblings.is_new_there(&hop.step, hop.value.as_ref())),
            siblings.n_passed(&hop.step).map_or(0.0, |n| f64::from(1 + n).ln()),
            is_kind(&[HopKind::Condition]) * truth(is_about_amount),
            is_kind(&[HopKind::Birth]) * truth(is_about_amount),
            is_kind(&[HopKind::Condition]) * truth(known.discrepancy == Some(Discrepancy::Thrown)),
            truth(self.first_decision.is_some_and(|first| number >= first)),
            truth(hop.rounds.is_some()),
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

fn truth(is_so: bool) -> f64 {
    if is_so { 1.0 } else { 0.0 }
}

const MOST_PARTS: usize = 50;
const MOST_FRAMES: usize = 1000;
