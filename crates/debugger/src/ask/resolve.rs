//! From a point as it is written to a moment of a thread.

use query::{Code, Evaluation, Failure, Limits, LineHit, PointError, Scene, Trace, failures, why};
use trace_model::{Event, EventId, ExprId, FunctionIndex, LocalSite, Node, Record, SiteId, Span};
use trace_store::{Run, Step, Target};

use super::PointText;
use super::point_register::{KeptPoint, PointRegister};
use super::session::{At, Focus};
use crate::Error;

/// The moment that a point names in a thread; the crash if nothing is said.
pub(crate) fn at(run: &Run, trace: &Trace, point: Option<&PointText>) -> Result<At, Error> {
    match point {
        None => trace.uncaught().first().and_then(|_| of_crash(trace)).ok_or(Error::NoCrash),
        Some(PointText::Crash) => of_crash(trace).ok_or(Error::NoCrash),
        Some(PointText::End) => of_end(run, trace).ok_or(Error::NothingRecorded),
        Some(PointText::Event(number)) => of_event(trace, *number),
        Some(PointText::Answer(number)) => {
            let kept = PointRegister::of_run(run.folder())
                .point(*number)
                .map_err(|n_points| Error::NoSuchAnswer { wanted: *number, n_points })?;
            match kept {
                KeptPoint::Event { event, .. } => of_event(trace, event),
                KeptPoint::Crash { .. } => of_crash(trace).ok_or(Error::NoCrash),
                KeptPoint::Unknown => Err(Error::NothingRecorded),
            }
        }
        Some(PointText::Line { file, line, column: None, hit }) => {
            let on_line = trace.line(file, *line, *hit);
            match crash_on(trace, file, *line).filter(|crash| is_meant(crash, &on_line, *hit)) {
                Some(crash) if !is_within(trace, &crash, &on_line, *line) => Ok(crash),
                _ => of_step(trace, on_line?.step).ok_or(Error::NothingRecorded),
            }
        }
        Some(PointText::Line { file, line, column: Some(column), hit }) => of_column(trace, file, *line, *column, *hit),
        Some(PointText::Output { is_error, line }) => of_output(trace, *is_error, *line),
    }
}

/// What failed, the most telling first.
pub(crate) fn failures_of(trace: &Trace) -> Vec<Failure> {
    // Code without a file (`evalmachine.<anonymous>`) is mostly a library's.
    trace.failures_once(|| failures(trace, &|path| trace.is_own_path(path) && !path.contains('<')))
}

pub(crate) fn of_failure(trace: &Trace, failure: &Failure) -> Option<At> {
    let thrown = &failure.thrown;
    let unit = trace.scene(&thrown.step)?.unit;
    let scene = Scene { before: thrown.before, frame: Some(thrown.frame), unit, within: None };
    let shown = if trace.is_sparse() {
        trace.thrown_at(thrown, &failure.message)
    } else {
        // The explanation begins with what failed; no question needs to be asked for that.
        why(trace, failure.clone(), Limits { hops: 1, found: 1, questions: 0, ..Limits::default() })
            .hops
            .first()
            .map(|hop| hop.at)
    };
    Some(At { step: thrown.step.clone(), scene, focus: None, shown })
}

pub(crate) fn of_step(trace: &Trace, step: Step) -> Option<At> {
    let scene = trace.scene(&step).or_else(|| {
        // The runtime recorded it while nothing of the program was on the stack.
        let newest = trace.newest_of_code(step.id)?;
        let unit = trace.scene(&newest)?.unit;
        Some(Scene { before: step.id, frame: newest.frame, unit, within: None })
    })?;
    Some(At { step, scene, focus: None, shown: None })
}

fn of_crash(trace: &Trace) -> Option<At> {
    failures_of(trace).iter().find_map(|failure| of_failure(trace, failure))
}

/// The crash, if it was on this line. What failed on it may be the first that would have emitted an event.
fn crash_on(trace: &Trace, file: &str, line: u32) -> Option<At> {
    trace.uncaught().first()?;
    let crash = of_crash(trace)?;
    let shown = crash.shown?;
    let place = trace.thread.code().unit(shown.unit)?.place(shown.offset)?;
    (place.position.line == line && query::ends_with_path(place.path, file)).then_some(crash)
}

/// The line on which the thread failed, where that time has left no event.
pub(crate) fn line_that_failed_first(trace: &Trace) -> Option<(String, u32)> {
    trace.uncaught().first()?;
    let crash = of_crash(trace)?;
    let shown = crash.shown?;
    let place = trace.thread.code().unit(shown.unit)?.place(shown.offset)?;
    let line = place.position.line;
    let on_line = trace.line(place.path, line, None);
    let is_new = is_meant(&crash, &on_line, None) && !is_within(trace, &crash, &on_line, line);
    is_new.then(|| (place.path.to_owned(), line))
}

