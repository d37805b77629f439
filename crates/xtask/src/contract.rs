//! The contract between the crates and `packages/runtime`, as JavaScript.

use std::fmt::Write;

use helper_names::{MARK_OPENING, PREFIX};
use trace_model::contract;

/// The text of `contract.generated.cjs`.
pub fn javascript() -> String {
    let mut text = String::from(
        "// Made by `cargo xtask build` from crates/trace-model/src/contract and crates/helper-names.\n'use strict';\n",
    );
    text.push_str("module.exports = {\n");
    let _ = writeln!(
        text,
        "  PREFIX: {PREFIX:?},\n  MARK_OPENING: {MARK_OPENING:?},\n  TEXT: {{ MARK_OPENING: {MARK_OPENING:?} }},"
    );
    for (table, words) in contract::tables() {
        let words: Vec<String> = words.iter().map(|word| format!("{}: {}", word.name, word.number)).collect();
        let _ = writeln!(text, "  {table}: {{ {} }},", words.join(", "));
    }
    let helpers: Vec<String> =
        helper_names::all().map(|helper| format!("{}: {:?}", helper.constant, helper.short_name())).collect();
    let _ = writeln!(text, "  HELPER: {{ {} }},", helpers.join(", "));
    text.push_str("};\n");
    text
}
