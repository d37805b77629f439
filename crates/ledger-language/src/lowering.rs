//! Syntax tree → sites and facts. Both come from this one walk, and the interpreter emits at the sites that it gives.

use std::collections::{BTreeSet, HashMap};

use trace_model::{
    Call, CodeFacts, Dependence, ExprId, Expression, FunctionFacts, FunctionIndex, FunctionKind, Key, Literal,
    LocalSite, LogicalOperator, NameIndex, Node, Owner, ScopeNames, Site, SiteFacts, SiteKind, SiteTable, Span,
    Statement, Variable, VariableIndex, VariableKind, VariableRef, Way,
};

use crate::syntax::{self, Expr, ExprKind, NodeId, Program, StatementKind};

pub struct Code {
    pub table: SiteTable,
    pub facts: CodeFacts,
    sites: HashMap<(NodeId, Role), LocalSite>,
    /// By function: where it is entered and left, and its parameters.
    pub frames: Vec<FrameSites>,
}

#[derive(Debug)]
pub struct FrameSites {
    pub enter: LocalSite,
    pub parameters: Vec<LocalSite>,
    /// Control came to the end without a `return`.
    pub end: LocalSite,
    pub exit: LocalSite,
}

/// What a site tells of its node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// The event that a statement or literal is there for.
    Own,
    Call,
    Result,
    /// The record that is a copy of what the node names.
    Copy,
    /// A check failed.
    Throw,
}

impl Code {
    pub fn site(&self, node: NodeId, role: Role) -> Option<LocalSite> {
        self.sites.get(&(node, role)).copied()
    }
}

pub fn lower(program: &Program, source: &str) -> Code {
    let mut lowering = Lowering {
        code: Code {
            table: SiteTable::default(),
            facts: CodeFacts::default(),
            sites: HashMap::new(),
            frames: Vec::new(),
        },
        names: HashMap::new(),
        variables: Vec::new(),
        function: FunctionIndex(0),
        statement: None,
        depends_on: Vec::new(),
        fields: program.fields.clone(),
    };
    let whole = Span { start: 0, end: source.len() as u32 };
    lowering.function("", FunctionKind::Module, whole);
    for function in &program.functions {
        lowering.function(&function.name.text, FunctionKind::Plain, function.span);
    }
    lowering.body(0, &[], &program.body, whole);
    for (number, function) in (1..).zip(&program.functions) {
        lowering.body(number, &function.parameters, &function.body, function.span);
    }
    lowering.code
}

struct Lowering {
    code: Code,
    names: HashMap<String, NameIndex>,
    /// By function.
    variables: Vec<HashMap<String, VariableIndex>>,
    function: FunctionIndex,
    statement: Option<u32>,
    depends_on: Vec<Dependence>,
    /// All that records of the program may have.
    fields: BTreeSet<String>,
}

impl Lowering {
    fn function(&mut self, name: &str, kind: FunctionKind, span: Span) {
        let name = self.name(name);
        let is_top = kind == FunctionKind::Module;
        self.code.table.functions.push(trace_model::Function {
            kind,
            name,
            span,
            parent: (!is_top).then_some(FunctionIndex(0)),
            is_async: false,
            is_generator: false,
            exact_exit: true,
            recorded: true,
        });
        self.code.facts.functions.push(FunctionFacts::default());
        self.code.facts.scopes.push(ScopeNames { around: (!is_top).then_some(0), names: Vec::new() });
        self.variables.push(HashMap::new());
    }

    fn body(&mut self, number: u32, parameters: &[syntax::Name], body: &[syntax::Statement], span: Span) {
        (self.function, self.statement, self.depends_on) = (FunctionIndex(number), None, Vec::new());
        self.code.facts.functions[number as usize].n_parameters = parameters.len() as u32;
        let enter = self.site(SiteKind::Enter, span, None, None);
        let mut sites = Vec::new();
        for (index, parameter) in (0..).zip(parameters) {
            let variable = self.declare(parameter, VariableKind::Parameter);
            let given = self.expression(Node::Parameter { index, is_rest: false }, parameter.span);
            let target = self.expression(Node::Variable(VariableRef::Known(variable)), parameter.span);
            let site = self.write(SiteKind::Param, parameter.span, &parameter.text, given, target, Some(variable));
            sites.push(site);
        }
        self.block(body);
        let end = Span { start: span.end.saturating_sub(1), end: span.end };
        (self.statement, self.depends_on) = (None, Vec::new());
        let [end, exit] = [SiteKind::Return, SiteKind::Exit].map(|kind| self.site(kind, end, None, None));
        self.code.frames.push(FrameSites { enter, parameters: sites, end, exit });
    }

