//! Texts that are wrong somewhere, followed through what they were put together from.

use trace_model::{Call, ExprId, Node, Relation};
use trace_store::Step;

use super::links::callee_name;
use super::{Hop, HopKind, Question, Search, cost};
use crate::{Code, Datum, Evaluation, Scene};

impl Search<'_, '_> {
    /// Two texts that were compared and are not the same: one of them is wrong from there on.
    pub(super) fn compared_texts(
        &mut self,
        code: &Code,
        scene: Scene,
        evaluation: &Evaluation,
        id: ExprId,
    ) -> Option<()> {
        let Node::Binary { operator, left, right } = code.expression(id).node else { return None };
        self.is_comparison(operator).then_some(())?;
        let value = |part| self.trace.value_in(code, scene, evaluation, part).ok();
        let (left, right) = (value(left)?, value(right)?);
        self.texts.differ(&left, &right);
        Some(())
    }

    /// Of the parts of a text that is wrong somewhere, the one that brought what is wrong.
    pub(super) fn text_to_blame(
        &mut self,
        code: &Code,
        scene: Scene,
        evaluation: &Evaluation,
        id: ExprId,
    ) -> Option<ExprId> {
        let parts = self.text_parts(code, id);
        let values: Vec<Option<Datum>> = parts
            .iter()
            .map(|part| match part {
                TextPart::Text(text) => Some(Datum::String(text.as_str().into())),
                TextPart::Value(part) => self.trace.value_in(code, scene, evaluation, *part).ok(),
            })
            .collect();
        let whole = self.trace.value_in(code, scene, evaluation, id).ok()?;
        match parts.get(self.texts.part_to_blame(&whole, &values, &|value| self.trace.text(value))?)? {
            TextPart::Value(part) => Some(*part),
            TextPart::Text(_) => None,
        }
    }

    /// The element of a list that brought what is wrong with a text that was joined from it.
    pub(super) fn joined(
        &mut self,
        code: &Code,
        scene: Scene,
        evaluation: &Evaluation,
        call: &Call,
        value: &Datum,
    ) -> Option<()> {
        let usual = callee_name(code, call).and_then(|name| self.trace.language().joins_with(name))?;
        let Node::Member { object, .. } = code.expression(call.callee).node else { return None };
        let list = self.trace.value_in(code, scene, evaluation, object).ok().and_then(|list| list.object());
        let Some(list) = list else { return self.joined_call_backs(code, scene, evaluation, object, value) };
        let between = match call.arguments.first() {
            Some(between) => self.trace.value_in(code, scene, evaluation, *between).ok()?,
            None => Datum::String(usual.into()),
        };
        let elements = self.trace.elements(list, scene.before);
        let mut parts: Vec<Option<Datum>> = Vec::new();
        for element in &elements {
            parts.extend((!parts.is_empty()).then(|| Some(between.clone())));
            let is_empty = element.value.is_nullish();
            parts.push(Some(if is_empty { Datum::String("".into()) } else { element.value.clone() }));
        }
        let to_blame = self.texts.part_to_blame(value, &parts, &|value| self.trace.text(value))?;
        let place = elements.get(to_blame / 2)?.place.clone();
        self.follow(cost::BAD_COPY, Question::Held { place, before: scene.before });
        Some(())
    }

    /// `list.map(f).join()`: of a list in the middle of a chain nothing is known but what the functions gave that made it.
    fn joined_call_backs(
        &mut self,
        code: &Code,
        scene: Scene,
        evaluation: &Evaluation,
        list: ExprId,
        value: &Datum,
    ) -> Option<()> {
        let Node::Call(made) = &code.expression(list).node else { return None };
        let began = made.call_site.and_then(|site| evaluation.event(site)).or_else(|| evaluation.first());
        let call_backs = self.call_backs(scene, began);
        let wrong = self.called_back_text(&call_backs, value)?;
        self.follow(cost::BAD_COPY, Question::Happened { event: wrong.id, kind: HopKind::Return, focus: None });
        Some(())
    }

    /// Of the texts that functions gave, the one that brought what is wrong with a text that was put together from them.
    pub(super) fn called_back_text(&mut self, call_backs: &[Step], whole: &Datum) -> Option<Step> {
        let texts: Vec<Option<Datum>> = call_backs.iter().map(|given| self.trace.step_value(given)).collect();
        let to_blame = self.texts.piece_to_blame(whole, &texts)?;
        call_backs.get(to_blame).cloned()
    }

    /// Texts that a text was made of may be wrong at the same place.
    pub(super) fn made_of_texts(
        &mut self,
        code: &Code,
        scene: Scene,
        evaluation: &Evaluation,
        call: &Call,
        value: &Datum,
    ) {
        let receiver = match code.expression(call.callee).node {
            Node::Member { object, .. } => Some(object),
            _ => None,
        };
        for part in call.arguments.iter().copied().chain(receiver) {
            if let Ok(of) = self.trace.value_in(code, scene, evaluation, part) {
                self.texts.made_of(value, &of);
            }
        }
    }

    /// The part of `x = x + …` that is `x` itself, if what is wrong was in it before.
    pub(super) fn wrong_before(&mut self, code: &Code, write: &Step, root: ExprId, target: ExprId) -> Option<ExprId> {
        let evaluation = self.evaluation(write);
        let scene = self.trace.scene(write)?;
        let wrong = self.text_to_blame(code, scene, &evaluation, root)?;
        (wrong != root && code.text(wrong) == code.text(target)).then_some(wrong)
    }

    /// Code that the program made of a text: the text is wrong where the code is.
    pub(super) fn generated(&mut self, hop: &Hop) -> Option<()> {
        let unit = self.trace.thread.code().unit(hop.at.unit)?;
        let source = unit.code().ok()?.source().ok()?;
        let has_file = unit.record.path.contains(['/', '\\']);
        if has_file || !self.sources.insert(hop.at.unit) {
            return None;
        }
        for step in self.trace.thread.steps_before(hop.step.id).take(LONGEST_SEARCH) {
            let Some(Datum::String(text)) = self.trace.step_value(&step) else { continue };
            // Parts of it are written in much other code.
            if 2 * text.len() < source.len() || text.len() > source.len() {
                continue;
            }
            let Some(at) = source.find(&*text) else { continue };
            if let Some(spot) = (hop.at.offset as usize).checked_sub(at) {
                self.texts.wrong_at(&text, spot);
            }
            let question = Question::Happened { event: step.id, kind: HopKind::Write, focus: None };
            self.follow(cost::GENERATED, question);
            return Some(());
        }
        None
    }
}

const LONGEST_SEARCH: usize = 200_000;

/// A part of a text that is put together.
enum TextPart {
    Text(String),
    Value(ExprId),
}

impl Search<'_, '_> {
    /// What an expression puts together, in its order.
    fn text_parts(&self, code: &Code, id: ExprId) -> Vec<TextPart> {
        match &code.expression(id).node {
            Node::Binary { operator, left, right }
                if self.trace.language().relation(operator) == Some(Relation::Joined) =>
            {
                let mut parts = self.text_parts(code, *left);
                parts.extend(self.text_parts(code, *right));
                parts
            }
            Node::Template { texts, values } => {
                let mut parts = Vec::new();
                for (number, text) in texts.iter().enumerate() {
                    parts.push(TextPart::Text(text.clone()));
                    parts.extend(values.get(number).map(|value| TextPart::Value(*value)));
                }
                parts
            }
            _ => vec![TextPart::Value(id)],
        }
    }
}
