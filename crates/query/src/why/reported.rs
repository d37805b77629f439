//! What failed although no exception ended the program: a test runner caught the error, was handed it as a value, or printed what was
//! wrong without any.
//!
//! No runner is known by name. An error failed the run if its message was printed after it was made, and what was printed is the
//! evidence: the message itself, what marks it as a failure, the places of the source beside it. Where no error fits, a printed line
//! that says that something failed leads to the source that it names, or to what printed it. A run that ended well and printed
//! nothing of all this has no failure.

use std::collections::HashSet;
use std::sync::Arc;

use trace_model::{Event, EventId, FrameId, FunctionKind, Key, Node, ObjectId, Record, SiteId, SiteKind, Value};
use trace_store::{PropertyKey, Step, Target};

use super::failure::{Evidence, Failure, FailureKind, Standing};
use crate::change::KeyChange;
use crate::printed::{Printed, PrintedAt, PrintedPlace};
use crate::{Datum, Property, SourceAt, StackFrame, Thrown, Trace};

/// An error whose message was printed.
struct Reported {
    error: ObjectId,
    /// The first look at it.
    look: Step,
    /// As it was printed.
    message: String,
    at: PrintedAt,
}

/// An error as it looked when it was first seen.
struct ErrorSeen {
    object: ObjectId,
    name: Option<Arc<str>>,
    message: Option<Arc<str>>,
    look: Step,
}

