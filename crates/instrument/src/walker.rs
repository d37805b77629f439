//! The walk over the tree: which construct gets which insertion. State that all constructs share is here; the constructs
//! are in the modules beside.

use std::collections::{HashMap, HashSet};

use js_syntax::{Parsed, SourceKind};
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_semantic::Scoping;
use oxc_span::Span;
use oxc_syntax::symbol::SymbolId;
use trace_model::{NameIndex, Selection, SiteKind, SiteTable};

use crate::anchors::{Anchors, At, Construct};
use crate::edits::{Edits, MarkedText};
use crate::frames::Frame;
use crate::inference::Naming;
use crate::intervene::Wish;
use crate::numeric::is_numeric_given;
use crate::values::is_numeric;
use crate::variables::Scopes;

/// What the parent of an expression will do with its value.
#[derive(Clone, Copy, Default)]
pub(crate) struct Context {
    /// The parent records the value itself, so the expression need not.
    pub consumed: bool,
    /// The engine names an anonymous function in this place, so it must stay there, unwrapped.
    pub names: bool,
    /// The expression is a whole statement.
    pub statement: bool,
    /// And other statements can be put before it.
    pub apart: bool,
    /// What the result of a call is recorded as, if not simply as a result.
    pub result: Option<SiteKind>,
    /// A property of the value is read. V8 reports that at the name if the object is `new K()` or a literal, and at the dot if
    /// it is a call: what becomes a call there is put into parentheses, which are neither.
    pub object: bool,
}

/// The text of a method begins at its key.
#[derive(Clone, Copy)]
pub(crate) struct MethodText {
    pub span: Span,
    /// How many insertions there were before it.
    pub n_changes: usize,
}

/// A variable that holds the number of a scope, to be handed to the functions created in it; no name if it has no number.
pub(crate) struct ScopeVariable {
    pub name: Option<String>,
    /// The frame it belongs to, where it is a frame's own variable.
    pub frame: Option<usize>,
}

pub(crate) struct Walker<'a, 'p, N> {
    pub source: &'a str,
    pub kind: SourceKind,
    /// Where something is inserted. The sites are the same whatever it is.
    pub selection: &'p Selection,
    /// By function: whether it is entered with an event; nothing if all are.
    pub entered: Option<&'p [bool]>,
    pub scoping: &'p Scoping,
    pub scope_info: Scopes,
    pub edits: Edits,
    pub table: SiteTable,
    /// Who is told which construct got which site.
    pub anchors: N,
    pub marked: Vec<MarkedText>,
    /// The site of each marked text.
    pub marked_sites: Vec<u32>,
    pub frames: Vec<Frame>,
    pub scopes: Vec<ScopeVariable>,
    pub context: Context,
    /// The engine may print the text of the expression in an error message, so nothing may be inserted into it.
    pub printed: bool,
    /// The base of a `?.` that has its site before the chain.
    pub looked_at: Option<Span>,
    /// The property about to be written gives names to functions in its value.
    pub keeps_names: bool,
    /// How the functions in this expression get names.
    pub naming: Naming,
    /// Functions here stay as they are: their marks would be taken for that of the function around them.
    pub no_functions: bool,
    /// How deep the expression nests in its function.
    pub depth: u32,
    /// Where the innermost statement begins.
    pub statement_start: u32,
    /// The statement being walked stands in a list, so that others can be put beside it.
    pub in_list: bool,
    /// What an anonymous function would be called here.
    pub name_hint: Option<String>,
    /// The site that records the class about to be walked.
    pub class_site: Option<u32>,
    /// What `toString` shows of the method about to be walked.
    pub method_text: Option<MethodText>,
    pub in_derived_class: bool,
    /// Instances of the class being walked have fields before its constructor begins.
    pub in_class_with_fields: bool,
    /// The class being walked has fields that nothing can be put around, under keys that the source does not tell.
    pub in_class_with_unseen_fields: bool,
    /// When it was last looked for room.
    pub n_sites_with_room: usize,
    /// Variables that hold numbers only; none where it does not matter.
    pub numeric: HashSet<SymbolId>,
    /// The text is for a realm without addon and without private symbols: marks carry the original text, and objects are asked
    /// for their numbers by the helpers alone.
    pub for_prelude: bool,
    /// What is to be different.
    pub wish: Option<Wish>,
    names: HashMap<String, NameIndex>,
    /// How many scopes have variables.
    pub next_scope: u32,
}

/// The parameters of the function that Node writes around a CommonJS module.
const COMMONJS_PARAMETERS: [&str; 5] = ["exports", "require", "module", "__filename", "__dirname"];

