//! Names that V8 infers for functions without one, and shows in stack traces: `api.f` for `api.f = function () {}`.
//!
//! Its parser keeps two lists while it goes through an expression: the names that it met on its way (identifiers, and keys
//! behind dots), and the functions that wait for a name. An assignment, a declaration and a property give all waiting functions the
//! names that are on the list then; names inside parentheses, brackets and arguments are taken off when these end. A call takes the
//! function that came last off the list, as `a = b(function () {})` says nothing of the function; and where the value itself is a call,
//! nothing is given. So a value from which functions get names is walked *quietly*:
//!
//! - What we put around something is no call for the parser, but a chain (`($w_n)?.(…)`); its name is in parentheses; and a function
//!   behind its arguments that is never made (`0&&function(){}`) is what the parser takes off the list.
//! - Nothing is assigned in it: a temporary would be the name.
//! - A function that stands in parentheses stays in them.
//! - The object that is assigned to stands as it is; the assignment is recorded around the whole, or on its right.
//!
//! Not the same is the name of a function that waits while an arrow function is parsed: V8 parses its body with the same lists, and
//! our calls in it take functions off. The same holds of a function in a list of arguments or elements, where an object literal or an
//! arrow function behind it would name it: `f(() => 1, { k: 2 })`.
//!
//! Names of functions are put right where they are shown ([`stack_names`](crate::stack_names)). Kept here are those of constructors, which
//! a stack trace shows as the types of receivers: of these nobody can tell which function they came from.

use helper_names::PREFIX;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::Span;
use oxc_syntax::scope::ScopeFlags;

use crate::anchors::Anchors;
use crate::walker::Walker;
use crate::writes::is_function_literal;

/// Whether functions get names from the expression that is being walked.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Naming {
    /// Nobody has looked yet.
    #[default]
    Unknown,
    Quiet,
    Nothing,
}

impl<'a, N: Anchors> Walker<'a, '_, N> {
    /// Walks a value, and what is put around it, so that its functions get the names that they have without us.
    pub fn quietly<R>(&mut self, value: &Expression<'a>, inside: impl FnOnce(&mut Self) -> R) -> R {
        self.quietly_if(|| infers(value), inside)
    }

    pub fn quietly_if<R>(&mut self, infers: impl FnOnce() -> bool, inside: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.naming;
        if before == Naming::Unknown {
            self.naming = if infers() { Naming::Quiet } else { Naming::Nothing };
        }
        let result = inside(self);
        self.naming = before;
        result
    }

    pub fn is_quiet(&self) -> bool {
        self.naming == Naming::Quiet
    }

    /// What V8 makes of a function in parentheses depends on its version: it stays in them.
    pub fn around_literal(&self, open: String, span: Span) -> (String, String) {
        let before = self.source[..span.start as usize].trim_end().strip_suffix('(');
        // Behind a name or what is called, it is an argument.
        let is_argument = |c: char| c.is_alphanumeric() || "_$)]}`".contains(c);
        let is_within = before.is_some_and(|before| !before.trim_end().ends_with(is_argument));
        let ends = self.source[span.end as usize..].trim_start().starts_with(')');
        match self.is_quiet() && is_within && ends {
            true => (format!("{open}("), "))".into()),
            false => (open, ")".into()),
        }
    }

    /// As it must stand around something that is walked quietly.
    pub fn quieted(&self, (open, close): (String, String)) -> (String, String) {
        if self.is_quiet() { quiet(open, close) } else { (open, close) }
    }
}

/// Whether a function in this value gets a name from what stands before it, by the engine alone: `name` of the function is another
/// matter.
pub(crate) fn infers(value: &Expression) -> bool {
    let mut names = Names::default();
    names.visit_expression(value);
    names.waiting > 0 || names.given
}

/// The same of the properties of a literal.
pub(crate) fn object_infers(object: &ObjectExpression) -> bool {
    let mut names = Names::default();
    names.visit_object_expression(object);
    names.given
}

