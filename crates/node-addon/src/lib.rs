//! What runs natively inside the debuggee: event memory, instrumentation with its cache, the original text and positions
//! of instrumented code. One copy serves all threads of a process.
//!
//! It speaks plain Node-API instead of a binding crate, because the program must not be able to tell that it is there:
//! no handles, no async resources, no finalizers beyond those below.

mod cache;
mod code;
mod compiling;
mod coverage;
mod detour;
mod js;
mod positions;
mod ring;
mod settings;
mod source_map;
mod stack;
mod stderr;
mod stop;
mod thrown;
mod tsconfig;
mod url;
mod v8;
mod wrap;

use std::ptr;

use js::{Args, Js};
use napi_sys as sys;
use sha2::{Digest, Sha256};
use trace_format::StopAction;
use trace_model::{InterventionChange, Policy, SiteId};

/// The names under which the preload finds the functions.
const EXPORTS: &[(&str, sys::napi_callback)] = &[
    ("start", Some(start)),
    ("openRing", Some(open_ring)),
    ("advance", Some(advance)),
    ("endThread", Some(end_thread)),
    ("instrument", Some(instrument)),
    ("watchCompiling", Some(watch_compiling)),
    ("originalCoverage", Some(original_coverage)),
    ("letPass", Some(let_pass)),
    ("hasPassed", Some(has_passed)),
    ("hasModuleSyntax", Some(has_module_syntax)),
    ("hasDecorators", Some(has_decorators)),
    ("originalText", Some(original_text)),
    ("originalTextOf", Some(original_text_of)),
    ("originalColumn", Some(original_column)),
    ("originalColumnAt", Some(original_column_at)),
    ("originalOffset", Some(original_offset)),
    ("originalOffsetAt", Some(original_offset_at)),
    ("scriptHash", Some(script_hash)),
    ("siteNames", Some(site_names)),
    ("isAssignment", Some(is_assignment)),
    ("arity", Some(arity)),
    ("isFiltered", Some(is_filtered)),
    ("entriesOf", Some(entries_of)),
    ("neededKeys", Some(needed_keys)),
    ("isInstrumented", Some(is_instrumented)),
    ("problem", Some(problem)),
    ("filterStacks", Some(filter_stacks)),
    ("giveStack", Some(give_stack)),
    ("wrap", Some(wrap_function)),
    ("setStart", Some(set_start)),
    ("watchUncaught", Some(watch_uncaught)),
    ("holdStderr", Some(hold_stderr)),
    ("releaseStderr", Some(release_stderr)),
    ("stopWish", Some(stop_wish)),
    ("stopPlace", Some(stop_place)),
    ("claimStop", Some(claim_stop)),
    ("reportStop", Some(report_stop)),
    ("intervention", Some(intervention)),
];

/// Called by Node for every environment (the main thread, each worker) that loads the addon.
///
/// # Safety
/// Node hands in a valid environment and exports object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn napi_register_module_v1(env: sys::napi_env, exports: sys::napi_value) -> sys::napi_value {
    let js = Js(env);
    for (name, callback) in EXPORTS {
        js.set_function(exports, name, *callback);
    }
    exports
}

/// `start(runFolder | undefined)`: true if this process records. Only the first call needs the folder: a worker has no
/// environment variable to read it from.
unsafe extern "C" fn start(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    let is_wanted = settings::start(args.string(0).as_deref());
    js.boolean(is_wanted && has_what_it_needs(js))
}

/// Without the functions of V8 itself the program could tell that it is recorded: stack traces would show it.
fn has_what_it_needs(js: Js) -> bool {
    let found = v8::find(js);
    if let (false, Some(settings)) = (found, settings::get()) {
        let pid = std::process::id();
        settings
            .problem(&format!("process {pid} is not recorded: its Node does not offer what the recorder needs of V8"));
    }
    found
}

