//! Functions and classes, and which parse names what is in them.

use js_syntax::SourceKind;
use oxc_ast::ast::*;

use super::{LikelyCalled, Parse, Rules, StackName, Value};

/// A function that a parse came upon.
pub struct Literal<'a> {
    /// Where it begins for V8.
    start: u32,
    node: Node<'a>,
    /// That it is in.
    around: Option<usize>,
    pub own: Option<&'a str>,
    pub inferred: String,
    /// Not skimmed.
    pub is_parsed: bool,
    /// Together with what is around it; the others are compiled when they are called, after another parse.
    pub is_compiled: bool,
}

#[derive(Clone, Copy)]
enum Node<'a> {
    Function(&'a Function<'a>),
    Arrow(&'a ArrowFunctionExpression<'a>),
    /// A constructor that nobody wrote.
    Nothing,
}

/// All parses of a program.
pub fn names<'a>(program: &'a Program<'a>, source: &'a str, kind: SourceKind, rules: Rules) -> Vec<StackName> {
    let is_strict = program.directives.iter().any(|directive| directive.directive.as_str() == "use strict");
    let is_outermost = kind == SourceKind::Script || (kind == SourceKind::Eval && !is_strict);
    let mut parse = Parse { is_outermost, ..Parse::new(source, rules) };
    parse.statements(&program.body);
    let mut names = Vec::new();
    let mut parses = vec![parse];
    while let Some(parse) = parses.pop() {
        for literal in parse.compiled() {
            // What is compiled at once is not given the name that was inferred for it.
            let name = if literal.is_compiled { String::new() } else { literal.inferred.clone() };
            if literal.own.is_none() {
                names.push(StackName { start: literal.start, name });
            }
            if !literal.is_compiled {
                parses.extend(literal.parse(source, rules));
            }
        }
    }
    names
}

impl<'a> Literal<'a> {
    /// As when it is called for the first time.
    fn parse(&self, source: &'a str, rules: Rules) -> Option<Parse<'a>> {
        let mut parse = Parse::new(source, rules);
        parse.constructor(self.own.unwrap_or_default());
        match self.node {
            Node::Function(function) => parse.in_function(function),
            Node::Arrow(arrow) => {
                parse.skims = false;
                parse.parameters(&arrow.params);
                parse.in_function_state(|parse| parse.arrow_body(arrow));
            }
            Node::Nothing => return None,
        }
        Some(parse)
    }
}

impl<'a> Parse<'a> {
    fn new(source: &'a str, rules: Rules) -> Parse<'a> {
        Parse {
            source,
            rules,
            names: Vec::new(),
            waiting: Vec::new(),
            open: 0,
            literals: Vec::new(),
            around: None,
            skims: true,
            is_outermost: false,
            called: LikelyCalled::default(),
            first_in_parentheses: None,
        }
    }

    /// Those that are made by code which this parse compiles.
    fn compiled(&self) -> impl Iterator<Item = &Literal<'a>> {
        let is_compiled = |literal: &&Literal| {
            let mut around = literal.around;
            while let Some(outer) = around.map(|at| &self.literals[at]) {
                if !outer.is_compiled {
                    return false;
                }
                around = outer.around;
            }
            true
        };
        self.literals.iter().filter(is_compiled)
    }

    /// A function, or the constructor of a class, which may wait for a name.
    pub fn function(&mut self, function: &'a Function<'a>, own: Option<&'a str>, start: u32, waits: bool) -> usize {
        let is_compiled = self.called.next;
        let is_parsed = !self.skims || is_compiled;
        let literal = self.literal(start, Node::Function(function), own);
        self.literals[literal].is_compiled = is_compiled;
        self.literals[literal].is_parsed = is_parsed;
        match is_parsed {
            true => self.inside(literal, |parse| parse.in_function(function)),
            // Its flags are reset all the same.
            false => self.in_function_state(|_| ()),
        }
        if waits {
            self.wait(literal);
        }
        literal
    }

    fn in_function(&mut self, function: &'a Function<'a>) {
        let skimmed = std::mem::replace(&mut self.skims, true);
        self.in_function_state(|parse| {
            parse.in_block(|parse| {
                parse.parameters(&function.params);
                function.body.iter().for_each(|body| parse.statements(&body.statements));
            });
        });
        self.skims = skimmed;
    }

    fn parameters(&mut self, parameters: &'a FormalParameters<'a>) {
        for parameter in &parameters.items {
            self.state(|parse| {
                parse.pattern(&parameter.pattern);
                if let Some(default) = &parameter.initializer {
                    let value = parse.assignment_expression(default);
                    parse.name_by(value, &parameter.pattern);
                }
            });
        }
        if let Some(rest) = &parameters.rest {
            self.state(|parse| parse.pattern(&rest.rest.argument));
        }
    }

