//! Expressions, as V8's parser goes through them.

use oxc_ast::ast::*;
use oxc_span::GetSpan;
use oxc_syntax::operator::{AssignmentOperator, UnaryOperator};

use super::{COMPUTED, Parse, Value, key_text};

impl<'a> Parse<'a> {
    /// Expressions with commas between them.
    pub fn expressions(&mut self, expression: &'a Expression<'a>) -> Value {
        let Expression::SequenceExpression(sequence) = expression else {
            return self.assignment_expression(expression);
        };
        for (number, part) in sequence.expressions.iter().enumerate() {
            if number > 0 && self.called.previous && self.is_function_at(part.span().start) {
                self.called.next = true;
            }
            self.assignment_expression(part);
        }
        Value::Other
    }

    pub fn assignment_expression(&mut self, expression: &'a Expression<'a>) -> Value {
        if let Expression::YieldExpression(yielded) = expression {
            if let Some(argument) = &yielded.argument {
                self.assignment_expression(argument);
            }
            return Value::Other;
        }
        self.state(|parse| parse.expression(expression))
    }

    pub fn expression(&mut self, expression: &'a Expression<'a>) -> Value {
        match expression {
            Expression::Identifier(name) => self.variable(name.name.as_str()),
            Expression::ArrowFunctionExpression(arrow) => return self.arrow(arrow),
            Expression::FunctionExpression(function) => {
                let name = function.id.as_ref().map(|id| id.name.as_str());
                return Value::Function(self.function(function, name, function.span.start, name.is_none()));
            }
            Expression::ClassExpression(class) => return Value::Class(self.class(class, None)),
            Expression::AssignmentExpression(assignment) => self.assignment(assignment),
            Expression::ParenthesizedExpression(inside) => return self.parentheses(inside),
            // Only in places where there is one without parentheses.
            Expression::SequenceExpression(_) | Expression::YieldExpression(_) => return self.expressions(expression),
            Expression::CallExpression(call) => return self.call(call),
            Expression::NewExpression(new) => {
                self.expression(&new.callee);
                self.arguments(&new.arguments);
                return Value::Call;
            }
            Expression::TaggedTemplateExpression(tagged) => {
                let tag = self.expression(&tagged.tag);
                self.compiled_at_once(tag);
                self.substitutions(&tagged.quasi);
                return Value::Call;
            }
            Expression::ChainExpression(chain) => self.chain(&chain.expression),
            Expression::ConditionalExpression(conditional) => self.conditional(conditional),
            Expression::ObjectExpression(object) => self.object(object),
            Expression::ArrayExpression(array) => self.array(array),
            Expression::UnaryExpression(unary) => {
                if unary.operator == UnaryOperator::LogicalNot && self.is_function_at(unary.argument.span().start) {
                    self.called.next = true;
                }
                self.expression(&unary.argument);
            }
            Expression::UpdateExpression(update) => self.simple_target(&update.argument),
            Expression::AwaitExpression(awaited) => {
                self.expression(&awaited.argument);
            }
            Expression::BinaryExpression(binary) => {
                self.expression(&binary.left);
                self.expression(&binary.right);
            }
            Expression::LogicalExpression(logical) => {
                self.expression(&logical.left);
                self.expression(&logical.right);
            }
            Expression::PrivateInExpression(test) => {
                self.private_key(&test.left);
                self.expression(&test.right);
            }
            Expression::TemplateLiteral(template) => self.substitutions(template),
            Expression::ImportExpression(import) => {
                self.assignment_expression(&import.source);
                if let Some(options) = &import.options {
                    self.assignment_expression(options);
                }
            }
            Expression::ComputedMemberExpression(member) => self.computed_member(member),
            Expression::StaticMemberExpression(member) => self.static_member(member),
            Expression::PrivateFieldExpression(member) => self.private_member(member),
            _ => {}
        }
        Value::Other
    }

    fn substitutions(&mut self, template: &'a TemplateLiteral<'a>) {
        for part in &template.expressions {
            self.expressions(part);
        }
    }

    fn parentheses(&mut self, parentheses: &'a ParenthesizedExpression<'a>) -> Value {
        let inside = &parentheses.expression;
        let start = inside.span().start;
        self.first_in_parentheses = Some(start);
        if self.is_function_at(start) || self.is_async_function_at(start) {
            self.called.next = true;
        }
        self.expressions(inside)
    }

    fn assignment(&mut self, assignment: &'a AssignmentExpression<'a>) {
        let (target, value) = (&assignment.left, &assignment.right);
        if assignment.operator == AssignmentOperator::Assign || assignment.operator.is_logical() {
            self.assign(assignment.span, target, value);
        } else {
            self.assigned(assignment.span, target);
            self.assignment_expression(value);
            self.remove_last();
        }
    }

    fn conditional(&mut self, conditional: &'a ConditionalExpression<'a>) {
        self.expression(&conditional.test);
        let mut current = conditional;
        loop {
            self.assignment_expression(&current.consequent);
            match &current.alternate {
                Expression::ConditionalExpression(next) if self.rules.conditions_in_chains_end => {
                    self.state(|parse| parse.expression(&next.test));
                    current = next;
                }
                last => {
                    self.assignment_expression(last);
                    return;
                }
            }
        }
    }

