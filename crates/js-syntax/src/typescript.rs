//! TypeScript → JavaScript on the same lines: types become spaces, byte for byte, and what has a meaning at run time (enums,
//! namespaces, parameter properties, `import x = require`) is put into words of JavaScript by insertions without line breaks.

use std::collections::{HashMap, HashSet};

use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::{Scoping, SemanticBuilder};
use oxc_span::{GetSpan, SourceType, Span};
use oxc_syntax::symbol::SymbolId;

/// JavaScript made of TypeScript.
pub struct Stripped {
    pub code: String,
    /// What was put before which byte of the source, in rising order. Everything else is where it was.
    pub insertions: Vec<(u32, String)>,
}

/// An error says what of TypeScript is not supported, or is the first complaint of the parser.
pub fn strip_types(source: &str, is_module: bool) -> Result<Stripped, String> {
    let allocator = Allocator::default();
    let source_type = SourceType::ts().with_module(is_module);
    let options = ParseOptions { allow_return_outside_function: !is_module, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, source, source_type).with_options(options).parse();
    if let Some(error) = parsed.diagnostics.errors().next() {
        return Err(error.to_string());
    }
    let semantic = SemanticBuilder::new().build(&parsed.program).semantic;
    let mut stripper = Stripper {
        source,
        scoping: semantic.scoping(),
        blanks: Vec::new(),
        insertions: Vec::new(),
        unsupported: None,
        namespaces: Vec::new(),
        qualified: HashMap::new(),
        declared_namespaces: HashSet::new(),
        in_loop_head: false,
    };
    stripper.visit_program(&parsed.program);
    match stripper.unsupported {
        Some(what) => Err(what),
        None => Ok(stripper.finish()),
    }
}

struct Stripper<'a, 's> {
    source: &'a str,
    scoping: &'s Scoping,
    /// Stretches to be overwritten with spaces; the flag puts a `;` first, where the next line could go on with the statement.
    blanks: Vec<(Span, bool)>,
    insertions: Vec<(u32, String)>,
    unsupported: Option<String>,
    /// The namespaces around.
    namespaces: Vec<String>,
    /// Variables that live as properties of their namespace.
    qualified: HashMap<SymbolId, String>,
    declared_namespaces: HashSet<String>,
    in_loop_head: bool,
}

