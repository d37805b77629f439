//! From a parameter to what was passed.

use trace_model::{Call, EventId, ExprId, Node};
use trace_store::{FrameInfo, Step};

use super::links::{Caller, How, callee_name};
use super::{HopKind, Question, Search, Terminator, cost};
use crate::{Datum, Place};

impl Search<'_, '_> {
    /// From a parameter to what the caller passed.
    pub(super) fn argument(&mut self, entry: &Step, index: u32) {
        let Some(info) = entry.frame.and_then(|frame| self.trace.frame(frame)) else { return };
        let Some(caller) = self.trace.caller(&info) else {
            if let Some(write) = self.trace.assignment_into(&info, entry) {
                let price = cost::copy_of(self.trace.step_value(entry).as_ref());
                // A setter or trap took it: the property did not become that.
                let code = write.site().and_then(|site| self.trace.code(site));
                let given = code.zip(write.site()).and_then(|(code, site)| code.site_facts(site).value);
                let question = Question::Happened { event: write.id, kind: HopKind::Argument, focus: given };
                return self.follow(price, question);
            }
            if let Some(arrival) = self.trace.arrival_at(&info, entry) {
                self.arrived(arrival, entry, self.trace.step_value(entry));
            }
            if let Some(registered) = self.trace.registration(info.id) {
                let question = Question::Happened { event: registered.id, kind: HopKind::Registration, focus: None };
                self.follow(cost::REGISTRATION, question);
            }
            self.same_before(entry);
            return self.end(Terminator::OutsideInput);
        };
        let Node::Call(call) = &caller.code.expression(caller.call).node else { return };
        let event = self.trace.call_event(&caller).id;
        let passed = match caller.how {
            How::Direct => self.passed(&caller, &call.arguments, index, entry.id),
            How::ByCall => self.passed(&caller, call.arguments.get(1..).unwrap_or_default(), index, entry.id),
            How::ByApply => call
                .arguments
                .get(1)
                .map(|list| Passed { argument: *list, element: self.element_of(&caller, *list, index, entry.id) }),
            How::CalledBack => {
                self.called_back(&caller, call, event, entry, &info, index);
                return;
            }
        };
        match passed {
            Some(Passed { argument, element }) => {
                let value = self.trace.step_value(entry);
                let is_handed_on = self.hands_on(&caller.code, &caller.step, argument);
                let price = if is_handed_on { cost::HANDED_ON } else { cost::copy_of(value.as_ref()) };
                if let Some(place) = element {
                    self.follow(price, Question::Held { place, before: entry.id });
                }
                self.entered.insert(event, info.entered);
                let question = Question::Happened { event, kind: HopKind::Argument, focus: Some(argument) };
                self.follow(price, question);
            }
            None => {
                // Nothing was passed.
                self.follow(cost::COPY, Question::Happened { event, kind: HopKind::Call, focus: None });
            }
        }
    }

    /// How many arguments a function was called with directly, where the call tells.
    pub(super) fn n_passed(&self, caller: &Caller) -> Option<usize> {
        let Node::Call(call) = &caller.code.expression(caller.call).node else { return None };
        let is_plain = |argument: &ExprId| !matches!(caller.code.expression(*argument).node, Node::Spread(_));
        let passed = match caller.how {
            How::Direct => &call.arguments[..],
            How::ByCall => call.arguments.get(1..).unwrap_or_default(),
            How::ByApply | How::CalledBack => return None,
        };
        passed.iter().all(is_plain).then_some(passed.len())
    }

    /// The argument that became a parameter: `f(...list)` passes many.
    fn passed(&self, caller: &Caller, arguments: &[ExprId], index: u32, before: EventId) -> Option<Passed> {
        let mut index = index;
        for argument in arguments {
            let Node::Spread(list) = caller.code.expression(*argument).node else {
                match index {
                    0 => return Some(Passed { argument: *argument, element: None }),
                    _ => index -= 1,
                }
                continue;
            };
            let length =
                self.object_in(caller, list, before).and_then(|list| self.trace.contents(list, before)?.length);
            match length {
                Some(length) if length <= index => index -= length,
                Some(_) => {
                    let element = self.element_of(caller, list, index, before);
                    return Some(Passed { argument: *argument, element });
                }
                // Whatever it is, it is somewhere in there.
                None => return Some(Passed { argument: *argument, element: None }),
            }
        }
        None
    }

