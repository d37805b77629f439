//! Stack traces without the frames of our own runtime, and with original columns: V8 hands the call sites of every new
//! stack trace to a callback of Node; we put ourselves in front of it.

use std::cell::Cell;

use napi_sys as sys;

use crate::guard::{self, Failing};
use crate::js::Js;
use crate::v8::{Local, MaybeLocal, v8};

/// Lets every array of call sites of this thread pass through `filter`, which is also given the error. False if this Node does not offer it.
pub fn install(js: Js, filter: sys::napi_value) -> bool {
    let (Some(v8), Some(filter)) = (v8(), js.reference(filter)) else { return false };
    FILTER.set(Some((js, filter)));
    // No JavaScript can be called once the environment is torn down.
    js.on_exit(|| FILTER.set(None));
    v8.set_prepare_stack_trace(prepare);
    true
}

thread_local! {
    static FILTER: Cell<Option<(Js, sys::napi_ref)>> = const { Cell::new(None) };
}

unsafe extern "C" fn prepare(context: Local, error: Local, sites: Local) -> MaybeLocal {
    let filter = || FILTER.get().and_then(|(js, filter)| js.call(filter, &[sites, error]));
    let filtered = guard::enter(guard::STACK_TRACE, Failing::TriesAgain, filter, || None);
    // It was installed by what was found; without that V8 takes an empty handle for an exception.
    let Some(v8) = v8() else { return std::ptr::null_mut() };
    // SAFETY: Node's own callback gets what V8 gave us, with another array of the same kind.
    unsafe { v8.node_prepare_stack_trace(context, error, filtered.unwrap_or(sites)) }
}
