//! Expressions over a recorded state. Nothing is run: what the recording does not tell is said to be not captured.
//!
//! The value of an expression inside a statement that was executed is not that of the state before the statement: `f(x) + x`
//! reads the second `x` after the call. So a read is done at its own moment: before the first event of the same evaluation
//! that comes behind it ([`Evaluation`]).

mod getters;
mod interpreted;
mod made;

use trace_model::{
    EntryAccess, EventId, ExprId, Expression, Key, LocalSite, LogicalOperator, Node, ObjectId, Span, VariableRef,
    is_redacted,
};
use trace_store::{PropertyKey, Step};

use self::interpreted::Locals;
use crate::scene::{Scene, VariableState};
use crate::{Code, Datum, Property, Trace};

/// Why an expression has no value.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Fault {
    #[error("{what} is not captured: {why}")]
    NotCaptured { what: String, why: String },
    /// The engine would have thrown here too.
    #[error("{base} is {value}, which has no property {key}")]
    NoObject { base: String, value: String, key: String, at: Option<ExprId> },
    #[error("there is no {name} here")]
    NoSuchName { name: String },
    #[error("{name} is not initialised yet")]
    NotInitialised { name: String },
}

/// The events of one evaluation of a statement in a frame.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// Oldest first.
    events: Vec<(LocalSite, EventId)>,
}

/// Something that an expression read.
#[derive(Clone, Debug)]
pub struct Read {
    pub expression: ExprId,
    pub value: Datum,
    pub at: EventId,
}

impl Trace<'_> {
    /// The events of the statement of a step that belong to the same time it was executed.
    pub fn evaluation(&self, step: &Step) -> Evaluation {
        self.evaluation_of(step).unwrap_or_default()
    }

    fn evaluation_of(&self, step: &Step) -> Option<Evaluation> {
        let code = self.code(step.site()?)?;
        let statement = code.site_facts(step.site()?).statement?;
        let sites = &code.facts.statements[statement as usize].sites;
        let frame = step.frame?;
        let order = |site: LocalSite| code.facts.site(site).order;
        let mut events = vec![(code.local(step.site()?), step.id)];
        while let Some((site, before)) = events.last().copied() {
            let Some(earlier) = self.previous_in_frame(frame, before) else { break };
            let Some(id) = earlier.site().filter(|id| code.unit.record.holds(*id)) else { break };
            let local = code.local(id);
            if !sites.contains(&local) || order(local) >= order(site) {
                break;
            }
            events.push((local, earlier.id));
        }
        events.reverse();
        Some(Evaluation { events })
    }

    /// The value that an expression had in an evaluation that led to the scene.
    pub fn value_in(
        &self,
        code: &Code,
        scene: Scene,
        evaluation: &Evaluation,
        expression: ExprId,
    ) -> Result<Datum, Fault> {
        let expressions = &code.facts.expressions;
        let (code, locals) = (Some(code), None);
        let evaluator = Evaluator { trace: self, code, expressions, scene, evaluation, this: None, depth: 0, locals };
        evaluator.value(expression)
    }

    /// The value of an expression that a person typed.
    pub fn evaluate(&self, scene: Scene, expressions: &[Expression], root: ExprId) -> Result<Datum, Fault> {
        let evaluation = Evaluation::default();
        let (evaluation, locals) = (&evaluation, None);
        let evaluator =
            Evaluator { trace: self, code: None, expressions, scene, evaluation, this: None, depth: 0, locals };
        evaluator.value(root)
    }

    /// Why what was seen once is not captured.
    pub fn outdated(&self, seen: &Datum) -> String {
        let seen = self.text(seen);
        format!("it was {seen} when it was seen, and code that is not recorded may have changed it since")
    }

    /// The moment at which an expression was read, in an evaluation.
    pub fn moment(&self, code: &Code, scene: Scene, evaluation: &Evaluation, expression: ExprId) -> EventId {
        evaluation.moment(code, code.expression(expression).span).unwrap_or(scene.before)
    }
}

