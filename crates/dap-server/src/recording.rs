//! Records a command for the client: what the program prints is shown as it comes. The program runs beside the session, which answers
//! meanwhile: a pause opens what is recorded so far, and whatever ends the program, its recording is kept.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, JoinHandle};

use debugger::{
    Cancel, Ending, OnProgress, OnStarted, Output, RecordRequest, Recorded, RunChoice, RunOutcome, Session, Stream,
};
use serde_json::json;

use crate::adapter::{Adapter, Body, Then};
use crate::moving::Motion;
use crate::outlet::Outlet;
use crate::progress::Progress;
use crate::protocol::Request;
use crate::reading::{Pending, Told};
use crate::refusal::Refusal;
use crate::starting::{ENTRY, name_of};

/// A program that runs.
pub struct Running {
    /// Which of the recordings of the session.
    number: usize,
    cancel: Cancel,
    thread: JoinHandle<()>,
    /// Where the run lies, once it has begun.
    run: Arc<OnceLock<PathBuf>>,
    /// The request that began it.
    asked: Request,
    /// Its request waits for a run that can be looked at.
    is_awaited: bool,
    /// Control goes on once there is more of the run.
    goes_on: Option<Motion>,
    /// The session is over when the program is.
    ends_session: bool,
}

impl Adapter {
    /// Has a command run, for a request that is answered when the run is there.
    pub fn record(&mut self, request: &RecordRequest, folder: &Path, asked: &Request) {
        let is_wanted = self.client.supports_progress_reporting;
        let progress = Progress::new(self.out.clone(), self.request, "Recording", is_wanted);
        let printed = Mutex::new(Printed { out: self.out.clone(), cut: Default::default() });
        let run = Arc::new(OnceLock::new());
        let found = run.clone();
        let request = RecordRequest {
            started: Some(OnStarted(Arc::new(move |run| {
                // It begins once.
                let _ = found.set(run.into());
            }))),
            cancel: self.control.cancel.clone(),
            output: Output::Sink(Arc::new(move |stream, bytes| {
                printed.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).print(stream, bytes);
            })),
            progress: Some(OnProgress(Arc::new(move |so_far| {
                progress.tell(&format!("{} events", so_far.n_events), None);
            }))),
            ..request.clone()
        };
        self.n_recordings += 1;
        let (number, hand, folder) = (self.n_recordings, self.hand.clone(), folder.to_owned());
        let cancel = request.cancel.clone();
        let thread = thread::spawn(move || {
            let recorded = catch_unwind(AssertUnwindSafe(|| debugger::record(&request, &folder)));
            // The client hears of no more progress.
            drop(request);
            let failed = || Refusal::new("the recording failed inside Wherefore");
            let recorded = recorded.map_err(|_| failed()).and_then(|recorded| Ok(recorded?));
            // The session may have ended.
            let _ = hand.send(Told::Recorded(number, Box::new(recorded)));
        });
        let asked = asked.clone();
        let (is_awaited, goes_on, ends_session) = (true, None, false);
        self.running = Some(Running { number, cancel, thread, run, asked, is_awaited, goes_on, ends_session });
        // Without a thread there is nothing that a person could pause.
        self.out.event("thread", json!({"reason": "started", "threadId": 1}));
    }

    /// Opens what is recorded so far.
    pub fn pause(&mut self) -> Body {
        let Some(running) = &self.running else { return Ok(json!({})) };
        if !running.is_awaited {
            // What moves was cancelled where messages are read.
            if running.goes_on.is_some() {
                self.refresh()?;
                self.stop_at_newest();
            }
            return Ok(json!({}));
        }
        let nothing = || Refusal::new("nothing of the program is recorded yet");
        let run = running.run.get().ok_or_else(nothing)?;
        let session = Session::open(&RunChoice(Some(run.display().to_string())), run)?;
        if session.n_threads() == 0 {
            return Err(nothing());
        }
        self.open_run(session)?;
        self.stop_at_newest();
        self.then = Then::Opened;
        Ok(json!({}))
    }

    /// Control stands at the end of what is recorded so far.
    fn stop_at_newest(&mut self) {
        if let Some(open) = &mut self.open {
            open.go_to_newest(&self.control);
        }
        self.references.forget();
        if let Some(running) = &mut self.running {
            running.goes_on = None;
        }
        self.then = Then::Show("pause");
    }

    /// The run that a request waits for is open: now it is answered.
    pub fn answer_awaited(&mut self) {
        let Some(running) = self.running.as_mut().filter(|running| running.is_awaited) else { return };
        running.is_awaited = false;
        let asked = running.asked.clone();
        self.out.answer(&asked, Ok(json!({})));
        self.after_opening(&asked.command);
        self.follow_up();
    }

    /// A launch goes on with the breakpoints of the client; at a restart they are known.
    fn after_opening(&mut self, command: &str) {
        if command == "restart" {
            self.arm_again();
        }
        self.then = if command == "restart" { Then::Show(ENTRY) } else { Then::Initialized };
    }

    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Control goes on when there is more of the run, or a pause says that it stops.
    pub fn wait_for_more(&mut self, motion: Motion) {
        if let Some(running) = &mut self.running {
            running.goes_on = Some(motion);
        }
    }

    /// The program is over, and its run is whole.
    pub fn recorded(&mut self, number: usize, recorded: Result<Recorded, Refusal>, pending: &Pending) {
        // Of one that was stopped for another nobody wants to hear.
        let Some(running) = self.running.take_if(|running| running.number == number) else { return };
        if let Ok(recorded) = &recorded {
            self.tell_of(recorded);
        }
        self.request = running.asked.seq;
        self.control = self.control_of(&running.asked, running.cancel);
        if running.is_awaited {
            let opened = recorded.and_then(|recorded| self.open_recorded(&recorded));
            let is_open = opened.is_ok();
            self.out.answer(&running.asked, opened.map(|()| json!({})));
            if is_open {
                self.after_opening(&running.asked.command);
            }
        } else if let Err(refusal) = recorded.and_then(|_| self.grown(running.goes_on)) {
            self.out.say(refusal.sentence);
        }
        if running.ends_session {
            self.then = Then::Nothing;
            self.out.event("terminated", json!({}));
        }
        self.follow_up();
        self.control = debugger::Control::default();
        pending.is_done(running.asked.seq);
    }

    fn open_recorded(&mut self, recorded: &Recorded) -> Result<(), Refusal> {
        if recorded.ending == Ending::Cancelled {
            return Err(debugger::Error::Cancelled.into());
        }
        let run = recorded.folder.display().to_string();
        self.open_run(Session::open(&RunChoice(Some(run)), &recorded.folder)?)
    }

    /// A run that is open has become whole.
    fn grown(&mut self, goes_on: Option<Motion>) -> Result<(), Refusal> {
        self.refresh()?;
        (self.options.opened)(&self.opened()?.session);
        self.print_log_points();
        if let Some(motion) = goes_on {
            self.then = Then::Move(motion);
        }
        Ok(())
    }

    /// What is open, as it is now.
    pub fn refresh(&mut self) -> Result<(), Refusal> {
        if let Some(open) = &mut self.open {
            open.refresh()?;
        }
        self.arm_files_and_functions();
        Ok(())
    }

    /// Ends the program and, with it, the session.
    pub fn terminate(&mut self) -> Body {
        match &mut self.running {
            Some(running) => {
                running.cancel.cancel();
                running.ends_session = true;
            }
            None => self.out.event("terminated", json!({})),
        }
        Ok(json!({}))
    }

    /// Ends the program, and waits until its run is whole.
    pub fn stop_program(&mut self) {
        if let Some(running) = &self.running {
            running.cancel.cancel();
        }
        self.wait_for_program();
    }

    pub fn wait_for_program(&mut self) {
        if let Some(running) = self.running.take() {
            // One that panicked is over as well.
            let _ = running.thread.join();
        }
    }

    fn tell_of(&self, recorded: &Recorded) {
        let outcome = match recorded.outcome {
            RunOutcome::Exited(code) => format!("ended with {code}"),
            RunOutcome::Killed { signal } => format!("was killed by signal {signal}"),
            RunOutcome::Running | RunOutcome::Unfinished => "has not ended".into(),
        };
        let run = name_of(&recorded.folder);
        self.out.say(format!("recorded as run {run}: {} events; the program {outcome}", recorded.n_events));
        recorded.notes.iter().for_each(|note| self.out.say(note));
    }
}

/// What the program prints, in whole characters.
struct Printed {
    out: Arc<Outlet>,
    /// The beginning of a character whose rest comes later: of stdout, of stderr.
    cut: [Vec<u8>; 2],
}

impl Printed {
    fn print(&mut self, stream: Stream, bytes: &[u8]) {
        let (category, cut) = match stream {
            Stream::Stdout => ("stdout", &mut self.cut[0]),
            Stream::Stderr => ("stderr", &mut self.cut[1]),
            Stream::Driver => return,
        };
        cut.extend_from_slice(bytes);
        let whole = whole_characters(cut);
        let text = String::from_utf8_lossy(&cut[..whole]).into_owned();
        cut.drain(..whole);
        if !text.is_empty() {
            self.out.event("output", json!({"category": category, "output": text}));
        }
    }
}

/// How many bytes there are before a character that is cut.
fn whole_characters(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_that_is_cut_waits_for_its_rest() {
        assert_eq!(whole_characters("aü".as_bytes()), 3);
        assert_eq!(whole_characters(&"aü".as_bytes()[..2]), 1);
        assert_eq!(whole_characters(b"a\xFFb"), 3);
    }
}
