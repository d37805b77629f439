//! Which hops are told: of all that a search came to, the nearest, and those where a mistake is most likely by the fitted weights.

use std::collections::HashMap;

use trace_model::EventId;

use super::features::{Known, N_FEATURES};
use super::weights::TREES;
use super::{Search, SourceAt, Visit};

/// A hop that could be told, for fitting the weights.
pub struct Candidate {
    /// Where it is, and what is told inside it.
    pub places: Vec<SourceAt>,
    pub features: [f64; N_FEATURES],
}

impl Search<'_, '_> {
    /// The failure itself, which is always told, comes first.
    pub(super) fn candidates(&self, known: &Known) -> Vec<Candidate> {
        let features = self.features(known);
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut places: Vec<usize> = Vec::new();
        for (number, hop) in self.hops.iter().enumerate() {
            let above = hop.parent.map_or(0, |parent| places[parent]);
            if number > 0 && (self.hidden.contains(&number) || self.is_other_time(number)) {
                places.push(above);
            } else if number > 0 && self.minor.contains(&number) {
                places.push(above);
                candidates[above].places.push(hop.at);
            } else {
                places.push(candidates.len());
                candidates.push(Candidate { places: vec![hop.at], features: features[number] });
            }
        }
        candidates
    }

    /// What the search came to, each at a price: where a test failed beside others, the most suspicious hop by the fitted weights has the
    /// price of the cheapest one, and so on. The weights say in which order, and the prices how much that is.
    pub(super) fn into_priced(mut self, known: &Known) -> Vec<Visit> {
        if known.siblings.is_empty() {
            return self.visits;
        }
        self.put_in_order();
        let scores: Vec<f64> = self.features(known).iter().map(score).collect();
        let mut ranked: Vec<usize> = (0..self.hops.len()).filter(|number| !self.is_other_time(*number)).collect();
        let mut prices: Vec<f64> = ranked.iter().map(|number| self.hops[*number].cost).collect();
        prices.sort_by(f64::total_cmp);
        ranked.sort_by(|one, other| scores[*other].total_cmp(&scores[*one]));
        let mut priced: HashMap<EventId, f64> = HashMap::new();
        for (number, price) in ranked.into_iter().zip(prices) {
            let known = priced.entry(self.hops[number].step.id).or_insert(price);
            *known = known.min(price);
        }
        for visit in &mut self.visits {
            visit.cost = priced.get(&visit.event).copied().unwrap_or(visit.cost);
        }
        self.visits
    }

    /// Hides all but the nearest and the most suspicious hops; the failure itself is always told.
    pub(super) fn hide_unlikely(&mut self, known: &Known) {
        let features = self.features(known);
        let shown = (1..self.hops.len()).filter(|number| self.is_counted(*number));
        let mut ranked: Vec<(usize, f64)> = shown.map(|number| (number, score(&features[number]))).collect();
        for (number, score) in &ranked {
            self.hops[*number].suspicion = Some(*score);
        }
        // Some of what is told is what was nearest: real bugs are found there more often than the seeded ones (docs/why.md).
        ranked.sort_by_key(|(number, _)| self.is_of_harness(&self.hops[*number], known));
        let n_nearest = if known.siblings.is_empty() { self.limits.hops / 2 } else { self.limits.hops / 3 };
        let mut others = ranked.split_off(n_nearest.min(ranked.len()));
        others.sort_by(|one, other| other.1.total_cmp(&one.1));
        let mut chosen: Vec<usize> = Vec::new();
        for (number, _) in &ranked {
            self.choose(*number, &mut chosen);
        }
        for (number, _) in &others {
            self.choose(*number, &mut chosen);
        }
        let is_left_out = |number: &usize| self.is_counted(*number) && !chosen.contains(number);
        let left_out: Vec<usize> = (1..self.hops.len()).filter(is_left_out).collect();
        self.hidden.extend(left_out);
        // What is told inside of others goes with them.
        for number in 1..self.hops.len() {
            let is_above_hidden = self.hops[number].parent.is_some_and(|above| self.hidden.contains(&above));
            if self.minor.contains(&number) && is_above_hidden {
                self.hidden.insert(number);
            }
        }
    }

    /// Takes a hop with those between it and the failure, as far as there is room: without them it would seem to be the reason of what it is not.
    fn choose(&self, number: usize, chosen: &mut Vec<usize>) {
        let up = std::iter::successors(Some(number), |number| self.hops[*number].parent);
        let is_told = |number: &usize| *number > 0 && self.is_counted(*number);
        let new: Vec<usize> = up.filter(is_told).take_while(|number| !chosen.contains(number)).collect();
        if chosen.len() + 1 + new.len() <= self.limits.hops {
            chosen.extend(new);
        }
    }
}

fn score(features: &[f64; N_FEATURES]) -> f64 {
    TREES.iter().map(|tree| tree.score(features)).sum()
}
