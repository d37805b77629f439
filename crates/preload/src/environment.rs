//! The environment of a program, with what leads to the run and without it.

use core::ffi::{CStr, c_char};
use core::mem::MaybeUninit;

use crate::memory::{Room, map, strings, unmap};

pub const LD_PRELOAD: &[u8] = b"LD_PRELOAD=";
pub const NODE_OPTIONS: &[u8] = b"NODE_OPTIONS=";
pub const RUN: &[u8] = b"WHEREFORE_RUN=";

/// What leads a process to the run.
#[derive(Clone, Copy)]
pub struct Ours {
    /// The path of this library.
    pub library: &'static CStr,
    /// As a line of an environment.
    pub run: &'static CStr,
    /// The preload file of the run.
    pub preload: &'static CStr,
    /// The option of Node that names it.
    pub option: &'static CStr,
}

/// A variable that holds several things, of which one is ours.
#[derive(Clone, Copy)]
pub struct Shared<'a> {
    /// With the equals sign.
    pub name: &'static [u8],
    pub separator: u8,
    pub own: &'a [u8],
}

impl Ours {
    pub fn shared(&self) -> [Shared<'_>; 2] {
        [
            Shared { name: LD_PRELOAD, separator: b':', own: self.library.to_bytes() },
            Shared { name: NODE_OPTIONS, separator: b' ', own: self.option.to_bytes() },
        ]
    }

    /// Calls with an environment that leads to the run. A program that belongs to another run gets what it is given, and so does every program once the run
    /// or this library is gone: Node does not start without a file that it is to load first, and the linker would complain.
    ///
    /// # Safety
    /// `block` is null or an environment.
    pub unsafe fn with<R>(&self, block: *const *const c_char, call: impl FnOnce(*const *const c_char) -> R) -> R {
        // SAFETY: as the caller says.
        let all = unsafe { strings(block) };
        let is_of_others = |line: &CStr| line.to_bytes().starts_with(RUN) && line != self.run;
        if all.clone().any(is_of_others) || !exists(self.preload) || !exists(self.library) {
            return call(block);
        }
        let shared = self.shared();
        let changed = all.clone().filter(|line| shared.iter().any(|it| line.to_bytes().starts_with(it.name)));
        let own = shared.iter().map(|it| it.name.len() + it.own.len() + 1);
        let n_bytes = changed.map(|line| line.to_bytes_with_nul().len() + 1).sum::<usize>() + own.sum::<usize>();
        // Ours, and the null.
        let n_pointers = all.clone().count() + 4;
        let mut pointers = [const { MaybeUninit::<*const c_char>::uninit() }; USUAL_POINTERS];
        let mut text = [const { MaybeUninit::<u8>::uninit() }; USUAL_BYTES];
        if n_pointers <= USUAL_POINTERS && n_bytes <= USUAL_BYTES {
            let start: *mut *const c_char = pointers.as_mut_ptr().cast();
            // SAFETY: they live until the call is over.
            let mut room = unsafe { Room::new(start, USUAL_POINTERS, text.as_mut_ptr().cast(), USUAL_BYTES) };
            self.put_into(&mut room, all);
            return call(start);
        }
        let bytes_of_pointers = n_pointers * size_of::<*const c_char>();
        let memory = map(bytes_of_pointers + n_bytes);
        if memory.is_null() {
            return call(block);
        }
        let start: *mut *const c_char = memory.cast();
        // SAFETY: pages begin at multiples of everything, and these live until the call is over.
        let mut room = unsafe { Room::new(start, n_pointers, memory.add(bytes_of_pointers), n_bytes) };
        self.put_into(&mut room, all);
        let result = call(start);
        // SAFETY: the call is over.
        unsafe { unmap(memory, bytes_of_pointers + n_bytes) };
        result
    }

    fn put_into<'a>(&self, room: &mut Room, all: impl Iterator<Item = &'a CStr>) {
        let shared = self.shared();
        let mut is_there = [false; 2];
        let mut has_run = false;
        for line in all {
            let bytes = line.to_bytes();
            has_run |= bytes.starts_with(RUN);
            let mut line = line;
            for (it, is_there) in shared.iter().zip(&mut is_there) {
                // A program finds the first of a name.
                if bytes.starts_with(it.name) && !*is_there {
                    *is_there = true;
                    if !it.is_in(bytes) {
                        line = room.text(&[bytes, &[it.separator], it.own]);
                    }
                }
            }
            room.push(line.as_ptr());
        }
        for (it, is_there) in shared.iter().zip(is_there) {
            if !is_there {
                let line = room.text(&[it.name, it.own]);
                room.push(line.as_ptr());
            }
        }
        if !has_run {
            room.push(self.run.as_ptr());
        }
        room.end_block();
    }
}

/// Enough for most, and little enough for the stack of a signal handler.
const USUAL_POINTERS: usize = 256;
const USUAL_BYTES: usize = 2048;

