use oxc_ast::ast::*;
use oxc_span::GetSpan;

use super::{Frame, Lowerer};
use crate::model::{FunctionData, FunctionId, Key, SourceRange, TokenKind};
use crate::rules::Listener;
use crate::solver::{Node, Token};

/// What of a function its syntax says before it is read.
#[derive(Clone, Copy, Default)]
pub struct Shape {
    pub is_arrow: bool,
    pub is_async: bool,
    pub is_generator: bool,
    /// Whether it can be called with `new`.
    pub has_prototype: bool,
}

impl<'a> Lowerer<'_> {
    pub fn function_declaration(&mut self, function: &Function<'a>) {
        let id = self.function_of(function);
        if let Some(symbol) = function.id.as_ref().and_then(|id| id.symbol_id.get()) {
            let node = self.symbol(symbol);
            let token = self.an.function(id).token;
            self.an.graph.add_token(node, token);
        }
        self.function_body(function, id, None);
    }

    pub fn function_expression(&mut self, function: &Function<'a>) -> Node {
        let id = self.function_of(function);
        let token = self.an.function(id).token;
        if let Some(symbol) = function.id.as_ref().and_then(|id| id.symbol_id.get()) {
            let node = self.symbol(symbol);
            self.an.graph.add_token(node, token);
        }
        self.function_body(function, id, None);
        self.an.node_of(token)
    }

