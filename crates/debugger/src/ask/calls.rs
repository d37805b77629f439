//! The call tree, a page of it.

use query::FrameOutcome;
use trace_model::{EventId, FrameId, FunctionIndex, SiteId, SiteKind, cancel, did_you_mean};
use trace_store::{CodeUnit, FrameInfo, Target};

use super::session::add_notes;
use super::{Moment, Point, PointText, Session};
use crate::page::{Cursor, Page, PageRequest};
use crate::{Error, Value, Where};

/// Which calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallsRequest {
    /// Only calls of functions of this name, wherever they are in the tree.
    pub function: Option<String>,
    /// Only calls of functions in this file.
    pub file: Option<String>,
    /// What was called by the frame of the point, rather than by nobody.
    pub of_point: bool,
    /// Only calls of the project's own functions: what they called through libraries counts as called by them. Then one level is told.
    pub own: bool,
    /// How deep below.
    pub depth: usize,
    pub page: PageRequest,
}

/// A call. They are shown in the order in which they were made; a call is followed by those that it made.
#[derive(Clone, Debug)]
pub struct CallShown {
    pub depth: usize,
    /// Nothing: the top level of a file.
    pub function: Option<String>,
    /// Its entry.
    pub point: Point,
    pub arguments: Vec<(String, Value)>,
    pub outcome: CallOutcome,
}

#[derive(Clone, Debug)]
pub enum CallOutcome {
    Returned(Value),
    Threw,
    /// It waits, or the recording ended first.
    Open,
}

impl Session {
    /// The calls of the thread that has the point, or of all, one thread after another. With what is to be said beside it.
    pub(crate) fn calls(&self, from: &Where, request: &CallsRequest) -> Result<(Page<CallShown>, Vec<String>), Error> {
        let mut page = Taken::new(&request.page)?;
        if from.at.is_some() || from.thread.is_some() || self.run().threads().len() == 1 {
            let moment = self.moment(from)?;
            if page.first.is_some_and(|(thread, _)| thread != moment.number) {
                return Err(request.page.refused());
            }
            moment.calls(request, &mut page)?;
            return Ok((page.into_page(), moment.notes()));
        }
        let (mut notes, mut refused) = (None, None);
        let first_thread = page.first.map_or(1, |(thread, _)| thread);
        for number in first_thread..=self.run().threads().len() {
            let Ok(moment) = self.moment_at(Some(&PointText::End), Some(&number.to_string())) else { continue };
            match moment.calls(request, &mut page) {
                Ok(()) => add_notes(notes.get_or_insert_default(), moment.notes()),
                // A function that one thread has not, another may have.
                Err(error) => refused = refused.or(Some(error)),
            }
            if page.next.is_some() {
                break;
            }
        }
        match (notes, refused) {
            (Some(notes), _) => Ok((page.into_page(), notes)),
            (None, Some(error)) => Err(error),
            (None, None) => Err(Error::NothingRecorded),
        }
    }
}