impl Evaluation {
    pub fn event(&self, site: LocalSite) -> Option<EventId> {
        self.events.iter().rev().find(|(known, _)| *known == site).map(|(_, event)| *event)
    }

    pub fn first(&self) -> Option<EventId> {
        self.events.first().map(|(_, event)| *event)
    }

    pub fn events(&self) -> &[(LocalSite, EventId)] {
        &self.events
    }

    fn moment(&self, code: &Code, read: Span) -> Option<EventId> {
        let table = &code.unit.code().ok()?.sites;
        let comes_behind = |site: LocalSite| {
            let site = table.site(site);
            // A call and a block begin before what is read inside of them.
            let begins = matches!(site.kind, trace_model::SiteKind::Call | trace_model::SiteKind::Scope);
            let encloses = site.span.start <= read.start && read.end <= site.span.end;
            site.span.start >= read.end || encloses && !begins
        };
        self.events.iter().find(|(site, _)| comes_behind(*site)).map(|(_, event)| *event)
    }
}

/// A getter may ask for another.
const DEEPEST_GETTER: usize = 8;

struct Evaluator<'e, 'a> {
    trace: &'e Trace<'a>,
    /// The code that the expressions are of; `None` for what a person typed.
    code: Option<&'e Code<'a>>,
    expressions: &'e [Expression],
    scene: Scene,
    evaluation: &'e Evaluation,
    /// The object of a getter whose code is evaluated.
    this: Option<ObjectId>,
    /// How many getters led here.
    depth: usize,
    /// What the functions that a person typed were given.
    locals: Option<&'e Locals<'e>>,
}

impl Evaluator<'_, '_> {
    fn expression(&self, id: ExprId) -> &Expression {
        &self.expressions[id.0 as usize]
    }

    fn value(&self, id: ExprId) -> Result<Datum, Fault> {
        let value = self.value_of_any_size(id)?;
        match &self.expression(id).node {
            Node::Binary { .. } | Node::Template { .. } | Node::Array { .. } | Node::Object { .. } | Node::Call(_)
                if self.code.is_none() =>
            {
                self.bounded(id, value)
            }
            _ => Ok(value),
        }
    }

