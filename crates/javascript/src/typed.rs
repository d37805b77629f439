//! Expressions that a person types. They are evaluated over what was recorded, so nothing that would run code has a meaning.

use oxc_allocator::Allocator;
use oxc_ast::ast;
use oxc_ast::ast::{ChainElement, MemberExpression, UnaryOperator};
use oxc_parser::Parser;
use oxc_span::{GetSpan, SourceType};
use trace_model::{
    BuiltIns, ExprId, Expression, ExpressionError, FunctionIndex, Key, Literal, Node, Span, VariableRef,
};

use crate::JavaScript;
use crate::built_ins::{changes_receiver, is_method};
use crate::facts::{is_index, literal, neutral, template_text};

pub(crate) fn parse_expression(text: &str) -> Result<(Vec<Expression>, ExprId), ExpressionError> {
    if text.trim().is_empty() {
        return Err(ExpressionError { message: "there is no expression".into(), at: 0 });
    }
    let (plain, objects) = without_object_numbers(text);
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, &plain, SourceType::mjs()).parse_expression();
    let parsed = parsed.map_err(|diagnostics| {
        let errors = diagnostics.into_vec();
        let first = errors.first();
        let label = first.and_then(|error| error.labels.first());
        let at = label.map_or(text.len(), |label| label.offset() as usize);
        let message = first.map_or("this is no expression".into(), |error| error.message.to_string());
        ExpressionError { message, at: at.min(text.len()) as u32 }
    })?;
    let mut typed = Typed { objects, expressions: Vec::new() };
    let root = typed.expression(&parsed)?;
    Ok((typed.expressions, root))
}

struct Typed {
    /// Where objects are named by their number.
    objects: Vec<u32>,
    expressions: Vec<Expression>,
}

impl Typed {
    fn add(&mut self, node: Node, span: oxc_span::Span) -> ExprId {
        let span = Span { start: span.start, end: span.end };
        self.expressions.push(Expression { node, span, function: FunctionIndex(0), value_site: None });
        ExprId(self.expressions.len() as u32 - 1)
    }

    fn expression(&mut self, expression: &ast::Expression) -> Result<ExprId, ExpressionError> {
        use ast::Expression::*;
        let span = expression.span();
        let node = match expression {
            ParenthesizedExpression(inner) => return self.expression(&inner.expression),
            ChainExpression(chain) => return self.chain(chain),
            Identifier(identifier) => self.name(identifier),
            ThisExpression(_) => Node::This,
            StaticMemberExpression(_) | ComputedMemberExpression(_) | PrivateFieldExpression(_) => {
                return self.member(expression.to_member_expression());
            }
            UnaryExpression(unary) if unary.operator == UnaryOperator::Delete => {
                return Err(refused("delete", span));
            }
            UnaryExpression(unary) => {
                let operand = self.expression(&unary.argument)?;
                Node::Unary { operator: unary.operator.as_str(), operand }
            }
            BinaryExpression(binary) => {
                let left = self.expression(&binary.left)?;
                let right = self.expression(&binary.right)?;
                Node::Binary { operator: binary.operator.as_str(), left, right }
            }
            LogicalExpression(logical) => {
                let left = self.expression(&logical.left)?;
                let right = self.expression(&logical.right)?;
                Node::Logical { operator: neutral(logical.operator), left, right, branch: None }
            }
            ConditionalExpression(conditional) => {
                let test = self.expression(&conditional.test)?;
                let then = self.expression(&conditional.consequent)?;
                let otherwise = self.expression(&conditional.alternate)?;
                Node::Conditional { test, then, otherwise, branch: None }
            }
            TemplateLiteral(template) => {
                let values = template.expressions.iter().map(|value| self.expression(value));
                let values = values.collect::<Result<_, _>>()?;
                Node::Template { texts: template.quasis.iter().map(template_text).collect(), values }
            }
            ArrayExpression(array) => self.array(array)?,
            ObjectExpression(object) => self.object(object)?,
            CallExpression(call) => self.call(call)?,
            NewExpression(_) => return Err(refused("new", span)),
            ImportExpression(_) => return Err(refused("import", span)),
            TaggedTemplateExpression(_) => return Err(refused("a tagged template", span)),
            AssignmentExpression(_) | UpdateExpression(_) => return Err(refused("an assignment", span)),
            FunctionExpression(_) | ArrowFunctionExpression(_) => return Err(refused("a function", span)),
            ClassExpression(_) => return Err(refused("a class", span)),
            AwaitExpression(_) => return Err(refused("await", span)),
            YieldExpression(_) => return Err(refused("yield", span)),
            other => match literal(other) {
                Some(literal) => Node::Literal(literal),
                None => return Err(error("this cannot be evaluated over a recording", span)),
            },
        };
        Ok(self.add(node, span))
    }

