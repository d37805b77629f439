//! What is put around a stretch of the source, and how the number of an object is asked for there.

use helper_names::{MEET, NUMBERED, STAMP, UNUSED_VARIABLE};
use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};

use crate::anchors::Anchors;
use crate::values::{ValueClass, call_opening, may_be_object};
use crate::walker::{Context, Walker};

impl<'a, N: Anchors> Walker<'a, '_, N> {
    /// Surrounds a stretch of the source: `open`, what `inside` inserts into it, `close`.
    pub fn wrap(&mut self, span: Span, open: String, close: &str, inside: impl FnOnce(&mut Self)) {
        let (open, close) = self.quieted((open, close.to_owned()));
        self.edits.insert(span.start, open);
        inside(self);
        self.edits.insert(span.end, close);
    }

    /// Surrounds it with `helper(site,` and `)`, if there is a site.
    pub fn wrap_call(&mut self, span: Span, helper: &str, site: Option<String>, inside: impl FnOnce(&mut Self)) {
        match site {
            Some(site) => self.wrap(span, call_opening(helper, &site), ")", inside),
            None => inside(self),
        }
    }

    /// As [`Walker::wrap`], if there is something to surround it with.
    pub fn wrap_around(&mut self, span: Span, around: Option<(String, String)>, inside: impl FnOnce(&mut Self)) {
        match around {
            Some((open, close)) => self.wrap(span, open, &close, inside),
            None => inside(self),
        }
    }

    /// Surrounds an expression, as one argument of a call.
    pub fn wrap_value(
        &mut self,
        value: &Expression<'a>,
        around: Option<(String, String)>,
        inside: impl FnOnce(&mut Self),
    ) {
        let Some((mut open, mut close)) = around else { return inside(self) };
        if matches!(value, Expression::SequenceExpression(_)) {
            open.push('(');
            close.insert(0, ')');
        }
        self.wrap(value.span(), open, &close, inside);
    }

    /// What stands before and behind a value that is recorded on its way. Where it may be an object, its number is asked for
    /// in place.
    pub fn around_value(
        &mut self,
        site: Option<String>,
        class: ValueClass<'a>,
        value: &Expression<'a>,
    ) -> Option<(String, String)> {
        let site = site?;
        let asks = class == ValueClass::Any && may_be_object(value);
        if asks && let Some(text) = self.readable_twice(value) {
            return Some((format!("{NUMBERED}({site},"), format!(",{})", self.stamp_if_object(&text))));
        }
        if !asks || !self.frame().has_locals || self.is_quiet() {
            return Some((call_opening(class.helper(), &site), ")".into()));
        }
        // Needed only when all of the value is there, so what is inside may use it too.
        let temps = self.frame().temps_in_use;
        let temp = self.take_temp();
        self.give_back_temps(temps);
        // The temporary must not keep the object alive for longer than the program does.
        Some((format!("{NUMBERED}({site},{temp}="), format!(",{},{temp}=0)", self.stamp_if_object(&temp))))
    }

    /// Text that does `expression` as a statement without touching the completion value of the code around it.
    pub fn statement_text(&self, expression: &str) -> String {
        if self.frame().completion_value {
            format!("{{let {UNUSED_VARIABLE}={expression}}}")
        } else {
            format!("{expression};")
        }
    }

    /// The number of an object that can be read twice, asked for in place, where the engine knows the shapes that come by. What
    /// has no number has 0: the engine compares integers faster than what may be none.
    pub fn stamp(&self, object: &str) -> String {
        if self.for_prelude { "0".into() } else { format!("{object}?.[{STAMP}]|0") }
    }

    /// The number of an object that is about to be written to. Where not everything is recorded, it may never have been met:
    /// then it is looked at before that.
    pub fn stamp_before_write(&self, site: &str, object: &str) -> String {
        let stamp = self.stamp(object);
        match self.selection.is_all() {
            true => stamp,
            false => format!("{MEET}({site},{object},{stamp})"),
        }
    }

    /// As [`Walker::stamp`], for what may be no object: the engine looks at a type faster than it finds nothing in a primitive.
    pub fn stamp_if_object(&self, value: &str) -> String {
        if self.for_prelude { "0".into() } else { format!("typeof {value}==\"object\"?{value}?.[{STAMP}]|0:0") }
    }

    /// What opens and closes a wrapping call around an expression that is none itself; `None` where it would open a statement
    /// with a parenthesis, which the line before could take for its own.
    pub fn parentheses(&self, context: Context, span: Span) -> Option<(&'static str, &'static str)> {
        match context.object {
            false => Some(("", "")),
            true if span.start == self.statement_start => None,
            true => Some(("(", ")")),
        }
    }
}
