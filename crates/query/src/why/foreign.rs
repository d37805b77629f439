//! Calls of code that is not recorded: what it was given, what it looked into, and what the functions gave that it called back.

use trace_model::{Call, EventId, ExprId, Node, ObjectClass};
use trace_store::Step;

use super::value::is_constant;
use super::{HopKind, Question, Search, Terminator, cost};
use crate::{Code, Datum, Evaluation, Place, Scene};

impl Search<'_, '_> {
    /// Why a call of foreign code gave its value.
    pub(super) fn foreign_call(
        &mut self,
        code: &Code,
        anchor: &Step,
        evaluation: &Evaluation,
        at: EventId,
        id: ExprId,
        call: &Call,
    ) {
        let Some(scene) = self.trace.scene(anchor) else { return };
        let scene = Scene { before: self.behind.unwrap_or(scene.before), ..scene };
        let value = self.trace.value_in(code, scene, evaluation, id).ok();
        let began = call.call_site.and_then(|site| evaluation.event(site));
        if let Some(value) = &value
            && self.arrived_meanwhile(value, began, anchor).is_some()
        {
            return;
        }
        match &value {
            Some(value) => {
                self.called_back_with(scene, began, value);
            }
            // In the middle of a chain: what was called back is all that is known of it.
            None => {
                let last = self.call_backs(scene, began).pop();
                if let Some(event) = last.map(|last| last.id) {
                    self.follow(2.0 * cost::COPY, Question::Happened { event, kind: HopKind::Return, focus: None });
                }
            }
        }
        let receiver = self.receiver(code, scene, evaluation, call);
        if let Some(value) = &value {
            self.joined(code, scene, evaluation, call, value);
            self.made_of_texts(code, scene, evaluation, call, value);
        }
        let given: Vec<ExprId> = call.arguments.iter().copied().chain(receiver).collect();
        // What is written out in the call is no question.
        let is_open = |part: &ExprId| !is_constant(code, *part);
        let n = given.iter().filter(|part| is_open(part)).count();
        if n == 0 {
            let is_fickle = self.trace.language().is_fickle(code.text(call.callee), call.arguments.len());
            self.end(match call.is_new {
                true => Terminator::Birth,
                false if is_fickle => Terminator::OutsideInput,
                false if self.trace.built_in_call(code, anchor, id).is_some() => Terminator::BuiltIn,
                false => Terminator::ForeignCode,
            });
        }
        // What a constructor was given matters less than that it was called.
        let dearer = if call.is_new { cost::BASE } else { 0.0 };
        for part in given.into_iter().filter(is_open) {
            let price = dearer + cost::operand(None, n, false);
            self.follow(price, Question::Value { at, expression: part, behind: self.behind });
        }
        if !call.is_new {
            self.looked_into(code, scene, evaluation, call);
        }
    }

    /// The receiver of a method, unless it is but the name of a library.
    fn receiver(&self, code: &Code, scene: Scene, evaluation: &Evaluation, call: &Call) -> Option<ExprId> {
        let Node::Member { object, .. } = &code.expression(call.callee).node else { return None };
        let is_library = match self.trace.value_in(code, scene, evaluation, *object) {
            Ok(Datum::Object(object)) => self.trace.is_name_of_library(object, scene.before),
            _ => false,
        };
        (!is_library).then_some(*object)
    }

    /// Foreign code that was given an object, or is a method of one, may have looked into it.
    pub(super) fn looked_into(&mut self, code: &Code, scene: Scene, evaluation: &Evaluation, call: &Call) {
        let receiver = self.receiver(code, scene, evaluation, call);
        for part in call.arguments.iter().copied().chain(receiver) {
            let part = match code.expression(part).node {
                Node::Spread(list) => list,
                _ => part,
            };
            let Ok(Datum::Object(object)) = self.trace.value_in(code, scene, evaluation, part) else { continue };
            let Some(contents) = self.trace.contents(object, scene.before) else { continue };
            if contents.class == Some(ObjectClass::Function) {
                continue;
            }
            if contents.length == Some(0) {
                self.unfilled(object, None, scene.before);
            }
            // Those who changed it last are more telling than those who filled it.
            if let Some(change) = self.newest_change(object, scene.before) {
                self.follow(2.0 * cost::COPY, Question::Filled { object, newest: change.id });
            }
            let n = contents.properties.len();
            if n > MOST_CONTENTS {
                continue;
            }
            for (key, slot) in contents.properties {
                let price = cost::PART + cost::operand(Some(&slot.value), n, false);
                self.follow(price, Question::Held { place: Place::Property { object, key }, before: scene.before });
            }
        }
    }

    /// A function that was called back during a foreign call, and gave this very value.
    pub(super) fn called_back_with(&mut self, scene: Scene, began: Option<EventId>, value: &Datum) -> Option<()> {
        let call_backs = self.call_backs(scene, began);
        if let Some(wrong) = self.called_back_text(&call_backs, value) {
            self.follow(cost::BAD_COPY, Question::Happened { event: wrong.id, kind: HopKind::Return, focus: None });
            return Some(());
        }
        let newest = call_backs.iter().rfind(|given| self.trace.step_value(given).as_ref() == Some(value)).cloned();
        let last = call_backs.into_iter().next_back();
        // What they gave otherwise decided what foreign code did.
        if let (None, Some(last)) = (&newest, last) {
            let question = Question::Happened { event: last.id, kind: HopKind::Return, focus: None };
            self.follow(cost::EVIDENCE, question);
        }
        let question = Question::Happened { event: newest?.id, kind: HopKind::Return, focus: None };
        self.follow(cost::COPY, question);
        Some(())
    }

    /// What the functions gave that a foreign call called back, in their order.
    pub(super) fn call_backs(&self, scene: Scene, began: Option<EventId>) -> Vec<Step> {
        let Some(frame) = scene.frame else { return Vec::new() };
        let before = self.trace.previous_in_frame(frame, scene.before).map(|step| step.id);
        let Some(began) = began.or(before) else { return Vec::new() };
        let calls = self.trace.calls_from(Some(frame), began).take_while(|called| called.entered < scene.before);
        calls.take(MOST_CALL_BACKS).filter_map(|called| self.trace.given(&called)).collect()
    }
}

/// Of a larger object nobody knows what mattered.
const MOST_CONTENTS: usize = 8;
const MOST_CALL_BACKS: usize = 256;
