//! Functions that a call could have chosen if another object had come to it.
//!
//! Where a wrong object comes to a call, the right one is by definition not among those that come there. So a method that a call was
//! seen to choose has rivals: the others that objects of the program have under its name, as long as they are few.
//!
//! Where a wrong key comes to a table of functions (`handlers[kind](order)`, `const step = steps.get(name)`), the right one is another
//! entry of the table. So a function that was read from a table under a computed key has rivals wherever that value is called.

use rustc_hash::{FxHashMap, FxHashSet};
use trace_model::{CallHow, Certainty, MayCall, ProgramFunction};

use crate::analysis::Analysis;
use crate::model::{FunctionId, Key, KeyKind, TokenKind};
use crate::solver::Node;

/// The functions that an object holds.
type Table = Vec<ProgramFunction>;

/// The caller, and where the call stands in it.
type CallPlace = (ProgramFunction, (u32, u32));

/// A name that more functions than these have says nothing.
const MOST_RIVALS: usize = 8;

/// A table of more functions than these is a registry, in which each could be meant.
const MOST_ENTRIES: usize = 24;

/// So many variables and results are followed from a read to the calls of what it gave.
const MOST_FOLLOWED: usize = 200;

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
        rivals.extend(self.other_entries(calls, numbers));
        rivals
    }

    /// For calls that were seen to call an entry of a table: its other entries.
    fn other_entries(&mut self, calls: &[MayCall], numbers: &[Option<ProgramFunction>]) -> Vec<MayCall> {
        let tables = self.tables_by_call(numbers);
        let mut known: FxHashSet<_> = calls.iter().map(|call| (call.caller, call.span, call.callee)).collect();
        let mut rivals = Vec::new();
        for call in calls.iter().filter(|call| call.certainty == Certainty::Observed) {
            let at = (call.caller, (call.span.start, call.span.end));
            let Some(tables) = tables.get(&at) else { continue };
            for callee in tables.iter().filter(|table| table.contains(&call.callee)).flatten().copied() {
                if known.insert((call.caller, call.span, callee)) {
                    let rival = MayCall { callee, how: CallHow::ByName, certainty: Certainty::May, ..*call };
                    rivals.push(rival);
                }
            }
        }
        rivals
    }

    /// The tables from which what is called was read under a key that is computed.
    fn tables_by_call(&mut self, numbers: &[Option<ProgramFunction>]) -> FxHashMap<CallPlace, Vec<Table>> {
        let reads = self.reads_of_tables();
        let mut tables_of: FxHashMap<Node, Vec<Table>> = FxHashMap::default();
        for (base, read) in reads {
            let tables = self.tables(base, numbers);
            if tables.is_empty() {
                continue;
            }
            for node in self.graph.reached(read, MOST_FOLLOWED) {
                tables_of.entry(node).or_default().extend(tables.iter().cloned());
            }
        }
        let mut by_call: FxHashMap<CallPlace, Vec<Table>> = FxHashMap::default();
        if tables_of.is_empty() {
            return by_call;
        }
        for call in 0..self.calls.len() {
            let (callee, site) = (self.calls[call].callee, self.calls[call].site);
            let callee = self.graph.find(callee);
            let (Some(tables), Some(caller)) = (tables_of.get(&callee), numbers[site.function.0 as usize]) else {
                continue;
            };
            let at = (caller, (site.span.start, site.span.end));
            by_call.entry(at).or_default().extend(tables.iter().cloned());
        }
        by_call
    }

    /// What is read under computed keys: the object, and the result.
    fn reads_of_tables(&self) -> Vec<(Node, Node)> {
        let of_maps = self.methods.iter().filter(|&&(_, key)| self.keys.name(key) == "get").filter_map(|&(call, _)| {
            let call = &self.calls[call.0 as usize];
            Some((call.this?, call.result))
        });
        self.computed_reads.iter().copied().chain(of_maps).collect()
    }

    /// The functions in each object that a node may be, where there are several and not many.
    fn tables(&mut self, base: Node, numbers: &[Option<ProgramFunction>]) -> Vec<Table> {
        let tokens: Vec<_> = self.graph.tokens(base).iter().take(MOST_RIVALS + 1).collect();
        if tokens.len() > MOST_RIVALS {
            return Vec::new();
        }
        let mut tables = Vec::new();
        for token in tokens {
            if !matches!(self.kind(token), TokenKind::Object | TokenKind::Array | TokenKind::MapOrSet) {
                continue;
            }
            let mut table = Table::new();
            for key in self.slot_keys[token.0 as usize].clone() {
                let is_entry = matches!(self.keys.kind(key), KeyKind::Name | KeyKind::Index);
                if !is_entry && key != Key::MAP_VALUE && key != Key::UNKNOWN {
                    continue;
                }
                let slot = self.slot(token, key);
                for held in self.graph.tokens(slot).iter().take(MOST_ENTRIES + 1).collect::<Vec<_>>() {
                    if let TokenKind::Function(FunctionId(function)) = *self.kind(held)
                        && let Some(function) = numbers[function as usize]
                        && !table.contains(&function)
                    {
                        table.push(function);
                    }
                }
            }
            if (2..=MOST_ENTRIES).contains(&table.len()) {
                tables.push(table);
            }
        }
        tables
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
