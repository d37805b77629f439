//! One thing that is different: a decision turned, a statement left out, a value replaced, at one hit or at all.
//!
//! At the one place that is meant, and nowhere else, a call of `$w_exp` is put around the source. It counts the times and knows which
//! is meant (`packages/runtime/load/intervene.cjs`); what it gives at all other times is what it was given:
//!
//! - of a decision `if ($w_exp(a > b))`: the other truth, or the one that is forced;
//! - of a value `x = $w_exp(f(),()=>(null))`: what the function gives, which sees the variables of the place;
//! - of a statement `{if($w_exp(true)){g();}}`; of a declaration `let x = $w_exp(true)?(f()):undefined`.
//!
//! It is put directly around the expression, inside of whatever records it. So what is recorded is the changed value, and hits are
//! counted as events are: when the expression has been evaluated. Of a statement they are counted when it begins.

use helper_names::{EXPERIMENT, PREFIX};
use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_span::GetSpan;
use trace_model::{Intervention, InterventionChange};

use crate::SourceKind;
use crate::anchors::Anchors;
use crate::walker::Walker;

/// The text has nothing there that could be changed so.
pub const NOT_THERE: &str = "nothing stands there that can be changed";

/// What is wanted, until it was come to.
pub(crate) struct Wish {
    span: Span,
    change: InterventionChange,
    /// Of a statement that is left out: it was a declaration, and this is its initialiser.
    initialiser: Option<Span>,
    is_done: bool,
}

impl Wish {
    pub fn new(intervention: &Intervention) -> Result<Wish, String> {
        if let InterventionChange::Value(text) = &intervention.change {
            check_expression(text)?;
        }
        let span = Span::new(intervention.span.start, intervention.span.end);
        Ok(Wish { span, change: intervention.change.clone(), initialiser: None, is_done: false })
    }

    pub fn is_done(&self) -> bool {
        self.is_done
    }
}

impl<'a, N: Anchors> Walker<'a, '_, N> {
    /// What is put before and behind an expression, if it is the one that is to be different. Of several that have the same text the
    /// outermost is meant.
    pub fn around_wished_expression(&mut self, expression: &Expression<'a>) -> Option<(String, String)> {
        let wish = self.wish.as_mut().filter(|wish| !wish.is_done)?;
        let wanted = wish.initialiser.unwrap_or(wish.span);
        if expression.span() != wanted || wish.initialiser.is_none() && wish.change == InterventionChange::Skip {
            return None;
        }
        wish.is_done = true;
        // Two expressions would be two arguments.
        let (open, close) = match expression {
            Expression::SequenceExpression(_) => ("(", ")"),
            _ => ("", ""),
        };
        Some(match &wish.change {
            InterventionChange::Turn | InterventionChange::Force(_) => {
                (format!("{EXPERIMENT}({open}"), format!("{close})"))
            }
            InterventionChange::Value(text) => (format!("{EXPERIMENT}({open}"), format!("{close},()=>({text}))")),
            InterventionChange::Skip => (format!("{EXPERIMENT}(true)?("), "):undefined".into()),
        })
    }

    /// The same of a statement that is to be left out.
    pub fn around_wished_statement(&mut self, statement: &Statement<'a>) -> Option<(String, String)> {
        let wish = self.wish.as_mut().filter(|wish| !wish.is_done && wish.change == InterventionChange::Skip)?;
        if statement.span() != wish.span {
            return None;
        }
        match statement {
            Statement::VariableDeclaration(declaration) => {
                // Several would be left out in part.
                if let [only] = &declaration.declarations[..] {
                    wish.initialiser = only.init.as_ref().map(GetSpan::span);
                }
                None
            }
            statement if is_declaration(statement) => None,
            _ => {
                wish.is_done = true;
                // In braces: an `else` behind it must not become that of ours.
                Some((format!("{{if({EXPERIMENT}(true)){{"), "}}".into()))
            }
        }
    }
}

fn is_declaration(statement: &Statement) -> bool {
    statement.as_declaration().is_some() || statement.as_module_declaration().is_some()
}

/// It stands between parentheses in the text of the program, so it must be one expression and nothing else.
fn check_expression(text: &str) -> Result<(), String> {
    let is_one_line = !text.contains(['\n', '\r', '\u{2028}', '\u{2029}']);
    let allocator = Allocator::default();
    // As the body of an arrow function, in which there is no `await` and no `yield`.
    let around = format!("(()=>({text}))");
    let is_one = js_syntax::parse(&allocator, &around, SourceKind::Script)
        .is_ok_and(|parsed| is_parenthesized_body(&parsed.program.body));
    match is_one && is_one_line && !text.contains(PREFIX) {
        true => Ok(()),
        false => Err(format!("`{text}` is not an expression that can stand there")),
    }
}

/// Whether all there is are an arrow function and parentheses around its body: `(() => (…))`.
fn is_parenthesized_body(statements: &[Statement]) -> bool {
    let [Statement::ExpressionStatement(only)] = statements else { return false };
    let Expression::ParenthesizedExpression(around) = &only.expression else { return false };
    let Expression::ArrowFunctionExpression(arrow) = &around.expression else { return false };
    matches!(&arrow.body, ArrowFunctionBody::ParenthesizedExpression(_))
}
