//! Writes of variables and properties, one by one and by patterns.

use instrument::Role;
use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};
use oxc_syntax::node::NodeId;
use trace_model::{ExprId, Key, Literal, LocalSite, Node, VariableRef};

use super::builder::Builder;
use super::expressions::{is_index, way_to_right};

/// A write that a pattern makes: recorded when the whole pattern has been bound.
pub(crate) struct PatternWrite {
    node: NodeId,
    target: ExprId,
    value: ExprId,
}

impl<'a> Builder<'_> {
    pub fn assignment(&mut self, assignment: &AssignmentExpression<'a>) -> ExprId {
        let Some(simple) = assignment.left.as_simple_assignment_target() else {
            return self.destructuring_assignment(assignment);
        };
        let target = self.write_target(simple);
        let operator = assignment.operator;
        if let Some(logical) = operator.to_logical_operator() {
            let (_, way) = way_to_right(logical);
            let branch = self.emit(assignment.left.node_id(), Role::Decision, Some(target), None);
            let right = self.only_if(branch, way, |builder| {
                let right = builder.expression(&assignment.right);
                let site = builder.emit(assignment.node_id(), Role::Write, Some(right), Some(target));
                builder.carries(right, site);
                (right, site)
            });
            let (right, site) = right;
            let node = Node::Logical { operator: logical.as_str(), left: target, right, branch };
            let value = self.add(node, assignment.span);
            return self.add(Node::Assign { target, value, site, is_old_value: false }, assignment.span);
        }
        let right = self.expression(&assignment.right);
        let value = match operator.to_binary_operator() {
            Some(binary) => {
                let node = Node::Binary { operator: binary.as_str(), left: target, right };
                self.add(node, assignment.span)
            }
            None => right,
        };
        self.written(assignment.node_id(), assignment.span, target, value, false)
    }

    pub fn update(&mut self, update: &UpdateExpression<'a>) -> ExprId {
        let is_increment = update.operator == UpdateOperator::Increment;
        let target = self.write_target(&update.argument);
        let one = self.add(Node::Literal(Literal::Number(1.0)), update.span);
        let operator = if is_increment { "+" } else { "-" };
        let value = self.add(Node::Binary { operator, left: target, right: one }, update.span);
        self.written(update.node_id(), update.span, target, value, !update.prefix)
    }

    fn written(&mut self, node: NodeId, span: Span, target: ExprId, value: ExprId, is_old_value: bool) -> ExprId {
        let site = self.emit(node, Role::Write, Some(value), Some(target));
        if !is_old_value {
            self.carries(value, site);
        }
        let id = self.add(Node::Assign { target, value, site, is_old_value }, span);
        self.carries(id, site);
        self.mapped_parameters(node, span, id);
        id
    }

    /// An element of `arguments` can be a parameter as well.
    fn mapped_parameters(&mut self, node: NodeId, span: Span, written: ExprId) {
        for site in self.anchored.sites(node, Role::MappedParameter) {
            let block = self.frame().current;
            self.emit_in(site, block, Some(written), None);
            let Some(variable) = self.table.site(site).variable else { continue };
            let target = self.add(Node::Variable(VariableRef::Known(variable)), span);
            self.facts.sites[site.0 as usize].target = Some(target);
        }
    }

    pub fn delete(&mut self, delete: &UnaryExpression<'a>) -> ExprId {
        let operand = self.expression(&delete.argument);
        let id = self.add(Node::Unary { operator: "delete", operand }, delete.span);
        let site = self.emit(delete.node_id(), Role::Write, Some(id), Some(operand));
        self.carries(id, site);
        id
    }

    fn write_target(&mut self, target: &SimpleAssignmentTarget<'a>) -> ExprId {
        match target {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(identifier) => self.identifier(identifier),
            target => match target.as_member_expression() {
                Some(member) => self.member(member),
                None => self.add(Node::Other(Vec::new()), target.span()),
            },
        }
    }

    fn destructuring_assignment(&mut self, assignment: &AssignmentExpression<'a>) -> ExprId {
        let value = self.expression(&assignment.right);
        let mut writes = Vec::new();
        self.target_pattern(&assignment.left, value, &mut writes);
        self.pattern_written(writes);
        // The value of such an assignment is its right side.
        value
    }

    /// Gives the first site.
    pub fn pattern_written(&mut self, writes: Vec<PatternWrite>) -> Option<LocalSite> {
        let mut first = None;
        for PatternWrite { node, target, value } in writes {
            let site = self.emit(node, Role::Write, Some(value), Some(target));
            self.carries(value, site);
            first = first.or(site);
        }
        first
    }

