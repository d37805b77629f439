//! A text that a person typed, looked for everywhere: in the names of functions and files, in the source, in what was printed, in
//! the names and values of what was written.

use std::collections::BTreeMap;

use trace_model::FunctionIndex;
use trace_store::{CodeUnit, Target};

use super::moving::original;
use super::{FindRequest, FoundEvent, Moment, Point, Session};
use crate::page::PageRequest;
use crate::{Error, Where};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchRequest {
    pub text: String,
    /// Nothing: everywhere.
    pub within: Option<SearchKind>,
    /// Of each kind.
    pub limit: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SearchKind {
    Function,
    Line,
    Output,
    /// Of variables and properties of that name.
    Write,
    /// Writes of such a value.
    Value,
}

impl SearchKind {
    pub const ALL: [SearchKind; 5] =
        [SearchKind::Function, SearchKind::Line, SearchKind::Output, SearchKind::Write, SearchKind::Value];

    pub fn name(self) -> &'static str {
        match self {
            SearchKind::Function => "function",
            SearchKind::Line => "line",
            SearchKind::Output => "output",
            SearchKind::Write => "write",
            SearchKind::Value => "value",
        }
    }
}

#[derive(Clone, Debug)]
pub struct SearchAnswer {
    pub hits: Vec<SearchHit>,
    /// There are more of some kind.
    pub is_cut: bool,
}

#[derive(Clone, Debug)]
pub struct SearchHit {
    pub kind: SearchKind,
    pub text: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    /// Of a function its first call, of a write the write. Nothing: it was never executed, or is a line.
    pub point: Option<Point>,
}

impl Session {
    pub(crate) fn search(&self, from: &Where, request: &SearchRequest) -> Result<(SearchAnswer, Vec<String>), Error> {
        let mut answer = SearchAnswer { hits: Vec::new(), is_cut: false };
        let mut notes = Vec::new();
        for kind in SearchKind::ALL.into_iter().filter(|kind| request.within.is_none_or(|within| within == *kind)) {
            let mut hits = match kind {
                SearchKind::Function => self.functions_named(from, request)?,
                SearchKind::Line => self.lines_with(from, request)?,
                SearchKind::Output | SearchKind::Write | SearchKind::Value => {
                    let Some(what) = events_with(kind, request) else { continue };
                    let (found, said) = self.find(from, &what)?;
                    super::session::add_notes(&mut notes, said);
                    found.items.into_iter().map(|found| hit_of_event(kind, found)).collect()
                }
            };
            answer.is_cut |= hits.len() > request.limit;
            hits.truncate(request.limit);
            answer.hits.append(&mut hits);
        }
        Ok((answer, notes))
    }

    /// Those of the project first, and those that begin with the text.
    fn functions_named(&self, from: &Where, request: &SearchRequest) -> Result<Vec<SearchHit>, Error> {
        let mut found: Vec<(bool, bool, SearchHit)> = Vec::new();
        for moment in self.moments_of(from)? {
            for hit in moment.functions_with(&request.text) {
                let is_known = |(_, _, known): &(bool, bool, SearchHit)| {
                    (&known.text, &known.file, known.line) == (&hit.text, &hit.file, hit.line)
                };
                match found.iter_mut().find(|known| is_known(known)) {
                    Some((_, _, known)) if known.point.is_none() => *known = hit,
                    Some(_) => {}
                    None => {
                        let is_foreign = hit.file.as_deref().is_some_and(|file| !moment.is_own_file(file));
                        found.push((is_foreign, !hit.text.starts_with(&request.text), hit));
                    }
                }
            }
        }
        found.sort_by_key(|(is_foreign, is_inside, _)| (*is_foreign, *is_inside));
        Ok(found.into_iter().map(|(_, _, hit)| hit).take(request.limit + 1).collect())
    }

