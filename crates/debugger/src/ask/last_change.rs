use query::{Change, LastChange, Place, last_change};
use trace_model::{LocalSite, SiteId};
use trace_store::{PropertyKey, Step};

use super::shown::comparable;
use super::{Moment, Point};
use crate::rerun::EarlierAnswer;
use crate::{Error, QuestionKind, Value};

/// Where a value came from.
#[derive(Clone, Debug)]
pub struct ChangeAnswer {
    pub kind: ChangeKind,
    /// As it was asked for.
    pub place: String,
    /// What made the change; of `NeverWritten` where the place came to be.
    pub point: Option<Point>,
    /// Nothing: it was not there before.
    pub old: Option<Value>,
    /// Nothing: it was removed, or there is no change.
    pub new: Option<Value>,
    /// The object that holds it, where the value is inherited.
    pub inherited_from: Option<Value>,
    /// The call that sent it, if it came from another thread or process.
    pub sender: Option<Point>,
    /// What else there is to say.
    pub reason: Option<String>,
    /// Of what was never written: the writes that the code has.
    pub writers: Vec<SourceLine>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangeKind {
    Written,
    CreatedWith,
    NeverWritten,
    ByForeignCode,
    BeforeRecording,
    NotCaptured,
}

impl ChangeKind {
    /// Whether there was one.
    pub fn is_change(self) -> bool {
        matches!(self, ChangeKind::Written | ChangeKind::CreatedWith | ChangeKind::ByForeignCode)
    }

    pub fn name(self) -> &'static str {
        match self {
            ChangeKind::Written => "written",
            ChangeKind::CreatedWith => "created-with",
            ChangeKind::NeverWritten => "never-written",
            ChangeKind::ByForeignCode => "by-foreign-code",
            ChangeKind::BeforeRecording => "before-recording",
            ChangeKind::NotCaptured => "not-captured",
        }
    }
}

impl ChangeAnswer {
    /// What is the same in two runs that gave the same answer: `written at app.js:22:7, 42`.
    pub fn in_short(&self) -> String {
        self.found().in_short(self.kind.name())
    }

    pub(crate) fn found(&self) -> EarlierAnswer {
        let value = self.new.as_ref().map_or("nothing".into(), comparable);
        EarlierAnswer { place: self.point.as_ref().map(Point::place).unwrap_or_default(), value }
    }
}

/// A line of the code, executed or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceLine {
    pub file: String,
    pub line: u32,
    pub text: String,
}

