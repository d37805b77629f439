//! Who ends a program that does not end by itself: the timeout, or a driver that is through with it.

use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::listening::Listening;
use crate::processes::{GRACE, Tree};
use crate::{Ending, RunSpec, signals};

pub struct Overseer {
    /// Nothing is sent: that it goes away is the message.
    over: Sender<()>,
    thread: JoinHandle<Overseen>,
}

pub struct Overseen {
    pub ending: Ending,
    pub notes: Vec<String>,
}

/// What must be known before the program starts.
pub struct Prepared {
    deadline: Option<(Instant, Duration)>,
    drive: Option<(String, Listening)>,
}

impl Prepared {
    /// `None` if the program may go on as it likes.
    pub fn for_run(spec: &RunSpec) -> Option<Prepared> {
        let deadline = spec.timeout.and_then(|after| Some((Instant::now().checked_add(after)?, after)));
        let drive = spec.drive.clone().map(|command| (command, Listening::before_start()));
        (deadline.is_some() || drive.is_some()).then_some(Prepared { deadline, drive })
    }

    pub fn start(self, program: Tree) -> Overseer {
        let (over, is_over) = channel();
        let watch = Watch {
            deadline: self.deadline,
            drive: self.drive.map(|(command, listening)| Drive { command, listening, driver: None }),
            program,
            notes: Vec::new(),
        };
        Overseer { over, thread: std::thread::spawn(move || watch.until(&is_over)) }
    }
}

impl Overseer {
    /// The program has ended; its children may not have. It must not be reaped before: its number would be free for others.
    pub fn finish(self) -> Overseen {
        drop(self.over);
        self.thread.join().unwrap_or_else(|_| Overseen {
            ending: Ending::Ended,
            notes: vec!["what oversees the program failed; processes of it may be left".into()],
        })
    }
}

const POLLING: Duration = Duration::from_millis(20);

struct Watch {
    deadline: Option<(Instant, Duration)>,
    drive: Option<Drive>,
    program: Tree,
    notes: Vec<String>,
}

struct Drive {
    command: String,
    listening: Listening,
    /// `None` until the program listens.
    driver: Option<Driver>,
}

struct Driver {
    shell: Child,
    tree: Tree,
}

impl Watch {
    fn until(mut self, is_over: &Receiver<()>) -> Overseen {
        let ending = loop {
            let left = self.deadline.map(|(at, _)| at.saturating_duration_since(Instant::now()));
            let pause = match (&self.drive, left) {
                (Some(_), left) => left.unwrap_or(POLLING).min(POLLING),
                (None, left) => left.unwrap_or(Duration::MAX),
            };
            if is_over.recv_timeout(pause) == Err(RecvTimeoutError::Disconnected) {
                break self.after_program();
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
        Overseen { ending, notes: self.notes }
    }

    /// Starts the driver when it is time. Gives how it ended, when it has.
    fn drive_on(&mut self) -> Option<ExitStatus> {
        let drive = self.drive.as_mut()?;
        if let Some(driver) = &mut drive.driver {
            return driver.shell.try_wait().ok().flatten();
        }
        let port = drive.listening.port_of(&mut self.program)?;
        match Driver::start(&drive.command, port) {
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
        if signals::interrupted() {
            // Ctrl-C went to the program as well, which may be ending in its own way.
            let _ = is_over.recv_timeout(GRACE);
        } else if !status.success() {
            self.notes.push(format!("the driver failed: it {}", how(status)));
        }
        self.stop_program();
        Ending::Driven { status }
    }

    fn at_timeout(&mut self, after: Duration) -> Ending {
        self.notes.push(format!("the program still ran after {after:?} and was stopped"));
        match self.drive.take() {
            Some(Drive { driver: Some(driver), .. }) => {
                self.notes.push("the driver had not ended".into());
                driver.stop();
            }
            Some(_) => self.notes.push("the program listened on no port, so the driver was not started".into()),
            None => {}
        }
        self.stop_program();
        Ending::TimedOut
    }

    fn after_program(&mut self) -> Ending {
        match self.drive.take() {
            Some(Drive { driver: Some(driver), .. }) => {
                let how = driver.end_soon().map_or("was stopped".into(), how);
                self.notes.push(format!("the program ended before the driver, which {how}"));
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

impl Driver {
    /// It is no part of the run: it is not recorded, and its output is not the program's.
    fn start(command: &str, port: u16) -> io::Result<Driver> {
        let shell = Command::new("sh")
            .args(["-c", command])
            .env("PORT", port.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::from(io::stderr().as_fd().try_clone_to_owned()?))
            .spawn()?;
        Ok(Driver { tree: Tree::of(shell.id(), None), shell })
    }

    /// How it ended by itself, now that the program is gone; `None` if it did not.
    fn end_soon(mut self) -> Option<ExitStatus> {
        let since = Instant::now();
        while since.elapsed() < GRACE {
            if let Ok(Some(status)) = self.shell.try_wait() {
                return Some(status);
            }
            std::thread::sleep(POLLING);
        }
        self.stop();
        None
    }

    fn stop(mut self) {
        self.tree.stop();
        let _ = self.shell.wait();
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
