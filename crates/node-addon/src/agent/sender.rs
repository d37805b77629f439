//! Hands what is known of a crash over to a process of its own, so that the program never waits for the network: it lies in memory of the
//! kernel, which that process has as its standard input.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::FromRawFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::json;

use super::AgentSettings;

pub fn send(settings: &AgentSettings, dump: &[u8]) {
    let job = json!({ "settings": settings.all(), "entry": settings.get("entry"), "isCrash": true });
    let Ok(input) = in_memory(dump) else { return };
    let (Some(executable), Some(script)) = (settings.get("executable"), settings.get("sender")) else { return };
    let mut command = Command::new(executable);
    command.arg(script).env_clear().current_dir("/").stdin(input).stdout(Stdio::null()).stderr(Stdio::null());
    command.env("WHEREFORE_AGENT_JOB", job.to_string());
    for name in KEPT {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    // What ends the program's group, a terminal for one, is not to end it.
    command.process_group(0);
    let is_kept = settings.get("spool").is_some() && settings.wait().is_zero();
    if is_kept {
        command.stdout(Stdio::piped());
    }
    let Ok(mut child) = command.spawn() else { return };
    let (done, is_done) = mpsc::channel();
    let (kept, said) = (done.clone(), child.stdout.take());
    if let Some(mut said) = said {
        let _ = thread::Builder::new().spawn(move || {
            let _ = said.read(&mut [0]);
            let _ = kept.send(());
        });
    }
    // A program that lives on must not be left with a dead child.
    let _ = thread::Builder::new().spawn(move || {
        let _ = child.wait();
        let _ = done.send(());
    });
    let _ = is_done.recv_timeout(if is_kept { LONGEST_KEEPING } else { settings.wait() });
}

/// Whoever has a folder in which reports are kept wants them there, whatever becomes of this host when the program has ended.
const LONGEST_KEEPING: Duration = Duration::from_secs(2);
/// What the way to the server may depend on; as in `fetch.cjs`.
const KEPT: [&str; 5] = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "LANG", "TZ"];

fn in_memory(bytes: &[u8]) -> io::Result<File> {
    // SAFETY: a name that ends with a zero; the descriptor that is given is ours.
    let mut file = unsafe {
        let descriptor = libc::memfd_create(c"crash".as_ptr(), libc::MFD_CLOEXEC);
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        File::from_raw_fd(descriptor)
    };
    file.write_all(bytes)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}
