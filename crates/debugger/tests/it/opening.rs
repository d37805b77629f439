//! What a variable view asks: the stack, the scopes of a frame, what is inside; each by handles, in pages. Needs the addon
//! (`cargo xtask build`).

use std::fs;
use std::path::Path;

use debugger::{
    Answer, AsyncParent, CallsRequest, Child, Control, Error, Handle, Output, Page, PageRequest, Question,
    QuestionKind, RecordRequest, RunChoice, ScopeKind, ScopeShown, Session, StackAnswer, StateRequest, TaskShown,
    TaskStart, record,
};
use tempfile::TempDir;

const PROGRAM: &str = "\
const shop = { name: 'corner', lines: [] };
function order(customer) {
  let count = 0;
  function add(price) {
    const line = { price, customer };
    shop.lines.push(line);
    count++;
    return line;
  }
  for (let i = 0; i < 5; i++) add(i * 2);
  return add;
}
function deep(n) { return n === 0 ? order('eve') : deep(n - 1); }
deep(300);
async function later() {
  await null;
  return shop.lines.length;
}
later();
setTimeout(function tick() { shop.name = 'late'; }, 1);
";

fn recorded(program: &str) -> (TempDir, Session) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("shop.js"), program).unwrap();
    let mut request = RecordRequest::of(vec!["node".into(), "shop.js".into()]);
    request.run_folder = Some(folder.path().join("run"));
    request.output = Output::Nothing;
    record(&request, folder.path()).unwrap();
    let session = open(&folder.path().join("run"));
    (folder, session)
}

fn open(run: &Path) -> Session {
    Session::open(&RunChoice(Some(run.display().to_string())), run).unwrap()
}

fn ask(session: &Session, kind: QuestionKind, at: &str) -> Result<Answer, Error> {
    session.ask(&Question::at(kind, at.parse().ok()), &Control::default()).map(|reply| reply.answer)
}

fn stack(session: &Session, page: PageRequest, at: &str) -> StackAnswer {
    let Ok(Answer::Stack(stack)) = ask(session, QuestionKind::Stack(page), at) else { panic!("a stack") };
    stack
}

fn scopes(session: &Session, frame: Option<Handle>, at: &str) -> Vec<ScopeShown> {
    let Ok(Answer::Scopes(scopes)) = ask(session, QuestionKind::Scopes { frame }, at) else { panic!("scopes") };
    scopes
}

/// By a session of its own: a handle is good in any process.
fn children(session: &Session, of: &Handle, page: PageRequest) -> Page<Child> {
    let kind = QuestionKind::Children { of: of.to_string().parse().unwrap(), page };
    let Ok(Answer::Children(children)) = ask(&open(session.folder()), kind, "end") else { panic!("children") };
    children
}

fn named<'c>(children: &'c Page<Child>, name: &str) -> &'c Child {
    children.items.iter().find(|child| child.name == name).unwrap_or_else(|| panic!("{name} in {children:?}"))
}

#[test]
fn a_deep_stack_comes_in_pages() {
    let (_folder, session) = recorded(PROGRAM);
    let at = "shop.js:7#5";
    let whole = stack(&session, PageRequest::default(), at);
    assert_eq!(whole.frames.n_all, Some(304));
    let Ok(Answer::State(state)) = ask(&session, QuestionKind::State(StateRequest::default()), at) else { panic!() };
    let functions: Vec<_> = whole.frames.items.iter().map(|frame| frame.function.clone()).collect();
    assert_eq!(functions, state.frames.iter().map(|frame| frame.function.clone()).collect::<Vec<_>>());
    let (mut seen, mut request) = (Vec::new(), PageRequest::first(100));
    loop {
        let page = stack(&open(session.folder()), request.clone(), at).frames;
        seen.extend(page.items.iter().map(|frame| (frame.number, frame.handle.clone())));
        let Some(next) = page.next else { break };
        request = request.behind(next);
    }
    let all: Vec<_> = whole.frames.items.iter().map(|frame| (frame.number, frame.handle.clone())).collect();
    assert_eq!(seen, all);
}

