//! Accumulators: what `sum += f(x)`, `list.push(x)` or a fold comes to is made of all its times round, so these are its operands.
//! The one that stands out is told, with how many others there are; the others are asked about later.

use std::collections::BTreeSet;

use trace_model::{EventId, ExprId, Node, ObjectId, SiteFacts, SiteId, SiteKind, VariableRef};
use trace_store::{FrameInfo, Step, Target};

use super::links::{How, callee_name};
use super::stand_out::{Seen, StandsOut, stand_out};
use super::{HopKind, Question, Search, cost};
use crate::last_condition::{LastCondition, last_condition};
use crate::{Code, Datum, LastChange, Scene, Trace, last_change};

/// The times round that a hop is one of.
#[derive(Clone, Debug)]
pub struct Rounds {
    /// Oldest first, the told one too.
    pub steps: Vec<Step>,
    /// Which of them is told.
    pub told: usize,
    pub stands_out: StandsOut,
    /// What it stands out by, and what that was.
    pub part: Option<(String, Option<Datum>)>,
    /// There are more, further back.
    pub is_cut: bool,
}

/// One time round.
struct Round {
    step: Step,
    /// An event whose evaluation the parts belong to.
    at: EventId,
    seen: Seen,
}

/// Times round that were found, and what there was before them.
struct FoundRounds {
    rounds: Vec<Round>,
    is_cut: bool,
    before: Option<Question>,
}

impl Search<'_, '_> {
    /// Why a write happened that changed a place from what it held, again and again. `None`: it is no such write.
    pub(super) fn accumulated(&mut self, code: &Code, write: &Step, facts: &SiteFacts) -> Option<()> {
        let (root, target) = (facts.value?, facts.target?);
        if self.trace.is_head(code, facts) || self.is_text_blamed(code, write, root) {
            return None;
        }
        let found = self.trace.rounds_of_write(code, write, root, target)?;
        self.tell_rounds(found, HopKind::Write)?;
        self.since_the_write(write);
        if let Node::Member { object, .. } = &code.expression(target).node {
            self.follow(cost::WRITTEN_OBJECT, Question::Value { at: write.id, expression: *object, behind: None });
        }
        Some(())
    }

    /// Why a fold gave its value: each of its calls had a part in it.
    pub(super) fn folded(&mut self, given: &Step) -> Option<()> {
        let found = self.trace.rounds_of_fold(given)?;
        self.tell_rounds(found, HopKind::Return)
    }

    /// What an object holds as a whole, where one piece of code filled it again and again: `list.push(x)`, `map.set(k, v)`.
    pub(super) fn filled(&mut self, object: ObjectId, newest: EventId) -> Option<()> {
        let newest = self.step(newest)?;
        match self.trace.rounds_of_object(object, &newest) {
            Some(found) => self.tell_rounds(found, HopKind::Write),
            None => {
                self.follow(0.0, Question::Happened { event: newest.id, kind: HopKind::Write, focus: None });
                Some(())
            }
        }
    }

    fn is_text_blamed(&mut self, code: &Code, write: &Step, root: ExprId) -> bool {
        let evaluation = self.evaluation(write);
        let Some(scene) = self.trace.scene(write) else { return false };
        self.text_to_blame(code, scene, &evaluation, root).is_some()
    }

