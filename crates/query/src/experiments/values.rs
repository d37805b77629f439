//! What a value could have been instead: what it was at other times there, and its simple neighbours.

use std::sync::Arc;

use trace_model::ObjectClass;
use trace_store::{Step, Target};

use crate::{Datum, Made, Trace};

pub(super) fn replacements(trace: &Trace, step: &Step) -> Vec<Datum> {
    let Some(value) = trace.step_value(step) else { return Vec::new() };
    let mut found: Vec<Datum> = Vec::new();
    let mut add = |candidate: Datum, most: usize| {
        if candidate != value && !found.contains(&candidate) && found.len() < most {
            found.push(candidate);
        }
    };
    for neighbour in neighbours(trace, step, &value) {
        add(neighbour, MOST);
    }
    for other in seen_there(trace, step) {
        add(other, MOST + MOST_SEEN);
    }
    found
}

/// Those that the source could write out.
fn seen_there(trace: &Trace, step: &Step) -> Vec<Datum> {
    let Some(site) = step.site() else { return Vec::new() };
    let sites = [site];
    let target = Target::Sites(&sites);
    let all = trace.each_before(&target, trace.thread.end()).take(MOST_HITS);
    let values = all.filter_map(|step| trace.step_value(&step));
    let is_plain = |value: &Datum| {
        matches!(value, Datum::Undefined | Datum::Null | Datum::Bool(_) | Datum::Number(_) | Datum::String(_))
    };
    values.filter(is_plain).collect()
}

fn neighbours(trace: &Trace, step: &Step, value: &Datum) -> Vec<Datum> {
    let empty_list = || Datum::Made(Arc::new(Made::Array(Vec::new())));
    let empty_object = || Datum::Made(Arc::new(Made::Object(Vec::new())));
    match value {
        Datum::Undefined | Datum::Null => vec![Datum::String("".into()), empty_list(), empty_object()],
        Datum::Bool(truth) => vec![Datum::Bool(!truth)],
        Datum::Number(number) if number.is_finite() => vec![Datum::Number(number + 1.0), Datum::Number(number - 1.0)],
        Datum::Number(_) => vec![Datum::Number(0.0)],
        Datum::String(text) if text.is_empty() => vec![Datum::Undefined],
        Datum::String(_) | Datum::LongString { .. } => vec![Datum::String("".into()), Datum::Undefined],
        Datum::Object(object) => {
            match trace.contents(*object, step.id).map(|it| (it.class, it.properties.is_empty())) {
                Some((Some(ObjectClass::Array), true)) => vec![empty_object(), Datum::Undefined],
                Some((Some(ObjectClass::Array), false)) => vec![empty_list(), Datum::Undefined],
                Some((Some(ObjectClass::Plain), true)) => vec![empty_list(), Datum::Undefined],
                _ => vec![Datum::Undefined],
            }
        }
        _ => Vec::new(),
    }
}

const MOST: usize = 3;
const MOST_SEEN: usize = 2;
const MOST_HITS: usize = 500;
