//! What is not there: an absent property has no write to go back to, so the search looks for what should have made it.

use std::collections::HashSet;

use trace_model::{
    BuiltinOp, Dependence, Event, EventId, ExprId, FrameId, FunctionIndex, Key, LocalSite, Node, ObjectId, Record,
    SiteId, SiteKind, Statement, TailValues, VariableIndex, VariableRef,
};
use trace_store::{PropertyKey, Step, Target, VariablePlace};

use super::{HopKind, Question, Search, Terminator, cost};
use crate::change::KeyChange;
use crate::omissions::About;
use crate::{Code, Datum, Property, Trace};

impl Search<'_, '_> {
    pub(super) fn absent(&mut self, object: ObjectId, key: PropertyKey, before: EventId) -> Option<()> {
        // It was there once, and was taken away.
        if let Some(event) = self.removal(object, &key, before) {
            self.follow(0.0, Question::Happened { event, kind: HopKind::Removed, focus: None });
            return Some(());
        }
        // A prototype may have it where the object itself cannot get it.
        if !matches!(self.trace.property(object, &key, before), Property::Inherited { .. }) {
            self.end(Terminator::NeverWritten);
            self.lacks(About::Property(object, key.clone()), before);
        }
        self.follow(cost::BIRTH, Question::Born { object, before });
        self.siblings(object, before);
        self.not_copied(object, &key);
        self.unfilled(object, Some(&key), before);
        self.computed_writes(object, before);
        self.written_elsewhere(object, &key, before);
        Some(())
    }

    /// What took a key away that an object had. To remove what is not there changes nothing.
    fn removal(&self, object: ObjectId, key: &PropertyKey, before: EventId) -> Option<EventId> {
        let mut before = before;
        for _ in 0..MOST_REMOVALS {
            let Property::Absent { since: Some(since) } = self.trace.own_property(object, key, before) else {
                return None;
            };
            if !matches!(self.trace.key_change(&since, object, key), KeyChange::Removed | KeyChange::Moved) {
                return None;
            }
            match self.trace.own_property(object, key, since.id) {
                Property::Absent { .. } => before = since.id,
                _ => return Some(since.id),
            }
        }
        None
    }

    /// Whether an event is a removal of a key that its object had not.
    pub(super) fn took_nothing(&self, step: &Step) -> bool {
        let Event::Site { site, tail, .. } = &step.event else { return false };
        if !matches!(self.trace.kind(step), Some(SiteKind::Delete | SiteKind::DeleteComputed)) {
            return false;
        }
        let written = match tail {
            TailValues::Object(Some(object)) => {
                let name =
                    self.trace.site(*site).and_then(|site| Some(site.name(*site.site.names.first()?).to_owned()));
                name.map(|name| (*object, PropertyKey::Name(name)))
            }
            TailValues::ObjectAndKey(Some(object), key) => self.trace.key(*key).map(|key| (*object, key)),
            _ => None,
        };
        written.is_some_and(|(object, key)| {
            matches!(self.trace.own_property(object, &key, step.id), Property::Absent { .. })
        })
    }

    /// Where an object was made: its literal, or the call of its constructor and what chose the class.
    pub(super) fn born(&mut self, object: ObjectId, _before: EventId) -> Option<()> {
        let birth = self.trace.birth(object)?;
        let is_constructed = self.trace.kind(&birth) == Some(SiteKind::This);
        let is_met_at_entry = || {
            let anchor = self.trace.anchor(&birth).filter(|_| birth.site().is_none());
            anchor.is_some_and(|anchor| self.trace.kind(&anchor) == Some(SiteKind::Enter))
        };
        // Who made what a function was given, no event tells.
        if !is_constructed && is_met_at_entry() {
            let caller = self.trace.caller(&self.trace.frame(birth.frame?)?)?;
            let event = self.trace.call_event(&caller).id;
            self.follow(0.0, Question::Happened { event, kind: HopKind::Call, focus: None });
            return Some(());
        }
        if !is_constructed {
            self.follow(0.0, Question::Happened { event: birth.id, kind: HopKind::Birth, focus: None });
            return Some(());
        }
        let info = self.trace.frame(birth.frame?)?;
        match self.trace.caller(&info) {
            Some(caller) => {
                let event = self.trace.call_event(&caller).id;
                self.follow(0.0, Question::Happened { event, kind: HopKind::Birth, focus: Some(caller.call) });
                if let Node::Call(call) = &caller.code.expression(caller.call).node {
                    self.follow(
                        cost::COPY,
                        Question::Value { at: caller.step.id, expression: call.callee, behind: None },
                    );
                }
            }
            None => self.end(Terminator::Birth),
        }
        Some(())
    }

