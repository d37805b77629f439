//! JavaScript source → syntax tree with scopes. With `instrument`, `javascript` and `static-analysis`, the only crate that knows oxc.

mod acts;
mod positions;
mod reading;
mod typescript;

pub use acts::{acts, evaluates_text};
pub use positions::Positions;
pub use reading::{dialect_of, read, source_kind};
pub use typescript::{
    DecoratedMethod, Decorators, Dialect, Fields, Imports, Inserted, Jsx, Stripped, has_decorators, has_module_syntax,
    strip_types,
};

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::{Scoping, SemanticBuilder};
use oxc_span::SourceType;

/// How a text will be compiled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SourceKind {
    Script,
    Module,
    /// The body of a CommonJS module: Node wraps it into a function.
    CommonJs,
    /// The argument of a direct eval.
    Eval,
    /// The body of `vm.compileFunction`; like CommonJS, but for the names of its parameters.
    FunctionBody,
}

impl SourceKind {
    /// Whether the text is the body of a function that somebody else writes around it.
    pub fn is_function_body(self) -> bool {
        matches!(self, SourceKind::CommonJs | SourceKind::FunctionBody)
    }

    /// Whether the value of the last statement can be seen by the program.
    pub fn has_completion_value(self) -> bool {
        matches!(self, SourceKind::Script | SourceKind::Eval)
    }
}

/// Parses and resolves names. An error is the first complaint of the parser, in its words.
pub fn parse<'a>(allocator: &'a Allocator, source: &'a str, kind: SourceKind) -> Result<Parsed<'a>, String> {
    let program = parse_only(allocator, source, kind)?;
    let semantic = SemanticBuilder::new().with_check_syntax_error(true).build(program);
    if let Some(error) = semantic.diagnostics.errors().next() {
        return Err(error.to_string());
    }
    Ok(Parsed { program, scoping: semantic.semantic.into_scoping() })
}

/// The same without the names, for a text that is known to be right.
pub fn parse_only<'a>(allocator: &'a Allocator, source: &'a str, kind: SourceKind) -> Result<&'a Program<'a>, String> {
    let source_type = match kind {
        SourceKind::Module => SourceType::mjs(),
        SourceKind::CommonJs | SourceKind::FunctionBody => SourceType::cjs(),
        SourceKind::Script | SourceKind::Eval => SourceType::script(),
    };
    let options = ParseOptions { allow_return_outside_function: kind.is_function_body(), ..ParseOptions::default() };
    let parsed = Parser::new(allocator, source, source_type).with_options(options).parse();
    if let Some(error) = parsed.diagnostics.errors().next() {
        return Err(error.to_string());
    }
    Ok(allocator.alloc(parsed.program))
}

pub struct Parsed<'a> {
    pub program: &'a Program<'a>,
    pub scoping: Scoping,
}
