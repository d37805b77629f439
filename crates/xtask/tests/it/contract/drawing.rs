//! What people read about the contract says what it says. `UPDATE_CONTRACT=1 cargo test -p xtask --test contract` writes it anew.

use helper_names::{AROUND, DECORATORS, RECORDING};
use trace_model::contract::{record, tag};
use trace_model::{BuiltinOp, CodeKind, ObjectClass, SiteKind, Tail};

use super::{read, root};

const BYTES: &str = "crates/trace-format/README.md";
const HELPERS: &str = "packages/runtime/README.md";

#[test]
fn the_bytes_are_drawn_as_they_are() {
    let mut tags = String::from("| tag | value | payload words |\n|---|---|---|\n");
    for tag in tag::ALL.iter().filter(|tag| tag.number != tag::RECORD) {
        tags.push_str(&row(&[tag.number.to_string(), tag.value.into(), tag.payload.into()]));
    }
    let mut records = String::from("| record | arg | words |\n|---|---|---|\n");
    for record in &record::ALL {
        let meaning = format!("{} {}", record.number, record.meaning);
        records.push_str(&row(&[meaning, record.argument.into(), record.words.into()]));
    }
    let mut tails = String::from("| kinds of site | tail |\n|---|---|\n");
    for (tail, words) in TAILS {
        let kinds: Vec<String> =
            SiteKind::ALL.iter().filter(|kind| kind.tail() == *tail).map(|kind| format!("`{}`", kind.name())).collect();
        let kinds = if *tail == Tail::None { "all others".to_owned() } else { kinds.join(", ") };
        tails.push_str(&row(&[kinds, (*words).into()]));
    }
    let classes = listed("Classes", ObjectClass::ALL.map(ObjectClass::meaning).to_vec(), 0);
    let operations = listed("Operations", BuiltinOp::ALL.map(BuiltinOp::meaning).to_vec(), BuiltinOp::FIRST);
    let kinds = listed("Kinds of code", CodeKind::ALL.map(CodeKind::meaning).to_vec(), 0);
    let drawn = [tags, tails, records, classes, operations, kinds];
    let names = ["tags", "tails", "records", "classes", "operations", "kinds of code"];
    for (name, text) in names.iter().zip(drawn) {
        check(BYTES, name, &text);
    }
}

const TAILS: &[(Tail, &str)] = &[
    (Tail::ParentScope, "number of the scope in which the function was created (0: the global scope, or not known)"),
    (
        Tail::Object,
        "object number (0: the base was a primitive, or did not take the value: it is frozen, has a setter, …)",
    ),
    (Tail::ObjectAndKey, "object number, key as a value"),
    (Tail::Keys, "one value for each key of the site"),
    (Tail::Elements, "one value for each element of the site (its arity)"),
    (Tail::Frame, "number of the frame"),
    (Tail::None, "none"),
];

#[test]
fn every_helper_is_described() {
    let text = read(HELPERS);
    let described: String =
        text.lines().filter(|line| line.starts_with('|')).filter_map(|line| line.split('|').nth(1)).collect();
    for helper in RECORDING.iter().chain(AROUND).filter(|helper| helper.parameters.is_some()) {
        let shown = format!("`{}({})", helper.name, helper.parameters.unwrap_or_default());
        assert!(described.contains(&shown), "{HELPERS} does not describe {shown}`");
    }
}

#[test]
fn every_helper_is_there() {
    let given = read("packages/runtime/recorder/interface.js");
    for helper in RECORDING {
        assert!(
            given.contains(&format!("[HELPER.{}]: ", helper.constant)),
            "the recorder does not give {}",
            helper.constant
        );
    }
    let given = read("packages/runtime/load/decorators.cjs");
    for helper in DECORATORS {
        assert!(
            given.contains(&format!("[HELPER.{}]: ", helper.constant)),
            "decorators.cjs does not give {}",
            helper.constant
        );
    }
}

#[test]
fn no_name_has_two_meanings() {
    let mut names: Vec<&str> = helper_names::all().map(|helper| helper.name).collect();
    names.sort_unstable();
    let n = names.len();
    names.dedup();
    assert_eq!(names.len(), n);
}

fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | ")).replace("|  |", "| |")
}

fn listed(title: &str, meanings: Vec<&str>, first: u32) -> String {
    let items: Vec<String> =
        meanings.iter().zip(first..).map(|(meaning, number)| format!("{number} {meaning}")).collect();
    format!("{title}: {}.\n", items.join(", "))
}

/// What stands between the marks of this name is this text.
fn check(file: &str, name: &str, text: &str) {
    let (open, close) = (format!("<!-- contract: {name} -->\n"), "<!-- /contract -->");
    let whole = read(file);
    let start = whole.find(&open).unwrap_or_else(|| panic!("{file} has no {open}")) + open.len();
    let end = start + whole[start..].find(close).unwrap_or_else(|| panic!("{file}: {name} has no end"));
    if std::env::var_os("UPDATE_CONTRACT").is_some() {
        let new = format!("{}\n{text}\n{}", &whole[..start], &whole[end..]);
        std::fs::write(root().join(file), new).expect("the README can be written");
        return;
    }
    assert_eq!(whole[start..end].trim(), text.trim(), "{file} draws the {name} differently");
}
