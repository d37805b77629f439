//! Calls: a mark before, the result after.
//!
//! When a callee turns out not to be callable, V8 prints its source text (`o.m is not a function`), so nothing is inserted into
//! a callee. A call that is itself part of a callee cannot be wrapped; it gets its mark behind its last argument.

use helper_names::{
    EVAL_TEXT, FRAME_MARK, FRAME_MARK_SPREAD, FRAME_VALUE, GIVE_FIRST, GIVE_SECOND, MARK, PRESENCE, RECEIVER, RESULT,
    VALUE,
};
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use trace_model::{FunctionKind, SiteKind};

use crate::anchors::{Anchors, At, Construct, Role};
use crate::values::record_true;
use crate::walker::{Context, Walker};

/// Functions that keep their arguments to call them later: their arguments are recorded, so that a callback leads to the place
/// that registered it.
const REGISTERING: [&str; 15] = [
    "setTimeout",
    "setInterval",
    "setImmediate",
    "nextTick",
    "queueMicrotask",
    "then",
    "catch",
    "finally",
    "on",
    "once",
    "addListener",
    "prependListener",
    "addEventListener",
    "setHandler",
    "subscribe",
];

impl<'a, N: Anchors> Walker<'a, '_, N> {
    pub fn call(&mut self, call: &CallExpression<'a>, context: Context) {
        self.call_like(call.at(), context, None, |walker, mark| {
            let is_eval = !call.optional && matches!(&call.callee, Expression::Identifier(name) if name.name == "eval");
            if is_eval {
                walker.frame_mut().has_direct_eval = true;
            }
            let registers = callee_name(&call.callee).is_some_and(|name| REGISTERING.contains(&name));
            walker.around_super(call, |walker| {
                walker.with_printed(true, |walker| walker.visit_expression(&call.callee));
                let there = walker.callee_is_there(call);
                let first = joined(there, walker.resumed_in_callee(&call.callee, &call.arguments, call.at()));
                walker.arguments(&call.arguments, Among { first, last: mark, is_eval, registers });
            });
        });
    }

    /// What `super()` gives is `this` from then on.
    fn around_super(&mut self, call: &CallExpression<'a>, inside: impl FnOnce(&mut Self)) {
        let is_super = matches!(call.callee, Expression::Super(_)) && self.frame().kind == FunctionKind::Constructor;
        if !is_super || self.printed {
            return inside(self);
        }
        let site = self.site(SiteKind::This, Role::ThisOfSuper, call.at(), None);
        let around = site.map(|site| (format!("{RECEIVER}({site},"), ",0)".to_owned()));
        self.wrap_around(call.span, around, inside);
    }

    pub fn new_expression(&mut self, new: &NewExpression<'a>, context: Context) {
        let Some(parentheses) = self.parentheses(context, new.span) else {
            return self.with_printed(true, |walker| walker.new_expression(new, Context::default()));
        };
        let opening = self.edits.reserve(new.span.start);
        let is_wrapped = self.call_like(new.at(), context, None, |walker, mark| {
            walker.with_printed(true, |walker| walker.visit_expression(&new.callee));
            let first = walker.resumed_in_callee(&new.callee, &new.arguments, new.at());
            walker.arguments(&new.arguments, Among { first, last: mark, ..Among::default() });
        });
        if is_wrapped {
            self.edits.fill(opening, parentheses.0.into());
            self.edits.insert(new.span.end, parentheses.1);
        }
    }

    pub fn tagged_template(&mut self, tagged: &TaggedTemplateExpression<'a>, context: Context) {
        self.call_like(tagged.at(), context, None, |walker, _| {
            walker.with_printed(true, |walker| walker.visit_expression(&tagged.tag));
            walker.with_printed(false, |walker| walker.visit_template_literal(&tagged.quasi));
        });
    }

    pub fn import_call(&mut self, import: &ImportExpression<'a>, context: Context) {
        self.call_like(import.at(), context, None, |walker, _| walk::walk_import_expression(walker, import));
    }

    /// `inside` gets the text of the call mark where the call could not be wrapped. Gives whether it was.
    fn call_like(
        &mut self,
        call: At,
        context: Context,
        before: Option<String>,
        inside: impl FnOnce(&mut Self, Option<String>),
    ) -> bool {
        let role = if self.printed { Role::CallBehindArguments } else { Role::Call };
        let site = self.site(SiteKind::Call, role, call, None);
        let mark = site.map(|site| format!("{MARK}({site})"));
        if self.printed {
            inside(self, mark);
            return false;
        }
        let late_before = std::mem::take(&mut self.frame_mut().late_resume);
        let slot = self.edits.reserve(call.span.start);
        inside(self, None);
        let late = std::mem::replace(&mut self.frame_mut().late_resume, late_before);
        let (late_open, late_close) = if late { self.late_resume(call) } else { (String::new(), "") };
        let marks = [before, mark].into_iter().flatten().collect::<Vec<_>>().join(",");
        let has_result = late || !context.statement && !context.consumed;
        let result = match has_result {
            true => self.result_site(context, call),
            false => None,
        };
        let (open, close) = match result {
            Some(result) if marks.is_empty() => (format!("{RESULT}({result},0,"), ")"),
            Some(result) => (format!("{RESULT}({result},({marks}),"), ")"),
            None if marks.is_empty() => (String::new(), ""),
            // V8 reports what a statement throws at its start, if nothing else tells: `x.y.z()` where there is no `x`.
            None if context.apart && !late => (format!("{marks};"), ""),
            None if context.statement && !late => (format!("{marks},"), ""),
            None if context.consumed && !late => (format!("({marks},"), ")"),
            // A call stays one, and no statement begins with a parenthesis.
            None => (format!("{GIVE_SECOND}(({marks}),"), ")"),
        };
        let (open, close) = self.quieted((open, close.to_owned()));
        let is_wrapped = !late_open.is_empty() || !open.is_empty();
        self.edits.fill(slot, format!("{late_open}{open}"));
        self.edits.insert(call.span.end, format!("{close}{late_close}"));
        is_wrapped
    }

    /// The result of a call that is a condition tells the way as well.
    fn result_site(&mut self, context: Context, call: At) -> Option<String> {
        let Some(kind) = context.result else { return self.site(SiteKind::Result, Role::Result, call, None) };
        let site = self.site(kind, Role::Result, call, None);
        self.newest_is_also(Role::Decision, call);
        site
    }

    /// Notes a resumption behind the expression whose value it fed.
    fn late_resume(&mut self, call: At) -> (String, &'static str) {
        let Some(site) = self.site(SiteKind::LateResume, Role::ResumedBehind, call, None) else {
            return (String::new(), "");
        };
        let frame = self.frame_number();
        (format!("{FRAME_VALUE}({site},{frame},"), ")")
    }

    /// Behind an `await` in a callee, which V8 prints, the first thing that can tell that the frame goes on is among the
    /// arguments: it is evaluated before the first one, or spread, and nothing, where there is none.
    fn resumed_in_callee(&mut self, callee: &Expression<'a>, arguments: &[Argument<'a>], call: At) -> Option<String> {
        let has_parentheses = self.text(call.span).ends_with(')') && callee.span().end < call.span.end;
        let can_tell = match arguments.first() {
            Some(first) => !first.is_spread(),
            None => has_parentheses,
        };
        if !self.frame().late_resume || !can_tell {
            return None;
        }
        // Behind `?.` it may not be evaluated.
        self.frame_mut().late_resume = self.text(call.span).contains("?.");
        let site = self.site(SiteKind::LateResume, Role::ResumedAmongArguments, call.over(callee.span()), None)?;
        let frame = self.frame_number();
        if arguments.is_empty() {
            self.edits.insert(call.span.end - 1, format!("...{FRAME_MARK_SPREAD}({site},{frame})"));
            return None;
        }
        Some(format!("{FRAME_MARK}({site},{frame})"))
    }

    /// Of `f?.(a)`, where `f` cannot be read twice: that the arguments are evaluated tells that it was there. An iterable is
    /// printed as it stands.
    fn callee_is_there(&mut self, call: &CallExpression<'a>) -> Option<String> {
        let tells = matches!(call.arguments.first(), Some(first) if !first.is_spread());
        if !call.optional || !tells || self.looked_at == Some(call.callee.span()) {
            return None;
        }
        let site = self.site(SiteKind::Nullish, Role::Base, call.callee.at(), None);
        site.map(|site| record_true(&site))
    }

    fn arguments(&mut self, arguments: &[Argument<'a>], among: Among) {
        let Among { mut first, last: mut mark, is_eval, registers } = among;
        let last = arguments.len().wrapping_sub(1);
        for (i, argument) in arguments.iter().enumerate() {
            self.with_printed(false, |walker| {
                let Some(expression) = argument.as_expression() else {
                    return walker.with_printed(true, |walker| walker.visit_argument(argument));
                };
                let span = expression.span();
                let mark = if i == last { mark.take() } else { None };
                let is_reference = expression.is_identifier_reference() || expression.is_member_expression();
                let (open, close) = if is_eval && i == 0 {
                    match walker.selection.reaches_evals() {
                        true => (format!("{EVAL_TEXT}(eval,"), ")".to_owned()),
                        false => (String::new(), String::new()),
                    }
                } else if registers && is_reference {
                    let site = walker.site(SiteKind::Argument, Role::Argument, expression.at(), None);
                    site.map(|site| (format!("{VALUE}({site},"), ")".to_owned())).unwrap_or_default()
                } else {
                    (String::new(), String::new())
                };
                let (open, close) = match first.take() {
                    Some(first) => (format!("({first},{open}"), format!("{close})")),
                    None => (open, close),
                };
                let (open, close) = match mark {
                    Some(mark) => (format!("{GIVE_FIRST}({open}"), format!("{close},{mark})")),
                    None => (open, close),
                };
                walker.wrap(span, open, &close, |walker| walker.visit_expression(expression));
            });
        }
    }

    /// A chain is cut short as a whole, so what is inside cannot be wrapped apart from it, except what `?.` looks at.
    pub fn chain(&mut self, chain: &ChainExpression<'a>, context: Context) {
        let records_branches = !self.printed;
        match &chain.expression {
            ChainElement::CallExpression(call) => {
                let base = innermost_optional_base(&call.callee, call.optional.then_some(&call.callee));
                let base = base.filter(|base| records_branches && self.is_readable_base(base));
                let before = base.and_then(|base| self.nullish_look(base));
                let outside = std::mem::replace(&mut self.looked_at, base.map(|base| base.span()));
                self.call_like(call.at().over(chain.span), context, before, |walker, _| {
                    walker.with_printed(true, |walker| walker.visit_expression(&call.callee));
                    let there = walker.callee_is_there(call);
                    let first = joined(there, walker.resumed_in_callee(&call.callee, &call.arguments, call.at()));
                    walker.arguments(&call.arguments, Among { first, ..Among::default() });
                });
                self.looked_at = outside;
            }
            element => {
                let Some(member) = element.as_member_expression() else {
                    return walk::walk_chain_element(self, element);
                };
                self.member_of_chain(member, records_branches);
            }
        }
    }

    fn is_readable_base(&self, base: &Expression<'a>) -> bool {
        match base {
            Expression::Identifier(identifier) => self.is_variable(identifier),
            Expression::ThisExpression(_) => true,
            _ => false,
        }
    }

    /// `$w_h(site,a)` for a base that can be read twice.
    fn nullish_look(&mut self, base: &Expression<'a>) -> Option<String> {
        let site = self.site(SiteKind::Nullish, Role::BaseBeforeChain, base.at(), None)?;
        Some(format!("{PRESENCE}({site},{})", self.text(base.span())))
    }

    fn member_of_chain(&mut self, member: &MemberExpression<'a>, records_branches: bool) {
        let object = member.object();
        let inner = match object {
            Expression::StaticMemberExpression(_)
            | Expression::ComputedMemberExpression(_)
            | Expression::PrivateFieldExpression(_) => object.as_member_expression(),
            _ => None,
        };
        let calls_inside = matches!(object, Expression::CallExpression(_));
        let visit_object = |walker: &mut Self| match inner {
            Some(inner) => walker.member_of_chain(inner, records_branches),
            // A call inside the chain is part of it.
            None => walker.with_printed(walker.printed || calls_inside, |walker| walker.visit_expression(object)),
        };
        if member.optional() && records_branches && !matches!(object, Expression::Super(_)) {
            let site = self.site(SiteKind::Nullish, Role::Base, object.at(), None);
            self.wrap_call(object.span(), PRESENCE, site, visit_object);
        } else {
            visit_object(self);
        }
        if let MemberExpression::ComputedMemberExpression(computed) = member {
            self.visit_expression(&computed.expression);
        }
    }
}

