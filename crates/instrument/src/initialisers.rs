//! Initialisers of fields and of parameters: they run before the function has begun that they are written in, or without one.
//!
//! ```text
//! function f(a = $w_v(S,$w_r($w_E(S,$w_f0),g(),$w_m(S)))) { … }
//! ```
//!
//! One that does something is entered like a function of its own, so that calls and writes in it are its own and not those of whoever
//! runs it. It tells when it ends, but not when an exception ends it: no block can be put around it. Its frame has no variable, so
//! functions that are made in it lead to the scope around it; they tell themselves what `this` is.

use helper_names::{ENTER, GIVE_SECOND, MARK, RECEIVER, VALUE};
use std::collections::HashSet;

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::symbol::SymbolId;
use trace_model::{FunctionKind, SiteKind};

use crate::anchors::{Anchors, At, Construct, Role};
use crate::frames::Frame;
use crate::values::record_undefined;
use crate::walker::{Context, Walker};

/// As stack traces name them.
const OF_INSTANCE: &str = "<instance_members_initializer>";
const OF_CLASS: &str = "<static_initializer>";

impl<'a, N: Anchors> Walker<'a, '_, N> {
    pub fn field_initialiser(&mut self, property: &PropertyDefinition<'a>) {
        let name = if property.r#static { OF_CLASS } else { OF_INSTANCE };
        self.initialiser(property.at(), name, true, |walker| match &property.value {
            Some(value) => walker.entered_if_it_acts(property.at(), value, |walker| walker.field(property, value)),
            None => walker.field_without_value(property),
        });
    }

    /// Walks what parameters are if nothing is given for them. The scope of the function must not be known yet.
    pub fn parameter_defaults(&mut self, parameters: &FormalParameters<'a>, name: &str) {
        if js_syntax::evaluates_text(parameters) {
            return self.unwalked_defaults(parameters);
        }
        self.note_unseen_writes(parameters);
        for parameter in &parameters.items {
            self.defaults_of_pattern(&parameter.pattern, name);
            if let Some(init) = &parameter.initializer {
                self.parameter_default(&parameter.pattern, init, name);
            }
        }
        if let Some(rest) = &parameters.rest {
            self.defaults_of_pattern(&rest.rest.argument, name);
        }
    }

    fn defaults_of_pattern(&mut self, pattern: &BindingPattern<'a>, name: &str) {
        match pattern {
            BindingPattern::BindingIdentifier(_) => {}
            BindingPattern::ObjectPattern(object) => {
                object.properties.iter().for_each(|property| self.defaults_of_pattern(&property.value, name));
            }
            BindingPattern::ArrayPattern(array) => {
                array.elements.iter().flatten().for_each(|element| self.defaults_of_pattern(element, name));
                if let Some(rest) = &array.rest {
                    self.defaults_of_pattern(&rest.argument, name);
                }
            }
            BindingPattern::AssignmentPattern(assignment) => {
                self.defaults_of_pattern(&assignment.left, name);
                self.parameter_default(&assignment.left, &assignment.right, name);
            }
        }
    }

    fn parameter_default(&mut self, of: &BindingPattern<'a>, init: &Expression<'a>, name: &str) {
        let identifier = match of {
            BindingPattern::BindingIdentifier(id) => Some(id.name.as_str()),
            _ => None,
        };
        let has_this = !(self.frame().kind == FunctionKind::Constructor && self.in_derived_class);
        let walk = |walker: &mut Self| {
            let names = identifier.is_some() && init.is_anonymous_function_definition();
            walker.initialiser(init.at(), name, has_this, |walker| {
                walker.entered_if_it_acts(init.at(), init, |walker| {
                    walker.name_hint = identifier.filter(|_| names).map(str::to_owned);
                    walker.context = Context { consumed: true, names, ..Context::default() };
                    walker.visit_expression(init);
                    walker.name_hint = None;
                });
            });
        };
        if identifier.is_some() && init.is_anonymous_function_definition() {
            return walk(self);
        }
        let site = self.site(SiteKind::Default, Role::Default, init.at(), identifier);
        self.quietly(init, |walker| walker.wrap_call(init.span(), VALUE, site, walk));
    }

    /// What a direct eval in it declares, later parameters see: only that a default was used is noted.
    fn unwalked_defaults(&mut self, parameters: &FormalParameters<'a>) {
        self.not_captured(parameters.span, "a direct eval in parameters may do anything before the function begins");
        for parameter in &parameters.items {
            let (Some(init), BindingPattern::BindingIdentifier(id)) = (&parameter.initializer, &parameter.pattern)
            else {
                continue;
            };
            if !init.is_anonymous_function_definition() {
                let site = self.site(SiteKind::Default, Role::Default, init.at(), Some(&id.name));
                self.wrap_call(init.span(), VALUE, site, |_| {});
            }
        }
    }

    /// A function in a default that writes a parameter: whose frame it belongs to is not known to it.
    fn note_unseen_writes(&mut self, parameters: &FormalParameters<'a>) {
        let items = parameters.items.iter().map(|item| &item.pattern);
        let rest = parameters.rest.iter().map(|rest| &rest.rest.argument);
        let identifiers = items.chain(rest).flat_map(|pattern| pattern.get_binding_identifiers());
        let own: HashSet<SymbolId> = identifiers.filter_map(|identifier| identifier.symbol_id.get()).collect();
        let mut found = Vec::new();
        {
            let is_own =
                |identifier: &IdentifierReference<'a>| self.symbol(identifier).is_some_and(|id| own.contains(&id));
            let mut search = OwnWrites { is_own: &is_own, in_function: 0, found: &mut found };
            parameters.items.iter().for_each(|item| search.visit_formal_parameter(item));
        }
        for span in found {
            self.not_captured(span, "a function in a default value writes a parameter beside it");
        }
    }

    fn initialiser(&mut self, at: At, name: &str, has_this: bool, inside: impl FnOnce(&mut Self)) {
        let index = self.add_function(FunctionKind::ClassInit, name, at.span, false, false);
        self.anchors.initialiser(at.node, index);
        let saved = self.enter_frame(Frame { has_unseen_this: has_this, ..Frame::new(index, FunctionKind::ClassInit) });
        inside(self);
        self.leave_frame(saved);
    }

    /// Walks a value, between an entry and a return where there is anything to tell of in between.
    fn entered_if_it_acts(&mut self, at: At, value: &Expression<'a>, inside: impl FnOnce(&mut Self)) {
        // A class without a name has that of its field, which nothing may stand in between.
        if !js_syntax::acts(value) || value.is_anonymous_function_definition() {
            return inside(self);
        }
        self.quietly(value, |walker| {
            let opening = walker.edits.reserve(value.span().start);
            inside(walker);
            let closing = walker.edits.reserve(value.span().end);
            let uses_this = walker.frame().uses_this && walker.frame().has_unseen_this;
            let this = if uses_this { walker.site(SiteKind::This, Role::This, at, None) } else { None };
            let end = at.span.end;
            let enter = walker.site(SiteKind::Enter, Role::Enter, at, None);
            let ret = walker.site(SiteKind::Return, Role::End, at.over(Span::new(end, end)), None);
            let last = at.over(Span::new(end.saturating_sub(1), end));
            let exit = walker.site(SiteKind::Exit, Role::Exit, last, None);
            let ends = ret.map(|ret| record_undefined(&ret)).or(exit.map(|exit| format!("{MARK}({exit})")));
            let (Some(enter), Some(ends)) = (enter, ends) else { return };
            let scope = walker.scope_number();
            let mut begins = walker.quiet_call(format!("{ENTER}({enter},{scope})"));
            if let Some(this) = this {
                let this = walker.quiet_call(format!("{RECEIVER}({this},this,{})", walker.stamp("this")));
                begins = format!("({begins},{this})");
            }
            let ends = walker.quiet_call(ends);
            let (open, close) = walker.quieted((format!("{GIVE_SECOND}({begins},"), format!(",{ends})")));
            walker.edits.fill(opening, open);
            walker.edits.fill(closing, close);
        });
    }

    /// A call of a helper, as it must stand beside something that is walked quietly.
    fn quiet_call(&self, call: String) -> String {
        let Some(open) = call.strip_suffix(')') else { return call };
        let (open, close) = self.quieted((open.to_owned(), ")".to_owned()));
        format!("{open}{close}")
    }

    /// Whether the function that is walked, an arrow function, has the `this` of an initialiser around it.
    pub fn has_unseen_this(&self) -> bool {
        let around = self.frames.iter().rev().find(|frame| frame.kind != FunctionKind::Arrow);
        around.is_some_and(|frame| frame.has_unseen_this)
    }
}

/// Writes of some variables inside of functions.
struct OwnWrites<'s, 'a> {
    is_own: &'s dyn Fn(&IdentifierReference<'a>) -> bool,
    in_function: u32,
    found: &'s mut Vec<Span>,
}

impl<'a> Visit<'a> for OwnWrites<'_, 'a> {
    fn visit_simple_assignment_target(&mut self, target: &SimpleAssignmentTarget<'a>) {
        if let SimpleAssignmentTarget::AssignmentTargetIdentifier(identifier) = target
            && self.in_function > 0
            && (self.is_own)(identifier)
        {
            self.found.push(identifier.span);
        }
        walk::walk_simple_assignment_target(self, target);
    }

    fn visit_assignment_target_property_identifier(&mut self, property: &AssignmentTargetPropertyIdentifier<'a>) {
        if self.in_function > 0 && (self.is_own)(&property.binding) {
            self.found.push(property.span);
        }
        walk::walk_assignment_target_property_identifier(self, property);
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: oxc_syntax::scope::ScopeFlags) {
        self.in_function += 1;
        walk::walk_function(self, function, flags);
        self.in_function -= 1;
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        self.in_function += 1;
        walk::walk_arrow_function_expression(self, arrow);
        self.in_function -= 1;
    }
}
