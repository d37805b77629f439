//! Something that holds a value, and how a person names it.

use trace_model::{Call, EventId, ExprId, Expression, Key, Node, ObjectClass, ObjectId, VariableIndex, VariableRef};
use trace_store::{PropertyKey, VariablePlace};

use crate::change::key_of;
use crate::evaluate::{Evaluation, Fault, key_text};
use crate::scene::Scene;
use crate::{Code, Datum, Trace};

#[derive(Clone, PartialEq, Debug)]
pub enum Place {
    Variable {
        place: VariablePlace,
        name: String,
    },
    Global {
        name: String,
    },
    /// A property or element.
    Property {
        object: ObjectId,
        key: PropertyKey,
    },
    /// An entry of a Map or Set.
    Entry {
        object: ObjectId,
        key: Datum,
    },
}

impl Place {
    /// The name of a variable or property; elements have none.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Place::Variable { name, .. } | Place::Global { name } => Some(name),
            Place::Property { key: PropertyKey::Name(name), .. } => Some(name),
            Place::Property { .. } | Place::Entry { .. } => None,
        }
    }

    /// In the user's words, as far as the place itself tells.
    pub fn text(&self) -> String {
        match self {
            Place::Variable { name, .. } | Place::Global { name } => name.clone(),
            Place::Property { object, key } => match crate::change::is_index(key) {
                true => format!("#{}[{}]", object.0, key_text(key)),
                false => format!("#{}.{}", object.0, key_text(key)),
            },
            Place::Entry { object, key } => format!("#{}.get({})", object.0, key.text()),
        }
    }
}

impl Trace<'_> {
    /// The place that an expression of a person names. Map and Set entries are written `m.get(key)` and `s.has(element)`.
    pub fn place(&self, scene: Scene, expressions: &[Expression], root: ExprId) -> Result<Place, Fault> {
        match &expressions[root.0 as usize].node {
            Node::Variable(VariableRef::Global(name)) => match self.resolve(scene, name) {
                Some(variable) if self.is_before_declaration(scene, variable) => {
                    Err(Fault::NotInitialised { name: name.clone() })
                }
                Some(variable) => self.variable_as_place(scene, variable, name),
                None if !self.has_global(name) => Err(Fault::NoSuchName { name: name.clone() }),
                None => Ok(Place::Global { name: name.clone() }),
            },
            Node::Member { object, key, .. } => {
                let object_node = &expressions[object.0 as usize].node;
                if let Some(place) = self.imported_member(scene, object_node, key) {
                    return Ok(member_of_module(place, key));
                }
                let base = self.evaluate(scene, expressions, *object)?;
                let key = match key {
                    Key::Name(name) => PropertyKey::Name(name.clone()),
                    Key::Computed(key) => {
                        let value = self.evaluate(scene, expressions, *key)?;
                        key_of(&value).ok_or_else(|| not_a_place("an object is not a key"))?
                    }
                };
                self.property_of(base, key)
            }
            Node::Call(call) => {
                let (object, key) = entry_call(expressions, call).ok_or_else(|| not_a_place("a call is not run"))?;
                let object = self.evaluate(scene, expressions, object)?;
                let object = object.object().ok_or_else(|| not_a_place(NO_COLLECTION))?;
                let key = self.evaluate(scene, expressions, key)?.into_entry_key();
                Ok(Place::Entry { object, key })
            }
            _ => Err(not_a_place("it names no variable, property or element")),
        }
    }

    /// The place that an expression of the code was, in an evaluation that led to the scene.
    pub fn place_in(&self, code: &Code, scene: Scene, evaluation: &Evaluation, id: ExprId) -> Result<Place, Fault> {
        let at = Scene { before: self.moment(code, scene, evaluation, id), ..scene };
        match &code.expression(id).node {
            Node::Variable(VariableRef::Known(variable)) => {
                self.variable_as_place(at, *variable, code.variable_name(*variable))
            }
            Node::Variable(VariableRef::Global(name)) => Ok(Place::Global { name: name.clone() }),
            Node::Member { object, key, .. } => {
                if let Some(place) = self.imported_member(at, &code.expression(*object).node, key) {
                    return Ok(member_of_module(place, key));
                }
                let base = self.value_in(code, scene, evaluation, *object)?;
                let key = match key {
                    Key::Name(name) => PropertyKey::Name(name.clone()),
                    Key::Computed(key) => {
                        let value = self.value_in(code, scene, evaluation, *key)?;
                        key_of(&value).ok_or_else(|| not_a_place("an object is not a key"))?
                    }
                };
                self.property_of(base, key)
            }
            Node::Element { of, index: Some(index), is_rest: false, .. } => {
                let base = self.value_in(code, scene, evaluation, *of)?;
                self.property_of(base, PropertyKey::Name(index.to_string()))
            }
            Node::Call(call) => {
                let entry = entry_call(&code.facts.expressions, call);
                let (object, key) = entry.ok_or_else(|| not_a_place("it names no variable, property or element"))?;
                let object = self.value_in(code, scene, evaluation, object)?.object();
                let object = object.filter(|object| self.is_collection(*object, scene.before));
                let object = object.ok_or_else(|| not_a_place(NO_COLLECTION))?;
                let key = self.value_in(code, scene, evaluation, key)?.into_entry_key();
                Ok(Place::Entry { object, key })
            }
            _ => Err(not_a_place("it names no variable, property or element")),
        }
    }

    /// Whether an object is a Map or Set, or a weak one.
    fn is_collection(&self, object: ObjectId, before: EventId) -> bool {
        let class = self.contents(object, before).and_then(|contents| contents.class);
        class.is_some_and(ObjectClass::has_entries)
    }

    fn property_of(&self, base: Datum, key: PropertyKey) -> Result<Place, Fault> {
        match (base, key) {
            (Datum::Object(object), PropertyKey::Name(name)) if self.global_object() == Some(object) => {
                Ok(Place::Global { name })
            }
            (Datum::Object(object), key) => Ok(Place::Property { object, key }),
            (Datum::String(_) | Datum::LongString { .. }, _) => {
                Err(not_a_place("it is part of a string, which never changes; ask about what holds the string"))
            }
            (base, key) => {
                Err(Fault::NoObject { base: "the object".into(), value: base.text(), key: key_text(&key), at: None })
            }
        }
    }

    fn variable_as_place(&self, scene: Scene, variable: VariableIndex, name: &str) -> Result<Place, Fault> {
        match self.variable_place(scene, variable) {
            Some(place) => Ok(Place::Variable { place, name: name.into() }),
            None => Err(Fault::NotCaptured { what: name.into(), why: "its scope was not recorded".into() }),
        }
    }
}

/// `m.get(key)`, `m.has(key)`: the object and the key.
fn entry_call(expressions: &[Expression], call: &Call) -> Option<(ExprId, ExprId)> {
    let Node::Member { object, key: Key::Name(name), .. } = &expressions[call.callee.0 as usize].node else {
        return None;
    };
    let [key] = call.arguments[..] else { return None };
    matches!(name.as_str(), "get" | "has").then_some((*object, key))
}

fn member_of_module(place: VariablePlace, key: &Key) -> Place {
    let name = match key {
        Key::Name(name) => name.clone(),
        Key::Computed(_) => String::new(),
    };
    Place::Variable { place, name }
}

const NO_COLLECTION: &str = "that is not a Map or Set";

fn not_a_place(why: &str) -> Fault {
    Fault::NotCaptured { what: "the place".into(), why: why.into() }
}
