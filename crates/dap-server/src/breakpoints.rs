//! Breakpoints on lines, functions and exceptions: what the client wants, whether control can come to it, and what it is in the run.

use std::collections::HashMap;

use debugger::{Answer, BreakAt, Breakpoint, Error, HitCount, PageRequest, PointText, Question, QuestionKind, Where};
use serde_json::{Value, json};

use crate::adapter::Adapter;
use crate::capabilities::{EVERYTHING_THROWN, FAILURE};
use crate::protocol::{
    BreakpointShown, FunctionBreakpoint, SetBreakpointsArguments, SetExceptionBreakpointsArguments,
    SetFunctionBreakpointsArguments, Source, SourceBreakpoint,
};
use crate::refusal::Refusal;

/// All that the client has set.
pub struct Breakpoints {
    /// By file, as the client names it.
    of_files: HashMap<String, Vec<OnLine>>,
    of_functions: Vec<OnFunction>,
    pub of_data: Vec<Set>,
    of_exceptions: Vec<Breakpoint>,
    n_numbered: i64,
}

/// One that the client knows by a number.
pub struct Set {
    pub id: i64,
    /// Nothing: control cannot come to it.
    pub armed: Option<Breakpoint>,
    /// How a person would name the place that it is on.
    pub name: Option<String>,
}

struct OnFunction {
    set: Set,
    wanted: FunctionBreakpoint,
}

struct OnLine {
    set: Set,
    source: Source,
    wanted: SourceBreakpoint,
}

/// Until the client says otherwise, control stops at the failure.
impl Default for Breakpoints {
    fn default() -> Breakpoints {
        Breakpoints {
            of_files: HashMap::new(),
            of_functions: Vec::new(),
            of_data: Vec::new(),
            of_exceptions: vec![Breakpoint { at: BreakAt::Failure, condition: None, hits: None }],
            n_numbered: 0,
        }
    }
}

impl Breakpoints {
    pub fn name_of(&self, id: i64) -> Option<&String> {
        self.of_data.iter().find(|set| set.id == id)?.name.as_ref()
    }

    pub fn number(&mut self) -> i64 {
        self.n_numbered += 1;
        self.n_numbered
    }

    /// Those at which control stops, with their numbers; 0 for those that have none.
    pub fn armed(&self, is_wanted: impl Fn(&Breakpoint) -> bool) -> Vec<(i64, Breakpoint)> {
        let on_lines = self.of_files.values().flatten().filter(|on| on.wanted.log_message.is_none());
        let on_functions = self.of_functions.iter().map(|on| &on.set);
        let set = on_lines.map(|on| &on.set).chain(on_functions).chain(&self.of_data);
        let numbered = set.filter_map(|set| Some((set.id, set.armed.clone()?)));
        let exceptions = self.of_exceptions.iter().map(|breakpoint| (0, breakpoint.clone()));
        numbered.chain(exceptions).filter(|(_, breakpoint)| is_wanted(breakpoint)).collect()
    }
}

impl Adapter {
    pub fn set_breakpoints(&mut self, arguments: SetBreakpointsArguments) -> Result<Value, Refusal> {
        let file = self.sources.file_of(&arguments.source)?;
        let before = self.breakpoints.of_files.remove(&file).unwrap_or_default();
        let mut on_lines = Vec::new();
        let mut shown = Vec::new();
        for mut wanted in arguments.breakpoints {
            wanted.line = self.line_in(wanted.line);
            let id = self.breakpoints.number();
            let (set, told) = self.set_on_line(id, &file, &wanted, &arguments.source);
            // What was printed is not printed again because another line got a breakpoint.
            let is_new = before.iter().all(|known| known.wanted != wanted);
            let on = OnLine { set, source: arguments.source.clone(), wanted };
            if is_new {
                self.print_log_point(&on);
            }
            on_lines.push(on);
            shown.push(told);
        }
        self.breakpoints.of_files.insert(file, on_lines);
        Ok(json!({"breakpoints": shown}))
    }