/// What becomes of the arguments of a call.
#[derive(Default)]
struct Among {
    /// Evaluated before all of them.
    first: Option<String>,
    /// Evaluated behind the last.
    last: Option<String>,
    /// The first is the text of a direct eval.
    is_eval: bool,
    /// The callee keeps them, to call them later.
    registers: bool,
}

/// One behind the other, as parts of an expression.
fn joined(first: Option<String>, second: Option<String>) -> Option<String> {
    match (first, second) {
        (Some(first), Some(second)) => Some(format!("{first},{second}")),
        (first, second) => first.or(second),
    }
}

fn callee_name<'t>(callee: &'t Expression<'_>) -> Option<&'t str> {
    match callee {
        Expression::Identifier(identifier) => Some(identifier.name.as_str()),
        Expression::StaticMemberExpression(member) => Some(member.property.name.as_str()),
        _ => None,
    }
}

/// The innermost expression of a callee that is followed by `?.`.
fn innermost_optional_base<'t, 'a>(
    callee: &'t Expression<'a>,
    outer: Option<&'t Expression<'a>>,
) -> Option<&'t Expression<'a>> {
    let (object, optional) = match callee {
        Expression::CallExpression(call) => (&call.callee, call.optional),
        _ => {
            let member = callee.as_member_expression();
            match member {
                Some(member) => (member.object(), member.optional()),
                None => return outer,
            }
        }
    };
    innermost_optional_base(object, if optional { Some(object) } else { outer })
}
