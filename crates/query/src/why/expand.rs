//! The rules of the search: which questions follow from one.

use trace_model::{Call, Event, EventId, ExprId, Key, Node, Record, SiteKind, VariableRef};
use trace_store::{PropertyKey, Step};

use super::links::How;
use super::{Hop, HopKind, Question, Search, Terminator, cost};
use crate::last_condition::{LastCondition, last_condition, leaves};
use crate::{Code, Datum, Evaluation, LastChange, Place, Property, Scene, last_change};

impl Search<'_, '_> {
    pub(super) fn answer(&mut self, question: Question, kind: Option<HopKind>) {
        match question {
            Question::Value { at, expression, behind } => self.value(at, expression, behind),
            Question::Held { place, before } => self.held(place, before),
            Question::Happened { event, kind: own, focus } => self.happened(event, kind.unwrap_or(own), focus),
            Question::Reached { event } => self.reached(event),
            Question::Absent { object, key, before } => self.absent(object, key, before),
            Question::Born { object, before } => self.born(object, before),
        };
    }

    fn is_inside(&self, code: &Code, anchor: &Step, id: ExprId) -> bool {
        let statement = anchor.site().and_then(|site| code.site_facts(site).statement);
        let Some(statement) = statement.map(|statement| code.facts.statements[statement as usize].span) else {
            return true;
        };
        let span = code.expression(id).span;
        statement.start <= span.start && span.end <= statement.end
    }

    fn scene(&self, step: &Step) -> Option<Scene> {
        self.trace.scene(step)
    }

    /// Why an expression had its value: what it read.
    fn value(&mut self, at: EventId, id: ExprId, behind: Option<EventId>) -> Option<()> {
        let step = self.step(at)?;
        let anchor = self.trace.anchor(&step)?;
        let code = self.trace.code(anchor.site()?)?;
        let evaluation = self.evaluation(&anchor);
        // An open call reads its arguments after its own mark.
        let behind = behind.or((self.trace.kind(&anchor) == Some(SiteKind::Call)).then_some(EventId(anchor.id.0 + 1)));
        let scene = self.scene(&anchor)?;
        let scene = Scene { before: behind.unwrap_or(scene.before), ..scene };
        // What is read in a later statement is no part of the evaluation.
        let evaluation = if self.is_inside(&code, &anchor, id) { evaluation } else { Evaluation::default() };
        self.behind = behind;
        let value = self.trace.value_in(&code, scene, &evaluation, id).ok();
        let moment = self.trace.moment(&code, scene, &evaluation, id);
        match &code.expression(id).node {
            Node::Literal(_) => self.end(Terminator::Literal),
            Node::Variable(VariableRef::Global(name)) if name == "undefined" => self.end(Terminator::Literal),
            Node::Variable(_) => {
                let place = self.trace.place_in(&code, scene, &evaluation, id).ok()?;
                self.follow(0.5 * cost::copy_of(value.as_ref()), Question::Held { place, before: moment });
            }
            Node::Member { object, key, .. } => {
                self.member(&code, scene, &evaluation, at, id, (*object, key), value.as_ref(), moment);
            }
            Node::Element { of, .. } | Node::Remainder { of } => {
                if let Ok(place) = self.trace.place_in(&code, scene, &evaluation, id) {
                    self.follow(cost::copy_of(value.as_ref()), Question::Held { place, before: moment });
                    self.follow(cost::BASE, Question::Value { at, expression: *of, behind: self.behind });
                } else {
                    // An element of what a built-in made of what it was given: a function that it called back gave it.
                    if let (Node::Call(call), Some(value)) =
                        (&code.expression(*of).node, self.trace.step_value(&anchor))
                    {
                        let began = call.call_site.and_then(|site| evaluation.event(site));
                        self.called_back_with(scene, began, &value);
                    }
                    self.follow(cost::COPY, Question::Value { at, expression: *of, behind: self.behind });
                }
            }
            Node::Call(call) => self.call(&code, &anchor, &evaluation, at, id, call),
            Node::Logical { left, right, .. } => {
                let took_left = self.trace.value_in(&code, scene, &evaluation, *left).ok();
                self.follow(cost::COPY, Question::Value { at, expression: *right, behind: self.behind });
                let price = if took_left.is_some_and(|left| left.is_bad()) { cost::CONDITION } else { cost::COPY };
                self.follow(price, Question::Value { at, expression: *left, behind: self.behind });
            }
            Node::Conditional { test, then, otherwise, .. } => {
                let truth = self.trace.value_in(&code, scene, &evaluation, *test).ok().and_then(|test| test.truth());
                let taken = if truth == Some(false) { *otherwise } else { *then };
                self.follow(cost::COPY, Question::Value { at, expression: taken, behind: self.behind });
                self.follow(2.0 * cost::COPY, Question::Value { at, expression: *test, behind: self.behind });
            }
            Node::Assign { value, .. } => {
                self.follow(0.0, Question::Value { at, expression: *value, behind: self.behind })
            }
            Node::Await { operand, .. } => self.awaited(&code, &anchor, &evaluation, at, *operand),
            Node::Object { entries, spreads } => {
                self.end(Terminator::Birth);
                let parts: Vec<ExprId> =
                    entries.iter().map(|(_, value)| *value).chain(spreads.iter().copied()).collect();
                self.parts(&code, at, &parts);
            }
            Node::Array { elements, .. } => {
                self.end(Terminator::Birth);
                let parts: Vec<ExprId> = elements.iter().flatten().copied().collect();
                self.parts(&code, at, &parts);
            }
            Node::Function(_) => self.end(Terminator::Birth),
            Node::Parameter { index, .. } => self.argument(&anchor, *index),
            Node::This => {
                let frame = anchor.frame?;
                let info = self.trace.frame(frame)?;
                if let Some(caller) = self.trace.caller(&info)
                    && let Node::Call(call) = &caller.code.expression(caller.call).node
                    && let Node::Member { object, .. } = &caller.code.expression(call.callee).node
                {
                    let event = self.trace.call_event(&caller).id;
                    self.follow(cost::CALLER, Question::Happened { event, kind: HopKind::Call, focus: Some(*object) });
                }
                if let Some(Datum::Object(object)) = value {
                    self.follow(cost::BIRTH, Question::Born { object, before: moment });
                }
            }
            _ => self.operands(&code, scene, &evaluation, at, id),
        }
        Some(())
    }

