//! The variables that the source declares, and what each lives in.
//!
//! A frame has one instance of each variable, except where a loop makes new ones each time round. That only matters where a
//! function keeps hold of them, so such loops, and no others, emit a `Scope` event each time round. A variable has the number of
//! its symbol.

use js_syntax::SourceKind;
use oxc_ast::ast::*;
use oxc_semantic::Scoping;
use oxc_syntax::scope::{ScopeFlags, ScopeId};
use oxc_syntax::symbol::{SymbolFlags, SymbolId};
use trace_model::{FunctionIndex, LocalSite, Owner, Variable, VariableIndex, VariableKind};

use crate::anchors::Anchors;
use crate::walker::Walker;

/// What is known of the scopes while they are walked; by [`ScopeId`].
pub(crate) struct Scopes {
    /// What variables of this very scope live in, where it is not what those of the scope around it live in.
    owner: Vec<Option<Owner>>,
    /// A variable of this very scope is used by a function that is created in it.
    is_captured: Vec<bool>,
    /// The same of this scope, or of one inside it that belongs to the same function.
    holds_captured: Vec<bool>,
    /// By [`SymbolId`].
    is_parameter: Vec<bool>,
    /// Variables of the top level that the source does not declare, and that are told by an empty span: what Node passes to a
    /// CommonJS module, and `default` for the value of `export default`.
    implicit: Vec<(&'static str, VariableKind)>,
}

impl Scopes {
    pub fn new(scoping: &Scoping) -> Scopes {
        let n_scopes = scoping.scopes_len();
        let mut scopes = Scopes {
            owner: vec![None; n_scopes],
            is_captured: vec![false; n_scopes],
            holds_captured: vec![false; n_scopes],
            is_parameter: vec![false; scoping.symbols_len()],
            implicit: Vec::new(),
        };
        let functions = functions_of_scopes(scoping);
        for symbol in scoping.symbol_ids() {
            let scope = scoping.symbol_scope_id(symbol);
            // Whatever a direct eval compiles may use any name that it sees.
            let is_captured = scoping.scope_flags(scope).contains(ScopeFlags::DirectEval)
                || scoping
                    .get_resolved_references(symbol)
                    .any(|reference| functions[reference.scope_id().index()] != functions[scope.index()]);
            if is_captured {
                scopes.is_captured[scope.index()] = true;
                let function = functions[scope.index()];
                for around in scoping.scope_ancestors(scope) {
                    if scopes.holds_captured[around.index()] || functions[around.index()] != function {
                        break;
                    }
                    scopes.holds_captured[around.index()] = true;
                }
            }
        }
        scopes
    }

    pub fn is_captured(&self, scope: Option<ScopeId>) -> bool {
        scope.is_some_and(|scope| self.is_captured[scope.index()])
    }

    pub fn holds_captured(&self, scope: Option<ScopeId>) -> bool {
        scope.is_some_and(|scope| self.holds_captured[scope.index()])
    }

    pub fn set_owner(&mut self, scope: Option<ScopeId>, owner: Owner) {
        if let Some(scope) = scope {
            self.owner[scope.index()] = Some(owner);
        }
    }
}

/// For each scope the scope of its function. A scope comes behind the one around it.
fn functions_of_scopes(scoping: &Scoping) -> Vec<ScopeId> {
    let mut functions: Vec<ScopeId> = Vec::with_capacity(scoping.scopes_len());
    for scope in scoping.scope_descendants_from_root() {
        let is_function = scoping.scope_flags(scope).is_function();
        let function = match scoping.scope_parent_id(scope) {
            Some(parent) if !is_function => functions[parent.index()],
            _ => scope,
        };
        functions.push(function);
    }
    functions
}

impl<'a, N: Anchors> Walker<'a, '_, N> {
    /// The newest site writes this variable.
    pub fn site_writes(&mut self, symbol: Option<SymbolId>) {
        if let (Some(symbol), Some(site)) = (symbol, self.table.sites.last_mut()) {
            site.variable = Some(variable_index(symbol));
        }
    }