    fn value_of_any_size(&self, id: ExprId) -> Result<Datum, Fault> {
        let expression = self.expression(id);
        if let Some(event) = expression.value_site.and_then(|site| self.evaluation.event(site))
            && let Some(step) = self.trace.thread.step(event)
            && let Some(value) = self.trace.step_value(&step)
            && value != Datum::NotCaptured
            && self.is_own_value(&step)
        {
            return Ok(value);
        }
        match &expression.node {
            Node::Literal(literal) => Ok(Datum::literal(literal)),
            Node::Variable(VariableRef::Known(variable)) => {
                let scene = self.scene_at(id);
                let state = match self.trace.variable_place(scene, *variable) {
                    Some(place) => self.trace.variable(&place, scene.before),
                    None => VariableState::NotCaptured("its scope was not recorded"),
                };
                self.known(id, state)
            }
            Node::Variable(VariableRef::Global(name)) => match self.local(name) {
                Some(value) => self.recorded(id, value),
                None => self.global(id, name),
            },
            Node::Parameter { index, is_rest: false } if self.code.is_none() => {
                let given = self.locals.and_then(|locals| locals.given.get(*index as usize));
                Ok(given.cloned().unwrap_or(Datum::Undefined))
            }
            Node::This if self.this.is_some() => Ok(self.this.map_or(Datum::Undefined, Datum::Object)),
            Node::This => {
                let this = self.scene.frame.and_then(|frame| self.trace.this(frame));
                this.map(|(value, _)| value).ok_or_else(|| self.not_captured(id, "it was not recorded"))
            }
            Node::Arguments => {
                let arguments = self.scene.frame.and_then(|frame| self.trace.arguments(frame));
                arguments.map(|(value, _)| value).ok_or_else(|| self.not_captured(id, "it was not recorded"))
            }
            Node::Member { .. } => Ok(self.link(id)?.unwrap_or(Datum::Undefined)),
            Node::Element { of, index: Some(index), is_rest: false, .. } if self.code.is_none() => {
                self.part_of_pattern(id, *of, *index)
            }
            Node::Element { of, index: Some(index), is_rest: false, .. } => {
                let base = self.value(*of)?;
                self.member(id, *of, &base, &self.trace.element_key(*index))
            }
            Node::Unary { operator, operand } => {
                let operand = match self.value(*operand) {
                    Err(Fault::NoSuchName { .. }) if self.trace.language().allows_unknown_name(operator) => {
                        Datum::Undefined
                    }
                    operand => operand?,
                };
                let given = self.trace.language().unary(operator, &operand, &self.objects_then());
                given.map_err(|why| self.not_captured(id, &why))
            }
            Node::Binary { operator, left, right } => {
                let (left, right) = (self.value(*left)?, self.value(*right)?);
                let given = self.trace.language().binary(operator, &left, &right, &self.objects_then());
                given.map_err(|why| self.not_captured(id, &why))
            }
            Node::Logical { operator, left, right, .. } => {
                let left = self.value(*left)?;
                let truth = || self.trace.truth_of(&left).ok_or_else(|| self.not_captured(id, "its left side is not"));
                let takes_right = match operator {
                    LogicalOperator::And => truth()?,
                    LogicalOperator::Or => !truth()?,
                    LogicalOperator::IfNothing => left.is_nullish(),
                };
                if takes_right { self.value(*right) } else { Ok(left) }
            }
            Node::Conditional { test, then, otherwise, .. } => {
                let truth = self.trace.truth_of(&self.value(*test)?);
                let truth = truth.ok_or_else(|| self.not_captured(id, "its test is not"))?;
                self.value(if truth { *then } else { *otherwise })
            }
            Node::Default { value, default, .. } => match self.value(*value)? {
                Datum::Undefined => self.value(*default),
                value => Ok(value),
            },
            Node::Assign { value, is_old_value: false, .. } => self.value(*value),
            Node::Assign { target, .. } => self.value(*target),
            Node::Template { texts, values } => self.template(id, texts, values),
            Node::Sequence(parts) => match parts.last() {
                Some(last) => self.value(*last),
                None => Ok(Datum::Undefined),
            },
            Node::Array { elements, .. } if self.code.is_none() => self.array(id, elements),
            Node::Object { entries, .. } if self.code.is_none() => self.object(id, entries),
            Node::Call(call) if self.code.is_none() => self.call(id, call),
            Node::Call(_) => Err(self.not_captured(id, "the result of the call was not recorded")),
            _ => Err(self.not_captured(id, "its value was not recorded")),
        }
    }

    /// The value of a part of a chain; `None` where a `?.` before it found nothing, which ends the whole chain.
    fn link(&self, id: ExprId) -> Result<Option<Datum>, Fault> {
        let expression = self.expression(id);
        let Node::Member { object, key, is_optional } = &expression.node else { return self.value(id).map(Some) };
        let scene = self.scene_at(id);
        if let Some(place) = self.trace.imported_member(scene, &self.expression(*object).node, key) {
            return self.known(id, self.trace.variable(&place, scene.before)).map(Some);
        }
        if let Some(constant) = self.constant(*object, key) {
            return Ok(Some(constant));
        }
        let Some(base) = self.base(*object, expression.span)? else { return Ok(None) };
        if *is_optional && base.is_nullish() {
            return Ok(None);
        }
        let key = self.key(key)?;
        self.member(id, *object, &base, &key).map(Some)
    }

    /// The value that a member or a call of this span is asked of. One in parentheses, which begins behind them, is a chain of its
    /// own.
    fn base(&self, object: ExprId, span: Span) -> Result<Option<Datum>, Fault> {
        match self.expression(object).span.start == span.start {
            true => self.link(object),
            false => self.value(object).map(Some),
        }
    }

    /// Whether the value of the event is that of the expression: `x++` records the old value, which is what it gives.
    fn is_own_value(&self, step: &Step) -> bool {
        use trace_model::SiteKind::*;
        !matches!(self.trace.kind(step), Some(Call | Enter | Exit | Default))
    }

