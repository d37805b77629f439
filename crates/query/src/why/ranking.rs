//! Which hops are told: of all that a search came to, the nearest, and those where a mistake is most likely by the fitted weights.

use super::features::{Known, N_FEATURES};
use super::weights::TREES;
use super::{Search, SourceAt};

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
            if number > 0 && self.hidden.contains(&number) {
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

    /// Hides all but the nearest and the most suspicious hops; the failure itself is always told.
    pub(super) fn hide_unlikely(&mut self, known: &Known) {
        let features = self.features(known);
        let is_out = |number: &usize| self.hidden.contains(number) || self.minor.contains(number);
        let shown = (1..self.hops.len()).filter(|number| !is_out(number));
        let mut ranked: Vec<(usize, f64)> = shown.map(|number| (number, score(&features[number]))).collect();
        for (number, score) in &ranked {
            self.hops[*number].suspicion = Some(*score);
        }
        // Half of what is told is what was nearest: real bugs are found there more often than the seeded ones (docs/why.md).
        ranked.sort_by_key(|(number, _)| self.is_of_harness(&self.hops[*number], known));
        let mut others = ranked.split_off((self.limits.hops / 2).min(ranked.len()));
        others.sort_by(|one, other| other.1.total_cmp(&one.1));
        let n_others = self.limits.hops.saturating_sub(1 + ranked.len());
        self.hidden.extend(others.into_iter().skip(n_others).map(|(number, _)| number));
        // What is told inside of others goes with them.
        for number in 1..self.hops.len() {
            let is_above_hidden = self.hops[number].parent.is_some_and(|above| self.hidden.contains(&above));
            if self.minor.contains(&number) && is_above_hidden {
                self.hidden.insert(number);
            }
        }
    }
}

fn score(features: &[f64; N_FEATURES]) -> f64 {
    TREES.iter().map(|tree| tree.score(features)).sum()
}
