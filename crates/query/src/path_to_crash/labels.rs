//! What control did, event by event.

use std::collections::HashMap;

use ::crash_path::{Callee, FunctionRef, Label};
use trace_model::{Event, EventId, FrameId, FunctionIndex, ObjectId, Record, SiteId, SiteKind, Span};
use trace_store::{FrameInfo, Step};

use super::{At, Finder};
use crate::why::Failure;

pub(super) struct Told {
    pub labels: Vec<Label>,
    pub events: Vec<EventId>,
    pub is_cut: bool,
}

impl<'t, 'a> Finder<'t, 'a> {
    /// The labels from the birth to the failure; where that is not known, all that there are.
    pub(super) fn labels(
        &self,
        failure: &Failure,
        object: Option<ObjectId>,
        birth: Option<&Step>,
        most: usize,
    ) -> Told {
        let first = self.trace.thread.first_event();
        let end = failure.thrown.before;
        let oldest = EventId(end.0.saturating_sub(MOST_EVENTS).max(first.0));
        let from = birth.map_or(oldest, |birth| birth.id.max(oldest));
        let mut teller = Teller {
            finder: self,
            object,
            labels: Vec::new(),
            events: Vec::new(),
            n_dropped: 0,
            most,
            open: HashMap::new(),
        };
        if let Some(site) = birth.and_then(Step::site).and_then(|site| self.names.site(site)) {
            teller.tell(from, Label::Start { site });
        }
        let has_start = !teller.labels.is_empty();
        let from = if has_start { EventId(from.0 + 1) } else { from };
        for step in self.trace.thread.steps_from(from).take_while(|step| step.id < end) {
            trace_model::cancel::check();
            teller.step(&step);
        }
        let thrown = &failure.thrown;
        let failing = self.trace.failing_expression(thrown, &failure.message).filter(|_| !thrown.is_explicit);
        if let Some(code) = failing.as_ref().and_then(|failing| self.trace.code(failing.unit))
            && let Some(failing) = failing
        {
            teller.drop_calls_not_made(thrown.step.frame, code.expression(failing.expression).span);
        }
        // The `throw` itself is where it crashed.
        if let Some(site) = self.crash_site(failure) {
            teller.tell(end, Label::Crash { site });
        }
        let is_cut = teller.n_dropped > 0 || birth.is_some_and(|birth| birth.id < oldest);
        Told { labels: teller.labels, events: teller.events, is_cut }
    }
}

/// A call that did not come back yet.
struct OpenCall {
    site: SiteId,
    event: EventId,
    /// The number of its label, counted with those that were dropped.
    label: usize,
    is_entered: bool,
}

struct Teller<'f, 't, 'a> {
    finder: &'f Finder<'t, 'a>,
    object: Option<ObjectId>,
    labels: Vec<Label>,
    events: Vec<EventId>,
    n_dropped: usize,
    most: usize,
    /// By frame, the calls that it has open, outermost first.
    open: HashMap<FrameId, Vec<OpenCall>>,
}

