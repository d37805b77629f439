use std::path::Path;

use query::SourceAt;
use trace_model::{FunctionIndex, FunctionKind, Node, SiteKind, Span, with_redactions_dotted};
use trace_store::{CodeUnit, SiteRef, Step};

use super::Moment;
use super::point_register::KeptPoint;
use crate::event_line::relative;
use crate::rerun::{Definition, Definitions, EarlierAnswer};
use crate::{Question, QuestionKind, Where};

/// A position in a run, as a person sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    /// The number under which it can be asked about again, `P2`; none where the run cannot be written to.
    pub number: Option<u32>,
    /// From 1, in the order in which the threads of the run started.
    pub thread: usize,
    pub event: u64,
    /// Relative to where the program was started.
    pub file: Option<String>,
    pub line: Option<u32>,
    /// From 1, in UTF-16 units.
    pub column: Option<u32>,
    /// Nothing at the top level of a file.
    pub function: Option<String>,
    /// Which time this was executed, from 1, and how often in all.
    pub hit: Option<u64>,
    pub n_hits: Option<u64>,
    pub excerpt: Option<Excerpt>,
}

impl Point {
    /// `app.js:22:7`
    pub(crate) fn place(&self) -> String {
        match (&self.file, self.line, self.column) {
            (Some(file), Some(line), Some(column)) => format!("{file}:{line}:{column}"),
            (Some(file), Some(line), None) => format!("{file}:{line}"),
            (file, ..) => file.clone().unwrap_or_default(),
        }
    }
}

/// A line of the source, and the part of it that matters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    pub text: String,
    /// In characters of the text, from 0.
    pub start: usize,
    pub length: usize,
}

