//! Passes bytes on to the program's stdin as fast as it takes them. Whoever writes to us then waits exactly as they would
//! wait for the program, and a program that never reads costs nothing.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::thread::JoinHandle;

/// At work in a thread of its own, until the program has all or has ended.
pub struct Feeder {
    /// Nothing is written to it: that it closes is the message.
    over: PipeWriter,
    thread: JoinHandle<Fed>,
}

#[derive(Default)]
pub struct Fed {
    /// Whether the source was read to its end, and kept if it was to be.
    pub is_whole: bool,
    pub problem: Option<String>,
}

impl Feeder {
    pub fn start(source: File, keep: Option<File>, to: PipeWriter) -> io::Result<Feeder> {
        never_wait(to.as_raw_fd())?;
        let (is_over, over) = io::pipe()?;
        let feed = Feed { source, keep, to: Some(to), pending: Vec::new(), source_ended: false, problem: None };
        Ok(Feeder { over, thread: std::thread::spawn(move || feed.run(&is_over)) })
    }

    /// The program has ended. What has arrived by now is kept; nobody waits for more.
    pub fn finish(self) -> Fed {
        drop(self.over);
        self.thread.join().unwrap_or_default()
    }
}

struct Feed {
    source: File,
    keep: Option<File>,
    /// `None` once the program has all of it, or wants no more.
    to: Option<PipeWriter>,
    /// Read, and not yet taken by the program.
    pending: Vec<u8>,
    source_ended: bool,
    problem: Option<String>,
}

/// As much as a pipe holds.
const N_BYTES_AT_ONCE: usize = 1 << 16;

impl Feed {
    fn run(mut self, is_over: &PipeReader) -> Fed {
        loop {
            if self.source_ended && self.pending.is_empty() {
                // Closing it is the end of input.
                self.to = None;
            }
            if self.source_ended && self.to.is_none() {
                break;
            }
            let wants_input = self.to.is_some() && self.pending.is_empty();
            let mut asked = [
                look_at(is_over.as_raw_fd(), libc::POLLIN),
                // A program that closed its stdin is noticed also where there is nothing to write.
                look_at(self.to.as_ref().map_or(-1, AsRawFd::as_raw_fd), if wants_input { 0 } else { libc::POLLOUT }),
                look_at(if wants_input { self.source.as_raw_fd() } else { -1 }, libc::POLLIN),
            ];
            if !wait_for(&mut asked, -1) {
                continue;
            }
            let [over, to, source] = asked.map(|it| it.revents);
            if over != 0 {
                self.take_rest();
                break;
            }
            if to & libc::POLLERR != 0 {
                self.to = None;
            } else if to != 0 {
                self.give();
            } else if source != 0 {
                self.take(N_BYTES_AT_ONCE);
            }
        }
        Fed { is_whole: self.source_ended && self.problem.is_none(), problem: self.problem }
    }

    fn give(&mut self) {
        let Some(to) = &mut self.to else { return };
        match to.write(&self.pending) {
            Ok(n) => drop(self.pending.drain(..n)),
            Err(error) if is_passing(&error) => {}
            // The program reads no more.
            Err(_) => self.to = None,
        }
    }

    fn take(&mut self, n_most: usize) {
        let mut bytes = vec![0; n_most];
        match self.source.read(&mut bytes) {
            Ok(0) => self.source_ended = true,
            Ok(n) => {
                bytes.truncate(n);
                self.keep(&bytes);
                self.pending.extend(bytes);
            }
            Err(error) if is_passing(&error) => {}
            Err(error) => {
                self.problem = Some(format!("the input cannot be read: {error}"));
                self.source_ended = true;
            }
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        if let Some(keep) = &mut self.keep
            && let Err(error) = keep.write_all(bytes)
        {
            self.problem = Some(format!("the input cannot be kept: {error}"));
            self.keep = None;
        }
    }

    /// Only what lies ready at this moment: who writes to us may never stop.
    fn take_rest(&mut self) {
        if self.keep.is_none() || self.source_ended {
            return;
        }
        let n_ready = n_bytes_ready(self.source.as_raw_fd());
        if n_ready > 0 {
            self.take(n_ready);
        }
        // Another look tells whether that was the end.
        let mut asked = [look_at(self.source.as_raw_fd(), libc::POLLIN)];
        if wait_for(&mut asked, 0) {
            self.take(N_BYTES_AT_ONCE);
        }
    }
}

fn never_wait(fd: RawFd) -> io::Result<()> {
    // SAFETY: plain system calls.
    let done = unsafe {
        let flags = libc::fcntl(fd, libc::F_GETFL);
        libc::fcntl(fd, libc::F_SETFL, flags | libc::O_NONBLOCK)
    };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn look_at(fd: RawFd, events: libc::c_short) -> libc::pollfd {
    libc::pollfd { fd, events, revents: 0 }
}

/// Whether something happened; descriptors below zero are not looked at.
fn wait_for(asked: &mut [libc::pollfd], milliseconds: libc::c_int) -> bool {
    // SAFETY: the pointer and the length are those of the slice.
    unsafe { libc::poll(asked.as_mut_ptr(), asked.len() as libc::nfds_t, milliseconds) > 0 }
}

fn n_bytes_ready(fd: RawFd) -> usize {
    let mut n: libc::c_int = 0;
    // SAFETY: FIONREAD stores one int.
    let done = unsafe { libc::ioctl(fd, libc::FIONREAD, &mut n) };
    if done < 0 { 0 } else { n.max(0) as usize }
}

fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}
