//! Where the object of a value came to be.

use query::Datum;
use trace_model::SiteKind;
use trace_store::Step;

use super::{Moment, Point};
use crate::{Error, Value};

#[derive(Clone, Debug)]
pub struct BirthAnswer {
    pub kind: BirthKind,
    /// As it was asked for.
    pub place: String,
    /// What is there at the point.
    pub value: Value,
    /// Where the object was made, or first seen.
    pub point: Option<Point>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BirthKind {
    Made,
    /// A built-in, code that is not recorded or a class without a constructor made it: it was first seen at the point, which is the
    /// call that gave it where there is one.
    FirstSeen,
    /// Only objects are born.
    NoObject,
    NotCaptured,
}

impl BirthKind {
    pub fn is_known(self) -> bool {
        matches!(self, BirthKind::Made | BirthKind::FirstSeen)
    }
}

impl Moment<'_> {
    /// Of what a place holds; of the expression at the point's column if none is named.
    pub(crate) fn birth(&self, place: Option<&str>) -> Result<BirthAnswer, Error> {
        let datum = self.datum(place)?;
        let (kind, step) = match &datum {
            Datum::Object(object) => match self.trace.origin(*object) {
                Some(first) => self.born_at(first),
                None => (BirthKind::NotCaptured, None),
            },
            Datum::NotCaptured => (BirthKind::NotCaptured, None),
            _ => (BirthKind::NoObject, None),
        };
        let place = match (place, &self.at.focus) {
            (Some(place), _) => place.to_owned(),
            (None, Some(focus)) => {
                let code = self.trace.code(focus.unit);
                code.map_or_else(String::new, |code| code.words(focus.expression).into_owned())
            }
            (None, None) => String::new(),
        };
        let value = self.value(&datum, self.at.scene.before);
        Ok(BirthAnswer { kind, place, value, point: step.map(|step| self.point(&step)) })
    }

    /// Where an object was born of which this is the first event.
    fn born_at(&self, first: Step) -> (BirthKind, Option<Step>) {
        match self.trace.kind(&first) {
            // What is under construction was born by the call.
            Some(SiteKind::This) => {
                let call = first.frame.and_then(|frame| self.trace.call_of(frame));
                (BirthKind::Made, call.or(Some(first)))
            }
            Some(_) => (BirthKind::Made, Some(first)),
            // It was looked at when it was met: most often it is what a call gave.
            None => (BirthKind::FirstSeen, self.trace.belongs_to(&first).or(Some(first))),
        }
    }
}