impl Trace<'_> {
    /// Errors of this thread that were reported, and what was reported without one.
    pub(super) fn reported(&self, is_own: &dyn Fn(&str) -> bool) -> Vec<Failure> {
        let Some((thread, printed)) = self.printed_by_run() else { return Vec::new() };
        let mut reported = self.reported_errors(thread, printed);
        self.leave_out_quoted(&mut reported);
        let mut found: Vec<Failure> =
            reported.iter().filter_map(|reported| self.failure_of(reported, printed, is_own)).collect();
        found.extend(self.failed_lines(thread, printed, is_own));
        found
    }

    fn reported_errors(&self, thread: usize, printed: &Printed) -> Vec<Reported> {
        let errors = self.errors_seen();
        let renamed = self.given_messages(&errors);
        let find = |message: &str, error: &ErrorSeen, look: &Step| {
            let at = printed.find(error.name.as_deref(), message, (thread, look.id))?;
            Some(Reported { error: error.object, look: look.clone(), message: message.to_owned(), at })
        };
        let reported = |error: &ErrorSeen| {
            let first = error.message.as_deref().and_then(|message| find(message, error, &error.look));
            first.or_else(|| {
                // It was given its message later, or another one: only then it was known what is wrong.
                let is_renamed = renamed.contains(&error.object) || error.message.is_none();
                let key = self.message_key();
                let end = self.thread.end();
                match is_renamed.then(|| self.property(error.object, &key, end).value())? {
                    Datum::String(message) => {
                        let given = self.last(&Target::Property(error.object, &key), end);
                        find(
                            &message,
                            error,
                            given.filter(|step| step.site().is_some()).as_ref().unwrap_or(&error.look),
                        )
                    }
                    _ => None,
                }
            })
        };
        errors.iter().filter_map(reported).collect()
    }

    /// The errors of the run, as they looked when they were first seen.
    fn errors_seen(&self) -> Vec<ErrorSeen> {
        let mut errors = Vec::new();
        let mut seen = HashSet::new();
        let mut from = self.thread.first_event();
        for _ in 0..MOST_ERRORS {
            let Some(look) = self.next(&Target::Errors, from) else { break };
            from = EventId(look.id.0 + 1);
            let Event::Record(Record::Look { object, name, entries, .. }) = &look.event else { continue };
            let own = |key: &str| entries.iter().find(|(name, _)| self.is_text(*name, key)).map(|(_, value)| *value);
            // What errors inherit from looks like one.
            if self.language().constructor_key().and_then(own).is_some() || !seen.insert(*object) {
                continue;
            }
            let message = match own(self.language().error_keys().message).map(|value| self.datum(value)) {
                Some(Datum::String(message)) => Some(message),
                _ => None,
            };
            let name = name.and_then(|name| self.thread.string(name));
            errors.push(ErrorSeen { object: *object, name, message, look: look.clone() });
        }
        errors
    }

    /// Which of these errors were given a message after they had been made.
    fn given_messages(&self, errors: &[ErrorSeen]) -> HashSet<ObjectId> {
        let mut objects: Vec<ObjectId> = errors.iter().map(|error| error.object).collect();
        objects.sort_unstable();
        let key = self.message_key();
        let mut given = HashSet::new();
        for step in self.each_before(&Target::Objects(&objects), self.thread.end()) {
            let of = |object: ObjectId| self.key_change(&step, object, &key);
            let is_given = |object: &ObjectId| !matches!(of(*object), KeyChange::Nothing | KeyChange::Seen(_));
            given.extend(self.changed_object(&step).filter(is_given));
        }
        given
    }

    /// An assertion about an error has its message in its own: what was reported is the assertion.
    fn leave_out_quoted(&self, reported: &mut Vec<Reported>) {
        let assertions: Vec<(String, EventId, PrintedAt)> = reported
            .iter()
            .filter(|reported| self.is_by_assertion(reported.error))
            .map(|reported| (reported.message.clone(), reported.look.id, reported.at))
            .collect();
        reported.retain(|inner| {
            !assertions.iter().any(|(message, made, at)| {
                let is_there = inner.at.is_on_lines_of(*at, message.lines().count() + 1);
                let is_part = message.len() > inner.message.len() && message.contains(inner.message.trim());
                inner.look.id < *made && is_there && is_part
            })
        });
    }

    /// Where the error was thrown that an assertion tells of.
    pub(super) fn quoted_error(&self, failure: &Failure) -> Option<Thrown> {
        let own = failure.error.as_ref()?.object().filter(|error| self.is_by_assertion(*error))?;
        let mut before = failure.thrown.before;
        for _ in 0..MOST_QUOTED {
            let look = self.last(&Target::Errors, before)?;
            before = look.id;
            let Event::Record(Record::Look { object, entries, .. }) = &look.event else { continue };
            let message = entries.iter().find(|(name, _)| self.is_text(*name, self.language().error_keys().message));
            let is_quoted = message.is_some_and(|(_, value)| match self.datum(*value) {
                Datum::String(message) => !message.trim().is_empty() && failure.message.contains(message.trim()),
                _ => false,
            });
            if is_quoted && *object != own {
                let end = failure.thrown.before;
                return self.origin_of(&Datum::Object(*object), end).filter(|thrown| self.is_own_step(&thrown.step));
            }
        }
        None
    }

    fn is_by_assertion(&self, error: ObjectId) -> bool {
        let has = |key: &str| {
            let property = self.property(error, &PropertyKey::Name(key.into()), self.thread.end());
            matches!(property, Property::Own { .. })
        };
        self.language().error_keys().compared.is_some_and(|(found, wanted)| has(found) && has(wanted))
    }

    fn message_key(&self) -> PropertyKey {
        PropertyKey::Name(self.language().error_keys().message.into())
    }

    /// Whether a key is that of a constructor: what errors inherit from has one, and looks like an error itself.
    pub(super) fn is_constructor_key(&self, key: Value) -> bool {
        self.language().constructor_key().is_some_and(|constructor| self.is_text(key, constructor))
    }

    pub(super) fn is_text(&self, value: Value, text: &str) -> bool {
        matches!(self.datum(value), Datum::String(own) if *own == *text)
    }

    fn failure_of(&self, reported: &Reported, printed: &Printed, is_own: &dyn Fn(&str) -> bool) -> Option<Failure> {
        let error = Datum::Object(reported.error);
        let places = printed.places_near(reported.at, &reported.message);
        let (thrown, is_handled) = self.start_of(reported, &places, is_own)?;
        // Who prints an error with a place of the project says where it starts.
        let own = printed.places_of_message(reported.at, &reported.message);
        let is_elsewhere =
            !thrown.is_explicit && !self.is_at_one_of(&thrown, &own) && !self.fails_at_first(&thrown, reported, &own);
        let thrown = match is_elsewhere.then(|| self.at_place(&own, reported.look.id)).flatten() {
            Some(printed) if self.is_own_step(&printed.step) => printed,
            _ => thrown,
        };
        // Programs log errors with their stacks, too: what makes it a failure is said beside it.
        let evidence = match (is_handled, printed.has_mark(reported.at)) {
            _ if !self.is_own_step(&thrown.step) => Evidence::Foreign,
            (false, true) => Evidence::Marked,
            (false, false) => Evidence::Reported,
            (true, true) => Evidence::HandledMarked,
            // Who deals with an error, says so and ends well did not fail.
            (true, false) if !self.ended_badly() => return None,
            (true, false) => Evidence::Handled,
        };
        // What is not recorded may have changed it since, for all that is known.
        let mut message = self.error_message(&error, reported.look.id.max(thrown.before));
        if !message.contains(&reported.message) {
            let name = message.split_once(':').map_or(message.as_str(), |(name, _)| name);
            message = format!("{name}: {}", reported.message);
        }
        let standing = Standing { evidence, order: reported.at.order };
        let named = self.named_within(&thrown, &places);
        Some(Failure { kind: FailureKind::Caught, thrown, error: Some(error), message, standing, named, test: None })
    }

    /// Where in the statement that failed a printed place is: the call in a chain of several lines that it is about.
    fn named_within(&self, thrown: &Thrown, places: &[PrintedPlace]) -> Option<SourceAt> {
        let code = self.code(thrown.step.site()?)?;
        let statement = &code.facts.statements[code.site_facts(thrown.step.site()?).statement? as usize];
        let callees = code.facts.expressions.iter().filter_map(|expression| {
            let is_inside = statement.span.start <= expression.span.start && expression.span.end <= statement.span.end;
            match &expression.node {
                Node::Call(call) if is_inside && expression.function == statement.function => Some(call.callee),
                _ => None,
            }
        });
        // An engine says where the name of a method stands, which comes last in what is called.
        let offsets: Vec<u32> = callees
            .filter_map(|callee| match &code.expression(callee).node {
                Node::Member { key: Key::Name(name), .. } => {
                    code.expression(callee).span.end.checked_sub(name.len() as u32)
                }
                _ => None,
            })
            .collect();
        let is_at = |offset: u32, known: &PrintedPlace| {
            code.unit.place(offset).is_some_and(|place| {
                let is_column = known.column.is_none_or(|column| column == place.position.column);
                let is_line = known.line == place.position.line;
                is_line && is_column && trace_model::ends_with_path(place.path, &known.path)
            })
        };
        let found = places.iter().find_map(|known| offsets.iter().find(|offset| is_at(**offset, known)))?;
        Some(SourceAt { unit: code.base(), offset: *found })
    }

    /// Where in the project a reported error came from, and whether the project itself dealt with it last.
    fn start_of(
        &self,
        reported: &Reported,
        places: &[PrintedPlace],
        is_own: &dyn Fn(&str) -> bool,
    ) -> Option<(Thrown, bool)> {
        let end = self.thread.end();
        let error = Datum::Object(reported.error);
        let (first, last) = self.throws_and_catches(reported.error, end);
        let is_handled = last.is_some_and(|last| self.kind(&last) == Some(SiteKind::Catch) && self.is_own_step(&last));
        if first.is_some()
            && let Some(thrown) = self.origin_of(&error, end)
            && let Some(thrown) = self.left_own_code(thrown, None, is_own)
        {
            return Some((thrown, is_handled));
        }
        let look = &reported.look;
        let stack = self.frames_at(look.id);
        let thrown = if stack.is_empty() && first.is_none() {
            // Nobody recorded was there when it was looked at: it was thrown and caught before.
            self.left_to_others(look.id, places, is_own).or_else(|| self.at_place(places, look.id))
        } else {
            let made = self.made_in_project(look, &stack, is_own);
            made.or_else(|| self.at_place(places, look.id)).or_else(|| self.led_to(look.id, is_own))
        };
        let thrown = thrown.or_else(|| self.waiting(look.id)).or_else(|| self.made_at(&error, end))?;
        Some((thrown, is_handled))
    }

    /// The call of the project that led to what a library did later: by way of callbacks and of what waited. Where it is not known who
    /// handed a callback out, it is asked what led to the function that made it.
    fn led_to(&self, before: EventId, is_own: &dyn Fn(&str) -> bool) -> Option<Thrown> {
        let mut at = before;
        for _ in 0..MOST_MAKERS {
            let stack = self.stack(at);
            if let Some(thrown) = self.led_by(&stack, at, is_own) {
                return Some(Thrown { before, ..thrown });
            }
            let maker = self.frame(self.frame(stack.last()?.frame.scope?)?.frame)?;
            // Who loads a library led to nothing that it does later.
            let table = &self.thread.code().unit(maker.unit)?.code().ok()?.sites;
            if table.function(maker.function).kind == FunctionKind::Module {
                return None;
            }
            at = EventId(maker.entered.0 + 1);
        }
        None
    }

    /// A library that had called the project itself before it came to that (a runner) is about what the project did then.
    fn led_by(&self, stack: &[StackFrame], before: EventId, is_own: &dyn Fn(&str) -> bool) -> Option<Thrown> {
        let mut end = before;
        for frame in stack {
            let unit = self.thread.code().unit(frame.frame.unit)?;
            if is_own(&unit.record.path) {
                let step = frame.at.clone()?;
                return Some(Thrown { step, frame: frame.frame.frame, is_explicit: false, before });
            }
            end = if frame.is_async_parent { frame.frame.left.map_or(before, |left| left.min(before)) } else { end };
            let newest = self.last_of_project(end).filter(|newest| newest.step.id > frame.frame.entered);
            if let Some(newest) = newest {
                // What it waits for did not come; else what it did last.
                let waiting = self.waiting(before).filter(|waiting| waiting.step.id > frame.frame.entered);
                return Some(waiting.unwrap_or(newest));
            }
        }
        None
    }

    /// The call of the project in which an error was made, or the statement that made it.
    fn made_in_project(&self, look: &Step, stack: &[FrameId], is_own: &dyn Fn(&str) -> bool) -> Option<Thrown> {
        let is_of_project = |frame: &&FrameId| {
            let unit = self.frame(**frame).and_then(|info| self.thread.code().unit(info.unit));
            unit.is_some_and(|unit| is_own(&unit.record.path))
        };
        let own = stack.iter().rev().find(is_of_project)?;
        let frame = self.frame(*own)?.frame;
        let is_here = look.frame == Some(frame);
        let step = match is_here {
            true => self.belongs_to(look)?,
            false => self.previous_in_frame(frame, look.id)?,
        };
        // What a call of the project made is told by what it was given; what the project made itself by why it came there.
        let is_made_here = is_here && self.is_result_of_call(look);
        Some(Thrown { before: look.id.max(step.id), frame, is_explicit: is_made_here, step })
    }

    /// Whether what was looked at is used where it was: it was made there, and not met in passing.
    fn is_result_of_call(&self, look: &Step) -> bool {
        let Event::Record(Record::Look { object, .. }) = &look.event else { return false };
        let next = self.thread.step(EventId(look.id.0 + 1));
        next.is_some_and(|next| next.frame == look.frame && self.step_value(&next) == Some(Datum::Object(*object)))
    }

    /// The newest exception that left all code of the project, at one of the printed places if there is such a one.
    fn left_to_others(
        &self,
        before: EventId,
        places: &[PrintedPlace],
        is_own: &dyn Fn(&str) -> bool,
    ) -> Option<Thrown> {
        let exits = self.sites_of_kind(SiteKind::Exit, is_own);
        let mut newest = None;
        let mut at = before;
        for _ in 0..MOST_EXITS {
            let Some(exit) = self.last(&Target::Sites(&exits), at) else { break };
            at = exit.id;
            let Some(frame) = exit.frame.and_then(|frame| self.frame(frame)) else { continue };
            let caller = self.caller_of(&frame).and_then(|caller| self.frame(caller));
            if caller.is_some_and(|caller| self.is_own(caller.unit))
                || self.outcome(&frame) != crate::FrameOutcome::Threw
            {
                continue;
            }
            let after = self.thread.step(EventId(exit.id.0 + 1));
            let Some(thrown) = after.and_then(|after| self.thrown_before(&after)) else { continue };
            if places.is_empty() || self.is_at_one_of(&thrown, places) {
                return Some(thrown);
            }
            newest.get_or_insert(thrown);
        }
        newest
    }

    fn is_at_one_of(&self, thrown: &Thrown, places: &[PrintedPlace]) -> bool {
        let Some(place) = thrown.step.site().and_then(|site| self.site(site)?.place()) else { return false };
        let is_it = |known: &PrintedPlace| {
            known.line == place.position.line && trace_model::ends_with_path(place.path, &known.path)
        };
        places.iter().any(is_it)
    }

    /// Whether what failed behind the last event is what is printed first: of a line that fails at once there is no event.
    fn fails_at_first(&self, thrown: &Thrown, reported: &Reported, places: &[PrintedPlace]) -> bool {
        let fails = || {
            let failing = self.failing_expression(thrown, &reported.message)?;
            let code = self.code(failing.unit)?;
            let span = code.expression(failing.expression).span;
            let [first, last] = [span.start, span.end].map(|offset| code.unit.place(offset));
            let (first, last) = (first?, last?);
            let known = places.iter().find(|place| !self.language().is_printed_library(&place.path))?;
            let is_line = (first.position.line..=last.position.line).contains(&known.line);
            Some(is_line && trace_model::ends_with_path(first.path, &known.path))
        };
        fails().unwrap_or(false)
    }

    /// The newest time before a moment that the first printed line of the project was executed.
    fn at_place(&self, places: &[PrintedPlace], before: EventId) -> Option<Thrown> {
        for PrintedPlace { path, line, .. } in
            places.iter().filter(|place| !self.language().is_printed_library(&place.path))
        {
            let Some(anchors) = self.own_anchors(path, *line) else { continue };
            if let Some(step) = self.last(&Target::Sites(&anchors), before)
                && let Some(frame) = step.frame
            {
                let frame = self.frame(frame)?.frame;
                return Some(Thrown { step, frame, is_explicit: false, before });
            }
        }
        None
    }

    /// Where the line of a printed place is executed; of a line inside a statement of several lines, the line that it begins on.
    fn own_anchors(&self, path: &str, line: u32) -> Option<Vec<SiteId>> {
        // What is printed is mostly seen from the folder that the program was started in; other files may end alike.
        let folder = self.run().map_or("", |run| run.folder.as_str());
        let relative = path.strip_prefix("./").unwrap_or(path);
        let whole = format!("{folder}/{relative}");
        let is_known = |path: &str| self.thread.code().units().iter().any(|unit| unit.record.path == path);
        let path = if is_known(&whole) { whole.as_str() } else { path };
        let own = |line: u32| {
            let mut anchors = self.anchors(path, line).ok()?;
            anchors.retain(|site| self.is_own(*site));
            Some(anchors).filter(|anchors| !anchors.is_empty())
        };
        let covers = |site: &SiteId| {
            let code = self.code(*site)?;
            let statement = &code.facts.statements[code.site_facts(*site).statement? as usize];
            let last = code.unit.place(statement.span.end.saturating_sub(1))?;
            Some(last.position.line >= line)
        };
        own(line).or_else(|| {
            let above = (line.saturating_sub(MOST_LINES)..line).rev().find_map(own)?;
            above.iter().any(|site| covers(site) == Some(true)).then_some(above)
        })
    }

    /// A statement that was executed as a whole: its last event, and when it was over.
    fn whole_statement(&self, thrown: Thrown) -> Thrown {
        let over = self.end_of_statement(&thrown.step).min(thrown.before);
        match self.previous_in_frame(thrown.frame, over) {
            Some(step) => Thrown { step, before: over, ..thrown },
            None => thrown,
        }
    }

    /// Where the project waits for what did not come; else what it did last.
    fn waiting(&self, before: EventId) -> Option<Thrown> {
        let waits = self.sites_of_kind(SiteKind::Suspend, |path| !self.language().is_printed_library(path));
        let mut at = before;
        for _ in 0..MOST_WAITS {
            let Some(step) = self.last(&Target::Sites(&waits), at) else { break };
            at = step.id;
            let Some(frame) = step.frame else { continue };
            let next = self.next(&Target::InFrame(frame), EventId(step.id.0 + 1));
            if next.is_none_or(|next| next.id > before) {
                let frame = self.frame(frame)?.frame;
                return Some(Thrown { step, frame, is_explicit: false, before });
            }
        }
        self.last_of_project(before)
    }

    /// What the project did last.
    pub(super) fn last_of_project(&self, before: EventId) -> Option<Thrown> {
        let step = self.thread.steps_before(before).take(MOST_STEPS).find(|step| {
            let is_edge = matches!(self.kind(step), None | Some(SiteKind::Exit | SiteKind::Return));
            !is_edge && self.is_own_step(step)
        })?;
        let frame = self.frame(step.frame?)?.frame;
        Some(Thrown { step, frame, is_explicit: false, before })
    }

    fn is_own_step(&self, step: &Step) -> bool {
        let site: Option<SiteId> = step.site();
        site.is_some_and(|site| self.is_own(site))
    }

    /// Lines that say that something failed, where no error does: the source that they name, or what of the project printed them.
    fn failed_lines(&self, thread: usize, printed: &Printed, is_own: &dyn Fn(&str) -> bool) -> Vec<Failure> {
        let mut found: Vec<Failure> = Vec::new();
        for (at, line) in printed.failed_lines() {
            let (writer, event) = printed.written_by(at);
            let before = if writer == thread { event } else { self.thread.end() };
            let placed =
                self.at_place(&printed.places_near(at, &line), before).map(|thrown| self.whole_statement(thrown));
            let (thrown, evidence) = match placed {
                Some(thrown) => (Some(thrown), Evidence::Place),
                None if writer == thread => (self.printed_by_project(event, is_own), Evidence::Line),
                None => (None, Evidence::Line),
            };
            let Some(thrown) = thrown else { continue };
            if found.iter().any(|known| known.thrown.step.id == thrown.step.id) {
                continue;
            }
            let standing = Standing { evidence, order: at.order };
            let kind = FailureKind::Reported;
            found.push(Failure { kind, thrown, error: None, message: line, standing, named: None, test: None });
        }
        found
    }

    /// The call of the project that printed something.
    fn printed_by_project(&self, event: EventId, is_own: &dyn Fn(&str) -> bool) -> Option<Thrown> {
        let frame = self.frame(*self.frames_at(event).last()?)?;
        let unit = self.thread.code().unit(frame.unit)?;
        if !is_own(&unit.record.path) {
            return None;
        }
        let step = self.previous_in_frame(frame.frame, event)?;
        Some(Thrown { step, frame: frame.frame, is_explicit: false, before: event })
    }
}

const MOST_ERRORS: usize = 20_000;
/// Of a statement.
const MOST_LINES: u32 = 30;
/// Errors that an assertion may be about.
const MOST_QUOTED: usize = 100;
const MOST_EXITS: usize = 5_000;
/// Functions that were made in one another.
const MOST_MAKERS: usize = 20;
const MOST_WAITS: usize = 1_000;
const MOST_STEPS: usize = 200_000;
