//! The finder on programs that are drawn by hand: no language, no recording.

use std::collections::HashMap;

use trace_model::{
    BirthId, BirthSet, CallHow, Certainty, CodeFunction, CodeIndex, CodeSpan, Dependence, EventId, FrameId,
    FunctionIndex, LocalSite, MayBirth, MayCall, Operation, OperationKind, ProgramFacts, ProgramFunction, Span, Way,
};

use super::{
    ChangeInFrame, Changes, Decisions, Ending, Execution, Expected, History, Limit, MOST_CALLS, Moment, Omission,
    Performed, Reason, Wanted, WantedKind, use_sites, ways_to,
};

const MAIN: ProgramFunction = ProgramFunction(0);
const RUN: ProgramFunction = ProgramFunction(1);
const PRINT_ITEMS: ProgramFunction = ProgramFunction(2);
const ADD_ITEM: ProgramFunction = ProgramFunction(3);
const ADD_NEW_ITEM: ProgramFunction = ProgramFunction(4);

const LIST: BirthId = BirthId(0);
const ARGS: BirthId = BirthId(1);

/// A line stands for the place of its code.
fn line(number: u32) -> Span {
    Span { start: number * 10, end: number * 10 + 9 }
}

/// Figure 2 of the paper, with its pointer assignment graph and its call graph (Figure 7).
fn file_lister() -> ProgramFacts {
    let call = |caller, at, callee| MayCall {
        caller,
        span: line(at),
        callee,
        how: CallHow::Direct,
        certainty: Certainty::May,
    };
    let operation = |function, at, kind, objects| Operation {
        function,
        span: line(at),
        object: line(at),
        kind,
        objects: BirthSet(objects),
    };
    let birth = |at| MayBirth { at: CodeSpan { code: CodeIndex(0), span: line(at) }, function: RUN };
    ProgramFacts {
        functions: (0..5).map(|i| CodeFunction { code: CodeIndex(0), function: FunctionIndex(i) }).collect(),
        calls: vec![call(MAIN, 7, RUN), call(RUN, 12, ADD_ITEM), call(RUN, 13, PRINT_ITEMS)],
        births: vec![birth(17), birth(18)],
        sets: vec![vec![LIST], vec![ARGS]],
        operations: vec![
            operation(RUN, 22, OperationKind::Change("add".into()), 1),
            operation(ADD_ITEM, 27, OperationKind::Change("add".into()), 0),
            operation(PRINT_ITEMS, 31, OperationKind::Read(Some("toString".into())), 0),
            operation(ADD_NEW_ITEM, 33, OperationKind::Change("add".into()), 0),
        ],
        limits: Vec::new(),
    }
}

/// What happened, written down.
#[derive(Default)]
struct Drawn {
    executions: HashMap<ProgramFunction, Vec<Execution>>,
    executed: Vec<(FrameId, Span, u64)>,
    depends_on: HashMap<Span, Vec<Dependence>>,
    branch_depends_on: HashMap<LocalSite, Vec<Dependence>>,
    decided: HashMap<(FrameId, LocalSite), Decisions>,
    endings: HashMap<FrameId, Ending>,
    called: HashMap<Span, (EventId, Vec<ProgramFunction>)>,
    performed: HashMap<Span, Performed>,
    /// Whether no event tells what was executed.
    tells_nothing: bool,
    changes: Changes,
    made: Option<Moment>,
    nothing_since: Option<Moment>,
}

impl Drawn {
    fn frame(mut self, function: ProgramFunction, frame: u32) -> Drawn {
        let execution = Execution { frame: FrameId(frame), after: None, before: EventId(1000), has_object: false };
        self.executions.entry(function).or_default().push(execution);
        self
    }

    fn ran(mut self, frame: u32, at: u32) -> Drawn {
        self.executed.push((FrameId(frame), line(at), 1));
        self
    }

    fn depends(mut self, at: u32, branch: u32, way: Way) -> Drawn {
        self.depends_on.entry(line(at)).or_default().push(Dependence { branch: LocalSite(branch), way });
        self
    }

    fn branch_depends(mut self, branch: u32, on: u32, way: Way) -> Drawn {
        let dependence = Dependence { branch: LocalSite(on), way };
        self.branch_depends_on.entry(LocalSite(branch)).or_default().push(dependence);
        self
    }

