//! Every text that Node has V8 compile, whatever way it took. What did not come through the hooks of the preload (the text of
//! `--input-type=module`, of the REPL, of an addon that runs scripts, a CommonJS file that is imported while the program has module hooks) is
//! instrumented here where it is a module of either kind, and otherwise made known to the run as code that is not recorded: so no question
//! is answered as if it could have written nothing.
//!
//! `eval` and `new Function` do not come by here.

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::OnceLock;

use instrument::SourceKind;

use trace_model::CodeKind;

use crate::code;
use crate::detour::{Moved, as_function};
use crate::js::Js;
use crate::v8::{Local, MaybeLocal, address_of};

/// For this thread, from now on. Code in `own_folder` is ours. Where this Node cannot be watched, texts are not seen here.
pub fn watch(js: Js, own_folder: &str) {
    OWN_FOLDER.get_or_init(|| own_folder.to_owned());
    ORIGINALS.get_or_init(lead_here);
    THREAD.set(Some(js));
    js.on_exit(|| THREAD.set(None));
}

thread_local! {
    static THREAD: Cell<Option<Js>> = const { Cell::new(None) };
}

static OWN_FOLDER: OnceLock<String> = OnceLock::new();
static ORIGINALS: OnceLock<Option<Originals>> = OnceLock::new();

/// The beginning of a `v8::ScriptCompiler::Source`.
#[repr(C)]
struct Source {
    text: Local,
    name: Local,
}

type Compile = unsafe extern "C" fn(scope: *mut c_void, source: *mut Source, options: i32, reason: i32) -> MaybeLocal;
type CompileFunction = unsafe extern "C" fn(
    context: Local,
    source: *mut Source,
    n_parameters: usize,
    parameters: *mut Local,
    n_extensions: usize,
    extensions: *mut Local,
    options: i32,
    reason: i32,
) -> MaybeLocal;

struct Originals {
    script: Compile,
    unbound: Compile,
    module: Compile,
    function: CompileFunction,
}

fn lead_here() -> Option<Originals> {
    // SAFETY: the mangled names carry the signatures, and all of them return a handle. Only the thread that sets itself up compiles.
    unsafe {
        let led = [
            (
                c"_ZN2v814ScriptCompiler7CompileENS_5LocalINS_7ContextEEEPNS0_6SourceENS0_14CompileOptionsENS0_13NoCacheReasonE",
                script as *const c_void,
            ),
            (
                c"_ZN2v814ScriptCompiler20CompileUnboundScriptEPNS_7IsolateEPNS0_6SourceENS0_14CompileOptionsENS0_13NoCacheReasonE",
                unbound as *const c_void,
            ),
            (
                c"_ZN2v814ScriptCompiler13CompileModuleEPNS_7IsolateEPNS0_6SourceENS0_14CompileOptionsENS0_13NoCacheReasonE",
                module as *const c_void,
            ),
            (
                c"_ZN2v814ScriptCompiler15CompileFunctionENS_5LocalINS_7ContextEEEPNS0_6SourceEmPNS1_INS_6StringEEEmPNS1_INS_6ObjectEEENS0_14CompileOptionsENS0_13NoCacheReasonE",
                function as *const c_void,
            ),
        ];
        let moved = led.iter().map(|(name, _)| Moved::of(address_of(name)?)).collect::<Option<Vec<_>>>()?;
        let originals = Originals {
            script: as_function(moved[0].original),
            unbound: as_function(moved[1].original),
            module: as_function(moved[2].original),
            function: as_function(moved[3].original),
        };
        moved.iter().zip(led).all(|(moved, (_, ours))| moved.lead_to(ours)).then_some(originals)
    }
}

fn originals() -> &'static Originals {
    ORIGINALS.get().and_then(Option::as_ref).expect("nothing leads here before it is set")
}

unsafe extern "C" fn script(context: *mut c_void, source: *mut Source, options: i32, reason: i32) -> MaybeLocal {
    // SAFETY: everything is what V8 was to be given; so below.
    unsafe {
        see(source, SourceKind::Script);
        (originals().script)(context, source, options, reason)
    }
}

unsafe extern "C" fn unbound(isolate: *mut c_void, source: *mut Source, options: i32, reason: i32) -> MaybeLocal {
    unsafe {
        see(source, SourceKind::Script);
        (originals().unbound)(isolate, source, options, reason)
    }
}

unsafe extern "C" fn module(isolate: *mut c_void, source: *mut Source, options: i32, reason: i32) -> MaybeLocal {
    unsafe {
        see(source, SourceKind::Module);
        (originals().module)(isolate, source, options, reason)
    }
}

unsafe extern "C" fn function(
    context: Local,
    source: *mut Source,
    n_parameters: usize,
    parameters: *mut Local,
    n_extensions: usize,
    extensions: *mut Local,
    options: i32,
    reason: i32,
) -> MaybeLocal {
    unsafe {
        see(source, if is_wrapper(n_parameters, parameters) { SourceKind::CommonJs } else { SourceKind::FunctionBody });
        (originals().function)(context, source, n_parameters, parameters, n_extensions, extensions, options, reason)
    }
}

/// Whether a function is the one that Node puts around a CommonJS module.
///
/// # Safety
/// There must be so many parameters.
unsafe fn is_wrapper(n_parameters: usize, parameters: *mut Local) -> bool {
    let Some(js) = THREAD.get().filter(|_| n_parameters == WRAPPER.len()) else { return false };
    // SAFETY: the caller's.
    let parameters = unsafe { std::slice::from_raw_parts(parameters, n_parameters) };
    parameters.iter().zip(WRAPPER).all(|(own, name)| js.text(*own).as_deref() == Some(name))
}

const WRAPPER: [&str; 5] = ["exports", "require", "module", "__filename", "__dirname"];

/// # Safety
/// The source must be one that V8 is about to compile.
unsafe fn see(source: *mut Source, kind: SourceKind) {
    let Some(js) = THREAD.get() else { return };
    // SAFETY: the caller's.
    let source = unsafe { &mut *source };
    let name = if source.name.is_null() { None } else { js.text(source.name) }.unwrap_or_default();
    let is_of_others = |own: &String| !name.starts_with("node:") && !name.starts_with(own.as_str());
    let Some(beginning) = js.beginning(source.text).filter(|_| OWN_FOLDER.get().is_some_and(is_of_others)) else {
        return;
    };
    if code::has_passed(&beginning) {
        return;
    }
    let Some(text) = js.exact_text(source.text) else { return };
    match kind {
        // The loaders' own modules are the only ones that can come without our knowing their context: it is the main one.
        SourceKind::Module | SourceKind::CommonJs => {
            let kind = if kind == SourceKind::Module { CodeKind::Module } else { CodeKind::CommonJs };
            if let Some(instrumented) = code::instrument(text, &name, kind as u32, None) {
                source.text = js.string(&instrumented);
            }
        }
        kind => code::keep_unrecorded(text, &name, kind),
    }
}
