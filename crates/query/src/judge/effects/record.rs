//! What happened during a call, from its events.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use trace_model::{Event, EventId, FrameId, ObjectId, Owner, Record, SiteId, SiteKind};
use trace_store::{EventView, RecordView, TailView, Target, VariablePlace, WalkedEvent};

use super::super::{Node, Tree};
use crate::{Datum, Trace};

#[derive(Default)]
pub(in crate::judge) struct Happenings {
    /// Variables that were written.
    pub variables: Vec<VariablePlace>,
    /// Objects that the call, or what it called, wrote to or looked at again.
    pub objects: HashSet<ObjectId>,
    /// The same of whatever else went on meanwhile.
    pub objects_of_others: HashSet<ObjectId>,
    pub output: Vec<String>,
    pub awaited: Vec<(Datum, Option<Datum>)>,
    pub exchanged: Exchanged,
    /// Whether others did something meanwhile.
    pub has_others: bool,
    pub is_cut: bool,
}

/// What a call and those below it exchanged with whatever else ran while they were on their way, in order.
#[derive(Clone, Default, Debug)]
pub struct Exchanged {
    /// What generators yielded.
    pub given: Vec<Datum>,
    /// What calls were resumed with, and exceptions that they caught.
    pub got: Vec<Datum>,
    /// There is more than is kept.
    pub is_cut: bool,
}

impl Happenings {
    /// Whether an object may hold something else than before.
    pub fn concerns(&self, object: ObjectId) -> bool {
        self.is_cut || self.objects.contains(&object) || self.objects_of_others.contains(&object)
    }
}

/// Of longer calls it is found out without their events, as far as that goes.
pub(super) const MOST_EVENTS: u64 = 300_000;

pub(super) fn happenings(trace: &Trace, tree: &Tree, node: Node, range: Range<EventId>) -> Happenings {
    let mut happened = Happenings::default();
    if range.end.0 - range.start.0 > MOST_EVENTS {
        return long_happenings(trace, tree, node, range);
    }
    let own = tree.frame(node);
    // While a call that never waits is on the stack, all that happens is above it.
    let is_alone = tree.left(node).is_some() && tree.end(node) == tree.left(node) && !trace.waits(tree, node);
    let mut variables = HashSet::new();
    let mut inside: HashMap<FrameId, bool> = HashMap::new();
    let (mut output, mut awaited, mut exchanged) = (Vec::new(), Vec::new(), Vec::new());
    trace.thread.walk(
        range,
        |_, _| {},
        |event: WalkedEvent| {
            // What nothing of the program was on the stack for belongs to nobody: it is taken along.
            let is_inside = is_alone
                || event.frame.is_none_or(|frame| {
                    *inside
                        .entry(frame)
                        .or_insert_with(|| tree.node_of(frame).is_none_or(|below| tree.holds(node, below)))
                });
            happened.has_others |= !is_inside;
            if !is_inside {
                note_object(&event, &mut happened.objects_of_others);
                return true;
            }
            note_object(&event, &mut happened.objects);
            match event.event {
                EventView::Record(RecordView::Output) => output.push(event.id),
                EventView::Site { .. } => {
                    let Some((unit, brief)) = event.site else { return true };
                    // What the calls below keep in variables of their own is gone with them.
                    let lasts = |place: &VariablePlace| place.owner.is_none_or(|owner| Some(owner) <= own);
                    if let Some(place) = written(unit, brief, event.holder).filter(lasts) {
                        variables.insert(place);
                    }
                    let is_wait = matches!(brief.kind(), SiteKind::Suspend | SiteKind::Resume | SiteKind::LateResume);
                    if is_wait && event.frame == own {
                        awaited.push(event.id);
                    }
                    if (is_wait || brief.kind() == SiteKind::Catch) && exchanged.len() <= MOST_OUTPUT {
                        exchanged.push(event.id);
                    }
                }
                EventView::Record(_) => {}
            }
            true
        },
    );
    happened.variables = variables.into_iter().collect();
    happened.variables.sort_unstable_by_key(|place| (place.unit, place.variable, place.owner));
    happened.output = output.into_iter().filter_map(|id| text_of_output(trace, id)).collect();
    happened.awaited = waits(trace, &awaited);
    happened.exchanged = exchange(trace, &exchanged);
    happened
}

