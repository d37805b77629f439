//! The engine knows no language: what JavaScript is called and does stands in `javascript`, behind the traits of `trace_model`.
//!
//! Looked through are the texts and the names of variants in the code of `query`, `trace-store` and `trace-model`; tests and
//! comments may say what they like. What a macro is given is not looked into: the words of the trace itself are declared there.

use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{ItemMod, LitStr, Path as SynPath};

const ENGINE: &[&str] = &["query", "trace-store", "trace-model"];

/// Words that no text of the engine may hold, wherever they stand in it.
const NOWHERE: &[&str] = &[
    "__proto__",
    "__define",
    "node_modules",
    "node:",
    "instanceof",
    "typeof",
    "undefined",
    "NaN",
    "===",
    "!==",
    "&&",
    "||",
    "??",
    "Symbol.",
    "Symbol(",
    "globalThis",
    "Uint8",
    "Array.",
    "Object.",
    ".js",
    ".mjs",
    ".ts",
    "exitCode",
    "is not a function",
    "Cannot read",
];

/// Words that no text of the engine may be: keys, operators, methods and names that only JavaScript gives a meaning.
const ALONE: &[&str] = &[
    "prototype",
    "constructor",
    "length",
    "size",
    "arguments",
    "exports",
    "super",
    "eval",
    "default",
    "Proxy",
    "Buffer",
    "Error",
    "Infinity",
    "message",
    "code",
    "actual",
    "expected",
    "push",
    "splice",
    "reduce",
    "join",
    "apply",
    "has",
    "in",
    "void",
    "==",
    "!=",
];

/// Classes of the trace that stand for something only JavaScript has: what they are like is asked of the language.
const CLASSES: &[&str] = &["Proxy", "Binary", "Arguments", "Promise", "Weak", "Namespace", "RegExp", "Date", "Boxed"];

/// What a recorder is told (which places to hook, by which names files are known) and the classes that it tells apart are part of
/// the contract with it, as its files are.
const OF_THE_CONTRACT: &[&str] = &[
    "trace-model/src/installed.rs",
    "trace-model/src/policy.rs",
    "trace-model/src/selection.rs",
    "trace-model/src/value.rs",
];

/// These texts are names in our own answers, documents and files.
const OUR_OWN: &[(&str, &str)] = &[
    ("query/src/why/discrepancy.rs", "length"),
    ("query/src/why/features.rs", "undefined"),
    ("trace-store/src/run.rs", "code"),
];

#[test]
fn the_engine_has_no_word_of_javascript() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    let mut n_files = 0;
    for path in ENGINE.iter().flat_map(|name| rust_files(&crates.join(name).join("src"))) {
        let name = path.strip_prefix(&crates).unwrap().display().to_string();
        if is_test(&path) || OF_THE_CONTRACT.contains(&name.as_str()) {
            continue;
        }
        n_files += 1;
        let words = words_in(&fs::read_to_string(&path).unwrap());
        let words = words.into_iter().filter(|word| !OUR_OWN.contains(&(name.as_str(), word.as_str())));
        found.extend(words.map(|word| format!("{name}: {word}")));
    }
    assert!(n_files > 100, "only {n_files} files were found");
    assert!(found.is_empty(), "the engine knows JavaScript:\n{}", found.join("\n"));
}

#[test]
fn a_word_is_found() {
    let code = r#"
        // "__proto__" in a comment
        fn a(key: &str) -> bool { key == "__proto__" || matches!(key, _ if key.ends_with("x")) }
        fn b(class: ObjectClass) -> bool { class == ObjectClass::Proxy }
        fn c() -> &'static str { "the prototype was not recorded" }
        fn d(key: &str) -> bool { matches!(key, "prototype") }
        #[cfg(test)]
        mod tests { fn e() -> &'static str { "undefined" } }
    "#;
    assert_eq!(words_in(code), ["__proto__", "ObjectClass::Proxy", "prototype"]);
}

fn words_in(code: &str) -> Vec<String> {
    let mut words = Words { found: Vec::new() };
    words.visit_file(&syn::parse_file(code).unwrap());
    words.found
}

struct Words {
    found: Vec<String>,
}

impl Words {
    fn text(&mut self, text: &str) {
        let inside = NOWHERE.iter().find(|word| text.contains(**word));
        let whole = ALONE.iter().find(|word| text == **word);
        self.found.extend(inside.or(whole).map(|word| (*word).to_owned()));
    }

    fn path(&mut self, path: &SynPath) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let [.., class, variant] = &names[..]
            && class == "ObjectClass"
            && CLASSES.contains(&variant.as_str())
        {
            self.found.push(format!("{class}::{variant}"));
        }
    }
}

impl<'ast> Visit<'ast> for Words {
    fn visit_lit_str(&mut self, literal: &'ast LitStr) {
        self.text(&literal.value());
    }

    fn visit_path(&mut self, path: &'ast SynPath) {
        self.path(path);
        visit::visit_path(self, path);
    }

    /// Attributes and their documentation are no code.
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    /// `matches!`, `format!` and their like are expressions in other clothes.
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let is_ours = call.path.segments.last().is_some_and(|name| {
            ["matches", "format", "write", "writeln", "assert", "vec"].iter().any(|known| name.ident == known)
        });
        if is_ours {
            let tokens = call.tokens.to_string();
            texts_in(&tokens).iter().for_each(|text| self.text(text));
            for class in CLASSES.iter().filter(|class| tokens.contains(&format!("ObjectClass :: {class}"))) {
                self.found.push(format!("ObjectClass::{class}"));
            }
        }
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !module.attrs.iter().any(is_for_tests) {
            visit::visit_item_mod(self, module);
        }
    }
}

/// What stands between quotes.
fn texts_in(tokens: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut text: Option<String> = None;
    let mut chars = tokens.chars();
    while let Some(c) = chars.next() {
        match (c, &mut text) {
            ('"', None) => text = Some(String::new()),
            ('"', Some(_)) => texts.extend(text.take()),
            ('\\', Some(text)) => text.extend(chars.next()),
            (c, Some(text)) => text.push(c),
            _ => {}
        }
    }
    texts
}

fn is_for_tests(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && matches!(&attribute.meta, syn::Meta::List(list) if list.tokens.to_string() == "test")
}

fn is_test(path: &Path) -> bool {
    path.ends_with("tests.rs") && !path.ends_with("why/tests.rs")
        || path.components().any(|part| part.as_os_str() == "tests")
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            files.extend(rust_files(&entry));
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            files.push(entry);
        }
    }
    files.sort();
    files
}
