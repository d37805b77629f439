//! How much an analysis may take. It always ends: a budget that is used up makes it coarser first, and then stops it.

/// A step is one set of tokens going along one edge, or one token being told to one listener.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub n_steps: u64,
    pub n_bytes: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { n_steps: 16_000_000, n_bytes: 1 << 30 }
    }
}

/// What was done because a budget was used up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Coarseness {
    /// Nothing.
    #[default]
    Exact,
    /// Properties of one name are one place, whatever object they are of.
    ByName,
    /// It was stopped: calls and objects may be missing.
    Stopped,
}
