//! Where an object may be met, and the ways of calls that lead there.

use std::collections::{HashMap, HashSet, VecDeque};

use trace_model::{BirthId, CallHow, MayCall, Operation, OperationKind, ProgramFacts, ProgramFunction, Span};

use super::{Wanted, WantedKind};

/// A way of calls to something that is wanted.
#[derive(Clone, PartialEq, Debug)]
pub struct Way {
    /// From the function in which it begins to the one that holds what is wanted; none: it is the same.
    pub calls: Vec<MayCall>,
    pub wanted: Wanted,
}

impl Way {
    pub fn head(&self) -> ProgramFunction {
        self.calls.first().map_or(self.wanted.function, |call| call.caller)
    }

    /// What must be executed first: the first call, or what is wanted.
    pub fn head_span(&self) -> Span {
        self.calls.first().map_or(self.wanted.span, |call| call.span)
    }

    pub fn is_own(&self) -> bool {
        self.calls.is_empty()
    }
}

/// The operations that may meet an object of one of these births, and those of a name that nothing is known to come to; `reads`: also
/// those that cannot change it.
pub fn use_sites(program: &ProgramFacts, births: &[BirthId], key: Option<&str>, reads: bool) -> Vec<Wanted> {
    let is_met: Vec<bool> =
        program.sets.iter().map(|set| births.iter().any(|birth| set.binary_search(birth).is_ok())).collect();
    let is_named = |operation: &Operation| match &operation.kind {
        OperationKind::Write(Some(name)) | OperationKind::Remove(Some(name)) => Some(name.as_str()) == key,
        _ => false,
    };
    let n_objects = |operation: &Operation| program.sets[operation.objects.0 as usize].len();
    let operations = program.operations.iter().filter(|operation| match n_objects(operation) {
        0 => is_named(operation),
        _ => is_met[operation.objects.0 as usize] && (reads || operation.kind.may_change()),
    });
    operations
        .map(|operation| Wanted {
            function: operation.function,
            span: operation.span,
            object: operation.object,
            kind: WantedKind::Operation(operation.kind.clone()),
            n_objects: match n_objects(operation) {
                0 => ANYTHING,
                n_objects => n_objects,
            },
        })
        .collect()
}

/// What nothing is known to come to may stand for anything.
const ANYTHING: usize = 16;

/// Ways, and whether there are more than were followed.
#[derive(Clone, PartialEq, Debug)]
pub struct Ways {
    pub ways: Vec<Way>,
    pub is_cut: bool,
}

/// All ways of at most so many calls; of several from one call to one thing that is wanted, a shortest.
pub fn ways_to(program: &ProgramFacts, wanted: &[Wanted], most_calls: usize) -> Ways {
    let mut callers: HashMap<ProgramFunction, Vec<&MayCall>> = HashMap::new();
    for call in &program.calls {
        callers.entry(call.callee).or_default().push(call);
    }
    // What is in one function is reached by the same calls.
    let mut by_function: HashMap<ProgramFunction, Vec<&Wanted>> = HashMap::new();
    let mut order: Vec<ProgramFunction> = Vec::new();
    for one in wanted {
        let all = by_function.entry(one.function).or_default();
        if all.is_empty() {
            order.push(one.function);
        }
        all.push(one);
    }
    let mut ways: Vec<Way> = wanted.iter().map(|wanted| Way { calls: Vec::new(), wanted: wanted.clone() }).collect();
    let mut is_cut = false;
    for function in order {
        let chains = chains_to(&callers, function, most_calls);
        is_cut |= chains.len() >= MOST_CHAINS;
        for calls in chains {
            for one in &by_function[&function] {
                ways.push(Way { calls: calls.clone(), wanted: (*one).clone() });
            }
            if ways.len() > MOST_WAYS {
                return Ways { ways, is_cut: true };
            }
        }
    }
    Ways { ways, is_cut }
}

/// The chains of calls that end in a function, shortest first; one for each call that begins them.
fn chains_to(
    callers: &HashMap<ProgramFunction, Vec<&MayCall>>,
    function: ProgramFunction,
    most_calls: usize,
) -> Vec<Vec<MayCall>> {
    let mut chains = Vec::new();
    let mut met = HashSet::from([function]);
    let mut open: VecDeque<(ProgramFunction, Vec<MayCall>)> = VecDeque::from([(function, Vec::new())]);
    while let Some((callee, behind)) = open.pop_front() {
        if behind.len() >= most_calls {
            continue;
        }
        for call in callers.get(&callee).into_iter().flatten() {
            let mut chain = Vec::with_capacity(behind.len() + 1);
            chain.push(**call);
            chain.extend(&behind);
            // That another object could have come to the call is enough to suppose once.
            if call.how != CallHow::ByName && met.insert(call.caller) {
                open.push_back((call.caller, chain.clone()));
            }
            chains.push(chain);
            if chains.len() >= MOST_CHAINS {
                return chains;
            }
        }
    }
    chains
}

/// A function that everything calls leads nowhere.
const MOST_CHAINS: usize = 400;
const MOST_WAYS: usize = 20_000;