impl Moment<'_> {
    /// The newest change of a place before the point; of the expression at the point's column if none is named.
    pub(crate) fn last_change(&self, place: Option<&str>) -> Result<ChangeAnswer, Error> {
        let answer = self.found_change(place)?;
        let kind = QuestionKind::LastChange { place: place.map(str::to_owned) };
        self.define(answer.point.as_ref(), kind, 0, answer.found());
        Ok(answer)
    }

    fn found_change(&self, place: Option<&str>) -> Result<ChangeAnswer, Error> {
        let (place, text) = self.place(place)?;
        let answer = |kind| ChangeAnswer {
            kind,
            place: text.clone(),
            point: None,
            old: None,
            new: None,
            inherited_from: None,
            sender: None,
            reason: None,
            writers: Vec::new(),
        };
        let change = last_change(&self.trace, &place, self.at.scene.before);
        let arrival = self.trace.arrival_of_change(&place, &change, self.at.scene.before);
        let sender = arrival.and_then(|arrival| self.sender_point(&arrival));
        let answer = match change {
            LastChange::Written(change) => self.with_change(answer(ChangeKind::Written), &change),
            LastChange::CreatedWith(change) => self.with_change(answer(ChangeKind::CreatedWith), &change),
            LastChange::ByForeignCode { change, .. } if self.may_be_outdated(&place, &change.step) => {
                let seen = change.new.unwrap_or(query::Datum::Undefined);
                ChangeAnswer { reason: Some(self.trace.outdated(&seen)), ..answer(ChangeKind::NotCaptured) }
            }
            LastChange::NeverWritten { since: Some(since) } if self.may_be_outdated(&place, &since) => {
                let reason = self.trace.outdated(&query::Datum::Undefined);
                ChangeAnswer { reason: Some(reason), ..answer(ChangeKind::NotCaptured) }
            }
            LastChange::ByForeignCode { change, after } => ChangeAnswer {
                reason: after.map(|after| format!("between @{} and @{}", after.0, change.step.id.0)),
                ..self.with_change(answer(ChangeKind::ByForeignCode), &change)
            },
            LastChange::NeverWritten { since } => {
                self.note_if_mistyped(&place, &text);
                ChangeAnswer {
                    point: since.map(|since| self.point(&since)),
                    writers: self.writers(&place),
                    ..answer(ChangeKind::NeverWritten)
                }
            }
            LastChange::BeforeRecording => answer(ChangeKind::BeforeRecording),
            LastChange::NotCaptured { why } => ChangeAnswer { reason: Some(why), ..answer(ChangeKind::NotCaptured) },
        };
        Ok(ChangeAnswer { sender, ..answer })
    }

    fn may_be_outdated(&self, place: &Place, look: &Step) -> bool {
        let Place::Property { object, .. } = place else { return false };
        self.trace.may_be_outdated(*object, look, self.at.scene.before)
    }

    fn with_change(&self, answer: ChangeAnswer, change: &Change) -> ChangeAnswer {
        let after = self.settled(&change.step);
        ChangeAnswer {
            point: Some(self.point(&change.step)),
            old: self.option_value(&change.old, change.step.id),
            new: self.option_value(&change.new, after),
            inherited_from: change.inherited_from.map(|object| self.value(&query::Datum::Object(object), after)),
            ..answer
        }
    }

    /// The writes of such a place that the code has.
    pub(crate) fn writers(&self, place: &Place) -> Vec<SourceLine> {
        let sites = match place {
            Place::Property { object, key: PropertyKey::Name(name) } => {
                let mut sites = self.trace.writers_of(name);
                sites.retain(|site| self.trace.may_write(*site, *object, self.at.scene.before));
                sites
            }
            Place::Global { name } => self.trace.global_writes(name),
            Place::Variable { place, .. } => self.variable_writers(place.unit, place.variable),
            Place::Property { .. } | Place::Entry { .. } => Vec::new(),
        };
        self.source_lines(&sites)
    }

    pub(super) fn variable_writers(&self, unit: SiteId, variable: trace_model::VariableIndex) -> Vec<SiteId> {
        let Some(unit) = self.trace.thread.code().unit(unit) else { return Vec::new() };
        let Ok(code) = unit.code() else { return Vec::new() };
        let sites = (0..).zip(&code.sites.sites).filter(|(_, site)| site.variable == Some(variable));
        sites.map(|(number, _)| unit.site(LocalSite(number))).collect()
    }

    /// The lines of sites, each once, the person's own before those of packages.
    pub(crate) fn source_lines(&self, sites: &[SiteId]) -> Vec<SourceLine> {
        let mut lines: Vec<(bool, SourceLine)> = Vec::new();
        for site in sites {
            let Some(site) = self.trace.site(*site) else { continue };
            let Some(place) = site.place() else { continue };
            let text = place.source.and_then(|source| source.lines().nth(place.position.line as usize - 1));
            let line = SourceLine {
                file: self.relative(place.path),
                line: place.position.line,
                text: super::shown::shortened(text.unwrap_or_default().trim(), LONGEST_LINE),
            };
            if !lines.iter().any(|(_, known)| *known == line) {
                lines.push((!self.trace.is_own_path(place.path), line));
            }
        }
        lines.sort_by_key(|(is_foreign, _)| *is_foreign);
        lines.truncate(MOST_LINES);
        lines.into_iter().map(|(_, line)| line).collect()
    }
}

const MOST_LINES: usize = 5;
const LONGEST_LINE: usize = 100;
