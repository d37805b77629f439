//! What could have been done to an object, and was not: the omission finder (Sakurai and Masuhara, 2015).
//!
//! Three steps, as in the paper. *Use sites*: the operations that may meet an object born where this one was ([`use_sites`]).
//! *Call chains*: the ways of at most so many calls from a function to one that holds a use site ([`ways_to`]). *Dominant jumps*:
//! the decisions of an execution from which only unexecuted code leads to the operation, or to the call that begins the way
//! there ([`kept_from`]).
//!
//! The paper follows paths of the control flow graph through instructions that were not executed. Here a place is asked what it
//! depends on, by control dependence. That is the same: where a decision leads only through unexecuted code to a place, the
//! place depends on that decision, or on one that was not reached and depends on it in turn.
//!
//! Beyond the paper, an execution is looked at in parts: while a name stood for the object (one time round a loop, say), so that
//! an operation that was performed for its siblings only is found too; and what is no branch can keep control from a place:
//! an exception, an `await` that nothing ended, a call that chose another function, a callback that nobody called.
//!
//! What is missing from the source altogether leaves no operation to look for. Then the places are told that could have had it: where
//! something else was changed that changes together with the thing at other times ([`companions`]), where an object was made
//! without a property, and where something became nothing and stayed so.
//!
//! All of it works on a call graph, a points-to relation and control dependences that a language brings as plain data, and asks
//! the run through [`History`]. It knows no language.

mod activity;
mod asking;
mod companions;
mod jumps;
mod places;
mod program;
mod ranking;
mod recorded;
mod related;
#[cfg(test)]
mod tests;
mod ways;

use trace_model::{
    CallHow, Dependence, EventId, FrameId, LocalSite, MayCall, OperationKind, ProgramFacts, ProgramFunction, Span,
};

pub use asking::Asking;
pub use companions::{ChangeInFrame, Changes};
pub use program::Program;
pub use ranking::MOST_TIMES;
pub use recorded::Recorded;
pub use related::About;
pub use ways::{Way, Ways, use_sites, ways_to};

use jumps::kept_from;

/// Something that should have happened.
#[derive(Clone, PartialEq, Debug)]
pub struct Wanted {
    pub function: ProgramFunction,
    pub span: Span,
    /// The part that stands for the object.
    pub object: Span,
    pub kind: WantedKind,
    /// How many other objects could be meant by it.
    pub n_objects: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WantedKind {
    Operation(OperationKind),
    /// Control should have come to the place, whatever is done there.
    Reached,
    /// The place should have done more than it did: it changed, made or took something.
    More,
}

/// A part of an execution of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Execution {
    pub frame: FrameId,
    /// Only what happened behind this event and before the other is looked at.
    pub after: Option<EventId>,
    pub before: EventId,
    /// Whether a name of the function stood for the object meanwhile.
    pub has_object: bool,
}

/// What a run tells of the past, as far as the finder asks.
pub trait History {
    /// These ways will be asked about.
    fn prepare(&self, _ways: &[Way]) {}
    /// The executions of a function that matter, the most telling first.
    fn executions(&self, function: ProgramFunction) -> Vec<Execution>;
    /// Whether a function has executions that are not looked at.
    fn has_older(&self, _function: ProgramFunction) -> bool {
        false
    }
    /// How often the code in a place was executed; `None` if no event would tell.
    fn n_times(&self, execution: &Execution, function: ProgramFunction, span: Span) -> Option<u64>;
    /// What decides whether control comes to a place.
    fn dependences(&self, function: ProgramFunction, span: Span) -> Vec<Dependence>;
    /// What decides whether control comes to a branch.
    fn dependences_of(&self, function: ProgramFunction, branch: LocalSite) -> Vec<Dependence>;
    /// The ways that control took at a branch.
    fn decisions(&self, execution: &Execution, function: ProgramFunction, branch: LocalSite) -> Option<Decisions>;
    /// How an execution was left.
    fn ending(&self, execution: &Execution) -> Ending;
    /// The call in a place, and the functions that it led to.
    fn called(
        &self,
        execution: &Execution,
        function: ProgramFunction,
        span: Span,
    ) -> Option<(EventId, Vec<ProgramFunction>)>;
    /// The newest time that the call in a place led to another function.
    fn led_elsewhere(
        &self,
        _execution: &Execution,
        _function: ProgramFunction,
        _span: Span,
        _callee: ProgramFunction,
    ) -> Option<EventId> {
        None
    }
    /// The executions of a function as wholes, since the object was there, whatever stood for it there.
    fn wholes(&self, _function: ProgramFunction) -> Vec<Execution> {
        Vec::new()
    }
    fn was_entered(&self, function: ProgramFunction) -> bool;
    /// How often an operation was performed on the object, and on others that were born in the same place.
    fn performed(&self, function: ProgramFunction, span: Span) -> Performed;
    /// Whether a function is code of the project, not of a library.
    fn is_project(&self, function: ProgramFunction) -> bool;
    /// How the thing in question and what belongs with it were changed.
    fn changes(&self) -> Changes;
    /// Where the object was made.
    fn made(&self) -> Option<Moment>;
    /// Where the thing in question became nothing, if it is nothing.
    fn became_nothing(&self) -> Option<Moment>;
}