    /// The newest site writes the variable that this names.
    pub fn site_writes_reference(&mut self, identifier: &IdentifierReference<'a>) {
        let variable = match self.symbol(identifier) {
            Some(symbol) => Some(variable_index(symbol)),
            None => self.implicit_variable(&identifier.name),
        };
        if let Some(site) = self.table.sites.last_mut() {
            site.variable = variable;
        }
    }

    /// Notes a variable of the top level that the source does not declare.
    pub fn add_implicit(&mut self, name: &'static str, kind: VariableKind) {
        self.scope_info.implicit.push((name, kind));
    }

    /// What Node passes to a CommonJS module and its code uses. A declaration of the name would be another variable, or the same.
    pub fn commonjs_names(&self) -> Vec<&'static str> {
        if self.kind != SourceKind::CommonJs {
            return Vec::new();
        }
        let used = self.scoping.root_unresolved_references();
        ["module", "exports"].into_iter().filter(|name| used.contains_key(*name)).collect()
    }

    pub fn implicit_variable(&self, name: &str) -> Option<VariableIndex> {
        let found = self.scope_info.implicit.iter().position(|(known, _)| *known == name)?;
        Some(VariableIndex((self.scoping.symbols_len() + found) as u32))
    }

    /// What is declared in this scope lives in each time round that the site numbers.
    pub fn scope_is_block(&mut self, scope: Option<ScopeId>, site: u32) {
        self.scope_info.set_owner(scope, Owner::Block(LocalSite(site)));
    }

    pub fn note_parameters(&mut self, parameters: &FormalParameters<'a>) {
        let items = parameters.items.iter().map(|item| &item.pattern);
        let rest = parameters.rest.iter().map(|rest| &rest.rest.argument);
        for identifier in items.chain(rest).flat_map(|pattern| pattern.get_binding_identifiers()) {
            if let Some(symbol) = identifier.symbol_id.get() {
                self.scope_info.is_parameter[symbol.index()] = true;
            }
        }
    }

    /// Fills the table of variables, when all scopes were walked.
    pub fn variable_table(&mut self) {
        let mut owners: Vec<Owner> = Vec::with_capacity(self.scoping.scopes_len());
        for scope in self.scoping.scope_descendants_from_root() {
            let around = self.scoping.scope_parent_id(scope).map_or(Owner::Global, |parent| owners[parent.index()]);
            owners.push(self.scope_info.owner[scope.index()].unwrap_or(around));
        }
        for symbol in self.scoping.symbol_ids() {
            let span = self.scoping.symbol_span(symbol);
            let name = self.name(self.scoping.symbol_name(symbol));
            self.table.variables.push(Variable {
                name,
                owner: owners[self.scoping.symbol_scope_id(symbol).index()],
                kind: self.variable_kind(symbol),
                span: trace_model::Span { start: span.start, end: span.end },
            });
        }
        for (name, kind) in std::mem::take(&mut self.scope_info.implicit) {
            let name = self.name(name);
            let owner = Owner::Function(FunctionIndex(0));
            self.table.variables.push(Variable { name, owner, kind, span: trace_model::Span::default() });
        }
    }

    fn variable_kind(&self, symbol: SymbolId) -> VariableKind {
        let flags = self.scoping.symbol_flags(symbol);
        let kinds = [
            (SymbolFlags::Import, VariableKind::Import),
            (SymbolFlags::CatchVariable, VariableKind::Catch),
            (SymbolFlags::Function, VariableKind::Function),
            (SymbolFlags::Class, VariableKind::Class),
            (SymbolFlags::ConstVariable, VariableKind::Const),
            (SymbolFlags::BlockScopedVariable, VariableKind::Let),
        ];
        if self.scope_info.is_parameter[symbol.index()] {
            return VariableKind::Parameter;
        }
        kinds.iter().find(|(flag, _)| flags.contains(*flag)).map_or(VariableKind::Var, |&(_, kind)| kind)
    }
}

fn variable_index(symbol: SymbolId) -> VariableIndex {
    VariableIndex(symbol.index() as u32)
}

#[cfg(test)]
mod tests;