    /// A method or accessor: no constructor, and with a home.
    pub fn method(&mut self, function: &Function<'a>, home: Option<Token>) -> Token {
        let shape = Shape { is_async: function.r#async, is_generator: function.generator, ..Shape::default() };
        let id = self.new_function(function.span, shape);
        self.function_body(function, id, home);
        self.an.function(id).token
    }

    /// The function of this syntax, which may not be read yet.
    pub fn function_of(&mut self, function: &Function<'a>) -> FunctionId {
        if let Some(&id) = self.met.get(&function.span.start) {
            return id;
        }
        let shape = Shape {
            is_async: function.r#async,
            is_generator: function.generator,
            has_prototype: !function.r#async,
            is_arrow: false,
        };
        let id = self.new_function(function.span, shape);
        self.met.insert(function.span.start, id);
        id
    }

    pub fn new_function(&mut self, span: oxc_span::Span, shape: Shape) -> FunctionId {
        let index = self.functions.function(self.span(span));
        self.add_function(index, span, shape)
    }

    pub fn add_function(
        &mut self,
        index: Option<trace_model::FunctionIndex>,
        span: oxc_span::Span,
        shape: Shape,
    ) -> FunctionId {
        let id = FunctionId(self.an.functions.len() as u32);
        let place = SourceRange::new(self.code, self.span(span));
        let maker = self.frame().function;
        let token = self.an.token(TokenKind::Function(id), Some((place, maker)));
        let [this, returned, thrown, new_target] = std::array::from_fn(|_| self.an.node());
        self.an.add_function(FunctionData {
            code: self.code,
            index,
            span: self.span(span),
            is_arrow: shape.is_arrow,
            is_class_init: false,
            parameters: Vec::new(),
            rest: None,
            arguments: None,
            this,
            returned,
            thrown,
            new_target,
            token,
            given: None,
        });
        self.an.set_native_prototype(token, "Function.prototype");
        if shape.has_prototype {
            let prototype = self.an.token(TokenKind::Prototype(id), Some((place, maker)));
            let (key, constructor) = (self.key("prototype"), self.key("constructor"));
            let slot = self.an.slot(token, key);
            self.an.graph.add_token(slot, prototype);
            let slot = self.an.slot(prototype, constructor);
            self.an.graph.add_token(slot, token);
            if self.an.extends_objects {
                self.an.set_native_prototype(prototype, "Object.prototype");
            }
        }
        if shape.is_generator {
            let generator = self.an.token(TokenKind::Generator, Some((place, id)));
            self.an.set_native_prototype(generator, "Iterator.prototype");
            let slot = self.an.slot(generator, Key::RETURNED);
            self.an.graph.add_edge(returned, slot);
            self.an.functions[id.0 as usize].given = Some(generator);
        } else if shape.is_async {
            let promise = self.an.token(TokenKind::Promise, Some((place, id)));
            self.an.set_native_prototype(promise, "Promise.prototype");
            self.an.fulfil(promise, returned);
            let slot = self.an.slot(promise, Key::REJECTED);
            self.an.graph.add_edge(thrown, slot);
            self.an.functions[id.0 as usize].given = Some(promise);
        }
        id
    }

    pub fn function_body(&mut self, function: &Function<'a>, id: FunctionId, home: Option<Token>) {
        let Some(body) = &function.body else { return };
        self.within(id, home, |lowerer| {
            lowerer.parameters(&function.params, id);
            lowerer.statements(&body.statements);
        });
    }

    /// Reads the code of a function that has a `this` of its own.
    pub fn within(&mut self, id: FunctionId, home: Option<Token>, read: impl FnOnce(&mut Self)) {
        let data = self.an.function(id);
        let (this, thrown) = (data.this, data.thrown);
        self.frames.push(Frame { function: id, owner: id, this, thrown, home, depth: 0 });
        read(self);
        self.frames.pop();
    }

    pub fn arrow(&mut self, arrow: &ArrowFunctionExpression<'a>) -> Node {
        let shape = Shape { is_arrow: true, is_async: arrow.r#async, ..Shape::default() };
        let id = self.new_function(arrow.span, shape);
        let thrown = self.an.function(id).thrown;
        let frame = Frame { function: id, thrown, depth: 0, ..self.frame().clone() };
        self.frames.push(frame);
        self.parameters(&arrow.params, id);
        match &arrow.body {
            ArrowFunctionBody::FunctionBody(body) => self.statements(&body.statements),
            body => {
                let value = self.expression(body.to_expression());
                let returned = self.an.function(id).returned;
                self.copy(value, returned);
            }
        }
        self.frames.pop();
        let token = self.an.function(id).token;
        self.an.node_of(token)
    }

    fn parameters(&mut self, parameters: &FormalParameters<'a>, id: FunctionId) {
        for parameter in &parameters.items {
            let node = match &parameter.pattern {
                BindingPattern::BindingIdentifier(name) => match name.symbol_id.get() {
                    Some(symbol) => self.symbol(symbol),
                    None => self.an.node(),
                },
                _ => self.an.node(),
            };
            self.an.functions[id.0 as usize].parameters.push(node);
            if let Some(default) = &parameter.initializer {
                let value = self.default_value(default);
                self.copy(value, node);
            }
            if !matches!(parameter.pattern, BindingPattern::BindingIdentifier(_)) {
                self.bind(&parameter.pattern, Some(node));
            }
        }
        if let Some(rest) = &parameters.rest {
            let array = self.made(TokenKind::Array, rest.rest.span());
            let node = self.an.node_of(array);
            self.an.functions[id.0 as usize].rest = Some((parameters.items.len(), node));
            self.bind(&rest.rest.argument, Some(node));
        }
    }

    /// A default value. That of a parameter runs before its function begins, as a function of its own.
    pub fn default_value(&mut self, default: &Expression<'a>) -> Option<Node> {
        let span = default.span();
        let Some(index) = self.functions.class_init(self.span(span)) else { return self.expression(default) };
        let init = self.add_function(Some(index), span, Shape { is_arrow: true, ..Shape::default() });
        self.an.functions[init.0 as usize].is_class_init = true;
        self.called_at(self.frame().function, span, init);
        let frame = Frame { function: init, ..self.frame().clone() };
        self.frames.push(frame);
        let value = self.expression(default);
        self.frames.pop();
        value
    }

    /// The `arguments` of the function that is being read.
    pub fn arguments_object(&mut self) -> Node {
        let owner = self.frame().owner;
        let token = match self.an.function(owner).arguments {
            Some(token) => token,
            None => {
                let data = self.an.function(owner);
                let place = SourceRange::new(data.code, data.span);
                let token = self.an.token(TokenKind::Arguments(owner), Some((place, owner)));
                self.an.functions[owner.0 as usize].arguments = Some(token);
                token
            }
        };
        self.an.node_of(token)
    }

    pub fn yielded(&mut self, expression: &YieldExpression<'a>) -> Option<Node> {
        let value = expression.argument.as_ref().and_then(|argument| self.expression(argument));
        let generator = self.an.function(self.frame().function).given?;
        let yielded = self.an.slot(generator, Key::YIELDED);
        match (expression.delegate, value) {
            (true, Some(value)) => {
                let element = self.iterate(value, expression.span, false);
                self.an.graph.add_edge(element, yielded);
                let result = self.an.node();
                self.an.graph.listen(value, Listener::Own { key: Key::RETURNED, to: result });
                return Some(result);
            }
            (false, value) => self.copy(value, yielded),
            (true, None) => {}
        }
        Some(self.an.slot(generator, Key::SENT))
    }
}
