//! Statements: what is evaluated in which order, and where control goes from there.

use instrument::Role;
use oxc_ast::ast::*;
use oxc_span::GetSpan;
use oxc_syntax::node::NodeId;
use oxc_syntax::scope::ScopeId;
use trace_model::{ExprId, Literal, LocalSite, Node, Way};

use super::builder::{Builder, told};
use super::expressions::DecidedBy;
use super::flow::BlockId;
use super::jumps::Jump;
use super::modules::DEFAULT;

impl<'a> Builder<'_> {
    pub fn statements(&mut self, statements: &[Statement<'a>]) {
        for statement in statements {
            self.statement(statement, Vec::new());
        }
    }

    /// `labels` stand before the statement.
    fn statement(&mut self, statement: &Statement<'a>, labels: Vec<String>) {
        let span = statement.span();
        match statement {
            Statement::BlockStatement(block) if labels.is_empty() => self.block_statement(block),
            Statement::LabeledStatement(labeled) => {
                let mut labels = labels;
                labels.push(labeled.label.name.to_string());
                self.statement(&labeled.body, labels);
            }
            Statement::WhileStatement(inner) => {
                self.with_statement(span, inner.test.span().end, |b| b.while_statement(inner, labels));
            }
            Statement::DoWhileStatement(inner) => {
                self.with_statement(span, inner.body.span().start, |b| b.do_while(inner, labels));
            }
            Statement::ForStatement(inner) => {
                let ends = [
                    inner.init.as_ref().map(|part| part.span().end),
                    inner.test.as_ref().map(|part| part.span().end),
                    inner.update.as_ref().map(|part| part.span().end),
                ];
                let head_end = ends.into_iter().flatten().max().unwrap_or(span.start);
                self.with_statement(span, head_end, |b| b.for_statement(inner, labels));
            }
            Statement::ForInStatement(inner) => {
                let parts = Iteration {
                    node: inner.node_id(),
                    left: &inner.left,
                    right: &inner.right,
                    body: &inner.body,
                    scope: inner.scope_id.get(),
                    keys: true,
                };
                self.with_statement(span, inner.right.span().end, |b| b.iteration(parts, labels));
            }
            Statement::ForOfStatement(inner) => {
                let parts = Iteration {
                    node: inner.node_id(),
                    left: &inner.left,
                    right: &inner.right,
                    body: &inner.body,
                    scope: inner.scope_id.get(),
                    keys: false,
                };
                self.with_statement(span, inner.right.span().end, |b| b.iteration(parts, labels));
            }
            Statement::SwitchStatement(inner) => {
                self.with_statement(span, inner.discriminant.span().end, |b| b.switch(inner, labels));
            }
            statement if !labels.is_empty() => {
                let behind = self.block();
                self.frame_mut().jumps.push_breakable(labels, behind, None);
                self.statement(statement, Vec::new());
                self.frame_mut().jumps.pop();
                self.go_to(behind);
            }
            Statement::IfStatement(inner) => {
                self.with_statement(span, inner.test.span().end, |b| b.if_statement(inner));
            }
            Statement::TryStatement(inner) => {
                self.with_statement(span, inner.block.span.start, |b| b.try_statement(inner));
            }
            Statement::EmptyStatement(_) | Statement::ImportDeclaration(_) => {}
            // Nothing inside is recorded.
            Statement::WithStatement(inner) => self.with_statement(span, inner.object.span().end, |builder| {
                builder.expression(&inner.object);
            }),
            statement => self.with_statement(span, span.end, |builder| builder.simple(statement)),
        }
    }

    /// A statement with no statements inside.
    fn simple(&mut self, statement: &Statement<'a>) {
        match statement {
            Statement::ExpressionStatement(statement) => {
                self.expression(&statement.expression);
            }
            Statement::ReturnStatement(statement) => {
                let value = statement.argument.as_ref().map(|value| self.expression(value));
                self.leave(statement.node_id(), value, Jump::Return);
            }
            Statement::ThrowStatement(statement) => {
                let value = self.expression(&statement.argument);
                self.leave(statement.node_id(), Some(value), Jump::Throw);
            }
            Statement::BreakStatement(statement) => {
                let label = statement.label.as_ref().map_or("", |label| label.name.as_str());
                if let Some(jump) = self.frame().jumps.break_of(label) {
                    self.jump(jump);
                }
            }
            Statement::ContinueStatement(statement) => {
                let label = statement.label.as_ref().map_or("", |label| label.name.as_str());
                if let Some(jump) = self.frame().jumps.continue_of(label) {
                    self.jump(jump);
                }
            }
            Statement::VariableDeclaration(declaration) => self.variable_declaration(declaration),
            Statement::FunctionDeclaration(function) => self.function_declaration(function),
            Statement::ClassDeclaration(class) => self.class_declaration(class),
            Statement::ExportDeclaration(export) => match &export.declaration {
                Declaration::VariableDeclaration(declaration) => self.variable_declaration(declaration),
                Declaration::ClassDeclaration(class) => self.class_declaration(class),
                Declaration::FunctionDeclaration(function) => self.function_declaration(function),
                _ => {}
            },
            Statement::ExportDefaultDeclaration(export) => match &export.declaration {
                ExportDefaultDeclarationKind::FunctionDeclaration(function) => self.function_declaration(function),
                ExportDefaultDeclarationKind::ClassDeclaration(class) => self.class_declaration(class),
                declaration => {
                    if let Some(expression) = declaration.as_expression() {
                        let value = self.expression(expression);
                        let target = self.implicit(DEFAULT, export.span);
                        let site = self.emit(export.node_id(), Role::Write, Some(value), target);
                        self.carries(value, site);
                    }
                }
            },
            _ => {}
        }
    }

    fn leave(&mut self, node: NodeId, value: Option<ExprId>, jump: Jump) {
        let site = self.emit(node, Role::Leave, value, None);
        if let Some(value) = value {
            self.carries(value, site);
        }
        self.jump(jump);
    }

    fn block_statement(&mut self, block: &BlockStatement<'a>) {
        self.with_scope(block.scope_id.get(), |builder| {
            builder.hoisted(&block.body);
            builder.statements(&block.body);
        });
    }

    /// A statement in the place of a block.
    fn body(&mut self, body: &Statement<'a>) {
        self.statement(body, Vec::new());
    }

    fn loop_body(&mut self, body: &Statement<'a>) {
        self.emit(body.node_id(), Role::BodyScope, None, None);
        self.body(body);
    }

    fn if_statement(&mut self, statement: &IfStatement<'a>) {
        let (_, branch) = self.condition(&statement.test, DecidedBy::Truth);
        self.either(
            branch,
            |builder| builder.body(&statement.consequent),
            |builder| {
                if let Some(alternate) = &statement.alternate {
                    builder.body(alternate);
                }
            },
        );
    }

    fn while_statement(&mut self, statement: &WhileStatement<'a>, labels: Vec<String>) {
        let head = self.frame_mut().flow.loop_head();
        let (inside, behind) = (self.block(), self.block());
        self.go_to(head);
        self.loop_test(Some(&statement.test), inside, behind);
        self.in_loop(labels, behind, head, |builder| builder.loop_body(&statement.body));
        self.go_to(head);
        self.continue_in(behind);
    }

    fn do_while(&mut self, statement: &DoWhileStatement<'a>, labels: Vec<String>) {
        let inside = self.frame_mut().flow.loop_head();
        let (test, behind) = (self.block(), self.block());
        self.go_to(inside);
        self.in_loop(labels, behind, test, |builder| builder.loop_body(&statement.body));
        self.go_to(test);
        self.loop_test(Some(&statement.test), inside, behind);
        self.continue_in(behind);
    }

    fn for_statement(&mut self, statement: &ForStatement<'a>, labels: Vec<String>) {
        self.with_scope(statement.scope_id.get(), |builder| {
            builder.emit(statement.node_id(), Role::HeadScope, None, None);
            match &statement.init {
                Some(ForStatementInit::VariableDeclaration(declaration)) => builder.variable_declaration(declaration),
                Some(init) => {
                    if let Some(expression) = init.as_expression() {
                        builder.expression(expression);
                    }
                }
                None => {}
            }
            let head = builder.frame_mut().flow.loop_head();
            let (inside, update, behind) = (builder.block(), builder.block(), builder.block());
            builder.go_to(head);
            builder.loop_test(statement.test.as_ref(), inside, behind);
            builder.in_loop(labels, behind, update, |builder| {
                builder.emit(statement.body.node_id(), Role::BodyScope, None, None);
                // An endless loop tells of each time round at the start of its body.
                builder.emit(statement.node_id(), Role::Round, None, None);
                builder.body(&statement.body);
            });
            builder.go_to(update);
            builder.carried(statement);
            if let Some(update) = &statement.update {
                builder.expression(update);
            }
            builder.go_to(head);
            builder.continue_in(behind);
        });
    }

    /// Where functions keep the variables of the head, each time round has its own, and begins with copies.
    fn carried(&mut self, statement: &ForStatement<'a>) {
        let Some(ForStatementInit::VariableDeclaration(declaration)) = &statement.init else { return };
        for declarator in &declaration.declarations {
            for identifier in declarator.id.get_binding_identifiers() {
                if self.anchored.site(identifier.node_id(), Role::Carried).is_some() {
                    let target = self.declared(identifier);
                    self.emit(identifier.node_id(), Role::Carried, Some(target), Some(target));
                }
            }
        }
    }

    /// Control goes on inside the loop.
    fn loop_test(&mut self, test: Option<&Expression<'a>>, inside: BlockId, behind: BlockId) {
        let branch = test.and_then(|test| self.condition(test, DecidedBy::Truth).1);
        let from = self.frame().current;
        match test.map_or(Some(true), known_truth) {
            // It might never end: what is behind it, or leads there, is not reached for sure.
            Some(true) => {
                self.edge(from, inside, None);
                self.edge(from, BlockId::EXIT, None);
            }
            Some(false) => self.edge(from, behind, None),
            None => {
                self.edge(from, inside, told(branch, Way::True));
                self.edge(from, behind, told(branch, Way::False));
            }
        }
        self.continue_in(inside);
    }

    fn in_loop(&mut self, mut labels: Vec<String>, behind: BlockId, again: BlockId, inside: impl FnOnce(&mut Self)) {
        labels.push(String::new());
        self.frame_mut().jumps.push_breakable(labels, behind, Some(again));
        inside(self);
        self.frame_mut().jumps.pop();
    }

    fn iteration(&mut self, parts: Iteration<'_, 'a>, labels: Vec<String>) {
        self.with_scope(parts.scope, |builder| {
            let of = builder.expression(parts.right);
            let head = builder.frame_mut().flow.loop_head();
            let (inside, behind) = (builder.block(), builder.block());
            builder.go_to(head);
            let node = Node::Element { of, index: None, is_rest: false, keys: parts.keys };
            let element = builder.add(node, parts.left.span());
            builder.emit(parts.body.node_id(), Role::BodyScope, None, None);
            builder.emit(parts.node, Role::ResumedInLoop, None, None);
            let binding = builder.loop_binding(parts.left, element);
            let from = builder.frame().current;
            builder.edge(from, inside, told(binding, Way::Any));
            builder.edge(from, behind, None);
            builder.continue_in(inside);
            builder.in_loop(labels, behind, head, |builder| builder.body(parts.body));
            builder.go_to(head);
            builder.continue_in(behind);
            builder.emit(parts.node, Role::ResumedBehindLoop, None, None);
        });
    }

    /// Gives the first site that tells of an element. Its event comes at the start of the body, but it is not what is inside that
    /// decides on it.
    fn loop_binding(&mut self, left: &ForStatementLeft<'a>, element: ExprId) -> Option<LocalSite> {
        let mut writes = Vec::new();
        match left {
            ForStatementLeft::VariableDeclaration(declaration) => {
                for declarator in &declaration.declarations {
                    self.binding_pattern(&declarator.id, element, &mut writes);
                }
            }
            left => {
                if let Some(target) = left.as_assignment_target() {
                    self.target_pattern(target, element, &mut writes);
                }
            }
        }
        self.pattern_written(writes)
    }

    fn switch(&mut self, statement: &SwitchStatement<'a>, mut labels: Vec<String>) {
        let value = self.expression(&statement.discriminant);
        let site = self.emit(statement.discriminant.node_id(), Role::Decision, Some(value), None);
        self.carries(value, site);
        let behind = self.block();
        let bodies: Vec<BlockId> = statement.cases.iter().map(|_| self.block()).collect();
        labels.push(String::new());
        self.frame_mut().jumps.push_breakable(labels, behind, None);
        self.with_scope(statement.scope_id.get(), |builder| {
            let tests: Vec<Option<ExprId>> = builder.case_tests(statement, site, &bodies, behind);
            let mut fallen: Option<BlockId> = None;
            for ((case, &body), test) in statement.cases.iter().zip(&bodies).zip(tests) {
                if let Some(before) = fallen {
                    builder.edge(before, body, None);
                }
                builder.continue_in(body);
                builder.emit(case.node_id(), Role::Case, test, None);
                builder.hoisted(&case.consequent);
                builder.statements(&case.consequent);
                fallen = Some(builder.frame().current);
            }
            if let Some(last) = fallen {
                builder.edge(last, behind, None);
            }
        });
        self.frame_mut().jumps.pop();
        self.continue_in(behind);
    }

    /// Cases are tried in turn; the default is taken when all have been.
    fn case_tests(
        &mut self,
        statement: &SwitchStatement<'a>,
        site: Option<LocalSite>,
        bodies: &[BlockId],
        behind: BlockId,
    ) -> Vec<Option<ExprId>> {
        let decided = told(site, Way::Any);
        let mut tests = Vec::with_capacity(bodies.len());
        for (case, &body) in statement.cases.iter().zip(bodies) {
            let test = case.test.as_ref().map(|test| self.expression(test));
            tests.push(test);
            if test.is_some() {
                let (from, next) = (self.frame().current, self.block());
                self.edge(from, body, decided);
                self.edge(from, next, decided);
                self.continue_in(next);
            }
        }
        let default = statement.cases.iter().position(|case| case.test.is_none());
        let from = self.frame().current;
        self.edge(from, default.map_or(behind, |default| bodies[default]), None);
        tests
    }

    fn try_statement(&mut self, statement: &TryStatement<'a>) {
        let before = self.frame().current;
        let (tried, behind) = (self.block(), self.block());
        self.edge(before, tried, None);
        if statement.finalizer.is_some() {
            self.frame_mut().jumps.push_finally();
        }
        self.continue_in(tried);
        match &statement.handler {
            Some(handler) => {
                let caught = self.block();
                let site = self.anchored.site(handler.node_id(), Role::Catch);
                self.note_catch(site, statement.block.span);
                self.edge(before, caught, told(site, Way::Any));
                self.frame_mut().jumps.push_catch(caught);
                self.block_statement(&statement.block);
                self.frame_mut().jumps.pop();
                self.go_to(behind);
                self.continue_in(caught);
                self.catch(handler, site, before);
                self.go_to(behind);
            }
            None => {
                self.block_statement(&statement.block);
                self.go_to(behind);
            }
        }
        if let Some(finalizer) = &statement.finalizer {
            let jumps = self.frame_mut().jumps.pop_finally();
            let start = self.frame().flow.mark();
            let entry = self.block();
            self.continue_in(entry);
            self.emit(finalizer.node_id(), Role::Finally, None, None);
            self.block_statement(finalizer);
            self.emit(finalizer.node_id(), Role::FinallyEnd, None, None);
            let (end, stop) = (self.frame().current, self.frame().flow.mark());
            self.jump_through(jumps, entry, end, start, stop);
            self.edge(behind, entry, None);
            let next = self.block();
            self.edge(end, next, None);
            self.continue_in(next);
        }
    }

    /// That an exception was caught is decided where the `try` is, and decides on what is inside the catch.
    fn catch(&mut self, handler: &CatchClause<'a>, site: Option<LocalSite>, before: BlockId) {
        self.with_scope(handler.scope_id.get(), |builder| {
            let identifier = match &handler.param {
                Some(CatchParameter { pattern: BindingPattern::BindingIdentifier(identifier), .. }) => Some(identifier),
                _ => None,
            };
            let target = identifier.map(|identifier| builder.declared(identifier));
            if let Some(site) = site {
                builder.emit_in(site, before, None, target);
            }
            if let (Some(parameter), None) = (&handler.param, identifier) {
                let value = builder.add(Node::Other(Vec::new()), parameter.span);
                let mut writes = Vec::new();
                builder.binding_pattern(&parameter.pattern, value, &mut writes);
                builder.pattern_written(writes);
            }
            builder.block_statement(&handler.body);
        });
    }

    fn variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
        let mut writes = Vec::new();
        for declarator in &declaration.declarations {
            self.declarator(declaration.kind, declarator, &mut writes);
        }
        self.emit(declaration.node_id(), Role::ResumedBehind, None, None);
        self.pattern_written(writes);
    }

