//! Many calls of one function as one question.

use std::collections::HashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use query::judge::{CallEffects, Fingerprint, Given, Group, Placement, Verdict, is_fit, table};

use super::question::QuestionShown;
use super::{Automatic, Judge};

/// So many events are looked through to find out what the calls of a table did; one that took more is no line of a table.
const MOST_EVENTS: u64 = 100_000;
/// In a run with so many calls each takes longer to find: then it may take no longer than this.
const MANY_CALLS: usize = 100_000;
const PATIENCE: Duration = Duration::from_millis(100);

/// Calls of one function, oldest first: a person says that all of them are right, or which is the first that is not.
#[derive(Clone, Debug)]
pub struct TableShown {
    /// Each is a question that could be asked by itself.
    pub rows: Vec<QuestionShown>,
    /// How many further calls put the same question as each row.
    pub n_alike: Vec<usize>,
    /// What the calls were given.
    pub inputs: Vec<InputShown>,
    /// From 1; a table is one question.
    pub number: usize,
    pub n_suspicious: usize,
    pub n_calls: usize,
}

/// The receiver, an argument or a variable around the calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputShown {
    pub name: String,
    pub placement: InputPlacement,
}

/// Where a person needs to see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputPlacement {
    /// Once: it is the same in all rows.
    Once,
    /// Before the first row: each row found what the one above had left.
    AtFirst,
    InEachRow,
}

impl Judge<'_> {
    /// The table of a group of calls. Nothing: something was found out instead, and what comes next is to be chosen anew.
    pub(super) fn tabled(&mut self, group: &Group, n_suspicious: usize) -> Option<TableShown> {
        let started = Instant::now();
        let (mut calls, mut n_alike) = (Vec::<Rc<CallEffects>>::new(), Vec::<usize>::new());
        let mut known: HashMap<Fingerprint, usize> = HashMap::new();
        let n_inferred = self.inferred.len();
        // Whoever wants no verdict to follow from another is asked about each.
        let are_one = !self.without.contains(&Automatic::Identical);
        let is_patient = self.tree.len() < MANY_CALLS;
        let mut n_events = 0;
        for node in group.proposed().iter().copied() {
            if !is_patient && started.elapsed() > PATIENCE {
                break;
            }
            let n_own = self.tree.end(node).map_or(u64::MAX, |end| end.0 - self.tree.entered(node).0);
            if n_own > MOST_EVENTS {
                self.tables.refuse_call(node);
                continue;
            }
            n_events += n_own;
            if n_events > MOST_EVENTS {
                break;
            }
            if let Some((verdict, why)) = self.automatic(node) {
                self.inferred.push((Given { node, verdict }, why));
                continue;
            }
            let Some(call) = self.effects(node) else {
                self.inferred.push((Given { node, verdict: Verdict::Unknown }, "its entry is not kept".into()));
                continue;
            };
            if !is_fit(&call) {
                self.tables.refuse_call(node);
                continue;
            }
            match self.print(node).filter(|print| print.is_complete && are_one) {
                Some(print) if known.contains_key(&print) => n_alike[known[&print]] += 1,
                print => {
                    known.extend(print.map(|print| (print, calls.len())));
                    calls.push(call);
                    n_alike.push(0);
                }
            }
        }
        if self.inferred.len() > n_inferred {
            return None;
        }
        let of_rows: Vec<&CallEffects> = calls.iter().map(Rc::as_ref).collect();
        let Some(table) = table(&of_rows) else {
            self.tables.refuse(group.kind);
            return None;
        };
        let placement = |own: Placement| match own {
            Placement::Once => InputPlacement::Once,
            Placement::AtFirst => InputPlacement::AtFirst,
            Placement::InEachRow => InputPlacement::InEachRow,
        };
        Some(TableShown {
            rows: table.rows.iter().map(|row| self.question(&calls[*row], n_suspicious)).collect(),
            n_alike: table.rows.iter().map(|row| n_alike[*row]).collect(),
            inputs: table
                .inputs
                .into_iter()
                .map(|of| InputShown { name: of.name, placement: placement(of.placement) })
                .collect(),
            number: self.n_asked + 1,
            n_suspicious,
            n_calls: self.tree.len(),
        })
    }
}
