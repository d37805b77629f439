//! Facts in words: `kind `text of the source``, so that answers can be read beside their sources.

use instrument::{SourceKind, Text, instrument};
use javascript::JavaScript;
use trace_model::{
    Call, CodeFacts, CodeKind, Dependence, ExprId, Expression, Key, Language, Literal, LocalSite, LogicalOperator,
    Node, Policy, SiteTable, SourceCode, VariableRef, Way,
};

pub struct Facts<'s> {
    pub source: &'s str,
    pub table: SiteTable,
    pub facts: CodeFacts,
}

pub fn facts(source: &str) -> Facts<'_> {
    let table = instrument(Text::new(source, SourceKind::CommonJs), "", &Policy::full()).expect("it parses").sites;
    let code = SourceCode { source, kind: CodeKind::CommonJs, path: "a.js", made: table.made.as_ref() };
    let facts = JavaScript.facts(code, &table).expect("it parses");
    Facts { source, table, facts }
}

impl Facts<'_> {
    pub fn text(&self, span: trace_model::Span) -> &str {
        let text = &self.source[span.start as usize..span.end as usize];
        text.split(['{', '\n']).next().unwrap_or_default().trim()
    }

    pub fn site(&self, site: LocalSite) -> String {
        let site = self.table.site(site);
        format!("{} `{}`", site.kind.name(), self.text(site.span))
    }

    pub fn dependences(&self, dependences: &[Dependence]) -> String {
        let words = |dependence: &Dependence| {
            let branch = self.table.site(dependence.branch);
            let text = self.text(branch.span);
            match dependence.way {
                Way::True => format!("`{text}`"),
                Way::False => format!("not `{text}`"),
                Way::Any => format!("{} `{text}`", branch.kind.name()),
            }
        };
        match dependences {
            [] => "always".into(),
            some => some.iter().map(words).collect::<Vec<_>>().join(" or "),
        }
    }

    pub fn expression(&self, id: ExprId) -> String {
        let name = |variable: &VariableRef| match variable {
            VariableRef::Known(variable) => self.table.name(self.table.variable(*variable).name).to_owned(),
            VariableRef::Global(name) => format!("global {name}"),
        };
        expression_in(&self.facts.expressions, id, &name)
    }
}

pub fn expression_in(expressions: &[Expression], id: ExprId, name: &dyn Fn(&VariableRef) -> String) -> String {
    let of = |id: &ExprId| expression_in(expressions, *id, name);
    let all = |ids: &[ExprId]| ids.iter().map(of).collect::<Vec<_>>().join(", ");
    let key = |key: &Key| match key {
        Key::Name(name) => name.clone(),
        Key::Computed(key) => format!("[{}]", of(key)),
    };
    match &expressions[id.0 as usize].node {
        Node::Literal(literal) => literal_text(literal),
        Node::Variable(variable) => name(variable),
        Node::This => "this".into(),
        Node::Arguments => "arguments".into(),
        Node::Parameter { index, is_rest } => format!("{}parameter {index}", if *is_rest { "..." } else { "" }),
        Node::Member { object, key: by, is_optional } => {
            format!("({}{}{})", of(object), if *is_optional { "?." } else { "." }, key(by))
        }
        Node::Element { of: whole, index, is_rest, keys } => {
            let what = if *keys { "key" } else { "element" };
            let which = index.map_or(String::new(), |index| format!(" {index}"));
            format!("({what}{which}{} of {})", if *is_rest { "…" } else { "" }, of(whole))
        }
        Node::Remainder { of: whole } => format!("(rest of {})", of(whole)),
        Node::Call(Call { callee, arguments, is_new, is_optional, .. }) => format!(
            "{}{}{}({})",
            if *is_new { "new " } else { "" },
            of(callee),
            if *is_optional { "?." } else { "" },
            all(arguments)
        ),
        Node::Unary { operator, operand } => format!("({operator} {})", of(operand)),
        Node::Binary { operator, left, right } => format!("({} {operator} {})", of(left), of(right)),
        Node::Logical { operator, left, right, .. } => {
            let operator = match operator {
                LogicalOperator::And => "&&",
                LogicalOperator::Or => "||",
                LogicalOperator::IfNothing => "??",
            };
            format!("({} {operator} {})", of(left), of(right))
        }
        Node::Conditional { test, then, otherwise, .. } => {
            format!("({} ? {} : {})", of(test), of(then), of(otherwise))
        }
        Node::Default { value, default, .. } => format!("({} default {})", of(value), of(default)),
        Node::Assign { target, value, is_old_value, .. } => {
            format!("({} = {}{})", of(target), of(value), if *is_old_value { ", old" } else { "" })
        }
        Node::Object { entries, spreads } => {
            let mut parts: Vec<String> =
                entries.iter().map(|(by, value)| format!("{}: {}", key(by), of(value))).collect();
            parts.extend(spreads.iter().map(|spread| format!("...{}", of(spread))));
            format!("{{{}}}", parts.join(", "))
        }
        Node::Array { elements, .. } => {
            let parts: Vec<String> =
                elements.iter().map(|element| element.as_ref().map_or(String::new(), of)).collect();
            format!("[{}]", parts.join(", "))
        }
        Node::Function(function) => format!("function {}", function.0),
        Node::Arrow { bindings, body } => {
            let bound: Vec<String> = bindings.iter().map(|(name, value)| format!("{name} = {}", of(value))).collect();
            format!("({}) => {}", bound.join(", "), of(body))
        }
        Node::Template { texts, values } => format!("template({:?}; {})", texts, all(values)),
        Node::Sequence(parts) => format!("({})", all(parts)),
        Node::Await { operand, .. } => format!("(await {})", of(operand)),
        Node::Yield { operand, .. } => format!("(yield {})", operand.as_ref().map_or(String::new(), of)),
        Node::Spread(inner) => format!("...{}", of(inner)),
        Node::Other(parts) => format!("other({})", all(parts)),
    }
}

fn literal_text(literal: &Literal) -> String {
    match literal {
        Literal::Undefined => "undefined".into(),
        Literal::Null => "null".into(),
        Literal::Bool(value) => value.to_string(),
        Literal::Number(value) => value.to_string(),
        Literal::String(value) => format!("{value:?}"),
        Literal::BigInt(digits) => format!("{digits}n"),
    }
}
