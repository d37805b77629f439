//! Elements that came out of an iteration: which place of what was gone over held one.

use trace_model::{EventId, ExprId, Node, ObjectClass, ObjectId};
use trace_store::{PropertyKey, Step, Target};

use crate::{Code, Datum, Evaluation, Place, Scene, Trace};

/// A place that an iteration comes by, and what it holds.
pub(super) struct Element {
    pub place: Place,
    pub value: Datum,
}

impl Trace<'_> {
    /// What iterating an object goes over, in its order.
    pub(super) fn elements(&self, object: ObjectId, before: EventId) -> Vec<Element> {
        let Some(contents) = self.contents(object, before) else { return Vec::new() };
        match contents.class {
            Some(ObjectClass::Map) => {
                let entries = contents.entries.into_iter();
                entries.map(|(key, slot)| Element { place: Place::Entry { object, key }, value: slot.value }).collect()
            }
            Some(ObjectClass::Set) => {
                let entries = contents.entries.into_iter();
                entries.map(|(key, _)| Element { value: key.clone(), place: Place::Entry { object, key } }).collect()
            }
            Some(ObjectClass::Function) => Vec::new(),
            _ => {
                let is_list = contents.length.is_some();
                let is_element = |key: &PropertyKey| !is_list || self.is_element(key);
                let properties = contents.properties.into_iter().filter(|(key, _)| is_element(key));
                let place = |key| Place::Property { object, key };
                properties.map(|(key, slot)| Element { place: place(key), value: slot.value }).collect()
            }
        }
    }

    /// The place that an element of a loop or of a pattern was taken from; it was told by an event with its value.
    pub(super) fn place_of_element(
        &self,
        code: &Code,
        scene: Scene,
        evaluation: &Evaluation,
        told: &Step,
        id: ExprId,
    ) -> Option<Place> {
        let value = self.step_value(told)?;
        match &code.expression(id).node {
            Node::Element { of, keys: true, .. } => {
                let object = self.value_in(code, scene, evaluation, *of).ok()?.object()?;
                Some(Place::Property { object, key: self.language().key_of(&value)? })
            }
            Node::Element { of, index: None, is_rest: false, .. } => {
                let elements = self.iterated(code, scene, evaluation, *of);
                self.one_of(&elements, told, &value)
            }
            Node::Element { of, index: Some(index), is_rest: false, .. } => {
                let key = self.element_key(*index);
                self.part_of_element(code, scene, evaluation, *of, &key, &value)
            }
            Node::Member { object, key: trace_model::Key::Name(name), .. } => {
                let key = PropertyKey::Name(name.clone());
                self.part_of_element(code, scene, evaluation, *object, &key, &value)
            }
            _ => None,
        }
    }

    /// Of elements that a pattern took apart at once: the one that has such a part.
    fn part_of_element(
        &self,
        code: &Code,
        scene: Scene,
        evaluation: &Evaluation,
        element: ExprId,
        key: &PropertyKey,
        value: &Datum,
    ) -> Option<Place> {
        let Node::Element { of, index: None, keys: false, .. } = code.expression(element).node else { return None };
        let mut found = None;
        for element in self.iterated(code, scene, evaluation, of) {
            let place = match (&element.place, &element.value) {
                // Each entry of a Map comes as its key and its value.
                (Place::Entry { key: held, .. }, _) if held == value || element.value == *value => element.place,
                (_, Datum::Object(object)) if self.property(*object, key, scene.before).value() == *value => {
                    Place::Property { object: *object, key: key.clone() }
                }
                (Place::Property { .. }, held) if held == value => element.place,
                _ => continue,
            };
            if found.replace(place).is_some() {
                return None;
            }
        }
        found
    }

    /// What an iteration over an expression goes over. Of what code that is not recorded made for it (`map.values()`), that which
    /// this was made of.
    fn iterated(&self, code: &Code, scene: Scene, evaluation: &Evaluation, of: ExprId) -> Vec<Element> {
        let before = scene.before;
        let value = self.value_in(code, scene, evaluation, of).ok().or_else(|| self.given_in_frame(code, scene, of));
        if let Some(Datum::Object(object)) = value {
            let elements = self.elements(object, before);
            if !elements.is_empty() {
                return elements;
            }
        }
        let Node::Call(call) = &code.expression(of).node else { return Vec::new() };
        let receiver = match &code.expression(call.callee).node {
            Node::Member { object, .. } => Some(*object),
            _ => None,
        };
        let given = call.arguments.iter().copied().chain(receiver);
        let objects = given.filter_map(|part| self.value_in(code, scene, evaluation, part).ok()?.object());
        objects.flat_map(|object| self.elements(object, before)).collect()
    }

    /// What a call gave that was made before the loop over it began.
    fn given_in_frame(&self, code: &Code, scene: Scene, of: ExprId) -> Option<Datum> {
        let Node::Call(call) = &code.expression(of).node else { return None };
        let result = [code.global(call.result_site?)];
        self.step_value(&self.last(&Target::SitesInFrame(scene.frame?, &result), scene.before)?)
    }

    /// The element that an event of a loop told of: the one that holds the value; of several, the one before which those stand that
    /// the loop told of before.
    fn one_of(&self, elements: &[Element], told: &Step, value: &Datum) -> Option<Place> {
        let alike: Vec<usize> = (0..elements.len()).filter(|number| elements[*number].value == *value).collect();
        if let [one] = alike[..] {
            return Some(elements[one].place.clone());
        }
        let site = [told.site()?];
        let frame = told.frame?;
        let mut earlier = Vec::new();
        let mut at = told.id;
        while earlier.len() < MOST_COMPARED.min(elements.len()) {
            let Some(step) = self.last(&Target::SitesInFrame(frame, &site), at) else { break };
            at = step.id;
            earlier.push(self.step_value(&step));
        }
        let fits = |number: &usize| {
            let before = elements[..*number].iter().rev().map(|element| Some(&element.value));
            before.zip(earlier.iter().map(Option::as_ref)).all(|(held, told)| held == told)
                && (earlier.len() >= *number || earlier.len() == MOST_COMPARED)
        };
        let mut fitting = alike.into_iter().filter(fits);
        let one = fitting.next()?;
        fitting.next().is_none().then(|| elements[one].place.clone())
    }
}

const MOST_COMPARED: usize = 64;
