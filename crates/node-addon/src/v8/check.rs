//! Whether the functions that were found by name are what they were taken for. A name carries the types of the arguments, but
//! not what is returned, nor how large a `TryCatch` is: so each is called once, where the answer is known.

use std::cell::Cell;
use std::mem::MaybeUninit;
use std::ptr;

use napi_sys as sys;

use super::{TryCatch, V8};
use crate::guard::{self, Failing};
use crate::js::{Args, Js};

impl V8 {
    /// What it does not do as we know it. To be asked with JavaScript on the stack.
    pub(super) fn lacks(&self, js: Js) -> Vec<String> {
        if !self.has_context() {
            // Without one, nothing else can be tried.
            return vec!["it gives no context".to_owned()];
        }
        let tried = [
            (self.calls(js), "it calls functions in another way"),
            (self.constructs(js), "it constructs objects in another way"),
            (
                self.catches(js),
                "it catches exceptions in another way, or reports where they were thrown in another way",
            ),
        ];
        tried.into_iter().filter(|(works, _)| !works).map(|(_, lack)| lack.to_owned()).collect()
    }

    fn has_context(&self) -> bool {
        // SAFETY: called on a thread that runs JavaScript.
        let isolate = unsafe { (self.current_isolate)() };
        !isolate.is_null() && !self.context().is_null()
    }

    fn calls(&self, js: Js) -> bool {
        let token = js.string("token");
        let result = self.call(js.function("", Some(give_back)), js.undefined(), &[token]);
        !result.is_null() && js.is_same(result, token)
    }

    fn constructs(&self, js: Js) -> bool {
        let made = self.construct(js.function("", Some(give_back)), &[js.string("token")]);
        !made.is_null() && js.is_object(made)
    }

    fn catches(&self, js: Js) -> bool {
        let token = js.string("token");
        let mut memory = MaybeUninit::<Guarded>::uninit();
        let guarded = memory.as_mut_ptr();
        // SAFETY: the memory is large enough, stays where it is, and is given back in the order V8 wants; the exception ends
        // here.
        unsafe {
            ptr::write_bytes(guarded.cast::<u8>(), PATTERN, size_of::<Guarded>());
            let outer = &raw mut (*guarded).try_catch;
            (self.try_catch)(outer, (self.current_isolate)());
            let seen = Cell::new(false);
            let thrower = js.function("", Some(throw));
            let look = |exception| {
                seen.set(js.is_same(exception, token));
                None
            };
            let result = self.watch(|| self.call(thrower, js.undefined(), &[token]), look, |_| {});
            let has_caught = (self.has_caught)(outer);
            let is_known = has_caught && js.is_same((self.exception)(outer), token) && self.is_thrown_here(outer, js);
            (self.end_try_catch)(outer);
            result.is_null() && seen.get() && is_known && (*guarded).behind == [PATTERN; ROOM]
        }
    }

    /// # Safety
    /// The `TryCatch` must have caught something.
    unsafe fn is_thrown_here(&self, caught: *const TryCatch, js: Js) -> bool {
        // SAFETY: as the caller says.
        let message = unsafe { (self.message)(caught) };
        if message.is_null() {
            return false;
        }
        // SAFETY: the message is one of V8's.
        let Some(thrown) = (unsafe { self.thrown(message) }) else { return false };
        let script = js.text(thrown.script).unwrap_or_default();
        // The one starts the recorder under a parent, the other in production.
        let is_ours = script.ends_with("preload.cjs") || script.ends_with("recording.cjs");
        is_ours && thrown.line > 0 && !thrown.columns.is_empty()
    }
}

#[repr(C)]
struct Guarded {
    try_catch: TryCatch,
    behind: [u8; ROOM],
}

const PATTERN: u8 = 0xA5;
const ROOM: usize = 128;

unsafe extern "C" fn give_back(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    let given = || args.value(0).unwrap_or_else(|| js.undefined());
    guard::enter(guard::CHECK_CALL, Failing::GivesUp, given, ptr::null_mut)
}

unsafe extern "C" fn throw(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (js, args) = Args::of(env, info);
    let throw = || js.throw(args.value(0).unwrap_or_else(|| js.undefined()));
    guard::enter(guard::CHECK_THROW, Failing::GivesUp, throw, || {});
    ptr::null_mut()
}
