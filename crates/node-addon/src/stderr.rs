//! What Node prints when an exception ends the process shows a line of the source and carets below it, and both come from
//! the instrumented text. So that output is held back until the process exits, put right, and let go.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::Path;
use std::sync::Once;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::guard::{self, Failing};
use crate::{code, thrown};

/// From now on, what is written to stderr is held until [`release`], or the end of the process.
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
        AT_EXIT.call_once(|| {
            libc::atexit(release_at_exit);
        });
    }
}

/// Lets go what was held.
pub fn release() {
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
        if let Ok(text) = std::str::from_utf8(&bytes) {
            // What the program is to print must not be lost with what we make of it.
            let right = guard::enter(guard::STDERR_TEXT, Failing::GivesUp, || Some(put_right(text)), || None);
            bytes = right.map_or_else(|| text.as_bytes().to_vec(), String::into_bytes);
        }
        // SAFETY: `real` is ours.
        write_patiently(unsafe { File::from_raw_fd(real) }, &bytes);
    }
}

static REAL: AtomicI32 = AtomicI32::new(-1);
static HELD: AtomicI32 = AtomicI32::new(-1);
static AT_EXIT: Once = Once::new();

extern "C" fn release_at_exit() {
    guard::enter(guard::STDERR_AT_EXIT, Failing::TriesAgain, release, || {});
}

/// A pipe may be set not to block, and be full.
fn write_patiently(mut file: File, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        match file.write(bytes) {
            Ok(n) => bytes = &bytes[n..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                let mut ready = libc::pollfd { fd: file.as_raw_fd(), events: libc::POLLOUT, revents: 0 };
                // SAFETY: one valid structure.
                unsafe { libc::poll(&mut ready, 1, -1) };
            }
            Err(_) => return,
        }
    }
}

/// Replaces each source line and its carets, below a line that ends with `file:line`, by the original ones.
fn put_right(report: &str) -> String {
    let lines: Vec<&str> = report.split('\n').collect();
    let mut out: Vec<String> = Vec::with_capacity(lines.len());
    let mut at = 0;
    while at < lines.len() {
        if let [place, _, _, rest @ ..] = &lines[at..]
            && let Some(excerpt) = excerpt_of_caller(place, rest)
        {
            out.extend(excerpt);
            at += 3;
            continue;
        }
        out.push(lines[at].to_owned());
        if let [place, source, carets, rest @ ..] = &lines[at..]
            && let Some((source, carets)) = originals(place, source, carets, rest)
        {
            out.push(source);
            out.push(carets);
            at += 2;
        }
        at += 1;
    }
    out.join("\n")
}

/// For a place in our own files, which is where our wrapper called the built-in that threw: the place where the program called
/// it, its line, and the caret. The stack, which does not show us, tells.
fn excerpt_of_caller(place: &str, stack: &[&str]) -> Option<[String; 3]> {
    let (filename, line) = place.rsplit_once(':')?;
    line.parse::<u32>().ok()?;
    if !Path::new(filename).parent()?.join("wherefore.node").exists() {
        return None;
    }
    let (name, line, column) = stack.iter().find_map(|text| place_of_frame(text))?;
    let original = code::original_line(name, line).or_else(|| {
        let text = std::fs::read_to_string(name).ok()?;
        text.lines().nth(line as usize - 1).map(str::to_owned)
    })?;
    let before: String = original.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    Some([format!("{name}:{line}"), original, before + "^"])
}

/// `    at f (file:1:2)` or `    at file:1:2`.
fn place_of_frame(frame: &str) -> Option<(&str, u32, usize)> {
    let frame = frame.strip_prefix("    at ")?;
    let place = match frame.strip_suffix(')') {
        Some(frame) => frame.rsplit_once('(')?.1,
        None => frame.strip_prefix("async ").unwrap_or(frame),
    };
    let (rest, column) = place.rsplit_once(':')?;
    let (name, line) = rest.rsplit_once(':')?;
    Some((name, line.parse().ok()?, column.parse().ok().filter(|column| *column > 0)?))
}

fn originals(place: &str, source: &str, carets: &str, rest: &[&str]) -> Option<(String, String)> {
    let (filename, line) = place.rsplit_once(':')?;
    let line: u32 = line.parse().ok()?;
    // Some reports put words before the place.
    let names = [filename, filename.rsplit_once(" at ").map_or("", |(_, name)| name)];
    let name = names.into_iter().find(|name| code::is_instrumented_line(name, line, source))?;
    let original = code::original_line(name, line)?;
    let column = |column: usize| Some(code::original_column(name, line, column as u32 + 1)? as usize - 1);
    let (start, end) = match (carets.find('^'), carets.rfind('^')) {
        (Some(first), Some(last)) => (column(first)?, column(last + 1)?),
        // Node draws no carets beyond column 1,020.
        _ => match thrown::columns(name, line) {
            Some(columns) => (column(columns.start as usize)?, column(columns.end as usize)?),
            None => {
                let start = column_in_stack(rest, name, line)? - 1;
                (start, start + 1)
            }
        },
    };
    // As Node does it: tabs stay tabs, so that the carets stand below what they mean.
    let before: String = original.chars().take(start).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    Some((original.clone(), before + &"^".repeat(end.saturating_sub(start).max(1))))
}

/// The column of the first frame in this line; stack traces already show original columns.
fn column_in_stack(stack: &[&str], filename: &str, line: u32) -> Option<usize> {
    let place = format!("{filename}:{line}:");
    let behind = stack.iter().find_map(|text| text.split_once(&place))?.1;
    behind.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
