//! Where an object was born: its reference is followed back from variable to variable, through arguments, results and properties.

use trace_model::{Event, EventId, ExprId, FrameId, Key, Node, ObjectId, SiteKind, VariableRef};
use trace_store::{FrameInfo, PropertyKey, Step};

use super::{At, Finder};
use crate::why::Failure;
use crate::why::How;
use crate::{Datum, Place, Property, Scene, VariableState};

impl<'t, 'a> Finder<'t, 'a> {
    /// The birth of what an expression gave, as far as the trace tells. Where it does not, the functions are wanted that would.
    pub(super) fn origin(&self, at: &At<'a>) -> Option<Step> {
        if !self.may_go_on() {
            return None;
        }
        let object = self.value(at).and_then(|value| value.object());
        if let Some(birth) = object.and_then(|object| self.birth(object)) {
            return Some(birth);
        }
        match &at.code.expression(at.expression).node {
            Node::Variable(VariableRef::Known(variable)) => {
                let moment = self.moment(at);
                let place = self.trace.variable_place(moment, *variable);
                match place.map(|place| self.trace.variable(&place, moment.before)) {
                    Some(VariableState::Written { since, .. }) => self.origin_of_write(&since, object),
                    _ => self.want_writers_of_variable(at, *variable),
                }
            }
            Node::Variable(VariableRef::Global(name)) => self.want_writers_of_property(name),
            Node::This => self.want_callers(at.scene.frame?),
            Node::Parameter { index, .. } => self.origin_of_argument(at.scene.frame?, *index, object),
            Node::Member { object: base, key, .. } => self.origin_of_property(at, *base, key, object),
            Node::Call(_) => self.origin_of_result(at),
            _ => {
                let scene = at.scene;
                let leaves = self.trace.evaluated_leaves(&at.code, scene, &at.evaluation, at.expression);
                let others = leaves.into_iter().filter(|leaf| *leaf != at.expression);
                others.map(|expression| At { expression, ..at.clone() }).find_map(|leaf| {
                    let is_it = object.is_none() || self.value(&leaf).and_then(|value| value.object()) == object;
                    is_it.then(|| self.origin(&leaf)).flatten()
                })
            }
        }
    }

    /// Where an object was born, if that is in the trace.
    pub(super) fn birth(&self, object: ObjectId) -> Option<Step> {
        let birth = self.trace.birth(object)?;
        match self.trace.kind(&birth) {
            // What is under construction was born by the call; where that is not recorded, nothing older is known of it.
            Some(SiteKind::This) => birth.frame.and_then(|frame| self.trace.call_of(frame)).or(Some(birth)),
            Some(kind) => is_birth(kind).then_some(birth),
            // It was met, and looked at. Where everything is recorded it came from a built-in or from foreign code, then and there.
            None if self.trace.is_sparse() => None,
            None => self.trace.belongs_to(&birth),
        }
    }

    pub(super) fn value(&self, at: &At) -> Option<Datum> {
        self.rests_on(at);
        self.trace
            .value_in(&at.code, at.scene, &at.evaluation, at.expression)
            .ok()
            .filter(|value| !matches!(value, Datum::NotCaptured))
    }

    pub(super) fn object_in(&self, place: &Place, before: EventId) -> Option<ObjectId> {
        let value = match place {
            Place::Variable { place, .. } => self.trace.variable(place, before).value(),
            Place::Property { object, key } => self.trace.property(*object, key, before).value(),
            Place::Global { .. } | Place::Entry { .. } => return None,
        };
        // What is not there is missed by what should have it.
        match (value, place) {
            (Datum::Object(object), _) => Some(object),
            (_, Place::Property { object, .. }) => Some(*object),
            _ => None,
        }
    }

    pub(super) fn origin_of_place(&self, place: &Place, failure: &Failure) -> Option<Step> {
        match place {
            Place::Property { key: PropertyKey::Name(name), .. } | Place::Global { name } => {
                self.want_writers_of_property(name)
            }
            Place::Variable { place, .. } => match self.trace.variable(place, failure.thrown.before) {
                VariableState::Written { since, .. } => self.origin_of_write(&since, None),
                _ => None,
            },
            _ => None,
        }
    }