impl Teller<'_, '_, '_> {
    fn tell(&mut self, event: EventId, label: Label) {
        self.labels.push(label);
        self.events.push(event);
        // The birth stays; half of the rest goes at once, so that it is cheap.
        if self.labels.len() > 2 * self.most + 1 {
            self.drop_oldest(self.labels.len() - self.most);
        }
    }

    fn drop_oldest(&mut self, n: usize) {
        let first = usize::from(matches!(self.labels.first(), Some(Label::Start { .. })));
        self.labels.drain(first..first + n);
        self.events.drain(first..first + n);
        self.n_dropped += n;
    }

    /// The frame failed in an expression that is part of these calls: their callee, or an argument. So they were never made.
    fn drop_calls_not_made(&mut self, frame: Option<FrameId>, failing: Span) {
        let open = frame.and_then(|frame| self.open.remove(&frame)).unwrap_or_default();
        let is_around = |call: &OpenCall| {
            let site = self.finder.trace.site(call.site);
            site.is_some_and(|site| site.site.span.start <= failing.start && failing.end <= site.site.span.end)
        };
        let not_made: Vec<OpenCall> = open.into_iter().filter(|call| !call.is_entered && is_around(call)).collect();
        for call in not_made.into_iter().rev() {
            let number = call.label.checked_sub(self.n_dropped);
            if let Some(number) = number.filter(|number| matches!(self.labels.get(*number), Some(Label::Call { .. }))) {
                self.labels.remove(number);
                self.events.remove(number);
            }
        }
    }

    fn step(&mut self, step: &Step) {
        use SiteKind::*;
        let Some(site) = step.site() else { return self.record(step) };
        let Some(kind) = self.finder.trace.kind(step) else { return };
        if !matches!(kind, Enter | Exit) {
            self.come_back(step);
        }
        match kind {
            Enter => self.enter(step),
            Exit => self.exit(step),
            Suspend => self.leave(step),
            Resume | LateResume => self.resume(step),
            Call => self.call(step, site),
            Branch | Loop | Nullish => {
                let taken = self.finder.trace.truth(step).unwrap_or(true);
                self.branch(step, site, taken);
            }
            Case | Default => self.branch(step, site, true),
            Put | PutIncrement | PutDecrement | PutComputed | PutComputedIncrement | PutComputedDecrement | Field
            | Delete | DeleteComputed
                if self.object.is_some() && self.finder.trace.changed_object(step) == self.object =>
            {
                self.write(step.id, site);
            }
            _ => {}
        }
    }

    /// A built-in changed the object.
    fn record(&mut self, step: &Step) {
        if let Event::Record(Record::Effect { object, .. }) = &step.event
            && Some(*object) == self.object
            && let Some(site) = self.finder.trace.belongs_to(step).and_then(|step| step.site())
        {
            self.write(step.id, site);
        }
    }

    fn branch(&mut self, step: &Step, site: SiteId, taken: bool) {
        if let Some(site) = self.finder.names.site(site) {
            self.tell(step.id, Label::Branch { site, taken });
        }
    }

    fn write(&mut self, event: EventId, site: SiteId) {
        if let Some(site) = self.finder.names.site(site) {
            self.tell(event, Label::Write { site });
        }
    }

    fn call(&mut self, step: &Step, site: SiteId) {
        let Some(frame) = step.frame else { return };
        let Some(named) = self.finder.names.site(site) else { return };
        self.tell(step.id, Label::Call { site: named, callee: Callee::Foreign });
        let label = self.n_dropped + self.labels.len() - 1;
        self.open.entry(frame).or_default().push(OpenCall { site, event: step.id, label, is_entered: false });
    }

    fn enter(&mut self, step: &Step) {
        let Some(info) = step.frame.and_then(|frame| self.finder.trace.frame(frame)) else { return };
        let Some(function) = self.function(&info) else { return };
        let mut caller = None;
        match info.caller {
            // Somebody in between is not recorded.
            Some(_) if !self.finder.is_called_directly(&info) => caller = self.finder.only_caller(&info),
            Some(calling) => {
                // The innermost call that is open is the one, unless it was entered: then a built-in calls back.
                let call = self.open.get_mut(&calling).and_then(|calls| calls.last_mut());
                if let Some(call) = call.filter(|call| !call.is_entered) {
                    call.is_entered = true;
                    let number = call.label.checked_sub(self.n_dropped);
                    if let Some(Label::Call { callee, .. }) = number.and_then(|number| self.labels.get_mut(number)) {
                        *callee = Callee::Program(function.clone());
                    }
                }
            }
            None => match self.finder.trace.registration(info.id).and_then(|step| step.site()) {
                Some(site) => {
                    let registered_at = self.finder.names.site(site);
                    self.tell(step.id, Label::Task { registered_at });
                }
                None if !self.finder.trace.is_sparse() => self.tell(step.id, Label::Task { registered_at: None }),
                None => caller = self.finder.only_caller(&info),
            },
        }
        self.tell(step.id, Label::Enter { function, caller });
    }

    fn exit(&mut self, step: &Step) {
        let Some(info) = step.frame.and_then(|frame| self.finder.trace.frame(frame)) else { return };
        self.close(info.id);
        let Some(function) = self.function(&info) else { return };
        let is_direct = info.caller.is_some() && self.finder.is_called_directly(&info);
        let caller = match self.finder.trace.is_sparse() && !is_direct {
            true => self.finder.only_caller(&info),
            false => None,
        };
        self.tell(step.id, Label::Exit { function, caller });
        if !is_direct {
            return;
        }
        let is_thrown = matches!(self.finder.trace.outcome(&info), crate::FrameOutcome::Threw);
        let calls = info.caller.and_then(|caller| self.open.get_mut(&caller)).filter(|calls| !calls.is_empty());
        match calls {
            // Of a call that a built-in made, the built-in has still to come back.
            Some(calls) => {
                if let Some(call) = calls.pop_if(|call| call.is_entered).filter(|_| !is_thrown) {
                    self.return_of(call.site, call.event);
                }
            }
            // It was called before the birth.
            None if !is_thrown => {
                let call = self.finder.trace.call_of(info.id).filter(|call| call.frame == info.caller);
                if let Some((site, event)) = call.and_then(|call| Some((call.site()?, call.id))) {
                    self.return_of(site, event);
                }
            }
            None => {}
        }
    }

    /// The frame waits.
    fn leave(&mut self, step: &Step) {
        let Some(info) = step.frame.and_then(|frame| self.finder.trace.frame(frame)) else { return };
        if let Some(function) = self.function(&info) {
            self.tell(step.id, Label::Exit { function, caller: None });
        }
    }

    fn resume(&mut self, step: &Step) {
        let Some(info) = step.frame.and_then(|frame| self.finder.trace.frame(frame)) else { return };
        let Some(function) = self.function(&info) else { return };
        let waited = self.finder.trace.last_of_kind(info.id, SiteKind::Suspend, step.id);
        // A generator is resumed by a call, and not by the event loop.
        if self.finder.trace.thread.stack(step.id).len() <= 1 {
            let registered_at = waited.and_then(|step| self.finder.names.site(step.site()?));
            self.tell(step.id, Label::Task { registered_at });
        }
        self.tell(step.id, Label::Enter { function, caller: None });
    }

    /// The frame goes on: what it called and was not entered has come back.
    fn come_back(&mut self, step: &Step) {
        let (Some(frame), Some(site)) = (step.frame, step.site()) else { return };
        let span = |site: SiteId| self.finder.trace.site(site).map(|site| site.site.span);
        // What stands inside a call is evaluated before it is made.
        let is_inside = |call: &OpenCall| match (span(site), span(call.site)) {
            (Some(inner), Some(outer)) => inner != outer && outer.start <= inner.start && inner.end <= outer.end,
            _ => false,
        };
        let calls = self.open.get(&frame).map_or(&[][..], |calls| calls);
        let n_back = calls.iter().rev().take_while(|call| call.is_entered || !is_inside(call)).count();
        for _ in 0..n_back {
            let Some(call) = self.open.get_mut(&frame).and_then(|calls| calls.pop()) else { break };
            if !call.is_entered {
                self.not_entered(&call, step);
            }
            self.return_of(call.site, call.event);
        }
    }

    /// It tells of the call: what happened next may be anywhere.
    fn return_of(&mut self, site: SiteId, event: EventId) {
        if let Some(site) = self.finder.names.site(site) {
            self.tell(event, Label::Return { site });
        }
    }

    /// The frame is over: what it had open did not come back, or nothing tells.
    fn close(&mut self, frame: FrameId) {
        self.open.remove(&frame);
    }

    /// A call that entered nothing that is recorded: foreign code, or what is not recorded.
    fn not_entered(&mut self, call: &OpenCall, back: &Step) {
        let callee = self.finder.unentered_callee(call.site, back);
        let number = call.label.checked_sub(self.n_dropped);
        if let Some(Label::Call { callee: told, .. }) = number.and_then(|number| self.labels.get_mut(number)) {
            *told = callee;
        }
    }

    fn function(&self, info: &FrameInfo) -> Option<FunctionRef> {
        self.finder.names.function(info.unit, info.function)
    }
}

