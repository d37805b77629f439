//! Functions that a call could have chosen if another object had come to it.
//!
//! Where a wrong object comes to a call, the right one is by definition not among those that come there. So a method that a call was
//! seen to choose has rivals: the others that objects of the program have under its name, as long as they are few.

use rustc_hash::{FxHashMap, FxHashSet};
use trace_model::{CallHow, Certainty, MayCall, ProgramFunction};

use crate::analysis::Analysis;
use crate::model::{FunctionId, Key, TokenKind};

/// A name that more functions than these have says nothing.
const MOST_RIVALS: usize = 8;

impl Analysis {
    /// Calls by name only, of those calls that were seen to call something.
    pub fn rivals(&mut self, calls: &[MayCall], numbers: &[Option<ProgramFunction>]) -> Vec<MayCall> {
        let mut chosen: FxHashMap<(ProgramFunction, (u32, u32)), FxHashSet<ProgramFunction>> = FxHashMap::default();
        let mut is_seen: FxHashSet<(ProgramFunction, (u32, u32))> = FxHashSet::default();
        for call in calls {
            let at = (call.caller, (call.span.start, call.span.end));
            chosen.entry(at).or_default().insert(call.callee);
            if call.certainty == Certainty::Observed {
                is_seen.insert(at);
            }
        }
        let by_name = self.functions_by_name(numbers);
        let mut rivals = Vec::new();
        for &(call, key) in &self.methods {
            let site = self.calls[call.0 as usize].site;
            let Some(caller) = numbers[site.function.0 as usize] else { continue };
            let at = (caller, (site.span.start, site.span.end));
            let (Some(named), true) = (by_name.get(&key), is_seen.contains(&at)) else { continue };
            let known = &chosen[&at];
            // What the call chose is a method of that name itself, not something that a built-in called.
            if named.len() > MOST_RIVALS || !named.iter().any(|function| known.contains(function)) {
                continue;
            }
            rivals.extend(named.iter().filter(|function| !known.contains(function)).map(|&callee| MayCall {
                caller,
                span: site.span,
                callee,
                how: CallHow::ByName,
                certainty: Certainty::May,
            }));
        }
        rivals
    }

    fn functions_by_name(&mut self, numbers: &[Option<ProgramFunction>]) -> FxHashMap<Key, Vec<ProgramFunction>> {
        let wanted: FxHashSet<Key> = self.methods.iter().map(|&(_, key)| key).collect();
        let is_own =
            |kind: &TokenKind| !matches!(kind, TokenKind::Native(_) | TokenKind::Foreign(_) | TokenKind::Hub(_));
        let slots: Vec<_> = self.all_slots().filter(|(_, key, _)| wanted.contains(key)).collect();
        let mut named: FxHashMap<Key, Vec<ProgramFunction>> = FxHashMap::default();
        for (token, key, node) in slots {
            if !is_own(self.kind(token)) {
                continue;
            }
            let found = named.entry(key).or_default();
            if found.len() > MOST_RIVALS {
                continue;
            }
            let tokens: Vec<_> = self.graph.tokens(node).iter().take(MOST_RIVALS + 1).collect();
            let functions = tokens.into_iter().filter_map(|token| match *self.kind(token) {
                TokenKind::Function(FunctionId(function)) => numbers[function as usize],
                _ => None,
            });
            for function in functions {
                if !found.contains(&function) {
                    found.push(function);
                }
            }
        }
        named.values_mut().for_each(|functions| functions.sort_unstable());
        named
    }
}
