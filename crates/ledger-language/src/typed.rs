//! Expressions that a person types about a Ledger program.

use trace_model::{
    ExprId, Expression, ExpressionError, FunctionIndex, Key, Literal, LogicalOperator, Node, Span, VariableRef,
};

use crate::syntax::{self, Expr, ExprKind};

pub fn parse(text: &str) -> Result<(Vec<Expression>, ExprId), ExpressionError> {
    let refused = |error: syntax::SyntaxError| ExpressionError { message: error.message, at: error.at };
    let parsed = syntax::parse_expression(text).map_err(refused)?;
    let mut expressions = Vec::new();
    let root = add(&parsed, &mut expressions)?;
    Ok((expressions, root))
}

fn add(expr: &Expr, all: &mut Vec<Expression>) -> Result<ExprId, ExpressionError> {
    let node = match &expr.kind {
        ExprKind::Nothing => Node::Literal(Literal::Null),
        ExprKind::Bool(truth) => Node::Literal(Literal::Bool(*truth)),
        ExprKind::Number(number) => Node::Literal(Literal::Number(*number)),
        ExprKind::Text(text) => Node::Literal(Literal::String(text.clone())),
        ExprKind::Name(name) => Node::Variable(VariableRef::Global(name.clone())),
        ExprKind::Field(object, field) => {
            Node::Member { object: add(object, all)?, key: Key::Name(field.clone()), is_optional: false }
        }
        ExprKind::Index(object, index) => {
            let object = add(object, all)?;
            Node::Member { object, key: Key::Computed(add(index, all)?), is_optional: false }
        }
        ExprKind::Unary(operator, operand) => Node::Unary { operator, operand: add(operand, all)? },
        ExprKind::Binary(operator, left, right) => {
            let left = add(left, all)?;
            Node::Binary { operator, left, right: add(right, all)? }
        }
        ExprKind::And(left, right) => logical(LogicalOperator::And, left, right, all)?,
        ExprKind::Or(left, right) => logical(LogicalOperator::Or, left, right, all)?,
        ExprKind::Record(fields) => {
            let mut entries = Vec::new();
            for (name, value) in fields {
                entries.push((Key::Name(name.clone()), add(value, all)?));
            }
            Node::Object { entries, spreads: Vec::new() }
        }
        ExprKind::List(elements) => {
            let elements = elements.iter().map(|element| add(element, all).map(Some)).collect::<Result<_, _>>()?;
            Node::Array { elements, has_spread: false }
        }
        ExprKind::Call(name, _) => {
            return Err(ExpressionError { message: "a call is not run".into(), at: name.span.start });
        }
    };
    let id = ExprId(all.len() as u32);
    let Span { start, end } = expr.span;
    all.push(Expression { node, span: Span { start, end }, function: FunctionIndex(0), value_site: None });
    Ok(id)
}

fn logical(
    operator: LogicalOperator,
    left: &Expr,
    right: &Expr,
    all: &mut Vec<Expression>,
) -> Result<Node, ExpressionError> {
    let left = add(left, all)?;
    Ok(Node::Logical { operator, left, right: add(right, all)?, branch: None })
}
