//! The path from the birth of an object to a crash, read from a trace: full, or sparse and then with holes. What a crash path is,
//! the crate `crash-path` says.
//!
//! Three steps: which object is of interest ([`interest`]), where it was born ([`origin`]), and what control did from there on
//! ([`labels`]). Where the trace does not tell, the functions are named that would ([`::crash_path::Path::wanted`]); nothing is made up.

mod candidates;
mod copies;
mod interest;
mod labels;
mod names;
mod origin;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};

use ::crash_path::{FunctionRef, Path, SiteRef};
use trace_model::{EventId, ExprId, FunctionIndex, ObjectId, SiteId};
use trace_store::Step;

use crate::why::Failure;
use crate::{Code, Evaluation, Place, Scene, Trace};
use candidates::Candidates;
use names::Names;

/// What is asked.
#[derive(Clone, Debug)]
pub struct CrashPathRequest<'r> {
    /// The folder from which the files of the program are named.
    pub root: &'r str,
    /// Only so many of the newest labels are kept, and the birth.
    pub n_labels: usize,
    /// What the person wants to know about; nothing: what the failure is about.
    pub about: Option<Place>,
}

/// A crash path, with what it rests on.
#[derive(Clone, Debug)]
pub struct CrashPath {
    pub path: Path,
    /// By label, the event that it tells of.
    pub events: Vec<EventId>,
    pub interest: Option<Interest>,
    /// The birth of the object of interest.
    pub birth: Option<Step>,
    /// Where a library threw: the call in the project's own code that led there, at which the path ends.
    pub asserted: Option<Step>,
    /// What the trace does not tell, in words.
    pub lacks: Vec<String>,
    /// The sites that were executed on the way: also of what has no label, as nothing was decided or called there.
    pub ran: BTreeSet<SiteId>,
    /// The functions whose variables and objects told which object it is. Of the others, what control did is enough.
    pub told_by: BTreeSet<FunctionRef>,
}

/// The object of interest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interest {
    /// As the source names it where it matters.
    pub text: String,
    /// `None`: the trace does not tell which it was.
    pub object: Option<ObjectId>,
    /// The failure is about an object of this name, which was made from this one.
    pub made_into: Option<String>,
}

/// The crash path of a failure.
pub fn crash_path(trace: &Trace, failure: &Failure, request: &CrashPathRequest) -> CrashPath {
    let finder = Finder::new(trace, request.root);
    let asserted = finder.asserted_in_project(failure);
    let is_asserted = asserted.is_some();
    let failure = asserted.as_ref().unwrap_or(failure);
    let (interest, birth) = finder.interest_and_birth(failure, is_asserted, request);
    let object = interest.as_ref().and_then(|interest| interest.object);
    let told = finder.labels(failure, object, birth.as_ref(), request.n_labels);
    let stack = finder.stack(failure);
    let exception = finder.exception(failure);
    let wanted = finder.wanted.take().into_iter().collect();
    let path = Path { labels: told.labels, is_cut: told.is_cut, exception, stack, wanted };
    let told_by =
        finder.told_by.take().into_iter().filter_map(|(unit, function)| finder.names.function(unit, function));
    let told_by = told_by.collect();
    let asserted = asserted.map(|failure| failure.thrown.step);
    CrashPath {
        path,
        events: told.events,
        interest,
        birth,
        asserted,
        lacks: finder.lacks.take(),
        ran: told.ran,
        told_by,
    }
}

/// Of a crash no more than the functions that were active: where nothing else was recorded.
pub fn crash_stack(trace: &Trace, failure: &Failure, root: &str) -> CrashPath {
    let finder = Finder::new(trace, root);
    let path = Path::of_stack(&finder.exception(failure), finder.stack(failure));
    let events = path.labels.iter().map(|_| failure.thrown.before).collect();
    let (ran, told_by) = (BTreeSet::new(), BTreeSet::new());
    CrashPath { path, events, interest: None, birth: None, asserted: None, lacks: Vec::new(), ran, told_by }
}

/// What all steps share.
struct Finder<'t, 'a> {
    trace: &'t Trace<'a>,
    names: Names<'t, 'a>,
    candidates: OnceCell<Candidates>,
    recorded: RefCell<HashMap<(SiteId, FunctionIndex), bool>>,
    flow_recorded: RefCell<HashMap<(SiteId, FunctionIndex), bool>>,
    told_by: RefCell<BTreeSet<(SiteId, FunctionIndex)>>,
    wanted: RefCell<BTreeSet<FunctionRef>>,
    lacks: RefCell<Vec<String>>,
    /// How many expressions were followed: a value may come round in circles.
    n_asked: Cell<usize>,
}

