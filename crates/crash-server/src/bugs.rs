//! Telling crashes apart, and recognising the same crash.
//!
//! Two crashes are the same if their paths match (`crash_path::matches`). Where to look are the bugs at the same *place*, which is the
//! exception and the function: two bugs can crash there, and only the paths tell them apart.
//!
//! As long as the births are not known, the same functions being active is enough; when they are, paths that do not match become two
//! bugs. A user who recorded nothing reports little more than the place; then the bug counts whose stack is most alike.

use crash_path::{Grown, Path, SiteRef, matches};
use sha2::{Digest, Sha256};

use crate::wire::{BugId, Message, Release, State};

/// So many bugs are told apart at one place. A program that never crashes the same way twice must not fill the database.
pub const MAX_AT_ONE_PLACE: usize = 8;

#[derive(Clone, PartialEq, Debug)]
pub struct Bug {
    pub id: BugId,
    pub place: String,
    /// What the newest exception said, if an agent was asked to send it.
    pub message: Option<Message>,
    pub state: State,
    /// How often what is recorded was changed after a crash.
    pub iteration: u64,
    pub count: u64,
    pub first_seen: i64,
    pub last_seen: i64,
    /// Releases it was met in, in the order in which they came up.
    pub releases: Vec<Release>,
    /// The best path so far, and the release whose positions it has.
    pub path: Path,
    pub path_release: Release,
    /// The functions that are recorded.
    pub grown: Grown,
    pub cost: Cost,
    /// How many crashes in a row showed that no further function would help.
    pub n_exhausted: u32,
    /// Since it came to its state, somebody was told that it was met again.
    pub is_reopening_told: bool,
}

/// What recording costs the users who meet a bug.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Cost {
    /// How long programs ran while something was recorded, and how much of it the recorder took.
    pub seconds: f64,
    pub recorder_seconds: f64,
    /// The share of the time that one recorded function takes, of late. None until it was measured.
    pub per_function: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recognised {
    /// The bug with this index.
    Same(usize),
    /// None of the bugs; but there are so many at this place that it counts for this one, which learns nothing from it.
    OneTooMany(usize),
    New,
}

/// What all crashes have in common that may be the same bug.
pub fn place(path: &Path) -> String {
    match path.crashed_at() {
        Some(site) => format!("{} {} {}", path.exception, site.function.key, site.function.file),
        None => path.exception.clone(),
    }
}

/// Which of the bugs at its place a crash is.
pub fn recognise(bugs: &[Bug], path: &Path) -> Recognised {
    let closeness = |&index: &usize| {
        let bug = &bugs[index];
        (common_frames(&bug.path.stack, &path.stack), bug.path.labels.len(), std::cmp::Reverse(bug.first_seen))
    };
    let all = 0..bugs.len();
    if let Some(same) = all.clone().filter(|&index| matches(&bugs[index].path, path)).max_by_key(closeness) {
        return Recognised::Same(same);
    }
    match all.max_by_key(closeness) {
        Some(closest) if bugs.len() >= MAX_AT_ONE_PLACE => Recognised::OneTooMany(closest),
        _ => Recognised::New,
    }
}

impl Bug {
    /// A bug that was met for the first time. Its name follows from the report, so it does not matter who analyses it.
    pub fn new(report: &str, path: Path, release: Release, seen_at: i64) -> Bug {
        let digest = Sha256::digest(report.as_bytes());
        let id: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        Bug {
            id: BugId::try_from(id).expect("12 hexadecimal digits"),
            place: place(&path),
            message: None,
            state: State::Watching,
            iteration: 0,
            count: 0,
            first_seen: seen_at,
            last_seen: seen_at,
            releases: Vec::new(),
            path,
            path_release: release,
            grown: Grown::default(),
            cost: Cost::default(),
            n_exhausted: 0,
            is_reopening_told: false,
        }
    }

    pub fn newest_release(&self) -> &Release {
        self.releases.last().unwrap_or(&self.path_release)
    }

    pub fn crash_site(&self) -> Option<&SiteRef> {
        self.path.crashed_at()
    }

    /// What one function takes of a user's time, as measured or assumed.
    pub fn cost_of_function(&self) -> f64 {
        self.cost.per_function.unwrap_or(COST_OF_UNMEASURED_FUNCTION)
    }
}

/// Before anything was measured: thirty functions fit into the budget of three in a hundred.
const COST_OF_UNMEASURED_FUNCTION: f64 = 0.001;

/// How many frames agree, from the crash outwards.
fn common_frames(one: &[SiteRef], other: &[SiteRef]) -> usize {
    one.iter().zip(other).take_while(|(here, there)| here == there).count()
}
