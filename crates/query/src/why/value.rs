//! Why an expression had its value: what it read.

use trace_model::{Call, EventId, ExprId, Key, LogicalOperator, Node, Relation, SiteKind, VariableRef};
use trace_store::{PropertyKey, Step};

use super::{HopKind, Question, Search, Terminator, cost};
use crate::{Code, Datum, Evaluation, Place, Scene};

impl Search<'_, '_> {
    /// Why an expression had its value: what it read.
    pub(super) fn value(&mut self, at: EventId, id: ExprId, behind: Option<EventId>) -> Option<()> {
        let step = self.step(at)?;
        let anchor = self.trace.anchor(&step)?;
        let code = self.trace.code(anchor.site()?)?;
        let evaluation = self.evaluation(&anchor);
        // An open call reads its arguments after its own mark.
        let behind = behind.or((self.trace.kind(&anchor) == Some(SiteKind::Call)).then_some(EventId(anchor.id.0 + 1)));
        let scene = self.trace.scene(&anchor)?;
        let scene = Scene { before: behind.unwrap_or(scene.before), ..scene };
        // What is read in a later statement is no part of the evaluation.
        let evaluation = if self.is_inside(&code, &anchor, id) { evaluation } else { Evaluation::default() };
        self.behind = behind;
        self.about = Some(self.trace.words_of(&anchor, &code, id).into());
        let value = self.trace.value_in(&code, scene, &evaluation, id).ok();
        let moment = self.trace.moment(&code, scene, &evaluation, id);
        match &code.expression(id).node {
            Node::Literal(_) => self.end(Terminator::Literal),
            // A value that every program has under this name.
            Node::Variable(VariableRef::Global(name)) if self.is_nothing(name) => self.end(Terminator::Literal),
            Node::Variable(_) => {
                let place = self.trace.place_in(&code, scene, &evaluation, id).ok()?;
                self.follow(0.5 * cost::copy_of(value.as_ref()), Question::Held { place, before: moment });
            }
            Node::Member { object, key, .. } => {
                self.member(&code, scene, &evaluation, at, id, (*object, key), value.as_ref(), moment);
            }
            Node::Element { of, .. } | Node::Remainder { of } => {
                let place = self.trace.place_in(&code, scene, &evaluation, id).ok();
                let place = place.or_else(|| self.trace.place_of_element(&code, scene, &evaluation, &anchor, id));
                if let Some(place) = place {
                    self.follow(cost::copy_of(value.as_ref()), Question::Held { place, before: moment });
                    self.follow(cost::BASE, Question::Value { at, expression: *of, behind: self.behind });
                } else {
                    // An element of what a built-in made of what it was given: a function that it called back gave it.
                    if let (Node::Call(call), Some(value)) =
                        (&code.expression(*of).node, self.trace.step_value(&anchor))
                    {
                        let began = call.call_site.and_then(|site| evaluation.event(site));
                        self.called_back_with(scene, began, &value);
                    }
                    self.follow(cost::COPY, Question::Value { at, expression: *of, behind: self.behind });
                }
            }
            Node::Call(call) => self.call(&code, &anchor, &evaluation, at, id, call),
            Node::Logical { operator, left, right, .. } => {
                let taken = self.trace.value_in(&code, scene, &evaluation, *left).ok();
                let is_left = taken.as_ref().is_some_and(|left| match operator {
                    LogicalOperator::And => self.trace.truth_of(left) == Some(false),
                    LogicalOperator::Or => self.trace.truth_of(left) == Some(true),
                    LogicalOperator::IfNothing => !left.is_nullish(),
                });
                if !is_left {
                    self.follow(cost::COPY, Question::Value { at, expression: *right, behind: self.behind });
                }
                let price = if taken.is_some_and(|left| left.is_bad()) { cost::CONDITION } else { cost::COPY };
                self.follow(price, Question::Value { at, expression: *left, behind: self.behind });
            }
            Node::Conditional { test, then, otherwise, .. } => {
                let truth = self.trace.value_in(&code, scene, &evaluation, *test).ok();
                let truth = truth.and_then(|test| self.trace.truth_of(&test));
                let taken = if truth == Some(false) { *otherwise } else { *then };
                self.follow(cost::COPY, Question::Value { at, expression: taken, behind: self.behind });
                self.follow(2.0 * cost::COPY, Question::Value { at, expression: *test, behind: self.behind });
            }
            Node::Assign { value, .. } => {
                self.follow(0.0, Question::Value { at, expression: *value, behind: self.behind })
            }
            Node::Await { operand, .. } => {
                let began = evaluation.first();
                if value.as_ref().is_none_or(|value| self.arrived_meanwhile(value, began, &anchor).is_none()) {
                    self.awaited(&code, &anchor, &evaluation, at, *operand);
                }
            }
            Node::Object { entries, spreads } => {
                self.end(Terminator::Birth);
                let parts: Vec<ExprId> =
                    entries.iter().map(|(_, value)| *value).chain(spreads.iter().copied()).collect();
                self.parts(&code, at, &parts);
            }
            Node::Array { elements, .. } => {
                self.end(Terminator::Birth);
                let parts: Vec<ExprId> = elements.iter().flatten().copied().collect();
                self.parts(&code, at, &parts);
            }
            Node::Default { value, default, used } => {
                let is_used = self.trace.took_default(&code, &anchor, &evaluation, *used);
                let price = if is_used { cost::CONDITION } else { 0.0 };
                if is_used && !is_constant(&code, *default) {
                    self.follow(0.0, Question::Value { at, expression: *default, behind: self.behind });
                }
                // That what it stands for was missing is said with the default.
                let is_guest = self.is_guest;
                self.is_guest |= is_used;
                self.follow(price, Question::Value { at, expression: *value, behind: self.behind });
                self.is_guest = is_guest;
            }
            Node::Function(_) => self.end(Terminator::Birth),
            Node::Parameter { index, .. } => self.argument(&anchor, *index),
            Node::This => {
                self.receiver_of(&anchor, value, moment);
            }
            _ => self.operands(&code, scene, &evaluation, at, id),
        }
        Some(())
    }

