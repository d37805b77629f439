//! TypeScript and JSX → JavaScript on the same lines: types become spaces, byte for byte, and what has a meaning at run time
//! (enums, namespaces, decorators, elements, …) is put into words of JavaScript by insertions without line breaks.
//!
//! Nothing is printed anew, so that positions need no map but the list of insertions. What would have to move is evaluated
//! where it stands and kept by helpers of the runtime (`load/decorators.cjs`) until its time comes.

mod classes;
mod decorators;
mod dialect;
mod edits;
mod enums;
mod jsx;
mod jsx_text;
mod members;
mod modules;
mod namespaces;
mod types;

pub use dialect::{Decorators, Dialect, Fields, Imports, Jsx};
pub use edits::Inserted;

use std::collections::{HashMap, HashSet};

use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::{Scoping, SemanticBuilder};
use oxc_span::{GetSpan, SourceType, Span};
use oxc_syntax::symbol::SymbolId;

use crate::SourceKind;
use edits::Edits;
use namespaces::{Container, ContainerPath};

/// JavaScript made of something else.
pub struct Stripped {
    pub code: String,
    /// In rising order. Everything else is where it was.
    pub insertions: Vec<Inserted>,
    pub methods: Vec<DecoratedMethod>,
}

/// A method whose key became an expression, which hides its name.
pub struct DecoratedMethod {
    pub name: String,
    pub key_start: u32,
    pub end: u32,
}

/// An error says what is not supported, or is the first complaint of the parser, with its line.
pub fn strip_types(source: &str, is_module: bool, dialect: &Dialect) -> Result<Stripped, String> {
    let allocator = Allocator::default();
    let parsed = parse(&allocator, source, dialect)?;
    let semantic = SemanticBuilder::new().build(&parsed).semantic;
    let comments = parsed.comments.iter().filter(|comment| comment.is_block());
    let comments = comments.map(|comment| &source[comment.span.start as usize..comment.span.end as usize]);
    let jsx = dialect.jsx.clone().map(|jsx| jsx.with_pragmas(comments));
    let mut stripper = Stripper {
        source,
        scoping: semantic.scoping(),
        dialect,
        is_module,
        edits: Edits::default(),
        unsupported: None,
        jsx: jsx.map(jsx::Elements::new),
        containers: Vec::new(),
        container_names: HashMap::new(),
        qualified: HashMap::new(),
        declared: HashSet::new(),
        class_aliases: HashMap::new(),
        trailing_types: HashMap::new(),
        require: None,
        in_loop_head: false,
        n_private_names: 0,
        methods: Vec::new(),
    };
    stripper.collect_containers(&parsed.body, None);
    stripper.visit_program(&parsed);
    stripper.prologue(&parsed);
    match stripper.unsupported {
        Some(what) => Err(what),
        None => {
            let (code, insertions) = stripper.edits.apply(source);
            Ok(Stripped { code, insertions, methods: stripper.methods })
        }
    }
}

/// Whether the text imports, exports or awaits at its top; what is only of types does not count.
pub fn has_module_syntax(source: &str, dialect: &Dialect) -> bool {
    let Ok(stripped) = strip_types(source, false, dialect) else { return false };
    let allocator = Allocator::default();
    crate::parse(&allocator, &stripped.code, SourceKind::CommonJs).is_err()
}

/// Whether there are decorators or accessors, which V8 does not know, beside types.
pub fn has_decorators(source: &str, dialect: &Dialect) -> bool {
    let allocator = Allocator::default();
    let mut search = Search { found: false };
    if let Ok(program) = parse(&allocator, source, dialect) {
        search.visit_program(&program);
    }
    search.found
}

struct Search {
    found: bool,
}

impl<'a> Visit<'a> for Search {
    fn visit_decorator(&mut self, _: &Decorator<'a>) {
        self.found = true;
    }

    fn visit_accessor_property(&mut self, _: &AccessorProperty<'a>) {
        self.found = true;
    }
}

fn parse<'a>(allocator: &'a Allocator, source: &'a str, dialect: &Dialect) -> Result<Program<'a>, String> {
    let plain = if dialect.has_types { SourceType::ts() } else { SourceType::mjs() };
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parse = |source_type: SourceType| {
        Parser::new(allocator, source, source_type.with_jsx(dialect.jsx.is_some())).with_options(options).parse()
    };
    let parsed = parse(plain);
    let Some(error) = parsed.diagnostics.errors().next() else { return Ok(parsed.program) };
    // Sloppy code, with names such as `await`.
    let sloppy = parse(plain.with_commonjs(true));
    if sloppy.diagnostics.errors().next().is_none() {
        return Ok(sloppy.program);
    }
    let at = error.labels.first().map_or(0, |label| label.offset());
    let line = source.as_bytes().iter().take(at as usize).filter(|byte| **byte == b'\n').count() + 1;
    Err(format!("line {line}: {error}"))
}