/// An expression, in an evaluation that led to a scene.
#[derive(Clone)]
struct At<'a> {
    code: Code<'a>,
    scene: Scene,
    evaluation: Evaluation,
    expression: ExprId,
}

const MOST_ASKED: usize = 2000;

/// On one line.
fn text_of(at: &At) -> String {
    at.code.words(at.expression).split_whitespace().collect::<Vec<_>>().join(" ")
}

impl<'t, 'a> Finder<'t, 'a> {
    fn new(trace: &'t Trace<'a>, root: &str) -> Finder<'t, 'a> {
        Finder {
            trace,
            names: Names::new(trace, root),
            candidates: OnceCell::new(),
            recorded: RefCell::default(),
            flow_recorded: RefCell::default(),
            told_by: RefCell::default(),
            wanted: RefCell::default(),
            lacks: RefCell::default(),
            n_asked: Cell::new(0),
        }
    }

    /// The type of what was thrown, and nothing of what it says.
    fn exception(&self, failure: &Failure) -> String {
        self.trace.language().exception_type(&failure.message).unwrap_or_default().to_owned()
    }

    fn interest_and_birth(
        &self,
        failure: &Failure,
        is_asserted: bool,
        request: &CrashPathRequest,
    ) -> (Option<Interest>, Option<Step>) {
        if let Some(place) = &request.about {
            let object = self.object_in(place, failure.thrown.before);
            let birth = object.and_then(|object| self.birth(object)).or_else(|| self.origin_of_place(place, failure));
            let text = place.text(&*self.trace.language());
            return (Some(Interest { text, object, made_into: None }), birth);
        }
        let interest = if is_asserted { self.asserted(failure) } else { self.interest(failure) };
        let Some(at) = interest else {
            self.lack("which object the failure is about");
            return (None, None);
        };
        let object = self.value(&at).and_then(|value| value.object());
        let birth = self.origin(&at);
        let original = match (object, &birth) {
            (Some(object), Some(birth)) => self.original(object, birth, failure.thrown.before),
            _ => None,
        };
        match original {
            None => (Some(Interest { text: text_of(&at), object, made_into: None }), birth),
            Some(original) => {
                let object = self.value(&original.at).and_then(|value| value.object());
                let interest = Interest { text: text_of(&original.at), object, made_into: Some(text_of(&at)) };
                (Some(interest), original.birth)
            }
        }
    }

    fn candidates(&self) -> &Candidates {
        self.candidates.get_or_init(|| Candidates::of(self.trace))
    }

    /// Whether everything that happened in a function is in the trace.
    fn is_recorded(&self, (unit, function): (SiteId, FunctionIndex)) -> bool {
        let find = || self.trace.is_function_recorded(unit, function);
        *self.recorded.borrow_mut().entry((unit, function)).or_insert_with(find)
    }

    /// Whether what control did in a function is in the trace.
    fn is_flow_recorded(&self, (unit, function): (SiteId, FunctionIndex)) -> bool {
        let find = || self.trace.is_flow_recorded(unit, function);
        *self.flow_recorded.borrow_mut().entry((unit, function)).or_insert_with(find)
    }

    /// What is known of an expression rests on what its function told.
    fn rests_on(&self, at: &At) {
        self.told_by.borrow_mut().insert((at.code.base(), at.code.expression(at.expression).function));
    }

    /// Functions that would tell more. Gives whether there are any.
    fn want(&self, functions: impl IntoIterator<Item = (SiteId, FunctionIndex)>) -> bool {
        let mut is_any = false;
        for function in functions.into_iter().filter(|function| !self.is_recorded(*function)) {
            if let Some(named) = self.names.function(function.0, function.1) {
                self.wanted.borrow_mut().insert(named);
                is_any = true;
            }
        }
        is_any
    }

    fn lack(&self, what: &str) {
        let mut lacks = self.lacks.borrow_mut();
        if !lacks.iter().any(|known| known == what) {
            lacks.push(what.to_owned());
        }
    }

    fn may_go_on(&self) -> bool {
        self.n_asked.set(self.n_asked.get() + 1);
        self.n_asked.get() < MOST_ASKED
    }

    /// Where the recorded functions stood, innermost first.
    fn stack(&self, failure: &Failure) -> Vec<SiteRef> {
        let frames = self.trace.stack(failure.thrown.before);
        let on_stack = frames.iter().filter(|frame| !frame.is_async_parent);
        let sites = on_stack.filter_map(|frame| {
            let site = frame.at.as_ref().and_then(Step::site);
            let at = site.and_then(|site| self.names.bare(site));
            at.or_else(|| self.names.beginning(frame.frame.unit, frame.frame.function))
        });
        let crash = self.crash_site(failure);
        crash.into_iter().chain(sites.skip(1)).collect()
    }
}
