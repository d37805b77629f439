//! Classes around their members: what is of types goes, and a decorated class becomes the value of a call.

use helper_names::{DECORATED, EVALUATED_DECORATORS, LEGACY_CLASS, LEGACY_END};
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use super::decorators::Decorated;
use super::edits::Lowered;
use super::members::Members;
use super::{Decorators, Fields, Stripper};

/// The `export`, or `export default`, of a class.
pub struct Export {
    pub span: Span,
    pub is_default: bool,
}

impl<'a> Stripper<'a, '_> {
    pub(super) fn class(&mut self, class: &Class<'a>, export: Option<Export>) {
        let keyword = self.class_keyword(class, export.as_ref());
        let name = match &class.id {
            Some(id) => id.name.to_string(),
            None if export.is_some() => "default_1".into(),
            None => "_class".into(),
        };
        let decorated = Decorated::of(class, &name, self.dialect.decorators);
        if decorated.needs_name() && class.id.is_none() {
            self.insert(keyword + "class".len() as u32, format!(" {name} "));
        }
        let wrapped =
            decorated.is_replaced().then(|| self.open_decorated_class(class, &name, export.as_ref(), keyword));
        self.class_head(class);
        let start = class.body.span.start + 1;
        if let Some(Some(alias)) = &wrapped {
            self.insert(start, format!("static{{{alias}=this}}"));
        }
        let members = self.edits.reserve(start);
        let constructor = constructor_of(class);
        let properties: Vec<_> = constructor.iter().flat_map(|method| declared_by_parameters(&method.value)).collect();
        if self.dialect.fields == Fields::Defined {
            for (name, parameter) in &properties {
                self.insert_for(start, format!("{name};"), *parameter);
            }
        }
        let mut members_seen = Members {
            decorated,
            waiting: (self.dialect.fields == Fields::OnlyTypes && !properties.is_empty()).then(Vec::new),
        };
        for element in &class.body.body {
            self.member(element, &mut members_seen);
        }
        let Members { decorated, waiting } = members_seen;
        if let Some(method) = constructor {
            self.parameter_properties(&method.value, class.heritage.is_some(), waiting.unwrap_or_default());
        }
        if decorated.has_legacy_members() {
            self.insert(class.body.span.end - 1, format!(";static{{{LEGACY_END}(this)}}"));
        }
        let beginning = decorated.beginning(wrapped.as_ref().and_then(Option::as_deref));
        self.edits.fill(members, beginning);
        if let Some(alias) = wrapped {
            self.close_decorated_class(class, &name, export.as_ref(), alias.is_some());
        }
    }

    fn class_head(&mut self, class: &Class<'a>) {
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
    }

    /// Where the word `class` is; what stands between it and the decorators goes.
    fn class_keyword(&mut self, class: &Class<'a>, export: Option<&Export>) -> u32 {
        let decorators = class.decorators.last().map_or(class.span.start, |decorator| decorator.span.end);
        let from = decorators.max(export.map_or(0, |export| export.span.end));
        let at = self.skip_space(from);
        if !self.source[at as usize..].starts_with("abstract") {
            return at;
        }
        let end = at + "abstract".len() as u32;
        self.blank(Span::new(at, end));
        self.skip_space(end)
    }

    /// `@d class A {` → `let A=$w_legacyClass(()=>[d],class A {`. Gives the name by which the class is to know itself, if it
    /// does: what it is replaced by is not what the name inside a class means.
    fn open_decorated_class(
        &mut self,
        class: &Class<'a>,
        name: &str,
        export: Option<&Export>,
        keyword: u32,
    ) -> Option<String> {
        let start = class.decorators.first().map_or(keyword, |decorator| decorator.span.start);
        let is_declaration = class.is_declaration();
        if let Some(export) = export {
            self.blank(export.span);
        }
        let start = export.map_or(start, |export| start.min(export.span.start));
        let whole = Span::new(start, class.span.end);
        let symbol = class.id.as_ref().and_then(|id| id.symbol_id.get());
        let alias = (is_declaration && self.text(whole).matches(name).count() > 1)
            .then_some(symbol)
            .flatten()
            .map(|symbol| (symbol, self.free_name(&format!("{name}_1"))));
        if let Some((symbol, alias)) = &alias {
            self.class_aliases.insert(*symbol, alias.clone());
        }
        let alias = alias.map(|(_, alias)| alias);
        let variable = match &alias {
            _ if !is_declaration => String::new(),
            Some(alias) => format!("let {alias},{name}={alias}="),
            None => format!("let {name}="),
        };
        let open = match self.dialect.decorators {
            Decorators::Legacy => format!("{LEGACY_CLASS}(()=>["),
            Decorators::Standard => format!("{DECORATED}({EVALUATED_DECORATORS}(["),
        };
        self.insert(start, format!("{variable}{open}"));
        self.decorator_list(&class.decorators);
        let end = class.decorators.last().map_or(start, |decorator| decorator.span.end);
        self.insert(end, if self.dialect.decorators == Decorators::Legacy { "]," } else { "])," });
        alias
    }

    fn close_decorated_class(&mut self, class: &Class<'a>, name: &str, export: Option<&Export>, has_alias: bool) {
        let export = match export {
            Some(Export { is_default: true, .. }) => format!("export{{{name} as default}};"),
            Some(_) => format!("export{{{name}}};"),
            None => String::new(),
        };
        let semicolon = if class.is_declaration() { ";" } else { "" };
        self.insert(class.span.end, format!("){semicolon}{export}"));
        if has_alias && let Some(symbol) = class.id.as_ref().and_then(|id| id.symbol_id.get()) {
            self.class_aliases.remove(&symbol);
        }
    }

    pub(super) fn alias_of(&self, identifier: &IdentifierReference<'a>) -> Option<String> {
        if self.class_aliases.is_empty() {
            return None;
        }
        self.class_aliases.get(&self.symbol_of(identifier)?).cloned()
    }

    /// `constructor(private x)` assigns `this.x`, behind `super()` in a derived class, and then the fields that waited for it.
    pub(super) fn parameter_properties(&mut self, constructor: &Function<'a>, derived: bool, fields: Vec<Lowered>) {
        let Some(body) = &constructor.body else { return };
        let properties: Vec<_> = declared_by_parameters(constructor).collect();
        if properties.is_empty() {
            return;
        }
        let super_call = body.statements.iter().find(|statement| match statement {
            Statement::ExpressionStatement(statement) => {
                matches!(&statement.expression, Expression::CallExpression(call) if call.callee.is_super())
            }
            _ => false,
        });
        let behind = match super_call {
            Some(statement) if derived => Some(statement.span().end),
            _ => body.directives.last().map(|directive| directive.span.end),
        };
        let at = behind.unwrap_or(body.span.start + 1);
        if behind.is_some() {
            self.insert(at, ";");
        }
        for (name, parameter) in properties {
            self.insert_for(at, format!("this.{name}={name};"), parameter);
        }
        for field in fields {
            self.insert_for(at, field.text, field.span);
        }
    }
}

/// Parameters that are properties too: their names, and where they are declared.
fn declared_by_parameters<'f>(constructor: &'f Function) -> impl Iterator<Item = (&'f str, Span)> {
    let is_property =
        |parameter: &&FormalParameter| parameter.accessibility.is_some() || parameter.readonly || parameter.r#override;
    constructor.params.items.iter().filter(is_property).flat_map(|parameter| {
        let names = parameter.pattern.get_binding_identifiers().into_iter();
        names.map(|identifier| (identifier.name.as_str(), parameter.span))
    })
}

fn constructor_of<'c, 'a>(class: &'c Class<'a>) -> Option<&'c MethodDefinition<'a>> {
    class.body.body.iter().find_map(|element| match element {
        ClassElement::MethodDefinition(method) if method.kind.is_constructor() && method.value.body.is_some() => {
            Some(&**method)
        }
        _ => None,
    })
}
