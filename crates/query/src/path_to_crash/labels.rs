//! What control did, event by event.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use ::crash_path::{Callee, FunctionRef, Label};
use trace_model::{Event, EventId, FrameId, FunctionIndex, ObjectId, Record, SiteId, SiteKind, Span};
use trace_store::{FrameInfo, Step};

use super::Finder;
use super::interest::Asserting;
use crate::why::{Failure, How};

pub(super) struct PathLabels {
    pub labels: Vec<Label>,
    pub events: Vec<EventId>,
    pub is_cut: bool,
    pub ran: BTreeSet<SiteId>,
}

impl<'t, 'a> Finder<'t, 'a> {
    /// The labels from the birth to the failure; where that is not known, all that there are.
    pub(super) fn labels(
        &self,
        failure: &Failure,
        object: Option<ObjectId>,
        birth: Option<&Step>,
        most: usize,
    ) -> PathLabels {
        let first = self.trace.thread.first_event();
        let end = failure.thrown.before;
        let oldest = EventId(end.0.saturating_sub(MOST_EVENTS).max(first.0));
        let from = birth.map_or(oldest, |birth| birth.id.max(oldest));
        let mut teller = Teller {
            finder: self,
            object,
            asserting: self.asserting(failure).map(Rc::new),
            is_called_by_assertion: false,
            of_assertion: HashMap::new(),
            labels: Vec::new(),
            events: Vec::new(),
            n_dropped: 0,
            most,
            is_born: birth.is_some(),
            open: HashMap::new(),
            entered_by: HashMap::new(),
            ran: birth.and_then(Step::site).into_iter().collect(),
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
        teller.ran.extend(thrown.step.site());
        PathLabels { labels: teller.labels, events: teller.events, is_cut, ran: teller.ran }
    }
}

/// A call that did not come back yet.
struct OpenCall {
    site: SiteId,
    event: EventId,
    /// The number of its label, counted with those that were dropped. `None`: it was made before the birth.
    label: Option<usize>,
    is_entered: bool,
}

/// How control came into a frame that another recorded frame is below.
#[derive(Clone)]
enum EnteredBy {
    /// By the call that this event tells of.
    Call(Step),
    /// A built-in that was called there called back; or a property was read or written.
    BuiltIn,
    /// Something between the two is not recorded.
    NotRecorded,
}

struct Teller<'f, 't, 'a> {
    finder: &'f Finder<'t, 'a>,
    object: Option<ObjectId>,
    /// What its library did is how the assertion is made, and did not lead to what it found.
    asserting: Option<Rc<Asserting<'a>>>,
    /// By frame, whether it is part of how the assertion is made.
    of_assertion: HashMap<FrameId, bool>,
    /// Whether what is called next is.
    is_called_by_assertion: bool,
    labels: Vec<Label>,
    events: Vec<EventId>,
    n_dropped: usize,
    most: usize,
    /// Whether the labels begin with the birth.
    is_born: bool,
    /// By frame, the calls that it has open, outermost first.
    open: HashMap<FrameId, Vec<OpenCall>>,
    /// Of frames that are not left yet, as far as somebody asked.
    entered_by: HashMap<FrameId, EnteredBy>,
    /// What was executed between the labels, too.
    ran: BTreeSet<SiteId>,
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
            if let Some(number) = self.number_of(&call) {
                self.labels.remove(number);
                self.events.remove(number);
            }
        }
    }

    fn step(&mut self, step: &Step) {
        use SiteKind::*;
        if self.is_of_assertion(step) {
            return;
        }
        let Some(site) = step.site() else { return self.record(step) };
        let Some(kind) = self.finder.trace.kind(step) else { return };
        if stands_on_a_line(kind) {
            self.ran.insert(site);
        }
        match kind {
            Enter | Exit => {}
            // What was under way when it was thrown did not come back.
            Catch => self.close(step, false),
            _ => self.come_back(step),
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

    fn is_of_assertion(&mut self, step: &Step) -> bool {
        let asserting = self.asserting.clone().filter(|asserting| asserting.since <= step.id);
        let Some(asserting) = asserting.as_deref() else { return false };
        let Some(frame) = step.frame else {
            // Defaults of parameters come before the call is entered: they go with what called.
            let unit = step.site().and_then(|site| self.finder.trace.site(site)).map(|site| site.unit.record.base);
            return self.is_called_by_assertion && unit.is_some_and(|unit| !self.finder.trace.is_own(unit));
        };
        let is_part = self.is_frame_of_assertion(frame, asserting);
        self.is_called_by_assertion = is_part || frame == asserting.frame && asserting.is_link(step);
        is_part
    }

    fn is_frame_of_assertion(&mut self, frame: FrameId, asserting: &Asserting) -> bool {
        if let Some(known) = self.of_assertion.get(&frame) {
            return *known;
        }
        let trace = self.finder.trace;
        let library = trace.frame(frame).filter(|info| asserting.since <= info.entered && !trace.is_own(info.unit));
        let is_part = library.is_some_and(|info| match info.caller {
            // A getter has no call of its own: it belongs to the link before it.
            Some(caller) if caller == asserting.frame => {
                trace.previous_in_frame(caller, info.entered).is_some_and(|call| asserting.is_link(&call))
            }
            Some(caller) => self.of_assertion.get(&caller).copied().unwrap_or(false),
            None => false,
        });
        self.of_assertion.insert(frame, is_part);
        is_part
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
        let label = Some(self.n_dropped + self.labels.len() - 1);
        self.open.entry(frame).or_default().push(OpenCall { site, event: step.id, label, is_entered: false });
    }

    fn enter(&mut self, step: &Step) {
        let Some(info) = step.frame.and_then(|frame| self.finder.trace.frame(frame)) else { return };
        let Some(function) = self.function(&info) else { return };
        let is_recorded = self.is_recorded(&info);
        let mut caller = None;
        match info.caller {
            Some(calling) => match self.how_entered(&info) {
                EnteredBy::NotRecorded if is_recorded => caller = self.unrecorded_caller(&info),
                EnteredBy::NotRecorded => {}
                EnteredBy::Call(call) => self.entered(calling, &call, &function),
                EnteredBy::BuiltIn => {}
            },
            None if !is_recorded => {}
            None => match self.finder.trace.registration(info.id).and_then(|step| step.site()) {
                Some(site) => {
                    let registered_at = self.finder.names.site(site);
                    self.tell(step.id, Label::Task { registered_at });
                }
                None if !self.finder.trace.is_sparse() => self.tell(step.id, Label::Task { registered_at: None }),
                None => caller = self.finder.only_caller(&info),
            },
        }
        if is_recorded {
            self.tell(step.id, Label::Enter { function, caller });
        }
    }

    /// A call entered a function. Those that were made for its arguments have come back.
    fn entered(&mut self, frame: FrameId, call: &Step, function: &FunctionRef) {
        let calls = self.open.get(&frame).map_or(&[][..], |calls| calls);
        let Some(at) = calls.iter().rposition(|open| open.event == call.id) else { return };
        self.come_back_until(frame, at + 1);
        let Some(open) = self.open.get_mut(&frame).and_then(|calls| calls.last_mut()) else { return };
        // A getter or a conversion may have been entered while the call was under way.
        if !open.is_entered {
            open.is_entered = true;
            let number = open.label.and_then(|label| label.checked_sub(self.n_dropped));
            if let Some(Label::Call { callee, .. }) = number.and_then(|number| self.labels.get_mut(number)) {
                *callee = Callee::Program(function.clone());
            }
        }
    }

    fn exit(&mut self, step: &Step) {
        let Some(info) = step.frame.and_then(|frame| self.finder.trace.frame(frame)) else { return };
        let is_recorded = self.is_recorded(&info);
        // Where less is recorded, nothing tells how it ended.
        let is_told = self.finder.is_recorded((info.unit, info.function));
        let is_thrown = is_told && matches!(self.finder.trace.outcome(&info), crate::FrameOutcome::Threw);
        self.close(step, !is_thrown);
        let Some(function) = self.function(&info) else { return };
        let how = info.caller.map(|_| self.how_entered(&info));
        self.entered_by.remove(&info.id);
        if is_recorded {
            let caller = match (self.finder.trace.is_sparse(), &how) {
                (true, None | Some(EnteredBy::NotRecorded)) => self.unrecorded_caller(&info),
                _ => None,
            };
            self.tell(step.id, Label::Exit { function, caller });
        }
        let (Some(caller), Some(EnteredBy::Call(call))) = (info.caller, how) else { return };
        let calls = self.open.entry(caller).or_default();
        match calls.iter().rposition(|open| open.event == call.id) {
            Some(at) if is_thrown => calls.truncate(at),
            Some(_) => {}
            // It was called before the birth.
            None if !is_thrown && self.finder.trace.kind(&call) == Some(SiteKind::Call) => {
                let site = call.site();
                calls.extend(site.map(|site| OpenCall { site, event: call.id, label: None, is_entered: true }));
            }
            None => {}
        }
    }

    /// The frame waits.
    fn leave(&mut self, step: &Step) {
        let Some(info) = step.frame.and_then(|frame| self.finder.trace.frame(frame)) else { return };
        if let Some(function) = self.function(&info).filter(|_| self.is_recorded(&info)) {
            self.tell(step.id, Label::Exit { function, caller: None });
        }
    }

    fn resume(&mut self, step: &Step) {
        let Some(info) = step.frame.and_then(|frame| self.finder.trace.frame(frame)) else { return };
        let Some(function) = self.function(&info).filter(|_| self.is_recorded(&info)) else { return };
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
        self.come_back_until(frame, calls.len() - n_back);
    }

    /// The calls of a frame but the first so many have come back.
    fn come_back_until(&mut self, frame: FrameId, n_open: usize) {
        let Some(calls) = self.open.get_mut(&frame) else { return };
        for call in calls.split_off(n_open).into_iter().rev() {
            self.not_entered(&call);
            // It tells of the call: what happened next may be anywhere.
            if let Some(site) = self.finder.names.site(call.site) {
                self.tell(call.event, Label::Return { site });
            }
        }
    }

    /// Nothing is open any more in the frame of a step: it is over, or something was thrown there.
    fn close(&mut self, step: &Step, is_back: bool) {
        let Some(frame) = step.frame else { return };
        if is_back {
            self.come_back_until(frame, 0);
        }
        self.open.remove(&frame);
    }

    /// A call that entered nothing that is recorded: foreign code, or what is not recorded.
    fn not_entered(&mut self, call: &OpenCall) {
        let Some(number) = self.number_of(call).filter(|_| !call.is_entered) else { return };
        let step = self.finder.trace.thread.step(call.event);
        let is_link = self.asserting.as_ref().zip(step).is_some_and(|(asserting, step)| asserting.is_link(&step));
        let found = self.finder.unentered_callee(call.site, self.is_born, is_link);
        if let Label::Call { callee, .. } = &mut self.labels[number] {
            *callee = found;
        }
    }

    /// Of the label of a call, unless that was dropped.
    fn number_of(&self, call: &OpenCall) -> Option<usize> {
        let number = call.label?.checked_sub(self.n_dropped)?;
        Some(number).filter(|number| matches!(self.labels.get(*number), Some(Label::Call { .. })))
    }

    /// Whether its function is recorded. Functions around those that are tell that they are entered, for the sake of their variables.
    fn is_recorded(&self, info: &FrameInfo) -> bool {
        self.finder.is_flow_recorded((info.unit, info.function))
    }

    /// Who called, or led to the call of, a frame whose caller is not recorded.
    fn unrecorded_caller(&self, info: &FrameInfo) -> Option<FunctionRef> {
        let below = info.caller.and_then(|caller| self.finder.trace.frame(caller));
        match below.filter(|below| !self.is_recorded(below)) {
            Some(below) => self.function(&below),
            None => self.finder.only_caller(info),
        }
    }

    fn how_entered(&mut self, info: &FrameInfo) -> EnteredBy {
        let finder = self.finder;
        self.entered_by.entry(info.id).or_insert_with(|| finder.how_entered(info)).clone()
    }

    fn function(&self, info: &FrameInfo) -> Option<FunctionRef> {
        self.finder.names.function(info.unit, info.function)
    }
}

impl<'t, 'a> Finder<'t, 'a> {
    /// What a call led to that entered nothing that is recorded. Of a link of an assertion, functions of libraries do not count.
    fn unentered_callee(&self, site: SiteId, is_born: bool, is_link: bool) -> Callee {
        if !self.trace.is_sparse() {
            return Callee::Foreign;
        }
        let Some(code) = self.trace.code(site) else { return Callee::Unknown };
        let Some(expression) = code.site_facts(site).value else { return Callee::Unknown };
        let may_be = self.candidates().of_call(&code, expression);
        let unrecorded: Vec<(SiteId, FunctionIndex)> =
            may_be.into_iter().filter(|function| !self.is_flow_recorded(*function)).collect();
        let counts = |(unit, _): &(SiteId, FunctionIndex)| !is_link || self.trace.is_own(*unit);
        let unrecorded: Vec<(SiteId, FunctionIndex)> = unrecorded.into_iter().filter(counts).collect();
        match unrecorded[..] {
            // Whatever it may be is recorded, and was not entered.
            [] => Callee::Foreign,
            [hole] => {
                // Behind the birth it is on the path, and what it calls is next: with them at once it takes fewer crashes.
                if is_born {
                    self.want(self.called_by(hole));
                }
                self.names.function(hole.0, hole.1).map_or(Callee::Unknown, Callee::Program)
            }
            _ => {
                self.want(unrecorded);
                Callee::Unknown
            }
        }
    }

    /// What a function may call, and what that may, as far as a name leads to one function alone.
    fn called_by(&self, function: (SiteId, FunctionIndex)) -> Vec<(SiteId, FunctionIndex)> {
        let mut found = vec![function];
        let mut next = 0;
        while let Some(&(unit, function)) = found.get(next).filter(|_| found.len() < MOST_CALLED) {
            next += 1;
            let Some(code) = self.trace.code(unit) else { continue };
            for call in self.trace.calls.of(&code).in_function(function) {
                let callees = self.candidates().of_callee(&code, *call);
                if let (1, Some(callee)) = (callees.len(), callees.first())
                    && !found.contains(callee)
                    && !self.is_flow_recorded(*callee)
                {
                    found.push(*callee);
                }
            }
        }
        found
    }

    /// The frame below one on the recorded stack called it; or a built-in did, or a function between them that is not recorded.
    fn how_entered(&self, frame: &FrameInfo) -> EnteredBy {
        let is_sparse = self.trace.is_sparse();
        let Some(caller) = self.trace.caller(frame) else {
            return if is_sparse { EnteredBy::NotRecorded } else { EnteredBy::BuiltIn };
        };
        let function = (frame.unit, frame.function);
        let is_callee = self.candidates().of_callee(&caller.code, caller.call).contains(&function);
        let is_given = || self.candidates().given(&caller.code, caller.call).contains(&function);
        if is_sparse && !is_callee && !is_given() {
            return EnteredBy::NotRecorded;
        }
        match caller.how {
            How::CalledBack if !is_callee => EnteredBy::BuiltIn,
            _ => EnteredBy::Call(self.trace.call_event(&caller)),
        }
    }

    /// Who called a frame whose caller is not recorded, if only one function can have.
    fn only_caller(&self, frame: &FrameInfo) -> Option<FunctionRef> {
        let callers = self.candidates().callers_of((frame.unit, frame.function));
        let unrecorded: Vec<(SiteId, FunctionIndex)> =
            callers.into_iter().filter(|function| !self.is_flow_recorded(*function)).collect();
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

/// Whether an event of this kind tells that the line was executed on which its site begins. Others are about a whole function or block.
fn stands_on_a_line(kind: SiteKind) -> bool {
    use SiteKind::*;
    !matches!(
        kind,
        Enter | Exit | Scope | This | Arguments | Param | Carry | Resume | LateResume | Finally | FinallyEnd
    )
}

/// More events are not gone through; who has so many asks about something younger.
const MOST_EVENTS: u64 = 20_000_000;
/// More would make one run dear, where a name that is one function's alone was another's after all.
const MOST_CALLED: usize = 16;