impl Moment<'_> {
    /// Keeps what question gave a point, so that it can be found again in another run.
    pub(crate) fn define(&self, point: Option<&Point>, kind: QuestionKind, n_newer: usize, found: EarlierAnswer) {
        let Some(number) = point.and_then(|point| point.number).filter(|_| !self.is_of_frame) else { return };
        let (at, when) = self.asked_at.clone();
        let question = Question { kind, from: Where { at, when, ..Where::default() } };
        Definitions::of_run(self.run.folder()).add(&Definition { number, question, n_newer, found });
    }

    /// Shows an event, and keeps it so that it can be asked about again.
    pub(crate) fn point(&self, step: &Step) -> Point {
        let anchor = self.anchor(step);
        let site = anchor.as_ref().and_then(|anchor| self.trace.site(anchor.site()?));
        let (span, unit) = (site.map(|site| self.telling_span(&site)), site.map(|site| site.unit));
        self.point_at(step, unit, span)
    }

    /// The text of a site. Of a method that is called at the end of a chain of several lines, that of its name and arguments: the
    /// chain begins elsewhere.
    fn telling_span(&self, site: &SiteRef) -> Span {
        let span = site.site.span;
        match site.site.kind {
            SiteKind::Call | SiteKind::Result => self.end_of_chain(site).unwrap_or(span),
            _ => span,
        }
    }

    fn end_of_chain(&self, site: &SiteRef) -> Option<Span> {
        let code = self.trace.code(site.id)?;
        let Node::Call(call) = &code.expression(code.site_facts(site.id).value?).node else { return None };
        let Node::Member { object, .. } = &code.expression(call.callee).node else { return None };
        let (object, whole) = (code.expression(*object).span, site.site.span);
        let before = code.source()?.get(whole.start as usize..object.end as usize)?;
        let method = code.source()?.get(object.end as usize..whole.end as usize)?;
        let gap = &method[..method.len() - method.trim_start().len()];
        let is_long = before.contains('\n') || gap.contains('\n');
        is_long.then_some(Span { start: object.end + gap.len() as u32, end: whole.end })
    }

    /// The same, shown at a part of the source.
    pub(crate) fn point_at(&self, step: &Step, unit: Option<&CodeUnit>, span: Option<Span>) -> Point {
        let kept = KeptPoint::Event { thread: self.number, event: step.id.0 };
        Point { number: self.points.number(kept), ..self.unnumbered(step, unit, span) }
    }

    fn unnumbered(&self, step: &Step, unit: Option<&CodeUnit>, span: Option<Span>) -> Point {
        let anchor = self.anchor(step);
        let hits = anchor.as_ref().and_then(|anchor| self.trace.hit_of(anchor));
        let site = anchor.as_ref().and_then(|anchor| self.trace.site(anchor.site()?));
        let place = unit.zip(span).and_then(|(unit, span)| unit.place(span.start));
        if let Some(unit) = unit {
            self.check_source(unit);
        }
        Point {
            number: None,
            thread: self.number,
            event: step.id.0,
            file: unit.map(|unit| self.relative(place.map_or(&unit.record.path, |place| place.path))),
            line: place.map(|place| place.position.line),
            column: place.map(|place| place.position.column),
            function: site.and_then(|site| self.function_name(site.unit, site.site.function)),
            hit: hits.map(|(hit, _)| hit),
            n_hits: hits.map(|(_, n_hits)| n_hits),
            excerpt: unit.zip(span).and_then(|(unit, span)| excerpt(unit, span)),
        }
    }

    /// Only where something is, for what is told by the thousand: neither numbered nor counted.
    pub(crate) fn plain_point(&self, step: &Step, unit: &CodeUnit, span: Span) -> Point {
        let place = unit.place(span.start);
        let site = step.site().and_then(|site| self.trace.site(site));
        self.check_source(unit);
        Point {
            number: None,
            thread: self.number,
            event: step.id.0,
            file: Some(self.relative(place.map_or(&unit.record.path, |place| place.path))),
            line: place.map(|place| place.position.line),
            column: place.map(|place| place.position.column),
            function: site.and_then(|site| self.function_name(site.unit, site.site.function)),
            hit: None,
            n_hits: None,
            excerpt: excerpt(unit, span),
        }
    }

    /// The same, shown where something begins: a text that is known, or what looks like one.
    pub(crate) fn point_at_source(&self, step: &Step, at: SourceAt, text: &str) -> Point {
        let unit = self.trace.thread.code().unit(at.unit);
        self.point_at(step, unit, Some(self.span_at(step, at, text)))
    }

    /// The same, without a number to ask about it by.
    pub(crate) fn passing_point(&self, step: &Step, at: SourceAt, text: &str) -> Point {
        let unit = self.trace.thread.code().unit(at.unit);
        self.unnumbered(step, unit, Some(self.span_at(step, at, text)))
    }

    /// Where the program failed: behind its newest event.
    pub(crate) fn crash_point(&self, step: &Step, at: SourceAt) -> Point {
        let unit = self.trace.thread.code().unit(at.unit);
        let number = self.points.number(KeptPoint::Crash { thread: self.number });
        Point { number, ..self.unnumbered(step, unit, Some(self.span_at(step, at, ""))) }
    }

    fn span_at(&self, step: &Step, at: SourceAt, text: &str) -> Span {
        let unit = self.trace.thread.code().unit(at.unit);
        let site = step.site().and_then(|site| self.trace.site(site)).map(|site| site.site.span);
        let is_thrown = self.trace.kind(step) == Some(SiteKind::Throw);
        site.filter(|span| span.start == at.offset && (!text.is_empty() || is_thrown)).unwrap_or_else(|| {
            let source = unit.and_then(|unit| unit.code().ok()?.source().ok());
            let rest = source.and_then(|source| source.get(at.offset as usize..)).unwrap_or_default();
            let length = match !text.is_empty() && rest.starts_with(text) {
                true => text.len(),
                false => rest.chars().take_while(is_part_of_name).map(char::len_utf8).sum::<usize>().max(1),
            };
            Span { start: at.offset, end: at.offset + length as u32 }
        })
    }

    /// What the runtime records belongs to a call of its frame, or else to the newest event of the program.
    pub(crate) fn anchor(&self, step: &Step) -> Option<Step> {
        self.trace.belongs_to(step).or_else(|| self.trace.newest_of_code(step.id))
    }

    /// Of a function without a name the one that a stack trace infers, or else `<anonymous>`; nothing for the top level of a file.
    pub(crate) fn function_name(&self, unit: &CodeUnit, index: FunctionIndex) -> Option<String> {
        let code = unit.code().ok()?;
        if code.sites.function(index).kind == FunctionKind::Module {
            return None;
        }
        Some(self.own_or_inferred_name(unit, index).unwrap_or_else(|| "<anonymous>".into()))
    }

    pub(crate) fn own_or_inferred_name(&self, unit: &CodeUnit, index: FunctionIndex) -> Option<String> {
        let code = unit.code().ok()?;
        let function = code.sites.function(index);
        let name = code.sites.name(function.name);
        if !name.is_empty() {
            return Some(name.into());
        }
        let around = function.parent.map_or("", |around| code.sites.name(code.sites.function(around).name));
        let start = function.span.start as usize;
        let source = code.source().ok()?;
        let from = (start.saturating_sub(LONGEST_ASSIGNED)..=start).find(|from| source.is_char_boundary(*from))?;
        self.trace.language().inferred_name(source.get(from..start)?, around)
    }

    pub(crate) fn relative(&self, path: &str) -> String {
        relative(path, &self.run.file().folder).to_owned()
    }

    /// Notes what the person should know of a source that is shown: that it is missing, or that the file has changed since.
    pub(crate) fn check_source(&self, unit: &CodeUnit) {
        if let Some(why) = unit.unreadable() {
            if self.checked.borrow_mut().insert(unit.record.path.clone()) {
                let file = self.relative(&unit.record.path);
                self.note(format!("this run no longer holds the code of {file}, so its lines are not known: {why}"));
            }
            return;
        }
        // One that was shared is of files that are elsewhere.
        if crate::sharing::is_imported(self.run.file()) {
            return;
        }
        let Some(place) = unit.place(0) else { return };
        let Some(recorded) = place.source else { return };
        let path = place.path.strip_prefix("file://").unwrap_or(place.path);
        if !self.checked.borrow_mut().insert(path.to_owned()) {
            return;
        }
        let shown = self.relative(path);
        // What was run need not be what the file holds: a loader may have compiled it.
        if is_older(Path::new(path), self.run.file().start) {
            return;
        }
        match std::fs::read(Path::new(path)) {
            Ok(now) => {
                let now = String::from_utf8_lossy(now.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&now)).into_owned();
                if now != recorded.strip_prefix('\u{FEFF}').unwrap_or(recorded) {
                    self.note(format!("{shown} has changed since this run; the lines shown are those of the run"));
                }
            }
            // A text that never was a file has nothing to be compared with.
            Err(_) if !path.starts_with('/') => {}
            Err(_) => self.note(format!("{shown} is no longer there; the lines shown are those of the run")),
        }
    }
}

