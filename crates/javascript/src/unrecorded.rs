//! What a piece of code may write: asked of what the instrumenter had to pass over.

use js_syntax::Positions;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;
use trace_model::Writes;

/// What is written inside each of the spans of the source.
pub fn writes_in(program: &Program, positions: &Positions, spans: &[trace_model::Span]) -> Vec<Writes> {
    let mut search = Search { spans, positions, writes: vec![Writes::default(); spans.len()] };
    search.visit_program(program);
    search.writes
}

struct Search<'s> {
    spans: &'s [trace_model::Span],
    positions: &'s Positions,
    /// One for each span.
    writes: Vec<Writes>,
}

impl Search<'_> {
    /// The writes of each span that something is inside of.
    fn around(&mut self, span: Span) -> impl Iterator<Item = &mut Writes> {
        let span = self.positions.span_to_source(span.start, span.end);
        let is_inside = move |outer: &trace_model::Span| outer.start <= span.start && span.end <= outer.end;
        let of_spans = self.spans.iter().zip(&mut self.writes);
        of_spans.filter(move |(outer, _)| is_inside(outer)).map(|(_, writes)| writes)
    }

    fn name(&mut self, span: Span, name: &str) {
        self.around(span).for_each(|writes| {
            writes.names.insert(name.to_owned());
        });
    }

    fn any_property(&mut self, span: Span) {
        self.around(span).for_each(|writes| writes.any_property = true);
    }

    fn member(&mut self, span: Span, member: &MemberExpression) {
        match member.static_property_name() {
            Some(name) => self.name(span, name),
            None if matches!(member, MemberExpression::PrivateFieldExpression(_)) => {}
            None => self.any_property(span),
        }
    }
}

impl<'a> Visit<'a> for Search<'_> {
    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        self.around(function.span).for_each(|writes| writes.makes_functions = true);
        walk::walk_function(self, function, flags);
    }

    fn visit_arrow_function_expression(&mut self, function: &ArrowFunctionExpression<'a>) {
        self.around(function.span).for_each(|writes| writes.makes_functions = true);
        walk::walk_arrow_function_expression(self, function);
    }

    fn visit_simple_assignment_target(&mut self, target: &SimpleAssignmentTarget<'a>) {
        match target {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(identifier) => {
                self.name(target.span(), &identifier.name);
            }
            target => match target.as_member_expression() {
                Some(member) => self.member(target.span(), member),
                None => self.any_property(target.span()),
            },
        }
        walk::walk_simple_assignment_target(self, target);
    }

    fn visit_assignment_target_property_identifier(&mut self, property: &AssignmentTargetPropertyIdentifier<'a>) {
        self.name(property.span, &property.binding.name);
        walk::walk_assignment_target_property_identifier(self, property);
    }

    fn visit_unary_expression(&mut self, unary: &UnaryExpression<'a>) {
        if unary.operator == UnaryOperator::Delete {
            let member = match &unary.argument {
                Expression::ChainExpression(chain) => chain.expression.as_member_expression(),
                argument => argument.as_member_expression(),
            };
            member.iter().for_each(|member| self.member(unary.span, member));
        }
        walk::walk_unary_expression(self, unary);
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        if declarator.init.is_some() {
            let declared = declarator.id.get_binding_identifiers();
            declared.iter().for_each(|identifier| self.name(declarator.span, &identifier.name));
        }
        walk::walk_variable_declarator(self, declarator);
    }
}
