//! The task that reads stored reports and grows policies.
//!
//! The inbox is a table. A report leaves it in the same transaction that changes its bug, so whoever is killed, it is counted once.
//! Where reports fail together they are taken one by one, and the one that fails alone becomes a dead letter: it stops nobody else's.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crash_path::Path;
use tokio::sync::Notify;

use crate::bugs::{Bug, Recognised, place, recognise};
use crate::growth::{Patience, Step, count, learn};
use crate::log::Log;
use crate::policies::Policies;
use crate::quota::{Quotas, Taking};
use crate::store::{Pending, ProjectId, Result, Store, StoreError, Writing};
use crate::time;
use crate::webhook::Event;
use crate::wire::{Report, State};

/// What an instance left behind that was killed is found after this time.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// What a server learns with.
#[derive(Clone)]
pub struct Learning {
    pub patience: Patience,
    pub quotas: Arc<Quotas>,
    /// Whether somebody is told of new bugs.
    pub notifies: bool,
}

/// What came of reports that were taken out of the inbox together.
enum Outcome {
    NothingToDo,
    /// Of these projects.
    Analysed(Vec<ProjectId>),
    /// Something that is stored cannot be understood; all of them are still in the inbox.
    Failed(Arc<[Pending]>, StoreError),
}

pub async fn run(store: Store, policies: Arc<Policies>, learning: Learning, stored: Arc<Notify>, log: Log) {
    // So many are taken one by one.
    let mut n_alone = 0_usize;
    loop {
        let n_taken = if n_alone > 0 { 1 } else { store.dialect().analysed_at_once() };
        match analyse(&store, &learning, &log, n_taken).await {
            Ok(Outcome::NothingToDo) => {
                n_alone = 0;
                let _ = tokio::time::timeout(LOOK_AGAIN, stored.notified()).await;
            }
            Ok(Outcome::Analysed(projects)) => {
                n_alone = n_alone.saturating_sub(n_taken);
                projects.into_iter().for_each(|project| policies.forget(project));
            }
            Ok(Outcome::Failed(reports, error)) => match &reports[..] {
                [one] => {
                    n_alone = n_alone.saturating_sub(1);
                    bury(&store, one, &error, &log).await;
                }
                several => n_alone = several.len(),
            },
            Err(error) => {
                log.say(&format!("reports could not be analysed: {error}"));
                tokio::time::sleep(LOOK_AGAIN).await;
            }
        }
    }
}

