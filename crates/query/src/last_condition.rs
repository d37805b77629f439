//! Why did control get here: the branch that decided it, by control dependence, with the trace resolving which time it was.

use trace_model::{
    Dependence, Event, EventId, ExprId, FrameId, LogicalOperator, Node, ObjectId, Record, SiteId, SiteKind, Value, Way,
};
use trace_store::{FrameInfo, Step, Target};

use crate::evaluate::Evaluation;
use crate::thrown::Thrown;
use crate::{Code, Datum, Trace};

#[derive(Clone, Debug)]
pub enum LastCondition {
    /// A branch of the same frame went the way that leads here.
    Condition { step: Step, value: Option<Datum>, reads: Vec<Reading> },
    /// The frame itself decided nothing: it was called here.
    CallSite { step: Step },
    /// An exception led into this handler; where it was thrown.
    Throw { catch: Step, thrown: Thrown },
    /// The frame waited at an `await` or `yield`, and was resumed.
    Resumed { step: Step, suspended: Option<Step> },
    /// The frame was entered by the event loop or by code that is not recorded; where its function was handed out, if known.
    Start { entered: Option<Step>, registered: Option<Step> },
}

/// Something that a condition read.
#[derive(Clone, Debug)]
pub struct Reading {
    pub expression: ExprId,
    pub text: String,
    pub value: Datum,
}

/// The decision that led to an event.
pub fn last_condition(trace: &Trace, at: &Step) -> LastCondition {
    rests_on_function_of(trace, at);
    let Some(frame) = at.frame else { return LastCondition::Start { entered: None, registered: None } };
    // What the runtime itself records belongs to the newest event of the program.
    let anchor = match at.site() {
        Some(_) => Some(at.clone()),
        None => trace.previous_in_frame(frame, at.id),
    };
    let decided = anchor.as_ref().and_then(|anchor| decision(trace, anchor, frame));
    let decided = match (decided, anchor.as_ref().and_then(|anchor| handler(trace, anchor, frame))) {
        (Some(branch), Some(catch)) if branch.id > catch.id => Some(branch),
        (decided, catch) => catch.or(decided),
    };
    let resumed = trace.last_of_kinds(frame, &[SiteKind::Resume, SiteKind::LateResume], at.id);
    let rejected = rejection(trace, frame, at.id);
    let resumed =
        if rejected.as_ref().map(|step| step.id) > resumed.as_ref().map(|step| step.id) { rejected } else { resumed };
    match (decided, resumed) {
        // That the function waited in between decided nothing.
        (Some(branch), _) => condition(trace, branch),
        (None, Some(resumed)) => resumption(trace, frame, resumed),
        (None, None) => entry(trace, frame),
    }
}

/// What decides is somewhere in the function, and what it read is known from the whole of it; where nothing in it decides, its
/// caller does. Said at once, so that the program need not run again for each part of the answer.
fn rests_on_function_of(trace: &Trace, at: &Step) {
    let Some(site) = at.site().filter(|_| trace.is_sparse()) else { return };
    trace.rests_on_function(site);
    let decides = trace.code(site).is_some_and(|code| !code.site_facts(site).depends_on.is_empty());
    if !decides {
        trace.rests_on_frames();
    }
}

/// The decision that led to where the engine threw: behind the newest event of its frame.
pub fn last_condition_of_throw(trace: &Trace, thrown: &Thrown, message: &str) -> LastCondition {
    if thrown.is_explicit {
        return last_condition(trace, &thrown.step);
    }
    let decided = trace.failing_statement(thrown, message).and_then(|(code, statement)| {
        let depends_on = &code.facts.statements[statement as usize].depends_on;
        newest_decision(trace, &code, depends_on, thrown.frame, thrown.before)
    });
    match decided {
        Some(branch) => condition(trace, branch),
        None => last_condition(trace, &thrown.step),
    }
}

/// The newest event of a branch that the anchor depends on, which went the way that leads there.
fn decision(trace: &Trace, anchor: &Step, frame: FrameId) -> Option<Step> {
    let code = trace.code(anchor.site()?)?;
    let depends_on = &code.site_facts(anchor.site()?).depends_on;
    newest_decision(trace, &code, depends_on, frame, anchor.id)
}

/// A `catch` that an `await` led into: the frame was resumed by it.
fn rejection(trace: &Trace, frame: FrameId, before: EventId) -> Option<Step> {
    let catch = trace.last_of_kinds(frame, &[SiteKind::Catch], before)?;
    let waited = trace.previous_in_frame(frame, catch.id)?;
    (trace.kind(&waited) == Some(SiteKind::Suspend)).then_some(catch)
}

