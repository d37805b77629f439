//! Who a function was called for, and by whom: a method that was taken off its object, and functions that were handed out before
//! they were called.

use trace_model::{EventId, ExprId, Node, SiteKind, Span};
use trace_store::{FrameInfo, PropertyKey, Step, Target};

use super::links::{Caller, How};
use super::{HopKind, Question, Search, Terminator, cost};
use crate::{Code, Datum, Evaluation, Place, Scene, Trace};

impl Search<'_, '_> {
    /// Why `this` was what it was: the object before the dot, or that there was none.
    pub(super) fn receiver_of(&mut self, anchor: &Step, value: Option<Datum>, moment: EventId) -> Option<()> {
        if let Some(Datum::Object(object)) = value {
            self.follow(cost::BIRTH, Question::Born { object, before: moment });
        }
        let frame = anchor.frame?;
        // Arrow functions have that of the function around them.
        let frame = self.trace.this(frame).and_then(|(_, told)| told.frame).unwrap_or(frame);
        let info = self.trace.frame(frame)?;
        // No text calls a setter.
        if self.trace.is_setter(&info) {
            return Some(());
        }
        let is_missing = value.is_some_and(|value| value.is_nullish());
        let Some(caller) = self.trace.caller(&info) else {
            if is_missing && let Some(registered) = self.trace.registration(info.id) {
                let question = Question::Happened { event: registered.id, kind: HopKind::Registration, focus: None };
                self.follow(cost::COPY, question);
            }
            return Some(());
        };
        let Node::Call(call) = &caller.code.expression(caller.call).node else { return None };
        let event = self.trace.call_event(&caller).id;
        match &caller.code.expression(call.callee).node {
            Node::Member { object, .. } if !is_missing => {
                self.follow(cost::CALLER, Question::Happened { event, kind: HopKind::Call, focus: Some(*object) });
            }
            _ if is_missing => {
                self.follow(cost::BAD_COPY, Question::Happened { event, kind: HopKind::NoReceiver, focus: None });
                let function = match caller.how {
                    How::Direct => Some(call.callee),
                    _ => self.trace.handed(&caller, &call.arguments, &info).or(Some(call.callee)),
                };
                if let Some(expression) = function {
                    let behind = Some(info.entered);
                    self.follow(cost::COPY, Question::Value { at: caller.step.id, expression, behind });
                }
            }
            _ => {}
        }
        Some(())
    }

    /// A function that was called back by a call that it was not handed to: where it was handed out, each time.
    pub(super) fn handed_out_before(&mut self, frame: &FrameInfo) -> Option<()> {
        let caller = self.trace.caller(frame)?;
        let Node::Call(call) = &caller.code.expression(caller.call).node else { return None };
        let is_handed = self.trace.handed(&caller, &call.arguments, frame).is_some();
        if caller.how != How::CalledBack || is_handed {
            return None;
        }
        for registered in self.trace.registrations(frame) {
            let question = Question::Happened { event: registered, kind: HopKind::Registration, focus: None };
            self.follow(cost::REGISTRATION, question);
        }
        Some(())
    }

    /// What an object held when it was met that nobody had told of: no event says who made it, but the code that it is of may have it
    /// written out. `None`: it was known before, or a call gave it.
    pub(super) fn first_met(&mut self, look: &Step, place: &Place, value: Option<&Datum>) -> Option<()> {
        let Place::Property { object, key } = place else { return None };
        if self.trace.last(&Target::Object(*object), look.id).is_some() {
            return None;
        }
        let entered = self.trace.anchor(look).filter(|anchor| self.trace.kind(anchor) == Some(SiteKind::Enter));
        if let Some(entered) = entered {
            let caller = self.trace.caller(&self.trace.frame(entered.frame?)?)?;
            let event = self.trace.call_event(&caller).id;
            let within = caller.code.expression(caller.call).span;
            let question = match self.trace.written_out(&caller.code, &caller.step, within, key, value) {
                Some(entry) => Question::Happened { event, kind: HopKind::Birth, focus: Some(entry) },
                None => Question::Happened { event, kind: HopKind::Call, focus: None },
            };
            self.end(Terminator::NotCaptured);
            self.follow(cost::COPY, question);
            return Some(());
        }
        let used = self.trace.use_of_seen(look, *object)?;
        let code = self.trace.code(used.site()?)?;
        let facts = code.site_facts(used.site()?);
        if matches!(code.expression(facts.value?).node, Node::Call(_)) {
            return None;
        }
        let statement = &code.facts.statements[facts.statement? as usize];
        let within = Span { start: statement.span.start, end: statement.head_end };
        let entry = self.trace.written_out(&code, &used, within, key, value)?;
        self.follow(cost::COPY, Question::Happened { event: used.id, kind: HopKind::Birth, focus: Some(entry) });
        Some(())
    }
}

impl Trace<'_> {
    /// The argument of a call that is the function of a frame.
    fn handed(&self, caller: &Caller, arguments: &[ExprId], frame: &FrameInfo) -> Option<ExprId> {
        let code = &caller.code;
        let scene = Scene { before: frame.entered, ..self.scene(&caller.step)? };
        let is_it = |argument: &ExprId| match &code.expression(*argument).node {
            Node::Function(function) => code.base() == frame.unit && *function == frame.function,
            _ => {
                let value = self.value_in(code, scene, &Evaluation::default(), *argument).ok();
                let function = value.and_then(|value| value.object()).and_then(|object| self.function_of(object));
                function == Some((frame.unit, frame.function))
            }
        };
        arguments.iter().copied().find(is_it)
    }

    /// The calls that the function of a frame was handed to before it was entered, newest first.
    fn registrations(&self, frame: &FrameInfo) -> Vec<EventId> {
        let mut found: Vec<EventId> = Vec::new();
        for function in self.function_objects(frame) {
            let mentions = self.each_before(&Target::Mentions(function), frame.entered).take(MOST_LOOKED_AT);
            let handed = mentions.filter(|step| self.kind(step) == Some(SiteKind::Argument));
            found.extend(handed.take(MOST_REGISTRATIONS).filter_map(|argument| Some(self.call_around(&argument)?.id)));
        }
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.dedup();
        found.truncate(MOST_REGISTRATIONS);
        found
    }

    /// The entry of a literal inside some code that gives a key its value, where one alone does.
    fn written_out(
        &self,
        code: &Code,
        step: &Step,
        around: Span,
        key: &PropertyKey,
        value: Option<&Datum>,
    ) -> Option<ExprId> {
        let PropertyKey::Name(name) = key else { return None };
        let scene = self.scene(step)?;
        let function = self.site(step.site()?)?.site.function;
        let inside = code.facts.expressions.iter().filter(|expression| {
            around.start <= expression.span.start
                && expression.span.end <= around.end
                && expression.function == function
        });
        let entries = inside.flat_map(|expression| match &expression.node {
            Node::Object { entries, .. } => entries.as_slice(),
            _ => &[],
        });
        let is_it = |(known, entry): &&(trace_model::Key, ExprId)| {
            matches!(known, trace_model::Key::Name(known) if known == name)
                && self.value_in(code, scene, &Evaluation::default(), *entry).ok().as_ref() == value
        };
        let mut alike = entries.filter(is_it).map(|(_, entry)| *entry);
        alike.next().filter(|_| alike.next().is_none())
    }
}

const MOST_LOOKED_AT: usize = 256;
const MOST_REGISTRATIONS: usize = 4;
