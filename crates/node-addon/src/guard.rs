//! The one way into the addon. Whatever calls us (Node for a function that we export, V8 for a callback or through a function that
//! leads here, the system at the end of the process) comes through [`enter`]: a panic of ours never reaches the program.
//!
//! After a panic the program goes on unrecorded: no event of any thread reaches the run any more (as if the process had been killed at
//! that moment), no further code is instrumented, and a note of the run says what failed. What hides us stays in place, since
//! code that was instrumented before still runs.

use std::cell::Cell;
use std::collections::HashSet;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, OnceLock, PoisonError};

use crate::{ring, settings};

/// A way in, by the name that a note gives it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Entry(pub &'static str);

macro_rules! entries {
    ($($(#[$doc:meta])* $constant:ident = $name:literal;)*) => {
        $($(#[$doc])* pub const $constant: Entry = Entry($name);)*
        /// All ways in but the functions that are exported, which [`crate::EXPORTS`] lists.
        pub const OTHERS: &[Entry] = &[$($constant),*];
    };
}

entries! {
    REGISTER = "register";
    /// A function that stands in for another.
    STAND_IN = "stand-in";
    STACK_TRACE = "stack trace";
    UNCAUGHT = "uncaught exception";
    FRAME_LOCATION = "location of a frame";
    FRAME_FUNCTION = "function of a frame";
    START_COLUMN = "start column";
    START_COLUMN_IN = "start column in a context";
    END_COLUMN = "end column";
    END_COLUMN_IN = "end column in a context";
    SOURCE_LINE = "source line";
    COMPILE_SCRIPT = "compiling a script";
    COMPILE_UNBOUND = "compiling an unbound script";
    COMPILE_MODULE = "compiling a module";
    COMPILE_FUNCTION = "compiling a function";
    CONTEXT_PROPERTY = "property of a context";
    COVERAGE_TEXT = "coverage as a text";
    COVERAGE_PARTS = "coverage in parts";
    END_OF_ENVIRONMENT = "end of an environment";
    END_OF_PROCESS = "end of the process";
    STDERR_AT_EXIT = "stderr at exit";
    /// What Node prints, put right.
    STDERR_TEXT = "text of stderr";
    CHECK_CALL = "check of a call";
    CHECK_THROW = "check of an exception";
}

/// What to do where it failed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Failing {
    /// It may have had effects already.
    GivesUp,
    /// It has none, or may be done twice: it is tried once more, as a wrong answer could be seen by the program.
    TriesAgain,
}

/// Runs `run`; gives `instead` if that panics.
pub fn enter<T>(entry: Entry, failing: Failing, run: impl Fn() -> T, instead: impl FnOnce() -> T) -> T {
    if let Some(result) = attempt(entry, || {
        fail_if_wanted(entry);
        run()
    }) {
        return result;
    }
    let again = if failing == Failing::TriesAgain { attempt(entry, run) } else { None };
    again.unwrap_or_else(instead)
}

/// Whether something of ours has failed in this process.
pub fn has_failed() -> bool {
    HAS_FAILED.load(Ordering::Acquire)
}

/// Panics print nothing: stderr is the program's. This hook is ours alone, as the addon has its own copy of the standard library.
pub fn be_quiet() {
    HOOK.call_once(|| panic::set_hook(Box::new(keep_message)));
}

/// Lets the entry of this name panic when it is come to first; of [`TELL_ALL`], lets the run tell which are come to. Only the settings of a
/// run can wish that, for tests.
pub fn wish_panic(name: Option<&str>) {
    WISH.get_or_init(|| name.map(str::to_owned));
}

/// No entry has this name.
const TELL_ALL: &str = "?";

static HAS_FAILED: AtomicBool = AtomicBool::new(false);
static HOOK: Once = Once::new();
static WISH: OnceLock<Option<String>> = OnceLock::new();
static IS_WISH_DONE: AtomicBool = AtomicBool::new(false);
/// Each is told once.
static TOLD: OnceLock<Mutex<HashSet<Entry>>> = OnceLock::new();

thread_local! {
    static MESSAGE: Cell<Option<String>> = const { Cell::new(None) };
}

fn attempt<T>(entry: Entry, run: impl FnOnce() -> T) -> Option<T> {
    // Nothing that a panic may have left half done is used as if it were whole: recording ends, and locks ignore poison.
    match panic::catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => Some(result),
        Err(payload) => {
            // Dropping it could run any code.
            std::mem::forget(payload);
            // Telling is of no use if it panics as well.
            let told = panic::catch_unwind(AssertUnwindSafe(|| give_up(entry)));
            std::mem::forget(told);
            None
        }
    }
}

fn give_up(entry: Entry) {
    HAS_FAILED.store(true, Ordering::Release);
    ring::freeze();
    if is_news(entry) {
        let message = MESSAGE.try_with(Cell::take).ok().flatten().unwrap_or_default();
        let (pid, Entry(name)) = (std::process::id(), entry);
        settings::note(&format!(
            "process {pid} is not recorded from here on: the recorder failed ({name}: {message}); please report this"
        ));
    }
}

fn is_news(entry: Entry) -> bool {
    TOLD.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner).insert(entry)
}

fn keep_message(info: &PanicHookInfo<'_>) {
    let text = info.payload_as_str().unwrap_or("panic");
    let message = match info.location() {
        Some(place) => format!("{text}, {}:{}", place.file(), place.line()),
        None => text.to_owned(),
    };
    let _ = MESSAGE.try_with(|slot| slot.set(Some(message)));
}

fn fail_if_wanted(entry: Entry) {
    match WISH.get() {
        Some(Some(name)) if name == entry.0 && !IS_WISH_DONE.swap(true, Ordering::AcqRel) => {
            panic!("as the settings of the run wish");
        }
        Some(Some(name)) if name == TELL_ALL && is_news(entry) => settings::note(&format!("entry {}", entry.0)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn a_panic_gives_what_is_given_instead() {
        assert_eq!(enter(STACK_TRACE, Failing::GivesUp, || 1, || 2), 1);
        assert_eq!(enter(STACK_TRACE, Failing::GivesUp, || -> i32 { panic!("of the test") }, || 2), 2);
        let n_calls = Cell::new(0);
        let second = || {
            n_calls.set(n_calls.get() + 1);
            assert!(n_calls.get() > 1, "of the test");
            3
        };
        assert_eq!(enter(STACK_TRACE, Failing::TriesAgain, second, || 2), 3);
        assert!(has_failed());
    }

    /// A function that others call and that does not come through `enter` would end the program with the first panic.
    #[test]
    fn every_function_that_others_call_is_guarded() {
        let mut unguarded = Vec::new();
        for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            for (at, _) in code.match_indices("extern \"C\" fn ") {
                let is_definition = code[at..].find('{').is_some_and(|open| !code[at..at + open].contains([';', '=']))
                    && !code[..at].trim_end().ends_with(['=', ':', '<']);
                let body = code[at..].split("\n}\n").next().unwrap();
                if is_definition && !body.contains("guard::") && !body.contains("enter(") {
                    unguarded.push(format!("{}: {}", path.display(), body.lines().next().unwrap()));
                }
            }
        }
        assert!(unguarded.is_empty(), "{unguarded:#?}");
    }

    fn sources(folder: &Path) -> Vec<std::path::PathBuf> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
    }
}
