//! The form of the fitted ranking: a sum of small trees, each of which asks three questions about features.

use super::features::N_FEATURES;

/// Whether a feature is greater than a number.
pub(super) struct Split(pub usize, pub f64);

/// The answer to the question `n` leads to question `2n + 1` (no) or `2n + 2` (yes); below the last ones are the leaves.
pub(super) struct Tree {
    pub splits: [Split; N_SPLITS],
    pub leaves: [f64; N_SPLITS + 1],
}

const N_SPLITS: usize = 7;

impl Tree {
    pub fn score(&self, features: &[f64; N_FEATURES]) -> f64 {
        let mut at = 0;
        while let Some(Split(feature, limit)) = self.splits.get(at) {
            at = 2 * at + 1 + usize::from(features[*feature] > *limit);
        }
        self.leaves[at - N_SPLITS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_questions_lead_to_a_leaf() {
        let splits =
            [Split(0, 1.0), Split(1, 0.0), Split(2, 0.0), Split(0, 0.0), Split(0, 0.5), Split(1, 5.0), Split(1, 5.0)];
        let tree = Tree { splits, leaves: [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0] };
        let mut features = [0.0; N_FEATURES];
        assert_eq!(tree.score(&features), 0.0);
        (features[0], features[1]) = (0.75, 1.0);
        assert_eq!(tree.score(&features), 3.0);
        (features[0], features[1], features[2]) = (2.0, 6.0, 1.0);
        assert_eq!(tree.score(&features), 7.0);
    }
}