/// The `catch` around an event: where the tried block always throws, no branch leads there.
fn handler(trace: &Trace, anchor: &Step, frame: FrameId) -> Option<Step> {
    let catch = trace.last_of_kinds(frame, &[SiteKind::Catch], anchor.id)?;
    trace.holds(&catch, anchor).then_some(catch)
}

fn newest_decision(
    trace: &Trace,
    code: &Code,
    depends_on: &[Dependence],
    frame: FrameId,
    before: EventId,
) -> Option<Step> {
    let mut sites: Vec<SiteId> = depends_on.iter().map(|dependence| code.global(dependence.branch)).collect();
    sites.sort_unstable();
    sites.dedup();
    if sites.is_empty() {
        return None;
    }
    let mut before = before;
    while let Some(step) = trace.last(&Target::SitesInFrame(frame, &sites), before) {
        let local = code.local(step.site()?);
        let goes = |way: Way| match way {
            Way::Any => true,
            Way::True => trace.truth(&step) != Some(false),
            Way::False => trace.truth(&step) != Some(true),
        };
        if depends_on.iter().any(|dependence| dependence.branch == local && goes(dependence.way)) {
            return Some(step);
        }
        before = step.id;
    }
    None
}

fn condition(trace: &Trace, step: Step) -> LastCondition {
    if trace.kind(&step) == Some(SiteKind::Catch) {
        // What an `await` rethrows was thrown elsewhere, and earlier.
        let error = trace.step_value(&step);
        let thrown = error.and_then(|error| trace.origin_of(&error, step.id)).or_else(|| trace.thrown_before(&step));
        return match thrown {
            Some(thrown) => LastCondition::Throw { catch: step, thrown },
            // What was awaited was rejected by code that is not recorded.
            None => {
                let suspended = step.frame.and_then(|frame| trace.last_of_kinds(frame, &[SiteKind::Suspend], step.id));
                LastCondition::Resumed { step, suspended }
            }
        };
    }
    let reads = trace.readings(&step);
    let value = match trace.kind(&step) {
        // `??` and `?.` ask whether there is a value, which is all that their events tell.
        Some(SiteKind::Nullish) => {
            let asked = trace.expression_of(&step);
            reads.iter().find(|read| Some(read.expression) == asked).map(|read| read.value.clone())
        }
        _ => trace.step_value(&step),
    };
    LastCondition::Condition { step, value, reads }
}

fn resumption(trace: &Trace, frame: FrameId, step: Step) -> LastCondition {
    let suspended = trace.last_of_kinds(frame, &[SiteKind::Suspend], step.id);
    LastCondition::Resumed { step, suspended }
}

fn entry(trace: &Trace, frame: FrameId) -> LastCondition {
    match trace.call_of(frame) {
        Some(step) => LastCondition::CallSite { step },
        None => {
            let entered = trace.frame(frame).and_then(|frame| trace.thread.step(frame.entered));
            LastCondition::Start { registered: trace.registration(frame), entered }
        }
    }
}

