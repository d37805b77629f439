//! Which functions a call may have entered that nobody recorded, by names alone: a call of `a.b.f(…)` may enter whatever is called `f`
//! somewhere in the source, is written to a property or variable of that name, or is another name of such a function. It is the
//! call graph of "Efficient Construction of Approximate Call Graphs for JavaScript IDE Services" (Feldthaus et al., ICSE 2013) without
//! its flow through variables: what is kept under names is found, and what only travels through variables is not.
//!
//! Whether a candidate was really called, the next run shows: it is recorded then, and leaves the search again if it has no part
//! in the path. Nothing runs in the program to find out.

use std::collections::{BTreeSet, HashMap};

use trace_model::{ExprId, FunctionIndex, Key, LanguageRef, Node, SiteId, SiteKind, VariableRef};

use crate::{Code, Trace};

pub(super) type Functions = BTreeSet<(SiteId, FunctionIndex)>;

pub(super) struct Candidates {
    language: LanguageRef,
    by_name: HashMap<String, Functions>,
    /// Functions that call something of this name.
    callers: HashMap<String, Functions>,
    /// Functions that write a property of this name.
    writers: HashMap<String, Functions>,
    names: HashMap<(SiteId, FunctionIndex), BTreeSet<String>>,
}

impl Candidates {
    pub fn of(trace: &Trace) -> Candidates {
        let mut found = Candidates {
            language: trace.language(),
            by_name: HashMap::new(),
            callers: HashMap::new(),
            writers: HashMap::new(),
            names: HashMap::new(),
        };
        let mut aliases: Vec<(String, String)> = Vec::new();
        for unit in trace.thread.code().units() {
            let Ok(file) = unit.code() else { continue };
            let base = unit.record.base;
            for (number, function) in (0..).zip(&file.sites.functions).skip(1) {
                found.name(file.sites.name(function.name), (base, FunctionIndex(number)));
            }
            for site in &file.sites.sites {
                if is_write(site.kind) {
                    for name in &site.names {
                        found
                            .writers
                            .entry(file.sites.name(*name).to_owned())
                            .or_default()
                            .insert((base, site.function));
                    }
                }
            }
            if let Some(code) = trace.code(base) {
                found.take_in(&code, &mut aliases);
            }
        }
        // Another name of another name is rare; twice is enough.
        for _ in 0..2 {
            for (alias, name) in &aliases {
                let functions = found.by_name.get(name).cloned().unwrap_or_default();
                functions.into_iter().for_each(|function| found.name(alias, function));
            }
        }
        found
    }

    /// What a call may enter: its callee, and what it is given as it is.
    pub fn of_call(&self, code: &Code, call: ExprId) -> Functions {
        let mut found = self.of_callee(code, call);
        found.extend(self.given(code, call));
        found
    }

    /// The functions that a callee may be: those of its name, or the one that it is.
    pub fn of_callee(&self, code: &Code, call: ExprId) -> Functions {
        let Node::Call(parts) = &code.expression(call).node else { return Functions::new() };
        if let Node::Function(function) = code.expression(parts.callee).node {
            return Functions::from([(code.base(), function)]);
        }
        let name = self.called_name(code, parts.callee);
        name.and_then(|name| self.by_name.get(name)).cloned().unwrap_or_default()
    }

    /// The functions that stand among the arguments of a call.
    pub fn given(&self, code: &Code, call: ExprId) -> Functions {
        let Node::Call(parts) = &code.expression(call).node else { return Functions::new() };
        let functions = parts.arguments.iter().filter_map(|id| match code.expression(*id).node {
            Node::Function(function) => Some((code.base(), function)),
            _ => None,
        });
        functions.collect()
    }

    pub fn callers_of(&self, function: (SiteId, FunctionIndex)) -> Functions {
        let names = self.names.get(&function).into_iter().flatten();
        names.filter_map(|name| self.callers.get(name)).flatten().copied().collect()
    }

    pub fn writers_of(&self, property: &str) -> Functions {
        self.writers.get(property).cloned().unwrap_or_default()
    }

    /// The name under which a callee is known; of `f.call`, where that calls `f`, that of `f`.
    fn called_name<'c>(&self, code: &'c Code, callee: ExprId) -> Option<&'c str> {
        match &code.expression(callee).node {
            Node::Member { object, key: Key::Name(name), .. } if self.language.calls_through(name).is_some() => {
                name_of(code, *object).or(Some(name))
            }
            _ => name_of(code, callee),
        }
    }

    fn take_in(&mut self, code: &Code, aliases: &mut Vec<(String, String)>) {
        let facts = &code.facts;
        let mut named = |found: &mut Candidates, name: &str, value: ExprId| match &facts.expression(value).node {
            Node::Function(function) => found.name(name, (code.base(), *function)),
            _ => aliases.extend(name_of(code, value).map(|of| (name.to_owned(), of.to_owned()))),
        };
        for expression in &facts.expressions {
            match &expression.node {
                Node::Assign { target, value, .. } => {
                    if let Some(name) = name_of(code, *target) {
                        named(self, name, *value);
                    }
                }
                Node::Object { entries, .. } => {
                    for (key, value) in entries {
                        if let Key::Name(name) = key {
                            named(self, name, *value);
                        }
                    }
                }
                Node::Call(call) => {
                    if let Some(name) = self.called_name(code, call.callee) {
                        self.callers.entry(name.to_owned()).or_default().insert((code.base(), expression.function));
                    }
                }
                _ => {}
            }
        }
        for site in &facts.sites {
            if let (Some(target), Some(value)) = (site.target, site.value)
                && let Some(name) = name_of(code, target)
            {
                named(self, name, value);
            }
        }
    }

    fn name(&mut self, name: &str, function: (SiteId, FunctionIndex)) {
        // `Collection.add`, as a stack trace has it.
        let last = name.rsplit('.').next().unwrap_or(name);
        if !last.is_empty() {
            self.by_name.entry(last.to_owned()).or_default().insert(function);
            self.names.entry(function).or_default().insert(last.to_owned());
        }
    }
}

fn is_write(kind: SiteKind) -> bool {
    use SiteKind::{Delete, Field, ObjectLiteral, Put, PutDecrement, PutIncrement};
    matches!(kind, Put | PutIncrement | PutDecrement | Field | Delete | ObjectLiteral)
}

fn name_of<'c>(code: &'c Code, id: ExprId) -> Option<&'c str> {
    match &code.expression(id).node {
        Node::Member { key: Key::Name(name), .. } | Node::Variable(VariableRef::Global(name)) => Some(name),
        Node::Variable(VariableRef::Known(variable)) => Some(code.variable_name(*variable)),
        _ => None,
    }
}
