//! Memory for code of our own, near the code that leads to it.

use std::ffi::c_void;
use std::sync::Mutex;

/// The next free place for so much code, within the reach of a near jump from `function`. What is made of its address is written there.
/// `None` if the system forbids it. `Some(None)` if nothing can be made.
pub fn make_code(function: usize, longest: usize, make: impl Fn(u64) -> Option<Vec<u8>>) -> Option<Option<*const u8>> {
    /// One page for each image whose functions are led elsewhere: the program itself, or a library that holds most of it.
    static PAGES: Mutex<Vec<Page>> = Mutex::new(Vec::new());
    const ALIGNMENT: usize = 16;
    let mut pages = PAGES.lock().ok()?;
    let is_usable = |page: &Page| page.start.abs_diff(function) < REACH && page.used + longest <= PAGE;
    let index = match pages.iter().position(is_usable) {
        Some(index) => index,
        None => {
            pages.push(Page { start: new_page(function)?, used: 0 });
            pages.len() - 1
        }
    };
    let page = &mut pages[index];
    let at = page.start + page.used;
    let Some(code) = make(at as u64).filter(|code| code.len() <= longest) else { return Some(None) };
    page.used = (page.used + code.len()).next_multiple_of(ALIGNMENT);
    // SAFETY: the memory is ours, and nobody runs what lies behind the used part.
    unsafe { overwrite(at as *mut u8, &code) }.then_some(Some(at as *const u8))
}

struct Page {
    start: usize,
    used: usize,
}

const PAGE: usize = 4096;
/// What a near jump reaches, less room for what a function refers to on its other side.
const REACH: usize = 0x7000_0000;
const STEP: usize = 0x0200_0000;

/// As far away as can be reached: next to a program lies its heap, which grows.
fn new_page(function: usize) -> Option<usize> {
    let distances = (1..REACH / STEP).rev().map(|n| n * STEP);
    let mut places = distances.flat_map(|distance| [function.checked_add(distance), function.checked_sub(distance)]);
    places.by_ref().flatten().find_map(|place| page_at(place & !(PAGE - 1)))
}

fn page_at(place: usize) -> Option<usize> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
    let access = libc::PROT_READ | libc::PROT_EXEC;
    // SAFETY: new memory, where there is none yet. A system that does not know the flag takes the place as a wish.
    unsafe {
        let page = libc::mmap(place as *mut c_void, PAGE, access, flags, -1, 0);
        if page == libc::MAP_FAILED {
            return None;
        }
        if page as usize != place {
            libc::munmap(page, PAGE);
            return None;
        }
    }
    Some(place)
}

/// # Safety
/// The memory must hold code, at most that of one function that nobody runs just now.
pub unsafe fn overwrite(at: *mut u8, code: &[u8]) -> bool {
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
    fn code_lies_within_reach() {
        for function in [new_page as *const () as usize, libc::mmap as *const () as usize] {
            let at = make_code(function, 1, |_| Some(vec![0xc3])).unwrap().unwrap();
            assert!((at as usize).abs_diff(function) < REACH);
        }
    }
}
