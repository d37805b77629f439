//! What `why` tells, clause by clause, against what the oracle knows: that an event is what it is said to be, with that value; that
//! a write is the newest of its place; that a condition read this; that a hop is before the one that it explains.

mod ends;
mod events;
mod newest;

use query::{Datum, Explanation, Failure, FailureKind, Hop, HopKind, Limits, Place, Trace, why, why_held};
use trace_model::{EventId, SiteKind};
use trace_store::Step;

use super::Tally;
use super::happenings::Happenings;
use super::model::Model;
use super::tally::Verdict;
use crate::random::Random;

/// Has so many explanations of each program checked: of places at random moments, and, every third, of an exception.
pub fn check(trace: &Trace, model: &Model, programs: &[Vec<EventId>], n_explanations: usize, tally: &mut Tally) {
    if n_explanations == 0 {
        return;
    }
    let happenings = Happenings::of(model);
    let mut clauses = Clauses { trace, happenings: &happenings, tally, random: Random::new(2) };
    for program in programs {
        let is_catch = |event: &&EventId| happenings.kind(**event) == Some(SiteKind::Catch);
        let catches: Vec<EventId> = program.iter().filter(is_catch).copied().collect();
        for number in 0..n_explanations {
            if number % 3 == 1 && clauses.of_exception(&catches).is_some() {
                continue;
            }
            // Not every moment has a place that holds something.
            (0..MOST_TRIES).find_map(|_| clauses.of_place(program));
        }
    }
}

const MOST_TRIES: usize = 10;

struct Clauses<'a> {
    trace: &'a Trace<'a>,
    happenings: &'a Happenings<'a>,
    tally: &'a mut Tally,
    random: Random,
}

/// What is known of the explanation that a clause is of.
struct Asked<'e> {
    hops: &'e [Hop],
    /// All that it tells was before.
    before: EventId,
    place: Option<Place>,
    words: String,
}

