//! What runs natively inside the debuggee: event memory, instrumentation with its cache, the original text and positions
//! of instrumented code. One copy serves all threads of a process.
//!
//! It speaks plain Node-API instead of a binding crate, because the program must not be able to tell that it is there:
//! no handles, no async resources, no finalizers beyond those below.

mod agent;
mod cache;
mod code;
mod compiling;
mod contexts;
mod coverage;
mod detour;
mod guard;
mod js;
mod offsets;
mod origins;
mod positions;
mod ring;
mod settings;
mod stack;
mod stderr;
mod stop;
mod thrown;
mod tsconfig;
mod v8;
mod wrap;

use std::ptr;

use agent::{AgentSettings, Crash};
use guard::{Entry, Failing};
use instrument::Renamed;
use js::{Args, Js};
use napi_sys as sys;
use origins::Request;
use sha2::{Digest, Sha256};
use trace_format::{Counts, NODE_VERSIONS, StopAction, TestRecord};
use trace_model::{InterventionChange, Policy, SiteId};

/// A function that the preload finds under this name.
pub struct Export {
    pub entry: Entry,
    callback: sys::napi_callback,
}

/// What a function gives if it fails.
enum Otherwise {
    Undefined,
    False,
    Zero,
    NoElements,
    /// What it was given at this place.
    Argument(usize),
    /// Where the recorder may go on writing, which nobody reads.
    Cursor,
}

impl Otherwise {
    fn value(self, js: Js, args: &Args) -> sys::napi_value {
        match self {
            Otherwise::Undefined => js.undefined(),
            Otherwise::False => js.boolean(false),
            Otherwise::Zero => js.number(0),
            Otherwise::NoElements => js.array(&[]),
            Otherwise::Argument(index) => args.value(index).unwrap_or_else(|| js.undefined()),
            Otherwise::Cursor => js.number(ring::start_of_chunk()),
        }
    }
}

macro_rules! exports {
    ($($name:literal: $function:ident, $failing:ident, $otherwise:expr;)*) => {
        pub const EXPORTS: &[Export] = &[$(Export {
            entry: Entry($name),
            callback: {
                unsafe extern "C" fn called(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
                    let (js, args) = Args::of(env, info);
                    let instead = || { use Otherwise::*; $otherwise.value(js, &args) };
                    guard::enter(Entry($name), Failing::$failing, || $function(js, &args), instead)
                }
                Some(called)
            },
        }),*];
    };
}

exports! {
    "start": start, GivesUp, False;
    "openRing": open_ring, GivesUp, Undefined;
    "advance": advance, GivesUp, Cursor;
    "endThread": end_thread, TriesAgain, Undefined;
    "instrument": instrument, GivesUp, Undefined;
    "callerIfRecorded": caller_if_recorded, TriesAgain, Undefined;
    "watchCompiling": watch_compiling, GivesUp, Undefined;
    "closeContexts": close_contexts, TriesAgain, Undefined;
    "originalCoverage": original_coverage, TriesAgain, Undefined;
    "letPass": let_pass, TriesAgain, Undefined;
    "hasPassed": has_passed, TriesAgain, False;
    "hasModuleSyntax": has_module_syntax, TriesAgain, False;
    "hasDecorators": has_decorators, TriesAgain, False;
    "originalText": original_text, TriesAgain, Undefined;
    "originalTextOf": original_text_of, TriesAgain, Undefined;
    "originalColumn": original_column, TriesAgain, Argument(2);
    "originalColumnAt": original_column_at, TriesAgain, Argument(2);
    "originalOffset": original_offset, TriesAgain, Undefined;
    "originalOffsetAt": original_offset_at, TriesAgain, Undefined;
    "renamed": renamed, TriesAgain, Undefined;
    "renamedAt": renamed_at, TriesAgain, Undefined;
    "scriptHash": script_hash, TriesAgain, Undefined;
    "siteNames": site_names, TriesAgain, NoElements;
    "isAssignment": is_assignment, TriesAgain, False;
    "arity": arity, TriesAgain, Zero;
    "isFiltered": is_filtered, TriesAgain, False;
    "entriesOf": entries_of, TriesAgain, Undefined;
    "neededKeys": needed_keys, TriesAgain, Undefined;
    "isInstrumented": is_instrumented, TriesAgain, False;
    "problem": problem, TriesAgain, Undefined;
    "test": test, TriesAgain, Undefined;
    "filterStacks": filter_stacks, GivesUp, False;
    "giveStack": give_stack, TriesAgain, Undefined;
    "wrap": wrap_function, GivesUp, Undefined;
    "setStart": set_start, TriesAgain, Undefined;
    "watchUncaught": watch_uncaught, GivesUp, Undefined;
    "holdStderr": hold_stderr, GivesUp, Undefined;
    "releaseStderr": release_stderr, TriesAgain, Undefined;
    "stopWish": stop_wish, TriesAgain, Undefined;
    "stopPlace": stop_place, TriesAgain, Undefined;
    "claimStop": claim_stop, GivesUp, False;
    "reportStop": report_stop, GivesUp, False;
    "intervention": intervention, TriesAgain, Undefined;
    "agentStart": agent_start, GivesUp, False;
    "agentCrash": agent_crash, GivesUp, Undefined;
    "entries": entries, TriesAgain, NoElements;
}

