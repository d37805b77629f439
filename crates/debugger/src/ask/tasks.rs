//! The turns of the event loop: what ran from an empty stack on, what started it, and where that was registered.

use trace_model::{EventId, SiteId, SiteKind};
use trace_store::{Step, Target};

use super::session::add_notes;
use super::{Moment, Point, PointText, Session};
use crate::page::{Cursor, Page, PageRequest};
use crate::{Error, Where};

/// A turn of the event loop, or a microtask.
#[derive(Clone, Debug)]
pub struct TaskShown {
    /// Its first event.
    pub point: Point,
    /// The function that ran first; nothing: the top level of a file.
    pub function: Option<String>,
    pub start: TaskStart,
}

#[derive(Clone, Debug)]
pub enum TaskStart {
    /// A file was loaded.
    File,
    /// A function was called that had been handed out; where, if that is known.
    Callback { registered: Option<Point> },
    /// A function went on that had waited; where.
    Resumed { waited: Option<Point> },
}

const LIST: &str = "tasks";

impl Session {
    /// The tasks of the thread that is meant, or of all, one thread after another.
    pub(crate) fn tasks(&self, from: &Where, page: &PageRequest) -> Result<(Page<TaskShown>, Vec<String>), Error> {
        let mut first: Option<[u64; 2]> = page.numbers(LIST)?;
        let threads: Vec<usize> = match from.at.is_some() || from.thread.is_some() {
            true => vec![self.moment(from)?.number],
            false => (1..=self.n_threads()).collect(),
        };
        if first.is_some_and(|[thread, _]| !threads.contains(&(thread as usize))) {
            return Err(page.refused());
        }
        let mut shown = Page { items: Vec::new(), next: None, n_all: None };
        let mut notes = Vec::new();
        for number in threads {
            if first.is_some_and(|[thread, _]| thread != number as u64) {
                continue;
            }
            let begin = first.take().map(|[_, event]| EventId(event));
            let Ok(moment) = self.moment_at(Some(&PointText::End), Some(&number.to_string())) else { continue };
            let n_left = page.limit() - shown.items.len();
            let (tasks, next) = moment.tasks(begin, n_left);
            shown.items.extend(tasks);
            add_notes(&mut notes, moment.notes());
            if let Some(next) = next {
                shown.next = Some(Cursor::at(LIST, [number as u64, next.0]));
                break;
            }
        }
        Ok((shown, notes))
    }
}

impl Moment<'_> {
    /// So many tasks from an event on, and the event of the one behind them.
    fn tasks(&self, begin: Option<EventId>, limit: usize) -> (Vec<TaskShown>, Option<EventId>) {
        let resumes = self.resumes();
        let begin = begin.unwrap_or(self.trace.thread.first_event());
        let mut entered = self.trace.calls_from(None, begin).peekable();
        let mut resumed = self.resumed_from(&resumes, begin);
        let mut tasks = Vec::new();
        loop {
            let at = match (entered.peek().map(|frame| frame.entered), resumed.as_ref().map(|step| step.id)) {
                (None, None) => return (tasks, None),
                (Some(entered), Some(resumed)) => entered.min(resumed),
                (entered, resumed) => entered.or(resumed).unwrap_or(begin),
            };
            if tasks.len() >= limit {
                return (tasks, Some(at));
            }
            if let Some(frame) = entered.next_if(|frame| frame.entered == at) {
                let unit = self.trace.thread.code().unit(frame.unit);
                let function = unit.and_then(|unit| self.function_name(unit, frame.function));
                let registered = || self.trace.registration(frame.id).map(|step| self.point(&step));
                let start = match function.is_some() {
                    true => TaskStart::Callback { registered: registered() },
                    false => TaskStart::File,
                };
                if let Some(step) = self.trace.thread.step(frame.entered) {
                    tasks.push(TaskShown { point: self.point(&step), function, start });
                }
            } else if let Some(step) = resumed.take() {
                resumed = self.resumed_from(&resumes, EventId(step.id.0 + 1));
                let frame = step.frame.and_then(|frame| self.trace.frame(frame));
                let unit = frame.and_then(|frame| self.trace.thread.code().unit(frame.unit));
                let waited = frame.and_then(|frame| self.trace.previous_in_frame(frame.id, step.id));
                tasks.push(TaskShown {
                    point: self.point(&step),
                    function: frame.zip(unit).and_then(|(frame, unit)| self.function_name(unit, frame.function)),
                    start: TaskStart::Resumed { waited: waited.map(|step| self.point(&step)) },
                });
            }
        }
    }

    /// The sites at which a frame goes on that waited.
    fn resumes(&self) -> Vec<SiteId> {
        let mut sites = Vec::new();
        for unit in self.trace.thread.code().units() {
            let Ok(code) = unit.code() else { continue };
            for (number, site) in (0..).zip(&code.sites.sites) {
                if matches!(site.kind, SiteKind::Resume | SiteKind::LateResume) {
                    sites.push(unit.site(trace_model::LocalSite(number)));
                }
            }
        }
        sites.sort_unstable();
        sites
    }

    /// The next time that a frame went on with nothing below it on the stack: a generator has its caller there.
    fn resumed_from(&self, sites: &[SiteId], mut from: EventId) -> Option<Step> {
        let target = Target::Sites(sites);
        loop {
            let step = self.trace.next(&target, from)?;
            from = EventId(step.id.0 + 1);
            if self.trace.frames_at(from).first().copied() == step.frame {
                return Some(step);
            }
        }
    }
}