#[test]
fn who_waits_is_on_the_stack() {
    let (_folder, session) = recorded(PROGRAM);
    let frames = stack(&session, PageRequest::default(), "shop.js:17").frames.items;
    let told: Vec<_> = frames.iter().map(|frame| (frame.function.as_deref(), frame.parent)).collect();
    assert_eq!(told, [(Some("later"), None), (None, Some(AsyncParent::Called))]);
    // The page that begins with a frame that waits tells the same of it.
    let first = stack(&session, PageRequest::first(1), "shop.js:17").frames;
    let second = stack(&session, PageRequest::first(1).behind(first.next.unwrap()), "shop.js:17").frames;
    assert_eq!(second.items[0].parent, Some(AsyncParent::Called));
    assert!(second.next.is_none());
}

#[test]
fn scopes_and_what_is_inside() {
    let (_folder, session) = recorded(PROGRAM);
    let at = "shop.js:7#5";
    let seen = scopes(&session, None, at);
    let told: Vec<_> = seen.iter().map(|scope| (scope.kind, scope.function.as_deref())).collect();
    assert_eq!(told, [(ScopeKind::Local, Some("add")), (ScopeKind::Closure, Some("order")), (ScopeKind::File, None)]);
    let local = children(&session, &seen[0].handle, PageRequest::default());
    assert_eq!(named(&local, "price").value.text, "8");
    assert!(named(&local, "price").handle.is_none());
    let line = children(&session, named(&local, "line").handle.as_ref().unwrap(), PageRequest::default());
    assert_eq!(line.items.iter().map(|child| child.name.as_str()).collect::<Vec<_>>(), ["price", "customer"]);
    let around = children(&session, &seen[1].handle, PageRequest::default());
    assert_eq!(
        (named(&around, "count").value.text.as_str(), named(&around, "customer").value.text.as_str()),
        ("4", "\"eve\"")
    );
    // The frame of the caller, by its handle, sees the same variable as its own.
    let frames = stack(&session, PageRequest::first(2), at).frames.items;
    let of_caller = scopes(&session, Some(frames[1].handle.clone()), "end");
    assert_eq!((of_caller[0].kind, of_caller[0].function.as_deref()), (ScopeKind::Local, Some("order")));
    assert_eq!(named(&children(&session, &of_caller[0].handle, PageRequest::default()), "count").value.text, "4");
}

#[test]
fn a_large_object_comes_in_pages() {
    let program = "const all = [];\nfor (let i = 0; i < 50000; i++) all.push({ i });\nconst map = new Map([[all[3], 'three'], [4, 'four']]);\nall;\n";
    let (_folder, session) = recorded(program);
    let file = &scopes(&session, None, "shop.js:3")[0];
    let all = children(&session, &file.handle, PageRequest::default());
    let array = named(&all, "all").handle.clone().unwrap();
    let first = children(&session, &array, PageRequest::first(3));
    assert_eq!((first.items.len(), first.n_all), (3, Some(50_000)));
    let second = children(&session, &array, PageRequest::first(3).behind(first.next.unwrap()));
    assert_eq!(second.items.iter().map(|child| child.name.as_str()).collect::<Vec<_>>(), ["3", "4", "5"]);
    // It is the array of that moment, and the handle says so.
    let end = scopes(&session, None, "end");
    let map = named(&children(&session, &end[0].handle, PageRequest::default()), "map").handle.clone().unwrap();
    let entries = children(&session, &map, PageRequest::default());
    assert_eq!(
        entries.items.iter().map(|child| child.value.text.as_str()).collect::<Vec<_>>(),
        ["\"three\"", "\"four\""]
    );
}

#[test]
fn handles_of_nothing() {
    let (_folder, session) = recorded(PROGRAM);
    for handle in ["", "x", "1@5", "9@5#1", "1@99999999#1", "1@5#999999", "1@40/99999999/0", "1@40/1"] {
        let of: Handle = handle.parse().unwrap();
        let error = ask(&session, QuestionKind::Children { of, page: PageRequest::default() }, "end").unwrap_err();
        assert_eq!((error.id(), error.is_wrong_usage()), ("no-such-handle", true), "{handle}");
    }
    let error = ask(&session, QuestionKind::Scopes { frame: "1@40#3".parse().ok() }, "end").unwrap_err();
    assert_eq!(error.id(), "no-such-handle");
}

