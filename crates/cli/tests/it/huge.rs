//! Programs whose data says that it is huge: arrays of four thousand million elements, writes far behind the end, long strings. Every
//! question is answered in little memory, and about as quickly as for other programs. Needs the addon (`cargo xtask build`).

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{project, run, wherefore};

/// What `ulimit -v` counts in.
const MOST_KILOBYTES: u64 = 1 << 20;
/// On a busy machine. It takes a fraction of a second on a quiet one.
const MOST_TIME: Duration = Duration::from_secs(30);

const ARRAYS: &str = "\
const huge = new Array(4294967295);
huge[5] = 'five';
huge[4294967290] = 'far';
const grown = [1, 2, 3];
grown.length = 3e9;
grown[2999999999] = 'last';
grown.length = 4e9;
const sparse = [];
for (let i = 0; i < 40; i++) sparse[i * 100000000] = i;
sparse.splice(sparse.length - 5, 2, 'in', 'between', 'more');
huge.splice(4294967280, 1);
huge.fill('filled', 4294967270, 4294967275);
huge.copyWithin(4294967200, 4294967270, 4294967275);
grown.length = 2;
try { huge.length = 4294967295; huge.push('too many'); } catch (error) { console.log(error.message); }
const inner = { huge, rows: [new Array(4e9), [, , 3]] };
function sum(list) { arguments.length = 4294967295; return list.length + arguments.length; }
const total = sum(huge);
const copy = sparse.slice(0, 3);
const first = huge.at(-5);
console.log(total, copy, first, inner.rows.length);
inner.lines.total = total;
";

const TYPED: &str = "\
const bytes = new Uint8Array(2 ** 30);
bytes[2 ** 30 - 1] = 7;
bytes.fill(1, 2 ** 30 - 8);
bytes.copyWithin(0, 2 ** 30 - 8);
const wide = new Float64Array(bytes.buffer, 2 ** 29, 1000);
wide[999] = 1.5;
bytes[2 ** 31] = 4;
const view = bytes.subarray(2 ** 29);
view.set([1, 2, 3], 2 ** 28);
const sum = bytes[0] + wide[999] + view[2 ** 28];
console.log(sum, view.length);
bytes.lines.total = sum;
";

const STRINGS: &str = "\
let text = 'x'.repeat(2 ** 28);
let more = text + 'y';
const padded = 'a'.padStart(2 ** 28, more);
const parts = { text, more, [text.slice(0, 1 << 20)]: 1 };
const list = [text, more, padded];
const keyed = new Map([[text, more]]);
text = text.slice(5);
const same = keyed.get(more);
console.log(padded.length, list.length, same);
parts.lines.total = text.length;
";

const LIKE_ARRAYS: &str = "\
const like = { length: 2 ** 53 - 2, 3: 'three' };
try { Array.prototype.push.call(like, 'a', 'b', 'c'); } catch (error) { console.log(error.message); }
Array.prototype.splice.call(like, 2 ** 53 - 4, 1, 'in');
function far() {
  arguments.length = 2 ** 53 - 2;
  Array.prototype.splice.call(arguments, 2 ** 53 - 4, 1, 'in', 'out');
  arguments[4294967294] = 'last';
  arguments[4294967296] = 'behind';
  return arguments;
}
const args = far(1, 2);
const holes = [, , , 1];
holes[1e6] = 2;
holes.unshift(0);
holes.sort();
const endless = { length: Infinity };
const made = Array.from({ length: 5 }, (_, i) => i);
made.length = 0;
made[4294967294] = 'end';
made[4294967295] = 'no element';
console.log(args.length, holes.length, made.length, endless.length);
made.lines.total = 1;
";

#[test]
fn arrays() {
    let folder = recorded(ARRAYS);
    for place in ["huge[5]", "huge[4294967290]", "huge[17]", "huge.length", "grown[1]", "grown.length", "sparse.length"]
    {
        ask_about(folder.path(), place);
    }
    ask_about(folder.path(), "inner");
    ask_each(
        folder.path(),
        &["huge", "grown", "[...huge]", "[...sparse]", "huge.length", "sparse[3899999996]", "{ ...grown }"],
    );
    let value = |expression: &str| answered(folder.path(), &["eval", expression, "--at", "crash"]);
    assert_eq!(value("huge.length"), "4294967295\n");
    assert_eq!(value("huge[5]"), "\"five\"\n");
    assert_eq!(value("grown.length"), "2\n");
    assert_eq!(value("sparse.length"), "3900000002\n");
    assert_eq!(value("sparse[3899999996]"), "\"in\"\n");
    assert_eq!(value("sparse[100000000]"), "1\n");
}

