//! What failed, and the values of interest there.

use trace_model::{Event, EventId, ExprId, FrameId, Key, Node, ObjectId, Record, SiteKind, VariableKind, VariableRef};
use trace_store::{PropertyKey, Step};

use super::{Hop, HopKind, Question, Search, cost};
use crate::change::{KeyChange, Seen};
use crate::last_condition::leaves;
use crate::{Code, Datum, Evaluation, Fault, Place, Property, Scene, Thrown, Trace};

#[derive(Clone, Debug)]
pub struct Failure {
    pub kind: FailureKind,
    pub thrown: Thrown,
    pub error: Option<Datum>,
    /// `TypeError: …`, as far as the recording has it.
    pub message: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    Uncaught,
    Rejection,
    /// An exception that left the program's own code and that somebody else caught: a test runner.
    Caught,
    /// The person asked about a place.
    Asked,
}

impl Failure {
    pub(crate) fn asked(step: Step, place: Place) -> Failure {
        let frame = step.frame.unwrap_or(FrameId(0));
        let before = step.id;
        Failure {
            kind: FailureKind::Asked,
            thrown: Thrown { step, frame, is_explicit: false, before },
            error: None,
            message: place.text(),
        }
    }
}

/// What failed in a thread, the most telling first. `is_own` says whether a path is the person's own code.
pub fn failures(trace: &Trace, is_own: &dyn Fn(&str) -> bool) -> Vec<Failure> {
    let mut found = Vec::new();
    for (step, value, is_rejection) in trace.uncaught() {
        let kind = if is_rejection { FailureKind::Rejection } else { FailureKind::Uncaught };
        let thrown = trace
            .origin_of(&value, step.id)
            .or_else(|| trace.thrown_before(&trace.outside_of_frames(&step)))
            .or_else(|| trace.made_at(&value, step.id));
        if let Some(thrown) = thrown {
            let message = trace.error_message(&value, step.id);
            found.push(Failure { kind, thrown, error: Some(value), message });
        }
    }
    // A run that an exception ended is explained by it.
    found.reverse();
    if found.is_empty() {
        found.extend(trace.caught_by_others(is_own));
    }
    found
}

