//! The little of Node-API that the addon needs.

use std::ffi::c_void;
use std::ptr;

use napi_sys as sys;
use xxhash_rust::xxh3::xxh3_64;

use crate::guard::{self, Failing};

#[derive(Clone, Copy)]
pub struct Js(pub sys::napi_env);

/// What tells one text from another without reading all of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Beginning {
    /// Of the whole text, in UTF-16 units.
    length: usize,
    hash: u64,
}

impl Beginning {
    const LENGTH: usize = 256;

    /// Of the whole text, in UTF-16 units.
    pub fn length(&self) -> usize {
        self.length
    }

    pub fn of(text: &str) -> Beginning {
        let length = if text.is_ascii() { text.len() } else { text.encode_utf16().count() };
        Beginning::new(length, text.encode_utf16().take(Self::LENGTH))
    }

    fn new(length: usize, units: impl Iterator<Item = u16>) -> Beginning {
        let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
        Beginning { length, hash: xxh3_64(&bytes) }
    }
}

/// The arguments of one call. None of our functions takes more than five.
pub struct Args {
    js: Js,
    values: [sys::napi_value; MOST_ARGS],
    n: usize,
}

impl Js {
    pub fn set_function(self, object: sys::napi_value, name: &str, callback: sys::napi_callback) {
        let text = name.as_ptr().cast();
        let function = self.function(name, callback);
        // SAFETY: the environment and the object are valid during the call that handed them to us.
        unsafe {
            let mut key = ptr::null_mut();
            sys::napi_create_string_utf8(self.0, text, name.len() as isize, &mut key);
            sys::napi_set_property(self.0, object, key, function);
        }
    }

    pub fn function(self, name: &str, callback: sys::napi_callback) -> sys::napi_value {
        let mut function = ptr::null_mut();
        let (text, length) = (name.as_ptr().cast(), name.len() as isize);
        // SAFETY: as above.
        unsafe { sys::napi_create_function(self.0, text, length, callback, ptr::null_mut(), &mut function) };
        function
    }

    /// The major version, and all of it as `process.versions.node`.
    pub fn node_version(self) -> Option<(u32, String)> {
        let mut version = ptr::null();
        // SAFETY: as above; what is given stays as long as Node does.
        unsafe {
            if sys::napi_get_node_version(self.0, &mut version) != sys::Status::napi_ok || version.is_null() {
                return None;
            }
            let version = *version;
            Some((version.major, format!("{}.{}.{}", version.major, version.minor, version.patch)))
        }
    }

    pub fn undefined(self) -> sys::napi_value {
        let mut value = ptr::null_mut();
        // SAFETY: as above.
        unsafe { sys::napi_get_undefined(self.0, &mut value) };
        value
    }

    pub fn boolean(self, b: bool) -> sys::napi_value {
        let mut value = ptr::null_mut();
        // SAFETY: as above.
        unsafe { sys::napi_get_boolean(self.0, b, &mut value) };
        value
    }

    pub fn number(self, n: u32) -> sys::napi_value {
        let mut value = ptr::null_mut();
        // SAFETY: as above.
        unsafe { sys::napi_create_uint32(self.0, n, &mut value) };
        value
    }

    pub fn string(self, text: &str) -> sys::napi_value {
        let mut value = ptr::null_mut();
        // SAFETY: as above; the text is copied. An ASCII text is handed over as Latin-1, which V8 copies at memory speed.
        unsafe {
            if text.is_ascii() {
                sys::napi_create_string_latin1(self.0, text.as_ptr().cast(), text.len() as isize, &mut value);
            } else {
                sys::napi_create_string_utf8(self.0, text.as_ptr().cast(), text.len() as isize, &mut value);
            }
        }
        value
    }

    /// Elements are defined, not set: the program may have put setters for their numbers on a prototype.
    pub fn array(self, values: &[sys::napi_value]) -> sys::napi_value {
        let element = |(index, value): (usize, &sys::napi_value)| sys::napi_property_descriptor {
            utf8name: ptr::null(),
            name: self.string(&index.to_string()),
            method: None,
            getter: None,
            setter: None,
            value: *value,
            attributes: sys::PropertyAttributes::writable
                | sys::PropertyAttributes::enumerable
                | sys::PropertyAttributes::configurable,
            data: ptr::null_mut(),
        };
        let elements: Vec<_> = values.iter().enumerate().map(element).collect();
        let mut array = ptr::null_mut();
        // SAFETY: as above.
        unsafe {
            sys::napi_create_array_with_length(self.0, values.len(), &mut array);
            sys::napi_define_properties(self.0, array, elements.len(), elements.as_ptr());
        }
        array
    }

