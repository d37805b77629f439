//! What an object was made from. A collection that was filled from another one in one go is wrong where that one was: the result of
//! `map`, an object that a function makes and fills under computed keys. The defect is then older than the collection, so the path
//! begins with what it was made from.
//!
//! Only data is followed, no decisions. An object whose keys stand in the source is no copy: its author chose what is in it.

use trace_model::{Event, EventId, ExprId, Node, ObjectId, Record, SiteKind, VariableRef};
use trace_store::Step;

use super::{At, Finder};
use crate::{Datum, Scene, VariableState};

/// The object that a path begins with.
pub(super) struct Original<'a> {
    pub at: At<'a>,
    /// `None`: further functions have to be recorded to know it.
    pub birth: Option<Step>,
}

/// A copy of a copy of a copy: who goes further back finds the input of the program.
const MOST_COPIES: usize = 4;

impl<'t, 'a> Finder<'t, 'a> {
    /// What an object was made from in the end, if it is a copy.
    pub(super) fn original(&self, object: ObjectId, birth: &Step, before: EventId) -> Option<Original<'a>> {
        let mut found: Option<Original> = None;
        let (mut object, mut birth) = (object, birth.clone());
        for _ in 0..MOST_COPIES {
            let n_wanted = self.wanted.borrow().len();
            let source = self.copied_from(object, &birth, before);
            let born = source.as_ref().and_then(|source| self.origin(source));
            if self.wanted.borrow().len() > n_wanted {
                let at = source.or_else(|| Some(found?.at))?;
                return Some(Original { at, birth: None });
            }
            let (Some(source), Some(born)) = (source, born) else { break };
            let next = self.value(&source).and_then(|value| value.object());
            let is_older = born.id < birth.id;
            let Some(next) = next.filter(|next| *next != object && is_older) else { break };
            (object, birth) = (next, born.clone());
            found = Some(Original { at: source, birth: Some(born) });
        }
        found
    }

    fn copied_from(&self, object: ObjectId, birth: &Step, before: EventId) -> Option<At<'a>> {
        match self.trace.kind(birth)? {
            SiteKind::Call | SiteKind::Result => self.given_to_built_in(&self.value_of(birth)?),
            SiteKind::ObjectLiteral | SiteKind::ArrayLiteral => self.filled_from(object, birth, before),
            _ => None,
        }
    }

    /// A built-in made it of what it was called on, or of what it was given.
    fn given_to_built_in(&self, call: &At<'a>) -> Option<At<'a>> {
        let Node::Call(parts) = &call.code.expression(call.expression).node else { return None };
        if self.given(call).is_some() || !self.candidates().of_callee(&call.code, call.expression).is_empty() {
            return None;
        }
        let parts = self.parts_of(call, parts.callee, &parts.arguments);
        parts.into_iter().filter_map(|part| self.object_or_holder(&part)).find(|part| !self.is_empty(part))
    }

    /// Whether it is known that nothing was in an object that could be copied: `[].concat(list)`.
    fn is_empty(&self, at: &At) -> bool {
        let before = self.trace.moment(&at.code, at.scene, &at.evaluation, at.expression);
        let object = self.value(at).and_then(|value| value.object());
        let contents = object.and_then(|object| self.trace.contents(object, before));
        contents.is_some_and(|contents| {
            contents.is_complete && contents.properties.is_empty() && contents.entries.is_empty()
        })
    }

    /// The function that made an empty collection filled it, and nobody changed it since.
    fn filled_from(&self, object: ObjectId, birth: &Step, before: EventId) -> Option<At<'a>> {
        let contents = self.trace.contents(object, before)?;
        let slots = contents.properties.iter().map(|(_, slot)| slot.since);
        let mut filled: Vec<Step> = Vec::new();
        for since in slots {
            let step = self.trace.thread.step(since)?;
            let write = match &step.event {
                Event::Record(Record::Effect { .. }) => self.trace.belongs_to(&step)?,
                _ => step,
            };
            let is_under_computed_key =
                matches!(self.trace.kind(&write), Some(SiteKind::PutComputed | SiteKind::Call | SiteKind::Result));
            if write.frame != birth.frame || !is_under_computed_key {
                return None;
            }
            filled.push(write);
        }
        let newest = filled.into_iter().max_by_key(|write| write.id)?;
        let value = self.value_of(&newest)?;
        let source = match &value.code.expression(value.expression).node {
            // `push` and the like.
            Node::Call(parts) if self.trace.kind(&newest) != Some(SiteKind::PutComputed) => {
                let arguments = parts.arguments.iter().map(|argument| At { expression: *argument, ..value.clone() });
                arguments.collect::<Vec<_>>().iter().find_map(|argument| self.holder(argument))
            }
            _ => self.holder(&value),
        };
        source.filter(|source| self.value(source).and_then(|value| value.object()) != Some(object))
    }

    fn object_or_holder(&self, at: &At<'a>) -> Option<At<'a>> {
        match self.value(at) {
            Some(Datum::Object(object)) if self.is_of_interest(object) => Some(at.clone()),
            Some(Datum::Object(_)) => None,
            _ => self.holder(at),
        }
    }

    /// The object that a value was read from.
    fn holder(&self, at: &At<'a>) -> Option<At<'a>> {
        if !self.may_go_on() {
            return None;
        }
        self.rests_on(at);
        match &at.code.expression(at.expression).node {
            Node::Member { object, .. } => self.object_or_holder(&At { expression: *object, ..at.clone() }),
            Node::Variable(VariableRef::Known(variable)) => {
                let before = self.trace.moment(&at.code, at.scene, &at.evaluation, at.expression);
                let place = self.trace.variable_place(Scene { before, ..at.scene }, *variable)?;
                match self.trace.variable(&place, before) {
                    VariableState::Written { since, .. } => self.holder(&self.value_of(&since)?),
                    _ => None,
                }
            }
            Node::Parameter { index, .. } => {
                let frame = at.scene.frame?;
                match self.argument(frame, *index) {
                    Some(argument) => self.holder(&argument),
                    None => {
                        self.want_callers(frame);
                        None
                    }
                }
            }
            Node::Call(parts) => {
                if let Some(given) = self.given(at) {
                    return self.holder(&self.value_of(&given)?);
                }
                if self.want_callees(at) {
                    return None;
                }
                let parts = self.parts_of(at, parts.callee, &parts.arguments);
                parts.into_iter().find_map(|part| self.object_or_holder(&part))
            }
            Node::Literal(_) => None,
            _ => {
                let read = self.trace.evaluated_leaves(&at.code, at.scene, &at.evaluation, at.expression);
                let others = read.into_iter().filter(|leaf| *leaf != at.expression);
                others.map(|expression| At { expression, ..at.clone() }).find_map(|leaf| self.holder(&leaf))
            }
        }
    }

    /// What a call was made on, and what it was given.
    fn parts_of(&self, call: &At<'a>, callee: ExprId, arguments: &[ExprId]) -> Vec<At<'a>> {
        let receiver = match &call.code.expression(callee).node {
            Node::Member { object, .. } => Some(*object),
            _ => None,
        };
        let parts = receiver.into_iter().chain(arguments.iter().copied());
        parts.map(|expression| At { expression, ..call.clone() }).collect()
    }
}