impl Trace<'_> {
    /// `Name: message` of an error object.
    pub fn error_message(&self, error: &Datum, before: EventId) -> String {
        let Datum::Object(object) = error else { return error.text() };
        // The look at the error follows the event that shows it.
        let after = EventId(before.0 + 1);
        let text = |key: &str| {
            let key = PropertyKey::Name(key.into());
            let value = match self.is_sparse() {
                true => self.seen_value(*object, &key, after)?,
                false => self.property(*object, &key, after).value(),
            };
            match value {
                Datum::String(text) => Some(text.to_string()),
                _ => None,
            }
        };
        let name = text("name").or_else(|| self.constructor_name(*object, after));
        match (name, text("message")) {
            (Some(name), Some(message)) => format!("{name}: {message}"),
            (None, Some(message)) => message,
            (Some(name), None) => name,
            (None, None) => error.text(),
        }
    }

    /// What the newest look at an object showed of a key. Errors are looked at as they are thrown, and seldom change.
    fn seen_value(&self, object: ObjectId, key: &PropertyKey, before: EventId) -> Option<Datum> {
        let target = trace_store::Target::Property(object, key);
        self.each_before(&target, before).find_map(|step| match self.key_change(&step, object, key) {
            KeyChange::Set(value) | KeyChange::Seen(Seen::Value(value)) | KeyChange::Born(Some(value)) => Some(value),
            _ => None,
        })
    }

    /// The name of the constructor of an object, where the recording has it.
    fn constructor_name(&self, object: ObjectId, before: EventId) -> Option<String> {
        if !self.is_sparse() {
            return self.contents(object, before)?.name;
        }
        match self.birth(object)?.event {
            Event::Record(Record::Look { name, .. }) => self.thread.string(name?).map(|name| name.to_string()),
            _ => None,
        }
    }

    /// Where an error object was first thrown: a rethrow leads to the original.
    pub(crate) fn origin_of(&self, error: &Datum, before: EventId) -> Option<Thrown> {
        let object = error.object()?;
        let mut first: Option<Step> = None;
        let mut at = before;
        let target = trace_store::Target::Mentions(object);
        // Of the mentions only those matter that throw and catch.
        self.rests_on_frames();
        for _ in 0..MOST_MENTIONS {
            let Some(step) = self.thread.last(&target, at) else { break };
            at = step.id;
            if matches!(self.kind(&step), Some(SiteKind::Throw | SiteKind::Catch)) {
                first = Some(step);
            }
        }
        let first = first?;
        match self.kind(&first) {
            Some(SiteKind::Throw) => {
                let frame = first.frame?;
                Some(Thrown { before: first.id, frame, is_explicit: true, step: first })
            }
            _ => self.thrown_before(&first),
        }
    }

    /// Recorded code may report what nobody caught (a loader that listens): the exception came before all of it.
    fn outside_of_frames(&self, step: &Step) -> Step {
        let outermost = self.frames_at(step.id).first().and_then(|frame| self.frame(*frame));
        outermost.and_then(|frame| self.thread.step(frame.entered)).unwrap_or_else(|| step.clone())
    }

    /// An error that was never thrown, but handed to `Promise.reject` or the like: where it is first seen.
    fn made_at(&self, error: &Datum, before: EventId) -> Option<Thrown> {
        let target = trace_store::Target::Mentions(error.object()?);
        let step = self.next(&target, self.thread.first_event()).filter(|step| step.id < before)?;
        let step = self.belongs_to(&step)?;
        Some(Thrown { frame: step.frame?, before: step.id, is_explicit: true, step })
    }

    /// Exceptions that the person's own code did not catch, but somebody else did, newest first.
    fn caught_by_others(&self, is_own: &dyn Fn(&str) -> bool) -> Vec<Failure> {
        let mut found = Vec::new();
        let catches = self.sites_of_kind(SiteKind::Catch, |path| !is_own(path));
        let mut at = self.thread.end();
        while let Some(step) = self.last(&trace_store::Target::Sites(&catches), at) {
            at = step.id;
            let Some(value) = self.step_value(&step) else { continue };
            let thrown = self.origin_of(&value, step.id).or_else(|| self.thrown_before(&step));
            let left = thrown.and_then(|thrown| self.left_own_code(thrown, step.frame, is_own));
            if let Some(thrown) = left {
                let message = self.error_message(&value, EventId(step.id.0 + 1));
                found.push(Failure { kind: FailureKind::Caught, thrown, error: Some(value), message });
            }
            if found.len() >= MOST_FAILURES {
                break;
            }
        }
        if found.is_empty() {
            found.extend(self.left_recorded_code(is_own));
        }
        found
    }

    /// Where an exception left the person's own code on its way to the frame that caught it: where it was thrown, or the call of
    /// what threw it (a library of assertions).
    fn left_own_code(
        &self,
        thrown: Thrown,
        catching: Option<FrameId>,
        is_own: &dyn Fn(&str) -> bool,
    ) -> Option<Thrown> {
        let mut frame = self.frame(thrown.frame)?;
        while !is_own(&self.thread.code().unit(frame.unit)?.record.path) {
            frame = self.frame(self.caller_of(&frame).filter(|caller| Some(*caller) != catching)?)?;
        }
        if frame.frame == thrown.frame {
            return Some(thrown);
        }
        let step = self.previous_in_frame(frame.frame, thrown.before)?;
        Some(Thrown { step, frame: frame.frame, is_explicit: false, before: thrown.before })
    }

    /// An exception that left all recorded code: what called it is not recorded and dealt with it.
    fn left_recorded_code(&self, is_own: &dyn Fn(&str) -> bool) -> Option<Failure> {
        let exits = self.sites_of_kind(SiteKind::Exit, is_own);
        let mut at = self.thread.end();
        for _ in 0..MOST_EXITS {
            let exit = self.last(&trace_store::Target::Sites(&exits), at)?;
            at = exit.id;
            let frame = self.frame(exit.frame?)?;
            let is_outermost = self.caller_of(&frame).is_none();
            if is_outermost && self.outcome(&frame) == crate::Outcome::Threw {
                let after = self.thread.step(EventId(exit.id.0 + 1))?;
                let thrown = self.thrown_before(&after)?;
                return Some(Failure { kind: FailureKind::Caught, thrown, error: None, message: String::new() });
            }
        }
        None
    }

    pub(super) fn sites_of_kind(&self, kind: SiteKind, wanted: impl Fn(&str) -> bool) -> Vec<trace_model::SiteId> {
        let mut sites = Vec::new();
        for unit in self.thread.code().units() {
            let Ok(code) = unit.code() else { continue };
            if !wanted(&unit.record.path) {
                continue;
            }
            let of_kind = code.sites.sites.iter().enumerate().filter(|(_, site)| site.kind == kind);
            sites.extend(of_kind.map(|(number, _)| unit.site(trace_model::LocalSite(number as u32))));
        }
        sites.sort_unstable();
        sites
    }
}

