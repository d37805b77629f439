use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BugCursor, BugId, ExceptionName, Label, Message, Release, Search, Site};

super::object::only_objects!(NewState);

#[derive(Clone, Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
pub struct BugList {
    pub bugs: Vec<BugSummary>,
    /// Where the list goes on, to be sent as `next`; absent at its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<BugCursor>,
}

/// Which bugs an operator wants to see.
#[derive(Clone, Deserialize, PartialEq, Debug, Default)]
pub struct BugQuery {
    pub search: Option<Search>,
    pub state: Option<State>,
    pub next: Option<BugCursor>,
    pub limit: Option<u16>,
}

/// So many bugs a page has at most, and if nothing is said.
pub const MOST_BUGS: u16 = 200;
pub const BUGS_OF_A_PAGE: u16 = 50;

/// A crash that was met once or often.
#[derive(Clone, Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
pub struct BugSummary {
    pub id: BugId,
    pub exception: ExceptionName,
    /// What the newest exception said, if an agent was asked to send it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
    /// Where it crashed; none if no function of the program was active.
    pub site: Option<Site>,
    #[serde(flatten)]
    pub state: BugState,
    /// Reports of it.
    pub count: u64,
    /// RFC 3339.
    pub first_seen: String,
    pub last_seen: String,
    /// The newest release that it was met in.
    pub release: Release,
    /// Functions that are recorded for it, or were in the end.
    pub functions: u64,
    pub overhead: Overhead,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema, PartialEq, Eq, Debug)]
pub struct BugState {
    pub state: State,
    /// How often what is recorded was changed after a crash.
    pub iteration: u64,
}

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Seen too seldom to record anything.
    Watching,
    /// Something is recorded, and the next crash will show more.
    Growing,
    /// The path is complete; nothing is recorded any more.
    Found,
    /// Nothing is recorded: an operator said so, or no further function would show more.
    Off,
}

impl State {
    pub fn name(self) -> &'static str {
        match self {
            State::Watching => "watching",
            State::Growing => "growing",
            State::Found => "found",
            State::Off => "off",
        }
    }
}

/// What recording cost the users who reported the bug.
#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema, PartialEq, Debug, Default)]
pub struct Overhead {
    /// How long their programs ran under a policy.
    pub seconds: f64,
    pub recorder_seconds: f64,
    /// Of the policy in force, as measured or estimated; between 0 and 1.
    pub share: f64,
}

/// A bug with its path.
#[derive(Clone, Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
pub struct BugDetail {
    #[serde(flatten)]
    pub summary: BugSummary,
    /// Older labels were dropped.
    pub cut: bool,
    pub complete: bool,
    /// Oldest first.
    pub path: Vec<PathStep>,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
pub struct PathStep {
    pub step: Label,
    /// Where it is in the original source, if that or a source map was uploaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
pub struct Source {
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// The line, if the source is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What an operator wants of a bug.
#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(rename = "NewState")]
pub struct NewState {
    /// True: record for it, also if it was switched off. False: record nothing for it.
    pub recording: bool,
}
