//! Why a place held its value: the newest change of it.

use trace_model::{EventId, ExprId, Key, Node, SiteKind};
use trace_store::Step;

use super::value::is_constant;
use super::{HopKind, Question, Search, Terminator, cost};
use crate::omissions::About;
use crate::{Datum, LastChange, Place, Property, Scene, last_change};

impl Search<'_, '_> {
    /// Why a place held its value: the newest change.
    pub(super) fn held(&mut self, place: Place, before: EventId) -> Option<()> {
        let change = last_change(self.trace, &place, before);
        let arrival = match &change {
            LastChange::Written(_) => None,
            change => self.trace.arrival_of_change(&place, change, before),
        };
        let has_arrived = arrival.is_some();
        if let Some(arrival) = arrival {
            let at = match &change {
                LastChange::NeverWritten { since: Some(since) } => since.clone(),
                change => change.change().map_or_else(|| arrival.step.clone(), |change| change.step.clone()),
            };
            self.arrived(arrival, &at, change.change().and_then(|change| change.new.clone()));
        }
        match change {
            LastChange::Written(change) => {
                if let Place::Variable { place, .. } = &place {
                    self.skipped_writes(place, Some(&change.step), before);
                }
                let (kind, price) = match (&change.new, self.trace.kind(&change.step)) {
                    (None, _) => (HopKind::Removed, cost::BAD_COPY),
                    (_, Some(SiteKind::Param)) => return self.parameter(&change.step),
                    // A built-in put what a function gave there.
                    (_, Some(SiteKind::Return)) => (HopKind::Return, 0.0),
                    _ => (HopKind::Write, 0.0),
                };
                if let Place::Property { object, key } = &place
                    && self.trace.is_length(key)
                {
                    self.follow(price, Question::Filled { object: *object, newest: change.step.id });
                    return Some(());
                }
                if self.writes_constant(&change.step) {
                    self.not_yet_written(&place, before);
                }
                let focus = change.new.as_ref().and_then(|new| self.given_to_built_in(&change.step, new));
                self.follow(price, Question::Happened { event: change.step.id, kind, focus });
                self.hidden_by(&place, &change.step);
                if let Place::Property { object, .. } = &place {
                    self.swallowed(*object, before);
                }
            }
            LastChange::CreatedWith(change) => {
                if let Place::Property { object, key } = &place
                    && self.trace.is_length(key)
                {
                    self.unfilled(*object, None, before);
                }
                let focus = self.entry_of(&change.step, &place);
                self.follow(0.0, Question::Happened { event: change.step.id, kind: HopKind::Birth, focus });
                self.not_yet_written(&place, before);
            }
            LastChange::ByForeignCode { .. } if has_arrived => {}
            LastChange::ByForeignCode { change, .. } => {
                if self.first_met(&change.step, &place, change.new.as_ref()).is_some() {
                    return Some(());
                }
                // What was parsed, copied or fetched: the project may have put it there itself.
                let is_elsewhere = matches!(place, Place::Property { .. }) || !self.is_own_event(&change.step);
                if let Some(value) = change.new.as_ref().filter(|_| is_elsewhere) {
                    self.had_before(place.name(), value, change.step.id);
                }
                self.follow(0.0, Question::Happened { event: change.step.id, kind: HopKind::Foreign, focus: None });
                if let Some(value) = &change.new {
                    self.taken_over(&change.step, value);
                }
            }
            LastChange::NeverWritten { .. } => {
                self.not_yet_written(&place, before);
                match place {
                    Place::Property { object, key } => self.follow(0.0, Question::Absent { object, key, before }),
                    Place::Variable { place, .. } => self.never_written(&place, before),
                    _ => self.end(Terminator::NeverWritten),
                }
            }
            LastChange::BeforeRecording => self.end(Terminator::StartOfRecording),
            LastChange::NotCaptured { .. } => self.end(Terminator::NotCaptured),
        }
        Some(())
    }