    fn tell_rounds(&mut self, found: FoundRounds, kind: HopKind) -> Option<()> {
        let FoundRounds { rounds, is_cut, before } = found;
        let seen: Vec<Seen> = rounds.iter().map(|round| round.seen.clone()).collect();
        let (told, stands_out, part) = stand_out(&seen);
        let shown = &rounds[told];
        let mut hop = self.hop(&shown.step, kind, None)?;
        if !self.is_cause(&hop) {
            return None;
        }
        hop.difference = self.difference(&shown.step);
        hop.rounds = Some(Rounds {
            steps: rounds.iter().map(|round| round.step.clone()).collect(),
            told,
            stands_out,
            part: part.map(|part| {
                let value = shown.seen.parts.iter().find(|(known, _)| *known == part).and_then(|(_, it)| it.clone());
                (self.trace.subject(&shown.step, Some(part)), value)
            }),
            is_cut,
        });
        self.parent = self.tell(hop);
        let has_bad = shown.seen.parts.iter().any(|(_, value)| value.as_ref().is_some_and(Datum::is_bad));
        let n = shown.seen.parts.len() + 1;
        for (part, value) in &shown.seen.parts {
            let price = cost::operand(value.as_ref(), n, has_bad);
            self.follow(price, Question::Value { at: shown.at, expression: *part, behind: None });
        }
        if stands_out == StandsOut::OtherWay
            && let Some(branch) = self.trace.own_way(&rounds, told)
        {
            self.follow(cost::COPY, Question::Happened { event: branch, kind: HopKind::Condition, focus: None });
        }
        self.follow(cost::CONTROL, Question::Reached { event: shown.step.id });
        self.ask_what_was_gone_over(&shown.step);
        // What another time round ends in, or what there was before, is not what this one does.
        self.is_guest = true;
        if let Some(before) = before {
            self.follow(cost::operand(None, n, has_bad), before);
        }
        if !self.limits.all_rounds {
            return Some(());
        }
        let others = rounds.iter().enumerate().rev().filter(|(number, _)| *number != told);
        let Some(told) = self.parent else { return Some(()) };
        for (_, round) in others.take(MOST_FOLLOWED) {
            let Some(hop) = self.hop(&round.step, kind, None).filter(|hop| self.is_cause(hop)) else { continue };
            let time = Some(self.tell_other_time(told, hop));
            for (part, value) in &round.seen.parts {
                let price = cost::EVIDENCE + cost::operand(value.as_ref(), n, false);
                self.ask(price, Question::Value { at: round.at, expression: *part, behind: None }, time);
            }
            self.ask(cost::EVIDENCE + cost::CONTROL, Question::Reached { event: round.step.id }, time);
        }
        Some(())
    }
}

impl Search<'_, '_> {
    /// How often something was done depends on what the loop around it went over.
    fn ask_what_was_gone_over(&mut self, round: &Step) -> Option<()> {
        let round = self.trace.anchor(round)?;
        let LastCondition::Condition { step: head, .. } = last_condition(self.trace, &round) else { return None };
        let code = self.trace.code(head.site()?)?;
        let Node::Element { of, .. } = code.expression(code.site_facts(head.site()?).value?).node else { return None };
        // A call was made once, before the first time round.
        let at = match &code.expression(of).node {
            Node::Call(call) => {
                let result = [code.global(call.result_site?)];
                self.trace.last(&Target::SitesInFrame(head.frame?, &result), head.id)?.id
            }
            _ => head.id,
        };
        self.follow(cost::EVIDENCE, Question::Value { at, expression: of, behind: None });
        Some(())
    }
}

