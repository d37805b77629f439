//! A piece of code is told once, for the time that was met first. What explains another time of it, in another call or iteration, would
//! seem to explain that one if it hung on it: so it hangs on a hop of its own, which says what time it is. Such a hop takes no place of
//! those where a mistake can be, and is shown only where something that is told hangs on it.

use std::collections::{BTreeMap, HashMap};

use trace_model::{EventId, FrameId, SiteId};
use trace_store::{Step, Target};

use super::{Because, Hop, HopKind, Reason, Search, StandsOut};
use crate::Trace;
use crate::last_condition::{LastCondition, last_condition};

/// A time that a piece of code was executed, beside the one that it is told for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OtherTime {
    EarlierIteration,
    LaterIteration,
    EarlierCall,
    LaterCall,
    /// A call that was made by the told one, directly or not.
    InnerCall,
    OuterCall,
}

impl OtherTime {
    pub fn name(self) -> &'static str {
        match self {
            OtherTime::EarlierIteration => "earlier-iteration",
            OtherTime::LaterIteration => "later-iteration",
            OtherTime::EarlierCall => "earlier-call",
            OtherTime::LaterCall => "later-call",
            OtherTime::InnerCall => "inner-call",
            OtherTime::OuterCall => "outer-call",
        }
    }
}

/// A piece of code by where it begins, and of the whole graph the call of its function: each tells its own.
type Piece = (SiteId, (u32, u32), Option<FrameId>);

/// The times of pieces of code that were met.
#[derive(Default)]
pub(super) struct Times {
    pieces: HashMap<Piece, TimesOfPiece>,
    /// Of each hop of another time, the one that tells its piece of code.
    others: HashMap<usize, usize>,
}

struct TimesOfPiece {
    told: usize,
    /// The hop of each time, by its frame and event.
    hops: BTreeMap<(Option<FrameId>, EventId), usize>,
}

impl Search<'_, '_> {
    /// Notes a hop. Of a piece of code that was told before, that hop stands; another time of it gets one of its own. Gives the hop to
    /// hang further questions on.
    pub(super) fn tell(&mut self, hop: Hop) -> Option<usize> {
        if !self.is_cause(&hop) {
            return None;
        }
        let frame = hop.step.frame.filter(|_| self.limits.all_rounds);
        let piece = (hop.at.unit, self.trace.position_of(self.trace.told_with(hop.at)), frame);
        let time = (hop.step.frame, hop.step.id);
        let Some(times) = self.times.pieces.get(&piece) else {
            let number = self.tell_first(hop);
            self.times.pieces.insert(piece, TimesOfPiece { told: number, hops: BTreeMap::from([(time, number)]) });
            return Some(number);
        };
        if let Some(known) = self.of_same_time(times, &hop.step) {
            self.tell_with(known, hop);
            return Some(known);
        }
        let number = self.tell_other_time(times.told, hop);
        self.times.pieces.get_mut(&piece)?.hops.insert(time, number);
        Some(number)
    }

    /// Notes that what a hop tells happened at another time, too.
    pub(super) fn tell_other_time(&mut self, told: usize, hop: Hop) -> usize {
        let number = self.hops.len();
        self.times.others.insert(number, told);
        self.push(hop);
        number
    }

    pub(super) fn is_other_time(&self, number: usize) -> bool {
        self.times.others.contains_key(&number)
    }

    /// The hop that tells the piece of code which a hop explains.
    pub(super) fn explained(&self, number: usize) -> Option<usize> {
        Some(self.told_for(self.hops[number].parent?))
    }

    /// The hop that tells the piece of code of a hop.
    fn told_for(&self, number: usize) -> usize {
        self.times.others.get(&number).copied().unwrap_or(number)
    }

    /// Shows the other times that something told hangs on, and says which they are. What leads on through several of them hangs on the
    /// last one.
    pub(super) fn put_in_times(&mut self) {
        self.let_control_pass_iterations();
        let leads_on = self.leading_on();
        for number in 0..self.hops.len() {
            let told = self.told_for(number);
            if told == number {
                continue;
            }
            if !leads_on[number] || !self.is_counted(told) {
                self.hidden.insert(number);
            } else if self.is_any_time(told) && !leads_on[told] {
                self.times.others.values_mut().filter(|known| **known == told).for_each(|known| *known = number);
                self.times.others.remove(&number);
                self.hidden.insert(told);
            } else {
                self.hops[number].other_time = self.trace.other_time(&self.hops[told].step, &self.hops[number].step);
            }
        }
        self.put_minor_in_times();
    }

    /// What let control come to one iteration of a loop let it come to the next as well.
    fn let_control_pass_iterations(&mut self) {
        use HopKind::{Call, NoReceiver, Registration, Resume};
        for number in 1..self.hops.len() {
            let is_control = matches!(self.hops[number].kind, Call | NoReceiver | Registration | Resume);
            while let Some(time) = self.hops[number].parent.filter(|time| is_control && self.is_other_time(*time)) {
                if self.hops[time].step.frame != self.hops[self.told_for(time)].step.frame {
                    break;
                }
                self.hops[number].parent = self.hops[time].parent;
            }
        }
    }

    /// Which hops something told hangs on, though not by another time that is shown between them.
    fn leading_on(&self) -> Vec<bool> {
        let mut leads_on = vec![false; self.hops.len()];
        for number in (0..self.hops.len()).rev() {
            let is_shown = self.is_other_time(number) && self.is_counted(self.told_for(number));
            if let Some(parent) = self.hops[number].parent.filter(|_| leads_on[number] || self.is_counted(number)) {
                // A hop is explained by another time as well; a time that leads to another one is not shown for that.
                leads_on[parent] |= !is_shown || !self.is_other_time(parent);
            }
        }
        leads_on
    }

