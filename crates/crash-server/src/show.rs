//! A bug as it is shown, to programs and on the page.

use crash_path::is_complete;

use crate::bugs::Bug;
use crate::sources;
use crate::store::{ProjectId, Result, Store};
use crate::time;
use crate::wire::{BugDetail, BugState, BugSummary, ExceptionName, Label, Overhead, PathStep, Site, State};

pub fn summary(bug: &Bug) -> BugSummary {
    let n_functions = bug.grown.functions().count();
    let share = match bug.state {
        State::Growing => bug.cost_of_function() * n_functions as f64,
        _ => 0.0,
    };
    BugSummary {
        id: bug.id.clone(),
        exception: ExceptionName::try_from(bug.path.exception.clone()).expect("a name that came over the wire"),
        message: bug.message.clone(),
        site: bug.crash_site().map(Site::from),
        state: BugState { state: bug.state, iteration: bug.iteration },
        count: bug.count,
        first_seen: time::shown(bug.first_seen),
        last_seen: time::shown(bug.last_seen),
        release: bug.newest_release().clone(),
        functions: n_functions as u64,
        overhead: Overhead { seconds: bug.cost.seconds, recorder_seconds: bug.cost.recorder_seconds, share },
    }
}

pub async fn detail(store: &Store, project: ProjectId, bug: &Bug) -> Result<BugDetail> {
    let sources = sources::of_path(store, project, bug).await?;
    let path = bug.path.labels.iter().zip(sources).map(|(label, source)| PathStep { step: Label::from(label), source });
    Ok(BugDetail {
        summary: summary(bug),
        cut: bug.path.is_cut,
        complete: is_complete(&bug.path),
        path: path.collect(),
    })
}
