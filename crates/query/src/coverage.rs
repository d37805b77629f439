//! What a trace could have seen. Every look-up of the engine says here what it rests on; what the policy of the run left out is
//! missing, and an answer that lacks something is none.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard};

use trace_model::{
    Choice, EventId, FrameId, FunctionIndex, LocalSite, Need, ObjectId, Owner, Policy, Selectable, Selection, SiteId,
    SiteKind, tells_flow,
};
use trace_store::{CodeUnit, FrameInfo, PropertyKey, Step, Target};

use crate::Trace;

/// What an answer lacks: what has to be recorded when the program runs again.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Missing {
    pub need: Need,
    /// No less than a full recording will do, and why.
    pub everything: Option<String>,
}

impl Missing {
    pub fn is_empty(&self) -> bool {
        self.everything.is_none() && self.need.is_empty()
    }

    /// The policy that has this as well. What was looked up in vain may have failed for what is named here: that comes first, and
    /// everything only if nothing else is missing.
    pub fn grown(&self, policy: &Policy) -> Policy {
        match policy {
            Policy::Needed(need) if !self.need.is_empty() => {
                let mut need = need.clone();
                need.add(&self.need);
                Policy::Needed(need)
            }
            _ => Policy::full(),
        }
    }
}

/// What a run recorded, and what the questions that were asked of it lack.
pub struct Coverage {
    /// `None`: everything was recorded.
    policy: Option<Policy>,
    missing: Mutex<Missing>,
}

/// What was selected of each piece of code, by its first site.
pub(crate) type Selections = Mutex<HashMap<SiteId, Arc<Selection>>>;

impl Coverage {
    pub fn of(policy: &Policy) -> Coverage {
        Coverage { policy: (!policy.is_full()).then(|| policy.clone()), missing: Mutex::default() }
    }

    /// What the answers so far lack; nothing for a full recording.
    pub fn missing(&self) -> Missing {
        lock(&self.missing).clone()
    }

    fn note(&self, change: impl FnOnce(&mut Missing)) {
        change(&mut lock(&self.missing));
    }

    fn lacks_property(&self, policy: &Policy, key: &PropertyKey, role: KeyRole) {
        let PropertyKey::Name(name) = key else {
            return self.lacks_everything("properties named by symbols are recorded only with everything else");
        };
        let has = match policy {
            Policy::Needed(need) => need.has_property(name) || role == KeyRole::Prototype && need.has_properties(),
            Policy::Filtered(filter) => {
                let is_named = filter.properties.as_ref().is_none_or(|names| names.contains(name));
                is_named && filter.functions.is_none() && filter.kinds.properties && filter.kinds.births
            }
        };
        if !has {
            self.note(|missing| match role {
                KeyRole::Elements => missing.need.elements = true,
                _ => missing.need.properties.extend([name.clone()]),
            });
        }
    }

    fn lacks_everything(&self, why: &str) {
        self.note(|missing| {
            missing.everything.get_or_insert_with(|| why.to_owned());
        });
    }
}

/// What a key stands for, where it is not only a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyRole {
    Prototype,
    /// An element, or the length.
    Elements,
    Member,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Look-ups, each of which says what it rests on.
impl<'a> Trace<'a> {
    /// Whether the policy of the run left anything out.
    pub fn is_sparse(&self) -> bool {
        self.coverage.policy.is_some()
    }

    pub fn last(&self, target: &Target, before: EventId) -> Option<Step> {
        self.rests_on(target);
        self.thread.last(target, before)
    }

    pub fn next(&self, target: &Target, from: EventId) -> Option<Step> {
        self.rests_on(target);
        self.thread.next(target, from)
    }

    pub fn each_before<'t>(&'t self, target: &Target<'t>, before: EventId) -> impl Iterator<Item = Step> + 't {
        self.rests_on(target);
        self.thread.each_before(target, before)
    }

    pub fn each_within<'t>(&'t self, target: &Target<'t>, range: Range<EventId>) -> impl Iterator<Item = Step> + 't {
        self.rests_on(target);
        self.thread.each_within(target, range)
    }

    pub fn count(&self, target: &Target, range: Range<EventId>) -> u64 {
        self.rests_on(target);
        self.thread.count(target, range)
    }

    pub fn nth(&self, target: &Target, n: u64) -> Option<Step> {
        self.rests_on(target);
        self.thread.nth(target, n)
    }

