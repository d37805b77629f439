//! A breakpoint in a thread: the times that control came to it.

use std::cell::{Cell, RefCell};

use query::{Change, Place, newest_changes, next_change};
use trace_model::{EventId, SiteId, SiteKind};
use trace_store::{Step, Target};

use super::breakpoints::{BreakAt, Breakpoint, HitCount};
use super::{FindRequest, Moment, Point, PointText, Session};
use crate::Error;
use crate::page::PageRequest;

/// A time that control came to a breakpoint.
#[derive(Clone)]
pub(super) enum Hit {
    Step(Step),
    Changed(Box<Change>),
    /// Where the engine or a built-in threw, no event tells of it.
    Thrown(Point),
    Failure {
        before: EventId,
        point: Point,
    },
}

impl Hit {
    pub fn at(&self) -> EventId {
        match self {
            Hit::Step(step) => step.id,
            Hit::Changed(change) => change.step.id,
            Hit::Thrown(point) => EventId(point.event),
            Hit::Failure { before, .. } => *before,
        }
    }

    pub fn point(self, moment: &Moment) -> Point {
        match self {
            Hit::Step(step) => moment.point(&step),
            Hit::Changed(change) => moment.point(&change.step),
            Hit::Thrown(point) | Hit::Failure { point, .. } => point,
        }
    }
}

/// A breakpoint in a thread.
pub(super) struct Armed<'a, 'r> {
    session: &'a Session,
    moment: &'a Moment<'r>,
    at: ArmedAt,
    condition: Option<&'a str>,
    hits: Option<HitCount>,
    /// Where the times are counted one by one, each of them.
    counted: RefCell<Option<Vec<EventId>>>,
    /// It was said that its condition could not be told somewhere.
    has_doubt: Cell<bool>,
}

enum ArmedAt {
    /// Ascending.
    Sites(Vec<SiteId>),
    /// Where functions are entered, ascending. Control stops where the call has its arguments, which is a little later.
    Calls(Vec<SiteId>),
    Place(Place),
    Throw,
    Failure,
}

impl<'a, 'r> Armed<'a, 'r> {
    pub fn new(
        session: &'a Session,
        moment: &'a Moment<'r>,
        breakpoint: &'a Breakpoint,
    ) -> Result<Armed<'a, 'r>, Error> {
        let trace = &moment.trace;
        let at = match &breakpoint.at {
            BreakAt::Line { file, line } => {
                let sites = trace.anchors(&moment.file_meant(file), *line);
                ArmedAt::Sites(sites.map_err(|error| Error::from(error).named(file))?)
            }
            BreakAt::Call { function } => {
                let mut sites = Vec::new();
                for (unit, function) in moment.functions(Some(function), None)? {
                    sites.extend(trace.sites_of_function(unit, function, |kind| kind == SiteKind::Enter));
                }
                sites.sort_unstable();
                ArmedAt::Calls(sites)
            }
            BreakAt::Throw => ArmedAt::Throw,
            BreakAt::Failure => ArmedAt::Failure,
            BreakAt::Change { place, seen_from } => {
                let seen = session.moment(seen_from)?;
                if seen.number != moment.number {
                    return Err(Error::Usage(format!("{place} is a place of another thread")));
                }
                ArmedAt::Place(seen.place(Some(place))?.0)
            }
        };
        let condition = breakpoint.condition.as_deref();
        Ok(Armed {
            session,
            moment,
            at,
            condition,
            hits: breakpoint.hits,
            counted: RefCell::default(),
            has_doubt: Cell::default(),
        })
    }

    /// The sites of its times, where each event of them is one.
    pub fn sites(&self) -> Option<&[SiteId]> {
        match &self.at {
            ArmedAt::Sites(sites) | ArmedAt::Calls(sites) => Some(sites),
            _ => None,
        }
    }

    /// From where on it is looked for: a call at whose start control stands is not one that lies behind.
    pub fn bound(&self, bound: EventId, is_back: bool) -> EventId {
        let ArmedAt::Calls(sites) = &self.at else { return bound };
        let entered = self.moment.trace.last(&Target::Sites(sites), bound).filter(|_| is_back);
        entered.filter(|entered| self.with_arguments(entered).id >= bound).map_or(bound, |entered| entered.id)
    }

    /// A time as a person sees it.
    pub fn shown(&self, hit: Hit) -> Hit {
        match (&self.at, hit) {
            (ArmedAt::Calls(_), Hit::Step(entered)) => Hit::Step(self.with_arguments(&entered)),
            (_, hit) => hit,
        }
    }

    /// The first event of a call at which it has its arguments.
    fn with_arguments(&self, entered: &Step) -> Step {
        let trace = &self.moment.trace;
        let is_of_start = |step: &Step| match step.site() {
            Some(_) => matches!(trace.kind(step), Some(SiteKind::Param | SiteKind::This | SiteKind::Arguments)),
            None => true,
        };
        let mut behind = trace.thread.steps_from(EventId(entered.id.0 + 1));
        behind.find(|step| !is_of_start(step)).unwrap_or_else(|| entered.clone())
    }

    /// The first time from an event on, or the last one before it.
    pub fn nearest(&self, bound: EventId, is_back: bool) -> Option<Hit> {
        match (self.hits, self.sites()) {
            (None, _) => self.nearest_where_true(bound, is_back),
            (Some(count), Some(sites)) if self.condition.is_none() => {
                self.nearest_by_number(count, sites, bound, is_back)
            }
            (Some(count), _) => self.nearest_counted(count, bound, is_back),
        }
    }

