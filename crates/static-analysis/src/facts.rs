//! The solution as plain data.

use rustc_hash::{FxHashMap, FxHashSet};
use trace_model::{
    BirthId, BirthSet, CallHow, Certainty, CodeFunction, CodeSpan, Hints, MayBirth, MayCall, Operation, OperationKind,
    ProgramFacts, ProgramFunction, Span,
};

use crate::analysis::Analysis;
use crate::model::{CallId, FunctionId, TokenKind};
use crate::solver::{Node, Token};

/// Who called whom, and in which place.
type SeenCall = (CodeFunction, Option<(u32, u32)>, CodeFunction);

impl Analysis {
    pub fn facts(&mut self, hints: &Hints) -> ProgramFacts {
        let mut facts = ProgramFacts { limits: std::mem::take(&mut self.limits), ..ProgramFacts::default() };
        let mut numbers: Vec<Option<ProgramFunction>> = Vec::with_capacity(self.functions.len());
        for data in &self.functions {
            numbers.push(data.index.map(|function| {
                facts.functions.push(CodeFunction { code: data.code, function });
                ProgramFunction(facts.functions.len() as u32 - 1)
            }));
        }
        self.add_calls(&mut facts, &numbers, hints);
        let births = self.add_births(&mut facts, &numbers);
        self.add_operations(&mut facts, &numbers, &births);
        facts
    }

    fn add_calls(&mut self, facts: &mut ProgramFacts, numbers: &[Option<ProgramFunction>], hints: &Hints) {
        let seen = hints.calls.iter();
        let observed: FxHashSet<SeenCall> =
            seen.map(|call| (call.caller, call.span.map(|span| (span.start, span.end)), call.callee)).collect();
        // Constructors that nobody wrote pass a call on to those that they call.
        let mut passed_on: FxHashMap<FunctionId, Vec<FunctionId>> = FxHashMap::default();
        for &(call, callee) in &self.edges {
            let caller = self.calls[call.0 as usize].site.function;
            if numbers[caller.0 as usize].is_none() {
                passed_on.entry(caller).or_default().push(callee);
            }
        }
        let mut seen: FxHashMap<(ProgramFunction, (u32, u32), ProgramFunction), CallHow> = FxHashMap::default();
        for &(call, callee) in &self.edges {
            let call = &self.calls[call.0 as usize];
            let Some(caller) = numbers[call.site.function.0 as usize] else { continue };
            let how = if call.is_later { CallHow::Later } else { CallHow::Direct };
            let span = (call.site.span.start, call.site.span.end);
            let mut open = vec![callee];
            let mut met: FxHashSet<FunctionId> = FxHashSet::default();
            while let Some(callee) = open.pop() {
                if !met.insert(callee) {
                    continue;
                }
                match numbers[callee.0 as usize] {
                    Some(callee) => {
                        let known = seen.entry((caller, span, callee)).or_insert(how);
                        if how == CallHow::Direct {
                            *known = CallHow::Direct;
                        }
                    }
                    None => open.extend(passed_on.get(&callee).into_iter().flatten()),
                }
            }
        }
        let by_code: FxHashMap<CodeFunction, ProgramFunction> =
            facts.functions.iter().enumerate().map(|(i, &function)| (function, ProgramFunction(i as u32))).collect();
        for (caller, span, callee) in &observed {
            if let (Some(&caller_number), Some(&callee)) = (by_code.get(caller), by_code.get(callee)) {
                let own = self.function_span(*caller);
                let span = span.unwrap_or((own.start, own.end));
                seen.entry((caller_number, span, callee)).or_insert(CallHow::Direct);
            }
        }
        let mut calls: Vec<MayCall> = seen
            .into_iter()
            .map(|((caller, span, callee), how)| {
                let (caller_code, callee_code) =
                    (facts.functions[caller.0 as usize], facts.functions[callee.0 as usize]);
                let is_observed = observed.contains(&(caller_code, Some(span), callee_code))
                    || observed.contains(&(caller_code, None, callee_code));
                let certainty = if is_observed { Certainty::Observed } else { Certainty::May };
                MayCall { caller, span: Span { start: span.0, end: span.1 }, callee, how, certainty }
            })
            .collect();
        let rivals = self.rivals(&calls, numbers);
        calls.extend(rivals);
        calls.sort_unstable_by_key(|call| (call.caller, call.span.start, call.span.end, call.callee));
        facts.calls = calls;
    }

    fn function_span(&self, function: CodeFunction) -> Span {
        let is_it =
            |data: &&crate::model::FunctionData| data.code == function.code && data.index == Some(function.function);
        self.functions.iter().find(is_it).map(|data| data.span).unwrap_or_default()
    }

