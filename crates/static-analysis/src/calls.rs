//! A call meets a callee: arguments, `this` and results are joined.

use crate::Belief;
use crate::analysis::Analysis;
use crate::model::{Call, CallId, Foreign, FunctionId, Key, TokenKind};
use crate::rules::Listener;
use crate::solver::{Node, Token};

/// So many arguments of foreign code are told apart.
const FOREIGN_ARGUMENTS: u8 = 4;

/// Built-ins that pass a call on to others of their kind (`f.call.apply(…)`) are followed so far.
const DEEPEST_NATIVE: u8 = 1;
const DEEPEST_BOUND: u8 = 2;

impl Analysis {
    pub fn link(&mut self, id: CallId, token: Token) {
        if self.is_other_than_seen(id, token) {
            if !self.linked.contains(&(id, token)) {
                let deferred = self.deferred.entry(id).or_default();
                if !deferred.contains(&token) {
                    deferred.push(token);
                }
            }
            return;
        }
        self.link_at_once(id, token);
    }

    /// Whether a run was seen to make this call, and to call other functions there.
    fn is_other_than_seen(&self, id: CallId, token: Token) -> bool {
        let call = &self.calls[id.0 as usize];
        let TokenKind::Function(function) = *self.kind(token) else { return false };
        let data = self.function(function);
        let (Some(index), false) = (data.index, call.is_later) else { return false };
        let seen = self.observed_callees.get(&self.place(call.site));
        seen.is_some_and(|seen| !seen.contains(&(data.code, index)))
    }

    /// What calls were not seen to call is called there as well, as long as it is little. Whether anything was.
    pub fn link_deferred(&mut self, belief: Belief) -> bool {
        let mut calls: Vec<(CallId, Vec<Token>)> = std::mem::take(&mut self.deferred).into_iter().collect();
        calls.sort_unstable_by_key(|(id, _)| *id);
        let mut is_any = false;
        for (id, deferred) in calls {
            let (ran, never): (Vec<Token>, Vec<Token>) = deferred.into_iter().partition(|&token| self.has_run(token));
            let (n_linked, n_never_linked) = self.n_callees.get(&id).copied().unwrap_or_default();
            for (group, is_little) in [
                (&never, n_never_linked + never.len() <= belief.few_that_never_ran),
                (&ran, n_linked + ran.len() <= belief.few),
            ] {
                match is_little {
                    true => group.iter().for_each(|&token| self.link_at_once(id, token)),
                    false => self.deferred.entry(id).or_default().extend(group),
                }
                is_any |= is_little && !group.is_empty();
            }
        }
        is_any
    }

    fn has_run(&self, function: Token) -> bool {
        let TokenKind::Function(function) = *self.kind(function) else { return true };
        let data = self.function(function);
        data.index.is_none_or(|index| self.entered.contains(&(data.code, index)))
    }

    fn link_at_once(&mut self, id: CallId, token: Token) {
        if !self.linked.insert((id, token)) {
            return;
        }
        let depth = self.calls[id.0 as usize].depth;
        match self.kind(token).clone() {
            TokenKind::Native(_) | TokenKind::Foreign(_) if depth > DEEPEST_NATIVE => {}
            TokenKind::Bound(_) if depth > DEEPEST_BOUND => {}
            TokenKind::Function(function) => self.call_function(id, function),
            TokenKind::Native(name) => self.call_native(id, name),
            TokenKind::Bound(bound) => self.call_bound(id, bound),
            TokenKind::Resolver(promise) => {
                if let Some(value) = self.calls[id.0 as usize].argument(0) {
                    self.fulfil(promise, value);
                }
            }
            TokenKind::Rejecter(promise) => {
                if let Some(value) = self.calls[id.0 as usize].argument(0) {
                    let slot = self.slot(promise, Key::REJECTED);
                    self.graph.add_edge(value, slot);
                }
            }
            TokenKind::Foreign(_) => self.call_foreign(id, token),
            TokenKind::Require(unit) => self.call_require(id, unit),
            _ => {}
        }
    }

    fn call_function(&mut self, id: CallId, function: FunctionId) {
        self.edges.insert((id, function));
        let has_run = self.has_run(self.function(function).token);
        let (n_linked, n_never) = self.n_callees.entry(id).or_default();
        *if has_run { n_linked } else { n_never } += 1;
        let call = self.calls[id.0 as usize].clone();
        self.pass_arguments(&call, function);
        let callee = self.function(function);
        let (this, returned, thrown, new_target) = (callee.this, callee.returned, callee.thrown, callee.new_target);
        let (is_arrow, given, token) = (callee.is_arrow, callee.given, callee.token);
        if call.is_new {
            let instance = self.made(TokenKind::Instance(function), call.site);
            let key = self.keys.of("prototype");
            let prototype = self.lookup(token, key);
            let inherits = self.slot(instance, Key::PROTO);
            self.graph.add_edge(prototype, inherits);
            self.graph.add_token(this, instance);
            self.graph.add_token(call.result, instance);
            self.graph.add_token(new_target, token);
        } else if let Some(given_this) = call.this.filter(|_| (call.gives_this || call.is_super) && !is_arrow) {
            self.graph.add_edge(given_this, this);
        }
        match given {
            Some(given) => self.graph.add_token(call.result, given),
            None => {
                self.graph.add_edge(returned, call.result);
                self.graph.add_edge(thrown, call.thrown);
            }
        }
    }

