//! The front end of JavaScript and TypeScript: what the engine must know of the language, and of a source in it.
//!
//! The sites of a recording were made by the instrumenter. Here the same text is parsed again, and each site is found by what it
//! is and where it stands. So the two walks must agree on which construct gets which site, and the tests say that none is left.

mod declared;
mod facts;
mod fickle;
mod globals;
mod typed;
mod unrecorded;

use js_syntax::{Dialect, Parsed, Positions, SourceKind, dialects_of, parse, source_kind, strip_types};
use oxc_allocator::Allocator;
use trace_model::{
    Asserts, CodeFacts, CodeKind, DeclaredTypes, ExprId, Expression, ExpressionError, Language, SiteKind, SiteTable,
    Span, Writes,
};

use declared::{asserts, declared_types, wants_failure};
use facts::Builder;
use unrecorded::writes_in;

/// The front end of JavaScript and TypeScript.
pub struct JavaScript;

impl Language for JavaScript {
    fn facts(&self, source: &str, kind: CodeKind, path: &str, sites: &SiteTable) -> Result<CodeFacts, String> {
        let longest = sites.sites.iter().map(|site| site.span.end).max().unwrap_or(0);
        if longest as usize > source.len() {
            return Err("the sites are of another text".into());
        }
        let of = |dialect: Option<&Dialect>| {
            parsed(source, source_kind(kind), dialect, |parsed, positions| {
                let mut builder = Builder::new(&parsed.scoping, sites, positions, source.len());
                builder.program(parsed.program);
                builder.facts
            })
        };
        let dialects = dialects_of(path);
        if dialects.is_empty() {
            return of(None);
        }
        // A run does not keep how its project has TypeScript compiled: right is what knows most of the sites.
        let mut read: Vec<(usize, CodeFacts)> = Vec::new();
        let mut refusal = None;
        for dialect in &dialects {
            match of(Some(dialect)) {
                Ok(facts) => read.push((n_unknown(sites, &facts), facts)),
                Err(error) => refusal = refusal.or(Some(error)),
            }
            if read.last().is_some_and(|(n_unknown, _)| *n_unknown == 0) {
                break;
            }
        }
        let best = read.into_iter().min_by_key(|(n_unknown, _)| *n_unknown);
        best.map(|(_, facts)| facts).ok_or_else(|| refusal.unwrap_or_default())
    }

    fn writes_in(&self, source: &str, kind: CodeKind, path: &str, spans: &[Span]) -> Result<Vec<Writes>, String> {
        let of = |dialect: Option<&Dialect>| {
            parsed(source, source_kind(kind), dialect, |parsed, positions| writes_in(parsed.program, positions, spans))
        };
        let dialects = dialects_of(path);
        match dialects.iter().find_map(|dialect| of(Some(dialect)).ok()) {
            Some(writes) => Ok(writes),
            None => of(dialects.first()),
        }
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

    fn writes_argument(&self, call: &str) -> bool {
        let writers = [
            "Object.assign",
            "Object.defineProp",
            "Object.setPrototypeOf",
            "Reflect.set",
            "Reflect.def",
            "Reflect.delete",
        ];
        writers.iter().any(|writer| call.starts_with(writer))
    }

    fn may_make_proxies(&self, source: &str) -> bool {
        source.contains("Proxy")
    }

    fn may_write_memory(&self, source: &str) -> bool {
        let has_any = |words: &[&str]| words.iter().any(|word| source.contains(word));
        has_any(&SHOWS_MEMORY) || source.contains("Buffer") && has_any(&WRITES_BUFFERS)
    }

    fn may_evaluate(&self, source: &str) -> bool {
        source.contains("eval")
    }

    fn may_make_contexts(&self, source: &str) -> bool {
        MAKES_CONTEXT.iter().any(|name| source.contains(name))
    }

    fn makes_context(&self, callee: &str) -> bool {
        let name = callee.rsplit(['.', ' ']).next().unwrap_or(callee);
        MAKES_CONTEXT.contains(&name)
    }

    fn declared_types(&self, source: &str, path: &str) -> Vec<DeclaredTypes> {
        declared_types(source, path)
    }

    fn asserts(&self, callee: &str, source: &str) -> Option<Asserts> {
        asserts(callee, source)
    }

    fn wants_failure(&self, callee: &str) -> bool {
        wants_failure(callee)
    }

    fn is_fickle(&self, callee: &str, n_arguments: usize) -> bool {
        fickle::is_fickle(callee, n_arguments)
    }

    fn is_fickle_module(&self, specifier: &str) -> bool {
        fickle::is_fickle_module(specifier)
    }
}

const SHOWS_MEMORY: [&str; 10] = [
    "DataView",
    ".buffer",
    "ArrayBuffer",
    "subarray",
    "encodeInto",
    "randomFill",
    "getRandomValues",
    "readSync",
    "Atomics",
    "WebAssembly",
];
const WRITES_BUFFERS: [&str; 5] = [".write", ".fill(", ".copy(", ".swap", ".read("];

/// Parser and walk recurse as deep as the text nests. Reserved, not used, unless the text needs it.
const DEEP_STACK: usize = 1 << 30;

/// How many sites that have events are not accounted for.
fn n_unknown(sites: &SiteTable, facts: &CodeFacts) -> usize {
    let has_event = |kind| !matches!(kind, SiteKind::Function | SiteKind::Class);
    let known = sites.sites.iter().zip(&facts.sites);
    known.filter(|(site, facts)| facts.order == 0 && has_event(site.kind)).count()
}

/// Reads a source: as it is, or what its types leave of it, with the way back to its places.
fn parsed<T: Send>(
    source: &str,
    kind: SourceKind,
    dialect: Option<&Dialect>,
    read: impl FnOnce(&Parsed, &Positions) -> T + Send,
) -> Result<T, String> {
    on_deep_stack(|| {
        let allocator = Allocator::default();
        let Some(dialect) = dialect else {
            return Ok(read(&parse(&allocator, source, kind)?, &Positions::default()));
        };
        let stripped = strip_types(source, kind == SourceKind::Module, dialect)?;
        Ok(read(&parse(&allocator, &stripped.code, kind)?, &Positions::new(&stripped.insertions)))
    })
}

fn on_deep_stack<T: Send>(work: impl FnOnce() -> Result<T, String> + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(DEEP_STACK).spawn_scoped(scope, work);
        match thread {
            Ok(thread) => thread.join().unwrap_or_else(|_| Err("its syntax could not be read".into())),
            Err(error) => Err(error.to_string()),
        }
    })
}

/// Functions of `node:vm`.
const MAKES_CONTEXT: [&str; 3] = ["createContext", "runInContext", "runInNewContext"];
