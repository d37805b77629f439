//! What the source tells of a value before it exists, so that less has to be stored of it.

use helper_names::{CLASS, FUNCTION, INTEGER, LITERAL, LOOP_TRUTH, MARK, NUMBER, TRUTH, VALUE};
use oxc_ast::ast::*;
use trace_model::contract::tag::{TRUE, UNDEFINED};

/// How a value is recorded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueClass<'a> {
    /// The literal is in the source; nothing is stored.
    Literal(&'a str),
    /// A number, if not a bigint, or a string to which one was added.
    Numeric,
    /// The same, and likely a small integer.
    Integer,
    Boolean,
    FunctionLiteral,
    ClassLiteral,
    Any,
}

impl<'a> ValueClass<'a> {
    pub fn of(source: &'a str, value: &Expression<'_>) -> ValueClass<'a> {
        let value = value.without_parentheses();
        match value {
            Expression::NumericLiteral(_)
            | Expression::StringLiteral(_)
            | Expression::BooleanLiteral(_)
            | Expression::NullLiteral(_) => ValueClass::Literal(value_text(source, value)),
            Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::Void => match &unary.argument {
                Expression::NumericLiteral(_) => ValueClass::Literal("undefined"),
                _ => ValueClass::Any,
            },
            Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_) => ValueClass::FunctionLiteral,
            Expression::ClassExpression(_) => ValueClass::ClassLiteral,
            value if is_boolean(value) => ValueClass::Boolean,
            value if is_integer(value) => ValueClass::Integer,
            value if is_numeric(value) => ValueClass::Numeric,
            _ => ValueClass::Any,
        }
    }

    /// The helper that records such a value.
    pub fn helper(self) -> &'static str {
        match self {
            ValueClass::Literal(_) => LITERAL,
            ValueClass::Numeric => NUMBER,
            ValueClass::Integer => INTEGER,
            // The truth of a boolean is its value.
            ValueClass::Boolean => TRUTH,
            ValueClass::FunctionLiteral => FUNCTION,
            ValueClass::ClassLiteral => CLASS,
            ValueClass::Any => VALUE,
        }
    }
}

/// How a call of a helper begins. One that takes a truth gets the header of `true`, of which it subtracts one for `false`: so
/// small is what it does that the engine puts it in place everywhere.
pub(crate) fn call_opening(helper: &str, site: &str) -> String {
    match helper {
        TRUTH | LOOP_TRUTH => format!("{helper}({},", with_tag(site, TRUE)),
        _ => format!("{helper}({site},"),
    }
}

/// A call that records `undefined`, and gives it.
pub(crate) fn record_undefined(site: &str) -> String {
    format!("{MARK}({})", with_tag(site, UNDEFINED))
}

/// A call that records that something was there.
pub(crate) fn record_true(site: &str) -> String {
    format!("{MARK}({})", with_tag(site, TRUE))
}

/// The number of a site as the text has it ends with a digit for the tag, 0.
fn with_tag(site: &str, tag: u32) -> String {
    format!("{}{tag}", &site[..site.len() - 1])
}

/// Whether a value is likely to be an object, as far as its form tells.
pub(crate) fn may_be_object(value: &Expression<'_>) -> bool {
    match value.without_parentheses() {
        Expression::BinaryExpression(_)
        | Expression::UnaryExpression(_)
        | Expression::UpdateExpression(_)
        | Expression::TemplateLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::StringLiteral(_)
        | Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::BigIntLiteral(_) => false,
        Expression::StaticMemberExpression(member) => member.property.name != "length",
        Expression::CallExpression(call) => !is_math(&call.callee),
        Expression::LogicalExpression(logical) => may_be_object(&logical.left) || may_be_object(&logical.right),
        Expression::ConditionalExpression(conditional) => {
            may_be_object(&conditional.consequent) || may_be_object(&conditional.alternate)
        }
        _ => true,
    }
}

fn is_math(callee: &Expression<'_>) -> bool {
    matches!(callee, Expression::StaticMemberExpression(member)
        if matches!(&member.object, Expression::Identifier(object) if object.name == "Math"))
}

fn value_text<'a>(source: &'a str, value: &Expression<'_>) -> &'a str {
    let span = oxc_span::GetSpan::span(value);
    &source[span.start as usize..span.end as usize]
}

pub(crate) fn is_numeric(value: &Expression<'_>) -> bool {
    match value.without_parentheses() {
        Expression::BinaryExpression(binary) => {
            use BinaryOperator::*;
            match binary.operator {
                Subtraction | Multiplication | Division | Remainder | Exponential | BitwiseOR | BitwiseXOR
                | BitwiseAnd | ShiftLeft | ShiftRight | ShiftRightZeroFill => true,
                Addition => is_number(&binary.left) && is_number(&binary.right),
                _ => false,
            }
        }
        Expression::UnaryExpression(unary) => {
            use UnaryOperator::*;
            matches!(unary.operator, UnaryNegation | UnaryPlus | BitwiseNot)
        }
        Expression::UpdateExpression(_) => true,
        _ => false,
    }
}

fn is_boolean(value: &Expression<'_>) -> bool {
    match value.without_parentheses() {
        Expression::BinaryExpression(binary) => {
            let operator = binary.operator;
            operator.is_compare() || operator.is_equality() || operator.is_relational()
        }
        Expression::UnaryExpression(unary) => {
            matches!(unary.operator, UnaryOperator::LogicalNot | UnaryOperator::Delete)
        }
        Expression::LogicalExpression(logical) => is_boolean(&logical.left) && is_boolean(&logical.right),
        Expression::PrivateInExpression(_) | Expression::BooleanLiteral(_) => true,
        _ => false,
    }
}

fn is_integer(value: &Expression<'_>) -> bool {
    match value {
        Expression::BinaryExpression(binary) => binary.operator.is_bitwise() || binary.operator.is_bitshift(),
        Expression::UnaryExpression(unary) => unary.operator == UnaryOperator::BitwiseNot,
        Expression::UpdateExpression(_) => true,
        _ => false,
    }
}

fn is_number(value: &Expression<'_>) -> bool {
    matches!(value.without_parentheses(), Expression::NumericLiteral(_)) || is_numeric(value)
}

/// Whether a compound assignment leaves a number.
pub(crate) fn is_numeric_assignment(operator: AssignmentOperator) -> bool {
    use AssignmentOperator::*;
    !operator.is_logical() && !matches!(operator, Assign | Addition)
}
