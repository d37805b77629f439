//! The rules of the suspicious set and the strategies, on small trees.

use trace_model::{EventId, FrameId, FunctionIndex, SiteId};

use super::*;

mod tabled;

/// Calls in the order in which they were made: name, caller, what it covered. A name that comes again is the same function.
fn tree(calls: &[(&str, Option<usize>, &[u32])]) -> Tree {
    let mut builder = TreeBuilder::default();
    let mut names: Vec<&str> = Vec::new();
    for (number, (name, caller, covered)) in (1..).zip(calls) {
        let known = names.iter().position(|known| known == name);
        let function = known.unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        let function = CalledFunction { unit: SiteId(1), function: FunctionIndex(function as u32) };
        let caller = caller.map(|caller| FrameId(caller as u32 + 1));
        builder.enter(FrameId(number), caller, function, EventId(u64::from(number) * 10));
        builder.covering(FrameId(number), covered);
    }
    builder.build(Some(FrameId(1)))
}

/// main → a → (b, c), main → d → c
fn small() -> Tree {
    tree(&[
        ("main", None, &[0]),
        ("a", Some(0), &[1]),
        ("b", Some(1), &[2]),
        ("c", Some(1), &[3]),
        ("d", Some(0), &[4]),
        ("c", Some(4), &[3]),
    ])
}

fn left(tree: &Tree, trusted: &[bool], given: &[(u32, Verdict)]) -> Vec<u32> {
    let given: Vec<Given> =
        given.iter().map(|(node, verdict)| Given { node: Node(*node), verdict: *verdict }).collect();
    Suspects::new(tree, trusted, &given).iter().map(|node| node.0).collect()
}

const NOBODY: [bool; 5] = [false; 5];

