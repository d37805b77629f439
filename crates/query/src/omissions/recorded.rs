//! What a recording tells the finder.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use trace_model::{
    CodeFacts, CodeIndex, Dependence, Event, EventId, ExprId, FrameId, LocalSite, Node, ObjectId, ProgramFacts,
    ProgramFunction, Record, SiteId, SiteKind, Span,
};
use trace_store::{FrameInfo, Step, Target};

use super::activity::{Activity, Interest, Seen, SiteInterest, Truth};
use super::{About, Changes, Decisions, Ending, Execution, History, MOST_TIMES, Moment, Performed, Way};
use crate::calls::{FrameOutcome, Wait};
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
    /// What the functions did that the ways begin in.
    activity: OnceCell<Activity>,
    sites: RefCell<SitesOfPlaces>,
    performed: RefCell<FxHashMap<(ProgramFunction, Span), Performed>>,
    endings: RefCell<Endings>,
    /// The calls that effects of built-ins belong to, by what the frame did last and what was done.
    owners_of_effects: RefCell<FxHashMap<(SiteId, u32), Option<SiteId>>>,
}

type SitesOfPlaces = FxHashMap<(CodeIndex, Span), Arc<[LocalSite]>>;

/// Of parts of executions: the frame, until when, and since when.
type Endings = FxHashMap<(FrameId, EventId, Option<EventId>), Ending>;

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
            activity: OnceCell::new(),
            sites: RefCell::default(),
            performed: RefCell::default(),
            endings: RefCell::default(),
            owners_of_effects: RefCell::default(),
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
    fn sites(&self, function: ProgramFunction, span: Span) -> Arc<[LocalSite]> {
        let Some(code) = self.program.functions.get(function.0 as usize).map(|function| function.code) else {
            return Arc::default();
        };
        if let Some(known) = self.sites.borrow().get(&(code, span)) {
            return known.clone();
        }
        let found: Arc<[LocalSite]> = self.find_sites(function, code, span).into();
        self.sites.borrow_mut().insert((code, span), found.clone());
        found
    }

    fn find_sites(&self, function: ProgramFunction, code: CodeIndex, span: Span) -> Vec<LocalSite> {
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
                Event::Record(_) => self.site_of(&step),
            };
            if let Some(site) = site {
                *tally.entry(site).or_default() += 1;
            }
        }
        tally
    }
}