    /// Whether control never comes to its end.
    fn block(&mut self, statements: &[syntax::Statement]) -> bool {
        let n_around = self.depends_on.len();
        let mut leaves = false;
        for statement in statements {
            leaves |= self.lower_statement(statement);
        }
        self.depends_on.truncate(n_around);
        leaves
    }

    /// Whether control never comes behind it. What comes behind an `if` that may leave depends on it.
    fn lower_statement(&mut self, statement: &syntax::Statement) -> bool {
        let number = self.code.facts.statements.len() as u32;
        self.code.facts.statements.push(Statement {
            span: statement.span,
            head_end: statement.span.end,
            function: self.function,
            sites: Vec::new(),
            depends_on: self.depends_on.clone(),
            scope: self.function.0,
        });
        self.code.facts.functions[self.function.0 as usize].statements.push(number);
        self.statement = Some(number);
        let (id, span) = (statement.id, statement.span);
        match &statement.kind {
            StatementKind::Let { name, value } => {
                let value = self.taken(value);
                let variable = self.declare(name, VariableKind::Let);
                let target = self.expression(Node::Variable(VariableRef::Known(variable)), name.span);
                let site = self.write(SiteKind::Var, span, &name.text, value, target, Some(variable));
                self.code.sites.insert((id, Role::Own), site);
            }
            StatementKind::Assign { target, value } => self.assign(id, span, target, value),
            StatementKind::If { test, then, otherwise } => {
                let branch = self.test(id, SiteKind::Branch, test, number);
                let leaves = [(then, Way::True), (otherwise, Way::False)].map(|(body, way)| {
                    self.depends_on.push(Dependence { branch, way });
                    let leaves = self.block(body);
                    self.depends_on.pop();
                    leaves
                });
                match leaves {
                    [true, true] => return true,
                    [true, false] => self.depends_on.push(Dependence { branch, way: Way::False }),
                    [false, true] => self.depends_on.push(Dependence { branch, way: Way::True }),
                    [false, false] => {}
                }
            }
            StatementKind::While { test, body } => {
                let branch = self.test(id, SiteKind::Loop, test, number);
                self.depends_on.push(Dependence { branch, way: Way::True });
                self.block(body);
                self.depends_on.pop();
            }
            StatementKind::For { name, list, body } => {
                let of = self.value(list);
                self.code.facts.statements[number as usize].head_end = list.span.end;
                let variable = self.declare(name, VariableKind::Let);
                let node = Node::Element { of, index: None, is_rest: false, keys: false };
                let element = self.expression(node, name.span);
                let target = self.expression(Node::Variable(VariableRef::Known(variable)), name.span);
                let branch = self.write(SiteKind::Var, name.span, &name.text, element, target, Some(variable));
                self.code.sites.insert((id, Role::Own), branch);
                self.depends_on.push(Dependence { branch, way: Way::Any });
                self.block(body);
                self.depends_on.pop();
            }
            StatementKind::Return(value) => {
                let value = value.as_ref().map(|value| self.taken(value));
                self.own(id, SiteKind::Return, span, value);
                return true;
            }
            StatementKind::Fail(value) => {
                let value = self.value(value);
                self.own(id, SiteKind::Throw, span, Some(value));
                return true;
            }
            StatementKind::Check(test) => {
                let branch = self.test(id, SiteKind::Branch, test, number);
                self.depends_on.push(Dependence { branch, way: Way::False });
                let throw = self.site(SiteKind::Throw, span, None, None);
                self.code.sites.insert((id, Role::Throw), throw);
                self.depends_on.pop();
                self.depends_on.push(Dependence { branch, way: Way::True });
            }
            StatementKind::Print(value) => {
                self.call(id, span, "print", Span { start: span.start, end: span.start + 5 }, |lowering| {
                    vec![lowering.value(value)]
                });
            }
            StatementKind::Do(value) => {
                self.value(value);
            }
        }
        false
    }

    fn assign(&mut self, id: NodeId, span: Span, target: &Expr, value: &Expr) {
        let place = self.value(target);
        let value = self.taken(value);
        let (kind, name, variable) = match &target.kind {
            ExprKind::Field(_, field) => (SiteKind::Put, field.as_str(), None),
            ExprKind::Index(..) => (SiteKind::PutComputed, "", None),
            ExprKind::Name(name) => (SiteKind::Var, name.as_str(), self.resolve(name)),
            _ => return,
        };
        let site = self.write(kind, span, name, value, place, variable);
        self.code.sites.insert((id, Role::Own), site);
    }

