//! `wherefore judge` as people and scripts use it. Needs the addon (`cargo xtask build`).

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{project, repository, run};

fn recorded(files: &[(&str, &str)]) -> tempfile::TempDir {
    let project = project(files);
    let (_, _, stderr) = run(project.path(), &["record", "--", "node", files[0].0]);
    assert!(stderr.contains("events"), "{stderr}");
    project
}

/// The end of a session in which a file answers.
fn judged(folder: &Path, answers: &str, args: &[&str]) -> serde_json::Value {
    fs::write(folder.join("answers.txt"), answers).unwrap();
    let (_, stdout, stderr) = run(folder, &[&["judge", "--format", "json", "--answers", "answers.txt"], args].concat());
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"))
}

fn asked(judged: &serde_json::Value) -> Vec<String> {
    let transcript = judged["transcript"].as_array().unwrap();
    transcript
        .iter()
        .map(|asked| format!("{} {}", asked["function"].as_str().unwrap_or("top"), asked["verdict"].as_str().unwrap()))
        .collect()
}

fn automatic(judged: &serde_json::Value) -> Vec<String> {
    let verdicts = judged["verdicts"].as_array().unwrap().iter();
    let by_itself = verdicts.filter(|verdict| verdict["why"] != "you said so");
    let text = |value: &serde_json::Value| value.as_str().unwrap_or("").to_owned();
    by_itself
        .map(|verdict| {
            format!("{} {}: {}", text(&verdict["call"]["function"]), text(&verdict["verdict"]), text(&verdict["why"]))
        })
        .collect()
}

const SUM: &str = "function twice(n) {\n  return n * 3;\n}\nfunction sum(a, b) {\n  return twice(a) + twice(b);\n}\n\
                   console.log(sum(2, 5));\n";

/// What a terminal gets to see after these keys, each pressed when it is asked for.
fn typed(folder: &Path, keys: &str, args: &[&str]) -> Option<String> {
    let mut command = Command::new("script");
    let judge = format!("{} judge {}", env!("CARGO_BIN_EXE_wherefore"), args.join(" "));
    let mut terminal = command
        .args(["-qec", &judge, "/dev/null"])
        .env("WHEREFORE_RUNTIME", repository().join("packages/runtime"))
        .env("TERM", "xterm")
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut stdin = terminal.stdin.take().unwrap();
    let mut stdout = terminal.stdout.take().unwrap();
    let mut seen = String::new();
    for (n_pressed, key) in keys.chars().enumerate() {
        // What is asked ends with the keys that there are, of which `v` is the first.
        while seen.matches("\n  v ").count() <= n_pressed {
            let mut part = [0; 4096];
            let n_read = stdout.read(&mut part).unwrap();
            assert!(n_read > 0, "it ended before it asked for {key}: {seen}");
            seen.push_str(&String::from_utf8_lossy(&part[..n_read]));
        }
        write!(stdin, "{key}").unwrap();
    }
    drop(stdin);
    let mut rest = Vec::new();
    stdout.read_to_end(&mut rest).unwrap();
    terminal.wait().unwrap();
    Some(seen + &String::from_utf8_lossy(&rest))
}

#[test]
fn single_keys_in_a_terminal() {
    let project = recorded(&[("sum.js", SUM)]);
    let Some(seen) = typed(project.path(), "iui", &["--strategy", "top-down"]) else { return };
    // No key needs a return: sum is invalid, taken back, and invalid again; then the first call of `twice` is asked about.
    assert!(seen.contains("taken back: 1 @"), "{seen}");
    assert!(seen.contains("twice(2)"), "{seen}");
    let seen = typed(project.path(), "i", &["--strategy", "top-down"]).unwrap();
    assert!(seen.contains("is wrong: its inputs were right and it returned 6"), "{seen}");
}

#[test]
fn a_reference_run_answers() {
    let project = recorded(&[("sum.js", SUM)]);
    let folder = project.path();
    fs::write(folder.join("sum.js"), SUM.replace("n * 3", "n * 2")).unwrap();
    run(folder, &["record", "--", "node", "sum.js"]);
    let judged = judged(folder, "", &["--run", "1", "--against", "2", "--strategy", "top-down"]);
    assert_eq!(judged["found"]["function"], "twice", "{judged}");
    assert_eq!((asked(&judged).len(), &judged["asked"]), (0, &0.into()));
    let why = automatic(&judged);
    assert_eq!(why[0], "sum invalid: run 2 made the same call, with other effects");
    let judged = self::judged(
        folder,
        "sum invalid\ntwice invalid\n",
        &["--run", "1", "--against", "2", "--no-auto", "against", "--fresh"],
    );
    assert_eq!(automatic(&judged), Vec::<String>::new());
}