    fn decided(mut self, frame: u32, branch: u32, at: u64, ways: &[bool]) -> Drawn {
        let decisions = Decisions {
            newest: EventId(at),
            newest_true: ways.contains(&true).then_some(EventId(at)),
            newest_false: ways.contains(&false).then_some(EventId(at)),
            is_loop: ways.len() > 1,
            is_choice: false,
        };
        self.decided.insert((FrameId(frame), LocalSite(branch)), decisions);
        self
    }
}

impl History for Drawn {
    fn executions(&self, function: ProgramFunction) -> Vec<Execution> {
        self.executions.get(&function).cloned().unwrap_or_default()
    }

    fn n_times(&self, execution: &Execution, _: ProgramFunction, span: Span) -> Option<u64> {
        let ran = self.executed.iter().filter(|(frame, at, _)| (*frame, *at) == (execution.frame, span));
        (!self.tells_nothing).then(|| ran.map(|(_, _, times)| times).sum())
    }

    fn dependences(&self, _: ProgramFunction, span: Span) -> Vec<Dependence> {
        self.depends_on.get(&span).cloned().unwrap_or_default()
    }

    fn dependences_of(&self, _: ProgramFunction, branch: LocalSite) -> Vec<Dependence> {
        self.branch_depends_on.get(&branch).cloned().unwrap_or_default()
    }

    fn decisions(&self, execution: &Execution, _: ProgramFunction, branch: LocalSite) -> Option<Decisions> {
        self.decided.get(&(execution.frame, branch)).copied()
    }

    fn ending(&self, execution: &Execution) -> Ending {
        self.endings.get(&execution.frame).copied().unwrap_or(Ending::Completed)
    }

    fn called(&self, _: &Execution, _: ProgramFunction, span: Span) -> Option<(EventId, Vec<ProgramFunction>)> {
        self.called.get(&span).cloned()
    }

    fn was_entered(&self, function: ProgramFunction) -> bool {
        self.executions.contains_key(&function)
    }

    fn performed(&self, _: ProgramFunction, span: Span) -> Performed {
        self.performed.get(&span).copied().unwrap_or_default()
    }

    fn is_project(&self, _: ProgramFunction) -> bool {
        true
    }

    fn changes(&self) -> Changes {
        self.changes.clone()
    }

    fn made(&self) -> Option<Moment> {
        self.made
    }

    fn became_nothing(&self) -> Option<Moment> {
        self.nothing_since
    }
}

fn contents() -> Expected {
    Expected { is_contents: true, is_about_state: true, ..Expected::nothing(MOST_CALLS) }
}

fn told(omissions: &[Omission]) -> Vec<(Reason, u64, u32)> {
    omissions.iter().map(|found| (found.reason, found.at.0, found.wanted.span.start / 10)).collect()
}

fn reached(function: ProgramFunction, at: u32) -> Wanted {
    Wanted { function, span: line(at), object: line(at), kind: WantedKind::Reached, n_objects: 1 }
}

fn find(program: &ProgramFacts, history: &Drawn, wanted: &[Wanted], expected: &Expected) -> Vec<Omission> {
    super::find(program, history, wanted, expected).omissions
}

#[test]
fn use_sites_are_those_of_the_same_birth() {
    let program = file_lister();
    let lines =
        |reads| use_sites(&program, &[LIST], None, reads).iter().map(|one| one.span.start / 10).collect::<Vec<_>>();
    assert_eq!(lines(true), [27, 31, 33]);
    assert_eq!(lines(false), [27, 33]);
}

#[test]
fn chains_are_those_of_the_paper() {
    let program = file_lister();
    let wanted = use_sites(&program, &[LIST], None, true);
    let chains: Vec<(Vec<u32>, u32)> = ways_to(&program, &wanted, MOST_CALLS)
        .ways
        .iter()
        .map(|way| (way.calls.iter().map(|call| call.caller.0).collect(), way.wanted.function.0))
        .collect();
    let expected: [(&[u32], u32); 7] = [(&[], 3), (&[], 2), (&[], 4), (&[1], 3), (&[0, 1], 3), (&[1], 2), (&[0, 1], 2)];
    assert_eq!(chains, expected.map(|(calls, end)| (calls.to_vec(), end)));
    assert!(ways_to(&program, &wanted, 1).ways.iter().all(|way| way.calls.len() <= 1));
}

#[test]
fn the_balloon_of_figure_6() {
    let program = file_lister();
    let history = Drawn::default()
        .frame(MAIN, 1)
        .frame(RUN, 2)
        .frame(PRINT_ITEMS, 3)
        .ran(1, 7)
        .ran(2, 13)
        .depends(12, 0, Way::True)
        .decided(2, 0, 17, &[false]);
    let found = find(&program, &history, &use_sites(&program, &[LIST], None, false), &contents());
    assert_eq!(told(&found), [(Reason::Branch, 17, 27)]);
    assert_eq!(found[0].calls.len(), 1);
}

