//! The functions of the C library that start programs. Ours come before them in the order of the linker, and call them with an environment
//! that leads to the run.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::mem;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::start::{environment, ours, with_environment};

type Block = *const *const c_char;

/// What the C library has under a name.
struct Real {
    name: &'static CStr,
    found: AtomicPtr<c_void>,
}

impl Real {
    const fn new(name: &'static CStr) -> Real {
        Real { name, found: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Null if it has none.
    fn get(&self) -> *mut c_void {
        let found = self.found.load(Ordering::Relaxed);
        if found.is_null() { self.find() } else { found }
    }

    fn find(&self) -> *mut c_void {
        // SAFETY: a name, and the libraries behind ours.
        let found = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) };
        self.found.store(found, Ordering::Relaxed);
        found
    }
}

macro_rules! real {
    ($($constant:ident: $name:literal,)*) => {
        $(static $constant: Real = Real::new($name);)*
        const ALL: &[&Real] = &[$(&$constant),*];
    };
}

real! {
    EXECVE: c"execve",
    EXECVPE: c"execvpe",
    EXECVEAT: c"execveat",
    FEXECVE: c"fexecve",
    POSIX_SPAWN: c"posix_spawn",
    POSIX_SPAWNP: c"posix_spawnp",
    POPEN: c"popen",
}

/// Looks for all of them now: the linker may take locks, which must not happen behind a `fork`.
pub fn find_all() {
    for real in ALL {
        real.find();
    }
}

/// Whether this process runs Node, in its program or in a library of it: nothing else has its `node::Start(int, char**)`.
pub fn is_node() -> bool {
    // SAFETY: a name.
    !unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"_ZN4node5StartEiPPc".as_ptr()) }.is_null()
}

/// Calls what the C library has, as a function of this type; -1 and ENOSYS where it has none.
macro_rules! call {
    ($real:ident as fn($($type:ty),*) -> $result:ty, $($argument:expr),*) => {{
        let found = $real.get();
        if found.is_null() {
            return not_there();
        }
        // That is its type in the C library.
        let real: unsafe extern "C" fn($($type),*) -> $result = mem::transmute(found);
        real($($argument),*)
    }};
}

fn not_there() -> c_int {
    // SAFETY: it always points to the number of this thread.
    unsafe { *libc::__errno_location() = libc::ENOSYS };
    -1
}

/// # Safety
/// The block is null or an environment.
unsafe fn with_ours<R>(block: Block, call: impl FnOnce(Block) -> R) -> R {
    match ours() {
        // SAFETY: as the caller says.
        Some(ours) => unsafe { ours.with(block, call) },
        None => call(block),
    }
}

/// Functions that whoever links finds in the place of those of the C library.
macro_rules! interposed {
    ($(fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block)*) => {
        $(
            /// # Safety
            /// As that of the C library.
            #[cfg_attr(not(test), unsafe(no_mangle))]
            pub unsafe extern "C" fn $name($($argument: $type),*) -> $result $body
        )*
    };
}