    /// Memory that stays mapped until the process ends, as an ArrayBuffer.
    pub fn external_memory(self, data: *mut c_void, bytes: usize) -> sys::napi_value {
        let mut buffer = ptr::null_mut();
        // SAFETY: the mapping is never undone.
        unsafe { sys::napi_create_external_arraybuffer(self.0, data, bytes, None, ptr::null_mut(), &mut buffer) };
        buffer
    }

    /// Calls `hook` when the environment of this thread is torn down; no JavaScript runs after it.
    pub fn on_exit(self, hook: fn()) {
        // SAFETY: the hook is a plain function, passed as the argument of `call_hook`.
        unsafe { sys::napi_add_env_cleanup_hook(self.0, Some(call_hook), hook as *mut c_void) };
    }

    /// To be followed by nothing but returning to JavaScript.
    pub fn throw(self, value: sys::napi_value) {
        // SAFETY: as above.
        unsafe { sys::napi_throw(self.0, value) };
    }

    pub fn reference(self, value: sys::napi_value) -> Option<sys::napi_ref> {
        let mut reference = ptr::null_mut();
        // SAFETY: as above.
        let status = unsafe { sys::napi_create_reference(self.0, value, 1, &mut reference) };
        (status == sys::Status::napi_ok).then_some(reference)
    }

    pub fn value_of(self, reference: sys::napi_ref) -> sys::napi_value {
        let mut value = ptr::null_mut();
        // SAFETY: as above.
        unsafe { sys::napi_get_reference_value(self.0, reference, &mut value) };
        value
    }

    pub fn is_function(self, value: sys::napi_value) -> bool {
        self.type_of(value) == sys::ValueType::napi_function
    }

    pub fn is_object(self, value: sys::napi_value) -> bool {
        self.type_of(value) == sys::ValueType::napi_object
    }

    fn type_of(self, value: sys::napi_value) -> sys::napi_valuetype {
        let mut kind = 0;
        // SAFETY: as above.
        unsafe { sys::napi_typeof(self.0, value, &mut kind) };
        kind
    }

    /// The `name` of a function; empty where it has none.
    pub fn name_of(self, function: sys::napi_value) -> String {
        let mut name = ptr::null_mut();
        // SAFETY: as above.
        unsafe { sys::napi_get_named_property(self.0, function, c"name".as_ptr(), &mut name) };
        self.text(name).unwrap_or_default()
    }

    /// The text of a string with lone surrogates replaced; `None` if the value is no string.
    pub fn text(self, value: sys::napi_value) -> Option<String> {
        let mut length = 0;
        // SAFETY: the buffer has room for the length that was asked for before, and a terminating zero.
        unsafe {
            let status = sys::napi_get_value_string_utf8(self.0, value, ptr::null_mut(), 0, &mut length);
            if status != sys::Status::napi_ok {
                return None;
            }
            let mut bytes = vec![0u8; length + 1];
            sys::napi_get_value_string_utf8(self.0, value, bytes.as_mut_ptr().cast(), bytes.len(), &mut length);
            bytes.truncate(length);
            String::from_utf8(bytes).ok()
        }
    }

    /// The text of a string; `None` if it has lone surrogates, or the value is no string.
    pub fn exact_text(self, value: sys::napi_value) -> Option<String> {
        let text = self.text(value)?;
        if !text.contains('\u{FFFD}') {
            return Some(text);
        }
        let units = self.units(value, usize::MAX)?.1;
        String::from_utf16(&units).ok()
    }

    /// How long a string is, and how it begins.
    pub fn beginning(self, value: sys::napi_value) -> Option<Beginning> {
        let (length, units) = self.units(value, Beginning::LENGTH)?;
        Some(Beginning::new(length, units.into_iter()))
    }

