//! The one loop: run, ask, and where evidence is missing let the policy grow and run again.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use query::Missing;
use trace_format::{RunFile, private};
use trace_model::Policy;
use trace_store::Run;

use super::chain::Definitions;
use super::plan::Plan;
use crate::ask::{PointRegister, PointText};
use crate::control::{Control, Progress};
use crate::languages::open_run;
use crate::run_list::outcome_of;
use crate::{
    Ending, Error, Input, NotCaptured, OnProgress, OnTestsOver, Output, Question, RecordRequest, Recorded,
    RecordedCode, Reply, RunChoice, RunOutcome, Session, SignalsOf, record,
};

/// A question that is to be answered by running a program.
#[derive(Clone, Debug)]
pub struct Rerun {
    /// What to run; nothing: what the run ran in which the point was named.
    pub command: Vec<String>,
    pub question: Question,
    /// The run in which `P2` and its like were named.
    pub origin: RunChoice,
    pub timeout: Option<Duration>,
    pub drive: Option<String>,
    pub signals: SignalsOf,
    pub surroundings: Surroundings,
    /// Which code is recorded; as in the run in which the point was named, if `None`.
    pub code: Option<RecordedCode>,
}

/// What a program has around it that is run for a question.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Where the program starts; in the folder of the user if `None`.
    pub folder: Option<PathBuf>,
    pub output: Output,
    /// Whether it reads what this process can read, where it is not known what it read before. Otherwise there is nothing to read.
    pub has_input: bool,
    /// Told how far each recording is.
    pub progress: Option<OnProgress>,
    /// Told if the tests of the program are over and the program is not.
    pub tests_over: Option<OnTestsOver>,
}

impl Surroundings {
    /// Those of a command in a terminal: what it prints stands beside the answer.
    pub fn of_command_line() -> Surroundings {
        Surroundings { folder: None, output: Output::ToStderr, has_input: true, progress: None, tests_over: None }
    }
}

/// An answer, and what it took.
pub struct Asked {
    pub reply: Reply,
    /// The last run, which the answer is of.
    pub session: Session,
    /// How often the program ran.
    pub n_runs: usize,
    /// What was recorded in the last run.
    pub plan: Plan,
    pub n_events: u64,
    /// What of the code ran as it is, where everything was to be recorded.
    pub not_captured: Vec<NotCaptured>,
    /// How the runs went.
    pub notes: Vec<String>,
}

/// Why the question was not answered, and how the runs went until then.
#[derive(Clone, Debug)]
pub struct Unanswered {
    pub error: Error,
    pub notes: Vec<String>,
}

impl From<Error> for Unanswered {
    fn from(error: Error) -> Unanswered {
        Unanswered { error, notes: Vec::new() }
    }
}

impl From<Unanswered> for Error {
    fn from(unanswered: Unanswered) -> Error {
        unanswered.error
    }
}

/// How the program is started, each time.
pub(super) struct Started {
    command: Vec<String>,
    drive: Option<String>,
    code: RecordedCode,
}

