//! Values that stand in for what was not given: `{ n = 5 } = o`, `function put(pieces = 1)`.

use trace_model::{ExprId, LocalSite, Node, SiteKind};
use trace_store::{Step, Target};

use super::{Because, Reason, Search};
use crate::{Code, Evaluation, Trace};

impl Search<'_, '_> {
    /// Why a write took the default that stands there; `None` where it did not.
    pub(super) fn default_taken(&self, step: &Step, code: &Code, root: ExprId) -> Option<Because> {
        let Node::Default { value, used, .. } = code.expression(root).node else { return None };
        let evaluation = self.trace.evaluation(step);
        self.trace.took_default(code, step, &evaluation, used).then_some(())?;
        let (reason, subject) = match code.expression(value).node {
            Node::Parameter { index, .. } if self.is_left_out(step, index) => (Reason::NotPassed, String::new()),
            Node::Parameter { .. } => (Reason::PassedNothing, String::new()),
            _ => (Reason::Default, self.trace.words_of(step, code, value)),
        };
        Some(Because { reason, step: step.clone(), at: self.trace.source_at(step, Some(root))?, subject, value: None })
    }

    /// Whether a call has fewer arguments than would reach a parameter.
    fn is_left_out(&self, entry: &Step, index: u32) -> bool {
        let caller = entry.frame.and_then(|frame| self.trace.caller(&self.trace.frame(frame)?));
        caller.is_some_and(|caller| self.n_passed(&caller).is_some_and(|n_passed| n_passed <= index as usize))
    }
}

impl Trace<'_> {
    /// Whether a default was used in the evaluation that led to an event.
    pub(crate) fn took_default(
        &self,
        code: &Code,
        step: &Step,
        evaluation: &Evaluation,
        used: Option<LocalSite>,
    ) -> bool {
        let Some(used) = used else { return false };
        let is_of_head = step.site().is_some_and(|site| code.site_facts(site).statement.is_none());
        let is_parameter = self.kind(step) == Some(SiteKind::Param);
        let Some(frame) = step.frame.and_then(|frame| self.frame(frame)).filter(|_| is_of_head || is_parameter) else {
            return evaluation.event(used).is_some();
        };
        // Parameters get their defaults before the function is entered: behind the time before that it was.
        let taken = self.last(&Target::Sites(&[code.global(used)]), step.id).map(|taken| taken.id);
        let earlier = self.last(&Target::Enter(Some(&[(frame.unit, frame.function)])), frame.entered);
        taken.is_some_and(|taken| earlier.is_none_or(|earlier| earlier.id < taken))
    }
}
