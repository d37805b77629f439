//! Questions of every kind, and their answers.

use crate::told::{self, Run, told};
use debugger::{
    Answer, Control, FindRequest, PageRequest, Question, QuestionKind, StateRequest, StepRequest, StepStride,
    WhyRequest,
};
use expect_test::{Expect, expect};

/// A receipt says 50 and should say 53: the price of books was to be raised by 1, and the rate is 0.
const RECEIPT: &str = "\
let cart := {lines: [], total: 0}
let rate := 0

fun line(sku, price, count)
  return {sku: sku, price: price, count: count}
end

fun raised(item, by)
  let copy := item
  copy.price := copy.price + by
  if by > 3 then copy.expensive := yes end
  return copy
end

fun total(lines)
  let sum := 0
  for item in lines do
    sum := sum + item.price * item.count
  end
  return sum
end

add(cart.lines, line(\"pen\", 4, 5))
add(cart.lines, line(\"book\", 10, 3))
raised(cart.lines[1], 1)
cart.lines[2] := raised(cart.lines[2], rate)
cart.total := total(cart.lines)
print \"total \" & cart.total
check cart.total = 53
";

fn ask(run: &Run, kind: QuestionKind, at: Option<&str>) -> String {
    let question = Question::at(kind, at.map(|at| at.parse().unwrap()));
    match run.session.ask(&question, &Control::default()) {
        Ok(reply) => told(&reply.answer),
        Err(error) => format!("{}: {error}\n", error.id()),
    }
}

fn check(run: &Run, kind: QuestionKind, at: Option<&str>, expected: Expect) {
    expected.assert_eq(&ask(run, kind, at));
}

fn place(place: &str) -> Option<String> {
    Some(place.to_owned())
}

fn last_change(run: &Run, what: &str, at: &str, expected: Expect) {
    check(run, QuestionKind::LastChange { place: place(what) }, Some(at), expected);
}

fn eval(run: &Run, what: &str, at: &str, expected: Expect) {
    check(run, QuestionKind::Eval { expression: place(what) }, Some(at), expected);
}

#[test]
fn the_program_does_what_it_says() {
    let run = Run::of(RECEIPT);
    assert_eq!(run.recorded.output, "total 50\n");
    assert_eq!(run.recorded.failure.as_deref(), Some("50 was found, 53 was wanted"));
}

#[test]
fn last_change_of_variables_fields_and_elements() {
    let run = Run::of(RECEIPT);
    last_change(
        &run,
        "sum",
        "shop.ledger:20",
        expect![[r#"
        sum written at line 18 (2 of 2): 20 → 50
    "#]],
    );
    last_change(
        &run,
        "cart.total",
        "end",
        expect![[r#"
        cart.total written at line 27: 0 → 50
    "#]],
    );
    // Lists begin at 1, and the elements of one are moved by a built-in.
    last_change(
        &run,
        "cart.lines[1]",
        "end",
        expect![[r#"
        cart.lines[1] written at line 23: - → #3 {sku: "pen", price: 4, count: 5}
    "#]],
    );
    last_change(
        &run,
        "cart.lines[2]",
        "end",
        expect![[r#"
        cart.lines[2] written at line 26: #4 {sku: "book", price: 10, count: 3} → #10 {sku: "book", price: 10, count: 3}
    "#]],
    );
    last_change(
        &run,
        "cart.lines.count",
        "end",
        expect![[r#"
        cart.lines.count written at line 24: 1 → 2
    "#]],
    );
    // The copy was raised, and the record in the list was not.
    last_change(
        &run,
        "copy.price",
        "shop.ledger:12#1",
        expect![[r#"
        copy.price written at line 10 (1 of 2): 4 → 5
    "#]],
    );
    last_change(
        &run,
        "cart.lines[1].price",
        "end",
        expect![[r#"
        cart.lines[1].price created-with at line 5 (1 of 2): - → 4
    "#]],
    );
    last_change(
        &run,
        "copy.expensive",
        "shop.ledger:12#1",
        expect![[r#"
        copy.expensive never-written at line 9 (1 of 2): - → -
    "#]],
    );
}

#[test]
fn last_condition_by_the_truth_of_the_language() {
    let run = Run::of(RECEIPT);
    check(
        &run,
        QuestionKind::LastCondition,
        Some("shop.ledger:18#2"),
        expect![[r#"
            condition at line 17 (2 of 2): item was #10 {sku: "book", price: 10, count: 3} (lines = #1 [#3, #10])
        "#]],
    );
    // 0 is true here.
    let zero =
        Run::of("let n := 0\nif n then\n  print n\nend\nif nothing or no then\n  print 1\nelse\n  print 2\nend\n");
    assert_eq!(zero.recorded.output, "0\n2\n");
    check(
        &zero,
        QuestionKind::LastCondition,
        Some("shop.ledger:3"),
        expect![[r#"
        condition at line 2: n was 0 (n = 0)
    "#]],
    );
    check(
        &zero,
        QuestionKind::LastCondition,
        Some("shop.ledger:8"),
        expect![[r#"
        condition at line 5: nothing or no was no ()
    "#]],
    );
}

#[test]
fn history_of_a_place() {
    let run = Run::of(RECEIPT);
    check(
        &run,
        QuestionKind::History { place: place("sum"), page: PageRequest::default() },
        Some("shop.ledger:20"),
        expect![[r#"
        - → 0 at line 16
        0 → 20 at line 18 (1 of 2)
        20 → 50 at line 18 (2 of 2)
    "#]],
    );
    check(
        &run,
        QuestionKind::History { place: place("cart.lines[2]"), page: PageRequest::default() },
        Some("end"),
        expect![[r#"
        - → #4 {sku: "book", price: 10, count: 3} at line 24
        #4 {sku: "book", price: 10, count: 3} → #10 {sku: "book", price: 10, count: 3} at line 26
    "#]],
    );
    check(
        &run,
        QuestionKind::History { place: place("cart.lines.count"), page: PageRequest::default() },
        Some("end"),
        expect![[r#"
        - → 0 at line 1
        0 → 1 at line 23
        1 → 2 at line 24
    "#]],
    );
}

#[test]
fn expressions_have_the_operators_of_the_language() {
    let run = Run::of(RECEIPT);
    eval(
        &run,
        "cart.lines[1].price + cart.lines.count",
        "end",
        expect![[r#"
        6
    "#]],
    );
    eval(
        &run,
        "7 / 2",
        "end",
        expect![[r#"
        3
    "#]],
    );
    eval(
        &run,
        "-7 mod 4",
        "end",
        expect![[r#"
        1
    "#]],
    );
    eval(
        &run,
        "\"total \" & cart.total",
        "end",
        expect![[r#"
        "total 50"
    "#]],
    );
    eval(
        &run,
        "0 and \"yes\"",
        "end",
        expect![[r#"
        "yes"
    "#]],
    );
    eval(
        &run,
        "not nothing",
        "end",
        expect![[r#"
        yes
    "#]],
    );
    eval(
        &run,
        "cart.lines[1] has \"expensive\"",
        "end",
        expect![[r#"
        no
    "#]],
    );
    eval(
        &run,
        "cart.lines[0]",
        "end",
        expect![[r#"
        nothing
    "#]],
    );
    eval(
        &run,
        "cart.nowhere",
        "end",
        expect![[r#"
        nothing
    "#]],
    );
    eval(
        &run,
        "cart.total == 3",
        "end",
        expect![[r#"
        syntax: a value is expected here
            cart.total == 3
                        ^
    "#]],
    );
    eval(
        &run,
        "undefined",
        "end",
        expect![[r#"
        no-such-name: there is no undefined here; there are rate, cart
    "#]],
    );
}

#[test]
fn records_are_compared_by_what_is_in_them() {
    let run = Run::of("let a := {x: 1, y: {z: 2}}\nlet b := a\nlet c := a\nc.y.z := 3\nprint a.y.z\n");
    assert_eq!(run.recorded.output, "2\n");
    eval(
        &run,
        "a = b",
        "end",
        expect![[r#"
        yes
    "#]],
    );
    eval(
        &run,
        "a <> c",
        "end",
        expect![[r#"
        yes
    "#]],
    );
    last_change(
        &run,
        "b.x",
        "end",
        expect![[r#"
        b.x created-with at line 2 (2 of 2): - → 1
    "#]],
    );
    last_change(
        &run,
        "c.y.z",
        "end",
        expect![[r#"
        c.y.z written at line 4: 2 → 3
    "#]],
    );
}

#[test]
fn why_leads_from_the_failed_check_to_what_was_written() {
    let run = Run::of(RECEIPT);
    check(
        &run,
        QuestionKind::Why(WhyRequest::default()),
        None,
        expect![[r#"
            because cart became #2 {lines: #1, total: 0} (shop.ledger:1)
            CheckFailed: 50 was found, 53 was wanted; cart.total = 53 was no (cart.total = 50) at line 29
              cart.total became 50 at line 27
                sum became 50; this was the last of 2 times round; the loop over lines continued with item = #10 {sku: "book", price: 10, count: 3} at line 18 (2 of 2)
                  the object was created with copy = 10 at line 12 (2 of 2)
                    copy.price became 10 at line 10 (2 of 2)
                    the object was created with item = 3 at line 9 (2 of 2)
                      the object was created with cart.lines[2] = 3 at line 26
                        the object was created with count = 3 at line 5 (2 of 2)
                          3 was passed at line 24
              cart became #2 {lines: #1, total: 0} at line 1; the object was made here
        "#]],
    );
}

#[test]
fn why_of_what_the_language_itself_complains_about() {
    let run = Run::of(
        "fun found(list, wanted)\n  for item in list do\n    if item.sku = wanted then return item end\n  end\nend\n\
         let stock := [{sku: \"pen\", price: 4}]\nlet book := found(stock, \"book\")\nprint book.price\n",
    );
    assert_eq!(run.recorded.failure.as_deref(), Some("nothing has no field price"));
    check(
        &run,
        QuestionKind::Why(WhyRequest::default()),
        None,
        expect![[r#"
            because book became nothing (shop.ledger:7), because a call returned nothing (shop.ledger:5)
            Failure: nothing has no field price at line 8
              book became nothing at line 7
                returned nothing at line 5
        "#]],
    );
}

#[test]
fn the_state_at_a_point() {
    let run = Run::of(RECEIPT);
    let request = StateRequest { depth: 2, ..StateRequest::default() };
    check(
        &run,
        QuestionKind::State(request),
        Some("shop.ledger:10#1"),
        expect![[r#"
        raised at line 10 (1 of 2)
          item = #5 {sku: "pen", price: 4, count: 5}
            sku = "pen"
            price = 4
            count = 5
          by = 1
          copy = #6 {sku: "pen", price: 4, count: 5}
            sku = "pen"
            price = 4
            count = 5
          cart = #2 {lines: #1, total: 0}
            lines = #1 [#3, #4]
              1 = #3 {sku: "pen", price: 4, count: 5}
              2 = #4 {sku: "book", price: 10, count: 3}
            total = 0
          rate = 0
        top level at line 25
          cart = #2 {lines: #1, total: 0}
            lines = #1 [#3, #4]
              1 = #3 {sku: "pen", price: 4, count: 5}
              2 = #4 {sku: "book", price: 10, count: 3}
            total = 0
          rate = 0
    "#]],
    );
}

#[test]
fn steps_go_over_calls_and_back() {
    let run = Run::of(RECEIPT);
    let step = |stride, is_back| QuestionKind::Step(StepRequest { stride, is_back });
    check(
        &run,
        step(StepStride::Over, false),
        Some("shop.ledger:26"),
        expect![[r#"
        at line 27
    "#]],
    );
    check(
        &run,
        step(StepStride::Into, false),
        Some("shop.ledger:26"),
        expect![[r#"
        at line 9 (2 of 2)
    "#]],
    );
    check(
        &run,
        step(StepStride::Over, true),
        Some("shop.ledger:26"),
        expect![[r#"
        at line 25
    "#]],
    );
    check(
        &run,
        step(StepStride::Out, false),
        Some("shop.ledger:10#1"),
        expect![[r#"
        at line 25
    "#]],
    );
}

#[test]
fn events_are_found_by_conditions_of_the_language() {
    let run = Run::of(RECEIPT);
    let find = QuestionKind::Find;
    let writes = FindRequest { kind: place("write"), name: place("price"), ..FindRequest::default() };
    check(
        &run,
        find(writes),
        None,
        expect![[r#"
        #6.price = 5 at line 10 (1 of 2)
        #9.price = 10 at line 10 (2 of 2)
    "#]],
    );
    let large = FindRequest { kind: place("write"), value: place("> 15"), ..FindRequest::default() };
    check(
        &run,
        find(large),
        None,
        expect![[r#"
        sum = 20 at line 18 (1 of 2)
        sum = 50 at line 18 (2 of 2)
        #2.total = 50 at line 27
    "#]],
    );
    let calls = FindRequest { kind: place("call"), function: place("raised"), ..FindRequest::default() };
    check(
        &run,
        find(calls),
        None,
        expect![[r#"
        raised (frame 4) at line 8 (1 of 2)
        raised (frame 5) at line 8 (2 of 2)
    "#]],
    );
}

#[test]
fn a_run_of_a_language_that_nobody_made_known_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    ledger_language::record("/shop/shop.ledger", "print 1\n", &run).unwrap();
    let file = run.join("run.txt");
    let text = std::fs::read_to_string(&file).unwrap().replace("language\tledger", "language\tsanskrit");
    std::fs::write(&file, text).unwrap();
    let error = told::open(&run).err().unwrap();
    assert_eq!(error.id(), "unknown-language");
    assert!(error.to_string().starts_with("this run is of the language sanskrit, which is not known here"), "{error}");
}

#[test]
fn answers_are_of_the_kind_that_was_asked_for() {
    let run = Run::of(RECEIPT);
    let reply =
        run.session.ask(&Question::of(QuestionKind::Failures(PageRequest::default())), &Control::default()).unwrap();
    assert!(matches!(&reply.answer, Answer::Failures(failures) if failures.items.len() == 1), "{:?}", reply.answer);
}