const MOST_MENTIONS: usize = 200;
const MOST_FAILURES: usize = 5;
const MOST_EXITS: usize = 10_000;

impl Search<'_, '_> {
    pub(crate) fn begin(&mut self, failure: &Failure) {
        let root = self.root(failure);
        let thrown = &failure.thrown;
        if thrown.is_explicit {
            let Some(code) = thrown.step.site().and_then(|site| self.trace.code(site)) else { return };
            let value = thrown.step.site().and_then(|site| code.site_facts(site).value);
            self.ask(0.0, Question::Reached { event: thrown.step.id }, root);
            if let Some(value) = value {
                self.ask(cost::MESSAGE, Question::Value { at: thrown.step.id, expression: value, behind: None }, root);
            }
            return;
        }
        match self.trace.failing_expression(thrown, &failure.message) {
            Some(failing) => self.ask_about(&failing, thrown, root),
            None => {
                self.ask_about_statement(thrown, root);
                self.ask(cost::CONTROL, Question::Reached { event: thrown.step.id }, root);
            }
        }
    }

    /// What the statement read in which something threw that no message tells.
    fn ask_about_statement(&mut self, thrown: &Thrown, root: Option<usize>) -> Option<()> {
        let code = self.trace.code(thrown.step.site()?)?;
        let statement = code.site_facts(thrown.step.site()?).statement?;
        let sites = &code.facts.statements[statement as usize].sites;
        let values = sites.iter().filter_map(|site| code.facts.site(*site).value);
        let mut read: Vec<ExprId> = values.flat_map(|value| leaves(&code, value)).collect();
        read.sort_unstable();
        read.dedup();
        for expression in &read {
            let question = Question::Value { at: thrown.step.id, expression: *expression, behind: Some(thrown.before) };
            self.ask(cost::operand(None, read.len(), false), question, root);
        }
        Some(())
    }

    /// The object that lacks the function; the engine found it lacking, whatever the recording has of it.
    fn lacking(&mut self, code: &Code, thrown: &Thrown, object: ExprId, key: &Key, root: Option<usize>) {
        let Key::Name(name) = key else { return };
        let scene = Scene { before: thrown.before, frame: Some(thrown.frame), unit: code.base(), within: None };
        let key = PropertyKey::Name(name.clone());
        if let Ok(Datum::Object(object)) = self.trace.value_in(code, scene, &Evaluation::default(), object)
            && matches!(self.trace.property(object, &key, thrown.before), Property::NotCaptured(_))
        {
            self.ask(cost::COPY, Question::Absent { object, key, before: thrown.before }, root);
        }
    }

    pub(crate) fn root(&mut self, failure: &Failure) -> Option<usize> {
        self.failed = failure.thrown.before;
        let focus = match failure.thrown.is_explicit || failure.kind == FailureKind::Asked {
            true => None,
            false => self.trace.failing_expression(&failure.thrown, &failure.message).map(|failing| failing.expression),
        };
        let at = self.trace.source_at(&failure.thrown.step, focus)?;
        self.tell(Hop {
            step: failure.thrown.step.clone(),
            kind: HopKind::Failure,
            at,
            subject: failure.message.clone(),
            value: failure.error.clone(),
            parent: None,
            cost: 0.0,
            difference: None,
            end: None,
        })
    }

    fn ask_about(&mut self, failing: &Failing, thrown: &Thrown, root: Option<usize>) {
        let Some(code) = self.trace.code(failing.unit) else { return };
        let at = failing.at;
        let value = |expression| Question::Value { at, expression, behind: Some(thrown.before) };
        match (&code.expression(failing.expression).node, failing.what) {
            (Node::Member { object, key, .. }, What::NoObject) => {
                self.ask(0.0, value(*object), root);
                if let Key::Computed(key) = key {
                    self.ask(cost::KEY, value(*key), root);
                }
            }
            (Node::Call(call), What::NotCallable) => {
                self.ask(0.0, value(call.callee), root);
                if let Node::Member { object, key, .. } = &code.expression(call.callee).node {
                    self.ask(cost::REFERENCE, value(*object), root);
                    self.lacking(&code, thrown, *object, key, root);
                }
            }
            (Node::Call(call), _) => {
                // A built-in or a library that is not recorded complained about what it was given.
                let n = call.arguments.len();
                for argument in &call.arguments {
                    self.ask(cost::operand(None, n, false) - cost::COPY, value(*argument), root);
                }
                let scene = Scene { before: thrown.before, frame: Some(thrown.frame), unit: code.base(), within: None };
                let evaluation = self.evaluation(&thrown.step);
                self.parent = root;
                self.looked_into(&code, scene, &evaluation, call);
            }
            _ => self.ask(0.0, value(failing.expression), root),
        }
        self.ask(cost::CONTROL, Question::Reached { event: thrown.step.id }, root);
    }
}

