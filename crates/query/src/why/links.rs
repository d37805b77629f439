//! Across calls: from a parameter to the argument, from a call to what its callee returned.

use trace_model::{
    Call, CallThrough, EventId, ExprId, Expression, FrameId, Key, LocalSite, Node, ObjectId, SiteKind, Span,
};
use trace_store::{FrameInfo, PropertyKey, Step, Target};

use crate::{Code, Datum, Evaluation, FrameOutcome, Trace};

/// The call expression that a frame was entered by, in the frame of its caller.
pub(crate) struct Caller<'a> {
    pub code: Code<'a>,
    /// The newest event of the caller before the frame was entered: what the call read, it read before this was over.
    pub step: Step,
    pub evaluation: Evaluation,
    pub call: ExprId,
    pub how: How,
}

/// How a call entered the frame of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum How {
    /// Its callee is the function.
    Direct,
    /// `f.call(this, …)`: the arguments follow the receiver.
    ByCall,
    /// `f.apply(this, list)`.
    ByApply,
    /// A built-in called the function back.
    CalledBack,
}

impl<'a> Trace<'a> {
    /// The call that a frame was entered by. `None` if no recorded code did it.
    pub(crate) fn caller(&self, frame: &FrameInfo) -> Option<Caller<'a>> {
        let before = self.previous_in_frame(self.caller_of(frame)?, frame.entered)?;
        let code = self.code(before.site()?)?;
        let evaluation = self.evaluation(&before);
        let open = self.open_calls(&code, &before, &evaluation);
        let is_open = |call: &&ExprId| !self.came_back(&code, frame.caller, &evaluation, **call, frame.entered);
        let direct = open.iter().filter(is_open).find(|call| self.may_call(&code, **call, frame)).copied();
        let given = open.iter().find(|call| is_given_literal(&code, **call, frame)).copied();
        let call = direct.or(given).or_else(|| open.iter().find(is_open).or(open.first()).copied())?;
        let how = match (direct, &code.expression(call).node) {
            (Some(_), _) => How::Direct,
            (None, Node::Call(parts)) => {
                match callee_name(&code, parts).and_then(|name| self.language().calls_through(name)) {
                    Some(CallThrough::Arguments) => How::ByCall,
                    Some(CallThrough::List) => How::ByApply,
                    None => How::CalledBack,
                }
            }
            _ => How::CalledBack,
        };
        Some(Caller { code, step: before, evaluation, call, how })
    }

    /// Whether a call whose result is not recorded entered a frame and came back before a moment: `a.f(1).f(2)`.
    fn came_back(
        &self,
        code: &Code,
        caller: Option<FrameId>,
        evaluation: &Evaluation,
        call: ExprId,
        before: EventId,
    ) -> bool {
        let Node::Call(parts) = &code.expression(call).node else { return false };
        let is_chained = self.calls.of(code).is_chained(call);
        let began = parts.call_site.and_then(|site| evaluation.event(site)).or_else(|| evaluation.first());
        let (true, Some(began)) = (is_chained && parts.result_site.is_none(), began) else { return false };
        let earlier = self.calls_from(caller, began).take_while(|called| called.entered < before);
        earlier.into_iter().any(|called| self.may_call(code, call, &called))
    }

    /// The innermost call of a statement that has not come back before a moment.
    pub(crate) fn open_call(&self, code: &Code, step: &Step, before: EventId) -> Option<ExprId> {
        let evaluation = self.evaluation(step);
        let open = self.open_calls(code, step, &evaluation);
        let is_open = |call: &&ExprId| !self.came_back(code, step.frame, &evaluation, **call, before);
        open.iter().find(is_open).or(open.first()).copied()
    }

    /// Calls of the statement that have not come back, innermost first.
    fn open_calls(&self, code: &Code, step: &Step, evaluation: &Evaluation) -> Vec<ExprId> {
        let Some(site) = step.site() else { return Vec::new() };
        let Some(statement) = code.site_facts(site).statement else { return Vec::new() };
        let statement = &code.facts.statements[statement as usize];
        let done = self.evaluated(code, evaluation);
        let mut calls: Vec<(bool, u32, ExprId)> = Vec::new();
        for &id in self.calls.of(code).in_function(statement.function) {
            let Expression { node: Node::Call(call), span, .. } = code.expression(id) else { continue };
            if span.start < statement.span.start || span.end > statement.span.end {
                continue;
            }
            if done.iter().any(|whole| whole.start <= span.start && span.end <= whole.end) {
                continue;
            }
            let began = call.call_site.and_then(|site| evaluation.event(site));
            let ended = call.result_site.and_then(|site| evaluation.event(site));
            if ended.is_some() && ended >= began || call.call_site.is_some() && began.is_none() {
                continue;
            }
            // A call inside a callee has no mark of its own where it has no arguments.
            calls.push((began.is_none(), span.end - span.start, id));
        }
        calls.sort_unstable();
        calls.into_iter().map(|(_, _, call)| call).collect()
    }

    /// What was evaluated to its end: the event of a write has the value of its right side.
    fn evaluated(&self, code: &Code, evaluation: &Evaluation) -> Vec<Span> {
        use SiteKind::{Branch, Put, PutComputed, Var};
        let is_done = |site: &LocalSite| {
            let kind = code.unit.code().ok().map(|file| file.sites.site(*site).kind);
            matches!(kind, Some(Branch | Put | PutComputed | Var))
        };
        let sites = evaluation.events().iter().map(|(site, _)| *site).filter(is_done);
        sites.filter_map(|site| Some(code.expression(code.facts.site(site).value?).span)).collect()
    }

    /// Whether the callee of a call can be the function of a frame, by its name in the source or by identity.
    fn may_call(&self, code: &Code, call: ExprId, frame: &FrameInfo) -> bool {
        let Node::Call(call) = &code.expression(call).node else { return false };
        let called = self.thread.code().unit(frame.unit).and_then(|unit| unit.code().ok());
        let Some(called) = called else { return false };
        let name = called.sites.name(called.sites.function(frame.function).name);
        let callee = callee_name(code, call);
        if let Some(callee) = callee
            && (callee == name || name.is_empty() && self.is_assigned_to(frame, callee))
        {
            return true;
        }
        let scene = crate::Scene { before: frame.entered, frame: frame.caller, unit: code.base(), within: None };
        match self.value_in(code, scene, &Evaluation::default(), call.callee) {
            Ok(Datum::Object(object)) => match self.function_of(object) {
                Some(function) => function == (frame.unit, frame.function),
                None => false,
            },
            // `(function () {…})()`
            _ => name.is_empty() && callee.is_none(),
        }
    }

    /// Whether a function that has no name of its own is written to a property of this name: `exports.f = function () {…}`.
    fn is_assigned_to(&self, frame: &FrameInfo, name: &str) -> bool {
        self.code(frame.unit).is_some_and(|code| self.calls.of(&code).is_assigned_to(frame.function, name))
    }

    /// The frame that a call entered, in the evaluation that led to an event.
    pub(crate) fn callee_frame(
        &self,
        code: &Code,
        frame: FrameId,
        evaluation: &Evaluation,
        call: ExprId,
        before: EventId,
    ) -> Option<FrameInfo> {
        let Node::Call(parts) = &code.expression(call).node else { return None };
        let began = parts.call_site.and_then(|site| evaluation.event(site)).or_else(|| evaluation.first())?;
        let ended = parts.result_site.and_then(|site| evaluation.event(site)).unwrap_or(before);
        let mut found = None;
        for called in self.calls_from(Some(frame), began).take_while(|called| called.entered < ended) {
            if self.may_call(code, call, &called) {
                found = Some(called);
            }
        }
        found
    }

    /// What a call gave whose result was not recorded where it was made: what its callee returned.
    pub(crate) fn given_by(
        &self,
        code: &Code,
        scene: crate::Scene,
        evaluation: &Evaluation,
        call: ExprId,
    ) -> Option<Datum> {
        let callee = self.callee_frame(code, scene.frame?, evaluation, call, scene.before)?;
        self.step_value(&self.given(&callee)?)
    }

    /// What a conversion of an object gave that an operator asked for: it is a call that no text shows.
    pub(crate) fn converted(&self, scene: crate::Scene, evaluation: &Evaluation, object: ObjectId) -> Option<Step> {
        let before = self.previous_in_frame(scene.frame?, scene.before).map(|step| step.id);
        let from = evaluation.first().filter(|first| *first < scene.before).min(before).or(before)?;
        let calls = self.calls_from(scene.frame, from).take_while(|called| called.entered < scene.before);
        let is_it = |called: &FrameInfo| {
            let this = self.this(called.frame).and_then(|(this, _)| this.object());
            this == Some(object) && self.caller_is_read(called)
        };
        self.given(&calls.take(MOST_CONVERSIONS).filter(is_it).last()?)
    }

    /// The assignment that entered a setter or the trap of a proxy, which took what a parameter was given.
    pub(crate) fn assignment_into(&self, frame: &FrameInfo, entry: &Step) -> Option<Step> {
        self.assignment_of(frame).filter(|write| self.written_value(write) == self.step_value(entry))
    }

    /// The assignment that entered a setter: it is told when it is done.
    pub(super) fn assignment_of(&self, frame: &FrameInfo) -> Option<Step> {
        let write = self.next(&Target::InFrame(self.caller_of(frame)?), frame.left?)?;
        is_put(self.kind(&write)?).then_some(write)
    }

    pub(super) fn is_setter(&self, frame: &FrameInfo) -> bool {
        let code = self.thread.code().unit(frame.unit).and_then(|unit| unit.code().ok());
        code.is_some_and(|code| code.sites.function(frame.function).kind == trace_model::FunctionKind::Setter)
    }

    /// What the getter of a property returned that was read in an evaluation: getters are calls that no text shows.
    pub(crate) fn getter_return(
        &self,
        scene: crate::Scene,
        evaluation: &Evaluation,
        (object, key): (Option<ObjectId>, &Key),
        moment: EventId,
    ) -> Option<Step> {
        let Key::Name(name) = key else { return None };
        // The getter ran between the event before the read and the one behind it.
        let before = self.previous_in_frame(scene.frame?, moment).map(|step| step.id);
        let from = evaluation.first().filter(|first| *first < moment).min(before).or(before)?;
        // One that is known by its name, else one that may be it.
        let (mut named, mut likely) = (None, None);
        for called in self.calls_from(scene.frame, from).take_while(|called| called.entered < moment) {
            let Some(code) = self.thread.code().unit(called.unit).and_then(|unit| unit.code().ok()) else { continue };
            let function = code.sites.function(called.function);
            // It has the name of the getter, and gives nothing.
            if function.kind == trace_model::FunctionKind::Setter {
                continue;
            }
            let is_getter = function.kind == trace_model::FunctionKind::Getter || self.caller_is_read(&called);
            // Of those that `defineProperty` was given the name says nothing.
            let is_its = || self.is_accessor(object, name, moment) && self.may_be_getter(&called, object);
            if is_getter && code.sites.name(function.name) == name.as_str() {
                named = Some(called);
            } else if named.is_none() && is_its() {
                likely = Some(called);
            }
        }
        self.given(&named.or(likely)?)
    }

    /// Whether nothing that is written in the caller entered a frame: neither is its function called there by name, nor handed out.
    fn may_be_getter(&self, frame: &FrameInfo, object: Option<ObjectId>) -> bool {
        let this = self.this(frame.frame).and_then(|(this, _)| this.object());
        let step = self.caller_of(frame).and_then(|caller| self.previous_in_frame(caller, frame.entered));
        let Some(step) = step.filter(|_| this.is_none() || this == object) else { return false };
        let Some(code) = step.site().and_then(|site| self.code(site)) else { return false };
        let open = self.open_calls(&code, &step, &self.evaluation(&step));
        let scene = crate::Scene { before: frame.entered, frame: frame.caller, unit: code.base(), within: None };
        let is_it = |argument: &ExprId| {
            let value = self.value_in(&code, scene, &Evaluation::default(), *argument).ok();
            let function = value.and_then(|value| value.object()).and_then(|object| self.function_of(object));
            function == Some((frame.unit, frame.function))
        };
        open.iter().all(|call| {
            let Node::Call(parts) = &code.expression(*call).node else { return true };
            !self.may_call(&code, *call, frame)
                && !is_given_literal(&code, *call, frame)
                && !parts.arguments.iter().any(is_it)
        })
    }

    /// Whether an assignment to a property was taken by its setter.
    pub(super) fn is_given_to_setter(&self, code: &Code, write: &Step) -> bool {
        use SiteKind::{Put, PutDecrement, PutIncrement};
        let target = write.site().and_then(|site| code.site_facts(site).target);
        let Some(Node::Member { key: Key::Name(name), .. }) = target.map(|target| &code.expression(target).node) else {
            return false;
        };
        matches!(self.kind(write), Some(Put | PutIncrement | PutDecrement))
            && self.is_accessor(self.changed_object(write), name, write.id)
    }

    fn is_accessor(&self, object: Option<ObjectId>, name: &str, before: EventId) -> bool {
        let property = object.map(|object| self.property(object, &PropertyKey::Name(name.into()), before));
        matches!(property.map(|property| property.value()), Some(Datum::Accessor))
    }

    /// Whether a frame was entered while its caller had no call open that may have entered it: by reading or writing a property.
    fn caller_is_read(&self, frame: &FrameInfo) -> bool {
        let step = self.caller_of(frame).and_then(|caller| self.previous_in_frame(caller, frame.entered));
        let Some(step) = step else { return false };
        let Some(code) = step.site().and_then(|site| self.code(site)) else { return false };
        let open = self.open_calls(&code, &step, &self.evaluation(&step));
        let scene = crate::Scene { before: frame.entered, frame: frame.caller, unit: code.base(), within: None };
        open.iter().all(|call| {
            let Node::Call(parts) = &code.expression(*call).node else { return true };
            // What is recorded enters nothing in its caller's place.
            let callee = self.value_in(&code, scene, &Evaluation::default(), parts.callee).ok();
            let is_recorded =
                callee.and_then(|callee| callee.object()).is_some_and(|it| self.function_of(it).is_some());
            is_recorded && !self.may_call(&code, *call, frame)
        })
    }

    /// The event that tells what a frame gave: its `return`.
    pub(crate) fn given(&self, frame: &FrameInfo) -> Option<Step> {
        match self.outcome(frame) {
            FrameOutcome::Returned(_) => self.return_of(frame),
            _ => None,
        }
    }

    /// The frame whose exit an `await` waited for: the newest that returned before the resumption, of the awaited call.
    pub(crate) fn awaited_frame(
        &self,
        code: &Code,
        frame: FrameId,
        evaluation: &Evaluation,
        operand: ExprId,
        resumed: EventId,
    ) -> Option<FrameInfo> {
        let Node::Call(_) = &code.expression(operand).node else { return None };
        self.callee_frame(code, frame, evaluation, operand, resumed)
    }

    /// The statement-level call event of a frame, to show it at its line.
    pub(crate) fn call_event(&self, caller: &Caller) -> Step {
        let Node::Call(call) = &caller.code.expression(caller.call).node else { return caller.step.clone() };
        let event = call.call_site.and_then(|site| caller.evaluation.event(site));
        event.and_then(|event| self.thread.step(event)).unwrap_or_else(|| caller.step.clone())
    }

    /// The newest call of a frame that is still open: the built-in that an effect belongs to.
    pub(crate) fn effect_call(&self, effect: &Step) -> Option<(Code<'a>, Step, ExprId)> {
        let step = self.previous_in_frame(effect.frame?, effect.id)?;
        let code = self.code(step.site()?)?;
        let call = self.open_call(&code, &step, effect.id);
        let call = call.or_else(|| code.site_facts(step.site()?).value)?;
        (self.kind(&step) != Some(SiteKind::Enter)).then_some((code, step, call))
    }
}

