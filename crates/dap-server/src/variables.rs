//! Scopes and what is inside of values. A client knows them by numbers, which are good until control moves.

use std::collections::HashMap;

use debugger::{Answer, Child, Elements, Handle, QuestionKind, ScopeKind, ScopeShown, Value, ValueType, Where};
use serde_json::json;

use crate::adapter::{Adapter, Body};
use crate::paging::numbers_of;
use crate::protocol::{NumbersInside, OfFrame, PresentationHint, Scope, Variable, VariablesArguments};
use crate::refusal::Refusal;

/// What numbers stand for. They are never used again, so that an old one is known to be one.
#[derive(Default)]
pub struct References {
    n_given: i64,
    frames: HashMap<i64, Handle>,
    insides: HashMap<i64, Inside>,
    /// What was shown of objects: how the source comes to it, by the number of the object and the name.
    accesses: HashMap<i64, HashMap<String, String>>,
    /// Places by which it is asked where their values came from.
    locations: HashMap<i64, PlaceFound>,
}

/// What can be opened.
#[derive(Clone)]
pub struct Inside {
    pub handle: Handle,
    /// The frame that it was come to from.
    frame: Handle,
    /// How the source would write it; nothing for a scope, whose names stand for themselves.
    path: Option<String>,
    /// The number of an object.
    object: Option<u32>,
    /// Of something large, only this part: its start and its length.
    part: Option<(u64, u64)>,
    /// What of it is in order.
    pub elements: Option<Elements>,
}

/// A place that a variable view shows.
#[derive(Clone)]
pub struct PlaceFound {
    /// As it is asked about: an object is named by its number, whatever leads to it.
    pub place: String,
    /// As a person would name it.
    pub name: String,
    /// From where it is seen.
    pub frame: Handle,
}

impl References {
    pub fn forget(&mut self) {
        self.frames.clear();
        self.insides.clear();
        self.accesses.clear();
        self.locations.clear();
    }

    pub fn add_frame(&mut self, frame: Handle) -> i64 {
        self.n_given += 1;
        self.frames.insert(self.n_given, frame);
        self.n_given
    }

    /// The number of something that has no inside: a line between frames.
    pub fn add_nothing(&mut self) -> i64 {
        self.n_given += 1;
        self.n_given
    }

    pub fn frame(&self, id: i64) -> Option<&Handle> {
        self.frames.get(&id)
    }

    pub fn add_location(&mut self, place: PlaceFound) -> i64 {
        self.n_given += 1;
        self.locations.insert(self.n_given, place);
        self.n_given
    }

    pub fn location(&self, number: i64) -> Option<&PlaceFound> {
        self.locations.get(&number)
    }

    fn add(&mut self, inside: Inside) -> i64 {
        self.n_given += 1;
        self.insides.insert(self.n_given, inside);
        self.n_given
    }

    fn keep_accesses(&mut self, reference: i64, children: &[Child]) {
        let shown = children.iter().filter_map(|child| Some((child.name.clone(), child.access.clone()?)));
        self.accesses.entry(reference).or_default().extend(shown);
    }

    /// The place of something that is inside, and a frame that it is seen from.
    pub fn place_of(&self, reference: i64, name: &str) -> Option<PlaceFound> {
        let around = self.insides.get(&reference)?;
        let frame = around.frame.clone();
        let Some(object) = around.object else {
            return Some(PlaceFound { place: name.to_owned(), name: name.to_owned(), frame });
        };
        let access = self.accesses.get(&reference)?.get(name)?;
        let path = around.path.as_ref().map(|path| format!("{path}{access}"));
        Some(PlaceFound { place: format!("#{object}{access}"), name: path.unwrap_or_else(|| name.to_owned()), frame })
    }
}

impl Adapter {
    pub fn scopes(&mut self, of: &OfFrame) -> Body {
        // A line between frames has none.
        let Some(frame) = self.references.frame(of.frame_id).cloned() else { return Ok(json!({"scopes": []})) };
        let kind = QuestionKind::Scopes { frame: Some(frame.clone()) };
        let Answer::Scopes(scopes) = self.ask(kind, Where::default())?.answer else {
            return Err(Refusal::nothing_open());
        };
        let shown: Vec<Scope> = scopes.into_iter().map(|scope| self.scope(scope, &frame)).collect();
        Ok(json!({"scopes": shown}))
    }

    fn scope(&mut self, scope: ScopeShown, frame: &Handle) -> Scope {
        let of = scope.function.as_deref();
        let (name, presentation_hint) = match (scope.kind, of) {
            (ScopeKind::Local, _) => ("Local".to_owned(), Some("locals")),
            (ScopeKind::Closure, Some(function)) => (format!("Closure ({function})"), None),
            (ScopeKind::Closure, None) => ("Closure".to_owned(), None),
            (ScopeKind::File, _) => ("File".to_owned(), None),
        };
        let opened =
            Inside { handle: scope.handle, frame: frame.clone(), path: None, object: None, part: None, elements: None };
        Scope {
            name,
            presentation_hint,
            variables_reference: self.references.add(opened),
            named_variables: scope.n_variables,
            expensive: false,
        }
    }

