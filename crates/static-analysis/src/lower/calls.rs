use oxc_ast::ast::*;
use oxc_span::GetSpan;
use trace_model::OperationKind;

use super::Lowerer;
use super::accesses::Property;
use crate::analysis::OperationSite;
use crate::model::{Call, CallId, Key, TokenKind};
use crate::rules::Listener;
use crate::solver::Node;

struct Arguments {
    nodes: Vec<Option<Node>>,
    spread: Option<(usize, Node)>,
    texts: [Option<Key>; 2],
    spans: Vec<oxc_span::Span>,
}

impl<'a> Lowerer<'_> {
    pub fn call(&mut self, call: &CallExpression<'a>) -> Node {
        let callee = call.callee.without_parentheses();
        let callee = match callee {
            // `(a?.b)()` has the receiver a as well.
            Expression::ChainExpression(chain) => chain.expression.as_member_expression().map(Callee::Member),
            callee => callee.as_member_expression().map(Callee::Member),
        }
        .unwrap_or(Callee::Other(callee));
        match callee {
            Callee::Member(member) => self.method_call(call, member),
            Callee::Other(Expression::Super(_)) => self.super_call(call),
            Callee::Other(callee) => {
                let callee = self.expression(callee).unwrap_or_else(|| self.an.node());
                let arguments = self.arguments(&call.arguments);
                let mut made = self.plain(call.span, callee, &arguments);
                made.gives_this = true;
                let result = made.result;
                let id = self.an.add_call(made);
                self.handed_out(id, call.span, &arguments);
                result
            }
        }
    }

    fn method_call(&mut self, call: &CallExpression<'a>, member: &MemberExpression<'a>) -> Node {
        let name = member.static_property_name();
        let result = self.call_of_method(call, member);
        // Of texts and patterns, which are no objects here.
        if name.is_some_and(|name| matches!(name, "split" | "match" | "exec")) {
            let made = self.made(TokenKind::Array, call.span);
            self.an.graph.add_token(result, made);
        }
        result
    }

    fn call_of_method(&mut self, call: &CallExpression<'a>, member: &MemberExpression<'a>) -> Node {
        let member = self.member(member);
        let arguments = self.arguments(&call.arguments);
        if let Property::Named(key) = member.property {
            let name = self.an.keys.name(key).to_owned();
            self.call_by_name(&name, member.base, call, &arguments);
        }
        let (Some(base), property) = (member.base, member.property) else {
            let nothing = self.an.node();
            let made = self.plain(call.span, nothing, &arguments);
            let result = made.result;
            self.an.add_call(made);
            return result;
        };
        let callee = self.an.node();
        let mut made = self.plain(call.span, callee, &arguments);
        let result = made.result;
        if member.is_super {
            made.this = Some(self.frame().this);
            made.gives_this = true;
            if let Some(found) = self.read_member(&member) {
                self.an.graph.add_edge(found, callee);
            }
            self.an.add_call(made);
            return result;
        }
        made.this = Some(base);
        let id = match property {
            Property::Named(key) => {
                let id = self.an.add_call(made);
                self.an.graph.listen(base, Listener::Method { key, call: id });
                self.an.methods.push((id, key));
                let name = self.an.keys.name(key).to_owned();
                self.an.operations.push(OperationSite {
                    function: self.frame().function,
                    span: self.span(call.span),
                    object: self.span(member.object),
                    node: base,
                    kind: OperationKind::UnknownMethod(name),
                    call: Some(id),
                    argument: 0,
                });
                id
            }
            Property::Computed { .. } => {
                made.gives_this = true;
                if let Some(found) = self.read_member(&member) {
                    self.an.graph.add_edge(found, callee);
                }
                // A table of functions; where it ran, what ran is known.
                let data = self.an.function(self.frame().function);
                let has_run = data.index.is_some_and(|index| self.an.entered.contains(&(data.code, index)));
                self.an.graph.listen(base, Listener::LoadUnknown { to: callee, all: !has_run });
                self.an.add_call(made)
            }
        };
        self.handed_out(id, call.span, &arguments);
        result
    }

    /// Methods of texts, which are no objects here, that call what they are given; and names that may become those of accessors, so that
    /// most need not be told again.
    fn call_by_name(&mut self, name: &str, base: Option<Node>, call: &CallExpression<'a>, arguments: &Arguments) {
        if matches!(name, "replace" | "replaceAll")
            && let Some(callback) = arguments.nodes.get(1).copied().flatten()
        {
            let made = self.plain(call.span, callback, &Arguments::none());
            self.an.add_call(made);
        }
        if name == "defineProperty" {
            self.defines_copy(call);
        }
        // Every object inherits these from a built-in that most objects are not given here.
        if matches!(name, "__defineGetter__" | "__defineSetter__")
            && let (Some(base), Some(key)) = (base, arguments.texts[0])
            && let Some(accessor) = arguments.nodes.get(1).copied().flatten()
        {
            let site = self.site(call.span);
            self.an.define_accessor(base, name, key, accessor, site);
        }
        if name.contains("efine")
            && let Some(key) = arguments.texts[1].or(arguments.texts[0])
        {
            self.an.getters.insert(key);
            self.an.setters.insert(key);
        }
    }

