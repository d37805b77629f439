//! What a recording tells the finder.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use trace_model::{
    CodeFacts, CodeIndex, Dependence, Event, EventId, ExprId, FrameId, LocalSite, Node, ObjectId, ProgramFacts,
    ProgramFunction, SiteId, SiteKind, Span,
};
use trace_store::{FrameInfo, Step, Target};

use super::{About, Changes, Decisions, Ending, Execution, History, MOST_TIMES, Moment, Performed};
use crate::calls::Outcome;
use crate::{Code, Trace};

/// A recording, asked about one thing.
pub struct Recorded<'t> {
    pub(super) trace: &'t Trace<'t>,
    about: About,
    program: &'t ProgramFacts,
    /// By [`CodeIndex`]: the first site of the code in this process.
    units: &'t [SiteId],
    pub(super) functions: HashMap<(SiteId, u32), ProgramFunction>,
    /// From when on the object was there, and until when things could have been done to it.
    pub(super) from: EventId,
    pub(super) before: EventId,
    /// While names stood for the object.
    at_hand: HashMap<ProgramFunction, Vec<Execution>>,
    on_this: Tally,
    on_siblings: Tally,
    n_siblings: u64,
    places: RefCell<HashMap<CodeIndex, Option<Arc<Places>>>>,
}

/// How often events of sites concerned an object.
type Tally = HashMap<SiteId, u64>;

/// The code of one file, by where it stands.
struct Places {
    facts: Arc<CodeFacts>,
    by_span: HashMap<Span, Vec<ExprId>>,
}