/// Why it failed may repeat what came in, so only the database is told.
async fn bury(store: &Store, report: &Pending, error: &StoreError, log: &Log) {
    match store.bury(report, &error.to_string(), time::now()).await {
        Ok(()) => log.say("a report could not be analysed; `wherefore collect dead-letters` says which"),
        Err(error) => {
            log.say(&format!("a report that cannot be analysed could not be put aside: {error}"));
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }
}

/// Analyses what is in the inbox, up to a number of reports. Fails where the database does.
async fn analyse(store: &Store, learning: &Learning, log: &Log, most: usize) -> Result<Outcome> {
    let Some((writing, pending)) = store.take_pending(most as i64).await? else { return Ok(Outcome::NothingToDo) };
    let pending: Arc<[Pending]> = pending.into();
    // A task of its own, so that a panic is an error as others are.
    let analysing = tokio::spawn(analyse_all(writing, pending.clone(), learning.clone()));
    match analysing.await.unwrap_or(Err(StoreError::Panicked)) {
        Ok((projects, told)) => {
            told.iter().for_each(|line| log.say(line));
            Ok(Outcome::Analysed(projects))
        }
        Err(error) if error.is_of_contents() => Ok(Outcome::Failed(pending, error)),
        Err(error) => Err(error),
    }
}

/// Gives the projects that the reports belong to, and what the operator is told.
async fn analyse_all(
    mut writing: Writing,
    pending: Arc<[Pending]>,
    learning: Learning,
) -> Result<(Vec<ProjectId>, Vec<String>)> {
    let mut by_project: BTreeMap<ProjectId, Vec<&Pending>> = BTreeMap::new();
    for report in pending.iter() {
        by_project.entry(report.project).or_default().push(report);
    }
    let mut told = Vec::new();
    let mut taking = learning.quotas.begin();
    for (project, reports) in &by_project {
        told.extend(analyse_project(&mut writing, *project, reports, &learning, &mut taking).await?);
    }
    let projects = by_project.into_keys().collect();
    writing.commit().await?;
    taking.keep();
    Ok((projects, told))
}

async fn analyse_project(
    writing: &mut Writing,
    project: ProjectId,
    reports: &[&Pending],
    learning: &Learning,
    taking: &mut Taking<'_>,
) -> Result<Vec<String>> {
    let mut at_place: BTreeMap<String, Vec<Bug>> = BTreeMap::new();
    let mut met = Vec::new();
    let mut told = Vec::new();
    // Counted once it matters.
    let mut n_bugs = None;
    let mut put_aside: BTreeMap<&str, usize> = BTreeMap::new();
    for pending in reports {
        let report: Report = serde_json::from_str(&pending.body)
            .map_err(|error| StoreError::Unreadable(format!("a report: {error}")))?;
        let path = Path::from(&report);
        let place = place(&path);
        if !at_place.contains_key(&place) {
            at_place.insert(place.clone(), writing.bugs_at(project, &place).await?);
        }
        let bugs = at_place.get_mut(&place).expect("it was just inserted");
        let recognised = recognise(bugs, &path);
        if recognised == Recognised::New {
            let n_before = match n_bugs {
                Some(n_bugs) => n_bugs,
                None => writing.n_bugs(project).await?,
            };
            n_bugs = Some(n_before);
            if let Err(reason) = taking.take_bug(&pending.key, n_before, pending.received_at) {
                writing.add_dead_letter(project, &pending.id, reason, time::now()).await?;
                *put_aside.entry(reason).or_default() += 1;
                continue;
            }
            n_bugs = Some(n_before + 1);
        }
        let event = event(bugs, recognised, &report).filter(|_| learning.notifies);
        if let (Some(Event::Reopened), Recognised::Same(index)) = (event, recognised) {
            bugs[index].is_reopening_told = true;
        }
        let (bug, step) = one_report(bugs, recognised, &report, path, pending.received_at, learning.patience);
        if let Some(event) = event {
            writing.add_notification(project, &bug.id, event, time::now()).await?;
        }
        met.push((bug.id.clone(), report.cohort));
        told.extend(line(bug, step));
    }
    for bug in at_place.values().flatten() {
        writing.put_bug(project, bug).await?;
    }
    met.sort_unstable();
    met.dedup();
    writing.note_meetings(project, &met).await?;
    told.extend(
        put_aside.iter().map(|(reason, n_reports)| format!("{n_reports} reports became dead letters: {reason}")),
    );
    Ok(told)
}

pub fn one_report<'b>(
    bugs: &'b mut Vec<Bug>,
    recognised: Recognised,
    report: &Report,
    path: Path,
    seen_at: i64,
    patience: Patience,
) -> (&'b Bug, Step) {
    let index = match recognised {
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

/// What somebody may want to be told of. That a bug is met again is told once until its state changes: releases can be made up, and
/// only so many are kept.
fn event(bugs: &[Bug], recognised: Recognised, report: &Report) -> Option<Event> {
    match recognised {
        Recognised::New => Some(Event::New),
        Recognised::Same(index) => {
            let bug = &bugs[index];
            let is_done = matches!(bug.state, State::Found | State::Off);
            (is_done && !bug.is_reopening_told && !bug.releases.contains(&report.release)).then_some(Event::Reopened)
        }
        Recognised::OneTooMany(_) => None,
    }
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