/// `openRing(thread)`: `[ArrayBuffer, chunkWords, chunks]`, or undefined where there is no room for it.
unsafe extern "C" fn open_ring(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    let Some(settings) = settings::get() else { return js.undefined() };
    match ring::open(settings, args.number(0) as u32) {
        Ok(ring) => {
            let memory = js.external_memory(ring.words_ptr().cast(), ring.n_words() * 4);
            let (chunk_words, n_chunks) = (ring.chunk_words(), ring.n_chunks());
            js.on_exit(ring::end_of_thread);
            js.array(&[memory, js.number(chunk_words), js.number(n_chunks)])
        }
        Err(error) => {
            settings.problem(&format!("process {} is not recorded: {error}", std::process::id()));
            js.undefined()
        }
    }
}

/// `advance(cursor)`: the cursor at which to go on, in a chunk that is free.
unsafe extern "C" fn advance(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    js.number(ring::advance(args.number(0) as u32))
}

/// `endThread()`: another program is about to take the place of this one.
unsafe extern "C" fn end_thread(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, _) = Args::of(env, info);
    ring::end_of_thread();
    js.undefined()
}

/// `instrument(source, filename, kind, written)`: the new text, or undefined if the code is to run as it is. `written` is
/// what the person wrote, if the source was made of that by blanking types.
unsafe extern "C" fn instrument(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    let (Some(source), Some(filename)) = (args.exact_string(0), args.string(1)) else { return js.undefined() };
    match code::instrument(source, &filename, args.number(2) as u32, args.exact_string(3)) {
        Some(text) => js.string(&text),
        None => js.undefined(),
    }
}

/// `watchCompiling(folder)`: from now on no text is compiled without the run's knowing it, and what V8 counts of it is told for the
/// original; what is in the folder is ours.
unsafe extern "C" fn watch_compiling(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    if let Some(folder) = args.string(0) {
        compiling::watch(js, &folder);
        coverage::watch(&folder);
    }
    js.undefined()
}

/// `originalCoverage(scripts, folder)`: the JSON of what V8 counted, for the original text; what is in the folder is ours.
unsafe extern "C" fn original_coverage(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    let (Some(scripts), Some(folder)) = (args.string(0), args.string(1)) else { return js.undefined() };
    match coverage::original_list(&scripts, &folder) {
        Some(text) => js.string(&text),
        None => js.undefined(),
    }
}

/// `letPass(text)`: the text will be compiled, and is no code of the program.
unsafe extern "C" fn let_pass(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    if let Some(text) = args.string(0) {
        code::let_pass(&text);
    }
    js.undefined()
}

/// `hasPassed(text)`: whether `instrument` made the text, or left it as it is.
unsafe extern "C" fn has_passed(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    js.boolean(args.string(0).is_some_and(|text| code::has_passed(&js::Beginning::of(&text))))
}

/// `hasModuleSyntax(source, filename)`: whether TypeScript or JSX can only be an ES module.
unsafe extern "C" fn has_module_syntax(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    let (source, filename) = (args.string(0).unwrap_or_default(), args.string(1).unwrap_or_default());
    js.boolean(code::has_module_syntax(&source, &filename))
}

/// `hasDecorators(source, filename)`: whether taking the types away is not enough.
unsafe extern "C" fn has_decorators(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    let (source, filename) = (args.string(0).unwrap_or_default(), args.string(1).unwrap_or_default());
    js.boolean(code::has_decorators(&source, &filename))
}

/// `originalText(number, length)`: the original text of the function or class with that mark.
unsafe extern "C" fn original_text(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    match code::original_text(args.number(0) as u32, args.number(1) as u32) {
        Some(text) => js.string(&text),
        None => js.undefined(),
    }
}

/// `originalTextOf(number)`: `[text, length]`, the same for a mark alone, and the length of its text as it is now.
unsafe extern "C" fn original_text_of(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    match code::original_text_of(args.number(0) as u32) {
        Some((text, length)) => js.array(&[js.string(&text), js.number(length)]),
        None => js.undefined(),
    }
}

