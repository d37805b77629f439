//! Variables that hold numbers only, as far as the source tells: loop counters, mostly. A property whose key is one of them is an
//! element, so where no element is asked for, writes to it are left alone.

use std::collections::{HashMap, HashSet};

use js_syntax::SourceKind;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::Scoping;
use oxc_syntax::scope::ScopeFlags;
use oxc_syntax::symbol::SymbolId;

use crate::values::{is_numeric, is_numeric_assignment};

/// The variables that never hold anything but numbers, bigints and undefined.
pub(crate) fn numeric_variables(program: &Program, scoping: &Scoping, kind: SourceKind) -> HashSet<SymbolId> {
    let mut writes = Writes { scoping, kind, known: HashMap::new(), spoilt: HashSet::new(), is_open: false };
    writes.visit_program(program);
    if writes.is_open {
        return HashSet::new();
    }
    writes.solve()
}

/// Whether a value is of these if the variables are.
pub(crate) fn is_numeric_given(value: &Expression, scoping: &Scoping, variables: &HashSet<SymbolId>) -> bool {
    rests_on(value, scoping).is_some_and(|others| others.iter().all(|other| variables.contains(other)))
}

/// What is written to the variables of a program.
struct Writes<'p> {
    scoping: &'p Scoping,
    kind: SourceKind,
    known: HashMap<SymbolId, Written>,
    /// Names of functions that are declared: in blocks they are variables of the function around as well.
    spoilt: HashSet<String>,
    /// Code that is not here may write variables.
    is_open: bool,
}

#[derive(Default)]
struct Written {
    /// By assignments that were understood.
    n_assignments: usize,
    /// The variables that have to be numeric for this one to be.
    rests_on: HashSet<SymbolId>,
    by_others: bool,
}

impl Writes<'_> {
    fn solve(self) -> HashSet<SymbolId> {
        let scoping = self.scoping;
        // Top-level variables of a script are written by other scripts too, and those of eval code may live anywhere.
        let is_shared =
            |symbol| self.kind.has_completion_value() && scoping.symbol_scope_id(symbol) == scoping.root_scope_id();
        let is_understood = |symbol: SymbolId, written: &Written| {
            let n_writes = scoping.get_resolved_references(symbol).filter(|reference| reference.is_write()).count();
            !written.by_others
                && !is_shared(symbol)
                && written.n_assignments == n_writes
                && !self.spoilt.contains(scoping.symbol_name(symbol))
        };
        let mut left: HashSet<SymbolId> =
            self.known.iter().filter(|(symbol, it)| is_understood(**symbol, it)).map(|(symbol, _)| *symbol).collect();
        loop {
            let n_before = left.len();
            let stay: HashSet<SymbolId> =
                left.iter().filter(|symbol| self.known[symbol].rests_on.is_subset(&left)).copied().collect();
            left = stay;
            if left.len() == n_before {
                return left;
            }
        }
    }

    fn declared(&mut self, identifier: &BindingIdentifier, value: Option<&Expression>) {
        let Some(symbol) = identifier.symbol_id.get() else { return };
        let rests_on = value.map_or(Some(HashSet::new()), |value| rests_on(value, self.scoping));
        self.note(symbol, rests_on);
    }

    fn assigned(&mut self, identifier: &IdentifierReference, rests_on: Option<HashSet<SymbolId>>) {
        if let Some(symbol) = symbol_of(identifier, self.scoping) {
            self.note(symbol, rests_on);
            self.known.entry(symbol).or_default().n_assignments += 1;
        }
    }

    fn note(&mut self, symbol: SymbolId, rests_on: Option<HashSet<SymbolId>>) {
        let written = self.known.entry(symbol).or_default();
        match rests_on {
            Some(others) => written.rests_on.extend(others),
            None => written.by_others = true,
        }
    }
}

impl<'a> Visit<'a> for Writes<'_> {
    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        match &declarator.id {
            BindingPattern::BindingIdentifier(identifier) => self.declared(identifier, declarator.init.as_ref()),
            pattern => self.visit_binding_pattern(pattern),
        }
        if let Some(value) = &declarator.init {
            self.visit_expression(value);
        }
    }

    /// Parameters, patterns, functions, classes, exceptions, imports.
    fn visit_binding_identifier(&mut self, identifier: &BindingIdentifier<'a>) {
        if let Some(symbol) = identifier.symbol_id.get() {
            self.note(symbol, None);
        }
    }

    fn visit_for_statement_left(&mut self, left: &ForStatementLeft<'a>) {
        if let ForStatementLeft::VariableDeclaration(declaration) = left {
            for declarator in &declaration.declarations {
                self.visit_binding_pattern(&declarator.id);
            }
        }
        walk::walk_for_statement_left(self, left);
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        if let Some(name) = function.id.as_ref().filter(|_| function.is_declaration()) {
            self.spoilt.insert(name.name.to_string());
        }
        walk::walk_function(self, function, flags);
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        if let AssignmentTarget::AssignmentTargetIdentifier(identifier) = &assignment.left {
            let value = match is_numeric_assignment(assignment.operator) {
                true => Some(HashSet::new()),
                false => rests_on(&assignment.right, self.scoping),
            };
            self.assigned(identifier, value);
        }
        walk::walk_assignment_expression(self, assignment);
    }

    fn visit_update_expression(&mut self, update: &UpdateExpression<'a>) {
        if let SimpleAssignmentTarget::AssignmentTargetIdentifier(identifier) = &update.argument {
            self.assigned(identifier, Some(HashSet::new()));
        }
        walk::walk_update_expression(self, update);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        self.is_open |= matches!(&call.callee, Expression::Identifier(name) if name.name == "eval");
        walk::walk_call_expression(self, call);
    }

    fn visit_with_statement(&mut self, _: &WithStatement<'a>) {
        self.is_open = true;
    }
}

/// The variables that have to be numeric for a value to be; `None` if it may be anything.
fn rests_on(value: &Expression, scoping: &Scoping) -> Option<HashSet<SymbolId>> {
    let both = |left: &Expression, right: &Expression| {
        let mut all = rests_on(left, scoping)?;
        all.extend(rests_on(right, scoping)?);
        Some(all)
    };
    match value.without_parentheses() {
        Expression::NumericLiteral(_) => Some(HashSet::new()),
        Expression::Identifier(identifier) => Some(HashSet::from([symbol_of(identifier, scoping)?])),
        Expression::BinaryExpression(binary) if binary.operator == BinaryOperator::Addition => {
            both(&binary.left, &binary.right)
        }
        Expression::LogicalExpression(logical) => both(&logical.left, &logical.right),
        Expression::ConditionalExpression(conditional) => both(&conditional.consequent, &conditional.alternate),
        Expression::AssignmentExpression(assignment) if assignment.operator == AssignmentOperator::Assign => {
            rests_on(&assignment.right, scoping)
        }
        value => is_numeric(value).then(HashSet::new),
    }
}

fn symbol_of(identifier: &IdentifierReference, scoping: &Scoping) -> Option<SymbolId> {
    scoping.get_reference(identifier.reference_id.get()?).symbol_id()
}