impl Recorded<'_> {
    /// The site of an event; what a built-in did belongs to the call of it. Which that is, what the frame did last says each time.
    pub(super) fn site_of(&self, step: &Step) -> Option<SiteId> {
        let Event::Record(record) = &step.event else { return step.site() };
        let Record::Effect { op, .. } = record else { return self.trace.belongs_to(step)?.site() };
        let last = self.trace.previous_in_frame(step.frame?, step.id)?.site()?;
        if let Some(known) = self.owners_of_effects.borrow().get(&(last, *op as u32)) {
            return *known;
        }
        let found = self.trace.belongs_to(step).and_then(|step| step.site());
        self.owners_of_effects.borrow_mut().insert((last, *op as u32), found);
        found
    }

    /// The events of some sites in an execution, newest first, with the way that control took.
    fn events(&self, execution: &Execution, sites: &[SiteId]) -> Vec<(EventId, Truth)> {
        let known = self.activity.get().and_then(|activity| activity.events(execution, sites));
        known.unwrap_or_else(|| {
            let steps = self.newest(execution, sites, MOST_DECISIONS).into_iter();
            steps.map(|step| (step.id, Truth::Unclear)).collect()
        })
    }

    fn interest(
        &self,
        functions: &FxHashMap<(SiteId, u32), ProgramFunction>,
        counted: &FxHashSet<SiteId>,
    ) -> Vec<SiteInterest> {
        let mut sites: Vec<SiteInterest> = Vec::new();
        let mut mark = |site: SiteId, change: fn(&mut SiteInterest)| {
            let number = site.0 as usize;
            if sites.len() <= number {
                sites.resize(number + 1, SiteInterest::default());
            }
            change(&mut sites[number]);
        };
        let units: FxHashSet<SiteId> = functions.keys().map(|(unit, _)| *unit).collect();
        for unit in units.into_iter().filter_map(|unit| self.trace.thread.code().unit(unit)) {
            let Ok(code) = unit.code() else { continue };
            for (number, site) in (0..).zip(&code.sites.sites) {
                if functions.contains_key(&(unit.record.base, site.function.0)) {
                    mark(unit.site(LocalSite(number)), |interest| interest.is_followed = true);
                }
            }
        }
        counted.iter().for_each(|site| mark(*site, |interest| interest.is_counted = true));
        sites
    }

    fn entry(&self, function: ProgramFunction) -> Option<(SiteId, u32)> {
        Some((self.unit(function)?, self.program.functions[function.0 as usize].function.0))
    }

    fn find_ending(&self, execution: &Execution) -> Ending {
        let Some(frame) = self.trace.frame(execution.frame) else { return Ending::Unknown };
        let last = || self.trace.previous_in_frame(frame.id, execution.before).map(|step| step.id);
        let is_whole = frame.left.is_none_or(|left| left <= execution.before);
        let found = match self.trace.outcome(&frame) {
            FrameOutcome::Threw if is_whole => last().map(Ending::Threw),
            FrameOutcome::Open => {
                let last = self.trace.previous_in_frame(frame.id, execution.before);
                let waits = last.filter(|step| self.trace.kind(step) == Some(SiteKind::Suspend));
                waits.map(|step| match self.trace.wait_of(&frame, execution.before) {
                    Wait::Rejected => Ending::Threw(step.id),
                    Wait::Lasts | Wait::Unknown => Ending::Waits(step.id),
                })
            }
            FrameOutcome::Returned(_) | FrameOutcome::Threw => {
                let catches = self.trace.sites_of_function(frame.unit, frame.function, |kind| kind == SiteKind::Catch);
                let caught = self.events(execution, &catches).first().copied();
                Some(caught.map_or(Ending::Completed, |(id, _)| Ending::Threw(id)))
            }
        };
        found.unwrap_or(Ending::Unknown)
    }

    fn find_performed(&self, function: ProgramFunction, span: Span) -> Performed {
        let sites = self.global(function, &self.sites(function, span));
        let of = |tally: &Tally| sites.iter().filter_map(|site| tally.get(site)).sum::<u64>();
        let (on_this, on_siblings) = (of(&self.on_this), of(&self.on_siblings));
        let all = match self.activity.get() {
            Some(activity) => sites.iter().map(|site| activity.count(*site)).sum(),
            None => self.trace.count(&Target::Sites(&sites), self.trace.thread.first_event()..self.before),
        };
        Performed {
            on_this,
            on_siblings,
            n_siblings: self.n_siblings,
            on_others: all.saturating_sub(on_this + on_siblings),
        }
    }
}

