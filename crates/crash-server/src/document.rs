//! A bug as it is stored.

use crash_path::{FunctionRef, Grown, Path, SiteRef};
use serde::{Deserialize, Serialize};

use crate::bugs::{Bug, Cost};
use crate::wire::{BugId, ExceptionName, Function, Label, Message, Release, Site, State};

#[derive(Serialize, Deserialize)]
pub struct BugDocument {
    id: BugId,
    place: String,
    message: Option<Message>,
    state: State,
    iteration: u64,
    count: u64,
    first_seen: i64,
    last_seen: i64,
    releases: Vec<Release>,
    path: PathDocument,
    path_release: Release,
    functions: Vec<FunctionDocument>,
    seconds: f64,
    recorder_seconds: f64,
    cost_per_function: Option<f64>,
    n_exhausted: u32,
    #[serde(default)]
    is_reopening_told: bool,
}

#[derive(Serialize, Deserialize)]
struct PathDocument {
    labels: Vec<Label>,
    cut: bool,
    exception: ExceptionName,
    stack: Vec<Site>,
    wanted: Vec<Function>,
}

#[derive(Serialize, Deserialize)]
struct FunctionDocument {
    function: Function,
    recorded: bool,
    for_good: bool,
}

impl From<&Bug> for BugDocument {
    fn from(bug: &Bug) -> BugDocument {
        BugDocument {
            id: bug.id.clone(),
            place: bug.place.clone(),
            message: bug.message.clone(),
            state: bug.state,
            iteration: bug.iteration,
            count: bug.count,
            first_seen: bug.first_seen,
            last_seen: bug.last_seen,
            releases: bug.releases.clone(),
            path: PathDocument::from(&bug.path),
            path_release: bug.path_release.clone(),
            functions: bug.grown.states().map(FunctionDocument::from).collect(),
            seconds: bug.cost.seconds,
            recorder_seconds: bug.cost.recorder_seconds,
            cost_per_function: bug.cost.per_function,
            n_exhausted: bug.n_exhausted,
            is_reopening_told: bug.is_reopening_told,
        }
    }
}

impl From<BugDocument> for Bug {
    fn from(document: BugDocument) -> Bug {
        let states = document
            .functions
            .iter()
            .map(|function| (FunctionRef::from(&function.function), function.recorded, function.for_good));
        Bug {
            grown: Grown::from_states(states),
            id: document.id,
            place: document.place,
            message: document.message,
            state: document.state,
            iteration: document.iteration,
            count: document.count,
            first_seen: document.first_seen,
            last_seen: document.last_seen,
            releases: document.releases,
            path: Path::from(&document.path),
            path_release: document.path_release,
            cost: Cost {
                seconds: document.seconds,
                recorder_seconds: document.recorder_seconds,
                per_function: document.cost_per_function,
            },
            n_exhausted: document.n_exhausted,
            is_reopening_told: document.is_reopening_told,
        }
    }
}

impl From<&Path> for PathDocument {
    fn from(path: &Path) -> PathDocument {
        PathDocument {
            labels: path.labels.iter().map(Label::from).collect(),
            cut: path.is_cut,
            exception: ExceptionName::try_from(path.exception.clone()).expect("a name that came over the wire"),
            stack: path.stack.iter().map(Site::from).collect(),
            wanted: path.wanted.iter().map(Function::from).collect(),
        }
    }
}

impl From<&PathDocument> for Path {
    fn from(document: &PathDocument) -> Path {
        Path {
            labels: document.labels.iter().map(crash_path::Label::from).collect(),
            is_cut: document.cut,
            exception: document.exception.to_string(),
            stack: document.stack.iter().map(SiteRef::from).collect(),
            wanted: document.wanted.iter().map(FunctionRef::from).collect(),
        }
    }
}

impl From<(&FunctionRef, bool, bool)> for FunctionDocument {
    fn from((function, recorded, for_good): (&FunctionRef, bool, bool)) -> FunctionDocument {
        FunctionDocument { function: function.into(), recorded, for_good }
    }
}
