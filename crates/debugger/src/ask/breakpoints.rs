//! Breakpoints over a recording: where control comes to one next, where it came to one last, and every time that it did.

use std::str::FromStr;

use trace_model::EventId;
use trace_store::Target;

use super::armed::{Armed, Hit};
use super::in_time::{Clock, InTime};
use super::session::add_notes;
use super::{Moment, Point, PointText, Session};
use crate::page::{Cursor, Page, PageRequest};
use crate::{Error, Value, Where};

/// Breakpoints, and in which direction control goes from the point.
#[derive(Clone, PartialEq, Debug)]
pub struct StopRequest {
    pub at: Vec<Breakpoint>,
    pub is_back: bool,
    /// Other threads go on from where they stood when the thread of the point stood there.
    pub in_all_threads: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Breakpoint {
    pub at: BreakAt,
    /// It is one only where this expression is true. What cannot be told is not true.
    pub condition: Option<String>,
    /// Of the times that control came to it, since the start of the thread.
    pub hits: Option<HitCount>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum BreakAt {
    Line {
        file: String,
        line: u32,
    },
    /// A function is called.
    Call {
        function: String,
    },
    /// Something is thrown, whether it is caught or not.
    Throw,
    /// What ended the thread.
    Failure,
    /// A place is changed: the one that has this name where it is seen from.
    Change {
        place: String,
        seen_from: Where,
    },
}

/// Which of the times, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HitCount {
    Is(u64),
    Above(u64),
    Below(u64),
    Every(u64),
}

/// Where control stops.
#[derive(Clone, Debug)]
pub struct StopAnswer {
    /// Nothing: it comes to none in that direction.
    pub point: Option<Point>,
    /// Which breakpoints it stops at there, from 0.
    pub breakpoints: Vec<usize>,
    /// It is where the thread failed; that is behind the event of the point.
    pub is_failure: bool,
    /// What changes there, where a change is stopped at.
    pub change: Option<ChangedPlace>,
    /// Where the other threads stand then, if control went on in all: as far as that is known.
    pub others: Vec<(usize, PointText)>,
}

impl StopAnswer {
    fn nowhere() -> StopAnswer {
        StopAnswer { point: None, breakpoints: Vec::new(), is_failure: false, change: None, others: Vec::new() }
    }
}

/// What a place held before a change, and what it holds then; nothing: it was not there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangedPlace {
    pub old: Option<Value>,
    pub new: Option<Value>,
}

/// A time that control came to a breakpoint.
#[derive(Clone, Debug)]
pub struct HitShown {
    pub point: Point,
    /// What the expressions were then, or why that cannot be told.
    pub values: Vec<Result<Value, String>>,
}

impl HitCount {
    pub fn holds(self, hit: u64) -> bool {
        match self {
            HitCount::Is(wanted) => hit == wanted,
            HitCount::Above(least) => hit > least,
            HitCount::Below(most) => hit < most,
            HitCount::Every(nth) => hit.is_multiple_of(nth),
        }
    }
}

/// `3`, `= 3`, `> 3`, `>= 3`, `< 3`, `<= 3`, `% 3`
impl FromStr for HitCount {
    type Err = String;

    fn from_str(text: &str) -> Result<HitCount, String> {
        let wrong = || format!("`{text}` is no number of hits; it is written 3, > 3, >= 3, < 3, <= 3 or % 3");
        let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
        let number: u64 = digits.trim().parse().map_err(|_| wrong())?;
        Ok(match text[..text.len() - digits.len()].trim() {
            "" | "=" | "==" | "===" => HitCount::Is(number),
            ">" => HitCount::Above(number),
            ">=" => HitCount::Above(number.checked_sub(1).ok_or_else(wrong)?),
            "<" => HitCount::Below(number),
            "<=" => HitCount::Below(number.saturating_add(1)),
            "%" if number > 0 => HitCount::Every(number),
            _ => return Err(wrong()),
        })
    }
}

const LIST: &str = "hits";