    /// Whether a hop is told for one of many times only because it was the last: another one that leads on tells as much.
    fn is_any_time(&self, number: usize) -> bool {
        self.hops[number].rounds.as_ref().is_some_and(|rounds| rounds.stands_out == StandsOut::Last)
    }

    /// What is told inside of a time that is not shown: what it began with goes to the hop that tells its code, the rest with the time.
    fn put_minor_in_times(&mut self) {
        for number in 1..self.hops.len() {
            let Some(time) = self.hops[number].parent.filter(|time| self.hidden.contains(time)) else { continue };
            let told = self.told_for(time);
            if told == time || !self.minor.contains(&number) {
                continue;
            }
            match self.begins(&self.hops[number], &self.hops[told]) {
                true => self.hops[number].parent = Some(told),
                false => _ = self.hidden.insert(number),
            }
        }
    }

    fn tell_first(&mut self, hop: Hop) -> usize {
        let number = self.hops.len();
        self.hide_library(number, &hop);
        if self.is_minor(&hop) {
            self.minor.insert(number);
        }
        self.push(hop);
        number
    }

    fn push(&mut self, mut hop: Hop) {
        hop.is_beside = self.first_decision.is_some() && hop.parent == Some(0);
        self.hops.push(hop);
        self.is_guest = false;
    }

    /// Of what happened at the time of a known hop, both are told as one.
    fn tell_with(&mut self, known: usize, hop: Hop) {
        // What a branch decided says more than the branch.
        if self.hops[known].parent.is_some() && self.decides(&self.hops[known], &hop) {
            self.hops[known].now_tells(hop);
            self.minor.remove(&known);
            self.is_guest = false;
            return;
        }
        let is_reason = self.hops[known].because.is_none() && self.decides(&hop, &self.hops[known]);
        let told = &mut self.hops[known];
        self.is_guest = told.step.id != hop.step.id;
        if is_reason {
            self.minor.remove(&known);
            let (step, at, subject, value) = (hop.step, hop.at, hop.subject, hop.value);
            told.because = Some(Because { reason: Reason::Condition, step, at, subject, value });
        }
    }

    /// Whether a hop is the branch that let another one happen.
    fn decides(&self, branch: &Hop, told: &Hop) -> bool {
        // What a loop goes on with is not decided by what it went on with before.
        let is_other = branch.step.site() != told.step.site();
        let is_one = is_other && branch.kind == HopKind::Condition && told.kind != HopKind::Condition;
        is_one
            && matches!(last_condition(self.trace, &told.step), LastCondition::Condition { step, .. } if step.id == branch.step.id)
    }

    fn of_same_time(&self, times: &TimesOfPiece, step: &Step) -> Option<usize> {
        let time = (step.frame, step.id);
        let before = times.hops.range(..=time).next_back();
        let behind = times.hops.range(time..).next();
        let near = before.into_iter().chain(behind).map(|(_, number)| *number);
        near.into_iter().find(|number| self.trace.is_same_time(&self.hops[*number].step, step))
    }
}

impl Trace<'_> {
    /// Whether two events of a piece of code belong to one time that it was executed: the later one is of code behind that of the
    /// earlier one, and neither code was executed again in between.
    fn is_same_time(&self, one: &Step, other: &Step) -> bool {
        let (earlier, later) = if one.id <= other.id { (one, other) } else { (other, one) };
        let (Some(earlier), Some(later)) = (self.anchor(earlier), self.anchor(later)) else { return false };
        if earlier.id == later.id {
            return true;
        }
        let (Some(frame), Some(first), Some(second)) = (earlier.frame, earlier.site(), later.site()) else {
            return false;
        };
        let Some(code) = self.code(first).filter(|_| later.frame == Some(frame)) else { return false };
        if !code.unit.record.holds(second) || code.site_facts(first).order >= code.site_facts(second).order {
            return false;
        }
        let again = Target::SitesInFrame(frame, &[first, second]);
        self.next(&again, EventId(earlier.id.0 + 1)).is_some_and(|next| next.id == later.id)
    }

    /// Nothing where a piece of code lies in two functions, a call and the start of a callback: neither is another call of the other.
    fn other_time(&self, told: &Step, other: &Step) -> Option<OtherTime> {
        let is_earlier = other.id < told.id;
        let time = match (told.frame, other.frame) {
            (Some(told), Some(other)) if told != other => {
                let function = |frame: FrameId| self.frame(frame).map(|frame| (frame.unit, frame.function));
                if function(told) != function(other) {
                    return None;
                }
                if self.is_called_from(other, told) {
                    OtherTime::InnerCall
                } else if self.is_called_from(told, other) {
                    OtherTime::OuterCall
                } else if is_earlier {
                    OtherTime::EarlierCall
                } else {
                    OtherTime::LaterCall
                }
            }
            _ if is_earlier => OtherTime::EarlierIteration,
            _ => OtherTime::LaterIteration,
        };
        Some(time)
    }

    /// Whether the call of a frame was made in another one, or in what that one called.
    fn is_called_from(&self, frame: FrameId, other: FrameId) -> bool {
        let caller = |frame: &FrameId| self.caller_of(&self.frame(*frame)?);
        std::iter::successors(caller(&frame), caller).take(MOST_FRAMES).any(|caller| caller == other)
    }
}

const MOST_FRAMES: usize = 1000;
