//! Functions, classes and the top level.

use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};
use trace_model::{ExprId, FunctionIndex, Key, Literal, Node, SiteKind, VariableIndex};

use super::builder::Builder;
use super::flow::BlockId;
use super::statements::declared_function;

/// What Node passes to a CommonJS module, as far as it is recorded; in the order in which it is.
pub(crate) const COMMONJS_PARAMETERS: [&str; 2] = ["module", "exports"];

impl<'a> Builder<'_> {
    pub fn program(&mut self, program: &Program<'a>) {
        self.with_frame(FunctionIndex(0), |builder| {
            let start = Span::new(program.span.start, program.span.start);
            builder.emit(SiteKind::Enter, start, None, None);
            builder.module_links(&program.body);
            for name in COMMONJS_PARAMETERS {
                if let Some(target) = builder.implicit(name, start) {
                    let value = builder.add(Node::Other(Vec::new()), start);
                    let site = builder.emit(SiteKind::Param, start, Some(value), Some(target));
                    builder.carries(value, site);
                }
            }
            builder.hoisted(&program.body);
            builder.statements(&program.body);
            let end = program.body.last().map_or(program.span.end, |last| last.span().end);
            let end = Span::new(end, end);
            builder.emit(SiteKind::Return, end, None, None);
            let end = builder.span(end);
            builder.emit_once(SiteKind::Exit, end);
        });
    }

    pub fn function_expression(&mut self, function: &Function<'a>, span: Span) -> ExprId {
        let value = self.method(function, span);
        let birth = self.emit(SiteKind::FunctionBirth, span, Some(value), None);
        self.carries(value, birth);
        value
    }

    /// `text` is what the function's own text is: for a method, with its key.
    pub fn method(&mut self, function: &Function<'a>, text: Span) -> ExprId {
        let Some(index) = self.finder.function(self.span(function.span)) else {
            return self.add(Node::Other(Vec::new()), text);
        };
        let Some(body) = &function.body else { return self.add(Node::Other(Vec::new()), text) };
        self.with_scope(function.scope_id.get(), |builder| {
            builder.with_frame(index, |builder| builder.function_body(&function.params, body));
        });
        self.add(Node::Function(index), text)
    }

