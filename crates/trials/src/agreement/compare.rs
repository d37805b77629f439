//! One program: recorded in full and asked, and run again for each question.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use debugger::{
    Control, Output, Plan, Progress, RecordRequest, Rerun, RunChoice, Session, SignalsOf, Surroundings, record,
};

use super::question::{AnswerOf, At, Question};
use super::reply::{Reply, ask};
use super::report::{Comparison, Effort};

/// What is run, in the current folder.
#[derive(Clone, Debug)]
pub struct Program {
    pub command: Vec<String>,
}

/// Records the program, has its questions chosen, and tells of each what came of it.
pub fn compare(
    program: &Program,
    choose: &dyn Fn(&Session) -> Vec<Question>,
    tell: &dyn Fn(&Comparison),
) -> Result<(), String> {
    let here = Path::new(".");
    let request = RecordRequest {
        output: Output::ToStderr,
        signals: SignalsOf::TheProgram,
        ..RecordRequest::of(program.command.clone())
    };
    let recorded = record(&request, here).map_err(|error| error.to_string())?;
    let choice = RunChoice(Some(recorded.folder.display().to_string()));
    let session = Session::open(&choice, here).map_err(|error| error.to_string())?;
    let questions = choose(&session);
    let mut told: Vec<Vec<Option<u32>>> = Vec::new();
    let mut expected: Vec<Reply> = Vec::new();
    for question in &questions {
        let reply = ask(&session, question, &told).unwrap_or_else(|error| Reply::refusal(&error));
        told.push(reply.points.clone());
        expected.push(reply);
    }
    drop(session);
    let full = Answered { folder: recorded.folder, told };
    let mut again: Vec<Option<Answered>> = Vec::new();
    for (number, question) in questions.iter().enumerate() {
        let of_full = matches!(question.at, At::Answer { of: AnswerOf::Full, .. });
        let origin = match question.hangs_on() {
            Some(_) if of_full => Some(&full),
            // A specification may name what is not there.
            Some(earlier) if earlier >= number => None,
            Some(earlier) => match &again[earlier] {
                Some(answered) => Some(answered),
                // It differed, which was told; what hangs on it cannot be asked.
                None => {
                    again.push(None);
                    continue;
                }
            },
            None => None,
        };
        let (outcome, answered) = ask_again(program, question, origin, number, &expected[number]);
        tell(&outcome);
        let is_named = questions.iter().any(|other| other.hangs_on() == Some(number));
        again.push(answered.filter(|answered| is_named || answered.remove()));
    }
    Ok(())
}

/// A run that answered, and the numbers that the points of the answers so far have in it.
struct Answered {
    folder: PathBuf,
    told: Vec<Vec<Option<u32>>>,
}

impl Answered {
    /// Nobody asks about its points. Gives false: it is gone.
    fn remove(&self) -> bool {
        let _ = fs::remove_dir_all(&self.folder);
        false
    }
}

const LONGEST_RUN: Duration = Duration::from_secs(60);

fn ask_again(
    program: &Program,
    question: &Question,
    origin: Option<&Answered>,
    number: usize,
    expected: &Reply,
) -> (Comparison, Option<Answered>) {
    let mut told = origin.map(|origin| origin.told.clone()).unwrap_or_default();
    let kind = question.name().to_owned();
    let asked = match question.asked(&told) {
        Ok(asked) => asked,
        Err(problem) => {
            let difference = Some(differing(question, expected, &[problem]));
            return (Comparison { kind, effort: Effort::Refused, hooks: None, difference }, None);
        }
    };
    let rerun = Rerun {
        command: if origin.is_some() { Vec::new() } else { program.command.clone() },
        question: asked,
        origin: RunChoice(origin.map(|origin| origin.folder.display().to_string())),
        timeout: Some(LONGEST_RUN),
        drive: None,
        signals: SignalsOf::TheProgram,
        surroundings: Surroundings::of_command_line(),
        code: None,
    };
    let last_run: Arc<Mutex<Option<(usize, Plan)>>> = Arc::default();
    let told_of = last_run.clone();
    let control = Control::with_progress(move |progress| {
        if let Progress::Running { number, plan } = progress {
            *told_of.lock().unwrap_or_else(PoisonError::into_inner) = Some((number, plan));
        }
    });
    let asked = rerun.ask(Path::new("."), &control).map_err(|unanswered| unanswered.error);
    let last_run = last_run.lock().unwrap_or_else(PoisonError::into_inner).take();
    let needs = last_run.as_ref().map(|(_, plan)| plan.needs.join("; ")).unwrap_or_default();
    let effort = match last_run {
        None => Effort::Refused,
        Some(_) if rerun.question.is_of_whole_run() => Effort::Whole,
        Some((n_runs, plan)) if plan.is_sparse => Effort::Sparse(n_runs),
        Some((n_runs, _)) => Effort::Grown(n_runs),
    };
    let (reply, folder, hooks) = match asked {
        Ok(asked) => {
            let hooks = asked.plan.n_sites.map(|n_sites| (asked.plan.hooks.len(), n_sites));
            let folder = asked.session.folder().to_owned();
            let reply = Reply::to(question, Ok(asked.reply)).unwrap_or_else(|error| Reply::refusal(&error));
            (reply, Some(folder), hooks)
        }
        Err(error) if matches!(error.id(), "not-started" | "io" | "no-such-run" | "other-format" | "damaged-run") => {
            (Reply { facts: vec![format!("failed: {error}")], points: Vec::new() }, None, None)
        }
        Err(error) => {
            let reply = Reply::to(question, Err(error)).unwrap_or_else(|error| Reply::refusal(&error));
            (reply, None, None)
        }
    };
    let difference = (reply.facts != expected.facts).then(|| {
        let how = format!("({effort:?}: {})", needs);
        differing(question, expected, &[&reply.facts[..], &[how]].concat())
    });
    told.resize(number, Vec::new());
    told.push(reply.points);
    let answered = folder.map(|folder| Answered { folder, told });
    let answered = answered.filter(|answered| difference.is_none() || answered.remove());
    (Comparison { kind, effort, hooks, difference }, answered)
}

fn differing(question: &Question, expected: &Reply, again: &[String]) -> String {
    let facts = |facts: &[String]| facts.iter().map(|fact| format!("\n      {fact}")).collect::<String>();
    format!("{question}\n    full recording:{}\n    re-execution:{}", facts(&expected.facts), facts(again))
}