    fn scene_at(&self, id: ExprId) -> Scene {
        let before = self.code.and_then(|code| self.evaluation.moment(code, self.expression(id).span));
        Scene { before: before.unwrap_or(self.scene.before), ..self.scene }
    }

    fn known(&self, id: ExprId, state: VariableState) -> Result<Datum, Fault> {
        match state {
            VariableState::NotCaptured(why) => Err(self.not_captured(id, why)),
            state => match state.value() {
                Datum::NotCaptured => Err(self.not_captured(id, "its value was not recorded")),
                value => Ok(value),
            },
        }
    }

    fn global(&self, id: ExprId, name: &str) -> Result<Datum, Fault> {
        if let Some(value) = self.trace.language().constant(name) {
            return Ok(value);
        }
        if let Some(number) = name.strip_prefix('#').and_then(|digits| digits.parse().ok()) {
            let object = trace_model::ObjectId(number);
            return match self.trace.is_met(object) {
                true => Ok(Datum::Object(object)),
                false => Err(self.not_captured(id, "no object of this number was recorded")),
            };
        }
        if self.trace.language().names_of_global_object().contains(&name)
            && let Some(object) = self.trace.global_object()
            && (self.code.is_some() || self.trace.resolve(self.scene, name).is_none())
        {
            return Ok(Datum::Object(object));
        }
        if self.code.is_none() {
            if name == self.trace.language().receiver_name() {
                let this = self.scene.frame.and_then(|frame| self.trace.this(frame));
                return this.map(|(value, _)| value).ok_or_else(|| self.not_captured(id, "it was not recorded"));
            }
            if let Some(variable) = self.trace.resolve(self.scene, name) {
                if self.trace.is_uninitialised(self.scene, variable) {
                    return Err(Fault::NotInitialised { name: name.into() });
                }
                let state = match self.trace.variable_place(self.scene, variable) {
                    Some(place) => self.trace.variable(&place, self.scene.before),
                    None => VariableState::NotCaptured("its scope was not recorded"),
                };
                return self.known(id, state);
            }
            if !self.trace.has_global(name) {
                return Err(Fault::NoSuchName { name: name.into() });
            }
        }
        let scene = self.scene_at(id);
        self.known(id, self.trace.global(name, scene.before))
    }

    fn key(&self, key: &Key) -> Result<PropertyKey, Fault> {
        match key {
            Key::Name(name) => Ok(PropertyKey::Name(name.clone())),
            Key::Computed(key) => {
                let value = self.value(*key)?;
                self.trace.language().key_of(&value).ok_or_else(|| self.not_captured(*key, "it is an object"))
            }
        }
    }

    fn member(&self, id: ExprId, object: ExprId, base: &Datum, key: &PropertyKey) -> Result<Datum, Fault> {
        match base {
            Datum::Object(object) => {
                let before = self.scene_at(id).before;
                if let PropertyKey::Name(name) = key
                    && self.trace.global_object() == Some(*object)
                {
                    return self.known(id, self.trace.global(name, before));
                }
                if let Some(size) = self.trace.size_of(*object, key, before) {
                    return Ok(Datum::Number(f64::from(size)));
                }
                match self.trace.property(*object, key, before) {
                    Property::NotCaptured(why) => Err(self.not_captured(id, why)),
                    property if self.is_outdated(*object, &property) => {
                        Err(self.not_captured(id, &self.trace.outdated(&property.value())))
                    }
                    property => match property.value() {
                        Datum::NotCaptured => Err(self.not_captured(id, "its value was not recorded")),
                        Datum::Accessor => self.computed(id, *object, key, &property),
                        value => Ok(value),
                    },
                }
            }
            Datum::Undefined | Datum::Null => {
                let value = self.trace.text(base);
                Err(Fault::NoObject { base: self.text(object), value, key: key_text(key), at: Some(id) })
            }
            Datum::Made(made) => self.member_of_made(id, made, key),
            Datum::String(text) if is_redacted(text) => Err(self.not_captured(id, TAKEN_OUT)),
            base => match (self.trace.language().member_of_plain(base, key), base) {
                (Some(value), _) => Ok(value),
                (None, Datum::String(_)) => {
                    Err(self.not_captured(id, "it is a method of strings, which is not recorded"))
                }
                (None, base) => {
                    let text = self.trace.text(base);
                    let why = format!("what should have it is {text}, whose properties are not recorded");
                    Err(self.not_captured(id, &why))
                }
            },
        }
    }

