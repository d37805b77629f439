//! The tests of a run that failed, as the runner of the tests said: nothing else of such a run is a failure, but what ended a process.
//!
//! The runner knows which test failed and with what error. Where that error left the project's code is found in the events of the test:
//! by the error itself if it was recorded, by the frames that it ended, or by the places that its stack names.

use std::ops::Range;

use trace_model::{EventId, FrameId, ObjectId, SiteId, SiteKind};
use trace_store::{FrameInfo, Step, Target, TestOutcome, TestRecord};

use super::failure::{Evidence, Failure, FailureKind, Standing};
use crate::{Datum, FrameOutcome, Thrown, Trace};

impl<'a> Trace<'a> {
    /// The tests of the run, in the order of the runner.
    pub fn tests(&self) -> &'a [TestRecord] {
        self.run_around().map_or(&[], |run| run.tests())
    }

    /// Whether the runner told of tests that failed, in any thread.
    pub(super) fn has_failed_tests(&self) -> bool {
        self.tests().iter().any(|test| test.outcome == TestOutcome::Failed)
    }

    /// Those of this thread that failed and of whose failure something was recorded.
    pub(super) fn failed_tests_here(&self, is_own: &dyn Fn(&str) -> bool) -> Vec<Failure> {
        let failed = self.tests().iter().enumerate().filter(|(_, test)| test.outcome == TestOutcome::Failed);
        let here: Vec<_> = failed.filter(|(_, test)| self.is_here(test)).collect();
        if here.is_empty() {
            return Vec::new();
        }
        let exits = self.sites_of_kind(SiteKind::Exit, is_own);
        here.into_iter().filter_map(|(number, test)| self.failure_of_test(number, test, &exits, is_own)).collect()
    }

    fn is_here(&self, test: &TestRecord) -> bool {
        (test.pid, test.thread) == (self.thread.pid(), self.thread.number())
    }

    /// The events of a test of this thread: from its first one on, up to that of what came behind it.
    pub fn events_of_test(&self, test: &TestRecord) -> Option<Range<EventId>> {
        if !self.is_here(test) {
            return None;
        }
        let first = self.entered_behind(test.first?)?;
        let end = self.end_of_test(test);
        (first < end).then_some(first..end)
    }

    fn failure_of_test(
        &self,
        number: usize,
        test: &TestRecord,
        exits: &[SiteId],
        is_own: &dyn Fn(&str) -> bool,
    ) -> Option<Failure> {
        let told = test.error.as_ref()?;
        let events = self.events_of_test(test);
        let error = told.object.map(|object| Datum::Object(ObjectId(object)));
        let in_test = events.and_then(|events| self.thrown_by_test(test, error.as_ref(), &events, exits, is_own));
        let thrown = in_test.or_else(|| self.thrown_before_test(test, error.as_ref(), is_own))?;
        let message = match &error {
            // What the runner says of a file may name where its text is wrong.
            Some(_) if test.titles.is_empty() => None,
            Some(error) => {
                Some(self.error_message(error, self.end_of_test(test))).filter(|message| !message.is_empty())
            }
            None => None,
        };
        Some(Failure {
            kind: FailureKind::Caught,
            thrown,
            message: message.unwrap_or_else(|| told.message.clone()),
            error,
            standing: Standing { evidence: Evidence::Certain, order: (number, EventId(0)) },
            named: None,
            test: Some(number),
        })
    }

    fn thrown_by_test(
        &self,
        test: &TestRecord,
        error: Option<&Datum>,
        events: &Range<EventId>,
        exits: &[SiteId],
        is_own: &dyn Fn(&str) -> bool,
    ) -> Option<Thrown> {
        let thrown = error.and_then(|error| self.thrown_in_test(error, events, is_own));
        let named = || self.named_in_stack(&test.error.as_ref()?.stack, events, is_own);
        if test.titles.is_empty() || test.error.as_ref()?.out_of_time.is_some() {
            // Beside what made a file fail, other errors may have left code that it loaded; a test that ran out of time threw none.
            return thrown.or_else(named);
        }
        match (thrown, self.left_test(events, exits, is_own)) {
            (Some(thrown), _) => Some(thrown),
            (None, Some(left)) if error.is_some() => Some(left),
            // An assertion may fail without a throw: what left the code in the test is then something else.
            (None, Some(left)) => {
                Some(named().filter(|named| self.line_of(named) != self.line_of(&left)).unwrap_or(left))
            }
            (None, None) => named(),
        }
    }

    /// What the test failed with came before it: from a hook that ran for it and for others, or as its file was loaded.
    fn thrown_before_test(
        &self,
        test: &TestRecord,
        error: Option<&Datum>,
        is_own: &dyn Fn(&str) -> bool,
    ) -> Option<Thrown> {
        let end = self.end_of_test(test);
        if let Some(error) = error {
            // The runner says that it is this very error.
            return self.thrown_in_test(error, &(self.thread.first_event()..end), is_own);
        }
        // Only a stack names places, and other tests came by them too.
        let others = self.tests().iter().filter_map(|other| self.events_of_test(other));
        let start = others.map(|other| other.end).filter(|other| *other < end).max();
        let between = start.unwrap_or(self.thread.first_event())..end;
        self.named_in_stack(&test.error.as_ref()?.stack, &between, is_own)
    }

    fn end_of_test(&self, test: &TestRecord) -> EventId {
        test.last.and_then(|frames| self.entered_behind(frames)).unwrap_or(self.thread.end())
    }

    /// Where the frame was entered that came behind so many.
    fn entered_behind(&self, frames: u64) -> Option<EventId> {
        let next = u32::try_from(frames.checked_add(1)?).ok()?;
        self.frame(FrameId(next)).map(|frame| frame.entered)
    }

    /// Where an error that was recorded left the project's code.
    fn thrown_in_test(&self, error: &Datum, events: &Range<EventId>, is_own: &dyn Fn(&str) -> bool) -> Option<Thrown> {
        let thrown = self.origin_of(error, events.end)?;
        // One that was made long before says nothing of this test.
        let thrown = Some(thrown).filter(|thrown| thrown.before >= events.start)?;
        self.left_own_code(thrown, None, is_own)
    }

    /// The last exception in the test that left the project's code to what is not of the project.
    fn left_test(&self, events: &Range<EventId>, exits: &[SiteId], is_own: &dyn Fn(&str) -> bool) -> Option<Thrown> {
        let mut at = events.end;
        for _ in 0..MOST_EXITS {
            let exit = self.last(&Target::Sites(exits), at).filter(|exit| exit.id >= events.start)?;
            at = exit.id;
            let Some(frame) = exit.frame.and_then(|frame| self.frame(frame)) else { continue };
            // What called it may have caught it: only then is it no concern of the project.
            if self.outcome(&frame) != FrameOutcome::Threw || self.is_called_from_test(&frame, events, is_own) {
                continue;
            }
            let behind = self.thread.step(EventId(exit.id.0 + 1)).unwrap_or(exit);
            let Some(thrown) = self.thrown_before(&behind) else { continue };
            return self.left_own_code(thrown, None, is_own);
        }
        None
    }

    /// Whether code of the project called it that the test had entered.
    fn is_called_from_test(&self, frame: &FrameInfo, events: &Range<EventId>, is_own: &dyn Fn(&str) -> bool) -> bool {
        let mut caller = self.caller_of(frame);
        for _ in 0..MOST_FRAMES {
            let Some(info) = caller.and_then(|caller| self.frame(caller)) else { return false };
            if info.entered < events.start {
                return false;
            }
            if self.thread.code().unit(info.unit).is_some_and(|unit| is_own(&unit.record.path)) {
                return true;
            }
            caller = self.caller_of(&info);
        }
        false
    }

    /// The innermost place of the project in a stack, when control came to it last in the test.
    fn named_in_stack(&self, stack: &str, events: &Range<EventId>, is_own: &dyn Fn(&str) -> bool) -> Option<Thrown> {
        stack.lines().filter_map(place_in_line).filter(|(file, _)| is_own(file)).find_map(|(file, line)| {
            let anchors = self.anchors(file, line).ok()?;
            let anchor = self.last(&Target::Sites(&anchors), events.end).filter(|step| step.id >= events.start)?;
            let frame = anchor.frame?;
            // What the line did further on, before it went to what failed.
            let step = self.last_of_line(frame, &anchor, events.end);
            Some(Thrown { before: EventId(step.id.0 + 1), step, frame, is_explicit: false })
        })
    }

    /// The last event of a line in a frame, from its first one on.
    fn last_of_line(&self, frame: FrameId, first: &Step, end: EventId) -> Step {
        let line = |step: &Step| Some(self.site(step.site()?)?.place()?.position.line);
        let mut last = first.clone();
        let mut from = EventId(first.id.0 + 1);
        for _ in 0..MOST_OF_LINE {
            let Some(next) = self.next(&Target::InFrame(frame), from).filter(|next| next.id < end) else { break };
            from = EventId(next.id.0 + 1);
            match line(&next) {
                // What the line printed meanwhile, for instance: it happened, but not at a place of the text.
                None => {}
                there if there == line(first) => last = next,
                Some(_) => break,
            }
        }
        last
    }

    fn line_of(&self, thrown: &Thrown) -> Option<u32> {
        Some(self.site(thrown.step.site()?)?.place()?.position.line)
    }
}