    /// Walks a pattern that `value` is bound to.
    pub fn target_pattern(&mut self, pattern: &AssignmentTarget<'a>, value: ExprId, writes: &mut Vec<PatternWrite>) {
        match pattern {
            AssignmentTarget::AssignmentTargetIdentifier(identifier) => {
                self.reference_write(identifier, value, writes);
            }
            AssignmentTarget::ArrayAssignmentTarget(array) => {
                for (i, element) in array.elements.iter().enumerate() {
                    let Some(element) = element else { continue };
                    let part = self.element(value, Some(i), false, element.span());
                    self.target_or_default(element, part, writes);
                }
                if let Some(rest) = &array.rest {
                    let part = self.element(value, Some(array.elements.len()), true, rest.span);
                    self.target_pattern(&rest.target, part, writes);
                }
            }
            AssignmentTarget::ObjectAssignmentTarget(object) => {
                for property in &object.properties {
                    self.target_property(property, value, writes);
                }
                if let Some(rest) = &object.rest {
                    let part = self.add(Node::Remainder { of: value }, rest.span);
                    self.target_pattern(&rest.target, part, writes);
                }
            }
            target => {
                if let Some(member) = target.as_member_expression() {
                    let target = self.member(member);
                    writes.push(PatternWrite { node: member.node_id(), target, value });
                }
            }
        }
    }

    fn target_property(
        &mut self,
        property: &AssignmentTargetProperty<'a>,
        object: ExprId,
        writes: &mut Vec<PatternWrite>,
    ) {
        match property {
            AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(property) => {
                let key = Key::Name(property.binding.name.to_string());
                let mut part = self.add(Node::Member { object, key, is_optional: false }, property.binding.span);
                if let Some(init) = &property.init {
                    part = self.with_default(part, init);
                }
                self.reference_write(&property.binding, part, writes);
            }
            AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                let key = self.pattern_key(&property.name, property.computed);
                let part = self.add(Node::Member { object, key, is_optional: false }, property.name.span());
                self.target_or_default(&property.binding, part, writes);
            }
        }
    }

    fn target_or_default(
        &mut self,
        target: &AssignmentTargetMaybeDefault<'a>,
        value: ExprId,
        writes: &mut Vec<PatternWrite>,
    ) {
        match target {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(with_default) => {
                let value = self.with_default(value, &with_default.init);
                self.target_pattern(&with_default.binding, value, writes);
            }
            target => {
                if let Some(target) = target.as_assignment_target() {
                    self.target_pattern(target, value, writes);
                }
            }
        }
    }

    fn reference_write(&mut self, identifier: &IdentifierReference<'a>, value: ExprId, writes: &mut Vec<PatternWrite>) {
        let target = self.identifier(identifier);
        writes.push(PatternWrite { node: identifier.node_id(), target, value });
    }

    /// Walks a pattern of a declaration or parameter that `value` is bound to.
    pub fn binding_pattern(&mut self, pattern: &BindingPattern<'a>, value: ExprId, writes: &mut Vec<PatternWrite>) {
        match pattern {
            BindingPattern::BindingIdentifier(identifier) => {
                let target = self.declared(identifier);
                writes.push(PatternWrite { node: identifier.node_id(), target, value });
            }
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    let key = self.pattern_key(&property.key, property.computed);
                    let node = Node::Member { object: value, key, is_optional: false };
                    let part = self.add(node, property.key.span());
                    self.binding_pattern(&property.value, part, writes);
                }
                if let Some(rest) = &object.rest {
                    let part = self.add(Node::Remainder { of: value }, rest.span);
                    self.binding_pattern(&rest.argument, part, writes);
                }
            }
            BindingPattern::ArrayPattern(array) => {
                for (i, element) in array.elements.iter().enumerate() {
                    let Some(element) = element else { continue };
                    let part = self.element(value, Some(i), false, element.span());
                    self.binding_pattern(element, part, writes);
                }
                if let Some(rest) = &array.rest {
                    let part = self.element(value, Some(array.elements.len()), true, rest.span);
                    self.binding_pattern(&rest.argument, part, writes);
                }
            }
            BindingPattern::AssignmentPattern(assignment) => {
                let value = self.with_default(value, &assignment.right);
                self.binding_pattern(&assignment.left, value, writes);
            }
        }
    }

    /// A value, or a default where it is undefined. That the default was used is told behind its evaluation.
    pub fn with_default(&mut self, value: ExprId, default: &Expression<'a>) -> ExprId {
        let (expression, used) = self.only_if(None, trace_model::Way::Any, |builder| {
            let expression = builder.parameter_default(default);
            let used = builder.emit(default.node_id(), Role::Default, Some(expression), None);
            builder.carries(expression, used);
            (expression, used)
        });
        self.add(Node::Default { value, default: expression, used }, default.span())
    }

    fn element(&mut self, of: ExprId, index: Option<usize>, is_rest: bool, span: Span) -> ExprId {
        let index = index.map(|index| index as u32);
        self.add(Node::Element { of, index, is_rest, keys: false }, span)
    }

    /// Keys in patterns are not walked by the instrumenter.
    fn pattern_key(&mut self, key: &PropertyKey<'a>, is_computed: bool) -> Key {
        match key {
            PropertyKey::NumericLiteral(number) if is_index(number.value) => Key::Name(number.value.to_string()),
            key => self.property_key(key, is_computed),
        }
    }
}
