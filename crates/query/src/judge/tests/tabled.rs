//! Calls of one function as one question.

use super::*;

/// main → (check × 12, add × 2), one `check` → helper
fn many() -> Tree {
    let mut calls: Vec<(&str, Option<usize>, &[u32])> = vec![("main", None, &[0])];
    calls.extend((0..12).map(|_| ("check", Some(0), &[1u32, 2] as &[u32])));
    calls.extend([("helper", Some(5), &[3u32] as &[u32]), ("add", Some(0), &[4]), ("add", Some(0), &[4])]);
    tree(&calls)
}

fn asked(tree: &Tree, given: &[Given], strategy: Strategy, tables: &Tables) -> Option<Ask> {
    let trusted = vec![false; tree.functions().len()];
    let suspects = Suspects::new(tree, &trusted, given);
    next_question(tree, &suspects, given, strategy, &Relevance::default(), tables, &mut Scratch::default())
}

fn rows(ask: Option<Ask>) -> Vec<Node> {
    match ask {
        Some(Ask::Table(group)) => group.calls,
        other => panic!("{other:?}"),
    }
}

#[test]
fn many_calls_of_a_function_are_one_question() {
    for strategy in [Strategy::Slice, Strategy::TopDown] {
        let rows = rows(asked(&many(), &[], strategy, &Tables::default()));
        assert_eq!(rows.len(), 12, "{}", strategy.name());
    }
}

#[test]
fn a_table_is_of_one_function_and_no_row_is_part_of_another() {
    // f calls itself, and g is called beside it.
    let mut calls: Vec<(&str, Option<usize>, &[u32])> = vec![("main", None, &[0])];
    for _ in 0..4 {
        let at = calls.len();
        calls.extend([("f", Some(0), &[1u32] as &[u32]), ("f", Some(at), &[1]), ("f", Some(at + 1), &[2])]);
        calls.push(("g", Some(0), &[3]));
    }
    let tree = tree(&calls);
    let mut given = Vec::new();
    let mut n_tables = 0;
    while let Some(ask) = asked(&tree, &given, Strategy::Slice, &Tables::default()) {
        let calls = match ask {
            Ask::Call(node) => vec![node],
            Ask::Table(group) => {
                n_tables += 1;
                assert!(group.calls.iter().all(|node| tree.function(*node) == group.function()), "{group:?}");
                group.calls
            }
        };
        for one in &calls {
            assert!(calls.iter().all(|other| one == other || !tree.holds(*one, *other)), "{calls:?}");
        }
        given.extend(calls.into_iter().map(|node| Given { node, verdict: Verdict::Valid }));
    }
    assert!(n_tables >= 2, "{n_tables}");
}

#[test]
fn fewer_than_three_calls_are_asked_about_one_by_one() {
    let tree = many();
    let given: Vec<Given> = (1..=13).map(|node| Given { node: Node(node), verdict: Verdict::Valid }).collect();
    assert!(matches!(asked(&tree, &given, Strategy::Slice, &Tables::default()), Some(Ask::Call(_))));
}

#[test]
fn what_cannot_be_told_in_a_row_or_is_wanted_singly_is_in_no_table() {
    let tree = many();
    let mut tables = Tables::default();
    let group = match asked(&tree, &[], Strategy::Slice, &tables) {
        Some(Ask::Table(group)) => group,
        other => panic!("{other:?}"),
    };
    tables.refuse_call(group.calls[0]);
    assert!(!rows(asked(&tree, &[], Strategy::Slice, &tables)).contains(&group.calls[0]));
    tables.ask_singly(group.function());
    assert!(matches!(asked(&tree, &[], Strategy::Slice, &tables), Some(Ask::Call(_))));
}

/// A row that nobody knows is no row of the next table, and the search comes to an end.
#[test]
fn rows_that_nobody_knows_are_not_asked_again() {
    let tree = many();
    let rows = rows(asked(&tree, &[], Strategy::Slice, &Tables::default()));
    let given: Vec<Given> = rows.iter().map(|node| Given { node: *node, verdict: Verdict::Unknown }).collect();
    match asked(&tree, &given, Strategy::Slice, &Tables::default()) {
        Some(Ask::Call(node)) => assert!(!rows.contains(&node)),
        Some(Ask::Table(group)) => assert!(group.calls.iter().all(|node| !rows.contains(node))),
        None => panic!("others are left"),
    }
}

#[test]
fn of_more_calls_than_a_table_holds_the_most_doubtful_come_first() {
    let mut calls: Vec<(&str, Option<usize>, &[u32])> = vec![("main", None, &[0])];
    calls.extend((0..50).map(|_| ("check", Some(0), &[1u32] as &[u32])));
    let tree = tree(&calls);
    let mut relevance = Relevance::default();
    relevance.add_wrong(&shares(&[(40, 1, 1.0)]));
    let trusted = vec![false; tree.functions().len()];
    let suspects = Suspects::new(&tree, &trusted, &[]);
    let (tables, scratch) = (Tables::default(), &mut Scratch::default());
    let rows = rows(next_question(&tree, &suspects, &[], Strategy::Slice, &relevance, &tables, scratch));
    assert_eq!((rows[0], rows.len()), (Node(40), 50));
}

/// To take one of three calls out of a table leaves two questions, which is worse than none: it saves nothing.
#[test]
fn a_call_by_itself_is_not_preferred_to_the_table_that_it_could_be_in() {
    let mut calls: Vec<(&str, Option<usize>, &[u32])> = vec![("main", None, &[0])];
    for _ in 0..6 {
        let at = calls.len();
        calls.push(("choose", Some(0), &[1, 2]));
        calls.extend((0..3).map(|_| ("fits", Some(at), &[3u32] as &[u32])));
    }
    assert!(rows(asked(&tree(&calls), &[], Strategy::Slice, &Tables::default())).len() >= 3);
}
