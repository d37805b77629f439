use query::{LastCondition, last_condition, last_condition_of_throw};
use trace_model::{Event, EventId, Node, Record, SiteKind};
use trace_store::Step;

use super::resolve::failures_of;
use super::shown::comparable;
use super::{Moment, Point};
use crate::QuestionKind;
use crate::Value;
use crate::rerun::EarlierAnswer;

/// Why control came here.
#[derive(Clone, Debug)]
pub struct ConditionAnswer {
    pub kind: ConditionKind,
    /// The branch, the call, the throw, the resumption, or the entry of the frame.
    pub point: Option<Point>,
    /// The text of the condition.
    pub condition: Option<String>,
    /// What decided, in words.
    pub text: Option<String>,
    /// Of a condition what it gave; of a throw what was thrown.
    pub value: Option<Value>,
    pub reads: Vec<ReadValue>,
    /// Of a throw the handler, of a resumption where the frame waited, of a start where its function was handed out.
    pub other: Option<Point>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConditionKind {
    Condition,
    CallSite,
    Throw,
    Resumed,
    Start,
}

impl ConditionKind {
    pub fn name(self) -> &'static str {
        match self {
            ConditionKind::Condition => "condition",
            ConditionKind::CallSite => "call-site",
            ConditionKind::Throw => "throw",
            ConditionKind::Resumed => "resumed",
            ConditionKind::Start => "start",
        }
    }
}

impl ConditionAnswer {
    /// What is the same in two runs that gave the same answer: `condition at app.js:22:7: true`.
    pub fn in_short(&self) -> String {
        self.found().in_short(self.kind.name())
    }

    pub(crate) fn found(&self) -> EarlierAnswer {
        let value = self.value.as_ref().map_or("nothing".into(), comparable);
        EarlierAnswer { place: self.point.as_ref().map(Point::place).unwrap_or_default(), value }
    }
}

/// Something that a condition read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadValue {
    pub text: String,
    pub value: Value,
}

