//! Previews and contents of objects against what the program itself says of them: random writes and deletions, in objects of a few events
//! and of thousands. Needs the addon (`cargo xtask build`).

use std::fs;
use std::sync::{Arc, Mutex};

use debugger::{
    Answer, Child, Control, Output, PageRequest, Question, QuestionKind, RecordRequest, RunChoice, Session, record,
};
use tempfile::TempDir;

/// Prints each object as `o3 7=1 a=2`, in the order of its keys. `NOISE` events lie between two halves of what happens.
const PROGRAM: &str = r#"
let seed = SEED;
function random(n) {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return Math.floor(seed / 65536) % n;
}
const names = ["a", "b", "c", "d", "e", "f", "g"];
function act(o, i) {
  const name = names[random(names.length)];
  const value = { value: i, writable: true, enumerable: true, configurable: true };
  switch (random(9)) {
    case 0: delete o[name]; break;
    case 1: delete o.c; break;
    case 2: Reflect.deleteProperty(o, name); break;
    case 3: o[random(4) + 8] = i; break;
    case 4: o[String(random(4) + 8)] = i; break;
    case 5: Object.defineProperty(o, name, value); break;
    case 6: o.e = i; break;
    default: o[name] = i;
  }
}
function write(o, n) {
  for (let i = 0; i < n; i++) o.b = i;
}
const o0 = { a: 0, b: 1, c: 2, d: 3, e: 4, f: 5 }, o1 = { ...o0 }, o2 = { ...o0 }, o3 = { ...o0 }, o4 = { ...o0 }, o5 = { ...o0 };
const all = [o0, o1, o2, o3, o4, o5];
for (const o of all) {
  write(o, random(3) * 1500);
  for (let i = random(4); i > 0; i--) act(o, i);
}
for (let i = 0, sum = 0; i < NOISE; i++) sum += i;
for (const o of all) {
  for (let i = random(4); i > 0; i--) act(o, i);
  write(o, random(3) * 1500);
  for (let i = random(3); i > 0; i--) act(o, i);
}
console.log(all.map((o, i) => "o" + i + Object.keys(o).map((key) => " " + key + "=" + o[key]).join("")).join("\n"));
process.exit();
"#;

/// What an object holds, in order.
type Held = Vec<(String, String)>;

fn recorded(seed: u32, n_noise: u32) -> (TempDir, Session, Vec<Held>) {
    let folder = tempfile::tempdir().unwrap();
    let program = PROGRAM.replace("SEED", &seed.to_string()).replace("NOISE", &n_noise.to_string());
    fs::write(folder.path().join("main.js"), program).unwrap();
    let printed = Arc::new(Mutex::new(String::new()));
    let sink = printed.clone();
    let request = RecordRequest {
        run_folder: Some(folder.path().join("run")),
        output: Output::Sink(Arc::new(move |_, bytes| {
            sink.lock().unwrap().push_str(&String::from_utf8_lossy(bytes));
        })),
        ..RecordRequest::of(vec!["node".into(), "main.js".into()])
    };
    record(&request, folder.path()).unwrap();
    let pair = |text: &str| text.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned())).unwrap();
    let printed = printed.lock().unwrap().clone();
    let truth = printed.lines().map(|line| line.split(' ').skip(1).map(pair).collect()).collect();
    let run = folder.path().join("run");
    let session = Session::open(&RunChoice(Some(run.display().to_string())), &run).unwrap();
    (folder, session, truth)
}

fn ask(session: &Session, kind: QuestionKind) -> Answer {
    let last = PROGRAM.lines().position(|line| line.starts_with("process.exit")).unwrap() + 1;
    session.ask(&Question::at(kind, format!("main.js:{last}").parse().ok()), &Control::default()).unwrap().answer
}

fn children(session: &Session, of: debugger::Handle) -> Vec<Child> {
    match ask(session, QuestionKind::Children { of, page: PageRequest::default() }) {
        Answer::Children(page) => page.items,
        other => panic!("{other:?}"),
    }
}

/// `#3 {a: 1, b: 2, …}`, and whether there is more.
fn previewed(text: &str) -> (Held, bool) {
    let inner = text.split_once('{').and_then(|(_, rest)| rest.strip_suffix('}')).unwrap_or_else(|| panic!("{text}"));
    let parts: Vec<&str> = inner.split(", ").filter(|part| !part.is_empty()).collect();
    let shown = parts.iter().filter_map(|part| part.split_once(": "));
    (shown.map(|(key, value)| (key.to_owned(), value.to_owned())).collect(), parts.contains(&"…"))
}

fn is_within(part: &Held, whole: &Held) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|one| rest.any(|other| other == one))
}

fn check(seed: u32, n_noise: u32) {
    let (_folder, session, truth) = recorded(seed, n_noise);
    assert_eq!(truth.len(), 6);
    let Answer::Scopes(scopes) = ask(&session, QuestionKind::Scopes { frame: None }) else { panic!("no scopes") };
    let variables: Vec<Child> = scopes.into_iter().flat_map(|scope| children(&session, scope.handle)).collect();
    for (number, truth) in truth.iter().enumerate() {
        let variable = variables.iter().find(|child| child.name == format!("o{number}")).unwrap();
        let context = format!("seed {seed}, noise {n_noise}, o{number}: {truth:?}");
        let (preview, has_more) = previewed(&variable.value.text);
        let contents: Held = children(&session, variable.handle.clone().unwrap())
            .into_iter()
            .map(|child| (child.name, child.value.text))
            .collect();
        if n_noise == 0 {
            assert_eq!(contents, *truth, "contents; {context}");
            assert_eq!(preview[..], truth[..preview.len()], "preview; {context}");
        } else {
            // Of an object that was written very often, some keys may be left out, and the preview says so.
            assert!(is_within(&contents, truth), "contents {contents:?}; {context}");
            assert!(is_within(&preview, truth), "preview {preview:?}; {context}");
        }
        assert!(has_more || preview == *truth, "preview {preview:?}; {context}");
    }
}

#[test]
fn keys_stand_as_they_do_in_the_program() {
    (1..=12).for_each(|seed| check(seed, 0));
}

#[test]
fn keys_stand_as_they_do_where_much_lies_between() {
    (1..=3).for_each(|seed| check(seed, 40_000));
}
