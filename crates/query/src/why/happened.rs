//! Why an event happened as it did: told as a hop, unless it only passes a value along.

use trace_model::{Event, EventId, ExprId, Key, Node, Record, SiteKind, VariableRef};
use trace_store::Step;

use super::links::is_put;
use super::{Because, Hop, HopKind, Question, Reason, Search, Terminator, cost};
use crate::{Code, Datum, Scene};

impl Search<'_, '_> {
    /// Why an event happened: told as a hop, unless it only passes a value along.
    pub(super) fn happened(&mut self, event: EventId, kind: HopKind, focus: Option<ExprId>) -> Option<()> {
        let step = self.step(event)?;
        let anchor = self.trace.anchor(&step)?;
        let code = self.trace.code(anchor.site()?)?;
        let facts = code.site_facts(anchor.site()?).clone();
        let (kind, focus) = match kind {
            // The property did not become that.
            HopKind::Write if self.trace.is_given_to_setter(&code, &step) => (HopKind::Argument, focus.or(facts.value)),
            kind => (kind, focus),
        };
        let root = focus.or(facts.value);
        if matches!(kind, HopKind::Write | HopKind::Evidence) && self.is_refused(&step) {
            // Nothing became that; the value has reasons all the same.
            let value = facts.value?;
            self.follow(cost::COPY, Question::Value { at: event, expression: value, behind: None });
            return Some(());
        }
        if kind == HopKind::Write
            && let (Some(root), Some(target)) = (facts.value, facts.target)
            && let Some(wrong) = self.wrong_before(&code, &anchor, root, target)
        {
            // What was put behind it says nothing.
            self.follow(cost::APPENDED, Question::Value { at: event, expression: wrong, behind: None });
            return Some(());
        }
        let is_told = match kind {
            HopKind::Write if step.site().is_some() => self.accumulated(&code, &step, &facts),
            HopKind::Return if focus.is_none() => self.folded(&step),
            _ => None,
        };
        if is_told.is_some() {
            return Some(());
        }
        if !self.is_folded(&code, &anchor, kind, root) {
            let told = match kind {
                HopKind::Condition => focus.or_else(|| self.trace.deciding_operand(&step)),
                _ => focus,
            };
            let mut hop = self.hop(&step, kind, told)?;
            if !self.is_cause(&hop) {
                return None;
            }
            if kind == HopKind::Pending {
                hop.source = self.about.as_deref().map(str::to_owned);
            }
            hop.because = self.decided_within(&step, kind, root);
            hop.difference = self.difference(&step);
            self.generated(&hop);
            self.parent = self.tell(hop);
        }
        if kind == HopKind::Removed {
            self.removers(&step);
        }
        if let Event::Record(record) = &step.event {
            return self.of_runtime(&step, record, focus);
        }
        match self.trace.kind(&step)? {
            SiteKind::Call if focus.is_none() || kind == HopKind::NoReceiver => {
                // The call as such: how control came to it.
                self.follow(cost::CONTROL, Question::Reached { event });
                return Some(());
            }
            SiteKind::Catch => {
                if let Some(thrown) = self.trace.thrown_before(&step) {
                    // What the engine threw is no value of the event before it.
                    let kind = if thrown.is_explicit { HopKind::Throw } else { HopKind::Evidence };
                    let question = Question::Happened { event: thrown.step.id, kind, focus: None };
                    self.follow(cost::COPY, question);
                }
                return Some(());
            }
            _ => {}
        }
        if let Some(root) = root {
            let price = if kind == HopKind::Condition { cost::CONDITION } else { 0.0 };
            let behind = (kind == HopKind::Argument).then(|| self.entered.get(&event).copied()).flatten();
            self.follow(price, Question::Value { at: event, expression: root, behind });
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

    /// Whether an assignment to a property changed no object: it was refused, or there was none.
    fn is_refused(&self, step: &Step) -> bool {
        self.trace.kind(step).is_some_and(is_put) && self.trace.changed_object(step).is_none()
    }

    /// What a built-in did: its arguments are what it put there.
    fn of_runtime(&mut self, step: &Step, record: &Record, focus: Option<ExprId>) -> Option<()> {
        match record {
            Record::Effect { .. } => {
                let (code, call_step, call) = self.trace.effect_call(step)?;
                if let Node::Call(call) = &code.expression(call).node {
                    let n = call.arguments.len();
                    for argument in &call.arguments {
                        let price = match focus {
                            Some(put) if put == *argument => cost::COPY,
                            Some(_) => cost::operand(None, n, false) + cost::BESIDE_WRONG,
                            None => cost::operand(None, n, false),
                        };
                        self.follow(price, Question::Value { at: call_step.id, expression: *argument, behind: None });
                    }
                }
                self.follow(cost::CONTROL, Question::Reached { event: call_step.id });
            }
            _ => {
                let found = self.trace.effect_call(step);
                let is_new =
                    |code: &Code, call: ExprId| matches!(&code.expression(call).node, Node::Call(it) if it.is_new);
                let is_made = found.as_ref().is_some_and(|(code, _, call)| is_new(code, *call));
                self.end(if is_made { Terminator::Birth } else { Terminator::ForeignCode });
                let (_, call_step, call) = found?;
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
            HopKind::Return => match &code.expression(root).node {
                Node::Variable(VariableRef::Known(_)) => true,
                // What a recorded callee returned is told there.
                Node::Call(call) => !call.is_new && self.enters(code, anchor, root),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether the callee of a call that an event comes behind is recorded.
    fn enters(&self, code: &Code, anchor: &Step, call: ExprId) -> bool {
        let evaluation = self.trace.evaluation(anchor);
        let callee = anchor.frame.and_then(|frame| self.trace.callee_frame(code, frame, &evaluation, call, anchor.id));
        callee.is_some_and(|callee| self.trace.given(&callee).is_some())
    }

    /// The operand that decided what a value is: `a && b` is one of them.
    fn decided_within(&self, step: &Step, kind: HopKind, root: Option<ExprId>) -> Option<Because> {
        if !matches!(kind, HopKind::Write | HopKind::Return | HopKind::Argument) {
            return None;
        }
        let code = self.trace.code(step.site()?)?;
        let (scene, evaluation) = (self.trace.scene(step)?, self.trace.evaluation(step));
        let default = self.default_taken(step, &code, root?);
        if default.is_some() {
            return default;
        }
        let decided = self.trace.decided_by(&code, scene, &evaluation, root?);
        let is_literal = matches!(code.expression(decided).node, Node::Literal(_));
        if Some(decided) == root || is_literal {
            return None;
        }
        Some(Because {
            reason: Reason::Condition,
            step: step.clone(),
            at: self.trace.source_at(step, Some(decided))?,
            subject: self.trace.subject(step, Some(decided)),
            value: self.trace.value_in(&code, scene, &evaluation, decided).ok(),
        })
    }

    /// An argument that only hands on what its function was given itself. One that nobody would have wanted is worth telling.
    pub(super) fn hands_on(&self, code: &Code, anchor: &Step, root: ExprId) -> bool {
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

    pub(super) fn hop(&self, step: &Step, kind: HopKind, focus: Option<ExprId>) -> Option<Hop> {
        let at = self.trace.source_at(step, focus)?;
        // The value of `delete` is not that of the place.
        let is_delete = matches!(self.trace.kind(step), Some(SiteKind::Delete | SiteKind::DeleteComputed));
        let kind = if is_delete && kind == HopKind::Write { HopKind::Removed } else { kind };
        let subject = if self.is_recorded_call(step, kind) { String::new() } else { self.trace.subject(step, focus) };
        Some(Hop {
            value: self.hop_value(step, focus),
            source: focus.is_none().then(|| self.trace.source_of_value(step)).flatten(),
            parent: self.parent,
            cost: self.base,
            ..Hop::new(step.clone(), kind, at, subject)
        })
    }

    /// Whether something that foreign code did was seen behind a call of recorded code, which then did not do it.
    fn is_recorded_call(&self, step: &Step, kind: HopKind) -> bool {
        let is_entered = || {
            let (code, anchor, call) = self.trace.effect_call(step)?;
            let (frame, evaluation) = (anchor.frame?, self.trace.evaluation(&anchor));
            self.trace.callee_frame(&code, frame, &evaluation, call, step.id)
        };
        kind == HopKind::Foreign && step.site().is_none() && is_entered().is_some()
    }

    fn hop_value(&self, step: &Step, focus: Option<ExprId>) -> Option<Datum> {
        let Some(focus) = focus else {
            return self.trace.written_value(step).or_else(|| self.trace.step_value(step));
        };
        let code = self.trace.code(step.site()?)?;
        let before = self.entered.get(&step.id).copied().unwrap_or(EventId(step.id.0 + 1));
        let scene = Scene { before, ..self.trace.scene(step)? };
        let evaluation = self.trace.evaluation(step);
        let value = self.trace.value_in(&code, scene, &evaluation, focus).ok();
        value.or_else(|| self.trace.given_by(&code, scene, &evaluation, focus))
    }
}