    /// The statements that would have filled an object, in the functions that had it at hand, and the guard that kept them from it.
    pub(super) fn unfilled(&mut self, object: ObjectId, key: Option<&PropertyKey>, before: EventId) {
        let mut known = HashSet::new();
        for binding in self.trace.bindings(object, before) {
            let Some(code) = self.trace.code(binding.unit) else { continue };
            for statement in filling_statements(self.trace, &code, &binding, key) {
                let depends_on = &code.facts.statements[statement as usize].depends_on;
                let within = Within { frame: Some(binding.frame), after: Some(binding.since), before };
                let decided = self.trace.kept_from(&code, depends_on, within);
                if let Some(step) = decided.filter(|step| known.insert(step.id)) {
                    let price = cost::EVIDENCE + cost::COPY * (known.len() - 1) as f64;
                    self.follow(price, Question::Happened { event: step.id, kind: HopKind::Condition, focus: None });
                }
                if known.len() >= MOST_GUARDS {
                    return;
                }
            }
        }
    }

    /// A copy lacks what it was copied from lacks.
    fn not_copied(&mut self, object: ObjectId, key: &PropertyKey) -> Option<()> {
        let birth = self.trace.birth(object)?;
        let birth = self.trace.anchor(&birth)?;
        let code = self.trace.code(birth.site()?)?;
        let literal = code.site_facts(birth.site()?).value?;
        let Node::Object { spreads, .. } = &code.expression(literal).node else { return None };
        let evaluation = self.evaluation(&birth);
        let scene = self.trace.scene(&birth)?;
        for spread in spreads {
            let copied = match code.expression(*spread).node {
                Node::Spread(copied) => copied,
                _ => *spread,
            };
            let source = self.trace.value_in(&code, scene, &evaluation, copied).ok();
            let source = source.or_else(|| self.trace.given_by(&code, scene, &evaluation, copied));
            if let Some(Datum::Object(object)) = source {
                let question = Question::Absent { object, key: key.clone(), before: birth.id };
                self.follow(cost::BAD_COPY, question);
            }
        }
        Some(())
    }

    /// What else was put into the object where it was made: the place where this was not.
    fn siblings(&mut self, object: ObjectId, before: EventId) -> Option<()> {
        let birth = self.trace.birth(object)?;
        let mut at = EventId(birth.id.0 + 1);
        let mut last = None;
        for _ in 0..MOST_LOOKED_AT {
            let Some(step) = self.trace.next(&Target::Object(object), at) else { break };
            if step.id >= before || step.frame != birth.frame {
                break;
            }
            at = EventId(step.id.0 + 1);
            last = Some(step);
        }
        let event = last.filter(|last| last.site().is_some())?.id;
        self.follow(cost::BIRTH, Question::Happened { event, kind: HopKind::Evidence, focus: None });
        Some(())
    }

    /// Writes with computed keys: one of them may have been meant.
    fn computed_writes(&mut self, object: ObjectId, before: EventId) {
        let mut at = before;
        for _ in 0..MOST_LOOKED_AT {
            let Some(step) = self.trace.last(&Target::Object(object), at) else { break };
            at = step.id;
            if self.trace.kind(&step) == Some(SiteKind::PutComputed) {
                self.follow(
                    cost::EVIDENCE,
                    Question::Happened { event: step.id, kind: HopKind::Evidence, focus: None },
                );
                break;
            }
        }
    }

    /// The same name written on another object: the statement that would have filled this one.
    fn written_elsewhere(&mut self, object: ObjectId, key: &PropertyKey, before: EventId) {
        let PropertyKey::Name(name) = key else { return };
        let mut writers = self.trace.writers_of(name);
        writers.retain(|site| self.trace.may_write(*site, object, before));
        if let Some(step) = self.trace.last(&Target::Sites(&writers), before) {
            self.follow(
                cost::EVIDENCE + cost::COPY,
                Question::Happened { event: step.id, kind: HopKind::Evidence, focus: None },
            );
        }
    }

    /// Writes of a variable that the source has, and that did not happen: the branch that kept them from it.
    pub(super) fn skipped_writes(&mut self, place: &VariablePlace, last: Option<&Step>, before: EventId) {
        let after = last.map(|last| last.id);
        // A value that was computed has its own reasons.
        let is_computed = last.is_some_and(|last| !self.writes_constant(last));
        let price = if is_computed { cost::EVIDENCE + cost::CONTROL_OF_CONSTANT } else { cost::EVIDENCE };
        let Some(code) = self.trace.code(place.unit) else { return };
        let Ok(file) = code.unit.code() else { return };
        let writes = file.sites.sites.iter().enumerate().filter(|(_, site)| site.variable == Some(place.variable));
        for (number, _) in writes {
            let depends_on = &code.facts.site(LocalSite(number as u32)).depends_on;
            let within = Within { frame: place.owner, after, before };
            if let Some(step) = self.trace.kept_from(&code, depends_on, within) {
                let question = Question::Happened { event: step.id, kind: HopKind::Condition, focus: None };
                self.follow(price, question);
            }
        }
    }