/// `originalColumn(filename, line, column)`: the column in the original; the given one where nothing is known.
unsafe extern "C" fn original_column(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    let (line, column) = (args.number(1) as u32, args.number(2) as u32);
    let original = args.string(0).and_then(|name| code::original_column(&name, line, column));
    js.number(original.unwrap_or(column))
}

/// `setStart(filename, lines, columns)`: what of this name is instrumented next has so many lines and columns in front.
unsafe extern "C" fn set_start(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    if let Some(filename) = args.string(0) {
        code::set_start(&filename, code::Start { lines: args.number(1) as i64, columns: args.number(2) as i64 });
    }
    js.undefined()
}

/// `originalColumnAt(site, line, column)`: the same for code that has no name but one of these sites.
unsafe extern "C" fn original_column_at(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    let (site, line, column) = (SiteId(args.number(0) as u32), args.number(1) as u32, args.number(2) as u32);
    js.number(code::original_column_at(site, line, column).unwrap_or(column))
}

/// `originalOffset(filename, line, column)`: how many units of the original are before a position in it; undefined where
/// nothing is known.
unsafe extern "C" fn original_offset(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    let (line, column) = (args.number(1) as u32, args.number(2) as u32);
    let offset = args.string(0).and_then(|name| code::original_offset(&name, line, column));
    offset.map_or_else(|| js.undefined(), |offset| js.number(offset))
}

/// `originalOffsetAt(site, line, column)`: the same for code that has no name but one of these sites.
unsafe extern "C" fn original_offset_at(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    let (site, line, column) = (SiteId(args.number(0) as u32), args.number(1) as u32, args.number(2) as u32);
    code::original_offset_at(site, line, column).map_or_else(|| js.undefined(), |offset| js.number(offset))
}

/// `scriptHash(source)`: as V8 makes it, SHA-256 in hexadecimal.
unsafe extern "C" fn script_hash(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    let digest = Sha256::digest(args.string(0).unwrap_or_default().as_bytes());
    js.string(&digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

/// `isAssignment(site)`: whether the site records that a property was assigned to.
unsafe extern "C" fn is_assignment(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    js.boolean(code::is_assignment(SiteId(args.number(0) as u32)))
}

/// `siteNames(site)`: the keys of an object literal, or of a write.
unsafe extern "C" fn site_names(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    let names = code::site_names(SiteId(args.number(0) as u32)).unwrap_or_default();
    js.array(&names.iter().map(|name| js.string(name)).collect::<Vec<_>>())
}

/// `arity(site)`: the number of elements of an array literal.
unsafe extern "C" fn arity(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    js.number(code::shape(SiteId(args.number(0) as u32)).map_or(0, |shape| shape.n_values))
}

/// `isFiltered()`: whether the policy leaves sites out.
unsafe extern "C" fn is_filtered(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, _) = Args::of(env, info);
    js.boolean(settings::get().is_some_and(|settings| !settings.policy.is_full()))
}

/// `entriesOf(collection)`: what a WeakMap or WeakSet holds: its keys and values in turn, or its elements.
unsafe extern "C" fn entries_of(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    let collection = args.value(0).filter(|value| js.is_object(*value));
    collection
        .zip(v8::v8())
        .and_then(|(collection, v8)| v8.preview_entries(collection))
        .unwrap_or_else(|| js.undefined())
}

/// `neededKeys()`: `[elements, name, …]`, whether elements are needed and which other properties are; undefined if all are.
unsafe extern "C" fn needed_keys(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, _) = Args::of(env, info);
    let Some(Policy::Needed(need)) = settings::get().map(|settings| &settings.policy) else { return js.undefined() };
    let names = need.properties.iter().map(|name| js.string(name));
    js.array(&std::iter::once(js.boolean(need.reaches_elements())).chain(names).collect::<Vec<_>>())
}

/// `isInstrumented(filename)`: whether code of this name was instrumented.
unsafe extern "C" fn is_instrumented(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    js.boolean(args.string(0).is_some_and(|name| code::is_instrumented(&name)))
}

