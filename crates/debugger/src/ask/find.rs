//! A trace query: events of a kind that meet conditions, in order, and one of them by its index from either end.

use std::collections::{HashMap, HashSet};

use query::{Datum, history};
use trace_model::{Event, EventId, FrameId, LocalSite, ObjectId, Record, SiteId, SiteKind, StringId, Tail, Value};
use trace_store::{EventView, RecordView, ScannedBlock, SiteRef, Step, TailView, Target, Thread};

use super::condition::ValueCondition;
use super::session::add_notes;
use super::{Moment, Point, PointText, Session};
use crate::event_line::{EventLine, kind_name};
use crate::page::{Cursor, Page, PageRequest};
use crate::{Error, Where};

/// Which events.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FindRequest {
    /// `write`, `call`, `throw`, …, or a kind as `events` prints it; any if nothing is said.
    pub kind: Option<String>,
    /// Writes of exactly this place, seen from the point.
    pub place: Option<String>,
    /// Of variables, properties and parameters of this name, whatever they belong to.
    pub name: Option<String>,
    /// In functions of this name; of calls, the called function.
    pub function: Option<String>,
    pub file: Option<String>,
    pub line: Option<u32>,
    /// `> 3`, `undefined`, `!== "abc"`, `~ abc`.
    pub value: Option<String>,
    pub before: Option<PointText>,
    pub after: Option<PointText>,
    /// The event is about the object that this place holds at the point.
    pub same_as: Option<String>,
    /// A function of this name is on the stack, below the event's own.
    pub in_caller: Option<String>,
    /// What was written to the output, in part.
    pub output: Option<String>,
    /// From 0, or from the end: -1 is the last.
    pub index: Option<i64>,
    pub page: PageRequest,
}

/// An event that was found. The oldest are shown first.
#[derive(Clone, Debug)]
pub struct FoundEvent {
    pub kind: &'static str,
    pub point: Point,
    /// What happened, as the source would write it.
    pub text: String,
    pub value: Option<crate::Value>,
}

impl Session {
    /// The events that meet the conditions: of the thread that has the point, or of all, one thread after another. With what is
    /// to be said beside it.
    pub(crate) fn find(&self, from: &Where, request: &FindRequest) -> Result<(Page<FoundEvent>, Vec<String>), Error> {
        if from.at.is_some() || from.thread.is_some() || self.run().threads().len() == 1 {
            let moment = self.moment(from)?;
            let answer = moment.find(request, self)?;
            return Ok((answer, moment.notes()));
        }
        let backwards = request.index.is_some_and(|index| index < 0);
        let begin = request.page.numbers(LIST)?;
        let mut all = Page { items: Vec::new(), next: None, n_all: None };
        let (mut notes, mut refused) = (None, None);
        // How many are to be passed over yet, of one that is wanted by its index.
        let mut n_before = request.index.map(|index| if backwards { -1 - index } else { index });
        for number in self.threads_of(request, backwards) {
            let from = match begin {
                Some([thread, _]) if (number as u64) < thread => continue,
                Some([thread, event]) if number as u64 == thread => Some(EventId(event)),
                _ => None,
            };
            let Ok(moment) = self.moment_at(Some(&PointText::End), Some(&number.to_string())) else { continue };
            let query = match FindQuery::new(&moment, request, self) {
                Ok(query) => query.from(from),
                // What one thread has not, another may have.
                Err(error) => {
                    refused = refused.or(Some(error));
                    continue;
                }
            };
            let skip = n_before.unwrap_or(0) as usize;
            let limit = if n_before.is_some() { 1 } else { request.page.limit() - all.items.len() };
            let (steps, next) = query.take(0, skip.saturating_add(limit), backwards);
            n_before = n_before.map(|n_before| n_before - steps.len() as i64);
            let wanted: Vec<FoundEvent> = match (request.index, backwards) {
                (None, _) => steps.iter().map(|step| moment.found(step)).collect(),
                (Some(_), false) => steps.get(skip).map(|step| moment.found(step)).into_iter().collect(),
                (Some(_), true) => {
                    let from_end = steps.len().checked_sub(skip + 1).and_then(|at| steps.get(at));
                    from_end.map(|step| moment.found(step)).into_iter().collect()
                }
            };
            let is_done = request.index.is_some() && !wanted.is_empty();
            all.items.extend(wanted);
            all.next = next.filter(|_| request.index.is_none()).map(|next| cursor(number, next));
            add_notes(notes.get_or_insert_default(), moment.notes());
            if is_done || all.next.is_some() {
                break;
            }
        }
        match (notes, refused) {
            (Some(notes), _) => Ok((all, notes)),
            (None, Some(error)) => Err(error),
            (None, None) => Err(Error::NothingRecorded),
        }
    }

