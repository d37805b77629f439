//! Whether calls can be told in one table: a line for each, with what it was given and what it did.
//!
//! What all of them were given is told once, above. So is the state of an object that each call leaves for the next (calls of `put` on
//! one cache): the lines tell what changed. What is left for a line must be little, or it is no line that a person can judge.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use trace_model::{ObjectClass, ObjectId};

use super::effects::fields;
use super::groups::{FEWEST_ROWS, MOST_ROWS};
use super::{CallEffects, CallEnd};
use crate::Datum;

/// So many values (numbers, texts, fields) fit into a line, and so many above the table.
const MOST_IN_ROW: usize = 12;
const MOST_ABOVE: usize = 80;

/// The calls that are rows, by their positions among those that were given, oldest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    pub rows: Vec<usize>,
    pub inputs: Vec<Input>,
}

/// The receiver, an argument or a variable around the calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    pub name: String,
    pub placement: Placement,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placement {
    /// It is the same in all rows.
    Once,
    /// As it was before the first row: each row found what the one above had left.
    AtFirst,
    InEachRow,
}

/// The largest table of these calls, of which the first are wanted most; `None` where no table can tell enough of them.
pub fn table(calls: &[&CallEffects]) -> Option<Table> {
    let fit: Vec<usize> = (0..calls.len()).filter(|index| is_fit(calls[*index])).collect();
    let mut attempts = vec![fit.clone()];
    // Calls on one object may leave it for each other, where others come between.
    let mut by_object: BTreeMap<ObjectId, Vec<usize>> = BTreeMap::new();
    for index in fit {
        if let Some(object) = first_object(calls[index]) {
            by_object.entry(object).or_default().push(index);
        }
    }
    attempts.extend(by_object.into_values());
    let tables = attempts.into_iter().filter_map(|wanted| of(calls, wanted));
    tables.reduce(|best, other| if other.rows.len() > best.rows.len() { other } else { best })
}

/// Whether a call by itself can be told in a line: what it did is little, and nothing of it is unknown.
pub fn is_fit(call: &CallEffects) -> bool {
    call.unknown.is_empty()
        && call.outlived_by == 0
        && !matches!(call.end, CallEnd::Unfinished)
        && did(call).is_some_and(|n_values| n_values <= MOST_IN_ROW)
}

fn of(calls: &[&CallEffects], mut rows: Vec<usize>) -> Option<Table> {
    rows.truncate(MOST_ROWS);
    rows.sort_by_key(|index| calls[*index].begun);
    loop {
        if rows.len() < FEWEST_ROWS {
            return None;
        }
        let of_rows: Vec<&CallEffects> = rows.iter().map(|index| calls[*index]).collect();
        let given: Vec<BTreeMap<String, Given>> = of_rows.iter().map(|call| inputs(call)).collect();
        let inputs = columns(&given);
        let is_above = |input: &&Input| input.placement != Placement::InEachRow;
        let n_above: usize = inputs.iter().filter(is_above).map(|input| given[0][&input.name].n_values).sum();
        if n_above > MOST_ABOVE {
            return None;
        }
        let in_rows: Vec<&str> =
            inputs.iter().filter(|input| !is_above(input)).map(|input| input.name.as_str()).collect();
        let n_in_row = |(call, given): (&&CallEffects, &BTreeMap<String, Given>)| -> usize {
            let given: usize = in_rows.iter().filter_map(|name| given.get(*name)).map(|given| given.n_values).sum();
            given + did(call).unwrap_or(usize::MAX / 2)
        };
        let is_brief: Vec<bool> = of_rows.iter().zip(&given).map(|row| n_in_row(row) <= MOST_IN_ROW).collect();
        if is_brief.iter().all(|is_brief| *is_brief) {
            return Some(Table { rows, inputs });
        }
        let mut is_brief = is_brief.into_iter();
        rows.retain(|_| is_brief.next() == Some(true));
    }
}

/// An input of a call, spelled out: equal texts are the same to a person.
struct Given {
    object: Option<ObjectId>,
    entry: String,
    exit: String,
    n_values: usize,
    /// Whether a call can leave it for the next.
    can_stay: bool,
}

fn inputs(call: &CallEffects) -> BTreeMap<String, Given> {
    let mut inputs = BTreeMap::new();
    let mut add = |name: &str, entry: &Datum, exit: &Datum, is_variable: bool| {
        let (entry_text, n_values) = spelled(call, entry, false);
        let (exit_text, _) = spelled(call, exit, true);
        let object = entry.object();
        let can_stay = is_variable || object.is_some();
        let given = Given { object, entry: entry_text, exit: exit_text, n_values, can_stay };
        inputs.insert(name.to_owned(), given);
    };
    for argument in &call.arguments {
        // What the caller passed: whether the parameter was written since is the call's own affair.
        add(&argument.name, &argument.entry, &argument.entry, false);
    }
    for variable in call.variables.iter().filter(|variable| !variable.is_local) {
        let entry = variable.entry.clone().unwrap_or(Datum::Undefined);
        add(&variable.name, &entry, variable.exit.as_ref().unwrap_or(&entry), true);
    }
    if let Some(this) = call.this.as_ref().filter(|_| call.uses_this) {
        add("this", this, this, false);
    }
    inputs
}