interposed! {
    fn execve(path: *const c_char, arguments: Block, block: Block) -> c_int {
        // SAFETY: as the caller says.
        unsafe { with_ours(block, |block| call!(EXECVE as fn(*const c_char, Block, Block) -> c_int, path, arguments, block)) }
    }

    fn execv(path: *const c_char, arguments: Block) -> c_int {
        // SAFETY: as the caller says.
        unsafe { execve(path, arguments, environment()) }
    }

    fn execvpe(file: *const c_char, arguments: Block, block: Block) -> c_int {
        // SAFETY: as the caller says.
        unsafe { with_ours(block, |block| call!(EXECVPE as fn(*const c_char, Block, Block) -> c_int, file, arguments, block)) }
    }

    fn execvp(file: *const c_char, arguments: Block) -> c_int {
        // SAFETY: as the caller says.
        unsafe { execvpe(file, arguments, environment()) }
    }

    fn fexecve(file: c_int, arguments: Block, block: Block) -> c_int {
        // SAFETY: as the caller says.
        unsafe { with_ours(block, |block| call!(FEXECVE as fn(c_int, Block, Block) -> c_int, file, arguments, block)) }
    }

    fn execveat(folder: c_int, path: *const c_char, arguments: Block, block: Block, flags: c_int) -> c_int {
        // SAFETY: as the caller says.
        unsafe {
            with_ours(block, |block| {
                call!(EXECVEAT as fn(c_int, *const c_char, Block, Block, c_int) -> c_int, folder, path, arguments, block, flags)
            })
        }
    }

    fn posix_spawn(pid: *mut c_int, path: *const c_char, actions: *const c_void, how: *const c_void, arguments: Block, block: Block) -> c_int {
        // SAFETY: as the caller says.
        unsafe {
            with_ours(block, |block| {
                call!(POSIX_SPAWN as fn(*mut c_int, *const c_char, *const c_void, *const c_void, Block, Block) -> c_int,
                    pid, path, actions, how, arguments, block)
            })
        }
    }

    fn posix_spawnp(pid: *mut c_int, file: *const c_char, actions: *const c_void, how: *const c_void, arguments: Block, block: Block) -> c_int {
        // SAFETY: as the caller says.
        unsafe {
            with_ours(block, |block| {
                call!(POSIX_SPAWNP as fn(*mut c_int, *const c_char, *const c_void, *const c_void, Block, Block) -> c_int,
                    pid, file, actions, how, arguments, block)
            })
        }
    }

    // The C library starts a shell with the environment of the process, and does not come by our functions.
    fn popen(command: *const c_char, mode: *const c_char) -> *mut c_void {
        let found = POPEN.get();
        if found.is_null() {
            not_there();
            return ptr::null_mut();
        }
        // SAFETY: that is its type in the C library.
        let real: unsafe extern "C" fn(*const c_char, *const c_char) -> *mut c_void = unsafe { mem::transmute(found) };
        // SAFETY: as the caller says.
        unsafe { with_ours(environment(), |block| with_environment(block, || real(command, mode))) }
    }

    fn system(command: *const c_char) -> c_int {
        if command.is_null() {
            return 1;
        }
        // SAFETY: as the caller says.
        unsafe { with_ours(environment(), |block| run_in_shell(command, block)) }
    }
}

/// `system` of the C library would have to be called with another environment for as long as the command takes. So this is what POSIX says
/// that it does: the process does not hear of the end of the command, nor of Ctrl-C, which is for the command.
///
/// # Safety
/// The command is a string and the block an environment.
unsafe fn run_in_shell(command: *const c_char, block: Block) -> c_int {
    // SAFETY: each structure is filled by the function that takes it first; -1 is what `system` gives when no process can be made.
    unsafe {
        let mut ignore: libc::sigaction = mem::zeroed();
        ignore.sa_sigaction = libc::SIG_IGN;
        let (mut interrupt, mut quit) = (mem::zeroed(), mem::zeroed());
        libc::sigaction(libc::SIGINT, &ignore, &mut interrupt);
        libc::sigaction(libc::SIGQUIT, &ignore, &mut quit);
        let (mut child_signal, mut before, mut defaults) = (mem::zeroed(), mem::zeroed(), mem::zeroed());
        libc::sigemptyset(&mut child_signal);
        libc::sigaddset(&mut child_signal, libc::SIGCHLD);
        libc::pthread_sigmask(libc::SIG_BLOCK, &child_signal, &mut before);
        libc::sigemptyset(&mut defaults);
        for (signal, action) in [(libc::SIGINT, &interrupt), (libc::SIGQUIT, &quit)] {
            if action.sa_sigaction != libc::SIG_IGN {
                libc::sigaddset(&mut defaults, signal);
            }
        }
        let mut how: libc::posix_spawnattr_t = mem::zeroed();
        libc::posix_spawnattr_init(&mut how);
        libc::posix_spawnattr_setsigmask(&mut how, &before);
        libc::posix_spawnattr_setsigdefault(&mut how, &defaults);
        libc::posix_spawnattr_setflags(&mut how, (libc::POSIX_SPAWN_SETSIGDEF | libc::POSIX_SPAWN_SETSIGMASK) as _);
        let arguments = [c"sh".as_ptr(), c"-c".as_ptr(), command, ptr::null()];
        let (mut pid, mut status) = (0, -1);
        let how_of_shell = (&raw const how).cast();
        let problem = start_shell(&mut pid, how_of_shell, arguments.as_ptr(), block);
        if problem == 0 {
            while libc::waitpid(pid, &mut status, 0) == -1 {
                if *libc::__errno_location() != libc::EINTR {
                    status = -1;
                    break;
                }
            }
        } else {
            // As if the shell could not be executed.
            status = 127 << 8;
        }
        libc::posix_spawnattr_destroy(&mut how);
        libc::sigaction(libc::SIGINT, &interrupt, ptr::null_mut());
        libc::sigaction(libc::SIGQUIT, &quit, ptr::null_mut());
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, ptr::null_mut());
        status
    }
}