    /// The threads that a request may be about: an earlier answer that bounds it is of one thread.
    fn threads_of(&self, request: &FindRequest, backwards: bool) -> Vec<usize> {
        let of_answer = |point: &Option<PointText>| match point {
            Some(PointText::Answer(number)) => self.points().point(*number).ok()?.thread(),
            _ => None,
        };
        let only = of_answer(&request.before).or_else(|| of_answer(&request.after));
        let mut threads: Vec<usize> = match only {
            Some(thread) => vec![thread],
            None => (1..=self.run().threads().len()).collect(),
        };
        if backwards {
            threads.reverse();
        }
        threads
    }
}

impl Moment<'_> {
    pub(super) fn find(&self, request: &FindRequest, session: &Session) -> Result<Page<FoundEvent>, Error> {
        let from = match request.page.numbers(LIST)? {
            Some([thread, event]) if thread == self.number as u64 => Some(EventId(event)),
            Some(_) => return Err(request.page.refused()),
            None => None,
        };
        let query = FindQuery::new(self, request, session)?.from(from);
        // An index from the end is one from the start of the way back.
        let (skip, limit, backwards) = match request.index {
            Some(index) if index < 0 => (index.unsigned_abs() as usize - 1, 1, true),
            Some(index) => (index as usize, 1, false),
            None => (0, request.page.limit(), false),
        };
        let (steps, next) = query.take(skip, limit, backwards);
        let items = steps.iter().map(|step| if query.raises { self.thrown(step) } else { self.found(step) }).collect();
        let next = next.filter(|_| request.index.is_none()).map(|next| cursor(self.number, next));
        Ok(Page { items, next, n_all: None })
    }

    /// A `throw`; of what the engine or a built-in threw the handler tells.
    fn thrown(&self, step: &Step) -> FoundEvent {
        let found = self.found(step);
        match self.trace.raised(step).filter(|_| self.trace.kind(step) == Some(SiteKind::Catch)) {
            Some((thrown, at)) => {
                FoundEvent { kind: SiteKind::Throw.name(), point: self.point_at_source(&thrown.step, at, ""), ..found }
            }
            None => found,
        }
    }

    fn found(&self, step: &Step) -> FoundEvent {
        let after = self.settled(step);
        let datum = self.trace.written_value(step).or_else(|| self.trace.step_value(step));
        let line = EventLine::of_step(self.trace.thread, self.number, step, 0, &self.run.file().folder);
        FoundEvent {
            kind: kind_name(&step.event, self.trace.thread),
            point: self.point(step),
            text: line.text,
            value: self.option_value(&datum, after),
        }
    }
}

const LIST: &str = "find";

fn cursor(thread: usize, next: EventId) -> Cursor {
    Cursor::at(LIST, [thread as u64, next.0])
}

struct FindQuery<'q, 'r> {
    moment: &'q Moment<'r>,
    source: Source,
    after: EventId,
    before: EventId,
    value: Option<ValueCondition>,
    same_as: Option<ObjectId>,
    callers: Option<HashSet<(SiteId, trace_model::FunctionIndex)>>,
    /// Of a write with a computed key.
    name: Option<String>,
    output: Option<String>,
    /// What was thrown is asked for: a handler stands for what the engine or a built-in threw.
    raises: bool,
    request: FindRequest,
}