/// Called by Node for every environment (the main thread, each worker) that loads the addon.
///
/// # Safety
/// Node hands in a valid environment and exports object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn napi_register_module_v1(env: sys::napi_env, exports: sys::napi_value) -> sys::napi_value {
    guard::be_quiet();
    settings::learn_folder();
    let register = || {
        for export in EXPORTS {
            Js(env).set_function(exports, export.entry.0, export.callback);
        }
    };
    guard::enter(guard::REGISTER, Failing::GivesUp, register, || {});
    exports
}

/// `entries()`: the names of all ways into the addon, for the tests.
fn entries(js: Js, _: &Args) -> sys::napi_value {
    let all = EXPORTS.iter().map(|export| &export.entry).chain(guard::OTHERS);
    js.array(&all.map(|entry| js.string(entry.0)).collect::<Vec<_>>())
}

/// `start(runFolder | undefined, ownFolder | undefined)`: true if this process records. Only the first call needs the folder of the run: a
/// worker has no environment variable to read it from. In a process that does not record, coverage would show what is in the own folder all the same.
fn start(js: Js, args: &Args) -> sys::napi_value {
    if !settings::start(args.string(0).as_deref()) {
        return js.boolean(false);
    }
    let is_recorded = has_what_it_needs(js);
    if let (false, Some(own_folder)) = (is_recorded, args.string(1)) {
        coverage::watch(&own_folder);
    }
    js.boolean(is_recorded)
}

/// Without the functions of V8 itself the program could tell that it is recorded: stack traces would show it. All that is needed is tried
/// before anything is changed.
fn has_what_it_needs(js: Js) -> bool {
    let Some((major, node)) = js.node_version() else { return false };
    // The preload has told the run which version it is.
    if !NODE_VERSIONS.contains(&major) {
        return false;
    }
    let pid = std::process::id();
    let lacks = v8::find(js);
    if let (false, Some(settings)) = (lacks.is_empty(), settings::get()) {
        let lacks = lacks.join(", ");
        settings.problem(&format!(
            "process {pid} is not recorded: its Node.js, {node}, differs from those that the recorder knows: {lacks}"
        ));
    }
    lacks.is_empty()
}

