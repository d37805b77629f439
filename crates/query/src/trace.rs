//! What a question is asked of: the events of a thread, and what is known of their source.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use trace_model::{
    CodeFacts, EventId, ExprId, Expression, FrameId, FunctionIndex, FunctionKind, LanguageRef, LocalSite, ObjectClass,
    ObjectId, SiteFacts, SiteId, SiteKind, VariableIndex, Writes,
};
use trace_store::{CodeUnit, FrameInfo, PropertyKey, Run, RunFile, SiteRef, Step, Target, Thread};

use crate::Prototype;
use crate::coverage::{Coverage, Selections};
use crate::ignored_writes::PrototypeForbids;
use crate::printed::Printed;
use crate::proxies::Proxies;
use crate::unrecorded::{PassedOver, WritesWithoutObject};
use crate::unseen_writes::UnseenWrites;
use crate::valid_between::ValidBetween;
use crate::why::{CallsOfCode, Failure};

pub struct Trace<'a> {
    pub thread: &'a Thread,
    /// The run that it is of, and what all its threads printed.
    around: Option<(&'a Run, &'a OnceLock<Printed>)>,
    kept_failures: Option<&'a OnceLock<Vec<Failure>>>,
    pub(crate) coverage: Arc<Coverage>,
    pub(crate) selections: Selections,
    language: LanguageRef,
    /// Names of setters in all code.
    setters: OnceLock<HashSet<String>>,
    restricts_objects: OnceLock<bool>,
    pub(crate) writes_memory: OnceLock<bool>,
    pub(crate) passed_over: OnceLock<Vec<PassedOver>>,
    pub(crate) evaluated_writes: OnceLock<Vec<(SiteId, Writes)>>,
    pub(crate) writes_without_object: OnceLock<WritesWithoutObject>,
    unseen_writes: OnceLock<UnseenWrites>,
    is_finding_unseen_writes: AtomicBool,
    global_object: OnceLock<Option<ObjectId>>,
    proxies: OnceLock<Proxies>,
    is_finding_proxies: AtomicBool,
    pub(crate) prototypes: ValidBetween<ObjectId, Prototype>,
    /// Since when objects are frozen.
    pub(crate) freezes: ValidBetween<ObjectId, Option<EventId>>,
    /// What prototypes say of assignments.
    pub(crate) bans: ValidBetween<(ObjectId, PropertyKey), PrototypeForbids>,
    /// The class of the object that was asked about last: its events come one after another.
    last_class: Mutex<Option<(ObjectId, Option<ObjectClass>)>>,
    pub(crate) calls: CallsOfCode,
}

/// A piece of code with its facts.
#[derive(Clone)]
pub struct Code<'a> {
    pub unit: &'a CodeUnit,
    pub facts: Arc<CodeFacts>,
}

impl<'a> Trace<'a> {
    /// The events of a thread of a run that recorded so much.
    pub fn new(thread: &'a Thread, coverage: &Arc<Coverage>) -> Trace<'a> {
        Trace {
            thread,
            around: None,
            kept_failures: None,
            coverage: coverage.clone(),
            selections: Selections::default(),
            language: thread.language(),
            setters: OnceLock::new(),
            restricts_objects: OnceLock::new(),
            writes_memory: OnceLock::new(),
            passed_over: OnceLock::new(),
            evaluated_writes: OnceLock::new(),
            writes_without_object: OnceLock::new(),
            unseen_writes: OnceLock::new(),
            is_finding_unseen_writes: AtomicBool::new(false),
            global_object: OnceLock::new(),
            proxies: OnceLock::new(),
            is_finding_proxies: AtomicBool::new(false),
            prototypes: ValidBetween::default(),
            freezes: ValidBetween::default(),
            bans: ValidBetween::default(),
            last_class: Mutex::default(),
            calls: CallsOfCode::default(),
        }
    }

    /// The events of another thread of the same run.
    pub fn beside(&self, thread: &'a Thread) -> Trace<'a> {
        let trace = Trace::new(thread, &self.coverage);
        Trace { around: self.around, ..trace }
    }

    /// From the first event of the thread to its end.
    pub fn all_events(&self) -> std::ops::Range<EventId> {
        self.thread.first_event()..self.thread.end()
    }

    /// The other threads of the run.
    pub(crate) fn other_threads(&self) -> Vec<&'a Thread> {
        let threads = self.around.map_or(&[][..], |(run, _)| run.threads());
        threads.iter().filter(|thread| !std::ptr::eq(*thread, self.thread)).collect()
    }

    /// The same, with the run around it: what it printed tells what failed.
    pub fn of_run(self, run: &'a Run, printed: &'a OnceLock<Printed>) -> Trace<'a> {
        Trace { around: Some((run, printed)), ..self }
    }

    /// The same, with a place in which it is kept what failed in the thread: to find that takes longer than most questions.
    pub fn keeping_failures(self, kept: Option<&'a OnceLock<Vec<Failure>>>) -> Trace<'a> {
        Trace { kept_failures: kept, ..self }
    }

    /// What was kept, or what is found and then kept. Of a sparse trace each question has to say what it rests on.
    pub fn failures_once(&self, find: impl FnOnce() -> Vec<Failure>) -> Vec<Failure> {
        match self.kept_failures.filter(|_| !self.is_sparse()) {
            Some(kept) => kept.get_or_init(find).clone(),
            None => find(),
        }
    }

    pub(crate) fn run_around(&self) -> Option<&'a Run> {
        Some(self.around?.0)
    }