    fn array(&mut self, array: &ast::ArrayExpression) -> Result<Node, ExpressionError> {
        let mut elements = Vec::new();
        let mut has_spread = false;
        for element in &array.elements {
            elements.push(match element {
                ast::ArrayExpressionElement::Elision(hole) => {
                    return Err(error("a list with holes is not possible here", hole.span));
                }
                ast::ArrayExpressionElement::SpreadElement(spread) => {
                    has_spread = true;
                    Some(self.spread(spread)?)
                }
                element => Some(self.expression(element.to_expression())?),
            });
        }
        Ok(Node::Array { elements, has_spread })
    }

    /// What is spread stands among the entries, as their order matters.
    fn object(&mut self, object: &ast::ObjectExpression) -> Result<Node, ExpressionError> {
        let mut entries = Vec::new();
        for property in &object.properties {
            let property = match property {
                ast::ObjectPropertyKind::ObjectProperty(property) => property,
                ast::ObjectPropertyKind::SpreadProperty(spread) => {
                    entries.push((Key::Name(String::new()), self.spread(spread)?));
                    continue;
                }
            };
            let key = match (&property.key, property.key.static_name()) {
                (_, Some(name)) => Key::Name(name.into_owned()),
                (key, None) => match key.as_expression() {
                    Some(key) => Key::Computed(self.expression(key)?),
                    None => return Err(error("this cannot be evaluated over a recording", property.span)),
                },
            };
            entries.push((key, self.expression(&property.value)?));
        }
        Ok(Node::Object { entries, spreads: Vec::new() })
    }

    fn spread(&mut self, spread: &ast::SpreadElement) -> Result<ExprId, ExpressionError> {
        let of = self.expression(&spread.argument)?;
        Ok(self.add(Node::Spread(of), spread.span))
    }