    /// The newest event of any code.
    pub fn newest_of_code(&self, before: EventId) -> Option<Step> {
        self.rests_on_everything("which code was executed last is not recorded");
        self.thread.steps_before(before).find(|step| step.site().is_some())
    }

    /// The frames on the stack at an event, outermost first.
    pub fn frames_at(&self, at: EventId) -> Vec<FrameId> {
        self.rests_on_frames();
        self.thread.stack(at)
    }

    /// The frame below one on the stack when it was entered.
    pub fn caller_of(&self, frame: &FrameInfo) -> Option<FrameId> {
        self.rests_on_frames();
        frame.caller
    }

    /// The instance that holds a variable of this owner, seen from a frame right before an event.
    pub fn owner(&self, frame: FrameId, at: EventId, unit: SiteId, owner: Owner) -> Option<FrameId> {
        if self.is_sparse() {
            self.rests_on_scopes(frame, unit, owner);
        }
        self.thread.owner(frame, at, unit, owner)
    }

    /// What leads from a frame to the instance around it that holds a variable: every function between them, and its blocks.
    fn rests_on_scopes(&self, frame: FrameId, unit: SiteId, owner: Owner) {
        let Some(code) = self.thread.code().unit(unit).and_then(|unit| unit.code().ok()) else { return };
        let function = match owner {
            Owner::Function(function) => function,
            Owner::Block(scope) => code.sites.site(scope).function,
            Owner::Global => return,
        };
        let from = self.thread.frame(frame).filter(|info| info.unit == unit).map_or(function, |info| info.function);
        for around in code.sites.ancestors(from) {
            let is_scope = |kind| matches!(kind, SiteKind::Enter | SiteKind::Scope);
            self.rests_on_sites(&self.sites_of_function(unit, around, is_scope));
            if around == function {
                break;
            }
        }
    }

    /// What an object first appeared with. In a sparse trace that may be long after its birth: good for what it is, not for where
    /// it comes from ([`Trace::origin`]).
    pub fn birth(&self, object: ObjectId) -> Option<Step> {
        self.thread.birth(object)
    }

    /// Where an object comes from.
    pub fn origin(&self, object: ObjectId) -> Option<Step> {
        let birth = self.birth(object);
        if birth.as_ref().is_none_or(|birth| birth.site().is_none()) {
            self.rests_on_everything("where the object was made is not recorded");
        }
        birth
    }

    /// Whatever wrote or moved elements of arrays.
    pub(crate) fn rests_on_elements(&self) {
        if let Some(policy) = &self.coverage.policy {
            let length = self.language().length_key().unwrap_or_default();
            self.coverage.lacks_property(policy, &PropertyKey::Name(length.into()), KeyRole::Elements);
        }
    }

    fn role_of(&self, key: &PropertyKey) -> KeyRole {
        if self.is_of_elements(key) {
            KeyRole::Elements
        } else if self.language().prototype_key().is_some_and(|prototype| key.is_name(prototype)) {
            KeyRole::Prototype
        } else {
            KeyRole::Member
        }
    }

    /// Whether an object that is first met by a write was looked at before the write: so it is where only what questions need
    /// is recorded.
    pub(crate) fn looks_before_writes(&self) -> bool {
        matches!(self.coverage.policy, Some(Policy::Needed(_)))
    }

    /// No less than a full recording can answer this.
    pub fn rests_on_everything(&self, why: &str) {
        if self.is_sparse() {
            self.coverage.lacks_everything(why);
        }
    }

    /// The entry and exit of every function: who called whom, and where exceptions went.
    pub fn rests_on_frames(&self) {
        match &self.coverage.policy {
            Some(Policy::Needed(need)) if !need.frames => self.coverage.note(|missing| missing.need.frames = true),
            Some(Policy::Filtered(filter)) if !filter.kinds.calls || filter.functions.is_some() => {
                self.coverage.lacks_everything("calls were not recorded");
            }
            _ => {}
        }
    }

    /// That the events of this function know their frame.
    pub(crate) fn rests_on_function_entry(&self, unit: SiteId, function: FunctionIndex) {
        if self.is_sparse() {
            self.rests_on_sites(&self.sites_of_function(unit, function, |kind| kind == SiteKind::Enter));
        }
    }

