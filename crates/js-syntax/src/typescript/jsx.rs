//! Elements: `<a b={c}>d</a>` → `React.createElement("a",{b:c},"d")` or `_jsx("a",{b:c,children:"d"})`, piece by piece in place.

use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};
use oxc_syntax::identifier::is_identifier_name;

use super::jsx_text::{child_text, decoded, literal};
use super::{Jsx, Stripper};

/// How elements are lowered, and what of the runtime they turned out to need.
pub struct Elements {
    settings: Jsx,
    needs: Vec<(&'static str, String)>,
}

impl Elements {
    pub fn new(settings: Jsx) -> Elements {
        Elements { settings, needs: Vec::new() }
    }

    pub fn settings(&self) -> &Jsx {
        &self.settings
    }

    /// The words that make the names of the automatic runtime known.
    pub fn runtime_import(&self, is_module: bool) -> String {
        let Jsx::Automatic { source } = &self.settings else { return String::new() };
        let import = |names: Vec<&(&'static str, String)>, from: String| {
            let between = if is_module { " as " } else { ":" };
            let names: Vec<String> = names.iter().map(|(name, local)| format!("{name}{between}{local}")).collect();
            match names.join(",") {
                names if names.is_empty() => String::new(),
                names if is_module => format!("import{{{names}}}from{};", literal(&from)),
                names => format!("const{{{names}}}=require({});", literal(&from)),
            }
        };
        let (outer, inner): (Vec<_>, Vec<_>) = self.needs.iter().partition(|(name, _)| *name == CREATE_ELEMENT);
        import(inner, format!("{source}/jsx-runtime")) + &import(outer, source.clone())
    }
}

const CREATE_ELEMENT: &str = "createElement";

/// What a call of one element looks like.
struct Call {
    function: String,
    /// The children are a property, not arguments.
    is_automatic: bool,
    key: Option<String>,
}

impl<'a> Stripper<'a, '_> {
    pub(super) fn element(&mut self, element: &JSXElement<'a>) {
        let opening = &element.opening_element;
        let name_span = opening.name.span();
        let children = self.children(&element.children);
        let call = self.call(opening, children.len());
        self.blank(Span::new(opening.span.start, name_span.start));
        self.insert(opening.span.start, format!("{}(", call.function));
        self.element_name(&opening.name);
        if let Some(arguments) = &opening.type_arguments {
            self.blank(arguments.span);
        }
        let head = opening.type_arguments.as_ref().map_or(name_span.end, |arguments| arguments.span.end);
        self.insert(head, ",");
        let has_children_property = call.is_automatic && !children.is_empty();
        let is_kept = |item: &&JSXAttributeItem<'a>| call.key.is_none() || !is_key(item);
        let attributes: Vec<_> = opening.attributes.iter().filter(is_kept).collect();
        let has_props = !attributes.is_empty() || call.is_automatic;
        self.insert(head, if has_props { "{" } else { "null" });
        for (i, item) in attributes.iter().enumerate() {
            self.attribute(item);
            if i + 1 < attributes.len() || has_children_property {
                self.insert(item.span().end, ",");
            }
        }
        let end = opening.attributes.last().map_or(head, |item| item.span().end);
        self.blank(Span::new(opening.span.end - 1, opening.span.end));
        if element.closing_element.is_none() {
            let slash = self.source[..opening.span.end as usize - 1].trim_end().len() as u32;
            self.blank(Span::new(slash - 1, slash));
        }
        let close = element.closing_element.as_ref().map_or(opening.span.end, |closing| closing.span.start);
        self.children_and_end(end.max(head), close, has_props, &call, children);
        if let Some(closing) = &element.closing_element {
            self.blank(closing.span);
        }
    }

