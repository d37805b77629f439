//! The few functions of V8 itself that Node-API does not offer, found by name in the running Node.
//!
//! `v8::Local` and `v8::MaybeLocal` are one pointer each, as `napi_value` is, so both interfaces can be mixed.

mod check;

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::mem::{MaybeUninit, transmute_copy};
use std::ops::Range;
use std::sync::OnceLock;

use instrument::Rules;
use napi_sys::napi_value;

use crate::js::Js;
use crate::{compiling, contexts, coverage, positions};

pub type Local = napi_value;
/// Null if an exception is on its way.
pub type MaybeLocal = napi_value;
pub type PrepareStackTrace = unsafe extern "C" fn(context: Local, error: Local, sites: Local) -> MaybeLocal;
pub type MessageListener = unsafe extern "C" fn(message: Local, exception: Local);
type Isolate = *mut c_void;

pub struct V8 {
    current_isolate: unsafe extern "C" fn() -> Isolate,
    current_context: unsafe extern "C" fn(Isolate) -> Local,
    set_stack_limit: unsafe extern "C" fn(Isolate, usize),
    set_prepare_stack_trace: unsafe extern "C" fn(Isolate, PrepareStackTrace),
    node_prepare_stack_trace: PrepareStackTrace,
    call: unsafe extern "C" fn(Local, Local, Local, i32, *const Local) -> MaybeLocal,
    new_instance: unsafe extern "C" fn(Local, Local, i32, *const Local) -> MaybeLocal,
    try_catch: unsafe extern "C" fn(*mut TryCatch, Isolate),
    end_try_catch: unsafe extern "C" fn(*mut TryCatch),
    has_caught: unsafe extern "C" fn(*const TryCatch) -> bool,
    exception: unsafe extern "C" fn(*const TryCatch) -> Local,
    rethrow: unsafe extern "C" fn(*mut TryCatch) -> Local,
    message: unsafe extern "C" fn(*const TryCatch) -> Local,
    node_message_listener: MessageListener,
    remove_message_listeners: unsafe extern "C" fn(Isolate, MessageListener),
    add_message_listener: unsafe extern "C" fn(Isolate, MessageListener, i32, Local) -> bool,
    script_name: unsafe extern "C" fn(*const c_void) -> Local,
    line_number: unsafe extern "C" fn(*const c_void, Local) -> MaybeNumber,
    start_column: unsafe extern "C" fn(*const c_void) -> i32,
    end_column: unsafe extern "C" fn(*const c_void) -> i32,
    /// Who is calling; without them nobody is known to.
    stack: Option<StackFunctions>,
    /// Nothing that the program could notice depends on it.
    preview_entries: Option<unsafe extern "C" fn(*const c_void, *mut bool) -> MaybeLocal>,
}

#[derive(Clone, Copy)]
struct StackFunctions {
    current: unsafe extern "C" fn(Isolate, i32, i32) -> Local,
    count: unsafe extern "C" fn(*const c_void) -> i32,
    frame: unsafe extern "C" fn(*const c_void, Isolate, u32) -> Local,
    script: unsafe extern "C" fn(*const c_void) -> Local,
}

/// `v8::Maybe<int>`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MaybeNumber {
    pub has_value: bool,
    pub number: i32,
}

/// Where an exception was thrown: a line counted from 1, columns from 0.
pub struct Thrown {
    pub script: Local,
    pub line: u32,
    pub columns: Range<u32>,
}

/// More than a `v8::TryCatch` takes (seven words).
#[repr(C, align(16))]
struct TryCatch([usize; 16]);

/// Looks for all of it, and for the functions of Node that are to lead to ours. Gives what this Node lacks, or does otherwise than we
/// know it to.
pub fn find(js: Js) -> &'static [String] {
    let found = FOUND.get_or_init(|| {
        let v8 = find_symbols().and_then(|v8| match v8.lacks(js) {
            lacks if lacks.is_empty() => Ok(v8),
            lacks => Err(lacks),
        });
        let tried = [positions::try_out(), compiling::try_out(), coverage::try_out(), contexts::try_out(js)];
        let unmoved = tried.into_iter().filter_map(|tried| tried.err()?.lack());
        match v8 {
            Ok(v8) => match unmoved.collect::<Vec<_>>() {
                lacks if lacks.is_empty() => Ok(v8),
                lacks => Err(lacks),
            },
            Err(lacks) => Err(lacks.into_iter().chain(unmoved).collect()),
        }
    });
    found.as_ref().err().map_or(&[], Vec::as_slice)
}