    /// Whether code that is not recorded may have changed what a person asks for. An object is followed all the same: what it holds
    /// is asked for in its turn.
    fn is_outdated(&self, object: trace_model::ObjectId, property: &Property) -> bool {
        let holder = if let Property::Inherited { from, .. } = property { *from } else { object };
        let is_asked = self.code.is_none() && property.value().object().is_none();
        let since = property.since().filter(|_| is_asked);
        since.is_some_and(|since| self.trace.may_be_outdated(holder, since, self.scene.before))
    }

    /// `m.get(key)` and `s.has(element)`, which a person types for an entry of a Map or Set.
    fn entry(&self, id: ExprId, call: &trace_model::Call) -> Result<Datum, Fault> {
        let not_captured = |why| self.not_captured(id, why);
        let callee = self.expression(call.callee);
        let Node::Member { object, key: Key::Name(method), is_optional } = &callee.node else {
            return Err(not_captured("a call is not run"));
        };
        let object = match self.base(*object, callee.span)? {
            None => return Ok(Datum::Undefined),
            Some(base) if *is_optional && base.is_nullish() => return Ok(Datum::Undefined),
            Some(base) => base,
        };
        let (Datum::Object(object), [key]) = (object, &call.arguments[..]) else {
            return Err(not_captured("that is not a Map or Set"));
        };
        let key = self.value(*key)?.into_entry_key();
        let contents = self.trace.contents(object, self.scene.before);
        let contents = contents.ok_or_else(|| not_captured("the contents of the object were not recorded"))?;
        if !contents.class.is_some_and(trace_model::ObjectClass::has_entries) {
            return Err(not_captured("that is not a Map or Set"));
        }
        let is_complete = contents.is_complete;
        let is_doubtful = contents.entries.iter().any(|(held, _)| crate::same(held, &key).is_none());
        let held = contents.entries.into_iter().find(|(held, _)| crate::same(held, &key) == Some(true));
        if is_doubtful && held.is_none() {
            return Err(not_captured("a key of it was too long to be recorded"));
        }
        if !is_complete && held.is_none() {
            return Err(not_captured("not all that the object holds was recorded"));
        }
        Ok(match self.trace.language().entry_access(method) {
            Some(EntryAccess::Presence) => Datum::Bool(held.is_some()),
            _ => held.map_or(Datum::Undefined, |(_, slot)| slot.value),
        })
    }

    fn objects_then(&self) -> impl trace_model::ObjectsThen {
        self.trace.objects_then(self.scene.before)
    }

    fn template(&self, id: ExprId, texts: &[String], values: &[ExprId]) -> Result<Datum, Fault> {
        let mut parts = Vec::new();
        for (n, text) in texts.iter().enumerate() {
            parts.push(text.clone());
            if let Some(value) = values.get(n) {
                let value = self.value(*value)?;
                let text = self.trace.language().string_of(&value);
                parts.push(text.map_err(|why| self.not_captured(id, &why))?);
            }
        }
        Ok(Datum::String(self.trace.language().joined(&parts).into()))
    }

    fn text(&self, id: ExprId) -> String {
        match self.code {
            Some(code) => code.words(id).into_owned(),
            None => "it".into(),
        }
    }

    fn not_captured(&self, id: ExprId, why: &str) -> Fault {
        Fault::NotCaptured { what: self.text(id), why: why.into() }
    }
}

pub fn key_text(key: &PropertyKey) -> String {
    match key {
        PropertyKey::Name(name) => name.clone(),
        PropertyKey::Symbol(_) => "[symbol]".into(),
    }
}

/// Of what was shared without its secrets.
const TAKEN_OUT: &str = "an operand was taken out when the run was shared";