    pub fn arrow_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) -> ExprId {
        let Some(index) = self.finder.function(self.span(arrow.span)) else {
            return self.add(Node::Other(Vec::new()), arrow.span);
        };
        self.with_scope(arrow.scope_id.get(), |builder| {
            builder.with_frame(index, |builder| match &arrow.body {
                ArrowFunctionBody::FunctionBody(body) => builder.function_body(&arrow.params, body),
                body => builder.arrow_body(&arrow.params, body.to_expression()),
            });
        });
        let value = self.add(Node::Function(index), arrow.span);
        let birth = self.emit(SiteKind::FunctionBirth, arrow.span, Some(value), None);
        self.carries(value, birth);
        value
    }

    fn function_body(&mut self, parameters: &FormalParameters<'a>, body: &FunctionBody<'a>) {
        self.enter(parameters);
        self.hoisted(&body.statements);
        self.statements(&body.statements);
        let end = Span::new(body.span.end - 1, body.span.end);
        self.emit(SiteKind::Return, end, None, None);
        self.exit();
    }

    fn arrow_body(&mut self, parameters: &FormalParameters<'a>, value: &Expression<'a>) {
        self.enter(parameters);
        self.with_statement(value.span(), value.span().end, |builder| {
            let id = builder.expression(value);
            let site = builder.emit(SiteKind::Return, value.span(), Some(id), None);
            builder.carries(id, site);
        });
        self.exit();
    }

    /// What happens before the body.
    fn enter(&mut self, parameters: &FormalParameters<'a>) {
        let index = self.frame().index;
        let n_parameters = parameters.items.len() + usize::from(parameters.rest.is_some());
        self.facts.functions[index.0 as usize].n_parameters = n_parameters as u32;
        let mut writes = Vec::new();
        for (i, parameter) in parameters.items.iter().enumerate() {
            let node = Node::Parameter { index: i as u32, is_rest: false };
            let mut value = self.add(node, parameter.span);
            if let Some(default) = &parameter.initializer {
                value = self.with_default(value, default);
            }
            self.binding_pattern(&parameter.pattern, value, SiteKind::Param, &mut writes);
        }
        if let Some(rest) = &parameters.rest {
            let node = Node::Parameter { index: parameters.items.len() as u32, is_rest: true };
            let value = self.add(node, rest.rest.span);
            self.binding_pattern(&rest.rest.argument, value, SiteKind::Param, &mut writes);
        }
        let text = self.table.function(index).span;
        self.emit_once(SiteKind::Enter, text);
        self.emit_given(SiteKind::This, Node::This);
        self.pattern_written(writes);
        if self.emit_given(SiteKind::Arguments, Node::Arguments) {
            self.facts.functions[index.0 as usize].mapped_parameters = self.parameters_in_arguments(parameters);
        }
    }

    /// In sloppy functions with nothing but plain parameters, the elements of `arguments` and the parameters are the same.
    fn parameters_in_arguments(&self, parameters: &FormalParameters<'a>) -> Vec<VariableIndex> {
        let is_strict = self.scoping.scope_flags(self.scope).is_strict_mode();
        if is_strict || parameters.rest.is_some() {
            return Vec::new();
        }
        let plain = |item: &FormalParameter<'a>| match (&item.pattern, &item.initializer) {
            (BindingPattern::BindingIdentifier(id), None) => self.variable(id.symbol_id.get()?),
            _ => None,
        };
        let mapped: Vec<VariableIndex> = parameters.items.iter().map_while(plain).collect();
        let is_one_twice = (1..mapped.len()).any(|at| mapped[..at].contains(&mapped[at]));
        if mapped.len() < parameters.items.len() || is_one_twice { Vec::new() } else { mapped }
    }

    fn exit(&mut self) {
        let end = self.table.function(self.frame().index).span.end;
        self.emit_once(SiteKind::Exit, trace_model::Span { start: end.saturating_sub(1), end });
    }

    /// A site of the function as a whole, which no branch of it decides on.
    fn emit_once(&mut self, kind: SiteKind, span: trace_model::Span) {
        if let Some(site) = self.finder.take(kind, span) {
            self.emit_in(site, BlockId::ENTRY, None, None);
        }
    }

    /// A site that records what the function was given, which stands nowhere in its text; whether there is one.
    fn emit_given(&mut self, kind: SiteKind, node: Node) -> bool {
        let span = self.table.function(self.frame().index).span;
        let Some(site) = self.finder.take(kind, span) else { return false };
        let value = self.add_at(node, span);
        self.emit_in(site, BlockId::ENTRY, Some(value), None);
        self.carries(value, Some(site));
        true
    }

    /// Functions that a list of statements declares exist from its start.
    pub fn hoisted(&mut self, statements: &[Statement<'a>]) {
        for statement in statements {
            let Some(function) = declared_function(statement) else { continue };
            let Some(id) = &function.id else { continue };
            let Some(index) = self.finder.function(self.span(function.span)) else { continue };
            let target = self.declared(id);
            let value = self.add(Node::Function(index), function.span);
            if let Some(site) = self.emit(SiteKind::Var, function.span, Some(value), Some(target)) {
                self.carries(value, Some(site));
                self.hoisted.insert(index, site);
            }
        }
    }

    /// The write at the start of the list belongs to the statement as well.
    pub fn function_declaration(&mut self, function: &Function<'a>) {
        self.method(function, function.span);
        let index = self.finder.function(self.span(function.span));
        if let Some(site) = index.and_then(|index| self.hoisted.remove(&index)) {
            self.move_to_statement(site);
        }
    }

    pub fn class(&mut self, class: &Class<'a>) -> ExprId {
        self.with_scope(class.scope_id.get(), |builder| {
            let mut parts = Vec::new();
            if let Some(heritage) = &class.heritage {
                parts.push(builder.with_printed(true, |builder| builder.expression(&heritage.expression)));
            }
            for element in &class.body.body {
                builder.class_element(element);
            }
            builder.add(Node::Other(parts), class.span)
        })
    }

    fn class_element(&mut self, element: &ClassElement<'a>) {
        match element {
            ClassElement::MethodDefinition(method) => {
                self.property_key(&method.key, method.computed);
                self.method(&method.value, method.span);
            }
            ClassElement::PropertyDefinition(property) => {
                let key = self.property_key(&property.key, property.computed);
                self.class_init(property.span, |builder| builder.field(property, key));
            }
            ClassElement::StaticBlock(block) => self.with_scope(block.scope_id.get(), |builder| {
                builder.class_init(block.span, |builder| builder.static_block(block));
            }),
            ClassElement::AccessorProperty(_) | ClassElement::TSIndexSignature(_) => {}
        }
    }

    fn static_block(&mut self, block: &StaticBlock<'a>) {
        let text = self.span(block.span);
        self.emit_once(SiteKind::Enter, text);
        self.emit_given(SiteKind::This, Node::This);
        self.hoisted(&block.body);
        self.statements(&block.body);
        let end = Span::new(block.span.end - 1, block.span.end);
        self.emit(SiteKind::Return, end, None, None);
        self.exit();
    }

    fn field(&mut self, property: &PropertyDefinition<'a>, key: Key) {
        self.initialised(property.span, |builder| {
            let value = match &property.value {
                Some(value) => builder.expression(value),
                None => builder.add(Node::Literal(Literal::Undefined), property.span),
            };
            let object = builder.add(Node::This, property.span);
            let target = builder.add(Node::Member { object, key, is_optional: false }, property.span);
            let site = builder.emit(SiteKind::Field, property.span, Some(value), Some(target));
            builder.carries(value, site);
        });
    }

    /// What a parameter is if nothing is given for it; where it is recorded, as a function of its own.
    pub fn parameter_default(&mut self, default: &Expression<'a>) -> ExprId {
        let span = default.span();
        match self.finder.class_init(self.span(span)) {
            Some(index) => {
                self.with_frame(index, |builder| builder.initialised(span, |builder| builder.expression(default)))
            }
            None => self.expression(default),
        }
    }

    /// An initialiser, from its entry to its return, where it has them.
    fn initialised<R>(&mut self, span: Span, inside: impl FnOnce(&mut Self) -> R) -> R {
        let text = self.span(span);
        self.emit_once(SiteKind::Enter, text);
        self.emit_given(SiteKind::This, Node::This);
        let result = self.with_statement(span, span.end, inside);
        self.emit(SiteKind::Return, Span::new(span.end, span.end), None, None);
        self.exit();
        result
    }

    fn class_init(&mut self, span: Span, inside: impl FnOnce(&mut Self)) {
        if let Some(index) = self.finder.class_init(self.span(span)) {
            self.with_frame(index, inside);
        }
    }
}
