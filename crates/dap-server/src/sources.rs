//! Files: where they are, or as they were. What a file held when it was run may not be what it holds now, and then the text of the
//! recording is shown.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use debugger::{Answer, PageRequest, QuestionKind, Where};
use serde_json::json;

use crate::adapter::{Adapter, Body};
use crate::protocol::{Source, SourceArguments};
use crate::refusal::Refusal;

/// Files as the client was told of them.
#[derive(Default)]
pub struct Sources {
    /// By file, as points name it.
    known: HashMap<String, Source>,
    /// Those that are shown as they were: number n is the nth.
    recorded: Vec<String>,
}

impl Sources {
    pub fn forget(&mut self) {
        self.known.clear();
    }

    /// The file that a client means.
    pub fn file_of(&self, source: &Source) -> Result<String, Refusal> {
        let by_number = source.source_reference.filter(|number| *number > 0);
        match (by_number.and_then(|number| self.recorded.get(number as usize - 1)), &source.path, &source.name) {
            (Some(file), ..) => Ok(file.clone()),
            (None, Some(path), _) => Ok(path.clone()),
            (None, None, Some(name)) => Ok(name.clone()),
            (None, None, None) => Err(Refusal::new("a source needs a path")),
        }
    }

    fn as_recorded(&mut self, file: &str) -> i64 {
        let known = self.recorded.iter().position(|known| known == file);
        known.unwrap_or_else(|| {
            self.recorded.push(file.to_owned());
            self.recorded.len() - 1
        }) as i64
            + 1
    }
}

impl Adapter {
    /// A file of a point, as the client finds it.
    pub fn source_of(&mut self, file: &str) -> Source {
        if let Some(known) = self.sources.known.get(file) {
            return known.clone();
        }
        let name = file.rsplit('/').next().map(str::to_owned);
        let path = self.path_of(file);
        let is_library = self.open.as_ref().is_some_and(|open| !open.session.is_own_file(file));
        let mut source = Source {
            name,
            path: path.clone(),
            presentation_hint: is_library.then(|| "deemphasize".to_owned()),
            ..Source::default()
        };
        if !path.is_some_and(|path| self.is_as_it_was(file, Path::new(&path))) {
            source.source_reference = Some(self.sources.as_recorded(file));
            source.origin = Some("as it was when it was recorded".into());
        }
        self.sources.known.insert(file.to_owned(), source.clone());
        source
    }

    /// Nothing for what never was a file: `evalmachine.<anonymous>`.
    fn path_of(&self, file: &str) -> Option<String> {
        let file = file.strip_prefix("file://").unwrap_or(file);
        let session = &self.open.as_ref()?.session;
        // The files of a shared run are elsewhere, whatever lies here under their names.
        if session.is_imported() {
            return None;
        }
        let path = session.program_folder().join(file);
        (!file.contains('<') && !file.starts_with("node:")).then(|| path.display().to_string())
    }

    fn is_as_it_was(&self, file: &str, path: &Path) -> bool {
        let Some(open) = &self.open else { return false };
        let Ok(written) = fs::metadata(path).and_then(|found| found.modified()) else { return false };
        // What was written before the run began was not written since.
        if written < UNIX_EPOCH + Duration::from_micros(open.session.about().start) {
            return true;
        }
        let Ok(now) = fs::read_to_string(path) else { return false };
        self.recorded_text(file).is_ok_and(|then| plain(&then) == plain(&now))
    }

    fn recorded_text(&self, file: &str) -> Result<String, Refusal> {
        match self.ask(QuestionKind::Source { file: file.into(), counts: false }, Where::default())?.answer {
            Answer::Source(source) => Ok(source.text),
            _ => Err(Refusal::nothing_open()),
        }
    }

    pub fn source(&self, asked: &SourceArguments) -> Body {
        let of_number = Source { source_reference: asked.source_reference, ..Source::default() };
        let file = match &asked.source {
            Some(source) if source.source_reference.is_some() || asked.source_reference.is_none() => {
                self.sources.file_of(source)?
            }
            _ => self.sources.file_of(&of_number)?,
        };
        Ok(json!({"content": self.recorded_text(&file)?, "mimeType": "text/javascript"}))
    }

    pub fn loaded_sources(&mut self) -> Body {
        let Answer::Sources(files) = self.ask(QuestionKind::Sources(PageRequest::default()), Where::default())?.answer
        else {
            return Err(Refusal::nothing_open());
        };
        let sources: Vec<Source> = files.items.iter().map(|shown| self.source_of(&shown.file)).collect();
        Ok(json!({"sources": sources}))
    }
}

/// A byte order mark is no part of the text.
fn plain(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
}