    pub fn variables(&mut self, asked: &VariablesArguments) -> Body {
        let Some(around) = self.references.insides.get(&asked.variables_reference).cloned() else {
            return Err(Refusal::new("this is of a moment that control has left: ask for the stack again"));
        };
        let wanted = match asked.filter.as_deref() {
            Some("indexed") => Some(self.indexed(&around, asked.start, asked.count as u64)?),
            Some("named") if around.elements.is_some() => {
                Some(self.named(&around.handle, around.elements, asked.start, asked.count as u64)?)
            }
            _ => None,
        };
        if let Some(children) = wanted {
            return Ok(json!({"variables": self.shown_children(asked.variables_reference, children, &around)}));
        }
        let (first, n_most) = around.part.unwrap_or((0, u64::MAX));
        let start = first + asked.start.min(n_most);
        let limit = match asked.count {
            0 => n_most.min(MOST_SHOWN),
            count => (count as u64).min(n_most - asked.start.min(n_most)),
        };
        let children = self.children_of(&around.handle, start, limit)?;
        let is_cut = asked.count == 0 && children.next.is_some() && (children.items.len() as u64) < n_most;
        let n_all = children.n_all.map(|n_all| n_all.saturating_sub(first).min(n_most));
        let shown: Vec<Variable> = match n_all {
            // Only the first of something large come as they are; the rest is opened part by part.
            Some(n_all) if is_cut && around.part.is_some() => self.parts_of(&around, first, n_all),
            _ => {
                let rest = is_cut.then_some(start + children.items.len() as u64);
                let shown = self.shown_children(asked.variables_reference, children.items, &around);
                shown.into_iter().chain(rest.map(|start| self.rest_of(&around, start))).collect()
            }
        };
        Ok(json!({"variables": shown}))
    }

    fn shown_children(&mut self, reference: i64, children: Vec<Child>, around: &Inside) -> Vec<Variable> {
        self.references.keep_accesses(reference, &children);
        children.into_iter().map(|child| self.variable(reference, child, around)).collect()
    }

    /// What is behind the first of something large. How much that is may take long to find out, and nobody has asked yet.
    fn rest_of(&mut self, around: &Inside, start: u64) -> Variable {
        self.part(around, format!("[{start} …]"), (start, u64::MAX - start))
    }

    /// The rest of something large is shown as parts, which are opened one by one.
    fn parts_of(&mut self, around: &Inside, first: u64, n_all: u64) -> Vec<Variable> {
        let mut length = MOST_SHOWN;
        while n_all.div_ceil(length) > MOST_SHOWN {
            length *= MOST_SHOWN;
        }
        let part = |start: u64| (first + start, length.min(n_all - start));
        let parts = (0..n_all.div_ceil(length)).map(|number| part(number * length));
        parts
            .map(|(start, length)| self.part(around, format!("[{start} … {}]", start + length - 1), (start, length)))
            .collect()
    }

    fn part(&mut self, around: &Inside, name: String, part: (u64, u64)) -> Variable {
        Variable {
            name,
            value: String::new(),
            kind: "",
            variables_reference: self.references.add(Inside { part: Some(part), ..around.clone() }),
            numbers: NumbersInside::default(),
            evaluate_name: None,
            value_location_reference: None,
            presentation_hint: Some(PresentationHint { kind: "virtual" }),
        }
    }

    fn variable(&mut self, reference: i64, child: Child, around: &Inside) -> Variable {
        let path = match (around.object, &around.path, &child.access) {
            (None, ..) => Some(child.name.clone()),
            (Some(_), Some(path), Some(access)) => Some(format!("{path}{access}")),
            (Some(_), ..) => None,
        };
        let variables_reference = match child.handle {
            Some(handle) => {
                let (frame, object, elements) = (around.frame.clone(), child.value.object, child.value.elements);
                self.references.add(Inside { handle, frame, path: path.clone(), object, part: None, elements })
            }
            None => 0,
        };
        let place = self.references.place_of(reference, &child.name);
        Variable {
            name: child.name,
            kind: child.value.kind.name(),
            numbers: numbers_of(child.value.elements.filter(|_| variables_reference > 0)),
            value_location_reference: place.map(|place| self.references.add_location(place)),
            presentation_hint: hint(&child.value),
            value: child.value.text,
            variables_reference,
            evaluate_name: path,
        }
    }

    /// The number by which what is inside a value can be asked for; 0 if it has no inside.
    pub fn reference_to(&mut self, value: &Value, path: &str, frame: Option<&Handle>) -> i64 {
        let Some((frame, object)) = frame.zip(value.object) else { return 0 };
        let Some(handle) = frame.of_object(object) else { return 0 };
        let path = Some(operand(path));
        let (object, elements) = (Some(object), value.elements);
        self.references.add(Inside { handle, frame: frame.clone(), path, object, part: None, elements })
    }
}

/// An expression as it stands before `.name`: `(a || b)`.
fn operand(expression: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_$.#[]".contains(c);
    match expression.chars().all(is_plain) {
        true => expression.to_owned(),
        false => format!("({expression})"),
    }
}

fn hint(value: &Value) -> Option<PresentationHint> {
    match value.kind {
        ValueType::Function => Some(PresentationHint { kind: "method" }),
        _ => None,
    }
}

/// So many are shown at once where the client does not say how many it wants.
const MOST_SHOWN: u64 = 1000;
