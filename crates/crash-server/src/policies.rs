//! Policies as they are handed out.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::plan::{Budget, Plan, Users, plan};
use crate::store::{ProjectId, Result, Store};
use crate::time;
use crate::wire::{BugId, FileName, FunctionHex, MAX_LABELS, Policy, PolicyFile, PolicyId, Version, hex};

/// What another instance learned is handed out here after this time.
const REMEMBERED: Duration = Duration::from_secs(1);
/// Who did not ask for a policy for so long does not count as a user.
const ACTIVE: i64 = 24 * 60 * 60 * 1000;
/// A user is noted once in this time.
const NOTED: Duration = Duration::from_secs(10 * 60);
/// After so long it is the turn of other users.
const TURN: i64 = 24 * 60 * 60 * 1000;

pub struct Policies {
    budget: Budget,
    plans: Mutex<HashMap<ProjectId, (Instant, Arc<Plan>)>>,
    noted: Mutex<Noted>,
}

struct Noted {
    since: Instant,
    users: HashSet<(ProjectId, u16)>,
}

impl Policies {
    pub fn new(budget: Budget) -> Policies {
        let noted = Noted { since: Instant::now(), users: HashSet::new() };
        Policies { budget, plans: Mutex::default(), noted: Mutex::new(noted) }
    }

    /// What this user records.
    pub async fn policy(&self, store: &Store, project: ProjectId, cohort: u16) -> Result<Policy> {
        self.note(store, project, cohort).await?;
        let plan = self.plan(store, project).await?;
        Ok(policy(&plan, project, cohort, self.budget.per_user))
    }

    /// Who records what in this project.
    pub async fn plan(&self, store: &Store, project: ProjectId) -> Result<Arc<Plan>> {
        if let Some((since, plan)) = self.plans.lock().expect("nobody panics here").get(&project)
            && since.elapsed() < REMEMBERED
        {
            return Ok(plan.clone());
        }
        let asked_at = Instant::now();
        let bugs = store.growing_bugs(project).await?;
        let ids: Vec<BugId> = bugs.iter().map(|bug| bug.id.clone()).collect();
        let users = Users {
            active: store.cohorts_since(project, time::now() - ACTIVE).await?,
            met: store.meetings(project, &ids).await?,
            turn: (time::now() / TURN) as u64,
        };
        let plan = Arc::new(plan(&bugs, &users, &self.budget));
        self.plans.lock().expect("nobody panics here").insert(project, (asked_at, plan.clone()));
        Ok(plan)
    }

    /// Something was learned: the next policy must show it.
    pub fn forget(&self, project: ProjectId) {
        self.plans.lock().expect("nobody panics here").remove(&project);
    }

    async fn note(&self, store: &Store, project: ProjectId, cohort: u16) -> Result<()> {
        let is_known = {
            let mut noted = self.noted.lock().expect("nobody panics here");
            if noted.since.elapsed() > NOTED {
                *noted = Noted { since: Instant::now(), users: HashSet::new() };
            }
            !noted.users.insert((project, cohort))
        };
        if !is_known {
            store.note_cohorts(project, &[cohort], time::now()).await?;
            self.forget(project);
        }
        Ok(())
    }
}

/// Whether a policy was given out by this project, as far as its id tells.
pub fn is_of_project(id: &PolicyId, project: ProjectId) -> bool {
    id.as_str().starts_with(&mark(project))
}

fn policy(plan: &Plan, project: ProjectId, cohort: u16, budget: f64) -> Policy {
    let pieces = plan.by_user.get(&cohort).into_iter().flatten().map(|index| &plan.pieces[*index]);
    let mut files: BTreeMap<FileName, BTreeSet<FunctionHex>> = BTreeMap::new();
    let mut bugs: BTreeSet<BugId> = BTreeSet::new();
    for piece in pieces {
        bugs.insert(piece.bug.clone());
        for function in &piece.functions {
            let file = FileName::try_from(function.file.clone()).expect("a name that came over the wire");
            files.entry(file).or_default().insert(hex(function.key));
        }
    }
    let files: Vec<PolicyFile> = files
        .into_iter()
        .map(|(file, functions)| PolicyFile { file, functions: functions.into_iter().collect() })
        .collect();
    let bugs: Vec<BugId> = bugs.into_iter().collect();
    let labels = MAX_LABELS as u32;
    Policy { version: Version::ONE, id: id(project, &files, &bugs, budget), labels, files, bugs, budget }
}

/// Follows from what the policy says, so every instance names it alike.
fn id(project: ProjectId, files: &[PolicyFile], bugs: &[BugId], budget: f64) -> PolicyId {
    let said = serde_json::to_vec(&(files, bugs, budget)).expect("texts and a number");
    let digest: String = Sha256::digest(&said).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    PolicyId::try_from(format!("{}{digest}", mark(project))).expect("8 digits, a dash and 16 digits")
}

fn mark(project: ProjectId) -> String {
    let digest = Sha256::digest(format!("project {}", project.0).as_bytes());
    let digits: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("{digits}-")
}