    pub(crate) fn run(&self) -> Option<&'a RunFile> {
        Some(self.around?.0.file())
    }

    /// Which thread of the run this is, and what the run printed.
    pub(crate) fn printed_by_run(&self) -> Option<(usize, &'a Printed)> {
        let (run, printed) = self.around?;
        let number = run.threads().iter().position(|thread| std::ptr::eq(thread, self.thread))?;
        Some((number, printed.get_or_init(|| Printed::of_run(run))))
    }

    pub fn language(&self) -> LanguageRef {
        self.language
    }

    pub fn site(&self, site: SiteId) -> Option<SiteRef<'a>> {
        self.thread.site(site)
    }

    /// The kind of the site of a step; `None` for records of the runtime itself.
    pub fn kind(&self, step: &Step) -> Option<SiteKind> {
        Some(self.site(step.site()?)?.site.kind)
    }

    /// The code that a site belongs to, with what the front end says of it.
    pub fn code(&self, site: SiteId) -> Option<Code<'a>> {
        let unit = self.thread.code().unit(site)?;
        let facts = unit.facts(|| {
            let file = unit.code().ok()?;
            self.language.facts(unit.source_code()?, &file.sites).ok()
        });
        Some(Code { unit, facts: facts? })
    }

    pub(crate) fn remembered_class(
        &self,
        object: ObjectId,
        find: impl FnOnce() -> Option<ObjectClass>,
    ) -> Option<ObjectClass> {
        let mut last = self.last_class.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match *last {
            Some((known, class)) if known == object => class,
            _ => {
                let class = find();
                *last = Some((object, class));
                class
            }
        }
    }

    pub(crate) fn remembered_global_object(&self, find: impl FnOnce() -> Option<ObjectId>) -> Option<ObjectId> {
        *self.global_object.get_or_init(find)
    }

    /// `None` while they are being found, which asks for properties itself.
    pub(crate) fn remembered_proxies(&self, find: impl FnOnce() -> Proxies) -> Option<&Proxies> {
        if self.proxies.get().is_none() && !self.is_finding_proxies.swap(true, Ordering::AcqRel) {
            let _ = self.proxies.set(find());
        }
        self.proxies.get()
    }

    /// `None` while it is being found, which asks for properties itself.
    pub(crate) fn remembered_unseen_writes(&self, find: impl FnOnce() -> UnseenWrites) -> Option<&UnseenWrites> {
        if self.unseen_writes.get().is_none() && !self.is_finding_unseen_writes.swap(true, Ordering::AcqRel) {
            let _ = self.unseen_writes.set(find());
        }
        self.unseen_writes.get()
    }

    /// Whether the code calls one of the built-ins that can make an object refuse assignments.
    pub(crate) fn restricts_objects(&self) -> bool {
        *self.restricts_objects.get_or_init(|| {
            let files = self.thread.code().units().iter().filter_map(|unit| unit.code().ok()?.source().ok());
            let mut files = files.into_iter();
            files.any(|source| self.language.may_restrict(source))
        })
    }

    pub(crate) fn setters(&self) -> &HashSet<String> {
        self.setters.get_or_init(|| {
            let files = self.thread.code().units().iter().filter_map(|unit| unit.code().ok());
            let setters = files.flat_map(|file| {
                let functions = file.sites.functions.iter().filter(|function| function.kind == FunctionKind::Setter);
                functions.map(|function| file.sites.name(function.name).to_owned())
            });
            setters.collect()
        })
    }

    pub fn frame(&self, frame: FrameId) -> Option<FrameInfo> {
        self.thread.frame(frame)
    }

    /// The newest event of a frame's own code before another; what the runtime records in between does not count.
    pub fn previous_in_frame(&self, frame: FrameId, before: EventId) -> Option<Step> {
        let mut before = before;
        loop {
            let step = self.last(&Target::InFrame(frame), before)?;
            if step.site().is_some() {
                return Some(step);
            }
            before = step.id;
        }
    }

    /// The newest event of a frame at one of its function's sites of a kind.
    pub fn last_of_kind(&self, frame: FrameId, kind: SiteKind, before: EventId) -> Option<Step> {
        let info = self.frame(frame)?;
        let sites = self.sites_of_function(info.unit, info.function, |site| site == kind);
        self.last(&Target::SitesInFrame(frame, &sites), before)
    }

    pub fn sites_of_function(
        &self,
        unit: SiteId,
        function: FunctionIndex,
        wanted: impl Fn(SiteKind) -> bool,
    ) -> Vec<SiteId> {
        let Some(unit) = self.thread.code().unit(unit) else { return Vec::new() };
        let Ok(code) = unit.code() else { return Vec::new() };
        let sites = code.sites.sites.iter().enumerate();
        sites
            .filter(|(_, site)| site.function == function && wanted(site.kind))
            .map(|(number, _)| unit.site(LocalSite(number as u32)))
            .collect()
    }
}

impl<'a> Code<'a> {
    pub fn base(&self) -> SiteId {
        self.unit.record.base
    }

    pub fn local(&self, site: SiteId) -> LocalSite {
        self.unit.local(site)
    }

    pub fn global(&self, site: LocalSite) -> SiteId {
        self.unit.site(site)
    }

    pub fn site_facts(&self, site: SiteId) -> &SiteFacts {
        self.facts.site(self.local(site))
    }

    pub fn expression(&self, id: ExprId) -> &Expression {
        self.facts.expression(id)
    }

    pub fn source(&self) -> Option<&'a str> {
        self.unit.code().ok()?.source().ok()
    }

    /// The text of an expression, as the person wrote it.
    pub fn text(&self, id: ExprId) -> &'a str {
        let span = self.expression(id).span;
        self.source().and_then(|source| source.get(span.start as usize..span.end as usize)).unwrap_or_default()
    }

    pub fn variable_name(&self, variable: VariableIndex) -> &'a str {
        let Ok(code) = self.unit.code() else { return "" };
        code.sites.variables.get(variable.0 as usize).map_or("", |variable| code.sites.name(variable.name))
    }
}
