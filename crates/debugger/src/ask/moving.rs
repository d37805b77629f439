//! Moving about in a run: a step, the next or last time that something happened, the threads, the sources, the run from far away.

use query::{Direction, Stride};
use trace_model::{EventId, SiteId, SiteKind};
use trace_store::{Stretch, Target};

use super::{FindRequest, Moment, Point, PointText, Session};
use crate::{Error, Where};

/// A step, from the point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepRequest {
    pub stride: StepStride,
    pub is_back: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepStride {
    /// To the next statement, also inside of what is called.
    Into,
    /// To the next statement of the same function, or of its caller.
    Over,
    /// To the caller: behind the call, or, back, before it.
    Out,
}

/// The next time, or the last, that something happens.
#[derive(Clone, PartialEq, Debug)]
pub struct SeekRequest {
    /// A line, a call of a function, a write of a place, an exception: as [`FindRequest`] says it.
    pub what: FindRequest,
    pub is_back: bool,
}

/// Where a step or a search led; nothing: to the end or the start of the thread.
#[derive(Clone, Debug)]
pub struct MoveAnswer {
    pub point: Option<Point>,
}

#[derive(Clone, Debug)]
pub struct ThreadShown {
    pub number: usize,
    /// `4711-0`: its process, and its number there.
    pub name: String,
    /// Microseconds since 1970.
    pub start: u64,
    /// The first event that is kept, and one behind the last.
    pub events: (u64, u64),
}

/// A file that was loaded.
#[derive(Clone, Debug)]
pub struct SourceShown {
    pub file: String,
    /// How many lines of it have code, and how many of them were executed.
    pub n_lines: usize,
    pub n_executed: usize,
}

/// A file, line by line.
#[derive(Clone, Debug)]
pub struct SourceText {
    pub file: String,
    /// As it was when it was run.
    pub text: String,
    /// Lines that have code, with how often each was executed.
    pub hits: Vec<(u32, u64)>,
}

/// Which part of a thread, and in how many parts it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OverviewRequest {
    /// Event numbers; nothing: the whole thread.
    pub events: Option<(u64, u64)>,
    pub n_parts: usize,
}

#[derive(Clone, Debug)]
pub struct OverviewAnswer {
    pub thread: usize,
    pub parts: Vec<PartShown>,
}

/// What happened in a part of a thread.
#[derive(Clone, Debug)]
pub struct PartShown {
    /// From this event to before that one.
    pub events: (u64, u64),
    pub n_calls: u64,
    /// Exceptions that a statement threw.
    pub n_throws: u64,
    pub prints: bool,
    /// An exception left the program.
    pub fails: bool,
    /// The functions that were open at its start, outermost first, with the numbers of their frames.
    pub stack: Vec<(u32, String)>,
    /// The function that did most.
    pub busiest: Option<String>,
}

impl Moment<'_> {
    pub(crate) fn step_away(&self, request: &StepRequest) -> MoveAnswer {
        let stride = match request.stride {
            StepStride::Into => Stride::Into,
            StepStride::Over => Stride::Over,
            StepStride::Out => Stride::Out,
        };
        let direction = if request.is_back { Direction::Back } else { Direction::Forward };
        let to = self.trace.step_from(&self.at.step, stride, direction);
        MoveAnswer { point: to.map(|step| self.point(&step)) }
    }

    pub(crate) fn overview(&self, request: &OverviewRequest) -> OverviewAnswer {
        self.trace.rests_on_everything("what happened at all is asked for");
        let thread = self.trace.thread;
        let (first, end) = request.events.unwrap_or((thread.first_event().0, thread.end().0));
        let parts = thread.overview(EventId(first)..EventId(end), request.n_parts);
        OverviewAnswer { thread: self.number, parts: parts.into_iter().map(|part| self.shown_part(part)).collect() }
    }

    fn shown_part(&self, part: Stretch) -> PartShown {
        let name = |unit: SiteId, function| {
            let unit = self.trace.thread.code().unit(unit)?;
            let file = || self.relative(unit.place(0).map_or(&unit.record.path, |place| place.path));
            Some(self.function_name(unit, function).unwrap_or_else(file))
        };
        let frame = |(id, (unit, function)): (trace_model::FrameId, trace_store::FunctionOf)| {
            Some((id.0, name(unit, function)?))
        };
        PartShown {
            events: (part.events.start.0, part.events.end.0),
            n_calls: part.n_calls,
            n_throws: part.n_throws,
            prints: part.prints,
            fails: part.fails,
            stack: part.stack.into_iter().take(DEEPEST_SHOWN).filter_map(frame).collect(),
            busiest: part.busiest.and_then(|(unit, function)| name(unit, function)),
        }
    }
}

/// Deeper frames of an overview are not told apart.
const DEEPEST_SHOWN: usize = 64;