impl Rerun {
    /// Asks until it is answered, of a run that recorded what the answer rests on.
    pub fn ask(&self, folder: &Path, control: &Control) -> Result<Asked, Unanswered> {
        let origin = self.origin(folder)?;
        let started = self.started(origin.as_ref())?;
        let mut policy = self.first_policy(origin.as_ref())?;
        let mut input = FirstInput::of(origin.as_ref())?;
        let mut known = origin.as_ref().map(|origin| Plan::of(&policy, Some(origin)));
        let mut notes: Vec<String> = Vec::new();
        let mut first_outcome = origin.as_ref().map(outcome_of);
        for n_runs in 1.. {
            let plan = known.take().unwrap_or_else(|| Plan::of(&policy, None));
            control.tell(Progress::Running { number: n_runs, plan });
            let recorded = self.run(&started, &policy, input.next(), folder, control)?;
            input.keep(&recorded.folder);
            follow(&recorded.folder, origin.as_ref());
            notes.clone_from(&recorded.notes);
            notes.extend(ended_elsewhere(first_outcome, recorded.outcome));
            first_outcome.get_or_insert(recorded.outcome);
            let run = open_run(&recorded.folder).map_err(Error::from)?;
            let session = Session::following(run, self.origin(folder)?);
            let (reply, missing) = session.answer_as_far_as_recorded(&self.question, control);
            // What the words of the question or the source do not have, no other run will have; nor does whoever gave it up want one.
            let missing = match &reply {
                Err(error) if error.is_of_text() || matches!(error, Error::Cancelled) => Missing::default(),
                _ => missing,
            };
            let plan = Plan::of(&policy, Some(session.run()));
            let is_stopped = matches!(recorded.ending, Ending::Interrupted | Ending::Cancelled);
            if missing.is_empty() || policy.is_full() || is_stopped {
                if is_stopped && !missing.is_empty() {
                    let error = Error::NotRecorded { what: told(&missing, session.run()), command: Vec::new() };
                    return Err(Unanswered { error, notes });
                }
                let reply = match reply.map_err(|error| not_reached(error, &recorded, &session)) {
                    Ok(reply) => reply,
                    Err(error) => {
                        // The error says it better.
                        notes.retain(|note| Some(note) != recorded.nothing.as_ref());
                        return Err(Unanswered { error, notes });
                    }
                };
                let not_captured = if plan.is_sparse { Vec::new() } else { recorded.not_captured };
                return Ok(Asked { reply, session, n_runs, plan, n_events: recorded.n_events, not_captured, notes });
            }
            policy = if n_runs >= MOST_SPARSE_RUNS { Policy::full() } else { missing.grown(&policy) };
            known = Some(Plan::of(&policy, Some(session.run())));
            drop(session);
            // Only the run that the answer is of is kept.
            let _ = fs::remove_dir_all(&recorded.folder);
        }
        unreachable!("a full recording is always asked")
    }

    /// Runs the program once and records everything, for a dialogue about the run.
    pub fn record(&self, folder: &Path, control: &Control) -> Result<(Session, Recorded), Error> {
        let origin = self.origin(folder)?;
        let started = self.started(origin.as_ref())?;
        control.tell(Progress::Running { number: 1, plan: Plan::of(&Policy::full(), None) });
        let recorded = self.run(&started, &Policy::full(), FirstInput::of(origin.as_ref())?.next(), folder, control)?;
        Ok((Session::of(open_run(&recorded.folder)?), recorded))
    }

    pub(super) fn started(&self, origin: Option<&Run>) -> Result<Started, Error> {
        match (&self.command[..], origin) {
            ([], Some(origin)) => {
                refuse_imported(origin)?;
                Ok(self.as_before(origin))
            }
            (command, _) => Ok(Started {
                command: command.to_vec(),
                drive: self.drive.clone(),
                code: self.code.clone().unwrap_or_default(),
            }),
        }
    }

    /// Asks again, of so many further runs that record the same.
    pub fn ask_again(
        &self,
        asked: &Asked,
        n_runs: usize,
        folder: &Path,
        control: &Control,
    ) -> Result<Vec<Result<Reply, Error>>, Error> {
        let run = asked.session.run();
        let mut answers = Vec::new();
        let input = FirstInput::of(Some(run))?;
        for _ in 0..n_runs {
            let recorded = self.run(&self.as_before(run), &run.file().policy, input.next(), folder, control)?;
            let origin = self.origin(folder)?;
            follow(&recorded.folder, origin.as_ref());
            let session = Session::following(open_run(&recorded.folder)?, origin);
            let (reply, _) = session.answer_as_far_as_recorded(&self.question, control);
            answers.push(reply.map_err(|error| not_reached(error, &recorded, &session)));
            drop(session);
            let _ = fs::remove_dir_all(&recorded.folder);
            if matches!(recorded.ending, Ending::Interrupted | Ending::Cancelled) {
                break;
            }
        }
        Ok(answers)
    }