/// The expression at which the engine threw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failing {
    pub unit: trace_model::SiteId,
    pub expression: ExprId,
    pub what: What,
    /// An event whose evaluation the expression belongs to.
    pub at: EventId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// A property of undefined or null.
    NoObject,
    NotCallable,
    Other,
}

impl<'a> Trace<'a> {
    /// Where the engine threw: the first part of what comes behind the newest event that cannot be evaluated, and that the
    /// message fits.
    pub(crate) fn failing_expression(&self, thrown: &Thrown, message: &str) -> Option<Failing> {
        let code = self.code(thrown.step.site()?)?;
        let site = thrown.step.site()?;
        let scene = Scene { before: thrown.before, frame: Some(thrown.frame), unit: code.base(), within: None };
        let evaluation = self.evaluation(&thrown.step);
        let statement = code.site_facts(site).statement;
        let function = self.site(site)?.site.function;
        let from = statement.map_or(0, |statement| code.facts.statements[statement as usize].span.start);
        let statements = code.facts.statements.iter().filter(|known| known.function == function);
        let mut candidates: Vec<(u32, ExprId)> = Vec::new();
        for known in statements.filter(|known| known.span.start >= from).take(MOST_STATEMENTS) {
            for (number, expression) in code.facts.expressions.iter().enumerate() {
                let inside = known.span.start <= expression.span.start
                    && expression.span.end <= known.head_end.max(known.span.start);
                if inside && expression.function == function {
                    candidates.push((expression.span.end, ExprId(number as u32)));
                }
            }
        }
        // A loop's test and update stand before its body.
        if candidates.is_empty() {
            let all = code.facts.expressions.iter().enumerate();
            candidates.extend(
                all.filter(|(_, expression)| expression.function == function)
                    .map(|(number, expression)| (expression.span.end, ExprId(number as u32))),
            );
        }
        candidates.sort_unstable();
        candidates.dedup();
        let unit = code.base();
        let at = thrown.step.id;
        let hint = Hint::of(message);
        for (_, id) in &candidates {
            let what = match &code.expression(*id).node {
                _ if matches!(&hint, Hint::Text(text) if code.text(*id) == text) => What::Other,
                Node::Member { object, key, .. } => {
                    let fits = match (&hint, key) {
                        (Hint::Property(wanted), Key::Name(name)) => wanted == name,
                        (Hint::Property(_), Key::Computed(_)) => true,
                        _ => false,
                    };
                    let base = fits.then(|| self.value_in(&code, scene, &evaluation, *object));
                    match base {
                        Some(Ok(base)) if base.is_nullish() => What::NoObject,
                        _ => continue,
                    }
                }
                Node::Call(call) => {
                    let Hint::NotCallable(wanted) = &hint else { continue };
                    let text: String = code.text(call.callee).split_whitespace().collect();
                    let wanted: String = wanted.split_whitespace().collect();
                    if text != wanted
                        && !(wanted.contains("(intermediatevalue)") && self.is_absent_callee(&code, scene, call))
                    {
                        continue;
                    }
                    What::NotCallable
                }
                Node::Variable(_) => match &hint {
                    Hint::NotDefined(wanted) if code.text(*id) == wanted => What::Other,
                    _ => continue,
                },
                Node::Binary { operator, .. } => match &hint {
                    Hint::Operator(wanted) if operator == wanted => What::Other,
                    _ => continue,
                },
                Node::Assign { target, .. } => match &hint {
                    Hint::Constant if self.is_constant(&code, *target) => What::Other,
                    _ => continue,
                },
                _ => continue,
            };
            return Some(Failing { unit, expression: *id, what, at });
        }
        // A call that did not come back: what it called is not recorded, and threw.
        if let Some(call) = self.open_call(&code, &thrown.step) {
            return Some(Failing { unit, expression: call, what: What::Other, at });
        }
        let value = code.site_facts(site).value?;
        let call =
            leaves(&code, value).into_iter().find(|leaf| matches!(code.expression(*leaf).node, Node::Call(_)))?;
        Some(Failing { unit, expression: call, what: What::Other, at })
    }

