//! The way over the tree: which part of the walker takes which construct.

use helper_names::ROOM;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use trace_model::FunctionKind;

use crate::anchors::Anchors;
use crate::walker::{Context, FunctionLiteral, Walker};

impl<'a, N: Anchors> Visit<'a> for Walker<'a, '_, N> {
    fn visit_expression(&mut self, expression: &Expression<'a>) {
        self.depth += 1;
        let printed = self.printed;
        self.printed |= self.is_too_deep();
        match self.around_wished_expression(expression) {
            Some((open, close)) => {
                self.edits.insert(expression.span().start, open);
                self.expression(expression);
                self.edits.insert(expression.span().end, close);
            }
            None => self.expression(expression),
        }
        self.printed = printed;
        self.depth -= 1;
    }

    fn visit_this_expression(&mut self, _: &ThisExpression) {
        self.note_this();
    }

    fn visit_super(&mut self, _: &Super) {
        self.note_this();
    }
    fn visit_identifier_reference(&mut self, identifier: &IdentifierReference<'a>) {
        if identifier.name == "arguments" && self.symbol(identifier).is_none() {
            for frame in self.frames.iter_mut().rev() {
                frame.uses_arguments = true;
                if frame.kind != FunctionKind::Arrow {
                    break;
                }
            }
        }
    }

    fn visit_statement(&mut self, statement: &Statement<'a>) {
        let in_list = std::mem::take(&mut self.in_list);
        self.statement_start = statement.span().start;
        match self.around_wished_statement(statement) {
            Some((open, close)) => {
                self.edits.insert(statement.span().start, open);
                self.statement(statement, in_list);
                self.edits.insert(statement.span().end, close);
            }
            None => self.statement(statement, in_list),
        }
    }

    fn visit_block_statement(&mut self, block: &BlockStatement<'a>) {
        let start = block.span.start + 1;
        self.hoisted_functions(start, &block.body);
        self.statements(&block.body);
    }

    fn visit_function(&mut self, function: &Function<'a>, _: oxc_syntax::scope::ScopeFlags) {
        let hint = self.name_hint.take();
        self.function(FunctionLiteral::Function(function), FunctionKind::Plain, hint);
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        let hint = self.name_hint.take();
        self.class(class, hint);
    }
}

impl<'a, N: Anchors> Walker<'a, '_, N> {
    fn expression(&mut self, expression: &Expression<'a>) {
        let context = std::mem::take(&mut self.context);
        let hint =
            if matches!(expression, Expression::ParenthesizedExpression(_)) { None } else { self.name_hint.take() };
        match expression {
            Expression::ParenthesizedExpression(inner) => {
                // `statement` must not reach inside: what is inserted there would follow the parenthesis.
                self.context = Context { statement: false, apart: false, ..context };
                self.visit_expression(&inner.expression);
            }
            Expression::StaticMemberExpression(member) => self.object_of_member(&member.object),
            Expression::PrivateFieldExpression(member) => self.object_of_member(&member.object),
            Expression::ComputedMemberExpression(member) => {
                self.object_of_member(&member.object);
                self.visit_expression(&member.expression);
            }
            Expression::CallExpression(call) => self.call(call, context),
            Expression::NewExpression(new) => self.new_expression(new, context),
            Expression::ChainExpression(chain) => self.chain(chain, context),
            Expression::TaggedTemplateExpression(tagged) => self.tagged_template(tagged, context),
            Expression::ImportExpression(import) => self.import_call(import, context),
            Expression::AssignmentExpression(assignment) => self.assignment(assignment),
            Expression::UpdateExpression(update) => self.update(update),
            Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::Delete => self.delete(unary),
            Expression::LogicalExpression(logical) => self.logical(logical),
            Expression::ConditionalExpression(conditional) => self.conditional(conditional),
            Expression::AwaitExpression(r#await) => self.await_expression(r#await),
            Expression::YieldExpression(r#yield) => self.yield_expression(r#yield),
            Expression::FunctionExpression(function) => {
                self.function_expression(FunctionLiteral::Function(function), context, hint)
            }
            Expression::ArrowFunctionExpression(arrow) => {
                self.function_expression(FunctionLiteral::Arrow(arrow), context, hint)
            }
            Expression::ClassExpression(class) => self.class_expression(class, context, hint),
            Expression::ObjectExpression(object) => self.object_literal(object, context),
            Expression::ArrayExpression(array) => self.array_literal(array, context),
            _ => walk::walk_expression(self, expression),
        }
    }

    fn note_this(&mut self) {
        for frame in self.frames.iter_mut().rev() {
            frame.uses_this = true;
            if frame.kind != FunctionKind::Arrow {
                break;
            }
        }
    }

    fn object_of_member(&mut self, object: &Expression<'a>) {
        self.context = Context { object: true, ..Context::default() };
        self.visit_expression(object);
    }

    /// Most events do not look whether the chunk has room for them: entries and loops do. A long list of statements has neither.
    fn ask_for_room(&mut self, at: u32) {
        if self.has_long_way_behind() {
            let text = self.statement_text(&format!("{ROOM}()"));
            self.edits.insert(at, text);
        }
    }

    /// Whether somebody has to look for room now, which the caller then sees to.
    pub fn has_long_way_behind(&mut self) -> bool {
        let n_sites = self.table.sites.len();
        let is_long = self.selection.is_all() && n_sites - self.n_sites_with_room >= MOST_SITES_IN_A_ROW;
        if is_long {
            self.n_sites_with_room = n_sites;
        }
        is_long
    }

    pub fn statements(&mut self, statements: &[Statement<'a>]) {
        for statement in statements {
            self.ask_for_room(statement.span().start);
            self.in_list = true;
            self.visit_statement(statement);
        }
        self.in_list = false;
    }
}

/// Their events are far shorter than what is left of a chunk that has room.
const MOST_SITES_IN_A_ROW: usize = 4096;
