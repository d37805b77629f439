//! Whether two calls put the same question: the same inputs, and the same effects, up to the numbers of objects.

use std::collections::HashMap;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

use trace_model::{ObjectClass, ObjectId};

use super::effects::fields;
use super::{Around, CallEffects, CallEnd};
use crate::{Contents, Datum};

/// Two are the same question if both parts are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fingerprint {
    pub inputs: u128,
    pub effects: u128,
    /// Whether nothing of either is unknown. What is not tells nothing of other calls.
    pub is_complete: bool,
    /// Whether functions are part of it: they are told by their numbers, which another run gives to others.
    pub has_functions: bool,
}

pub fn fingerprint(call: &CallEffects, around: &Around) -> Fingerprint {
    let mut inputs = Telling::new(call, around, false);
    // One that has no use for its receiver may be wrong in that.
    inputs.value("this", call.this.as_ref());
    for argument in &call.arguments {
        inputs.value(&argument.name, Some(&argument.entry));
    }
    let outer = || call.variables.iter().filter(|variable| !variable.is_local);
    for variable in outer() {
        inputs.value(&variable.name, variable.entry.as_ref());
    }
    for value in &call.exchanged.got {
        inputs.value("got", Some(value));
    }
    for (name, value) in &around.variables {
        inputs.value(name, Some(value));
    }
    inputs.objects();

    // Objects keep the numbers that the inputs gave them.
    let mut effects = Telling { text: String::new(), is_exit: true, n_told: 0, ..inputs };
    let inputs = std::mem::take(&mut effects.inputs);
    match &call.end {
        CallEnd::Returned(value) => effects.value("returned", Some(value)),
        CallEnd::Threw(value) => effects.value("threw", value.as_ref()),
        CallEnd::Unfinished => effects.value("unfinished", None),
    }
    for variable in outer() {
        effects.value(&variable.name, variable.exit.as_ref());
    }
    for value in &call.exchanged.given {
        effects.value("gave", Some(value));
    }
    effects.objects();
    for text in &call.output {
        effects.value("output", Some(&Datum::String(text.as_str().into())));
    }
    let (has_lost, has_functions) = (effects.has_lost, effects.has_functions);
    // What was changed and cannot be reached was an input that nobody knows.
    let is_reachable = call.objects.values().all(|states| states.place.is_some());
    let is_told = call.unknown.is_empty() && !call.exchanged.is_cut && !around.is_cut && !has_lost;
    Fingerprint {
        inputs: hash(&inputs),
        effects: hash(&effects.text),
        is_complete: is_told && is_reachable && !call.is_fickle,
        has_functions,
    }
}

/// Tells values and the objects that they lead to, as a text that two runs tell alike.
struct Telling<'c> {
    call: &'c CallEffects,
    around: &'c Around,
    text: String,
    /// What was told of the inputs.
    inputs: String,
    is_exit: bool,
    numbers: HashMap<ObjectId, usize>,
    order: Vec<ObjectId>,
    n_told: usize,
    has_lost: bool,
    has_functions: bool,
}

impl<'c> Telling<'c> {
    fn new(call: &'c CallEffects, around: &'c Around, is_exit: bool) -> Telling<'c> {
        Telling {
            call,
            around,
            text: String::new(),
            inputs: String::new(),
            is_exit,
            numbers: HashMap::new(),
            order: Vec::new(),
            n_told: 0,
            has_lost: false,
            has_functions: false,
        }
    }

    fn value(&mut self, name: &str, value: Option<&Datum>) {
        let text = value.map(|value| self.text_of(value));
        let _ = writeln!(self.text, "{name} {text:?}");
    }

    fn text_of(&mut self, value: &Datum) -> String {
        match value {
            Datum::Object(object) => {
                let n_known = self.numbers.len();
                let number = *self.numbers.entry(*object).or_insert(n_known);
                if number == n_known {
                    self.order.push(*object);
                }
                format!("#{number}")
            }
            value if !value.is_known() || matches!(value, Datum::Symbol(..)) => {
                self.has_lost = true;
                self.call.language.text(value)
            }
            // As people see it, it is cut.
            Datum::String(text) => format!("{text:?}"),
            Datum::Number(number) => format!("{number:?}"),
            value => self.call.language.text(value),
        }
    }

    /// The contents of all objects that were named, and of those that they name.
    fn objects(&mut self) {
        while let Some(object) = self.order.get(self.n_told).copied() {
            self.n_told += 1;
            let known = self.call.objects.get(&object).or_else(|| self.around.objects.get(&object));
            let Some(states) = known else {
                self.function(object);
                continue;
            };
            if states.any().is_some_and(|contents| contents.class == Some(ObjectClass::Function)) {
                self.function(object);
            }
            match if self.is_exit { &states.exit } else { &states.entry } {
                Some(contents) => self.contents(contents),
                None => self.text.push_str("?\n"),
            }
        }
        if !self.is_exit {
            self.inputs = std::mem::take(&mut self.text);
        }
    }

    /// What a function keeps in variables is told among those around. One whose source is not known is told by its number, as is
    /// what a call was resumed with and did not keep.
    fn function(&mut self, object: ObjectId) {
        let text = self.around.functions.get(&object).cloned();
        self.has_functions |= text.is_none();
        let _ = writeln!(self.text, "function {}", text.unwrap_or_else(|| object.0.to_string()));
    }

    fn contents(&mut self, contents: &Contents) {
        let _ = writeln!(self.text, "{:?} {:?} {:?}", contents.class, contents.name, contents.length);
        if let Some(prototype) = contents.prototype.filter(|prototype| self.call.objects.contains_key(prototype)) {
            self.value("inherits from", Some(&Datum::Object(prototype)));
        }
        for (key, value, _) in fields(self.call.language, contents) {
            // A key of a Map may be an object, of which this tells nothing.
            self.has_lost |= key.starts_with("<#");
            self.value(&key, Some(value));
        }
    }
}

fn hash(text: &str) -> u128 {
    let part = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, text).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    part(0) << 64 | part(1)
}
