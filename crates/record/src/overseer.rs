//! Who ends a program that does not end by itself: the timeout, a cancel, or a driver that is through with it.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use trace_model::cancel::Cancel;

use crate::child::outcome;
use crate::environment::Variables;
use crate::listening::Listening;
use crate::node;
use crate::output::{self, Relay};
use crate::processes::{GRACE, Tree};
use crate::signals::Signals;
use crate::{Ending, Output, RunSpec};

pub struct Overseer<'s> {
    /// Nothing is sent: that it goes away is the message.
    over: Sender<()>,
    thread: ScopedJoinHandle<'s, Overseen>,
}

pub struct Overseen {
    pub ending: Ending,
    pub notes: Vec<String>,
    /// Processes that ran unrecorded.
    pub problems: Vec<String>,
}

/// What must be known before the program starts.
pub struct Prepared {
    deadline: Option<(Instant, Duration)>,
    cancel: Cancel,
    drive: Option<Drive>,
}

impl Prepared {
    pub fn for_run(spec: &RunSpec, variables: &Variables) -> Prepared {
        let deadline = spec.timeout.and_then(|after| Some((Instant::now().checked_add(after)?, after)));
        let drive = spec.drive.clone().map(|command| Drive {
            command,
            folder: spec.start_folder(),
            variables: variables.clone(),
            output: spec.output.clone(),
            listening: Listening::before_start(),
            driver: None,
        });
        Prepared { deadline, cancel: spec.cancel.clone(), drive }
    }

    /// `nodes`: looks for those that run unrecorded, unless the whole program does.
    pub fn start<'s>(
        self,
        scope: &'s Scope<'s, '_>,
        program: Tree,
        nodes: Option<node::Watch>,
        signals: Option<&'s Signals>,
    ) -> Overseer<'s> {
        let (over, is_over) = channel();
        let Prepared { deadline, cancel, drive } = self;
        let watch = Watch { deadline, cancel, drive, program, nodes, signals, notes: Vec::new() };
        Overseer { over, thread: scope.spawn(move || watch.until(&is_over)) }
    }
}

impl Overseer<'_> {
    /// The program has ended; its children may not have. It must not be reaped before: its number would be free for others.
    pub fn finish(self) -> Overseen {
        drop(self.over);
        self.thread.join().unwrap_or_else(|_| Overseen {
            ending: Ending::Ended,
            notes: vec!["the supervisor of the program failed; some of its processes may still be running".into()],
            problems: Vec::new(),
        })
    }
}

/// How soon a cancel is seen, and that a program listens.
const POLLING: Duration = Duration::from_millis(20);

struct Watch<'s> {
    deadline: Option<(Instant, Duration)>,
    cancel: Cancel,
    drive: Option<Drive>,
    program: Tree,
    nodes: Option<node::Watch>,
    signals: Option<&'s Signals>,
    notes: Vec<String>,
}

struct Drive {
    command: String,
    folder: PathBuf,
    variables: Variables,
    output: Output,
    listening: Listening,
    /// `None` until the program listens.
    driver: Option<Driver>,
}

struct Driver {
    shell: Child,
    tree: Tree,
    relay: Option<Relay>,
}

