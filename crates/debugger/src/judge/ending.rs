//! The end of the search: the wrong call, and its events with the state before and after each.

use query::judge::Node;
use trace_store::Target;

use super::Judge;
use super::question::{CallRef, QuestionShown};
use crate::EventLine;

/// The call that is wrong.
#[derive(Clone, Debug)]
pub struct FoundCall {
    pub call: CallRef,
    /// Nothing: it is the program as a whole.
    pub question: Option<QuestionShown>,
    /// Its own events, oldest first.
    pub steps: Vec<CallStep>,
    /// Whether there are more.
    pub is_cut: bool,
    /// How many questions it took.
    pub n_questions: usize,
    pub n_calls: usize,
}

/// An event of the wrong call.
#[derive(Clone, Debug)]
pub struct CallStep {
    pub event: u64,
    pub line: Option<u32>,
    /// What it did, in words.
    pub text: String,
    pub kind: &'static str,
    /// Of a write: the value before it.
    pub old: Option<String>,
}

const MOST_STEPS: usize = 1_000;

impl Judge<'_> {
    pub(super) fn found(&self, node: Node) -> FoundCall {
        let question = self.effects(node).map(|call| self.question(&call, 1));
        let (steps, is_cut) = self.steps(node);
        FoundCall {
            call: self.call_ref(node),
            question,
            steps,
            is_cut,
            n_questions: self.n_asked,
            n_calls: self.tree.len(),
        }
    }

    fn steps(&self, node: Node) -> (Vec<CallStep>, bool) {
        let Some(frame) = self.tree.frame(node) else { return (Vec::new(), false) };
        let trace = &self.moment.trace;
        let mut from = self.tree.entered(node);
        let mut steps = Vec::new();
        while let Some(step) = trace.thread.next(&Target::InFrame(frame), from) {
            if steps.len() >= MOST_STEPS {
                return (steps, true);
            }
            from = trace_model::EventId(step.id.0 + 1);
            let line =
                EventLine::of_step(trace.thread, self.moment.number, &step, 0, &self.session.run().file().folder);
            let old = trace.value_before(&step).map(|value| self.moment.value(&value, step.id).text);
            steps.push(CallStep { event: step.id.0, line: line.line, text: line.text.clone(), kind: line.kind, old });
        }
        (steps, false)
    }
}
