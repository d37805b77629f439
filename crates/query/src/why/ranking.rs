//! Which hops are told: of all that a search came to, those where a mistake is most likely, by the fitted weights.

use super::features::N_FEATURES;
use super::siblings::Siblings;
use super::weights::WEIGHTS;
use super::{Search, SourceAt};

/// A hop that could be told, for fitting the weights.
pub struct Candidate {
    pub at: SourceAt,
    pub features: [f64; N_FEATURES],
    /// Whether it is hidden for other reasons than its rank.
    pub is_hidden: bool,
}

impl Search<'_, '_> {
    pub(super) fn candidates(&self, siblings: &Siblings) -> Vec<Candidate> {
        let features = self.features(siblings).into_iter().enumerate();
        let hops = features.map(|(number, features)| Candidate {
            at: self.hops[number].at,
            features,
            is_hidden: self.hidden.contains(&number),
        });
        hops.collect()
    }

    /// Hides all but the most suspicious hops; the failure itself is always told.
    pub(super) fn hide_unlikely(&mut self, siblings: &Siblings) {
        let candidates = self.candidates(siblings);
        let shown = candidates.iter().enumerate().skip(1).filter(|(_, candidate)| !candidate.is_hidden);
        let mut ranked: Vec<(usize, f64)> =
            shown.map(|(number, candidate)| (number, score(&candidate.features))).collect();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
        self.hidden.extend(ranked.into_iter().skip(self.limits.hops.saturating_sub(1)).map(|(number, _)| number));
    }
}

fn score(features: &[f64; N_FEATURES]) -> f64 {
    features.iter().zip(WEIGHTS).map(|(value, weight)| value * weight).sum()
}