    fn test(&mut self, id: NodeId, kind: SiteKind, test: &Expr, statement: u32) -> LocalSite {
        let value = self.value(test);
        self.code.facts.statements[statement as usize].head_end = test.span.end;
        self.own(id, kind, test.span, Some(value))
    }

    fn own(&mut self, id: NodeId, kind: SiteKind, span: Span, value: Option<ExprId>) -> LocalSite {
        let site = self.site(kind, span, value, None);
        self.code.sites.insert((id, Role::Own), site);
        site
    }

    /// A value that somebody keeps: of a record that is kept elsewhere, a copy.
    fn taken(&mut self, expr: &Expr) -> ExprId {
        let read = self.value(expr);
        if !expr.is_place() {
            return read;
        }
        let node = self.code.facts.expressions[read.0 as usize].node.clone();
        self.copied(expr.id, node, read, expr.span)
    }

    fn copied(&mut self, id: NodeId, node: Node, read: ExprId, span: Span) -> ExprId {
        // It has the fields of the original, whichever of all fields of the program these are.
        let mut entries = Vec::new();
        for field in self.fields.clone() {
            let key = Key::Name(field);
            let held = self.expression(Node::Member { object: read, key: key.clone(), is_optional: false }, span);
            entries.push((key, held));
        }
        let made = self.expression(Node::Object { entries, spreads: Vec::new() }, span);
        let site = self.site(SiteKind::Literal, span, Some(made), None);
        self.code.sites.insert((id, Role::Copy), site);
        self.code.facts.expressions[made.0 as usize].value_site = Some(site);
        let taken = self.expression(node, span);
        self.code.facts.expressions[taken.0 as usize].value_site = Some(site);
        taken
    }

    fn value(&mut self, expr: &Expr) -> ExprId {
        let node = match &expr.kind {
            ExprKind::Nothing => Node::Literal(Literal::Null),
            ExprKind::Bool(truth) => Node::Literal(Literal::Bool(*truth)),
            ExprKind::Number(number) => Node::Literal(Literal::Number(*number)),
            ExprKind::Text(text) => Node::Literal(Literal::String(text.clone())),
            ExprKind::Name(name) => Node::Variable(match self.resolve(name) {
                Some(variable) => VariableRef::Known(variable),
                None => VariableRef::Global(name.clone()),
            }),
            ExprKind::Field(object, field) => {
                Node::Member { object: self.value(object), key: Key::Name(field.clone()), is_optional: false }
            }
            ExprKind::Index(object, index) => {
                let object = self.value(object);
                Node::Member { object, key: Key::Computed(self.value(index)), is_optional: false }
            }
            ExprKind::Unary(operator, operand) => Node::Unary { operator, operand: self.value(operand) },
            ExprKind::Binary(operator, left, right) => {
                let left = self.value(left);
                Node::Binary { operator, left, right: self.value(right) }
            }
            ExprKind::And(left, right) => return self.logical(expr, LogicalOperator::And, left, right),
            ExprKind::Or(left, right) => return self.logical(expr, LogicalOperator::Or, left, right),
            ExprKind::Call(name, arguments) => {
                return self.call(expr.id, expr.span, &name.text, name.span, |lowering| {
                    arguments.iter().map(|argument| lowering.taken(argument)).collect()
                });
            }
            ExprKind::Record(fields) => {
                let entries: Vec<(Key, ExprId)> =
                    fields.iter().map(|(name, value)| (Key::Name(name.clone()), self.taken(value))).collect();
                let names = fields.iter().map(|(name, _)| self.name(name)).collect();
                let node = Node::Object { entries, spreads: Vec::new() };
                return self.literal(expr, SiteKind::ObjectLiteral, node, names, 0);
            }
            ExprKind::List(elements) => {
                let values: Vec<Option<ExprId>> = elements.iter().map(|element| Some(self.taken(element))).collect();
                let node = Node::Array { elements: values, has_spread: false };
                return self.literal(expr, SiteKind::ArrayLiteral, node, Vec::new(), elements.len() as u32);
            }
        };
        self.expression(node, expr.span)
    }

