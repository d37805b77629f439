//! Properties: which one is meant, and reading and writing it.

use oxc_ast::ast::*;
use oxc_span::GetSpan;
use oxc_syntax::symbol::SymbolId;
use trace_model::OperationKind;

use super::Lowerer;
use crate::analysis::OperationSite;
use crate::model::{Key, Site};
use crate::rules::Listener;
use crate::solver::Node;

#[derive(Clone, Copy, Debug)]
pub enum Property {
    Named(Key),
    Computed { node: Option<Node>, variable: Option<SymbolId> },
}

/// A member expression: its object, the property, the text of the object.
pub struct Member {
    pub base: Option<Node>,
    pub property: Property,
    pub object: oxc_span::Span,
    pub span: oxc_span::Span,
    pub is_super: bool,
}

impl<'a> Lowerer<'_> {
    /// The text that an expression is, if the source tells.
    pub fn text(&mut self, expression: &Expression<'a>) -> Option<Key> {
        match expression.without_parentheses() {
            Expression::StringLiteral(literal) => Some(self.key(&literal.value)),
            Expression::NumericLiteral(literal) if literal.value >= 0.0 && literal.value.fract() == 0.0 => {
                Some(self.key(&format!("{}", literal.value)))
            }
            Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
                let text = template.quasis.first()?.value.cooked?;
                Some(self.key(&text))
            }
            Expression::Identifier(id) => {
                let symbol = self.scoping.get_reference(id.reference_id.get()?).symbol_id()?;
                self.texts.get(&symbol).copied()
            }
            Expression::StaticMemberExpression(member) => match &member.object {
                Expression::Identifier(id) if id.name == "Symbol" => {
                    Some(self.key(&format!("@@{}", member.property.name)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    pub fn property_key(&mut self, key: &PropertyKey<'a>, is_computed: bool) -> Property {
        match key {
            PropertyKey::StaticIdentifier(id) => Property::Named(self.key(&id.name)),
            PropertyKey::PrivateIdentifier(id) => Property::Named(self.key(&format!("#{}", id.name))),
            key => {
                let expression = key.to_expression();
                match is_computed {
                    false => {
                        self.text(expression).map_or(Property::Computed { node: None, variable: None }, Property::Named)
                    }
                    true => self.computed(expression),
                }
            }
        }
    }

    fn computed(&mut self, expression: &Expression<'a>) -> Property {
        if let Some(key) = self.text(expression) {
            return Property::Named(key);
        }
        let node = self.expression(expression);
        let variable = match expression.without_parentheses() {
            Expression::Identifier(id) => {
                id.reference_id.get().and_then(|reference| self.scoping.get_reference(reference).symbol_id())
            }
            _ => None,
        };
        Property::Computed { node, variable }
    }

    pub fn member(&mut self, member: &MemberExpression<'a>) -> Member {
        let object = member.object();
        let is_super = matches!(object, Expression::Super(_));
        let base = match is_super {
            true => self.frame().home.map(|home| self.an.slot(home, Key::PROTO)),
            false => self.expression(object),
        };
        let property = match member {
            MemberExpression::ComputedMemberExpression(member) => self.computed(&member.expression),
            MemberExpression::StaticMemberExpression(member) => Property::Named(self.key(&member.property.name)),
            MemberExpression::PrivateFieldExpression(member) => {
                Property::Named(self.key(&format!("#{}", member.field.name)))
            }
        };
        Member { base, property, object: object.span(), span: member.span(), is_super }
    }

    pub fn read_member(&mut self, member: &Member) -> Option<Node> {
        let base = member.base?;
        Some(self.read_property(base, member.property, member.span, member.object))
    }

    pub fn read_property(
        &mut self,
        base: Node,
        property: Property,
        span: oxc_span::Span,
        object: oxc_span::Span,
    ) -> Node {
        let site = self.site(span);
        let to = self.an.node();
        match property {
            Property::Named(key) => {
                self.an.load(base, key, to, site);
                self.operation(base, OperationKind::Read(Some(self.an.keys.name(key).to_owned())), span, object);
            }
            Property::Computed { node, .. } => {
                self.an.graph.listen(base, Listener::LoadUnknown { to, all: false });
                if let Some(node) = node {
                    self.an.graph.listen(node, Listener::LoadSymbol { base, to, site });
                }
                let place = self.an.place(site);
                if let Some(&observed) = self.an.observed_reads.get(&place) {
                    self.an.graph.add_edge(observed, to);
                }
                self.an.computed_reads.push((base, to));
                self.operation(base, OperationKind::Read(None), span, object);
            }
        }
        to
    }

    pub fn write_member(&mut self, member: &Member, value: Option<Node>, span: oxc_span::Span) {
        let Some(base) = member.base else { return };
        let base = if member.is_super { self.frame().this } else { base };
        let site = self.site(span);
        let name = match member.property {
            Property::Named(key) => Some(self.an.keys.name(key).to_owned()),
            Property::Computed { .. } => None,
        };
        self.operation(base, OperationKind::Write(name), span, member.object);
        let value = match (value, member.property) {
            (Some(value), _) => value,
            // A setter is called whatever is written.
            (None, Property::Named(_)) => self.an.node(),
            (None, Property::Computed { .. }) => return,
        };
        match member.property {
            Property::Named(key) => self.an.store(base, key, value, site),
            Property::Computed { node, .. } => self.store_computed(base, node, value, site),
        }
    }

    pub fn store_computed(&mut self, base: Node, key: Option<Node>, value: Node, site: Site) {
        self.an.graph.listen(base, Listener::StoreUnknown { from: value });
        if let Some(key) = key {
            self.an.graph.listen(key, Listener::StoreSymbol { base, from: value, site });
        }
    }

    /// `a[k] = b[k]`: all properties of the one may become properties of the other.
    pub fn copies_property(&mut self, member: &Member, right: &Expression<'a>, span: oxc_span::Span) {
        let Property::Computed { variable: Some(variable), .. } = member.property else { return };
        let Some(right) = right.without_parentheses().as_member_expression() else { return };
        let MemberExpression::ComputedMemberExpression(right) = right else { return };
        let Expression::Identifier(key) = right.expression.without_parentheses() else { return };
        let symbol = key.reference_id.get().and_then(|reference| self.scoping.get_reference(reference).symbol_id());
        let is_observed = self.an.observed_writes.contains(&self.place(span));
        if symbol != Some(variable) || is_observed || self.is_known_unused() {
            return;
        }
        let (Some(from), Some(to)) = (self.expression_again(&right.object), member.base) else { return };
        self.an.copy_all(from, to);
    }

    /// `Object.getOwnPropertyDescriptor(o, k)`: the object, and the variable of the key.
    pub fn described(&mut self, expression: &Expression<'a>) -> Option<(Node, SymbolId)> {
        let Expression::CallExpression(call) = expression.without_parentheses() else {
            let Expression::Identifier(id) = expression.without_parentheses() else { return None };
            let symbol = self.scoping.get_reference(id.reference_id.get()?).symbol_id()?;
            return self.descriptors.get(&symbol).copied();
        };
        let name = call.callee.as_member_expression()?.static_property_name()?;
        let [object, key] = &call.arguments[..] else { return None };
        let Some(Expression::Identifier(key)) = key.as_expression() else { return None };
        if name != "getOwnPropertyDescriptor" {
            return None;
        }
        let symbol = self.scoping.get_reference(key.reference_id.get()?).symbol_id()?;
        Some((self.expression_again(object.as_expression()?)?, symbol))
    }

    /// `Object.defineProperty(a, k, Object.getOwnPropertyDescriptor(b, k))`: as [`Lowerer::copies_property`].
    pub fn defines_copy(&mut self, call: &CallExpression<'a>) -> Option<()> {
        let [object, key, descriptor] = &call.arguments[..] else { return None };
        let Some(Expression::Identifier(key)) = key.as_expression() else { return None };
        let symbol = self.scoping.get_reference(key.reference_id.get()?).symbol_id()?;
        let (from, described) = self.described(descriptor.as_expression()?)?;
        if described == symbol && !self.is_known_unused() {
            let to = self.expression_again(object.as_expression()?)?;
            self.an.copy_all(from, to);
        }
        Some(())
    }

    /// Whether runs were seen, and this function in none of them.
    fn is_known_unused(&self) -> bool {
        let data = self.an.function(self.frame().function);
        let has_run = data.index.is_some_and(|index| self.an.entered.contains(&(data.code, index)));
        !self.an.entered.is_empty() && !has_run
    }

    /// The node of an expression that was read before, where it is simple enough to have but one.
    fn expression_again(&mut self, expression: &Expression<'a>) -> Option<Node> {
        match expression.without_parentheses() {
            Expression::Identifier(id) => Some(self.variable(id)),
            Expression::ThisExpression(_) => Some(self.frame().this),
            Expression::StaticMemberExpression(member) => {
                let base = self.expression_again(&member.object)?;
                let key = self.key(&member.property.name);
                let to = self.an.node();
                let site = self.site(member.span);
                self.an.load(base, key, to, site);
                Some(to)
            }
            Expression::ComputedMemberExpression(member) => {
                let base = self.expression_again(&member.object)?;
                let to = self.an.node();
                self.an.graph.listen(base, Listener::LoadUnknown { to, all: false });
                Some(to)
            }
            _ => None,
        }
    }

    pub fn operation(&mut self, node: Node, kind: OperationKind, span: oxc_span::Span, object: oxc_span::Span) {
        let operation = OperationSite {
            function: self.frame().function,
            span: self.span(span),
            object: self.span(object),
            node,
            kind,
            call: None,
            argument: 0,
        };
        self.an.operations.push(operation);
    }
}
