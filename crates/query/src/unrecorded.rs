//! Places that code may have written which could not be recorded although its file was (the body of a `with`): what is known of
//! them may be out of date, and nothing tells. Such code runs only while a frame of the function around it is there, so what was
//! written after the last of these frames is known.

use std::sync::OnceLock;

use trace_model::{
    CodeKind, Event, EventId, FunctionIndex, FunctionKind, LocalSite, Site, SiteId, Span, TailValues, Writes,
};
use trace_store::{CodeUnit, PropertyKey, Step, Target};

use crate::{Contents, Datum, Trace};

pub(crate) const UNRECORDED: &str = "code that could not be recorded may have written it";

/// Writes of objects that could not be found again, with their keys where these are known.
#[derive(Default)]
pub(crate) struct WritesWithoutObject {
    writes: Vec<(EventId, Option<PropertyKey>)>,
    /// There are more than are kept.
    is_cut: bool,
}

const MOST_WITHOUT_OBJECT: usize = 1000;

impl Trace<'_> {
    /// Whether code that was passed over may have written such a property of some object between two moments.
    pub(crate) fn may_be_written_unrecorded(&self, key: &PropertyKey, after: Option<EventId>, before: EventId) -> bool {
        self.passed_over().iter().any(|code| code.may_write(key) && self.ran_between(code, after, before))
    }

    /// A variable is written by the code that it was declared in, and by what that evaluates: which of the variables in scope such
    /// code wrote is not recorded.
    pub(crate) fn may_variable_be_written_unrecorded(
        &self,
        unit: SiteId,
        name: &str,
        after: Option<EventId>,
        before: EventId,
    ) -> bool {
        let of_unit = self.thread.code().unit(unit).and_then(|unit| unit.code().ok());
        let is_passed_over = of_unit.is_some_and(|code| !code.sites.not_captured.is_empty());
        let is_its = |code: &&PassedOver| code.unit == unit && code.writes.names.contains(name);
        is_passed_over && self.passed_over().iter().filter(is_its).any(|code| self.ran_between(code, after, before))
            || self.evaluated_writes().iter().any(|(of, writes)| *of != unit && writes.names.contains(name))
    }

    /// What each direct eval may write.
    fn evaluated_writes(&self) -> &[(SiteId, Writes)] {
        self.evaluated_writes.get_or_init(|| {
            let whole = || vec![Span { start: 0, end: u32::MAX }];
            let writes = self.writes(|unit| (unit.record.kind == CodeKind::Eval).then(whole));
            writes.into_iter().map(|(unit, _, writes)| (unit.record.base, writes)).collect()
        })
    }

    pub(crate) fn leave_out_unrecorded(&self, contents: &mut Contents, before: EventId) {
        let homeless = self.writes_without_object.get_or_init(|| self.find_writes_without_object());
        // It may have been a key that the object did not have.
        if homeless.is_cut || homeless.writes.first().is_some_and(|(at, _)| *at < before) {
            contents.is_complete = false;
        } else if self.passed_over().is_empty() && !self.has_evaluated(before) {
            return;
        }
        for (key, slot) in &mut contents.properties {
            let is_lost = self.is_some_object_written(key, Some(slot.since), before);
            let is_unknown = || self.may_be_written_unrecorded(key, Some(slot.since), before);
            if is_lost || is_unknown() || self.may_be_evaluated(key, before) {
                slot.value = Datum::NotCaptured;
                contents.is_complete = false;
            }
        }
    }

    /// Whether a write under this key, of which it is not known what object it wrote, lies between two events.
    pub(crate) fn is_some_object_written(&self, key: &PropertyKey, after: Option<EventId>, before: EventId) -> bool {
        if self.is_sparse() {
            // Only those that may be of this key matter, and have to be recorded.
            self.rests_on(&Target::Sites(&self.sites_read_again(Some(key))));
        }
        let writes = self.writes_without_object.get_or_init(|| self.find_writes_without_object());
        let is_between = |at: EventId| after.is_none_or(|after| after < at) && at < before;
        writes.is_cut
            || writes.writes.iter().any(|(at, of)| is_between(*at) && of.as_ref().is_none_or(|written| written == key))
    }

    /// Writes whose object was found by reading its text again, ascending: all, or those that may be under this key.
    fn sites_read_again(&self, key: Option<&PropertyKey>) -> Vec<SiteId> {
        let mut sites = Vec::new();
        for unit in self.thread.code().units() {
            let Ok(code) = unit.code() else { continue };
            let may_be = |site: &Site| match (key, site.names.first()) {
                (Some(PropertyKey::Name(wanted)), Some(name)) => code.sites.name(*name) == wanted,
                (Some(_), Some(_)) => false,
                (_, None) | (None, _) => true,
            };
            let numbered = code.sites.sites.iter().zip(0..);
            let again = numbered.filter(|(site, _)| site.extra == Site::READ_AGAIN && may_be(site));
            sites.extend(again.map(|(_, number)| unit.site(LocalSite(number))));
        }
        sites.sort_unstable();
        sites
    }

    fn find_writes_without_object(&self) -> WritesWithoutObject {
        let mut found = WritesWithoutObject::default();
        let sites = self.sites_read_again(None);
        if sites.is_empty() {
            return found;
        }
        let mut from = self.thread.first_event();
        while let Some(step) = self.thread.next(&Target::Sites(&sites), from) {
            from = EventId(step.id.0 + 1);
            let key = match &step.event {
                Event::Site { tail: TailValues::Object(None), .. } => self.key_of_site(&step),
                Event::Site { tail: TailValues::ObjectAndKey(None, key), .. } => self.key(*key),
                _ => continue,
            };
            if found.writes.len() >= MOST_WITHOUT_OBJECT {
                found.is_cut = true;
                break;
            }
            found.writes.push((step.id, key));
        }
        found
    }

    fn key_of_site(&self, step: &Step) -> Option<PropertyKey> {
        let site = self.site(step.site()?)?;
        Some(PropertyKey::Name(site.name(*site.site.names.first()?).to_owned()))
    }

    /// The code that was passed over in recorded files, as far as it may write anything.
    fn passed_over(&self) -> &[PassedOver] {
        self.passed_over.get_or_init(|| {
            let spans = |unit: &CodeUnit| {
                let passed_over = &unit.code().ok()?.sites.not_captured;
                (!passed_over.is_empty()).then(|| passed_over.iter().map(|(span, _)| *span).collect())
            };
            let mut found: Vec<PassedOver> = Vec::new();
            for (unit, span, writes) in self.writes(spans) {
                let (base, runs) = (unit.record.base, self.runs_in(unit, span, writes.makes_functions));
                match found.iter_mut().find(|known| known.unit == base && known.runs == runs) {
                    Some(known) => known.writes.add(writes),
                    None => found.push(PassedOver { unit: base, runs, writes, times: OnceLock::new() }),
                }
            }
            found
        })
    }

    /// When code at a place can run at all.
    fn runs_in(&self, unit: &CodeUnit, span: Span, makes_functions: bool) -> Runs {
        let Ok(code) = unit.code() else { return Runs::Anytime };
        let functions = &code.sites.functions;
        let is_around = |outer: Span| outer.start <= span.start && span.end <= outer.end;
        let around = (0..).zip(functions).filter(|(_, function)| is_around(function.span));
        let innermost = around.min_by_key(|(_, function)| function.span.end - function.span.start);
        let Some((number, _)) = innermost.filter(|(_, function)| function.recorded) else {
            return Runs::Anytime;
        };
        let index = FunctionIndex(number);
        let function = &functions[number as usize];
        // The code of a field holds its key, too.
        if function.kind == FunctionKind::ClassInit || !self.is_in_body(unit, index, span) {
            // A key is evaluated where it is made, parameters before the event that says that their function was entered.
            return function.parent.map_or(Runs::Anytime, Runs::Since);
        }
        // A function that is made there can be called later.
        if makes_functions { Runs::Since(index) } else { Runs::During(index) }
    }

    /// Whether some code stands in the body of a function, and neither in its parameters nor in its key.
    fn is_in_body(&self, unit: &CodeUnit, function: FunctionIndex, span: Span) -> bool {
        let Some(code) = self.code(unit.record.base) else { return false };
        let Some(facts) = code.facts.functions.get(function.0 as usize) else { return false };
        let starts = facts.statements.iter().map(|statement| code.facts.statements[*statement as usize].span.start);
        starts.min().is_some_and(|first| first <= span.start)
    }

    fn ran_between(&self, code: &PassedOver, after: Option<EventId>, before: EventId) -> bool {
        let after = after.unwrap_or(EventId(0));
        match code.runs {
            Runs::Anytime => true,
            Runs::During(function) => self.times(code, function).overlap(after, before),
            Runs::Since(function) => self.times(code, function).frames.first().is_some_and(|first| first.0 < before),
        }
    }

    fn times<'t>(&self, code: &'t PassedOver, function: FunctionIndex) -> &'t Times {
        code.times.get_or_init(|| {
            let function = [(code.unit, function)];
            let mut times = Times::default();
            let mut from = self.thread.first_event();
            while let Some(enter) = self.next(&Target::Enter(Some(&function)), from) {
                if times.frames.len() >= MOST_FRAMES {
                    times.unknown_from = Some(enter.id);
                    break;
                }
                let frame = enter.frame.and_then(|frame| self.frame(frame));
                times.add(enter.id, frame.and_then(|frame| frame.left));
                from = EventId(enter.id.0 + 1);
            }
            times
        })
    }

    /// What the code may write in the places that are chosen.
    fn writes(&self, choose: impl Fn(&CodeUnit) -> Option<Vec<Span>>) -> Vec<(&CodeUnit, Span, Writes)> {
        let units = self.thread.code().units().iter();
        let writes = units.filter_map(|unit| {
            let spans = choose(unit)?;
            let writes = self.language().writes_in(unit.source_code()?, &spans).ok()?;
            Some(spans.into_iter().zip(writes).map(move |(span, writes)| (unit, span, writes)))
        });
        writes.flatten().filter(|(_, _, writes)| !writes.is_empty()).collect()
    }
}