    fn nearest_where_true(&self, mut bound: EventId, is_back: bool) -> Option<Hit> {
        loop {
            let hit = self.candidate(bound, is_back)?;
            if self.is_true_at(&hit) {
                return Some(hit);
            }
            bound = if is_back { hit.at() } else { EventId(hit.at().0 + 1) };
        }
    }

    /// The index counts the events of sites, so none has to be looked at.
    fn nearest_by_number(&self, count: HitCount, sites: &[SiteId], bound: EventId, is_back: bool) -> Option<Hit> {
        let trace = &self.moment.trace;
        let target = Target::Sites(sites);
        let n_before = trace.count(&target, trace.thread.first_event()..bound);
        let wanted = match is_back {
            true => (1..=n_before).rev().find(|hit| count.holds(*hit)),
            false => {
                let n_all = trace.count(&target, trace.thread.first_event()..trace.thread.end());
                (n_before + 1..=n_all).find(|hit| count.holds(*hit))
            }
        };
        trace.nth(&target, wanted? - 1).map(Hit::Step)
    }

    fn nearest_counted(&self, count: HitCount, bound: EventId, is_back: bool) -> Option<Hit> {
        let mut counted = self.counted.borrow_mut();
        let all = counted.get_or_insert_with(|| {
            let mut all = Vec::new();
            let mut from = self.moment.trace.thread.first_event();
            while let Some(hit) = self.nearest_where_true(from, false) {
                from = EventId(hit.at().0 + 1);
                all.push(hit.at());
            }
            all
        });
        let mut numbered = (1u64..).zip(all.iter().copied()).filter(|(number, _)| count.holds(*number));
        let wanted = match is_back {
            true => numbered.take_while(|(_, at)| *at < bound).last(),
            false => numbered.find(|(_, at)| *at >= bound),
        };
        self.candidate(wanted?.1, false)
    }

    fn is_true_at(&self, hit: &Hit) -> bool {
        let Some(condition) = self.condition else { return true };
        let Some(moment) = self.session.moment_of_hit(self.moment, &self.shown(hit.clone())) else { return false };
        match moment.datum(Some(condition)) {
            Ok(value) => moment.trace.truth_of(&value) == Some(true),
            Err(error) => {
                if self.has_doubt.replace(true) {
                    return false;
                }
                self.moment.note(format!("where a breakpoint is tried, {condition} cannot be told: {error}"));
                false
            }
        }
    }

    fn candidate(&self, bound: EventId, is_back: bool) -> Option<Hit> {
        let trace = &self.moment.trace;
        match &self.at {
            ArmedAt::Sites(sites) | ArmedAt::Calls(sites) => match is_back {
                true => trace.last(&Target::Sites(sites), bound).map(Hit::Step),
                false => trace.next(&Target::Sites(sites), bound).map(Hit::Step),
            },
            ArmedAt::Place(place) if is_back => {
                newest_changes(trace, place, bound, 1).0.pop().map(|change| Hit::Changed(change.into()))
            }
            ArmedAt::Place(place) => next_change(trace, place, bound).map(|change| Hit::Changed(change.into())),
            ArmedAt::Throw => self.thrown(bound, is_back),
            ArmedAt::Failure => self.failure(bound, is_back),
        }
    }

    fn thrown(&self, bound: EventId, is_back: bool) -> Option<Hit> {
        let thrown = FindRequest { kind: Some("throw".into()), ..FindRequest::default() };
        let request = match is_back {
            true if bound >= self.moment.trace.thread.end() => FindRequest { index: Some(-1), ..thrown },
            true => FindRequest { index: Some(-1), before: Some(PointText::Event(bound.0)), ..thrown },
            false => {
                let after = bound.0.checked_sub(1).filter(|after| *after >= self.moment.trace.thread.first_event().0);
                FindRequest { after: after.map(PointText::Event), page: PageRequest::first(NESTED_HANDLERS), ..thrown }
            }
        };
        let found = self.moment.find(&request, self.session).ok()?;
        // A handler tells of what was thrown before it.
        let point = found.items.into_iter().map(|found| found.point).find(|point| is_back || point.event >= bound.0);
        let failure = self.failure(bound, is_back).filter(|_| self.failed_without_throw());
        let point = point.map(Hit::Thrown);
        match (point, failure) {
            (Some(point), Some(failure)) if is_back == (point.at() > failure.at()) => Some(point),
            (point, failure) => failure.or(point),
        }
    }

    /// Whether the engine threw what ended the thread.
    fn failed_without_throw(&self) -> bool {
        let crash = self.session.moment_at(Some(&PointText::Crash), Some(&self.moment.number.to_string()));
        crash.is_ok_and(|crash| crash.trace.kind(&crash.at.step) != Some(SiteKind::Throw))
    }

    fn failure(&self, bound: EventId, is_back: bool) -> Option<Hit> {
        let crash = self.session.moment_at(Some(&PointText::Crash), Some(&self.moment.number.to_string())).ok()?;
        let before = crash.at.scene.before;
        let is_there = self.moment.at.shown.is_some() && self.moment.at.scene.before == before;
        let lies_there = if is_back { before < bound } else { before >= bound };
        (lies_there && !is_there).then(|| Hit::Failure { before, point: crash.here() })
    }
}

/// So many handlers can be behind a moment for what was thrown before it.
const NESTED_HANDLERS: usize = 8;