    /// `m.get(key)` and `s.has(element)` name an entry of a Map or Set, and built-ins that only read are interpreted. Nothing is called.
    fn call(&mut self, call: &ast::CallExpression) -> Result<Node, ExpressionError> {
        let callee = match &call.callee {
            ast::Expression::Identifier(name) if JavaScript.only_reads(None, &name.name) => {
                self.expression(&call.callee)?
            }
            ast::Expression::StaticMemberExpression(callee) => {
                self.check_method(callee, call)?;
                let object = self.expression(&callee.object)?;
                let key = Key::Name(callee.property.name.to_string());
                self.add(Node::Member { object, key, is_optional: callee.optional }, callee.span)
            }
            _ => return Err(refused("a call", call.span)),
        };
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            arguments.push(match argument {
                ast::Argument::SpreadElement(spread) => self.spread(spread)?,
                ast::Argument::ArrowFunctionExpression(arrow) => self.arrow(arrow)?,
                argument => self.expression(argument.to_expression())?,
            });
        }
        Ok(Node::Call(trace_model::Call {
            callee,
            arguments,
            is_new: false,
            is_optional: call.optional,
            call_site: None,
            result_site: None,
        }))
    }

    /// Whether a method may be a built-in that only reads. Whether it is one is known when its object is.
    fn check_method(
        &self,
        callee: &ast::StaticMemberExpression,
        call: &ast::CallExpression,
    ) -> Result<(), ExpressionError> {
        let name = callee.property.name.as_str();
        let namespace = match &callee.object {
            ast::Expression::Identifier(object) => Some(object.name.as_str()),
            _ => None,
        };
        let is_entry = matches!(name, "get" | "has") && matches!(&call.arguments[..], [one] if one.is_expression());
        let is_of_namespace = namespace.is_some_and(|namespace| JavaScript.only_reads(Some(namespace), name));
        if is_entry || is_method(name) || is_of_namespace {
            return Ok(());
        }
        match changes_receiver(name) {
            true => Err(error(
                &format!("nothing is run to evaluate an expression, and {name} may change its object"),
                call.span,
            )),
            false => Err(refused("a call", call.span)),
        }
    }

    /// `x => x.price`, `({ price }, place) => price * place`: one expression over what is given.
    fn arrow(&mut self, arrow: &ast::ArrowFunctionExpression) -> Result<ExprId, ExpressionError> {
        if arrow.r#async {
            return Err(refused("an async function", arrow.span));
        }
        let mut bindings = Vec::new();
        for (index, parameter) in (0..).zip(&arrow.params.items) {
            let given = self.add(Node::Parameter { index, is_rest: false }, parameter.span);
            let given = match &parameter.initializer {
                Some(default) => self.with_default(given, default, parameter.span)?,
                None => given,
            };
            self.bind(&parameter.pattern, given, &mut bindings)?;
        }
        if arrow.params.rest.is_some() {
            return Err(refused("a function with a rest parameter", arrow.span));
        }
        let several = || refused("a function of more than one expression", arrow.span);
        let body = match &arrow.body {
            ast::ArrowFunctionBody::FunctionBody(body) => match &body.statements[..] {
                [ast::Statement::ReturnStatement(returned)] => returned.argument.as_ref().ok_or_else(several)?,
                _ => return Err(several()),
            },
            body => body.to_expression(),
        };
        let body = self.expression(body)?;
        Ok(self.add(Node::Arrow { bindings, body }, arrow.span))
    }

    fn bind(
        &mut self,
        pattern: &ast::BindingPattern,
        given: ExprId,
        bindings: &mut Vec<(String, ExprId)>,
    ) -> Result<(), ExpressionError> {
        let refused = || Err(refused("such a parameter", pattern.span()));
        match pattern {
            ast::BindingPattern::BindingIdentifier(name) => bindings.push((name.name.to_string(), given)),
            ast::BindingPattern::AssignmentPattern(assigned) => {
                let given = self.with_default(given, &assigned.right, assigned.span)?;
                self.bind(&assigned.left, given, bindings)?;
            }
            ast::BindingPattern::ObjectPattern(object) if object.rest.is_none() && !object.properties.is_empty() => {
                for property in &object.properties {
                    let Some(name) = property.key.static_name().filter(|_| !property.computed) else {
                        return refused();
                    };
                    let key = Key::Name(name.into_owned());
                    let part = self.add(Node::Member { object: given, key, is_optional: false }, property.span);
                    self.bind(&property.value, part, bindings)?;
                }
            }
            ast::BindingPattern::ArrayPattern(array)
                if array.rest.is_none() && array.elements.iter().any(Option::is_some) =>
            {
                for (index, element) in (0..).zip(&array.elements) {
                    if let Some(element) = element {
                        let element_of = Node::Element { of: given, index: Some(index), is_rest: false, keys: false };
                        let part = self.add(element_of, element.span());
                        self.bind(element, part, bindings)?;
                    }
                }
            }
            _ => return refused(),
        }
        Ok(())
    }

    fn with_default(
        &mut self,
        value: ExprId,
        default: &ast::Expression,
        span: oxc_span::Span,
    ) -> Result<ExprId, ExpressionError> {
        let default = self.expression(default)?;
        Ok(self.add(Node::Default { value, default, used: None }, span))
    }

    fn name(&self, identifier: &ast::IdentifierReference) -> Node {
        let name = identifier.name.as_str();
        if self.objects.contains(&identifier.span.start) {
            return Node::Variable(VariableRef::Global(format!("#{}", &name[1..])));
        }
        match name {
            "arguments" => Node::Arguments,
            "undefined" => Node::Literal(Literal::Undefined),
            "NaN" => Node::Literal(Literal::Number(f64::NAN)),
            "Infinity" => Node::Literal(Literal::Number(f64::INFINITY)),
            name => Node::Variable(VariableRef::Global(name.to_owned())),
        }
    }

    fn chain(&mut self, chain: &ast::ChainExpression) -> Result<ExprId, ExpressionError> {
        match &chain.expression {
            ChainElement::CallExpression(call) => {
                let called = self.call(call)?;
                Ok(self.add(called, chain.span))
            }
            element => match element.as_member_expression() {
                Some(member) => self.member(member),
                None => Err(error("this cannot be evaluated over a recording", chain.span)),
            },
        }
    }

    fn member(&mut self, member: &MemberExpression) -> Result<ExprId, ExpressionError> {
        let object = self.expression(member.object())?;
        let key = match member {
            MemberExpression::StaticMemberExpression(member) => Key::Name(member.property.name.to_string()),
            MemberExpression::PrivateFieldExpression(member) => Key::Name(format!("#{}", member.field.name)),
            MemberExpression::ComputedMemberExpression(member) => match &member.expression {
                ast::Expression::StringLiteral(key) if !key.lone_surrogates => Key::Name(key.value.to_string()),
                ast::Expression::NumericLiteral(key) if is_index(key.value) => Key::Name(key.value.to_string()),
                key => Key::Computed(self.expression(key)?),
            },
        };
        Ok(self.add(Node::Member { object, key, is_optional: member.optional() }, member.span()))
    }
}

fn refused(what: &str, span: oxc_span::Span) -> ExpressionError {
    error(&format!("nothing is run to evaluate an expression, so {what} is not possible"), span)
}

fn error(message: &str, span: oxc_span::Span) -> ExpressionError {
    ExpressionError { message: message.to_owned(), at: span.start }
}

/// Objects can be named by number: `#17.price`. For the parser these become names of the same length; their places are given.
fn without_object_numbers(text: &str) -> (String, Vec<u32>) {
    let mut plain = text.to_owned().into_bytes();
    let mut objects = Vec::new();
    // What closes the strings and templates around; `}` closes a value inside a template.
    let mut open: Vec<u8> = Vec::new();
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        let in_text = open.last().is_some_and(|&close| close != b'}');
        match bytes[i] {
            b'\\' if in_text => i += 1,
            close if open.last() == Some(&close) => {
                open.pop();
            }
            b'$' if open.last() == Some(&b'`') && bytes.get(i + 1) == Some(&b'{') => {
                open.push(b'}');
                i += 1;
            }
            _ if in_text => {}
            quote @ (b'\'' | b'"' | b'`') => open.push(quote),
            b'#' if bytes.get(i + 1).is_some_and(u8::is_ascii_digit) => {
                plain[i] = b'$';
                objects.push(i as u32);
            }
            _ => {}
        }
        i += 1;
    }
    (String::from_utf8(plain).unwrap_or_else(|_| text.to_owned()), objects)
}