    #[expect(clippy::too_many_arguments, reason = "the pieces of one evaluation")]
    fn member(
        &mut self,
        code: &Code,
        scene: Scene,
        evaluation: &Evaluation,
        at: EventId,
        id: ExprId,
        (object, key): (ExprId, &Key),
        value: Option<&Datum>,
        moment: EventId,
    ) {
        let of = self.trace.value_in(code, scene, evaluation, object).ok().and_then(|of| of.object());
        let is_given = |step: &Step| !self.is_own_event(step);
        if let (Key::Name(name), Some(value)) = (key, value)
            && self.trace.is_own(code.base())
            && of.is_none_or(|of| self.trace.birth(of).is_none_or(|birth| is_given(&birth)))
        {
            self.had_before(Some(name), value, moment);
        }
        if let Some(given) = self.trace.getter_return(scene, evaluation, (of, key), moment) {
            if let (None, Key::Name(name), Some(value)) = (value, key, self.trace.step_value(&given))
                && self.trace.is_own(code.base())
                && !self.is_own_event(&given)
            {
                self.had_before(Some(name), &value, given.id);
            }
            let question = Question::Happened { event: given.id, kind: HopKind::Return, focus: None };
            return self.follow(cost::copy_of(value), question);
        }
        match self.place_of_part(code, scene, evaluation, id, object, key) {
            Some(place) => {
                let is_absent = match &place {
                    Place::Property { object, key } => self.trace.lacks(*object, key, moment),
                    _ => false,
                };
                let price = if is_absent { cost::BAD_COPY } else { cost::copy_of(value) };
                self.follow(price, Question::Held { place, before: moment });
                let base = if is_absent { cost::REFERENCE } else { cost::BASE };
                self.follow(base, Question::Value { at, expression: object, behind: self.behind });
            }
            // The base is a string, or not known.
            None => self.follow(cost::COPY, Question::Value { at, expression: object, behind: self.behind }),
        }
        if let Key::Computed(key) = key {
            self.follow(cost::KEY, Question::Value { at, expression: *key, behind: self.behind });
        }
    }

