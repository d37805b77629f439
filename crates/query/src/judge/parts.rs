use trace_model::{ExprId, Key, Node};

/// The expressions that an expression is directly made of; functions are not entered.
pub(super) fn parts(node: &Node) -> Vec<ExprId> {
    let key = |key: &Key| match key {
        Key::Computed(id) => Some(*id),
        Key::Name(_) => None,
    };
    match node {
        Node::Literal(_)
        | Node::Variable(_)
        | Node::This
        | Node::Arguments
        | Node::Parameter { .. }
        | Node::Function(_) => Vec::new(),
        Node::Member { object, key: by, .. } => [*object].into_iter().chain(key(by)).collect(),
        Node::Element { of, .. } | Node::Remainder { of } => vec![*of],
        Node::Call(call) => [call.callee].into_iter().chain(call.arguments.iter().copied()).collect(),
        Node::Unary { operand, .. } | Node::Await { operand, .. } | Node::Spread(operand) => vec![*operand],
        Node::Binary { left, right, .. } | Node::Logical { left, right, .. } => vec![*left, *right],
        Node::Conditional { test, then, otherwise, .. } => vec![*test, *then, *otherwise],
        Node::Default { value, default, .. } => vec![*value, *default],
        Node::Assign { target, value, .. } => vec![*target, *value],
        Node::Object { entries, spreads } => {
            let entries = entries.iter().flat_map(|(by, value)| key(by).into_iter().chain([*value]));
            entries.chain(spreads.iter().copied()).collect()
        }
        Node::Array { elements, .. } => elements.iter().flatten().copied().collect(),
        Node::Template { values, .. } => values.clone(),
        Node::Sequence(parts) | Node::Other(parts) => parts.clone(),
        Node::Yield { operand, .. } => operand.iter().copied().collect(),
        Node::Arrow { bindings, body } => bindings.iter().map(|(_, part)| *part).chain([*body]).collect(),
    }
}
