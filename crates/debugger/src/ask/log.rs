//! What expressions were at every time that a line was executed: as if the program had printed them there.

use trace_model::{EventId, SiteId, cancel};
use trace_store::{Step, Target};

use super::session::add_notes;
use super::{Moment, Point, PointText, Session};
use crate::page::{Cursor, Page, PageRequest};
use crate::{Error, Value, Where};

/// Expressions, to be told at each time of the line that the point names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogRequest {
    pub expressions: Vec<String>,
    pub page: PageRequest,
}

#[derive(Clone, Debug)]
pub struct LogAnswer {
    pub file: String,
    pub line: u32,
    pub expressions: Vec<String>,
    /// The oldest first; one thread after another.
    pub hits: Page<LoggedHit>,
}

/// A time that the line was executed.
#[derive(Clone, Debug)]
pub struct LoggedHit {
    /// Which of the times that its thread executed the line, from 1.
    pub number: u64,
    pub point: Point,
    /// Nothing: no recorded code called the function.
    pub caller: Option<CallerShown>,
    /// About how long after the start of the run, in microseconds, where that was noted.
    pub micros: Option<u64>,
    /// What the expressions were right before, or why that cannot be told.
    pub values: Vec<Result<Value, String>>,
}

/// Where a function was called from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallerShown {
    /// Nothing at the top level of a file.
    pub function: Option<String>,
    pub file: String,
    pub line: u32,
}

impl LogRequest {
    /// Of a text with commas between the expressions.
    pub fn of(text: &str, page: PageRequest) -> LogRequest {
        LogRequest { expressions: expressions(text), page }
    }
}

/// The parts of a text between its commas; those in brackets and in quotes are of the expressions.
fn expressions(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let (mut depth, mut quote, mut is_escaped) = (0, None, false);
    for c in text.chars() {
        match (quote, c) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth <= 0 => {
                parts.push(String::new());
                continue;
            }
            (None, _) => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

const LIST: &str = "log";

/// The line whose times are told.
struct Line<'q> {
    file: &'q str,
    line: u32,
    /// Only this time.
    hit: Option<u64>,
    condition: Option<&'q str>,
}

/// What is told so far.
struct Telling<'q> {
    request: &'q LogRequest,
    hits: Vec<LoggedHit>,
    next: Option<Cursor>,
    /// Why a name means nothing, and whether it means something anywhere: a line may be that of several functions.
    unknown: Option<Error>,
    knows: bool,
    n_tried: u64,
}

