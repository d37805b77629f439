use oxc_ast::ast::*;
use oxc_span::GetSpan;

use super::Lowerer;
use super::accesses::Property;
use crate::model::{Key, TokenKind};
use crate::rules::Listener;
use crate::solver::Node;

impl<'a> Lowerer<'_> {
    /// A declaration takes a value apart.
    pub fn bind(&mut self, pattern: &BindingPattern<'a>, value: Option<Node>) {
        match pattern {
            BindingPattern::BindingIdentifier(id) => {
                if let Some(symbol) = id.symbol_id.get() {
                    let node = self.symbol(symbol);
                    self.copy(value, node);
                }
            }
            BindingPattern::AssignmentPattern(assignment) => {
                let default = self.default_value(&assignment.right);
                let value = self.either(value, default);
                self.bind(&assignment.left, value);
            }
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    let key = self.property_key(&property.key, property.computed);
                    let part = value.map(|value| self.read_property(value, key, property.span, property.key.span()));
                    self.bind(&property.value, part);
                }
                if let Some(rest) = &object.rest {
                    let part = value.map(|value| self.rest_of_object(value, rest.span));
                    self.bind(&rest.argument, part);
                }
            }
            BindingPattern::ArrayPattern(array) => {
                for (i, element) in array.elements.iter().enumerate() {
                    let Some(element) = element else { continue };
                    let part = value.map(|value| self.element_at(value, i, element.span()));
                    self.bind(element, part);
                }
                if let Some(rest) = &array.rest {
                    let part = value.map(|value| self.rest_of_array(value, rest.span));
                    self.bind(&rest.argument, part);
                }
            }
        }
    }

    /// An assignment takes a value apart.
    pub fn assign_target(&mut self, target: &AssignmentTarget<'a>, value: Option<Node>, span: oxc_span::Span) {
        match target {
            AssignmentTarget::ArrayAssignmentTarget(array) => {
                for (i, element) in array.elements.iter().enumerate() {
                    let Some(element) = element else { continue };
                    let part = value.map(|value| self.element_at(value, i, element.span()));
                    self.assign_maybe_default(element, part);
                }
                if let Some(rest) = &array.rest {
                    let part = value.map(|value| self.rest_of_array(value, rest.span));
                    self.assign_target(&rest.target, part, rest.span);
                }
            }
            AssignmentTarget::ObjectAssignmentTarget(object) => {
                for property in &object.properties {
                    match property {
                        AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(property) => {
                            let key = Property::Named(self.key(&property.binding.name));
                            let span = property.span;
                            let part = value.map(|value| self.read_property(value, key, span, span));
                            let default = property.init.as_ref().and_then(|init| self.expression(init));
                            let part = self.either(part, default);
                            let node = self.variable(&property.binding);
                            self.copy(part, node);
                        }
                        AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                            let key = self.property_key(&property.name, property.computed);
                            let span = property.span;
                            let part = value.map(|value| self.read_property(value, key, span, span));
                            self.assign_maybe_default(&property.binding, part);
                        }
                    }
                }
                if let Some(rest) = &object.rest {
                    let part = value.map(|value| self.rest_of_object(value, rest.span));
                    self.assign_target(&rest.target, part, rest.span);
                }
            }
            target => {
                if let Some(target) = target.as_simple_assignment_target() {
                    self.assign_simple(target, value, span);
                }
            }
        }
    }

    fn assign_maybe_default(&mut self, target: &AssignmentTargetMaybeDefault<'a>, value: Option<Node>) {
        match target {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(with) => {
                let default = self.expression(&with.init);
                let value = self.either(value, default);
                self.assign_target(&with.binding, value, with.span);
            }
            target => self.assign_target(target.to_assignment_target(), value, target.span()),
        }
    }

    pub fn either(&mut self, a: Option<Node>, b: Option<Node>) -> Option<Node> {
        match (a, b) {
            (Some(a), Some(b)) => {
                let node = self.an.node();
                self.an.graph.add_edge(a, node);
                self.an.graph.add_edge(b, node);
                Some(node)
            }
            (a, b) => a.or(b),
        }
    }

    fn element_at(&mut self, of: Node, index: usize, span: oxc_span::Span) -> Node {
        let key = self.key(&index.to_string());
        let to = self.an.node();
        let site = self.site(span);
        self.an.load(of, key, to, site);
        // Whatever is no array gives what iterating it gives.
        self.an.graph.listen(of, Listener::IterateOthers { to });
        if self.has_iterators {
            let iterated = self.iterate_by_protocol(of, span, false);
            self.an.graph.add_edge(iterated, to);
        }
        to
    }

    fn rest_of_array(&mut self, of: Node, span: oxc_span::Span) -> Node {
        let array = self.made(TokenKind::Array, span);
        let element = self.an.elements(of);
        let slot = self.an.slot(array, Key::UNKNOWN);
        self.an.graph.add_edge(element, slot);
        self.an.node_of(array)
    }

    fn rest_of_object(&mut self, of: Node, span: oxc_span::Span) -> Node {
        let object = self.made(TokenKind::Object, span);
        let node = self.an.node_of(object);
        self.an.copy_all(of, node);
        let site = self.site(span);
        self.an.graph.listen(of, Listener::ReadAll { site });
        node
    }
}
