//! What the program said of itself at its probes, against what the query engine and the oracle say.

use std::collections::HashMap;

use query::{Datum, Scene, Trace};
use trace_model::{EventId, FrameId, ObjectId, SiteKind};
use trace_store::PropertyKey;

use super::Tally;
use super::dump::{Dumped, Held, Probe};
use super::model::Model;
use super::objects::length_key;

/// More would say little new: a probe may be in a loop.
const MOST_TIMES: usize = 3;

pub fn check(trace: &Trace, model: &Model, said: &[Probe], tally: &mut Tally) -> Result<(), String> {
    let moments = moments(trace, model);
    if moments.len() != said.len() {
        return Err(format!("{} probes were recorded and {} written down", moments.len(), said.len()));
    }
    let mut times: HashMap<u64, usize> = HashMap::new();
    let mut check = Check { trace, model, tally, by_program: Names::default(), by_oracle: Names::default() };
    for (probe, (number, before)) in said.iter().zip(moments) {
        if probe.number != number {
            return Err(format!("probe {number} was recorded where {} was written down", probe.number));
        }
        let n_times = times.entry(number).or_default();
        *n_times += 1;
        if *n_times <= MOST_TIMES {
            check.probe(probe, before);
        }
    }
    Ok(())
}

/// The numbers of the probes and the events at which they were entered.
fn moments(trace: &Trace, model: &Model) -> Vec<(u64, EventId)> {
    let mut moments = Vec::new();
    let mut entered = None;
    for (number, at) in model.moments.iter().enumerate() {
        let Some(site) = at.site.and_then(|site| trace.site(site)) else { continue };
        if site.name(site.function().name) != "probe" || !site.unit.record.path.ends_with("main.cjs") {
            continue;
        }
        match (site.site.kind, &at.value) {
            (SiteKind::Enter, _) => entered = Some(EventId(number as u64)),
            (SiteKind::Param, Some(Datum::Number(probe))) => moments.extend(entered.map(|id| (*probe as u64, id))),
            _ => {}
        }
    }
    moments
}

struct Check<'a> {
    trace: &'a Trace<'a>,
    model: &'a Model<'a>,
    tally: &'a mut Tally,
    by_program: Names,
    by_oracle: Names,
}

/// The program's numbers of objects and those of the trace: one for one.
#[derive(Default)]
struct Names {
    recorded: HashMap<u32, ObjectId>,
    said: HashMap<ObjectId, u32>,
}

impl Check<'_> {
    fn probe(&mut self, probe: &Probe, before: EventId) {
        let stack = &self.model.moments[before.0 as usize].stack;
        let Some((_, callers)) = stack.split_last() else { return };
        let at = format!("probe {} @{}", probe.number, before.0);
        self.stack(probe, callers, before, &at);
        let Some(frame) = callers.last().copied() else { return };
        let Some(unit) = self.model.frames.frame(frame).map(|frame| frame.unit) else { return };
        let scene = Scene { before, frame: Some(frame), unit, within: None };
        for (name, held) in &probe.variables {
            self.variable(scene, name, held, &at);
        }
        for object in &probe.objects {
            self.object(object, before, &at);
        }
    }

    fn stack(&mut self, probe: &Probe, callers: &[FrameId], before: EventId, at: &str) {
        let mut frames = Vec::new();
        for frame in callers.iter().rev() {
            let Some(known) = self.model.frames.frame(*frame) else { continue };
            let Some(unit) = self.trace.thread.code().unit(known.unit) else { continue };
            let Ok(code) = unit.code() else { continue };
            if !unit.record.path.ends_with("programs.cjs") {
                continue;
            }
            let name = code.sites.name(code.sites.function(known.function).name).to_owned();
            frames.push(name);
        }
        // The line of the call is known of the innermost frame: others may have gone on to the next value of a generator, which
        // leaves no event.
        let line = callers.last().and_then(|frame| self.trace.previous_in_frame(*frame, before));
        let line = line.and_then(|step| self.trace.site(step.site()?)?.position()).map(|position| position.line);
        let short = |name: &str| name.rsplit(['.', ' ']).next().unwrap_or_default().to_owned();
        let said: Vec<String> = probe.frames.iter().map(|(name, _)| short(name)).collect();
        let frames: Vec<String> = frames.iter().map(|name| short(name)).collect();
        let is_line = line == probe.frames.first().map(|(_, line)| *line);
        let wrong = if frames != said { Some("other functions") } else { (!is_line).then_some("another line") };
        let details = || format!("{at}: query {frames:?} {line:?}, program {:?}", probe.frames);
        self.tally.add("the program itself: stack", wrong.map(|kind| (kind.into(), details())));
    }

    fn variable(&mut self, scene: Scene, name: &str, held: &Held, at: &str) {
        let Some(variable) = self.trace.resolve(scene, name) else {
            self.tally.add("the program itself: variable", Some(("not in scope".into(), format!("{at} {name}"))));
            return;
        };
        let Some(place) = self.trace.variable_place(scene, variable) else {
            self.tally.add("the program itself: variable", Some(("no instance".into(), format!("{at} {name}"))));
            return;
        };
        let value = self.trace.variable(&place, scene.before).value();
        let wrong =
            (!self.by_program.agree(&value, held)).then(|| format!("{at} {name}: query {value:?}, program {held:?}"));
        self.tally.add("the program itself: variable", wrong.map(|details| ("another value".into(), details)));
        let known =
            self.model.variable(&place, scene.before).and_then(|entry| entry.new.clone()).unwrap_or(Datum::Undefined);
        let is_function = matches!(value, Datum::NotCaptured);
        let wrong = (!is_function && !self.by_oracle.agree(&known, held))
            .then(|| format!("{at} {name}: oracle {known:?}, program {held:?}"));
        self.tally.add("the program itself: variable, oracle", wrong.map(|details| ("another value".into(), details)));
    }

    fn object(&mut self, said: &Dumped, before: EventId, at: &str) {
        if let Some(object) = self.by_program.recorded.get(&said.id).copied() {
            match self.trace.contents(object, before).filter(|contents| contents.is_complete) {
                Some(contents) => {
                    let properties = contents.properties.into_iter().map(|(key, slot)| (key, slot.value)).collect();
                    let entries: Vec<(Datum, Datum)> =
                        contents.entries.into_iter().map(|(key, slot)| (key, slot.value)).collect();
                    let length = contents.length;
                    let wrong = difference(&mut self.by_program, self.trace, said, length, properties, &entries);
                    let wrong = wrong.map(|(kind, details)| {
                        (format!("{kind} of {}", said.class), format!("{at} #{}: query {details}", object.0))
                    });
                    self.tally.add("the program itself: object", wrong);
                }
                None if said.class == "function" || said.class == "promise" => {}
                None => self.tally.add("the program itself: object that is not captured", None),
            }
        }
        if let Some(object) = self.by_oracle.recorded.get(&said.id).copied()
            && let Some(known) = self.model.objects.get(&object)
            && known.is_complete(before)
            && !self.model.has_lost(before)
        {
            let mut held = known.held(before);
            let length = match held.get(&length_key()) {
                Some(Datum::Number(length)) if said.class == "array" => Some(*length as u32),
                _ => None,
            };
            if length.is_some() {
                held.remove(&length_key());
            }
            let entries = known.held_entries(before);
            let wrong = difference(&mut self.by_oracle, self.trace, said, length, held.into_iter().collect(), &entries);
            let wrong = wrong.map(|(kind, details)| {
                (format!("{kind} of {}", said.class), format!("{at} #{}: oracle {details}", object.0))
            });
            self.tally.add("the program itself: object, oracle", wrong);
        }
    }
}

