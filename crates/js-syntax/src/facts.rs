//! JavaScript as the engine needs it: expressions, statements, and what depends on which branch.
//!
//! The sites of a recording were made by the instrumenter. Here the same text is parsed again, and each site is found by what it
//! is and where it stands. So the two walks must agree on which construct gets which site, and the tests say that none is left.

mod builder;
mod calls;
mod expressions;
mod flow;
mod functions;
mod globals;
mod jumps;
mod modules;
mod sites;
mod statements;
mod typed;
mod writes;

use oxc_allocator::Allocator;
use trace_model::{CodeFacts, CodeKind, ExprId, Expression, ExpressionError, Language, SiteTable};

use crate::positions::Positions;
use crate::{Dialect, SourceKind, parse, strip_types};
use builder::Builder;

/// The front end of JavaScript and TypeScript.
pub struct JavaScript;

impl Language for JavaScript {
    fn facts(&self, source: &str, kind: CodeKind, path: &str, sites: &SiteTable) -> Result<CodeFacts, String> {
        let kind = source_kind(kind);
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        on_deep_stack(|| {
            let Some(dialect) = Dialect::of_extension(extension) else {
                return facts_of(source, source.len(), kind, &Positions::default(), sites);
            };
            let stripped = strip_types(source, kind == SourceKind::Module, &dialect)?;
            let insertions = stripped.insertions.iter().map(|inserted| (inserted.at, inserted.text.len() as u32));
            facts_of(&stripped.code, source.len(), kind, &Positions::new(insertions), sites)
        })
    }

    fn parse_expression(&self, text: &str) -> Result<(Vec<Expression>, ExprId), ExpressionError> {
        typed::parse_expression(text)
    }

    fn is_global(&self, name: &str) -> bool {
        globals::is_global(name)
    }

    fn names_of_global_object(&self) -> &'static [&'static str] {
        &["globalThis", "global"]
    }

    fn makes_proxy(&self, callee: &str) -> bool {
        matches!(callee, "Proxy" | "Proxy.revocable")
    }

    fn may_make_proxies(&self, source: &str) -> bool {
        source.contains("Proxy")
    }
}

/// Parser and walk recurse as deep as the text nests. Reserved, not used, unless the text needs it.
const DEEP_STACK: usize = 1 << 30;

/// The sites are at places of a source of this length; the text may be what was made of it.
fn facts_of(
    text: &str,
    source_len: usize,
    kind: SourceKind,
    positions: &Positions,
    sites: &SiteTable,
) -> Result<CodeFacts, String> {
    let longest = sites.sites.iter().map(|site| site.span.end).max().unwrap_or(0);
    if longest as usize > source_len {
        return Err("the sites are of another text".into());
    }
    let allocator = Allocator::default();
    let parsed = parse(&allocator, text, kind)?;
    let mut builder = Builder::new(&parsed.scoping, sites, positions, source_len);
    builder.program(parsed.program);
    Ok(builder.facts)
}

fn on_deep_stack(work: impl FnOnce() -> Result<CodeFacts, String> + Send) -> Result<CodeFacts, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(DEEP_STACK).spawn_scoped(scope, work);
        match thread {
            Ok(thread) => thread.join().unwrap_or_else(|_| Err("its syntax could not be read".into())),
            Err(error) => Err(error.to_string()),
        }
    })
}

fn source_kind(kind: CodeKind) -> SourceKind {
    match kind {
        CodeKind::Script => SourceKind::Script,
        CodeKind::Module => SourceKind::Module,
        CodeKind::CommonJs => SourceKind::CommonJs,
        CodeKind::Eval => SourceKind::Eval,
        CodeKind::FunctionBody => SourceKind::FunctionBody,
    }
}
