//! Where values came from: a client that shows one leads to the line that put it there.

use debugger::{Answer, QuestionKind, Where};

use crate::adapter::{Adapter, Body, body};
use crate::protocol::{Location, LocationsArguments};
use crate::refusal::Refusal;
use crate::variables::PlaceFound;

impl Adapter {
    pub fn locations(&mut self, asked: &LocationsArguments) -> Body {
        let Some(PlaceFound { place, name, frame }) = self.references.location(asked.location_reference).cloned()
        else {
            return Err(Refusal::new("this is of a moment that control has left: ask for the variables again"));
        };
        let seen_from = Where { frame: Some(frame), ..Where::default() };
        let Answer::LastChange(change) = self.ask(QuestionKind::LastChange { place: Some(place) }, seen_from)?.answer
        else {
            return Err(Refusal::nothing_open());
        };
        // Who called knows more of what is not recorded than the line at which that shows.
        let point = change.point.filter(|_| change.kind.is_change());
        let found = point.and_then(|point| Some((point.file?, point.line?, point.column)));
        let Some((file, line, column)) = found else {
            let why = change.reason.unwrap_or_else(|| "nothing that was recorded wrote it".into());
            return Err(Refusal::new(format!("where {name} came from is not known: {why}")));
        };
        body(Ok(Location {
            source: self.source_of(&file),
            line: self.line_out(line),
            column: column.map(|column| self.column_out(column)),
        }))
    }
}
