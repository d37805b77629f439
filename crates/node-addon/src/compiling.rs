//! Every text that Node has V8 compile, whatever way it took. What did not come through the hooks of the preload (the text of
//! `--input-type=module`, of the REPL, of an addon that runs scripts, a CommonJS file that is imported while the program has module hooks) is
//! instrumented here where it is a module of either kind, and otherwise made known to the run as code that is not recorded: so no question
//! is answered as if it could have written nothing.
//!
//! `eval` and `new Function` do not come by here.

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::sync::{Once, OnceLock};

use instrument::SourceKind;

use trace_model::CodeKind;

use crate::code;
use crate::detour::{Moved, NotMoved, as_function};
use crate::guard::{self, Failing};
use crate::js::{Beginning, Js};
use crate::origins::Request;
use crate::v8::{Local, MaybeLocal};

/// For this thread, from now on. Code in `own_folder` is ours. Where this Node cannot be watched, texts are not seen here.
pub fn watch(js: Js, own_folder: &str) {
    OWN_FOLDER.get_or_init(|| own_folder.to_owned());
    if let Ok(originals) = ORIGINALS.get_or_init(find) {
        // SAFETY: ours have the signatures of theirs. Only the thread that sets itself up compiles.
        LEAD.call_once(|| unsafe {
            let _all = originals.moved.iter().zip(LED).all(|(moved, (_, ours))| moved.lead_to(ours));
        });
    }
    THREAD.set(Some(js));
    js.on_exit(|| THREAD.set(None));
}

thread_local! {
    static THREAD: Cell<Option<Js>> = const { Cell::new(None) };
}

static OWN_FOLDER: OnceLock<String> = OnceLock::new();
static ORIGINALS: OnceLock<Result<Originals, NotMoved>> = OnceLock::new();
static LEAD: Once = Once::new();

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
    moved: Vec<Moved>,
}

/// The functions that lead here, and what they lead to.
const LED: [(&CStr, *const c_void); 4] = [
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

/// Whether a file is one of our own, which run inside the program.
pub fn is_ours(path: &str) -> bool {
    OWN_FOLDER.get().is_some_and(|own| path.starts_with(own.as_str()))
}

/// Whether this Node has all that is needed. To be asked once, before anything is changed.
pub fn try_out() -> Result<(), NotMoved> {
    ORIGINALS.get_or_init(find).as_ref().map(drop).map_err(Clone::clone)
}

fn find() -> Result<Originals, NotMoved> {
    // SAFETY: the mangled names carry the signatures, and all of them return a handle.
    unsafe {
        let moved = LED.iter().map(|(name, _)| Moved::named(name)).collect::<Result<Vec<_>, _>>()?;
        Ok(Originals {
            script: as_function(moved[0].original),
            unbound: as_function(moved[1].original),
            module: as_function(moved[2].original),
            function: as_function(moved[3].original),
            moved,
        })
    }
}

/// Nothing leads here before it is set.
fn originals() -> Option<&'static Originals> {
    ORIGINALS.get()?.as_ref().ok()
}

unsafe extern "C" fn script(context: *mut c_void, source: *mut Source, options: i32, reason: i32) -> MaybeLocal {
    let Some(plain) = originals() else { return std::ptr::null_mut() };
    // SAFETY: everything is what V8 was to be given; so below.
    unsafe {
        guard::enter(guard::COMPILE_SCRIPT, Failing::GivesUp, || see(source, SourceKind::Script), || {});
        (plain.script)(context, source, options, reason)
    }
}

unsafe extern "C" fn unbound(isolate: *mut c_void, source: *mut Source, options: i32, reason: i32) -> MaybeLocal {
    let Some(plain) = originals() else { return std::ptr::null_mut() };
    // SAFETY: as above.
    unsafe {
        guard::enter(guard::COMPILE_UNBOUND, Failing::GivesUp, || see(source, SourceKind::Script), || {});
        (plain.unbound)(isolate, source, options, reason)
    }
}

unsafe extern "C" fn module(isolate: *mut c_void, source: *mut Source, options: i32, reason: i32) -> MaybeLocal {
    let Some(plain) = originals() else { return std::ptr::null_mut() };
    // SAFETY: as above.
    unsafe {
        guard::enter(guard::COMPILE_MODULE, Failing::GivesUp, || see(source, SourceKind::Module), || {});
        (plain.module)(isolate, source, options, reason)
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
    let Some(plain) = originals() else { return std::ptr::null_mut() };
    // SAFETY: as above.
    unsafe {
        let look = || {
            let is_wrapper = is_wrapper(n_parameters, parameters);
            see(source, if is_wrapper { SourceKind::CommonJs } else { SourceKind::FunctionBody });
        };
        guard::enter(guard::COMPILE_FUNCTION, Failing::GivesUp, look, || {});
        (plain.function)(context, source, n_parameters, parameters, n_extensions, extensions, options, reason)
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
    if without_source_url(&text).is_some_and(|text| code::has_passed(&Beginning::of(text))) {
        return;
    }
    match kind {
        // Node compiles the text of `node -e` before its wrapper comes to `load/commonjs.cjs`, which has it instrumented.
        SourceKind::Script | SourceKind::FunctionBody if EVALUATED.contains(&name.as_str()) => {}
        // The loaders' own modules are the only ones that can come without our knowing their context: it is the main one.
        SourceKind::Module | SourceKind::CommonJs => {
            let kind = if kind == SourceKind::Module { CodeKind::Module } else { CodeKind::CommonJs };
            if let Some(instrumented) = code::instrument(js, source.text, &name, kind as u32, None, &Request::Unknown) {
                source.text = js.string(&instrumented);
            }
        }
        kind => code::keep_unrecorded(js, text, &name, kind),
    }
}

const EVALUATED: [&str; 3] = ["[eval]", "[stdin]", "[worker eval]"];

/// Behind a text from which Node took types away it puts the name of the file.
fn without_source_url(text: &str) -> Option<&str> {
    let at = text.rfind(SOURCE_URL)?;
    (!text[at + SOURCE_URL.len()..].contains('\n')).then(|| &text[..at])
}

const SOURCE_URL: &str = "\n\n//# sourceURL=";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_that_node_adds_is_no_text_of_the_program() {
        assert_eq!(without_source_url("a;\n\n//# sourceURL=/a.ts"), Some("a;"));
        assert_eq!(without_source_url("a;\n\n//# sourceURL=/a.ts\nb"), None);
        assert_eq!(without_source_url("a;"), None);
    }
}