/// Code inside a recorded file that was not recorded.
pub(crate) struct PassedOver {
    unit: SiteId,
    runs: Runs,
    writes: Writes,
    times: OnceLock<Times>,
}

impl PassedOver {
    fn may_write(&self, key: &PropertyKey) -> bool {
        self.writes.any_property || matches!(key, PropertyKey::Name(name) if self.writes.names.contains(name))
    }
}

/// When some code can run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runs {
    Anytime,
    /// While a frame of this function is there.
    During(FunctionIndex),
    /// From the time on that this function was first called.
    Since(FunctionIndex),
}

/// When a function had frames.
#[derive(Default)]
struct Times {
    /// Each frame: when it was entered, and until when it or one before it was there (`None`: to the end).
    frames: Vec<(EventId, Option<EventId>)>,
    /// There are more frames from here on than are kept.
    unknown_from: Option<EventId>,
}

impl Times {
    fn add(&mut self, entered: EventId, left: Option<EventId>) {
        let until = match self.frames.last() {
            Some((_, until)) => until.zip(left).map(|(one, other)| one.max(other)),
            None => left,
        };
        self.frames.push((entered, until));
    }

    /// Whether a frame was there at some moment between two events.
    fn overlap(&self, after: EventId, before: EventId) -> bool {
        if self.unknown_from.is_some_and(|from| from < before) {
            return true;
        }
        let n_entered = self.frames.partition_point(|(entered, _)| *entered < before);
        let last = n_entered.checked_sub(1).map(|last| self.frames[last].1);
        last.is_some_and(|until| until.is_none_or(|until| until > after))
    }
}

const MOST_FRAMES: usize = 20_000;