#[test]
fn calls_of_interleaved_tasks_stay_with_their_callers() {
    let source = "const later = (ms) => new Promise((done) => setTimeout(done, ms));\n\
                  function add(list, x) { list.push(x); }\n\
                  async function slow(list) { add(list, 'a'); await later(20); add(list, 'b'); }\n\
                  async function fast(list) { await later(5); add(list, 'c'); }\n\
                  async function main() { const one = [], two = []; await Promise.all([slow(one), fast(two)]); console.log(one, two); }\n\
                  main();\n";
    let project = recorded(&[("tasks.js", source)]);
    // `slow` is wrong, while `fast` ran in the middle of it: only what `slow` called itself is asked about then.
    let judged = judged(
        project.path(),
        "main invalid\nslow invalid\nfast valid\nadd valid\nlater valid\n* valid\n",
        &["--strategy", "top-down", "--no-auto", "all"],
    );
    assert_eq!(judged["found"]["function"], "slow", "{judged}");
    let asked = asked(&judged);
    assert!(!asked.contains(&"fast valid".to_owned()), "{asked:?}");
    assert_eq!(asked.iter().filter(|asked| *asked == "add valid").count(), 2, "{asked:?}");
    let changes = judged["question"]["changes"].as_array().unwrap();
    let places: Vec<&str> = changes.iter().map(|change| change["place"].as_str().unwrap()).collect();
    assert_eq!(places, ["list[0]", "list[1]", "list.length"], "{judged}");
    assert_eq!(judged["question"]["awaited"].as_array().unwrap().len(), 1);
}

#[test]
fn packages_are_trusted_unless_asked_otherwise() {
    let files = [
        ("app.js", "const { half } = require('halves');\nfunction show(n) {\n  console.log(half(n));\n}\nshow(3);\n"),
        ("node_modules/halves/index.js", "'use strict';\nexports.half = function half(n) {\n  return n;\n};\n"),
    ];
    let project = recorded(&files);
    let judged = judged(project.path(), "show invalid\n", &["--strategy", "top-down"]);
    assert_eq!((&judged["found"]["function"], asked(&judged).len()), (&"show".into(), 1), "{judged}");
    let judged = self::judged(
        project.path(),
        "show invalid\nhalf invalid\nindex.js:1 valid\n",
        &["--strategy", "top-down", "--distrust", "--fresh"],
    );
    assert_eq!(judged["found"]["function"], "half", "{judged}");
}

#[test]
fn of_contradicting_verdicts_the_newer_stands_and_both_are_shown() {
    let project = recorded(&[("sum.js", SUM)]);
    let folder = project.path();
    judged(folder, "sum invalid\ntwice invalid\n", &["--strategy", "top-down", "--no-auto", "all"]);
    // Somebody adds that all of it was right.
    let kept = folder.join(".wherefore/runs/1/judge.txt");
    let text = fs::read_to_string(&kept).unwrap();
    let sum = text.lines().find(|line| line.contains(" sum ")).unwrap().replace("invalid", "valid");
    fs::write(&kept, format!("{text}{sum}\n")).unwrap();
    let judged = judged(folder, "* valid\n", &["--strategy", "top-down", "--no-auto", "all"]);
    let conflicts = judged["conflicts"].as_array().unwrap();
    assert_eq!(conflicts.len(), 2, "{judged}");
    assert_eq!(conflicts[0]["older"], "sum sum.js:4 is invalid");
    assert_eq!(conflicts[0]["newer"], "sum sum.js:4 is valid");
    // What is left is the program itself.
    assert_eq!((&judged["kind"], &judged["found"]["function"]), (&"found".into(), &serde_json::Value::Null));
}

