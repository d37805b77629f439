//! Points of an earlier run, found again in another execution of the same program: by the question that gave them, or else by
//! the place in the code and the time it was executed.

use trace_model::{LocalSite, Need, SiteId};
use trace_store::{Run, Step, Target};

use super::point_register::{KeptPoint, PointRegister};
use super::session::Moment;
use super::{HistoryChange, PointText, Session, resolve};
use crate::rerun::{Definition, Definitions, EarlierAnswer};
use crate::{Answer, Error, Question, QuestionKind, Where};

impl Session {
    /// The moment of a point that another run named.
    pub(super) fn moment_again(&self, origin: &Run, number: u32, thread: Option<&str>) -> Result<Moment<'_>, Error> {
        let moment = match Definitions::of_run(origin.folder()).of(number) {
            Some(definition) => self.answered_again(&definition, thread)?,
            None => self.executed_again(origin, number, thread)?,
        };
        let kept = KeptPoint::Event { thread: moment.number, event: moment.at.step.id.0 };
        moment.points.set(number, kept);
        Ok(moment)
    }

    /// The question is asked again, and so are those that it hangs on.
    fn answered_again(&self, definition: &Definition, thread: Option<&str>) -> Result<Moment<'_>, Error> {
        let from = Where { thread: thread.map(str::to_owned), ..definition.question.from.clone() };
        let mut asked = self.moment(&from)?;
        // What is found again has its number already.
        asked.points = PointRegister::none().into();
        let (point, found) = match asked.answer(&definition.question.kind)? {
            Answer::LastChange(answer) => (answer.point.clone(), answer.found()),
            Answer::LastCondition(answer) => (answer.point.clone(), answer.found()),
            Answer::History(answer) => {
                let change = answer.changes.items.first().filter(|_| answer.changes.items.len() > definition.n_newer);
                (change.map(|change| change.point.clone()), change.map(HistoryChange::found).unwrap_or_default())
            }
            _ => (None, EarlierAnswer::default()),
        };
        let Some(point) = point else { return Err(Error::OfEarlierRun { number: definition.number }) };
        let notes = asked.notes();
        let trace = self.trace(asked.trace.thread);
        let at = resolve::at(self.run(), &trace, Some(&PointText::Event(point.event)))?;
        let moment = self.new_moment(asked.number, trace, at);
        notes.into_iter().for_each(|note| moment.note(note));
        if let Some(difference) = difference(definition, &found) {
            moment.note(difference);
        }
        Ok(moment)
    }

    /// The same place in the code, as many times executed.
    fn executed_again(&self, origin: &Run, number: u32, thread: Option<&str>) -> Result<Moment<'_>, Error> {
        let unknown = || Error::OfEarlierRun { number };
        let kept = PointRegister::of_run(origin.folder()).point(number);
        let kept = kept.map_err(|n_points| Error::NoSuchAnswer { wanted: number, n_points })?;
        let KeptPoint::Event { thread: of, event } = kept else {
            return match kept {
                KeptPoint::Crash { .. } => self.moment_at(Some(&PointText::Crash), thread),
                _ => Err(unknown()),
            };
        };
        let then = Session::of(Run::open(origin.folder())?);
        let then_thread = then.run().threads().get(of - 1).ok_or_else(unknown)?;
        let then_trace = then.trace(then_thread);
        let step = then_thread.step(trace_model::EventId(event)).ok_or_else(unknown)?;
        let site = step.site().and_then(|site| then_trace.site(site)).ok_or_else(unknown)?;
        let (hit, _) = then_trace.hit_of(&step).ok_or_else(unknown)?;
        let (path, local) = (site.unit.record.path.clone(), site.unit.local(step.site().ok_or_else(unknown)?));
        for (number, thread) in self.threads(thread)? {
            let trace = self.trace(thread);
            let units = thread.code().units().iter().filter(|unit| unit.record.path == path);
            let sites: Vec<SiteId> = units.map(|unit| unit.site(local)).collect();
            let found: Option<Step> = trace.nth(&Target::Sites(&sites), hit - 1).filter(|_| !sites.is_empty());
            if let Some(at) = found.and_then(|step| resolve::of_step(&trace, step)) {
                return Ok(self.new_moment(number, trace, at));
            }
        }
        Err(unknown())
    }

    /// What asking at a point of this run needs, as far as it is known from where the point is: the names of the question mean
    /// something there, and what decides is in its function.
    pub(crate) fn need_around(&self, number: u32, question: &Question) -> Option<Need> {
        let Ok(KeptPoint::Event { thread, event }) = self.points().point(number) else { return None };
        let thread = self.run().threads().get(thread - 1)?;
        let site = thread.site(thread.step(trace_model::EventId(event))?.site()?)?;
        let path = site.unit.record.path.clone();
        let mut need = Need::default();
        if question.kind == QuestionKind::LastCondition {
            let of_function =
                (0..).zip(&site.code.sites.sites).filter(|(_, other)| other.function == site.site.function);
            need.sites.insert(path, of_function.map(|(number, _)| LocalSite(number)).collect());
        } else {
            let line = 1 + site.code.source().ok()?[..site.site.span.start as usize].matches('\n').count() as u32;
            need.lines.insert((path, line));
        }
        Some(need)
    }

    /// The last line that the program printed.
    pub(crate) fn last_output(&self) -> Option<String> {
        let printed = self.run().threads().iter().filter_map(|thread| {
            let step = thread.last(&Target::Output, thread.end())?;
            let trace_model::Event::Record(trace_model::Record::Output { text: Some(text), .. }) = step.event else {
                return None;
            };
            thread.string(text)
        });
        let last = printed.last()?;
        last.lines()
            .rfind(|line| !line.trim().is_empty())
            .map(|line| super::shown::shortened(line.trim(), LONGEST_LINE))
    }
}

const LONGEST_LINE: usize = 120;

/// How an answer differs from that of the earlier run.
fn difference(definition: &Definition, found: &EarlierAnswer) -> Option<String> {
    let number = definition.number;
    let then = &definition.found;
    if then.place != found.place {
        return Some(format!(
            "P{number} was at {} in the earlier run, and is at {} in this one",
            then.place, found.place
        ));
    }
    (then.value != found.value).then(|| {
        format!("the value at P{number} was {} in the earlier run, and is {} in this one", then.value, found.value)
    })
}