    /// As an earlier run was started; a driver that is given now takes the place of the earlier one.
    fn as_before(&self, run: &Run) -> Started {
        let RunFile { command, drive, .. } = run.file().clone();
        let code = self.code.clone().unwrap_or_else(|| RecordedCode::of(run));
        Started { command, drive: self.drive.clone().or(drive), code }
    }

    pub(super) fn run(
        &self,
        started: &Started,
        policy: &Policy,
        input: Input,
        folder: &Path,
        control: &Control,
    ) -> Result<Recorded, Error> {
        let Surroundings { folder: starts_in, output, has_input, progress, tests_over } = self.surroundings.clone();
        let request = RecordRequest {
            folder: starts_in,
            policy: crate::Policy(policy.clone()),
            keep_last: matches!(policy, Policy::Needed(_)).then_some(MOST_KEPT),
            output,
            signals: self.signals,
            cancel: control.cancel.clone(),
            progress,
            tests_over,
            input: match input {
                Input::Keep(_) if !has_input => Input::Nothing,
                input => input,
            },
            timeout: self.timeout,
            drive: started.drive.clone(),
            code: started.code.clone(),
            ..RecordRequest::of(started.command.clone())
        };
        record(&request, folder)
    }

    /// The run that the point is of, if it is of one.
    fn origin(&self, folder: &Path) -> Result<Option<Run>, Error> {
        let is_of_run = matches!(self.question.from.at, Some(PointText::Answer(_))) || self.command.is_empty();
        is_of_run.then(|| self.origin.open(folder)).transpose()
    }

    /// What the words of the question and of those that it hangs on tell, and what earlier runs showed to matter for them.
    fn first_policy(&self, origin: Option<&Run>) -> Result<Policy, Error> {
        let mut policy = self.question.policy()?;
        let (Policy::Needed(need), Some(origin)) = (&mut policy, origin) else { return Ok(policy) };
        if let Some(PointText::Answer(number)) = self.question.from.at {
            let around = Session::of(open_run(origin.folder())?).need_around(number, &self.question);
            need.add(&around.unwrap_or_default());
        }
        if let Policy::Needed(earlier) = &origin.file().policy {
            need.add(earlier);
            return Ok(policy);
        }
        let Some(PointText::Answer(number)) = self.question.from.at else { return Ok(policy) };
        for definition in Definitions::of_run(origin.folder()).chain(number) {
            if let Policy::Needed(earlier) = definition.question.policy()? {
                need.add(&earlier);
            }
        }
        Ok(policy)
    }
}

/// More growth than this is no longer small: the next run records everything.
const MOST_SPARSE_RUNS: usize = 4;
/// Of the events of each thread the newest are kept: a hook in a hot loop must not fill the disk. While older ones are dropped there is
/// three times as much, and what is not compressed yet: less than 200 MB, as `bench rerun --hundred-million` checks.
const MOST_KEPT: u64 = 52 << 20;

/// What the program read in its first run, for those after it.
pub(super) struct FirstInput {
    from: Option<PathBuf>,
    keeping: tempfile::TempDir,
}

impl FirstInput {
    pub(super) fn of(origin: Option<&Run>) -> Result<FirstInput, Error> {
        let kept = origin.map(|origin| origin.folder().join(STDIN)).filter(|path| path.exists());
        let keeping = tempfile::tempdir().map_err(Error::io(std::env::temp_dir()))?;
        let Some(kept) = kept else { return Ok(FirstInput { from: None, keeping }) };
        // The run that has it may be replaced by the next.
        let copy = keeping.path().join(STDIN);
        private::copy(&kept, &copy).map_err(Error::io(&kept))?;
        Ok(FirstInput { from: Some(copy), keeping })
    }