    /// Of the project's own files.
    fn lines_with(&self, from: &Where, request: &SearchRequest) -> Result<Vec<SearchHit>, Error> {
        let wanted = request.text.to_lowercase();
        let moments = self.moments_of(from)?;
        let mut texts: BTreeMap<String, &str> = BTreeMap::new();
        for moment in &moments {
            for unit in moment.trace.thread.code().units() {
                let own = texts_of(unit).into_iter().filter(|(path, _)| moment.trace.is_own_path(path));
                for (path, source) in own {
                    texts.entry(moment.relative(path)).or_insert(source);
                }
            }
        }
        let mut hits = Vec::new();
        for (file, text) in &texts {
            let numbered = (1..).zip(text.lines()).filter(|(_, line)| line.to_lowercase().contains(&wanted));
            for (number, line) in numbered {
                let text = super::shown::shortened(line.trim(), LONGEST_LINE);
                let (file, line) = (Some(file.clone()), Some(number));
                hits.push(SearchHit { kind: SearchKind::Line, text, file, line, point: None });
                if hits.len() > request.limit {
                    return Ok(hits);
                }
            }
        }
        Ok(hits)
    }
}

impl Moment<'_> {
    fn functions_with(&self, text: &str) -> Vec<SearchHit> {
        let wanted = text.to_lowercase();
        let thread = self.trace.thread;
        let mut hits = Vec::new();
        for unit in thread.code().units() {
            let Ok(code) = unit.code() else { continue };
            for (number, function) in (0..).zip(&code.sites.functions) {
                let name = code.sites.name(function.name);
                if name.is_empty() || !name.to_lowercase().contains(&wanted) {
                    continue;
                }
                let Some(place) = original(unit, function.span.start) else { continue };
                let entered = [(unit.record.base, FunctionIndex(number))];
                let first = self.trace.next(&Target::Enter(Some(&entered)), thread.first_event());
                hits.push(SearchHit {
                    kind: SearchKind::Function,
                    text: name.to_owned(),
                    file: Some(self.relative(place.path)),
                    line: Some(place.position.line),
                    point: first.map(|first| self.point(&first)),
                });
            }
        }
        hits
    }
}

/// The texts that a piece of code was written as, with their paths.
fn texts_of(unit: &CodeUnit) -> BTreeMap<&str, &str> {
    let Ok(code) = unit.code() else { return BTreeMap::new() };
    let starts = code.sites.sites.iter().map(|site| site.span.start);
    // Where nothing was compiled, one place tells of all.
    let n_places = if code.has_origins() { usize::MAX } else { 1 };
    let places = starts.chain([0]).filter_map(|start| original(unit, start)).take(n_places);
    places.filter_map(|place| Some((place.path, place.source?))).collect()
}

fn events_with(kind: SearchKind, request: &SearchRequest) -> Option<FindRequest> {
    let text = &request.text;
    let asked = FindRequest { page: PageRequest::first(request.limit + 1), ..FindRequest::default() };
    match kind {
        SearchKind::Output => Some(FindRequest { kind: Some("output".into()), output: Some(text.clone()), ..asked }),
        SearchKind::Write if is_name(text) => {
            Some(FindRequest { kind: Some("write".into()), name: Some(text.clone()), ..asked })
        }
        SearchKind::Value => {
            let condition = if is_plain(text) { format!("=== {text}") } else { format!("~ {text}") };
            Some(FindRequest { kind: Some("write".into()), value: Some(condition), ..asked })
        }
        _ => None,
    }
}

fn hit_of_event(kind: SearchKind, found: FoundEvent) -> SearchHit {
    let FoundEvent { point, text, .. } = found;
    SearchHit { kind, text, file: point.file.clone(), line: point.line, point: Some(point) }
}

fn is_name(text: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    text.chars().all(is_part) && text.starts_with(|first: char| !first.is_ascii_digit())
}

/// A value as the source would write it; other texts are looked for in texts.
fn is_plain(text: &str) -> bool {
    let is_quoted = |quote: char| text.len() > 1 && text.starts_with(quote) && text.ends_with(quote);
    text.parse::<f64>().is_ok_and(|_| text.starts_with(|first: char| first == '-' || first.is_ascii_digit()))
        || matches!(text, "true" | "false" | "null" | "undefined" | "NaN")
        || is_quoted('"')
        || is_quoted('\'')
}

const LONGEST_LINE: usize = 200;