    /// Of a program that runs, when it has ended: then nothing is printed twice.
    pub fn print_log_points(&self) {
        self.breakpoints.of_files.values().flatten().for_each(|on| self.print_log_point(on));
    }

    fn print_log_point(&self, on: &OnLine) {
        if self.is_running() {
            return;
        }
        if let (Some(message), Some(armed)) = (&on.wanted.log_message, &on.set.armed) {
            self.print_hits(armed, message, Some(&on.source));
        }
    }

    fn set_on_line(&self, id: i64, file: &str, wanted: &SourceBreakpoint, source: &Source) -> (Set, BreakpointShown) {
        let (line, checked) = match self.check_line(file, wanted.line) {
            // Where there is no code, the nearest line that has some is meant.
            Err((_, Some(nearest))) => (nearest, self.check_line(file, nearest)),
            checked => (wanted.line, checked),
        };
        let shown = |verified, message| BreakpointShown {
            id,
            verified,
            message,
            source: Some(source.clone()),
            line: Some(self.line_out(line)),
        };
        let hits = match count_of(wanted.hit_condition.as_deref()) {
            Ok(hits) => hits,
            Err(why) => return (Set { id, armed: None, name: None }, shown(false, Some(why))),
        };
        match checked {
            Ok(message) => {
                let armed = Breakpoint { at: on_line(file, line), condition: some(&wanted.condition), hits };
                (Set { id, armed: Some(armed), name: None }, shown(true, Some(message)))
            }
            Err((why, _)) => (Set { id, armed: None, name: None }, shown(false, Some(why))),
        }
    }

    /// How often a line was executed; or why never, and which line is near that has code.
    fn check_line(&self, file: &str, line: u32) -> Result<String, (String, Option<u32>)> {
        let open = self.opened().map_err(|refusal| (refusal.sentence, None))?;
        open.still_there().map_err(|refusal| (refusal.sentence, None))?;
        let point = PointText::Line { file: file.into(), line, column: None, hit: None };
        match open.looking.ask(&Question::at(QuestionKind::Here, Some(point)), &self.control) {
            Ok(reply) => match reply.answer {
                // What failed on a line may be the first that would have emitted an event.
                Answer::Here(_) => Ok(executed(self.n_hits(&on_line(file, line)).unwrap_or(0).max(1))),
                _ => Err((String::new(), None)),
            },
            Err(error @ Error::NoCode { nearest, .. }) => Err((error.to_string(), nearest)),
            Err(error) => Err((error.to_string(), None)),
        }
    }

    pub fn set_function_breakpoints(&mut self, arguments: SetFunctionBreakpointsArguments) -> Result<Value, Refusal> {
        self.breakpoints.of_functions.clear();
        let mut shown = Vec::new();
        for wanted in arguments.breakpoints {
            let id = self.breakpoints.number();
            let (set, told) = self.set_on_function(id, &wanted);
            self.breakpoints.of_functions.push(OnFunction { set, wanted });
            shown.push(told);
        }
        Ok(json!({"breakpoints": shown}))
    }

    fn set_on_function(&self, id: i64, wanted: &FunctionBreakpoint) -> (Set, BreakpointShown) {
        let at = BreakAt::Call { function: wanted.name.clone() };
        let armed = count_of(wanted.hit_condition.as_deref()).and_then(|hits| {
            let n_calls = self.n_hits(&at)?;
            Ok((called(n_calls), Breakpoint { at, condition: some(&wanted.condition), hits }))
        });
        let verified = armed.is_ok();
        let (message, armed) = match armed {
            Ok((message, armed)) => (message, Some(armed)),
            Err(why) => (why, None),
        };
        let shown = BreakpointShown { id, verified, message: Some(message), ..BreakpointShown::default() };
        (Set { id, armed, name: None }, shown)
    }