    fn super_call(&mut self, call: &CallExpression<'a>) -> Node {
        let arguments = self.arguments(&call.arguments);
        let owner = self.frame().owner;
        let class = self.an.function(owner).token;
        let callee = self.an.slot(class, Key::PROTO);
        let this = self.frame().this;
        let made = self.plain(call.span, callee, &arguments);
        self.an.add_call(Call { this: Some(this), gives_this: true, is_super: true, ..made });
        this
    }

    pub fn new_expression(&mut self, new: &NewExpression<'a>) -> Node {
        let callee = self.expression(&new.callee).unwrap_or_else(|| self.an.node());
        let arguments = self.arguments(&new.arguments);
        let made = self.plain(new.span, callee, &arguments);
        let result = made.result;
        let id = self.an.add_call(Call { is_new: true, ..made });
        self.an.news.push(id);
        self.handed_out(id, new.span, &arguments);
        result
    }

    pub fn tagged_template(&mut self, tagged: &TaggedTemplateExpression<'a>) -> Node {
        let strings = self.made(TokenKind::Array, tagged.quasi.span);
        let strings = self.an.node_of(strings);
        let mut arguments = Arguments::none();
        arguments.nodes.push(Some(strings));
        for part in &tagged.quasi.expressions {
            let value = self.expression(part);
            arguments.nodes.push(value);
        }
        if let Some(member) = tagged.tag.as_member_expression() {
            let member = self.member(member);
            let callee = self.an.node();
            let made = self.plain(tagged.span, callee, &arguments);
            let result = made.result;
            if let (Some(base), Property::Named(key)) = (member.base, member.property) {
                let id = self.an.add_call(Call { this: Some(base), ..made });
                self.an.graph.listen(base, Listener::Method { key, call: id });
            }
            return result;
        }
        let callee = self.expression(&tagged.tag).unwrap_or_else(|| self.an.node());
        let made = self.plain(tagged.span, callee, &arguments);
        let result = made.result;
        self.an.add_call(made);
        result
    }

    /// A call that the language makes by itself.
    pub fn call_method(&mut self, base: Node, name: &str, arguments: Vec<Option<Node>>, span: oxc_span::Span) -> Node {
        let callee = self.an.node();
        let made = self.plain(span, callee, &Arguments { nodes: arguments, ..Arguments::none() });
        let result = made.result;
        let id = self.an.add_call(Call { this: Some(base), ..made });
        let key = self.key(name);
        self.an.graph.listen(base, Listener::Method { key, call: id });
        result
    }

    fn plain(&mut self, span: oxc_span::Span, callee: Node, arguments: &Arguments) -> Call {
        Call {
            site: self.site(span),
            callee,
            this: None,
            gives_this: false,
            arguments: arguments.nodes.clone(),
            spread: arguments.spread,
            texts: arguments.texts,
            result: self.an.node(),
            thrown: self.frame().thrown,
            is_new: false,
            is_super: false,
            is_later: false,
            depth: 0,
        }
    }

    fn arguments(&mut self, given: &[Argument<'a>]) -> Arguments {
        let mut arguments = Arguments::none();
        for (i, argument) in given.iter().enumerate() {
            arguments.spans.push(argument.span());
            match argument {
                Argument::SpreadElement(spread) => {
                    let elements = self.expression(&spread.argument).map(|of| self.iterate(of, spread.span, false));
                    let node = arguments.spread.map_or_else(|| self.an.node(), |(_, node)| node);
                    self.copy(elements, node);
                    let from = arguments.spread.map_or(i, |(from, _)| from);
                    arguments.spread = Some((from, node));
                }
                argument => {
                    let expression = argument.to_expression();
                    let value = self.expression(expression);
                    match arguments.spread {
                        Some((_, node)) => self.copy(value, node),
                        None => {
                            if i < 2 {
                                arguments.texts[i] = self.text(expression);
                            }
                            arguments.nodes.push(value);
                        }
                    }
                }
            }
        }
        arguments
    }

    /// Whether the arguments leave the program is known in the end.
    fn handed_out(&mut self, id: CallId, span: oxc_span::Span, arguments: &Arguments) {
        for (i, node) in arguments.nodes.iter().enumerate() {
            let Some(node) = *node else { continue };
            let operation = OperationSite {
                function: self.frame().function,
                span: self.span(span),
                object: arguments.spans.get(i).map_or_else(|| self.span(span), |&span| self.span(span)),
                node,
                kind: OperationKind::HandedOut,
                call: Some(id),
                argument: i,
            };
            self.an.operations.push(operation);
        }
    }
}

enum Callee<'e, 'a> {
    Member(&'e MemberExpression<'a>),
    Other(&'e Expression<'a>),
}

impl Arguments {
    fn none() -> Arguments {
        Arguments { nodes: Vec::new(), spread: None, texts: [None; 2], spans: Vec::new() }
    }
}
