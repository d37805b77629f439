//! Calls and optional chains.

use instrument::Role;
use oxc_ast::ast::*;
use oxc_span::Span;
use oxc_syntax::node::NodeId;
use trace_model::{Call, ExprId, LocalSite, Node, Way};

use super::builder::{Builder, told};
use super::flow::BlockId;

/// A call whose callee and arguments are yet to be walked.
struct Begun {
    node: NodeId,
    span: Span,
    /// Nothing if its mark stands behind its arguments.
    call_site: Option<LocalSite>,
}

impl<'a> Builder<'_> {
    /// `span` is that of the whole chain for a call that ends one.
    pub fn call(&mut self, call: &CallExpression<'a>, span: Span) -> ExprId {
        let begun = self.begin_call(call.node_id(), span);
        let callee = self.expression(&call.callee);
        if call.optional {
            self.optional_base(callee, call.callee.node_id());
        }
        self.emit(call.node_id(), Role::ResumedAmongArguments, None, None);
        let arguments = self.arguments(&call.arguments);
        if matches!(call.callee, Expression::Super(_)) {
            let this = self.add(Node::This, call.span);
            let site = self.emit(call.node_id(), Role::ThisOfSuper, Some(this), None);
            self.carries(this, site);
        }
        self.end_call(begun, callee, arguments, false, call.optional)
    }

    pub fn new_expression(&mut self, new: &NewExpression<'a>) -> ExprId {
        let begun = self.begin_call(new.node_id(), new.span);
        let callee = self.expression(&new.callee);
        self.emit(new.node_id(), Role::ResumedAmongArguments, None, None);
        let arguments = self.arguments(&new.arguments);
        self.end_call(begun, callee, arguments, true, false)
    }

    /// A call whose first argument is the array of texts.
    pub fn tagged_template(&mut self, tagged: &TaggedTemplateExpression<'a>) -> ExprId {
        let begun = self.begin_call(tagged.node_id(), tagged.span);
        let callee = self.expression(&tagged.tag);
        let mut arguments = vec![self.add(Node::Other(Vec::new()), tagged.quasi.span)];
        arguments.extend(tagged.quasi.expressions.iter().map(|value| self.expression(value)));
        self.end_call(begun, callee, arguments, false, false)
    }

    pub fn import_call(&mut self, import: &ImportExpression<'a>) -> ExprId {
        let begun = self.begin_call(import.node_id(), import.span);
        let mut parts = vec![self.expression(&import.source)];
        parts.extend(import.options.iter().map(|options| self.expression(options)));
        let id = self.add(Node::Other(parts), import.span);
        let call_site = self.call_site(&begun);
        self.set_value(call_site, id);
        let result = self.emit(begun.node, Role::Result, Some(id), None);
        self.carries(id, result);
        id
    }

    fn begin_call(&mut self, node: NodeId, span: Span) -> Begun {
        Begun { node, span, call_site: self.emit(node, Role::Call, None, None) }
    }

    /// The mark of a call, once its arguments have been walked.
    fn call_site(&mut self, begun: &Begun) -> Option<LocalSite> {
        begun.call_site.or_else(|| self.emit(begun.node, Role::CallBehindArguments, None, None))
    }

    fn end_call(
        &mut self,
        begun: Begun,
        callee: ExprId,
        arguments: Vec<ExprId>,
        is_new: bool,
        is_optional: bool,
    ) -> ExprId {
        let call_site = self.call_site(&begun);
        let Begun { node, span, .. } = begun;
        let result_site = self.emit(node, Role::Result, None, None);
        let call = Call { callee, arguments, is_new, is_optional, call_site, result_site };
        let id = self.add(Node::Call(call), span);
        self.set_value(call_site, id);
        self.set_value(result_site, id);
        self.carries(id, result_site);
        self.emit(node, Role::ResumedBehind, Some(id), None);
        id
    }

    fn arguments(&mut self, arguments: &[Argument<'a>]) -> Vec<ExprId> {
        arguments.iter().map(|argument| self.argument(argument)).collect()
    }

    fn argument(&mut self, argument: &Argument<'a>) -> ExprId {
        if let Argument::SpreadElement(spread) = argument {
            return self.spread(spread);
        }
        let expression = argument.to_expression();
        let value = self.expression(expression);
        let site = self.emit(expression.node_id(), Role::Argument, Some(value), None);
        self.carries(value, site);
        value
    }

    /// Everything behind a `?.` whose base is missing is passed over, to the end of the chain.
    pub fn chain(&mut self, chain: &ChainExpression<'a>) -> ExprId {
        let end = self.block();
        let outside = self.frame_mut().chain_end.replace(end);
        let id = match &chain.expression {
            ChainElement::CallExpression(call) => {
                self.early_looks(&call.callee, call.optional);
                self.call(call, chain.span)
            }
            element => match element.as_member_expression() {
                Some(member) => self.member_of_chain(member),
                None => self.add(Node::Other(Vec::new()), chain.span),
            },
        };
        self.go_to(end);
        self.frame_mut().chain_end = outside;
        id
    }

    fn member_of_chain(&mut self, member: &MemberExpression<'a>) -> ExprId {
        let object = match member.object().as_member_expression() {
            Some(inner) => self.member_of_chain(inner),
            None => self.expression(member.object()),
        };
        self.member_of(object, member)
    }

    /// A base in a callee that can be read twice is looked at before the call is marked.
    fn early_looks(&mut self, callee: &Expression<'a>, is_optional: bool) {
        let (object, object_is_optional) = match callee {
            Expression::CallExpression(call) => (Some(&call.callee), call.optional),
            callee => match callee.as_member_expression() {
                Some(member) => (Some(member.object()), member.optional()),
                None => (None, false),
            },
        };
        if let Some(object) = object {
            self.early_looks(object, object_is_optional);
        }
        if is_optional {
            self.emit(callee.node_id(), Role::BaseBeforeChain, None, None);
        }
    }

    /// What is behind a `?.` is reached only if the base is there.
    pub fn optional_base(&mut self, base: ExprId, node: NodeId) {
        let branch = match self.anchored.site(node, Role::BaseBeforeChain) {
            Some(site) => {
                self.set_value(Some(site), base);
                Some(site)
            }
            None => self.emit(node, Role::Base, Some(base), None),
        };
        let (from, there) = (self.frame().current, self.block());
        let end: BlockId = self.frame().chain_end.unwrap_or(there);
        self.edge(from, there, told(branch, Way::True));
        self.edge(from, end, told(branch, Way::False));
        self.continue_in(there);
    }
}