/// `at f (/p/a.js:3:7)`, `at file:///p/a.js:3:7`, `/p/a.js:3:7`
fn place_in_line(line: &str) -> Option<(&str, u32)> {
    let line = line.trim().trim_end_matches(')');
    let (rest, _column) = line.rsplit_once(':')?;
    let (path, number) = rest.rsplit_once(':')?;
    let path = path.rsplit_once('(').map_or(path, |(_, path)| path);
    let path = path.strip_prefix("at async ").or_else(|| path.strip_prefix("at ")).unwrap_or(path);
    let path = path.strip_prefix("file://").unwrap_or(path);
    // Some runners write paths as they are seen from where they were started.
    // What is left of a URL has a scheme and is no file.
    let is_file = !path.contains(':') && !path.starts_with('<') && path.contains('.');
    Some((path, number.parse().ok()?)).filter(|_| is_file)
}

const MOST_EXITS: usize = 10_000;
const MOST_FRAMES: usize = 1000;
const MOST_OF_LINE: usize = 200;

#[cfg(test)]
mod tests {
    use super::place_in_line;

    #[test]
    fn places_in_lines_of_a_stack() {
        let place = |line| place_in_line(line);
        assert_eq!(place("    at Context.<anonymous> (/p/test/a.js:7:14)"), Some(("/p/test/a.js", 7)));
        assert_eq!(place("    at async file:///p/a b.mjs:3:1"), Some(("/p/a b.mjs", 3)));
        assert_eq!(place("/p/a.js:3:1"), Some(("/p/a.js", 3)));
        assert_eq!(place("    at Context.<anonymous> (test/a.js:7:14)"), Some(("test/a.js", 7)));
        assert_eq!(place("    at process.processTicksAndRejections (scheme:internal/task.queues:105:5)"), None);
        assert_eq!(place("    at new Promise (<anonymous>)"), None);
    }
}