/// The same of the defaults in a pattern.
pub(crate) fn pattern_infers(pattern: &AssignmentTarget) -> bool {
    let mut names = Names::default();
    names.visit_assignment_target(pattern);
    names.waiting > 0 || names.given
}

/// What the parser of V8 would do.
#[derive(Default)]
struct Names {
    waiting: u32,
    given: bool,
}

impl Names {
    fn give(&mut self) {
        self.given |= self.waiting > 0;
        self.waiting = 0;
    }

    fn take_last(&mut self) {
        self.waiting = self.waiting.saturating_sub(1);
    }

    /// The value of a place that names a function which stands right in it.
    fn named_place(&mut self, value: &Expression) {
        if !is_function_literal(value) {
            self.visit_expression(value);
        }
        self.give();
    }
}

impl<'a> Visit<'a> for Names {
    fn visit_function(&mut self, function: &Function<'a>, _: ScopeFlags) {
        self.waiting += u32::from(function.id.is_none());
    }

    fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {
        self.waiting += 1;
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        self.waiting += u32::from(class.id.is_none());
    }

    fn visit_parenthesized_expression(&mut self, parenthesized: &ParenthesizedExpression<'a>) {
        // Taken for one that is called at once.
        if !matches!(parenthesized.expression, Expression::FunctionExpression(_)) {
            walk::walk_parenthesized_expression(self, parenthesized);
        }
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        walk::walk_call_expression(self, call);
        self.take_last();
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        self.visit_assignment_target(&assignment.left);
        let value = &assignment.right;
        let gives = assignment.operator == AssignmentOperator::Assign || assignment.operator.is_logical();
        match value {
            Expression::CallExpression(_) | Expression::NewExpression(_) => {
                self.visit_expression(value);
                self.take_last();
            }
            value if gives && matches!(assignment.left, AssignmentTarget::AssignmentTargetIdentifier(_)) => {
                self.named_place(value);
            }
            value => {
                self.visit_expression(value);
                if gives { self.give() } else { self.take_last() }
            }
        }
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        if property.computed {
            self.visit_property_key(&property.key);
        }
        if property.kind == PropertyKind::Init && !property.method {
            self.named_place(&property.value);
        } else {
            self.give();
        }
    }

    fn visit_object_property_kind(&mut self, property: &ObjectPropertyKind<'a>) {
        walk::walk_object_property_kind(self, property);
        if matches!(property, ObjectPropertyKind::SpreadProperty(_)) {
            self.give();
        }
    }
}

/// `$w_v(S,` and `)` become `($w_v)?.(S,` and `,0&&function(){})`. What is no call is left as it is.
fn quiet(open: String, close: String) -> (String, String) {
    let n_parentheses = open.len() - open.trim_start_matches('(').len();
    let Some(name_end) = open[n_parentheses..].find('(').map(|at| n_parentheses + at) else { return (open, close) };
    let name = &open[n_parentheses..name_end];
    let is_helper = name.starts_with(PREFIX) && name.chars().all(|c| c.is_ascii_alphanumeric() || "$_".contains(c));
    let end = is_helper.then(|| closing(&open[name_end + 1..], &close)).flatten();
    let Some(end) = end else { return (open, close) };
    let opened = format!("{}({name})?.{}", &open[..n_parentheses], &open[name_end..]);
    (opened, format!("{},0&&function(){{}}{}", &close[..end], &close[end..]))
}

/// Where the parenthesis that is open before `inside` is closed behind it; `None` if it is closed in it.
fn closing(inside: &str, behind: &str) -> Option<usize> {
    let mut depth = 1;
    let mut in_text = false;
    let mut is_escaped = false;
    let texts = [(inside, false), (behind, true)];
    for (text, is_behind) in texts {
        for (at, c) in text.char_indices() {
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' if in_text => is_escaped = true,
                '"' => in_text = !in_text,
                '(' if !in_text => depth += 1,
                ')' if !in_text => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return is_behind.then_some(at);
            }
        }
    }
    None
}