/// # Safety
/// As `posix_spawn`.
unsafe fn start_shell(pid: &mut c_int, how: *const c_void, arguments: Block, block: Block) -> c_int {
    let shell = c"/bin/sh".as_ptr();
    // SAFETY: as the caller says.
    unsafe {
        call!(
            POSIX_SPAWN as fn(*mut c_int, *const c_char, *const c_void, *const c_void, Block, Block) -> c_int,
            pid,
            shell,
            ptr::null(),
            how,
            arguments,
            block
        )
    }
}

/// What C calls with any number of arguments. They are put in one row, as `execv` wants them, which is how they lie on the stack
/// behind those in registers.
#[cfg(not(test))]
mod variadic {
    use super::{Block, environment, execve, execvp};
    use core::arch::naked_asm;
    use core::ffi::{c_char, c_int};

    macro_rules! row {
        ($name:ident, $to:path) => {
            /// # Safety
            /// As that of the C library.
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            pub unsafe extern "C" fn $name() {
                #[cfg(target_arch = "x86_64")]
                naked_asm!(
                    "pop rax", "push r9", "push r8", "push rcx", "push rdx", "push rsi", "mov rsi, rsp", "push rax",
                    "call {to}",
                    "pop rcx", "add rsp, 40", "push rcx", "ret",
                    to = sym $to,
                );
                #[cfg(target_arch = "aarch64")]
                naked_asm!(
                    "sub sp, sp, #80", "str x30, [sp]",
                    "stp x1, x2, [sp, #24]", "stp x3, x4, [sp, #40]", "stp x5, x6, [sp, #56]", "str x7, [sp, #72]",
                    "add x1, sp, #24",
                    "bl {to}",
                    "ldr x30, [sp]", "add sp, sp, #80", "ret",
                    to = sym $to,
                );
            }
        };
    }

    row!(execl, of_row);
    row!(execlp, of_row_in_path);
    row!(execle, of_row_with_environment);

    unsafe extern "C" fn of_row(path: *const c_char, arguments: Block) -> c_int {
        // SAFETY: as the caller says.
        unsafe { execve(path, arguments, environment()) }
    }

    unsafe extern "C" fn of_row_in_path(file: *const c_char, arguments: Block) -> c_int {
        // SAFETY: as the caller says.
        unsafe { execvp(file, arguments) }
    }

    /// The environment comes behind the null that ends the arguments.
    unsafe extern "C" fn of_row_with_environment(path: *const c_char, arguments: Block) -> c_int {
        // SAFETY: as the caller says.
        unsafe {
            let mut next = arguments;
            while !(*next).is_null() {
                next = next.add(1);
            }
            execve(path, arguments, *next.add(1).cast())
        }
    }
}