/// An event, and the code that it is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    pub at: EventId,
    pub function: ProgramFunction,
    pub span: Span,
}

/// What happened at a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decisions {
    pub newest: EventId,
    /// The newest time that control went each way.
    pub newest_true: Option<EventId>,
    pub newest_false: Option<EventId>,
    pub is_loop: bool,
    /// Whether it chooses among many ways, and which it took is not told.
    pub is_choice: bool,
}

impl Decisions {
    /// Whether control went this way once.
    pub fn goes(&self, way: trace_model::Way) -> bool {
        match way {
            trace_model::Way::True => self.newest_true.is_some(),
            trace_model::Way::False => self.newest_false.is_some(),
            trace_model::Way::Any => !self.is_choice,
        }
    }

    /// The newest time that control did not go this way.
    pub fn newest_against(&self, way: trace_model::Way) -> Option<EventId> {
        match way {
            trace_model::Way::True => self.newest_false,
            trace_model::Way::False => self.newest_true,
            trace_model::Way::Any => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It came to its end.
    Completed,
    /// An exception left it behind this event.
    Threw(EventId),
    /// It waits for ever behind this event.
    Waits(EventId),
    Unknown,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Performed {
    pub on_this: u64,
    pub on_siblings: u64,
    pub n_siblings: u64,
    pub on_others: u64,
}

impl Performed {
    /// Whether it was performed, and more often on each of its siblings, taken together.
    pub fn is_fewer_than_siblings(&self) -> bool {
        self.on_this > 0 && self.on_this * self.n_siblings < self.on_siblings
    }
}

/// What kept an operation from being performed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// A decision went the other way.
    Branch,
    /// A loop that performed it ended.
    LoopEnded,
    /// An exception skipped it.
    Exception,
    /// The function waits, and was never resumed.
    NeverResumed,
    /// A call chose another function.
    OtherFunction,
    /// The function was handed out to be called, and nobody called it.
    NeverCalled,
    /// Something that changes together with it was changed alone.
    LeftBehind,
    /// The object was made without it.
    MadeWithout,
    /// It became nothing, and nothing was written since. Whether somebody checked it is not known.
    BecameNothing,
}

/// An operation that was not performed, and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Omission {
    pub wanted: Wanted,
    pub reason: Reason,
    /// The decision, the call, or what the execution did last.
    pub at: EventId,
    /// The branch, where it is one.
    pub branch: Option<LocalSite>,
    /// What else was kept from being done there.
    pub also: Vec<Wanted>,
    /// The function that the decision is in.
    pub function: ProgramFunction,
    /// The calls from there to the operation.
    pub calls: Vec<MayCall>,
    pub has_object: bool,
    /// Whether the same execution did it at another time.
    pub is_partial: bool,
    pub performed: Performed,
    /// How many more executions were kept from it in the same place.
    pub n_more: usize,
    /// Of what was left behind: how often both changed together.
    pub n_together: usize,
    /// Small is good.
    pub cost: f64,
}

impl Omission {
    /// Whether all that leads there was seen to happen, for other objects or at other times.
    pub fn is_observed(&self) -> bool {
        let performed = self.performed.on_siblings + self.performed.on_others + self.performed.on_this > 0;
        self.has_object && performed
    }
}

/// What was not done, best first, and what was not looked at.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FoundOmissions {
    pub omissions: Vec<Omission>,
    pub limits: Vec<Limit>,
}

/// Something that was not looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// More ways of calls lead to what could have been done than were followed.
    Ways,
    /// Of functions that are told of, only the newest executions.
    Executions,
}

pub fn find(program: &ProgramFacts, history: &dyn History, wanted: &[Wanted], expected: &Expected) -> FoundOmissions {
    let Ways { ways, is_cut } = ways_to(program, wanted, expected.most_calls);
    history.prepare(&ways);
    let mut found = Vec::new();
    for way in &ways {
        begin(history, way, &mut found);
    }
    if expected.is_about_state {
        found.extend(companions::left_behind(&history.changes()));
        found.extend(history.made().filter(|_| expected.is_absent).map(|made| lacking(made, Reason::MadeWithout)));
        found.extend(history.became_nothing().map(|moment| lacking(moment, Reason::BecameNothing)));
    }
    let omissions = ranking::ranked(history, found, expected);
    let has_older = omissions.iter().any(|omission| history.has_older(omission.function));
    let limits = [(Limit::Ways, is_cut), (Limit::Executions, has_older)];
    FoundOmissions {
        omissions,
        limits: limits.into_iter().filter_map(|(limit, is_hit)| is_hit.then_some(limit)).collect(),
    }
}