/// `problem(text)`: one line for the person, in the run; never on the program's own output.
unsafe extern "C" fn problem(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    if let (Some(settings), Some(text)) = (settings::get(), args.string(0)) {
        settings.problem(&text);
    }
    js.undefined()
}

/// `filterStacks(f)`: from now on every array of call sites passes through `f` before Node sees it, and other positions are those
/// of the original text. False if this Node does not export what that needs.
unsafe extern "C" fn filter_stacks(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    positions::install(js);
    js.boolean(stack::install(js, args.value(0).unwrap_or(ptr::null_mut())))
}

/// `giveStack(bytes)`: for the main thread only; see [`v8::V8::give_stack`].
unsafe extern "C" fn give_stack(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    if let Some(v8) = v8::v8() {
        v8.give_stack(args.number(0) as usize);
    }
    js.undefined()
}

/// `wrap(original, before, after, failed, Reflect.construct)`: see [`wrap::wrap`]; undefined if this Node does not offer what
/// that needs.
unsafe extern "C" fn wrap_function(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    let value = |index| args.value(index).unwrap_or_else(|| js.undefined());
    let hooks = wrap::Hooks {
        original: value(0),
        before: value(1),
        after: value(2),
        failed: value(3),
        reflect_construct: value(4),
    };
    wrap::wrap(js, hooks).unwrap_or_else(|| js.undefined())
}

/// `watchUncaught()`: keeps in mind where exceptions that nobody catches were thrown.
unsafe extern "C" fn watch_uncaught(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, _) = Args::of(env, info);
    thrown::install(js);
    js.undefined()
}

/// `holdStderr()`: what Node prints from here on is put right before it reaches stderr, at the latest when the process ends.
unsafe extern "C" fn hold_stderr(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, _) = Args::of(env, info);
    stderr::hold();
    js.undefined()
}

/// `releaseStderr()`: undoes it.
unsafe extern "C" fn release_stderr(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, _) = Args::of(env, info);
    stderr::release();
    js.undefined()
}

/// `stopWish()`: `[hit, start (0: none), expression (undefined: halt)]`, or undefined if there is none.
unsafe extern "C" fn stop_wish(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, _) = Args::of(env, info);
    let Some(wish) = settings::get().and_then(|settings| settings.stop.as_ref()) else { return js.undefined() };
    let expression = match &wish.action {
        StopAction::Halt => js.undefined(),
        StopAction::Evaluate(expression) => js.string(expression),
    };
    js.array(&[js.number(wish.hit), js.number(wish.start.unwrap_or(0)), expression])
}

/// `stopPlace(slot)`: `[number, isWrite, nests]`; see [`stop::Place`].
unsafe extern "C" fn stop_place(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    match stop::place(args.number(0) as u32) {
        Some(place) => js.array(&[js.number(place.number), js.boolean(place.is_write), js.boolean(place.nests)]),
        None => js.undefined(),
    }
}

/// `claimStop()`: true for the first that asks, of all threads and processes.
unsafe extern "C" fn claim_stop(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, _) = Args::of(env, info);
    js.boolean(stop::claim())
}

/// `reportStop(…fields)`: tells the parent what became of the wish.
unsafe extern "C" fn report_stop(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    let fields: Vec<String> = (0..).map_while(|index| args.string(index)).collect();
    js.boolean(stop::report(&fields))
}

/// `intervention()`: `[hit (0: all), the way that is forced (undefined: none)]`, or undefined if there is none.
unsafe extern "C" fn intervention(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, _) = Args::of(env, info);
    let Some(wanted) = settings::get().and_then(|settings| settings.intervention.as_ref()) else {
        return js.undefined();
    };
    let forced = match wanted.change {
        InterventionChange::Force(truth) => js.boolean(truth),
        _ => js.undefined(),
    };
    js.array(&[js.number(wanted.hit.unwrap_or(0)), forced])
}
