//! The path from the birth of an object to the crash, as people read it: with source, and loops folded.

use std::collections::{BTreeMap, BTreeSet};

use ::crash_path::{Callee, Folded, FunctionRef, Label, Path, fold, is_complete};
use query::{CrashPath, Failure, Thrown};
use trace_model::{EventId, SiteId};
use trace_store::Step;

use super::resolve::failures_of;
use super::{Moment, Point, PointText, Session};
use crate::{Error, Value, Where};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrashPathRequest {
    /// Nothing: what the failure is about.
    pub place: Option<String>,
    /// The number of a failure of the run, where no point is named. Nothing: the first.
    pub failure: Option<usize>,
    /// Only so many of the newest labels, and the birth.
    pub n_labels: usize,
}

impl Default for CrashPathRequest {
    fn default() -> CrashPathRequest {
        CrashPathRequest { place: None, failure: None, n_labels: MOST_LABELS }
    }
}

#[derive(Clone, Debug)]
pub struct CrashPathAnswer {
    /// `TypeError: …`, or what was asked about.
    pub message: String,
    /// The object of interest, as the source names it.
    pub object: Option<String>,
    /// The failure is about another object, named so, that was made from this one.
    pub made_into: Option<String>,
    pub value: Option<Value>,
    /// Whether the path begins with the birth and has no holes.
    pub is_complete: bool,
    /// Older labels were left out.
    pub is_cut: bool,
    pub n_labels: usize,
    /// How many functions control was in.
    pub n_functions: usize,
    /// Oldest first.
    pub steps: Vec<PathStep>,
    /// The lines that control went over, also where nothing was decided or called.
    pub lines: Vec<LinesOfFile>,
    /// What the recording does not tell, in words.
    pub lacks: Vec<String>,
}

/// Lines of a file that were executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinesOfFile {
    pub file: String,
    /// First and last line of each stretch, in rising order.
    pub stretches: Vec<(u32, u32)>,
}

#[derive(Clone, Debug)]
pub enum PathStep {
    Label(Box<PathLabel>),
    /// What happened so often in the very same way.
    Repeated {
        times: u32,
        body: Vec<PathStep>,
    },
}

#[derive(Clone, Debug)]
pub struct PathLabel {
    /// `start`, `branch`, `call`, `enter`, `exit`, `return`, `write`, `task` or `crash`.
    pub kind: &'static str,
    pub point: Point,
    /// The last line of what the label is about.
    pub end_line: Option<u32>,
    /// How deep in calls, from the shallowest frame of the path.
    pub depth: usize,
    /// Of a branch, the way that control took.
    pub taken: Option<bool>,
    /// Of a call, what is known of the function that it entered.
    pub callee: Option<PathCallee>,
    /// Of a task, where its callback was registered.
    pub registered: Option<Point>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathCallee {
    /// It is on the path.
    Recorded,
    /// A function of the program that was not recorded: `lib/add.js:12`.
    NotRecorded(String),
    /// Native code, or code that is never recorded.
    Foreign,
    Unknown,
}

/// A parser takes ten thousand for one line of text. Loops are folded, so a person has far fewer to read.
pub const MOST_LABELS: usize = 100_000;

impl Session {
    pub(crate) fn crash_path(
        &self,
        from: &Where,
        request: &CrashPathRequest,
    ) -> Result<(Moment<'_>, CrashPathAnswer), Error> {
        let (moment, failure, found) = self.find_crash_path(from, request)?;
        let answer = moment.crash_path_shown(&failure, &found);
        Ok((moment, answer))
    }

    /// The path itself, by names that are the same in every run.
    pub(crate) fn find_crash_path(
        &self,
        from: &Where,
        request: &CrashPathRequest,
    ) -> Result<(Moment<'_>, Failure, CrashPath), Error> {
        let (moment, failure) = self.where_it_failed(from, request)?;
        let about = request.place.as_deref().map(|place| moment.place(Some(place))).transpose()?;
        let asked = query::CrashPathRequest {
            root: &self.run().file().folder,
            n_labels: request.n_labels,
            about: about.map(|(place, _)| place),
        };
        let mut found = query::crash_path(&moment.trace, &failure, &asked);
        if let (Some(interest), Some(place)) = (&mut found.interest, &request.place) {
            interest.text.clone_from(place);
        }
        Ok((moment, failure, found))
    }
}

impl Session {
    fn where_it_failed(&self, from: &Where, request: &CrashPathRequest) -> Result<(Moment<'_>, Failure), Error> {
        let is_of_failure = from.at.is_none() && from.frame.is_none();
        if is_of_failure && (request.failure.is_some() || self.tells_of_failed_tests()) {
            let all = self.failed(from.thread.as_deref())?;
            let (_, moment, failure) = self.numbered_failure(&all, request.failure)?;
            return Ok((moment, failure));
        }
        let moment = match from.at {
            None => self.failing_thread(from.thread.as_deref())?,
            Some(_) => self.moment(from)?,
        };
        let failure = moment.failure_here(from)?;
        Ok((moment, failure))
    }

