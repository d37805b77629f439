//! What a module takes from others, and what it gives them.

use oxc_ast::ast::*;
use trace_model::{Export, Exported, Import};

use super::builder::Builder;

/// The name of a default export, and of the variable that holds its value where no declaration has one.
pub(crate) const DEFAULT: &str = "default";

impl<'a> Builder<'_> {
    /// Walks the statements that connect modules; what they evaluate is walked with all other statements.
    pub fn module_links(&mut self, statements: &[Statement<'a>]) {
        for statement in statements {
            match statement {
                Statement::ImportDeclaration(import) => self.import(import),
                Statement::ExportDeclaration(export) => self.exported_declaration(&export.declaration),
                Statement::ExportDefaultDeclaration(export) => self.exported_default(&export.declaration),
                Statement::ExportNamedDeclaration(export) => {
                    for specifier in &export.specifiers {
                        self.exported_local(specifier);
                    }
                }
                Statement::ExportFromDeclaration(export) => {
                    for specifier in &export.specifiers {
                        let name = Some(specifier.local.name().to_string());
                        let from = Exported::From { specifier: export.source.value.to_string(), name };
                        self.export(specifier.exported.name().as_str(), from);
                    }
                }
                Statement::ExportAllDeclaration(export) => {
                    let specifier = export.source.value.to_string();
                    match &export.exported {
                        Some(name) => self.export(name.name().as_str(), Exported::From { specifier, name: None }),
                        None => self.facts.export_all_from.push(specifier),
                    }
                }
                _ => {}
            }
        }
    }

    fn import(&mut self, import: &ImportDeclaration<'a>) {
        for specifier in import.specifiers.iter().flatten() {
            let (local, name) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(named) => {
                    (&named.local, Some(named.imported.name().to_string()))
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(default) => (&default.local, Some(DEFAULT.into())),
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(all) => (&all.local, None),
            };
            if let Some(variable) = local.symbol_id.get().and_then(|symbol| self.variable(symbol)) {
                self.facts.imports.push(Import { variable, specifier: import.source.value.to_string(), name });
            }
        }
    }

    fn exported_declaration(&mut self, declaration: &Declaration<'a>) {
        match declaration {
            Declaration::VariableDeclaration(declaration) => {
                for identifier in declaration.declarations.iter().flat_map(|one| one.id.get_binding_identifiers()) {
                    self.export_binding(&identifier.name, Some(identifier));
                }
            }
            Declaration::FunctionDeclaration(function) => self.export_own_name(function.id.as_ref()),
            Declaration::ClassDeclaration(class) => self.export_own_name(class.id.as_ref()),
            _ => {}
        }
    }

    fn export_own_name(&mut self, identifier: Option<&BindingIdentifier<'a>>) {
        if let Some(identifier) = identifier {
            self.export_binding(&identifier.name, Some(identifier));
        }
    }

    fn exported_default(&mut self, declaration: &ExportDefaultDeclarationKind<'a>) {
        match declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                self.export_binding(DEFAULT, function.id.as_ref());
            }
            ExportDefaultDeclarationKind::ClassDeclaration(class) => self.export_binding(DEFAULT, class.id.as_ref()),
            _ => {
                if let Some(variable) = self.implicit_variable(DEFAULT) {
                    self.export(DEFAULT, Exported::Variable(variable));
                }
            }
        }
    }

    fn export_binding(&mut self, name: &str, identifier: Option<&BindingIdentifier<'a>>) {
        let symbol = identifier.and_then(|identifier| identifier.symbol_id.get());
        if let Some(variable) = symbol.and_then(|symbol| self.variable(symbol)) {
            self.export(name, Exported::Variable(variable));
        }
    }

    fn exported_local(&mut self, specifier: &ExportSpecifier<'a>) {
        let ModuleExportName::IdentifierReference(local) = &specifier.local else { return };
        if let Some(variable) = self.symbol(local).and_then(|symbol| self.variable(symbol)) {
            self.export(specifier.exported.name().as_str(), Exported::Variable(variable));
        }
    }

    fn export(&mut self, name: &str, what: Exported) {
        self.facts.exports.push(Export { name: name.to_owned(), what });
    }
}