    /// An expression of the event that a step is, or that it belongs to.
    pub(super) fn value_of(&self, step: &Step) -> Option<At<'a>> {
        let code = self.trace.code(step.site()?)?;
        let expression = code.site_facts(step.site()?).value?;
        let scene = self.trace.scene(step)?;
        Some(At { scene, evaluation: self.trace.evaluation(step), code, expression })
    }

    /// From a write to what was written.
    pub(super) fn origin_of_write(&self, write: &Step, object: Option<ObjectId>) -> Option<Step> {
        if let Event::Record(_) = &write.event {
            return self.origin_of_effect(write, object);
        }
        self.origin(&self.value_of(write)?)
    }

    /// A built-in put it there: it is one of the arguments.
    fn origin_of_effect(&self, effect: &Step, object: Option<ObjectId>) -> Option<Step> {
        let call = self.value_of(&self.trace.belongs_to(effect)?)?;
        let Node::Call(parts) = &call.code.expression(call.expression).node else { return None };
        let arguments = parts.arguments.iter().map(|expression| At { expression: *expression, ..call.clone() });
        let is_it = |at: &At| object.is_some() && self.value(at).and_then(|value| value.object()) == object;
        arguments.into_iter().find(is_it).and_then(|argument| self.origin(&argument))
    }

    pub(super) fn argument(&self, frame: FrameId, index: u32) -> Option<At<'a>> {
        let info = self.trace.frame(frame)?;
        let caller = self.trace.caller(&info)?;
        let Node::Call(call) = &caller.code.expression(caller.call).node else { return None };
        let skipped = match caller.how {
            How::Direct => 0,
            How::ByCall => 1,
            How::ByApply | How::CalledBack => return None,
        };
        let expression = *call.arguments.get(index as usize + skipped)?;
        let scene = Scene { before: info.entered, ..self.trace.scene(&caller.step)? };
        Some(At { scene, evaluation: caller.evaluation, code: caller.code, expression })
    }

    fn origin_of_argument(&self, frame: FrameId, index: u32, object: Option<ObjectId>) -> Option<Step> {
        if let Some(argument) = self.argument(frame, index) {
            return self.origin(&argument);
        }
        // A built-in handed it on, or who called is not recorded.
        let info = self.trace.frame(frame)?;
        if let Some(caller) = self.trace.caller(&info) {
            let call = At {
                scene: self.trace.scene(&caller.step)?,
                expression: caller.call,
                evaluation: caller.evaluation,
                code: caller.code,
            };
            return self.origin_of_parts(&call, object);
        }
        self.want_callers(frame)
    }

    /// What a built-in was given may hold what it handed on.
    fn origin_of_parts(&self, call: &At<'a>, object: Option<ObjectId>) -> Option<Step> {
        let Node::Call(parts) = &call.code.expression(call.expression).node else { return None };
        let is_it = |at: &At| object.is_some() && self.value(at).and_then(|value| value.object()) == object;
        let given = parts.arguments.iter().map(|expression| At { expression: *expression, ..call.clone() });
        given.into_iter().find(is_it).and_then(|argument| self.origin(&argument))
    }

    fn origin_of_property(&self, at: &At<'a>, base: ExprId, key: &Key, object: Option<ObjectId>) -> Option<Step> {
        let base = At { expression: base, ..at.clone() };
        let key = match key {
            Key::Name(name) => PropertyKey::Name(name.clone()),
            Key::Computed(key) => {
                let key = self.value(&At { expression: *key, ..at.clone() });
                match key.as_ref().and_then(|key| self.trace.language().key_of(key)) {
                    Some(key) => key,
                    None => return self.origin_of_holder(&base),
                }
            }
        };
        // The newest write that is known may not be the newest.
        if let PropertyKey::Name(name) = &key
            && self.want(self.candidates().writers_of(name))
        {
            return None;
        }
        let Some(holder) = self.value(&base).and_then(|value| value.object()) else {
            return self.origin_of_holder(&base);
        };
        match self.trace.property(holder, &key, self.moment(at).before) {
            Property::Own { since, .. } | Property::Inherited { since, .. } => self.origin_of_write(&since, object),
            _ => self.origin_of_holder(&base),
        }
    }

    /// What it is in is not known, or nothing is known of it: how that came here may lead on.
    fn origin_of_holder(&self, holder: &At<'a>) -> Option<Step> {
        self.lack("what was put into an object by code that is not recorded");
        let _ = self.origin(holder);
        None
    }

    fn origin_of_result(&self, at: &At<'a>) -> Option<Step> {
        if let Some(given) = self.given(at) {
            return self.origin(&self.value_of(&given)?);
        }
        if self.want_callees(at) {
            return None;
        }
        // Foreign code gave it: nothing older is known of it.
        let Node::Call(parts) = &at.code.expression(at.expression).node else { return None };
        let site = parts.result_site.or(parts.call_site)?;
        let event = at.evaluation.event(site).or_else(|| at.evaluation.first())?;
        self.trace.thread.step(event)
    }

    /// The `return` of what a call entered.
    pub(super) fn given(&self, at: &At) -> Option<Step> {
        let frame = at.scene.frame?;
        let callee = self.trace.callee_frame(&at.code, frame, &at.evaluation, at.expression, at.scene.before)?;
        self.trace.given(&callee)
    }

    /// The functions that a call may have entered that are not recorded. Gives whether there are any.
    pub(super) fn want_callees(&self, call: &At) -> bool {
        self.want(self.candidates().of_call(&call.code, call.expression))
    }

    pub(super) fn want_callers(&self, frame: FrameId) -> Option<Step> {
        let info: FrameInfo = self.trace.frame(frame)?;
        if self.trace.is_sparse() {
            self.want(self.candidates().callers_of((info.unit, info.function)));
        }
        None
    }

    fn want_writers_of_property(&self, name: &str) -> Option<Step> {
        self.want(self.candidates().writers_of(name));
        None
    }

    fn want_writers_of_variable(&self, at: &At, variable: trace_model::VariableIndex) -> Option<Step> {
        let file = at.code.unit.code().ok()?;
        let writes = file.sites.sites.iter().filter(|site| site.variable == Some(variable));
        self.want(writes.map(|site| (at.code.base(), site.function)));
        None
    }

    /// The moment at which an expression was read.
    fn moment(&self, at: &At) -> Scene {
        let before = self.trace.moment(&at.code, at.scene, &at.evaluation, at.expression);
        Scene { before, ..at.scene }
    }
}

fn is_birth(kind: SiteKind) -> bool {
    use SiteKind::{Arguments, ArrayLiteral, ClassBirth, FunctionBirth, Literal, ObjectLiteral};
    matches!(kind, Arguments | ArrayLiteral | ClassBirth | FunctionBirth | Literal | ObjectLiteral)
}