#[test]
fn a_run_without_the_evidence_says_what_to_record() {
    let project = project(&[("sum.js", SUM)]);
    let folder = project.path();
    run(folder, &["last-change", "n", "--at", "sum.js:2", "--", "node", "sum.js"]);
    let (code, stdout, stderr) = run(folder, &["judge", "--strategy", "top-down"]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""), "{stderr}");
    assert!(stderr.contains("record everything, as `wherefore record` does"), "{stderr}");
}

#[test]
fn what_was_pointed_at_is_kept_with_the_run() {
    let source = "function half(n) {\n  return n / 3;\n}\nfunction total(items) {\n  const sums = { all: 0, half: 0 };\n  \
                  for (const item of items) sums.all += item;\n  sums.half = half(sums.all);\n  return sums;\n}\n\
                  console.log('first');\nconsole.log(total([1, 2, 3]).half);\n";
    let project = recorded(&[("total.js", source)]);
    let folder = project.path();
    let judged = judged(folder, "total invalid return.half\nhalf invalid return\n", &["--wrong", "out:2"]);
    assert_eq!(judged["found"]["function"], "half", "{judged}");
    let (_, kept, _) = run(folder, &["judge", "--export"]);
    let lines: Vec<&str> = kept.lines().collect();
    assert_eq!(lines[0], "wrong out:2", "{kept}");
    assert!(lines.iter().any(|line| line.ends_with("wrong return.half") || line.ends_with("wrong return")), "{kept}");
    // The next session goes on from there, and finds it without a question.
    let judged = self::judged(folder, "", &[]);
    assert_eq!((&judged["found"]["function"], &judged["asked"]), (&"half".into(), &0.into()), "{judged}");
}

#[test]
fn types_and_assertions_of_the_source_answer_where_nothing_else_could_be_to_blame() {
    let typed = "/**\n * @param {number} n\n * @returns {string}\n */\nfunction name(n) {\n  return n + 1;\n}\n\
                 function show(n) {\n  console.log('#' + name(n));\n}\nshow(1);\n";
    let project = recorded(&[("typed.js", typed)]);
    let judged = judged(project.path(), "", &[]);
    assert_eq!((&judged["found"]["function"], &judged["asked"]), (&"name".into(), &0.into()), "{judged}");
    assert_eq!(automatic(&judged), ["name invalid: it is declared to return string, and it returned 2"]);

    let switched_off =
        self::judged(project.path(), "show invalid\nname valid\n", &["--no-auto", "types", "--strategy", "top-down"]);
    assert_eq!((switched_off["found"]["function"].as_str(), asked(&switched_off).len()), (Some("show"), 2));

    let asserted = "const assert = require('node:assert');\nfunction inc(n) {\n  return n + 1;\n}\nfunction dec(n) {\n  return n - 2;\n}\n\
                    function test() {\n  assert.strictEqual(inc(1), 2);\n  assert.strictEqual(dec(3), 2);\n}\ntest();\n";
    let project = recorded(&[("asserted.js", asserted)]);
    let judged = self::judged(project.path(), "test invalid\n", &["--strategy", "top-down"]);
    assert_eq!((&judged["found"]["function"], asked(&judged).len()), (&"dec".into(), 1), "{judged}");
    assert_eq!(
        automatic(&judged),
        [
            "inc valid: an assertion at asserted.js:9 wants 2, and it returned 2",
            "dec invalid: an assertion at asserted.js:10 wants 2, and it returned 1"
        ]
    );
}

/// Whoever got something wrong may return something wrong, and be right.
#[test]
fn a_broken_type_says_nothing_certain_of_a_call_that_got_something_wrong() {
    let source = "function read(text) {\n  return { price: text };\n}\n/** @returns {number} */\nfunction total(items) {\n  let sum = 0;\n  \
                  for (const item of items) sum += item.price;\n  return sum;\n}\nfunction main() {\n  console.log(total([read('1'), read('2')]));\n}\nmain();\n";
    let project = recorded(&[("total.js", source)]);
    let judged = judged(project.path(), "main invalid\ntotal valid\nread invalid\n", &["--strategy", "top-down"]);
    assert_eq!(judged["found"]["function"], "read", "{judged}");
    assert!(automatic(&judged).iter().all(|verdict| !verdict.starts_with("total")), "{judged}");
}

