//! Where the last uncaught exception was thrown. Node draws carets only up to column 1,020, which in instrumented text comes
//! early, and the stack tells only where the error was made.

use std::cell::Cell;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use crate::guard::{self, Failing};
use crate::js::Js;
use crate::v8::{Local, v8};

/// Listens to uncaught exceptions of the main thread, whose reports are put right.
pub fn install(js: Js) {
    let Some(v8) = v8() else { return };
    LISTENER.set(Some(js));
    js.on_exit(|| LISTENER.set(None));
    v8.replace_message_listener(heard);
}

/// The columns, counted from 0, in instrumented text; `None` if the last one was thrown elsewhere.
pub fn columns(filename: &str, line: u32) -> Option<Range<u32>> {
    let last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    last.as_ref().filter(|last| last.filename == filename && last.line == line).map(|last| last.columns.clone())
}

struct ThrowPosition {
    filename: String,
    line: u32,
    columns: Range<u32>,
}

static LAST: Mutex<Option<ThrowPosition>> = Mutex::new(None);

thread_local! {
    static LISTENER: Cell<Option<Js>> = const { Cell::new(None) };
}

unsafe extern "C" fn heard(message: Local, exception: Local) {
    let Some(v8) = v8() else { return };
    let keep = || {
        let Some(js) = LISTENER.get() else { return };
        // SAFETY: V8 handed us the message.
        let place = unsafe { v8.thrown(message) }.and_then(|thrown| {
            Some(ThrowPosition { filename: js.text(thrown.script)?, line: thrown.line, columns: thrown.columns })
        });
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = place;
    };
    guard::enter(guard::UNCAUGHT, Failing::TriesAgain, keep, || {});
    // SAFETY: both are what V8 gave us.
    unsafe { v8.node_message_listener(message, exception) }
}