    /// Where an exception was thrown in the source: the `throw`, or the expression at which the engine did it.
    pub fn thrown_at(&self, thrown: &Thrown, message: &str) -> Option<super::SourceAt> {
        let failing = match thrown.is_explicit {
            true => None,
            false => self.failing_expression(thrown, message).map(|failing| failing.expression),
        };
        self.source_at(&thrown.step, failing)
    }

    /// The innermost statement at which the engine threw.
    pub(crate) fn failing_statement(&self, thrown: &Thrown, message: &str) -> Option<(Code<'a>, u32)> {
        let failing = self.failing_expression(thrown, message)?;
        let code = self.code(failing.unit)?;
        let expression = code.expression(failing.expression);
        let holds = |statement: &trace_model::Statement| {
            statement.function == expression.function
                && statement.span.start <= expression.span.start
                && expression.span.end <= statement.span.end
        };
        let around = (0..).zip(&code.facts.statements).filter(|(_, statement)| holds(statement));
        let innermost = around.min_by_key(|(_, statement)| statement.span.end - statement.span.start)?.0;
        Some((code, innermost))
    }

    fn is_constant(&self, code: &Code, target: ExprId) -> bool {
        let Node::Variable(VariableRef::Known(variable)) = code.expression(target).node else { return false };
        let variables = code.unit.code().map(|file| &file.sites.variables);
        let declared = variables.ok().and_then(|variables| variables.get(variable.0 as usize));
        declared.is_some_and(|declared| declared.kind == VariableKind::Const)
    }

    fn is_absent_callee(&self, code: &Code, scene: Scene, call: &trace_model::Call) -> bool {
        let evaluation = crate::Evaluation::default();
        match self.value_in(code, scene, &evaluation, call.callee) {
            Ok(value) => value.is_nullish(),
            Err(Fault::NotCaptured { .. }) => false,
            Err(_) => false,
        }
    }

    /// Whether an object has a property at all.
    pub(crate) fn lacks(&self, object: trace_model::ObjectId, key: &PropertyKey, before: EventId) -> bool {
        matches!(self.property(object, key, before), Property::Absent { .. })
    }
}

/// Statements behind the newest event that may hold the failing expression: those in between emitted nothing.
const MOST_STATEMENTS: usize = 8;

/// What V8's message says of the failing expression.
enum Hint {
    /// The property that was read or set.
    Property(String),
    /// The text of the callee.
    NotCallable(String),
    NotDefined(String),
    /// The text of what was iterated or taken apart.
    Text(String),
    Operator(&'static str),
    /// A constant was assigned to.
    Constant,
    None,
}

impl Hint {
    fn of(message: &str) -> Hint {
        let between = |start: &str, end: &str| {
            let from = message.find(start)? + start.len();
            let rest = &message[from..];
            Some(rest[..rest.find(end)?].to_owned())
        };
        if let Some(key) = between("(reading '", "')").or_else(|| between("(setting '", "')")) {
            return Hint::Property(key);
        }
        let text = message.split_once(": ").map_or(message, |(_, text)| text);
        for end in [" is not a function", " is not a constructor"] {
            if let Some(at) = text.find(end) {
                return Hint::NotCallable(text[..at].to_owned());
            }
        }
        if let Some(at) = text.find(" is not iterable") {
            let iterated = text[..at].rsplit(' ').next().unwrap_or_default();
            return Hint::Text(iterated.to_owned());
        }
        if let Some(taken_apart) = between(" of '", "' as it is ").filter(|_| text.starts_with("Cannot destructure")) {
            return Hint::Text(taken_apart);
        }
        if let Some(name) = between("Cannot access '", "' before initialization") {
            return Hint::NotDefined(name);
        }
        for (start, operator) in [("Cannot use 'in' operator", "in"), ("Right-hand side of 'instanceof'", "instanceof")]
        {
            if text.starts_with(start) {
                return Hint::Operator(operator);
            }
        }
        if text.starts_with("Assignment to constant variable") {
            return Hint::Constant;
        }
        match text.strip_suffix(" is not defined") {
            Some(name) => Hint::NotDefined(name.to_owned()),
            None => Hint::None,
        }
    }
}