pub(crate) struct Stripper<'a, 's> {
    source: &'a str,
    scoping: &'s Scoping,
    dialect: &'s Dialect,
    is_module: bool,
    edits: Edits,
    unsupported: Option<String>,
    jsx: Option<jsx::Elements>,
    /// The namespaces and enums around.
    containers: Vec<Container>,
    /// What namespaces and enums offer under bare names to all their parts.
    container_names: HashMap<ContainerPath, HashSet<String>>,
    /// Variables that live as properties of their namespace.
    qualified: HashMap<SymbolId, String>,
    /// Namespaces and enums whose variable is declared.
    declared: HashSet<SymbolId>,
    /// Decorated classes, which are known inside themselves under other names.
    class_aliases: HashMap<SymbolId, String>,
    /// Ends of expressions that end with a type, and where what is left of them ends.
    trailing_types: HashMap<u32, u32>,
    /// The name of a `require` that an ES module needs.
    require: Option<String>,
    in_loop_head: bool,
    n_private_names: u32,
    methods: Vec<DecoratedMethod>,
}

impl<'a> Stripper<'a, '_> {
    fn blank(&mut self, span: Span) {
        self.edits.blank(span);
    }

    fn blank_statement(&mut self, span: Span) {
        self.edits.blank_with_semicolon(span);
    }

    fn insert(&mut self, at: u32, text: impl Into<String>) {
        self.edits.insert(at, text);
    }

    /// What the text does is reported as that stretch of the source.
    fn insert_for(&mut self, at: u32, text: impl Into<String>, span: Span) {
        self.edits.insert_for(at, text, span);
    }

    /// Around what was inserted at both ends before.
    fn insert_around(&mut self, span: Span, open: &str, close: &str) {
        self.edits.insert_first(span.start, open);
        self.edits.insert(span.end, close);
    }

    fn text(&self, span: Span) -> &'a str {
        &self.source[span.start as usize..span.end as usize]
    }

    fn has_line_break(&self, span: Span) -> bool {
        self.text(span).contains(['\n', '\r', '\u{2028}', '\u{2029}'])
    }

    fn unsupported(&mut self, what: &str, at: Span) {
        let line = self.source[..at.start as usize].matches('\n').count() + 1;
        self.unsupported.get_or_insert_with(|| format!("line {line}: {what} are not supported"));
    }

    /// Blanks one character, if it is the next after spaces and comments behind `from`.
    fn blank_mark(&mut self, from: u32, mark: u8) {
        let at = self.skip_space(from);
        if self.source.as_bytes().get(at as usize) == Some(&mark) {
            self.blank(Span::new(at, at + 1));
        }
    }

    fn skip_space(&self, from: u32) -> u32 {
        let mut at = from as usize;
        loop {
            let rest = &self.source[at..];
            let trimmed = rest.trim_start();
            at += rest.len() - trimmed.len();
            let comment = if trimmed.starts_with("/*") {
                trimmed.find("*/").map(|end| end + 2)
            } else if trimmed.starts_with("//") {
                trimmed.find('\n')
            } else {
                None
            };
            match comment {
                Some(length) => at += length,
                None => return at as u32,
            }
        }
    }

    /// Blanks a list element together with the comma behind it.
    fn blank_element(&mut self, span: Span) {
        self.blank(span);
        self.blank_mark(span.end, b',');
    }

    /// A name that the source does not use.
    fn free_name(&self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        while self.source.contains(&name) {
            name.push('_');
        }
        name
    }

    /// Whether line breaks inside mean nothing.
    fn is_liftable(&self, span: Span) -> bool {
        !self.has_line_break(span) || !self.text(span).contains(['/', '`', ';', '{'])
    }

    /// What becomes of an expression, to be put elsewhere, on one line; where it stood there is nothing left.
    fn lifted(&mut self, expression: &Expression<'a>) -> String {
        let span = expression.span();
        let mark = self.edits.mark();
        self.visit_expression(expression);
        let text = self.edits.take_since(mark, self.source, span);
        self.blank(span);
        if !self.is_liftable(span) {
            self.unsupported("parameter decorators and decorators of private members over several lines", span);
        }
        text.replace(['\n', '\r'], " ")
    }
}

#[cfg(test)]
mod tests;
