//! Positions as Node asks V8 for them, without a stack trace that JavaScript could see first: those of frames (`node:test`,
//! `util.getCallSites`, `--trace-uncaught`, reports) and of messages (the line and the carets of an uncaught exception, the
//! expression that `assert` prints). They are answered for the original text.

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::sync::{Once, OnceLock};

use crate::code;
use crate::detour::{Moved, NotMoved, as_function};
use crate::guard::{self, Failing};
use crate::js::Js;
use crate::v8::{Local, MaybeLocal, MaybeNumber, address_of, v8};

/// For this thread. Functions that this Node does not have, or that cannot be led elsewhere, stay as they are.
pub fn install(js: Js) {
    if let Ok(originals) = ORIGINALS.get_or_init(find) {
        // SAFETY: ours have the signatures of theirs. Nobody asks for positions while the first thread sets itself up.
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
    moved: Vec<Moved>,
}

static ORIGINALS: OnceLock<Result<Originals, NotMoved>> = OnceLock::new();
static LEAD: Once = Once::new();

/// Whether this Node has all that is needed. To be asked once, before anything is changed.
pub fn try_out() -> Result<(), NotMoved> {
    ORIGINALS.get_or_init(find).as_ref().map(drop).map_err(Clone::clone)
}

/// The functions that lead here, and what they lead to.
const LED: [(&CStr, *const c_void); 7] = [
    (c"_ZNK2v810StackFrame11GetLocationEv", location as *const c_void),
    (c"_ZNK2v87Message14GetStartColumnEv", start_column as *const c_void),
    (c"_ZNK2v87Message14GetStartColumnENS_5LocalINS_7ContextEEE", start_column_in as *const c_void),
    (c"_ZNK2v87Message12GetEndColumnEv", end_column as *const c_void),
    (c"_ZNK2v87Message12GetEndColumnENS_5LocalINS_7ContextEEE", end_column_in as *const c_void),
    (c"_ZNK2v87Message13GetSourceLineENS_5LocalINS_7ContextEEE", source_line as *const c_void),
    (c"_ZNK2v810StackFrame15GetFunctionNameEv", frame_function as *const c_void),
];

fn find() -> Result<Originals, NotMoved> {
    let found = |name: &CStr| address_of(name).ok_or_else(|| NotMoved::Missing(name.to_string_lossy().into_owned()));
    // SAFETY: the mangled names carry the signatures, but for what is returned, and the functions above return that.
    unsafe {
        let moved = LED.iter().map(|(name, _)| Moved::named(name)).collect::<Result<Vec<_>, _>>()?;
        Ok(Originals {
            frame_script: as_function(found(c"_ZNK2v810StackFrame13GetScriptNameEv")?),
            message_script: as_function(found(c"_ZNK2v87Message21GetScriptResourceNameEv")?),
            message_line: as_function(found(c"_ZNK2v87Message13GetLineNumberENS_5LocalINS_7ContextEEE")?),
            location: as_function(moved[0].original),
            start_column: as_function(moved[1].original),
            start_column_in: as_function(moved[2].original),
            end_column: as_function(moved[3].original),
            end_column_in: as_function(moved[4].original),
            source_line: as_function(moved[5].original),
            frame_function: as_function(moved[6].original),
            moved,
        })
    }
}

/// Nothing leads here before it is set.
fn originals() -> Option<&'static Originals> {
    ORIGINALS.get()?.as_ref().ok()
}

unsafe extern "C" fn location(this: This) -> Location {
    let Some(plain) = originals() else { return Location { line: 0, column: 0 } };
    // SAFETY: all are methods of what V8 gave; so below.
    let (location, script) = unsafe { ((plain.location)(this), (plain.frame_script)(this)) };
    let original = || {
        let column = text_of(script).and_then(|name| original_column(&name, location.line + 1, location.column));
        Location { column: column.unwrap_or(location.column), ..location }
    };
    guard::enter(guard::FRAME_LOCATION, Failing::TriesAgain, original, || location)
}

/// The preload gives methods of Node names of their own, for stack traces; they have none (see `load/commonjs.cjs`). Functions of the
/// program that have none get another from V8 than in the original.
unsafe extern "C" fn frame_function(this: This) -> Local {
    let Some(plain) = originals() else { return std::ptr::null_mut() };
    // SAFETY: as above.
    let name = unsafe { (plain.frame_function)(this) };
    let shown = || {
        let given = if name.is_null() { String::new() } else { text_of(name)? };
        // SAFETY: as above.
        let (script, at) = unsafe { (text_of((plain.frame_script)(this))?, (plain.location)(this)) };
        let original = match script == LOADER {
            true => NAMED.contains(&&*given).then(String::new)?,
            false => {
                let (line, column) = (u32::try_from(at.line).ok()? + 1, u32::try_from(at.column).ok()? + 1);
                code::renamed_around(&script, line, column).filter(|it| it.here == given)?.plain
            }
        };
        Some(THREAD.get()?.string(&original))
    };
    guard::enter(guard::FRAME_FUNCTION, Failing::TriesAgain, shown, || None).unwrap_or(name)
}

const NAMED: [&str; 2] = ["_compile", "_load"];
const LOADER: &str = "node:internal/modules/cjs/loader";

unsafe extern "C" fn start_column(this: This) -> i32 {
    let Some(plain) = originals() else { return 0 };
    // SAFETY: as above.
    let column = unsafe { (plain.start_column)(this) };
    let original = || column_of_message(this, column).unwrap_or(column);
    guard::enter(guard::START_COLUMN, Failing::TriesAgain, original, || column)
}

unsafe extern "C" fn start_column_in(this: This, context: Local) -> MaybeNumber {
    let Some(plain) = originals() else { return MaybeNumber { has_value: false, number: 0 } };
    // SAFETY: as above.
    let column = unsafe { (plain.start_column_in)(this, context) };
    guard::enter(guard::START_COLUMN_IN, Failing::TriesAgain, || mapped(this, column), || column)
}

/// Behind the last character, which is what is looked for: behind it may be text of ours.
unsafe extern "C" fn end_column(this: This) -> i32 {
    let Some(plain) = originals() else { return 0 };
    // SAFETY: as above.
    let column = unsafe { (plain.end_column)(this) };
    let original = || column_of_message(this, column - 1).map_or(column, |last| last + 1);
    guard::enter(guard::END_COLUMN, Failing::TriesAgain, original, || column)
}

unsafe extern "C" fn end_column_in(this: This, context: Local) -> MaybeNumber {
    let Some(plain) = originals() else { return MaybeNumber { has_value: false, number: 0 } };
    // SAFETY: as above.
    let column = unsafe { (plain.end_column_in)(this, context) };
    let original = || {
        let last = mapped(this, MaybeNumber { number: column.number - 1, ..column });
        MaybeNumber { number: last.number + 1, ..last }
    };
    guard::enter(guard::END_COLUMN_IN, Failing::TriesAgain, original, || column)
}

unsafe extern "C" fn source_line(this: This, context: Local) -> MaybeLocal {
    let Some(plain) = originals() else { return std::ptr::null_mut() };
    let original = || {
        let js = THREAD.get()?;
        let (name, line) = place_of_message(this)?;
        Some(js.string(&code::original_line(&name, u32::try_from(line).ok()?)?))
    };
    let line = guard::enter(guard::SOURCE_LINE, Failing::TriesAgain, original, || None);
    // SAFETY: as above.
    line.unwrap_or_else(|| unsafe { (plain.source_line)(this, context) })
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
    let (plain, context) = (originals()?, v8()?.context());
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