/// A place whose code should have done more.
fn lacking(moment: Moment, reason: Reason) -> Omission {
    let Moment { at, function, span } = moment;
    Omission {
        wanted: Wanted { function, span, object: span, kind: WantedKind::More, n_objects: 1 },
        reason,
        at,
        branch: None,
        also: Vec::new(),
        function,
        calls: Vec::new(),
        has_object: true,
        is_partial: false,
        performed: Performed::default(),
        n_more: 0,
        n_together: 0,
        cost: 0.0,
    }
}

/// What the person expects to have happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    /// The property that should be another.
    pub key: Option<String>,
    /// Of a collection, its contents.
    pub is_contents: bool,
    /// Whether it is about a state that should be another, not about a place that control should have come to.
    pub is_about_state: bool,
    /// Whether the property is not there at all.
    pub is_absent: bool,
    pub most_calls: usize,
}

impl Expected {
    /// That control comes somewhere, and nothing more.
    pub fn nothing(most_calls: usize) -> Expected {
        Expected { key: None, is_contents: false, is_about_state: false, is_absent: false, most_calls }
    }
}

/// The longest call chain, as the paper has it.
pub const MOST_CALLS: usize = 5;

/// The executions of the function in which a way begins: what kept each from going it.
fn begin(history: &dyn History, way: &Way, found: &mut Vec<Omission>) {
    let head = way.head();
    let performed = history.performed(way.wanted.function, way.wanted.span);
    let omission_in = |execution: &Execution, reason, at, branch| Omission {
        wanted: way.wanted.clone(),
        reason,
        at,
        branch,
        also: Vec::new(),
        function: head,
        calls: way.calls.clone(),
        has_object: execution.has_object,
        is_partial: false,
        performed,
        n_more: 0,
        n_together: 0,
        cost: 0.0,
    };
    let is_passed_over = performed.on_this == 0 && performed.on_siblings > 0;
    // The call that chose another function need not have had a name for the object: it may lie deep in what was called.
    if let Some(call) = way.calls.first().filter(|call| call.how == CallHow::Direct && is_passed_over) {
        for execution in history.wholes(head) {
            let elsewhere = history.led_elsewhere(&execution, head, way.head_span(), call.callee);
            found.extend(elsewhere.map(|at| omission_in(&execution, Reason::OtherFunction, at, None)));
        }
    }
    // A loop that went over others and ended before it came to this one had no name for it.
    if performed.on_this == 0 && performed.on_siblings + performed.on_others > 0 {
        for execution in history.wholes(head) {
            let ended = jumps::ended_loop(history, &execution, head, way.head_span());
            found.extend(ended.map(|ended| omission_in(&execution, Reason::LoopEnded, ended.at, ended.branch)));
        }
    }
    for execution in history.executions(head) {
        let omission = |reason, at, branch| omission_in(&execution, reason, at, branch);
        match history.n_times(&execution, head, way.head_span()) {
            // Whether it ran cannot be told, so nothing is.
            None => {}
            Some(0) => {
                let kept = kept_from(history, &execution, head, way.head_span());
                found.extend(kept.into_iter().map(|kept| omission(kept.reason, kept.at, kept.branch)));
            }
            Some(_) => {
                let entered = way.calls.first().map(|call| (call, history.called(&execution, head, way.head_span())));
                match entered {
                    Some((call, called)) => {
                        let Some((at, callees)) = called else { continue };
                        let is_entered = callees.contains(&call.callee);
                        match call.how {
                            CallHow::Direct | CallHow::ByName if !is_entered && !callees.is_empty() => {
                                found.push(omission(Reason::OtherFunction, at, None));
                                continue;
                            }
                            CallHow::Later if !history.was_entered(call.callee) => {
                                found.push(omission(Reason::NeverCalled, at, None));
                                continue;
                            }
                            // Its siblings got what this one did not, by the same call.
                            CallHow::Direct if is_passed_over => {
                                let elsewhere = history.led_elsewhere(&execution, head, way.head_span(), call.callee);
                                found.extend(elsewhere.map(|at| omission(Reason::OtherFunction, at, None)));
                            }
                            CallHow::Direct | CallHow::ByName | CallHow::Later => {}
                        }
                    }
                    None => {
                        let ended = jumps::ended_loop(history, &execution, head, way.head_span());
                        found.extend(ended.map(|ended| omission(Reason::LoopEnded, ended.at, ended.branch)));
                    }
                }
                // It was done, and not every time that it could have been.
                let declined = jumps::declined(history, &execution, head, way.head_span());
                found.extend(declined.into_iter().map(|declined| Omission {
                    is_partial: true,
                    ..omission(Reason::Branch, declined.at, declined.branch)
                }));
            }
        }
    }
}