    /// By token; several tokens may be made at one place.
    fn add_births(&self, facts: &mut ProgramFacts, numbers: &[Option<ProgramFunction>]) -> Vec<Option<BirthId>> {
        let mut known: FxHashMap<(u32, (u32, u32)), BirthId> = FxHashMap::default();
        let birth = |data: &crate::model::TokenData| {
            if matches!(data.kind, TokenKind::Prototype(_) | TokenKind::Arguments(_) | TokenKind::Entry(_)) {
                return None;
            }
            let (place, function) = data.birth?;
            let function = numbers[function.0 as usize]?;
            Some(*known.entry((place.code.0, place.span)).or_insert_with(|| {
                facts.births.push(MayBirth { at: CodeSpan { code: place.code, span: place.span() }, function });
                BirthId(facts.births.len() as u32 - 1)
            }))
        };
        self.tokens.iter().map(birth).collect()
    }

    fn add_operations(
        &mut self,
        facts: &mut ProgramFacts,
        numbers: &[Option<ProgramFunction>],
        births: &[Option<BirthId>],
    ) {
        let mut sets: FxHashMap<Vec<BirthId>, BirthSet> = FxHashMap::default();
        let mut of_nodes: FxHashMap<Node, BirthSet> = FxHashMap::default();
        for operation in std::mem::take(&mut self.operations) {
            let Some(function) = numbers[operation.function.0 as usize] else { continue };
            let Some(kind) = self.kind_of(operation.kind, operation.call, operation.argument) else { continue };
            let node = self.graph.find(operation.node);
            let objects = match of_nodes.get(&node) {
                Some(&set) => set,
                None => {
                    let tokens = self.graph.tokens(node).iter();
                    let mut members: Vec<BirthId> = tokens.filter_map(|token| births[token.0 as usize]).collect();
                    members.sort_unstable();
                    members.dedup();
                    let set = *sets.entry(members).or_insert_with_key(|members| {
                        facts.sets.push(members.clone());
                        BirthSet(facts.sets.len() as u32 - 1)
                    });
                    of_nodes.insert(node, set);
                    set
                }
            };
            // What code does that nothing was found to come to is told by name alone.
            let is_named = matches!(kind, OperationKind::Write(Some(_)) | OperationKind::Remove(Some(_)));
            if facts.sets[objects.0 as usize].is_empty() && !is_named {
                continue;
            }
            facts.operations.push(Operation {
                function,
                span: operation.span,
                object: operation.object,
                kind,
                objects,
            });
        }
    }

    /// What a call does to an object, by what is called; `None`: nothing that is not told elsewhere.
    fn kind_of(&mut self, kind: OperationKind, call: Option<CallId>, argument: usize) -> Option<OperationKind> {
        let Some(call) = call else { return Some(kind) };
        let callee = self.calls[call.0 as usize].callee;
        let text = self.calls[call.0 as usize].texts[1];
        let callees: Vec<Token> = self.graph.tokens(callee).iter().collect();
        let natives = callees.iter().filter_map(|&token| match self.kind(token) {
            TokenKind::Native(name) => Some(*name),
            _ => None,
        });
        let natives: Vec<&str> = natives.collect();
        let has_code = callees.iter().any(|&token| matches!(self.kind(token), TokenKind::Function(_)));
        let is_foreign = callees.iter().any(|&token| matches!(self.kind(token), TokenKind::Foreign(_)));
        match kind {
            OperationKind::UnknownMethod(name) => Some(match () {
                () if natives.iter().any(|native| CHANGING.contains(&last_part(native))) => OperationKind::Change(name),
                () if has_code || !natives.is_empty() => OperationKind::Read(Some(name)),
                () if CHANGING.contains(&&*name) => OperationKind::Change(name),
                () => OperationKind::UnknownMethod(name),
            }),
            OperationKind::HandedOut => match natives.first().filter(|_| argument == 0) {
                Some(&("Object.assign" | "Object.setPrototypeOf" | "Object.defineProperties" | "Object.freeze")) => {
                    Some(OperationKind::Change(last_part(natives[0]).to_owned()))
                }
                Some(&("Object.defineProperty" | "Reflect.defineProperty" | "Reflect.set")) => {
                    Some(OperationKind::Write(text.map(|key| self.keys.name(key).to_owned())))
                }
                _ if is_foreign || callees.is_empty() => Some(OperationKind::HandedOut),
                _ => None,
            },
            kind => Some(kind),
        }
    }
}

fn last_part(name: &str) -> &str {
    name.rsplit(['.', '#']).next().unwrap_or(name)
}

/// Methods of built-ins that change their object.
const CHANGING: [&str; 21] = [
    "push",
    "pop",
    "shift",
    "unshift",
    "splice",
    "sort",
    "reverse",
    "fill",
    "copyWithin",
    "set",
    "add",
    "delete",
    "clear",
    "on",
    "once",
    "addListener",
    "prependListener",
    "removeListener",
    "off",
    "removeAllListeners",
    "next",
];
