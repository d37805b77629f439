//! What runs were seen to do becomes part of the constraints.

use rustc_hash::FxHashMap;
use trace_model::{CodeFunction, CodeIndex, Hints, ObservedObject};

use crate::SourceUnit;
use crate::analysis::Analysis;
use crate::model::{CallId, FunctionId, SourceRange, TokenKind};
use crate::rules::Listener;
use crate::solver::{Node, Token};

impl Analysis {
    /// Before the program is read: what was executed, so that reading can ask.
    pub fn prepare_hints(&mut self, program: &[SourceUnit], hints: &Hints) {
        self.entered = hints.entered.iter().map(|function| (function.code, function.function)).collect();
        for write in &hints.writes {
            self.observed_writes.insert(SourceRange::new(write.at.code, write.at.span));
        }
        for read in &hints.reads {
            let node = self.node();
            self.observed_reads.entry(SourceRange::new(read.at.code, read.at.span)).or_insert(node);
        }
        for call in &hints.calls {
            if let Some(span) = call.span {
                let seen = self.observed_callees.entry(SourceRange::new(call.caller.code, span)).or_default();
                seen.insert((call.callee.code, call.callee.function));
            }
            let is_load = call.callee.function.0 == 0 && call.callee.code != call.caller.code;
            if let Some(span) = call.span.filter(|_| is_load) {
                let seen = self.modules.at.entry(SourceRange::new(call.caller.code, span)).or_default();
                seen.push(call.callee.code.0);
                let source = program.get(call.caller.code.0 as usize).map_or("", |unit| unit.source);
                if let Some(specifier) = source.get(span.start as usize..span.end as usize).and_then(only_text) {
                    self.modules.saw(call.caller.code.0, specifier, call.callee.code.0);
                }
            }
        }
    }

    /// After it was read: values that were seen.
    pub fn apply_hints(&mut self, hints: &Hints) {
        let functions = self.functions_by_index();
        for write in &hints.writes {
            let (Some(object), Some(value)) = (&write.object, &write.value) else { continue };
            let (Some(object), Some(value)) =
                (self.seen_object(&functions, object), self.seen_object(&functions, value))
            else {
                continue;
            };
            let key = self.keys.of(&write.key);
            self.graph.listen(object, Listener::Define { key, from: value });
        }
        for read in &hints.reads {
            let place = SourceRange::new(read.at.code, read.at.span);
            let to = self.observed_reads.get(&place).copied();
            if let (Some(to), Some(value)) = (to, self.seen_object(&functions, &read.value)) {
                self.graph.add_edge(value, to);
            }
        }
    }

    /// Where nothing was found that could be called although a run called something there, that is called; and what `new` of
    /// something unknown gives is some object.
    pub fn doubt(&mut self, hints: &Hints) {
        let functions = self.functions_by_index();
        let calls = self.calls_by_place();
        for observed in &hints.calls {
            let Some(callee) = functions.get(&(observed.callee.code, observed.callee.function.0)).copied() else {
                continue;
            };
            let at = observed.span.map(|span| SourceRange::new(observed.caller.code, span));
            let Some(candidates) = at.and_then(|at| calls.get(&at)) else { continue };
            if candidates.iter().any(|&call| self.edges.contains(&(call, callee))) {
                continue;
            }
            let token = self.function(callee).token;
            for &call in candidates {
                let node = self.calls[call.0 as usize].callee;
                let known: Vec<Token> = self.graph.tokens(node).iter().collect();
                let is_program = |token: &Token| matches!(self.kind(*token), TokenKind::Function(_));
                if known.iter().all(is_program) {
                    self.graph.add_token(node, token);
                }
            }
        }
        for call in std::mem::take(&mut self.news) {
            let call = self.calls[call.0 as usize].clone();
            if self.graph.tokens(call.result).is_empty() {
                let token = self.made(TokenKind::Object, call.site);
                self.graph.add_token(call.result, token);
            }
        }
    }

    pub fn functions_by_index(&self) -> FxHashMap<(CodeIndex, u32), FunctionId> {
        let numbered = self.functions.iter().enumerate();
        numbered.filter_map(|(i, data)| Some(((data.code, data.index?.0), FunctionId(i as u32)))).collect()
    }

    /// The calls of the source; those that built-ins make there come later in the list, and are not among them.
    pub fn calls_by_place(&self) -> FxHashMap<SourceRange, Vec<CallId>> {
        let mut calls: FxHashMap<SourceRange, Vec<CallId>> = FxHashMap::default();
        for (number, call) in self.calls.iter().enumerate() {
            calls.entry(self.place(call.site)).or_default().push(CallId(number as u32));
        }
        calls
    }

    fn seen_object(
        &mut self,
        functions: &FxHashMap<(CodeIndex, u32), FunctionId>,
        object: &ObservedObject,
    ) -> Option<Node> {
        let function = |function: CodeFunction| functions.get(&(function.code, function.function.0)).copied();
        match object {
            ObservedObject::Born(at) => Some(self.born_at(SourceRange::new(at.code, at.span))),
            ObservedObject::Function(of) => {
                let token = self.function(function(*of)?).token;
                Some(self.node_of(token))
            }
            ObservedObject::Under(at, name) => {
                let (from, key) = (self.born_at(SourceRange::new(at.code, at.span)), self.keys.of(name));
                let to = self.node();
                self.graph.listen(from, Listener::Own { key, to });
                Some(to)
            }
            ObservedObject::PrototypeOf(of) => {
                let token = self.function(function(*of)?).token;
                let key = self.keys.of("prototype");
                Some(self.lookup(token, key))
            }
            ObservedObject::ExportsOf(code) => {
                let exports = self.units.get(code.0 as usize)?.exports;
                Some(self.node_of(exports))
            }
        }
    }
}

/// The specifier of `require('x')`, if the call has no other text in it.
fn only_text(call: &str) -> Option<&str> {
    let open = call.find(['\'', '"', '`'])?;
    let quote = call[open..].chars().next()?;
    let (text, rest) = call[open + 1..].split_once(quote)?;
    (!text.contains("${") && rest.trim() == ")").then_some(text)
}
