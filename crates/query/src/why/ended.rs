//! How a program ended that no exception ended: it ended itself (`process.exit(4)`, `process.exitCode = 1`), or something ended it.

use trace_model::{Event, EventId, Record, signal_text};
use trace_store::{ProgramExit, Target};

use super::failure::{Evidence, Failure, FailureKind, Standing};
use crate::{Thrown, Trace};

impl Trace<'_> {
    /// The end of the thread, if it was not a good one: where the program ended itself, or what it did last.
    pub(super) fn ended(&self) -> Option<Failure> {
        let (thread, _) = self.printed_by_run()?;
        let end = self.thread.end();
        let (thrown, message) = match (self.said_at_end(), self.run()?.outcome) {
            (Some((_, 0)), _) => return None,
            (Some((at, code)), _) => (self.exited_by_itself(at)?, format!("the program ended with exit code {code}")),
            // Who drives a server ends it.
            (None, Some(ProgramExit::Killed { signal: SIGTERM })) if self.run()?.drive.is_some() => return None,
            (None, Some(ProgramExit::Killed { signal })) => {
                (self.last_of_project(end)?, format!("{} ended the program", signal_text(signal)))
            }
            // As a shell tells of a signal that ended what it ran.
            (None, Some(ProgramExit::Exited(code @ 129..=159))) if self.thread.number() == 0 => {
                (self.last_of_project(end)?, format!("{} ended the program", signal_text(code - 128)))
            }
            // It was ended from inside, without a chance to say so.
            (None, Some(ProgramExit::Exited(code))) if thread == 0 && code != 0 => {
                (self.last_of_project(end)?, format!("the program ended with exit code {code}"))
            }
            _ => return None,
        };
        let standing = Standing { evidence: Evidence::End, order: (thread, thrown.step.id) };
        Some(Failure { kind: FailureKind::Ended, thrown, error: None, message, standing, named: None, test: None })
    }

    /// The exit code that the thread told at its end, and when.
    fn said_at_end(&self) -> Option<(EventId, u32)> {
        let mut last = self.thread.steps_before(self.thread.end()).take(MOST_BEHIND_END);
        last.find_map(|step| match step.event {
            Event::Record(Record::ThreadEnd { code }) => Some((step.id, code)),
            _ => None,
        })
    }

    /// The call that was never left: it ended the program. Else who wrote the code last.
    fn exited_by_itself(&self, end: EventId) -> Option<Thrown> {
        let stack = self.frames_at(end);
        let own = stack.iter().rev().find(|frame| self.frame(**frame).is_some_and(|info| self.is_own(info.unit)));
        if let Some(frame) = own {
            let frame = self.frame(*frame)?.frame;
            let step = self.previous_in_frame(frame, end)?;
            return Some(Thrown { before: EventId(step.id.0 + 1), step, frame, is_explicit: true });
        }
        let mut writes = self.writers_of(self.language().exit_code_key()?);
        writes.sort_unstable();
        writes.dedup();
        let step = self.last(&Target::Sites(&writes), end)?;
        Some(Thrown { before: step.id, frame: self.frame(step.frame?)?.frame, is_explicit: true, step })
    }
}

const SIGTERM: i32 = 15;

/// What the runtime notes behind the end of a thread.
const MOST_BEHIND_END: usize = 16;