    fn logical(&mut self, expr: &Expr, operator: LogicalOperator, left: &Expr, right: &Expr) -> ExprId {
        let value = self.value(left);
        let branch = self.own(expr.id, SiteKind::Branch, left.span, Some(value));
        let way = if operator == LogicalOperator::And { Way::True } else { Way::False };
        self.depends_on.push(Dependence { branch, way });
        let right = self.value(right);
        self.depends_on.pop();
        self.expression(Node::Logical { operator, left: value, right, branch: Some(branch) }, expr.span)
    }

    fn call(
        &mut self,
        id: NodeId,
        span: Span,
        name: &str,
        name_span: Span,
        arguments: impl FnOnce(&mut Lowering) -> Vec<ExprId>,
    ) -> ExprId {
        let callee = self.expression(Node::Variable(VariableRef::Global(name.to_owned())), name_span);
        let call_site = self.site(SiteKind::Call, span, None, None);
        let arguments = arguments(self);
        let result_site = self.site(SiteKind::Result, span, None, None);
        self.code.sites.insert((id, Role::Call), call_site);
        self.code.sites.insert((id, Role::Result), result_site);
        let (call_site, result_site) = (Some(call_site), Some(result_site));
        let call = Call { callee, arguments, is_new: false, is_optional: false, call_site, result_site };
        let id = self.expression(Node::Call(call), span);
        self.code.facts.expressions[id.0 as usize].value_site = result_site;
        for site in [call_site, result_site].into_iter().flatten() {
            self.code.facts.sites[site.0 as usize].value = Some(id);
        }
        id
    }

    fn literal(&mut self, expr: &Expr, kind: SiteKind, node: Node, names: Vec<NameIndex>, extra: u32) -> ExprId {
        let id = self.expression(node, expr.span);
        let site = self.own(expr.id, kind, expr.span, Some(id));
        self.code.facts.expressions[id.0 as usize].value_site = Some(site);
        let known = &mut self.code.table.sites[site.0 as usize];
        (known.names, known.extra) = (names, extra);
        id
    }

    fn write(
        &mut self,
        kind: SiteKind,
        span: Span,
        name: &str,
        value: ExprId,
        target: ExprId,
        variable: Option<VariableIndex>,
    ) -> LocalSite {
        let site = self.site(kind, span, Some(value), Some(target));
        let names = if name.is_empty() { Vec::new() } else { vec![self.name(name)] };
        let known = &mut self.code.table.sites[site.0 as usize];
        (known.names, known.variable) = (names, variable);
        site
    }

    fn site(&mut self, kind: SiteKind, span: Span, value: Option<ExprId>, target: Option<ExprId>) -> LocalSite {
        let site = LocalSite(self.code.table.sites.len() as u32);
        let function = self.function;
        self.code.table.sites.push(Site { kind, span, function, names: Vec::new(), extra: 0, variable: None });
        self.code.facts.sites.push(SiteFacts {
            value,
            target,
            depends_on: self.depends_on.clone(),
            // Sites are made in the order in which they are evaluated.
            order: site.0 + 1,
            statement: self.statement,
        });
        if let Some(statement) = self.statement {
            self.code.facts.statements[statement as usize].sites.push(site);
        }
        site
    }

    fn expression(&mut self, node: Node, span: Span) -> ExprId {
        let id = ExprId(self.code.facts.expressions.len() as u32);
        self.code.facts.expressions.push(Expression { node, span, function: self.function, value_site: None });
        id
    }

    fn declare(&mut self, name: &syntax::Name, kind: VariableKind) -> VariableIndex {
        if let Some(known) = self.variables[self.function.0 as usize].get(&name.text) {
            return *known;
        }
        let index = VariableIndex(self.code.table.variables.len() as u32);
        let own_name = self.name(&name.text);
        let owner = Owner::Function(self.function);
        self.code.table.variables.push(Variable { name: own_name, owner, kind, span: name.span });
        self.code.facts.scopes[self.function.0 as usize].names.push(index);
        self.variables[self.function.0 as usize].insert(name.text.clone(), index);
        index
    }

    fn resolve(&self, name: &str) -> Option<VariableIndex> {
        let own = self.variables[self.function.0 as usize].get(name);
        own.or_else(|| self.variables[0].get(name)).copied()
    }

    fn name(&mut self, text: &str) -> NameIndex {
        if let Some(known) = self.names.get(text) {
            return *known;
        }
        let index = NameIndex(self.code.table.names.len() as u32);
        self.code.table.names.push(text.to_owned());
        self.names.insert(text.to_owned(), index);
        index
    }
}