impl Trace<'_> {
    pub fn last_of_kinds(&self, frame: FrameId, kinds: &[SiteKind], before: EventId) -> Option<Step> {
        let info = self.frame(frame)?;
        let sites = self.sites_of_function(info.unit, info.function, |kind| kinds.contains(&kind));
        if sites.is_empty() {
            return None;
        }
        self.last(&Target::SitesInFrame(frame, &sites), before)
    }

    /// The call in the caller's frame that a frame was entered by, directly or through a built-in.
    pub fn call_of(&self, frame: FrameId) -> Option<Step> {
        let info = self.frame(frame)?;
        match self.caller(&info) {
            Some(caller) => Some(self.call_event(&caller)),
            // A getter, a setter or a conversion: what was being evaluated.
            None => self.evaluated_around(self.caller_of(&info)?, &info),
        }
    }

    /// What a frame was evaluating when it ran code without calling it. A call that was begun may still be open; all else is done when
    /// it is told, so it was on the way to the next event.
    fn evaluated_around(&self, caller: FrameId, called: &FrameInfo) -> Option<Step> {
        let before = self.previous_in_frame(caller, called.entered)?;
        if self.kind(&before) == Some(SiteKind::Call) {
            return Some(before);
        }
        let next = self.next(&Target::InFrame(caller), called.entered);
        let is_way_out = |step: &Step| matches!(self.kind(step), None | Some(SiteKind::Exit | SiteKind::Catch));
        next.filter(|next| !is_way_out(next)).or(Some(before))
    }

    /// The event of the program that something the runtime recorded belongs to: the call of a built-in that is still open.
    pub fn belongs_to(&self, step: &Step) -> Option<Step> {
        if step.site().is_some() {
            return Some(step.clone());
        }
        // A function that told nothing of itself may have made the call.
        self.rests_on_frames();
        if let Some(call) = self.call_that_gave(step) {
            return Some(call);
        }
        let Some(frame) = step.frame else { return self.handed_to(step) };
        let newest = self.previous_in_frame(frame, step.id)?;
        let Some(code) = self.code(newest.site()?) else { return Some(newest) };
        let event = self.open_call(&code, &newest, step.id).and_then(|call| match &code.expression(call).node {
            Node::Call(call) => self.evaluation(&newest).event(call.call_site?),
            _ => None,
        });
        event.and_then(|event| self.thread.step(event)).or(Some(newest))
    }

    /// The call whose result was looked at, where what was done with it next tells.
    fn call_that_gave(&self, look: &Step) -> Option<Step> {
        let Event::Record(Record::Look { object, .. }) = &look.event else { return None };
        let used = self.use_of_seen(look, *object)?;
        let code = self.code(used.site()?)?;
        match &code.expression(code.site_facts(used.site()?).value?).node {
            Node::Call(call) => self.thread.step(self.evaluation(&used).event(call.call_site?)?),
            _ => None,
        }
    }

    /// The event of the program for whose sake an object was looked at: the next one, if the object is its value.
    pub(crate) fn use_of_seen(&self, look: &Step, object: ObjectId) -> Option<Step> {
        let mut behind = self.thread.steps_from(EventId(look.id.0 + 1)).take(MOST_LOOKS);
        let used = behind.find(|step| step.site().is_some()).filter(|step| step.frame == look.frame)?;
        let value = if let Event::Site { value, .. } = &used.event { *value } else { None };
        (value.and_then(Value::object) == Some(object)).then_some(used)
    }

    /// The way a branch went.
    pub fn truth(&self, step: &Step) -> Option<bool> {
        self.truth_of(&self.step_value(step)?)
    }

    fn expression_of(&self, step: &Step) -> Option<ExprId> {
        self.code(step.site()?)?.site_facts(step.site()?).value
    }

    /// What the expression of an event read, with the values it found.
    pub fn readings(&self, step: &Step) -> Vec<Reading> {
        self.readings_of(step).unwrap_or_default()
    }

    fn readings_of(&self, step: &Step) -> Option<Vec<Reading>> {
        let root = self.expression_of(step)?;
        self.readings_in(step, root)
    }

    /// What a part of the expression of an event read.
    pub(crate) fn readings_in(&self, step: &Step, part: ExprId) -> Option<Vec<Reading>> {
        let code = self.code(step.site()?)?;
        let scene = self.scene(step)?;
        let evaluation = self.evaluation(step);
        let mut readings: Vec<Reading> = Vec::new();
        for expression in self.evaluated_leaves(&code, scene, &evaluation, part) {
            let named = match code.expression(expression).node {
                Node::Assign { target, .. } => target,
                _ => expression,
            };
            let text = code.words(named).into_owned();
            if readings.iter().any(|known| known.text == text) {
                continue;
            }
            if let Ok(value) = self.value_in(&code, scene, &evaluation, expression) {
                readings.push(Reading { expression, text, value });
            }
        }
        Some(readings)
    }

    /// As [`leaves`], without what a short circuit left out.
    pub(crate) fn evaluated_leaves(
        &self,
        code: &Code,
        scene: crate::Scene,
        evaluation: &Evaluation,
        root: ExprId,
    ) -> Vec<ExprId> {
        let truth = |id| self.value_in(code, scene, evaluation, id).ok();
        let inner = |id| self.evaluated_leaves(code, scene, evaluation, id);
        match &code.expression(root).node {
            Node::Logical { operator, left, right, .. } => {
                let value = truth(*left);
                let takes_right = match (operator, value) {
                    (_, None) => true,
                    (LogicalOperator::And, Some(value)) => self.truth_of(&value) != Some(false),
                    (LogicalOperator::Or, Some(value)) => self.truth_of(&value) != Some(true),
                    (LogicalOperator::IfNothing, Some(value)) => value.is_nullish(),
                };
                let mut found = inner(*left);
                if takes_right {
                    found.extend(inner(*right));
                }
                found
            }
            Node::Conditional { test, then, otherwise, .. } => {
                let mut found = inner(*test);
                match truth(*test).and_then(|test| self.truth_of(&test)) {
                    Some(true) => found.extend(inner(*then)),
                    Some(false) => found.extend(inner(*otherwise)),
                    None => {}
                }
                found
            }
            Node::Default { value, default, .. } => match truth(*value) {
                Some(Datum::Undefined) => inner(*default),
                Some(_) => inner(*value),
                None => leaves(code, root),
            },
            // What is compared is what was assigned, not what the target held before.
            Node::Assign { is_old_value: false, .. } => vec![root],
            Node::Unary { operand, .. } => inner(*operand),
            Node::Binary { left, right, .. } => {
                let mut found = inner(*left);
                found.extend(inner(*right));
                found
            }
            _ => leaves(code, root),
        }
    }

    /// Where a function that the event loop called was handed out: the call that its birth, or a recorded argument that is this
    /// function, belongs to. If it was handed out several times since it was last entered, it is not known which one it was.
    pub fn registration(&self, frame: FrameId) -> Option<Step> {
        let info = self.frame(frame)?;
        let (mut newest, mut second): (Option<Step>, Option<EventId>) = (None, None);
        for function in self.function_objects(&info) {
            let mentions = self.each_before(&Target::Mentions(function), info.entered);
            let handed = mentions.filter(|step| self.hands_out(step)).take(2);
            for step in handed {
                let is_newest = newest.as_ref().is_none_or(|newest| newest.id < step.id);
                let other = if is_newest { newest.replace(step) } else { Some(step) };
                let is_argument = |step: &Step| self.kind(step) == Some(SiteKind::Argument);
                second = second.max(other.filter(is_argument).map(|step| step.id));
            }
        }
        let handed = newest?;
        if let Some(second) = second {
            let entered = self.entered_before(&info)?;
            if !(second < entered && entered < handed.id) {
                return None;
            }
        }
        self.call_around(&handed)
    }

    /// The call that something is an argument of, which was marked before.
    pub(crate) fn call_around(&self, handed: &Step) -> Option<Step> {
        let call = self.last_of_kinds(handed.frame?, &[SiteKind::Call], handed.id);
        call.filter(|call| self.holds(call, handed)).or_else(|| Some(handed.clone()))
    }

    fn hands_out(&self, step: &Step) -> bool {
        matches!(self.kind(step), Some(SiteKind::FunctionBirth | SiteKind::Argument))
    }

    /// When the function of a frame was entered the time before.
    fn entered_before(&self, frame: &FrameInfo) -> Option<EventId> {
        let entries = self.sites_of_function(frame.unit, frame.function, |kind| kind == SiteKind::Enter);
        Some(self.last(&Target::Sites(&entries), frame.entered)?.id)
    }

    /// Whether the text of one event's site lies inside that of another's.
    fn holds(&self, outer: &Step, inner: &Step) -> bool {
        let span = |step: &Step| step.site().and_then(|site| self.site(site)).map(|site| site.site.span);
        match (span(outer), span(inner)) {
            (Some(outer), Some(inner)) => outer.start <= inner.start && inner.end <= outer.end,
            _ => false,
        }
    }

    /// The value of an expression as a reading, or nothing.
    pub fn reading(&self, code: &Code, step: &Step, evaluation: &Evaluation, id: ExprId) -> Option<Datum> {
        self.value_in(code, self.scene(step)?, evaluation, id).ok()
    }

    pub fn event_value_is(&self, step: &Step, wanted: &Datum) -> bool {
        matches!(&step.event, Event::Site { .. }) && self.step_value(step).as_ref() == Some(wanted)
    }
}