/// Whether a crash on a line is the time that is asked for: the last, or one more than were recorded.
fn is_meant(crash: &At, on_line: &Result<LineHit, PointError>, hit: Option<u64>) -> bool {
    // An event of the line in the frame that failed belongs to the time that failed.
    let began = |step: &Step| step.frame == crash.scene.frame && step.id == crash.step.id;
    match on_line {
        Ok(known) => hit.is_none() && known.step.id < crash.scene.before && !began(&known.step),
        Err(PointError::NeverExecuted { .. }) => matches!(hit, None | Some(1)),
        Err(PointError::NoSuchHit { wanted, n_hits, .. }) => *wanted == n_hits + 1,
        Err(_) => false,
    }
}

/// Whether a crash ended the execution of a line that a known event began: nothing of another line came between them.
fn is_within(trace: &Trace, crash: &At, on_line: &Result<LineHit, PointError>, line: u32) -> bool {
    let (Ok(begun), Some(frame)) = (on_line, crash.scene.frame) else { return false };
    if begun.step.frame != Some(frame) {
        return false;
    }
    let is_on_line = |step: &Step| {
        let place = step.site().and_then(|site| trace.site(site)?.place());
        place.is_some_and(|place| place.position.line == line)
    };
    let mut at = Some(crash.step.clone());
    while let Some(step) = at.filter(|step| step.id > begun.step.id) {
        if !is_on_line(&step) {
            return false;
        }
        at = trace.previous_in_frame(frame, step.id);
    }
    true
}

/// Behind the last event, seen from the file that was started.
fn of_end(run: &Run, trace: &Trace) -> Option<At> {
    let end = trace.thread.end();
    let step = trace.thread.step(EventId(end.0.checked_sub(1)?))?;
    let first = || trace.next(&Target::Enter(None), trace.thread.first_event());
    let scene = match started(run, trace).or_else(first).and_then(|entered| trace.scene(&entered)) {
        Some(scene) => Scene { before: end, ..scene },
        None => Scene { before: end, ..of_step(trace, step.clone())?.scene },
    };
    Some(At { step, scene, focus: None, shown: None })
}

/// Where the file that the command names was entered. What a module imports is entered before it is.
pub(crate) fn started(run: &Run, trace: &Trace) -> Option<Step> {
    let arguments = run.file().command.get(1..)?;
    let is_named = |path: &str| arguments.iter().any(|argument| query::ends_with_path(path, argument));
    let units = trace.thread.code().units().iter().filter(|unit| is_named(&unit.record.path));
    let top_levels: Vec<_> = units.map(|unit| (unit.record.base, FunctionIndex(0))).collect();
    trace.next(&Target::Enter(Some(&top_levels)), trace.thread.first_event())
}

fn of_event(trace: &Trace, number: u64) -> Result<At, Error> {
    of_step(trace, trace.event(number)?).ok_or(Error::NothingRecorded)
}

/// The evaluation of the innermost expression at a column.
fn of_column(trace: &Trace, file: &str, line: u32, column: u32, hit: Option<u64>) -> Result<At, Error> {
    // Says whether the file, the line and the hit are there at all.
    let on_line = trace.line(file, line, hit);
    use PointError::{AmbiguousFile, Compiled, NoCode, NoSuchFile};
    if let Err(error @ (NoSuchFile { .. } | Compiled { .. } | AmbiguousFile { .. } | NoCode { .. })) = on_line {
        return Err(error.into());
    }
    let mut found = None;
    for unit in trace.thread.code().units() {
        let Some(code) = trace.code(unit.record.base) else { continue };
        if let Some(expression) = expression_at(&code, file, line, column)
            && !is_around_line(&code, expression, line)
            && let Some(sites) = statement_sites(&code, expression)
        {
            found = Some((code, expression, sites));
            break;
        }
    }
    let Some((code, expression, sites)) = found else {
        let step = on_line?.step;
        return of_step(trace, step).ok_or(Error::NothingRecorded);
    };
    if let Some(crash) = crash_on(trace, file, line).filter(|crash| is_meant(crash, &on_line, hit)) {
        let focus = Focus { unit: code.base(), expression, evaluation: Evaluation::default() };
        return Ok(At { focus: Some(focus), ..crash });
    }
    let (step, evaluation) = evaluation_at(trace, &code, &sites, file, line, hit)?;
    let scene = trace.scene(&step).ok_or(Error::NothingRecorded)?;
    // What the last event of the statement did is known behind it; the next event may be that of another one.
    let within = step.site().and_then(|site| code.site_facts(site).statement);
    let behind = EventId(step.id.0 + 1);
    let scene = Scene { before: behind, within, ..scene };
    let before = trace.moment(&code, scene, &evaluation, expression);
    let scene = Scene { before, ..scene };
    let of_evaluation = trace.thread.step(before).filter(|next| before != behind && next.frame == step.frame);
    let step = of_evaluation.unwrap_or(step);
    Ok(At { step, scene, focus: Some(Focus { unit: code.base(), expression, evaluation }), shown: None })
}

