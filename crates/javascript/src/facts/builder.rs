//! What all parts of the walk share: the arena, the sites as they are passed, the function and statement that is walked.
//!
//! The walk goes through the tree in the order of evaluation. It notes each site when its event would be emitted, so that the
//! order of sites, the blocks of the flow they are in and the statements they belong to come of themselves.

use instrument::{AnchoredSites, Role, Walked};
use js_syntax::Positions;
use oxc_ast::ast::{BindingIdentifier, IdentifierReference};
use oxc_semantic::Scoping;
use oxc_span::Span;
use oxc_syntax::node::NodeId;
use oxc_syntax::scope::ScopeId;
use oxc_syntax::symbol::SymbolId;
use trace_model::{
    CodeFacts, Dependence, ExprId, Expression, FunctionFacts, FunctionIndex, LocalSite, Node, ScopeNames, SiteFacts,
    SiteTable, Statement, VariableIndex, VariableRef, Way,
};

use super::flow::{BlockId, Flow};
use super::functions::COMMONJS_PARAMETERS;
use super::jumps::Jumps;
use super::modules::DEFAULT;

pub(crate) struct Builder<'p> {
    pub scoping: &'p Scoping,
    pub table: &'p SiteTable,
    /// Which construct has which site.
    pub anchored: &'p AnchoredSites,
    positions: &'p Positions,
    /// By symbol.
    variables: Vec<Option<VariableIndex>>,
    /// What has been found.
    pub facts: CodeFacts,
    frames: Vec<Frame>,
    pub scope: ScopeId,
}

/// The function being walked.
pub(crate) struct Frame {
    pub index: FunctionIndex,
    /// The construct that it is.
    pub node: NodeId,
    pub flow: Flow,
    pub current: BlockId,
    pub jumps: Jumps,
    /// Where control goes on if the base of a `?.` is missing.
    pub chain_end: Option<BlockId>,
    statement: Option<u32>,
    order: u32,
    sites: Vec<(LocalSite, BlockId)>,
    statements: Vec<(u32, BlockId)>,
    /// What a catch depends on, and where the tried block is.
    catches: Vec<(LocalSite, trace_model::Span)>,
}

impl Builder<'_> {
    /// `table` is that of the run: the sites of the walk have its numbers, and `recorded` gives those of variables.
    pub fn facts(
        walked: &Walked,
        table: &SiteTable,
        recorded: impl Fn(VariableIndex) -> Option<VariableIndex>,
    ) -> CodeFacts {
        let symbols = walked.parsed.scoping.symbol_ids();
        let variables = symbols.map(|symbol| recorded(VariableIndex(symbol.index() as u32))).collect();
        let mut builder = Builder::new(walked, table, variables);
        builder.program(walked.parsed.program);
        builder.facts
    }
}