/// Where the events come from.
enum Source {
    /// Known already.
    Steps(Vec<Step>),
    /// Events of these sites (ascending), and of these kinds of records.
    Sites {
        sites: Vec<SiteId>,
        records: &'static [&'static str],
    },
    Output,
    Uncaught,
}

impl<'q, 'r> FindQuery<'q, 'r> {
    fn new(moment: &'q Moment<'r>, request: &FindRequest, session: &Session) -> Result<FindQuery<'q, 'r>, Error> {
        let trace = &moment.trace;
        let bound = |point: &Option<PointText>| match point {
            Some(point) => session.event_of(point, moment).map(Some),
            None => Ok(None),
        };
        let value = request.value.as_deref().map(|text| ValueCondition::parse(text, trace.language()));
        let same_as = match &request.same_as {
            Some(place) => Some(moment.datum(Some(place))?.object().ok_or_else(|| {
                Error::Usage(format!("{place} is not an object, so nothing can be about the same one"))
            })?),
            None => None,
        };
        let callers = match &request.in_caller {
            Some(name) => Some(moment.functions(Some(name), None)?.into_iter().collect()),
            None => None,
        };
        Ok(FindQuery {
            moment,
            source: source(moment, request)?,
            after: bound(&request.after)?.map_or(trace.thread.first_event(), |event| EventId(event.0 + 1)),
            before: bound(&request.before)?.unwrap_or(trace.thread.end()),
            value: value.transpose().map_err(Error::Usage)?,
            same_as,
            callers,
            name: request.name.clone(),
            output: request.output.clone(),
            raises: is_throw(request),
            request: request.clone(),
        })
    }

    /// Only from this event on.
    fn from(self, first: Option<EventId>) -> FindQuery<'q, 'r> {
        FindQuery { after: first.map_or(self.after, |first| first.max(self.after)), ..self }
    }

    /// So many behind so many, in order, and the one behind them, if there are more.
    fn take(&self, skip: usize, limit: usize, backwards: bool) -> (Vec<Step>, Option<EventId>) {
        let wanted = skip.saturating_add(limit).saturating_add(1);
        let mut steps = match &self.source {
            Source::Steps(steps) => {
                let in_order = steps.iter().filter(|step| (self.after..self.before).contains(&step.id));
                let mut steps: Vec<Step> = in_order.filter(|step| self.holds(step)).cloned().collect();
                if backwards {
                    steps.reverse();
                }
                steps
            }
            Source::Output => self.walk(&Target::Output, wanted, backwards),
            Source::Uncaught => self.walk(&Target::Uncaught, wanted, backwards),
            Source::Sites { sites, records } if records.is_empty() && self.is_cheap(sites, wanted) => {
                self.walk(&Target::Sites(sites), wanted, backwards)
            }
            Source::Sites { sites, records } => self.scan(sites, records, wanted, backwards),
        };
        let next = steps.get(skip.saturating_add(limit)).map(|step| step.id);
        steps = steps.into_iter().skip(skip).take(limit).collect();
        if backwards {
            steps.reverse();
        }
        (steps, next)
    }

    /// Going from one event to the next costs little for each, but something; a scan costs the same whatever it finds.
    fn is_cheap(&self, sites: &[SiteId], wanted: usize) -> bool {
        let trace = &self.moment.trace;
        let is_computed =
            |site: &SiteId| trace.site(*site).is_some_and(|site| site.site.kind.tail() == Tail::ObjectAndKey);
        let has_conditions = self.value.is_some()
            || self.same_as.is_some()
            || self.callers.is_some()
            || self.name.is_some() && sites.iter().any(is_computed);
        let n_events = || trace.count(&Target::Sites(sites), self.after..self.before);
        match has_conditions {
            true => n_events() <= MOST_WALKED,
            false => wanted as u64 <= MOST_WALKED,
        }
    }

    fn walk(&self, target: &Target, wanted: usize, backwards: bool) -> Vec<Step> {
        let thread = self.moment.trace.thread;
        let mut steps = Vec::new();
        let mut at = if backwards { self.before } else { self.after };
        while steps.len() < wanted {
            let step = if backwards { thread.last(target, at) } else { thread.next(target, at) };
            let Some(step) = step.filter(|step| (self.after..self.before).contains(&step.id)) else { break };
            at = if backwards { step.id } else { EventId(step.id.0 + 1) };
            if self.holds(&step) {
                steps.push(step);
            }
        }
        steps
    }

