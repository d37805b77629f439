//! Passes bytes on to the program's stdin as fast as it takes them. Whoever writes to us then waits exactly as they would
//! wait for the program, and a program that never reads costs nothing.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsFd;
use std::thread::JoinHandle;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{ioctl_fionbio, ioctl_fionread};

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
    pub fn start(source: Source, keep: Option<File>, to: PipeWriter) -> io::Result<Feeder> {
        ioctl_fionbio(&to, true)?;
        let (is_over, over) = io::pipe()?;
        let (source, pending) = match source {
            Source::File(file) => (Some(file), Vec::new()),
            Source::Bytes(bytes) => (None, bytes),
        };
        let feed = Feed { source, keep, to: Some(to), pending, problem: None };
        Ok(Feeder { over, thread: std::thread::spawn(move || feed.run(&is_over)) })
    }

    /// The program has ended. What has arrived by now is kept; nobody waits for more.
    pub fn finish(self) -> Fed {
        drop(self.over);
        self.thread.join().unwrap_or_default()
    }
}

/// Where the bytes come from.
pub enum Source {
    File(File),
    Bytes(Vec<u8>),
}

struct Feed {
    /// `None` once it was read to its end.
    source: Option<File>,
    keep: Option<File>,
    /// `None` once the program has all of it, or wants no more.
    to: Option<PipeWriter>,
    /// Read, and not yet taken by the program.
    pending: Vec<u8>,
    problem: Option<String>,
}

/// As much as a pipe holds.
const N_BYTES_AT_ONCE: usize = 1 << 16;

impl Feed {
    fn run(mut self, is_over: &PipeReader) -> Fed {
        loop {
            if self.source.is_none() && self.pending.is_empty() {
                // Closing it is the end of input.
                self.to = None;
            }
            if self.source.is_none() && self.to.is_none() {
                break;
            }
            match self.wait(is_over) {
                Some(Ready::Over) => {
                    self.take_rest();
                    break;
                }
                Some(Ready::Closed) => self.to = None,
                Some(Ready::ToGive) => self.give(),
                Some(Ready::ToTake) => self.take(N_BYTES_AT_ONCE),
                None => {}
            }
        }
        Fed { is_whole: self.source.is_none() && self.problem.is_none(), problem: self.problem }
    }

    /// What can be done next; nothing if a signal came.
    fn wait(&self, is_over: &PipeReader) -> Option<Ready> {
        let wants_input = self.to.is_some() && self.pending.is_empty();
        let mut asked = vec![PollFd::new(is_over, PollFlags::IN)];
        // A program that closed its stdin is noticed also where there is nothing to write.
        let for_writing = if wants_input { PollFlags::empty() } else { PollFlags::OUT };
        asked.extend(self.to.as_ref().map(|to| PollFd::new(to, for_writing)));
        let source = self.source.as_ref().filter(|_| wants_input);
        asked.extend(source.map(|source| PollFd::new(source, PollFlags::IN)));
        poll(&mut asked, None).ok()?;
        let mut seen = asked.iter().map(PollFd::revents);
        let over = seen.next()?;
        let to = if self.to.is_some() { seen.next()? } else { PollFlags::empty() };
        let source = seen.next().unwrap_or(PollFlags::empty());
        Some(match () {
            () if !over.is_empty() => Ready::Over,
            () if to.contains(PollFlags::ERR) => Ready::Closed,
            () if !to.is_empty() => Ready::ToGive,
            () if !source.is_empty() => Ready::ToTake,
            () => return None,
        })
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
        let Some(source) = &mut self.source else { return };
        let mut bytes = vec![0; n_most];
        match source.read(&mut bytes) {
            Ok(0) => self.source = None,
            Ok(n) => {
                bytes.truncate(n);
                self.keep(&bytes);
                self.pending.extend(bytes);
            }
            Err(error) if is_passing(&error) => {}
            Err(error) => {
                self.problem = Some(format!("the input cannot be read: {error}"));
                self.source = None;
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
        let (Some(source), Some(_)) = (&self.source, &self.keep) else { return };
        let n_ready = ioctl_fionread(source).unwrap_or(0) as usize;
        if n_ready > 0 {
            self.take(n_ready);
        }
        // Another look tells whether that was the end.
        if self.source.as_ref().is_some_and(has_something) {
            self.take(N_BYTES_AT_ONCE);
        }
    }
}

enum Ready {
    Over,
    Closed,
    ToGive,
    ToTake,
}

/// Something to read, or its end.
fn has_something(source: impl AsFd) -> bool {
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut [PollFd::new(&source, PollFlags::IN)], Some(&at_once)).is_ok_and(|n| n > 0)
}

fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}