fn difference(
    names: &mut Names,
    trace: &Trace,
    said: &Dumped,
    length: Option<u32>,
    properties: Vec<(PropertyKey, Datum)>,
    entries: &[(Datum, Datum)],
) -> Option<(&'static str, String)> {
    if said.length.is_some() && said.length != length {
        return Some(("another length", format!("{length:?}, program {:?}", said.length)));
    }
    // Private names are no properties that a program could list.
    let is_listed = |(key, _): &(PropertyKey, Datum)| !matches!(key, PropertyKey::Name(name) if name.starts_with('#'));
    let mut properties: Vec<(PropertyKey, Datum)> = properties.into_iter().filter(is_listed).collect();
    let shown = format!("{properties:?}, program {:?}", said.properties);
    for (key, held) in &said.properties {
        let is_it = |known: &PropertyKey| match (known, key) {
            (PropertyKey::Name(name), Held::Text(text)) => name == text,
            (PropertyKey::Symbol(id), Held::Symbol(text)) => {
                trace.thread.symbol_description(*id).is_some_and(|known| *known == **text)
            }
            _ => false,
        };
        let Some(at) = properties.iter().position(|(known, _)| is_it(known)) else {
            return Some(("a property too few", shown));
        };
        let (_, value) = properties.swap_remove(at);
        if !names.agree(&value, held) {
            return Some(("another value", format!("{key:?}: {value:?}, program {held:?}; {shown}")));
        }
    }
    if !properties.is_empty() {
        return Some(("a property too many", shown));
    }
    let is_same = entries.len() == said.entries.len()
        && entries
            .iter()
            .zip(&said.entries)
            .all(|(known, said)| names.agree(&known.0, &said.0) && names.agree(&known.1, &said.1));
    (!is_same).then(|| ("other entries", format!("{entries:?}, program {:?}", said.entries)))
}

impl Names {
    /// Whether a value is what the program says. What was not captured says nothing wrong.
    fn agree(&mut self, value: &Datum, held: &Held) -> bool {
        match (value, held) {
            (Datum::NotCaptured, _) | (_, Held::Unknown) => true,
            (Datum::Undefined, Held::Undefined) | (Datum::Null, Held::Null) | (Datum::Accessor, Held::Accessor) => true,
            (Datum::Bool(a), Held::Bool(b)) => a == b,
            (Datum::Number(a), Held::Number(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Datum::String(a), Held::Text(b)) => **a == **b,
            (Datum::LongString { length }, Held::Text(text)) => text.encode_utf16().count() == *length as usize,
            (Datum::BigInt(a), Held::BigInt(b)) => **a == **b,
            (Datum::Symbol(_, description), Held::Symbol(text)) => description.as_deref().unwrap_or_default() == text,
            (Datum::Object(object), Held::Object(id)) => {
                *self.recorded.entry(*id).or_insert(*object) == *object
                    && *self.said.entry(*object).or_insert(*id) == *id
            }
            _ => false,
        }
    }
}
