//! Text → syntax tree.

use std::collections::BTreeSet;

use trace_model::Span;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    pub message: String,
    /// Byte offset.
    pub at: u32,
}

/// Tells expressions and statements of one program apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(pub u32);

#[derive(Debug)]
pub struct Program {
    pub functions: Vec<Function>,
    pub body: Vec<Statement>,
    /// The names of all fields.
    pub fields: BTreeSet<String>,
}

#[derive(Debug)]
pub struct Function {
    pub name: Name,
    pub parameters: Vec<Name>,
    pub body: Vec<Statement>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Debug)]
pub struct Statement {
    pub id: NodeId,
    pub span: Span,
    pub kind: StatementKind,
}

#[derive(Debug)]
pub enum StatementKind {
    Let { name: Name, value: Expr },
    Assign { target: Expr, value: Expr },
    If { test: Expr, then: Vec<Statement>, otherwise: Vec<Statement> },
    While { test: Expr, body: Vec<Statement> },
    For { name: Name, list: Expr, body: Vec<Statement> },
    Return(Option<Expr>),
    Fail(Expr),
    Check(Expr),
    Print(Expr),
    Do(Expr),
}

#[derive(Debug)]
pub struct Expr {
    pub id: NodeId,
    pub span: Span,
    pub kind: ExprKind,
}

#[derive(Debug)]
pub enum ExprKind {
    Nothing,
    Bool(bool),
    Number(f64),
    Text(String),
    Name(String),
    Field(Box<Expr>, String),
    Index(Box<Expr>, Box<Expr>),
    Call(Name, Vec<Expr>),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Record(Vec<(String, Expr)>),
    List(Vec<Expr>),
}

impl Expr {
    /// Whether it names a place, so that taking its value takes a copy of a record.
    pub fn is_place(&self) -> bool {
        matches!(self.kind, ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(..))
    }
}

pub fn parse(source: &str) -> Result<Program, SyntaxError> {
    let mut parser = Parser::new(source)?;
    let mut program = Program { functions: Vec::new(), body: Vec::new(), fields: BTreeSet::new() };
    while !parser.is_over() {
        match parser.is_next("fun") {
            true => program.functions.push(parser.function()?),
            false => program.body.push(parser.statement()?),
        }
    }
    program.fields = parser.fields;
    Ok(program)
}

/// One expression, and nothing else.
pub fn parse_expression(text: &str) -> Result<Expr, SyntaxError> {
    let mut parser = Parser::new(text)?;
    let expression = parser.expression()?;
    match parser.is_over() {
        true => Ok(expression),
        false => Err(parser.unexpected("the end")),
    }
}

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Word(String),
    Number(f64),
    Text(String),
    Sign(&'static str),
}

/// Longer ones before what they begin with.
const SIGNS: [&str; 21] =
    [":=", "<>", "<=", ">=", "<", ">", "=", "+", "-", "*", "/", "&", "(", ")", "[", "]", "{", "}", ",", ".", ":"];
const KEYWORDS: [&str; 20] = [
    "let", "fun", "if", "then", "else", "end", "while", "for", "in", "do", "return", "fail", "check", "print", "and",
    "or", "not", "mod", "yes", "no",
];
/// From those that bind least.
const BINARY: [&[&str]; 3] = [&["=", "<>", "<=", ">=", "<", ">", "has"], &["+", "-", "&"], &["*", "/", "mod"]];

struct Parser {
    tokens: Vec<(Token, Span)>,
    at: usize,
    n_nodes: u32,
    end: u32,
    fields: BTreeSet<String>,
}

impl Parser {
    fn new(source: &str) -> Result<Parser, SyntaxError> {
        Ok(Parser { tokens: tokens(source)?, at: 0, n_nodes: 0, end: source.len() as u32, fields: BTreeSet::new() })
    }

    fn is_over(&self) -> bool {
        self.at == self.tokens.len()
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(Span { start: self.end, end: self.end }, |(_, span)| *span)
    }

    fn since(&self, start: u32) -> Span {
        Span { start, end: self.tokens[self.at - 1].1.end }
    }

    fn node(&mut self) -> NodeId {
        self.n_nodes += 1;
        NodeId(self.n_nodes)
    }

