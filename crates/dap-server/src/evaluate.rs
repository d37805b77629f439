//! Expressions over the recorded state, for hovers, watches and the console. Nothing is run.

use debugger::{Answer, QuestionKind, Where};

use crate::adapter::{Adapter, Body, body};
use crate::console::Command;
use crate::paging::numbers_of;
use crate::protocol::{EvaluateArguments, Evaluated};
use crate::refusal::Refusal;
use crate::variables::PlaceFound;

impl Adapter {
    pub fn evaluate(&mut self, asked: &EvaluateArguments) -> Body {
        let is_console = asked.context.as_deref() == Some("repl");
        let command = Command::parse(&asked.expression).filter(|_| is_console);
        body(match command {
            Some(command) => self.command(&command?, asked.frame_id),
            None => self.value_of(asked),
        })
    }

    fn value_of(&mut self, asked: &EvaluateArguments) -> Result<Evaluated, Refusal> {
        let frame = self.frame_or_innermost(asked.frame_id)?;
        let expression = asked.expression.trim().to_owned();
        let from = Where { frame: frame.clone(), ..Where::default() };
        let Answer::Eval(value) = self.ask(QuestionKind::Eval { expression: Some(expression.clone()) }, from)?.answer
        else {
            return Err(Refusal::nothing_open());
        };
        let variables_reference = self.reference_to(&value, &expression, frame.as_ref());
        let place = frame.map(|frame| PlaceFound { place: expression.clone(), name: expression, frame });
        Ok(Evaluated {
            result: value.text,
            kind: Some(value.kind.name()),
            variables_reference,
            numbers: numbers_of(value.elements.filter(|_| variables_reference > 0)),
            value_location_reference: place.map(|place| self.references.add_location(place)),
        })
    }
}
