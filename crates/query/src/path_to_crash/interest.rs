//! Which object a failure is about. The paper's heuristics: of a property of `undefined` the base, of what is no function the value or the
//! object that lacks it, of a `throw` what its condition read, of an assertion what it was given. Where that is no object, because
//! the value was never there, the object is of interest that should have had it: the value is followed back to whatever it was read from.

use trace_model::{EventId, ExprId, FrameId, Node, ObjectId, SiteId};
use trace_store::Step;

use super::{At, Finder};
use crate::last_condition::{LastCondition, last_condition, last_condition_of_throw, leaves};
use crate::why::{Failing, Failure, What};
use crate::{Code, Datum, Scene, Thrown, VariableState};

/// An assertion in the project's own code, as the chain of calls that it is: `expect(a).to.equal(b)`.
pub(super) struct Asserting<'a> {
    /// The first event of its statement.
    pub since: EventId,
    pub frame: FrameId,
    code: Code<'a>,
    calls: Vec<ExprId>,
}

/// The calls of the chain that a link is part of.
fn calls_of_chain(code: &Code, link: ExprId) -> Vec<ExprId> {
    let before = |id: ExprId| match &code.expression(id).node {
        Node::Call(call) => Some(call.callee),
        Node::Member { object, .. } => Some(*object),
        _ => None,
    };
    let all = || (0..code.facts.expressions.len() as u32).map(ExprId);
    let mut end = link;
    while let Some(behind) = all().find(|id| before(*id) == Some(end)) {
        end = behind;
    }
    let links = std::iter::successors(Some(end), |id| before(*id));
    links.filter(|id| matches!(code.expression(*id).node, Node::Call(_))).collect()
}

impl Asserting<'_> {
    /// Whether the call of an event is a link of the chain, rather than one that gave a value to it.
    pub fn is_link(&self, step: &Step) -> bool {
        let site = step.site().filter(|site| self.code.unit.record.holds(*site));
        let value = site.and_then(|site| self.code.site_facts(site).value);
        value.is_some_and(|value| self.calls.contains(&value))
    }
}

