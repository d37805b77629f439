//! Every change of a place, in one pass over the events that concern it.

use trace_model::{EventId, ObjectId, SiteKind};
use trace_store::{PropertyKey, Step, Target, VariablePlace};

use crate::change::{KeyChange, Seen};
use crate::last_change::{LookOf, is_first_sight, is_look, look_of};
use crate::objects::stepped;
use crate::replay::ElementChange;
use crate::{Change, Datum, LastChange, Place, Property, Trace, last_change};

/// Every change of a place up to a moment, oldest first.
pub fn history(trace: &Trace, place: &Place, before: EventId) -> Vec<Change> {
    newest_changes(trace, place, before, usize::MAX).0
}

/// The newest changes of a place, oldest first, and whether there are more before them.
pub fn newest_changes(trace: &Trace, at: &Place, before: EventId, limit: usize) -> (Vec<Change>, bool) {
    let mut changes = match at {
        Place::Variable { place, .. } => match trace.imported_place(place, before) {
            Some(exported) => of_variable(trace, &exported, before, limit),
            None if trace.element_of(place).is_some() => step_by_step(trace, at, before, limit),
            None => of_variable(trace, place, before, limit),
        },
        Place::Property { object, key } if trace.is_element(key) && trace.is_mapped(*object, key) => {
            step_by_step(trace, at, before, limit)
        }
        Place::Property { object, key } if trace.is_of_elements(key) && trace.is_array(*object) => {
            told(trace, *object, trace.element_changes(*object, key, before))
        }
        Place::Property { object, key } => match trace.size_changes(*object, key, before) {
            Some(changes) => told(trace, *object, changes),
            None => of_property(trace, *object, key, before, limit),
        },
        Place::Global { .. } | Place::Entry { .. } => step_by_step(trace, at, before, limit),
    };
    let n_older = changes.len().saturating_sub(limit);
    changes.drain(..n_older);
    if changes.is_empty() || changes.iter().any(|change| is_look(&change.step)) {
        trace.rests_on_everything("what wrote the place is not recorded");
    }
    (changes, n_older > 0)
}

/// The first change of a place from an event on.
pub fn next_change(trace: &Trace, at: &Place, from: EventId) -> Option<Change> {
    let target = match at {
        Place::Variable { place, .. }
            if trace.imported_place(place, from).is_none() && trace.element_of(place).is_none() =>
        {
            Target::Variable(*place)
        }
        Place::Property { object, key }
            if !(trace.is_of_elements(key) && trace.is_array(*object))
                && trace.size_changes(*object, key, from).is_none() =>
        {
            Target::Property(*object, key)
        }
        // What a built-in may have moved is known only from the whole of it.
        _ => return history(trace, at, trace.thread.end()).into_iter().find(|change| change.step.id >= from),
    };
    let mut after = from;
    while let Some(step) = trace.next(&target, after) {
        after = EventId(step.id.0 + 1);
        // Not all that concerns a place changes it.
        let (changes, _) = newest_changes(trace, at, after, 1);
        if let Some(change) = changes.into_iter().next_back().filter(|change| change.step.id >= from) {
            return Some(change);
        }
    }
    None
}

fn of_variable(trace: &Trace, place: &VariablePlace, before: EventId, limit: usize) -> Vec<Change> {
    let writes = trace.each_before(&Target::Variable(*place), before);
    let mut newest_first: Vec<Change> = Vec::new();
    for step in writes.take(limit.saturating_add(2)) {
        if trace.kind(&step) == Some(SiteKind::Carry) {
            // The instance begins with what an earlier one held.
            let named = Place::Variable { place: *place, name: String::new() };
            if let LastChange::Written(change) = last_change(trace, &named, EventId(step.id.0 + 1)) {
                complete(&mut newest_first, change.new.clone());
                newest_first.push(change);
            }
            break;
        }
        let new = trace.written_value(&step);
        if newest_first.last().is_some_and(|newer| !trace.is_declaration(place, &newer.step)) {
            complete(&mut newest_first, new.clone());
        }
        newest_first.push(Change { step, old: None, new, inherited_from: None });
    }
    newest_first.reverse();
    newest_first
}

/// The change that was found last now knows what was there before it.
fn complete(newest_first: &mut [Change], old: Option<Datum>) {
    if let Some(newer) = newest_first.last_mut() {
        newer.old = old;
    }
}

fn told(trace: &Trace, object: ObjectId, changes: Vec<ElementChange>) -> Vec<Change> {
    let told = |change: ElementChange| Change {
        step: told_at(trace, change.step, object),
        old: change.old,
        new: change.new,
        inherited_from: None,
    };
    changes.into_iter().map(told).collect()
}

/// A look belongs to the literal or built-in that it shows the work of.
fn told_at(trace: &Trace, step: Step, object: ObjectId) -> Step {
    if !is_look(&step) {
        return step;
    }
    match look_of(trace, &step, object) {
        LookOf::Birth(step) | LookOf::BuiltIn(step) => step,
        LookOf::Foreign => step,
    }
}

fn of_property(trace: &Trace, object: ObjectId, key: &PropertyKey, before: EventId, limit: usize) -> Vec<Change> {
    let target = Target::Property(object, key);
    // Some events are no changes; a few more than asked for will do, or all.
    let window = limit.saturating_add(limit / 4).saturating_add(16);
    let mut steps: Vec<Step> = trace.each_before(&target, before).take(window).collect();
    steps.reverse();
    // `None`: not known.
    let mut held: Option<Option<Datum>> = match steps.first() {
        Some(first) if steps.len() == window => match trace.own_property(object, key, first.id) {
            Property::Own { value, .. } => Some(Some(value)),
            Property::Absent { .. } => Some(None),
            _ => None,
        },
        _ => None,
    };
    let mut changes: Vec<Change> = Vec::new();
    for step in steps {
        let now = match trace.key_change(&step, object, key) {
            KeyChange::Nothing | KeyChange::Moved | KeyChange::Seen(Seen::Cut | Seen::NotTaken) => continue,
            KeyChange::Perhaps => {
                held = None;
                continue;
            }
            KeyChange::Set(_) | KeyChange::Stepped { .. } if trace.is_ignored_write(&step, object, key) => continue,
            KeyChange::Set(value) | KeyChange::Born(Some(value)) => Some(value),
            KeyChange::Stepped { old, by } => Some(stepped(&old, by)),
            KeyChange::Seen(Seen::Value(value)) if held == Some(Some(value.clone())) => continue,
            KeyChange::Seen(Seen::Value(value)) => Some(value),
            KeyChange::Born(None) => {
                held = Some(None);
                continue;
            }
            KeyChange::Removed | KeyChange::Seen(Seen::Absent) => match &held {
                Some(Some(_)) => None,
                _ => {
                    held = Some(None);
                    continue;
                }
            },
        };
        let is_first_written =
            changes.last().is_some_and(|look| is_look(&look.step) && is_first_sight(trace, &look.step, &step, object));
        if is_first_written {
            changes.pop();
            held = None;
        }
        let old = held.take().flatten();
        held = Some(now.clone());
        changes.push(Change { step: told_at(trace, step, object), old, new: now, inherited_from: None });
    }
    changes
}

fn step_by_step(trace: &Trace, place: &Place, before: EventId, limit: usize) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut at = before;
    while changes.len() <= limit {
        let answer = last_change(trace, place, at);
        let is_birth = matches!(answer, LastChange::CreatedWith(_));
        let Some(change) = answer.change() else { break };
        at = change.step.id;
        changes.push(change.clone());
        if is_birth {
            break;
        }
    }
    changes.reverse();
    changes
}
