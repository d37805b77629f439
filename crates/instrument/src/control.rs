//! Branches, suspension, and statements.

use helper_names::{
    CLASS, FRAME_MARK, FRAME_VALUE, FUNCTION, LOOP_TRUTH, MARK, NUMBERED, PRESENCE, TRUTH, UNUSED_VARIABLE, VALUE,
};
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use trace_model::{SiteKind, VariableKind};

use crate::anchors::{Anchors, At, Construct, Role};
use crate::values::{ValueClass, call_opening, record_undefined};
use crate::walker::{Context, Walker};
use crate::writes::is_function_literal;

impl<'a, N: Anchors> Walker<'a, '_, N> {
    pub fn logical(&mut self, logical: &LogicalExpression<'a>) {
        let (kind, helper) = match logical.operator {
            LogicalOperator::Coalesce => (SiteKind::Nullish, PRESENCE),
            LogicalOperator::And | LogicalOperator::Or => (SiteKind::Branch, TRUTH),
        };
        self.condition(&logical.left, kind, helper);
        self.visit_expression(&logical.right);
    }

    pub fn conditional(&mut self, conditional: &ConditionalExpression<'a>) {
        self.condition(&conditional.test, SiteKind::Branch, TRUTH);
        self.visit_expression(&conditional.consequent);
        self.visit_expression(&conditional.alternate);
    }

    pub fn condition(&mut self, test: &Expression<'a>, kind: SiteKind, helper: &str) {
        if self.printed {
            return self.visit_expression(test);
        }
        if kind != SiteKind::Nullish && matches!(test, Expression::CallExpression(_)) {
            // The result of the call tells the way as well.
            self.context = Context { result: Some(kind), ..Context::default() };
            return self.visit_expression(test);
        }
        let site = self.site(kind, Role::Decision, test.at(), None);
        // A single expression may have any number of conditions.
        let helper = if helper == TRUTH && self.has_long_way_behind() { LOOP_TRUTH } else { helper };
        self.wrap_value(test, in_call(helper, site), |walker| walker.visit_expression(test));
    }

    pub fn await_expression(&mut self, r#await: &AwaitExpression<'a>) {
        let argument = &r#await.argument;
        let suspend = self.site(SiteKind::Suspend, Role::Suspend, r#await.at(), None);
        // V8 prints `(intermediate value)` for an await, whatever is awaited.
        let give = |walker: &mut Self| {
            walker.with_printed(false, |walker| {
                walker.wrap_call(argument.span(), VALUE, suspend, |walker| walker.visit_consumed(argument));
            });
        };
        if self.printed {
            self.frame_mut().late_resume = true;
            return give(self);
        }
        let resume = self.site(SiteKind::Resume, Role::Resume, r#await.at(), None);
        let around = resume.map(|resume| (format!("{FRAME_VALUE}({resume},{},", self.frame_number()), ")".to_owned()));
        self.wrap_around(r#await.span, around, give);
    }

    pub fn yield_expression(&mut self, r#yield: &YieldExpression<'a>) {
        let mut suspend = self.site(SiteKind::Suspend, Role::Suspend, r#yield.at(), None);
        let give = r#yield.argument.as_ref().filter(|_| !r#yield.delegate);
        if self.printed {
            self.frame_mut().late_resume = true;
            if let Some(argument) = give {
                return self.with_printed(false, |walker| {
                    walker.wrap_call(argument.span(), VALUE, suspend, |walker| walker.visit_consumed(argument));
                });
            }
            return walk::walk_yield_expression(self, r#yield);
        }
        let resume = self.site(SiteKind::Resume, Role::Resume, r#yield.at(), None);
        let before = if give.is_none() { suspend.take() } else { None };
        let (before, end) = match before {
            Some(suspend) => (format!("({},", record_undefined(&suspend)), ")"),
            None => (String::new(), ""),
        };
        let around = match resume {
            Some(resume) => {
                Some((format!("{FRAME_VALUE}({resume},{},{before}", self.frame_number()), format!("){end}")))
            }
            None if before.is_empty() => None,
            None => Some((before, end.to_owned())),
        };
        self.wrap_around(r#yield.span, around, |walker| match give {
            Some(argument) => {
                walker.wrap_call(argument.span(), VALUE, suspend, |walker| walker.visit_consumed(argument));
            }
            None => {
                if let Some(argument) = &r#yield.argument {
                    walker.with_printed(true, |walker| walker.visit_expression(argument));
                }
            }
        });
    }

    /// `in_list`: other statements can be put before and behind this one.
    pub fn statement(&mut self, statement: &Statement<'a>, in_list: bool) {
        let n_changes = self.edits.n_changes();
        match statement {
            Statement::ExpressionStatement(statement) => {
                self.context = Context { consumed: true, statement: true, apart: in_list, ..Context::default() };
                self.visit_expression(&statement.expression);
                self.end_statement(statement.span, n_changes);
            }
            Statement::IfStatement(statement) => {
                self.condition(&statement.test, SiteKind::Branch, TRUTH);
                self.visit_statement(&statement.consequent);
                if let Some(alternate) = &statement.alternate {
                    self.visit_statement(alternate);
                }
            }
            Statement::WhileStatement(statement) => {
                self.condition(&statement.test, SiteKind::Loop, LOOP_TRUTH);
                self.loop_body(&statement.body, None, |_| String::new());
            }
            Statement::DoWhileStatement(statement) => {
                self.loop_body(&statement.body, None, |_| String::new());
                self.condition(&statement.test, SiteKind::Loop, LOOP_TRUTH);
            }
            Statement::ForStatement(statement) => self.for_statement(statement),
            Statement::ForInStatement(statement) => {
                self.with_printed(true, |walker| walker.visit_expression(&statement.right));
                self.iteration(&statement.left, &statement.body, statement.scope_id.get(), None);
            }
            Statement::ForOfStatement(statement) => self.for_of(statement, in_list),
            Statement::SwitchStatement(statement) => self.switch(statement),
            Statement::ReturnStatement(statement) => self.return_statement(statement),
            Statement::ThrowStatement(statement) => self.throw_statement(statement),
            Statement::TryStatement(statement) => self.try_statement(statement),
            Statement::WithStatement(statement) => {
                self.visit_expression(&statement.object);
                self.not_captured(statement.span, "a name inside `with` may be a property of its object");
            }
            Statement::VariableDeclaration(declaration) => {
                self.variable_declaration(declaration, in_list);
                self.end_statement(declaration.span, n_changes);
            }
            Statement::ClassDeclaration(class) => self.class_declaration(class, in_list),
            Statement::ExportDeclaration(export) => match &export.declaration {
                Declaration::VariableDeclaration(declaration) => {
                    self.variable_declaration(declaration, true);
                    self.end_statement(declaration.span, n_changes);
                }
                Declaration::ClassDeclaration(class) => self.class_declaration(class, true),
                declaration => walk::walk_declaration(self, declaration),
            },
            Statement::ExportDefaultDeclaration(export) => self.export_default(export),
            _ => walk::walk_statement(self, statement),
        }
    }

    /// A statement that was changed may end without a semicolon because what follows on the next line cannot continue it (`i++`, an arrow function,
    /// `yield`). It could continue the call that we made of it.
    pub fn end_statement(&mut self, span: Span, n_changes: usize) {
        let is_changed = self.selection.is_all() || self.edits.n_changes() != n_changes;
        if is_changed && !self.text(span).ends_with(';') {
            self.edits.insert(span.end, ";");
        }
    }

    fn export_default(&mut self, export: &ExportDefaultDeclaration<'a>) {
        let n_changes = self.edits.n_changes();
        self.name_hint = Some("default".into());
        match &export.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(_) => {
                walk::walk_export_default_declaration(self, export);
            }
            ExportDefaultDeclarationKind::ClassDeclaration(class) => self.class_declaration(class, true),
            declaration => {
                if let Some(expression) = declaration.as_expression() {
                    self.default_export(export.at(), expression);
                    self.end_statement(export.span, n_changes);
                }
            }
        }
        self.name_hint = None;
    }

    /// The value counts as that of a variable with the name `default`.
    fn default_export(&mut self, export: At, value: &Expression<'a>) {
        let class = ValueClass::of(self.source, value);
        let site = self.value_site(SiteKind::Var, export, Some("default"), class);
        self.add_implicit("default", VariableKind::Const);
        let variable = self.implicit_variable("default");
        self.table.sites.last_mut().expect("it was made above").variable = variable;
        if is_function_literal(value) {
            let (open, close) = keep_name("default");
            let around = site.map(|site| (call_opening(class.helper(), &site) + &open, format!("{close})")));
            self.wrap_around(value.span(), around, |walker| {
                walker.context = Context { consumed: true, names: true, ..Context::default() };
                walker.visit_expression(value);
            });
        } else {
            let around = self.around_value(site, class, value);
            self.wrap_around(value.span(), around, |walker| walker.visit_consumed(value));
        }
    }

    fn switch(&mut self, statement: &SwitchStatement<'a>) {
        let discriminant = &statement.discriminant;
        let site = self.site(SiteKind::Discriminant, Role::Decision, discriminant.at(), None);
        self.wrap_value(discriminant, in_call(VALUE, site), |walker| walker.visit_consumed(discriminant));
        for case in &statement.cases {
            if let Some(test) = &case.test {
                self.visit_expression(test);
            }
            if let Some(first) = case.consequent.first() {
                if let Some(site) = self.site(SiteKind::Case, Role::Case, case.at(), None) {
                    let text = self.statement_text(&format!("{MARK}({site})"));
                    self.edits.insert(first.span().start, text);
                }
                self.hoisted_functions(first.span().start, &case.consequent);
            }
            self.statements(&case.consequent);
        }
    }

    fn return_statement(&mut self, statement: &ReturnStatement<'a>) {
        let n_changes = self.edits.n_changes();
        let class = statement.argument.as_ref().map_or(ValueClass::Any, |value| ValueClass::of(self.source, value));
        let site = self.value_site_as(SiteKind::Return, Role::Leave, statement.at(), None, class);
        match &statement.argument {
            Some(value) => {
                let around = self.around_value(site, class, value);
                self.wrap_value(value, around, |walker| walker.visit_returned(value));
            }
            // In an async generator `return undefined` awaits, and `return` does not.
            None if self.frame().is_async_generator => {
                let around = site.map(|site| (format!("{{{};", record_undefined(&site)), "}".to_owned()));
                self.wrap_around(statement.span, around, |_| {});
            }
            None => {
                let text = site.map(|site| format!(" {}", record_undefined(&site))).unwrap_or_default();
                self.edits.insert(statement.span.start + "return".len() as u32, text);
            }
        }
        self.end_statement(statement.span, n_changes);
    }

    fn throw_statement(&mut self, statement: &ThrowStatement<'a>) {
        let value = &statement.argument;
        let n_changes = self.edits.n_changes();
        let site = self.site(SiteKind::Throw, Role::Leave, statement.at(), None);
        self.wrap_value(value, in_call(VALUE, site), |walker| walker.visit_consumed(value));
        self.end_statement(statement.span, n_changes);
    }

    fn try_statement(&mut self, statement: &TryStatement<'a>) {
        self.visit_block_statement(&statement.block);
        if let Some(handler) = &statement.handler {
            let text = self.caught(handler);
            self.edits.insert(handler.body.span.start + 1, text);
            if let Some(parameter) = &handler.param {
                self.binding_defaults(&parameter.pattern);
            }
            self.visit_block_statement(&handler.body);
        }
        if let Some(finalizer) = &statement.finalizer {
            if let Some(site) = self.site(SiteKind::Finally, Role::Finally, finalizer.at(), None) {
                let frame = self.frame_number();
                let text = self.statement_text(&format!("{FRAME_MARK}({site},{frame})"));
                self.edits.insert(finalizer.span.start + 1, text);
            }
            self.visit_block_statement(finalizer);
            if let Some(site) = self.site(SiteKind::FinallyEnd, Role::FinallyEnd, finalizer.at(), None) {
                let text = self.statement_text(&format!("{MARK}({site})"));
                self.edits.insert(finalizer.span.end - 1, format!(";{text}"));
            }
        }
    }

    fn caught(&mut self, handler: &CatchClause<'a>) -> String {
        match &handler.param {
            Some(CatchParameter { pattern: BindingPattern::BindingIdentifier(identifier), .. }) => {
                let site = self.site(SiteKind::Catch, Role::Catch, handler.at(), Some(&identifier.name));
                self.site_writes(identifier.symbol_id.get());
                let Some(site) = site else { return String::new() };
                let frame = self.frame_number();
                self.statement_text(&format!("{FRAME_VALUE}({site},{frame},{})", identifier.name))
            }
            parameter => {
                let mut writes = Vec::new();
                if let Some(site) = self.site(SiteKind::Catch, Role::Catch, handler.at(), None) {
                    writes.push(format!("{FRAME_MARK}({site},{})", self.frame_number()));
                }
                if let Some(parameter) = parameter {
                    self.binding_writes(&parameter.pattern, SiteKind::Var, VALUE, &mut writes);
                }
                writes.iter().map(|write| self.statement_text(write)).collect()
            }
        }
    }

    pub fn variable_declaration(&mut self, declaration: &VariableDeclaration<'a>, in_list: bool) {
        let mut writes = Vec::new();
        let late_before = std::mem::take(&mut self.frame_mut().late_resume);
        for declarator in &declaration.declarations {
            let Some(init) = &declarator.init else {
                self.declared_without_value(declaration.kind, declarator);
                continue;
            };
            let plain =
                !matches!(declaration.kind, VariableDeclarationKind::Using | VariableDeclarationKind::AwaitUsing);
            match &declarator.id {
                BindingPattern::BindingIdentifier(identifier) if plain => {
                    self.declared_value(identifier, declarator.at(), init);
                }
                pattern @ BindingPattern::BindingIdentifier(_) => {
                    self.with_printed(true, |walker| {
                        walker.context = Context { names: true, ..Context::default() };
                        walker.visit_expression(init);
                    });
                    self.binding_writes(pattern, SiteKind::Var, VALUE, &mut writes);
                }
                pattern => {
                    self.binding_defaults(pattern);
                    self.with_printed(true, |walker| walker.visit_expression(init));
                    self.binding_writes(pattern, SiteKind::Var, VALUE, &mut writes);
                }
            }
        }
        let late = std::mem::replace(&mut self.frame_mut().late_resume, late_before);
        if late && let Some(site) = self.site(SiteKind::LateResume, Role::ResumedBehind, declaration.at(), None) {
            let frame = self.frame_number();
            writes.insert(0, format!("{FRAME_MARK}({site},{frame})"));
        }
        if in_list && !writes.is_empty() {
            let text: String = writes.iter().map(|write| self.statement_text(write)).collect();
            self.edits.insert(declaration.span.end, format!(";{text}"));
        } else if declaration.kind.is_lexical() && !writes.is_empty() {
            // The head of a loop has no other place than one more variable of that scope.
            self.edits.insert(declaration.span.end, format!(",{UNUSED_VARIABLE}=({})", writes.join(",")));
        }
    }

    /// `let x;` makes it undefined, each time that control comes by.
    fn declared_without_value(&mut self, kind: VariableDeclarationKind, declarator: &VariableDeclarator<'a>) {
        let BindingPattern::BindingIdentifier(identifier) = &declarator.id else { return };
        if kind == VariableDeclarationKind::Let {
            let class = ValueClass::Literal("undefined");
            let site = self.value_site(SiteKind::Var, declarator.at(), Some(&identifier.name), class);
            self.site_writes(identifier.symbol_id.get());
            if let Some(site) = site {
                self.edits.insert(declarator.span.end, format!("={}void 0)", call_opening(class.helper(), &site)));
            }
        }
    }

    /// `let x = init`: the value is recorded on its way into the variable.
    fn declared_value(&mut self, identifier: &BindingIdentifier<'a>, declarator: At, init: &Expression<'a>) {
        let name = identifier.name.as_str();
        self.name_hint = Some(name.to_owned());
        let is_function = is_function_literal(init);
        if is_function && name == "__proto__" {
            self.context = Context { names: true, ..Context::default() };
            self.visit_expression(init);
            self.name_hint = None;
            return;
        }
        let class = ValueClass::of(self.source, init);
        let site = self.value_site(SiteKind::Var, declarator, Some(name), class);
        self.site_writes(identifier.symbol_id.get());
        if is_function {
            let (open, close) = keep_name(name);
            let around = site.map(|site| (call_opening(class.helper(), &site) + &open, format!("{close})")));
            self.wrap_around(init.span(), around, |walker| {
                walker.context = Context { consumed: true, names: true, ..Context::default() };
                walker.visit_expression(init);
            });
        } else {
            self.quietly(init, |walker| {
                let around = walker.around_value(site, class, init);
                walker.wrap_around(init.span(), around, |walker| walker.visit_consumed(init));
            });
        }
        self.name_hint = None;
    }

    fn class_declaration(&mut self, class: &Class<'a>, in_list: bool) {
        let first_function = self.table.functions.len();
        let hint = self.name_hint.take();
        self.class(class, hint);
        let Some(id) = &class.id else { return };
        if in_list {
            let names = vec![self.name(&id.name)];
            let constructor = self.constructor_since(first_function);
            let site =
                self.site_with(SiteKind::Var, Role::Write, class.at(), names, constructor.map_or(0, |index| index + 1));
            self.site_writes(id.symbol_id.get());
            if let Some(site) = site {
                let text = self.statement_text(&format!("{CLASS}({site},{})", id.name));
                self.edits.insert(class.span.end, format!(";{text}"));
            }
        }
    }

    /// `helper(site,x)` for each variable of a pattern.
    pub fn binding_writes(
        &mut self,
        pattern: &BindingPattern<'a>,
        kind: SiteKind,
        helper: &str,
        writes: &mut Vec<String>,
    ) {
        for identifier in pattern.get_binding_identifiers() {
            let name = identifier.name.as_str();
            let role = if kind == SiteKind::Carry { Role::Carried } else { Role::Write };
            let site = self.site(kind, role, identifier.at(), Some(name));
            self.site_writes(identifier.symbol_id.get());
            if let Some(site) = site {
                let number =
                    if helper == NUMBERED { format!(",{}", self.stamp_if_object(name)) } else { String::new() };
                writes.push(format!("{helper}({site},{name}{number})"));
            }
        }
    }

    /// The default values inside a pattern.
    pub fn binding_defaults(&mut self, pattern: &BindingPattern<'a>) {
        match pattern {
            BindingPattern::BindingIdentifier(_) => {}
            BindingPattern::ObjectPattern(object) => {
                object.properties.iter().for_each(|property| self.binding_defaults(&property.value));
                if let Some(rest) = &object.rest {
                    self.binding_defaults(&rest.argument);
                }
            }
            BindingPattern::ArrayPattern(array) => {
                array.elements.iter().flatten().for_each(|element| self.binding_defaults(element));
                if let Some(rest) = &array.rest {
                    self.binding_defaults(&rest.argument);
                }
            }
            BindingPattern::AssignmentPattern(assignment) => {
                self.binding_defaults(&assignment.left);
                let names = matches!(&assignment.left, BindingPattern::BindingIdentifier(_));
                self.pattern_default(&assignment.right, names);
            }
        }
    }

    /// Functions declared in a list of statements exist from its start.
    pub fn hoisted_functions(&mut self, at: u32, statements: &[Statement<'a>]) {
        let text = self.hoisted_text(statements);
        if !text.is_empty() {
            self.edits.insert(at, text);
        }
    }

    pub fn hoisted_text(&mut self, statements: &[Statement<'a>]) -> String {
        let mut text = String::new();
        for statement in statements {
            let Some((id, function)) = declared_function(statement) else { continue };
            let names = vec![self.name(&id.name)];
            let site = self.site_with(SiteKind::Var, Role::Hoisted, function.at(), names, 0);
            self.site_writes(id.symbol_id.get());
            if let Some(site) = site {
                text.push_str(&self.statement_text(&format!("{FUNCTION}({site},{})", id.name)));
            }
        }
        text
    }
}

/// What surrounds a value that a helper takes and gives back.
fn in_call(helper: &str, site: Option<String>) -> Option<(String, String)> {
    site.map(|site| (call_opening(helper, &site), ")".to_owned()))
}

/// The engine names an anonymous function after the property it is put into; here the property of a passing object.
pub(crate) fn keep_name(name: &str) -> (String, String) {
    let key = js_string(name);
    (format!("{{{key}:"), format!("}}[{key}]"))
}

/// A string literal of JavaScript.
pub(crate) fn js_string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                out.push_str(&format!("\\u{{{:x}}}", c as u32))
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn declared_function<'t, 'a>(statement: &'t Statement<'a>) -> Option<(&'t BindingIdentifier<'a>, &'t Function<'a>)> {
    let function = match statement {
        Statement::FunctionDeclaration(function) => function,
        Statement::ExportDeclaration(export) => match &export.declaration {
            Declaration::FunctionDeclaration(function) => function,
            _ => return None,
        },
        Statement::ExportDefaultDeclaration(export) => match &export.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => function,
            _ => return None,
        },
        _ => return None,
    };
    function.id.as_ref().map(|id| (id, &**function))
}