/// Figure 8 (b): the jump that is nearest to the place, not those further up that went the right way, nor those behind it that
/// were not reached.
#[test]
fn dominant_jumps_of_figure_8() {
    let program = ProgramFacts {
        functions: vec![CodeFunction { code: CodeIndex(0), function: FunctionIndex(0) }],
        ..ProgramFacts::default()
    };
    let history = Drawn::default()
        .frame(MAIN, 1)
        .depends(12, 3, Way::True)
        .branch_depends(3, 2, Way::True)
        .branch_depends(2, 1, Way::True)
        .decided(1, 1, 10, &[true])
        .decided(1, 2, 20, &[false]);
    let found = find(&program, &history, &[reached(MAIN, 12)], &contents());
    assert_eq!(told(&found), [(Reason::Branch, 20, 12)]);
}

#[test]
fn an_exception_skips_what_no_branch_decides() {
    let program = file_lister();
    let mut history = Drawn::default().frame(RUN, 2);
    history.endings.insert(FrameId(2), Ending::Threw(EventId(40)));
    let found = find(&program, &history, &[reached(RUN, 13)], &contents());
    assert_eq!(told(&found), [(Reason::Exception, 40, 13)]);
    history.endings.insert(FrameId(2), Ending::Waits(EventId(41)));
    let found = find(&program, &history, &[reached(RUN, 13)], &contents());
    assert_eq!(told(&found), [(Reason::NeverResumed, 41, 13)]);
}

#[test]
fn a_call_that_chose_another_function() {
    let mut program = file_lister();
    program.calls.push(MayCall { callee: ADD_NEW_ITEM, ..program.calls[1] });
    let mut history = Drawn::default().frame(RUN, 2).ran(2, 12).frame(ADD_ITEM, 3).ran(3, 27);
    history.called.insert(line(12), (EventId(50), vec![ADD_ITEM]));
    let wanted: Vec<Wanted> = use_sites(&program, &[LIST], None, false);
    let found = find(&program, &history, &wanted, &contents());
    assert_eq!(told(&found), [(Reason::OtherFunction, 50, 33)]);
}

#[test]
fn a_callback_that_nobody_called() {
    let mut program = file_lister();
    program.calls[1].how = CallHow::Later;
    let mut history = Drawn::default().frame(RUN, 2).ran(2, 12);
    history.called.insert(line(12), (EventId(50), Vec::new()));
    let found = find(&program, &history, &use_sites(&program, &[LIST], None, false), &contents());
    assert_eq!(told(&found), [(Reason::NeverCalled, 50, 27)]);
}

#[test]
fn what_siblings_got_comes_first_and_a_loop_that_ended_last() {
    let program = file_lister();
    let mut history = Drawn::default()
        .frame(ADD_ITEM, 3)
        .ran(3, 27)
        .depends(27, 5, Way::True)
        .decided(3, 5, 60, &[true, false])
        .frame(ADD_NEW_ITEM, 4)
        .depends(33, 6, Way::True)
        .decided(4, 6, 61, &[false]);
    history.performed.insert(line(27), Performed { on_this: 3, ..Performed::default() });
    history.performed.insert(line(33), Performed { on_siblings: 4, n_siblings: 2, ..Performed::default() });
    let found = find(&program, &history, &use_sites(&program, &[LIST], None, false), &contents());
    assert_eq!(told(&found), [(Reason::Branch, 61, 33), (Reason::LoopEnded, 60, 27)]);
}

#[test]
fn what_cannot_be_seen_is_not_told() {
    let history = Drawn::default().frame(RUN, 2).depends(12, 0, Way::True).decided(2, 0, 17, &[false]);
    let history = Drawn { tells_nothing: true, ..history };
    let program = file_lister();
    assert_eq!(find(&program, &history, &use_sites(&program, &[LIST], None, false), &contents()), []);
}

fn moment(function: ProgramFunction, at: u64, place: u32) -> Moment {
    Moment { at: EventId(at), function, span: line(place) }
}

fn change(moment: Moment, frame: u32, caller: u32, of: u32) -> ChangeInFrame {
    ChangeInFrame { moment, frame: FrameId(frame), caller: Some(FrameId(caller)), of }
}