/// What a call did wrong may not matter to its caller. That the caller is valid says nothing of the same call elsewhere.
#[test]
fn a_call_is_not_valid_because_the_same_one_was_part_of_a_valid_call() {
    let source = "function price(n) {\n  return n + 1;\n}\nfunction isDear(n) {\n  return price(n) > 100;\n}\n\
                  function bill(n) {\n  return 'to pay: ' + price(n);\n}\nfunction main() {\n  console.log(isDear(5), bill(5));\n}\nmain();\n";
    let project = recorded(&[("bill.js", source)]);
    for strategy in ["top-down", "divide", "edges", "def-use", "slice"] {
        let answers = "main invalid\nisDear valid\nbill invalid\nprice invalid\n";
        let judged = judged(project.path(), answers, &["--strategy", strategy, "--fresh"]);
        assert_eq!(judged["found"]["function"], "price", "{strategy}: {judged}");
    }
}

/// Calls that differ only in what a person is not shown put different questions.
#[test]
fn calls_that_look_alike_are_not_the_same() {
    let source = "function count(text, is) {\n  let n = 0;\n  for (const c of text) if (is(c)) n++;\n  return n;\n}\n\
                  function last(text) {\n  return text.endsWith('b') ? 1 : 0;\n}\nfunction some() {\n  return arguments.length;\n}\n\
                  const a = 'x'.repeat(300);\nconsole.log(count('ab', (c) => c === 'a'), count('ab', (c) => c === 'b'));\n\
                  console.log(last(a + 'b'), last(a + 'c'), some(1), some(2));\n";
    let project = recorded(&[("alike.js", source)]);
    let judged = judged(project.path(), "* valid\n", &["--strategy", "top-down"]);
    assert_eq!(automatic(&judged), Vec::<String>::new(), "{judged}");
}

/// Calls that find something else in places that their arguments do not lead to put different questions.
#[test]
fn what_a_call_finds_around_it_is_part_of_the_question() {
    let sources = [
        // Fields of a class, and what an object inherits.
        "class Rate { static factor = 1; }\nfunction asked(x) { return Rate.factor > x; }\n\
         asked(5); Rate.factor = 2; asked(5);\n",
        "class A { static n = 1; asked() { return this.constructor.n > 3; } }\n\
         const a = new A(); a.asked(); A.n = 2; a.asked();\n",
        "const base = { limit: 5 };\nfunction asked(env, n) { return n > env.limit; }\n\
         const env = Object.create(base); asked(env, 3); base.limit = 4; asked(env, 3);\n",
        // Another closure of a function that was called before.
        "function make() { let n = 1; return { set(v) { n = v; }, get() { return n > 5; } }; }\n\
         const p = make(), q = make();\nfunction asked() { return p.get() && q.get(); }\nasked(); q.set(9); asked();\n",
        // What it should have asked for, and did not.
        "class Box { constructor(w) { this.w = w; } asked(h) { return 10 * h; } }\n\
         for (const box of [new Box(10), new Box(5)]) box.asked(2);\n",
        "let rate = 10;\nfunction asked(h) { return 10 * h; }\nasked(2); rate = 5; asked(2);\n",
        // What came in meanwhile.
        "function* asked() { while ((yield) !== 0); }\n\
         for (const list of [[1, 0], [2, 0]]) { const g = asked(); g.next(); for (const x of list) g.next(x); }\n",
        "function asked(n) { return Math.random() > n; }\nasked(2); asked(2);\n",
    ];
    let of_modules = "import { config, n, set } from './config.mjs';\nimport * as all from './config.mjs';\n\
                      function asked() { return config.x > 5; }\nfunction askedBare() { return n > 5; }\n\
                      function askedAll() { return all.config.x > 5; }\n\
                      asked(); askedBare(); askedAll(); config.x = 2; set(2); asked(); askedBare(); askedAll();\n";
    let config = "export const config = { x: 1 };\nexport let n = 1;\nexport function set(v) { n = v; }\n";
    let waits = "import fs from 'node:fs';\nimport { readFile } from 'node:fs/promises';\n\
                 const asked = async () => (await readFile('data', 'utf8')) > 5;\n\
                 for (const n of ['1', '2']) { fs.writeFileSync('data', n); await asked(); }\n";
    let alone = sources.into_iter().map(|source| vec![("main.js", source)]);
    let modules = [vec![("main.mjs", of_modules), ("config.mjs", config)], vec![("main.mjs", waits)]];
    for files in alone.chain(modules) {
        let project = recorded(&files);
        let judged = judged(project.path(), "* valid\n", &["--strategy", "top-down"]);
        let alike: Vec<String> = automatic(&judged).into_iter().filter(|told| told.starts_with("asked")).collect();
        assert_eq!(alike, Vec::<String>::new(), "{files:?}");
    }
}