impl Moment<'_> {
    fn calls(&self, request: &CallsRequest, page: &mut Taken) -> Result<(), Error> {
        match request.function.is_some() || request.file.is_some() {
            true => self.chosen_calls(request, page),
            false => {
                let root = match request.of_point {
                    true => Some(self.at.scene.frame.ok_or(Error::NothingRecorded)?),
                    false => None,
                };
                if request.own {
                    self.own_calls(root, page);
                    return Ok(());
                }
                let path = match page.first_in(self.number) {
                    Some(first) => self.path(root, first).ok_or_else(|| request.page.refused())?,
                    None => Vec::new(),
                };
                self.calls_below(root, 0, request.depth, &path, page);
                Ok(())
            }
        }
    }

    /// The calls that lead from a frame to one below it, this one last.
    fn path(&self, root: Option<FrameId>, to: FrameId) -> Option<Vec<FrameId>> {
        let mut path = vec![to];
        loop {
            let caller = self.trace.frame(*path.last()?)?.caller;
            if caller == root || root.is_none() && caller.is_none_or(|caller| self.trace.frame(caller).is_none()) {
                path.reverse();
                return Some(path);
            }
            path.push(caller?);
        }
    }

    /// `path`: the calls that lead to the first one of the page. Those before its last were on an earlier page.
    fn calls_below(&self, caller: Option<FrameId>, depth: usize, most: usize, path: &[FrameId], page: &mut Taken) {
        let calls = match path.first().and_then(|first| self.trace.frame(*first)) {
            Some(first) => self.trace.calls_from(caller, first.entered),
            None => self.trace.calls(caller),
        };
        for frame in calls {
            let rest = path.strip_prefix(&[frame.id]).unwrap_or_default();
            if self.trace.is_initialiser(&frame) {
                self.calls_below(Some(frame.id), depth, most, rest, page);
            } else {
                if rest.is_empty() {
                    self.take(&frame, depth, page);
                }
                if depth + 1 < most && page.next.is_none() {
                    self.calls_below(Some(frame.id), depth + 1, most, rest, page);
                }
            }
            if page.next.is_some() {
                return;
            }
        }
    }

    /// Calls of functions that are asked for, wherever they are.
    fn chosen_calls(&self, request: &CallsRequest, page: &mut Taken) -> Result<(), Error> {
        let functions = self.functions(request.function.as_deref(), request.file.as_deref())?;
        let target = Target::Enter(Some(&functions));
        let first = page.first_in(self.number).and_then(|first| self.trace.frame(first));
        let mut from = first.map_or(self.trace.thread.first_event(), |first| first.entered);
        while let Some(step) = self.trace.next(&target, from) {
            from = EventId(step.id.0 + 1);
            let Some(frame) = step.frame.and_then(|frame| self.trace.frame(frame)) else { continue };
            self.take(&frame, 0, page);
            if page.next.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// The nearest calls of own functions below a frame.
    fn own_calls(&self, root: Option<FrameId>, page: &mut Taken) {
        let own = self.own_functions();
        let target = Target::Enter(Some(&own));
        let thread = self.trace.thread;
        let (start, end) = match root.and_then(|root| self.trace.frame(root)) {
            Some(root) => (EventId(root.entered.0 + 1), root.left.unwrap_or(thread.end())),
            None => (thread.first_event(), thread.end()),
        };
        let first = page.first_in(self.number).and_then(|first| self.trace.frame(first));
        let mut from = first.map_or(start, |first| first.entered);
        while let Some(step) = self.trace.next(&target, from).filter(|step| step.id < end) {
            cancel::check();
            from = EventId(step.id.0 + 1);
            let Some(frame) = step.frame.and_then(|frame| self.trace.frame(frame)) else { continue };
            if self.own_caller(&frame) != root {
                continue;
            }
            self.take(&frame, 0, page);
            if page.next.is_some() {
                return;
            }
            // What is below it is not told here. While it waits, others run.
            if let Some(left) = frame.left.filter(|_| !self.waits(&frame)) {
                from = from.max(left);
            }
        }
    }

    fn own_functions(&self) -> Vec<(SiteId, FunctionIndex)> {
        let mut own = Vec::new();
        for unit in self.trace.thread.code().units() {
            let Ok(code) = unit.code() else { continue };
            if !self.trace.language().is_library(&unit.record.path) {
                let functions = (0..).zip(&code.sites.functions).filter(|(_, function)| !function.is_initialiser());
                own.extend(functions.map(|(number, _)| (unit.record.base, FunctionIndex(number))));
            }
        }
        own
    }

    /// The innermost frame of an own function from which a frame was called, through whatever libraries.
    fn own_caller(&self, frame: &FrameInfo) -> Option<FrameId> {
        let mut caller = frame.caller;
        while let Some(above) = caller.and_then(|caller| self.trace.frame(caller)) {
            let unit = self.trace.thread.code().unit(above.unit);
            let is_library = unit.is_some_and(|unit| self.trace.language().is_library(&unit.record.path));
            if !is_library && !self.trace.is_initialiser(&above) {
                return Some(above.id);
            }
            caller = above.caller;
        }
        None
    }

    fn waits(&self, frame: &FrameInfo) -> bool {
        let waits = |kind| kind == SiteKind::Suspend;
        !self.trace.sites_of_function(frame.unit, frame.function, waits).is_empty()
    }

    /// The functions of a name, in a file.
    pub(crate) fn functions(
        &self,
        name: Option<&str>,
        file: Option<&str>,
    ) -> Result<Vec<(SiteId, FunctionIndex)>, Error> {
        let mut functions = Vec::new();
        let named = file.map(|file| self.file_meant(file));
        for unit in self.trace.thread.code().units() {
            let Ok(code) = unit.code() else { continue };
            let is_file = |file: &str| query::ends_with_path(&unit.record.path, file);
            if named.as_deref().is_some_and(|file| !is_file(file)) {
                continue;
            }
            for (number, function) in (0..).zip(&code.sites.functions) {
                let is_named = name.is_none_or(|name| match code.sites.name(function.name) {
                    "" => self.is_inferred(unit, FunctionIndex(number), name),
                    own => own == name,
                });
                if is_named && !function.is_initialiser() {
                    functions.push((unit.record.base, FunctionIndex(number)));
                }
            }
        }
        match functions.is_empty() {
            true => {
                let function = name.unwrap_or_default().to_owned();
                let near = self.functions_meant(&function);
                Err(Error::NoSuchFunction { function, file: file.map(str::to_owned), near })
            }
            false => Ok(functions),
        }
    }

    /// Whether a function without a name is told under one: as a whole, or by its last part.
    fn is_inferred(&self, unit: &CodeUnit, function: FunctionIndex, name: &str) -> bool {
        let inferred = self.own_or_inferred_name(unit, function);
        inferred.is_some_and(|inferred| inferred == name || inferred.rsplit('.').next() == Some(name))
    }

    /// What somebody meant who mistyped the name of a function.
    fn functions_meant(&self, wanted: &str) -> String {
        let units = self.trace.thread.code().units();
        let tables: Vec<_> = units.iter().filter_map(|unit| Some(&unit.code().ok()?.sites)).collect();
        let names = tables.iter().flat_map(|sites| sites.functions.iter().map(|function| sites.name(function.name)));
        did_you_mean(wanted, names.filter(|name| !name.is_empty()))
    }

    fn take(&self, frame: &FrameInfo, depth: usize, page: &mut Taken) {
        if page.calls.len() >= page.limit {
            page.next = Some(Cursor::at(LIST, [self.number as u64, frame.id.0.into()]));
            return;
        }
        let Some(entry) = self.trace.thread.step(frame.entered) else { return };
        let left = frame.left.unwrap_or(self.trace.thread.end());
        let unit = self.trace.thread.code().unit(frame.unit);
        let arguments = self.trace.parameters(frame);
        page.calls.push(CallShown {
            depth,
            function: unit.and_then(|unit| self.function_name(unit, frame.function)),
            point: self.point(&entry),
            arguments: arguments.into_iter().map(|(name, value)| (name, self.value(&value, frame.entered))).collect(),
            outcome: match self.trace.outcome(frame) {
                FrameOutcome::Returned(value) => CallOutcome::Returned(self.value(&value, left)),
                FrameOutcome::Threw => CallOutcome::Threw,
                FrameOutcome::Open => CallOutcome::Open,
            },
        });
    }
}

/// What a page has so far.
struct Taken {
    /// The thread and the frame that it begins with.
    first: Option<(usize, FrameId)>,
    limit: usize,
    calls: Vec<CallShown>,
    next: Option<Cursor>,
}

const LIST: &str = "calls";

impl Taken {
    fn new(request: &PageRequest) -> Result<Taken, Error> {
        let first = match request.numbers(LIST)? {
            Some([thread, frame]) => {
                Some((thread as usize, FrameId(u32::try_from(frame).map_err(|_| request.refused())?)))
            }
            None => None,
        };
        Ok(Taken { first, limit: request.limit(), calls: Vec::new(), next: None })
    }

    fn first_in(&self, thread: usize) -> Option<FrameId> {
        self.first.filter(|(number, _)| *number == thread).map(|(_, frame)| frame)
    }

    fn into_page(self) -> Page<CallShown> {
        Page { items: self.calls, next: self.next, n_all: None }
    }
}