/// Whether a file was written before a moment, in microseconds since 1970.
fn is_older(path: &Path, moment: u64) -> bool {
    let written = std::fs::metadata(path).and_then(|file| file.modified()).ok();
    let since_1970 = written.and_then(|written| written.duration_since(std::time::UNIX_EPOCH).ok());
    since_1970.is_some_and(|written| written.as_micros() < u128::from(moment))
}

/// The line on which a span starts.
fn excerpt(unit: &CodeUnit, span: Span) -> Option<Excerpt> {
    let place = unit.place(span.start)?;
    let code = unit.code().ok()?;
    let (line, start, length) = match code.has_origins() {
        // Only the start of what was compiled has a position in the original.
        true => {
            let line = place.source?.lines().nth(place.position.line as usize - 1)?;
            let start = chars_before(line, place.position.column as usize - 1);
            (line, start, word_length(line, start))
        }
        false => {
            let source = code.source().ok()?;
            let from = source.get(..span.start as usize)?.rfind('\n').map_or(0, |at| at + 1);
            let line = source[from..].lines().next().unwrap_or_default();
            let start = source.get(from..span.start as usize)?.chars().count();
            let end = (span.end as usize).min(from + line.len());
            let length = source.get(span.start as usize..end).map_or(0, |text| text.chars().count());
            (line, start, length)
        }
    };
    let n_blank = line.chars().take_while(|c| c.is_whitespace()).count().min(start);
    let text: String = line.chars().skip(n_blank).collect();
    Some(cut(Excerpt {
        text: with_redactions_dotted(&text.trim_end().replace('\t', " ")).into_owned(),
        start: start - n_blank,
        length: length.max(1),
    }))
}

/// The characters before a number of UTF-16 units.
fn chars_before(line: &str, units: usize) -> usize {
    let mut n_units = 0;
    line.chars()
        .take_while(|c| {
            n_units += c.len_utf16();
            n_units <= units
        })
        .count()
}

fn word_length(line: &str, start: usize) -> usize {
    line.chars().skip(start).take_while(is_part_of_name).count()
}

fn is_part_of_name(c: &char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '.')
}

/// Of the text before a function, so much can say what it is assigned to.
const LONGEST_ASSIGNED: usize = 300;

/// A line of a bundle may be as long as the bundle.
const LONGEST_LINE: usize = 160;
const SHOWN_BEFORE: usize = 40;

fn cut(excerpt: Excerpt) -> Excerpt {
    let n_chars = excerpt.text.chars().count();
    if n_chars <= LONGEST_LINE {
        return excerpt;
    }
    let from = if excerpt.start > LONGEST_LINE / 2 { excerpt.start - SHOWN_BEFORE } else { 0 };
    let mut text: String = excerpt.text.chars().skip(from).take(LONGEST_LINE).collect();
    let mut start = excerpt.start - from;
    if from > 0 {
        text.insert(0, '…');
        start += 1;
    }
    if from + LONGEST_LINE < n_chars {
        text.push('…');
    }
    let length = excerpt.length.min(text.chars().count().saturating_sub(start)).max(1);
    Excerpt { text, start, length }
}
