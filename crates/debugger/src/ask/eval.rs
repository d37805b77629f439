use super::Moment;
use crate::{Error, Value};

impl Moment<'_> {
    /// The value of an expression over the recorded state, or of the one at the point's column. Nothing is run.
    pub(crate) fn eval(&self, text: Option<&str>) -> Result<Value, Error> {
        if let Some(unit) = self.trace.thread.code().unit(self.at.scene.unit) {
            self.check_source(unit);
        }
        Ok(self.value(&self.datum(text)?, self.at.scene.before))
    }

    pub(crate) fn datum(&self, text: Option<&str>) -> Result<query::Datum, Error> {
        match (text, &self.at.focus) {
            (Some(text), _) => {
                let typed = self.parse(text)?;
                let value = self.trace.evaluate(self.at.scene, &typed.expressions, typed.root);
                if value == Ok(query::Datum::Undefined)
                    && let Ok(place) = self.trace.place(self.at.scene, &typed.expressions, typed.root)
                {
                    self.note_if_mistyped(&place, text);
                }
                value.map_err(|fault| self.explain(fault, text))
            }
            (None, Some(focus)) => {
                let code = self.trace.code(focus.unit).ok_or(Error::NothingRecorded)?;
                let value = self.trace.value_in(&code, self.at.scene, &focus.evaluation, focus.expression);
                value.map_err(|fault| self.explain(fault, &code.words(focus.expression)))
            }
            (None, None) => Err(Error::NoPlace),
        }
    }
}