    #[expect(clippy::too_many_arguments, reason = "the pieces of one evaluation")]
    fn member(
        &mut self,
        code: &Code,
        scene: Scene,
        evaluation: &Evaluation,
        at: EventId,
        id: ExprId,
        (object, key): (ExprId, &Key),
        value: Option<&Datum>,
        moment: EventId,
    ) {
        if let Some(given) = self.trace.getter_return(scene, evaluation, key, moment) {
            let question = Question::Happened { event: given.id, kind: HopKind::Return, focus: None };
            return self.follow(cost::copy_of(value), question);
        }
        match self.place_of_part(code, scene, evaluation, id, object, key) {
            Some(place) => {
                let is_absent = match &place {
                    Place::Property { object, key } => self.trace.lacks(*object, key, moment),
                    _ => false,
                };
                let price = if is_absent { cost::BAD_COPY } else { cost::copy_of(value) };
                self.follow(price, Question::Held { place, before: moment });
                let base = if is_absent { cost::REFERENCE } else { cost::BASE };
                self.follow(base, Question::Value { at, expression: object, behind: self.behind });
            }
            // The base is a string, or not known.
            None => self.follow(cost::COPY, Question::Value { at, expression: object, behind: self.behind }),
        }
        if let Key::Computed(key) = key {
            self.follow(cost::KEY, Question::Value { at, expression: *key, behind: self.behind });
        }
    }

    /// The place that a member expression is; of what a call gave, also where that was not recorded at the call.
    fn place_of_part(
        &self,
        code: &Code,
        scene: Scene,
        evaluation: &Evaluation,
        id: ExprId,
        object: ExprId,
        key: &Key,
    ) -> Option<Place> {
        if let Ok(place) = self.trace.place_in(code, scene, evaluation, id) {
            return Some(place);
        }
        let (Node::Call(_), Key::Name(name)) = (&code.expression(object).node, key) else { return None };
        let callee = self.trace.callee_frame(code, scene.frame?, evaluation, object, scene.before)?;
        let given = self.trace.step_value(&self.trace.given(&callee)?)?;
        Some(Place::Property { object: given.object()?, key: PropertyKey::Name(name.clone()) })
    }