#[test]
fn typed_arrays() {
    let folder = recorded(TYPED);
    for place in ["bytes[1073741823]", "bytes[0]", "bytes.length", "wide[999]", "view[268435456]", "sum"] {
        ask_about(folder.path(), place);
    }
    ask_each(folder.path(), &["bytes", "view", "[...bytes]", "bytes.length", "wide.length"]);
}

#[test]
fn strings() {
    let folder = recorded(STRINGS);
    for place in ["text", "parts.text", "padded", "list[1]", "keyed", "same"] {
        ask_about(folder.path(), place);
    }
    ask_each(folder.path(), &["text.length", "parts", "list", "text + more", "[...text]"]);
    // Where a call can be evaluated at all.
    for call in
        ["'x'.repeat(2 ** 28)", "'x'.padEnd(2 ** 29)", "text.padStart(2 ** 29).length", "Array(2 ** 31).fill(text)"]
    {
        asked(folder.path(), &["eval", call, "--at", "crash"], &[0, 1, 2]);
    }
}

#[test]
fn objects_like_arrays() {
    let folder = recorded(LIKE_ARRAYS);
    for place in [
        "like.length",
        "args[4294967294]",
        "args.length",
        "holes[3]",
        "made.length",
        "made[4294967294]",
        "endless.length",
    ] {
        ask_about(folder.path(), place);
    }
    ask_each(folder.path(), &["like", "args", "holes", "made", "[...made]", "[...holes]"]);
    assert_eq!(answered(folder.path(), &["eval", "made.length", "--at", "crash"]), "4294967295\n");
}

fn recorded(program: &str) -> tempfile::TempDir {
    let folder = project(&[("app.js", program)]);
    let (code, stdout, stderr) = run(folder.path(), &["record", "--", "node", "app.js"]);
    assert!(code == Some(1) && stderr.contains("TypeError"), "{code:?} {stdout}{stderr}");
    folder
}

/// Questions about a place.
fn ask_about(folder: &Path, place: &str) {
    for kind in ["last-change", "history", "why", "birth", "crash-path", "omissions"] {
        answered(folder, &[kind, place, "--at", "crash"]);
    }
    answered(folder, &["find", "--place", place]);
    answered(folder, &["log", place, "--at", "app.js:8"]);
}

/// Expressions at the crash, and what is asked about no place.
fn ask_each(folder: &Path, expressions: &[&str]) {
    for expression in expressions {
        answered(folder, &["eval", expression, "--at", "crash"]);
    }
    for question in ["why", "state", "stack", "last-condition", "crash-path", "events", "calls"] {
        answered(folder, &[question]);
    }
    answered(folder, &["state", "--at", "crash", "--depth", "3"]);
    answered(folder, &["export", "-o", "out.wherefore"]);
}

/// What is printed. An answer may be that there is none.
fn answered(folder: &Path, args: &[&str]) -> String {
    asked(folder, args, &[0, 1])
}

/// What is printed by a command that ends with one of these codes.
fn asked(folder: &Path, args: &[&str], codes: &[i32]) -> String {
    let ours = wherefore(folder);
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("ulimit -v {MOST_KILOBYTES}; exec \"$@\""))
        .arg("sh")
        .arg(ours.get_program())
        .args(args);
    command.envs(ours.get_envs().filter_map(|(name, value)| Some((name, value?)))).current_dir(folder);
    let since = Instant::now();
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().take(2000).collect::<String>();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(
        output.status.code().is_some_and(|code| codes.contains(&code)),
        "{args:?}: {}\n{stdout}{stderr}",
        output.status
    );
    assert!(since.elapsed() < MOST_TIME, "{args:?} took {:?}", since.elapsed());
    assert!(output.stdout.len() < 1 << 20, "{args:?} printed {} bytes", output.stdout.len());
    stdout
}