impl Clauses<'_> {
    fn of_place(&mut self, program: &[EventId]) -> Option<()> {
        let id = *self.random.pick(program)?;
        let step = self.trace.thread.step(id)?;
        let place = self.random_place(&step)?;
        let explanation = why_held(self.trace, &step, place.clone(), Limits::default());
        let words = format!("why {} @{}", place.text(&javascript::JavaScript), id.0);
        self.explanation(&explanation, &Asked { hops: &explanation.hops, before: id, place: Some(place), words });
        Some(())
    }

    /// Why something was thrown that the program caught: as if nobody had.
    fn of_exception(&mut self, catches: &[EventId]) -> Option<()> {
        let catch = self.trace.thread.step(*self.random.pick(catches)?)?;
        let thrown = self.trace.thrown_before(&catch)?;
        let error = self.trace.step_value(&catch);
        let message = error.as_ref().map_or(String::new(), |error| self.trace.error_message(error, catch.id));
        let before = thrown.before;
        let words = format!("why {message:?} caught @{}", catch.id.0);
        let failure = Failure { kind: FailureKind::Caught, error, message, ..Failure::about(thrown) };
        let explanation = why(self.trace, failure, Limits::default());
        self.explanation(&explanation, &Asked { hops: &explanation.hops, before, place: None, words });
        Some(())
    }

    /// A variable in scope, or a property or entry of an object in reach.
    fn random_place(&mut self, step: &Step) -> Option<Place> {
        let scene = self.trace.scene(step)?;
        let names = self.trace.names_in_scope(scene);
        let variable = *self.random.pick(&names)?;
        let place = self.trace.variable_place(scene, variable)?;
        let name = self.trace.code(place.unit)?.variable_name(variable).to_owned();
        let mut found = Place::Variable { place, name };
        let mut held = self.happenings.model.variable(&place, step.id)?.new.clone()?;
        while let Datum::Object(object) = held {
            let Some(known) = self.happenings.model.objects.get(&object).filter(|_| self.random.below(3) > 0) else {
                break;
            };
            let mut inside: Vec<(Place, Datum)> = Vec::new();
            let properties = known.held(step.id).into_iter();
            inside.extend(properties.map(|(key, value)| (Place::Property { object, key }, value)));
            let entries = known.held_entries(step.id).into_iter();
            inside.extend(entries.map(|(key, value)| (Place::Entry { object, key }, value)));
            inside.sort_by_key(|(place, _)| place.text(&javascript::JavaScript));
            let Some((place, value)) = self.random.pick(&inside).cloned() else { break };
            (found, held) = (place, value);
        }
        Some(found)
    }

    fn explanation(&mut self, explanation: &Explanation, asked: &Asked) {
        self.tally.add_explanation();
        for (number, hop) in explanation.hops.iter().enumerate() {
            let parent = hop.parent.map(|parent| &explanation.hops[parent]);
            if number > 0 && parent.is_none() {
                self.add("a hop explains another", Verdict::Wrong("it explains none".into()), hop, asked);
            }
            if let Some(parent) = parent {
                self.source(hop, asked);
                self.order(hop, parent, asked);
                self.event(hop, parent, asked);
                if hop.kind == HopKind::Write {
                    let above = std::iter::successors(Some(parent), |told| Some(&explanation.hops[told.parent?]));
                    self.newest(hop, &above.collect::<Vec<_>>(), asked);
                }
            }
            self.because(hop, asked);
            self.rounds(hop, asked);
            self.end(hop, asked);
        }
        self.answer(explanation, asked);
    }

    fn add(&mut self, clause: &'static str, verdict: Verdict, hop: &Hop, asked: &Asked) {
        let details = || {
            let words = |hop: &Hop| {
                let line = self.happenings.site(hop.event()).and_then(|site| site.position());
                let line = line.map_or(String::new(), |position| format!(" line {}", position.line));
                let (subject, value) = (&hop.subject, &hop.value);
                let because =
                    hop.because.iter().map(|it| format!(" because @{} `{}` {:?}", it.step.id.0, it.subject, it.value));
                let because: String = because.collect();
                format!("{:?} @{}{line} `{subject}` {value:?}{because}", hop.kind, hop.event().0)
            };
            let above = std::iter::successors(Some(hop), |hop| Some(&asked.hops[hop.parent?]));
            format!("{}: {}", asked.words, above.map(words).collect::<Vec<_>>().join(", for "))
        };
        let details = if matches!(verdict, Verdict::Wrong(_)) { details() } else { String::new() };
        self.tally.add_clause(clause, verdict, || details);
    }

    /// When what a hop tells was over: of times round, the last of them.
    fn over(&self, hop: &Hop, asked: &Asked) -> EventId {
        if hop.parent.is_none() {
            return asked.before;
        }
        let rounds = hop.rounds.iter().flat_map(|rounds| rounds.steps.last()).map(|step| step.id);
        self.happenings.over(rounds.fold(hop.event(), EventId::max))
    }

    fn order(&mut self, hop: &Hop, parent: &Hop, asked: &Asked) {
        let verdict = Verdict::of(hop.event() < asked.before, "after it");
        self.add("order: before what was asked about", verdict, hop, asked);
        if parent.parent.is_none() {
            return;
        }
        let over = self.over(parent, asked);
        let is_before = hop.event() < parent.event();
        let is_before_end = hop.event() < over && hop.event() != parent.event();
        let kind = format!("{:?} after {:?}", hop.kind, parent.kind);
        let verdict = if is_before || is_before_end { Verdict::Right } else { Verdict::Wrong(kind) };
        self.add("order: before the hop that it explains", verdict, hop, asked);
    }

    /// What it is about stands where it is said to be.
    fn source(&mut self, hop: &Hop, asked: &Asked) {
        let clause = "source: the words stand there";
        let Some(code) = self.trace.code(hop.at.unit).filter(|_| !hop.subject.is_empty()) else { return };
        let Some(source) = code.source() else { return };
        let words = hop.subject.trim_end_matches('…');
        let text = |from: usize, to: usize| {
            source.get(from..to.min(source.len())).map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
        };
        let offset = hop.at.offset as usize;
        let is_here = source.get(offset..).is_some_and(|rest| {
            let rest: String = rest.chars().take(400).collect();
            rest.split_whitespace().collect::<Vec<_>>().join(" ").starts_with(words)
        });
        let statement = hop.step.site().and_then(|site| code.site_facts(site).statement);
        let statement = statement.map(|statement| code.facts.statements[statement as usize].span);
        let is_inside = || {
            let span = statement?;
            let is_of_it = span.start as usize <= offset && offset <= span.end as usize;
            Some(is_of_it && text(span.start as usize, span.end as usize)?.contains(words))
        };
        let verdict = match (is_here, is_inside()) {
            (true, _) | (_, Some(true)) => Verdict::Right,
            (false, None) => Verdict::Unchecked,
            (false, Some(false)) => Verdict::Wrong("other words".into()),
        };
        self.add(clause, verdict, hop, asked);
    }
}
