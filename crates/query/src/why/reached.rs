//! Why control came to an event.

use trace_model::{EventId, FunctionKind, SiteKind};
use trace_store::Step;

use super::{HopKind, Question, Search, Terminator, cost};
use crate::last_condition::{LastCondition, last_condition};

impl Search<'_, '_> {
    /// Why control came to an event.
    pub(super) fn reached(&mut self, event: EventId) -> Option<()> {
        let step = self.step(event)?;
        match last_condition(self.trace, &step) {
            LastCondition::Condition { step: branch, .. } => {
                let price = match self.trace.kind(&branch) {
                    _ if self.is_guard_not_taken(&branch) => cost::GUARD_NOT_TAKEN,
                    Some(SiteKind::Loop) => cost::LOOP,
                    _ => 0.0,
                };
                self.follow(price, Question::Happened { event: branch.id, kind: HopKind::Condition, focus: None });
            }
            LastCondition::CallSite { step: call } => {
                let frame = step.frame.and_then(|frame| self.trace.frame(frame));
                if let Some(frame) = &frame {
                    self.handed_out_before(frame);
                }
                // No text calls a setter: control came to it with the assignment.
                if let Some(frame) = frame.filter(|frame| self.trace.is_setter(frame)) {
                    let write = self.trace.assignment_of(&frame)?;
                    self.follow(cost::CALLER, Question::Reached { event: write.id });
                    return Some(());
                }
                let call = self.call_of_project(call)?;
                let question = Question::Happened { event: call.id, kind: HopKind::Call, focus: None };
                self.follow(cost::CALLER, question);
            }
            LastCondition::Throw { thrown, .. } => {
                let kind = if thrown.is_explicit { HopKind::Throw } else { HopKind::Evidence };
                self.follow(cost::COPY, Question::Happened { event: thrown.step.id, kind, focus: None });
            }
            LastCondition::Resumed { step, .. } => {
                self.follow(cost::CONTROL, Question::Happened { event: step.id, kind: HopKind::Resume, focus: None });
            }
            LastCondition::Start { registered, .. } => match registered {
                Some(registered) => {
                    let question =
                        Question::Happened { event: registered.id, kind: HopKind::Registration, focus: None };
                    self.follow(cost::REGISTRATION, question);
                }
                None if !self.is_top_level(&step) => self.end(Terminator::ForeignCode),
                // A value at the top level has its own reasons; that control came to it is none.
                None if self.is_about_control() => self.end(Terminator::StartOfRecording),
                None => {}
            },
        }
        Some(())
    }

    /// The call of the project that led to one in a library. `None`: no code of the project did, so it is what runs the project.
    fn call_of_project(&self, call: Step) -> Option<Step> {
        let is_passed_through = |step: &Step| {
            let unit = step.site().and_then(|site| self.trace.site(site)).map(|site| site.unit.record.base);
            unit.is_some_and(|unit| !self.trace.is_own(unit))
        };
        if !self.is_about_project() || !is_passed_through(&call) {
            return Some(call);
        }
        let entered = self.trace.entered_from_project(call.frame?)?;
        Some(self.trace.call_event(&self.trace.caller(&entered)?))
    }

    /// Whether what is being explained is that control came somewhere.
    fn is_about_control(&self) -> bool {
        use HopKind::{Call, Condition, Failure, Registration, Resume, Throw};
        let kind = self.parent.and_then(|parent| self.hops.get(parent)).map(|hop| hop.kind);
        kind.is_none_or(|kind| matches!(kind, Call | Condition | Failure | Registration | Resume | Throw))
    }

    /// Whether an event is of the top level of a file, which nothing of the program called.
    fn is_top_level(&self, step: &Step) -> bool {
        let frame = step.frame.and_then(|frame| self.trace.frame(frame));
        let Some(frame) = frame else { return true };
        let code = self.trace.thread.code().unit(frame.unit).and_then(|unit| unit.code().ok());
        code.is_none_or(|code| code.sites.function(frame.function).kind == FunctionKind::Module)
    }

    /// `if (…) return;` that did not: it lets everything behind it happen, and decides little.
    fn is_guard_not_taken(&self, branch: &Step) -> bool {
        self.trace.truth(branch) == Some(false) && self.trace.is_guard(branch)
    }
}
