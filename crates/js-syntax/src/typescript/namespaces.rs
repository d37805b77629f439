//! Namespaces: `var N;(function(N){ … })(N||(N={}));`. What they export lives as properties of their object.

use std::collections::HashSet;

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeId;
use oxc_syntax::symbol::SymbolId;

use super::Stripper;
use super::classes::Export;

/// A namespace or an enum, while we are inside.
pub struct Container {
    pub path: ContainerPath,
    /// Names declared in this scope hide the properties; in an enum nothing does.
    pub scope: Option<ScopeId>,
    /// How its object is known inside.
    pub variable: String,
    pub is_namespace: bool,
}

/// A namespace or enum in all its parts: where the outermost is declared, and the names down from there.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ContainerPath {
    root: SymbolId,
    names: Vec<String>,
}

impl ContainerPath {
    /// Parts of a namespace are the same in all parts of the one around it.
    fn of(id: &BindingIdentifier, around: Option<&ContainerPath>) -> ContainerPath {
        let mut path = around.cloned().unwrap_or(ContainerPath { root: id.symbol_id(), names: Vec::new() });
        if around.is_some() {
            path.names.push(id.name.to_string());
        }
        path
    }
}

impl<'a> Stripper<'a, '_> {
    pub(super) fn container_path(&self, id: &BindingIdentifier) -> ContainerPath {
        ContainerPath::of(id, self.containers.last().map(|container| &container.path))
    }

    /// Finds what each namespace and enum offers to all its parts.
    pub(super) fn collect_containers(&mut self, statements: &[Statement<'a>], around: Option<&ContainerPath>) {
        for statement in statements {
            match statement {
                Statement::ExportDeclaration(export) => self.collect_container(&export.declaration, around),
                _ => {
                    if let Some(declaration) = statement.as_declaration() {
                        self.collect_container(declaration, around);
                    }
                }
            }
        }
    }

    fn collect_container(&mut self, declaration: &Declaration<'a>, around: Option<&ContainerPath>) {
        match declaration {
            Declaration::TSEnumDeclaration(declaration) => {
                let names = declaration.body.members.iter().map(|member| member.id.static_name().to_string());
                self.container_names.entry(ContainerPath::of(&declaration.id, around)).or_default().extend(names);
            }
            Declaration::TSNamespaceDeclaration(namespace) => self.collect_namespace(namespace, around),
            _ => {}
        }
    }

    fn collect_namespace(&mut self, namespace: &TSNamespaceDeclaration<'a>, around: Option<&ContainerPath>) {
        let path = ContainerPath::of(&namespace.id, around);
        let names = match &namespace.body {
            TSNamespaceDeclarationBody::TSModuleBlock(block) => {
                self.collect_containers(&block.body, Some(&path));
                let exports = block.body.iter().filter_map(|statement| match statement {
                    Statement::ExportDeclaration(export) if !self.is_only_type(&export.declaration) => {
                        Some(&export.declaration)
                    }
                    _ => None,
                });
                exports.flat_map(declared_names).collect::<Vec<_>>()
            }
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => {
                self.collect_namespace(inner, Some(&path));
                vec![inner.id.name.to_string()]
            }
        };
        self.container_names.entry(path).or_default().extend(names);
    }

    pub(super) fn is_empty_namespace(&self, namespace: &TSNamespaceDeclaration<'a>) -> bool {
        match &namespace.body {
            TSNamespaceDeclarationBody::TSModuleBlock(block) => block.body.iter().all(|statement| match statement {
                Statement::ExportDeclaration(export) => self.is_only_type(&export.declaration),
                _ => statement.as_declaration().is_some_and(|declaration| self.is_only_type(declaration)),
            }),
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => self.is_empty_namespace(inner),
        }
    }

    /// The words that declare the variable of a namespace or enum, if it is the first part and nothing else declares it.
    pub(super) fn container_opening(&mut self, id: &BindingIdentifier<'a>, export: Option<Span>) -> String {
        let symbol = id.symbol_id();
        let flags = self.scoping.symbol_flags(symbol);
        if !self.declared.insert(symbol) || flags.is_class() || flags.is_function() {
            return String::new();
        }
        let is_top = self.scoping.symbol_scope_id(symbol) == self.scoping.root_scope_id();
        let keyword = if is_top { "var" } else { "let" };
        format!("{}{keyword} {};", if export.is_some() { "export " } else { "" }, id.name)
    }

    pub(super) fn namespace(&mut self, namespace: &TSNamespaceDeclaration<'a>, export: Option<Span>) {
        let name = namespace.id.name.as_str();
        let opening = self.container_opening(&namespace.id, export);
        let start = export.map_or(namespace.span.start, |export| export.start);
        self.namespace_body(namespace, start, &opening, &format!(")({name}||({name}={{}}));"));
    }

    /// A namespace that its own namespace exports.
    fn inner_namespace(&mut self, namespace: &TSNamespaceDeclaration<'a>, start: u32, outer: &str) {
        let name = namespace.id.name.as_str();
        let opening = self.container_opening(&namespace.id, None);
        self.namespace_body(namespace, start, &opening, &format!(")({name}={outer}.{name}||({outer}.{name}={{}}));"));
    }

    fn namespace_body(&mut self, namespace: &TSNamespaceDeclaration<'a>, start: u32, opening: &str, closing: &str) {
        let scope = namespace.scope_id.get();
        let variable = self.inner_variable(namespace);
        let body = namespace.body.span();
        self.blank(Span::new(start, body.start));
        self.containers.push(Container {
            path: self.container_path(&namespace.id),
            scope,
            variable: variable.clone(),
            is_namespace: true,
        });
        match &namespace.body {
            TSNamespaceDeclarationBody::TSModuleBlock(block) => {
                self.insert(body.start, format!("{opening}(function({variable})"));
                self.qualify_variables(block, &variable);
                block.body.iter().for_each(|statement| self.visit_statement(statement));
                self.insert(body.end, closing);
            }
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => {
                self.insert(body.start, format!("{opening}(function({variable}){{"));
                self.inner_namespace(inner, inner.span.start, &variable);
                self.insert(body.end, format!("}}{closing}"));
            }
        }
        self.containers.pop();
    }

    /// The object's name inside, which must not be one that is declared there.
    fn inner_variable(&self, namespace: &TSNamespaceDeclaration<'a>) -> String {
        let name = namespace.id.name;
        let hidden = namespace.scope_id.get().is_some_and(|scope| self.scoping.get_binding(scope, name).is_some());
        if hidden { self.free_name(&format!("{name}_1")) } else { name.to_string() }
    }

    /// Exported variables are properties and nothing else, so that all see what anyone assigns.
    fn qualify_variables(&mut self, block: &TSModuleBlock<'a>, variable: &str) {
        for statement in &block.body {
            if let Statement::ExportDeclaration(export) = statement
                && let Declaration::VariableDeclaration(declaration) = &export.declaration
            {
                for declarator in &declaration.declarations {
                    for identifier in declarator.id.get_binding_identifiers() {
                        self.qualified.insert(identifier.symbol_id(), variable.to_owned());
                    }
                }
            }
        }
    }

    pub(super) fn namespace_member(&mut self, declaration: &Declaration<'a>, keyword: Span, namespace: &str) {
        let declared = |name: &str| format!(";{namespace}.{name}={name};");
        match declaration {
            Declaration::VariableDeclaration(variables) => self.exported_variables(variables, keyword),
            Declaration::FunctionDeclaration(function) => {
                self.blank(keyword);
                walk::walk_declaration(self, declaration);
                if let Some(id) = &function.id {
                    self.insert(function.span.end, declared(&id.name));
                }
            }
            Declaration::ClassDeclaration(class) => {
                self.blank(keyword);
                self.class(class, None::<Export>);
                if let Some(id) = &class.id {
                    self.insert(class.span.end, declared(&id.name));
                }
            }
            Declaration::TSEnumDeclaration(inner) => {
                let name = inner.id.name.as_str();
                let opening = self.container_opening(&inner.id, None);
                self.blank(Span::new(keyword.start, inner.body.span.start));
                self.insert(inner.body.span.start, format!("{opening}(function({name})"));
                self.enum_body(inner, name);
                self.insert(inner.body.span.end, format!(")({name}={namespace}.{name}||({namespace}.{name}={{}}));"));
            }
            Declaration::TSNamespaceDeclaration(inner) => self.inner_namespace(inner, keyword.start, namespace),
            Declaration::TSImportEqualsDeclaration(import) => {
                self.blank(Span::new(keyword.start, import.module_reference.span().start));
                let name = import.id.name.as_str();
                self.insert(import.module_reference.span().start, format!("const {name}={namespace}.{name}="));
                self.visit_ts_module_reference(&import.module_reference);
            }
            _ => {}
        }
    }

    /// `export const a = 1, { b } = c` → `;(N.a = 1, { b:N.b } = c)`.
    fn exported_variables(&mut self, variables: &VariableDeclaration<'a>, keyword: Span) {
        let (Some(first), Some(last)) = (variables.declarations.first(), variables.declarations.last()) else { return };
        self.blank_statement(Span::new(keyword.start, first.span.start));
        self.insert(first.span.start, "(");
        for declarator in &variables.declarations {
            self.assignment_target(&declarator.id);
            if declarator.definite {
                self.blank_mark(declarator.id.span().end, b'!');
            }
            if let Some(annotation) = &declarator.type_annotation {
                self.blank(annotation.span);
            }
            if let Some(init) = &declarator.init {
                self.visit_expression(init);
            }
        }
        self.insert(last.span.end, ");");
    }

    /// A pattern that declared variables assigns properties.
    fn assignment_target(&mut self, pattern: &BindingPattern<'a>) {
        match pattern {
            BindingPattern::BindingIdentifier(id) => {
                let namespace = id.symbol_id.get().and_then(|symbol| self.qualified.get(&symbol)).cloned();
                self.insert(id.span.start, format!("{}.", namespace.unwrap_or_default()));
            }
            BindingPattern::AssignmentPattern(assignment) => {
                self.assignment_target(&assignment.left);
                self.visit_expression(&assignment.right);
            }
            BindingPattern::ArrayPattern(array) => {
                array.elements.iter().flatten().for_each(|element| self.assignment_target(element));
                if let Some(rest) = &array.rest {
                    self.assignment_target(&rest.argument);
                }
            }
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    if property.shorthand {
                        self.insert(property.span.start, format!("{}:", self.text(property.key.span())));
                    } else {
                        self.visit_property_key(&property.key);
                    }
                    self.assignment_target(&property.value);
                }
                if let Some(rest) = &object.rest {
                    self.assignment_target(&rest.argument);
                }
            }
        }
    }

    /// The object that a bare name is a property of.
    pub(super) fn namespace_of(&self, identifier: &IdentifierReference<'a>) -> Option<String> {
        let symbol = self.symbol_of(identifier);
        if let Some(namespace) = symbol.and_then(|symbol| self.qualified.get(&symbol)) {
            return Some(namespace.clone());
        }
        let declared_in = symbol.map(|symbol| self.scoping.symbol_scope_id(symbol));
        for container in self.containers.iter().rev() {
            let is_inside = |scope| self.scoping.scope_ancestors(scope).any(|around| Some(around) == container.scope);
            if declared_in.is_some_and(is_inside) {
                return None;
            }
            let names = self.container_names.get(&container.path);
            if names.is_some_and(|names: &HashSet<String>| names.contains(identifier.name.as_str())) {
                return Some(container.variable.clone());
            }
        }
        None
    }
}

fn declared_names(declaration: &Declaration) -> Vec<String> {
    match declaration {
        Declaration::VariableDeclaration(variables) => variables
            .declarations
            .iter()
            .flat_map(|declarator| declarator.id.get_binding_identifiers())
            .map(|identifier| identifier.name.to_string())
            .collect(),
        _ => declaration.id().map(|id| id.name.to_string()).into_iter().collect(),
    }
}
