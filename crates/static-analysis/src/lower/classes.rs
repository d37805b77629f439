use oxc_ast::ast::*;

use super::Lowerer;
use super::functions::Shape;
use crate::model::{Call, FunctionId, Key};
use crate::solver::{Node, Token};

impl<'a> Lowerer<'_> {
    pub fn class(&mut self, class: &Class<'a>) -> Node {
        let base = class.heritage.as_ref().map(|heritage| self.expression(&heritage.expression));
        let constructor = class.body.body.iter().find_map(|element| match element {
            ClassElement::MethodDefinition(method) if method.kind == MethodDefinitionKind::Constructor => {
                Some(&method.value)
            }
            _ => None,
        });
        let shape = Shape { has_prototype: true, ..Shape::default() };
        let index = constructor.and_then(|constructor| self.functions.function(self.span(constructor.span)));
        let id = self.add_function(index, class.span, shape);
        let token = self.an.function(id).token;
        if let Some(symbol) = class.id.as_ref().and_then(|id| id.symbol_id.get()) {
            let node = self.symbol(symbol);
            self.an.graph.add_token(node, token);
            self.declared.insert(symbol, id);
        }
        let prototype_key = self.key("prototype");
        let prototypes = self.an.slot(token, prototype_key);
        let prototype = self.an.graph.tokens(prototypes).iter().next().unwrap_or(token);
        if let Some(Some(base)) = base {
            let inherits = self.an.slot(token, Key::PROTO);
            self.an.graph.add_edge(base, inherits);
            let site = self.site(class.span);
            let inherited = self.an.slot(prototype, Key::PROTO);
            self.an.load(base, prototype_key, inherited, site);
        }
        self.class_body(class, id, token, prototype);
        match constructor {
            Some(constructor) => self.function_body(constructor, id, Some(prototype)),
            None if base.is_some() => self.implicit_constructor(class, id, prototype),
            None => {}
        }
        self.an.node_of(token)
    }

    fn class_body(&mut self, class: &Class<'a>, id: FunctionId, token: Token, prototype: Token) {
        for element in &class.body.body {
            match element {
                ClassElement::MethodDefinition(method) => {
                    let home = if method.r#static { token } else { prototype };
                    if method.kind == MethodDefinitionKind::Constructor {
                        continue;
                    }
                    let key = self.property_key(&method.key, method.computed);
                    let function = self.method(&method.value, Some(home));
                    self.define_member(home, key, function, method.kind);
                }
                ClassElement::PropertyDefinition(property) => self.field(property, id, token, prototype),
                ClassElement::StaticBlock(block) => {
                    let init = self.class_init(block.span, id);
                    let this = self.an.function(init).this;
                    self.an.graph.add_token(this, token);
                    let maker = self.frame().function;
                    self.called_at(maker, block.span, init);
                    self.within(init, Some(token), |lowerer| lowerer.statements(&block.body));
                }
                ClassElement::AccessorProperty(_) | ClassElement::TSIndexSignature(_) => {}
            }
        }
    }

    pub fn define_member(
        &mut self,
        home: Token,
        key: super::accesses::Property,
        function: Token,
        kind: MethodDefinitionKind,
    ) {
        let value = self.an.node_of(function);
        let key = match key {
            super::accesses::Property::Named(key) => key,
            super::accesses::Property::Computed { node, .. } => {
                let base = self.an.node_of(home);
                let site = crate::model::Site { function: self.frame().function, span: Default::default() };
                self.store_computed(base, node, value, site);
                return;
            }
        };
        let slot_key = match kind {
            MethodDefinitionKind::Get => {
                self.an.getters.insert(key);
                self.an.keys.getter(key)
            }
            MethodDefinitionKind::Set => {
                self.an.setters.insert(key);
                self.an.keys.setter(key)
            }
            _ => key,
        };
        let slot = self.an.slot(home, slot_key);
        self.an.graph.add_edge(value, slot);
        self.an.definite.insert((home, slot_key));
        self.an.definite.insert((home, key));
    }

    fn field(&mut self, property: &PropertyDefinition<'a>, id: FunctionId, token: Token, prototype: Token) {
        let key = self.property_key(&property.key, property.computed);
        let Some(value) = &property.value else { return };
        let init = self.class_init(property.span, id);
        let (caller, home) = match property.r#static {
            true => (self.frame().function, token),
            false => (id, prototype),
        };
        self.called_at(caller, property.span, init);
        let this = self.an.function(init).this;
        match property.r#static {
            true => self.an.graph.add_token(this, token),
            false => {
                let instance = self.an.function(id).this;
                self.an.graph.add_edge(instance, this);
            }
        }
        self.within(init, Some(home), |lowerer| {
            let Some(value) = lowerer.expression(value) else { return };
            let site = lowerer.site(property.span);
            match key {
                super::accesses::Property::Named(key) => lowerer.an.store(this, key, value, site),
                super::accesses::Property::Computed { node, .. } => lowerer.store_computed(this, node, value, site),
            }
        });
    }

    fn class_init(&mut self, span: oxc_span::Span, _class: FunctionId) -> FunctionId {
        let index = self.functions.class_init(self.span(span));
        let init = self.add_function(index, span, Shape::default());
        self.an.functions[init.0 as usize].is_class_init = true;
        init
    }

    /// A function calls another by itself.
    pub fn called_at(&mut self, caller: FunctionId, span: oxc_span::Span, callee: FunctionId) {
        let site = crate::model::Site { function: caller, span: self.span(span) };
        let access = self.an.access(site);
        self.an.edges.insert((access, callee));
    }

    /// `constructor(...args) { super(...args) }`, which nobody wrote.
    fn implicit_constructor(&mut self, class: &Class<'a>, id: FunctionId, prototype: Token) {
        let _ = prototype;
        const FORWARDED: usize = 6;
        let parameters: Vec<Node> = (0..FORWARDED).map(|_| self.an.node()).collect();
        self.an.functions[id.0 as usize].parameters = parameters.clone();
        let data = self.an.function(id);
        let (token, this, thrown) = (data.token, data.this, data.thrown);
        let callee = self.an.slot(token, Key::PROTO);
        let site = crate::model::Site { function: id, span: self.span(class.span) };
        let result = self.an.node();
        self.an.add_call(Call {
            site,
            callee,
            this: Some(this),
            gives_this: true,
            arguments: parameters.into_iter().map(Some).collect(),
            spread: None,
            texts: [None; 2],
            result,
            thrown,
            is_new: false,
            is_super: true,
            is_later: false,
            depth: 0,
        });
    }
}
