//! Which runs with one thing different to make, the most telling first.
//!
//! Decisions (tests of `if`, `?:` and loops, not of operators inside a condition) are turned at one hit, then forced each way; values
//! are replaced at the hops that `why` tells. Two orders are taken in turn, as neither is better on all failures: that of the search of
//! `why`, and the newest decision first.

use std::collections::{HashMap, HashSet};

use trace_model::{EventId, Intervention, InterventionChange, LocalSite, Node, SiteId, SiteKind, Span};
use trace_store::{Step, Target};

use super::past::WayPast;
use crate::why::{Limits, Start, visits, why};
use crate::{Datum, Failure, Trace};

/// One run to make.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The event that goes differently; of a decision that is forced, the newest one.
    pub step: Step,
    pub intervention: Intervention,
    pub different: Different,
    /// What is different, in the words of the source.
    pub subject: String,
}

/// What would have been otherwise.
#[derive(Clone, PartialEq, Debug)]
pub enum Different {
    /// The decision was this, this once or each time.
    Decision {
        truth: bool,
        each_time: bool,
    },
    Value(Datum),
    /// The value that a person gave.
    Typed(String),
    LeftOut,
}

/// The runs to make of a failure, at most so many.
pub fn experiments(trace: &Trace, failure: &Failure, most: usize) -> Vec<Experiment> {
    let mut planner = Planner::new(trace, failure);
    let (by_search, values) = planner.by_search(most);
    let by_age = planner.by_age(most);
    let mut planned: Vec<Experiment> = Vec::new();
    let mut known: HashSet<Intervention> = HashSet::new();
    // Of a line that holds both, the decision says more than the value.
    let mut orders = [by_search.into_iter(), by_age.into_iter(), values.into_iter()];
    while planned.len() < most {
        let before = known.len();
        for order in &mut orders {
            // What the other order had already does not cost this one its turn.
            let next = order.find(|group| group.iter().any(|it| !known.contains(&it.intervention)));
            planned.extend(next.into_iter().flatten().filter(|it| known.insert(it.intervention.clone())));
        }
        if known.len() == before {
            break;
        }
    }
    planned.truncate(most);
    planned
}

/// The experiment that a person asks for: at the event of a point. `None`: there is nothing of the kind.
pub fn experiment_at(trace: &Trace, step: &Step, change: &InterventionChange) -> Option<Experiment> {
    let site = step.site()?;
    let code = trace.code(site)?;
    let known = trace.site(site)?;
    let (hit, _) = trace.hit_of(step)?;
    let (span, different) = match change {
        InterventionChange::Turn | InterventionChange::Force(_) => {
            let span = decision_span(trace, step)?;
            let was = trace.truth(step)?;
            let truth = match change {
                InterventionChange::Force(truth) => *truth,
                _ => !was,
            };
            (span, Different::Decision { truth, each_time: false })
        }
        InterventionChange::Value(text) => (value_span(trace, step)?, Different::Typed(text.clone())),
        InterventionChange::Skip => {
            let statement = code.site_facts(site).statement?;
            (code.facts.statements[statement as usize].span, Different::LeftOut)
        }
    };
    let intervention = Intervention {
        path: known.unit.record.path.clone(),
        site: code.local(site),
        span,
        hit: Some(u32::try_from(hit).ok()?),
        change: change.clone(),
    };
    Some(Experiment { step: step.clone(), subject: text_of(trace, site, span), intervention, different })
}

struct Planner<'t, 'a> {
    trace: &'t Trace<'a>,
    failure: &'t Failure,
    way: WayPast,
    /// By code: the sites that are operators inside a condition.
    operators: HashMap<SiteId, HashSet<LocalSite>>,
}

impl<'t, 'a> Planner<'t, 'a> {
    fn new(trace: &'t Trace<'a>, failure: &'t Failure) -> Planner<'t, 'a> {
        Planner { trace, failure, way: WayPast::of(trace, failure), operators: HashMap::new() }
    }

    /// Decisions and values, in the order in which the search of `why` comes to them.
    fn by_search(&mut self, most: usize) -> (Vec<Vec<Experiment>>, Vec<Vec<Experiment>>) {
        let told = why(self.trace, self.failure.clone(), Limits::default());
        let hops: HashSet<EventId> = told.hops.iter().map(|hop| hop.event()).collect();
        let limits = Limits { hops: MOST_HOPS, ..Limits::default() };
        let visits = visits(self.trace, vec![Start::Failure(self.failure)], limits);
        let (mut decisions, mut values) = (Vec::new(), Vec::new());
        let mut known = HashSet::new();
        for visit in visits {
            if decisions.len() >= most {
                break;
            }
            let Some(step) = self.trace.thread.step(visit.event).filter(|step| known.insert(step.id)) else { continue };
            match self.decision(&step) {
                group if !group.is_empty() => decisions.push(group),
                _ if hops.contains(&step.id) => values.push(self.values(&step)),
                _ => {}
            }
        }
        (decisions, values)
    }

