//! Positions as Node asks V8 for them, without a stack trace that JavaScript could see first: those of frames (`node:test`,
//! `util.getCallSites`, `--trace-uncaught`, reports) and of messages (the line and the carets of an uncaught exception, the
//! expression that `assert` prints). They are answered for the original text.

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::OnceLock;

use crate::code;
use crate::detour::{Moved, as_function};
use crate::js::Js;
use crate::v8::{Local, MaybeLocal, MaybeNumber, address_of, v8};

/// For this thread. Functions that this Node does not have, or that cannot be led elsewhere, stay as they are.
pub fn install(js: Js) {
    ORIGINALS.get_or_init(lead_here);
    THREAD.set(Some(js));
    js.on_exit(|| THREAD.set(None));
}

thread_local! {
    static THREAD: Cell<Option<Js>> = const { Cell::new(None) };
}

type This = *const c_void;

/// Lines and columns count from 0.
#[repr(C)]
#[derive(Clone, Copy)]
struct Location {
    line: i32,
    column: i32,
}

/// The functions of V8 themselves; those that answer about a position are all led here, or none is.
struct Originals {
    frame_script: unsafe extern "C" fn(This) -> Local,
    message_script: unsafe extern "C" fn(This) -> Local,
    message_line: unsafe extern "C" fn(This, Local) -> MaybeNumber,
    location: unsafe extern "C" fn(This) -> Location,
    frame_function: unsafe extern "C" fn(This) -> Local,
    start_column: unsafe extern "C" fn(This) -> i32,
    start_column_in: unsafe extern "C" fn(This, Local) -> MaybeNumber,
    end_column: unsafe extern "C" fn(This) -> i32,
    end_column_in: unsafe extern "C" fn(This, Local) -> MaybeNumber,
    source_line: unsafe extern "C" fn(This, Local) -> MaybeLocal,
}

static ORIGINALS: OnceLock<Option<Originals>> = OnceLock::new();

fn lead_here() -> Option<Originals> {
    // SAFETY: the mangled names carry the signatures, but for what is returned, and the functions above return that. Nobody asks for
    // positions while the first thread sets itself up.
    unsafe {
        let led = [
            (c"_ZNK2v810StackFrame11GetLocationEv", location as *const c_void),
            (c"_ZNK2v87Message14GetStartColumnEv", start_column as *const c_void),
            (c"_ZNK2v87Message14GetStartColumnENS_5LocalINS_7ContextEEE", start_column_in as *const c_void),
            (c"_ZNK2v87Message12GetEndColumnEv", end_column as *const c_void),
            (c"_ZNK2v87Message12GetEndColumnENS_5LocalINS_7ContextEEE", end_column_in as *const c_void),
            (c"_ZNK2v87Message13GetSourceLineENS_5LocalINS_7ContextEEE", source_line as *const c_void),
            (c"_ZNK2v810StackFrame15GetFunctionNameEv", frame_function as *const c_void),
        ];
        let moved = led.iter().map(|(name, _)| Moved::of(address_of(name)?)).collect::<Option<Vec<_>>>()?;
        let originals = Originals {
            frame_script: as_function(address_of(c"_ZNK2v810StackFrame13GetScriptNameEv")?),
            message_script: as_function(address_of(c"_ZNK2v87Message21GetScriptResourceNameEv")?),
            message_line: as_function(address_of(c"_ZNK2v87Message13GetLineNumberENS_5LocalINS_7ContextEEE")?),
            location: as_function(moved[0].original),
            start_column: as_function(moved[1].original),
            start_column_in: as_function(moved[2].original),
            end_column: as_function(moved[3].original),
            end_column_in: as_function(moved[4].original),
            source_line: as_function(moved[5].original),
            frame_function: as_function(moved[6].original),
        };
        moved.iter().zip(led).all(|(moved, (_, ours))| moved.lead_to(ours)).then_some(originals)
    }
}

fn originals() -> &'static Originals {
    ORIGINALS.get().and_then(Option::as_ref).expect("nothing leads here before it is set")
}

unsafe extern "C" fn location(this: This) -> Location {
    let plain = originals();
    // SAFETY: all are methods of what V8 gave; so below.
    let (location, script) = unsafe { ((plain.location)(this), (plain.frame_script)(this)) };
    let column = text_of(script).and_then(|name| original_column(&name, location.line + 1, location.column));
    Location { column: column.unwrap_or(location.column), ..location }
}

/// The preload gives a method of Node a name of its own, for stack traces; it has none (see `load/commonjs.cjs`).
unsafe extern "C" fn frame_function(this: This) -> Local {
    let plain = originals();
    let name = unsafe { (plain.frame_function)(this) };
    let js = THREAD.get().filter(|_| !name.is_null() && text_of(name).is_some_and(|name| name == "_compile"));
    let is_node = || text_of(unsafe { (plain.frame_script)(this) }).is_some_and(|script| script == LOADER);
    js.filter(|_| is_node()).map_or(name, |js| js.string(""))
}

const LOADER: &str = "node:internal/modules/cjs/loader";

unsafe extern "C" fn start_column(this: This) -> i32 {
    let column = unsafe { (originals().start_column)(this) };
    column_of_message(this, column).unwrap_or(column)
}

unsafe extern "C" fn start_column_in(this: This, context: Local) -> MaybeNumber {
    mapped(this, unsafe { (originals().start_column_in)(this, context) })
}

/// Behind the last character, which is what is looked for: behind it may be text of ours.
unsafe extern "C" fn end_column(this: This) -> i32 {
    let column = unsafe { (originals().end_column)(this) };
    column_of_message(this, column - 1).map_or(column, |last| last + 1)
}

unsafe extern "C" fn end_column_in(this: This, context: Local) -> MaybeNumber {
    let plain = unsafe { (originals().end_column_in)(this, context) };
    let last = mapped(this, MaybeNumber { number: plain.number - 1, ..plain });
    MaybeNumber { number: last.number + 1, ..last }
}

unsafe extern "C" fn source_line(this: This, context: Local) -> MaybeLocal {
    let original = || {
        let js = THREAD.get()?;
        let (name, line) = place_of_message(this)?;
        Some(js.string(&code::original_line(&name, u32::try_from(line).ok()?)?))
    };
    original().unwrap_or_else(|| unsafe { (originals().source_line)(this, context) })
}

fn mapped(this: This, plain: MaybeNumber) -> MaybeNumber {
    if !plain.has_value {
        return plain;
    }
    MaybeNumber { number: column_of_message(this, plain.number).unwrap_or(plain.number), ..plain }
}

fn column_of_message(this: This, column: i32) -> Option<i32> {
    let (name, line) = place_of_message(this)?;
    original_column(&name, line, column)
}

fn place_of_message(this: This) -> Option<(String, i32)> {
    let (plain, context) = (originals(), v8()?.context());
    // SAFETY: methods of a message that V8 gave.
    let (script, line) = unsafe { ((plain.message_script)(this), (plain.message_line)(this, context)) };
    Some((text_of(script)?, line.has_value.then_some(line.number)?))
}

fn text_of(script: Local) -> Option<String> {
    let js = THREAD.get()?;
    (!script.is_null()).then(|| js.text(script))?
}

/// The line counts from 1, the column from 0. `None` in what is not instrumented.
fn original_column(name: &str, line: i32, column: i32) -> Option<i32> {
    let (line, column) = (u32::try_from(line).ok()?, u32::try_from(column).ok()?);
    let original = code::original_column(name, line, column + 1)?;
    i32::try_from(original - 1).ok()
}
