//! Calls in words: `this.$d[name](arg)` is `this.$d.setMilliseconds(0)` where that is what was called, and `parts.map(f)` of an array is
//! `Array.map`, which is built in.

use trace_model::{BuiltInOwner, Call, Event, EventId, ExprId, Key, Node, Record, VariableRef};
use trace_store::{FrameInfo, PropertyKey, Step};

use crate::{Change, Code, Datum, Evaluation, Scene, Trace};

/// A call of something that is built into the language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuiltInCall {
    /// `Array.map`, `JSON.parse`
    pub name: String,
    /// What it was called on, or else given first, in the words of the source.
    pub given: Option<String>,
}

impl Trace<'_> {
    /// The call that an event belongs to, with the values of its key and arguments where these are plain. `None` if there is none, and
    /// where it is written in another way.
    pub fn called(&self, step: &Step) -> Option<String> {
        let anchor = self.belongs_to(step)?;
        let code = self.code(anchor.site()?)?;
        let Node::Call(call) = &code.expression(code.site_facts(anchor.site()?).value?).node else { return None };
        let id = code.site_facts(anchor.site()?).value?;
        if !code.text(id).ends_with(')') {
            return None;
        }
        let scene = Scene { before: EventId(anchor.id.0 + 1), ..self.scene(&anchor)? };
        let evaluation = self.evaluation(&anchor);
        let arguments = call.arguments.iter().map(|argument| self.argument_words(&code, scene, &evaluation, *argument));
        let arguments: Vec<String> = arguments.collect();
        let new = if call.is_new { "new " } else { "" };
        Some(format!("{new}{}({})", self.callee_words(&code, scene, &evaluation, call), arguments.join(", ")))
    }

    fn callee_words(&self, code: &Code, scene: Scene, evaluation: &Evaluation, call: &Call) -> String {
        let written = one_line(&code.words(call.callee));
        let Node::Member { object, key: Key::Computed(key), .. } = &code.expression(call.callee).node else {
            return written;
        };
        match self.plain(code, scene, evaluation, *key) {
            Some(Datum::String(name)) if self.language().text_of_key(&name) == *name => {
                format!("{}.{name}", one_line(&code.words(*object)))
            }
            Some(value) => format!("{}[{}]", one_line(&code.words(*object)), self.text(&value)),
            None => written,
        }
    }

    fn argument_words(&self, code: &Code, scene: Scene, evaluation: &Evaluation, argument: ExprId) -> String {
        let is_literal = matches!(code.expression(argument).node, Node::Literal(_));
        let value =
            self.plain(code, scene, evaluation, argument).filter(|_| !is_literal).map(|value| self.text(&value));
        let value = value.filter(|value| value.chars().count() <= LONGEST_VALUE);
        value.unwrap_or_else(|| one_line(&code.words(argument)))
    }

    /// The value of a name or a member, where it is no object: nothing that is evaluated in between can make it another.
    fn plain(&self, code: &Code, scene: Scene, evaluation: &Evaluation, id: ExprId) -> Option<Datum> {
        if !is_simple(code, id) {
            return None;
        }
        let value = self.value_in(code, scene, evaluation, id).ok()?;
        let is_plain = matches!(
            value,
            Datum::Undefined | Datum::Null | Datum::Bool(_) | Datum::Number(_) | Datum::String(_) | Datum::BigInt(_)
        );
        is_plain.then_some(value)
    }

    /// What is built in that the call of an event called, if that is what it called.
    pub fn built_in_called(&self, step: &Step) -> Option<BuiltInCall> {
        let (code, anchor, id) = match &step.event {
            Event::Record(Record::Look { .. } | Record::Effect { .. }) => self.effect_call(step)?,
            _ => {
                let code = self.code(step.site()?)?;
                let id = code.site_facts(step.site()?).value?;
                (code, step.clone(), id)
            }
        };
        self.built_in_call(&code, &anchor, id)
    }

    pub(crate) fn built_in_call(&self, code: &Code, anchor: &Step, id: ExprId) -> Option<BuiltInCall> {
        let Node::Call(call) = &code.expression(id).node else { return None };
        let first = call.arguments.first().map(|argument| one_line(&code.words(*argument)));
        let Node::Member { object, key: Key::Name(name), .. } = &code.expression(call.callee).node else {
            let Node::Variable(VariableRef::Global(name)) = &code.expression(call.callee).node else { return None };
            let name = self.language().name_of_built_in(BuiltInOwner::Nothing, name)?;
            return Some(BuiltInCall { name, given: first });
        };
        if let Node::Variable(VariableRef::Global(owner)) = &code.expression(*object).node
            && let Some(name) = self.language().name_of_built_in(BuiltInOwner::Global(owner), name)
        {
            return Some(BuiltInCall { name, given: first });
        }
        let evaluation = self.evaluation(anchor);
        let owner = match self.value_in(code, self.scene(anchor)?, &evaluation, *object).ok()? {
            Datum::String(_) | Datum::LongString { .. } => BuiltInOwner::Text,
            Datum::Object(object) => BuiltInOwner::Object(self.contents(object, anchor.id)?.class?),
            _ => return None,
        };
        let name = self.language().name_of_built_in(owner, name)?;
        Some(BuiltInCall { name, given: Some(one_line(&code.words(*object))) })
    }
}

impl Trace<'_> {
    /// What a built-in was given for a key by a function that it called back, where one alone gave it: the reviver of `JSON.parse`.
    pub(crate) fn given_to_built_in(&self, seen: &Change, key: &PropertyKey) -> Option<Step> {
        let value = seen.new.as_ref()?;
        // The object is seen by the function that is called back, or by who gets it in the end.
        let caller = self.caller(&self.frame(seen.step.frame?)?);
        let calls = caller.map(|caller| (caller.code, caller.step, caller.call)).into_iter();
        let (code, anchor, id) = calls.chain(self.effect_call(&seen.step)).find(|(code, anchor, id)| {
            let built_in = self.built_in_call(code, anchor, *id);
            built_in.is_some_and(|built_in| self.language().stores_what_is_given(&built_in.name))
        })?;
        let Node::Call(call) = &code.expression(id).node else { return None };
        let began = call.call_site.and_then(|site| self.evaluation(&anchor).event(site)).unwrap_or(anchor.id);
        let calls = self.calls_from(anchor.frame, began).take_while(|called| called.entered < seen.step.id);
        let is_of_key = |called: &FrameInfo| {
            let mut given = self.parameters(called).into_iter().map(|(_, value)| value);
            given.any(|given| self.language().key_of(&given).as_ref() == Some(key))
        };
        let calls: Vec<FrameInfo> = calls.take(MOST_CALL_BACKS).filter(is_of_key).collect();
        let mut given = calls.iter().filter_map(|called| self.given(called));
        let first = given.find(|given| self.step_value(given).as_ref() == Some(value))?;
        given.all(|other| self.step_value(&other).as_ref() != Some(value)).then_some(first)
    }
}

const MOST_CALL_BACKS: usize = 4096;

/// Whether reading an expression runs nothing but, perhaps, a getter, whose value is not known then.
fn is_simple(code: &Code, id: ExprId) -> bool {
    match &code.expression(id).node {
        Node::Literal(_) | Node::Variable(_) | Node::This => true,
        Node::Member { object, key: Key::Name(_), .. } => is_simple(code, *object),
        _ => false,
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

const LONGEST_VALUE: usize = 30;