/// `openRing(thread)`: `[ArrayBuffer, chunkWords, chunks]`, or undefined where there is no room for it.
fn open_ring(js: Js, args: &Args) -> sys::napi_value {
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

/// `advance(cursor, frames, strings, symbols)`: the cursor at which to go on, in a chunk that is free. How many frames, strings and symbols
/// there were up to here matters only where the chunks before it may be dropped without having been read.
fn advance(js: Js, args: &Args) -> sys::napi_value {
    let number = |index| args.number(index) as u32;
    let so_far = Counts { frames: number(1), strings: number(2), symbols: number(3), events: 0 };
    js.number(ring::advance(number(0), so_far))
}

/// `endThread()`: another program is about to take the place of this one.
fn end_thread(js: Js, _: &Args) -> sys::napi_value {
    ring::end_of_thread();
    js.undefined()
}

/// `instrument(source, filename, kind, written, request)`: the new text, or undefined if the code is to run as it is. `written` is
/// what the person wrote, if the source was made of that by blanking types. `request` says who asked for it: see [`Request::parse`].
fn instrument(js: Js, args: &Args) -> sys::napi_value {
    let (Some(source), Some(filename)) = (args.value(0), args.string(1)) else { return js.undefined() };
    let request = Request::parse(args.string(4).as_deref());
    match code::instrument(js, source, &filename, args.number(2) as u32, args.exact_string(3), &request) {
        Some(text) => js.string(&text),
        None => js.undefined(),
    }
}

/// `callerIfRecorded()`: the file that is calling, if it is of the program or a library.
fn caller_if_recorded(js: Js, _: &Args) -> sys::napi_value {
    let caller = settings::get().and_then(|settings| origins::caller_if_recorded(js, settings));
    caller.map_or_else(|| js.undefined(), |path| js.string(&path))
}

/// `watchCompiling(folder)`: from now on no text is compiled without the run's knowing it, and what V8 counts of it is told for the
/// original; what is in the folder is ours.
fn watch_compiling(js: Js, args: &Args) -> sys::napi_value {
    if let Some(folder) = args.string(0) {
        compiling::watch(js, &folder);
        coverage::watch(&folder);
    }
    js.undefined()
}

/// `closeContexts(isClosed)`: whether the objects behind vm contexts are not to be asked for names.
fn close_contexts(js: Js, args: &Args) -> sys::napi_value {
    contexts::close(js, args.boolean(0));
    js.undefined()
}

/// `originalCoverage(scripts, folder)`: the JSON of what V8 counted, for the original text; what is in the folder is ours.
fn original_coverage(js: Js, args: &Args) -> sys::napi_value {
    let (Some(scripts), Some(folder)) = (args.string(0), args.string(1)) else { return js.undefined() };
    match coverage::original_list(&scripts, &folder) {
        Some(text) => js.string(&text),
        None => js.undefined(),
    }
}

/// `letPass(text)`: the text will be compiled, and is no code of the program.
fn let_pass(js: Js, args: &Args) -> sys::napi_value {
    if let Some(text) = args.string(0) {
        code::let_pass(&text);
    }
    js.undefined()
}

/// `hasPassed(text)`: whether `instrument` made the text, or left it as it is.
fn has_passed(js: Js, args: &Args) -> sys::napi_value {
    js.boolean(args.string(0).is_some_and(|text| code::has_passed(&js::Beginning::of(&text))))
}

/// `hasModuleSyntax(source, filename)`: whether TypeScript or JSX can only be an ES module.
fn has_module_syntax(js: Js, args: &Args) -> sys::napi_value {
    let (source, filename) = (args.string(0).unwrap_or_default(), args.string(1).unwrap_or_default());
    js.boolean(code::has_module_syntax(&source, &filename))
}

/// `hasDecorators(source, filename)`: whether taking the types away is not enough.
fn has_decorators(js: Js, args: &Args) -> sys::napi_value {
    let (source, filename) = (args.string(0).unwrap_or_default(), args.string(1).unwrap_or_default());
    js.boolean(code::has_decorators(&source, &filename))
}

/// `originalText(number, length)`: the original text of the function or class with that mark.
fn original_text(js: Js, args: &Args) -> sys::napi_value {
    match code::original_text(args.number(0) as u32, args.number(1) as u32) {
        Some(text) => js.string(&text),
        None => js.undefined(),
    }
}

/// `originalTextOf(number)`: `[text, length]`, the same for a mark alone, and the length of its text as it is now.
fn original_text_of(js: Js, args: &Args) -> sys::napi_value {
    match code::original_text_of(args.number(0) as u32) {
        Some((text, length)) => js.array(&[js.string(&text), js.number(length)]),
        None => js.undefined(),
    }
}

/// `originalColumn(filename, line, column)`: the column in the original; the given one where nothing is known.
fn original_column(js: Js, args: &Args) -> sys::napi_value {
    let (line, column) = (args.number(1) as u32, args.number(2) as u32);
    let original = args.string(0).and_then(|name| code::original_column(&name, line, column));
    js.number(original.unwrap_or(column))
}

/// `setStart(filename, lines, columns)`: what of this name is instrumented next has so many lines and columns in front.
fn set_start(js: Js, args: &Args) -> sys::napi_value {
    if let Some(filename) = args.string(0) {
        code::set_start(&filename, code::Start { lines: args.number(1) as i64, columns: args.number(2) as i64 });
    }
    js.undefined()
}

/// `originalColumnAt(site, line, column)`: the same for code that has no name but one of these sites.
fn original_column_at(js: Js, args: &Args) -> sys::napi_value {
    let (site, line, column) = (SiteId(args.number(0) as u32), args.number(1) as u32, args.number(2) as u32);
    js.number(code::original_column_at(site, line, column).unwrap_or(column))
}

/// `originalOffset(filename, line, column)`: how many units of the original are before a position in it; undefined where
/// nothing is known.
fn original_offset(js: Js, args: &Args) -> sys::napi_value {
    let (line, column) = (args.number(1) as u32, args.number(2) as u32);
    let offset = args.string(0).and_then(|name| code::original_offset(&name, line, column));
    offset.map_or_else(|| js.undefined(), |offset| js.number(offset))
}

/// `originalOffsetAt(site, line, column)`: the same for code that has no name but one of these sites.
fn original_offset_at(js: Js, args: &Args) -> sys::napi_value {
    let (site, line, column) = (SiteId(args.number(0) as u32), args.number(1) as u32, args.number(2) as u32);
    code::original_offset_at(site, line, column).map_or_else(|| js.undefined(), |offset| js.number(offset))
}

/// `renamed(filename, line, column)`: `[here, plain, …]`, what V8 infers as the name of the function that it says begins there, and what it
/// would infer in the original; undefined if that is the same, or if the function has a name. Behind them stands of each whether it is
/// an identifier: a regular expression of the runtime would be seen in `RegExp.lastMatch`.
fn renamed(js: Js, args: &Args) -> sys::napi_value {
    let (line, column) = (args.number(1) as u32, args.number(2) as u32);
    give_renamed(js, args.string(0).and_then(|name| code::renamed(&name, line, column)))
}

/// `renamedAt(site, line, column)`: the same for code that has no name but one of these sites.
fn renamed_at(js: Js, args: &Args) -> sys::napi_value {
    let (site, line, column) = (SiteId(args.number(0) as u32), args.number(1) as u32, args.number(2) as u32);
    give_renamed(js, code::renamed_at(site, line, column))
}

fn give_renamed(js: Js, renamed: Option<Renamed>) -> sys::napi_value {
    let is_identifier = |name: &str| js.boolean(instrument::is_identifier(name));
    renamed.map_or_else(
        || js.undefined(),
        |Renamed { here, plain, .. }| {
            js.array(&[js.string(&here), js.string(&plain), is_identifier(&here), is_identifier(&plain)])
        },
    )
}

/// `scriptHash(source)`: as V8 makes it, SHA-256 in hexadecimal.
fn script_hash(js: Js, args: &Args) -> sys::napi_value {
    let digest = Sha256::digest(args.string(0).unwrap_or_default().as_bytes());
    js.string(&digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

/// `isAssignment(site)`: whether the site records that a property was assigned to.
fn is_assignment(js: Js, args: &Args) -> sys::napi_value {
    js.boolean(code::is_assignment(SiteId(args.number(0) as u32)))
}

/// `siteNames(site)`: the keys of an object literal, or of a write.
fn site_names(js: Js, args: &Args) -> sys::napi_value {
    let names = code::site_names(SiteId(args.number(0) as u32)).unwrap_or_default();
    js.array(&names.iter().map(|name| js.string(name)).collect::<Vec<_>>())
}

/// `arity(site)`: the number of elements of an array literal.
fn arity(js: Js, args: &Args) -> sys::napi_value {
    js.number(code::shape(SiteId(args.number(0) as u32)).map_or(0, |shape| shape.n_values()))
}

/// `isFiltered()`: whether the policy leaves sites out.
fn is_filtered(js: Js, _: &Args) -> sys::napi_value {
    js.boolean(settings::get().is_some_and(|settings| !settings.policy.is_full()))
}

/// `entriesOf(collection)`: what a WeakMap or WeakSet holds: its keys and values in turn, or its elements.
fn entries_of(js: Js, args: &Args) -> sys::napi_value {
    let collection = args.value(0).filter(|value| js.is_object(*value));
    collection
        .zip(v8::v8())
        .and_then(|(collection, v8)| v8.preview_entries(collection))
        .unwrap_or_else(|| js.undefined())
}

/// `neededKeys()`: `[elements, name, …]`, whether elements are needed and which other properties are; undefined if all are.
fn needed_keys(js: Js, _: &Args) -> sys::napi_value {
    let Some(Policy::Needed(need)) = settings::get().map(|settings| &settings.policy) else { return js.undefined() };
    let names = need.properties.iter().map(|name| js.string(name));
    js.array(&std::iter::once(js.boolean(need.reaches_elements())).chain(names).collect::<Vec<_>>())
}

/// `isInstrumented(filename)`: whether code of this name was instrumented.
fn is_instrumented(js: Js, args: &Args) -> sys::napi_value {
    js.boolean(args.string(0).is_some_and(|name| code::is_instrumented(&name)))
}

/// `problem(text)`: one line for the person, in the run; never on the program's own output.
fn problem(js: Js, args: &Args) -> sys::napi_value {
    if let (Some(settings), Some(text)) = (settings::get(), args.string(0)) {
        settings.problem(&text);
    }
    js.undefined()
}

/// `test(fields)`: how a test ended: the fields of `trace_format::TestRecord` without the process, NUL between them.
fn test(js: Js, args: &Args) -> sys::napi_value {
    if let (Some(settings), Some(text)) = (settings::get(), args.string(0)) {
        let process = std::process::id().to_string();
        let fields: Vec<String> =
            std::iter::once(process.as_str()).chain(text.split('\0')).map(str::to_owned).collect();
        if let Some(test) = TestRecord::of_fields(&fields) {
            settings.test(&test);
        }
    }
    js.undefined()
}

/// `filterStacks(f)`: from now on every array of call sites passes through `f` before Node sees it, and other positions are those
/// of the original text. False if this Node does not export what that needs.
fn filter_stacks(js: Js, args: &Args) -> sys::napi_value {
    positions::install(js);
    js.boolean(stack::install(js, args.value(0).unwrap_or(ptr::null_mut())))
}

/// `giveStack(bytes)`: for the main thread only; see [`v8::V8::give_stack`].
fn give_stack(js: Js, args: &Args) -> sys::napi_value {
    if let Some(v8) = v8::v8() {
        v8.give_stack(args.number(0) as usize);
    }
    js.undefined()
}

/// `wrap(original, before, after, failed, Reflect.construct)`: see [`wrap::wrap`]; undefined if this Node does not offer what
/// that needs.
fn wrap_function(js: Js, args: &Args) -> sys::napi_value {
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
fn watch_uncaught(js: Js, _: &Args) -> sys::napi_value {
    thrown::install(js);
    js.undefined()
}

/// `holdStderr()`: what Node prints from here on is put right before it reaches stderr, at the latest when the process ends.
fn hold_stderr(js: Js, _: &Args) -> sys::napi_value {
    stderr::hold();
    js.undefined()
}

/// `releaseStderr()`: undoes it.
fn release_stderr(js: Js, _: &Args) -> sys::napi_value {
    stderr::release();
    js.undefined()
}

/// `stopWish()`: `[hit, start (0: none), expression (undefined: halt)]`, or undefined if there is none.
fn stop_wish(js: Js, _: &Args) -> sys::napi_value {
    let Some(wish) = settings::get().and_then(|settings| settings.stop.as_ref()) else { return js.undefined() };
    let expression = match &wish.action {
        StopAction::Halt => js.undefined(),
        StopAction::Evaluate(expression) => js.string(expression),
    };
    js.array(&[js.number(wish.hit), js.number(wish.start.unwrap_or(0)), expression])
}

/// `stopPlace(slot)`: `[number, isWrite, nests]`; see [`stop::StopPlace`].
fn stop_place(js: Js, args: &Args) -> sys::napi_value {
    match stop::place(args.number(0) as u32) {
        Some(place) => js.array(&[js.number(place.number), js.boolean(place.is_write), js.boolean(place.nests)]),
        None => js.undefined(),
    }
}

/// `claimStop()`: true for the first that asks, of all threads and processes.
fn claim_stop(js: Js, _: &Args) -> sys::napi_value {
    js.boolean(stop::claim())
}

/// `reportStop(…fields)`: tells the parent what became of the wish.
fn report_stop(js: Js, args: &Args) -> sys::napi_value {
    let fields: Vec<String> = (0..).map_while(|index| args.string(index)).collect();
    js.boolean(stop::report(&fields))
}

/// `intervention()`: `[hit (0: all), the way that is forced (undefined: none)]`, or undefined if there is none.
fn intervention(js: Js, _: &Args) -> sys::napi_value {
    let Some(wanted) = settings::get().and_then(|settings| settings.intervention.as_ref()) else {
        return js.undefined();
    };
    let forced = match wanted.change {
        InterventionChange::Force(truth) => js.boolean(truth),
        _ => js.undefined(),
    };
    js.array(&[js.number(wanted.hit.unwrap_or(0)), forced])
}

/// `agentStart(policy)`: true if this process records what the policy of a server names.
fn agent_start(js: Js, args: &Args) -> sys::napi_value {
    let is_wanted = args.string(0).is_some_and(|policy| agent::start(&policy));
    js.boolean(is_wanted && has_what_it_needs(js))
}

/// `agentCrash(settings, classes, stack, isFormatted, message)`: reports a crash of a program in production.
fn agent_crash(js: Js, args: &Args) -> sys::napi_value {
    let text = |index| args.string(index).unwrap_or_default();
    let crash = Crash { classes: text(1), stack: text(2), is_formatted: args.boolean(3), message: args.string(4) };
    agent::crash(&AgentSettings::parse(&text(0)), crash);
    js.undefined()
}