#[test]
fn what_changes_together_and_was_changed_alone_stands_out() {
    // Frame 2 fills a table and its index, frame 3 does so by a function that it calls, frame 5 empties the table alone.
    let changes = Changes {
        own: vec![change(moment(ADD_ITEM, 11, 27), 2, 1, 0), change(moment(ADD_NEW_ITEM, 21, 33), 4, 3, 0)],
        companions: vec![
            change(moment(ADD_ITEM, 10, 26), 2, 1, 7),
            change(moment(RUN, 20, 12), 3, 1, 7),
            change(moment(PRINT_ITEMS, 50, 31), 5, 1, 7),
            change(moment(PRINT_ITEMS, 60, 32), 6, 9, 8),
        ],
    };
    let history = Drawn { changes, ..Drawn::default() };
    let found = find(&file_lister(), &history, &[], &contents());
    // What was never changed together with it does not belong with it.
    assert_eq!(told(&found), [(Reason::LeftBehind, 50, 31)]);
    assert_eq!(found.iter().map(|found| found.n_together).collect::<Vec<_>>(), [2]);
}

#[test]
fn what_was_changed_before_the_thing_was_there_left_nothing_behind() {
    let changes = Changes {
        own: vec![change(moment(ADD_ITEM, 100, 27), 2, 1, 0)],
        companions: vec![change(moment(RUN, 20, 12), 3, 1, 7)],
    };
    let history = Drawn { changes, ..Drawn::default() };
    assert_eq!(find(&file_lister(), &history, &[], &contents()), []);
}

#[test]
fn an_object_that_was_made_without_a_property_leads_to_where_it_was_made() {
    let history = Drawn { made: Some(moment(RUN, 5, 17)), ..Drawn::default() };
    let absent = Expected { key: Some("size".into()), is_absent: true, is_contents: false, ..contents() };
    let found = find(&file_lister(), &history, &[], &absent);
    assert_eq!(told(&found), [(Reason::MadeWithout, 5, 17)]);
    assert_eq!(find(&file_lister(), &history, &[], &contents()), []);
}

#[test]
fn what_became_nothing_is_told_but_not_of_a_line() {
    let history = Drawn { nothing_since: Some(moment(RUN, 8, 12)), ..Drawn::default() };
    assert_eq!(told(&find(&file_lister(), &history, &[], &contents())), [(Reason::BecameNothing, 8, 12)]);
    assert_eq!(find(&file_lister(), &history, &[], &Expected::nothing(MOST_CALLS)), []);
}

#[test]
fn another_function_of_the_name_is_supposed_once_only() {
    let mut program = file_lister();
    program.calls[1].how = CallHow::ByName;
    let ways = ways_to(&program, &[reached(ADD_ITEM, 27)], MOST_CALLS).ways;
    let heads: Vec<ProgramFunction> = ways.iter().map(|way| way.head()).collect();
    assert_eq!(heads, [ADD_ITEM, RUN]);
}

#[test]
fn an_operation_that_nothing_comes_to_is_met_by_its_name() {
    let mut program = file_lister();
    program.sets.push(Vec::new());
    let place = |at, name: &str| Operation {
        function: ADD_ITEM,
        span: line(at),
        object: line(at),
        kind: OperationKind::Write(Some(name.into())),
        objects: BirthSet(2),
    };
    program.operations = vec![place(28, "size"), place(29, "name")];
    let found = use_sites(&program, &[LIST], Some("size"), false);
    assert_eq!(found.iter().map(|one| one.span.start / 10).collect::<Vec<_>>(), [28]);
}

#[test]
fn ways_that_were_not_followed_are_told() {
    let mut program = file_lister();
    let wanted = [reached(ADD_ITEM, 27)];
    let limits = |program: &ProgramFacts| super::find(program, &Drawn::default(), &wanted, &contents()).limits;
    assert_eq!(limits(&program), []);
    let call = program.calls.iter().find(|call| call.callee == ADD_ITEM).copied().expect("somebody calls it");
    program.calls.extend((0..500).map(|at| MayCall { span: line(at), ..call }));
    assert_eq!(limits(&program), [Limit::Ways]);
}

#[test]
fn fewer_times_than_its_siblings() {
    let performed = |on_this, on_siblings, n_siblings| Performed { on_this, on_siblings, n_siblings, on_others: 0 };
    assert!(performed(1, 4, 2).is_fewer_than_siblings());
    assert!(!performed(2, 4, 2).is_fewer_than_siblings());
    assert!(!performed(0, 4, 2).is_fewer_than_siblings());
}