/// What can be told of a long call without going through its events: variables and objects are compared.
fn long_happenings(trace: &Trace, tree: &Tree, node: Node, range: Range<EventId>) -> Happenings {
    let mut happened = Happenings { is_cut: true, ..Happenings::default() };
    let is_inside = |frame: Option<FrameId>| {
        frame.and_then(|frame| tree.node_of(frame)).is_none_or(|below| tree.holds(node, below))
    };
    let mut from = range.start;
    while let Some(step) = trace.next(&Target::Output, from).filter(|step| step.id < range.end)
        && happened.output.len() < MOST_OUTPUT
    {
        from = EventId(step.id.0 + 1);
        if is_inside(step.frame) {
            happened.output.extend(text_of_output(trace, step.id));
        }
    }
    if let Some(info) = tree.frame(node).and_then(|frame| trace.frame(frame)) {
        let is_wait = |kind| matches!(kind, SiteKind::Suspend | SiteKind::Resume | SiteKind::LateResume);
        let sites = trace.sites_of_function(info.unit, info.function, is_wait);
        let mut awaited = Vec::new();
        let mut from = range.start;
        while let Some(step) = trace.next(&Target::SitesInFrame(info.id, &sites), from)
            && awaited.len() < MOST_OUTPUT
            && !sites.is_empty()
        {
            from = EventId(step.id.0 + 1);
            awaited.push(step.id);
        }
        happened.awaited = waits(trace, &awaited);
    }
    happened
}

/// So many pieces of output, and so many waits, of a call are told.
const MOST_OUTPUT: usize = 1_000;

fn note_object(event: &WalkedEvent, objects: &mut HashSet<ObjectId>) {
    let object = match event.event {
        EventView::Site { tail: TailView::Object(object) | TailView::ObjectAndKey(object, _), .. } => object,
        EventView::Record(RecordView::Effect { object, .. } | RecordView::Look { object, .. }) => Some(object),
        _ => None,
    };
    objects.extend(object);
}

fn written(unit: SiteId, brief: &trace_store::SiteBrief, holder: Option<FrameId>) -> Option<VariablePlace> {
    if matches!(brief.kind(), SiteKind::Carry | SiteKind::Param) {
        return None;
    }
    let (variable, owner) = brief.variable()?;
    match (owner, holder) {
        (Owner::Global, _) => Some(VariablePlace { unit, variable, owner: None }),
        (_, Some(holder)) => Some(VariablePlace { unit, variable, owner: Some(holder) }),
        (_, None) => None,
    }
}

impl Trace<'_> {
    /// Whether a call can wait and go on later.
    fn waits(&self, tree: &Tree, node: Node) -> bool {
        let called = tree.functions()[tree.function(node).0 as usize];
        let code = self.thread.code().unit(called.unit).and_then(|unit| unit.code().ok());
        code.is_none_or(|code| {
            let function = code.sites.function(called.function);
            function.is_async || function.is_generator
        })
    }

    fn is_in_generator(&self, step: &trace_store::Step) -> bool {
        let frame = step.frame.and_then(|frame| self.frame(frame));
        let code = frame.and_then(|frame| Some((frame, self.thread.code().unit(frame.unit)?.code().ok()?)));
        code.is_some_and(|(frame, code)| code.sites.function(frame.function).is_generator)
    }
}

fn text_of_output(trace: &Trace, id: EventId) -> Option<String> {
    match trace.thread.step(id)?.event {
        Event::Record(Record::Output { text: Some(text), .. }) => Some(trace.thread.string(text)?.to_string()),
        _ => None,
    }
}

fn exchange(trace: &Trace, events: &[EventId]) -> Exchanged {
    let mut exchanged = Exchanged { is_cut: events.len() > MOST_OUTPUT, ..Exchanged::default() };
    for step in events.iter().filter_map(|id| trace.thread.step(*id)) {
        let value = trace.step_value(&step).unwrap_or(Datum::NotCaptured);
        if trace.kind(&step) != Some(SiteKind::Suspend) {
            exchanged.got.push(value);
        } else if trace.is_in_generator(&step) {
            exchanged.given.push(value);
        }
    }
    exchanged
}

/// Each suspension, and what the frame was resumed with.
fn waits(trace: &Trace, events: &[EventId]) -> Vec<(Datum, Option<Datum>)> {
    let mut waits: Vec<(Datum, Option<Datum>)> = Vec::new();
    for step in events.iter().filter_map(|id| trace.thread.step(*id)) {
        let value = trace.step_value(&step);
        match trace.kind(&step) {
            Some(SiteKind::Suspend) => waits.push((value.unwrap_or(Datum::Undefined), None)),
            _ => {
                if let Some(last) = waits.last_mut() {
                    last.1 = value;
                }
            }
        }
    }
    waits
}