impl<'p> Builder<'p> {
    fn new(walked: &'p Walked<'p, '_>, table: &'p SiteTable, variables: Vec<Option<VariableIndex>>) -> Builder<'p> {
        let scoping = &walked.parsed.scoping;
        let facts = CodeFacts {
            sites: vec![SiteFacts::default(); table.sites.len()],
            functions: vec![FunctionFacts::default(); table.functions.len()],
            scopes: scope_names(scoping, &variables, table),
            ..CodeFacts::default()
        };
        Builder {
            scoping,
            table,
            anchored: &walked.anchored,
            positions: walked.positions,
            variables,
            facts,
            frames: Vec::new(),
            scope: scoping.root_scope_id(),
        }
    }

    /// A place of the text that was parsed, in the source.
    pub fn span(&self, span: Span) -> trace_model::Span {
        self.positions.span_to_source(span.start, span.end)
    }

    pub fn add(&mut self, node: Node, span: Span) -> ExprId {
        self.add_at(node, self.span(span))
    }

    /// With a place of the source.
    pub fn add_at(&mut self, node: Node, span: trace_model::Span) -> ExprId {
        let id = ExprId(self.facts.expressions.len() as u32);
        let function = self.frame().index;
        self.facts.expressions.push(Expression { node, span, function, value_site: None });
        id
    }

    /// The event of this site carries the value of this expression.
    pub fn carries(&mut self, value: ExprId, site: Option<LocalSite>) {
        let expression = &mut self.facts.expressions[value.0 as usize];
        expression.value_site = expression.value_site.or(site);
    }

    /// The site that a construct has in this role, if it has one, emits its event now.
    pub fn emit(
        &mut self,
        node: NodeId,
        role: Role,
        value: Option<ExprId>,
        target: Option<ExprId>,
    ) -> Option<LocalSite> {
        let site = self.anchored.site(node, role)?;
        let block = self.frame().current;
        self.emit_in(site, block, value, target);
        Some(site)
    }

    /// As [`Builder::emit`], counted to a block of the flow that is not the current one.
    pub fn emit_in(&mut self, site: LocalSite, block: BlockId, value: Option<ExprId>, target: Option<ExprId>) {
        let frame = self.frames.last_mut().expect("code belongs to a function");
        frame.order += 1;
        frame.sites.push((site, block));
        let facts = &mut self.facts.sites[site.0 as usize];
        *facts = SiteFacts { value, target, order: frame.order, statement: frame.statement, ..SiteFacts::default() };
        if let Some(statement) = frame.statement {
            self.facts.statements[statement as usize].sites.push(site);
        }
    }

    /// A site that was emitted before belongs to the statement that is walked.
    pub fn move_to_statement(&mut self, site: LocalSite) {
        let Some(statement) = self.frame().statement else { return };
        let facts = &mut self.facts.sites[site.0 as usize];
        if let Some(before) = facts.statement.replace(statement) {
            self.facts.statements[before as usize].sites.retain(|other| *other != site);
        }
        self.facts.statements[statement as usize].sites.push(site);
    }

    /// The value of a site that was emitted before its expression was known.
    pub fn set_value(&mut self, site: Option<LocalSite>, value: ExprId) {
        if let Some(site) = site {
            self.facts.sites[site.0 as usize].value = Some(value);
        }
    }

    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("code belongs to a function")
    }

    pub fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("code belongs to a function")
    }

    pub fn block(&mut self) -> BlockId {
        self.frame_mut().flow.block()
    }

    pub fn edge(&mut self, from: BlockId, to: BlockId, told_by: Option<Dependence>) {
        self.frame_mut().flow.edge(from, to, told_by);
    }

    /// Control goes on in that block.
    pub fn go_to(&mut self, block: BlockId) {
        let current = self.frame().current;
        self.edge(current, block, None);
        self.frame_mut().current = block;
    }

    pub fn continue_in(&mut self, block: BlockId) {
        self.frame_mut().current = block;
    }

    /// Walks code that is evaluated only if the branch goes this way, else control goes on behind it.
    pub fn only_if<R>(&mut self, branch: Option<LocalSite>, way: Way, inside: impl FnOnce(&mut Self) -> R) -> R {
        let (from, taken, join) = (self.frame().current, self.block(), self.block());
        self.edge(from, taken, told(branch, way));
        self.edge(from, join, told(branch, other(way)));
        self.continue_in(taken);
        let result = inside(self);
        self.go_to(join);
        result
    }

    pub fn with_scope<R>(&mut self, scope: Option<ScopeId>, inside: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.scope;
        self.scope = scope.unwrap_or(before);
        let result = inside(self);
        self.scope = before;
        result
    }

    /// Walks the code of a function.
    pub fn with_frame<R>(&mut self, index: FunctionIndex, node: NodeId, inside: impl FnOnce(&mut Self) -> R) -> R {
        self.frames.push(Frame {
            index,
            node,
            flow: Flow::new(),
            current: BlockId::ENTRY,
            jumps: Jumps::default(),
            chain_end: None,
            statement: None,
            order: 0,
            sites: Vec::new(),
            statements: Vec::new(),
            catches: Vec::new(),
        });
        let result = inside(self);
        let frame = self.frames.pop().expect("it was pushed above");
        self.finish(frame);
        result
    }

    /// Walks a statement; what stands inside it can be statements of their own.
    pub fn with_statement<R>(&mut self, span: Span, head_end: u32, inside: impl FnOnce(&mut Self) -> R) -> R {
        let number = self.facts.statements.len() as u32;
        let (function, scope) = (self.frame().index, self.scope.index() as u32);
        let (span, head_end) = (self.span(span), self.positions.to_source(head_end));
        self.facts.statements.push(Statement {
            span,
            head_end,
            function,
            sites: Vec::new(),
            depends_on: Vec::new(),
            scope,
        });
        self.facts.functions[function.0 as usize].statements.push(number);
        let frame = self.frame_mut();
        frame.statements.push((number, frame.current));
        let around = frame.statement.replace(number);
        let result = inside(self);
        self.frame_mut().statement = around;
        result
    }

    /// From here on a catch can get control.
    pub fn note_catch(&mut self, site: Option<LocalSite>, tried: Span) {
        let tried = self.span(tried);
        if let Some(site) = site {
            self.frame_mut().catches.push((site, tried));
        }
    }

    fn finish(&mut self, mut frame: Frame) {
        let last = frame.current;
        frame.flow.edge(last, BlockId::EXIT, None);
        let dependences = frame.flow.dependences();
        let catches = &frame.catches;
        let table = self.table;
        // A catch is explained by its exception; which branch led to the throw is a question about the throw.
        let of = |block: BlockId| -> Vec<Dependence> {
            let all = dependences.of(block);
            let inside_tried = |dependence: &Dependence| {
                all.iter().filter_map(|caught| catches.iter().find(|(site, _)| *site == caught.branch)).any(
                    |(_, tried)| {
                        let span = table.site(dependence.branch).span;
                        tried.start <= span.start && span.end <= tried.end
                    },
                )
            };
            if catches.is_empty() {
                return all.to_vec();
            }
            all.iter().filter(|dependence| !inside_tried(dependence)).copied().collect()
        };
        for &(site, block) in &frame.sites {
            self.facts.sites[site.0 as usize].depends_on = of(block);
        }
        for &(statement, block) in &frame.statements {
            self.facts.statements[statement as usize].depends_on = of(block);
        }
    }

    pub fn symbol(&self, identifier: &IdentifierReference) -> Option<SymbolId> {
        identifier.reference_id.get().and_then(|id| self.scoping.get_reference(id).symbol_id())
    }

    pub fn declared(&mut self, identifier: &BindingIdentifier) -> ExprId {
        let variable = identifier.symbol_id.get().and_then(|symbol| self.variable(symbol));
        let variable = match variable {
            Some(variable) => VariableRef::Known(variable),
            None => VariableRef::Global(identifier.name.to_string()),
        };
        self.add(Node::Variable(variable), identifier.span)
    }

    /// A variable of the top level that the source does not declare.
    pub fn implicit_variable(&self, name: &str) -> Option<VariableIndex> {
        implicit_variables(self.table).find(|index| self.table.name(self.table.variable(*index).name) == name)
    }

    /// The same as an expression.
    pub fn implicit(&mut self, name: &str, span: Span) -> Option<ExprId> {
        let variable = self.implicit_variable(name)?;
        Some(self.add(Node::Variable(VariableRef::Known(variable)), span))
    }

    pub fn variable(&self, symbol: SymbolId) -> Option<VariableIndex> {
        self.variables[symbol.index()]
    }
}

