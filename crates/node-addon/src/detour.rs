//! Functions of Node itself that lead to ours: a jump is written over their first instructions, and these are encoded again elsewhere, so
//! that the function can still be called. Only for x86-64. Where a function cannot be led elsewhere, or the system forbids it, nothing is
//! changed.

mod beginning;
mod memory;

use std::ffi::{CStr, c_void};
use std::mem::{MaybeUninit, transmute_copy};

use crate::v8::address_of;
use beginning::{Beginning, far_jump, near_jump};

/// A function whose first instructions lie elsewhere too, with a jump to what follows them.
#[derive(Debug)]
pub struct Moved {
    function: *mut u8,
    /// Calls the function as it is.
    pub original: *const c_void,
}

// SAFETY: both are addresses of code, which stays where it is for all threads.
unsafe impl Send for Moved {}
// SAFETY: as above.
unsafe impl Sync for Moved {}

/// Why a function cannot be led elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotMoved {
    /// This Node has no function of that name.
    Missing(String),
    /// It begins with instructions that cannot be moved.
    BeginsOtherwise(String),
    /// The system allows no code to be made. Nothing is known about the function.
    Forbidden,
}

impl NotMoved {
    /// What this Node lacks; nothing where it is not the Node.
    pub fn lack(&self) -> Option<String> {
        match self {
            NotMoved::Missing(name) => Some(format!("it has no {name}")),
            NotMoved::BeginsOtherwise(name) => Some(format!("{name} begins otherwise")),
            NotMoved::Forbidden => None,
        }
    }
}

impl Moved {
    /// # Safety
    /// It must be the name of a function.
    pub unsafe fn named(name: &CStr) -> Result<Moved, NotMoved> {
        let shown = || name.to_string_lossy().into_owned();
        let function = address_of(name).ok_or_else(|| NotMoved::Missing(shown()))?;
        let moved = code_of(function).ok_or(None).and_then(Moved::of);
        moved.map_err(|forbidden| forbidden.unwrap_or_else(|| NotMoved::BeginsOtherwise(shown())))
    }

    /// The code must be that of a function. `Err(None)` if its first instructions cannot be moved.
    fn of(function: &'static [u8]) -> Result<Moved, Option<NotMoved>> {
        if !cfg!(target_arch = "x86_64") {
            return Err(None);
        }
        let address = function.as_ptr() as usize;
        let beginning = Beginning::of(function, address as u64).ok_or(None)?;
        let encoded = |place| beginning.at(place);
        let made = memory::make_code(address, LONGEST, encoded).ok_or(Some(NotMoved::Forbidden))?;
        Ok(Moved { function: function.as_ptr().cast_mut(), original: made.ok_or(None)?.cast() })
    }

    /// Lets all calls of the function go to `ours`. False if the system forbids it.
    ///
    /// # Safety
    /// `ours` must have the signature of the function. No other thread may be inside the first instructions of it.
    pub unsafe fn lead_to(&self, ours: *const c_void) -> bool {
        let address = self.function as usize;
        let far = far_jump(ours as u64);
        let Some(Some(between)) = memory::make_code(address, far.len(), |_| Some(far.to_vec())) else { return false };
        let Some(jump) = near_jump(address as u64, between as u64) else { return false };
        // SAFETY: as the caller says.
        unsafe { memory::overwrite(self.function, &jump) }
    }
}

/// More than the first instructions take anywhere, with the jump behind them.
const LONGEST: usize = 64;

/// All instructions of a function that has a name.
fn code_of(function: *const c_void) -> Option<&'static [u8]> {
    let mut about = MaybeUninit::<libc::Dl_info>::uninit();
    let mut symbol = std::ptr::null_mut();
    // SAFETY: the memory is that of the two answers. Symbols of a program stay as long as it does, and so does its code; it is only read
    // before anything is written there.
    unsafe {
        if libc::dladdr1(function, about.as_mut_ptr(), &mut symbol, WANTS_SYMBOL) == 0 || symbol.is_null() {
            return None;
        }
        let size = (*symbol.cast::<libc::Elf64_Sym>()).st_size;
        Some(std::slice::from_raw_parts(function.cast(), size as usize))
    }
}

/// `RTLD_DL_SYMENT`
const WANTS_SYMBOL: libc::c_int = 1;

/// # Safety
/// `F` must be a function pointer with the signature of the function.
pub unsafe fn as_function<F: Copy>(address: *const c_void) -> F {
    // SAFETY: a pointer to a function is as large as any other.
    unsafe { transmute_copy(&address) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_called_through_ours() {
        // push rbp; mov rbp,rsp; push r13; push r12; push rbx; pop rbx …: the argument, doubled.
        const DOUBLE: &[u8] = &[
            0x55, 0x48, 0x89, 0xe5, 0x41, 0x55, 0x41, 0x54, 0x53, 0x49, 0x89, 0xfc, 0x48, 0x89, 0xf8, 0x48, 0x01, 0xf8,
            0x5b, 0x41, 0x5c, 0x41, 0x5d, 0x5d, 0xc3,
        ];
        static ORIGINAL: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
        type Function = extern "C" fn(u64) -> u64;
        extern "C" fn ours(n: u64) -> u64 {
            // SAFETY: it is the function above.
            let original: Function = unsafe { std::mem::transmute(*ORIGINAL.get().unwrap()) };
            original(n) + 1
        }
        let here = far_jump as *const () as usize;
        let code = memory::make_code(here, DOUBLE.len(), |_| Some(DOUBLE.to_vec())).unwrap().unwrap();
        // SAFETY: the bytes are such a function, and nobody else knows it.
        let double: Function = unsafe { std::mem::transmute(code) };
        assert_eq!(double(4), 8);
        // SAFETY: as above.
        let moved = Moved::of(unsafe { std::slice::from_raw_parts(code, DOUBLE.len()) }).unwrap();
        ORIGINAL.set(moved.original as usize).unwrap();
        assert_eq!(double(4), 8);
        // SAFETY: as above.
        assert!(unsafe { moved.lead_to(ours as *const c_void) });
        assert_eq!(double(4), 9);
    }

    #[test]
    fn the_code_of_a_function_ends_with_it() {
        let code = code_of(address_of(c"getpid").unwrap()).unwrap();
        assert!((1..200).contains(&code.len()));
    }
}
