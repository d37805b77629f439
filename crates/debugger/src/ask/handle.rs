//! What a variable view opens: frames, scopes and objects at a moment, as texts that any process can use later.

use std::fmt;
use std::str::FromStr;

use query::Scene;
use trace_model::{EventId, FrameId, FunctionIndex, ObjectId};

use super::{Moment, PointText, Session};
use crate::Error;

/// A frame, a scope or an object at a moment of a run. A text that means nothing to whoever holds it; any process that opens the
/// run understands it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Handle(String);

/// What a handle stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Held {
    /// `1@40/12`
    Frame(FrameId),
    /// `1@40/12/3`: the variables of the function 3 that are seen from frame 12.
    Scope(FrameId, FunctionIndex),
    /// `1@40#17`
    Object(ObjectId),
}

impl Handle {
    fn of(moment: &Moment, held: Held) -> Handle {
        let at = format!("{}@{}", moment.number, moment.at.scene.before.0);
        Handle(match held {
            Held::Frame(frame) => format!("{at}/{}", frame.0),
            Held::Scope(frame, function) => format!("{at}/{}/{}", frame.0, function.0),
            Held::Object(object) => format!("{at}#{}", object.0),
        })
    }

    /// The thread, the moment, and what is meant there.
    fn parts(&self) -> Option<(usize, EventId, Held)> {
        let (thread, rest) = self.0.split_once('@')?;
        let (before, held) = match rest.split_once('#') {
            Some((before, object)) => (before, Held::Object(ObjectId(object.parse().ok()?))),
            None => {
                let (before, rest) = rest.split_once('/')?;
                let held = match rest.split_once('/') {
                    Some((frame, function)) => {
                        Held::Scope(FrameId(frame.parse().ok()?), FunctionIndex(function.parse().ok()?))
                    }
                    None => Held::Frame(FrameId(rest.parse().ok()?)),
                };
                (before, held)
            }
        };
        Some((thread.parse().ok()?, EventId(before.parse().ok()?), held))
    }

    /// An object, by its number, at the moment of this handle.
    pub fn of_object(&self, number: u32) -> Option<Handle> {
        let at = self.0.split(['/', '#']).next().filter(|_| self.parts().is_some())?;
        Some(Handle(format!("{at}#{number}")))
    }

    pub(super) fn refused(&self) -> Error {
        Error::NoSuchHandle { handle: self.0.clone() }
    }
}

impl Moment<'_> {
    pub(super) fn handle(&self, held: Held) -> Handle {
        Handle::of(self, held)
    }
}

impl Session {
    /// A moment, seen from a frame that is open then.
    pub(super) fn moment_of_frame(&self, handle: &Handle) -> Result<Moment<'_>, Error> {
        let (mut moment, Held::Frame(frame)) = self.held(handle)? else { return Err(handle.refused()) };
        if moment.at.scene.frame != Some(frame) {
            let info = moment.trace.frame(frame).ok_or_else(|| handle.refused())?;
            let before = moment.at.scene.before;
            moment.at.scene = Scene { before, frame: Some(frame), unit: info.unit, within: None };
        }
        moment.at.focus = None;
        moment.is_of_frame = true;
        Ok(moment)
    }

    /// What a handle stands for, and its moment.
    pub(super) fn held(&self, handle: &Handle) -> Result<(Moment<'_>, Held), Error> {
        let (number, before, held) = handle.parts().ok_or_else(|| handle.refused())?;
        let thread = number.to_string();
        let [(_, of)] = self.threads(Some(&thread)).map_err(|_| handle.refused())?[..] else {
            return Err(handle.refused());
        };
        if before > of.end() {
            return Err(handle.refused());
        }
        // Behind the last event there is a moment, too.
        let event = before.0.min(of.end().0.saturating_sub(1));
        let mut moment = self
            .moment_at(Some(&PointText::Event(event)), Some(&thread))
            .or_else(|_| self.moment_at(Some(&PointText::End), Some(&thread)))?;
        moment.at.scene.before = before;
        Ok((moment, held))
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Any text may be one; whether it is one of the run is known when it is asked for.
impl FromStr for Handle {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Handle, Self::Err> {
        Ok(Handle(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_texts() {
        let parts = |text: &str| text.parse::<Handle>().unwrap().parts();
        assert_eq!(parts("1@40#17"), Some((1, EventId(40), Held::Object(ObjectId(17)))));
        assert_eq!(parts("2@40/12"), Some((2, EventId(40), Held::Frame(FrameId(12)))));
        assert_eq!(parts("1@40/12/3"), Some((1, EventId(40), Held::Scope(FrameId(12), FunctionIndex(3)))));
        for text in ["", "1", "1@", "1@4", "1@4#", "1@4/", "1@4/x", "1@4/1/2/3", "x@4#1", "1@4#-1", "#17"] {
            assert_eq!(parts(text), None, "{text}");
        }
        let object = |text: &str| text.parse::<Handle>().unwrap().of_object(5).map(|object| object.to_string());
        assert_eq!(object("1@40/12/3").as_deref(), Some("1@40#5"));
        assert_eq!(object("1@40#17").as_deref(), Some("1@40#5"));
        assert_eq!(object("40"), None);
    }
}
