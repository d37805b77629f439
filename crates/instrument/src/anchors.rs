//! Which construct of the syntax tree got which site.
//!
//! The walk that makes the sites tells it as it makes them: so whoever must know it (the facts of `javascript`) never has to search.
//! A construct is a node of the tree, by the number that it has there; and as one can have several sites, each has a role.

use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};
use oxc_syntax::node::NodeId;
use trace_model::{FunctionIndex, LocalSite};

/// What a site tells of its construct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Of a call: that it is about to be evaluated.
    Call,
    /// The same, but told behind its arguments, where nothing can be put before it.
    CallBehindArguments,
    Result,
    Argument,
    /// Of `super()`.
    ThisOfSuper,
    /// Of a call: that the frame goes on behind an `await` in its callee.
    ResumedAmongArguments,
    /// Of a call or a declaration: the same, told behind it.
    ResumedBehind,
    /// Of the base of a `?.`: whether it is there, looked at before the whole chain.
    BaseBeforeChain,
    /// The same in its place.
    Base,
    /// Of an expression: that control goes one way or another by its value.
    Decision,
    /// Of an endless loop: that it goes round.
    Round,
    /// Of an assignment, a declarator, a field, an identifier or member in a pattern, …
    Write,
    /// Of a write of an element of `arguments`: the parameters that may be it, one behind the other.
    MappedParameter,
    /// Of an identifier in the head of a loop.
    Carried,
    /// Of a default value: that it was used.
    Default,
    Birth,
    /// Of a function declaration: its write at the start of the list that it stands in.
    Hoisted,
    Suspend,
    Resume,
    /// Of `for … of`: that the frame goes on, at the start of each round.
    ResumedInLoop,
    /// The same behind the loop.
    ResumedBehindLoop,
    /// Of the body of a loop: that each time round is a scope of its own.
    BodyScope,
    /// Of a `for` statement: the same of the variables in its head.
    HeadScope,
    Case,
    Catch,
    Finally,
    FinallyEnd,
    /// Of `return` and `throw`.
    Leave,
    /// Of a function, an initialiser or the top level.
    Enter,
    This,
    Arguments,
    /// What Node passes to a CommonJS module, one behind the other.
    Given,
    /// Of a function: that it returns at the end of its body; of an arrow function without a block, what.
    End,
    Exit,
}

/// Who is told. Nobody is, inside the program.
pub(crate) trait Anchors {
    fn site(&mut self, node: NodeId, role: Role, site: LocalSite);
    fn function(&mut self, node: NodeId, function: FunctionIndex);
    /// Of a field, a static block or a default value, each of which can be a function itself.
    fn initialiser(&mut self, node: NodeId, function: FunctionIndex);
}

pub(crate) struct NoAnchors;

impl Anchors for NoAnchors {
    fn site(&mut self, _: NodeId, _: Role, _: LocalSite) {}
    fn function(&mut self, _: NodeId, _: FunctionIndex) {}
    fn initialiser(&mut self, _: NodeId, _: FunctionIndex) {}
}

/// The sites and functions of a text, by construct.
#[derive(Default)]
pub struct AnchoredSites {
    /// Sorted by node; of one node in the order in which they were made.
    sites: Vec<(NodeId, Role, LocalSite)>,
    /// By node: the first of `sites` that is of it or of a later one.
    first_of: Vec<u32>,
    functions: Vec<(NodeId, FunctionIndex)>,
    initialisers: Vec<(NodeId, FunctionIndex)>,
}

impl Anchors for AnchoredSites {
    fn site(&mut self, node: NodeId, role: Role, site: LocalSite) {
        self.sites.push((node, role, site));
    }

    fn function(&mut self, node: NodeId, function: FunctionIndex) {
        self.functions.push((node, function));
    }

    fn initialiser(&mut self, node: NodeId, function: FunctionIndex) {
        self.initialisers.push((node, function));
    }
}