/// `None` unless [`find`] found it.
pub fn v8() -> Option<&'static V8> {
    FOUND.get()?.as_ref().ok()
}

static FOUND: OnceLock<Result<V8, Vec<String>>> = OnceLock::new();

impl V8 {
    pub fn set_prepare_stack_trace(&self, callback: PrepareStackTrace) {
        // SAFETY: called on a thread that runs JavaScript.
        unsafe { (self.set_prepare_stack_trace)((self.current_isolate)(), callback) }
    }

    /// Lets JavaScript use so many bytes of stack from here on, if the main thread has as many.
    pub fn give_stack(&self, bytes: usize) {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        let here = &raw const limit as usize;
        // SAFETY: plain calls. Native code below JavaScript needs room as well, hence the megabyte.
        unsafe {
            if libc::getrlimit(libc::RLIMIT_STACK, &mut limit) == 0 && limit.rlim_cur as usize >= bytes + (1 << 20) {
                (self.set_stack_limit)((self.current_isolate)(), here - bytes);
            }
        }
    }

    /// # Safety
    /// The arguments must be those that V8 handed to the callback, or of the same kind.
    pub unsafe fn node_prepare_stack_trace(&self, context: Local, error: Local, sites: Local) -> MaybeLocal {
        // SAFETY: the caller's.
        unsafe { (self.node_prepare_stack_trace)(context, error, sites) }
    }

    /// Calls a function. An exception goes on its way as if nobody had been in between.
    pub fn call(&self, function: Local, this: Local, args: &[Local]) -> MaybeLocal {
        // SAFETY: called on a thread that runs JavaScript, with handles of the call that is running.
        unsafe { (self.call)(function, self.context(), this, args.len() as i32, args.as_ptr()) }
    }

    pub fn construct(&self, function: Local, args: &[Local]) -> MaybeLocal {
        // SAFETY: as above.
        unsafe { (self.new_instance)(function, self.context(), args.len() as i32, args.as_ptr()) }
    }

    /// Shows an exception of `run` to `look`, and then lets it go on with the place it came from. If `look` gives another one,
    /// that is thrown by `throw` instead.
    pub fn watch(
        &self,
        run: impl FnOnce() -> MaybeLocal,
        look: impl FnOnce(Local) -> Option<Local>,
        throw: impl FnOnce(Local),
    ) -> MaybeLocal {
        let mut memory = MaybeUninit::<TryCatch>::uninit();
        let try_catch = memory.as_mut_ptr();
        // SAFETY: the memory is large enough, stays where it is, and is given back in the order V8 wants.
        unsafe {
            (self.try_catch)(try_catch, (self.current_isolate)());
            let mut result = run();
            let mut other = None;
            if (self.has_caught)(try_catch) {
                // A native function may have thrown and given something.
                result = std::ptr::null_mut();
                other = look((self.exception)(try_catch));
                if other.is_none() {
                    (self.rethrow)(try_catch);
                }
            }
            (self.end_try_catch)(try_catch);
            if let Some(other) = other {
                throw(other);
            }
            result
        }
    }

    /// From now on `listener` hears of uncaught exceptions in this thread, in the place of Node.
    pub fn replace_message_listener(&self, listener: MessageListener) {
        // SAFETY: called on a thread that runs JavaScript. Without data of its own a listener is given the exception.
        unsafe {
            let isolate = (self.current_isolate)();
            (self.remove_message_listeners)(isolate, self.node_message_listener);
            (self.add_message_listener)(isolate, listener, ERRORS_AND_WARNINGS, std::ptr::null_mut());
        }
    }

    /// # Safety
    /// The arguments must be those that V8 handed to a listener.
    pub unsafe fn node_message_listener(&self, message: Local, exception: Local) {
        // SAFETY: the caller's.
        unsafe { (self.node_message_listener)(message, exception) }
    }