impl<'t> Recorded<'t> {
    /// What happened until an event; of an object, since it was born.
    pub fn new(
        trace: &'t Trace<'t>,
        program: &'t ProgramFacts,
        units: &'t [SiteId],
        about: About,
        before: EventId,
    ) -> Recorded<'t> {
        let object = about.object();
        let functions = program.functions.iter().enumerate().filter_map(|(number, function)| {
            let unit = units.get(function.code.0 as usize)?;
            Some(((*unit, function.function.0), ProgramFunction(number as u32)))
        });
        let birth = object.and_then(|object| trace.birth(object));
        let mut recorded = Recorded {
            trace,
            about,
            program,
            units,
            functions: functions.collect(),
            from: birth.as_ref().map_or(trace.thread.first_event(), |birth| birth.id),
            before,
            at_hand: HashMap::new(),
            on_this: Tally::new(),
            on_siblings: Tally::new(),
            n_siblings: 0,
            places: RefCell::default(),
        };
        if let Some(object) = object {
            recorded.find_at_hand(object);
            recorded.on_this = recorded.tally(object);
            let siblings = birth.map(|birth| recorded.siblings(object, &birth)).unwrap_or_default();
            recorded.n_siblings = siblings.len() as u64;
            for sibling in siblings {
                for (site, n) in recorded.tally(sibling) {
                    *recorded.on_siblings.entry(site).or_default() += n;
                }
            }
        }
        recorded
    }

    fn unit(&self, function: ProgramFunction) -> Option<SiteId> {
        let code = self.program.functions.get(function.0 as usize)?.code;
        self.units.get(code.0 as usize).copied()
    }

    fn code(&self, function: ProgramFunction) -> Option<Code<'t>> {
        self.trace.code(self.unit(function)?)
    }

    fn function_of(&self, frame: &FrameInfo) -> Option<ProgramFunction> {
        self.functions.get(&(frame.unit, frame.function.0)).copied()
    }

    fn places(&self, code: CodeIndex) -> Option<Arc<Places>> {
        let mut known = self.places.borrow_mut();
        let places = known.entry(code).or_insert_with(|| {
            let facts = self.trace.code(*self.units.get(code.0 as usize)?)?.facts;
            let mut by_span: HashMap<Span, Vec<ExprId>> = HashMap::new();
            for (number, expression) in facts.expressions.iter().enumerate() {
                by_span.entry(expression.span).or_default().push(ExprId(number as u32));
            }
            Some(Arc::new(Places { facts, by_span }))
        });
        places.clone()
    }

    /// The sites of which one has an event whenever the code in a place is executed.
    fn sites(&self, function: ProgramFunction, span: Span) -> Vec<LocalSite> {
        let Some(code) = self.program.functions.get(function.0 as usize).map(|function| function.code) else {
            return Vec::new();
        };
        let Some(places) = self.places(code) else { return Vec::new() };
        let expressions = places.by_span.get(&span).into_iter().flatten();
        let told = expressions.filter_map(|id| {
            let expression = places.facts.expression(*id);
            match &expression.node {
                Node::Call(call) => call.call_site.or(call.result_site),
                Node::Assign { site, .. } => *site,
                _ => expression.value_site,
            }
        });
        let mut sites: Vec<LocalSite> = told.collect();
        if sites.is_empty() {
            sites.extend(self.sites_at(function, span));
        }
        sites.sort_unstable();
        sites.dedup();
        sites
    }

    /// Sites that stand in a place themselves: fields, parts of literals; of a whole statement the first that it executes.
    fn sites_at(&self, function: ProgramFunction, span: Span) -> Option<LocalSite> {
        let code = self.code(function)?;
        let table = &code.unit.code().ok()?.sites;
        let is_event = |kind| !matches!(kind, SiteKind::Function | SiteKind::Class);
        let exact = table.sites.iter().position(|site| site.span == span && is_event(site.kind));
        let of_statement = || {
            let statement = code.facts.statements.iter().find(|statement| statement.span == span)?;
            statement.sites.first().copied()
        };
        exact.map(|number| LocalSite(number as u32)).or_else(of_statement)
    }

    fn global(&self, function: ProgramFunction, sites: &[LocalSite]) -> Vec<SiteId> {
        let Some(code) = self.code(function) else { return Vec::new() };
        sites.iter().map(|site| code.global(*site)).collect()
    }

    /// At most so many of the newest events of some sites in an execution.
    fn newest(&self, execution: &Execution, sites: &[SiteId], most: usize) -> Vec<Step> {
        let is_within = |step: &Step| execution.after.is_none_or(|after| step.id > after);
        let target = Target::SitesInFrame(execution.frame, sites);
        self.trace.each_before(&target, execution.before).take_while(is_within).take(most).collect()
    }

    /// The parts of executions in which a name stood for the object.
    fn find_at_hand(&mut self, object: ObjectId) {
        let mut at = self.from;
        for _ in 0..MOST_BINDINGS {
            let Some(step) = self.trace.next(&Target::Mentions(object), at).filter(|step| step.id < self.before) else {
                break;
            };
            at = EventId(step.id.0 + 1);
            if let Some((function, execution)) = self.binding(&step, object) {
                let executions = self.at_hand.entry(function).or_default();
                if !executions.contains(&execution) {
                    executions.push(execution);
                }
            }
        }
        // The newest first.
        self.at_hand.values_mut().for_each(|executions| executions.reverse());
    }

    /// The time that the name lasted that an event gave the object.
    fn binding(&self, step: &Step, object: ObjectId) -> Option<(ProgramFunction, Execution)> {
        let site = self.trace.site(step.site()?)?;
        let is_value = self.trace.step_value(step).and_then(|value| value.object()) == Some(object);
        let frame = self.trace.frame(step.frame?)?;
        let is_this = site.site.kind == SiteKind::This;
        if !is_value || !(is_this || site.site.variable.is_some()) {
            return None;
        }
        let renamed = site.site.variable.filter(|_| !is_this).and_then(|variable| {
            let sites = site.code.sites.sites.iter().enumerate().filter(|(_, other)| other.variable == Some(variable));
            let sites: Vec<SiteId> = sites.map(|(number, _)| site.unit.site(LocalSite(number as u32))).collect();
            self.trace.next(&Target::SitesInFrame(frame.id, &sites), EventId(step.id.0 + 1)).map(|step| step.id)
        });
        let until = [renamed, frame.left, Some(self.before)].into_iter().flatten().min()?;
        let execution = Execution { frame: frame.id, after: Some(step.id), before: until, has_object: true };
        Some((self.function_of(&frame)?, execution))
    }

    /// Other objects that were born in the same place.
    fn siblings(&self, object: ObjectId, birth: &Step) -> Vec<ObjectId> {
        let Some(site) = birth.site() else { return Vec::new() };
        let sites = [site];
        let births = self.trace.each_before(&Target::Sites(&sites), self.before);
        let objects = births.take(MOST_SIBLINGS + 1).filter_map(|step| self.trace.step_value(&step)?.object());
        objects.filter(|sibling| *sibling != object).collect()
    }

    fn tally(&self, object: ObjectId) -> Tally {
        let mut tally = Tally::new();
        for step in self.trace.each_before(&Target::Object(object), self.before).take(MOST_TALLIED) {
            let site = match step.event {
                Event::Site { site, .. } => Some(site),
                // What a built-in did belongs to the call of it.
                Event::Record(_) => self.trace.belongs_to(&step).and_then(|step| step.site()),
            };
            if let Some(site) = site {
                *tally.entry(site).or_default() += 1;
            }
        }
        tally
    }
}

