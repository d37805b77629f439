//! A question as plain data.

use query::judge::{CallEffects, CallEnd, Node, ObjectStates, claims};
use query::{Contents, Datum};
use trace_model::{EventId, ObjectClass, SymbolId};

use super::Judge;
use crate::{Point, Value};

/// What a person is asked about: what a call received, and all that it brought about.
#[derive(Clone, Debug)]
pub struct QuestionShown {
    pub(super) node: Node,
    /// From 1.
    pub number: usize,
    pub call: CallRef,
    pub point: Point,
    /// Its end.
    pub end_point: Option<Point>,
    /// The text of the function's head.
    pub this: Option<Value>,
    pub arguments: Vec<ArgumentShown>,
    pub variables: Vec<VariableShown>,
    pub end: EndShown,
    pub changes: Vec<ChangeShown>,
    /// By number.
    pub objects: Vec<ObjectShown>,
    pub output: Vec<String>,
    /// What it waited for, and what came of it.
    pub awaited: Vec<(Value, Option<Value>)>,
    /// Calls that it started and that went on when it was over.
    pub outlived_by: usize,
    pub unknown: Vec<String>,
    /// What types and assertions of the source say of it.
    pub claims: Vec<String>,
    pub n_suspicious: usize,
    pub n_children: usize,
    /// How many calls there are in all.
    pub n_calls: usize,
}

/// A call, in short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallRef {
    /// Nothing at the top level of a file.
    pub function: Option<String>,
    pub file: String,
    pub line: Option<u32>,
    /// Of its entry.
    pub event: u64,
}

#[derive(Clone, Debug)]
pub struct ArgumentShown {
    pub name: String,
    pub entry: Value,
    pub exit: Value,
}

#[derive(Clone, Debug)]
pub struct VariableShown {
    pub name: String,
    pub is_local: bool,
    pub is_changed: bool,
    pub entry: Option<Value>,
    pub exit: Option<Value>,
}

#[derive(Clone, Debug)]
pub enum EndShown {
    Returned(Value),
    Threw(Option<Value>),
    Unfinished,
}

#[derive(Clone, Debug)]
pub struct ChangeShown {
    pub place: String,
    pub object: u32,
    pub key: String,
    pub old: Option<Value>,
    pub new: Option<Value>,
    /// Something else did it meanwhile.
    pub by_others: bool,
}

#[derive(Clone, Debug)]
pub struct ObjectShown {
    pub object: u32,
    pub class: String,
    /// As the function would write it.
    pub place: Option<String>,
    /// `None`: it was not there yet, or is not known.
    pub entry: Option<Vec<(String, Value)>>,
    pub exit: Option<Vec<(String, Value)>>,
    pub is_complete: bool,
}

impl CallRef {
    /// `merge merge.js:5`
    pub fn text(&self) -> String {
        let name = self.function.as_deref().unwrap_or("<top>");
        match self.line {
            Some(line) => format!("{name} {}:{line}", self.file),
            None => format!("{name} {}", self.file),
        }
    }
}