    /// The length of a string in UTF-16 units, and at most so many of them.
    fn units(self, value: sys::napi_value, most: usize) -> Option<(usize, Vec<u16>)> {
        let mut length = 0;
        // SAFETY: as above.
        unsafe {
            let status = sys::napi_get_value_string_utf16(self.0, value, ptr::null_mut(), 0, &mut length);
            if status != sys::Status::napi_ok {
                return None;
            }
            let mut copied = 0;
            let mut units = vec![0u16; length.min(most) + 1];
            sys::napi_get_value_string_utf16(self.0, value, units.as_mut_ptr(), units.len(), &mut copied);
            units.truncate(copied);
            Some((length, units))
        }
    }

    pub fn is_same(self, a: sys::napi_value, b: sys::napi_value) -> bool {
        let mut same = false;
        // SAFETY: as above.
        unsafe { sys::napi_strict_equals(self.0, a, b, &mut same) };
        same
    }

    /// The elements of an array; `None` if the value is none.
    pub fn elements(self, array: sys::napi_value) -> Option<Vec<sys::napi_value>> {
        let mut length = 0;
        // SAFETY: as above.
        unsafe {
            if sys::napi_get_array_length(self.0, array, &mut length) != sys::Status::napi_ok {
                return None;
            }
            let mut elements = vec![ptr::null_mut(); length as usize];
            for (index, element) in elements.iter_mut().enumerate() {
                sys::napi_get_element(self.0, array, index as u32, element);
            }
            Some(elements)
        }
    }

    /// Calls the function behind `reference`; `None` if that did not work, and then no exception is left pending.
    pub fn call(self, reference: sys::napi_ref, args: &[sys::napi_value]) -> Option<sys::napi_value> {
        let (mut function, mut result) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: as above.
        unsafe {
            sys::napi_get_reference_value(self.0, reference, &mut function);
            let status =
                sys::napi_call_function(self.0, self.undefined(), function, args.len(), args.as_ptr(), &mut result);
            if status != sys::Status::napi_ok {
                let mut exception = ptr::null_mut();
                sys::napi_get_and_clear_last_exception(self.0, &mut exception);
                return None;
            }
        }
        Some(result)
    }
}

impl Args {
    pub fn of(env: sys::napi_env, info: sys::napi_callback_info) -> (Js, Args) {
        let mut values = [ptr::null_mut(); MOST_ARGS];
        let mut n = values.len();
        // SAFETY: Node handed in `env` and `info` for the call that is running.
        unsafe {
            sys::napi_get_cb_info(env, info, &mut n, values.as_mut_ptr(), ptr::null_mut(), ptr::null_mut());
        }
        (Js(env), Args { js: Js(env), values, n: n.min(MOST_ARGS) })
    }

    pub fn value(&self, index: usize) -> Option<sys::napi_value> {
        (index < self.n).then(|| self.values[index])
    }

    /// 0 if the argument is no number.
    pub fn number(&self, index: usize) -> f64 {
        let mut number = 0.0;
        if let Some(value) = self.value(index) {
            // SAFETY: the handle is valid during the call.
            unsafe { sys::napi_get_value_double(self.js.0, value, &mut number) };
        }
        number
    }

    /// False if the argument is no Boolean.
    pub fn boolean(&self, index: usize) -> bool {
        let mut is = false;
        if let Some(value) = self.value(index) {
            // SAFETY: as above.
            unsafe { sys::napi_get_value_bool(self.js.0, value, &mut is) };
        }
        is
    }

    /// The string with lone surrogates replaced; `None` if the argument is no string.
    pub fn string(&self, index: usize) -> Option<String> {
        self.js.text(self.value(index)?)
    }

    /// The string, or `None` if it holds lone surrogates, which Rust's text cannot.
    pub fn exact_string(&self, index: usize) -> Option<String> {
        self.js.exact_text(self.value(index)?)
    }
}

const MOST_ARGS: usize = 5;

unsafe extern "C" fn call_hook(hook: *mut c_void) {
    // SAFETY: `on_exit` stored a `fn()`.
    let hook: fn() = unsafe { std::mem::transmute(hook) };
    guard::enter(guard::END_OF_ENVIRONMENT, Failing::TriesAgain, hook, || {});
}