#[test]
fn tasks_say_what_started_them() {
    let (_folder, session) = recorded(PROGRAM);
    let tasks = |page: PageRequest| -> Page<TaskShown> {
        let kind = QuestionKind::Tasks(page);
        let Answer::Tasks(tasks) = session.ask(&Question::of(kind), &Control::default()).unwrap().answer else {
            panic!()
        };
        tasks
    };
    let told = |task: &TaskShown| {
        let line = |point: &Option<debugger::Point>| point.as_ref().and_then(|point| point.line);
        match &task.start {
            TaskStart::File => "file".to_owned(),
            TaskStart::Callback { registered } => format!("{:?} from {:?}", task.function, line(registered)),
            TaskStart::Resumed { waited } => format!("{:?} waited {:?}", task.function, line(waited)),
        }
    };
    let all: Vec<String> = tasks(PageRequest::default()).items.iter().map(told).collect();
    assert_eq!(all, ["file", "Some(\"later\") waited Some(16)", "Some(\"tick\") from Some(20)"]);
    let (mut seen, mut request) = (Vec::new(), PageRequest::first(1));
    loop {
        let page = tasks(request.clone());
        seen.extend(page.items.iter().map(told));
        let Some(next) = page.next else { break };
        request = request.behind(next);
    }
    assert_eq!(seen, all);
}

#[test]
fn what_is_inside_can_be_asked_about_by_its_access() {
    let program = "\
const key = { id: 1 };
const all = {
  map: new Map([['x', 1], [key, 2], [3, 4]]),
  set: new Set(['p', key]),
  weak: new WeakMap([[key, 5]]),
  weakSet: new WeakSet([key]),
  list: [7],
  named: { a: 8, 'b c': 9, 10: 11, [Symbol('s')]: 12 },
  called: function called() {},
};
console.log(all);
";
    let (_folder, session) = recorded(program);
    let file = children(&session, &scopes(&session, None, "shop.js:11")[0].handle, PageRequest::default());
    let all = children(&session, named(&file, "all").handle.as_ref().unwrap(), PageRequest::default());
    let mut told = Vec::new();
    for part in &all.items {
        assert!(named(&file, "all").access.is_none());
        let inside = children(&session, part.handle.as_ref().unwrap(), PageRequest::default());
        for child in &inside.items {
            let Some(access) = &child.access else {
                told.push(format!("{} cannot be written", child.name));
                continue;
            };
            let place = format!("all{}{access}", part.access.as_ref().unwrap());
            let asked = QuestionKind::Eval { expression: Some(place.clone()) };
            let Ok(Answer::Eval(value)) = ask(&session, asked, "shop.js:11") else { panic!("{place}") };
            assert_eq!(value.text, child.value.text, "{place}");
            told.push(place);
        }
    }
    assert_eq!(
        told,
        [
            "all.map.get(\"x\")",
            "all.map.get(#1)",
            "all.map.get(3)",
            "all.set.has(\"p\")",
            "all.set.has(#1)",
            "all.weak.get(#1)",
            "all.weakSet.has(#1)",
            "all.list[0]",
            "all.named[10]",
            "all.named.a",
            "all.named[\"b c\"]",
            "[symbol] cannot be written",
        ]
    );
}

#[test]
fn at_the_entry_of_a_call_it_is_said_where_its_arguments_are() {
    let (_folder, session) = recorded("function half(n) {\n  return n / 2;\n}\nhalf(4);\n");
    let request = CallsRequest {
        function: Some("half".into()),
        file: None,
        of_point: false,
        own: false,
        depth: 1,
        page: PageRequest::default(),
    };
    let Ok(Answer::Calls(calls)) = ask(&session, QuestionKind::Calls(request), "end") else { panic!("calls") };
    let entry = format!("@{}", calls.items[0].point.event);
    let asked = QuestionKind::Eval { expression: Some("n".into()) };
    let refused = ask(&session, asked.clone(), &entry).unwrap_err().to_string();
    assert!(refused.contains("its first statement has them"), "{refused}");
    let Ok(Answer::Eval(value)) = ask(&session, asked, "shop.js:2") else { panic!("a value") };
    assert_eq!(value.text, "4");
}