    /// The newest decision first; each place once.
    fn by_age(&mut self, most: usize) -> Vec<Vec<Experiment>> {
        let before = self.failure.thrown.before;
        let mut known = HashSet::new();
        let mut groups = Vec::new();
        for step in self.trace.thread.steps_before(before).take(MOST_STEPS) {
            let Some(site) = step.site() else { continue };
            let is_decision = matches!(self.trace.kind(&step), Some(SiteKind::Branch | SiteKind::Loop));
            if !is_decision || !known.insert(site) {
                continue;
            }
            groups.extend(Some(self.decision(&step)).filter(|group| !group.is_empty()));
            if groups.len() >= most {
                break;
            }
        }
        groups
    }

    /// The decision turned at this hit, then forced each way. A way that it took each time is no difference.
    fn decision(&mut self, step: &Step) -> Vec<Experiment> {
        let found = self.can_be_changed(step).then(|| experiment_at(self.trace, step, &InterventionChange::Turn));
        let Some(turned) = found.flatten() else { return Vec::new() };
        let Some(site) = step.site() else { return Vec::new() };
        if self.is_operator(site) {
            return Vec::new();
        }
        let ways = self.ways(site);
        let mut group = vec![turned.clone()];
        if ways.n_hits > 1 {
            for truth in [true, false] {
                let is_as_it_was = if truth { ways.n_false == 0 } else { ways.n_true == 0 };
                if !is_as_it_was {
                    let change = InterventionChange::Force(truth);
                    let intervention = Intervention { hit: None, change, ..turned.intervention.clone() };
                    let different = Different::Decision { truth, each_time: true };
                    group.push(Experiment { intervention, different, ..turned.clone() });
                }
            }
        }
        group
    }

    fn values(&mut self, step: &Step) -> Vec<Experiment> {
        if !self.can_be_changed(step) {
            return Vec::new();
        }
        let replacements = super::values::replacements(self.trace, step);
        let experiment = |value: Datum| {
            let change = InterventionChange::Value(self.trace.text(&value));
            let found = experiment_at(self.trace, step, &change)?;
            Some(Experiment { different: Different::Value(value), ..found })
        };
        replacements.into_iter().filter_map(experiment).collect()
    }

    /// Whether it is code of the program that failed, and not what checked it.
    fn can_be_changed(&self, step: &Step) -> bool {
        let Some(unit) = step.site().and_then(|site| self.trace.thread.code().unit(site)) else { return false };
        !self.way.is_check(step)
            && (self.trace.language().can_be_changed(&unit.record.path) || unit.code().is_ok_and(|it| it.has_origins()))
    }

    fn is_operator(&mut self, site: SiteId) -> bool {
        let Some(code) = self.trace.code(site) else { return true };
        let operators = self.operators.entry(code.base()).or_insert_with(|| {
            let branches = code.facts.expressions.iter().filter_map(|expression| match &expression.node {
                Node::Logical { branch, .. } => *branch,
                _ => None,
            });
            branches.collect()
        });
        operators.contains(&code.local(site))
    }

    fn ways(&self, site: SiteId) -> Ways {
        let sites = [site];
        let target = Target::Sites(&sites);
        let mut ways = Ways { n_hits: 0, n_true: 0, n_false: 0 };
        ways.n_hits = self.trace.count(&target, self.trace.thread.first_event()..self.trace.thread.end());
        for step in self.trace.each_before(&target, self.trace.thread.end()).take(MOST_HITS) {
            match self.trace.truth(&step) {
                Some(true) => ways.n_true += 1,
                Some(false) => ways.n_false += 1,
                None => (ways.n_true, ways.n_false) = (ways.n_true + 1, ways.n_false + 1),
            }
        }
        if ways.n_hits > MOST_HITS as u64 {
            (ways.n_true, ways.n_false) = (ways.n_true + 1, ways.n_false + 1);
        }
        ways
    }
}

/// How a decision went.
struct Ways {
    n_hits: u64,
    n_true: u64,
    n_false: u64,
}

/// The test of a branch.
fn decision_span(trace: &Trace, step: &Step) -> Option<Span> {
    let is_decision = matches!(trace.kind(step)?, SiteKind::Branch | SiteKind::Loop);
    is_decision.then(|| Some(trace.site(step.site()?)?.site.span)).flatten()
}

/// The expression that gave an event its value, where it stands in the source as it is: that of `x += 1` does not.
fn value_span(trace: &Trace, step: &Step) -> Option<Span> {
    let site = step.site()?;
    let code = trace.code(site)?;
    let facts = code.site_facts(site);
    if let Some(span) = decision_span(trace, step) {
        return Some(span);
    }
    let has_value = matches!(
        trace.kind(step)?,
        SiteKind::Var
            | SiteKind::Put
            | SiteKind::PutComputed
            | SiteKind::Return
            | SiteKind::Result
            | SiteKind::Argument
    );
    let span = code.expression(facts.value.filter(|_| has_value)?).span;
    let own = trace.site(site)?.site.span;
    let is_inside = own.start <= span.start && span.end <= own.end;
    let is_apart = facts.target.is_none_or(|target| code.expression(target).span.end <= span.start);
    (is_inside && is_apart).then_some(span)
}

fn text_of(trace: &Trace, site: SiteId, span: Span) -> String {
    let text = trace.code(site).and_then(|code| code.source()?.get(span.start as usize..span.end as usize));
    text.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

const MOST_HOPS: usize = 100;
const MOST_STEPS: usize = 300_000;
const MOST_HITS: usize = 2_000;
