//! What a piece of code may write: asked of what the instrumenter had to pass over.

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;
use trace_model::Writes;

use crate::positions::Positions;

/// Whether a direct eval stands among parameters.
pub fn evaluates_text(parameters: &FormalParameters) -> bool {
    let mut search = EvalSearch { is_found: false };
    search.visit_formal_parameters(parameters);
    search.is_found
}

/// Whether an expression itself calls, makes or writes something; what functions in it do is theirs.
pub fn acts(expression: &Expression) -> bool {
    let mut search = ActSearch { is_found: false };
    search.visit_expression(expression);
    search.is_found
}

/// What is written inside one of the spans of the source.
pub fn writes_in(program: &Program, positions: &Positions, spans: &[trace_model::Span]) -> Writes {
    let mut search = Search { spans: Some((spans, positions)), writes: Writes::default() };
    search.visit_program(program);
    search.writes
}

struct Search<'s> {
    /// `None`: everywhere.
    spans: Option<(&'s [trace_model::Span], &'s Positions)>,
    writes: Writes,
}

impl Search<'_> {
    fn is_inside(&self, span: Span) -> bool {
        let Some((spans, positions)) = self.spans else { return true };
        let span = positions.span_to_source(span.start, span.end);
        spans.iter().any(|outer| outer.start <= span.start && span.end <= outer.end)
    }

    fn name(&mut self, name: &str) {
        self.writes.names.insert(name.to_owned());
    }

    fn member(&mut self, member: &MemberExpression) {
        match member.static_property_name() {
            Some(name) => self.name(name),
            None if matches!(member, MemberExpression::PrivateFieldExpression(_)) => {}
            None => self.writes.any_property = true,
        }
    }
}

impl<'a> Visit<'a> for Search<'_> {
    fn visit_simple_assignment_target(&mut self, target: &SimpleAssignmentTarget<'a>) {
        if self.is_inside(target.span()) {
            match target {
                SimpleAssignmentTarget::AssignmentTargetIdentifier(identifier) => self.name(&identifier.name),
                target => match target.as_member_expression() {
                    Some(member) => self.member(member),
                    None => self.writes.any_property = true,
                },
            }
        }
        walk::walk_simple_assignment_target(self, target);
    }

    fn visit_assignment_target_property_identifier(&mut self, property: &AssignmentTargetPropertyIdentifier<'a>) {
        if self.is_inside(property.span) {
            self.name(&property.binding.name);
        }
        walk::walk_assignment_target_property_identifier(self, property);
    }

    fn visit_unary_expression(&mut self, unary: &UnaryExpression<'a>) {
        if unary.operator == UnaryOperator::Delete && self.is_inside(unary.span) {
            let member = match &unary.argument {
                Expression::ChainExpression(chain) => chain.expression.as_member_expression(),
                argument => argument.as_member_expression(),
            };
            member.iter().for_each(|member| self.member(member));
        }
        walk::walk_unary_expression(self, unary);
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        if declarator.init.is_some() && self.is_inside(declarator.span) {
            declarator.id.get_binding_identifiers().iter().for_each(|identifier| self.name(&identifier.name));
        }
        walk::walk_variable_declarator(self, declarator);
    }
}

struct EvalSearch {
    is_found: bool,
}

impl<'a> Visit<'a> for EvalSearch {
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        self.is_found |= matches!(&call.callee, Expression::Identifier(name) if name.name == "eval");
        walk::walk_call_expression(self, call);
    }
}

struct ActSearch {
    is_found: bool,
}

impl<'a> Visit<'a> for ActSearch {
    fn visit_expression(&mut self, expression: &Expression<'a>) {
        match expression {
            Expression::CallExpression(_)
            | Expression::NewExpression(_)
            | Expression::TaggedTemplateExpression(_)
            | Expression::ImportExpression(_)
            | Expression::AssignmentExpression(_)
            | Expression::UpdateExpression(_)
            | Expression::ClassExpression(_) => self.is_found = true,
            Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::Delete => self.is_found = true,
            _ => walk::walk_expression(self, expression),
        }
    }

    /// A call inside of an optional chain is no expression of its own.
    fn visit_call_expression(&mut self, _: &CallExpression<'a>) {
        self.is_found = true;
    }

    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}
}
