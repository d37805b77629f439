//! Random questions of a large recording, and how long their answers take.
//!
//! The questions are chosen by another process than the one that answers them, so that what choosing reads is neither in the
//! answering process's caches nor in its memory.

use std::time::{Duration, Instant};

use query::{Place, Trace, last_change, last_condition, newest_changes};
use trace_model::{Event, EventId, FrameId, ObjectId, SiteId, SymbolId, TailValues, Value, VariableIndex};
use trace_store::{PropertyKey, Run, Step, Target, Thread, VariablePlace};

use crate::random::Random;

/// A moment and a place that a person could ask about there.
#[derive(Clone, Debug)]
pub struct Question {
    pub at: EventId,
    pub place: Place,
}

/// Random events, and for each a random variable in scope there, or the property that was written a little before.
pub fn choose(thread: &Thread, n: usize, seed: u64) -> Vec<Question> {
    let trace = Trace::new(thread, &javascript::JavaScript, &query::Coverage::of(&trace_model::Policy::full()).into());
    let mut random = Random::new(seed);
    let mut questions = Vec::new();
    let n_events = thread.end().0 - thread.first_event().0;
    for _ in 0..n * 100 {
        if questions.len() == n {
            break;
        }
        let at = EventId(thread.first_event().0 + random.below(n_events));
        let place = match random.below(2) {
            0 => variable(&trace, at, &mut random),
            _ => property(&trace, at, &mut random),
        };
        questions.extend(place.map(|place| Question { at, place }));
    }
    questions
}

/// Most names of a file are those of its top level; a person asks as often about those of the function.
fn variable(trace: &Trace, at: EventId, random: &mut Random) -> Option<Place> {
    let scene = trace.scene(&trace.thread.step(at)?)?;
    let names = trace.names_in_scope(scene);
    let innermost = &names[..names.len().min(INNERMOST)];
    let from = if random.below(2) == 0 { innermost } else { &names };
    let place = trace.variable_place(scene, *random.pick(from)?)?;
    Some(Place::Variable { place, name: String::new() })
}

fn property(trace: &Trace, at: EventId, random: &mut Random) -> Option<Place> {
    let written = |step: Step| {
        let site = trace.site(step.site()?)?;
        match &step.event {
            Event::Site { tail: TailValues::Object(Some(object)), .. } => {
                Some((*object, site.name(*site.site.names.first()?).to_owned()))
            }
            Event::Site { tail: TailValues::ObjectAndKey(Some(object), Value::Number(index)), .. } => {
                Some((*object, index.to_string()))
            }
            Event::Site { tail: TailValues::Values(_), value: Some(Value::Object(object)), .. } => {
                Some((*object, site.name(*site.site.names.first()?).to_owned()))
            }
            _ => None,
        }
    };
    let seen: Vec<(ObjectId, String)> = trace.thread.steps_before(at).take(SEEN).filter_map(written).collect();
    let (object, name) = random.pick(&seen)?.clone();
    Some(Place::Property { object, key: PropertyKey::Name(name) })
}

const INNERMOST: usize = 8;
/// So many events back.
const SEEN: usize = 300;

/// Kinds of question, in the order of the table.
/// The newest changes of a place, as many as a person sees at first.
const A_PAGE: usize = 50;

pub const KINDS: [&str; 6] = ["last-change", "last-condition", "state", "object", "find by place", "history"];

/// How long one question of a kind takes, and how much its answer holds.
pub fn ask(trace: &Trace, kind: &str, question: &Question) -> (Duration, usize) {
    let started = Instant::now();
    let n = match kind {
        "last-change" => usize::from(last_change(trace, &question.place, question.at).change().is_some()),
        "last-condition" => trace.thread.step(question.at).map_or(0, |step| {
            last_condition(trace, &step);
            1
        }),
        "history" => newest_changes(trace, &question.place, question.at, A_PAGE).0.len(),
        "state" => state(trace, question.at),
        "object" => object(trace, question),
        _ => find(trace.thread, &question.place),
    };
    (started.elapsed(), n)
}