#[test]
fn at_the_start_all_are_suspicious() {
    assert_eq!(left(&small(), &NOBODY, &[]), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn a_valid_call_takes_its_subtree_out() {
    assert_eq!(left(&small(), &NOBODY, &[(1, Verdict::Valid)]), [0, 4, 5]);
}

#[test]
fn an_invalid_call_leaves_nothing_but_its_subtree() {
    assert_eq!(left(&small(), &NOBODY, &[(1, Verdict::Invalid)]), [1, 2, 3]);
    // What was valid before stays out, and what is valid elsewhere takes nothing.
    assert_eq!(left(&small(), &NOBODY, &[(2, Verdict::Valid), (1, Verdict::Invalid)]), [1, 3]);
    assert_eq!(left(&small(), &NOBODY, &[(4, Verdict::Valid), (1, Verdict::Invalid)]), [1, 2, 3]);
}

#[test]
fn a_trusted_function_takes_its_calls_out_and_not_what_they_called() {
    let trusts = |name: usize| std::array::from_fn::<bool, 5, _>(|number| number == name);
    assert_eq!(left(&small(), &trusts(3), &[]), [0, 1, 2, 4]);
    assert_eq!(left(&small(), &trusts(1), &[]), [0, 2, 3, 4, 5]);
}

#[test]
fn what_nobody_knows_stays_suspicious_and_is_not_asked() {
    let tree = small();
    let given = [Given { node: Node(1), verdict: Verdict::Unknown }];
    let suspects = Suspects::new(&tree, &NOBODY, &given);
    assert_eq!(suspects.len(), 6);
    assert!(!suspects.is_open(Node(1)) && suspects.is_open(Node(2)));
    // Its siblings come first.
    assert_eq!(first(&tree, &suspects, &given, Strategy::TopDown, &Relevance::default()), Some(Node(4)));
}

#[test]
fn the_wrong_call_is_what_is_left() {
    let tree = small();
    let given = [(1, Verdict::Invalid), (2, Verdict::Valid), (3, Verdict::Valid)]
        .map(|(node, verdict)| Given { node: Node(node), verdict });
    assert_eq!(Suspects::new(&tree, &NOBODY, &given).found(), Some(Node(1)));
}

#[test]
fn of_verdicts_that_contradict_each_other_the_newer_stands() {
    let tree = small();
    let given = [(1, Verdict::Valid), (2, Verdict::Invalid)].map(|(node, verdict)| Given { node: Node(node), verdict });
    assert_eq!(overruled(&tree, &given), [Conflict { older: 0, newer: 1 }]);
    assert_eq!(left(&tree, &NOBODY, &[(1, Verdict::Valid), (2, Verdict::Invalid)]), [2]);
    assert_eq!(left(&tree, &NOBODY, &[(2, Verdict::Invalid), (1, Verdict::Valid)]), [0, 4, 5]);
}

#[test]
fn calls_of_interleaved_tasks_stay_with_their_callers() {
    // a waits, d is called meanwhile, then a goes on and calls c.
    let tree = tree(&[("main", None, &[]), ("a", Some(0), &[]), ("d", Some(0), &[]), ("c", Some(1), &[])]);
    let a = tree.node_of(FrameId(2)).unwrap();
    let c = tree.node_of(FrameId(4)).unwrap();
    assert_eq!(tree.parent(c), a);
    assert_eq!(tree.children(Tree::ROOT).collect::<Vec<_>>(), [a, tree.node_of(FrameId(3)).unwrap()]);
    assert_eq!(tree.subtree(a), 1..3);
}

#[test]
fn what_nobody_called_hangs_on_the_program() {
    let mut builder = TreeBuilder::default();
    let function = |number| CalledFunction { unit: SiteId(1), function: FunctionIndex(number) };
    builder.enter(FrameId(1), None, function(0), EventId(10));
    builder.enter(FrameId(3), None, function(1), EventId(20));
    builder.leave(FrameId(1), EventId(15));
    let tree = builder.build(None);
    assert_eq!((tree.len(), tree.has_root_frame()), (3, false));
    assert_eq!(tree.left(Node(1)), Some(EventId(15)));
    assert_eq!(tree.end(Node(0)), None);
    assert_eq!(tree.entered_at(EventId(20)), Some(Node(2)));
}

/// Preorder, with the covered edges of the paper's listing: main, sort, distribute, merge, merge, distribute, merge.
fn merge_sort() -> Tree {
    let short: &[u32] = &[20, 21, 22, 23, 24, 25, 26, 27];
    tree(&[
        ("main", None, &[0]),
        ("sort", Some(0), &[1, 2, 3, 4, 5]),
        ("distribute", Some(1), &[10, 11, 12, 13, 14, 15, 16]),
        ("merge", Some(1), short),
        ("merge", Some(1), short),
        ("distribute", Some(1), &[10, 11, 12, 13, 14, 15, 16]),
        ("merge", Some(1), &[20, 21, 22, 23, 25, 26, 28, 29, 30, 31]),
    ])
}

fn first_question(tree: &Tree, strategy: Strategy) -> Option<Node> {
    let trusted = vec![false; tree.functions().len()];
    let suspects = Suspects::new(tree, &trusted, &[]);
    first(tree, &suspects, &[], strategy, &Relevance::default())
}

/// The call that is asked about where each is a question of its own.
fn first(tree: &Tree, suspects: &Suspects, given: &[Given], strategy: Strategy, relevance: &Relevance) -> Option<Node> {
    let scratch = &mut Scratch::default();
    match next_question(tree, suspects, given, strategy, relevance, &Tables::off(), scratch)? {
        Ask::Call(node) => Some(node),
        Ask::Table(group) => panic!("{group:?}"),
    }
}

/// Section 4 of the paper: the weights are 46, 45, 7, 8, 8, 7, 10.
#[test]
fn by_edges_merge_sort_is_asked_about_its_last_merge_first() {
    assert_eq!(first_question(&merge_sort(), Strategy::Edges), Some(Node(6)));
}

#[test]
fn top_down_begins_with_the_first_call() {
    assert_eq!(first_question(&merge_sort(), Strategy::TopDown), Some(Node(1)));
}

#[test]
fn divide_takes_the_half() {
    // A chain of eight calls.
    let calls: Vec<(String, Option<usize>)> = (0..8usize).map(|n| (n.to_string(), n.checked_sub(1))).collect();
    let calls: Vec<(&str, Option<usize>, &[u32])> =
        calls.iter().map(|(name, caller)| (name.as_str(), *caller, &[] as &[u32])).collect();
    assert_eq!(first_question(&tree(&calls), Strategy::Divide), Some(Node(4)));
}

#[test]
fn valid_calls_exonerate_what_they_covered() {
    let tree = merge_sort();
    let given = [Given { node: Node(3), verdict: Verdict::Valid }];
    let counts = valid_counts(&tree, &given);
    assert_eq!((counts[20], counts[28], counts[10]), (1, 0, 0));
}

/// Whatever the order, the same call is found, if somebody answers as one who knows that `merge` is wrong where it covers edge 28.
#[test]
fn every_strategy_finds_the_wrong_call() {
    let tree = merge_sort();
    let trusted = vec![false; tree.functions().len()];
    for strategy in Strategy::ALL {
        let mut given = Vec::new();
        let found = loop {
            let suspects = Suspects::new(&tree, &trusted, &given);
            if let Some(found) = suspects.found() {
                break found;
            }
            let node = first(&tree, &suspects, &given, strategy, &Relevance::default()).unwrap();
            let verdict = if tree.holds(node, Node(6)) { Verdict::Invalid } else { Verdict::Valid };
            given.push(Given { node, verdict });
        };
        assert_eq!(found, Node(6), "{}", strategy.name());
    }
}

fn shares(of: &[(u32, u32, f64)]) -> Shares {
    let mut shares = Shares::default();
    for (node, entity, share) in of {
        shares.entry(Node(*node)).or_default().insert(*entity, *share);
    }
    shares
}

fn first_by_slice(tree: &Tree, relevance: &Relevance) -> Option<Node> {
    let trusted = vec![false; tree.functions().len()];
    let suspects = Suspects::new(tree, &trusted, &[]);
    first(tree, &suspects, &[], Strategy::Slice, relevance)
}

/// main → build → (one, two), main → show
fn building() -> Tree {
    tree(&[
        ("main", None, &[0]),
        ("build", Some(0), &[1]),
        ("one", Some(1), &[2]),
        ("two", Some(1), &[3]),
        ("show", Some(0), &[4]),
    ])
}

#[test]
fn what_led_to_the_wrong_value_is_asked_about_first() {
    let tree = building();
    let mut relevance = Relevance::default();
    relevance.add_wrong(&shares(&[(4, 4, 1.0)]));
    assert_eq!(first_by_slice(&tree, &relevance), Some(Node(4)));
}

#[test]
fn what_led_to_something_right_is_asked_about_later() {
    let tree = building();
    let mut relevance = Relevance::default();
    relevance.add_wrong(&shares(&[(1, 1, 1.0), (2, 2, 1.0), (3, 3, 1.0), (4, 4, 1.0)]));
    assert_ne!(first_by_slice(&tree, &relevance), Some(Node(4)));
    relevance.add_right(&tree, &shares(&[(1, 1, 1.0), (2, 2, 1.0), (3, 3, 1.0)]));
    assert_eq!(first_by_slice(&tree, &relevance), Some(Node(4)));
}

#[test]
fn what_came_later_is_asked_about_later() {
    let tree = building();
    // Most of the code is in `show`, which is entered by event 50.
    let sizes = vec![1.0, 1.0, 1.0, 1.0, 2.5];
    let relevance = Relevance { sizes, ..Relevance::default() };
    assert_eq!(first_by_slice(&tree, &relevance), Some(Node(4)));
    let relevance = Relevance { moment: Some(EventId(45)), ..relevance };
    assert_ne!(first_by_slice(&tree, &relevance), Some(Node(4)));
}

#[test]
fn pointing_at_something_else_takes_nothing_away_altogether() {
    let mut relevance = Relevance::default();
    relevance.add_wrong(&shares(&[(1, 1, 0.8)]));
    relevance.add_wrong(&shares(&[(2, 2, 1.0)]));
    assert_eq!((relevance.wrong[&Node(1)][&1], relevance.wrong[&Node(2)][&2]), (0.4, 1.0));
}

/// The large way of choosing must find what the small one finds.
#[test]
fn in_a_tree_of_many_calls_the_wrong_one_is_found() {
    let mut calls: Vec<(String, Option<usize>)> = vec![("main".into(), None)];
    for middle in 0..6 {
        let at = calls.len();
        calls.push((format!("m{middle}"), Some(0)));
        calls.extend((0..400).map(|leaf| (format!("l{leaf}"), Some(at))));
    }
    let calls: Vec<(&str, Option<usize>, &[u32])> = calls
        .iter()
        .map(|(name, caller)| (name.as_str(), *caller, &[1u32, 2, 3, 4, 5, 6, 7, 8, 9, 10] as &[u32]))
        .collect();
    let tree = tree(&calls);
    let trusted = vec![false; tree.functions().len()];
    let (wrong, mut given) = (Node(2010), Vec::new());
    let found = loop {
        let suspects = Suspects::new(&tree, &trusted, &given);
        if let Some(found) = suspects.found() {
            break found;
        }
        let node = first(&tree, &suspects, &given, Strategy::Slice, &Relevance::default()).unwrap();
        let verdict = if tree.holds(node, wrong) { Verdict::Invalid } else { Verdict::Valid };
        given.push(Given { node, verdict });
    };
    assert_eq!(found, wrong);
}

#[test]
fn a_call_is_over_when_all_that_it_started_is() {
    let mut builder = TreeBuilder::default();
    let function = |number| CalledFunction { unit: SiteId(1), function: FunctionIndex(number) };
    for (frame, caller) in [(1, None), (2, Some(FrameId(1))), (3, Some(FrameId(2)))] {
        builder.enter(FrameId(frame), caller, function(frame), EventId(u64::from(frame) * 10));
    }
    builder.leave(FrameId(2), EventId(35));
    builder.leave(FrameId(1), EventId(40));
    builder.leave(FrameId(3), EventId(60));
    let tree = builder.build(Some(FrameId(1)));
    assert_eq!(
        (tree.left(Node(1)), tree.end(Node(1)), tree.is_outlived(Node(1))),
        (Some(EventId(35)), Some(EventId(60)), true)
    );
    assert_eq!(
        (tree.end(Node(0)), tree.end(Node(2)), tree.is_outlived(Node(2))),
        (Some(EventId(60)), Some(EventId(60)), false)
    );
}

#[test]
fn what_was_overruled_overrules_nothing() {
    use Verdict::{Invalid, Valid};
    let given = |given: &[(u32, Verdict)]| -> Vec<Given> {
        given.iter().map(|(node, verdict)| Given { node: Node(*node), verdict: *verdict }).collect()
    };
    let conflict = |older, newer| Conflict { older, newer };
    // `b` is found invalid inside `a`, which was valid: that `c` is invalid, as was said first, counts again.
    assert_eq!(overruled(&small(), &given(&[(3, Invalid), (1, Valid), (2, Invalid)])), [conflict(1, 2)]);
    // `b` is valid after all, so nothing keeps `a` from being so.
    assert_eq!(overruled(&small(), &given(&[(1, Valid), (2, Invalid), (2, Valid)])), [conflict(1, 2)]);
}

#[test]
fn frames_that_do_not_count_up_leave_no_call_without_a_function() {
    let function = |number| CalledFunction { unit: SiteId(1), function: FunctionIndex(number) };
    for root in [None, Some(FrameId(2))] {
        let mut builder = TreeBuilder::default();
        builder.enter(FrameId(1), Some(FrameId(2)), function(0), EventId(10));
        builder.enter(FrameId(2), Some(FrameId(2)), function(1), EventId(20));
        builder.enter(FrameId(2), None, function(1), EventId(30));
        builder.enter(FrameId(3), Some(FrameId(2)), function(2), EventId(40));
        let tree = builder.build(root);
        assert!(tree.nodes().all(|node| (tree.function(node).0 as usize) < tree.functions().len()), "{root:?}");
    }
}