    fn pass_arguments(&mut self, call: &Call, function: FunctionId) {
        let callee = self.function(function);
        let parameters = callee.parameters.clone();
        let (rest, arguments) = (callee.rest, callee.arguments);
        for (i, &parameter) in parameters.iter().enumerate() {
            for from in call.arguments_at(i) {
                self.graph.add_edge(from, parameter);
            }
        }
        let n_given = call.arguments.len();
        if let Some((first, array)) = rest {
            let array = self.graph.tokens(array).iter().next();
            if let Some(array) = array {
                self.fill_array(call, array, first..n_given);
            }
        }
        if let Some(arguments) = arguments {
            self.fill_array(call, arguments, 0..n_given);
        }
    }

    fn fill_array(&mut self, call: &Call, array: Token, given: std::ops::Range<usize>) {
        let first = given.start;
        for i in given {
            if let Some(from) = call.arguments[i] {
                let key = self.keys.of(&(i - first).to_string());
                let slot = self.slot(array, key);
                self.graph.add_edge(from, slot);
            }
        }
        if let Some((_, elements)) = call.spread {
            let slot = self.slot(array, Key::UNKNOWN);
            self.graph.add_edge(elements, slot);
        }
    }

    fn call_bound(&mut self, id: CallId, bound: u32) {
        let call = self.calls[id.0 as usize].clone();
        let bound = self.bound[bound as usize].clone();
        let n_bound = bound.arguments.len();
        let mut arguments = bound.arguments;
        arguments.extend(call.arguments.iter().copied());
        let spread = call.spread.map(|(from, node)| (from + n_bound, node));
        self.add_call(Call {
            callee: bound.callee,
            this: bound.this,
            gives_this: !call.is_new,
            arguments,
            spread,
            texts: [None; 2],
            depth: call.depth + 1,
            ..call
        });
    }

    /// A built-in, or foreign code, calls a function at this call.
    pub fn callback(
        &mut self,
        at: &Call,
        callee: Node,
        this: Option<Node>,
        arguments: Vec<Option<Node>>,
        is_later: bool,
    ) -> Node {
        let result = self.node();
        let is_later = is_later || at.is_later;
        // What is thrown later is thrown at nobody here.
        let thrown = if is_later { self.node() } else { at.thrown };
        self.add_call(Call {
            site: at.site,
            callee,
            this,
            gives_this: true,
            arguments,
            spread: None,
            texts: [None; 2],
            result,
            thrown,
            is_new: false,
            is_super: false,
            is_later,
            depth: at.depth + 1,
        });
        result
    }

    fn call_foreign(&mut self, id: CallId, token: Token) {
        let call = self.calls[id.0 as usize].clone();
        self.graph.add_token(call.result, token);
        if call.is_super
            && let Some(this) = call.this
        {
            self.graph.add_edge(this, call.result);
        }
        for argument in call.all_arguments() {
            self.graph.listen(argument, Listener::GivenToForeign { call: id });
        }
    }

    /// Foreign code was given a function, and may call it with whatever it likes.
    pub fn call_from_foreign(&mut self, id: CallId, token: Token) {
        if !self.is_callable(token) || !self.given_to_foreign.insert((id, token)) {
            return;
        }
        let call = self.calls[id.0 as usize].clone();
        let place = self.place(call.site);
        let arguments = (0..FOREIGN_ARGUMENTS).map(|i| {
            let foreign = self.foreign(Foreign::Argument(place, i));
            Some(self.node_of(foreign))
        });
        let arguments: Vec<Option<Node>> = arguments.collect();
        let callee = self.node_of(token);
        let is_later = !self.calls_at_once(&call);
        self.callback(&call, callee, call.this, arguments, is_later);
    }

    /// Whether foreign code of this kind is known to call what it is given before it returns.
    fn calls_at_once(&mut self, call: &Call) -> bool {
        let callees: Vec<Token> = self.graph.tokens(call.callee).iter().collect();
        callees.iter().any(|&token| match self.kind(token) {
            TokenKind::Foreign(Foreign::Module(name)) => AT_ONCE.contains(&&**name),
            _ => false,
        })
    }

    pub fn fulfil(&mut self, promise: Token, value: Node) {
        let slot = self.slot(promise, Key::FULFILLED);
        self.graph.listen(value, Listener::Await { to: slot });
    }
}

/// Modules of Node whose functions call what they are given before they return.
const AT_ONCE: [&str; 8] =
    ["assert", "assert/strict", "async_hooks", "diagnostics_channel", "domain", "util", "vm", "v8"];

impl Call {
    pub fn argument(&self, index: usize) -> Option<Node> {
        self.arguments_at(index).next()
    }

    /// What may be the argument at a position.
    pub fn arguments_at(&self, index: usize) -> impl Iterator<Item = Node> + use<> {
        let given = self.arguments.get(index).copied().flatten();
        let spread = self.spread.filter(|(from, _)| index >= *from).map(|(_, node)| node);
        given.into_iter().chain(spread)
    }

    pub fn all_arguments(&self) -> impl Iterator<Item = Node> + use<> {
        let given: Vec<Node> =
            self.arguments.iter().copied().flatten().chain(self.spread.map(|(_, node)| node)).collect();
        given.into_iter()
    }
}
