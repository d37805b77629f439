//! Statements: what of them V8's parser goes through, in its order.

use oxc_ast::ast::*;

use super::Parse;

impl<'a> Parse<'a> {
    pub fn statements(&mut self, statements: &'a [Statement<'a>]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn parts(&mut self, expressions: impl IntoIterator<Item = &'a Expression<'a>>) {
        for expression in expressions {
            self.expressions(expression);
        }
    }

    fn block(&mut self, block: &'a BlockStatement<'a>) {
        self.in_block(|parse| parse.statements(&block.body));
    }

    fn statement(&mut self, statement: &'a Statement<'a>) {
        match statement {
            Statement::BlockStatement(block) => self.block(block),
            Statement::ExpressionStatement(statement) => self.parts([&statement.expression]),
            Statement::DoWhileStatement(statement) => {
                self.statement(&statement.body);
                self.expressions(&statement.test);
            }
            Statement::WhileStatement(statement) => {
                self.expressions(&statement.test);
                self.statement(&statement.body);
            }
            Statement::IfStatement(statement) => {
                self.expressions(&statement.test);
                self.statement(&statement.consequent);
                statement.alternate.iter().for_each(|alternate| self.statement(alternate));
            }
            Statement::ForStatement(statement) => self.for_loop(statement),
            Statement::ForInStatement(statement) => {
                self.for_each(&statement.left, |parse| {
                    parse.expressions(&statement.right);
                    parse.statement(&statement.body);
                });
            }
            Statement::ForOfStatement(statement) => {
                self.for_each(&statement.left, |parse| {
                    parse.assignment_expression(&statement.right);
                    parse.statement(&statement.body);
                });
            }
            Statement::LabeledStatement(statement) => self.statement(&statement.body),
            Statement::ReturnStatement(statement) => self.parts(&statement.argument),
            Statement::ThrowStatement(statement) => self.parts([&statement.argument]),
            Statement::SwitchStatement(statement) => {
                self.expressions(&statement.discriminant);
                self.in_block(|parse| {
                    for case in &statement.cases {
                        parse.parts(&case.test);
                        parse.statements(&case.consequent);
                    }
                });
            }
            Statement::TryStatement(statement) => self.try_statement(statement),
            Statement::WithStatement(statement) => {
                self.expressions(&statement.object);
                self.statement(&statement.body);
            }
            Statement::VariableDeclaration(declaration) => self.variables(declaration),
            Statement::FunctionDeclaration(function) => self.function_declaration(function, None),
            Statement::ClassDeclaration(class) => {
                self.class(class, None);
            }
            Statement::ExportDeclaration(export) => self.declaration(&export.declaration),
            Statement::ExportDefaultDeclaration(export) => self.export_default(&export.declaration),
            _ => {}
        }
    }

    fn declaration(&mut self, declaration: &'a Declaration<'a>) {
        match declaration {
            Declaration::VariableDeclaration(declaration) => self.variables(declaration),
            Declaration::FunctionDeclaration(function) => self.function_declaration(function, None),
            Declaration::ClassDeclaration(class) => {
                self.class(class, None);
            }
            _ => {}
        }
    }

    fn export_default(&mut self, declaration: &'a ExportDefaultDeclarationKind<'a>) {
        match declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                self.function_declaration(function, Some(DEFAULT));
            }
            ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                self.class(class, Some(DEFAULT));
            }
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => {}
            expression => {
                let value = self.assignment_expression(expression.to_expression());
                self.own_name(value, DEFAULT);
            }
        }
    }

    fn function_declaration(&mut self, function: &'a Function<'a>, default: Option<&'a str>) {
        let Some(name) = function.id.as_ref().map(|id| id.name.as_str()).or(default) else { return };
        self.state(|parse| {
            parse.constructor(name);
            parse.function(function, Some(name), function.span.start, false);
        });
    }

    fn variables(&mut self, declaration: &'a VariableDeclaration<'a>) {
        for declarator in &declaration.declarations {
            self.state(|parse| {
                parse.pattern(&declarator.id);
                let Some(init) = &declarator.init else { return };
                let value = parse.assignment_expression(init);
                if matches!(declarator.id, BindingPattern::BindingIdentifier(_)) {
                    parse.infer_from(value);
                }
                parse.name_by(value, &declarator.id);
            });
        }
    }

    fn for_loop(&mut self, statement: &'a ForStatement<'a>) {
        let is_block = match &statement.init {
            Some(ForStatementInit::VariableDeclaration(declaration)) => !declaration.kind.is_var(),
            _ => false,
        };
        let inside = |parse: &mut Self| {
            match &statement.init {
                Some(ForStatementInit::VariableDeclaration(declaration)) => parse.variables(declaration),
                Some(init) => parse.parts([init.to_expression()]),
                None => {}
            }
            parse.parts(&statement.test);
            parse.parts(&statement.update);
            parse.statement(&statement.body);
        };
        if is_block { self.in_block(inside) } else { inside(self) }
    }

    fn for_each(&mut self, left: &'a ForStatementLeft<'a>, rest: impl FnOnce(&mut Self)) {
        match left {
            ForStatementLeft::VariableDeclaration(declaration) if declaration.kind.is_var() => {
                self.variables(declaration);
                rest(self);
            }
            ForStatementLeft::VariableDeclaration(declaration) => self.in_block(|parse| {
                parse.variables(declaration);
                rest(parse);
            }),
            target => {
                if let Some(target) = target.as_assignment_target() {
                    self.state(|parse| parse.target(target));
                }
                rest(self);
            }
        }
    }

    fn try_statement(&mut self, statement: &'a TryStatement<'a>) {
        self.block(&statement.block);
        if let Some(handler) = &statement.handler {
            match handler.param.as_ref().map(|param| &param.pattern) {
                None | Some(BindingPattern::BindingIdentifier(_)) => {}
                Some(pattern) => self.pattern(pattern),
            }
            self.block(&handler.body);
        }
        statement.finalizer.iter().for_each(|finalizer| self.block(finalizer));
    }
}

const DEFAULT: &str = "default";