impl Judge<'_> {
    pub(super) fn call_ref(&self, node: Node) -> CallRef {
        let called = self.tree.functions()[self.tree.function(node).0 as usize];
        let event = self.tree.entered(node).0;
        let Some(unit) = self.moment.trace.thread.code().unit(called.unit) else {
            return CallRef { function: None, file: "the program".into(), line: None, event };
        };
        let span = unit.code().ok().map(|code| code.sites.function(called.function).span);
        let place = span.and_then(|span| unit.place(span.start));
        CallRef {
            function: self.moment.function_name(unit, called.function),
            file: self.moment.relative(place.map_or(&unit.record.path, |place| place.path)),
            line: place.map(|place| place.position.line),
            event,
        }
    }

    pub(super) fn question(&self, call: &CallEffects, n_suspicious: usize) -> QuestionShown {
        let moment = &self.moment;
        let (begun, over) = (call.begun, call.over);
        let point = |event: EventId| moment.trace.thread.step(event).map(|step| moment.point(&step));
        let shown = |value: &Option<Datum>, at| value.as_ref().map(|value| moment.value(value, at));
        QuestionShown {
            node: call.node,
            number: self.n_asked + 1,
            call: self.call_ref(call.node),
            point: point(call.frame.entered).unwrap_or_else(|| moment.here()),
            end_point: self.tree.left(call.node).and_then(point),
            this: shown(&call.this, begun),
            arguments: call
                .arguments
                .iter()
                .map(|argument| ArgumentShown {
                    name: argument.name.clone(),
                    entry: moment.value(&argument.entry, begun),
                    exit: moment.value(&argument.exit, over),
                })
                .collect(),
            variables: call
                .variables
                .iter()
                .map(|variable| VariableShown {
                    name: variable.name.clone(),
                    is_local: variable.is_local,
                    is_changed: variable.is_changed,
                    entry: shown(&variable.entry, begun),
                    exit: shown(&variable.exit, over),
                })
                .collect(),
            end: self.end_shown(&call.end, over),
            changes: call
                .changes
                .iter()
                .map(|change| ChangeShown {
                    place: self.with_symbols(&change.place),
                    object: change.object.0,
                    key: self.with_symbols(&change.key),
                    old: shown(&change.old, begun),
                    new: shown(&change.new, over),
                    by_others: change.by_others,
                })
                .collect(),
            objects: call
                .objects
                .iter()
                .map(|(object, states)| self.object_shown(object.0, states, begun, over))
                .collect(),
            output: call.output.clone(),
            awaited: call.awaited.iter().map(|(value, came)| (moment.value(value, over), shown(came, over))).collect(),
            outlived_by: call.outlived_by,
            unknown: call.unknown.clone(),
            claims: claims(&moment.trace, call, &self.seen).into_iter().map(|claim| claim.text).collect(),
            n_suspicious,
            n_children: self.tree.children(call.node).count(),
            n_calls: self.tree.len(),
        }
    }

    pub(super) fn end_shown(&self, end: &CallEnd, over: EventId) -> EndShown {
        match end {
            CallEnd::Returned(value) => EndShown::Returned(self.moment.value(value, over)),
            CallEnd::Threw(value) => EndShown::Threw(value.as_ref().map(|value| self.moment.value(value, over))),
            CallEnd::Unfinished => EndShown::Unfinished,
        }
    }

    /// Symbols by their descriptions: `this[Symbol(max)]` for `this.@@6`. Without one it keeps its number.
    fn with_symbols(&self, text: &str) -> String {
        let mut parts = text.split("@@");
        let mut told = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let n_digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let (digits, rest) = part.split_at(n_digits);
            let symbol = digits.parse().ok().map(SymbolId);
            match symbol.and_then(|symbol| self.moment.trace.thread.symbol_description(symbol)) {
                Some(description) => {
                    if told.ends_with('.') {
                        told.pop();
                    }
                    told.push_str(&format!("[Symbol({description})]"));
                }
                None => told.push_str(&format!("@@{digits}")),
            }
            told.push_str(rest);
        }
        told
    }

    fn object_shown(&self, object: u32, states: &ObjectStates, begun: EventId, over: EventId) -> ObjectShown {
        let fields = |contents: &Contents, at: EventId| -> Vec<(String, Value)> {
            let mut fields: Vec<(String, Value)> = query::judge::fields(contents)
                .map(|(key, value, _)| (self.with_symbols(&key), self.moment.value(value, at)))
                .collect();
            if let Some(length) = contents.length {
                fields.push(("length".into(), self.moment.value(&Datum::Number(f64::from(length)), at)));
            }
            fields
        };
        let class = states.any().map(|contents| {
            let name = self.moment.class_name(contents, over);
            name.unwrap_or_else(|| match contents.class {
                Some(ObjectClass::Plain) | None => "Object".into(),
                Some(class) => format!("{class:?}"),
            })
        });
        ObjectShown {
            object,
            class: class.unwrap_or_else(|| "unknown".into()),
            place: states.place.as_ref().map(|place| self.with_symbols(place)),
            entry: states.entry.as_deref().map(|contents| fields(contents, begun)),
            exit: states.exit.as_deref().map(|contents| fields(contents, over)),
            is_complete: states.any().is_some_and(|contents| contents.is_complete),
        }
    }
}