    fn call(&mut self, call: &'a CallExpression<'a>) -> Value {
        let callee = self.expression(&call.callee);
        self.compiled_at_once(callee);
        self.arguments(&call.arguments);
        self.remove_last();
        Value::Call
    }

    /// What is called right where it stands, if it was not skimmed.
    fn compiled_at_once(&mut self, callee: Value) {
        if let Value::Function(literal) = callee {
            let literal = &mut self.literals[literal];
            literal.is_compiled |= literal.is_parsed;
        }
    }

    fn arguments(&mut self, arguments: &'a [Argument<'a>]) {
        for argument in arguments {
            match argument {
                Argument::SpreadElement(spread) => self.assignment_expression(&spread.argument),
                argument => self.assignment_expression(argument.to_expression()),
            };
        }
    }

    fn chain(&mut self, chain: &'a ChainElement<'a>) {
        match chain {
            ChainElement::CallExpression(call) => {
                self.call(call);
            }
            ChainElement::ComputedMemberExpression(member) => self.computed_member(member),
            ChainElement::StaticMemberExpression(member) => self.static_member(member),
            ChainElement::PrivateFieldExpression(member) => self.private_member(member),
            ChainElement::TSNonNullExpression(_) => {}
        }
    }

    pub fn static_member(&mut self, member: &'a StaticMemberExpression<'a>) {
        self.expression(&member.object);
        self.key(member.property.name.as_str());
    }

    pub fn private_member(&mut self, member: &'a PrivateFieldExpression<'a>) {
        self.expression(&member.object);
        self.private_key(&member.field);
    }

    fn private_key(&mut self, key: &PrivateIdentifier<'a>) {
        self.key(&self.source[key.span.start as usize..key.span.end as usize]);
    }

    /// Behind a call or `?.`, V8 takes no notice of the key.
    pub fn computed_member(&mut self, member: &'a ComputedMemberExpression<'a>) {
        self.expression(&member.object);
        self.expressions(&member.expression);
        if !member.optional && !is_behind_call(&member.object) {
            self.key(index_text(&member.expression).unwrap_or(COMPUTED));
        }
    }

    fn array(&mut self, array: &'a ArrayExpression<'a>) {
        for element in &array.elements {
            match element {
                ArrayExpressionElement::Elision(_) => continue,
                ArrayExpressionElement::SpreadElement(spread) => self.assignment_expression(&spread.argument),
                element => self.assignment_expression(element.to_expression()),
            };
        }
    }

    fn object(&mut self, object: &'a ObjectExpression<'a>) {
        for property in &object.properties {
            self.state(|parse| {
                match property {
                    ObjectPropertyKind::SpreadProperty(spread) => {
                        parse.assignment_expression(&spread.argument);
                    }
                    ObjectPropertyKind::ObjectProperty(property) => parse.property(property),
                }
                parse.infer();
            });
        }
    }

    fn property(&mut self, property: &'a ObjectProperty<'a>) {
        let name = self.property_key(&property.key, property.computed);
        if property.method || property.kind != PropertyKind::Init {
            if let Expression::FunctionExpression(function) = &property.value {
                self.in_block(|parse| parse.function(function, name, property.span.start, name.is_none()));
            }
        } else if property.shorthand {
            self.expression(&property.value);
        } else {
            let value = self.assignment_expression(&property.value);
            if let Some(name) = name.filter(|name| *name != "__proto__") {
                self.own_name(value, name);
            }
        }
    }

    /// `None` if it is computed.
    pub fn property_key(&mut self, key: &'a PropertyKey<'a>, is_computed: bool) -> Option<&'a str> {
        if is_computed {
            self.assignment_expression(key.to_expression());
            return None;
        }
        let name = key_text(key, self.source)?;
        self.key(name);
        Some(name)
    }
}

fn is_behind_call(object: &Expression) -> bool {
    match object {
        Expression::CallExpression(_) => true,
        Expression::TaggedTemplateExpression(tagged) => is_behind_call(&tagged.tag),
        Expression::ComputedMemberExpression(member) => member.optional || is_behind_call(&member.object),
        Expression::StaticMemberExpression(member) => member.optional || is_behind_call(&member.object),
        Expression::PrivateFieldExpression(member) => member.optional || is_behind_call(&member.object),
        _ => false,
    }
}

/// A key that is a text, but no index of an array.
fn index_text<'a>(index: &'a Expression<'a>) -> Option<&'a str> {
    let text = match index.without_parentheses() {
        Expression::StringLiteral(text) => text.value.as_str(),
        Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
            template.quasis.first()?.value.cooked.as_ref()?.as_str()
        }
        _ => return None,
    };
    let number = text.parse::<u32>().ok().filter(|number| *number < u32::MAX && number.to_string() == text);
    number.is_none().then_some(text)
}