impl Watch<'_> {
    fn until(mut self, is_over: &Receiver<()>) -> Overseen {
        let ending = loop {
            let left = self.deadline.map_or(POLLING, |(at, _)| at.saturating_duration_since(Instant::now()));
            if is_over.recv_timeout(left.min(POLLING)) == Err(RecvTimeoutError::Disconnected) {
                break self.after_program();
            }
            if let Some(nodes) = &mut self.nodes {
                nodes.look();
            }
            if self.cancel.is_cancelled() {
                self.notes.push("the run was cancelled, and the program was stopped".into());
                break self.give_up(Ending::Cancelled);
            }
            if let Some((at, after)) = self.deadline
                && Instant::now() >= at
            {
                break self.at_timeout(after);
            }
            if let Some(status) = self.drive_on() {
                break self.after_driver(status, is_over);
            }
        };
        let problems = self.nodes.map_or(Vec::new(), node::Watch::finish);
        Overseen { ending, notes: self.notes, problems }
    }

    /// Starts the driver when it is time. Gives how it ended, when it has.
    fn drive_on(&mut self) -> Option<ExitStatus> {
        let drive = self.drive.as_mut()?;
        if let Some(driver) = &mut drive.driver {
            return driver.shell.try_wait().ok().flatten();
        }
        let port = drive.listening.port_of(&mut self.program)?;
        match drive.start(port) {
            Ok(driver) => {
                drive.driver = Some(driver);
                None
            }
            Err(error) => {
                self.notes.push(format!("the driver cannot be started: {error}"));
                Some(ExitStatus::from_raw(NOT_FOUND << 8))
            }
        }
    }

    fn after_driver(&mut self, status: ExitStatus, is_over: &Receiver<()>) -> Ending {
        if self.signals.is_some_and(Signals::interrupted) {
            // Ctrl-C went to the program as well, which may be ending in its own way.
            let _ = is_over.recv_timeout(GRACE);
        } else if !status.success() {
            self.notes.push(format!("the driver failed: it {}", how(status)));
        }
        if let Some(driver) = self.drive.take().and_then(|drive| drive.driver) {
            self.notes.extend(driver.relay.and_then(Relay::finish));
        }
        self.stop_program();
        Ending::Driven { outcome: outcome(status) }
    }

    fn at_timeout(&mut self, after: Duration) -> Ending {
        self.notes.push(format!("the program still ran after {after:?} and was stopped"));
        self.give_up(Ending::TimedOut)
    }

    fn give_up(&mut self, ending: Ending) -> Ending {
        match self.drive.take() {
            Some(Drive { driver: Some(driver), .. }) => {
                self.notes.push("the driver had not ended".into());
                self.notes.extend(driver.stop());
            }
            Some(_) => self.notes.push("the program listened on no port, so the driver was not started".into()),
            None => {}
        }
        self.stop_program();
        ending
    }

    fn after_program(&mut self) -> Ending {
        match self.drive.take() {
            Some(Drive { driver: Some(driver), .. }) => {
                let (ended, problem) = driver.end_soon();
                let how = ended.map_or("was stopped".into(), how);
                self.notes.push(format!("the program ended before the driver, which {how}"));
                self.notes.extend(problem);
            }
            Some(_) => {
                self.notes.push("the program ended before it listened on a port, so the driver was not started".into());
            }
            // Children that outlive a program are its own affair.
            None => return Ending::Ended,
        }
        // A server that is left would hold the port in the next run.
        self.stop_program();
        Ending::Ended
    }

    fn stop_program(&mut self) {
        for pid in self.program.stop() {
            self.notes.push(format!("process {pid} could not be stopped"));
        }
    }
}

impl Drive {
    /// It is no part of the run: it is not recorded, and its output is not the program's.
    fn start(&self, port: u16) -> io::Result<Driver> {
        let mut variables = self.variables.clone();
        variables.set("PORT", port.to_string());
        let output::Prepared { stdout, stderr, relay } = output::prepare_for_driver(&self.output)?;
        let mut command = Command::new("sh");
        command.args(["-c", &self.command]).current_dir(&self.folder);
        command.stdin(Stdio::null()).stdout(stdout).stderr(stderr);
        variables.give_to(&mut command)?;
        let shell = command.spawn()?;
        Ok(Driver { tree: Tree::of(shell.id(), None), shell, relay })
    }
}

impl Driver {
    /// How it ended by itself, now that the program is gone; `None` if it did not. And why not all of its output was passed on.
    fn end_soon(mut self) -> (Option<ExitStatus>, Option<String>) {
        let since = Instant::now();
        while since.elapsed() < GRACE {
            if let Ok(Some(status)) = self.shell.try_wait() {
                return (Some(status), self.relay.and_then(Relay::finish));
            }
            std::thread::sleep(POLLING);
        }
        (None, self.stop())
    }

    fn stop(mut self) -> Option<String> {
        self.tree.stop();
        let _ = self.shell.wait();
        self.relay.and_then(Relay::finish)
    }
}

/// As a shell says that there is no such command.
const NOT_FOUND: i32 = 127;

fn how(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("ended with exit code {code}"),
        (None, Some(signal)) => format!("was killed by signal {signal}"),
        (None, None) => "ended".into(),
    }
}
