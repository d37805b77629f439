//! Programs that are stopped while they run: to halt for a debugger, or to evaluate an expression.
//!
//! `WHEREFORE_NODES` may name more Nodes, separated by colons; the one in the path is always used. Needs the addon (`cargo xtask
//! build`).

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use debugger::{
    CodeKind, Ended, Halted, LiveError, Policy, RecordRequest, RunOutcome, StopAt, evaluate_live, instrument_file,
    pause,
};
use tempfile::TempDir;

const SHOP: &str = "\
const items = [{ id: 1, price: 5 }, { id: 2, price: 7 }, { id: 3, price: 9 }];
const cart = { total: 0, lines: [], get 'a size'() { process.exit(1); } };
function add(item, n) {
  const label = `item ${item.id}`;
  cart.total = cart.total + item.price * n;
  if (n > 2) cart.lines.push(label);
  return cart.total;
}
for (const item of items) add(item, item.id);
console.log(cart.total, items.length);
process.exitCode = 7;
";

#[test]
fn halts_before_the_write_in_the_function_of_the_program() {
    for node in nodes() {
        let program = Program::new(&node, "shop.js", SHOP);
        let at = program.site(5, "Put", 2);
        let (halted, seen, ended) = program.pause(&at, &["cart.total", "label", "n"]);
        assert_eq!((halted.line, halted.function.as_str()), (5, "add"));
        let before = ["add:5", "cart.total = 5", "label = item 2", "n = 2"];
        let after = ["add:6", "cart.total = 19", "label = item 2", "n = 2"];
        assert_eq!(seen, [before, after].concat());
        assert_eq!(ended.recorded.outcome, RunOutcome::Exited(7));
        assert_eq!(ended.n_runs, 1);
        assert_eq!(program.output(), "46 3\n");
    }
}

#[test]
fn halts_in_modules_and_typescript() {
    let module = "let sum = 0;\nexport const add = (n) => {\n  sum += n;\n  return sum;\n};\nadd(1); add(2);\nconsole.log(sum);\n";
    let typed = "let sum: number = 0;\nenum Way { Up = 1 }\nconst add = (n: number): number => {\n  sum += n * Way.Up;\n  return sum;\n};\nadd(1); add(2 as number);\nconsole.log(sum);\n";
    for node in nodes() {
        for (name, text, line) in [("sum.mjs", module, 3), ("sum.ts", typed, 4)] {
            let program = Program::new(&node, name, text);
            let (halted, seen, _) = program.pause(&program.site(line, "Var", 2), &["sum", "n"]);
            assert_eq!((halted.line, halted.function.as_str()), (line, "add"), "{name}");
            let lines = [format!("add:{line}"), "sum = 1".into(), "n = 2".into()];
            assert_eq!(seen[..3], lines, "{name}");
            assert_eq!(program.output(), "3\n", "{name}");
        }
    }
}

/// Which of the calls it is that is asked for is known only when they return.
#[test]
fn halts_where_a_recursion_began() {
    let text = "function fact(n) {\n  const smaller = n > 1 ? fact(n - 1) : 1;\n  return n * smaller;\n}\nconsole.log(fact(4));\n";
    for node in nodes() {
        let program = Program::new(&node, "fact.js", text);
        let (_, seen, ended) = program.pause(&program.site(2, "Var", 3), &["n"]);
        assert_eq!(seen[..2], ["fact:2", "n = 3"]);
        assert_eq!(ended.n_runs, 2);
        let value = program.evaluate(&program.site(2, "Var", 3), "n");
        assert_eq!(value, "3");
        assert_eq!(program.output(), "24\n");
    }
}