    fn is_next(&self, wanted: &str) -> bool {
        match self.tokens.get(self.at) {
            Some((Token::Word(word), _)) => word == wanted,
            Some((Token::Sign(sign), _)) => *sign == wanted,
            _ => false,
        }
    }

    fn accept(&mut self, wanted: &str) -> bool {
        let is_next = self.is_next(wanted);
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, wanted: &str) -> Result<(), SyntaxError> {
        if self.accept(wanted) { Ok(()) } else { Err(self.unexpected(wanted)) }
    }

    fn unexpected(&self, wanted: &str) -> SyntaxError {
        SyntaxError { message: format!("{wanted} is expected here"), at: self.span().start }
    }

    fn name(&mut self) -> Result<Name, SyntaxError> {
        match self.tokens.get(self.at) {
            Some((Token::Word(word), span)) if !KEYWORDS.contains(&word.as_str()) => {
                let name = Name { text: word.clone(), span: *span };
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    fn field(&mut self) -> Result<String, SyntaxError> {
        let name = self.name()?.text;
        self.fields.insert(name.clone());
        Ok(name)
    }

    fn function(&mut self) -> Result<Function, SyntaxError> {
        let start = self.span().start;
        self.expect("fun")?;
        let name = self.name()?;
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.accept(")") {
            parameters.push(self.name()?);
            self.accept(",");
        }
        let body = self.block(&["end"])?;
        Ok(Function { name, parameters, body, span: self.since(start) })
    }

    /// Statements up to one of these words, which is taken as well.
    fn block(&mut self, ends: &[&str]) -> Result<Vec<Statement>, SyntaxError> {
        let mut statements = Vec::new();
        while !ends.iter().any(|end| self.is_next(end)) {
            if self.is_over() {
                return Err(self.unexpected(ends[0]));
            }
            statements.push(self.statement()?);
        }
        self.at += 1;
        Ok(statements)
    }

    fn statement(&mut self) -> Result<Statement, SyntaxError> {
        let (id, start) = (self.node(), self.span().start);
        let kind = if self.accept("let") {
            let name = self.name()?;
            self.expect(":=")?;
            StatementKind::Let { name, value: self.expression()? }
        } else if self.accept("if") {
            let test = self.expression()?;
            self.expect("then")?;
            let then = self.block(&["end", "else"])?;
            let has_else = self.tokens[self.at - 1].0 == Token::Word("else".into());
            let otherwise = if has_else { self.block(&["end"])? } else { Vec::new() };
            StatementKind::If { test, then, otherwise }
        } else if self.accept("while") {
            let test = self.expression()?;
            self.expect("do")?;
            StatementKind::While { test, body: self.block(&["end"])? }
        } else if self.accept("for") {
            let name = self.name()?;
            self.expect("in")?;
            let list = self.expression()?;
            self.expect("do")?;
            StatementKind::For { name, list, body: self.block(&["end"])? }
        } else if self.accept("return") {
            let is_empty = self.is_over() || self.is_next("end") || self.is_next("else");
            StatementKind::Return(if is_empty { None } else { Some(self.expression()?) })
        } else if self.accept("fail") {
            StatementKind::Fail(self.expression()?)
        } else if self.accept("check") {
            StatementKind::Check(self.expression()?)
        } else if self.accept("print") {
            StatementKind::Print(self.expression()?)
        } else {
            let target = self.expression()?;
            match self.accept(":=") {
                true => StatementKind::Assign { target, value: self.expression()? },
                false => StatementKind::Do(target),
            }
        };
        Ok(Statement { id, span: self.since(start), kind })
    }

    fn expression(&mut self) -> Result<Expr, SyntaxError> {
        let mut left = self.conjunction()?;
        while self.accept("or") {
            let right = self.conjunction()?;
            left = self.joined(left, right, ExprKind::Or);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Expr, SyntaxError> {
        let mut left = self.binary(0)?;
        while self.accept("and") {
            let right = self.binary(0)?;
            left = self.joined(left, right, ExprKind::And);
        }
        Ok(left)
    }

    fn joined(&mut self, left: Expr, right: Expr, kind: impl Fn(Box<Expr>, Box<Expr>) -> ExprKind) -> Expr {
        let span = Span { start: left.span.start, end: right.span.end };
        Expr { id: self.node(), span, kind: kind(left.into(), right.into()) }
    }

    fn binary(&mut self, level: usize) -> Result<Expr, SyntaxError> {
        let Some(operators) = BINARY.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = operators.iter().copied().find(|operator| self.is_next(operator)) {
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = self.joined(left, right, |left, right| ExprKind::Binary(operator, left, right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, SyntaxError> {
        let (id, start) = (self.node(), self.span().start);
        for operator in ["not", "-"] {
            if self.accept(operator) {
                let operand = self.unary()?.into();
                return Ok(Expr { id, span: self.since(start), kind: ExprKind::Unary(operator, operand) });
            }
        }
        self.place()
    }

    fn place(&mut self) -> Result<Expr, SyntaxError> {
        let start = self.span().start;
        let mut base = self.simple()?;
        loop {
            let kind = if self.accept(".") {
                ExprKind::Field(base.into(), self.field()?)
            } else if self.accept("[") {
                let index = self.expression()?;
                self.expect("]")?;
                ExprKind::Index(base.into(), index.into())
            } else {
                return Ok(base);
            };
            base = Expr { id: self.node(), span: self.since(start), kind };
        }
    }

    fn simple(&mut self) -> Result<Expr, SyntaxError> {
        let (id, start) = (self.node(), self.span().start);
        let kind = match self.tokens.get(self.at).map(|(token, _)| token.clone()) {
            Some(Token::Number(number)) => self.taken(ExprKind::Number(number)),
            Some(Token::Text(text)) => self.taken(ExprKind::Text(text)),
            Some(Token::Word(word)) if word == "yes" || word == "no" => self.taken(ExprKind::Bool(word == "yes")),
            Some(Token::Word(word)) if word == "nothing" => self.taken(ExprKind::Nothing),
            Some(Token::Word(_)) => {
                let name = self.name()?;
                match self.accept("(") {
                    true => ExprKind::Call(name, self.listed(")")?),
                    false => ExprKind::Name(name.text),
                }
            }
            Some(Token::Sign("[")) => {
                self.at += 1;
                ExprKind::List(self.listed("]")?)
            }
            Some(Token::Sign("{")) => {
                self.at += 1;
                let mut fields = Vec::new();
                while !self.accept("}") {
                    let name = self.field()?;
                    self.expect(":")?;
                    fields.push((name, self.expression()?));
                    self.accept(",");
                }
                ExprKind::Record(fields)
            }
            Some(Token::Sign("(")) => {
                self.at += 1;
                let inner = self.expression()?;
                self.expect(")")?;
                return Ok(inner);
            }
            _ => return Err(self.unexpected("a value")),
        };
        Ok(Expr { id, span: self.since(start), kind })
    }

    fn taken(&mut self, kind: ExprKind) -> ExprKind {
        self.at += 1;
        kind
    }

    fn listed(&mut self, end: &str) -> Result<Vec<Expr>, SyntaxError> {
        let mut parts = Vec::new();
        while !self.accept(end) {
            parts.push(self.expression()?);
            self.accept(",");
        }
        Ok(parts)
    }
}

fn tokens(source: &str) -> Result<Vec<(Token, Span)>, SyntaxError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = source[at..].chars().next() {
        let rest = &source[at..];
        let length_of = |is_part: fn(char) -> bool| rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (token, length) = if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if rest.starts_with("--") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if c.is_alphabetic() {
            let length = length_of(|c| c.is_alphanumeric() || c == '_');
            (Token::Word(rest[..length].to_owned()), length)
        } else if c.is_ascii_digit() {
            let length = length_of(|c| c.is_ascii_digit());
            (Token::Number(rest[..length].parse().unwrap_or(0.0)), length)
        } else if c == '"' {
            let Some(length) = rest[1..].find('"') else {
                return Err(SyntaxError { message: "this text does not end".into(), at: at as u32 });
            };
            (Token::Text(rest[1..=length].to_owned()), length + 2)
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            (Token::Sign(sign), sign.len())
        } else {
            return Err(SyntaxError { message: format!("{c} has no meaning"), at: at as u32 });
        };
        tokens.push((token, Span { start: at as u32, end: (at + length) as u32 }));
        at += length;
    }
    Ok(tokens)
}