    /// Everything in the function of a site.
    pub(crate) fn rests_on_function(&self, site: SiteId) {
        if let Some(site) = self.site(site) {
            self.rests_on_sites(&self.sites_of_function(site.unit.record.base, site.site.function, is_event));
        }
    }

    pub(crate) fn rests_on_sites(&self, sites: &[SiteId]) {
        let Some(policy) = &self.coverage.policy else { return };
        for site in sites {
            let Some(unit) = self.thread.code().unit(*site) else { continue };
            let local = unit.local(*site);
            // One that tells only of some keys was executed more often than its events say.
            if self.selection(policy, unit).choice(local) != Choice::Always {
                self.lacks_sites(unit, [local]);
            }
        }
    }

    /// Whether everything that happens in a function was recorded.
    pub(crate) fn is_function_recorded(&self, unit: SiteId, function: FunctionIndex) -> bool {
        self.has_sites_of_function(unit, function, is_event)
    }

    /// Whether what control does in a function was recorded.
    pub(crate) fn is_flow_recorded(&self, unit: SiteId, function: FunctionIndex) -> bool {
        self.has_sites_of_function(unit, function, tells_flow)
    }

    fn has_sites_of_function(&self, unit: SiteId, function: FunctionIndex, is_of_kind: fn(SiteKind) -> bool) -> bool {
        let Some(policy) = &self.coverage.policy else { return true };
        let Some(unit) = self.thread.code().unit(unit) else { return false };
        let selection = self.selection(policy, unit);
        let sites = self.sites_of_function(unit.record.base, function, is_of_kind);
        sites.iter().all(|site| selection.choice(unit.local(*site)) == Choice::Always)
    }

    fn selection(&self, policy: &Policy, unit: &CodeUnit) -> Arc<Selection> {
        let mut known = lock(&self.selections);
        let made = known.entry(unit.record.base).or_insert_with(|| {
            let selection = unit.code().ok().and_then(|code| {
                let source = code.source().ok()?;
                Some(Selection::of(policy, Selectable { path: &unit.record.path, source, table: &code.sites }))
            });
            Arc::new(selection.unwrap_or_else(Selection::all))
        });
        made.clone()
    }

    fn lacks_sites(&self, unit: &CodeUnit, sites: impl IntoIterator<Item = LocalSite>) {
        let path = unit.record.path.clone();
        self.coverage.note(|missing| missing.need.sites.entry(path).or_default().extend(sites));
    }

    pub(crate) fn rests_on(&self, target: &Target) {
        let Some(policy) = &self.coverage.policy else { return };
        match *target {
            Target::Sites(sites) | Target::SitesInFrame(_, sites) => self.rests_on_sites(sites),
            Target::InFrame(frame) => {
                if let Some(info) = self.thread.frame(frame) {
                    self.rests_on_sites(&self.sites_of_function(info.unit, info.function, is_event));
                }
            }
            Target::CalledBy(_) | Target::Enter(None) => self.rests_on_frames(),
            Target::Enter(Some(functions)) => {
                functions.iter().for_each(|(unit, function)| self.rests_on_function_entry(*unit, *function));
            }
            Target::Variable(place) => self.rests_on_sites(&self.writes_of(place.unit, place.variable)),
            Target::Property(_, key) => self.coverage.lacks_property(policy, key, self.role_of(key)),
            Target::Object(_) | Target::Objects(_) | Target::Removals(_) | Target::Numerals(_) => {
                self.coverage.lacks_everything("the contents of an object are asked for")
            }
            Target::Mentions(_) => self.coverage.lacks_everything("every mention of an object is asked for"),
            Target::Errors => self.coverage.lacks_everything("every error is asked for"),
            Target::Output | Target::Uncaught | Target::Message => {}
        }
    }

    /// The sites that write a variable.
    fn writes_of(&self, unit: SiteId, variable: trace_model::VariableIndex) -> Vec<SiteId> {
        let Some(unit) = self.thread.code().unit(unit) else { return Vec::new() };
        let Ok(code) = unit.code() else { return Vec::new() };
        let writes = (0..).zip(&code.sites.sites).filter(|(_, site)| site.variable == Some(variable));
        writes.map(|(number, _)| unit.site(LocalSite(number))).collect()
    }
}

fn is_event(kind: SiteKind) -> bool {
    !matches!(kind, SiteKind::Function | SiteKind::Class)
}