#[test]
fn evaluates_before_a_write() {
    for node in nodes() {
        let program = Program::new(&node, "shop.js", SHOP);
        let at = program.site(5, "Put", 3);
        let value = |expression: &str| program.evaluate(&at, expression);
        assert_eq!(value("items.length + n"), "6");
        assert_eq!(value("cart.total"), "19");
        assert_eq!(value("label"), "\"item 3\"");
        assert_eq!(value("items.map(x => x.id).join()"), "\"1,2,3\"");
        assert_eq!(value("item"), "{id: 3, price: 9}");
        assert_eq!(value("{ n, cart }"), "{n: 3, cart: {total: 19, lines: [], \"a size\": <accessor>}}");
        assert_eq!(value("[...items].reverse().map(x => x.price)"), "[9, 7, 5]");
        assert_eq!(value("new Map([['a', new Set([1, 2])]])"), "Map {\"a\" → Set {1, 2} (2)} (1)");
        assert_eq!(
            value("[undefined, null, -0, 1n, add, Symbol('s'), /x/g]"),
            "[undefined, null, -0, 1n, function add, Symbol(s), /x/g]"
        );
        assert_eq!(value("'a\\n\"\\ud800'"), r#""a\n\"\ud800""#);
        assert_eq!(program.output(), "46 3\n");
    }
}

#[test]
fn evaluates_at_calls_and_conditions() {
    for node in nodes() {
        let program = Program::new(&node, "shop.js", SHOP);
        assert_eq!(program.evaluate(&program.site(6, "Branch", 3), "[cart.total, n]"), "[46, 3]");
        assert_eq!(program.evaluate(&program.site(6, "Call", 1), "cart.lines"), "[]");
        assert_eq!(program.evaluate(&program.site(7, "Return", 3), "cart.lines"), "[\"item 3\"]");
        assert_eq!(program.evaluate(&program.site(3, "Enter", 2), "item.id"), "2");
    }
}

#[test]
fn refuses_what_would_change_something() {
    for node in nodes() {
        let program = Program::new(&node, "shop.js", SHOP);
        let at = program.site(5, "Put", 2);
        for expression in ["cart.total = 1", "items.push(1)", "n++", "delete cart.total", "console.log(1)"] {
            let error = program.try_evaluate(&at, expression).expect_err(expression);
            assert!(matches!(error, LiveError::SideEffect { .. }), "{expression}: {error}");
            assert_eq!(error.to_string(), format!("{expression} was not evaluated, as it would change something"));
        }
        assert_eq!(program.output(), "46 3\n");
    }
}

#[test]
fn tells_what_was_thrown() {
    let program = Program::new("node".as_ref(), "shop.js", SHOP);
    let at = program.site(5, "Put", 2);
    let message = |expression: &str| match program.try_evaluate(&at, expression) {
        Err(error @ LiveError::Threw { .. }) => error.to_string(),
        other => panic!("{expression}: {other:?}"),
    };
    assert_eq!(message("nothing"), "nothing threw ReferenceError: nothing is not defined");
    assert_eq!(message("a +"), "a + threw SyntaxError: Unexpected end of input");
    assert_eq!(message("(() => { throw 5; })()"), "(() => { throw 5; })() threw 5");
}

#[test]
fn says_how_often_a_point_was_hit_that_was_not_reached() {
    let program = Program::new("node".as_ref(), "shop.js", SHOP);
    let error = program.try_evaluate(&program.site(5, "Put", 4), "n").expect_err("three items");
    assert_eq!(error.to_string(), "the point was not reached in this run: it is hit 4, and it was hit 3 times");
    let error =
        pause(&program.request(&program.site(5, "Put", 9)), program.folder.path(), &program.site(5, "Put", 9), |_| {
            panic!("nothing halts")
        });
    assert!(matches!(error, Err(LiveError::NotReached { n_hits: 3, .. })), "{error:?}");
}

/// A function waits between the beginning and the event, and others come in between.
#[test]
fn evaluates_across_await() {
    let text = "\
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const log = [];
async function work(name, ms) {
  const done = await wait(ms).then(() => name);
  log.push(done);
}
Promise.all([work('slow', 60), work('quick', 5)]).then(() => console.log(log.join()));
";
    for node in nodes() {
        let program = Program::new(&node, "wait.js", text);
        assert_eq!(program.evaluate(&program.site(4, "Var", 2), "name"), "\"slow\"");
        assert_eq!(program.evaluate(&program.site(4, "Var", 1), "name"), "\"quick\"");
        assert_eq!(program.evaluate(&program.site(5, "Call", 2), "log"), "[\"quick\"]");
        assert_eq!(program.output(), "quick,slow\n");
    }
}

/// The process that has the code is not the one that was started.
#[test]
fn stops_in_children_and_workers() {
    let child = "for (let i = 0; i < 3; i++) {\n  const twice = i * 2;\n  if (twice === 4) console.log(twice);\n}\n";
    let parent =
        "require('child_process').execFileSync(process.execPath, [__dirname + '/child.js'], { stdio: 'inherit' });\n";
    let worker = "new (require('worker_threads').Worker)(__dirname + '/child.js');\n";
    for node in nodes() {
        for text in [parent, worker] {
            let program = Program::new(&node, "parent.js", text);
            let file = program.write("child.js", child);
            let at = site(&file, 2, "Var", 3);
            assert_eq!(program.evaluate(&at, "i"), "2");
            assert_eq!(program.output(), "4\n");
        }
        let program = Program::new(&node, "parent.js", parent);
        let file = program.write("child.js", child);
        let (_, seen, _) = program.pause(&site(&file, 2, "Var", 3), &["i"]);
        assert_eq!(seen[..2], ["(top level):2", "i = 2"]);
        assert_eq!(program.output(), "4\n");
    }
}

/// Columns and texts of functions are those of the source, though the text of the site is longer than in other runs.
#[test]
fn the_program_sees_its_own_text() {
    let text = "\
function f(o) { o.a = 1; throw new Error('x') }
try { f({}) } catch (e) { console.log(e.stack.split('\\n')[1].split(':').slice(-2).join()); }
console.log(f.toString());
";
    for node in nodes() {
        let program = Program::new(&node, "text.js", text);
        assert_eq!(program.evaluate(&program.site(1, "Put", 1), "o"), "{}");
        assert_eq!(program.output(), "1,32)\nfunction f(o) { o.a = 1; throw new Error('x') }\n");
    }
}

const LONGEST: Duration = Duration::from_secs(30);

struct Program {
    folder: TempDir,
    file: PathBuf,
    node: OsString,
    /// The signals of a process are passed on to one program at a time.
    _alone: MutexGuard<'static, ()>,
}

impl Program {
    fn new(node: &std::ffi::OsStr, name: &str, text: &str) -> Program {
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().expect("a folder");
        let mut program = Program { folder, file: PathBuf::new(), node: node.into(), _alone: alone };
        program.file = program.write(name, text);
        program
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let file = self.folder.path().canonicalize().expect("the folder").join(name);
        fs::write(&file, text).expect("the program");
        file
    }

    fn site(&self, line: u32, kind: &str, hit: u32) -> StopAt {
        site(&self.file, line, kind, hit)
    }

    fn request(&self, at: &StopAt) -> RecordRequest {
        let script = r#"exec "$0" "$1" > "$2""#;
        let words = ["sh".as_ref(), "-c".as_ref(), script.as_ref(), self.node.as_os_str(), self.file.as_os_str()];
        let mut command: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        command.push(self.output_file().to_string_lossy().into_owned());
        RecordRequest { policy: Policy::of_point(at), timeout: Some(LONGEST), ..RecordRequest::of(command) }
    }

    fn try_evaluate(&self, at: &StopAt, expression: &str) -> Result<String, LiveError> {
        let live = evaluate_live(&self.request(at), self.folder.path(), at, expression)?;
        Ok(live.value.text)
    }

    fn evaluate(&self, at: &StopAt, expression: &str) -> String {
        self.try_evaluate(at, expression).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// What is told of the halt, what a debugger sees there and one step later, and the end.
    fn pause(&self, at: &StopAt, expressions: &[&str]) -> (Halted, Vec<String>, Ended) {
        let mut seen = None;
        let ended = pause(&self.request(at), self.folder.path(), at, |halted| {
            let attach = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live/attach.js");
            let mut debugger = Command::new("node");
            debugger.arg("--experimental-websocket").arg(attach).arg(&halted.address).args(expressions);
            let output = debugger.output().expect("node runs");
            let lines = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
            seen = Some((halted.clone(), lines));
        });
        let ended = ended.unwrap_or_else(|error| panic!("{error}"));
        let (halted, lines) = seen.expect("the program halted");
        (halted, lines, ended)
    }

    fn output_file(&self) -> PathBuf {
        self.folder.path().join("output")
    }

    fn output(&self) -> String {
        fs::read_to_string(self.output_file()).expect("the output")
    }
}

/// The site of this kind on a line.
fn site(file: &Path, line: u32, kind: &str, hit: u32) -> StopAt {
    let sites = instrument_file(file, Some(CodeKind::of_file(file)), &Policy::full()).expect("the file").sites;
    let site = sites.iter().find(|site| site.line == line && site.kind == kind);
    let site = site.unwrap_or_else(|| panic!("no {kind} on line {line} of {}", file.display()));
    StopAt { path: file.to_string_lossy().into_owned(), site: site.number - 1, hit }
}

fn nodes() -> Vec<OsString> {
    let more = env::var_os("WHEREFORE_NODES").unwrap_or_default();
    let more = env::split_paths(&more).map(PathBuf::into_os_string).filter(|path| !path.is_empty());
    [OsString::from("node")].into_iter().chain(more).collect()
}

/// V8's own list of built-ins without an effect is short, and our wrappers are not on it.
#[test]
fn whatever_changes_nothing_is_evaluated() {
    let text = "\
const msg = 'one two three', items = [{ n: 3 }, { n: 1 }], map = new Map([['a', 1]]);
let count = 0;
const tally = () => { count++; return count; };
const words = (text) => text.split(/ /).map((word) => word.toUpperCase());
const here = 1;
console.log(msg, items, map, count, here);
";
    let pure = [
        ("msg.split(' ').length", "3"),
        ("msg.split(/(t)/)", r#"["one ", "t", "wo ", "t", "hree"]"#),
        ("msg.replace(/o(.)/g, '[$1]')", r#""[n]e tw[ ]three""#),
        ("msg.replaceAll('e', (all, at) => at)", r#""on2 two thr1112""#),
        ("msg.match(/t\\w+/g)", r#"["two", "three"]"#),
        ("[...msg.matchAll(/t(.)/g)].map((match) => match[1])", r#"["w", "h"]"#),
        ("msg.search(/two/)", "4"),
        ("msg.toUpperCase() + 'ß'.toUpperCase()", r#""ONE TWO THREESS""#),
        ("[...msg].length + Array.from(msg).length", "26"),
        ("['b', 'a'].sort((a, b) => a.localeCompare(b))", r#"["a", "b"]"#),
        ("[...items].sort((a, b) => a.n - b.n)[0].n", "1"),
        ("items.map((item) => item.n).concat([9]).reverse()", "[9, 1, 3]"),
        ("new Set([1, 1, 2]).size + new Map(map).set('b', 2).size", "4"),
        ("Object.assign({}, items[0]).n", "3"),
        ("Object.fromEntries([['a', 1]]).a", "1"),
        ("Math.max(...items.map((item) => item.n)).toFixed(1)", r#""3.0""#),
        ("JSON.stringify(Object.keys(items[0]))", r#""[\"n\"]""#),
        ("words(msg)", r#"["ONE", "TWO", "THREE"]"#),
    ];
    let impure = [
        "items.push(1)",
        "items.sort()",
        "map.set('q', 1)",
        "tally()",
        "count = 5",
        "Object.assign(items[0], { n: 4 })",
        "Object.defineProperty(items, 'x', { value: 1 })",
        "msg.replace(/o/, () => tally())",
        "msg.split({ [Symbol.split]: tally })",
        "Array.from(items, (item) => { item.n = 0; })",
        "String.prototype.split = 1",
    ];
    for node in nodes() {
        let program = Program::new(&node, "pure.js", text);
        let at = program.site(5, "Var", 1);
        for (expression, value) in pure {
            assert_eq!(program.evaluate(&at, expression), value, "{expression}");
        }
        for expression in impure {
            let refused = program.try_evaluate(&at, expression);
            assert!(matches!(refused, Err(LiveError::SideEffect { .. })), "{expression}");
        }
        assert!(program.output().ends_with("0 1\n"), "{}", program.output());
    }
}