    /// # Safety
    /// The message must be one that V8 handed to a listener.
    pub unsafe fn thrown(&self, message: Local) -> Option<Thrown> {
        // SAFETY: the caller's.
        let (line, script, start, end) = unsafe {
            // A method is handed what the handle stands for, which is the handle itself.
            let this = message.cast::<c_void>().cast_const();
            let line = (self.line_number)(this, self.context());
            let line = line.has_value.then_some(line.number)?;
            (line, (self.script_name)(this), (self.start_column)(this), (self.end_column)(this))
        };
        let number = |n: i32| u32::try_from(n).ok();
        Some(Thrown { script, line: number(line)?, columns: number(start)?..number(end)? })
    }

    /// What a collection holds, also one that shows it to nobody: an array of keys and values in turn, or of elements. Runs nothing of
    /// the program. `None` for other objects.
    pub fn preview_entries(&self, collection: Local) -> Option<Local> {
        let mut has_keys = false;
        // SAFETY: called on a thread that runs JavaScript, with an object of the call that is running.
        let entries = unsafe { self.preview_entries?(collection.cast::<c_void>().cast_const(), &mut has_keys) };
        (!entries.is_null()).then_some(entries)
    }

    /// The scripts of the functions that are running, innermost first; no JavaScript can see that they were asked for.
    pub fn callers(&self, js: Js, most: i32) -> Vec<String> {
        let Some(stack) = self.stack else { return Vec::new() };
        // SAFETY: called on a thread that runs JavaScript; a method is handed what the handle stands for, which is the handle itself.
        unsafe {
            let isolate = (self.current_isolate)();
            let trace = (stack.current)(isolate, most, SCRIPT_NAMES);
            if trace.is_null() {
                return Vec::new();
            }
            let count = (stack.count)(trace.cast::<c_void>().cast_const());
            let name = |index: i32| {
                let frame = (stack.frame)(trace.cast::<c_void>().cast_const(), isolate, index as u32);
                if frame.is_null() {
                    return None;
                }
                let name = (stack.script)(frame.cast::<c_void>().cast_const());
                if name.is_null() { None } else { js.text(name) }
            };
            (0..count).filter_map(name).collect()
        }
    }

    pub fn context(&self) -> Local {
        // SAFETY: called on a thread that runs JavaScript.
        unsafe { (self.current_context)((self.current_isolate)()) }
    }
}

/// `kScriptName` of `v8::StackTrace::StackTraceOptions`.
const SCRIPT_NAMES: i32 = 1 << 2;

/// What Node listens to: `kMessageError | kMessageWarning`.
const ERRORS_AND_WARNINGS: i32 = 8 | 16;

