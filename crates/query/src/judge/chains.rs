//! What a pass must know of a piece of code: which bindings belong to loops, which variables a statement uses. Plain reads are not
//! events, so a use is told by the events of its statement.
//!
//! Chains are those of variables of the function itself, parameters included, and of properties that it names, of whatever object;
//! computed keys and variables of functions around are left out.

use std::collections::{HashMap, HashSet};

use trace_model::{
    ExprId, FunctionIndex, Key, LocalSite, LogicalOperator, Node, Owner, SiteId, SiteKind, VariableIndex, VariableRef,
};

use super::Scan;
use super::parts::parts;
use crate::{Code, Trace};

/// By [`LocalSite`].
#[derive(Default)]
pub(super) struct Uses {
    loop_bindings: HashSet<u32>,
    /// Conditions that are `a && b` and its like: the branch at `a`, and the truth at which it has decided already.
    decided_by: HashMap<u32, (u32, bool)>,
    deciding: HashSet<u32>,
    read: HashMap<u32, Vec<u32>>,
    written: HashMap<u32, u32>,
    statements: HashMap<u32, u32>,
    /// Names of properties, numbered behind all variables.
    names: HashMap<String, u32>,
}

/// The number of the first name.
const NAMES: u32 = 1 << 31;

/// The newest definition of each variable of a frame.
#[derive(Default)]
pub(super) struct Chains(Vec<(u32, u32)>);

impl Chains {
    pub fn definition(&self, variable: u32) -> Option<u32> {
        self.0.iter().find(|(known, _)| *known == variable).map(|(_, site)| *site)
    }

    pub fn define(&mut self, variable: u32, site: u32) {
        match self.0.iter_mut().find(|(known, _)| *known == variable) {
            Some((_, known)) => *known = site,
            None => self.0.push((variable, site)),
        }
    }
}

impl Uses {
    pub fn of(trace: &Trace, unit: SiteId, what: Scan) -> Uses {
        let mut uses = Uses::default();
        let Some(code) = trace.code(unit) else { return uses };
        let Ok(file) = code.unit.code() else { return uses };
        let dependences = code.facts.sites.iter().flat_map(|site| &site.depends_on);
        for dependence in dependences.chain(code.facts.statements.iter().flat_map(|statement| &statement.depends_on)) {
            if file.sites.site(dependence.branch).kind == SiteKind::Var {
                uses.loop_bindings.insert(dependence.branch.0);
            }
        }
        for (number, facts) in (0..).zip(&code.facts.sites) {
            let Some(Node::Logical { operator, branch: Some(branch), .. }) =
                facts.value.map(|value| &code.expression(value).node)
            else {
                continue;
            };
            let is_branch = matches!(file.sites.site(LocalSite(number)).kind, SiteKind::Branch | SiteKind::Loop);
            if is_branch && branch.0 != number {
                uses.decided_by.insert(number, (branch.0, *operator != LogicalOperator::And));
                uses.deciding.insert(branch.0);
            }
        }
        if what == Scan::Chains {
            for (number, site) in (0..).zip(&file.sites.sites) {
                uses.note(&code, LocalSite(number), site.function);
            }
        }
        uses
    }

    fn note(&mut self, code: &Code, local: LocalSite, function: FunctionIndex) {
        let Ok(file) = code.unit.code() else { return };
        let is_own = |variable: VariableIndex| match file.sites.variable(variable).owner {
            Owner::Function(owner) => owner == function,
            Owner::Block(block) => file.sites.site(block).function == function,
            Owner::Global => false,
        };
        let site = file.sites.site(local);
        if let Some(variable) = site.variable.filter(|variable| is_own(*variable)) {
            self.written.insert(local.0, variable.0);
        }
        let is_put = matches!(site.kind, SiteKind::Put | SiteKind::PutIncrement | SiteKind::PutDecrement);
        if is_put && let Some(name) = site.names.first() {
            let number = self.name(file.sites.name(*name));
            self.written.insert(local.0, number);
        }
        let facts = code.facts.site(local);
        self.statements.insert(local.0, facts.statement.unwrap_or(u32::MAX >> 1));
        let mut read = Vec::new();
        let mut open: Vec<ExprId> = facts.value.into_iter().collect();
        // What is written through is read as well: `a` and `i` of `a[i] = x`.
        if let Some(target) = facts.target {
            open.extend(parts(&code.expression(target).node));
        }
        while let Some(id) = open.pop() {
            match &code.expression(id).node {
                Node::Variable(VariableRef::Known(variable)) if is_own(*variable) => read.push(variable.0),
                Node::Function(_) => {}
                Node::Call(call) => {
                    // The name of a method is no property that somebody defines.
                    open.extend(parts(&code.expression(call.callee).node));
                    open.extend(call.arguments.iter().copied());
                }
                node => {
                    if let Node::Member { key: Key::Name(name), .. } = node {
                        read.push(self.name(name));
                    }
                    open.extend(parts(node));
                }
            }
        }
        read.sort_unstable();
        read.dedup();
        if !read.is_empty() {
            self.read.insert(local.0, read);
        }
    }

    fn name(&mut self, name: &str) -> u32 {
        let n_known = self.names.len() as u32;
        *self.names.entry(name.to_owned()).or_insert(NAMES + n_known)
    }

    pub fn is_loop_binding(&self, local: u32) -> bool {
        self.loop_bindings.contains(&local)
    }

    pub fn decided_by(&self, local: u32) -> Option<(u32, bool)> {
        self.decided_by.get(&local).copied()
    }

    /// Whether some condition asks what came of this branch.
    pub fn decides(&self, local: u32) -> bool {
        self.deciding.contains(&local)
    }

    pub fn read_at(&self, local: u32) -> &[u32] {
        self.read.get(&local).map_or(&[], Vec::as_slice)
    }

    pub fn written_at(&self, local: u32) -> Option<u32> {
        self.written.get(&local).copied()
    }

    pub fn statement(&self, local: u32) -> u32 {
        self.statements.get(&local).copied().unwrap_or(0)
    }
}
