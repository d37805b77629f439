//! Memory without an allocator: pages of the system, filled from the front.

use core::ffi::{CStr, c_char};
use core::ptr;

/// The strings of a block that ends with a null, like `environ`.
///
/// # Safety
/// `block` is null or such a block, and both it and its strings live as long as the result is used.
pub unsafe fn strings<'a>(block: *const *const c_char) -> impl Iterator<Item = &'a CStr> + Clone {
    let mut next = block;
    core::iter::from_fn(move || {
        // SAFETY: before its end, as nothing behind the null is read.
        let string = if next.is_null() { ptr::null() } else { unsafe { *next } };
        if string.is_null() {
            return None;
        }
        // SAFETY: the null comes later.
        next = unsafe { next.add(1) };
        // SAFETY: as the caller says.
        Some(unsafe { CStr::from_ptr(string) })
    })
}

/// Room for so many pointers and so many bytes of text. What does not fit is left out.
pub struct Room {
    pointers: *mut *const c_char,
    last_pointer: *mut *const c_char,
    text: *mut u8,
    end: *mut u8,
}

impl Room {
    /// # Safety
    /// Both point to that much memory, which is used for nothing else as long as what is put there is used. There is at least one pointer.
    pub unsafe fn new(pointers: *mut *const c_char, n_pointers: usize, text: *mut u8, n_bytes: usize) -> Room {
        // SAFETY: as the caller says.
        let (last_pointer, end) = unsafe { (pointers.add(n_pointers - 1), text.add(n_bytes)) };
        Room { pointers, last_pointer, text, end }
    }

    /// The next pointer of the block.
    pub fn push(&mut self, string: *const c_char) {
        if self.pointers < self.last_pointer {
            // SAFETY: there is room for this one and the null.
            unsafe {
                *self.pointers = string;
                self.pointers = self.pointers.add(1);
            }
        }
    }

    pub fn end_block(&mut self) {
        // SAFETY: `push` leaves room for it.
        unsafe { *self.pointers = ptr::null() }
    }

    /// The parts, one behind the other, with a zero behind the last.
    pub fn text<'a>(&mut self, parts: &[&[u8]]) -> &'a CStr {
        let start = self.text;
        if start == self.end {
            return c"";
        }
        for part in parts {
            self.part(part);
        }
        // SAFETY: parts leave room for the zero.
        unsafe {
            *self.text = 0;
            self.text = self.text.add(1);
            CStr::from_ptr(start.cast())
        }
    }

    /// A part of a text; gives where it begins.
    pub fn part(&mut self, bytes: &[u8]) -> *const u8 {
        let start = self.text;
        if (self.end as usize).wrapping_sub(start as usize) > bytes.len() {
            // SAFETY: there is room for it, and for a zero.
            unsafe {
                ptr::copy_nonoverlapping(bytes.as_ptr(), start, bytes.len());
                self.text = start.add(bytes.len());
            }
        }
        start
    }
}

/// Pages of the system; null if it has none.
pub fn map(n_bytes: usize) -> *mut u8 {
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: memory that nobody else has.
    let found = unsafe { libc::mmap(ptr::null_mut(), n_bytes, access, kind, -1, 0) };
    if found == libc::MAP_FAILED { ptr::null_mut() } else { found.cast() }
}

/// # Safety
/// From `map`, and nobody uses it any more.
pub unsafe fn unmap(memory: *mut u8, n_bytes: usize) {
    // SAFETY: as the caller says.
    unsafe { libc::munmap(memory.cast(), n_bytes) };
}
