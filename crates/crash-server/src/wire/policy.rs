use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BugId, FileName, FunctionHex, PolicyId, Release, Version};

/// What an agent records. It names places, and can do nothing else.
#[derive(Clone, Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
pub struct Policy {
    pub version: Version,
    pub id: PolicyId,
    /// So many labels are kept, the newest.
    pub labels: u32,
    pub files: Vec<PolicyFile>,
    /// The bugs whose paths are looked for.
    pub bugs: Vec<BugId>,
    /// The share of its time that this user may lose to recording: an agent that takes more stops.
    pub budget: f64,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
pub struct PolicyFile {
    pub file: FileName,
    pub functions: Vec<FunctionHex>,
}

/// Who asks for a policy.
#[derive(Clone, Deserialize, PartialEq, Debug)]
pub struct PolicyQuery {
    pub release: Release,
    pub cohort: u16,
}
