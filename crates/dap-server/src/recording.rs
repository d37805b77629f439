//! Records a command for the client: what the program prints is shown as it comes, and the recording can be cancelled.

use std::path::Path;
use std::sync::{Arc, Mutex};

use debugger::{Ending, OnProgress, Output, RecordRequest, Recorded, RunChoice, RunOutcome, Session, Stream};
use serde_json::json;

use crate::adapter::Adapter;
use crate::outlet::Outlet;
use crate::progress::Progress;
use crate::refusal::Refusal;
use crate::starting::name_of;

impl Adapter {
    /// Runs a command to its end, and opens the run.
    pub fn record(&self, request: &RecordRequest, folder: &Path) -> Result<Session, Refusal> {
        let is_wanted = self.client.supports_progress_reporting;
        let progress = Progress::new(self.out.clone(), self.request, "Recording", is_wanted);
        let printed = Mutex::new(Printed { out: self.out.clone(), cut: Default::default() });
        let request = RecordRequest {
            cancel: self.control.cancel.clone(),
            output: Output::Sink(Arc::new(move |stream, bytes| {
                printed.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).print(stream, bytes);
            })),
            progress: Some(OnProgress(Arc::new(move |so_far| {
                progress.tell(&format!("{} events", so_far.n_events), None);
            }))),
            ..request.clone()
        };
        let recorded = debugger::record(&request, folder)?;
        if recorded.ending == Ending::Cancelled {
            return Err(debugger::Error::Cancelled.into());
        }
        self.tell_of(&recorded);
        Ok(Session::open(&RunChoice(Some(recorded.folder.display().to_string())), folder)?)
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