    /// The link to a prototype, when it was made after the birth.
    pub(super) fn prototype_link(&mut self, object: ObjectId) {
        let mut at = self.trace.thread.end();
        for _ in 0..MOST_LOOKED_AT {
            let Some(step) = self.trace.last(&Target::Object(object), at) else { return };
            at = step.id;
            let links = match &step.event {
                Event::Record(Record::Effect { op: BuiltinOp::SetPrototype, .. }) => true,
                Event::Site { .. } => {
                    self.trace.prototype_key().is_some_and(|key| self.trace.writes_prototype(&step, &key))
                }
                Event::Record(_) => false,
            };
            if links {
                self.follow(cost::COPY, Question::Happened { event: step.id, kind: HopKind::Evidence, focus: None });
                return;
            }
        }
    }
}

const MOST_LOOKED_AT: usize = 64;
/// Removals of what was not there any more.
const MOST_REMOVALS: usize = 32;

/// Of an object that much code had at hand nobody knows who should have filled it.
const MOST_GUARDS: usize = 6;
const MOST_BINDINGS: usize = 48;

/// A name under which a frame has an object.
struct Binding {
    unit: SiteId,
    frame: FrameId,
    function: FunctionIndex,
    /// `None`: the receiver.
    variable: Option<VariableIndex>,
    since: EventId,
}

/// Statements that put something under a key into what a name stands for; `None`: anything.
fn filling_statements(trace: &Trace, code: &Code, binding: &Binding, key: Option<&PropertyKey>) -> Vec<u32> {
    let is_it = |id: ExprId| match (&code.expression(id).node, binding.variable) {
        (Node::Variable(VariableRef::Known(known)), Some(variable)) => *known == variable,
        (Node::This, None) => code.expression(id).function == binding.function,
        _ => false,
    };
    let is_key = |written: &Key| match (written, key) {
        (Key::Name(written), Some(PropertyKey::Name(key))) => written == key,
        _ => true,
    };
    let is_filled_by_calls = key.is_none_or(|key| trace.is_of_elements(key));
    let mut found = Vec::new();
    for expression in &code.facts.expressions {
        let fills = match &expression.node {
            Node::Call(call) if is_filled_by_calls => match &code.expression(call.callee).node {
                Node::Member { object, key: Key::Name(name), .. } => is_it(*object) && trace.language().fills(name),
                _ => false,
            },
            Node::Assign { target, .. } => match &code.expression(*target).node {
                Node::Member { object, key, .. } => is_it(*object) && is_key(key),
                _ => false,
            },
            _ => false,
        };
        if !fills {
            continue;
        }
        let holds = |statement: &Statement| {
            statement.function == expression.function
                && statement.span.start <= expression.span.start
                && expression.span.end <= statement.span.end
        };
        let around = (0..).zip(&code.facts.statements).filter(|(_, statement)| holds(statement));
        found.extend(around.min_by_key(|(_, statement)| statement.span.end - statement.span.start).map(|(id, _)| id));
    }
    found
}

/// A part of what happened.
struct Within {
    /// `None`: in all of them.
    frame: Option<FrameId>,
    after: Option<EventId>,
    before: EventId,
}

