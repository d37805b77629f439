//! Moving about in a run: a step, the next or last time that something happened, the threads, the sources, the run from far away.

use query::{Direction, Stride};
use trace_format::FileLines;
use trace_model::{EventId, SiteId, SiteKind};
use trace_store::{CodeUnit, SourceLocation, Stretch};

use super::{FindRequest, Moment, Point, PointText, Session};
use crate::page::{Cursor, Page, PageRequest};
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
    /// All that was recorded of it.
    pub n_events: u64,
    /// The package that it is of, if it is not the project's own, and whether that is a tool that only runs beside the program.
    pub package: Option<String>,
    pub is_tool: bool,
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
    /// Of the functions that were open, only the project's own.
    pub own: bool,
}

#[derive(Clone, Debug)]
pub struct OverviewAnswer {
    pub thread: usize,
    pub parts: Vec<PartShown>,
    /// Some events of the range, evenly, each with about how long after the start of the run it happened, in microseconds; none where that
    /// was not noted.
    pub times: Vec<(u64, u64)>,
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
        let to = self.trace.step_from(&self.at.step, self.at.scene.before, stride, direction);
        MoveAnswer { point: to.map(|step| self.point(&step)) }
    }

    pub(crate) fn overview(&self, request: &OverviewRequest) -> OverviewAnswer {
        self.trace.rests_on_everything("what happened at all is asked for");
        let thread = self.trace.thread;
        let (first, end) = request.events.unwrap_or((thread.first_event().0, thread.end().0));
        let parts = thread.overview(EventId(first)..EventId(end), request.n_parts);
        let parts: Vec<PartShown> = parts.into_iter().map(|part| self.shown_part(part, request.own)).collect();
        OverviewAnswer { thread: self.number, times: self.times_of(&parts), parts }
    }

    /// An axis has so many marks that it can be read, whatever the number of parts.
    fn times_of(&self, parts: &[PartShown]) -> Vec<(u64, u64)> {
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return Vec::new() };
        let (start, end) = (first.events.0, last.events.1.saturating_sub(1));
        let at = |mark: u64| start + (end - start) * mark / N_TIMES;
        let mut marks: Vec<u64> = (0..=N_TIMES).map(at).collect();
        marks.dedup();
        marks.into_iter().filter_map(|event| Some((event, self.micros_at(EventId(event))?))).collect()
    }

    fn shown_part(&self, part: Stretch, own: bool) -> PartShown {
        let is_told = |(_, (unit, _)): &(trace_model::FrameId, trace_store::FunctionOf)| {
            let path = self.trace.thread.code().unit(*unit).map(|unit| &unit.record.path);
            !own || !path.is_some_and(|path| self.trace.language().is_library(path))
        };
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
            stack: part.stack.into_iter().filter(is_told).take(DEEPEST_SHOWN).filter_map(frame).collect(),
            busiest: part.busiest.and_then(|(unit, function)| name(unit, function)),
        }
    }
}

const N_TIMES: u64 = 16;
/// Deeper frames of an overview are not told apart.
const DEEPEST_SHOWN: usize = 64;

