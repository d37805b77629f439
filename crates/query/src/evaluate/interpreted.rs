//! Built-ins that a person types, interpreted over the recorded state: the language says what they give, this what they read.

use std::cell::RefCell;

use trace_model::{
    Call, Callee, ExprId, Key, Member, MethodOf, Node, ObjectClass, ObjectId, ObjectsThen, Prototype, Reading, Unknown,
    VariableRef, cancel,
};
use trace_store::PropertyKey;

use super::{Evaluator, Fault};
use crate::Datum;

/// What the functions around an expression were given. Names are found from the innermost on.
pub(super) struct Locals<'l> {
    pub given: &'l [Datum],
    names: RefCell<Vec<(String, Datum)>>,
    around: Option<&'l Locals<'l>>,
}

impl<'e> Evaluator<'e, '_> {
    pub(super) fn local(&self, name: &str) -> Option<Datum> {
        let mut scopes = std::iter::successors(self.locals, |locals| locals.around);
        scopes.find_map(|locals| {
            let names = locals.names.borrow();
            names.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.clone())
        })
    }

    /// A value, unless only that there is one was recorded.
    pub(super) fn recorded(&self, id: ExprId, value: Datum) -> Result<Datum, Fault> {
        match value {
            Datum::NotCaptured => Err(self.not_captured(id, "its value was not recorded")),
            value => Ok(value),
        }
    }

    /// `Math.PI`
    pub(super) fn constant(&self, object: ExprId, key: &Key) -> Option<Datum> {
        let (Node::Variable(VariableRef::Global(namespace)), Key::Name(name)) = (&self.expression(object).node, key)
        else {
            return None;
        };
        self.is_of_language(namespace).then(|| self.trace.language().constant_of(namespace, name)).flatten()
    }

    /// Whether a name that a person typed is that of the language, and no variable of the program hides it.
    fn is_of_language(&self, name: &str) -> bool {
        self.code.is_none() && self.local(name).is_none() && self.trace.resolve(self.scene, name).is_none()
    }

    pub(super) fn call(&self, id: ExprId, call: &Call) -> Result<Datum, Fault> {
        let language = self.trace.language();
        let callee = self.expression(call.callee);
        let (object, name, is_optional) = match &callee.node {
            Node::Member { object, key: Key::Name(name), is_optional } => (*object, name, *is_optional),
            Node::Variable(VariableRef::Global(name)) if self.is_of_language(name) => {
                return self.interpret(id, Callee::Function { namespace: None, name }, call);
            }
            _ => return Err(self.not_captured(id, "it is a function of the program, and nothing is run")),
        };
        if let Node::Variable(VariableRef::Global(namespace)) = &self.expression(object).node
            && language.is_namespace(namespace)
            && self.is_of_language(namespace)
        {
            let callee = Callee::Function { namespace: Some(namespace), name };
            return match language.only_reads(Some(namespace), name) {
                true => self.interpret(id, callee, call),
                false => Err(self.not_captured(id, "it is not among the built-ins that are interpreted")),
            };
        }
        if language.entry_access(name).is_some() {
            return self.entry(id, call);
        }
        let receiver = match self.base(object, callee.span)? {
            None => return Ok(Datum::Undefined),
            Some(base) if is_optional && base.is_nullish() => return Ok(Datum::Undefined),
            Some(base) => base,
        };
        if receiver.is_nullish() {
            let value = self.trace.text(&receiver);
            return Err(Fault::NoObject { base: self.text(object), value, key: name.clone(), at: Some(id) });
        }
        self.interpret(id, Callee::Method { receiver: &receiver, name }, call)
    }

    fn interpret(&self, id: ExprId, callee: Callee, call: &Call) -> Result<Datum, Fault> {
        let (mut given, mut function) = (Vec::new(), None);
        for argument in &call.arguments {
            match self.function(*argument) {
                Some(_) if function.is_some() => {
                    return Err(self.not_captured(id, "more than one function is given"));
                }
                Some(found) => {
                    function = Some((given.len(), found));
                    given.push(Datum::Undefined);
                }
                None => match &self.expression(*argument).node {
                    Node::Spread(of) => given.extend(self.iterated(id, &self.value(*of)?)?),
                    _ => given.push(self.value(*argument)?),
                },
            }
        }
        let reading = ReadingAt { evaluator: self, id, function, fault: RefCell::default() };
        let answer = self.trace.language().call(callee, &given, &reading);
        // What could not be read says more than what wanted to read it.
        match reading.fault.into_inner() {
            Some(fault) if answer.is_err() => Err(fault),
            _ => answer.map_err(|why| self.not_captured(id, &why)),
        }
    }

    /// A function as an argument: one that was typed, or one of the language.
    fn function(&self, argument: ExprId) -> Option<Function<'e>>
    where
        Self: 'e,
    {
        match &self.expressions[argument.0 as usize].node {
            Node::Arrow { bindings, body } => Some(Function::Typed { bindings, body: *body }),
            Node::Variable(VariableRef::Global(name))
                if self.trace.language().only_reads(None, name) && self.is_of_language(name) =>
            {
                Some(Function::OfLanguage(name))
            }
            _ => None,
        }
    }

    fn call_function(&self, function: Function, given: &[Datum]) -> Result<Datum, Fault> {
        cancel::check();
        let (bindings, body) = match function {
            Function::Typed { bindings, body } => (bindings, body),
            Function::OfLanguage(name) => {
                let reading = ReadingAt { evaluator: self, id: ExprId(0), function: None, fault: RefCell::default() };
                let answer = self.trace.language().call(Callee::Function { namespace: None, name }, given, &reading);
                return answer.map_err(|why| Fault::NotCaptured { what: name.to_owned(), why: why.into_owned() });
            }
        };
        let locals = Locals { given, names: RefCell::default(), around: self.locals };
        let inner = Evaluator { locals: Some(&locals), ..*self };
        for (name, part) in bindings {
            let value = inner.value(*part)?;
            locals.names.borrow_mut().push((name.clone(), value));
        }
        inner.value(body)
    }
}

