//! A crash path without a full recording: the program runs again and again, and each crash shows which functions to record in the next
//! run (the crate `crash-path`). The first run records no more than calls: it finds the stack of the crash, which in production the
//! engine tells for nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use ::crash_path::{FunctionRef, Grown, Outcome, Path as Labels, grow, matches, outcome};
use trace_model::{EventKinds, Filter, Need, Policy, installed_name};

use super::asking::{FirstInput, Rerun};
use super::plan::Plan;
use crate::control::{Control, Progress};
use crate::languages::open_run;
use crate::{Answer, CrashPathAnswer, CrashPathRequest, Ending, Error, QuestionKind, Reply, Session, Where};

/// How the search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GrowthEnd {
    Complete,
    /// Something is missing that no further function would show.
    Exhausted,
    /// The program did not crash in the same way again.
    NotAgain,
    /// It crashed often enough.
    Enough,
}

/// A run of the search.
#[derive(Clone, Debug)]
pub struct GrowthStep {
    /// From 1; the first finds the stack.
    pub run: usize,
    /// How many crashes were counted so far.
    pub n_crashes: usize,
    /// By file, how many functions were recorded.
    pub recorded: Vec<(String, usize)>,
    /// Why it does not count, if it does not.
    pub not_counted: Option<&'static str>,
    pub n_labels: usize,
    pub has_birth: bool,
}

pub struct GrownPath {
    pub reply: Reply,
    pub session: Session,
    pub end: GrowthEnd,
    pub steps: Vec<GrowthStep>,
    /// What is left to record when the search is over, for `record --policy`.
    pub policy: String,
    /// By file: how many functions it has, how many of them were recorded, and how many are on the path.
    pub files: Vec<FunctionsOfFile>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionsOfFile {
    pub file: String,
    pub n_functions: usize,
    pub n_recorded: usize,
    pub n_on_path: usize,
}

/// A crash that is counted, and the run that it is of.
struct Crashed {
    session: Session,
    path: Labels,
    answer: CrashPathAnswer,
    notes: Vec<String>,
}

impl Rerun {
    /// Runs the program until the path to its crash is complete. `tell` hears of each run.
    pub fn grow(
        &self,
        request: &CrashPathRequest,
        folder: &Path,
        control: &Control,
        tell: &mut dyn FnMut(&GrowthStep),
    ) -> Result<GrownPath, Error> {
        let started = self.started(None)?;
        let mut input = FirstInput::of(None)?;
        let mut grown = Grown::default();
        let mut last: Option<Crashed> = None;
        let mut other: Option<Labels> = None;
        let mut steps: Vec<GrowthStep> = Vec::new();
        let (mut n_crashes, mut n_in_vain) = (0, 0);
        let end = loop {
            let policy = policy_of(&grown);
            control.tell(Progress::Running { number: steps.len() + 1, plan: Plan::of(&policy, None) });
            let recorded = self.run(&started, &policy, input.next(), folder, control)?;
            input.keep(&recorded.folder);
            let session = Session::of(open_run(&recorded.folder)?);
            let found = session.crash_path_afresh(&self.question.from, request, control);
            let is_stopped = matches!(recorded.ending, Ending::Interrupted | Ending::Cancelled);
            let crashed = match found {
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                Err(error) if is_stopped => return Err(error),
                Err(error) => Err(error),
                Ok((path, answer)) => Ok(Crashed { session, path, answer, notes: recorded.notes.clone() }),
            };
            let not_counted = match (&crashed, &last) {
                (Err(_), _) => Some("the program did not crash"),
                (Ok(crashed), Some(last)) if !is_same(&crashed.path, &last.path, n_crashes == 1) => {
                    // What comes twice in the same way is how it crashes: what was recorded before told too little.
                    let is_again =
                        other.replace(crashed.path.clone()).is_some_and(|other| matches(&other, &crashed.path));
                    (!is_again).then_some("it crashed in another way")
                }
                _ => None,
            };
            let step = GrowthStep {
                run: steps.len() + 1,
                n_crashes: n_crashes + usize::from(not_counted.is_none()),
                recorded: by_file(&grown),
                not_counted,
                n_labels: crashed.as_ref().map_or(0, |crashed| crashed.path.labels.len()),
                has_birth: crashed.as_ref().is_ok_and(|crashed| crashed.path.begins_with_birth()),
            };
            tell(&step);
            steps.push(step);
            let mut crashed = match (crashed, not_counted) {
                (Ok(crashed), None) => crashed,
                (vain, _) => {
                    n_in_vain += 1;
                    let gives_up = n_in_vain >= MOST_IN_VAIN;
                    match vain {
                        Err(error) if gives_up && last.is_none() => return Err(error),
                        vain => drop(vain),
                    }
                    let _ = fs::remove_dir_all(&recorded.folder);
                    if gives_up {
                        break GrowthEnd::NotAgain;
                    }
                    continue;
                }
            };
            (n_crashes, n_in_vain, other) = (n_crashes + 1, 0, None);
            if n_crashes == 1 {
                // Nothing but the stack is known, and where in the innermost function it crashed is not.
                crashed.path =
                    Labels { wanted: Vec::new(), ..Labels::of_stack(&crashed.path.exception, crashed.path.stack) };
            }
            let came_of_it = outcome(&grown, &crashed.path);
            let next = grow(&grown, &crashed.path);
            if let Some(before) = last.replace(crashed) {
                let folder = before.session.run().folder().to_owned();
                drop(before);
                let _ = fs::remove_dir_all(folder);
            }
            match came_of_it {
                Outcome::Complete => {
                    // What is not on the path is not recorded any more.
                    grown = next;
                    break GrowthEnd::Complete;
                }
                Outcome::Exhausted => break GrowthEnd::Exhausted,
                Outcome::Growing if n_crashes >= MOST_CRASHES => break GrowthEnd::Enough,
                Outcome::Growing => grown = next,
            }
        };
        let Some(crashed) = last else { return Err(Error::NoCrash) };
        Ok(self.found(crashed, end, steps, &grown))
    }