/// V8 parses calls inside calls by recursion, and has less stack for it than for chains of operators.
const DEEPEST: u32 = 300;

impl<'a, 'p, N: Anchors> Walker<'a, 'p, N> {
    pub fn new(
        source: &'a str,
        kind: SourceKind,
        selection: &'p Selection,
        parsed: &'p Parsed<'a>,
        anchors: N,
    ) -> Walker<'a, 'p, N> {
        Walker {
            source,
            kind,
            selection,
            entered: None,
            scoping: &parsed.scoping,
            scope_info: Scopes::new(&parsed.scoping),
            edits: Edits::default(),
            table: SiteTable::default(),
            anchors,
            marked: Vec::new(),
            marked_sites: Vec::new(),
            frames: Vec::new(),
            scopes: Vec::new(),
            context: Context::default(),
            printed: false,
            looked_at: None,
            keeps_names: false,
            naming: Naming::Unknown,
            no_functions: false,
            depth: 0,
            statement_start: 0,
            in_list: false,
            name_hint: None,
            class_site: None,
            method_text: None,
            in_derived_class: false,
            in_class_with_fields: false,
            in_class_with_unseen_fields: false,
            n_sites_with_room: 0,
            numeric: HashSet::new(),
            for_prelude: false,
            wish: None,
            names: HashMap::new(),
            next_scope: 0,
        }
    }

    pub fn name(&mut self, name: &str) -> NameIndex {
        if let Some(&index) = self.names.get(name) {
            return index;
        }
        let index = NameIndex(self.table.names.len() as u32);
        self.table.names.push(name.to_owned());
        self.names.insert(name.to_owned(), index);
        index
    }

    pub fn is_too_deep(&self) -> bool {
        self.depth > DEEPEST
    }

    pub fn not_captured(&mut self, span: Span, why: &str) {
        let why = self.name(why);
        self.table.not_captured.push((trace_model::Span { start: span.start, end: span.end }, why));
    }

    /// The symbol of an identifier that certainly is a variable, so that reading it twice runs nothing.
    pub fn is_variable(&self, identifier: &IdentifierReference<'a>) -> bool {
        let known = self.symbol(identifier).is_some_and(|symbol| self.is_local(symbol));
        known || self.kind == SourceKind::CommonJs && COMMONJS_PARAMETERS.contains(&identifier.name.as_str())
    }

    fn is_local(&self, symbol: SymbolId) -> bool {
        // Top-level `var`s and functions of a script are properties of the global object, which may have accessors; those of
        // eval code may live anywhere.
        !self.kind.has_completion_value() || self.scoping.symbol_scope_id(symbol) != self.scoping.root_scope_id()
    }

    /// Whether a key names an element for certain, and nobody asks for elements.
    pub fn is_unasked_element(&self, key: &Expression<'a>) -> bool {
        !self.selection.reaches_elements() && (is_numeric(key) || is_numeric_given(key, self.scoping, &self.numeric))
    }

    pub fn symbol(&self, identifier: &IdentifierReference<'a>) -> Option<SymbolId> {
        identifier.reference_id.get().and_then(|id| self.scoping.get_reference(id).symbol_id())
    }

    pub fn text(&self, span: Span) -> &'a str {
        &self.source[span.start as usize..span.end as usize]
    }

    pub fn with_printed(&mut self, printed: bool, inside: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.printed, printed);
        inside(self);
        self.printed = before;
    }

    /// Walks an expression whose value the parent records.
    pub fn visit_consumed(&mut self, expression: &Expression<'a>) {
        self.context = Context { consumed: true, ..Context::default() };
        self.visit_expression(expression);
    }

    /// Walks what is returned: a function literal needs no birth of its own.
    pub fn visit_returned(&mut self, expression: &Expression<'a>) {
        self.context = Context { consumed: true, names: true, ..Context::default() };
        self.visit_expression(expression);
    }
}

/// The two syntaxes of functions.
#[derive(Clone, Copy)]
pub(crate) enum FunctionLiteral<'t, 'a> {
    Function(&'t Function<'a>),
    Arrow(&'t ArrowFunctionExpression<'a>),
}

impl<'a> FunctionLiteral<'_, 'a> {
    pub fn span(&self) -> Span {
        self.at().span
    }

    pub fn at(&self) -> At {
        match self {
            FunctionLiteral::Function(function) => function.at(),
            FunctionLiteral::Arrow(arrow) => arrow.at(),
        }
    }
}