impl<'t, 'a> Finder<'t, 'a> {
    /// What a call led to that entered nothing that is recorded.
    fn unentered_callee(&self, site: SiteId, back: &Step) -> Callee {
        if !self.trace.is_sparse() {
            return Callee::Foreign;
        }
        let Some(code) = self.trace.code(site) else { return Callee::Unknown };
        let Some(expression) = code.site_facts(site).value else { return Callee::Unknown };
        let Some(scene) = self.trace.scene(back) else { return Callee::Unknown };
        let at = At { evaluation: self.trace.evaluation(back), scene, expression, code };
        let may_be = self.candidates().of_call(&at.code, expression);
        let unrecorded: Vec<(SiteId, FunctionIndex)> =
            may_be.into_iter().filter(|function| !self.is_recorded(*function)).collect();
        match unrecorded[..] {
            // Whatever it may be is recorded, and was not entered.
            [] => Callee::Foreign,
            [(unit, function)] => self.names.function(unit, function).map_or(Callee::Unknown, Callee::Program),
            _ => {
                self.want(unrecorded);
                Callee::Unknown
            }
        }
    }

    /// Whether the frame below one on the recorded stack called it, and not a function between them that is not recorded: its call
    /// can have entered such a function.
    fn is_called_directly(&self, frame: &FrameInfo) -> bool {
        if !self.trace.is_sparse() {
            return true;
        }
        let called = || {
            let call = self.trace.call_of(frame.id).filter(|call| call.frame == frame.caller)?;
            let code = self.trace.code(call.site()?)?;
            let expression = code.site_facts(call.site()?).value?;
            Some(self.candidates().of_call(&code, expression).contains(&(frame.unit, frame.function)))
        };
        called().unwrap_or(false)
    }

    /// Who called a frame whose caller is not recorded, if only one function can have.
    fn only_caller(&self, frame: &FrameInfo) -> Option<FunctionRef> {
        let callers = self.candidates().callers_of((frame.unit, frame.function));
        let unrecorded: Vec<(SiteId, FunctionIndex)> =
            callers.into_iter().filter(|function| !self.is_recorded(*function)).collect();
        match unrecorded[..] {
            [] => None,
            [(unit, function)] => self.names.function(unit, function),
            _ => {
                self.want(unrecorded);
                None
            }
        }
    }
}

/// More events are not gone through; who has so many asks about something younger.
const MOST_EVENTS: u64 = 20_000_000;