    /// All events on all cores; what an event tells by itself is decided there.
    fn scan(&self, sites: &[SiteId], records: &[&str], wanted: usize, backwards: bool) -> Vec<Step> {
        let thread = self.moment.trace.thread;
        let wants_effects = records.contains(&"Effect");
        let (after, before) = (self.after, self.before);
        let filter = EventFilter { thread, sites, condition: self.value.as_ref(), same_as: self.same_as };
        let look = |(found, strings): &mut (Vec<EventId>, KnownStrings), block: ScannedBlock| {
            let in_range = block.events().filter(|(id, _)| (after..before).contains(id));
            let wanted = in_range.filter(|(_, event)| match event {
                EventView::Record(RecordView::Effect { .. }) => wants_effects,
                event => filter.may_hold(event, strings),
            });
            found.extend(wanted.map(|(id, _)| id));
        };
        let n_threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        let found = thread.scan(n_threads, Default::default, look);
        let mut ids: Vec<EventId> = found.into_iter().flat_map(|(found, _)| found).collect();
        ids.sort_unstable();
        if backwards {
            ids.reverse();
        }
        let steps = ids.into_iter().filter_map(|id| thread.step(id));
        steps.filter(|step| self.holds(step)).take(wanted).collect()
    }

    fn holds(&self, step: &Step) -> bool {
        let trace = &self.moment.trace;
        let value = || trace.written_value(step).or_else(|| trace.step_value(step));
        self.is_of_name(step)
            && (!self.raises || self.is_raised_where_wanted(step))
            && self.value.as_ref().is_none_or(|condition| value().is_some_and(|value| condition.holds(&value)))
            && self.same_as.is_none_or(|object| self.is_about(step, object))
            && self
                .output
                .as_ref()
                .is_none_or(|part| output_text(step, trace).is_some_and(|text| text.contains(part.as_str())))
            && self.callers.as_ref().is_none_or(|callers| self.is_called_by(step, callers))
    }

    /// Where a handler caught something says nothing of where that was thrown.
    fn is_raised_where_wanted(&self, step: &Step) -> bool {
        let trace = &self.moment.trace;
        if trace.kind(step) != Some(SiteKind::Catch) {
            return true;
        }
        let Some((thrown, at)) = trace.raised(step) else { return false };
        let Some(site) = thrown.step.site().and_then(|site| trace.site(site)) else { return false };
        let place = trace.thread.code().unit(at.unit).and_then(|unit| unit.place(at.offset));
        let file = self.request.file.as_deref().map(|file| self.moment.file_meant(file));
        let is_in_file = file.is_none_or(|file| query::ends_with_path(site.path(), &file));
        let is_on_line = self.request.line.is_none_or(|line| place.is_some_and(|place| place.position.line == line));
        let is_in = self.request.function.as_deref().is_none_or(|name| site.name(site.function().name) == name);
        is_in_file && is_on_line && is_in && self.request.name.is_none()
    }

    /// A computed key is known only now.
    fn is_of_name(&self, step: &Step) -> bool {
        let (Some(name), Event::Site { tail, .. }) = (&self.name, &step.event) else { return true };
        match tail {
            trace_model::TailValues::ObjectAndKey(_, key) => match query::datum(*key, self.moment.trace.thread) {
                Datum::String(text) => *text == **name,
                key => self.moment.trace.text(&key) == *name,
            },
            _ => true,
        }
    }

    fn is_about(&self, step: &Step, object: ObjectId) -> bool {
        let trace = &self.moment.trace;
        let is_it = |datum: Option<Datum>| datum.and_then(|datum| datum.object()) == Some(object);
        trace.changed_object(step) == Some(object)
            || is_it(trace.step_value(step))
            || trace.kind(step) == Some(SiteKind::Enter)
                && is_it(step.frame.and_then(|frame| trace.this(frame)).map(|(this, _)| this))
    }