    fn operands(&mut self, code: &Code, scene: Scene, evaluation: &Evaluation, at: EventId, id: ExprId) {
        let parts = leaves(code, id);
        let values: Vec<Option<Datum>> =
            parts.iter().map(|part| self.trace.value_in(code, scene, evaluation, *part).ok()).collect();
        let has_bad = values.iter().flatten().any(Datum::is_bad);
        if parts.is_empty() {
            self.end(Terminator::Literal);
        }
        for (part, value) in parts.iter().zip(&values) {
            if *part != id {
                let price = cost::operand(value.as_ref(), parts.len(), has_bad);
                self.follow(price, Question::Value { at, expression: *part, behind: self.behind });
            }
        }
    }

    /// Why a call gave its value: what its callee returned, or what a function that is not recorded was given.
    fn call(&mut self, code: &Code, anchor: &Step, evaluation: &Evaluation, at: EventId, id: ExprId, call: &Call) {
        let callee =
            anchor.frame.and_then(|frame| self.trace.callee_frame(code, frame, evaluation, id, EventId(at.0 + 1)));
        if let Some(callee) = callee {
            if call.is_new {
                self.end(Terminator::Birth);
                return;
            }
            if let Some(given) = self.trace.given(&callee) {
                let value = self.trace.step_value(&given);
                let price = cost::copy_of(value.as_ref());
                self.follow(price, Question::Happened { event: given.id, kind: HopKind::Return, focus: None });
                return;
            }
        }
        self.foreign_call(code, anchor, evaluation, at, id, call);
    }

    /// What a literal was made of: dearer than the literal itself, as nobody knows yet which part matters.
    fn parts(&mut self, code: &Code, at: EventId, parts: &[ExprId]) {
        let open: Vec<ExprId> = parts.iter().copied().filter(|part| !is_constant(code, *part)).collect();
        if open.len() > MOST_PARTS {
            return;
        }
        for part in &open {
            let price = cost::PART + cost::operand(None, open.len(), false);
            self.follow(price, Question::Value { at, expression: *part, behind: self.behind });
        }
    }

    fn awaited(&mut self, code: &Code, anchor: &Step, evaluation: &Evaluation, at: EventId, operand: ExprId) {
        let frame = anchor.frame.and_then(|frame| self.trace.awaited_frame(code, frame, evaluation, operand, at));
        match frame.and_then(|frame| self.trace.given(&frame)) {
            Some(given) => {
                self.follow(cost::COPY, Question::Happened { event: given.id, kind: HopKind::Return, focus: None });
            }
            None => self.follow(cost::COPY, Question::Value { at, expression: operand, behind: self.behind }),
        }
    }

    /// From a parameter to what the caller passed.
    fn argument(&mut self, entry: &Step, index: u32) {
        let Some(info) = entry.frame.and_then(|frame| self.trace.frame(frame)) else { return };
        let Some(caller) = self.trace.caller(&info) else {
            if let Some(registered) = self.trace.registration(info.id) {
                let question = Question::Happened { event: registered.id, kind: HopKind::Registration, focus: None };
                self.follow(cost::REGISTRATION, question);
            }
            self.same_text_before(entry);
            return self.end(Terminator::OutsideInput);
        };
        let Node::Call(call) = &caller.code.expression(caller.call).node else { return };
        let event = self.trace.call_event(&caller).id;
        let argument = match caller.how {
            How::Direct => call.arguments.get(index as usize),
            How::ByCall => call.arguments.get(index as usize + 1),
            // The list holds them.
            How::ByApply => call.arguments.get(1),
            How::CalledBack => return self.called_back(&caller, call, event, entry),
        };
        match argument {
            Some(argument) => {
                let value = self.trace.step_value(entry);
                let is_handed_on = self.hands_on(&caller.code, &caller.step, *argument);
                let price = if is_handed_on { cost::HANDED_ON } else { cost::copy_of(value.as_ref()) };
                let question = Question::Happened { event, kind: HopKind::Argument, focus: Some(*argument) };
                self.follow(price, question);
            }
            None => {
                // Nothing was passed.
                self.follow(cost::COPY, Question::Happened { event, kind: HopKind::Call, focus: None });
            }
        }
    }

