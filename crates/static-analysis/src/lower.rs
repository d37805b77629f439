//! From syntax to constraints: every expression that can hold an object gets a node, and every construct that moves objects an
//! edge or a listener. All functions of a program are read, whether anything calls them or not.

mod accesses;
mod calls;
mod classes;
mod expressions;
mod functions;
mod links;
mod patterns;
mod statements;

use js_syntax::{Parsed, Positions};
use oxc_semantic::Scoping;
use oxc_syntax::symbol::SymbolId;
use rustc_hash::FxHashMap;
use trace_model::{CodeIndex, CodeKind, FunctionIndex, FunctionKind, SiteTable, Span};

use crate::analysis::Analysis;
use crate::model::{FunctionId, Key, Site, SourceRange, TokenKind};
use crate::solver::{Node, Token};

pub struct Lowerer<'b> {
    pub an: &'b mut Analysis,
    pub unit: u32,
    pub code: CodeIndex,
    kind: CodeKind,
    scoping: &'b Scoping,
    positions: &'b Positions,
    functions: FunctionFinder,
    symbols: Vec<Option<Node>>,
    /// Variables that are a text, and nothing else.
    texts: FxHashMap<SymbolId, Key>,
    /// Variables that are a function of the source, as far as their declaration says.
    declared: FxHashMap<SymbolId, FunctionId>,
    /// Variables that are the descriptor of a property: of these objects, under the key in that variable.
    descriptors: FxHashMap<SymbolId, (Node, SymbolId)>,
    /// Functions whose declaration was met before it was read, by the start of their text.
    met: FxHashMap<u32, FunctionId>,
    frames: Vec<Frame>,
    has_iterators: bool,
    has_conversions: bool,
}

/// What the code being read belongs to.
#[derive(Clone)]
struct Frame {
    function: FunctionId,
    /// Whose `this` and `arguments` these are: not that of an arrow function.
    owner: FunctionId,
    this: Node,
    thrown: Node,
    /// Where `super` looks.
    home: Option<Token>,
    /// How many constructs around the code decide whether it is executed.
    depth: u32,
}

/// Reads a unit whose top level is known already.
pub fn lower(
    an: &mut Analysis,
    unit: u32,
    kind: CodeKind,
    sites: &SiteTable,
    source: &str,
    parsed: &Parsed,
    positions: &Positions,
) {
    let top = an.units[unit as usize].top;
    let code = an.function(top).code;
    let n_symbols = parsed.scoping.symbols_len();
    let has = |words: &[&str]| words.iter().any(|word| source.contains(word));
    let frame = Frame {
        function: top,
        owner: top,
        this: an.function(top).this,
        thrown: an.function(top).thrown,
        home: None,
        depth: 0,
    };
    let mut lowerer = Lowerer {
        unit,
        code,
        kind,
        scoping: &parsed.scoping,
        positions,
        functions: FunctionFinder::new(sites),
        symbols: vec![None; n_symbols],
        texts: FxHashMap::default(),
        declared: FxHashMap::default(),
        descriptors: FxHashMap::default(),
        met: FxHashMap::default(),
        frames: vec![frame],
        has_iterators: an.has_iterators || has(&["Symbol.iterator", "Symbol.asyncIterator", "@@iterator"]),
        has_conversions: an.has_conversions,
        an,
    };
    if kind == CodeKind::CommonJs || kind == CodeKind::FunctionBody {
        let exports = lowerer.an.units[unit as usize].exports;
        let this = lowerer.frame().this;
        lowerer.an.graph.add_token(this, exports);
    }
    lowerer.program(parsed.program);
}

impl<'b> Lowerer<'b> {
    fn frame(&self) -> &Frame {
        self.frames.last().expect("there is always the top level")
    }

    pub fn span(&self, span: oxc_span::Span) -> Span {
        self.positions.span_to_source(span.start, span.end)
    }

    fn site(&self, span: oxc_span::Span) -> Site {
        Site { function: self.frame().function, span: self.span(span) }
    }

    fn place(&self, span: oxc_span::Span) -> SourceRange {
        SourceRange::new(self.code, self.span(span))
    }

    /// The node of a variable that the unit declares.
    pub fn symbol(&mut self, symbol: SymbolId) -> Node {
        let at = symbol.index();
        if let Some(node) = self.symbols[at] {
            return node;
        }
        let is_global =
            self.kind == CodeKind::Script && self.scoping.symbol_scope_id(symbol) == self.scoping.root_scope_id();
        let node = match is_global {
            true => {
                let name = self.scoping.symbol_name(symbol).to_owned();
                self.an.assigned_names.insert(name.clone());
                self.global(&name)
            }
            false => self.an.node(),
        };
        self.symbols[at] = Some(node);
        node
    }

    /// The node of a variable that no scope declares.
    fn global(&mut self, name: &str) -> Node {
        let key = self.an.keys.of(name);
        let global = self.an.global;
        self.an.slot(global, key)
    }

    fn made(&mut self, kind: TokenKind, span: oxc_span::Span) -> Token {
        let site = self.site(span);
        self.an.made(kind, site)
    }

    fn copy(&mut self, from: Option<Node>, to: Node) {
        if let Some(from) = from {
            self.an.graph.add_edge(from, to);
        }
    }

    fn key(&mut self, name: &str) -> Key {
        self.an.keys.of(name)
    }

    /// Code that is executed only if something around it says so.
    fn deeper(&mut self, inside: impl FnOnce(&mut Self)) {
        self.frames.last_mut().expect("there is always the top level").depth += 1;
        inside(self);
        self.frames.last_mut().expect("there is always the top level").depth -= 1;
    }
}

/// From a function of the syntax tree to its number in the site table.
struct FunctionFinder {
    /// End and start of the span, function; sorted.
    functions: Vec<(u32, u32, u32)>,
    class_inits: Vec<(u32, u32, u32)>,
}

impl FunctionFinder {
    fn new(sites: &SiteTable) -> FunctionFinder {
        let numbered = sites.functions.iter().enumerate().skip(1);
        let mut all: Vec<(u32, u32, u32)> =
            numbered.map(|(i, function)| (function.span.end, function.span.start, i as u32)).collect();
        all.sort_unstable();
        let is_init =
            |&(_, _, function): &(u32, u32, u32)| sites.functions[function as usize].kind == FunctionKind::ClassInit;
        let (class_inits, functions) = all.into_iter().partition(is_init);
        FunctionFinder { functions, class_inits }
    }

    /// The function whose text ends where this does; it may begin earlier: that of a method begins at its key.
    fn function(&self, span: Span) -> Option<FunctionIndex> {
        let behind = self.functions.partition_point(|&(end, start, _)| (end, start) <= (span.end, span.start));
        let (end, _, function) = *self.functions.get(behind.checked_sub(1)?)?;
        (end == span.end).then_some(FunctionIndex(function))
    }

    fn class_init(&self, span: Span) -> Option<FunctionIndex> {
        let found = self.class_inits.binary_search_by_key(&(span.end, span.start), |&(end, start, _)| (end, start));
        found.ok().map(|found| FunctionIndex(self.class_inits[found].2))
    }
}