    fn is_called_by(&self, step: &Step, callers: &HashSet<(SiteId, trace_model::FunctionIndex)>) -> bool {
        let frame = |id: FrameId| self.moment.trace.frame(id);
        let own = step.frame.and_then(frame);
        let mut above = own.and_then(|own| own.caller).and_then(frame);
        while let Some(caller) = above {
            if callers.contains(&(caller.unit, caller.function)) {
                return true;
            }
            above = caller.caller.and_then(frame);
        }
        false
    }
}

/// Whether strings meet the condition.
type KnownStrings = HashMap<StringId, bool>;

/// What an event can tell by itself, without the state around it.
struct EventFilter<'q> {
    thread: &'q Thread,
    /// Ascending.
    sites: &'q [SiteId],
    condition: Option<&'q ValueCondition>,
    same_as: Option<ObjectId>,
}

impl EventFilter<'_> {
    fn may_hold(&self, event: &EventView, strings: &mut KnownStrings) -> bool {
        let EventView::Site { site, value, tail } = event else { return false };
        if self.sites.binary_search(site).is_err() {
            return false;
        }
        let mut is_string = |condition: &ValueCondition, id: StringId| {
            let holds = || self.thread.string(id).is_none_or(|text| condition.holds(&Datum::String(text)));
            *strings.entry(id).or_insert_with(holds)
        };
        let is_value = |condition: &ValueCondition| match value.value() {
            // A counter records what it was before.
            Some(Value::Number(number)) => {
                [0.0, 1.0, -1.0].iter().any(|by| condition.holds(&Datum::Number(number + by)))
            }
            Some(Value::Undefined) => condition.holds(&Datum::Undefined),
            Some(Value::Null) => condition.holds(&Datum::Null),
            Some(Value::Bool(truth)) => condition.holds(&Datum::Bool(truth)),
            Some(Value::Object(id) | Value::NewObject { id, .. }) => condition.holds(&Datum::Object(id)),
            Some(Value::String(id)) => is_string(condition, id),
            Some(_) | None => true,
        };
        let is_about = |object: ObjectId| match tail {
            // `this` of a call is another event.
            TailView::ParentScope(_) => true,
            TailView::Object(base) | TailView::ObjectAndKey(base, _) if *base == Some(object) => true,
            _ => value.object() == Some(object),
        };
        self.condition.is_none_or(is_value) && self.same_as.is_none_or(is_about)
    }
}

const MOST_WALKED: u64 = 10_000;

fn source(moment: &Moment, request: &FindRequest) -> Result<Source, Error> {
    if request.output.is_some() {
        return Ok(Source::Output);
    }
    if let Some(place) = &request.place {
        let (place, _) = moment.place(Some(place))?;
        let changes = history(&moment.trace, &place, moment.trace.thread.end());
        return Ok(Source::Steps(changes.into_iter().map(|change| change.step).collect()));
    }
    let kinds = Kinds::parse(request.kind.as_deref())?;
    match kinds.records {
        ["Output"] => return Ok(Source::Output),
        ["Uncaught"] => return Ok(Source::Uncaught),
        _ => {}
    }
    let mut sites = Vec::new();
    let mut has_line = false;
    let file = request.file.as_deref().map(|file| moment.file_meant(file));
    for unit in moment.trace.thread.code().units() {
        let Ok(code) = unit.code() else { continue };
        for (number, site) in (0..).zip(&code.sites.sites) {
            let site = SiteRef { id: unit.site(LocalSite(number)), site, unit, code };
            if matches!(site.site.kind, SiteKind::Function | SiteKind::Class) {
                continue;
            }
            if site.site.kind == SiteKind::Catch && is_throw(request) {
                sites.push(site.id);
                continue;
            }
            let is_in_file = file.as_deref().is_none_or(|file| query::ends_with_path(site.path(), file));
            let is_on_line = is_in_file
                && request.line.is_none_or(|line| site.position().is_some_and(|position| position.line == line));
            has_line |= is_on_line;
            if is_on_line && kinds.holds(site.site.kind) && is_wanted(&site, request) {
                sites.push(site.id);
            }
        }
    }
    if let (Some(file), Some(name), false) = (&file, &request.file, has_line) {
        // Says what is there instead.
        let line = moment.trace.line(file, request.line.unwrap_or(1), None);
        line.map_err(|error| Error::from(error).named(name))?;
    }
    if let Some(function) = &request.function {
        moment.functions(Some(function), request.file.as_deref())?;
    }
    sites.sort_unstable();
    Ok(Source::Sites { sites, records: kinds.records })
}