    /// The argument that a built-in put somewhere, where one alone has the value.
    fn given_to_built_in(&self, effect: &Step, value: &Datum) -> Option<ExprId> {
        if effect.site().is_some() {
            return None;
        }
        let (code, step, call) = self.trace.effect_call(effect)?;
        let Node::Call(call) = &code.expression(call).node else { return None };
        let evaluation = self.trace.evaluation(&step);
        let scene = Scene { before: effect.id, ..self.trace.scene(&step)? };
        let is_it =
            |argument: &&ExprId| self.trace.value_in(&code, scene, &evaluation, **argument).as_ref() == Ok(value);
        let mut alike = call.arguments.iter().filter(is_it);
        alike.next().copied().filter(|_| alike.next().is_none())
    }

    /// Whether a place holds what the code that failed has written out itself: what it is compared with is to be explained.
    pub(super) fn is_expectation(&self, place: &Place, before: EventId) -> bool {
        let (step, focus) = match last_change(self.trace, place, before) {
            LastChange::Written(change) => (change.step, None),
            LastChange::CreatedWith(change) => {
                let focus = self.entry_of(&change.step, place);
                (change.step, focus)
            }
            _ => return false,
        };
        let is_own = self.failing_frame.is_some() && step.frame == self.failing_frame;
        is_own
            && match (focus, step.site().and_then(|site| self.trace.code(site))) {
                (Some(focus), Some(code)) => is_constant(&code, focus),
                _ => self.writes_constant(&step),
            }
    }

    pub(super) fn writes_constant(&self, write: &Step) -> bool {
        let Some(code) = write.site().and_then(|site| self.trace.code(site)) else { return false };
        let value = write.site().and_then(|site| code.site_facts(site).value);
        value.is_some_and(|value| is_constant(&code, value))
    }

    /// A parameter is told at the argument, not at the head of its function.
    fn parameter(&mut self, entry: &Step) -> Option<()> {
        let code = self.trace.code(entry.site()?)?;
        let value = code.site_facts(entry.site()?).value?;
        match &code.expression(value).node {
            Node::Parameter { index, .. } => self.argument(entry, *index),
            Node::Default { used, .. } if self.trace.took_default(&code, entry, &self.evaluation(entry), *used) => {
                self.follow(0.0, Question::Happened { event: entry.id, kind: HopKind::Write, focus: None });
            }
            _ => self.value(entry.id, value, None)?,
        }
        Some(())
    }

    /// The entry of a literal that gave a property its value.
    pub(super) fn entry_of(&self, birth: &Step, place: &Place) -> Option<ExprId> {
        let Place::Property { key: place, .. } = place else { return None };
        let code = self.trace.code(birth.site()?)?;
        let literal = code.site_facts(birth.site()?).value?;
        match &code.expression(literal).node {
            Node::Object { entries, .. } => {
                let is_it = |key: &Key| matches!(key, Key::Name(known) if place.is_name(known));
                entries.iter().find(|(key, _)| is_it(key)).map(|(_, value)| *value)
            }
            Node::Array { elements, .. } => elements.get(self.trace.element_at(place)?).copied().flatten(),
            _ => None,
        }
    }

    fn never_written(&mut self, place: &trace_store::VariablePlace, before: EventId) {
        self.end(Terminator::NeverWritten);
        self.lacks(About::Variable(*place), before);
        self.skipped_writes(place, None, before);
    }

    /// A property that holds its value because it hides another: the newest property of the name on a prototype.
    fn hidden_by(&mut self, place: &Place, write: &Step) {
        let Place::Property { object, key } = place else { return };
        let crate::Prototype::Object(prototype) = self.trace.prototype(*object, self.trace.thread.end()) else {
            return;
        };
        if let Property::Own { since, .. } | Property::Inherited { since, .. } =
            self.trace.property(prototype, key, self.trace.thread.end())
            && since.id != write.id
            && self.trace.kind(&since).is_some_and(|kind| kind != SiteKind::Enter)
        {
            self.prototype_link(*object);
            self.follow(cost::EVIDENCE, Question::Happened { event: since.id, kind: HopKind::Evidence, focus: None });
        }
    }
}