    /// The place that a member expression is; of what a call gave, also where that was not recorded at the call.
    fn place_of_part(
        &self,
        code: &Code,
        scene: Scene,
        evaluation: &Evaluation,
        id: ExprId,
        object: ExprId,
        key: &Key,
    ) -> Option<Place> {
        if let Ok(place) = self.trace.place_in(code, scene, evaluation, id) {
            return Some(place);
        }
        let (Node::Call(_), Key::Name(name)) = (&code.expression(object).node, key) else { return None };
        let callee = self.trace.callee_frame(code, scene.frame?, evaluation, object, scene.before)?;
        let given = self.trace.step_value(&self.trace.given(&callee)?)?;
        Some(Place::Property { object: given.object()?, key: PropertyKey::Name(name.clone()) })
    }

    fn operands(&mut self, code: &Code, scene: Scene, evaluation: &Evaluation, at: EventId, id: ExprId) {
        self.compared_texts(code, scene, evaluation, id);
        let parts = self.trace.evaluated_leaves(code, scene, evaluation, id);
        let values: Vec<Option<Datum>> =
            parts.iter().map(|part| self.trace.value_in(code, scene, evaluation, *part).ok()).collect();
        let has_bad = values.iter().flatten().any(Datum::is_bad);
        if parts.is_empty() {
            let value = self.trace.value_in(code, scene, evaluation, id).ok();
            self.end(match &code.expression(id).node {
                // A class.
                Node::Other(_) if value.is_some_and(|value| value.object().is_some()) => Terminator::Birth,
                _ if self.is_computed(code, id) => Terminator::Computed,
                _ => Terminator::Literal,
            });
        }
        let to_blame = self.text_to_blame(code, scene, evaluation, id);
        let expected = self.expected_side(code, scene, evaluation, id);
        for (part, value) in parts.iter().zip(&values) {
            if *part != id {
                let expected = expected.filter(|expected| is_within(code, *part, *expected));
                let price = match to_blame {
                    _ if expected.is_some() => cost::EXPECTED,
                    Some(wrong) if is_within(code, *part, wrong) => cost::BAD_COPY,
                    Some(_) => cost::operand(value.as_ref(), parts.len(), false) + cost::BESIDE_WRONG,
                    None => cost::operand(value.as_ref(), parts.len(), has_bad),
                };
                self.follow(price, Question::Value { at, expression: *part, behind: self.behind });
                if let Some(Datum::Object(object)) = value
                    && let Some(given) = self.trace.converted(scene, evaluation, *object)
                {
                    let question = Question::Happened { event: given.id, kind: HopKind::Return, focus: None };
                    self.follow(price, question);
                }
            }
        }
    }

    /// The side of a comparison that is written out where the program failed.
    fn expected_side(&self, code: &Code, scene: Scene, evaluation: &Evaluation, id: ExprId) -> Option<ExprId> {
        let Node::Binary { operator, left, right } = code.expression(id).node else { return None };
        let is_expected = |part| {
            let moment = self.trace.moment(code, scene, evaluation, part);
            let place = self.trace.place_in(code, scene, evaluation, part);
            place.is_ok_and(|place| self.is_expectation(&place, moment))
        };
        match (self.is_comparison(operator), is_expected(left), is_expected(right)) {
            (true, true, false) => Some(left),
            (true, false, true) => Some(right),
            _ => None,
        }
    }

