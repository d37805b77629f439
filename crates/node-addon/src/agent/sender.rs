//! Hands a report over to a process of its own, so that the program never waits for the network: the report lies in memory of the kernel,
//! which that process has as its standard input.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::fd::FromRawFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;

use serde_json::{Value, json};
use trace_format::private;

use super::AgentSettings;

pub fn send(settings: &AgentSettings, report: &Value) {
    let spooled = settings.get("spool").and_then(|folder| spool(Path::new(folder), report).ok());
    let mut job = json!({
        "settings": settings.all(),
        "entry": settings.get("entry"),
        "report": report,
    });
    if let Some(file) = spooled {
        job["file"] = file.to_string_lossy().into();
    }
    let Ok(input) = in_memory(job.to_string().as_bytes()) else { return };
    let (Some(executable), Some(script)) = (settings.get("executable"), settings.get("sender")) else { return };
    let mut command = Command::new(executable);
    command.arg(script).env_clear().current_dir("/").stdin(input).stdout(Stdio::null()).stderr(Stdio::null());
    for name in KEPT {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    // What ends the program's group, a terminal for one, is not to end it.
    command.process_group(0);
    let Ok(mut child) = command.spawn() else { return };
    let (done, is_done) = mpsc::channel();
    // A program that lives on must not be left with a dead child.
    let _ = thread::Builder::new().spawn(move || {
        let _ = child.wait();
        let _ = done.send(());
    });
    let _ = is_done.recv_timeout(settings.wait());
}

/// What the way to the server may depend on; as in `fetch.cjs`.
const KEPT: [&str; 5] = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "LANG", "TZ"];
/// Older ones make room.
const MOST_SPOOLED: usize = 4;

/// Keeps the report until somebody took it.
fn spool(folder: &Path, report: &Value) -> io::Result<PathBuf> {
    private::create_dir_all(folder)?;
    let is_report = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "report");
    let mut kept: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).filter(is_report).collect();
    kept.sort_by_key(|path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok());
    for old in kept.iter().rev().skip(MOST_SPOOLED - 1) {
        fs::remove_file(old)?;
    }
    let file = folder.join(format!("{}.report", report["id"].as_str().unwrap_or_default()));
    let unfinished = file.with_extension("new");
    private::write(&unfinished, report.to_string().as_bytes())?;
    fs::rename(&unfinished, &file)?;
    Ok(file)
}

fn in_memory(bytes: &[u8]) -> io::Result<File> {
    // SAFETY: a name that ends with a zero; the descriptor that is given is ours.
    let mut file = unsafe {
        let descriptor = libc::memfd_create(c"report".as_ptr(), libc::MFD_CLOEXEC);
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        File::from_raw_fd(descriptor)
    };
    file.write_all(bytes)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_few_reports_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let reports: Vec<_> = (0..10)
            .map(|number| spool(&folder.path().join("a"), &json!({ "id": format!("id-{number}") })).unwrap())
            .collect();
        assert_eq!(reports.iter().filter(|file| file.exists()).count(), MOST_SPOOLED);
        assert!(reports.last().unwrap().exists());
    }
}