const LIST_OF_THREADS: &str = "threads";
const LIST_OF_SOURCES: &str = "sources";

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
        let mut wanted = request.what.clone();
        if wanted.line.is_some() && wanted.file.is_none() {
            wanted.file = here.here().file;
        }
        let what =
            FindRequest { index: Some(if request.is_back { -1 } else { 0 }), page: PageRequest::first(1), ..wanted };
        let what = match request.is_back {
            true => FindRequest { before: bound, ..what },
            false => FindRequest { after: bound, ..what },
        };
        let (found, notes) = self.find(&Where { thread, ..from.clone() }, &what)?;
        let found = found.items.into_iter().next().map(|found| found.point);
        let is_throw = request.what.kind.as_deref() == Some("throw");
        let native = is_throw.then(|| self.failed_without_event(&here, request.is_back)).flatten();
        let point = match (found, native) {
            // The crash is behind all events.
            (_, Some(native)) if request.is_back => Some(native),
            (found, native) => found.or(native),
        };
        Ok((MoveAnswer { point }, notes))
    }

    /// The failure that ended the thread, where the engine itself threw: no event tells of that. Nothing if it does not lie in that
    /// direction.
    fn failed_without_event(&self, here: &Moment, is_back: bool) -> Option<Point> {
        let crash = self.moment_at(Some(&PointText::Crash), Some(&here.number.to_string())).ok()?;
        let is_thrown = crash.trace.kind(&crash.at.step) == Some(SiteKind::Throw);
        let is_native = crash.at.shown.is_some() && !is_thrown && !crash.trace.uncaught().is_empty();
        let (crashed, at) = (crash.at.scene.before, here.at.scene.before);
        let lies_there = match is_back {
            true => crashed <= at && here.at.shown.is_none(),
            false => crashed >= at && here.at.shown.is_none(),
        };
        (is_native && lies_there).then(|| crash.here())
    }

    pub(crate) fn shown_threads(&self, page: &PageRequest) -> Result<Page<ThreadShown>, Error> {
        let shown = |(number, thread): (usize, &trace_store::Thread)| ThreadShown {
            number,
            name: thread.name(),
            start: thread.start(),
            events: (thread.first_event().0, thread.end().0),
        };
        let all = (1..).zip(self.run().threads()).map(shown).collect();
        let start = page.numbers(LIST_OF_THREADS)?.map_or(0, |[number]| number.saturating_sub(1) as usize);
        Ok(Page::cut(all, start, page, |next| Cursor::at(LIST_OF_THREADS, [next.number as u64])))
    }

    /// The files that were loaded, those of the project first: by the thread of the point, or by any.
    pub(crate) fn sources(&self, from: &Where, page: &PageRequest) -> Result<Page<SourceShown>, Error> {
        let mut shown: Vec<SourceShown> = Vec::new();
        for moment in self.moments_of(from)? {
            for FileLines { path, n_events, lines } in &self.line_counts(&moment).files {
                let n_executed = lines.iter().filter(|(_, n_hits)| *n_hits > 0).count();
                let package = moment.package_at(path);
                let (file, n_lines, is_tool) = (moment.relative(path), lines.len(), moment.is_of_tool(path));
                match shown.iter_mut().find(|known| known.file == file) {
                    Some(known) => {
                        known.n_events += n_events;
                        if known.n_executed < n_executed {
                            (known.n_lines, known.n_executed) = (n_lines, n_executed);
                        }
                    }
                    None => {
                        shown.push(SourceShown { file, n_lines, n_executed, n_events: *n_events, package, is_tool })
                    }
                }
            }
        }
        let key = |source: &SourceShown| (source.package.is_some(), source.file.clone());
        shown.sort_by_key(key);
        let first = page.text(LIST_OF_SOURCES)?;
        let start = match first.map(|first| shown.iter().position(|source| source.file == first)) {
            Some(found) => found.ok_or_else(|| page.refused())?,
            None => 0,
        };
        Ok(Page::cut(shown, start, page, |next| Cursor::named(LIST_OF_SOURCES, &next.file)))
    }

    /// Of threads that loaded the file, the one that executed most of its lines.
    pub(crate) fn source(&self, from: &Where, file: &str, counts: bool) -> Result<SourceText, Error> {
        let mut best: Option<(usize, SourceText)> = None;
        for moment in self.moments_of(from)? {
            let meant = moment.file_meant(file);
            if !counts {
                if let Some((path, text)) = moment.file_text(&meant) {
                    return Ok(SourceText { file: moment.relative(&path), text, hits: Vec::new() });
                }
                continue;
            }
            let counts = self.line_counts(&moment);
            let is_it = |of: &&FileLines| trace_model::ends_with_path(&of.path, &meant);
            let exact = counts.files.iter().find(|of| of.path == meant);
            let Some(FileLines { path, lines, .. }) = exact.or_else(|| counts.files.iter().find(is_it)) else {
                continue;
            };
            let Some(text) = moment.source_of(path) else { continue };
            let hits = lines.clone();
            let n_executed = hits.iter().filter(|(_, n_hits)| *n_hits > 0).count();
            if best.as_ref().is_none_or(|(most, _)| n_executed > *most) {
                best = Some((n_executed, SourceText { file: moment.relative(path), text, hits }));
            }
        }
        best.map(|(_, source)| source).ok_or_else(|| Error::Usage(format!("no code of {file} was loaded")))
    }

    fn line_counts(&self, moment: &Moment) -> std::sync::Arc<trace_format::LineCounts> {
        self.kept_line_counts().get(self.run(), moment.number, &moment.trace)
    }

    /// The moment of the point, or the end of each thread where none is named.
    pub(super) fn moments_of(&self, from: &Where) -> Result<Vec<Moment<'_>>, Error> {
        if from.at.is_some() || from.thread.is_some() {
            return Ok(vec![self.moment(from)?]);
        }
        let numbers = 1..=self.n_threads();
        Ok(numbers.filter_map(|number| self.moment_at(Some(&PointText::End), Some(&number.to_string())).ok()).collect())
    }
}

impl Moment<'_> {
    fn source_of(&self, path: &str) -> Option<String> {
        self.trace.thread.code().units().iter().find_map(|unit| {
            let starts = unit.code().ok()?.sites.sites.iter().map(|site| site.span.start).chain([0]);
            let mut places = starts.filter_map(|start| original(unit, start));
            places.find(|place| place.path == path)?.source.map(str::to_owned)
        })
    }

    /// A file that has code, and its text. Nothing is counted for it.
    fn file_text(&self, file: &str) -> Option<(String, String)> {
        let units = self.trace.thread.code().units();
        let paths = || units.iter().filter_map(|unit| Some(original(unit, 0)?.path));
        let is_it = |path: &&str| trace_model::ends_with_path(path, file);
        let path = paths().find(|path| *path == file).or_else(|| paths().find(is_it));
        // What was compiled may be of several files.
        let of_sites = || {
            let starts = |unit: &'_ CodeUnit| -> Vec<u32> {
                unit.code()
                    .map_or_else(|_| Vec::new(), |code| code.sites.sites.iter().map(|site| site.span.start).collect())
            };
            let compiled = units.iter().filter(|unit| unit.code().is_ok_and(|code| code.has_origins()));
            compiled
                .flat_map(|unit| starts(unit).into_iter().filter_map(move |start| Some(original(unit, start)?.path)))
                .find(is_it)
        };
        let path = path.or_else(of_sites)?;
        Some((path.to_owned(), self.source_of(path)?))
    }
}

/// Where a part of the code stands in what the person wrote; nothing for what a compiler added.
pub(super) fn original(unit: &CodeUnit, start: u32) -> Option<SourceLocation<'_>> {
    let code = unit.code().ok()?;
    let place = unit.place(start)?;
    let is_compiled = code.has_origins() && place.source == code.source().ok();
    (!is_compiled).then_some(place)
}
