//! Which operand of a condition decided it: of `a && b && c` the one that was not true, with its own value.

use trace_model::{ExprId, LogicalOperator, Node, Relation, SiteKind};
use trace_store::Step;

use super::SourceAt;
use crate::last_condition::Reading;
use crate::{Code, Datum, Evaluation, Scene, Trace};

impl Trace<'_> {
    /// The operand that decided a branch, where one alone did.
    pub(crate) fn deciding_operand(&self, branch: &Step) -> Option<ExprId> {
        let code = self.code(branch.site()?)?;
        let root = code.site_facts(branch.site()?).value?;
        let scene = self.scene(branch)?;
        // Whether there is a value says nothing of its truth.
        let known = if self.kind(branch) == Some(SiteKind::Nullish) { None } else { self.truth(branch) };
        let decided = self.decided_as(&code, scene, &self.evaluation(branch), root, known);
        (decided != root).then_some(decided)
    }

    /// What the operand read that decided a branch.
    pub fn deciding_readings(&self, branch: &Step) -> Option<Vec<Reading>> {
        self.readings_in(branch, self.deciding_operand(branch)?)
    }

    /// The operand that decided a branch, in the words of the source.
    pub fn deciding_text(&self, branch: &Step) -> Option<String> {
        self.deciding_operand(branch).map(|operand| self.subject(branch, Some(operand)))
    }

    /// Where the operand is that decided a branch, and what it was, as far as that is known.
    pub fn deciding_value(&self, branch: &Step) -> Option<(SourceAt, Option<Datum>)> {
        let operand = self.deciding_operand(branch)?;
        let code = self.code(branch.site()?)?;
        let value = self.value_in(&code, self.scene(branch)?, &self.evaluation(branch), operand).ok();
        Some((self.source_at(branch, Some(operand))?, value))
    }

    /// The part of an expression that its value is that of. Where all operands had a part in it (`a && b` was true), the whole.
    pub(crate) fn decided_by(&self, code: &Code, scene: Scene, evaluation: &Evaluation, id: ExprId) -> ExprId {
        self.decided_as(code, scene, evaluation, id, None)
    }

    /// The same, where it is known which way the whole went: what a call gave is not always recorded.
    fn decided_as(
        &self,
        code: &Code,
        scene: Scene,
        evaluation: &Evaluation,
        id: ExprId,
        known: Option<bool>,
    ) -> ExprId {
        let value = |part: ExprId| self.value_in(code, scene, evaluation, part).ok();
        let truth = |part: ExprId| value(part).and_then(|value| self.truth_of(&value));
        let inner = |part: ExprId| self.decided_as(code, scene, evaluation, part, None);
        match &code.expression(id).node {
            Node::Logical { operator: LogicalOperator::IfNothing, left, right, .. } => {
                match value(*left).map(|left| left.is_nullish()) {
                    Some(true) => inner(*right),
                    Some(false) => inner(*left),
                    None => id,
                }
            }
            Node::Logical { operator, left, right, branch } => {
                let deciding = *operator == LogicalOperator::Or;
                let told = || self.truth(&self.thread.step(evaluation.event((*branch)?)?)?);
                match (truth(*left).or_else(told), truth(id).or(known)) {
                    (Some(left_was), _) if left_was == deciding => {
                        self.decided_as(code, scene, evaluation, *left, Some(left_was))
                    }
                    (Some(_), Some(whole)) if whole == deciding => {
                        self.decided_as(code, scene, evaluation, *right, Some(whole))
                    }
                    _ => id,
                }
            }
            Node::Conditional { test, then, otherwise, .. } => match truth(*test) {
                Some(true) => inner(*then),
                Some(false) => inner(*otherwise),
                None => id,
            },
            // That of what is negated; `!a` itself says as much as `a`.
            Node::Unary { operator, operand } if self.language().relation(operator) == Some(Relation::Not) => {
                match self.decided_as(code, scene, evaluation, *operand, known.map(|known| !known)) {
                    decided if decided == *operand => id,
                    decided => decided,
                }
            }
            _ => id,
        }
    }
}
