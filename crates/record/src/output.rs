//! The program's stdout and stderr: ours, nobody's, or pipes whose contents a function gets.

use std::any::Any;
use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::fd::AsFd;
use std::panic::{self, AssertUnwindSafe};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::ioctl_fionread;

use crate::{Output, Sink, Stream};

/// What a program is to be started with, and what goes on behind it.
pub struct Prepared {
    pub stdout: Stdio,
    pub stderr: Stdio,
    pub relay: Option<Relay>,
}

pub fn prepare(output: &Output) -> io::Result<Prepared> {
    Ok(match output {
        Output::Inherit => Prepared { stdout: Stdio::inherit(), stderr: Stdio::inherit(), relay: None },
        Output::ToStderr => Prepared { stdout: to_our_stderr()?, stderr: Stdio::inherit(), relay: None },
        Output::Nothing => Prepared { stdout: Stdio::null(), stderr: Stdio::null(), relay: None },
        Output::Sink(sink) => {
            let ((from_stdout, stdout), (from_stderr, stderr)) = (io::pipe()?, io::pipe()?);
            let sources = vec![(Stream::Stdout, from_stdout), (Stream::Stderr, from_stderr)];
            let relay = Some(Relay::start(sources, sink.clone())?);
            Prepared { stdout: stdout.into(), stderr: stderr.into(), relay }
        }
    })
}

/// The driver is no part of the program: where the program prints to us, its driver prints to our stderr.
pub fn prepare_for_driver(output: &Output) -> io::Result<Prepared> {
    Ok(match output {
        Output::Inherit | Output::ToStderr => {
            Prepared { stdout: to_our_stderr()?, stderr: Stdio::inherit(), relay: None }
        }
        Output::Nothing => Prepared { stdout: Stdio::null(), stderr: Stdio::null(), relay: None },
        Output::Sink(sink) => {
            let (from, to) = io::pipe()?;
            let relay = Some(Relay::start(vec![(Stream::Driver, from)], sink.clone())?);
            Prepared { stdout: to.try_clone()?.into(), stderr: to.into(), relay }
        }
    })
}

fn to_our_stderr() -> io::Result<Stdio> {
    Ok(Stdio::from(io::stderr().as_fd().try_clone_to_owned()?))
}

/// A thread that gives a sink what comes out of pipes.
pub struct Relay {
    /// Nothing is written to it: that it closes is the message.
    over: PipeWriter,
    /// Why the sink did not get everything, once it gets no more.
    ended: Receiver<Option<String>>,
}

impl Relay {
    fn start(sources: Vec<(Stream, PipeReader)>, sink: Sink) -> io::Result<Relay> {
        let (is_over, over) = io::pipe()?;
        let (end, ended) = channel();
        thread::Builder::new().name("output of a program".into()).spawn(move || {
            let mut sources = Sources { open: sources, bytes: vec![0; N_BYTES_AT_ONCE] };
            let problem = sources.pass_on(&sink, &is_over).err();
            // Nobody holds it any more when the caller is told.
            drop(sink);
            let _ = end.send(problem);
            sources.discard();
        })?;
        Ok(Relay { over, ended })
    }

    /// The program has ended. The sink gets what has been printed by now and no more; gives why, if it did not get everything.
    pub fn finish(self) -> Option<String> {
        drop(self.over);
        self.ended.recv().unwrap_or_default()
    }
}

/// As much as a pipe holds.
const N_BYTES_AT_ONCE: usize = 1 << 16;

struct Sources {
    open: Vec<(Stream, PipeReader)>,
    bytes: Vec<u8>,
}

impl Sources {
    fn pass_on(&mut self, sink: &Sink, is_over: &PipeReader) -> Result<(), String> {
        while !self.open.is_empty() {
            let (is_last, ready) = self.wait(Some(is_over));
            // From the last on, as one that has ended goes.
            for at in (0..self.open.len()).rev() {
                if is_last {
                    // What lies ready at this moment: whoever is left behind may print without end.
                    let mut n_left = ioctl_fionread(&self.open[at].1).unwrap_or(0) as usize;
                    while n_left > 0 {
                        n_left -= self.pass_some(at, n_left, sink)?;
                    }
                } else if ready[at] && self.pass_some(at, N_BYTES_AT_ONCE, sink)? == 0 {
                    self.open.remove(at);
                }
            }
            if is_last {
                break;
            }
        }
        Ok(())
    }

    /// Gives how many bytes; none are the end.
    fn pass_some(&mut self, at: usize, n_most: usize, sink: &Sink) -> Result<usize, String> {
        let (stream, source) = &mut self.open[at];
        let bytes = &mut self.bytes[..n_most.min(N_BYTES_AT_ONCE)];
        let n = source.read(bytes).map_err(|error| format!("the output of the program cannot be read: {error}"))?;
        let passed = panic::catch_unwind(AssertUnwindSafe(|| {
            if n > 0 {
                sink(*stream, &bytes[..n])
            }
        }));
        passed.map_err(|panic| {
            let message = message_of(&*panic);
            format!("the sink for the program's output panicked ({message}); what it printed from then on is lost")
        })?;
        Ok(n)
    }

    /// Whoever still holds the other end goes on as if somebody read it.
    fn discard(mut self) {
        while !self.open.is_empty() {
            let mut ready = self.wait(None).1.into_iter();
            let bytes = &mut self.bytes;
            self.open.retain_mut(|(_, source)| ready.next() == Some(false) || matches!(source.read(bytes), Ok(1..)));
        }
    }

    /// Whether it is over, and which of the sources have something to say.
    fn wait(&self, is_over: Option<&PipeReader>) -> (bool, Vec<bool>) {
        let sources = self.open.iter().map(|(_, source)| source);
        let mut asked: Vec<PollFd> = sources.chain(is_over).map(|pipe| PollFd::new(pipe, PollFlags::IN)).collect();
        // What a signal ends early has seen nothing.
        let _ = poll(&mut asked, None);
        let mut ready: Vec<bool> = asked.iter().map(|pipe| !pipe.revents().is_empty()).collect();
        let over = ready.split_off(self.open.len());
        (over.contains(&true), ready)
    }
}

pub(crate) fn message_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}
