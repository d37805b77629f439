//! A crash path without a full recording: the program runs again and again, and each crash shows which functions to record in the next
//! run (the crate `crash-path`). The first run records no more than calls: it finds the stack of the crash, which in
//! production the engine tells for nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use ::crash_path::{FunctionRef, Grown, Label, Outcome, Path as Labels, grow, matches, outcome, tell_the_same};
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
    /// What is left to record when the search is over, for `record --policy`: no more than shows the same path again, which was tried.
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
    /// The functions that told which object it is.
    told_by: BTreeSet<FunctionRef>,
    notes: Vec<String>,
}

/// A path, as it is shown, and the functions that told which object it is of.
type Found = (Labels, CrashPathAnswer, BTreeSet<FunctionRef>);

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
            let found = match last {
                None => session.crash_stack_afresh(&self.question.from, control),
                Some(_) => session.crash_path_afresh(&self.question.from, request, control),
            };
            let is_stopped = matches!(recorded.ending, Ending::Interrupted | Ending::Cancelled);
            let crashed = match found {
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                Err(error) if is_stopped => return Err(error),
                Err(error) => Err(error),
                Ok((path, answer, told_by)) => {
                    Ok(Crashed { session, path, answer, told_by, notes: recorded.notes.clone() })
                }
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
            let crashed = match (crashed, not_counted) {
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
        let mut policy = policy_of(&grown);
        if end == GrowthEnd::Complete {
            let less = narrowed(&grown, &crashed);
            control.tell(Progress::Running { number: steps.len() + 1, plan: Plan::of(&less, None) });
            let recorded = self.run(&started, &less, input.next(), folder, control)?;
            let session = Session::of(open_run(&recorded.folder)?);
            let again = session.crash_path_afresh(&self.question.from, request, control);
            if again.is_ok_and(|(path, ..)| tell_the_same(&path, &crashed.path)) {
                policy = less;
            }
            drop(session);
            let _ = fs::remove_dir_all(&recorded.folder);
        }
        Ok(found(crashed, end, steps, &grown, &policy))
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
    fn crash_path_afresh(&self, from: &Where, request: &CrashPathRequest, control: &Control) -> Result<Found, Error> {
        let answered = trace_model::cancel::under(&control.cancel.0, || {
            let (moment, failure, found) = self.find_crash_path(from, request)?;
            let answer = moment.crash_path_shown(&failure, &found);
            Ok((found.path, answer, found.told_by))
        });
        answered.unwrap_or(Err(Error::Cancelled))
    }

    fn crash_stack_afresh(&self, from: &Where, control: &Control) -> Result<Found, Error> {
        let answered = trace_model::cancel::under(&control.cancel.0, || {
            let (moment, failure, found) = self.find_crash_stack(from)?;
            let answer = moment.crash_path_shown(&failure, &found);
            Ok((found.path, answer, found.told_by))
        });
        answered.unwrap_or(Err(Error::Cancelled))
    }
}

/// So many crashes in all: who needs more looks for something else.
const MOST_CRASHES: usize = 40;
/// So many runs in a row without the crash.
const MOST_IN_VAIN: usize = 10;

/// Nothing yet: the calls tell the stack of a crash. What is entered and left would not: a function that threw looks like one that returned.
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

/// What is enough to see the same path again: of most functions, what control did. Of those that told which object it is, or wrote to it,
/// everything.
fn narrowed(grown: &Grown, crashed: &Crashed) -> Policy {
    let tells_of_object =
        |label: &&Label| matches!(label, Label::Start { .. } | Label::Write { .. } | Label::Crash { .. });
    let mut whole: BTreeSet<&FunctionRef> =
        crashed.path.labels.iter().filter(tells_of_object).filter_map(Label::function).collect();
    whole.extend(&crashed.told_by);
    let mut need = Need::default();
    for function in grown.functions() {
        let list = if whole.contains(function) { &mut need.functions } else { &mut need.flow };
        list.entry(function.file.clone()).or_default().insert(function.key);
    }
    Policy::Needed(need)
}

fn found(crashed: Crashed, end: GrowthEnd, steps: Vec<GrowthStep>, grown: &Grown, policy: &Policy) -> GrownPath {
    let Crashed { session, path, answer, notes, .. } = crashed;
    let files = functions_of_files(&session, grown, &path);
    let reply = Reply { answer: Answer::CrashPath(answer), notes };
    GrownPath { reply, session, end, steps, policy: trace_format::policy_text(policy), files }
}

/// The first run knows no more than the stack, and not where in its function it crashed: in production the engine tells that.
fn is_same(path: &Labels, before: &Labels, is_after_first: bool) -> bool {
    let function = |path: &Labels| path.crash().map(|site| site.function.clone());
    match is_after_first {
        true => path.exception == before.exception && function(path) == function(before),
        false => matches(path, before),
    }
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
