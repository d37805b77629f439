//! Enums: `var E;(function(E){E[E["A"]=0]="A"; …})(E||(E={}));`, member by member in its place.

use std::collections::HashSet;

use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use super::Stripper;
use super::namespaces::Container;

impl<'a> Stripper<'a, '_> {
    pub(super) fn enumeration(&mut self, declaration: &TSEnumDeclaration<'a>, export: Option<Span>) {
        let name = declaration.id.name.as_str();
        let opening = self.container_opening(&declaration.id, export);
        let start = export.map_or(declaration.span.start, |export| export.start);
        self.blank(Span::new(start, declaration.body.span.start));
        self.insert(declaration.body.span.start, format!("{opening}(function({name})"));
        self.enum_body(declaration, name);
        self.insert(declaration.body.span.end, format!(")({name}||({name}={{}}));"));
    }

    /// The members, as statements between the braces.
    pub(super) fn enum_body(&mut self, declaration: &TSEnumDeclaration<'a>, name: &str) {
        let path = self.container_path(&declaration.id);
        let names = declaration.body.members.iter().map(|member| member.id.static_name().to_string());
        self.container_names.entry(path.clone()).or_default().extend(names);
        self.containers.push(Container { path, scope: None, variable: name.to_owned(), is_namespace: false });
        let mut strings: HashSet<&str> = HashSet::new();
        let mut previous: Option<String> = None;
        for member in &declaration.body.members {
            let member_name = member.id.static_name();
            let key = format!("{:?}", member_name.as_str());
            match &member.initializer {
                Some(init) => {
                    self.blank(Span::new(member.span.start, init.span().start));
                    let is_string = is_string(init, name, &strings);
                    if is_string {
                        strings.insert(declared_name(&member.id));
                    }
                    let (open, close) = match is_string {
                        true => (format!("{name}[{key}]="), ";".to_owned()),
                        false => (format!("{name}[{name}[{key}]="), format!("]={key};")),
                    };
                    self.insert_for(init.span().start, open, member.span);
                    self.visit_expression(init);
                    self.insert(init.span().end, close);
                }
                None => {
                    self.blank(member.span);
                    let value = match &previous {
                        Some(previous) => format!("{name}[{previous}]+1"),
                        None => "0".into(),
                    };
                    self.insert_for(member.span.end, format!("{name}[{name}[{key}]={value}]={key};"), member.span);
                }
            }
            self.blank_mark(member.span.end, b',');
            previous = Some(key);
        }
        self.containers.pop();
    }
}

fn declared_name<'m>(name: &'m TSEnumMemberName) -> &'m str {
    match name {
        TSEnumMemberName::Identifier(name) => name.name.as_str(),
        TSEnumMemberName::String(name) | TSEnumMemberName::ComputedString(name) => name.value.as_str(),
        TSEnumMemberName::ComputedTemplateString(_) => "",
    }
}

/// Members that are strings have no way back from value to name.
fn is_string(init: &Expression, name: &str, strings: &HashSet<&str>) -> bool {
    match init {
        Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => true,
        Expression::Identifier(identifier) => strings.contains(identifier.name.as_str()),
        Expression::StaticMemberExpression(member) => {
            let of_this = matches!(&member.object, Expression::Identifier(object) if object.name == name);
            of_this && strings.contains(member.property.name.as_str())
        }
        Expression::BinaryExpression(sum) if sum.operator == BinaryOperator::Addition => {
            is_string(&sum.left, name, strings) || is_string(&sum.right, name, strings)
        }
        Expression::ParenthesizedExpression(inner) => is_string(&inner.expression, name, strings),
        Expression::TSAsExpression(inner) => is_string(&inner.expression, name, strings),
        _ => false,
    }
}
