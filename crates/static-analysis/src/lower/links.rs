//! Imports and exports.

use oxc_ast::ast::*;
use oxc_span::GetSpan;

use super::Lowerer;
use crate::model::{Key, TokenKind};
use crate::solver::Node;

impl<'a> Lowerer<'_> {
    pub fn module_declaration(&mut self, declaration: &ModuleDeclaration<'a>) {
        match declaration {
            ModuleDeclaration::ImportDeclaration(import) => self.import(import),
            ModuleDeclaration::ExportDeclaration(export) => {
                self.declaration(&export.declaration);
                self.export_declared(&export.declaration);
            }
            ModuleDeclaration::ExportNamedDeclaration(export) => {
                for specifier in &export.specifiers {
                    if let ModuleExportName::IdentifierReference(local) = &specifier.local {
                        let node = self.variable(local);
                        self.export(&name_of(&specifier.exported), node);
                    }
                }
            }
            ModuleDeclaration::ExportFromDeclaration(export) => {
                for specifier in &export.specifiers {
                    let name = name_of(&specifier.local);
                    let node = self.an.imported(self.unit, &export.source.value, Some(&name));
                    self.export(&name_of(&specifier.exported), node);
                }
            }
            ModuleDeclaration::ExportAllDeclaration(export) => {
                let all = self.an.imported(self.unit, &export.source.value, None);
                match &export.exported {
                    Some(name) => self.export(&name_of(name), all),
                    None => {
                        let namespace = self.an.units[self.unit as usize].namespace;
                        let inherits = self.an.slot(namespace, Key::PROTO);
                        self.an.graph.add_edge(all, inherits);
                    }
                }
            }
            ModuleDeclaration::ExportDefaultDeclaration(export) => {
                let node = match &export.declaration {
                    ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                        self.function_declaration(function);
                        let id = self.function_of(function);
                        let token = self.an.function(id).token;
                        Some(self.an.node_of(token))
                    }
                    ExportDefaultDeclarationKind::ClassDeclaration(class) => Some(self.class(class)),
                    ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => None,
                    declaration => declaration.as_expression().and_then(|value| self.expression(value)),
                };
                if let Some(node) = node {
                    self.export("default", node);
                }
            }
            _ => {}
        }
    }

    fn import(&mut self, import: &ImportDeclaration<'a>) {
        let source = import.source.value.as_str();
        for specifier in import.specifiers.iter().flatten() {
            let (local, name) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(specifier) => {
                    (&specifier.local, Some(name_of(&specifier.imported)))
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(specifier) => {
                    (&specifier.local, Some("default".to_owned()))
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(specifier) => (&specifier.local, None),
            };
            let Some(symbol) = local.symbol_id.get() else { continue };
            let value = self.an.imported(self.unit, source, name.as_deref());
            let node = self.symbol(symbol);
            self.an.graph.add_edge(value, node);
        }
    }

    fn export(&mut self, name: &str, node: Node) {
        let namespace = self.an.units[self.unit as usize].namespace;
        let key = self.key(name);
        let slot = self.an.slot(namespace, key);
        self.an.graph.add_edge(node, slot);
    }

    fn export_declared(&mut self, declaration: &Declaration<'a>) {
        let mut names = Vec::new();
        match declaration {
            Declaration::VariableDeclaration(declaration) => {
                for declarator in &declaration.declarations {
                    names.extend(declarator.id.get_binding_identifiers());
                }
            }
            Declaration::FunctionDeclaration(function) => names.extend(function.id.as_ref()),
            Declaration::ClassDeclaration(class) => names.extend(class.id.as_ref()),
            _ => {}
        }
        for id in names {
            if let Some(symbol) = id.symbol_id.get() {
                let node = self.symbol(symbol);
                self.export(&id.name, node);
            }
        }
    }

    pub fn import_expression(&mut self, import: &ImportExpression<'a>) -> Node {
        self.expression(&import.source);
        let promise = self.made(TokenKind::Promise, import.span());
        if let Some(specifier) = self.text(&import.source) {
            let specifier = self.an.keys.name(specifier).to_owned();
            let all = self.an.imported(self.unit, &specifier, None);
            let slot = self.an.slot(promise, Key::FULFILLED);
            self.an.graph.add_edge(all, slot);
        }
        self.an.node_of(promise)
    }
}

fn name_of(name: &ModuleExportName) -> String {
    match name {
        ModuleExportName::IdentifierName(name) => name.name.to_string(),
        ModuleExportName::IdentifierReference(name) => name.name.to_string(),
        ModuleExportName::StringLiteral(name) => name.value.to_string(),
    }
}