impl Trace<'_> {
    /// Whether a site stands in the head of a loop, where counting is no news.
    pub(super) fn is_head(&self, code: &Code, facts: &SiteFacts) -> bool {
        let statement = facts.statement.map(|statement| &code.facts.statements[statement as usize]);
        statement.is_some_and(|statement| statement.head_end < statement.span.end.saturating_sub(1))
    }

    /// The earlier times that the same code changed the same place from what it held.
    fn rounds_of_write(&self, code: &Code, write: &Step, root: ExprId, target: ExprId) -> Option<FoundRounds> {
        let own = |part: ExprId| part == target || code.text(part) == code.text(target);
        let evaluation = self.evaluation(write);
        let scene = self.scene(write)?;
        if !self.evaluated_leaves(code, scene, &evaluation, root).into_iter().any(own) {
            return None;
        }
        let place = self.place_in(code, scene, &evaluation, target).ok()?;
        let mut steps = vec![write.clone()];
        let mut at = write.id;
        while steps.len() < MOST_ROUNDS {
            let LastChange::Written(change) = last_change(self, &place, at) else { break };
            at = change.step.id;
            if change.step.site() != write.site() {
                break;
            }
            steps.push(change.step);
        }
        let first = steps.last()?.id;
        let is_cut = steps.len() == MOST_ROUNDS;
        let round = |step: Step| {
            let evaluation = self.evaluation(&step);
            let scene = self.scene(&step)?;
            let parts = self.evaluated_leaves(code, scene, &evaluation, root).into_iter().filter(|part| !own(*part));
            let parts = parts.map(|part| (part, self.value_in(code, scene, &evaluation, part).ok())).collect();
            let result = self.written_value(&step);
            Some(Round { at: step.id, seen: Seen { parts, result, ways: None }, step })
        };
        steps.reverse();
        let rounds: Vec<Round> = steps.into_iter().filter_map(round).collect();
        let before = (!is_cut).then_some(Question::Held { place, before: first });
        self.several(rounds, is_cut, before)
    }

    /// The calls of a function that a fold made, up to one of them.
    fn rounds_of_fold(&self, given: &Step) -> Option<FoundRounds> {
        let info = self.frame(self.frame(given.frame?)?.frame)?;
        let caller = self.caller(&info)?;
        let Node::Call(call) = &caller.code.expression(caller.call).node else { return None };
        let folds = callee_name(&caller.code, call).is_some_and(|name| self.language().folds(name));
        if caller.how != How::CalledBack || !folds {
            return None;
        }
        let event = self.call_event(&caller);
        let is_same = |called: &FrameInfo| (called.unit, called.function) == (info.unit, info.function);
        let calls = self.calls_from(info.caller, event.id).take_while(|called| called.entered <= info.entered);
        let calls: Vec<FrameInfo> = calls.filter(is_same).take(MOST_ROUNDS).collect();
        let code = self.code(given.site()?)?;
        let round = |called: &FrameInfo| {
            let step = self.given(called)?;
            let root = code.site_facts(step.site()?).value?;
            let (scene, evaluation) = (self.scene(&step)?, self.evaluation(&step));
            let is_own = |part: &ExprId| self.is_first_parameter(&code, scene, *part);
            let parts = self.evaluated_leaves(&code, scene, &evaluation, root);
            let parts = parts.into_iter().filter(|part| !is_own(part));
            let parts: Vec<_> = parts.map(|part| (part, self.value_in(&code, scene, &evaluation, part).ok())).collect();
            let result = self.step_value(&step);
            Some(Round { at: step.id, seen: Seen { parts, result, ways: None }, step })
        };
        let rounds: Vec<Round> = calls.iter().filter_map(round).collect();
        // A fold that hands on one object changes that: its places tell.
        if rounds.iter().any(|round| round.seen.parts.is_empty()) {
            return None;
        }
        let before = call.arguments.get(1).map(|initial| Question::Value {
            at: caller.step.id,
            expression: *initial,
            behind: Some(EventId(caller.step.id.0 + 1)),
        });
        let is_cut = calls.len() == MOST_ROUNDS;
        self.several(rounds, is_cut, before)
    }

    fn is_first_parameter(&self, code: &Code, scene: Scene, part: ExprId) -> bool {
        let Node::Variable(VariableRef::Known(variable)) = code.expression(part).node else { return false };
        let place = self.variable_place(scene, variable);
        let state = place.map(|place| self.variable(&place, scene.before));
        let Some(crate::VariableState::Written { since, .. }) = state else { return false };
        let value = since.site().and_then(|site| code.site_facts(site).value);
        let is_it = |value: ExprId| matches!(code.expression(value).node, Node::Parameter { index: 0, .. });
        since.frame == scene.frame && self.kind(&since) == Some(SiteKind::Param) && value.is_some_and(is_it)
    }

    /// The earlier times that the same code changed the same object.
    fn rounds_of_object(&self, object: ObjectId, newest: &Step) -> Option<FoundRounds> {
        let site = self.belongs_to(newest)?.site()?;
        let code = self.code(site)?;
        let mut steps = vec![newest.clone()];
        let mut at = newest.id;
        while steps.len() < MOST_ROUNDS {
            let Some(step) = self.last(&Target::Object(object), at) else { break };
            at = step.id;
            if !super::evidence::is_change(&step) {
                continue;
            }
            if self.belongs_to(&step).and_then(|step| step.site()) != Some(site) {
                break;
            }
            steps.push(step);
        }
        let is_cut = steps.len() == MOST_ROUNDS;
        let round = |step: Step| {
            let (anchor, parts) = match step.site() {
                Some(site) => (step.clone(), vec![code.site_facts(site).value?]),
                None => {
                    let (_, anchor, call) = self.effect_call(&step)?;
                    let Node::Call(call) = &code.expression(call).node else { return None };
                    (anchor, call.arguments.clone())
                }
            };
            let scene = Scene { before: step.id, ..self.scene(&anchor)? };
            let evaluation = self.evaluation(&anchor);
            let value = |part: ExprId| self.value_in(&code, scene, &evaluation, part).ok();
            let parts = parts.into_iter().filter(|part| !super::value::is_constant(&code, *part));
            let parts: Vec<_> = parts.map(|part| (part, value(part))).collect();
            Some(Round { at: anchor.id, seen: Seen { parts, result: None, ways: None }, step })
        };
        steps.reverse();
        let rounds: Vec<Round> = steps.into_iter().filter_map(round).collect();
        self.several(rounds, is_cut, None)
    }

    fn several(&self, mut rounds: Vec<Round>, is_cut: bool, before: Option<Question>) -> Option<FoundRounds> {
        if rounds.len() < 2 {
            return None;
        }
        let counts_only = rounds.iter().all(|round| round.seen.parts.is_empty());
        let mut n_left = if counts_only { 0 } else { MOST_LOOKED_AT };
        let mut from = None;
        for round in &mut rounds {
            round.seen.ways = self.ways(&round.step, from, &mut n_left);
            from = Some(EventId(round.step.id.0 + 1));
        }
        Some(FoundRounds { rounds, is_cut, before })
    }

    /// How branches went since the time round before, or since the function was entered.
    fn ways(&self, step: &Step, from: Option<EventId>, n_left: &mut usize) -> Option<BTreeSet<(SiteId, Option<bool>)>> {
        let entered = self.frame(step.frame?)?.entered;
        let from = from.map_or(entered, |from| from.max(entered));
        let mut ways = BTreeSet::new();
        for passed in self.thread.steps_from(from).take_while(|passed| passed.id < step.id) {
            *n_left = n_left.checked_sub(1)?;
            let decides = matches!(self.kind(&passed), Some(SiteKind::Branch | SiteKind::Nullish | SiteKind::Case));
            if let Some(site) = passed.site().filter(|_| decides) {
                ways.insert((site, self.truth(&passed)));
            }
        }
        Some(ways)
    }

    /// The first branch of a time round that went another way than in the others.
    fn own_way(&self, rounds: &[Round], told: usize) -> Option<EventId> {
        let own = rounds[told].seen.ways.as_ref()?;
        let others = rounds.iter().enumerate().filter(|(number, _)| *number != told);
        let of_others: BTreeSet<_> = others.flat_map(|(_, round)| round.seen.ways.iter().flatten()).collect();
        let alone: BTreeSet<SiteId> =
            own.iter().filter(|way| !of_others.contains(way)).map(|(site, _)| *site).collect();
        let from = match told.checked_sub(1) {
            Some(before) => EventId(rounds[before].step.id.0 + 1),
            None => self.frame(rounds[told].step.frame?)?.entered,
        };
        let mut passed = self.thread.steps_from(from).take_while(|passed| passed.id < rounds[told].step.id);
        Some(passed.find(|passed| passed.site().is_some_and(|site| alone.contains(&site)))?.id)
    }
}

/// Of more, the newest.
const MOST_ROUNDS: usize = 512;
/// Other times round that are asked about.
const MOST_FOLLOWED: usize = 16;
/// Events in which branches are looked for, of all times round.
const MOST_LOOKED_AT: usize = 50_000;
