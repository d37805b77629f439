//! Points as places at which a program is stopped while it runs.

use std::path::Path;

use trace_model::{Event, Policy, Selectable, Selection, Value};
use trace_store::{Run, Runs, Step, Thread};

use super::asking::Rerun;
use crate::ask::{Moment, PointText};
use crate::control::Control;
use crate::languages::open_run;
use crate::live::{Ended, Halted, LiveError, LiveValue, StopAt, evaluate_live, pause};
use crate::{Answer, Error, Output, Question, QuestionKind, RecordRequest, RecordedCode, RunChoice, Session, Where};

/// Where a program is to be stopped, and the run in which that was found out.
struct Stop {
    at: StopAt,
    request: RecordRequest,
    found_in: Run,
    /// The number of the thread, from 1, and of the event.
    thread: usize,
    step: Step,
}

impl Rerun {
    /// Runs the program until it comes to the point, and has it halt there for the debugger of the person. `on_halted` is told where
    /// that can attach, and what was not the same as when the point was found.
    pub fn pause(
        &self,
        folder: &Path,
        control: &Control,
        on_halted: impl FnOnce(&Halted, Option<String>) + Send,
    ) -> Result<Ended, LiveError> {
        let stop = self.stop(folder, control)?;
        leaving_no_runs(folder, || {
            pause(&stop.request, folder, &stop.at, |halted| on_halted(halted, stop.difference_to_latest(folder)))
        })
    }

    /// Evaluates any expression that changes nothing, in the program, when it comes to the point.
    pub fn evaluate(&self, folder: &Path, expression: &str, control: &Control) -> Result<LiveValue, LiveError> {
        let stop = self.stop(folder, control)?;
        leaving_no_runs(folder, || evaluate_live(&stop.request, folder, &stop.at, expression))
    }

    fn stop(&self, folder: &Path, control: &Control) -> Result<Stop, Error> {
        let (session, from) = if self.command.is_empty() {
            super::asking::refuse_imported(&self.origin.open(folder)?)?;
            // Only the hits of the event itself matter, and these were recorded.
            (Session::of(self.origin.open(folder)?), self.question.from.clone())
        } else {
            let question = Question { kind: QuestionKind::Here, from: self.question.from.clone() };
            let asked = Rerun { question, ..self.clone() }.ask(folder, control)?;
            let Answer::Here(point) = asked.reply.answer else { return Err(Error::NothingRecorded) };
            let at = Some(PointText::Event(point.event));
            (asked.session, Where { at, thread: Some(point.thread.to_string()), ..Where::default() })
        };
        let moment = session.moment(&from)?;
        let (at, thread, step) = (stop_at(&moment)?, moment.number, moment.at.step.clone());
        let run = open_run(session.run().folder())?;
        let request = RecordRequest {
            // A full recording is more than is needed to come to the point again.
            policy: match run.file().policy.is_full() {
                true => crate::Policy::of_point(&at),
                false => crate::Policy(run.file().policy.clone()),
            },
            output: Output::ToStderr,
            signals: self.signals,
            cancel: control.cancel.clone(),
            input: super::asking::kept_input(&run),
            timeout: self.timeout,
            drive: self.drive.clone().or_else(|| run.file().drive.clone()),
            code: RecordedCode::of(&run),
            ..RecordRequest::of(run.file().command.clone())
        };
        Ok(Stop { at, request, found_in: run, thread, step })
    }
}

/// The points that the person knows are those of the latest run, which stays the latest.
fn leaving_no_runs<T>(folder: &Path, work: impl FnOnce() -> T) -> T {
    let runs = Runs::around(folder);
    let before = runs.latest().unwrap_or(0);
    let done = work();
    for number in runs.numbers().into_iter().filter(|number| *number > before) {
        let _ = runs.remove(number);
    }
    done
}

/// The event of a moment, as it is found again.
fn stop_at(moment: &Moment) -> Result<StopAt, Error> {
    let step = moment.anchor(&moment.at.step).ok_or(Error::NothingRecorded)?;
    let site = step.site().and_then(|site| moment.trace.site(site)).ok_or(Error::NothingRecorded)?;
    let (hit, _) = moment.trace.hit_of(&step).ok_or(Error::NothingRecorded)?;
    let local = site.unit.local(step.site().ok_or(Error::NothingRecorded)?);
    Ok(StopAt { path: site.unit.record.path.clone(), site: local.0, hit: hit as u32 })
}

impl Stop {
    /// What was not the same up to the point as when it was found: it may be another one then.
    fn difference_to_latest(&self, folder: &Path) -> Option<String> {
        let latest = Runs::around(folder).latest().ok()?;
        let now = RunChoice(Some(latest.to_string())).open(folder).ok()?;
        let policy = &self.request.policy.0;
        // The event itself comes behind the moment at which the program halts.
        let then = told(self.found_in.threads().get(self.thread - 1)?, policy);
        let then: Vec<_> = then.take_while(|(event, _)| *event < self.step.id.0).map(|(_, it)| it).collect();
        let is_same = now.threads().iter().any(|thread| {
            let mut now = told(thread, policy).map(|(_, it)| it);
            then.iter().all(|then| now.next().as_ref() == Some(then))
        });
        (!is_same).then(|| {
            "what led here differs from the run in which the point was found: this may be another point".into()
        })
    }
}

/// The events that a policy selects: number, path and site, and what of the value can be compared between runs.
fn told<'t>(thread: &'t Thread, policy: &'t Policy) -> impl Iterator<Item = (u64, (String, u32, String))> + 't {
    let mut selections = std::collections::HashMap::new();
    thread.events().filter_map(move |(number, event)| {
        let Event::Site { site, value, .. } = event else { return None };
        let unit = thread.code().unit(site)?;
        let selection = selections.entry(unit.record.base).or_insert_with(|| {
            let code = unit.code().ok()?;
            let source = code.source().ok()?;
            Some(Selection::of(policy, Selectable { path: &unit.record.path, source, table: &code.sites }))
        });
        let local = unit.local(site);
        selection.as_ref()?.has(local).then_some(())?;
        let value = match value {
            Some(Value::Number(number)) => number.to_string(),
            Some(Value::Bool(truth)) => truth.to_string(),
            Some(Value::String(id)) => thread.string(id).map(|text| text.to_string()).unwrap_or_default(),
            _ => String::new(),
        };
        Some((number.0, (unit.record.path.clone(), local.0, value)))
    })
}
