//! `judge` finds the wrong call.

use crate::told::Run;
use debugger::{EndShown, Judge, JudgeRequest, Judgement, Next, QuestionShown};
use expect_test::expect;

/// Prices are lowered by their discount, and `lowered` adds it.
const SALE: &str = "\
fun percent(price, rate)
  return price * rate / 100
end
fun lowered(price, rate)
  return price + percent(price, rate)
end
fun rated(sku)
  if sku = \"book\" then return 10 end
  return 0
end
fun sold(item)
  item.price := lowered(item.price, rated(item.sku))
  return item
end
fun sum(list)
  let all := 0
  for item in list do all := all + item.price end
  return all
end
let sold_items := []
add(sold_items, sold({sku: \"pen\", price: 4}))
add(sold_items, sold({sku: \"book\", price: 30}))
check sum(sold_items) = 31
";

/// What a person would say who knows what the functions are for.
fn verdict(question: &QuestionShown) -> Judgement {
    let given = |number: usize| question.arguments[number].entry.text.clone();
    let returned = match &question.end {
        EndShown::Returned(value) => value.text.clone(),
        _ => return Judgement::Unknown,
    };
    let is_right = match question.call.function.as_deref() {
        Some("percent") => {
            returned == (given(0).parse::<u32>().unwrap() * given(1).parse::<u32>().unwrap() / 100).to_string()
        }
        Some("lowered") => given(1) == "0" || returned == "27",
        Some("rated") => returned == if given(0) == "\"book\"" { "10" } else { "0" },
        Some("sold") => !returned.contains("price: 33"),
        Some("sum") => true,
        _ => return Judgement::Unknown,
    };
    if is_right { Judgement::Valid } else { Judgement::Invalid }
}

fn asked(question: &QuestionShown) -> String {
    let arguments: Vec<String> =
        question.arguments.iter().map(|argument| format!("{} = {}", argument.name, argument.entry.text)).collect();
    let end = match &question.end {
        EndShown::Returned(value) => value.text.as_str(),
        EndShown::Threw(_) => "threw",
        EndShown::Unfinished => "did not end",
    };
    let name = question.call.function.as_deref().unwrap_or("top level");
    format!("{name}({}) gave {end}", arguments.join(", "))
}

#[test]
fn the_wrong_call_is_found() {
    let run = Run::of(SALE);
    assert_eq!(run.recorded.failure.as_deref(), Some("37 was found, 31 was wanted"));
    let request = JudgeRequest { singly: true, is_fresh: true, ..JudgeRequest::default() };
    let mut judge = Judge::begin(&run.session, &request, &mut |_, _| ()).unwrap();
    let mut told = String::new();
    loop {
        match judge.next_question().unwrap() {
            Next::Ask(question) => {
                let verdict = verdict(&question);
                told.push_str(&format!("{}: {verdict:?}\n", asked(&question)));
                judge.answer(&question, verdict).unwrap();
            }
            Next::AskTable(table) => judge.ask_singly(&table),
            Next::Found(found) => {
                told.push_str(&format!("wrong: {}\n", asked(found.question.as_ref().unwrap())));
                break;
            }
            Next::Unsure(_) | Next::Nothing => break,
        }
    }
    expect![[r#"
        sold(item = #4 {sku: "book", price: 30}) gave #5 {sku: "book", price: 33}: Invalid
        lowered(price = 30, rate = 10) gave 33: Invalid
        percent(price = 30, rate = 10) gave 3: Valid
        wrong: lowered(price = 30, rate = 10) gave 33
    "#]]
    .assert_eq(&told);
}