    /// How often control came somewhere, in all threads that have it.
    fn n_hits(&self, at: &BreakAt) -> Result<u64, String> {
        let open = self.opened().map_err(|refusal| refusal.sentence)?;
        let of = Breakpoint { at: at.clone(), condition: None, hits: None };
        let (mut n_hits, mut refused) = (None, None);
        for thread in 1..=open.n_threads() {
            let kind = QuestionKind::Hits { of: of.clone(), values: Vec::new(), page: PageRequest::first(0) };
            match self.ask(kind, open.place(thread)).map(|reply| reply.answer) {
                Ok(Answer::Hits(hits)) => n_hits = Some(n_hits.unwrap_or(0) + hits.n_all.unwrap_or(0)),
                Ok(_) => {}
                Err(refusal) => refused = refused.or(Some(refusal.sentence)),
            }
        }
        n_hits.ok_or_else(|| refused.unwrap_or_default())
    }

    pub fn set_exception_breakpoints(
        &mut self,
        arguments: &SetExceptionBreakpointsArguments,
    ) -> Result<Value, Refusal> {
        let at = |filter: &String| match filter.as_str() {
            EVERYTHING_THROWN => Some(BreakAt::Throw),
            FAILURE => Some(BreakAt::Failure),
            _ => None,
        };
        let armed = arguments.filters.iter().filter_map(at);
        self.breakpoints.of_exceptions = armed.map(|at| Breakpoint { at, condition: None, hits: None }).collect();
        Ok(json!({}))
    }

    /// The program was run again: what is there may be elsewhere now.
    pub fn arm_again(&mut self) {
        // A place is one of the run that it was named in.
        for set in &mut self.breakpoints.of_data {
            set.armed = None;
            let gone = BreakpointShown {
                id: set.id,
                message: Some("the place is one of the run before: name it again in this one".into()),
                ..BreakpointShown::default()
            };
            self.out.event("breakpoint", json!({"reason": "changed", "breakpoint": gone}));
        }
        self.arm_files_and_functions();
        self.print_log_points();
    }

    /// What is there may be elsewhere, or more often, than it was.
    pub fn arm_files_and_functions(&mut self) {
        let files: Vec<String> = self.breakpoints.of_files.keys().cloned().collect();
        for file in files {
            let mut on_lines = self.breakpoints.of_files.remove(&file).unwrap_or_default();
            for on in &mut on_lines {
                let (set, shown) = self.set_on_line(on.set.id, &file, &on.wanted, &on.source);
                on.set = set;
                self.tell_changed(&shown);
            }
            self.breakpoints.of_files.insert(file, on_lines);
        }
        let mut on_functions = std::mem::take(&mut self.breakpoints.of_functions);
        for on in &mut on_functions {
            let (set, shown) = self.set_on_function(on.set.id, &on.wanted);
            on.set = set;
            self.tell_changed(&shown);
        }
        self.breakpoints.of_functions = on_functions;
    }

    fn tell_changed(&self, shown: &BreakpointShown) {
        self.out.event("breakpoint", json!({"reason": "changed", "breakpoint": shown}));
    }

    /// Where threads are asked one after the other.
    pub fn place_in(&self, thread: usize) -> Where {
        self.open.as_ref().map(|open| open.place(thread)).unwrap_or_default()
    }
}

pub fn count_of(text: Option<&str>) -> Result<Option<HitCount>, String> {
    text.map(str::trim).filter(|text| !text.is_empty()).map(str::parse).transpose()
}

/// An empty condition is none.
pub fn some(text: &Option<String>) -> Option<String> {
    text.clone().filter(|text| !text.trim().is_empty())
}

pub fn on_line(file: &str, line: u32) -> BreakAt {
    BreakAt::Line { file: file.into(), line }
}

fn executed(n_times: u64) -> String {
    format!("executed {}", times(n_times))
}

fn called(n_times: u64) -> String {
    format!("called {}", times(n_times))
}

fn times(n_times: u64) -> String {
    match n_times {
        0 => "never".into(),
        1 => "once".into(),
        n_times => format!("{n_times} times"),
    }
}