    fn element_of(&self, caller: &Caller, list: ExprId, index: u32, before: EventId) -> Option<Place> {
        let object = self.object_in(caller, list, before)?;
        Some(Place::Property { object, key: self.trace.element_key(index) })
    }

    fn object_in(&self, caller: &Caller, expression: ExprId, before: EventId) -> Option<trace_model::ObjectId> {
        let scene = crate::Scene { before, ..self.trace.scene(&caller.step)? };
        let value = self.trace.value_in(&caller.code, scene, &caller.evaluation, expression).ok();
        let given = || self.trace.given_by(&caller.code, scene, &caller.evaluation, expression);
        value.or_else(given)?.object()
    }

    /// A built-in called the function back: what it passed are mostly elements of what it was given.
    fn called_back(
        &mut self,
        caller: &Caller,
        call: &Call,
        event: EventId,
        entry: &Step,
        info: &FrameInfo,
        index: u32,
    ) -> Option<()> {
        self.follow(cost::CALLER, Question::Happened { event, kind: HopKind::Call, focus: None });
        let value = self.trace.step_value(entry)?;
        let is_same = |called: &FrameInfo| (called.unit, called.function) == (info.unit, info.function);
        let calls = self.trace.calls_from(info.caller, event).take_while(|called| called.entered < info.entered);
        let earlier: Vec<FrameInfo> = calls.filter(is_same).take(MOST_CALL_BACKS).collect();
        let folds = callee_name(&caller.code, call).is_some_and(|name| self.trace.language().folds(name));
        if folds && index == 0 && self.folded_before(caller, call, earlier.last(), &value).is_some() {
            return Some(());
        }
        let receiver = match &caller.code.expression(call.callee).node {
            Node::Member { object, .. } => Some(*object),
            _ => None,
        };
        for part in receiver.into_iter().chain(call.arguments.iter().copied()) {
            let Some(object) = self.object_in(caller, part, entry.id) else { continue };
            let elements = self.trace.elements(object, entry.id);
            let alike: Vec<usize> = (0..elements.len()).filter(|number| elements[*number].value == value).collect();
            // Of several that hold the same the one whose turn it is.
            let turns = [earlier.len(), earlier.len() + 1];
            let its_turn = turns.into_iter().find(|turn| alike.contains(turn));
            let Some(number) = its_turn.filter(|_| alike.len() > 1).or(alike.first().copied()) else { continue };
            let place = elements[number].place.clone();
            self.follow(cost::copy_of(Some(&value)), Question::Held { place, before: entry.id });
            return Some(());
        }
        None
    }

    /// What a fold hands on: what the call before gave, or what it began with.
    fn folded_before(
        &mut self,
        caller: &Caller,
        call: &Call,
        earlier: Option<&FrameInfo>,
        value: &Datum,
    ) -> Option<()> {
        let Some(earlier) = earlier else {
            let initial = *call.arguments.get(1)?;
            let behind = Some(EventId(caller.step.id.0 + 1));
            self.follow(cost::COPY, Question::Value { at: caller.step.id, expression: initial, behind });
            return Some(());
        };
        let given = self.trace.given(earlier)?;
        (self.trace.step_value(&given).as_ref() == Some(value)).then_some(())?;
        let question = Question::Happened { event: given.id, kind: HopKind::Return, focus: None };
        self.follow(cost::copy_of(Some(value)), question);
        Some(())
    }
}

/// What became a parameter.
struct Passed {
    argument: ExprId,
    /// Where the argument is a list of what is passed.
    element: Option<Place>,
}

const MOST_CALL_BACKS: usize = 4096;