impl History for Recorded<'_> {
    fn executions(&self, function: ProgramFunction) -> Vec<Execution> {
        let mut executions = self.at_hand.get(&function).cloned().unwrap_or_default();
        executions.truncate(MOST_TIMES);
        let Some(entry) =
            self.unit(function).map(|unit| [(unit, self.program.functions[function.0 as usize].function)])
        else {
            return executions;
        };
        let known: Vec<FrameId> = executions.iter().map(|execution| execution.frame).collect();
        let entered = self.trace.each_before(&Target::Enter(Some(&entry)), self.before);
        for step in entered.take(MOST_TIMES) {
            let Some(frame) = step.frame.and_then(|frame| self.trace.frame(frame)) else { continue };
            // What ended before the object was there could not have done anything to it.
            let overlaps = frame.left.is_none_or(|left| left > self.from);
            if overlaps && !known.contains(&frame.id) {
                let before = frame.left.map_or(self.before, |left| left.min(self.before));
                executions.push(Execution { frame: frame.id, after: None, before, has_object: false });
            }
        }
        executions
    }

    fn n_times(&self, execution: &Execution, function: ProgramFunction, span: Span) -> Option<u64> {
        let sites = self.sites(function, span);
        if sites.is_empty() {
            return None;
        }
        let sites = self.global(function, &sites);
        Some(self.newest(execution, &sites, MOST_TIMES).len() as u64)
    }

    fn dependences(&self, function: ProgramFunction, span: Span) -> Vec<Dependence> {
        let Some(code) = self.code(function) else { return Vec::new() };
        if let Some(site) = self.sites(function, span).first() {
            return code.facts.site(*site).depends_on.clone();
        }
        let holds =
            |statement: &&trace_model::Statement| statement.span.start <= span.start && span.end <= statement.span.end;
        let around = code.facts.statements.iter().filter(holds);
        let innermost = around.min_by_key(|statement| statement.span.end - statement.span.start);
        innermost.map(|statement| statement.depends_on.clone()).unwrap_or_default()
    }

    fn dependences_of(&self, function: ProgramFunction, branch: LocalSite) -> Vec<Dependence> {
        self.code(function).map(|code| code.facts.site(branch).depends_on.clone()).unwrap_or_default()
    }

    fn decisions(&self, execution: &Execution, function: ProgramFunction, branch: LocalSite) -> Option<Decisions> {
        let site = self.code(function)?.global(branch);
        let kind = self.trace.site(site)?.site.kind;
        let sites = [site];
        let mut found: Option<Decisions> = None;
        for step in self.newest(execution, &sites, MOST_DECISIONS) {
            let truth = self.trace.truth(&step);
            let found = found.get_or_insert(Decisions {
                newest: step.id,
                has_gone_true: false,
                has_gone_false: false,
                is_loop: kind == SiteKind::Loop,
            });
            // One that is not known may have gone either way.
            found.has_gone_true |= truth != Some(false);
            found.has_gone_false |= truth != Some(true);
            if found.has_gone_true && found.has_gone_false {
                break;
            }
        }
        found
    }

    fn ending(&self, execution: &Execution) -> Ending {
        let Some(frame) = self.trace.frame(execution.frame) else { return Ending::Unknown };
        let last = || self.trace.previous_in_frame(frame.id, execution.before).map(|step| step.id);
        let is_whole = frame.left.is_none_or(|left| left <= execution.before);
        let found = match self.trace.outcome(&frame) {
            Outcome::Threw if is_whole => last().map(Ending::Threw),
            Outcome::Open => {
                let last = self.trace.previous_in_frame(frame.id, execution.before);
                let waits = last.filter(|step| self.trace.kind(step) == Some(SiteKind::Suspend));
                waits.map(|step| Ending::Waits(step.id))
            }
            Outcome::Returned(_) | Outcome::Threw => {
                let catches = self.trace.sites_of_function(frame.unit, frame.function, |kind| kind == SiteKind::Catch);
                let caught = self.newest(execution, &catches, 1).pop();
                Some(caught.map_or(Ending::Completed, |step| Ending::Threw(step.id)))
            }
        };
        found.unwrap_or(Ending::Unknown)
    }

    fn called(
        &self,
        execution: &Execution,
        function: ProgramFunction,
        span: Span,
    ) -> Option<(EventId, Vec<ProgramFunction>)> {
        let sites = self.global(function, &self.sites(function, span));
        let mut callees = Vec::new();
        let mut newest = None;
        for call in self.newest(execution, &sites, MOST_CALLS_SEEN) {
            newest.get_or_insert(call.id);
            let mut at = call.id;
            // The arguments may have called something first.
            for _ in 0..MOST_CALLS_SEEN {
                let Some(entered) = self.trace.next(&Target::CalledBy(execution.frame), at) else { break };
                at = EventId(entered.id.0 + 1);
                let Some(frame) = entered.frame.and_then(|frame| self.trace.frame(frame)) else { break };
                let Some(caller) = self.trace.caller(&frame) else { break };
                if caller.code.expression(caller.call).span == span {
                    callees.extend(self.function_of(&frame).filter(|callee| !callees.contains(callee)));
                    break;
                }
            }
        }
        Some((newest?, callees))
    }

    fn was_entered(&self, function: ProgramFunction) -> bool {
        let Some(unit) = self.unit(function) else { return false };
        let entry = [(unit, self.program.functions[function.0 as usize].function)];
        self.trace.last(&Target::Enter(Some(&entry)), self.before).is_some()
    }

    fn performed(&self, function: ProgramFunction, span: Span) -> Performed {
        let sites = self.global(function, &self.sites(function, span));
        let of = |tally: &Tally| sites.iter().filter_map(|site| tally.get(site)).sum::<u64>();
        let (on_this, on_siblings) = (of(&self.on_this), of(&self.on_siblings));
        let all = self.trace.count(&Target::Sites(&sites), self.trace.thread.first_event()..self.before);
        Performed {
            on_this,
            on_siblings,
            n_siblings: self.n_siblings,
            on_others: all.saturating_sub(on_this + on_siblings),
        }
    }

    fn is_project(&self, function: ProgramFunction) -> bool {
        self.unit(function).is_some_and(|unit| self.trace.is_own(unit))
    }

    fn changes(&self) -> Changes {
        self.changes_of(&self.about)
    }

    fn made(&self) -> Option<Moment> {
        self.made_at(&self.about)
    }

    fn became_nothing(&self) -> Option<Moment> {
        self.nothing_since(&self.about)
    }
}

const MOST_BINDINGS: usize = 256;
const MOST_SIBLINGS: usize = 16;
const MOST_TALLIED: usize = 1000;
const MOST_DECISIONS: usize = 256;
const MOST_CALLS_SEEN: usize = 8;
