use oxc_ast::ast::*;
use oxc_span::GetSpan;
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator, LogicalOperator, UnaryOperator};
use trace_model::{CodeKind, OperationKind};

use super::Lowerer;
use super::accesses::Property;
use crate::model::{Key, TokenKind};
use crate::rules::Listener;
use crate::solver::{Node, Token};

impl<'a> Lowerer<'_> {
    /// The node of what an expression gives; `None` if that is no object.
    pub fn expression(&mut self, expression: &Expression<'a>) -> Option<Node> {
        if let Some(member) = expression.as_member_expression() {
            let member = self.member(member);
            return self.read_member(&member);
        }
        match expression {
            Expression::Identifier(id) => Some(self.variable(id)),
            Expression::ThisExpression(_) => Some(self.frame().this),
            Expression::ParenthesizedExpression(inner) => self.expression(&inner.expression),
            Expression::FunctionExpression(function) => Some(self.function_expression(function)),
            Expression::ArrowFunctionExpression(arrow) => Some(self.arrow(arrow)),
            Expression::ClassExpression(class) => Some(self.class(class)),
            Expression::ObjectExpression(object) => Some(self.object(object)),
            Expression::ArrayExpression(array) => Some(self.array(array)),
            Expression::RegExpLiteral(literal) => {
                let token = self.made(TokenKind::Object, literal.span);
                self.an.set_native_prototype(token, "RegExp.prototype");
                Some(self.an.node_of(token))
            }
            Expression::CallExpression(call) => Some(self.call(call)),
            Expression::NewExpression(new) => Some(self.new_expression(new)),
            Expression::TaggedTemplateExpression(tagged) => Some(self.tagged_template(tagged)),
            Expression::TemplateLiteral(template) => {
                for part in &template.expressions {
                    let value = self.expression(part);
                    self.converted(value, part.span());
                }
                None
            }
            Expression::AssignmentExpression(assignment) => self.assignment(assignment),
            Expression::LogicalExpression(logical) => {
                let left = self.expression(&logical.left);
                let mut right = None;
                self.deeper(|lowerer| right = lowerer.expression(&logical.right));
                match logical.operator {
                    LogicalOperator::And => right,
                    _ => self.either(left, right),
                }
            }
            Expression::ConditionalExpression(conditional) => {
                self.expression(&conditional.test);
                let (mut consequent, mut alternate) = (None, None);
                self.deeper(|lowerer| {
                    consequent = lowerer.expression(&conditional.consequent);
                    alternate = lowerer.expression(&conditional.alternate);
                });
                self.either(consequent, alternate)
            }
            Expression::SequenceExpression(sequence) => {
                let mut last = None;
                for expression in &sequence.expressions {
                    last = self.expression(expression);
                }
                last
            }
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::CallExpression(call) => Some(self.call(call)),
                element => {
                    let member = element.as_member_expression()?;
                    let member = self.member(member);
                    self.read_member(&member)
                }
            },
            Expression::AwaitExpression(expression) => {
                let value = self.expression(&expression.argument)?;
                Some(self.awaited(value))
            }
            Expression::YieldExpression(expression) => self.yielded(expression),
            Expression::UnaryExpression(unary) => self.unary(unary),
            Expression::BinaryExpression(binary) => self.binary(binary),
            Expression::UpdateExpression(update) => {
                self.updated(&update.argument, update.span);
                None
            }
            Expression::ImportExpression(import) => Some(self.import_expression(import)),
            Expression::NewTarget(_) => Some(self.an.function(self.frame().owner).new_target),
            Expression::PrivateInExpression(expression) => {
                self.expression(&expression.right);
                None
            }
            _ => None,
        }
    }

    /// The node of a variable, by its name.
    pub fn variable(&mut self, id: &IdentifierReference<'a>) -> Node {
        let symbol = id.reference_id.get().and_then(|reference| self.scoping.get_reference(reference).symbol_id());
        if let Some(symbol) = symbol {
            return self.symbol(symbol);
        }
        let name = id.name.as_str();
        let in_file = matches!(self.kind, CodeKind::CommonJs | CodeKind::FunctionBody);
        let unit = &self.an.units[self.unit as usize];
        match name {
            "arguments" if self.frame().owner != unit.top => self.arguments_object(),
            "module" if in_file => {
                let module = unit.module;
                self.an.node_of(module)
            }
            "exports" if in_file => {
                let exports = unit.exports;
                self.an.node_of(exports)
            }
            "require" if in_file => {
                let token = self.an.token(TokenKind::Require(self.unit), None);
                self.an.node_of(token)
            }
            "undefined" | "NaN" | "Infinity" | "__filename" | "__dirname" => self.an.node(),
            name => {
                let name = name.to_owned();
                let node = self.global(&name);
                self.an.free_names.insert(name);
                node
            }
        }
    }

    fn object(&mut self, object: &ObjectExpression<'a>) -> Node {
        let token = self.made(TokenKind::Object, object.span);
        let node = self.an.node_of(token);
        for property in &object.properties {
            match property {
                ObjectPropertyKind::SpreadProperty(spread) => {
                    if let Some(from) = self.expression(&spread.argument) {
                        self.an.copy_all(from, node);
                        let site = self.site(spread.span);
                        self.an.graph.listen(from, Listener::ReadAll { site });
                    }
                }
                ObjectPropertyKind::ObjectProperty(property) => self.object_property(property, token, node),
            }
        }
        node
    }

    fn object_property(&mut self, property: &ObjectProperty<'a>, token: Token, node: Node) {
        let key = self.property_key(&property.key, property.computed);
        let is_accessor = property.kind != PropertyKind::Init;
        if (property.method || is_accessor)
            && let Expression::FunctionExpression(function) = &property.value
        {
            let function = self.method(function, Some(token));
            let kind = match property.kind {
                PropertyKind::Init => MethodDefinitionKind::Method,
                PropertyKind::Get => MethodDefinitionKind::Get,
                PropertyKind::Set => MethodDefinitionKind::Set,
            };
            return self.define_member(token, key, function, kind);
        }
        let value = self.expression(&property.value);
        match key {
            Property::Named(Key::PROTO) => {
                if let Some(value) = value {
                    let slot = self.an.slot(token, Key::PROTO);
                    self.an.graph.add_edge(value, slot);
                }
            }
            Property::Named(key) => {
                let slot = self.an.slot(token, key);
                self.an.definite.insert((token, key));
                self.copy(value, slot);
            }
            Property::Computed { node: key, .. } => {
                let site = self.site(property.span);
                if let Some(value) = value {
                    self.store_computed(node, key, value, site);
                }
            }
        }
    }

    fn array(&mut self, array: &ArrayExpression<'a>) -> Node {
        let token = self.made(TokenKind::Array, array.span);
        let mut has_spread = false;
        for (i, element) in array.elements.iter().enumerate() {
            let (value, key) = match element {
                ArrayExpressionElement::SpreadElement(spread) => {
                    has_spread = true;
                    let of = self.expression(&spread.argument);
                    let value = of.map(|of| self.iterate(of, spread.span, false));
                    (value, Key::UNKNOWN)
                }
                ArrayExpressionElement::Elision(_) => continue,
                element => {
                    let value = self.expression(element.to_expression());
                    // Long lists are tables of one kind of thing.
                    let key = if has_spread || i > 40 { Key::UNKNOWN } else { self.key(&i.to_string()) };
                    (value, key)
                }
            };
            if let Some(value) = value {
                let slot = self.an.slot(token, key);
                self.an.graph.add_edge(value, slot);
            }
        }
        self.an.node_of(token)
    }

    fn assignment(&mut self, assignment: &AssignmentExpression<'a>) -> Option<Node> {
        let span = assignment.span;
        let Some(target) = assignment.left.as_simple_assignment_target() else {
            let value = self.expression(&assignment.right);
            self.assign_target(&assignment.left, value, span);
            return value;
        };
        match assignment.operator {
            AssignmentOperator::Assign => {
                let Some(member) = target.as_member_expression() else {
                    let value = self.expression(&assignment.right);
                    self.assign_simple(target, value, span);
                    return value;
                };
                self.note_prototype(member, &assignment.right);
                let member = self.member(member);
                let value = self.expression(&assignment.right);
                self.write_member(&member, value, span);
                self.copies_property(&member, &assignment.right, span);
                value
            }
            AssignmentOperator::LogicalAnd | AssignmentOperator::LogicalOr | AssignmentOperator::LogicalNullish => {
                let old = self.read_target(target);
                let value = self.expression(&assignment.right);
                self.assign_simple(target, value, span);
                self.either(old, value)
            }
            operator => {
                let old = self.read_target(target);
                let value = self.expression(&assignment.right);
                if operator == AssignmentOperator::Addition {
                    self.converted(old, target.span());
                    self.converted(value, assignment.right.span());
                }
                self.assign_simple(target, None, span);
                None
            }
        }
    }

    fn read_target(&mut self, target: &SimpleAssignmentTarget<'a>) -> Option<Node> {
        match target {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(id) => Some(self.variable(id)),
            target => {
                let member = self.member(target.as_member_expression()?);
                self.read_member(&member)
            }
        }
    }

    fn updated(&mut self, target: &SimpleAssignmentTarget<'a>, span: oxc_span::Span) {
        self.read_target(target);
        self.assign_simple(target, None, span);
    }

    pub fn assign_simple(&mut self, target: &SimpleAssignmentTarget<'a>, value: Option<Node>, span: oxc_span::Span) {
        match target {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(id) => {
                let node = self.variable(id);
                self.copy(value, node);
                if id.reference_id.get().is_some_and(|id| self.scoping.get_reference(id).symbol_id().is_none()) {
                    self.an.assigned_names.insert(id.name.to_string());
                }
            }
            target => {
                if let Some(member) = target.as_member_expression() {
                    let member = self.member(member);
                    self.write_member(&member, value, span);
                }
            }
        }
    }

    /// `F.prototype.m = …` and `F.prototype = …`: what instances of F have from the start.
    fn note_prototype(&mut self, member: &MemberExpression<'a>, right: &Expression<'a>) {
        if self.frame().depth > 0 {
            return;
        }
        let MemberExpression::StaticMemberExpression(member) = member else { return };
        if member.property.name == "prototype" {
            if let Some(function) = self.declared_function(&member.object) {
                let place = self.place(right.span());
                self.an.prototype_places.insert(place, function);
            }
            return;
        }
        let Expression::StaticMemberExpression(object) = &member.object else { return };
        if object.property.name == "prototype"
            && let Some(function) = self.declared_function(&object.object)
        {
            let key = self.key(&member.property.name);
            self.an.definite_prototypes.insert((function, key));
        }
    }

    fn declared_function(&self, expression: &Expression<'a>) -> Option<crate::model::FunctionId> {
        let Expression::Identifier(id) = expression else { return None };
        let symbol = self.scoping.get_reference(id.reference_id.get()?).symbol_id()?;
        self.declared.get(&symbol).copied()
    }

    fn unary(&mut self, unary: &UnaryExpression<'a>) -> Option<Node> {
        let member = unary.argument.without_parentheses().as_member_expression();
        if let (UnaryOperator::Delete, Some(member)) = (unary.operator, member) {
            let member = self.member(member);
            if let Some(base) = member.base {
                let name = match member.property {
                    Property::Named(key) => Some(self.an.keys.name(key).to_owned()),
                    Property::Computed { .. } => None,
                };
                self.operation(base, OperationKind::Remove(name), unary.span, member.object);
            }
            return None;
        }
        self.expression(&unary.argument);
        None
    }

    fn binary(&mut self, binary: &BinaryExpression<'a>) -> Option<Node> {
        let left = self.expression(&binary.left);
        let right = self.expression(&binary.right);
        if matches!(
            binary.operator,
            BinaryOperator::Addition
                | BinaryOperator::LessThan
                | BinaryOperator::GreaterThan
                | BinaryOperator::LessEqualThan
                | BinaryOperator::GreaterEqualThan
                | BinaryOperator::Subtraction
        ) {
            self.converted(left, binary.left.span());
            self.converted(right, binary.right.span());
        }
        None
    }

    /// An object becomes a text or a number.
    pub fn converted(&mut self, value: Option<Node>, span: oxc_span::Span) {
        let Some(value) = value.filter(|_| self.has_conversions) else { return };
        for name in ["toString", "valueOf"] {
            self.call_method(value, name, Vec::new(), span);
        }
    }
}