impl<'t, 'a> Finder<'t, 'a> {
    /// The expression that gave the object of interest, whether or not the trace knows which object that was.
    pub(super) fn interest(&self, failure: &Failure) -> Option<At<'a>> {
        let thrown = &failure.thrown;
        if thrown.is_explicit {
            let condition = last_condition_of_throw(self.trace, thrown, &failure.message);
            return self.of_condition(condition);
        }
        if let Some(failing) = self.trace.failing_expression(thrown, &failure.message) {
            return self.of_failing(&failing, failure);
        }
        self.of_condition(last_condition_of_throw(self.trace, thrown, &failure.message))
    }

    /// Where an assertion of a library threw: the failure at the call in the project's own code that led there. What is inside of the
    /// library is about its own objects.
    pub(super) fn asserted_in_project(&self, failure: &Failure) -> Option<Failure> {
        let is_library = |unit: SiteId| {
            let unit = self.trace.thread.code().unit(unit);
            unit.is_some_and(|unit| self.trace.language().is_library(&unit.record.path))
        };
        let thrown = &failure.thrown;
        if !is_library(self.trace.frame(thrown.frame)?.unit) || !self.is_assertion(failure) {
            return None;
        }
        let stack = self.trace.stack(thrown.before);
        let called = stack.into_iter().find(|frame| !frame.is_async_parent && !is_library(frame.frame.unit))?;
        let step = called.at?;
        let thrown = Thrown { before: step.id, frame: called.frame.id, step, is_explicit: false };
        Some(Failure { thrown, ..failure.clone() })
    }

    /// The assertion that failed, where the failure is already told of the project's own code.
    pub(super) fn asserting(&self, failure: &Failure) -> Option<Asserting<'a>> {
        let thrown = &failure.thrown;
        if !self.trace.is_own(self.trace.frame(thrown.frame)?.unit) || !self.is_assertion(failure) {
            return None;
        }
        let code = self.trace.code(thrown.step.site()?)?;
        let link = self.trace.end_of_assertion(&code, &thrown.step, thrown.before)?;
        let calls = calls_of_chain(&code, link);
        let began = self.trace.evaluation(&thrown.step).first();
        Some(Asserting { since: began.unwrap_or(thrown.step.id), frame: thrown.frame, code, calls })
    }

    /// By what was thrown: its name, or that it has two values that were compared.
    fn is_assertion(&self, failure: &Failure) -> bool {
        let is_named = self.exception(failure).contains("Assertion");
        is_named || !self.trace.is_sparse() && self.trace.compared(failure).is_some()
    }

    /// What an assertion was given: of `expect(actual).to.equal(expected)` the actual value first.
    pub(super) fn asserted(&self, failure: &Failure) -> Option<At<'a>> {
        let call = self.value_of(&failure.thrown.step)?;
        let mut given = Vec::new();
        let mut inner = call.expression;
        loop {
            match &call.code.expression(inner).node {
                Node::Call(parts) => {
                    let arguments = parts.arguments.iter().map(|argument| At { expression: *argument, ..call.clone() });
                    drop(given.splice(0..0, arguments));
                    inner = parts.callee;
                }
                Node::Member { object, .. } => inner = *object,
                _ => break,
            }
        }
        self.first_of(given).or_else(|| self.of_condition(last_condition(self.trace, &failure.thrown.step)))
    }

    fn of_failing(&self, failing: &Failing, failure: &Failure) -> Option<At<'a>> {
        let code = self.trace.code(failing.unit)?;
        let step = self.trace.thread.step(failing.at)?;
        let thrown = &failure.thrown;
        let scene = Scene { before: thrown.before, frame: Some(thrown.frame), unit: code.base(), within: None };
        let at = At { evaluation: self.trace.evaluation(&step), scene, expression: failing.expression, code };
        let part = |expression: ExprId| At { expression, ..at.clone() };
        match (&at.code.expression(failing.expression).node, failing.what) {
            (Node::Member { object, .. }, What::NoObject) => self.behind(&part(*object)),
            (Node::Call(call), What::NotCallable) => match &at.code.expression(call.callee).node {
                Node::Member { object, .. } if self.is_nothing(&part(call.callee)) => Some(part(*object)),
                _ => self.object_or_behind(&part(call.callee)),
            },
            (Node::Call(call), _) => {
                let mut given: Vec<At> = call.arguments.iter().map(|argument| part(*argument)).collect();
                if let Node::Member { object, .. } = &at.code.expression(call.callee).node {
                    given.push(part(*object));
                }
                self.first_of(given)
            }
            _ => self.object_or_behind(&at),
        }
    }

    /// What a condition read.
    fn of_condition(&self, condition: LastCondition) -> Option<At<'a>> {
        if !self.may_go_on() {
            return None;
        }
        match condition {
            LastCondition::Condition { step, .. } => {
                let at = self.value_of(&step)?;
                let read = self.trace.evaluated_leaves(&at.code, at.scene, &at.evaluation, at.expression);
                let found = self.first_of(read.into_iter().map(|expression| At { expression, ..at.clone() }).collect());
                // What it read says nothing: the decision before it may.
                found.or_else(|| self.of_condition(last_condition(self.trace, &step)))
            }
            // A function that does nothing but throw: what led to its call.
            LastCondition::CallSite { step } => {
                let given = self.value_of(&step).and_then(|call| match &call.code.expression(call.expression).node {
                    Node::Call(parts) => {
                        let given = parts.arguments.iter().map(|argument| At { expression: *argument, ..call.clone() });
                        Some(given.collect())
                    }
                    _ => None,
                });
                let decided = last_condition(self.trace, &step);
                self.of_condition(decided).or_else(|| self.first_of(given?))
            }
            LastCondition::Throw { .. } | LastCondition::Resumed { .. } | LastCondition::Start { .. } => None,
        }
    }

    /// The first of several values that leads to an object; what is undefined, null or no number first.
    fn first_of(&self, values: Vec<At<'a>>) -> Option<At<'a>> {
        let is_bad = |at: &At| match self.value(at) {
            Some(Datum::Number(number)) => number.is_nan(),
            Some(value) => value.is_nullish(),
            None => false,
        };
        let (bad, others): (Vec<At>, Vec<At>) = values.into_iter().partition(is_bad);
        bad.iter().chain(&others).find_map(|at| self.holder_or_behind(at))
    }

    /// Of a member what it was read from; else the object itself, or what is behind it.
    fn holder_or_behind(&self, at: &At<'a>) -> Option<At<'a>> {
        match &at.code.expression(at.expression).node {
            Node::Member { object, .. } => self.object_or_behind(&At { expression: *object, ..at.clone() }),
            _ => self.object_or_behind(at),
        }
    }

    /// The expression itself where it gave an object, or may have; else what is behind its value.
    fn object_or_behind(&self, at: &At<'a>) -> Option<At<'a>> {
        match self.value(at) {
            Some(Datum::Object(object)) => self.is_of_interest(object).then(|| at.clone()),
            Some(_) => self.behind(at),
            None if matches!(at.code.expression(at.expression).node, Node::Call(_)) => self.behind(at),
            None => Some(at.clone()),
        }
    }

    /// A value that is no object: whatever it was read from, or what decided that it was given.
    fn behind(&self, at: &At<'a>) -> Option<At<'a>> {
        self.rests_on(at);
        if !self.may_go_on() {
            return None;
        }
        match &at.code.expression(at.expression).node {
            Node::Member { object, .. } => self.object_or_behind(&At { expression: *object, ..at.clone() }),
            Node::Variable(trace_model::VariableRef::Known(variable)) => {
                let before = self.trace.moment(&at.code, at.scene, &at.evaluation, at.expression);
                let place = self.trace.variable_place(Scene { before, ..at.scene }, *variable)?;
                match self.trace.variable(&place, before) {
                    VariableState::Written { since, .. } => self.behind_write(&since),
                    // A variable that nothing was put into: what kept control from the write is not of this kind.
                    _ => {
                        self.origin(at);
                        None
                    }
                }
            }
            Node::Parameter { index, .. } => {
                let frame = at.scene.frame?;
                match self.argument(frame, *index) {
                    Some(argument) => self.behind_copy(&argument),
                    None => {
                        self.want_callers(frame);
                        self.of_condition(last_condition(self.trace, &self.trace.thread.step(at.scene.before)?))
                    }
                }
            }
            Node::Call(call) => {
                if let Some(given) = self.given(at) {
                    return self.behind_write(&given);
                }
                if self.want_callees(at) {
                    return None;
                }
                let part = |expression: ExprId| At { expression, ..at.clone() };
                let receiver = match &at.code.expression(call.callee).node {
                    Node::Member { object, .. } => self.object_or_behind(&part(*object)),
                    _ => None,
                };
                receiver.or_else(|| call.arguments.iter().find_map(|argument| self.object_or_behind(&part(*argument))))
            }
            Node::Literal(_) => None,
            _ => {
                let read = leaves(&at.code, at.expression);
                let others = read.into_iter().filter(|leaf| *leaf != at.expression);
                self.first_of(others.map(|expression| At { expression, ..at.clone() }).collect())
            }
        }
    }

    /// What a write put somewhere, or a `return` gave; a literal was chosen by a condition.
    fn behind_write(&self, write: &Step) -> Option<At<'a>> {
        let chosen = || self.of_condition(last_condition(self.trace, write));
        match self.value_of(write) {
            Some(value) => self.behind_copy(&value).or_else(chosen),
            None => chosen(),
        }
    }

    /// What only hands a value on gives no object either, also where the trace does not tell what it gave.
    fn behind_copy(&self, at: &At<'a>) -> Option<At<'a>> {
        match at.code.expression(at.expression).node {
            Node::Variable(_) | Node::Parameter { .. } | Node::Member { .. } | Node::Call(_) => self.behind(at),
            _ => self.object_or_behind(at),
        }
    }

    /// Functions and classes are what a program is made of, and seldom wrong.
    pub(super) fn is_of_interest(&self, object: ObjectId) -> bool {
        self.trace.is_function(object) != Some(true)
    }

    fn is_nothing(&self, at: &At) -> bool {
        let Some(value) = self.value(at) else { return true };
        value.is_nullish()
    }

    /// Where the engine threw: the expression, or the `throw`.
    pub(super) fn crash_site(&self, failure: &Failure) -> Option<::crash_path::SiteRef> {
        let thrown = &failure.thrown;
        let site = thrown.step.site()?;
        if !thrown.is_explicit
            && let Some(failing) = self.trace.failing_expression(thrown, &failure.message)
        {
            let code = self.trace.code(failing.unit)?;
            let expression = code.expression(failing.expression);
            return self.names.at(code.base(), expression.function, expression.span);
        }
        self.names.bare(site)
    }
}
