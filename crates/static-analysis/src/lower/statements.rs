use oxc_ast::ast::*;
use oxc_span::GetSpan;

use super::Lowerer;
use crate::rules::Listener;
use crate::solver::Node;

impl<'a> Lowerer<'_> {
    pub fn program(&mut self, program: &Program<'a>) {
        self.statements(&program.body);
    }

    pub fn statements(&mut self, statements: &[Statement<'a>]) {
        for statement in statements {
            match statement {
                Statement::VariableDeclaration(declaration) => self.note_texts(declaration),
                Statement::FunctionDeclaration(function) => self.note_function(function),
                Statement::ExportDeclaration(export) => match &export.declaration {
                    Declaration::VariableDeclaration(declaration) => self.note_texts(declaration),
                    Declaration::FunctionDeclaration(function) => self.note_function(function),
                    _ => {}
                },
                _ => {}
            }
        }
        for statement in statements {
            self.statement(statement);
        }
    }

    fn note_texts(&mut self, declaration: &VariableDeclaration<'a>) {
        for declarator in &declaration.declarations {
            let BindingPattern::BindingIdentifier(id) = &declarator.id else { continue };
            let Some(symbol) = id.symbol_id.get().filter(|&symbol| !self.scoping.symbol_is_mutated(symbol)) else {
                continue;
            };
            if let Some(key) = declarator.init.as_ref().and_then(|init| self.text(init)) {
                self.texts.insert(symbol, key);
            }
        }
    }

    fn note_function(&mut self, function: &Function<'a>) {
        let Some(id) = &function.id else { return };
        let Some(symbol) = id.symbol_id.get() else { return };
        let known = self.function_of(function);
        self.declared.insert(symbol, known);
    }

    fn statement(&mut self, statement: &Statement<'a>) {
        match statement {
            Statement::BlockStatement(block) => self.statements(&block.body),
            Statement::ExpressionStatement(statement) => drop(self.expression(&statement.expression)),
            Statement::IfStatement(statement) => {
                self.expression(&statement.test);
                self.deeper(|lowerer| {
                    lowerer.statement(&statement.consequent);
                    if let Some(alternate) = &statement.alternate {
                        lowerer.statement(alternate);
                    }
                });
            }
            Statement::DoWhileStatement(statement) => {
                self.deeper(|lowerer| lowerer.statement(&statement.body));
                self.expression(&statement.test);
            }
            Statement::WhileStatement(statement) => {
                self.expression(&statement.test);
                self.deeper(|lowerer| lowerer.statement(&statement.body));
            }
            Statement::ForStatement(statement) => self.for_statement(statement),
            Statement::ForInStatement(statement) => {
                self.expression(&statement.right);
                self.for_left(&statement.left, None);
                self.deeper(|lowerer| lowerer.statement(&statement.body));
            }
            Statement::ForOfStatement(statement) => {
                let of = self.expression(&statement.right);
                let element = of.map(|of| self.iterate(of, statement.right.span(), statement.r#await));
                self.for_left(&statement.left, element);
                self.deeper(|lowerer| lowerer.statement(&statement.body));
            }
            Statement::LabeledStatement(statement) => self.statement(&statement.body),
            Statement::ReturnStatement(statement) => {
                let value = statement.argument.as_ref().and_then(|argument| self.expression(argument));
                let returned = self.an.function(self.frame().function).returned;
                self.copy(value, returned);
            }
            Statement::SwitchStatement(statement) => {
                self.expression(&statement.discriminant);
                self.deeper(|lowerer| {
                    for case in &statement.cases {
                        if let Some(test) = &case.test {
                            lowerer.expression(test);
                        }
                        lowerer.statements(&case.consequent);
                    }
                });
            }
            Statement::ThrowStatement(statement) => {
                let value = self.expression(&statement.argument);
                let thrown = self.frame().thrown;
                self.copy(value, thrown);
            }
            Statement::TryStatement(statement) => self.try_statement(statement),
            Statement::WithStatement(statement) => {
                self.expression(&statement.object);
                self.deeper(|lowerer| lowerer.statement(&statement.body));
            }
            Statement::VariableDeclaration(declaration) => self.variable_declaration(declaration),
            Statement::FunctionDeclaration(function) => self.function_declaration(function),
            Statement::ClassDeclaration(class) => drop(self.class(class)),
            statement => {
                if let Some(declaration) = statement.as_module_declaration() {
                    self.module_declaration(declaration);
                }
            }
        }
    }

    pub fn declaration(&mut self, declaration: &Declaration<'a>) {
        match declaration {
            Declaration::VariableDeclaration(declaration) => self.variable_declaration(declaration),
            Declaration::FunctionDeclaration(function) => self.function_declaration(function),
            Declaration::ClassDeclaration(class) => drop(self.class(class)),
            _ => {}
        }
    }

    fn variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
        for declarator in &declaration.declarations {
            let Some(init) = &declarator.init else { continue };
            if let Some(symbol) = binding_symbol(&declarator.id)
                && !self.scoping.symbol_is_mutated(symbol)
            {
                if let Some(described) = self.described(init) {
                    self.descriptors.insert(symbol, described);
                }
                let function = match init.without_parentheses() {
                    Expression::FunctionExpression(function) => Some(self.function_of(function)),
                    _ => None,
                };
                if let Some(function) = function {
                    self.declared.insert(symbol, function);
                }
            }
            let value = self.expression(init);
            self.bind(&declarator.id, value);
        }
    }

    fn for_statement(&mut self, statement: &ForStatement<'a>) {
        match &statement.init {
            Some(ForStatementInit::VariableDeclaration(declaration)) => self.variable_declaration(declaration),
            Some(init) => drop(init.as_expression().and_then(|init| self.expression(init))),
            None => {}
        }
        if let Some(test) = &statement.test {
            self.expression(test);
        }
        self.deeper(|lowerer| lowerer.statement(&statement.body));
        if let Some(update) = &statement.update {
            self.expression(update);
        }
    }

    fn for_left(&mut self, left: &ForStatementLeft<'a>, value: Option<Node>) {
        match left {
            ForStatementLeft::VariableDeclaration(declaration) => {
                for declarator in &declaration.declarations {
                    self.bind(&declarator.id, value);
                }
            }
            left => {
                if let Some(target) = left.as_assignment_target() {
                    self.assign_target(target, value, left.span());
                }
            }
        }
    }

    fn try_statement(&mut self, statement: &TryStatement<'a>) {
        let outer = self.frame().thrown;
        let caught = statement.handler.as_ref().map(|_| self.an.node());
        if let Some(caught) = caught {
            self.frames.last_mut().expect("there is always the top level").thrown = caught;
        }
        self.statements(&statement.block.body);
        self.frames.last_mut().expect("there is always the top level").thrown = outer;
        if let Some(handler) = &statement.handler {
            if let Some(parameter) = &handler.param {
                self.bind(&parameter.pattern, caught);
            }
            self.deeper(|lowerer| lowerer.statements(&handler.body.body));
        }
        if let Some(finalizer) = &statement.finalizer {
            self.statements(&finalizer.body);
        }
    }

    /// What iterating gives: of built-in objects, and by the protocol where the program has iterators of its own.
    pub fn iterate(&mut self, of: Node, span: oxc_span::Span, is_await: bool) -> Node {
        let element = self.an.elements(of);
        if self.has_iterators {
            let iterated = self.iterate_by_protocol(of, span, is_await);
            self.an.graph.add_edge(iterated, element);
        }
        if is_await { self.awaited(element) } else { element }
    }

    pub fn iterate_by_protocol(&mut self, of: Node, span: oxc_span::Span, is_await: bool) -> Node {
        let element = self.an.node();
        let name = if is_await { "@@asyncIterator" } else { "@@iterator" };
        let iterator = self.call_method(of, name, Vec::new(), span);
        let step = self.call_method(iterator, "next", Vec::new(), span);
        let step = if is_await { self.awaited(step) } else { step };
        let value = self.key("value");
        let site = self.site(span);
        self.an.load(step, value, element, site);
        element
    }

    pub fn awaited(&mut self, value: Node) -> Node {
        let to = self.an.node();
        self.an.graph.listen(value, Listener::Await { to });
        to
    }
}

fn binding_symbol(pattern: &BindingPattern) -> Option<oxc_syntax::symbol::SymbolId> {
    match pattern {
        BindingPattern::BindingIdentifier(id) => id.symbol_id.get(),
        _ => None,
    }
}