impl Session {
    /// The times of a line, in the threads that executed it.
    pub(crate) fn log(&self, from: &Where, request: &LogRequest) -> Result<(LogAnswer, Vec<String>), Error> {
        let Some(PointText::Line { file, line, hit, column: _ }) = &from.at else {
            return Err(Error::Usage("log needs a line: --at app.js:22".into()));
        };
        if request.expressions.is_empty() {
            return Err(Error::Usage("log needs an expression, for example 'line.price, percent'".into()));
        }
        let asked = Line { file, line: *line, hit: *hit, condition: from.when.as_deref() };
        let first = request.page.numbers::<2>(LIST)?;
        // Says what is wrong with a line that nothing executed.
        let shown = self.moment_at(Some(&asked.point(*hit)), from.thread.as_deref())?;
        let mut notes = shown.notes();
        let mut telling = Telling { request, hits: Vec::new(), next: None, unknown: None, knows: false, n_tried: 0 };
        let mut n_all = (asked.condition.is_none() && asked.hit.is_none()).then_some(0);
        for (number, thread) in self.threads(from.thread.as_deref())? {
            let trace = self.trace(thread);
            let meant = super::files::meant(self.folders(), thread, file);
            // Another thread may not have the file, or the line.
            let Ok(sites) = trace.anchors(&meant, *line) else { continue };
            let n_hits = trace.count(&Target::Sites(&sites), thread.first_event()..thread.end());
            let is_failure = failed_first(&trace, &meant, *line);
            n_all = n_all.map(|n_all| n_all + n_hits + u64::from(is_failure));
            let is_earlier = first.is_some_and(|[of_thread, _]| (number as u64) < of_thread);
            if is_earlier || telling.next.is_some() {
                continue;
            }
            let start = match first {
                Some([of_thread, event]) if of_thread == number as u64 => EventId(event),
                _ => thread.first_event(),
            };
            let base = match trace.next(&Target::Sites(&sites), thread.first_event()) {
                Some(step) => self.moment_of_step(number, self.trace(thread), step),
                None => None,
            };
            if let Some(base) = base {
                base.tell_hits(&asked, &sites, start, n_hits, &mut telling)?;
                add_notes(&mut notes, base.notes());
            }
            // The time at which the thread failed may have left no event.
            if is_failure && telling.next.is_none() && asked.hit.is_none_or(|hit| hit == n_hits + 1) {
                let of_thread = number.to_string();
                if let Ok(crash) = self.moment_at(Some(&asked.point(Some(n_hits + 1))), Some(&of_thread)) {
                    crash.tell_failed(&asked, n_hits + 1, start, &mut telling)?;
                }
            }
        }
        let Telling { hits, next, unknown, knows, n_tried, .. } = telling;
        if let Some(error) = unknown.filter(|_| !knows) {
            return Err(error);
        }
        if let Some(condition) = asked.condition.filter(|_| hits.is_empty() && first.is_none()) {
            let point = asked.point(asked.hit).to_string();
            return Err(Error::NeverTrue { condition: condition.into(), point, n_hits: n_tried });
        }
        let told = hits.first().and_then(|hit| hit.point.file.clone());
        let answer = LogAnswer {
            file: told.unwrap_or_else(|| file.clone()),
            line: *line,
            expressions: request.expressions.clone(),
            hits: Page { items: hits, next, n_all },
        };
        Ok((answer, notes))
    }
}

impl Line<'_> {
    fn point(&self, hit: Option<u64>) -> PointText {
        PointText::Line { file: self.file.to_owned(), line: self.line, column: None, hit }
    }
}

/// Whether the thread failed on the line, at a time that left no event.
fn failed_first(trace: &query::Trace, file: &str, line: u32) -> bool {
    let failed = super::resolve::line_that_failed_first(trace);
    failed.is_some_and(|(path, of_line)| of_line == line && query::ends_with_path(&path, file))
}

