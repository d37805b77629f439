//! The calls of a piece of code, by what is asked of them again and again: a path goes through thousands of frames, and a file can
//! have a hundred thousand expressions.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use trace_model::{ExprId, FunctionIndex, Key, Node, SiteId};

use crate::Code;

/// What is known of the calls of each piece of code, by the first of its sites.
#[derive(Default)]
pub(crate) struct CallsOfCode {
    known: Mutex<HashMap<SiteId, Arc<Calls>>>,
}

#[derive(Default)]
pub(crate) struct Calls {
    by_function: HashMap<FunctionIndex, Vec<ExprId>>,
    chained: HashSet<ExprId>,
    /// Functions that are written to a property, with its name: `exports.f = function () {…}`.
    assigned: HashSet<(FunctionIndex, String)>,
}

impl CallsOfCode {
    pub fn of(&self, code: &Code) -> Arc<Calls> {
        let mut known = self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        known.entry(code.base()).or_insert_with(|| Arc::new(Calls::of(code))).clone()
    }
}

impl Calls {
    fn of(code: &Code) -> Calls {
        let mut found = Calls::default();
        let mut calls = Vec::new();
        let mut callees = Vec::new();
        for (number, expression) in (0..).zip(&code.facts.expressions) {
            match &expression.node {
                Node::Call(call) => {
                    found.by_function.entry(expression.function).or_default().push(ExprId(number));
                    calls.push((expression.span.start, expression.span.end, ExprId(number)));
                    let callee = code.expression(call.callee).span;
                    callees.push((callee.start, callee.end));
                }
                Node::Assign { target, value, .. } => {
                    if let Node::Function(function) = code.expression(*value).node
                        && let Node::Member { key: Key::Name(name), .. } = &code.expression(*target).node
                    {
                        found.assigned.insert((function, name.clone()));
                    }
                }
                _ => {}
            }
        }
        found.chained = inside(calls, callees);
        found
    }

    /// Of a function, in the order of its facts.
    pub fn in_function(&self, function: FunctionIndex) -> &[ExprId] {
        self.by_function.get(&function).map_or(&[], |calls| calls)
    }

    /// Whether a call stands in the callee of another: `a.f(1).g(2)`.
    pub fn is_chained(&self, call: ExprId) -> bool {
        self.chained.contains(&call)
    }

    pub fn is_assigned_to(&self, function: FunctionIndex, name: &str) -> bool {
        self.assigned.contains(&(function, name.to_owned()))
    }
}

/// The calls that lie in one of these ranges: of those that begin before a call, the one that reaches farthest decides.
fn inside(mut calls: Vec<(u32, u32, ExprId)>, mut ranges: Vec<(u32, u32)>) -> HashSet<ExprId> {
    calls.sort_unstable();
    ranges.sort_unstable();
    let mut ranges = ranges.into_iter().peekable();
    let mut farthest = 0;
    let mut found = HashSet::new();
    for (start, end, call) in calls {
        while let Some((_, range_end)) = ranges.next_if(|(range_start, _)| *range_start <= start) {
            farthest = farthest.max(range_end);
        }
        if end <= farthest {
            found.insert(call);
        }
    }
    found
}
