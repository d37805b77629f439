//! What the engine must know of a piece of source: told once by the front end of its language, and language-neutral from here
//! on. Expressions are kept as far as their inputs can be named; everything else is [`Node::Other`] with its parts.

use std::collections::BTreeSet;

use crate::contract::numbered;
use crate::{
    BuiltIns, Failures, FunctionIndex, Habits, Libraries, LocalSite, ObjectModel, Span, Values, VariableIndex,
};

/// An index into [`CodeFacts::expressions`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExprId(pub u32);

/// The facts of one piece of code, beside its [`crate::SiteTable`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CodeFacts {
    pub expressions: Vec<Expression>,
    /// By [`LocalSite`].
    pub sites: Vec<SiteFacts>,
    /// By [`FunctionIndex`].
    pub functions: Vec<FunctionFacts>,
    /// In the order of the source; statements inside statements follow them.
    pub statements: Vec<Statement>,
    /// The names of each scope.
    pub scopes: Vec<ScopeNames>,
    /// Variables that are those of other pieces of code.
    pub imports: Vec<Import>,
    /// Names under which other pieces of code find variables of this one.
    pub exports: Vec<Export>,
    /// Where this code sends those who ask it for a name that it does not export itself.
    pub export_all_from: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    pub variable: VariableIndex,
    /// As the source names the other piece of code.
    pub specifier: String,
    /// `None`: all that the other exports, as one object.
    pub name: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Export {
    pub name: String,
    pub what: Exported,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exported {
    Variable(VariableIndex),
    /// What another piece of code exports under this name; `None`: all of it, as one object.
    From {
        specifier: String,
        name: Option<String>,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub struct Expression {
    pub node: Node,
    pub span: Span,
    /// The function whose code this is.
    pub function: FunctionIndex,
    /// The site whose event carries the value of this very expression, if it has one: the result of a call, a birth, an
    /// assignment, what an `await` gave.
    pub value_site: Option<LocalSite>,
}

/// What a site's event is about.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SiteFacts {
    /// The expression that gave the event's value: the right side of a write (`x + e` for `x += e`), the operand of `return` and
    /// `throw`, the test of a branch, the call of a `Call` or `Result`.
    pub value: Option<ExprId>,
    /// The place that the event wrote: a variable, member or index expression.
    pub target: Option<ExprId>,
    /// The branches that decide whether control reaches this site, by control dependence; within its function.
    pub depends_on: Vec<Dependence>,
    /// Position in the order in which the sites of a statement are evaluated, for sites of one function: smaller is earlier.
    pub order: u32,
    /// The innermost statement that holds the site: an index into [`CodeFacts::statements`].
    pub statement: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dependence {
    /// A site that emits one event each time control comes by: `Branch`, `Loop`, `Nullish`, `Discriminant`, the binding of a
    /// loop over elements, `Catch`, a conditional default.
    pub branch: LocalSite,
    pub way: Way,
}

/// The way control must take at a branch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Way {
    True,
    False,
    /// That the event happened is what decides.
    Any,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct FunctionFacts {
    pub n_parameters: u32,
    /// Its parameters in their order, where each is an element of the `arguments` object as well, and the function has that.
    pub mapped_parameters: Vec<VariableIndex>,
    /// Statements that are the function's own, not those of functions inside it.
    pub statements: Vec<u32>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    pub span: Span,
    /// Where the part ends that is executed before any statement inside it: for `if (a) {…}` behind the test.
    pub head_end: u32,
    pub function: FunctionIndex,
    /// Its own sites (not those of statements or functions inside it), in the order of evaluation.
    pub sites: Vec<LocalSite>,
    pub depends_on: Vec<Dependence>,
    /// The innermost scope: an index into [`CodeFacts::scopes`]. [`CodeFacts::names_in_scope`] has all names.
    pub scope: u32,
}

/// What one scope declares. A bundle has tens of thousands of names that are visible everywhere, so each scope holds only its own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ScopeNames {
    /// The scope around it, which comes before it in [`CodeFacts::scopes`].
    pub around: Option<u32>,
    pub names: Vec<VariableIndex>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    Literal(Literal),
    Variable(VariableRef),
    This,
    /// The `arguments` object.
    Arguments,
    /// What the caller passed: parameter `index`, or all from there on.
    Parameter {
        index: u32,
        is_rest: bool,
    },
    Member {
        object: ExprId,
        key: Key,
        is_optional: bool,
    },
    /// What iterating gives: the element at an index of a pattern (`[a, b] = x`), or each in turn (`for (a of x)`: no index);
    /// `rest` for `...a`. `keys` for `for (k in x)`.
    Element {
        of: ExprId,
        index: Option<u32>,
        is_rest: bool,
        keys: bool,
    },
    /// What is left of an object (`{a, ...rest} = x`).
    Remainder {
        of: ExprId,
    },
    Call(Call),
    Unary {
        operator: &'static str,
        operand: ExprId,
    },
    Binary {
        operator: &'static str,
        left: ExprId,
        right: ExprId,
    },
    /// The site tells whether the right side was evaluated: by the truth of the left side, or by whether it was there.
    Logical {
        operator: LogicalOperator,
        left: ExprId,
        right: ExprId,
        branch: Option<LocalSite>,
    },
    Conditional {
        test: ExprId,
        then: ExprId,
        otherwise: ExprId,
        branch: Option<LocalSite>,
    },
    /// A value with a default for `undefined`; the site's event says that the default was used.
    Default {
        value: ExprId,
        default: ExprId,
        used: Option<LocalSite>,
    },
    /// `target = value`; `x += e` has the value `x + e`, and `x++` the value `x + 1` with `is_old_value` (of `++x`: not).
    Assign {
        target: ExprId,
        value: ExprId,
        site: Option<LocalSite>,
        is_old_value: bool,
    },
    Object {
        entries: Vec<(Key, ExprId)>,
        spreads: Vec<ExprId>,
    },
    Array {
        elements: Vec<Option<ExprId>>,
        has_spread: bool,
    },
    Function(FunctionIndex),
    /// A function of one expression that a person typed. Names are bound in their order, to what is given ([`Node::Parameter`]) or parts of it.
    Arrow {
        bindings: Vec<(String, ExprId)>,
        body: ExprId,
    },
    /// Parts are the texts and values in turn.
    Template {
        texts: Vec<String>,
        values: Vec<ExprId>,
    },
    Sequence(Vec<ExprId>),
    Await {
        operand: ExprId,
        suspend: Option<LocalSite>,
        resume: Option<LocalSite>,
    },
    Yield {
        operand: Option<ExprId>,
        suspend: Option<LocalSite>,
        resume: Option<LocalSite>,
    },
    Spread(ExprId),
    /// The value cannot be told from the parts, but depends on them: regular expressions, classes, tagged templates, …
    Other(Vec<ExprId>),
}

/// When the right side of an expression is evaluated, which then is its value; else that of the left side is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogicalOperator {
    /// Where the left side is true.
    And,
    /// Where it is not.
    Or,
    /// Where it is nothing.
    IfNothing,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// For a method call the whole member expression: its object is the receiver.
    pub callee: ExprId,
    pub arguments: Vec<ExprId>,
    pub is_new: bool,
    pub is_optional: bool,
    /// Emitted before callee and arguments are evaluated (behind them inside a callee).
    pub call_site: Option<LocalSite>,
    pub result_site: Option<LocalSite>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Key {
    Name(String),
    Computed(ExprId),
}

#[derive(Clone, PartialEq, Debug)]
pub enum VariableRef {
    Known(VariableIndex),
    /// A name that no scope of the source declares.
    Global(String),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Literal {
    Undefined,
    Null,
    Bool(bool),
    Number(f64),
    String(String),
    BigInt(String),
}

impl CodeFacts {
    pub fn expression(&self, id: ExprId) -> &Expression {
        &self.expressions[id.0 as usize]
    }

    pub fn site(&self, site: LocalSite) -> &SiteFacts {
        &self.sites[site.0 as usize]
    }

    /// The variables that are visible at a statement, innermost first.
    pub fn names_in_scope(&self, statement: u32) -> impl Iterator<Item = VariableIndex> + '_ {
        let innermost = Some(self.statements[statement as usize].scope);
        let scopes = std::iter::successors(innermost, |&scope| self.scopes[scope as usize].around);
        scopes.flat_map(|scope| self.scopes[scope as usize].names.iter().copied())
    }
}

/// The front end of a language, as far as the engine needs it.
pub trait Language: Values + ObjectModel + Failures + Habits + Libraries + BuiltIns + Sync {
    /// The name that runs of it have in their run file.
    fn name(&self) -> &'static str;

    /// Facts about code that was recorded with this site table. What it holds of sites that this version does not make is not known.
    fn facts(&self, code: SourceCode, sites: &crate::SiteTable) -> Result<CodeFacts, String>;

    /// What the code in each of these places of a source may write.
    fn writes_in(&self, code: SourceCode, spans: &[Span]) -> Result<Vec<Writes>, String>;

    /// An expression that a person typed. Names are all [`VariableRef::Global`]: who asks knows the scope.
    fn parse_expression(&self, text: &str) -> Result<(Vec<Expression>, ExprId), ExpressionError>;

    /// What a stack trace calls a function that has no name of its own, by the text before it and the name of the function that it is
    /// in.
    fn inferred_name(&self, _before: &str, _around: &str) -> Option<String> {
        None
    }

    /// Whether a program finds something of this name without declaring it.
    fn is_global(&self, _name: &str) -> bool {
        false
    }

    /// What a program calls the object whose properties are the global variables.
    fn names_of_global_object(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether a call of this text makes an object that passes on to its first argument what is done to it.
    fn makes_proxy(&self, _callee: &str) -> bool {
        false
    }

    /// Whether a call of this text has a built-in write properties of its first argument.
    fn writes_argument(&self, _call: &str) -> bool {
        false
    }

    /// Whether a source may have a call that makes such an object.
    fn may_make_proxies(&self, _source: &str) -> bool {
        false
    }

    /// Whether a source mentions what shows the memory of binary data a second time, or writes it without an event.
    fn may_write_memory(&self, _source: &str) -> bool {
        false
    }

    /// Whether a source may have code compiled that is not recorded.
    fn may_evaluate(&self, _source: &str) -> bool {
        false
    }

    /// Whether a source may give code a global object of its own.
    fn may_make_contexts(&self, _source: &str) -> bool {
        false
    }

    /// Whether a call of this text makes one of its arguments the global object of other code.
    fn makes_context(&self, _callee: &str) -> bool {
        false
    }

    /// What functions declare of what they take and return; those that declare nothing are left out.
    fn declared_types(&self, _source: &str, _path: &str) -> Vec<DeclaredTypes> {
        Vec::new()
    }

    /// What a call of this text asserts of its first arguments, in a file with this source.
    fn asserts(&self, _callee: &str, _source: &str) -> Option<Asserts> {
        None
    }

    /// Whether a call of this text asserts that what it is given fails.
    fn wants_failure(&self, _callee: &str) -> bool {
        false
    }

    /// Whether a call of this text may give something else each time, whatever it is given: the clock, chance.
    fn is_fickle(&self, _callee: &str, _n_arguments: usize) -> bool {
        false
    }

    /// Whether what a module that is no code of the program gives may be something else each time: the file system, the network.
    fn is_fickle_module(&self, _specifier: &str) -> bool {
        false
    }
}

/// Code, and what must be known to read it.
#[derive(Clone, Copy, Debug)]
pub struct SourceCode<'a> {
    pub source: &'a str,
    pub kind: CodeKind,
    pub path: &'a str,
    /// Nothing if nobody kept it.
    pub made: Option<&'a crate::Making>,
}

/// What some code may write.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Writes {
    /// Of variables and of properties.
    pub names: BTreeSet<String>,
    /// Also properties whose names the source does not tell.
    pub any_property: bool,
    /// It makes functions, which may write when they are called.
    pub makes_functions: bool,
}

impl Writes {
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && !self.any_property
    }

    pub fn add(&mut self, other: Writes) {
        self.names.extend(other.names);
        self.any_property |= other.any_property;
        self.makes_functions |= other.makes_functions;
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asserts {
    /// That the first is true.
    Truth,
    /// That the first two are the same value.
    Same,
    /// That the first two are equal after conversion.
    Equal,
}

/// Types that a value can be seen to break.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredTypes {
    /// The function, as [`crate::Function::span`] has it.
    pub function: Span,
    /// In their order, by name; nothing: something else, or nothing was declared.
    pub parameters: Vec<(String, Option<Primitive>)>,
    pub returns: Option<Primitive>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Primitive {
    Number,
    String,
    Boolean,
    BigInt,
}

impl Primitive {
    pub fn name(self) -> &'static str {
        match self {
            Primitive::Number => "number",
            Primitive::String => "string",
            Primitive::Boolean => "boolean",
            Primitive::BigInt => "bigint",
        }
    }
}

numbered! {
    /// How a text was compiled.
    pub enum CodeKind {
        Script: "script",
        Module: "module",
        /// The body of a CommonJS module: Node wraps it into a function.
        CommonJs: "CommonJS",
        /// The argument of a direct eval.
        Eval: "eval",
        /// The body of `vm.compileFunction`; like CommonJS, but for the names of its parameters.
        FunctionBody: "function body",
    }
}

impl CodeKind {
    /// Added to the number of a kind where the text is TypeScript still, and not yet known to the run.
    pub const TYPESCRIPT: u32 = 8;
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpressionError {
    pub message: String,
    /// Byte offset into the text.
    pub at: u32,
}
