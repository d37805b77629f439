//! Births of objects, arrays and classes.

use helper_names::{ARRAY_LITERAL, CLASS, LOOK_AGAIN, OBJECT_LITERAL, OTHER_LITERAL, PUT};
use std::collections::HashSet;

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use trace_model::{FunctionKind, SiteKind};

use crate::anchors::{Anchors, Construct, Role};
use crate::control::keep_name;
use crate::edits::utf16_len;
use crate::inference::object_infers;
use crate::values::ValueClass;
use crate::walker::{Context, FunctionLiteral, MethodText, Walker};
use crate::writes::{is_function_literal, is_index};

/// Literals with more than this many keys or elements are read with a look instead, which has no such bound.
const MOST_INLINE: usize = 64;

impl<'a, N: Anchors> Walker<'a, '_, N> {
    pub fn object_literal(&mut self, object: &ObjectExpression<'a>, context: Context) {
        self.quietly_if(|| object_infers(object), |walker| walker.object_literal_here(object, context));
    }

    fn object_literal_here(&mut self, object: &ObjectExpression<'a>, context: Context) {
        let inside = |walker: &mut Self| {
            for property in &object.properties {
                match property {
                    ObjectPropertyKind::ObjectProperty(property) => walker.object_property(property),
                    ObjectPropertyKind::SpreadProperty(spread) => walker.visit_expression(&spread.argument),
                }
            }
        };
        let Some((open, close)) = self.parentheses(context, object.span).filter(|_| !self.printed) else {
            return inside(self);
        };
        let (helper, site) = match plain_keys(object) {
            Some(keys) => {
                let names = keys.iter().map(|key| self.name(key)).collect();
                (OBJECT_LITERAL, self.site_with(SiteKind::ObjectLiteral, Role::Birth, object.at(), names, 0))
            }
            None => (OTHER_LITERAL, self.site(SiteKind::Literal, Role::Birth, object.at(), None)),
        };
        let around = site.map(|site| (format!("{open}{helper}({site},"), format!("){close}")));
        let repeated = around.as_ref().and_then(|_| object.properties.iter().find_map(repeatable_key));
        self.wrap_around(object.span, around, |walker| {
            if let Some((at, name)) = repeated {
                walker.edits.insert(at, format!("{name}:0,"));
            }
            inside(walker);
        });
    }

    fn object_property(&mut self, property: &ObjectProperty<'a>) {
        let n_changes = self.edits.n_changes();
        if property.computed {
            self.key(&property.key);
        }
        if property.shorthand {
            return;
        }
        let hint = property.key.static_name().map(|name| name.to_string());
        match &property.value {
            Expression::FunctionExpression(function) if property.method || property.kind != PropertyKind::Init => {
                let kind = match property.kind {
                    PropertyKind::Init => FunctionKind::Method,
                    PropertyKind::Get => FunctionKind::Getter,
                    PropertyKind::Set => FunctionKind::Setter,
                };
                self.method(function, kind, hint, MethodText { span: property.span, n_changes });
            }
            value => {
                self.name_hint = hint;
                self.quietly(value, |walker| {
                    walker.context = Context { names: true, ..Context::default() };
                    walker.visit_expression(value);
                });
                self.name_hint = None;
            }
        }
    }

    pub fn array_literal(&mut self, array: &ArrayExpression<'a>, context: Context) {
        let plain = array.elements.len() <= MOST_INLINE && array.elements.iter().all(|element| element.is_expression());
        let inside = |walker: &mut Self| {
            for element in &array.elements {
                match element {
                    ArrayExpressionElement::SpreadElement(spread) => {
                        walker.with_printed(true, |walker| walker.visit_expression(&spread.argument));
                    }
                    element => {
                        if let Some(expression) = element.as_expression() {
                            walker.visit_expression(expression);
                        }
                    }
                }
            }
        };
        let Some((open, close)) = self.parentheses(context, array.span).filter(|_| !self.printed) else {
            return inside(self);
        };
        let (helper, site) = if plain {
            let arity = array.elements.len() as u32;
            (ARRAY_LITERAL, self.site_with(SiteKind::ArrayLiteral, Role::Birth, array.at(), Vec::new(), arity))
        } else {
            (OTHER_LITERAL, self.site(SiteKind::Literal, Role::Birth, array.at(), None))
        };
        let around = site.map(|site| (format!("{open}{helper}({site},"), format!("){close}")));
        self.wrap_around(array.span, around, inside);
    }

    pub fn class_expression(&mut self, class: &Class<'a>, context: Context, hint: Option<String>) {
        let wraps = !context.names && !self.printed;
        if !wraps || self.no_functions {
            return self.class(class, hint);
        }
        let site = self.value_site_as(SiteKind::ClassBirth, Role::Birth, class.at(), None, ValueClass::ClassLiteral);
        self.wrap_call(class.span, CLASS, site, |walker| walker.class(class, hint));
    }

    /// The site that records the class, if it was made before, gets its constructor.
    pub fn class(&mut self, class: &Class<'a>, hint: Option<String>) {
        let site = self.class_site.take();
        if self.no_functions {
            return;
        }
        let first_function = self.table.functions.len();
        let name = class.id.as_ref().map(|id| id.name.to_string()).or(hint).unwrap_or_default();
        let n_changes = self.edits.n_changes();
        if let Some(heritage) = &class.heritage {
            self.without_functions(|walker| walker.visit_expression(&heritage.expression));
        }
        let mark = self.edits.reserve(class.body.span.start + 1);
        let outside = (self.in_derived_class, self.in_class_with_fields, self.in_class_with_unseen_fields);
        self.in_derived_class = class.heritage.is_some();
        self.in_class_with_fields = class.body.body.iter().any(is_field);
        self.in_class_with_unseen_fields = class.body.body.iter().any(is_unseen_field);
        for element in &class.body.body {
            self.class_element(element, &name);
        }
        (self.in_derived_class, self.in_class_with_fields, self.in_class_with_unseen_fields) = outside;
        let text = self.mark_text(SiteKind::Class, class.span, None, n_changes);
        self.edits.fill(mark, text);
        if let Some(site) = site {
            self.table.sites[site as usize].extra = self.constructor_since(first_function).map_or(0, |index| index + 1);
        }
    }

    /// The constructor of a class that has just been walked, the functions of which begin there.
    pub fn constructor_since(&self, first_function: usize) -> Option<u32> {
        let around = Some(self.frame().index);
        let mut added = (0..).zip(&self.table.functions).skip(first_function);
        let constructor =
            added.find(|(_, function)| function.kind == FunctionKind::Constructor && function.parent == around);
        constructor.map(|(index, _)| index)
    }

    fn class_element(&mut self, element: &ClassElement<'a>, class_name: &str) {
        match element {
            ClassElement::MethodDefinition(method) => {
                let n_changes = self.edits.n_changes();
                if method.computed {
                    self.key(&method.key);
                }
                let kind = match method.kind {
                    MethodDefinitionKind::Constructor => FunctionKind::Constructor,
                    MethodDefinitionKind::Method => FunctionKind::Method,
                    MethodDefinitionKind::Get => FunctionKind::Getter,
                    MethodDefinitionKind::Set => FunctionKind::Setter,
                };
                let name = match kind {
                    FunctionKind::Constructor => Some(class_name.to_owned()),
                    _ => method.key.static_name().map(|name| name.to_string()),
                };
                // `static` does not belong to the text of the function.
                let start = if method.r#static { self.behind_static(method) } else { method.span.start };
                let text = MethodText { span: Span::new(start, method.span.end), n_changes };
                self.method(&method.value, kind, name, text);
            }
            ClassElement::PropertyDefinition(property) => {
                if property.computed {
                    self.key(&property.key);
                }
                let n_changes = self.edits.n_changes();
                self.field_initialiser(property);
                self.end_statement(property.span, n_changes);
            }
            ClassElement::StaticBlock(block) => self.static_block(block),
            ClassElement::AccessorProperty(_) | ClassElement::TSIndexSignature(_) => {}
        }
    }

    /// `y;` becomes `y=…;`. Where the object does not take the field, V8 reports the key.
    pub fn field_without_value(&mut self, property: &PropertyDefinition<'a>) {
        let Some(key) = field_name(property) else { return };
        let Some(site) = self.site(SiteKind::Field, Role::Write, property.at(), Some(&key)) else { return };
        let stamp = self.stamp_before_write(&site, "this");
        let Span { start, end, .. } = property.key.span();
        let end = if property.computed { self.behind_blanks(end) + 1 } else { end };
        let back = utf16_len(self.text(Span::new(start, end)));
        let (open, close) = self.look_again();
        self.edits.insert_shown(end, format!("={open}{PUT}({site},this,{stamp},void 0){close}"), back);
    }

    pub fn field(&mut self, property: &PropertyDefinition<'a>, value: &Expression<'a>) {
        let key = field_name(property);
        let is_function = is_function_literal(value);
        if key.is_none() && !is_function && self.selection.reaches_properties() {
            let around = Some((format!("{LOOK_AGAIN}(this,"), ")".to_owned()));
            return self.wrap_around(value.span(), around, |walker| walker.visit_consumed(value));
        }
        let Some(key) = key.filter(|key| !(is_function && key == "__proto__")) else {
            self.context = Context { consumed: !is_function, names: true, ..Context::default() };
            return self.visit_expression(value);
        };
        self.name_hint = Some(key.clone());
        let site = self.site(SiteKind::Field, Role::Write, property.at(), Some(&key));
        let (open, close) = if is_function { keep_name(&key) } else { (String::new(), String::new()) };
        let around = site.map(|site| {
            let stamp = self.stamp_before_write(&site, "this");
            let (look, looked) = self.look_again();
            (format!("{look}{PUT}({site},this,{stamp},{open}"), format!("{close}){looked}"))
        });
        let inside = |walker: &mut Self| {
            walker.wrap_around(value.span(), around, |walker| {
                walker.context = Context { consumed: true, names: is_function, ..Context::default() };
                walker.visit_expression(value);
            });
        };
        if is_function {
            inside(self)
        } else {
            self.quietly(value, inside)
        }
        self.name_hint = None;
    }

    /// Around what records a field, where others come in unseen: the object is looked at again when it is used next.
    fn look_again(&self) -> (String, &'static str) {
        if self.in_class_with_unseen_fields { (format!("{LOOK_AGAIN}(this,"), ")") } else { (String::new(), "") }
    }

    fn method(&mut self, function: &Function<'a>, kind: FunctionKind, name: Option<String>, text: MethodText) {
        self.method_text = Some(text);
        self.function(FunctionLiteral::Function(function), kind, name);
    }

    /// Where the text of a static method begins.
    fn behind_static(&self, method: &MethodDefinition<'a>) -> u32 {
        self.behind_blanks(method.span.start + "static".len() as u32)
    }

    /// Where blanks and comments end that begin here.
    pub fn behind_blanks(&self, start: u32) -> u32 {
        let mut at = start as usize;
        loop {
            let trimmed = self.source[at..].trim_start();
            at = self.source.len() - trimmed.len();
            let comment = if trimmed.starts_with("/*") {
                trimmed.find("*/").map(|end| end + 2)
            } else if trimmed.starts_with("//") {
                trimmed.find(['\n', '\r', '\u{2028}', '\u{2029}'])
            } else {
                None
            };
            match comment {
                Some(length) => at += length,
                None => return at as u32,
            }
        }
    }

    /// A computed key: part of the text of what it names.
    fn key(&mut self, key: &PropertyKey<'a>) {
        self.without_functions(|walker| walk::walk_property_key(walker, key));
    }

    fn without_functions(&mut self, inside: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.no_functions, true);
        self.with_printed(true, inside);
        self.no_functions = before;
    }
}