#[test]
fn fields_of_classes_are_told_and_keep_an_assertion_from_exonerating() {
    let source = "const assert = require('assert');\nclass Stock { static n = 0; static log = []; }\n\
                  function add(a, b) {\n  Stock.n -= 50;\n  Stock.log.push(a);\n  return a + b;\n}\n\
                  assert.equal(add(1, 2), 3);\nconsole.log(Stock.n);\n";
    let project = recorded(&[("stock.js", source)]);
    let judged = judged(project.path(), "add invalid\n", &[]);
    assert_eq!(asked(&judged), ["add invalid"], "{judged}");
    let changes = judged["question"]["changes"].as_array().unwrap();
    let places: Vec<&str> = changes.iter().filter_map(|change| change["place"].as_str()).collect();
    assert_eq!(places, ["Stock.n", "Stock.log[0]", "Stock.log.length"]);
}

/// Functions without names are not each other.
#[test]
fn a_reference_run_answers_for_the_same_function_only() {
    let source = "function main(list) {\n  return [list.map((x) => x + 1), list.map((x) => x * 2)];\n}\n\
                  console.log(main([2]), process.argv.length > 2 ? main([9]) : '');\n";
    let project = recorded(&[("anonymous.js", source)]);
    run(project.path(), &["record", "-o", "wrong", "--", "node", "anonymous.js", "more"]);
    let args = ["--strategy", "top-down", "--run", "wrong", "--against", "1", "--trust", "main"];
    let judged = judged(project.path(), "* valid\n", &args);
    let why = "run 1 made the same call, with the same effects";
    assert_eq!(automatic(&judged), [format!("<anonymous> valid: {why}"), format!("<anonymous> valid: {why}")]);
}

#[test]
fn the_top_level_of_a_module_returns() {
    let project = recorded(&[("module.mjs", "console.log(1);\n")]);
    let judged = judged(project.path(), "* valid\n", &[]);
    assert_eq!(judged["question"]["outcome"]["kind"], "returned", "{judged}");
}

/// What a call finds in the object that another was made after, and names for what has no place of its own.
#[test]
fn what_is_inherited_and_what_is_global_is_told() {
    let source = "const base = { limit: 5 };\nconst env = Object.create(base);\nconst seen = new Set();\nglobalThis.n = 1;\n\
                  function over(env) {\n  globalThis.n = 2;\n  seen.add(3);\n  return env.limit > 5;\n}\nconsole.log(over(env));\n";
    let project = recorded(&[("inherited.js", source)]);
    let judged = judged(project.path(), "over invalid\n", &[]);
    let question = &judged["question"];
    let changes = question["changes"].as_array().unwrap();
    let places: Vec<&str> = changes.iter().filter_map(|change| change["place"].as_str()).collect();
    assert_eq!(places, ["seen.has(3)", "globalThis.n"]);
    let objects = question["objects"].as_object().unwrap();
    let inherited = objects.values().find(|object| object["place"] == "env.__proto__").expect("it is told");
    assert_eq!(inherited["entry"]["limit"]["text"], "5");
    // Of what is built in, nothing is said to be unknown.
    assert_eq!(question["unknown"].as_array().map(Vec::len), Some(0), "{question}");
}

#[test]
fn an_assertion_that_is_meant_to_fail_says_nothing() {
    for meant in ["assert.throws(() => assert.equal(twice(1), 3));", "try { assert.equal(twice(1), 3); } catch {}"] {
        let source = format!(
            "const assert = require('assert');\nfunction twice(x) {{\n  return x * 2;\n}}\nfunction half(x) {{\n  return x;\n}}\n\
             {meant}\nconsole.log(half(twice(2)));\n"
        );
        let project = recorded(&[("meant.js", &source)]);
        let judged = judged(project.path(), "half invalid\n* valid\n", &["--strategy", "top-down"]);
        assert_eq!(automatic(&judged), Vec::<String>::new(), "{judged}");
        assert_eq!(judged["found"]["function"], "half");
    }
}
