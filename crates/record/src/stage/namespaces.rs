//! A mount and a network namespace for one program. All of it is done by the child itself between fork and exec, so nothing has to be
//! undone: with the last process of the program the namespaces are gone.

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// How a program is kept apart. Everything is made ready here: a child of a program with threads must not ask for memory.
#[derive(Clone, Debug)]
pub struct Namespaces {
    root: CString,
    own: CString,
    overlay_options: CString,
    /// A user namespace is needed by who is not root.
    user: Option<UserMap>,
    allows_effects: bool,
}

/// The program keeps its user and group.
#[derive(Clone, Debug)]
struct UserMap {
    uid_map: CString,
    gid_map: CString,
}

impl Namespaces {
    /// The ways that may work here, the best first.
    pub fn possible(root: &Path, scratch: &Path, allows_effects: bool) -> Vec<Namespaces> {
        // SAFETY: plain system calls.
        let (uid, gid) = unsafe { (libc::geteuid(), libc::getegid()) };
        let has_marks = |path: &Path| path.as_os_str().as_bytes().iter().any(|byte| b",:\\".contains(byte));
        if !cfg!(target_os = "linux") || has_marks(root) || has_marks(scratch) {
            return Vec::new();
        }
        let text = |path: &Path| CString::new(path.as_os_str().as_bytes()).ok();
        let with = |is_user: bool| {
            let layer = |name: &str| scratch.join(name).display().to_string();
            let marks = if is_user { ",userxattr" } else { "" };
            let options =
                format!("lowerdir={},upperdir={},workdir={}{marks}", root.display(), layer("upper"), layer("work"));
            let map = |id: u32| CString::new(format!("{id} {id} 1")).ok();
            Some(Namespaces {
                root: text(root)?,
                own: text(&scratch.join("own"))?,
                overlay_options: CString::new(options).ok()?,
                user: match is_user {
                    true => Some(UserMap { uid_map: map(uid)?, gid_map: map(gid)? }),
                    false => None,
                },
                allows_effects,
            })
        };
        let ways = if uid == 0 { vec![false, true] } else { vec![true] };
        ways.into_iter().filter_map(with).collect()
    }

    pub fn closes_the_rest(&self) -> bool {
        !self.allows_effects
    }

    pub fn enter(&self, command: &mut Command, folder: &Path) -> io::Result<()> {
        let prepared = self.clone();
        let folder = CString::new(fs::canonicalize(folder)?.as_os_str().as_bytes()).map_err(io::Error::other)?;
        // SAFETY: only system calls with memory that is there already.
        unsafe { command.pre_exec(move || prepared.set_up(&folder)) };
        Ok(())
    }

    fn set_up(&self, folder: &CString) -> io::Result<()> {
        let network = if self.allows_effects { 0 } else { libc::CLONE_NEWNET };
        let user = if self.user.is_some() { libc::CLONE_NEWUSER } else { 0 };
        // SAFETY: plain system calls; all texts end with a zero and outlive the calls.
        unsafe {
            done(libc::unshare(libc::CLONE_NEWNS | network | user))?;
            if let Some(user) = &self.user {
                write(c"/proc/self/setgroups", c"deny")?;
                write(c"/proc/self/uid_map", &user.uid_map)?;
                write(c"/proc/self/gid_map", &user.gid_map)?;
            }
            mount(None, c"/", None, libc::MS_REC | libc::MS_PRIVATE, None)?;
            mount(Some(c"overlay"), &self.root, Some(c"overlay"), 0, Some(&self.overlay_options))?;
            mount(Some(&self.own), &self.own, None, libc::MS_BIND, None)?;
            if !self.allows_effects {
                set_read_only(c"/", true, libc::AT_RECURSIVE)?;
                set_read_only(&self.root, false, 0)?;
                set_read_only(&self.own, false, 0)?;
                bring_loopback_up()?;
            }
            // Where it stood is below the overlay.
            done(libc::chdir(folder.as_ptr()))
        }
    }
}

fn done(result: libc::c_int) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

unsafe fn write(path: &std::ffi::CStr, text: &std::ffi::CStr) -> io::Result<()> {
    let bytes = text.to_bytes();
    // SAFETY: the texts are whole, and the file is ours alone.
    unsafe {
        let file = libc::open(path.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        done(file)?;
        let written = libc::write(file, bytes.as_ptr().cast(), bytes.len());
        libc::close(file);
        if written < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }
}

unsafe fn mount(
    what: Option<&std::ffi::CStr>,
    at: &std::ffi::CStr,
    kind: Option<&std::ffi::CStr>,
    flags: libc::c_ulong,
    options: Option<&std::ffi::CStr>,
) -> io::Result<()> {
    let pointer = |text: Option<&std::ffi::CStr>| text.map_or(std::ptr::null(), |text| text.as_ptr());
    // SAFETY: as the caller says.
    done(unsafe { libc::mount(pointer(what), at.as_ptr(), pointer(kind), flags, pointer(options).cast()) })
}

/// As the system call `mount_setattr` takes it.
#[repr(C)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

const READ_ONLY: u64 = 1;

unsafe fn set_read_only(at: &std::ffi::CStr, is_read_only: bool, flags: libc::c_int) -> io::Result<()> {
    let (set, clear) = if is_read_only { (READ_ONLY, 0) } else { (0, READ_ONLY) };
    let attributes = MountAttributes { set, clear, propagation: 0, user_namespace: 0 };
    // SAFETY: the structure is as large as is said.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            at.as_ptr(),
            flags,
            &raw const attributes,
            size_of::<MountAttributes>(),
        )
    };
    done(result as libc::c_int)
}

unsafe fn bring_loopback_up() -> io::Result<()> {
    // SAFETY: all of zeros is a valid request, and the name is shorter than its field.
    unsafe {
        let socket = libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0);
        done(socket)?;
        let mut request: libc::ifreq = std::mem::zeroed();
        request.ifr_name[0] = b'l' as libc::c_char;
        request.ifr_name[1] = b'o' as libc::c_char;
        request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
        let result = done(libc::ioctl(socket, libc::SIOCSIFFLAGS as _, &raw const request));
        libc::close(socket);
        result
    }
}
