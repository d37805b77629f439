//! Functions, classes and the top level.

use instrument::Role;
use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};
use oxc_syntax::node::NodeId;
use trace_model::{ExprId, FunctionIndex, Key, Literal, LocalSite, Node, VariableIndex, VariableRef};

use super::builder::{Builder, Frame};
use super::flow::BlockId;
use super::statements::declared_function;

/// What Node passes to a CommonJS module, as far as it is recorded; in the order in which it is.
pub(crate) const COMMONJS_PARAMETERS: [&str; 2] = ["module", "exports"];

impl<'a> Builder<'_> {
    pub fn program(&mut self, program: &Program<'a>) {
        let node = program.node_id();
        self.with_frame(FunctionIndex(0), node, |builder| {
            builder.emit_own(Role::Enter, None);
            builder.module_links(&program.body);
            builder.commonjs_parameters(node, Span::new(program.span.start, program.span.start));
            builder.hoisted(&program.body);
            builder.statements(&program.body);
            builder.end();
        });
    }

    fn commonjs_parameters(&mut self, program: NodeId, start: Span) {
        for name in COMMONJS_PARAMETERS {
            let Some(variable) = self.implicit_variable(name) else { continue };
            let target = self.add(Node::Variable(VariableRef::Known(variable)), start);
            let value = self.add(Node::Other(Vec::new()), start);
            let mut given = self.anchored.sites(program, Role::Given);
            let Some(site) = given.find(|site| self.table.site(*site).variable == Some(variable)) else { continue };
            let block = self.frame().current;
            self.emit_in(site, block, Some(value), Some(target));
            self.carries(value, Some(site));
        }
    }

    pub fn function_expression(&mut self, function: &Function<'a>, span: Span) -> ExprId {
        let value = self.method(function, span);
        let birth = self.emit(function.node_id(), Role::Birth, Some(value), None);
        self.carries(value, birth);
        value
    }

    /// `text` is what the function's own text is: for a method, with its key.
    pub fn method(&mut self, function: &Function<'a>, text: Span) -> ExprId {
        let Some(index) = self.anchored.function(function.node_id()) else {
            return self.add(Node::Other(Vec::new()), text);
        };
        let Some(body) = &function.body else { return self.add(Node::Other(Vec::new()), text) };
        self.with_scope(function.scope_id.get(), |builder| {
            builder.with_frame(index, function.node_id(), |builder| builder.function_body(&function.params, body));
        });
        self.add(Node::Function(index), text)
    }

