//! What should have happened and did not: to an object, to a place, or on a line.

use query::omissions::{About, Asking, FoundOmissions, Limit, MOST_CALLS, MOST_TIMES, Omission, Program, Reason};
use query::{Datum, Place, Wait};
use trace_model::{ObjectId, ProgramFunction, SiteKind, Span};

use super::program::program_of;
use super::shown::shortened;
use super::{Moment, Point, SourceLine};
use crate::not_captured::files_not_captured;
use crate::{Error, Value};

/// What was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OmissionsRequest {
    /// The longest way of calls to an operation.
    pub most_calls: usize,
    /// At most so many results.
    pub limit: usize,
    /// Also operations that cannot change the object.
    pub reads: bool,
    /// Operations of these names are left out: `push`, `x`.
    pub hidden: Vec<String>,
}

impl OmissionsRequest {
    fn asking(&self) -> Asking {
        Asking { most_calls: self.most_calls, reads: self.reads, hidden: self.hidden.clone() }
    }
}

impl Default for OmissionsRequest {
    fn default() -> OmissionsRequest {
        OmissionsRequest { most_calls: MOST_CALLS, limit: 10, reads: false, hidden: Vec::new() }
    }
}

#[derive(Clone, Debug)]
pub struct OmissionsAnswer {
    /// What the question is about, in words: `list #17 []`, `app.js:40`.
    pub about: String,
    /// The object, where it is about one.
    pub object: Option<Value>,
    /// Best first.
    pub results: Vec<OmissionShown>,
    /// How many more there are.
    pub n_more: usize,
}

/// An operation that was not performed, and what kept it from being.
#[derive(Clone, Debug)]
pub struct OmissionShown {
    pub reason: OmissionReason,
    /// The decision, the call, or what was executed last.
    pub branch: Point,
    /// What happened there, in words: `active was false`.
    pub text: String,
    pub operation: SourceLine,
    /// The operation with the object filled in: `#17.push(name)`.
    pub filled_in: String,
    /// The functions on the way from the decision to the operation.
    pub chain: Vec<SourceLine>,
    pub certainty: OmissionCertainty,
    /// Others that the operation was performed on, in words.
    pub others: Option<String>,
    /// How many more operations were kept from being performed there.
    pub n_also: usize,
    /// How many more times the same decision went the same way.
    pub n_more_times: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OmissionReason {
    Branch,
    LoopEnded,
    Exception,
    NeverResumed,
    OtherFunction,
    NeverCalled,
    LeftBehind,
    MadeWithout,
    BecameNothing,
}

impl OmissionReason {
    /// Whether no operation of the source was left out: the source itself lacks it.
    pub fn lacks_code(self) -> bool {
        matches!(self, OmissionReason::LeftBehind | OmissionReason::MadeWithout | OmissionReason::BecameNothing)
    }

    pub fn name(self) -> &'static str {
        match self {
            OmissionReason::Branch => "branch",
            OmissionReason::LoopEnded => "loop-ended",
            OmissionReason::Exception => "exception",
            OmissionReason::NeverResumed => "never-resumed",
            OmissionReason::OtherFunction => "other-function",
            OmissionReason::NeverCalled => "never-called",
            OmissionReason::LeftBehind => "left-behind",
            OmissionReason::MadeWithout => "made-without",
            OmissionReason::BecameNothing => "became-nothing",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OmissionCertainty {
    /// The object was at hand there, and the operation is one that was performed at other times.
    Observed,
    /// The object was at hand there.
    AtHand,
    /// The source says that it may.
    May,
}

impl OmissionCertainty {
    pub fn name(self) -> &'static str {
        match self {
            OmissionCertainty::Observed => "observed",
            OmissionCertainty::AtHand => "at-hand",
            OmissionCertainty::May => "may",
        }
    }
}

impl Moment<'_> {
    /// What could have been done to an object or a place before the point, and was not.
    pub(crate) fn omissions(&self, place: Option<&str>, request: &OmissionsRequest) -> Result<OmissionsAnswer, Error> {
        let (about, text) = self.about(place)?;
        let program = self.program();
        self.tell_limits(program);
        let before = self.at.scene.before;
        if let Some(object) = about.object()
            && program.births_of(&self.trace, object).is_empty()
        {
            self.note("the object was not made by code that is recorded: only names that stood for it are known");
        }
        let object = about.object().map(|object| self.value(&Datum::Object(object), before));
        let found = self.trace.omitted(program, about, before, &request.asking());
        Ok(self.shown(program, text, object, found, request))
    }