    pub(super) fn fragment(&mut self, fragment: &JSXFragment<'a>) {
        let children = self.children(&fragment.children);
        let settings = self.elements().settings.clone();
        let (name, call) = match settings {
            Jsx::Classic { factory, fragment } => {
                (fragment, Call { function: factory, is_automatic: false, key: None })
            }
            Jsx::Automatic { .. } => {
                let function = self.runtime(if children.len() > 1 { "jsxs" } else { "jsx" });
                (self.runtime("Fragment"), Call { function, is_automatic: true, key: None })
            }
        };
        let opening = fragment.opening_fragment.span;
        self.blank(opening);
        let props = if call.is_automatic { "{" } else { "null" };
        self.insert(opening.start, format!("{}({name},{props}", call.function));
        let has_props = call.is_automatic;
        self.children_and_end(opening.end, fragment.closing_fragment.span.start, has_props, &call, children);
        self.blank(fragment.closing_fragment.span);
    }

    /// From behind the attributes to the end of the call.
    fn children_and_end(
        &mut self,
        props_end: u32,
        close: u32,
        has_props: bool,
        call: &Call,
        children: Vec<&JSXChild<'a>>,
    ) {
        let n_children = children.len();
        let is_list = n_children > 1 || matches!(children.first(), Some(JSXChild::Spread(_)));
        let as_property = call.is_automatic && n_children > 0;
        if as_property {
            self.insert(props_end, if is_list { "children:[" } else { "children:" });
        } else if has_props {
            self.insert(props_end, "}");
        }
        for (i, child) in children.into_iter().enumerate() {
            if i > 0 || !call.is_automatic {
                self.insert(child.span().start, ",");
            }
            self.child(child);
        }
        if as_property {
            self.insert(close, if is_list { "]}" } else { "}" });
        }
        let key = call.key.as_ref().map(|key| format!(",{key}")).unwrap_or_default();
        self.insert(close, format!("{key})"));
    }

    fn call(&mut self, opening: &JSXOpeningElement<'a>, n_children: usize) -> Call {
        if let Jsx::Classic { factory, .. } = &self.elements().settings {
            return Call { function: factory.clone(), is_automatic: false, key: None };
        }
        let key = opening.attributes.iter().position(is_key);
        let spread = opening.attributes.iter().position(|item| matches!(item, JSXAttributeItem::SpreadAttribute(_)));
        let Some(at) = key else {
            let function = self.runtime(if n_children > 1 { "jsxs" } else { "jsx" });
            return Call { function, is_automatic: true, key: None };
        };
        let item = &opening.attributes[at];
        // A key behind a spread may come from either; and text over several lines cannot be moved.
        if spread.is_some_and(|spread| spread < at) || !self.is_key_liftable(item) {
            return Call { function: self.runtime(CREATE_ELEMENT), is_automatic: false, key: None };
        }
        let key = self.key(item);
        Call { function: self.runtime(if n_children > 1 { "jsxs" } else { "jsx" }), is_automatic: true, key }
    }

    fn is_key_liftable(&self, item: &JSXAttributeItem<'a>) -> bool {
        let JSXAttributeItem::Attribute(attribute) = item else { return false };
        match &attribute.value {
            Some(JSXAttributeValue::ExpressionContainer(container)) => self.is_liftable(container.expression.span()),
            _ => true,
        }
    }

    fn key(&mut self, item: &JSXAttributeItem<'a>) -> Option<String> {
        let JSXAttributeItem::Attribute(attribute) = item else { return None };
        let key = match &attribute.value {
            Some(JSXAttributeValue::StringLiteral(text)) => literal(&decoded(inside(self.text(text.span)))),
            Some(JSXAttributeValue::ExpressionContainer(container)) => {
                container.expression.as_expression().map(|key| self.lifted(key)).unwrap_or_default()
            }
            _ => "true".into(),
        };
        self.blank(attribute.span);
        Some(key)
    }

    fn element_name(&mut self, name: &JSXElementName<'a>) {
        match name {
            JSXElementName::Identifier(identifier) => self.quoted(identifier.span),
            JSXElementName::NamespacedName(name) => self.quoted(name.span),
            JSXElementName::IdentifierReference(identifier) => self.visit_identifier_reference(identifier),
            JSXElementName::MemberExpression(member) => self.visit_jsx_member_expression(member),
            JSXElementName::ThisExpression(_) => {}
        }
    }