impl History for Recorded<'_> {
    fn prepare(&self, ways: &[Way]) {
        let mut functions: FxHashMap<(SiteId, u32), ProgramFunction> = FxHashMap::default();
        let mut counted: FxHashSet<SiteId> = FxHashSet::default();
        let mut known: FxHashSet<(ProgramFunction, Span)> = FxHashSet::default();
        for way in ways {
            for function in std::iter::once(way.head()).chain(way.calls.first().map(|call| call.callee)) {
                functions.extend(self.entry(function).map(|entry| (entry, function)));
            }
            if known.insert((way.wanted.function, way.wanted.span)) {
                counted.extend(self.global(way.wanted.function, &self.sites(way.wanted.function, way.wanted.span)));
            }
        }
        let kept = self.at_hand.values().flatten().map(|execution| execution.frame).collect();
        let sites = self.interest(&functions, &counted);
        let interest = Interest { functions: &functions, kept: &kept, sites: &sites };
        self.activity.get_or_init(|| Activity::new(self.trace, &interest, self.before));
    }

    fn executions(&self, function: ProgramFunction) -> Vec<Execution> {
        let mut executions = self.at_hand.get(&function).cloned().unwrap_or_default();
        executions.truncate(MOST_TIMES);
        let known: Vec<FrameId> = executions.iter().map(|execution| execution.frame).collect();
        for (frame, seen) in self.activity.get().into_iter().flat_map(|activity| activity.executions(function)) {
            // What ended before the object was there could not have done anything to it.
            let overlaps = seen.left.is_none_or(|left| left > self.from);
            if overlaps && !known.contains(&frame) {
                let before = seen.left.map_or(self.before, |left| left.min(self.before));
                executions.push(Execution { frame, after: None, before, has_object: false });
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
        Some(self.events(execution, &sites).len() as u64)
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
        for (id, truth) in self.events(execution, &sites).into_iter().take(MOST_DECISIONS) {
            let truth = match truth {
                Truth::True => Some(true),
                Truth::False => Some(false),
                Truth::Unclear => self.trace.thread.step(id).and_then(|step| self.trace.truth(&step)),
            };
            let found = found.get_or_insert(Decisions {
                newest: id,
                newest_true: None,
                newest_false: None,
                is_loop: kind == SiteKind::Loop,
                is_choice: kind == SiteKind::Discriminant,
            });
            // One that is not known may have gone either way.
            if truth != Some(false) {
                found.newest_true.get_or_insert(id);
            }
            if truth != Some(true) {
                found.newest_false.get_or_insert(id);
            }
            if found.newest_true.is_some() && found.newest_false.is_some() {
                break;
            }
        }
        found
    }

    fn ending(&self, execution: &Execution) -> Ending {
        let key = (execution.frame, execution.before, execution.after);
        if let Some(known) = self.endings.borrow().get(&key) {
            return *known;
        }
        let found = self.find_ending(execution);
        self.endings.borrow_mut().insert(key, found);
        found
    }

    fn called(
        &self,
        execution: &Execution,
        function: ProgramFunction,
        span: Span,
    ) -> Option<(EventId, Vec<ProgramFunction>)> {
        let sites = self.global(function, &self.sites(function, span));
        if let (Some(activity), [site]) = (self.activity.get(), &sites[..])
            && self.trace.site(*site)?.site.kind == SiteKind::Call
            && let Some(callees) = activity.callees(execution, *site)
        {
            let (newest, _) = self.events(execution, &sites).first().copied()?;
            let callees = callees.into_iter().map(|(unit, function)| {
                self.functions.get(&(unit, function)).copied().unwrap_or(ProgramFunction(u32::MAX))
            });
            return Some((newest, callees.collect()));
        }
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

    fn led_elsewhere(
        &self,
        execution: &Execution,
        function: ProgramFunction,
        span: Span,
        callee: ProgramFunction,
    ) -> Option<EventId> {
        let sites = self.global(function, &self.sites(function, span));
        let [site] = sites[..] else { return None };
        self.activity.get()?.led_elsewhere(execution, site, self.entry(callee)?)
    }

    fn has_older(&self, function: ProgramFunction) -> bool {
        self.activity.get().is_some_and(|activity| activity.has_older(function))
    }

    fn wholes(&self, function: ProgramFunction) -> Vec<Execution> {
        let seen = self.activity.get().into_iter().flat_map(|activity| activity.executions(function));
        let overlapping = seen.filter(|(_, seen)| seen.left.is_none_or(|left| left > self.from));
        let whole = |(frame, seen): (FrameId, &Seen)| Execution {
            frame,
            after: Some(self.from),
            before: seen.left.map_or(self.before, |left| left.min(self.before)),
            has_object: false,
        };
        overlapping.map(whole).collect()
    }

    fn was_entered(&self, function: ProgramFunction) -> bool {
        let known = self.activity.get().and_then(|activity| activity.was_entered(function));
        known.unwrap_or(false)
    }

    fn performed(&self, function: ProgramFunction, span: Span) -> Performed {
        if let Some(known) = self.performed.borrow().get(&(function, span)) {
            return *known;
        }
        let found = self.find_performed(function, span);
        self.performed.borrow_mut().insert((function, span), found);
        found
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