pub(super) fn is_put(kind: SiteKind) -> bool {
    use SiteKind::{Put, PutComputed, PutComputedDecrement, PutComputedIncrement, PutDecrement, PutIncrement};
    matches!(kind, Put | PutComputed | PutIncrement | PutDecrement | PutComputedIncrement | PutComputedDecrement)
}

const MOST_CONVERSIONS: usize = 256;

pub(crate) fn callee_name<'t>(code: &'t Code, call: &Call) -> Option<&'t str> {
    let mut callee = call.callee;
    // `(0, module.f)()`, as compilers write it.
    while let Node::Sequence(parts) = &code.expression(callee).node {
        callee = *parts.last()?;
    }
    match &code.expression(callee).node {
        Node::Variable(_) => Some(code.text(callee)),
        Node::Member { key: Key::Name(name), .. } => Some(name.as_str()),
        _ => None,
    }
}

/// Whether the function of a frame is written among the arguments of a call.
fn is_given_literal(code: &Code, call: ExprId, frame: &FrameInfo) -> bool {
    let Node::Call(call) = &code.expression(call).node else { return false };
    let is_it = |argument: &ExprId| matches!(code.expression(*argument).node, Node::Function(function) if function == frame.function);
    code.base() == frame.unit && call.arguments.iter().any(is_it)
}