impl Trace<'_> {
    /// The newest decision about something: that of a branch that it depends on, or where control did not even come to one, of
    /// those that these depend on.
    fn kept_from(&self, code: &Code, depends_on: &[Dependence], within: Within) -> Option<Step> {
        let mut known = HashSet::new();
        let mut open: Vec<LocalSite> = depends_on.iter().map(|dependence| dependence.branch).collect();
        while !open.is_empty() {
            let mut branches: Vec<SiteId> = open.iter().map(|branch| code.global(*branch)).collect();
            branches.sort_unstable();
            branches.dedup();
            let target = match within.frame {
                Some(frame) => Target::SitesInFrame(frame, &branches),
                None => Target::Sites(&branches),
            };
            let decided = self.last(&target, within.before);
            let decided = decided.filter(|step| within.after.is_none_or(|after| step.id > after));
            if decided.is_some() {
                return decided;
            }
            let further = open.iter().flat_map(|branch| &code.facts.site(*branch).depends_on);
            open = further.map(|dependence| dependence.branch).filter(|branch| known.insert(*branch)).collect();
        }
        None
    }

    /// The names under which an object was known, oldest first.
    fn bindings(&self, object: ObjectId, before: EventId) -> Vec<Binding> {
        let mut found = Vec::new();
        let mut at = self.birth(object).map_or(self.thread.first_event(), |birth| birth.id);
        for _ in 0..MOST_BINDINGS {
            let Some(step) = self.next(&Target::Mentions(object), at).filter(|step| step.id < before) else { break };
            at = EventId(step.id.0 + 1);
            let Some(site) = step.site().and_then(|site| self.site(site)) else { continue };
            let is_value = self.step_value(&step).and_then(|value| value.object()) == Some(object);
            let is_this = site.site.kind == SiteKind::This;
            let (Some(frame), true) = (step.frame, is_value && (is_this || site.site.variable.is_some())) else {
                continue;
            };
            let unit = site.unit.record.base;
            let (function, variable) = (site.site.function, site.site.variable);
            found.push(Binding { unit, frame, function, variable, since: step.id });
        }
        found
    }

    /// All sites that write a property of this name.
    pub fn writers_of(&self, name: &str) -> Vec<SiteId> {
        let mut sites = Vec::new();
        for unit in self.thread.code().units() {
            let Ok(code) = unit.code() else { continue };
            let Some(wanted) = code.sites.names.iter().position(|known| known == name) else { continue };
            for (number, site) in code.sites.sites.iter().enumerate() {
                let writes = matches!(
                    site.kind,
                    SiteKind::Put | SiteKind::PutIncrement | SiteKind::PutDecrement | SiteKind::Field
                );
                if writes && site.names.first().is_some_and(|name| name.0 as usize == wanted) {
                    sites.push(unit.site(LocalSite(number as u32)));
                }
            }
        }
        sites.sort_unstable();
        sites
    }

    /// Whether a branch guards an early exit: its statement leads out where it is taken.
    pub(crate) fn is_guard(&self, branch: &Step) -> bool {
        let Some(code) = branch.site().and_then(|site| self.code(site)) else { return false };
        let Some(local) = branch.site().map(|site| code.local(site)) else { return false };
        let Some(statement) = code.facts.site(local).statement else { return false };
        let statement = &code.facts.statements[statement as usize];
        let Some(source) = code.source() else { return false };
        let body = source.get(statement.head_end as usize..statement.span.end as usize).unwrap_or_default();
        let body = body.trim_start_matches([')', '{', ' ', '\n', '\r', '\t']);
        self.language().leads_out(body)
    }

    /// The expression that gave the value of an event, in the words of the source.
    pub(super) fn source_of_value(&self, step: &Step) -> Option<String> {
        let code = self.code(step.site()?)?;
        let value = code.site_facts(step.site()?).value?;
        Some(self.subject(step, Some(value)))
    }

    /// What an expression is, in the words of the source. What a pattern takes out of an object is written as if it was asked for:
    /// of `{ n } = o` it is `o.n`.
    pub(crate) fn words_of(&self, step: &Step, code: &Code, id: ExprId) -> String {
        let of = |object: ExprId| match code.expression(object).node {
            Node::Default { value, .. } => value,
            _ => object,
        };
        let is_apart = |object: ExprId| {
            let (inner, outer) = (code.expression(object).span, code.expression(id).span);
            inner.start < outer.start || outer.end < inner.end
        };
        let (object, key) = match &code.expression(id).node {
            Node::Member { object, key: Key::Name(key), .. } if is_apart(*object) => (of(*object), format!(".{key}")),
            Node::Element { of: list, index: Some(index), is_rest: false, .. } => (of(*list), format!("[{index}]")),
            _ => return self.subject(step, Some(id)),
        };
        let is_given = matches!(code.expression(object).node, Node::Parameter { .. });
        let object = if is_given { String::new() } else { self.words_of(step, code, object) };
        match object.is_empty() || object.chars().count() > LONGEST_OBJECT {
            true => self.subject(step, Some(id)),
            false => format!("{object}{key}"),
        }
    }

    /// What a hop is about, in the words of the source.
    pub(crate) fn subject(&self, step: &Step, focus: Option<trace_model::ExprId>) -> String {
        let Some(anchor) = self.belongs_to(step) else { return String::new() };
        let Some(code) = anchor.site().and_then(|site| self.code(site)) else { return String::new() };
        let Some(site) = anchor.site() else { return String::new() };
        let facts = code.site_facts(site);
        let told = focus.or(facts.target).or(facts.value);
        let text = told.map(|told| code.words(told)).unwrap_or_default();
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match text.char_indices().nth(MOST_TEXT) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }
}

const MOST_TEXT: usize = 80;
const LONGEST_OBJECT: usize = 40;
