//! Imports and exports, of values and of types.

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::symbol::SymbolId;

use super::classes::Export;
use super::{Imports, Stripper};

impl<'a> Stripper<'a, '_> {
    /// A declaration, and the `export` in front of it.
    pub(super) fn declaration(&mut self, declaration: &Declaration<'a>, export: Option<Span>) {
        let span = export.map_or(declaration.span(), |export| Span::new(export.start, declaration.span().end));
        if self.is_only_type(declaration) {
            return self.blank_statement(span);
        }
        match declaration {
            Declaration::TSEnumDeclaration(declaration) => self.enumeration(declaration, export),
            Declaration::TSNamespaceDeclaration(namespace) => self.namespace(namespace, export),
            Declaration::TSImportEqualsDeclaration(import) => self.import_equals(import, export.is_some()),
            Declaration::ClassDeclaration(class) => {
                self.class(class, export.map(|span| Export { span, is_default: false }))
            }
            _ => walk::walk_declaration(self, declaration),
        }
    }

    pub(super) fn export_declaration(&mut self, export: &ExportDeclaration<'a>) {
        let keyword = Span::new(export.span.start, export.declaration.span().start);
        // Of a decorated class, `export` may stand behind the decorators.
        let keyword = match &export.declaration {
            Declaration::ClassDeclaration(class) => self.export_keyword(export.span.start, class),
            _ => keyword,
        };
        match self
            .containers
            .last()
            .filter(|container| container.is_namespace)
            .map(|container| container.variable.clone())
        {
            Some(namespace) if !self.is_only_type(&export.declaration) => {
                self.namespace_member(&export.declaration, keyword, &namespace);
            }
            _ => self.declaration(&export.declaration, Some(keyword)),
        }
    }

    pub(super) fn export_default(&mut self, export: &ExportDefaultDeclaration<'a>) {
        match &export.declaration {
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => self.blank_statement(export.span),
            ExportDefaultDeclarationKind::FunctionDeclaration(function) if function.body.is_none() => {
                self.blank_statement(export.span);
            }
            ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                let span = self.export_keyword(export.span.start, class);
                self.class(class, Some(Export { span, is_default: true }));
            }
            _ => {
                walk::walk_export_default_declaration(self, export);
                self.end_statement(export.span);
            }
        }
    }

    pub(super) fn import(&mut self, import: &ImportDeclaration<'a>) {
        if import.import_kind.is_type() {
            return self.blank_statement(import.span);
        }
        let Some(specifiers) = &import.specifiers else { return };
        let elides = self.dialect.has_types && self.dialect.imports == Imports::OfValues;
        let is_type = |specifier: &ImportDeclarationSpecifier<'a>| {
            let (local, marked) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(one) => (&one.local, one.import_kind.is_type()),
                ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => (&one.local, false),
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => (&one.local, false),
            };
            marked || (elides && !self.is_value(local))
        };
        let types: Vec<Span> = specifiers.iter().filter(|specifier| is_type(specifier)).map(GetSpan::span).collect();
        if types.len() == specifiers.len() && !specifiers.is_empty() {
            return self.blank_statement(import.span);
        }
        types.into_iter().for_each(|span| self.blank_element(span));
    }

    pub(super) fn export_names(&mut self, export: &ExportNamedDeclaration<'a>) {
        if export.export_kind.is_type() {
            return self.blank_statement(export.span);
        }
        for specifier in &export.specifiers {
            let is_type = match &specifier.local {
                ModuleExportName::IdentifierReference(identifier) => {
                    self.symbol_of(identifier).is_some_and(|symbol| !self.scoping.symbol_flags(symbol).is_value())
                }
                _ => false,
            };
            if specifier.export_kind.is_type() || is_type {
                self.blank_element(specifier.span);
            }
        }
    }

    pub(super) fn symbol_of(&self, identifier: &IdentifierReference<'a>) -> Option<SymbolId> {
        self.scoping.get_reference(identifier.reference_id.get()?).symbol_id()
    }

    /// `import x = require('m')` and `import x = N.y`.
    pub(super) fn import_equals(&mut self, import: &TSImportEqualsDeclaration<'a>, is_exported: bool) {
        if import.import_kind.is_type() || !(is_exported || self.is_value(&import.id)) {
            return self.blank_statement(import.span);
        }
        let keyword = Span::new(import.span.start, import.span.start + "import".len() as u32);
        self.blank(keyword);
        self.insert(keyword.end, "const ");
        self.visit_ts_module_reference(&import.module_reference);
        if self.is_module && matches!(import.module_reference, TSModuleReference::ExternalModuleReference(_)) {
            let from = import.module_reference.span().start;
            let require = self.free_name("__require");
            self.blank(Span::new(from, from + "require".len() as u32));
            self.insert(from, &*require);
            self.require = Some(require);
        }
    }

    /// What the file needs at its beginning, behind directives.
    pub(super) fn prologue(&mut self, program: &Program<'a>) {
        let mut text = String::new();
        if let Some(require) = &self.require {
            text.push_str(&format!(
                "import{{createRequire as {require}_}}from\"node:module\";const {require}={require}_(import.meta.url);"
            ));
        }
        if let Some(elements) = &self.jsx {
            text.push_str(&elements.runtime_import(self.is_module));
        }
        if !text.is_empty() {
            let hashbang = program.hashbang.as_ref().map(|hashbang| self.skip_space(hashbang.span.end));
            let directives = program.directives.last().map(|directive| directive.span.end);
            let at = directives.or(hashbang).unwrap_or(0);
            self.insert(at, if directives.is_some() { format!(";{text}") } else { text });
        }
    }

    fn is_value(&self, local: &BindingIdentifier<'a>) -> bool {
        let Some(symbol) = local.symbol_id.get() else { return true };
        let is_factory = || {
            let roots = self.jsx.as_ref().map(|elements| elements.settings().roots().any(|root| root == local.name));
            roots.unwrap_or_default()
        };
        self.scoping.get_resolved_references(symbol).any(|reference| reference.is_value()) || is_factory()
    }

    /// Whether nothing of the declaration is there at run time.
    pub(super) fn is_only_type(&self, declaration: &Declaration<'a>) -> bool {
        match declaration {
            Declaration::TSTypeAliasDeclaration(_)
            | Declaration::TSInterfaceDeclaration(_)
            | Declaration::TSExternalModuleDeclaration(_)
            | Declaration::TSGlobalDeclaration(_) => true,
            Declaration::VariableDeclaration(declaration) => declaration.declare,
            Declaration::ClassDeclaration(class) => class.declare,
            Declaration::FunctionDeclaration(function) => function.body.is_none() || function.declare,
            Declaration::TSEnumDeclaration(declaration) => declaration.declare,
            Declaration::TSNamespaceDeclaration(namespace) => namespace.declare || self.is_empty_namespace(namespace),
            Declaration::TSImportEqualsDeclaration(_) => false,
        }
    }

    fn export_keyword(&self, start: u32, class: &Class<'a>) -> Span {
        let from = match class.decorators.last() {
            Some(last) if class.span.start <= start || last.span.end > start => {
                if self.source[start as usize..].starts_with("export") { start } else { last.span.end }
            }
            _ => start,
        };
        let from = self.skip_space(from);
        let behind = &self.source[from as usize..];
        let mut end = from + "export".len() as u32;
        let default = self.skip_space(end);
        if behind.starts_with("export") && self.source[default as usize..].starts_with("default") {
            end = default + "default".len() as u32;
        }
        Span::new(from, end)
    }
}