/// An object is looked at together with those that it holds.
const MOST_LOOKS: usize = 1000;

/// The parts of an expression that read something: variables, members (whole), results of calls.
pub(crate) fn leaves(code: &Code, root: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        match &code.expression(id).node {
            Node::Literal(_) | Node::Function(_) | Node::Arrow { .. } => {}
            Node::Variable(_) | Node::This | Node::Arguments | Node::Member { .. } | Node::Call(_) => found.push(id),
            Node::Unary { operand, .. } => open.push(*operand),
            Node::Binary { left, right, .. } | Node::Logical { left, right, .. } => open.extend([*right, *left]),
            Node::Conditional { test, then, otherwise, .. } => open.extend([*otherwise, *then, *test]),
            Node::Default { value, default, .. } => open.extend([*default, *value]),
            Node::Assign { target, .. } => open.push(*target),
            Node::Template { values, .. } => open.extend(values.iter().rev()),
            Node::Sequence(parts) => open.extend(parts.last()),
            Node::Await { operand, .. } | Node::Spread(operand) => open.push(*operand),
            Node::Yield { operand, .. } => open.extend(*operand),
            Node::Element { of, .. } | Node::Remainder { of } => open.push(*of),
            Node::Object { entries, spreads } => {
                open.extend(spreads.iter().rev());
                open.extend(entries.iter().rev().map(|(_, value)| *value));
            }
            Node::Array { elements, .. } => open.extend(elements.iter().rev().flatten()),
            Node::Parameter { .. } => {}
            Node::Other(parts) => open.extend(parts.iter().rev()),
        }
    }
    found
}