fn find_symbols() -> Result<V8, Vec<String>> {
    let lacks = RefCell::new(Vec::new());
    // All that is missing is told, not only the first.
    let missing = |name: &CStr| lacks.borrow_mut().push(format!("it has no {}", name.to_string_lossy()));
    // SAFETY: the mangled names carry the signatures.
    let found = unsafe {
        let current_isolate = needed(c"_ZN2v87Isolate10GetCurrentEv", &missing);
        let current_context = needed(c"_ZN2v87Isolate17GetCurrentContextEv", &missing);
        let set_stack_limit = needed(c"_ZN2v87Isolate13SetStackLimitEm", &missing);
        let set_prepare_stack_trace = needed(c"_ZN2v87Isolate28SetPrepareStackTraceCallbackEPFNS_10MaybeLocalINS_5ValueEEENS_5LocalINS_7ContextEEENS4_IS2_EENS4_INS_5ArrayEEEE", &missing);
        let node_prepare_stack_trace = needed(
            c"_ZN4node25PrepareStackTraceCallbackEN2v85LocalINS0_7ContextEEENS1_INS0_5ValueEEENS1_INS0_5ArrayEEE",
            &missing,
        );
        let call = needed(c"_ZN2v88Function4CallENS_5LocalINS_7ContextEEENS1_INS_5ValueEEEiPS5_", &missing);
        let new_instance =
            needed(c"_ZNK2v88Function11NewInstanceENS_5LocalINS_7ContextEEEiPNS1_INS_5ValueEEE", &missing);
        let try_catch = needed(c"_ZN2v88TryCatchC1EPNS_7IsolateE", &missing);
        let end_try_catch = needed(c"_ZN2v88TryCatchD1Ev", &missing);
        let has_caught = needed(c"_ZNK2v88TryCatch9HasCaughtEv", &missing);
        let exception = needed(c"_ZNK2v88TryCatch9ExceptionEv", &missing);
        let rethrow = needed(c"_ZN2v88TryCatch7ReThrowEv", &missing);
        let message = needed(c"_ZNK2v88TryCatch7MessageEv", &missing);
        let node_message_listener = needed(
            c"_ZN4node6errors25PerIsolateMessageListenerEN2v85LocalINS1_7MessageEEENS2_INS1_5ValueEEE",
            &missing,
        );
        let remove_message_listeners =
            needed(c"_ZN2v87Isolate22RemoveMessageListenersEPFvNS_5LocalINS_7MessageEEENS1_INS_5ValueEEEE", &missing);
        let add_message_listener = needed(
            c"_ZN2v87Isolate32AddMessageListenerWithErrorLevelEPFvNS_5LocalINS_7MessageEEENS1_INS_5ValueEEEEiS5_",
            &missing,
        );
        let script_name = needed(c"_ZNK2v87Message21GetScriptResourceNameEv", &missing);
        let line_number = needed(c"_ZNK2v87Message13GetLineNumberENS_5LocalINS_7ContextEEE", &missing);
        let start_column = needed(c"_ZNK2v87Message14GetStartColumnEv", &missing);
        let end_column = needed(c"_ZNK2v87Message12GetEndColumnEv", &missing);
        (|| {
            Some(V8 {
                current_isolate: current_isolate?,
                current_context: current_context?,
                set_stack_limit: set_stack_limit?,
                set_prepare_stack_trace: set_prepare_stack_trace?,
                node_prepare_stack_trace: node_prepare_stack_trace?,
                call: call?,
                new_instance: new_instance?,
                try_catch: try_catch?,
                end_try_catch: end_try_catch?,
                has_caught: has_caught?,
                exception: exception?,
                rethrow: rethrow?,
                message: message?,
                node_message_listener: node_message_listener?,
                remove_message_listeners: remove_message_listeners?,
                add_message_listener: add_message_listener?,
                script_name: script_name?,
                line_number: line_number?,
                start_column: start_column?,
                end_column: end_column?,
                stack: stack_functions(),
                preview_entries: symbol(c"_ZN2v86Object14PreviewEntriesEPb"),
            })
        })()
    };
    found.ok_or(lacks.into_inner())
}

fn stack_functions() -> Option<StackFunctions> {
    // SAFETY: the mangled names carry the signatures.
    unsafe {
        Some(StackFunctions {
            current: symbol(c"_ZN2v810StackTrace17CurrentStackTraceEPNS_7IsolateEiNS0_17StackTraceOptionsE")?,
            count: symbol(c"_ZNK2v810StackTrace13GetFrameCountEv")?,
            frame: symbol(c"_ZNK2v810StackTrace8GetFrameEPNS_7IsolateEj")?,
            script: symbol(c"_ZNK2v810StackFrame13GetScriptNameEv")?,
        })
    }
}

/// # Safety
/// As for [`symbol`].
unsafe fn needed<F: Copy>(name: &CStr, missing: &impl Fn(&CStr)) -> Option<F> {
    // SAFETY: the caller's.
    let found = unsafe { symbol(name) };
    if found.is_none() {
        missing(name);
    }
    found
}

/// # Safety
/// `F` must be a function pointer with the signature of the function of that name.
unsafe fn symbol<F: Copy>(name: &CStr) -> Option<F> {
    // SAFETY: a pointer to a function is as large as any other.
    address_of(name).map(|address| unsafe { transmute_copy(&address) })
}

/// What V8 infers depends on its version; of one that does not say it, what the newest does.
pub fn rules_of_names() -> Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    *RULES.get_or_init(|| {
        // SAFETY: the mangled name carries the signature, but for what is returned: a text that ends with a zero and stays.
        let version = unsafe {
            let version: Option<unsafe extern "C" fn() -> *const c_char> = symbol(c"_ZN2v82V810GetVersionEv");
            version.map(|version| CStr::from_ptr(version()).to_string_lossy())
        };
        let major = version.and_then(|version| version.split('.').next()?.parse().ok());
        Rules::of(major.unwrap_or(u32::MAX))
    })
}

pub fn address_of(name: &CStr) -> Option<*const c_void> {
    // SAFETY: the name ends with a zero.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!address.is_null()).then_some(address.cast_const())
}
