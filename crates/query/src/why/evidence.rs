//! Evidence that no slice of the failing value has: what was done with its companions, and what was not done again.

use std::collections::HashSet;

use trace_model::{Event, EventId, FrameId, FunctionIndex, Node, ObjectId, Record, SiteId, SiteKind, Way};
use trace_store::{FrameInfo, Step, Target};

use super::{HopKind, Question, Search, cost};
use crate::{Datum, Place, Scene};

impl Search<'_, '_> {
    /// After a write that explains a value: why was it not written again, or undone?
    pub(super) fn since_the_write(&mut self, write: &Step) -> Option<()> {
        let frame = self.trace.frame(write.frame?)?;
        self.skipped_repeat(write, &frame);
        self.cut_short(write, &frame);
        self.companions_changed(write, &frame);
        Some(())
    }

    /// The function that made the write ran again, and a branch kept it from making it again.
    fn skipped_repeat(&mut self, write: &Step, frame: &FrameInfo) -> Option<()> {
        let site = write.site()?;
        let code = self.trace.code(site)?;
        let depends_on = code.site_facts(site).depends_on.clone();
        if depends_on.is_empty() {
            return None;
        }
        let functions = [(frame.unit, frame.function)];
        let before = self.failed_before();
        let again = self.trace.last(&Target::Enter(Some(&functions)), before)?;
        let again = again.frame.filter(|again| *again != frame.id && again.0 > frame.id.0)?;
        if self.trace.last(&Target::SitesInFrame(again, &[site]), before).is_some() {
            return None;
        }
        for dependence in depends_on {
            let branch = code.global(dependence.branch);
            let Some(step) = self.trace.last(&Target::SitesInFrame(again, &[branch]), before) else { continue };
            let went_elsewhere = match dependence.way {
                Way::True => self.trace.truth(&step) == Some(false),
                Way::False => self.trace.truth(&step) == Some(true),
                Way::Any => false,
            };
            if went_elsewhere {
                let question = Question::Happened { event: step.id, kind: HopKind::Condition, focus: None };
                self.follow(cost::EVIDENCE, question);
                self.done_instead(again, &step);
            }
        }
        Some(())
    }

    /// An exception that kept the frame from writing the same key again further down.
    fn cut_short(&mut self, write: &Step, frame: &FrameInfo) -> Option<()> {
        let site = self.trace.site(write.site()?)?;
        let name = site.name(*site.site.names.first().filter(|_| site.site.kind == SiteKind::Put)?);
        let catches = self.trace.sites_of_function(frame.unit, frame.function, |kind| kind == SiteKind::Catch);
        let catch = self.trace.next(&Target::SitesInFrame(frame.id, &catches), EventId(write.id.0 + 1))?;
        let behind = self.trace.site(catch.site()?)?.site.span.start;
        let mut further = self.trace.sites_of_function(frame.unit, frame.function, |kind| kind == SiteKind::Put);
        further.retain(|id| {
            let other = self.trace.site(*id);
            other.is_some_and(|other| {
                let is_between = site.site.span.end <= other.site.span.start && other.site.span.start < behind;
                is_between && other.site.names.first().is_some_and(|known| other.name(*known) == name)
            })
        });
        let is_kept = catch.id < self.failed_before() && !further.is_empty();
        let done = self.trace.next(&Target::SitesInFrame(frame.id, &further), EventId(write.id.0 + 1));
        if !is_kept || done.is_some_and(|done| done.id < catch.id) {
            return None;
        }
        let thrown = self.trace.thrown_before(&catch)?;
        let kind = if thrown.is_explicit { HopKind::Throw } else { HopKind::Evidence };
        self.follow(cost::EVIDENCE, Question::Happened { event: thrown.step.id, kind, focus: None });
        Some(())
    }

    /// What a frame did behind a branch: its next write.
    fn done_instead(&mut self, frame: FrameId, branch: &Step) -> Option<()> {
        let before = self.failed_before();
        let mut at = EventId(branch.id.0 + 1);
        for _ in 0..MOST_LOOKED_AT {
            let step = self.trace.next(&Target::InFrame(frame), at)?;
            if step.id >= before {
                return None;
            }
            at = EventId(step.id.0 + 1);
            if is_write(self.trace.kind(&step)) {
                let question = Question::Happened { event: step.id, kind: HopKind::Evidence, focus: None };
                self.follow(cost::EVIDENCE + cost::COPY, question);
                return Some(());
            }
        }
        None
    }

