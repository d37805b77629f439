//! The few functions of V8 itself that Node-API does not offer, found by name in the running Node.
//!
//! `v8::Local` and `v8::MaybeLocal` are one pointer each, as `napi_value` is, so both interfaces can be mixed.

mod check;

use std::ffi::{CStr, c_void};
use std::mem::{MaybeUninit, transmute_copy};
use std::ops::Range;
use std::sync::OnceLock;

use napi_sys::napi_value;

use crate::js::Js;

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
    /// Nothing that the program could notice depends on it.
    preview_entries: Option<unsafe extern "C" fn(*const c_void, *mut bool) -> MaybeLocal>,
}

/// `v8::Maybe<int>`.
#[repr(C)]
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

/// Looks for all of it. False on a Node that does not export it, or where it does not do what we know it to do.
pub fn find(js: Js) -> bool {
    FOUND.get_or_init(|| find_symbols().filter(|v8| v8.works(js))).is_some()
}

/// `None` unless [`find`] found it.
pub fn v8() -> Option<&'static V8> {
    FOUND.get()?.as_ref()
}

static FOUND: OnceLock<Option<V8>> = OnceLock::new();

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
        unsafe { (self.node_message_listener)(message, exception) }
    }

    /// # Safety
    /// The message must be one that V8 handed to a listener.
    pub unsafe fn thrown(&self, message: Local) -> Option<Thrown> {
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

    pub fn context(&self) -> Local {
        // SAFETY: called on a thread that runs JavaScript.
        unsafe { (self.current_context)((self.current_isolate)()) }
    }
}

/// What Node listens to: `kMessageError | kMessageWarning`.
const ERRORS_AND_WARNINGS: i32 = 8 | 16;

fn find_symbols() -> Option<V8> {
    // SAFETY: the mangled names carry the signatures.
    unsafe {
        Some(V8 {
            current_isolate: symbol(c"_ZN2v87Isolate10GetCurrentEv")?,
            current_context: symbol(c"_ZN2v87Isolate17GetCurrentContextEv")?,
            set_stack_limit: symbol(c"_ZN2v87Isolate13SetStackLimitEm")?,
            set_prepare_stack_trace: symbol(c"_ZN2v87Isolate28SetPrepareStackTraceCallbackEPFNS_10MaybeLocalINS_5ValueEEENS_5LocalINS_7ContextEEENS4_IS2_EENS4_INS_5ArrayEEEE")?,
            node_prepare_stack_trace: symbol(c"_ZN4node25PrepareStackTraceCallbackEN2v85LocalINS0_7ContextEEENS1_INS0_5ValueEEENS1_INS0_5ArrayEEE")?,
            call: symbol(c"_ZN2v88Function4CallENS_5LocalINS_7ContextEEENS1_INS_5ValueEEEiPS5_")?,
            new_instance: symbol(c"_ZNK2v88Function11NewInstanceENS_5LocalINS_7ContextEEEiPNS1_INS_5ValueEEE")?,
            try_catch: symbol(c"_ZN2v88TryCatchC1EPNS_7IsolateE")?,
            end_try_catch: symbol(c"_ZN2v88TryCatchD1Ev")?,
            has_caught: symbol(c"_ZNK2v88TryCatch9HasCaughtEv")?,
            exception: symbol(c"_ZNK2v88TryCatch9ExceptionEv")?,
            rethrow: symbol(c"_ZN2v88TryCatch7ReThrowEv")?,
            message: symbol(c"_ZNK2v88TryCatch7MessageEv")?,
            node_message_listener: symbol(c"_ZN4node6errors25PerIsolateMessageListenerEN2v85LocalINS1_7MessageEEENS2_INS1_5ValueEEE")?,
            remove_message_listeners: symbol(c"_ZN2v87Isolate22RemoveMessageListenersEPFvNS_5LocalINS_7MessageEEENS1_INS_5ValueEEEE")?,
            add_message_listener: symbol(c"_ZN2v87Isolate32AddMessageListenerWithErrorLevelEPFvNS_5LocalINS_7MessageEEENS1_INS_5ValueEEEEiS5_")?,
            script_name: symbol(c"_ZNK2v87Message21GetScriptResourceNameEv")?,
            line_number: symbol(c"_ZNK2v87Message13GetLineNumberENS_5LocalINS_7ContextEEE")?,
            start_column: symbol(c"_ZNK2v87Message14GetStartColumnEv")?,
            end_column: symbol(c"_ZNK2v87Message12GetEndColumnEv")?,
            preview_entries: symbol(c"_ZN2v86Object14PreviewEntriesEPb"),
        })
    }
}

/// # Safety
/// `F` must be a function pointer with the signature of the function of that name.
unsafe fn symbol<F: Copy>(name: &CStr) -> Option<F> {
    // SAFETY: a pointer to a function is as large as any other.
    address_of(name).map(|address| unsafe { transmute_copy(&address) })
}

pub fn address_of(name: &CStr) -> Option<*const c_void> {
    // SAFETY: the name ends with a zero.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!address.is_null()).then_some(address.cast_const())
}