    /// Why control did not come to a line before the point.
    pub(crate) fn why_not(&self, file: &str, line: u32, request: &OmissionsRequest) -> Result<OmissionsAnswer, Error> {
        let program = self.program();
        let places =
            self.trace.code_on_line(&self.file_meant(file), line).map_err(|error| Error::from(error).named(file))?;
        self.tell_limits(program);
        let found = self.trace.not_reached(program, &places, self.at.scene.before, &request.asking());
        Ok(self.shown(program, format!("{file}:{line}"), None, found, request))
    }

    /// The code of the thread, analysed when it is first asked for.
    pub(crate) fn program(&self) -> &Program {
        self.program.get_or_init(|| program_of(&self.trace))
    }

    /// A place that holds an object is about that object; one that holds something else is about the place itself.
    fn about(&self, place: Option<&str>) -> Result<(About, String), Error> {
        if let Some(object) = place.and_then(|text| text.strip_prefix('#')?.parse().ok()) {
            return Ok((About::Object(ObjectId(object)), place.unwrap_or_default().to_owned()));
        }
        let (named, text) = self.place(place)?;
        let held = self.datum(place)?;
        Ok(match (held, named) {
            (Datum::Object(object), _) => (About::Object(object), text),
            (_, Place::Property { object, key }) => (About::Property(object, key), text),
            (_, Place::Entry { object, .. }) => (About::Object(object), text),
            (_, Place::Variable { place, .. }) => (About::Variable(place), text),
            (_, Place::Global { name }) => {
                return Err(Error::NoSuchPlace { text, why: format!("{name} is a global variable of the engine") });
            }
        })
    }

    fn shown(
        &self,
        program: &Program,
        about: String,
        object: Option<Value>,
        found: FoundOmissions,
        request: &OmissionsRequest,
    ) -> OmissionsAnswer {
        found.limits.iter().for_each(|limit| self.note(limit_words(*limit)));
        let n_found = found.omissions.len();
        let shown = found.omissions.into_iter().take(request.limit);
        let results: Vec<OmissionShown> =
            shown.filter_map(|omission| self.shown_omission(program, object.as_ref(), &omission)).collect();
        OmissionsAnswer { about, object, n_more: n_found - results.len(), results }
    }

    pub(super) fn shown_omission(
        &self,
        program: &Program,
        object: Option<&Value>,
        omission: &Omission,
    ) -> Option<OmissionShown> {
        let step = self.trace.thread.step(omission.at)?;
        let certainty = match (omission.is_observed(), omission.has_object) {
            (true, _) => OmissionCertainty::Observed,
            (false, true) => OmissionCertainty::AtHand,
            (false, false) => OmissionCertainty::May,
        };
        let text_of = |span: Span| program.text(omission.wanted.function, &self.trace, span);
        let whole = text_of(omission.wanted.span);
        let filled_in = match object.and_then(|object| object.object) {
            Some(number) => filled_in(&whole, omission.wanted.span, omission.wanted.object, number),
            None => whole,
        };
        let mut chain: Vec<SourceLine> = Vec::new();
        for call in &omission.calls {
            chain.extend(self.line_at(program, call.caller, call.span));
        }
        Some(OmissionShown {
            reason: reason(omission.reason),
            branch: self.point(&step),
            text: self.reason_words(omission),
            operation: self.line_at(program, omission.wanted.function, omission.wanted.span)?,
            filled_in: shortened(&one_line(&filled_in), LONGEST_TEXT),
            chain,
            certainty,
            others: others(omission, object.is_some()),
            n_also: omission.also.len(),
            n_more_times: omission.n_more,
        })
    }

    /// What happened where the operation was kept from being performed.
    fn reason_words(&self, omission: &Omission) -> String {
        let Some(step) = self.trace.thread.step(omission.at) else { return String::new() };
        match omission.reason {
            Reason::Branch | Reason::LoopEnded => {
                let value = self.trace.step_value(&step).map(|value| self.value(&value, step.id).text);
                let subject = self.text_of(&step).unwrap_or_else(|| "the condition".into());
                let words = self.condition_words(&step, &subject, value.as_deref());
                if omission.reason == Reason::LoopEnded { format!("the loop ended: {words}") } else { words }
            }
            Reason::Exception if self.trace.kind(&step) == Some(SiteKind::Suspend) => {
                "what is awaited here was rejected, which skipped the rest".into()
            }
            Reason::Exception => "an exception skipped the rest".into(),
            Reason::NeverResumed => {
                let frame = step.frame.and_then(|frame| self.trace.frame(frame));
                match frame.map_or(Wait::Unknown, |frame| self.trace.wait_of(&frame, self.at.scene.before)) {
                    Wait::Lasts => "the function waits here and was never resumed".into(),
                    Wait::Rejected | Wait::Unknown => {
                        "the function did not resume here: what it awaits was never settled, or was rejected".into()
                    }
                }
            }
            Reason::OtherFunction => "another function was called here".into(),
            Reason::NeverCalled => "the function was registered here and never called".into(),
            Reason::LeftBehind => left_behind(omission.n_together),
            Reason::MadeWithout => "the object was made here without it".into(),
            Reason::BecameNothing => {
                let subject = self.text_of(&step).unwrap_or_else(|| "the value".into());
                let value = self.trace.step_value(&step).map(|value| self.value(&value, step.id).text);
                format!("{subject} was {} here; nothing was written since", value.as_deref().unwrap_or("nothing"))
            }
        }
    }