impl Stripper<'_, '_> {
    fn finish(mut self) -> Stripped {
        let mut bytes = self.source.as_bytes().to_vec();
        for (span, semicolon) in self.blanks {
            let range = &mut bytes[span.start as usize..span.end as usize];
            for byte in range.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')) {
                *byte = b' ';
            }
            if semicolon && let Some(first) = range.first_mut() {
                *first = b';';
            }
        }
        self.insertions.sort_by_key(|&(at, _)| at);
        let blanked = String::from_utf8(bytes).expect("whole characters were overwritten");
        let mut code = String::with_capacity(blanked.len());
        let mut copied = 0;
        for (at, text) in &self.insertions {
            code.push_str(&blanked[copied..*at as usize]);
            code.push_str(text);
            copied = *at as usize;
        }
        code.push_str(&blanked[copied..]);
        Stripped { code, insertions: self.insertions }
    }

    fn blank(&mut self, span: Span) {
        self.blanks.push((span, false));
    }

    fn blank_statement(&mut self, span: Span) {
        self.blanks.push((span, true));
    }

    fn insert(&mut self, at: u32, text: impl Into<String>) {
        self.insertions.push((at, text.into()));
    }

    fn unsupported(&mut self, what: &str) {
        self.unsupported.get_or_insert_with(|| what.to_owned());
    }

    /// Blanks one character, if it is the next after spaces and comments behind `from`.
    fn blank_mark(&mut self, from: u32, mark: u8) {
        let at = self.skip_space(from);
        if self.source.as_bytes().get(at as usize) == Some(&mark) {
            self.blank(Span::new(at, at + 1));
        }
    }

    fn skip_space(&self, from: u32) -> u32 {
        let mut at = from as usize;
        loop {
            let rest = &self.source[at..];
            let trimmed = rest.trim_start();
            at += rest.len() - trimmed.len();
            let comment = if trimmed.starts_with("/*") {
                trimmed.find("*/").map(|end| end + 2)
            } else if trimmed.starts_with("//") {
                trimmed.find('\n')
            } else {
                None
            };
            match comment {
                Some(length) => at += length,
                None => return at as u32,
            }
        }
    }

    /// Blanks the modifiers of a class member or parameter that JavaScript does not know.
    fn blank_modifiers(&mut self, start: u32, key: u32, needs_semicolon: bool) {
        const MODIFIERS: [&str; 7] = ["public", "private", "protected", "readonly", "override", "abstract", "declare"];
        let mut at = start;
        let mut first = needs_semicolon;
        while at < key {
            let rest = &self.source[at as usize..key as usize];
            let word = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len()) as u32;
            let length = word.max(1);
            if MODIFIERS.contains(&&rest[..word as usize]) {
                self.blanks.push((Span::new(at, at + word), std::mem::take(&mut first)));
            }
            at += if word == 0 { rest.chars().next().map_or(1, char::len_utf8) as u32 } else { length };
            at = self.skip_space(at).min(key);
        }
    }

    /// Blanks a list element together with the comma behind it.
    fn blank_element(&mut self, span: Span) {
        self.blank(span);
        self.blank_mark(span.end, b',');
    }

    fn is_value(&self, symbol: Option<SymbolId>) -> bool {
        let Some(symbol) = symbol else { return true };
        self.scoping.get_resolved_references(symbol).any(|reference| reference.is_value())
    }

    fn types_only(&self, statements: &[Statement]) -> bool {
        statements.iter().all(|statement| match statement {
            Statement::TSInterfaceDeclaration(_) | Statement::TSTypeAliasDeclaration(_) => true,
            Statement::ExportDeclaration(export) => matches!(
                export.declaration,
                Declaration::TSInterfaceDeclaration(_) | Declaration::TSTypeAliasDeclaration(_)
            ),
            _ => false,
        })
    }
}

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
        self.blank(Span::new(expression.expression.span().end, expression.span.end));
    }

    fn visit_ts_satisfies_expression(&mut self, expression: &TSSatisfiesExpression<'a>) {
        self.visit_expression(&expression.expression);
        self.blank(Span::new(expression.expression.span().end, expression.span.end));
    }

    fn visit_ts_non_null_expression(&mut self, expression: &TSNonNullExpression<'a>) {
        self.visit_expression(&expression.expression);
        self.blank(Span::new(expression.expression.span().end, expression.span.end));
    }

    fn visit_ts_type_assertion(&mut self, assertion: &TSTypeAssertion<'a>) {
        let span = Span::new(assertion.span.start, assertion.expression.span().start);
        if self.source[span.start as usize..span.end as usize].contains('\n') {
            self.unsupported("a type assertion over several lines");
        }
        self.blank(span);
        self.visit_expression(&assertion.expression);
    }

    fn visit_ts_this_parameter(&mut self, parameter: &TSThisParameter<'a>) {
        self.blank_element(parameter.span);
    }

    fn visit_expression_statement(&mut self, statement: &ExpressionStatement<'a>) {
        let last_type = end_before_type(&statement.expression);
        walk::walk_expression_statement(self, statement);
        if let Some(at) = last_type
            && statement.span.end == statement.expression.span().end
        {
            self.insert(at, ";");
        }
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: oxc_syntax::scope::ScopeFlags) {
        if function.body.is_none() {
            return self.blank_statement(function.span);
        }
        walk::walk_function(self, function, flags);
    }

    fn visit_formal_parameter(&mut self, parameter: &FormalParameter<'a>) {
        if !parameter.decorators.is_empty() {
            self.unsupported("decorators");
        }
        self.blank_modifiers(parameter.span.start, parameter.pattern.span().start, false);
        if parameter.optional {
            self.blank_mark(parameter.pattern.span().end, b'?');
        }
        walk::walk_formal_parameter(self, parameter);
    }

    fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
        walk::walk_variable_declaration(self, declaration);
        let last = declaration.declarations.last().and_then(|declarator| declarator.init.as_ref());
        // The type kept the next line from going on with the expression.
        if let Some(init) = last
            && let Some(at) = end_before_type(init)
            && declaration.span.end == init.span().end
            && !self.in_loop_head
        {
            self.insert(at, ";");
        }
    }

    fn visit_for_statement_init(&mut self, init: &ForStatementInit<'a>) {
        let before = std::mem::replace(&mut self.in_loop_head, true);
        walk::walk_for_statement_init(self, init);
        self.in_loop_head = before;
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        if declarator.definite {
            self.blank_mark(declarator.id.span().end, b'!');
        }
        walk::walk_variable_declarator(self, declarator);
    }

    fn visit_declaration(&mut self, declaration: &Declaration<'a>) {
        let span = declaration.span();
        match declaration {
            Declaration::TSTypeAliasDeclaration(_)
            | Declaration::TSInterfaceDeclaration(_)
            | Declaration::TSExternalModuleDeclaration(_)
            | Declaration::TSGlobalDeclaration(_) => self.blank_statement(span),
            Declaration::VariableDeclaration(declaration) if declaration.declare => self.blank_statement(span),
            Declaration::ClassDeclaration(class) if class.declare => self.blank_statement(span),
            Declaration::TSEnumDeclaration(declaration) if declaration.declare => self.blank_statement(span),
            Declaration::TSEnumDeclaration(declaration) => self.enumeration(declaration, span),
            Declaration::TSNamespaceDeclaration(namespace) => self.namespace(namespace, span),
            Declaration::TSImportEqualsDeclaration(import) => self.import_equals(import),
            _ => walk::walk_declaration(self, declaration),
        }
    }

    fn visit_export_declaration(&mut self, export: &ExportDeclaration<'a>) {
        let erased = match &export.declaration {
            Declaration::TSTypeAliasDeclaration(_) | Declaration::TSInterfaceDeclaration(_) => true,
            Declaration::TSExternalModuleDeclaration(_) | Declaration::TSGlobalDeclaration(_) => true,
            Declaration::VariableDeclaration(declaration) => declaration.declare,
            Declaration::ClassDeclaration(class) => class.declare,
            Declaration::FunctionDeclaration(function) => function.body.is_none(),
            Declaration::TSEnumDeclaration(declaration) => declaration.declare,
            Declaration::TSNamespaceDeclaration(namespace) => namespace.declare || self.is_empty_namespace(namespace),
            _ => false,
        };
        if erased {
            return self.blank_statement(export.span);
        }
        if let Some(namespace) = self.namespaces.last().cloned() {
            return self.namespace_member(export, &namespace);
        }
        walk::walk_export_declaration(self, export);
    }

    fn visit_import_declaration(&mut self, import: &ImportDeclaration<'a>) {
        if import.import_kind.is_type() {
            return self.blank_statement(import.span);
        }
        let Some(specifiers) = &import.specifiers else { return };
        let is_type = |specifier: &ImportDeclarationSpecifier<'a>| {
            let (local, marked) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(one) => (&one.local, one.import_kind.is_type()),
                ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => (&one.local, false),
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => (&one.local, false),
            };
            marked || !self.is_value(local.symbol_id.get())
        };
        let types: Vec<Span> = specifiers.iter().filter(|specifier| is_type(specifier)).map(GetSpan::span).collect();
        if types.len() == specifiers.len() && !specifiers.is_empty() {
            return self.blank_statement(import.span);
        }
        types.into_iter().for_each(|span| self.blank_element(span));
    }

    fn visit_export_named_declaration(&mut self, export: &ExportNamedDeclaration<'a>) {
        if export.export_kind.is_type() {
            return self.blank_statement(export.span);
        }
        for specifier in &export.specifiers {
            let is_type = match &specifier.local {
                ModuleExportName::IdentifierReference(identifier) => identifier
                    .reference_id
                    .get()
                    .and_then(|id| self.scoping.get_reference(id).symbol_id())
                    .is_some_and(|symbol| !self.scoping.symbol_flags(symbol).is_value()),
                _ => false,
            };
            if specifier.export_kind.is_type() || is_type {
                self.blank_element(specifier.span);
            }
        }
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
        match &export.declaration {
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => self.blank_statement(export.span),
            ExportDefaultDeclarationKind::FunctionDeclaration(function) if function.body.is_none() => {
                self.blank_statement(export.span);
            }
            _ => walk::walk_export_default_declaration(self, export),
        }
    }

    fn visit_ts_export_assignment(&mut self, export: &TSExportAssignment<'a>) {
        self.blank(Span::new(export.span.start, export.expression.span().start));
        self.insert(export.expression.span().start, "module.exports=");
        self.visit_expression(&export.expression);
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        if !class.decorators.is_empty() {
            self.unsupported("decorators");
        }
        let start = class.span.start;
        if class.r#abstract {
            let at = self.source[start as usize..].find("abstract").map_or(start, |i| start + i as u32);
            self.blank(Span::new(at, at + "abstract".len() as u32));
        }
        if let (Some(first), Some(last)) = (class.implements.first(), class.implements.last()) {
            let before = &self.source[..first.span.start as usize];
            if let Some(keyword) = before.rfind("implements") {
                self.blank(Span::new(keyword as u32, last.span.end));
            }
        }
        if let Some(parameters) = &class.type_parameters {
            self.blank(parameters.span);
        }
        if let Some(heritage) = &class.heritage {
            self.visit_expression(&heritage.expression);
            if let Some(arguments) = &heritage.type_arguments {
                self.blank(arguments.span);
            }
        }
        let derived = class.heritage.is_some();
        for element in &class.body.body {
            self.member(element, derived);
        }
    }

    fn visit_identifier_reference(&mut self, identifier: &IdentifierReference<'a>) {
        if let Some(namespace) = self.namespace_of(identifier) {
            self.insert(identifier.span.start, format!("{namespace}."));
        }
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        if let (true, Expression::Identifier(identifier)) = (property.shorthand, &property.value)
            && let Some(namespace) = self.namespace_of(identifier)
        {
            return self.insert(property.span.end, format!(":{namespace}.{}", identifier.name));
        }
        walk::walk_object_property(self, property);
    }

    fn visit_jsx_element(&mut self, _: &JSXElement<'a>) {
        self.unsupported("JSX");
    }

    fn visit_jsx_fragment(&mut self, _: &JSXFragment<'a>) {
        self.unsupported("JSX");
    }
}

