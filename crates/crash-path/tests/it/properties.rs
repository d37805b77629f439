//! What holds of every path.

use std::collections::BTreeSet;

use crash_path::{
    Callee, Folded, FunctionRef, Grown, Label, Outcome, Path, SiteRef, SiteWithin, fold, grow, matches, outcome,
};
use proptest::prelude::*;
use trace_model::{FunctionKey, SiteKind};

const N_FUNCTIONS: u64 = 6;

fn function(number: u64) -> FunctionRef {
    FunctionRef { file: "app.js".into(), key: FunctionKey(number), line: number as u32, column: 1 }
}

fn site(in_function: u64, kind: SiteKind, nth: u32) -> SiteRef {
    let function = function(in_function);
    SiteRef { line: function.line, column: 3 + nth, function, within: Some(SiteWithin { kind, nth }) }
}

/// What an execution does: a tree of calls.
#[derive(Clone, Debug)]
struct Activation {
    function: u64,
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
enum Step {
    Branch(u32, bool),
    Call(Activation),
}

fn activation() -> impl Strategy<Value = Activation> {
    let leaf = (0..N_FUNCTIONS).prop_map(|function| Activation { function, steps: Vec::new() });
    leaf.prop_recursive(4, 40, 5, |inner| {
        let step = prop_oneof![
            (0..3u32, any::<bool>()).prop_map(|(nth, taken)| Step::Branch(nth, taken)),
            inner.prop_map(Step::Call)
        ];
        (0..N_FUNCTIONS, prop::collection::vec(step, 0..6)).prop_map(|(function, steps)| Activation { function, steps })
    })
}

/// All labels of an execution that crashes at its end, oldest first.
fn everything(root: &Activation) -> Vec<Label> {
    let mut labels = vec![Label::Enter { function: function(root.function), caller: None }];
    tell(root, &mut labels);
    labels.push(Label::Crash { site: site(root.function, SiteKind::Call, 99) });
    labels
}

fn tell(activation: &Activation, labels: &mut Vec<Label>) {
    let here = activation.function;
    for (nth, step) in (0..).zip(&activation.steps) {
        match step {
            Step::Branch(nth, taken) => {
                labels.push(Label::Branch { site: site(here, SiteKind::Branch, *nth), taken: *taken })
            }
            Step::Call(callee) => {
                let (called, from) = (function(callee.function), Some(function(here)));
                labels.push(Label::Call {
                    site: site(here, SiteKind::Call, nth),
                    callee: Callee::Program(called.clone()),
                });
                labels.push(Label::Enter { function: called.clone(), caller: from.clone() });
                tell(callee, labels);
                labels.push(Label::Exit { function: called, caller: from });
                labels.push(Label::Return { site: site(here, SiteKind::Call, nth) });
            }
        }
    }
}

/// What is left of an execution if only these functions are recorded; the birth is the label of this number, if it is recorded.
fn recorded(all: &[Label], grown: &Grown, birth: usize) -> Path {
    let is_told = |function: &FunctionRef| grown.has(function);
    let mut labels = Vec::new();
    for (number, label) in all.iter().enumerate() {
        let is_on = matches!(label, Label::Crash { .. }) || label.function().is_some_and(is_told);
        let untold = |caller: &Option<FunctionRef>| caller.clone().filter(|caller| !is_told(caller));
        if is_on {
            if number == birth {
                labels.clear();
                let at = label.function().expect("only tasks have none").clone();
                labels.push(Label::Start {
                    site: SiteRef { line: at.line, column: at.column, function: at, within: None },
                });
            }
            labels.push(match label {
                Label::Enter { function, caller } => {
                    Label::Enter { function: function.clone(), caller: untold(caller) }
                }
                Label::Exit { function, caller } => Label::Exit { function: function.clone(), caller: untold(caller) },
                other => other.clone(),
            });
        }
    }
    let crash = labels.iter().filter_map(|label| match label {
        Label::Crash { site } => Some(site.clone()),
        _ => None,
    });
    let stack = crash.collect();
    Path { labels, stack, exception: "TypeError".into(), ..Path::default() }
}

fn of(labels: Vec<Label>) -> Path {
    Path { labels, exception: "TypeError".into(), ..Path::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn growing_ends(root in activation(), birth in 0..60usize) {
        let all = everything(&root);
        let mut grown = Grown::default();
        // Each function is added twice at most; one more run finds that nothing is left.
        for _ in 0..=2 * N_FUNCTIONS {
            let path = recorded(&all, &grown, birth);
            match outcome(&grown, &path) {
                Outcome::Growing => grown = grow(&grown, &path),
                Outcome::Complete | Outcome::Exhausted => return Ok(()),
            }
        }
        prop_assert!(false, "still growing: {grown:?}");
    }

    #[test]
    fn growing_finds_a_birth_that_leads_to_the_crash(root in activation(), birth in 0..60usize) {
        let all = everything(&root);
        let birth = birth % (all.len() - 1);
        let mut grown = Grown::default();
        let mut path = recorded(&all, &grown, birth);
        while outcome(&grown, &path) == Outcome::Growing {
            grown = grow(&grown, &path);
            path = recorded(&all, &grown, birth);
        }
        prop_assert_eq!(outcome(&grown, &path), Outcome::Complete);
        // Everything behind the birth is told, and nothing else is recorded.
        prop_assert_eq!(path.labels.len(), 1 + all.len() - birth);
        let on_path: BTreeSet<&FunctionRef> = path.labels.iter().filter_map(Label::function).collect();
        let kept = grow(&grown, &path);
        prop_assert!(kept.functions().all(|function| on_path.contains(function)));
    }

    #[test]
    fn a_path_matches_itself_and_what_was_recorded_before(root in activation(), birth in 0..60usize) {
        let all = everything(&root);
        let mut grown = Grown::default();
        let mut earlier = vec![recorded(&all, &grown, birth)];
        while outcome(&grown, &earlier[earlier.len() - 1]) == Outcome::Growing {
            grown = grow(&grown, &earlier[earlier.len() - 1]);
            let path = recorded(&all, &grown, birth);
            prop_assert!(matches(&path, &path));
            earlier.push(path);
        }
        for (one, other) in earlier.iter().zip(&earlier[1..]) {
            prop_assert!(matches(one, other) && matches(other, one), "{one:?}\n{other:?}");
        }
    }

    #[test]
    fn folding_loses_nothing(root in activation(), times in 1..5usize) {
        let labels = std::iter::repeat_n(everything(&root), times).flatten().collect::<Vec<Label>>();
        let unfolded: Vec<Label> = fold(&labels).iter().flat_map(Folded::unfolded).collect();
        prop_assert_eq!(unfolded, labels);
    }

    #[test]
    fn how_often_a_loop_ran_makes_no_difference(times in 2..9usize, other in 2..9usize) {
        let looped = |times: usize| {
            let body = vec![
                Label::Branch { site: site(0, SiteKind::Loop, 0), taken: true },
                Label::Branch { site: site(0, SiteKind::Branch, 0), taken: false },
            ];
            let crash = vec![Label::Crash { site: site(0, SiteKind::Call, 0) }];
            of(std::iter::repeat_n(body, times).flatten().chain(crash).collect())
        };
        prop_assert!(matches(&looped(times), &looped(other)));
    }
}

#[test]
fn another_branch_is_another_crash() {
    let with = |taken| {
        let decided = |taken| Label::Branch { site: site(0, SiteKind::Branch, 0), taken };
        of(vec![decided(taken), decided(true), decided(false), Label::Crash { site: site(0, SiteKind::Call, 0) }])
    };
    assert!(matches(&with(true), &with(true)));
    assert!(!matches(&with(true), &with(false)));
}

#[test]
fn another_place_or_type_is_another_crash() {
    let at = |nth| of(vec![Label::Crash { site: site(0, SiteKind::Call, nth) }]);
    assert!(!matches(&at(0), &at(1)));
    assert!(!matches(&at(0), &Path { exception: "RangeError".into(), ..at(0) }));
}

#[test]
fn a_function_that_another_release_moved_is_the_same() {
    let bare = SiteRef { within: None, line: 0, ..site(0, SiteKind::Call, 1) };
    let moved = FunctionRef { line: 40, ..function(0) };
    assert_eq!(bare, SiteRef { function: moved, line: 40, ..bare.clone() });
    assert_ne!(bare, SiteRef { line: 41, ..bare.clone() });
}

#[test]
fn the_stack_decides_as_long_as_a_birth_is_not_known() {
    let decided = |taken| Label::Branch { site: site(0, SiteKind::Branch, 0), taken };
    let crash = || Label::Crash { site: site(0, SiteKind::Call, 0) };
    let start = || Label::Start { site: site(0, SiteKind::ObjectLiteral, 0) };
    let on = |functions: &[u64], labels: Vec<Label>| {
        let stack = functions.iter().map(|function| site(*function, SiteKind::Call, 0)).collect();
        Path { stack, ..of(labels) }
    };
    let known = on(&[0, 1], vec![start(), decided(true), decided(false), crash()]);
    let unknown = on(&[0, 1], vec![decided(false), decided(true), crash()]);
    assert!(matches(&known, &unknown) && matches(&unknown, &known));
    assert!(!matches(&known, &Path { labels: [vec![start()], unknown.labels.clone()].concat(), ..unknown.clone() }));
    assert!(!matches(&known, &on(&[0, 2], unknown.labels.clone())));
}

#[test]
fn an_event_and_a_stack_may_differ_in_the_column_of_a_crash() {
    let at = |line, column| SiteRef { within: None, line, column, ..site(0, SiteKind::Call, 0) };
    let by_event = of(vec![Label::Crash { site: at(7, 5) }]);
    let by_stack = |line| Path { labels: vec![], stack: vec![at(line, 12)], ..of(vec![]) };
    assert!(matches(&by_event, &by_stack(7)) && matches(&by_stack(7), &by_event));
    assert!(!matches(&by_event, &by_stack(8)));
}