    /// Objects that were changed together with the write, and later by another function that left this place alone.
    fn companions_changed(&mut self, write: &Step, frame: &FrameInfo) -> Option<()> {
        let before = self.failed_before();
        let own = self.trace.changed_object(write);
        let mut known: HashSet<ObjectId> = own.into_iter().collect();
        for companion in self.changed_in(frame, write) {
            if !known.insert(companion) {
                continue;
            }
            let Some(later) = self.newest_change(companion, before) else { continue };
            if later.id <= write.id || self.is_of(&later, frame.unit, frame.function) {
                continue;
            }
            let question = Question::Happened { event: later.id, kind: HopKind::Evidence, focus: None };
            self.follow(cost::EVIDENCE, question);
        }
        Some(())
    }

    /// Objects that a frame changed near a write, the nearest first.
    fn changed_in(&self, frame: &FrameInfo, write: &Step) -> Vec<ObjectId> {
        let mut objects = Vec::new();
        let (mut before, mut after) = (write.id, EventId(write.id.0 + 1));
        let end = frame.left.unwrap_or(self.trace.thread.end());
        for _ in 0..MOST_LOOKED_AT {
            if let Some(step) = self.trace.next(&Target::InFrame(frame.id), after).filter(|step| step.id < end) {
                after = EventId(step.id.0 + 1);
                objects.extend(self.trace.changed_object(&step).filter(|_| is_change(&step)));
            }
            if let Some(step) = self.trace.last(&Target::InFrame(frame.id), before) {
                before = step.id;
                objects.extend(self.trace.changed_object(&step).filter(|_| is_change(&step)));
            }
        }
        objects
    }

    pub(super) fn newest_change(&self, object: ObjectId, before: EventId) -> Option<Step> {
        let mut at = before;
        for _ in 0..MOST_LOOKED_AT {
            let step = self.trace.last(&Target::Object(object), at)?;
            at = step.id;
            if is_change(&step) {
                return Some(step);
            }
        }
        None
    }

    fn is_of(&self, step: &Step, unit: SiteId, function: FunctionIndex) -> bool {
        let frame = step.frame.and_then(|frame| self.trace.frame(frame));
        frame.is_some_and(|frame| (frame.unit, frame.function) == (unit, function))
    }

    /// Who had something taken away: the callers, up to the frame that failed later.
    pub(super) fn removers(&mut self, removal: &Step) -> Option<()> {
        let failing: HashSet<FrameId> = self.trace.frames_at(self.failed_before()).into_iter().collect();
        let mut frame = self.trace.frame(removal.frame?)?;
        let mut price = cost::REMOVER;
        for _ in 0..MOST_CALLERS {
            if failing.contains(&frame.id) {
                return None;
            }
            let caller = self.trace.caller(&frame)?;
            let event = self.trace.call_event(&caller);
            if !self.is_returned(&caller) {
                self.follow(price, Question::Happened { event: event.id, kind: HopKind::Call, focus: None });
                price += cost::REMOVER;
            }
            frame = self.trace.frame(self.trace.caller_of(&frame)?)?;
        }
        None
    }

    /// `return f(…)`: the call only hands on.
    fn is_returned(&self, caller: &super::links::Caller) -> bool {
        let span = caller.code.expression(caller.call).span;
        let source = caller.code.source().unwrap_or_default();
        let before = source.get(..span.start as usize).unwrap_or_default().trim_end();
        self.trace.language().ends_with_return(before)
    }

    /// Something that a built-in made of its arguments: the one among these that holds the value.
    pub(super) fn taken_over(&mut self, seen: &Step, value: &Datum) -> Option<()> {
        let (code, step, call) = self.trace.effect_call(seen)?;
        let Node::Call(parts) = &code.expression(call).node else { return None };
        let began = parts.call_site.and_then(|site| self.trace.evaluation(&step).event(site));
        let called = Scene { before: seen.id, ..self.trace.scene(&step)? };
        if self.called_back_with(called, began, value).is_some() {
            return Some(());
        }
        let receiver = match &code.expression(parts.callee).node {
            Node::Member { object, .. } => Some(*object),
            _ => None,
        };
        let scene = Scene { before: seen.id, ..self.trace.scene(&step)? };
        let evaluation = self.trace.evaluation(&step);
        for part in parts.arguments.iter().copied().chain(receiver) {
            let given = self.trace.value_in(&code, scene, &evaluation, part).ok();
            if given.as_ref() == Some(value) {
                let behind = Some(seen.id);
                self.follow(cost::BRIDGE, Question::Value { at: step.id, expression: part, behind });
                return Some(());
            }
            let Some(Datum::Object(object)) = given else { continue };
            let Some(contents) = self.trace.contents(object, seen.id) else { continue };
            if let Some((key, _)) = contents.properties.into_iter().find(|(_, slot)| slot.value == *value) {
                self.follow(cost::BRIDGE, Question::Held { place: Place::Property { object, key }, before: seen.id });
                return Some(());
            }
        }
        None
    }