impl Shared<'_> {
    fn is_in(&self, line: &[u8]) -> bool {
        self.place_in(line).is_some()
    }

    /// What stays of the line without ours, in two parts; `None` if nothing else was in the variable.
    pub fn without<'l>(&self, line: &'l [u8]) -> Option<[&'l [u8]; 2]> {
        match self.place_in(line) {
            // Nothing, and not even a separator.
            Some((start, end)) if line.len() == self.name.len() + self.own.len() && start < end => None,
            Some((start, end)) => Some([line.get(..start).unwrap_or_default(), line.get(end..).unwrap_or_default()]),
            None => Some([line, b""]),
        }
    }

    /// Where ours is, with the separator before it.
    fn place_in(&self, line: &[u8]) -> Option<(usize, usize)> {
        let first = self.name.len();
        let is_at = |start: usize| {
            let rest = line.get(start..).and_then(|rest| rest.strip_prefix(self.own));
            rest.is_some_and(|rest| rest.first().is_none_or(|next| *next == self.separator))
        };
        if is_at(first) {
            return Some((first, first + self.own.len()));
        }
        let mut places = (first..line.len()).filter(|at| line.get(*at) == Some(&self.separator) && is_at(at + 1));
        places.next().map(|at| (at, at + 1 + self.own.len()))
    }
}

fn exists(path: &CStr) -> bool {
    // SAFETY: it is a string. The program must not find another error number.
    unsafe {
        let number = libc::__errno_location();
        let before = *number;
        let is_there = libc::access(path.as_ptr(), libc::F_OK) == 0;
        *number = before;
        is_there
    }
}

#[cfg(test)]
mod tests {
    use core::ptr;

    use super::*;

    const OURS: Ours =
        Ours { library: c"/", run: c"WHEREFORE_RUN=/run", preload: c"/", option: c"--require=/run/preload.cjs" };

    fn with(lines: &[&str]) -> Vec<String> {
        let lines: Vec<_> = lines.iter().map(|line| std::ffi::CString::new(*line).expect("no zero")).collect();
        let block: Vec<_> = lines.iter().map(|line| line.as_ptr()).chain([ptr::null()]).collect();
        // SAFETY: the block lives until the calls are over.
        let text = |block| unsafe { strings(block) }.map(|line| line.to_string_lossy().into_owned()).collect();
        // SAFETY: the same.
        unsafe { OURS.with(block.as_ptr(), text) }
    }

    #[test]
    fn an_empty_environment_leads_to_the_run() {
        let expected = ["LD_PRELOAD=/", "NODE_OPTIONS=--require=/run/preload.cjs", "WHEREFORE_RUN=/run"];
        assert_eq!(with(&[]), expected);
        assert_eq!(with(&expected), expected);
    }

    #[test]
    fn what_is_there_stays_in_its_place() {
        let given = ["LD_PRELOAD=/lib/other.so", "A=1", "NODE_OPTIONS=", "NODE_OPTIONS=second"];
        let expected = [
            "LD_PRELOAD=/lib/other.so:/",
            "A=1",
            "NODE_OPTIONS= --require=/run/preload.cjs",
            "NODE_OPTIONS=second",
            "WHEREFORE_RUN=/run",
        ];
        assert_eq!(with(&given), expected);
    }

    #[test]
    fn a_large_environment_is_as_good() {
        let long = format!("NODE_OPTIONS=--title={}", "x".repeat(20_000));
        let given: Vec<String> = (0..2000).map(|i| format!("N{i}=1")).chain([long.clone()]).collect();
        let made = with(&given.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(made[..2000], given[..2000]);
        assert_eq!(made[2000], format!("{long} --require=/run/preload.cjs"));
        assert_eq!(made[2001..], ["LD_PRELOAD=/", "WHEREFORE_RUN=/run"]);
    }

    #[test]
    fn a_program_of_another_run_is_left_to_it() {
        assert_eq!(with(&["WHEREFORE_RUN=/other", "A=1"]), ["WHEREFORE_RUN=/other", "A=1"]);
    }

    #[test]
    fn ours_is_taken_out_again() {
        let options = Shared { name: NODE_OPTIONS, separator: b' ', own: b"--require=/p" };
        let without = |line: &str| {
            let parts = options.without(line.as_bytes())?;
            Some(String::from_utf8(parts.concat()).expect("UTF-8"))
        };
        assert_eq!(without("NODE_OPTIONS=--require=/p"), None);
        for (line, expected) in [
            ("NODE_OPTIONS= --require=/p", "NODE_OPTIONS="),
            ("NODE_OPTIONS=--a --require=/p", "NODE_OPTIONS=--a"),
            ("NODE_OPTIONS=--require=/p --a", "NODE_OPTIONS= --a"),
            ("NODE_OPTIONS=--a --require=/p --b", "NODE_OPTIONS=--a --b"),
            ("NODE_OPTIONS=--require=/pq", "NODE_OPTIONS=--require=/pq"),
            ("NODE_OPTIONS=", "NODE_OPTIONS="),
        ] {
            assert_eq!(without(line).as_deref(), Some(expected));
        }
    }
}