#[derive(Clone, Copy)]
enum Function<'e> {
    Typed { bindings: &'e [(String, ExprId)], body: ExprId },
    OfLanguage(&'e str),
}

/// The state for a built-in.
struct ReadingAt<'r, 'e, 'a> {
    evaluator: &'r Evaluator<'e, 'a>,
    id: ExprId,
    /// With its place among what is given.
    function: Option<(usize, Function<'r>)>,
    /// Why something could not be read.
    fault: RefCell<Option<Fault>>,
}

impl ReadingAt<'_, '_, '_> {
    fn told<T>(&self, read: Result<T, Fault>) -> Result<T, Unknown> {
        read.map_err(|fault| {
            let why = fault.to_string();
            *self.fault.borrow_mut() = Some(fault);
            why.into()
        })
    }

    /// Whether all that an object has is known, and this is not among it.
    fn lacks(&self, object: ObjectId, name: &str) -> bool {
        let contents = self.evaluator.trace.contents(object, self.evaluator.scene.before);
        contents.is_some_and(|contents| {
            contents.is_complete && !contents.properties.iter().any(|(key, _)| key.is_name(name))
        })
    }

    fn key(name: &str) -> PropertyKey {
        PropertyKey::Name(name.to_owned())
    }
}

impl Reading for ReadingAt<'_, '_, '_> {
    fn iterated(&self, of: &Datum) -> Result<Vec<Datum>, Unknown> {
        self.told(self.evaluator.iterated(self.id, of))
    }

    fn elements(&self, of: &Datum) -> Result<Vec<Datum>, Unknown> {
        match of {
            Datum::Object(object) if self.evaluator.has_holes(*object) => {
                Err("elements of the list are missing".into())
            }
            of => self.iterated(of),
        }
    }

    fn own_values(&self, of: &Datum) -> Result<Vec<(String, Datum)>, Unknown> {
        match of {
            Datum::Object(object) => self.told(self.evaluator.own_values(self.id, *object)),
            of => self.told(self.evaluator.copied(self.id, of)),
        }
    }

    fn class(&self, object: ObjectId) -> Option<ObjectClass> {
        let trace = self.evaluator.trace;
        match trace.is_function(object) {
            Some(true) => Some(ObjectClass::Function),
            _ => trace.contents(object, self.evaluator.scene.before)?.class,
        }
    }

    fn method(&self, object: ObjectId, name: &str) -> Result<MethodOf, Unknown> {
        let then = self.evaluator.objects_then();
        let mut holder = object;
        for _ in 0..MOST_PROTOTYPES {
            match then.own_member(holder, &Self::key(name)) {
                Member::Held(_) => return Ok(MethodOf::Program),
                Member::NotCaptured(why) if !self.lacks(holder, name) => return Err(why.into()),
                Member::NotCaptured(_) | Member::Absent => {}
            }
            match then.prototype(holder) {
                Prototype::BuiltIn => return Ok(MethodOf::Language),
                Prototype::Object(prototype) => holder = prototype,
                Prototype::None => return Ok(MethodOf::Nobody),
                Prototype::Unknown => return Err("the prototype of an object was not recorded".into()),
            }
        }
        Err("the prototype of an object was not recorded".into())
    }

    fn own_member(&self, object: ObjectId, name: &str) -> Member {
        self.evaluator.objects_then().own_member(object, &Self::key(name))
    }

    fn stands_for(&self, object: ObjectId) -> Option<Datum> {
        self.evaluator.trace.contents(object, self.evaluator.scene.before)?.stands_for
    }

    fn function_place(&self) -> Option<usize> {
        self.function.map(|(place, _)| place)
    }

    fn call(&self, given: &[Datum]) -> Result<Datum, Unknown> {
        match self.function {
            Some((_, function)) => self.told(self.evaluator.call_function(function, given)),
            None => Err("no function is given".into()),
        }
    }
}

const MOST_PROTOTYPES: usize = 32;
