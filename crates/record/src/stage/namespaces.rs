//! A mount and a network namespace for one program. All of it is done by the child itself between fork and exec, so nothing has to be
//! undone: with the last process of the program the namespaces are gone.

use std::ffi::{CStr, CString};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use rustix::fs::{Mode, OFlags, open};
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_bind, mount_change};
use rustix::process::{chdir, getegid, geteuid};
use rustix::thread::{UnshareFlags, unshare_unsafe};

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
        let (uid, gid) = (geteuid().as_raw(), getegid().as_raw());
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
        // SAFETY: it only makes system calls with memory that is there already, which is allowed between fork and exec.
        unsafe { command.pre_exec(move || prepared.set_up(&folder)) };
        Ok(())
    }

    fn set_up(&self, folder: &CStr) -> io::Result<()> {
        let mut apart = UnshareFlags::NEWNS;
        apart.set(UnshareFlags::NEWNET, !self.allows_effects);
        apart.set(UnshareFlags::NEWUSER, self.user.is_some());
        // SAFETY: the table of open files stays shared; between fork and exec there is one thread anyway.
        unsafe { unshare_unsafe(apart)? };
        if let Some(user) = &self.user {
            write(c"/proc/self/setgroups", c"deny")?;
            write(c"/proc/self/uid_map", &user.uid_map)?;
            write(c"/proc/self/gid_map", &user.gid_map)?;
        }
        mount_change(c"/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
        mount(c"overlay", &*self.root, c"overlay", MountFlags::empty(), &*self.overlay_options)?;
        mount_bind(&*self.own, &*self.own)?;
        if !self.allows_effects {
            set_read_only(c"/", true, libc::AT_RECURSIVE)?;
            set_read_only(&self.root, false, 0)?;
            set_read_only(&self.own, false, 0)?;
            bring_loopback_up()?;
        }
        // Where it stood is below the overlay.
        Ok(chdir(folder)?)
    }
}

fn write(path: &CStr, text: &CStr) -> io::Result<()> {
    let file = open(path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
    rustix::io::write(file, text.to_bytes())?;
    Ok(())
}

fn done(result: libc::c_int) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
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

/// `rustix` does not have it yet.
fn set_read_only(at: &CStr, is_read_only: bool, flags: libc::c_int) -> io::Result<()> {
    let (set, clear) = if is_read_only { (READ_ONLY, 0) } else { (0, READ_ONLY) };
    let attributes = MountAttributes { set, clear, propagation: 0, user_namespace: 0 };
    // SAFETY: the path ends with a zero, and the structure is as large as is said; both outlive the call.
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

fn bring_loopback_up() -> io::Result<()> {
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
