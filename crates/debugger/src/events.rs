use trace_model::{Event, EventId, SiteKind};
use trace_store::{CallStack, Run, Thread};

use crate::event_line::{RECORD_KINDS, kind_name, relative};
use crate::{Error, EventLine, Session};

/// Which events are wanted. The default: all but those that only give numbers to strings and symbols.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EventFilter {
    /// A number from 1, or `4711-0`.
    pub thread: Option<String>,
    /// Any of these; small and capital letters alike.
    pub kinds: Vec<String>,
    /// The end of a path, from a folder's name on.
    pub file: Option<String>,
    pub line: Option<u32>,
    pub function: Option<String>,
    pub from: Option<u64>,
    pub to: Option<u64>,
    pub limit: Option<usize>,
}

/// Hands out the events that pass, thread after thread, until `sink` has enough and says false. Gives what could not be read.
pub fn events(
    session: &Session,
    filter: &EventFilter,
    mut sink: impl FnMut(EventLine) -> bool,
) -> Result<Vec<String>, Error> {
    let run = session.run();
    check_kinds(&filter.kinds)?;
    let threads = chosen_threads(run, filter)?;
    let folder = &run.file().folder;
    let mut notes = run.notes().to_vec();
    let mut n_left = filter.limit.unwrap_or(usize::MAX);
    for (number, thread) in threads {
        let mut stack = CallStack::default();
        let mut events = thread.events();
        while n_left > 0 {
            let n_frames = events.counts().frames;
            let Some((id, event)) = events.next() else { break };
            if id > EventId(filter.to.unwrap_or(u64::MAX)) {
                break;
            }
            // What `--keep-last` dropped, and damage, leave frames out.
            if stack.last_number().0 != n_frames {
                stack = CallStack::starting_at(n_frames);
            }
            stack.feed(&event, thread.code());
            if filter.passes(id, &event, thread, folder) {
                n_left -= 1;
                note_lost_source(&event, thread, folder, &mut notes);
                if !sink(EventLine::new(thread, number, id, &event, &stack, folder)) {
                    return Ok(notes);
                }
            }
        }
        notes.extend_from_slice(events.notes());
    }
    Ok(notes)
}

impl EventFilter {
    pub(crate) fn passes(&self, id: EventId, event: &Event, thread: &Thread, folder: &str) -> bool {
        let kind = kind_name(event, thread);
        if self.from.is_some_and(|from| id.0 < from) {
            return false;
        }
        let is_wanted_kind = match &self.kinds[..] {
            [] => !matches!(kind, "String" | "Symbol"),
            kinds => kinds.iter().any(|wanted| wanted.eq_ignore_ascii_case(kind)),
        };
        is_wanted_kind && self.passes_place(event, thread, folder)
    }

    fn passes_place(&self, event: &Event, thread: &Thread, folder: &str) -> bool {
        if self.file.is_none() && self.line.is_none() && self.function.is_none() {
            return true;
        }
        let Event::Site { site, .. } = event else { return false };
        let Some(site) = thread.site(*site) else { return false };
        let is_file = |file: &String| ends_path(relative(site.path(), folder), file);
        let is_line = |line: &u32| site.position().is_some_and(|position| position.line == *line);
        let is_function = |name: &String| site.name(site.function().name) == name;
        self.file.iter().all(is_file) && self.line.iter().all(is_line) && self.function.iter().all(is_function)
    }
}

/// Says, once for each file, why its events have no lines.
fn note_lost_source(event: &Event, thread: &Thread, folder: &str, notes: &mut Vec<String>) {
    let Event::Site { site, .. } = event else { return };
    let Some(site) = thread.site(*site) else { return };
    if let Err(why) = site.code.source() {
        let note = format!("{why}: the lines of {} are not known", relative(site.path(), folder));
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
}

/// Whether a path is `end`, or ends with it behind a slash.
fn ends_path(path: &str, end: &str) -> bool {
    let end = end.strip_prefix("./").unwrap_or(end);
    path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

fn chosen_threads<'r>(run: &'r Run, filter: &EventFilter) -> Result<Vec<(usize, &'r Thread)>, Error> {
    let numbered = run.threads().iter().enumerate().map(|(i, thread)| (i + 1, thread));
    let Some(wanted) = &filter.thread else { return Ok(numbered.collect()) };
    let chosen: Vec<_> =
        numbered.filter(|(number, thread)| number.to_string() == *wanted || thread.name() == *wanted).collect();
    if chosen.is_empty() {
        return Err(Error::NoSuchThread { wanted: wanted.clone(), n_threads: run.threads().len() });
    }
    Ok(chosen)
}

pub(crate) fn check_kinds(kinds: &[String]) -> Result<(), Error> {
    let known = || SiteKind::ALL.iter().map(|kind| kind.name()).chain(RECORD_KINDS);
    match kinds.iter().find(|wanted| !known().any(|kind| kind.eq_ignore_ascii_case(wanted))) {
        Some(wanted) => {
            Err(Error::NoSuchKind { wanted: wanted.clone(), known: known().collect::<Vec<_>>().join(", ") })
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_end_at_names() {
        assert!(ends_path("src/app.js", "app.js") && ends_path("app.js", "./app.js"));
        assert!(!ends_path("src/myapp.js", "app.js"));
    }
}
