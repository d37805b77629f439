use trace_model::EventId;
use trace_store::Target;

use super::Moment;
use crate::events::check_kinds;
use crate::page::{Cursor, Page, PageRequest};
use crate::{Error, EventFilter, EventLine};

const LIST: &str = "events";

impl Moment<'_> {
    /// The events of the frame that the point is in, without those of what it called. Of a function's entry: of that call.
    pub(crate) fn events_of_call(&self, filter: &EventFilter, page: &PageRequest) -> Result<Page<EventLine>, Error> {
        check_kinds(&filter.kinds)?;
        let frame = self.at.scene.frame.and_then(|frame| self.trace.frame(frame)).ok_or(Error::NothingRecorded)?;
        let thread = self.trace.thread;
        let folder = &self.run.file().folder;
        let target = Target::InFrame(frame.id);
        let limit = page.limit().min(filter.limit.unwrap_or(usize::MAX));
        let mut lines = Vec::new();
        let mut next = None;
        let mut from = page.numbers(LIST)?.map_or(frame.entered, |[first]| frame.entered.max(EventId(first)));
        while let Some(step) = thread.next(&target, from) {
            from = EventId(step.id.0 + 1);
            if filter.to.is_some_and(|to| step.id.0 > to) {
                break;
            }
            if filter.passes(step.id, &step.event, thread, folder) {
                if lines.len() >= limit {
                    next = Some(Cursor::at(LIST, [step.id.0]));
                    break;
                }
                lines.push(EventLine::of_step(thread, self.number, &step, frame.depth as usize + 1, folder));
            }
        }
        Ok(Page { items: lines, next, n_all: None })
    }
}
