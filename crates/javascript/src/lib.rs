//! The front end of JavaScript and TypeScript: what the engine must know of the language, and of a source in it.
//!
//! The sites of a recording were made by the instrumenter. Facts come from its walk as well ([`instrument::walk`]): it tells which construct
//! got which site, and nothing is searched for.

mod built_ins;
mod declared;
mod facts;
mod fickle;
mod globals;
mod inferred;
mod object_model;
mod typed;
mod unrecorded;

use js_syntax::read;
use trace_model::{
    Asserts, CodeFacts, DeclaredTypes, ExprId, Expression, ExpressionError, Language, SiteTable, SourceCode, Span,
    Writes,
};

use declared::{asserts, declared_types, wants_failure};
use unrecorded::writes_in;

/// The front end of JavaScript and TypeScript.
pub struct JavaScript;

impl Language for JavaScript {
    fn name(&self) -> &'static str {
        "javascript"
    }

    fn facts(&self, code: SourceCode, sites: &SiteTable) -> Result<CodeFacts, String> {
        facts::of_recorded(code, sites)
    }

    fn writes_in(&self, code: SourceCode, spans: &[Span]) -> Result<Vec<Writes>, String> {
        on_deep_stack(|| read(code, |parsed, positions| writes_in(parsed.program, positions, spans)))
    }

    fn parse_expression(&self, text: &str) -> Result<(Vec<Expression>, ExprId), ExpressionError> {
        typed::parse_expression(text)
    }

    fn inferred_name(&self, before: &str, around: &str) -> Option<String> {
        inferred::inferred_name(before, around)
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
        has_any(&SHOWS_MEMORY)
            || source.contains("Buffer") && has_any(&WRITES_BUFFERS)
            || source.contains("Array") && has_any(&TAKES_BUFFER)
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
/// `slice` of a Buffer shows the same memory.
const WRITES_BUFFERS: [&str; 6] = [".write", ".fill(", ".copy(", ".swap", ".read(", ".slice("];
/// A pattern can take the memory out of a view.
const TAKES_BUFFER: [&str; 5] = ["{ buffer", "{buffer", "buffer }", "buffer:", "['buffer']"];

/// Parser and walk recurse as deep as the text nests. Reserved, not used, unless the text needs it.
const DEEP_STACK: usize = 1 << 30;

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