impl Session {
    /// The nearest breakpoint in a direction: in the thread of the point, or in all.
    pub(crate) fn stop(&self, from: &Where, request: &StopRequest) -> Result<(StopAnswer, Vec<String>), Error> {
        let here = self.moment(from)?;
        // From the failure itself on: what led to it has been executed.
        let bound = match request.is_back {
            true => here.at.scene.before,
            false if here.at.scene.before > here.at.step.id => here.at.scene.before,
            false => EventId(here.at.step.id.0 + 1),
        };
        if !request.in_all_threads || self.n_threads() == 1 {
            let stop = self.stop_in(&here, bound, request);
            return Ok((stop.map_or_else(StopAnswer::nowhere, |(_, answer)| answer), here.notes()));
        }
        let clock = Clock::of(self);
        // Control goes on behind the event that is next, and back from it.
        let time = match request.is_back {
            // The end of a thread is the end of the run.
            true if bound >= here.trace.thread.end() => Some((u64::MAX, here.number, bound)),
            true => clock.time(here.number, bound),
            false => clock.time(here.number, EventId(bound.0.saturating_sub(1))),
        };
        let mut stops = Vec::new();
        let mut notes = here.notes();
        for (number, thread) in self.threads(None)? {
            let (moment, bound) = match (number == here.number, time) {
                (true, _) => (None, bound),
                (false, Some(time)) => {
                    let Some(bound) = clock.first_from(number, time) else { continue };
                    let event = PointText::Event(bound.0.min(thread.end().0.saturating_sub(1)));
                    let at = |point: &PointText| self.moment_at(Some(point), Some(&number.to_string()));
                    // Before its first frame a thread has no moment; where it stands makes no difference to what lies ahead.
                    let Ok(moment) = at(&event).or_else(|_| at(&PointText::End)) else { continue };
                    (Some(moment), bound)
                }
                // Without times nobody knows what another thread had done by then.
                (false, None) => continue,
            };
            let moment = moment.as_ref().unwrap_or(&here);
            if let Some((at, answer)) = self.stop_in(moment, bound, request) {
                stops.push((clock.time(number, at), answer));
            }
            add_notes(&mut notes, moment.notes());
        }
        let nearest = match request.is_back {
            true => stops.into_iter().max_by_key(|(time, _)| *time),
            false => stops.into_iter().min_by_key(|(time, _)| *time),
        };
        let Some((time, mut answer)) = nearest else { return Ok((StopAnswer::nowhere(), notes)) };
        answer.others = self.others_at(&clock, time, answer.point.as_ref().map(|point| point.thread));
        Ok((answer, notes))
    }

    /// Where the threads stand at a time, but for the one that it is the time of.
    fn others_at(&self, clock: &Clock, time: Option<InTime>, of: Option<usize>) -> Vec<(usize, PointText)> {
        let Some(time) = time else { return Vec::new() };
        let threads = (1..).zip(self.run().threads()).filter(|(number, _)| Some(*number) != of);
        threads
            .filter_map(|(number, thread)| match clock.first_from(number, time)? {
                event if event < thread.end() => Some((number, PointText::Event(event.0))),
                _ => Some((number, PointText::End)),
            })
            .collect()
    }

    /// The nearest breakpoint in the thread of a moment, seen from an event, and at which event that is.
    fn stop_in(&self, here: &Moment, bound: EventId, request: &StopRequest) -> Option<(EventId, StopAnswer)> {
        let is_back = request.is_back;
        let mut nearest: Option<(EventId, Hit)> = None;
        let mut breakpoints = Vec::new();
        for (number, breakpoint) in request.at.iter().enumerate() {
            // Another thread may have what this one has not.
            let Ok(armed) = Armed::new(self, here, breakpoint) else { continue };
            let Some(hit) = armed.nearest(armed.bound(bound, is_back), is_back) else { continue };
            let hit = armed.shown(hit);
            let at = hit.at();
            let is_nearer = nearest.as_ref().is_none_or(|(other, _)| if is_back { at > *other } else { at < *other });
            if is_nearer {
                breakpoints.clear();
            }
            if is_nearer || nearest.as_ref().is_some_and(|(other, _)| *other == at) {
                breakpoints.push(number);
            }
            if is_nearer {
                nearest = Some((at, hit));
            }
        }
        let (at, hit) = nearest?;
        let is_failure = matches!(hit, Hit::Failure { .. });
        let change = match &hit {
            Hit::Changed(change) => Some(ChangedPlace {
                old: here.option_value(&change.old, change.step.id),
                new: here.option_value(&change.new, here.settled(&change.step)),
            }),
            _ => None,
        };
        let point = Some(hit.point(here));
        Some((at, StopAnswer { point, breakpoints, is_failure, change, others: Vec::new() }))
    }