    /// What came from outside may have gone there before.
    pub(super) fn same_before(&mut self, entry: &Step) -> Option<()> {
        match self.trace.step_value(entry)? {
            Datum::Object(object) => self.same_object_before(entry, object).or_else(|| self.same_text_before(entry)),
            _ => self.same_text_before(entry),
        }
    }

    /// The newest event outside that had the same object.
    fn same_object_before(&mut self, entry: &Step, object: ObjectId) -> Option<()> {
        let step = self.trace.last(&Target::Mentions(object), entry.id).filter(|step| step.site().is_some())?;
        let kind = match self.trace.kind(&step)? {
            SiteKind::Return => HopKind::Return,
            SiteKind::Argument => HopKind::Argument,
            _ => HopKind::Write,
        };
        self.follow(cost::BRIDGE, Question::Happened { event: step.id, kind, focus: None });
        Some(())
    }

    /// A text that came from outside may have gone there before: the newest event that made the same text.
    fn same_text_before(&mut self, entry: &Step) -> Option<()> {
        let text = match self.trace.step_value(entry)? {
            Datum::String(text) => text,
            // A chunk of bytes: what the program made of it.
            _ => self.text_made_of(entry)?,
        };
        if text.len() < SHORTEST_BRIDGE {
            return None;
        }
        let frame = entry.frame?;
        for step in self.trace.thread.steps_before(entry.id).take(LONGEST_BRIDGE) {
            let is_same = matches!(self.trace.step_value(&step), Some(Datum::String(other)) if other == text);
            if is_same && step.frame != Some(frame) {
                let question = Question::Happened { event: step.id, kind: HopKind::Write, focus: None };
                self.follow(cost::BRIDGE, question);
                return Some(());
            }
        }
        None
    }

    /// The first text that a frame wrote after it was entered with something else.
    fn text_made_of(&self, entry: &Step) -> Option<std::sync::Arc<str>> {
        let frame = entry.frame?;
        let mut at = EventId(entry.id.0 + 1);
        for _ in 0..MOST_LOOKED_AT {
            let step = self.trace.next(&Target::InFrame(frame), at)?;
            at = EventId(step.id.0 + 1);
            if let Some(Datum::String(text)) = self.trace.written_value(&step) {
                return Some(text);
            }
        }
        None
    }

    /// Exceptions that somebody caught and that the object was involved in: what was left undone.
    pub(super) fn swallowed(&mut self, object: ObjectId, before: EventId) -> Option<()> {
        let born = self.trace.birth(object)?.id;
        let catches = self.trace.sites_of_kind(SiteKind::Catch, |_| true);
        let mut at = before;
        for _ in 0..MOST_CATCHES {
            let step = self.trace.last(&Target::Sites(&catches), at)?;
            if step.id <= born {
                return None;
            }
            at = step.id;
            let this = step.frame.and_then(|frame| self.trace.this(frame));
            if this.is_some_and(|(this, _)| this.object() == Some(object)) {
                let thrown = self.trace.thrown_before(&step)?;
                let question = Question::Happened { event: thrown.step.id, kind: HopKind::Evidence, focus: None };
                self.follow(cost::EVIDENCE, question);
                return Some(());
            }
        }
        None
    }
}

const MOST_LOOKED_AT: usize = 32;
const MOST_CATCHES: usize = 32;
const MOST_CALLERS: usize = 64;
/// Shorter texts are the same by chance.
const SHORTEST_BRIDGE: usize = 8;
const LONGEST_BRIDGE: usize = 2_000_000;

fn is_write(kind: Option<SiteKind>) -> bool {
    use SiteKind::*;
    matches!(
        kind,
        Some(
            Put | PutComputed
                | PutIncrement
                | PutDecrement
                | PutComputedIncrement
                | PutComputedDecrement
                | Delete
                | DeleteComputed
        )
    )
}

pub(super) fn is_change(step: &Step) -> bool {
    match &step.event {
        Event::Site { tail, .. } => {
            matches!(tail, trace_model::TailValues::Object(Some(_)) | trace_model::TailValues::ObjectAndKey(Some(_), _))
        }
        Event::Record(record) => matches!(record, Record::Effect { .. }),
    }
}
