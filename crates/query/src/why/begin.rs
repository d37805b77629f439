//! Where a search begins: the values of interest at a failure.

use trace_model::{ExprId, Key, Node};
use trace_store::PropertyKey;

use super::compared::Known;
use super::failing::{Failing, What};
use super::{Failure, FailureKind, Hop, HopKind, Lacks, Question, Search, cost};
use crate::last_condition::leaves;
use crate::omissions::About;
use crate::{Code, Datum, Evaluation, Property, Scene, SourceAt, Thrown};

impl Search<'_, '_> {
    pub(crate) fn begin(&mut self, failure: &Failure) {
        let root = self.root(failure);
        self.ask_about_failure(failure, root);
        if let (Some(root), Some(object)) = (root, self.trace.wrongly_filled(failure)) {
            self.hops[root].lacks = Some(Lacks { about: About::Object(object), before: failure.thrown.before });
        }
        if let Some(thrown) = self.trace.quoted_error(failure) {
            self.ask(cost::BRIDGE, Question::Reached { event: thrown.step.id }, root);
        }
        if !failure.thrown.is_explicit && failure.kind == FailureKind::Caught {
            self.ask_about_quoted(failure, root);
        }
    }

    /// Who had the texts that a message quotes: what a library found may be known by that alone.
    fn ask_about_quoted(&mut self, failure: &Failure, root: Option<usize>) {
        (self.parent, self.base) = (root, cost::BRIDGE);
        for quoted in quoted_in(&failure.message).into_iter().take(MOST_QUOTED) {
            self.had_before(None, &Datum::String(quoted.into()), failure.thrown.before);
        }
        self.base = 0.0;
    }

    fn ask_about_failure(&mut self, failure: &Failure, root: Option<usize>) {
        let thrown = &failure.thrown;
        if self.ask_about_comparison(failure, root).is_some() {
            self.ask(cost::CONTROL, Question::Reached { event: thrown.step.id }, root);
            return;
        }
        if thrown.is_explicit {
            let Some(code) = thrown.step.site().and_then(|site| self.trace.code(site)) else { return };
            let value = thrown.step.site().and_then(|site| code.site_facts(site).value);
            self.ask(0.0, Question::Reached { event: thrown.step.id }, root);
            if let Some(value) = value {
                self.ask(cost::MESSAGE, Question::Value { at: thrown.step.id, expression: value, behind: None }, root);
            }
            return;
        }
        match self.trace.failing_expression(thrown, &failure.message) {
            Some(failing) => self.ask_about(&failing, failure, root),
            None => {
                if self.ask_about_assertion(failure, root).is_none() {
                    self.ask_about_statement(thrown, root);
                }
                self.ask(cost::CONTROL, Question::Reached { event: thrown.step.id }, root);
            }
        }
    }

    /// What the statement read in which something threw that no message tells.
    fn ask_about_statement(&mut self, thrown: &Thrown, root: Option<usize>) -> Option<()> {
        let code = self.trace.code(thrown.step.site()?)?;
        let statement = code.site_facts(thrown.step.site()?).statement?;
        let sites = &code.facts.statements[statement as usize].sites;
        let values = sites.iter().filter_map(|site| code.facts.site(*site).value);
        let mut read: Vec<ExprId> = values.flat_map(|value| leaves(&code, value)).collect();
        read.sort_unstable();
        read.dedup();
        for expression in &read {
            let question = Question::Value { at: thrown.step.id, expression: *expression, behind: Some(thrown.before) };
            self.ask(cost::operand(None, read.len(), false), question, root);
        }
        Some(())
    }

    /// The object that lacks the function; the engine found it lacking, whatever the recording has of it.
    fn lacking(&mut self, code: &Code, thrown: &Thrown, object: ExprId, key: &Key, root: Option<usize>) {
        let Key::Name(name) = key else { return };
        let scene = Scene { before: thrown.before, frame: Some(thrown.frame), unit: code.base(), within: None };
        let key = PropertyKey::Name(name.clone());
        if let Ok(Datum::Object(object)) = self.trace.value_in(code, scene, &Evaluation::default(), object)
            && matches!(self.trace.property(object, &key, thrown.before), Property::NotCaptured(_))
        {
            self.ask(cost::COPY, Question::Absent { object, key, before: thrown.before }, root);
        }
    }

    pub(crate) fn root(&mut self, failure: &Failure) -> Option<usize> {
        self.failed = failure.thrown.before;
        self.failing_frame = (failure.kind != FailureKind::Asked).then_some(failure.thrown.frame);
        let focus = match failure.thrown.is_explicit || failure.kind == FailureKind::Asked {
            true => None,
            false => self.trace.failing_expression(&failure.thrown, &failure.message).map(|failing| failing.expression),
        };
        let at = self.trace.source_at(&failure.thrown.step, focus)?;
        // A chain of several lines begins elsewhere than where it failed.
        let is_other_line = |named: &SourceAt| self.trace.position_of(*named).0 != self.trace.position_of(at).0;
        let at = failure.named.filter(is_other_line).unwrap_or(at);
        let (step, subject) = (failure.thrown.step.clone(), failure.message.clone());
        self.tell(Hop { value: failure.error.clone(), ..Hop::new(step, HopKind::Failure, at, subject) })
    }

    fn ask_about(&mut self, failing: &Failing, failure: &Failure, root: Option<usize>) {
        let thrown = &failure.thrown;
        let Some(code) = self.trace.code(failing.unit) else { return };
        let at = failing.at;
        let value = |expression| Question::Value { at, expression, behind: Some(thrown.before) };
        match (&code.expression(failing.expression).node, failing.what) {
            (Node::Member { object, key, .. }, What::NoObject) => {
                self.ask(0.0, value(*object), root);
                if let Key::Computed(key) = key {
                    self.ask(cost::KEY, value(*key), root);
                }
            }
            (Node::Call(call), What::NotCallable) => {
                self.ask(0.0, value(call.callee), root);
                if let Node::Member { object, key, .. } = &code.expression(call.callee).node {
                    self.ask(cost::REFERENCE, value(*object), root);
                    self.lacking(&code, thrown, *object, key, root);
                }
            }
            (_, What::Given) => self.ask(0.0, value(failing.expression), root),
            (Node::Call(call), _) => {
                // A built-in or a library that is not recorded complained about what it was given.
                if self.ask_about_assertion(failure, root) == Some(Known::Difference) {
                    self.ask(cost::CONTROL, Question::Reached { event: thrown.step.id }, root);
                    return;
                }
                let scene = Scene { before: thrown.before, frame: Some(thrown.frame), unit: code.base(), within: None };
                let evaluation = self.evaluation(&thrown.step);
                self.parent = root;
                self.looked_into(&code, scene, &evaluation, call);
            }
            _ => self.ask(0.0, value(failing.expression), root),
        }
        self.ask(cost::CONTROL, Question::Reached { event: thrown.step.id }, root);
    }
}

/// What stands between quotes, each pair of its own kind.
fn quoted_in(message: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = message;
    while let Some(start) = rest.find(['\'', '"', '`']) {
        let quote = rest[start..].chars().next().unwrap_or('"');
        let behind = &rest[start + quote.len_utf8()..];
        let Some(end) = behind.find(quote) else { break };
        found.push(&behind[..end]);
        rest = &behind[end + quote.len_utf8()..];
    }
    found
}

const MOST_QUOTED: usize = 4;
