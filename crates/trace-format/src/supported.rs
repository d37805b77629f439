//! Which versions of Node are recorded.

/// Their major versions.
pub const NODE_VERSIONS: [u32; 4] = [20, 22, 24, 26];
