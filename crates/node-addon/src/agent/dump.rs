//! All that a report may be made of.

use crash_dump::{CrashDump, Events, Recording, Unit, Unrecorded};

use super::{AgentSettings, Crash, policy};
use crate::code;
use crate::ring::{self, Kept};
use crate::settings;

pub fn of(settings: &AgentSettings, crash: Crash) -> CrashDump {
    let Crash { classes, stack, is_formatted, message } = crash;
    let mut told = settings.all().clone();
    // Where the program waits, the report has to be there before it stops to.
    if let Some(time) = settings.time() {
        told.insert("time".into(), time.as_millis().to_string());
    }
    CrashDump { settings: told.into_iter().collect(), classes, stack, is_formatted, message, recording: recording() }
}

/// What the calling thread recorded; nothing if it does not record.
fn recording() -> Option<Recording> {
    let (in_force, settings) = (policy::in_force()?, settings::get()?);
    let events = ring::kept().map(|Kept { info, before, chunks }| Events { ring: info, before, chunks });
    let (units, unrecorded) = code::in_memory();
    let mut room = MOST_SOURCE;
    let units = units.into_iter().map_while(|(record, sites, source)| {
        room = room.checked_sub(source.len())?;
        Some(Unit { record, sites, source })
    });
    let unrecorded = unrecorded.into_iter().take(MOST_UNRECORDED).map(|code| Unrecorded {
        path: code.path,
        kind: code::code_kind(code.kind),
        length: code.length as u64,
    });
    Some(Recording {
        policy_id: in_force.id.clone(),
        policy: settings.policy_text.clone(),
        n_labels: in_force.n_labels as u32,
        seconds: in_force.since.elapsed().as_secs_f64(),
        events,
        units: units.collect(),
        unrecorded: unrecorded.collect(),
    })
}

/// Of the code that a policy names, so many bytes are handed over. A server names some functions of some files.
const MOST_SOURCE: usize = 64 << 20;
const MOST_UNRECORDED: usize = 20_000;
