//! What a piece of code does, as far as it decides on what is recorded of it.

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::scope::ScopeFlags;

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