    /// Every time that control came to a breakpoint, in the thread of the point.
    pub(crate) fn hits(
        &self,
        from: &Where,
        of: &Breakpoint,
        values: &[String],
        page: &PageRequest,
    ) -> Result<(Page<HitShown>, Vec<String>), Error> {
        let here = self.moment(from)?;
        let armed = Armed::new(self, &here, of)?;
        let first = here.trace.thread.first_event();
        let mut bound = match page.numbers(LIST)? {
            Some([thread, event]) if thread == here.number as u64 => EventId(event),
            Some(_) => return Err(page.refused()),
            None => first,
        };
        let mut items = Vec::new();
        let mut next = None;
        while let Some(hit) = armed.nearest(bound, false) {
            if items.len() >= page.limit() {
                next = Some(Cursor::at(LIST, [here.number as u64, hit.at().0]));
                break;
            }
            bound = EventId(hit.at().0 + 1);
            let hit = armed.shown(hit);
            let values = values.iter().map(|text| self.value_at(&here, &hit, text)).collect();
            items.push(HitShown { point: hit.point(&here), values });
        }
        let n_all = armed.sites().filter(|_| of.condition.is_none() && of.hits.is_none());
        let n_all = n_all.map(|sites| here.trace.count(&Target::Sites(sites), first..here.trace.thread.end()));
        Ok((Page { items, next, n_all }, here.notes()))
    }

    fn value_at(&self, here: &Moment, hit: &Hit, text: &str) -> Result<Value, String> {
        let moment = self.moment_of_hit(here, hit).ok_or_else(|| Error::NothingRecorded.to_string())?;
        moment.eval(Some(text)).map_err(|error| error.to_string())
    }

    pub(super) fn moment_of_hit<'r>(&'r self, here: &Moment, hit: &Hit) -> Option<Moment<'r>> {
        let thread = self.run().threads().get(here.number - 1)?;
        match hit {
            Hit::Step(step) => self.moment_of_step(here.number, self.trace(thread), step.clone()),
            Hit::Changed(change) => self.moment_of_step(here.number, self.trace(thread), change.step.clone()),
            Hit::Thrown(point) => {
                let step = thread.step(EventId(point.event))?;
                self.moment_of_step(here.number, self.trace(thread), step)
            }
            Hit::Failure { .. } => self.moment_at(Some(&PointText::Crash), Some(&here.number.to_string())).ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_hits() {
        let which = |text: &str| -> Vec<u64> {
            let count: HitCount = text.parse().unwrap();
            (1..=6).filter(|hit| count.holds(*hit)).collect()
        };
        assert_eq!(which("3"), [3]);
        assert_eq!(which("== 3"), [3]);
        assert_eq!(which(">4"), [5, 6]);
        assert_eq!(which(">= 4"), [4, 5, 6]);
        assert_eq!(which("< 2"), [1]);
        assert_eq!(which("<=2"), [1, 2]);
        assert_eq!(which("% 3"), [3, 6]);
        assert_eq!(which(&format!("<= {}", u64::MAX)).len(), 6);
        for wrong in ["", "x", "> x", "!3", ">= 0", "3x", "% 0"] {
            assert!(wrong.parse::<HitCount>().is_err(), "{wrong}");
        }
    }
}