pub(crate) fn told(branch: Option<LocalSite>, way: Way) -> Option<Dependence> {
    branch.map(|branch| Dependence { branch, way })
}

pub(crate) fn other(way: Way) -> Way {
    match way {
        Way::True => Way::False,
        Way::False => Way::True,
        Way::Any => Way::Any,
    }
}

/// They come last, and stand nowhere in the source.
fn implicit_variables(table: &SiteTable) -> impl Iterator<Item = VariableIndex> + '_ {
    let is_implicit = |index: &VariableIndex| {
        let variable = table.variable(*index);
        let name = table.name(variable.name);
        variable.span.start == variable.span.end && (name == DEFAULT || COMMONJS_PARAMETERS.contains(&name))
    };
    (0..table.variables.len() as u32).rev().map(VariableIndex).take_while(is_implicit)
}

fn scope_names(scoping: &Scoping, variables: &[Option<VariableIndex>], table: &SiteTable) -> Vec<ScopeNames> {
    let scope_of = |scope: ScopeId| {
        let bindings = scoping.iter_bindings_in(scope);
        let mut names: Vec<VariableIndex> = bindings.filter_map(|symbol| variables[symbol.index()]).collect();
        names.sort_unstable();
        ScopeNames { around: scoping.scope_parent_id(scope).map(|parent| parent.index() as u32), names }
    };
    let mut scopes: Vec<ScopeNames> = scoping.scope_descendants_from_root().map(scope_of).collect();
    if let Some(root) = scopes.first_mut() {
        // The value of `export default` has no name that code could use.
        let has_name = |index: &VariableIndex| table.name(table.variable(*index).name) != DEFAULT;
        root.names.extend(implicit_variables(table).filter(has_name));
    }
    scopes
}