    pub(super) fn next(&self) -> Input {
        match &self.from {
            Some(path) => Input::From(path.clone()),
            None => Input::Keep(self.keeping.path().join(STDIN)),
        }
    }

    /// The run keeps it, for questions that come later.
    pub(super) fn keep(&mut self, run: &Path) {
        let kept = self.keeping.path().join(STDIN);
        if kept.exists() && private::copy(&kept, &run.join(STDIN)).is_ok() {
            self.from = Some(kept);
        }
    }
}

/// The command of a run that somebody shared may be any.
pub(super) fn refuse_imported(run: &Run) -> Result<(), Error> {
    match crate::sharing::is_imported(run.file()) {
        true => {
            Err(Error::Usage("this run was imported, so its command is not run; give the command behind --".into()))
        }
        false => Ok(()),
    }
}

/// In the folder of a run: what it read.
pub(crate) const STDIN: &str = "stdin";

/// What the program read in this run, for another.
pub(super) fn kept_input(run: &Run) -> Input {
    let path = run.folder().join(STDIN);
    if path.exists() { Input::From(path) } else { Input::Inherit }
}

/// Points of the origin keep their numbers.
fn follow(run: &Path, origin: Option<&Run>) {
    let Some(origin) = origin else { return };
    PointRegister::follow(run, origin.folder());
    if let Ok(questions) = fs::read(origin.folder().join("questions.txt")) {
        let _ = private::write(&run.join("questions.txt"), questions);
    }
}

fn ended_elsewhere(before: Option<RunOutcome>, now: RunOutcome) -> Option<String> {
    let before = before.filter(|before| *before != now)?;
    let how = |outcome: RunOutcome| match outcome {
        RunOutcome::Exited(code) => format!("with exit code {code}"),
        RunOutcome::Killed { signal } => format!("by signal {signal}"),
        RunOutcome::Running | RunOutcome::Unfinished => "unfinished".into(),
    };
    Some(format!("this run ended differently: {}, and an earlier one {}", how(now), how(before)))
}

/// A point that this run did not come to: how far it got.
fn not_reached(error: Error, recorded: &Recorded, session: &Session) -> Error {
    let is_of_run = matches!(
        error,
        Error::NeverExecuted { .. } | Error::NoSuchHit { .. } | Error::NoCrash | Error::NoSuchFile { .. }
    );
    if !is_of_run || session.run().threads().is_empty() {
        return error;
    }
    let ended = match (&recorded.ending, recorded.outcome) {
        (Ending::TimedOut, _) => "was stopped when its time was up".to_owned(),
        (Ending::Interrupted, _) => "was interrupted".to_owned(),
        (Ending::Cancelled, _) => "was cancelled".to_owned(),
        (_, RunOutcome::Exited(code)) => format!("ended with exit code {code}"),
        (_, RunOutcome::Killed { signal }) => format!("was ended by signal {signal}"),
        (_, RunOutcome::Running | RunOutcome::Unfinished) => "did not end".to_owned(),
    };
    let last = session.last_output().map(|line| format!("; the last it printed was: {line}")).unwrap_or_default();
    Error::NotReached { error: Box::new(error), got: format!("this run {ended}{last}") }
}

/// What is missing, in words.
pub(crate) fn told(missing: &Missing, run: &Run) -> String {
    let mut need = missing.need.clone();
    let places = std::mem::take(&mut need.sites);
    let mut parts = Plan::of(&Policy::Needed(need), None).needs;
    parts.extend(places.iter().map(|(path, sites)| {
        let file = crate::event_line::relative(path, &run.file().folder);
        let places = if sites.len() == 1 { "one place".into() } else { format!("{} places", sites.len()) };
        format!("what happened at {places} of {file}")
    }));
    if parts.is_empty() {
        parts.extend(missing.everything.clone());
    }
    parts.join("; ")
}
