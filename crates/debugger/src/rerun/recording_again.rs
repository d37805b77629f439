//! A run as a request to record its program once more.

use super::asking::{STDIN, refuse_imported};
use crate::{Error, Input, RecordRequest, Session};

impl Session {
    /// What records the program of this run again, as it was started: with what it read then, and else with nothing to read. Where its
    /// output goes, and who is told how far it is, is up to whoever asks.
    pub fn recorded_again(&self) -> Result<RecordRequest, Error> {
        refuse_imported(self.run())?;
        let file = self.run().file();
        let stdin = self.folder().join(STDIN);
        Ok(RecordRequest {
            folder: Some(file.folder.clone().into()),
            input: if stdin.exists() { Input::From(stdin) } else { Input::Nothing },
            drive: file.drive.clone(),
            ..RecordRequest::of(file.command.clone())
        })
    }
}
