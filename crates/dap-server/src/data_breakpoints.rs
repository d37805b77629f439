//! Breakpoints on places: control stops where one is changed. Backwards, that is where its value came from.

use debugger::{BreakAt, Breakpoint, Handle, QuestionKind, Where};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::adapter::Adapter;
use crate::breakpoints::{Set, count_of, some};
use crate::protocol::{
    BreakpointShown, DataBreakpoint, DataBreakpointInfo, DataBreakpointInfoArguments, SetDataBreakpointsArguments,
};
use crate::refusal::Refusal;
use crate::variables::PlaceFound;

/// A place, with where its name is seen from. The client keeps it, as text.
#[derive(Serialize, Deserialize)]
struct PlaceSeen {
    place: String,
    frame: String,
    /// How a person would name it.
    name: String,
}

impl Adapter {
    /// Whether a variable, a property or what an expression names can have one.
    pub fn data_breakpoint_info(&self, asked: &DataBreakpointInfoArguments) -> Result<DataBreakpointInfo, Refusal> {
        let found = match asked.variables_reference.filter(|reference| *reference > 0) {
            Some(reference) => self.references.place_of(reference, &asked.name),
            None => {
                let frame = self.frame_or_innermost(asked.frame_id)?;
                frame.map(|frame| PlaceFound { place: asked.name.clone(), name: asked.name.clone(), frame })
            }
        };
        let Some(PlaceFound { place, name, frame }) = found else {
            return Ok(no_place(format!("{} is no place of the program", asked.name)));
        };
        let seen_from = Where { frame: Some(frame.clone()), ..Where::default() };
        // The engine knows what is a place.
        match self.ask(QuestionKind::LastChange { place: Some(place.clone()) }, seen_from) {
            Ok(_) => {
                let seen = PlaceSeen { place, frame: frame.to_string(), name };
                let data_id = serde_json::to_string(&seen).expect("plain data can be written");
                let description = seen.name;
                Ok(DataBreakpointInfo { data_id: Some(data_id), description, access_types: vec!["write"] })
            }
            Err(refusal) => Ok(no_place(refusal.sentence)),
        }
    }

    pub fn set_data_breakpoints(&mut self, arguments: SetDataBreakpointsArguments) -> Result<Value, Refusal> {
        self.breakpoints.of_data.clear();
        let mut shown = Vec::new();
        for wanted in arguments.breakpoints {
            let id = self.breakpoints.number();
            let armed = self.data_breakpoint(&wanted);
            let message = armed.as_ref().err().cloned();
            shown.push(BreakpointShown { id, verified: armed.is_ok(), message, ..BreakpointShown::default() });
            let (armed, name) = armed.ok().unzip();
            self.breakpoints.of_data.push(Set { id, armed, name });
        }
        Ok(json!({"breakpoints": shown}))
    }

    fn data_breakpoint(&self, wanted: &DataBreakpoint) -> Result<(Breakpoint, String), String> {
        let seen: PlaceSeen =
            serde_json::from_str(&wanted.data_id).map_err(|_| "this is no place that was found in a run".to_owned())?;
        let hits = count_of(wanted.hit_condition.as_deref())?;
        let frame: Handle = seen.frame.parse().unwrap_or_else(|never| match never {});
        let seen_from = Where { frame: Some(frame), ..Where::default() };
        // A client sets again what it knows from another run.
        self.ask(QuestionKind::LastChange { place: Some(seen.place.clone()) }, seen_from.clone())
            .map_err(|refusal| refusal.sentence)?;
        let at = BreakAt::Change { place: seen.place, seen_from };
        Ok((Breakpoint { at, condition: some(&wanted.condition), hits }, seen.name))
    }
}

fn no_place(why: String) -> DataBreakpointInfo {
    DataBreakpointInfo { data_id: None, description: why, access_types: Vec::new() }
}