/// A function gets its name from the key, so it must stay right behind it.
fn is_unseen_field(element: &ClassElement<'_>) -> bool {
    let ClassElement::PropertyDefinition(property) = element else { return false };
    field_name(property).is_none() && property.value.as_ref().is_none_or(is_function_literal)
}

/// The name of a field, where the source tells it.
fn field_name(property: &PropertyDefinition<'_>) -> Option<String> {
    match &property.key {
        PropertyKey::PrivateIdentifier(private) => Some(format!("#{}", private.name)),
        PropertyKey::StringLiteral(key) if property.computed => Some(key.value.to_string()),
        _ if property.computed => None,
        key => key.static_name().map(|name| name.to_string()),
    }
}

/// The keys of a literal that holds nothing but plain values under names that the source tells.
fn plain_keys(object: &ObjectExpression) -> Option<Vec<String>> {
    if object.properties.len() > MOST_INLINE {
        return None;
    }
    let mut keys = Vec::with_capacity(object.properties.len());
    for property in &object.properties {
        let ObjectPropertyKind::ObjectProperty(property) = property else { return None };
        if property.kind != PropertyKind::Init || property.computed {
            return None;
        }
        let key = match &property.key {
            PropertyKey::StaticIdentifier(key) => key.name.to_string(),
            PropertyKey::StringLiteral(key) if !key.lone_surrogates => key.value.to_string(),
            PropertyKey::NumericLiteral(key) if is_index(key.value) => key.value.to_string(),
            _ => return None,
        };
        // `__proto__: p` is no property at all.
        if key == "__proto__" {
            return None;
        }
        keys.push(key);
    }
    let distinct: HashSet<&String> = keys.iter().collect();
    (distinct.len() == keys.len()).then_some(keys)
}

/// The name of a property, and where it stands, if nothing changes where the name stands twice. For V8 these are two places in the
/// object, of which it uses one: the other is there for the stamp.
fn repeatable_key<'p>(property: &'p ObjectPropertyKind) -> Option<(u32, &'p str)> {
    let ObjectPropertyKind::ObjectProperty(property) = property else { return None };
    let PropertyKey::StaticIdentifier(key) = &property.key else { return None };
    let is_plain = property.kind == PropertyKind::Init && !property.computed && !property.method;
    (is_plain && key.name != "__proto__").then_some((property.span.start, key.name.as_str()))
}

fn is_field(element: &ClassElement) -> bool {
    matches!(element, ClassElement::PropertyDefinition(_) | ClassElement::AccessorProperty(_))
}
