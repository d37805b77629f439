//! That a write is the newest of its place, and that times round are those of one place.

use query::{Explanation, Hop, HopKind, Place};
use trace_model::EventId;
use trace_store::{PropertyKey, Step};

use super::{Asked, Clauses};
use crate::oracle::happenings::{Spot, Written};
use crate::oracle::objects::last;
use crate::oracle::tally::Verdict;
use crate::oracle::values::same_if_any;

impl Clauses<'_> {
    /// No newer write of the place was there for what the hop explains; or what it held was taken elsewhere before that; or the
    /// newer one is an earlier time of a line that is told above it: a line is told once. What says of itself that it is another time of its
    /// line leaves out those between.
    pub(super) fn newest(&mut self, hop: &Hop, above: &[&Hop], asked: &Asked) {
        let clause = "write: the newest, or taken on before the next";
        let event = hop.rounds.as_ref().and_then(|rounds| rounds.steps.last()).map_or(hop.event(), |step| step.id);
        let Some(parent) = above.first() else { return };
        let read = match &parent.rounds {
            _ if parent.parent.is_none() => asked.before,
            // What there was before the first time round explains them all.
            Some(rounds) => rounds.steps.iter().map(|step| step.id).find(|id| *id > event).unwrap_or(parent.event()),
            None => EventId(self.happenings.over(parent.event()).0 - 1),
        };
        // `a[a.length] = x` writes the length too, which is not told.
        let is_told = |written: &&Written| match &hop.value {
            Some(_) if hop.step.site().is_some() => same_if_any(&written.entry.new, &hop.value),
            _ => written.entry.new.is_some(),
        };
        let told: Vec<&Written> = self.happenings.written(hop.event()).iter().filter(is_told).collect();
        let of_newest = self.happenings.written(event).iter();
        let mut of_newest = of_newest.filter(|written| told.iter().any(|told| told.spot == written.spot)).peekable();
        if of_newest.peek().is_none() {
            return self.add(clause, Verdict::Unchecked, hop, asked);
        }
        let mut is_of_told_line = false;
        let mut is_right = false;
        for written in of_newest {
            let next = written.entries.iter().find(|entry| entry.event > event && entry.event < read);
            let (Some(next), Some(new)) = (next, &written.entry.new) else {
                is_right = true;
                continue;
            };
            // `n-- > 0` reads before it writes, and so does `[a, b] = [b, a]`.
            let is_taken = self.happenings.carried(new, event, next.event)
                || self.happenings.carried(new, next.event, self.happenings.end_of_statement(next.event));
            let told = above.iter().flat_map(|told| [told.event()].into_iter().chain(decided_by(told)));
            is_right |= is_taken || self.happenings.is_part_of(next.event, parent.event());
            is_right |= decided_by(parent).is_some_and(|branch| self.happenings.is_part_of(next.event, branch));
            is_right |= self.is_about_length(written, parent, event, read);
            is_of_told_line |= told.into_iter().any(|told| self.happenings.are_of_one_line(told, next.event));
            is_of_told_line |= hop.other_time.is_some() && self.happenings.are_of_one_line(hop.event(), next.event);
        }
        match is_of_told_line && !is_right {
            true => self.add("write: the newest before an earlier time of a told line", Verdict::Right, hop, asked),
            false => {
                let wrong = format!("a newer one for {:?}", parent.kind);
                self.add(clause, Verdict::of(is_right, &wrong), hop, asked);
            }
        }
    }

    /// What is told is that an array got so long: its element may be another by then.
    fn is_about_length(&self, written: &Written, parent: &Hop, event: EventId, read: EventId) -> bool {
        let Spot::Property(array, _) = &written.spot else { return false };
        let length = Spot::Property(*array, PropertyKey::Name("length".into()));
        let of_length = self.happenings.written(event).iter().find(|written| written.spot == length);
        parent.subject.contains(".length")
            && of_length.is_some_and(|it| !it.entries.iter().any(|entry| entry.event > event && entry.event < read))
    }

    pub(super) fn rounds(&mut self, hop: &Hop, asked: &Asked) {
        let Some(rounds) = &hop.rounds else { return };
        let is_told = rounds.steps.get(rounds.told).is_some_and(|step| step.id == hop.event());
        self.add("rounds: the one that is told is one of them", Verdict::of(is_told, "it is not"), hop, asked);
        let is_in_order = rounds.steps.windows(2).all(|two| two[0].id < two[1].id);
        self.add("rounds: oldest first", Verdict::of(is_in_order, "they are not"), hop, asked);
        if hop.kind != HopKind::Write || hop.step.site().is_none() {
            return self.add("rounds: all wrote the same place", Verdict::Unchecked, hop, asked);
        }
        let spots = |step: &Step| self.happenings.written(step.id).iter().map(|it| it.spot.clone()).collect::<Vec<_>>();
        let all: Vec<Vec<Spot>> = rounds.steps.iter().map(spots).collect();
        let common: Vec<&Spot> = match all.first() {
            Some(first) => first.iter().filter(|spot| all.iter().all(|spots| spots.contains(spot))).collect(),
            None => Vec::new(),
        };
        let is_one = !common.is_empty();
        self.add("rounds: all wrote the same place", Verdict::of(is_one, "they did not"), hop, asked);
        // An element of an array may change its length too, which others do as well.
        let is_alone = |spot: &&Spot| {
            rounds.steps.windows(2).all(|two| {
                let written = self.happenings.written(two[0].id).iter().find(|written| written.spot == **spot);
                let entries = written.map_or(&[][..], |written| written.entries);
                !entries.iter().any(|entry| two[0].id < entry.event && entry.event < two[1].id)
            })
        };
        let has_other = is_one && !common.iter().any(is_alone);
        self.add("rounds: nothing else wrote it between", Verdict::of(!has_other, "something did"), hop, asked);
    }

    /// The place that was asked about holds what the newest write of it gave: where a hop tells of a write of that place, it is the
    /// newest one.
    pub(super) fn answer(&mut self, explanation: &Explanation, asked: &Asked) {
        let clause = "asked: the newest write of the place";
        let Some(place) = &asked.place else { return };
        let model = self.happenings.model;
        let (spot, entries) = match place {
            Place::Variable { place, .. } => {
                let spot = (place.unit, place.variable, place.owner);
                (Spot::Variable(spot.0, spot.1, spot.2), model.variables.get(&spot))
            }
            Place::Property { object, key } => {
                let entries = model.objects.get(object).and_then(|object| object.properties.get(key));
                (Spot::Property(*object, key.clone()), entries)
            }
            Place::Global { .. } | Place::Entry { .. } => return,
        };
        let Some(newest) = entries.and_then(|entries| last(entries, asked.before)) else { return };
        let tells = |hop: &&Hop| {
            let rounds = hop.rounds.as_ref().and_then(|rounds| rounds.steps.last()).map(|step| step.id);
            let written = self.happenings.written(rounds.unwrap_or(hop.event()));
            hop.parent == Some(0) && hop.kind == HopKind::Write && written.iter().any(|written| written.spot == spot)
        };
        let told: Vec<&Hop> = explanation.hops.iter().filter(tells).collect();
        let event_of =
            |hop: &Hop| hop.rounds.as_ref().and_then(|rounds| rounds.steps.last()).map_or(hop.event(), |step| step.id);
        let root = explanation.hops.first().map(Hop::event);
        if root.is_some_and(|root| self.happenings.are_of_one_line(root, newest.event)) {
            // It stands where the question was asked, and is not told again.
        } else if let Some(first) = told.first() {
            let has_newest = told.iter().any(|hop| event_of(hop) == newest.event);
            self.add(clause, Verdict::of(has_newest, "an older one"), first, asked);
        } else if let Some(root) = explanation.hops.first() {
            self.add(clause, Verdict::Unchecked, root, asked);
        }
    }
}

/// The branch that is told together with what it decided.
fn decided_by(hop: &Hop) -> Option<EventId> {
    hop.because.as_ref().map(|because| because.step.id)
}