fn is_throw(request: &FindRequest) -> bool {
    request.kind.as_deref().is_some_and(|kind| kind.eq_ignore_ascii_case("throw"))
}

fn is_wanted(site: &SiteRef, request: &FindRequest) -> bool {
    let is_function = request.function.as_deref().is_none_or(|function| site.name(site.function().name) == function);
    let is_name = request.name.as_deref().is_none_or(|name| match site.site.kind {
        SiteKind::PutComputed
        | SiteKind::PutComputedIncrement
        | SiteKind::PutComputedDecrement
        | SiteKind::DeleteComputed => true,
        SiteKind::ObjectLiteral => site.site.names.iter().any(|own| site.name(*own) == name),
        SiteKind::Enter => site.name(site.function().name) == name,
        _ => site.site.names.first().is_some_and(|own| site.name(*own) == name),
    });
    let is_call = site.site.kind != SiteKind::Enter || !site.function().is_initialiser();
    is_function && is_name && is_call
}

/// Kinds of events, in the person's words.
struct Kinds {
    /// Nothing: all.
    sites: Option<Vec<SiteKind>>,
    records: &'static [&'static str],
}

impl Kinds {
    fn parse(text: Option<&str>) -> Result<Kinds, Error> {
        use SiteKind::*;
        let Some(text) = text else { return Ok(Kinds { sites: None, records: &[] }) };
        let of = |sites: &[SiteKind], records| Ok(Kinds { sites: Some(sites.to_vec()), records });
        match text.to_ascii_lowercase().as_str() {
            "write" => of(
                &[
                    Var,
                    VarIncrement,
                    VarDecrement,
                    Put,
                    PutIncrement,
                    PutDecrement,
                    PutComputed,
                    PutComputedIncrement,
                    PutComputedDecrement,
                    Field,
                ],
                &[],
            ),
            "delete" => of(&[Delete, DeleteComputed], &[]),
            "call" => of(&[Enter], &[]),
            "argument" => of(&[Param], &[]),
            "return" => of(&[Return], &[]),
            "branch" => of(&[Branch, Loop, Nullish, Case, Discriminant, Default], &[]),
            "birth" => of(&[ObjectLiteral, ArrayLiteral, Literal, FunctionBirth, ClassBirth], &[]),
            "throw" => of(&[Throw], &[]),
            "catch" => of(&[Catch], &[]),
            "await" => of(&[Suspend], &[]),
            "resume" => of(&[Resume, LateResume], &[]),
            "built-in" | "effect" => of(&[], &["Effect"]),
            "output" => of(&[], &["Output"]),
            "uncaught" => of(&[], &["Uncaught"]),
            other => match SiteKind::ALL.iter().find(|kind| kind.name().eq_ignore_ascii_case(other)) {
                Some(kind) => of(&[*kind], &[]),
                None => Err(Error::NoSuchKind { wanted: text.into(), known: KNOWN_KINDS.into() }),
            },
        }
    }

    fn holds(&self, kind: SiteKind) -> bool {
        self.sites.as_ref().is_none_or(|sites| sites.contains(&kind))
    }
}

const KNOWN_KINDS: &str = "write, delete, call, argument, return, branch, birth, throw, catch, await, resume, built-in, output, \
                           uncaught, and those of `wherefore events`";

pub(crate) fn output_text(step: &Step, trace: &query::Trace) -> Option<std::sync::Arc<str>> {
    match &step.event {
        Event::Record(Record::Output { text: Some(text), .. }) => trace.thread.string(*text),
        _ => None,
    }
}