    fn found(&self, crashed: Crashed, end: GrowthEnd, steps: Vec<GrowthStep>, grown: &Grown) -> GrownPath {
        let Crashed { session, path, answer, notes } = crashed;
        let files = functions_of_files(&session, grown, &path);
        let policy = trace_format::policy_text(&policy_of(grown));
        let reply = Reply { answer: Answer::CrashPath(answer), notes };
        GrownPath { reply, session, end, steps, policy, files }
    }

    /// What is asked of each run.
    pub fn crash_path_request(&self) -> CrashPathRequest {
        match &self.question.kind {
            QuestionKind::CrashPath(request) => request.clone(),
            _ => CrashPathRequest::default(),
        }
    }
}

impl Session {
    fn crash_path_afresh(
        &self,
        from: &Where,
        request: &CrashPathRequest,
        control: &Control,
    ) -> Result<(Labels, CrashPathAnswer), Error> {
        let answered = trace_model::cancel::under(&control.cancel.0, || {
            let (moment, failure, found) = self.find_crash_path(from, request)?;
            Ok((found.path.clone(), moment.crash_path_shown(&failure, &found)))
        });
        answered.unwrap_or(Err(Error::Cancelled))
    }
}

/// So many crashes in all: who needs more looks for something else.
const MOST_CRASHES: usize = 40;
/// So many runs in a row without the crash.
const MOST_IN_VAIN: usize = 10;

/// Nothing yet: the calls tell the stack of a crash.
fn policy_of(grown: &Grown) -> Policy {
    let mut need = Need::default();
    for FunctionRef { file, key, .. } in grown.functions() {
        need.functions.entry(file.clone()).or_default().insert(*key);
    }
    match need.functions.is_empty() {
        true => Policy::Filtered(Filter { kinds: EventKinds { calls: true, ..EventKinds::NONE }, ..Filter::full() }),
        false => Policy::Needed(need),
    }
}

/// Where in its function it crashed is known the better the more is recorded; the engine tells it in production.
fn is_same(path: &Labels, before: &Labels, is_after_first: bool) -> bool {
    let function = |path: &Labels| path.crash().map(|site| site.function.clone());
    if path.exception != before.exception || function(path) != function(before) {
        return false;
    }
    // The first run knows nothing else.
    if is_after_first {
        return true;
    }
    let mut path = path.clone();
    if let (Some(crash), Some(known)) = (path.labels.last_mut(), before.labels.last()) {
        crash.clone_from(known);
    }
    matches(&path, before)
}

fn by_file(grown: &Grown) -> Vec<(String, usize)> {
    let mut files: BTreeMap<String, usize> = BTreeMap::new();
    for function in grown.functions() {
        *files.entry(function.file.clone()).or_default() += 1;
    }
    files.into_iter().collect()
}

fn functions_of_files(session: &Session, grown: &Grown, path: &Labels) -> Vec<FunctionsOfFile> {
    let on_path: BTreeSet<&FunctionRef> = path.labels.iter().filter_map(|label| label.function()).collect();
    let mut files: BTreeMap<String, usize> = BTreeMap::new();
    for thread in session.run().threads() {
        for unit in thread.code().units() {
            let file = installed_name(&unit.record.path, &session.run().file().folder);
            let n_functions = unit.code().map_or(0, |code| code.sites.functions.len());
            files.insert(file.unwrap_or_else(|| unit.record.path.clone()), n_functions);
        }
    }
    let count = |file: &str, functions: &mut dyn Iterator<Item = &FunctionRef>| {
        functions.filter(|function| function.file == file).count()
    };
    files
        .into_iter()
        .map(|(file, n_functions)| FunctionsOfFile {
            n_recorded: count(&file, &mut grown.functions()),
            n_on_path: count(&file, &mut on_path.iter().copied()),
            n_functions,
            file,
        })
        .collect()
}
