//! Code that ran in this thread and whose writes are not all told: what an indirect `eval` compiled, which is not recorded, and
//! code in another context, which writes the object that is its global one as variables.

use std::collections::HashMap;

use trace_model::{CodeKind, EventId, Literal, Node, ObjectId, SiteId, SourceCode, Span, VariableRef, Writes};
use trace_store::{PropertyKey, Target};

use crate::evaluate::Evaluation;
use crate::{Code, Contents, Datum, Property, Trace};

pub(crate) const IN_CONTEXT: &str = "it is a global of code in another context, whose writes to it are not recorded";

/// What such code may have written.
#[derive(Default)]
pub(crate) struct UnseenWrites {
    /// From when on, and what.
    evaluated: Vec<(EventId, Writes)>,
    /// Since when an object is the global object of a context.
    contexts: HashMap<ObjectId, EventId>,
    /// Whether there are any, known or not.
    has_contexts: bool,
}

impl Trace<'_> {
    /// Whether what an indirect `eval` compiled may have written a property, or a global, of this name.
    pub(crate) fn may_be_evaluated(&self, key: &PropertyKey, before: EventId) -> bool {
        self.unseen_writes().is_some_and(|unseen| {
            unseen.evaluated.iter().any(|(since, writes)| {
                let is_named = matches!(key, PropertyKey::Name(name) if writes.names.contains(name));
                *since < before && (writes.any_property || is_named)
            })
        })
    }

    /// Whether what an indirect `eval` compiled names a global.
    pub(crate) fn is_named_by_evaluated(&self, name: &str) -> bool {
        self.unseen_writes()
            .is_some_and(|unseen| unseen.evaluated.iter().any(|(_, writes)| writes.names.contains(name)))
    }

    pub(crate) fn has_evaluated(&self, before: EventId) -> bool {
        self.unseen_writes().is_some_and(|unseen| unseen.evaluated.iter().any(|(since, _)| *since < before))
    }

    /// Whether code in another context may have changed a property since the event that tells of it.
    pub(crate) fn may_be_changed_in_context(&self, object: ObjectId, known: &Property, before: EventId) -> bool {
        let Some(since) = self.context_since(object).filter(|since| *since < before) else { return false };
        let told = known.since().map_or(since, |step| step.id);
        // Making the context calls something, and so does whatever has its code run.
        told < since || self.calls_between(told, before)
    }

    pub(crate) fn leave_out_contexts(&self, contents: &mut Contents, before: EventId) {
        if self.context_since(contents.object).is_none_or(|since| since >= before) {
            return;
        }
        contents.is_complete = false;
        for (_, slot) in &mut contents.properties {
            let Some(since) = self.thread.step(slot.since) else { continue };
            let known = Property::Own { value: slot.value.clone(), since };
            if self.may_be_changed_in_context(contents.object, &known, before) {
                slot.value = Datum::NotCaptured;
            }
        }
    }

    /// Whether some contexts have globals of their own, and one of a name is written by code that may run in any.
    pub(crate) fn is_global_of_contexts(&self, writers: &[SiteId]) -> bool {
        let is_script =
            |site: &SiteId| self.thread.code().unit(*site).is_some_and(|unit| unit.record.kind == CodeKind::Script);
        writers.iter().any(is_script) && self.unseen_writes().is_some_and(|unseen| unseen.has_contexts)
    }

    fn unseen_writes(&self) -> Option<&UnseenWrites> {
        self.remembered_unseen_writes(|| self.find_elsewhere())
    }

    fn context_since(&self, object: ObjectId) -> Option<EventId> {
        self.unseen_writes()?.contexts.get(&object).copied()
    }

    fn find_elsewhere(&self) -> UnseenWrites {
        let mut found = UnseenWrites::default();
        for unit in self.thread.code().units() {
            let Some(source) = unit.code().ok().and_then(|code| code.source().ok()) else { continue };
            let (evaluates, makes_contexts) =
                (self.language().may_evaluate(source), self.language().may_make_contexts(source));
            if !evaluates && !makes_contexts {
                continue;
            }
            let Some(code) = self.code(unit.record.base) else { continue };
            if evaluates {
                self.find_evaluated(&code, &mut found);
            }
            if makes_contexts {
                self.find_contexts(&code, &mut found);
            }
        }
        found
    }

    fn find_evaluated(&self, code: &Code, found: &mut UnseenWrites) {
        for expression in &code.facts.expressions {
            let Node::Call(call) = &expression.node else { continue };
            let Some(site) = call.call_site.filter(|_| self.is_indirect_eval(code, call)) else { continue };
            let site = [code.global(site)];
            let Some(first) = self.next(&Target::Sites(&site), self.thread.first_event()) else { continue };
            let text = call.arguments.first().map(|text| &code.expression(*text).node);
            let writes = match text {
                Some(Node::Literal(Literal::String(text))) => {
                    let whole = [Span { start: 0, end: u32::MAX }];
                    let evaluated = SourceCode { source: text, kind: CodeKind::Script, path: "", made: None };
                    self.language().writes_in(evaluated, &whole).ok().and_then(|mut of| of.pop())
                }
                None | Some(Node::Literal(_)) => Some(Writes::default()),
                _ => None,
            };
            let writes = writes.unwrap_or(Writes { any_property: true, ..Writes::default() });
            if !writes.is_empty() {
                found.evaluated.push((first.id, writes));
            }
        }
    }

    fn is_indirect_eval(&self, code: &Code, call: &trace_model::Call) -> bool {
        let is_named =
            |node: &Node, name: &str| matches!(node, Node::Variable(VariableRef::Global(own)) if own == name);
        match &code.expression(call.callee).node {
            Node::Sequence(parts) => parts.last().is_some_and(|last| is_named(&code.expression(*last).node, "eval")),
            Node::Member { object, key: trace_model::Key::Name(key), .. } if key == "eval" => {
                let object = &code.expression(*object).node;
                self.language().names_of_global_object().iter().any(|name| is_named(object, name))
            }
            callee => call.is_optional && is_named(callee, "eval"),
        }
    }

    fn find_contexts(&self, code: &Code, found: &mut UnseenWrites) {
        for expression in &code.facts.expressions {
            let Node::Call(call) = &expression.node else { continue };
            let Some(site) = call.call_site.filter(|_| self.language().makes_context(code.text(call.callee))) else {
                continue;
            };
            let site = [code.global(site)];
            let mut from = self.thread.first_event();
            while let Some(step) = self.next(&Target::Sites(&site), from)
                && found.contexts.len() < MOST_CONTEXTS
            {
                from = EventId(step.id.0 + 1);
                found.has_contexts = true;
                self.rests_on_everything("what code in another context writes is not recorded");
                let Some(scene) = self.scene(&step) else { continue };
                for argument in &call.arguments {
                    let value = self.value_in(code, scene, &Evaluation::default(), *argument);
                    if let Ok(Datum::Object(object)) = value {
                        found.contexts.entry(object).or_insert(step.id);
                    }
                }
            }
        }
    }
}

const MOST_CONTEXTS: usize = 1000;
