//! The object that a program gives to `vm.createContext` is asked for every name of the context, also for those that are declared in it:
//! since V8 14 (Node 26), and a proxy sees it. While the recorder makes a context ready, that object is not asked.

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::sync::{Once, OnceLock};

use crate::detour::{Moved, NotMoved, as_function};
use crate::guard::{self, Failing};
use crate::js::Js;
use crate::v8::Local;

/// From now on the objects behind contexts are not asked in this thread, or are asked again.
pub fn close(js: Js, is_closed: bool) {
    if !is_needed(js) {
        return;
    }
    if let Ok(originals) = ORIGINALS.get_or_init(find) {
        // SAFETY: ours have the signatures of theirs. The first thread comes here while there are no others.
        LEAD.call_once(|| unsafe {
            let _all = originals.moved.iter().zip(LED).all(|(moved, (_, ours))| moved.lead_to(ours));
        });
    }
    IS_CLOSED.set(is_closed);
}

/// Whether this Node has all that is needed. To be asked once, before anything is changed.
pub fn try_out(js: Js) -> Result<(), NotMoved> {
    if !is_needed(js) {
        return Ok(());
    }
    ORIGINALS.get_or_init(find).as_ref().map(drop).map_err(Clone::clone)
}

const FIRST_NEEDED: u32 = 26;

fn is_needed(js: Js) -> bool {
    js.node_version().is_some_and(|(major, _)| major >= FIRST_NEEDED)
}

thread_local! {
    static IS_CLOSED: Cell<bool> = const { Cell::new(false) };
}

static ORIGINALS: OnceLock<Result<Originals, NotMoved>> = OnceLock::new();
static LEAD: Once = Once::new();

/// `v8::Intercepted`: whether the answer is the callback's, and not that of the global object itself.
type Intercepted = u8;
const NOT_INTERCEPTED: Intercepted = 1;
type Ask = unsafe extern "C" fn(name: Local, info: *const c_void) -> Intercepted;
type Put = unsafe extern "C" fn(name: Local, what: *const c_void, info: *const c_void) -> Intercepted;

struct Originals {
    query: Ask,
    get: Ask,
    descriptor: Ask,
    delete: Ask,
    set: Put,
    define: Put,
    moved: Vec<Moved>,
}

/// The functions that lead here, and what they lead to.
const LED: [(&CStr, *const c_void); 6] = [
    (c"_ZN4node10contextify17ContextifyContext21PropertyQueryCallbackEN2v85LocalINS2_4NameEEERKNS2_20PropertyCallbackInfoINS2_7IntegerEEE", query as *const c_void),
    (c"_ZN4node10contextify17ContextifyContext22PropertyGetterCallbackEN2v85LocalINS2_4NameEEERKNS2_20PropertyCallbackInfoINS2_5ValueEEE", get as *const c_void),
    (c"_ZN4node10contextify17ContextifyContext26PropertyDescriptorCallbackEN2v85LocalINS2_4NameEEERKNS2_20PropertyCallbackInfoINS2_5ValueEEE", descriptor as *const c_void),
    (c"_ZN4node10contextify17ContextifyContext23PropertyDeleterCallbackEN2v85LocalINS2_4NameEEERKNS2_20PropertyCallbackInfoINS2_7BooleanEEE", delete as *const c_void),
    (c"_ZN4node10contextify17ContextifyContext22PropertySetterCallbackEN2v85LocalINS2_4NameEEENS3_INS2_5ValueEEERKNS2_20PropertyCallbackInfoIvEE", set as *const c_void),
    (c"_ZN4node10contextify17ContextifyContext23PropertyDefinerCallbackEN2v85LocalINS2_4NameEEERKNS2_18PropertyDescriptorERKNS2_20PropertyCallbackInfoIvEE", define as *const c_void),
];

fn find() -> Result<Originals, NotMoved> {
    // SAFETY: the mangled names carry the signatures, and all of them return whether they answered.
    unsafe {
        let moved = LED.iter().map(|(name, _)| Moved::named(name)).collect::<Result<Vec<_>, _>>()?;
        Ok(Originals {
            query: as_function(moved[0].original),
            get: as_function(moved[1].original),
            descriptor: as_function(moved[2].original),
            delete: as_function(moved[3].original),
            set: as_function(moved[4].original),
            define: as_function(moved[5].original),
            moved,
        })
    }
}

/// `None` while nobody is asked.
fn asked(is_closed: bool) -> Option<&'static Originals> {
    // Nothing leads here before it is set.
    ORIGINALS.get().filter(|_| !is_closed)?.as_ref().ok()
}

macro_rules! ask {
    ($($function:ident),*) => {
        $(unsafe extern "C" fn $function(name: Local, info: *const c_void) -> Intercepted {
            let is_closed = guard::enter(guard::CONTEXT_PROPERTY, Failing::TriesAgain, || IS_CLOSED.get(), || false);
            // SAFETY: Node's own callback gets what V8 gave us.
            asked(is_closed).map_or(NOT_INTERCEPTED, |originals| unsafe { (originals.$function)(name, info) })
        })*
    };
}

macro_rules! put {
    ($($function:ident),*) => {
        $(unsafe extern "C" fn $function(name: Local, what: *const c_void, info: *const c_void) -> Intercepted {
            let is_closed = guard::enter(guard::CONTEXT_PROPERTY, Failing::TriesAgain, || IS_CLOSED.get(), || false);
            // SAFETY: as above. A handle and a reference are a pointer each.
            asked(is_closed).map_or(NOT_INTERCEPTED, |originals| unsafe { (originals.$function)(name, what, info) })
        })*
    };
}

ask!(query, get, descriptor, delete);
put!(set, define);
