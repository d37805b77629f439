//! The task that reads stored reports and grows policies.
//!
//! The inbox is a table. A report leaves it in the same transaction that changes its bug, so whoever is killed, it is counted once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crash_path::Path;
use tokio::sync::Notify;

use crate::bugs::{Bug, Recognised, place, recognise};
use crate::growth::{Patience, Step, count, learn};
use crate::log::Log;
use crate::policies::Policies;
use crate::store::{Pending, ProjectId, Result, Store, StoreError, Writing};
use crate::wire::Report;

const MAX_BATCH: i64 = 256;
/// What an instance left behind that was killed is found after this time.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

pub async fn run(store: Store, policies: Arc<Policies>, patience: Patience, stored: Arc<Notify>, log: Log) {
    loop {
        match analyse(&store, patience, &log).await {
            Ok(projects) if projects.is_empty() => {
                let _ = tokio::time::timeout(LOOK_AGAIN, stored.notified()).await;
            }
            Ok(projects) => projects.into_iter().for_each(|project| policies.forget(project)),
            Err(error) => {
                log.say(&format!("reports could not be analysed: {error}"));
                tokio::time::sleep(LOOK_AGAIN).await;
            }
        }
    }
}

/// Analyses what is in the inbox, up to a number of reports. Gives the projects that these belong to.
pub async fn analyse(store: &Store, patience: Patience, log: &Log) -> Result<Vec<ProjectId>> {
    let Some((mut writing, pending)) = store.take_pending(MAX_BATCH).await? else { return Ok(Vec::new()) };
    let mut by_project: BTreeMap<ProjectId, Vec<Pending>> = BTreeMap::new();
    for report in pending {
        by_project.entry(report.project).or_default().push(report);
    }
    let mut told = Vec::new();
    for (project, reports) in &by_project {
        told.extend(analyse_project(&mut writing, *project, reports, patience).await?);
    }
    writing.commit().await?;
    for line in told {
        log.say(&line);
    }
    Ok(by_project.into_keys().collect())
}

async fn analyse_project(
    writing: &mut Writing,
    project: ProjectId,
    reports: &[Pending],
    patience: Patience,
) -> Result<Vec<String>> {
    let mut at_place: BTreeMap<String, Vec<Bug>> = BTreeMap::new();
    let mut met = Vec::new();
    let mut told = Vec::new();
    for pending in reports {
        let report: Report = serde_json::from_str(&pending.body)
            .map_err(|error| StoreError::Unreadable(format!("a report: {error}")))?;
        let path = Path::from(&report);
        let place = place(&path);
        if !at_place.contains_key(&place) {
            at_place.insert(place.clone(), writing.bugs_at(project, &place).await?);
        }
        let bugs = at_place.get_mut(&place).expect("it was just inserted");
        let (bug, step) = one_report(bugs, &report, path, pending.received_at, patience);
        met.push((bug.id.clone(), report.cohort));
        told.extend(line(bug, step));
    }
    for bug in at_place.values().flatten() {
        writing.put_bug(project, bug).await?;
    }
    met.sort_unstable();
    met.dedup();
    writing.note_meetings(project, &met).await?;
    Ok(told)
}

pub fn one_report<'b>(
    bugs: &'b mut Vec<Bug>,
    report: &Report,
    path: Path,
    seen_at: i64,
    patience: Patience,
) -> (&'b Bug, Step) {
    let index = match recognise(bugs, &path) {
        Recognised::Same(index) => index,
        Recognised::OneTooMany(index) => {
            count(&mut bugs[index], report, seen_at);
            return (&bugs[index], Step::Counted);
        }
        Recognised::New => {
            bugs.push(Bug::new(report.id.as_str(), path.clone(), report.release.clone(), seen_at));
            bugs.len() - 1
        }
    };
    let step = learn(&mut bugs[index], report, path, seen_at, patience);
    (&bugs[index], step)
}

fn line(bug: &Bug, step: Step) -> Option<String> {
    let (id, n_functions, n_labels) = (&bug.id, bug.grown.functions().count(), bug.path.labels.len());
    match step {
        Step::Counted => None,
        Step::Grown => Some(format!("bug {id}: step {}, {n_functions} functions, {n_labels} labels", bug.iteration)),
        Step::Found => {
            Some(format!("bug {id}: found after {} steps, {n_labels} labels; recording is off", bug.iteration))
        }
        Step::Exhausted => {
            Some(format!("bug {id}: no further function shows more, {n_labels} labels; recording is off"))
        }
    }
}
