//! Functions of Node itself that lead to ours: a jump is written over their first instructions, and these are kept elsewhere, so
//! that the function can still be called. Only for x86-64, and only where the first instructions mean the same at another
//! place; where anything is otherwise, or the system forbids it, nothing is changed.

use std::ffi::{CStr, c_void};
use std::mem::transmute_copy;
use std::sync::Mutex;

use crate::v8::address_of;

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
        // SAFETY: the caller's.
        unsafe { Moved::of(function) }
            .map_err(|forbidden| forbidden.unwrap_or_else(|| NotMoved::BeginsOtherwise(shown())))
    }

    /// `Err(None)` if its first instructions cannot be moved.
    ///
    /// # Safety
    /// It must be a function.
    unsafe fn of(function: *const c_void) -> Result<Moved, Option<NotMoved>> {
        let function = function.cast::<u8>().cast_mut();
        // SAFETY: behind the code of a function there is more code.
        let code = unsafe { std::slice::from_raw_parts(function, LONGEST) };
        let length = movable(code).ok_or(None)?;
        let behind = function as usize + length;
        let original = make_code(&[&code[..length], &jump(behind)].concat()).ok_or(Some(NotMoved::Forbidden))?.cast();
        Ok(Moved { function, original })
    }

    /// Lets all calls of the function go to `ours`. False if the system forbids it.
    ///
    /// # Safety
    /// `ours` must have the signature of the function. No other thread may be inside the first instructions of it.
    pub unsafe fn lead_to(&self, ours: *const c_void) -> bool {
        // SAFETY: as the caller says.
        unsafe { overwrite(self.function, &jump(ours as usize)) }
    }
}

/// # Safety
/// `F` must be a function pointer with the signature of the function.
pub unsafe fn as_function<F: Copy>(address: *const c_void) -> F {
    // SAFETY: a pointer to a function is as large as any other.
    unsafe { transmute_copy(&address) }
}

/// `jmp [rip]`, and the address.
fn jump(to: usize) -> [u8; JUMP] {
    let mut code = [0xff, 0x25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    code[JUMP - 8..].copy_from_slice(&to.to_le_bytes());
    code
}

const JUMP: usize = 14;
/// The last instruction may begin at the last byte that is needed.
const LONGEST: usize = JUMP + 8;

/// The length of the first instructions that take the room of a jump, if all of them mean the same elsewhere.
fn movable(code: &[u8]) -> Option<usize> {
    let mut length = 0;
    while length < JUMP {
        length += instruction(code.get(length..)?)?;
    }
    Some(length)
}

/// The length of an instruction of the kinds with which functions begin: registers are kept and copied, room is made, the first
/// argument is read.
fn instruction(code: &[u8]) -> Option<usize> {
    const REGISTERS: u8 = 0b11;
    let is_between_registers = |modrm: u8| modrm >> 6 == REGISTERS;
    // Not relative to the instruction, and without a byte more.
    let is_plain_memory = |modrm: u8| modrm >> 6 == 0 && modrm & 7 != 4 && modrm & 7 != 5;
    match *code {
        [0xf3, 0x0f, 0x1e, 0xfa, ..] => Some(4),
        [0x50..=0x57, ..] => Some(1),
        [0x41, 0x50..=0x57, ..] => Some(2),
        [0x40..=0x4f, 0x89 | 0x8b, modrm, ..] if is_between_registers(modrm) || is_plain_memory(modrm) => Some(3),
        // A field of an object.
        [0x40..=0x4f, 0x8b, modrm, ..] if modrm >> 6 == 1 && modrm & 7 != 4 => Some(4),
        [0x89, modrm, ..] if is_between_registers(modrm) => Some(2),
        // An argument that is on the stack.
        [0x8b, 0x45, ..] => Some(3),
        [0x6a, _, ..] => Some(2),
        // The address of a local variable.
        [0x48 | 0x4c, 0x8d, modrm, ..] if modrm >> 6 == 2 && modrm & 7 == 5 => Some(7),
        // Constants.
        [0x40..=0x4f, 0x31, modrm, ..] if is_between_registers(modrm) => Some(3),
        [0x41, 0xb8..=0xbf, ..] => Some(6),
        [0xb8..=0xbf, ..] => Some(5),
        [0x48, 0x83, 0xec, _, ..] => Some(4),
        [0x48, 0x81, modrm, ..] if is_between_registers(modrm) => Some(7),
        _ => None,
    }
}

/// Code of our own, in memory that stays.
fn make_code(code: &[u8]) -> Option<*const u8> {
    static MADE: Mutex<Option<(usize, usize)>> = Mutex::new(None);
    const ALIGNMENT: usize = 16;
    let mut made = MADE.lock().ok()?;
    let (page, used) = match *made {
        Some(room) if room.1 + code.len() <= PAGE => room,
        _ => (new_page()?, 0),
    };
    let at = (page + used) as *mut u8;
    *made = Some((page, (used + code.len()).next_multiple_of(ALIGNMENT)));
    // SAFETY: the memory is ours, and nobody runs what lies behind the used part.
    unsafe { overwrite(at, code) }.then_some(at.cast_const())
}

fn new_page() -> Option<usize> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: new memory, at an address that the system chooses.
    let page = unsafe { libc::mmap(std::ptr::null_mut(), PAGE, libc::PROT_READ | libc::PROT_EXEC, flags, -1, 0) };
    (page != libc::MAP_FAILED).then_some(page as usize)
}

const PAGE: usize = 4096;

/// # Safety
/// The memory must hold code, at most that of one function that nobody runs just now.
unsafe fn overwrite(at: *mut u8, code: &[u8]) -> bool {
    let start = at as usize & !(PAGE - 1);
    let length = at as usize + code.len() - start;
    let executable = libc::PROT_READ | libc::PROT_EXEC;
    // SAFETY: whole pages of code; other functions in them can be run all the time.
    unsafe {
        if libc::mprotect(start as *mut c_void, length, executable | libc::PROT_WRITE) != 0 {
            return false;
        }
        std::ptr::copy_nonoverlapping(code.as_ptr(), at, code.len());
        libc::mprotect(start as *mut c_void, length, executable);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_instructions_are_moved() {
        let usual = [
            0x55, 0x48, 0x89, 0xe5, 0x41, 0x55, 0x41, 0x54, 0x49, 0x89, 0xfc, 0x53, 0x48, 0x83, 0xec, 0x48, 0x48, 0x8b,
            0x07, 0, 0, 0,
        ];
        assert_eq!(movable(&usual), Some(16));
    }

    #[test]
    fn what_depends_on_its_place_is_not_moved() {
        // call, mov rax,[rip+…], jmp
        for code in [[0xe8, 0, 0, 0, 0], [0x48, 0x8b, 0x05, 0, 0], [0xeb, 0x10, 0, 0, 0]] {
            assert_eq!(instruction(&code), None);
        }
    }

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
        let code = make_code(DOUBLE).unwrap();
        // SAFETY: the bytes are such a function, and nobody else knows it.
        let double: Function = unsafe { std::mem::transmute(code) };
        assert_eq!(double(4), 8);
        // SAFETY: as above.
        let moved = unsafe { Moved::of(code.cast()) }.unwrap();
        ORIGINAL.set(moved.original as usize).unwrap();
        assert_eq!(double(4), 8);
        // SAFETY: as above.
        assert!(unsafe { moved.lead_to(ours as *const c_void) });
        assert_eq!(double(4), 9);
    }
}
