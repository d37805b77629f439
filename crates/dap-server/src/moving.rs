//! Going through a run, forward and back: statement by statement, or to the next breakpoint.

use debugger::{
    Answer, BreakAt, Breakpoint, PageRequest, Point, PointText, QuestionKind, StepRequest, StepStride, StopAnswer,
    StopRequest, Where,
};
use serde_json::json;

use crate::adapter::{Adapter, Body, Then};
use crate::protocol::{OfThread, Stopped};
use crate::refusal::Refusal;
use crate::starting::{ENTRY, first_statement};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Motion {
    pub stride: Stride,
    pub is_back: bool,
    pub thread: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stride {
    Step(StepStride),
    /// To the next breakpoint.
    Continue,
}

/// Where control came to, and why it stops there.
struct Arrival {
    thread: usize,
    to: PointText,
    /// Where other threads stand then.
    others: Vec<(usize, PointText)>,
    reason: &'static str,
    description: Option<String>,
    breakpoints: Vec<i64>,
}

impl Motion {
    /// As a request names it.
    pub fn of(command: &str) -> Option<Motion> {
        let (stride, is_back) = match command {
            "next" => (Stride::Step(StepStride::Over), false),
            "stepIn" => (Stride::Step(StepStride::Into), false),
            "stepOut" => (Stride::Step(StepStride::Out), false),
            "stepBack" => (Stride::Step(StepStride::Over), true),
            "stepBackIn" => (Stride::Step(StepStride::Into), true),
            "stepBackOut" => (Stride::Step(StepStride::Out), true),
            "continue" => (Stride::Continue, false),
            "reverseContinue" => (Stride::Continue, true),
            _ => return None,
        };
        Some(Motion { stride, is_back, thread: 0 })
    }
}

impl Adapter {
    pub fn start_moving(&mut self, motion: Motion, of: OfThread) -> Body {
        let open = self.opened()?;
        open.still_there()?;
        if of.thread_id == 0 || of.thread_id > open.n_threads() {
            return Err(Refusal::new(format!("there is no thread {}; the run has {}", of.thread_id, open.n_threads())));
        }
        self.then = Then::Move(Motion { thread: of.thread_id, ..motion });
        Ok(json!({"allThreadsContinued": motion.stride == Stride::Continue}))
    }

    /// Moves, and tells where that led. Whatever happens, control stands somewhere in the end.
    pub fn go_on(&mut self, motion: Motion) {
        let arrival = match motion.stride {
            Stride::Step(stride) => self.step(motion, stride).map(Some),
            Stride::Continue => self.run_on(motion),
        };
        match arrival {
            Ok(Some(arrival)) => self.arrive(arrival),
            Ok(None) => self.wait_for_more(motion),
            Err(refusal) => {
                if refusal.id != "cancelled" {
                    self.out.say(&refusal.sentence);
                }
                self.stopped(motion.thread, "pause", None, Vec::new());
            }
        }
    }

    /// Straight to a point, if the run has it. `P2` is of whichever thread has it.
    pub fn go_to(&mut self, to: &PointText, thread: Option<usize>) -> Result<Point, Refusal> {
        let from = Where { at: Some(to.clone()), thread: thread.map(|it| it.to_string()), ..Where::default() };
        let Answer::Here(point) = self.ask(QuestionKind::Here, from)?.answer else {
            return Err(Refusal::nothing_open());
        };
        let is_edge = matches!(to, PointText::Crash | PointText::End);
        self.jump(point.thread, if is_edge { to.clone() } else { PointText::Event(point.event) });
        Ok(point)
    }

    /// Straight to a moment that the person wants to see.
    pub fn jump(&mut self, thread: usize, to: PointText) {
        if let Some(open) = &mut self.open {
            open.go(thread, to);
        }
        self.references.forget();
        self.then = Then::Show("goto");
    }

    /// Tells where control stands.
    pub fn show(&mut self, reason: &'static str) {
        let Some(open) = &self.open else { return };
        let thread = open.thread;
        let reason = if self.is_running() && reason == ENTRY { "pause" } else { reason };
        match open.moment(thread) {
            _ if reason == "pause" => self.stopped(thread, reason, Some(SO_FAR.into()), Vec::new()),
            PointText::Crash => self.stopped(thread, EXCEPTION, Some(FAILED.into()), Vec::new()),
            PointText::End => self.stopped(thread, "pause", Some(AT_END.into()), Vec::new()),
            _ => {
                // A client may go on showing what it showed before.
                let description = (reason == "goto").then(|| A_MOMENT.to_owned());
                self.stopped(thread, reason, description, Vec::new());
            }
        }
    }

    fn arrive(&mut self, arrival: Arrival) {
        let thread = arrival.thread;
        if let Some(open) = &mut self.open {
            arrival.others.into_iter().for_each(|(other, to)| open.go(other, to));
            open.go(thread, arrival.to);
            if arrival.reason == EXCEPTION {
                open.stopped_by_throw(thread);
            }
        }
        self.references.forget();
        self.stopped(thread, arrival.reason, arrival.description, arrival.breakpoints);
    }

    fn stopped(&self, thread_id: usize, reason: &'static str, description: Option<String>, ids: Vec<i64>) {
        let text = match &self.open {
            Some(open) if open.is_at_failure(thread_id) => self.failure_of(thread_id),
            Some(open) if open.is_at_throw(thread_id) => self.thrown_in(thread_id).map(|thrown| thrown.text),
            _ => None,
        };
        let stopped =
            Stopped { reason, description, text, thread_id, all_threads_stopped: true, hit_breakpoint_ids: ids };
        self.out.event("stopped", stopped);
    }

    /// What failed in a thread, in the words of the program.
    pub fn failure_of(&self, thread: usize) -> Option<String> {
        let from = Where { thread: Some(thread.to_string()), ..Where::default() };
        match self.ask(QuestionKind::Failures(PageRequest::first(1)), from).ok()?.answer {
            Answer::Failures(failures) => failures.items.into_iter().next().map(|it| it.failure.words()),
            _ => None,
        }
    }

    fn step(&self, motion: Motion, stride: StepStride) -> Result<Arrival, Refusal> {
        let request = StepRequest { stride, is_back: motion.is_back };
        let from = self.opened()?.place(motion.thread);
        let Answer::Step(answer) = self.ask(QuestionKind::Step(request), from)?.answer else {
            return Err(Refusal::nothing_open());
        };
        // What has no condition is looked up; one that has could make a step take as long as the run.
        let mut on_the_way = self.breakpoints.armed(|breakpoint| breakpoint.condition.is_none());
        // No step goes past a failure as if nothing had been.
        on_the_way.push((0, Breakpoint { at: BreakAt::Failure, condition: None, hits: None }));
        let at = on_the_way.iter().map(|(_, breakpoint)| breakpoint.clone()).collect();
        let stop = self.nearest(motion, at, false)?;
        let is_between = |stop: &Point| match &answer.point {
            Some(to) if motion.is_back => stop.event > to.event,
            Some(to) => stop.event < to.event,
            None => true,
        };
        match (stop.point.as_ref().filter(|stop| is_between(stop)), answer.point) {
            (Some(_), _) => Ok(self.arrival_at(motion, stop, &on_the_way)),
            (None, Some(to)) => Ok(Arrival {
                thread: motion.thread,
                others: Vec::new(),
                to: PointText::Event(to.event),
                reason: "step",
                description: None,
                breakpoints: Vec::new(),
            }),
            (None, None) => self.edge(motion),
        }
    }

    /// Goes over all threads in the order of time. Nothing: the program runs, and no breakpoint is in what is recorded of it so far.
    fn run_on(&mut self, motion: Motion) -> Result<Option<Arrival>, Refusal> {
        if self.is_running() {
            self.refresh()?;
        }
        let armed = self.breakpoints.armed(|_| true);
        // The time is that of the thread that moved last: another may have ended long before.
        let from = Motion { thread: self.opened()?.thread, ..motion };
        let stop = self.nearest(from, armed.iter().map(|(_, breakpoint)| breakpoint.clone()).collect(), true)?;
        match stop.point.is_some() {
            true => Ok(Some(self.arrival_at(motion, stop, &armed))),
            false if self.is_running() && !motion.is_back => Ok(None),
            false => self.edge(motion).map(Some),
        }
    }

    fn nearest(&self, motion: Motion, at: Vec<Breakpoint>, in_all_threads: bool) -> Result<StopAnswer, Refusal> {
        let request = StopRequest { at, is_back: motion.is_back, in_all_threads };
        let reply = self.ask(QuestionKind::Stop(request), self.opened()?.place(motion.thread))?;
        let of_conditions = reply.notes.iter().filter(|note| note.contains("breakpoint"));
        of_conditions.for_each(|note| self.out.say(note));
        match reply.answer {
            Answer::Stop(answer) => Ok(answer),
            _ => Err(Refusal::nothing_open()),
        }
    }

    fn arrival_at(&self, motion: Motion, stop: StopAnswer, armed: &[(i64, Breakpoint)]) -> Arrival {
        let hit: Vec<&(i64, Breakpoint)> = stop.breakpoints.iter().filter_map(|number| armed.get(*number)).collect();
        let text =
            |value: &Option<debugger::Value>| value.as_ref().map_or("nothing".into(), |value| value.text.clone());
        let change = stop.change.as_ref().map(|change| format!("{} → {}", text(&change.old), text(&change.new)));
        let (reason, description) = match hit.first().map(|(_, breakpoint)| &breakpoint.at) {
            _ if stop.is_failure => (EXCEPTION, Some(FAILED.into())),
            Some(BreakAt::Throw | BreakAt::Failure) => (EXCEPTION, Some("Something is thrown".into())),
            Some(BreakAt::Call { function }) => ("function breakpoint", Some(format!("{function} is called"))),
            Some(BreakAt::Change { place, .. }) => {
                let name = hit.first().and_then(|(id, _)| self.breakpoints.name_of(*id)).unwrap_or(place);
                ("data breakpoint", Some(format!("{name}: {}", change.unwrap_or_default())))
            }
            Some(BreakAt::Line { .. }) | None => ("breakpoint", None),
        };
        let (thread, event) = stop.point.map_or((motion.thread, 0), |point| (point.thread, point.event));
        let to = if stop.is_failure { PointText::Crash } else { PointText::Event(event) };
        // Those of exceptions have no number that a client knows.
        let breakpoints = hit.iter().map(|(id, _)| *id).filter(|id| *id > 0).collect();
        Arrival { thread, to, others: stop.others, reason, description, breakpoints }
    }

    /// Nothing stops control before the end of the thread, or its start; of all threads, where control goes on in all.
    fn edge(&self, motion: Motion) -> Result<Arrival, Refusal> {
        let open = self.opened()?;
        let (reason, description) = match motion.is_back {
            true => (ENTRY, AT_START),
            false if self.is_running() => ("pause", SO_FAR),
            false => ("pause", AT_END),
        };
        let edge = |thread: usize| match motion.is_back {
            true => first_statement(open, thread, &self.control).unwrap_or_else(|| open.moment(thread)),
            false if self.is_running() => open.moment(thread),
            false => PointText::End,
        };
        let others = (1..=open.n_threads()).filter(|_| motion.stride == Stride::Continue);
        Ok(Arrival {
            thread: motion.thread,
            to: edge(motion.thread),
            others: others.filter(|thread| *thread != motion.thread).map(|thread| (thread, edge(thread))).collect(),
            reason,
            description: Some(description.into()),
            breakpoints: Vec::new(),
        })
    }
}

const EXCEPTION: &str = "exception";
const FAILED: &str = "It failed here";
const A_MOMENT: &str = "A moment of the recording";
const AT_START: &str = "Start of the recording";
const AT_END: &str = "End of the recording";
const SO_FAR: &str = "End of what is recorded so far";