    /// Why a call gave its value: what its callee returned, or what a function that is not recorded was given.
    fn call(&mut self, code: &Code, anchor: &Step, evaluation: &Evaluation, at: EventId, id: ExprId, call: &Call) {
        let before = self.behind.unwrap_or(EventId(at.0 + 1));
        let callee = anchor.frame.and_then(|frame| self.trace.callee_frame(code, frame, evaluation, id, before));
        if let Some(callee) = callee {
            if call.is_new {
                self.end(Terminator::Birth);
                return;
            }
            if let Some(given) = self.trace.given(&callee) {
                let value = self.trace.step_value(&given);
                if let Some(value) =
                    value.as_ref().filter(|_| self.trace.is_own(code.base()) && !self.trace.is_own(callee.unit))
                {
                    self.had_before(None, value, callee.entered);
                }
                let price = cost::copy_of(value.as_ref());
                self.follow(price, Question::Happened { event: given.id, kind: HopKind::Return, focus: None });
                return;
            }
        }
        self.foreign_call(code, anchor, evaluation, at, id, call);
    }

    /// What a literal was made of: dearer than the literal itself, as nobody knows yet which part matters.
    fn parts(&mut self, code: &Code, at: EventId, parts: &[ExprId]) {
        let open: Vec<ExprId> = parts.iter().copied().filter(|part| !is_constant(code, *part)).collect();
        if open.len() > MOST_PARTS {
            return;
        }
        for part in &open {
            let price = cost::PART + cost::operand(None, open.len(), false);
            self.follow(price, Question::Value { at, expression: *part, behind: self.behind });
        }
    }

    fn awaited(&mut self, code: &Code, anchor: &Step, evaluation: &Evaluation, at: EventId, operand: ExprId) {
        let frame = anchor.frame.and_then(|frame| self.trace.awaited_frame(code, frame, evaluation, operand, at));
        match frame.and_then(|frame| self.trace.given(&frame)) {
            Some(given) => {
                self.follow(cost::COPY, Question::Happened { event: given.id, kind: HopKind::Return, focus: None });
            }
            None => self.follow(cost::COPY, Question::Value { at, expression: operand, behind: self.behind }),
        }
    }

    pub(super) fn is_comparison(&self, operator: &str) -> bool {
        self.trace.language().relation(operator).is_some_and(Relation::is_comparison)
    }

    /// Whether a name stands for the value that is nothing, and for no place.
    fn is_nothing(&self, name: &str) -> bool {
        self.trace.language().constant(name) == Some(Datum::Undefined)
    }

    /// Whether an operator has to be applied to literals before there is a value. `-5` is written out.
    fn is_computed(&self, code: &Code, id: ExprId) -> bool {
        match &code.expression(id).node {
            Node::Unary { operator, operand } => {
                let is_sign = self.trace.language().relation(operator) == Some(Relation::Negative);
                !(is_sign && matches!(code.expression(*operand).node, Node::Literal(_)))
            }
            Node::Template { values, .. } => !values.is_empty(),
            Node::Sequence(parts) => parts.last().is_some_and(|last| self.is_computed(code, *last)),
            Node::Binary { .. } | Node::Logical { .. } | Node::Conditional { .. } => true,
            _ => false,
        }
    }

    fn is_inside(&self, code: &Code, anchor: &Step, id: ExprId) -> bool {
        let statement = anchor.site().and_then(|site| code.site_facts(site).statement);
        let Some(statement) = statement.map(|statement| code.facts.statements[statement as usize].span) else {
            return true;
        };
        let span = code.expression(id).span;
        statement.start <= span.start && span.end <= statement.end
    }
}

fn is_within(code: &Code, inner: ExprId, outer: ExprId) -> bool {
    let (inner, outer) = (code.expression(inner).span, code.expression(outer).span);
    outer.start <= inner.start && inner.end <= outer.end
}

/// Of a larger literal nobody knows what mattered.
const MOST_PARTS: usize = 8;

/// A literal, or one made of literals alone.
pub(super) fn is_constant(code: &Code, id: ExprId) -> bool {
    match &code.expression(id).node {
        Node::Literal(_) | Node::Function(_) => true,
        Node::Array { elements, has_spread } => {
            !has_spread && elements.iter().flatten().all(|element| is_constant(code, *element))
        }
        Node::Object { entries, spreads } => {
            spreads.is_empty() && entries.iter().all(|(_, value)| is_constant(code, *value))
        }
        _ => false,
    }
}