    /// The functions that were active at a crash, of a run that recorded little else.
    pub(crate) fn find_crash_stack(&self, from: &Where) -> Result<(Moment<'_>, Failure, CrashPath), Error> {
        let moment = match from.at {
            None => self.failing_thread(from.thread.as_deref())?,
            Some(_) => self.moment(from)?,
        };
        let failure = moment.failure_here(from)?;
        let found = query::crash_stack(&moment.trace, &failure, &self.run().file().folder);
        Ok((moment, failure, found))
    }
}

impl Moment<'_> {
    /// What failed here; of a point that is no failure, as if the program had failed there.
    fn failure_here(&self, from: &Where) -> Result<Failure, Error> {
        if matches!(from.at, None | Some(PointText::Crash)) || self.at.shown.is_some() {
            return failures_of(&self.trace).into_iter().next().ok_or(Error::NoCrash);
        }
        let step = self.anchor(&self.at.step).ok_or(Error::NothingRecorded)?;
        let frame = step.frame.ok_or(Error::NothingRecorded)?;
        Ok(Failure::about(Thrown { before: step.id, step, frame, is_explicit: true }))
    }

    pub(crate) fn crash_path_shown(&self, failure: &Failure, found: &CrashPath) -> CrashPathAnswer {
        let Path { labels, is_cut, .. } = &found.path;
        let on_path: BTreeSet<&FunctionRef> = labels.iter().filter_map(Label::function).collect();
        let object = found.interest.as_ref().and_then(|interest| interest.object);
        let before = failure.thrown.before;
        let mut teller = Teller {
            moment: self,
            labels,
            events: &found.events,
            crash: found.asserted.as_ref(),
            depths: depths(labels),
            at: 0,
        };
        let steps = teller.steps(&fold(labels));
        CrashPathAnswer {
            message: failure.message.clone(),
            object: found.interest.as_ref().map(|interest| interest.text.clone()),
            made_into: found.interest.as_ref().and_then(|interest| interest.made_into.clone()),
            value: object.map(|object| self.value(&query::Datum::Object(object), before)),
            is_complete: is_complete(&found.path),
            is_cut: *is_cut,
            n_labels: labels.len(),
            n_functions: on_path.len(),
            steps,
            lines: self.lines_of(&found.ran),
            lacks: found.lacks.clone(),
        }
    }
}

/// How deep in calls each label is.
fn depths(labels: &[Label]) -> Vec<usize> {
    let mut depth: i64 = 0;
    let mut depths: Vec<i64> = Vec::with_capacity(labels.len());
    for label in labels {
        match label {
            Label::Enter { .. } => {
                depth += 1;
                depths.push(depth);
            }
            Label::Exit { .. } => {
                depths.push(depth);
                depth -= 1;
            }
            _ => depths.push(depth),
        }
    }
    let shallowest = depths.iter().copied().min().unwrap_or(0);
    depths.into_iter().map(|depth| (depth - shallowest) as usize).collect()
}

/// Goes along the labels as they are folded.
struct Teller<'m, 'r> {
    moment: &'m Moment<'r>,
    labels: &'m [Label],
    events: &'m [EventId],
    /// Where the path ends, if that is not where the failure is.
    crash: Option<&'m Step>,
    depths: Vec<usize>,
    at: usize,
}

impl Teller<'_, '_> {
    fn steps(&mut self, folded: &[Folded]) -> Vec<PathStep> {
        let mut steps = Vec::new();
        for item in folded {
            match item {
                Folded::Label(_) => {
                    steps.push(PathStep::Label(Box::new(self.label(self.at))));
                    self.at += 1;
                }
                Folded::Repeated { times, body } => {
                    let from = self.at;
                    let body = self.steps(body);
                    self.at = from + (self.at - from) * *times as usize;
                    steps.push(PathStep::Repeated { times: *times, body });
                }
            }
        }
        steps
    }

