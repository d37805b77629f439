//! No helper name and no tag is written outside of the contract.

use regex::Regex;

use super::{files_below, read, root};

/// Where instrumented text is made, and what it calls.
const CRATES: &[&str] = &["instrument", "node-addon", "js-syntax", "javascript"];

/// What stands in code only if somebody wrote a name or a number of the contract out: the pattern, and what to write instead.
const WRITTEN_OUT: &[(&str, &str)] = &[
    (r"\$w_", "a constant of helper_names (in JavaScript: HELPER)"),
    (r"/\*@w", "MARK_OPENING"),
    (r"\bS \| (\(.*\? )?\d", "TAG"),
    (r"\b(tag|keyTag)\b (=|===|!==|>=|<=|>|<) \d", "TAG (but 0 for what is no tag yet)"),
    (r"\b(scratch|born)\[[^\]]*\] = \d", "TAG"),
    (r"\b0x[0-9a-f]?f\b", "HEADER"),
    (r"<< (12|4)\b", "LAYOUT (in Rust: contract::header)"),
    (r">>>? (12|4)\b", "LAYOUT (in Rust: contract::header)"),
    (r"& 15\b", "contract::header::TAG_MASK"),
    (r"\beffect(Own|List|0|1|2)?\(\d", "OPERATION"),
    (r"\b(writeEffect|record|message)\(\d", "OPERATION, HEADER or STEP"),
    (r"\bkind (===|!==) \d", "CLASS"),
    (r"\bcase \d+:", "a name of the contract"),
    (r"\b(INTEGER|DOUBLE|OBJECT|NOT_CAPTURED|UNDEFINED|TRUE|FALSE)(: u32)? = \d", "TAG"),
];

/// The value that `recorder/values.js` has before there was one, and what is not of the trace.
const ELSEWHERE: &[(&str, &str)] = &[
    ("recorder/values.js", "var tag = 0;"),
    // UTF-8.
    ("runtime/prelude.js", "(0x3f >> needed)"),
    // Machine code.
    ("node-addon/src/detour", ""),
];

#[test]
fn neither_helper_names_nor_tags_are_written_outside_of_the_contract() {
    let mut found = Vec::new();
    let mut files: Vec<_> = CRATES
        .iter()
        .flat_map(|name| files_below(&root().join("crates").join(name).join("src"), &[".rs"]))
        .filter(|path| !path.ends_with("tests.rs"))
        .collect();
    files.extend(files_below(&root().join("packages/runtime"), &[".js", ".cjs", ".mjs"]));
    for path in files {
        let name = path.strip_prefix(root()).expect("it was found there").to_string_lossy().into_owned();
        if name.contains(".generated.") || name.contains("/test/") {
            continue;
        }
        found.extend(written_out(&name, &read(&name)));
    }
    assert!(found.is_empty(), "written outside of the contract:\n{}", found.join("\n"));
}

#[test]
fn what_is_written_out_is_found() {
    let is_found = |line: &str| !written_out("some.js", line).is_empty();
    for line in [
        "words[at] = S | 5;",
        "words[at] = S | (x ? 4 : 3);",
        "if (tag === 6) words[end++] = high;",
        "scratch[filled++] = 11;",
        "words[cursor] = (length << 12) | 0x1f;",
        "effect1(7, this, key);",
        "format!(\"$w_E({enter},0)\")",
        "const TRUE: u32 = 4;",
        "site.0 << 4 | tag",
        "case 2:",
    ] {
        assert!(is_found(line), "{line}");
    }
    for line in ["words[at] = S | TAG.INTEGER;", "// as `$w_E(S,p)` does", "const integer = x | 0;", "low = halves[0];"]
    {
        assert!(!is_found(line), "{line}");
    }
}

/// Comments may name what they explain, and tests what comes out.
fn written_out(name: &str, text: &str) -> Vec<String> {
    let patterns: Vec<(Regex, &str)> =
        WRITTEN_OUT.iter().map(|(pattern, instead)| (Regex::new(pattern).expect(pattern), *instead)).collect();
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut found = Vec::new();
    for (number, line) in code.lines().enumerate() {
        let is_exempt = |(file, part): &&(&str, &str)| name.contains(file) && line.contains(part);
        if line.trim_start().starts_with("//") || ELSEWHERE.iter().any(|known| is_exempt(&known)) {
            continue;
        }
        for (_, instead) in patterns.iter().filter(|(pattern, _)| pattern.is_match(line)) {
            found.push(format!("{name}:{}: {} (write {instead})", number + 1, line.trim()));
        }
    }
    found
}