    /// A built-in called the function back: what it passed are mostly elements of its receiver.
    fn called_back(&mut self, caller: &super::links::Caller, call: &Call, event: EventId, entry: &Step) {
        self.follow(cost::CALLER, Question::Happened { event, kind: HopKind::Call, focus: None });
        let Node::Member { object, .. } = &caller.code.expression(call.callee).node else { return };
        let Some(scene) = self.trace.scene(&caller.step) else { return };
        let receiver = self.trace.value_in(&caller.code, scene, &caller.evaluation, *object);
        let (Ok(Datum::Object(receiver)), Some(value)) = (receiver, self.trace.step_value(entry)) else { return };
        let Some(contents) = self.trace.contents(receiver, entry.id) else { return };
        let held = contents.properties.iter().find(|(_, slot)| slot.value == value).map(|(key, _)| key.clone());
        if let Some(key) = held {
            let place = Place::Property { object: receiver, key };
            self.follow(cost::COPY, Question::Held { place, before: entry.id });
        }
    }

    /// Why a place held its value: the newest change.
    fn held(&mut self, place: Place, before: EventId) -> Option<()> {
        match last_change(self.trace, &place, before) {
            LastChange::Written(change) => {
                if let Place::Variable { place, .. } = &place {
                    self.skipped_writes(place, Some(&change.step), before);
                }
                let (kind, price) = match (&change.new, self.trace.kind(&change.step)) {
                    (None, _) => (HopKind::Removed, cost::BAD_COPY),
                    (_, Some(SiteKind::Param)) => return self.parameter(&change.step),
                    _ => (HopKind::Write, 0.0),
                };
                self.follow(price, Question::Happened { event: change.step.id, kind, focus: None });
                self.hidden_by(&place, &change.step);
                if let Place::Property { object, .. } = &place {
                    self.swallowed(*object, before);
                }
            }
            LastChange::CreatedWith(change) => {
                if let Place::Property { object, key } = &place
                    && crate::change::is_length(key)
                {
                    self.unfilled(*object, before);
                }
                let focus = self.entry_of(&change.step, &place);
                self.follow(0.0, Question::Happened { event: change.step.id, kind: HopKind::Birth, focus });
            }
            LastChange::ByForeignCode { change, .. } => {
                self.follow(0.0, Question::Happened { event: change.step.id, kind: HopKind::Foreign, focus: None });
                if let Some(value) = &change.new {
                    self.taken_over(&change.step, value);
                }
            }
            LastChange::NeverWritten { .. } => match place {
                Place::Property { object, key } => self.follow(0.0, Question::Absent { object, key, before }),
                Place::Variable { place, .. } => self.never_written(&place, before),
                _ => self.end(Terminator::NeverWritten),
            },
            LastChange::BeforeRecording => self.end(Terminator::StartOfRecording),
            LastChange::NotCaptured { .. } => self.end(Terminator::NotCaptured),
        }
        Some(())
    }

    pub(super) fn writes_constant(&self, write: &Step) -> bool {
        let Some(code) = write.site().and_then(|site| self.trace.code(site)) else { return false };
        let value = write.site().and_then(|site| code.site_facts(site).value);
        value.is_some_and(|value| is_constant(&code, value))
    }

    /// A parameter is told at the argument, not at the head of its function.
    fn parameter(&mut self, entry: &Step) -> Option<()> {
        let code = self.trace.code(entry.site()?)?;
        let value = code.site_facts(entry.site()?).value?;
        match &code.expression(value).node {
            Node::Parameter { index, .. } => self.argument(entry, *index),
            _ => self.value(entry.id, value, None)?,
        }
        Some(())
    }

    /// The entry of a literal that gave a property its value.
    fn entry_of(&self, birth: &Step, place: &Place) -> Option<ExprId> {
        let Place::Property { key: PropertyKey::Name(name), .. } = place else { return None };
        let code = self.trace.code(birth.site()?)?;
        let literal = code.site_facts(birth.site()?).value?;
        match &code.expression(literal).node {
            Node::Object { entries, .. } => {
                let is_it = |key: &Key| matches!(key, Key::Name(known) if known == name);
                entries.iter().find(|(key, _)| is_it(key)).map(|(_, value)| *value)
            }
            Node::Array { elements, .. } => elements.get(crate::change::index_of(name)? as usize).copied().flatten(),
            _ => None,
        }
    }