    fn attribute(&mut self, item: &JSXAttributeItem<'a>) {
        match item {
            JSXAttributeItem::SpreadAttribute(spread) => {
                self.blank_braces(spread.span);
                self.visit_expression(&spread.argument);
            }
            JSXAttributeItem::Attribute(attribute) => {
                let name = attribute.name.span();
                if !is_identifier_name(self.text(name)) {
                    self.quoted(name);
                }
                let Some(value) = &attribute.value else { return self.insert(name.end, ":true") };
                self.blank(Span::new(name.end, value.span().start));
                self.insert(name.end, ":");
                match value {
                    JSXAttributeValue::StringLiteral(text) => self.attribute_text(text.span),
                    JSXAttributeValue::ExpressionContainer(container) => self.container(container),
                    JSXAttributeValue::Element(element) => self.element(element),
                    JSXAttributeValue::Fragment(fragment) => self.fragment(fragment),
                }
            }
        }
    }

    /// Nothing is escaped in it but by entities, and it may go over several lines.
    fn attribute_text(&mut self, span: Span) {
        let text = inside(self.text(span));
        if text.contains(['&', '\\', '\n', '\r', '\u{2028}', '\u{2029}']) {
            self.blank(span);
            self.insert(span.start, literal(&decoded(text)));
        }
    }

    /// Those that are something; the others, and all text, go.
    fn children<'c>(&mut self, children: &'c [JSXChild<'a>]) -> Vec<&'c JSXChild<'a>> {
        for child in children {
            match child {
                JSXChild::Text(text) => self.blank(text.span),
                JSXChild::ExpressionContainer(container) if container.expression.as_expression().is_none() => {
                    self.blank(container.span);
                }
                _ => {}
            }
        }
        let is_something = |child: &&JSXChild<'a>| match child {
            JSXChild::Text(text) => !child_text(self.text(text.span)).is_empty(),
            JSXChild::ExpressionContainer(container) => container.expression.as_expression().is_some(),
            _ => true,
        };
        children.iter().filter(is_something).collect()
    }

    fn child(&mut self, child: &JSXChild<'a>) {
        match child {
            JSXChild::Text(text) => self.insert(text.span.start, literal(&child_text(self.text(text.span)))),
            JSXChild::Element(element) => self.element(element),
            JSXChild::Fragment(fragment) => self.fragment(fragment),
            JSXChild::ExpressionContainer(container) => self.container(container),
            JSXChild::Spread(spread) => {
                self.blank_braces(spread.span);
                self.visit_expression(&spread.expression);
            }
        }
    }

    fn container(&mut self, container: &JSXExpressionContainer<'a>) {
        self.blank_braces(container.span);
        let Some(expression) = container.expression.as_expression() else { return };
        let is_sequence = matches!(expression, Expression::SequenceExpression(_));
        if is_sequence {
            self.insert(expression.span().start, "(");
        }
        self.visit_expression(expression);
        if is_sequence {
            self.insert(expression.span().end, ")");
        }
    }

    fn blank_braces(&mut self, span: Span) {
        self.blank(Span::new(span.start, span.start + 1));
        self.blank(Span::new(span.end - 1, span.end));
    }

    fn quoted(&mut self, span: Span) {
        self.blank(span);
        let name: String = self.text(span).split_whitespace().collect();
        self.insert(span.start, literal(&name));
    }

    fn runtime(&mut self, name: &'static str) -> String {
        if let Some((_, local)) = self.elements().needs.iter().find(|(known, _)| *known == name) {
            return local.clone();
        }
        let local = self.free_name(&format!("_{name}"));
        self.elements().needs.push((name, local.clone()));
        local
    }

    fn elements(&mut self) -> &mut Elements {
        self.jsx.get_or_insert_with(|| Elements::new(Jsx::classic()))
    }
}

fn is_key(item: &JSXAttributeItem) -> bool {
    let JSXAttributeItem::Attribute(attribute) = item else { return false };
    matches!(&attribute.name, JSXAttributeName::Identifier(identifier) if identifier.name == "key")
}

/// Without the quotes.
fn inside(text: &str) -> &str {
    &text[1..text.len() - 1]
}