fn columns(rows: &[BTreeMap<String, Given>]) -> Vec<Input> {
    let mut names: Vec<&String> = rows.iter().flat_map(BTreeMap::keys).collect();
    names.sort_unstable();
    names.dedup();
    let placement = |name: &str| {
        let of_rows: Option<Vec<&Given>> = rows.iter().map(|row| row.get(name)).collect();
        let Some(of_rows) = of_rows else { return Placement::InEachRow };
        let all = |holds: &dyn Fn(&Given, &Given) -> bool| of_rows.windows(2).all(|two| holds(two[0], two[1]));
        if all(&|one, next| one.entry == next.entry && one.exit == one.entry && next.exit == next.entry) {
            Placement::Once
        } else if of_rows[0].can_stay && all(&|one, next| one.object == next.object && one.exit == next.entry) {
            Placement::AtFirst
        } else {
            Placement::InEachRow
        }
    };
    names.into_iter().map(|name| Input { name: name.clone(), placement: placement(name) }).collect()
}

/// How many values it takes to tell what a call did.
fn did(call: &CallEffects) -> Option<usize> {
    let value = |value: &Datum| {
        // What was there before is told as a place.
        let is_known = value
            .object()
            .and_then(|object| call.objects.get(&object))
            .is_some_and(|states| states.entry.is_some() && states.place.is_some());
        if is_known { 1 } else { spelled(call, value, true).1 }
    };
    let mut n_values = match &call.end {
        CallEnd::Returned(returned) => value(returned),
        CallEnd::Threw(thrown) => value(thrown.as_ref()?),
        CallEnd::Unfinished => return None,
    };
    n_values += call.changes.iter().map(|change| change.new.as_ref().map_or(1, value)).sum::<usize>();
    let changed = call.variables.iter().filter(|variable| !variable.is_local && variable.is_changed);
    n_values += changed.map(|variable| variable.exit.as_ref().map_or(1, value)).sum::<usize>();
    n_values += call.output.len() * VALUES_OF_LINE + call.awaited.len() * 2;
    Some(n_values)
}

/// A line of output is as much to read as so many values.
const VALUES_OF_LINE: usize = 4;

/// A value with all that is inside it, and how many values that are.
fn spelled(call: &CallEffects, value: &Datum, is_exit: bool) -> (String, usize) {
    let mut spelling = Spelling { call, is_exit, text: String::new(), n_values: 0, known: HashMap::new() };
    spelling.value(value);
    (spelling.text, spelling.n_values)
}

struct Spelling<'c> {
    call: &'c CallEffects,
    is_exit: bool,
    text: String,
    n_values: usize,
    known: HashMap<ObjectId, usize>,
}

impl Spelling<'_> {
    fn value(&mut self, value: &Datum) {
        let Datum::Object(object) = value else {
            self.n_values += 1;
            // As people see it a long text is cut, and two may look the same.
            let _ = match value {
                Datum::String(text) => write!(self.text, "{text:?}"),
                value => write!(self.text, "{value:?}"),
            };
            return;
        };
        let n_known = self.known.len();
        let number = *self.known.entry(*object).or_insert(n_known);
        let states = self.call.objects.get(object);
        let contents =
            states.and_then(|states| if self.is_exit { states.exit.as_ref() } else { states.entry.as_ref() });
        let is_code = |class: Option<ObjectClass>| class == Some(ObjectClass::Function);
        match contents {
            Some(contents) if number == n_known && !is_code(contents.class) => {
                let _ = write!(self.text, "{:?} {:?} {{", contents.class, contents.length);
                if contents.properties.is_empty() && contents.entries.is_empty() {
                    self.n_values += 1;
                }
                for (key, held, _) in fields(contents) {
                    let _ = write!(self.text, "{key}: ");
                    self.value(held);
                    self.text.push(',');
                }
                self.text.push('}');
            }
            Some(contents) if !is_code(contents.class) => {
                self.n_values += 1;
                let _ = write!(self.text, "^{number}");
            }
            _ => {
                self.n_values += 1;
                let _ = write!(self.text, "#{}", object.0);
            }
        }
    }
}

/// The receiver, or else the first object that a call was given.
fn first_object(call: &CallEffects) -> Option<ObjectId> {
    let this = call.this.as_ref().filter(|_| call.uses_this);
    this.into_iter().chain(call.arguments.iter().map(|argument| &argument.entry)).find_map(Datum::object)
}
