//! What a failing assertion was about, whatever its style: the values that its call chain was given, in the order of the source.
//!
//! `assert.equal(a, b)`, `expect(a).to.equal(b)`, `a.should.equal(b)`, `expect(a).to.be.true` and `check(a)` are all chains of calls and
//! members that end in what threw. What a library was given on the way is a candidate, and so is what the chain begins with, unless
//! that is the library itself.

use trace_model::{EventId, ExprId, FrameId, Node, ObjectClass, ObjectId};
use trace_store::Step;

use super::Failure;
use super::value::is_constant;
use crate::{Code, Datum, Evaluation, Scene, Trace};

/// Something that an assertion was given.
#[derive(Clone, Debug)]
pub(super) struct Given {
    /// An event whose evaluation the expression belongs to.
    pub at: EventId,
    pub expression: ExprId,
    pub value: Option<Datum>,
    /// Written out in the assertion.
    pub is_constant: bool,
}

impl Given {
    /// Whether the recording does not tell what it was.
    pub fn is_unknown(&self) -> bool {
        !self.is_constant && matches!(self.value, None | Some(Datum::NotCaptured | Datum::Accessor))
    }
}

impl Trace<'_> {
    /// What the assertion that failed was given, by the frames of the project on the way to it, the innermost first.
    pub(super) fn given_to_assertion(&self, failure: &Failure) -> Vec<Vec<Given>> {
        let before = failure.thrown.before;
        let mut found = Vec::new();
        let mut frame = self.frame(failure.thrown.frame);
        for _ in 0..MOST_FRAMES {
            let Some(info) = frame else { break };
            if self.is_own(info.unit) {
                // What was reported later is about the statement that it names, wherever the frame came since.
                let known = (info.frame == failure.thrown.frame).then(|| failure.thrown.step.clone());
                found.extend(self.given_in(info.frame, known, before).filter(|given| !given.is_empty()));
            }
            frame = self.caller_of(&info).and_then(|caller| self.frame(caller));
        }
        found
    }

    fn given_in(&self, frame: FrameId, known: Option<Step>, before: EventId) -> Option<Vec<Given>> {
        let step = known.or_else(|| self.previous_in_frame(frame, before))?;
        let code = self.code(step.site()?)?;
        let end = self.end_of_assertion(&code, &step, before)?;
        let chain = Chain {
            trace: self,
            code: &code,
            evaluation: self.evaluation(&step),
            scene: Scene { before, frame: Some(frame), unit: code.base(), within: None },
        };
        let given = chain.given(end).into_iter().map(|expression| Given {
            at: step.id,
            expression,
            value: chain.value(expression),
            is_constant: is_constant(&code, expression),
        });
        Some(given.collect())
    }

    /// The call or the member that a chain ends in which failed.
    pub(crate) fn end_of_assertion(&self, code: &Code, step: &Step, before: EventId) -> Option<ExprId> {
        self.open_call(code, step, before).or_else(|| self.last_member(code, step))
    }

    /// `expect(a).to.be.true;` calls nothing at its end: the statement is a member, and a getter threw.
    fn last_member(&self, code: &Code, step: &Step) -> Option<ExprId> {
        let statement = &code.facts.statements[code.site_facts(step.site()?).statement? as usize];
        let inside = (0..).zip(&code.facts.expressions).filter(|(_, expression)| {
            let is_inside = statement.span.start <= expression.span.start && expression.span.end <= statement.span.end;
            is_inside && expression.function == statement.function && matches!(expression.node, Node::Member { .. })
        });
        let widest = inside.max_by_key(|(_, expression)| expression.span.end - expression.span.start)?;
        Some(ExprId(widest.0))
    }

    /// Whether an object was made by code of the project.
    fn is_own_object(&self, object: ObjectId) -> bool {
        let birth = self.birth(object);
        birth.and_then(|birth| birth.site()).and_then(|site| self.site(site)).is_some_and(|site| {
            let unit = site.unit.record.base;
            self.is_own(unit)
        })
    }

    /// Functions, and objects that are little else than functions, are what a library is known by.
    pub(super) fn is_name_of_library(&self, object: ObjectId, before: EventId) -> bool {
        self.is_function(object) == Some(true) || self.has_mostly_functions(object, before)
    }

    fn has_mostly_functions(&self, object: ObjectId, before: EventId) -> bool {
        let Some(contents) = self.contents(object, before) else { return false };
        let is_function = |value: &Datum| value.object().is_some_and(|it| self.is_function(it) != Some(false));
        let n_functions = contents.properties.iter().filter(|(_, slot)| is_function(&slot.value)).count();
        contents.class == Some(ObjectClass::Plain) && n_functions > 2 && 2 * n_functions > contents.properties.len()
    }
}

/// The statement that a chain stands in, and when.
struct Chain<'t, 'a> {
    trace: &'t Trace<'a>,
    code: &'t Code<'a>,
    evaluation: Evaluation,
    scene: Scene,
}

impl Chain<'_, '_> {
    /// What went into the chain that ends in a call or a member, from its beginning on.
    fn given(&self, end: ExprId) -> Vec<ExprId> {
        let mut links: Vec<Vec<ExprId>> = Vec::new();
        let mut n_members = 0;
        let mut at = end;
        let mut is_end = true;
        loop {
            match &self.code.expression(at).node {
                _ if !is_end && self.is_subject(at, n_members) => {
                    links.push(vec![at]);
                    break;
                }
                Node::Call(call) => {
                    links.push(call.arguments.clone());
                    at = call.callee;
                    n_members = 0;
                    if let Node::Member { object, .. } = &self.code.expression(at).node {
                        at = *object;
                        n_members = 1;
                    }
                }
                Node::Member { object, .. } => {
                    at = *object;
                    n_members += 1;
                }
                _ => break,
            }
            is_end = false;
        }
        links.into_iter().rev().flatten().collect()
    }

    /// Whether a chain begins with what is asserted about, rather than with a library: `n_members` were read from it.
    fn is_subject(&self, id: ExprId, n_members: u32) -> bool {
        let value = self.value(id);
        match (&self.code.expression(id).node, &value) {
            _ if n_members == 0 => false,
            (Node::Call(_), _) if self.enters_own_code(id) => true,
            (Node::Function(_), _) | (_, None | Some(Datum::NotCaptured | Datum::Accessor)) => false,
            (_, Some(Datum::Object(object))) => {
                if self.trace.is_name_of_library(*object, self.scene.before) {
                    return false;
                }
                let is_root = !matches!(self.code.expression(id).node, Node::Call(_) | Node::Member { .. });
                self.trace.is_own_object(*object) || is_root && n_members > 1
            }
            (_, Some(_)) => !is_constant(self.code, id),
        }
    }

    fn enters_own_code(&self, id: ExprId) -> bool {
        let Some(frame) = self.scene.frame else { return false };
        let callee = self.trace.callee_frame(self.code, frame, &self.evaluation, id, self.scene.before);
        callee.is_some_and(|callee| self.trace.is_own(callee.unit))
    }

    fn value(&self, id: ExprId) -> Option<Datum> {
        let value = self.trace.value_in(self.code, self.scene, &self.evaluation, id).ok();
        value.or_else(|| self.trace.given_by(self.code, self.scene, &self.evaluation, id))
    }
}

const MOST_FRAMES: usize = 1000;