    /// Why an event happened: told as a hop, unless it only passes a value along.
    fn happened(&mut self, event: EventId, kind: HopKind, focus: Option<ExprId>) -> Option<()> {
        let step = self.step(event)?;
        let anchor = self.trace.anchor(&step)?;
        let code = self.trace.code(anchor.site()?)?;
        let facts = code.site_facts(anchor.site()?).clone();
        let root = focus.or(facts.value);
        if !self.is_folded(&code, &anchor, kind, root) {
            let mut hop = self.hop(&step, kind, focus)?;
            hop.difference = self.difference(&step);
            self.parent = self.tell(hop);
        }
        if kind == HopKind::Removed {
            self.removers(&step);
        }
        if let Event::Record(record) = &step.event {
            return self.of_runtime(&step, record);
        }
        match self.trace.kind(&step)? {
            SiteKind::Call if focus.is_none() => {
                // The call as such: how control came to it.
                self.follow(cost::CONTROL, Question::Reached { event });
                return Some(());
            }
            SiteKind::Catch => {
                if let Some(thrown) = self.trace.thrown_before(&step) {
                    let question = Question::Happened { event: thrown.step.id, kind: HopKind::Throw, focus: None };
                    self.follow(cost::COPY, question);
                }
                return Some(());
            }
            _ => {}
        }
        if let Some(root) = root {
            let price = if kind == HopKind::Condition { cost::CONDITION } else { 0.0 };
            self.follow(price, Question::Value { at: event, expression: root, behind: None });
        }
        if matches!(kind, HopKind::Write) {
            self.since_the_write(&step);
        }
        if let Some(target) = facts.target
            && let Node::Member { object, key, .. } = &code.expression(target).node
        {
            self.follow(cost::WRITTEN_OBJECT, Question::Value { at: event, expression: *object, behind: None });
            if let Key::Computed(key) = key {
                self.follow(cost::KEY, Question::Value { at: event, expression: *key, behind: None });
            }
        }
        let is_constant = root.is_none_or(|root| matches!(code.expression(root).node, Node::Literal(_)));
        let price = if is_constant { cost::CONTROL_OF_CONSTANT } else { cost::CONTROL };
        self.follow(price, Question::Reached { event });
        Some(())
    }

    /// What a built-in did: its arguments are what it put there.
    fn of_runtime(&mut self, step: &Step, record: &Record) -> Option<()> {
        match record {
            Record::Effect { .. } => {
                let (code, call_step, call) = self.trace.effect_call(step)?;
                if let Node::Call(call) = &code.expression(call).node {
                    let n = call.arguments.len();
                    for argument in &call.arguments {
                        let price = cost::operand(None, n, false);
                        self.follow(price, Question::Value { at: call_step.id, expression: *argument, behind: None });
                    }
                }
                self.follow(cost::CONTROL, Question::Reached { event: call_step.id });
            }
            _ => {
                self.end(Terminator::ForeignCode);
                let (_, call_step, call) = self.trace.effect_call(step)?;
                let behind = Some(step.id);
                self.follow(2.0 * cost::COPY, Question::Value { at: call_step.id, expression: call, behind });
            }
        }
        Some(())
    }

    /// A copy from one variable to another tells nothing that its source does not; neither does `return f(…)`.
    fn is_folded(&self, code: &Code, anchor: &Step, kind: HopKind, root: Option<ExprId>) -> bool {
        let Some(root) = root else { return false };
        match kind {
            // Where a function is defined is no news.
            HopKind::Write if matches!(code.expression(root).node, Node::Function(_)) => true,
            HopKind::Write if matches!(self.trace.kind(anchor), Some(SiteKind::Var)) => {
                matches!(code.expression(root).node, Node::Variable(VariableRef::Known(_)))
            }
            HopKind::Argument => self.hands_on(code, anchor, root),
            HopKind::Return => {
                matches!(&code.expression(root).node, Node::Call(_) | Node::Variable(VariableRef::Known(_)))
            }
            _ => false,
        }
    }

    /// An argument that only hands on what its function was given itself. One that nobody would have wanted is worth telling.
    fn hands_on(&self, code: &Code, anchor: &Step, root: ExprId) -> bool {
        let Node::Variable(VariableRef::Known(variable)) = &code.expression(root).node else { return false };
        let Some(scene) = self.trace.scene(anchor) else { return false };
        let Some(place) = self.trace.variable_place(scene, *variable) else { return false };
        match self.trace.variable(&place, EventId(anchor.id.0 + 1)) {
            crate::VariableState::Written { value, since } => {
                !value.is_bad() && self.trace.kind(&since) == Some(SiteKind::Param)
            }
            _ => false,
        }
    }

