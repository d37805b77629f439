//! Functions that stand in for others and leave no frame on the stack.
//!
//! A wrapper in JavaScript would be one of the ten frames that a stack trace shows, and would be the place that V8 names as
//! the origin of evaluated code. A native one is neither: it changes the arguments, and calls on without being seen.

use std::cell::Cell;
use std::ptr;

use napi_sys as sys;

use crate::guard::{self, Failing};
use crate::js::Js;
use crate::v8::{V8, v8};

/// A function that calls `before` with its own receiver and arguments, then `original` with the arguments in the array that
/// `before` returned (its own ones if that is no array), then `after` with the result. `failed` is shown an exception of the
/// original, and may return another in its place. Constructs as it calls; `reflect_construct` is used where `new.target` is another function.
pub fn wrap(js: Js, hooks: Hooks<sys::napi_value>) -> Option<sys::napi_value> {
    v8()?;
    let reference = |value: sys::napi_value| js.is_function(value).then(|| js.reference(value)).flatten();
    let stand_in = Box::new(StandIn {
        hooks: Hooks {
            original: reference(hooks.original)?,
            before: reference(hooks.before),
            after: reference(hooks.after),
            failed: reference(hooks.failed),
            reflect_construct: reference(hooks.reflect_construct)?,
        },
        own: Cell::new(None),
    });
    // The wrapper may live as long as the program.
    let stand_in: &'static StandIn = Box::leak(stand_in);
    let mut function = ptr::null_mut();
    let data = ptr::from_ref(stand_in).cast_mut().cast();
    // V8 names objects in stack traces after this name of their constructor.
    let name = js.name_of(hooks.original);
    // SAFETY: what `data` points to is never freed.
    unsafe {
        let length = name.len() as isize;
        sys::napi_create_function(js.0, name.as_ptr().cast(), length, Some(called), data, &mut function)
    };
    stand_in.own.set(js.reference(function));
    Some(function)
}

pub struct Hooks<Always, Perhaps = Always> {
    pub original: Always,
    pub before: Perhaps,
    pub after: Perhaps,
    pub failed: Perhaps,
    pub reflect_construct: Always,
}

struct StandIn {
    hooks: Hooks<sys::napi_ref, Option<sys::napi_ref>>,
    /// The wrapper itself, which is `new.target` where the program constructs with it.
    own: Cell<Option<sys::napi_ref>>,
}

/// Most calls have fewer arguments.
const FEW: usize = 8;

unsafe extern "C" fn called(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let js = Js(env);
    let (mut this, mut data, mut n) = (ptr::null_mut(), ptr::null_mut(), FEW);
    let mut args = vec![ptr::null_mut(); FEW];
    let mut new_target = ptr::null_mut();
    // SAFETY: Node hands in what belongs to the call; `data` is what `wrap` stored.
    let stand_in: &StandIn = unsafe {
        sys::napi_get_cb_info(env, info, &mut n, args.as_mut_ptr(), &mut this, &mut data);
        if n > FEW {
            args.resize(n, ptr::null_mut());
            sys::napi_get_cb_info(env, info, &mut n, args.as_mut_ptr(), &mut this, &mut data);
        }
        sys::napi_get_new_target(env, info, &mut new_target);
        &*data.cast()
    };
    args.truncate(n);
    let Some(v8) = v8() else { return ptr::null_mut() };
    let call = Call { js, v8, this, new_target, args: &args, progress: Cell::new(Progress::Before) };
    let instead = || match call.progress.get() {
        // What came before the original failed, so it is called as if we were not there.
        Progress::Before => stand_in.call_on(js, v8, this, new_target, &args),
        Progress::During => ptr::null_mut(),
        Progress::Behind(result) => result,
    };
    guard::enter(guard::STAND_IN, Failing::GivesUp, || stand_in.called(&call), instead)
}

/// One call of a stand-in.
struct Call<'a> {
    js: Js,
    v8: &'a V8,
    this: sys::napi_value,
    new_target: sys::napi_value,
    args: &'a [sys::napi_value],
    progress: Cell<Progress>,
}

/// How far a call has come: the original must be called once, whatever becomes of us.
#[derive(Clone, Copy)]
enum Progress {
    Before,
    During,
    Behind(sys::napi_value),
}

impl StandIn {
    fn called(&self, call: &Call<'_>) -> sys::napi_value {
        let Call { js, v8, this, new_target, .. } = *call;
        let hooks = &self.hooks;
        let mut args = call.args.to_vec();
        if let Some(before) = hooks.before {
            // An exception here is one of the program: a conversion of its arguments threw.
            let changed = v8.call(js.value_of(before), this, &args);
            if changed.is_null() {
                call.progress.set(Progress::During);
                return ptr::null_mut();
            }
            if let Some(changed) = js.elements(changed) {
                args = changed;
            }
        }
        call.progress.set(Progress::During);
        let run = || self.call_on(js, v8, this, new_target, &args);
        let result = match hooks.failed {
            Some(failed) => {
                let look = |exception| js.call(failed, &[exception]).filter(|other| js.is_object(*other));
                v8.watch(run, look, |other| js.throw(other))
            }
            None => run(),
        };
        call.progress.set(Progress::Behind(result));
        if let Some(after) = hooks.after
            && !result.is_null()
        {
            js.call(after, &[result]);
        }
        result
    }

    fn call_on(
        &self,
        js: Js,
        v8: &V8,
        this: sys::napi_value,
        new_target: sys::napi_value,
        args: &[sys::napi_value],
    ) -> sys::napi_value {
        let original = js.value_of(self.hooks.original);
        if new_target.is_null() {
            return v8.call(original, this, args);
        }
        if self.own.get().is_some_and(|own| js.is_same(js.value_of(own), new_target)) {
            return v8.construct(original, args);
        }
        // A class of the program extends the original.
        let construct = js.value_of(self.hooks.reflect_construct);
        v8.call(construct, js.undefined(), &[original, js.array(args), new_target])
    }
}