/// The smallest expression that covers a column.
fn expression_at(code: &Code, file: &str, line: u32, column: u32) -> Option<ExprId> {
    let is_compiled = code.unit.code().is_ok_and(|file| file.has_origins());
    if !is_compiled && !query::ends_with_path(&code.unit.record.path, file) {
        return None;
    }
    let position = |offset: u32| {
        let place = code.unit.place(offset)?;
        query::ends_with_path(place.path, file).then_some((place.position.line, place.position.column))
    };
    let wanted = (line, column);
    // Its length, if it covers the column.
    let covers = |span: Span| {
        let (start, end) = (position(span.start)?, position(span.end)?);
        (start <= wanted && wanted < end).then_some(span.end - span.start)
    };
    // An expression around the statement, whose function the statement is part of, is not meant.
    let statement = code.facts.statements.iter().filter_map(|statement| covers(statement.span)).min();
    let mut best: Option<(u32, ExprId)> = None;
    for (number, expression) in code.facts.expressions.iter().enumerate() {
        if matches!(expression.node, Node::Parameter { .. }) {
            continue;
        }
        let Some(length) = covers(expression.span) else { continue };
        let is_inside = statement.is_none_or(|statement| length <= statement);
        if is_inside && best.is_none_or(|(shortest, _)| length < shortest) {
            best = Some((length, ExprId(number as u32)));
        }
    }
    best.map(|(_, expression)| expression)
}

/// Whether an expression is a function that began before the line: the column is in its body, beside the code.
fn is_around_line(code: &Code, expression: ExprId, line: u32) -> bool {
    let expression = code.expression(expression);
    let begins = code.unit.place(expression.span.start).map(|place| place.position.line);
    matches!(expression.node, Node::Function(_)) && begins.is_some_and(|begins| begins < line)
}

/// The sites of the innermost statement around an expression, in the order of evaluation.
fn statement_sites(code: &Code, expression: ExprId) -> Option<Vec<LocalSite>> {
    let expression = code.expression(expression);
    let holds = |statement: &&trace_model::Statement| {
        statement.function == expression.function
            && statement.span.start <= expression.span.start
            && expression.span.end <= statement.span.end
    };
    let statements = code.facts.statements.iter().filter(holds);
    let statement = statements.min_by_key(|statement| statement.span.end - statement.span.start)?;
    (!statement.sites.is_empty()).then(|| statement.sites.clone())
}

/// One time that a statement was executed: its last event, and all of them.
fn evaluation_at(
    trace: &Trace,
    code: &Code,
    sites: &[LocalSite],
    file: &str,
    line: u32,
    hit: Option<u64>,
) -> Result<(Step, Evaluation), Error> {
    let order = |site: LocalSite| code.facts.site(site).order;
    let first = sites.iter().copied().min_by_key(|site| order(*site)).map(|site| code.global(site));
    let first = [first.ok_or(Error::NothingRecorded)?];
    let target = Target::Sites(&first);
    let n_hits = trace.count(&target, trace.thread.first_event()..trace.thread.end());
    let wanted = hit.unwrap_or(n_hits);
    let begin = wanted.checked_sub(1).and_then(|before| trace.nth(&target, before));
    let begin = begin.ok_or_else(|| match n_hits {
        0 => PointError::NeverExecuted { file: file.into(), line },
        _ => PointError::NoSuchHit { file: file.into(), line, wanted, n_hits },
    })?;
    let mut all: Vec<SiteId> = sites.iter().map(|site| code.global(*site)).collect();
    all.sort_unstable();
    let mut last = begin;
    while let Some(frame) = last.frame
        && let Some(next) = trace.next(&Target::SitesInFrame(frame, &all), EventId(last.id.0 + 1))
        && let (Some(before), Some(after)) = (last.site(), next.site())
        && order(code.local(before)) < order(code.local(after))
    {
        last = next;
    }
    let evaluation = trace.evaluation(&last);
    Ok((last, evaluation))
}

/// The event that wrote the start of a line of output.
fn of_output(trace: &Trace, is_error: bool, line: u64) -> Result<At, Error> {
    let wanted_fd = if is_error { 2 } else { 1 };
    let mut n_lines = 1;
    let mut at_start = true;
    let mut from = trace.thread.first_event();
    while let Some(step) = trace.next(&Target::Output, from) {
        from = EventId(step.id.0 + 1);
        let Event::Record(Record::Output { fd, text: Some(text), .. }) = &step.event else { continue };
        let Some(text) = trace.thread.string(*text).filter(|text| *fd == wanted_fd && !text.is_empty()) else {
            continue;
        };
        let n_ends = text.matches('\n').count() as u64;
        let ends_line = text.ends_with('\n');
        // Lines that begin in this text: the one at hand if nothing of it was written yet, and one behind each line end.
        let first = if at_start { n_lines } else { n_lines + 1 };
        let last = n_lines + n_ends - u64::from(ends_line && n_ends > 0);
        if (first..=last).contains(&line) {
            return of_step(trace, step).ok_or(Error::NothingRecorded);
        }
        n_lines += n_ends;
        at_start = ends_line;
    }
    let n_lines = if at_start { n_lines - 1 } else { n_lines };
    Err(Error::NoSuchOutput { wanted: line, n_lines, is_error })
}