    pub fn arrow(&mut self, arrow: &'a ArrowFunctionExpression<'a>) -> Value {
        let is_first = self.first_in_parentheses == Some(arrow.span.start) && !arrow.r#async;
        let is_compiled = is_first && self.rules.compiles_arrows_in_parentheses;
        self.arrow_head(arrow);
        let has_block = matches!(arrow.body, ArrowFunctionBody::FunctionBody(_));
        let literal = self.literal(arrow.span.start, Node::Arrow(arrow), None);
        self.literals[literal].is_compiled = is_compiled;
        self.literals[literal].is_parsed = !(has_block && self.skims && !is_compiled && self.is_outermost);
        self.in_function_state(|parse| {
            if parse.literals[literal].is_parsed {
                parse.inside(literal, |parse| parse.in_block(|parse| parse.arrow_body(arrow)));
            }
        });
        self.wait(literal);
        Value::Function(literal)
    }

    /// Parameters are parsed as the expression that they look like, before there is an arrow.
    fn arrow_head(&mut self, arrow: &'a ArrowFunctionExpression<'a>) {
        let parameters = &arrow.params;
        let has_parentheses = self.source[parameters.span.start as usize..].starts_with('(');
        if !has_parentheses {
            return;
        }
        if arrow.r#async {
            self.variable("async");
        }
        for parameter in &parameters.items {
            self.state(|parse| {
                parse.pattern(&parameter.pattern);
                if let Some(default) = &parameter.initializer {
                    let value = parse.assignment_expression(default);
                    parse.infer_from(value);
                    parse.name_by(value, &parameter.pattern);
                }
            });
        }
        match &parameters.rest {
            Some(rest) if arrow.r#async => self.pattern_or_default(&rest.rest.argument),
            // The name stays while the body is parsed.
            Some(rest) => self.pattern(&rest.rest.argument),
            None => {}
        }
        if arrow.r#async && self.open > 0 {
            self.names.pop();
        }
    }

    fn arrow_body(&mut self, arrow: &'a ArrowFunctionExpression<'a>) {
        match &arrow.body {
            ArrowFunctionBody::FunctionBody(body) => self.statements(&body.statements),
            expression => {
                self.assignment_expression(expression.to_expression());
            }
        }
    }

    /// The constructor stands for the class.
    pub fn class(&mut self, class: &'a Class<'a>, default: Option<&'a str>) -> usize {
        let name = class.id.as_ref().map(|id| id.name.as_str()).or(default);
        let mut constructor = None;
        self.in_block(|parse| {
            if let Some(heritage) = &class.heritage {
                parse.state(|parse| parse.expression(&heritage.expression));
            }
            for element in &class.body.body {
                match element {
                    ClassElement::StaticBlock(block) => {
                        parse.in_function_state(|parse| parse.statements(&block.body));
                    }
                    element => parse.state(|parse| {
                        constructor = parse.member(element, name).or(constructor);
                        parse.infer();
                    }),
                }
            }
        });
        let constructor = constructor.unwrap_or_else(|| self.literal(class.span.start, Node::Nothing, name));
        self.wait(constructor);
        constructor
    }

    /// The constructor, if it is this one.
    fn member(&mut self, element: &'a ClassElement<'a>, class: Option<&'a str>) -> Option<usize> {
        match element {
            ClassElement::MethodDefinition(method) => {
                let start = self.start_of_member(method.span.start, method.r#static);
                let name = self.property_key(&method.key, method.computed);
                let is_constructor = method.kind == MethodDefinitionKind::Constructor;
                let own = if is_constructor { class } else { name };
                let literal = self.function(&method.value, own, start, name.is_none());
                return is_constructor.then_some(literal);
            }
            ClassElement::PropertyDefinition(field) => {
                let name = self.property_key(&field.key, field.computed);
                if let Some(value) = &field.value {
                    let value = self.in_function_state(|parse| parse.assignment_expression(value));
                    if let Some(name) = name {
                        self.own_name(value, name);
                    }
                }
            }
            _ => {}
        }
        None
    }

    /// `static` does not belong to a method.
    fn start_of_member(&self, start: u32, is_static: bool) -> u32 {
        let text = &self.source[start as usize..];
        match text.strip_prefix("static") {
            Some(rest) if is_static => start + (text.len() - rest.trim_start().len()) as u32,
            _ => start,
        }
    }

    fn literal(&mut self, start: u32, node: Node<'a>, own: Option<&'a str>) -> usize {
        let around = self.around;
        let is_parsed = true;
        let inferred = String::new();
        self.literals.push(Literal { start, node, around, own, inferred, is_parsed, is_compiled: false });
        self.literals.len() - 1
    }

    fn inside(&mut self, literal: usize, inside: impl FnOnce(&mut Self)) {
        let around = self.around.replace(literal);
        inside(self);
        self.around = around;
    }
}