impl Moment<'_> {
    /// The times of the sites from an event on.
    fn tell_hits(
        &self,
        asked: &Line,
        sites: &[SiteId],
        start: EventId,
        n_hits: u64,
        telling: &mut Telling,
    ) -> Result<(), Error> {
        let target = Target::Sites(sites);
        let first = self.trace.thread.first_event();
        let mut number = self.trace.count(&target, first..start);
        let mut at = match asked.hit {
            Some(wanted) if wanted > number => {
                number = wanted - 1;
                self.trace.nth(&target, wanted - 1)
            }
            Some(_) => None,
            None => self.trace.next(&target, start),
        };
        while let Some(step) = at {
            cancel::check();
            number += 1;
            let Some(here) = self.beside(self.number, step.clone()) else { break };
            if telling.is_wanted(&here, asked)? {
                if telling.is_full() {
                    telling.next = Some(Cursor::at(LIST, [self.number as u64, step.id.0]));
                    return Ok(());
                }
                let values = telling.values(&here)?;
                let (caller, micros) = (self.caller_shown(&step), self.micros_at(step.id));
                let mut point = self.point_of_hit(&step);
                (point.hit, point.n_hits) = (Some(number), Some(n_hits));
                telling.hits.push(LoggedHit { number, point, caller, micros, values });
            }
            if asked.hit.is_some() {
                break;
            }
            at = self.trace.next(&target, EventId(step.id.0 + 1));
        }
        Ok(())
    }

    /// The time at which the thread failed, where the line had emitted nothing yet. It stands at that moment.
    fn tell_failed(&self, asked: &Line, number: u64, start: EventId, telling: &mut Telling) -> Result<(), Error> {
        let at = self.at.scene.before;
        if at < start || !telling.is_wanted(self, asked)? {
            return Ok(());
        }
        if telling.is_full() {
            telling.next = Some(Cursor::at(LIST, [self.number as u64, at.0]));
            return Ok(());
        }
        let values = telling.values(self)?;
        let step = &self.at.step;
        let mut point = match self.at.shown {
            Some(shown) => self.passing_point(step, shown, ""),
            None => self.point_of_hit(step),
        };
        (point.hit, point.n_hits) = (Some(number), Some(number));
        let (caller, micros) = (self.caller_shown(step), self.micros_at(step.id));
        telling.hits.push(LoggedHit { number, point, caller, micros, values });
        Ok(())
    }

    /// Told by the thousand: neither numbered nor kept.
    fn point_of_hit(&self, step: &Step) -> Point {
        let site = step.site().and_then(|site| self.trace.site(site));
        match site {
            Some(site) => self.plain_point(step, site.unit, site.site.span),
            None => self.here(),
        }
    }

    /// Where the function that an event is in was called.
    fn caller_shown(&self, step: &Step) -> Option<CallerShown> {
        let call = self.trace.call_of(step.frame?)?;
        let site = self.trace.site(call.site()?)?;
        let place = site.place()?;
        Some(CallerShown {
            function: self.function_name(site.unit, site.site.function),
            file: self.relative(place.path),
            line: place.position.line,
        })
    }

    /// About when an event happened, since the start of the run.
    pub(crate) fn micros_at(&self, event: EventId) -> Option<u64> {
        let at = self.trace.thread.time_of(event)?;
        Some(at.saturating_sub(self.run.file().start))
    }
}

impl Telling<'_> {
    fn is_full(&self) -> bool {
        self.hits.len() >= self.request.page.limit()
    }

    fn is_wanted(&mut self, here: &Moment, asked: &Line) -> Result<bool, Error> {
        self.n_tried += 1;
        let Some(condition) = asked.condition else { return Ok(true) };
        Ok(match here.datum(Some(condition)) {
            Ok(value) => {
                self.knows = true;
                here.trace.truth_of(&value) == Some(true)
            }
            Err(error) => {
                self.refuse(error)?;
                false
            }
        })
    }

    fn values(&mut self, here: &Moment) -> Result<Vec<Result<Value, String>>, Error> {
        let mut values = Vec::new();
        for text in &self.request.expressions {
            values.push(match here.datum(Some(text)) {
                Ok(value) => {
                    self.knows = true;
                    Ok(here.value(&value, here.at.scene.before))
                }
                Err(error) => {
                    let why = error.to_string();
                    self.refuse(error)?;
                    Err(why)
                }
            });
        }
        Ok(values)
    }

    /// What is wrong with the text is wrong everywhere; what cannot be told here may be told elsewhere.
    fn refuse(&mut self, error: Error) -> Result<(), Error> {
        match error {
            Error::Expression { .. } | Error::Cancelled => return Err(error),
            Error::NoSuchName { .. } => {
                self.unknown.get_or_insert(error);
            }
            _ => self.knows = true,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::expressions;

    #[test]
    fn commas_separate_expressions_but_for_those_inside_of_them() {
        let parts = |text: &str| expressions(text).join(" | ");
        assert_eq!(parts("line.price, percent"), "line.price | percent");
        assert_eq!(parts("a[b, c], {x: 1, y}.x, n"), "a[b, c] | {x: 1, y}.x | n");
        assert_eq!(parts(r#"s + ", ", 'it\'s, ' + t, `${a, b}`"#), r#"s + ", " | 'it\'s, ' + t | `${a, b}`"#);
        assert_eq!(parts(" , x ,"), "x");
        assert_eq!(parts(""), "");
    }
}
