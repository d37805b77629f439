//! What Node prints when an exception ends the process shows a line of the source and carets below it, and both come from
//! the instrumented text. So that output is held back until the process exits, put right, and let go.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::fd::FromRawFd;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::code;

/// From now on until exit, what is written to stderr is held. Only the first call has an effect.
pub fn hold() {
    // SAFETY: plain system calls on descriptors that we made.
    unsafe {
        if REAL.load(Ordering::Acquire) >= 0 {
            return;
        }
        let held = libc::memfd_create(c"stderr".as_ptr(), libc::MFD_CLOEXEC);
        let real = libc::fcntl(libc::STDERR_FILENO, libc::F_DUPFD_CLOEXEC, 3);
        if held < 0 || real < 0 || libc::dup2(held, libc::STDERR_FILENO) < 0 {
            return;
        }
        HELD.store(held, Ordering::Release);
        REAL.store(real, Ordering::Release);
        libc::atexit(release);
    }
}

static REAL: AtomicI32 = AtomicI32::new(-1);
static HELD: AtomicI32 = AtomicI32::new(-1);

extern "C" fn release() {
    let (real, held) = (REAL.swap(-1, Ordering::AcqRel), HELD.swap(-1, Ordering::AcqRel));
    if real < 0 || held < 0 {
        return;
    }
    // SAFETY: both descriptors are ours; stderr becomes what it was.
    let mut held = unsafe {
        libc::dup2(real, libc::STDERR_FILENO);
        File::from_raw_fd(held)
    };
    let mut bytes = Vec::new();
    if held.seek(SeekFrom::Start(0)).is_ok() && held.read_to_end(&mut bytes).is_ok() {
        let text = String::from_utf8_lossy(&bytes);
        // SAFETY: `real` is ours.
        let _ = unsafe { File::from_raw_fd(real) }.write_all(put_right(&text).as_bytes());
    }
}

/// Replaces each source line and its carets, below a `file:line` line, by the original ones.
pub fn put_right(report: &str) -> String {
    let lines: Vec<&str> = report.split('\n').collect();
    let mut out: Vec<String> = Vec::with_capacity(lines.len());
    let mut at = 0;
    while at < lines.len() {
        out.push(lines[at].to_owned());
        if let Some((source, carets)) = lines.get(at + 1).zip(lines.get(at + 2))
            && let Some((source, carets)) = originals(lines[at], source, carets)
        {
            out.push(source);
            out.push(carets);
            at += 2;
        }
        at += 1;
    }
    out.join("\n")
}

fn originals(place: &str, source: &str, carets: &str) -> Option<(String, String)> {
    let (filename, line) = place.rsplit_once(':')?;
    let line: u32 = line.parse().ok()?;
    if !code::is_instrumented_line(filename, line, source) {
        return None;
    }
    let original = code::original_line(filename, line)?;
    let start = carets.find('^')? as u32;
    let end = carets.rfind('^')? as u32 + 1;
    let column = |column: u32| Some(code::original_column(filename, line, column + 1)? - 1);
    let (start, end) = (column(start)?, column(end)?);
    // As Node does it: tabs stay tabs, so that the carets stand below what they mean.
    let before: String = original.chars().take(start as usize).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    Some((original.clone(), before + &"^".repeat(end.saturating_sub(start).max(1) as usize)))
}