impl Session {
    /// The next or the last event that meets the conditions, seen from the point.
    pub(crate) fn seek(&self, from: &Where, request: &SeekRequest) -> Result<(MoveAnswer, Vec<String>), Error> {
        let here = self.moment(from)?;
        let end = here.trace.thread.end();
        // Behind the last event there is nothing, and before it everything.
        if here.at.scene.before >= end && !request.is_back {
            return Ok((MoveAnswer { point: None }, here.notes()));
        }
        let bound = Some(here.at.scene.before).filter(|before| *before < end).map(|before| PointText::Event(before.0));
        let thread = Some(here.number.to_string());
        let what = FindRequest { index: Some(if request.is_back { -1 } else { 0 }), limit: 1, ..request.what.clone() };
        let what = match request.is_back {
            true => FindRequest { before: bound, ..what },
            false => FindRequest { after: bound, ..what },
        };
        let (found, notes) = self.find(&Where { thread, ..from.clone() }, &what)?;
        Ok((MoveAnswer { point: found.results.into_iter().next().map(|found| found.point) }, notes))
    }

    pub(crate) fn shown_threads(&self) -> Vec<ThreadShown> {
        let shown = |(number, thread): (usize, &trace_store::Thread)| ThreadShown {
            number,
            name: thread.name(),
            start: thread.start(),
            events: (thread.first_event().0, thread.end().0),
        };
        (1..).zip(self.run().threads()).map(shown).collect()
    }

    /// The files that the thread of the point loaded, those of the project first.
    pub(crate) fn sources(&self, from: &Where) -> Result<Vec<SourceShown>, Error> {
        let here = self.moment(from)?;
        let mut shown: Vec<SourceShown> = Vec::new();
        for file in here.loaded_files() {
            let hits = here.hits_of(&file);
            let n_executed = hits.iter().filter(|(_, n)| *n > 0).count();
            shown.push(SourceShown { file: here.relative(&file), n_lines: hits.len(), n_executed });
        }
        shown.sort_by(|one, other| {
            let key = |it: &SourceShown| (it.file.contains("node_modules/"), it.file.clone());
            key(one).cmp(&key(other))
        });
        shown.dedup_by(|one, other| one.file == other.file);
        Ok(shown)
    }

    pub(crate) fn source(&self, from: &Where, file: &str) -> Result<SourceText, Error> {
        let here = self.moment(from)?;
        let meant = here.file_meant(file);
        let is_it = |path: &String| trace_model::ends_with_path(path, &meant);
        let loaded = here.loaded_files();
        let path = loaded.iter().find(|path| **path == meant).or_else(|| loaded.iter().find(|path| is_it(path)));
        let no_file = || Error::Usage(format!("no code of {file} was loaded"));
        let path = path.ok_or_else(no_file)?;
        let text = here.source_of(path).ok_or_else(no_file)?;
        Ok(SourceText { file: here.relative(path), text, hits: here.hits_of(path) })
    }
}

impl Moment<'_> {
    /// The paths of the originals of all code, each once.
    fn loaded_files(&self) -> Vec<String> {
        let mut files: Vec<String> = Vec::new();
        for unit in self.trace.thread.code().units() {
            let Ok(code) = unit.code() else { continue };
            let places = code.sites.sites.iter().map(|site| site.span.start).chain([0]);
            // One piece of code may be made of several files.
            let starts: Vec<u32> = if code.has_origins() { places.collect() } else { vec![0] };
            for path in starts.into_iter().filter_map(|start| unit.place(start)).map(|place| place.path) {
                if !files.iter().any(|known| known == path) {
                    files.push(path.to_owned());
                }
            }
        }
        files
    }

    fn source_of(&self, path: &str) -> Option<String> {
        self.trace.thread.code().units().iter().find_map(|unit| {
            let code = unit.code().ok()?;
            let starts = code.sites.sites.iter().map(|site| site.span.start).chain([0]);
            let mut places = starts.filter_map(|start| unit.place(start));
            let place = places.find(|place| place.path == path)?;
            place.source.map(str::to_owned)
        })
    }

    /// The lines of a file that have code, with how often the first of it was executed.
    fn hits_of(&self, path: &str) -> Vec<(u32, u64)> {
        let mut by_line: std::collections::BTreeMap<u32, u64> = std::collections::BTreeMap::new();
        let thread = self.trace.thread;
        for unit in thread.code().units() {
            let Ok(code) = unit.code() else { continue };
            for (number, site) in (0..).zip(&code.sites.sites) {
                if matches!(site.kind, SiteKind::Function | SiteKind::Class | SiteKind::Exit | SiteKind::Scope) {
                    continue;
                }
                let Some(place) = unit.place(site.span.start).filter(|place| place.path == path) else { continue };
                let site = unit.site(trace_model::LocalSite(number));
                let n_hits = self.trace.count(&Target::Sites(&[site]), thread.first_event()..thread.end());
                let known = by_line.entry(place.position.line).or_default();
                *known = (*known).max(n_hits);
            }
        }
        by_line.into_iter().collect()
    }
}