    fn hop(&self, step: &Step, kind: HopKind, focus: Option<ExprId>) -> Option<Hop> {
        let at = self.trace.source_at(step, focus)?;
        Some(Hop {
            step: step.clone(),
            kind,
            at,
            subject: self.trace.subject(step, focus),
            value: self.hop_value(step, focus),
            parent: self.parent,
            cost: self.base,
            difference: None,
            end: None,
        })
    }

    fn hop_value(&self, step: &Step, focus: Option<ExprId>) -> Option<Datum> {
        let Some(focus) = focus else {
            return self.trace.written_value(step).or_else(|| self.trace.step_value(step));
        };
        let code = self.trace.code(step.site()?)?;
        let scene = Scene { before: EventId(step.id.0 + 1), ..self.trace.scene(step)? };
        self.trace.value_in(&code, scene, &self.trace.evaluation(step), focus).ok()
    }

    /// Why control came to an event.
    fn reached(&mut self, event: EventId) -> Option<()> {
        let step = self.step(event)?;
        match last_condition(self.trace, &step) {
            LastCondition::Condition { step: branch, .. } => {
                let price = match self.trace.kind(&branch) {
                    _ if self.is_guard_not_taken(&branch) => cost::GUARD_NOT_TAKEN,
                    Some(SiteKind::Loop) => cost::LOOP,
                    _ => 0.0,
                };
                self.follow(price, Question::Happened { event: branch.id, kind: HopKind::Condition, focus: None });
            }
            LastCondition::CallSite { step: call } => {
                let question = Question::Happened { event: call.id, kind: HopKind::Call, focus: None };
                self.follow(cost::CALLER, question);
            }
            LastCondition::Throw { thrown, .. } => {
                let kind = if thrown.is_explicit { HopKind::Throw } else { HopKind::Evidence };
                self.follow(cost::COPY, Question::Happened { event: thrown.step.id, kind, focus: None });
            }
            LastCondition::Resumed { step, .. } => {
                self.follow(cost::CONTROL, Question::Happened { event: step.id, kind: HopKind::Resume, focus: None });
            }
            LastCondition::Start { registered, .. } => match registered {
                Some(registered) => {
                    let question =
                        Question::Happened { event: registered.id, kind: HopKind::Registration, focus: None };
                    self.follow(cost::REGISTRATION, question);
                }
                None => self.end(Terminator::StartOfRecording),
            },
        }
        Some(())
    }

    /// `if (…) return;` that did not: it lets everything behind it happen, and decides little.
    fn is_guard_not_taken(&self, branch: &Step) -> bool {
        self.trace.truth(branch) == Some(false) && self.trace.is_guard(branch)
    }

    fn never_written(&mut self, place: &trace_store::VariablePlace, before: EventId) {
        self.end(Terminator::NeverWritten);
        self.skipped_writes(place, None, before);
    }

    /// A property that holds its value because it hides another: the newest property of the name on a prototype.
    fn hidden_by(&mut self, place: &Place, write: &Step) {
        let Place::Property { object, key } = place else { return };
        let crate::Prototype::Object(prototype) = self.trace.prototype(*object, self.trace.thread.end()) else {
            return;
        };
        if let Property::Own { since, .. } | Property::Inherited { since, .. } =
            self.trace.property(prototype, key, self.trace.thread.end())
            && since.id != write.id
            && self.trace.kind(&since).is_some_and(|kind| kind != SiteKind::Enter)
        {
            self.prototype_link(*object);
            self.follow(cost::EVIDENCE, Question::Happened { event: since.id, kind: HopKind::Evidence, focus: None });
        }
    }
}

/// Of a larger literal nobody knows what mattered.
const MOST_PARTS: usize = 8;

/// A literal, or one made of literals alone.
pub(super) fn is_constant(code: &Code, id: ExprId) -> bool {
    match &code.expression(id).node {
        Node::Literal(_) | Node::Function(_) => true,
        Node::Array { elements, has_spread } => {
            !has_spread && elements.iter().flatten().all(|element| is_constant(code, *element))
        }
        Node::Object { entries, spreads } => {
            spreads.is_empty() && entries.iter().all(|(_, value)| is_constant(code, *value))
        }
        _ => false,
    }
}
