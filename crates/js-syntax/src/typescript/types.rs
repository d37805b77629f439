//! Types, wherever they stand: they become spaces, and what only a type kept apart stays apart.

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;

use super::Stripper;

impl<'a> Visit<'a> for Stripper<'a, '_> {
    fn visit_ts_type_annotation(&mut self, annotation: &TSTypeAnnotation<'a>) {
        self.blank(annotation.span);
    }

    fn visit_ts_type_parameter_declaration(&mut self, parameters: &TSTypeParameterDeclaration<'a>) {
        self.blank(parameters.span);
    }

    fn visit_ts_type_parameter_instantiation(&mut self, arguments: &TSTypeParameterInstantiation<'a>) {
        self.blank(arguments.span);
    }

    fn visit_ts_as_expression(&mut self, expression: &TSAsExpression<'a>) {
        self.visit_expression(&expression.expression);
        self.blank_trailing(Span::new(expression.expression.span().end, expression.span.end));
    }

    fn visit_ts_satisfies_expression(&mut self, expression: &TSSatisfiesExpression<'a>) {
        self.visit_expression(&expression.expression);
        self.blank_trailing(Span::new(expression.expression.span().end, expression.span.end));
    }

    fn visit_ts_instantiation_expression(&mut self, expression: &TSInstantiationExpression<'a>) {
        self.visit_expression(&expression.expression);
        self.blank_trailing(Span::new(expression.expression.span().end, expression.span.end));
    }

    fn visit_ts_non_null_expression(&mut self, expression: &TSNonNullExpression<'a>) {
        self.visit_expression(&expression.expression);
        self.blank(Span::new(expression.expression.span().end, expression.span.end));
    }

    fn visit_ts_type_assertion(&mut self, assertion: &TSTypeAssertion<'a>) {
        let span = Span::new(assertion.span.start, assertion.expression.span().start);
        // `return <T>` with the value on the next line must not return nothing.
        let parentheses = self.has_line_break(span);
        if parentheses {
            self.insert(span.start, "(");
        }
        self.blank(span);
        self.visit_expression(&assertion.expression);
        if parentheses {
            self.insert(assertion.span.end, ")");
        }
    }

    fn visit_ts_this_parameter(&mut self, parameter: &TSThisParameter<'a>) {
        self.blank_element(parameter.span);
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        let params = arrow.params.span;
        // Nothing may break the line between `async` and its parameters, or before the arrow.
        if let Some(types) = &arrow.type_parameters
            && arrow.r#async
            && self.has_line_break(types.span)
        {
            self.insert(types.span.start, "(");
            self.blank(Span::new(params.start, params.start + 1));
        }
        walk::walk_arrow_function_expression(self, arrow);
        if let Some(result) = &arrow.return_type
            && self.has_line_break(Span::new(params.end, result.span.end))
        {
            self.blank(Span::new(params.end - 1, params.end));
            self.insert(result.span.end, ")");
        }
    }

    fn visit_expression_statement(&mut self, statement: &ExpressionStatement<'a>) {
        walk::walk_expression_statement(self, statement);
        self.end_statement(statement.span);
    }

    fn visit_return_statement(&mut self, statement: &ReturnStatement<'a>) {
        walk::walk_return_statement(self, statement);
        self.end_statement(statement.span);
    }

    fn visit_throw_statement(&mut self, statement: &ThrowStatement<'a>) {
        walk::walk_throw_statement(self, statement);
        self.end_statement(statement.span);
    }

    fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
        if declaration.declare {
            return self.blank_statement(declaration.span);
        }
        let in_head = std::mem::replace(&mut self.in_loop_head, false);
        walk::walk_variable_declaration(self, declaration);
        if !in_head {
            self.end_statement(declaration.span);
        }
    }

    fn visit_for_statement_init(&mut self, init: &ForStatementInit<'a>) {
        self.in_loop_head = true;
        walk::walk_for_statement_init(self, init);
        self.in_loop_head = false;
    }

    fn visit_for_statement_left(&mut self, left: &ForStatementLeft<'a>) {
        self.in_loop_head = true;
        walk::walk_for_statement_left(self, left);
        self.in_loop_head = false;
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        if declarator.definite {
            self.blank_mark(declarator.id.span().end, b'!');
        }
        walk::walk_variable_declarator(self, declarator);
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        if function.body.is_none() || function.declare {
            return self.blank_statement(function.span);
        }
        walk::walk_function(self, function, flags);
    }

    fn visit_formal_parameter(&mut self, parameter: &FormalParameter<'a>) {
        let start = parameter.decorators.last().map_or(parameter.span.start, |decorator| decorator.span.end);
        self.blank_modifiers(start, parameter.pattern.span().start, false);
        if parameter.optional {
            self.blank_mark(parameter.pattern.span().end, b'?');
        }
        self.visit_binding_pattern(&parameter.pattern);
        if let Some(annotation) = &parameter.type_annotation {
            self.blank(annotation.span);
        }
        if let Some(initializer) = &parameter.initializer {
            self.visit_expression(initializer);
        }
    }

    fn visit_declaration(&mut self, declaration: &Declaration<'a>) {
        self.declaration(declaration, None);
    }

    fn visit_export_declaration(&mut self, export: &ExportDeclaration<'a>) {
        self.export_declaration(export);
    }

    fn visit_import_declaration(&mut self, import: &ImportDeclaration<'a>) {
        self.import(import);
    }

    fn visit_export_named_declaration(&mut self, export: &ExportNamedDeclaration<'a>) {
        self.export_names(export);
    }

    fn visit_export_from_declaration(&mut self, export: &ExportFromDeclaration<'a>) {
        if export.export_kind.is_type() {
            return self.blank_statement(export.span);
        }
        for specifier in export.specifiers.iter().filter(|specifier| specifier.export_kind.is_type()) {
            self.blank_element(specifier.span);
        }
    }

    fn visit_export_all_declaration(&mut self, export: &ExportAllDeclaration<'a>) {
        if export.export_kind.is_type() {
            self.blank_statement(export.span);
        }
    }

    fn visit_export_default_declaration(&mut self, export: &ExportDefaultDeclaration<'a>) {
        self.export_default(export);
    }

    fn visit_ts_export_assignment(&mut self, export: &TSExportAssignment<'a>) {
        self.blank(Span::new(export.span.start, export.expression.span().start));
        self.insert(export.expression.span().start, "module.exports=");
        self.visit_expression(&export.expression);
        self.end_statement(export.span);
    }

    fn visit_ts_namespace_export_declaration(&mut self, export: &TSNamespaceExportDeclaration<'a>) {
        self.blank_statement(export.span);
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        self.class(class, None);
    }

    fn visit_identifier_reference(&mut self, identifier: &IdentifierReference<'a>) {
        if let Some(namespace) = self.namespace_of(identifier) {
            self.insert(identifier.span.start, format!("{namespace}."));
        } else if let Some(alias) = self.alias_of(identifier) {
            self.insert(identifier.span.end, alias[identifier.name.len()..].to_owned());
        }
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        if let (true, Expression::Identifier(identifier)) = (property.shorthand, &property.value) {
            if let Some(namespace) = self.namespace_of(identifier) {
                self.insert(property.span.end, format!(":{namespace}.{}", identifier.name));
            } else if let Some(alias) = self.alias_of(identifier) {
                self.insert(property.span.end, format!(":{alias}"));
            }
            return;
        }
        walk::walk_object_property(self, property);
    }

    fn visit_jsx_element(&mut self, element: &JSXElement<'a>) {
        self.element(element);
    }

    fn visit_jsx_fragment(&mut self, fragment: &JSXFragment<'a>) {
        self.fragment(fragment);
    }
}

impl<'a> Stripper<'a, '_> {
    fn blank_trailing(&mut self, span: Span) {
        self.blank(span);
        let left = self.trailing_types.get(&span.start).copied().unwrap_or(span.start);
        self.trailing_types.insert(span.end, left);
    }

    /// Where a type kept the next line from going on with the statement, a semicolon does.
    pub(super) fn end_statement(&mut self, span: Span) {
        if let Some(left) = self.trailing_types.get(&span.end) {
            self.insert(*left, ";");
        }
    }

    /// Blanks the words before a class member or parameter that JavaScript does not know.
    pub(super) fn blank_modifiers(&mut self, start: u32, key: u32, needs_semicolon: bool) {
        const MODIFIERS: [&str; 7] = ["public", "private", "protected", "readonly", "override", "abstract", "declare"];
        let mut at = start;
        let mut first = needs_semicolon;
        while at < key {
            let rest = &self.source[at as usize..key as usize];
            let word = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len()) as u32;
            if MODIFIERS.contains(&&rest[..word as usize]) {
                let span = Span::new(at, at + word);
                match std::mem::take(&mut first) {
                    true => self.edits.blank_with_semicolon(span),
                    false => self.edits.blank(span),
                }
            }
            at += if word == 0 { rest.chars().next().map_or(1, char::len_utf8) as u32 } else { word };
            at = self.skip_space(at).min(key);
        }
    }
}
