//! Calls and optional chains.

use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};
use trace_model::{Call, ExprId, LocalSite, Node, SiteKind, Way};

use super::builder::{Builder, told};
use super::flow::BlockId;

/// What the instrumenter made of a call, as far as it is known before the arguments.
struct Begun {
    call_site: Option<LocalSite>,
    printed: bool,
}

impl<'a> Builder<'_> {
    /// `span` is that of the whole chain for a call that ends one.
    pub fn call(&mut self, call: &CallExpression<'a>, span: Span) -> ExprId {
        let begun = self.begin_call(span);
        let callee = self.with_printed(true, |builder| builder.expression(&call.callee));
        if call.optional {
            self.optional_base(callee, call.callee.span());
        }
        self.emit(SiteKind::LateResume, call.callee.span(), None, None);
        let arguments = self.arguments(&call.arguments);
        if matches!(call.callee, Expression::Super(_)) {
            let this = self.add(Node::This, call.span);
            let site = self.emit(SiteKind::This, call.span, Some(this), None);
            self.carries(this, site);
        }
        self.end_call(begun, span, callee, arguments, false, call.optional)
    }

    pub fn new_expression(&mut self, new: &NewExpression<'a>) -> ExprId {
        let begun = self.begin_call(new.span);
        let callee = self.with_printed(true, |builder| builder.expression(&new.callee));
        self.emit(SiteKind::LateResume, new.callee.span(), None, None);
        let arguments = self.arguments(&new.arguments);
        self.end_call(begun, new.span, callee, arguments, true, false)
    }

    /// A call whose first argument is the array of texts.
    pub fn tagged_template(&mut self, tagged: &TaggedTemplateExpression<'a>) -> ExprId {
        let begun = self.begin_call(tagged.span);
        let callee = self.with_printed(true, |builder| builder.expression(&tagged.tag));
        let mut arguments = vec![self.add(Node::Other(Vec::new()), tagged.quasi.span)];
        self.with_printed(false, |builder| {
            arguments.extend(tagged.quasi.expressions.iter().map(|value| builder.expression(value)));
        });
        self.end_call(begun, tagged.span, callee, arguments, false, false)
    }

    pub fn import_call(&mut self, import: &ImportExpression<'a>) -> ExprId {
        let begun = self.begin_call(import.span);
        let mut parts = vec![self.expression(&import.source)];
        parts.extend(import.options.iter().map(|options| self.expression(options)));
        let id = self.add(Node::Other(parts), import.span);
        let call_site = self.call_site(&begun, import.span);
        self.set_value(call_site, id);
        let result = self.emit(SiteKind::Result, import.span, Some(id), None);
        self.carries(id, result);
        id
    }

    fn begin_call(&mut self, span: Span) -> Begun {
        let printed = self.printed;
        let call_site = if printed { None } else { self.emit(SiteKind::Call, span, None, None) };
        Begun { call_site, printed }
    }

    /// The mark of a call, once its arguments have been walked.
    fn call_site(&mut self, begun: &Begun, span: Span) -> Option<LocalSite> {
        if begun.printed { self.emit(SiteKind::Call, span, None, None) } else { begun.call_site }
    }

    fn end_call(
        &mut self,
        begun: Begun,
        span: Span,
        callee: ExprId,
        arguments: Vec<ExprId>,
        is_new: bool,
        is_optional: bool,
    ) -> ExprId {
        let call_site = self.call_site(&begun, span);
        // The result of a call that is a condition tells the way as well.
        let kinds = [SiteKind::Result, SiteKind::Branch, SiteKind::Loop];
        let result_site = match call_site {
            Some(_) if !begun.printed => kinds.iter().find_map(|&kind| self.emit(kind, span, None, None)),
            _ => None,
        };
        let call = Call { callee, arguments, is_new, is_optional, call_site, result_site };
        let id = self.add(Node::Call(call), span);
        self.set_value(call_site, id);
        self.set_value(result_site, id);
        self.carries(id, result_site);
        self.emit(SiteKind::LateResume, span, Some(id), None);
        id
    }

    fn arguments(&mut self, arguments: &[Argument<'a>]) -> Vec<ExprId> {
        self.with_printed(false, |builder| arguments.iter().map(|argument| builder.argument(argument)).collect())
    }

    fn argument(&mut self, argument: &Argument<'a>) -> ExprId {
        if let Argument::SpreadElement(spread) = argument {
            return self.spread(spread);
        }
        let expression = argument.to_expression();
        let value = self.expression(expression);
        let site = self.emit(SiteKind::Argument, expression.span(), Some(value), None);
        self.carries(value, site);
        value
    }

    /// Everything behind a `?.` whose base is missing is passed over, to the end of the chain.
    pub fn chain(&mut self, chain: &ChainExpression<'a>) -> ExprId {
        let end = self.block();
        let outside = self.frame_mut().chain_end.replace(end);
        let id = match &chain.expression {
            ChainElement::CallExpression(call) => {
                let mark = self.finder.next(SiteKind::Call, self.span(chain.span));
                self.early_looks(&call.callee, call.optional, mark);
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
        let object = match member.object() {
            // It is part of the chain, so it could not be wrapped.
            call @ Expression::CallExpression(_) => self.with_printed(true, |builder| builder.expression(call)),
            object => match object.as_member_expression() {
                Some(inner) => self.member_of_chain(inner),
                None => self.expression(object),
            },
        };
        self.member_of(object, member)
    }

    /// A base in a callee that can be read twice is looked at before the call is marked; the site was made before that of the mark.
    fn early_looks(&mut self, callee: &Expression<'a>, is_optional: bool, mark: Option<LocalSite>) {
        let (object, object_is_optional) = match callee {
            Expression::CallExpression(call) => (Some(&call.callee), call.optional),
            callee => match callee.as_member_expression() {
                Some(member) => (Some(member.object()), member.optional()),
                None => (None, false),
            },
        };
        if let Some(object) = object {
            self.early_looks(object, object_is_optional, mark);
        }
        let span = self.span(callee.span());
        let is_early = |site: LocalSite| mark.is_none_or(|mark| site.0 < mark.0);
        if is_optional && let Some(site) = self.finder.take_if(SiteKind::Nullish, span, is_early) {
            let block = self.frame().current;
            self.emit_in(site, block, None, None);
            self.frame_mut().looks.push((callee.span().end, site));
        }
    }

    /// What is behind a `?.` is reached only if the base is there.
    pub fn optional_base(&mut self, base: ExprId, span: Span) {
        let early = self.frame().looks.last().copied().filter(|&(at, _)| at == span.end);
        let branch = match early {
            Some((_, site)) => {
                self.frame_mut().looks.pop();
                self.set_value(Some(site), base);
                Some(site)
            }
            None => self.emit(SiteKind::Nullish, span, Some(base), None),
        };
        let (from, there) = (self.frame().current, self.block());
        let end: BlockId = self.frame().chain_end.unwrap_or(there);
        self.edge(from, there, told(branch, Way::True));
        self.edge(from, end, told(branch, Way::False));
        self.continue_in(there);
    }
}
