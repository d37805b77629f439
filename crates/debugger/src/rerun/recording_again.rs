//! A run as a request to run its program once more: to record all of it, or what one question needs.

use super::asking::{STDIN, Surroundings, refuse_imported};
use crate::ask::PointText;
use crate::{Error, Input, Question, RecordRequest, RecordedCode, Rerun, RunChoice, Session, SignalsOf};

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
            code: RecordedCode::of(self.run()),
            ..RecordRequest::of(file.command.clone())
        })
    }

    /// What answers a question by running the program of this run again, as it was started.
    pub fn asked_again(&self, question: Question, surroundings: Surroundings) -> Result<Rerun, Error> {
        refuse_imported(self.run())?;
        if matches!(question.from.at, Some(PointText::Event(_))) {
            let text = "events have other numbers in another run; name the point by its line, as app.js:22#3";
            return Err(Error::Usage(text.into()));
        }
        let folder = Some(self.run().file().folder.clone().into());
        Ok(Rerun {
            command: Vec::new(),
            question,
            origin: RunChoice(Some(self.folder().display().to_string())),
            timeout: None,
            drive: None,
            signals: SignalsOf::ThisProcess,
            surroundings: Surroundings { folder, ..surroundings },
            code: None,
        })
    }
}
