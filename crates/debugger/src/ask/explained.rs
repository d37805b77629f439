//! What `why` explained last: a line that is named behind it without saying which time is meant is that of before the failure.
//!
//! Where many tests run in one thread, the last time of a line is mostly that of another test than the one that is looked into.

use std::fs;

use trace_format::private;

use super::{Moment, PointText, Session};
use crate::FailureShown;

/// The failure that was explained last, and when it happened.
struct Explained {
    thread: usize,
    event: u64,
    title: String,
}

impl Session {
    /// Keeps which failure was explained.
    pub(super) fn was_explained(&self, failure: &FailureShown, moment: &Moment) {
        let Some(test) = failure.test.as_ref().filter(|_| !self.is_looking()) else { return };
        let text = format!("{}\t{}\t{}\n", moment.number, moment.at.scene.before.0, test.title().replace('\n', " "));
        // Where it cannot be written, a line means its last time of all.
        let _ = private::write(&self.folder().join(FILE), text);
    }

    fn explained(&self) -> Option<Explained> {
        let text = fs::read_to_string(self.folder().join(FILE)).ok()?;
        let mut fields = text.trim_end_matches('\n').splitn(3, '\t');
        let thread = fields.next()?.parse().ok()?;
        let event = fields.next()?.parse().ok()?;
        Some(Explained { thread, event, title: fields.next()?.to_owned() })
    }

    /// The last time of a line before the failure that was explained, where the line alone would mean another.
    pub(super) fn before_explained(&self, point: &PointText, thread: Option<&str>) -> Option<Moment<'_>> {
        let PointText::Line { file, line, column, hit: None } = point else { return None };
        let explained = self.explained().filter(|_| thread.is_none() && self.tells_of_failed_tests())?;
        let name = explained.thread.to_string();
        let at_hit = |hit| {
            let point = PointText::Line { file: file.clone(), line: *line, column: *column, hit };
            self.moment_at(Some(&point), Some(&name)).ok()
        };
        let last = at_hit(None)?;
        let is_before = |moment: &Moment| moment.at.step.id.0 < explained.event;
        if is_before(&last) {
            // Another thread may have come to the line, too: it is not the one that is looked into.
            return Some(last);
        }
        let (mut known, mut behind) = (0, last.n_hits(file, *line, *column));
        while behind - known > 1 {
            let middle = known + (behind - known) / 2;
            match at_hit(Some(middle)).is_some_and(|moment| is_before(&moment)) {
                true => known = middle,
                false => behind = middle,
            }
        }
        let moment = at_hit(Some(known).filter(|known| *known > 0))?;
        if !is_before(&moment) {
            return None;
        }
        moment.note(format!(
            "this is the last time before `{}` failed, which why explained; #N behind the line names another",
            explained.title
        ));
        Some(moment)
    }
}

const FILE: &str = "explained.txt";