    fn label(&self, number: usize) -> PathLabel {
        let label = &self.labels[number];
        let moment = self.moment;
        let step = moment.trace.thread.step(self.events[number]);
        let is_crash = matches!(label, Label::Crash { .. });
        let (point, end_line) = match (&step, is_crash) {
            (_, true) => (self.crash.map_or_else(|| moment.here(), |crash| moment.point(crash)), None),
            (Some(step), false) => moment.point_of_label(step, label),
            (None, false) => (moment.here(), None),
        };
        PathLabel {
            kind: kind(label),
            point,
            end_line,
            depth: self.depths[number],
            taken: match label {
                Label::Branch { taken, .. } => Some(*taken),
                _ => None,
            },
            callee: match label {
                Label::Call { callee, .. } => Some(self.callee(number, callee)),
                _ => None,
            },
            registered: match (label, &step) {
                (Label::Task { registered_at: Some(_) }, Some(step)) => moment.registered(step),
                _ => None,
            },
        }
    }

    fn callee(&self, number: usize, callee: &Callee) -> PathCallee {
        let is_entered =
            |label: &Label, callee: &FunctionRef| matches!(label, Label::Enter { function, .. } if function == callee);
        match callee {
            Callee::Program(callee) => match self.labels[number..].iter().any(|label| is_entered(label, callee)) {
                true => PathCallee::Recorded,
                false => PathCallee::NotRecorded(format!("{}:{}", callee.file, callee.line)),
            },
            Callee::Foreign => PathCallee::Foreign,
            Callee::Unknown => PathCallee::Unknown,
        }
    }
}

impl Moment<'_> {
    /// Where a label happened. There are many: they are shown without a number to ask about them by, but for what matters most.
    fn point_of_label(&self, step: &Step, label: &Label) -> (Point, Option<u32>) {
        let anchor = match step.site() {
            Some(_) => Some(step.clone()),
            None => self.anchor(step),
        };
        let site = anchor.as_ref().and_then(|anchor| self.trace.site(anchor.site()?));
        let Some(site) = site else { return (self.point(step), None) };
        let span = site.site.span;
        // A function is known by where it begins.
        let shown = match label {
            Label::Enter { .. } | Label::Exit { .. } => site.function().span,
            _ => span,
        };
        let end = match label {
            Label::Enter { .. } | Label::Exit { .. } => None,
            _ => site.unit.place(shown.end.saturating_sub(1)).map(|place| place.position.line),
        };
        let point = match label {
            Label::Start { .. } | Label::Write { .. } => self.point_at(step, Some(site.unit), Some(shown)),
            _ => self.plain_point(step, site.unit, shown),
        };
        (point, end)
    }

    /// By file, in the order of their names.
    fn lines_of(&self, sites: &BTreeSet<SiteId>) -> Vec<LinesOfFile> {
        let mut lines: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        for place in sites.iter().filter_map(|site| self.trace.site(*site)?.place()) {
            match lines.get_mut(place.path) {
                Some(lines) => lines.insert(place.position.line),
                None => lines.entry(place.path.to_owned()).or_default().insert(place.position.line),
            };
        }
        let of_file = |(path, lines): (String, BTreeSet<u32>)| LinesOfFile {
            file: self.relative(&path),
            stretches: stretches(lines),
        };
        lines.into_iter().map(of_file).collect()
    }

    fn registered(&self, step: &Step) -> Option<Point> {
        let registered = self.trace.registration(step.frame?)?;
        let site = self.trace.site(registered.site()?)?;
        Some(self.plain_point(&registered, site.unit, site.site.span))
    }
}

/// Lines that follow each other, taken together.
fn stretches(lines: BTreeSet<u32>) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for line in lines {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => found.push((line, line)),
        }
    }
    found
}

fn kind(label: &Label) -> &'static str {
    match label {
        Label::Start { .. } => "start",
        Label::Branch { .. } => "branch",
        Label::Call { .. } => "call",
        Label::Enter { .. } => "enter",
        Label::Exit { .. } => "exit",
        Label::Return { .. } => "return",
        Label::Write { .. } => "write",
        Label::Task { .. } => "task",
        Label::Crash { .. } => "crash",
    }
}