    fn line_at(&self, program: &Program, function: ProgramFunction, span: Span) -> Option<SourceLine> {
        let unit = self.trace.thread.code().unit(program.unit(function)?)?;
        let place = unit.place(span.start)?;
        let text = place.source.and_then(|source| source.lines().nth(place.position.line as usize - 1));
        Some(SourceLine {
            file: self.relative(place.path),
            line: place.position.line,
            text: shortened(text.unwrap_or_default().trim(), LONGEST_TEXT),
        })
    }

    fn tell_limits(&self, program: &Program) {
        program.facts.limits.iter().for_each(|limit| self.note(limit.clone()));
        files_not_captured(self.run).into_iter().for_each(|sentence| self.note(sentence));
    }
}

fn reason(reason: Reason) -> OmissionReason {
    match reason {
        Reason::Branch => OmissionReason::Branch,
        Reason::LoopEnded => OmissionReason::LoopEnded,
        Reason::Exception => OmissionReason::Exception,
        Reason::NeverResumed => OmissionReason::NeverResumed,
        Reason::OtherFunction => OmissionReason::OtherFunction,
        Reason::NeverCalled => OmissionReason::NeverCalled,
        Reason::LeftBehind => OmissionReason::LeftBehind,
        Reason::MadeWithout => OmissionReason::MadeWithout,
        Reason::BecameNothing => OmissionReason::BecameNothing,
    }
}

fn limit_words(limit: Limit) -> String {
    match limit {
        Limit::Ways => {
            "more call paths lead there than were followed: something else may have prevented it as well".into()
        }
        Limit::Executions => {
            format!(
                "of functions that were executed more often, only the {MOST_TIMES} newest executions were looked at"
            )
        }
    }
}

fn left_behind(n_together: usize) -> String {
    match n_together {
        0 => "this was changed, and what belongs with it was left as it was".into(),
        1 => "this was changed alone; once before both were changed together".into(),
        n => format!("this was changed alone; {n} times both were changed together"),
    }
}

/// On which objects the operation was performed.
fn others(omission: &Omission, is_object: bool) -> Option<String> {
    let performed = omission.performed;
    let times = |n: u64| if n == 1 { "once".to_owned() } else { format!("{n} times") };
    if !is_object {
        let n_times = performed.on_this + performed.on_siblings + performed.on_others;
        return (n_times > 0).then(|| format!("it was performed {} before", times(n_times)));
    }
    match (performed.on_this, performed.on_siblings, performed.on_others) {
        (0, 0, 0) => None,
        (0, 0, others) => Some(format!("it was performed {} on other objects, never on this one", times(others))),
        (0, siblings, _) => Some(format!(
            "it was performed {} on objects that were made in the same place, never on this one",
            times(siblings)
        )),
        (this, siblings, _) if performed.is_fewer_than_siblings() => Some(format!(
            "it was performed {} on this object, and {} on {} that were made in the same place",
            times(this),
            times(siblings),
            if performed.n_siblings == 1 { "another".to_owned() } else { format!("{} others", performed.n_siblings) }
        )),
        (this, ..) => Some(format!("it was performed {} on this object", times(this))),
    }
}

/// The operation with the object in the place of what stands for it.
fn filled_in(text: &str, whole: Span, part: Span, object: u32) -> String {
    let start = part.start.saturating_sub(whole.start) as usize;
    let end = part.end.saturating_sub(whole.start) as usize;
    let is_part = part.start >= whole.start && part.end <= whole.end && part != whole;
    match (is_part, text.get(..start), text.get(end..)) {
        (true, Some(before), Some(behind)) => format!("{before}#{object}{behind}"),
        _ => text.to_owned(),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

const LONGEST_TEXT: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_object_stands_for_its_name() {
        let span = |start, end| Span { start, end };
        assert_eq!(filled_in("d.add(n)", span(10, 18), span(10, 11), 7), "#7.add(n)");
        assert_eq!(filled_in("f(x, d)", span(0, 7), span(5, 6), 7), "f(x, #7)");
        assert_eq!(filled_in("x = 1", span(0, 5), span(0, 5), 7), "x = 1");
    }
}