impl<'a> Stripper<'a, '_> {
    fn member(&mut self, element: &ClassElement<'a>, derived: bool) {
        match element {
            ClassElement::MethodDefinition(method) => {
                if !method.decorators.is_empty() {
                    self.unsupported("decorators");
                }
                if method.value.body.is_none() {
                    return self.blank_statement(method.span);
                }
                let key = method.key.span();
                let could_continue = method.computed || method.value.generator;
                self.blank_modifiers(method.span.start, key.start, could_continue);
                if method.optional {
                    self.blank_mark(key.end + u32::from(method.computed), b'?');
                }
                self.visit_property_key(&method.key);
                self.visit_function(&method.value, oxc_syntax::scope::ScopeFlags::Function);
                if method.kind == MethodDefinitionKind::Constructor {
                    self.parameter_properties(&method.value, derived);
                }
            }
            ClassElement::PropertyDefinition(property) => {
                if !property.decorators.is_empty() {
                    self.unsupported("decorators");
                }
                if property.declare || property.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition {
                    return self.blank_statement(property.span);
                }
                let key = property.key.span();
                self.blank_modifiers(property.span.start, key.start, property.computed);
                let end = key.end + u32::from(property.computed);
                if property.optional {
                    self.blank_mark(end, b'?');
                }
                if property.definite {
                    self.blank_mark(end, b'!');
                }
                walk::walk_property_definition(self, property);
            }
            ClassElement::TSIndexSignature(signature) => self.blank_statement(signature.span),
            ClassElement::StaticBlock(block) => walk::walk_static_block(self, block),
            ClassElement::AccessorProperty(_) => self.unsupported("accessor fields"),
        }
    }

    /// `constructor(private x)` assigns `this.x`, behind `super()` in a derived class.
    fn parameter_properties(&mut self, constructor: &Function<'a>, derived: bool) {
        let Some(body) = &constructor.body else { return };
        let assignments: String = constructor
            .params
            .items
            .iter()
            .filter(|parameter| parameter.accessibility.is_some() || parameter.readonly || parameter.r#override)
            .flat_map(|parameter| parameter.pattern.get_binding_identifiers())
            .map(|identifier| format!("this.{0}={0};", identifier.name))
            .collect();
        if assignments.is_empty() {
            return;
        }
        let super_call = body.statements.iter().find(|statement| match statement {
            Statement::ExpressionStatement(statement) => {
                matches!(&statement.expression, Expression::CallExpression(call) if call.callee.is_super())
            }
            _ => false,
        });
        match super_call {
            Some(statement) if derived => self.insert(statement.span().end, format!(";{assignments}")),
            _ => {
                let after = body.directives.last().map_or(body.span.start + 1, |directive| directive.span.end);
                self.insert(after, assignments);
            }
        }
    }

    fn enumeration(&mut self, declaration: &TSEnumDeclaration<'a>, span: Span) {
        let name = declaration.id.name.as_str();
        let keyword =
            if self.declared_namespaces.insert(name.to_owned()) { format!("var {name};") } else { String::new() };
        self.blank(Span::new(span.start, declaration.body.span.start));
        self.insert(declaration.body.span.start, format!("{keyword}(function({name})"));
        let members: HashSet<&str> =
            declaration.body.members.iter().map(|member| member.id.static_name().as_str()).collect();
        let mut previous: Option<String> = None;
        for member in &declaration.body.members {
            let key = format!("{:?}", member.id.static_name().as_str());
            let span = member.id.span();
            match &member.initializer {
                Some(init) => {
                    self.blank(Span::new(span.start, init.span().start));
                    let is_string = matches!(init, Expression::StringLiteral(_) | Expression::TemplateLiteral(_));
                    let (open, close) = match is_string {
                        true => (format!("{name}[{key}]="), ";".to_owned()),
                        false => (format!("{name}[{name}[{key}]="), format!("]={key};")),
                    };
                    self.insert(init.span().start, open);
                    EnumMembers { stripper: self, name, members: &members }.visit_expression(init);
                    self.visit_expression(init);
                    self.insert(init.span().end, close);
                }
                None => {
                    self.blank(span);
                    let value = match &previous {
                        Some(previous) => format!("{name}[{previous}]+1"),
                        None => "0".into(),
                    };
                    self.insert(span.end, format!("{name}[{name}[{key}]={value}]={key};"));
                }
            }
            self.blank_mark(member.span.end, b',');
            previous = Some(key);
        }
        self.insert(declaration.body.span.end, format!(")({name}||({name}={{}}));"));
    }

    fn is_empty_namespace(&self, namespace: &TSNamespaceDeclaration<'a>) -> bool {
        match &namespace.body {
            TSNamespaceDeclarationBody::TSModuleBlock(block) => self.types_only(&block.body),
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => self.is_empty_namespace(inner),
        }
    }

    fn namespace(&mut self, namespace: &TSNamespaceDeclaration<'a>, span: Span) {
        let TSNamespaceDeclarationBody::TSModuleBlock(block) = &namespace.body else {
            return self.unsupported("namespaces with dotted names");
        };
        if namespace.declare || self.types_only(&block.body) {
            return self.blank_statement(span);
        }
        let name = namespace.id.name.to_string();
        let first = self.declared_namespaces.insert(name.clone());
        let is_merged = !self.scoping.symbol_redeclarations(namespace.id.symbol_id()).is_empty();
        let keyword = if first && !is_merged { format!("var {name};") } else { String::new() };
        self.blank(Span::new(span.start, block.span.start));
        self.insert(block.span.start, format!("{keyword}(function({name})"));
        for statement in &block.body {
            if let Statement::ExportDeclaration(export) = statement
                && let Declaration::VariableDeclaration(declaration) = &export.declaration
            {
                let names =
                    declaration.declarations.iter().flat_map(|declarator| declarator.id.get_binding_identifiers());
                let symbols: Vec<SymbolId> = names.map(|identifier| identifier.symbol_id()).collect();
                self.qualified.extend(symbols.into_iter().map(|symbol| (symbol, name.clone())));
            }
        }
        self.namespaces.push(name.clone());
        block.body.iter().for_each(|statement| self.visit_statement(statement));
        self.namespaces.pop();
        self.insert(block.span.end, format!(")({name}||({name}={{}}));"));
    }

    fn namespace_member(&mut self, export: &ExportDeclaration<'a>, namespace: &str) {
        let declared = |name: &str| format!(";{namespace}.{name}={name};");
        match &export.declaration {
            Declaration::FunctionDeclaration(function) => {
                self.blank(Span::new(export.span.start, function.span.start));
                walk::walk_declaration(self, &export.declaration);
                if let Some(id) = &function.id {
                    self.insert(function.span.end, declared(&id.name));
                }
            }
            Declaration::ClassDeclaration(class) => {
                self.blank(Span::new(export.span.start, class.span.start));
                self.visit_class(class);
                if let Some(id) = &class.id {
                    self.insert(class.span.end, declared(&id.name));
                }
            }
            Declaration::VariableDeclaration(declaration) => {
                for (i, declarator) in declaration.declarations.iter().enumerate() {
                    let BindingPattern::BindingIdentifier(id) = &declarator.id else {
                        return self.unsupported("destructuring exports of namespaces");
                    };
                    if i == 0 {
                        self.blank_statement(Span::new(export.span.start, id.span.start));
                    }
                    self.insert(id.span.start, format!("{namespace}."));
                    self.visit_variable_declarator(declarator);
                }
            }
            Declaration::TSEnumDeclaration(declaration) => {
                self.blank(Span::new(export.span.start, declaration.span.start));
                self.enumeration(declaration, declaration.span);
                self.insert(declaration.span.end, declared(&declaration.id.name));
            }
            _ => self.unsupported("nested namespaces"),
        }
    }

    fn namespace_of(&self, identifier: &IdentifierReference<'a>) -> Option<String> {
        let symbol = self.scoping.get_reference(identifier.reference_id.get()?).symbol_id()?;
        self.qualified.get(&symbol).cloned()
    }

    fn import_equals(&mut self, import: &TSImportEqualsDeclaration<'a>) {
        let keyword = Span::new(import.span.start, import.span.start + "import".len() as u32);
        if import.import_kind.is_type() || !self.is_value(import.id.symbol_id.get()) {
            return self.blank_statement(import.span);
        }
        self.blank(keyword);
        self.insert(keyword.end, "const ");
    }
}