/// The stack with the newest event of each frame, and the variables that the innermost one sees.
fn state(trace: &Trace, at: EventId) -> usize {
    let mut n = 0;
    for frame in trace.thread.stack(at) {
        n += usize::from(trace.previous_in_frame(frame, at).is_some());
    }
    let Some(scene) = trace.thread.step(at).and_then(|step| trace.scene(&step)) else { return n };
    for variable in trace.names_in_scope(scene) {
        let Some(place) = trace.variable_place(scene, variable) else { continue };
        std::hint::black_box(trace.variable(&place, at));
        n += 1;
    }
    n
}

/// All that one object holds: that of the property, or the one in the variable.
fn object(trace: &Trace, question: &Question) -> usize {
    let object = match &question.place {
        Place::Variable { place, .. } => trace.variable(place, question.at).value().object(),
        Place::Property { object, .. } | Place::Entry { object, .. } => Some(*object),
        Place::Global { .. } => None,
    };
    object.and_then(|object| trace.contents(object, question.at)).map_or(0, |contents| contents.properties.len())
}

/// The first and the last event that wrote the place.
fn find(thread: &Thread, place: &Place) -> usize {
    let find = |target: Target| {
        let first = thread.next(&target, thread.first_event());
        let last = thread.last(&target, thread.end());
        usize::from(first.is_some()) + usize::from(last.is_some())
    };
    match place {
        Place::Variable { place, .. } => find(Target::Variable(*place)),
        Place::Property { object, key } => find(Target::Property(*object, key)),
        Place::Entry { object, .. } => find(Target::Object(*object)),
        Place::Global { .. } => 0,
    }
}

/// Events that a scan on so many threads passes in a second, looking at the site of each.
pub fn scan(thread: &Thread, n_threads: usize) -> (u64, Duration) {
    let started = Instant::now();
    let counts = thread.scan(
        n_threads,
        || (0u64, 0u64),
        |(n, sites), block| {
            for (_, site) in block.headers() {
                *n += 1;
                *sites = sites.wrapping_add(site.map_or(0, |(site, _)| u64::from(site.0)));
            }
        },
    );
    std::hint::black_box(&counts);
    (counts.iter().map(|(n, _)| n).sum(), started.elapsed())
}

/// The thread with the most events.
pub fn largest(run: &Run) -> Option<&Thread> {
    run.threads().iter().max_by_key(|thread| thread.end())
}

/// One line, for the other process.
pub fn written(question: &Question) -> String {
    let at = question.at.0;
    match &question.place {
        Place::Variable { place, .. } => {
            let owner = place.owner.map_or(0, |owner| owner.0);
            format!("{at} variable {} {} {owner}", place.unit.0, place.variable.0)
        }
        Place::Property { object, key: PropertyKey::Name(name) } => format!("{at} name {} {name}", object.0),
        Place::Property { object, key: PropertyKey::Symbol(symbol) } => {
            format!("{at} symbol {} {}", object.0, symbol.0)
        }
        place => unreachable!("{place:?} is never chosen"),
    }
}

pub fn read(line: &str) -> Option<Question> {
    let words: Vec<&str> = line.splitn(4, ' ').collect();
    let number = |at: usize| words.get(at)?.parse::<u32>().ok();
    let at = EventId(words.first()?.parse().ok()?);
    let place = match *words.get(1)? {
        "variable" => {
            let (variable, owner) = words.get(3)?.split_once(' ')?;
            let owner = owner.parse().ok().filter(|owner| *owner != 0).map(FrameId);
            let place =
                VariablePlace { unit: SiteId(number(2)?), variable: VariableIndex(variable.parse().ok()?), owner };
            Place::Variable { place, name: String::new() }
        }
        "name" => Place::Property { object: ObjectId(number(2)?), key: PropertyKey::Name((*words.get(3)?).into()) },
        _ => Place::Property { object: ObjectId(number(2)?), key: PropertyKey::Symbol(SymbolId(number(3)?)) },
    };
    Some(Question { at, place })
}