impl Moment<'_> {
    /// The decision that led to the point.
    pub(crate) fn last_condition(&self) -> ConditionAnswer {
        let answer = self.found_condition();
        self.define(answer.point.as_ref(), QuestionKind::LastCondition, 0, answer.found());
        answer
    }

    fn found_condition(&self) -> ConditionAnswer {
        let answer = |kind, step: Option<&Step>| ConditionAnswer {
            kind,
            point: step.map(|step| self.point(step)),
            condition: None,
            text: None,
            value: None,
            reads: Vec::new(),
            other: None,
        };
        let value_of = |step: &Step| {
            let value = self.trace.step_value(step)?;
            Some(self.value(&value, EventId(step.id.0 + 1)))
        };
        let failure = self.at.shown.and_then(|_| failures_of(&self.trace).into_iter().next());
        let found = match &failure {
            Some(failure) => last_condition_of_throw(&self.trace, &failure.thrown, &failure.message),
            None => last_condition(&self.trace, &self.at.step),
        };
        match found {
            LastCondition::Condition { step, value, reads } => {
                let reads = reads.into_iter();
                let reads = reads.map(|read| ReadValue { value: self.value(&read.value, step.id), text: read.text });
                let whole = ConditionAnswer {
                    condition: self.text_of(&step),
                    text: self.decided(&step, &value),
                    value: self.option_value(&value, step.id),
                    reads: reads.collect(),
                    ..answer(ConditionKind::Condition, None)
                };
                self.at_operand(&step, whole)
            }
            LastCondition::CallSite { step } => answer(ConditionKind::CallSite, Some(&step)),
            LastCondition::Throw { catch, thrown } => {
                let error = self.trace.step_value(&catch);
                let message = error.map(|error| self.trace.error_message(&error, EventId(catch.id.0 + 1)));
                let at = self.trace.thrown_at(&thrown, &message.unwrap_or_default());
                ConditionAnswer {
                    value: value_of(&catch),
                    other: Some(self.point(&catch)),
                    point: at.map(|at| self.point_at_source(&thrown.step, at, "")),
                    ..answer(ConditionKind::Throw, None)
                }
            }
            LastCondition::Resumed { step, suspended } => ConditionAnswer {
                value: value_of(&step),
                other: suspended.map(|suspended| self.point(&suspended)),
                ..answer(ConditionKind::Resumed, Some(&step))
            },
            LastCondition::Start { entered, registered } => ConditionAnswer {
                other: registered.map(|registered| self.point(&registered)),
                ..answer(ConditionKind::Start, entered.as_ref())
            },
        }
    }

    /// The answer at the operand that decided, where one alone did.
    fn at_operand(&self, step: &Step, whole: ConditionAnswer) -> ConditionAnswer {
        let operand = self.trace.deciding_text(step).zip(self.trace.deciding_value(step));
        let Some((text, (at, value))) = operand else {
            return ConditionAnswer { point: Some(self.point(step)), ..whole };
        };
        let value = value.map(|value| self.value(&value, step.id));
        let words = match &value {
            Some(value) => self.condition_words(step, &text, Some(&value.text)),
            None => format!("{text} decided it"),
        };
        ConditionAnswer { text: Some(words), point: Some(self.point_at_source(step, at, &text)), value, ..whole }
    }

    fn decided(&self, step: &Step, value: &Option<query::Datum>) -> Option<String> {
        let target = self
            .trace
            .code(step.site()?)
            .and_then(|code| Some(code.words(code.site_facts(step.site()?).target?).into_owned()));
        let subject = match self.loop_over(step) {
            Some(_) => target,
            None => self.text_of(step),
        };
        let value = self.option_value(value, step.id).map(|value| value.text);
        Some(self.condition_words(step, subject.as_deref().unwrap_or("it"), value.as_deref()))
    }

    /// What decided, in words: `offer was undefined`, `a > b was false (a = 1, b = 2)`.
    pub(crate) fn condition_words(&self, step: &Step, subject: &str, value: Option<&str>) -> String {
        if let Some(over) = self.loop_over(step) {
            return format!("the loop over {over} continued with {subject} = {}", value.unwrap_or("a value"));
        }
        let reads = match self.trace.deciding_text(step) {
            Some(operand) if operand == subject => self.trace.deciding_readings(step).unwrap_or_default(),
            _ => self.trace.readings(step),
        };
        let text = |datum: &query::Datum| self.value(datum, step.id).text;
        if let Some(read) = reads.iter().find(|read| read.text == subject) {
            return format!("{subject} was {}", text(&read.value));
        }
        let shown: Vec<_> =
            reads.iter().take(MOST_READS).map(|read| format!("{} = {}", read.text, text(&read.value))).collect();
        let shown = if shown.is_empty() { String::new() } else { format!(" ({})", shown.join(", ")) };
        if self.trace.kind(step) == Some(SiteKind::Nullish) {
            let was = if self.trace.truth(step) == Some(false) { "was null or undefined" } else { "had a value" };
            return format!("{subject} {was}{shown}");
        }
        format!("{subject} was {}{shown}", value.unwrap_or("not captured"))
    }

    /// What a loop goes through, if the event is its next element.
    pub(crate) fn loop_over(&self, step: &Step) -> Option<String> {
        let code = self.trace.code(step.site()?)?;
        let expression = code.site_facts(step.site()?).value?;
        let mut element = expression;
        // Elements may be taken apart at once.
        loop {
            match &code.expression(element).node {
                Node::Element { of, index: None, .. } => return Some(code.words(*of).into_owned()),
                Node::Element { of, .. } | Node::Member { object: of, .. } => element = *of,
                _ => return None,
            }
        }
    }

    /// The moment at which all is known that an event made: a look at its contents follows it.
    pub(crate) fn settled(&self, step: &Step) -> EventId {
        let is_of_it = |next: &Step| {
            matches!(next.event, Event::Record(Record::String(..) | Record::Symbol(..) | Record::Look { .. }))
        };
        let behind = self.trace.thread.steps_from(EventId(step.id.0 + 1)).find(|next| !is_of_it(next));
        behind.map_or(self.trace.thread.end(), |next| next.id)
    }

    /// The expression whose value an event is, in the words of the source.
    pub(crate) fn text_of(&self, step: &Step) -> Option<String> {
        let code = self.trace.code(step.site()?)?;
        let expression = code.site_facts(step.site()?).value?;
        let text = code.words(expression).split_whitespace().collect::<Vec<_>>().join(" ");
        Some(super::shown::shortened(&text, LONGEST_TEXT))
    }
}

const LONGEST_TEXT: usize = 80;
const MOST_READS: usize = 3;