/// Where an expression ends that has a type behind it.
fn end_before_type(expression: &Expression) -> Option<u32> {
    match expression {
        Expression::TSAsExpression(expression) => Some(expression.expression.span().end),
        Expression::TSSatisfiesExpression(expression) => Some(expression.expression.span().end),
        _ => None,
    }
}

/// Members of an enum are known by their bare names in its initialisers.
struct EnumMembers<'x, 'a, 's> {
    stripper: &'x mut Stripper<'a, 's>,
    name: &'x str,
    members: &'x HashSet<&'x str>,
}

impl<'a> Visit<'a> for EnumMembers<'_, 'a, '_> {
    fn visit_identifier_reference(&mut self, identifier: &IdentifierReference<'a>) {
        if self.members.contains(identifier.name.as_str()) {
            self.stripper.insert(identifier.span.start, format!("{}.", self.name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::strip_types;
    use expect_test::{Expect, expect};

    fn check(source: &str, expected: Expect) {
        expected.assert_eq(&strip_types(source, true).map_or_else(|e| format!("error: {e}"), |stripped| stripped.code));
    }

    #[test]
    fn types_become_spaces() {
        check(
            "const x: number = f<string>(a as B)!;\ninterface I { a: 1 }\nfunction g<T>(this: X, a?: T, ...r: T[]): a is B { return <any>a }\nexport type Z = 1\nlet y!: string",
            expect![[r#"
                const x         = f        (a     ) ;
                ;                   
                function g   (         a    , ...r     )         { return      a }
                ;                
                let y         "#]],
        );
    }

    #[test]
    fn classes_keep_what_runs() {
        check(
            "x;\nabstract class A<T> extends B<T> implements C, D { private readonly x?: number = 1; declare z: 1; constructor(public a: number, protected b = 2) { super(); }\n public static async *[k]<T>(): void {} abstract m(): void; [i: string]: any; override get p(): string { return '' } }",
            expect![[r#"
                x;
                         class A    extends B                    {                  x          = 1; ;             constructor(       a        ,           b = 2) { super();;this.a=a;this.b=b; }
                 ;      static async *[k]   ()       {} ;                   ;                          get p()         { return '' } }"#]],
        );
    }

    #[test]
    fn enums_and_namespaces_are_lowered() {
        check(
            "export enum E { A, B = 5, C, D = 'x', F = A | B }\nnamespace N { export const a = 1, b: number = a; export function f() { return { a } } }\nimport fs = require('fs'); fs.x",
            expect![[r#"
                export        var E;(function(E){  E[E["A"]=0]="A";      E[E["B"]=5]="B";   E[E["C"]=E["B"]+1]="C";      E["D"]='x';      E[E["F"]=E.A | E.B]="F"; })(E||(E={}));
                            var N;(function(N){ ;            N.a = 1, N.b         = N.a;        function f() { return { a:N.a } };N.f=f; })(N||(N={}));
                      const  fs = require('fs'); fs.x"#]],
        );
    }

    #[test]
    fn imports_of_types_go() {
        check(
            "import { A, type B, c } from 'm';\nimport type { D } from 'n';\nimport E from 'e';\nlet x: A = c as E;\nexport { x, type A }",
            expect![[r#"
                import {            c } from 'm';
                ;                          
                ;                 
                let x    = c     ;
                export { x,        }"#]],
        );
    }
}