    fn declarator(
        &mut self,
        kind: VariableDeclarationKind,
        declarator: &VariableDeclarator<'a>,
        writes: &mut Vec<super::writes::PatternWrite>,
    ) {
        let is_using = matches!(kind, VariableDeclarationKind::Using | VariableDeclarationKind::AwaitUsing);
        match (&declarator.id, &declarator.init) {
            (BindingPattern::BindingIdentifier(identifier), init) if !is_using => {
                let value = match init {
                    Some(init) => self.expression(init),
                    None if kind == VariableDeclarationKind::Let => {
                        self.add(Node::Literal(Literal::Undefined), declarator.span)
                    }
                    None => return,
                };
                let target = self.declared(identifier);
                let site = self.emit(declarator.node_id(), Role::Write, Some(value), Some(target));
                self.carries(value, site);
            }
            (pattern, Some(init)) => {
                let value = self.expression(init);
                self.binding_pattern(pattern, value, writes);
            }
            (_, None) => {}
        }
    }

    fn class_declaration(&mut self, class: &Class<'a>) {
        let value = self.class(class);
        if let Some(id) = &class.id {
            let target = self.declared(id);
            let site = self.emit(class.node_id(), Role::Write, Some(value), Some(target));
            self.carries(value, site);
        }
    }
}

/// `for … in` and `for … of`.
struct Iteration<'t, 'a> {
    node: NodeId,
    left: &'t ForStatementLeft<'a>,
    right: &'t Expression<'a>,
    body: &'t Statement<'a>,
    scope: Option<ScopeId>,
    keys: bool,
}

pub(crate) fn declared_function<'t, 'a>(statement: &'t Statement<'a>) -> Option<&'t Function<'a>> {
    match statement {
        Statement::FunctionDeclaration(function) => Some(function),
        Statement::ExportDeclaration(export) => match &export.declaration {
            Declaration::FunctionDeclaration(function) => Some(function),
            _ => None,
        },
        Statement::ExportDefaultDeclaration(export) => match &export.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => Some(function),
            _ => None,
        },
        _ => None,
    }
}

/// What a test that is a literal always gives.
fn known_truth(test: &Expression) -> Option<bool> {
    match test.without_parentheses() {
        Expression::BooleanLiteral(literal) => Some(literal.value),
        Expression::NumericLiteral(literal) => Some(literal.value != 0.0),
        Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::LogicalNot => {
            known_truth(&unary.argument).map(|truth| !truth)
        }
        _ => None,
    }
}