    pub fn arrow_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) -> ExprId {
        let Some(index) = self.anchored.function(arrow.node_id()) else {
            return self.add(Node::Other(Vec::new()), arrow.span);
        };
        self.with_scope(arrow.scope_id.get(), |builder| {
            builder.with_frame(index, arrow.node_id(), |builder| match &arrow.body {
                ArrowFunctionBody::FunctionBody(body) => builder.function_body(&arrow.params, body),
                body => builder.arrow_body(&arrow.params, body.to_expression()),
            });
        });
        let value = self.add(Node::Function(index), arrow.span);
        let birth = self.emit(arrow.node_id(), Role::Birth, Some(value), None);
        self.carries(value, birth);
        value
    }

    fn function_body(&mut self, parameters: &FormalParameters<'a>, body: &FunctionBody<'a>) {
        self.enter(parameters);
        self.hoisted(&body.statements);
        self.statements(&body.statements);
        self.end();
    }

    fn arrow_body(&mut self, parameters: &FormalParameters<'a>, value: &Expression<'a>) {
        self.enter(parameters);
        self.with_statement(value.span(), value.span().end, |builder| {
            let id = builder.expression(value);
            let site = builder.emit_own(Role::End, Some(id));
            builder.carries(id, site);
        });
        self.emit_once(Role::Exit);
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
            self.binding_pattern(&parameter.pattern, value, &mut writes);
        }
        if let Some(rest) = &parameters.rest {
            let node = Node::Parameter { index: parameters.items.len() as u32, is_rest: true };
            let value = self.add(node, rest.rest.span);
            self.binding_pattern(&rest.rest.argument, value, &mut writes);
        }
        self.emit_once(Role::Enter);
        self.emit_given(Role::This, Node::This);
        self.pattern_written(writes);
        if self.emit_given(Role::Arguments, Node::Arguments) {
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

    /// Control comes to the end of the body.
    fn end(&mut self) {
        self.emit_own(Role::End, None);
        self.emit_once(Role::Exit);
    }

    /// A site of the function that is walked. A default value that is a function is two of them.
    fn own_site(&self, role: Role) -> Option<LocalSite> {
        let Frame { node, index, .. } = *self.frame();
        self.anchored.sites(node, role).find(|site| self.table.site(*site).function == index)
    }

    fn emit_own(&mut self, role: Role, value: Option<ExprId>) -> Option<LocalSite> {
        let site = self.own_site(role)?;
        let block = self.frame().current;
        self.emit_in(site, block, value, None);
        Some(site)
    }

    /// A site of the function as a whole, which no branch of it decides on.
    fn emit_once(&mut self, role: Role) {
        if let Some(site) = self.own_site(role) {
            self.emit_in(site, BlockId::ENTRY, None, None);
        }
    }

    /// A site that records what the function was given, which stands nowhere in its text; whether there is one.
    fn emit_given(&mut self, role: Role, node: Node) -> bool {
        let Some(site) = self.own_site(role) else { return false };
        let span = self.table.function(self.frame().index).span;
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
            let Some(index) = self.anchored.function(function.node_id()) else { continue };
            let target = self.declared(id);
            let value = self.add(Node::Function(index), function.span);
            let site = self.emit(function.node_id(), Role::Hoisted, Some(value), Some(target));
            self.carries(value, site);
        }
    }

    /// The write at the start of the list belongs to the statement as well.
    pub fn function_declaration(&mut self, function: &Function<'a>) {
        self.method(function, function.span);
        if let Some(site) = self.anchored.site(function.node_id(), Role::Hoisted) {
            self.move_to_statement(site);
        }
    }

    pub fn class(&mut self, class: &Class<'a>) -> ExprId {
        self.with_scope(class.scope_id.get(), |builder| {
            let mut parts = Vec::new();
            if let Some(heritage) = &class.heritage {
                parts.push(builder.expression(&heritage.expression));
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
                self.class_init(property.node_id(), |builder| builder.field(property, key));
            }
            ClassElement::StaticBlock(block) => self.with_scope(block.scope_id.get(), |builder| {
                builder.class_init(block.node_id(), |builder| builder.static_block(block));
            }),
            ClassElement::AccessorProperty(_) | ClassElement::TSIndexSignature(_) => {}
        }
    }

    fn static_block(&mut self, block: &StaticBlock<'a>) {
        self.emit_once(Role::Enter);
        self.emit_given(Role::This, Node::This);
        self.hoisted(&block.body);
        self.statements(&block.body);
        self.end();
    }

    fn field(&mut self, property: &PropertyDefinition<'a>, key: Key) {
        self.initialised(property.span, |builder| {
            let value = match &property.value {
                Some(value) => builder.expression(value),
                None => builder.add(Node::Literal(Literal::Undefined), property.span),
            };
            let object = builder.add(Node::This, property.span);
            let target = builder.add(Node::Member { object, key, is_optional: false }, property.span);
            let site = builder.emit(property.node_id(), Role::Write, Some(value), Some(target));
            builder.carries(value, site);
        });
    }

    /// What a parameter is if nothing is given for it; where it is recorded, as a function of its own.
    pub fn parameter_default(&mut self, default: &Expression<'a>) -> ExprId {
        let (node, span) = (default.node_id(), default.span());
        match self.anchored.initialiser(node) {
            Some(index) => {
                self.with_frame(index, node, |builder| builder.initialised(span, |builder| builder.expression(default)))
            }
            None => self.expression(default),
        }
    }

    /// An initialiser, from its entry to its return, where it has them.
    fn initialised<R>(&mut self, span: Span, inside: impl FnOnce(&mut Self) -> R) -> R {
        self.emit_once(Role::Enter);
        self.emit_given(Role::This, Node::This);
        let result = self.with_statement(span, span.end, inside);
        self.end();
        result
    }

    fn class_init(&mut self, node: NodeId, inside: impl FnOnce(&mut Self)) {
        if let Some(index) = self.anchored.initialiser(node) {
            self.with_frame(index, node, inside);
        }
    }
}
