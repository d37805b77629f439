//! Expressions other than calls and writes.

use instrument::Role;
use oxc_ast::ast::*;
use oxc_span::GetSpan;
use trace_model::{ExprId, Key, Literal, LocalSite, Node, VariableRef, Way, string_from_utf16};

use super::builder::{Builder, told};

impl<'a> Builder<'_> {
    /// Walks an expression in the order of its evaluation.
    pub fn expression(&mut self, expression: &Expression<'a>) -> ExprId {
        let span = expression.span();
        match expression {
            Expression::ParenthesizedExpression(inner) => self.expression(&inner.expression),
            Expression::Identifier(identifier) => self.identifier(identifier),
            Expression::ThisExpression(_) | Expression::Super(_) => self.add(Node::This, span),
            Expression::StaticMemberExpression(_)
            | Expression::ComputedMemberExpression(_)
            | Expression::PrivateFieldExpression(_) => self.member(expression.to_member_expression()),
            Expression::CallExpression(call) => self.call(call, call.span),
            Expression::NewExpression(new) => self.new_expression(new),
            Expression::ChainExpression(chain) => self.chain(chain),
            Expression::TaggedTemplateExpression(tagged) => self.tagged_template(tagged),
            Expression::ImportExpression(import) => self.import_call(import),
            Expression::AssignmentExpression(assignment) => self.assignment(assignment),
            Expression::UpdateExpression(update) => self.update(update),
            Expression::UnaryExpression(unary) => self.unary(unary),
            Expression::BinaryExpression(binary) => {
                let left = self.expression(&binary.left);
                let right = self.expression(&binary.right);
                self.add(Node::Binary { operator: binary.operator.as_str(), left, right }, span)
            }
            Expression::PrivateInExpression(private) => {
                let name = Literal::String(format!("#{}", private.left.name));
                let left = self.add(Node::Literal(name), private.left.span);
                let right = self.expression(&private.right);
                self.add(Node::Binary { operator: "in", left, right }, span)
            }
            Expression::LogicalExpression(logical) => self.logical(logical),
            Expression::ConditionalExpression(conditional) => self.conditional(conditional),
            Expression::SequenceExpression(sequence) => {
                let parts = sequence.expressions.iter().map(|part| self.expression(part)).collect();
                self.add(Node::Sequence(parts), span)
            }
            Expression::TemplateLiteral(template) => self.template(template),
            Expression::AwaitExpression(r#await) => self.await_expression(r#await),
            Expression::YieldExpression(r#yield) => self.yield_expression(r#yield),
            Expression::ObjectExpression(object) => self.object(object),
            Expression::ArrayExpression(array) => self.array(array),
            Expression::FunctionExpression(function) => self.function_expression(function, span),
            Expression::ArrowFunctionExpression(arrow) => self.arrow_expression(arrow),
            Expression::ClassExpression(class) => {
                let value = self.class(class);
                let birth = self.emit(class.node_id(), Role::Birth, Some(value), None);
                self.carries(value, birth);
                value
            }
            other => {
                let node = literal(other).map_or(Node::Other(Vec::new()), Node::Literal);
                self.add(node, span)
            }
        }
    }

    /// Walks the test of a branch; gives its value and the site that tells the way.
    pub fn condition(&mut self, test: &Expression<'a>, by: DecidedBy) -> (ExprId, Option<LocalSite>) {
        let value = self.expression(test);
        // The result of a call tells the way itself, and has been emitted with the call.
        let told = self.anchored.site(test.node_id(), Role::Decision);
        if told.is_some() && told == self.result_of(value) {
            return (value, told);
        }
        let site = self.emit(test.node_id(), Role::Decision, Some(value), None);
        if by == DecidedBy::Truth && is_boolean(test) {
            self.carries(value, site);
        }
        (value, site)
    }

    fn result_of(&self, value: ExprId) -> Option<LocalSite> {
        match &self.facts.expression(value).node {
            Node::Call(call) => call.result_site,
            _ => None,
        }
    }

    pub fn identifier(&mut self, identifier: &IdentifierReference<'a>) -> ExprId {
        let name = identifier.name.as_str();
        let variable = self.symbol(identifier).and_then(|symbol| self.variable(symbol));
        let node = match variable {
            Some(variable) => Node::Variable(VariableRef::Known(variable)),
            None => match name {
                "arguments" => Node::Arguments,
                "undefined" => Node::Literal(Literal::Undefined),
                "NaN" => Node::Literal(Literal::Number(f64::NAN)),
                "Infinity" => Node::Literal(Literal::Number(f64::INFINITY)),
                _ => match self.implicit_variable(name) {
                    Some(variable) => Node::Variable(VariableRef::Known(variable)),
                    None => Node::Variable(VariableRef::Global(name.to_owned())),
                },
            },
        };
        self.add(node, identifier.span)
    }

    pub fn member(&mut self, member: &MemberExpression<'a>) -> ExprId {
        let object = self.expression(member.object());
        self.member_of(object, member)
    }

    /// A member whose object has been walked.
    pub fn member_of(&mut self, object: ExprId, member: &MemberExpression<'a>) -> ExprId {
        if member.optional() {
            self.optional_base(object, member.object().node_id());
        }
        let key = self.member_key(member);
        self.add(Node::Member { object, key, is_optional: member.optional() }, member.span())
    }

    fn member_key(&mut self, member: &MemberExpression<'a>) -> Key {
        match member {
            MemberExpression::StaticMemberExpression(member) => Key::Name(member.property.name.to_string()),
            MemberExpression::PrivateFieldExpression(member) => Key::Name(format!("#{}", member.field.name)),
            MemberExpression::ComputedMemberExpression(member) => self.computed_key(&member.expression),
        }
    }

    pub fn computed_key(&mut self, key: &Expression<'a>) -> Key {
        match key {
            Expression::StringLiteral(key) if !key.lone_surrogates => Key::Name(key.value.to_string()),
            Expression::NumericLiteral(key) if is_index(key.value) => Key::Name(key.value.to_string()),
            key => Key::Computed(self.expression(key)),
        }
    }

    fn unary(&mut self, unary: &UnaryExpression<'a>) -> ExprId {
        if unary.operator == UnaryOperator::Delete {
            return self.delete(unary);
        }
        let operand = self.expression(&unary.argument);
        self.add(Node::Unary { operator: unary.operator.as_str(), operand }, unary.span)
    }

    fn logical(&mut self, logical: &LogicalExpression<'a>) -> ExprId {
        let (by, way) = way_to_right(logical.operator);
        let (left, branch) = self.condition(&logical.left, by);
        let right = self.only_if(branch, way, |builder| builder.expression(&logical.right));
        self.add(Node::Logical { operator: neutral(logical.operator), left, right, branch }, logical.span)
    }

    fn conditional(&mut self, conditional: &ConditionalExpression<'a>) -> ExprId {
        let (test, branch) = self.condition(&conditional.test, DecidedBy::Truth);
        let (then, otherwise) = self.either(
            branch,
            |builder| builder.expression(&conditional.consequent),
            |builder| builder.expression(&conditional.alternate),
        );
        self.add(Node::Conditional { test, then, otherwise, branch }, conditional.span)
    }

    fn template(&mut self, template: &TemplateLiteral<'a>) -> ExprId {
        let values = template.expressions.iter().map(|value| self.expression(value)).collect();
        let texts = template.quasis.iter().map(template_text).collect();
        self.add(Node::Template { texts, values }, template.span)
    }

    fn await_expression(&mut self, r#await: &AwaitExpression<'a>) -> ExprId {
        let operand = self.expression(&r#await.argument);
        let suspend = self.emit(r#await.node_id(), Role::Suspend, Some(operand), None);
        self.carries(operand, suspend);
        let resume = self.emit(r#await.node_id(), Role::Resume, None, None);
        let id = self.add(Node::Await { operand, suspend, resume }, r#await.span);
        self.set_value(resume, id);
        self.carries(id, resume);
        id
    }

    fn yield_expression(&mut self, r#yield: &YieldExpression<'a>) -> ExprId {
        let (node, span) = (r#yield.node_id(), r#yield.span);
        let gives = !r#yield.delegate;
        // The frame is left before the value of a delegate is known.
        let early = if gives { None } else { self.emit(node, Role::Suspend, None, None) };
        let operand = r#yield.argument.as_ref().map(|argument| self.expression(argument));
        let suspend = if gives { self.emit(node, Role::Suspend, operand, None) } else { early };
        if let (true, Some(operand)) = (gives, operand) {
            self.carries(operand, suspend);
        }
        let resume = self.emit(node, Role::Resume, None, None);
        let id = self.add(Node::Yield { operand, suspend, resume }, span);
        self.set_value(resume, id);
        self.carries(id, resume);
        id
    }

    fn object(&mut self, object: &ObjectExpression<'a>) -> ExprId {
        let mut entries = Vec::with_capacity(object.properties.len());
        let mut spreads = Vec::new();
        for property in &object.properties {
            match property {
                ObjectPropertyKind::SpreadProperty(spread) => spreads.push(self.expression(&spread.argument)),
                ObjectPropertyKind::ObjectProperty(property) => {
                    let key = self.property_key(&property.key, property.computed);
                    let value = match &property.value {
                        Expression::FunctionExpression(function)
                            if property.method || property.kind != PropertyKind::Init =>
                        {
                            self.method(function, property.span)
                        }
                        value => self.expression(value),
                    };
                    if property.kind == PropertyKind::Init {
                        entries.push((key, value));
                    }
                }
            }
        }
        let id = self.add(Node::Object { entries, spreads }, object.span);
        let birth = self.emit(object.node_id(), Role::Birth, Some(id), None);
        self.carries(id, birth);
        id
    }

    /// Computed keys are part of a text that must not change, so nothing is recorded in them.
    pub fn property_key(&mut self, key: &PropertyKey<'a>, is_computed: bool) -> Key {
        match key {
            PropertyKey::StaticIdentifier(key) => Key::Name(key.name.to_string()),
            PropertyKey::PrivateIdentifier(key) => Key::Name(format!("#{}", key.name)),
            key => match key.static_name() {
                Some(name) => Key::Name(name.to_string()),
                None => match key.as_expression().filter(|_| is_computed) {
                    Some(key) => self.computed_key(key),
                    None => Key::Name(String::new()),
                },
            },
        }
    }

    fn array(&mut self, array: &ArrayExpression<'a>) -> ExprId {
        let mut has_spread = false;
        let mut elements = Vec::with_capacity(array.elements.len());
        for element in &array.elements {
            elements.push(match element {
                ArrayExpressionElement::SpreadElement(spread) => {
                    has_spread = true;
                    Some(self.spread(spread))
                }
                element => element.as_expression().map(|element| self.expression(element)),
            });
        }
        let id = self.add(Node::Array { elements, has_spread }, array.span);
        let birth = self.emit(array.node_id(), Role::Birth, Some(id), None);
        self.carries(id, birth);
        id
    }

    pub fn spread(&mut self, spread: &SpreadElement<'a>) -> ExprId {
        let inner = self.expression(&spread.argument);
        self.add(Node::Spread(inner), spread.span)
    }
}

impl Builder<'_> {
    /// Walks both sides of a branch.
    pub fn either<R>(
        &mut self,
        branch: Option<LocalSite>,
        then: impl FnOnce(&mut Self) -> R,
        otherwise: impl FnOnce(&mut Self) -> R,
    ) -> (R, R) {
        let (from, yes, no, join) = (self.frame().current, self.block(), self.block(), self.block());
        self.edge(from, yes, told(branch, Way::True));
        self.edge(from, no, told(branch, Way::False));
        self.continue_in(yes);
        let then = then(self);
        self.go_to(join);
        self.continue_in(no);
        let otherwise = otherwise(self);
        self.go_to(join);
        (then, otherwise)
    }
}

pub(crate) fn literal(expression: &Expression) -> Option<Literal> {
    match expression {
        Expression::BooleanLiteral(literal) => Some(Literal::Bool(literal.value)),
        Expression::NullLiteral(_) => Some(Literal::Null),
        Expression::NumericLiteral(literal) => Some(Literal::Number(literal.value)),
        Expression::BigIntLiteral(literal) => Some(Literal::BigInt(literal.value.to_string())),
        Expression::StringLiteral(literal) => {
            Some(Literal::String(as_recorded(&literal.value, literal.lone_surrogates)))
        }
        _ => None,
    }
}

pub(crate) fn template_text(text: &TemplateElement) -> String {
    as_recorded(&text.value.cooked.unwrap_or(text.value.raw), text.lone_surrogates)
}

/// A text as the trace has it. The parser writes a surrogate that stands alone as U+FFFD and its four digits, and then U+FFFD
/// itself that way too.
fn as_recorded(text: &str, has_lone_surrogates: bool) -> String {
    if !has_lone_surrogates {
        return text.to_owned();
    }
    let mut units: Vec<u16> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        let escaped = rest.get(..4).filter(|_| c == '\u{FFFD}').and_then(|digits| u16::from_str_radix(digits, 16).ok());
        match escaped {
            Some(unit) => {
                units.push(unit);
                rest = &rest[4..];
            }
            None => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
        }
    }
    string_from_utf16(&units)
}

/// Whether the truth of the value is the value.
fn is_boolean(expression: &Expression) -> bool {
    match expression.without_parentheses() {
        Expression::BinaryExpression(binary) => {
            let operator = binary.operator;
            operator.is_compare() || operator.is_equality() || operator.is_relational()
        }
        Expression::UnaryExpression(unary) => {
            matches!(unary.operator, UnaryOperator::LogicalNot | UnaryOperator::Delete)
        }
        Expression::LogicalExpression(logical) => {
            logical.operator != LogicalOperator::Coalesce && is_boolean(&logical.left) && is_boolean(&logical.right)
        }
        Expression::PrivateInExpression(_) | Expression::BooleanLiteral(_) => true,
        _ => false,
    }
}

/// Numbers that Rust and JavaScript print alike.
pub(crate) fn is_index(number: f64) -> bool {
    number >= 0.0 && number.fract() == 0.0 && number <= f64::from(u32::MAX)
}

/// What of a value tells the way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum DecidedBy {
    Truth,
    /// That it is neither null nor undefined.
    Presence,
}

/// What the left side must be for the right one to be evaluated.
pub(crate) fn way_to_right(operator: LogicalOperator) -> (DecidedBy, Way) {
    match operator {
        LogicalOperator::And => (DecidedBy::Truth, Way::True),
        LogicalOperator::Or => (DecidedBy::Truth, Way::False),
        LogicalOperator::Coalesce => (DecidedBy::Presence, Way::False),
    }
}

pub(crate) fn neutral(operator: LogicalOperator) -> trace_model::LogicalOperator {
    match operator {
        LogicalOperator::And => trace_model::LogicalOperator::And,
        LogicalOperator::Or => trace_model::LogicalOperator::Or,
        LogicalOperator::Coalesce => trace_model::LogicalOperator::IfNothing,
    }
}