impl AnchoredSites {
    /// The site that a construct has in this role.
    pub fn site(&self, node: NodeId, role: Role) -> Option<LocalSite> {
        self.sites(node, role).next()
    }

    /// All of them.
    pub fn sites(&self, node: NodeId, role: Role) -> impl Iterator<Item = LocalSite> {
        let at = |number: usize| self.first_of.get(number).map_or(self.sites.len(), |first| *first as usize);
        let own = &self.sites[at(node.index())..at(node.index() + 1)];
        own.iter().filter(move |(_, other, _)| *other == role).map(|(_, _, site)| *site)
    }

    pub fn function(&self, node: NodeId) -> Option<FunctionIndex> {
        of_node(&self.functions, node)
    }

    pub fn initialiser(&self, node: NodeId) -> Option<FunctionIndex> {
        of_node(&self.initialisers, node)
    }

    /// Under other numbers; what has none is left out.
    pub fn renumber(
        &mut self,
        site: impl Fn(LocalSite) -> Option<LocalSite>,
        function: impl Fn(FunctionIndex) -> Option<FunctionIndex>,
    ) {
        let functions = |all: &[(NodeId, FunctionIndex)]| {
            all.iter().filter_map(|(node, index)| Some((*node, function(*index)?))).collect()
        };
        let sites = self.sites.iter().filter_map(|(node, role, number)| Some((*node, *role, site(*number)?)));
        *self = AnchoredSites {
            sites: sites.collect(),
            first_of: Vec::new(),
            functions: functions(&self.functions),
            initialisers: functions(&self.initialisers),
        };
        self.sort();
    }

    /// To be called when all are there.
    pub(crate) fn sort(&mut self) {
        self.sites.sort_by_key(|(node, _, _)| *node);
        self.functions.sort_unstable();
        self.initialisers.sort_unstable();
        let n_nodes = self.sites.last().map_or(0, |(node, _, _)| node.index() + 1);
        let mut first_of = vec![0u32; n_nodes + 1];
        for (node, _, _) in &self.sites {
            first_of[node.index() + 1] += 1;
        }
        for node in 1..first_of.len() {
            first_of[node] += first_of[node - 1];
        }
        self.first_of = first_of;
    }
}

fn of_node(all: &[(NodeId, FunctionIndex)], node: NodeId) -> Option<FunctionIndex> {
    let found = all.binary_search_by_key(&node, |(other, _)| *other).ok()?;
    Some(all[found].1)
}

/// A construct, and where what a site tells of it stands.
#[derive(Clone, Copy)]
pub(crate) struct At {
    pub node: NodeId,
    pub span: Span,
}

impl At {
    /// The same construct, told of at another place.
    pub fn over(self, span: Span) -> At {
        At { span, ..self }
    }
}

pub(crate) trait Construct {
    fn at(&self) -> At;
}

macro_rules! constructs {
    ($($node:ty),* $(,)?) => {
        $(impl Construct for $node {
            fn at(&self) -> At {
                At { node: self.node_id(), span: self.span() }
            }
        })*
    };
}

constructs! {
    ArrayExpression<'_>, ArrowFunctionExpression<'_>, AssignmentExpression<'_>, AssignmentTarget<'_>, AwaitExpression<'_>, BindingIdentifier<'_>, BlockStatement<'_>,
    CallExpression<'_>, CatchClause<'_>, Class<'_>, ExportDefaultDeclaration<'_>, Expression<'_>, ForOfStatement<'_>, ForStatement<'_>,
    Function<'_>, IdentifierReference<'_>, ImportExpression<'_>, MemberExpression<'_>, NewExpression<'_>, ObjectExpression<'_>, Program<'_>,
    PropertyDefinition<'_>, ReturnStatement<'_>, Statement<'_>, StaticBlock<'_>, SwitchCase<'_>, TaggedTemplateExpression<'_>,
    ThrowStatement<'_>, UnaryExpression<'_>, UpdateExpression<'_>, VariableDeclaration<'_>, VariableDeclarator<'_>, YieldExpression<'_>,
}
